"""What older versions of Combat Segments wrote reads as what is written now, and what is written now stays as it is."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from fightcall_engine.headless import state_json
from fightcall_engine.model.events import AgendaChanged, EffectBegan, Event, Joined
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.play.codec import Codec, upcast_event, upcasts_from
from fightcall_engine.play.fight import Fight
from fightcall_engine.systems.segments import SYSTEM
from fightcall_engine.systems.segments.rules.formulas import Tier
from fightcall_engine.systems.segments.rules.wounds import Stun
from fightcall_engine.systems.segments.state import queries
from fightcall_engine.systems.segments.state.condition import stun_of
from fightcall_engine.systems.segments.state.records import Blow, Fighter, Flying, Guard, Piece, StunData

CODEC = Codec(SYSTEM)
ASH = Combatant("ash", "A", "Ash", "party", {}, record=Fighter())
START = FightState("f", "", "segments", "1", combatants={"ash": ASH}, order=("ash",))


def read(event: dict[str, Any], version: int) -> Event:
    """Return an event of an older version as it is read now."""
    upcasts = upcasts_from(SYSTEM, str(version))
    made = CODEC.event(upcast_event(upcasts, event))
    again = json.loads(json.dumps(to_json(made)))
    assert CODEC.event(upcast_event(upcasts, again)) == made, "what is written now stays as it is"
    return made


# Journals of version 4

DATA = Path(__file__).parents[2] / "engine" / "data"
JOURNALS = sorted((DATA / "journals-segments-4").glob("*.jsonl"))
OF_COMBATANTS = ("name", "side", "able", "hidden", "pools", "at", "facing")


@pytest.mark.parametrize("journal", JOURNALS, ids=lambda path: path.stem)
def test_an_old_journal_replays_as_it_was_played_and_goes_on(journal: Path, tmp_path: Path) -> None:
    """Beside each lies what the version that wrote it said of the fight at its end."""
    path = tmp_path / journal.name
    shutil.copyfile(journal, path)
    fight = Fight.open(path)
    state = json.loads(json.dumps(state_json(fight.state, fight.system)))
    shown = {name: state[name] for name in ("round", "phase", "clock_s", "order")}
    shown["combatants"] = {
        key: {name: value[name] for name in OF_COMBATANTS} | {"effects": [each["name"] for each in value["effects"]]}
        for key, value in state["combatants"].items()
    }
    told = json.loads(journal.with_suffix(".json").read_text())
    assert shown == {name: value for name, value in told.items() if name != "prompts"}, "questions of then are closed"
    for prompt in fight.state.prompts:
        fight.give("answer", prompt=prompt.id, choice=prompt.choices[-1].id)
    after = fight.state
    fight.close()
    again = Fight.open(path)
    assert again.state == after
    again.close()


# Version 3


def test_steps_of_version_3_had_their_number_in_the_id() -> None:
    words = {"phase": "movement", "title": ""}
    ids = {
        "pulse.7": "pulse",
        "resolve.2.ash": "resolve",
        "waits.1": "waits",
        "initiative": "initiative",
        "close": "close",
    }
    steps = [{"id": step_id, "kind": kind, **words} for step_id, kind in ids.items()]
    made = read({"type": "AgendaChanged", "steps": steps, "cursor": 0}, version=3)
    assert isinstance(made, AgendaChanged)
    assert [step.number for step in made.steps] == [7, 2, 1, 0, 0]
    assert [queries.step_pass(step) for step in made.steps] == [0, 2, 1, 0, 0]


@pytest.mark.parametrize(("text", "base"), [("3", Fraction(3)), ("9/2", Fraction(9, 2)), ("?", Fraction(0))])
def test_a_stun_of_version_3_was_a_fraction_as_text(text: str, base: Fraction) -> None:
    effect = {"id": "e1", "name": "pain", "kind": "stun", "data": {"base": text, "since": 2, "managed": True}}
    made = read({"type": "StunApplied", "who": "ash", "effect": effect, "penalty": 3}, version=3)
    assert isinstance(made, EffectBegan)
    assert stun_of(START, made.effect) == Stun(base, 2)
    assert made.effect.data == StunData(int(2 * base), 2, managed=True)
    combatant = {"id": "ash", "label": "A", "name": "Ash", "side": "party", "sheet": {}, "effects": [effect]}
    joined = read({"type": "Joined", "who": "ash", "combatant": combatant}, version=3)
    assert isinstance(joined, Joined)
    assert joined.combatant.effects == (made.effect,)


# Version 4


@pytest.mark.parametrize(
    ("said", "names", "guard"),
    [
        ("", [], None),
        ("none", [], Guard("none")),
        ("none", ["none"], Guard("none")),
        ("dodge", [], Guard("dodge", dodges=True)),
        ("stand", [], Guard("stand")),
        ("aware", [], Guard("aware")),
        ("parry sword", ["sword"], Guard("parry", ("sword",))),
        ("block big+small", ["big+small"], Guard("block", ("big+small",))),
        ("parry sword+axe", ["sword", "axe"], Guard("parry", ("sword", "axe"))),
        ("parry sword+dodge", ["sword"], Guard("parry", ("sword",), dodges=True)),
        ("Imp: block shield 28", [], Guard("block", ("shield",), by="Imp")),
        ("imp:", [], Guard("parry", ("",), by="imp")),
        ("Dodge 13", [], Guard("dodge", dodges=True)),
        ("dodge + axe", [], Guard("parry", ("axe",), dodges=True)),
        ("bite it", [], Guard("", ("bite it",))),
    ],
)
def test_a_blow_of_version_4_had_its_defence_as_it_was_said(said: str, names: list[str], guard: Guard | None) -> None:
    """CS-410, CS-414, CS-456, CS-501."""
    blow = {"attacker": "ash", "target": "orc", "defence": said, "guard": names}
    flights = [{"due": 3, "margin": 2, "blow": blow}]
    made = read({"type": "FactChanged", "fact": "impacts", "before": [], "value": flights}, version=4)
    assert made.value == (Flying(3, 2, Blow("ash", "orc", guard=guard)),)  # type: ignore[attr-defined]


def test_a_piece_of_version_4_had_its_argument_as_it_was_typed() -> None:
    """CS-130, CS-140."""
    typed = {"draw": "", "rummage": "3", "untie_knot": "18/35"}
    pieces = [{"key": key, "argument": argument, "qa": 4} for key, argument in typed.items()]
    made = (Piece("draw", 4), Piece("rummage", 4, 3), Piece("untie_knot", 4, tied_by=Tier(18, 35)))
    declared = {"type": "TraitsChanged", "who": "ash", "traits": {"action": {"state": "draft", "components": pieces}}}
    assert read(declared, version=4).traits["action"].components == made  # type: ignore[attr-defined]
    later = {"type": "TraitsChanged", "who": "ash", "traits": {"action.components": pieces}}
    assert read(later, version=4).within == {"action": {"components": made}}  # type: ignore[attr-defined]
    record = {"action": {"state": "draft", "components": pieces}}
    ash = {"id": "ash", "label": "A", "name": "Ash", "side": "party", "sheet": {}, "record": record}
    joined = read({"type": "Joined", "who": "ash", "combatant": ash}, version=4)
    assert joined.combatant.record.action.components == made  # type: ignore[attr-defined]


def test_a_knot_of_version_4_without_a_skill_was_tied_by_nobody_skilled() -> None:
    """CS-130."""
    pieces = [{"key": "untie_knot", "argument": "18", "qa": 4}]
    told = {"type": "TraitsChanged", "who": "ash", "traits": {"action.components": pieces}}
    made = (Piece("untie_knot", 4, tied_by=Tier(18, 0)),)
    assert read(told, version=4).within == {"action": {"components": made}}  # type: ignore[attr-defined]
