"""Reading a system's records and settings by their own types.

A system registers frozen dataclasses for its own data: `BaseSystem.record` for a combatant, `BaseSystem.fight_record`
for the fight, `BaseSystem.effect_data` for an effect, and `BaseSystem.resumes` for an open prompt. Its modules read
them through a one-line function::

    def duellist(combatant: Combatant) -> Duellist:
        return record_of(combatant, Duellist)

A sheet is read in the same way, with `sheet_of`.

Events change them: `TraitChanged`, `TraitsChanged` and `TraitsReset` a combatant's record, `FactChanged` the fight's,
`EntryChanged` one entry of a mapping in either. `Decision.set_traits`, `reset_trait` and `set_facts` emit these events
for the values that differ.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import field, fields
from types import NoneType, UnionType
from typing import Literal, Protocol, TypeVar, Union, cast, get_args, get_origin

from fightcall_engine.kit.views import Setting
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import (
    DamageApplied,
    EntryChanged,
    Event,
    FactChanged,
    Healed,
    PoolChanged,
    SidePoolChanged,
    TraitChanged,
    TraitsChanged,
    TraitsReset,
)
from fightcall_engine.model.json_data import read
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Named, Prompt, Scalar
from fightcall_engine.model.values import field_names, field_types, replace

R = TypeVar("R")


def record_of(combatant: Combatant, kind: type[R]) -> R:
    """Return a combatant's record, or the defaults if it has none yet; TypeError if it is another system's."""
    record = combatant.record
    return record if isinstance(record, kind) else _check_kind(record, kind, combatant.id)


def record_reader(kind: type[R]) -> Callable[[Combatant], R]:
    """Make a function that reads a combatant's record as `record_of` does: asked thousands of times for a key."""

    def read_record(combatant: Combatant) -> R:
        record = combatant.record
        return record if isinstance(record, kind) else _check_kind(record, kind, combatant.id)

    return read_record


def fight_record_of(state: FightState, kind: type[R]) -> R:
    """Return the fight's record, or the defaults if it has none yet; TypeError if it is another system's."""
    record = state.record
    return record if isinstance(record, kind) else _check_kind(record, kind, "the fight")


def effect_data_of(effect: Effect, kind: type[R]) -> R:
    """Return the system's data of an effect, or the defaults if it has none; TypeError if it is another system's."""
    return _check_kind(effect.data, kind, f"the effect {effect.name!r}")


def sheet_of(combatant: Combatant, kind: type[R]) -> R:
    """Return a combatant's sheet as the class of its system's sheets; BadInput if it is of another."""
    return read(kind, dict(combatant.sheet), f"sheet of {combatant.id}")


def resume_of(prompt: Prompt, kind: type[R]) -> R:
    """Return the system's data of a prompt, for views and whoever takes up an offer; TypeError if it is another's."""
    return _check_kind(prompt.resume, kind, f"the question {prompt.kind!r}")


def _check_kind(record: object, kind: type[R], whose: str) -> R:
    if record is None:
        return kind()
    if not isinstance(record, kind):
        raise TypeError(f"the record of {whose} is a {type(record).__name__}, not a {kind.__name__}")
    return record


def unknown_fields(event: Event, record: type[object] | None, fight_record: type[object] | None) -> tuple[str, ...]:
    """Return the fields that an event changes and no record has. Folding the event would ignore them."""
    kind: type[object] | None
    changed_fields: tuple[str, ...]
    match event:
        case TraitChanged() | TraitsReset():
            kind, changed_fields = record, (event.trait,)
        case TraitsChanged():
            kind, changed_fields = record, (*event.traits, *event.within)
        case FactChanged():
            kind, changed_fields = fight_record, (event.fact,)
        case EntryChanged():
            kind, changed_fields = record if event.who else fight_record, (event.field,)
        case _:
            return ()
    record_fields = () if kind is None else field_names(kind)
    return tuple(name for name in changed_fields if name not in record_fields)


def as_int(value: object) -> int | None:
    """The value if it is a whole number and no boolean; else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def as_amount(value: object) -> int | str | None:
    """The value if it is a whole number, or dice as a string; else None."""
    return value if isinstance(value, str) else as_int(value)


def sheet_int(combatant: Combatant, name: str) -> int | None:
    """A whole number of a combatant's sheet; None if it has none of this name."""
    return as_int(combatant.sheet.get(name))


def sheet_entries(combatant: Combatant, name: str) -> tuple[Mapping[str, Json], ...]:
    """The entries of a list on a combatant's sheet, such as its weapons; empty if it has none of this name."""
    return tuple(cast("list[Mapping[str, Json]]", combatant.sheet.get(name) or ()))


def plain_types(kind: type[object], field: str) -> tuple[type, ...]:
    """The plain types of a field, such as ``int`` and that of None; empty if its annotation has any other."""
    hint = field_types(kind).get(field)
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return tuple(parts) if all(part in (str, int, float, bool, NoneType) for part in parts) else ()


def words_of_fields(kind: type[object]) -> Mapping[str, tuple[str, ...]]:
    """The values that each ``Literal`` field of a dataclass accepts, by the field's name."""
    by_field = {name: _words(hint) for name, hint in field_types(kind).items()}
    return {name: words for name, words in by_field.items() if words}


def _words(hint: object) -> tuple[str, ...]:
    if get_origin(hint) is Literal:
        return tuple(str(word) for word in get_args(hint))
    if get_origin(hint) in (Union, UnionType):
        return tuple(word for part in get_args(hint) if part is not NoneType for word in _words(part))
    return ()


class HasSettings(Protocol):
    """What this module needs of a system."""

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings that a table can choose."""


V = TypeVar("V", bound=Scalar)

_SETTING = "setting"


def setting(
    default: V,
    text: str,
    rule: str = "",
    *,
    least: float | None = None,
    file: str = "",
    check: Callable[[str], object] | None = None,
    schema: Callable[[], Mapping[str, Json]] | None = None,
    title: str = "",
    words: tuple[str, ...] = (),
) -> V:
    """A field of a dataclass of settings. Its type gives the choices; the arguments are those of `Setting`."""
    described = Setting(
        "", default, text, rule, least=least, file=file, check=check, schema=schema, title=title, words=words
    )
    return field(default=default, metadata={_SETTING: described})


def describe_settings(kind: type[object]) -> tuple[Setting, ...]:
    """The settings described by a dataclass's fields, in order. Choices come from ``Literal`` or ``bool``."""
    described = []
    for item in fields(kind):  # type: ignore[arg-type]
        hint = field_types(kind)[item.name]
        words = get_args(hint) if get_origin(hint) is Literal else ()
        choices = (bool(item.default), not item.default) if hint is bool else words
        described.append(replace(item.metadata[_SETTING], key=item.name, choices=choices))
    return tuple(described)


# A cache of its own: rules read settings all the time, and `remembered` would take three times as long.
_READ: dict[tuple[type, int], tuple[Mapping[str, Scalar], object]] = {}
_MOST_READ = 64


def read_settings(kind: type[R], values: Mapping[str, Scalar]) -> R:
    """The settings of a fight, which never change, as a dataclass. One newer than the fight has its default."""
    known = _READ.get((kind, id(values)))
    if known is None:
        if len(_READ) >= _MOST_READ:
            del _READ[next(iter(_READ))]
        record = kind(**{name: values[name] for name in field_names(kind) if name in values})
        # The values are kept with the answer: while they are alive, no others can have their id.
        known = _READ[kind, id(values)] = values, record
    return cast(R, known[1])


def check_setting(system: HasSettings, key: str, value: object) -> None:
    """Check the name and the value of a setting; BadInput says what would be accepted."""
    by_key = {setting.key: setting for setting in system.settings}
    if key not in by_key:
        raise BadInput("settings", (f"{key}: unknown; accepted: {', '.join(by_key)}",))
    setting = by_key[key]
    if setting.choices and not any(value == item and type(value) is type(item) for item in setting.choices):
        accepts = ", ".join(str(choice) for choice in setting.choices)
        raise BadInput("settings", (f"{key}: {value!r} isn't allowed; accepted: {accepts}",))
    same_kind = type(value) is type(setting.default) or (
        isinstance(setting.default, float) and isinstance(value, int) and not isinstance(value, bool)
    )
    if not setting.choices and not same_kind:
        raise BadInput("settings", (f"{key}: {value!r} isn't allowed; expected {type(setting.default).__name__}",))
    if isinstance(value, int | float) and not isinstance(value, bool):
        low = -math.inf if setting.least is None else setting.least
        if not (math.isfinite(value) and value >= low):
            accepts = "a number" if setting.least is None else f"{setting.least} or more"
            raise BadInput("settings", (f"{key}: {value!r} isn't allowed; accepted: {accepts}",))
    if setting.check is not None and value:
        try:
            setting.check(str(value))
        except BadInput as error:
            raise BadInput("settings", tuple(f"{key}: {problem}" for problem in error.problems)) from error
        except ValueError as error:
            raise BadInput("settings", (f"{key}: {error}",)) from error


def starting_settings(system: HasSettings, chosen_values: Mapping[str, Scalar] | None = None) -> dict[str, Scalar]:
    """The system's default settings, updated with the given ones; BadInput as `check_setting`."""
    settings = {setting.key: setting.default for setting in system.settings}
    for key, value in (chosen_values or {}).items():
        check_setting(system, key, value)
        settings[key] = value
    return settings


def setting_named(system: HasSettings, key: str) -> Setting | None:
    """The setting of this name; None if the system has none."""
    return next((setting for setting in system.settings if setting.key == key), None)


def setting_title(system: HasSettings, key: str) -> str:
    """A setting's name for people."""
    known = setting_named(system, key)
    return (known.title if known is not None else "") or key.replace("_", " ")


def choice_words(system: HasSettings, key: str, value: Json) -> str:
    """A setting's value in short words."""
    known = setting_named(system, key)
    words = dict(zip(known.choices, known.words, strict=False)) if known is not None else {}
    return words[value] if isinstance(value, str) and value in words else value_words(value)


def first_line(text: str) -> str:
    """The first line of a text, with a sign that there is more."""
    line, *more = text.splitlines() or [""]
    return f"{line} …" if more else line


def value_words(value: Json) -> str:
    """A setting's value in words: yes or no, no underscores, and only the first line of a long text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:g}"
    return first_line(str(value or "")).replace("_", " ") or "nothing"


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


def target_called(state: FightState, name: str) -> Combatant | None:
    """The combatant whom a command's `target` names; the first of several, None without a name."""
    ids = ids_called(state, name) if name else ()
    return state.combatants[ids[0]] if ids else None


def _ids_by_name(names: Mapping[str, tuple[str, str]], folded_name: str) -> tuple[str, ...]:
    by_label, by_name = (tuple(who for who in names if names[who][part].casefold() == folded_name) for part in (0, 1))
    return by_label or by_name


def combatant_of(state: FightState, name: str) -> Combatant:
    """The combatant with this id, label or unique name; Refused, listing the candidates, if there is no single one."""
    matches = ids_called(state, name)
    if len(matches) == 1:
        return state.combatants[matches[0]]
    if matches:
        raise Refused("who", f"{len(matches)} are named {name!r}", matches, final=True)
    accepts = tuple(state.combatants) or ("join Ash",)
    raise Refused("who", f"no one here is named {name!r}", accepts, final=True)


def ids_listed(state: FightState, text: str) -> tuple[str, ...]:
    """The ids of a list of ids, labels or names, parted by commas, or by blanks where no name has any."""
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
    """An event of a class that sets a pool, with further `fields`; ValueError without one, unless it records harm."""
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
    """An event of a class that sets a pool of a side, with further `fields`; ValueError if there is no such pool."""
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
    """Fill in a template. `names` are people's names by their ids."""

    def drop_if_empty(optional: re.Match[str]) -> str:
        is_empty = any(values.get(name) in (None, "", (), []) for name in fields_named(optional[1]))
        return "" if is_empty else optional[1]

    filled = _OPTIONAL.sub(drop_if_empty, template)
    return _FIELD.sub(lambda field: _fill_field(field, values, names), filled)


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
