"""Attacks: types, number, reach, repeated uses; struggles of bodies and for objects; weapons in the tables."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import count, takewhile
from math import ceil, floor
from typing import Literal, TypeAlias, cast, get_args

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import formulas
from fightcall_engine.systems.segments.rules.formulas import (
    Number,
    Part,
    Progressive,
    Sum,
    halve,
    ordinal,
    prog,
    rhu,
    simplify,
)
from fightcall_engine.systems.segments.rules.ranges import Field, Hand, attack_hands

Role: TypeAlias = Literal["attack", "defence"]
Attack: TypeAlias = Literal["melee", "hurled", "missile", "opportunity", "reprisal", "body_check", "tackle"]
Roll: TypeAlias = Literal["attacker", "contested"]
Phase: TypeAlias = Literal["declare", "movement", "resolve"]
COMMON_STRIKE = "common_strike"
AIMED_STRIKE = "aimed_strike"
Effect: TypeAlias = Literal["shaken", "broken", "unmoved", "doubt", "continues"]
"""The effects of a Presence attack (CS-516 to CS-520). The unmoved may disengage as after a miss (A-60)."""

Footing: TypeAlias = Literal["both", "attacker", "target"]
"""Who checks to keep their feet after a success (CS-464)."""

# Readings of the text, as the settings with these names say

WeaponReuse: TypeAlias = Literal["per_role", "pooled"]
ReuseWindow: TypeAlias = Literal["action", "cs"]
MeleeRoll: TypeAlias = Literal["attacker", "contested"]
HurledRoll: TypeAlias = Literal["simple", "contested"]
ReprisalChain: TypeAlias = Literal["off", "on"]
FallenFloor: TypeAlias = Literal["none", "zero"]
WeightClassColumns: TypeAlias = Literal["lt_first", "lt_second"]

MOST_HANDS = 8
"""The most who can struggle for one object; the GM may allow fewer for a small one (CS-205)."""

SHORTEST_FALL = 16
"""Feet below which only those adjacent can reach a falling object (CS-216, CS-217)."""


def next_use(role: Role, attacks: int, defences: int, reading: WeaponReuse = "per_role") -> int:
    """The number of a weapon skill's next use, from 1, given the earlier ones in the window (CS-238, CS-239, A-02)."""
    if reading == "pooled":
        return attacks + defences + 1
    return (attacks if role == "attack" else defences) + 1


def value_of_use(av: Number, use: int, *, fresh: bool = False) -> Sum:
    """The exact value of a weapon skill's k-th use, as AV or DV; penalties have come off it (CS-238, CS-167, A-56)."""
    return _halved_sum(Part("skill", av, "CS-238"), use - 1, f"{ordinal(use)} use", "CS-238", fresh=fresh)


def value_of_dodge(av: Number, number: int, *, trade_sl: int = 0, fresh: bool = False) -> Sum:
    """The exact value of the k-th Dodge of an Action; penalties have come off it (CS-419, A-56).

    A trained dodger has one at full value for each 10 levels, at least the first (CS-420, A-38).
    """
    times = max(0, number - max(1, trade_sl // 10))
    rule = "CS-420" if trade_sl >= 10 else "CS-419"
    return _halved_sum(Part("Dodge", av, "CS-419"), times, f"{ordinal(number)} Dodge", rule, fresh=fresh)


def dodges_left(av: Number, dodges_so_far: int, *, trade_sl: int = 0) -> tuple[int, ...]:
    """The rounded value of each further Dodge of this Action, until one comes to 0 (CS-419, CS-169)."""
    values = (value_of_dodge(av, number, trade_sl=trade_sl) for number in count(dodges_so_far + 1))
    return tuple(takewhile(lambda worth: worth > 0, (rhu(value.total) for value in values)))


def uses_left(av: Number, use: int) -> tuple[int, ...]:
    """The rounded value of each use of a weapon from the k-th, until one comes to 0 (CS-238, CS-169)."""
    values = (value_of_use(av, number) for number in count(use))
    return tuple(takewhile(lambda worth: worth > 0, (rhu(value.total) for value in values)))


def counters_restart(window: ReuseWindow, pass_number: int, actions_owed: int) -> bool:
    """Whether a combatant's counts restart as a pass begins: with each own Action, or the segment (CS-238, A-03)."""
    return pass_number == 1 or (window == "action" and actions_owed >= pass_number)


def _halved_sum(whole: Part, times: int, label: str, rule: str, *, fresh: bool) -> Sum:
    if not times:
        return Sum((whole,))
    if fresh:
        return Sum((whole, Part(f"{label}, at full value: a full defence", 0, "CS-167")))
    term = f"{label}: halved" if times == 1 else f"{label}: halved {times} times"
    return Sum((whole, Part(term, halve(whole.value, times) - whole.value, rule)))


# Attacks


@frozen
class Trade:
    """What a Reprisal may be traded for, and the feet; no Opportunity Action of that foe follows (CS-484, CS-485)."""

    kind: Literal["move", "step"]
    feet: Number


def roll_kind(attack: Attack, melee: MeleeRoll = "attacker", hurled_roll: HurledRoll = "simple") -> Roll:
    """Who rolls for an attack (CS-261, CS-262, CS-443, CS-455, CS-468, CS-480, CS-500, A-04, A-05)."""
    if attack in ("body_check", "tackle"):
        return "contested"
    if attack == "melee":
        return melee
    return "contested" if attack == "hurled" and hurled_roll == "contested" else "attacker"


def offers_reprisal(missed_attack: Attack, chain: ReprisalChain = "off") -> bool:
    """Whether an attack that missed gives its target a Reprisal; missiles never do (CS-449, CS-478, CS-481, A-32)."""
    if missed_attack in ("opportunity", "reprisal"):
        return chain == "on"
    return missed_attack not in ("hurled", "missile")


def may_reprise_with(attack_type: str, owned_types: frozenset[str] = frozenset()) -> bool:
    """Whether a Reprisal may be of this type: a Common Strike or a learned one, never an Aimed Strike (CS-483)."""
    return attack_type != AIMED_STRIKE and (attack_type == COMMON_STRIKE or attack_type in owned_types)


def trade(feet_left: Number, height: Number) -> Trade:
    """What a Reprisal may be traded for, by movement left and the width of a Zone, both in feet (CS-484, CS-485)."""
    return Trade("move", feet_left) if feet_left > 0 else Trade("step", height)


def reprisal_defence(av: Number, use: int) -> Sum:
    """The exact DV of the weapon that just missed: half its present value, which is no use (CS-486, CS-487, A-56)."""
    now = value_of_use(av, use)
    half = halve(now.total) - now.total
    return Sum((*now.parts, Part("it has just missed: halved", half, "CS-486")))


Pot: TypeAlias = Literal["weapon", "base", "brawl", "none"]
"""The POT of a hit: the weapon's, without the Damage Bonus, a tenth of the base, or none at all."""

Does: TypeAlias = Literal["", "drop", "pin", "seize", "ask", "grip"]
"""What a hit does to a weapon: nothing, or it is dropped, pinned, taken or pinned (CS-345), or as the GM says."""

SPECIAL = "special_attacks"
"""The setting that allows special attacks."""

USUAL: Mapping[str, str] = {"charge": "charge", "hurl": "hurl", "shoot": "fire"}
"""The default type of attack, by kind of Action; for others a Common Strike."""


@frozen
class AttackType:
    """A type of attack.

    `kinds` of Action can use it, among them ``opportunity`` and ``reprisal``, if all `options` are on. What the other
    fields mean is said in ``tables/attacks.toml`` (CS-315, CS-321, CS-345 to CS-348, CS-422, CS-447, CS-574, CS-590).
    """

    key: str
    label: str
    options: tuple[str, ...] = (SPECIAL,)
    kinds: tuple[str, ...] = ("strike", "combination", "opportunity", "reprisal")
    pot: Pot = "weapon"
    at_weapon: bool = False
    inside: bool = False
    whole_body: bool = False
    close: bool = False
    fells: bool = False
    sharp: bool = False
    does: Does = ""
    bare: bool = False
    hand: bool = False
    skills: tuple[str, ...] = ()
    rule: str = "CS-350"

    @property
    def special(self) -> bool:
        """Whether it must be learned (CS-362)."""
        return SPECIAL in self.options


@cache
def attack_types() -> Mapping[str, AttackType]:
    """The types of the text, by key (CS-350)."""
    return {str(row["key"]): type_from(row) for row in formulas.rows("attacks")}


def type_from(row: Mapping[str, object]) -> AttackType:
    """A type of attack from its row."""
    cells = {
        "options": row.get("option", []),
        "kinds": row["with"],
        "at_weapon": row.get("at") == "weapon",
        "whole_body": row.get("body", False),
    }
    return formulas.record_of(AttackType, {**row, **cells})


def key_of(name: str) -> str:
    """The key for a typed name: ``common_strike`` for ``Common Strike``."""
    return "_".join(name.replace("-", " ").split()).lower()


def attack_type(
    name: str, own: Collection[str] = (), listed_types: Mapping[str, AttackType] | None = None
) -> AttackType | None:
    """A type by its id or name; `own` names not on the list are special attacks of the GM's. None if unknown."""
    key = key_of(name)
    entry = (attack_types() if listed_types is None else listed_types).get(key)
    if entry is not None:
        return entry
    return AttackType(key, name) if key in {key_of(name) for name in own} else None


def missing_options(attack_type: AttackType, settings: Mapping[str, object]) -> tuple[str, ...]:
    """The settings that a type needs and that are off (CS-350)."""
    return tuple(option for option in attack_type.options if settings.get(option) is not True)


LONGEST_ONE_HANDED = Fraction(3, 4)
"""The share of the bearer's height at which an object needs two hands (CS-380, CS-381)."""


def attacks_left(held_hands: Collection[Hand], used_hands: Collection[Hand]) -> tuple[Hand, ...]:
    """The hands that can still attack in this Action: each item once, at most two attacks (CS-340, CS-341)."""
    hands: tuple[Hand, ...] = ("R", "L")
    return tuple(hand for hand in hands if hand in held_hands and hand not in used_hands)


def may_attack(field: Field, hand: Hand, *, turns: bool = False) -> bool:
    """Whether an item can attack a foe in a field; `turns` into view before or after it (CS-301, CS-302, CS-342)."""
    return turns or hand in attack_hands(field)


def improvised_hands(length: Number, height: Number) -> tuple[Literal[1, 2], ...]:
    """The numbers of hands in which an object can be wielded, by lengths in feet (CS-380, CS-381, A-47)."""
    limit = height * LONGEST_ONE_HANDED
    if length == limit:
        return (1, 2)
    return (1,) if length < limit else (2,)


def improvised_limit(strength: Number, hands: Literal[1, 2]) -> Fraction:
    """The most pounds without a penalty: STR / 4 in one hand, STR / 2 in two (CS-380, CS-381)."""
    return Fraction(strength) / (4 if hands == 1 else 2)


def improvised_av(
    av: int, pounds: Number, strength: Number, hands: Literal[1, 2], scale: Progressive = "triangular"
) -> Sum:
    """The AV with an improvised weapon; excess weight is rounded up to whole pounds (CS-382)."""
    excess = max(0, ceil(pounds - improvised_limit(strength, hands)))
    skill = Sum((Part("skill", av, "CS-383"),))
    return skill.add(f"{excess} lb too heavy, Progressive", -prog(excess, scale), "CS-382")


CombinationRule: TypeAlias = Literal["in_concert", "defence", "separate", "mixed"]
"""The uses of a Combination: in concert, defence, separate, or attack with defence (CS-366 to CS-369)."""

RULES: dict[CombinationRule, str] = {
    "in_concert": "CS-366",
    "defence": "CS-367",
    "separate": "CS-368",
    "mixed": "CS-369",
}


def combination_value(av: Number, other: Number, combination_sl: int, kind: CombinationRule) -> Sum:
    """The AV or DV of a Combination, or of one half: own value plus level, at most both values (CS-366 to CS-369)."""
    rule = RULES[kind]
    plain = Sum((Part("this weapon", av, rule), Part("Combination level", combination_sl, rule)))
    return plain.add("at most both weapons together", -max(0, combination_sl - other), rule)


def lead(item: Number, other: Number) -> tuple[Number, Number]:
    """The leading value, which is the higher one, and the other (CS-366, CS-367)."""
    return (item, other) if item >= other else (other, item)


@frozen
class EndSpent:
    """Points of Endurance that an exchange costs, hit or miss (CS-168, A-36)."""

    attacker: int
    defender: int


def combined_defence(weapon: Number, dodge: Number) -> Sum:
    """The DV of a Block or Parry and a Dodge together: their sum, unless the GM says otherwise (CS-417, A-59)."""
    return Sum((Part("Block or Parry", weapon, "CS-410"), Part("Dodge with it", dodge, "CS-417")))


def end_spent(defences: int) -> EndSpent:
    """The END of one exchange: 1 for the attack, 1 for each defence; a Parry and a Dodge are two (CS-168, A-36)."""
    return EndSpent(attacker=1, defender=defences)


Reach: TypeAlias = Literal["weapon", "step", "gm", "out"]
"""How a combatant reaches a passing foe; `gm` if it depends on the length of an arm (CS-442)."""


def reach(feet: Number, size: Number, height: Number) -> Reach:
    """How a combatant reaches a passing foe; lengths in feet, Size 0 with bare hands (CS-442).

    `weapon` within its Size; `step` within a Step of half the height; `gm` where a Step and then the weapon or the arm
    may do, as the text gives no length of an arm; it is at most half the height; otherwise `out`.
    """
    if feet <= size:
        return "weapon"
    if feet <= Fraction(height) / 2:
        return "step"
    return "gm" if feet <= farthest_reach(size, height) else "out"


def farthest_reach(size: Number, height: Number) -> Number:
    """The feet of a Step and then the weapon, or the longest possible arm (CS-442)."""
    step = Fraction(height) / 2
    return step + max(size, step)


def may_interrupt(own: int, cursor: int, phase: Phase) -> bool:
    """Whether a combatant can make an Opportunity Action when play has reached Initiative `cursor` (CS-433, A-49)."""
    return phase != "resolve" and cursor <= own


def may_spring(in_place_since: int, foe: int) -> bool:
    """Whether a combatant in place since this Initiative, unseen, can surprise a foe (CS-436)."""
    return in_place_since > foe


def converges(feet: Number, segment_feet: Number) -> bool:
    """Whether a mover reaches the point of contact at once (CS-438)."""
    return feet <= segment_feet


# Presence attacks that go with a blow, to demoralise (CS-510 to CS-520)


def works(hit: bool, through: Number, noteworthy: bool = True) -> bool:
    """Whether the blow allows the Presence attack: at least 1 must get through, and the GM approve (CS-511, CS-512)."""
    return hit and through >= 1 and noteworthy


def presence_av(av: Number, through: int, *, reprisal: bool = False, scale: Progressive = "triangular") -> Sum:
    """The AV of the Presence attack; for a Reprisal what got through counts Progressively (CS-513, CS-514)."""
    if reprisal:
        bonus = Part(f"{through} POT through in a Reprisal, Progressive", prog(through, scale), "CS-514")
    else:
        bonus = Part("POT through", through, "CS-513")
    return Sum((Part("Presence", av, "CS-513"), bonus))


def resistance_dv(dv: Number, presence_sl: int, standing: int, fallen: int, floor: FallenFloor = "none") -> Sum:
    """The DV of the target, with the numbers of its friends standing and fallen (CS-515, A-35)."""
    morale = standing - fallen
    comrades = Part(f"{standing} comrades standing, {fallen} fallen", morale, "CS-515")
    total = Sum((Part("DV", dv, "CS-515"), Part("best Presence level", presence_sl, "CS-515"), comrades))
    return total.add("minimum 0", max(0, -morale), "CS-515") if floor == "zero" else total


def effect(has_succeeded: bool, av: Number, dv: Number) -> Effect:
    """The effect of a Presence attack (CS-516 to CS-520, A-35)."""
    if av == dv:
        return "continues"
    if has_succeeded:
        return "broken" if av > dv else "shaken"
    return "doubt" if av > dv else "unmoved"


def breakdown_dv(through: Number) -> Sum:
    """The DV of the HRT check of a broken target who fears for its life (CS-517)."""
    return Sum((Part("POT that got through", through, "CS-517"),))


def doubt_loss(intimidate_sl: int, hrt: int) -> int:
    """What a doubting target's DVs lose against the attacker in the next segment, 0 or more (CS-519)."""
    return max(0, intimidate_sl - hrt)


# Body against body, and objects snatched, handed over, thrown, caught (CS-200 to CS-227, CS-455 to CS-470, CS-700)


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
    agl, sta = Part("AGL modifier", body.agl, rule), Part("modified STA", body.msta, rule)
    return Sum((agl, sta, Part("STR modifier", body.str_modifier, rule)))


def attack_av(
    body: Body, mph: Number, *, shield_size: Number = 0, layers: int = 0, scale: Progressive = "triangular"
) -> Sum:
    """The AV of a Body Check, with the attacker's shield and layers of armour (CS-455)."""
    with_shield = base_av(body, "CS-455").add("Size of the shield", shield_size, "CS-455")
    armoured = with_shield.add(f"{layers} layers of armour, Progressive", prog(layers, scale), "CS-455")
    return Sum((*armoured.parts, Part("speed in mph", mph, "CS-455")))


def evade_av(dodge: Number, own_msta: int, attacker_msta: int) -> Sum:
    """The value with which a target evades it: its Dodge, with a bonus for being smaller (CS-456)."""
    smaller = Part("points of STA smaller than the attacker", max(0, attacker_msta - own_msta), "CS-456")
    return Sum((Part("Dodge", dodge, "CS-456"), smaller))


def thrown_feet(mph: Number, mover_msta: int, thrown_msta: int, other_mph: Number = 0) -> Sum:
    """How far the loser is thrown; the target's speed only counts for the distance (CS-457 to CS-459)."""
    speeds = Sum((Part("attacker's speed in mph", mph, "CS-457"),)).add("target's speed in mph", other_mph, "CS-458")
    larger = Part("points of STA larger than the one thrown", max(0, mover_msta - thrown_msta), "CS-457")
    return Sum((*speeds.parts, larger))


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
    return Sum((Part("AGL", agl_av, "CS-463"),)).add("Acrobat", acrobat, "CS-463").add("Dancer", dancer, "CS-463")


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
    return Sum((items,)).add("speed in mph", mph, "CS-209")


def hand_over_dv(giver: Number, receiver: Number) -> Sum | None:
    """The DV of the receiver's CRD check; None if both stand still and need none (CS-211, CS-212)."""
    if not giver and not receiver:
        return None
    return Sum((Part("giver's speed in mph", giver, "CS-212"), Part("receiver's speed in mph", receiver, "CS-212")))


def throw_and_catch_dv(distance: Sum, weather: int = 0) -> Sum:
    """The DV of both the thrower's AGL check and the catcher's CRD check, with the weather (CS-213, CS-214, M-20)."""
    return distance.add("wind and rain", weather, "CS-214")


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


def pulses_to_catch(feet: Number) -> int:
    """The Pulses until an object lands; 0 below 16 ft (CS-219)."""
    rows = cast("list[tuple[int, int]]", formulas.table("falls")["rows"])
    return max((pulses for least, pulses in rows if feet >= least), default=0)


def may_reach(fall: Number, *, to_start: Number, to_landing: Number, leap: Number, adjacent: bool) -> bool:
    """Whether a combatant can reach a falling object, by the feet to both ends of its fall (CS-216, CS-217)."""
    return adjacent or (fall >= SHORTEST_FALL and min(to_start, to_landing) <= leap)


def impact(feet: Number, pounds: Number) -> Sum:
    """The exact POT of a falling object: 2 for each 3 ft and a tenth of its weight (CS-221)."""
    fallen = Part("2 for each 3 ft fallen", simplify(Fraction(2 * feet) / 3), "CS-221")
    return Sum((fallen, Part("weight ÷ 10", simplify(Fraction(pounds) / 10), "CS-221")))


def absorption(msta: int, str_modifier: int, crd_modifier: int, armour: int = 0) -> Sum:
    """The POT that the catcher of a falling object takes without harm (CS-222)."""
    sta, strength = Part("modified STA", msta, "CS-222"), Part("STR modifier", str_modifier, "CS-222")
    return Sum((sta, strength, Part("CRD modifier", crd_modifier, "CS-222"))).add("armour DR", armour, "CS-222")


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


def catches_fire_in(flame: Literal["near", "contact"]) -> int:
    """The segments until cloth catches fire: one close to a flame, 0 in it (CS-700)."""
    return 1 if flame == "near" else 0


WeightClass: TypeAlias = Literal[
    "below_light", "light", "medium_light", "medium", "medium_heavy", "heavy", "beyond_heavy"
]
"""Weight classes of weapons, from the lightest. Each reading of the columns leaves out one at the ends."""

_CLASSES: tuple[WeightClass, ...] = get_args(WeightClass)


@frozen
class Looked:
    """A number from a table; not `printed` if it is continued by its formula."""

    value: Number
    printed: bool = True


def _place_of(size: Number, weight: WeightClass, reading: WeightClassColumns) -> int:
    if size < 0:
        raise ValueError(f"a weapon can't have Size {size}; use 0 or more")
    return column(weight, reading)


def column(weight: WeightClass, reading: WeightClassColumns = "lt_first") -> int:
    """The number of a weight class's column, from 0; ValueError if this reading has none for it (A-11)."""
    classes = _CLASSES[1:] if reading == "lt_first" else _CLASSES[:-1]
    if weight not in classes:
        raise ValueError(f"{weight} has no column with the reading {reading}; accepted: {', '.join(classes)}")
    return classes.index(weight)


def damage_bonus(size: Number, weight: WeightClass, reading: WeightClassColumns = "lt_first") -> Looked:
    """The Damage Bonus of a weapon; for a Size above 20 ft the table is continued by its formula (CS-535, A-11)."""
    place = _place_of(size, weight, reading)
    for most, bonus in _rows("damage_bonus", "bonus"):
        if size <= most:
            return Looked(int(bonus[place]))
    return Looked(bonus_by_formula(size, place), printed=False)


def damage_multiplier(size: Number, weight: WeightClass, reading: WeightClassColumns = "lt_first") -> Looked:
    """The Damage Multiplier of a weapon; above Size 13 ft the table is continued by its formula (CS-552, A-11)."""
    place = _place_of(size, weight, reading)
    if floor(size) > cast(int, formulas.table("damage_multiplier")["last"]):
        return Looked(multiplier_by_formula(size, place), printed=False)
    return Looked(
        next(row[place] for least, row in reversed(_rows("damage_multiplier", "multiplier")) if size >= least)
    )


def bonus_by_formula(size: Number, place: int) -> int:
    """The Damage Bonus by the formula of the printed cells: Size ÷ 2, rounded up, plus the column from 0."""
    return ceil(Fraction(size) / 2) + place


def multiplier_by_formula(size: Number, place: int) -> Fraction:
    """The Damage Multiplier by the formula of the printed cells: (Size ÷ 2, rounded down, + column + 1) / 4."""
    return Fraction(floor(Fraction(size) / 2) + place + 1, 4)


def _rows(name: str, key: str) -> list[tuple[int, list[Number]]]:
    return [(cast(int, row["size"]), cast("list[Number]", row[key])) for row in formulas.rows(name, "rows")]


@frozen
class ArrowHead:
    """A kind of arrow head: what it adds to the POT, and whether it pierces in short range (CS-542, CS-576, CS-577)."""

    key: str
    label: str
    db: int = 0
    pierces: bool = False
    sample: bool = False
    rule: str = "CS-542"

    @property
    def called(self) -> str:
        """Its key in words, with a remark if it is a sample."""
        name = self.key.replace("_", " ")
        return f"{name} (a sample)" if self.sample else name


@cache
def arrow_heads() -> Mapping[str, ArrowHead]:
    """The engine's arrow heads, by key."""
    return formulas.records(ArrowHead, "arrow_heads")
