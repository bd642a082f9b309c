"""The library: the catalogue of fights and of combatant templates, and the folders of their files.

::

    <folder>/library.json        the catalogue, TinyDB on `SafeStorage`; ``.bak`` is its previous generation
    <folder>/fights/<id>.jsonl   the journals, from which fights are loaded
    <folder>/trash/              deleted journals, until the trash is emptied

The folder of a fight's file decides its status; its card is a summary that is rebuilt from the journal whenever they
disagree. Folders are created when something is written, not when a path is requested.

TinyDB's own JSON storage writes in place, so that a crash can leave the file unreadable or, worse, readable
and wrong; it takes a blank file for a new database; and two programs overwrite each other's changes. With
`SafeStorage` the new content is complete before it atomically replaces the old, and is refused if the file has
changed since it was read. Each read parses the file, so that results share no data.
"""

from __future__ import annotations

import errno
import itertools
import json
import os
import re
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from math import isfinite
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from tinydb import Query
from tinydb.storages import Storage
from tinydb.table import Table

from fightcall_engine.archive.fsutil import (
    REAL_FILES,
    FileLayer,
    HeldFile,
    LibraryChanged,
    LibraryDamaged,
    LibraryTooNew,
    Lock,
    NotStorable,
    UnknownRecord,
    backup_of,
    clear_stale,
    keep_aside,
    resolve_link,
    write_atomically,
    write_new,
)
from fightcall_engine.archive.journal import last_record, read_journal, read_trustworthy
from fightcall_engine.archive.lines import DamagedJournal, Reading, Record, encode_journal, refuse_constant
from fightcall_engine.files import read_bytes
from fightcall_engine.model.errors import TooOld
from fightcall_engine.model.values import frozen, utc_now

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
    """The library of a folder, by `open` or `recover`; what was `reconciled`, and the `recovery` if there was one."""

    def __init__(self, folder: Path, catalogue: Catalogue, now: Callable[[], str], files: FileLayer) -> None:
        """Use `open` or `recover`."""
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

        Raises LibraryDamaged: the catalogue cannot be read; LibraryTooNew: a newer Fight Call wrote it.
        """
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
        storage = SafeStorage(folder / "library.json", files=files)
        recovery = None
        try:
            Catalogue(storage).problems()
        except (LibraryDamaged, LibraryTooNew):
            with storage.transaction():
                kept_as = _put_aside(storage.path, LARGEST_LIBRARY, files)
                backup = backup_of(storage.path)
                source: Literal["backup", "journals"] = "journals"
                data = serialise({})
                with suppress(OSError, LibraryDamaged, LibraryTooNew):
                    if backup.exists():
                        Catalogue(SafeStorage(backup)).problems()
                        data, source = read_bytes(backup, LARGEST_LIBRARY), "backup"
                write_atomically(storage.path, data, keep_previous=False, files=files)
                recovery = Recovery(kept_as, source)
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
        """The card of a fight, also of one in the trash. Raises UnknownRecord: there is no such fight."""
        cards = {card.id: card for card in self._fight_cards()}
        if fight not in cards:
            raise UnknownRecord(fight, cards)
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
        """The path of a fight's journal, whether it exists or not. Raises ValueError: the id is invalid."""
        return self.folder / "fights" / f"{_checked_id(fight)}.jsonl"

    def rename(self, fight: str, name: str) -> FightCard:
        """Rename a fight in the library; the name in its journal stays.

        Raises UnknownRecord: there is no such fight; ValueError: the name is empty or longer than 200 characters.
        """
        with self._transaction():
            return self._change_card(fight, name=name, updated=self._now())

    def duplicate(self, fight: str, new_name: str) -> FightCard:
        """Copy a fight, with all its history, under a new id and name.

        Raises UnknownRecord: there is none; DamagedJournal: to be repaired first; ValueError: the name is too long.
        """
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
        """Put a fight in the trash. Raises UnknownRecord: there is none in use; LockedByAnother: it is open."""
        self._must_be_among(fight, self.fights())
        with self._transaction():
            self._move(self.journal_path(fight), self._trash_path(fight))
            return self._change_card(fight, trashed=self._now())

    def restore(self, fight: str) -> FightCard:
        """Take a fight out of the trash. Raises UnknownRecord: there is none; FileExistsError: its id is in use."""
        self._must_be_among(fight, self.trashed())
        if self.journal_path(fight).exists():
            raise FileExistsError(f"{self.journal_path(fight)} exists; trash or rename it first")
        with self._transaction():
            self._move(self._trash_path(fight), self.journal_path(fight))
            return self._change_card(fight, trashed=None)

    def empty_trash(self) -> tuple[str, ...]:
        """Delete everything in the trash for good; returns the ids of the deleted fights."""
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
        cards = self._catalogue.cards(FightCard)
        return sorted(cards, key=lambda card: (card.updated, card.created, card.id), reverse=True)

    def _change_card(self, fight: str, **changes: object) -> FightCard:
        card = FightCard.model_validate({**self.card(fight).model_dump(), **changes})
        self.put_card(card)
        return card

    def _reconcile(self, summarise: Summarise | None) -> Reconciled:
        fights, trash = self.folder / "fights", self.folder / "trash"

        def compare() -> tuple[dict[str, FightCard], Reconciled]:
            cards = {card.id: card for card in self._fight_cards()}
            return reconcile(fights, trash, cards, summarise, self._now())

        _, result = compare()
        if result.added or result.removed or result.refreshed:
            with self._transaction():
                corrected, result = compare()
                self._catalogue.replace_all(FightCard, corrected.values())
        return result

    def _transaction(self) -> AbstractContextManager[None]:
        return self._catalogue.storage.transaction()

    def _must_be_among(self, fight: str, cards: list[FightCard]) -> None:
        ids = [card.id for card in cards]
        if fight not in ids:
            raise UnknownRecord(fight, ids)

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
    if re.fullmatch(FIGHT_ID, fight) is None:
        raise ValueError(f"{fight!r} isn't the id of a fight; an id is a-z, 0-9 and single hyphens")
    return fight


def _files_of(journal: Path) -> list[Path]:
    other_files = (path for path in journal.parent.glob(f"{journal.name}.*") if path.suffix != ".lock")
    return [journal, *sorted(other_files)]


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


FIGHT_ID = r"^[a-z0-9]+(-[a-z0-9]+)*$"
"""The pattern of fight ids, which are safe as file names on every system."""

FightId = Annotated[str, Field(pattern=FIGHT_ID, max_length=60)]
Name = Annotated[str, Field(min_length=1, max_length=200)]

Tables: TypeAlias = dict[str, dict[str, dict[str, object]]]
"""Table name -> document number -> document."""

LARGEST_LIBRARY = 50_000_000
"""The largest size of a library in bytes; a fight's card has about 300."""

LOCK_WAIT_S = 5.0
"""How long a writer waits for another program's change, in seconds."""

SCHEMA = 1
"""The version of the tables."""
_SCHEMA_KEY = Query().fragment({"key": "schema"})

Summarise: TypeAlias = Callable[[Reading], Mapping[str, object]]
"""Computes the fields of a fight's card that are not in the journal's header."""


class Card(BaseModel):
    """The base of all records: immutable, without unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FightCard(Card):
    """A fight as listed in the library; everything in it can be rebuilt from the journal.

    Attributes:
        created: when the fight was started, in ISO 8601 and UTC; ``updated`` likewise.
        clock_s: seconds of game time.
        entries: the number of commands that led to the present state.
        branches: the number of other branches, without dropped ones.
        combatants: their names.
        last_number: the number of the last journal record included in this card.
        trashed: when it was put in the trash; None while it is in use.
    """

    id: FightId
    name: Name
    system: Name
    status: Literal["setup", "running", "ended"] = "setup"
    created: str = ""
    updated: str = ""
    round: int = Field(default=0, ge=0)
    clock_s: float = Field(default=0, ge=0, allow_inf_nan=False)
    entries: int = Field(default=0, ge=0)
    branches: int = Field(default=0, ge=0)
    combatants: list[str] = Field(default_factory=list)
    last_number: int = Field(default=0, ge=0)
    trashed: str | None = None


class CombatantTemplate(Card):
    """A combatant that can be added to fights, which copy it. System and name identify it."""

    name: Name
    system: Name
    side: str = ""
    sheet: dict[str, JsonValue] = Field(default_factory=dict)
    notes: str = ""
    fights: str = ""


# The library's file


class SafeStorage(Storage):
    """Stores TinyDB's tables in one JSON file, one document per line. The file is created by the first write.

    Threads can share it if each change is made within `transaction`.
    """

    def __init__(self, path: Path, *, files: FileLayer = REAL_FILES, lock_wait_s: float = LOCK_WAIT_S) -> None:
        """Set the file; ``lock_wait_s`` is how long a change waits for another program's."""
        self.path = resolve_link(path)
        self._files = files
        self._lock = Lock(self.path, timeout=lock_wait_s)
        self._turn = threading.RLock()
        self._depth = 0
        self._seen: bytes | None = None

    def read(self) -> Tables | None:
        """The tables on disk; None without a file. Raises OSError or LibraryDamaged: its content is not a library."""
        data = self._bytes()
        tables = None if data is None else parse(self.path, data)
        self._seen = data
        return tables

    def write(self, data: Tables) -> None:
        """Replace the file, and keep the previous one as ``.bak``.

        Raises NotStorable: the tables are not JSON; LibraryChanged: by another program since it was read; OSError.
        """
        new = serialise(data)
        with self.transaction():
            if self._bytes() != self._seen:
                raise LibraryChanged(f"{self.path} was changed by another program; nothing was written")
            write_atomically(self.path, new, keep_previous=True, files=self._files)
            self._seen = new

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Exclude writes of other programs and threads. Raises LockedByAnother: another did not finish in time."""
        with self._turn:
            if not self._depth:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._lock.take()
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if not self._depth:
                    self._lock.release()

    def _bytes(self) -> bytes | None:
        try:
            return read_bytes(self.path, LARGEST_LIBRARY)
        except FileNotFoundError:
            if backup_of(self.path).exists():
                raise LibraryDamaged(self.path, None, "the file is gone", "a library beside its .bak") from None
            return None
        except OSError as problem:
            raise LibraryDamaged(self.path, None, problem.strerror or str(problem), "a JSON object") from problem


def serialise(tables: Tables) -> bytes:
    """The tables as JSON, one document per line for the sake of errors. Raises NotStorable: a value is no JSON."""
    try:
        blocks = []
        for name, documents in tables.items():
            rows = [f"{_encode(str(key))}:{_encode(document)}" for key, document in documents.items()]
            blocks.append(f"{_encode(name)}:{{\n" + ",\n".join(rows) + "\n}")
    except (TypeError, ValueError, RecursionError) as problem:
        raise NotStorable(f"not JSON: {problem}") from problem
    return ("{\n" + ",\n".join(blocks) + "\n}\n").encode("ascii")


def parse(path: Path, data: bytes) -> Tables:
    """Parse the tables from a file. Raises LibraryDamaged: it is blank, not JSON, or JSON of another structure."""
    if not data.strip(b" \t\r\n\0"):
        raise LibraryDamaged(path, 1, "the file is blank", "a JSON object")
    try:
        tables: Tables = _decode(data.decode("utf-8"))
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise LibraryDamaged(path, line, "not UTF-8 text", "a JSON object") from problem
    except json.JSONDecodeError as problem:
        problem_text = f"not JSON: {problem.msg}"
        raise LibraryDamaged(path, problem.lineno, problem_text, "a JSON object") from problem
    except (ValueError, RecursionError) as problem:
        raise LibraryDamaged(path, None, f"not JSON: {problem}", "a JSON object") from problem
    documents = [document for table in _values(tables) for document in _values(table)]
    for content in (tables, *_values(tables), *documents):
        if not isinstance(content, dict):
            raise LibraryDamaged(path, None, f"{content!r:.40}", "tables of numbered documents")
    for number in (number for table in tables.values() for number in table):
        if re.fullmatch("[0-9]{1,15}", number) is None:
            raise LibraryDamaged(path, None, f"a document numbered {number!r:.40}", "a whole number")
    return tables


def _values(document: object) -> list[object]:
    return list(document.values()) if isinstance(document, dict) else []


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(f"{digits:.40} is too large a number")
    return number


_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_decode = json.JSONDecoder(parse_constant=refuse_constant, parse_float=_finite).decode


# The catalogue


CardT = TypeVar("CardT", bound=Card)

MODELS: dict[str, type[Card]] = {"fights": FightCard, "templates": CombatantTemplate}


class Catalogue:
    """Tables of cards in one storage. Invalid records are kept and reported."""

    def __init__(self, storage: SafeStorage) -> None:
        """Open a storage. Raises LibraryDamaged: it cannot be read; LibraryTooNew: a newer Fight Call wrote it."""
        self.storage = storage
        document = self._table("meta").get(_SCHEMA_KEY)
        schema = None if document is None else document.get("value")
        self._has_schema = schema is not None
        if schema not in (None, SCHEMA):
            raise LibraryTooNew(storage.path, schema, SCHEMA)

    def cards(self, model: type[CardT]) -> list[CardT]:
        """All valid cards of a kind, in the order in which they were added."""
        return self._validate(_table_of(model), model)[0]

    def put(self, card: Card, *identity: str) -> None:
        """Store a card, replacing one with the same values in the fields ``identity``."""
        with self.storage.transaction():
            self._ensure_schema()
            document = card.model_dump()
            same = Query().fragment({key: document[key] for key in identity})
            self._table(_table_of(type(card))).upsert(document, same)

    def remove(self, model: type[Card], **identity: str) -> bool:
        """Delete the cards with these values; False if there is none."""
        with self.storage.transaction():
            return bool(self._table(_table_of(model)).remove(Query().fragment(identity)))

    def replace_all(self, model: type[Card], cards: Iterable[Card]) -> None:
        """Replace all cards of a kind in one step."""
        with self.storage.transaction():
            self._ensure_schema()
            tables = self.storage.read() or {}
            tables[_table_of(model)] = {str(at): card.model_dump() for at, card in enumerate(cards, start=1)}
            self.storage.write(tables)

    def problems(self) -> list[str]:
        """The invalid records, one line each."""
        return [line for table, model in MODELS.items() for line in self._validate(table, model)[1]]

    def _table(self, name: str) -> Table:
        # Opened again each time: a table caches its next number, which another program may have used meanwhile.
        return Table(self.storage, name, cache_size=0)

    def _validate(self, table: str, model: type[CardT]) -> tuple[list[CardT], list[str]]:
        good, bad = [], []
        for document in self._table(table).all():
            try:
                good.append(model.model_validate(dict(document)))
            except ValueError as problem:
                reason = " ".join(line.strip() for line in str(problem).splitlines()[1:3])
                bad.append(f"{self.storage.path}, {table}, number {document.doc_id}: {reason}")
        return good, bad

    def _ensure_schema(self) -> None:
        if not self._has_schema:
            self._table("meta").upsert({"key": "schema", "value": SCHEMA}, _SCHEMA_KEY)
            self._has_schema = True


def _table_of(model: type[Card]) -> str:
    return next(table for table, card_class in MODELS.items() if card_class is model)


# Agreeing with the journals


@frozen
class Reconciled:
    """What was changed so that cards and journals agree.

    Attributes:
        added: ids of journals that had no card.
        removed: ids of cards whose journal is gone.
        refreshed: ids of cards that differed from their journal.
        problems: (id or file name, problem), for the user.
        too_old: ids of the journals that a version before 0.2 wrote, which are among the problems.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    refreshed: tuple[str, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    too_old: tuple[str, ...] = ()


def reconcile(
    fights: Path, trash: Path, cards: Mapping[str, FightCard], summarise: Summarise | None, now: str
) -> tuple[dict[str, FightCard], Reconciled]:
    """The correct cards, and how they differ from the given ones.

    Without `summarise`, cards only have the header's fields. `now` is recorded for a fight found in the trash.
    """
    journals: dict[str, tuple[Path, bool]] = {}
    problems: list[tuple[str, str]] = []
    for folder, is_trashed in ((fights, False), (trash, True)):
        for path in sorted(folder.glob("[!.]*.jsonl")) if folder.is_dir() else ():
            if re.fullmatch(FIGHT_ID, path.stem) is None:
                problems.append((path.name, "not listed: a journal is named in a-z, 0-9 and single hyphens"))
            elif path.stem in journals:
                problems.append((path.stem, f"is in {fights.name} and in {trash.name}; the first one counts"))
            else:
                journals[path.stem] = (path, is_trashed)
    correct_cards: dict[str, FightCard] = {}
    added_keys, refreshed_keys, old_keys = [], [], list[str]()
    for key, (path, is_trashed) in journals.items():
        old = cards.get(key)
        with suppress(DamagedJournal, TooOld, OSError):
            if old is not None and bool(old.trashed) == is_trashed and last_record(path).get("n") == old.last_number:
                correct_cards[key] = old
                continue
        try:
            reading = _read(key, path, problems)
        except TooOld as problem:
            problems.append((key, str(problem)))
            old_keys.append(key)
            reading = None
        if reading is None:
            if old is not None:
                correct_cards[key] = old
            continue
        gone_in_trash = (old.trashed if old is not None and old.trashed else now) if is_trashed else None
        correct_cards[key], problem_text = fresh_card(key, reading, old, summarise, gone_in_trash)
        if problem_text:
            problems.append((key, problem_text))
        if old is None:
            added_keys.append(key)
        elif correct_cards[key] != old:
            refreshed_keys.append(key)
    removed_keys = tuple(key for key in cards if key not in correct_cards)
    return correct_cards, Reconciled(
        tuple(added_keys), removed_keys, tuple(refreshed_keys), tuple(problems), tuple(old_keys)
    )


def _read(key: str, path: Path, problems: list[tuple[str, str]]) -> Reading | None:
    try:
        try:
            return read_journal(path)
        except DamagedJournal as problem:
            problems.append((key, str(problem)))
            return read_trustworthy(path)
    except DamagedJournal:
        return None
    except OSError as problem:
        problems.append((key, str(problem)))
        return None


def fresh_card(
    key: str, reading: Reading, old: FightCard | None, summarise: Summarise | None, trashed_at: str | None
) -> tuple[FightCard, str]:
    """A card made from a journal, and the error of its summary; empty if it succeeded.

    Name and date come from the old card, because renaming does not change the journal.
    """
    header = reading.header
    plain: dict[str, object] = {
        "name": str(header.get("name") or key)[:200],
        "system": str(header.get("system") or "unknown")[:200],
        "created": str(header.get("created") or header.get("at") or ""),
    }
    fixed_fields: dict[str, object] = {"id": key, "last_number": reading.last_number, "trashed": trashed_at}
    if old is not None:
        plain = old.model_dump()
        fixed_fields |= {"name": old.name, "created": old.created}
    problem = ""
    if summarise is not None:
        try:
            return FightCard.model_validate({**plain, **summarise(reading), **fixed_fields}), ""
        except TooOld as reason:
            problem = str(reason)
        except Exception as reason:  # A journal that cannot be summarised must not hide all others.
            problem = f"its summary failed: {type(reason).__name__}: {reason}"
    return FightCard.model_validate({**plain, **fixed_fields}), problem
