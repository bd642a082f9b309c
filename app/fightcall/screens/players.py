"""The players' screen in a terminal, and the screen that shares it with browsers."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size

from fightcall.paint.geometry import Beside, legibility, share_width
from fightcall.paint.layout import Drawing, stack, wrap
from fightcall.paint.runs import Row, Run
from fightcall.paint.scenes import head_rows, players_scene, roster_rows, story_rows
from fightcall.panes.base import DrawnPane
from fightcall.panes.board import BoardPane
from fightcall.screens.base import WIDE, Actions, BaseScreen
from fightcall.show.process import PlayersServer
from fightcall_engine.model.errors import FightCallError
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.frames import Frame, Reel

POLL_S = 0.2
"""The interval for reading the journal."""


AROUND, STORY_ROWS = 3, 8
"""The rows of head line and foot, and those of a story below the board."""
USUAL, LEAST = Beside(34, 44), Beside(28, 28)
"""The widths of people and story if the board has room enough, and if it has not."""


class PlayersScreen(BaseScreen):
    """A read-only view of what players may see.

    Args:
        path: the fight's journal.
    """

    SCOPE = "players"
    DEFAULT_CSS = """
    PlayersScreen #head { height: 1; }
    PlayersScreen.-below #story { dock: bottom; }
    PlayersScreen.-narrow #people { display: none; }
    PlayersScreen.-narrow.-people #people { display: block; }
    PlayersScreen.-narrow.-people #board { display: none; }
    PlayersScreen.-mapless #board { display: none; }
    PlayersScreen.-mapless #people { display: block; }
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._fight = Fight.watch(path, real_branch=True)
        self._reel = Reel(self._fight)
        book = self.host.book
        self.head = DrawnPane(book, self._draw_head, id="head")
        self.people = DrawnPane(book, self._draw_people, title="Combatants", frame=True, id="people")
        self.board = BoardPane(book, title="Board", frame=True, id="board")
        self.story = DrawnPane(book, self._draw_story, title="What happened", frame=True, id="story")
        self._board = self.frame_now.board
        self._lay_out(self.app.size)

    @property
    def frame_now(self) -> Frame:
        """The present frame."""
        return self._reel.shots[-1].frame

    def compose(self) -> ComposeResult:
        """The head line, then people, board and story."""
        yield self.head
        with Vertical(), Horizontal():
            yield self.people
            yield self.board
            yield self.story
        yield self.foot

    def on_resize(self, event: events.Resize) -> None:
        """Share out the new size."""
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
        """Follow the fight."""
        self.call_after_refresh(self.paint)
        self.call_after_refresh(self.host.rest_memory)
        self.set_interval(POLL_S, self.follow)

    def follow(self) -> None:
        """Read what is new in the journal."""
        try:
            has_changed = self._fight.poll() and self._reel.update()
        except (FightCallError, OSError) as error:
            self.say(str(error).splitlines()[0], "error")
            return
        if has_changed:
            self.paint()

    def paint(self) -> None:
        """Draw everything again."""
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

    def _draw_story(self, cells: int, height: int) -> Drawing:
        return story_rows(self._reel.shots, cells, height)

    def actions(self) -> Actions:
        """What the actions do that are one call."""
        return {
            "leave": self.host.leave_screen,
            "zoom_in": partial(self.board.zoom_by, 1),
            "zoom_out": partial(self.board.zoom_by, -1),
        }

    def action_pane(self) -> None:
        """Switch between the roster and the board."""
        self.toggle_class("-people")
        self.call_after_refresh(self.paint)


HERE, NETWORK, STOP = "h", "n", "x"


class SharingScreen(BaseScreen):
    """Starts and stops the players' screen.

    Args:
        server: the fight's server, which keeps running when this screen is left.
    """

    SCOPE = "help"
    USES_ACTIONS = False

    def __init__(self, server: PlayersServer) -> None:
        super().__init__()
        self._server = server
        self._problem = ""
        self.text = DrawnPane(self.host.book, self._draw, title="Players' screen", frame=True, id="text")

    def compose(self) -> ComposeResult:
        """The address, and the foot."""
        yield self.text
        yield self.foot

    def key_pairs(self) -> list[tuple[str, str]]:
        """The keys of this screen."""
        running = [(STOP, "stop")] if self._server.address else []
        return [(HERE, "this computer only"), (NETWORK, "whole network"), *running, ("any other key", "back")]

    def take_key(self, key: str, character: str | None) -> bool:
        """Handle a key: start the server, stop it, or go back."""
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
    """A QR code with two of its rows in each line; empty if its library is missing.

    Args:
        text: the content.
        dark: on a dark background, the light cells of the code are drawn.
    """
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
