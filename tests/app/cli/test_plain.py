"""A fight line by line: the same keys, a sentence an event, and nothing that places text on a screen."""

import io
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fightcall.paint.runs import Run
from fightcall.settings import find_paths
from fightcall.shelf import Shelf
from fightcall.subcommands.plain import board_words, keys_of, play_plain, row_words
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.fight import Fight

FIGHTS = {
    "ambush-at-the-ford": ["space", ">", "s", "5", "", "4", "", ">", "m", "right", "", ">", ">", ">"],
    "surrounded-by-goblins": ["space", "space", "s", "o", "", "1 4", "", "", ">", ">", "s", "h", "", ">", ">", ">"],
    "the-bell-tower": ["space", "space", "space", "space", "1", "", "h", "space", "", ">", "", ">", "", ">", "", ">"],
    "the-last-touch": ["space", "space", "s", "", "space", "w", "w", "w", ">", "s", "", "", ""],
}
"""Keys into an encounter of each system, to its first blow."""
COUNTED = {
    "ambush-at-the-ford": "beats 14/14",
    "surrounded-by-goblins": "A 3 coming R 3 ready",
    "the-bell-tower": " coming",
    "the-last-touch": "wounds 0 of 10",
}
"""What is counted at their beginning."""


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A library of its own."""
    monkeypatch.setenv("FIGHTCALL_HOME", str(tmp_path / "home"))
    return Shelf(find_paths())


def play(journal: Path, *typed: str, encoding: str = "utf-8") -> str:
    """What is said while these lines are typed; none is asked for after the last one."""
    left = [f"{line}\n" for line in typed]
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert play_plain(journal, read=lambda: left.pop(0), out=out) == 0
    assert left == []
    return out.buffer.getvalue().decode(encoding)


@pytest.mark.slow
@pytest.mark.parametrize("encounter", FIGHTS)
def test_a_whole_fight_of_each_system(encounter, shelf):
    """From its beginning to its end, with a mistake taken back; it is saved as any other."""
    journal = shelf.begin(replace(load_encounter(encounter), seed="7"))
    said = play(journal, *FIGHTS[encounter], *["space"] * 4, ":note rain", "u", "U", "K", "the GM stops", "q")
    fight = Fight.open(journal)
    assert fight.state.status == "closed"
    assert fight.state.round >= 1
    done = {event.type for event in fight.line.events()}
    assert done & {"StrikeResolved", "DamageApplied", "CheckResolved"}, said
    assert "Undone: Note: rain" in said
    assert "The fight is over: the GM stops" in said
    assert "space :" in said
    assert not {"\x1b", "│", "█", "⏎", "_"} & set(said)
    fight.close()


def test_each_event_is_a_sentence_of_its_own(shelf):
    """A blow, its die and its harm; and what stays on the screen is not said again."""
    journal = shelf.begin(load_encounter("ambush-at-the-ford"))
    said = play(journal, "space", ">", "s", "5", "", "4", "", "u", "@who", "q").splitlines()
    assert said.count("Ysolde shoots at Goblin 2 with longbow") >= 1
    assert any("Goblin 2 takes 4" in line for line in said)
    assert any(line.startswith("Undone:") for line in said)
    assert "FOES HP" in said
    assert sum(line.startswith("Meeting , MISSILE") for line in said) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("encounter", "encoding"), list(zip(FIGHTS, ("ascii", "utf-8", "latin-1", "ascii"), strict=True))
)
def test_lists_cards_and_tables_are_words_without_pictures(encounter, encoding, shelf):
    """At the table 4, put right 41: what a key shows is read out, pips and boxes as numbers, frames not at all.

    The words are the same in every encoding: in those that lack a mark, to write it would fail.
    """
    journal = shelf.begin(replace(load_encounter(encounter), seed="7"))
    panes = ("I", "I", "L", "L", "f5", "f5", "H", "esc", "u", "f7", "a", "esc")
    said = play(journal, "space", "space", "space", "@who", "@log", *panes, "q", encoding=encoding)
    assert not set("│╭╮╰╯├─━┄●○◌◆▌█░·→←↑↓↗↖↘↙▸⏎") & set(said)
    assert not [line for line in said.splitlines() if line.startswith(("+", "|", "--")) or line.endswith("|")]
    assert "**" not in said
    assert COUNTED[encounter] in said
    assert "Enter" in said
    assert "\nCard\n" in said
    assert "\nthe beginning\n" in said.replace("a the beginning", "the beginning"), "the rows of the history"
    assert "In the past: f7 returns" in said
    assert "Back in the present" in said
    assert " facing " in said


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ((Run("A", "pool.spent"), Run("●●", "pip.ready"), Run("○", "pip.spent")), "A 2 ready 1 spent"),
        ((Run("12●", "pip.ready"), Run(" ", "pip.spent"), Run("3×", "pip.lost")), "12 ready 3 lost"),
        ((Run("−", "pip.spent"),), "none"),
        ((Run("L", "track.1"), Run("·", "track.free"), Run("│", "pool.spent"), Run("··", "track.free")), "1 of 4"),
        ((Run("M5 ←", "options.cost"),), "M5 facing W"),
        ((Run("0/5 → -", "options.cost"),), "0/5 to -"),
        ((Run("M4", "track.2"), Run(" ", "roster")), "M4"),
        ((Run("rope ", "roster"), Run("▰", "bar.progress"), Run("▱▱", "pip.spent"), Run(" 1/3", "text")), "rope 1/3"),
        ((Run("+--", "frame"), Run(" Roster ", "frame.title"), Run("--+", "frame")), "Roster"),
    ],
)
def test_a_row_in_words(row, words):
    """put right 41: what is drawn is counted or left out."""
    assert " ".join(row_words(row).split()) == words


@pytest.mark.slow
def test_the_real_program_needs_no_terminal(shelf, tmp_path):
    """In a process of its own, its input a pipe that ends in the middle of the fight, its output in ASCII."""
    done = subprocess.run(
        [sys.executable, "-m", "fightcall", "play", "ambush-at-the-ford", "--plain"],
        input="space\n:note it rains\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Enter" in done.stdout
    assert "Note: it rains" in done.stdout
    assert "\x1b" not in done.stdout
    (saved,) = shelf.read().fights
    assert saved.round == "Moment 1"


@pytest.mark.parametrize(
    ("line", "keys"),
    [("", ["enter"]), (" ", ["space"]), ("space", ["space"]), ("s", ["s"]), ("14", ["1", "4"]),
     ("f7", ["f7"]), ("^k", ["ctrl+k"]), ("f 7", ["f", "7"]),
     ("d 2 7", ["d", "2", "7"]), ("m right right", ["m", "right", "right"]), ("esc", ["escape"])],
)  # fmt: skip
def test_a_line_is_keys(line, keys):
    assert keys_of(line) == keys


@pytest.mark.parametrize("encounter", FIGHTS)
def test_the_board_is_read_out_in_words(encounter):
    """At the table 4: who stands where, and where what ground is; each combatant once."""
    state = start_fight(load_encounter(encounter), id="words", seed="7").state
    title, *lines = board_words(state)
    assert title.startswith("Board: ")
    placed = [combatant for combatant in state.combatants.values() if combatant.at is not None]
    assert placed
    for combatant in placed:
        (line,) = [line for line in lines if line.startswith(f"{combatant.label} {combatant.name}: ")]
        assert state.board.name_of(combatant.at) in line
    if encounter == "ambush-at-the-ford":
        assert "Y Ysolde: C7 facing E" in lines
        assert any(line.startswith("water: ") for line in lines), lines


def test_it_does_not_look_on(call):
    code, _, complaint = call("play", "ambush-at-the-ford", "--plain", "--watch")
    assert code == 1
    assert "--plain can't be combined with --watch" in complaint
