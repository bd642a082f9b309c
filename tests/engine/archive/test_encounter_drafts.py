"""The file of what is being set up: whole after every change, whatever becomes of the disk."""

from dataclasses import replace

import pytest

from fightcall_engine.archive.encounter_writing import DraftFile
from fightcall_engine.archive.encounters import load_encounter, shipped_encounters

ENCOUNTER = load_encounter(next(file.path for file in shipped_encounters() if file.path.stem == "the-bell-tower"))


def files_in(folder):
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def test_nothing_is_there_before_the_first_change_nor_after_the_end(tmp_path):
    draft = DraftFile(tmp_path / "drafts")
    draft.remove()
    assert files_in(tmp_path / "drafts") == []
    draft.write(ENCOUNTER)
    assert len(files_in(tmp_path / "drafts")) == 1
    draft.remove()
    assert files_in(tmp_path / "drafts") == []


def test_two_set_ups_at_once_have_a_file_each(tmp_path):
    for name in ("One", "Two", "Three"):
        DraftFile(tmp_path).write(replace(ENCOUNTER, name=name))
    assert {load_encounter(path).name for path in tmp_path.glob("*.toml")} == {"One", "Two", "Three"}


def test_a_draft_that_is_taken_up_goes_on_in_its_file(tmp_path):
    DraftFile(tmp_path).write(ENCOUNTER)
    (path,) = tmp_path.glob("*.toml")
    DraftFile(tmp_path, path).write(replace(ENCOUNTER, name="Later"))
    assert files_in(tmp_path) == [path.name]
    assert load_encounter(path) == replace(ENCOUNTER, name="Later")


def test_two_programs_that_take_up_the_same_draft_lose_nothing_of_each_other(tmp_path):
    DraftFile(tmp_path).write(ENCOUNTER)
    (path,) = tmp_path.glob("*.toml")
    first, second = DraftFile(tmp_path, path), DraftFile(tmp_path, path)
    second.write(replace(ENCOUNTER, name="Second"))
    first.write(replace(ENCOUNTER, name="First"))
    assert {load_encounter(path).name for path in tmp_path.glob("*.toml")} == {"First", "Second"}
    first.remove()
    assert load_encounter(path).name == "Second"


def test_a_draft_that_another_program_has_changed_is_not_removed(tmp_path):
    draft = DraftFile(tmp_path)
    draft.write(ENCOUNTER)
    (path,) = tmp_path.glob("*.toml")
    DraftFile(tmp_path, path).write(replace(ENCOUNTER, name="Second"))
    draft.remove()
    assert load_encounter(path).name == "Second"


@pytest.mark.parametrize("operation", ["write", "sync", "replace"])
def test_a_failing_disk_leaves_what_was_written_before(tmp_path, faulty_files, io_error, operation):
    draft = DraftFile(tmp_path, files=faulty_files)
    draft.write(ENCOUNTER)
    (path,) = tmp_path.glob("*.toml")
    faulty_files.faults[operation] = [io_error]
    later = replace(ENCOUNTER, name="Later")
    with pytest.raises(OSError, match=io_error.strerror):
        draft.write(later)
    assert load_encounter(path) == ENCOUNTER
    draft.write(later)
    assert load_encounter(path) == later
    assert files_in(tmp_path) == [path.name]
