"""Profiles: a sheet parsed once into a record of scores, speeds, skills, trades and items.

A sheet made by hand or by an older program may lack or misstate anything; what is not a number is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import cast

from fightcall_engine.kit.records import as_int
from fightcall_engine.model.state import Combatant, Json
from fightcall_engine.model.values import frozen, remembered_of
from fightcall_engine.systems.segments.rules.numbers import exact
from fightcall_engine.systems.segments.rules.ranges import SHARES, Rate

Table = Mapping[str, Json]

Name = str
"""The type `str`, for classes with an attribute of that name."""

AVERAGE = 13
"""The default score of an attribute."""

NEUTRAL_STA = 20
"""The default STA (M-22)."""


@frozen
class Attributes:
    """A number for each attribute: scores, or modifiers (M-04)."""

    str: int
    agl: int
    crd: int
    hrt: int
    awa: int
    cnd: int
    chm: int

    @property
    def by_name(self) -> Mapping[Name, int]:
        """The numbers by the attributes' names."""
        return {
            "str": self.str, "agl": self.agl, "crd": self.crd, "hrt": self.hrt,
            "awa": self.awa, "cnd": self.cnd, "chm": self.chm,
        }  # fmt: skip


@frozen
class Trade:
    """A trade: the words of its name and flags, in lower case, and its level."""

    words: tuple[str, ...]
    sl: int

    def is_of(self, *kinds: str) -> bool:
        """Whether a word of the trade begins with one of these kinds: a Witchfinder is no switchman."""
        return any(word.startswith(kind) for word in self.words for kind in kinds)


@frozen
class Combination:
    """A learned Combination: its kind, its level, and the names of its items; no names for any items (CS-362)."""

    kind: str
    sl: int
    items: frozenset[str]


@frozen
class Hands:
    """The names of what each hand holds; empty for nothing."""

    right: str
    left: str


@frozen
class Profile:
    """A sheet as the rules read it; None for unknown values.

    `msta` counts, not `entered_msta`. `roa` is Actions a segment. `height`, also the width of its Zone (CS-682), and
    leaps are in feet, `light_enc` in pounds, speeds in mph (M-11); `rates` has those that are not shares of full speed
    (CS-183). Without `hands` each weapon says which hand it is for. Weapons and armour are completed from the armoury.
    """

    scores: Attributes
    mods: Attributes
    is_player: bool
    sta: int | None
    entered_msta: int | None
    pres: int | None
    init_mod: int | None
    dodge: int | None
    roa: Fraction | None
    height: Fraction
    light_enc: Fraction | None
    full_speed: Fraction
    rates: Mapping[Rate, Fraction]
    leap: Fraction | None
    running_leap: Fraction | None
    skills: Mapping[str, int]
    trades: tuple[Trade, ...]
    combos: tuple[Combination, ...]
    special_attacks: tuple[str, ...]
    hands: Hands | None
    weapons: tuple[Table, ...]
    armour: tuple[Table, ...]
    clothing_layers: int | None
    standing: str
    body_points: int | None

    @property
    def msta(self) -> int:
        """Modified STA, or STA if it was not entered (M-22)."""
        return self.entered_msta if self.entered_msta is not None else NEUTRAL_STA if self.sta is None else self.sta

    @property
    def leap_feet(self) -> Fraction:
        """The longest leap in feet, running or standing; 0 if not entered (M-11)."""
        return max(self.leap or Fraction(0), self.running_leap or Fraction(0))

    def skill(self, *names: str) -> int | None:
        """The best level in the named skills, or None."""
        return max((level for name, level in self.skills.items() if name.lower() in names), default=None)

    def trade_sl(self, *kinds: str) -> int:
        """The best level among trades of these kinds, by name or flag; 0 for none."""
        return max((trade.sl for trade in self.trades if trade.is_of(*kinds)), default=0)

    def has_trade(self, *kinds: str) -> bool:
        """Whether there is a trade of one of these kinds, by name or flag."""
        return any(trade.is_of(*kinds) for trade in self.trades)

    @property
    def best_trade_sl(self) -> int:
        """The best level of all trades."""
        return max((trade.sl for trade in self.trades), default=0)


_MOST_SHEETS = 1024


def profile_of(combatant: Combatant) -> Profile:
    """The profile of a combatant's sheet."""
    return _read_sheet(combatant.sheet)


@remembered_of(_MOST_SHEETS)
def _read_sheet(sheet: Table) -> Profile:
    move = _table(sheet.get("move"))
    quality = sheet.get("pc_quality")
    full = _measure(move.get("full"))
    height = _measure(sheet.get("height"))
    return Profile(
        scores=_attributes(sheet, AVERAGE),
        mods=_attributes(_table(sheet.get("mod")), 0),
        is_player=quality if isinstance(quality, bool) else sheet.get("kind") == "pc",
        sta=as_int(sheet.get("sta")),
        entered_msta=as_int(sheet.get("msta")),
        pres=as_int(sheet.get("pres")),
        init_mod=as_int(sheet.get("init_mod")),
        dodge=as_int(sheet.get("dodge")),
        roa=_rate_of_action(sheet.get("roa", "1")),
        height=Fraction(6) if height is None else height,
        light_enc=_measure(sheet.get("light_enc")),
        full_speed=Fraction(12) if full is None else full,
        rates={rate: mph for rate in SHARES if (mph := _measure(move.get(rate))) is not None},
        leap=_measure(move.get("leap")),
        running_leap=_measure(move.get("running_leap")),
        skills={name: sl for name, level in _table(sheet.get("skills")).items() if (sl := as_int(level)) is not None},
        trades=tuple(map(_trade, _tables(sheet.get("trades")))),
        combos=tuple(map(_combination, _tables(sheet.get("combos")))),
        special_attacks=_names(sheet.get("special_attacks")),
        hands=_hands(_table(sheet.get("hands"))),
        weapons=_tables(sheet.get("weapons")),
        armour=_tables(sheet.get("armour")),
        clothing_layers=as_int(sheet.get("clothing_layers")),
        standing=str(sheet.get("standing") or ""),
        body_points=as_int(_table(sheet.get("bp")).get("max")) or None,
    )


def _attributes(table: Table, default: int) -> Attributes:
    def number(name: str) -> int:
        value = as_int(table.get(name))
        return default if value is None else value

    return Attributes(
        number("str"), number("agl"), number("crd"), number("hrt"), number("awa"), number("cnd"), number("chm")
    )


def _rate_of_action(value: Json) -> Fraction | None:
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None


def _trade(trade: Table) -> Trade:
    words = " ".join([str(trade.get("name", "")), *_names(trade.get("flags"))])
    return Trade(tuple(re.findall(r"\w+", words.lower())), as_int(trade.get("sl")) or 0)


def _combination(combo: Table) -> Combination:
    names = (str(combo.get(key) or "").lower() for key in ("first", "second"))
    return Combination(str(combo.get("kind", "att+att")), as_int(combo.get("sl")) or 0, frozenset(names) - {""})


def _hands(hands: Table) -> Hands | None:
    return Hands(str(hands.get("R") or ""), str(hands.get("L") or "")) if hands else None


def _table(value: Json) -> Table:
    return cast(Table, value) if isinstance(value, Mapping) else {}


def _tables(value: Json) -> tuple[Table, ...]:
    return tuple(cast("list[Table]", value)) if isinstance(value, list | tuple) else ()


def _names(value: Json) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def _measure(value: Json) -> Fraction | None:
    return exact(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
