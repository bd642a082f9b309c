"""The decision clock counts down, says once that time is up, and starts anew with each step."""

from flowcraft import done, ford

from fightcall.flows.runner_view import DecisionClock
from fightcall.table import Give


def test_it_counts_down_and_says_once_that_time_is_up():
    state = ford(decision_seconds=3).state
    clock = DecisionClock()
    assert clock.text() == ""
    clock.toggle(state)
    assert clock.text() == "0:03"
    assert [clock.second() for _ in range(5)] == [False, False, True, False, False]
    assert clock.text() == "time is up"


def test_a_new_step_gives_the_full_time_again_and_the_same_one_does_not():
    table = ford("missile", decision_seconds=75)
    clock = DecisionClock()
    clock.toggle(table.state)
    clock.second()
    clock.restart(table.state)
    assert clock.text() == "1:14"
    done(table, Give("Advance", {}))
    clock.restart(table.state)
    assert clock.text() == "1:15"


def test_it_can_be_stopped():
    state = ford().state
    clock = DecisionClock()
    clock.toggle(state)
    clock.toggle(state)
    assert clock.text() == ""
    clock.restart(state)
    assert not clock.running


def test_no_time_at_all_is_a_second():
    clock = DecisionClock()
    clock.toggle(ford(decision_seconds=0).state)
    assert clock.second() is True
