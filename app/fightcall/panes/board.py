"""The board pane: hexes, tokens, and what the GM is about to do, seen through a window that moves and zooms."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise

from fightcall.paint.board import (
    MEDIUM,
    ZOOMS,
    BoardScene,
    Zoom,
    board_size,
    cell_to_hex,
    hex_centre,
    paint_looks,
    rows_of_hex,
)
from fightcall.paint.boardview import changed_hexes
from fightcall.paint.layout import Drawing
from fightcall.paint.looks import Looks
from fightcall.paint.runs import Row
from fightcall.paint.stencil import Coords
from fightcall.panes.messages import HexClicked
from fightcall.panes.rows_pane import RowsPane
from fightcall.panes.styles import StyleBook
from fightcall_engine.board.base import Location
from fightcall_engine.board.hexes import Hex


class BoardPane(RowsPane):
    """A window on the hex board.

    Without a scene it shows the drawing it was given, such as the list of contacts of a fight without a board.
    """

    def __init__(self, book: StyleBook, *, title: str = "", frame: bool = False, id: str | None = None) -> None:
        super().__init__(book, title=title, frame=frame, id=id)
        self._scene: BoardScene | None = None
        self._zoom = MEDIUM
        self._corner = (0, 0)
        self._body: list[Row] = []
        self._owed: Coords | None = None
        self._looks: Looks | None = None

    @property
    def zoom(self) -> Zoom:
        """How large hexes are drawn."""
        return self._zoom

    @property
    def corner(self) -> tuple[int, int]:
        """The board's cell in the upper left corner of the window."""
        return self._corner

    def update_from(self, scene: BoardScene | None, without: Drawing | None = None) -> None:
        """Show a scene, painting only the rows of hexes that look different; or, for None, `without`."""
        before, self._scene = self._scene, scene
        if scene is None:
            self.show(without or Drawing(()))
            return
        changed = changed_hexes(before, scene) if before is not None else None
        if changed is None:
            self._looks = None
            self.repaint()
        elif changed:
            if self._looks is not None:
                self._looks.move_on(scene, changed)
            self.touch(changed)

    def touch(self, hexes: Collection[Coords]) -> None:
        """Paint anew the rows that show some of these hexes."""
        width, height = self.inner
        if self._scene is None or len(self._body) != height:
            self.repaint()
            return
        x0, y0 = self._corner
        rows = sorted({y - y0 for q, r in hexes for y in rows_of_hex(self._zoom, q, r) if 0 <= y - y0 < height})
        for start, stop in _stretches(rows):
            self._body[start:stop] = self._painted(x0, y0 + start, width, stop - start)
        self._put(Drawing(tuple(self._body)))

    def draw(self, width: int, height: int) -> Drawing:
        """All rows of the window."""
        if self._scene is None:
            return super().draw(width, height)
        self._corner = self._bounded(*self._corner)
        x0, y0 = self._corner
        self._body = list(self._painted(x0, y0, width, height))
        return Drawing(tuple(self._body))

    def dress(self, book: StyleBook) -> None:
        """Take other styles and marks."""
        self._looks = None
        super().dress(book)

    def _painted(self, x0: int, y0: int, width: int, height: int) -> tuple[Row, ...]:
        """Part of the board, from the looks of hexes that are kept until they change."""
        assert self._scene is not None
        if self._looks is None:
            self._looks = Looks(self._scene, self._zoom, self.glyphs)
        return paint_looks(self._looks, self._zoom, x0, y0, width, height)

    # Moving the window

    def set_zoom(self, zoom: Zoom, about: Coords | None = None) -> None:
        """Draw hexes at another size, keeping a hex, or else the middle of the window, where it is."""
        if zoom == self._zoom:
            return
        width, height = self.inner
        x0, y0 = self._corner
        if about is None:
            about = cell_to_hex(self._zoom, x0 + width // 2, y0 + height // 2)
        x, y = hex_centre(self._zoom, *about)
        new_x, new_y = hex_centre(zoom, *about)
        self._zoom, self._looks = zoom, None
        self._corner = (new_x - (x - x0), new_y - (y - y0))
        self.repaint()

    def zoom_by(self, steps: int, about: Location | None = None) -> None:
        """Draw hexes larger (above zero) or smaller."""
        place = ZOOMS.index(self._zoom) + steps
        self.set_zoom(ZOOMS[max(0, min(place, len(ZOOMS) - 1))], None if isinstance(about, str) else about)

    def fit(self, places: Iterable[Location]) -> None:
        """Draw hexes as large as lets all these be seen at once, and look at their middle."""
        hexes = [place for place in places if isinstance(place, Hex)]
        if not hexes:
            return
        width, height = self.inner
        for zoom in sorted(ZOOMS, key=lambda one: -one.width):
            centres = [hex_centre(zoom, *place) for place in hexes]
            across, down = [x for x, _ in centres], [y for _, y in centres]
            wide = max(across) - min(across) + 2 * zoom.width
            if zoom == ZOOMS[0] or (wide <= width and max(down) - min(down) + 2 * zoom.rows <= height):
                break
        self._zoom, self._looks = zoom, None
        self._corner = ((min(across) + max(across) - width) // 2, (min(down) + max(down) - height) // 2)
        self.repaint()

    def pan(self, right: int, down: int) -> None:
        """Move the window by so many hexes."""
        x0, y0 = self._corner
        self._go(x0 + right * self._zoom.width, y0 + down * self._zoom.rows)

    def scroll_rows(self, rows: int) -> None:
        """Move the window down by so many rows."""
        self._go(self._corner[0], self._corner[1] + rows)

    def centre(self, at: Coords) -> None:
        """Put a hex in the middle of the window; of a pane that has no size yet, as soon as it has one."""
        width, height = self.inner
        if not width or not height:
            self._owed = at
            return
        x, y = hex_centre(self._zoom, *at)
        self._go(x - width // 2, y - height // 2)

    def reveal(self, at: Location) -> None:
        """Centre a hex if it is not well inside the window already."""
        if isinstance(at, str):
            return
        width, height = self.inner
        if not width or not height:
            self._owed = at
            return
        x, y = hex_centre(self._zoom, *at)
        x0, y0 = self._corner
        well_x, well_y = min(self._zoom.width, width // 3), min(self._zoom.rows, height // 3)
        if not (x0 + well_x <= x < x0 + width - well_x and y0 + well_y <= y < y0 + height - well_y):
            self.centre(at)

    def resized(self) -> None:
        """Centre what could not be centred before."""
        if self._owed is not None and all(self.inner):
            at, self._owed = self._owed, None
            self.centre(at)

    def _go(self, x0: int, y0: int) -> None:
        corner = self._bounded(x0, y0)
        if corner != self._corner:
            self._corner = corner
            self.repaint()

    def _bounded(self, x0: int, y0: int) -> tuple[int, int]:
        """The nearest corner at which the window shows nothing but the map; a small map is centred."""
        if self._scene is None:
            return x0, y0
        width, height = self.inner
        across, down = board_size(self._zoom, self._scene.cols, self._scene.rows)
        return _within(x0, width, across), _within(y0, height, down)

    # The mouse

    def hex_at(self, x: int, y: int) -> Hex | None:
        """The hex under a cell of the pane, None off the map or on the frame."""
        edge = 1 if self._frame else 0
        width, height = self.inner
        if self._scene is None or not (0 <= x - edge < width and 0 <= y - edge < height):
            return None
        x0, y0 = self._corner
        place = cell_to_hex(self._zoom, x0 + x - edge, y0 + y - edge)
        return Hex(*place) if self._scene.holds(place) else None

    def hit(self, x: int, y: int, twice: bool) -> bool:
        """Say which hex was clicked."""
        place = self.hex_at(x, y)
        if place is not None:
            self.post_message(HexClicked(place, twice))
        return place is not None


def _within(corner: int, shown: int, size: int) -> int:
    if size <= shown:
        return -((shown - size) // 2)
    return max(0, min(corner, size - shown))


def _stretches(rows: list[int]) -> list[tuple[int, int]]:
    """Rows in order as stretches without gaps, first and one past the last."""
    if not rows:
        return []
    breaks = [(one + 1, other) for one, other in pairwise(rows) if other != one + 1]
    starts = [rows[0], *(start for _, start in breaks)]
    stops = [*(stop for stop, _ in breaks), rows[-1] + 1]
    return list(zip(starts, stops, strict=True))
