"""The replay: the panes of the fight screen, read-only, at any moment of a fight, which may still be going on."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.timer import Timer

from fightcall.actions import Action, short_key
from fightcall.flows.history import (
    BOOKMARK,
    STOPS,
    Moment,
    Playback,
    Stop,
    backward,
    branch_words,
    end_of_entry,
    entry_before,
    find_position,
    mark_positions,
    moments,
    next_mark,
    onward,
)
from fightcall.flows.lists import Choice, Picker
from fightcall.paint.geometry import Beside, legibility, share_width
from fightcall.paint.happening import entry_words
from fightcall.paint.prompt_bar import Answer, tree_margin
from fightcall.paint.ribbon import ReplayMark
from fightcall.paint.runs import Drawing, Row, Run, stack, wrap
from fightcall.paint.scenes import head_rows, players_scene, roster_rows, story_rows
from fightcall.panes.base import Clicked, DrawnPane, EntryClicked, Sought
from fightcall.panes.board import BoardPane
from fightcall.panes.rows import RibbonMark, TimelinePane
from fightcall.processes import PlayersServer
from fightcall.screens.base import WIDE, Actions, BaseScreen
from fightcall.screens.fight_panes import REPLAY_AROUND, FightPanes, layout_css, useless_actions
from fightcall_engine.archive.fsutil import HeldFile, LockedByAnother
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import BadInput, FightCallError
from fightcall_engine.model.events import StepBegan
from fightcall_engine.model.state import FightState
from fightcall_engine.play.calls import step_words
from fightcall_engine.play.chart import Frame, Reel
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.history import Entry, Timeline

POLL_SECONDS = 1.0


Alarm = Callable[[float, Callable[[], None]], Timer]
"""Starts a timer: calls a function after some seconds."""


class ReplayScreen(BaseScreen):
    """The replay of a fight. Its journal is for playing on from a moment."""

    SCOPE = "replay"
    DEFAULT_CSS = layout_css("ReplayScreen") + "ReplayScreen > #timeline { height: 2; }"

    def __init__(self, fight: Fight, path: Path, alarm: Alarm | None = None) -> None:
        super().__init__()
        self.fight = fight
        self.playback = Playback()
        self._path = path
        self._alarm = alarm
        self._ringing: Timer | None = None
        self._poller: Timer | None = None
        self._chosen = ""
        self.panes = FightPanes(
            self, self.host.book, fight.state.board, rows_around=REPLAY_AROUND, without_board="feed"
        )
        self.timeline = TimelinePane(self.host.book, id="timeline")

    def compose(self) -> ComposeResult:
        yield from self.panes.compose(is_live=False)
        yield self.timeline
        yield self.foot

    def on_mount(self) -> None:
        self._poller = self.set_interval(POLL_SECONDS, self.follow)
        self.panes.show(self.panes.home)

    def on_resize(self, event: events.Resize) -> None:
        self.panes.lay_out(event.size)

    def on_unmount(self) -> None:
        self._silence()

    @property
    def state(self) -> FightState:
        return self.fight.line.seek(self.playback.position)

    def moment(self) -> tuple[FightState, BaseSystem]:
        return self.state, system_of(self.state)

    # Drawing

    def paint(self) -> None:
        (state, system), line = self.moment(), self.fight.line
        entry = self._entry()
        speed = f"{self.playback.speed:g}x" if self.playback.playing else ""
        selected = self._selected(entry)
        marks = mark_positions(line, self.fight.marks)
        with self.app.batch_update():
            mark = RibbonMark(replay=ReplayMark(self.playback.position, len(line), speed))
            self.panes.ribbon.update_from(state, system, mark)
            self.panes.paint_roster(state, system, selected)
            self.panes.paint_board(state, system, selected, system.marks(state, selected))
            self.panes.paint_sections(state, self.fight, selected, entry.number if entry else 0)
            self.panes.paint_feed(self.fight, entry.number if entry else 0, dim_after_cursor=True)
            self.timeline.update_from(line, system, self.playback.position, tuple(marks))
            super().paint()

    def _selected(self, entry: Entry | None) -> str:
        return self._chosen or (str(entry.command.get("who") or "") if entry else "")

    def offers_action(self, action: Action) -> bool:
        return action.name not in useless_actions(*self.moment()) and super().offers_action(action)

    def idle_text(self) -> str:
        """The event before the moment shown, in words; for one without words, its step or entry."""
        position, entry = self.playback.position, self._entry()
        if position == 0 or entry is None:
            return "The beginning of the fight"
        event, before = self.fight.line.event(position - 1), self.fight.line.seek(position - 1)
        system = system_of(before)
        line = phrase(system, event, before)
        step = self.state.step
        if line is not None:
            words = line.words
        elif isinstance(event, StepBegan) and step is not None:
            words = f"Now: {step_words(system, self.state, step)}"
        else:
            words = entry_words(self.fight, entry.number)
        return f"#{entry.number}  {words}"

    def _entry(self) -> Entry | None:
        index = self.fight.line.entry_at(self.playback.position)
        return self.fight.line.entry(index) if index >= 0 else None

    def spare_key(self, key: str, character: str | None) -> None:
        text = character if character and character.isprintable() else key
        option_keys = {self.names.option(*option) for option in self.fight.system.option_keys.items() if option[1]}
        if key in self.names.of_fight or text in option_keys:
            onward = f"{self.names.label('replay.take-over')} continues the fight"
            self.say(f"{short_key(text)} works only in the fight, not in a replay; {onward}", "warn")
        else:
            super().spare_key(key, character)

    # Going about

    def go(self, position: int) -> None:
        self._silence()
        self._show(self.playback.go(position))

    def _show(self, playback: Playback) -> None:
        self.playback = playback
        self.paint()

    def _step(self, find: Callable[[Timeline, int, Stop], int], stop: Stop) -> None:
        self._move(find(self.fight.line, self.playback.position, stop))

    def _move(self, position: int) -> None:
        before = self.playback.position
        self.go(position)
        if position == before:
            self.say("The fight begins here" if position == 0 else "The fight ends here")

    def actions(self) -> Actions:
        return {
            **self.panes.actions(*self.moment()),
            **{stop: partial(self._step, onward, stop) for stop in STOPS},
            **{f"{stop}_back": partial(self._step, backward, stop) for stop in STOPS},
            "start": partial(self._move, 0),
            "end": lambda: self._move(len(self.fight.line)),
            "page_up": partial(self.panes.scroll_target.scroll_pages, -1),
            "page_down": partial(self.panes.scroll_target.scroll_pages, 1),
            "faster": lambda: self._change_speed(self.playback.speed_up(1)),
            "slower": lambda: self._change_speed(self.playback.speed_up(-1)),
            "fork": lambda: self._take_over(entry_before(self.fight.line, self.playback.position), is_trial=True),
            "select_above": partial(self._select_line, -1),
            "select_below": partial(self._select_line, 1),
            "aftermath": lambda: self.panes.toggle_aftermath(self.state),
            "zoom_in": partial(self.panes.board.zoom_by, 1),
            "zoom_out": partial(self.panes.board.zoom_by, -1),
        }

    def action_go(self) -> None:
        def go(text: str) -> str | None:
            try:
                self.go(find_position(self.fight.line, text))
            except BadInput as bad:
                return "; ".join(bad.problems)
            return None

        rounds = self.fight.state.round
        self.enter("go to", go, hint=f"0 to {len(self.fight.line)}, #entry, r1 to r{rounds}, 50%, start, end")

    def action_bookmark(self) -> None:
        position = next_mark(self.fight.line, self.fight.marks, self.playback.position)
        if position is None:
            self.say("This fight has no bookmarks on this branch.")
            return
        self.go(position)
        self.say(f"Bookmark: {mark_positions(self.fight.line, self.fight.marks)[position]}")

    # The log

    def action_history(self) -> None:
        result = moments(self.fight)
        has_tree = any(moment.branch is not None for moment in result)
        choices = tuple(self._choice(moment, has_tree) for moment in result)
        entry = self._entry()
        # Bookmarks and branches follow the moment that they belong to.
        here = next(at for at, moment in enumerate(result) if moment.number == (entry.number if entry else 0))
        picker = Picker("Go to the moment after", choices, index=here)
        self.host.open_screen("pick", picker=picker, picked=lambda choice, text: self._jump(int(choice.id)))

    def _choice(self, moment: Moment, has_tree: bool) -> Choice:
        """A moment as a choice of the list. A branch has a tree in the margin, and leads to where it begins."""
        margin = tree_margin(moment.depth, self.panes.feed.glyphs) if has_tree else ""
        where = " · ".join(filter(None, (moment.part.title, moment.part.name)))
        if moment.branch is not None:
            words = f"{branch_words(self.fight, moment.branch)}, from #{moment.number}"
        else:
            number = moment.number
            words = f"#{number}  {entry_words(self.fight, number)}" if number else "The beginning of the fight"
            words = f"{BOOKMARK} {moment.mark}" if moment.mark else words
        return Choice(str(moment.number), f"{margin}{words}", where)

    def _jump(self, number: int) -> None:
        position = end_of_entry(self.fight.line, number)
        if position is not None:
            self.go(position)

    # Playing

    def action_play(self) -> None:
        self._silence()
        self._show(self.playback.toggle(len(self.fight.line)))
        self._schedule_tick()

    def _change_speed(self, playback: Playback) -> None:
        self._silence()
        self._show(playback)
        self.say(f"Speed {playback.speed:g}x")
        self._schedule_tick()

    def _schedule_tick(self) -> None:
        if self.playback.playing:
            alarm = self._alarm or self.set_timer
            self._ringing = alarm(self.playback.seconds, self._tick)

    def _tick(self) -> None:
        self._ringing = None
        self._show(self.playback.tick(len(self.fight.line)))
        self._schedule_tick()

    def _silence(self) -> None:
        if self._ringing is not None:
            self._ringing.stop()
            self._ringing = None

    def follow(self) -> None:
        before = len(self.fight.line)
        try:
            fresh = self.fight.poll()
        except (FightCallError, OSError) as error:
            # The file will not repair itself: report it only once.
            if self._poller is not None:
                self._poller.stop()
            self.say(f"The replay can't follow the fight any more: {error}", "error")
            return
        if fresh:
            self._show(self.playback.follow(before, len(self.fight.line)))

    # Doing

    def action_take_over(self) -> None:
        """Ask whether to play on from the moment shown; inside an entry, from its beginning."""
        try:
            # Whatever else is wrong with the file is said when it is opened.
            with suppress(OSError):
                HeldFile(self._path).release()
        except LockedByAnother:
            self._say_locked()
            return
        line, position = self.fight.line, self.playback.position
        self.go(position)
        number = entry_before(line, position)
        start = end_of_entry(line, number) or 0
        here = "here" if start == position else "from before this"
        where = f"{here}, after #{number}" if number else "from the beginning"
        entries_left = line.entry_count() - line.entry_at(start) - 1
        several = (f"{entries_left} entries", "stay", "them")
        entries, stay, them = ("1 entry", "stays", "it") if entries_left == 1 else several
        note = f"; the {entries} after it {stay} as a branch" if entries_left else ""
        back = f"{self.names.label('fight.history')} leads back to {them}"
        greeting = f"The {entries} after this {stay} as a branch; {back}" if entries_left else ""
        answer = Answer("y", "continue from here", lambda: self._take_over(number, greeting=greeting), is_proposed=True)
        self.ask(f"Continue the fight {where}{note}?", answer)

    def _say_locked(self) -> None:
        self.say(f"{self.state.name} is open in another program. Close it there, or watch it here", "error")

    def _take_over(self, number: int, *, is_trial: bool = False, greeting: str = "") -> None:
        try:
            fight = Fight.open(self._path)
            try:
                if is_trial:
                    fight.fork(on=number)
                else:
                    fight.jump(number)
            except BaseException:
                fight.close()
                raise
        except LockedByAnother:
            self._say_locked()
            return
        except (FightCallError, OSError) as error:
            self.say(str(error), "error")
            return
        self.host.replace_screen("fight", fight=fight, greeting=greeting)

    def action_back(self) -> None:
        if self.panes.open_pane is not None:
            self.panes.show(self.panes.home)
        else:
            self.say(f"{self.names.label('replay.leave')} leaves the replay")

    def action_leave(self) -> None:
        self._silence()
        self.host.leave_screen()

    # The screen

    def _select_line(self, by: int) -> None:
        people = [member for group in system_of(self.state).groups(self.state) for member in group.members]
        selected = self._selected(self._entry())
        at = people.index(selected) + by if selected in people else 0 if by > 0 else -1
        self._chosen = people[at % len(people)] if people else ""
        self.paint()

    def on_entry_clicked(self, message: EntryClicked) -> None:
        self._jump(message.number)

    def on_sought(self, message: Sought) -> None:
        self.go(message.position)

    def on_clicked(self, message: Clicked) -> None:
        self._chosen = "" if self._chosen == message.combatant else message.combatant
        self.paint()


POLL_S = 0.2

AROUND, STORY_ROWS = 3, 8
"""The rows of head line and foot, and those of a story below the board."""
USUAL, LEAST = Beside(34, 44), Beside(28, 28)
"""The widths of people and story if the board has room enough, and if it has not."""


class PlayersScreen(BaseScreen):
    """A read-only view of what players may see."""

    SCOPE = "players"
    DEFAULT_CSS = """
    PlayersScreen #head { height: 1; }
    PlayersScreen.-below #story { dock: bottom; }
    PlayersScreen.-narrow #people { display: none; }
    PlayersScreen.-narrow.-people #people, PlayersScreen.-mapless #people { display: block; }
    PlayersScreen.-narrow.-people #board, PlayersScreen.-mapless #board { display: none; }
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._fight = Fight.watch(path, real_branch=True)
        self._reel = Reel(self._fight)
        book = self.host.book
        self.head = DrawnPane(book, self._draw_head, id="head")
        self.people = DrawnPane(book, self._draw_people, title="Combatants", frame=True, id="people")
        self.board = BoardPane(book, title="Board", frame=True, id="board")
        self.story = DrawnPane(
            book, partial(story_rows, self._reel.shots), title="What happened", frame=True, id="story"
        )
        self._board = self.frame_now.board
        self._lay_out(self.app.size)

    @property
    def frame_now(self) -> Frame:
        return self._reel.shots[-1].frame

    def compose(self) -> ComposeResult:
        yield self.head
        with Vertical(), Horizontal():
            yield self.people
            yield self.board
            yield self.story
        yield self.foot

    def on_resize(self, event: events.Resize) -> None:
        self._lay_out(event.size)

    def _lay_out(self, size: Size) -> None:
        """Give the story the room that the whole board leaves: beside it, or on a narrow screen also below it."""
        board, rows = self._board, size.height - AROUND
        self.set_class(board is None, "-mapless")
        if size.width >= WIDE:
            below, beside = False, share_width(board, size.width, rows, USUAL, LEAST)
        else:
            below_is_best = legibility(board, size.width, rows - STORY_ROWS)
            beside = share_width(board, size.width, rows, Beside(0, USUAL.feed), Beside(0, LEAST.feed))
            below = legibility(board, size.width - beside.feed, rows) <= below_is_best
        self.set_class(below, "-below")
        self.people.styles.width = beside.roster if size.width >= WIDE and board is not None else "1fr"
        self.story.styles.width = "1fr" if below else beside.feed
        self.story.styles.height = STORY_ROWS if below else "1fr"

    def on_mount(self) -> None:
        self.call_after_refresh(self.paint)
        self.call_after_refresh(self.host.rest_memory)
        self.set_interval(POLL_S, self.follow)

    def follow(self) -> None:
        try:
            has_changed = self._fight.poll() and self._reel.update()
        except (FightCallError, OSError) as error:
            self.say(str(error).splitlines()[0], "error")
            return
        if has_changed:
            self.paint()

    def paint(self) -> None:
        board = self.frame_now.board
        if board is not self._board:
            self._board = board
            self._lay_out(self.size)
        if board is not None:
            self.board.update_from(players_scene(self.frame_now, board, self._fight.system))
        super().paint()

    def _draw_head(self, cells: int, height: int) -> Drawing:
        sides = self._fight.system.words(self._fight.state.settings).sides
        return head_rows(self.frame_now, self._fight.state.name, sides, cells)

    def _draw_people(self, cells: int, height: int) -> Drawing:
        return roster_rows(self.frame_now, self._fight.system, cells, height)

    def actions(self) -> Actions:
        return {
            "leave": self.host.leave_screen,
            "zoom_in": partial(self.board.zoom_by, 1),
            "zoom_out": partial(self.board.zoom_by, -1),
        }

    def action_pane(self) -> None:
        self.toggle_class("-people")
        self.call_after_refresh(self.paint)


HERE, NETWORK, STOP = "h", "n", "x"


class SharingScreen(BaseScreen):
    """Starts and stops the players' screen of a fight, whose server keeps running when this screen is left."""

    SCOPE = "help"
    USES_ACTIONS = False

    def __init__(self, server: PlayersServer) -> None:
        super().__init__()
        self._server = server
        self._problem = ""
        self.pane = DrawnPane(self.host.book, self._draw, title="Players' screen", frame=True, id="text")

    def key_pairs(self) -> list[tuple[str, str]]:
        running = [(STOP, "stop")] if self._server.address else []
        return [(HERE, "this computer only"), (NETWORK, "whole network"), *running, ("any other key", "back")]

    def take_key(self, key: str, character: str | None) -> bool:
        if key in (HERE, NETWORK):
            self.run_worker(self._start(lan=key == NETWORK), exclusive=True)
        elif key == STOP and self._server.address:
            self._server.stop()
            self.paint()
        elif key.startswith("ctrl+"):
            return False
        else:
            self.host.leave_screen()
        return True

    async def _start(self, *, lan: bool) -> None:
        self._problem = await self._server.start(lan=lan)
        self.paint()

    def _draw(self, cells: int, height: int) -> Drawing:
        rows = sharing_rows(self._server.address, self._problem, cells, height, dark=self.host.book.theme.dark)
        return Drawing(stack(rows, cells, height, "text"))


def sharing_rows(address: str, problem: str, cells: int, height: int, *, dark: bool) -> tuple[Row, ...]:
    """The address, with its QR code if there is room; or how to start."""
    lines: Sequence[str]
    if problem:
        lines = [line for part in problem.splitlines() for line in wrap(part.strip(), cells - 4)]
    elif address:
        lines = ("Players can watch at", address)
    else:
        text = f"{HERE}: this computer only, for a second screen. {NETWORK}: the whole network, for phones."
        lines = wrap(text, cells - 4)
    rows: list[Row] = [(), *((Run(f"  {line}", "bad" if problem else "strong"),) for line in lines), ()]
    code = draw_code(address, dark=dark) if address else ()
    if code and len(rows) + len(code) <= height and len(code[0]) + 2 <= cells:
        rows += [(Run(f"  {line}", "text"),) for line in code]
    return tuple(rows)


def draw_code(text: str, *, dark: bool) -> Sequence[str]:
    """A QR code with two of its rows in each line, its light cells drawn if `dark`; empty if its library is missing."""
    if importlib.util.find_spec("segno") is None:
        return ()
    import segno

    rows = [[bool(module) != dark for module in row] for row in segno.make(text, micro=False).matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([dark] * len(rows[0]))
    marks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    return [
        "".join(marks[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]
