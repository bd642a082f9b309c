"""What all subcommands share: choices of arguments, safe output, finding fights by name, and error messages.

Text that users gave can't contain control characters when it is printed.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import shlex
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from fightcall.paint.runs import clean, cut, width
from fightcall.settings import Paths, find_paths
from fightcall_engine.model.errors import BadInput, Refused, shorten

SHELLS = ("bash", "zsh", "fish", "tcsh")

WIDEST = 48
"""The most cells of a table's column."""

LAST = "last"
"""The name of the fight that was played last."""
_MOST_LISTED = 8

REPLAY, PICTURES = "replay", ("svg", "png")
FORMS = ("md", "html", "json", REPLAY, *PICTURES)
"""The formats of an export."""


class Look(NamedTuple):
    """How to draw the screens: the theme (empty for the user's own), and whether to use the mouse."""

    theme: str = ""
    mouse: bool = True


class Names(NamedTuple):
    """The names for a completion script, by the argument they are for. Without them, any value is accepted."""

    fights: Sequence[str] = ()
    encounters: Sequence[str] = ()
    systems: Sequence[str] = ()
    themes: Sequence[str] = ()
    pages: Sequence[str] = ()


# Safe output to the terminal and to files


OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
"""The exit codes for success, failure or problems found, wrong usage, and Ctrl+C."""


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
    """Write a document to a file, whole or not at all, or to standard output if there is no file."""
    if target is None:
        sys.stdout.write(text)
        return
    write_bytes(text.encode("utf-8", errors="replace"), target)


def write_bytes(content: bytes, target: Path | None) -> None:
    """Write bytes, such as a picture; see `write_output`."""
    if target is None:
        sys.stdout.buffer.write(content)
        return
    from fightcall_engine.archive.fsutil import write_atomically

    try:
        write_atomically(target, content, keep_previous=False)
    except OSError as error:
        raise Unusable(f"{target}: can't write: {error.strerror or error}") from error


# Finding the fight or encounter that a user names


JOURNAL, ENCOUNTER = ".jsonl", ".toml"


def journals(paths: Paths) -> dict[str, Path]:
    """The journals of all fights in use by id, the latest first."""
    files = (paths.library / "fights").glob(f"[!.]*{JOURNAL}")
    return {path.stem: path for path in sorted(files, key=_when_written, reverse=True)}


def find_fight(name: str, paths: Paths) -> Path:
    """The journal of the fight with a name, or candidates.

    The library is only opened if `name` is no path, no id and not `LAST`, so that these work even if it is damaged.
    """
    if is_journal_path(name):
        if not Path(name).is_file():
            raise Unusable(f"{name}: file not found")
        return Path(name)
    found_paths = journals(paths)
    if name in found_paths:
        return found_paths[name]
    if not found_paths:
        raise Unusable(f"no fight {name!r}: there are no fights yet. Start one with: fightcall play a-first-fight")
    if name == LAST:
        return next(iter(found_paths.values()))
    from fightcall.shelf import Shelf

    names = {card.id: card.name for card in Shelf(paths).library.fights() if card.id in found_paths}
    matches = match_names(name, names)
    if len(matches) == 1:
        return found_paths[matches[0]]
    if matches:
        list_text = _format_list(f"{name}  ({names[name]})" for name in matches)
        raise Unusable(f"{name!r} matches {len(matches)} fights; use an id:\n{list_text}")
    near = nearest(name, names)
    if near:
        list_text = _format_list(f"{name}  ({names.get(name, name)})" for name in near)
        raise Unusable(f"no fight {name!r}; did you mean:\n{list_text}")
    raise Unusable(f"no fight {name!r}; to list all fights: fightcall list")


def match_names(query: str, names: Mapping[str, str]) -> list[str]:
    """The ids of fights with this name; else of those whose name or id contains the words."""
    folded_query = query.casefold().strip()
    same = [text for text, name in names.items() if name.casefold().strip() == folded_query]
    if same or not folded_query:
        return same
    return [text for text, name in names.items() if folded_query in name.casefold() or folded_query in text]


def nearest(query: str, names: Mapping[str, str]) -> list[str]:
    """The ids of fights whose name or id is similar."""
    text_by_name: dict[str, str] = {}
    for text, name in names.items():
        text_by_name.setdefault(text, text)
        text_by_name.setdefault(name.casefold(), text)
    near = get_close_matches(query.casefold(), text_by_name, n=3, cutoff=0.5)
    return list(dict.fromkeys(text_by_name[word] for word in near))


def is_encounter(name: str, paths: Paths) -> bool:
    """Whether `name` is an encounter's path, its exact name, or its file name."""
    if Path(name).suffix == ENCOUNTER or os.sep in name:
        return True
    from fightcall_engine.archive.encounters import normalize_name

    plain_name, names = normalize_name(name), encounter_names(paths)
    return any(plain_name in (normalize_name(stem), normalize_name(title)) for stem, title in names.items())


def encounter_names(paths: Paths) -> dict[str, str]:
    """All encounters, the user's own first: the file name without its ending, and the name in it."""
    from fightcall_engine.archive.encounters import find_encounters, shipped_encounters

    names: dict[str, str] = {}
    for file in (*find_encounters([paths.encounters]), *shipped_encounters()):
        names.setdefault(file.path.stem, file.name)
    return names


def is_journal_path(name: str) -> bool:
    """Whether `name` is the path of a journal, or of one set aside by a repair."""
    return JOURNAL in Path(name).name


def _format_list(lines: Iterable[str]) -> str:
    every = [f"  {line}" for line in lines]
    more = [f"  ... and {len(every) - _MOST_LISTED} more"] if len(every) > _MOST_LISTED else []
    return "\n".join(every[:_MOST_LISTED] + more)


def _when_written(path: Path) -> tuple[int, str]:
    try:
        return path.stat().st_mtime_ns, path.name
    except OSError:
        return 0, path.name


# Error messages for people, with what to do


def in_words(error: Exception) -> str:
    """The message of an error, which may have several lines."""
    if isinstance(error, BadInput):
        return str(error) if len(error.problems) == 1 else "\n  ".join((f"{error.where}:", *error.problems))
    if isinstance(error, Refused):
        return f"{error}; accepted: {', '.join(error.accepts)}" if error.accepts else str(error)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}" if error.strerror else str(error)
    way_out = _way_out(error)
    return f"{error}\n{way_out}" if way_out else str(error)


def _way_out(error: Exception) -> str:
    from fightcall_engine.archive.fsutil import LockedByAnother
    from fightcall_engine.archive.lines import DamagedJournal

    if isinstance(error, DamagedJournal):
        return f"fightcall repair {name_of(error.path)} repairs it; the original is kept"
    if isinstance(error, LockedByAnother):
        return f"or watch it with: fightcall play {name_of(error.path)} --watch --gm"
    return ""


def name_of(journal: Path) -> str:
    """The name of a fight for the command line: its id if it is in the library, else its path."""
    is_library_fight = (
        journal.parent.resolve() == (find_paths().library / "fights").resolve() and journal.suffix == ".jsonl"
    )
    return journal.stem if is_library_fight else str(journal)


# Checking the terminal before a screen starts


def require_terminal(environ: Mapping[str, str] = os.environ) -> None:
    """Check that there is a terminal for output and for keys; otherwise, say what works without it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        missing = "the screens need a terminal, but input or output is a file or a pipe"
    elif environ.get("TERM") in ("dumb", "unknown"):
        missing = f"the screens need a terminal with cursor control; TERM is {environ['TERM']!r}"
    else:
        return
    raise Unusable(
        f"{missing}\n"
        "these work without one: fightcall run, play --plain, show --web, list, export, check, repair, new, import, "
        "themes, guide, keys, schema, completion"
    )


@contextmanager
def without_collecting() -> Iterator[None]:
    """Disable garbage collection during the start, until the first screen enables it again (`Host.rest_memory`)."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
