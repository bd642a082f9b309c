"""Two weapons as one: what a Combination adds (CS-365 to CS-369)."""

from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.formulas.rounding import Number
from fightcall_engine.systems.segments.formulas.sums import Part, Sum

CombinationRule: TypeAlias = Literal["in_concert", "defence", "separate", "mixed"]
"""In concert, a Combination Defence, separate but simultaneous, or attack with defence (CS-366 to CS-369)."""

RULES: dict[CombinationRule, str] = {
    "in_concert": "CS-366",
    "defence": "CS-367",
    "separate": "CS-368",
    "mixed": "CS-369",
}


def combination_value(av: Number, other: Number, combination_sl: int, kind: CombinationRule) -> Sum:
    """Return the AV or DV of a Combination, or of one of its halves (CS-366 to CS-369).

    Args:
        av: the value that leads, or that of the half that is asked for.
        other: the value of the other weapon.
        combination_sl: level of the Combination skill.
        kind: which rule asks; all come to the same: own value and level, at most both values together.
    """
    rule = RULES[kind]
    parts = [Part("this weapon", av, rule), Part("Combination level", combination_sl, rule)]
    over = combination_sl - other
    if over > 0:
        parts.append(Part("at most both weapons together", -over, rule))
    return Sum(tuple(parts))


def lead(item: Number, other: Number) -> tuple[Number, Number]:
    """Return the value that usually leads, the higher, and the other (CS-366, CS-367)."""
    return (item, other) if item >= other else (other, item)


def pot_in_concert(item: Number, other: Number) -> Sum:
    """Return the POT of two blows that land in concert: added before armour (CS-366).

    Separate blows are kept apart, each against armour of its own (CS-368).
    """
    return Sum((Part("first blow", item, "CS-366"), Part("second blow", other, "CS-366")))
