"""Drawing the library: its head, its lists, and the details of an item. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fightcall.flows.library_list import SECTIONS, Browse, Item, Section, window_top
from fightcall.local_time import when_text
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import Drawing, Spot, apart, pad, scroll_marks, stack, wrap
from fightcall.paint.runs import Row, Run, clean, fit, row_width, width
from fightcall.paint.zones import board_picture
from fightcall_engine.model.clock import format_clock

if TYPE_CHECKING:
    from fightcall.shelf import Details

TITLES: dict[Section, str] = {"fights": "Fights", "encounters": "Encounters", "trash": "Trash"}
_EMPTY: dict[Section, str] = {
    "fights": "No fights yet. {open} lists the encounters. {setup} sets up a fight of your own.",
    "encounters": "No encounters here. {setup} makes one.",
    "trash": "The trash is empty.",
}
_STATUS: dict[str, tuple[str, str]] = {
    "running": ("now", "good"),
    "setup": ("todo", "dim"),
    "ended": ("done", "dim"),
    "damaged": ("warning", "bad"),
    "too old": ("warning", "bad"),
    "yours": ("side", "info"),
    "unsaved": ("todo", "warn"),
}
_COLUMN = 26
FEW_LINES = 4
LEAST_PICTURE = 13
"""The rows that a picture of the board may always have."""
WELCOME = (
    "Fight Call keeps track of turn order, dice, damage and conditions in a fight.",
    "You make the rulings. {open} starts the first fight, which shows you the keys.",
)
"""What the program is, for a library without fights."""
_ROUND = 13
_WORDS = {
    "running": "running",
    "setup": "not started",
    "ended": "ended",
    "damaged": "damaged",
    "too old": "too old",
    "yours": "your own",
    "unsaved": "not saved",
}


def head_rows(
    browse: Browse, cells: int, glyphs: Glyphs, *, is_read: bool = True, welcome: Sequence[str] = ()
) -> Drawing:
    """The name of the program, and the sections as tabs with their counts, which are known once the library is read.

    Args:
        browse: the browsing state.
        cells: cells across.
        glyphs: marks to draw with.
        is_read: whether the library has been read.
        welcome: lines below the name of the program.
    """
    title = (Run(" FIGHT CALL", "header.app"), Run("   Library", "header.name"))
    note = (Run(f"{clean(browse.filter)}  ", "match"),) if browse.filter else ()
    greeting: list[Row] = [pad((Run(f" {line}", "text"),), cells, "text") for line in welcome]
    tabs: list[Run] = [Run(" ", "tab")]
    tabs_row = 1 + len(greeting)
    spots: list[Spot] = []
    at = 1
    for section in SECTIONS:
        count = len(browse.visible(section)) if is_read else glyphs.ellipsis
        here = section == browse.section
        ends = (glyphs.cursor, glyphs.cursor_end) if here and glyphs.shape == "plain" else (" ", " ")
        text = f"{ends[0]}{TITLES[section]} {count}{ends[1]}"
        spots.append(Spot(range(tabs_row, tabs_row + 1), range(at, at + width(text)), f"section:{section}"))
        tabs += [Run(text, "tab.active" if here else "tab"), Run(" ", "tab")]
        at += width(text) + 1
    rows = (apart(title, note, cells, "header"), *greeting, pad(tuple(tabs), cells, "tab"))
    return Drawing(rows, tuple(spots))


def list_rows(
    browse: Browse, cells: int, height: int, top: int, glyphs: Glyphs, keys: dict[str, str]
) -> tuple[Drawing, int]:
    """The list of the section, and the first line shown.

    Args:
        browse: the browsing state.
        cells: cells across.
        height: rows down.
        top: the previous first line.
        glyphs: marks to draw with.
        keys: the keys of actions by their names, for the text of an empty list.
    """
    items = browse.visible()
    if not items:
        text = "No match." if browse.filter else _EMPTY[browse.section].format(**keys)
        rows: list[Row] = [()] + [(Run(f"  {line}", "list.note"),) for line in wrap(text, cells - 4)]
        return Drawing(stack(rows, cells, height, "list")), 0
    top = window_top(browse.index, top, height, len(items))
    bar = scroll_marks(top, height, len(items), glyphs)
    room = cells - (1 if bar else 0)
    lines: list[Row] = []
    spots: list[Spot] = []
    minutes = [when_text(item.updated) for item in items]
    system = max(width(item.system) for item in items)
    tail = max(width(_tail(item, minute, system)) for item, minute in zip(items, minutes, strict=True))
    # Fights of one name that were played in the same minute are told apart by the second.
    together = Counter((item.name, minute) for item, minute in zip(items, minutes, strict=True))
    for y, (item, minute) in enumerate(zip(items[top : top + height], minutes[top : top + height], strict=True)):
        when = when_text(item.updated, to_the_second=True) if together[item.name, minute] > 1 else minute
        row = _line(item, room, fit(_tail(item, when, system), tail), top + y == browse.index, glyphs)
        lines.append((*row, bar[y]) if bar else row)
        spots.append(Spot(range(y, y + 1), range(cells), f"line:{top + y}"))
    return Drawing(stack(lines, cells, height, "list"), tuple(spots)), top


def _tail(item: Item, when: str, system: int) -> str:
    """The last columns of an item: an encounter's system, or a fight's progress and when it was played."""
    if item.is_encounter:
        return f"{fit(item.system, system)}  {item.minutes:>4} min" if item.minutes is not None else item.system
    played = format_clock(item.clock_s) if item.entries else ""
    return f"{fit(item.round, _ROUND)} {fit(played, 8, 'right')}  {fit(when, 16)}"


def _line(item: Item, cells: int, right: str, here: bool, glyphs: Glyphs) -> Row:
    """The line of an item: mark, name, combatants and last columns, as far as they fit."""
    style = "list.selected" if here else "list"
    note = "list.selected" if here else "list.note"
    glyph, tone = _STATUS.get(item.status, ("", "list"))
    mark = str(getattr(glyphs, glyph)) if glyph else " "
    ends = Run(glyphs.selected if here else " ", style)
    row: list[Run] = [ends, Run(f"{mark} ", style if here else tone)]
    # A space separates the line from the edge or the scroll bar at its right.
    tail = width(right) + 3 if cells >= width(right) + 25 else 0
    room = cells - 3 - tail
    name = max(min(room, 40), room * 45 // 100) if room > 60 else room
    row.append(Run(fit(item.name, name, ellipsis=glyphs.ellipsis), style))
    if room > name:
        about = item.problem or ", ".join(item.who) or " ".join(item.story.split())
        row.append(Run(f"  {fit(about, room - name - 2, ellipsis=glyphs.ellipsis)}", note))
    if tail:
        row.append(Run(f"  {right}", note))
    return pad(tuple(row), cells, style)


def detail_rows(
    item: Item | None, details: Details | None, cells: int, height: int, glyphs: Glyphs, opener: str
) -> tuple[Row, ...]:
    """The details of the item under the cursor; `details` is None while they are being read.

    Args:
        item: the item; None for none.
        details: its details.
        cells: cells across.
        height: rows down.
        glyphs: marks to draw with.
        opener: the key that opens it.
    """
    if item is None or cells < 12:
        return stack((), cells, height, "text")
    rows = _details(item, details, cells - 2, height, glyphs, opener)
    if len(rows) > height > 0:
        rows = [*rows[: height - 1], (Run(glyphs.ellipsis, "dim"),)]
    # A picture takes the whole width, everything else has a margin.
    return stack((row if row_width(row) == cells else (Run(" ", "text"), *row) for row in rows), cells, height, "text")


def _details(item: Item, details: Details | None, cells: int, height: int, glyphs: Glyphs, opener: str) -> list[Row]:
    rows: list[Row] = [(Run(line, "title"),) for line in wrap(item.name, cells)]
    rows += _flow(_about(item), cells)
    problem = item.problem or (details.problem if details else "")
    if problem:
        rows += [(), *((Run(line, "bad"),) for part in problem.split("\n") for line in wrap(part, cells, 2))]
    if details is None:
        return [*rows, (), (Run("reading ...", "dim"),)]
    if details.turn:
        rows += _flow([(Run(f"Now: {clean(details.turn)}", "strong"),), (Run(f"{opener} goes on", "dim"),)], cells)
    facts = _flow([(Run(f"{label} ", "dim"), Run(clean(value), "text")) for label, value in details.facts], cells)
    short_who = _who_in_short(details, cells, glyphs)
    rows += _picture(details, cells + 2, height, height - len(rows), len(short_who), glyphs)
    who = _who(details, cells, glyphs)
    if len(who) > (height - len(rows)) * 2 // 3:
        who = short_who
    lines = _lines(item, details, cells)
    if item.is_encounter:
        return [*rows, *who, *facts, (), *lines]
    # The newest lines of the log matter most, so it is cut at the top.
    lines_left = height - len(rows) - len(who) - len(facts) - 2
    log_lines = lines[-lines_left:] if lines_left > 0 else ()
    heading: tuple[Row, ...] = ((), (Run("In the log", "heading"),)) if log_lines else ()
    return [*rows, *who, *facts, *heading, *log_lines]


def _picture(details: Details, cells: int, height: int, room: int, least: int, glyphs: Glyphs) -> tuple[Row, ...]:
    """The board with room below it for `least` rows and a few lines; if it is too large for that, for less."""
    if details.scene is None:
        return ()
    most_rows = max(height * 3 // 5, LEAST_PICTURE)
    sizes = (min(room - least - FEW_LINES, most_rows), min(room - least, most_rows), room)
    return next(filter(None, (board_picture(details.scene, cells, rows, glyphs) for rows in sizes)), ())


def _flow(pieces: Sequence[Row], cells: int) -> list[Row]:
    """Pieces side by side, on as many rows as they need."""
    rows: list[Row] = []
    row: Row = ()
    for piece in pieces:
        if row and row_width(row) + 3 + row_width(piece) > cells:
            rows.append(row)
            row = ()
        row = (*row, Run("   ", "text"), *piece) if row else piece
    return [*rows, row] if row else rows


def _about(item: Item) -> tuple[Row, ...]:
    glyph, tone = _STATUS.get(item.status, ("", "text"))
    state = Run(item.played_elsewhere or _WORDS.get(item.status, ""), tone if glyph else "text")
    when = f"last played {when_text(item.updated)}" if item.updated else ""
    minutes = f"about {item.minutes} minutes" if item.minutes is not None else ""
    runs = (
        Run(clean(item.system), "dim"),
        Run(minutes, "text"),
        state,
        Run(clean(item.round), "text"),
        Run(when, "dim"),
    )
    return tuple((run,) for run in runs if run.text)


def _lines(item: Item, details: Details, cells: int) -> list[Row]:
    tones = {"heading": "feed.heading", "dim": "feed.dim", "bad": "feed.hit", "good": "feed.heal", "dice": "feed.dice"}
    tones |= {"ruling": "feed.ruling"}
    rows: list[Row] = []
    for text, tone in details.lines:
        hang = 0 if item.is_encounter else 2
        rows += [(Run(line, tones.get(tone, "text")),) for line in wrap(text, cells, hang)]
    return rows


def _who(details: Details, cells: int, glyphs: Glyphs) -> list[Row]:
    """The combatants by side, in as many columns as fit."""
    if not details.who:
        return []
    rows: list[Row] = [()]
    sides = dict.fromkeys(side for side, _, _ in details.who)
    for side in sides:
        rows.append((Run(clean(side).title(), f"roster.group.{_role(side)}"),))
        members = [(name, how) for other, name, how in details.who if other == side]
        rows += _columns(members, cells, glyphs)
    return rows


def _who_in_short(details: Details, cells: int, glyphs: Glyphs) -> list[Row]:
    """The combatants by side, one after the other; those of one name and condition together."""
    rows: list[Row] = []
    for side in dict.fromkeys(side for side, _, _ in details.who):
        alike = Counter((name.rstrip("0123456789 ") or name, how) for other, name, how in details.who if other == side)
        names = [
            f"{name}{f' {glyphs.times}{count}' if count > 1 else ''}{f' {how}' if how else ''}"
            for (name, how), count in alike.items()
        ]
        head, *more = wrap(f"{clean(side).title()}: {', '.join(map(clean, names))}", cells, 2)
        words, rest = head.split(":", 1)
        rows.append((Run(f"{words}:", f"roster.group.{_role(side)}"), Run(rest, "text")))
        rows += [(Run(line, "text"),) for line in more]
    return rows


def _role(side: str) -> str:
    return side if side in ("party", "foe") else "other"


def _columns(members: Sequence[tuple[str, str]], cells: int, glyphs: Glyphs) -> list[Row]:
    columns = max(1, min(len(members), cells // _COLUMN))
    each = cells // columns
    rows: list[Row] = []
    for start in range(0, len(members), columns):
        row: list[Run] = []
        for name, how in members[start : start + columns]:
            room = max(4, each - 3 - width(how) - 1)
            row += [Run("  ", "text"), Run(fit(name, room, ellipsis=glyphs.ellipsis), "text")]
            row += [Run(f" {clean(how)}", "bad" if how == "down" else "dim")]
            row += [Run(" " * (each - 3 - room - width(how)), "text")]
        rows.append(tuple(row))
    return rows
