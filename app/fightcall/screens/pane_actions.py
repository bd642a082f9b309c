"""What the keys do that show one pane or another: the same wherever a fight is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fightcall.screens.fight_panes import FightPanes
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState


class PaneActions:
    """Actions of a screen that has `panes`, and shows a moment of a fight in them."""

    panes: FightPanes

    def moment(self) -> tuple[FightState, BaseSystem]:
        """The fight as it is shown, and its rules."""
        raise NotImplementedError

    def action_show_board(self) -> None:
        """Show the board where there is room for one pane, and in place of what stands there instead."""
        self.panes.show("board")

    def action_show_roster(self) -> None:
        """Show the roster where there is room for one pane."""
        self.panes.show("roster")

    def action_show_feed(self) -> None:
        """Show the log where there is room for one pane."""
        self.panes.show("feed")

    def action_card(self) -> None:
        """Everything about the selected combatant in place of the board, or the board again."""
        self.panes.toggle("card")

    def action_story(self) -> None:
        """The encounter's story and the selected combatant's note in place of the log, or the log again."""
        self.panes.toggle("story")

    def action_timeline(self) -> None:
        """Everybody's timeline in place of the board, or the board again."""
        self.panes.toggle("lanes")

    def action_declared(self) -> None:
        """What everybody declared on the roster, or what they have left."""
        self.panes.toggle_declared(*self.moment())

    def action_declarations(self) -> None:
        """All declarations in place of the board, or the board again."""
        self.panes.toggle_declarations(*self.moment())
