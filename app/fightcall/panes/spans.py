"""Faster frames for Textual, made of changed cells instead of whole rows.

Textual 8 renders all of every widget between the outermost changes of a frame, divides each row at every widget's edge,
and writes each changed row of a widget from its left edge on. Here a widget renders only the changed spans of its rows,
whose cells go to `TerminalScreen`. Textual also posts four messages for each changed widget, and then waits for a
timer. Here all changes of a key are one frame, made as soon as the key is handled. This uses private parts of Textual;
if a later release lacks them, frames are made in Textual's own way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from rich.color import ColorSystem
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from fightcall.paint.pens import PLAIN, Pen, read_pen
from fightcall.paint.terminal_screen import Cell, TerminalScreen, text_cells
from fightcall.panes.rows_pane import FrameMaker, RowsPane

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.style import Style
    from textual.screen import Screen

try:
    from textual._compositor import Compositor, CompositorUpdate, LayoutUpdate
except ImportError:

    def draw_by_spans(screen: Screen[None], terminal: TerminalScreen) -> None:
        """Do nothing: this version of Textual makes its frames in another way."""

    def one_frame(screen: Screen[None]) -> AbstractContextManager[None]:
        """Leave frames to Textual."""
        return nullcontext()

else:

    class SpansUpdate(CompositorUpdate):
        """Spans of rows: row, first column, and one past the last column."""

        def __init__(self, compositor: SpanCompositor, spans: Sequence[tuple[int, int, int]]) -> None:
            self.compositor = compositor
            self.spans = spans

        def render_segments(self, console: Console) -> str:
            """Put the cells into the terminal screen, and write nothing: the driver's next write includes them."""
            colours = console._color_system or ColorSystem.TRUECOLOR
            for span in self.spans:
                self.compositor.put_span(*span, colours)
            return ""

    class SpanCompositor(FrameMaker, Compositor):
        """A compositor whose frames contain only the changed spans of rows."""

        def __init__(self, terminal: TerminalScreen) -> None:
            super().__init__()
            self.terminal = terminal
            self._changes: list[tuple[RowsPane, Sequence[Region]]] | None = None

        def note_changes(self, pane: RowsPane, regions: Sequence[Region]) -> bool:
            """Add changed regions of a pane to the frame being collected."""
            if self._changes is None or pane not in self.visible_widgets:
                return False
            self._changes.append((pane, regions))
            return True

        def gather_changes(self) -> None:
            """Collect changes until `show_changes`."""
            self._changes = []

        def show_changes(self, screen: Screen[None]) -> None:
            """Make a frame of the collected changes, unless Textual makes one anyway for a new layout."""
            changes, self._changes = self._changes or (), None
            if screen.app._batch_count or not screen.is_current or _is_to_be_laid_out(screen):
                for pane, regions in changes:
                    pane.refresh(*regions)
                return
            for pane, regions in changes:
                region, clip = self.visible_widgets[pane]
                self._dirty_regions.update(clip.intersection(each.translate(region.offset)) for each in regions)
            if changes:
                screen._compositor_refresh()

        def render_update(
            self, full: bool = False, screen_stack: list[Screen[None]] | None = None, simplify: bool = False
        ) -> RenderableType | None:
            """Make a frame, and compute the layout now, since it would be half changed during the next update."""
            _ = self.full_map
            return super().render_update(full, screen_stack, simplify)

        def render_full_update(self, simplify: bool = False) -> LayoutUpdate | SpansUpdate:  # type: ignore[override]
            """Render the whole screen; for screenshots (`simplify`) in Textual's own way."""
            if simplify:
                return super().render_full_update(simplify)
            self._dirty_regions.clear()
            return SpansUpdate(self, [(y, 0, self.size.width) for y in range(self.size.height)])

        def render_partial_update(self) -> SpansUpdate | None:  # type: ignore[override]
            """Render the changes since the last frame; None if there are none."""
            screen = self.size.region
            regions = [region.intersection(screen) for region in self._dirty_regions]
            self._dirty_regions.clear()
            spans = list(self._regions_to_spans(filter(None, regions)))
            return SpansUpdate(self, spans) if spans else None

        def put_span(self, y: int, start: int, stop: int, colours: ColorSystem) -> None:
            """Put the cells of a span into the terminal screen, from the foremost widgets first."""
            open_spans = [(start, stop)]
            for widget, (region, clip) in self.visible_widgets.items():
                left, top, width, height = region.intersection(clip)
                if not (top <= y < top + height and left < stop and start < left + width):
                    continue
                behind: list[tuple[int, int]] = []
                for begin, end in open_spans:
                    first, last = max(begin, left), min(end, left + width)
                    if first >= last:
                        behind.append((begin, end))
                        continue
                    cells = _cells_of(widget, y - region.y, first - region.x, last - region.x, colours)
                    self.terminal.put(y, first, cells)
                    behind += [(begin, first)] if begin < first else []
                    behind += [(last, end)] if last < end else []
                open_spans = behind
                if not open_spans:
                    return

    def _cells_of(widget: Widget, y: int, start: int, stop: int, colours: ColorSystem) -> Sequence[Cell]:
        if isinstance(widget, RowsPane):
            return widget.cells(y, start, stop, colours)
        (strip,) = widget.render_lines(Region(start, y, stop - start, 1))
        return [cell for text, style, _ in strip for cell in text_cells(text, _pen(style, colours))]

    def _pen(style: Style | None, colours: ColorSystem) -> Pen:
        return read_pen(Strip.render_ansi(style, colours)) if style else PLAIN

    def _is_to_be_laid_out(screen: Screen[None]) -> bool:
        return any(widget._layout_required for widget in screen.walk_children(Widget, with_self=True))

    def one_frame(screen: Screen[None]) -> AbstractContextManager[None]:
        """Show all changes made within as one frame, immediately."""
        frames = screen._compositor
        return _gathered(screen, frames) if isinstance(frames, SpanCompositor) else nullcontext()

    @contextmanager
    def _gathered(screen: Screen[None], frames: SpanCompositor) -> Iterator[None]:
        frames.gather_changes()
        try:
            yield
        finally:
            frames.show_changes(screen)

    def draw_by_spans(screen: Screen[None], terminal: TerminalScreen) -> None:
        """Make a screen use `SpanCompositor`."""
        screen._compositor = SpanCompositor(terminal)
