"""Partial frames made of what has changed.

Textual 8 draws all of every widget between the outermost changes of a frame, divides each row at every widget's edge,
and writes each changed row of a widget from the widget's left edge on. Here a widget is asked for the changed
stretches of its rows and nothing else. It reads parts of Textual that are its own affair; where a later release has
them no more, frames are made as it makes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.geometry import Region

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, RenderableType
    from textual.screen import Screen
    from textual.strip import Strip

try:
    from textual._compositor import ChopsUpdate, Compositor, CompositorUpdate
except ImportError:

    def draw_by_spans(screen: Screen[None]) -> None:
        """Leave the screen to draw as it does: this Textual makes its frames in some other way."""

else:

    class SpansUpdate(CompositorUpdate):
        """Stretches of rows, each with the row and the column where it begins."""

        def __init__(self, stretches: list[tuple[int, int, Strip]]) -> None:
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

        def _stretches(self, y: int, start: int, stop: int) -> Iterator[tuple[int, int, Strip]]:
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
                    (strip,) = widget.render_lines(Region(first - region.x, y - region.y, last - first, 1))
                    yield y, first, strip
                    behind += [(begin, first)] if begin < first else []
                    behind += [(last, end)] if last < end else []
                open_spans = behind
                if not open_spans:
                    return

    def draw_by_spans(screen: Screen[None]) -> None:
        """Have the partial frames of a screen hold the changed stretches of rows and nothing else."""
        screen._compositor = SpanCompositor()
