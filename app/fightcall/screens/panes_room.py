"""What a live fight and a replay share: which pane is seen where not all can be, and what stands for the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fightcall.actions import Action
from fightcall.panes.board import BoardPane
from fightcall.panes.card import AfterPane, CardPane, TellingPane
from fightcall.panes.feed import FeedPane
from fightcall.panes.ribbon import RibbonPane
from fightcall.panes.roster import DeclaredPane, RosterPane
from fightcall.screens.room import Room

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.fight import Fight

DECLARED, CARD, AFTER = "declared", "card", "after"
_SHOWN = ("board", "roster", "feed", DECLARED, CARD, AFTER)
_OF_DECLARATIONS = ("declared", "declarations")
"""The actions that are offered only where something is declared."""


class PanesRoom(Room):
    """A room that shows a fight in panes.

    Args:
        fight: the fight, opened.
    """

    def __init__(self, fight: Fight) -> None:
        super().__init__()
        book = self.host.book
        board = fight.state.board
        title = f"Board · {board.kind} · {board.scale:g} {board.unit}" if board else "Contacts"
        self.ribbon = RibbonPane(book, id="ribbon")
        self.roster = RosterPane(book, title="Roster", frame=True, id="roster")
        self.board = BoardPane(book, title=title, frame=True, id="board")
        self.declared = DeclaredPane(book, title="Declared", frame=True, id=DECLARED)
        self.card = CardPane(book, title="Card", frame=True, id=CARD)
        self.after = AfterPane(book, title="After the fight", frame=True, id=AFTER)
        self.feed = FeedPane(book, title="Log", frame=True, id="feed")

    def moment(self) -> tuple[FightState, BaseSystem]:
        """The fight at the moment shown, and its system."""
        raise NotImplementedError

    def help_state(self) -> object | None:
        """The moment shown, for what the rules say now."""
        return self.moment()

    # Which pane is seen

    @property
    def shows_declared(self) -> bool:
        """Whether the declarations are seen in place of the board."""
        return self._shows(DECLARED)

    @property
    def scrolled(self) -> DeclaredPane | TellingPane | FeedPane:
        """What the keys for pages scroll: what stands in place of the board, else the log."""
        if self.shows_declared:
            return self.declared
        return self.card if self._shows(CARD) else self.after if self._shows(AFTER) else self.feed

    @property
    def in_place_of_board(self) -> bool:
        """Whether something else is seen where the board is."""
        return self.scrolled is not self.feed

    def _shows(self, name: str) -> bool:
        return self.has_class(f"-show-{name}")

    def _show_pane(self, shown: str) -> None:
        for name in _SHOWN:
            self.set_class(name == shown, f"-show-{name}")
        self.call_after_refresh(self.paint)

    def action_show_board(self) -> None:
        """Show the board where there is room for one pane, and in place of the declarations."""
        self._show_pane("board")

    def action_show_roster(self) -> None:
        """Show the roster where there is room for one pane."""
        self._show_pane("roster")

    def action_show_feed(self) -> None:
        """Show the log where there is room for one pane."""
        self._show_pane("feed")

    def paint_telling(self, selected: str) -> None:
        """Draw the card, or what is left after the fight, where it is seen."""
        state, system = self.moment()
        if self._shows(AFTER) and not system.aftermath(state):
            self._show_pane("board")
        elif isinstance(self.scrolled, TellingPane):
            self.scrolled.update_from(state, system, selected=selected)

    def action_card(self) -> None:
        """Everything about the selected combatant in place of the board, or the board again."""
        self._show_pane("board" if self._shows(CARD) else CARD)

    def action_aftermath(self) -> None:
        """What is left to do after the fight in place of the board, or the board again."""
        if not self._shows(AFTER) and not self._anything_after():
            self.say("The fight is not over, or nothing is left to do.")
            return
        self._show_pane("board" if self._shows(AFTER) else AFTER)

    def _anything_after(self) -> bool:
        state, system = self.moment()
        return bool(system.aftermath(state))

    # Declarations

    def offers_action(self, action: Action) -> bool:
        """What is about declarations, only where there are any; likewise what is left after the fight."""
        if action.name in _OF_DECLARATIONS and not self._anything_declared():
            return False
        if action.name == "aftermath" and not self._anything_after():
            return False
        return super().offers_action(action)

    def _anything_declared(self) -> bool:
        state, system = self.moment()
        return bool(system.declarations(state))

    def action_declared(self) -> None:
        """What everybody declared on the roster, or what they have left."""
        if not self.roster.declared and not self._anything_declared():
            self.say("Nothing is declared now.")
            return
        self.roster.show_declared(not self.roster.declared)

    def action_declarations(self) -> None:
        """All declarations in place of the board, or the board again."""
        if not self.shows_declared and not self._anything_declared():
            self.say("Nothing is declared now.")
            return
        self._show_pane("board" if self.shows_declared else DECLARED)
