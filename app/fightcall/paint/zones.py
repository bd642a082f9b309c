"""Zone boards as the boxes of their floor plan, with names, ground and combatants; and small pictures of boards."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from fightcall.paint.board import BRACKETS, PLAIN, VOID, paint_board
from fightcall.paint.geometry import FAMILIES, Box, FloorPlan, board_size, floor_plan
from fightcall.paint.layout import Drawing, Spot, apart, pad
from fightcall.paint.runs import Glyphs, Row, Run, clean, fit, merge, row_width, shorten_name, width, window
from fightcall.paint.scenes import BoardScene, ZoneFigure, ZoneScene, named_role

Piece = tuple[int, Row]
"""A part of a row of the plan, with its first cell."""


class Inside(NamedTuple):
    """The inside of a box: its rows, and the cells of combatants in them."""

    rows: tuple[Row, ...]
    spots: tuple[Spot, ...]


def paint_zones(
    scene: ZoneScene, plan: FloorPlan, x0: int, y0: int, cells: int, height: int, glyphs: Glyphs
) -> Drawing:
    """A window of the plan, with a spot for each visible combatant.

    Args:
        scene: What is on the board.
        plan: Where its zones lie, as `floor_plan` says.
        x0: The plan's cell at the window's left edge; less than 0 is beside the plan.
        y0: The plan's row at the window's top edge.
        cells: Cells across.
        height: Rows down.
        glyphs: Marks to draw with; their shape says whether zones are filled or plain.
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
    """Pieces as one row from `start` to `end`, with empty space between them."""
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
    """The walls in a row of the plan."""
    style = f"ink.ground/{_nowhere(glyphs)}"
    steps = _steps(scene)
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


def _steps(scene: ZoneScene) -> frozenset[frozenset[str]]:
    """The pairs of zones that the planned path passes between."""
    way = [scene.start, *(place for place, _ in scene.path)]
    return frozenset(frozenset(pair) for pair in pairwise(way))


# Insides


def _inside(scene: ZoneScene, plan: FloorPlan, box: Box, shade: int, glyphs: Glyphs) -> Inside:
    fill = _fill(scene, box.name, shade, glyphs)
    ground = f"{fill}/{fill}"
    rows: list[Row] = [_title(scene, box, fill, glyphs)]
    figures = scene.figures.get(box.name, ())
    details = _details(scene, plan, box, glyphs)
    if details and box.rows > 2 and _rows_for(figures, box.cells, glyphs) <= box.rows - 2:
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
    empty = [() for _ in range(box.rows - len(rows))]
    return Inside(tuple(pad(row, box.cells, ground) for row in (*rows, *empty)), tuple(spots))


def _ground(scene: ZoneScene, name: str) -> str:
    """The kind of ground for painting a zone: by its name, else a floor."""
    return named_role(name) or ("wall" if scene.board.terrain_at(name).blocks else "floor")


def _fill(scene: ZoneScene, name: str, shade: int, glyphs: Glyphs) -> str:
    if glyphs.shape == PLAIN:
        return PLAIN
    tints = ""
    if name in scene.warnings:
        tints = "~warn"
    elif any(place == name for place, _ in scene.path):
        tints = "~path"
    elif name in scene.line:
        tints = "~fire-line"
    elif name in scene.costs:
        tints = "~reach"
    return f"{_ground(scene, name)}.{shade}{tints}"


def _price(scene: ZoneScene, name: str, glyphs: Glyphs) -> str:
    """The marks of a zone: line of fire, cost of getting there, and warning."""
    on_path = dict(scene.path).get(name)
    fire = f"{glyphs.fire} " if name in scene.line else ""
    warning = glyphs.warning if name in scene.warnings else ""
    return f"{fire}{on_path if on_path is not None else scene.costs.get(name, '')}{warning}"


def _short_name(scene: ZoneScene, box: Box, glyphs: Glyphs) -> str:
    """The words of a zone's name that fit between its letter and its price."""
    price = width(_price(scene, box.name, glyphs))
    return shorten_name(box.name, box.cells - 3 - width(scene.keys.get(box.name, "")) - price - bool(price))


def _title(scene: ZoneScene, box: Box, fill: str, glyphs: Glyphs) -> Row:
    """The title row: letter and name at the left, cost and warning at the right."""
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
    """A row for each combatant, with its name and its contacts."""
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
    """As many tokens in a row as fit, and at the end the number of those left out."""
    lines = _wrap_tokens(figures, cells, fill, glyphs)
    if len(lines) <= rows:
        return lines
    visible = len(figures)
    while visible and rows > 0:
        visible -= 1
        more = Run(f"+{len(figures) - visible}", f"ink.warn/{fill}+bold")
        lines = _wrap_tokens(figures[:visible], cells, fill, glyphs, more)
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


def _rows_for(figures: tuple[ZoneFigure, ...], cells: int, glyphs: Glyphs) -> int:
    return len(_wrap_tokens(figures, cells, PLAIN, glyphs)) if figures else 0


# A small picture of a whole board, without names at its edges


def board_picture(scene: BoardScene | ZoneScene, cells: int, most_rows: int, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return the board at the largest zoom at which it is seen whole; no rows if it has no room.

    Args:
        scene: What is on the board.
        cells: Cells across; a board that is narrower is centred.
        most_rows: The most rows it may have.
        glyphs: Marks to draw with.
    """
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
