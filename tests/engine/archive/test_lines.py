"""The form of a journal's line, and the judgement of a file that something happened to."""

from __future__ import annotations

import json
import math
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.archive.fsutil import FileLayer
from fightcall_engine.archive.journal import check_journal, last_record, read_journal, read_trustworthy, repair
from fightcall_engine.archive.lines import (
    BadLine,
    BadRecord,
    DamagedJournal,
    correct_line,
    decode_line,
    encode_journal,
    encode_record,
)

NAMES = st.text(max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | NAMES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)
RECORD = st.dictionaries(NAMES.filter(lambda name: name not in ("crc", "prev")), JSON, min_size=1, max_size=6)


@given(RECORD)
def test_a_record_survives_its_line(record):
    line = encode_record(record)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert line.isascii()
    assert decode_line(line) == record


@pytest.mark.parametrize("name", ["a\nb", "a\r\nb", "\u2028\u2029\x85", "\ud800", "\udc80x", "\0", "🐉 é"])
def test_awkward_names_survive(name):
    line = encode_record({"name": name, name: 1})
    assert line.splitlines() == [line[:-1]]
    assert decode_line(line) == {"name": name, name: 1}


@given(RECORD)
def test_a_line_is_plain_json_with_the_check_of_what_precedes_it(record):
    line = encode_record(record)
    covered = line[: line.rindex(b',"crc"')]
    assert json.loads(line)["crc"] == f"{crc32(covered):08x}"


@given(RECORD, st.data())
def test_no_single_changed_bit_goes_unseen(record, data):
    line = encode_record(record).removesuffix(b"\n")
    at = data.draw(st.integers(0, len(line) * 8 - 1))
    spoilt = bytearray(line)
    spoilt[at // 8] ^= 1 << at % 8
    with pytest.raises(BadLine):
        decode_line(bytes(spoilt))


@given(RECORD, st.data())
def test_a_single_changed_bit_is_found_by_its_check(record, data):
    line = encode_record(record).removesuffix(b"\n")
    at = data.draw(st.integers(0, len(line) * 8 - 1))
    spoilt = bytearray(line)
    spoilt[at // 8] ^= 1 << at % 8
    assert correct_line(bytes(spoilt)) == line


@pytest.mark.parametrize("line", [b"", b"rubbish", b"x" * 40, b'{"n":1,"crc":"00000000"}', b'{"n":1,"crc":"0000000g"}'])
def test_a_line_with_more_wrong_than_a_bit_is_not_guessed_at(line):
    assert correct_line(line) is None


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"prev": "00000000"},
        {"crc": "00000000"},
        {"hp": math.nan},
        {"hp": [math.inf]},
        {"who": object()},
        {"who": {1, 2}},
        {"who": b"bytes"},
        {(1, 2): 3},
    ],
)
def test_what_json_cannot_hold_is_refused(record):
    with pytest.raises(BadRecord):
        encode_record(record)


def test_an_endless_nest_is_refused():
    nest: list[object] = []
    nest.append(nest)
    with pytest.raises(BadRecord):
        encode_record({"nest": nest})


def signed(body: bytes) -> bytes:
    return b'%b,"crc":"%08x"}\n' % (body, crc32(body))


@pytest.mark.parametrize("body", [b'{"hp":NaN', b"[1", b'{"a":\xff', b'{"a":' + b"[" * 100_000, b""])
def test_a_right_check_does_not_make_rubbish_a_record(body):
    with pytest.raises(BadLine):
        decode_line(signed(body))


def test_reading_gives_back_what_was_appended(small, header, records):
    reading = read_journal(small)
    assert reading.header == {"n": 0, "t": "fight", "v": 2, **header}
    assert reading.records == tuple({"n": n, **record} for n, record in enumerate(records, start=1))
    assert reading.torn is None
    assert reading.size_ok == small.stat().st_size
    assert reading.last_number == 4
    assert last_record(small) == reading.records[-1]
    assert check_journal(small).ok


def test_a_journal_cut_anywhere_is_a_clean_prefix(small):
    whole = read_journal(small)
    data = small.read_bytes()
    ends = [at + 1 for at, byte in enumerate(data) if byte == ord("\n")]
    for cut in range(len(data)):
        small.write_bytes(data[:cut])
        complete = sum(end <= cut for end in ends)
        if not complete:
            with pytest.raises(DamagedJournal) as refused:
                read_journal(small)
            assert refused.value.line == 1
            continue
        reading = read_journal(small)
        assert reading.records == whole.records[: complete - 1]
        rest = data[ends[complete - 1] : cut]
        assert (reading.torn.data if reading.torn else b"") == rest
        assert last_record(small)["n"] == complete - 1
        assert check_journal(small).ok is not bool(rest)


@pytest.mark.slow
def test_a_journal_with_any_bit_flipped_is_never_silently_wrong(small):
    """Two bits of each byte: the check of a line finds any, and where a line ends depends on single bits."""
    whole = read_journal(small)
    data = small.read_bytes()
    for at in range(len(data)):
        for bit in (at % 8, (at + 5) % 8):
            spoilt = bytearray(data)
            spoilt[at] ^= 1 << bit
            small.write_bytes(spoilt)
            report = check_journal(small)
            assert not report.ok
            trusted = read_trustworthy(small) if report.lines else None
            if trusted is not None:
                assert trusted.records == whole.records[: trusted.last_number]
            # Rot never looks like a torn write, in the last line neither.
            assert report.torn is None
            with pytest.raises(DamagedJournal):
                read_journal(small)


class Unsynced(FileLayer):
    """Files that wait for no medium: there is no power cut in this test, and a thousand repairs."""

    def sync(self, fd: int) -> None:
        pass

    def sync_folder(self, folder: Path) -> None:
        pass


@pytest.mark.slow
def test_a_journal_with_a_bit_flipped_in_any_byte_is_repaired_whole(small):
    whole = read_journal(small)
    data = small.read_bytes()
    for at in range(len(data)):
        spoilt = bytearray(data)
        spoilt[at] ^= 1 << at % 8
        small.write_bytes(spoilt)
        done = repair(small, files=Unsynced())
        assert (done.kept, done.lost, done.dropped) == (5, 0, 0)
        assert done.original is not None
        done.original.unlink()
        assert read_journal(small).records == whole.records


def spoil(small: Path, lines: list[bytes]) -> DamagedJournal:
    data = b"".join(lines)
    small.write_bytes(data)
    with pytest.raises(DamagedJournal) as refused:
        read_journal(small)
    assert small.read_bytes() == data
    report = check_journal(small)
    assert not report.ok
    assert report.problems[0].line == refused.value.line
    assert str(small) in str(refused.value)
    return refused.value


def test_damage_in_the_middle_is_refused_with_its_line(small):
    lines = small.read_bytes().splitlines(keepends=True)
    for instead in (b"\0" * len(lines[2]) + b"\n", b"rubbish\n", b"\n", lines[2][:-20] + b"\n", lines[2][9:]):
        damage = spoil(small, [*lines[:2], instead, *lines[3:]])
        assert damage.line == 3
        assert damage.expected == "record 2"


def test_a_missing_line_is_refused(small):
    lines = small.read_bytes().splitlines(keepends=True)
    damage = spoil(small, lines[:2] + lines[3:])
    assert (damage.line, damage.problem, damage.expected) == (3, "number 3", "number 2")


def test_a_doubled_line_is_refused_even_at_the_end(small):
    lines = small.read_bytes().splitlines(keepends=True)
    assert spoil(small, [*lines[:3], lines[2], *lines[3:]]).line == 4
    assert spoil(small, [*lines, lines[-1]]).line == 6
    assert spoil(small, [*lines, lines[-2].removesuffix(b"\n")]).line == 6


def test_swapped_lines_are_refused(small):
    lines = small.read_bytes().splitlines(keepends=True)
    assert spoil(small, [*lines[:2], lines[3], lines[2], lines[4]]).line == 3
    assert spoil(small, [*lines[:3], lines[4], lines[3]]).line == 4


def test_records_that_run_together_are_no_torn_tail(small):
    lines = small.read_bytes().splitlines(keepends=True)
    half = lines[4][:30]
    assert spoil(small, [*lines[:3], half + lines[3]]).line == 4
    assert spoil(small, [*lines[:3], lines[3][:-1] + lines[4]]).line == 4


def test_several_bad_lines_at_the_end_are_no_torn_tail(small):
    lines = small.read_bytes().splitlines(keepends=True)
    assert spoil(small, [*lines[:3], b"rub\n", b"bish"]).line == 4


@pytest.mark.parametrize(
    "tail", [b"rubbish", b"rubbish\n", b"\n", b'{"n":6,"t":"cm', b'{"n":5,"t":"mark","name":" \0"}\n']
)
def test_a_last_line_that_no_cut_off_write_leaves_is_damage(small, tail):
    lines = small.read_bytes().splitlines(keepends=True)
    assert spoil(small, [*lines, tail]).line == 6


@pytest.mark.parametrize(
    "tail", [b"\0" * 4096, b'{"n":5,"t":"cmd","on', b"{", b'{"n":5,"t"' + b"\0" * 512 + b'"}\n', b"\0" + b'"}\n']
)
def test_one_bad_last_line_is_a_torn_tail(small, tail):
    good = small.read_bytes()
    small.write_bytes(good + tail)
    torn = read_journal(small).torn
    assert torn is not None
    assert (torn.line, torn.offset, torn.data) == (6, len(good), tail)
    assert last_record(small)["n"] == 4


@pytest.mark.parametrize(
    ("wrong", "problem", "expected"),
    [
        ({"n": 0, "t": "fight", "v": 3}, "format version 3", "format version 2"),
        ({"n": 0, "t": "fight", "v": True}, "format version True", "format version 2"),
        ({"n": 0, "t": "fight"}, "format version None", "format version 2"),
        ({"n": 0, "t": "cmd"}, "a record of type 'cmd'", "'fight'"),
        ({"n": 1, "t": "fight", "v": 2}, "number 1", "number 0"),
        ({"n": False, "t": "fight", "v": 2}, "number False", "number 0"),
    ],
)
def test_a_bad_header_is_refused(small, wrong, problem, expected):
    lines = small.read_bytes().splitlines(keepends=True)
    damage = spoil(small, [encode_record(wrong), *lines[1:]])
    assert (damage.line, damage.problem, damage.expected) == (1, problem, expected)
    with pytest.raises(DamagedJournal):
        last_record(small)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"n": 2, "t": "fight", "v": 2}, "type 'fight'"),
        ({"n": 2, "t": "note"}, "type 'note'"),
        ({"n": 2}, "type None"),
        ({"n": 2, "t": "cmd", "on": 2}, "'on' names record 2"),
        ({"n": 2, "t": "head", "to": 7}, "'to' names record 7"),
        ({"n": 2, "t": "head", "to": -1}, "'to' names record -1"),
        ({"n": 2, "t": "cmd", "on": "1"}, "'on' names record '1'"),
    ],
)
def test_a_record_out_of_place_is_refused(small, bound, wrong, problem):
    lines = small.read_bytes().splitlines(keepends=True)
    damage = spoil(small, [*lines[:2], bound(lines[:2], wrong), *lines[3:]])
    assert damage.line == 3
    assert problem in damage.problem


@pytest.fixture
def other_courses(small, header, records) -> dict[str, list[bytes]]:
    """Journals with records of the same numbers: another fight, and the same fight played otherwise."""
    lines = small.read_bytes().splitlines(keepends=True)
    numbered = [{"n": n, **record} for n, record in enumerate(records, start=1)]
    head = {"n": 0, "t": "fight", **header}
    otherwise = {"n": 1, "t": "mark", "on": 0, "name": "otherwise"}
    return {
        "of another fight": encode_journal({**head, "seed": "8"}, numbered).splitlines(keepends=True),
        "of another course": encode_journal(head, [otherwise, *numbered[1:]]).splitlines(keepends=True),
        "unbound": [lines[0], *map(encode_record, numbered)],
    }


@pytest.mark.parametrize("whose", ["of another fight", "of another course", "unbound"])
def test_a_line_from_elsewhere_does_not_pass(small, other_courses, whose):
    lines, theirs = small.read_bytes().splitlines(keepends=True), other_courses[whose]
    for at in (2, 3, 4):
        assert lines[at] != theirs[at]
        assert spoil(small, [*lines[:at], theirs[at], *lines[at + 1 :]]).line == at + 1
        assert spoil(small, [*lines[:at], *theirs[at:]]).line == at + 1


@pytest.mark.parametrize("content", [b"", b"\n", b"\0" * 512, b"hello\n"])
def test_what_is_no_journal_is_refused(tmp_path, content):
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    for read in (read_journal, read_trustworthy, last_record):
        with pytest.raises(DamagedJournal):
            read(path)
    assert not check_journal(path).ok


def test_check_names_everything_that_is_wrong(small):
    lines = small.read_bytes().splitlines(keepends=True)
    small.write_bytes(b"".join([lines[0], b"x\n", lines[2], lines[4]]))
    report = check_journal(small)
    assert [(problem.line, problem.expected) for problem in report.problems] == [(2, "record 1"), (4, "number 3")]
    assert report.lines == 1


def test_the_last_record_is_found_behind_long_lines(tmp_path):
    path = tmp_path / "long.jsonl"
    long = {"t": "cmd", "on": 0, "text": "x" * 70_000}
    data = encode_journal({"n": 0, "t": "fight"}, [{"n": 1, **long}])
    path.write_bytes(data)
    assert last_record(path)["n"] == 1
    path.write_bytes(data + b"y" * 70_000)
    assert last_record(path)["n"] == 1
    path.write_bytes(data + b"y" * 70_000 + b"\n")
    assert last_record(path)["n"] == 1
