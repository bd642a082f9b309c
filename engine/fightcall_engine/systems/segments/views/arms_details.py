"""What the card of somebody says of weapons and shields: their numbers, and which of them are a sample's (M-09)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fightcall_engine.kit.views import Detail, Section
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.segments.combat import potence
from fightcall_engine.systems.segments.state import archery, armoury, items

_HANDS = {"R": "right hand", "L": "left hand"}


def details(state: FightState, combatant: Combatant) -> tuple[Section, ...]:
    """Everything that the sheet lists, what is in hand first; nothing for who carries nothing."""
    hand_by_name = {items.name_of(thing): hand for hand, thing in items.items_in_hand(combatant).items()}
    things = sorted(items.items_of(combatant), key=lambda thing: items.name_of(thing) not in hand_by_name)
    lines = tuple(_line(state, thing, hand_by_name.get(items.name_of(thing), "")) for thing in things)
    return (Section("Arms", lines, combatant.id),) if lines else ()


def _line(state: FightState, thing: Mapping[str, Json], hand: str) -> Detail:
    sample = thing.get("sample") is True
    where = "both hands" if hand and thing.get("two_handed") else _HANDS.get(hand, "")
    heads = ", ".join(head.called for head in archery.heads_of_bow(state, thing))
    parts = (where, *_numbers(state, thing), armoury.SAMPLE if sample else "", f"arrows: {heads}" if heads else "")
    return Detail(items.name_of(thing), ", ".join(filter(None, parts)), rule="M-09" if sample else "CS-535")


def _numbers(state: FightState, thing: Mapping[str, Json]) -> Iterator[str]:
    av, size, dr = thing.get("av"), thing.get("size"), thing.get("dr")
    yield f"AV {av}" if isinstance(av, int) else "AV not known"
    if isinstance(size, int | float) and size:
        yield f"{size:g} ft, {thing.get('weight_class')}, DB {potence.bonus_of(state, thing):+d}"
    if isinstance(dr, int) and dr:
        yield f"takes {dr}"
