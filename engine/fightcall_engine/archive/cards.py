"""The library's records, as pydantic models, because users may edit the file by hand."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

FIGHT_ID = r"^[a-z0-9]+(-[a-z0-9]+)*$"
"""The pattern of fight ids, which are safe as file names on every system."""

FightId = Annotated[str, Field(pattern=FIGHT_ID, max_length=60)]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class Card(BaseModel):
    """The base of all records: immutable, without unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FightCard(Card):
    """A fight as listed in the library; everything in it can be rebuilt from the journal.

    Attributes:
        created: when the fight was started, in ISO 8601 and UTC; ``updated`` likewise.
        clock_s: seconds of game time.
        entries: the number of commands that led to the present state.
        branches: the number of other branches, without dropped ones.
        combatants: their names.
        last_number: the number of the last journal record included in this card.
        trashed: when it was put in the trash; None while it is in use.
    """

    id: FightId
    name: Name
    system: Name
    status: Literal["setup", "running", "ended"] = "setup"
    created: str = ""
    updated: str = ""
    round: int = Field(default=0, ge=0)
    clock_s: float = Field(default=0, ge=0, allow_inf_nan=False)
    entries: int = Field(default=0, ge=0)
    branches: int = Field(default=0, ge=0)
    combatants: list[str] = Field(default_factory=list)
    last_number: int = Field(default=0, ge=0)
    trashed: str | None = None


class CombatantTemplate(Card):
    """A combatant that can be added to fights, which copy it. System and name identify it."""

    name: Name
    system: Name
    side: str = ""
    sheet: dict[str, JsonValue] = Field(default_factory=dict)
    notes: str = ""
