"""What every screen is made of: keys for the declared actions, a foot, and access to the app."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Protocol, cast

from textual import events
from textual.message import Message
from textual.screen import Screen

from fightcall.actions import Action, KeyNames, Scope, bar_of, short_key
from fightcall.flows.foot import HEIGHT, Answer, Entry, Foot, TextLine, Tone
from fightcall.panes.base import DrawnPane, FootPane, StyleBook

if TYPE_CHECKING:
    from fightcall.themes import FightTheme
    from fightcall.user_files import Paths
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.fight import Fight

ScreenName = Literal[
    "library",
    "opening",
    "fight",
    "replay",
    "players",
    "sharing",
    "setup",
    "form",
    "pick",
    "placing",
    "painting",
    "help",
    "notice",
]
"""The names of screens; see `fightcall.app.SCREENS`."""

Mode = Literal["play", "watch", "replay"]
"""How a fight is opened."""

WIDE = 110
"""The width from which panes fit side by side."""

EDITING = ("backspace", "delete", "insert")
"""Keys that edit text, and elsewhere mean nothing."""
_BEGINNING = (events.Compose, events.Load, events.Mount, events.Unmount)
"""Messages whose faults go to the app, because without them there is no working screen to stay on."""


class Host(Protocol):
    """The app, as screens see it.

    Attributes:
        keys: the keys in force.
        book: the styles and marks in force.
        paths: the user's folders.
        played: the fight last played; None once the library has updated its card.
    """

    keys: KeyNames
    book: StyleBook
    paths: Paths
    played: Fight | None

    def open_screen(self, name: ScreenName, **kwargs: object) -> None:
        """Push a screen.

        Args:
            name: its name.
            **kwargs: the arguments of its class.
        """

    def replace_screen(self, name: ScreenName, **kwargs: object) -> None:
        """Replace the present screen, as `open_screen` makes it."""

    def leave_screen(self) -> None:
        """Go back to the previous screen; from the first one, leave the program."""

    def all_themes(self) -> Mapping[str, FightTheme]:
        """All themes by name, ours and the user's."""

    def show_theme(self, name: str) -> None:
        """Switch to a theme, and save it in the settings."""

    def report(self, fault: Exception) -> None:
        """Report an unexpected fault, with what to do."""

    def rest_memory(self) -> None:
        """Exclude present objects from garbage collection, which makes its pauses short."""


Actions = Mapping[str, Callable[[], object]]
"""What actions do, by name."""


class Offer(NamedTuple):
    """A screen's own entry in the command palette: its text, a help text, and what it does."""

    text: str
    help: str
    do: Callable[[], object]


class BaseScreen(Screen[None]):
    """The base class of screens: the keys of one scope of actions, and a foot of two rows.

    A screen names its `SCOPE`, yields its panes and then `self.foot` from `compose`, and has an entry in `actions` or a
    method ``action_<name>`` for each action of its scope; or it sets `USES_ACTIONS` to False and handles the keys
    itself. Screens derive only from this class: what two of them share, such as `FightPanes`, is an object that both
    hold.
    """

    SCOPE: ClassVar[Scope]
    USES_ACTIONS: ClassVar[bool] = True
    AUTO_FOCUS = ""
    BLANK = True
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 (as Textual declares it)
    DEFAULT_CSS = f"""
    BaseScreen {{ background: $background; layout: vertical; overflow: hidden; }}
    RowsPane {{ width: 1fr; height: 1fr; }}
    BaseScreen > #foot {{ height: {HEIGHT}; dock: bottom; }}
    """

    def __init__(self) -> None:
        super().__init__()
        # Textual knows the width only after the first layout; with this the first one is right.
        narrow = self.app.size.width < WIDE
        self.set_class(narrow, "-narrow")
        self.set_class(not narrow, "-wide")
        self.foot = FootPane(self.host.book, self.key_pairs, self.idle_text, id="foot")

    # The app

    @property
    def unsaved(self) -> str:
        """Why the fight of the screen is not saved; empty if it is, or if the screen plays none."""
        return ""

    @property
    def host(self) -> Host:
        """The app, as screens see it."""
        return cast("Host", self.app)

    @property
    def names(self) -> KeyNames:
        """The keys in force."""
        return self.host.keys

    def offers(self) -> Iterable[Offer]:
        """The screen's entries in the command palette besides its actions."""
        return ()

    def moment(self) -> tuple[FightState, BaseSystem] | None:
        """The state and system of the fight that is shown, for the help screen; None for none."""
        return None

    # The foot

    @property
    def said(self) -> Foot:
        """What the foot shows."""
        return self.foot.said

    def say(self, message: str, tone: Tone = "info") -> None:
        """Show a message until the next key."""
        self.foot.say(message, tone)

    def ask(self, text: str, *answers: Answer) -> None:
        """Ask a question that one key answers."""
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

    def take_key(self, key: str, character: str | None) -> bool:
        """Handle a key before the bindings. True if it was used."""
        return self.foot.press(key, character)

    def on_paste(self, event: events.Paste) -> None:
        """Paste text into the line being typed."""
        self.foot.paste(event.text)

    def on_resize(self, event: events.Resize) -> None:
        """Redraw after the panes have been resized."""
        self.call_after_refresh(self.paint)

    def paint(self) -> None:
        """Redraw everything."""
        for pane in self.query(DrawnPane):
            pane.repaint()
        self.foot.repaint()

    # A cursor on a board, if the screen has one

    def walk(self, direction: str, arrow: str = "") -> None:
        """Move the cursor a step. By default there is no cursor.

        Args:
            direction: the direction on a grid, such as ``NE``.
            arrow: the arrow key that was pressed, for a floor plan; empty for other keys.
        """

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
        """The error boundary: a fault in a handler is reported, and the screen stays open."""
        if isinstance(message, _BEGINNING):
            await super()._on_message(message)
            return
        try:
            await super()._on_message(message)
        except Exception as fault:
            self.host.report(fault)
