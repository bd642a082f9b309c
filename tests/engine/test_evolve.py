"""The fold: total, pure, and doing what the words say."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wild_commands import BOARD
from wild_values import any_of, in_dozens

from fightcall_engine.board.base import Hex
from fightcall_engine.model.events import (
    CORE_EVENTS,
    ContactLeft,
    ContactMade,
    DamageApplied,
    EffectBegan,
    EffectEnded,
    EffectTicked,
    EntryChanged,
    FactChanged,
    FightClosed,
    LeftFight,
    Moved,
    Placed,
    Recorded,
    RoundBegan,
    RoundEnded,
    RulingAsked,
    RulingRecorded,
    Spent,
    StepBegan,
    TraitChanged,
    TraitsChanged,
    TraitsReset,
    Waived,
)
from fightcall_engine.model.fold import FOLDED, evolve, fold_all
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Agenda, Combatant, Effect, FightState, Pool, Prompt, Step
from fightcall_engine.systems.stage.entries import EVENTS
from fightcall_engine.systems.stage.records import Figure

ALL = (*CORE_EVENTS, *EVENTS)
STEPS = tuple(Step(f"s{at}", "half", phase, phase, side) for at, (phase, side) in enumerate((("a", "x"), ("b", "y"))))
PROMPT = Prompt("p1", "price", "How much?", "SB-78", (), who="ash")
STATE = FightState(
    id="f",
    name="Test",
    system="stage",
    seed="1",
    status="running",
    round=1,
    agenda=Agenda(STEPS, 0, acted=("orc",)),
    combatants={
        "ash": Combatant(
            id="ash",
            label="A",
            name="Ash",
            side="party",
            sheet={},
            pools={"hp": Pool(3, 9)},
            effects=(Effect("e1", "burning", 2),),
            at=Hex(1, 1),
            facing=2,
            record=Figure(),
        ),
        "orc": Combatant("orc", "1", "Orc", "foe", {}, hidden=True, record=Figure()),
    },
    order=("ash", "orc"),
    contacts=(("ash", "orc"),),
    prompts=(PROMPT,),
    board=BOARD,
    serial=4,
)
EMPTY = FightState(id="f", name="", system="stage", seed="1")


@st.composite
def any_event(draw, kinds=ALL):
    """An event of any class, its fields of the right types but of no sense."""
    return draw(any_of(draw(st.sampled_from(kinds))))


@in_dozens(ALL)
@settings(max_examples=5)
@given(data=st.data())
def test_every_event_folds_on_every_state(kinds, data):
    before = [json.dumps(to_json(state)) for state in (EMPTY, STATE)]
    for happened in [data.draw(any_of(kind)) for kind in kinds]:
        for state in (EMPTY, STATE):
            after = evolve(state, happened)
            assert isinstance(after, FightState)
            assert evolve(state, happened) == after
    assert [json.dumps(to_json(state)) for state in (EMPTY, STATE)] == before


@given(st.lists(any_event(), max_size=12))
def test_any_run_of_events_folds(happened):
    assert fold_all(fold_all(STATE, happened[:5]), happened[5:]) == fold_all(STATE, happened)


@given(any_event(tuple(kind for kind in ALL if issubclass(kind, Recorded) and not kind.ACTS)))
def test_what_is_merely_recorded_changes_nothing(happened):
    assert evolve(STATE, happened) is STATE


def test_every_root_is_folded_and_no_other_class_has_to_be():
    assert all(any(base in FOLDED for base in kind.__mro__) or issubclass(kind, Recorded) for kind in ALL)


@pytest.mark.parametrize("kind", [kind for kind in ALL if kind.ACTS], ids=lambda kind: kind.__name__)
@settings(max_examples=5)
@given(data=st.data())
def test_who_acts_has_acted_once(kind, data):
    happened = data.draw(any_of(kind, who=st.just("ash")))
    acted = fold_all(STATE, (happened, happened)).agenda.acted
    assert acted == ("orc", "ash")


def folded(*happened):
    return fold_all(STATE, happened)


def test_pools():
    spent = folded(Spent(who="ash", pool="hp", before=3, left=1, max=9, amount=2))
    assert spent.combatants["ash"].pools == {"hp": Pool(1, 9)}
    untracked = DamageApplied(who="orc", pool="hp", before=0, left=0, max=0, amount=5, tracked=False)
    assert folded(untracked) == STATE


def test_effects_begin_tick_and_end():
    begun = folded(EffectBegan(who="ash", effect=Effect("e5", "slow", 1)))
    assert [effect.id for effect in begun.combatants["ash"].effects] == ["e1", "e5"]
    assert begun.serial == 5
    ticked = evolve(begun, EffectTicked(who="ash", effect="e5", name="slow", left=0))
    assert [effect.left for effect in ticked.combatants["ash"].effects] == [2, 0]
    ended = evolve(ticked, EffectEnded(who="ash", effect="e1", name="burning"))
    assert [effect.id for effect in ended.combatants["ash"].effects] == ["e5"]


def test_who_leaves_takes_contacts_and_questions_along():
    gone = folded(LeftFight(who="ash"))
    assert (tuple(gone.combatants), gone.order, gone.contacts, gone.prompts) == (("orc",), ("orc",), (), ())


def test_places_and_facings():
    placed = folded(Placed(who="ash", before=None, at=None)).combatants["ash"]
    assert (placed.at, placed.facing) == (None, 2)
    moved = folded(Moved(who="ash", hexes=2, feet=10.0, path=(Hex(2, 1), Hex(3, 1)), facing=0)).combatants["ash"]
    assert (moved.at, moved.facing) == (Hex(3, 1), 0)
    stayed = folded(Moved(who="ash", hexes=2, feet=10.0)).combatants["ash"]
    assert (stayed.at, stayed.facing) == (Hex(1, 1), 2)


def test_contacts_hold_each_pair_once():
    again = folded(ContactMade(who="orc", enemy="ash"))
    assert again.contacts == (("orc", "ash"),)
    assert evolve(again, ContactLeft(who="ash", enemy="orc")).contacts == ()


def test_the_agenda_moves_and_forgets_who_acted():
    waived = folded(Waived(who="ash"), Waived(who="ash"))
    assert waived.agenda.waived == ("ash",)
    began = evolve(waived, StepBegan(index=1, phase="b"))
    assert (began.step, began.agenda.acted, began.agenda.waived) == (STEPS[1], (), ())
    ended = evolve(began, RoundEnded(number=1))
    assert (ended.step, ended.agenda.cursor) == (None, 2)
    fresh = evolve(ended, RoundBegan(number=2, steps=STEPS[:1]))
    assert (fresh.round, fresh.agenda) == (2, Agenda(STEPS[:1]))


def test_questions_open_and_are_answered_by_their_id():
    asked = folded(RulingAsked(prompt=replace(PROMPT, id="p5")))
    assert ([prompt.id for prompt in asked.prompts], asked.serial) == (["p1", "p5"], 5)
    assert asked.is_blocked()
    unasked = evolve(asked, RulingRecorded(rule="SB-13", question="?", choice="phase"))
    assert unasked == asked
    answered = evolve(asked, RulingRecorded(rule="SB-78", question="?", choice="2", prompt="p1"))
    assert [prompt.id for prompt in answered.prompts] == ["p5"]
    assert evolve(asked, FightClosed()).prompts == ()


def test_one_trait_is_set_alike_on_those_who_are_there():
    several = folded(TraitsChanged(who="ash", traits={"cover": "full", "posture": "prone"}))
    assert several.combatants["ash"].record == Figure(cover="full", posture="prone")
    reset = folded(TraitsReset(figures=("ash", "nobody", "orc"), trait="cover", value="full"))
    assert {who: one.record for who, one in reset.combatants.items()} == dict.fromkeys(
        STATE.order, Figure(cover="full")
    )


def test_what_no_record_has_a_field_for_changes_nothing():
    for event in (
        TraitChanged(who="ash", trait="mood", value="bad"),
        TraitsChanged(who="ash", traits={"mood": "bad", "mood.of": 1}),
        FactChanged(fact="weather", value="rain"),
        EntryChanged(who="ash", field="mood", key="now", value="bad"),
    ):
        assert folded(event) == STATE
