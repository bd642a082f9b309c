"""Safe output to the terminal and to files: user-given text cannot contain control characters."""

from __future__ import annotations

import importlib.util
import json
import shlex
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from fightcall.paint.runs import clean, cut, width
from fightcall_engine.model.errors import shorten

OK, FAILED, USAGE = 0, 1, 2
"""The exit codes for success, failure or problems found, and wrong usage."""

WIDEST = 48
"""The most cells of a table's column."""


class Unusable(Exception):
    """What the user asked for is not possible; the message says why, and what is."""


def say(*lines: str) -> None:
    """Print lines, with control characters made visible."""
    for line in lines:
        print(clean(line))


def warn(*lines: str) -> None:
    """Print lines to standard error, with control characters made visible, and long quotations cut."""
    for line in lines:
        print(clean(shorten(line)), file=sys.stderr)


def complain(message: str) -> int:
    """Print a message, which may have several lines, to standard error. Returns the exit code for failure."""
    first, *rest = message.splitlines() or [""]
    warn(f"fightcall: {first}", *rest)
    return FAILED


def missing_packages(what: str, packages: Iterable[str], extra: str) -> Unusable:
    """The error for missing packages, with the command that installs them by an extra of ours."""
    python = shlex.quote(sys.executable)
    pip = f"{python} -m pip install" if importlib.util.find_spec("pip") else f"uv pip install --python {python}"
    package_names = ", ".join(packages)
    return Unusable(
        f"{what} needs {package_names}, which is not installed. Install it with:\n  {pip} 'fightcall[{extra}]'"
    )


def escape(line: str) -> str:
    """A line of JSON with its control characters as escapes, safe for a terminal."""
    if line.isascii():
        return line
    controls = ("Cc", "Cf", "Zl", "Zp")
    return "".join(json.dumps(char)[1:-1] if unicodedata.category(char) in controls else char for char in line)


def tabulate(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows as lines with aligned columns. Cells that are too wide are cut, except in the last column."""
    clean_rows = [[*map(_cell, row[:-1]), clean(row[-1])] for row in rows]
    widths = [max(map(width, column)) for column in zip(*clean_rows, strict=True)]
    return [
        "  ".join(cell + " " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True)).rstrip()
        for row in clean_rows
    ]


def _cell(text: str) -> str:
    text = clean(text)
    return text if width(text) <= WIDEST else cut(text, WIDEST - 1) + "…"


def write_output(text: str, target: Path | None) -> None:
    """Write a document to a file, whole or not at all, or to standard output if there is no file.

    Raises:
        Unusable: the file cannot be written; it is unchanged.
    """
    if target is None:
        sys.stdout.write(text)
        return
    write_bytes(text.encode("utf-8", errors="replace"), target)


def write_bytes(content: bytes, target: Path | None) -> None:
    """Write bytes, such as a picture; see `write_output`.

    Raises:
        Unusable: as `write_output`.
    """
    if target is None:
        sys.stdout.buffer.write(content)
        return
    from fightcall_engine.archive.fsutil import write_atomically

    try:
        write_atomically(target, content, keep_previous=False)
    except OSError as error:
        raise Unusable(f"{target}: can't write: {error.strerror or error}") from error
