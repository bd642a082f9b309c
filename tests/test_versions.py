"""The versions of Python that are promised: only those that the tests have been run with, everywhere the same."""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RUN_WITH = (11, 12, 13)
"""Minor versions with which all tests have passed; one more is run (`PYTHON=... .ci/run`) before it is added here."""


def test_no_other_python_is_promised_than_was_run():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    first, last = RUN_WITH[0], RUN_WITH[-1]
    assert project["requires-python"] == f">=3.{first},<3.{last + 1}"
    kinds = " ".join(project["classifiers"])
    assert [int(minor) for minor in re.findall(r":: Python :: 3\.(\d+)", kinds)] == list(RUN_WITH)
    for name in ("README.md", ".ci/run"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert f"3.{first} to 3.{last}" in text, name
        assert set(re.findall(r"(?i)python ?3\.(\d+)", text)) <= {str(minor) for minor in RUN_WITH}
    assert sys.version_info.minor in RUN_WITH
