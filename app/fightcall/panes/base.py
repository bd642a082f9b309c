"""What every pane is made of: rows that repaint only if they changed, styles, and messages of the mouse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.color import Color
from textual.geometry import NULL_OFFSET, Offset, Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from fightcall.actions import short_key
from fightcall.paint.prompt_bar import Answer, Entry, Foot, MessageTone, Question, TextLine, foot_rows
from fightcall.paint.runs import Drawing, Glyphs, Row, frame_drawing, row_width, stack
from fightcall.themes import FightTheme, rich_style
from fightcall_engine.board.base import Location
from fightcall_engine.model.values import replace

WHEEL_ROWS = 3
MOST_STRIPS = 512
"""The most rendered rows that a pane keeps."""


class StyleBook(dict[str, Style]):
    """The Rich styles of a theme by style key, each made when it is first used."""

    def __init__(self, theme: FightTheme) -> None:
        super().__init__()
        self.theme = theme

    @property
    def glyphs(self) -> Glyphs:
        """The marks to draw with."""
        return self.theme.glyphs

    def __missing__(self, key: str) -> Style:
        style = self[key] = rich_style(self.theme.palette.style(key))
        return style


@dataclass
class Clicked(Message):
    """A combatant was clicked."""

    combatant: str


@dataclass
class PlaceClicked(Message):
    """A place on the board was clicked."""

    place: Location


@dataclass
class EntryClicked(Message):
    """A line of the log was clicked, with the number of its entry."""

    number: int


@dataclass
class OptionClicked(Message):
    """An option was clicked, with its index."""

    index: int


@dataclass
class ChoiceClicked(Message):
    """An answer in the call bar was clicked, with its key."""

    key: str


@dataclass
class KeyClicked(Message):
    """A key in the call bar was clicked, with its action."""

    action: str


@dataclass
class Sought(Message):
    """A moment on the timeline was clicked, with the number of events before it."""

    position: int


class RowsPane(Widget):
    """A pane of rows. Its frame is rows, too: a border of Textual's repaints the pane when its title or colour changes.

    A subclass overrides `draw` and calls `repaint` when its data has changed; or rows are passed to `show`. Panes take
    no focus: keys go to the screen.
    """

    ALLOW_SELECT = False
    can_focus = False

    def __init__(self, book: StyleBook, *, title: str = "", frame: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self.book = book
        self._title = title
        self.note = ""
        """The text in the lower edge of the frame."""
        self._frame = frame
        self._given = Drawing(())
        self._drawing = self._given
        self._inside = self._given
        self._drawn_size = Size()
        self._is_rendering = False
        self._inks: dict[str, Style] = {}
        self._blank_inks: dict[str, Style] = {}
        self._background: Color | None = None
        self._strips: dict[int, tuple[Row, Strip]] = {}
        """Rows as they were rendered, by the identity of each, for as long as they are likely to come back."""

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
        """The size of the pane, all of which is content, since Textual draws no border; none while it is hidden."""
        return self.outer_size if self.display else Size()

    @property
    def content_offset(self) -> Offset:
        """The offset of the content: none, for the same reason."""
        return NULL_OFFSET

    @property
    def inner(self) -> tuple[int, int]:
        """The size that `draw` has to fill."""
        width, height = self.size
        return (max(width - 2, 0), max(height - 2, 0)) if self._frame else (width, height)

    # Drawing

    def draw(self, width: int, height: int) -> Drawing:
        """The rows for `width` by `height` cells. By default the rows last passed to `show`."""
        return self._given

    def repaint(self) -> None:
        """Draw again, and update the rows that differ."""
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
        new_texts = self._title if title is None else title, self.note if note is None else note
        if new_texts != (self._title, self.note):
            self._title, self.note = new_texts
            self._put(self._inside)

    def dress(self, book: StyleBook) -> None:
        """Change the styles and glyphs, and redraw everything."""
        self.book = book
        self._inks, self._blank_inks, self._strips, self._background = {}, {}, {}, None
        self.repaint()
        self.refresh()

    def _put(self, drawing: Drawing) -> None:
        self._inside = drawing
        width = self.size.width if self._frame else 0
        if width >= 2:
            drawing = frame_drawing(drawing, self._title, self.note, width, self.glyphs)
        self._replace(drawing)

    def _replace(self, drawing: Drawing) -> None:
        before, rows, cells = self._drawing.rows, drawing.rows, self.size.width
        regions = [self.size.region]
        if len(before) == len(rows):
            # A row that has not changed stays the same object, as it is known by that when it is rendered.
            rows = tuple([old if old == new else new for old, new in zip(before, rows, strict=True)])
            changes = enumerate(zip(before, rows, strict=True))
            regions = [Region(0, y, _changed_cells(old, new, cells), 1) for y, (old, new) in changes if old is not new]
        self._drawing = Drawing(rows, drawing.spots)
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
        strips = [self.render_line(y) for y in crop.line_range]
        start, stop = crop.column_span
        if (start, stop) == (0, self.outer_size.width):
            return strips
        return [strip.crop(start, stop) for strip in strips]

    def render_line(self, y: int) -> Strip:
        """A row with its colours."""
        row = self._drawing.rows[y] if y < len(self._drawing.rows) else ()
        if id(row) not in self._strips:
            if len(self._strips) >= MOST_STRIPS:
                self._strips.clear()
            self._strips[id(row)] = row, self.render_row(row)
        return self._strips[id(row)][1]

    def render_row(self, row: Row) -> Strip:
        """The same for a row that was not rendered before."""
        inks, blanks = self._inks, self._blank_inks
        segments = [
            Segment(text, (blanks if text.isspace() else inks).get(style) or self._ink(style, text.isspace()))
            for text, style in row
        ]
        ground = blanks.get("text") or self._ink("text", True)
        return Strip(segments, row_width(row)).adjust_cell_length(self.outer_size.width, ground)

    def _ink(self, key: str, is_blank: bool) -> Style:
        """A style as the terminal can show it, cached as that is slow; of blanks only the background."""
        if self._background is None:
            self._background = self.background_colors[1]
        segments = [Segment(" ", self.book[key])]
        for item in self.get_line_filters():
            segments = item.apply(segments, self._background)
        ink = segments[0].style or Style.null()
        if is_blank and not (ink.reverse or ink.underline or ink.underline2 or ink.strike or ink.overline):
            ink = Style.from_color(None, ink.bgcolor)
        (self._blank_inks if is_blank else self._inks)[key] = ink
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


class DrawnPane(RowsPane):
    """A pane that asks a function for its rows, and says what was clicked, whether twice, and how far to scroll."""

    def __init__(
        self,
        book: StyleBook,
        drawer: Callable[[int, int], Drawing],
        *,
        clicked: Callable[[str, bool], None] | None = None,
        wheel: Callable[[int], None] | None = None,
        title: str = "",
        frame: bool = False,
        id: str | None = None,
    ) -> None:
        super().__init__(book, title=title, frame=frame, id=id)
        self._drawer = drawer
        self._clicked = clicked
        self._wheel = wheel

    def draw(self, width: int, height: int) -> Drawing:
        return self._drawer(width, height)

    def handle_click(self, what: str, twice: bool) -> None:
        if self._clicked is not None:
            self._clicked(what, twice)

    def scroll_rows(self, rows: int) -> None:
        if self._wheel is not None:
            self._wheel(rows)


class FootPane(RowsPane):
    """Two rows at the lower edge of a screen. `keys` returns the pairs of the key bar, the most useful first."""

    def __init__(
        self, book: StyleBook, keys: Callable[[], list[tuple[str, str]]], idle: Callable[[], str], *, id: str
    ) -> None:
        super().__init__(book, id=id)
        self.said = Foot()
        self._keys = keys
        self._idle = idle

    @property
    def is_busy(self) -> bool:
        """True while a question is open or a line is being typed."""
        return self.said.question is not None or self.said.entry is not None

    def say(self, message: str, tone: MessageTone = "info") -> None:
        """Show a message until the next key."""
        self._show(replace(self.said, message=message, tone=tone))

    def ask(self, text: str, *answers: Answer) -> None:
        """Ask a question that one key answers."""
        self._show(Foot(question=Question(text, answers)))

    def enter(self, entry: Entry) -> None:
        """Ask for a line of text."""
        self._show(Foot(entry=entry))

    def press(self, key: str, character: str | None) -> bool:
        """Handle a key for an open question or a line being typed. False if it is for the screen."""
        if self.said.entry is not None:
            return self._type(self.said.entry, key, character)
        if self.said.question is not None:
            return self._answer(self.said.question, key, character)
        if self.said.message:
            self._show(Foot())
        return False

    def paste(self, text: str) -> None:
        """Paste text into the line being typed."""
        if self.said.entry is not None:
            self._take_line(self.said.entry, self.said.entry.line.insert(text))

    def draw(self, width: int, height: int) -> Drawing:
        """The message above the keys, or the question, or the line."""
        foot = self.said if self.said.message or self.is_busy else Foot(self._idle())
        return Drawing(foot_rows(foot, self._keys(), width, self.glyphs)[:height])

    def _show(self, foot: Foot) -> None:
        self.said = foot
        self.repaint()

    def _type(self, entry: Entry, key: str, character: str | None) -> bool:
        if key == "enter":
            # Close first: handling the line may show a message or ask a question.
            self._show(Foot())
            complaint = entry.done(entry.line.text)
            if complaint is not None:
                self._show(Foot(entry=replace(entry, error=complaint)))
            return True
        if key == "escape":
            self._show(Foot())
            if entry.cancelled is not None:
                entry.cancelled()
            return True
        line = entry.line.press(key, character)
        if line is None:
            # Control and function keys keep their meaning; any other key would be a mistake.
            return not (key.startswith(("ctrl+", "f")) and len(key) > 1)
        self._take_line(entry, line)
        return True

    def _take_line(self, entry: Entry, line: TextLine) -> None:
        self._show(Foot(entry=replace(entry, line=line, error="")))
        if entry.changed is not None:
            entry.changed(line.text)

    def _answer(self, question: Question, key: str, character: str | None) -> bool:
        if key.startswith("ctrl+"):
            return False
        given = (each for each in question.answers if each.key in (key, character))
        answer = next(given, next((each for each in question.answers if each.is_proposed and key == "enter"), None))
        is_denied = key == "n" and any(each.key == "y" for each in question.answers)
        if answer is not None or is_denied or key in ("escape", "q"):
            self._show(Foot())
        else:
            text = character if character and character.isprintable() and character != " " else key
            self._show(Foot(question=replace(question, error=f"{short_key(text)} isn't an answer here")))
        if answer is not None:
            answer.do()
        return True


def _changed_cells(before: Row, after: Row, cells: int) -> int:
    """Cells to draw again from the left: all of a row that has mostly changed, as it takes Textual time to cut it."""
    from_right = enumerate(zip(reversed(before), reversed(after), strict=False))
    same = next((at for at, (old, new) in from_right if old != new), 0)
    rest = row_width(after[len(after) - same :])
    return cells - rest if 3 * rest > cells == row_width(before) == row_width(after) else cells
