"""A rule system of another package: found like any other, and named where it lacks something or fails."""

import json

import pytest

from fightcall_engine.headless import Session
from fightcall_engine.kit.plugins import (
    DATA,
    TOLD_OF_COMBATANT,
    TOLD_OF_FIGHT,
    find_gaps,
    find_system,
    forget_systems,
    system_names,
)
from fightcall_engine.model.errors import SystemFault
from fightcall_engine.play.fight import Fight

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
        forget_systems()

    yield installed
    forget_systems()


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


DOUBLING = """
    from fightcall_engine.kit import handles
    from fightcall_engine.model.commands import Damage

    @handles(Damage)
    def take_damage(self, decision, command):
        decision.hurt(command.who, 2 * command.amount, self.health)
"""


def test_what_it_handles_of_the_shared_commands_it_decides_itself(install):
    install(DUEL.format(members=DOUBLING))
    reply, _ = said(do="damage", who="ash", amount=3)
    assert [event["amount"] for event in reply["events"]] == [6]


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
def test_a_member_that_raises_is_told_with_its_package_and_line(install, name, request_):
    install(DUEL.format(members=FAILING.format(name=name)))
    reply, number = said(**request_)
    (problem,) = reply["error"]["problems"]
    who = "the rule system 'duel' of the package fightcall-duel"
    assert problem == f"{who} failed in {name}: KeyError: 'gone' (duel_rules, line 6)"
    assert number in (0, 1)


def test_a_member_that_is_missing_is_told_with_its_package(install):
    members = "\n    ".join(f"{name} = {kind.__name__.replace('Mapping', 'dict')}()" for name, kind in DATA.items())
    install(f"class Duel:\n    {members}\n    id = 'duel'\n\nSYSTEM = Duel()\n")
    reply, _ = said()
    (problem,) = reply["error"]["problems"]
    assert problem.startswith("the rule system 'duel' of the package fightcall-duel has no ")


@pytest.mark.parametrize(
    ("module", "problem"),
    [
        ("import nothing_of_the_kind", "can't be imported: ModuleNotFoundError"),
        ("SYSTEM =", "can't be imported: SyntaxError"),
        ("", "can't be imported: AttributeError"),
        ("SYSTEM = 7", "has no id"),
        (DUEL.format(members="events = (int,)"), "has events that aren't Event classes"),
        (DUEL.format(members="option_keys = None"), "has option_keys that aren't Mapping"),
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
from fightcall_engine.model import events as ev

@kit.command
class Parry(cm.Command):
    "Parry."

@kit.command
class Lunge(cm.Command):
    "Lunge."

@kit.event
class Lunged(ev.Recorded):
    PUBLIC = ("who",)
    TEXT = "{who} lunges at {target} with {die:>2}"
    SEEN = "{who} lunges: {die}"
    who: str
    die: int

class Parried(ev.Recorded):
    who: str

@kit.event
class Feinted(ev.TraitChanged):
    trait: str = "fient"

@dataclass
class Duellist:
    lives: int = 3

@dataclass(frozen=True)
class Grudges:
    old: int

class Hurt:
    "Not even a dataclass."

class Duel(kit.BaseSystem):
    id = "duel"
    commands = (Parry,)
    events = (Lunged, Parried, Feinted)
    settings = (kit.Setting("first_blood", False, "ends with it", rule="DU-99"),)
    record, fight_record, effect_data = Duellist, Grudges, Hurt
    own_traits = frozenset({"luck"})
    round_rule = "DU-98"

    @kit.handles(Lunge)
    def lunge(self, decision, command):
        "Nothing comes of it, UTF-8 or not, as DU-90 says."
        decision.require(kit.Check(True, "ZZ-97", "never"))
        decision.emit(kit.offer("parry", "Parry", rule="ZZ-96"))
        return "DU-95"

    def rules(self):
        return {"DU-01": "Once."}

SYSTEM = Duel()
"""
GAPS = (
    "no title", "no sheet", "no steps_of_round", "handles Parry", "names DU-98", "names DU-99",
    "names ZZ-97", "names ZZ-96", "names DU-95",
    "has the effect_data Hurt, which isn't a frozen dataclass",
    "has the record Duellist, which isn't a frozen dataclass",
    "has the fight_record Grudges, whose old has no default",
    "has luck among its own_traits, which its record has not",
    "handles Lunge, which is not among its commands",
    "has Lunged, which names target and has no such field",
    "has Lunged, whose SEEN names die, which is not PUBLIC",
    "has Lunged, whose words can't be filled in at {die:>2}",
    "has Feinted, which changes fient, and remembers nothing of this name",
)  # fmt: skip


@pytest.mark.parametrize(
    ("members", "fault"),
    [
        ("id = 'fence'", "has the id 'fence', by which no saved fight would find it"),
        ("settings = ('first_blood',)", "has settings that aren't of class Setting"),
        ("resumes = (str,)", "has resumes that aren't Resume classes"),
        ("own_traits = {'luck'}", "has own_traits that aren't frozenset"),
    ],
)
def test_what_is_data_is_looked_at_when_it_is_loaded(install, members, fault):
    install(DUEL.format(members=members))
    with pytest.raises(SystemFault, match=fault):
        find_system("duel")


def test_all_that_a_system_lacks_is_told_by_name_when_it_is_loaded(install):
    install(LACKING)
    with pytest.raises(SystemFault) as fault:
        find_system("duel")
    for gap in ("fightcall-duel", *GAPS):
        assert gap in str(fault.value), gap
    for word in ("UTF-8", "DU-90", "DU-01"):
        assert f"names {word}" not in str(fault.value)


UNLISTED = """
from dataclasses import dataclass
from fightcall_engine import kit
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev

@dataclass(frozen=True)
class Sheet:
    "Nothing."

@dataclass(frozen=True)
class Grudge:
    "What an effect keeps."

@kit.event
class Bowed(ev.Recorded):
    who: str

@kit.resume
class Answering(kit.Resume):
    to: str

@kit.command
class Bow(cm.Command):
    "Bow, in one of these ways."
    who: str
    way: str = ""

class Duel(kit.BaseSystem):
    id, title, sheet = "duel", "Duel", Sheet
    commands = (Bow,)

    def steps_of_round(self, decision):
        return (kit.Step("all", "all", "all", "All"),)

    @kit.handles(Bow)
    def bow(self, decision, command):
        match command.way:
            case "event":
                decision.emit(Bowed(who=command.who))
            case "resume":
                made = {"kind": "bow", "question": "Back?", "rule": "", "choices": kit.YES_NO}
                decision.offer(kit.prompt_for(None, resume=Answering(to=command.who), **made))
            case "list":
                decision.emit(ev.FactChanged(fact="bows", before=(), value=[command.who]))
            case "effect_data":
                effect = kit.Effect("", "grudge", data=Grudge())
                decision.emit(ev.EffectBegan(who=command.who, effect=effect))

    def starting_record(self, settings, join, sheet):
        return Grudge() if join.name == "Zed" else None

SYSTEM = Duel()
"""


@pytest.mark.parametrize(
    ("request_", "fault"),
    [
        ({"do": "bow", "who": "ash", "way": "event"}, "emits Bowed, which is not among its events"),
        ({"do": "bow", "who": "ash", "way": "resume"}, "asks with Answering, which is not among its resumes"),
        ({"do": "bow", "who": "ash", "way": "list"}, "sets bows to a list, not a tuple"),
        ({"do": "bow", "who": "ash", "way": "effect_data"}, "gives an effect Grudge, which is not its effect_data"),
        ({"do": "join", "name": "Zed"}, "keeps a Grudge as a record, which is not its own"),
    ],
)
def test_what_no_saved_fight_could_be_read_with_is_a_fault_and_nothing_is_written(install, tmp_path, request_, fault):
    install(UNLISTED)
    path = tmp_path / "duel.jsonl"
    fight = Fight.new("duel", path=path)
    fight.give("join", name="Ash")
    written = path.read_bytes()
    with pytest.raises(SystemFault, match=fault):
        fight.give(request_.pop("do"), **request_)
    assert path.read_bytes() == written
    assert fight.head_number == 1
    fight.close()
    Fight.open(path).close()


RELAY = """
from dataclasses import dataclass, field
from collections.abc import Mapping
from fightcall_engine import kit
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev

class Loose:
    "No record."

@kit.resume
class Leg(kit.Resume):
    runner: str
    stops: tuple[str, ...] = ()

@dataclass(frozen=True)
class Baton:
    now: Leg | None = None
    legs: tuple[Leg, ...] = ()

@dataclass(frozen=True)
class Runner:
    leg: Leg | None = None

@kit.command
class Run(cm.Command):
    "Run, and pass the baton on."
    who: str

@kit.resume
class Passing(kit.Resume):
    to: str
    baton: Baton = Baton()
    by: Mapping[str, Leg] = field(default_factory=dict)
    after: {after}

class Duel(kit.BaseSystem):
    id, title, sheet, record, commands, resumes = "duel", "Relay", Baton, Runner, (Run,), (Passing,)

    def steps_of_round(self, decision):
        return (kit.Step("all", "all", "all", "All"),)

    @kit.handles(Run)
    def run(self, decision, command):
        leg = Leg(runner=command.who, stops=("oak", "gate"))
        decision.set_traits(command.who, leg=leg)
        passing = Passing(to=command.who, baton=Baton(leg, (leg, leg)), by={{"ash": leg}}, after=command)
        made = {{"kind": "pass", "question": "Caught?", "rule": "", "choices": kit.YES_NO}}
        decision.offer(kit.prompt_for(None, resume=passing, **made))

    @kit.answers("pass")
    def caught(self, decision, prompt, answer):
        decision.set_traits(kit.resume_of(prompt, Passing).baton.legs[1].runner, leg=None)

SYSTEM = Duel()
"""


def test_records_within_a_questions_record_are_read_again(install, tmp_path):
    """Put right 45: also those of the classes of questions and commands, and in a combatant's record."""
    install(RELAY.format(after="Run | None = None"))
    path = tmp_path / "relay.jsonl"
    fight = Fight.new("duel", path=path)
    fight.give("join", name="Ash")
    fight.give("run", who="ash")
    state = fight.state
    fight.close()
    again = Fight.open(path)
    assert again.state == state
    assert again.state.prompts[0].resume == state.prompts[0].resume
    assert again.state.combatants["ash"].record.leg.stops == ("oak", "gate")
    again.give("answer", choice="yes")
    assert again.state.combatants["ash"].record.leg is None
    again.close()


@pytest.mark.parametrize("kind", ["Loose", "tuple[Loose, ...]", "kit.Resume"])
def test_a_record_that_could_not_be_read_is_told_when_it_is_loaded(install, kind):
    """Put right 45."""
    install(RELAY.format(after=f"{kind} | None = None"))
    with pytest.raises(SystemFault, match=r"has Passing, whose after holds a (Loose|Resume), which isn't a frozen"):
        find_system("duel")


def test_a_path_may_be_a_text(tmp_path):
    """Put right 45: whatever takes the path of a journal."""
    fight = Fight.new("stage", path=str(tmp_path / "one.jsonl"))
    fight.save_as(str(tmp_path / "two.jsonl"))
    fight.close()
    assert Fight.watch(str(tmp_path / "two.jsonl")).head_number == 0
    Fight.open(str(tmp_path / "one.jsonl")).close()


def test_a_health_that_no_sheet_has_is_told_when_it_is_loaded(install):
    install(UNLISTED.replace("sheet = ", "sheet, health = ").replace("Sheet\n", "Sheet, 'bloood'\n", 1))
    with pytest.raises(SystemFault, match="has the health bloood, which its sheet has no field for"):
        find_system("duel")


MISNAMING = """
    def options(self, state, combatant_id):
        from fightcall_engine.kit import offer
        return (offer("watch", "watch", "Wach", "w", ()),)

    from fightcall_engine.kit import handles
    from fightcall_engine.model.commands import Damage, Heal

    @handles(Damage)
    def take_damage(self, decision, command):
        decision.set_traits(command.who, wathing=True)

    @handles(Heal)
    def heal(self, decision, command):
        decision.spend(command.who, 1, "points")
"""


@pytest.mark.parametrize(
    ("request_", "fault"),
    [
        ({"ask": "options", "who": "ash"}, "offers 'watch' by Wach, which is not among its commands"),
        ({"do": "damage", "who": "ash", "amount": 1}, "has no field 'wathing'; accepted: "),
        ({"do": "heal", "who": "ash", "amount": 1}, "Ash has no pool 'points'; accepted: "),
    ],
)
def test_a_wrong_name_is_told_with_what_it_is_the_name_of(install, request_, fault):
    install(DUEL.format(members=MISNAMING))
    reply, _ = said(**request_)
    assert fault in str(reply["error"])


SHADOWING = """
from dataclasses import dataclass
from fightcall_engine import kit
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev

@kit.command
class Damage(cm.Command):
    "As a shared one."

@kit.command
class Parry(cm.Command):
    "Parry."

@kit.command
class PARRY(cm.Command):
    "The same in scripts."

@kit.event
class Healed(ev.Recorded):
    who: str

@kit.resume
class Proposed(kit.Resume):
    to: str

@dataclass(frozen=True)
class Duellist:
    name: str = ""
    lives: int = 3

@dataclass(frozen=True)
class Dawn:
    round: int = 0

class Duel(kit.BaseSystem):
    id, title, sheet, health = "duel", "Duel", Duellist, "lives"
    record, fight_record = Duellist, Dawn
    commands, events, resumes = (Damage, Parry, PARRY), (Healed,), (Proposed,)
    aliases = {"heal": ("Parry", {}), "ward": ("Ward", {}), "set": ("Parry", {})}

    def steps_of_round(self, decision):
        return ()

    @kit.handles(Damage, Parry, PARRY)
    def deal(self, decision, command):
        "Nothing."

    @kit.answers("cue")
    def hear(self, decision, prompt, answer):
        "Nothing."

SYSTEM = Duel()
"""
SHADOWED = (
    "has the command Damage, as a shared one is called",
    "has the command PARRY, as another of its own is called",
    "has the event Healed, as a shared one is called",
    "has the resume Proposed, as a shared one is called",
    "calls Parry heal, as another command is called",
    "calls Ward ward, and has no such command",
    "answers questions of the kind cue, which the core asks and answers",
    "has the record Duellist, whose name is called as what every fight has",
    "has the record Duellist, whose lives is called as a pool",
    "has the fight_record Dawn, whose round is called as what every fight has",
)


def test_a_name_that_is_taken_is_told_when_it_is_loaded(install):
    install(SHADOWING)
    with pytest.raises(SystemFault) as fault:
        find_system("duel")
    for gap in SHADOWED:
        assert gap in str(fault.value), gap
    assert "calls Parry set" not in str(fault.value), "the other names of shared commands are free"


def test_the_names_that_are_taken_are_those_that_the_protocol_tells(install):
    install(UNLISTED)
    reply, _ = said(ask="state")
    told = {*reply["state"], "side_pools"}
    assert told == set(TOLD_OF_FIGHT), "of a system that remembers nothing, and whose sides share nothing"
    assert set(reply["state"]["combatants"]["ash"]) == set(TOLD_OF_COMBATANT)


HOLDING = """
    from fightcall_engine import kit
    from fightcall_engine.model import commands as cm
    from fightcall_engine.model import events as ev

    @kit.command
    class Hold(cm.Command):
        "Hold back."
        who: str

    commands = (*type(STAGE).commands, Hold)

    @kit.handles(Hold)
    def hold(self, decision, command):
        decision.emit(self.ev.NoteAdded(text="holds back"))
"""


def test_a_command_of_its_own_goes_before_another_name_of_a_shared_one(install):
    install(DUEL.format(members=HOLDING))
    reply, _ = said(do="hold", who="ash")
    assert [event["type"] for event in reply["events"]] == ["NoteAdded"]


@pytest.mark.parametrize("name", ["stage", "slots", "turns", "segments"])
def test_our_own_systems_lack_nothing(name):
    assert find_gaps(find_system(name)) == ()
