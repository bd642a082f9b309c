"""The timeline of a fight: rounds and phases over its events, and where a replay stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from typing import TYPE_CHECKING

from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import Drawing, Spot, blank, stack
from fightcall.paint.runs import Row, Run, clean, merge, width
from fightcall_engine.model.events import Event, RoundBegan, StepBegan
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.play.timeline import Timeline

CELLS_APART = 3
"""Cells a stretch has to have on the track, on average, to be worth marking."""


@frozen
class Segment:
    """A stretch of events: where it starts, what it is called, and whether a round starts with it."""

    start: int
    label: str
    opens_round: bool


class TimelineModel:
    """The stretches of a fight's line; each event is looked at once, however often the line is drawn."""

    def __init__(self, system: BaseSystem) -> None:
        self._system = system
        self._names: dict[str, str] = {}
        self._round = ""
        self._segments: list[Segment] = []
        self._seen = 0
        self._last: Event | None = None

    def segments(self, line: Timeline) -> list[Segment]:
        """The stretches of a line, brought up to date."""
        # After an undo the line is another one: its newest known event is no longer where it was.
        if self._seen > len(line) or (self._seen and line.event(self._seen - 1) is not self._last):
            self._segments, self._seen = [], 0
        if not self._seen:
            words = self._system.words(line.seek(0).settings)
            self._names, self._round = dict(words.phases), words.round
        for position in range(self._seen, len(line)):
            event = line.event(position)
            # What has no number, such as an Initiative that rounds come of, is named by its phase.
            if isinstance(event, RoundBegan) and event.number:
                self._segments.append(Segment(position, f"{self._round} {event.number}", True))
            elif isinstance(event, StepBegan):
                label = self._names.get(event.phase) or event.phase
                if not self._segments or self._segments[-1].label != label:
                    self._segments.append(Segment(position, label, False))
        self._seen = len(line)
        self._last = line.event(self._seen - 1) if self._seen else None
        return self._segments


def timeline_rows(
    segments: list[Segment],
    *,
    position: int,
    total: int,
    marks: Collection[int] = (),
    width: int,
    height: int = 2,
    glyphs: Glyphs,
) -> Drawing:
    """The scrubber; spots are positions.

    Args:
        segments: The stretches, in order.
        position: How many events have happened at the moment shown.
        total: How many there are.
        marks: Bookmarked positions.
        width: Cells across.
        height: Rows down: the track alone, or with names above it.
        glyphs: Marks to draw with.
    """
    if width < 1:
        return Drawing(stack([], width, height, "timeline"))
    segments = _readable(segments, width)
    cells = [_cell(x, width, segments, total) for x in range(width)]
    cursor = cell_of(position, width, total)
    flags = {cell_of(mark, width, total) for mark in marks}
    track = merge(_track(x, cells, cursor, flags, glyphs) for x in range(width))
    rows: list[Row] = [track]
    if height > 1:
        rows.insert(0, _names(segments, width, total, position))
    spots = tuple(Spot(range(height), range(x, x + 1), str(position_of(x, width, total))) for x in range(width))
    return Drawing(stack(rows, width, height, "timeline"), spots)


def _readable(segments: list[Segment], cells: int) -> list[Segment]:
    """The segments, or only the rounds, or none: no more than the track can keep apart."""
    for few in (segments, [segment for segment in segments if segment.opens_round]):
        if len(few) * CELLS_APART <= cells:
            return few
    return []


def position_of(x: int, width: int, total: int) -> int:
    """The position a cell of the track stands for: 0 for the first, all events for the last."""
    return total if width < 2 else round(x * total / (width - 1))


def cell_of(position: int, width: int, total: int) -> int:
    """The cell of the track a position is in."""
    if total <= 0 or width < 2:
        return 0
    return max(0, min(round(position * (width - 1) / total), width - 1))


def _cell(x: int, cells: int, segments: list[Segment], total: int) -> int:
    """The index of the segment a cell shows, -1 before the first."""
    return bisect_right(segments, position_of(x, cells, total), key=lambda segment: segment.start) - 1


def _track(x: int, cells: list[int], cursor: int, flags: Collection[int], glyphs: Glyphs) -> Run:
    if x == cursor:
        return Run(glyphs.side, "timeline.cursor")
    if x in flags:
        return Run(glyphs.bookmark, "timeline.mark")
    edge = x > 0 and cells[x] != cells[x - 1]
    if x < cursor:
        return Run(glyphs.divider if edge else glyphs.bar_full, "timeline.todo" if edge else "timeline.done")
    return Run(glyphs.divider if edge else glyphs.rule, "timeline.todo")


def _names(segments: list[Segment], cells: int, total: int, position: int) -> Row:
    """Names above where stretches start; rounds have their place first, phases take what is left."""
    here = bisect_right(segments, max(position - 1, 0), key=lambda segment: segment.start) - 1
    letters = [" "] * cells
    styles = ["timeline"] * cells
    by_importance = sorted(range(len(segments)), key=lambda at: (at != here, not segments[at].opens_round, at))
    for at in by_importance:
        segment = segments[at]
        label = clean(segment.label)
        start = cell_of(segment.start, cells, total)
        size = width(label)
        if at == here and size + start > cells:
            start = max(cells - size, 0)
        free = letters[max(start - 1, 0) : start + size + 1]
        if start + size > cells or any(cell != " " for cell in free) or size != len(label):
            continue
        letters[start : start + size] = label
        kind = "timeline.now" if at == here else "timeline.round" if segment.opens_round else "timeline.phase"
        styles[start : start + size] = [kind] * size
    if not segments:
        return blank(cells, "timeline")
    return merge(Run(char, style) for char, style in zip(letters, styles, strict=True))
