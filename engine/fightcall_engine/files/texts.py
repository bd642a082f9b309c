"""Reading files that may be damaged or malicious: within a size limit, and no pathological TOML."""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from pathlib import Path
from typing import BinaryIO

from fightcall_engine.files.toml_lines import TOKEN

LARGEST_TEXT = 1_000_000
"""The most bytes of a file written by hand: settings, keys, a theme, an armoury, a table of chances."""

_PIECE = 1 << 18
_DEEPEST = 20
_LONGEST_WORD = 1000


def open_file(path: Path) -> BinaryIO:
    """Open a regular file for reading, without blocking.

    Raises:
        OSError: it cannot be opened, or is not a regular file: a pipe, a device, a folder.
    """
    try:
        # Opening a pipe without a writer would block for ever.
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error), repr(str(path))) from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "isn't a regular file", str(path))
    return os.fdopen(fd, "rb")


def read_bytes(path: Path, most: int = LARGEST_TEXT) -> bytes:
    """The bytes of a file.

    Raises:
        OSError: it cannot be read, is not a regular file, or has more than ``most`` bytes.
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
    """The text of a file, without a byte order mark, and with plain line feeds.

    Raises:
        OSError: as `read_bytes`.
        UnicodeDecodeError: it is not UTF-8.
    """
    return read_bytes(path, most).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def parse_toml(text: str) -> dict[str, object]:
    """The tables of a TOML text.

    Raises:
        ValueError: a syntax error, or it is nested too deeply.
    """
    _refuse_traps(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("lists or tables are nested too deeply") from None


def _refuse_traps(text: str) -> None:
    """Raise ValueError for keys of very many parts (quadratic time in `tomllib`), deep nesting, and huge numbers."""
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
            raise ValueError(f"lists or tables are nested too deeply (at line {line}, column 1)")
