"""Reading an encounter file: a fight prepared by a person, in TOML. All errors are reported together.

name = "Ambush at the Ford"
system = "stage"
[board]
map = '''
. g ~ a
. g ~ T
'''
[board.legend]
"~" = { name = "water", cost = 2 }
"T" = { name = "tree", blocks = true, cover = "partial" }
[[combatant]]
name = "Goblin x2"
side = "foe"
at = "g"
sheet = { hp = 7 }
"""

from __future__ import annotations

import math
import pathlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, cast

from fightcall_engine.archive.encounter_cues import check_cues, read_cues
from fightcall_engine.archive.encounter_ground import Ground, symbols_of
from fightcall_engine.archive.setting_files import is_setting_path, read_setting_files, value_from
from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.files.texts import Complaints, KeyPath, Lines, format_path, parse_toml, unknown_key
from fightcall_engine.kit.registry import find_system, is_installed, system_names
from fightcall_engine.kit.settings import check_setting, setting_named
from fightcall_engine.kit.squads import squad_of
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.commands import Join, SetCue
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json, Scalar
from fightcall_engine.model.values import frozen
from fightcall_engine.play.fight import Fight

if TYPE_CHECKING:
    from fightcall_engine.archive.encounter_models import CombatantPart, EncounterPart

COUNT_SUFFIX = re.compile(r"(?P<name>.*\S)\s+[x×](?P<count>\d{1,4})", re.IGNORECASE | re.DOTALL)
"""A name with a count suffix: ``Goblin x3`` stands for three combatants."""


@frozen
class Encounter:
    """A fight that has not begun: everything that `start_fight` needs.

    Attributes:
        seed: the seed of the dice; None to draw a new one for each fight.
        story: an introduction for the GM; may have several lines.
        minutes: how long the fight takes at a table; None if nobody has said.
        settings: the system's settings that the file sets.
        joins: the combatants, one each, in the order of the roster.
        user_settings: settings from the user's setting files that the encounter does not set; not saved in its file.
        cues: reminders for the GM, each with its condition.
        warnings: problems that do not prevent playing, with line numbers: cues that can never fire.
    """

    name: str
    system: str
    seed: str | None = None
    story: str = ""
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    board: AnyBoard | None = None
    joins: tuple[Join, ...] = ()
    user_settings: Mapping[str, Scalar] = field(default_factory=dict)
    cues: tuple[SetCue, ...] = ()
    minutes: int | None = None
    warnings: tuple[str, ...] = field(default=(), compare=False)


def read_encounter(
    text: str, where: str, folder: pathlib.Path | None = None, setting_folder: pathlib.Path | None = None
) -> Encounter:
    """Read an encounter.

    Args:
        text: the file's content.
        where: the name of the source in error messages, such as its path.
        folder: the folder to which paths in the text are relative; the current one by default.
        setting_folder: the user's folder of setting files.

    Raises:
        BadInput: one message with line number for each error, in the order of the file; or the errors of a setting
            file that the encounter needs.
    """
    text = text.removeprefix("\ufeff")
    try:
        data = parse_toml(text)
        complaints = Complaints(Lines(text))
    except ValueError as error:
        raise BadInput(where, (f"not readable as TOML: {error}",)) from error
    encounter = _read(data, complaints, folder or pathlib.Path(), setting_folder)
    if complaints.found:
        raise BadInput(where, complaints.in_order())
    return encounter


def _read(
    data: Mapping[str, object], complaints: Complaints, folder: pathlib.Path, setting_folder: pathlib.Path | None
) -> Encounter:
    from fightcall_engine.archive.encounter_models import CombatantPart, EncounterPart

    top = complaints.part(EncounterPart, data, ())
    system = _find_system(top.system, complaints)
    user_settings: Mapping[str, Scalar] = {}
    if system is not None:
        _check_settings(top, system, complaints, folder)
        user_settings = read_setting_files(system, setting_folder, but=top.settings)
    figures = [
        complaints.part(CombatantPart, item, ("combatant", number))
        for number, item in enumerate(top.combatant)
        if isinstance(item, Mapping)
    ]
    ground = Ground(symbols_of(figures), top.board, complaints)
    settings = cast("Mapping[str, Scalar]", top.settings)
    joins = _read_figures(figures, ground, system, {**user_settings, **settings}, complaints)
    seed = None if top.seed is None else str(top.seed)
    cues = read_cues(top.cue, complaints)
    encounter = Encounter(
        top.name,
        top.system,
        seed,
        top.story,
        settings,
        ground.board,
        joins,
        user_settings,
        cues,
        top.minutes,
    )
    if complaints.found or not cues:
        return encounter
    fight = Fight.new(top.system, settings={**user_settings, **settings}, board=ground.board, joins=joins)
    warnings = Complaints(complaints.lines)
    return replace(encounter, cues=check_cues(cues, fight, complaints, warnings), warnings=warnings.in_order())


def _find_system(name: str, complaints: Complaints) -> BaseSystem | None:
    if not name:
        return None
    if not is_installed(name):
        near = get_close_matches(name, system_names(), n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        accepts = ", ".join(system_names()) or "none is installed"
        complaints.add(("system",), f"system: there is no {name!r}; {hint}accepted: {accepts}")
        return None
    return find_system(name)


def _check_settings(top: EncounterPart, system: BaseSystem, complaints: Complaints, folder: pathlib.Path) -> None:
    """Check the settings, and replace paths of setting files by their text."""
    keys = tuple(setting.key for setting in system.settings)
    for key, raw_value in tuple(top.settings.items()):
        path = ("settings", key)
        if key not in keys:
            complaints.add(path, unknown_key(format_path(path), key, keys))
            continue
        value, file = raw_value, ""
        setting = setting_named(system, key)
        if setting is not None and is_setting_path(setting, raw_value):
            try:
                value = top.settings[key] = value_from(setting, str(raw_value), folder)
                file = f"{raw_value}, "
            except BadInput as error:
                complaints.add(path, f"settings.{error.problems[0]}")
                continue
        if isinstance(value, float) and not math.isfinite(value):
            complaints.add(path, f"{format_path(path)}: {value} is no number that can be played with")
        try:
            check_setting(system, key, value)
        except BadInput as error:
            for problem in error.problems:
                complaints.add(path, f"settings.{key}: {file}{problem.removeprefix(f'{key}: ')}")


# Combatants


def _read_figures(
    figures: list[CombatantPart],
    ground: Ground,
    system: BaseSystem | None,
    settings: Mapping[str, Scalar],
    complaints: Complaints,
) -> tuple[Join, ...]:
    from fightcall_engine.archive.encounter_models import MOST_COMBATANTS

    joins: list[Join] = []
    sheet_keys = _sheet_keys(system)
    for number, figure in enumerate(figures):
        path: KeyPath = ("combatant", number)
        name, count = _name_and_count(figure, path, complaints)
        if system is not None:
            _check_side(figure, system, path, complaints)
            _check_sheet(figure, name, system, sheet_keys, settings, path, complaints)
        if len(joins) + count > MOST_COMBATANTS:
            complaints.add(path, f"more than {MOST_COMBATANTS} combatants; leave some to join later")
            break
        places = ground.places(figure, count, path)
        squad = squad_of(figure.id or name, count, joins) if figure.squad is None else figure.squad
        facing = ground.facing(figure, path)
        several = (_join(figure, name, number, count, at, facing, system) for number, at in enumerate(places, start=1))
        joins.extend(replace(join, squad=squad) for join in several)
    _check_labels(figures, complaints)
    return tuple(joins)


def _join(
    figure: CombatantPart,
    name: str,
    number: int,
    count: int,
    at: Location | None,
    facing: int | None,
    system: BaseSystem | None,
) -> Join:
    several = count > 1
    return Join(
        name=f"{name} {number}" if several else name,
        id=f"{figure.id}-{number}" if several and figure.id else figure.id,
        side=figure.side or (system.sides[0] if system else ""),
        sheet=figure.sheet,
        at=at,
        facing=facing,
        hidden=figure.hidden,
        label=figure.label,
    )


def _name_and_count(figure: CombatantPart, path: KeyPath, complaints: Complaints) -> tuple[str, int]:
    from fightcall_engine.archive.encounter_models import MOST_COMBATANTS
    from fightcall_engine.files.parts import LONGEST_NAME

    name, count = figure.name, figure.count or 1
    several = COUNT_SUFFIX.fullmatch(name) if figure.count is None else None
    if several is not None:
        name, count = several["name"], int(several["count"])
        if not 1 <= count <= MOST_COMBATANTS:
            text = f"{figure.name}: {count} of them; accepted: 1 to {MOST_COMBATANTS}, or count = 1 for the bare name"
            complaints.add((*path, "name"), text)
            return name, 1
    if count > 1 and len(f"{name} {count}") > LONGEST_NAME:
        complaints.add((*path, "name"), f"the name is too long to be numbered; at most {LONGEST_NAME} with its number")
    if count > 1 and figure.label:
        text = f"label {figure.label!r} cannot name {count} of {name}; leave it out, or write them one by one"
        complaints.add((*path, "label"), text)
    return name, count


def _check_side(figure: CombatantPart, system: BaseSystem, path: KeyPath, complaints: Complaints) -> None:
    if figure.side and figure.side not in system.sides:
        near = get_close_matches(figure.side, system.sides, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        accepts = ", ".join(system.sides)
        complaints.add((*path, "side"), f"side: there is no {figure.side!r}; {hint}accepted: {accepts}")


def _check_labels(figures: list[CombatantPart], complaints: Complaints) -> None:
    """Check that ids are unique, and that no label is the beginning of another."""
    labels: dict[str, str] = {}
    ids: set[str] = set()
    for number, figure in enumerate(figures):
        path: KeyPath = ("combatant", number)
        if figure.id and figure.id in ids:
            complaints.add((*path, "id"), f"id {figure.id!r} is taken; every combatant needs its own")
        ids.add(figure.id)
        label = figure.label
        clash = next((name for name in labels if label and (name.startswith(label) or label.startswith(name))), None)
        if clash is not None:
            text = f"label {label!r} of {figure.name} clashes with {clash!r} of {labels[clash]}; use another"
            complaints.add((*path, "label"), text)
        elif label:
            labels[label] = figure.name


# Sheets


@cache
def _sheet_keys(system: BaseSystem | None) -> tuple[str, ...]:
    properties = system.sheet_schema().get("properties") if system is not None else None
    return tuple(str(key) for key in properties) if isinstance(properties, Mapping) else ()


def _check_sheet(
    figure: CombatantPart,
    name: str,
    system: BaseSystem,
    sheet_keys: tuple[str, ...],
    settings: Mapping[str, Scalar],
    path: KeyPath,
    complaints: Complaints,
) -> None:
    path = (*path, "sheet")
    odd = tuple(_not_json(figure.sheet, path))
    for place, message in odd:
        complaints.add(place, f"{format_path(place)}: {message}")
    if odd:
        return
    try:
        system.check_sheet(cast("Mapping[str, Json]", figure.sheet), name, settings)
    except BadInput as error:
        for problem in error.problems:
            place, field_name = _sheet_place(problem, figure.sheet)
            if field_name and field_name not in sheet_keys and len(place) == 1:
                complaints.add((*path, *place), unknown_key(f"combatant.sheet.{field_name}", field_name, sheet_keys))
            else:
                complaints.add((*path, *place), f"sheet: {problem}" if name == "?" else f"sheet of {name}: {problem}")


def _sheet_place(problem: str, sheet: Mapping[str, object]) -> tuple[KeyPath, str]:
    """The path in a sheet to which a system's error such as ``strikes.0.kind: ...`` refers, as far as it exists."""
    steps = problem.partition(":")[0].split(".")
    here: object = sheet
    place: list[str | int] = []
    for step in steps:
        if isinstance(here, Mapping) and step in here:
            place.append(step)
            here = here[step]
        elif isinstance(here, list) and step.isdecimal() and int(step) < len(here):
            place.append(int(step))
            here = here[int(step)]
        else:
            break
    return tuple(place), steps[0] if place else ""


def _not_json(value: object, path: KeyPath) -> Iterable[tuple[KeyPath, str]]:
    """Values of TOML that a sheet cannot hold: dates, times, NaN and infinities."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _not_json(item, (*path, str(key)))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _not_json(item, (*path, number))
    elif isinstance(value, float) and not math.isfinite(value):
        yield path, f"{value} is no number that can be played with"
    elif not isinstance(value, str | int | float):
        yield path, f"dates and times have no place in a sheet (got {value})"
