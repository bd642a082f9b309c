"""The Fight Call engine: fights as events, with no screen in sight.

>>> from fightcall_engine import Fight
>>> fight = Fight.new("stage", seed="7")
>>> fight.state.round
0
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fightcall_engine.model import __version__
    from fightcall_engine.model.errors import NeedsDice, Refused
    from fightcall_engine.play.fight import Fight

_HOMES = {
    "Fight": "fightcall_engine.play.fight",
    "NeedsDice": "fightcall_engine.model.errors",
    "Refused": "fightcall_engine.model.errors",
    "__version__": "fightcall_engine.model",
}

__all__ = ["Fight", "NeedsDice", "Refused", "__version__"]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for, so that each caller pays only for what it uses."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
