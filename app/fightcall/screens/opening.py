"""Opening a saved fight: the first frame names it, then it is read. What stands in the way is said, with a way out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from fightcall.paint.layout import Drawing, stacked
from fightcall.screens.drawn import DrawnPane
from fightcall.screens.notice import notice_rows
from fightcall.screens.room import Room
from fightcall_engine.model.errors import FightCallError

if TYPE_CHECKING:
    from fightcall.app import Way


class OpeningRoom(Room):
    """Gives way to the fight's own room as soon as it can.

    Args:
        path: the fight's journal.
        way: what it is opened for.
    """

    SCOPE = "library"
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, path: Path, way: Way = "play") -> None:
        super().__init__()
        self._path = path
        self._way: Way = way
        self._problem = ""
        self._ways_out: dict[str, Way | str] = {}
        self._opened = False
        self.text = DrawnPane(self.host.book, self._draw, id="text")

    def compose(self) -> ComposeResult:
        """A line on what is going on, and the foot."""
        yield self.text
        yield self.foot

    def on_mount(self) -> None:
        """Begin once the first frame is there."""
        self.call_after_refresh(self._open)

    def on_screen_resume(self) -> None:
        """Left behind when its fight is left, for Textual cannot switch away from an app's first screen."""
        if self._opened:
            self.host.leave_room()

    def _draw(self, cells: int, height: int) -> Drawing:
        words = self._problem or f"Opening {self._path.stem} ..."
        return Drawing(stacked(notice_rows((words,), cells), cells, height, "text"))

    def key_pairs(self) -> list[tuple[str, str]]:
        """The ways out of what stands in the way."""
        words = {"repair": "repair it; the damaged file is kept", "watch": "look on", "play": "try again"}
        pairs = [(key, words[str(way)]) for key, way in self._ways_out.items()]
        return [*pairs, ("q", "back")] if self._problem else []

    def take_key(self, key: str, character: str | None) -> bool:
        """Take one of the ways out."""
        if key in ("q", "escape"):
            self.host.leave_room()
            return True
        way = self._ways_out.get(key)
        if way is None:
            return False
        if way == "repair":
            self._repair()
        else:
            self._way = "watch" if way == "watch" else self._way
        self._open()
        return True

    def _open(self) -> None:
        from fightcall_engine.archive.fsutil import LockedByAnother
        from fightcall_engine.archive.lines import DamagedJournal

        self._problem, self._ways_out = "", {}
        try:
            room = self._room()
        except LockedByAnother as held:
            self._stand(f"Another program is playing this fight ({held.who}).", {"w": "watch", "p": "play"})
        except DamagedJournal as damage:
            where = f"{damage.path.name}, line {damage.line}: {damage.problem}; expected {damage.expected}"
            self._stand(f"{where}. Nothing has been changed.", {"f": "repair"})
        except FileNotFoundError:
            self._stand(f"There is no {self._path}.", {})
        except (FightCallError, OSError) as error:
            self._stand(str(error), {"p": "play"})
        else:
            self._opened = True
            self.app.push_screen(room)
            self.host.call_after_refresh(self.host.rest_memory)

    def _room(self) -> Screen[None]:
        from fightcall_engine.play.fight import Fight

        if self._way == "replay":
            from fightcall.screens.replay import ReplayRoom

            return ReplayRoom(Fight.watch(self._path), self._path)
        if self._way == "watch":
            return self.host.fight_room(Fight.watch(self._path))
        self.host.played = Fight.open(self._path)
        return self.host.fight_room(self.host.played)

    def _stand(self, problem: str, ways_out: dict[str, Way | str]) -> None:
        self._problem, self._ways_out = problem, ways_out
        self.paint()

    def _repair(self) -> None:
        from fightcall.wording import repaired_in_words
        from fightcall_engine.archive.repair import repair
        from fightcall_engine.play.fight import can_be_played

        try:
            done = repair(self._path, can_be_played)
        except (FightCallError, OSError) as error:
            self.say(str(error), "error")
            return
        kept = f"; the damaged file is {done.original.name}" if done.original else ""
        self.host.notify(f"{repaired_in_words(done)}{kept}", timeout=10)
