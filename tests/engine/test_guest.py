"""A rule system of another package: found like any other, and named where it lacks something or fails."""

import json

import pytest

from fightcall_engine.headless.session import Session
from fightcall_engine.kit.guest import DATA
from fightcall_engine.kit.registry import find_system, system_names
from fightcall_engine.kit.system import find_gaps
from fightcall_engine.model.errors import SystemFault

DUEL = """
from fightcall_engine.systems.stage import SYSTEM as STAGE

class Duel(type(STAGE)):
    id = "duel"
    {members}

SYSTEM = Duel()
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a package `fightcall-duel` with this module as its rule system `duel`."""

    def installed(module):
        (tmp_path / "duel_rules.py").write_text(module, encoding="utf-8")
        about = tmp_path / "fightcall_duel-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: fightcall-duel\nVersion: 1.0\n", encoding="utf-8")
        (about / "entry_points.txt").write_text("[fightcall.systems]\nduel = duel_rules:SYSTEM\n", encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(__import__("sys").modules, "duel_rules", raising=False)
        find_system.cache_clear()
        system_names.cache_clear()

    yield installed
    find_system.cache_clear()
    system_names.cache_clear()


def said(**request):
    """What a session that has opened a duel answers, and how many entries there are then."""
    session = Session()
    opened = session.answer({"do": "open", "system": "duel"})
    if not opened["ok"]:
        return opened, 0
    session.answer({"do": "join", "name": "Ash", "id": "ash"})
    reply = json.loads(json.dumps(session.answer(request)))
    return reply, session.fight.head_number


def test_a_broken_one_bars_no_encounter_of_the_others(install):
    """Only one that nobody else has may be its own."""
    install("import nothing_of_this_name")
    session = Session()
    assert session.answer({"do": "open", "encounter": "ambush-at-the-ford"})["ok"]
    reply = session.answer({"do": "open", "encounter": "dawn-in-the-park"})
    assert "fightcall-duel" in str(reply["error"])


def test_a_sound_one_plays_like_any_other(install):
    install(DUEL.format(members="pass"))
    assert "duel" in system_names()
    reply, number = said(do="start")
    assert reply["ok"]
    assert number == 2


FAILING = "def {name}(self, *args): return {{}}['gone']"


@pytest.mark.parametrize(
    ("name", "request_"),
    [
        ("options", {"ask": "options", "who": "ash"}),
        ("fields", {"ask": "state"}),
        ("card", {"ask": "view"}),
        ("react", {"do": "note", "text": "x"}),
        ("decide", {"do": "start"}),
        ("rules", {"ask": "rules"}),
    ],
)
def test_a_member_that_raises_is_told_with_its_package(install, name, request_):
    install(DUEL.format(members=FAILING.format(name=name)))
    reply, number = said(**request_)
    (problem,) = reply["error"]["problems"]
    assert problem == f"the rule system 'duel' of the package fightcall-duel failed in {name}: KeyError: 'gone'"
    assert number in (0, 1)


def test_a_member_that_is_missing_is_told_with_its_package(install):
    members = "\n    ".join(f"{name} = {kind.__name__.replace('Mapping', 'dict')}()" for name, kind in DATA.items())
    install(f"class Duel:\n    {members}\n\nSYSTEM = Duel()\n")
    reply, _ = said()
    (problem,) = reply["error"]["problems"]
    assert problem.startswith("the rule system 'duel' of the package fightcall-duel has no ")


@pytest.mark.parametrize(
    ("module", "problem"),
    [
        ("import nothing_of_the_kind", "cannot be imported: ModuleNotFoundError"),
        ("SYSTEM =", "cannot be imported: SyntaxError"),
        ("", "cannot be imported: AttributeError"),
        ("SYSTEM = 7", "has no id"),
        (DUEL.format(members="events = (int,)"), "has events that are no Event classes"),
        (DUEL.format(members="option_keys = None"), "has option_keys that are no Mapping"),
    ],
)
def test_what_is_no_rule_system_is_told_with_its_package(install, module, problem):
    install(module)
    with pytest.raises(SystemFault, match=f"'duel' of the package fightcall-duel {problem}"):
        find_system("duel")


LACKING = """
from dataclasses import dataclass
from fightcall_engine import kit
from fightcall_engine.model import commands as cm

@kit.command
class Parry(cm.Command):
    "Parry."

class Duel(kit.BaseSystem):
    id = "duel"
    commands = (Parry,)
    settings = (kit.Setting("first_blood", False, "ends with it", rule="DU-99"),)

SYSTEM = Duel()
"""


def test_all_that_a_system_lacks_is_told_by_name_when_it_is_loaded(install):
    install(LACKING)
    with pytest.raises(SystemFault) as fault:
        find_system("duel")
    for gap in ("fightcall-duel", "no title", "no sheet", "no steps_of_round", "handles Parry", "names DU-99"):
        assert gap in str(fault.value), gap


@pytest.mark.parametrize("name", ["stage", "slots", "turns", "segments"])
def test_our_own_systems_lack_nothing(name):
    assert find_gaps(find_system(name)) == ()
