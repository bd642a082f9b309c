"""``fightcall run``: transcripts, and as a process pipes and interruptions."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from outcomes import lines_of

from fightcall_engine.archive.encounters import load_encounter
from protocol_schema import check_reply, validator

pytestmark = pytest.mark.slow

TRANSCRIPTS = Path(__file__).parent / "transcripts"
UPDATE = os.environ.get("FIGHTCALL_UPDATE_GOLDENS") == "1"


def lines_in(transcript):
    """What is typed in a transcript."""
    return [line for line in transcript.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


@pytest.fixture
def answers_to(call, monkeypatch):
    """What the program answers to a transcript."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
    return lambda transcript: _answers(transcript, call)


_ANSWERS = {}


def _answers(transcript, call):
    if transcript not in _ANSWERS:
        result = call("run", str(transcript))
        assert (result.code, result.err) == (0, "")
        _ANSWERS[transcript] = [json.loads(line) for line in result.out.splitlines()]
    return _ANSWERS[transcript]


@pytest.mark.parametrize("golden", sorted(TRANSCRIPTS.glob("*.out")), ids=lambda path: path.stem)
def test_the_same_comes_of_a_transcript_as_ever(golden, answers_to):
    """What happens, not how it is told: see `outcomes`. FIGHTCALL_UPDATE_GOLDENS=1 records it anew."""
    outcomes = [line for answer in answers_to(golden.with_suffix(".jsonl")) for line in lines_of(answer)]
    if UPDATE:
        golden.write_text("\n".join(outcomes) + "\n", encoding="utf-8", newline="\n")
    assert outcomes == golden.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("transcript", sorted(TRANSCRIPTS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_what_is_said_is_as_the_schema_says(transcript, answers_to):
    """Every request that is taken, and every reply with all of its events; of the system that is played."""
    system = "stage"
    for line, reply in zip(lines_in(transcript), answers_to(transcript), strict=True):
        request = json.loads(line) if reply["ok"] else {}
        if request.get("do") == "open":
            system = request.get("system") or load_encounter(request["encounter"]).system
        check_reply(system, reply)
        if request:
            assert validator(system, "requests").is_valid(request), line


def test_gs_90_tells_the_moment_as_the_rules_do(answers_to):
    """GS-90 (SB-05, 06, 31, 34, 37, 47), whatever else the transcript says."""
    answers = answers_to(TRANSCRIPTS / "gs-90.jsonl")
    events = [event for answer in answers for event in answer.get("events", [])]
    third = events[max(index for index, event in enumerate(events) if event["type"] == "MomentBegan") :]
    told = [(event["type"], event.get("who")) for event in third]
    expected = [
        ("MomentBegan", None),
        *(("BeatsRefilled", who) for who in ("ash", "bram", "orc", "gob")),
        ("StrikeDeclared", "ash"),
        ("StrikeResolved", "ash"),
        ("DamageApplied", "gob"),
        ("Downed", "gob"),
        ("Moved", "bram"),
        ("BeatsSpent", "bram"),
        ("ContactMade", "bram"),
        ("MovementHalted", "bram"),
        ("StrikeDeclared", "bram"),
        ("StrikeResolved", "bram"),
        ("StrikeDeclared", "orc"),
        ("StrikeResolved", "orc"),
        ("DamageApplied", "bram"),
        ("StatusUpdated", None),
        ("MomentEnded", None),
        ("ClockAdvanced", None),
    ]
    wanted = iter(told)
    assert all(one in wanted for one in expected), told
    state = answers[-1]["state"]
    assert (state["round"], state["clock_s"]) == (3, 180)
    assert state["combatants"]["bram"]["pools"]["beats"]["now"] == 7


def test_the_seven_figure_fight_has_the_order_that_is_printed(answers_to):
    """GT-03, GT-04, GT-05 (ST-13, ST-17..20), whatever else the transcript says."""
    answers = answers_to(TRANSCRIPTS / "turns-surrounded.jsonl")
    events = [event for answer in answers for event in answer.get("events", [])]
    orders = [event["order"] for event in events if event["type"] in ("OrderSet", "OrderChanged")]
    archers, warriors = ("goblin-archer-1", "goblin-archer-2"), ("goblin-warrior-1", "goblin-warrior-2")
    assert orders[0] == ["milli", "pau", archers[0], warriors[0], archers[1], "roan", warriors[1]]
    assert orders[1] == ["milli", archers[0], warriors[0], archers[1], "roan", "pau", warriors[1]]
    turns = [event["who"] for event in events if event["type"] == "TurnBegan" and event["stamp"]["round"] == 1]
    assert turns == orders[1]


def test_g_126_an_ambush_takes_the_time_that_is_printed(answers_to):
    """G-126 (CS-055..069), whatever else the transcript says."""
    answers = answers_to(TRANSCRIPTS / "segments-ambush.jsonl")
    told, segment = [], 0
    for event in (event for answer in answers for event in answer.get("events", [])):
        segment = event["number"] if event["type"] == "SegmentBegan" else segment
        if event["type"] in ("SurpriseApplied", "SurprisePenaltyWaned", "SurpriseEnded"):
            told.append((segment, event["who"], event.get("degree"), event.get("cs"), event.get("penalty")))
    assert told == [
        (1, "p1", "overwhelmed", 4, 35),
        (1, "p2", "checked", 1, 0),
        (3, "p2", None, None, None),
        (6, "p1", "waning", 3, 35),
        (6, "p1", None, None, 34),
        (7, "p1", None, None, 33),
        (8, "p1", None, None, None),
    ]


def test_standard_input_is_answered_like_a_file(spawn, answers_to):
    source = TRANSCRIPTS / "ford.jsonl"
    for arguments, hashes in ((("run",), "0"), (("run", "-"), "99")):
        said = spawn(*arguments, stdin=source.read_bytes(), PYTHONHASHSEED=hashes).out
        assert list(map(json.loads, said.splitlines())) == answers_to(source)


def test_thousands_of_lines(call):
    lines = ['{"do":"open"}', *('{"do":"note","text":"n"}' for _ in range(3000)), '{"do":"undo","steps":1500}']
    answers = call("run", stdin="\n".join(lines).encode()).out.splitlines()
    assert len(answers) == 3002
    assert json.loads(answers[-1])["n"] == 1500


def test_text_is_utf_8_whatever_the_locale(spawn):
    name = "Ñandú 龍 e\u0301"
    lines = json.dumps({"do": "open", "name": name}, ensure_ascii=False) + '\n{"ask":"state"}\n'
    result = spawn("run", stdin=lines.encode(), LC_ALL="C", PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert json.loads(result.out.splitlines()[1])["state"]["name"] == name
    assert result.code == 0


def test_a_line_that_is_no_utf_8_is_refused_and_the_next_one_answered(call):
    result = call("run", stdin=b'{"do":"open"}\n{"do":"note","text":"\xff\xfe"}\n{"do":"note","text":"fine"}\n')
    oks = [json.loads(line)["ok"] for line in result.out.splitlines()]
    assert (oks, result.err, result.code) == ([True, False, True], "", 0)


def test_half_a_surrogate_pair_does_not_end_the_conversation(call):
    lines = b'{"do":"open"}\n{"do":"note","text":"\\ud800!"}\n{"do":"\\udfff"}\n{"ask":"state"}\n'
    result = call("run", stdin=lines)
    assert (result.code, result.err) == (0, "")
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert len(answers) == 4
    assert not answers[2]["ok"]
    assert answers[3]["ok"]


def test_a_journal_written_by_a_script_is_a_fight_like_any_other(call, home):
    journal = home.fights / "scripted.jsonl"
    lines = [{"do": "open", "journal": str(journal), "name": "Scripted"}, {"do": "add", "name": "Ash", "side": "party"}]
    call("run", stdin="\n".join(map(json.dumps, lines)).encode())
    assert "2 lines, no problems" in call("check", "scripted").out
    again = call("run", stdin=json.dumps({"do": "open", "resume": str(journal)}).encode() + b'\n{"ask":"state"}')
    assert list(json.loads(again.out.splitlines()[1])["state"]["combatants"]) == ["ash"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes of POSIX")
def test_a_reader_that_goes_away_is_no_trouble(home):
    with _start() as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdin.write(b'{"do":"open"}\n')
        program.stdin.flush()
        program.stdout.readline()
        program.stdout.close()
        program.stdin.write(b'{"ask":"state"}\n' * 50)
        program.stdin.close()
        assert program.wait(timeout=30) == 141
        assert program.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes of POSIX")
def test_an_answer_is_there_before_the_next_line_is_read_and_ctrl_c_is_quiet(home):
    # A program inherits that Ctrl+C is ignored from a shell that runs the tests in the background.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with _start() as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        for asked, wanted in ((b'{"do":"open"}\n', 0), (b'{"do":"note","text":"one"}\n', 1)):
            program.stdin.write(asked)
            program.stdin.flush()
            assert json.loads(program.stdout.readline())["n"] == wanted
        for _ in range(3):
            # One that arrives just before the program begins to read is seen only with the next, in any Python.
            program.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(timeout=10)
                break
        assert program.poll() == 130
        assert program.stderr.read() == b""


def test_a_file_that_is_not_there(call, tmp_path):
    result = call("run", str(tmp_path / "none.jsonl"), stdin=b"\n")
    assert result.code == 1
    assert result.err == f"fightcall: {tmp_path / 'none.jsonl'}: No such file or directory\n"


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "fightcall", "run"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def test_the_path_of_a_journal_is_text(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = [(key, path) for key in ("journal", "resume") for path in (7, ["a"], {"a": 1}, True, "a\0b")]
    lines = [{"do": "open"}, *({"do": "open", key: path} for key, path in wrong), {"do": "join", "name": "Ash"}]
    said = call("run", stdin="\n".join(map(json.dumps, lines)).encode()).out
    _, *refusals, joined = map(json.loads, said.splitlines())
    for (key, path), refused in zip(wrong, refusals, strict=True):
        assert not refused["ok"], path
        assert key in str(refused["error"])
    assert joined["ok"]
    assert list(tmp_path.glob("*")) == []
