"""How a system finds what decides a command, follows an answer or event and carries out a ruling: by marks."""

from types import ModuleType

import pytest

from fightcall_engine import kit
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.commands import Answer, Close, Command, Move, Rule, Strike
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import DamageApplied, Event, FightClosed, FightOpened, NoteAdded, Spent
from fightcall_engine.model.state import FightState, Prompt

PART = """
from fightcall_engine import kit
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev

@kit.handles(cm.Move)
def walk(decision, command):
    decision.emit(ev.NoteAdded(text="walks"))

@kit.handles(cm.Close)
def close(decision, command):
    decision.emit(ev.NoteAdded(text="a part goes before what the kit does"))

@kit.answers("how_far")
def measure(decision, prompt, answer):
    decision.emit(ev.NoteAdded(text=f"{answer.choice} steps"))

@kit.reacts_to(ev.PoolChanged, ev.FightClosed)
def note_change(decision, event):
    decision.emit(ev.NoteAdded(text=f"{type(event).__name__} in a part"))

@kit.rules_on("pace", "walking_pace")
def set_pace(decision, command):
    decision.emit(ev.NoteAdded(text=f"at pace {command.value}"))
"""


def part(name: str) -> ModuleType:
    """A module of a system."""
    made = ModuleType(name)
    exec(PART, vars(made))
    return made


class Walks(kit.BaseSystem):
    """A system that decides by a module, and once by itself."""

    id, title, sheet = "walks", "Walks", object
    parts = (part("walks"),)

    @kit.handles(Strike)
    def strike(self, decision, command):
        """By a method."""
        decision.emit(NoteAdded(text="strikes"))

    @kit.reacts_to(FightClosed)
    def note_end(self, decision, event):
        """By a method."""
        decision.emit(NoteAdded(text="the walk is over"))


class Runs(Walks):
    """One that is built on it."""

    def strike(self, decision, command):
        """Another method, without the mark."""
        decision.emit(NoteAdded(text="strikes in passing"))

    def react_to_damage(self, decision, event):
        """In place of the kit's own."""
        decision.emit(NoteAdded(text="harm in passing"))


def texts(system: kit.BaseSystem, command: Command) -> list[str]:
    """What is noted as a command is decided."""
    decision = Decision(FightState(id="f", name="", system="walks", seed="1"))
    return [event.text for event in system.decide(decision, command) if isinstance(event, NoteAdded)]


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (Move(who="ash"), "walks"),
        (Strike(who="ash"), "strikes"),
        (Close(), "a part goes before what the kit does"),
        (Rule(what="pace", value=3), "at pace 3"),
        (Rule(what=" Walking pace", value=4), "at pace 4"),
    ],
)
def test_what_is_marked_is_found_in_the_system_and_its_parts(command, text):
    assert texts(Walks(), command) == [text]


def test_an_override_takes_the_mark_of_what_it_overrides():
    assert texts(Runs(), Strike(who="ash")) == ["strikes in passing"]
    assert texts(Runs(), Move(who="ash")) == ["walks"]


HURT = DamageApplied(who="ash", pool="health", before=3, left=2, max=3, amount=1)


@pytest.mark.parametrize(
    ("system", "event", "expected"),
    [
        (Walks(), FightOpened(), []),
        (Walks(), FightClosed(), ["the walk is over"]),
        (Walks(), Spent(who="ash", pool="beats", before=3, left=2, max=3, amount=1), ["Spent in a part"]),
        (Walks(), HURT, []),
        (Runs(), FightClosed(), ["the walk is over"]),
        (Runs(), HURT, ["harm in passing"]),
    ],
)
def test_of_an_events_class_and_its_parents_the_nearest_has_its_reaction(
    system: kit.BaseSystem, event: Event, expected: list[str]
):
    """A method goes before a part; what the kit does of harm stands nearer than what a part does of any pool."""
    state = FightState(id="f", name="", system="walks", seed="1")
    decision = Decision(state)
    system.react(decision, event)
    assert [each.text for each in decision.events if isinstance(each, NoteAdded)] == expected


def test_an_answer_is_followed_unless_it_is_about_somebody_who_has_left():
    for person, expected in (("", ["3 steps"]), ("ash", [])):
        decision = Decision(FightState(id="f", name="", system="walks", seed="1"))
        prompt = Prompt("p1", "how_far", "How far?", "W-1", (), who=person)
        Walks().answer(decision, prompt, Answer(prompt="p1", choice="3"))
        assert [event.text for event in decision.events if isinstance(event, NoteAdded)] == expected


def test_a_ruling_that_is_unknown_is_refused_with_those_there_are():
    with pytest.raises(Refused) as refused:
        texts(Walks(), Rule(what="weather"))
    assert refused.value.accepts == ("pace",)


def test_two_parts_that_decide_the_same_are_told_when_the_system_is_made():
    with pytest.raises(TypeError, match=r"runs\.walk handles"):
        type("Twice", (kit.BaseSystem,), {"parts": (part("walks"), part("runs"))})
