"""Who may import what: as declared in `pyproject.toml`, and as it turns out in a fresh process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.fight import Fight

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
SCREEN = ("textual", "rich")


def loaded(code: str, home: Path, *args: str) -> set[str]:
    """The top-level names, and the program's own modules, that are loaded after some code in a fresh process."""
    report = (
        "import json, sys\n"
        "try:\n    exec(sys.argv.pop(1))\nexcept SystemExit:\n    pass\n"
        "ours = ('fightcall', 'textual.widgets')\n"
        "found = {name for name in sys.modules if '.' not in name or name.startswith(ours)}\n"
        "print('LOADED' + json.dumps(sorted(found)))"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "FIGHTCALL_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", report, code, *args],
        capture_output=True,
        text=True,
        env=environ,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    assert "LOADED" in done.stdout, done.stderr
    return set(json.loads(done.stdout.partition("LOADED")[2]))


def modules_under(*folders: str) -> list[str]:
    found = []
    for folder in folders:
        root = ROOT / ("engine" if folder.startswith("fightcall_engine") else "app")
        for path in sorted((root / folder).rglob("*.py")):
            found.append(".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"))
    return found


def test_the_engine_pulls_no_screen_and_no_command_line(tmp_path):
    # Hypothesis has a command line of its own.
    names = [name for name in modules_under("fightcall_engine") if name != "fightcall_engine.testkit.machine"]
    assert len(names) > 30
    found = loaded("\n".join(f"import {name}" for name in names), tmp_path)
    assert not found & {*SCREEN, "argparse", "click", "fightcall"}


def test_flows_and_paint_pull_no_screen(tmp_path):
    names = modules_under("fightcall/flows", "fightcall/paint")
    assert len(names) > 10
    assert not loaded("\n".join(f"import {name}" for name in names), tmp_path) & set(SCREEN)


RUN = """
from contextlib import suppress
from fightcall.cli import main

for command in sys.argv[1:]:
    with suppress(SystemExit):
        main(command.split())
"""
LIGHT: dict[tuple[str, ...], tuple[str, ...]] = {
    ("--version", "--help", "themes", "play tavern-parley"): ("pydantic", "tinydb", "fightcall_engine.play.fight"),
    ("--version", "--help", "themes", "keys", "schema", "new mill", "completion bash", "run"): ("tinydb", "filelock"),
    ("completion bash", "run"): ("pydantic",),
    ("repair ford",): ("tinydb", "pydantic", "fightcall_engine.play.fight"),
    ("export ford", "check ford"): ("tinydb",),
    ("list", "check"): (),
}
"""What some subcommands, one after another, have no need of, beside the screen. To play finds no terminal."""


@pytest.mark.parametrize("commands", LIGHT, ids="|".join)
def test_subcommands_that_draw_nothing_pull_no_screen_and_no_more_than_they_need(commands, tmp_path):
    Fight.new("stage", id="ford", path=tmp_path / "data" / "fights" / "ford.jsonl").close()
    found = loaded(RUN, tmp_path, *commands)
    assert "fightcall.cli" in found
    assert not found & {*SCREEN, "tomlkit", *LIGHT[commands]}


OPEN = """
import asyncio
from functools import partial
from pathlib import Path
from fightcall.app import FightCallApp, make_screen

async def open_fight():
    app = FightCallApp(partial(make_screen, "opening", path=Path(sys.argv[1])))
    async with app.run_test() as pilot:
        while app.screen.SCOPE != "fight":
            await pilot.pause()

asyncio.run(open_fight())
"""
ENCOUNTERS = {
    "stage": "ambush-at-the-ford",
    "turns": "surrounded-by-goblins",
    "slots": "fire-at-the-playhouse",
    "segments": "the-tiltyard",
}
UNUSED = {
    *("pydantic", "tinydb", "filelock", "tomlkit", "starlette", "uvicorn", "segno", "jsonschema_rs"),
    *("fightcall_engine.play.lanes", "fightcall_engine.archive.encounters", "fightcall_engine.archive.library"),
    *("fightcall.screens.help", "fightcall.screens.setup", "textual.widgets._markdown"),
}
"""What no fight needs before its first key."""


@pytest.mark.parametrize("system", ENCOUNTERS)
def test_opening_a_fight_loads_its_own_system_and_nothing_that_a_later_key_needs(system, tmp_path):
    path = tmp_path / "ford.jsonl"
    start_fight(load_encounter(ENCOUNTERS[system]), id="ford", path=path).close()
    found = loaded(OPEN, tmp_path, str(path))
    assert f"fightcall_engine.systems.{system}" in found
    assert not found & {f"fightcall_engine.systems.{other}" for other in ENCOUNTERS if other != system}
    assert not found & UNUSED


def test_the_import_contracts_hold():
    pytest.importorskip("importlinter")
    code = "import sys; from importlinter.cli import lint_imports_command as lint; lint([])"
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environ, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout
