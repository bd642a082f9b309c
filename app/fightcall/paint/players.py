"""Drawing the players' screen in a terminal from frames: head line, roster, board and story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fightcall.paint.geometry import Coords
from fightcall.paint.layout import Drawing, apart, side_role, stack, wrap
from fightcall.paint.runs import Row, Run, clean, fit
from fightcall.paint.scenes import BoardScene, Token, ZoneScene, ground_of, zone_keys
from fightcall.paint.scenes import Figure as ZoneFigure
from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.kinds import direction_of, grid_board, zone_board
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.values import format_clock
from fightcall_engine.play.frames import Figure, Frame, Shot, newest_lines

_HEALTH = {"unhurt": "good", "hurt": "warn", "badly hurt": "bad", "down": "bad"}


def head_rows(frame: Frame, title: str, sides: Mapping[str, str], cells: int) -> Drawing:
    """The fight, the running phase, and the game time."""
    if frame.status == "closed":
        now = "over"
    elif frame.side and frame.now not in ("", frame.side):
        now = f"{frame.now} · {sides.get(frame.side, frame.side.title())}"
    else:
        now = frame.now
    words = " · ".join(word for word in (frame.title, now, *frame.shared) if word) or "not started"
    played = f"{format_clock(frame.clock_s)} " if frame.clock_s else ""
    left = (Run(f" {clean(title)}  ", "strong"), Run(clean(words), "heading"))
    return Drawing((apart(left, (Run(played, "dim"),), cells, "text"),))


def turn_words(turn: int | None) -> str:
    """A combatant's turn in words."""
    if turn is None:
        return ""
    return "now" if turn == 0 else "next" if turn == 1 else f"in {turn}"


def roster_rows(frame: Frame, system: BaseSystem, cells: int, height: int) -> Drawing:
    """The combatants in order: a line each, and another one for declarations and effects."""
    rows: list[Row] = []
    for figure in frame.figures:
        role = side_role(system, figure.side)
        mark = "▸" if figure.turn == 0 else " "
        turn = turn_words(figure.turn)
        health = figure.health or ("" if figure.able else "down")
        left = (
            Run(f"{mark}{fit(clean(figure.label), 2)} ", role),
            Run(clean(figure.name), "strong" if figure.turn == 0 else "text" if figure.able else "dim"),
        )
        right = (
            Run(f" {turn} " if turn else " ", "dim"),
            Run(f"{health} " if health else "", _HEALTH.get(health, "text")),
        )
        rows.append(apart(left, right, cells, "text"))
        more = ", ".join(clean(word) for word in (figure.declared, *figure.effects) if word)
        if more:
            rows += [(Run(f"    {line}", "dim"),) for line in wrap(more, cells - 5)]
    return Drawing(stack(rows, cells, height, "text"))


def story_rows(shots: Sequence[Shot], cells: int, height: int) -> Drawing:
    """The newest lines of the story, under their headings."""
    rows: list[Row] = []
    for line in newest_lines(shots, height):
        inset = "   " if line.kind == "follows" else " "
        style = "heading" if line.kind == "heading" else "text"
        rows += [(Run(inset + words, style),) for words in wrap(clean(line.text), cells - 4, 2)]
    return Drawing(stack(rows[-height:] if height else (), cells, height, "text"))


def players_scene(frame: Frame, board: AnyBoard, system: BaseSystem) -> BoardScene | ZoneScene | None:
    """The board as players see it; None if it cannot be drawn."""
    grid, zones = grid_board(board), zone_board(board)
    if zones is not None:
        people: dict[str, list[ZoneFigure]] = {}
        for figure in frame.figures:
            if isinstance(figure.at, str):
                people.setdefault(figure.at, []).append(ZoneFigure(figure.id, _token(figure, board, system)))
        people_by_zone = {name: tuple(people_there) for name, people_there in people.items()}
        return ZoneScene(zones, figures=people_by_zone, keys=zone_keys(tuple(zone.name for zone in zones.zones)))
    if grid is None:
        return None
    tokens: dict[Coords, Token] = {}
    for figure in sorted(frame.figures, key=lambda figure: figure.able):
        if figure.at is not None and not isinstance(figure.at, str):
            tokens[figure.at] = _token(figure, board, system)
    return BoardScene(
        cols=grid.cols,
        rows=grid.rows,
        ground=ground_of(grid),
        tokens=tokens,
        path=tuple((place, "") for _, places in frame.ways for place in places if not isinstance(place, str)),
        shift=grid.shift,
        cell=grid.cell,
    )


def _token(figure: Figure, board: AnyBoard, system: BaseSystem) -> Token:
    return Token(
        label=clean(figure.label),
        name=clean(figure.name),
        side=side_role(system, figure.side),
        facing=direction_of(board, figure.facing),
        down=not figure.able,
        acting=figure.turn == 0 and figure.able,
    )
