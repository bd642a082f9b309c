"""The command line: a command, its combatants and its other fields, with completion. Each word is read as a value."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from difflib import get_close_matches
from inspect import getdoc
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

from fightcall.flows.base import CANCELLED, IGNORED, STAY, TYPES_A_SPACE, Flow, Reply
from fightcall.flows.text_fields import line_text, typed_into
from fightcall.paint.prompt_bar import PromptView, TextLine
from fightcall.table import Give
from fightcall_engine.board.base import AnyBoard, Hex, Location
from fightcall_engine.board.kinds import grid_board, parse_place, zone_board
from fightcall_engine.kit.records import ids_called
from fightcall_engine.model.commands import NAMING_PEOPLE, Command, Join
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.model.values import frozen
from fightcall_engine.play.codec import Codec

NOTHING = ("none", "-")
_WHOLE = re.compile(r"-?[0-9]{1,15}")
_DECIMAL = re.compile(r"-?[0-9]{0,15}\.[0-9]{1,15}")
_SEVERAL = re.compile(r"(.*\S)\s+[xX*×]([0-9]{1,3})", re.DOTALL)
_FOR = re.compile(r"(?P<rest>.*?)\s*\bfor\s+(?P<rounds>[0-9]{1,3})(?:\s+\w+)?", re.DOTALL | re.IGNORECASE)
_OPENERS = {"[": "]", "{": "}"}

PLACES = ("at", "to", "path")
"""The fields that hold a place of the board; the last one holds several."""
REST = ("text", "note", "reason")
"""The fields that take all remaining words."""
TAB = "Tab completes"
ASKED = {"who": "whom", "amount": "how much", "at": "where", "text": "which words", "by": "who"}
"""What is asked for each field that is missing; any other one is "which" with its name, people are "whom"."""
_ENDS = re.compile(r"[.:;(]")


YES, NO = ("yes", "true", "on"), ("no", "false", "off")


@frozen
class Slot:
    """A field of a command that a word can fill: with one of `kinds` without None, with `many`, or with `words`."""

    name: str
    kinds: tuple[object, ...]
    optional: bool
    many: bool
    needed: bool
    words: bool = False


def slots_of(kind: type[Command]) -> tuple[Slot, ...]:
    """The fields of a command in order, except `force` and `alike`, which have words of their own."""
    hints = get_type_hints(kind)
    slots = []
    for item in fields(kind):
        if item.name in ("force", "alike"):
            continue
        hint = hints[item.name]
        parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        kinds = tuple(
            (str if get_origin(part) is Literal else get_origin(part) or part) for part in parts if part is not NoneType
        )
        is_required = item.default is MISSING and item.default_factory is MISSING
        words = any(part == tuple[str, ...] for part in parts)
        slots.append(Slot(item.name, kinds, NoneType in parts, tuple in kinds, is_required, words))
    # Every command can have rolls, so they come last.
    return tuple(sorted(slots, key=lambda slot: slot.name == "rolls"))


def split(text: str) -> list[str]:
    """Split at spaces, but not in quotes and brackets; a ValueError if one is open. An apostrophe in a word is none."""
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
    """Read a word as the value of a field, places as those of the board; a ValueError says what is accepted."""
    plain = unquote(text)
    is_quoted = plain != text
    if slot.optional and plain.lower() in NOTHING and not is_quoted:
        return None
    if slot.name == "rolls":
        return _rolls(text)
    if text[:1] in _OPENERS and not {str, Hex}.intersection(slot.kinds):
        return _json(text)
    if slot.words:
        return plain.replace(",", " ").split()
    if slot.many:
        return [_place(part, board) for part in plain.split(",") if part]
    if Hex in slot.kinds:
        return _place(plain, board)
    if len(slot.kinds) == 1 and str in slot.kinds:
        return plain
    if str in slot.kinds:
        value = plain if is_quoted else value_of(plain)
        return value if type(value) in slot.kinds else plain
    return _number_or_truth(slot, plain)


def _number_or_truth(slot: Slot, text: str) -> Json:
    if bool in slot.kinds:
        if text.lower() in (*YES, *NO):
            return text.lower() in YES
        raise ValueError(f"{slot.name}: {text!r} is not accepted; accepted: yes or no")
    if int in slot.kinds and _WHOLE.fullmatch(text):
        return int(text)
    if float in slot.kinds and (_WHOLE.fullmatch(text) or _DECIMAL.fullmatch(text)):
        return float(text)
    if int in slot.kinds or float in slot.kinds:
        whole = "a whole number" if int in slot.kinds else "a number"
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


# The command line


FORCE, ALIKE = "!", "&"


class CommandLineFlow(Flow):
    """``:damage 2 7``, ``:set ash hp 5``, ``:move ash to=F5``, ``:strike ash orc hit=yes damage=d6``.

    Words fill the command's fields in order; ``field=value`` fills one by name. A separate ``!`` at the end forces the
    command, a ``&`` gives it to all identical squad members. A command can be abbreviated, a combatant is named by
    label, id or the beginning of the name.

    Args:
        past: earlier lines to recall, oldest first.
    """

    is_typing = True
    call_words = TYPES_A_SPACE

    def __init__(self, state: FightState, codec: Codec, past: Sequence[str] = ()) -> None:
        self._state, self._codec, self._past = state, codec, tuple(past)
        self._kinds: dict[str, type[Command]] = codec.command_kinds
        self._line, self._back, self._draft = TextLine(), len(self._past), ""
        self._completing: tuple[str, ...] = ()
        self._stem, self._at = "", 0

    @property
    def text(self) -> str:
        return self._line.text

    # Showing

    def view(self) -> PromptView:
        words = self._completions()
        completion = words[self._at] if self._completing and words else ""
        return PromptView(
            question=":",
            choices=tuple(("", word) for word in words),
            typed=line_text(self._line),
            hint=self._usage(),
            error=self._error,
            default=completion,
            remarks=tuple(map(self._remark, words)),
            stands_upright=True,
        )

    def _remark(self, word: str) -> str:
        if self._completing or " " not in self.text:
            kind: type | None = self._kinds.get(word)
            if kind is not None:
                return _ENDS.split(getdoc(kind) or "", maxsplit=1)[0].strip().replace("`", "")
        combatant = self._state.combatants.get(word)
        return combatant.name if combatant is not None else ""

    def _usage(self) -> str:
        try:
            name = self._name(self.text.split()[0]) if self.text.split() else ""
        except ValueError as unknown:
            # Completions of the last word are shown in the list.
            return TAB if self._completions() else str(unknown)
        if not name:
            return f"a command; {TAB}"
        slots = [slot for slot in self._free(name) if slot.name != "rolls"]
        return " ".join([name, *(slot.name if slot.needed else f"[{slot.name}]" for slot in slots)])

    # Keys

    def press(self, key: str) -> Reply:
        self._error = ""
        if key == "escape":
            return CANCELLED
        if key == "enter":
            return self._enter()
        if key in ("tab", "shift+tab"):
            self._complete(1 if key == "tab" else -1)
        elif key in ("up", "down"):
            self._recall(1 if key == "down" else -1)
        elif key == "backspace" and not self.text:
            return CANCELLED
        else:
            line = typed_into(self._line, key)
            if line is None:
                return IGNORED
            self._line, self._completing = line, ()
        return STAY

    def _recall(self, by: int) -> None:
        if self._back + by > len(self._past):
            self._complete(by)
            return
        if self._back == len(self._past):
            self._draft = self.text
        self._back = max(0, self._back + by)
        text = self._past[self._back] if self._back < len(self._past) else self._draft
        self._line, self._completing = TextLine.of(text), ()

    def _enter(self) -> Reply:
        if not self.text.strip(f" {FORCE}"):
            return CANCELLED
        try:
            give = self.read(self.text)
            self._require_all(give)
            return give
        except ValueError as error:
            return self.complain(str(error))

    def point(self, place: Location) -> Reply:
        if self._state.board is not None:
            self._write(quote_value(self._state.board.name_of(place)))
        return STAY

    def pick(self, combatant_id: str) -> Reply:
        self._write(combatant_id)
        return STAY

    def _write(self, word: str) -> None:
        before = self.text[: self._line.cursor]
        gap = "" if not before or before[-1] in " =," else " "
        self._line, self._completing = self._line.insert(f"{gap}{word} "), ()

    # Reading

    def read(self, text: str) -> Give:
        """Read a line as a command; a ValueError says what is wrong with it, and what would be accepted."""
        words = split(text)
        values: list[str] = []
        while len(words) > 1 and words[-1] in (FORCE, ALIKE):
            values.append(words.pop())
        name = self._name(words[0])
        free = list(self._free(name))
        data: dict[str, Json] = dict(self._codec.fixed_fields(name))
        loose: list[str] = []
        for word in words[1:]:
            field, equals, value = word.partition("=")
            slot = next((slot for slot in slots_of(self._kinds[name]) if equals and slot.name == field), None)
            if slot is None:
                loose.append(word)
                continue
            data[slot.name] = self._value(slot, value)
            free = [other for other in free if other.name != slot.name]
        self._fill(data, [slot for slot in free if slot.name != "rolls"], loose, name)
        if self._kinds[name] is Join and isinstance(data.get("name"), str) and "count" not in data:
            name_alone, count = name_and_count(str(data["name"]))
            data |= {"name": name_alone, "count": count} if count != 1 else {}
        return Give(self._kinds[name].__name__, data, FORCE in values, ALIKE in values)

    def _require_all(self, give: Give) -> None:
        name = self._name(split(self.text)[0])
        needed_slots = [slot for slot in self._free(name) if slot.needed]
        asked = [
            ASKED.get(slot.name, "whom" if slot.name in NAMING_PEOPLE else f"which {slot.name}")
            for slot in needed_slots
            if slot.name not in give.data
        ]
        if asked:
            example = " ".join([f":{name}", *map(self._example_of, needed_slots)])
            raise ValueError(f"{name}: {' and '.join(asked)}? such as {example}")

    def _example_of(self, slot: Slot) -> str:
        if slot.name in NAMING_PEOPLE:
            return next((combatant.label for combatant in self._state.combatants.values()), "...")
        if int in slot.kinds or float in slot.kinds:
            return "3"
        return next(iter(self._list_words(slot.name)), "...")

    def _free(self, name: str) -> tuple[Slot, ...]:
        """The fields that the command's name does not set."""
        fixed_fields = self._codec.fixed_fields(name)
        return tuple(slot for slot in slots_of(self._kinds[name]) if slot.name not in fixed_fields)

    def _name(self, word: str) -> str:
        """The name of the command that a word stands for: itself, or the only one that begins so."""
        low = "".join(letter for letter in word.lower() if letter.isalnum())
        if low in self._kinds:
            return low
        matches = [name for name in self._kinds if low and name.startswith(low)]
        if len({(self._kinds[name], *self._codec.fixed_fields(name).items()) for name in matches}) == 1:
            return matches[0]
        near = matches or get_close_matches(low, self._kinds, 3, 0.6)
        accepts = f"accepted: {', '.join(near)}" if near else TAB
        raise ValueError(f"{'several commands begin with' if matches else 'no command'} {word!r}; {accepts}")

    def _fill(self, data: dict[str, Json], free: list[Slot], loose: Sequence[str], name: str) -> None:
        words = list(loose)
        while words:
            slot = self._next_slot(free, words[0])
            if slot is None:
                slot_names = ", ".join(slot.name for slot in self._free(name) if slot.name != "rolls") or "nothing"
                raise ValueError(f"{words[0]!r} is one too many; {name} takes {slot_names}")
            if slot.name in REST:
                data[slot.name] = unquote(words[0]) if len(words) == 1 else " ".join(words)
                return
            data[slot.name] = self._value(slot, words.pop(0))
            free.remove(slot)

    def _next_slot(self, free: Sequence[Slot], word: str) -> Slot | None:
        """The field for a word: the first free one, but a label fills ``who`` first, and a choice ``choice``."""
        if not free or free[0].name in REST:
            return free[0] if free else None
        by_name = {slot.name: slot for slot in free}
        first = free[0]
        if "who" in by_name and first.name not in NAMING_PEOPLE and self._exactly(unquote(word)):
            return by_name["who"]
        sides = {combatant.side for combatant in self._state.combatants.values()}
        if first.name == "who" and "side" in by_name and word in sides and not self._exactly(word):
            return by_name["side"]
        if first.name == "prompt" and self._state.prompt(unquote(word)) is None and len(free) > 1:
            return free[1]
        return first

    def _value(self, slot: Slot, text: str) -> Json:
        if slot.name in NAMING_PEOPLE and unquote(text):
            return self._person(unquote(text), side_too=slot.name == "by")
        return read_word(slot, text, self._state.board)

    def _exactly(self, word: str) -> str:
        return next(iter(ids_called(self._state, word)), "")

    def _person(self, word: str, *, side_too: bool) -> str:
        people = self._state.combatants.values()
        exact = self._exactly(word)
        if exact or (side_too and any(combatant.side == word for combatant in people)):
            return exact or word
        low = word.lower()
        matches = [
            combatant for combatant in people if combatant.name.lower().startswith(low) or combatant.id.startswith(low)
        ]
        if len(matches) == 1:
            return matches[0].id
        accepts = ", ".join(f"{combatant.label} {combatant.name}" for combatant in (matches or people))
        raise ValueError(f"{word!r} {'matches several' if matches else 'is not in this fight'}; accepted: {accepts}")

    # Completion

    def _complete(self, by: int) -> None:
        if not self._completing:
            self._stem = self.text[: self.text.rfind(" ") + 1]
            self._at = -1 if by > 0 else 0
            self._completing = self._completions()
        if self._completing:
            self._at = (self._at + by) % len(self._completing)
            word = self._completing[self._at]
            self._line = TextLine.of(f"{self._stem}{word}{'' if word.endswith('=') else ' '}")

    def _completions(self) -> tuple[str, ...]:
        if self._completing:
            return self._completing
        start, _, last = self.text.rpartition(" ")
        if not start.strip():
            return tuple(name for name in self._kinds if _begins(name, last))
        try:
            name = self._name(start.split()[0])
        except ValueError:
            return ()
        field, equals, value = last.partition("=")
        if equals:
            return tuple(f"{field}={word}" for word in self._list_words(field) if _begins(word, value))
        slots = self._free(name)
        possible_words = (word for slot in slots for word in self._list_words(slot.name))
        words = list(possible_words) if last else self._next_known(name, start)
        names = [f"{slot.name}=" for slot in slots]
        return tuple(dict.fromkeys(word for word in (*words, *names) if _begins(word, last)))

    def _next_known(self, name: str, start: str) -> Iterable[str]:
        try:
            give = self.read(start)
        except ValueError:
            return ()
        free = [slot for slot in self._free(name) if slot.name not in give.data]
        return self._list_words(free[0].name) if free else ()

    def _list_words(self, field: str) -> Iterable[str]:
        people = self._state.combatants.values()
        if field in NAMING_PEOPLE:
            return (quote_value(combatant_id) for combatant_id in self._state.combatants)
        if field in PLACES:
            # Zone names are worth listing; a grid has too many cells.
            zones = zone_board(self._state.board)
            return tuple(quote_value(name) for name in zones.places()) if zones is not None else ()
        if field == "setting":
            return tuple(self._state.settings)
        if field == "side":
            return dict.fromkeys(combatant.side for combatant in people)
        if field == "effect":
            return dict.fromkeys(quote_value(effect.name) for combatant in people for effect in combatant.effects)
        if field == "what":
            pools = (word for combatant in people for pool in combatant.pools for word in (pool, f"max:{pool}"))
            traits = (trait for combatant in people for trait in combatant.values)
            return dict.fromkeys(("clock_s", *pools, "name", "side", "able", "hidden", *traits))
        if field == "prompt":
            return (prompt.id for prompt in self._state.prompts)
        if field == "choice":
            return dict.fromkeys(choice.id for prompt in self._state.prompts for choice in prompt.choices)
        return ()


def _begins(word: str, start: str) -> bool:
    return word.lower().lstrip('"').startswith(start.lower().lstrip('"')) and word != start
