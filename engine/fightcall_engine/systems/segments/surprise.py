"""Surprise (stub until the subject is built)."""

from fightcall_engine import events as ev
from fightcall_engine.referee import Referee
from fightcall_engine.state import Combatant, FightState
from fightcall_engine.systems.segments.action import Action


def at_start(state: FightState) -> ev.Events:
    """What ends, and what is checked, as a segment begins."""
    return ()


def at_end(state: FightState) -> ev.Events:
    """What wanes as a segment ends."""
    return ()


def check_allowed(one: Combatant, action: Action, referee: Referee) -> None:
    """What somebody surprised may declare."""


def penalty_of(state: FightState, one: Combatant, *, defensive: bool) -> int:
    """What Surprise takes off a value."""
    return 0


def is_held(state: FightState, one: Combatant) -> str:
    """Why somebody may not begin anything now; empty where he may."""
    return ""
