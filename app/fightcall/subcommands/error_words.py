"""Error messages for people, with what to do."""

from __future__ import annotations

from pathlib import Path

from fightcall.paths import find_paths
from fightcall_engine.model.errors import BadInput, Refused


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
