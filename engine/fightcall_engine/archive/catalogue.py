"""The catalogue: the library's records in TinyDB tables, validated by their models when they are read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from tinydb import Query
from tinydb.table import Table

from fightcall_engine.archive.cards import Card, CombatantTemplate, FightCard
from fightcall_engine.archive.fsutil import LibraryTooNew
from fightcall_engine.archive.storage import SafeStorage

CardT = TypeVar("CardT", bound=Card)

SCHEMA = 1
"""The version of the tables."""
_SCHEMA_KEY = Query().fragment({"key": "schema"})

MODELS: dict[str, type[Card]] = {
    "fights": FightCard,
    "templates": CombatantTemplate,
}


class Catalogue:
    """Tables of cards in one storage. Invalid records are kept and reported."""

    def __init__(self, storage: SafeStorage) -> None:
        """Open a storage, after checking its version.

        Raises:
            LibraryDamaged: the file cannot be read.
            LibraryTooNew: a newer Fight Call wrote it.
        """
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
