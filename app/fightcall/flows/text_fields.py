"""Fields for typed text: words, numbers, amounts and conditions; and forms of several such texts from a JSON Schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from difflib import get_close_matches
from itertools import pairwise
from typing import Literal, TypeAlias, cast

from fightcall.flows.base import LONGEST_NUMBER, Field, Filled, TypedField, is_digit, next_in, read_faces, with_digit
from fightcall.paint.prompt_bar import PromptView, TextLine
from fightcall_engine.kit.agenda import MAKER
from fightcall_engine.model.dice import parse
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen, replace

SHOWN = 8
"""The most completions shown."""
RESEMBLANCE = 0.8
"""How alike a typed condition and a known one must be for the known one to be asked for; 1 is the same."""


def line_text(line: TextLine) -> str:
    """The line for the call bar, whose own cursor is always at the end; a cursor elsewhere is a stroke."""
    return line.text if line.cursor == len(line.text) else f"{line.text[: line.cursor]}|{line.text[line.cursor :]}"


def typed_into(line: TextLine, key: str) -> TextLine | None:
    """The line after a key; None if the key does not edit it."""
    if key == "space":
        return line.insert(" ")
    return line.press(key, key if len(key) == 1 else None)


def _match_words(names: Sequence[str], text: str) -> tuple[str, ...]:
    folded_text = text.lower()
    beginnings = tuple(name for name in names if name.lower().startswith(folded_text))
    within = (name for name in names if folded_text in name.lower()[1:] and name not in beginnings)
    return (*beginnings, *within) if folded_text else beginnings


@dataclass(eq=False)
class TextField(Field):
    """A line of text. Tab completes the suggestions; if `is_closed`, only they are accepted, by their beginning."""

    is_typing = reads_text = True
    types_spaces = True

    question: str
    _: KW_ONLY
    default: str = ""
    optional: bool = False
    suggestions: Sequence[str] = ()
    is_closed: bool = False
    left_open: str = "leave it open"

    _line: TextLine = field(default=TextLine(), init=False)
    _completing: tuple[str, ...] = field(default=(), init=False)

    @property
    def accepts(self) -> str:
        words = f"one of {', '.join(self.suggestions)}" if self.is_closed else "any words"
        return f"{words}, then Enter"

    def view(self) -> PromptView:
        hint = ", ".join(self._matches()[:SHOWN])
        default = self.default or (self.left_open if self.optional else "")
        if self._line.text:
            default = ""
        elif others := ", ".join([match for match in self._matches() if match != default][:SHOWN]):
            hint = f"Tab completes: {others}"
        else:
            hint = "" if default else "must not be empty"
        return PromptView(
            question=self.question, typed=line_text(self._line), hint=hint, error=self._error, default=default
        )

    def _matches(self) -> tuple[str, ...]:
        if self._completing:
            return self._completing
        words = self._line.text.lstrip().split(" ")
        # For several names in a row, such as the parts of a task, complete the longest ending that fits one.
        for start in range(1 if self.is_closed else len(words)):
            last = " ".join(words[start:]).rstrip()
            names = _match_words(self.suggestions, last) if last or not start else ()
            if names:
                return tuple(" ".join((*words[:start], name)) for name in names)
        return ()

    def press(self, key: str) -> Filled | bool:
        self._error = ""
        if key == "enter":
            return self._enter()
        if key in ("tab", "shift+tab"):
            self._complete(key)
            return True
        if key == "backspace" and not self._line.text:
            return False
        line = typed_into(self._line, key)
        if line is None:
            return False
        self._line, self._completing = line, ()
        return True

    def _complete(self, key: str) -> None:
        matches = self._matches()
        if matches:
            word = next_in(matches, self._line.text if self._completing else "", key)
            self._line, self._completing = TextLine.of(word), matches

    def _enter(self) -> Filled | bool:
        text = self._line.text.strip() or self.default
        if not text and not self.optional:
            return self.complain("write something")
        if self.is_closed and text and text not in self.suggestions:
            beginnings = tuple(name for name in self.suggestions if name.lower().startswith(text.lower()))
            matches = beginnings if len(beginnings) == 1 else self._matches()
            if len(matches) != 1:
                accepted = matches or self.suggestions
                more = f" and {len(accepted) - SHOWN} more" if len(accepted) > SHOWN else ""
                accepts = ", ".join(accepted[:SHOWN]) + more
                problem = "matches several" if matches else "is not known"
                return self.complain(f"{text!r} {problem}; accepted: {accepts}")
            text = matches[0]
        return Filled(text or None)


@frozen
class _Typed:
    """A condition as far as it is typed. `is_others`: by the clock of a combatant other than the known maker."""

    name: str
    ends: bool = False
    rounds: int | None = None
    clock: str = ""
    ticks: str = ""
    is_others: bool = False
    amount: str = ""
    heals: bool = False


@dataclass(eq=False)
class ConditionField(TextField):
    """A condition and its rounds: ``st3`` stuns for three, and ``-st`` ends that. A quoted name is taken as it is.

    After the number, a letter may say whose clock counts, and another one at which moment: ``st3m``, ``st3bs``. After a
    space, a number or dice say what it does by itself: ``poison3 d4`` harms, ``regeneration3 +2`` heals.

    The value is a mapping: `name` and `rounds` (None: until ended) of a new condition, with `clock`, `ticks`, `amount`
    and `heals` if given; or `end`, the id of an effect to end. The suggestions can be abbreviated, most likely first.

    Args:
        present: (id, name) of the effects that can be ended.
        clocks: the ticks that can be counted, in words, by clock (``round``, ``bearer``, ``maker``) and by ``start`` or
            ``end``, the usual one of each first.
        maker: the name of the maker if it is clear; then ``M`` asks for another one's clock.
        harm: how often a condition can harm by itself, such as ``each turn``; empty for never.
        has_harm_dice: whether that harm may be dice.
        own: names of conditions that the rules know, which have no end unless a number is given.
        unit: what the system calls one of its rounds.
    """

    reads_text = False
    _HARMS = re.compile(r"(.*\S)\s+(\+?)([0-9]{0,3}d[0-9][0-9dkhl+-]*|[0-9]{1,4})", re.DOTALL | re.IGNORECASE)
    _BEGINS = re.compile(r"(.*?)\s*(?:([0-9]{1,4})([rbm]?)([se]?))?", re.DOTALL | re.IGNORECASE)

    _: KW_ONLY
    present: Sequence[tuple[str, str]] = ()
    clocks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    maker: str = ""
    harm: str = ""
    has_harm_dice: bool = True
    own: Sequence[str] = ()
    unit: str = "round"

    def __post_init__(self) -> None:
        self._lower_names = frozenset(name.lower() for name in self.suggestions)

    @property
    def accepts(self) -> str:
        return f"a name or its beginning, then the {self.unit}s it lasts, then Enter; a minus ends one"

    def view(self) -> PromptView:
        """The question, with what Enter would begin or end, and what else the letters may mean."""
        typed, effect_name, default = self._typed(), self._complete_name(), ""
        if typed.ends and effect_name:
            default = f"end {effect_name}"
        elif effect_name:
            does = f", {typed.amount} {'healing' if typed.heals else 'damage'} {self.harm}"
            does = does if typed.amount and self.harm else ""
            lasts = "" if effect_name in self.own and not does else " until ended"
            default = f"{effect_name}{f' for {self._lasts(typed, typed.rounds)}' if typed.rounds else lasts}{does}"
        hint = ", ".join([match for match in self._matches() if match != effect_name][:SHOWN])
        if effect_name and not typed.ends and effect_name not in self.suggestions:
            hint = f"{effect_name} is a new condition"
        if typed.rounds and sum(len(moments) for moments in self.clocks.values()) > 1:
            words = {clock[0]: clock for clock in self.clocks}
            words |= {"m": self.maker, "M": "another"} if self.maker and MAKER in self.clocks else {}
            letters = "  ".join(f"{letter} {word}" for letter, word in words.items())
            hint = f"then whose clock: {letters}   and when: s start  e end"
        if typed.name and not typed.ends and self.harm and not typed.amount:
            such_as = "d4" if self.has_harm_dice else "4"
            hint = "   ".join(filter(None, (hint, f"a space and {such_as}: damage {self.harm}, +2: healing")))
        if not self._line.text and self.suggestions:
            lasting = next((name for name in self.suggestions if name not in self.own), self.suggestions[0])
            hint = f"such as {lasting}3, for 3 {self.unit}s   {hint}"
        if not typed.name and not typed.ends and self.present:
            hint += f"  (-: end {', '.join(label for _, label in self.present[:SHOWN])})"
        error = self._error or self._harm_problem(typed)
        return PromptView(self.question, typed=line_text(self._line), hint=hint, error=error, default=default)

    def _lasts(self, typed: _Typed, rounds: int) -> str:
        """The duration in words: ``3 rounds``, ``3 (start of Orc's turn)``."""
        if not typed.clock and not typed.ticks:
            return f"{rounds} {self.unit}{'s' if rounds != 1 else ''}"
        if typed.is_others:
            return f"{rounds} by another's clock"
        moments = self.clocks[typed.clock or "round"]
        return f"{rounds} ({moments[typed.ticks] if typed.ticks else next(iter(moments.values()))})"

    def _typed(self) -> _Typed:
        text, amount, heals = self._split_amount()
        typed = _Typed(text, amount=amount, heals=heals)
        if text.startswith("-"):
            return _Typed(text[1:].strip(), ends=True)
        match = self._BEGINS.fullmatch(text)
        if match is None or text.lower() in self._lower_names:
            return typed  # A name may itself end in a number.
        name, rounds, whose, when = match.groups("")
        clock = next((clock for clock in self.clocks if whose and clock[0] == whose.lower()), "")
        moments = self.clocks.get(clock or "round", {}) if clock or not whose else {}
        ticks = next((moment for moment in moments if when and moment[0] == when.lower()), "")
        if (whose or when) and not (moments and bool(ticks) == bool(when)):
            return typed
        is_others = bool(self.maker) and whose == "M"
        count = int(rounds) if rounds else None
        return replace(typed, name=name, rounds=count, clock=clock, ticks=ticks, is_others=is_others)

    def _split_amount(self) -> tuple[str, str, bool]:
        """The text before an amount that it does by itself, that amount, and whether it heals."""
        text = self._line.text.strip()
        match = None if text.lower() in self._lower_names else self._HARMS.fullmatch(text)
        if match is None or text.startswith("-"):
            return text, "", False
        is_named = match[1].lower() in self._lower_names
        rounds = None if is_named else self._BEGINS.fullmatch(match[1])
        if match[3].isdecimal() and not match[2] and not (rounds and rounds[2]):
            # A number that comes first is the number of rounds.
            return text, "", False
        return match[1], match[3].lower(), bool(match[2])

    def _names(self) -> Sequence[str]:
        return [name for _, name in self.present] if self._typed().ends else self.suggestions

    def _matches(self) -> tuple[str, ...]:
        start = self._typed().name.lower()
        return tuple(dict.fromkeys(name for name in self._names() if name.lower().startswith(start)))

    def _complete_name(self) -> str:
        """The name that letters stand for: an exact one, else the first that begins so, else the letters."""
        typed = self._typed()
        name, first = typed.name, next(iter(self._matches()), "")
        if len(name) > 2 and name[0] == name[-1] == '"':
            return name[1:-1].strip()
        if not name:
            return first if typed.ends else ""
        exact = next((text for text in self._names() if text.lower() == name.lower()), "")
        return exact or first or ("" if typed.ends else name)

    def _complete(self, key: str) -> None:
        """Switch to the next name that the letters may mean, and finally to the letters themselves."""
        typed = self._typed()
        itself = [f'"{typed.name}"'] if typed.name and not typed.ends and typed.name[0] != '"' else []
        ring = self._completing or (*self._matches(), *itself)
        if ring:
            self._write(next_in(ring, typed.name if self._completing else "", key))
            self._completing = ring

    def _write(self, name: str) -> None:
        typed = self._typed()
        clock = "M" if typed.is_others else typed.clock[:1]
        does = f" {'+' if typed.heals else ''}{typed.amount}" if typed.amount else ""
        sign = "-" if typed.ends else ""
        self._line = TextLine.of(f"{sign}{name} {typed.rounds or ''}{clock}{typed.ticks[:1]}{does}")

    def _ask_back(self, name: str) -> bool:
        """Ask whether a known condition was meant by a name like it. False if there is none."""
        known = {text.lower(): text for text in self.suggestions}
        close = get_close_matches(name.lower(), known, n=1, cutoff=RESEMBLANCE)
        if not close or name.lower() in known:
            return False
        known_name = known[close[0]]
        self._write(known_name)
        self._completing = (known_name, f'"{name}"')
        return self.complain(f"{known_name}? Enter takes it; Tab: {name}, a new condition")

    def _enter(self) -> Filled | bool:
        typed, effect_name = self._typed(), self._complete_name()
        if typed.ends:
            return self._end(effect_name)
        if not any(letter.isalnum() for letter in effect_name):
            return self.complain(f"which condition? Type its beginning, then the {self.unit}s")
        if typed.rounds == 0:
            return self.complain(f"0 {self.unit}s; 1 or more, or none: until ended")
        if effect_name == typed.name and self._ask_back(typed.name):
            return True
        values: dict[str, Json] = {"name": effect_name, "rounds": typed.rounds}
        values |= {name: text for name, text in (("clock", typed.clock), ("ticks", typed.ticks)) if text}
        if typed.amount:
            try:
                values["amount"] = self._read_harm(typed)
            except ValueError as error:
                return self.complain(str(error))
            values |= {"heals": True} if typed.heals else {}
        is_clock_known = typed.clock != MAKER or (bool(self.maker) and not typed.is_others)
        return Filled(values, skip_rest=is_clock_known)

    def _harm_problem(self, typed: _Typed) -> str:
        is_wrong = typed.amount and not self.harm
        return f"no condition deals damage by itself here; leave out {typed.amount}" if is_wrong else ""

    def _read_harm(self, typed: _Typed) -> int | str:
        if problem := self._harm_problem(typed):
            raise ValueError(problem)
        amount = read_amount(typed.amount)
        if isinstance(amount, str) and not self.has_harm_dice:
            raise ValueError(f"{typed.amount} {self.harm}; accepted: a number, no dice")
        return amount

    def _end(self, effect_name: str) -> Filled | bool:
        effect_id = next((id for id, name in self.present if name == effect_name), None)
        if effect_id is None:
            accepts = ", ".join(name for _, name in self.present) or "there is none"
            return self.complain(f"no such condition to end; accepted: {accepts}")
        return Filled({"end": effect_id}, skip_rest=True)


@dataclass(eq=False)
class NumberField(TypedField):
    """A number, whole or with decimals; or the face of a die, which rejects digits that it cannot show."""

    _: KW_ONLY
    decimals: bool = False
    least: int | None = None
    left_open: str = "leave it open"
    expects: str = "a number"

    @property
    def accepts(self) -> str:
        open_words = f", or Enter to {self.left_open}" if self.optional and not self.default else ", then Enter"
        return f"{self.expects}{open_words}"

    def view(self) -> PromptView:
        is_open = self.optional and not self.default and not self._typed
        return replace(super().view(), default=self.left_open if is_open else self.default, hint=self.expects)

    def _typed_with(self, key: str) -> str | None:
        starts = key == "-" and not self._typed and not self.dice and (self.least is None or self.least < 0)
        goes_on = key == "." and self.decimals and "." not in self._typed
        is_typed = is_digit(key) or starts or goes_on
        return with_digit(self._typed, key, self.dice)[:LONGEST_NUMBER] if is_typed else None

    def _read(self) -> Filled:
        text = self._typed or self.default
        if not text:
            if self.optional:
                return Filled(None)
            raise ValueError(f"type {self.expects}")
        number = read_number(text)
        if self.dice:
            read_faces(text, self.dice)
        if self.least is not None and number < self.least:
            raise ValueError(f"{text} is not accepted; accepted: {self.least} or more")
        return Filled(number)


class AmountField(TypedField):
    """A number or dice; Enter takes the default."""

    @property
    def accepts(self) -> str:
        return f"a number, or dice such as {self.default or '2d6+1'}"

    def view(self) -> PromptView:
        return replace(super().view(), hint=self.accepts)

    def _typed_with(self, key: str) -> str | None:
        is_typed = is_amount_key(key, self._typed)
        return (self._typed + key.lower())[: 4 * LONGEST_NUMBER] if is_typed else None

    def _read(self) -> Filled:
        text = self._typed or self.default
        return Filled(None if not text and self.optional else read_amount(text))


def read_number(text: str) -> int | float:
    """Read a number, whole or with decimals; a ValueError says what is accepted."""
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        raise ValueError(f"{text} is not a number" if text else "type a number") from None


def is_amount_key(key: str, text: str) -> bool:
    """Whether a key continues a number or dice."""
    # A leading minus is accepted, so that a negative number is refused and not taken for a positive one.
    return is_digit(key) or (len(key) == 1 and (key in "dD-" or (bool(text) and key in "kKhHlL+")))


def read_amount(text: str) -> int | str:
    """Read a number, or dice; a ValueError says what is accepted."""
    if not text:
        raise ValueError("how much? A number, or dice such as 2d6+1")
    if text.startswith("-"):
        raise ValueError(f"{text} is below zero; accepted: a number, or dice such as 2d6+1")
    if text.isdecimal() and text.isascii():
        if len(text) > LONGEST_NUMBER:
            raise ValueError(f"{text} is too much; accepted: up to {LONGEST_NUMBER} digits")
        return int(text)
    parse(text)
    return text


# Forms. A list of tables becomes a group of fields for each table; a table becomes its fields


Path: TypeAlias = tuple[str | int, ...]
Schema: TypeAlias = Mapping[str, Json]
Kind = Literal["text", "choice", "list", "tables", "json"]

FLAGS = ("no", "yes")

MOST_TABLES = 40


@frozen
class FormLine:
    """A line of a form.

    Attributes:
        kind: how it is filled in; ``tables`` is a line that shows the number of tables in a list.
        types: the JSON types of its value, or of the values in a list.
        choices: the choices as shown, and `values` their values.
        default: its value if left empty, as text.
        group: its heading, such as ``strikes 2``.
    """

    path: Path
    label: str
    kind: Kind = "text"
    types: tuple[str, ...] = ("string",)
    choices: tuple[str, ...] = ()
    values: tuple[Json, ...] = ()
    default: str = ""
    hint: str = ""
    required: bool = False
    group: str = ""


def _fields_of(schema: Schema, counts: Mapping[Path, int]) -> tuple[FormLine, ...]:
    return tuple(_walk(schema, _defs(schema), (), "", counts))


def _defs(schema: Schema) -> dict[str, Schema]:
    definitions = dict(cast("Mapping[str, Schema]", schema.get("$defs", {})))
    for inner in _properties(schema).values():
        definitions |= _defs(inner)
    return definitions


def _properties(schema: Schema) -> Mapping[str, Schema]:
    return cast("Mapping[str, Schema]", schema.get("properties", {}))


def _walk(
    schema: Schema, defs: Mapping[str, Schema], path: Path, group: str, counts: Mapping[Path, int]
) -> Iterator[FormLine]:
    """The fields of a schema, given the number of tables in each list."""
    required_keys = cast("Sequence[str]", schema.get("required", ()))
    properties = {key: _resolve(property_schema, defs) for key, property_schema in _properties(schema).items()}
    # Lists come last: a field after them would seem to belong to their last table.
    for key, item in sorted(properties.items(), key=lambda pair: pair[1].get("type") == "array"):
        here = (*path, key)
        label = key.replace("_", " ")
        items = _resolve(cast(Schema, item.get("items", {})), defs)
        if item.get("type") == "object" and _properties(item):
            yield from _walk(item, defs, here, group, counts)
        elif item.get("type") == "array" and _properties(items):
            count = counts.get(here, 0)
            yield FormLine(here, "how many", "tables", ("array",), group=label)
            for number in range(count):
                yield from _walk(items, defs, (*here, number), f"{label} {number + 1}", counts)
        else:
            yield _field(item, items, here, label, group, key in required_keys)


def _resolve(schema: Schema, defs: Mapping[str, Schema]) -> Schema:
    reference = schema.get("$ref")
    return defs.get(reference.rpartition("/")[2], {}) if isinstance(reference, str) else schema


def _field(schema: Schema, items: Schema, path: Path, label: str, group: str, is_required: bool) -> FormLine:
    variants = cast("Sequence[Schema]", schema.get("anyOf", (schema,)))
    choices = [item for item in variants if item.get("type") != "null"]
    types = tuple(str(item["type"]) for item in choices if isinstance(item.get("type"), str))
    main = choices[0] if len(choices) == 1 else schema
    default = format_value(schema.get("default"))
    enum, alternatives = main.get("enum"), main.get("oneOf")
    if isinstance(alternatives, list):
        pairs = [(item["const"], str(item["title"])) for item in cast("Sequence[Mapping[str, Json]]", alternatives)]
        labels, values = tuple(title for _, title in pairs), tuple(const for const, _ in pairs)
        return FormLine(path, label, "choice", types, labels, values, default, "", is_required, group)
    if isinstance(enum, list):
        labels = tuple(map(format_value, enum))
        return FormLine(path, label, "choice", types, labels, tuple(enum), default, "", is_required, group)
    if types == ("boolean",):
        return FormLine(path, label, "choice", types, FLAGS, (False, True), default, "", is_required, group)
    if types == ("array",):
        inner = items.get("type")
        if isinstance(inner, str) and inner in ("string", "integer", "number"):
            return FormLine(path, label, "list", (inner,), (), (), default, "separated by commas", is_required, group)
    if types and set(types) <= {"string", "integer", "number"}:
        return FormLine(path, label, "text", types, (), (), default, _hint(choices), is_required, group)
    return FormLine(path, label, "json", types, (), (), default, "JSON", is_required, group)


def _hint(variants: Sequence[Schema]) -> str:
    words = {"integer": "a whole number", "number": "a number", "string": "text" if len(variants) > 1 else ""}
    parts = []
    for item in variants:
        low, high = item.get("minimum"), item.get("maximum")
        if low is not None and high is not None:
            parts.append(f"{low} to {high}")
        elif low is not None or item.get("exclusiveMinimum") is not None:
            parts.append(f"{low} or more" if low is not None else f"more than {item['exclusiveMinimum']}")
        else:
            parts.append(words.get(str(item.get("type")), ""))
    return " or ".join(part for part in parts if part)


# Between values and what is typed


def format_value(value: object) -> str:
    """A value as text."""
    if isinstance(value, bool):
        return FLAGS[value]
    if isinstance(value, list | tuple) and all(isinstance(item, str | int | float) for item in value):
        return ", ".join(map(format_value, value))
    if isinstance(value, str | int | float | None):
        return "" if value is None else str(value)
    return json.dumps(value, ensure_ascii=False)


def _text_of(field: FormLine, value: object) -> str:
    if field.kind == "choice" and value in field.values:
        return field.choices[field.values.index(value)]
    return format_value(value)


def value_of(field: FormLine, text: str) -> Json:
    """Read a field's text as a value, None if it is empty; a ValueError says what would be accepted."""
    text = text.strip()
    if not text:
        return None
    if field.kind == "choice":
        return field.values[field.choices.index(text)] if text in field.choices else None
    if field.kind == "list":
        return [_scalar(part.strip(), field.types) for part in text.split(",") if part.strip()]
    if field.kind == "json":
        try:
            return cast(Json, json.loads(text))
        except ValueError as error:
            raise ValueError(f"not JSON: {error}") from error
    return _scalar(text, field.types)


def _scalar(text: str, types: Sequence[str]) -> Json:
    for kind, read in (("integer", int), ("number", float), ("string", str)):
        if kind in types:
            with suppress(ValueError):
                return cast(Json, read(text))
    raise ValueError(f"{text[:40]!r} isn't a {'number' if 'number' in types else 'whole number'}")


# A form


@frozen
class Form:
    """The fields of a form, with the text of each that is not empty. Make one with `make_form`."""

    schema: Schema
    fields: tuple[FormLine, ...]
    texts: Mapping[Path, str] = field(default_factory=dict)
    counts: Mapping[Path, int] = field(default_factory=dict)
    errors: Mapping[Path, str] = field(default_factory=dict)

    def text(self, slot: FormLine) -> str:
        """The text of a field; for a list of tables, their number."""
        if slot.kind == "tables":
            return str(self.counts.get(slot.path, 0))
        return self.texts.get(slot.path, "")

    def nearest(self, path: Path) -> Path:
        """The path of the field with a path, or nearest to it; else of the first one."""
        for cut in range(len(path), 0, -1):
            for slot in self.fields:
                if slot.path[:cut] == path[:cut]:
                    return slot.path
        return self.fields[0].path

    # Lists of tables

    @property
    def lists(self) -> list[FormLine]:
        return [slot for slot in self.fields if slot.kind == "tables"]

    def list_at(self, path: Path) -> FormLine | None:
        """The list of tables around a field, else the first one."""
        inside = [slot for slot in self.lists if path[: len(slot.path)] == slot.path]
        return next(iter(inside or self.lists), None)

    def add_table(self, path: Path) -> tuple[Form, Path]:
        """Add a table at the end of the list around a field. Returns the form, and the table's first field."""
        place = self.list_at(path)
        count = self.counts.get(place.path, 0) if place is not None else 0
        if place is None or count >= MOST_TABLES:
            return self, path
        form = self._recount({**self.counts, place.path: count + 1})
        return form, form.nearest((*place.path, count))

    def remove_table(self, path: Path) -> Form:
        place = self.list_at(path)
        if place is None or path[: len(place.path)] != place.path or len(path) == len(place.path):
            return self
        at, number = len(place.path), path[len(place.path)]
        texts: dict[Path, str] = {}
        for each, text in self.texts.items():
            row = each[at] if each[:at] == place.path and len(each) > at else None
            if not isinstance(row, int) or not isinstance(number, int):
                texts[each] = text
            elif row != number:
                texts[(*each[:at], row - (row > number), *each[at + 1 :])] = text
        return replace(self, texts=texts, errors={})._recount({**self.counts, place.path: self.counts[place.path] - 1})

    def _recount(self, counts: Mapping[Path, int]) -> Form:
        return replace(self, fields=_fields_of(self.schema, counts), counts=counts)

    # Done

    def data(self) -> tuple[dict[str, Json], dict[Path, str]]:
        """The values, without empty fields, and the errors of texts that are no value."""
        values: dict[str, Json] = {}
        errors: dict[Path, str] = {}
        for place in self.lists:
            _set_value(values, place.path, [{} for _ in range(self.counts.get(place.path, 0))])
        for slot in self.fields:
            if slot.kind == "tables":
                continue
            try:
                # Of a choice that must be made, the one that is shown counts.
                shown = slot.default or next(iter(slot.choices), "") if slot.required else ""
                value = value_of(slot, self.text(slot) or shown)
            except ValueError as error:
                errors[slot.path] = str(error)
                continue
            if value is not None:
                _set_value(values, slot.path, value)
            elif slot.required:
                errors[slot.path] = "is required"
        return values, errors

    def with_errors(self, errors: Mapping[Path, str]) -> Form:
        """The form with errors at their fields; one of a whole table, or of no field, is at the nearest field."""
        placed: dict[Path, str] = {}
        for path, message in errors.items():
            placed.setdefault(self.nearest(path), message)
        return replace(self, errors={slot.path: placed[slot.path] for slot in self.fields if slot.path in placed})


def make_form(schema: Schema, data: Mapping[str, Json]) -> Form:
    """A form for a JSON Schema, filled in with data."""
    counts: dict[Path, int] = {}
    while True:
        fields = _fields_of(schema, counts)
        lists = ((slot.path, _get(data, slot.path)) for slot in fields if slot.kind == "tables")
        lengths = {path: len(rows) for path, rows in lists if isinstance(rows, list | tuple)}
        if lengths == {path: counts.get(path, 0) for path in lengths}:
            break
        counts |= lengths
    texts = {slot.path: text for slot in fields if (text := _text_of(slot, _get(data, slot.path)))}
    return Form(schema, fields, texts, counts)


def _get(data: object, path: Path) -> object:
    for key in path:
        if isinstance(data, Mapping):
            data = data.get(key)
        elif isinstance(data, list | tuple) and isinstance(key, int) and key < len(data):
            data = data[key]
        else:
            return None
    return data


def _set_value(data: dict[str, Json], path: Path, value: Json) -> None:
    here: object = data
    for key, after in pairwise(path):
        if isinstance(here, list) and isinstance(key, int):
            here = here[key]
        elif isinstance(here, dict):
            here = here.setdefault(key, [] if isinstance(after, int) else {})
    if isinstance(here, dict):
        here[path[-1]] = value


def error_places(problems: Sequence[str], prefix: Path = ()) -> dict[Path, str]:
    """Errors such as ``strikes.0.kind: unknown`` by the path at their beginning."""
    places: dict[Path, str] = {}
    for problem in problems:
        place, colon, message = problem.partition(": ")
        if not colon or " " in place:
            place, message = "", problem
        steps = [int(step) if step.isdecimal() else step for step in place.split(".") if step]
        places.setdefault((*prefix, *steps), message)
    return places
