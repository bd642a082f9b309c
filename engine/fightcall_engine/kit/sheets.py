"""Changing a value of a combatant's sheet by hand, with the pools and records that depend on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import Event, Events, PoolAdjusted, SheetChanged, TraitChanged
from fightcall_engine.model.state import Combatant, FightState, Json, Pool, Scalar, fields_of_record

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem

SHEET = "sheet."
"""The prefix of a sheet's values where anything of a combatant may be named."""


def sheet_values(sheet: Mapping[str, Json]) -> Mapping[str, Scalar]:
    """The numbers and strings of a sheet by path: ``agility``, ``strikes.0.damage``."""
    return dict(_scalars("", sheet))


def _scalars(path: str, value: Json) -> Iterator[tuple[str, Scalar]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _scalars(f"{path}.{name}" if path else str(name), inner)
    elif isinstance(value, list | tuple):
        for place, inner in enumerate(value):
            yield from _scalars(f"{path}.{place}", inner)
    elif value is None or isinstance(value, str | int | float):
        yield path, value


def change_sheet(
    system: BaseSystem, state: FightState, combatant: Combatant, path: str, value: Scalar, reason: str = ""
) -> Events:
    """Change a value of a combatant's sheet.

    Each pool's maximum, and what is left of it, change by the difference the value would have made when the combatant
    joined. So do fields of its record that come from the sheet, unless the fight has changed them since. A pool that
    begins empty keeps what it has got meanwhile. An entry of a list goes by its number, its name or its source:
    ``slot_mods.0.amount``, ``slot_mods.boots.amount``.

    Raises:
        Refused: the sheet has no such value, or does not accept it.
    """
    values = sheet_values(combatant.sheet)
    path = ".".join(_numbered(combatant.sheet, path.split(".")))
    if path not in values:
        raise Refused("what", f"{combatant.name}'s sheet has no {path!r}", tuple(values), final=True)
    entries = {name: inner for name, inner in combatant.sheet.items() if inner is not None}
    changed_sheet = _with_value(entries, path.split("."), value)
    try:
        sheet = system.check_sheet(changed_sheet, combatant.name, state.settings)
    except BadInput as bad:
        raise Refused("value", f"{value!r} isn't allowed for {path}: {bad.problems[0]}", (), final=True) from bad
    return (
        SheetChanged(who=combatant.id, sheet=sheet),
        *_pool_events(system, state, combatant, sheet, reason or "ruling"),
        *_record_events(system, state, combatant, sheet),
    )


def _numbered(node: Json, path: list[str]) -> list[str]:
    """The parts of a path, with the names of entries of lists replaced by their numbers."""
    name, rest = path[0], path[1:]
    if isinstance(node, list | tuple):
        called = (place for place, entry in enumerate(node) if _is_called(entry, name))
        name = name if name.isdecimal() else str(next(called, name))
        inner = node[int(name)] if name.isdecimal() and int(name) < len(node) else None
    else:
        inner = node.get(name) if isinstance(node, Mapping) else None
    return [name, *(_numbered(inner, rest) if rest else ())]


def _is_called(entry: Json, name: str) -> bool:
    names = (entry.get("name"), entry.get("source")) if isinstance(entry, Mapping) else ()
    return any(isinstance(own, str) and own.casefold() == name.casefold() for own in names)


def _with_value(node: Json, path: list[str], value: Scalar) -> Mapping[str, Json]:
    name, rest = path[0], path[1:]
    if isinstance(node, list | tuple):
        place = int(name)
        inner = _with_value(node[place], rest, value) if rest else value
        return [*node[:place], inner, *node[place + 1 :]]  # type: ignore[return-value]
    entries: Mapping[str, Json] = node if isinstance(node, Mapping) else {}
    return {**entries, name: _with_value(entries.get(name), rest, value) if rest else value}


def _join_of(combatant: Combatant, sheet: Mapping[str, Json]) -> Join:
    return Join(name=combatant.name, id=combatant.id, side=combatant.side, sheet=sheet, hidden=combatant.hidden)


def _pool_events(
    system: BaseSystem, state: FightState, combatant: Combatant, sheet: Mapping[str, Json], reason: str
) -> Iterator[Event]:
    before = system.starting_pools(state.settings, _join_of(combatant, combatant.sheet), combatant.sheet)
    after = system.starting_pools(state.settings, _join_of(combatant, sheet), sheet)
    for name, pool in after.items():
        was, current = before.get(name, Pool(0, 0)), combatant.pools.get(name)
        if current is None or pool == was:
            continue
        most, left = max(0, current.max + pool.max - was.max), max(0, current.now + pool.now - was.now)
        most, left = (most, min(left, most)) if pool.now or was.now else (max(most, left), left)
        yield PoolAdjusted(who=combatant.id, pool=name, before=current.now, left=left, max=most, reason=reason)


def _record_events(
    system: BaseSystem, state: FightState, combatant: Combatant, sheet: Mapping[str, Json]
) -> Iterator[Event]:
    before = system.starting_record(state.settings, _join_of(combatant, combatant.sheet), combatant.sheet)
    after = system.starting_record(state.settings, _join_of(combatant, sheet), sheet)
    was, now, current = (fields_of_record(record) for record in (before, after, combatant.record))
    for name, value in now.items():
        if value != was.get(name) and current.get(name) == was.get(name):
            yield TraitChanged(who=combatant.id, trait=name, before=current.get(name), value=value)
