"""The command line called in this process, or as a process of its own, with a home of its own."""

import io
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from fightcall.cli import main, make_parser
from fightcall_engine.play.fight import Fight

MOMENT = "2026-01-02T03:04:05+00:00"


class Result(NamedTuple):
    code: int
    out: str
    err: str


class Home:
    """A folder that FIGHTCALL_HOME names."""

    def __init__(self, root: Path):
        self.root = root
        self.fights = root / "data" / "fights"
        self.library = root / "data" / "library.json"
        self.config = root / "config"

    def write(self, name: str, text: str) -> Path:
        path = self.config / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def fight(self, id: str, name: str = "A fight", blows: int = 2) -> Path:
        """A fight with a little history, at a fixed time."""
        path = self.fights / f"{id}.jsonl"
        fight = Fight.new("stage", id=id, name=name, seed="7", path=path, clock=lambda: "2026-01-02T03:04:05+00:00")
        fight.give("join", name="Ash", side="party", sheet={"agility": 13, "hp": 12})
        fight.give("join", name="Goblin", side="foe", sheet={"hp": 9})
        fight.give("start")
        for _ in range(blows):
            fight.give("damage", who="goblin", amount=2, by="ash")
        fight.close()
        return path

    def everything(self) -> dict[str, bytes]:
        """All files with what is in them, but for idle locks."""
        files = (path for path in self.root.rglob("*") if path.is_file() and path.suffix != ".lock")
        return {str(path.relative_to(self.root)): path.read_bytes() for path in files}


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("FIGHTCALL_HOME", str(tmp_path / "home"))
    return Home(tmp_path / "home")


parser_made_once = cache(make_parser)


@pytest.fixture
def call(home, capsys, monkeypatch):
    """Run the command in this process."""
    monkeypatch.setattr("fightcall.cli.make_parser", parser_made_once)

    def run(*args: str, stdin: bytes = b"") -> Result:
        capsys.readouterr()
        if stdin:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            code = main(args)
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 1
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return run


@pytest.fixture
def spawn(home):
    """Run the command as a process."""

    def run(*args: str, stdin: bytes = b"", **environ: str) -> Result:
        done = subprocess.run(
            [sys.executable, "-m", "fightcall", *args],
            input=stdin,
            capture_output=True,
            timeout=60,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environ},
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
