"""Sheets of Active Phase Encounters."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, field_validator, model_validator

from fightcall_engine.model.dice import check_dice, parse

Name = Annotated[str, Field(min_length=1, max_length=60)]
Price = Annotated[int, Field(ge=0, le=99)]


Rounds = Annotated[int | None, Field(ge=1, validation_alias=AliasChoices("rounds", "rounds_left"))]


class SheetPart(BaseModel):
    """The base of all parts of a sheet; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class SlotMod(SheetPart):
    """A change of the slots that a PC gains (AP-13), for some `rounds` or for good."""

    source: Name
    amount: Annotated[int, Field(ge=-20, le=20)]
    rounds: Rounds = None


class Lasting(SheetPart):
    """An effect on a sheet; it begins with the encounter.

    Attributes:
        amount: points at each Upkeep, a number or dice, or slots gained.
        counts: false if Upkeep does not count it down.
    """

    name: Name
    kind: Literal["damage", "heal", "slots", "buff", "debuff", "other"] = "other"
    amount: Annotated[
        Annotated[int, Field(ge=-99, le=99)] | str,
        Field(union_mode="left_to_right", validation_alias=AliasChoices("amount", "per_round", "magnitude")),
    ] = 0
    rounds: Rounds = None
    counts: Annotated[bool, Field(validation_alias=AliasChoices("counts", "ticks_at_upkeep"))] = True

    @model_validator(mode="after")
    def _has_dice_only_for_pulses(self) -> Self:
        if isinstance(self.amount, str):
            if self.kind not in ("damage", "heal"):
                raise ValueError(f"amount {self.amount!r}: dice are for damage and heal; accepted: a number")
            parse(self.amount)
        return self


class Combo(SheetPart):
    """The partners of a Combo (AP-32, AP-33): how many, the price for each, and their distance in places at most."""

    partners: Annotated[int, Field(ge=1, le=9)] = 1
    partner_cost: Price = 1
    range: Annotated[int | None, Field(ge=0)] = None


class AbilitySheet(SheetPart):
    """An ability that slots pay for (rules digest, section 2.2). The text leaves the list and the prices to the table.

    Attributes:
        cost: the Active price; `cost_reserved` and `cost_final` if its text states others (AP-21).
        reserved_ok: whether its text clearly allows Reserved Slots (AP-20), as a Reserved price does too.
        interrupts: what its text says it can interrupt (AP-29).
        interruptible: whether it can be interrupted itself if it takes several rounds (AP-39).
        roll: its (v:X) roll, such as ``d20+3``.
        damage: the damage of a hit, a number or dice.
    """

    name: Name
    cost: Annotated[int, Field(ge=0, le=99, validation_alias=AliasChoices("cost", "cost_active", "active"))]
    cost_reserved: Annotated[
        int | None, Field(ge=0, le=99, validation_alias=AliasChoices("cost_reserved", "reserved"))
    ] = None
    cost_final: Annotated[int | None, Field(ge=0, le=99, validation_alias=AliasChoices("cost_final", "final"))] = None
    reserved_ok: bool = False
    init_only: bool = False
    interrupts: Annotated[
        list[Literal["interjection", "active_action"]],
        Field(validation_alias=AliasChoices("interrupts", "can_interrupt")),
    ] = []
    multi_round: bool = False
    interruptible: bool | None = None
    roll: str = ""
    combo: Combo | None = None
    finisher: Literal["", "execution", "knockout"] = ""
    damage: str | int | None = None

    _dice = field_validator("roll", "damage")(lambda value: check_dice(value) if value else value)


class SlotsSheet(SheetPart):
    """A combatant's sheet (rules digest, section 2.1).

    Attributes:
        kind: ``pc`` or ``npc``; by default the party are PCs and all others NPCs.
        agility: added to the base of 5 slots (AP-12).
        awareness: added to the Awareness die (Q-A1).
        hp_max: the maximum of hit points; by default `hp`.
        stride: places that one slot of movement buys; by default as set (the text prints no price).
    """

    kind: Literal["pc", "npc"] | None = None
    agility: Annotated[int, Field(ge=-20, le=20)] = 0
    awareness: Annotated[int, Field(ge=-20, le=40)] = 0
    hp: Annotated[int | None, Field(ge=0, le=9999)] = None
    hp_max: Annotated[int | None, Field(ge=1, le=9999)] = None
    stride: Annotated[int | None, Field(ge=1, le=20)] = None
    vulnerable: bool = False
    slot_mods: list[SlotMod] = []
    effects: list[Lasting] = []
    abilities: list[AbilitySheet] = []
    note: Annotated[str, Field(max_length=2000)] = ""
