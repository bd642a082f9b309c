"""What a sheet may say: the bounds of its numbers, for encounters that people have written rely on them.

`sheet_bounds.txt` has each field that is bounded, with the least and the greatest number it takes. A change of a bound
is a change of the format: write it down there, and in the changelog.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fightcall_engine.kit.plugins import find_system

SYSTEMS = ("stage", "slots", "turns", "segments")
BOUNDS = Path(__file__).with_name("sheet_bounds.txt")
LIMITS = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")


def bounds(schema: Mapping[str, Any], path: str) -> Iterator[str]:
    """Each bounded field within a part of a JSON Schema, as a line."""
    own = [f"{limit} {schema[limit]}" for limit in LIMITS if limit in schema]
    if own:
        yield f"{path}: {', '.join(own)}"
    for name, field in schema.get("properties", {}).items():
        yield from bounds(field, f"{path}.{name}")
    for part in ("items", "additionalProperties"):
        if isinstance(schema.get(part), dict):
            yield from bounds(schema[part], f"{path}[]")
    for part in ("anyOf", "prefixItems"):
        for each in schema.get(part, ()):
            yield from bounds(each, path)
    for name, definition in schema.get("$defs", {}).items():
        yield from bounds(definition, f"{path} {name}")


def test_the_numbers_of_a_sheet_are_bounded_as_written_down():
    found = [line for name in SYSTEMS for line in bounds(find_system(name).sheet_schema(), name)]
    assert found == BOUNDS.read_text(encoding="utf-8").splitlines()
