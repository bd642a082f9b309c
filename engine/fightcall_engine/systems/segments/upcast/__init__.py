"""Upcasts of journals of older versions: a module for each version."""

from fightcall_engine.systems.segments.upcast.version_1 import from_version_1
from fightcall_engine.systems.segments.upcast.version_2 import from_version_2
from fightcall_engine.systems.segments.upcast.version_3 import from_version_3
from fightcall_engine.systems.segments.upcast.version_4 import from_version_4

UPCASTS = (from_version_1, from_version_2, from_version_3, from_version_4)
"""The upcasts in order; an event of version 1 goes through all, one of version 2 through those after the first, etc."""
