"""Effects of a hit: its POT, wounds, falling, and what becomes of weapons (CS-321, CS-345, CS-447, CS-530, CS-545)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fightcall_engine.kit.combatants import harm
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import rules_on
from fightcall_engine.kit.prompts import choices, prompt_for, record_ruling
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import DamageApplied, Events
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.combat import potence, presence_attacks
from fightcall_engine.systems.segments.injury import blow_effects, wound_effects
from fightcall_engine.systems.segments.injury.blow_effects import Force
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.rules.attacks import Does
from fightcall_engine.systems.segments.rules.gear import Layer, shield_layer
from fightcall_engine.systems.segments.rules.numbers import Sum
from fightcall_engine.systems.segments.state import (
    events,
    harm_events,
    health,
    items,
    queries,
    relations,
    things,
    worn_armour,
)
from fightcall_engine.systems.segments.state.battle import Blow
from fightcall_engine.systems.segments.state.blows import people_of, type_of
from fightcall_engine.systems.segments.state.fighter import Pair, Pin, fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.scores import strength_of

HARM_PROMPT = "harm"
"""The kind of the question for wounds by dice that could not be rolled at once."""

POT = "pot"
"""The kind of the question for an unknown POT (CS-545)."""


WEAPON, BOUND, STILL_PINNED = "weapon_hit", "bound", "still_pinned"
"""The kinds of questions: what becomes of a weapon, whether one steps inside, and whether it is still pinned."""

DROP, PIN, TAKE, GOES_DOWN, NOTHING = "drop", "pin", "take", "fall", "nothing"

INSIDE, STAY = "inside", "stay"

HOLDS, FREE = "holds", "free"

_VERBS: dict[Does, tuple[str, ...]] = {
    "drop": (DROP,),
    "pin": (PIN,),
    "seize": (TAKE, PIN, NOTHING),
    "ask": (NOTHING, DROP, GOES_DOWN),
    "grip": (NOTHING, PIN, TAKE, GOES_DOWN),
}

_WORDS = {DROP: "drops the {}", PIN: "the {} is pinned", TAKE: "the {} is taken"}

_PLAIN_WORDS = {GOES_DOWN: "goes down", NOTHING: "nothing more"}


# A hit


def apply_to_weapon(decision: Decision, blow: Blow) -> None:
    """Apply a hit at a weapon or its hand; ask if several things can come of it."""
    combatant, target = people_of(decision.state, blow)
    kind = type_of(decision.state, blow)
    offers = _offers_of(target, kind.does)
    if not offers or not target.able:
        return
    if len(offers) == 1:
        _apply(decision, blow, next(iter(offers)))
        return
    question = f"{combatant.name}'s {kind.label} hits {target.name}. What happens?"
    if kind.does == "seize":
        question += " A blade is seized only in a mail or plate gauntlet."
    prompt = prompt_for(
        combatant, kind=WEAPON, question=question, rule=kind.rule,
        choices=choices(*(f"{choice}:{words}" for choice, words in offers.items())), default=next(iter(offers)),
        about=(target.id,),
    )  # fmt: skip
    answer = decision.ask(prompt)
    if answer is not None:
        _apply(decision, blow, answer.choice)


def _offers_of(target: Combatant, does: Does) -> dict[str, str]:
    """What can come of a hit, in words: for each verb and weapon in hand, the longest first."""
    offers: dict[str, str] = {}
    for verb in _VERBS.get(does, ()):
        if verb in _PLAIN_WORDS:
            offers[verb] = f"{target.name} {_PLAIN_WORDS[verb]}" if verb == GOES_DOWN else _PLAIN_WORDS[verb]
            continue
        for hand, name in _weapons_of(target).items():
            offers[f"{verb}_{hand}"] = _WORDS[verb].format(name)
    return offers


def _weapons_of(target: Combatant) -> dict[str, str]:
    """The names of the weapons and shields that a target holds, each with its hand, the longest first."""
    sizes = places.ready_sizes(target)
    held = {
        hand: items.name_of(thing) for hand, thing in items.items_in_hand(target).items() if not items.is_missile(thing)
    }
    hands = sorted(held, key=lambda hand: -sizes.get(hand, 0))
    names = dict.fromkeys(held[hand] for hand in hands)
    return {items.hands_holding(target, name)[0]: name for name in names}


def _apply(decision: Decision, blow: Blow, choice: str) -> None:
    combatant, target = people_of(decision.state, blow)
    verb, _, hand = choice.partition("_")
    if verb == GOES_DOWN:
        decision.emit(harm_events.Fell(who=target.id, traits={"posture": queries.PRONE}, posture=queries.PRONE))
    name = _weapons_of(target).get(hand, "")
    if not name:
        return
    if verb == PIN:
        _pin(decision, combatant, target, name, blow.weapon)
    elif verb == DROP:
        decision.emit(
            *items.lose_events(target, name),
            things.move_object(decision.state, target.id, name, "is dropped"),
        )
    elif verb == TAKE:
        thing = items.find_item(target, name)
        decision.emit(
            *items.lose_events(target, name),
            things.move_object(decision.state, target.id, name, "is wrested away", combatant.id, other=combatant.id),
            *items.gain_events(combatant, thing),
        )


# Pinned weapons


def _pin(decision: Decision, combatant: Combatant, target: Combatant, name: str, tool: str) -> None:
    """CS-321: pin a weapon, and offer the step inside if it kept the attacker off."""
    state = decision.state
    kept_off = places.keep_off_feet(state, target, combatant) > 0 or places.is_outreached(
        state, combatant, target, places.longest_ready(combatant)
    )
    pins = (*items.pins_without(target, name), Pin(name, combatant.id, tool))
    decision.emit(events.WeaponPinned(who=target.id, traits={"pinned": pins}, weapon=name, by=combatant.id))
    if not kept_off:
        return
    prompt = prompt_for(
        combatant, kind=BOUND, question=f"{target.name}'s {name} is pinned. Does {combatant.name} step inside?",
        rule="CS-321", choices=choices(f"{INSIDE}:steps inside:y", f"{STAY}:stays:n"), default=STAY, blocking=False,
        about=(target.id,),
    )  # fmt: skip
    answer = decision.ask(prompt)
    if answer is not None and answer.choice == INSIDE:
        target = decision.state.combatants[target.id]
        field = relations.pair_of(target, decision.state.combatants[combatant.id]).field
        decision.emit(*relations.set_pair(target, combatant.id, Pair(field, "close")))


def _free(decision: Decision, combatant: Combatant, pins: Iterable[Pin]) -> None:
    for pin in pins:
        left = items.pins_without(decision.state.combatants[combatant.id], pin.weapon)
        decision.emit(events.WeaponFreed(who=combatant.id, traits={"pinned": left}, weapon=pin.weapon))


def release_used(decision: Decision, combatant_id: str, names: Iterable[str]) -> None:
    """Free what a combatant pins with these items, which it has just used for something else."""
    tools = {name.lower() for name in names} - {items.BARE}
    for other in decision.state.roster:
        _free(decision, other, [pin for pin in _pins_by(other, combatant_id) if pin.tool.lower() in tools])


def release_of_fallen(decision: Decision, combatant_id: str) -> None:
    """Free what somebody who is down has pinned, and its own pinned weapons."""
    for other in decision.state.roster:
        pins = fighter_of(other).pinned if other.id == combatant_id else _pins_by(other, combatant_id)
        _free(decision, other, pins)


def _pins_by(combatant: Combatant, foe_id: str) -> tuple[Pin, ...]:
    return tuple(pin for pin in fighter_of(combatant).pinned if pin.by == foe_id)


def ask_if_pinned(decision: Decision) -> None:
    """Ask at the end of a segment whether a weapon is still pinned: the text does not say how long (CS-321)."""
    for combatant in decision.state.roster:
        for foe_id in dict.fromkeys(pin.by for pin in fighter_of(combatant).pinned):
            decision.spawn(_ask_if_pinned, combatant.id, foe_id)


def _ask_if_pinned(decision: Decision, combatant_id: str, foe_id: str) -> None:
    combatant = decision.state.combatants[combatant_id]
    pin = _pins_by(combatant, foe_id)[0]
    prompt = prompt_for(
        combatant, kind=STILL_PINNED,
        question=f"Does {decision.state.combatants[pin.by].name} still pin {combatant.name}'s {pin.weapon}?",
        rule="CS-321", choices=choices(f"{HOLDS}:still pinned:y", f"{FREE}:free again:n"), default=HOLDS,
        blocking=False, about=(pin.by,),
    )  # fmt: skip
    answer = decision.ask(prompt)
    if answer is not None and answer.choice == FREE:
        combatant = decision.state.combatants[combatant_id]
        _free(decision, combatant, _pins_by(combatant, foe_id))


@rules_on("pinned")
def rule_pinned(decision: Decision, rule: Rule) -> None:
    """CS-321: free a combatant's pinned weapons by a ruling.

    Raises:
        Refused: nothing of it is pinned, or the value is not ``none``.
    """
    combatant = decision.combatant(rule.who)
    pins = fighter_of(combatant).pinned
    if not pins or str(rule.value or "none").lower() != "none":
        message = f"{combatant.name} has no pinned weapon" if not pins else "use none to free the weapon"
        raise Refused("CS-321", message, ("none",) if pins else ("bind", "seize"), final=True)
    decision.emit(record_ruling("CS-321", f"Pinned weapons of {combatant.name}", "free", rule.note))
    _free(decision, combatant, pins)


# Effects of a hit


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
        apply_to_weapon(decision, blow)


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
