"""What the ``fightcall`` command can do, one idea a module. Each function takes plain values and gives an exit code.

Here is what the command line itself has to know; nothing is imported, so that a subcommand pays only for what it uses.
"""

from collections.abc import Sequence
from typing import NamedTuple

CHRONICLES = ("md", "html", "json")
"""The forms of a chronicle."""

REPLAY, PICTURES = "replay", ("svg", "png")
FORMS = (*CHRONICLES, REPLAY, *PICTURES)
"""All that a fight can be exported to."""

SHELLS = ("bash", "zsh", "fish", "tcsh")
"""The shells that completion scripts are written for."""


class Look(NamedTuple):
    """How the screens are to be drawn: under which theme (empty for the user's own), and with the mouse or without."""

    theme: str = ""
    mouse: bool = True


class Names(NamedTuple):
    """The names that a completion script completes, each where it can stand; without them anything is taken."""

    fights: Sequence[str] = ()
    encounters: Sequence[str] = ()
    systems: Sequence[str] = ()
    themes: Sequence[str] = ()
    pages: Sequence[str] = ()
