"""The library: cards, journals, trash, templates, and getting all of it back."""

from __future__ import annotations

import itertools
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from fightcall_engine.archive.fsutil import LockedByAnother
from fightcall_engine.archive.journal import Journal, read_journal
from fightcall_engine.archive.library import (
    FIGHT_ID,
    CombatantTemplate,
    FightCard,
    Library,
    LibraryDamaged,
    LibraryTooNew,
    NotStorable,
    UnknownRecord,
)
from fightcall_engine.archive.lines import DamagedJournal

CMD = {"t": "cmd", "on": 0, "cmd": {"type": "Advance"}, "ev": []}


def summarise(reading):
    return {"status": "running", "entries": len(reading.records), "round": 2, "combatants": ["Ash"]}


@pytest.fixture
def now():
    moments = itertools.count()
    return lambda: f"2024-05-01T18:{next(moments):02}:00+00:00"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def open_library(folder, now):
    return lambda **options: Library.open(folder, summarise=summarise, now=now, **options)


@pytest.fixture
def library(open_library) -> Library:
    return open_library()


def begin(library: Library, name: str, moment: str = "2024-05-01T17:00:00+00:00", entries: int = 2) -> FightCard:
    fight = library.new_id(name)
    header = {"id": fight, "name": name, "system": "stage", "at": moment}
    with Journal.create(library.journal_path(fight), header, sync="none") as journal:
        for _ in range(entries):
            journal.append(CMD)
    card = FightCard(id=fight, name=name, system="stage", created=moment, updated=moment, last_number=entries)
    library.put_card(card)
    return card


def contents(folder: Path) -> list[str]:
    return sorted(found.name for found in folder.iterdir() if found.suffix != ".lock")


# Fights


def test_looking_at_a_new_library_creates_nothing(library, folder):
    assert library.fights() == library.trashed() == library.templates() == []
    assert library.journal_path(library.new_id("Bridge")).parent == folder / "fights"
    assert library.problems() == []
    assert not folder.exists()


def test_fights_are_listed_newest_first(library, open_library):
    old = begin(library, "Old", "2024-01-01")
    new = begin(library, "New", "2024-03-01")
    middle = begin(library, "Middle", "2024-02-01")
    assert library.fights() == [new, middle, old]
    assert open_library().fights() == [new, middle, old]
    assert library.card(old.id) == old


def test_a_card_is_replaced_by_its_id(library):
    card = begin(library, "Bridge")
    later = card.model_copy(update={"round": 3, "updated": "2025"})
    library.put_card(later)
    assert library.fights() == [later]


def test_an_unknown_fight_is_named_with_those_there_are(library):
    card = begin(library, "Bridge")
    for ask in (library.card, library.trash, library.restore, lambda key: library.rename(key, "x")):
        with pytest.raises(UnknownRecord, match="no-such"):
            ask("no-such")
    with pytest.raises(UnknownRecord, match=card.id):
        library.card("no-such")


@given(st.text(max_size=80))
def test_an_id_is_a_safe_file_name_whatever_the_fight_is_called(name):
    fight = Library.open(Path("/nonexistent/library")).new_id(name)
    assert re.fullmatch(FIGHT_ID, fight)
    assert len(fight) <= 40


def test_an_id_is_readable_and_new_each_time(library):
    made = {library.new_id("Die Brücke bei Nacht!") for _ in range(20)}
    assert len(made) == 20
    assert all(fight.startswith("die-brucke-bei-nacht-") for fight in made)


@pytest.mark.parametrize("bad", ["../x", "a/b", "", "A", "a.b", "-a", "a--b", "a\n", "..", "a\\b"])
def test_an_id_cannot_leave_the_folder(library, bad):
    with pytest.raises(ValueError, match="isn't the id of a fight"):
        library.journal_path(bad)


def test_rename_changes_the_card_and_not_the_journal(library, open_library):
    card = begin(library, "Bridge")
    before = library.journal_path(card.id).read_bytes()
    renamed = library.rename(card.id, "Tower")
    assert renamed.name == "Tower"
    assert renamed.updated != card.updated
    assert library.journal_path(card.id).read_bytes() == before
    assert open_library().card(card.id) == renamed
    with pytest.raises(ValueError, match="name"):
        library.rename(card.id, "")
    assert library.card(card.id) == renamed


def test_a_duplicate_has_all_the_history_and_its_own_life(library):
    card = begin(library, "Bridge")
    copy = library.duplicate(card.id, "Bridge, again")
    assert copy.id != card.id
    assert (copy.name, copy.system, copy.last_number) == ("Bridge, again", "stage", 2)
    source, copied = (read_journal(library.journal_path(found.id)) for found in (card, copy))
    assert copied.records == source.records
    assert copied.header == {**source.header, "id": copy.id, "name": "Bridge, again"}
    with Journal.open(library.journal_path(copy.id)) as journal:
        journal.append(CMD)
    assert read_journal(library.journal_path(card.id)) == source
    assert {found.id for found in library.fights()} == {card.id, copy.id}


def test_a_fight_that_is_open_or_torn_can_be_duplicated(library):
    card = begin(library, "Bridge")
    with Journal.open(library.journal_path(card.id)) as journal:
        journal.append(CMD)
        with library.journal_path(card.id).open("ab") as file:
            file.write(b'{"n":')
        copy = library.duplicate(card.id, "Copy")
    assert read_journal(library.journal_path(copy.id)).last_number == 3
    assert read_journal(library.journal_path(copy.id)).torn is None


def test_a_damaged_fight_is_not_duplicated(library, folder):
    card = begin(library, "Bridge")
    path = library.journal_path(card.id)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[2])
    with pytest.raises(DamagedJournal):
        library.duplicate(card.id, "Copy")
    assert contents(folder / "fights") == [path.name]
    assert [found.id for found in library.fights()] == [card.id]


# Trash


def test_trash_and_restore(library, folder, open_library):
    card, other = begin(library, "Bridge"), begin(library, "Tower")
    aside = library.journal_path(card.id).with_name(f"{card.id}.jsonl.torn-1")
    aside.write_bytes(b"torn")
    gone = library.trash(card.id)
    assert gone.trashed
    assert library.fights() == [other]
    assert library.trashed() == [gone]
    assert contents(folder / "trash") == [f"{card.id}.jsonl", f"{card.id}.jsonl.torn-1"]
    reconciled = open_library().reconciled
    assert (reconciled.added, reconciled.removed, reconciled.refreshed) == ((), (), ())
    if os.name == "posix":  # Windows keeps the name of a lock that was held a moment ago.
        assert list((folder / "fights").glob(f"{card.id}*")) == []
    with pytest.raises(UnknownRecord):
        library.trash(card.id)
    assert library.restore(card.id) == card
    assert library.trashed() == []
    assert contents(folder / "trash") == []
    assert read_journal(library.journal_path(card.id)).last_number == 2
    assert aside.read_bytes() == b"torn"


def test_a_fight_that_is_open_is_not_trashed(library):
    card = begin(library, "Bridge")
    with Journal.open(library.journal_path(card.id)) as journal:
        with pytest.raises(LockedByAnother):
            library.trash(card.id)
        assert library.fights() == [card]
        journal.append(CMD)
    library.trash(card.id)


def test_empty_trash_deletes_only_what_is_in_it(library, folder):
    kept, gone = begin(library, "Kept"), begin(library, "Gone")
    library.trash(gone.id)
    assert library.empty_trash() == (gone.id,)
    assert library.trashed() == []
    assert contents(folder / "trash") == []
    assert library.fights() == [kept]
    assert library.empty_trash() == ()
    with pytest.raises(UnknownRecord):
        library.restore(gone.id)


def test_restore_does_not_overwrite_a_fight_in_use(library):
    card = begin(library, "Bridge")
    library.trash(card.id)
    Journal.create(library.journal_path(card.id), {"name": "Rival"}).close()
    with pytest.raises(FileExistsError):
        library.restore(card.id)
    assert read_journal(library.journal_path(card.id)).header["name"] == "Rival"


def test_a_power_cut_while_trashing_keeps_the_fight_in_one_place(library, folder, now, make_tape, tmp_path):
    card = begin(library, "Bridge")
    tape = make_tape(folder)
    Library.open(folder, summarise=summarise, now=now, files=tape).trash(card.id)
    for k, (_, disk) in enumerate(tape.disks()):
        after = tmp_path / f"after-{k}"
        for path, data in disk.items():
            target = after / path.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        found = Library.open(after, summarise=summarise, now=now)
        assert [one.id for one in (*found.fights(), *found.trashed())] == [card.id]


# Agreement with the journals


def test_a_journal_without_a_card_gets_one(library, open_library, folder):
    card = begin(library, "Bridge")
    (folder / "library.json").unlink()
    (folder / "library.json.bak").unlink()
    again = open_library()
    assert again.reconciled.added == (card.id,)
    (found,) = again.fights()
    assert (found.name, found.system, found.created, found.last_number) == ("Bridge", "stage", card.created, 2)
    assert (found.status, found.round, found.combatants) == ("running", 2, ["Ash"])
    reconciled = open_library().reconciled
    assert (reconciled.added, reconciled.removed, reconciled.refreshed) == ((), (), ())


def test_a_card_without_a_journal_goes(library, open_library):
    card, other = begin(library, "Bridge"), begin(library, "Tower")
    library.journal_path(card.id).unlink()
    again = open_library()
    assert again.reconciled.removed == (card.id,)
    assert again.fights() == [other]


def test_a_card_that_lags_behind_its_journal_is_refreshed(library, open_library):
    card = begin(library, "Bridge")
    library.rename(card.id, "Tower")
    with Journal.open(library.journal_path(card.id)) as journal:
        journal.append(CMD)
    again = open_library()
    assert again.reconciled.refreshed == (card.id,)
    found = again.card(card.id)
    assert (found.last_number, found.entries, found.name) == (3, 3, "Tower")


def test_without_a_summary_a_card_keeps_what_it_told(library, folder, now):
    card = begin(library, "Bridge").model_copy(update={"round": 5, "combatants": ["Ash", "Orc"]})
    library.put_card(card)
    with Journal.open(library.journal_path(card.id)) as journal:
        journal.append(CMD)
    assert Library.open(folder, now=now).card(card.id) == card.model_copy(update={"last_number": 3})


def test_files_moved_by_hand_are_followed(library, open_library, folder):
    card = begin(library, "Bridge")
    (folder / "trash").mkdir()
    library.journal_path(card.id).rename(folder / "trash" / f"{card.id}.jsonl")
    again = open_library()
    assert again.fights() == []
    (gone,) = again.trashed()
    assert (gone.id, bool(gone.trashed)) == (card.id, True)
    again.restore(card.id)
    assert [found.id for found in again.fights()] == [card.id]


def test_one_bad_journal_hides_no_other(library, open_library, folder):
    good, cut, lost = (begin(library, name) for name in ("Good", "Cut", "Lost"))
    lines = library.journal_path(cut.id).read_bytes().splitlines(keepends=True)
    library.journal_path(cut.id).write_bytes(b"".join([*lines[:2], b"rubbish\n", b"rubbish\n"]))
    library.journal_path(lost.id).write_bytes(b"rubbish\n")
    (folder / "fights" / "My Copy.jsonl").write_bytes(lines[0])
    (folder / "library.json").unlink()
    (folder / "library.json.bak").unlink()
    again = open_library()
    assert {found.id: found.last_number for found in again.fights()} == {good.id: 2, cut.id: 1}
    assert {name for name, _ in again.reconciled.problems} == {cut.id, lost.id, "My Copy.jsonl"}
    assert any("line 3" in line for line in again.problems())


def test_a_summary_that_fails_hides_no_fight(library, folder, now):
    card = begin(library, "Bridge")

    def fail(reading):
        raise KeyError("future event")

    library.put_card(card.model_copy(update={"last_number": 0}))
    again = Library.open(folder, now=now, summarise=fail)
    assert [found.id for found in again.fights()] == [card.id]
    assert "future event" in again.problems()[0]


# Templates


def test_templates_are_kept_by_system_and_name(library, open_library):
    orc = CombatantTemplate(name="Orc", system="stage", side="foes", sheet={"agility": 9, "tags": ["big"]})
    ash = CombatantTemplate(name="ash", system="stage")
    other = CombatantTemplate(name="Orc", system="turns")
    for template in (orc, ash, other):
        library.save_template(template)
    assert open_library().templates("stage") == [ash, orc]
    assert library.templates() == [ash, orc, other]
    stronger = orc.model_copy(update={"sheet": {"agility": 15}})
    library.save_template(stronger)
    assert library.templates("stage") == [ash, stronger]


def test_a_template_that_json_cannot_hold_is_refused(library):
    orc = CombatantTemplate(name="Orc", system="stage", sheet={"agility": 9})
    library.save_template(orc)
    with pytest.raises(NotStorable):
        library.save_template(orc.model_copy(update={"sheet": {"agility": float("nan")}}))
    assert library.templates() == [orc]


def test_a_card_takes_no_unknown_field():
    with pytest.raises(ValidationError):
        FightCard(id="a", name="b", system="c", colour="red")


def test_two_programs_lose_nothing(library, open_library):
    other = open_library()
    for k in range(3):
        library.save_template(CombatantTemplate(name=f"a{k}", system="stage"))
        other.save_template(CombatantTemplate(name=f"b{k}", system="stage"))
    assert [found.name for found in library.templates()] == ["a0", "a1", "a2", "b0", "b1", "b2"]
    assert library.templates() == other.templates()


def test_a_record_edited_into_nonsense_is_reported_and_left(library, open_library, folder):
    card = begin(library, "Bridge")
    library.save_template(CombatantTemplate(name="Orc", system="stage", side="foes"))
    library.save_template(CombatantTemplate(name="Ash", system="stage"))
    path = folder / "library.json"
    path.write_bytes(path.read_bytes().replace(b'"side":"foes"', b'"sidde":"foes"'))
    again = open_library()
    assert [found.name for found in again.templates()] == ["Ash"]
    assert again.fights() == [card]
    (problem,) = again.problems()
    assert "templates, number 1: sidde" in problem
    again.save_template(CombatantTemplate(name="Elf", system="stage"))
    assert b'"sidde":"foes"' in path.read_bytes()


# Getting it back


def test_a_damaged_library_is_refused_and_recovered_from_its_backup(library, open_library, folder):
    card = begin(library, "Bridge")
    orc, elf = (CombatantTemplate(name=name, system="stage") for name in ("Orc", "Elf"))
    library.save_template(orc)
    library.save_template(elf)
    path = folder / "library.json"
    path.write_bytes(b'{"fights": ')
    with pytest.raises(LibraryDamaged):
        open_library()
    found = Library.recover(folder, summarise=summarise)
    assert found.recovery is not None
    assert found.recovery.source == "backup"
    assert found.recovery.kept_as == path.with_name("library.json.damaged-1")
    assert found.recovery.kept_as.read_bytes() == b'{"fights": '
    assert found.fights() == [card]
    assert found.templates() == [orc]
    assert open_library().fights() == [card]


def test_without_a_backup_the_fights_come_back_from_their_journals(library, open_library, folder):
    fights = [begin(library, name) for name in ("Bridge", "Tower")]
    trashed = begin(library, "Gone")
    library.trash(trashed.id)
    for name in ("library.json", "library.json.bak"):
        (folder / name).write_bytes(b"\0" * 100)
    found = Library.recover(folder, summarise=summarise)
    assert found.recovery is not None
    assert found.recovery.source == "journals"
    assert {card.id for card in found.fights()} == {card.id for card in fights}
    assert [card.id for card in found.trashed()] == [trashed.id]
    assert len(open_library().fights()) == 2


def test_recovering_a_sound_library_just_opens_it(library, folder):
    card = begin(library, "Bridge")
    before = (folder / "library.json").read_bytes()
    found = Library.recover(folder)
    assert found.recovery is None
    assert found.fights() == [card]
    assert (folder / "library.json").read_bytes() == before


def test_a_library_of_a_newer_program_is_left_alone_until_repair_is_asked_for(library, open_library, folder):
    card = begin(library, "Bridge")
    library.save_template(CombatantTemplate(name="Orc", system="stage"))
    path = folder / "library.json"
    path.write_bytes(path.read_bytes().replace(b'"key":"schema","value":1', b'"key":"schema","value":2'))
    before = path.read_bytes()
    with pytest.raises(LibraryTooNew, match=r"schema 2\D.*\nfightcall repair --library"):
        open_library()
    assert path.read_bytes() == before
    again = Library.recover(folder, summarise=summarise)
    assert again.recovery.kept_as.read_bytes() == before
    assert [found.id for found in again.fights()] == [card.id]
