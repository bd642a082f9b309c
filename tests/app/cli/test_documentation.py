"""What README and guide tell people to type is typed: every command, every line of JSON.

All in this process, with screens that have no terminal; but one screen in a real terminal, and the pages.
"""

import io
import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from textual.pilot import Pilot

from fightcall.app import FightCallApp
from fightcall.cli import main, make_parser
from fightcall.guide import read_pages
from fightcall.settings import find_paths
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter
from fightcall_engine.play.fight import Fight

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "screens"))
from driver import press, seen, settle
from terminal import Terminal, environment, program

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")]

ROOT = Path(__file__).resolve().parents[3]
PAGES = {page.name: page.text for page in read_pages()}
TEXTS = {"README": (ROOT / "README.md").read_text(encoding="utf-8"), **PAGES}
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)

NOT_RUN = {
    r"python3 -m venv .*|pip install .*": "installs: .ci/run does so in a fresh environment",
    r"pytest .*": "runs this test",
}
"""Lines of shell that are not run here, and why."""
MEANT = {"FIGHT": ("last",), "ENCOUNTER": ("a-first-fight",), "NAME": ("Pond",), "SYSTEM": ("stage",), "N": ("0",)}
"""What stands for a word in capitals; a FILE is one that its command reads."""
FILES = {"import": "people.csv", "run": "lines.jsonl", "check": "mill.toml", "check …": "mill.toml"}


# Finding what is to be typed


def shell_lines(text: str) -> list[str]:
    """What a text says to type into a shell: lines of its blocks, parted where they do several things."""
    lines: list[str] = []
    for kind, block in BLOCK.findall(text):
        if kind == "sh":
            block = re.sub(r" <<'LINES'\n.*?LINES\n", "\n", block, flags=re.DOTALL)
            lines += [part.strip() for line in block.splitlines() for part in line.split("#")[0].split("&&")]
    running = BLOCK.sub("", text)
    return lines + [line.replace("\\|", "|") for line in re.findall(r"`(fightcall(?: [^`\n]*)?)`", running)]


def spelled_out(line: str) -> list[str]:
    """Every command that a line stands for: with and without what is in brackets, with each of what bars part."""
    brackets = re.findall(r"\[[^]]*\]", line)
    found = []
    for there in product((False, True), repeat=len(brackets)):
        shape = line
        for bracket, is_there in zip(brackets, there, strict=True):
            shape = shape.replace(bracket, bracket[1:-1].replace("...", "") if is_there else "", 1)
        words = [word.split("|") if "|" in word else list(MEANT.get(word, (word,))) for word in shlex.split(shape)]
        words = [[other for word in choice for other in MEANT.get(word, (word,))] for choice in words]
        for typed in product(*words):
            file = FILES.get(typed[1] if len(typed) > 1 else "", "")
            found.append(shlex.join(file if word == "FILE" else word for word in typed))
    return found


def is_left_out(line: str) -> bool:
    """True for a line of shell that is named as one that is not run here."""
    return any(re.fullmatch(pattern, line) for pattern in NOT_RUN)


LINES = sorted({line.removeprefix(".venv/bin/") for text in TEXTS.values() for line in shell_lines(text)})
COMMANDS = sorted({one for line in LINES if line.startswith("fightcall") for one in spelled_out(line)})


def test_a_line_of_shell_is_run_or_it_is_said_why_not():
    assert [line for line in LINES if not line.startswith("fightcall") and not is_left_out(line)] == []
    assert len(COMMANDS) > 40


# Commands


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A folder as somebody has it who has read the guide: a fight of three rounds, and the files that it shows."""
    folder = tmp_path_factory.mktemp("documented")
    path = Shelf(find_paths({"FIGHTCALL_HOME": str(folder / "home")})).begin(load_encounter("a-first-fight"))
    fight = Fight.open(path)
    fight.give("start")
    while fight.state.round < 4:
        fight.give("advance")
    fight.close()
    blocks = {block: kind for text in PAGES.values() for kind, block in BLOCK.findall(text)}
    named = {
        "armoury.toml": next(block for block in blocks if block.startswith("[[weapon]]")),
        "mill.toml": next(block for block in blocks if block.startswith("name = ")),
        "people.csv": next(block for block in blocks if block.startswith("name,side")),
        "lines.jsonl": '{"do":"open","system":"stage"}\n',
    }
    named["home/config/systems/alley.toml"] = next(block for block in blocks if block.startswith('id = "alley"'))
    for name, text in named.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def here(prepared, tmp_path, monkeypatch):
    """A copy of it, for one command: the working folder."""
    folder = shutil.copytree(prepared, tmp_path / "here")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("FIGHTCALL_HOME", str(folder / "home"))
    return folder


@pytest.fixture
def run(here, monkeypatch, capsysbinary):
    """Runs a command, which must go well; answers with what it prints."""

    def run(*words: str, given: bytes = b"") -> tuple[bytes, bytes]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
        code = main(words)
        printed = capsysbinary.readouterr()
        assert code == 0, printed.err.decode()
        return printed

    return run


def around(here: Path, **more: str) -> dict[str, str]:
    """What a command finds around it; the folder is the working one too."""
    return environment(here / "home", PYTHONSAFEPATH="1", **more)


def is_screen(words: list[str]) -> bool:
    """True for a command that takes the whole terminal."""
    return (words[:1] or ["library"])[0] in ("library", "play", "show", "replay") and not {"--web", "--plain"} & {
        *words
    }


def shape_of(line: str) -> str:
    """A command without which encounter it opens, with which seed, and who can reach its page."""
    return re.sub(r"play (?!last)\S+( --seed) \S+", r"play ENCOUNTER\1", line).replace("--web --lan", "--web")


def script_of_the_guide() -> bytes:
    """The lines that the guide gives to `fightcall run`."""
    return re.search(r"<<'LINES'\n(.*?)LINES\n", PAGES["scripts"], re.DOTALL)[1].encode()


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_does_what_it_is_shown_for(line, here, run, monkeypatch):
    words = shlex.split(line)[1:]
    if not words:
        see_terminal(words, here)
    elif is_screen(words):
        if line == next(other for other in COMMANDS if shape_of(other) == shape_of(line)):
            see_screen(words, monkeypatch)
        else:
            # The tours of README and guide are played on the screen, each in its encounter.
            assert load_encounter(make_parser().parse_args(words).name).joins
    elif "--web" in words:
        see_page(words, here)
    else:
        # The 200 fights that it plays where nothing else is asked for would take half a minute.
        few = ["--fights", "2", "--rounds", "2", "--processes", "1"] if words[0] == "forecast" else []
        given = script_of_the_guide() if words == ["run"] else b"q\n"
        check_printed(words, *run(*words, *few, given=given))


def check_printed(words: list[str], out: bytes, err: bytes) -> None:
    """Something came of a command, and no trace of a mistake; a script's lines were all accepted."""
    assert out or Path("last-night.html").exists(), err.decode()
    assert b"Traceback" not in err
    if words[:1] == ["run"]:
        assert all(json.loads(answer)["ok"] for answer in out.splitlines())


def last_words(words: list[str]) -> str:
    """What is written last on the screen that a command opens: in its bar of keys."""
    return "leave" if {"show", "replay", "--system"} & {*words} else "open" if not words else "space"


def see_terminal(words: list[str], here: Path) -> None:
    """Open a screen in a terminal, see it drawn down to its last row, and leave it by its key."""
    with Terminal(program(*words), around(here), (120, 36)) as terminal:
        terminal.wait_for(last_words(words))
        terminal.quiet(0.15)
        terminal.send("q")
        assert terminal.wait_end() == 0, terminal.text()[-2000:]
        assert "Traceback" not in terminal.text()


def see_screen(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The same without a terminal."""
    screens = []

    async def look(pilot: Pilot[None]) -> None:
        await settle(pilot)
        screens.append(seen(pilot))
        await press(pilot, "q")

    run_app = FightCallApp.run
    monkeypatch.setattr("fightcall.subcommands.console.require_terminal", lambda: None)
    monkeypatch.setattr(
        FightCallApp, "run", lambda app, mouse: run_app(app, headless=True, size=(120, 36), auto_pilot=look)
    )
    assert main(words) == 0
    (screen,) = screens
    assert last_words(words) in screen


def see_page(words: list[str], here: Path) -> None:
    """Start the players' screen for browsers, ask it once at the address that it prints, and stop it."""
    serving = subprocess.Popen(
        program(*words), cwd=here, env=around(here), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        address = ""
        while not address:
            said = serving.stdout.readline()
            assert said, "it ended without an address"
            address = next(iter(re.findall(r"http://\S+", said)), "")
        with urllib.request.urlopen(re.sub(r"//[^:/]+", "//127.0.0.1", address), timeout=20) as page:
            assert b"<html" in page.read()
    finally:
        serving.send_signal(signal.SIGINT)
        assert serving.wait(20) in (0, 130)
        serving.stdout.close()


def test_an_option_in_the_table_is_one_of_its_command():
    """`--seed` beside `fightcall play` is an option of that command."""
    parser = make_parser()
    subcommands = next(action.choices for action in parser._actions if action.choices and "play" in action.choices)
    for shown, row in re.findall(r"^\| (`fightcall .*?`) \| (.*) \|$", PAGES["scripts"], re.MULTILINE):
        parsers = [subcommands[command] for command in re.findall(r"`fightcall (\w+)", shown)]
        for option in re.findall(r"--\w+", row):
            assert any(option in parser._option_string_actions for parser in parsers), (shown, option)


# JSON

BEGIN = (
    '{"do":"open","system":"stage","seed":"7","settings":{},"board":{"kind":"hex","cols":20,"rows":15}}',
    '{"do":"add","id":"ash","name":"Ash","side":"party","sheet":{"agility":13},"at":[3,4]}',
    '{"do":"add","id":"orc","name":"Orc","side":"foe","sheet":{"hp":9},"at":[9,4]}',
    '{"do":"add","name":"Goblin","side":"foe","sheet":{"hp":9},"count":2,"at":[[9,6],[9,7]]}',
)
"""A fight that the lines of the guide can speak of."""
STARTED = (*BEGIN, '{"do":"start"}')
PLAN = (
    '{"do":"open","system":"slots","board":{"kind":"zone","map":"HHYY",'
    '"zones":{"H":{"name":"Taproom"},"Y":{"name":"Yard"}}}}'
)
HURT = (*STARTED, *['{"do":"damage","who":"orc","amount":1}'] * 8)
TURNS = ('{"do":"open","system":"turns"}', *[f'{{"do":"add","name":"{name}"}}' for name in ("Ash", "Orc")])
# Fights in which nobody hits would take long to be forecast.
NEARLY_WON = (
    '{"do":"open","encounter":"a-first-fight"}',
    '{"do":"start"}',
    *[f'{{"do":"damage","who":"goblin-{number}","amount":1}}' for number in (1, 2)] * 8,
)
BEFORE = {
    '{"ask":"forecast"': NEARLY_WON,
    '{"do":"effect"': TURNS,
    '{"do":"open"': (),
    '{"do":"add"': BEGIN[:1],
    '{"do":"start"}': BEGIN,
    '{"do":"move"': (*STARTED, '{"do":"next_half","until":"move"}'),
    '{"do":"shoot"': (*STARTED, '{"do":"next_half","until":"missile"}'),
    '{"do":"answer"': (
        *STARTED,
        '{"do":"next_half","until":"missile"}',
        '{"do":"shoot","who":"ash","target":"orc","hit":true}',
    ),
    '{"do":"mark_zone"': (PLAN,),
    '{"do":"uncue"': (*STARTED, '{"do":"cue","id":"rain","when":{"round":2},"then":{"say":"Rain."}}'),
    '{"do":"take_branch"}': (*STARTED, '{"do":"fork","name":"no"}'),
    '{"do":"undo"}': HURT,
    '{"do":"jump"': HURT,
    '{"do":"amend"': HURT,
    '{"ask":"compare"': (*HURT[:-1], '{"do":"fork","name":"no"}', '{"do":"undo"}', '{"do":"advance"}'),
}
"""What must have been done for a line, by how it begins; else the fight has begun."""


def json_lines() -> list[str]:
    """The requests in running text and tables."""
    found = [re.findall(r"`(\{\"(?:do|ask)\".*?\})`", text) for text in TEXTS.values()]
    return sorted({line for lines in found for line in lines})


def send(lines: list[str], run: Callable[..., tuple[bytes, bytes]]) -> list[dict]:
    """The answers of `fightcall run` to some lines."""
    return [json.loads(answer) for answer in run("run", given="\n".join(lines).encode())[0].splitlines()]


def test_every_line_of_json_is_accepted(run):
    """Each in a fight in which it makes sense; one program answers them all, a fight after the other."""
    sent: list[str] = []
    shown: dict[int, str] = {}
    for line in json_lines():
        sent += next((before for start, before in BEFORE.items() if line.startswith(start)), STARTED)
        shown[len(sent)] = line
        sent.append(line)
    assert len(shown) > 20
    for at, answer in enumerate(send(sent, run)):
        assert answer["ok"], (sent[at], shown.get(at, "done before one"), answer)


def test_every_block_of_json_is_accepted(run):
    """Lines of JSON in a block are one script."""
    blocks = [block for text in TEXTS.values() for _, block in BLOCK.findall(text) if re.search(r"^\{\"", block, re.M)]
    assert blocks
    for block in blocks:
        lines = [line for line in block.splitlines() if line.startswith("{")]
        assert [answer for answer in send(lines, run) if not answer["ok"]] == []


def test_answers_have_the_form_that_is_shown(run):
    """Of those that are accepted, refused, owed dice and not understood."""
    lines = [*STARTED, '{"do":"waive","who":"nobody"}', "{", '{"do":"configure","setting":"dice","value":"table"}']
    lines += ['{"do":"next_half","until":"missile"}', '{"do":"shoot","who":"ash","target":"orc","needs":12}']
    answers = send(lines, run)
    accepted, refused, unread, owed = answers[4], answers[5], answers[6], answers[-1]
    assert {"ok", "n", "events"} <= accepted.keys()
    assert {"seq", "round", "phase", "side", "clock_s"} == accepted["events"][0]["stamp"].keys()
    assert refused.keys() == {"ok", "refused"}
    assert refused["refused"].keys() == {"rule", "message", "accepts"}
    assert unread.keys() == {"ok", "error"}
    assert owed["needs"][0].keys() == {"purpose", "who", "dice"}


# Files

ENCOUNTER = """\
name = "X"
system = "stage"
[[combatant]]
name = "Ash"
side = "party"
[[combatant]]
name = "Goblin x2"
side = "foe"
"""
"""What a part of an encounter is checked in."""
BOARD = (
    "[board]\nmap = '''\n" + ". . . . . . . . . .\n" * 4 + ". . . . . . . . . ~\n'''\nlegend.'~' = { name = 'water' }\n"
)
"""What cues speak of."""


# The file of "Your own game" grows over the page: `tests/homebrew/test_guide_page.py` reads it.
@pytest.mark.parametrize("name", [name for name in PAGES if name != "own-games"])
def test_every_file_that_is_shown_is_one(name, here, run):
    """Blocks of TOML are what the sentences before them say: a whole encounter, a part of one, keys, an armoury."""
    for kind, block in BLOCK.findall(PAGES[name]):
        if kind != "toml":
            continue
        first = block.splitlines()[0].split(" ")[0]
        file = here / {"[keys]": "home/config/keys.toml", "[[weapon]]": "armoury.toml"}.get(first, "shown.toml")
        file.parent.mkdir(parents=True, exist_ok=True)
        before = {"[board]": ENCOUNTER, "[[cue]]": ENCOUNTER + BOARD}.get(first, "")
        file.write_text(before + block, encoding="utf-8")
        run("check", str(file))
