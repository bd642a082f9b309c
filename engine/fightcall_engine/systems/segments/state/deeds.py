"""What a declared heroic deed adds, and how long (CS-646, CS-647).

The trait ``deed`` has a word for each bonus: ``str=5`` for as long as the GM says, ``av=3@act`` for one Action,
``pot=2@foe:orc`` until that foe is down.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules.numbers import Part, Sum
from fightcall_engine.systems.segments.state.fighter import fighter_of

AV, POT, PRES = "av", "pot", "p-res"

SCORES = (POT, AV, PRES, "str", "agl", "crd", "hrt", "awa", "cnd", "chm")
"""What a deed may raise."""

ACT, SCENE, FOE = "act", "scene", "foe"
"""How long: one Action, as long as the GM says, until a foe is down."""

_LONGEST = 4


@dataclass(frozen=True, slots=True)
class Bonus:
    """One bonus of a deed.

    Attributes:
        score: one of `SCORES`.
        amount: how much, above 0.
        until: ``act``, ``scene`` or ``foe``.
        foe: whose going down ends it.
    """

    score: str
    amount: int
    until: str = SCENE
    foe: str = ""

    @property
    def word(self) -> str:
        """It as the trait keeps it."""
        end = {ACT: "@act", FOE: f"@foe:{self.foe}"}.get(self.until, "")
        return f"{self.score}={self.amount}{end}"


def bonuses(combatant: Combatant) -> tuple[Bonus, ...]:
    """All that somebody's deed adds; what cannot be read is left out."""
    found = []
    for word in fighter_of(combatant).deed.split():
        said, _, end = word.partition("@")
        score, _, amount = said.partition("=")
        until, _, foe = end.partition(":")
        if score in SCORES and amount.isascii() and amount.isdecimal() and len(amount) < _LONGEST:
            found.append(Bonus(score, int(amount), until if until in (ACT, FOE) else SCENE, foe))
    return tuple(found)


def format_bonuses(found: Iterable[Bonus]) -> str:
    """Bonuses as the trait keeps them."""
    return " ".join(each.word for each in found)


def amount_of(combatant: Combatant, score: str, foe: str = "") -> int:
    """What it adds to a score now; what lasts until a foe is down adds to AV and POT against that foe alone."""
    return sum(
        each.amount
        for each in bonuses(combatant)
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
