"""Problems in files that people write, with their lines.

Readers collect all problems and go on with what is valid, so that everything can be fixed at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from fightcall_engine.files import texts
from fightcall_engine.files.texts import read_text


class Problem(NamedTuple):
    """A problem in a file.

    Attributes:
        path: The file.
        line: Its line, from 1; None if it belongs to no line.
        message: What is wrong and what would be accepted.
    """

    path: Path
    line: int | None
    message: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{where}: {self.message}"


class TomlText(NamedTuple):
    """A parsed TOML file with its text."""

    path: Path
    text: str
    data: dict[str, object]

    def problem(self, keys: Sequence[str], message: str) -> Problem:
        """A problem at a key, given by its path."""
        return Problem(self.path, line_of(self.text, keys), message)


_TABLE = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")


def _plain(key: str) -> str:
    return re.sub(r"\s*\.\s*", ".", key).replace('"', "").replace("'", "")


def line_of(text: str, keys: Sequence[str]) -> int | None:
    """The line, from 1, of a key or table in a TOML text; else of the nearest table above it."""
    dotted_key = ".".join(keys)
    table = ""
    nearest: tuple[int, int] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _TABLE.match(line):
            name = table = _plain(header[1])
        elif match := _KEY.match(line):
            name = f"{table}.{_plain(match[1])}" if table else _plain(match[1])
        else:
            continue
        if name == dotted_key:
            return number
        if dotted_key.startswith(name + ".") and (nearest is None or len(name) > nearest[0]):
            nearest = (len(name), number)
    return nearest[1] if nearest else None


def parse_toml(text: str, path: Path) -> TomlText | Problem:
    """Parse a TOML text. Returns the tables, or the first syntax error."""
    try:
        return TomlText(path, text, texts.parse_toml(text))
    except ValueError as error:
        match = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        if match is None:
            return Problem(path, len(text.splitlines()), f"not TOML: {error}")
        reason = str(error).replace(match[0], f"(column {match[2]})")
        return Problem(path, int(match[1]), f"not TOML: {reason}")


def read_toml(path: Path) -> TomlText | Problem:
    """Read a TOML file. Returns the tables, or the problem that prevents it."""
    try:
        text = read_text(path)
    except OSError as error:
        return Problem(path, None, f"can't be read: {error.strerror or error}")
    except UnicodeDecodeError as error:
        return Problem(path, None, f"not UTF-8 text (byte {error.start}); save it as UTF-8")
    return parse_toml(text, path)


def flatten(table: Mapping[str, object], above: str = "") -> dict[str, object]:
    """Nested tables as one table with dotted keys."""
    flat: dict[str, object] = {}
    for key, value in table.items():
        name = f"{above}.{key}" if above else key
        if isinstance(value, dict):
            flat |= flatten(value, name)
        else:
            flat[name] = value
    return flat


def did_you_mean(word: str, names: Sequence[str]) -> str:
    """The end of a message about an unknown word: the most similar known one, or nothing."""
    near = get_close_matches(word, names, n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
