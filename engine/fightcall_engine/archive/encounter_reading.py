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

Imported only when a file is read: pydantic is slow to load.
"""

from __future__ import annotations

import math
import pathlib
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Annotated, Literal, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from fightcall_engine.archive.encounter import COUNT_SUFFIX, Encounter, is_setting_path, read_setting_files, value_from
from fightcall_engine.board.base import OPEN, AnyBoard, Hex, Location, Terrain, is_symbol
from fightcall_engine.board.kinds import GRIDS, any_board, directions_of, resolve_place
from fightcall_engine.board.maps import NOTHING, MapError, Passage, read_map, read_plan
from fightcall_engine.board.zones import ZoneBoard
from fightcall_engine.files import (
    LONGEST_NAME,
    STRICT,
    Complaints,
    KeyPath,
    accepted_words,
    format_path,
    plain_name,
    read_toml,
    unknown_key,
    without_controls,
)
from fightcall_engine.kit.cues import read_then, read_when, write_part
from fightcall_engine.kit.plugins import find_system, game_of, is_installed, system_names
from fightcall_engine.kit.records import check_setting, setting_named
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.commands import Join, SetCue
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.fold import slug
from fightcall_engine.model.state import Cue, Json, Scalar
from fightcall_engine.model.values import replace
from fightcall_engine.play.cues import cue_of, names_of_joiners, problems_of
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.newcomers import squad_of, style_called

MOST_COMBATANTS = 200
LONGEST_STORY = 20_000
_STAND_INS: Mapping[str, str] = {"name": "?", "system": "", "map": "", "kind": "zone"}


def read_encounter(
    text: str, where: str, folder: pathlib.Path | None = None, setting_folder: pathlib.Path | None = None
) -> Encounter:
    """Read an encounter. `where` names the source in error messages; paths in the text are relative to `folder`.

    Raises:
        BadInput: one message with line number for each error, in the order of the file; or the errors of a setting
            file that the encounter needs.
    """
    data, complaints = read_toml(text.removeprefix("\ufeff"), where, _STAND_INS)
    encounter = _read(data, complaints, folder or pathlib.Path(), setting_folder)
    if complaints.found:
        raise BadInput(where, complaints.in_order())
    return encounter


def _read(
    data: Mapping[str, object], complaints: Complaints, folder: pathlib.Path, setting_folder: pathlib.Path | None
) -> Encounter:
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
        top.name, top.system, seed, top.story, settings, ground.board, joins, user_settings, cues, top.minutes
    )
    if complaints.found or not cues:
        return encounter
    fight = Fight.new(top.system, settings={**user_settings, **settings}, board=ground.board, joins=joins)
    warnings = Complaints(complaints.text)
    return replace(encounter, cues=check_cues(cues, fight, complaints, warnings), warnings=warnings.in_order())


def _find_system(name: str, complaints: Complaints) -> BaseSystem | None:
    if not name:
        return None
    game = game_of(name)
    if game is not None and game.problems:
        complaints.add(("system",), f"system: {game.summary}; fightcall check {game.path} lists all")
        return None
    if not is_installed(name):
        accepts = accepted_words(name, system_names(), "none is installed")
        complaints.add(("system",), f"system: there is no {name!r}; {accepts}")
        return None
    return find_system(name)


def _check_settings(top: EncounterPart, system: BaseSystem, complaints: Complaints, folder: pathlib.Path) -> None:
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
            complaints.add(path, f"{format_path(path)}: {value} isn't a usable number")
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
    joins: list[Join] = []
    owners: list[int] = []
    for number, figure in enumerate(figures):
        path: KeyPath = ("combatant", number)
        name, count = _name_and_count(figure, path, complaints)
        if system is not None:
            if figure.side and figure.side not in system.sides:
                text = f"side: there is no {figure.side!r}; {accepted_words(figure.side, system.sides)}"
                complaints.add((*path, "side"), text)
            _check_sheet(figure, name, system, settings, path, complaints)
        if len(joins) + count > MOST_COMBATANTS:
            complaints.add(path, f"more than {MOST_COMBATANTS} combatants; leave some to join later")
            break
        places = ground.places(figure, count, path)
        squad = squad_of(figure.id or name, count, joins) if figure.squad is None else figure.squad
        facing = ground.facing(figure, path)
        first = Join(
            name=name,
            id=figure.id,
            side=figure.side or (system.sides[0] if system else ""),
            sheet=figure.sheet,
            facing=facing,
            hidden=figure.hidden,
            label=figure.label,
            squad=squad,
        )
        for place, at in enumerate(places, start=1):
            ending = (f" {place}", f"-{place}") if count > 1 else ("", "")
            joins.append(replace(first, name=name + ending[0], id=figure.id and figure.id + ending[1], at=at))
        owners += [number] * (len(joins) - len(owners))
    _check_labels(figures, complaints)
    ids = {join.id or slug(join.name) for join in joins}
    styles = [_read_style(each.fights, ids, ("combatant", at, "fights"), complaints) for at, each in enumerate(figures)]
    return tuple(replace(join, fights=styles[owner]) for join, owner in zip(joins, owners, strict=True))


def _read_style(text: str, ids: Collection[str], path: KeyPath, complaints: Complaints) -> str:
    """How a combatant fights, in its plain form; one of the file is whom it protects."""
    try:
        style = style_called(text)
    except ValueError as error:
        complaints.add(path, f"fights: {error}")
        return ""
    if style.whom and style.whom not in ids:
        complaints.add(path, f"fights: no combatant of this file is called {style.whom!r}")
    return style.text if text.strip() else ""


def _name_and_count(figure: CombatantPart, path: KeyPath, complaints: Complaints) -> tuple[str, int]:
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
        text = f"label {figure.label!r} can't name {count} of {name}; leave it out, or write them one by one"
        complaints.add((*path, "label"), text)
    return name, count


def _check_labels(figures: list[CombatantPart], complaints: Complaints) -> None:
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
def sheet_fields(system: BaseSystem) -> tuple[str, ...]:
    """The names of the fields of a system's sheet."""
    return tuple(cast("Mapping[str, Json]", system.sheet_schema().get("properties", {})))


def _check_sheet(
    figure: CombatantPart,
    name: str,
    system: BaseSystem,
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
            fields = sheet_fields(system)
            if field_name and field_name not in fields and len(place) == 1:
                complaints.add((*path, *place), unknown_key(f"combatant.sheet.{field_name}", field_name, fields))
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
        yield path, f"{value} isn't a usable number"
    elif not isinstance(value, str | int | float):
        yield path, f"dates and times have no place in a sheet (got {value})"


# The board, and the places on which combatants start


def _places_of(figure: CombatantPart) -> tuple[Place, ...]:
    at = figure.at
    return () if at is None else tuple(at) if isinstance(at, list) else (at,)


def symbols_of(figures: Iterable[CombatantPart]) -> tuple[str, ...]:
    """The map symbols that combatants stand on; a place name such as F5 is never one character."""
    places = (place for figure in figures for place in _places_of(figure))
    return tuple(dict.fromkeys(place for place in places if isinstance(place, str) and len(place) == 1))


def drawn_board(data: Mapping[str, object]) -> tuple[AnyBoard, dict[str, list[Location]]]:
    """A board as in an encounter file, and the places of letters and digits that are not in its legend.

    Raises BadInput: the board is invalid; lists all errors.
    """
    drawing, legend = data.get("map"), data.get("legend")
    legend_table = legend if isinstance(legend, Mapping) else {}
    letters = dict.fromkeys(drawing) if isinstance(drawing, str) else {}
    complaints = Complaints("", _STAND_INS)
    ground = Ground(tuple(name for name in letters if name.isalnum() and name not in legend_table), data, complaints)
    if ground.board is None:
        raise BadInput("board", tuple(dict.fromkeys(message for _, message in complaints.found)))
    return ground.board, ground.free


def symbols_in(figures: Iterable[Mapping[str, object]]) -> set[str]:
    """The map symbols that place combatants in the tables of a file."""
    locations = (figure.get("at") for figure in figures)
    places = (place for at in locations for place in (at if isinstance(at, list) else [at]))
    return {str(place) for place in places if isinstance(place, str) and len(place) == 1}


def places_of_symbols(board: object, symbols: Iterable[str]) -> dict[str, list[Location]]:
    """The places on a drawn board by the symbol of combatants that marks them, in the order of the map."""
    return Ground(tuple(symbols), board, Complaints("", _STAND_INS)).free if isinstance(board, Mapping) else {}


class Ground:
    """The board of an encounter, None if invalid; `free` has the places by symbol that nobody occupies yet."""

    def __init__(self, symbols: tuple[str, ...], data: Mapping[str, object] | None, complaints: Complaints) -> None:
        self.board: AnyBoard | None = None
        self.drawn = data is not None
        self.free: dict[str, list[Location]] = {}
        self._taken: dict[Location, str] = {}
        self._complaints = complaints
        self._directions = directions_of(None)
        if data is not None and data.get("kind") == "zone":
            self._read_zones(data)
        elif data is not None:
            self._read_board(data, symbols)

    def _read_board(self, data: Mapping[str, object], symbols: tuple[str, ...]) -> None:
        before = len(self._complaints.found)
        part = self._complaints.part(BoardPart, data, ("board",))
        self._directions = GRIDS[part.kind].directions
        legend = self._read_legend(part)
        if len(self._complaints.found) > before:
            return
        try:
            reading = read_map(GRIDS[part.kind], part.map, legend, symbols, scale=part.scale, unit=part.unit)
        except MapError as error:
            self._complain(error, "legend")
        except ValueError as error:
            self._complaints.add(("board",), f"board: {error}")
        else:
            self.board = any_board(reading.board)
            self.free = {symbol: list(cells) for symbol, cells in reading.places.items()}

    def _complain(self, error: MapError, meanings: str) -> None:
        first = self._complaints.lines.content(("board", "map"))
        for problem in error.problems:
            if problem.line:
                where = f"map, column {problem.column}: {problem.message}"
                self._complaints.add_line(first + problem.line - 1, where)
            else:
                self._complaints.add(("board", meanings), f"board.{meanings}: {problem.message}")

    def _read_zones(self, data: Mapping[str, object]) -> None:
        before = len(self._complaints.found)
        part = self._complaints.part(ZoneBoardPart, data, ("board",))
        self._directions = ZoneBoard.directions
        zones = self._read_areas(part)
        passages = []
        for number, entry in enumerate(part.border):
            border = self._complaints.part(BorderPart, entry, ("board", "border", number))
            if len(border.between) == 2:
                first, second = border.between
                passages.append(Passage(first, second, border.joined, border.blocks_sight))
            else:
                text = "board.border: between is missing; write the names of two zones"
                self._complaints.add(("board", "border", number), text)
        if len(self._complaints.found) > before:
            return
        try:
            board = read_plan(part.map, zones, tuple(passages), scale=part.scale, unit=part.unit)
        except MapError as error:
            self._complain(error, "zones")
        except ValueError as error:
            self._complaints.add(("board",), f"board: {error}")
        else:
            self.board = any_board(board)
            self.free = {symbol: [name] for symbol, (name, _) in zones.items()}

    def _read_areas(self, part: ZoneBoardPart) -> dict[str, tuple[str, Terrain]]:
        zones: dict[str, tuple[str, Terrain]] = {}
        for symbol, entry in part.zones.items():
            path = ("board", "zones", symbol)
            if not is_symbol(symbol) or symbol in NOTHING:
                text = f"{symbol!r} isn't a symbol; a zone's symbol is one visible character, but not a dot"
                self._complaints.add(path, f"board.zones: {text}")
                continue
            area = self._complaints.part(ZonePart, entry, path)
            properties = area.model_dump(exclude={"name"}, exclude_defaults=True)
            zones[symbol] = (area.name, Terrain(area.name, **properties) if properties else OPEN)
        return zones

    def _read_legend(self, part: BoardPart) -> dict[str, Terrain | None]:
        legend: dict[str, Terrain | None] = {}
        for symbol, entry in part.legend.items():
            path = ("board", "legend", symbol)
            if not is_symbol(symbol):
                self._complaints.add(path, f"board.legend: {symbol!r} isn't a symbol; write one visible character")
                continue
            before = len(self._complaints.found)
            ground = self._complaints.part(GroundPart, entry, path)
            if len(self._complaints.found) > before:
                continue
            try:
                legend[symbol] = Terrain(**{**ground.model_dump(), "glyph": ground.glyph or symbol})
            except ValueError as error:
                self._complaints.add(path, f"{format_path(path)}: {error}")
        return legend

    def facing(self, figure: CombatantPart, path: KeyPath) -> int | None:
        """The direction a combatant faces, as the board's number for it."""
        if figure.facing is None:
            return None
        if figure.facing in self._directions:
            return self._directions.index(figure.facing)
        if isinstance(figure.facing, int) and 0 <= figure.facing < len(self._directions):
            return figure.facing
        accepts = f"accepted: {', '.join(self._directions)}" if self._directions else "leave it out"
        text = f"facing: there is no direction {figure.facing!r} on this board; {accepts}"
        self._complaints.add((*path, "facing"), text)
        return None

    def places(self, figure: CombatantPart, count: int, path: KeyPath) -> tuple[Location | None, ...]:
        """The places of `count` identical combatants; all None if they start off the board."""
        raw_places = _places_of(figure)
        nowhere = (None,) * count
        path = (*path, "at")
        if not raw_places:
            return nowhere
        if self.board is None:
            if not self.drawn:
                self._complaints.add(path, f"{figure.name} is to stand at {raw_places[0]!r}, but there is no [board]")
            return nowhere
        if len(raw_places) == 1 and (
            (isinstance(raw_places[0], str) and len(raw_places[0]) == 1) or self.board.holds_several
        ):
            raw_places *= count
        if len(raw_places) != count:
            text = f"{len(raw_places)} places for {count} of {figure.name}; give one each, or one map symbol for all"
            self._complaints.add(path, text)
            return nowhere
        return tuple(self._resolve_place(place, figure.name, path, self.board) for place in raw_places)

    def _resolve_place(self, place: Place, name: str, path: KeyPath, board: AnyBoard) -> Location | None:
        free = self.free.get(place) if isinstance(place, str) else None
        if isinstance(place, str) and len(place) == 1 and not board.holds_several and not free:
            text = f"no {place!r} is left on the map for {name}; draw one each, or give a place such as F5"
            self._complaints.add(path, text)
            return None
        if free:
            return free[0] if board.holds_several else self._occupy(free.pop(0), name, path, board)
        try:
            here = resolve_place(board, Hex(*place) if isinstance(place, tuple) else place)
        except ValueError as error:
            self._complaints.add(path, f"at: {error}")
            return None
        if not board.contains(here):
            self._complaints.add(path, f"at: {board.name_of(here)} is not on the map; {board.extent()} are")
            return None
        return here if board.holds_several else self._occupy(here, name, path, board)

    def _occupy(self, here: Location, name: str, path: KeyPath, board: AnyBoard) -> Location:
        other = self._taken.setdefault(here, name)
        if other is not name:
            self._complaints.add(path, f"{board.name_of(here)} is taken by {other}; {name} needs a free place")
        return here


# Cues


def read_cues(tables: Iterable[Mapping[str, object]], complaints: Complaints) -> tuple[SetCue, ...]:
    """The cues of a file in order. Errors are reported with their lines."""
    cues: list[SetCue] = []
    for number, item in enumerate(tables):
        path: KeyPath = ("cue", number)
        cue = complaints.part(EncounterCue, item, path)
        for key, reader in (("when", read_when), ("then", read_then)):
            try:
                if isinstance(item.get(key, {}), Mapping):
                    reader(item.get(key))
            except BadInput as bad:
                _complain_of(bad, (*path, key), complaints)
        when, outcome = cast("Mapping[str, Json]", cue.when), cast("Mapping[str, Json]", cue.then)
        cues.append(SetCue(id=cue.id, name=cue.name, when=when, then=outcome, each_time=cue.each_time))
    return tuple(cues)


def check_cues(
    set_cues: tuple[SetCue, ...], fight: Fight, complaints: Complaints, warnings: Complaints
) -> tuple[SetCue, ...]:
    """Check cues against their fight.

    Adds to the complaints what makes the file invalid: commands that can never be given; and to the warnings cues that
    can never fire. Joins `like` another combatant get its present sheet, which may be edited before the fight.
    """
    cues: dict[int, Cue] = {}
    for number, command in enumerate(set_cues):
        try:
            cues[number] = cue_of(fight.system, fight.state, command)
        except BadInput as bad:
            _complain_of(bad, ("cue", number, bad.where), complaints)
    coming = names_of_joiners(cues.values())
    for number, cue in cues.items():
        for problem in problems_of(fight.system, fight.state, cue, coming):
            warnings.add(("cue", number), f"cue {cue.name!r}: {problem}")
    checked = list(set_cues)
    for number, cue in cues.items():
        if any(isinstance(proposal, Mapping) and "like" in proposal for proposal in checked[number].then.values()):
            checked[number] = replace(checked[number], then=write_part(cue.then))
    return tuple(checked)


def _complain_of(bad: BadInput, path: KeyPath, complaints: Complaints) -> None:
    for problem in bad.problems:
        complaints.add(path, f"cue.{bad.where}: {problem}")


# The file in parts, so that an error in one part does not hide errors in others


def plain_story(text: str) -> str:
    """A text of several lines. Raises ValueError: it is too long, or has control characters but tabs and line ends."""
    if len(text) > LONGEST_STORY:
        raise ValueError(f"has {len(text)} characters; at most {LONGEST_STORY} will do")
    return without_controls(text, "\n\t")


def _plain_label(text: str) -> str:
    if not (1 <= len(text) <= 3 and text.isascii() and text.isalnum()):
        raise ValueError(f"{text!r} isn't a label; write 1 to 3 letters or digits")
    return text.upper()


def _as_pair(value: object) -> object:
    pair = isinstance(value, list) and len(value) == 2 and all(type(number) is int for number in value)
    return tuple(value) if pair and isinstance(value, list) else value


Place = str | tuple[int, int]
"""A map symbol, the name of a place, or a pair of numbers."""
_Place = Annotated[Place, BeforeValidator(_as_pair)]
Name = Annotated[str, AfterValidator(plain_name)]
Story = Annotated[str, AfterValidator(plain_story)]
Label = Annotated[str, AfterValidator(_plain_label)]
Facing = Annotated[
    Literal["E", "NE", "N", "NW", "W", "SW", "S", "SE"],
    BeforeValidator(lambda value: value.upper() if isinstance(value, str) else value),
]


class _Part(BaseModel):
    model_config = STRICT


class EncounterPart(_Part):
    """The top level of the file; its tables are read by the models below."""

    name: Name
    system: str
    seed: Annotated[str, Field(min_length=1, max_length=200)] | int | None = None
    story: Story = ""
    minutes: Annotated[int, Field(ge=1, le=1000)] | None = None
    settings: dict[str, object] = Field(default_factory=dict)
    board: dict[str, object] | None = None
    combatant: list[dict[str, object]] = Field(default_factory=list)
    cue: list[dict[str, object]] = Field(default_factory=list)


class BoardPart(_Part):
    """``[board]`` of cells: hexes or squares."""

    kind: Literal["hex", "square"] = "hex"
    map: str
    scale: Annotated[float, Field(gt=0)] = 5.0
    unit: Annotated[str, Field(min_length=1, max_length=20)] = "ft"
    legend: dict[str, dict[str, object]] = Field(default_factory=dict)


class _PlacePart(_Part):
    """What ground and zones have in common. `cost` is the price of entering, in steps of open ground."""

    cost: Annotated[int, Field(ge=1)] = 1
    blocks: bool = False
    blocks_sight: bool = False
    cover: Annotated[str, Field(min_length=1)] | None = None
    height_ft: float | None = None


class GroundPart(_PlacePart):
    """One entry of ``[board.legend]``. `glyph` is what the board shows if that is not the map's symbol."""

    name: Name
    glyph: Annotated[str, Field(min_length=1, max_length=1)] | None = None


class ZoneBoardPart(_Part):
    """``[board]`` of zones: a floor plan, the meanings of its symbols, and borders that it does not show."""

    kind: Literal["zone"]
    map: str
    scale: Annotated[float, Field(gt=0)] = 30.0
    unit: Annotated[str, Field(min_length=1, max_length=20)] = "ft"
    zones: dict[str, dict[str, object]] = Field(default_factory=dict)
    border: list[dict[str, object]] = Field(default_factory=list)


class ZonePart(_PlacePart):
    """One entry of ``[board.zones]``."""

    name: Annotated[str, Field(max_length=40), AfterValidator(plain_name)]


class BorderPart(_Part):
    """One ``[[board.border]]``: a door, a wall between adjacent zones, or a passage between others."""

    between: Annotated[list[str], Field(min_length=2, max_length=2)] = Field(default_factory=list)
    joined: bool = True
    blocks_sight: bool = False


class CombatantPart(_Part):
    """One ``[[combatant]]`` table, for one combatant or several identical ones.

    Several form a squad of their name, unless `squad` names another; an empty `squad` means none. `fights` says how
    they fight when the program suggests their acts.
    """

    name: Name
    count: Annotated[int, Field(ge=1, le=MOST_COMBATANTS)] | None = None
    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)] = ""
    side: str = ""
    label: Label = ""
    at: Annotated[Place | list[_Place] | None, BeforeValidator(_as_pair)] = None
    facing: Facing | int | None = None
    hidden: bool = False
    squad: Annotated[str, Field(pattern=r"^[\w-]{0,60}$")] | None = None
    fights: Annotated[str, Field(max_length=120)] = ""
    sheet: dict[str, object] = Field(default_factory=dict)


class EncounterCue(_Part):
    """One ``[[cue]]`` table; `fightcall_engine.model.state` documents `when` and `then`."""

    when: dict[str, object] = Field(default_factory=dict)
    then: dict[str, object] = Field(default_factory=dict)
    name: Annotated[str, Field(max_length=200)] = ""
    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)] = ""
    each_time: bool = False
