"""Which foes somebody has made out in their hiding places: the trait ``aware_of``, ids parted by blanks (CS-265)."""

from __future__ import annotations

from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Combatant
from fightcall_engine.systems.segments.state import figures as fg
from fightcall_engine.systems.segments.state.fighter import fighter_of


def known_foes(combatant: Combatant) -> tuple[str, ...]:
    """The ids of those whom somebody has made out."""
    return tuple(fighter_of(combatant).aware_of.split())


def make_aware(combatant: Combatant, foe: Combatant) -> ev.Events:
    """Somebody knows from now on where a foe hides."""
    return fg.set_traits(combatant, aware_of=" ".join(dict.fromkeys((*known_foes(combatant), foe.id))))


def words_without(combatant: Combatant, combatant_id: str) -> str:
    """The trait once one of them is forgotten."""
    return " ".join(known for known in known_foes(combatant) if known != combatant_id)


# Questions


def knows_of(combatant: Combatant, foe: Combatant) -> bool:
    """CS-265: true for a foe who is in the open, or whom this one has made out in his hiding place."""
    return not foe.hidden or foe.id in fighter_of(combatant).aware_of.split()
