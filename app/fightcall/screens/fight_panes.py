"""The panes that show a fight at one moment, live or in a replay, and which of them is seen where not all can be."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from fightcall.flows.base import Overlay
from fightcall.paint.board_view import contact_rows, said_aloud
from fightcall.paint.zone_view import picture_of
from fightcall.panes.board import BoardPane
from fightcall.panes.card import AfterPane, CardPane, SectionsPane, StoryPane
from fightcall.panes.exchange import ExchangePane
from fightcall.panes.feed import LOG, FeedPane
from fightcall.panes.lanes import LanesPane
from fightcall.panes.ribbon import RibbonPane
from fightcall.panes.roster import DeclaredPane, RosterPane
from fightcall_engine.model.memory import asked_once

if TYPE_CHECKING:
    from fightcall.paint.exchange import PanelView
    from fightcall.paint.upright import ListView
    from fightcall.panes.styles import StyleBook
    from fightcall.screens.base import BaseScreen
    from fightcall_engine.board.base import AnyBoard
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Mark
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.fight import Fight

PaneName = Literal["board", "roster", "feed", "declared", "card", "after", "story", "lanes"]
_NAMES: tuple[PaneName, ...] = ("board", "roster", "feed", "declared", "card", "after", "story", "lanes")

NOTHING_DECLARED = "Nothing is declared now."
NOT_OVER = "The fight is not over here."


class FightPanes:
    """The panes of a fight, held by the screen that composes them.

    Which of them is seen is a class on the screen, ``-show-<name>``: the screen's own styles say what it hides.

    Args:
        screen: the screen they stand on; it is painted again when another of them is to be seen, and says why none is.
        book: the styles to draw with.
        board: the fight's board, for the title of its pane.
        without_board: the pane that is seen at first of a fight without one.

    Attributes:
        home: the pane that is seen at first, and again after another.
        shown: the pane that was asked for last.
    """

    def __init__(
        self, screen: BaseScreen, book: StyleBook, board: AnyBoard | None, *, without_board: PaneName = "board"
    ) -> None:
        self._screen = screen
        self.home: PaneName = "board" if board is not None else without_board
        self.shown: PaneName = self.home
        self._told_of: FightState | None = None
        title = f"Board · {board.kind} · {board.scale:g} {board.unit}" if board else "Contacts"
        self.ribbon = RibbonPane(book, id="ribbon")
        self.roster = RosterPane(book, title="Roster", frame=True, id="roster")
        self.board = BoardPane(book, title=title, frame=True, id="board")
        self.declared = DeclaredPane(book, title="Declared", frame=True, id="declared")
        self.card = CardPane(book, title="Card", frame=True, id="card")
        self.after = AfterPane(book, title="After the fight", frame=True, id="after")
        self.story = StoryPane(book, title="Story", frame=True, id="story")
        self.lanes = LanesPane(book, title="Timeline", frame=True, id="lanes")
        self.feed = FeedPane(book, title=LOG, frame=True, id="feed")
        self.exchange = ExchangePane(book, id="exchange")

    # Which pane is seen

    @property
    def open_pane(self) -> DeclaredPane | SectionsPane | LanesPane | None:
        """The pane that is seen where the board or the log is otherwise; None while both have their place."""
        panes: dict[PaneName, DeclaredPane | SectionsPane | LanesPane] = {
            "declared": self.declared,
            "card": self.card,
            "after": self.after,
            "story": self.story,
            "lanes": self.lanes,
        }
        return panes.get(self.shown)

    @property
    def scroll_target(self) -> DeclaredPane | SectionsPane | LanesPane | FeedPane:
        """What the keys for pages scroll: what stands in place of the board or the log, else the log."""
        return self.open_pane or self.feed

    def show(self, name: PaneName) -> None:
        """Have a pane seen: in place of the board or the log, or where there is room for one pane alone."""
        self.shown = name
        for other in _NAMES:
            self._screen.set_class(other == name, f"-show-{other}")
        self._screen.call_after_refresh(self._screen.paint)

    def toggle(self, name: PaneName) -> None:
        """Have a pane seen in place of the board, or the board again."""
        self.show(self.home if self.shown == name else name)

    def toggle_declarations(self, state: FightState, system: BaseSystem) -> None:
        """All declarations in place of the board, or the board again; says so where there are none."""
        if self.shown == "declared" or system.declarations(state):
            self.toggle("declared")
        else:
            self._screen.say(NOTHING_DECLARED)

    def toggle_declared(self, state: FightState, system: BaseSystem) -> None:
        """What everybody declared on the roster, or what they have left; says so where nothing is declared."""
        if self.roster.shows_declared or system.declarations(state):
            self.roster.show_declared(not self.roster.shows_declared)
        else:
            self._screen.say(NOTHING_DECLARED)

    def toggle_aftermath(self, state: FightState) -> None:
        """What is told after the fight, or the board again; says so before the fight is over."""
        if self.shown == "after" or state.status == "closed":
            self.toggle("after")
        else:
            self._screen.say(NOT_OVER)

    # Painting

    def paint_roster(self, state: FightState, system: BaseSystem, selected: str, targets: Sequence[str] = ()) -> None:
        """Draw who fights, and what they declared where that is seen."""
        self.roster.update_from(state, system, selected=selected, targets=targets)
        if self.shown == "declared":
            self.declared.update_from(state, system, selected=selected, targets=targets)

    def paint_board(
        self,
        state: FightState,
        system: BaseSystem,
        selected: str,
        marks: Sequence[Mark],
        overlay: Overlay | None = None,
    ) -> None:
        """Draw the board, or who is in contact with whom where there is none.

        Args:
            state: the fight at the moment shown.
            system: its rules.
            selected: who is selected, empty for nobody.
            marks: what the system writes on the board for them.
            overlay: what the GM is about to do.
        """
        if state.board is None:
            self.board.update_from(None, partial(contact_rows, state, system))
            return
        overlay = overlay or Overlay()
        scene = picture_of(
            state,
            system,
            selected=selected,
            reach=overlay.reach,
            path=overlay.path,
            warnings=overlay.warnings,
            targets=overlay.targets,
            chosen_id=overlay.chosen,
            cursor=overlay.cursor,
            fire=overlay.line,
            marks=marks,
        )
        here = overlay.cursor or (state.combatants[selected].at if selected in state.combatants else None)
        both = [state.combatants[each].at for each in (selected, overlay.chosen) if each in state.combatants]
        self.board.update_from(
            scene,
            here=here if overlay.is_followed else None,
            covered=self.exchange.rows_over_board,
            beside=[place for place in both if place is not None],
        )
        self.board.set_frame(note=overlay.note or said_aloud(marks))

    def paint_exchange(self, panel: PanelView | None) -> None:
        """Draw the exchange panel over the lower part of the board, or take it away."""
        self.exchange.update_from(panel)

    def paint_list(self, view: ListView | None) -> None:
        """Draw a list in place of the log, which is seen for it also where there is no room for it; or take it away."""
        hidden = self._screen.has_class("-narrow") or self.shown in ("declared", "story")
        self._screen.set_class(view is not None and hidden, "-show-list")
        self.feed.show_list(view)

    def fit_board(self, state: FightState) -> None:
        """Draw the board as large as lets everybody be seen."""
        places = [combatant.at for combatant in state.combatants.values() if combatant.at is not None]
        if places:
            self.board.fit(places)

    def paint_sections(self, state: FightState, fight: Fight, selected: str, entry: int | None = None) -> None:
        """Draw the card, the story, the timeline, or what is told after the fight, where it is seen.

        Args:
            state: the fight at the moment shown.
            fight: all of it.
            selected: who is selected.
            entry: the number of the entry that a replay shows; None for a fight that is played.
        """
        pane = self.open_pane
        if pane is self.lanes:
            self.lanes.update_from(fight, selected=selected, entry=entry)
        if pane is self.after:
            if state.status != "closed":
                self.show(self.home)
                return
            if self._told_of is not state:
                from fightcall.paint.closing import closing_sections
                from fightcall_engine.archive.chronicle import closing_of
                from fightcall_engine.play.summary import summary_of

                self._told_of = state
                summary = summary_of(fight, for_gm=True)
                self.after.tell(closing_sections(state, fight.system, closing_of(fight), summary))
        if pane is self.story:
            self.story.tell(fight.start.story)
        if isinstance(pane, SectionsPane):
            pane.update_from(state, fight.system, selected=selected)

    def paint_feed(self, fight: Fight, cursor: int | None, *, dim_after_cursor: bool = False) -> None:
        """Draw the log, with the entry of this number marked."""
        marked_numbers = [mark.on for mark in fight.marks]
        self.feed.update_from(fight, cursor=cursor, marked=marked_numbers, dim_after_cursor=dim_after_cursor)


@asked_once
def useless_actions(state: FightState, system: BaseSystem) -> frozenset[str]:
    """What a key bar does not name now: declarations where there are none, and the end of what has not begun."""
    without_declarations = () if system.declarations(state) else ("declared", "declarations")
    return frozenset((*without_declarations, "aftermath") if state.status == "setup" else without_declarations)


def has_beaten_side(state: FightState) -> bool:
    """Whether nobody of some side is left standing, so that the fight may well be over."""
    able = {combatant.side for combatant in state.combatants.values() if combatant.able}
    return state.status == "running" and len(able) < len({combatant.side for combatant in state.combatants.values()})
