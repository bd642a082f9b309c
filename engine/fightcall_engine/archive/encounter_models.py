"""The schema of an encounter file in parts, so that an error in one part does not hide errors in others.

Imported only when a file is read: pydantic is slow to load.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from fightcall_engine.files.parts import Part, _without_controls, plain_name

MOST_COMBATANTS = 200
LONGEST_STORY = 20_000


def plain_story(text: str) -> str:
    """A text of several lines.

    Raises:
        ValueError: the text is too long, or contains control characters other than line ends and tabs.
    """
    if len(text) > LONGEST_STORY:
        raise ValueError(f"has {len(text)} characters; at most {LONGEST_STORY} will do")
    return _without_controls(text, "\n\t")


def _plain_label(text: str) -> str:
    if not (1 <= len(text) <= 3 and text.isascii() and text.isalnum()):
        raise ValueError(f"{text!r} is no label; write 1 to 3 letters or digits")
    return text.upper()


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


def _as_pair(value: object) -> object:
    """A list of two whole numbers as a list of one place."""
    pair = isinstance(value, list) and len(value) == 2 and all(type(number) is int for number in value)
    return tuple(value) if pair and isinstance(value, list) else value


Place = str | tuple[int, int]
"""A map symbol, the name of a place, or a pair of numbers."""
_Place = Annotated[Place, BeforeValidator(_as_pair)]
Name = Annotated[str, AfterValidator(plain_name)]
Story = Annotated[str, AfterValidator(plain_story)]
Label = Annotated[str, AfterValidator(_plain_label)]
Facing = Annotated[Literal["E", "NE", "N", "NW", "W", "SW", "S", "SE"], BeforeValidator(_upper)]


class EncounterPart(Part):
    """The top level of the file; its tables are read by the models below."""

    STAND_INS: ClassVar[Mapping[str, str]] = {"name": "?", "system": ""}
    name: Name
    system: str
    seed: Annotated[str, Field(min_length=1, max_length=200)] | int | None = None
    story: Story = ""
    minutes: Annotated[int, Field(ge=1, le=1000)] | None = None
    settings: dict[str, object] = Field(default_factory=dict)
    board: dict[str, object] | None = None
    combatant: list[dict[str, object]] = Field(default_factory=list)
    cue: list[dict[str, object]] = Field(default_factory=list)


class BoardPart(Part):
    """``[board]`` of cells: hexes or squares."""

    STAND_INS: ClassVar[Mapping[str, str]] = {"map": ""}
    kind: Literal["hex", "square"] = "hex"
    map: str
    scale: Annotated[float, Field(gt=0)] = 5.0
    unit: Annotated[str, Field(min_length=1, max_length=20)] = "ft"
    legend: dict[str, dict[str, object]] = Field(default_factory=dict)


class GroundPart(Part):
    """One entry of ``[board.legend]``. `glyph` is what the board shows if that is not the map's symbol."""

    STAND_INS: ClassVar[Mapping[str, str]] = {"name": "?"}
    name: Name
    glyph: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    cost: Annotated[int, Field(ge=1)] = 1
    blocks: bool = False
    blocks_sight: bool = False
    cover: Annotated[str, Field(min_length=1)] | None = None
    height_ft: float | None = None


class ZoneBoardPart(Part):
    """``[board]`` of zones: a floor plan, the meanings of its symbols, and borders that it does not show."""

    STAND_INS: ClassVar[Mapping[str, str]] = {"kind": "zone", "map": ""}
    kind: Literal["zone"]
    map: str
    scale: Annotated[float, Field(gt=0)] = 30.0
    unit: Annotated[str, Field(min_length=1, max_length=20)] = "ft"
    zones: dict[str, dict[str, object]] = Field(default_factory=dict)
    border: list[dict[str, object]] = Field(default_factory=list)


class ZonePart(Part):
    """One entry of ``[board.zones]``. `cost` is the price of entering it, in steps of open ground."""

    STAND_INS: ClassVar[Mapping[str, str]] = {"name": "?"}
    name: Annotated[str, Field(max_length=40), AfterValidator(plain_name)]
    cost: Annotated[int, Field(ge=1)] = 1
    blocks: bool = False
    blocks_sight: bool = False
    cover: Annotated[str, Field(min_length=1)] | None = None
    height_ft: float | None = None


class BorderPart(Part):
    """One ``[[board.border]]``: a door, a wall between adjacent zones, or a passage between others."""

    STAND_INS: ClassVar[Mapping[str, str]] = {}
    between: Annotated[list[str], Field(min_length=2, max_length=2)] = Field(default_factory=list)
    joined: bool = True
    blocks_sight: bool = False


class CombatantPart(Part):
    """One ``[[combatant]]`` table, for one combatant or several identical ones.

    Several form a squad of their name, unless `squad` names another; an empty `squad` means none.
    """

    STAND_INS: ClassVar[Mapping[str, str]] = {"name": "?"}
    name: Name
    count: Annotated[int, Field(ge=1, le=MOST_COMBATANTS)] | None = None
    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)] = ""
    side: str = ""
    label: Label = ""
    at: Annotated[Place | list[_Place] | None, BeforeValidator(_as_pair)] = None
    facing: Facing | int | None = None
    hidden: bool = False
    squad: Annotated[str, Field(pattern=r"^[\w-]{0,60}$")] | None = None
    sheet: dict[str, object] = Field(default_factory=dict)


class EncounterCue(Part):
    """One ``[[cue]]`` table; `fightcall_engine.model.cues` documents `when` and `then`."""

    STAND_INS: ClassVar[Mapping[str, str]] = {}
    when: dict[str, object] = Field(default_factory=dict)
    then: dict[str, object] = Field(default_factory=dict)
    name: Annotated[str, Field(max_length=200)] = ""
    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)] = ""
    each_time: bool = False
