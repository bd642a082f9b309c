"""The interface of the app for screens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from fightcall.actions import KeyNames
    from fightcall.panes.base import StyleBook
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
"""The names of screens; see `fightcall.app.SCREENS`."""

Mode = Literal["play", "watch", "replay"]
"""How a fight is opened."""


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
