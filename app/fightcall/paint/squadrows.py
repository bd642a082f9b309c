"""Which combatants stand on one row of the roster: like members of a squad, as long as nothing tells them apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fightcall.paint.runs import clean
from fightcall_engine.squads import alike

if TYPE_CHECKING:
    from fightcall_engine.state import Combatant, FightState
    from fightcall_engine.system import System

FEW = 3
"""So many labels are written one by one; more of them as ranges."""


def ranks(members: Iterable[str], state: FightState, system: System) -> tuple[tuple[str, ...], ...]:
    """Combatants in order, those together that stand next to each other, are alike and look alike on the roster."""
    found: list[tuple[str, ...]] = []
    like: frozenset[str] = frozenset()
    looks: object = None
    for who in members:
        if who not in state.combatants:
            continue
        if found and who in like and _looks(state, system, who) == looks:
            found[-1] = (*found[-1], who)
            continue
        found.append((who,))
        like = frozenset(alike(state, who)) if state.combatants[who].squad else frozenset()
        looks = _looks(state, system, who) if len(like) > 1 else None
    return tuple(found)


def _looks(state: FightState, system: System, who: str) -> object:
    agenda = state.agenda
    return who in agenda.acted, who in agenda.waived, system.card(state, who)


def labels(people: Sequence[Combatant], *, short: bool = False) -> str:
    """Labels of several: one by one where they are few, else, or for short, neighbours as ranges, as in ``1-4 7``."""
    said = [clean(one.label) for one in people]
    if (len(said) <= FEW and not short) or not all(label.isdecimal() for label in said):
        return " ".join(said)
    parts: list[list[int]] = []
    for number in map(int, said):
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return " ".join(f"{part[0]}-{part[-1]}" if len(part) > 2 else " ".join(map(str, part)) for part in parts)


def squad_name(people: Sequence[Combatant]) -> str:
    """What several are called together: the first one's name without its number."""
    name = clean(people[0].name or people[0].id)
    return name.rstrip("0123456789 ") or name
