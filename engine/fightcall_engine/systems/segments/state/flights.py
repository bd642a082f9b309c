"""Shots that have hit and are still in the air: the fact ``impacts``, one line of JSON for each (CS-285).

Each keeps its segment, by how much it hit, and the blow as it was loosed: late, it is worth what it was at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fightcall_engine.model.state import FightState, Json, Scalar
from fightcall_engine.systems.segments.state import figures as fg
from fightcall_engine.systems.segments.state.blows import RANGED, Blow, blow_of

_PLAIN = Blow("", "").data()

_MOST = 1_000_000
"""No number of a blow comes near to it."""


@dataclass(frozen=True, slots=True)
class Flying:
    """One shot that has hit and is not there yet.

    Attributes:
        due: the segment in which it strikes.
        margin: by how much it hit.
        blow: as it was loosed: how far, how much higher, and with what STR.
    """

    due: int
    margin: int
    blow: Blow

    @property
    def line(self) -> str:
        """It as a line of the fact."""
        told = {name: value for name, value in self.blow.data().items() if value != _PLAIN[name]}
        return json.dumps({"due": self.due, "margin": self.margin, **told})


def flying(state: FightState) -> tuple[Flying, ...]:
    """All that is in the air; what cannot be read is left out."""
    read = (_read(line) for line in fg.text_fact(state, "impacts").splitlines())
    return tuple(flying for flying in read if flying is not None)


def format_flights(shots: Iterable[Flying]) -> str:
    """Shots as the fact keeps them."""
    return "\n".join(shot.line for shot in shots)


def _read(line: str) -> Flying | None:
    try:
        told = json.loads(line)
    except ValueError:
        return None
    if not isinstance(told, dict):
        return None
    due, margin = _whole(told, "due"), _whole(told, "margin")
    fit: dict[str, Scalar] = {name: value for name, value in told.items() if name in _PLAIN and _is_like(name, value)}
    blow = blow_of({**_PLAIN, **fit})
    return Flying(due, margin, blow) if due and blow.kind in RANGED and blow.attacker and blow.target else None


def _whole(told: Mapping[str, Json], name: str) -> int:
    value = told.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _is_like(name: str, value: Json) -> bool:
    """True for a value of the kind that this part of a blow has, as far as anybody has typed it."""
    usual = _PLAIN[name]
    if isinstance(usual, bool) or name == "shield":
        return isinstance(value, bool)
    if isinstance(usual, str):
        return isinstance(value, str)
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MOST
