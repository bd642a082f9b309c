"""Parts of an attack: the GM's numbers for its harm, its item, its people, its type."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules.attacks import AttackType, attack_type
from fightcall_engine.systems.segments.rules.wounds import Striking
from fightcall_engine.systems.segments.state import armoury, items, weapon_uses
from fightcall_engine.systems.segments.state.action import HURL, SHOOT
from fightcall_engine.systems.segments.state.battle import HURLED, MELEE, MISSILE, Blow
from fightcall_engine.systems.segments.state.commands import Opportunity, Reprise, Resolve
from fightcall_engine.systems.segments.state.condition import clean_line
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.weapon_uses import Item, Way


def way_of(blow: Blow) -> Way:
    """How the weapon is used; hurling and shooting may be skills of their own (CS-252)."""
    return {HURLED: weapon_uses.HURL, MISSILE: weapon_uses.SHOOT}.get(blow.kind, weapon_uses.HAND)


def with_harm(state: FightState, blow: Blow, command: Resolve | Opportunity | Reprise) -> Blow:
    """The blow with the GM's numbers for its harm, which have the names of `commands.Resolve`.

    Raises:
        Refused: a number is out of range, or there is no shield to be in the way.
    """
    numbers = {"pot": command.pot, "barrier": command.barrier, "drop": command.drop, "charge": command.charge}
    for name, value in numbers.items():
        most = _MOST[name]
        if value is not None and not 0 <= value <= most:
            raise Refused("CS-530", f"{name} can't be {value}", (f"0 to {most}",), final=True)
    feet = None if isinstance(command, Reprise) else command.distance
    if feet is not None and not 0 <= feet <= _FARTHEST:
        raise Refused("CS-251", f"distance can't be {feet:g}", (f"0 to {_FARTHEST} ft",), final=True)
    rise = command.rise if isinstance(command, Resolve) else None
    if rise is not None and not abs(rise) <= _HIGHEST:
        raise Refused("CS-281", f"rise can't be {rise}", (f"-{_HIGHEST} to {_HIGHEST}",), final=True)
    if command.struck not in ("", *STRIKINGS):
        raise Refused("CS-603", f"unknown part of a weapon: {command.struck!r}", STRIKINGS, final=True)
    items.check_chosen(state.combatants[blow.target], command.shield)
    return replace(
        blow,
        harm="" if command.harm is None else str(command.harm),
        pot=command.pot,
        struck=command.struck,
        barrier=command.barrier,
        shield=command.shield,
        drop=0.0 if command.drop is None else command.drop,
        charge=command.charge,
        people=() if isinstance(command, Reprise) else tuple(command.people.replace(",", " ").split()),
        line=clean_line(command.line),
        rise=rise,
    )


_MOST = {"pot": 9999, "barrier": 9999, "drop": 9999, "charge": 999}

_HIGHEST = 9999

_FARTHEST = 100_000

STRIKINGS: tuple[Striking, ...] = get_args(Striking)
"""The parts of a weapon that a blow can strike with."""


def bare_if_unarmed(state: FightState, blow: Blow) -> Blow:
    """CS-315, CS-348: a blow with hands, feet or body has nothing to do with what is in hand (L2301 to L2303)."""
    is_bare = not blow.ranged and not blow.mode and type_of(state, blow).bare
    return replace(blow, weapon=items.BARE, second="") if is_bare else blow


def flight_of(action_kind: str) -> str:
    """The kind of blow for an attack by this kind of Action: hurled, shot or in melee."""
    return {SHOOT: MISSILE, HURL: HURLED}.get(action_kind, MELEE)


def item_of(combatant: Combatant, name: str) -> Item:
    """The item with this name; bare hands if it is gone."""
    return items.item_named(combatant, name) or items.find_item(combatant, items.BARE)


def people_of(state: FightState, blow: Blow) -> tuple[Combatant, Combatant]:
    """The attacker and the target."""
    return state.combatants[blow.attacker], state.combatants[blow.target]


def own_types(combatant: Combatant, thing: Item) -> tuple[str, ...]:
    """The types of attack that are listed with a weapon or have been learned."""
    return (*listed_names(thing.get("attack_types")), *profile_of(combatant).special_attacks)


def listed_names(names: object) -> tuple[str, ...]:
    """The names in a list on the sheet."""
    return tuple(str(item) for item in names) if isinstance(names, list | tuple) else ()


def type_of(state: FightState, blow: Blow) -> AttackType:
    """The blow's type of attack; an unknown one counts as the GM's own."""
    combatant = state.combatants[blow.attacker]
    listed_type = attack_type(
        blow.attack, own_types(combatant, item_of(combatant, blow.weapon)), armoury.armoury_of_fight(state).attack_types
    )
    return listed_type or AttackType(blow.attack, blow.attack.replace("_", " "))
