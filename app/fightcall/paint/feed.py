"""Drawing the log, and the exchange panel with the rows of a preview and the roll that is due.

The text of an entry is made only when it is visible. Apart from a bounded cache, nothing is kept for entries out of
sight, so that a fight of a hundred thousand events opens at once. A position in the log is an entry with a line of
it, because the total of lines is unknown.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, fields
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

from fightcall.paint.runs import (
    Drawing,
    Glyphs,
    Row,
    Run,
    Spot,
    apart,
    blank,
    clean,
    pad,
    row_text,
    row_width,
    scroll_marks,
    stack,
    width,
    wrap,
)
from fightcall_engine.kit.movement import BROKEN, OK
from fightcall_engine.kit.movement import Row as PreviewRow
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.dice import bare_dice
from fightcall_engine.model.events import Event
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.play.story import SECRET, Paragraph, Part, Remark, Telling, answers, tell

if TYPE_CHECKING:
    from fightcall_engine.play.history import Entry, Timeline

RULES = 6
"""Cells of the horizontal rules beside a heading."""
_STYLES = {"dim": "feed.dim", "ruling": "feed.ruling", "fallen": "feed.hit"}  # other tones are plain text

KEPT = 1024
"""How many entries' lines are cached."""
MARGIN = 4
"""Cells beside the text of a line: a mark and a space before it, a space and the scroll bar after it."""
CHUNK = 64
"""How many entries a search reads at a time."""

LONGEST_NAME = 12
"""The width of rows' names; a longer one only shifts its own row."""
ENTRY = 4
"""The width of the field for typing a roll."""

Keys = tuple[tuple[str, str], ...]
"""(key, text) pairs."""


HANG, INDENT = 2, 2


@frozen
class FeedLine:
    """A line of the log. `mark` goes before it, and `asides` at its right edge."""

    row: Row
    mark: str = ""
    asides: Row = ()

    @property
    def text(self) -> str:
        return row_text(self.row)


def closed_lines(remarks: Sequence[Remark], before: Part | None, cells: int, glyphs: Glyphs) -> tuple[FeedLine, ...]:
    """The lines of a closed entry, with a heading wherever another part of the fight begins than in the line before."""
    lines: list[FeedLine] = []
    for remark in remarks:
        if remark.tone == "heading":
            lines += [FeedLine(row) for row in _heading_rows(remark.text, cells, glyphs, strong=False)]
            continue
        part = remark.part
        if part != before and part.heading:
            is_new_round = before is None or part.round != before.round
            # The round is known from above, so it is dropped first if there is little room.
            is_long = width(clean(part.heading)) > cells - RULES
            heading = part.name if is_long and part.name and not is_new_round else part.heading
            lines += [FeedLine(row) for row in _heading_rows(heading, cells, glyphs, is_new_round)]
        before = part
        if not (remark.is_minor and remark.follows and _is_beside(lines, remark.sentence, cells)):
            lines += _wrap_remark(remark, cells, glyphs)
    return tuple(
        FeedLine(apart(line.row, line.asides, cells, "feed"), line.mark) if line.asides else line for line in lines
    )


def _heading_rows(text: str, cells: int, glyphs: Glyphs, strong: bool) -> list[Row]:
    """A heading between two horizontal rules, continued below if it does not fit, broken between its parts."""
    style = "feed.name" if strong else "feed.heading"
    room = max(cells - RULES, 1)
    head, _, tail = text.rpartition(" · ")
    is_parted = head and width(text) > room >= width(head)
    words, *more = (head, *wrap(tail, room)) if is_parted else wrap(text, room)
    words = words.removesuffix(" ·")
    line = glyphs.rule * max(cells - width(words) - 4, 0)
    first: Row = (Run(f"{glyphs.rule * 2} ", "frame"), Run(words, style), Run(f" {line}", "frame"))
    return [first, *((Run("   ", "frame"), Run(rest, style)) for rest in more)]


def _is_beside(lines: list[FeedLine], text: str, cells: int) -> bool:
    """Put words at the right edge of the last line. False if there is no room."""
    if not lines or lines[-1].row[0].style == "frame":
        return False
    before = lines[-1]
    aside = Run(clean(text), "feed.dim")
    asides = (*before.asides, Run("   ", "feed"), aside) if before.asides else (aside,)
    if cells - row_width(before.row) - row_width(asides) < 3:
        return False
    lines[-1] = replace(before, asides=asides)
    return True


def _wrap_remark(remark: Remark, cells: int, glyphs: Glyphs) -> list[FeedLine]:
    """A remark's sentence, with its dice at the end of the last line if they fit, else on their own line."""
    indent = min(INDENT, cells // 2) if remark.follows else 0
    style = _STYLES.get(remark.tone, "feed.text")
    mark = glyphs.warning if remark.tone == "ruling" else ""
    feed_lines = [
        FeedLine((Run(" " * indent + line, style),), "" if at else mark)
        for at, line in enumerate(wrap(clean(remark.sentence), cells - indent, HANG))
    ]
    for edge in (remark.edge, SECRET if remark.is_secret else ""):
        if edge and not _is_beside(feed_lines, edge, cells):
            room = cells - indent - HANG
            feed_lines += [
                FeedLine((Run(" " * (indent + HANG) + line, "feed.dim"),)) for line in wrap(clean(edge), room, 0)
            ]
    return feed_lines


# Opened


def opened_lines(
    system: BaseSystem, state: FightState, entry: Entry, cells: int, glyphs: Glyphs
) -> tuple[FeedLine, ...]:
    """The lines of an opened entry: the command, each event with its fields, and the rules behind it."""
    lines: list[FeedLine] = []
    fields_text = ", ".join(f"{name} {_value(value)}" for name, value in entry.command.items() if name != "type")
    lines += _detail(
        f"{glyphs.branch} {entry.number} {entry.command.get('type', '')}: {fields_text}", "feed.name", cells
    )
    lines += _detail(f"{glyphs.branch} {entry.at} by {entry.by}", "feed.dim", cells)
    rules: list[str] = []
    for event in entry.events:
        sentence = phrase(system, event, state)
        rules += [sentence.rule if sentence is not None else "", str(getattr(event, "rule", "") or "")]
        tone = "feed.dice" if event.type == "DiceRolled" else "feed.dim"
        lines += _detail(f"{glyphs.branch} {event_text(event)}", tone, cells)
        state = evolve(state, event)
    texts = system.rules()
    for rule in dict.fromkeys(filter(None, rules)):
        lines += _detail(f"{glyphs.branch} {rule} {texts.get(rule, '')}".rstrip(), "feed.rule", cells)
    return tuple(lines)


def _detail(text: str, style: str, cells: int) -> list[FeedLine]:
    return [FeedLine((Run(f" {line}", style),)) for line in wrap(text, cells - 1, HANG)]


def event_text(event: Event) -> str:
    """An event as its name and its fields, without empty ones."""
    values = ((item.name, getattr(event, item.name)) for item in fields(event))
    texts = (f"{name} {_value(value)}" for name, value in values if value not in ("", None, ()) and value is not False)
    return f"{event.type} {', '.join(texts)}".rstrip()


def _value(value: object) -> str:
    if isinstance(value, tuple | list):
        return "(" + " ".join(_value(item) for item in value) + ")"
    if isinstance(value, Mapping):
        return "(" + " ".join(f"{key} {_value(item)}" for key, item in value.items()) + ")"
    if isinstance(value, str | int | float):
        return str(value)
    # Whole combatants and steps would fill the pane; their names are enough.
    return str(getattr(value, "id", "") or getattr(value, "name", "") or type(value).__name__)


# Visible entries


class FightLike(Protocol):
    """What the log needs of a fight."""

    @property
    def system(self) -> BaseSystem:
        """Its rules, for their words."""

    @property
    def line(self) -> Timeline:
        """The entries that lead to the present."""


class FeedPlace(NamedTuple):
    """A line of the log: the place of its entry on the fight's line, and the line within the entry."""

    entry: int
    line: int


@frozen
class FeedView:
    """Which part of the log is seen, and how; `cursor`, `opened` and `marked` are numbers of entries.

    Attributes:
        bottom: The lowest line shown; None for the newest.
        opened: Those that show their events, dice and rules.
        dim_after_cursor: What comes after the cursor has not happened yet, as in a replay.
    """

    bottom: FeedPlace | None = None
    cursor: int | None = None
    opened: frozenset[int] = frozenset()
    marked: frozenset[int] = frozenset()
    dim_after_cursor: bool = False


class FeedModel:
    """The log of a fight. It follows undo and branches by itself."""

    def __init__(self, fight: FightLike, glyphs: Glyphs) -> None:
        self.fight = fight
        self._glyphs = glyphs
        self._kept: OrderedDict[tuple[int, int, bool], tuple[FeedLine, ...]] = OrderedDict()
        self._tellings: OrderedDict[int, Telling] = OrderedDict()

    @property
    def count(self) -> int:
        return self.fight.line.entry_count()

    def dress(self, glyphs: Glyphs) -> None:
        self._glyphs = glyphs
        self._kept.clear()

    def lines(self, index: int, width: int, is_open: bool = False) -> tuple[FeedLine, ...]:
        """The lines of the entry at an index; none if it tells nothing and is not opened."""
        entry = self.fight.line.entry(index)
        key = (entry.number, width, is_open)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        line, remarks = self.fight.line, self._telling_at(index).remarks
        feed_lines = closed_lines(remarks, self._part_before(index), width, self._glyphs) if remarks else ()
        if is_open:
            before = line.seek(line.span(index)[0])
            feed_lines += opened_lines(system_of(before), before, entry, width, self._glyphs)
        self._kept[key] = feed_lines
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return feed_lines

    def _telling_at(self, index: int) -> Telling:
        """What the entry at an index tells. Answers continue the paragraph of the entries before them."""
        line = self.fight.line
        start = index
        while start > 0 and line.entry(start).number not in self._tellings and answers(line.entry(start).events):
            start -= 1
        telling = self._tellings.get(line.entry(start).number)
        if telling is None:
            telling = self._tell(start, Paragraph())
        for at in range(start + 1, index + 1):
            telling = self._tell(at, telling.paragraph)
        return telling

    def _tell(self, index: int, before: Paragraph) -> Telling:
        entry, (state, *later) = self.fight.line.entry(index), self.fight.line.states_of(index)
        telling = tell(system_of(state), state, entry.events, before, later)
        own_telling = replace(telling, remarks=tuple(remark for remark in telling.remarks if remark.tone != "aside"))
        self._tellings[entry.number] = own_telling
        if len(self._tellings) > KEPT:
            self._tellings.popitem(last=False)
        return own_telling

    def _part_before(self, index: int) -> Part | None:
        tellings = (self._telling_at(before).remarks for before in range(index - 1, -1, -1))
        remarks = (remark for telling in tellings for remark in reversed(telling) if remark.tone != "heading")
        return next((remark.part for remark in remarks), None)

    # Looking

    def visible(self, width: int, height: int, view: FeedView) -> Drawing:
        """The visible rows, of exactly `width` by `height` cells. Spots are entry numbers."""
        if not self.count or width < 4 or height < 1:
            return self._empty(width, height)
        text = width - MARGIN
        places = self._window(text, height, view)
        if not places:
            return self._empty(width, height)
        marks = self._scroll_bar(places, text, height, view)
        rows: list[Row] = []
        spots: list[Spot] = []
        future = self.count
        if view.dim_after_cursor and view.cursor is not None:
            cursor_place = self.fight.line.index_of(view.cursor)
            future = -1 if cursor_place is None else cursor_place
        marked_numbers = frozenset(self._shown_entry(number, view.opened) for number in view.marked)
        view = replace(view, cursor=view.cursor and self._shown_entry(view.cursor, view.opened), marked=marked_numbers)
        for y, place in enumerate(places):
            row, number = self._row(place, text, view, place.entry > future)
            rows.append((*pad(row, width - 1, "feed"), marks[y] if marks else Run(" ", "feed")))
            if spots and spots[-1].what == str(number):
                spots[-1] = Spot(range(spots[-1].rows.start, y + 1), range(width), str(number))
            else:
                spots.append(Spot(range(y, y + 1), range(width), str(number)))
        return Drawing(stack(rows, width, height, "feed"), tuple(spots))

    def _empty(self, width: int, height: int) -> Drawing:
        return Drawing(stack([(Run("  Nothing has happened yet", "feed.dim"),)], width, height, "feed"))

    def _shown_entry(self, number: int, open_numbers: Collection[int]) -> int:
        line = self.fight.line
        index = line.index_of(number)
        for at in range(-1 if index is None else index, -1, -1):
            if self._telling_at(at).remarks or line.entry(at).number in open_numbers:
                return line.entry(at).number
        return number

    def _row(self, place: FeedPlace, text: int, view: FeedView, future: bool) -> tuple[Row, int]:
        entry = self.fight.line.entry(place.entry)
        line = self.lines(place.entry, text, entry.number in view.opened)[place.line]
        gutter = Run(line.mark or " ", "feed.ruling")
        if view.cursor == entry.number:
            gutter = Run(self._glyphs.now if place.line == 0 else " ", "feed.bookmark")
            lit = (Run(" ", "feed.cursor"), *_restyle(line.row, "feed.cursor"))
            return (gutter, *pad(lit, text + 1, "feed.cursor")), entry.number
        if entry.number in view.marked and place.line == 0:
            gutter = Run(self._glyphs.bookmark, "feed.bookmark")
        words = _restyle(line.row, "feed.dim") if future else line.row
        return (gutter, Run(" ", "feed"), *words), entry.number

    def _window(self, text: int, height: int, view: FeedView) -> list[FeedPlace]:
        """The visible places from top to bottom. The log fills the window if it is long enough."""
        bottom = self.clamp(view.bottom, text, view.opened) if view.bottom else self.tail(text, view.opened)
        upward = self._places_from(bottom, -1, text, view.opened)
        places = [place for place, _ in zip(upward, range(height), strict=False)][::-1]
        downward = self._places_from(bottom, 1, text, view.opened)
        next(downward, None)
        places += [place for place, _ in zip(downward, range(height - len(places)), strict=False)]
        return places

    def _places_from(self, place: FeedPlace, way: int, text: int, open_numbers: Collection[int]) -> Iterator[FeedPlace]:
        index, line = place
        while 0 <= index < self.count:
            size = len(self.lines(index, text, self.fight.line.entry(index).number in open_numbers))
            start = line if line >= 0 else size - 1
            for at in range(start, size) if way > 0 else range(min(start, size - 1), -1, -1):
                yield FeedPlace(index, at)
            index += way
            line = 0 if way > 0 else -1

    def _scroll_bar(self, places: list[FeedPlace], text: int, height: int, view: FeedView) -> tuple[Run, ...]:
        """The scroll bar, measured in entries, because lines are not counted."""
        above, below = (self._places_from(places[at], way, text, view.opened) for at, way in ((0, -1), (-1, 1)))
        next(above), next(below)
        at_tail = next(below, None) is None
        if at_tail and next(above, None) is None:
            return ()
        entries = len({place.entry for place in places})
        guess = max(self.count * height // entries, height + 1)
        share = 1.0 if at_tail else min(places[0].entry / max(self.count - entries, 1), 1.0)
        return scroll_marks(round(share * (guess - height)), height, guess, self._glyphs)

    # Moving

    def tail(self, text: int, open_numbers: Collection[int] = ()) -> FeedPlace:
        """The place of the newest line; the beginning if there is none."""
        return next(self._places_from(FeedPlace(self.count - 1, -1), -1, text, open_numbers), FeedPlace(0, 0))

    def clamp(self, place: FeedPlace, text: int, open_numbers: Collection[int] = ()) -> FeedPlace:
        """The nearest existing place; for an entry without lines, the one before it."""
        if place.entry >= self.count:
            return self.tail(text, open_numbers)
        index = max(place.entry, 0)
        size = len(self.lines(index, text, self.fight.line.entry(index).number in open_numbers))
        if size:
            return FeedPlace(index, max(0, min(place.line, size - 1)))
        before = next(self._places_from(FeedPlace(index, -1), -1, text, open_numbers), None)
        return before or next(self._places_from(FeedPlace(index, 0), 1, text, open_numbers), FeedPlace(0, 0))

    def scroll(self, view: FeedView, rows: int, width: int, height: int) -> FeedPlace | None:
        """The bottom place after scrolling by `rows`, upwards if negative; None at the newest line."""
        if not self.count or width < 4:
            return None
        text = width - MARGIN
        window = self._window(text, height, view)
        if not window:
            return None
        bottom = window[-1]
        places = self._places_from(bottom, 1 if rows > 0 else -1, text, view.opened)
        for place, _ in zip(places, range(abs(rows) + 1), strict=False):
            bottom = place
        if bottom == self.tail(text, view.opened):
            return None
        # The first page stays full, so the bottom cannot go above its last line.
        first = self._places_from(FeedPlace(0, 0), 1, text, view.opened)
        page = [place for place, _ in zip(first, range(height), strict=False)]
        return max(bottom, page[-1])

    def reveal(self, number: int, view: FeedView, width: int, height: int, below: int | None = None) -> FeedView:
        """The view, moved if necessary so that the first line of an entry (0: of the fight) is visible.

        If it moves, so many rows `below` that line are shown, by default half of them.
        """
        if number == 0 and self.count:
            top = replace(view, bottom=FeedPlace(0, 0))
            return replace(top, bottom=self.scroll(top, 0, width, height))
        index = self.fight.line.index_of(number)
        if index is None or width < 4 or height < 1:
            return view
        text = width - MARGIN
        target = self.clamp(FeedPlace(index, 0), text, view.opened)
        if target in self._window(text, height, view):
            return view
        downward = self._places_from(target, 1, text, view.opened)
        page = [place for place, _ in zip(downward, range(below or max(height // 2, 1)), strict=False)]
        new_view = replace(view, bottom=page[-1])
        return replace(new_view, bottom=self.scroll(new_view, 0, width, height))

    def find(self, text: str, start: int, way: int = -1) -> int | None:
        """The number of the next entry whose lines contain a text, in any case; None if there is none.

        The search goes towards the newest (`way` 1) or the oldest (-1), and wraps around: entry `start` is searched
        last.
        """
        folded_text = text.casefold()
        if not folded_text or not self.count:
            return None
        here = self.fight.line.index_of(start)
        here = self.count if here is None else here
        order = [(here + way * step) % self.count for step in range(1, self.count + 1)]
        for first in range(0, self.count, CHUNK):
            chunk = order[first : first + CHUNK]
            texts = self._entry_texts(set(chunk))
            place = next((index for index in chunk if folded_text in texts[index].casefold()), None)
            if place is not None:
                return self.fight.line.entry(place).number
        return None

    def _entry_texts(self, indices: Collection[int]) -> dict[int, str]:
        line, texts = self.fight.line, {}
        telling = Telling((), line.seek(0), Paragraph())
        at = -1
        for index in sorted(indices):
            state = telling.state if index == at else line.seek(line.span(index)[0])
            telling = tell(
                system_of(state), state, line.entry(index).events, telling.paragraph if index == at else Paragraph()
            )
            texts[index] = "\n".join(f"{remark.sentence} {remark.edge}" for remark in telling.remarks)
            at = index + 1
        return texts


def _restyle(row: Row, style: str) -> Row:
    return tuple(Run(run.text, style) for run in row)


# Drawing the exchange panel


@frozen
class PanelView:
    """The content of the panel; rows are known by their index.

    Attributes:
        due: when it is settled; empty for now.
        marked: the row that digits and arrows apply to; -1 for none.
        hints: the keys that change a row or remove its obstacle.
    """

    title: str
    due: str = ""
    rows: tuple[PreviewRow, ...] = ()
    marked: int = -1
    typed: Mapping[int, str] = field(default_factory=dict)
    hints: Mapping[int, Keys] = field(default_factory=dict)
    keys: Keys = ()
    complaint: str = ""
    reason: str = ""


def exchange_rows(view: PanelView, *, width: int, height: int, glyphs: Glyphs) -> Drawing:
    """The inside of the panel for a width and height; if not all rows fit, those around the marked one.

    Spots are ``row <index>``, and ``key <key>`` for the keys at the foot.
    """
    blocks = [_row_lines(view, place, width, glyphs) for place in range(len(view.rows))]
    foot, spots = _foot(view, width, glyphs)
    # The keys always stay, and one row above them.
    excess = max(len(foot) - max(height - 1, 1), 0)
    foot = foot[excess:]
    room = max(height - len(foot), 0)
    first = _first_line(blocks, view.marked, room)
    lines = [(place, line) for place, block in enumerate(blocks) for line in block][first : first + room]
    padded_lines = [pad(line, width, "text") for _, line in lines]
    result = [Spot(range(at, at + 1), range(width), f"row {place}") for at, (place, _) in enumerate(lines)]
    blanks = [pad((), width, "text")] * (height - len(padded_lines) - len(foot))
    start = len(padded_lines) + len(blanks) - excess
    return Drawing((*padded_lines, *blanks, *foot), (*result, *(spot.move(start) for spot in spots)))


def wanted_height(view: PanelView, *, width: int, glyphs: Glyphs) -> int:
    """The height that shows everything."""
    inside = sum(len(_row_lines(view, place, width, glyphs)) for place in range(len(view.rows)))
    return inside + len(_foot(view, width, glyphs)[0])


def _first_line(blocks: Sequence[Sequence[Row]], marked_row: int, room: int) -> int:
    ends = list(accumulate(map(len, blocks), initial=0))
    if ends[-1] <= room or not 0 <= marked_row < len(blocks):
        return max(ends[-1] - room, 0)
    start, end = list(pairwise(ends))[marked_row]
    return max(0, min(start, end - room if end > room else 0, ends[-1] - room))


# A row


def _row_lines(view: PanelView, place: int, cells: int, glyphs: Glyphs) -> list[Row]:
    """The lines of a row: name and text at the left, detail and keys at the right, or below if it is long."""
    row = view.rows[place]
    is_marked = place == view.marked
    longest = max((width(clean(row.name)) for row in view.rows), default=0)
    head = _head(row, min(longest, LONGEST_NAME), is_marked, glyphs)
    indent = row_width(head)
    style = "title" if is_marked else "text"
    text_cells = indent + width(row.text) + 2
    right = (*_row_detail(row), *_keys_and_entry(view, place, row, glyphs))
    if text_cells + row_width(right) > cells:
        right = (*_row_detail(row), *_keys_and_entry(view, place, row, glyphs, in_full=False))
    if text_cells + row_width(right) <= cells or not right:
        texts = wrap(row.text, max(cells - indent - 1, 8))
        left_cells = [(head if at == 0 else blank(indent, "text"), text) for at, text in enumerate(texts)]
        lines = [pad((*start, Run(text, style)), cells, "text") for start, text in left_cells]
        return [apart((*head, Run(texts[0], style)), right, cells, "text")] if right else lines
    return _long_row(view, place, head, style, cells, glyphs)


def _long_row(view: PanelView, place: int, head: Row, style: str, cells: int, glyphs: Glyphs) -> list[Row]:
    row, indent = view.rows[place], row_width(head)
    room = max(cells - indent - 1, 8)
    rows = [(text, style) for text in wrap(row.text, room)]
    rows += [(text, _detail_style(row)) for text in wrap(row.detail, room)] if row.detail else []
    lines: list[Row] = [
        (*(head if at == 0 else blank(indent, "text")), Run(text, kind)) for at, (text, kind) in enumerate(rows)
    ]
    right = _keys_and_entry(view, place, row, glyphs)
    if row_width(lines[-1]) + row_width(right) + 2 > cells:
        right = _keys_and_entry(view, place, row, glyphs, in_full=False, room=cells)
    if row_width(lines[-1]) + row_width(right) + 2 <= cells:
        lines[-1] = apart(lines[-1], right, cells, "text")
    else:
        lines.append(apart((), right, cells, "text"))
    return [pad(line, cells, "text") for line in lines]


def _head(row: PreviewRow, name_cells: int, is_marked: bool, glyphs: Glyphs) -> Row:
    name = clean(row.name)
    mark = Run(glyphs.selected if is_marked else " ", "roster.mark")
    padded_name = name + " " * max(name_cells - width(name), 0)
    style = "bad" if row.status == BROKEN else "heading" if is_marked else "dim"
    return (mark, Run(f"{padded_name}  ", style))


def _detail_style(row: PreviewRow) -> str:
    return {BROKEN: "bad", OK: "good"}.get(row.status, "dim")


def _row_detail(row: PreviewRow) -> Row:
    return (Run(f"{clean(row.detail)} ", _detail_style(row)),) if row.detail else ()


def _keys_and_entry(
    view: PanelView, place: int, row: PreviewRow, glyphs: Glyphs, *, in_full: bool = True, room: int | None = None
) -> Row:
    """The broken rule, with its title if `in_full`, the row's keys, and the field for its roll.

    With `room`, only the keys, followed by words without a key, that fit into so many cells.
    """
    cells: list[Run] = []
    if row.status == BROKEN:
        cells.append(Run(f" {glyphs.refused} {row.rule if in_full else row.rule.rpartition(', ')[2]}".rstrip(), "bad"))
    for key, label in sorted(view.hints.get(place, ()), key=lambda pair: not pair[0]):
        piece = [Run("   ", "text"), *([Run(f"{clean(key)} ", "heading")] if key else []), Run(clean(label), "text")]
        if room is None or row_width((*cells, *piece)) < room:
            cells += piece
    if row.dice or row.number or place in view.typed:
        cells.append(Run("  ", "text"))
        cells += _entry(view, place, row)
    return (*cells, Run(" ", "text")) if cells else ()


def _entry(view: PanelView, place: int, row: PreviewRow) -> list[Run]:
    text = clean(view.typed.get(place, ""))
    fill = "_" * max(ENTRY - width(text), 0)
    unit = bare_dice(row.dice) or row.number
    cursor = [Run(" ", "prompt.cursor"), Run(fill[1:], "prompt.input")] if place == view.marked else []
    return [Run(text, "prompt.input"), *(cursor or [Run(fill, "prompt.input")]), Run(f" {clean(unit)}", "dim")]


# The foot


def _foot(view: PanelView, cells: int, glyphs: Glyphs) -> tuple[list[Row], list[Spot]]:
    rows: list[Row] = []
    marks = ((glyphs.refused, view.complaint, "prompt.error"), (glyphs.bullet, view.reason, "prompt.hint"))
    for mark, text, style in marks:
        lines = wrap(text, max(cells - width(mark) - 3, 8)) if text else ()
        rows += [
            pad((Run(f" {mark if at == 0 else ' ' * width(mark)} ", style), Run(line, style)), cells, "text")
            for at, line in enumerate(lines)
        ]
    row: Row = (Run(" ", "text"),)
    spots: list[Spot] = []
    for key, label in view.keys:
        key_text = glyphs.enter if key == "enter" else key
        piece = (Run(f"{clean(key_text)} ", "heading"), Run(clean(label), "text"))
        start, size = row_width(row), row_width(piece)
        if start + size > cells:
            continue
        spots.append(Spot(range(len(rows), len(rows) + 1), range(start, start + size), f"key {key}"))
        row = (*row, *piece, Run("   ", "text"))
    return [*rows, pad(row, cells, "text")], spots
