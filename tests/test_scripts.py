"""The scripts that the README names find what they measure, draw or change."""

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
SCRIPTS = sorted({*TESTS.glob("bench/*.py"), TESTS / "mutants.py", TESTS / "app/pictures/draw.py"})


def test_every_script_is_imported_without_a_fault():
    imports = "import runpy, sys; [runpy.run_path(path, run_name='imported') for path in sys.argv[1:]]"
    # An app that runs as it is imported is measured by `screen.py`.
    paths = [str(path) for path in SCRIPTS if path.name != "empty_app.py"]
    env = {"PYTHONPATH": ":".join(str(TESTS.parent / folder) for folder in ("app", "engine", "tests/bench"))}
    done = subprocess.run([sys.executable, "-c", imports, *paths], env=env, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.returncode == 0
