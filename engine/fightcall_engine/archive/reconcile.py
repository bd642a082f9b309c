"""Making the cards of fights agree with the journals in the folders."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from fightcall_engine.archive.cards import FIGHT_ID, FightCard
from fightcall_engine.archive.journal import last_record, read_journal, read_trustworthy
from fightcall_engine.archive.lines import DamagedJournal, Reading
from fightcall_engine.model.errors import TooOld
from fightcall_engine.model.values import frozen

Summarise: TypeAlias = Callable[[Reading], Mapping[str, object]]
"""Computes the fields of a fight's card that are not in the journal's header."""


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

    @property
    def has_changes(self) -> bool:
        """True if any card was added, removed or refreshed."""
        return bool(self.added or self.removed or self.refreshed)


def reconcile(
    fights: Path,
    trash: Path,
    cards: Mapping[str, FightCard],
    summarise: Summarise | None,
    now: str,
) -> tuple[dict[str, FightCard], Reconciled]:
    """The correct cards, and how they differ from the given ones.

    Args:
        fights: the folder of journals in use.
        trash: the folder of deleted journals.
        cards: the existing cards by id.
        summarise: see `Summarise`; without it, cards only have the header's fields.
        now: the time to record for a fight that is found in the trash.
    """
    journals, problems = _find_journals(fights, trash)
    correct_cards: dict[str, FightCard] = {}
    added_keys, refreshed_keys, old_keys = [], [], list[str]()
    for key, (path, is_trashed) in journals.items():
        old = cards.get(key)
        if old is not None and _agree(old, path, is_trashed):
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


def _find_journals(fights: Path, trash: Path) -> tuple[dict[str, tuple[Path, bool]], list[tuple[str, str]]]:
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
    return journals, problems


def _agree(card: FightCard, path: Path, is_trashed: bool) -> bool:
    try:
        return bool(card.trashed) == is_trashed and last_record(path).get("n") == card.last_number
    except (DamagedJournal, TooOld, OSError):
        return False


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
