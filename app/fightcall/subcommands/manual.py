"""The texts of ``--help`` besides the arguments: descriptions, examples, notes and related subcommands."""

from __future__ import annotations

import textwrap
import tomllib
from functools import cache
from pathlib import Path

from fightcall_engine.model.values import frozen

_FILE = Path(__file__).with_name("manual.toml")
_WIDE, _WIDEST = 80, 100
"""The width of a usual terminal, and of the longest readable line."""
PROGRAM = "fightcall"
"""The name of the program's own page."""


@frozen
class Page:
    """The manual page of a subcommand.

    Attributes:
        about: what it does.
        examples: command lines, each with what it does.
        notes: further notes, as printed.
        also: related subcommands.
    """

    about: str
    examples: tuple[tuple[str, str], ...]
    notes: str = ""
    also: tuple[str, ...] = ()

    def summary(self, width: int) -> str:
        """The description, wrapped to a width."""
        return "\n\n".join(textwrap.fill(part, min(width, _WIDEST)) for part in self.about.split("\n\n"))

    @property
    def foot(self) -> str:
        """Examples, notes and related subcommands, as printed below the arguments."""
        wide = max(len(line) for line, _ in self.examples)
        fits_beside = wide + max(len(what) for _, what in self.examples) < _WIDE - 4
        lines = (
            f"  {line:<{wide}}  {what}" if fits_beside else f"  {line}\n      {what}" for line, what in self.examples
        )
        parts = ["\n".join(["examples:", *lines])]
        parts += [self.notes] if self.notes else []
        parts += [f"see also: {', '.join(f'{PROGRAM} {name}' for name in self.also)}"] if self.also else []
        return "\n\n".join(parts)


@cache
def pages() -> dict[str, Page]:
    """All pages by subcommand, with the program's own under `PROGRAM`."""
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {
        name: Page(
            str(page["about"]).strip(),
            tuple((str(line), str(what)) for line, what in page["examples"]),
            str(page.get("notes", "")).strip(),
            tuple(page.get("also", ())),
        )
        for name, page in data.items()
    }
