"""The engine's values to plain JSON types and back.

Data that is not exactly as we write it is read by pydantic, which is imported at its first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar, cast, get_args

from fightcall_engine.board.base import AnyBoard, Cell
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.kinds import GridBoard
from fightcall_engine.board.zones import ZoneBoard
from fightcall_engine.model.commands import Command
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.plain_reading import NotPlain, read_plain
from fightcall_engine.model.state import Json, Prompt
from fightcall_engine.model.values import Value, copy_with, field_values

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError


T = TypeVar("T")

_EMPTY: tuple[object, ...] = ((), {})
"""Values that a command's JSON leaves out, whatever the default of the field is."""
_PLAIN = frozenset({str, int, float, bool, type(None)})
"""Types whose values are the same in JSON."""
_MAY_HOLD_FLAGS = frozenset({bool, dict, list, tuple})
"""JSON types in which a boolean may be nested or be the value itself."""
_ADAPTERS: dict[type, TypeAdapter[object]] = {}
"""The pydantic adapter of each type, made at its first use."""
_DEFAULTS: dict[type, tuple[tuple[str, object], ...]] = {}
"""The fields and defaults of each class of commands, looked up when the first instance is written."""


def to_json(value: object) -> Json:
    """Any value of the engine as plain JSON types. Commands and events carry their `type`."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, GridBoard | ZoneBoard):
        return value.to_json()
    if is_dataclass(value) and not isinstance(value, type):
        data: dict[str, Json] = {}
        if isinstance(value, Value) and value.TAGGED:
            data["type"] = value.type
        for name, item in field_values(value).items():
            # Functions, such as the check of a setting or what waits for an answer, have no JSON form.
            if not callable(item) and not (name == "waiting" and isinstance(value, Prompt)):
                data[name] = to_json(item)
        return data
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, Enum):
        return to_json(value.value)
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, Iterable):
        return [to_json(item) for item in value]
    raise TypeError(f"{type(value).__name__} can't be written as JSON")


def command_json(command: Command) -> dict[str, Json]:
    """A command as the journal keeps it: its type and whatever differs from the defaults."""
    data: dict[str, Json] = {"type": command.type}
    kind = type(command)
    if kind not in _DEFAULTS:
        _DEFAULTS[kind] = tuple((item.name, item.default) for item in fields(kind))
    for name, default in _DEFAULTS[kind]:
        value = getattr(command, name)
        if value is not default and value != default and value not in _EMPTY:
            data[name] = to_json(value)
    return data


def json_object(value: object) -> dict[str, Json]:
    """`to_json` of something that becomes a JSON object."""
    return cast(dict[str, Json], to_json(value))


LARGEST_NUMBER = 10**15
"""The largest number that a command may hold: every JSON reader keeps it exactly."""


def check_numbers(value: Json, where: str) -> None:
    """Refuse numbers in plain JSON data that JSON cannot hold, or that are larger than any fight needs.

    Raises:
        BadInput: naming the field.
    """
    kind = type(value)
    if kind is str or value is None:
        return
    if kind is int or kind is float:
        if not -LARGEST_NUMBER <= cast(float, value) <= LARGEST_NUMBER:
            raise BadInput(where, (f"a number out of range; accepted: at most {LARGEST_NUMBER}",))
    elif kind is dict:
        for key, item in cast(dict[str, Json], value).items():
            if type(item) is not str:
                check_numbers(item, f"{where}.{key}")
    elif kind is list:
        for item in cast(list[Json], value):
            check_numbers(item, where)


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    from pydantic import TypeAdapter

    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return cast("TypeAdapter[T]", _ADAPTERS[kind])


_HEX = "Hex"
"""How pydantic labels the pair of numbers in the union type of a place."""
_UNKNOWN = ("unexpected_keyword_argument", "extra_forbidden")


def problems_of(error: ValidationError, kind: type) -> tuple[str, ...]:
    """One line for each error that pydantic found in a `kind`: the field, what is wrong, and the value it had."""
    lines = []
    problems = error.errors(include_url=False)
    hexes = {problem["loc"][: problem["loc"].index(_HEX)] for problem in problems if _HEX in problem["loc"]}
    for problem in problems:
        if problem["loc"][-1:] == ("str",) and problem["loc"][:-1] in hexes:
            # Neither a pair of numbers nor a name: its error as a pair is enough.
            continue
        place = ".".join(str(part) for part in problem["loc"] if part != _HEX) or "value"
        if problem["type"] in _UNKNOWN:
            names = ", ".join(_names_at(kind, problem["loc"][:-1]))
            lines.append(f"{place}: unknown; accepted: {names}" if names else f"{place}: unknown")
        elif problem["type"] in ("missing", "missing_argument"):
            lines.append(f"{place}: missing")
        else:
            lines.append(f"{place}: {problem['msg']} (got {repr(problem['input'])[:60]})")
    return tuple(lines)


def _names_of(kind: type) -> tuple[str, ...]:
    if is_dataclass(kind):
        return tuple(item.name for item in fields(kind))
    return tuple(getattr(kind, "model_fields", ()))


def _names_at(kind: type, place: tuple[int | str, ...]) -> tuple[str, ...]:
    """The field names of the record at a path inside a `kind`; empty if that cannot be told."""
    for part in place:
        if isinstance(part, str):
            field = getattr(kind, "model_fields", {}).get(part)
            inside = _record_in(field.annotation) if field is not None else None
            if inside is None:
                return ()
            kind = inside
    return _names_of(kind)


def _record_in(annotation: object) -> type | None:
    """The dataclass or model inside an annotation: ``Strike`` in ``list[Strike]``."""
    if isinstance(annotation, type) and hasattr(annotation, "model_fields"):
        return annotation
    return next((record for item in get_args(annotation) if (record := _record_in(item)) is not None), None)


def read(kind: type[T], data: object, where: str) -> T:
    """Validate plain data into a dataclass or model.

    Raises:
        BadInput: naming `where` and each field that is wrong.
    """
    try:
        return cast(T, read_plain(kind, data))
    except NotPlain:
        return _read_with_care(kind, data, where)


def _read_with_care(kind: type[T], data: object, where: str) -> T:
    from pydantic import ValidationError

    try:
        value = _adapter(kind).validate_python(data)
    except ValidationError as error:
        raise BadInput(where, problems_of(error, kind)) from error
    misread = tuple(f"{place}: expected a number (got {flag})" for place, flag in _flags_as_numbers(data, value))
    if misread:
        raise BadInput(where, misread)
    return value


def _flags_as_numbers(data: object, result: object, place: str = "") -> Iterator[tuple[str, bool]]:
    """The paths at which pydantic has read a boolean as the number 1 or 0."""
    if isinstance(data, bool):
        if type(result) in (int, float):
            yield place or "value", data
    elif isinstance(data, Mapping):
        for key, value in data.items():
            if type(value) in _MAY_HOLD_FLAGS:
                yield from _flags_as_numbers(value, _part_of(result, str(key)), f"{place}.{key}" if place else str(key))
    elif isinstance(data, list | tuple) and isinstance(result, list | tuple):
        for number, (value, part) in enumerate(zip(data, result, strict=False)):
            if type(value) in _MAY_HOLD_FLAGS:
                yield from _flags_as_numbers(value, part, f"{place}.{number}" if place else str(number))


def _part_of(container: object, key: str) -> object:
    """The value read for a key: an entry of a mapping, or a field by its name or one of its aliases."""
    if isinstance(container, Mapping):
        return container.get(key)
    for name, field in getattr(type(container), "model_fields", {}).items():
        others = getattr(field.validation_alias, "choices", (field.validation_alias,))
        if key in others:
            return getattr(container, name)
    return getattr(container, key, None)


def place_on_board(value: T, board: AnyBoard | None) -> T:
    """A value with each place in it converted to a place of this board.

    Reading takes every pair of numbers for a hex: only the board knows whether they are squares.
    """
    if board is None or board.cell is None or board.cell is Hex:
        return value
    return cast(T, _with_cells(value, board.cell))


def _with_cells(value: object, cell: Cell) -> object:
    if isinstance(value, Hex):
        return cell(*value)
    if type(value) is tuple:
        return tuple(_with_cells(item, cell) for item in value)
    if isinstance(value, dict):
        return {key: _with_cells(item, cell) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        new = {name: _with_cells(item, cell) for name, item in field_values(value).items()}
        return copy_with(value, **new)
    return value
