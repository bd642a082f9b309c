"""Editing values in the tables of an encounter's file, keeping everything around them."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import cast

import tomlkit
from tomlkit.items import Item

Table = MutableMapping[str, object]


class Unwritable(Exception):
    """The file has a form that cannot be edited in place."""


def item_of(written: str) -> Item:
    """A value as an item of tomlkit."""
    return cast("Item", tomlkit.parse(f"value = {written}\n")["value"])


def put(table: Table, key: str, written: str) -> None:
    """Set a key. A new one is inserted before nested tables, without tomlkit's blank line."""
    tables = [value for value in table.values() if isinstance(value, Item)]
    indents = [value.trivia.indent for value in tables]
    table[key] = item_of(written)
    for value, indent in zip(tables, indents, strict=True):
        value.trivia.indent = indent


def drop(table: Table, key: str) -> None:
    """Remove a key, if it exists."""
    if key in table:
        del table[key]


def drawing_of(old: object, drawing: str) -> Item:
    """A map as a multi-line string, in the same quotes as the old one."""
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
    """A plain value from one of tomlkit."""
    return value.unwrap() if hasattr(value, "unwrap") else value
