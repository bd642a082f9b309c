"""A widget that shows rows and repaints only the cells that changed.

Frames are rows like any other, drawn by ourselves, because a border of Textual's repaints the whole pane when its title
or colour changes. Nothing here touches layout or virtual size.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import NULL_OFFSET, Offset, Region, Size
from textual.strip import Strip
from textual.widget import Widget

from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import Drawing, frame_drawing, stack
from fightcall.paint.pens import Pen, read_pen
from fightcall.paint.runs import Row, row_width
from fightcall.paint.terminal_screen import Cell, cut_cells, text_cells
from fightcall.panes.styles import StyleBook

WHEEL_ROWS = 3


class FrameMaker:
    """What makes the frames of a screen, where panes tell it themselves what has changed."""

    def note_changes(self, pane: RowsPane, regions: Sequence[Region]) -> bool:
        """Have the frame that is being gathered show these regions of a pane; False where none is being gathered."""
        raise NotImplementedError


class RowsPane(Widget):
    """Rows of runs on the screen.

    A subclass overrides `draw` and calls `repaint` when what it draws from has changed; or rows are handed to
    `show` from outside. Panes take no focus: keys belong to the screen, and `light` marks the pane they go to.

    Args:
        book: The styles to draw with.
        title: Title of the frame.
        frame: Whether to draw one.
    """

    ALLOW_SELECT = False
    can_focus = False

    def __init__(self, book: StyleBook, *, title: str = "", frame: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self.book = book
        self._title = title
        self._note = ""
        self._frame = frame
        self._lit = False
        self._given = Drawing(())
        self._drawing = self._given
        self._inside = self._given
        self._drawn_size = Size()
        self._is_rendering = False
        self._inks: dict[str, Style] = {}
        self._pens: dict[str, Pen] = {}

    @property
    def glyphs(self) -> Glyphs:
        """The marks to draw with."""
        return self.book.glyphs

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows on the screen, the frame included."""
        return self._drawing.rows

    @property
    def size(self) -> Size:
        """Cells across and rows down: of a pane all that it has on the screen, for Textual draws no border round it."""
        return self.region.size

    @property
    def content_offset(self) -> Offset:
        """Where its cells begin: at its corner, for the same reason."""
        return NULL_OFFSET

    @property
    def inner(self) -> tuple[int, int]:
        """Cells across and rows down that `draw` has to fill."""
        width, height = self.size
        return (max(width - 2, 0), max(height - 2, 0)) if self._frame else (width, height)

    @property
    def note(self) -> str:
        """What the lower edge of the frame says."""
        return self._note

    # Drawing

    def draw(self, width: int, height: int) -> Drawing:
        """What to show in `width` by `height` cells. The base shows the rows it was last given."""
        return self._given

    def repaint(self) -> None:
        """Draw again, and put on the screen what is different."""
        size = self.size
        if self._drawn_size != size:
            self._drawn_size = size
            self._drawing = Drawing(())
        width, height = self.inner
        if width and height:
            self._put(self.draw(width, height))
        elif size:
            # No room inside the frame: nothing rather than what was there before.
            self._replace(Drawing(stack([], *size, "text")))

    def show(self, rows: tuple[Row, ...] | Drawing) -> None:
        """Show rows drawn elsewhere, each as wide as the pane's inside; only changed cells are repainted."""
        self._given = rows if isinstance(rows, Drawing) else Drawing(rows)
        self._put(self._given)

    def set_frame(self, title: str | None = None, note: str | None = None, frame: bool | None = None) -> None:
        """Change what the frame says, or whether there is one; what is left out stays."""
        new_frame = (
            self._title if title is None else title,
            self._note if note is None else note,
            self._frame if frame is None else frame,
        )
        if new_frame == (self._title, self._note, self._frame):
            return
        is_resized = new_frame[2] != self._frame
        self._title, self._note, self._frame = new_frame
        if is_resized:
            self.repaint()
        else:
            self._put(self._inside)

    def light(self, lit: bool) -> None:
        """Mark the pane as the one that keys go to, or no longer."""
        if lit != self._lit:
            self._lit = lit
            self._put(self._inside)

    def dress(self, book: StyleBook) -> None:
        """Take other styles and marks: everything is drawn anew."""
        self.book = book
        self._inks, self._pens = {}, {}
        self.repaint()
        self.refresh()

    def _put(self, drawing: Drawing) -> None:
        self._inside = drawing
        width = self.size.width if self._frame else 0
        if width >= 2:
            drawing = frame_drawing(drawing, self._title, self._note, self._lit, width, self.glyphs)
        self._replace(drawing)

    def _replace(self, drawing: Drawing) -> None:
        before, rows = self._drawing.rows, drawing.rows
        self._drawing = drawing
        if len(before) != len(rows):
            self._refresh()
            return
        different = [y for y, row in enumerate(rows) if row is not before[y] and row != before[y]]
        if different:
            width = self.size.width
            self._refresh(*[Region(0, y, width, 1) for y in different])

    def _refresh(self, *regions: Region) -> None:
        """Have the next frame show what is different, unless it is being made just now."""
        if self._is_rendering:
            return
        frames = self.screen._compositor if regions else None
        if not (isinstance(frames, FrameMaker) and frames.note_changes(self, regions)):
            self.refresh(*regions)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Rows of the screen, without the rounds that Textual makes for borders, opacity and links: there are none.

        The first frame after a layout comes before the panes are told of their sizes: they draw for them here.
        """
        self._draw_for_frame()
        strips = [self.render_line(y) for y in crop.line_range]
        start, stop = crop.column_span
        if (start, stop) == (0, self.outer_size.width):
            return strips
        return [strip.crop(start, stop) for strip in strips]

    def _draw_for_frame(self) -> None:
        """Have the rows for the size that the frame being made gives the pane."""
        # What is rendered is seen, and of what is seen Textual has the size at hand.
        if self._drawn_size != self.outer_size:
            self._is_rendering = True
            try:
                self.repaint()
            finally:
                self._is_rendering = False

    def cells(self, y: int, start: int, stop: int, colours: ColorSystem) -> list[Cell]:
        """Some cells of a row, as a terminal with so many colours shows them: what frames are made of."""
        self._draw_for_frame()
        rows, pens = self._drawing.rows, self._pens
        cells: list[Cell] = []
        for text, style in rows[y] if y < len(rows) else ():
            cells += text_cells(text, pens.get(style) or self._pen(style, colours))
        if len(cells) < stop:
            cells += text_cells(" " * (stop - len(cells)), pens.get("text") or self._pen("text", colours))
        return cells if (start, stop) == (0, len(cells)) else cut_cells(cells, start, stop)

    def _pen(self, key: str, colours: ColorSystem) -> Pen:
        """What a style is written with."""
        pen = self._pens[key] = read_pen(Strip.render_ansi(self._inks.get(key) or self._ink(key), colours))
        return pen

    def render_line(self, y: int) -> Strip:
        """One row of the screen in its colours: for pictures of it, and behind what is laid over all of it."""
        rows, width = self._drawing.rows, self.outer_size.width
        row = rows[y] if y < len(rows) else ()
        strip = Strip([Segment(text, self._inks.get(style) or self._ink(style)) for text, style in row], row_width(row))
        return strip.adjust_cell_length(width, self._inks.get("text") or self._ink("text"))

    def _ink(self, key: str) -> Style:
        """A style as the terminal can show it; asked of Textual once, for it would ask for each stretch of each row."""
        segments = [Segment(" ", self.book[key])]
        for item in self.get_line_filters():
            segments = item.apply(segments, self.background_colors[1])
        ink = self._inks[key] = segments[0].style or Style.null()
        return ink

    # The screen's doings

    def on_resize(self, event: events.Resize) -> None:
        """Draw for the new size."""
        if self._drawn_size != self.size:
            self.repaint()
        self.handle_resize()

    def handle_resize(self) -> None:
        """The pane has another size, and is drawn for it: time to see to what should be in view."""

    def on_click(self, event: events.Click) -> None:
        """Find out what was clicked."""
        if self.click_at(event.x, event.y, event.chain > 1):
            event.stop()

    def click_at(self, x: int, y: int, twice: bool) -> bool:
        """A cell of the pane was clicked; says whether that means anything."""
        what = self._drawing.at(x, y)
        if what is None:
            return False
        self.handle_click(what, twice)
        return True

    def handle_click(self, what: str, twice: bool) -> None:
        """Something drawn was clicked; `what` is as its spot has it."""

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll back."""
        event.stop()
        self.scroll_rows(-WHEEL_ROWS)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll on."""
        event.stop()
        self.scroll_rows(WHEEL_ROWS)

    def scroll_rows(self, rows: int) -> None:
        """Scroll by so many rows, down where above zero. The base shows everything it has."""
