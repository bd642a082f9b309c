"""Reprisals put off to one's own attack (CS-371)."""

from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant
from fightcall_engine.systems.segments.state import figures
from fightcall_engine.systems.segments.state.fighter import Postponed, fighter_of


def postpone_reprisal(combatant: Combatant, miss: Postponed) -> Events:
    """One more Reprisal is put off."""
    return figures.set_traits(combatant, reprisal_due=(*fighter_of(combatant).reprisal_due, miss))


def clear_postponed(combatant: Combatant) -> Events:
    """None is put off any more."""
    return figures.set_traits(combatant, reprisal_due=())
