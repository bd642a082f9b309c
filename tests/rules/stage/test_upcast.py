"""What version 1 of Stage Moments wrote reads as what version 2 writes, and what version 2 writes stays as it is."""

from __future__ import annotations

import json

import pytest

from fightcall_engine.kit.records import fight_record_of, record_of, resume_of
from fightcall_engine.model.events import Event, FactChanged, Joined, RulingAsked
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.play.codec import Codec
from fightcall_engine.play.upcast import upcast_event
from fightcall_engine.systems.stage import SYSTEM, acts, strikes, walking
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage.records import Figure, Scene, Work
from fightcall_engine.systems.stage.upcast import from_version_1, from_version_2

CODEC = Codec(SYSTEM)
ASH = Combatant("ash", "A", "Ash", "party", {}, record=Figure())
START = FightState("f", "", "stage", "1", combatants={"ash": ASH}, order=("ash",), record=Scene())
PROMPT = {"id": "p1", "question": "?", "rule": "SB-35", "choices": [], "who": "ash"}


def read(event: dict[str, object]) -> Event:
    """An event of version 1, as it is read now."""
    made = CODEC.event(upcast_event((from_version_1,), event))
    again = json.loads(json.dumps(to_json(made)))
    assert CODEC.event(from_version_1(again)) == made, "what is written now stays as it is"
    return made


@pytest.mark.parametrize(
    ("fact", "text", "value"),
    [
        ("talked", "party foe", ("party", "foe")),
        ("losses", "", ()),
        ("managed", "ash", ("ash",)),
        ("melee_pairs", "ash:orc bo:orc", (("ash", "orc"), ("bo", "orc"))),
        ("talk", "granted", "granted"),
    ],
)
def test_texts_of_several_words_become_lists(fact: str, text: str, value: object) -> None:
    event = read({"type": "FactChanged", "fact": fact, "before": "", "value": text})
    assert isinstance(event, FactChanged)
    assert event.value == value
    assert evolve(START, event).remembered[fact] == value


def test_prices_and_works_become_entries() -> None:
    """SB-25, SB-78."""
    priced = evolve(START, read({"type": "FactChanged", "fact": "price:rope swing", "before": None, "value": 3}))
    assert fight_record_of(priced, Scene).prices == {"rope swing": 3}
    event = {"type": "BusinessProgressed", "who": "ash", "trait": "business:winch", "before": None, "value": "1/3"}
    worked = evolve(START, read({**event, "name": "winch", "done": 1, "needed": 3}))
    assert record_of(worked.combatants["ash"], Figure).works == {"winch": Work(1, 3)}
    for words in ("a/b", "1/b", "a/3", "1"):
        event = {"type": "TraitChanged", "who": "ash", "trait": "business:winch", "before": "1/3", "value": words}
        assert record_of(evolve(worked, read(event)).combatants["ash"], Figure).works == {"winch": Work(0, 1)}
    event = {"type": "BusinessBroken", "who": "ash", "trait": "business:winch", "before": "1/3", "value": None}
    broken = read({**event, "name": "winch"})
    assert isinstance(broken, sev.BusinessBroken)
    assert record_of(evolve(worked, broken).combatants["ash"], Figure).works == {}


def test_traits_become_the_record_of_a_figure() -> None:
    traits = {"posture": "prone", "plain_view": False, "business:winch": "2/4", "business:oar": None}
    combatant = {"id": "bo", "label": "B", "name": "Bo", "side": "party", "sheet": {}, "traits": traits}
    event = read({"type": "Joined", "who": "bo", "combatant": combatant})
    assert isinstance(event, Joined)
    assert event.combatant.record == Figure(posture="prone", plain_view=False, works={"winch": Work(2, 4)})


@pytest.mark.parametrize(
    ("kind", "data", "resume"),
    [
        (
            "outcome",
            {"target": "orc", "kind": "missile", "damage": "2d6", "die": 9, "modifier": -1},
            strikes.StrikeOutcome(target="orc", kind="missile", damage="2d6", die=9, modifier=-1),
        ),
        ("damage", {"target": "orc", "dice": ""}, strikes.StrikeDamage(target="orc")),
        ("price", {"name": "Swing", "hexes": 2, "meets": "", "to": None}, acts.StuntPrice(name="Swing", hexes=2)),
        ("passed_hidden", {"mover": "orc"}, walking.Passage(mover="orc")),
    ],
)
def test_what_a_question_kept_by_name_it_keeps_as_a_value(kind: str, data: object, resume: object) -> None:
    event = read({"type": "RulingAsked", "prompt": {**PROMPT, "kind": kind, "data": data}})
    assert isinstance(event, RulingAsked)
    assert resume_of(event.prompt, type(resume)) == resume


def test_a_question_that_needs_nothing_keeps_nothing() -> None:
    event = read({"type": "RulingAsked", "prompt": {**PROMPT, "kind": "sneak", "data": {"context": "creep"}}})
    assert isinstance(event, RulingAsked)
    assert event.prompt.resume is None


def test_what_was_left_of_a_half_was_known_by_the_id_of_its_step() -> None:
    """SB-13: version 2."""
    half = {"kind": "half", "phase": "move", "title": "Move"}
    steps = [{"id": "move.foe", **half, "side": "foe"}, {"id": "move.party.resumed", **half, "side": "party"}]
    old = {"type": "LeadFlipped", "steps": steps, "cursor": 0, "reason": "too slow", "side": "foe", "scope": "move"}
    flipped = CODEC.event(upcast_event(SYSTEM.upcasts, old))
    assert isinstance(flipped, sev.LeadFlipped)
    assert [SYSTEM.step_events(step).began for step in flipped.steps] == [sev.HalfBegan, sev.HalfResumed]
    assert CODEC.event(from_version_2(json.loads(json.dumps(to_json(flipped))))) == flipped
