"""Writing, following and repairing a journal, on disks that fail and under programs that die."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fightcall_engine.archive.fsutil import LockedByAnother
from fightcall_engine.archive.journal import (
    AppendFailed,
    Follower,
    Journal,
    JournalBroken,
    check_journal,
    read_journal,
    repair,
)
from fightcall_engine.archive.lines import (
    BadRecord,
    DamagedJournal,
    Reading,
    encode_journal,
    encode_record,
    read_prefix,
)

CMD = {"t": "cmd", "on": 0, "cmd": {"type": "Advance"}, "ev": []}


def others(path: Path) -> list[str]:
    return sorted(found.name for found in path.parent.iterdir() if found != path and found.suffix != ".lock")


# Writing


def test_appends_are_numbered_and_go_on_after_reopening(small):
    with Journal.open(small) as journal:
        assert journal.reading == read_journal(small)
        assert journal.last_number == 4
        assert journal.append(CMD) == 5
        assert journal.append(CMD) == 6
    with Journal.open(small) as journal:
        assert journal.reading.last_number == 6
        assert journal.append(CMD) == 7
    assert check_journal(small).ok


def test_each_append_is_synced_before_it_is_acknowledged(tmp_path, header, faulty_files):
    with Journal.create(tmp_path / "a.jsonl", header, files=faulty_files) as journal:
        faulty_files.calls.clear()
        journal.append(CMD)
        assert faulty_files.calls == ["write", "sync"]
    with Journal.open(tmp_path / "a.jsonl", sync="none", files=faulty_files) as journal:
        faulty_files.calls.clear()
        journal.append(CMD)
        assert faulty_files.calls == ["write"]


def test_what_is_appended_together_is_synced_once_before_it_is_acknowledged(small, faulty_files, io_error):
    with Journal.open(small, files=faulty_files) as journal:
        faulty_files.calls.clear()
        with journal.synced_together():
            assert (journal.append(CMD), journal.append(CMD)) == (5, 6)
        assert faulty_files.calls == ["write", "write", "sync"]
        with journal.synced_together():
            pass
        assert faulty_files.calls[-1] == "sync"
        assert len(faulty_files.calls) == 3
        faulty_files.faults = {"sync": [io_error]}
        with pytest.raises(JournalBroken, match="did not confirm record 7"), journal.synced_together():
            journal.append(CMD)
        assert journal.trouble
        with pytest.raises(JournalBroken):
            journal.append(CMD)


def test_create_never_overwrites(small, header):
    before = small.read_bytes()
    with pytest.raises(FileExistsError):
        Journal.create(small, header)
    assert small.read_bytes() == before


def test_create_makes_the_folder_and_open_does_not(tmp_path, header):
    path = tmp_path / "data" / "fights" / "a.jsonl"
    with pytest.raises(FileNotFoundError):
        Journal.open(path)
    assert not path.parent.exists()
    Journal.create(path, header).close()
    assert read_journal(path).last_number == 0


@pytest.mark.parametrize("bad", [{"n": 3, "t": "cmd"}, {"t": "fight"}, {"on": 0}, {"t": "cmd", "on": 9}, {"t": "x"}])
def test_a_record_that_does_not_belong_is_refused_and_nothing_written(small, bad):
    before = small.read_bytes()
    with Journal.open(small) as journal:
        with pytest.raises(BadRecord):
            journal.append(bad)
        with pytest.raises(BadRecord):
            journal.append({**CMD, "hp": float("nan")})
        assert small.read_bytes() == before
        assert journal.append(CMD) == 5


def test_a_header_cannot_bring_the_fields_of_the_journal(tmp_path):
    with pytest.raises(BadRecord):
        Journal.create(tmp_path / "a.jsonl", {"v": 9})
    assert others(tmp_path / "a.jsonl") == []
    assert not (tmp_path / "a.jsonl").exists()


def test_a_closed_journal_takes_nothing(small):
    journal = Journal.open(small)
    journal.close()
    journal.close()
    with pytest.raises(JournalBroken) as refused:
        journal.append(CMD)
    assert refused.value.why == "it is closed"


# Torn tails


def test_a_torn_tail_is_put_aside_cut_off_and_reported(small):
    good = small.read_bytes()
    for k, tail in enumerate((b'{"n":5,"t":"cm', b"\0" * 700, encode_record({"n": 5, **CMD})[:-1]), start=1):
        small.write_bytes(good + tail)
        with Journal.open(small) as journal:
            torn = journal.reading.torn
            assert torn is not None
            assert torn.kept_as == small.with_name(f"small.jsonl.torn-{k}")
            assert torn.kept_as.read_bytes() == tail
            assert small.read_bytes() == good
            assert journal.append(CMD) == 5
        assert check_journal(small).ok


def test_the_tail_is_safe_aside_before_it_is_cut(small, make_tape):
    good = small.read_bytes()
    tail = b'{"n":5,"t":"cmd"'
    small.write_bytes(good + tail)
    tape = make_tape(small.parent)
    Journal.open(small, files=tape).close()
    for _, disk in tape.disks():
        assert disk[small].startswith(good)
        saved = [data for path, data in disk.items() if ".torn-" in path.name]
        assert disk[small] == good + tail or tail in saved


def test_damage_keeps_the_journal_shut_but_not_locked(small):
    lines = small.read_bytes().splitlines(keepends=True)
    small.write_bytes(b"".join([lines[0], lines[2], *lines[3:]]))
    before = small.read_bytes()
    with pytest.raises(DamagedJournal):
        Journal.open(small)
    assert small.read_bytes() == before
    assert others(small) == []
    repair(small)
    Journal.open(small).close()


# Disks that fail


def test_a_short_write_is_taken_back_and_the_journal_goes_on(small, faulty_files):
    with Journal.open(small, files=faulty_files) as journal:
        before = small.read_bytes()
        for most in (0, 1, 25):
            faulty_files.faults = {"write": [most]}
            with pytest.raises(AppendFailed):
                journal.append(CMD)
            assert small.read_bytes() == before
        assert journal.append(CMD) == 5
    assert check_journal(small).ok


def test_a_full_disk_refuses_and_the_journal_goes_on(small, faulty_files, no_space):
    with Journal.open(small, files=faulty_files) as journal:
        before = small.read_bytes()
        faulty_files.faults = {"write": [no_space]}
        with pytest.raises(AppendFailed, match="No space"):
            journal.append(CMD)
        assert small.read_bytes() == before
        assert journal.append(CMD) == 5


def test_a_short_write_that_cannot_be_taken_back_stops_the_journal(small, faulty_files, io_error):
    with Journal.open(small, files=faulty_files) as journal:
        faulty_files.faults = {"write": [10], "truncate": [io_error]}
        for _ in range(2):
            with pytest.raises(JournalBroken, match="taking it back failed"):
                journal.append(CMD)
        assert journal.last_number == 4
    with Journal.open(small) as journal:
        assert journal.reading.torn is not None
        assert journal.append(CMD) == 5


def test_a_failed_sync_stops_the_journal_for_good(small, faulty_files, io_error):
    with Journal.open(small, files=faulty_files) as journal:
        journal.append(CMD)
        faulty_files.faults = {"sync": [io_error]}
        for _ in range(3):
            with pytest.raises(JournalBroken, match="did not confirm record 6"):
                journal.append(CMD)
        assert faulty_files.calls.count("write") == 2
        assert journal.last_number == 5
    with Journal.open(small) as journal:
        assert journal.reading.last_number >= 5


def test_an_interrupted_append_stops_the_journal(small, faulty_files, monkeypatch):
    def interrupt(fd: int) -> None:
        raise KeyboardInterrupt

    with Journal.open(small, files=faulty_files) as journal:
        monkeypatch.setattr(faulty_files, "sync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            journal.append(CMD)
        with pytest.raises(JournalBroken) as refused:
            journal.append(CMD)
        assert refused.value.why == "a write was interrupted"


def test_a_failed_create_leaves_no_journal(tmp_path, header, faulty_files, io_error):
    path = tmp_path / "a.jsonl"
    for operation in ("write", "sync", "place"):
        faulty_files.faults = {operation: [io_error]}
        with pytest.raises(OSError, match="Input/output"):
            Journal.create(path, header, files=faulty_files)
        assert not path.exists()
        assert others(path) == []
    Journal.create(path, header).close()


def test_a_file_that_changes_under_the_journal_stops_it(small):
    with Journal.open(small) as journal:
        with small.open("ab") as stranger:
            stranger.write(b"x")
        assert "another program changed" in journal.trouble
        with pytest.raises(JournalBroken, match="another program changed"):
            journal.append(CMD)
    repair(small)
    with Journal.open(small) as journal:
        assert journal.trouble == ""
        small.unlink()
        assert "gone" in journal.trouble
        with pytest.raises(JournalBroken, match="gone"):
            journal.append(CMD)


def test_a_file_that_is_replaced_under_the_journal_stops_it(small):
    with Journal.open(small) as journal:
        copy = small.with_name("copy")
        copy.write_bytes(small.read_bytes())
        os.replace(copy, small)
        with pytest.raises(JournalBroken, match="another file"):
            journal.append(CMD)


def test_what_is_acknowledged_survives_a_power_cut_anywhere(tmp_path, header, records, make_tape):
    path = tmp_path / "a.jsonl"
    tape = make_tape(tmp_path)
    with Journal.create(path, header, files=tape) as journal:
        tape.note(0)
        for record in records:
            tape.note(journal.append(record))
    written = read_journal(path).records
    for remarks, disk in tape.disks():
        if not remarks and path not in disk:
            continue
        path.write_bytes(disk[path])
        reading = read_journal(path)
        assert reading.last_number >= max(remarks, default=0)
        assert reading.records == written[: reading.last_number]


# Programs that die


CHILD = """
import sys
from pathlib import Path
from fightcall_engine.archive.journal import Journal
with Journal.open(Path(sys.argv[1])) as journal:
    print(journal.last_number, flush=True)
    if sys.argv[2] == "hold":
        sys.stdin.read()
    while True:
        print(journal.append({"t": "cmd", "on": 0, "text": "x" * 3000}), flush=True)
"""


def start_child(path: Path, what: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), what],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def kill(child: subprocess.Popen[str]) -> list[str]:
    child.kill()
    rest, _ = child.communicate()
    return rest.split("\n")


@pytest.mark.slow
def test_a_killed_writer_loses_nothing_it_acknowledged(small):
    for round_ in range(5):
        child = start_child(small, "append")
        assert child.stdout is not None
        acknowledged = [child.stdout.readline() for _ in range(3 + round_ * 7)]
        # A number counts once its line feed is out.
        acknowledged += [line + "\n" for line in kill(child)[:-1]]
        last = int(acknowledged[-1])
        with Journal.open(small) as journal:
            assert journal.last_number >= last
            assert journal.append(CMD) == journal.reading.last_number + 1
        assert check_journal(small).ok


def test_a_second_program_is_told_who_has_it_and_a_dead_one_has_nothing(small):
    child = start_child(small, "hold")
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "4\n"
        with pytest.raises(LockedByAnother) as refused:
            Journal.open(small)
        assert str(child.pid) in refused.value.holder
        assert refused.value.path == small
        with pytest.raises(LockedByAnother):
            repair(small)
        assert read_journal(small).last_number == 4
    finally:
        kill(child)
    with Journal.open(small) as journal:
        assert journal.append(CMD) == 5


def test_the_same_program_cannot_open_it_twice(small):
    with Journal.open(small), pytest.raises(LockedByAnother):
        Journal.open(small)
    Journal.open(small).close()


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_fight_has_one_writer_by_whatever_name(small, tmp_path, link):
    other = tmp_path / "elsewhere" / "other.jsonl"
    other.parent.mkdir()
    link(small, other)
    with Journal.open(small) as journal:
        for lock in tmp_path.rglob("*.lock"):
            lock.unlink()
        with pytest.raises(LockedByAnother):
            Journal.open(other)
        with pytest.raises(LockedByAnother):
            repair(other)
        assert journal.append(CMD) == 5
    with Journal.open(other) as journal:
        assert journal.append(CMD) == 6
    assert check_journal(small).ok


def test_nothing_lies_beside_a_journal_that_is_closed(small):
    with Journal.open(small) as journal:
        journal.append(CMD)
    assert [found.name for found in small.parent.iterdir()] == [small.name]


# Following


def test_a_follower_sees_each_record_once(small, header):
    follower = Follower(small)
    first = follower.poll()
    assert [record["n"] for record in first] == [0, 1, 2, 3, 4]
    assert first[0] == {"n": 0, "t": "fight", "v": 2, **header}
    assert follower.poll() == []
    with Journal.open(small) as journal:
        journal.append(CMD)
        assert [record["n"] for record in follower.poll()] == [5]
        journal.append(CMD)
        journal.append(CMD)
        assert [record["n"] for record in follower.poll()] == [6, 7]


def test_a_follower_can_begin_behind_a_reading(small):
    follower = Follower(small, after=read_journal(small))
    assert follower.poll() == []
    with Journal.open(small) as journal:
        journal.append(CMD)
    assert [record["n"] for record in follower.poll()] == [5]


def test_a_follower_waits_for_the_rest_of_a_line_and_for_the_file(tmp_path, small):
    data = small.read_bytes()
    path = tmp_path / "live.jsonl"
    follower = Follower(path)
    assert follower.poll() == []
    seen = []
    for cut in range(0, len(data) + 1, 7):
        path.write_bytes(data[:cut])
        seen += follower.poll()
    path.write_bytes(data)
    seen += follower.poll()
    reading = read_journal(small)
    assert seen == [reading.header, *reading.records]


def test_a_follower_lives_through_a_write_that_is_taken_back(small, faulty_files):
    follower = Follower(small)
    follower.poll()
    good = small.read_bytes()
    small.write_bytes(good + b'{"n":5,"t":')
    assert follower.poll() == []
    with Journal.open(small) as journal:
        journal.append(CMD)
    assert [record["n"] for record in follower.poll()] == [5]


def test_a_follower_reports_damage(small):
    lines = small.read_bytes().splitlines(keepends=True)
    small.write_bytes(b"".join([*lines[:2], b"rubbish\n", *lines[3:]]))
    with pytest.raises(DamagedJournal, match="line 3"):
        Follower(small).poll()
    small.write_bytes(b"".join([*lines[:2], *lines[3:]]))
    with pytest.raises(DamagedJournal, match="number 3"):
        Follower(small).poll()


def test_a_follower_notices_a_file_that_was_cut_or_replaced(small):
    follower = Follower(small)
    follower.poll()
    data = small.read_bytes()
    small.write_bytes(data[:50])
    with pytest.raises(DamagedJournal, match="cut"):
        follower.poll()
    with pytest.raises(DamagedJournal, match="cut"):
        Follower(small, after=judge_whole(small, data)).poll()


def judge_whole(path: Path, data: bytes):
    whole = path.with_name("whole.jsonl")
    whole.write_bytes(data)
    return read_journal(whole)


# Repair


def rewritten(lines: list[bytes]) -> bytes:
    """The same records as the present version of the form has them."""
    prefix = read_prefix(b"".join(lines))
    return encode_journal(prefix.records[0], prefix.records[1:])


def always(reading: Reading) -> bool:
    return True


def test_damage_in_the_middle_costs_that_record_only(small):
    lines = small.read_bytes().splitlines(keepends=True)
    small.write_bytes(b"".join([*lines[:2], b"rubbish\n", *lines[3:]]))
    whole = read_prefix(b"".join(lines)).records
    done = repair(small, always)
    assert (done.kept, done.lost, done.dropped) == (5, 1, 0)
    # Nobody goes back to record 2, so that the head need only stay where it was.
    assert read_journal(small).records == (whole[1], {"n": 2, "t": "head", "to": 1, "at": ""}, *whole[3:])


def test_a_note_stands_for_a_lost_entry_that_others_follow(small, bound):
    lines = small.read_bytes().splitlines(keepends=True)
    lines.append(bound(lines, {"n": 5, **CMD, "on": 2}))
    small.write_bytes(b"".join([*lines[:2], *lines[3:]]))
    done = repair(small, always)
    assert (done.kept, done.lost, done.dropped) == (6, 1, 0)
    records = read_journal(small).records
    assert [record["n"] for record in records] == [1, 2, 3, 4, 5]
    assert (records[1]["t"], records[1]["on"], records[1]["by"]) == ("cmd", 1, "repair")
    assert [event["type"] for event in records[1]["ev"]] == ["NoteAdded"]
    assert "Line 3" in records[1]["ev"][0]["text"]


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_what_cannot_be_played_without_a_lost_record_is_left_out(small, most):
    lines = small.read_bytes().splitlines(keepends=True)
    small.write_bytes(b"".join([*lines[:2], *lines[3:]]))
    done = repair(small, lambda reading: reading.last_number <= most)
    assert (done.kept, done.lost, done.dropped) == (most + 1, int(most > 1), 4 - max(most, 2))
    assert read_journal(small).last_number == most


@pytest.mark.slow
@pytest.mark.parametrize(
    "rubbish",
    [b"x" * 5_000_000 + b',"crc":"00000000"}', (b"x" * 900_000 + b',"crc":"00000000"}\n') * 4, b'{"n":' * 200_000],
)
def test_a_lot_of_rubbish_does_not_hold_a_repair_up(small, rubbish):
    """To look for a sound line at every byte of it would take hours: this would not end."""
    good = small.read_bytes()
    small.write_bytes(good + rubbish + b"\n")
    assert repair(small).kept == 5


def test_a_number_far_ahead_is_not_reached_by_notes(small, bound):
    lines = small.read_bytes().splitlines(keepends=True)
    small.write_bytes(b"".join([*lines, bound(lines, {"n": 10**9, **CMD})]))
    done = repair(small, always)
    assert (done.kept, done.lost, done.dropped) == (5, 0, 1)


def test_a_sound_journal_needs_no_repair(small):
    before = small.read_bytes()
    report = repair(small)
    assert (report.kept, report.dropped, report.original) == (5, 0, None)
    assert small.read_bytes() == before
    assert others(small) == []


@pytest.mark.parametrize(
    ("order", "kept", "dropped"),
    [
        ([0, 1, None, 3, 4], 2, 2),  # a bad line: what follows it stands on nothing
        ([0, 1, 3, 4], 2, 2),  # a missing line
        ([0, 1, 1, 2, 3, 4], 5, 0),  # a doubled line
        ([0, 1, 3, 2, 4], 5, 0),  # swapped lines
        ([0, 1, None, 2, 3, 4], 5, 0),  # rubbish between
        ([0, 1, 2, 3, 4, None], 5, 0),  # a torn tail
    ],
)
def test_repair_keeps_what_can_be_trusted_and_the_whole_original(small, order, kept, dropped):
    lines = small.read_bytes().splitlines(keepends=True)
    spoilt = b"".join(b"rubbish\n" if at is None else lines[at] for at in order)
    small.write_bytes(spoilt)
    report = repair(small)
    assert (report.kept, report.dropped) == (kept, dropped)
    assert report.problems
    assert report.original == small.with_name("small.jsonl.damaged-1")
    assert report.original.read_bytes() == spoilt
    assert small.read_bytes() == rewritten(lines[:kept])
    assert check_journal(small).ok


def test_repair_frees_records_that_run_together(small):
    lines = small.read_bytes().splitlines(keepends=True)
    small.write_bytes(lines[0] + lines[1][:-1] + lines[2] + lines[3][:20] + lines[3] + lines[4])
    assert repair(small).kept == 5
    assert small.read_bytes() == rewritten(lines)


def test_repair_stops_where_two_records_claim_one_number(small, bound):
    lines = small.read_bytes().splitlines(keepends=True)
    rival = bound(lines[:3], {"n": 3, "t": "mark", "on": 2, "name": "another history"})
    small.write_bytes(b"".join([*lines, rival]))
    report = repair(small)
    assert (report.kept, report.dropped) == (3, 3)


@pytest.mark.parametrize("header", [b"rubbish\n", encode_record({"n": 0, "t": "fight", "v": 3})])
def test_repair_changes_nothing_without_a_header_it_knows(small, header):
    lines = small.read_bytes().splitlines(keepends=True)
    small.write_bytes(b"".join([header, *lines[1:]]))
    before = small.read_bytes()
    with pytest.raises(DamagedJournal):
        repair(small)
    assert small.read_bytes() == before
    assert others(small) == []


def test_repair_never_loses_a_byte_to_a_power_cut(small, make_tape):
    lines = small.read_bytes().splitlines(keepends=True)
    spoilt = b"".join([*lines[:2], b"rubbish\n", *lines[2:]])
    small.write_bytes(spoilt)
    tape = make_tape(small.parent)
    repair(small, files=tape)
    for _, disk in tape.disks():
        kept = [data for path, data in disk.items() if ".damaged-" in path.name]
        assert disk[small] == spoilt or (disk[small] == rewritten(lines) and spoilt in kept)


@pytest.mark.parametrize("operation", ["write", "sync", "replace"])
def test_a_failed_repair_changes_nothing(small, faulty_files, io_error, operation):
    lines = small.read_bytes().splitlines(keepends=True)
    spoilt = b"".join([*lines[:2], *lines[3:]])
    small.write_bytes(spoilt)
    faulty_files.faults = {operation: [io_error]}
    with pytest.raises(OSError, match="Input/output"):
        repair(small, files=faulty_files)
    assert small.read_bytes() == spoilt
