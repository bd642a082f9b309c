"""The screen for placing the combatants of a draft, one after the other."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult

from fightcall.flows import drafts
from fightcall.flows.path_field import DIRECTIONS, PlaceName, beyond
from fightcall.flows.place_fields import first_place
from fightcall.flows.zone_fields import beside, zone_named
from fightcall.paint.scenes import picture_of
from fightcall.panes.base import PlaceClicked
from fightcall.panes.board import BoardPane
from fightcall.screens.base import BaseScreen
from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.encounters import start_fight
from fightcall_engine.board.base import Location
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.kinds import grid_board, zone_board
from fightcall_engine.kit.registry import find_system
from fightcall_engine.model.errors import BadInput


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
