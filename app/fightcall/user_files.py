"""The user's files: where they are, when they were saved, and the problems in them.

Nothing is created here. ``FIGHTCALL_HOME`` puts everything under one folder, such as on a memory stick or in a test.

Readers of files collect all problems and go on with what is valid, so that everything can be fixed at once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, tzinfo
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fightcall_engine.files import texts
from fightcall_engine.files.texts import read_text
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.archive.journal import RepairReport

HOME = "FIGHTCALL_HOME"
_NAME = "fightcall"

MOST_CONDITIONS = 40
"""The most conditions that are kept; the oldest are dropped."""
LONGEST_CONDITION = 40


@frozen
class Paths:
    """The user's folders.

    Attributes:
        data: the folder of the library.
        config: the folder of settings, keys, themes, encounters and games.
    """

    data: Path
    config: Path

    @property
    def library(self) -> Path:
        """The folder of `Library.open`."""
        return self.data

    @property
    def encounters(self) -> Path:
        """The folder of the user's encounter files."""
        return self.config / "encounters"

    @property
    def systems(self) -> Path:
        """The folder of the user's own games, one TOML file each."""
        return self.config / "systems"

    @property
    def drafts(self) -> Path:
        """The folder of unsaved drafts."""
        return self.data / "drafts"

    @property
    def players_key(self) -> Path:
        """The secret from which addresses of the players' page are made."""
        return self.data / "players.key"

    @property
    def themes(self) -> Path:
        """The folder of the user's themes."""
        return self.config / "themes"

    @property
    def keys(self) -> Path:
        """The user's key map."""
        return self.config / "keys.toml"

    @property
    def settings(self) -> Path:
        """The user's settings."""
        return self.config / "settings.toml"

    @property
    def conditions(self) -> Path:
        """The GM's own conditions, one a line, the newest first."""
        return self.config / "conditions.txt"

    @property
    def setting_files(self) -> Path:
        """The folder of the user's files for settings of rule systems, with a subfolder for each system."""
        return self.config / "settings"


def find_paths(environ: Mapping[str, str] = os.environ) -> Paths:
    """The user's folders: those of the operating system, or ``FIGHTCALL_HOME``.

    Raises:
        BadInput: ``FIGHTCALL_HOME`` begins with an unknown user.
    """
    home = environ.get(HOME, "")
    if home:
        try:
            root = Path(home).expanduser()
        except RuntimeError as error:
            raise BadInput(HOME, (f"{home}: this user has no home folder; give a path",)) from error
        return Paths(root / "data", root / "config")
    from platformdirs import user_config_path, user_data_path

    return Paths(
        user_data_path(_NAME, appauthor=False, roaming=False),
        user_config_path(_NAME, appauthor=False, roaming=True),
    )


# Problems, with their lines


class Problem(NamedTuple):
    """A problem in a file.

    Attributes:
        path: The file.
        line: Its line, from 1; None if it belongs to no line.
        message: What is wrong and what would be accepted.
    """

    path: Path
    line: int | None
    message: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{where}: {self.message}"


class TomlText(NamedTuple):
    """A parsed TOML file with its text."""

    path: Path
    text: str
    data: dict[str, object]

    def problem(self, keys: Sequence[str], message: str) -> Problem:
        """A problem at a key, given by its path."""
        return Problem(self.path, line_of(self.text, keys), message)


_TABLE = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")


def _plain(key: str) -> str:
    return re.sub(r"\s*\.\s*", ".", key).replace('"', "").replace("'", "")


def line_of(text: str, keys: Sequence[str]) -> int | None:
    """The line, from 1, of a key or table in a TOML text; else of the nearest table above it."""
    dotted_key = ".".join(keys)
    table = ""
    nearest: tuple[int, int] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _TABLE.match(line):
            name = table = _plain(header[1])
        elif match := _KEY.match(line):
            name = f"{table}.{_plain(match[1])}" if table else _plain(match[1])
        else:
            continue
        if name == dotted_key:
            return number
        if dotted_key.startswith(name + ".") and (nearest is None or len(name) > nearest[0]):
            nearest = (len(name), number)
    return nearest[1] if nearest else None


def parse_toml(text: str, path: Path) -> TomlText | Problem:
    """Parse a TOML text. Returns the tables, or the first syntax error."""
    try:
        return TomlText(path, text, texts.parse_toml(text))
    except ValueError as error:
        match = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        if match is None:
            return Problem(path, len(text.splitlines()), f"not TOML: {error}")
        reason = str(error).replace(match[0], f"(column {match[2]})")
        return Problem(path, int(match[1]), f"not TOML: {reason}")


def read_toml(path: Path) -> TomlText | Problem:
    """Read a TOML file. Returns the tables, or the problem that prevents it."""
    try:
        text = read_text(path)
    except OSError as error:
        return Problem(path, None, f"can't be read: {error.strerror or error}")
    except UnicodeDecodeError as error:
        return Problem(path, None, f"not UTF-8 text (byte {error.start}); save it as UTF-8")
    return parse_toml(text, path)


def flatten(table: Mapping[str, object], above: str = "") -> dict[str, object]:
    """Nested tables as one table with dotted keys."""
    flat: dict[str, object] = {}
    for key, value in table.items():
        name = f"{above}.{key}" if above else key
        if isinstance(value, dict):
            flat |= flatten(value, name)
        else:
            flat[name] = value
    return flat


def did_you_mean(word: str, names: Sequence[str]) -> str:
    """The end of a message about an unknown word: the most similar known one, or nothing."""
    near = get_close_matches(word, names, n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


# Conditions in the GM's own words


def own_conditions(path: Path) -> tuple[str, ...]:
    """Read the conditions that were kept, the newest first; none if the file can't be read."""
    try:
        lines = read_text(path).splitlines() if path.exists() else []
    except (ValueError, OSError):
        return ()
    names = dict.fromkeys(line.strip() for line in lines)
    return tuple(name for name in names if _can_be_kept(name))[:MOST_CONDITIONS]


def keep_condition(path: Path, name: str) -> None:
    """Keep a condition as the newest one.

    Raises:
        OSError: it can't be written; the file is as it was.
    """
    from fightcall_engine.archive.fsutil import write_atomically

    before = own_conditions(path)
    if before[:1] == (name,) or not _can_be_kept(name):
        return
    names = tuple(dict.fromkeys((name, *before)))[:MOST_CONDITIONS]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, "".join(f"{each}\n" for each in names).encode(), keep_previous=False)


def _can_be_kept(name: str) -> bool:
    return 0 < len(name) <= LONGEST_CONDITION and name.isprintable() and name == name.strip()


# Saved times (UTC) in local time


def time_text(moment: str, zone: tzinfo | None = None, *, today: date | None = None) -> str:
    """Return the local time of an ISO time, with its date unless that is today; any other text as it is."""
    try:
        time = datetime.fromisoformat(moment).astimezone(zone)
    except ValueError:
        return moment
    return time.strftime("%H:%M" if time.date() == (today or datetime.now(zone).date()) else "%Y-%m-%d %H:%M")


def when_text(moment: str, zone: tzinfo | None = None, *, to_the_second: bool = False) -> str:
    """Return an ISO time in local time, to the minute, or without the year to the second; any other text as it is."""
    form = "%m-%d %H:%M:%S" if to_the_second else "%Y-%m-%d %H:%M"
    try:
        return datetime.fromisoformat(moment).astimezone(zone).strftime(form)
    except ValueError:
        return moment


# Repairs


def repaired_in_words(report: RepairReport) -> str:
    """The result of a repair in words."""
    parts = [f"{report.kept} lines kept"]
    if report.corrected:
        parts.append(f"{report.corrected} corrected")
    if report.lost:
        parts.append(f"{report.lost} lost, replaced by notes")
    if report.dropped:
        parts.append(f"{report.dropped} intact lines left out, because they depend on lost ones")
    return "; ".join(parts)
