"""The board pane: a window on the board that scrolls and zooms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from textual.geometry import Size

from fightcall.paint.board import Looks, column_names, paint_looks, paint_zones, repaint_places, row_names
from fightcall.paint.geometry import (
    EDGES,
    FAMILIES,
    LEAST_HIGH,
    LEAST_WIDE,
    MEDIUM,
    SMALL,
    ZOOM_STEPS,
    Coords,
    FloorPlan,
    Zoom,
    board_size,
    cell_to_place,
    floor_plan,
    pattern_size,
    place_centre,
    whole_map,
)
from fightcall.paint.runs import Drawing, Row, Run, window
from fightcall.paint.scenes import BoardScene, ZoneScene, changed_places
from fightcall.panes.base import Clicked, PlaceClicked, RowsPane, StyleBook
from fightcall_engine.board.base import Hex, Location, Square

Drawer = Callable[[int, int], Drawing]
"""Draws rows for a width and height in cells."""

SPARE = 4
"""Rows that must remain before the zoom gets larger by itself, as the call bar may take as many again."""
NAMES = "dim"
MOST_BODIES = 3
"""As many drawn boards are kept: that of an act, that of the panel it came from, and that without either."""


class BoardPane(RowsPane):
    """A window on the board: hexes, squares, or a floor plan; without a scene, other rows such as the contacts."""

    def __init__(self, book: StyleBook, *, title: str = "", frame: bool = False, id: str | None = None) -> None:
        super().__init__(book, title=title, frame=frame, id=id)
        self._scene: BoardScene | None = None
        self.zoom = MEDIUM
        self.corner = (0, 0)
        """The cell of the board in the upper left corner of the window."""
        self._bodies: list[tuple[BoardScene, tuple[object, ...], tuple[Row, ...]]] = []
        """What was drawn last: scenes, where their window stood, and the rows, most of which often come back."""
        self._owed: Location | None = None
        self._is_fitted = True
        self._shows_all = False
        self._fitted_size = Size()
        self._edges = EDGES[0]
        self._zones: ZoneScene | None = None
        self._near = 0
        self._looks: Looks | None = None
        self._without: Drawer | None = None
        self._covered = 0
        self._uncovered_corner = self.corner

    def update_from(
        self,
        scene: BoardScene | ZoneScene | None,
        without: Drawer | None = None,
        here: Location | None = None,
        *,
        covered: int = 0,
        beside: Iterable[Location] = (),
    ) -> None:
        """Show a scene, repainting only places that look different; with None, show what `without` draws.

        `here` is kept visible, and so are the places `beside`, above the `covered` rows at the lower edge that another
        pane hides.
        """
        if isinstance(scene, ZoneScene):
            self._zones, self._scene = scene, None
            self._show_above(covered, list(beside), here)
            self.repaint()
            return
        self._zones = None
        before, self._scene = self._scene, scene
        if scene is None:
            # The pane may be hidden, and get another size when shown, so it keeps the function and not its rows.
            self._without = without
            self.repaint()
            return
        if self.zoom.shift != scene.shift:
            self.zoom = min(FAMILIES[scene.shift], key=lambda zoom: abs(zoom.rows - self.zoom.rows))
        tiles = changed_places(before, scene) if before is not None else None
        if tiles is None:
            self._looks = None
            if before is not None and self._is_fitted and _map_of(before) != _map_of(scene):
                self.fit_again()
        elif tiles and self._looks is not None:
            self._looks.move_on(scene, tiles)
        corner = self.corner
        # The window is moved first, so that the board is painted only once.
        self._show_above(covered, list(beside), here)
        if tiles is None or self.corner != corner:
            self.repaint()
        elif tiles:
            self._touch(scene, before, tiles)
        self._refit()

    def _show_above(self, covered: int, places: Sequence[Location], here: Location | None) -> None:
        height, y0 = self.window[1], self.corner[1]
        is_hidden = any(height - covered <= self._middle(place)[1] - y0 < height for place in places)
        rows = covered if self._covered or is_hidden else 0
        if rows and not self._covered:
            self._uncovered_corner = self.corner
        elif self._covered and not rows:
            self.corner = self._uncovered_corner
        self._covered = rows
        self.corner = self._corner_showing(here)
        for place in places if self._covered else ():
            self.corner = self._corner_showing(place)

    @property
    def _seen_window(self) -> tuple[int, int]:
        width, height = self.window
        return width, max(height - self._covered, min(height, 1))

    def _touch(self, scene: BoardScene, before: BoardScene | None, tiles: frozenset[Coords]) -> None:
        """Paint a scene over the kept board that is most like it; at `tiles` it differs from the scene `before`."""
        key, (x0, y0) = self._window_key, self.corner
        known = [(each, rows) for each, there, rows in self._bodies if there == key]
        changes = [(tiles if each is before else changed_places(each, scene), rows) for each, rows in known]
        alike = [(places, rows) for places, rows in changes if places is not None]
        if not alike or self._drawn_size != self.size:
            self.repaint()
            return
        places, rows = min(alike, key=lambda each: len(each[0]))
        self._keep_body(scene, repaint_places(self._looks_now(), self.zoom, rows, x0, y0, self.window[0], places))
        self._put(self._with_names())

    @property
    def _window_key(self) -> tuple[object, ...]:
        return self.zoom, self.corner, self.window

    def _keep_body(self, scene: BoardScene, rows: tuple[Row, ...]) -> None:
        self._bodies = [(scene, self._window_key, rows), *self._bodies[: MOST_BODIES - 1]]

    def draw(self, width: int, height: int) -> Drawing:
        if self._zones is not None:
            self.corner = self._clamp_corner(*self.corner)
            return paint_zones(self._zones, self._plan(self._zones), *self.corner, width, height, self.glyphs)
        if self._scene is None:
            return self._without(width, height) if self._without is not None else Drawing(())
        if self._is_fitted and self._fitted_size != self.size:
            self._fit()
        self.corner = self._clamp_corner(*self.corner)
        x0, y0 = self.corner
        width, height = self.window
        self._keep_body(self._scene, paint_looks(self._looks_now(), self.zoom, x0, y0, width, height))
        return self._with_names()

    @property
    def _margins(self) -> tuple[int, int]:
        width, height = self.inner
        has_room = width >= LEAST_WIDE and height >= LEAST_HIGH
        return self._edges if self._scene is not None and has_room else (0, 0)

    @property
    def window(self) -> tuple[int, int]:
        """The size of the window for the board itself."""
        width, height = self.inner
        left, top = self._margins
        return width - left, height - top

    def _with_names(self) -> Drawing:
        width, height = self.window
        left, top = self._margins
        zoom, (x0, y0) = self.zoom, self.corner
        scene, _, body = self._bodies[0]
        rows = list(body)
        # If the map does not fill the window, the names are at the map's edge.
        if left:
            aside = max(0, -x0)
            named_rows = zip(row_names(scene.rows, zoom, y0, height), rows, strict=True)
            rows = [_name_row(" " * aside + name.rjust(left - 1) + " ", row, aside, width) for name, row in named_rows]
        if top:
            names = column_names(scene.cols, scene.rows, zoom, x0, y0, width, height)
            rows.insert(max(0, -y0), (Run(" " * left + names, NAMES),))
        return Drawing(tuple(rows))

    def dress(self, book: StyleBook) -> None:
        self._looks, self._bodies = None, []
        super().dress(book)

    def _plan(self, scene: ZoneScene) -> FloorPlan:
        return floor_plan(scene.board, *self.inner, self._near)

    def _looks_now(self) -> Looks:
        assert self._scene is not None
        if self._looks is None:
            self._looks = Looks(self._scene, self.zoom, self.glyphs)
        return self._looks

    # Moving the window

    def set_zoom(self, zoom: Zoom, about: Coords | None = None) -> None:
        """Change the zoom, keeping a place, or else the middle of the window, where it is."""
        self._is_fitted = False
        if zoom == self.zoom:
            return
        width, height = self.window
        x0, y0 = self.corner
        if about is None:
            about = cell_to_place(self.zoom, x0 + width // 2, y0 + height // 2)
        x, y = place_centre(self.zoom, *about)
        new_x, new_y = place_centre(zoom, *about)
        self.zoom, self._looks = zoom, None
        self.corner = (new_x - (x - x0), new_y - (y - y0))
        self.repaint()

    def zoom_by(self, steps: int, about: Location | None = None) -> None:
        """Zoom in (positive) or out."""
        self._is_fitted = False
        if self._zones is not None:
            self._near = max(0, min(self._near + steps, len(ZOOM_STEPS) - 1))
            self.repaint()
            if about is not None:
                self.centre(about)
            return
        zooms = FAMILIES[self.zoom.shift]
        step = max(0, min(zooms.index(self.zoom) + steps, len(zooms) - 1))
        self.set_zoom(zooms[step], None if isinstance(about, str) else about)

    def fit_again(self) -> None:
        """Fit the map when it is drawn next, also if the GM has zoomed or scrolled."""
        self._is_fitted, self._fitted_size = True, Size()

    def _fit(self) -> None:
        """Zoom in as far as the whole map is visible; if it has no room at any zoom, as far as all combatants are.

        This is repeated whenever the pane is resized or a combatant would be out of sight, until the GM zooms or
        scrolls. With the same width it zooms in only if some rows would remain: so a call bar that takes a row for a
        question and gives it back changes the zoom at most once.
        """
        if self._scene is None or min(self.window) <= 0:
            # The zooms depend on the kind of cells, which only the scene knows.
            return
        spare = SPARE if self._fitted_size and self._fitted_size.width == self.size.width else 0
        self._fitted_size, now = self.size, self.zoom
        people = [self._scene.cell(*at) for at in self._scene.tokens]
        self._shows_all = self._fit_whole(self._scene, now, spare)
        for edges in EDGES if people and not self._shows_all else ():
            self._edges = edges
            self._shows_all = self._fit_people(people, now, spare)
            if self._shows_all:
                break

    def _fit_whole(self, scene: BoardScene, now: Zoom, spare: int) -> bool:
        width, height = self.inner
        as_now = whole_map(scene.cols, scene.rows, scene.shift, width, height, now.width)
        larger = whole_map(scene.cols, scene.rows, scene.shift, width, height - spare)
        whole = max(filter(None, (as_now, larger)), key=lambda fit: fit.zoom, default=None)
        if whole is None:
            return False
        self.zoom, self._edges, self._looks, self._owed = whole.zoom, whole.edges, None, None
        self.corner = (0, 0)
        return True

    def _fit_people(self, pairs: Sequence[Hex | Square], now: Zoom, spare: int) -> bool:
        """Fit the places into the window, above the small zoom with a free place around; False if no zoom has room."""
        width, height = self.window
        zooms = FAMILIES[self.zoom.shift]
        for zoom in reversed(zooms):
            centres = [place_centre(zoom, *place) for place in pairs]
            across, down = [x for x, _ in centres], [y for _, y in centres]
            beyond = 2 if zoom.rows > SMALL.rows else 0
            wide = max(across) - min(across) + zoom.width * (1 + beyond)
            high = max(down) - min(down) + zoom.tall + zoom.rows * beyond
            if self._scene is not None:
                board_width, board_height = board_size(zoom, self._scene.cols, self._scene.rows)
                wide, high = min(wide, board_width), min(high, board_height)
            left = spare if zoom.rows > now.rows else 0
            has_room = wide <= width and high + left <= height
            if zoom == zooms[0] or has_room:
                break
        self.zoom, self._looks, self._owed = zoom, None, None
        self.corner = ((min(across) + max(across) - width) // 2, (min(down) + max(down) - height) // 2)
        return has_room

    def pan(self, right: int, down: int) -> None:
        """Scroll by places, or by as much of a floor plan."""
        self._is_fitted = False
        x0, y0 = self.corner
        self._go(x0 + right * self.zoom.width, y0 + down * self.zoom.rows)

    def scroll_rows(self, rows: int) -> None:
        """Scroll down by `rows`."""
        self._is_fitted = False
        self._go(self.corner[0], self.corner[1] + rows)

    def centre(self, at: Location) -> None:
        """Centre a place, as soon as the pane has a size."""
        width, height = self.window
        if width <= 0 or height <= 0:
            self._owed = at
            return
        x, y, _, _ = self._middle(at)
        self._go(x - width // 2, y - height // 2)

    def _middle(self, at: Location) -> tuple[int, int, int, int]:
        """The centre of a place in cells of the board, and its minimum distance from the window's edge."""
        width, height = self._seen_window
        if not isinstance(at, str):
            # A window fitted to everybody is not moved for a combatant who is visible.
            well_x, well_y = (1, 1) if self._is_fitted else (self.zoom.width, self.zoom.rows)
            return *place_centre(self.zoom, *at), min(well_x, width // 3), min(well_y, height // 3)
        box = self._plan(self._zones).box(at) if self._zones is not None else None
        if box is None:
            return 0, 0, 0, 0
        half_x, half_y = (box.right - box.left) // 2, (box.bottom - box.top) // 2
        return box.left + half_x, box.top + half_y, min(half_x, width // 2), min(half_y, height // 2)

    def reveal(self, at: Location) -> None:
        """Scroll just far enough that a place is well inside the window; centre it if it is far away."""
        corner = self._corner_showing(at)
        if corner != self.corner:
            self.corner = corner
            self.repaint()

    def _corner_showing(self, at: Location | None) -> tuple[int, int]:
        width, height = self._seen_window
        if at is None:
            return self.corner
        if width <= 0 or height <= 0:
            self._owed = at
            return self.corner
        x, y, well_x, well_y = self._middle(at)
        x0, y0 = self.corner
        if not (x0 - width <= x < x0 + 2 * width and y0 - height <= y < y0 + 2 * height):
            return self._clamp_corner(x - width // 2, y - height // 2)
        least = self._clamp_corner(x - width + well_x + 1, y - height + well_y + 1)
        most = self._clamp_corner(x - well_x, y - well_y)
        # A window fitted to everybody has no room for scrolling in whole steps.
        by_steps = self._scene is not None and not (self._is_fitted and self._shows_all)
        across, down = pattern_size(self.zoom) if by_steps else (1, 1)
        return _move_corner(x0, least[0], most[0], across), _move_corner(y0, least[1], most[1], down)

    def _refit(self) -> None:
        """Fit all combatants again if a combatant is out of sight and the GM has not scrolled or zoomed.

        If they do not fit even at the smallest zoom, the window follows the selected combatant instead.
        """
        width, height = self.window
        if not self._is_fitted or self._scene is None or min(width, height) <= 0 or self._covered:
            return
        if self._fitted_size != self.size:
            self.handle_resize()
        if not self._shows_all:
            return
        (x0, y0), centres = self.corner, [place_centre(self.zoom, *at) for at in self._scene.tokens]
        if not all(x0 <= x < x0 + width and y0 <= y < y0 + height for x, y in centres):
            self._fit()
            self.repaint()

    def handle_resize(self) -> None:
        if self._is_fitted and self._fitted_size == self.size:
            return
        if self._is_fitted and self._scene is not None:
            self._fit()
            self.repaint()
            return
        if self._owed is not None and all(self.inner):
            at, self._owed = self._owed, None
            self.centre(at)

    def _go(self, x0: int, y0: int) -> None:
        corner = self._clamp_corner(x0, y0)
        if corner != self.corner:
            self.corner = corner
            self.repaint()

    def _clamp_corner(self, x0: int, y0: int) -> tuple[int, int]:
        width, height = self._seen_window
        if self._zones is not None:
            across, down = self._plan(self._zones).size
        elif self._scene is not None:
            across, down = board_size(self.zoom, self._scene.cols, self._scene.rows)
        else:
            return x0, y0
        return _within(x0, width, across), _within(y0, height, down)

    # The mouse

    def place_at(self, x: int, y: int) -> Location | None:
        """The place at a cell of the pane; None off the map, on walls or on the frame."""
        edge = 1 if self._frame else 0
        (width, height), (left, top), (x0, y0) = self.window, self._margins, self.corner
        x, y = x - edge - left, y - edge - top
        # Outside of the names at the map's edge there is nothing.
        if not (max(0, -x0) <= x < width and max(0, -y0) <= y < height):
            return None
        if self._zones is not None:
            return self._plan(self._zones).zone_at(x0 + x, y0 + y)
        if self._scene is None:
            return None
        place = cell_to_place(self.zoom, x0 + x, y0 + y)
        return self._scene.cell(*place) if self._scene.holds(place) else None

    def click_at(self, x: int, y: int, twice: bool) -> bool:
        """Report the clicked place, or the clicked combatant if a place holds several."""
        if self._zones is not None and super().click_at(x, y, twice):
            return True
        place = self.place_at(x, y)
        if place is not None:
            self.post_message(PlaceClicked(place))
        return place is not None

    def handle_click(self, what: str, twice: bool) -> None:
        self.post_message(Clicked(what))


@lru_cache(maxsize=512)
def _name_row(name: str, row: Row, start: int, stop: int) -> Row:
    return (Run(name, NAMES), *window(row, start, stop - start))


def _map_of(scene: BoardScene) -> tuple[int, int, int]:
    return scene.cols, scene.rows, scene.shift


def _within(corner: int, view_size: int, size: int) -> int:
    if size <= view_size:
        return -((view_size - size) // 2)
    return max(0, min(corner, size - view_size))


def _move_corner(corner: int, least: int, most: int, step: int) -> int:
    """The nearest corner between two limits, if possible by whole steps, after which most cells look the same."""
    if least <= corner <= most:
        return corner
    near, far = (least, most) if corner < least else (most, least)
    steps = -(-abs(near - corner) // step)
    next_corner = corner + steps * step * (1 if near > corner else -1)
    return next_corner if min(near, far) <= next_corner <= max(near, far) else near
