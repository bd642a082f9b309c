"""Getting up where a place has room for one: whoever finds it taken stands up next to it."""

from fightcall_engine.board.base import Location
from fightcall_engine.board.paths import places_around
from fightcall_engine.kit.contacts import contact_events
from fightcall_engine.model.events import Event, Events, Placed, Restored
from fightcall_engine.model.state import FightState


def react(state: FightState, event: Event) -> Events:
    """Move a restored combatant to the nearest free place if its own is taken. `state` includes the event."""
    combatant = state.combatants.get(event.who) if isinstance(event, Restored) else None
    if combatant is None or combatant.at is None or not _is_taken(state, combatant.at, combatant.id):
        return ()
    assert state.board is not None
    places = places_around(state.board, combatant.at)
    at = next((place for place in places if not _is_taken(state, place, combatant.id)), None)
    if at is None:
        return ()
    placement = Placed(who=combatant.id, before=combatant.at, at=at, reason="the place is occupied")
    return (placement, *contact_events(state, combatant.id, at))


def _is_taken(state: FightState, place: Location, combatant_id: str) -> bool:
    """True if another able combatant stands on the place."""
    if state.board is None or state.shares_places:
        return False
    return any(other.at == place and other.able and other.id != combatant_id for other in state.combatants.values())
