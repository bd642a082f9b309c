"""The engine's values to plain JSON types and back.

Data that is exactly what the types say, as everything that the program has written, is read without pydantic:
importing it and building its first reader takes longer than everything else in opening a fight. Anything else, such
as a number in quotes or an unknown field, raises `NotPlain` and is left to pydantic, which converts what it can and
reports the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from fightcall_engine.board.base import AnyBoard, Cell, Hex
from fightcall_engine.board.kinds import GridBoard
from fightcall_engine.board.zones import ZoneBoard
from fightcall_engine.model.commands import Command
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json, Prompt
from fightcall_engine.model.values import Value, field_names, field_values, remembered_of, required_fields, with_fields

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

Reader = Callable[[object], object]
"""Makes a value of one type; raises `NotPlain` where the data is not exactly that."""

_READERS: dict[object, Reader] = {}
_FRACTION = re.compile(r"-?[0-9]{1,15}(/[1-9][0-9]{0,14})?")
_NUMBERS_AND_FLAGS = (int, bool, NoneType)
_LARGEST_EXACT = 2**53
"""The largest whole number up to which a decimal holds each exactly."""

T = TypeVar("T")

_EMPTY: tuple[object, ...] = ((), {})  # whatever the default of the field is
_PLAIN = frozenset({str, int, float, bool, type(None)})
_PLACELESS = _PLAIN | {str | None, int | None, float | None, tuple[str, ...]}
_MAY_HOLD_FLAGS = frozenset({bool, dict, list, tuple})
"""JSON types in which a boolean may be nested or be the value itself."""
_ADAPTERS: dict[type, TypeAdapter[object]] = {}
_DEFAULTS: dict[type, tuple[tuple[str, object], ...]] = {}
"""The fields and defaults of each class of commands, looked up when the first instance is written."""


class NotPlain(Exception):
    """The data is not exactly what the type says, or the type is not supported here."""


def reader_of(hint: object) -> Reader:
    """What reads a value of a type from plain JSON data; NotPlain if pydantic must look at it."""
    try:
        reader = _READERS.get(hint)
    except TypeError:  # A hint that cannot be hashed.
        raise NotPlain from None
    if reader is None:
        reader = _READERS[hint] = _make_reader(hint)
    return reader


def _make_reader(hint: object) -> Reader:
    origin, parts = get_origin(hint), get_args(hint)
    if hint is object:
        return lambda data: data
    if hint is str:
        return _text
    if hint is float:
        return _decimal
    if isinstance(hint, type) and hint in _NUMBERS_AND_FLAGS:
        return _exactly(hint)
    if hint is Fraction:
        return _fraction
    if origin in (Union, UnionType):
        return _one_of(tuple(map(reader_of, parts)))
    if origin is Literal:
        return _word_of(parts)
    if origin in (dict, Mapping):
        return _mapping(*map(reader_of, parts))
    if origin is tuple:
        return _tuple(parts)
    if isinstance(hint, type) and is_dataclass(hint):
        return _record(hint)
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return _named_tuple(cast("type[NamedTuple]", hint))
    return _never


def _never(data: object) -> object:
    raise NotPlain


def _text(data: object) -> object:
    if type(data) is not str:
        raise NotPlain
    if not data.isascii():
        try:
            data.encode()
        except UnicodeEncodeError:  # Half a character.
            raise NotPlain from None
    return data


def _fraction(data: object) -> object:
    if type(data) is not str or not _FRACTION.fullmatch(data):
        raise NotPlain
    return Fraction(data)


def _decimal(data: object) -> object:
    """A number. A whole one stays as it is, so that it is written again as it was."""
    if type(data) is float or (type(data) is int and -_LARGEST_EXACT <= data <= _LARGEST_EXACT):
        return data
    raise NotPlain


def _exactly(kind: type) -> Reader:
    def read(data: object) -> object:
        if type(data) is not kind:
            raise NotPlain
        return data

    return read


def _word_of(words: tuple[object, ...]) -> Reader:
    choices = {(type(word), word) for word in words}

    def read(data: object) -> object:
        if type(data) not in (str, int, bool, NoneType) or (type(data), data) not in choices:
            raise NotPlain
        return data

    return read


def _one_of(readers: tuple[Reader, ...]) -> Reader:
    def read(data: object) -> object:
        values = []
        for reader in readers:
            try:
                values.append(reader(data))
            except NotPlain:
                continue
        # Where it may be either, pydantic decides, unless it stays as it is.
        if not values or (len(values) > 1 and any(value is not data for value in values)):
            raise NotPlain
        return values[0]

    return read


def _mapping(key: Reader, value: Reader) -> Reader:
    def read(data: object) -> object:
        if type(data) is not dict:
            raise NotPlain
        return {key(name): value(item) for name, item in data.items()}

    return read


def _tuple(parts: tuple[object, ...]) -> Reader:
    if len(parts) == 2 and parts[1] is Ellipsis:
        entry = reader_of(parts[0])
        return lambda data: tuple([entry(item) for item in _items(data)])
    readers = tuple(map(reader_of, parts))
    return lambda data: tuple(_in_order(readers, data))


def _items(data: object) -> list[object] | tuple[object, ...]:
    if type(data) is list or type(data) is tuple:
        return data
    raise NotPlain


def _in_order(readers: tuple[Reader, ...], data: object) -> list[object]:
    items = _items(data)
    if len(items) != len(readers):
        raise NotPlain
    return [reader(item) for reader, item in zip(readers, items, strict=True)]


def _named_tuple(kind: type[NamedTuple]) -> Reader:
    hints = get_type_hints(kind, include_extras=True)
    readers = tuple(reader_of(hints[name]) for name in kind._fields)
    make = cast(Callable[..., object], kind)
    return lambda data: data if type(data) is kind else make(*_in_order(readers, data))


def _record(kind: type) -> Reader:
    """A reader of a dataclass. It looks at the field types when it first reads: a record may contain its own kind."""
    make = cast(Callable[..., object], kind)
    readers: dict[str, Reader] = {}
    required_names: set[str] = set()

    def read(data: object) -> object:
        if type(data) is kind:
            return data
        if type(data) is not dict:
            raise NotPlain
        if not readers:
            if not all(item.init for item in fields(kind)):
                raise NotPlain
            hints = get_type_hints(kind, include_extras=True)
            readers.update((item.name, reader_of(hints[item.name])) for item in fields(kind))
            required_names.update(required_fields(kind))
        if not (required_names <= data.keys() <= readers.keys()):
            raise NotPlain
        values: dict[str, Any] = {name: readers[name](value) for name, value in data.items()}
        try:
            return make(**values)
        except (ValueError, TypeError):  # A check of its own, whose words pydantic passes on.
            raise NotPlain from None

    return read


# The engine's values to plain JSON types and back


def to_json(value: object) -> Json:
    """Any value of the engine as plain JSON types. Commands and events carry their `type`."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    writer = _WRITERS.get(kind)
    if writer is None:
        writer = _WRITERS[kind] = _writer_of(kind)
    return writer(value)


_WRITERS: dict[type, Callable[[Any], Json]] = {}


def _writer_of(kind: type) -> Callable[[Any], Json]:
    if issubclass(kind, GridBoard | ZoneBoard):
        return kind.to_json
    if is_dataclass(kind):
        if issubclass(kind, Value) and kind.TAGGED:
            return lambda tagged: {"type": tagged.type, **_record_json(tagged)}
        return _record_json
    if issubclass(kind, Mapping):
        return lambda mapping: {str(key): to_json(item) for key, item in mapping.items()}
    if issubclass(kind, Enum):
        return lambda member: to_json(member.value)
    if issubclass(kind, Fraction):
        return str
    if issubclass(kind, str | int | float):
        return lambda plain: plain
    if issubclass(kind, Iterable):
        return lambda items: [to_json(item) for item in items]
    raise TypeError(f"{kind.__name__} can't be written as JSON")


def _record_json(record: object) -> dict[str, Json]:
    # Functions, such as the check of a setting or what waits for an answer, have no JSON form.
    is_prompt = isinstance(record, Prompt)
    return {
        name: to_json(item)
        for name, item in field_values(record).items()
        if not callable(item) and not (is_prompt and name == "waiting")
    }


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
    """Refuse numbers that JSON cannot hold, or larger than any fight needs; BadInput names the field."""
    if isinstance(value, dict):
        for key, item in value.items():
            if type(item) is not str:
                check_numbers(item, f"{where}.{key}")
    elif isinstance(value, list):
        for item in value:
            check_numbers(item, where)
    elif isinstance(value, (int, float)) and not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise BadInput(where, (f"a number out of range; accepted: at most {LARGEST_NUMBER}",))


_HEX = "Hex"  # how pydantic labels the pair of numbers in a place
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


def _names_at(kind: type, place: tuple[int | str, ...]) -> tuple[str, ...]:
    for part in place:
        if isinstance(part, str):
            field = getattr(kind, "model_fields", {}).get(part)
            inside = _record_in(field.annotation) if field is not None else None
            if inside is None:
                return ()
            kind = inside
    return field_names(kind) if is_dataclass(kind) else tuple(getattr(kind, "model_fields", ()))


def _record_in(annotation: object) -> type | None:
    if isinstance(annotation, type) and hasattr(annotation, "model_fields"):
        return annotation
    return next((record for item in get_args(annotation) if (record := _record_in(item)) is not None), None)


def read(kind: type[T], data: object, where: str) -> T:
    """Validate plain data into a dataclass or model. BadInput names `where` and each wrong field."""
    try:
        return cast(T, reader_of(kind)(data))
    except NotPlain:
        from pydantic import TypeAdapter, ValidationError
    try:
        adapter = _ADAPTERS.get(kind) or _ADAPTERS.setdefault(kind, TypeAdapter(kind))
        value = adapter.validate_python(data)
    except ValidationError as error:
        raise BadInput(where, problems_of(error, kind)) from error
    misread = tuple(f"{place}: expected a number (got {flag})" for place, flag in _flags_as_numbers(data, value))
    if misread:
        raise BadInput(where, misread)
    return cast(T, value)


def _flags_as_numbers(data: object, result: object, place: str = "") -> Iterator[tuple[str, bool]]:
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
    if isinstance(container, Mapping):
        return container.get(key)
    for name, field in getattr(type(container), "model_fields", {}).items():
        others = getattr(field.validation_alias, "choices", (field.validation_alias,))
        if key in others:
            return getattr(container, name)
    return getattr(container, key, None)


def place_on_board(value: T, board: AnyBoard | None) -> T:
    """A value with each place in it as this board has it: reading takes every pair of numbers for a hex."""
    if board is None or board.cell is None or board.cell is Hex:
        return value
    return cast(T, _with_cells(value, board.cell))


@remembered_of(1024)
def _fields_with_places(kind: type) -> tuple[str, ...]:
    """The fields of a record that may hold places. Those of a board are its own."""
    if not is_dataclass(kind) or issubclass(kind, GridBoard | ZoneBoard):
        return ()
    hints = get_type_hints(kind)
    return tuple(name for name in field_names(kind) if hints[name] not in _PLACELESS)


def _with_cells(value: object, cell: Cell) -> object:
    if isinstance(value, Hex):
        return cell(*value)
    if type(value) is tuple:
        return tuple([_with_cells(item, cell) for item in value])
    if isinstance(value, dict):
        return {key: _with_cells(item, cell) for key, item in value.items()}
    names = () if type(value) in _PLAIN else _fields_with_places(type(value))
    return with_fields(value, {name: _with_cells(getattr(value, name), cell) for name in names}) if names else value
