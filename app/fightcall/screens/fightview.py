"""The fight room's panes: where they stand, what they draw from the fight, and how the GM looks around in them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from fightcall.flows import together
from fightcall.flows.asking import AskFlow
from fightcall.flows.base import Flow, Overlay
from fightcall.flows.beside import OptionFlow
from fightcall.flows.deciding import DecisionClock
from fightcall.paint.boardview import contact_rows, said_aloud
from fightcall.paint.keybar import KeyHint
from fightcall.paint.promptbar import PromptView, view_of
from fightcall.paint.zoneview import picture_of
from fightcall.panes.bars import KeyBar, OptionsPane, PromptPane
from fightcall.screens.foot import Tone
from fightcall.screens.panes_room import PanesRoom
from fightcall.table import NOT_SAVED, Outcome, Table

if TYPE_CHECKING:
    from fightcall_engine.board.base import Location
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.fight import Fight

TALL = 30
"""Rows from which there is room for a frame around the options."""


class FightView(PanesRoom):
    """The panes of a live fight and what they show; keys and commands are `FightScreen`'s.

    Args:
        fight: the fight, opened.
    """

    SCOPE = "fight"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide"), (150, "-broad")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]  # noqa: RUF012
    DEFAULT_CSS = """
    FightView > #body { height: 1fr; }
    FightView #roster { width: 40; }
    FightView #middle { width: 1fr; }
    FightView #options { height: 6; }
    FightView #feed { width: 36; }
    FightView.-broad #feed { width: 46; }
    FightView > #prompt { height: 3; }
    FightView > #keys { height: 1; }
    FightView.-short #options { height: 5; }
    FightView.-short > #prompt { height: 2; }
    FightView.-narrow #roster { width: 34; }
    FightView.-narrow #feed { display: none; width: 1fr; }
    FightView.-narrow.-show-feed #feed { display: block; }
    FightView.-narrow.-show-feed #middle { display: none; }
    FightView.-narrow.-show-roster #roster { width: 1fr; }
    FightView.-narrow.-show-roster #middle { display: none; }
    FightView #declared { display: none; height: 1fr; }
    FightView.-show-declared #declared { display: block; }
    FightView.-show-declared #board, FightView.-show-declared #roster, FightView.-show-declared #feed { display: none; }
    FightView #card, FightView #after { display: none; height: 1fr; }
    FightView.-show-card #card, FightView.-show-after #after { display: block; }
    FightView.-show-card #board, FightView.-show-after #board { display: none; }
    FightView.-narrow.-show-card #roster, FightView.-narrow.-show-after #roster { display: none; }
    """

    def __init__(self, fight: Fight) -> None:
        super().__init__(fight)
        self.table = Table(fight)
        self.flow: Flow | None = None
        self.last_outcome = Outcome(True)
        self._shown_unsaved = ""
        self._message = ""
        self._tone: Tone = "info"
        self._feed_cursor: int | None = None
        self._clock = DecisionClock()
        book = self.host.book
        self.choices = OptionsPane(book, title="Can do now", id="options")
        self.prompt = PromptPane(book, id="prompt")
        self.keybar = KeyBar(book, id="keys")

    def compose(self) -> ComposeResult:
        """The ribbon, three columns, the prompt bar and the keys."""
        yield self.ribbon
        with Horizontal(id="body"):
            yield self.roster
            with Vertical(id="middle"):
                yield self.board
                yield self.declared
                yield self.card
                yield self.after
                yield self.choices
            yield self.feed
        yield self.prompt
        yield self.keybar

    def moment(self) -> tuple[FightState, BaseSystem]:
        """The running fight."""
        return self.table.state, self.table.system

    # Drawing

    @property
    def whom(self) -> str | None:
        """Whose command the next one will be: whom is being asked about, or the selected one; None where nobody's."""
        if self.flow is None:
            return self.table.selected or None
        return self.flow.whom if isinstance(self.flow, AskFlow) else None

    def overlay(self) -> Overlay:
        """What the flow shows on the board, and who else is meant."""
        overlay = self.flow.overlay() if self.flow else Overlay()
        return together.marked(overlay, self.table.state, self.whom) if self.table.together and self.whom else overlay

    def paint(self) -> None:
        """Draw every pane from the fight as it is."""
        self._paint_fight(self.overlay())
        self._paint_feed()
        self._paint_prompt()

    def _paint_fight(self, overlay: Overlay) -> None:
        self.choices.set_frame(frame=self.size.height >= TALL)
        state, system, chosen = self.table.state, self.table.system, self.table.selected
        fight = self.table.fight
        self._shown_unsaved = fight.unsaved
        self.ribbon.update_from(
            state,
            system,
            saved=not self._shown_unsaved,
            clock_text=self._clock.text(),
            watching=fight.watching,
        )
        self._paint_roster(overlay)
        self._paint_board(overlay)
        self.paint_telling(chosen)
        options = self.table.options()
        keys = {option.action: self.names.option(option.action, option.key) for option in options}
        several = 1 + len(together.others_like(state, chosen)) if self.table.together else 1
        self.choices.update_from(state, system, chosen, options, keys=keys, several=several)

    def _paint_roster(self, overlay: Overlay) -> None:
        state, system, chosen = self.table.state, self.table.system, self.table.selected
        self.roster.set_keys({"release": self.names.shown("fight.release")})
        self.roster.update_from(state, system, selected=chosen, targets=overlay.targets)
        if self.shows_declared:
            self.declared.update_from(state, system, selected=chosen, targets=overlay.targets)

    def _paint_board(self, overlay: Overlay) -> None:
        state, system, chosen = self.table.state, self.table.system, self.table.selected
        if state.board is None:
            self.board.update_from(None, partial(contact_rows, state, system))
            return
        scene = picture_of(
            state,
            system,
            selected=chosen,
            reach=overlay.reach,
            path=overlay.path,
            warnings=overlay.warnings,
            targets=overlay.targets,
            chosen=overlay.chosen,
            cursor=overlay.cursor,
            fire=overlay.line,
            marks=self.table.marks(),
        )
        self.board.update_from(scene)
        self.board.set_frame(note=overlay.note or said_aloud(self.table.marks()))
        here = overlay.cursor or (state.combatants[chosen].at if chosen in state.combatants else None)
        if here is not None:
            self.board.reveal(here)

    def _paint_feed(self) -> None:
        marked = [mark.on for mark in self.table.fight.marks]
        self.feed.update_from(self.table.fight, cursor=self._feed_cursor, marked=marked)

    def _paint_prompt(self) -> None:
        error = self._tone == "error" and bool(self._message)
        if self.flow is not None:
            asked = self._with_likes(self.flow.view())
            if self._message and not asked.error:
                asked = replace(asked, error=self._words(error))
            self.prompt.update_from(asked)
        else:
            # What was just said comes before an offer that may be left open.
            offer = None if self._message else self._offer()
            self.prompt.update_from(offer, message=self._words(error), error=error)
        self.paint_foot()

    def _with_likes(self, view: PromptView) -> PromptView:
        if not self.whom:
            return view
        key = self.names.shown("fight.together")
        return together.said(view, self.table.state, self.whom, key, together=self.table.together)

    def _offer(self) -> PromptView | None:
        """The oldest question that is open and not being answered: its letters are free for the fight meanwhile."""
        first = self.table.state.asked_first
        if first is None:
            return None
        view = view_of(first, len(self.table.state.prompts) - 1)
        answer, leave = self.names.shown("fight.react"), self.names.shown("fight.next")
        hint = f"{answer} answers, {leave} leaves it at: {view.default}"
        return replace(view, choices=(), default="", hint=hint)

    def _words(self, refused: bool) -> str:
        """What the prompt bar says while nothing is being asked."""
        return self._refusal(self.last_outcome) if refused else self._message

    def _refusal(self, outcome: Outcome) -> str:
        """Why something was refused, what would be accepted, and the key that does it all the same."""
        rule = f"{outcome.rule}: " if outcome.rule else ""
        instead = f"   accepted: {', '.join(outcome.accepts[:6])}" if outcome.accepts else ""
        ruling = f"   {self.names.shown('fight.rule')} does it all the same" if outcome.overridable else ""
        unsaved = outcome.rule == NOT_SAVED
        elsewhere = f"   {self.names.shown('fight.leave')} can save the fight elsewhere" if unsaved else ""
        return f"{rule}{outcome.message}{instead}{ruling}{elsewhere}"

    def paint_foot(self) -> None:
        """Draw the key bar."""
        if self.flow is None:
            hints = [KeyHint(self.names.shown(action.id), action.text, action.name) for action in self.shown_actions()]
        else:
            hints = [KeyHint(key, text) for key, text in self.key_pairs()]
        self.keybar.update_from(hints)

    def key_pairs(self) -> list[tuple[str, str]]:
        """The keys that mean something now."""
        if self.flow is not None:
            ruling = self.names.shown("fight.rule")
            more = isinstance(self.flow, OptionFlow) and self.flow.has_more
            said = [(self.names.shown("flow.more"), "say more")] if more else []
            return [("enter", "do it"), ("esc", "cancel"), ("bksp", "back"), (ruling, "by ruling"), *said]
        return super().key_pairs()

    def say(self, message: str, tone: Tone = "info") -> None:
        """Show a message until the next key."""
        self._message, self._tone = message, tone
        if self.is_mounted:
            self._paint_prompt()

    # Looking around

    def action_zoom_in(self) -> None:
        """Draw the board larger."""
        self.board.zoom_by(1, self._selected_place())

    def action_zoom_out(self) -> None:
        """Draw the board smaller."""
        self.board.zoom_by(-1, self._selected_place())

    def _selected_place(self) -> Location | None:
        combatant = self.table.state.combatants.get(self.table.selected)
        return combatant.at if combatant else None

    def action_pan_left(self) -> None:
        """Look further west."""
        self.board.pan(-1, 0)

    def action_pan_right(self) -> None:
        """Look further east."""
        self.board.pan(1, 0)

    def action_pan_up(self) -> None:
        """Look further north."""
        self.board.pan(0, -1)

    def action_pan_down(self) -> None:
        """Look further south."""
        self.board.pan(0, 1)

    def action_feed_up(self) -> None:
        """Older lines of the log, or further up in what stands in place of the board."""
        self.scrolled.scroll_pages(-1)

    def action_feed_down(self) -> None:
        """Newer lines of the log, or further down in what stands in place of the board."""
        self.scrolled.scroll_pages(1)

    def action_feed_top(self) -> None:
        """The first line of the log."""
        self.feed.to_top()

    def action_feed_end(self) -> None:
        """The last line of the log."""
        self._feed_cursor = None
        self._paint_feed()
        self.feed.to_tail()
