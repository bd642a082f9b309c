"""The real program in a real terminal: played, killed without a word in the middle of a Moment, and taken up again."""

import os
import re
import shlex
import shutil
import signal
import sys
import termios
import time

import pytest
from terminal import Terminal, Tmux, environment, program

from fightcall.settings import find_paths
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.foes import Deed, FoeTurns

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")]
SHOWN = ("Ysolde", "Archer")
"""Words of the fight screen once the fight is there."""


@pytest.fixture
def journal(tmp_path):
    """A new fight in a library of its own."""
    paths = find_paths({"FIGHTCALL_HOME": str(tmp_path)})
    return Shelf(paths).begin(load_encounter("ambush-at-the-ford"))


def opened(tmp_path, *arguments, size=(120, 36), last="space"):
    """The program on a fight, its screen drawn down to the last row, which holds a word."""
    terminal = Terminal(program("play", *arguments), environment(tmp_path), size)
    terminal.wait_for(*SHOWN, last)
    terminal.quiet(0.15)
    return terminal


def until(terminal, path, what, seconds=20.0):
    """Read along until the file says something; a key that was acknowledged is there."""
    end = time.perf_counter() + seconds
    while not what(Fight.watch(path)):
        assert time.perf_counter() < end, terminal.text()[-2000:]
        terminal.read(0.05)


def entries(count):
    """Says whether so many entries are there."""
    return lambda fight: fight.line.entry_count() >= count


def test_killed_in_the_middle_of_a_moment(tmp_path, journal):
    """Nothing that was on the screen is missing; the second run goes on exactly where the first one was."""
    with opened(tmp_path, "last") as first:
        first.send("space")
        first.wait_for("so an ambush is possible")
        first.send("t", "h", "i", "enter")
        first.wait_for("speaks")
        first.send("w", "w")
        first.wait_for("Paul passes")
        first.send("space", "space")
        until(first, journal, lambda fight: fight.state.phase == "missile")
        first.send("s", "'", "1", "1", "2", "enter")
        first.wait_for("no damage")
        first.send("4")
        first.quiet(0.1)
        assert first.kill() == -signal.SIGKILL
    left = Fight.watch(journal)
    assert left.state.phase == "missile"
    assert left.head.command["rolls"] == {"attack": [12]}
    with opened(tmp_path, "last", last="GM override") as second:
        assert "no damage" in second.text(), "the question is open again"
        assert Fight.watch(journal).state == left.state
        second.send("4", "enter")
        until(second, journal, entries(left.line.entry_count() + 1))
        again = Fight.watch(journal)
        assert again.state.combatants["goblin-1"].pools["hp"].now < 7
        second.send("u", "u")
        until(second, journal, lambda fight: fight.line.entry_count() == left.line.entry_count() - 1)
        start = len(second.output)
        second.send("q")
        assert second.wait_end() == 0
        check_given_back(second, start)


def test_killed_at_any_instant(tmp_path, journal):
    """Killed between and within keys: what was acknowledged stays, the file is always whole, and nothing locks it."""
    known = 0
    for run in range(2):
        with opened(tmp_path, "last") as terminal:
            for number in range(12):
                terminal.send("N", *f"note {run} {number}".replace(" ", "-"), "enter")
                terminal.read(0.01 * (number % 3))
            until(terminal, journal, entries(known + 2 + run))
            known = Fight.watch(journal).line.entry_count()
            terminal.kill()
        fight = Fight.open(journal)
        assert fight.line.entry_count() >= known
        assert fight.line.seek(len(fight.line)) == fight.state
        known = fight.line.entry_count()
        fight.close()


@pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux to see cells")
def test_killed_while_the_foes_act(tmp_path):
    """Killed as soon as one has acted, and again: what was told is in the file, and the rest act on as ever."""
    journal = Shelf(find_paths({"FIGHTCALL_HOME": str(tmp_path)})).library.journal_path("ford")
    journal.parent.mkdir(parents=True)
    # With these dice nobody goes down, at which the foes would stop.
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="ford", seed="7", path=journal)
    fight.give("start")
    while fight.state.step.id != "missile.foe":
        fight.give("advance")
    count = fight.line.entry_count()
    fight.close()
    whole = Fight.open(shutil.copy(journal, tmp_path / "whole.jsonl"))
    turns = FoeTurns(whole)
    while isinstance(deed := turns.next(), Deed):
        whole.do(deed.command)
    whole.close()
    command, env = ("sh", "-c", f"{shlex.join(program('play', 'last'))}; cat"), environment(tmp_path)
    for _ in range(2):
        acted = Fight.watch(journal).line.entry_count() - count
        if acted == 4:
            break
        with Tmux(command, env, (140, 40)) as window:
            window.wait("shoots at", f"{4 - acted} of 4 still to act")
            process, lines = window.running(), journal.read_bytes().count(b"\n")
            window.press(",")
            end = time.perf_counter() + 20
            while journal.read_bytes().count(b"\n") <= lines:
                assert time.perf_counter() < end, window.screen()
            os.kill(process, signal.SIGKILL)
            # It may have been killed in the middle of a frame.
            shown = re.search(r"(\d) of 4 still to act", window.screen())
            told = 4 - int(shown[1]) if shown else 0
        left = Fight.watch(journal)
        # On a busy machine all may have acted before it is killed.
        assert max(told, acted + 1) <= left.line.entry_count() - count <= 4
        assert left.line.seek(len(left.line)) == left.state
    with Tmux(command, env, (140, 40)) as window:
        window.wait(*SHOWN)
        window.press(",")
        window.wait("MOVE")
    assert Fight.watch(journal).state == whole.state


def test_leaving_gives_the_terminal_back(tmp_path, journal):
    """Ctrl+C does not leave, Ctrl+Q does."""
    with opened(tmp_path, "last") as terminal:
        start = len(terminal.output)
        terminal.send("ctrl+c")
        terminal.quiet(0.2)
        assert terminal.process.poll() is None
        terminal.send("\x11")
        assert terminal.wait_end() == 0
        check_given_back(terminal, start)


def check_given_back(terminal, start):
    """The other screen is left, the cursor shown, the mouse let go, and lines are read as before."""
    written = bytes(terminal.output[start:])
    for sequence in (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l"):
        assert sequence in written
    assert termios.tcgetattr(terminal.slave)[3] == terminal.before[3]
    assert "Traceback" not in terminal.text()


@pytest.fixture
def hearing_hang_ups():
    """Programs hear it when the terminal hangs up, even where the tests themselves were begun to outlive theirs."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def test_a_terminal_without_colours_hangs_up(tmp_path, journal, hearing_hang_ups):
    """NO_COLOR is obeyed from the first byte; a closed window ends the program, and the fight is as it was."""
    with Terminal(program("play", "last"), environment(tmp_path, NO_COLOR="1"), (100, 30)) as terminal:
        terminal.wait_for(*SHOWN, "space")
        terminal.quiet(0.15)
        assert b"38;2;" not in terminal.output
        assert b"38;5;" not in terminal.output
        assert re.search(rb"\x1b\[31[;m]", terminal.output) is None
        terminal.send("space")
        until(terminal, journal, entries(1))
        terminal.process.send_signal(signal.SIGHUP)
        terminal.wait_end()
    fight = Fight.open(journal)
    assert fight.state.round == 1
    fight.close()


@pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")
def test_tmux_shows_what_was_drawn(tmp_path, journal):
    """Another program's terminal, cell by cell: every row is as wide as the window and holds what it should."""
    with Tmux(program("play", "last"), environment(tmp_path), (152, 40)) as tmux:
        tmux.wait("Archer", "Ysolde")
        for keys, word in ((["Space"], "MEETING"), (["Space", "Space"], "MISSILE"), (["d", "2", "7", "Enter"], "0/7")):
            tmux.press(*keys)
            screen = tmux.wait(word)
        rows = screen.split("\n")
        assert len(rows) >= 40
        assert rows[3].startswith("╭─ Roster")
        assert all(row.endswith("│") for row in rows[5:30])
        tmux.press("q")
    assert Fight.watch(journal).state.combatants["goblin-2"].pools["hp"].now == 0
