"""Reading an encounter file: a fight prepared by a person, in TOML. All that is wrong with it is said at once.

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
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeVar, cast

from fightcall_engine.archive.toml_lines import Lines, Path
from fightcall_engine.basics import check_setting
from fightcall_engine.board.hexboard import HexBoard
from fightcall_engine.board.hexes import DIRECTION_NAMES, Hex, place_name
from fightcall_engine.commands import Join
from fightcall_engine.errors import BadInput
from fightcall_engine.state import Json, Scalar
from fightcall_engine.system import System, find_system, system_names

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

    from fightcall_engine.archive.encounter_models import BoardPart, CombatantPart, EncounterPart, Part
    from fightcall_engine.board.terrain import Terrain

    PartT = TypeVar("PartT", bound=Part)

SEVERAL = re.compile(r"(?P<name>.*\S)\s+[x×](?P<count>\d{1,4})", re.IGNORECASE | re.DOTALL)
"""How a name says that it stands for several: ``Goblin x3``."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """A fight that has not begun: everything that `start_fight` needs.

    Attributes:
        seed: the seed of its dice, None where each fight has its own.
        story: what the GM reads before it; may be several lines.
        settings: those of the system's settings that differ from its defaults.
        joins: who fights, one by one, in the order of the roster.
    """

    name: str
    system: str
    seed: str | None = None
    story: str = ""
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    board: HexBoard | None = None
    joins: tuple[Join, ...] = ()


def read_encounter(text: str, where: str) -> Encounter:
    """Read an encounter.

    Args:
        text: the file's content.
        where: what to call it in a complaint, such as its path.

    Raises:
        BadInput: one line for each thing that is wrong, in the order of the file, each with its line number.
    """
    text = text.removeprefix("\ufeff")
    try:
        data: dict[str, object] = tomllib.loads(text)
        complaints = _Complaints(Lines(text))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(where, (f"not readable as TOML: {error}",)) from error
    except RecursionError:
        raise BadInput(where, ("lists or tables lie too deep inside each other",)) from None
    encounter = _read(data, complaints)
    if complaints.found:
        raise BadInput(where, complaints.in_order())
    return encounter


class _Complaints:
    """What is wrong with a file, collected while reading goes on."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.found: list[tuple[int, str]] = []

    def add(self, path: Path, message: str) -> None:
        """Complain about the value at a path."""
        self.add_line(self.lines.find(path), message)

    def add_line(self, line: int, message: str) -> None:
        """Complain about a line."""
        self.found.append((line, message))

    def in_order(self) -> tuple[str, ...]:
        """All complaints in the order of the file, each once."""
        ordered = sorted(self.found, key=lambda complaint: complaint[0])
        return tuple(dict.fromkeys(f"line {line}: {message}" for line, message in ordered))

    def part(self, kind: type[PartT], data: Mapping[str, object], path: Path) -> PartT:
        """Read one part of the file. Of a faulty one, the fields that are good."""
        from pydantic import ValidationError

        try:
            return kind.model_validate(dict(data))
        except ValidationError as error:
            bad = self._explain(error, tuple(kind.model_fields), path)
        good = {key: value for key, value in data.items() if key in kind.model_fields and key not in bad}
        return kind.model_construct(**{**kind.STAND_INS, **good})

    def _explain(self, error: ValidationError, known: tuple[str, ...], path: Path) -> set[str]:
        bad = set()
        for one in error.errors(include_url=False):
            place = one["loc"]
            bad.add(str(place[0]))
            # A union reports under the name of each of its members, which is no key of the file.
            keys = tuple(key for key in place if isinstance(key, int) or key in known)
            self.add((*path, *(keys or place)), _in_words(one, _dotted((*path, *(keys or place))), known))
        return bad


def _dotted(path: Path) -> str:
    """A path as the file would spell it, without the positions of tables."""
    return ".".join(str(key) for key in path if not isinstance(key, int)) or "file"


def _in_words(problem: ErrorDetails, name: str, known: tuple[str, ...]) -> str:
    if problem["type"] == "extra_forbidden":
        return unknown_key(name, str(problem["loc"][-1]), known)
    if problem["type"] == "missing":
        return f"{name} is missing"
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "value_error":
        return f"{name} {message}"
    return f"{name}: {message} (got {repr(problem['input'])[:60]})"


def unknown_key(name: str, key: str, known: Iterable[str]) -> str:
    """The complaint about a key nobody knows, with the nearest one that is known."""
    known = tuple(known)
    near = get_close_matches(key, known, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{name}: unknown; {hint}accepted: {', '.join(known) or 'nothing'}"


def _read(data: Mapping[str, object], complaints: _Complaints) -> Encounter:
    from fightcall_engine.archive.encounter_models import CombatantPart, EncounterPart

    top = complaints.part(EncounterPart, data, ())
    system = _find_system(top.system, complaints)
    if system is not None:
        _check_settings(top, system, complaints)
    figures = [
        complaints.part(CombatantPart, one, ("combatant", number))
        for number, one in enumerate(top.combatant)
        if isinstance(one, Mapping)
    ]
    ground = _Ground(_symbols_of(figures), top.board, complaints)
    joins = _read_figures(figures, ground, system, complaints)
    seed = None if top.seed is None else str(top.seed)
    settings = cast("Mapping[str, Scalar]", top.settings)
    return Encounter(top.name, top.system, seed, top.story, settings, ground.board, joins)


def _find_system(name: str, complaints: _Complaints) -> System | None:
    if not name:
        return None
    if name not in system_names():
        near = get_close_matches(name, system_names(), n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        accepted = ", ".join(system_names()) or "none is installed"
        complaints.add(("system",), f"system: there is no {name!r}; {hint}accepted: {accepted}")
        return None
    return find_system(name)


def _check_settings(top: EncounterPart, system: System, complaints: _Complaints) -> None:
    known = tuple(setting.key for setting in system.settings)
    for key, value in top.settings.items():
        path = ("settings", key)
        if key not in known:
            complaints.add(path, unknown_key(_dotted(path), key, known))
            continue
        try:
            check_setting(system, key, value)
        except BadInput as error:
            for problem in error.problems:
                complaints.add(path, f"settings.{problem}")


# The board


def _places_of(figure: CombatantPart) -> tuple[str, ...]:
    at = figure.at
    return () if at is None else (at,) if isinstance(at, str) else tuple(at)


def _symbols_of(figures: Iterable[CombatantPart]) -> tuple[str, ...]:
    """The map symbols that combatants stand on; a place name such as F5 is never one character."""
    wanted = (place for figure in figures for place in _places_of(figure) if len(place) == 1)
    return tuple(dict.fromkeys(wanted))


class _Ground:
    """The board of an encounter, and the hexes on it that are still to be had."""

    def __init__(self, symbols: tuple[str, ...], data: Mapping[str, object] | None, complaints: _Complaints) -> None:
        self.board: HexBoard | None = None
        self.drawn = data is not None
        self._free: dict[str, list[Hex]] = {}
        self._taken: dict[Hex, str] = {}
        self._complaints = complaints
        if data is not None:
            self._read_board(data, symbols)

    def _read_board(self, data: Mapping[str, object], symbols: tuple[str, ...]) -> None:
        from fightcall_engine.archive.encounter_models import BoardPart
        from fightcall_engine.board.maps import MapError, read_map

        before = len(self._complaints.found)
        part = self._complaints.part(BoardPart, data, ("board",))
        legend = self._read_legend(part)
        if len(self._complaints.found) > before:
            return
        try:
            reading = read_map(part.map, legend, symbols, scale=part.scale, unit=part.unit)
        except MapError as error:
            first = self._complaints.lines.content(("board", "map"))
            for problem in error.problems:
                if problem.line:
                    where = f"map, column {problem.column}: {problem.message}"
                    self._complaints.add_line(first + problem.line - 1, where)
                else:
                    self._complaints.add(("board", "legend"), f"board.legend: {problem.message}")
        except ValueError as error:
            self._complaints.add(("board",), f"board: {error}")
        else:
            self.board = reading.board
            self._free = {symbol: list(hexes) for symbol, hexes in reading.places.items()}

    def _read_legend(self, part: BoardPart) -> dict[str, Terrain | None]:
        from fightcall_engine.archive.encounter_models import GroundPart
        from fightcall_engine.board.terrain import Terrain

        legend: dict[str, Terrain | None] = {}
        for symbol, entry in part.legend.items():
            path = ("board", "legend", symbol)
            before = len(self._complaints.found)
            ground = self._complaints.part(GroundPart, entry, path)
            if len(self._complaints.found) > before:
                continue
            try:
                legend[symbol] = Terrain(
                    ground.name,
                    glyph=ground.glyph or symbol,
                    cost=ground.cost,
                    blocks=ground.blocks,
                    blocks_sight=ground.blocks_sight,
                    cover=ground.cover,
                    height_ft=ground.height_ft,
                )
            except ValueError as error:
                self._complaints.add(path, f"{_dotted(path)}: {error}")
        return legend

    def places(self, figure: CombatantPart, count: int, path: Path) -> tuple[Hex | None, ...]:
        """The hex of each of `count` like combatants; all None where they start off the board."""
        wanted = _places_of(figure)
        nowhere = (None,) * count
        path = (*path, "at")
        if not wanted:
            return nowhere
        if self.board is None:
            if not self.drawn:
                self._complaints.add(path, f"{figure.name} is to stand at {wanted[0]!r}, but there is no [board]")
            return nowhere
        if len(wanted) == 1 and len(wanted[0]) == 1:
            wanted *= count
        if len(wanted) != count:
            text = f"{len(wanted)} places for {count} of {figure.name}; give one each, or one map symbol for all"
            self._complaints.add(path, text)
            return nowhere
        return tuple(self._take(place, figure.name, path, self.board) for place in wanted)

    def _take(self, place: str, name: str, path: Path, board: HexBoard) -> Hex | None:
        if len(place) == 1:
            free = self._free.get(place)
            if not free:
                text = f"no {place!r} is left on the map for {name}; draw one for each, or give a place such as F5"
                self._complaints.add(path, text)
                return None
            here = free.pop(0)
        else:
            try:
                here = board.parse(place)
            except ValueError as error:
                self._complaints.add(path, f"at: {error}")
                return None
        other = self._taken.setdefault(here, name)
        if other is not name:
            self._complaints.add(path, f"{place_name(here)} is taken by {other}; {name} needs a free hex")
        return here


# Those who fight


def _read_figures(
    figures: list[CombatantPart], ground: _Ground, system: System | None, complaints: _Complaints
) -> tuple[Join, ...]:
    from fightcall_engine.archive.encounter_models import MOST_COMBATANTS

    joins: list[Join] = []
    known = _sheet_keys(system)
    for number, figure in enumerate(figures):
        path: Path = ("combatant", number)
        name, count = _name_and_count(figure, path, complaints)
        if system is not None:
            _check_side(figure, system, path, complaints)
            _check_sheet(figure, name, system, known, path, complaints)
        if len(joins) + count > MOST_COMBATANTS:
            complaints.add(path, f"more than {MOST_COMBATANTS} combatants; leave some to join later")
            break
        places = ground.places(figure, count, path)
        joins.extend(_join(figure, name, number, count, at, system) for number, at in enumerate(places, start=1))
    _check_labels(figures, complaints)
    return tuple(joins)


def _join(
    figure: CombatantPart, name: str, number: int, count: int, at: Hex | None, system: System | None
) -> Join:
    several = count > 1
    return Join(
        name=f"{name} {number}" if several else name,
        id=f"{figure.id}-{number}" if several and figure.id else figure.id,
        side=figure.side or (system.sides[0] if system else ""),
        sheet=figure.sheet,
        at=at,
        facing=None if figure.facing is None else DIRECTION_NAMES.index(figure.facing),
        hidden=figure.hidden,
        label=figure.label,
    )


def _name_and_count(figure: CombatantPart, path: Path, complaints: _Complaints) -> tuple[str, int]:
    from fightcall_engine.archive.encounter_models import LONGEST_NAME, MOST_COMBATANTS

    name, count = figure.name, figure.count or 1
    several = SEVERAL.fullmatch(name) if figure.count is None else None
    if several is not None:
        name, count = several["name"], int(several["count"])
        if not 1 <= count <= MOST_COMBATANTS:
            text = f"{figure.name}: {count} of them; accepted: 1 to {MOST_COMBATANTS} (count = 1 keeps the name as it is)"
            complaints.add((*path, "name"), text)
            return name, 1
    if count > 1 and len(f"{name} {count}") > LONGEST_NAME:
        complaints.add((*path, "name"), f"the name is too long to be numbered; at most {LONGEST_NAME} with its number")
    if count > 1 and figure.label:
        text = f"label {figure.label!r} cannot name {count} of {name}; leave it out, or write them one by one"
        complaints.add((*path, "label"), text)
    return name, count


def _check_side(figure: CombatantPart, system: System, path: Path, complaints: _Complaints) -> None:
    if figure.side and figure.side not in system.sides:
        near = get_close_matches(figure.side, system.sides, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        accepted = ", ".join(system.sides)
        complaints.add((*path, "side"), f"side: there is no {figure.side!r}; {hint}accepted: {accepted}")


def _check_labels(figures: list[CombatantPart], complaints: _Complaints) -> None:
    """A label is typed to name somebody, so none may be the beginning of another; ids must differ."""
    labels: dict[str, str] = {}
    ids: set[str] = set()
    for number, figure in enumerate(figures):
        path: Path = ("combatant", number)
        if figure.id and figure.id in ids:
            complaints.add((*path, "id"), f"id {figure.id!r} is taken; every combatant needs its own")
        ids.add(figure.id)
        label = figure.label
        clash = next((one for one in labels if label and (one.startswith(label) or label.startswith(one))), None)
        if clash is not None:
            text = f"label {label!r} of {figure.name} clashes with {clash!r} of {labels[clash]}; use another"
            complaints.add((*path, "label"), text)
        elif label:
            labels[label] = figure.name


# Sheets


def _sheet_keys(system: System | None) -> tuple[str, ...]:
    properties = system.sheet_schema().get("properties") if system is not None else None
    return tuple(str(key) for key in properties) if isinstance(properties, Mapping) else ()


def _check_sheet(
    figure: CombatantPart, name: str, system: System, known: tuple[str, ...], path: Path, complaints: _Complaints
) -> None:
    path = (*path, "sheet")
    odd = tuple(_not_json(figure.sheet, path))
    for place, message in odd:
        complaints.add(place, f"{_dotted(place)}: {message}")
    if odd:
        return
    try:
        system.check_sheet(cast("Mapping[str, Json]", figure.sheet), name)
    except BadInput as error:
        for problem in error.problems:
            place, field_name = _sheet_place(problem, figure.sheet)
            if field_name and field_name not in known and len(place) == 1:
                complaints.add((*path, *place), unknown_key(f"combatant.sheet.{field_name}", field_name, known))
            else:
                complaints.add((*path, *place), f"sheet of {name}: {problem}")


def _sheet_place(problem: str, sheet: Mapping[str, object]) -> tuple[Path, str]:
    """Where in the sheet a system's complaint such as ``strikes.0.kind: ...`` points, as far as the sheet goes."""
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


def _not_json(value: object, path: Path) -> Iterable[tuple[Path, str]]:
    """The values that TOML has and a sheet cannot hold: dates, times, and numbers that are none."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from _not_json(one, (*path, str(key)))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _not_json(one, (*path, number))
    elif isinstance(value, float) and not math.isfinite(value):
        yield path, f"{value} is no number that can be played with"
    elif not isinstance(value, str | int | float):
        yield path, f"dates and times have no place in a sheet (got {value})"
