"""Ten Pulses of movement (stub until the subject is built)."""

from fightcall_engine import events as ev
from fightcall_engine.commands import Move
from fightcall_engine.dice import Dice
from fightcall_engine.referee import Referee
from fightcall_engine.state import FightState
from fightcall_engine.systems.segments import commands as scm


def decide_move(state: FightState, command: Move, dice: Dice, referee: Referee) -> ev.Events:
    """Move in a Pulse by hand."""
    return ()


def decide_plan(state: FightState, command: scm.Plan, dice: Dice, referee: Referee) -> ev.Events:
    """Plan a way."""
    return ()


def decide_hold(state: FightState, command: scm.Hold, dice: Dice, referee: Referee) -> ev.Events:
    """Drop it."""
    return ()


def decide_run(state: FightState, command: scm.RunPulses, dice: Dice, referee: Referee) -> ev.Events:
    """Run the Pulses."""
    return ()


def decide_resume(state: FightState, command: scm.Resume, dice: Dice, referee: Referee) -> ev.Events:
    """Go on after an interruption."""
    return ()


def run_pulse(state: FightState) -> ev.Events:
    """All who have planned a way move for one second, in the order of the roster."""
    return ()


def is_over(state: FightState) -> bool:
    """True where everybody who moves in the running Pulse has moved."""
    return True
