"""Body against body, and objects snatched, handed over, thrown, caught (CS-200 to CS-227, CS-455 to CS-470, CS-700)."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import ceil
from typing import Literal, TypeAlias

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import numbers
from fightcall_engine.systems.segments.rules.numbers import (
    D100,
    ContestedTie,
    Number,
    Part,
    Progressive,
    Sum,
    contest,
    prog,
    simplify,
)

Answer: TypeAlias = Literal["stand", "evade"]
"""The target's responses (CS-456)."""

Outcome: TypeAlias = Literal["thrown", "rebound", "dodged", "halted", "reroll"]
"""The target is thrown; the attacker bounces off; misses; both stop in close melee; or roll again."""

Footing: TypeAlias = Literal["both", "attacker", "target"]
"""Who checks to keep their feet after a success (CS-464)."""

MOST_HANDS = 8
"""The most who can struggle for one object; the GM may allow fewer for a small one (CS-205)."""

SHORTEST_FALL = 16
"""Feet below which only those adjacent can reach a falling object (CS-216, CS-217)."""


@frozen
class Body:
    """The values of a body in a collision: modifiers, modified STA and effective STR."""

    agl: int
    msta: int
    str_modifier: int
    strength: Number

    @property
    def weight(self) -> Number:
        """STR and modified STA together, by which bodies are compared (CS-463, CS-464)."""
        return self.strength + self.msta


def base_av(body: Body, rule: str = "CS-456") -> Sum:
    """The value of a body against a body: AGL modifier, modified STA, STR modifier (CS-455, CS-456, CS-468)."""
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
    """The AV of a Body Check, with the attacker's shield and layers of armour (CS-455)."""
    parts = [*base_av(body, "CS-455").parts]
    if shield_size:
        parts.append(Part("Size of the shield", shield_size, "CS-455"))
    if layers:
        parts.append(Part(f"{layers} layers of armour, Progressive", prog(layers, scale), "CS-455"))
    return Sum((*parts, Part("speed in mph", mph, "CS-455")))


def stand_av(body: Body) -> Sum:
    """The value with which a target stands against it (CS-456)."""
    return base_av(body)


def evade_av(dodge: Number, own_msta: int, attacker_msta: int) -> Sum:
    """The value with which a target evades it: its Dodge, with a bonus for being smaller (CS-456)."""
    smaller = Part("points of STA smaller than the attacker", max(0, attacker_msta - own_msta), "CS-456")
    return Sum((Part("Dodge", dodge, "CS-456"), smaller))


def outcome(answer: Answer, attacker: D100, target: D100, tie: ContestedTie = "defender") -> Outcome:
    """How a Body Check ends (CS-457 to CS-461, A-34).

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
    """How far the loser is thrown; the target's speed only counts for the distance (CS-457 to CS-459)."""
    parts = [Part("attacker's speed in mph", mph, "CS-457")]
    if other_mph:
        parts.append(Part("target's speed in mph", other_mph, "CS-458"))
    larger = Part("points of STA larger than the one thrown", max(0, mover_msta - thrown_msta), "CS-457")
    return Sum((*parts, larger))


def who_keeps_footing(attacker: Body, target: Body) -> Footing:
    """Who makes an AGL check after a success: the lesser, or both within one point (CS-464, A-34)."""
    difference = attacker.weight - target.weight
    if -1 <= difference <= 1:
        return "both"
    return "target" if difference > 0 else "attacker"


def footing_dv(mph: Number, own: Body, other: Body, scale: Progressive = "triangular") -> Sum:
    """The DV of one's AGL check to stay upright, against the other body's advantage (CS-463)."""
    points = _advantage(other, own)
    larger = Part(f"{points} points of STR and STA, Progressive", prog(points, scale), "CS-463")
    return Sum((Part("mover's speed in mph", mph, "CS-463"), larger))


def footing_av(agl_av: Number, acrobat: int = 0, dancer: int = 0) -> Sum:
    """The target's value of that check: AGL with levels as Acrobat and Dancer (CS-463)."""
    parts = [Part("AGL", agl_av, "CS-463")]
    for label, level in (("Acrobat", acrobat), ("Dancer", dancer)):
        if level:
            parts.append(Part(label, level, "CS-463"))
    return Sum(tuple(parts))


def balance_dv(mph: Number) -> Sum:
    """The DV of the attacker's AGL check after the target dodged; the text has none (CS-461, M-24)."""
    return Sum((Part("own speed in mph", mph, "CS-461"),))


def damage_pot(mph: Number, attacker: Body, target: Body) -> Sum:
    """The POT of a successful Body Check; a shield in the way and armour take from it (CS-465)."""
    larger = Part("points of STR and STA larger", _advantage(attacker, target), "CS-465")
    return Sum((Part("mover's speed in mph", mph, "CS-465"), larger))


def _advantage(larger: Body, smaller: Body) -> int:
    # A halved STR leaves a half point, and only whole ones count.
    return max(0, int(larger.weight - smaller.weight))


@frozen
class Tackler:
    """One who tackles or is tackled: the value from `base_av`, and the speed in mph."""

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
    """Whether a tackle is possible: after a movement phase at full rate, or from above (CS-467, CS-702)."""
    return full_rate_before or from_height


def tackle(attackers: Sequence[Tackler], target: Tackler) -> Tackle:
    """The values of a tackle or overbearing by one or several (CS-468 to CS-470).

    Each attacker adds its excess of speed over the target. The target adds its excess over the fastest.
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


# Objects in play


@frozen
class Struggle:
    """The result of a segment of struggling; if all failed, the object flies off (CS-206, CS-207)."""

    holding: tuple[str, ...]
    flies_off: bool

    @property
    def winner(self) -> str | None:
        """The only one who still holds it, or None."""
        return self.holding[0] if len(self.holding) == 1 else None


def snatch_dv(mph: Number, size: Number) -> Sum:
    """The DV of the CRD check to grab an object on the run (CS-201)."""
    return Sum((Part("speed in mph", mph, "CS-201"), Part("Size of the object", size, "CS-201")))


def leap_dv(feet: Number) -> Sum:
    """The DV of the AGL check to leap for an object so many feet away (CS-202)."""
    return Sum((Part("feet to the object", feet, "CS-202"),))


def container_dv(others: int, mph: Number = 0, scale: Progressive = "triangular") -> Sum:
    """The DV of the CRD check to find the right object in a container; none at rest with no others (CS-209)."""
    items = Part(f"{others} other items", prog(others, scale), "CS-209")
    return Sum((items, Part("speed in mph", mph, "CS-209")) if mph else (items,))


def hand_over_dv(giver: Number, receiver: Number) -> Sum | None:
    """The DV of the receiver's CRD check; None if both stand still and need none (CS-211, CS-212)."""
    if not giver and not receiver:
        return None
    return Sum((Part("giver's speed in mph", giver, "CS-212"), Part("receiver's speed in mph", receiver, "CS-212")))


def throw_and_catch_dv(distance: Sum, weather: int = 0) -> Sum:
    """The DV of both the thrower's AGL check and the catcher's CRD check, with the weather (CS-213, CS-214, M-20)."""
    return Sum((*distance.parts, Part("wind and rain", weather, "CS-214"))) if weather else distance


def struggle(results: Mapping[str, bool]) -> Struggle:
    """Who still holds an object after a segment of struggling: those whose check succeeded (CS-206, CS-207)."""
    holding = tuple(combatant_id for combatant_id, holds in results.items() if holds)
    return Struggle(holding, flies_off=bool(results) and not holding)


def flies_to(d8: int) -> int:
    """The octant into which an object flies off, 0 (east) to 7 counter-clockwise, by a d8 (CS-207)."""
    if not 1 <= d8 <= 8:
        raise ValueError(f"not a d8 roll: {d8}; accepted: 1 to 8")
    return d8 - 1


def struggle_ends(segment: int, joined_late: bool) -> int:
    """The last segment of a running struggle, one later if a combatant joined in this one (CS-204)."""
    return segment + 1 if joined_late else segment


def strains(str_modifiers: Iterable[int], stp: int) -> bool:
    """Whether a struggle may break its object: the hands' STR reaches its structure (CS-208, M-14)."""
    return sum(str_modifiers) >= stp


@cache
def _falls() -> tuple[tuple[int, int], ...]:
    rows = numbers.table("falls").get("rows")
    if not isinstance(rows, list):
        raise ValueError("tables/falls.toml: rows must be a list")
    return tuple((int(feet), int(pulses)) for feet, pulses in rows)


def pulses_to_catch(feet: Number) -> int:
    """The Pulses until an object lands; 0 below 16 ft (CS-219)."""
    return max((pulses for least, pulses in _falls() if feet >= least), default=0)


def pulses_to_run(feet: Number) -> int:
    """The Pulses of movement towards a falling object; 0 below 64 ft (CS-219, L395).

    From 16 ft on there is time for a leap only (CS-216).
    """
    pulses = pulses_to_catch(feet)
    return pulses if pulses > 1 else 0


def may_reach(fall: Number, *, to_start: Number, to_landing: Number, leap: Number, adjacent: bool) -> bool:
    """Whether a combatant can reach a falling object, by the feet to both ends of its fall (CS-216, CS-217)."""
    if fall < SHORTEST_FALL:
        return adjacent
    return adjacent or min(to_start, to_landing) <= leap


def impact(feet: Number, pounds: Number) -> Sum:
    """The exact POT of a falling object: 2 for each 3 ft and a tenth of its weight (CS-221)."""
    return Sum(
        (
            Part("2 for each 3 ft fallen", simplify(Fraction(2 * feet) / 3), "CS-221"),
            Part("weight ÷ 10", simplify(Fraction(pounds) / 10), "CS-221"),
        )
    )


def absorption(msta: int, str_modifier: int, crd_modifier: int, armour: int = 0) -> Sum:
    """The POT that the catcher of a falling object takes without harm (CS-222)."""
    parts = [
        Part("modified STA", msta, "CS-222"),
        Part("STR modifier", str_modifier, "CS-222"),
        Part("CRD modifier", crd_modifier, "CS-222"),
    ]
    if armour:
        parts.append(Part("armour DR", armour, "CS-222"))
    return Sum(tuple(parts))


def wounding(pot: Number, absorbed_pot: Number) -> Number:
    """The POT of an impact that wounds, 0 or more (CS-223)."""
    return max(0, pot - absorbed_pot)


def catch_dv(feet: Number, pounds: Number) -> Sum:
    """The DV of the CRD check to catch an object that falls 16 ft or more: its impact's POT (CS-224, A-28)."""
    return Sum(tuple(Part(part.label, part.value, "CS-224") for part in impact(feet, pounds).parts))


def catch_dv_by_size(feet: Number, size: Number, scale: Progressive = "triangular") -> Sum:
    """That DV by Size and a Progressive value for the feet, for falls under 16 ft (CS-218, A-28)."""
    fallen = Part(f"{ceil(feet)} ft fallen, Progressive", prog(ceil(feet), scale), "CS-218")
    return Sum((Part("Size or weight", size, "CS-218"), fallen))


def keep_whole_av(crd_av: int, stp: int) -> Sum:
    """The value of the CRD check to keep a caught fragile object whole (CS-226)."""
    return Sum((Part("CRD", crd_av, "CS-226"), Part("structure of the object", stp, "CS-226")))


Flame: TypeAlias = Literal["near", "contact"]
"""How close cloth is to an open flame."""


def catches_fire_in(flame: Flame) -> int:
    """The segments until cloth catches fire: one close to a flame, 0 in it (CS-700)."""
    return 1 if flame == "near" else 0
