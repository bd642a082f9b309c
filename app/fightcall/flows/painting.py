"""Painting a board by keys: brushes of ground and a pen on a grid, named zones and borders on a floor plan. Pure.

Every step returns a new easel.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path

from fightcall.flows.path_fields import ARROWS, beyond
from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.board.base import OPEN, Location, Terrain
from fightcall_engine.board.kinds import AnyGrid, any_board, grid_board, zone_board
from fightcall_engine.board.zones import MAX_PLAN, Border, Zone, ZoneBoard, touching
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.values import frozen, replace

GROUND_HINT = "a name, then 2 (its cost), blocks, hides, cover partial, height 5, harm 2d6, each round"
"""What can be typed as a kind of ground."""
_WHOLE = re.compile(r"\d{1,3}", re.ASCII)
_DECIMAL = re.compile(r"-?\d{1,4}(\.\d+)?", re.ASCII)
_MOST_BRUSHES = 10

_WAYS = ("open", "a door", "a wall")


@frozen
class LegendLine:
    """A line of the legend: a key, what it does, and whether it is selected."""

    key: str
    text: str
    marked: bool = False


@frozen
class Asked:
    """Something that has to be typed first; `take` returns the easel after it, or raises BadInput if it is wrong."""

    prompt: str
    hint: str
    text: str
    take: Callable[[str], Easel]


# Painting a grid map


@cache
def common_grounds() -> tuple[Terrain, ...]:
    """The brushes for every map, open ground first."""
    data = tomllib.loads(Path(__file__).with_name("grounds.toml").read_text(encoding="utf-8"))
    return (OPEN, *(Terrain.from_json(name, ground) for name, ground in data.items()))


def read_ground(text: str) -> Terrain:
    """Read a typed kind of ground, such as ``hedge 2 cover partial``; a BadInput says what is accepted."""
    words = text.split()
    properties: dict[str, object] = {}
    name: list[str] = []
    while words:
        word = words.pop(0)
        if word == "blocks":
            properties["blocks"] = True
        elif word == "hides":
            properties["blocks_sight"] = True
        elif word == "cover" and words and name:
            properties["cover"] = words.pop(0)
        elif word == "height" and words and _DECIMAL.fullmatch(words[0]):
            properties["height_ft"] = float(words.pop(0))
        elif word == "harm" and words and name:
            properties["harm"] = words.pop(0)
        elif word == "each" and words[:1] == ["round"] and "harm" in properties:
            properties["harm_at"] = words.pop(0)
        elif name and _WHOLE.fullmatch(word):
            properties["cost"] = int(word)
        else:
            name.append(word)
    title = " ".join(name)
    glyph = next((letter.upper() for letter in title if letter.isalpha() and letter.isprintable()), "*")
    try:
        if title == OPEN.name or len(title) > 200:
            raise ValueError(f"{title[:40]!r} is not a name for a new terrain")
        return Terrain.from_json(title, {"glyph": glyph, **properties})
    except ValueError as error:
        raise BadInput("ground", (f"{error}; accepted: {GROUND_HINT}",)) from error


@frozen
class MapPainter:
    """An easel for maps; make one with `begin`. The first brush is open ground; with the pen down, moving paints."""

    draft: Encounter
    at: Location
    brushes: tuple[Terrain, ...]
    brush: int = 1
    is_down: bool = False
    corner: Location | None = None
    before: tuple[AnyGrid, ...] = ()

    @classmethod
    def begin(cls, draft: Encounter, at: Location) -> MapPainter:
        legend = _map_of(draft).legend
        others = (ground for ground in common_grounds()[1:] if ground.name not in legend)
        return cls(draft, at, (OPEN, *legend.values(), *others))

    @property
    def board(self) -> AnyGrid:
        return _map_of(self.draft)

    def move(self, direction: str, arrow: str) -> MapPainter:
        """Move the cursor a step within the map; with the pen down, paint the new place."""
        at = beyond(self.board, self.at, direction)
        if not self.board.contains(at):
            return self
        painter = replace(self, at=at)
        return painter.paint((at,)) if self.is_down else painter

    def press(self, key: str) -> MapPainter | Asked | None:
        if len(key) == 1 and key.isdecimal() and int(key) < len(self.brushes):
            return replace(self, brush=int(key)).fill()
        if key == "enter":
            return self.fill()
        if key == "space":
            down = replace(self, is_down=not self.is_down, corner=None)
            return down.paint((self.at,)) if down.is_down else down
        if key == "x":
            return replace(self, corner=self.at, is_down=False) if self.corner is None else self.fill()
        if key in ("tab", "shift+tab"):
            return replace(self, brush=(self.brush + (1 if key == "tab" else -1)) % len(self.brushes))
        if key == "+":
            return Asked("new terrain", GROUND_HINT, "", self.with_ground)
        return None

    def with_ground(self, text: str) -> MapPainter:
        """Add a kind of ground as a brush, and select it."""
        ground = read_ground(text)
        known_index = next((index for index, brush in enumerate(self.brushes) if brush.name == ground.name), None)
        if known_index is not None:
            raise BadInput("ground", (f"there is already a {ground.name}: {known_index}",))
        return replace(self, brushes=(*self.brushes, ground), brush=len(self.brushes))

    def fill(self) -> MapPainter:
        """Paint the place of the cursor, or the box from the marked corner to it."""
        if self.corner is None:
            return self.paint((self.at,))
        (left, top), (right, bottom) = self.board.offset_of(self.corner), self.board.offset_of(self.at)
        cols = range(min(left, right), max(left, right) + 1)
        rows = range(min(top, bottom), max(top, bottom) + 1)
        return replace(self, corner=None).paint([self.board.at(col, row) for row in rows for col in cols])

    def paint(self, places: Collection[Location]) -> MapPainter:
        """Paint places with the selected brush; a BadInput if it would block a place on which a combatant stands."""
        board, ground = self.board, self.brushes[self.brush]
        standing = next((join for join in self.draft.joins if join.at in places), None) if ground.blocks else None
        if standing is not None and standing.at is not None:
            where = board.name_of(standing.at)
            raise BadInput("ground", (f"{standing.name} stands on {where}; no one can stand in {ground.name}",))
        terrain = {place: name for place, name in board.terrain.items() if place not in places}
        legend = board.legend
        if ground != OPEN:
            terrain |= dict.fromkeys(places, ground.name)
            legend = {**legend, ground.name: ground}
        if terrain == board.terrain:
            return self
        new_board = any_board(replace(board, terrain=terrain, legend=legend))
        return replace(self, draft=replace(self.draft, board=new_board), before=(*self.before, board)[-500:])

    def undo(self) -> MapPainter:
        if self.corner is not None or not self.before:
            return replace(self, corner=None, is_down=False)
        draft = replace(self.draft, board=any_board(self.before[-1]))
        return replace(self, draft=draft, before=self.before[:-1], is_down=False)

    def legend(self) -> tuple[LegendLine, ...]:
        brushes = tuple(
            LegendLine(str(index) if index < _MOST_BRUSHES else "", ground_words(ground), index == self.brush)
            for index, ground in enumerate(self.brushes)
        )
        return (
            *brushes,
            LegendLine("space", "pen up" if self.is_down else "pen down", self.is_down),
            LegendLine("x", "fill the box" if self.corner else "a corner of a box", self.corner is not None),
            LegendLine("+", "new terrain"),
        )


def ground_words(ground: Terrain) -> str:
    """A kind of ground in words, with its special properties."""
    parts = [ground.name]
    parts += ["blocks"] if ground.blocks else [str(ground.cost)] if ground.cost > 1 else []
    parts += ["hides"] if ground.blocks_sight else []
    parts += [f"{ground.cover} cover"] if ground.cover else []
    parts += [f"harm {ground.harm}{' each round' if ground.harm_at == 'round' else ''}"] if ground.harm else []
    return ", ".join(parts)


def _map_of(draft: Encounter) -> AnyGrid:
    board = grid_board(draft.board)
    if board is None:
        raise BadInput("board", ("there is no map to paint",))
    return board


# Painting a floor plan


@frozen
class PlanPainter:
    """An easel for floor plans; make one with `begin`. While `walling`, an arrow says which border to change."""

    draft: Encounter
    at: tuple[int, int]
    corner: tuple[int, int] | None = None
    walling: bool = False
    before: tuple[Encounter, ...] = ()

    @classmethod
    def begin(cls, draft: Encounter) -> PlanPainter:
        first = _plan_of(draft).zones[0]
        return cls(draft, (first.col, first.row))

    @property
    def board(self) -> ZoneBoard:
        return _plan_of(self.draft)

    @property
    def zone(self) -> Zone | None:
        return zone_at(self.board, *self.at)

    def move(self, direction: str, arrow: str) -> PlanPainter:
        """Move the cursor a cell; while `walling`, change the border in that direction instead."""
        if not arrow:
            return self
        if self.walling:
            return self._change_way(arrow)
        across, down = ARROWS[arrow]
        col, row = self.at[0] + across, self.at[1] + down
        return replace(self, at=(col, row)) if 0 <= col < MAX_PLAN and 0 <= row < MAX_PLAN else self

    def press(self, key: str) -> PlanPainter | Asked | None:
        grounds = common_grounds()
        if key == "-":
            if self.zone is None:
                return self
            if len(self.board.zones) == 1:
                raise BadInput("zone", ("a plan needs at least one zone",))
            return self._with_zones(tuple(each for each in self.board.zones if each != self.zone))
        if len(key) == 1 and key.isdecimal() and int(key) < len(grounds):
            return self._with_ground(grounds[int(key)])
        if key == "x":
            return Asked("zone", "a name", "", self.draw) if self.corner else replace(self, corner=self.at)
        if key == "enter":
            return self._enter()
        if key == "w":
            return replace(self, walling=self.zone is not None)
        return None

    def _enter(self) -> PlanPainter | Asked:
        if self.corner is not None:
            return Asked("zone", "a name", "", self.draw)
        if self.zone is None:
            return replace(self, corner=self.at)
        return Asked("zone", "a name", self.zone.name, self.name)

    def draw(self, name: str) -> PlanPainter:
        first = self.corner or self.at
        left, right = sorted((first[0], self.at[0]))
        top, bottom = sorted((first[1], self.at[1]))
        old = next((zone for zone in self.board.zones if zone.name == name.strip()), None)
        ground = OPEN if old is None else old.ground
        try:
            new_zone = Zone(name.strip(), left, top, right - left + 1, bottom - top + 1, ground)
        except ValueError as error:
            raise BadInput("zone", (str(error),)) from error
        others = self.board.zones
        zones = (*others, new_zone) if old is None else tuple(new_zone if zone == old else zone for zone in others)
        return self._with_zones(zones)

    def name(self, name: str) -> PlanPainter:
        """Rename the zone under the cursor, with those who stand in it."""
        zone, new = self.zone, name.strip()
        if zone is None or zone.name == new:
            return self
        board = self.board
        try:
            ground = zone.ground if zone.ground == OPEN else replace(zone.ground, name=new)
            zones = tuple(replace(each, name=new, ground=ground) if each == zone else each for each in board.zones)
            ends = [tuple(new if end == zone.name else end for end in border) for border in board.borders]
            pairs = zip(ends, board.borders, strict=True)
            borders = tuple(Border(a, b, border.blocks_sight) for (a, b), border in pairs)
            new_board = replace(board, zones=zones, borders=borders)
        except ValueError as error:
            raise BadInput("zone", (str(error),)) from error
        joins = tuple(replace(join, at=new) if join.at == zone.name else join for join in self.draft.joins)
        return self._change_board(new_board, replace(self.draft, joins=joins))

    def _with_ground(self, ground: Terrain) -> PlanPainter:
        zone = self.zone
        if zone is None:
            raise BadInput("zone", ("there is no zone here; x marks the first corner of one",))
        zone_ground = _ground_of(zone, ground)
        standing = next((join for join in self.draft.joins if join.at == zone.name), None)
        if zone_ground.blocks and standing is not None:
            raise BadInput("zone", (f"{standing.name} stands in {zone.name}; no one can stand in {ground.name}",))
        zones = tuple(replace(each, ground=zone_ground) if each == zone else each for each in self.board.zones)
        return self._change_board(replace(self.board, zones=zones), self.draft)

    def _with_zones(self, zones: tuple[Zone, ...]) -> PlanPainter:
        """Replace the zones. Those that touch are joined, except where there is a wall or a door."""
        board = self.board
        before = {frozenset(border): border for border in board.borders}
        touching_pairs = {frozenset(border) for border in touching(board.zones)}
        names = {zone.name for zone in zones}
        borders = [
            before.get(frozenset(border), border)
            for border in touching(zones)
            if frozenset(border) in before or frozenset(border) not in touching_pairs
        ]
        border_pairs = {frozenset(border) for border in borders}
        far = [border for pair, border in before.items() if pair not in touching_pairs | border_pairs and pair <= names]
        try:
            new_board = replace(board, zones=zones, borders=(*borders, *far))
        except ValueError as error:
            raise BadInput("zone", (str(error),)) from error
        joins = tuple(replace(join, at=None) if join.at not in names else join for join in self.draft.joins)
        return replace(self._change_board(new_board, replace(self.draft, joins=joins)), corner=None)

    def _change_way(self, arrow: str) -> PlanPainter:
        here, after = self.zone, replace(self, walling=False)
        other = None
        col, row = self.at
        across, down = ARROWS[arrow]
        while here is not None and 0 <= col < MAX_PLAN and 0 <= row < MAX_PLAN and other in (None, here):
            col, row = col + across, row + down
            other = zone_at(self.board, col, row)
        if here is None or other is None or other == here:
            raise BadInput("way", ("there is no zone in that direction",))
        pair = frozenset((here.name, other.name))
        now = way_between(self.board, here.name, other.name)
        borders = [border for border in self.board.borders if frozenset(border) != pair]
        if now != "a door":
            borders.append(Border(here.name, other.name, now == "open"))
        return after._change_board(replace(self.board, borders=tuple(borders)), self.draft)

    def _change_board(self, board: ZoneBoard, draft: Encounter) -> PlanPainter:
        after = replace(draft, board=any_board(board))
        return self if after == self.draft else replace(self, draft=after, before=(*self.before, self.draft)[-500:])

    def undo(self) -> PlanPainter:
        if self.corner is not None or self.walling or not self.before:
            return replace(self, corner=None, walling=False)
        return replace(self, draft=self.before[-1], before=self.before[:-1])

    def legend(self) -> tuple[LegendLine, ...]:
        zone = self.zone
        grounds = tuple(
            LegendLine(str(number), ground_words(ground), zone is not None and zone.ground == _ground_of(zone, ground))
            for number, ground in enumerate(common_grounds())
        )
        keys = (
            LegendLine("x", "the other corner" if self.corner else "a corner of a zone", self.corner is not None),
            LegendLine("enter", "its name"),
            LegendLine("w", "an arrow: which border" if self.walling else "a border", self.walling),
            LegendLine("-", "remove the zone"),
        )
        if zone is None:
            return (*keys, *grounds)
        board = self.board
        neighbours = board.neighbours(zone.name)
        others = [other for other in board.zones if other != zone]
        near = [other.name for other in others if other.touches(zone) or other.name in neighbours]
        ways = tuple(LegendLine("", f"{name}: {way_between(board, zone.name, name)}") for name in near)
        return (LegendLine("", zone.name, True), *ways, *keys, *grounds)


def _ground_of(zone: Zone, ground: Terrain) -> Terrain:
    return ground if ground == OPEN else replace(ground, name=zone.name)


def zone_at(board: ZoneBoard, col: int, row: int) -> Zone | None:
    """The zone at a cell of the plan."""
    zones = (zone for zone in board.zones if 0 <= col - zone.col < zone.cols and 0 <= row - zone.row < zone.rows)
    return next(zones, None)


def way_between(board: ZoneBoard, name: str, other: str) -> str:
    """The border between two zones: ``open``, ``a door`` or ``a wall``."""
    border = next((border for border in board.borders if set(border) == {name, other}), None)
    return _WAYS[2] if border is None else _WAYS[border.blocks_sight]


def _plan_of(draft: Encounter) -> ZoneBoard:
    board = zone_board(draft.board)
    if board is None:
        raise BadInput("board", ("there is no floor plan to paint",))
    return board


Easel = MapPainter | PlanPainter
"""A draft whose board is being painted, with a cursor. Its methods raise BadInput if something is not possible."""
