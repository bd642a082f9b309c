"""Finding combatants by id, label or name, and making the events that change their pools."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import DamageApplied, Healed, PoolChanged, SidePoolChanged
from fightcall_engine.model.state import Combatant, FightState, Named

P = TypeVar("P", bound=PoolChanged)
S = TypeVar("S", bound=SidePoolChanged)
PLAYERS = "players:"
"""The prefix of a label or name that is the players' for a combatant."""


def ids_called(state: FightState, name: str) -> tuple[str, ...]:
    """The ids that a text stands for: by id, else by label, else by name in any case, which several may share.

    A text that is nobody's is tried as the label or name that players know. After `PLAYERS` only those count.
    """
    if name in state.combatants:
        return (name,)
    folded_name = name.strip().casefold()
    own = {combatant.id: (combatant.label, combatant.name) for combatant in state.combatants.values()}
    known = {who: (alias.label, alias.name) for who, alias in state.sight.names.items() if who in own}
    if folded_name.startswith(PLAYERS):
        return _ids_by_name(known, folded_name.removeprefix(PLAYERS).strip())
    return _ids_by_name(own, folded_name) or _ids_by_name(known, folded_name)


def _ids_by_name(names: Mapping[str, tuple[str, str]], folded_name: str) -> tuple[str, ...]:
    """The ids with this label, else with this name."""
    by_label, by_name = (tuple(who for who in names if names[who][part].casefold() == folded_name) for part in (0, 1))
    return by_label or by_name


def combatant_of(state: FightState, name: str) -> Combatant:
    """The combatant with this id, label or unique name.

    Raises:
        Refused: there is none, or several share the name; lists the candidates.
    """
    matches = ids_called(state, name)
    if len(matches) == 1:
        return state.combatants[matches[0]]
    if matches:
        raise Refused("who", f"{len(matches)} are named {name!r}", matches, final=True)
    accepts = tuple(state.combatants) or ("join Ash",)
    raise Refused("who", f"no one here is named {name!r}", accepts, final=True)


def ids_listed(state: FightState, text: str) -> tuple[str, ...]:
    """The ids of a list of ids, labels or names, parted by commas, or by blanks where no name has any.

    Raises:
        Refused: one of them is nobody, or shared by several; see `combatant_of`.
    """
    ids: list[str] = []
    for part in text.split(","):
        words = (part,) if len(ids_called(state, part.strip())) == 1 else part.split()
        ids += (combatant_of(state, word.strip()).id for word in words)
    return tuple(ids)


def name_of(state: FightState, combatant_id: str) -> str:
    """A combatant's name, or the id itself if it has left the fight."""
    combatant = state.combatants.get(combatant_id)
    return combatant.name or combatant.id if combatant else combatant_id


def change_pool(event_type: type[P], combatant: Combatant, pool: str, left: int, **fields: object) -> P:
    """An event of class `kind` that sets a pool to a value. `fields` are the other fields of the event.

    Raises:
        ValueError: the combatant has no such pool. For harm, which is recorded without one, use `harm`.
    """
    if pool not in combatant.pools and not issubclass(event_type, DamageApplied):
        raise ValueError(f"{combatant.name} has no pool {pool!r}; accepted: {', '.join(combatant.pools) or 'none'}")
    points = combatant.pool(pool)
    return event_type(who=combatant.id, pool=pool, before=points.now, left=left, max=points.max, **fields)


def change_side_pool(
    event_type: type[S],
    state: FightState,
    side: str,
    pool: str,
    left: int,
    who: str = "",
    purpose: str = "",
    **fields: object,
) -> S:
    """An event of a class that sets a pool of a side to a value. `fields` are the other fields of the event.

    Raises:
        ValueError: the side has no such pool.
    """
    pools = state.side_pools.get(side, {})
    if pool not in pools:
        raise ValueError(f"the side {side!r} has no pool {pool!r}; accepted: {', '.join(pools) or 'none'}")
    points = pools[pool]
    return event_type(
        side=side, pool=pool, before=points.now, left=left, max=points.max, who=who, purpose=purpose, **fields
    )


def harm(state: FightState, combatant_id: str, amount: int, pool: str, by: str = "") -> DamageApplied:
    """The event of harm to a combatant. It is recorded even if there is no pool to take it from."""
    combatant = state.combatants[combatant_id]
    left, is_tracked = max(0, combatant.pool(pool).now - amount), pool in combatant.pools
    return change_pool(DamageApplied, combatant, pool, left, amount=amount, by=by, tracked=is_tracked)


def healing(state: FightState, combatant_id: str, amount: int, pool: str) -> Healed:
    """The event of giving a combatant back an amount of a pool, up to its maximum."""
    combatant = state.combatants[combatant_id]
    points = combatant.pool(pool)
    left = min(points.max, points.now + amount)
    return change_pool(Healed, combatant, pool, left, amount=left - points.now)


_FIELD = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


def fields_named(template: str) -> tuple[str, ...]:
    """The fields in a template, in order."""
    return tuple(dict.fromkeys(field[1] for field in _FIELD.finditer(template)))


def find_flaws(template: str) -> tuple[str, ...]:
    """Parts of a template that look like a field and are not one; empty for none."""
    without_choices = (field[0] for field in _FIELD.finditer(template) if field[2] is not None and "|" not in field[2])
    return (*without_choices, *re.findall(r"\{[^{}]*\}?|\}", _FIELD.sub("", template)))


def fill_template(template: str, values: Mapping[str, object], names: Mapping[str, str]) -> str:
    """Fill in a template.

    Args:
        template: see the module; empty for nothing.
        values: the event's fields, or those that may be shown.
        names: people's names by their ids.
    """

    def fill(text: str) -> str:
        return _FIELD.sub(lambda field: _fill_field(field, values, names), text)

    def drop_if_empty(optional: re.Match[str]) -> str:
        is_empty = any(values.get(name) in (None, "", (), []) for name in fields_named(optional[1]))
        return "" if is_empty else optional[1]

    return fill(_OPTIONAL.sub(drop_if_empty, template))


def _fill_field(field: re.Match[str], values: Mapping[str, object], names: Mapping[str, str]) -> str:
    value = values.get(field[1])
    if field[2] is None:
        return _say(value, names)
    *pairs, other = field[2].split("|")
    words = dict(each.partition("=")[::2] for each in pairs if "=" in each)
    return words.get(str(value), other) if words else pairs[0] if value else other


def _say(value: object, names: Mapping[str, str]) -> str:
    match value:
        case str():
            return names.get(value, value)
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return f"{value:g}" if isinstance(value, float) else str(value)
        case tuple() | list():
            return ", ".join(_say(each, names) for each in value)
        case Mapping():
            return ", ".join(f"{str(name).replace('_', ' ')} {_say(each, names)}" for name, each in value.items())
        case Named():
            return value.name
        case _:
            return "" if value is None else str(value)
