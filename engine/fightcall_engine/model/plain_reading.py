"""Plain JSON data into the engine's dataclasses without pydantic, where the data is exactly what the types say.

Everything the program itself has written is. Anything else, such as a number in quotes or an unknown field, raises
`NotPlain` and is left to pydantic, which converts what it can and reports the rest. Importing pydantic and building its
first reader takes longer than everything else in opening a fight.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

from fightcall_engine.model.values import required_fields

Reader = Callable[[object], object]
"""Makes a value of one type; raises `NotPlain` where the data is not exactly that."""

_READERS: dict[object, Reader] = {}
_FRACTION = re.compile(r"-?[0-9]{1,15}(/[1-9][0-9]{0,14})?")
_NUMBERS_AND_FLAGS = (int, bool, NoneType)
_LARGEST_EXACT = 2**53
"""The largest whole number up to which a decimal holds each exactly."""


class NotPlain(Exception):
    """The data is not exactly what the type says, or the type is not supported here."""


def read_plain(hint: object, data: object) -> object:
    """A value of a type from plain JSON data.

    Raises:
        NotPlain: pydantic must look at it.
    """
    return _reader_of(hint)(data)


def _reader_of(hint: object) -> Reader:
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
        return _as_it_is
    if hint is str:
        return _text
    if hint is float:
        return _decimal
    if isinstance(hint, type) and hint in _NUMBERS_AND_FLAGS:
        return _exactly(hint)
    if hint is Fraction:
        return _fraction
    if origin in (Union, UnionType):
        return _one_of(tuple(map(_reader_of, parts)))
    if origin is Literal:
        return _word_of(parts)
    if origin in (dict, Mapping):
        return _mapping(*map(_reader_of, parts))
    if origin is tuple:
        return _tuple(parts)
    if isinstance(hint, type) and is_dataclass(hint):
        return _record(hint)
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return _named_tuple(cast("type[NamedTuple]", hint))
    return _never


def _as_it_is(data: object) -> object:
    return data


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
        entry = _reader_of(parts[0])
        return lambda data: tuple([entry(item) for item in _items(data)])
    readers = tuple(map(_reader_of, parts))
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
    readers = tuple(_reader_of(hints[name]) for name in kind._fields)
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
            readers.update(_field_readers(kind))
            required_names.update(required_fields(kind))
        if not (required_names <= data.keys() <= readers.keys()):
            raise NotPlain
        values: dict[str, Any] = {name: readers[name](value) for name, value in data.items()}
        try:
            return make(**values)
        except (ValueError, TypeError):  # A check of its own, whose words pydantic passes on.
            raise NotPlain from None

    return read


def _field_readers(kind: type) -> dict[str, Reader]:
    if not all(item.init for item in fields(kind)):
        raise NotPlain
    hints = get_type_hints(kind, include_extras=True)
    return {item.name: _reader_of(hints[item.name]) for item in fields(kind)}
