"""The screens for a board: painting its ground or its zones, and placing combatants."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal

from fightcall.flows import drafts
from fightcall.flows.painting import Asked, Easel, LegendLine, MapPainter, PlanPainter
from fightcall.flows.path_fields import DIRECTIONS, PlaceName, beside, beyond, zone_named
from fightcall.flows.place_fields import first_place
from fightcall.paint.layout import Drawing, pad, stack, wrap
from fightcall.paint.runs import Glyphs, Row, Run, clean, fit
from fightcall.paint.scenes import picture_of, zone_keys
from fightcall.panes.base import DrawnPane, PlaceClicked
from fightcall.panes.board import BoardPane
from fightcall.screens.base import BaseScreen
from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.encounters import start_fight
from fightcall_engine.board.base import Location
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.kinds import grid_board, zone_board
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.errors import BadInput

if TYPE_CHECKING:
    from fightcall_engine.board.zones import ZoneBoard

_TAKEN_KEYS = ("space", "enter", "tab", "shift+tab", "x", "w", "+", "-")

_KEY = 6


class PaintingScreen(BaseScreen):
    """Paints the board of a draft.

    Args:
        draft: the draft, which has a board.
        changed: called with the draft after every stroke.
        done: called with the draft when the screen is left.
    """

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
        """The board, the brushes, the foot."""
        with Horizontal(id="body"):
            yield self.board if isinstance(self.easel, MapPainter) else self.plan
            yield self.legend
        yield self.foot

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable actions that make no sense here."""
        return action not in ("rule", "more")

    def key_pairs(self) -> list[tuple[str, str]]:
        """The keys that are not in the legend: painting, undoing, leaving."""
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
        return legend_rows(self.easel.legend(), cells, height, self.legend.glyphs)

    def _draw_plan(self, cells: int, height: int) -> Drawing:
        painter = self.easel
        if not isinstance(painter, PlanPainter):
            return Drawing(())
        return plan_rows(painter.board, painter.at, painter.corner, cells, height)

    def paint(self) -> None:
        """Redraw the board and the legend."""
        painter = self.easel
        if isinstance(painter, MapPainter):
            state = start_fight(painter.draft, id="preview", seed="1").state
            self.board.update_from(picture_of(state, find_system(painter.draft.system), cursor=painter.at))
            self.board.reveal(painter.at)
            self.board.set_frame(note=painter.board.name_of(painter.at))
        super().paint()

    # Keys

    def take_key(self, key: str, character: str | None) -> bool:
        """Handle a key of the easel. Other keys move the cursor, or leave."""
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
        """Move the cursor."""
        self._do(lambda: self.easel.move(direction, arrow))

    def action_back(self) -> None:
        """Undo the last stroke."""
        self._do(self.easel.undo)

    def action_cancel(self) -> None:
        """Leave, keeping what was painted."""
        self.host.leave_screen()
        self._done(self.easel.draft)

    def on_place_clicked(self, message: PlaceClicked) -> None:
        """Paint the clicked place."""
        painter = self.easel
        if isinstance(painter, MapPainter):
            self._do(lambda: painter.paint((message.place,)))


def legend_rows(lines: Iterable[LegendLine], cells: int, height: int, glyphs: Glyphs) -> Drawing:
    """The legend with a key on each row; the selected one is marked."""
    rows: list[Row] = []
    for line in lines:
        style = "list.selected" if line.marked else "list"
        mark = glyphs.selected if line.marked else " "
        for number, text in enumerate(wrap(clean(line.text), max(8, cells - _KEY - 2))):
            head = f"{mark} {fit(line.key, _KEY)}" if not number else " " * (_KEY + 2)
            rows.append(pad((Run(head, style), Run(text, style)), cells, style))
    return Drawing(stack(rows, cells, height, "list"))


def plan_rows(
    board: ZoneBoard, at: tuple[int, int], corner: tuple[int, int] | None, cells: int, height: int
) -> Drawing:
    """A floor plan with each zone in its letter, two cells for each of the plan; below, the letters with their zones.

    Args:
        board: the plan.
        at: column and row of the cursor.
        corner: the marked corner of a zone that is being drawn.
        cells: cells across.
        height: rows down.
    """
    keys = zone_keys(tuple(zone.name for zone in board.zones))
    letters = {
        (col, row): keys[zone.name] or "#"
        for zone in board.zones
        for col in range(zone.col, zone.col + zone.cols)
        for row in range(zone.row, zone.row + zone.rows)
    }
    marked_cells = _box(at, corner or at)
    names = [Run(f"{keys[zone.name] or '#'} {clean(zone.name)}  ", "list.note") for zone in board.zones]
    room = max(1, height - 1)
    left, top = max(0, at[0] - cells // 2 + 1), max(0, at[1] - room + 1)
    rows: list[Row] = []
    for row in range(top, top + room):
        line = []
        for col in range(left, left + cells // 2):
            here = "prompt.cursor" if (col, row) == at else "list.selected" if (col, row) in marked_cells else "text"
            line.append(
                Run(letters.get((col, row), ".") * 2, here if (col, row) in letters or here != "text" else "dim")
            )
        rows.append(tuple(line))
    rows.append(pad(tuple(names), cells, "list"))
    return Drawing(stack(rows, cells, height, "text"))


def _box(first: tuple[int, int], last: tuple[int, int]) -> set[tuple[int, int]]:
    (left, right), (top, bottom) = sorted((first[0], last[0])), sorted((first[1], last[1]))
    return {(col, row) for col in range(left, right + 1) for row in range(top, bottom + 1)}


class PlacingScreen(BaseScreen):
    """The board of a draft, with a cursor.

    Args:
        draft: the draft, which has a board and at least one combatant.
        index: the index of the first combatant to place.
        changed: called with the draft after every change.
        done: called with the draft when the screen is left.
    """

    SCOPE = "flow"

    def __init__(
        self, draft: Encounter, index: int, changed: Callable[[Encounter], None], done: Callable[[Encounter], None]
    ) -> None:
        super().__init__()
        self.draft = draft
        self.index = index
        self.place = draft.joins[index].at or _middle(draft)
        self._changed = changed
        self._done = done
        self._place_name, self._letters = PlaceName(draft.board), ""
        self.board = BoardPane(self.host.book, title="Placement", frame=True, id="board")

    def compose(self) -> ComposeResult:
        """The board and the foot."""
        yield self.board
        yield self.foot

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable actions that make no sense here."""
        return action != "rule"

    def key_pairs(self) -> list[tuple[str, str]]:
        """The keys for placing, skipping, removing and leaving."""
        label = self.names.label
        return [
            (label("flow.accept"), f"put {self.draft.joins[self.index].name} here"),
            (label("flow.next-choice"), "next combatant"),
            (label("flow.back"), "lift"),
            (label("flow.cancel"), "done"),
        ]

    def paint(self) -> None:
        """Redraw the board."""
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
        """Move the cursor."""
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
        """Place the current combatant under the cursor, and go on to the next one without a place."""
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
        """Take the current combatant off the board."""
        if self._put(None):
            self.paint()

    def action_next_choice(self) -> None:
        """The next combatant."""
        self._turn(1)

    def action_previous_choice(self) -> None:
        """The previous combatant."""
        self._turn(-1)

    def _turn(self, by: int) -> None:
        self.index = (self.index + by) % len(self.draft.joins)
        self.place = self.draft.joins[self.index].at or self.place
        self.paint()

    def action_cancel(self) -> None:
        """Leave, keeping all places."""
        self.host.leave_screen()
        self._done(self.draft)

    def on_place_clicked(self, message: PlaceClicked) -> None:
        """Place the current combatant on the clicked place."""
        self.place = message.place
        self.action_accept()


def _middle(draft: Encounter) -> Location:
    return first_place(draft.board) if draft.board is not None else Hex(0, 0)
