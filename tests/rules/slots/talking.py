"""Active Phase Encounters by JSON lines: a cast, and short ways to the moments that examples begin at."""

from __future__ import annotations

from collections.abc import Mapping

from ..once import played_once
from ..talk import Talk

AGILITY = {"ivo": 2, "mara": 0, "teo": -1, "zed": -5}
RESULTS = {"ivo": 18, "mara": 14, "teo": 9, "zed": 11}
ABILITIES: list[Mapping[str, object]] = [
    {"name": "c1", "cost_active": 1},
    {"name": "r1", "cost_active": 1, "reserved_ok": True},
    {"name": "r2", "cost_active": 1, "cost_reserved": 2},
    {"name": "gift", "cost_active": 3, "cost_reserved": 0},
    {"name": "crown", "cost_active": 2, "cost_final": 5},
    {"name": "free end", "cost_active": 2, "cost_reserved": 2, "cost_final": 0},
    {"name": "breaks", "cost_active": 1, "reserved_ok": True, "can_interrupt": ["active_action"]},
    {"name": "parry", "cost_active": 1, "reserved_ok": True, "can_interrupt": ["interjection"]},
    {"name": "knockout", "cost_active": 1, "cost_reserved": 3, "finisher": "knockout"},
    {"name": "execution", "cost_active": 1, "reserved_ok": True, "finisher": "execution"},
    {"name": "stance", "cost_active": 0, "init_only": True},
    {"name": "ritual", "cost_active": 8, "multi_round": True, "interruptible": True},
    {"name": "trance", "cost_active": 8, "multi_round": True, "interruptible": False},
    {"name": "epic", "cost_active": 12, "multi_round": True},
]


@played_once
def table(
    *who: str, settings: Mapping[str, object] | None = None, sheets: Mapping[str, Mapping[str, object]] | None = None
) -> Talk:
    """The PCs at the table and a wolf, in set-up."""
    talk = Talk("slots", settings, seed="7")
    for name in who or ("ivo", "mara", "teo"):
        sheet = {"kind": "pc", "agility": AGILITY.get(name, 0), "hp": 10, "abilities": ABILITIES}
        talk.do("add", id=name, name=name.title(), side="party", sheet={**sheet, **(sheets or {}).get(name, {})})
    wolf = {"kind": "npc", "hp": 6, **(sheets or {}).get("wolf", {})}
    return talk.do("add", id="wolf", name="Wolf", side="foe", sheet=wolf)


def ordered(talk: Talk, **results: int) -> Talk:
    """Start, and give each PC its Awareness."""
    talk.do("start")
    for who, one in talk.state["combatants"].items():  # type: ignore[attr-defined]
        if one["kind"] == "pc":
            talk.do("awareness", who=who, result={**RESULTS, **results}[who])
    return talk


def locked(talk: Talk, **results: int) -> Talk:
    """Into Full Round 1."""
    return ordered(talk, **results).do("lock")


def ends(talk: Talk, *who: str) -> Talk:
    """They end their Active Phases, one after the other."""
    for one in who:
        talk.do("end_ap", who=one)
    return talk


def round_over(talk: Talk) -> Talk:
    """Go on to the next Full Round, taking all defaults."""
    number = talk.state["full_round"]
    for _ in range(40):
        if talk.state["full_round"] != number:
            return talk
        talk.do("advance")
    raise AssertionError(talk.state)


def slots(talk: Talk, who: str) -> tuple[object, object]:
    one = talk.combatant(who)
    return one["active_slots"], one["reserved_slots"]
