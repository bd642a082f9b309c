"""What is still in the air: shots from far off that strike at the start of the next segment (CS-285)."""

from fightcall_engine.state import FightState


def due(state: FightState) -> bool:
    """True where something lands in this segment."""
    return False
