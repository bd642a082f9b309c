"""The agenda runner of the kit, in a system that says no more than it must."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest

from fightcall_engine import kit
from fightcall_engine.model.commands import Advance, Answer, Command, Waive
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import NeedsDice, Runaway
from fightcall_engine.model.events import AgendaChanged, Downed, NoteAdded
from fightcall_engine.model.state import Agenda
from fightcall_engine.play.decide import decide, settle


@dataclass(frozen=True)
class Sworn:
    """What is remembered of a fight."""

    sworn: bool = False


class Tidy(kit.BaseSystem):
    """Everybody acts, and then it is tidied up."""

    id, title = "tidy", "Tidying up"

    def is_instant(self, step: kit.Step) -> bool:
        return step.kind == "upkeep"

    def on_step_begin(self, decision: kit.Decision, step: kit.Step) -> None:
        if step.kind == "upkeep":
            decision.emit(NoteAdded(text="tidied up"))


STEPS = (kit.Step("acts", "acts", "acts", "Acts"), kit.Step("upkeep", "upkeep", "upkeep", "Upkeep"))
ASH = kit.Combatant("ash", "A", "Ash", "party", {})
STATE = kit.FightState(
    "f", "Test", "tidy", "1", status="running", agenda=Agenda(STEPS, 0), combatants={"ash": ASH}, order=("ash",)
)


def test_a_step_in_which_nobody_has_a_say_begins_and_ends_by_itself() -> None:
    decision = kit.Decision(STATE)
    Tidy().close_step(decision, kit.BY_GM)
    assert [event.type for event in decision.events] == [
        "StepEnded",
        "StepBegan",
        "NoteAdded",
        "StepEnded",
        "RoundEnded",
    ]


class Bids(kit.BaseSystem):
    """All bid; then the clash is known, whose order hangs on a die, and begins with a step that is over at once."""

    id, title = "bids", "Bids"

    def is_instant(self, step: kit.Step) -> bool:
        return step.kind == "tick" and not step.members

    def on_phase_end(self, decision: kit.Decision, phase: str, reason: str) -> None:
        if phase == "bids":
            number = decision.roll("d4", "first").total
            first, *rest = decision.state.agenda.steps
            ticks = (
                kit.Step("tick.1", "tick", "clash", "Tick 1"),
                kit.Step("tick.2", "tick", "clash", f"Tick of {number}", members=("ash",)),
            )
            decision.emit(AgendaChanged(steps=(first, *ticks, *rest), cursor=decision.state.agenda.cursor))


BIDS = (kit.Step("bids", "bids", "bids", "Bids"), kit.Step("breath", "breath", "breath", "Breath"))


def test_steps_that_come_between_as_a_phase_ends_are_played() -> None:
    state = replace(STATE, agenda=Agenda(BIDS, 0))
    decision = kit.Decision(state, Dice("1", 0, {"first": (3,)}))
    Bids().close_step(decision, kit.BY_GM)
    happened = [event.type for event in decision.events]
    assert happened == ["StepEnded", "DiceRolled", "AgendaChanged", "StepBegan", "StepEnded", "StepBegan"]
    assert decision.state.step is not None
    assert decision.state.step.title == "Tick of 3"


def test_what_happens_by_itself_throws_the_dice_of_the_command() -> None:
    """The last who has acted closes the step: what the next one throws is typed with that command, or thrown alike."""
    state = replace(STATE, agenda=Agenda(BIDS, 0, acted=("ash",)))
    _, states = settle(Bids(), state, (), Dice("1", 0, {"first": (2,)}))
    assert states[-1].step is not None
    assert states[-1].step.title == "Tick of 2"
    with pytest.raises(NeedsDice, match="first"):
        settle(Bids(), state, (), Dice("1", 0, is_typed=lambda roll: True))


class Restless(kit.BaseSystem):
    """Whose agenda always has something more to do."""

    def settle_step(self, decision: kit.Decision) -> None:
        decision.emit(NoteAdded(text="and on"))


def test_an_agenda_that_never_rests_is_named() -> None:
    with pytest.raises(Runaway, match="NoteAdded -> NoteAdded"):
        settle(Restless(), STATE, (), Dice("1", 0))


def test_a_decision_without_dice_rolls_none() -> None:
    with pytest.raises(RuntimeError, match="there are no dice here"):
        kit.Decision(STATE).roll("d4", "first")


class Oaths(Tidy):
    """As a step of acts ends somebody swears."""

    id, title, fight_record = "oaths", "Oaths", Sworn
    commands, events = (), ()

    def on_step_end(self, decision: kit.Decision, step: kit.Step) -> None:
        if step.kind == "acts":
            asked = {"kind": "oath", "question": "Who swears?", "rule": "", "default": "ash"}
            answer = decision.ask(kit.prompt_for(None, choices=kit.choices("ash", "nobody"), **asked))
            decision.set_facts(sworn=answer is not None and answer.choice == "ash")


@pytest.mark.parametrize("end", [Advance(), Waive(who="ash")])
@pytest.mark.parametrize("answer", [Answer(choice="ash"), Advance()])
def test_a_step_can_ask_as_it_ends_and_the_answer_begins_the_next_one(end: Command, answer: Command) -> None:
    state = replace(STATE, record=Sworn(), agenda=Agenda((STEPS[0], BIDS[1]), 0))
    events, states = decide(Oaths(), state, end, Dice("1", 0))
    assert [event.type for event in events][-2:] == ["StepEnded", "RulingAsked"]
    events, states = decide(Oaths(), states[-1], answer, Dice("1", 1))
    assert [event.type for event in events] == ["RulingRecorded", "FactChanged", "StepBegan"]


BO = kit.Combatant("bo", "B", "Bo", "party", {})
CUT = kit.Step("cut.bo", "turn", "acts", "Bo cuts in", "party", "bo")


def test_a_step_comes_between_and_the_running_one_goes_on_for_those_who_have_not_acted() -> None:
    state = replace(STATE, agenda=Agenda(STEPS, 0, acted=("bo",)), combatants={"ash": ASH, "bo": BO})
    decision = kit.Decision(replace(state, order=("ash", "bo")))
    Tidy().interrupt(decision, CUT, "Bo cuts in")
    assert [event.type for event in decision.events] == ["AgendaChanged", "StepBegan"]
    assert decision.state.step == CUT
    Tidy().close_step(decision, "acted")
    assert decision.state.step == replace(STEPS[0], members=("ash",))
    Tidy().close_step(decision, "acted")
    assert [event.type for event in decision.events][2:] == [
        *("StepEnded", "StepBegan", "StepEnded"),
        *("StepBegan", "NoteAdded", "StepEnded", "RoundEnded"),
    ], "it ends once"


def test_a_step_that_is_over_ends_before_one_that_comes_between() -> None:
    decision = kit.Decision(replace(STATE, agenda=Agenda(STEPS, 0, acted=("ash",))))
    Tidy().interrupt(decision, replace(CUT, actor="ash"))
    assert [event.type for event in decision.events] == ["AgendaChanged", "StepEnded", "StepBegan"]


def test_whoever_comes_between_twice_has_two_steps() -> None:
    state = replace(STATE, agenda=Agenda((*STEPS, CUT), 0))
    decision = kit.Decision(state)
    Tidy().interrupt(decision, CUT)
    ids = [step.id for step in decision.state.agenda.steps]
    assert len(set(ids)) == len(ids) == 4


class Watches(Tidy):
    """Everybody has a turn, and a clock of their own."""

    id, title = "watches", "Watches"
    clocks: Mapping[str, Mapping[str, str]] = {"own": {"start": "turn_start", "end": "turn_end"}}


TURNS = tuple(kit.Step(f"turn.{who}", "turn", "turns", who.title(), "party", who) for who in ("ash", "bo"))


def watched(*effects: kit.Effect, able: bool = True) -> kit.Decision:
    """A round of two turns that is about to begin; Bo bears these effects."""
    people = {"ash": replace(ASH, able=able), "bo": replace(BO, effects=effects)}
    return kit.Decision(replace(STATE, agenda=Agenda(TURNS, -1), combatants=people, order=("ash", "bo")))


def left(decision: kit.Decision) -> dict[str, int | None]:
    return {effect.name: effect.left for effect in decision.state.combatants["bo"].effects}


def test_clocks_of_combatants_tick_by_themselves() -> None:
    """Put right 45: at the start and the end of the turn of whoever owns them."""
    kinds = [(who, at) for who in ("ash", "bo") for at in ("start", "end")]
    effects = (kit.Effect(f"{who}.{at}", f"{who} {at}", 2, ticks=f"turn_{at}", clock=who) for who, at in kinds)
    decision, seen = watched(*effects), []
    Watches().open_step(decision, 0)
    seen.append(left(decision))
    Watches().close_step(decision, "acted")
    seen.append(left(decision))
    Watches().close_step(decision, "acted")
    names = [f"{who} {at}" for who, at in kinds]
    assert [dict(zip(names, numbers, strict=True)) for numbers in ((1, 2, 2, 2), (1, 1, 1, 2))] == seen
    assert left(decision) == dict.fromkeys(names, 1)


def test_an_interrupted_turn_does_not_start_twice_by_its_clock() -> None:
    """Put right 45."""
    decision = watched(kit.Effect("e1", "dazed", 3, ticks="turn_start", clock="ash"))
    Watches().open_step(decision, 0)
    for cut in (CUT, CUT):
        Watches().interrupt(decision, replace(cut, phase="turns"))
        Watches().close_step(decision, "acted")
        assert decision.state.step is not None
        assert decision.state.step.actor == "ash"
        assert Watches().has_passed(decision.state, ASH, "turn_start")
        assert not Watches().has_passed(decision.state, ASH, "turn_end")
    assert left(decision) == {"dazed": 2}


@pytest.mark.parametrize("able", [True, False])
@pytest.mark.parametrize("at", ["turn_start", "turn_end"])
def test_the_clock_of_whoever_is_down_ticks_as_its_turn_is_skipped(able: bool, at: str) -> None:
    """Put right 45: once a round, up or down, and so it does for one who falls after its turn."""
    decision = watched(kit.Effect("e1", "dazed", 2, ticks=at, clock="ash"), able=able)
    Watches().open_step(decision, 0)
    if able:
        Watches().close_step(decision, "acted")
        decision.emit(Downed(who="ash"))
    assert left(decision) == {"dazed": 1}
    Watches().close_step(decision, "acted")
    assert left(decision) == {"dazed": 1}


@pytest.mark.parametrize("able", [True, False])
def test_the_clock_of_whoever_is_down_without_a_turn_counts_at_the_end_of_the_round(able: bool) -> None:
    """Put right 45."""
    decision = watched(kit.Effect("e1", "dazed", 2, ticks="turn_end", clock="ash"), able=able)
    decision.emit(AgendaChanged(steps=TURNS[1:], cursor=-1))
    Watches().open_step(decision, 0)
    Watches().close_step(decision, "acted")
    assert left(decision) == {"dazed": 2 if able else 1}
    assert [Watches().keeps_time(decision.state, who) for who in ("ash", "bo")] == [able, True]
    assert not Tidy().keeps_time(decision.state, "bo")


def test_a_system_says_which_steps_are_somebodys_turn() -> None:
    """Put right 45."""

    class Shifts(Watches):
        def turns_in(self, state: kit.FightState, step: kit.Step) -> tuple[str, ...]:
            return () if step.actor == "ash" else (step.actor,)

    decision = watched(kit.Effect("e1", "dazed", 2, ticks="turn_end", clock="ash"))
    Shifts().open_step(decision, 0)
    Shifts().close_step(decision, "acted")
    assert left(decision) == {"dazed": 2}
