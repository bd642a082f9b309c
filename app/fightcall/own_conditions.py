"""Conditions in the GM's own words, kept in the user's folder for the next fight."""

from __future__ import annotations

from pathlib import Path

MOST = 40
"""The most conditions that are kept; the oldest are dropped."""
LONGEST = 40


def own_conditions(path: Path) -> tuple[str, ...]:
    """Read the conditions that were kept, the newest first; none if the file can't be read."""
    from fightcall_engine.files.texts import read_text

    try:
        lines = read_text(path).splitlines() if path.exists() else []
    except (ValueError, OSError):
        return ()
    names = dict.fromkeys(line.strip() for line in lines)
    return tuple(name for name in names if _can_be_kept(name))[:MOST]


def keep_condition(path: Path, name: str) -> None:
    """Keep a condition as the newest one.

    Raises:
        OSError: it can't be written; the file is as it was.
    """
    from fightcall_engine.archive.fsutil import write_atomically

    before = own_conditions(path)
    if before[:1] == (name,) or not _can_be_kept(name):
        return
    names = tuple(dict.fromkeys((name, *before)))[:MOST]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, "".join(f"{each}\n" for each in names).encode(), keep_previous=False)


def _can_be_kept(name: str) -> bool:
    return 0 < len(name) <= LONGEST and name.isprintable() and name == name.strip()
