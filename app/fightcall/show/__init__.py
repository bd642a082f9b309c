"""Fights for spectators: as web pages, live or as a replay, and as pictures.

The board is SVG, frames are JSON, and the page is a single file that loads nothing else. One unit of a drawing is a
pixel at the original size. Clients of a live page can send nothing back: they read server-sent events. The journal is
followed once for all readers. Each gets the changes from what it was last sent to the present scene, so that a slow one
misses frames in between and delays nobody.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
import socket
from bisect import bisect_right
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from html import escape
from math import ceil, cos, pi, sin, sqrt
from pathlib import Path
from string import Template
from types import FrameType
from typing import TYPE_CHECKING, TypeAlias, cast

from fightcall.paint.palette import GROUNDS, is_exact
from fightcall.paint.runs import SIDE_ROLES, side_role
from fightcall.paint.scenes import ground_role
from fightcall.themes import FightTheme, load_shipped
from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.kinds import AnyGrid, HexBoard, grid_board, zone_board
from fightcall_engine.board.zones import Zone, ZoneBoard
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import FightCallError
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.model.values import frozen
from fightcall_engine.play.chart import (
    Chart,
    Column,
    Figure,
    Frame,
    Reel,
    Shot,
    Span,
    due_of,
    end_of,
    end_words,
    line_numbers,
    story_lines,
)
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.lanes import Lanes, summary_of, summary_sections

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

Point: TypeAlias = tuple[float, float]

CELL = 40.0
"""The width of a cell."""
ZONE = (34.0, 58.0)
"""The width and height of a floor plan's cell."""
MARGIN = 22.0
"""The margin for the names of columns and rows."""
TOKEN = 15.0
"""The radius of a token."""

Sheet = Mapping[str, Json]
"""A frame as plain values: ``head``, ``order``, ``board``, ``figures`` by id, and ``ways``."""


@frozen
class Drawing:
    """A drawn board. Its elements have classes for colours, such as ``g-water``, and ``place`` for names."""

    width: float
    height: float
    ground: str


@lru_cache(maxsize=8)
def draw_board(board: AnyBoard) -> Drawing:
    """The ground of a board and the names of its places."""
    grid = grid_board(board)
    if grid is not None:
        roles = {name: ground_role(terrain) for name, terrain in grid.legend.items()}
        cells: dict[str, list[str]] = {}
        names = []
        for place in grid.places():
            role = roles.get(grid.terrain.get(place, ""), "grass")
            cells.setdefault(role, []).append(_outline(grid, place))
            column, row = grid.offset_of(place)
            if row == 0 or column == 0:
                names.append((place, column, row))
        paths = [f'<path class="ground g-{escape(role)}" d="{"".join(outlines)}"/>' for role, outlines in cells.items()]
        labels = [*_edge_names(grid, names)]
        width = (grid.cols + (0.5 if grid.shift and grid.rows > 1 else 0)) * CELL + 2 * MARGIN
        height = _top(grid, grid.rows - 1) + _half(grid) + MARGIN
        return Drawing(round(width, 1), round(height, 1), "".join((*paths, *labels)))
    zones = zone_board(board)
    return Drawing(0.0, 0.0, "") if zones is None else _draw_zones(zones)


def place_figures(board: AnyBoard, figures: Iterable[Figure]) -> Mapping[str, Point]:
    """The positions of combatants on the board by id, side by side if they share a place."""
    by_place: dict[Location, list[Figure]] = {}
    for figure in figures:
        if figure.at is not None:
            by_place.setdefault(figure.at, []).append(figure)
    return {
        figure.id: _round_point(point)
        for place, there in by_place.items()
        for figure, point in zip(there, _points(board, place, len(there)), strict=True)
    }


def centre_of(board: AnyBoard, place: Location) -> Point:
    """The middle of a place."""
    grid = grid_board(board)
    if grid is not None:
        return _round_point(_cell_centre(grid, place))
    zone = _zone_called(board, place)
    x, y, width, height = (0.0, 0.0, 0.0, 0.0) if zone is None else _zone_box(zone)
    return _round_point((x + width / 2, y + height / 2))


def facing_angle(board: AnyBoard, facing: int | None) -> float | None:
    """The direction of a facing in degrees, clockwise from the right; None if the board has no directions."""
    count = len(board.directions)
    return None if facing is None or not count else -360.0 * facing / count


# Grids


def _edge_names(grid: AnyGrid, edge: Iterable[tuple[Location, int, int]]) -> Iterator[str]:
    for place, column, row in edge:
        x, y = _cell_centre(grid, place)
        name = grid.name_of(place)
        letters = name.rstrip("0123456789")
        if row == 0:
            yield f'<text class="place" x="{x:.1f}" y="{y - _half(grid) - 6:.1f}">{escape(letters)}</text>'
        if column == 0:
            x, y, number = x - CELL / 2 - 9, y + 4, escape(name[len(letters) :])
            yield f'<text class="place" x="{x:.1f}" y="{y:.1f}">{number}</text>'


def _is_hexes(grid: AnyGrid) -> bool:
    return grid.kind == HexBoard.kind


def _half(grid: AnyGrid) -> float:
    return CELL / sqrt(3) if _is_hexes(grid) else CELL / 2


def _top(grid: AnyGrid, row: int) -> float:
    step = 1.5 * _half(grid) if _is_hexes(grid) else CELL
    return MARGIN + _half(grid) + row * step


def _cell_centre(grid: AnyGrid, place: Location) -> Point:
    column, row = grid.offset_of(place)
    row_shift = 0.5 * (row % 2) if grid.shift else 0.0
    return MARGIN + (column + 0.5 + row_shift) * CELL, _top(grid, row)


def _outline(grid: AnyGrid, place: Location) -> str:
    x, y = _cell_centre(grid, place)
    half = _half(grid)
    if not _is_hexes(grid):
        return f"M{x - half:.1f} {y - half:.1f}h{CELL:.1f}v{CELL:.1f}h{-CELL:.1f}z"
    corners = ((x + half * sin(turn * pi / 3), y - half * cos(turn * pi / 3)) for turn in range(6))
    return "M" + "L".join(f"{cx:.1f} {cy:.1f}" for cx, cy in corners) + "z"


# Zones


def _draw_zones(board: ZoneBoard) -> Drawing:
    parts, right, bottom = [], 0.0, 0.0
    for zone in board.zones:
        x, y, width, height = _zone_box(zone)
        right, bottom = max(right, x + width), max(bottom, y + height)
        role = "floor" if zone.ground.name == "open" else ground_role(zone.ground)
        parts.append(
            f'<rect class="zone g-{escape(role)}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'
            f'<text class="place zone" x="{x + 7:.1f}" y="{y + 16:.1f}">{escape(zone.name)}</text>'
        )
    return Drawing(round(right + MARGIN, 1), round(bottom + MARGIN, 1), "".join(parts))


def _zone_box(zone: Zone) -> tuple[float, float, float, float]:
    across, down = ZONE
    return MARGIN + zone.col * across, MARGIN + zone.row * down, zone.cols * across, zone.rows * down


def _zone_called(board: AnyBoard, place: Location) -> Zone | None:
    zones = zone_board(board)
    return None if zones is None else next((zone for zone in zones.zones if zone.name == place), None)


def _points(board: AnyBoard, place: Location, count: int) -> Iterator[Point]:
    zone = _zone_called(board, place)
    if zone is None:
        x, y = centre_of(board, place)
        yield from ((x + (index - (count - 1) / 2) * TOKEN * 0.6, y) for index in range(count))
        return
    x, y, width, height = _zone_box(zone)
    across = max(1, min(count, int((width - 12) // (2 * TOKEN + 4)) or 1))
    rows = ceil(count / across)
    for index in range(count):
        column, row = index % across, index // across
        in_row = min(across, count - row * across)
        yield (
            x + width / 2 + (column - (in_row - 1) / 2) * (2 * TOKEN + 4),
            y + 19 + (height - 21) * (row + 0.5) / rows,
        )


def _round_point(point: Point) -> Point:
    return round(point[0], 1), round(point[1], 1)


# A picture of the board


def draw_picture(board: AnyBoard, frame: Frame, title: str, system: BaseSystem, theme: FightTheme) -> str:
    """The board with all combatants, below a line with the fight and the moment."""
    drawing = draw_board(board)
    points = place_figures(board, frame.figures)
    heading = " · ".join(word for word in (title, frame.title, frame.now) if word)
    top = 34.0
    width, height = max(drawing.width, 10.0 * len(heading) + 24), drawing.height + top
    ways = "".join(
        f'<polyline class="way" points="{" ".join(f"{x},{y}" for x, y in (centre_of(board, at) for at in places))}"/>'
        for _, places in frame.ways
    )
    # Those who are down are drawn below those who stand.
    standing_last = (each for each in sorted(frame.figures, key=lambda each: each.able) if each.id in points)
    tokens = "".join(part for each in standing_last for part in _token(each, points[each.id], board, system))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"<title>{escape(heading)}</title><style>{_style(theme)}</style>"
        f'<rect class="paper" width="{width}" height="{height}"/>'
        f'<text class="heading" x="12" y="24">{escape(heading)}</text>'
        f'<g transform="translate(0 {top})">{drawing.ground}{ways}{tokens}</g></svg>\n'
    )


def _token(figure: Figure, point: tuple[float, float], board: AnyBoard, system: BaseSystem) -> Iterator[str]:
    x, y = point
    state = f"{'' if figure.able else ' down'}{' hidden' if figure.hidden else ''}{' now' if figure.turn == 0 else ''}"
    yield f'<g class="{side_role(system, figure.side)}{state}" transform="translate({x} {y})"><circle r="{TOKEN}"/>'
    angle = facing_angle(board, figure.facing)
    if angle is not None and figure.able:
        yield f'<path d="M17 -6L23 0L17 6Z" transform="rotate({angle:.0f})"/>'
    yield f'<text class="label" y="5">{escape(figure.label) if figure.able else "×"}</text></g>'


def _style(theme: FightTheme) -> str:
    ui, inks = theme.ui, theme.palette.inks
    grounds = "".join(f".g-{name}{{fill:{theme.palette.fills[name][1]}}}" for name in GROUNDS)
    sides = "".join(f".{role}{{fill:{ui[role]}}}" for role in SIDE_ROLES)
    return (
        f"text{{font-family:system-ui,'DejaVu Sans',sans-serif}}.paper{{fill:{ui['background']}}}"
        f".heading{{font-size:17px;font-weight:700;fill:{ui['title']}}}"
        f".place{{font-size:10px;text-anchor:middle;fill:{ui['muted']}}}"
        f".place.zone{{font-size:12px;text-anchor:start;fill:{ui['title']}}}"
        f".ground{{stroke:{ui['background']};stroke-width:1.2}}rect.zone{{stroke:{ui['faint']};stroke-width:2}}"
        f"circle{{stroke:{ui['background']};stroke-width:2}}.now circle{{stroke:{ui['title']};stroke-width:3.5}}"
        f".down{{opacity:.45}}.hidden circle{{stroke-dasharray:4 3}}"
        f".label{{font-size:14px;font-weight:700;text-anchor:middle;fill:{inks['token']}}}"
        f".way{{fill:none;stroke:{ui['primary']};stroke-width:4;stroke-linecap:round;stroke-dasharray:1 8}}"
        f"{grounds}{sides}"
    )


# Frames as JSON, and their differences


def describe_stage(state: FightState, system: BaseSystem) -> dict[str, Json]:
    """What stays the same for a whole fight: its title and the system's words."""
    words = system.words(state.settings)
    return {
        "title": state.name,
        "system": words.title,
        "sides": dict(words.sides),
        "roles": {side: side_role(system, side) for side in (*system.sides, *words.sides, *SIDE_ROLES)},
        "players": system.sides[0],
        "phases": [[name, title] for name, title in words.phases.items()],
        "pools": dict(words.pools),
    }


def write_frame(frame: Frame) -> Sheet:
    """A frame as plain values."""
    board = frame.board
    drawing = draw_board(board) if board is not None else None
    points = place_figures(board, frame.figures) if board is not None else {}
    ways: list[Json] = [
        [name, [list(centre_of(board, place)) for place in places]] for name, places in frame.ways if board is not None
    ]
    return {
        "head": {
            "status": frame.status,
            "round": frame.round,
            "title": frame.title,
            "phase": frame.phase,
            "now": frame.now,
            "side": frame.side,
            "clock": frame.clock_s,
            "shared": list(frame.shared),
        },
        "order": [figure.id for figure in frame.figures],
        "board": {"width": drawing.width, "height": drawing.height, "ground": drawing.ground} if drawing else None,
        "figures": {figure.id: _write_figure(figure, board, points.get(figure.id)) for figure in frame.figures},
        "ways": ways,
    }


def _write_figure(figure: Figure, board: AnyBoard | None, point: tuple[float, float] | None) -> Mapping[str, Json]:
    return {
        "label": figure.label,
        "name": figure.name,
        "side": figure.side,
        "at": list(point) if point is not None else None,
        "place": board.name_of(figure.at) if board is not None and figure.at is not None else "",
        "facing": facing_angle(board, figure.facing) if board is not None else None,
        "able": figure.able,
        "hidden": figure.hidden,
        "health": figure.health,
        "pools": {name: list(pool) for name, pool in figure.pools.items()},
        "effects": list(figure.effects),
        "turn": figure.turn,
        "declared": figure.declared,
    }


def write_lanes(chart: Chart, entries: Sequence[int]) -> Sheet:
    """A timeline as plain values: its lanes, its columns with their acts, effects, and what is due.

    `entries` are the numbers of those with frames; an act refers to the index of its own among them.
    """

    def place(entry: int) -> int:
        return max(0, bisect_right(entries, entry) - 1)

    def head(column: Column) -> list[Json]:
        return [column.title, column.phase, column.side, column.actor, column.number, column.secret]

    def bar(span: Span) -> list[Json]:
        due = due_of(span, chart)
        end = None if due is None else end_of(due, chart)
        return [span.who, span.name, span.first, span.last, span.secret, end, end_words(due, chart) if due else ""]

    return {
        "lanes": [[lane.figure.id, lane.figure.label, lane.figure.name, lane.figure.side] for lane in chart.lanes],
        "columns": [
            [
                *head(column),
                place(column.entry),
                [[act.who, act.kind, act.amount, place(act.entry), act.secret] for act in column.acts],
            ]
            for column in chart.columns
        ],
        "spans": [bar(span) for span in chart.spans],
        "ahead": [head(column) for column in chart.ahead],
    }


def find_new_columns(before: Sheet | None, after: Sheet) -> dict[str, Json]:
    """The changes of a timeline from an earlier one: how many of its columns stay, and everything else."""
    old = cast("Sequence[Json]", before["columns"]) if before is not None else ()
    kept_count, columns = find_new_lines(old, cast("Sequence[Json]", after["columns"]))
    return {**after, "kept": kept_count, "columns": columns}


def find_changes(before: Sheet | None, after: Sheet) -> dict[str, Json]:
    """What the page must change to show `after` instead of `before`; everything if there was nothing before."""
    if before is None:
        return dict(after)
    changes: dict[str, Json] = {}
    head = _find_changes(_table(before["head"]), _table(after["head"]))
    if head:
        changes["head"] = head
    changes |= {name: after[name] for name in ("order", "board", "ways") if before[name] != after[name]}
    old, new = _table(before["figures"]), _table(after["figures"])
    figures = {
        name: _find_changes(_table(old.get(name, {})), _table(figure))
        for name, figure in new.items()
        if old.get(name) != figure
    }
    if figures:
        changes["figures"] = figures
    return changes


def find_new_lines(before: Sequence[Json], after: Sequence[Json]) -> tuple[int, list[Json]]:
    """How many lines of a log stay, and the new ones after them."""
    pairs = zip(before, after, strict=False)
    same = next((place for place, (old, new) in enumerate(pairs) if old != new), min(len(before), len(after)))
    return same, list(after[same:])


def _find_changes(before: Mapping[str, Json], after: Mapping[str, Json]) -> Mapping[str, Json]:
    return {name: value for name, value in after.items() if name not in before or before[name] != value}


def _table(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


# The page


LIVE, REPLAY = "live", "replay"
DARK, LIGHT = "lantern", "parchment"


def live_page(title: str) -> tuple[str, str]:
    """The page of a live fight, and its Content-Security-Policy."""
    return _fill_page(title, LIVE, "", meta=False)


def replay_page(fight: Fight, *, for_gm: bool = False) -> str:
    """The replay of a whole fight in one file, for players or for the GM."""
    fight = fight if for_gm else fight.for_players()
    shots = Reel(fight, for_gm=for_gm).shots
    changes: list[Json] = []
    before: Sheet | None = None
    for shot in shots:
        sheet = write_frame(shot.frame)
        changes.append(find_changes(before, sheet))
        before = sheet
    sections = summary_sections(summary_of(fight, for_gm=for_gm), fight.system.words(fight.state.settings))
    content = {
        "stage": describe_stage(fight.state, fight.system),
        "shots": changes,
        "lines": write_log(shots),
        "time": write_lanes(Lanes(fight, for_gm=for_gm).chart(), [shot.entry for shot in shots]),
        "after": [
            [each.title, each.note, [[detail.name, detail.text] for detail in each.details]] for each in sections
        ],
    }
    # Only a tag can end the text of a script element.
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    page, _ = _fill_page(fight.state.name, REPLAY, f'<script type="application/json" id="fight">{text}</script>\n')
    return page


def write_log(shots: Sequence[Shot]) -> list[Json]:
    """The story of some shots: lines with their kind (``heading``, ``follows`` or empty) and their shot's index."""
    return [[line.kind, line.text, line.place] for line in story_lines(shots)]


def find_moment(shots: Sequence[Shot], words: str, *, for_gm: bool = False) -> int | None:
    """The index of the shot for a moment; None if there is none, the last one for an empty text.

    It is a number as in the chronicle, of an entry for the GM and of a sentence for players; or as in a replay's
    address a round (``r3``) or a part of it, with a number of shots after its beginning (``r3-melee``, ``r3-melee.2``).
    """
    if not words:
        return len(shots) - 1
    if words.isdecimal() and for_gm:
        places = [place for place, shot in enumerate(shots) if shot.entry <= int(words)]
        return places[-1] if shots[-1].entry >= int(words) else None
    if words.isdecimal():
        matching = (place for place, numbers in enumerate(line_numbers(shots)) if int(words) in numbers)
        return 0 if not int(words) else next(matching, None)
    part, _, more = words.lower().partition(".")
    for place, shot in enumerate(shots):
        if part in (f"r{shot.frame.round}", _part_of(shot)) and (not more or more.isdecimal()):
            target = place + int(more or 0)
            return target if target < len(shots) else None
    return None


def _part_of(shot: Shot) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", (shot.frame.now or shot.frame.phase or "start").lower()).strip("-")
    return f"r{shot.frame.round}-{words}"


def _fill_page(title: str, mode: str, data: str, *, meta: bool = True) -> tuple[str, str]:
    style = _colours() + _read("page.css")
    script = _read("page.js")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_digest(style)}'",
            f"script-src '{_digest(script)}'",
            "connect-src 'self'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    tag = f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">' if meta else ""
    page = Template(_read("page.html")).substitute(
        title=escape(title), policy=tag, style=style, script=script, mode=mode, data=data
    )
    return page, policy + "; frame-ancestors 'none'"


def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _colours() -> str:
    dark, light = (_variables(load_shipped(name)) for name in (DARK, LIGHT))
    by_night, by_day = f":root{{color-scheme:dark;{dark}}}", f":root{{color-scheme:light;{light}}}"
    return f"{by_night}\n@media (prefers-color-scheme:light){{{by_day}}}\n"


def _variables(theme: FightTheme) -> str:
    colours = dict(theme.ui)
    colours |= {f"g-{ground}": theme.palette.fills[ground][1] for ground in GROUNDS}
    colours["token"] = theme.palette.inks["token"]
    return "".join(f"--{name}:{colour};" for name, colour in colours.items() if is_exact(colour))


# The players' screen over HTTP; it needs the packages of the extra `web`


POLL_S = 0.2
HEARTBEAT_S = 5.0
"""The interval of keep-alive events to readers. A page that hears nothing for longer connects again."""
MOST_READERS = 400
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything visible at one moment; `stage` is from `describe_stage`, `time` from `write_lanes`."""

    stage: Mapping[str, Json]
    sheet: Sheet
    log: Sequence[Json]
    time: Sheet


@dataclass(slots=True)
class Stage:
    """A followed fight, for any number of readers. Its `problem` says why it can no longer be followed."""

    fight: Fight
    reel: Reel
    lanes: Lanes
    scene: Scene
    problem: str = ""
    readers: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def open(cls, path: Path) -> Stage:
        fight = Fight.watch(path, real_branch=True)
        reel, lanes = Reel(fight), Lanes(fight)
        return cls(fight, reel, lanes, _scene_of(reel, lanes, fight))

    async def follow(self) -> None:
        """Follow the journal until it can no longer be read."""
        while not self.problem:
            await asyncio.sleep(POLL_S)
            try:
                self.update()
            except (FightCallError, OSError) as error:
                self.end(str(error).splitlines()[0])

    def update(self) -> None:
        """Read what is new in the journal, and wake the readers if players can see any of it."""
        if self.fight.poll() and self.reel.update():
            self.scene = _scene_of(self.reel, self.lanes, self.fight)
            self._wake()

    def end(self, problem: str = "the players' screen is closed") -> None:
        """End all readers' streams."""
        self.problem = problem
        self._wake()

    def _wake(self) -> None:
        waiting, self.changed = self.changed, asyncio.Event()
        waiting.set()

    async def tell(self) -> AsyncIterator[str]:
        """Yield server-sent events for a reader: first everything, then the changes."""
        self.readers += 1
        try:
            scene = self.scene
            yield _write_whole(scene)
            while not self.problem:
                change_event = self.changed
                if self.scene is scene:
                    try:
                        await asyncio.wait_for(change_event.wait(), HEARTBEAT_S)
                    except TimeoutError:
                        yield "event: beat\ndata: 1\n\n"
                    continue
                before, scene = scene, self.scene
                yield _write_changes(before, scene)
        finally:
            self.readers -= 1


def make_app(stage: Stage, token: str = "", hosts: Sequence[str] = ("127.0.0.1", "localhost")) -> Starlette:
    """The web application, which follows the fight while it runs.

    Its paths begin with `token`, which must be unguessable if other machines can connect. Pages of other sites cannot
    read it through host names that are not among `hosts`; ``*`` accepts any.
    """
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.responses import HTMLResponse, PlainTextResponse, StreamingResponse
    from starlette.routing import Route

    page, policy = live_page(stage.fight.state.name)
    root = f"/{token}/" if token else "/"

    async def send_page(request: Request) -> Response:
        return HTMLResponse(page, headers={**HEADERS, "Content-Security-Policy": policy})

    async def send_events(request: Request) -> Response:
        if stage.readers >= MOST_READERS:
            return PlainTextResponse("too many viewers; try again later\n", 503, HEADERS)
        return StreamingResponse(stage.tell(), media_type="text/event-stream", headers=HEADERS)

    async def not_found(request: Request, error: Exception) -> Response:
        return PlainTextResponse("not found\n", 404, HEADERS)

    routes = [Route(root, send_page, methods=["GET"]), Route(root + "events", send_events, methods=["GET"])]
    guard = Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    return Starlette(
        routes=routes,
        middleware=[guard],
        exception_handlers={404: not_found, 405: not_found},
        lifespan=partial(_following, stage),
    )


def serve(stage: Stage, listening: socket.socket, token: str, hosts: Sequence[str]) -> None:
    """Serve a fight until interrupted. The arguments are those of `make_app`."""
    import uvicorn

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            """End the streams, and shut down."""
            stage.end()
            super().handle_exit(sig, frame)

    config = uvicorn.Config(
        make_app(stage, token, hosts),
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    Server(config).run(sockets=[listening])


@asynccontextmanager
async def _following(stage: Stage, app: Starlette) -> AsyncIterator[None]:
    following = asyncio.create_task(stage.follow())
    try:
        yield
    finally:
        following.cancel()
        stage.end()
        with suppress(asyncio.CancelledError):
            await following


def _scene_of(reel: Reel, lanes: Lanes, fight: Fight) -> Scene:
    stage = describe_stage(fight.state, fight.system)
    time = write_lanes(lanes.chart(), [shot.entry for shot in reel.shots])
    return Scene(stage, write_frame(reel.shots[-1].frame), write_log(reel.shots), time)


# Most readers get the same events, so these are encoded once.


@lru_cache(maxsize=8)
def _write_whole(scene: Scene) -> str:
    changes = {"log": [0, list(scene.log)], "time": find_new_columns(None, scene.time)}
    return _write_event({"beat": HEARTBEAT_S, "stage": scene.stage, **scene.sheet, **changes})


@lru_cache(maxsize=8)
def _write_changes(before: Scene, after: Scene) -> str:
    kept_count, lines = find_new_lines(before.log, after.log)
    changes = find_changes(before.sheet, after.sheet)
    if after.time != before.time:
        changes["time"] = find_new_columns(before.time, after.time)
    return _write_event({**changes, "log": [kept_count, lines]} if lines or kept_count < len(before.log) else changes)


def _write_event(message: Mapping[str, Json]) -> str:
    return f"data: {json.dumps(message, ensure_ascii=False, separators=(',', ':'))}\n\n"
