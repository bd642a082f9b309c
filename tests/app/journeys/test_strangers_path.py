"""What a stranger does in the first ten minutes, by nothing but the README: in a real terminal, from a fresh copy.

The copy is a `git clone` where there is a repository, else a copy of the files, as from the sdist. Installing needs the
package index, and tests need no network. So the README's play command is run here without its `pip install`: in its
place stands a ``.venv/bin/fightcall`` that runs the sources of the copy with the packages of these tests. With
``FIGHTCALL_INSTALL=1``, as `.ci/run` has it, the command is run as it stands.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from terminal import ROOT, Tmux, environment

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32" or shutil.which("tmux") is None, reason="needs tmux"),
]
NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", "*_cache", ".hypothesis", "__pycache__", "dist")
PROMPT = "stranger$"
INSTALLED = os.environ.get("FIGHTCALL_INSTALL") == "1"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A fresh copy of the sources, and nothing else."""
    copy = tmp_path_factory.mktemp("stranger") / "fightcall"
    if (ROOT / ".git").exists() and shutil.which("git"):
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True)
    else:
        shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
    return copy


@pytest.fixture
def terminal(checkout, tmp_path):
    """A shell in the copy, in a window of 80 columns and 24 rows, with a home where nothing is yet."""
    env = environment(tmp_path, HOME=str(tmp_path), PS1=f"{PROMPT} ")
    for name in ("FIGHTCALL_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "PYTHONPATH"):
        env.pop(name, None)
    with Tmux(("env", f"PS1={PROMPT} ", "bash", "--norc", "--noprofile"), env, folder=checkout) as tmux:
        tmux.wait(PROMPT)
        yield tmux


def play_command(checkout):
    """What the README says to type, or what is left of it where the program already exists."""
    readme = (checkout / "README.md").read_text(encoding="utf-8")
    command = re.search(r"<!-- play -->\n```sh\n(.*)\n```", readme)[1]
    environment_made, installed, played = command.split(" && ")
    assert (environment_made, installed.split()[:2]) == ("python3 -m venv .venv", [".venv/bin/pip", "install"])
    if INSTALLED:
        return command
    stand_in = checkout / ".venv" / "bin" / "fightcall"
    stand_in.parent.mkdir(parents=True)
    paths = os.pathsep.join(map(str, (checkout / "app", checkout / "engine")))
    stand_in.write_text(f'#!/bin/sh\nPYTHONPATH="{paths}" exec "{sys.executable}" -m fightcall "$@"\n')
    stand_in.chmod(0o755)
    return played


def enter(tmux, line, *words, seconds=30.0):
    """Type a line in the shell, and wait for words of what it shows."""
    tmux.write(line)
    tmux.press("Enter")
    tmux.wait(*words, seconds=seconds)


def play_the_guided_round(tmux, checkout):
    """The keys that its lines name, one after the other, up to the line that lets go."""
    path = checkout / "engine" / "fightcall_engine" / "systems" / "stage" / "encounters" / "a-first-fight.toml"
    lines = {cue["id"]: cue["then"]["say"] for cue in tomllib.loads(path.read_text(encoding="utf-8"))["cue"]}
    for keys, said in (
        (("Space",), lines["begin"]),
        ((">",), lines["shoot"]),
        (("s", "5", "Enter", "Enter"), lines["shot"]),
        (("u",), "Undone"),
        (("U",), "Redone"),
        ((">",), lines["move"]),
        (("'", "B", "m", "Enter"), lines["near"]),
        ((">",), "Now: Move, Foe"),
        ((">",), "Now: Melee"),
        (("s", "9", "Enter", "Enter"), lines["struck"]),
        ((">", ">"), "Moment 1 is over."),
        (("Enter",), lines["free"]),
    ):
        tmux.press(*keys)
        tmux.wait(said)


def make_a_fight(tmux):
    """Five people on a map with a wall, called Mill: from the library to the fight."""
    tmux.press("s")
    tmux.wait("System", "Stage Moments")
    tmux.write("stage")
    tmux.press("Enter")
    tmux.wait("started from scratch", "S start")
    for line, there in (("Ash 14 12", "agility 12"), ("Bea 11", "hp 11"), ("Imp x3 foe 5", "Imp 3")):
        tmux.press("a")
        tmux.wait("Add combatants")
        tmux.write(line)
        tmux.press("Enter")
        tmux.wait(there, "S start")
    tmux.press("m")
    tmux.wait("pen down")
    tmux.press("1", "Space", "Up", "Up")
    tmux.wait("pen up")
    tmux.press("Escape")
    tmux.wait("12 x 9, 5 ft", "nowhere")
    tmux.press("p")
    tmux.wait("5 to place")
    tmux.press("Left", "Left", "Enter")
    tmux.wait("4 to place")
    tmux.press("Escape")
    tmux.wait("p place")
    tmux.press("P")
    tmux.wait("Set-up", gone=("nowhere",))
    tmux.press("w")
    tmux.wait("save as")
    tmux.press("C-u")
    tmux.write("Mill")
    tmux.press("Enter")
    tmux.wait("Saved as mill.toml in")
    tmux.press("S")
    tmux.wait("Mill", "The fight hasn't started")


def is_served(address):
    try:
        with urllib.request.urlopen(address, timeout=10) as page:
            return b"Mill" in page.read()
    except (urllib.error.URLError, ConnectionError):
        return False


@pytest.fixture
def browser():
    """A real browser; None where there is none."""
    pytest.importorskip("selenium")
    from browser import MISSING, open_browser

    if MISSING:
        yield None
    else:
        with open_browser() as opened:
            yield opened


def text_in_browser(browser, address, *words):
    """Open a page until it shows these words; the browser has nothing to complain of."""
    if browser is None:
        return
    from browser import complaints
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.wait import WebDriverWait

    browser.get(address)
    body = browser.find_element(By.TAG_NAME, "body")
    WebDriverWait(browser, 20).until(lambda page: all(word in body.text for word in words))
    # A page that stayed open would complain when the program that served it is killed.
    browser.get("about:blank")
    assert complaints(browser) == []


def test_from_the_readme_to_a_replay_that_is_sent(terminal, checkout, browser, tmp_path):
    """The guided fight, a fight of one's own, the players' page, a kill in mid-round, a replay in one file."""
    pytest.importorskip("uvicorn")
    patience = 300 if INSTALLED else 60
    enter(terminal, play_command(checkout), "A First Fight", "The fight hasn't started", seconds=patience)
    play_the_guided_round(terminal, checkout)
    terminal.press("q")
    terminal.wait(PROMPT, gone=("Roster",))

    enter(terminal, f"FIGHTCALL_HOME={tmp_path / 'empty'} .venv/bin/fightcall", "Enter starts the first fight")
    terminal.wait("A First Turn", "Hale and Iris stand")
    terminal.press("q")
    terminal.wait(PROMPT, gone=("Encounters",))

    enter(terminal, ".venv/bin/fightcall", "Fights 1", "A First Fight", "Moment 2")
    make_a_fight(terminal)
    terminal.press("Space")
    terminal.wait("Now: Meeting")
    terminal.press("Space", "Space")
    terminal.wait("Now: Missile")
    terminal.press("d", "1", "3", "Enter")
    terminal.wait("Imp 1 takes 3 damage (2/5 HP)")

    terminal.press("F6")
    terminal.wait("this computer only")
    terminal.press("h")
    address = re.search(r"http://127\.0\.0\.1:\d+/", terminal.wait("Players can watch at"))[0]
    assert is_served(address)
    text_in_browser(browser, address, "Mill", "Ash", "Imp 1")
    terminal.press("Escape")
    terminal.wait("Imp 1 takes 3 damage (2/5 HP)")

    os.kill(terminal.running(), signal.SIGKILL)
    terminal.press("Enter")
    terminal.wait("Killed")
    # What the program drew is still there until the terminal is told to forget it.
    terminal.write("reset; clear")
    terminal.press("Enter")
    terminal.wait(PROMPT, gone=("Roster", "clear"))
    enter(terminal, ".venv/bin/fightcall play last", "Mill", "2/5", "MISSILE")
    end = time.perf_counter() + 20
    while is_served(address):
        assert time.perf_counter() < end, "what served the players' page ends with the program"
    # Nobody sees an enemy past the wall, so nothing stops the rest of the Moment.
    terminal.press(">")
    terminal.wait("Moment 1 is over.")
    terminal.press("Enter")
    terminal.wait("Moment 2")
    terminal.press("q")
    terminal.wait(PROMPT, gone=("Roster",))

    readme = (checkout / "README.md").read_text(encoding="utf-8")
    export = re.search(r"`(fightcall export last --to replay -o (.*?))`", readme)
    enter(terminal, f".venv/bin/{export[1]} && echo writ''ten", "written")
    replay = (checkout / export[2]).rename(tmp_path / "received.html")
    page = replay.read_text(encoding="utf-8")
    assert "Imp 1 takes 3" in page
    assert re.findall(r"(?:src|href)\s*=\s*[\"'](?!#|data:)[^\"']+", page) == [], "it stands alone"
    text_in_browser(browser, replay.as_uri(), "Mill", "Ash", "Imp 1")
    assert list(Path(tmp_path).glob(".config/fightcall/encounters/mill.toml"))
