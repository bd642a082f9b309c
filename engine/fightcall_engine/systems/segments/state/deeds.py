"""What a declared heroic deed adds, and how long (CS-646, CS-647)."""

from __future__ import annotations

from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules.numbers import Part, Sum
from fightcall_engine.systems.segments.state.fighter import Bonus, fighter_of

AV, POT, PRES = "av", "pot", "p-res"

SCORES = (POT, AV, PRES, "str", "agl", "crd", "hrt", "awa", "cnd", "chm")
"""What a deed may raise."""

ACT, SCENE, FOE = "act", "scene", "foe"
"""How long: one Action, as long as the GM says, until a foe is down."""


def amount_of(combatant: Combatant, score: str, foe: str = "") -> int:
    """What it adds to a score now; what lasts until a foe is down adds to AV and POT against that foe alone."""
    return sum(
        each.amount
        for each in fighter_of(combatant).deed
        if each.score == score and (score not in (AV, POT) or each.until != FOE or each.foe == foe)
    )


def add_deed(combatant: Combatant, score: str, total: Sum, foe: str = "") -> Sum:
    """A value with what a heroic deed adds to it (CS-646)."""
    more = amount_of(combatant, score, foe)
    return Sum((*total.parts, Part("heroic deed", more, "CS-646"))) if more else total


def foe_name(state: FightState, combatant_id: str) -> str:
    """The name of the foe whom a deed is for; the id of one who has left."""
    combatant = state.combatants.get(combatant_id)
    return combatant_id if combatant is None else combatant.name


def describe_bonus(state: FightState, bonus: Bonus) -> str:
    """A bonus in words."""
    end = {ACT: " for one Action", FOE: f" until {foe_name(state, bonus.foe)} is down"}.get(bonus.until, "")
    return f"{bonus.score.upper()} +{bonus.amount}{end}"
