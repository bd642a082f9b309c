"""Numbers and time: rounding, sums, tables, percentages, rates, Initiative, tasks, Surprise, Heroic Effects."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cache, lru_cache
from itertools import groupby
from math import ceil, floor
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar, cast, get_args

from fightcall_engine.model.values import field_types, frozen

R = TypeVar("R")

Number: TypeAlias = Fraction | int
"""An exact number; never a float, as a half must stay exact until it is rounded."""

FOLDER = Path(__file__).parent.parent / "tables"
Progressive: TypeAlias = Literal["triangular", "linear"] | tuple[int, ...]
"""The Progressive scale: by a formula, or the values for 1, 2, 3... one by one (M-03)."""

Winner: TypeAlias = Literal["attacker", "defender", "nobody", "reroll"]
Colour: TypeAlias = Literal["white", "black"]
Feat: TypeAlias = Literal["heroic", "bumble"]


# Readings of the text, as the settings with these names say

ContestedTie: TypeAlias = Literal["defender", "attacker", "reroll"]
HeroicScope: TypeAlias = Literal["pivotal", "always"]
HeroicFor: TypeAlias = Literal["pc_only", "all"]
TokenMode: TypeAlias = Literal["effect", "token", "both"]
PartialMovesCost: TypeAlias = Literal["free", "table_fraction"]
MultiActionOrder: TypeAlias = Literal["tiered_passes", "plain_passes", "countdown"]


@lru_cache(4096)
def exact(value: float) -> Fraction:
    """A typed measure as a fraction, exact to a thousandth: 0.1 is a tenth, not the nearest binary number."""
    return Fraction(str(round(value, 3)))


def rhu(number: Number) -> int:
    """The nearest whole number; exact halves are rounded up (R-1)."""
    top, bottom = number.numerator, number.denominator
    return (2 * top + bottom) // (2 * bottom)


def simplify(number: Number) -> Number:
    """A whole number as an int, and any other unchanged."""
    return int(number) if number.denominator == 1 else number


def halve(number: Number, times: int = 1) -> Fraction:
    """A number halved `times` times, exact: rounding comes last and once (R-2)."""
    if times < 0:
        raise ValueError(f"can't halve {times} times; use 0 or more")
    return Fraction(number) / (1 << times)


def ordinal(number: int) -> str:
    """An ordinal such as 2nd or 11th."""
    last = 0 if number % 100 in (11, 12, 13) else number % 10
    return str(number) + {1: "st", 2: "nd", 3: "rd"}.get(last, "th")


@frozen
class Part:
    """One term of a sum."""

    label: str
    value: Fraction | int
    rule: str


@frozen
class Sum:
    """A number as the sum of its parts, in the order in which they are shown."""

    parts: tuple[Part, ...]

    @property
    def total(self) -> Fraction | int:
        """The exact total; it is rounded only where it is shown or rolled (R-2)."""
        return sum([part.value for part in self.parts])

    def add(self, label: str, value: Number, rule: str) -> "Sum":
        """The sum with one more part, unless that is 0."""
        return Sum((*self.parts, Part(label, value, rule))) if value else self


# Reading the tables of Combat Segments


@cache
def table(name: str) -> Mapping[str, object]:
    """A table file by its name without `.toml`; decimal numbers are fractions, so 0.4 is 2/5."""
    import tomllib

    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    return cast("Mapping[str, object]", tomllib.loads(text, parse_float=Fraction))


def rows(name: str, key: str = "row") -> tuple[Mapping[str, object], ...]:
    """The rows of a table, `[[row]]` in its file, in their order."""
    return tuple(cast("list[Mapping[str, object]]", table(name)[key]))


def record_of(kind: type[R], row: Mapping[str, object]) -> R:
    """The record with the cells of a row; other cells and empty ones are left out."""
    types = field_types(kind)
    cells: dict[str, Any] = {name: row[name] for name in types if row.get(name, "") != ""}
    for name, cell in cells.items():
        if isinstance(cell, list):
            cells[name] = tuple(cell)
        elif Fraction in (types[name], *get_args(types[name])):
            cells[name] = Fraction(cell)
    return kind(**cells)


def records(kind: type[R], name: str) -> Mapping[str, R]:
    """The rows of a table as records, by key, in their order."""
    return {str(row["key"]): record_of(kind, row) for row in rows(name)}


# Percentages, margins, the Progressive scale, and the tables of chances that a GM loads (R-3 to R-5, M-01 to M-03)


@frozen
class D100:
    """One d100, where 00 is 100, against a chance, which may be outside 1 to 100 (R-3)."""

    chance: int
    roll: int

    def __post_init__(self) -> None:
        if not 1 <= self.roll <= 100:
            raise ValueError(f"not a d100 roll: {self.roll}; accepted: 1 to 100, 00 for 100")

    @property
    def succeeded(self) -> bool:
        """Whether the roll is at most the chance."""
        return self.roll <= self.chance

    @property
    def margin(self) -> int:
        """The margin of success, 0 or more; 0 for a failure."""
        return max(0, self.chance - self.roll)

    @property
    def fail_margin(self) -> int:
        """The margin of failure, 1 or more; 0 for a success."""
        return max(0, self.roll - self.chance)


def prog(count: int, scale: Progressive = "triangular") -> int:
    """The Progressive value of a count: 1, 3, 6, 10... unless the GM uses another scale (R-4).

    0 and below have the value 0. `linear` is the count itself; a tuple holds the values for 1, 2, 3..., and a
    ValueError is raised where it ends.
    """
    if count <= 0:
        return 0
    if scale == "triangular":
        return count * (count + 1) // 2
    if scale == "linear":
        return count
    if count > len(scale):
        raise ValueError(f"the Progressive scale has {len(scale)} values; this needs value {count}")
    return scale[count - 1]


def read_scale(text: str) -> tuple[int, ...]:
    """The GM's own Progressive scale: whole numbers for 1, 2, 3..., separated by blanks or commas (M-03)."""
    try:
        return tuple(int(word) for word in text.replace(",", " ").split())
    except ValueError:
        raise ValueError(f"{text!r} is not a Progressive scale; use whole numbers such as 1 2 4 7") from None


def linear_chance(av: int, dv: int, *, base: int = 50, step: int = 1, lowest: int = 1, highest: int = 99) -> int:
    """A percentage in proportion to AV - DV; `base` if they are equal (reading `linear` of M-01)."""
    if lowest > highest:
        raise ValueError(f"the lowest chance, {lowest}, is above the highest, {highest}")
    return max(lowest, min(highest, base + step * (av - dv)))


def contest(attacker: D100, defender: D100, tie: ContestedTie = "defender") -> Winner:
    """Who wins a Contested Roll (M-02).

    The only one to succeed wins; of two, the one with the larger margin, or by `tie` if equal (A-17). If both fail
    nobody wins, unless the rule of the contest says otherwise.
    """
    if not attacker.succeeded and not defender.succeeded:
        return "nobody"
    if attacker.succeeded != defender.succeeded:
        return "attacker" if attacker.succeeded else "defender"
    if attacker.margin == defender.margin:
        return tie
    return "attacker" if attacker.margin > defender.margin else "defender"


_BY_BOTH = ("av", "dv", "chance")
_BY_DIFFERENCE = ("difference", "chance")


@frozen
class ChanceTable:
    """Percentages by AV and DV, or by their difference."""

    by_both: Mapping[tuple[int, int], int] = field(default_factory=dict)
    by_difference: Mapping[int, int] = field(default_factory=dict)

    def chance(self, av: int, dv: int) -> int | None:
        """The percentage; None if the table has none, so that the GM is asked."""
        number = self.by_both.get((av, dv))
        return self.by_difference.get(av - dv) if number is None else number


def read_chances(text: str) -> ChanceTable:
    """The table in a CSV text headed `AV,DV,chance` or `difference,chance`; ValueError with the faulty line."""
    try:
        rows = list(enumerate(csv.reader(text.splitlines()), 1))
    except csv.Error as error:
        raise ValueError(f"not CSV: {error}") from error
    lines = [(number, row) for number, row in rows if any(map(str.strip, row))]
    heading = tuple(cell.strip().lower() for cell in lines[0][1]) if lines else ()
    if heading not in (_BY_BOTH, _BY_DIFFERENCE):
        raise ValueError("line 1: use the heading AV,DV,chance or difference,chance")
    chances: dict[tuple[int, ...], int] = {}
    for number, row in lines[1:]:
        *key, chance = _numbers(number, row, heading)
        if tuple(key) in chances:
            raise ValueError(f"line {number}: {','.join(map(str, key))} already has a chance; use one line each")
        if not 0 <= chance <= 100:
            raise ValueError(f"line {number}: {chance} is not a percentage; use 0 to 100")
        chances[tuple(key)] = chance
    if heading == _BY_BOTH:
        return ChanceTable(by_both={(key[0], key[1]): chance for key, chance in chances.items()})
    return ChanceTable(by_difference={key[0]: chance for key, chance in chances.items()})


def _numbers(number: int, row: Iterable[str], heading: tuple[str, ...]) -> list[int]:
    cells = [cell.strip() for cell in row]
    try:
        numbers = [int(cell) for cell in cells]
    except ValueError:
        numbers = []
    if len(numbers) != len(heading):
        raise ValueError(f"line {number}: expected whole numbers for {', '.join(heading)}")
    return numbers


# Heroic Effects, Bumbles and tokens (CS-635 to CS-654), all of them options


@frozen
class Thresholds:
    """Up to which roll it is a Heroic Effect, and from which failed one a Bumble (CS-635, CS-637)."""

    heroic_most: int
    bumble_least: int


@frozen
class Token:
    """A marker to change one roll or result, and how often it has been handed on (CS-651)."""

    colour: Colour
    passes: int = 0


def thresholds(chance: int) -> Thresholds:
    """The thresholds for a chance in percent, limited to 0 to 100 (CS-635, CS-637, A-40)."""
    limited_chance = min(100, max(0, chance))
    bumble = 100 - rhu(Fraction(100 - limited_chance, 10))
    return Thresholds(rhu(Fraction(limited_chance, 10)), max(bumble, limited_chance + 1))


def feat(chance: int, roll: int) -> Feat | None:
    """Whether a d100 is a Heroic Effect or a Bumble, or None (CS-635, CS-637)."""
    marks = thresholds(chance)
    if roll <= marks.heroic_most:
        return "heroic"
    return "bumble" if roll >= marks.bumble_least else None


def may_be_heroic(
    pc_quality: bool, pivotal: bool, *, who: HeroicFor = "pc_only", scope: HeroicScope = "pivotal"
) -> bool:
    """Whether a roll can be a Heroic Effect (CS-636, CS-638)."""
    return (pc_quality or who == "all") and is_in_scope(pivotal, scope)


def is_in_scope(pivotal: bool, scope: HeroicScope = "pivotal") -> bool:
    """Whether Heroic Effects and Bumbles occur in a scene (CS-638)."""
    return pivotal or scope == "always"


def bonus_allowed(bonus: int, hrt: int) -> int:
    """The bonus of a heroic deed to a score or to POT, at most HRT (CS-646)."""
    return max(0, min(bonus, hrt))


def magick_raised(pot: int, mga: int) -> int:
    """The POT of a magick after a Heroic Effect: raised by MGA or doubled, whichever is less (CS-640)."""
    return pot + max(0, min(mga, pot))


def time_halved(qa: int) -> int:
    """How long a task takes after a Heroic Effect, in quarter-actions, 1 at least (CS-640)."""
    return max(1, rhu(Fraction(qa, 2)))


def loss_halved(percent: Number) -> Fraction:
    """The share of material lost after a Heroic Effect, in percent, exact (CS-640)."""
    return Fraction(percent) / 2


def rewards(what: Feat, mode: TokenMode = "effect") -> tuple[bool, Token | None]:
    """Whether a feat takes effect at once, and the token it gives (CS-651, CS-652)."""
    token = Token("white" if what == "heroic" else "black")
    return mode != "token", None if mode == "effect" else token


SECONDS_A_SEGMENT = 10
"""Seconds of one Combat Segment (CS-005)."""

PULSES_A_SEGMENT = 10
"""One-second Pulses of a segment (CS-008)."""

QA_AN_ACTION = 4
"""Quarter-actions of one Action, and so of one slot (R-6, CS-128)."""

STRING_BOW_QA = 2
Degree: TypeAlias = Literal["none", "ready", "checked", "overwhelmed"]
"""The degrees of Surprise (CS-056 to CS-059)."""

NEUTRAL_STA = 20
"""The modified STA that does not affect an ambush (CS-050)."""


def quarters(qa: int) -> str:
    """Quarter-actions in words: ``4 quarters``."""
    return f"{qa} quarter{'s' if qa != 1 else ''}"


@frozen
class Slot:
    """A place in time at which an Action may be resolved: a segment, counted as for the rate, and its pass, from 1."""

    segment: int
    pass_number: int


def game_time(segments: int) -> str:
    """The clock after so many whole segments as mm:ss; 6 segments are a minute (CS-005)."""
    minutes, seconds = divmod(segments * SECONDS_A_SEGMENT, 60)
    return f"{minutes:02}:{seconds:02}"


def segments_of(seconds: Number) -> int:
    """The segments of a time in seconds, rounded up; at least 1 (CS-142)."""
    return max(1, ceil(Fraction(seconds) / SECONDS_A_SEGMENT))


def slots(segment: int, rate: Fraction | int = 1) -> int:
    """The number of Actions owed in a segment, counted from the combatant's first, from 1 (CS-006, CS-007)."""
    if rate <= 0:
        raise ValueError(f"a Rate of Action must be above 0, not {rate}")
    if segment < 1:
        raise ValueError(f"unknown segment: {segment}; the first is 1")
    return owed_until(segment, rate) - owed_until(segment - 1, rate)


def owed_until(segment: int, rate: Fraction | int = 1) -> int:
    """The number of Actions owed up to the end of a segment (CS-007)."""
    return floor(segment * Fraction(rate))


def slots_needed(qa: Number) -> int:
    """The slots of an act of so many quarter-actions, rounded up (CS-149)."""
    return max(1, ceil(Fraction(qa) / QA_AN_ACTION))


def due_among(qa: Number, counts: Iterable[int], slots_spent: int = 0) -> Slot | None:
    """The slot that resolves an act, given the number of slots of each coming segment; None if not enough (CS-133).

    For segments whose number of Actions the GM has changed (CS-007), or whose rate changes on the way (CS-110).
    """
    slots_to_come = slots_needed(qa) + slots_spent
    for segment, count in enumerate(counts, 1):
        if slots_to_come <= count:
            return Slot(segment, slots_to_come)
        slots_to_come -= count
    return None


TieBreak: TypeAlias = Literal["AGL", "HRT", "GM"]


@frozen
class Entrant:
    """A combatant in the order of a segment; ties are broken by AGL, then HRT (CS-021, CS-024, CS-025, CS-007)."""

    who: str
    total: int
    agl: int = 13
    hrt: int = 13
    slots: int = 1


@frozen
class Tie:
    """Combatants of equal Initiative, in their order unless the GM decides it, and what broke the tie."""

    who: tuple[str, ...]
    by: TieBreak


@frozen
class Pass:
    """The combatants of a pass, in order. Under `countdown` its number is the tier, which counts down."""

    number: int
    who: tuple[str, ...]


def initiative(d10: int, awa: int, hrt: int, *, stun: int = 0) -> Sum:
    """The Initiative of one segment, by the d10 and the modifiers (CS-020, CS-021, CS-032)."""
    if not 1 <= d10 <= 10:
        raise ValueError(f"not a d10 roll: {d10}; accepted: 1 to 10")
    parts = (Part("d10", d10, "CS-020"), Part("AWA modifier", awa, "CS-021"), Part("HRT modifier", hrt, "CS-021"))
    return Sum(parts).add("stunned by pain", -stun, "CS-032")


def ties(entrants: Iterable[Entrant]) -> tuple[Tie, ...]:
    """The ties and what broke each, from the top: AGL, then HRT, then the GM (CS-024 to CS-026)."""
    ties: list[Tie] = []
    for level in _group_equals(entrants, lambda entrant: entrant.total):
        equal_agl = _group_equals(level, lambda entrant: entrant.agl)
        if len(equal_agl) > 1:
            ties.append(Tie(tuple(entrant.who for entrant in sorted(level, key=_before)), "AGL"))
        for alike in equal_agl:
            equal_hrt = _group_equals(alike, lambda entrant: entrant.hrt)
            if len(equal_hrt) > 1:
                ties.append(Tie(tuple(entrant.who for entrant in sorted(alike, key=_before)), "HRT"))
            ties.extend(Tie(tuple(entrant.who for entrant in same), "GM") for same in equal_hrt if len(same) > 1)
    return tuple(ties)


def roster(entrants: Iterable[Entrant], tie_order: Sequence[str] = ()) -> tuple[str, ...]:
    """All combatants, friends and foes, highest Initiative first, with the GM's order in ties (CS-022 to CS-027)."""
    places = {combatant_id: place for place, combatant_id in enumerate(tie_order)}
    in_order = sorted(entrants, key=lambda entrant: (*_before(entrant), places.get(entrant.who, len(places))))
    return tuple(entrant.who for entrant in in_order)


def passes(
    entrants: Iterable[Entrant], reading: MultiActionOrder = "tiered_passes", tie_order: Sequence[str] = ()
) -> tuple[Pass, ...]:
    """The passes of a segment with their combatants, in order (CS-028, CS-029, CS-095, CS-096).

    `tiered_passes` lets those with more Actions go first in each pass; `plain_passes` only uses Initiative; `countdown`
    runs the tiers from the most Actions down to 1 (A-01).
    """
    everyone = tuple(entrants)
    by_who = {entrant.who: entrant for entrant in everyone}
    in_order = [by_who[combatant_id] for combatant_id in roster(everyone, tie_order)]
    if reading == "tiered_passes":
        in_order.sort(key=lambda entrant: -entrant.slots)
    numbers = range(1, max((entrant.slots for entrant in everyone), default=0) + 1)
    return tuple(
        Pass(number, tuple(entrant.who for entrant in in_order if entrant.slots >= number))
        for number in (reversed(numbers) if reading == "countdown" else numbers)
    )


def _before(entrant: Entrant) -> tuple[int, int, int]:
    return (-entrant.total, -entrant.agl, -entrant.hrt)


def _group_equals(entrants: Iterable[Entrant], by: Callable[[Entrant], int]) -> list[list[Entrant]]:
    """Group equal entrants, highest first; within a group the order is kept."""
    return [list(same) for _, same in groupby(sorted(entrants, key=by, reverse=True), by)]


# Times of tasks, table 4-1, and pairs of acts that are one Action (CS-125 to CS-149, CS-390 to CS-392)


@frozen
class Component:
    """A line of table 4-1 (CS-130).

    `qa` is None if computed; `per` is the unit of that time, such as `limb`. `helper`: another person must do it.
    `in_passing`: it costs no distance while moving (CS-104, CS-105).
    """

    key: str
    label: str
    qa: int | None = None
    per: str = ""
    helper: bool = False
    in_passing: bool = False
    rule: str = "CS-130"


@frozen
class Effort:
    """One try at something: the DV of its check, 0 for none, and its length in quarter-actions."""

    dv: int
    qa: int


@frozen
class Small:
    """A smaller act combined with movement; it may be free: a turn, a rise, a drop, a draw, a grab (CS-104, CS-105)."""

    qa: int
    in_passing: bool = False


@frozen
class Tier:
    """Who tied a knot: STR score, and trade level as Huntsman, Woodsman, Guide or Mariner (else 0)."""

    strength: int
    trade_sl: int = 0

    def __str__(self) -> str:
        return f"{self.strength}/{self.trade_sl}" if self.trade_sl else str(self.strength)


@cache
def components() -> Mapping[str, Component]:
    """Table 4-1 by key, in the order printed (CS-130)."""
    return records(Component, "tasks")


def whole_task(steps: Sequence[tuple[str, int]]) -> Sum:
    """The quarter-actions of a task by its steps (CS-125, CS-130)."""
    own_words = {name: Component(name, name, None, rule="CS-131") for name, _ in steps}
    parts_by_name = {**own_words, **components()}
    return Sum(tuple(Part(parts_by_name[name].label, qa, parts_by_name[name].rule) for name, qa in steps))


def doff(don_qa: int) -> int:
    """The quarter-actions of taking off: half of those of putting on, at least 1 (CS-134)."""
    return max(1, rhu(halve(don_qa)))


def taking_time(dv: Number, qa: int) -> Effort:
    """A task with double its time and half its DV (CS-129)."""
    return Effort(dv=rhu(halve(dv)), qa=2 * qa)


def halved_by_time(dv: Sum) -> Sum:
    """A DV with the part that double time subtracts (CS-129)."""
    return Sum((*dv.parts, Part("double time: halved", halve(dv.total) - dv.total, "CS-129")))


def rummage(others: int) -> int:
    """The quarter-actions of finding an object in a container: an Action for each other one, and one (CS-138, A-27)."""
    return QA_AN_ACTION * (others + 1)


def stringing(rating: int, strength: int, scale: Progressive = "triangular") -> Effort:
    """The work of stringing a bow; no check for STR at or above its rating (CS-139)."""
    if rating <= strength:
        return Effort(dv=0, qa=STRING_BOW_QA)
    return Effort(dv=prog(rating - strength, scale), qa=QA_AN_ACTION)


def untying(tier: Tier, *, strength: Number, crd: int) -> Sum:
    """The exact segments of untying a knot, perhaps 0 or below (CS-140)."""
    by_trade = tier.trade_sl > tier.strength
    tie_strength = Fraction(max(tier.strength, tier.trade_sl), 10)
    tied = Part(f"tied by {'trade level' if by_trade else 'STR'} ÷ 10", tie_strength, "CS-140")
    stronger = Part("untier's STR above the tier's", -max(0, strength - tier.strength), "CS-140")
    return Sum((tied, Part("untier's CRD modifier", -crd, "CS-140"), stronger))


def untying_segments(exact: Sum) -> int:
    """The same as whole segments, at least 1 (A-26)."""
    return max(1, rhu(exact.total))


def distance_share(acts: Iterable[Small], partial: PartialMovesCost = "free") -> Fraction:
    """The share of the segment's distance left beside small acts, 0 to 1 (CS-144, CS-393, A-22, A-23)."""
    return max(Fraction(0), 1 - Fraction(distance_qa(acts, partial), QA_AN_ACTION))


def distance_qa(acts: Iterable[Small], partial: PartialMovesCost = "free") -> int:
    """The quarters of the segment's distance that small acts cost; for arguments see `distance_share`."""
    return sum(act.qa for act in acts if partial == "table_fraction" or not act.in_passing)


def distance_beside(feet: Number, acts: Iterable[Small], partial: PartialMovesCost = "free") -> int:
    """The feet left in a segment beside small acts (CS-144)."""
    return rhu(feet * distance_share(acts, partial))


@frozen
class ActionPair:
    """A listed pair, as printed; `half_rise`: only prone to kneeling, or kneeling to standing (CS-391)."""

    first: str
    second: str
    reversible: bool = False
    half_rise: bool = False

    @property
    def orders(self) -> tuple[tuple[str, str], ...]:
        """The orders in which it can be done."""
        return ((self.first, self.second), *(((self.second, self.first),) if self.reversible else ()))


@cache
def listed_pairs() -> tuple[ActionPair, ...]:
    """All listed pairs, in alphabetical order (section 6.7)."""
    return tuple(record_of(ActionPair, row) for row in rows("action_pairs"))


@cache
def find_pair(first: str, second: str) -> ActionPair | None:
    """The listed pair of two acts in this order, in any case; None if the GM decides (CS-390, CS-392)."""
    acts = (first.casefold(), second.casefold())
    return next((each for each in listed_pairs() if acts in each.orders), None)


# Surprise


@frozen
class Surprise:
    """The effect of a Surprise on one victim, in segments after the launch (CS-058, CS-060, CS-061, CS-062)."""

    degree: Degree
    segments: int = 0
    penalty: int = 0


UNSURPRISED = Surprise("none")


def surprise_dv(base: int, chm: Sequence[int], hrt: Sequence[int], mstas: Sequence[int]) -> Sum:
    """The difficulty of the victims' check against one or more plotters, by the best modifiers (CS-050, M-21)."""
    if not (chm and hrt and mstas):
        raise ValueError("a Surprise needs at least one plotter with CHM, HRT and modified STA")
    parts = (
        Part("awareness check before", base, "CS-050"),
        Part("best CHM modifier among the plotters", max(chm), "CS-050"),
        Part("best HRT modifier among the plotters", max(hrt), "CS-050"),
        Part("plotters", len(mstas), "CS-050"),
        Part(f"largest above STA {NEUTRAL_STA}", max(0, max(mstas) - NEUTRAL_STA), "CS-050"),
        Part(f"smallest below STA {NEUTRAL_STA}", -max(0, NEUTRAL_STA - min(mstas)), "CS-050"),
    )
    return Sum(parts)


def surprise_av(av: int, *, spirit_sl: int = 0, wary_trade_sl: int = 0) -> Sum:
    """The value with which a victim checks against Surprise; a trade counts for the wary (CS-049, CS-054)."""
    plain = Sum((Part("Perception or AWA", av, "CS-041"),)).add("best Spirit skill", spirit_sl, "CS-049")
    return plain.add("stated suspicion: trade level", wary_trade_sl, "CS-054")


def ambush_surprise(aggressor: D100, victim: D100, tie: ContestedTie = "defender") -> Surprise | None:
    """The effect of an ambush on one victim; None if both rolls are to be made again (CS-055 to CS-060, A-17)."""
    if not aggressor.succeeded:
        return UNSURPRISED
    if not victim.succeeded:
        return overwhelming_surprise(aggressor.margin + victim.fail_margin)
    winner = contest(aggressor, victim, tie)
    if winner == "reroll":
        return None
    return Surprise("ready") if winner == "defender" else Surprise("checked", segments=1)


def blunder_surprise(victim: D100) -> Surprise:
    """The effect of a simple roll against Surprise, by the victim's margin (CS-045, CS-048, CS-059, A-18, A-21)."""
    return UNSURPRISED if victim.succeeded else overwhelming_surprise(victim.fail_margin)


def duration(total: int) -> int:
    """The segments of being overwhelmed after the launch: a tenth of the total, at least 1 (CS-060)."""
    return max(1, rhu(halve(total) / 5))


def under_penalties(plain: Sum, *penalties: Part) -> Sum:
    """A value less flat penalties, at least 0; halving comes later (CS-061, CS-062, CS-613, A-56)."""
    total = plain
    for penalty in penalties:
        if penalty.value:
            total = total.add(penalty.label, -min(penalty.value, max(0, total.total)), penalty.rule)
    return total


def recovery_dv(failed_dv: int) -> int:
    """The DV of the HRT check at the end of the first stage: half the failed DV (CS-066)."""
    return rhu(halve(failed_dv))


def waning_segments(failed_dv: int) -> int:
    """The segments of the second stage: a tenth of the DV failed at first (CS-068, A-20)."""
    return rhu(halve(failed_dv) / 5)


def overwhelming_surprise(total: int) -> Surprise:
    """Being overwhelmed by a total of margins; at 0, as by a mechanism without a roll, one segment (CS-043, A-18)."""
    return Surprise("overwhelmed", duration(total), total)


@frozen
class Cycle:
    """The steps between two shots of a crossbow, in order, in quarter-actions (CS-396 to CS-401).

    `attach` is hooking up a tool within reach, `cock` one try, `disengage` taking a windlass off. `check` is the DV of
    the STR check to cock it; 0 for none.
    """

    key: str
    label: str
    attach: int
    cock: int
    disengage: int
    drop_tool: int
    take_bolt: int
    place_and_ready: int
    check: int


@cache
def cycles() -> Mapping[str, Cycle]:
    """Every cycle by its key (section 6.13)."""
    loading = cast("Mapping[str, object]", table("crossbows")["loading"])
    return {str(row["key"]): record_of(Cycle, {**loading, **row}) for row in rows("crossbows")}
