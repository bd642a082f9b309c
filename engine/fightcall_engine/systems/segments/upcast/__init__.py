"""Journals of older versions, read as today's: a module for each version whose forms are gone."""

from fightcall_engine.systems.segments.upcast.version_1 import from_version_1
from fightcall_engine.systems.segments.upcast.version_2 import from_version_2
from fightcall_engine.systems.segments.upcast.version_3 import from_version_3
from fightcall_engine.systems.segments.upcast.version_4 import from_version_4

UPCASTS = (from_version_1, from_version_2, from_version_3, from_version_4)
"""What an event of version 1 goes through, in this order; one of version 2 through those after the first, and so on."""
