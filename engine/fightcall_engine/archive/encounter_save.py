"""Saving encounters as files: a new one, over the one that it was read from, a copy, another name.

Imported where something is saved: it brings tomlkit along, which keeps the comments of a file that is changed.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fightcall_engine.archive.encounter_edit import edit_encounter
from fightcall_engine.archive.encounter_file import Encounter, read_encounter
from fightcall_engine.archive.encounter_text import encounter_to_toml
from fightcall_engine.archive.encounters import LARGEST_FILE, encounter_path
from fightcall_engine.archive.fsutil import REAL_FILES, FileLayer, backup_of, write_atomically, write_new
from fightcall_engine.files.texts import read_bytes
from fightcall_engine.model.errors import BadInput, FightCallError

_MARK = "\ufeff"


class EncounterChanged(FightCallError):
    """The file says something else than when it was read; nothing was written.

    Attributes:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path.name} was changed by another program in the meantime")
        self.path = path


def save_new(
    encounter: Encounter, path: Path, like: Path | None = None, own: Path | None = None, files: FileLayer = REAL_FILES
) -> None:
    """Save an encounter as a file that is not there yet.

    Args:
        encounter: what to save.
        path: the file; its folder is made.
        like: the file that it began from, whose comments and order it keeps.
        own: the folder of the GM's own files for settings.
        files: where the operations go.

    Raises:
        FileExistsError: there is one of that name already; it was not touched.
        BadInput: it could not be read again, and why; nothing is written.
        OSError: it cannot be written; nothing is there.
    """
    text = encounter_to_toml(encounter, path.stem)
    if like is not None:
        text = edit_encounter(_read(like)[0], encounter, like.parent, own)
        # What names a file beside the first one may find none here.
        if _try_read(text, path, own) != replace(encounter, usual={}):
            text = encounter_to_toml(encounter, path.stem)
    # What is saved can be opened again: a cue may name somebody who has gone.
    read_encounter(text, path.name, path.parent, own)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_new(path, text.encode(), files)


def save_over(
    encounter: Encounter,
    path: Path,
    before: Encounter | None = None,
    own: Path | None = None,
    files: FileLayer = REAL_FILES,
) -> None:
    """Save an encounter over its file: only what differs is changed, and the previous content is kept as ``.bak``.

    Args:
        encounter: what to save.
        path: the file; one that is not there is made.
        before: what the file said when it was read; None to save whatever it says by now.
        own: the folder of the GM's own files for settings.
        files: where the operations go.

    Raises:
        EncounterChanged: the file does not say `before` any more.
        BadInput, OSError: the file cannot be read or written; what was there is there.
    """
    if not path.exists():
        save_new(encounter, path, own=own, files=files)
        return
    text, mark, ends = _read(path)
    before_edit = _try_read(text, path, own)
    if before is not None and before_edit != replace(before, usual={}):
        raise EncounterChanged(path)
    new_text = (
        edit_encounter(text, encounter, path.parent, own) if before_edit is not None else encounter_to_toml(encounter)
    )
    if new_text != text:
        read_encounter(new_text, path.name, path.parent, own)
        write_atomically(path, (mark + new_text.replace("\n", ends)).encode(), keep_previous=True, files=files)


def rename_encounter(path: Path, name: str, own: Path | None = None, files: FileLayer = REAL_FILES) -> Path:
    """Call an encounter and its file by another name; its ``.bak`` goes along, or what it said until now becomes it.

    Returns:
        Where it is now; where it was, if both names give the same file.

    Raises:
        FileExistsError: there is a file of that name already; nothing has changed.
        BadInput, OSError: it cannot be read or written; what was there is there.
    """
    text, mark, ends = _read(path)
    before = read_encounter(text, str(path), path.parent, own)
    target = encounter_path(path.parent, name)
    if target == path:
        save_over(replace(before, name=name), path, before, own, files)
        return path
    new_text = edit_encounter(text, replace(before, name=name), path.parent, own)
    # What its notes tell a reader to type.
    for old, now in ((f"fightcall play {path.stem}\n", f"fightcall play {target.stem}\n"), (str(path), str(target))):
        new_text = new_text.replace(old, now)
    read_encounter(new_text, target.name, target.parent, own)
    write_new(target, (mark + new_text.replace("\n", ends)).encode(), files)
    backup = backup_of(path)
    if backup.exists():
        files.replace(backup, backup_of(target))
        files.unlink(path)
    else:
        files.replace(path, backup_of(target))
    return target


def _read(path: Path) -> tuple[str, str, str]:
    """A file's text with plain line ends, the mark before it, and the line ends that it has."""
    try:
        raw = read_bytes(path, LARGEST_FILE).decode()
    except UnicodeDecodeError as error:
        raise BadInput(str(path), (f"is not UTF-8 text (byte {error.start})",)) from error
    ends = "\r\n" if "\r\n" in raw else "\n"
    mark = _MARK if raw.startswith(_MARK) else ""
    return raw.removeprefix(_MARK).replace("\r\n", "\n"), mark, ends


def _try_read(text: str, path: Path, own: Path | None) -> Encounter | None:
    """What a file says, None where it cannot be read."""
    try:
        return replace(read_encounter(text, str(path), path.parent, own), usual={})
    except BadInput:
        return None
