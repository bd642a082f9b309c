"""What the README and CONTRIBUTING show is run as it stands."""

import re
from pathlib import Path
from textwrap import indent

ROOT = Path(__file__).resolve().parents[1]


def test_the_lines_of_python_drive_a_fight(capsys):
    found = re.search(
        r"<!-- drive -->\n```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert found is not None
    exec(found[1], {})
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "undo"
    assert any("DamageApplied" in line for line in said)


def test_the_paths_that_contributors_are_told_of_are_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    engine, app = ROOT / "engine" / "fightcall_engine", ROOT / "app" / "fightcall"
    layout = text.partition("## How the code is laid out")[2].split("```")[1]
    for name in re.findall(r"^  (\w+/?(?:\.py)?)", layout, re.MULTILINE):
        assert (engine / name).exists() or (app / name).exists(), name
    for path in re.findall(r"`((?:tests|kit|paint|panes|model|play|systems|headless|flows)/[\w/.]*)`", text):
        assert any((base / path).exists() for base in (ROOT, engine, app)), path


def test_the_examples_for_contributors_are_of_a_system_that_runs():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    system = (ROOT / "tests/plugins/footpads/fightcall_footpads/__init__.py").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(examples) == 3
    for example in examples:
        assert indent(example, "    ") in system


def test_the_way_of_a_strike_is_as_contributors_are_told():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = text.partition("One strike of `segments`")[2].split("```")[1].strip("\n").splitlines()
    assert len(rows) > 5
    module = ""
    for row in rows:
        name = row[:22].strip()
        module = name or module
        lines = (ROOT / f"engine/fightcall_engine/systems/segments/{module}.py").read_text(encoding="utf-8")
        assert f"def {row[22:].split()[0]}(" in lines, row


def test_the_changelog_has_at_most_forty_lines_a_release():
    """At the table 5: a GM reads it at a glance, one line a change, grouped."""
    releases = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## [")[1:]
    assert len(releases) >= 2
    for release in releases:
        name, _, text = release.partition("]")
        assert len(list(filter(None, text.splitlines()))) <= 40, name
        assert set(re.findall(r"^### (.*)$", text, re.MULTILINE)) <= {"Added", "Changed", "Fixed", "Removed"}, name
