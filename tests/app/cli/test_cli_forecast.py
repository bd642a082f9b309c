"""``fightcall forecast``: text, JSON and a progress bar, the same numbers by one process and by two, and Ctrl+C."""

import json
import time

import pytest
from terminal import Terminal, environment, program
from workers import workers_of

pytestmark = pytest.mark.slow


def test_the_numbers_as_text(call, home):
    """Piped, it prints lines without colours and without a bar for the progress."""
    result = call("forecast", "first-round", "--fights", "5", "--processes", "1")
    assert (result.code, result.err) == (0, "")
    first, _, *rest = result.out.splitlines()
    assert first == "First Round: at most 20 Rounds, seed 1"
    assert rest[0] == "Odds: 5 fights"
    assert rest[1].startswith("  Party wins  ")
    for heading in ("Falls", "Left at the end", "Rounds played", "About these numbers"):
        assert heading in rest
    assert "without clever players. Rulings take their defaults, or" in result.out
    assert "\x1b" not in result.out
    assert home.everything() == {}, "a forecast is never on disk"


def test_one_process_and_two_give_the_same_numbers(call):
    """Foes, section 3: the same seed, the same result."""
    once, again, other = (
        call("forecast", "first-round", "--fights", "8", "--json", *more).out
        for more in (("--processes", "1"), ("--processes", "2"), ("--processes", "1", "--seed", "2"))
    )
    assert once == again
    data, other_data = json.loads(once), json.loads(other)
    assert (data["encounter"], data["system"], data["seed"]) == ("First Round", "turns", "1")
    assert (data["fights"], data["asked"], data["most_rounds"]) == (8, 8, 20)
    assert sum(side["wins"] for side in data["sides"]) + sum(data["undecided"].values()) == 8
    assert [side["percent"] for side in data["sides"]] == [round(side["wins"] / 0.08, 1) for side in data["sides"]]
    assert sum(data["rounds"].values()) == 8
    assert data["faults"] == {}
    assert data["leaves_out"]
    assert data["people"] != other_data["people"]


def test_a_plug_in_is_forecast_too(call, duel):
    data = json.loads(call("forecast", "at-dawn", "--fights", "3", "--processes", "1", "--json").out)
    assert [side["side"] for side in data["sides"]] == ["party", "foe"]
    assert {person["name"] for person in data["people"]} == {"Alma", "Baron", "Second"}


def test_few_rounds_leave_fights_undecided_and_say_why(call):
    data = json.loads(
        call("forecast", "ambush-at-the-ford", "--fights", "4", "--rounds", "1", "--processes", "1", "--json").out
    )
    assert data["undecided"] == {"1 Moment was not enough": 4}
    assert data["rounds"] == {"1": 4}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ambush-at-the-ford", "--fights", "0"), "--fights 0 isn't possible; accepted: 1 to 100000"),
        (("ambush-at-the-ford", "--rounds", "-3"), "--rounds -3 isn't possible; accepted: 1 to 1000"),
        (("ambush-at-the-ford", "--processes", "99"), "--processes 99 isn't possible; accepted: 1 to 64"),
        (("ambush-at-the-frod",), "did you mean ambush-at-the-ford?"),
    ],
)
def test_what_is_not_possible_is_said(call, arguments, message):
    result = call("forecast", *arguments)
    assert (result.code, result.out) == (1, "")
    assert message in result.err


def test_a_process_that_fails_says_why(call, monkeypatch):
    monkeypatch.setattr("fightcall.processes.WORKER", ("-c", "raise SystemExit('out of luck')"))
    result = call("forecast", "first-round", "--fights", "2", "--processes", "1")
    assert (result.code, result.err) == (1, "fightcall: out of luck\n")


def test_a_terminal_shows_early_numbers_and_control_c_stops_with_them(tmp_path):
    """Nothing is left running."""
    command = program("forecast", "first-round", "--fights", "9000")
    with Terminal(command, environment(tmp_path), (120, 40)) as terminal:
        terminal.wait_for("/9000", "Party wins", seconds=60)
        assert workers_of(tmp_path)
        shown = len(terminal.output)
        terminal.send("ctrl+c")
        assert terminal.wait_end(30) == 130
        text = terminal.text(shown)
        assert "of 9000 fights" in text
        assert "Traceback" not in text
    assert workers_of(tmp_path) == []


def test_the_screen_ends_its_processes_with_the_program(tmp_path):
    with Terminal(program("library"), environment(tmp_path), (140, 40)) as terminal:
        terminal.wait_for("Ambush", seconds=60)
        terminal.send("tab", "s")
        terminal.wait_for("Set-up", seconds=60)
        terminal.send("%")
        terminal.wait_for("of 200 fights", seconds=60)
        assert workers_of(tmp_path)
        terminal.send("\x11")
        assert terminal.wait_end(30) == 0
    assert workers_of(tmp_path) == []


def test_a_killed_program_leaves_nothing_behind(tmp_path):
    command = program("forecast", "first-round", "--fights", "100000")
    with Terminal(command, environment(tmp_path)) as terminal:
        terminal.wait_for("/100000", "Party wins", seconds=60)
        terminal.kill()
    end = time.monotonic() + 30
    while workers_of(tmp_path):
        assert time.monotonic() < end, "they end when nobody reads what they print"
