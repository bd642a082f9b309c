"""Who may import what: as declared in `pyproject.toml`, and as it turns out in a fresh process."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.fight import Fight

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
SCREEN = ("textual", "rich")


def loaded(home: Path, *steps: str) -> list[set[str]]:
    """The top-level names, and our own modules, that are loaded in a fresh process after each step."""
    report = (
        "import json, sys\n"
        "ours = ('fightcall', 'textual.widgets')\n"
        "for step in sys.argv[1:]:\n"
        "    try:\n        exec(step)\n    except SystemExit:\n        pass\n"
        "    found = {name for name in sys.modules if '.' not in name or name.startswith(ours)}\n"
        "    print('LOADED' + json.dumps(sorted(found)))"
    )
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "FIGHTCALL_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", report, *steps],
        capture_output=True,
        text=True,
        env=environ,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    found = [set(json.loads(said)) for said in re.findall(r"LOADED(.*)$", done.stdout, re.MULTILINE)]
    assert len(found) == len(steps), done.stderr
    return found


def modules_under(*folders: str) -> list[str]:
    found = []
    for folder in folders:
        root = ROOT / ("engine" if folder.startswith("fightcall_engine") else "app")
        for path in sorted((root / folder).rglob("*.py")):
            found.append(".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"))
    return found


def test_the_engine_pulls_no_screen_and_no_command_line_and_flows_and_paint_no_screen(tmp_path):
    # Hypothesis has a command line of its own.
    engine = [name for name in modules_under("fightcall_engine") if name != "fightcall_engine.testkit.machine"]
    drawn = modules_under("fightcall/flows", "fightcall/paint")
    assert len(engine) > 30
    assert len(drawn) > 10
    first, then = loaded(tmp_path, *("\n".join(f"import {name}" for name in names) for names in (engine, drawn)))
    assert not first & {*SCREEN, "argparse", "click", "fightcall"}
    assert not then & {*SCREEN}


NO_FIGHT = ("tomlkit", "tinydb", "pydantic", "fightcall_engine.play.fight")
UNNEEDED: tuple[dict[str, tuple[str, ...]], ...] = (
    {"--version --help themes": NO_FIGHT, "play tavern-parley": NO_FIGHT, "repair ford": NO_FIGHT},
    {
        "completion bash|run": ("tomlkit", "tinydb", "pydantic", "filelock"),
        "keys|schema|new mill": ("tomlkit", "tinydb", "filelock"),
        "export ford|check ford": ("tomlkit", "tinydb"),
        "list|check": ("tomlkit",),
    },
)
"""What subcommands have no need of, beside the screen, in two processes. To play finds no terminal."""


@pytest.mark.parametrize("unneeded", UNNEEDED, ids=" then ".join)
def test_subcommands_that_draw_nothing_pull_no_screen_and_no_more_than_they_need(unneeded, tmp_path):
    Fight.new("stage", id="ford", path=tmp_path / "data" / "fights" / "ford.jsonl").close()
    run = "from contextlib import suppress\nfrom fightcall.cli import main\nfor command in {!r}:\n"
    run += "    with suppress(SystemExit):\n        main(command.split())"
    found = loaded(tmp_path, *(run.format(commands.split("|")) for commands in unneeded))
    for commands, modules in zip(unneeded, found, strict=True):
        assert "fightcall.cli" in modules
        assert not modules & {*SCREEN, *unneeded[commands]}, commands


OPEN = """
import asyncio
from functools import partial
from pathlib import Path
from fightcall.app import FightCallApp, make_screen

async def open_fight():
    app = FightCallApp(partial(make_screen, "opening", path=Path({!r})))
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


@pytest.mark.parametrize("systems", [tuple(ENCOUNTERS), tuple(reversed(ENCOUNTERS))], ids=" then ".join)
def test_opening_a_fight_loads_its_own_system_and_nothing_that_a_later_key_needs(systems, tmp_path):
    """One after the other, and the other way round: each system is not there before its own fight."""
    paths = {system: tmp_path / f"{system}.jsonl" for system in systems}
    for system, path in paths.items():
        start_fight(load_encounter(ENCOUNTERS[system]), id="ford", path=path).close()
    opened = loaded(tmp_path, *(OPEN.format(str(path)) for path in paths.values()))
    for count, found in enumerate(opened, 1):
        there = {system for system in systems if f"fightcall_engine.systems.{system}" in found}
        assert there == {*systems[:count]}
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
