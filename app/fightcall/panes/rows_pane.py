"""A widget that shows rows and repaints only the cells that changed.

Frames are drawn as rows, because a border of Textual's repaints the whole pane when its title or colour changes.
Nothing here touches layout or virtual size.
"""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import NULL_OFFSET, Offset, Region, Size
from textual.strip import Strip
from textual.widget import Widget

from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import Drawing, frame_drawing, stack
from fightcall.paint.runs import Row, row_width
from fightcall.panes.styles import StyleBook

WHEEL_ROWS = 3


class RowsPane(Widget):
    """A pane of rows.

    A subclass overrides `draw` and calls `repaint` when its data has changed; or rows are passed to `show`. Panes take
    no focus: keys go to the screen, and `light` marks the pane they apply to.

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
        self._strips: dict[int, Strip] = {}

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
        """The size of the pane, all of which is content, since Textual draws no border."""
        return self.region.size

    @property
    def content_offset(self) -> Offset:
        """The offset of the content: none, for the same reason."""
        return NULL_OFFSET

    @property
    def inner(self) -> tuple[int, int]:
        """The size that `draw` has to fill."""
        width, height = self.size
        return (max(width - 2, 0), max(height - 2, 0)) if self._frame else (width, height)

    @property
    def note(self) -> str:
        """The text in the lower edge of the frame."""
        return self._note

    # Drawing

    def draw(self, width: int, height: int) -> Drawing:
        """The rows for `width` by `height` cells. By default the rows last passed to `show`."""
        return self._given

    def repaint(self) -> None:
        """Draw again, and update the cells that differ."""
        size = self.size
        if self._drawn_size != size:
            self._drawn_size = size
            self._drawing = Drawing(())
            self._strips = {}
        width, height = self.inner
        if width and height:
            self._put(self.draw(width, height))
        elif size:
            # Without room inside the frame, show nothing rather than old rows.
            self._replace(Drawing(stack([], *size, "text")))

    def show(self, rows: tuple[Row, ...] | Drawing) -> None:
        """Show rows drawn elsewhere, each as wide as the pane's inside."""
        self._given = rows if isinstance(rows, Drawing) else Drawing(rows)
        self._put(self._given)

    def set_frame(self, title: str | None = None, note: str | None = None) -> None:
        """Change the texts of the frame. Arguments left out change nothing."""
        new_texts = self._title if title is None else title, self._note if note is None else note
        if new_texts != (self._title, self._note):
            self._title, self._note = new_texts
            self._put(self._inside)

    def light(self, lit: bool) -> None:
        """Mark the pane as the one that keys apply to, or unmark it."""
        if lit != self._lit:
            self._lit = lit
            self._put(self._inside)

    def dress(self, book: StyleBook) -> None:
        """Change the styles and glyphs, and redraw everything."""
        self.book = book
        self._inks, self._strips = {}, {}
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
            self._strips = {}
            regions = [self.size.region]
        else:
            numbers = [y for y, row in enumerate(rows) if row is not before[y] and row != before[y]]
            for y in numbers:
                self._strips.pop(y, None)
            regions = [Region(0, y, self.size.width, 1) for y in numbers]
        if regions and not self._is_rendering:
            self.refresh(*regions)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render rows, without Textual's passes for borders, opacity and links, of which there are none.

        The first frame after a layout comes before panes are notified of their sizes, so they draw here. Textual asks
        for all rows of all panes between the outermost changes, so those that have not changed are kept.
        """
        if self._drawn_size != self.outer_size:
            self._is_rendering = True
            try:
                self.repaint()
            finally:
                self._is_rendering = False
        strips = [self._strips.get(y) or self.render_line(y) for y in crop.line_range]
        start, stop = crop.column_span
        if (start, stop) == (0, self.outer_size.width):
            return strips
        return [strip.crop(start, stop) for strip in strips]

    def render_line(self, y: int) -> Strip:
        """A row with its colours."""
        rows, width = self._drawing.rows, self.outer_size.width
        row = rows[y] if y < len(rows) else ()
        strip = Strip([Segment(text, self._inks.get(style) or self._ink(style)) for text, style in row], row_width(row))
        strip = self._strips[y] = strip.adjust_cell_length(width, self._inks.get("text") or self._ink("text"))
        return strip

    def _ink(self, key: str) -> Style:
        """A style as the terminal can show it, cached because converting is slow."""
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
        """Hook: the pane has been resized and drawn, and can scroll to what should be in view."""

    def on_click(self, event: events.Click) -> None:
        """Find out what was clicked."""
        if self.click_at(event.x, event.y, event.chain > 1):
            event.stop()

    def click_at(self, x: int, y: int, twice: bool) -> bool:
        """Handle a click on a cell of the pane. False if it means nothing."""
        what = self._drawing.at(x, y)
        if what is None:
            return False
        self.handle_click(what, twice)
        return True

    def handle_click(self, what: str, twice: bool) -> None:
        """Handle a click on a spot; `what` is that of the spot."""

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll back."""
        event.stop()
        self.scroll_rows(-WHEEL_ROWS)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll on."""
        event.stop()
        self.scroll_rows(WHEEL_ROWS)

    def scroll_rows(self, rows: int) -> None:
        """Scroll by rows, down if positive. By default there is nothing to scroll."""
