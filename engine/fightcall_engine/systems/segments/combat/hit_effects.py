"""Effects of a hit: its POT, wounds, and falling (CS-447, CS-477, CS-530, CS-545)."""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.combatants import harm
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.model.events import DamageApplied, Events
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.combat import potence, presence_attacks, weapon_holds
from fightcall_engine.systems.segments.injury import blow_effects, wound_effects
from fightcall_engine.systems.segments.injury.blow_effects import Force
from fightcall_engine.systems.segments.rules.armour import Layer, shield_layer
from fightcall_engine.systems.segments.rules.numbers import Sum
from fightcall_engine.systems.segments.state import harm_events, health, items, queries, worn_armour
from fightcall_engine.systems.segments.state.battle import Blow
from fightcall_engine.systems.segments.state.blows import people_of, type_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.scores import strength_of

HARM_PROMPT = "harm"
"""The kind of the question for wounds by dice that could not be rolled at once."""

POT = "pot"
"""The kind of the question for an unknown POT (CS-545)."""


# Applying a hit


def apply_hit(decision: Decision, blow: Blow, late: bool = False) -> None:
    """Apply a hit: its POT, or wounds by GM ruling; some types of attack do no damage.

    Args:
        decision: the decision.
        blow: the attack that has hit.
        late: whether it lands in the segment after; dice for wounds by GM ruling are asked for then.
    """
    kind = type_of(decision.state, blow)
    if blow.harm:
        _apply_harm_by_hand(decision, blow, late)
    elif kind.pot != "none" or blow.pot is not None:
        _apply_force(decision, blow)
    else:
        presence_attacks.judge_words(decision, blow, 0)
    if not {blow.attacker, blow.target} <= decision.state.combatants.keys():
        return
    if kind.fells:
        _check_fall(decision, blow)
    if kind.does:
        weapon_holds.apply_to_weapon(decision, blow)


def apply_line(decision: Decision, blow: Blow, force: Force) -> None:
    """CS-446: apply a line that a combatant runs into: its force, and whether it brings them down."""
    combatant, target = people_of(decision.state, blow)
    if force.pot:
        blow_effects.apply_blow(decision, force, target.id, combatant.id, feet_by_gm=0)
    _check_fall(decision, blow)


def _check_fall(decision: Decision, blow: Blow) -> None:
    """CS-447: ask whether the target falls, unless it goes down anyway with its last wound (CS-624)."""
    if decision.state.combatants[blow.target].pool(queries.HP).now:
        decision.spawn(_ask_fall, blow)


def _apply_force(decision: Decision, blow: Blow) -> None:
    """CS-545: apply the POT of a hit, which is asked for if it is not known."""
    force = potence.force_of(decision.state, blow)
    if force is None:
        combatant, target = people_of(decision.state, blow)
        prompt = prompt_for(
            combatant, kind=POT, question=f"{combatant.name} hits {target.name} with {blow.weapon}: what is its POT?",
            rule="CS-545", choices=choices("none:it does nothing"), amount="POT", about=(target.id,),
        )  # fmt: skip
        answer = decision.ask(prompt)
        if answer is None or answer.choice == "none":
            return
        blow = replace(blow, pot=blow_effects.parse_pot(answer.amount))
        force = potence.force_of(decision.state, blow) or Force(Sum(()))
    shields = shield_in_way(decision.state, blow)
    through = blow_effects.apply_blow(
        decision, force, blow.target, blow.attacker, barrier=blow.barrier, shields=shields
    )
    presence_attacks.judge_words(decision, blow, through)


def shield_in_way(state: FightState, blow: Blow) -> tuple[Layer, ...]:
    """CS-597, A-52: the shield in the way: one that failed to Block, or as the GM says."""
    target = state.combatants[blow.target]
    shields = [name for name in blow.met_with if (thing := items.item_named(target, name)) and items.is_shield(thing)]
    return shield_layer(
        worn_armour.shield_of(target, shields[0] if shields else ""),
        failed_block=bool(shields) and not blow.ranged,
        in_way_by_gm=blow.shield,
    )


# Harm by the GM's word


def _apply_harm_by_hand(decision: Decision, blow: Blow, late: bool) -> None:
    combatant, target = people_of(decision.state, blow)
    amount: int | str | None = blow.harm
    if blow.harm.strip().isdecimal():
        wounds = int(blow.harm)
        if wounds:
            decision.emit(harm(decision.state, target.id, wounds, queries.HP, combatant.id))
    else:
        if late:
            prompt = prompt_for(
                combatant, kind=HARM_PROMPT, question=f"{combatant.name} hits {target.name}: how many wounds?",
                rule="CS-601", choices=choices(f"roll:roll {blow.harm}", "none:none"), default="roll", dice=blow.harm,
                purpose=HARM_PROMPT, amount="wounds", about=(target.id,), blocking=False,
            )  # fmt: skip
            answer = decision.ask(prompt)
            if answer is None or answer.choice == "none":
                return
            amount = blow.harm if answer.choice == "roll" else answer.amount
        wound_effects.harm_by_gm(decision, decision.state.combatants[blow.target], amount or 0, combatant.id)
    presence_attacks.judge_words(decision, blow, _points_through(decision.state, target, decision.events))


def _points_through(state: FightState, target: Combatant, new_events: Events) -> int | None:
    """Body Points lost by GM ruling, perhaps 0; None for wounds, which do not measure POT."""
    points = next((event.amount for event in reversed(new_events) if isinstance(event, DamageApplied)), 0)
    return points if health.body_points(state, target) is not None or not points else None


MISMATCH, FALL = "mismatch", "fall"
"""The kinds of questions: size against size before the roll, and whether a hit brings a combatant down."""

BOUNCES = "bounces"

FALLS, STAYS = "falls", "stays"


# Bringing a combatant down by hand or foot: a trip, a shove, a clothesline

def format_weight(state: FightState, combatant: Combatant) -> str:
    """STR and modified STA together, the weight of a body (CS-447, CS-464), in words."""
    return f"{float(strength_of(state, combatant).total + profile_of(combatant).msta):g}"


def bounces_off(decision: Decision, blow: Blow, rule: str) -> bool | None:
    """CS-447, CS-466: ask whether an attack on a much larger foe is hopeless; None if either has left."""
    state = decision.state
    combatant, target = people_of(state, blow)
    sizes = f"STR and STA {format_weight(state, combatant)} against {format_weight(state, target)}"
    prompt = prompt_for(
        combatant, kind=MISMATCH,
        question=f"{combatant.name} runs into {target.name} like a wall ({sizes}). Roll anyway?",
        rule=rule, choices=choices("roll:roll anyway", f"{BOUNCES}:bounces off"), default="roll", about=(target.id,),
    )  # fmt: skip
    answer = decision.ask(prompt)
    return None if answer is None else answer.choice == BOUNCES


# Falling


def _ask_fall(decision: Decision, blow: Blow) -> None:
    """CS-447: ask whether the target of a trip, shove or clothesline falls, with both weights."""
    state = decision.state
    combatant, target = people_of(state, blow)
    if not fall_events(target):
        return
    prompt = prompt_for(
        target, kind=FALL,
        question=f"{target.name} is hit by {combatant.name}'s {blow.attack.replace('_', ' ')}: STR and STA"
        f" {format_weight(state, combatant)} against {format_weight(state, target)}. Does {target.name} go down?",
        rule="CS-447", choices=choices(f"{FALLS}:falls", f"{STAYS}:keeps standing"), default=FALLS,
        about=(combatant.id,),
    )  # fmt: skip
    answer = decision.ask(prompt)
    if answer is not None and answer.choice == FALLS:
        decision.emit(*fall_events(decision.state.combatants[blow.target]))


def fall_events(combatant: Combatant) -> Events:
    """The events of a fall; none for a combatant who is lying."""
    if not combatant.able or fighter_of(combatant).posture == queries.PRONE:
        return ()
    return (harm_events.Fell(who=combatant.id, traits={"posture": queries.PRONE}, posture=queries.PRONE),)
