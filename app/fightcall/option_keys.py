"""What the installed systems offer in a fight, with the keys they give it: for the key map and the list of keys.

A system says what can be done only of a moment of a fight. So a small fight is played through two rounds, and what it
offers on the way is noted. That costs some milliseconds, and is done only where it is asked for.
"""

from __future__ import annotations

from typing import NamedTuple

from fightcall_engine.errors import FightCallError
from fightcall_engine.fight import Fight
from fightcall_engine.system import find_system, system_names

_ROUNDS = 2
_MOST_STEPS = 400


class OfferedKey(NamedTuple):
    """Something that can be done in a fight, the key it is given, and the systems that offer it."""

    action: str
    key: str
    systems: tuple[str, ...]


def option_keys() -> tuple[OfferedKey, ...]:
    """What the installed systems offer, each once, in the order it came up."""
    found: dict[str, OfferedKey] = {}
    for name in system_names():
        for action, key in _each_once(_offered(name)):
            known = found.get(action)
            systems = (*known.systems, name) if known else (name,)
            found[action] = OfferedKey(action, known.key if known else key, systems)
    return tuple(found.values())


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


def _each_once(offered: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """With the key it had first."""
    found: dict[str, str] = {}
    for action, key in offered:
        found.setdefault(action, key)
    return list(found.items())
