"""A rule system that the kit has to stretch for: acts aimed at places, harm counted upward, questions that go on."""

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from fightcall_engine.testkit.machine import FightMachine


class SnowballMachine(FightMachine):
    """A snowball fight, and everything a GM can do to it."""

    SYSTEM = "snowballs"


@pytest.mark.slow
def test_the_laws_hold_under_any_command(snowballs):
    phases = [Phase.explicit, Phase.reuse, Phase.generate]
    few = settings(deadline=None, max_examples=15, stateful_step_count=20, phases=phases)
    run_state_machine_as_test(SnowballMachine, settings=few)
