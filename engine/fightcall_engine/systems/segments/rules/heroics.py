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
    """The rolls that are Heroic Effects or Bumbles (CS-635, CS-637).

    Attributes:
        heroic_most: a roll up to this is a Heroic Effect; 0 for none.
        bumble_least: a failed roll of at least this is a Bumble; above 100 for none.
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
    """Return the thresholds for a chance in percent, limited to 0 to 100 (CS-635, CS-637, A-40)."""
    limited_chance = min(100, max(0, chance))
    bumble = 100 - rhu(Fraction(100 - limited_chance, 10))
    return Thresholds(rhu(Fraction(limited_chance, 10)), max(bumble, limited_chance + 1))


def feat(chance: int, roll: int) -> Feat | None:
    """Return whether a d100 is a Heroic Effect or a Bumble, or None (CS-635, CS-637).

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
    """Return whether a roll can be a Heroic Effect (CS-636, CS-638).

    Args:
        pc_quality: whether it is a player's character or an NPC of that quality.
        pivotal: whether the GM calls the scene pivotal.
        who: the reading of whom they are for.
        scope: the reading of the scenes in which they occur.
    """
    return (pc_quality or who == "all") and is_in_scope(pivotal, scope)


def is_in_scope(pivotal: bool, scope: HeroicScope = "pivotal") -> bool:
    """Return whether Heroic Effects and Bumbles occur in a scene (CS-638)."""
    return pivotal or scope == "always"


def bonus_allowed(bonus: int, hrt: int) -> int:
    """Return the bonus of a heroic deed to a score or to POT, at most HRT (CS-646).

    Args:
        bonus: the wanted bonus, 0 or more.
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
    """Return whether a feat takes effect at once, and the token it gives (CS-651, CS-652).

    Args:
        what: a Heroic Effect or a Bumble.
        mode: the GM's choice.
    """
    token = Token("white" if what == "heroic" else "black")
    return mode != "token", None if mode == "effect" else token
