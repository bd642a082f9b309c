"""Types of attack: those that a combatant can make with an item, and their checks (CS-349, CS-350, CS-362)."""

from __future__ import annotations

from fightcall_engine.kit.checks import Check
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules.attacks import (
    AttackType,
    attack_type,
    key_of,
    may_reprise_with,
    missing_options,
    usual_type,
)
from fightcall_engine.systems.segments.state import (
    armoury,
    items,
)
from fightcall_engine.systems.segments.state.action import STRIKE
from fightcall_engine.systems.segments.state.blows import listed_names, own_types
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.weapon_uses import Item

TRAINED = ("warrior", "assassin", "huntsman")
"""Trades that know Combinations and special attacks from the start (CS-362)."""


def has_learned(combatant: Combatant, thing: Item, kind: AttackType) -> bool:
    """CS-362: whether a combatant can make this type of attack: everybody can, it was learned, or a trade teaches it.

    Without entries for trades and special attacks on the sheet, everything is allowed.
    """
    if not kind.special or kind.key in {key_of(name) for name in own_types(combatant, thing)}:
        return True
    is_unknown = not profile_of(combatant).trades and not own_types(combatant, {})
    return is_unknown or profile_of(combatant).has_trade(*TRAINED)


def fits_field(thing: Item, kind: AttackType) -> bool:
    """CS-574, CS-590, CS-593: whether an item has the edge or point that a type needs, or lists the type itself."""
    if not kind.sharp:
        return True
    blunt = set(listed_names(thing.get("effects"))) == {"blunt"} or items.name_of(thing) == items.BARE
    return not blunt or kind.key in {key_of(name) for name in listed_types(thing)}


def open_types(state: FightState, combatant: Combatant, kind: str, thing: Item) -> tuple[AttackType, ...]:
    """The types of attack that a combatant can make with an item now (CS-350, CS-362)."""
    table = armoury.armoury_of_fight(state).attack_types
    own_keys = dict.fromkeys(key_of(name) for name in own_types(combatant, thing))
    attack_types = (*table.values(), *(AttackType(key, key) for key in own_keys if key not in table))
    return tuple(
        each
        for each in attack_types
        if kind in each.kinds
        and not missing_options(each, state.settings)
        and has_learned(combatant, thing, each)
        and fits_field(thing, each)
    )


def default_type(state: FightState, combatant: Combatant, kind: str, thing: Item) -> str:
    """The type of attack if none is named; empty if the weapon allows several (CS-349)."""
    if items.name_of(thing) == items.BARE and kind in (STRIKE, "opportunity", "reprisal"):
        return "brawl"
    open_keys = {each.key for each in open_types(state, combatant, kind, thing)}
    listed_open = [name for name in listed_types(thing) if key_of(name) in open_keys]
    return usual_type(kind, listed_open)


def listed_types(thing: Item) -> tuple[str, ...]:
    """The types that a weapon is made for (CS-349)."""
    return own_types(_NOBODY, thing)


_NOBODY = Combatant(id="", label="", name="", side="", sheet={})


def type_checks(state: FightState, combatant: Combatant, kind: str, thing: Item, name: str) -> tuple[Check, ...]:
    """CS-349, CS-350, CS-362, CS-483: the type is named, known, allowed in this fight, learned and fitting."""
    open_now = tuple(each.key for each in open_types(state, combatant, kind, thing))
    made_for = {key_of(attack) for attack in listed_types(thing)}
    choices = tuple(key for key in open_now if not made_for or key in made_for) or open_now
    if not name:
        weapon = items.name_of(thing)
        return (Check(False, "CS-349", f"choose the type of attack with {weapon}", choices),)
    chosen_type = attack_type(name, own_types(combatant, thing), armoury.armoury_of_fight(state).attack_types)
    if chosen_type is None:
        return (Check(False, "CS-350", f"unknown type of attack: {name!r}", open_now),)
    lacking = missing_options(chosen_type, state.settings)
    owned_types = frozenset({chosen_type.key}) if has_learned(combatant, thing, chosen_type) else frozenset()
    reprisal = kind != "reprisal" or may_reprise_with(chosen_type.key, owned_types)
    return (
        Check(reprisal, "CS-483", f"{chosen_type.label} can't be used as a Reprisal", open_now),
        Check(not lacking, "CS-350", f"{chosen_type.label} needs the setting {', '.join(lacking)}", open_now),
        Check(
            bool(owned_types),
            "CS-362",
            f"{combatant.name} has not learned {chosen_type.label}",
            open_now,
        ),
        Check(
            fits_field(thing, chosen_type),
            chosen_type.rule,
            f"{items.name_of(thing)} is blunt and can't be used for {chosen_type.label}",
            choices,
        ),
        Check(
            kind in chosen_type.kinds,
            chosen_type.rule,
            f"{chosen_type.label} can't be used to {kind.replace('_', ' ')}",
            open_now,
        ),
    )
