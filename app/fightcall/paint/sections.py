"""Drawing a combatant's whole card, and the summary of a fight: headings with details."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from fightcall.paint.bars import bar, health_style, pool_bar
from fightcall.paint.effects import clock_owner, effect_in_full
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import label_box, pad, side_role, tone_of, wrap
from fightcall.paint.pips import pip_row, work_row
from fightcall.paint.runs import Row, Run, clean, fit, row_width, width
from fightcall.paint.sheet_sections import sheet_sections
from fightcall.paint.tracks import track_cells, track_row
from fightcall.waiting import still_to_act
from fightcall_engine.board.kinds import direction_of
from fightcall_engine.kit.views import Badge, Detail, Section
from fightcall_engine.model.sight import players_name
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Card
    from fightcall_engine.model.state import Combatant, FightState

GAUGE = 8
LONGEST_NAME = 22
INDENT = 2
LEAST_TEXT = 12
"""The least width of a detail's text, however long its name."""


@frozen
class Sections:
    """Rows to scroll.

    Attributes:
        rows: all rows.
        spans: the rows of each combatant, by id.
    """

    rows: tuple[Row, ...]
    spans: Mapping[str, range]


def card_sections(state: FightState, system: BaseSystem, combatant_id: str, cells: int, glyphs: Glyphs) -> Sections:
    """A combatant's whole card: pools, badges, effects, and the system's details."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return Sections(((Run(" No one is selected", "dim"),),), {})
    card = system.card(state, combatant_id)
    words = system.words(state.settings).pools
    rows: list[Row] = [_name_row(combatant, state, system, card, glyphs)]
    rows += _has(combatant, card, words, system.health, cells, glyphs)
    rows += _badges((*filter(None, card.lasting), *card.badges), cells)
    if alias := players_name(state, combatant):
        rows.append((Run(f" players: {clean(alias)}", "roster.next"),))
    if card.note:
        rows += [(Run(f" {line}", "roster.declared"),) for line in wrap(card.note, cells - 2)]
    rows += _effects(combatant, state, system, card.lasting, cells)
    details = system.details(state, combatant_id)
    for section in (*details, *sheet_sections(combatant.sheet, details, partial(system.needed_words, state))):
        rows += [(), *section_rows(section, cells, glyphs)]
    return Sections(tuple(pad(row, cells, "text") for row in rows), {combatant_id: range(len(rows))})


def closing_rows(
    state: FightState,
    system: BaseSystem,
    sections: Iterable[Section],
    selected: str,
    cells: int,
    glyphs: Glyphs,
) -> Sections:
    """The sections after a fight, one below the other."""
    rows: list[Row] = []
    spans: dict[str, range] = {}
    for section in sections:
        start = len(rows)
        combatant = state.combatants.get(section.who)
        label: Row = ()
        if combatant is not None:
            mark = glyphs.selected if combatant.id == selected else " "
            label = (Run(mark, "roster.mark"), label_box(combatant.label, side_role(system, combatant.side), glyphs))
        rows += section_rows(section, cells, glyphs, label)
        spans[section.who] = range(start, len(rows))
        rows.append(())
    return Sections(tuple(pad(row, cells, "text") for row in rows), spans)


def section_rows(section: Section, cells: int, glyphs: Glyphs, label: Row = ()) -> list[Row]:
    """A section: its heading, and for each detail its name, gauge, text and rule."""
    heading: list[Row] = [(*label, Run(f" {clean(section.title)}", "heading"))]
    note = Run(f"  {clean(section.note)}" if section.note else "", "strong")
    if row_width(heading[0]) + width(note.text) <= cells:
        heading = [(*heading[0], note)]
    else:
        heading += [(Run(f"  {line}", "strong"),) for line in wrap(section.note, cells - INDENT)]
    names = [width(clean(detail.name)) for detail in section.details]
    column = min(max(names, default=0), LONGEST_NAME, max(cells // 3, 1))
    gauges = any(detail.gauge is not None for detail in section.details)
    return [*heading, *(row for detail in section.details for row in _detail(detail, column, gauges, cells, glyphs))]


def _detail(detail: Detail, column: int, gauges: bool, cells: int, glyphs: Glyphs) -> Iterable[Row]:
    name = clean(detail.name)
    if width(name) > column:
        # A longer name gets a row of its own, because names are never cut.
        yield from ((Run(f"{' ' * INDENT}{line}", "dim"),) for line in wrap(name, cells - INDENT))
        name = ""
    head: Row = (Run(" " * INDENT, "text"), Run(fit(name, column), "dim"), Run("  ", "text"))
    if gauges and cells - row_width(head) - GAUGE - 2 >= LEAST_TEXT:
        left = detail.gauge
        gauge = (
            bar(left.now, left.max, GAUGE, health_style(left.now, left.max), glyphs)
            if left is not None
            else (Run(" " * GAUGE, "text"),)
        )
        head = (*head, *gauge, Run("  ", "text"))
    start = row_width(head)
    style = detail.tone if detail.tone in TONES else "text"
    for number, line in enumerate(wrap(detail.text, max(cells - start - 1, 1))):
        text = Run(line, style)
        if number:
            yield (Run(" " * start, "text"), text)
            continue
        # The rule is only shown if it fits at the end of the first line; it is also in the help.
        rule = f" {clean(detail.rule)} "
        room = cells - start - width(line) - width(rule)
        more = (Run(" " * room, "text"), Run(rule, "explain.rule")) if detail.rule and room >= 0 else ()
        yield (*head, text, *more)


TONES = frozenset({"good", "bad", "warn", "info"})


# The combatant, and what the roster shows


def _name_row(combatant: Combatant, state: FightState, system: BaseSystem, card: Card, glyphs: Glyphs) -> Row:
    acting = combatant.id in still_to_act(state, system)
    parts: list[Row] = [
        (label_box(combatant.label, side_role(system, combatant.side), glyphs, acting=acting),),
        (Run(clean(combatant.name or combatant.id), "options.name"),),
        (Run(clean(system.words(state.settings).sides.get(combatant.side, combatant.side)), "dim"),),
    ]
    if combatant.at is not None and state.board is not None:
        arrow = glyphs.arrows.get(direction_of(state.board, combatant.facing), "")
        parts.append((Run(f"{state.board.name_of(combatant.at)} {arrow}".rstrip(), "dim"),))
    if card.mark:
        parts.append((Run(f"{glyphs.struck} {clean(card.mark_words)}", "dim"),))
    return tuple(run for part in parts for run in (Run(" ", "text"), *part, Run(" ", "text")))


def _has(
    combatant: Combatant, card: Card, words: Mapping[str, str], health: str, cells: int, glyphs: Glyphs
) -> list[Row]:
    """Pools, pips and works, side by side as far as they fit."""
    lines: list[tuple[str, Row]] = []
    pools = card.pools
    if card.track is not None and pools:
        boxes, taken = track_row(card.track, glyphs, parted=True), card.track.taken
        level = clean(card.level) or (f"{taken} of {track_cells(card.track)}" if taken else "none")
        lines.append((card.track.name, (*boxes, Run(f"  {level}", "text"))))
        pools = pools[1:]
    for name in pools:
        if name in combatant.pools:
            points = combatant.pools[name]
            is_health = name == health and card.track is None
            gauge = pool_bar(points.now, points.max, GAUGE, "bar.pool", glyphs)
            if is_health:
                gauge = bar(points.now, points.max, GAUGE, health_style(points.now, points.max), glyphs)
            hurt = f", {clean(card.level)}" if is_health and card.level else ""
            lines.append((words.get(name, name), (*gauge, Run(f"  {points.now} of {points.max}{hurt}", "text"))))
    lines += [(words.get(pips.pool, pips.pool), pip_row(pips, glyphs)) for pips in card.pips]
    lines += [("at work on", work_row(work, glyphs)) for work in card.progress]
    named_rows = ((Run(clean(name), "dim"), Run("  ", "text"), *row) for name, row in lines)
    return _side_by_side(named_rows, INDENT, cells)


def _badges(badges: Iterable[Badge], cells: int) -> list[Row]:
    """Badges side by side, as many in a row as fit."""
    runs = ((Run(f" {clean(badge.text)} ", f"badge.{tone_of(badge)}"),) for badge in badges)
    return _side_by_side(runs, 1, cells)


def _side_by_side(pieces: Iterable[Row], gap: int, cells: int) -> list[Row]:
    """Pieces side by side in rows, separated by a gap."""
    rows: list[Row] = []
    row: Row = ()
    for piece in pieces:
        if row and row_width(row) + row_width(piece) + gap > cells:
            rows.append(row)
            row = ()
        row = (*row, Run(" " * gap, "text"), *piece)
    return [*rows, row] if row else rows


def _effects(
    combatant: Combatant, state: FightState, system: BaseSystem, sections: Sequence[Badge | None], cells: int
) -> list[Row]:
    """Effects for which the system has no words of its own."""
    rows: list[Row] = []
    for effect, section in zip_longest(combatant.effects, sections):
        if effect is None or section is not None:
            continue
        note = f" ({clean(effect.note)})" if effect.note else ""
        owner = clock_owner(effect, combatant, state)
        owner_text = f", on {owner}'s clock" if owner else ""
        text = f"{effect_in_full(effect, combatant, state, system)}{owner_text}{note}"
        rows += [(Run(f" {line}", "options.lasting"),) for line in wrap(text, cells - 2)]
    return rows
