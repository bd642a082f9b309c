"""The sheet of a participant in Scenes, Rounds, Turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from fightcall_engine.model.dice import bounds, check_dice

_COUNTED = ("hp", "resolve", "focus", "mana")
Name = Annotated[str, Field(min_length=1, max_length=60)]
Count = Annotated[int, Field(ge=0, le=9999)]


class SheetPart(BaseModel):
    """The base of all parts of a sheet; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class Weapon(SheetPart):
    """An attack with its numbers, which the rules leave to another book.

    `reach` is its range in hexes, squares or zones of the board; without one, the GM judges.
    """

    name: Name
    needs: int | None = None
    dice: str = "d20"
    damage: str | int | None = None
    reach: Count | None = None

    _readable = field_validator("dice", "damage")(check_dice)


class Daily(SheetPart):
    """An ability with a number of uses per day (ST-42). `left` is by default all of them."""

    name: Name
    max: Annotated[int, Field(ge=0, le=99)] = 1
    left: Annotated[int | None, Field(ge=0, le=99)] = None


class Lasting(SheetPart):
    """An effect that a participant begins with (rules digest, section 2.1); fields as in the command `Affect`."""

    name: Name
    polarity: Literal["negative", "positive", ""] = ""
    amount: int | str = 0
    pool: Annotated[str, Field(max_length=60)] = "hp"
    upkeep: Count = 0
    resource: Annotated[str, Field(max_length=60)] = ""
    rounds: Annotated[int | None, Field(ge=1)] = None
    ends_at_turn_start: bool = False
    note: Annotated[str, Field(max_length=2000)] = ""

    @field_validator("amount")
    @classmethod
    def _readable(cls, value: str | int) -> str | int:
        if (bounds(value)[1] if isinstance(value, str) else value) < 0:
            raise ValueError("is below zero; the polarity says whether it harms or helps")
        return value


class TurnsSheet(SheetPart):
    """A participant's sheet (rules digest, section 2.1).

    A pool's number is its maximum; ``hp_now`` and so on are the current values, by default the maximum. ``{cur, max}``
    is accepted, too.
    """

    speed: Annotated[int, Field(ge=-999, le=999)] = 0
    actions: Annotated[int | None, Field(ge=0, le=99)] = None
    hp: Count | None = None
    hp_now: Count | None = None
    resolve: Count | None = None
    resolve_now: Count | None = None
    focus: Count | None = None
    focus_now: Count | None = None
    mana: Count | None = None
    mana_now: Count | None = None
    dailies: list[Daily] = []
    strikes: list[Weapon] = []
    effects: list[Lasting] = []
    sleepless: bool = False
    note: Annotated[str, Field(max_length=2000)] = ""

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, data: object) -> object:
        """Read ``hp = {cur = 8, max = 10}`` as ``hp = 10, hp_now = 8``, and ``actions_max`` as ``actions``."""
        if not isinstance(data, Mapping):
            return data
        flat = dict(data)
        if "actions_max" in flat:
            flat.setdefault("actions", flat.pop("actions_max"))
        for name in _COUNTED:
            entry = flat.get(name)
            if isinstance(entry, Mapping) and "max" in entry and set(entry) <= {"cur", "now", "max"}:
                flat[name] = entry["max"]
                flat[f"{name}_now"] = entry.get("cur", entry.get("now"))
        return flat

    @model_validator(mode="after")
    def _within(self) -> TurnsSheet:
        for name in _COUNTED:
            most, now = getattr(self, name), getattr(self, f"{name}_now")
            if now is not None and (most is None or now > most):
                raise ValueError(f"{name}_now: {now} is more than {name} allows ({most})")
        for daily in self.dailies:
            if daily.left is not None and daily.left > daily.max:
                raise ValueError(f"dailies: {daily.name} has {daily.left} left of {daily.max}")
        return self
