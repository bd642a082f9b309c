"""What the README and CONTRIBUTING show is run as it stands."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_the_lines_of_python_drive_a_fight():
    found = re.search(
        r"<!-- drive -->\n```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert found is not None
    done = subprocess.run(
        [sys.executable, "-c", found[1]],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PYTHONPATH": ":".join(filter(None, sys.path))},
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[-1] == "undo"
    assert any("DamageApplied" in line for line in said)


def test_the_paths_that_contributors_are_told_of_are_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    engine, app = ROOT / "engine" / "fightcall_engine", ROOT / "app" / "fightcall"
    for name in re.findall(r"^  (\w+/?(?:\.py)?)", text, re.MULTILINE):
        assert (engine / name).exists() or (app / name).exists(), name
    for path in re.findall(r"`((?:tests|kit|paint|panes|model|play|systems|headless|flows)/[\w/.]*)`", text):
        assert any((base / path).exists() for base in (ROOT, engine, app)), path


def test_the_changelog_has_at_most_forty_lines_a_release():
    """At the table 5: a GM reads it at a glance, one line a change, grouped."""
    releases = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## [")[1:]
    assert len(releases) >= 2
    for release in releases:
        name, _, text = release.partition("]")
        assert len(list(filter(None, text.splitlines()))) <= 40, name
        assert set(re.findall(r"^### (.*)$", text, re.MULTILINE)) <= {"Added", "Changed", "Fixed", "Removed"}, name
