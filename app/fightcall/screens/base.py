"""What every screen is made of: keys, a foot, and access to the app; and the screens for a notice and for opening."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, Protocol, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen

from fightcall.actions import Action, KeyNames, Scope, bar_of, short_key
from fightcall.paint.prompt_bar import FOOT_HEIGHT, Answer, Entry, MessageTone, TextLine
from fightcall.paint.runs import Drawing, Row, Run, clean, stack, wrap
from fightcall.panes.base import DrawnPane, FootPane, RowsPane, StyleBook
from fightcall.settings import Paths, repaired_in_words
from fightcall.themes import FightTheme
from fightcall_engine.archive.fsutil import LockedByAnother
from fightcall_engine.archive.lines import DamagedJournal
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import FightCallError, TooOld
from fightcall_engine.model.state import FightState
from fightcall_engine.play.fight import Fight, can_be_played

ScreenName = Literal[
    "library", "opening", "fight", "replay", "players", "sharing", "setup", "form", "pick", "placing", "painting",
    "help", "notice",
]  # fmt: skip
"""The names of screens; see `fightcall.app.SCREENS`."""

Mode = Literal["play", "watch", "replay"]
"""How a fight is opened."""

Result = TypeVar("Result")

WIDE = 110
"""The width from which panes fit side by side."""

EDITING = ("backspace", "delete", "insert")
"""Keys that edit text, and elsewhere mean nothing."""
_BEGINNING = (events.Compose, events.Load, events.Mount, events.Unmount)
"""Messages whose faults go to the app, because without them there is no working screen to stay on."""


class Host(Protocol):
    """The app, as screens see it. The fight last played is `played` until the library has updated its card."""

    keys: KeyNames
    book: StyleBook
    paths: Paths
    played: Fight | None

    def open_screen(self, name: ScreenName, **kwargs: object) -> None:
        """Push a screen."""

    def replace_screen(self, name: ScreenName, **kwargs: object) -> None:
        """Replace the present screen, as `open_screen` makes it."""

    def leave_screen(self) -> None:
        """Go back to the previous screen; from the first one, leave the program."""

    def all_themes(self) -> Mapping[str, FightTheme]:
        """All themes by name, ours and the user's."""

    def show_theme(self, name: str) -> None:
        """Switch to a theme, and save it in the settings."""

    def end_pause(self) -> None:
        """Leave the rest of what a pause is used for: a key has come."""

    def report(self, fault: Exception) -> None:
        """Report an unexpected fault, with what to do."""

    def rest_memory(self) -> None:
        """Exclude present objects from garbage collection, which makes its pauses short."""


Actions = Mapping[str, Callable[[], object]]
"""What actions do, by name."""


class Offer(NamedTuple):
    """An entry of the command palette; those with `first` are shown before anything is typed."""

    text: str
    help: str
    do: Callable[[], object]
    first: bool = True


class BaseScreen(Screen[None]):
    """The base class of screens: the keys of one scope of actions, and a foot of two rows.

    A screen names its `SCOPE`, yields its panes and then `self.foot` from `compose`, and has an entry in `actions` or a
    method ``action_<name>`` for each action of its scope; or it sets `USES_ACTIONS` to False and handles the keys
    itself. Screens derive only from this class: what two of them share, such as `FightPanes`, is an object that both
    hold.
    """

    SCOPE: ClassVar[Scope]
    USES_ACTIONS: ClassVar[bool] = True
    pane: RowsPane
    """The only one besides the foot, of screens that do not `compose` others."""
    AUTO_FOCUS = ""
    BLANK = True
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 (as Textual declares it)
    DEFAULT_CSS = f"""
    BaseScreen {{ background: $background; layout: vertical; overflow: hidden; }}
    RowsPane {{ width: 1fr; height: 1fr; }}
    BaseScreen > #foot {{ height: {FOOT_HEIGHT}; dock: bottom; }}
    """

    def __init__(self) -> None:
        super().__init__()
        # Textual knows the size only after the first layout; with this the first one is right.
        breakpoints = (self.HORIZONTAL_BREAKPOINTS, self.VERTICAL_BREAKPOINTS or [])
        for cells, names in zip(self.app.size, breakpoints, strict=True):
            self.add_class(*[name for least, name in names if least <= cells][-1:], update=False)
        self.foot = FootPane(self.host.book, self.key_pairs, self.idle_text, id="foot")

    # The app

    @property
    def unsaved(self) -> str:
        """Why the fight of the screen is not saved; empty if it is, or if the screen plays none."""
        return ""

    @property
    def host(self) -> Host:
        return cast("Host", self.app)

    @property
    def names(self) -> KeyNames:
        return self.host.keys

    def offers(self) -> Iterable[Offer]:
        """The screen's entries in the command palette besides its actions."""
        return ()

    def moment(self) -> tuple[FightState, BaseSystem] | None:
        """The state and system of the fight that is shown, for the help screen; None for none."""
        return None

    def compose(self) -> ComposeResult:
        yield self.pane
        yield self.foot

    # The foot

    def say(self, message: str, tone: MessageTone = "info") -> None:
        self.foot.say(message, tone)

    def ask(self, text: str, *answers: Answer) -> None:
        self.foot.ask(text, *answers)

    def enter(
        self,
        prompt: str,
        done: Callable[[str], str | None],
        *,
        text: str = "",
        hint: str = "",
        changed: Callable[[str], None] | None = None,
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        """Ask for a line of text. `done` returns what is wrong with it, so that it can be corrected, or None."""
        self.foot.enter(Entry(prompt, TextLine.of(text), done, changed, cancelled, hint))

    def attempt(self, work: Callable[[], Result], tone: MessageTone = "error") -> Result | None:
        """What a function returns; after an error, which is shown, None."""
        try:
            return work()
        except (FightCallError, OSError) as error:
            self.say(str(error), tone)
            return None

    def idle_text(self) -> str:
        """What the foot shows without a message."""
        return ""

    def key_pairs(self) -> list[tuple[str, str]]:
        """The (key, text) pairs of the key bar, the most useful first."""
        return [(self.names.label(action.id), action.text) for action in self.shown_actions()]

    def shown_actions(self) -> Iterable[Action]:
        """The actions in the key bar: those of the scope that are possible now."""
        return (action for action in bar_of(self.SCOPE) if self.offers_action(action))

    def offers_action(self, action: Action) -> bool:
        """Whether the key bar and the palette offer an action now."""
        return bool(self.check_action(action.name, ()))

    # Keys

    async def on_key(self, event: events.Key) -> None:
        """Handle a key for an open question or a line being typed, else by its action.

        With a binding of Textual's, the action would run when the event has gone through the app's queue. Of two keys
        pressed in quick succession, the second would arrive before the first has taken effect, and be lost.
        """
        self.host.end_pause()
        if self.passes_keys:
            return
        if event.key.startswith("alt+") and event.is_printable and self._action_of(event.key) is None:
            # Escape and a letter in quick succession arrive as one key with Alt.
            for key, character in (("escape", None), (event.character or "", event.character)):
                self.app.screen.post_message(events.Key(key, character))
            is_used = True
        elif self.app.screen is not self:
            # An earlier key has opened another screen, which this one was meant for.
            self.app.screen.post_message(events.Key(event.key, event.character))
            is_used = True
        else:
            is_used = self.take_key(event.key, event.character) or await self.run_key(event.key)
        if not is_used:
            self.spare_key(event.key, event.character)
        else:
            event.stop()
            event.prevent_default()

    @property
    def passes_keys(self) -> bool:
        """Whether all keys are for the focused widget. By default no widget has the focus."""
        return False

    def _action_of(self, key: str) -> Action | None:
        return self.names.action_of(key, self.SCOPE if self.USES_ACTIONS else "everywhere")

    async def run_key(self, key: str) -> bool:
        """Run the action of a key. False if it has none that is possible now."""
        action = self._action_of(key)
        return action is not None and await self.perform(action.target)

    async def perform(self, target: str) -> bool:
        """Perform an action by its `target`. False if it is not possible now."""
        action = self.actions().get(target)
        if action is None:
            return await self.app.run_action(target, self)
        if not self.check_action(target, ()):
            return False
        action()
        return True

    def spare_key(self, key: str, character: str | None) -> None:
        """Say that a printable key, or one that edits text, means nothing."""
        if character and character.isprintable() and not character.isspace():
            self.say(self.names.means_nothing(character), "warn")
        elif key in EDITING:
            self.say(self.names.means_nothing(short_key(key)), "warn")

    def foresee(self) -> Iterator[None]:
        """Work out what the next key may need, piece by piece, and remember it; by default nothing."""
        return iter(())

    def take_key(self, key: str, character: str | None) -> bool:
        """Handle a key before the bindings. True if it was used."""
        return self.foot.press(key, character)

    def on_paste(self, event: events.Paste) -> None:
        self.foot.paste(event.text)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.paint)

    def paint(self) -> None:
        for pane in self.query(DrawnPane):
            pane.repaint()
        self.foot.repaint()

    # A cursor on a board, if the screen has one

    def walk(self, direction: str, arrow: str = "") -> None:
        """Move the cursor a step: in a direction such as ``NE``, or by an arrow key on a floor plan."""

    def actions(self) -> Actions:
        """What the actions do that are one call, by name; the others are methods. By default the steps of a cursor."""
        return {
            "east": partial(self.walk, "E", "right"),
            "west": partial(self.walk, "W", "left"),
            "north_east": partial(self.walk, "NE"),
            "north_west": partial(self.walk, "NW"),
            "south_east": partial(self.walk, "SE"),
            "south_west": partial(self.walk, "SW"),
            "up": partial(self.walk, "N", "up"),
            "down": partial(self.walk, "S", "down"),
        }

    # Everywhere

    def action_help(self) -> None:
        """Open the help screen for this one, except from screens that are only text."""
        if self.SCOPE != "help":
            self.host.open_screen("help", scope=self.SCOPE, fight=self.moment())

    async def _on_message(self, message: Message) -> None:
        if isinstance(message, _BEGINNING):
            await super()._on_message(message)
            return
        try:
            await super()._on_message(message)
        except Exception as fault:
            self.host.report(fault)


_SCROLLS = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -10, "pagedown": 10, "home": -(10**6), "end": 10**6}


class NoticeScreen(BaseScreen):
    """A title, and paragraphs that are wrapped and scrolled; the first one says what to do."""

    SCOPE = "help"
    USES_ACTIONS = False

    def __init__(self, title: str, paragraphs: Sequence[str]) -> None:
        super().__init__()
        self._paragraphs = tuple(paragraphs)
        self._top = 0
        self.pane = DrawnPane(self.host.book, self._draw, wheel=self._scroll, title=clean(title), frame=True, id="text")

    def key_pairs(self) -> list[tuple[str, str]]:
        return [(self.names.label("help.down"), "down"), ("any other key", "continue")]

    def _draw(self, cells: int, height: int) -> Drawing:
        rows = notice_rows(self._paragraphs, cells)
        self._top = max(0, min(self._top, len(rows) - height))
        return Drawing(stack(rows[self._top :], cells, height, "text"))

    def _scroll(self, rows: int) -> None:
        self._top += rows
        self.pane.repaint()

    def take_key(self, key: str, character: str | None) -> bool:
        if key in _SCROLLS:
            self._scroll(_SCROLLS[key])
        elif key.startswith("ctrl+"):
            return False
        else:
            self.host.leave_screen()
        return True

    def on_click(self, event: events.Click) -> None:
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
    """The screen while a fight is read; it is replaced by the fight's screen."""

    SCOPE = "library"
    USES_ACTIONS = False

    def __init__(self, path: Path, mode: Mode = "play") -> None:
        super().__init__()
        self._path = path
        self._mode: Mode = mode
        self._problem = ""
        self._ways_out: dict[str, Mode | Literal["repair"]] = {}
        self._opened = False
        self.pane = DrawnPane(self.host.book, self._draw, id="text")

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
        words = {"repair": "repair it; the damaged file is kept", "watch": "watch", "play": "try again"}
        pairs = [(key, words[way]) for key, way in self._ways_out.items()]
        return [*pairs, ("q", "back")] if self._problem else []

    def take_key(self, key: str, character: str | None) -> bool:
        if key in ("q", "escape"):
            self.host.leave_screen()
            return True
        way = self._ways_out.get(key)
        if way is None:
            return False
        if way == "repair":
            self._repair()
        elif way == "watch":
            self._mode = way
        self._open()
        return True

    def _open(self) -> None:
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
        from fightcall_engine.archive.journal import repair

        report = self.attempt(lambda: repair(self._path, can_be_played))
        if report is not None:
            note = f"; the damaged file is {report.original.name}" if report.original else ""
            self.app.notify(f"{repaired_in_words(report)}{note}", timeout=10)
