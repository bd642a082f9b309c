"""Version, help, keys, themes, schema and completion."""

import json
import shutil
import subprocess
import sys

import pytest

from fightcall.actions import ACTIONS, OPTION
from fightcall.settings import option_keys
from fightcall.subcommands.console import SHELLS
from fightcall_engine.model import __version__
from protocol_schema import schema_of


def test_version(call, spawn):
    assert call("--version") == (0, f"fightcall {__version__}\n", "")
    assert spawn("--version") == (0, f"fightcall {__version__}\n", "")


def test_help_names_every_subcommand(call):
    code, out, _ = call("--help")
    assert code == 0
    for name in ("play", "replay", "list", "export", "check", "repair", "new", "themes", "keys", "run", "schema"):
        assert f"\n    {name} " in out
        assert call(name, "--help").out.startswith(f"usage: fightcall {name}")


@pytest.mark.parametrize("form", ["txt", "md"])
def test_the_key_sheet_has_every_action_and_option(call, form):
    code, out, err = call("keys", "--to", form)
    assert (code, err) == (0, "")
    for action in ACTIONS:
        line = next(line for line in out.splitlines() if f" {action.id} " in line)
        assert action.tooltip.replace("|", "\\|" if form == "md" else "|") in line
    for action, key, _ in option_keys():
        assert any(key in line and action.replace("_", " ").replace("-", " ") in line for line in out.splitlines())
    if form == "md":
        tables = [line for line in out.splitlines() if line.startswith("|")]
        assert {line.replace("\\|", "").count("|") for line in tables} == {5}


def test_the_key_sheet_shows_what_the_user_changed(call, home):
    action = option_keys()[0].action
    home.write("keys.toml", f'[keys]\n"fight.damage" = "f9"\n"{OPTION}{action}" = "f10"\n"fight.why" = "ctrl+w"\n')
    code, out, err = call("keys")
    assert (code, err) == (0, "")
    lines = {" ".join(line.split()) for line in out.splitlines()}
    assert "f9 damage fight.damage Deal damage: label, amount, Enter" in lines
    assert f"f10 {action.replace('_', ' ').replace('-', ' ')} {OPTION}{action}" in lines
    assert any(line.startswith("ctrl+w why ") for line in lines)


def test_themes_marks_the_one_in_use_and_lists_the_user_s_own(call, home):
    assert "*  lantern" in call("themes").out
    home.write("settings.toml", 'theme = "dusk"\n')
    home.write("themes/dusk.toml", 'name = "dusk"\nbased_on = "lantern"\nabout = "Evening"\n')
    code, out, err = call("themes")
    assert (code, err) == (0, "")
    assert [line.split()[1:] for line in out.splitlines() if line.startswith("*")] == [["dusk", "Evening"]]


@pytest.mark.slow
def test_the_schema_of_a_system(call):
    assert json.loads(call("schema", "slots").out) == schema_of("slots")


def test_the_schema_of_an_unknown_system(call):
    code, out, err = call("schema", "stags")
    assert (code, out) == (1, "")
    assert "accepted: " in err
    assert "stage" in err.partition("accepted: ")[2]


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_knows_subcommands_fights_and_encounters(call, home, shell):
    pytest.importorskip("shtab")
    home.fight("ford-aaaa")
    code, out, err = call("completion", shell)
    assert (code, err) == (0, "")
    for word in ("export", "repair", "ford-aaaa", "tavern-parley", "last"):
        assert word in out, word


def test_bash_takes_the_completion_script(call, home, tmp_path):
    pytest.importorskip("shtab")
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    script = tmp_path / "completion.bash"
    script.write_text(call("completion", "bash").out, encoding="utf-8")
    assert subprocess.run([bash, "-n", script], check=False, capture_output=True).stderr == b""


def test_without_the_completion_library_the_way_to_it_is_named(call, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    code, out, err = call("completion", "bash")
    assert (code, out) == (1, "")
    assert "pip install 'fightcall[completion]'" in err
