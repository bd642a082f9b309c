"""Rules of a stranger that ask in the middle: a walk past enemies who may strike, a contest of dice, and a save."""

from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.model.commands import Move
from fightcall_engine.model.errors import NeedsDice, Refused
from fightcall_engine.testkit.machine import FightMachine
from fightcall_engine.testkit.perft import perft
from fightcall_engine.testkit.plays import Plays

FOLDER = Path(__file__).parent / "footpads"
PLAYS = Plays(FOLDER)


def begun(**more):
    """Ada between Bill and Cut, about to walk past both."""
    fight = start_fight(load_encounter("the-alley"), seed="3", id="fight")
    for name, value in more.items():
        fight.give("configure", setting=name, value=value)
    fight.give("start")
    return fight


def place_of(fight, who="ada"):
    return fight.state.board.name_of(fight.state.combatants[who].at)


@pytest.fixture(autouse=True)
def _installed(footpads):
    """Every test has the plug-in."""


def test_it_is_written_in_few_lines():
    text = (FOLDER / "fightcall_footpads" / "__init__.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150


def test_each_enemy_is_asked_in_turn_and_a_hit_stops_the_walk():
    fight = begun()
    fight.give("move", who="ada", to="F3")
    assert [prompt.who for prompt in fight.state.prompts] == ["bill"]
    fight.give("answer", choice="no")
    assert [prompt.who for prompt in fight.state.prompts] == ["cut"]
    start = place_of(fight)
    fight.give("answer", choice="yes", rolls={"blow": [6], "dodge": [1]})
    assert not fight.state.prompts
    assert place_of(fight) == start
    assert [effect.name for effect in fight.state.combatants["ada"].effects] == ["dazed"]
    assert fight.state.combatants["ada"].pool("lives").now == 1


def test_whoever_falls_is_not_dazed_because_the_caller_sees_the_fall():
    fight = begun()
    fight.give("damage", who="ada", amount=1)
    fight.give("move", who="ada", to="F3")
    fight.give("answer", rolls={"blow": [6], "dodge": [1]})
    ada = fight.state.combatants["ada"]
    assert (ada.able, ada.effects) == (False, ())


def test_the_table_types_its_dice_after_the_question():
    fight = begun(dice="table")
    fight.give("move", who="ada", to="F3")
    with pytest.raises(NeedsDice) as need:
        fight.give("answer", choice="yes")
    assert [roll.purpose for roll in need.value.rolls] == ["blow", "dodge"]
    assert [prompt.who for prompt in fight.state.prompts] == ["bill"]
    fight.give("answer", choice="yes", rolls={"blow": [2], "dodge": [5]})
    assert [prompt.who for prompt in fight.state.prompts] == ["cut"]


def test_undo_goes_back_question_by_question():
    fight = begun()
    states = [fight.state]
    fight.give("move", who="ada", to="F3")
    states.append(fight.state)
    while fight.state.prompts:
        fight.give("answer", choice="no")
        states.append(fight.state)
    assert place_of(fight) == "F3"
    for before in reversed(states[:-1]):
        fight.undo()
        assert fight.state == before
    assert place_of(fight) == "B3"


def test_a_preview_goes_as_far_as_the_question():
    fight = begun()
    preview = fight.preview(Move(who="ada", to=fight.state.board.parse("F3")))
    assert preview.can_run
    assert any("Bill strikes as Ada passes?" in row.text for row in preview.rows)
    assert not fight.state.prompts


def test_a_walk_too_long_is_refused_before_anybody_is_asked():
    fight = begun()
    with pytest.raises(Refused, match="that is 5 hexes"):
        fight.give("move", who="ada", to="G3")


def test_the_dazed_roll_at_the_end_of_the_round():
    fight = begun()
    fight.give("move", who="ada", to="F3")
    fight.give("answer", rolls={"blow": [6], "dodge": [1]})
    fight.give("advance", rolls={"save": [4]})
    assert fight.state.combatants["ada"].effects == ()


@pytest.mark.parametrize("name", PLAYS.names)
def test_a_play_goes_as_it_was_written_down(name):
    PLAYS.check(name)


def test_whatever_is_offered_can_be_done():
    assert perft(begun(), 3).refused == []


class FootpadMachine(FightMachine):
    """Footpads, and everything a GM can do to them."""

    SYSTEM = "footpads"


@pytest.mark.slow
def test_the_laws_hold_under_any_command():
    phases = [Phase.explicit, Phase.reuse, Phase.generate]
    few = settings(deadline=None, max_examples=10, stateful_step_count=20, phases=phases)
    run_state_machine_as_test(FootpadMachine, settings=few)
