"""What the installed systems offer in a fight, with the keys they give it: for the key map and the list of keys.

A system says what can be done only of a moment of a fight. So a small fight is played through two rounds, and what it
offers on the way is noted. That costs some milliseconds, and is done only where it is asked for.
"""

from __future__ import annotations

from fightcall_engine.errors import FightCallError
from fightcall_engine.fight import Fight
from fightcall_engine.system import find_system, system_names

_ROUNDS = 2
_MOST_STEPS = 400


def option_keys() -> tuple[tuple[str, str], ...]:
    """(action, key) of what the installed systems offer, each once, in the order it came up."""
    found: dict[str, str] = {}
    for name in system_names():
        for action, key in _offered(name):
            found.setdefault(action, key)
    return tuple(found.items())


def _offered(system: str) -> list[tuple[str, str]]:
    fight = Fight.new(system)
    for side in find_system(system).sides[:2]:
        fight.give("join", name=side, side=side)
    found: list[tuple[str, str]] = []
    try:
        fight.give("start")
        for _ in range(_MOST_STEPS):
            for who in fight.state.combatants:
                found += [(option.action, option.key) for option in fight.options(who)]
            if fight.state.round > _ROUNDS:
                break
            fight.give("advance")
    except FightCallError:
        pass  # What has been offered so far is all that can be known without playing by this system's rules.
    return found
