"""Which foes somebody has made out in their hiding places (CS-265)."""

from __future__ import annotations

from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant
from fightcall_engine.systems.segments.state import figures
from fightcall_engine.systems.segments.state.fighter import fighter_of


def make_aware(combatant: Combatant, foe: Combatant) -> Events:
    """Somebody knows from now on where a foe hides."""
    aware_of = fighter_of(combatant).aware_of
    return () if foe.id in aware_of else figures.set_traits(combatant, aware_of=(*aware_of, foe.id))


def people_without(combatant: Combatant, combatant_id: str) -> tuple[str, ...]:
    """Those whom somebody has made out, once one of them is forgotten."""
    return tuple(aware_id for aware_id in fighter_of(combatant).aware_of if aware_id != combatant_id)


# Questions


def knows_of(combatant: Combatant, foe: Combatant) -> bool:
    """CS-265: true for a foe who is in the open, or whom this one has made out in his hiding place."""
    return not foe.hidden or foe.id in fighter_of(combatant).aware_of
