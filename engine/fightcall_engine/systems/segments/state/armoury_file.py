"""The shape of a GM's armoury, row by row, and reading one: all that is wrong is said at once, with its line.

[[weapon]]
key = "glaive"
size = 7
weight_class = "Med"
grip = "2"

[[armour]]
key = "dragon_hide"
dr = 34
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, cast

from pydantic import AfterValidator, Field, field_validator

from fightcall_engine.files.parts import Part, plain_name
from fightcall_engine.files.texts import Complaints, Lines, parse_toml
from fightcall_engine.kit.settings import describe_settings
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json
from fightcall_engine.systems.segments.state.optional_rules import OptionalRules
from fightcall_engine.systems.segments.state.sheet import HandName, Points, WeaponNumbers

_KEY = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")


def _plain_key(text: str) -> str:
    if not _KEY.fullmatch(text) or len(text) > 60:
        raise ValueError(f"invalid key {text[:60]!r}; use lower-case letters and digits, with _ between words")
    return text


def _share(value: float | str) -> str:
    """A share as exact text, since 0.1 is a tenth and not the nearest binary number."""
    try:
        share = Fraction(str(value)[:20])
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= 1:
        raise ValueError(f'invalid share {str(value)[:20]!r}; use 0 to 1, such as 0.5 or "1/2"')
    return str(share)


def _plain_word(text: str) -> str:
    return plain_name(text) if text else text


Key = Annotated[str, AfterValidator(_plain_key)]

Label = Annotated[str, Field(max_length=60), AfterValidator(plain_name)]

Share = Annotated[float | str, AfterValidator(_share)]

Kind = Literal["strike", "charge", "shoot", "hurl", "combination", "opportunity", "reprisal"]

_STRIKES: tuple[Kind, ...] = ("strike", "combination", "opportunity", "reprisal")


class Row(Part):
    """The fields of every row. `label` defaults to the key in words; `rule` names the source of the numbers."""

    STAND_INS: ClassVar[Mapping[str, str]] = {"key": "x"}
    key: Key
    label: Label = ""
    rule: Annotated[str, Field(max_length=60), AfterValidator(_plain_word)] = ""
    sample: bool = False


class WeaponRow(WeaponNumbers, Row):
    """``[[weapon]]``: the fields of a weapon on a sheet. A sheet's own values take precedence."""


class ShieldRow(Row):
    """``[[shield]]``: Size in feet, what it takes off a blow, and what it adds to the DV of shots."""

    size: Annotated[float, Field(ge=0, le=60)] = 0
    weight_class: Annotated[int, Field(ge=0, le=5)] | Literal["Lt", "M-Lt", "Med", "M-H", "Hvy"] = "Med"
    hand: HandName = "L"
    dr: Points = 0
    wear: Points | None = None
    coverage_mod: Annotated[int, Field(ge=-99, le=99)] | None = None
    effects: list[Literal["edge", "point", "blunt"]] = Field(default_factory=list)
    attack_types: list[Label] = Field(default_factory=list)
    weight_lb: Annotated[float, Field(ge=0, le=10_000)] | None = None


class ArmourRow(Row):
    """``[[armour]]``: `dr` comes off a blow; `wear` is the second figure, such as the 40 of 10/40.

    `family` decides how Thrusts and piercing missiles count, `slash` is the share of a Slash that it takes.
    """

    STAND_INS: ClassVar[Mapping[str, str | int]] = {"key": "x", "dr": 0}  # type: ignore[assignment]
    dr: Points
    family: Literal["padded", "mail", "plate", "cuerbully", "other"] = "other"
    wear: Points | None = None
    slash: Share = "1"


class ArrowHeadRow(Row):
    """``[[arrow_head]]``: `db` is added to the POT of a shot; one that `pierces` goes through armour."""

    db: Annotated[int, Field(ge=-99, le=99)] = 0
    pierces: bool = False


class AttackTypeRow(Row):
    """``[[attack_type]]``: `with` lists the kinds of Action that can use it, `option` the settings that must be on.

    `pot` of a hit: the weapon's, ``base`` without the Damage Bonus, ``brawl`` for a tenth of the base, or ``none``.
    `at` is what it aims at, ``body`` or ``weapon``. `inside`: with a long weapon at a foe inside one's guard; `body`:
    it cannot be dodged; `close`: only in close melee; `fells`: it may bring the target down; `sharp`: not with a weapon
    that is only blunt; `does`: what a hit does to the weapon, ``drop``, ``pin``, ``seize`` or ``ask``; `bare`: with
    hands, feet or body, whatever is in hand; `hand`: that takes a free hand; `skills`: the skills that serve for it
    with bare hands.
    """

    option: list[str] = Field(default_factory=list)
    kinds: list[Kind] = Field(default_factory=lambda: [*_STRIKES], alias="with", min_length=1)
    pot: Literal["weapon", "base", "brawl", "none"] = "weapon"
    at: Literal["body", "weapon"] = "body"
    inside: bool = False
    body: bool = False
    close: bool = False
    fells: bool = False
    sharp: bool = False
    does: Literal["", "drop", "pin", "seize", "ask", "grip"] = ""
    bare: bool = False
    hand: bool = False
    skills: list[str] = Field(default_factory=list)

    @field_validator("option")
    @classmethod
    def _known_options(cls, names: list[str]) -> list[str]:
        keys = [rule.key for rule in describe_settings(OptionalRules) if isinstance(rule.default, bool)]
        wrong = [name for name in names if name not in keys]
        if wrong:
            raise ValueError(f"unknown option {wrong[0]!r}; accepted: {', '.join(keys)}")
        return names


Tables = list[dict[str, object]]


class ArmouryPart(Part):
    """The top level of the file."""

    weapon: Tables = Field(default_factory=list)
    shield: Tables = Field(default_factory=list)
    armour: Tables = Field(default_factory=list)
    arrow_head: Tables = Field(default_factory=list)
    attack_type: Tables = Field(default_factory=list)


_ROWS: Mapping[str, type[Row]] = {
    "weapon": WeaponRow,
    "shield": ShieldRow,
    "armour": ArmourRow,
    "arrow_head": ArrowHeadRow,
    "attack_type": AttackTypeRow,
}

_WHERE = "armoury"


def rows_of(text: str) -> Mapping[str, Mapping[str, Mapping[str, object]]]:
    """The rows of a GM's file, by table and key, with their labels.

    Raises:
        BadInput: one line for each fault, with its line number.
    """
    try:
        data = parse_toml(text)
        complaints = Complaints(Lines(text))
    except ValueError as error:
        accepts = "accepted: [[weapon]], [[shield]], [[armour]], [[arrow_head]] and [[attack_type]]"
        raise BadInput(_WHERE, (f"not readable as TOML: {error}; {accepts}",)) from error
    top = complaints.part(ArmouryPart, data, ())
    tables = dict(top)
    tables_read = {table: _table(table, kind, tables[table], complaints) for table, kind in _ROWS.items()}
    if complaints.found:
        raise BadInput(_WHERE, complaints.in_order())
    return tables_read


def _table(table: str, kind: type[Row], rows: Tables, complaints: Complaints) -> Mapping[str, Mapping[str, object]]:
    entries: dict[str, Mapping[str, object]] = {}
    for number, data in enumerate(rows):
        row = complaints.part(kind, data, (table, number))
        if row.key in entries and isinstance(data.get("key"), str):
            text = f"{table}.key: {row.key!r} is used twice; each row needs its own key"
            complaints.add((table, number, "key"), text)
        label = row.label or row.key.replace("_", " ")
        sheet = table in ("weapon", "shield")  # A sheet has defaults of its own for fields that its row leaves out.
        cells = row.model_dump(by_alias=True, exclude_none=True, exclude_unset=sheet)
        entries[row.key] = {**cells, "label": label}
    return entries


def schema() -> Mapping[str, Json]:
    """The JSON Schema of the file, for TOML and JSON tools."""
    tables = {table: {"type": "array", "items": kind.model_json_schema()} for table, kind in _ROWS.items()}
    return {"title": "Armoury", "type": "object", "additionalProperties": False, "properties": cast(Json, tables)}
