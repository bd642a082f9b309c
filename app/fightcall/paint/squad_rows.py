"""Which combatants share a row of the roster: identical members of a squad."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fightcall.paint.runs import clean
from fightcall_engine.kit.squads import are_alike

if TYPE_CHECKING:
    from fightcall.paint.cards import Cards
    from fightcall_engine.model.state import Combatant, FightState

FEW = 3
"""Up to this many labels are written one by one; more of them as ranges."""


def ranks(members: Iterable[str], state: FightState, cards: Cards) -> tuple[tuple[str, ...], ...]:
    """Combatants in order, grouped by rows of those who are identical and look the same.

    Only members of the same squad are moved together, so that the order of all others is kept.
    """
    ranks: list[tuple[str, ...]] = []
    for combatant_id in members:
        if combatant_id not in state.combatants:
            continue
        place = _row_of(ranks, combatant_id, state, cards)
        if place is None:
            ranks.append((combatant_id,))
        else:
            ranks[place] = (*ranks[place], combatant_id)
    return tuple(ranks)


def _row_of(rows: Sequence[tuple[str, ...]], combatant_id: str, state: FightState, cards: Cards) -> int | None:
    """The row that a combatant joins: the last one of identical ones, if only its squad comes after it."""
    squad = state.combatants[combatant_id].squad
    for place in range(len(rows) - 1, -1, -1):
        first = rows[place][0]
        if are_alike(state, first, combatant_id) and _looks(state, cards, first) == _looks(state, cards, combatant_id):
            return place
        if not squad or state.combatants[first].squad != squad:
            return None
    return None


def _looks(state: FightState, cards: Cards, combatant_id: str) -> object:
    agenda = state.agenda
    pools = state.combatants[combatant_id].pools
    return combatant_id in agenda.acted, combatant_id in agenda.waived, pools, cards[combatant_id]


def labels(people: Sequence[Combatant], *, short: bool = False, ellipsis: str = "…") -> str:
    """The labels of several combatants: one by one if they are few, else, or in short form, as ranges: ``1-4 7``.

    In short form, of labels other than numbers only the first one stands: ``1-3 A…``.
    """
    names = [clean(combatant.label) for combatant in people]
    numbers = [int(label) for label in names if label.isdecimal()]
    others = [label for label in names if not label.isdecimal()]
    if not short and (len(names) <= FEW or others):
        return " ".join(names)
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    ranges = [f"{part[0]}-{part[-1]}" if len(part) > 2 else " ".join(map(str, part)) for part in parts]
    more = ellipsis if len(others) > 1 else ""
    return " ".join((*ranges, *(f"{label}{more}" for label in others[:1])))


def squad_name(people: Sequence[Combatant]) -> str:
    """The name of several combatants: the first one's without its number."""
    name = clean(people[0].name or people[0].id)
    return name.rstrip("0123456789 ") or name
