"""A form: fields made from a JSON Schema, the texts in them, and what is wrong. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise

from fightcall.flows.schema_fields import Field, ListPlace, Path, Schema, flatten, text_of, value_of
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen

MOST_TABLES = 40


@frozen
class Form:
    """The fields of a form, with their texts. Make one with `make_form`.

    Attributes:
        texts: the text of each field that is not empty.
        counts: the number of tables in each list of tables.
        errors: the errors of fields at the last check.
    """

    schema: Schema
    fields: tuple[Field, ...]
    lists: tuple[ListPlace, ...]
    texts: Mapping[Path, str] = field(default_factory=dict)
    counts: Mapping[Path, int] = field(default_factory=dict)
    errors: Mapping[Path, str] = field(default_factory=dict)

    def text(self, slot: Field) -> str:
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

    def list_at(self, path: Path) -> ListPlace | None:
        """The list of tables around a field, else the first one."""
        inside = (place for place in self.lists if path[: len(place.path)] == place.path)
        return next(inside, self.lists[0] if self.lists else None)

    def add_table(self, path: Path) -> tuple[Form, Path]:
        """Add a table at the end of the list around a field. Returns the form, and the table's first field."""
        place = self.list_at(path)
        if place is None or place.count >= MOST_TABLES:
            return self, path
        form = self._recount({**self.counts, place.path: place.count + 1})
        return form, form.nearest((*place.path, place.count))

    def remove_table(self, path: Path) -> Form:
        """Remove the table around a field."""
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
        return replace(self, texts=texts, errors={})._recount({**self.counts, place.path: place.count - 1})

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
        fields, lists = flatten(schema, counts)
        lengths = {place.path: len(rows) for place in lists if isinstance(rows := _get(data, place.path), list | tuple)}
        if lengths == {path: counts.get(path, 0) for path in lengths}:
            break
        counts |= lengths
    texts = {slot.path: text for slot in fields if (text := text_of(slot, _get(data, slot.path)))}
    return Form(schema, fields, lists, texts, counts)


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
