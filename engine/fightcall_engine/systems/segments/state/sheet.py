"""Sheets of Combat Segments (rules digest, section 2.1).

Nothing is derived that the text leaves to other books: modifiers, skills and speeds are typed in (M-04 to M-26).
What is left out is unknown, and is asked for when a check needs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

Name = Annotated[str, Field(min_length=1, max_length=60)]

Text = Annotated[str, Field(max_length=2000)]

Score = Annotated[int, Field(ge=1, le=99)]

Modifier = Annotated[int, Field(ge=-20, le=30)]

Points = Annotated[int, Field(ge=0, le=9999)]

Feet = Annotated[float, Field(ge=0, le=100_000)]

Speed = Annotated[float, Field(ge=0, le=1000)]

HandName = Literal["R", "L", "2"]

ItemName = Annotated[str, Field(max_length=60)]

Rate: TypeAlias = str | int

RateText: TypeAlias = str


class Part(BaseModel):
    """The base of all parts of a sheet; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class Modifiers(Part):
    """Attribute modifiers, derived outside the text (M-04)."""

    str: Modifier = 0
    agl: Modifier = 0
    crd: Modifier = 0
    hrt: Modifier = 0
    awa: Modifier = 0
    cnd: Modifier = 0
    chm: Modifier = 0


class Trade(Part):
    """A trade and its level. `flags` say what it counts as if its name does not: ``warrior``, ``practitioner``..."""

    name: Name
    sl: Points = 0
    flags: list[Name] = []


class Called(Part):
    """The name of something, and the row of the armoury that it is `like`, if that has another name."""

    name: Name
    like: ItemName = ""


class WeaponNumbers(Part):
    """The numbers of a weapon, on a sheet and in an armoury."""

    kind: Literal["melee", "hurled", "missile", "shield", "object"] = "melee"
    hand: HandName = "R"
    av: Points | None = None
    sl: Points = 0
    base_skill: ItemName = ""
    size: Annotated[float, Field(ge=0, le=60)] = 0
    weight_class: Annotated[int, Field(ge=0, le=5)] | Literal["Lt", "M-Lt", "Med", "M-H", "Hvy"] = "Med"
    grip: Literal["1", "1.5", "2", "missile"] = "1"
    effects: list[Literal["edge", "point", "blunt"]] = []
    hurlable: bool = False
    hurl_av: Points | None = None
    family: Literal[
        "", "hilted", "hafted", "bow", "shortbow", "sling", "fustibal", "crossbow-light", "crossbow-heavy"
    ] = ""
    attack_types: list[Name] = []
    two_handed: bool = False
    lob: bool = False
    fixed_pot: Points | None = None
    str_rating: Score | None = None
    db_extra: int = 0
    bodkin: bool = False
    dr: Points = 0
    wear: Points | None = None
    coverage_mod: Annotated[int, Field(ge=-99, le=99)] | None = None
    weight_lb: Annotated[float, Field(ge=0, le=10_000)] | None = None
    proper: bool = True
    weapon_like: ItemName = ""
    builtin: bool = False
    arrow_heads: list[Name] = []
    sample: bool = False

    @model_validator(mode="after")
    def _strikes_with(self) -> WeaponNumbers:
        if not self.effects:
            blunt = self.kind in ("shield", "object") or self.family in ("sling", "fustibal")
            shot = self.kind == "missile" or self.family in ("bow", "shortbow", "crossbow-light", "crossbow-heavy")
            self.effects = ["blunt"] if blunt else ["point"] if shot else ["edge"]
        return self

    @model_validator(mode="after")
    def _held_in_both(self) -> WeaponNumbers:
        if self.grip == "2" or self.hand == "2":
            self.two_handed = True
        return self


class Weapon(WeaponNumbers, Called):
    """A weapon, shield or sturdy object, with the skill it is used with.

    `av` is the skill's value; without one the GM is asked. Two weapons of one `base_skill` in the same hand share the
    count of their uses (CS-238, CS-239). Size is in feet. `effects` are what it strikes with, the usual one first: by
    default an edge; a point for what is shot, blunt for shields, objects and slings.

    Other fields default to those of the armoury: of the row it is `like`, or, for a weapon without numbers of its own,
        of
    the row with its name. `sample` says that numbers came from a sample. `arrow_heads` are those it shoots, the usual
    one first.
    """


class Combination(Part):
    """A learned Combination (CS-362): its two items, its kind, and its level."""

    name: Name
    kind: Literal["att+att", "def+def", "att+def"] = "att+att"
    sl: Points = 0
    first: ItemName = ""
    second: ItemName = ""


class Move(Part):
    """Speeds in mph and leaps in feet (M-11). Rates that are left out are shares of `full` (CS-183)."""

    full: Speed = 12
    quarter: Speed | None = None
    half: Speed | None = None
    three_quarter: Speed | None = None
    leap: Feet | None = None
    running_leap: Feet | None = None


class Hands(Part):
    """What each hand holds, by the name of a weapon; `two_handed` for one item in both."""

    R: ItemName = ""
    L: ItemName = ""
    two_handed: bool = False


class Layer(Part):
    """A layer of armour. `dr` defaults to the armoury's (CS-572). `slash` is the share of a Slash that it takes."""

    type: Name
    family: Literal["", "padded", "mail", "plate", "cuerbully", "other"] = ""
    dr: Points | None = None
    wear_total: Points | None = None
    grade: Literal["", "strong", "proof"] = ""
    slash: Annotated[str, Field(pattern=r"^(\d{1,3}(/[1-9]\d{0,2})?)?$")] = ""


class Reserve(Part):
    """A counted reserve: the maximum, and what is left or lost of it."""

    max: Points
    cur: Points | None = None
    damage: Points | None = None


class Crossbow(Part):
    """The state of a crossbow before the fight (CS-395 to CS-401)."""

    cocked: bool = False
    loaded: bool = False
    tool: Literal["none", "attached"] = "none"
    cocked_days: Points = 0


class SegmentsSheet(Part):
    """A combatant's sheet."""

    kind: Literal["pc", "npc", "beast"] = "npc"
    pc_quality: bool | None = None
    str: Score = 13
    agl: Score = 13
    crd: Score = 13
    hrt: Score = 13
    awa: Score = 13
    cnd: Score = 13
    chm: Score = 13
    sta: Annotated[int, Field(ge=1, le=199)] = 20
    msta: Annotated[int, Field(ge=1, le=199)] | None = None
    mod: Modifiers = Modifiers()
    pres: Annotated[int, Field(ge=0, le=99)] | None = None
    init_mod: Annotated[int, Field(ge=-40, le=60)] | None = None
    roa: Rate = "1"
    trades: list[Trade] = []
    weapons: list[Weapon] = []
    combos: list[Combination] = []
    special_attacks: list[Name] = []
    skills: Mapping[ItemName, Points] = {}
    dodge: Points | None = None
    height: Annotated[float, Field(ge=0.5, le=60)] = 6
    light_enc: Annotated[float, Field(gt=0, le=100_000)] | None = None
    move: Move = Move()
    hands: Hands | None = None
    armour: list[Layer] = []
    clothing_layers: Annotated[int, Field(ge=0, le=5)] | None = None
    standing: Literal["", "landbound", "free_commoner", "wealthy_or_noble", "great_noble_or_royal"] = ""
    wounds: Annotated[int, Field(ge=0, le=99)] = 0
    bp: Reserve | None = None
    end: Reserve | None = None
    cnd_allow: Reserve | None = None
    tokens: Mapping[Literal["white", "black", "fate"], Annotated[int, Field(ge=0, le=99)]] = {}
    crossbow: Crossbow | None = None
    elev: Annotated[float, Field(ge=-10_000, le=10_000)] = 0
    mounted: bool = False
    posture: Literal["standing", "kneeling", "prone"] = "standing"
    note: Text = ""

    @field_validator("roa")
    @classmethod
    def _rate(cls, value: Rate) -> RateText:
        try:
            rate = Fraction(str(value).strip())
        except (ValueError, ZeroDivisionError):
            rate = Fraction(0)
        if not 0 < rate <= 20 or rate.denominator > 100:
            raise ValueError(f"roa: {value!r} is not a Rate of Action; use a number above 0, such as 1, 2 or 3/2")
        return str(rate)

    @model_validator(mode="after")
    def _whole(self) -> SegmentsSheet:
        names = {weapon.name for weapon in self.weapons}
        hands = self.hands
        for hand, name in (("R", hands.R), ("L", hands.L)) if hands is not None else ():
            if name and name not in names:
                accepts = ", ".join(names) or "no weapons are listed"
                raise ValueError(f"hands.{hand}: {name!r} is not one of the weapons; accepted: {accepts}")
        return self
