"""Scenes, Rounds, Turns: free order or Initiative, delays, turns of fixed steps, and rests between Scenes."""

from fightcall_engine.systems.turns.system import Turns

SYSTEM = Turns()
