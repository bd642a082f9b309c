"""Partial frames made of what has changed.

Textual 8 draws all of every widget between the outermost changes of a frame, divides each row at every widget's edge,
and writes each changed row of a widget from the widget's left edge on. Here a widget is asked for the changed
stretches of its rows and nothing else. It reads parts of Textual that are its own affair; where a later release has
them no more, frames are made as it makes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rich.color import ColorSystem
from textual.geometry import Region

from fightcall.panes.rows_pane import RowsPane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, RenderableType
    from textual.screen import Screen
    from textual.strip import Strip
    from textual.widget import Widget

try:
    from textual._compositor import ChopsUpdate, Compositor, CompositorUpdate
except ImportError:

    def draw_by_spans(screen: Screen[None]) -> None:
        """Leave the screen to draw as it does: this Textual makes its frames in some other way."""

else:

    class PaneCells(NamedTuple):
        """Some cells of a row of a pane, rendered as a strip is."""

        pane: RowsPane
        y: int
        start: int
        stop: int

        def render(self, console: Console) -> str:
            """The sequences that write them."""
            return self.pane.render_cells(self.y, self.start, self.stop, console._color_system or ColorSystem.TRUECOLOR)

    Stretch: TypeAlias = "tuple[int, int, Strip | PaneCells]"

    class SpansUpdate(CompositorUpdate):
        """Stretches of rows, each with the row and the column where it begins."""

        def __init__(self, stretches: list[Stretch]) -> None:
            self.stretches = stretches

        def render_segments(self, console: Console) -> str:
            """The sequences that write the stretches."""
            return "".join([f"\x1b[{y + 1};{x + 1}H{strip.render(console)}" for y, x, strip in self.stretches])

    class SpanCompositor(Compositor):
        """A compositor whose partial frames hold the changed stretches of rows."""

        def render_update(
            self, full: bool = False, screen_stack: list[Screen[None]] | None = None, simplify: bool = False
        ) -> RenderableType | None:
            """A frame, and where all widgets are: asked in the midst of the next change, it would be half changed."""
            _ = self.full_map
            return super().render_update(full, screen_stack, simplify)

        def render_partial_update(self) -> ChopsUpdate | SpansUpdate | None:  # type: ignore[override]
            """What has changed since the last frame, None where nothing has."""
            screen = self.size.region
            regions = [region.intersection(screen) for region in self._dirty_regions]
            self._dirty_regions.clear()
            spans = self._regions_to_spans(filter(None, regions))
            stretches = [stretch for span in spans for stretch in self._stretches(*span)]
            return SpansUpdate(stretches) if stretches else None

        def _stretches(self, y: int, start: int, stop: int) -> Iterator[Stretch]:
            """The cells of a row as the widgets show them, the foremost first."""
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
                    yield y, first, _cells_of(widget, y - region.y, first - region.x, last - region.x)
                    behind += [(begin, first)] if begin < first else []
                    behind += [(last, end)] if last < end else []
                open_spans = behind
                if not open_spans:
                    return

    def _cells_of(widget: Widget, y: int, start: int, stop: int) -> Strip | PaneCells:
        if isinstance(widget, RowsPane):
            return PaneCells(widget, y, start, stop)
        (strip,) = widget.render_lines(Region(start, y, stop - start, 1))
        return strip

    def draw_by_spans(screen: Screen[None]) -> None:
        """Have the partial frames of a screen hold the changed stretches of rows and nothing else."""
        screen._compositor = SpanCompositor()
