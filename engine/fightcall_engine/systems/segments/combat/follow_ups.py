"""Further blows of a declared attack: second weapons, Combinations, a Brawler's extra (CS-340..370)."""

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.events import TraitsChanged
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.combat import attack_values
from fightcall_engine.systems.segments.combat.attack_values import KICK
from fightcall_engine.systems.segments.injury import wound_effects
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.state import items, progress, relations
from fightcall_engine.systems.segments.state.action import (
    COMBINATION,
    DONE,
    FAILED,
    action_of,
    changed_parts,
    targets_of,
)
from fightcall_engine.systems.segments.state.battle import CONCERT, MIXED, Blow
from fightcall_engine.systems.segments.state.blows import item_of, people_of
from fightcall_engine.systems.segments.state.fighter import Action
from fightcall_engine.systems.segments.state.profile import profile_of


def is_extra(action: Action, blow: Blow) -> bool:
    """Whether a blow is a Brawler's kick, stomp or knee beside a Combination (CS-370)."""
    return action.kind == COMBINATION and blow.weapon not in (action.weapon, action.second)


def is_brawler(combatant: Combatant) -> bool:
    """CS-370: whether a combatant has the Brawling skill."""
    return profile_of(combatant).skill("brawling", "brawl", "brawler") is not None


def is_in_close(state: FightState, blow: Blow) -> bool:
    """Whether attacker and target fight at close quarters (CS-315)."""
    combatant, target = people_of(state, blow)
    return places.melee_mode(state, combatant, target) == relations.CLOSE


def end_attack(decision: Decision, blow: Blow, hit: bool) -> None:
    """End an attack: of the due Action, or out of turn after a rally (CS-340, CS-622)."""
    if blow.in_turn:
        _mark_struck(decision, blow, hit)
    else:
        decision.emit(*wound_effects.end_rally(decision.state, blow.attacker))


def _mark_struck(decision: Decision, blow: Blow, hit: bool) -> None:
    """Record that a weapon of the declared Action has struck, and resolve it after the last (CS-340, CS-341)."""
    state = decision.state
    combatant = state.combatants[blow.attacker]
    action = action_of(combatant)
    if not action.is_open:
        return
    extra = is_extra(action, blow)
    hands = (
        (KICK,) if extra else tuple(attack_values.hand_of(combatant, item_of(combatant, name)) for name in blow.weapons)
    )
    struck_hands = tuple(dict.fromkeys((*action.struck, *hands)))
    outcome = "; ".join(filter(None, (action.outcome, _describe_strike(state, blow, hit))))
    has_hit = hit or action.has_hit
    # With a single weapon, the one struck at may be another than was declared (CS-111).
    targets = action.targets if action.second else (blow.target,)
    within = changed_parts(combatant, struck=struck_hands, has_hit=has_hit, outcome=outcome, targets=targets)
    decision.emit(TraitsChanged(who=combatant.id, within=within))
    if not more_to_strike(decision.state, decision.state.combatants[combatant.id]):
        how = DONE if has_hit else FAILED
        decision.emit(*progress.settle_action(decision.state, decision.state.combatants[combatant.id], how, outcome))


def _describe_strike(state: FightState, blow: Blow, hit: bool) -> str:
    return f"{'hit' if hit else 'missed'} {state.combatants[blow.target].name}"


def more_to_strike(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """Weapons of the due Action that have yet to strike; after a Combination a Brawler's extra (CS-341, CS-370)."""
    action = action_of(combatant)
    used_hands = action.struck
    if not action.is_open:
        return ()
    weapons = [action.weapon]
    if action.second and action.mode not in (CONCERT, MIXED):
        weapons.append(action.second)
    waiting = (name for name in weapons if attack_values.hand_of(combatant, item_of(combatant, name)) not in used_hands)
    weapons_left = tuple(waiting) if len(used_hands) < len(weapons) else ()
    if weapons_left or action.kind != COMBINATION or not is_brawler(combatant) or KICK in used_hands:
        return weapons_left
    targets = targets_of(state, action)
    blow = Blow(combatant.id, targets[0].id, weapon=items.BARE) if targets else None
    return (items.BARE,) if blow is not None and targets[0].able and is_in_close(state, blow) else ()
