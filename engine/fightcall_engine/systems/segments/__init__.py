"""Combat Segments: ten seconds of declarations, movement in pulses, and resolution, with fields of approach."""

from fightcall_engine.systems.segments.system import Segments

SYSTEM = Segments()
