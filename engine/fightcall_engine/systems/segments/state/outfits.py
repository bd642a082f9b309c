"""What a sheet leaves out of weapons and armour, taken from the fight's armoury when somebody joins (M-09, CS-572).

From then on it stands on the sheet that the fight keeps, so that nobody has to look it up again. Weapons may name the
row that they are ``like``. One that only has a name, and none of its own numbers, is the row of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import cast

from fightcall_engine.model.state import Json
from fightcall_engine.systems.segments.rules.armour import Layer
from fightcall_engine.systems.segments.state.armoury import Armoury, Row, default_armoury

Sheet = Mapping[str, Json]

Problems = list[str]

_OF_THE_ROW = ("key", "label", "rule", "sample")

_OWN_NUMBERS = ("kind", "size", "weight_class", "grip", "family", "effects", "fixed_pot", "dr", "db_extra")
"""What tells what a weapon is: where a sheet says any of it, the weapon is the sheet's own, whatever it is called."""

_INVENTED = ("size", "weight_class", "fixed_pot", "dr", "wear", "coverage_mod", "db_extra")
"""Numbers of a sample that are not in the text."""


def outfit_sheet(sheet: Sheet, armoury: Armoury) -> tuple[Sheet, Problems]:
    """The sheet with what it leaves out, and what of it the armoury does not know.

    Args:
        sheet: as it was written; what is not shaped like a sheet stays as it is, and is refused by its model.
        armoury: of the fight it is for.
    """
    problems: Problems = []
    fields = dict(sheet)
    _replace(fields, "weapons", lambda place, item: _weapon(item, f"weapons.{place}", armoury, problems))
    _replace(fields, "armour", lambda place, item: _layer(item, f"armour.{place}", armoury, problems))
    return fields, problems


def cells_of(row: Row) -> Sheet:
    """What of a row is a weapon's."""
    return {name: value for name, value in row.items() if name not in _OF_THE_ROW}


def _replace(sheet: dict[str, Json], key: str, convert: Callable[[int, Sheet], Sheet]) -> None:
    entries = sheet.get(key)
    if isinstance(entries, list | tuple):
        sheet[key] = [
            cast(Json, convert(place, item)) if isinstance(item, Mapping) else item
            for place, item in enumerate(entries)
        ]


def _weapon(item: Sheet, where: str, armoury: Armoury, problems: Problems) -> Sheet:
    row = _row_of(item, where, armoury, problems)
    if row is None:
        return item
    left_out = {name: value for name, value in cells_of(row).items() if item.get(name) is None}
    sample = row.get("sample") is True and any(name in left_out for name in _INVENTED)
    sample_mark: Sheet = {"sample": True} if sample else {}
    return {**item, **left_out, "like": row["key"], **sample_mark}


def _row_of(item: Sheet, where: str, armoury: Armoury, problems: Problems) -> Row | None:
    like, name, shield = item.get("like"), item.get("name"), item.get("kind") == "shield"
    if isinstance(like, str) and like:
        row = armoury.weapon(like, shield_first=shield)
        if row is None:
            problems.append(f"{where}.like: {_unknown(like, armoury.weapon_names)}")
        return row
    if not isinstance(name, str) or any(item.get(number) is not None for number in _OWN_NUMBERS):
        return None
    return armoury.weapon(name)


def _layer(item: Sheet, where: str, armoury: Armoury, problems: Problems) -> Sheet:
    name, dr = item.get("type"), item.get("dr")
    if not isinstance(name, str) or dr is not None:
        return item
    layer = armoury.layer(name)
    if layer is None or layer.family == "shield":
        kinds = tuple(key for key, each in armoury.armour.items() if each.family != "shield")
        problems.append(f"{where}.type: {_unknown(name, kinds)}; or give its dr")
        return {**item, "dr": 0}
    return item if layer == default_armoury().layer(name) else {**_own_layer(layer), **item, "dr": layer.dr}


def _own_layer(layer: Layer) -> Sheet:
    """The GM's own type as a sheet says it."""
    layer_data: dict[str, Json] = {"family": layer.family, "slash": str(layer.slash)}
    return layer_data if layer.wear is None else {**layer_data, "wear_total": layer.wear}


def _unknown(name: str, names: Sequence[str]) -> str:
    near = get_close_matches(name.lower().replace(" ", "_"), names, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{name[:60]!r} is not in the armoury; {hint}accepted: {', '.join(names)}"
