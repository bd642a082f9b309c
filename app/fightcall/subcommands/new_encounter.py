"""``fightcall new``: a commented encounter file to start from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template
from typing import cast

from fightcall.paths import Paths
from fightcall.subcommands.console import OK, Unusable, say
from fightcall_engine.archive.encounter_reading import read_encounter
from fightcall_engine.archive.encounters import file_stem, load_encounter, shipped_encounters
from fightcall_engine.archive.fsutil import write_new
from fightcall_engine.kit.registry import find_system
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Setting
from fightcall_engine.model.state import Json

_TEMPLATE = Path(__file__).with_name("encounter_template.toml")
_COMMENT_AT = 34
"""The column of comments on values."""


EASIEST = "stage"
"""The default system of an encounter."""


def new_encounter(name: str, paths: Paths, system: str | None) -> int:
    """Write an encounter file with explanations into the user's folder.

    Raises:
        Unusable: there is a file of that name already, or the name gives none.
        BadInput: the name will not do for an encounter, or there is no such system.
        OSError: it cannot be written.
    """
    stem = file_stem(name)
    if not stem:
        raise Unusable(f"{name!r} can't be a file name; use at least one letter or digit")
    path = paths.encounters / f"{stem}.toml"
    if path.exists():
        raise Unusable(f"{path} already exists; choose another name, or edit that file")
    text = _fill_in(name, stem, path, find_system(system or EASIEST))
    read_encounter(text, str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_new(path, text.encode("utf-8"))
    say(str(path), f"edit it, then run: fightcall play {stem}")
    return OK


def _fill_in(name: str, stem: str, path: Path, system: BaseSystem) -> str:
    ours, theirs = system.sides[:2]
    sheets = _example_sheets(system)
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        stem=stem,
        path=path,
        name=_toml(name),
        system=_toml(system.id),
        first_side=_toml(ours),
        second_side=_toml(theirs),
        first_sheet="\n".join(_pairs(sheets.get(ours, {}))),
        second_sheet="\n".join(_pairs(sheets.get(theirs, {}))),
        fields="\n".join(_field_lines(system.sheet_schema())),
        settings="\n".join(map(_setting_line, system.settings)),
    )


def _example_sheets(system: BaseSystem) -> dict[str, Mapping[str, Json]]:
    """A sheet for each side, taken from the encounters that the system ships."""
    sheets: dict[str, Mapping[str, Json]] = {}
    for file in shipped_encounters():
        if file.system == system.id:
            for join in load_encounter(file.path).joins:
                sheets.setdefault(join.side, join.sheet)
    return sheets


def _pairs(values: Mapping[str, Json]) -> Iterator[str]:
    for key, value in values.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            yield f"{key} = ["
            yield from (f"  {_toml(item)}," for item in value)
            yield "]"
        else:
            yield f"{key} = {_toml(value)}"


def _toml(value: Json) -> str:
    """A value in TOML on one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _setting_line(setting: Setting) -> str:
    choices = " | ".join(map(_toml, setting.choices))
    rule = f" ({setting.rule})" if setting.rule else ""
    remark = f"{setting.text}{rule}" + (f": {choices}" if choices else "")
    return f"{f'# {setting.key} = {_toml(setting.default)}':<{_COMMENT_AT}}  # {remark}"


def _field_lines(schema: Mapping[str, Json]) -> Iterator[str]:
    """A line for each field of a sheet, from its JSON Schema."""
    defs = cast("Mapping[str, Mapping[str, Json]]", schema.get("$defs", {}))
    for name, field in cast("Mapping[str, Mapping[str, Json]]", schema["properties"]).items():
        default = field.get("default")
        default_text = "(none)" if default is None else _toml(default)
        yield f"{f'#   {name} = {default_text}':<{_COMMENT_AT}}  # {_describe_field(field, defs)}"


def _describe_field(field: Mapping[str, Json], defs: Mapping[str, Mapping[str, Json]]) -> str:
    """What a field accepts, in words."""
    if "anyOf" in field:
        kinds = cast("list[Mapping[str, Json]]", field["anyOf"])
        return " or ".join(_describe_field(kind, defs) for kind in kinds if kind.get("type") != "null")
    if "$ref" in field:
        part = defs[str(field["$ref"]).rpartition("/")[2]]
        inside = cast("Mapping[str, Mapping[str, Json]]", part["properties"])
        return "{ " + ", ".join(f"{key} = {_describe_field(item, defs)}" for key, item in inside.items()) + " }"
    if "enum" in field:
        return " | ".join(map(_toml, cast("list[Json]", field["enum"])))
    if field.get("type") == "array":
        return f"[ {_describe_field(cast('Mapping[str, Json]', field['items']), defs)}, ... ]"
    return _KINDS.get(str(field.get("type")), str(field.get("type"))) + _limits(field)


_KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}


def _limits(field: Mapping[str, Json]) -> str:
    least, most = field.get("minimum"), field.get("maximum")
    if least is not None and most is not None:
        return f" from {least} to {most}"
    if least is not None:
        return f" from {least}"
    over = field.get("exclusiveMinimum")
    return f" over {over}" if over is not None else ""
