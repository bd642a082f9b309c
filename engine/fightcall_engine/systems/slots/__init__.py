"""Active Phase Encounters: a Cycle of PCs by Awareness, each with a few slots, some of them kept for later."""

from fightcall_engine.systems.slots.system import Slots

SYSTEM = Slots()
