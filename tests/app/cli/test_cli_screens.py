"""What happens before a screen opens; the screens themselves are played elsewhere."""

import os
import subprocess
import sys
from types import ModuleType

import pytest

from fightcall_engine.archive.journal import Journal
from fightcall_engine.play.fight import Fight


class Screens(ModuleType):
    """Stands in for the app, and remembers what was to be opened and what lay on the disk by then."""

    def __init__(self):
        super().__init__("fightcall.app")
        self.opened = []

    def run(self, first, *, theme, mouse, path=None, mode=""):
        assert path is None or path.exists()
        self.opened.append((mode or first, path or {"theme": theme, "mouse": mouse}))
        return 3 if mode == "replay" else 0


@pytest.fixture
def screens(monkeypatch):
    stand_in = Screens()
    monkeypatch.setitem(sys.modules, "fightcall.app", stand_in)
    monkeypatch.setattr("fightcall.subcommands.console.require_terminal", lambda: None)
    return stand_in


def test_without_a_subcommand_the_library_opens(call, screens):
    assert call().code == 0
    assert call("library", "--theme", "mono", "--no-mouse").code == 0
    assert screens.opened == [("library", {"theme": "", "mouse": True}), ("library", {"theme": "mono", "mouse": False})]


def test_an_encounter_becomes_a_fight_of_the_library_before_the_screen_opens(call, home, screens):
    assert call("play", "ambush-at-the-ford", "--seed", "42", "--name", "Friday night").code == 0
    [(way, path)] = screens.opened
    assert way == "play"
    assert path.parent == home.fights
    fight = Fight.watch(path)
    assert (fight.state.name, fight.state.seed) == ("Friday night", "42")
    assert len(fight.state.combatants) == 7
    assert "Friday night" in call("list").out


def test_each_time_an_encounter_is_played_it_is_a_new_fight(call, home, screens):
    call("play", "tavern-parley")
    call("play", "tavern-parley")
    assert len({path for _, path in screens.opened}) == 2


def test_the_user_s_own_encounters_and_files_elsewhere(call, home, screens, tmp_path):
    text = 'name = "Rats"\nsystem = "stage"\n[[combatant]]\nname = "Rat x4"\n'
    home.write("encounters/rats.toml", text)
    (tmp_path / "else where.toml").write_text(text, encoding="utf-8")
    assert call("play", "rats").code == 0
    assert call("play", str(tmp_path / "else where.toml")).code == 0
    assert [len(Fight.watch(path).state.combatants) for _, path in screens.opened] == [4, 4]


def test_a_saved_fight_is_resumed_and_replayed(call, home, screens):
    path = home.fight("ford", "At the Ford")
    for name in ("ford", "last", "the ford", str(path)):
        assert call("play", name).code == 0
    assert call("play", "ford", "--watch").code == 0
    assert call("play", "ford", "--watch", "--gm").code == 0
    assert call("replay", "ford").code == 3, "the screen's own exit code"
    assert screens.opened == [("play", path)] * 4 + [("players", path), ("watch", path), ("replay", path)]


def test_an_unknown_name_is_answered_with_fights_and_encounters_like_it(call, home, screens):
    home.fight("fork-aaaa", "The Fork")
    code, _, err = call("play", "ambush-at-the-fork")
    assert code == 1
    assert "ambush-at-the-ford" in err
    assert screens.opened == []
    assert len(list(home.fights.glob("*.jsonl"))) == 1


def test_options_that_do_not_go_together_change_nothing(call, home, screens):
    home.fight("ford")
    before = home.everything()
    for args in (("ford", "--seed", "1"), ("ford", "--name", "x"), ("tavern-parley", "--watch"), ("ford", "--gm")):
        assert call("play", *args).code == 1
    assert screens.opened == []
    assert home.everything() == before


def test_a_damaged_journal_is_told_before_the_screen_opens(call, home, screens):
    path = home.fight("ford")
    path.write_bytes(path.read_bytes().replace(b"goblin", b"goblem", 1))
    for command in ("play", "replay"):
        code, _, err = call(command, "ford")
        assert code == 1
        assert f"{path}, line " in err
        assert "expected" in err
        assert "fightcall repair ford" in err
    assert screens.opened == []


@pytest.mark.parametrize(("answer", "opened"), [("\n", ["watch"]), ("yes\n", ["watch"]), ("n\n", []), ("", ["watch"])])
def test_the_second_program_is_told_who_plays_and_asked_to_watch(call, home, screens, answer, opened, monkeypatch):
    import io

    path = home.fight("ford")
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    with Journal.open(path):
        code, _, err = call("play", "ford")
    assert [way for way, _ in screens.opened] == opened
    assert f"process {os.getpid()}" in err
    assert code == (0 if opened else 1)
    if not opened:
        assert "fightcall play ford --watch --gm" in err


def test_a_fight_of_another_program_can_be_watched_and_read(call, home, screens):
    path = home.fight("ford")
    with Journal.open(path):
        assert call("play", "ford", "--watch", "--gm").code == 0
        assert call("replay", "ford").code == 3
        assert call("export", "ford").code == 0
        assert call("check", "ford").code == 0
        code, _, err = call("repair", "ford")
    assert code == 1
    assert f"process {os.getpid()}" in err
    assert [way for way, _ in screens.opened] == ["watch", "replay"]


# Terminals


@pytest.mark.parametrize("args", [(), ("play", "tavern-parley"), ("replay", "ford")])
def test_without_a_terminal_nothing_is_drawn_or_made(call, home, args):
    home.fight("ford")
    before = home.everything()
    code, out, err = call(*args)
    assert (code, out) == (1, "")
    assert "need a terminal" in err
    assert "fightcall run" in err
    assert home.everything() == before


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals of POSIX")
def test_a_dumb_terminal_is_refused(home):
    said = _in_a_terminal("play", "tavern-parley", term="dumb")
    assert b"TERM is 'dumb'" in said
    assert b"\x1b" not in said
    assert not home.fights.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals of POSIX")
def test_a_lock_is_asked_about_on_a_real_terminal(home):
    with Journal.open(home.fight("ford")):
        said = _in_a_terminal("play", "ford", term="xterm-256color", typed=b"n\n")
    assert f"process {os.getpid()}".encode() in said
    assert b"Watch it? [Y/n]" in said
    assert b"fightcall play ford --watch --gm" in said
    assert b"\x1b[?1049h" not in said, "no screen was opened"


def _in_a_terminal(*args: str, term: str, typed: bytes = b"") -> bytes:
    """What the command writes on a pseudo-terminal until it ends."""
    import pty

    ours, theirs = pty.openpty()
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TERM": term}
    command = [sys.executable, "-m", "fightcall", *args]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ) as program:
        os.close(theirs)
        os.write(ours, typed)
        said = b""
        while True:
            try:
                chunk = os.read(ours, 4096)
            except OSError:  # How Linux says that the other end is closed.
                break
            if not chunk:
                break
            said += chunk
        assert program.wait(timeout=30) == 1
    os.close(ours)
    return said
