"""Rule systems of other packages may be installed beside this one; the tests are about those that come with it."""

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent


def test_systems_of_other_packages_do_not_fail_the_tests(tmp_path):
    """Not even one that cannot be imported: what asks for all systems, by their names, is run with it installed."""
    installed = tmp_path / "sabre-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: sabre\nVersion: 1.0\n", encoding="utf-8")
    (installed / "entry_points.txt").write_text("[fightcall.systems]\nsabre = sabre:SYSTEM\n", encoding="utf-8")
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(tmp_path), *sys.path)))}
    (found,) = metadata.distributions(path=[str(tmp_path)])
    assert found.entry_points.select(group="fightcall.systems").names == {"sabre"}
    run = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-k",
        "stage",
        str(HERE / "rules" / "test_option_keys.py"),
    ]
    done = subprocess.run(run, capture_output=True, text=True, env=environ, cwd=HERE.parent, check=False)
    assert done.returncode == 0, done.stdout
