"""What ``--help`` says beside a subcommand's arguments: how it behaves, examples, what belongs to it."""

from __future__ import annotations

import textwrap
import tomllib
from functools import cache
from pathlib import Path

from fightcall_engine.model.values import frozen

_FILE = Path(__file__).with_name("manual.toml")
_WIDE, _WIDEST = 80, 100
"""Cells of a usual terminal, and of the longest line that is good to read."""
PROGRAM = "fightcall"
"""The page of the program itself."""


@frozen
class Page:
    """The manual of one subcommand.

    Attributes:
        about: what it does, in some lines.
        examples: command lines, each with what it does.
        notes: what else there is to know, as it is to be printed.
        also: subcommands that belong to it.
    """

    about: str
    examples: tuple[tuple[str, str], ...]
    notes: str = ""
    also: tuple[str, ...] = ()

    def summary(self, width: int) -> str:
        """What it does, in lines of at most a width."""
        return "\n\n".join(textwrap.fill(part, min(width, _WIDEST)) for part in self.about.split("\n\n"))

    @property
    def foot(self) -> str:
        """Examples, notes and what belongs to it, as they stand below the arguments."""
        wide = max(len(line) for line, _ in self.examples)
        beside = wide + max(len(what) for _, what in self.examples) < _WIDE - 4
        lines = (f"  {line:<{wide}}  {what}" if beside else f"  {line}\n      {what}" for line, what in self.examples)
        parts = ["\n".join(["examples:", *lines])]
        parts += [self.notes] if self.notes else []
        parts += [f"see also: {', '.join(f'{PROGRAM} {name}' for name in self.also)}"] if self.also else []
        return "\n\n".join(parts)


@cache
def pages() -> dict[str, Page]:
    """Every page by its subcommand; the program's own by `PROGRAM`."""
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
