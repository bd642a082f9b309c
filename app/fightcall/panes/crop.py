"""Partial frames that begin where something has changed.

Textual 8 writes each changed row of a widget from the widget's left edge on ("TODO: crop to x extents"): for a token
at the far side of the board that is a whole row of hexes. Here the same frame is cut at both ends. It reads parts of
Textual that are its own affair; where a later release has them no more, frames are written as it makes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

try:
    from textual._compositor import ChopsUpdate
except ImportError:

    def crop_update(update: RenderableType | None) -> RenderableType | None:
        """The frame as it is: this Textual makes it in some other way."""
        return update

else:

    class CroppedUpdate(ChopsUpdate):
        """The same changed stretches of rows, and nothing to the left of them."""

        def render_segments(self, console: Console) -> str:
            """The sequences that write the stretches."""
            written: list[str] = []
            for y, start, stop in self.spans:
                for end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=False):
                    left, right = max(x, start), min(end, stop)
                    if strip is not None and left < right:
                        part = strip if (left, right) == (x, end) else strip.crop(left - x, right - x)
                        written += (f"\x1b[{y + 1};{left + 1}H", part.render(console))
            return "".join(written)

    def crop_update(update: RenderableType | None) -> RenderableType | None:
        """The frame without what has not changed, where it is a partial one."""
        if type(update) is ChopsUpdate:
            return CroppedUpdate(update.chops, update.spans, update.chop_ends)
        return update
