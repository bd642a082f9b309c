"""Blows that land: a duel in which Ash's strike hits the orc, and what is read from it afterwards."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.board.base import AnyBoard
from fightcall_engine.model.events import Event

from ..once import played_once
from .table import Play, table

Sheet = Mapping[str, object]
BLADE: Sheet = {"name": "sword", "size": 4, "weight_class": "Med", "av": 40, "effects": ["edge", "point"]}
MACE: Sheet = {"name": "mace", "size": 4, "weight_class": "Hvy", "av": 40, "effects": ["blunt"]}
FIGHTER: Sheet = {"msta": 15, "str": 14, "weapons": [BLADE]}
ORC: Sheet = {"side": "foe", "msta": 60, "cnd": 13, "pres": 99, "weapons": [BLADE]}
"""Too heavy to be driven back and too hard to feel pain, unless a test says otherwise."""


@played_once
def duel(
    settings: Mapping[str, object] | None = None,
    *,
    ash: Sheet | None = None,
    orc: Sheet | None = None,
    board: AnyBoard | None = None,
    **others: Sheet,
) -> Play:
    """Ash before the orc, whose checks are reckoned in a straight line."""
    chosen = {"resolution": "linear", **(settings or {})}
    return table(board, chosen, ash={**FIGHTER, **(ash or {})}, orc={**ORC, **(orc or {})}, **others).begin()


def due(play: Play, **declared: object) -> Play:
    """Ash's attack on the orc is due."""
    play.to("declare", "ash").do("declare", who="ash", **{"action": "strike", "target": "orc", **declared})
    return play.to("resolve", "ash")


def hit(play: Play, **given: object) -> Play:
    """Ash's due attack lands on an orc who does not defend."""
    return play.do("resolve", who="ash", hit=True, **{"defence": "none", **given})


@played_once
def struck(
    settings: Mapping[str, object] | None = None,
    *,
    ash: Sheet | None = None,
    orc: Sheet | None = None,
    declared: Sheet | None = None,
    **given: object,
) -> Play:
    """All of it: a duel, and the hit."""
    return hit(due(duel(settings, ash=ash, orc=orc), **(declared or {})), **given)


def landed(play: Play) -> tuple[int, list[tuple[str, str, str]]]:
    """POT and its parts."""
    blow = play.got("BlowLanded")
    return blow.pot, list(blow.parts)  # type: ignore[attr-defined]


def through(play: Play) -> int:
    """What came through armour."""
    return int(play.got("ArmourApplied").out)  # type: ignore[attr-defined]


def asked(play: Play) -> list[tuple[str, int | None]]:
    """Kinds and difficulties of the checks that a blow asks, in order."""
    return [(one.kind, one.dv) for one in _checks(play)]  # type: ignore[attr-defined]


def _checks(play: Play) -> list[Event]:
    return [one for one in play.all("CheckRequested") if one.kind not in ("attack", "opportunity", "reprisal")]  # type: ignore[attr-defined]


def answered(play: Play, choice: str) -> Play:
    """The oldest open check comes out so."""
    return play.do("answer", prompt=play.prompt("check").id, choice=choice)
