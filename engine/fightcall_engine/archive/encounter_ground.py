"""The board of an encounter file: its map, its legend, and the hexes on which combatants start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from fightcall_engine.archive.complaints import Complaints, dotted
from fightcall_engine.archive.toml_lines import Path
from fightcall_engine.board.hexboard import HexBoard
from fightcall_engine.board.hexes import Hex, place_name
from fightcall_engine.board.plain import is_symbol

if TYPE_CHECKING:
    from fightcall_engine.archive.encounter_models import BoardPart, CombatantPart
    from fightcall_engine.board.terrain import Terrain


def _places_of(figure: CombatantPart) -> tuple[str, ...]:
    at = figure.at
    return () if at is None else (at,) if isinstance(at, str) else tuple(at)


def symbols_of(figures: Iterable[CombatantPart]) -> tuple[str, ...]:
    """The map symbols that combatants stand on; a place name such as F5 is never one character."""
    wanted = (place for figure in figures for place in _places_of(figure) if len(place) == 1)
    return tuple(dict.fromkeys(wanted))


class Ground:
    """The board of an encounter, and the hexes on it that are still to be had."""

    def __init__(self, symbols: tuple[str, ...], data: Mapping[str, object] | None, complaints: Complaints) -> None:
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
                self._complaints.add(path, f"{dotted(path)}: {error}")
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
                text = f"no {place!r} is left on the map for {name}; draw one each, or give a place such as F5"
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
