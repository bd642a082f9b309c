"""The line of every key in a TOML file, for messages about its faults.

`tomllib` only reports the line of a syntax error. This reads the structure of a text that `tomllib` has already
accepted, keeps no values, and never fails: for what it does not find it returns the line of the enclosing part.
"""

from __future__ import annotations

import re
import tomllib
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""The path to a value: keys, and positions in arrays from 0."""

TOKEN = re.compile(
    r"""
      (?P<text>\"{3}(?:\\.|[^\\])*?\"{3,5} | '{3}.*?'{3,5} | "(?:\\.|[^"\\\n])*" | '[^'\n]*')
    | (?P<comment>\#[^\n]*)
    | (?P<newline>\n)
    | (?P<mark>[\[\]{}=,])
    | (?P<dot>\.)
    | (?P<bare>[^\s\[\]{}=,.\#"']+)
    """,
    re.VERBOSE | re.DOTALL,
)


class Lines:
    """The line of each key, table and array element of a TOML text, counted from 1."""

    def __init__(self, text: str) -> None:
        text = text.replace("\r\n", "\n")
        self._lines: dict[Path, int] = {(): 1}
        self._content: dict[Path, int] = {}
        self._sizes: dict[Path, int] = {}
        self._tokens: list[tuple[str, str, int]] = []
        line = 1
        for match in TOKEN.finditer(text):
            kind, token = match.lastgroup or "", match.group()
            if kind != "comment":
                self._tokens.append((kind, token, line))
            line += token.count("\n")
        self._at = 0
        self._read_document()

    def find(self, path: Path) -> int:
        """The line of the value at a path, or of the nearest enclosing part."""
        while path not in self._lines:
            path = path[:-1]
        return self._lines[path]

    def content(self, path: Path) -> int:
        """The line on which the characters of a text begin, perhaps the next for a multi-line one."""
        return self._content.get(path, self.find(path))

    def next_after(self, path: Path, end: int) -> int:
        """The first line after a table with content outside of it, or `end`."""
        start, size = self.find(path), len(path)
        behind = (line for other, line in self._lines.items() if line > start and other[:size] != path)
        return min(behind, default=end)

    # Reading the structure

    def _peek(self) -> tuple[str, str, int]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "", 0)

    def _take(self) -> tuple[str, str, int]:
        token = self._peek()
        self._at += 1
        return token

    def _skip_newlines(self) -> None:
        while self._peek()[0] == "newline":
            self._at += 1

    def _read_document(self) -> None:
        table: Path = ()
        while True:
            self._skip_newlines()
            kind, token, _ = self._peek()
            if kind == "end":
                return
            if token == "[":
                table = self._read_header()
            else:
                self._read_pair(table)

    def _read_header(self) -> Path:
        _, _, line = self._take()
        array = self._peek()[1] == "["
        if array:
            self._take()
        path: Path = ()
        *outer, last = self._read_key()
        for key in outer:
            path = self._inside(key, path)
        path = (*path, last)
        self._lines.setdefault(path, line)
        if array:
            number = self._sizes.get(path, 0)
            self._sizes[path] = number + 1
            path = (*path, number)
            self._lines[path] = line
        self._take_until_newline()
        return path

    def _inside(self, key: str, path: Path) -> Path:
        """The path one key deeper; in an array of tables, of its newest element."""
        path = (*path, key)
        return (*path, self._sizes[path] - 1) if path in self._sizes else path

    def _take_until_newline(self) -> None:
        while self._peek()[0] not in ("newline", "end"):
            self._take()

    def _read_key(self) -> list[str]:
        keys = []
        while self._peek()[0] in ("bare", "text", "dot"):
            kind, token, _ = self._take()
            if kind == "bare":
                keys.append(token)
            elif kind == "text":
                keys.append(str(tomllib.loads(f"key = {token}")["key"]))
        return keys or [""]

    def _read_pair(self, table: Path) -> None:
        _, _, line = self._peek()
        path = (*table, *self._read_key())
        for length in range(len(table) + 1, len(path) + 1):
            self._lines.setdefault(path[:length], line)
        self._take()
        self._read_value(path)

    def _read_value(self, path: Path) -> None:
        kind, token, line = self._take()
        if kind == "text":
            self._content[path] = line + (token[3:4] == "\n" and token[:3] in ('"""', "'''"))
        elif token == "[":
            self._read_array(path)
        elif token == "{":
            self._read_inline_table(path)
        elif kind != "end":
            while self._peek()[0] in ("bare", "dot"):
                self._take()

    def _read_array(self, path: Path) -> None:
        number = 0
        while True:
            self._skip_newlines()
            kind, token, line = self._peek()
            if kind == "end" or token == "]":
                self._take()
                return
            if token == ",":
                self._take()
                continue
            self._lines[(*path, number)] = line
            self._read_value((*path, number))
            number += 1

    def _read_inline_table(self, path: Path) -> None:
        while True:
            self._skip_newlines()
            kind, token, _ = self._peek()
            if kind == "end" or token == "}":
                self._take()
                return
            if token == ",":
                self._take()
                continue
            self._read_pair(path)
