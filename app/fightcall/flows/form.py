"""A form being filled in: fields made from a JSON Schema, a cursor, and what is wrong. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise

from fightcall.flows.schema_fields import Field, ListPlace, Path, Schema, flatten, text_of, value_of
from fightcall.flows.text_line import TextLine
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen

MOST_TABLES = 40
_EMPTY = TextLine()


@frozen
class Form:
    """The fields of a form, with the text typed into them. Make one with `make_form`.

    Attributes:
        lines: the text of each field that is not empty.
        counts: the number of tables in each list of tables.
        cursor: the index of the current field.
        errors: the errors of fields at the last check.
    """

    schema: Schema
    fields: tuple[Field, ...]
    lists: tuple[ListPlace, ...]
    lines: Mapping[Path, TextLine] = field(default_factory=dict)
    counts: Mapping[Path, int] = field(default_factory=dict)
    cursor: int = 0
    errors: Mapping[Path, str] = field(default_factory=dict)

    @property
    def here(self) -> Field:
        """The current field."""
        return self.fields[self.cursor]

    def text(self, slot: Field) -> str:
        """The text of a field; for a list of tables, their number."""
        if slot.kind == "tables":
            return str(self.counts.get(slot.path, 0))
        return self.lines.get(slot.path, _EMPTY).text

    def value_text(self, slot: Field) -> str:
        """The effective text of a field: what was typed, else its default; one of the choices if it has any."""
        must = slot.choices[0] if slot.required and slot.choices else ""
        return self.text(slot) or slot.default or must

    # Going about

    def move(self, by: int) -> Form:
        """Move to another field, wrapping around."""
        return replace(self, cursor=(self.cursor + by) % len(self.fields))

    def at(self, path: Path) -> Form:
        """Move to the field with a path, or with the nearest path above it."""
        for cut in range(len(path), 0, -1):
            for index, slot in enumerate(self.fields):
                if slot.path[:cut] == path[:cut]:
                    return replace(self, cursor=index)
        return self

    # Filling in

    def press(self, key: str, character: str | None) -> Form | None:
        """The form after a key for the field; None if the key means nothing there."""
        slot = self.here
        if slot.kind == "tables":
            return self.add_table() if key in ("right", "space") or character == "+" else None
        if slot.kind == "choice":
            if key in ("left", "right", "space"):
                return self.cycle(-1 if key == "left" else 1)
            if key in ("backspace", "delete"):
                return self._replace_line(_EMPTY)
            return self._pick(character)
        line = self.lines.get(slot.path, _EMPTY).press(key, character)
        return None if line is None else self._replace_line(line)

    def insert(self, text: str) -> Form:
        """Paste text into the current field."""
        if self.here.kind in ("choice", "tables"):
            return self
        return self._replace_line(self.lines.get(self.here.path, _EMPTY).insert(text))

    def cycle(self, by: int) -> Form:
        """Switch the current field to its next or previous value."""
        choices = self.here.choices
        if not choices:
            return self
        text = self.value_text(self.here)
        start = choices.index(text) if text in choices else -1 if by > 0 else 0
        return self._replace_line(TextLine.of(choices[(start + by) % len(choices)]))

    def _pick(self, character: str | None) -> Form | None:
        """Switch to the next value that begins with a letter."""
        if character is None or not character.isalnum():
            return None
        form = self
        for _ in self.here.choices:
            form = form.cycle(1)
            if form.text(form.here).startswith(character):
                return form
        return None

    def _replace_line(self, line: TextLine) -> Form:
        path = self.here.path
        lines = {**self.lines, path: line}
        errors = {where: what for where, what in self.errors.items() if where != path}
        return replace(self, lines=lines, errors=errors)

    # Lists of tables

    def list_here(self) -> ListPlace | None:
        """The list of tables around the current field, else the first one."""
        inside = (place for place in self.lists if self.here.path[: len(place.path)] == place.path)
        return next(inside, self.lists[0] if self.lists else None)

    def add_table(self) -> Form:
        """Add a table at the end of the list, and move to its first field."""
        place = self.list_here()
        if place is None or place.count >= MOST_TABLES:
            return self
        form = self._recount({**self.counts, place.path: place.count + 1})
        table = (*place.path, place.count)
        inside = (index for index, slot in enumerate(form.fields) if slot.path[: len(table)] == table)
        return replace(form, cursor=next(inside, form.cursor))

    def remove_table(self) -> Form:
        """Remove the table around the current field."""
        place = self.list_here()
        here = self.here.path
        if place is None or here[: len(place.path)] != place.path or len(here) == len(place.path):
            return self
        at, number = len(place.path), here[len(place.path)]
        lines: dict[Path, TextLine] = {}
        for path, line in self.lines.items():
            inside = path[:at] == place.path and len(path) > at
            row = path[at] if inside else -1
            if not isinstance(row, int) or not isinstance(number, int) or row == number:
                if not inside:
                    lines[path] = line
                continue
            new_row = row - 1 if inside and row > number else row
            lines[(*path[:at], new_row, *path[at + 1 :]) if inside else path] = line
        form = replace(self, lines=lines, errors={})._recount({**self.counts, place.path: place.count - 1})
        return replace(form, cursor=min(self.cursor, len(form.fields) - 1))

    def _recount(self, counts: Mapping[Path, int]) -> Form:
        fields, lists = flatten(self.schema, counts)
        return replace(self, fields=fields, lists=lists, counts=counts)

    # Done

    def data(self) -> tuple[dict[str, Json], dict[Path, str]]:
        """The values, without empty fields, and the errors of texts that are no value."""
        values: dict[str, Json] = {}
        errors: dict[Path, str] = {}
        for place in self.lists:
            _set_value(values, place.path, [{} for _ in range(place.count)])
        for slot in self.fields:
            if slot.kind == "tables":
                continue
            try:
                value = value_of(slot, self.value_text(slot) if slot.required else self.text(slot))
            except ValueError as error:
                errors[slot.path] = str(error)
                continue
            if value is not None:
                _set_value(values, slot.path, value)
            elif slot.required:
                errors[slot.path] = "is required"
        return values, errors

    def with_errors(self, errors: Mapping[Path, str]) -> Form:
        """The form with errors shown at their fields, and the cursor in the first of these."""
        fields_by_path = {slot.path: slot for slot in self.fields}
        errors_by_path: dict[Path, str] = {}
        for path, message in errors.items():
            # An error of a whole table, or of a field that is not in this form, is shown at the nearest field.
            field_path = path if path in fields_by_path else self.at(path).here.path
            errors_by_path.setdefault(field_path, message)
        form = replace(self, errors=errors_by_path)
        first = next((slot.path for slot in self.fields if slot.path in errors_by_path), None)
        return form.at(first) if first is not None else form


def make_form(schema: Schema, data: Mapping[str, Json]) -> Form:
    """A form for a JSON Schema, filled in with data."""
    counts: dict[Path, int] = {}
    while True:
        fields, lists = flatten(schema, counts)
        lengths = {place.path: len(rows) for place in lists if isinstance(rows := _get(data, place.path), list | tuple)}
        if lengths == {path: counts.get(path, 0) for path in lengths}:
            break
        counts |= lengths
    lines = {slot.path: TextLine.of(text) for slot in fields if (text := text_of(slot, _get(data, slot.path)))}
    return Form(schema, fields, lists, lines, counts)


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
    """Set a value at a path. Tables of lists on the way must exist."""
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
