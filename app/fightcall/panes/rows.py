"""The panes of rows: ribbon, call bar, exchange panel, roster, declarations, card, log and timelines."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from textual.geometry import Size
from textual.reactive import Reactive
from textual.widget import Widget

from fightcall.paint.board import story_rows
from fightcall.paint.call_bar import ANSWER, OPTION, CallView, call_rows, wanted_rows
from fightcall.paint.combatants import Sections, card_sections, told_rows
from fightcall.paint.feed import FeedModel, FeedPlace, FeedView, FightLike, PanelView, exchange_rows, wanted_height
from fightcall.paint.happening import entry_words
from fightcall.paint.prompt_bar import ListView, list_rows
from fightcall.paint.ribbon import ReplayMark, TimelineModel, ribbon_rows, timeline_rows
from fightcall.paint.roster import Declarations, Roster, declared_by, declared_rows, roster_rows
from fightcall.paint.runs import Drawing, Row, Spot, join, scroll_marks, stack, window_top
from fightcall.panes.base import (
    ChoiceClicked,
    Clicked,
    EntryClicked,
    KeyClicked,
    OptionClicked,
    RowsPane,
    Sought,
    StyleBook,
)
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Section
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import replace

if TYPE_CHECKING:
    from fightcall_engine.play.fight import Fight
    from fightcall_engine.play.history import Timeline
    from fightcall_engine.play.lanes import Lanes

EDGES = 2
LEAST = 6
"""The height that a panel may always have, whatever the size of the screen."""

LOG = "Log"
OF_LANE = "who "
"""The prefix of spots of lanes."""


class RibbonMark(NamedTuple):
    """The arguments of `ribbon_rows` besides the fight."""

    saved: bool = True
    clock_text: str = ""
    watching: bool = False
    notice: str = ""
    replay: ReplayMark | None = None


class RibbonPane(RowsPane):
    """The fight, the agenda, and whose turn it is."""

    DEFAULT_CSS = "RibbonPane { height: 3; }"

    _fight: tuple[FightState, BaseSystem] | None = None
    _mark = RibbonMark()

    def update_from(self, state: FightState, system: BaseSystem, mark: RibbonMark) -> None:
        if self._fight is not None and self._fight[0] is state and mark == self._mark:
            return
        self._fight, self._mark = (state, system), mark
        self.repaint()

    def tick(self, clock_text: str) -> None:
        """Update the time of the decision clock."""
        if clock_text != self._mark.clock_text:
            self._mark = self._mark._replace(clock_text=clock_text)
            self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        return Drawing(self.draw_rows(*self._fight)) if self._fight is not None else Drawing(())

    def draw_rows(self, state: FightState, system: BaseSystem) -> tuple[Row, ...]:
        """The rows in a state that may be one to come; most of it is remembered."""
        return ribbon_rows(state, system, width=self.size.width, glyphs=self.glyphs, **self._mark._asdict())


class CallPane(RowsPane):
    """The call bar: what happened, what is asked or can be done, and what going on does."""

    DEFAULT_CSS = "CallPane { height: 7; }"

    _fight: tuple[FightState, BaseSystem] | None = None
    _who = ""
    _view = CallView()
    _more_rows = 0

    def update_from(self, view: CallView, state: FightState, system: BaseSystem, combatant_id: str) -> None:
        self._view, self._fight, self._who = view, (state, system), combatant_id
        self.resized()
        self.repaint()

    def resized(self) -> None:
        """Grow for a question or a refusal that would be cut off, as far as the screen has rows to spare."""
        old_height = self.styles.base.height
        if not self.size.width or old_height is None:
            return
        height = int(old_height.value)
        row_count = wanted_rows(self._view, width=self.size.width, height=height, glyphs=self.glyphs)
        rows = min(row_count, max(self.app.size.height // 3, height))
        rows = rows if rows > height else 0
        # Setting the height lays out the whole screen again, so it is only set if it changes.
        if rows != self._more_rows:
            self._more_rows, self.styles.min_height = rows, rows or None

    def draw(self, width: int, height: int) -> Drawing:
        if self._fight is None:
            return Drawing(())
        state, system = self._fight
        return call_rows(self._view, state, system, self._who, width=width, height=height, glyphs=self.glyphs)

    def handle_click(self, what: str, twice: bool) -> None:
        kind, _, value = what.partition(" ")
        if kind == ANSWER:
            self.post_message(ChoiceClicked(value))
        elif kind == OPTION:
            self.post_message(OptionClicked(int(value)))
        else:
            self.post_message(KeyClicked(value))


class TimelinePane(RowsPane):
    """Rounds and phases of a whole fight, and the moment shown."""

    DEFAULT_CSS = "TimelinePane { height: 2; }"

    _line: Timeline | None = None
    _system: BaseSystem | None = None
    _model: TimelineModel | None = None
    _position = 0
    _marks: tuple[int, ...] = ()

    def update_from(self, line: Timeline, system: BaseSystem, position: int, marks: Collection[int] = ()) -> None:
        if self._model is None or self._system is not system:
            self._model, self._system = TimelineModel(system), system
        self._line, self._position, self._marks = line, position, tuple(marks)
        self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        if self._line is None or self._model is None:
            return Drawing(())
        return timeline_rows(
            self._model.segments(self._line),
            position=self._position,
            total=len(self._line),
            marks=self._marks,
            width=width,
            height=height,
            glyphs=self.glyphs,
        )

    def handle_click(self, what: str, twice: bool) -> None:
        self.post_message(Sought(int(what)))


class ExchangePane(RowsPane):
    """Shows a panel in as many rows as it needs; none without a panel, as removing it would redraw all others."""

    DEFAULT_CSS = "ExchangePane { height: 0; width: 100%; }"
    virtual_size = Reactive(Size(), repaint=False)
    """Its size, as nothing scrolls. Textual's own would lay out the screen once more whenever a layout changes it."""

    def __init__(self, book: StyleBook, *, id: str | None = None) -> None:
        super().__init__(book, frame=True, id=id)
        self._view: PanelView | None = None
        self._rows = 0
        self._drawing = Drawing(((),))

    @property
    def rows_over_board(self) -> int:
        """How many inner rows of the board it covers. The board's inside ends a row above the panel's lower edge."""
        return max(self._rows - 1, 0)

    def update_from(self, view: PanelView | None) -> None:
        self._view = view
        if view is not None:
            self.set_frame(title=view.title, note=view.due)
        self._fit()
        if view is not None:
            self.repaint()

    def _fit(self) -> None:
        rows = 0
        if self._view is not None:
            full_height = wanted_height(self._view, width=max(self._across(), 1), glyphs=self.glyphs) + EDGES
            rows = min(full_height, max(self.app.size.height * 3 // 5, LEAST))
        # Setting the height lays out the whole screen again, so it is only set if it changes.
        if rows != self._rows:
            self._rows, self.styles.height = rows, rows

    def _across(self) -> int:
        if self.inner[0]:
            return self.inner[0]
        return self.parent.size.width - self.styles.margin.width - EDGES if isinstance(self.parent, Widget) else 0

    def handle_resize(self) -> None:
        if self._view is not None:
            self._fit()

    def draw(self, width: int, height: int) -> Drawing:
        if self._view is None:
            return Drawing(())
        return exchange_rows(self._view, width=width, height=height, glyphs=self.glyphs)

    def handle_click(self, what: str, twice: bool) -> None:
        kind, _, key = what.partition(" ")
        if kind == "key":
            self.post_message(ChoiceClicked(key))


# The panes of combatants


class PeoplePane(RowsPane):
    """Lines of combatants to click and scroll, with the selected one in view."""

    _fight: tuple[FightState, BaseSystem] | None = None
    _selected = ""
    _targets: frozenset[str] = frozenset()
    _top = 0
    _shown = "", Size()
    """The combatant that was last scrolled to, and the size then."""
    _drawn: Roster | None = None

    @property
    def people(self) -> tuple[str, ...]:
        """The ids in the order of the lines."""
        return tuple(self._drawn.spans) if self._drawn else ()

    def update_from(
        self, state: FightState, system: BaseSystem, *, selected: str = "", targets: Collection[str] = ()
    ) -> None:
        """Show the combatants of a state; scroll to a newly selected one."""
        same = self._fight is not None and self._fight[0] is state
        if same and selected == self._selected and self._targets == frozenset(targets):
            return
        self._fight = state, system
        self._selected, self._targets = selected, frozenset(targets)
        self.repaint()

    def scroll_rows(self, rows: int) -> None:
        self._top += rows
        self.repaint()

    def scroll_pages(self, pages: int) -> None:
        self.scroll_rows(pages * max(self.inner[1] - 2, 1))

    def draw(self, width: int, height: int) -> Drawing:
        if self._fight is None:
            return Drawing(())
        shown = self.revealed_id(self._selected)
        self._shown = self._selected, Size(width, height)
        self._drawn = self.draw_lines(*self._fight, self._selected, Size(width, height), shown)
        self._top = self._drawn.top
        return self._drawn.drawing

    def revealed_id(self, selected: str) -> str:
        """Who has to be in view: whoever is selected, where somebody else was, or the size another; else nobody."""
        return selected if self._shown != (selected, Size(*self.inner)) else ""

    def draw_lines(self, state: FightState, system: BaseSystem, selected: str, size: Size, shown: str) -> Roster:
        """The window of the lines in which the combatant `shown` is in view, if any is given."""
        raise NotImplementedError

    def handle_click(self, what: str, twice: bool) -> None:
        self.post_message(Clicked(what))


class RosterPane(PeoplePane):
    """The combatants with what they have left, or their declarations, in two lines each if all fit, else one."""

    keys: Mapping[str, str] = {}
    """The keys of actions by name; see `roster_rows`."""
    shows_declared = False

    def show_declared(self, shows: bool) -> None:
        self.shows_declared = shows
        self._shown = "", Size()
        self.repaint()

    def draw_lines(self, state: FightState, system: BaseSystem, selected: str, size: Size, shown: str) -> Roster:
        self.set_frame(title="Roster: declared" if self._declared_by(state, system) else "Roster")
        return self.roster_of(state, system, selected, self._targets, shown)

    def roster_of(
        self, state: FightState, system: BaseSystem, selected: str, targets: frozenset[str], shown: str
    ) -> Roster:
        """The roster in a state that may be one to come; it is remembered."""
        width, height = self.inner
        return roster_rows(
            state,
            system,
            selected=selected,
            targets=targets,
            width=width,
            height=height,
            top=self._top,
            shown=shown,
            glyphs=self.glyphs,
            keys=self.keys,
            declarations=self._declared_by(state, system),
        )

    def _declared_by(self, state: FightState, system: BaseSystem) -> Declarations | None:
        return (declared_by(state, system) or None) if self.shows_declared else None


class DeclaredPane(PeoplePane):
    """The table of declarations."""

    def draw_lines(self, state: FightState, system: BaseSystem, selected: str, size: Size, shown: str) -> Roster:
        return declared_rows(
            state,
            system,
            selected=selected,
            targets=self._targets,
            width=size.width,
            height=size.height,
            top=self._top,
            shown=shown,
            glyphs=self.glyphs,
        )


class SectionsPane(PeoplePane):
    """Scrolled rows about combatants, with the selected one in view."""

    def draw_sections(self, state: FightState, system: BaseSystem, selected: str, cells: int) -> Sections:
        raise NotImplementedError

    def draw_lines(self, state: FightState, system: BaseSystem, selected: str, size: Size, shown: str) -> Roster:
        width, height = size
        sections = self.draw_sections(state, system, selected, width - 1)
        top = window_top(self._top, height, len(sections.rows), sections.spans.get(shown) if shown else None)
        window = stack(sections.rows[top : top + height], width - 1, height, "text")
        bar = scroll_marks(top, height, len(sections.rows), self.glyphs)
        rows = tuple(join((row, (mark,))) for row, mark in zip(window, bar, strict=True)) if bar else window
        spots = tuple(
            Spot(range(max(span.start - top, 0), min(span.stop - top, height)), range(width), combatant_id)
            for combatant_id, span in sections.spans.items()
            if combatant_id
        )
        return Roster(Drawing(rows, spots), sections.spans, len(sections.rows), top)


class CardPane(SectionsPane):
    """Everything about the selected combatant."""

    def draw_sections(self, state: FightState, system: BaseSystem, selected: str, cells: int) -> Sections:
        return card_sections(state, system, selected, cells, self.glyphs)


class StoryPane(SectionsPane):
    """The selected combatant's note, the encounter's story, and the kinds of ground."""

    story = ""

    def draw_sections(self, state: FightState, system: BaseSystem, selected: str, cells: int) -> Sections:
        return Sections(story_rows(state, system, self.story, selected, cells, self.glyphs), {})


class ToldPane(SectionsPane):
    """Sections that are told, such as the summary of a fight that is over, or a forecast that grows."""

    gauge_style = ""
    _told: tuple[Section, ...] = ()

    def tell(self, sections: tuple[Section, ...]) -> None:
        self._told = sections
        self.repaint()

    def draw_sections(self, state: FightState, system: BaseSystem, selected: str, cells: int) -> Sections:
        return told_rows(state, system, self._told, selected, cells, self.glyphs, self.gauge_style)


# The panes of what has happened


class FeedPane(RowsPane):
    """The newest lines of the log, or those scrolled to. It keeps only the lines shown."""

    _model: FeedModel | None = None
    view = FeedView()
    _list: ListView | None = None

    @property
    def has_list(self) -> bool:
        return self._list is not None

    def update_from(
        self,
        fight: FightLike,
        *,
        cursor: int | None = None,
        marked: Collection[int] = (),
        dim_after_cursor: bool = False,
    ) -> None:
        """Show the log of a fight, and scroll to a cursor that has moved; the future after it may be dim."""
        if self._model is None or self._model.fight is not fight:
            self._model, self.view = FeedModel(fight, self.glyphs), FeedView()
        has_moved = cursor is not None and cursor != self.view.cursor
        self.view = replace(self.view, cursor=cursor, marked=frozenset(marked), dim_after_cursor=dim_after_cursor)
        if has_moved and cursor is not None:
            self.view = self._model.reveal(cursor, self.view, *self.inner)
        self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        if self._list is not None:
            return list_rows(self._list, width=width, height=height, glyphs=self.glyphs)
        return self._model.visible(width, height, self.view) if self._model else Drawing(())

    def show_list(self, view: ListView | None) -> None:
        if view is None and self._list is None:
            return
        self._list = view
        # Draw the frame and its content only once.
        self._title, self.note = (LOG, "") if view is None else (view.title, view.place)
        self.repaint()

    def dress(self, book: StyleBook) -> None:
        if self._model is not None:
            self._model.dress(book.glyphs)
        super().dress(book)

    def toggle_entry(self, number: int) -> None:
        """Open or close an entry, to show its events, dice and rules."""
        if self._model is None:
            return
        width, height = self.inner
        view = replace(self.view, opened=self.view.opened ^ {number})
        self.view = self._model.reveal(number, view, width, height, height)
        self.repaint()

    def handle_resize(self) -> None:
        if self._model is not None and self.view.cursor is not None:
            view = self._model.reveal(self.view.cursor, self.view, *self.inner)
            if view != self.view:
                self.view = view
                self.repaint()

    # Scrolling

    def scroll_rows(self, rows: int) -> None:
        if self._model is not None:
            width, height = self.inner
            self._show_from(self._model.scroll(self.view, rows, width, height))

    def scroll_pages(self, pages: int) -> None:
        self.scroll_rows(pages * max(self.inner[1] - 1, 1))

    def to_top(self) -> None:
        if self._model is not None and self._model.count:
            self._show_from(FeedPlace(0, 0))
            self._show_from(self._model.scroll(self.view, 0, *self.inner))

    def to_tail(self) -> None:
        """Show the newest lines, and follow them."""
        self._show_from(None)

    def find(self, text: str, way: int = -1) -> int | None:
        """The number of the next entry, from the cursor or the newest, that contains a text; None if there is none."""
        if self._model is None:
            return None
        start = self.view.cursor if self.view.cursor is not None else -1
        return self._model.find(text, start, way)

    def _show_from(self, bottom: FeedPlace | None) -> None:
        if bottom != self.view.bottom:
            self.view = replace(self.view, bottom=bottom)
            self.repaint()

    def handle_click(self, what: str, twice: bool) -> None:
        if self._list is not None:
            self.post_message(ChoiceClicked(what))
            return
        self.post_message(EntryClicked(int(what)))


class LanesPane(RowsPane):
    """The timeline of a fight for the GM, with the number of the `marked` entry; None for the present."""

    marked: int | None = None
    _fight: Fight | None = None
    _lanes: Lanes | None = None
    _head: int = 0
    _selected = ""
    _top = 0
    _shown = "", 0
    _is_told = False

    def update_from(self, fight: Fight, *, selected: str = "", entry: int | None = None) -> None:
        """Show a fight at a replay's `entry`, or at the pane's own mark, which is dropped when the fight goes on."""
        if self._lanes is None or self._fight is not fight:
            from fightcall_engine.play.lanes import Lanes

            self._fight, self._lanes = fight, Lanes(fight, for_gm=True)
        if entry is not None or fight.head_number != self._head:
            self.marked = entry
        self._is_told = entry is not None
        self._head, self._selected = fight.head_number, selected
        self.set_frame(note=f"#{self.marked} of {self._head}" if self.marked is not None else "")
        self.repaint()

    def move(self, by: int) -> None:
        """Move the mark by entries, back if negative; after the last one is the present."""
        if self._fight is None:
            return
        numbers = self._numbers
        here = numbers.index(self.marked) if self.marked in numbers else len(numbers) - 1
        self._mark(numbers, here + by)

    @property
    def _numbers(self) -> list[int]:
        return [0, *(entry.number for entry in self._fight.line.entries)] if self._fight is not None else [0]

    def scroll_pages(self, pages: int) -> None:
        """Move the mark by rounds; in a replay, which has keys for that, scroll the lanes."""
        if self._fight is None or self._lanes is None or self._is_told:
            self.scroll_rows(pages * max(self.inner[1] - 6, 1))
            return
        from fightcall.paint.lanes import column_of

        columns = self._lanes.chart().columns
        at = column_of(self._lanes.chart(), self.marked)
        starts = [
            index for index, column in enumerate(columns) if not index or column.round != columns[index - 1].round
        ]
        starts_beyond = [place for place in starts if (place < at if pages < 0 else place > at)]
        if not starts_beyond:
            self.move(-len(columns) if pages < 0 else self._fight.line.entry_count())
            return
        numbers = self._numbers
        entry = columns[starts_beyond[-1] if pages < 0 else starts_beyond[0]].entry
        self._mark(numbers, numbers.index(entry) if entry in numbers else 0)

    def _mark(self, numbers: list[int], place: int) -> None:
        place = max(0, place)
        self.marked = numbers[place] if place < len(numbers) - 1 else None
        self.set_frame(note=f"#{self.marked} of {self._head}" if self.marked is not None else "")
        self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        fight = self._fight
        if fight is None or self._lanes is None:
            return Drawing(())
        from fightcall.paint.lanes import LanesView, lanes_rows, top_for

        if self._shown != (self._selected, height):
            self._shown = self._selected, height
            self._top = top_for(self._lanes.chart(), self._selected, height, self._top)
        drawing, self._top = lanes_rows(
            self._lanes.chart(),
            LanesView(self._selected, self.marked, self._top),
            fight.system,
            fight.system.words(fight.state.settings).sides,
            width=width,
            height=height,
            words_of=lambda number: entry_words(fight, number),
            glyphs=self.glyphs,
        )
        return drawing

    def scroll_rows(self, rows: int) -> None:
        self._top = max(0, self._top + rows)
        self.repaint()

    def handle_click(self, what: str, twice: bool) -> None:
        if what.startswith(OF_LANE):
            self.post_message(Clicked(what.removeprefix(OF_LANE)))
        elif self._is_told:
            self.post_message(EntryClicked(int(what)))
        elif self._fight is not None:
            numbers = self._numbers
            self._mark(numbers, numbers.index(int(what)) if int(what) in numbers else len(numbers))
