"""What a screen may ask of the app: the one thing that screens know of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from fightcall.actions import KeyNames
    from fightcall.paint.terminal_screen import TerminalScreen
    from fightcall.panes.styles import StyleBook
    from fightcall.paths import Paths
    from fightcall.themes import FightTheme
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
"""The screens by name; `fightcall.app.SCREENS` says where each is."""

Mode = Literal["play", "watch", "replay"]
"""What a fight is opened for."""


class Host(Protocol):
    """The app, as screens see it.

    Attributes:
        keys: the keys in force.
        book: the styles and marks in force.
        paths: the user's folders.
        terminal: what the terminal shows.
        played: the fight last opened to be played, None where the library has taken note of it.
    """

    keys: KeyNames
    book: StyleBook
    paths: Paths
    terminal: TerminalScreen
    played: Fight | None

    def open_screen(self, name: ScreenName, **kwargs: object) -> None:
        """Put a screen over the present one.

        Args:
            name: which screen.
            **kwargs: what the screen is made with, by the names of its own parameters.
        """

    def replace_screen(self, name: ScreenName, **kwargs: object) -> None:
        """Put a screen in place of the present one, made as by `open_screen`."""

    def leave_screen(self) -> None:
        """Go back to the screen before; from the first one, leave the program."""

    def all_themes(self) -> Mapping[str, FightTheme]:
        """Every theme there is by its name, ours and the user's."""

    def show_theme(self, name: str) -> None:
        """Change to a theme, and remember it."""

    def report(self, fault: Exception) -> None:
        """Show an unexpected fault with what to do."""

    def rest_memory(self) -> None:
        """Tell the garbage collector that what is there now is there to stay: afterwards its pauses are short."""
