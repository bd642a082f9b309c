"""``fightcall export``: a fight as a chronicle to read."""

from __future__ import annotations

from pathlib import Path

from fightcall.subcommands.output import OK, Unusable, put
from fightcall_engine.archive.chronicle import chronicle, to_html, to_json, to_markdown
from fightcall_engine.fight import Fight

_WRITERS = {"md": to_markdown, "html": to_html, "json": to_json}


def export(journal: Path, form: str, target: Path | None) -> int:
    """Write a fight's chronicle to a file or the standard output.

    Raises:
        Unusable: the target is the journal itself or a folder.
        DamagedJournal: the journal must be repaired first.
        OSError: the target cannot be written; what was there is as it was.
    """
    if target is not None and target.is_dir():
        raise Unusable(f"{target} is a folder; give a file in it, such as {target / journal.stem}.{form}")
    if target is not None and (target.suffix == journal.suffix or (target.exists() and target.samefile(journal))):
        raise Unusable(f"{target} is the name of a journal; a chronicle goes to a file of its own, such as .{form}")
    told = _WRITERS[form](chronicle(Fight.watch(journal)))
    put(told if told.endswith("\n") else told + "\n", target)
    return OK
