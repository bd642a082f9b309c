"""Reading a system's records by their own types.

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

from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Literal, TypeVar, Union, get_args, get_origin

from fightcall_engine.model.events import EntryChanged, Event, FactChanged, TraitChanged, TraitsChanged, TraitsReset
from fightcall_engine.model.json_data import read
from fightcall_engine.model.state import Combatant, Effect, FightState, Prompt
from fightcall_engine.model.values import field_names, field_types

R = TypeVar("R")


def record_of(combatant: Combatant, kind: type[R]) -> R:
    """Return a combatant's record, or one with the defaults if it has none yet.

    Raises:
        TypeError: it is a record of another system.
    """
    return _check_kind(combatant.record, kind, combatant.id)


def fight_record_of(state: FightState, kind: type[R]) -> R:
    """Return the fight's record, or one with the defaults if it has none yet.

    Raises:
        TypeError: it is of another kind.
    """
    return _check_kind(state.record, kind, "the fight")


def effect_data_of(effect: Effect, kind: type[R]) -> R:
    """Return the system's data of an effect, or the defaults if it has none.

    Raises:
        TypeError: it is of another kind.
    """
    return _check_kind(effect.data, kind, f"the effect {effect.name!r}")


def sheet_of(combatant: Combatant, kind: type[R]) -> R:
    """Return a combatant's sheet as the class of its system's sheets.

    Raises:
        BadInput: it is of another kind.
    """
    return read(kind, dict(combatant.sheet), f"sheet of {combatant.id}")


def resume_of(prompt: Prompt, kind: type[R]) -> R:
    """Return the system's data of a prompt, for the views and for the function that takes up an offer.

    Raises:
        TypeError: it is of another kind.
    """
    return _check_kind(prompt.resume, kind, f"the question {prompt.kind!r}")


def _check_kind(record: object, kind: type[R], whose: str) -> R:
    if record is None:
        return kind()
    if not isinstance(record, kind):
        raise TypeError(f"the record of {whose} is a {type(record).__name__}, not a {kind.__name__}")
    return record


def unknown_fields(event: Event, record: type[object] | None, fight_record: type[object] | None) -> tuple[str, ...]:
    """Return the fields that an event changes and no record has. Folding the event would ignore them.

    Args:
        event: what happens.
        record: the class of combatants' records; None if the system has none.
        fight_record: the class of the fight's record.
    """
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


PLAIN_TYPES = (str, int, float, bool, NoneType)


def plain_types(kind: type[object], field: str) -> tuple[type, ...]:
    """The plain types of a field, such as ``int`` and that of None; empty if its annotation has any other.

    Args:
        kind: the dataclass.
        field: a field's name; an unknown one has no types.
    """
    hint = field_types(kind).get(field)
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return tuple(parts) if all(part in PLAIN_TYPES for part in parts) else ()


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
