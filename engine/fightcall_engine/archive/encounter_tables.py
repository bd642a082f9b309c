"""Tables of an encounter's file, in which values are changed where they stand, with all that is written around them."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import cast

import tomlkit
from tomlkit.items import Item

Table = MutableMapping[str, object]


class Unwritable(Exception):
    """The file says what it says in a form that cannot be changed in place."""


def item_of(written: str) -> Item:
    """A value as it is written, with its spacing."""
    return cast("Item", tomlkit.parse(f"value = {written}\n")["value"])


def put(table: Table, key: str, written: str) -> None:
    """Give a key a value; a new key comes before the tables inside, without a blank line of tomlkit's own."""
    tables = [value for value in table.values() if isinstance(value, Item)]
    indents = [value.trivia.indent for value in tables]
    table[key] = item_of(written)
    for value, indent in zip(tables, indents, strict=True):
        value.trivia.indent = indent


def drop(table: Table, key: str) -> None:
    """Take a key out, if it is there."""
    if key in table:
        del table[key]


def drawing_of(old: object, drawing: str) -> Item:
    """A map in the quotes that the old one had; alone on its lines."""
    written = getattr(old, "as_string", str)()
    literal = written.startswith("'") and "'''" not in drawing
    inside = drawing if literal else drawing.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    quotes = "'''" if literal else '"""'
    begin, end = (
        "\n" if "\n" in drawing and not drawing.startswith("\n") else "",
        "" if drawing.endswith("\n") else "\n",
    )
    return item_of(f"{quotes}{begin}{inside}{end}{quotes}")


def plain(value: object) -> object:
    """A value without what tomlkit keeps of its spelling."""
    return value.unwrap() if hasattr(value, "unwrap") else value
