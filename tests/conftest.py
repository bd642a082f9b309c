"""What all tests share: one way for Hypothesis to run, our systems alone, and a plug-in installed for a while.

``FIGHTCALL_EXAMPLES=1000 pytest tests/engine/test_codec.py`` tries each of its laws so many times, and each state
machine.
"""

import faulthandler
import gc
import inspect
import os
import shutil
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import invalidate_caches, metadata
from pathlib import Path
from random import Random

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

from fightcall_engine.archive import encounter_reading, encounters
from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.kit import plugins

settings.register_profile(
    "fightcall",
    max_examples=int(os.environ.get("FIGHTCALL_EXAMPLES", "15")),
    deadline=None,
    # A change is not held up by what another draw would have found: that is for the runs at a desk.
    derandomize="FIGHTCALL_SAME_EXAMPLES" in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("fightcall")
# The quick part shows whether a change is on the way: it draws less of each law than what goes in is tried with.
settings.register_profile("quick", parent=settings.get_profile("fightcall"), max_examples=8)

FIGHTS = int(os.environ.get("FIGHTCALL_EXAMPLES", "10"))
"""Fights that a state machine plays: each takes as long as many examples of another law."""

# What is read in to be tested stays to the end: to look through it for garbage takes as long as many a test.
gc.disable()

_read_encounter = encounter_reading.read_encounter
_read_once = cache(_read_encounter)
_SHIPPED = Path(encounters.__file__).resolve().parents[1]


def _read_shipped_once(text: str, where: str, folder: Path | None = None, own: Path | None = None) -> Encounter:
    """Encounters are values: each of those that ship is read once for all the fights that begin with it."""
    is_shipped = folder is not None and own is None and folder.is_relative_to(_SHIPPED)
    return (_read_once if is_shipped else _read_encounter)(text, where, folder, own)


encounter_reading.read_encounter = _read_shipped_once

# Programs that the tests start find bytecode, as they do where they are installed, or write it. So do the tests
# themselves: pytest takes twice as long to rewrite their asserts as to collect them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A journal waits for its disk at each line, here thousands of times: one in memory does not keep it waiting.
MEMORY = Path("/dev/shm")
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 1 << 30:
    for variable in ("TMPDIR", "PYTEST_DEBUG_TEMPROOT"):
        os.environ.setdefault(variable, str(MEMORY))

_ALL_POINTS = metadata.entry_points
_SYSTEMS = _ALL_POINTS(group=plugins.GROUP)
_OTHERS = frozenset(point for point in _SYSTEMS if not point.value.startswith("fightcall_engine."))


def _points_without_others(**wanted: str) -> metadata.EntryPoints:
    """What is installed, but for the rule systems of other packages that were so when the tests began."""
    return metadata.EntryPoints(point for point in _ALL_POINTS(**wanted) if point not in _OTHERS)


metadata.entry_points = _points_without_others


QUICK = "not slow"
"""What the quick part is chosen by."""


class OwnOrder:
    """Lets each worker go through the files in an order of its own.

    Where nothing is compiled yet, each then rewrites the asserts of other files, and finds those that are done. A hook
    of this module itself would not hear of folders whose `conftest` has not been looked for.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        report = yield
        if isinstance(collector, pytest.Directory):
            Random(os.environ["PYTEST_XDIST_WORKER"]).shuffle(report.result)
        return report


def pytest_configure(config: pytest.Config) -> None:
    """Draw fewer examples for the quick part, unless it is said how many."""
    if config.getoption("markexpr") == QUICK and "FIGHTCALL_EXAMPLES" not in os.environ:
        settings.load_profile("quick")
    if "PYTEST_XDIST_WORKER" in os.environ:
        config.pluginmanager.register(OwnOrder())


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores: slow tests wait for disks, browsers and programs of their own."""
    return (os.cpu_count() or 1) + (config.getoption("markexpr") != QUICK)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what always is: screens, whose tests are coroutines, state machines, and processes of their own."""
    items.sort(key=lambda item: str(item.path))
    is_screen = cache(inspect.iscoroutinefunction)
    for item in items:
        machine = isinstance(item.parent, pytest.Class) and hasattr(item.cls, "settings")
        process = "spawn" in getattr(item, "fixturenames", ())
        if machine:
            item.cls.settings = settings(item.cls.settings, max_examples=FIGHTS)
        if machine or process or is_screen(getattr(item, "function", None)):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Look for garbage from now on, in what the tests themselves make; seldom, for most of that is no garbage."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """In a worker, tell of a test only once where all went well: each message costs as much as a small test."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.fixture(scope="module", autouse=True)
def hang_watch(request: pytest.FixtureRequest) -> Iterator[None]:
    """A module that hangs says where. By `faulthandler_timeout` each test would start a thread of its own."""
    faulthandler.dump_traceback_later(300, file=request.config.stash[fault_handler_stderr_fd_key])
    yield
    faulthandler.cancel_dump_traceback_later()


PLUGINS = Path(__file__).parent / "plugins"


def install_plugin(name: str, folder: Path) -> None:
    """Lay a plug-in into a folder as pip would: its package, and the entry points that its pyproject names."""
    project = tomllib.loads((PLUGINS / name / "pyproject.toml").read_text())["project"]
    for package in (path.parent for path in (PLUGINS / name).glob("*/__init__.py")):
        shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in points.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))


@pytest.fixture
def duel(tmp_path, monkeypatch):
    """The plug-in `duel`, installed on a path of this test's own, for this process and for those it starts."""
    yield from _with_plugin("duel", tmp_path, monkeypatch)


@pytest.fixture
def snowballs(tmp_path, monkeypatch):
    """The plug-in `snowballs`, installed like `duel`."""
    yield from _with_plugin("snowballs", tmp_path, monkeypatch)


@pytest.fixture
def footpads(tmp_path, monkeypatch):
    """The plug-in `footpads`, installed like `duel`."""
    yield from _with_plugin("footpads", tmp_path, monkeypatch)


def _with_plugin(name, tmp_path, monkeypatch):
    folder = tmp_path / "site"
    folder.mkdir()
    install_plugin(name, folder)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    _forget_systems()
    yield folder
    sys.modules.pop(f"fightcall_{name}", None)
    _forget_systems()


def _forget_systems() -> None:
    invalidate_caches()
    plugins.forget_systems()
