"""Changing the armoury during a fight: items from it get their new numbers.

Past events do not change, nor values of a sheet's own; armour keeps its wear.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from fightcall_engine.model.events import Event, Events, SettingChanged, SheetChanged
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.segments.rules.armour import Layer
from fightcall_engine.systems.segments.state import armoury, enlistment, queries, worn_armour
from fightcall_engine.systems.segments.state.armoury import Armoury
from fightcall_engine.systems.segments.state.profile import profile_of

Sheet = Mapping[str, Json]


def refit_everybody(state: FightState, event: SettingChanged) -> Events:
    """The events that update the items of all combatants; `state` already has the new armoury."""
    if event.setting != armoury.SETTING:
        return ()
    before, events = armoury.armoury_from_settings({armoury.SETTING: event.before}), list[Event]()
    for combatant in state.combatants.values():
        sheet = _changed_sheet(state, combatant, before)
        if sheet != combatant.sheet:
            events.append(SheetChanged(who=combatant.id, sheet=sheet))
        layers = tuple(
            _layer(layer, entry, before, armoury.armoury_of_fight(state))
            for layer, entry in _with_sheet(worn_armour.worn_by(combatant), combatant)
        )
        events += queries.set_traits(combatant, armour=layers)
    return tuple(events)


def _changed_sheet(state: FightState, combatant: Combatant, before: Armoury) -> Sheet:
    """The sheet with the weapons whose numbers have changed."""
    own_weapons = profile_of(combatant).weapons
    weapons = [_weapon(thing, before, armoury.armoury_of_fight(state)) for thing in own_weapons]
    return (
        combatant.sheet
        if weapons == list(own_weapons)
        else {**combatant.sheet, "weapons": [cast(Json, thing) for thing in weapons]}
    )


def _weapon(thing: Sheet, before: Armoury, now: Armoury) -> Sheet:
    """A weapon rebuilt from the sheet's own values; unchanged if its row is the same or is gone."""
    like, shield = str(thing.get("like") or ""), thing.get("kind") == "shield"
    old, new = (table.weapon(like, shield_first=shield) if like else None for table in (before, now))
    if old is None or new is None or old == new:
        return thing
    plain = _validate_weapon({**enlistment.cells_of(old), "name": thing["name"], "like": old["key"]})
    own_values = {name: value for name, value in thing.items() if value is not None and value != plain.get(name)}
    own_values.pop("sample", None)
    kind: Sheet = {"kind": "shield"} if shield else {}  # A weapon may have the same name.
    outfit, _ = enlistment.outfit_sheet(
        {"weapons": [{**own_values, **kind, "name": thing["name"], "like": new["key"]}]}, now
    )
    return _validate_weapon(cast("list[Sheet]", outfit["weapons"])[0])


def _validate_weapon(weapon: Sheet) -> Sheet:
    from fightcall_engine.systems.segments.state.sheet import Weapon

    return Weapon.model_validate(weapon).model_dump(mode="json")


def _with_sheet(layers: tuple[Layer, ...], combatant: Combatant) -> tuple[tuple[Layer, Sheet], ...]:
    """Each layer with its entry on the sheet, which is empty for one put on later."""
    entries = profile_of(combatant).armour
    return tuple(
        (
            layer,
            next(
                (
                    each
                    for each in entries
                    if armoury.normalise_name(str(each.get("type"))) == armoury.normalise_name(layer.name)
                ),
                {},
            ),
        )
        for layer in layers
    )


def _layer(layer: Layer, entry: Sheet, before: Armoury, now: Armoury) -> Layer:
    """A layer with the new armoury's figures, less its wear; unchanged if the sheet has its own figures."""
    old, new = before.layer(layer.name), now.layer(layer.name)
    has_own_figures = entry.get("dr") is not None and old is not None and entry.get("dr") != old.dr
    if old is None or new is None or old == new or has_own_figures:
        return layer
    dr = max(0, new.dr - max(0, old.dr - layer.dr))
    lost_wear = max(0, (old.wear or 0) - (layer.wear or 0))
    wear = None if new.wear is None else max(0, new.wear - lost_wear)
    return replace(layer, dr=dr, wear=wear, family=new.family, slash=new.slash)
