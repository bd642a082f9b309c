"""What a rule system is made of: `BaseSystem` with its defaults, and the values that it and the screen exchange."""

from fightcall_engine.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.system import BaseSystem, answers, handles
from fightcall_engine.offering import offer

__all__ = ["BaseSystem", "Check", "Decision", "answers", "handles", "offer"]
