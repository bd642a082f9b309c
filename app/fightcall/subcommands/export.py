"""``fightcall export``: a fight as a chronicle to read."""

from __future__ import annotations

import os
import re
from pathlib import Path

from fightcall.paths import Paths
from fightcall.subcommands.names import is_journal_path
from fightcall.subcommands.output import OK, Unusable, write_output
from fightcall_engine.archive.chronicle import chronicle
from fightcall_engine.archive.chronicle_pages import to_html, to_json, to_markdown
from fightcall_engine.files.texts import open_file
from fightcall_engine.play.fight import Fight

_WRITERS = {"md": to_markdown, "html": to_html, "json": to_json}


_KEPT = re.compile(rb'\{"n":0,"t":"fight"|\{\n"(?:fights|templates|encounters|settings|meta)":\{\n')
"""How a journal begins, and a library."""


def export(journal: Path, form: str, target: Path | None, paths: Paths) -> int:
    """Write a fight's chronicle to a file or the standard output.

    Raises:
        Unusable: the target is a journal, the library or no file.
        DamagedJournal: the journal must be repaired first.
        OSError: the target cannot be written; what was there is as it was.
    """
    if target is not None:
        _check_target(target, journal.stem, form, paths)
    text = _WRITERS[form](chronicle(Fight.watch(journal)))
    write_output(text if text.endswith("\n") else text + "\n", target)
    return OK


def _check_target(target: Path, fight: str, form: str, paths: Paths) -> None:
    """Refuse to write over what is not a chronicle.

    Raises:
        Unusable: see `export`.
    """
    if target.is_dir():
        raise Unusable(f"{target} is a folder; give a file in it, such as {target / fight}.{form}")
    real = Path(os.path.realpath(target))
    if is_journal_path(real.name) or is_journal_path(target.name):
        raise Unusable(f"{target} is the name of a journal; a chronicle goes to a file of its own, such as .{form}")
    if real.is_relative_to(os.path.realpath(paths.library)) or _is_kept(target):
        raise Unusable(f"{target} keeps fights; a chronicle goes to a file of its own, such as {fight}.{form}")


def _is_kept(target: Path) -> bool:
    """True for a journal or a library, by whatever name.

    Raises:
        OSError: it is no ordinary file, or cannot be read.
    """
    try:
        with open_file(target) as file:
            return _KEPT.match(file.read(64)) is not None
    except FileNotFoundError:
        return False
