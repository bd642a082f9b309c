"""New combatants: their pools and record, from the sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import cast

from fightcall_engine.kit.records import read_settings
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json, Pool, Scalar
from fightcall_engine.model.values import copy_with
from fightcall_engine.systems.segments.rules.wounds import Layer
from fightcall_engine.systems.segments.state import items, pieces, queries, rolls
from fightcall_engine.systems.segments.state.records import Fighter
from fightcall_engine.systems.segments.state.settings import (
    Armoury,
    Row,
    SegmentsSettings,
    armoury_from_settings,
    default_armoury,
)

Sheet = Mapping[str, Json]
Problems = list[str]
_OF_THE_ROW = ("key", "label", "rule", "sample")
_OWN_NUMBERS = ("kind", "size", "weight_class", "grip", "family", "effects", "fixed_pot", "dr", "db_extra")
"""Fields that define a weapon: with any of them on the sheet, the armoury's row of its name does not count."""

_SAMPLE_FIELDS = ("size", "weight_class", "fixed_pot", "dr", "wear", "coverage_mod", "db_extra")
"""Sample numbers that are not in the text."""


def outfit_sheet(sheet: Sheet, armoury: Armoury) -> tuple[Sheet, Problems]:
    """The sheet completed from the armoury, and the names that the armoury does not know.

    Whatever does not have the shape of a sheet is kept, for its model to refuse.
    """
    problems: Problems = []
    fields = dict(sheet)
    _replace(fields, "weapons", lambda place, item: _weapon(item, f"weapons.{place}", armoury, problems))
    _replace(fields, "armour", lambda place, item: _layer(item, f"armour.{place}", armoury, problems))
    return fields, problems


def cells_of(row: Row) -> Sheet:
    """The fields of a row that belong to a weapon."""
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
    sample = row.get("sample") is True and any(name in left_out for name in _SAMPLE_FIELDS)
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
    layer_data: dict[str, Json] = {"family": layer.family, "slash": str(layer.slash)}
    return layer_data if layer.wear is None else {**layer_data, "wear_total": layer.wear}


def _unknown(name: str, names: Sequence[str]) -> str:
    near = get_close_matches(name.lower().replace(" ", "_"), names, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{name[:60]!r} is not in the armoury; {hint}accepted: {', '.join(names)}"


BOXES = 10
"""Wounds at which a combatant collapses (CS-624)."""


def checked_sheet(sheet: Mapping[str, Json], where: str, settings: Mapping[str, Scalar]) -> Mapping[str, Json]:
    """The sheet with its defaults, completed from the armoury of the fight; BadInput has a line for each fault."""
    from fightcall_engine.model.json_data import read
    from fightcall_engine.systems.segments.state.sheet import SegmentsSheet

    name = f"sheet of {where}"
    whole, problems = outfit_sheet(sheet, armoury_from_settings(settings))
    try:
        values: dict[str, Json] = read(SegmentsSheet, whole, name).model_dump(mode="json")
    except BadInput as bad:
        raise BadInput(name, (*problems, *bad.problems)) from bad
    if problems:
        raise BadInput(name, tuple(problems))
    return values


def sheet_schema(settings: Mapping[str, Scalar] | None = None) -> Mapping[str, Json]:
    """The JSON Schema of a sheet, with the armoury's rows under these settings as choices."""
    from fightcall_engine.systems.segments.state.sheet import SegmentsSheet

    schema: dict[str, Json] = SegmentsSheet.model_json_schema()
    if settings is not None:
        weapon = cast("dict[str, dict[str, dict[str, Json]]]", schema["$defs"])["Weapon"]
        titles = {"": "its own numbers", **armoury_from_settings(settings).titles}
        choices = cast(Json, [{"const": key, "title": title} for key, title in titles.items()])
        weapon["properties"]["like"] = {"type": "string", "default": "", "oneOf": choices}
    return schema


def make_pools(settings: Mapping[str, Scalar], sheet: Mapping[str, Json]) -> Mapping[str, Pool]:
    """The pools of a new combatant: wounds left until the tenth or Body Points, Actions, END and CND allowance."""
    pools = {queries.HP: _health(settings, sheet), queries.SLOTS: Pool(0, 0)}
    for name, key in ((queries.END, "end"), (queries.CND, "cnd_allow")):
        entry = sheet.get(key)
        if isinstance(entry, Mapping):
            most, now = _whole(entry.get("max")), entry.get("cur")
            pools[name] = Pool(most if now is None else min(most, _whole(now)), most)
    return pools


def _health(settings: Mapping[str, Scalar], sheet: Mapping[str, Json]) -> Pool:
    points = sheet.get("bp")
    if read_settings(SegmentsSettings, settings).body_points and isinstance(points, Mapping):
        most = _whole(points.get("max"))
        damage = points.get("damage")
        now = points.get("cur") if damage is None else most - _whole(damage)
        return Pool(most if now is None else max(0, min(most, _whole(now))), most)
    return Pool(max(0, BOXES - _whole(sheet.get("wounds"))), BOXES)


def make_fighter(settings: Mapping[str, Scalar], sheet: Mapping[str, Json]) -> Fighter:
    """The record of a new combatant, who has collapsed if the sheet has the tenth wound (CS-624)."""
    elevation = sheet.get("elev")
    return copy_with(
        Fighter(),
        posture=str(sheet.get("posture") or queries.STANDING),
        wounds=_whole(sheet.get("wounds")),
        life=queries.UP if _health(settings, sheet).now > 0 else queries.COLLAPSED,
        **pieces.from_sheet(sheet.get("crossbow")),
        armour=items.from_sheet(sheet.get("armour")),
        tokens=rolls.from_sheet(sheet),
        elev=float(elevation) if isinstance(elevation, int | float) else 0.0,
    )


def _whole(value: Json) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
