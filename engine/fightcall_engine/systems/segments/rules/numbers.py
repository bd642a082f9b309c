"""Rounding, labelled sums, tables, percentages, Heroic Effects (R-1 to R-5, CS-635 to CS-654)."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, TypeAlias, cast

from fightcall_engine.model.values import frozen

Number: TypeAlias = Fraction | int
"""An exact number; never a float, as a half must stay exact until it is rounded."""

FOLDER = Path(__file__).parent.parent / "tables"
Progressive: TypeAlias = Literal["triangular", "linear"] | tuple[int, ...]
"""The Progressive scale: by a formula, or the values for 1, 2, 3... one by one (M-03)."""

ContestedTie: TypeAlias = Literal["defender", "attacker", "reroll"]
"""Who wins when both succeed by the same margin (A-17)."""

Winner: TypeAlias = Literal["attacker", "defender", "nobody", "reroll"]
HeroicScope: TypeAlias = Literal["pivotal", "always"]
HeroicFor: TypeAlias = Literal["pc_only", "all"]
TokenMode: TypeAlias = Literal["effect", "token", "both"]
Colour: TypeAlias = Literal["white", "black"]
Feat: TypeAlias = Literal["heroic", "bumble"]


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
        return sum((part.value for part in self.parts), 0)


# Reading the tables of Combat Segments


@cache
def table(name: str) -> Mapping[str, object]:
    """A table file by its name without `.toml`; decimal numbers are fractions, so 0.4 is 2/5."""
    import tomllib

    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    return cast("Mapping[str, object]", tomllib.loads(text, parse_float=Fraction))


def rows(name: str, key: str = "row") -> tuple[Mapping[str, object], ...]:
    """The rows of a table, `[[row]]` in its file, in their order; ValueError if there are none."""
    entries = table(name).get(key)
    if not isinstance(entries, list) or not all(isinstance(row, dict) for row in entries):
        raise ValueError(f"tables/{name}.toml: {key} must be a list of tables")
    return tuple(entries)


def text_of(row: Mapping[str, object], key: str) -> str:
    """A text cell; empty if it is left out. ValueError for anything else, as for the other cells."""
    value = row.get(key, "")
    if not isinstance(value, str):
        raise ValueError(f"{key} must be text, not {value!r}")
    return value


def whole_of(row: Mapping[str, object], key: str) -> int:
    """A cell that is a whole number, never left out."""
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{key} must be a whole number, not {value!r}")
    return value


def number_of(value: object, what: str) -> Fraction:
    """An exact number: whole, decimal, or a fraction in text such as "2/3"."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction | str):
        raise ValueError(f"{what} must be a number, not {value!r}")
    return Fraction(value)


def flag_of(row: Mapping[str, object], key: str) -> bool:
    """A boolean cell; false if it is left out."""
    value = row.get(key, False)
    if not isinstance(value, bool):
        raise ValueError(f"{key} must be true or false, not {value!r}")
    return value


def texts_of(row: Mapping[str, object], key: str) -> tuple[str, ...]:
    """A cell that is a list of texts; empty if it is left out."""
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"{key} must be a list of strings, not {value!r}")
    return tuple(value)


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
