"""A form: fields made from a JSON Schema, the texts in them, values from texts and back, and what is wrong. Pure.

A list of tables becomes a group of fields for each table; a table becomes its fields. Anything else is typed as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise
from typing import Literal, TypeAlias, cast

from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen

Path: TypeAlias = tuple[str | int, ...]
Schema: TypeAlias = Mapping[str, Json]
Kind = Literal["text", "choice", "list", "tables", "json"]

FLAGS = ("no", "yes")

MOST_TABLES = 40


@frozen
class Field:
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


@frozen
class ListPlace:
    """A list of tables in a form: its path, its name, and the number of its tables."""

    path: Path
    label: str
    count: int


def flatten(schema: Schema, counts: Mapping[Path, int]) -> tuple[tuple[Field, ...], tuple[ListPlace, ...]]:
    """The fields and the lists of tables of a schema, given the number of tables in each list."""
    fields: list[Field] = []
    lists: list[ListPlace] = []
    _walk(schema, _defs(schema), (), "", counts, fields, lists)
    return tuple(fields), tuple(lists)


def _defs(schema: Schema) -> dict[str, Schema]:
    definitions = dict(cast("Mapping[str, Schema]", schema.get("$defs", {})))
    for inner in _properties(schema).values():
        definitions |= _defs(inner)
    return definitions


def _properties(schema: Schema) -> Mapping[str, Schema]:
    return cast("Mapping[str, Schema]", schema.get("properties", {}))


def _walk(
    schema: Schema,
    defs: Mapping[str, Schema],
    path: Path,
    group: str,
    counts: Mapping[Path, int],
    fields: list[Field],
    lists: list[ListPlace],
) -> None:
    required_keys = cast("Sequence[str]", schema.get("required", ()))
    properties = {key: _resolve(property_schema, defs) for key, property_schema in _properties(schema).items()}
    # Lists come last: a field after them would seem to belong to their last table.
    for key, item in sorted(properties.items(), key=lambda pair: pair[1].get("type") == "array"):
        here = (*path, key)
        label = key.replace("_", " ")
        items = _resolve(cast(Schema, item.get("items", {})), defs)
        if item.get("type") == "object" and _properties(item):
            _walk(item, defs, here, group or "", counts, fields, lists)
        elif item.get("type") == "array" and _properties(items):
            count = counts.get(here, 0)
            lists.append(ListPlace(here, label, count))
            fields.append(Field(here, "how many", "tables", ("array",), group=label))
            for number in range(count):
                _walk(items, defs, (*here, number), f"{label} {number + 1}", counts, fields, lists)
        else:
            fields.append(_field(item, items, here, label, group, key in required_keys))


def _resolve(schema: Schema, defs: Mapping[str, Schema]) -> Schema:
    reference = schema.get("$ref")
    return defs.get(reference.rpartition("/")[2], {}) if isinstance(reference, str) else schema


def _field(schema: Schema, items: Schema, path: Path, label: str, group: str, is_required: bool) -> Field:
    variants = cast("Sequence[Schema]", schema.get("anyOf", (schema,)))
    choices = [item for item in variants if item.get("type") != "null"]
    types = tuple(str(item["type"]) for item in choices if isinstance(item.get("type"), str))
    main = choices[0] if len(choices) == 1 else schema
    default = format_value(schema.get("default"))
    enum, alternatives = main.get("enum"), main.get("oneOf")
    if isinstance(alternatives, list):
        pairs = [(item["const"], str(item["title"])) for item in cast("Sequence[Mapping[str, Json]]", alternatives)]
        labels, values = tuple(title for _, title in pairs), tuple(const for const, _ in pairs)
        return Field(path, label, "choice", types, labels, values, default, "", is_required, group)
    if isinstance(enum, list):
        labels = tuple(map(format_value, enum))
        return Field(path, label, "choice", types, labels, tuple(enum), default, "", is_required, group)
    if types == ("boolean",):
        return Field(path, label, "choice", types, FLAGS, (False, True), default, "", is_required, group)
    if types == ("array",):
        inner = items.get("type")
        if isinstance(inner, str) and inner in ("string", "integer", "number"):
            return Field(path, label, "list", (inner,), (), (), default, "separated by commas", is_required, group)
    if types and set(types) <= {"string", "integer", "number"}:
        return Field(path, label, "text", types, (), (), default, _hint(choices), is_required, group)
    return Field(path, label, "json", types, (), (), default, "JSON", is_required, group)


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
    if value is None:
        return ""
    if isinstance(value, bool):
        return FLAGS[value]
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple) and all(isinstance(item, str | int | float) for item in value):
        return ", ".join(map(format_value, value))
    if isinstance(value, int | float):
        return str(value)
    return json.dumps(value, ensure_ascii=False)


def text_of(field: Field, value: object) -> str:
    """A value as its field shows it: the text of its choice if it has one."""
    if field.kind == "choice" and value in field.values:
        return field.choices[field.values.index(value)]
    return format_value(value)


def value_of(field: Field, text: str) -> Json:
    """Read a field's text as a value; None if it is empty.

    Raises:
        ValueError: saying what would be accepted.
    """
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
    if "integer" in types:
        try:
            return int(text)
        except ValueError:
            pass
    if "number" in types:
        try:
            return float(text)
        except ValueError:
            pass
    if "string" in types:
        return text
    raise ValueError(f"{text[:40]!r} isn't a {'number' if 'number' in types else 'whole number'}")


# A form


@frozen
class Form:
    """The fields of a form, with their texts. Make one with `make_form`.

    Attributes:
        texts: the text of each field that is not empty.
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
