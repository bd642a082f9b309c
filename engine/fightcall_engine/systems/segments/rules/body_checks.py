"""Body against body: Body Checks, tackling and overbearing (CS-455 to CS-470, CS-702)."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules.checks import Check, ContestedTie, Progressive, contest, prog
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Sum

Answer: TypeAlias = Literal["stand", "evade"]
"""The target's responses (CS-456)."""

Outcome: TypeAlias = Literal["thrown", "rebound", "dodged", "halted", "reroll"]
"""The target is thrown; the attacker bounces off; misses; both stop in close melee; or roll again."""

Footing: TypeAlias = Literal["both", "attacker", "target"]
"""Who checks to keep their feet after a success (CS-464)."""


@frozen
class Body:
    """The values of a body in a collision.

    Attributes:
        agl: AGL modifier.
        msta: modified STA.
        str_modifier: STR modifier.
        strength: effective STR score.
    """

    agl: int
    msta: int
    str_modifier: int
    strength: Number

    @property
    def weight(self) -> Number:
        """STR and modified STA together, by which bodies are compared (CS-463, CS-464)."""
        return self.strength + self.msta


def base_av(body: Body, rule: str = "CS-456") -> Sum:
    """Return the value of a body against a body: AGL modifier, modified STA, STR modifier (CS-455, CS-456, CS-468)."""
    return Sum(
        (
            Part("AGL modifier", body.agl, rule),
            Part("modified STA", body.msta, rule),
            Part("STR modifier", body.str_modifier, rule),
        )
    )


def attack_av(
    body: Body, mph: Number, *, shield_size: Number = 0, layers: int = 0, scale: Progressive = "triangular"
) -> Sum:
    """Return the AV of a Body Check (CS-455).

    Args:
        body: the attacker.
        mph: the speed in mph.
        shield_size: Size of the attacker's shield; 0 without one.
        layers: the attacker's layers of armour.
        scale: the Progressive scale in use (R-4).
    """
    parts = [*base_av(body, "CS-455").parts]
    if shield_size:
        parts.append(Part("Size of the shield", shield_size, "CS-455"))
    if layers:
        parts.append(Part(f"{layers} layers of armour, Progressive", prog(layers, scale), "CS-455"))
    return Sum((*parts, Part("speed in mph", mph, "CS-455")))


def stand_av(body: Body) -> Sum:
    """Return the value with which a target stands against it (CS-456)."""
    return base_av(body)


def evade_av(dodge: Number, own_msta: int, attacker_msta: int) -> Sum:
    """Return the value with which a target evades it: its Dodge, with a bonus for being smaller (CS-456)."""
    smaller = Part("points of STA smaller than the attacker", max(0, attacker_msta - own_msta), "CS-456")
    return Sum((Part("Dodge", dodge, "CS-456"), smaller))


def outcome(answer: Answer, attacker: Check, target: Check, tie: ContestedTie = "defender") -> Outcome:
    """Return how a Body Check ends (CS-457 to CS-461, A-34).

    The attacker wins with the larger margin, or if only the attacker succeeds. `tie` decides equal margins (A-17).
    """
    winner = contest(attacker, target, tie)
    if winner == "nobody":
        return "halted"
    if winner == "reroll":
        return "reroll"
    if winner == "attacker":
        return "thrown"
    return "rebound" if answer == "stand" else "dodged"


def thrown_feet(mph: Number, mover_msta: int, thrown_msta: int, other_mph: Number = 0) -> Sum:
    """Return how far the loser is thrown (CS-457 to CS-459).

    Args:
        mph: the attacker's speed.
        mover_msta: modified STA of the winner.
        thrown_msta: modified STA of the loser.
        other_mph: the target's speed if both move; it only counts for the distance (CS-458).
    """
    parts = [Part("attacker's speed in mph", mph, "CS-457")]
    if other_mph:
        parts.append(Part("target's speed in mph", other_mph, "CS-458"))
    larger = Part("points of STA larger than the one thrown", max(0, mover_msta - thrown_msta), "CS-457")
    return Sum((*parts, larger))


def who_keeps_footing(attacker: Body, target: Body) -> Footing:
    """Return who makes an AGL check after a success: the lesser, or both within one point (CS-464, A-34)."""
    difference = attacker.weight - target.weight
    if -1 <= difference <= 1:
        return "both"
    return "target" if difference > 0 else "attacker"


def footing_dv(mph: Number, own: Body, other: Body, scale: Progressive = "triangular") -> Sum:
    """Return the DV of an AGL check to stay upright (CS-463).

    Args:
        mph: speed of the mover.
        own: the one who makes the check.
        other: the other body, whose advantage counts.
        scale: the Progressive scale in use (R-4).
    """
    points = _advantage(other, own)
    larger = Part(f"{points} points of STR and STA, Progressive", prog(points, scale), "CS-463")
    return Sum((Part("mover's speed in mph", mph, "CS-463"), larger))


def footing_av(agl_av: Number, acrobat: int = 0, dancer: int = 0) -> Sum:
    """Return the target's value of that check: AGL with levels as Acrobat and Dancer (CS-463)."""
    parts = [Part("AGL", agl_av, "CS-463")]
    for label, level in (("Acrobat", acrobat), ("Dancer", dancer)):
        if level:
            parts.append(Part(label, level, "CS-463"))
    return Sum(tuple(parts))


def balance_dv(mph: Number) -> Sum:
    """Return the DV of the attacker's AGL check after the target dodged; the text has none (CS-461, M-24)."""
    return Sum((Part("own speed in mph", mph, "CS-461"),))


def damage_pot(mph: Number, attacker: Body, target: Body) -> Sum:
    """Return the POT of a successful Body Check; a shield in the way and armour take from it (CS-465)."""
    larger = Part("points of STR and STA larger", _advantage(attacker, target), "CS-465")
    return Sum((Part("mover's speed in mph", mph, "CS-465"), larger))


def _advantage(larger: Body, smaller: Body) -> int:
    # A halved STR leaves a half point, and only whole ones count.
    return max(0, int(larger.weight - smaller.weight))


@frozen
class Tackler:
    """One who tackles or is tackled.

    Attributes:
        av: the value of the body, from `base_av`.
        mph: the speed in mph.
        name: for the parts of the sum.
        parts: the parts of `av`, if known.
    """

    av: Number
    mph: Number = 0
    name: str = ""
    parts: tuple[Part, ...] = ()

    def body(self, rule: str) -> tuple[Part, ...]:
        """The value as the parts of a sum."""
        parts = self.parts or (Part("body", self.av, rule),)
        return tuple(Part(_of(self, part.label), part.value, part.rule) for part in parts)


@frozen
class Tackle:
    """The two values of the Contested Roll."""

    attackers: Sum
    target: Sum


def may_tackle(full_rate_before: bool, from_height: bool = False) -> bool:
    """Return whether a tackle is possible: after a movement phase at full rate, or from above (CS-467, CS-702)."""
    return full_rate_before or from_height


def tackle(attackers: Sequence[Tackler], target: Tackler) -> Tackle:
    """Return the values of a tackle or overbearing by one or several (CS-468 to CS-470).

    Each attacker adds its excess of speed over the target. The target adds its excess over the fastest.

    Args:
        attackers: all who tackle together.
        target: their target.

    Raises:
        ValueError: nobody tackles.
    """
    if not attackers:
        raise ValueError("a tackle needs at least one attacker")
    rule = "CS-469" if len(attackers) > 1 else "CS-468"
    ours: list[Part] = []
    for tackler in attackers:
        ours += tackler.body(rule)
        if tackler.mph > target.mph:
            ours.append(Part(_of(tackler, "mph faster than the target"), tackler.mph - target.mph, "CS-468"))
    theirs = [*target.body("CS-468")]
    fastest = max(tackler.mph for tackler in attackers)
    if target.mph > fastest:
        theirs.append(Part(_of(target, "mph faster than they"), target.mph - fastest, "CS-468"))
    return Tackle(Sum(tuple(ours)), Sum(tuple(theirs)))


def _of(tackler: Tackler, what: str) -> str:
    return f"{tackler.name}: {what}" if tackler.name else what
