"""Files that are broken, endless, huge or nothing of the kind: a message within a moment, and nothing has changed."""

import errno
import json
import os
from itertools import product
from pathlib import Path

import pytest

from fightcall_engine.play.fight import Fight

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes and devices have names on POSIX only"),
]


NAMES = {
    "encounter": "encounters/bad.toml",
    "settings": "settings.toml",
    "keys": "keys.toml",
    "theme": "themes/bad.toml",
    "game": "systems/bad.toml",
    "armoury": "settings/segments/armoury.toml",
    "chances": "settings/segments/chance_table.csv",
}
TEXTS = {
    "lists thousands deep": "a = " + "[" * 50_000,
    "tables thousands deep": "a = " + "{a=" * 50_000,
    "a key of thousands of dots": "a" + ".b" * 50_000 + " = 1",
    "a header of thousands of dots": "[" + "a." * 50_000 + "b]",
    "a number of thousands of digits": "a = " + "9" * 50_000,
    "a hexadecimal of thousands of digits": "a = 0x" + "f" * 50_000,
    "five megabytes": "# " + "x" * 5_000_000,
    "not UTF-8": "\udcff",
}


def write_trap(home, name, text):
    path = home.write(name, "")
    path.write_bytes(text.encode(errors="surrogateescape"))
    return path


def results_with(call, *files):
    """What the commands that read files say; no line of it is long, and what is wrong with each file is told."""
    results = [call(command) for command in ("check", "list", "themes", "keys")]
    assert results[0].code == 1
    assert [path for path in files if path.name not in results[0].err] == []
    assert max(len(line) for result in results for line in result.err.splitlines() or [""]) < 1000
    for path in files:
        path.unlink()


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text_that_is_a_trap(call, home, text):
    """In every kind of file at once."""
    results_with(call, *(write_trap(home, name, text) for name in NAMES.values()))


@pytest.mark.parametrize(("name", "text"), [*zip(NAMES.values(), TEXTS.values(), strict=False)], ids=NAMES)
def test_the_only_file_is_a_trap(call, home, name, text):
    """What reads other files first gets to it."""
    results_with(call, write_trap(home, name, text))


NO_FILES = {
    "pipe": os.mkfifo,
    "endless device": lambda path: path.symlink_to("/dev/zero"),
    "link to itself": lambda path: path.symlink_to(path),
    "folder": Path.mkdir,
}
LIBRARY, JOURNAL = "../data/library.json", "../data/fights/bad.jsonl"


@pytest.mark.parametrize(
    ("name", "what"),
    # Those that are only read are read by one function.
    [*product((LIBRARY, JOURNAL), NO_FILES), *zip(NAMES.values(), [*NO_FILES] * 2, strict=False)],
)
def test_what_is_no_file_where_a_file_belongs(call, home, name, what):
    journal = home.fight("ford")
    path = home.config / name
    path.parent.mkdir(parents=True, exist_ok=True)
    NO_FILES[what](path)
    for command in ("list", "themes", "keys"):
        assert call(command).code in (0, 1)
    assert call("check").code == 1
    if name == LIBRARY:
        assert "fightcall repair --library" in call("list").err
        assert call("repair", "--library").code == 0
        assert call("check").code == 0
        assert "A fight" in call("list").out
    assert Fight.watch(journal).line.entry_count() == 5


LIBRARIES = {
    "a document id that isn't a number": {"fights": {"one": {}}},
    "a document id of many digits": {"fights": {"9" * 5000: {}}},
    "another schema number": {"meta": {"1": {"key": "schema", "value": 99}}},
    "no schema number": {"meta": {"1": {"key": "schema", "value": {"a": "x" * 10_000}}}},
    "a list": [],
    "a table that is none": {"fights": 7},
}


@pytest.mark.parametrize(
    "text",
    [
        *map(json.dumps, LIBRARIES.values()),
        '{"fights":{"1":{"id":"ford","round":1e999}}}',
        '{"fights":{"1":{"round":' + "9" * 5000 + "}}}",
        "[" * 100_000,
        "",
        "\0" * 512,
        "{",
    ],
)
def test_a_library_is_repaired_whatever_is_wrong_with_it(call, home, text):
    home.fight("ford", "The Ford")
    home.library.parent.mkdir(parents=True, exist_ok=True)
    home.library.write_text(text)
    before = home.library.read_bytes()
    for command in (("list",), ("check",)):
        code, _, err = call(*command)
        assert code == 1
        assert "fightcall repair --library" in err
        assert len(err) < 1000
        assert home.library.read_bytes() == before
    assert call("repair", "--library").code == 0
    assert home.library.with_name("library.json.damaged-1").read_bytes() == before
    assert call("check").code == 0
    assert "The Ford" in call("list").out


def test_a_library_is_repaired_where_its_backup_is_no_better(call, home):
    home.fight("ford", "The Ford")
    for name in ("library.json", "library.json.bak"):
        home.library.with_name(name).write_text(json.dumps(LIBRARIES["another schema number"]))
    assert call("repair", "--library").code == 0
    assert "The Ford" in call("list").out


@pytest.mark.parametrize("command", [("list",), ("check",), ("keys",), ("new", "Mill"), ("repair", "--library")])
def test_a_home_of_nobody(call, home, monkeypatch, command):
    monkeypatch.setenv("FIGHTCALL_HOME", "~nobody-of-this-name")
    code, _, err = call(*command)
    assert code == 1
    assert "FIGHTCALL_HOME" in err
    assert "~nobody-of-this-name" in err


@pytest.mark.parametrize("operation", ["write", "sync", "place"])
def test_a_new_encounter_on_a_full_disk_leaves_nothing(call, home, monkeypatch, operation):
    def refuse(self, *args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(f"fightcall_engine.archive.fsutil.FileLayer.{operation}", refuse)
    code, out, err = call("new", "The Mill")
    assert (code, out) == (1, "")
    assert "No space left" in err
    assert home.everything() == {}


def test_what_a_dead_program_was_writing_is_cleared_away(call, home):
    home.fight("ford")
    pid = 2**22 + 1  # No process has so high a number.
    stale = [home.library.with_name(f".library.json.{pid}-0.tmp"), home.fights / f".mill-1.jsonl.{pid}-3.tmp"]
    kept = [home.library.with_name(f".library.json.{os.getpid()}-0.tmp"), home.fights / ".notes.tmp"]
    for path in (*stale, *kept):
        path.write_text("half of it")
    assert call("list").code == 0
    assert [path.exists() for path in (*stale, *kept)] == [False, False, True, True]
