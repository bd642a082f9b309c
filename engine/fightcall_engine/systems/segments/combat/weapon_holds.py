"""What attacks do to weapons: dropped, pinned, taken (CS-321, CS-345); what the text leaves open is asked."""

from __future__ import annotations

from collections.abc import Iterable

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import rules_on
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.rulings import record_ruling
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.rules.attacks import Does
from fightcall_engine.systems.segments.state import events, harm_events, items, queries, relations, things
from fightcall_engine.systems.segments.state.battle import Blow
from fightcall_engine.systems.segments.state.blows import people_of, type_of
from fightcall_engine.systems.segments.state.fighter import Pair, Pin, fighter_of

WEAPON, BOUND, STILL_PINNED = "weapon_hit", "bound", "still_pinned"
"""The kinds of questions: what becomes of a weapon, whether one steps inside, and whether it is still pinned."""

DROP, PIN, TAKE, FALL, NOTHING = "drop", "pin", "take", "fall", "nothing"

INSIDE, STAY = "inside", "stay"

HOLDS, FREE = "holds", "free"

_VERBS: dict[Does, tuple[str, ...]] = {
    "drop": (DROP,),
    "pin": (PIN,),
    "seize": (TAKE, PIN, NOTHING),
    "ask": (NOTHING, DROP, FALL),
    "grip": (NOTHING, PIN, TAKE, FALL),
}

_WORDS = {DROP: "drops the {}", PIN: "the {} is pinned", TAKE: "the {} is taken"}

_PLAIN_WORDS = {FALL: "goes down", NOTHING: "nothing more"}


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
            offers[verb] = f"{target.name} {_PLAIN_WORDS[verb]}" if verb == FALL else _PLAIN_WORDS[verb]
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
    if verb == FALL:
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
