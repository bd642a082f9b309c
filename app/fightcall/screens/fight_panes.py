"""The panes of a fight, live or in a replay: their widths, which are visible, and the forecast in one of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import aclosing
from functools import partial
from time import monotonic
from typing import Literal

from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Size
from textual.worker import Worker

from fightcall.flows.base import Overlay
from fightcall.paint.combatants import SHARE
from fightcall.paint.geometry import Beside, rows_under, share_width
from fightcall.paint.prompt_bar import ListView
from fightcall.paint.scenes import contact_rows, picture_of, said_aloud
from fightcall.panes.base import StyleBook
from fightcall.panes.board import BoardPane
from fightcall.panes.rows import (
    LOG,
    CardPane,
    DeclaredPane,
    ExchangePane,
    FeedPane,
    LanesPane,
    RibbonPane,
    RosterPane,
    SectionsPane,
    StoryPane,
    ToldPane,
)
from fightcall.processes import SPARE_PROCESSES, ForecastFailed, play_fights
from fightcall.screens.base import WIDE, Actions, BaseScreen
from fightcall_engine.board.base import AnyBoard
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Detail, Mark, Section
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import remembered, replace
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.forecast import (
    Forecast,
    Job,
    Results,
    forecast_sections,
    forecast_words,
    job_from_here,
    sides_left,
)

PaneName = Literal["board", "roster", "feed", "declared", "card", "after", "story", "lanes", "forecast"]
OVER_BOARD = ("declared", "card", "after", "lanes", "forecast")
"""The panes in place of the board."""
BESIDE_BOARD = ("card", "lanes")
"""Those that fit beside it on a vast screen."""

BROAD, VAST = 150, 200
"""The widths from which the log gets broader, and the card fits beside the board."""
TALL, HIGH = 30, 45
"""The heights from which the call bar has room for a frame, and the timeline stands under the board."""
CARD, LANES = 56, 58
"""The widths of the card and the timeline where they stand beside the board."""
FIGHT_AROUND, REPLAY_AROUND = (8, 10), (7, 7)
"""The rows above and below the panes on short screens and on tall ones: ribbon and call bar; ribbon, timeline, foot."""
_USUAL = {0: Beside(34, 0), WIDE: Beside(40, 36), BROAD: Beside(40, 46), VAST: Beside(54, 46)}
_LEAST = {least: Beside(30, 0) if least < WIDE else Beside(34, 29) for least in _USUAL}
"""The widths of the panes beside the board by that of the screen; and how far they shrink for a board."""


def layout_css(screen: str) -> str:
    """Return the styles for a class of screens. `FightPanes` sets which panes are visible, and their widths."""
    return _CSS.replace("Screen", screen)


_CSS = """
Screen > #body { layout: horizontal; }
Screen #middle.-beside { layout: horizontal; }
Screen #middle.-beside > #board { width: 1fr; }
Screen #declared, Screen #card, Screen #after, Screen #lanes, Screen #forecast { height: 1fr; }
"""


def visible_panes(shown: PaneName, *, is_narrow: bool, is_vast: bool, has_list: bool) -> frozenset[PaneName]:
    """The visible panes where one is shown: in place of the board or the log, or alone if there is no room for more.

    A list stands in the log's pane. On a vast screen, the card and the timeline fit beside the board.
    """
    if is_narrow:
        alone: PaneName = "feed" if has_list else shown
        return frozenset({alone, "roster"} if alone in ("board", "feed") and not has_list else {alone})
    if shown == "declared":
        return frozenset({shown, "feed"} if has_list else {shown})
    log: PaneName = "story" if shown == "story" and not has_list else "feed"
    middle: set[PaneName] = {shown} if shown in OVER_BOARD else {"board"}
    if is_vast and shown in BESIDE_BOARD:
        middle.add("board")
    return frozenset({"roster", log, *middle})


class _Backdrop(Container):
    """Lies wholly behind panes, so it is drawn as cheaply as can be."""

    BLANK = True


class FightPanes:
    """The panes of a fight, held by the screen that composes them.

    The screen returns to `home`, the board, or `without_board` where there is none. It is redrawn when another pane is
    shown, and there are `rows_around` the panes on a short screen and on a tall one.
    """

    def __init__(
        self,
        screen: BaseScreen,
        book: StyleBook,
        board: AnyBoard | None,
        *,
        rows_around: tuple[int, int],
        without_board: PaneName = "board",
    ) -> None:
        self._screen = screen
        self._rows_around = rows_around
        self.home: PaneName = "board" if board is not None else without_board
        self.shown: PaneName = self.home
        self._told_of: FightState | None = None
        self._without_board: PaneName = without_board
        self._drawn_board = board
        self.ribbon = RibbonPane(book, id="ribbon")
        self.roster = RosterPane(book, title="Roster", frame=True, id="roster")
        self.board = BoardPane(book, title=_board_title(board), frame=True, id="board")
        self.declared = DeclaredPane(book, title="Declared", frame=True, id="declared")
        self.card = CardPane(book, title="Card", frame=True, id="card")
        self.after = ToldPane(book, title="After the fight", frame=True, id="after")
        self.story = StoryPane(book, title="Story", frame=True, id="story")
        self.lanes = LanesPane(book, title="Timeline", frame=True, id="lanes")
        self.forecaster = Forecaster(screen, book)
        self.feed = FeedPane(book, title=LOG, frame=True, id="feed")
        self.exchange = ExchangePane(book, id="exchange")
        in_place = (self.declared, self.card, self.after, self.story, self.lanes, self.forecaster.pane)
        self._in_place = {pane.id: pane for pane in in_place}
        """The panes in place of the board or the log, by their names."""
        self._middle = _Backdrop(id="middle")
        self._rows_below = 0
        self.lay_out(screen.app.size)

    def compose(self, *, is_live: bool) -> ComposeResult:
        yield self.ribbon
        with _Backdrop(id="body"):
            yield self.roster
            with self._middle:
                yield from (self.board, self.declared, self.card, self.after, self.lanes)
                if is_live:
                    yield self.forecaster.pane
            yield from (self.feed, self.story)
            if is_live:
                yield self.exchange

    # Which pane is visible

    @property
    def open_pane(self) -> DeclaredPane | SectionsPane | LanesPane | None:
        """The pane in place of the board or the log; None if both are in their places."""
        return self._in_place.get(self.shown)

    @property
    def scroll_target(self) -> DeclaredPane | SectionsPane | LanesPane | FeedPane:
        """What the page keys scroll: the pane in place of the board or the log, else the log."""
        return self.open_pane or self.feed

    def show(self, name: PaneName) -> None:
        """Show a pane: in place of the board or the log, or as the only one if there is no room for more."""
        self.shown = name
        self.lay_out(self._screen.app.size)
        self._screen.call_after_refresh(self._screen.paint)

    def lay_out(self, size: Size) -> None:
        """Show what fits, and set the widths of the panes beside the board, which leave as much room as it needs."""
        cells, rows = size.width, size.height - self._rows_around[size.height >= TALL]
        is_vast = cells >= VAST
        lanes_below = is_vast and size.height >= HIGH and self.shown == "lanes"
        middle = CARD if self.shown == "card" else LANES if self.shown == "lanes" and not lanes_below else 0
        room = cells - middle if is_vast else cells
        step = max(least for least in _USUAL if least <= cells)
        self._rows_below = rows_under(self._drawn_board, room - sum(_USUAL[step]), rows) if lanes_below else 0
        beside = share_width(self._drawn_board, room, rows - self._rows_below, _USUAL[step], _LEAST[step])
        has_all = cells >= WIDE
        visible = visible_panes(self.shown, is_narrow=not has_all, is_vast=is_vast, has_list=self.feed.has_list)
        for pane in (self.board, self.roster, self.feed, *self._in_place.values()):
            pane.display = pane.id in visible
        self._middle.display = not visible.isdisjoint(("board", *OVER_BOARD))
        self._middle.set_class(is_vast and self.shown in BESIDE_BOARD and not lanes_below, "-beside")
        self.roster.styles.width = "1fr" if self.shown == "roster" and not has_all else beside.roster
        for pane in (self.feed, self.story):
            pane.styles.width = beside.feed if has_all else "1fr"
        self.card.styles.width = CARD if is_vast else "1fr"
        self.lanes.styles.width = LANES if is_vast and not lanes_below else "1fr"
        self.lanes.styles.height = self._rows_below or "1fr"
        self.exchange.styles.margin = (0, beside.feed, 0, beside.roster) if has_all else 0

    def toggle(self, name: PaneName) -> None:
        self.show(self.home if self.shown == name else name)

    def _toggle_declared(self, state: FightState, system: BaseSystem, *, in_roster: bool) -> None:
        is_shown = self.roster.shows_declared if in_roster else self.shown == "declared"
        if not is_shown and not system.declarations(state):
            self._screen.say("No declarations now.")
        elif in_roster:
            self.roster.show_declared(not is_shown)
        else:
            self.toggle("declared")

    def toggle_aftermath(self, state: FightState) -> None:
        if self.shown == "after" or state.status == "closed":
            self.toggle("after")
        else:
            self._screen.say("The fight is not over yet.")

    def actions(self, state: FightState, system: BaseSystem) -> Actions:
        return {
            "show_board": partial(self.show, "board"),
            "show_roster": partial(self.show, "roster"),
            "show_feed": partial(self.show, "feed"),
            "card": partial(self.toggle, "card"),
            "story": partial(self.toggle, "story"),
            "timeline": partial(self.toggle, "lanes"),
            "declared": partial(self._toggle_declared, state, system, in_roster=True),
            "declarations": partial(self._toggle_declared, state, system, in_roster=False),
        }

    def follow_fight(self, fight: Fight) -> None:
        if self.shown != "forecast":
            self.forecaster.stop()
        elif fight.path is None:
            self.forecaster.stop("Only a saved fight can be forecast")
        elif fight.state.status == "closed" or len(sides_left(fight.system, fight.state)) < 2:
            self.forecaster.stop("The fight is decided")
        else:
            place = f"at entry {fight.head_number}"
            name = f"what-if, {place}" if fight.branch.is_trial else place
            self.forecaster.pane.set_frame(note=name)
            self.forecaster.follow(fight.head_number, name, fight.state, fight.system, lambda: job_from_here(fight))

    # Painting

    def draw_ahead(self, state: FightState, system: BaseSystem, selected: str, targets: Collection[str]) -> None:
        """Draw what may come next, which is then drawn sooner."""
        self.ribbon.draw_rows(state, system)
        self.roster.roster_of(state, system, selected, frozenset(targets), self.roster.revealed_id(selected))

    def paint_roster(self, state: FightState, system: BaseSystem, selected: str, targets: Sequence[str] = ()) -> None:
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
        if state.drawn_board != self._drawn_board:
            self._show_board_of(state)
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
            covered=max(0, self.exchange.rows_over_board - self._rows_below),
            beside=[place for place in both if place is not None],
        )
        self.board.set_frame(note=overlay.note or said_aloud(marks))

    def _show_board_of(self, state: FightState) -> None:
        """Adopt another map: the fight moves there, or the screen goes back to when it was elsewhere."""
        self._drawn_board = state.drawn_board
        self.lay_out(self._screen.app.size)
        self.board.fit_again()
        self.board.set_frame(title=_board_title(state.board))
        was_home, home_before = self.shown == self.home, self.home
        self.home = "board" if state.board is not None else self._without_board
        if was_home and self.home != home_before:
            self.show(self.home)

    def paint_list(self, view: ListView | None) -> None:
        """Draw a list in place of the log, or remove it. Without room for the log, the list is the only pane."""
        is_new = self.feed.has_list != (view is not None)
        self.feed.show_list(view)
        if is_new:
            self.lay_out(self._screen.app.size)

    def paint_sections(self, state: FightState, fight: Fight, selected: str, entry: int | None = None) -> None:
        """Draw the card, the story, the timeline (at the `entry` of a replay) or the summary, if visible."""
        pane = self.open_pane
        if pane is self.lanes:
            self.lanes.update_from(fight, selected=selected, entry=entry)
        if pane is self.after:
            if state.status != "closed":
                self.show(self.home)
                return
            if self._told_of is not state:
                from fightcall.paint.lanes import closing_sections
                from fightcall_engine.archive.chronicle import closing_of
                from fightcall_engine.play.lanes import summary_of

                self._told_of = state
                summary = summary_of(fight, for_gm=True)
                self.after.tell(closing_sections(state, fight.system, closing_of(fight), summary))
        if pane is self.story:
            self.story.story = fight.start.story
        if isinstance(pane, SectionsPane):
            pane.update_from(state, fight.system, selected=selected)

    def paint_feed(self, fight: Fight, cursor: int | None, *, dim_after_cursor: bool = False) -> None:
        marked_numbers = [mark.on for mark in fight.marks]
        self.feed.update_from(fight, cursor=cursor, marked=marked_numbers, dim_after_cursor=dim_after_cursor)


@remembered
def useless_actions(state: FightState, system: BaseSystem) -> frozenset[str]:
    """Actions that the key bar leaves out now: about declarations without any, and the end before the fight begins."""
    without_declarations = () if system.declarations(state) else ("declared", "declarations")
    return frozenset((*without_declarations, "aftermath") if state.status == "setup" else without_declarations)


def _board_title(board: AnyBoard | None) -> str:
    return "Contacts" if board is None else f"Board · {board.kind} · {board.scale:g} {board.unit}"


FIGHTS = 200
"""How many fights are played."""
PAUSE_S = 0.5
"""How many seconds nothing changes before a forecast begins."""
REFRESH_S = 0.3
"""The least time between two paintings of the numbers."""
WORTH_COMPARING = 20
"""The fewest fights of a forecast that is shown beside the next one."""


class Forecaster:
    """Shows a forecast in a pane, and begins another one whenever the fight on the screen has changed."""

    def __init__(self, screen: BaseScreen, book: StyleBook) -> None:
        self.pane = ToldPane(book, title="Forecast", frame=True, id="forecast")
        self.pane.gauge_style = SHARE
        self._screen = screen
        self._worker: Worker[None] | None = None
        self._subject: object = None
        self._name = ""
        self._result = Forecast()
        self._before: tuple[Detail, ...] = ()

    def follow(
        self, subject: object, name: str, state: FightState, system: BaseSystem, make_job: Callable[[], Job]
    ) -> None:
        """Forecast a fight, unless it is the one that was forecast last: equal fights have equal subjects.

        The next forecast is compared with this one by its `name`, such as ``at entry 12``; an empty one is forgotten.
        """
        if subject == self._subject:
            return
        self.stop()
        self._subject = subject
        words = system.words(state.settings)
        if self._name and self._result.fights >= WORTH_COMPARING:
            self._before = (Detail(self._name, forecast_words(self._result, words)),)
        self._name, self._result = name, Forecast()
        self.pane.update_from(state, system)
        self.pane.tell((Section("Playing the first fights", self._before),))
        # A coroutine would complain if it were cancelled before it begins.
        work = partial(self._play, make_job, state, system)
        self._worker = self._screen.run_worker(work, exclusive=True, group="forecast", exit_on_error=False)

    def stop(self, why: str = "") -> None:
        """End the forecast, with a reason to show in its place."""
        self._subject = None
        if self._worker is not None:
            self._worker.cancel()
            self._worker = None
        if why:
            self.pane.tell((Section(why, ()),))

    async def _play(self, make_job: Callable[[], Job], state: FightState, system: BaseSystem) -> None:
        await asyncio.sleep(PAUSE_S)
        job, results, shown_at = replace(make_job(), fights=FIGHTS), Results(), 0.0
        try:
            async with aclosing(play_fights(job, SPARE_PROCESSES)) as played:
                async for outcome in played:
                    results.add(outcome)
                    if results.fights == job.fights or monotonic() - shown_at > REFRESH_S:
                        shown_at = monotonic()
                        self._show(results.forecast(), state, system, job.fights)
        except ForecastFailed as failed:
            self.pane.tell((Section("The forecast failed", (Detail("", str(failed), tone="bad"),)),))

    def _show(self, result: Forecast, state: FightState, system: BaseSystem, asked: int) -> None:
        self._result = result
        first, *rest = forecast_sections(result, system.words(state.settings), system.health, asked)
        before = (Section("Before", self._before),) if self._before else ()
        self.pane.tell((first, *before, *rest))
