"""Drawing the setup screen: the list, a form, and a list to pick from. Pure."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fightcall.flows.drafts import board_text, cells_text, setting_value
from fightcall.flows.form import Form
from fightcall.flows.library_list import window_top
from fightcall.flows.picker import Picker
from fightcall.flows.schema_fields import Field
from fightcall.flows.setup_editor import Part, SetupLine, setup_lines
from fightcall.flows.text_line import TextLine, text_row
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import Drawing, Spot, pad, scroll_marks, side_role, stack, wrap
from fightcall.paint.runs import Row, Run, clean, fit, shorten_name, width
from fightcall_engine.kit.settings import choice_words, setting_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fightcall_engine.archive.encounter import Encounter
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.commands import Join
    from fightcall_engine.model.state import Scalar

LEAST_MEANING = 24
"""The fewest cells for a setting's meaning beside its name and value; with less it is only below the marked one."""
_HEADINGS: dict[Part, str] = {"fight": "The fight", "combatants": "Combatants", "cues": "Cues", "settings": "Settings"}


def setup_rows(
    draft: Encounter,
    system: BaseSystem,
    cursor: int,
    cells: int,
    height: int,
    top: int,
    glyphs: Glyphs,
    source: str,
    cues: Sequence[str] = (),
) -> tuple[Drawing, int]:
    """The list, and its first row shown.

    Args:
        draft: the draft.
        system: its rules.
        cursor: the index of the current line.
        cells: cells across.
        height: rows down.
        top: the previous first row.
        glyphs: marks to draw with.
        source: the name of the encounter that the draft comes from.
        cues: its cues in words.
    """
    rows: list[Row] = []
    spots: list[tuple[int, int]] = []
    at = 0
    part = ""
    room = cells - 1
    lines = setup_lines(draft, system)
    for index, line in enumerate(lines):
        if line.part != part:
            part = line.part
            many = {"combatants": len(draft.joins), "cues": len(draft.cues)}.get(line.part, 0)
            count = f" ({many})" if many or line.part == "combatants" else ""
            count += _one_side(draft, system) if line.part == "combatants" else ""
            rows += [(), (Run(f" {_HEADINGS[line.part]}{count}", "help.heading"),)]
        here = index == cursor
        if here:
            at = len(rows)
        spots.append((len(rows), index))
        words = cues[int(line.key)] if line.part == "cues" and line.key.isdecimal() else ""
        rows.append(_line(draft, system, line, here, room, glyphs, words or source))
        if here and line.part == "settings":
            meaning = wrap(setting_text(system, line.key), room - 7)
            rows += [pad((Run(f"    {text}", "list.note"),), room, "list") for text in meaning]
            # As much of it as there is room for is in the window.
            at = min(len(rows) - 1, at + max(height - 1, 0))
    if not cursor:
        at = 0
    top = window_top(at, top, height, len(rows))
    bar = scroll_marks(top, height, len(rows), glyphs)
    window = stack(rows[top : top + height], room, height, "list")
    window_rows = tuple((*row, bar[y]) for y, row in enumerate(window)) if bar else stack(window, cells, height, "list")
    window_spots = tuple(
        Spot(range(y - top, y - top + 1), range(cells), str(index)) for y, index in spots if top <= y < top + height
    )
    return Drawing(window_rows, window_spots), top


def _one_side(draft: Encounter, system: BaseSystem) -> str:
    """Say that several combatants are all on one side, as after an import without sides; else empty."""
    sides = {join.side for join in draft.joins}
    if len(draft.joins) < 2 or len(sides) > 1:
        return ""
    side = next(iter(sides))
    return f", all on one side: {system.words(draft.settings).sides.get(side, side)}"


def _line(
    draft: Encounter, system: BaseSystem, line: SetupLine, here: bool, cells: int, glyphs: Glyphs, source: str
) -> Row:
    style = "list.selected" if here else "list"
    row: tuple[Run, ...]
    if line.part == "fight":
        row = _pair(*_fight_line(draft, system, line.key, source), style, cells)
    elif line.part == "settings":
        row = _setting_line(draft, system, line.key, here, cells, glyphs)
    elif line.key == "add":
        what = "set a cue" if line.part == "cues" else "add a combatant"
        row = (Run(what, style if here else "list.note"),)
    elif line.part == "cues":
        row = (Run(fit(clean(source), cells - 3, ellipsis=glyphs.ellipsis), style),)
    else:
        row = _join_line(draft, draft.joins[int(line.key)], system, style, cells, glyphs)
    return pad((Run(f"{glyphs.selected if here else ' '} ", style), *row), cells, style)


def _fight_line(draft: Encounter, system: BaseSystem, key: str, source: str) -> tuple[str, str]:
    values = {
        "encounter": source or "started from scratch",
        "system": system.title,
        "name": draft.name,
        "seed": draft.seed if draft.seed is not None else "a new one for each fight",
        "board": board_text(draft.board),
        "cells": cells_text(draft.board),
        "story": " ".join(draft.story.split()) or "none",
    }
    return key, values[key]


def _pair(label: str, value: str, style: str, cells: int) -> tuple[Run, ...]:
    note = "list.note" if style == "list" else style
    return Run(fit(label, 12), note), Run(fit(value, max(1, cells - 15)), style)


def _join_line(
    draft: Encounter, join: Join, system: BaseSystem, style: str, cells: int, glyphs: Glyphs
) -> tuple[Run, ...]:
    role = side_role(system, join.side or system.sides[0])
    where = draft.board.name_of(join.at) if draft.board and join.at else "" if draft.board is None else "nowhere"
    marks = glyphs.hidden if join.hidden else " "
    note = "list.note" if style == "list" else style
    side = Run(fit(join.side or system.sides[0], 8), f"roster.label.{role}" if style == "list" else style)
    place = Run(fit(shorten_name(where, 8), 8), note if where != "nowhere" or style != "list" else "warn")
    about = "  ".join(_about(join))
    room = cells - 3 - 1 - 8 - 8
    name = max(10, min(30, room * 2 // 5))
    return (
        Run(f"{marks} ", note),
        side,
        Run(fit(shorten_name(join.name, name) or join.name, name, ellipsis=glyphs.ellipsis), style),
        Run("  ", style),
        place,
        Run(fit(about, max(0, room - name - 3), ellipsis=glyphs.ellipsis), note),
    )


def _about(join: Join) -> list[str]:
    """The most important numbers of a sheet, in columns of two digits, and the names of the entries in its lists."""
    lines = []
    for key, value in join.sheet.items():
        if isinstance(value, list):
            names = [str(item.get("name", "")) for item in value if isinstance(item, dict)]
            lines += [name for name in names if name]
        elif isinstance(value, int | float) and not isinstance(value, bool):
            lines.append(f"{key.replace('_', ' ')} {value:<2}")
    return lines


def _setting_line(
    draft: Encounter, system: BaseSystem, key: str, here: bool, cells: int, glyphs: Glyphs
) -> tuple[Run, ...]:
    """A setting: its name, its value, and its meaning if there is room. Below the marked one it stands in full."""
    setting = next(setting for setting in system.settings if setting.key == key)
    is_user_setting = key in draft.user_settings and key not in draft.settings
    text = "your own file" if is_user_setting else _value_shown(system, key, setting_value(draft, setting))
    style = "list.selected" if here else "strong" if is_user_setting or key in draft.settings else "list"
    note = "list.selected" if here else "list.note"
    names, values = _setting_widths(system)
    room = cells - 3 - names - values
    return (
        Run(fit(setting_title(system, key), names), note),
        Run(fit(f"< {text} >" if here else f"  {text}", values, ellipsis=glyphs.ellipsis), style),
        Run(fit(_brief(setting.text, room) if room >= LEAST_MEANING else "", max(0, room)), note),
    )


def _brief(text: str, room: int) -> str:
    """A setting's meaning, else what comes before its choices, else nothing: no word of it is cut."""
    parts = (text, text.partition(": ")[0])
    return next((part for part in parts if width(part) <= room), "")


@cache
def _setting_widths(system: BaseSystem) -> tuple[int, int]:
    """Cells for the names of settings and for their values."""
    names = max(width(setting_title(system, setting.key)) for setting in system.settings)
    values = (
        choice_words(system, setting.key, value)
        for setting in system.settings
        for value in (setting.default, *setting.choices)
    )
    return names + 2, max(map(width, values)) + 6


def _value_shown(system: BaseSystem, key: str, value: Scalar) -> str:
    """A setting's value in few cells; for a text of several lines, their number."""
    lines = str(value).splitlines()
    return f"{len(lines)} lines" if len(lines) > 1 else choice_words(system, key, value)


def setting_text(system: BaseSystem, key: str) -> str:
    """A setting's meaning in full, with its rule and its choices."""
    setting = next(setting for setting in system.settings if setting.key == key)
    rule = f"{setting.rule}: " if setting.rule else ""
    words = ", ".join(choice_words(system, key, each) for each in setting.choices)
    choices = f" ({words})" if words else ""
    return f"{rule}{setting.text}{choices}"


def line_text(draft: Encounter, line: SetupLine) -> str:
    """A line of the list in full, unless it stands in the list."""
    if line.part == "fight" and line.key == "story":
        return " ".join(draft.story.split())
    return ""


# A form


def form_rows(form: Form, cells: int, height: int, top: int, glyphs: Glyphs) -> tuple[Drawing, int]:
    """The fields of a form with their texts, and the first row shown."""
    rows: list[Row] = []
    spots: list[tuple[int, int]] = []
    at, group = 0, ""
    label = min(22, max((width(field.label) for field in form.fields), default=8) + 4, cells // 3)
    for index, field in enumerate(form.fields):
        if field.group != group:
            group = field.group
            if group:
                rows += [(), (Run(f" {clean(group)}", "help.heading"),)]
        here = index == form.cursor
        if here:
            at = len(rows)
        spots.append((len(rows), index))
        rows.append(_field_row(form, field, here, label, cells - 1, glyphs))
        error = form.errors.get(field.path)
        if error:
            rows += [(Run(" " * (label + 2) + line, "bad"),) for line in wrap(error, cells - label - 4)]
    if form.cursor == 0:
        at = 0
    top = window_top(at, top, height, len(rows))
    window_spots = tuple(
        Spot(range(y - top, y - top + 1), range(cells), str(index)) for y, index in spots if top <= y < top + height
    )
    bar = scroll_marks(top, height, len(rows), glyphs)
    window = stack(rows[top : top + height], cells - 1, height, "text")
    window_rows = tuple((*row, bar[y]) for y, row in enumerate(window)) if bar else stack(window, cells, height, "text")
    return Drawing(window_rows, window_spots), top


def _field_row(form: Form, field: Field, here: bool, label: int, cells: int, glyphs: Glyphs) -> Row:
    mark = Run(f"{glyphs.selected if here else ' '} ", "list.selected" if here else "text")
    head = Run(fit(f"{field.label}{' *' if field.required else ''}", label - 2), "strong" if here else "dim")
    line = form.lines.get(field.path, TextLine())
    room = max(4, cells - label - 3)
    if field.kind == "tables":
        count = Run(f"  {form.text(field)}", "prompt.input" if here else "text")
        return mark, head, count, Run("  right arrow adds one" if here else "", "dim")
    if field.choices:
        value = form.value_text(field) or "empty"
        style = "prompt.input" if here else "text" if line.text else "dim"
        return mark, head, Run(f"< {clean(value)} >" if here else f"  {clean(value)}", style)
    if here:
        hint = (
            field.hint
            if not field.default
            else f"{field.hint}; {field.default} if empty"
            if field.hint
            else field.default
        )
        entry_cells = max(6, min(room, max(width(line.text) + 2, room - width(hint) - 3)))
        entry_row = text_row(line, entry_cells)
        gap = " " * max(0, entry_cells - sum(width(run.text) for run in entry_row))
        return mark, head, Run("  ", "text"), *entry_row, Run(gap, "prompt.input"), Run(f" {clean(hint)}", "dim")
    return (
        mark,
        head,
        Run(f"  {clean(line.text)}" if line.text else f"  {clean(field.default)}", "text" if line.text else "dim"),
    )


# Picking


def picker_rows(picker: Picker, cells: int, height: int, top: int, glyphs: Glyphs) -> tuple[Drawing, int]:
    """The list to pick from, below its filter, and the first choice shown."""
    head = (Run(" find ", "prompt.hint"), *text_row(picker.line, max(4, cells - 8)))
    matches = picker.matches()
    room = height - 2
    top = window_top(picker.index, top, room, len(matches))
    rows: list[Row] = [head, (Run(f" {fit(picker.hint, cells - 2)}", "list.note"),) if picker.hint else ()]
    spots: list[Spot] = []
    for y, choice in enumerate(matches[top : top + room]):
        here = choice == picker.picked
        style, note = ("list.selected", "list.selected") if here else ("list", "list.note")
        name = max(10, cells // 2)
        text = fit(choice.text, name, ellipsis=glyphs.ellipsis)
        remark = fit(choice.remark, max(0, cells - name - 3), ellipsis=glyphs.ellipsis)
        ends = Run(f"{glyphs.selected if here else ' '} ", style)
        rows.append(pad((ends, Run(text, style), Run(f" {remark}", note)), cells, style))
        spots.append(Spot(range(y + 2, y + 3), range(cells), str(top + y)))
    if not matches:
        rows.append((Run("  no match", "list.note"),))
    return Drawing(stack(rows, cells, height, "list"), tuple(spots)), top
