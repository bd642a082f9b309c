"""What a combatant begins with: pools, and what is remembered, made from the sheet."""

from collections.abc import Mapping
from typing import cast

from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json, Pool, Scalar
from fightcall_engine.model.values import copy_with
from fightcall_engine.systems.segments.state import armoury, crossbows, figures, outfits, tokens, worn_armour
from fightcall_engine.systems.segments.state.fighter import Fighter

BOXES = 10
"""Wounds until somebody collapses (CS-624)."""


def checked_sheet(sheet: Mapping[str, Json], where: str, settings: Mapping[str, Scalar]) -> Mapping[str, Json]:
    """The sheet with its defaults, and with what it takes from the armoury of the fight.

    Raises:
        BadInput: one line for each thing that is wrong.
    """
    from fightcall_engine.model.json_data import read
    from fightcall_engine.systems.segments.state.sheet import SegmentsSheet

    name = f"sheet of {where}"
    whole, problems = outfits.outfit_sheet(sheet, armoury.armoury_of(settings))
    try:
        values: dict[str, Json] = read(SegmentsSheet, whole, name).model_dump(mode="json")
    except BadInput as bad:
        raise BadInput(name, (*problems, *bad.problems)) from bad
    if problems:
        raise BadInput(name, tuple(problems))
    return values


def sheet_schema(settings: Mapping[str, Scalar] | None = None) -> Mapping[str, Json]:
    """The JSON Schema of a sheet, with the rows of the armoury under these settings to choose from."""
    from fightcall_engine.systems.segments.state.sheet import SegmentsSheet

    schema: dict[str, Json] = SegmentsSheet.model_json_schema()
    if settings is not None:
        weapon = cast("dict[str, dict[str, dict[str, Json]]]", schema["$defs"])["Weapon"]
        titles = {"": "its own numbers", **armoury.armoury_of(settings).titles}
        choices = cast(Json, [{"const": key, "title": title} for key, title in titles.items()])
        weapon["properties"]["like"] = {"type": "string", "default": "", "oneOf": choices}
    return schema


def make_pools(settings: Mapping[str, Scalar], sheet: Mapping[str, Json]) -> Mapping[str, Pool]:
    """Wounds left until the tenth, or Body Points; Actions; END and CND allowance where the sheet has them."""
    pools = {figures.HP: _health(settings, sheet), figures.SLOTS: Pool(0, 0)}
    for name, key in ((figures.END, "end"), (figures.CND, "cnd_allow")):
        entry = sheet.get(key)
        if isinstance(entry, Mapping):
            most, now = _whole(entry.get("max")), entry.get("cur")
            pools[name] = Pool(most if now is None else min(most, _whole(now)), most)
    return pools


def _health(settings: Mapping[str, Scalar], sheet: Mapping[str, Json]) -> Pool:
    points = sheet.get("bp")
    if settings.get("body_points") and isinstance(points, Mapping):
        most = _whole(points.get("max"))
        damage = points.get("damage")
        now = points.get("cur") if damage is None else most - _whole(damage)
        return Pool(most if now is None else max(0, min(most, _whole(now))), most)
    return Pool(max(0, BOXES - _whole(sheet.get("wounds"))), BOXES)


def make_fighter(sheet: Mapping[str, Json]) -> Fighter:
    """Everything that is remembered of somebody, as it is at first."""
    elevation = sheet.get("elev")
    return copy_with(
        Fighter(),
        posture=str(sheet.get("posture") or figures.STANDING),
        wounds=_whole(sheet.get("wounds")),
        **crossbows.from_sheet(sheet.get("crossbow")),
        armour=worn_armour.from_sheet(sheet.get("armour")),
        tokens=tokens.from_sheet(sheet),
        elev=float(elevation) if isinstance(elevation, int | float) else 0.0,
    )


def _whole(value: Json) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
