"""Heroic Effects, Bumbles and tokens (CS-635 to CS-654), all of them options."""

from fractions import Fraction
from typing import Literal, TypeAlias

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules.numbers import Number, rhu

HeroicScope: TypeAlias = Literal["pivotal", "always"]

HeroicFor: TypeAlias = Literal["pc_only", "all"]

TokenMode: TypeAlias = Literal["effect", "token", "both"]

Colour: TypeAlias = Literal["white", "black"]

Feat: TypeAlias = Literal["heroic", "bumble"]


@frozen
class Thresholds:
    """The rolls that are more than a success or a failure (CS-635, CS-637).

    Attributes:
        heroic_most: a roll up to this is a Heroic Effect; 0 for none.
        bumble_least: a roll from this on is a Bumble, provided that it failed; above 100 for none.
    """

    heroic_most: int
    bumble_least: int


@frozen
class Token:
    """A marker to change one roll or result (CS-651).

    Attributes:
        colour: white for a Heroic Effect, black for a Bumble.
        passes: how often it has been handed on.
    """

    colour: Colour
    passes: int = 0


def thresholds(chance: int) -> Thresholds:
    """Return the thresholds at a chance in percent (CS-635, CS-637, A-40). One outside 0 to 100 counts as its end."""
    likely = min(100, max(0, chance))
    bumble = 100 - rhu(Fraction(100 - likely, 10))
    return Thresholds(rhu(Fraction(likely, 10)), max(bumble, likely + 1))


def feat(chance: int, roll: int) -> Feat | None:
    """Return what a d100 is besides a success or a failure, if anything (CS-635, CS-637).

    Args:
        chance: the percentage.
        roll: 1 to 100.
    """
    marks = thresholds(chance)
    if roll <= marks.heroic_most:
        return "heroic"
    return "bumble" if roll >= marks.bumble_least else None


def may_be_heroic(
    pc_quality: bool, pivotal: bool, *, who: HeroicFor = "pc_only", scope: HeroicScope = "pivotal"
) -> bool:
    """Tell whether Heroic Effects are looked for in a roll (CS-636, CS-638).

    Args:
        pc_quality: whether it is a player's character or an NPC of that quality.
        pivotal: whether the GM calls the scene pivotal.
        who: whom they are for.
        scope: in which scenes they come.
    """
    return (pc_quality or who == "all") and is_in_scope(pivotal, scope)


def is_in_scope(pivotal: bool, scope: HeroicScope = "pivotal") -> bool:
    """Tell whether Heroic Effects and Bumbles come in a scene (CS-638)."""
    return pivotal or scope == "always"


def bonus_allowed(bonus: int, hrt: int) -> int:
    """Return what a declared heroic deed may add to a score or to POT: up to HRT (CS-646).

    Args:
        bonus: the bonus the GM has in mind, 0 or more.
        hrt: HRT score.
    """
    return max(0, min(bonus, hrt))


def magick_raised(pot: int, mga: int) -> int:
    """Return the POT of a magick after a Heroic Effect: raised by MGA or doubled, whichever is less (CS-640)."""
    return pot + max(0, min(mga, pot))


def time_halved(qa: int) -> int:
    """Return how long a task takes after a Heroic Effect, in quarter-actions, 1 at least (CS-640)."""
    return max(1, rhu(Fraction(qa, 2)))


def loss_halved(percent: Number) -> Fraction:
    """Return the share of material lost after a Heroic Effect, in percent, exact (CS-640)."""
    return Fraction(percent) / 2


def rewards(what: Feat, mode: TokenMode = "effect") -> tuple[bool, Token | None]:
    """Return whether a feat has its effect at once, and the token it brings (CS-651, CS-652).

    Args:
        what: a Heroic Effect or a Bumble.
        mode: the GM's choice.
    """
    token = Token("white" if what == "heroic" else "black")
    return mode != "token", None if mode == "effect" else token
