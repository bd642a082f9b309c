"""Drawing boards: hexes and squares in a window, floor plans of zones, and the story beside them.

Hexes and squares differ only in their looks. `hex` fills places with colour and shades neighbours differently, so that
the grid is seen without lines; `plain` fills nothing and shows everything with marks and attributes. Each screen row is
put together from the stencil's pieces: one look-up for the place behind, one for the place that cuts into it, one run.
A place is only drawn inside its box, so a pane repaints the boxes of those that look different.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from fightcall.paint.geometry import (
    FAMILIES,
    Box,
    Coords,
    FloorPlan,
    Slot,
    Stencil,
    Zoom,
    board_size,
    floor_plan,
    place_centre,
    shade_of,
    spans_of_places,
    stencil,
)
from fightcall.paint.palette import GROUNDS, TONES
from fightcall.paint.runs import (
    Drawing,
    Glyphs,
    Row,
    Run,
    Spot,
    apart,
    clean,
    fit,
    join,
    label_box,
    merge,
    pad,
    row_width,
    shorten_name,
    side_role,
    width,
    window,
    wrap,
)
from fightcall.paint.scenes import BoardScene, GroundCell, Token, ZoneFigure, ZoneScene, ground_role, named_role
from fightcall_engine.board.base import OPEN, Terrain
from fightcall_engine.board.kinds import from_offset, grid_board, place_name
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import replace

PLAIN = "plain"
VOID = "void"
NO_STORY = "This encounter has no story."
SAMPLE = 3
"""The width of a ground's sample before its name."""

Piece = tuple[int, Row]
"""A part of a row of the plan, with its first cell."""


class Look(NamedTuple):
    """One place ready to paint: for each text row of the zoom the runs that fill it, or None for an empty one."""

    fill: str
    lines: tuple[Row | None, ...]


class Looks(dict[Coords, Look]):
    """The looks of a scene's places, each worked out when first asked for."""

    def __init__(self, scene: BoardScene, zoom: Zoom, glyphs: Glyphs) -> None:
        super().__init__()
        self.glyphs = glyphs
        self.zoom = zoom
        self.slots = stencil(zoom).slots
        self._look_at(scene)
        # The middle one of three text rows is the place's own; of fewer the first, never the shorter.
        self.main = 1 if len(self.slots) == 3 else 0
        self.plain = glyphs.shape == PLAIN
        self._empty: tuple[Row | None, ...] = (None,) * len(self.slots)
        self._void = Look(PLAIN if self.plain else VOID, self._empty)
        self._kept: dict[tuple[GroundCell | Token, int, str | bool | None, bool], Look] = {}

    def _look_at(self, scene: BoardScene) -> None:
        self.scene = scene
        self._is_reach_tinted = scene.is_reach_tinted
        self.path = dict(scene.path)
        # Where there is no room for the numbers of all places of the path, every other one is written, and the last.
        last = len(scene.path) - 1
        self._is_written = {at: (last - place) % 2 == 0 for place, (at, _) in enumerate(scene.path)}
        self._signed = frozenset((*self.path, *scene.warnings, *scene.fire, *scene.marks, scene.cursor))

    def move_on(self, scene: BoardScene, changed_places: Iterable[Coords]) -> None:
        """Look at another scene that differs in these places only; all other looks are kept."""
        self._look_at(scene)
        for at in changed_places:
            self.pop(at, None)

    def __missing__(self, at: Coords) -> Look:
        scene = self.scene
        token, cost = scene.tokens.get(at), scene.costs.get(at)
        if token:
            # A fight has few different tokens, which come and go with its marks.
            key = token, shade_of(self.zoom, at), at == scene.cursor, self._is_warned(at)
            look = self._kept.get(key) or self._kept.setdefault(key, self._token(*key))
        elif at in self._signed:
            look = self._written_ground(at, scene.ground.get(at, _FLOOR)) if scene.holds(at) else self._void
        elif cost is not None:
            # Within reach many places cost the same.
            cell = scene.ground.get(at, _FLOOR)
            ground_key = cell, shade_of(self.zoom, at), cost, self._is_reach_tinted
            look = self._kept.get(ground_key) or self._kept.setdefault(ground_key, self._written_ground(at, cell))
        else:
            look = self._bare_look(at)
        self[at] = look
        return look

    # Ground

    def _written_ground(self, at: Coords, cell: GroundCell) -> Look:
        kind = cell.role if cell.role in GROUNDS else "floor"
        fill = PLAIN if self.plain else f"{kind}.{shade_of(self.zoom, at)}{self._tints(at)}"
        text, ink = self._words(at)
        # What is said about the place goes into its middle, what is left of it and its ground below.
        own_ink, sign = f"ink.{kind}", self.scene.marks.get(at)
        sign_ink = f"{sign.role}+bold" if sign is not None and sign.moment and sign.role else "ink.cost"
        words = (
            (text, ink),
            (self._mark_text(at), sign_ink),
            (self.glyphs.fire if at in self.scene.fire else "", own_ink),
            (self._mark(cell, kind), own_ink),
        )
        inks = [(word, ink) for word, ink in words if word]
        word, ink = inks[0] if inks else ("", own_ink)
        lines = list(self._empty)
        lines[self.main] = self._frame_text(word, ink, at, self.slots[self.main], fill)
        below = self.main + 1
        if len(inks) > 1 and below < len(self.slots):
            word, ink = inks[1]
            lines[below] = self._centre_text(word, self.slots[below], f"{ink}/{fill}", fill)
        return Look(fill, tuple(lines))

    def _bare_look(self, at: Coords) -> Look:
        """A place with nothing on it but its ground: most places, of a few kinds, so the looks of these are kept."""
        if not self.scene.holds(at):
            return self._void
        cell, shade = self.scene.ground.get(at, _FLOOR), shade_of(self.zoom, at)
        key = cell, shade, None, False
        look = self._kept.get(key)
        if look is None:
            kind = cell.role if cell.role in GROUNDS else "floor"
            mark = self._mark(cell, kind) or (self.glyphs.centre if self.plain else "")
            fill = PLAIN if self.plain else f"{kind}.{shade}"
            lines = list(self._empty)
            if mark:
                lines[self.main] = self._centre_text(mark, self.slots[self.main], f"ink.{kind}/{fill}", fill)
            look = self._kept[key] = Look(fill, tuple(lines))
        return look

    def _mark(self, cell: GroundCell, kind: str) -> str:
        return cell.glyph or self.glyphs.ground.get(kind, "")

    def _mark_text(self, at: Coords) -> str:
        """What is written there for the selected combatant, where it does not run into its neighbours.

        Else the tint of the place must say it, or without colours a mark for its tone.
        """
        sign = self.scene.marks.get(at)
        if sign is None:
            return ""
        text = self.glyphs.arrows.get(sign.arrow, "") if sign.arrow else sign.text
        if sign.moment and not sign.arrow:
            has_glyph = text.isdecimal() and int(text) < len(self.glyphs.moments)
            text = self.glyphs.moments[int(text)] if has_glyph else f":{text}"
        size, cells = width(text), self.slots[self.main].cells
        if size == 1 or 0 < size < cells:
            return text
        return self.glyphs.tones[TONES.index(sign.tone) if sign.tone in TONES else 0] if self.plain else ""

    def _words(self, at: Coords) -> tuple[str, str]:
        warning = self.glyphs.warning if at in self.scene.warnings else ""
        # In cells so narrow the costs of one place would run into those of the next: the tint alone shows the reach.
        reach, cells = self.scene.costs.get(at, ""), self.slots[self.main].cells
        if cells <= NARROW and width(reach) >= cells:
            reach = ""
        cost = self.path.get(at) or reach
        if at in self.path and width(cost) >= self.zoom.width:
            # Of numbers that would touch, every other one is written, and the last one always.
            cost = cost if width(cost) <= cells and self._is_written[at] else ""
        # A cost cut short can be looked up on the next place or the prompt; a warning cut off cannot.
        text = warning if warning and width(cost) + 1 > self.slots[self.main].cells else cost + warning
        if at in self.path:
            strong = "+bold+underline" if self.plain else "+bold"
            return text, ("ink.warn" if warning else "ink.path") + strong
        return text, "ink.warn+bold" if warning else "ink.cost"

    def _tints(self, at: Coords) -> str:
        scene, tints = self.scene, ""
        sign = scene.marks.get(at)
        if sign is not None:
            tints = f"~mark.{sign.tone if sign.tone in TONES else TONES[0]}"
        if at in scene.warnings:
            tints += "~warn"
        elif at in self.path:
            tints += "~path"
        elif at in scene.fire:
            tints += "~fire-line"
        elif at in scene.costs and (self._is_reach_tinted or not self._words(at)[0]):
            tints += "~reach"
        return tints + "~cursor" if at == scene.cursor else tints

    def _frame_text(self, text: str, ink: str, at: Coords, slot: Slot, fill: str) -> Row:
        ink, _, attributes = ink.partition("+")
        if at != self.scene.cursor:
            style = f"{ink}/{fill}{'+' + attributes if attributes else ''}"
            return self._centre_text(text, slot, style, fill)
        if slot.cells < 4 or width(text) > slot.cells - 2:
            return (Run(self._fit(text or self.glyphs.centre, slot.cells), f"{ink}/{fill}+reverse"),)
        inner = self._fit(text, slot.cells - 2)
        return (Run(f"{self.glyphs.cursor}{inner}{self.glyphs.cursor_end}", f"ink.cursor/{fill}+bold"),)

    def _fit(self, text: str, cells: int) -> str:
        return fit(text, cells, "centre", self.glyphs.ellipsis)

    def _centre_text(self, text: str, slot: Slot, style: str, fill: str) -> Row:
        """Text in the middle of a slot; only underlining and reversal need runs of their own around it."""
        if "+underline" not in style and "+reverse" not in style:
            return (Run(self._fit(text, slot.cells), style),)
        text = self._fit(text, min(width(text), slot.cells))
        before = (slot.cells - width(text)) // 2
        after = slot.cells - width(text) - before
        around = f"{fill}/{fill}"
        return merge((Run(" " * before, around), Run(text, style), Run(" " * after, around)))

    # Tokens

    def _is_warned(self, at: Coords) -> bool:
        sign = self.scene.marks.get(at)
        return at in self.scene.warnings or (sign is not None and sign.text == self.glyphs.warning)

    def _token(self, token: Token, shade: int, has_cursor: bool, is_warned: bool) -> Look:
        states = ("~down" if token.down else "") + ("~hidden" if token.hidden else "")
        role = f"{token.role}.{shade}{states}{'~cursor' if has_cursor else ''}"
        texts = self._token_texts(token, is_warned)
        if self.plain:
            return Look(PLAIN, self._plain_token(token, texts, has_cursor))
        # Too small for marks at both ends: a selected token is underlined.
        small = self.slots[0].cells < _ROOM_FOR_ENDS
        style = f"ink.token/{role}+bold" + ("+underline" if token.selected and small else "")
        lines: list[Row | None] = [
            (Run(self._fit(text, slot.cells), style),) if text else None
            for text, slot in zip(texts, self.slots, strict=True)
        ]
        if has_cursor:
            _add_ends(lines, self.slots, self.glyphs.cursor, self.glyphs.cursor_end, style)
        elif token.selected and not small:
            _add_ends(lines, self.slots, self.glyphs.selected, self.glyphs.selected_end, style)
        return Look(role, tuple(lines))

    def _token_texts(self, token: Token, is_warned: bool) -> tuple[str, ...]:
        glyphs = self.glyphs
        arrow, danger = glyphs.arrows.get(token.facing, ""), glyphs.warning if is_warned else ""
        marks = (glyphs.down if token.down else "") + (glyphs.hidden if token.hidden else "") + danger
        room = self.slots[0].cells - 2
        if len(self.slots) == 1:
            both = f"{token.label}{danger}"
            return (both if width(both) <= self.slots[0].cells else token.label,)
        if len(self.slots) == 3:
            return shorten_name(token.name, room), f"{token.label} {marks}".rstrip(), arrow
        if self.slots[0].cells < _ROOM_FOR_NAMES:
            if self.plain:
                return token.label, arrow + marks
            return f"{token.label}{' ' if width(token.label) < 3 else ''}{arrow}".rstrip(), marks
        return shorten_name(token.name, room), " ".join(word for word in (token.label, marks, arrow) if word)

    def _plain_token(self, token: Token, texts: tuple[str, ...], has_cursor: bool) -> tuple[Row | None, ...]:
        """A token without a filled place: reversed, its first line in the brackets of its side."""
        style = f"{token.role}/{PLAIN}"
        if token.acting:
            style += "+bold"
        # Under the cursor a token is the one that is not reversed.
        style += "+bold+underline" if has_cursor else "+reverse"
        if token.selected:
            style += "+underline"
        ends = BRACKETS[token.side]
        rows = [self._box_text(texts[0], self.slots[0], style, ends)]
        rows += [self._box_text(text, slot, style, "") for text, slot in zip(texts[1:], self.slots[1:], strict=True)]
        return tuple(rows)

    def _box_text(self, text: str, slot: Slot, style: str, ends: str) -> Row | None:
        if not text:
            return None
        if ends and slot.cells >= 4:
            text = ends[0] + self._fit(text, min(width(text), slot.cells - 2)) + ends[1]
        return self._centre_text(text, slot, style, PLAIN)


def _add_ends(lines: list[Row | None], slots: tuple[Slot, ...], start: str, end: str, style: str) -> None:
    for index, slot in enumerate(slots):
        line = lines[index]
        text = line[0].text if line else " " * slot.cells
        if slot.cells > 1 and text[0] == " " == text[-1]:
            lines[index] = (Run(f"{start}{text[1:-1]}{end}", style),)
            return


NARROW = 2
"""Cells of a place that a number would fill from edge to edge."""

_FLOOR = GroundCell("floor")
_ROOM_FOR_ENDS, _ROOM_FOR_NAMES = 6, 8
BRACKETS = {"party": "[]", "foe": "{}", "other": "()"}


# The board of hexes or squares as rows of runs


def paint_board(
    scene: BoardScene, zoom: Zoom, x0: int, y0: int, width: int, height: int, glyphs: Glyphs
) -> tuple[Row, ...]:
    """A window of the board: rows with style keys `ink/ground[+attribute...]`.

    `x0` and `y0` are the board's cell in its upper left corner; the map begins at 0, less is void.
    """
    return paint_looks(Looks(scene, zoom, glyphs), zoom, x0, y0, width, height)


def paint_looks(looks: Looks, zoom: Zoom, x0: int, y0: int, width: int, height: int) -> tuple[Row, ...]:
    """The same from looks that are kept from one painting to the next."""
    pattern = stencil(zoom)
    return tuple(_row(looks, pattern, y, x0, width) for y in range(y0, y0 + height))


def repaint_places(
    looks: Looks, zoom: Zoom, rows: Sequence[Row], x0: int, y0: int, width: int, places: Iterable[Coords]
) -> tuple[Row, ...]:
    """The rows of a window with what shows some of these places painted anew."""
    pattern = stencil(zoom)
    new_rows = list(rows)
    for y, (left, right) in spans_of_places(zoom, places).items():
        if not 0 <= y - y0 < len(rows):
            continue
        # From the edge of one tile of the pattern to that of another, so that no word is cut.
        start = pattern.start[y % pattern.height]
        left = max(left - (left - start) % pattern.width, x0)
        right = min(right + (start - right) % pattern.width, x0 + width)
        if left < right:
            row, part = rows[y - y0], _row(looks, pattern, y, left, right - left)
            around = window(row, 0, left - x0), part, window(row, right - x0, x0 + width - right)
            new_rows[y - y0] = join(around) if right - left < width else part
    return tuple(new_rows)


@lru_cache(maxsize=64)
def column_names(cols: int, rows: int, zoom: Zoom, x0: int, y0: int, width: int, height: int) -> str:
    """The letters of the columns over a window of a map, where the topmost row seen has them; not one too many."""
    rows_in_view = [r for r in range(rows) if y0 <= place_centre(zoom, 0, r)[1] < y0 + height]
    if not rows_in_view:
        return " " * width
    line, end = "", -1
    for col in range(cols):
        q, r = col - zoom.shift * (rows_in_view[0] // 2), rows_in_view[0]
        name = place_name(from_offset(col, 0)).rstrip("1")
        at = place_centre(zoom, q, r)[0] - x0 - 1
        if at > end and 0 <= at <= width - len(name):
            line = line.ljust(at) + name
            end = at + len(name)
    return line.ljust(width)


@lru_cache(maxsize=64)
def row_names(rows: int, zoom: Zoom, y0: int, height: int) -> tuple[str, ...]:
    """The number of the row of places whose middle each row of a window shows; empty where it is none's.

    Of squares it is the row in which labels stand.
    """
    text = zoom.text_rows[(len(zoom.text_rows) - 1) // 2]
    ys = (r * zoom.rows + text if not zoom.shift else place_centre(zoom, 0, r)[1] for r in range(rows))
    middles = {y - y0: str(r + 1) for r, y in enumerate(ys)}
    return tuple(middles.get(y, "") for y in range(height))


def _row(looks: Looks, pattern: Stencil, y: int, x0: int, width: int) -> Row:
    down = y // pattern.height
    line = y - down * pattern.height
    first = (x0 - pattern.start[line]) // pattern.width
    begins = first * pattern.width + pattern.start[line]
    last = first + (x0 + width - 1 - begins) // pattern.width
    runs: list[Run] = []
    shift = looks.zoom.shift
    across, r = -shift * down, (1 + shift) * down
    for tiles in (range(first, first + 1), range(first + 1, last), range(max(first + 1, last), last + 1)):
        part = _paint_tiles(looks, pattern, line, range(tiles.start + across, tiles.stop + across), r)
        at = tiles.start * pattern.width + pattern.start[line]
        start, end = max(x0 - at, 0), min(x0 + width - at, len(tiles) * pattern.width)
        if end - start < len(tiles) * pattern.width:
            # The window begins or ends in these.
            part = window(_without_halves(part, (start, end)), start, end - start)
        runs += part
    return merge(runs)


_WORD = re.compile(r"[\w.]+")


def _without_halves(runs: Sequence[Run], cuts: tuple[int, int]) -> Row:
    """The runs, without numbers and words through which the edge of the window goes: half of one would be another."""
    row: list[Run] = []
    at = 0
    for run in runs:
        cells = width(run.text)
        # Marks of two cells hold no word.
        inside = [cut - at for cut in cuts if at < cut < at + cells] if cells == len(run.text) else []
        for word in _WORD.finditer(run.text) if inside else ():
            if any(word.start() < cut < word.end() for cut in inside):
                run = Run(f"{run.text[: word.start()]}{' ' * len(word[0])}{run.text[word.end() :]}", run.style)
        row.append(run)
        at += cells
    return tuple(row)


def _paint_tiles(looks: Looks, pattern: Stencil, line: int, tiles: range, r: int) -> Sequence[Run]:
    """Widths of the pattern on one of its lines; (q, r), with q in `tiles`, are the places their offsets count from."""
    runs: list[Run] = []
    pieces = pattern.pieces[line]
    for q in tiles:
        for clear, edge, (ink_q, ink_r), (ground_q, ground_r), slot in pieces:
            ground, lines = looks[q + ground_q, r + ground_r]
            text = lines[slot] if slot >= 0 else None
            if text is not None:
                runs += text
                clear = 0
                if not edge:
                    continue
            if edge:
                ink = looks[q + ink_q, r + ink_r].fill
                cell_text = " " * clear + (edge if ink != ground else " " * len(edge))
                runs.append(Run(cell_text, f"{ink}/{ground}"))
            else:
                runs.append(Run(" " * clear, f"{ground}/{ground}"))
    return runs


# Zone boards as the boxes of their floor plan, with names, ground and combatants; and small pictures of boards


def paint_zones(
    scene: ZoneScene, plan: FloorPlan, x0: int, y0: int, cells: int, height: int, glyphs: Glyphs
) -> Drawing:
    """A window of the plan, with a spot for each visible combatant.

    `x0` and `y0` are the plan's cell in its upper left corner; less than 0 is beside the plan.
    """
    rows = [_outside(plan, y, scene, glyphs) for y in range(y0, y0 + height)]
    spots: list[Spot] = []
    for number, whole_box in enumerate(plan.boxes):
        # The text of a box is drawn in its visible part.
        box = replace(whole_box, left=max(whole_box.left, x0 - 1), right=min(whole_box.right, x0 + cells))
        if box.cells < 1 or box.bottom < y0 or box.top >= y0 + height:
            continue
        inside = _inside(scene, plan, box, number % 3, glyphs)
        for down, row in enumerate(inside.rows):
            if 0 <= box.top + 1 + down - y0 < height:
                rows[box.top + 1 + down - y0].append((box.left + 1, row))
        spots += [_move(spot, box.left + 1 - x0, box.top + 1 - y0) for spot in inside.spots]
    empty = f"{_nowhere(glyphs)}/{_nowhere(glyphs)}"
    zone_rows = tuple(_join_pieces(pieces, x0, x0 + cells, empty) for pieces in rows)
    return Drawing(zone_rows, tuple(spots))


def _nowhere(glyphs: Glyphs) -> str:
    return PLAIN if glyphs.shape == PLAIN else VOID


def _move(spot: Spot, right: int, down: int) -> Spot:
    rows = range(spot.rows.start + down, spot.rows.stop + down)
    return Spot(rows, range(max(0, spot.cells.start + right), max(0, spot.cells.stop + right)), spot.what)


def _join_pieces(pieces: list[Piece], start: int, end: int, empty: str) -> Row:
    runs: list[Run] = []
    here = start
    for at, row in sorted(pieces, key=lambda piece: piece[0]):
        size = row_width(row)
        if at + size <= here or at >= end:
            continue
        if at > here:
            runs.append(Run(" " * (at - here), empty))
            here = at
        part = window(row, here - at, min(at + size, end) - here)
        runs += part
        here += row_width(part)
    return merge((*runs, Run(" " * (end - here), empty)))


# Walls


def _outside(plan: FloorPlan, y: int, scene: ZoneScene, glyphs: Glyphs) -> list[Piece]:
    style = f"ink.ground/{_nowhere(glyphs)}"
    way = [scene.start, *(place for place, _ in scene.path)]
    steps = {frozenset(pair) for pair in pairwise(way)}
    pieces: list[Piece] = []
    for box in plan.boxes:
        if y in (box.top, box.bottom):
            across = range(box.left, box.right + 1)
        elif box.top < y < box.bottom:
            across = range(box.left, box.right + 1, max(1, box.right - box.left))
        else:
            continue
        for x in across:
            passing = plan.passages.get((x, y))
            if passing is None:
                pieces.append((x, (Run(glyphs.walls[plan.walls[x, y]], style),)))
                continue
            mark, between = passing
            ink = f"ink.path/{_nowhere(glyphs)}+bold" if between in steps else style
            pieces.append((x, (Run(glyphs.door if mark == "door" else glyphs.gap, ink),)))
    return pieces


# Insides


def _inside(scene: ZoneScene, plan: FloorPlan, box: Box, shade: int, glyphs: Glyphs) -> Drawing:
    fill = _fill(scene, box.name, shade, glyphs)
    ground = f"{fill}/{fill}"
    rows: list[Row] = [_title(scene, box, fill, glyphs)]
    figures = scene.figures.get(box.name, ())
    details = _details(scene, plan, box, glyphs)
    if details and box.rows > 2 and len(_wrap_tokens(figures, box.cells, PLAIN, glyphs)) <= box.rows - 2:
        rows.append((Run(f" {details}", f"ink.{_ground(scene, box.name)}/{fill}"),))
    spots: list[Spot] = []
    room = box.rows - len(rows)
    if len(figures) <= room:
        lines = _name_lines(figures, box.cells, fill, glyphs)
    else:
        lines = _pack_lines(figures, box.cells, room, fill, glyphs)
    for line, line_spots in lines:
        spots += [Spot(range(len(rows), len(rows) + 1), span, combatant_id) for span, combatant_id in line_spots]
        rows.append(line)
    rows += [()] * (box.rows - len(rows))
    return Drawing(tuple(pad(row, box.cells, ground) for row in rows), tuple(spots))


def _ground(scene: ZoneScene, name: str) -> str:
    """The kind of ground for painting a zone: by its name, else a floor."""
    return named_role(name) or ("wall" if scene.board.terrain_at(name).blocks else "floor")


def _fill(scene: ZoneScene, name: str, shade: int, glyphs: Glyphs) -> str:
    if glyphs.shape == PLAIN:
        return PLAIN
    tinted = (("warn", scene.warnings), ("path", dict(scene.path)), ("fire-line", scene.line), ("reach", scene.costs))
    tint = next((f"~{tint}" for tint, places in tinted if name in places), "")
    return f"{_ground(scene, name)}.{shade}{tint}"


def _price(scene: ZoneScene, name: str, glyphs: Glyphs) -> str:
    on_path = dict(scene.path).get(name)
    fire = f"{glyphs.fire} " if name in scene.line else ""
    warning = glyphs.warning if name in scene.warnings else ""
    return f"{fire}{on_path if on_path is not None else scene.costs.get(name, '')}{warning}"


def _short_name(scene: ZoneScene, box: Box, glyphs: Glyphs) -> str:
    price = width(_price(scene, box.name, glyphs))
    return shorten_name(box.name, box.cells - 3 - width(scene.keys.get(box.name, "")) - price - bool(price))


def _title(scene: ZoneScene, box: Box, fill: str, glyphs: Glyphs) -> Row:
    here = box.name == scene.cursor
    start, end = (glyphs.cursor, glyphs.cursor_end) if here else (" ", " ")
    ground = f"{fill}~cursor" if here and fill != PLAIN else fill
    reverse = "+reverse" if here and fill == PLAIN else ""
    price = _price(scene, box.name, glyphs)
    is_on_path = any(place == box.name for place, _ in scene.path)
    ink = "ink.warn" if box.name in scene.warnings else "ink.path" if is_on_path else "ink.cost"
    left = f"{start}{scene.keys.get(box.name, '')} {_short_name(scene, box, glyphs)}"
    style = f"ink.cursor/{ground}+bold{reverse}"
    return (
        Run(fit(left, box.cells - width(price) - 1 - bool(price)), style),
        Run(" " * bool(price), f"ink.cursor/{ground}{reverse}"),
        Run(price, f"{ink}/{ground}+bold{reverse}"),
        Run(end, style),
    )


def harm_words(ground: Terrain) -> str:
    """The damage that a ground does, and when."""
    return f"{ground.harm} damage {'each round' if ground.harm_at == 'round' else 'to enter'}"


def _details(scene: ZoneScene, plan: FloorPlan, box: Box, glyphs: Glyphs) -> str:
    """Rows for a name that did not fit, the cost of entering, cover, height, and neighbours that lie elsewhere.

    Texts that do not fit into a row are left out.
    """
    ground = scene.board.terrain_at(box.name)
    words = ["" if _short_name(scene, box, glyphs) else clean(box.name)]
    words.append("closed" if ground.blocks else f"{ground.cost} to enter" if ground.cost != 1 else "")
    words.append(f"{ground.cover} cover" if ground.cover else "")
    words.append(f"{ground.height_ft:g} ft" if ground.height_ft else "")
    words.append("dark" if ground.blocks_sight and not ground.blocks else "")
    words.append(f"{clean(ground.name)}: {harm_words(ground)}" if ground.harm else "")
    for other, border in plan.apart.get(box.name, ()):
        words.append(f"{glyphs.way}{glyphs.door if border.blocks_sight else ''} {clean(other)}")
    details = ""
    for word in filter(None, words):
        longer = f"{details} {glyphs.bullet} {word}" if details else word
        details = longer if width(longer) < box.cells else details
    return details


# Combatants


Line = tuple[Row, list[tuple[range, str]]]
"""A row of a box, with the cells of combatants in it."""


def _token(figure: ZoneFigure, glyphs: Glyphs) -> Run:
    token = figure.token
    marks = (glyphs.down if token.down else "") + (glyphs.hidden if token.hidden else "")
    marks += glyphs.warning if figure.target else ""
    plain = glyphs.shape == PLAIN
    if figure.chosen:
        start, end = glyphs.cursor, glyphs.cursor_end
    elif plain:
        ends = BRACKETS[token.side]
        start, end = ends[0], ends[1]
    else:
        start, end = (glyphs.selected, glyphs.selected_end) if token.selected else (" ", " ")
    text = f"{start}{token.label}{marks}{end}"
    if plain:
        style = f"{token.role}/{PLAIN}" + ("+bold" if token.acting else "")
        style += "+bold+underline" if figure.chosen else "+reverse"
        return Run(text, style + ("+underline" if token.selected and not figure.chosen else ""))
    states = ("~down" if token.down else "") + ("~hidden" if token.hidden else "")
    return Run(text, f"ink.token/{token.role}.1{states}{'~cursor' if figure.chosen else ''}+bold")


def _contacts_text(figure: ZoneFigure) -> str:
    return f"vs {','.join(figure.touches)}" if figure.touches else ""


def _name_lines(figures: tuple[ZoneFigure, ...], cells: int, fill: str, glyphs: Glyphs) -> list[Line]:
    lines: list[Line] = []
    for figure in figures:
        token = _token(figure, glyphs)
        touching = _contacts_text(figure)
        room = cells - width(token.text) - 2
        right: Row = (Run(f"{touching} ", f"ink.warn/{fill}"),) if touching else ()
        name = Run(f" {shorten_name(figure.token.name, max(0, room - width(touching)))}", f"ink.cost/{fill}")
        left = (Run(" ", f"{fill}/{fill}"), token, name)
        row = apart(left, right, cells, f"{fill}/{fill}") if room > 0 else pad(left, cells, f"{fill}/{fill}")
        lines.append((row, [(range(1, min(cells, 2 + width(token.text) + max(0, room))), figure.who)]))
    return lines


def _pack_lines(figures: tuple[ZoneFigure, ...], cells: int, rows: int, fill: str, glyphs: Glyphs) -> list[Line]:
    for hidden in range(len(figures) + 1):
        more = Run(f"+{hidden}", f"ink.warn/{fill}+bold") if hidden else None
        lines = _wrap_tokens(figures[: len(figures) - hidden], cells, fill, glyphs, more)
        if len(lines) <= rows:
            return lines
    return []


def _wrap_tokens(
    figures: tuple[ZoneFigure, ...], cells: int, fill: str, glyphs: Glyphs, more: Run | None = None
) -> list[Line]:
    gap = Run(" ", f"{fill}/{fill}")
    lines: list[Line] = [((), [])]
    for figure in (*figures, None) if more is not None else figures:
        group: Row = (more,) if figure is None and more is not None else ()
        if figure is not None:
            touching = _contacts_text(figure)
            group = (_token(figure, glyphs), *((Run(touching, f"ink.warn/{fill}"),) if touching else ()))
        row, spots = lines[-1]
        if row and row_width(row) + 1 + row_width(group) > cells:
            lines.append(((), []))
            row, spots = lines[-1]
        start = row_width(row) + 1
        if figure is not None:
            spots.append((range(start, start + row_width(group)), figure.who))
        lines[-1] = ((*row, gap, *group), spots)
    return lines


# A small picture of a whole board, without names at its edges


def board_picture(scene: BoardScene | ZoneScene, cells: int, most_rows: int, glyphs: Glyphs) -> tuple[Row, ...]:
    """The board at the largest zoom at which it is seen whole, centred; no rows if it has no room."""
    if isinstance(scene, ZoneScene):
        plan = floor_plan(scene.board, cells, min(most_rows, cells // 3))
        across, down = plan.size
        fits = across <= cells and down <= most_rows
        return paint_zones(scene, plan, 0, 0, cells, down, glyphs).rows if fits else ()
    for zoom in reversed(FAMILIES[scene.shift]):
        across, down = board_size(zoom, scene.cols, scene.rows)
        if across <= cells and down <= most_rows:
            return paint_board(scene, zoom, -((cells - across) // 2), 0, cells, down, glyphs)
    return ()


# The story pane


def story_rows(
    state: FightState, system: BaseSystem, story: str, selected: str, cells: int, glyphs: Glyphs
) -> tuple[Row, ...]:
    """The selected combatant's note, the story (each line is a paragraph), and the kinds of ground."""
    rows: list[Row] = [*_note(state, system, selected, cells, glyphs)]
    rows += [(Run(f" {clean(state.name)}", "heading"),)]
    for line in (story.strip() or NO_STORY).split("\n"):
        rows += _paragraph(line, cells)
    ground = [*_kinds_of_ground(state, cells, glyphs)]
    rows += [(), (Run(" Terrain", "heading"),), *ground] if ground else []
    return tuple(pad(row, cells, "text") for row in rows)


def _paragraph(text: str, cells: int) -> list[Row]:
    return [(Run(f" {line}", "text"),) for line in wrap(text, cells - 2)]


def _note(state: FightState, system: BaseSystem, selected: str, cells: int, glyphs: Glyphs) -> Iterator[Row]:
    combatant = state.combatants.get(selected)
    note = combatant.sheet.get("note") if combatant is not None else None
    if combatant is None or not note:
        return
    box = label_box(combatant.label, side_role(system, combatant.side), glyphs)
    yield (Run(" ", "text"), box, Run(f" {clean(combatant.name)}", "heading"))
    yield from _paragraph(str(note), cells)
    yield ()


def _kinds_of_ground(state: FightState, cells: int, glyphs: Glyphs) -> Iterator[Row]:
    board = grid_board(state.board) if state.board is not None else None
    if board is None:
        return
    used_names = set(board.terrain.values())
    for terrain in (OPEN, *(board.legend[name] for name in board.legend if name in used_names)):
        role = ground_role(terrain)
        kind = role if role in GROUNDS else "floor"
        fill = PLAIN if glyphs.shape == PLAIN else f"{kind}.0"
        mark = glyphs.ground.get(kind, "") or (glyphs.centre if glyphs.shape == PLAIN else "")
        sample = Run(mark.center(SAMPLE), f"ink.{kind}/{fill}")
        words = ["no one can enter" if terrain.blocks else f"{terrain.cost} to enter"]
        words += ["blocks sight"] if terrain.blocks_sight else []
        words += [f"{terrain.cover} cover"] if terrain.cover else []
        words += [f"{terrain.height_ft:g} ft high"] if terrain.height_ft else []
        words += [harm_words(terrain)] if terrain.harm else []
        lines = wrap(f"{terrain.name}: {', '.join(words)}", max(cells - SAMPLE - 3, 1))
        for number, line in enumerate(lines):
            lead = sample if number == 0 else Run(" " * SAMPLE, "text")
            yield (Run(" ", "text"), lead, Run(f" {line}", "text"))
