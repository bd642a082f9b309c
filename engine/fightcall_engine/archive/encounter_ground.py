"""The board of an encounter file: its map or floor plan, and the places on which combatants start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.kinds import any_board, directions_of, resolve_place
from fightcall_engine.board.plain import is_symbol
from fightcall_engine.files.texts import Complaints, KeyPath, Lines, format_path
from fightcall_engine.model.errors import BadInput

if TYPE_CHECKING:
    from fightcall_engine.archive.encounter_models import BoardPart, CombatantPart, Place, ZoneBoardPart
    from fightcall_engine.board.maps import MapError
    from fightcall_engine.board.plans import Passage
    from fightcall_engine.board.terrain import Terrain


def _places_of(figure: CombatantPart) -> tuple[Place, ...]:
    at = figure.at
    return () if at is None else tuple(at) if isinstance(at, list) else (at,)


def symbols_of(figures: Iterable[CombatantPart]) -> tuple[str, ...]:
    """The map symbols that combatants stand on; a place name such as F5 is never one character."""
    symbols = (
        place for figure in figures for place in _places_of(figure) if isinstance(place, str) and len(place) == 1
    )
    return tuple(dict.fromkeys(symbols))


def drawn_board(data: Mapping[str, object]) -> tuple[AnyBoard, dict[str, list[Location]]]:
    """Read a board given in the form of an encounter file.

    Returns:
        The board, and the places of letters and digits on the drawing that are not in the legend.

    Raises:
        BadInput: the board is invalid; lists all errors.
    """
    drawing, legend = data.get("map"), data.get("legend")
    legend_table = legend if isinstance(legend, Mapping) else {}
    letters = dict.fromkeys(drawing) if isinstance(drawing, str) else {}
    complaints = Complaints(Lines(""))
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
    return Ground(tuple(symbols), board, Complaints(Lines(""))).free if isinstance(board, Mapping) else {}


class Ground:
    """The board of an encounter; None if there is none or it is invalid.

    Attributes:
        free: the places by symbol that no combatant occupies yet.
    """

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
        from fightcall_engine.archive.encounter_models import BoardPart
        from fightcall_engine.board.kinds import GRIDS
        from fightcall_engine.board.maps import MapError, read_map

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
        """Report an error in a drawing, or in the meanings of its symbols."""
        first = self._complaints.lines.content(("board", "map"))
        for problem in error.problems:
            if problem.line:
                where = f"map, column {problem.column}: {problem.message}"
                self._complaints.add_line(first + problem.line - 1, where)
            else:
                self._complaints.add(("board", meanings), f"board.{meanings}: {problem.message}")

    def _read_zones(self, data: Mapping[str, object]) -> None:
        from fightcall_engine.archive.encounter_models import ZoneBoardPart
        from fightcall_engine.board.maps import MapError
        from fightcall_engine.board.plans import read_plan
        from fightcall_engine.board.zones import ZoneBoard

        before = len(self._complaints.found)
        part = self._complaints.part(ZoneBoardPart, data, ("board",))
        self._directions = ZoneBoard.directions
        zones = self._read_areas(part)
        passages = self._read_borders(part)
        if len(self._complaints.found) > before:
            return
        try:
            board = read_plan(part.map, zones, passages, scale=part.scale, unit=part.unit)
        except MapError as error:
            self._complain(error, "zones")
        except ValueError as error:
            self._complaints.add(("board",), f"board: {error}")
        else:
            self.board = any_board(board)
            self.free = {symbol: [name] for symbol, (name, _) in zones.items()}

    def _read_areas(self, part: ZoneBoardPart) -> dict[str, tuple[str, Terrain]]:
        from fightcall_engine.archive.encounter_models import ZonePart
        from fightcall_engine.board.plans import NOTHING
        from fightcall_engine.board.terrain import OPEN, Terrain

        zones: dict[str, tuple[str, Terrain]] = {}
        for symbol, entry in part.zones.items():
            path = ("board", "zones", symbol)
            if not is_symbol(symbol) or symbol in NOTHING:
                text = f"{symbol!r} is no symbol; a zone's symbol is one visible character, but not a dot"
                self._complaints.add(path, f"board.zones: {text}")
                continue
            area = self._complaints.part(ZonePart, entry, path)
            properties = area.model_dump(exclude={"name"}, exclude_defaults=True)
            zones[symbol] = (area.name, Terrain(area.name, **properties) if properties else OPEN)
        return zones

    def _read_borders(self, part: ZoneBoardPart) -> tuple[Passage, ...]:
        from fightcall_engine.archive.encounter_models import BorderPart
        from fightcall_engine.board.plans import Passage

        borders = []
        for number, entry in enumerate(part.border):
            border = self._complaints.part(BorderPart, entry, ("board", "border", number))
            if len(border.between) == 2:
                first, second = border.between
                borders.append(Passage(first, second, border.joined, border.blocks_sight))
            else:
                text = "board.border: between is missing; write the names of two zones"
                self._complaints.add(("board", "border", number), text)
        return tuple(borders)

    def _read_legend(self, part: BoardPart) -> dict[str, Terrain | None]:
        from fightcall_engine.archive.encounter_models import GroundPart
        from fightcall_engine.board.terrain import Terrain

        legend: dict[str, Terrain | None] = {}
        for symbol, entry in part.legend.items():
            path = ("board", "legend", symbol)
            if not is_symbol(symbol):
                self._complaints.add(path, f"board.legend: {symbol!r} is no symbol; a symbol is one visible character")
                continue
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
        """Occupy a place; report an error if it is taken."""
        other = self._taken.setdefault(here, name)
        if other is not name:
            self._complaints.add(path, f"{board.name_of(here)} is taken by {other}; {name} needs a free place")
        return here
