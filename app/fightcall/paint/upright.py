"""Drawing lists: a key before each row, columns for text, number and rule, and a marked row.

It draws lists of actions, rulings and moments, and answers that do not fit into the call bar.
"""

from __future__ import annotations

from typing import Literal

from fightcall.paint.combatants import short_form
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import Drawing, Spot, apart, pad, scroll_marks, wrap
from fightcall.paint.prompt_bar import PromptView, answers_width
from fightcall.paint.runs import Row, Run, clean, fit, row_width, shorten_name, width
from fightcall_engine.kit.phrases import question_alone
from fightcall_engine.model.values import frozen

Tone = Literal["plain", "quiet", "named", "aside"]
"""An ordinary row; one that is unavailable or less important; a bookmark; text in the margin."""

_STYLES: dict[Tone, str] = {"plain": "text", "quiet": "dim", "named": "feed.bookmark", "aside": "info"}
ROOMY = 42
"""The width from which sections and rules have columns of their own."""
KEY_ROWS = 3
"""The most rows for the keys of a list."""
LONGEST_SECTION = 14
"""The most cells for the names of sections."""


@frozen
class ListRow:
    """A row of a list.

    Attributes:
        what: Its text.
        key: Its key; empty if it can only be picked by mark and Enter.
        number: Its price, distance or time.
        rule: The rule behind it.
        group: Its heading, drawn where it changes.
        section: Its part of the group, drawn where it changes.
        depth: For a branch, how many branches it is nested in, drawn as a tree in the margin; -1 for others.
    """

    what: str
    key: str = ""
    number: str = ""
    rule: str = ""
    tone: Tone = "plain"
    group: str = ""
    section: str = ""
    depth: int = -1


@frozen
class ListView:
    """A list, or the rows of it that may be visible.

    Attributes:
        marked: The index of the marked row; -1 for none.
        above: How many rows come before those in `rows`; `total` is the number of all, 0 if `rows` has all.
        typed: The text of the search, or the line to complete; None if nothing can be typed.
        keys: The keys, the most useful first.
        note: A note on the marked row.
        empty: The text for an empty list.
    """

    title: str
    rows: tuple[ListRow, ...]
    marked: int = -1
    above: int = 0
    total: int = 0
    typed: str | None = None
    keys: tuple[tuple[str, str], ...] = ()
    note: str = ""
    empty: str = ""

    @property
    def place(self) -> str:
        """The position of the mark in words."""
        total = max(self.total, len(self.rows))
        return f"{self.above + self.marked + 1} of {total}" if self.marked >= 0 else ""


def upright_answers(view: PromptView, *, width: int, glyphs: Glyphs) -> ListView | None:
    """The answers to a question as a list; None if they fit beside it.

    Args:
        view: The question.
        width: Cells across that the call bar has for its answers.
        glyphs: Marks to draw with.
    """
    if not view.choices or (not view.stands_upright and answers_width(view, glyphs) <= width):
        return None
    remarks = (*view.remarks, *[""] * len(view.choices))
    rows = tuple(ListRow(label, key, remark) for (key, label), remark in zip(view.choices, remarks, strict=False))
    marked_row = next((at for at, row in enumerate(rows) if row.what == view.default), -1)
    entry = view.typed if view.stands_upright else None
    return ListView(question_alone(view.question), rows, marked_row, typed=entry)


def list_rows(view: ListView, *, width: int, height: int, glyphs: Glyphs) -> Drawing:
    """The list in `width` by `height` cells, with the marked row near the middle. Spots are the keys of rows."""
    if width < 8 or height < 1:
        return Drawing((pad((), width, "text"),) * height)
    head = _typed_rows(view, width, glyphs)
    foot = _foot_rows(view, width, max(height // 3, 1), glyphs)
    head, foot = head[:height], foot[: max(height - len(head) - 1, 0)]
    room = height - len(head) - len(foot)
    body, spots = _body(view, width, room, glyphs)
    spots_below = tuple(
        Spot(range(spot.rows.start + len(head), spot.rows.stop + len(head)), *spot[1:]) for spot in spots
    )
    return Drawing((*head, *body, *foot), spots_below)


# The rows


def _body(view: ListView, cells: int, room: int, glyphs: Glyphs) -> tuple[list[Row], list[Spot]]:
    if not view.rows:
        rows: list[Row] = [pad((Run(f" {line}", "dim"),), cells, "text") for line in wrap(view.empty, cells - 2)][:room]
        return [*rows, *[pad((), cells, "text")] * (room - len(rows))], []
    inner, at = cells - 1, max(view.marked, 0)
    is_long = len(view.rows) > room or view.total > len(view.rows)
    lines = [] if is_long else _lines_about(view, at, room, inner, glyphs)
    if is_long or len(lines) > room:
        # A space separates the text from the scroll bar.
        lines = _lines_about(view, at, room, inner - 1, glyphs)
    middle = next(index for index, (place, _) in enumerate(lines) if place == at)
    start = max(0, min(middle - room // 2, len(lines) - room))
    window = lines[start : start + room]
    visible = len({place for place, _ in window if place >= 0})
    total = max(view.total, len(view.rows))
    top = view.above + next((place for place, _ in window if place >= 0), 0)
    marks = scroll_marks(top * room // max(visible, 1), room, max(total * room // max(visible, 1), room), glyphs)
    rows, spots = [], []
    for y, (place, line) in enumerate(window):
        edge = marks[y] if marks else Run(" ", "text")
        rows.append((*pad(line, inner, "text"), edge))
        if place >= 0 and view.rows[place].key:
            spots.append(Spot(range(y, y + 1), range(cells), view.rows[place].key))
    return [*rows, *[pad((), cells, "text")] * (room - len(rows))], spots


def _lines_about(view: ListView, at: int, room: int, cells: int, glyphs: Glyphs) -> list[tuple[int, Row]]:
    """The lines of rows around an index, enough to fill the height."""
    columns = _Columns.of(view, cells)
    first, last = max(at - room, 0), min(at + room + 1, len(view.rows))
    return [
        line for place in range(first, last) for line in _row_lines(view, place, place == first, columns, cells, glyphs)
    ]


@frozen
class _Columns:
    """The width of each column; 0 for one that is not needed."""

    section: int
    key: int
    rule: int
    has_tree: bool = False

    @classmethod
    def of(cls, view: ListView, cells: int) -> _Columns:
        def widest(texts: list[str], most: int) -> int:
            return min(max(map(width, texts), default=0), most)

        roomy = cells >= ROOMY
        section = widest([_section_words(row.section) for row in view.rows], LONGEST_SECTION) if roomy else 0
        key = widest([clean(row.key) for row in view.rows], 3)
        rule = widest([clean(row.rule) for row in view.rows], 9) if roomy else 0
        has_tree = any(row.depth >= 0 for row in view.rows)
        return cls(section + 1 if section else 0, key, rule, has_tree)


def tree_margin(depth: int, glyphs: Glyphs) -> str:
    """The margin of a row in a tree: the main line for a negative depth, else a branch nested so deep."""
    if depth < 0:
        return f"{glyphs.divider} "
    return f"{glyphs.divider} " * depth + f"{glyphs.branch}{glyphs.rule} "


def _row_lines(
    view: ListView, place: int, is_first: bool, columns: _Columns, cells: int, glyphs: Glyphs
) -> list[tuple[int, Row]]:
    """The lines of a row, with a heading above if it begins a new group."""
    row, before = view.rows[place], view.rows[place - 1] if place and not is_first else None
    lines: list[tuple[int, Row]] = []
    heading, last = (_heading(each, columns) if each else "" for each in (row, before))
    if heading and heading != last:
        lines += [(-1, (Run(f" {text}", "heading"),)) for text in wrap(heading, cells - 2)]
    is_marked = place == view.marked
    opens = before is None or (before.group, before.section) != (row.group, row.section)
    section = fit(_section_words(row.section) if opens else "", columns.section, ellipsis=glyphs.ellipsis)
    lead: Row = (
        Run(f" {section}" if columns.section else "", "dim"),
        Run(f"{glyphs.selected if is_marked else ' '}", "roster.mark"),
        Run(f"{clean(row.key):<{columns.key}} ", "heading"),
        *((Run(tree_margin(row.depth, glyphs), "dim"),) if columns.has_tree else ()),
    )
    number = clean(row.number)
    style = "title" if is_marked else _STYLES[row.tone]
    # A row without number and rule can use their columns for its text.
    right: list[Run] = [Run(f" {number}", "options.cost")] if number else []
    right += [Run(f" {clean(row.rule):<{columns.rule}}", "dim")] if columns.rule and (row.rule or number) else []
    below = ""
    if width(number) > cells // 2 and width(clean(row.what)) > cells - row_width(lead) - row_width(tuple(right)) - 1:
        # A remark beside a name, such as what a command does, goes below it if both do not fit in a line.
        below, right = number, right[1:]
    room = max(cells - row_width(lead) - row_width(tuple(right)) - 1, 8)
    # Number and rule are only beside the first line, so later lines can use the full width.
    first, *rest = wrap(row.what, room)
    more = wrap(" ".join(rest), max(cells - row_width(lead) - 2, 8)) if rest else ()
    lines.append((place, apart((*lead, Run(first, style)), tuple(right), cells, "text")))
    indent = Run(" " * (row_width(lead) + 2), "text")
    lines += [(place, (indent, Run(text, style))) for text in more]
    lines += [(place, (indent, Run(text, "options.cost"))) for text in wrap(below, cells - width(indent.text)) if below]
    return lines


def _section_words(section: str) -> str:
    """The name of a section in its column; of a longer one, only its first part."""
    text = clean(section)
    if width(text) <= LONGEST_SECTION:
        return text
    first, *others = text.split(" · ")[-1].split(" + ")
    more = f" +{len(others)}" if others else ""
    return shorten_name(short_form(first), LONGEST_SECTION - width(more)) + more


def _heading(row: ListRow, columns: _Columns) -> str:
    """The heading of a row: its group, with the section if that has no column."""
    return clean(row.group) if columns.section else " · ".join(filter(None, (clean(row.group), clean(row.section))))


# Above and below them


def _typed_rows(view: ListView, cells: int, glyphs: Glyphs) -> list[Row]:
    """The typed text, on as many rows as it needs."""
    if view.typed is None:
        return []
    lines = wrap(view.typed, cells - 5)
    # Keep a trailing space of the typed text.
    lines = (*lines[:-1], lines[-1] + " " * (view.typed.endswith(" ") and not lines[-1].endswith(" ")))
    rows: list[Row] = [
        (Run(f" {glyphs.prompt} " if at == 0 else "   ", "prompt.mark"), Run(line, "prompt.input"))
        for at, line in enumerate(lines)
    ]
    rows[-1] = (*rows[-1], Run(" ", "prompt.cursor"))
    return [pad(row, cells, "text") for row in rows]


def _foot_rows(view: ListView, cells: int, most: int, glyphs: Glyphs) -> list[Row]:
    """The note on the marked row, and as many keys as fit."""
    rows: list[Row] = []
    if view.note:
        rows += [(Run(f" {line}", "info"),) for line in wrap(view.note, cells - 2)[:most]]
    lines: list[Row] = [()]
    for key, words in view.keys:
        key_text = glyphs.enter if key == "enter" else key
        piece: Row = (Run(f" {clean(key_text)} ", "keybar.key"), Run(f"{clean(words)} ", "keybar.text"))
        if row_width(lines[-1]) + row_width(piece) <= cells:
            lines[-1] = (*lines[-1], *piece)
        elif len(lines) < min(KEY_ROWS, most):
            lines.append(piece)
    return [*(pad(row, cells, "text") for row in rows), *(pad(line, cells, "keybar") for line in lines if line)]
