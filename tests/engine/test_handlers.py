"""How a system finds what decides a command, follows an answer and carries out a ruling: by marks, in its parts too."""

from types import ModuleType

import pytest

from fightcall_engine import kit
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.commands import Answer, Close, Command, Move, Rule, Strike
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import NoteAdded
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


class Runs(Walks):
    """One that is built on it."""

    def strike(self, decision, command):
        """Another method, without the mark."""
        decision.emit(NoteAdded(text="strikes in passing"))


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
