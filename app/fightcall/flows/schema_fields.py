"""Turning a JSON Schema into the fields of a form, and values into text and back. Pure.

A list of tables becomes a group of fields for each table; a table becomes its fields. Anything else is typed as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, cast

from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen

Path: TypeAlias = tuple[str | int, ...]
Schema: TypeAlias = Mapping[str, Json]
Kind = Literal["text", "choice", "list", "tables", "json"]

FLAGS = ("no", "yes")


@frozen
class Field:
    """A line of a form.

    Attributes:
        path: the path of its value in the data.
        label: its name.
        kind: how it is filled in; ``tables`` is a line that shows the number of tables in a list.
        types: the JSON types of its value, or of the values in a list.
        choices: the choices as shown, and `values` their values.
        default: its value if left empty, as text.
        hint: what would be accepted.
        required: it must not be left empty.
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
    """All definitions in a schema and in nested ones."""
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
