"""Abilities: what a combatant can spend slots on, from its sheet or with a price that the GM has typed."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, Json
from fightcall_engine.model.values import frozen


@frozen
class Ability:
    """An ability on the sheet, or an act with a price that the GM has typed.

    Attributes:
        listed: whether it is on the sheet; if not, the GM is asked what its text would say.
        typed: whether the GM has typed its price, which then counts at any time, times four in the Final Phase.
    """

    name: str
    cost: int
    cost_reserved: int | None = None
    cost_final: int | None = None
    reserved_ok: bool = False
    init_only: bool = False
    interrupts: tuple[str, ...] = ()
    multi_round: bool = False
    interruptible: bool | None = None
    roll: str = ""
    partners: int = 0
    partner_cost: int = 1
    range: int | None = None
    finisher: str = ""
    damage: int | str | None = None
    listed: bool = False
    typed: bool = False

    @property
    def from_reserve(self) -> bool:
        """AP-20: whether its text clearly allows Reserved Slots, by saying so or by stating their price."""
        return self.reserved_ok or self.cost_reserved is not None

    @property
    def can_harm(self) -> bool:
        """AP-30: whether its text says what it does to a target."""
        return self.damage is not None or bool(self.finisher)

    @property
    def is_usable_from_reserve(self) -> bool:
        """AP-08, AP-20, AP-33: whether one PC alone can pay for it with Reserved Slots in a Full Round."""
        return self.from_reserve and not self.init_only and not self.partners


def abilities(combatant: Combatant) -> tuple[Ability, ...]:
    """The abilities on the sheet."""
    entries_of_sheet = combatant.sheet.get("abilities")
    entries = cast(list[Mapping[str, Json]], entries_of_sheet) if isinstance(entries_of_sheet, list | tuple) else []
    return tuple(_ability(entry) for entry in entries)


def _ability(entry: Mapping[str, Json]) -> Ability:
    combo = cast(Mapping[str, Json], entry.get("combo") or {})
    return Ability(
        name=str(entry["name"]),
        cost=cast(int, entry["cost"]),
        cost_reserved=cast(int | None, entry.get("cost_reserved")),
        cost_final=cast(int | None, entry.get("cost_final")),
        reserved_ok=entry.get("reserved_ok") is True,
        init_only=entry.get("init_only") is True,
        interrupts=tuple(cast(list[str], entry.get("interrupts") or [])),
        multi_round=entry.get("multi_round") is True,
        interruptible=cast(bool | None, entry.get("interruptible")),
        roll=str(entry.get("roll") or ""),
        partners=cast(int, combo.get("partners", 0)),
        partner_cost=cast(int, combo.get("partner_cost", 1)),
        range=cast(int | None, combo.get("range")),
        finisher=str(entry.get("finisher") or ""),
        damage=cast(int | str | None, entry.get("damage")),
        listed=True,
    )


def find_ability(combatant: Combatant, name: str) -> Ability | None:
    """The ability with this name on the sheet, in any case, or None."""
    return next((entry for entry in abilities(combatant) if entry.name.lower() == name.strip().lower()), None)


def describe_act(combatant: Combatant | None, act: str, target_name: str) -> str:
    """An act and its target in words. The GM's own words may be any sentence: ``cuts a rope, target Orc``."""
    is_listed = combatant is not None and find_ability(combatant, act) is not None
    return f"{act}{' at ' if is_listed else ', target '}{target_name}" if target_name else act


def ability_for(combatant: Combatant, name: str, cost: int | None) -> Ability:
    """The ability on the sheet, or an act that is not on it, with the price that the GM has typed.

    A typed price replaces those of the sheet; whether Reserved Slots may pay (AP-20) does not change.

    Raises:
        Refused: there is no such ability, and no price.
    """
    if cost is not None and cost < 0:
        raise Refused("AP-21", f"{cost} slots", ("0 or more",), final=True)
    ability = find_ability(combatant, name)
    if ability is not None and cost is None:
        return ability
    if cost is None:
        names = tuple(entry.name for entry in abilities(combatant))
        what = f"{combatant.name} has no ability {name!r}" if name else "choose an ability"
        raise Refused("AP-21", what, (*names, "any name, with a cost"), final=True)
    if ability is not None:
        is_from_reserve = ability.from_reserve
        return replace(ability, cost=cost, cost_reserved=None, cost_final=None, reserved_ok=is_from_reserve, typed=True)
    return Ability(name.strip() or "an action", cost, typed=True)
