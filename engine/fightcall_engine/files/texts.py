"""Reading files that people wrote or that something happened to: never more than fits, and no TOML that is a trap."""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from pathlib import Path
from typing import BinaryIO

from fightcall_engine.files.toml_lines import TOKEN

LARGEST_TEXT = 1_000_000
"""Bytes of a file that somebody writes by hand: settings, keys, a theme, an armoury, a table of chances."""

_PIECE = 1 << 18
_DEEPEST = 20
_LONGEST_WORD = 1000


def open_file(path: Path) -> BinaryIO:
    """Open an ordinary file for reading, without waiting for anybody.

    Raises:
        OSError: it cannot be opened, or is no ordinary file: a pipe, a device, a folder.
    """
    try:
        # A pipe that nobody writes to would keep `open` waiting for ever.
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error), repr(str(path))) from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "is no ordinary file", str(path))
    return os.fdopen(fd, "rb")


def read_bytes(path: Path, most: int = LARGEST_TEXT) -> bytes:
    """What a file holds.

    Raises:
        OSError: it cannot be read, is no ordinary file, or has more than ``most`` bytes.
    """
    pieces: list[bytes] = []
    with open_file(path) as file:
        # Piece by piece, for `read` takes the memory for as much as it is asked for.
        while piece := file.read(_PIECE):
            pieces.append(piece)
            if (len(pieces) - 1) * _PIECE + len(piece) > most:
                raise OSError(errno.EFBIG, f"is larger than {most} bytes", str(path))
    return b"".join(pieces)


def read_text(path: Path, most: int = LARGEST_TEXT) -> str:
    """The text in a file, without the mark that some editors put first, and with plain line feeds.

    Raises:
        OSError: as `read_bytes`.
        UnicodeDecodeError: it is not UTF-8.
    """
    return read_bytes(path, most).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def parse_toml(text: str) -> dict[str, object]:
    """The tables of a TOML text.

    Raises:
        ValueError: what is wrong with its syntax, or that it nests deeper than any file that means something.
    """
    _refuse_traps(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("lists or tables lie too deep inside each other") from None


def _refuse_traps(text: str) -> None:
    """Refuse what costs `tomllib` the square of its length: keys of very many parts; and endless nests and numbers."""
    depth = parts = 0
    for match in TOKEN.finditer(text):
        kind, token = match.lastgroup, match[0]
        if kind == "dot":
            parts += 1
        elif kind == "newline":
            parts = 0
        elif kind == "mark":
            parts = 0
            depth += (token in "[{") - (token in "]}")
        elif kind == "bare" and len(token) > _LONGEST_WORD:
            line = text.count("\n", 0, match.start()) + 1
            raise ValueError(f"a name or number of {len(token)} characters (at line {line}, column 1)")
        if max(depth, parts) > _DEEPEST:
            line = text.count("\n", 0, match.start()) + 1
            raise ValueError(f"lists or tables lie too deep inside each other (at line {line}, column 1)")
