"""The library: the catalogue of fights and of combatant templates, and the folders of their files.

::

    <folder>/library.json        the catalogue, TinyDB on `SafeStorage`; ``.bak`` is its previous generation
    <folder>/fights/<id>.jsonl   the journals, from which fights are loaded
    <folder>/trash/              deleted journals, until the trash is emptied

The folder of a fight's file decides its status; its card is a summary that is rebuilt from the journal whenever they
disagree. Folders are created when something is written, not when a path is requested.
"""

from __future__ import annotations

import errno
import itertools
import os
import re
import sys
import unicodedata
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from fightcall_engine.archive.fsutil import (
    REAL_FILES,
    FileLayer,
    HeldFile,
    LibraryChanged,
    LibraryDamaged,
    LibraryTooNew,
    LockedByAnother,
    NotStorable,
    UnknownRecord,
    backup_of,
    clear_stale,
    keep_aside,
    write_atomically,
    write_new,
)
from fightcall_engine.archive.journal import read_journal
from fightcall_engine.archive.lines import Record, encode_journal
from fightcall_engine.files.texts import read_bytes
from fightcall_engine.model.values import frozen, utc_now

if TYPE_CHECKING:
    from fightcall_engine.archive.catalogue import Catalogue, CombatantTemplate, FightCard, Reconciled, Summarise

__all__ = [
    "Library",
    "LibraryChanged",
    "LibraryDamaged",
    "LibraryTooNew",
    "LockedByAnother",
    "NotStorable",
    "Recovery",
    "UnknownRecord",
]

_ID_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"


@frozen
class Recovery:
    """How a damaged library was recovered.

    Attributes:
        kept_as: the copy of the damaged file; None if the file did not exist.
        source: ``backup``, or ``journals`` if only the list of fights could be rebuilt.
    """

    kept_as: Path | None
    source: Literal["backup", "journals"]


class Library:
    """The library of a folder. Use `open`, or `recover` after LibraryDamaged.

    Attributes:
        folder: the folder of all its files.
        reconciled: what was corrected when it was opened.
        recovery: what `recover` did; None after a plain `open`.
    """

    def __init__(self, folder: Path, catalogue: Catalogue, now: Callable[[], str], files: FileLayer) -> None:
        """Use `open` or `recover`."""
        from fightcall_engine.archive.catalogue import Reconciled

        self.folder = folder
        self.reconciled: Reconciled = Reconciled()
        self.recovery: Recovery | None = None
        self._catalogue = catalogue
        self._now = now
        self._files = files

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        summarise: Summarise | None = None,
        now: Callable[[], str] = utc_now,
        files: FileLayer = REAL_FILES,
    ) -> Library:
        """Open the library of a folder, which need not exist yet, and make its cards agree with the journals.

        Raises:
            LibraryDamaged: the catalogue cannot be read; see `recover`.
            LibraryTooNew: a newer Fight Call wrote it.
        """
        from fightcall_engine.archive.catalogue import Catalogue, SafeStorage

        for place in (folder, folder / "fights", folder / "trash"):
            clear_stale(place)
        library = cls(folder, Catalogue(SafeStorage(folder / "library.json", files=files)), now, files)
        library.reconciled = library._reconcile(summarise)
        return library

    @classmethod
    def recover(
        cls,
        folder: Path,
        *,
        summarise: Summarise | None = None,
        now: Callable[[], str] = utc_now,
        files: FileLayer = REAL_FILES,
    ) -> Library:
        """Open a library whose catalogue is damaged: move it aside, and use the ``.bak`` or start with an empty one.

        In either case the list of fights is rebuilt from the journals. An undamaged library is just opened. One written
        by a newer Fight Call is moved aside, too.

        Raises:
            LockedByAnother: another program is changing it.
            OSError: the folder cannot be written to.
        """
        from fightcall_engine.archive.catalogue import Catalogue, SafeStorage

        storage = SafeStorage(folder / "library.json", files=files)
        recovery = None
        try:
            Catalogue(storage).problems()
        except (LibraryDamaged, LibraryTooNew):
            with storage.transaction():
                recovery = _replace_damaged(storage.path, files)
        library = cls.open(folder, summarise=summarise, now=now, files=files)
        library.recovery = recovery
        return library

    def close(self) -> None:
        """Close the library; it keeps no file open between calls."""
        self._catalogue.storage.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    # Fights

    def fights(self) -> list[FightCard]:
        """The cards of the fights in use, newest first."""
        return [card for card in self._fight_cards() if card.trashed is None]

    def trashed(self) -> list[FightCard]:
        """The cards of the fights in the trash, newest first."""
        return [card for card in self._fight_cards() if card.trashed is not None]

    def card(self, fight: str) -> FightCard:
        """The card of a fight, also of one in the trash.

        Raises:
            UnknownRecord: there is no such fight.
        """
        cards = {card.id: card for card in self._fight_cards()}
        if fight not in cards:
            raise UnknownRecord("fight", fight, cards)
        return cards[fight]

    def put_card(self, card: FightCard) -> None:
        """Save a card; it replaces one with the same id."""
        self._catalogue.put(card, "id")

    def new_id(self, name: str) -> str:
        """A readable, unused id for a new fight, which is a valid file name on every system."""
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        slug = re.sub(r"[^a-z0-9]+", "-", plain)[:24].strip("-") or "fight"
        while True:
            tail = "".join(_ID_LETTERS[byte % len(_ID_LETTERS)] for byte in os.urandom(4))
            fight = f"{slug}-{tail}"
            if not self.journal_path(fight).exists() and not self._trash_path(fight).exists():
                return fight

    def journal_path(self, fight: str) -> Path:
        """The path of a fight's journal, whether it exists or not.

        Raises:
            ValueError: the id is invalid.
        """
        return self.folder / "fights" / f"{_checked_id(fight)}.jsonl"

    def rename(self, fight: str, name: str) -> FightCard:
        """Rename a fight in the library; the name in its journal stays.

        Raises:
            UnknownRecord: there is no such fight.
            ValueError: the name is empty or longer than 200 characters.
        """
        with self._transaction():
            return self._change_card(fight, name=name, updated=self._now())

    def duplicate(self, fight: str, new_name: str) -> FightCard:
        """Copy a fight, with all its history, under a new id and name.

        Raises:
            UnknownRecord: there is no such fight.
            DamagedJournal: its journal must be repaired first.
            ValueError: the name is empty or longer than 200 characters.
        """
        from fightcall_engine.archive.catalogue import FightCard

        self._must_be_among(fight, self.fights())
        with self._transaction():
            old, fresh, moment = self.card(fight), self.new_id(new_name), self._now()
            changes: dict[str, object] = {"id": fresh, "name": new_name, "created": moment, "updated": moment}
            card = FightCard.model_validate({**old.model_dump(), **changes})
            reading = read_journal(self.journal_path(fight))
            new_names: Record = {key: changes[key] for key in ("id", "name") if key in reading.header}
            write_new(
                self.journal_path(fresh), encode_journal({**reading.header, **new_names}, reading.records), self._files
            )
            self.put_card(card)
        return card

    def trash(self, fight: str) -> FightCard:
        """Put a fight in the trash.

        Raises:
            UnknownRecord: there is no such fight in use.
            LockedByAnother: it is open.
        """
        self._must_be_among(fight, self.fights())
        with self._transaction():
            self._move(self.journal_path(fight), self._trash_path(fight))
            return self._change_card(fight, trashed=self._now())

    def restore(self, fight: str) -> FightCard:
        """Take a fight out of the trash.

        Raises:
            UnknownRecord: there is no such fight in the trash.
            FileExistsError: a journal of that id is in use.
        """
        self._must_be_among(fight, self.trashed())
        if self.journal_path(fight).exists():
            raise FileExistsError(f"{self.journal_path(fight)} exists; trash or rename it first")
        with self._transaction():
            self._move(self._trash_path(fight), self.journal_path(fight))
            return self._change_card(fight, trashed=None)

    def empty_trash(self) -> tuple[str, ...]:
        """Delete everything in the trash for good; returns the ids of the deleted fights."""
        from fightcall_engine.archive.catalogue import FightCard

        ids = tuple(card.id for card in self.trashed())
        with self._transaction():
            for fight in ids:
                for path in _files_of(self._trash_path(fight)):
                    path.unlink(missing_ok=True)
                self._catalogue.remove(FightCard, id=fight)
        return ids

    # Templates

    def templates(self, system: str | None = None) -> list[CombatantTemplate]:
        """The combatant templates of a system, or all, by name."""
        from fightcall_engine.archive.catalogue import CombatantTemplate

        templates = [card for card in self._catalogue.cards(CombatantTemplate) if system in (None, card.system)]
        return sorted(templates, key=lambda card: (card.name.casefold(), card.system))

    def save_template(self, template: CombatantTemplate) -> None:
        """Save a template; it replaces one with the same system and name."""
        self._catalogue.put(template, "system", "name")

    def problems(self) -> list[str]:
        """Problems in the library that were not corrected, as one line each for the user."""
        lines = [f"{name}: {problem}" for name, problem in self.reconciled.problems]
        return lines + self._catalogue.problems()

    # Inside

    def _fight_cards(self) -> list[FightCard]:
        from fightcall_engine.archive.catalogue import FightCard

        cards = self._catalogue.cards(FightCard)
        return sorted(cards, key=lambda card: (card.updated, card.created, card.id), reverse=True)

    def _change_card(self, fight: str, **changes: object) -> FightCard:
        from fightcall_engine.archive.catalogue import FightCard

        card = FightCard.model_validate({**self.card(fight).model_dump(), **changes})
        self.put_card(card)
        return card

    def _reconcile(self, summarise: Summarise | None) -> Reconciled:
        from fightcall_engine.archive.catalogue import FightCard, reconcile

        fights, trash = self.folder / "fights", self.folder / "trash"

        def compare() -> tuple[dict[str, FightCard], Reconciled]:
            cards = {card.id: card for card in self._fight_cards()}
            return reconcile(fights, trash, cards, summarise, self._now())

        _, result = compare()
        if result.has_changes:
            with self._transaction():
                corrected, result = compare()
                self._catalogue.replace_all(FightCard, corrected.values())
        return result

    def _transaction(self) -> AbstractContextManager[None]:
        return self._catalogue.storage.transaction()

    def _must_be_among(self, fight: str, cards: list[FightCard]) -> None:
        ids = [card.id for card in cards]
        if fight not in ids:
            raise UnknownRecord("fight", fight, ids)

    def _trash_path(self, fight: str) -> Path:
        return self.folder / "trash" / f"{_checked_id(fight)}.jsonl"

    def _move(self, source: Path, target: Path) -> None:
        with HeldFile(source) as held_file:
            target.parent.mkdir(parents=True, exist_ok=True)
            if sys.platform == "win32":
                held_file.release()  # Windows cannot move open files.
            # The journal last, because its folder decides the fight's status.
            for path in reversed(_files_of(source)):
                self._files.replace(path, target.with_name(path.name))
            self._files.sync_folder(target.parent)
            self._files.sync_folder(source.parent)


def _checked_id(fight: str) -> str:
    from fightcall_engine.archive.catalogue import FIGHT_ID

    if re.fullmatch(FIGHT_ID, fight) is None:
        raise ValueError(f"{fight!r} isn't the id of a fight; an id is a-z, 0-9 and single hyphens")
    return fight


def _files_of(journal: Path) -> list[Path]:
    other_files = (path for path in journal.parent.glob(f"{journal.name}.*") if path.suffix != ".lock")
    return [journal, *sorted(other_files)]


def _replace_damaged(path: Path, files: FileLayer) -> Recovery:
    from fightcall_engine.archive.catalogue import LARGEST_LIBRARY, Catalogue, SafeStorage, serialise

    kept_as = _put_aside(path, LARGEST_LIBRARY, files)
    backup = backup_of(path)
    source: Literal["backup", "journals"] = "journals"
    data = serialise({})
    with suppress(OSError, LibraryDamaged, LibraryTooNew):
        if backup.exists():
            Catalogue(SafeStorage(backup)).problems()
            data, source = read_bytes(backup, LARGEST_LIBRARY), "backup"
    write_atomically(path, data, keep_previous=False, files=files)
    return Recovery(kept_as, source)


def _put_aside(path: Path, most: int, files: FileLayer) -> Path | None:
    """Copy a file aside; a folder or unreadable file is moved instead. None if it does not exist."""
    if not os.path.lexists(path):
        return None
    try:
        return keep_aside(path, read_bytes(path, most), "damaged", files)
    except OSError as problem:
        if problem.errno == errno.ENOSPC:
            raise
    for k in itertools.count(1):
        aside = path.with_name(f"{path.name}.damaged-{k}")
        if not os.path.lexists(aside):
            files.replace(path, aside)
            return aside
    raise AssertionError("unreachable")
