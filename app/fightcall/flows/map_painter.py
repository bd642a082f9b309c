"""Painting a grid map: brushes of ground, a cursor, and a pen that can be put down. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fightcall.flows.easel import Asked, LegendLine
from fightcall.flows.path_field import beyond
from fightcall_engine.board.base import OPEN, Location, Terrain
from fightcall_engine.board.kinds import AnyGrid, any_board, grid_board
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.archive.encounter import Encounter

GROUND_HINT = "a name, then 2 (its cost), blocks, hides, cover partial, height 5, harm 2d6, each round"
"""What can be typed as a kind of ground."""
_WHOLE = re.compile(r"\d{1,3}", re.ASCII)
_DECIMAL = re.compile(r"-?\d{1,4}(\.\d+)?", re.ASCII)
_MOST_BRUSHES = 10


@cache
def common_grounds() -> tuple[Terrain, ...]:
    """The brushes for every map, open ground first."""
    data = tomllib.loads(Path(__file__).with_name("grounds.toml").read_text(encoding="utf-8"))
    return (OPEN, *(Terrain.from_json(name, ground) for name, ground in data.items()))


def read_ground(text: str) -> Terrain:
    """Read a typed kind of ground, such as ``hedge 2 cover partial``.

    Raises:
        BadInput: with what would be accepted.
    """
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


def _brushes(board: AnyGrid) -> tuple[Terrain, ...]:
    """The brushes for a map: open ground, its own kinds of ground, and the common ones with other names."""
    own = tuple(board.legend.values())
    names = {ground.name for ground in own}
    return (OPEN, *own, *(ground for ground in common_grounds()[1:] if ground.name not in names))


@frozen
class MapPainter:
    """An easel for maps. Make one with `begin`.

    Attributes:
        draft: the fight; its board is the map.
        at: the cursor.
        brushes: the brushes; the first is open ground.
        brush: the index of the selected brush.
        is_down: whether the pen is down, so that moving paints.
        corner: the marked corner of a box to fill.
        before: the boards before each change, for undo.
    """

    draft: Encounter
    at: Location
    brushes: tuple[Terrain, ...]
    brush: int = 1
    is_down: bool = False
    corner: Location | None = None
    before: tuple[AnyGrid, ...] = ()

    @classmethod
    def begin(cls, draft: Encounter, at: Location) -> MapPainter:
        """Start painting a draft."""
        return cls(draft, at, _brushes(_map_of(draft)))

    @property
    def board(self) -> AnyGrid:
        """The map."""
        return _map_of(self.draft)

    def move(self, direction: str, arrow: str) -> MapPainter:
        """Move the cursor a step within the map; with the pen down, paint the new place."""
        at = beyond(self.board, self.at, direction)
        if not self.board.contains(at):
            return self
        painter = replace(self, at=at)
        return painter.paint((at,)) if self.is_down else painter

    def press(self, key: str) -> MapPainter | Asked | None:
        """Handle a key: choose a brush, paint, put the pen up or down, mark a box, or ask for a new terrain."""
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
        """Paint places with the selected brush.

        Raises:
            BadInput: a combatant stands on a place that would be blocked.
        """
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
        """Undo the last stroke, and put the pen up."""
        if self.corner is not None or not self.before:
            return replace(self, corner=None, is_down=False)
        draft = replace(self.draft, board=any_board(self.before[-1]))
        return replace(self, draft=draft, before=self.before[:-1], is_down=False)

    def legend(self) -> tuple[LegendLine, ...]:
        """The lines for the brushes by their digits, then for the other keys."""
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
