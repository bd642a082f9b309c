"""Sheets of Stage Moments."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, field_validator

from fightcall_engine.model.dice import check_dice


class Weapon(BaseModel):
    """A strike that a figure has ready; its numbers are the table's, as the text leaves them to another book."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=60)]
    kind: Literal["missile", "melee", "magic"]
    needs: int | None = None
    dice: str = "d20"
    damage: str | int | None = None
    range: Annotated[int | None, Field(ge=0)] = None

    _readable = field_validator("dice", "damage")(check_dice)


class StageSheet(BaseModel):
    """A figure's sheet (rules digest, section 2.1)."""

    model_config = ConfigDict(extra="forbid")

    agility: Annotated[int, Field(ge=1, le=20)] = 10
    perception: Annotated[int | None, Field(ge=1, le=20)] = None
    skullduggery: Annotated[int | None, Field(ge=1, le=20)] = None
    dar: Annotated[int, Field(ge=0, le=99)] = 0
    base_beats: Annotated[int, Field(ge=0, le=999)] = 14
    armor_beat_loss: Annotated[
        int, Field(ge=0, le=999, validation_alias=AliasChoices("armor_beat_loss", "armour_beat_loss", "armour_loss"))
    ] = 0
    hp: Annotated[int | None, Field(ge=0, le=9999, validation_alias=AliasChoices("hp", "wounds"))] = None
    height_ft: Annotated[float | None, Field(gt=0)] = None
    reach_ft: Annotated[float | None, Field(gt=0)] = None
    cover: Literal["open", "partial", "full"] = "open"
    posture: Literal["standing", "prone"] = "standing"
    plain_view: bool = True
    strikes: list[Weapon] = []
    note: Annotated[str, Field(max_length=2000)] = ""
