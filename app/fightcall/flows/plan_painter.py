"""Painting a floor plan: named zones as boxes, their ground, and the borders between them. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fightcall.flows.easel import Asked, LegendLine
from fightcall.flows.map_painter import common_grounds, ground_words
from fightcall.flows.zone_fields import ARROWS
from fightcall_engine.board.base import OPEN, Terrain
from fightcall_engine.board.kinds import any_board, zone_board
from fightcall_engine.board.zones import MAX_PLAN, Border, Zone, ZoneBoard, touching
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.archive.encounter import Encounter

_WAYS = ("open", "a door", "a wall")


@frozen
class PlanPainter:
    """An easel for floor plans. Make one with `begin`.

    Attributes:
        draft: the fight; its board is the plan.
        at: column and row of the cursor on the plan.
        corner: the marked corner of a zone that is being drawn.
        walling: the next arrow says which border of the zone to change.
        before: the drafts before each change, for undo.
    """

    draft: Encounter
    at: tuple[int, int]
    corner: tuple[int, int] | None = None
    walling: bool = False
    before: tuple[Encounter, ...] = ()

    @classmethod
    def begin(cls, draft: Encounter) -> PlanPainter:
        """Start painting a draft, in the first zone."""
        first = _plan_of(draft).zones[0]
        return cls(draft, (first.col, first.row))

    @property
    def board(self) -> ZoneBoard:
        """The plan."""
        return _plan_of(self.draft)

    @property
    def zone(self) -> Zone | None:
        """The zone under the cursor."""
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
        """Handle a key: mark a corner, name, paint or remove a zone, or change a border."""
        grounds = common_grounds()
        if key == "-":
            return self._without_zone()
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
        """Draw a zone from the marked corner to the cursor, replacing one of the same name."""
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
        zone_ground = ground if ground == OPEN else replace(ground, name=zone.name)
        standing = next((join for join in self.draft.joins if join.at == zone.name), None)
        if zone_ground.blocks and standing is not None:
            raise BadInput("zone", (f"{standing.name} stands in {zone.name}; no one can stand in {ground.name}",))
        zones = tuple(replace(each, ground=zone_ground) if each == zone else each for each in self.board.zones)
        return self._change_board(replace(self.board, zones=zones), self.draft)

    def _without_zone(self) -> PlanPainter:
        zone = self.zone
        if zone is None:
            return self
        if len(self.board.zones) == 1:
            raise BadInput("zone", ("a plan needs at least one zone",))
        return self._with_zones(tuple(each for each in self.board.zones if each != zone))

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
        """Change the border to the nearest zone in a direction: open, then a door, then a wall."""
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
        """Without the last change."""
        if self.corner is not None or self.walling or not self.before:
            return replace(self, corner=None, walling=False)
        return replace(self, draft=self.before[-1], before=self.before[:-1])

    def legend(self) -> tuple[LegendLine, ...]:
        """Lines for the zone under the cursor with its borders, the grounds by their digits, then the other keys."""
        zone = self.zone
        grounds = tuple(
            LegendLine(str(number), ground_words(ground), zone is not None and _is_ground(zone, ground))
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


def _is_ground(zone: Zone, ground: Terrain) -> bool:
    return zone.ground == (ground if ground == OPEN else replace(ground, name=zone.name))


def zone_at(board: ZoneBoard, col: int, row: int) -> Zone | None:
    """The zone at a cell of the plan."""
    return next(
        (
            zone
            for zone in board.zones
            if zone.col <= col < zone.col + zone.cols and zone.row <= row < zone.row + zone.rows
        ),
        None,
    )


def way_between(board: ZoneBoard, name: str, other: str) -> str:
    """The border between two zones: ``open``, ``a door`` or ``a wall``."""
    border = next((border for border in board.borders if set(border) == {name, other}), None)
    return _WAYS[2] if border is None else _WAYS[border.blocks_sight]


def _plan_of(draft: Encounter) -> ZoneBoard:
    board = zone_board(draft.board)
    if board is None:
        raise BadInput("board", ("there is no floor plan to paint",))
    return board
