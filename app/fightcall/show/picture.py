"""The board at one moment as a self-contained SVG file."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from fightcall.paint.layout import SIDE_ROLES, side_role
from fightcall.paint.palette import GROUNDS
from fightcall.show.drawing import TOKEN, centre_of, draw_board, facing_angle, place_figures
from fightcall.themes import FightTheme
from fightcall_engine.board.base import AnyBoard
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.play.frames import Figure, Frame


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
    standing_last = sorted(frame.figures, key=lambda figure: figure.able)
    tokens = "".join(
        part
        for figure in standing_last
        if figure.id in points
        for part in _token(figure, points[figure.id], board, system)
    )
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
