"""Headings with details: a combatant's card, its sheet, and the story pane."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest

from fightcall.paint.board import PLAIN, harm_words
from fightcall.paint.combatants import (
    bar,
    clock_owner,
    effect_in_full,
    health_style,
    pip_row,
    pool_bar,
    still_to_act,
    track_cells,
    track_row,
    work_row,
)
from fightcall.paint.palette import GROUNDS
from fightcall.paint.runs import (
    Glyphs,
    Row,
    Run,
    clean,
    fit,
    label_box,
    pad,
    row_width,
    side_role,
    tone_of,
    width,
    wrap,
)
from fightcall.paint.scenes import ground_role
from fightcall_engine.board.base import OPEN, Terrain
from fightcall_engine.board.kinds import direction_of, grid_board
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Badge, Card, Detail, Section
from fightcall_engine.model.fold import players_name
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import frozen

GAUGE = 8
SHARE = "bar.pool"
"""The style of a gauge that shows a share of fights."""
LONGEST_NAME = 22
INDENT = 2
LEAST_TEXT = 12
"""The least width of a detail's text, however long its name."""

NAMELESS = ("name", "note", "secret")
"""Fields that are left out of an entry's text."""
FEET = "_ft"
"""The suffix of fields with a length in feet."""
TITLES = {"strikes": "Weapons", "dar": "DAR"}

Needed = Callable[[int], str]
"""The roll that a weapon's number asks for, in words."""

NO_STORY = "This encounter has no story."
SAMPLE = 3
"""The width of a ground's sample before its name."""


@frozen
class Sections:
    """Rows to scroll.

    Attributes:
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
    badges = (*filter(None, card.lasting), *card.badges)
    runs = ((Run(f" {clean(badge.text)} ", f"badge.{tone_of(badge)}"),) for badge in badges)
    rows += _side_by_side(runs, 1, cells)
    if alias := players_name(state, combatant):
        rows.append((Run(f" players: {clean(alias)}", "roster.next"),))
    if card.note:
        rows += [(Run(f" {line}", "roster.declared"),) for line in wrap(card.note, cells - 2)]
    rows += _effects(combatant, state, system, card.lasting, cells)
    details = system.details(state, combatant_id)
    for section in (*details, *sheet_sections(combatant.sheet, details, partial(system.needed_words, state))):
        rows += [(), *section_rows(section, cells, glyphs)]
    return Sections(tuple(pad(row, cells, "text") for row in rows), {combatant_id: range(len(rows))})


def told_rows(
    state: FightState,
    system: BaseSystem,
    sections: Iterable[Section],
    selected: str,
    cells: int,
    glyphs: Glyphs,
    gauge_style: str = "",
) -> Sections:
    """Sections one below the other, those of combatants with their labels."""
    rows: list[Row] = []
    spans: dict[str, range] = {}
    for section in sections:
        start = len(rows)
        combatant = state.combatants.get(section.who)
        label: Row = ()
        if combatant is not None:
            mark = glyphs.selected if combatant.id == selected else " "
            label = (Run(mark, "roster.mark"), label_box(combatant.label, side_role(system, combatant.side), glyphs))
        rows += section_rows(section, cells, glyphs, label, gauge_style)
        spans[section.who] = range(start, len(rows))
        rows.append(())
    return Sections(tuple(pad(row, cells, "text") for row in rows), spans)


def section_rows(section: Section, cells: int, glyphs: Glyphs, label: Row = (), gauge_style: str = "") -> list[Row]:
    """A section: its heading, and for each detail its name, gauge, text and rule.

    Args:
        gauge_style: the style of the gauges; empty if they are of health, whose colour tells how much is left.
    """
    heading: list[Row] = [(*label, Run(f" {clean(section.title)}", "heading"))]
    note = Run(f"  {clean(section.note)}" if section.note else "", "strong")
    if row_width(heading[0]) + width(note.text) <= cells:
        heading = [(*heading[0], note)]
    else:
        heading += [(Run(f"  {line}", "strong"),) for line in wrap(section.note, cells - INDENT)]
    names = [width(clean(detail.name)) for detail in section.details]
    column = min(max(names, default=0), LONGEST_NAME, max(cells // 3, 1))
    gauges = any(detail.gauge is not None for detail in section.details)
    details = (_detail(detail, column, gauges, cells, glyphs, gauge_style) for detail in section.details)
    return [*heading, *(row for rows in details for row in rows)]


def _detail(detail: Detail, column: int, gauges: bool, cells: int, glyphs: Glyphs, gauge_style: str) -> Iterable[Row]:
    name = clean(detail.name)
    if width(name) > column:
        # A longer name gets a row of its own, because names are never cut.
        yield from ((Run(f"{' ' * INDENT}{line}", "dim"),) for line in wrap(name, cells - INDENT))
        name = ""
    head: Row = (Run(" " * INDENT, "text"), Run(fit(name, column), "dim"), Run("  ", "text"))
    if gauges and cells - row_width(head) - GAUGE - 2 >= LEAST_TEXT:
        left = detail.gauge
        gauge = (
            bar(left.now, left.max, GAUGE, gauge_style or health_style(left.now, left.max), glyphs)
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


def _side_by_side(pieces: Iterable[Row], gap: int, cells: int) -> list[Row]:
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


# Sections for a combatant's sheet


def sheet_sections(
    sheet: Mapping[str, Json], own_sections: Sequence[Section] = (), needed_words: Needed = str
) -> tuple[Section, ...]:
    """A sheet as sections, without empty values and without lists that `own_sections` already show.

    `needed_words` is the roll that a weapon's number asks for, in words.
    """
    detail_names = {detail.name for section in own_sections for detail in section.details}
    sections = [Section("Note", (Detail("GM", str(sheet["note"])),))] if sheet.get("note") else []
    scalars = ", ".join(_fields({key: value for key, value in sheet.items() if _is_plain(value)}, needed_words))
    fields = {
        key: ", ".join(_fields(value, needed_words)) for key, value in sheet.items() if isinstance(value, Mapping)
    }
    maps = tuple(Detail(_words(key), text) for key, text in fields.items() if text)
    for key, value in sheet.items():
        things = _things(value, needed_words) if isinstance(value, list | tuple) else ()
        if things and not {thing.name for thing in things} <= detail_names:
            sections.append(Section(_title(key), things))
    numbers = (*((Detail("numbers", scalars),) if scalars else ()), *maps)
    return (*sections, Section("Sheet", numbers)) if numbers else tuple(sections)


def _things(things: Sequence[Json], needed_words: Needed) -> tuple[Detail, ...]:
    details = []
    for thing in things:
        if isinstance(thing, Mapping):
            name = str(thing.get("name") or "")
            if not name and "type" in thing:
                name = _value_text(thing["type"])
                thing = {key: value for key, value in thing.items() if key != "type"}
            more = [*_fields(thing, needed_words), *([str(thing["note"])] if thing.get("note") else [])]
            is_secret = thing.get("secret") is True
            text = ", ".join([*(["SECRET"] if is_secret else []), *more]) or "as usual"
            details.append(Detail(name, text, tone="warn" if is_secret else "plain"))
    if words := ", ".join(_value_text(thing) for thing in things if isinstance(thing, str) and thing):
        details.append(Detail("", words))
    return tuple(details)


def _fields(thing: Mapping[str, Json], needed_words: Needed) -> Iterator[str]:
    """The non-empty fields in words: ``needs 12 or less on d20``, ``damage d6``; a true boolean as its name."""
    for key, value in thing.items():
        if key in NAMELESS or not _is_plain(value):
            if isinstance(value, list | tuple) and value:
                yield f"{_words(key)} {' '.join(map(_value_text, value))}"
        elif key == "needs" and isinstance(value, int):
            dice = f" on {thing['dice']}" if thing.get("dice") else ""
            yield f"needs {needed_words(value)}{dice}"
        elif key == "dice" and "needs" in thing:
            continue
        elif key.endswith(FEET):
            yield f"{_words(key.removesuffix(FEET))} {_value_text(value)} ft"
        else:
            yield (
                _words(key)
                if value is True
                else _value_text(value)
                if key == "kind"
                else f"{_words(key)} {_value_text(value)}"
            )


def _is_plain(value: Json) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is True or (is_number and value != 0) or (isinstance(value, str) and value != "")


def _value_text(value: Json) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).replace("_", " ")


def _words(key: str) -> str:
    return TITLES.get(key, key.upper() if len(key) == 3 and key.isalpha() else key.replace("_", " "))


def _title(key: str) -> str:
    return TITLES.get(key, key.replace("_", " ").capitalize())


# The story pane


def story_sections(
    state: FightState, system: BaseSystem, story: str, selected: str, cells: int, glyphs: Glyphs
) -> Sections:
    """The selected combatant's note, the story (each line is a paragraph), and the kinds of ground."""
    rows: list[Row] = [*_note(state, system, selected, cells, glyphs)]
    rows += [(Run(f" {clean(state.name)}", "heading"),)]
    for line in (story.strip() or NO_STORY).split("\n"):
        rows += _paragraph(line, cells)
    ground = [*_ground(state, cells, glyphs)]
    rows += [(), (Run(" Terrain", "heading"),), *ground] if ground else []
    return Sections(tuple(pad(row, cells, "text") for row in rows), {})


def _paragraph(text: str, cells: int) -> list[Row]:
    return [(Run(f" {line}", "text"),) for line in wrap(text, cells - 2)]


def _note(state: FightState, system: BaseSystem, selected: str, cells: int, glyphs: Glyphs) -> Iterator[Row]:
    combatant = state.combatants.get(selected)
    note = combatant.sheet.get("note") if combatant is not None else None
    if combatant is None or not note:
        return
    box = label_box(combatant.label, side_role(system, combatant.side), glyphs)
    yield (Run(" ", "text"), box, Run(f" {clean(combatant.name)}", "heading"))
    yield from _paragraph(str(note), cells)
    yield ()


def _ground(state: FightState, cells: int, glyphs: Glyphs) -> Iterator[Row]:
    board = grid_board(state.board) if state.board is not None else None
    if board is None:
        return
    used_names = set(board.terrain.values())
    for terrain in (OPEN, *(board.legend[name] for name in board.legend if name in used_names)):
        role = ground_role(terrain)
        kind = role if role in GROUNDS else "floor"
        fill = PLAIN if glyphs.shape == PLAIN else f"{kind}.0"
        mark = glyphs.ground.get(kind, "") or (glyphs.centre if glyphs.shape == PLAIN else "")
        sample = Run(mark.center(SAMPLE), f"ink.{kind}/{fill}")
        lines = wrap(f"{terrain.name}: {_ground_effects(terrain)}", max(cells - SAMPLE - 3, 1))
        for number, line in enumerate(lines):
            lead = sample if number == 0 else Run(" " * SAMPLE, "text")
            yield (Run(" ", "text"), lead, Run(f" {line}", "text"))


def _ground_effects(terrain: Terrain) -> str:
    words = ["no one can enter" if terrain.blocks else f"{terrain.cost} to enter"]
    words += ["blocks sight"] if terrain.blocks_sight else []
    words += [f"{terrain.cover} cover"] if terrain.cover else []
    words += [f"{terrain.height_ft:g} ft high"] if terrain.height_ft else []
    words += [harm_words(terrain)] if terrain.harm else []
    return ", ".join(words)
