"""Armour and shields as worn: their layers, their wear, and how the GM types them.

Layers are typed outermost first: ``doublemail:20/40; padded_simple:10``. The name is followed by the figures as printed
in the table (CS-572, CS-582), then by what is not in the table: a family, the share of a Slash that it takes, a grade.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import cast, get_args

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.errors import FieldValue, Refused
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import remembered_of
from fightcall_engine.systems.segments.rules.gear import Family, Grade, Layer, Worn, armour_types
from fightcall_engine.systems.segments.rules.hits import Season, Standing, clothing_layers
from fightcall_engine.systems.segments.state import armoury, harm_events, items
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.settings import settings_of

_SHARES: Mapping[str, Fraction] = {"plate": Fraction(0), "cuerbully": Fraction(1, 2)}
"""The share of a Slash that a layer takes, by family (CS-591)."""

# Reading and writing a layer


@lru_cache
def find_layer(name: str) -> Layer | None:
    """The type of the text's table with this key or name, or None."""
    return armoury.find_armour(name, armour_types())


def layer_of(text: str) -> Layer | None:
    """The layer of an entry; None for one without a name."""
    name, _, rest = text.strip().partition(":")
    figures, *words = (word.strip() for word in rest.split(":"))
    if not name.strip():
        return None
    layer = _new_layer(name.strip(), words)
    first, _, second = figures.partition("/")
    if _is_figure(first):
        layer = replace(layer, dr=int(first), wear=int(second) if _is_figure(second) else None)
    grade = next((cast(Grade, word) for word in words if word in get_args(Grade)), None)
    return replace(layer, grade=grade)


def _new_layer(name: str, words: list[str]) -> Layer:
    """An unworn layer of this name: as in the table, changed by the other words of its entry."""
    listed_layer = find_layer(name) or Layer(name, "other", 0)
    family = next((cast(Family, word) for word in words if word in get_args(Family)), listed_layer.family)
    text = next((word.removeprefix(_SLASHED) for word in words if word.startswith(_SLASHED)), "")
    if _SHARE.fullmatch(text):
        share = min(Fraction(1), Fraction(text))
    else:
        share = listed_layer.slash if family == listed_layer.family else _SHARES.get(family, Fraction(1))
    return replace(listed_layer, family=family, slash=share)


def _is_figure(text: str) -> bool:
    return text.strip().isdecimal() and len(text.strip()) < _MOST_DIGITS


_MOST_DIGITS = 7

_SLASHED = "slash "

_SHARE = re.compile(r"\d{1,3}(/[1-9]\d{0,2})?")


def entry_of(layer: Layer) -> str:
    """The entry of a layer."""
    figures = str(layer.dr) if layer.wear is None else f"{layer.dr}/{layer.wear}"
    name = _without_signs(layer.name)
    family = () if layer.family == _new_layer(name, []).family else (layer.family,)
    slash = () if layer.slash == _new_layer(name, [*family]).slash else (f"{_SLASHED}{layer.slash}",)
    return ":".join((name, figures, *family, *slash, *((layer.grade,) if layer.grade else ())))


def _without_signs(name: str) -> str:
    return " ".join(name.replace(";", " ").replace(":", " ").split())


def format_layers(layers: tuple[Layer, ...]) -> str:
    """Layers as the GM types them."""
    return "; ".join(entry_of(layer) for layer in layers)


def from_sheet(data: object) -> tuple[Layer, ...]:
    """The layers of a sheet (CS-572)."""
    entries = data if isinstance(data, list | tuple) else ()
    return tuple(_on_sheet(item) for item in entries if isinstance(item, Mapping))


def _on_sheet(item: Mapping[str, Json]) -> Layer:
    name = str(item.get("type") or "armour")
    slash = str(item.get("slash") or "")
    layer = _new_layer(name, [str(item.get("family") or ""), f"{_SLASHED}{slash}" if slash else ""])
    dr, wear, grade = item.get("dr"), item.get("wear_total"), item.get("grade")
    return replace(
        layer,
        dr=dr if isinstance(dr, int) else layer.dr,
        # A type of the GM's own is complete, even without a second figure.
        wear=wear if isinstance(wear, int) else None if slash else layer.wear,
        grade=cast(Grade, grade) if grade in get_args(Grade) else None,
    )


# Worn layers


def worn_by(combatant: Combatant) -> tuple[Layer, ...]:
    """Layers of armour, outermost first, including destroyed ones, which protect no more."""
    return fighter_of(combatant).armour


def layers_of(state: FightState, combatant: Combatant) -> tuple[tuple[str, int, int], ...]:
    """Each layer with what is left of how much: of its second figure, if armour wears (CS-582)."""
    wearing = settings_of(state).armour_wear
    new = _new_layers(profile_of(combatant).armour)
    layers = []
    for place, layer in enumerate(worn_by(combatant)):
        first = new[place] if place < len(new) and new[place].name == layer.name else find_layer(layer.name) or layer
        layers.append((layer.name, *remaining_figure(layer, first, wearing)))
    return tuple(layers)


_new_layers = remembered_of(1024)(from_sheet)


def shields_left(state: FightState, combatant: Combatant) -> tuple[tuple[str, int, int], ...]:
    """Each shield in hand with what is left of how much (CS-597)."""
    wearing = settings_of(state).armour_wear
    return tuple((now.name, *remaining_figure(now, new, wearing)) for now, new in shields_of(combatant))


def remaining_figure(now: Layer, new: Layer, wearing: bool) -> tuple[int, int]:
    """What is left of a layer, of how much: of its second figure, if armour wears (CS-582)."""
    left, of = (layer.wear if wearing and layer.wear is not None else layer.dr for layer in (now, new))
    return left, max(left, of)


def shield_of(combatant: Combatant, name: str = "") -> Layer | None:
    """The shield in hand with this name, or the first, as a layer; None if none still protects."""
    matches = (now for now, _ in shields_of(combatant) if not name or now.name.lower() == name.lower())
    return next(matches, None)


def shields_of(combatant: Combatant) -> tuple[tuple[Layer, Layer], ...]:
    """The shields in hand as layers, each as it is now and as it was new."""
    wear_of = {layer.name.lower(): layer for layer in fighter_of(combatant).shields}
    by_name: dict[str, tuple[Layer, Layer]] = {}
    for thing in items.items_in_hand(combatant).values():
        if items.is_shield(thing):
            new = _new_shield(thing)
            layer_now = wear_of.get(new.name.lower(), new)
            by_name.setdefault(new.name.lower(), (replace(new, dr=layer_now.dr, wear=layer_now.wear), new))
    return tuple(by_name.values())


def _new_shield(thing: Mapping[str, Json]) -> Layer:
    label = items.name_of(thing)
    listed_layer = find_layer(label) or find_layer(f"shield {label}")
    dr, wear = thing.get("dr"), thing.get("wear")
    return Layer(
        label,
        "shield",
        dr if isinstance(dr, int) and dr else listed_layer.dr if listed_layer is not None else 0,
        wear if isinstance(wear, int) else None,
    )


def check_chosen(combatant: Combatant, in_way_by_gm: bool | None) -> None:
    """CS-597: check that a shield is there, with a known DR, if the GM says it is in the way.

    Raises:
        Refused: there is none, or its DR is not entered.
    """
    worn_shield = shield_of(combatant) if in_way_by_gm else None
    if in_way_by_gm and worn_shield is None:
        accepts = (FieldValue("shield", False), "a shield in hand")
        raise Refused("CS-597", f"{combatant.name} holds no shield", accepts, final=True)
    if worn_shield is not None and not worn_shield.dr and worn_shield.name.lower() not in _kept_names(combatant):
        types = tuple(f"dr {layer.dr} as {layer.name}" for layer in armour_types().values() if layer.family == "shield")
        raise Refused("CS-597", f"{combatant.name}'s {worn_shield.name} has no DR entered", types, final=True)


def _kept_names(combatant: Combatant) -> tuple[str, ...]:
    return tuple(layer.name.lower() for layer in fighter_of(combatant).shields)


def clothing_of(state: FightState, combatant: Combatant) -> int:
    """Layers of street clothes: as on the sheet, else usual for the combatant's standing (CS-567)."""
    layers, standing = profile_of(combatant).clothing_layers, profile_of(combatant).standing
    if layers is not None:
        return layers
    if standing not in get_args(Standing):
        return 0
    season: Season = settings_of(state).season
    return clothing_layers(cast(Standing, standing), season)


# Wear


def emit_wear(
    decision: Decision, combatant_id: str, wear: tuple[Worn, ...], after: tuple[Layer, ...], with_shield: bool
) -> None:
    """CS-580, CS-584: emit what each layer has lost, and which are ruined.

    Args:
        decision: the decision.
        combatant_id: the wearer.
        wear: what the blow did to the layers.
        after: the layers after it.
        with_shield: whether the first of them is a shield.
    """
    for change in wear:
        combatant = decision.state.combatants[combatant_id]
        is_shield = with_shield and change.place == 0
        now = after[change.place]
        place = change.place - with_shield
        traits = _with_shield(combatant, now) if is_shield else _with_layer(combatant, place, now)
        kind = harm_events.ArmourWorn if change.left else harm_events.ArmourDestroyed
        decision.emit(kind(who=combatant_id, traits=traits, layer=change.name, lost=change.lost, left=change.left))


def _with_layer(combatant: Combatant, place: int, now: Layer) -> Mapping[str, tuple[Layer, ...]]:
    layers = worn_by(combatant)
    return {"armour": (*layers[:place], now, *layers[place + 1 :])}


def _with_shield(combatant: Combatant, now: Layer) -> Mapping[str, tuple[Layer, ...]]:
    others = [layer for layer in fighter_of(combatant).shields if layer.name.lower() != now.name.lower()]
    return {"shields": (*others, replace(now, family="other"))}


def parse_layer(entry: str, table: armoury.Armoury) -> Layer:
    """The layer of an entry that the GM typed: with its own figures, else as in the fight's armoury.

    Raises:
        Refused: it is not in the armoury and has no figures.
    """
    name, _, rest = entry.strip().partition(":")
    layer, listed_layer = layer_of(entry), table.layer(name)
    has_figures = _is_figure(rest.partition(":")[0].partition("/")[0])
    if layer is None or (listed_layer is None and not has_figures):
        accepts = (*table.armour, "name:DR, such as coat:12 or coat:10/40")
        raise Refused("CS-572", f"{name!r} is not armour from the table", accepts, final=True)
    if listed_layer is None or listed_layer == find_layer(name):
        return layer
    figures = layer if has_figures else listed_layer
    standard = find_layer(listed_layer.name) or listed_layer
    return replace(listed_layer, name=standard.name, dr=figures.dr, wear=figures.wear, grade=layer.grade)
