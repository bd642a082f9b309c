"""The timeline and the summary of a fight.

The timeline has a lane for each combatant, with time to the right, and what is due. The summary says how long the
fight lasted, who stands, who is down, and who did what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from fightcall.paint.combatants import SHORT_FORMS
from fightcall.paint.runs import (
    Drawing,
    Glyphs,
    Row,
    Run,
    Spot,
    clean,
    crop,
    cut,
    fit,
    join,
    label_box,
    merge,
    pad,
    row_width,
    scroll_marks,
    shorten_name,
    side_role,
    stack,
    width,
    wrap,
)
from fightcall.paint.runs import width as text_width
from fightcall_engine.kit.phrases import PLAIN_ENDS
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Detail, Section
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import format_clock, frozen
from fightcall_engine.play.chart import Act, Chart, Column, Due, Kind, Lane, Span, due_of, end_of, end_words
from fightcall_engine.play.lanes import Summary, summary_sections

if TYPE_CHECKING:
    from fightcall_engine.archive.chronicle import Closing, Deeds

NAME = 12
"""The width of names."""
NAMED_FROM = 60
"""The width from which names are shown."""
SHARE = 0.62
"""The position of the viewed moment, as a share of the width for columns."""
HEAD = 3
"""The rows above the lanes: rounds, phases and columns."""
LEGEND: Mapping[Kind, str] = {
    "acts": "acts",
    "hit": "hits",
    "miss": "misses",
    "hurt": "hurt",
    "down": "down",
    "moves": "moves",
    "declares": "declares",
    "waits": "passes",
    "heals": "healed",
    "rises": "up again",
    "ruled": "GM ruling",
}
"""The legend of marks, the most frequent first."""
DETAIL = 2
"""The rows below the lanes, for what was done at the viewed moment."""
LEAST, MOST = 2, 8
"""The least and the most width of a column."""


@frozen
class LanesView:
    """The visible part of a timeline: at the number of an `entry`, or at the present (None) with what is due.

    So many rows of lanes are scrolled away at the `top`.
    """

    selected: str = ""
    entry: int | None = None
    top: int = 0


@frozen
class _Placed:
    column: Column
    index: int
    start: int
    cells: int
    begun: bool
    opens_round: bool
    later: bool


def column_of(chart: Chart, entry: int | None) -> int:
    """The index of the column of an entry; with None, of the last column; -1 if there are no columns."""
    last = len(chart.columns) - 1
    if entry is None:
        return last
    return next((max(at - 1, 0) for at, column in enumerate(chart.columns) if column.entry > entry), last)


def lanes_rows(
    chart: Chart,
    view: LanesView,
    system: BaseSystem,
    sides: Mapping[str, str],
    *,
    width: int,
    height: int,
    words_of: Callable[[int], str],
    glyphs: Glyphs,
) -> tuple[Drawing, int]:
    """The part of a timeline around the viewed moment, and how many rows of lanes are scrolled away at the top.

    Spots are the numbers of entries, and ``who <id>`` for lanes. `words_of` returns an entry in a sentence.
    """
    has_names = width >= NAMED_FROM
    left = (
        2
        + max((text_width(clean(lane.figure.label)) for lane in chart.lanes), default=1)
        + 2
        + (NAME + 1 if has_names else 0)
    )
    room = width - left
    if room < LEAST + 1 or height < HEAD + 1 + DETAIL or not chart.columns:
        note = "The timeline needs more room" if chart.columns else "The fight hasn't started"
        lines = [(Run(f" {line}", "dim"),) for line in wrap(note, width - 1)]
        return Drawing(stack(lines, width, height, "text")), 0
    at = column_of(chart, view.entry)
    columns = _window(chart, at, room, glyphs, present=view.entry is None)
    head = [
        pad((Run(" " * left, "text"), *row), width, "text") for row in _heads(chart, columns, at, room, sides, glyphs)
    ]
    rows: list[Row] = []
    owners: list[str] = []
    for lane in chart.lanes:
        margin = _margin(lane, view, system, has_names, left, glyphs)
        for number, cells in enumerate(_lane(chart, lane, columns, at, room, view, glyphs)):
            rows.append(join((margin if not number else (Run(" " * left, "text"),), cells)))
            owners.append(lane.figure.id)
    rows += _cue_rows(chart, columns, left, room, glyphs)
    owners += [""] * (len(rows) - len(owners))
    row_count = height - HEAD - DETAIL
    top = max(0, min(view.top, len(rows) - row_count))
    body = stack(rows[top : top + row_count], width, row_count, "text")
    if marks := scroll_marks(top, row_count, len(rows), glyphs):
        body = tuple((*crop(row, width - 1), mark) for row, mark in zip(body, marks, strict=True))
    detail = stack(_detail(chart, view, at, width, words_of, glyphs), width, DETAIL, "text")
    spots = _spots(owners[top : top + row_count], columns, left, height)
    return Drawing((*head, *body, *detail), spots), top


def _spots(owners: Sequence[str], columns: Sequence[_Placed], left: int, height: int) -> tuple[Spot, ...]:
    people = (
        Spot(range(HEAD + y, HEAD + y + 1), range(left), f"who {owner}") for y, owner in enumerate(owners) if owner
    )
    moments = (
        Spot(
            range(height - DETAIL),
            range(left + each.start, left + each.start + each.cells),
            str(max((act.entry for act in each.column.acts), default=each.column.entry)),
        )
        for each in columns
        if each.begun and each.start >= 0
    )
    return (*people, *moments)


def top_for(chart: Chart, selected: str, height: int, top: int) -> int:
    """How many rows of lanes to scroll away so that a combatant's lane is visible."""
    rows = [
        lane.figure.id
        for lane in chart.lanes
        for _ in range(1 + len(_pack_spans([span for span in chart.spans if span.who == lane.figure.id])))
    ]
    if selected not in rows:
        return top
    first, shown_rows = rows.index(selected), height - HEAD - DETAIL
    last = first + rows.count(selected)
    return min(max(top, last - shown_rows), first)


# Columns


def _window(chart: Chart, at: int, room: int, glyphs: Glyphs, *, present: bool) -> tuple[_Placed, ...]:
    every = (*chart.columns, *chart.ahead)
    sizes = [_cells_of(column, glyphs) + 1 for column in every]
    ends = list(accumulate(sizes))
    after = ends[-1] - ends[at]
    # Future columns get their share, and past ones the rest.
    keep = room - min(after + (0 if after else LEAST), int(room * (1 - SHARE)))
    cells_skipped = max(0, ends[at] - keep)
    first = next((index for index, end in enumerate(ends) if end - sizes[index] >= cells_skipped), at)
    first = min(first, at)
    columns: list[_Placed] = []
    start = 0
    for index in range(first, len(every)):
        cells = min(sizes[index], room - start)
        if cells < min(LEAST, sizes[index]):
            break
        opens = index == 0 or every[index].round != every[index - 1].round
        has_begun = index < len(chart.columns)
        columns.append(
            _Placed(every[index], index, start, cells, has_begun, opens, later=has_begun and not present and index > at)
        )
        start += cells
    return tuple(columns)


def _cells_of(column: Column, glyphs: Glyphs) -> int:
    lanes: dict[str, int] = {}
    for act in column.acts:
        lanes[act.who] = lanes.get(act.who, 0) + width(_mark(act, glyphs))
    if not column.entry and not column.phase:
        # A future round, of which only the name is known.
        return max(LEAST, width(clean(column.title)))
    return min(MOST, max(LEAST, *lanes.values(), 0))


def _heads(
    chart: Chart, columns: Sequence[_Placed], at: int, room: int, sides: Mapping[str, str], glyphs: Glyphs
) -> Iterator[Row]:
    now = chart.columns[at]
    yield _spread(columns, lambda each: each.column.title, "timeline.round", room)
    yield _spread(
        columns,
        lambda each: each.column.phase,
        "timeline.phase",
        room,
        key=lambda each: (each.column.round, each.column.phase),
        now=(now.round, now.phase) if now.phase else None,
    )
    runs: list[Run] = []
    labels = {lane.figure.id: lane.figure.label for lane in chart.lanes}
    for each in columns:
        column = each.column
        text = labels.get(column.actor, "") if column.actor else sides.get(column.side, column.side)[:1]
        if not text:
            text = str(column.number) if _is_numbered(columns, column) else ""
        if column.secret:
            text = glyphs.hidden + text
        style = "timeline.cursor" if column is now else "timeline.secret" if column.secret else "timeline.todo"
        style = style if each.begun or column is now else "timeline.ahead"
        written = fit(clean(text), max(each.cells - 1, 1), ellipsis="")
        runs += [Run(written, style), Run(" " * (each.cells - width(written)), "timeline")]
    yield pad(merge(runs), room, "timeline")


def _is_numbered(columns: Sequence[_Placed], column: Column) -> bool:
    column_key = (column.round, column.phase)
    return bool(column.phase) and (
        column.number > 1
        or any((each.column.round, each.column.phase) == column_key and each.column.number > 1 for each in columns)
    )


def _spread(
    columns: Sequence[_Placed],
    name: Callable[[_Placed], str],
    style: str,
    room: int,
    *,
    key: Callable[[_Placed], object] | None = None,
    now: object = None,
) -> Row:
    runs: list[Run] = []
    for part, group in groupby(columns, key or name):
        first, *others = group
        cells = sum(each.cells for each in (first, *others))
        text = clean(name(first))
        is_now = now is not None and part == now
        forms = (text, SHORT_FORMS.get(text, text), text[:1] if is_now else "")
        label = fit(next((form for form in forms if width(form) < cells), ""), max(cells - 1, 0))
        look = "timeline.now" if is_now else style if first.begun else "timeline.ahead"
        runs += [Run(label.rstrip() if is_now else label, look)]
        runs.append(Run(" " * (cells - width(runs[-1].text)), "timeline"))
    return pad(merge(runs), room, "timeline")


# Lanes


def _margin(lane: Lane, view: LanesView, system: BaseSystem, has_names: bool, left: int, glyphs: Glyphs) -> Row:
    figure = lane.figure
    mark = glyphs.selected if figure.id == view.selected else glyphs.hidden if figure.hidden else " "
    box = label_box(figure.label, side_role(system, figure.side), glyphs)
    style = "roster.name.down" if not (figure.able and lane.here) else "roster.name"
    style = "roster.name.hidden" if figure.hidden else style
    style = "roster.name.selected" if figure.id == view.selected else style
    runs: Row = (Run(mark, "roster.mark"), box)
    if has_names:
        runs = (*runs, Run(" ", "text"), Run(shorten_name(figure.name, NAME) or cut(clean(figure.name), NAME), style))
    return pad(runs, left, "text")


def _lane(
    chart: Chart, lane: Lane, columns: Sequence[_Placed], at: int, room: int, view: LanesView, glyphs: Glyphs
) -> Iterator[Row]:
    who = lane.figure.id
    runs: list[Run] = []
    # What it has declared or works on, else what it has in reserve.
    plan = (lane.figure.declared or lane.kept) if view.entry is None else ""
    end = 0
    for each in columns:
        if not each.begun and plan:
            break
        runs += _cell(each, lane, chart.columns[at], glyphs)
        end = each.start + each.cells
    if plan and end < room:
        label = fit(f"{glyphs.declared['declared']} {plan}", room - end, ellipsis=glyphs.ellipsis)
        runs.append(Run(label, "roster.declared"))
    yield pad(merge(runs), room, "text")
    for spans in _pack_spans([span for span in chart.spans if span.who == who]):
        yield _bar(spans, chart, columns, room, glyphs)


def _cell(each: _Placed, lane: Lane, now: Column, glyphs: Glyphs) -> Iterator[Run]:
    column, who = each.column, lane.figure.id
    cells = max(each.cells - 1, 1)
    edge = Run(glyphs.divider if each.opens_round else " ", "timeline.edge")
    acts = [act for act in column.acts if act.who == who]
    ground = ".now" if column is now else ""
    if not acts:
        can_act = lane.figure.able and (column.actor or who) == who and column.side in ("", lane.figure.side)
        ahead = glyphs.pip_coming if can_act and not each.begun else " "
        filler = glyphs.rule if each.begun and column.actor == who else ahead
        text = filler * cells if filler == glyphs.rule else fit(filler, cells, ellipsis="")
        runs = [Run(text, f"lane{ground}" if each.begun else "timeline.ahead")]
    else:
        runs = []
        cells_left = cells
        for act in acts:
            mark = _mark(act, glyphs)
            if width(mark) > cells_left:
                if runs:
                    runs[-1] = Run(fit(runs[-1].text, width(runs[-1].text), ellipsis=""), runs[-1].style)
                break
            cells_left -= width(mark)
            style = "lane.secret" if act.secret and act.kind != "ruled" else f"lane.{act.kind}"
            runs.append(Run(mark, "timeline.todo" if each.later else style))
        if len(runs) < len(acts) and cells_left:
            runs.append(Run(glyphs.ellipsis[:cells_left], "timeline.todo"))
            cells_left -= 1
        runs.append(Run(" " * cells_left, f"lane{ground}"))
    yield edge
    yield from (run for run in runs if each.cells > 1)


def _mark(act: Act, glyphs: Glyphs) -> str:
    signs: Mapping[str, str] = {
        "acts": glyphs.side,
        "moves": f"{glyphs.to}{act.amount or ''}",
        "hit": glyphs.done,
        "miss": glyphs.refused,
        "hurt": f"{glyphs.minus}{act.amount or ''}",
        "heals": f"+{act.amount or ''}",
        "down": glyphs.down,
        "rises": glyphs.arrows["N"],
        "declares": glyphs.declared["declared"],
        "waits": glyphs.bullet,
        "joins": "+",
        "leaves": glyphs.arrows["W"],
        "ruled": glyphs.warning,
    }
    return (glyphs.hidden if act.secret and act.kind != "ruled" else "") + signs[act.kind]


def _pack_spans(spans: Sequence[Span]) -> list[list[Span]]:
    rows: list[list[Span]] = []
    for span in spans:
        for row in rows:
            last = row[-1].last
            if last is not None and last < span.first:
                row.append(span)
                break
        else:
            rows.append([span])
    return rows


def _bar(spans: Sequence[Span], chart: Chart, columns: Sequence[_Placed], room: int, glyphs: Glyphs) -> Row:
    letters, styles = [" "] * room, ["text"] * room
    for span in spans:
        due = due_of(span, chart)
        stop = span.last if span.last is not None else end_of(due, chart)
        places = [each for each in columns if span.first <= each.index <= stop]
        if not places:
            continue
        start, end = places[0].start, places[-1].start + places[-1].cells
        for cell in range(start + 1, end):
            has_begun = next(each.begun for each in places if each.start <= cell < each.start + each.cells)
            letters[cell] = glyphs.pool_full if has_begun else glyphs.pool_empty
            styles[cell] = "lane.secret" if span.secret else "lane.effect"
        name = _bar_words(span, due, chart, end - start - 2)
        if width(name) == len(name):
            name = name[: max(room - start - 1, 0)]
            letters[start + 1 : start + 1 + len(name)] = name
            styles[start + 1 : start + 1 + len(name)] = ["lane.name"] * len(name)
    bar = merge(Run(letter, style) for letter, style in zip(letters, styles, strict=True))
    return crop(pad(bar, room, "text"), room)


def _bar_words(span: Span, due: Due | None, chart: Chart, cells: int) -> str:
    """An effect's name with its end, or with its remaining count if there is no room for that."""
    name = clean(span.name)
    if due is not None:
        full_text = f"{name}, {clean(end_words(due, chart))}"
        if width(full_text) <= cells:
            return full_text
    left_text = f" {due.left}" if due is not None and due.left is not None else ""
    return cut(name, max(cells - width(left_text), 0)) + left_text


def _cue_rows(chart: Chart, columns: Sequence[_Placed], left: int, room: int, glyphs: Glyphs) -> Iterator[Row]:
    columns_begun = len(chart.columns)
    for due in chart.dues:
        at = end_of(due, chart)
        start = next((each.start for each in columns if each.index == at), None)
        if not due.who and at >= columns_begun and start is not None:
            margin, words = fit(" cues", left, ellipsis=""), clean(due.words)
            if width(words) + 2 <= room - start - 1:
                before, label = " " * (start + 1), f"{glyphs.bookmark} {words}"
            else:
                # No room after the mark: put the words before it.
                label = fit(words, max(min(width(words), start), 0), ellipsis=glyphs.ellipsis) + f" {glyphs.bookmark}"
                before = " " * max(start + 2 - width(label), 0)
            yield pad((Run(margin, "dim"), Run(before, "text"), Run(label, "timeline.mark")), left + room, "text")


# The viewed moment


def _detail(
    chart: Chart, view: LanesView, at: int, cells: int, words_of: Callable[[int], str], glyphs: Glyphs
) -> Iterator[Row]:
    if view.entry is not None:
        column = chart.columns[at]
        part = f" {glyphs.bullet} ".join(word for word in (column.title, column.phase) if word)
        label = words_of(view.entry) if view.entry else "the beginning"
        text = f"{part}  #{view.entry} {label}" if view.entry else label
        style = "strong"
    else:
        lane = next((lane for lane in chart.lanes if lane.figure.id == view.selected), None)
        text, style = _present(lane, chart) if lane is not None else "", "dim"
    lines = wrap(text, cells - 2)
    if len(lines) > DETAIL:
        lines = (*lines[: DETAIL - 1], fit(" ".join(lines[DETAIL - 1 :]), cells - 2, ellipsis=glyphs.ellipsis))
    yield from ((Run(f" {line}", style),) for line in lines)
    if view.entry is None and len(lines) < DETAIL:
        runs: list[Run] = []
        for kind, meaning in LEGEND.items():
            sign = _mark(Act("", kind, 0, 0), glyphs)
            more = (Run(f" {sign}", f"lane.{kind}"), Run(f" {meaning} ", "dim"))
            if row_width((*runs, *more)) > cells:
                break
            runs += more
        yield tuple(runs)


def _present(lane: Lane, chart: Chart) -> str:
    dues = (due for due in chart.dues if due.who == lane.figure.id and due.left)
    lasting = [f"{due.words} {due.left} left, {end_words(due, chart)}" for due in dues]
    parts = [lane.figure.declared, lane.kept, *lasting]
    label = "; ".join(clean(part) for part in parts if part)
    return f"{clean(lane.figure.name)}: {label}" if label else ""


# The summary after a fight


def closing_sections(state: FightState, system: BaseSystem, closing: Closing, summary: Summary) -> tuple[Section, ...]:
    """The sections of a closed fight: its summary, then the system's aftermath."""
    words = system.words(state.settings)
    rounds = f"{state.round} {words.round}{'' if state.round == 1 else 's'}"
    time = f", {format_clock(state.clock_s)} of game time" if state.clock_s else ""
    duration = Detail("lasted", f"{rounds}{time}")
    sides = dict.fromkeys(deeds.side for deeds in closing.deeds)
    stands = tuple(_side(words.sides.get(side, side), side, closing.deeds) for side in sides)
    reason = "" if closing.reason in PLAIN_ENDS else closing.reason
    # These are places entered, whatever unit the system measures in.
    units = state.board.words if state.board is not None else (words.unit, words.units)
    deed_words = [(each, "; ".join(_deed_words(each, units))) for each in closing.deeds]
    deeds = tuple(
        Detail(each.name, sentence, tone="plain" if each.end == "standing" else "bad")
        for each, sentence in deed_words
        if sentence
    )
    idle = ", ".join(each.name for each, sentence in deed_words if not sentence)
    rest = (Detail("the others" if deeds else "everybody", f"{idle}: no hits, no damage"),) if idle else ()
    return (
        Section("The fight is over", (duration, *stands), note=reason),
        Section("Who did what", (*deeds, *rest)),
        *summary_sections(summary, words),
        *system.aftermath(state),
    )


def _side(title: str, side: str, deeds: tuple[Deeds, ...]) -> Detail:
    ours = [each for each in deeds if each.side == side]
    standing = [each.name for each in ours if each.end == "standing"]
    fallen = [f"{each.name} {each.end}" for each in ours if each.end != "standing"]
    words = [f"{', '.join(standing)} {'stands' if len(standing) == 1 else 'stand'}" if standing else "no one stands"]
    return Detail(title, "; ".join((*words, *fallen)), tone="plain" if standing else "bad")


def _deed_words(deeds: Deeds, units: tuple[str, str]) -> Iterator[str]:
    if deeds.dealt or deeds.taken:
        yield f"dealt {deeds.dealt}, took {deeds.taken}"
    if deeds.attempts:
        yield f"hit {deeds.hits} of {deeds.attempts}"
    if deeds.downed:
        yield f"felled {', '.join(deeds.downed)}"
    if deeds.works:
        yield f"finished {', '.join(deeds.works)}"
    if deeds.hexes:
        yield f"moved {deeds.hexes} {units[deeds.hexes != 1]}"
