"""Stepping through a fight: every kind of step is a road that leads to the end and back."""

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows.history import (
    SPEEDS,
    Playback,
    backward,
    end_of_entry,
    entry_before,
    find_position,
    is_stop,
    mark_positions,
    next_mark,
    onward,
)
from fightcall_engine import Fight
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.events import RoundBegan, StepBegan
from fightcall_engine.play.history import Mark

STOPS = ("event", "entry", "step", "phase", "round", "actor")


@cache
def fight() -> Fight:
    """Three rounds with a few acts, an undo and two bookmarks."""
    played = Fight.new("stage", seed="3")
    played.give("join", name="Ash", side="party", sheet={"hp": 9})
    played.give("join", name="Orc", side="foe", sheet={"hp": 9})
    played.give("start")
    played.mark("curtain")
    for number in range(40):
        if number % 5 == 2:
            played.give("damage", who="ash" if number % 2 else "orc", amount=1)
        played.give("advance")
    played.mark("late")
    played.undo(3)
    return played


def walk(stop, there=onward):
    line = fight().line
    position = 0 if there is onward else len(line)
    goal = len(line) - position
    places = []
    while position != goal:
        position = there(line, position, stop)
        places.append(position)
    return places


@pytest.mark.parametrize("stop", STOPS)
def test_the_way_back_rests_where_the_way_there_does(stop):
    there, back = walk(stop), walk(stop, backward)
    assert there == sorted(set(there))
    assert back == [*reversed(there[:-1]), 0]


@pytest.mark.parametrize("stop", STOPS)
@given(data=st.data())
def test_a_step_passes_no_place_to_rest(stop, data):
    line = fight().line
    position = data.draw(st.integers(0, len(line)))
    ahead, behind = onward(line, position, stop), backward(line, position, stop)
    assert not any(is_stop(line, at, stop) for at in range(position + 1, ahead))
    assert not any(is_stop(line, at, stop) for at in range(behind + 1, position))
    assert is_stop(line, ahead, stop)
    assert is_stop(line, behind, stop)


def test_events_are_the_smallest_steps():
    assert walk("event") == list(range(1, len(fight().line) + 1))


def test_entries_end_where_commands_do():
    line = fight().line
    assert walk("entry") == [line.span(index)[1] for index in range(line.entry_count())]


@pytest.mark.parametrize(("stop", "kind"), [("step", StepBegan), ("round", RoundBegan)])
def test_steps_and_rounds_stop_as_they_begin(stop, kind):
    line = fight().line
    begun = [at for at, happened in enumerate(line.events(), start=1) if isinstance(happened, kind)]
    assert [at for at in walk(stop) if at != len(line)] == [at for at in begun if at != len(line)]
    assert len(begun) >= 3


def test_a_phase_stops_once_however_many_steps_it_has():
    line = fight().line
    phases = [line.seek(at).phase for at in walk("phase")]
    in_first_round = phases[: phases.index("meeting", 1)]
    assert len(set(in_first_round)) == len(in_first_round) > 4


def test_an_actor_stops_once_however_often_it_acts():
    line = fight().line
    actors = [line.entry(line.entry_at(at)).command.get("who") for at in walk("actor")[:-1]]
    assert actors[:2] == ["orc", "ash"]
    assert all(one != other for one, other in pairwise(actors))


@pytest.mark.parametrize(
    ("typed", "found"),
    [("0", 0), ("7", 7), (" END ", -1), ("start", 0), ("0%", 0), ("100%", -1), ("400%", -1), ("r0", 0)],
)
def test_a_typed_position_is_found(typed, found):
    line = fight().line
    assert find_position(line, typed) == (len(line) if found < 0 else found)


def test_a_typed_entry_and_a_typed_round_are_found():
    line = fight().line
    number = line.entry(4).number
    assert find_position(line, f"#{number}") == line.span(4)[1]
    position = find_position(line, "r2")
    assert line.seek(position).round == 2
    assert line.seek(position - 1).round < 2


@pytest.mark.parametrize("typed", ["", "x", "-1", "r", "#", "99999999", "r99", "#99999", "1.5", "²", "9" * 5000, "r5%"])
def test_any_other_text_is_answered_with_what_would_do(typed):
    with pytest.raises(BadInput, match=r"accepted: 0 to \d+, #1 to #\d+, r1 to r\d, 50%, start, end"):
        find_position(fight().line, typed)


def test_play_can_be_taken_over_after_whole_entries_only():
    line = fight().line
    start, end = line.span(3)
    assert entry_before(line, 0) == 0
    assert entry_before(line, end) == line.entry(3).number
    for position in range(start, end):
        assert entry_before(line, position) == line.entry(2).number
    assert end_of_entry(line, line.entry(3).number) == end


def test_bookmarks_are_gone_through_in_a_ring_and_lost_ones_left_out():
    line, marks = fight().line, fight().marks
    assert [mark.name for mark in marks] == ["curtain", "late"]
    places = mark_positions(line, marks)
    assert list(places.values()) == ["curtain"]
    (curtain,) = places
    assert next_mark(line, marks, 0) == curtain
    assert next_mark(line, marks, curtain) == curtain
    assert next_mark(line, (), 3) is None
    assert mark_positions(line, (Mark("start", 0), Mark("again", 0))) == {0: "start, again"}


def test_an_empty_line_has_nowhere_to_go():
    line = Fight.new("stage").line
    assert onward(line, 0, "round") == backward(line, 0, "actor") == entry_before(line, 0) == 0
    with pytest.raises(BadInput):
        find_position(line, "3")


def test_speed_goes_up_and_down_between_its_ends():
    playback = Playback()
    ups = [playback := playback.speed_up(1) for _ in range(6)]
    assert [one.speed for one in ups] == [2, 4, 8, 8, 8, 8]
    downs = [playback := playback.speed_up(-1) for _ in range(6)]
    assert [one.speed for one in downs] == [4, 2, 1, 0.5, 0.5, 0.5]
    assert Playback(speed=SPEEDS[-1]).seconds < Playback().seconds < Playback(speed=SPEEDS[0]).seconds


@given(st.integers(0, 30), st.integers(0, 30))
def test_playing_comes_to_rest_at_the_end_and_begins_again_from_the_start(length, position):
    playback = Playback(min(position, length)).toggle(length)
    seen = [playback.position]
    while playback.playing:
        playback = playback.tick(length)
        seen.append(playback.position)
    assert playback.position == length
    assert seen == list(range(seen[0], length + 1))
    assert playback.tick(length) == playback
    assert playback.toggle(length).position == 0


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_who_watches_the_end_stays_at_the_end(before, now, position):
    position = min(position, before)
    followed = Playback(position, playing=True).follow(before, now)
    assert followed.position == (now if position == before else min(position, now))
    assert not (followed.playing and followed.position == now)


def test_a_hand_on_it_stops_it():
    assert Playback(3, 2.0, playing=True).go(5) == Playback(5, 2.0)
    assert not Playback(3, playing=True).toggle(9).playing
