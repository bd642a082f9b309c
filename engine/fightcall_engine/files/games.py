"""Games written in files: where they are, and what they say.

One comes with the program (``systems/<id>/<id>.toml``), or is the user's own: ``<id>.toml`` in a folder that the
program names as it starts. `kit.plugins` finds them beside the other rule systems.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fightcall_engine.files.texts import Lines, read_text
from fightcall_engine.model.values import frozen

SUFFIX = ".toml"
LARGEST_GAME = 200_000
"""The largest file of a game in bytes: many times what anybody writes by hand."""


@frozen
class GameFile:
    """A file with the rules of a game, as it was when it was read last.

    Attributes:
        name: the id of the system: the name of the file without its suffix.
        path: the file.
        encounters: the folder of the encounters that come with it; it need not exist.
        is_own: whether it is the user's own.
        rules_text: its text; empty if it can't be read at all.
        problems: what is wrong with it, each with its line if it has one.
    """

    name: str
    path: Path
    encounters: Path
    is_own: bool
    rules_text: str = ""
    problems: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """What is wrong with it in one line; empty for nothing."""
        more = f" (and {len(self.problems) - 1} more)" if len(self.problems) > 1 else ""
        return f"{self.path.name} has mistakes: {self.problems[0]}{more}" if self.problems else ""

    def problems_of_id(self, system_id: str) -> tuple[str, ...]:
        """What is wrong with the id in it, by which no saved fight would find the file."""
        if system_id == self.name:
            return ()
        line = Lines(self.rules_text).find(("id",))
        wrong = f"line {line}: id: {system_id!r} isn't the name of the file"
        return (f"{wrong}; accepted: {self.name!r}, or rename the file to {system_id}{SUFFIX}",)


@frozen
class Source:
    """Where the user's own games are, and how often the program has asked to read them again."""

    folder: Path | None = None
    readings: int = 0


class _Program:
    """What this program reads."""

    source = Source()


def use_games(folder: Path | None) -> None:
    """Find the user's own games in a folder, which need not exist; None for no own games."""
    _Program.source = Source(folder, _Program.source.readings + 1)


def read_games_again() -> None:
    """Read the files of games again when they are next needed, as they may have changed.

    Fights in progress keep the text that they began with.
    """
    use_games(_Program.source.folder)


def source_of_games() -> Source:
    """Where the user's own games are."""
    return _Program.source


def find_game_files(systems: Path, own: Path | None) -> Iterator[GameFile]:
    """The games that ship in a folder of systems, and then those in the user's folder, not yet read."""
    shipped = (path for path in sorted(systems.glob(f"*/*{SUFFIX}")) if path.stem == path.parent.name)
    for path in shipped:
        yield GameFile(path.stem, path, path.parent / "encounters", is_own=False)
    for path in sorted(own.glob(f"[!.]*{SUFFIX}")) if own is not None else ():
        yield GameFile(path.stem, path, systems / path.stem / "encounters", is_own=True)


def read_game_file(game: GameFile) -> GameFile:
    """Read a file as it is now, with the problems that prevent it. Its rules are not checked."""
    try:
        return replace(game, rules_text=read_text(game.path, LARGEST_GAME), problems=())
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8 text (byte {error.start})"
    except OSError as error:
        problem = f"can't be read: {error.strerror or error}"
    return replace(game, rules_text="", problems=(problem,))
