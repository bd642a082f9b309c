"""The screens around a fight's: opening one, and text to read, such as a fault."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from textual import events
from textual.app import ComposeResult

from fightcall.paint.layout import Drawing, stack, wrap
from fightcall.paint.runs import Row, Run, clean
from fightcall.panes.base import DrawnPane
from fightcall.screens.base import BaseScreen, Mode, ScreenName
from fightcall_engine.model.errors import FightCallError, TooOld

_SCROLLS = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -10, "pagedown": 10, "home": -(10**6), "end": 10**6}


class NoticeScreen(BaseScreen):
    """A title, and paragraphs that are wrapped and scrolled.

    Args:
        title: the title.
        paragraphs: the text; the first paragraph says what to do.
    """

    SCOPE = "help"
    USES_ACTIONS = False

    def __init__(self, title: str, paragraphs: Sequence[str]) -> None:
        super().__init__()
        self._paragraphs = tuple(paragraphs)
        self._top = 0
        self.text = DrawnPane(self.host.book, self._draw, wheel=self._scroll, title=clean(title), frame=True, id="text")

    def compose(self) -> ComposeResult:
        """The text and the foot."""
        yield self.text
        yield self.foot

    def key_pairs(self) -> list[tuple[str, str]]:
        """Scrolling and going on."""
        return [(self.names.label("help.down"), "down"), ("any other key", "continue")]

    def _draw(self, cells: int, height: int) -> Drawing:
        rows = notice_rows(self._paragraphs, cells)
        self._top = max(0, min(self._top, len(rows) - height))
        return Drawing(stack(rows[self._top :], cells, height, "text"))

    def _scroll(self, rows: int) -> None:
        self._top += rows
        self.text.repaint()

    def take_key(self, key: str, character: str | None) -> bool:
        """Scroll, or leave."""
        if key in _SCROLLS:
            self._scroll(_SCROLLS[key])
        elif key.startswith("ctrl+"):
            return False
        else:
            self.host.leave_screen()
        return True

    def on_click(self, event: events.Click) -> None:
        """A click leaves it, too."""
        self.host.leave_screen()


def notice_rows(paragraphs: Sequence[str], cells: int) -> tuple[Row, ...]:
    """Paragraphs with an empty row between them, two cells in from the left."""
    rows: list[Row] = [()]
    for number, paragraph in enumerate(paragraphs):
        style = "strong" if number == 0 else "text"
        lines = [line for part in paragraph.split("\n") for line in wrap(part, cells - 4, 2)]
        rows += [(Run("  ", "text"), Run(line, style)) for line in lines]
        rows.append(())
    return tuple(rows)


class OpeningScreen(BaseScreen):
    """The screen while a fight is read; it is replaced by the fight's screen.

    Args:
        path: the fight's journal.
        mode: how to open it.
    """

    SCOPE = "library"
    USES_ACTIONS = False

    def __init__(self, path: Path, mode: Mode = "play") -> None:
        super().__init__()
        self._path = path
        self._mode: Mode = mode
        self._problem = ""
        self._ways_out: dict[str, Mode | Literal["repair"]] = {}
        self._opened = False
        self.text = DrawnPane(self.host.book, self._draw, id="text")

    def compose(self) -> ComposeResult:
        """A line on what is going on, and the foot."""
        yield self.text
        yield self.foot

    def on_screen_resume(self) -> None:
        """Begin reading after the first frame; leave after the fight was left, since an app keeps its first screen."""
        if self._opened:
            self.host.leave_screen()
        elif not self._problem:
            # This event also draws the first frame; waiting for a refresh would wait for a second one.
            self.call_later(self._open)

    def _draw(self, cells: int, height: int) -> Drawing:
        words = self._problem or f"Opening {self._path.stem} ..."
        return Drawing(stack(notice_rows((words,), cells), cells, height, "text"))

    def key_pairs(self) -> list[tuple[str, str]]:
        """The keys of the ways out."""
        words = {"repair": "repair it; the damaged file is kept", "watch": "watch", "play": "try again"}
        pairs = [(key, words[way]) for key, way in self._ways_out.items()]
        return [*pairs, ("q", "back")] if self._problem else []

    def take_key(self, key: str, character: str | None) -> bool:
        """Handle a key of the ways out."""
        if key in ("q", "escape"):
            self.host.leave_screen()
            return True
        way = self._ways_out.get(key)
        if way is None:
            return False
        if way == "repair":
            self._repair()
        else:
            self._mode = "watch" if way == "watch" else self._mode
        self._open()
        return True

    def _open(self) -> None:
        from fightcall_engine.archive.fsutil import LockedByAnother
        from fightcall_engine.archive.lines import DamagedJournal

        self._problem, self._ways_out = "", {}
        try:
            name, arguments = self._opened_fight()
        except LockedByAnother as held:
            self._stand(f"Another program is playing this fight ({held.holder}).", {"w": "watch", "p": "play"})
        except DamagedJournal as damage:
            where = f"{damage.path.name}, line {damage.line}: {damage.problem}; expected {damage.expected}"
            self._stand(f"{where}. Nothing was changed.", {"f": "repair"})
        except FileNotFoundError:
            self._stand(f"{self._path} does not exist.", {})
        except TooOld as old:
            self._stand(f"{old}.", {})
        except (FightCallError, OSError) as error:
            self._stand(str(error), {"p": "play"})
        else:
            self._opened = True
            self.host.open_screen(name, **arguments)
        finally:
            self.app.call_after_refresh(self.host.rest_memory)

    def _opened_fight(self) -> tuple[ScreenName, dict[str, object]]:
        """Open the fight. Returns the name and the arguments of its screen."""
        from fightcall_engine.play.fight import Fight

        if self._mode == "replay":
            return "replay", {"fight": Fight.watch(self._path, real_branch=True), "path": self._path}
        if self._mode == "watch":
            return "fight", {"fight": Fight.watch(self._path)}
        self.host.played = Fight.open(self._path)
        return "fight", {"fight": self.host.played}

    def _stand(self, problem: str, ways_out: dict[str, Mode | Literal["repair"]]) -> None:
        self._problem, self._ways_out = problem, ways_out
        self.paint()

    def _repair(self) -> None:
        from fightcall.user_files import repaired_in_words
        from fightcall_engine.archive.journal import repair
        from fightcall_engine.play.fight import can_be_played

        try:
            report = repair(self._path, can_be_played)
        except (FightCallError, OSError) as error:
            self.say(str(error), "error")
            return
        note = f"; the damaged file is {report.original.name}" if report.original else ""
        self.app.notify(f"{repaired_in_words(report)}{note}", timeout=10)
