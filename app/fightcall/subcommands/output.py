"""Writing to the terminal and to files: nothing a user named or wrote can move the cursor or turn a line around."""

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
"""Exit codes: done; could not be done, or something is wrong; the command line cannot be read."""

WIDEST = 48
"""Cells that a column of a table takes at most."""


class Unusable(Exception):
    """What the user asked for cannot be done; the message says why, and what can be."""


def say(*lines: str) -> None:
    """Print lines, every control character visible."""
    for line in lines:
        print(clean(line))


def warn(*lines: str) -> None:
    """Print lines to the error stream, every control character visible, nothing repeated at length."""
    for line in lines:
        print(clean(shorten(line)), file=sys.stderr)


def complain(message: str) -> int:
    """Print one message to the error stream, which may have several lines. Returns the exit code for it."""
    first, *rest = message.splitlines() or [""]
    warn(f"fightcall: {first}", *rest)
    return FAILED


def missing_packages(what: str, packages: Iterable[str], extra: str) -> Unusable:
    """The error for missing packages, with the command that installs them by an extra of ours."""
    python = shlex.quote(sys.executable)
    pip = f"{python} -m pip install" if importlib.util.find_spec("pip") else f"uv pip install --python {python}"
    package_names = ", ".join(packages)
    return Unusable(
        f"{what} needs {package_names}, which this installation lacks; get it with:\n  {pip} 'fightcall[{extra}]'"
    )


def escape(line: str) -> str:
    """A line of JSON that means the same and can do nothing to a terminal: its control characters as escapes."""
    if line.isascii():
        return line
    controls = ("Cc", "Cf", "Zl", "Zp")
    return "".join(json.dumps(char)[1:-1] if unicodedata.category(char) in controls else char for char in line)


def tabulate(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows of cells as lines with columns that line up; what is too wide for one is cut, but for the last."""
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
    """Write a document to a file, whole or not at all, or to the standard output where there is no file.

    Raises:
        Unusable: the file cannot be written; one that was there is as it was.
    """
    if target is None:
        sys.stdout.write(text)
        return
    write_bytes(text.encode("utf-8", errors="replace"), target)


def write_bytes(content: bytes, target: Path | None) -> None:
    """The same for bytes, such as a picture's.

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
        raise Unusable(f"{target}: cannot be written: {error.strerror or error}") from error
