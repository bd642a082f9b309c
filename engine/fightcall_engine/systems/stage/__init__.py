"""Stage Moments: six phases of two halves, moved by beats, with one strike a Moment."""

from fightcall_engine.systems.stage.system import Stage

SYSTEM = Stage()
