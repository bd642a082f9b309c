"""The words of the command line: splitting a line, and reading each word as a value of its field."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.hexes import Hex, parse_place
from fightcall_engine.board.kinds import grid_board, zone_board
from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen

YES, NO = ("yes", "true", "on"), ("no", "false", "off")
NOTHING = ("none", "-")
_WHOLE = re.compile(r"-?[0-9]{1,15}")
_DECIMAL = re.compile(r"-?[0-9]{0,15}\.[0-9]{1,15}")
_SEVERAL = re.compile(r"(.*\S)\s+[xX*×]([0-9]{1,3})", re.DOTALL)
_FOR = re.compile(r"(?P<rest>.*?)\s*\bfor\s+(?P<rounds>[0-9]{1,3})(?:\s+\w+)?", re.DOTALL | re.IGNORECASE)
_OPENERS = {"[": "]", "{": "}"}


@frozen
class Slot:
    """One field of a command that a word can fill.

    Attributes:
        kinds: the Python types it accepts, without None.
        optional: it accepts None.
        many: it takes several places or words, separated by commas.
        needed: it is required.
        words: it takes several words, such as ids.
    """

    name: str
    kinds: tuple[object, ...]
    optional: bool
    many: bool
    needed: bool
    words: bool = False

    def takes(self, kind: object) -> bool:
        """Whether it accepts a value of this type."""
        return kind in self.kinds


def slots_of(kind: type[Command]) -> tuple[Slot, ...]:
    """The fields of a command in order, except `force` and `alike`, which have words of their own."""
    hints = get_type_hints(kind)
    slots = []
    for item in fields(kind):
        if item.name in ("force", "alike"):
            continue
        hint = hints[item.name]
        parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        kinds = tuple(_plain_kind(part) for part in parts if part is not NoneType)
        is_required = item.default is MISSING and item.default_factory is MISSING
        words = any(part == tuple[str, ...] for part in parts)
        slots.append(Slot(item.name, kinds, NoneType in parts, tuple in kinds, is_required, words))
    # Every command can have rolls, so they come last.
    return tuple(sorted(slots, key=lambda slot: slot.name == "rolls"))


def _plain_kind(hint: object) -> object:
    """The type of a value: a word for one of a few, and the class of a container."""
    return str if get_origin(hint) is Literal else get_origin(hint) or hint


def split(text: str) -> list[str]:
    """Split a line at spaces. Quotes and brackets keep words together; an apostrophe inside a word is no quote.

    Raises:
        ValueError: a quote or a bracket is not closed.
    """
    words: list[str] = []
    word, closers, quote, is_escaped = "", "", "", False
    for before, letter in zip(" " + text, text, strict=False):
        if quote:
            quote = "" if letter == quote and not is_escaped else quote
            is_escaped = letter == "\\" and quote == '"' and not is_escaped
        elif letter in "\"'" and (closers or before in " ="):
            quote = letter if not closers or letter == '"' else ""
        elif letter in _OPENERS and (closers or not word or word.endswith("=")):
            closers += _OPENERS[letter]
        elif closers and letter == closers[-1]:
            closers = closers[:-1]
        elif letter == " " and not closers:
            words += [word] if word else []
            word = ""
            continue
        word += letter
    if quote or closers:
        raise ValueError(f"add {quote or closers[-1]} at the end")
    return [*words, word] if word else words


def unquote(text: str) -> str:
    """A word without its quotes. In double quotes, JSON escapes are decoded."""
    if len(text) < 2 or text[0] != text[-1] or text[0] not in "\"'":
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        return text[1:-1]


def value_of(text: str) -> Json:
    """A word as a value by itself: a number, a boolean, None, or the word."""
    low = text.lower()
    if low in YES or low in NO:
        return low in YES
    if low in NOTHING:
        return None
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text


def read_word(slot: Slot, text: str, board: AnyBoard | None = None) -> Json:
    """Read a word as the value of a field. Places are those of the board.

    Raises:
        ValueError: the field does not accept it; says what it accepts.
    """
    plain = unquote(text)
    is_quoted = plain != text
    if slot.optional and plain.lower() in NOTHING and not is_quoted:
        return None
    if slot.name == "rolls":
        return _rolls(text)
    if text[:1] in _OPENERS and not (slot.takes(str) or slot.takes(Hex)):
        return _json(text)
    if slot.words:
        return plain.replace(",", " ").split()
    if slot.many:
        return [_place(part, board) for part in plain.split(",") if part]
    if slot.takes(Hex):
        return _place(plain, board)
    if len(slot.kinds) == 1 and slot.takes(str):
        return plain
    if slot.takes(str):
        value = plain if is_quoted else value_of(plain)
        return value if type(value) in slot.kinds else plain
    return _number_or_truth(slot, plain)


def _number_or_truth(slot: Slot, text: str) -> Json:
    if slot.takes(bool):
        if text.lower() in (*YES, *NO):
            return text.lower() in YES
        raise ValueError(f"{slot.name}: {text!r} is not accepted; accepted: yes or no")
    if slot.takes(int) and _WHOLE.fullmatch(text):
        return int(text)
    if slot.takes(float) and (_WHOLE.fullmatch(text) or _DECIMAL.fullmatch(text)):
        return float(text)
    if slot.takes(int) or slot.takes(float):
        whole = "a whole number" if slot.takes(int) else "a number"
        raise ValueError(f"{slot.name}: {text!r} is not accepted; accepted: {whole}")
    raise ValueError(f'{slot.name}: {text!r} is not accepted; accepted: JSON, such as {{"hp": 7}}')


def _place(text: str, board: AnyBoard | None) -> Json:
    if zone_board(board) is not None and board is not None:
        return as_data(board.parse(text))
    pair = re.fullmatch(r"\[?(-?[0-9]{1,4}),(-?[0-9]{1,4})\]?", text)
    if pair:
        return [int(pair[1]), int(pair[2])]
    grid = grid_board(board)
    return as_data(grid.place_called(text) if grid is not None else parse_place(text))


def as_data(place: Location) -> Json:
    """A place as plain data: a zone's name, or the two numbers of a hex or a square."""
    return place if isinstance(place, str) else list(place)


def _json(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{text} is not JSON: {error}") from error
    return value


def _rolls(text: str) -> Json:
    """``attack:12,damage:3+4``, or JSON."""
    if text[:1] == "{":
        return _json(text)
    rolls: dict[str, Json] = {}
    for part in text.split(","):
        purpose, colon, faces = part.partition(":")
        words = faces.split("+")
        if not (colon and purpose and all(word.isascii() and word.isdecimal() for word in words)):
            raise ValueError(f"rolls: {part!r} is not accepted; accepted: attack:12,damage:3+4")
        rolls[purpose] = [int(word) for word in words]
    return rolls


def quote_value(value: object) -> str:
    """A value as a word of the command line that reads back as the same value."""
    if value is None:
        return NOTHING[0]
    if isinstance(value, bool):
        return YES[0] if value else NO[0]
    if isinstance(value, Mapping | list | tuple):
        return json.dumps(value, ensure_ascii=False)
    if not isinstance(value, str):
        return str(value)
    plain = re.fullmatch(r"[\w:.+-]+", value) and value_of(value) == value
    return value if plain else json.dumps(value, ensure_ascii=False)


def next_name(used_names: Collection[str], stem: str) -> str:
    """The stem with the lowest free number."""
    number = 1 if stem not in used_names else 2
    while f"{stem} {number}" in used_names:
        number += 1
    return f"{stem} {number}"


def name_and_count(text: str) -> tuple[str, int]:
    """The name and the number of those who join: ``Goblin x3`` are three Goblins."""
    several = _SEVERAL.fullmatch(text)
    return (several[1], int(several[2])) if several else (text, 1)


def with_rounds(text: str) -> tuple[str, int | None]:
    """A typed text without its ending ``for 3``, and that number of rounds; None if it has none."""
    match = _FOR.fullmatch(text.strip())
    return (match["rest"].strip(), int(match["rounds"])) if match is not None else (text.strip(), None)
