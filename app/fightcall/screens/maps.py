"""What is shown while a fight is set up: the list and the board, and the screens for painting and placing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from textual.app import ComposeResult
from textual.containers import Horizontal

from fightcall.flows import drafts
from fightcall.flows.drafts import Part, SetupEditor, SetupLine, board_text, cells_text, setting_value
from fightcall.flows.lists import window_top
from fightcall.flows.painting import Asked, Easel, MapPainter, PlanPainter
from fightcall.flows.path_fields import DIRECTIONS, PlaceName, beside, beyond, zone_named
from fightcall.flows.people_fields import first_place
from fightcall.paint.runs import (
    Drawing,
    Glyphs,
    Row,
    Run,
    Spot,
    clean,
    fit,
    pad,
    scroll_marks,
    shorten_name,
    side_role,
    stack,
    width,
    wrap,
)
from fightcall.paint.scenes import picture_of, zone_keys
from fightcall.panes.base import DrawnPane, PlaceClicked, StyleBook
from fightcall.panes.board import BoardPane
from fightcall.panes.rows import RosterPane
from fightcall.screens.base import Actions, BaseScreen
from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.encounters import start_fight
from fightcall_engine.board.base import Hex, Location
from fightcall_engine.board.kinds import grid_board, zone_board
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.kit.records import choice_words, setting_title
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput, Refused

LEAST_MEANING = 24
"""The fewest cells for a setting's meaning beside its name and value; with less it is only below the marked one."""
_HEADINGS: dict[Part, str] = {"fight": "The fight", "combatants": "Combatants", "cues": "Cues", "settings": "Settings"}


class SetupPanes:
    """The panes of `SetupScreen`; `clicked` gets the clicked line of the list, and whether it was a double click."""

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
        return max(1, self.list.inner[1] - 1)

    def _draw_list(self, cells: int, height: int) -> Drawing:
        drawing, self._top = setup_rows(self._editor, cells, height, self._top, self.list.glyphs)
        return drawing

    def paint_preview(self) -> None:
        """Draw the board or the roster as the fight would begin, or why it cannot."""
        editor = self._editor
        try:
            state = editor.preview()
        except (BadInput, Refused) as error:
            cells, height = (self.board if editor.draft.board else self.roster).inner
            rows = stack([(Run(line, "bad"),) for line in wrap(str(error), cells)], cells, height, "text")
            self.board.update_from(None, lambda cells, height: Drawing(stack(rows, cells, height, "text")))
            self.roster.show(Drawing(rows))
            return
        index = editor.index
        selected = state.order[index] if index is not None else ""
        if state.board is None:
            self.roster.update_from(state, editor.system, selected=selected)
        else:
            marks = editor.system.marks(state, selected)
            self.board.update_from(picture_of(state, editor.system, selected=selected, marks=marks))


def setup_rows(editor: SetupEditor, cells: int, height: int, top: int, glyphs: Glyphs) -> tuple[Drawing, int]:
    """The list, and its first row shown, given the previous one."""
    draft, system = editor.draft, editor.system
    cues = editor.cue_words() if draft.cues else ()
    rows: list[Row] = []
    spots: list[tuple[int, int]] = []
    at = 0
    part = ""
    room = cells - 1
    for index, line in enumerate(editor.lines):
        if line.part != part:
            part = line.part
            many = {"combatants": len(draft.joins), "cues": len(draft.cues)}.get(line.part, 0)
            count = f" ({many})" if many or line.part == "combatants" else ""
            sides = {join.side for join in draft.joins}
            if line.part == "combatants" and len(draft.joins) > 1 == len(sides):
                # As after an import without sides.
                side = next(iter(sides))
                count += f", all on one side: {system.words(draft.settings).sides.get(side, side)}"
            rows += [(), (Run(f" {_HEADINGS[line.part]}{count}", "help.heading"),)]
        here = index == editor.cursor
        if here:
            at = len(rows)
        spots.append((len(rows), index))
        words = cues[int(line.key)] if line.part == "cues" and line.key.isdecimal() else ""
        rows.append(_line(draft, system, line, here, room, glyphs, words or editor.source))
        if here and line.part == "settings":
            meaning = wrap(setting_text(system, line.key), room - 7)
            rows += [pad((Run(f"    {text}", "list.note"),), room, "list") for text in meaning]
            # As much of it as there is room for is in the window.
            at = min(len(rows) - 1, at + max(height - 1, 0))
    if not editor.cursor:
        at = 0
    top = window_top(at, top, height, len(rows))
    bar = scroll_marks(top, height, len(rows), glyphs)
    window = stack(rows[top : top + height], room, height, "list")
    window_rows = tuple((*row, bar[y]) for y, row in enumerate(window)) if bar else stack(window, cells, height, "list")
    window_spots = tuple(
        Spot(range(y - top, y - top + 1), range(cells), str(index)) for y, index in spots if top <= y < top + height
    )
    return Drawing(window_rows, window_spots), top


def _line(
    draft: Encounter, system: BaseSystem, line: SetupLine, here: bool, cells: int, glyphs: Glyphs, source: str
) -> Row:
    style = "list.selected" if here else "list"
    row: tuple[Run, ...]
    if line.part == "fight":
        row = _fight_line(draft, system, line.key, source, style, cells)
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


def _fight_line(draft: Encounter, system: BaseSystem, key: str, source: str, style: str, cells: int) -> tuple[Run, ...]:
    values = {
        "encounter": source or "started from scratch",
        "system": system.title,
        "name": draft.name,
        "seed": draft.seed if draft.seed is not None else "a new one for each fight",
        "board": board_text(draft.board),
        "cells": cells_text(draft.board),
        "story": " ".join(draft.story.split()) or "none",
    }
    note = "list.note" if style == "list" else style
    return Run(fit(key, 12), note), Run(fit(values[key], max(1, cells - 15)), style)


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
    value = setting_value(draft, setting)
    count = len(str(value).splitlines())
    text = f"{count} lines" if count > 1 else choice_words(system, key, value)
    text = "your own file" if is_user_setting else text
    style = "list.selected" if here else "strong" if is_user_setting or key in draft.settings else "list"
    note = "list.selected" if here else "list.note"
    names, values = _setting_widths(system)
    room = cells - 3 - names - values
    # The meaning, else what comes before its choices, else nothing: no word of it is cut.
    forms = (setting.text, setting.text.partition(": ")[0])
    meaning = next((form for form in forms if width(form) <= room), "") if room >= LEAST_MEANING else ""
    return (
        Run(fit(setting_title(system, key), names), note),
        Run(fit(f"< {text} >" if here else f"  {text}", values, ellipsis=glyphs.ellipsis), style),
        Run(fit(meaning, max(0, room)), note),
    )


@cache
def _setting_widths(system: BaseSystem) -> tuple[int, int]:
    names = max(width(setting_title(system, setting.key)) for setting in system.settings)
    values = (
        choice_words(system, setting.key, value)
        for setting in system.settings
        for value in (setting.default, *setting.choices)
    )
    return names + 2, max(map(width, values)) + 6


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


_TAKEN_KEYS = ("space", "enter", "tab", "shift+tab", "x", "w", "+", "-")
_KEY = 6


class PaintingScreen(BaseScreen):
    """Paints the board of a draft; `changed` gets it after every stroke, `done` when the screen is left."""

    SCOPE = "flow"
    DEFAULT_CSS = """
    PaintingScreen > #body { height: 1fr; }
    PaintingScreen #board, PaintingScreen #plan { width: 1fr; }
    PaintingScreen #legend { width: 30; }
    """

    def __init__(
        self, draft: Encounter, changed: Callable[[Encounter], None], done: Callable[[Encounter], None]
    ) -> None:
        super().__init__()
        self.easel: Easel = (
            MapPainter.begin(draft, first_place(draft.board))
            if draft.board is not None and grid_board(draft.board) is not None
            else PlanPainter.begin(draft)
        )
        self._changed = changed
        self._done = done
        book = self.host.book
        self.board = BoardPane(book, title="Map", frame=True, id="board")
        self.plan = DrawnPane(book, self._draw_plan, title="Floor plan", frame=True, id="plan")
        self.legend = DrawnPane(book, self._draw_legend, title="Brush", frame=True, id="legend")

    def compose(self) -> ComposeResult:
        with Horizontal(id="body"):
            yield self.board if isinstance(self.easel, MapPainter) else self.plan
            yield self.legend
        yield self.foot

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action not in ("rule", "more")

    def key_pairs(self) -> list[tuple[str, str]]:
        label = self.names.label
        paint = "paint" if isinstance(self.easel, MapPainter) else "name, or a corner"
        return [
            (label("flow.accept"), paint),
            ("arrows", "move"),
            (label("flow.back"), "undo"),
            (label("flow.cancel"), "done"),
        ]

    # Drawing

    def _draw_legend(self, cells: int, height: int) -> Drawing:
        rows: list[Row] = []
        for line in self.easel.legend():
            style = "list.selected" if line.marked else "list"
            mark = self.legend.glyphs.selected if line.marked else " "
            for number, text in enumerate(wrap(clean(line.text), max(8, cells - _KEY - 2))):
                head = f"{mark} {fit(line.key, _KEY)}" if not number else " " * (_KEY + 2)
                rows.append(pad((Run(head, style), Run(text, style)), cells, style))
        return Drawing(stack(rows, cells, height, "list"))

    def _draw_plan(self, cells: int, height: int) -> Drawing:
        """A plan with each zone in its letter, two cells for each of the plan; below, the letters with their zones."""
        painter = self.easel
        if not isinstance(painter, PlanPainter):
            return Drawing(())
        board, at, corner = painter.board, painter.at, painter.corner or painter.at
        keys = zone_keys(tuple(zone.name for zone in board.zones))
        letters = {
            (col, row): keys[zone.name] or "#"
            for zone in board.zones
            for col in range(zone.col, zone.col + zone.cols)
            for row in range(zone.row, zone.row + zone.rows)
        }
        (first_col, last_col), (first_row, last_row) = sorted((at[0], corner[0])), sorted((at[1], corner[1]))
        names = [Run(f"{keys[zone.name] or '#'} {clean(zone.name)}  ", "list.note") for zone in board.zones]
        room = max(1, height - 1)
        left, top = max(0, at[0] - cells // 2 + 1), max(0, at[1] - room + 1)
        rows: list[Row] = []
        for row in range(top, top + room):
            line = []
            for col in range(left, left + cells // 2):
                is_marked = first_col <= col <= last_col and first_row <= row <= last_row
                style = "list.selected" if is_marked else "text" if (col, row) in letters else "dim"
                style = "prompt.cursor" if (col, row) == at else style
                line.append(Run(letters.get((col, row), ".") * 2, style))
            rows.append(tuple(line))
        rows.append(pad(tuple(names), cells, "list"))
        return Drawing(stack(rows, cells, height, "text"))

    def paint(self) -> None:
        painter = self.easel
        if isinstance(painter, MapPainter):
            state = start_fight(painter.draft, id="preview", seed="1").state
            self.board.update_from(picture_of(state, find_system(painter.draft.system), cursor=painter.at))
            self.board.reveal(painter.at)
            self.board.set_frame(note=painter.board.name_of(painter.at))
        super().paint()

    # Keys

    def take_key(self, key: str, character: str | None) -> bool:
        if super().take_key(key, character):
            return True
        key_text = character if character in ("+", "-") else key
        if key_text in _TAKEN_KEYS or (character or "").isdecimal():
            return self._do(lambda: self.easel.press(key_text))
        return False

    def _do(self, work: Callable[[], Easel | Asked | None]) -> bool:
        try:
            after = work()
        except BadInput as bad:
            self.say("; ".join(bad.problems), "error")
            return True
        if isinstance(after, Asked):
            self._ask_for(after)
        elif after is not None:
            self._take(after)
        return after is not None

    def _take(self, easel: Easel) -> None:
        if easel.draft != self.easel.draft:
            self._changed(easel.draft)
        self.easel = easel
        self.paint()

    def _ask_for(self, question: Asked) -> None:
        def done(text: str) -> str | None:
            try:
                after = question.take(text)
            except BadInput as bad:
                return "; ".join(bad.problems)
            self._take(after)
            return None

        self.enter(question.prompt, done, text=question.text, hint=question.hint)

    def walk(self, direction: str, arrow: str = "") -> None:
        self._do(lambda: self.easel.move(direction, arrow))

    def action_back(self) -> None:
        self._do(self.easel.undo)

    def action_cancel(self) -> None:
        self.host.leave_screen()
        if self.easel.before:
            self._done(self.easel.draft)

    def on_place_clicked(self, message: PlaceClicked) -> None:
        painter = self.easel
        if isinstance(painter, MapPainter):
            self._do(lambda: painter.paint((message.place,)))


class PlacingScreen(BaseScreen):
    """The board of a draft with combatants; `changed` gets it after every change, `done` when the screen is left."""

    SCOPE = "flow"

    def __init__(
        self, draft: Encounter, index: int, changed: Callable[[Encounter], None], done: Callable[[Encounter], None]
    ) -> None:
        super().__init__()
        self.draft = draft
        self.index = index
        self.place = draft.joins[index].at or (first_place(draft.board) if draft.board is not None else Hex(0, 0))
        self._changed = changed
        self._done = done
        self._place_name, self._letters = PlaceName(draft.board), ""
        self.pane = self.board = BoardPane(self.host.book, title="Placement", frame=True, id="board")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "rule"

    def key_pairs(self) -> list[tuple[str, str]]:
        label = self.names.label
        return [
            (label("flow.accept"), f"put {self.draft.joins[self.index].name} here"),
            (label("flow.next-choice"), "next combatant"),
            (label("flow.back"), "lift"),
            (label("flow.cancel"), "done"),
        ]

    def paint(self) -> None:
        state = start_fight(self.draft, id="preview", seed="1").state
        system, combatant_id = find_system(self.draft.system), state.order[self.index]
        scene = picture_of(
            state, system, selected=combatant_id, cursor=self.place, marks=system.marks(state, combatant_id)
        )
        self.board.update_from(scene)
        if self.board.inner[0] and state.board is not None:
            self.board.reveal(self.place)
        waiting = len(drafts.list_unplaced(self.draft))
        self.board.set_frame(note=f"{waiting} to place" if waiting else "everyone is placed")
        super().paint()

    def take_key(self, key: str, character: str | None) -> bool:
        """Move the cursor to a place whose name is typed: ``H7``, or the first letters of a zone."""
        if super().take_key(key, character):
            return True
        letter = character if character is not None and character.isascii() and character.isalnum() else ""
        zones = zone_board(self.draft.board)
        named: Location | None = self._place_name.press(letter or key)
        if zones is not None and letter:
            longer = self._letters + letter.lower()
            self._letters = longer if zone_named(zones, longer) else letter.lower()
            named = zone_named(zones, self._letters)
        elif not letter:
            self._letters = ""
        if named is not None:
            self._go(named)
        return named is not None or (letter.isalpha() and letter not in DIRECTIONS)

    def _go(self, at: Location) -> None:
        if self.draft.board is not None and self.draft.board.contains(at):
            self.place = at
            self.paint()

    def walk(self, direction: str, arrow: str = "") -> None:
        grid, zones = grid_board(self.draft.board), zone_board(self.draft.board)
        if grid is not None:
            self._go(beyond(grid, self.place, direction))
        elif zones is not None and isinstance(self.place, str) and arrow:
            self._go(beside(zones, self.place, arrow) or self.place)

    def _put(self, at: Location | None) -> bool:
        try:
            self.draft = drafts.place(self.draft, self.index, at)
        except BadInput as bad:
            self.say("; ".join(bad.problems), "error")
            return False
        self._changed(self.draft)
        return True

    def action_accept(self) -> None:
        if not self._put(self.place):
            return
        waiting = drafts.list_unplaced(self.draft)
        after = next((index for index in waiting if index > self.index), waiting[0] if waiting else None)
        if after is None:
            self.action_cancel()
            return
        self.index = after
        self.place = drafts.free_beside(self.draft, self.place)
        self.paint()

    def action_back(self) -> None:
        if self._put(None):
            self.paint()

    def actions(self) -> Actions:
        turns = {"next_choice": partial(self._turn, 1), "previous_choice": partial(self._turn, -1)}
        return {**super().actions(), **turns}

    def _turn(self, by: int) -> None:
        self.index = (self.index + by) % len(self.draft.joins)
        self.place = self.draft.joins[self.index].at or self.place
        self.paint()

    def action_cancel(self) -> None:
        self.host.leave_screen()
        self._done(self.draft)

    def on_place_clicked(self, message: PlaceClicked) -> None:
        self.place = message.place
        self.action_accept()
