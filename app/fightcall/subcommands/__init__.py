"""The subcommands of ``fightcall``. Their functions take plain values and return an exit code.

This module has what the command line itself needs. It imports nothing, so that a subcommand loads only what it uses.
"""

from collections.abc import Sequence
from typing import NamedTuple

CHRONICLES = ("md", "html", "json")
"""The forms of a chronicle."""

REPLAY, PICTURES = "replay", ("svg", "png")
FORMS = (*CHRONICLES, REPLAY, *PICTURES)
"""All export formats."""

SHELLS = ("bash", "zsh", "fish", "tcsh")
"""The shells that completion scripts are written for."""


class Look(NamedTuple):
    """How to draw the screens: the theme (empty for the user's own), and whether to use the mouse."""

    theme: str = ""
    mouse: bool = True


class Names(NamedTuple):
    """The names for a completion script, by the argument they are for. Without them, any value is accepted."""

    fights: Sequence[str] = ()
    encounters: Sequence[str] = ()
    systems: Sequence[str] = ()
    themes: Sequence[str] = ()
    pages: Sequence[str] = ()
