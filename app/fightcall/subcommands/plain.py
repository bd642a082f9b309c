"""``fightcall play --plain``: the fight screen line by line, for screen readers, slow connections and phones.

The real screen runs without a terminal. Each typed line is sent to it as keys, and what it then shows is printed, one
sentence for each event. So all keys, questions and lists are the same as on the screen.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from textual import events

from fightcall.app import FightCallApp, make_screen
from fightcall.flows.exchange_flow import ExchangeFlow
from fightcall.paint.runs import UNICODE, Row, Run, clean
from fightcall.panes.base import RowsPane
from fightcall.screens.base import OpeningScreen
from fightcall.screens.fight import FightScreen
from fightcall.settings import key_name
from fightcall_engine.board.base import OPEN
from fightcall_engine.board.kinds import direction_of
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import FightState
from fightcall_engine.play.fight import Change

if TYPE_CHECKING:
    from textual.pilot import Pilot

SIZE = (160, 60)
"""The size of the hidden screen: enough for every sentence and list, and small enough to be read out."""
RESTS = 10
"""Turns of the event loop without messages until nothing more is expected: handlers may await each other."""
_MARKS = str.maketrans(
    {
        **dict.fromkeys("│┃╭╮╰╯┌┐└┘├─━▌█▄▀_●○◌◆·", " "),
        "⏎": "Enter",
        "▸": ":",
        "✓": "done:",
        "✗": "no:",
        "›": ",",
        "→": "to",
        "←": "back",
        "↑": "up",
        "↓": "down",
    }
)
_FACING = re.compile(r"(?<=\w) ([→←↑↓↗↖↘↙])$")  # after a place; not an arrow between two values
_DIRECTIONS = {mark: name for name, mark in UNICODE.arrows.items()}
_SIMPLER = str.maketrans(
    {"×": "x", "≤": "<=", "≥": ">=", "−": "-", "–": "-", "…": "...", "’": "'", "‘": "'", "“": '"', "”": '"'}
)
"""Replacements for an output whose encoding lacks a character."""
_FRAMES = ("frame", "scroll.track", "scroll.thumb")
"""The styles of what only parts or surrounds."""
NAMED = {"space": "space", "enter": "enter", "esc": "escape", "tab": "tab", "back": "backspace"} | {
    key: key
    for key in (
        *("up", "down", "left", "right", "pageup", "pagedown", "home", "end"),
        *(f"f{number}" for number in range(1, 13)),
    )
}
"""The names of keys that can be typed as words."""
_CONTROL = re.compile(r"\^([a-z])")
GREETING = (
    "Type keys as on the screen, then Enter. An empty line is the Enter key. Write other keys as words: space, esc,",
    "tab, back, up, down, left, right, f1 to f12, and ^k for Control and k. If asked for text, type the text.",
    "@who, @board and @log read those panes, and @keys reads all keys. q quits.",
)
SHOWN = ("card", "declared", "story", "after")
"""Panes that a key shows, which are printed while they are seen."""
READ_OUT = {"@who": "roster", "@board": "board", "@log": "feed"}
"""Commands that print a pane, with the pane's id."""


def play_plain(journal: Path, *, read: Callable[[], str] | None = None, out: TextIO | None = None) -> int:
    """Play a saved fight line by line, until `q` or the end of the input, where `read` returns an empty text."""
    # The marks are replaced by words, so they have to be the same whatever the terminal can show.
    app = FightCallApp(partial(make_screen, "opening", path=journal, mode="play"), glyphs="unicode")
    reader = Reader(app, read or sys.stdin.readline, out or sys.stdout)
    app.run(headless=True, size=SIZE, auto_pilot=reader.play)
    return app.return_code or 0


def keys_of(line: str) -> list[str]:
    """The keys for a line: named keys for its words, else their characters."""
    if not line.strip():
        return ["space" if line else "enter"]
    keys: list[str] = []
    for word in line.split():
        control = _CONTROL.fullmatch(word)
        keys += [f"ctrl+{control[1]}"] if control else [NAMED[word]] if word in NAMED else word
    return keys


class Reader:
    """Reads lines, sends them to the screen as keys, and prints what it shows."""

    def __init__(self, app: FightCallApp, read: Callable[[], str], out: TextIO) -> None:
        self.app = app
        self._read = read
        self._out = out
        self._sentences: list[str] = []
        self._written: dict[str, list[str]] = {}
        self._heard: FightScreen | None = None

    async def play(self, pilot: Pilot[object]) -> None:
        """Run until the program is left, or the input ends."""
        await self._settle(pilot)
        self._write(*GREETING)
        self._write_screen()
        while self.app.return_code is None:
            line = await asyncio.to_thread(self._read)
            if not line:
                break
            await self._take(pilot, line.rstrip("\n"))
        self.app.exit()

    async def _take(self, pilot: Pilot[object], line: str) -> None:
        if line.strip() in READ_OUT:
            state = self.app.screen.table.state if isinstance(self.app.screen, FightScreen) else None
            in_words = board_words(state) if state is not None and line.strip() == "@board" else ()
            self._write(*(in_words or self._pane(READ_OUT[line.strip()])))
            return
        if line.strip() == "@keys":
            await self._press(pilot, "f1")
            self._write(*self._pane("text"))
            await self._press(pilot, "escape")
            return
        for key in [*line, "enter"] if self._wants_words(line) else keys_of(line):
            await self._press(pilot, key)
        self._write_screen()

    async def _press(self, pilot: Pilot[object], key: str) -> None:
        character = {"space": " "}.get(key, key if len(key) == 1 else None)
        event = events.Key(key_name(key), character)
        event.set_sender(self.app)
        self.app.post_message(event)
        await self._settle(pilot)

    def _wants_words(self, line: str) -> bool:
        """Whether a line is text with spaces: text is being typed, or a command begins."""
        if line.startswith(":"):
            return True
        flow = self.app.screen.runner.flow if isinstance(self.app.screen, FightScreen) else None
        # In the panel, letters are keys.
        return (
            flow is not None
            and flow.is_typing
            and bool(line.strip())
            and line not in NAMED
            and not isinstance(flow, ExchangeFlow)
        )

    async def _settle(self, pilot: Pilot[object]) -> None:
        """Wait until all messages are handled and drawn, and those that came of them.

        The pilot's own pauses wait, several times for each key, until the processor has been idle for a while.
        """
        rests = 0
        while rests < RESTS and self.app.return_code is None:
            await asyncio.sleep(0)
            await pilot.wait_for_animation()
            pumps = (self.app, *self.app.screen.walk_children(with_self=True))
            rests = 0 if any(pump.message_queue_size for pump in pumps) else rests + 1
        screen = self.app.screen
        if isinstance(screen, FightScreen) and screen is not self._heard:
            self._heard = screen
            screen.table.fight.subscribe(partial(self._hear, screen.table.system))

    def _hear(self, system: BaseSystem, change: Change) -> None:
        state = change.before
        for event in change.events if change.kind in ("do", "redo") else ():
            line = phrase(system, event, state)
            state = evolve(state, event)
            if line is not None and line.words:
                self._sentences.append(" ".join(line.words.split()))

    # Writing

    def _write(self, *lines: str) -> None:
        for line in lines:
            text = clean(line)
            try:
                text.encode(self._out.encoding or "utf-8")
            except UnicodeEncodeError:
                text = text.translate(_SIMPLER)
            print(text, file=self._out)
        self._out.flush()

    def _write_screen(self) -> None:
        self._write(*self._sentences)
        screen = self.app.screen
        if isinstance(screen, OpeningScreen):
            return
        pane_ids = [pane.id or "" for pane in screen.query(RowsPane) if pane.display and pane.size.height]
        if isinstance(screen, FightScreen):
            lists = ("feed",) if screen.panes.feed.has_list else ()
            pane_ids = [name for name in ("ribbon", "exchange", *lists, *SHOWN, "call") if name in pane_ids]
        for name in pane_ids:
            rows = self._pane(name)
            rows_before = self._written.get(name, [])
            repeats = f"done: {self._sentences[-1]}" if self._sentences else ""
            self._write(*(row for row in rows if row not in rows_before and not (repeats and row.startswith("done: "))))
            self._written[name] = rows
        for name in [name for name in self._written if name not in pane_ids]:
            del self._written[name]
        self._sentences = []

    def _pane(self, pane_id: str) -> list[str]:
        """Its rows as plain lines: without frames and bars, marks as words or numbers, single spaces."""
        rows = (row for pane in self.app.screen.query(RowsPane) if pane.id == pane_id for row in pane.rows)
        return list(filter(None, (" ".join(row_words(row).split()) for row in rows)))


def board_words(state: FightState) -> tuple[str, ...]:
    """The board in words: who stands where, and which places have which terrain; nothing without a board."""
    board = state.board
    if board is None:
        return ()
    words = [f"Board: {board.kind}, {board.scale:g} {board.unit}"]
    for combatant in state.roster:
        if combatant.at is not None:
            facing = direction_of(board, combatant.facing)
            where = board.name_of(combatant.at) + (f" facing {facing}" if facing else "")
            words.append(f"{combatant.label} {combatant.name}: {where}")
    places: dict[str, list[str]] = {}
    for place in board.places():
        ground = board.terrain_at(place).name
        if ground != OPEN.name:
            places.setdefault(ground, []).append(board.name_of(place))
    return (*words, *(f"{ground}: {', '.join(names)}" for ground, names in places.items()))


def row_words(row: Row) -> str:
    """A row in words: pips and boxes are counted, and what only draws is left out."""
    words: list[str] = []
    dividers = {at + 1 for at, run in enumerate(row) if _is_boxes(run)}
    rest = (run for at, run in enumerate(row) if at not in dividers or run.text != UNICODE.divider)
    for is_track, runs in groupby(rest, key=_is_boxes):
        if is_track:
            boxes = tuple(runs)
            taken = sum(len(run.text) for run in boxes if run.style != "track.free")
            words.append(f" {taken} of {sum(len(run.text) for run in boxes)} ")
        else:
            words += map(_run_words, runs)
    return "".join(words)


def _is_boxes(run: Run) -> bool:
    return run.style.partition(".")[0] == "track" and not any(map(str.isdigit, run.text))


def _run_words(run: Run) -> str:
    if run.style in _FRAMES or run.style.startswith("bar."):
        return " "
    kind, _, state = run.style.partition(".")
    text = run.text.strip()
    if kind != "pip" or not text:
        return _FACING.sub(lambda arrow: f" facing {_DIRECTIONS[arrow[1]]}", run.text).translate(_MARKS)
    if set(text) == {UNICODE.work_left}:
        return " "
    if text == UNICODE.minus:
        return " none "
    number = text[:-1] if text[:-1].isdecimal() else str(len(text))
    return f" {number} {state} "
