"""What the set-up screen shows: the list, and the board, or the roster if there is no board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from fightcall.flows.drafts import board_text, cells_text, setting_value
from fightcall.flows.lists import window_top
from fightcall.flows.setup_editor import Part, SetupEditor, SetupLine, setup_lines
from fightcall.paint.layout import Drawing, Spot, pad, scroll_marks, side_role, stack, wrap
from fightcall.paint.runs import Glyphs, Row, Run, clean, fit, shorten_name, width
from fightcall.paint.scenes import picture_of
from fightcall.panes.base import DrawnPane, StyleBook
from fightcall.panes.board import BoardPane
from fightcall.panes.rows import RosterPane
from fightcall_engine.kit.records import choice_words, setting_title
from fightcall_engine.model.errors import BadInput, Refused

if TYPE_CHECKING:
    from fightcall_engine.archive.encounter import Encounter
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.commands import Join
    from fightcall_engine.model.state import FightState, Scalar

LEAST_MEANING = 24
"""The fewest cells for a setting's meaning beside its name and value; with less it is only below the marked one."""
_HEADINGS: dict[Part, str] = {"fight": "The fight", "combatants": "Combatants", "cues": "Cues", "settings": "Settings"}


class SetupPanes:
    """The panes of `SetupScreen`.

    Args:
        book: the styles to draw with.
        editor: the draft.
        clicked: called with the clicked line of the list, and whether it was a double click.
    """

    def __init__(self, book: StyleBook, editor: SetupEditor, clicked: Callable[[str, bool], None]) -> None:
        self._editor = editor
        self._top = 0
        self.list = DrawnPane(
            book,
            self._draw_list,
            clicked=clicked,
            wheel=lambda rows: clicked(str(editor.cursor + (1 if rows > 0 else -1)), False),
            title="Set-up",
            frame=True,
            id="list",
        )
        self.board = BoardPane(book, title="Board", frame=True, id="board")
        self.roster = RosterPane(book, title="Roster", frame=True, id="roster")

    @property
    def page(self) -> int:
        """How many lines a page key moves, with one line of overlap."""
        return max(1, self.list.inner[1] - 1)

    def _draw_list(self, cells: int, height: int) -> Drawing:
        editor = self._editor
        drawing, self._top = setup_rows(
            editor.draft,
            editor.system,
            editor.cursor,
            cells,
            height,
            self._top,
            self.list.glyphs,
            editor.source,
            editor.cue_words() if editor.draft.cues else (),
        )
        return drawing

    def paint_preview(self) -> None:
        """Draw the board or the roster as the fight would begin, or why it cannot."""
        editor = self._editor
        try:
            state = editor.preview()
        except (BadInput, Refused) as error:
            self._show_problem(str(error))
            return
        index = editor.index
        selected = state.order[index] if index is not None else ""
        if state.board is None:
            self.roster.update_from(state, editor.system, selected=selected)
        else:
            self._paint_board(state, selected)

    def _paint_board(self, state: FightState, selected: str) -> None:
        system = self._editor.system
        marks = system.marks(state, selected)
        self.board.update_from(picture_of(state, system, selected=selected, marks=marks))

    def _show_problem(self, problem: str) -> None:
        """Show beside the list why the fight cannot begin."""
        cells, height = (self.board if self._editor.draft.board else self.roster).inner
        rows = stack([(Run(line, "bad"),) for line in wrap(problem, cells)], cells, height, "text")
        self.board.update_from(None, lambda cells, height: Drawing(stack(rows, cells, height, "text")))
        self.roster.show(Drawing(rows))


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
