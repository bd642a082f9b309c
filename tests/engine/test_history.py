"""The line of play: every moment of it is the fold of what came before, however it was cut and grown."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from fightcall_engine.model.events import Events, NoteAdded, PoolAdjusted
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState, Pool
from fightcall_engine.play import history
from fightcall_engine.play.history import EVERY, Entry, Timeline

START = FightState(
    id="f",
    name="",
    system="stage",
    seed="1",
    combatants={"ash": Combatant("ash", "A", "Ash", "party", {}, {"hp": Pool(0, 999)})},
    order=("ash",),
)


def hp(value):
    return PoolAdjusted(who="ash", pool="hp", before=0, left=value, max=999)


EVENTS = st.builds(hp, st.integers(0, 999)) | st.just(NoteAdded(text="x"))
BUNCHES = st.lists(EVENTS, max_size=50).map(tuple)


def entry(number: int, happened: Events) -> Entry:
    return Entry(number, number - 1, "", "gm", {"type": "Note"}, happened)


class LineMachine(RuleBasedStateMachine):
    """A line against a plain list of bunches of events."""

    def __init__(self):
        super().__init__()
        self.line = Timeline(START)
        self.model: list[Entry] = []
        self.number = 0

    @rule(happened=BUNCHES, known=st.booleans())
    def append(self, happened, known):
        self.number += 1
        made = entry(self.number, happened)
        states = [fold_all(self.line.head, happened[: at + 1]) for at in range(len(happened))]
        self.line.append(made, states if known else None)
        self.model.append(made)

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def truncate(self, data):
        keep = data.draw(st.integers(0, len(self.model)))
        self.line.truncate(keep)
        for gone in self.model[keep:]:
            assert self.line.index_of(gone.number) is None
        del self.model[keep:]

    @rule(data=st.data())
    def seek(self, data):
        events = [one for made in self.model for one in made.events]
        place = data.draw(st.integers(0, len(events)))
        assert self.line.seek(place) == fold_all(START, events[:place])

    @invariant()
    def it_is_the_list(self):
        events = [one for made in self.model for one in made.events]
        assert list(self.line.events()) == events
        assert len(self.line) == len(events)
        assert self.line.entries == tuple(self.model)
        assert self.line.entry_count() == len(self.model)
        assert self.line.head == fold_all(START, events)
        place = 0
        for index, made in enumerate(self.model):
            assert self.line.index_of(made.number) == index
            assert self.line.span(index) == (place, place + len(made.events))
            for at in range(place + 1, place + len(made.events) + 1):
                assert self.line.entry_at(at) == index
                assert self.line.event(at - 1) is made.events[at - place - 1]
            place += len(made.events)
        assert self.line.entry_at(0) == -1


LineMachine.TestCase.settings = settings(stateful_step_count=15)
TestLine = LineMachine.TestCase


def long_line(length: int) -> Timeline:
    line = Timeline(START)
    for number in range(1, length + 1):
        line.append(entry(number, (hp(number % 1000),)))
    return line


@pytest.mark.parametrize("length", [1, EVERY - 1, EVERY, EVERY + 1, 40 * EVERY + 7])
def test_a_state_is_at_most_a_keyframe_away(monkeypatch, length):
    line = long_line(length)
    folds = 0

    def counted(state, happened):
        nonlocal folds
        folds += 1
        return evolve(state, happened)

    evolve = history.evolve
    monkeypatch.setattr(history, "evolve", counted)
    for place in range(length + 1):
        folds = 0
        line.seek(place)
        assert folds < EVERY


def test_cutting_and_growing_keeps_the_keyframes_right():
    line = long_line(3 * EVERY)
    line.truncate(EVERY + 5)
    for number in range(900, 900 + 2 * EVERY):
        line.append(entry(number, (hp(number % 1000),)))
    for place in range(len(line) + 1):
        assert line.seek(place) == fold_all(START, list(line.events())[:place])


@given(st.integers(-5, 9))
def test_there_is_nothing_beyond_the_ends(place):
    line = long_line(3)
    if 0 <= place <= 3:
        line.seek(place)
        return
    with pytest.raises(IndexError, match="3 events"):
        line.seek(place)


def test_states_that_do_not_fit_their_events_are_a_fault():
    with pytest.raises(ValueError, match="1 states after 2 events"):
        Timeline(START).append(entry(1, (hp(1), hp(2))), [START])
