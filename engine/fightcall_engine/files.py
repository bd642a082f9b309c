"""Reading files that people write: within limits, with the line of every key, and all faults reported together.

Games written in files are among them. One comes with the program (``systems/<id>/<id>.toml``), or is the user's own:
``<id>.toml`` in a folder that the program names as it starts. `kit.plugins` finds them beside the other rule systems.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO, TypeAlias, TypeVar, get_args

from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.values import frozen, replace

if TYPE_CHECKING:
    from pydantic import BaseModel, ConfigDict, ValidationError
    from pydantic_core import ErrorDetails

    PartT = TypeVar("PartT", bound=BaseModel)


LARGEST_TEXT = 1_000_000
"""The most bytes of a file written by hand: settings, keys, a theme, an armoury, a table of chances."""

LONGEST_NAME = 200
STRICT: ConfigDict = {"extra": "forbid", "strict": True, "allow_inf_nan": False}
"""The configuration of the models of such files."""

_PIECE = 1 << 18
_DEEPEST = 20
_LONGEST_WORD = 1000

KeyPath: TypeAlias = tuple[str | int, ...]
"""The path to a value: keys, and positions in arrays from 0."""

TOKEN = re.compile(
    r"""
      (?P<text>\"{3}(?:\\.|[^\\])*?\"{3,5} | '{3}.*?'{3,5} | "(?:\\.|[^"\\\n])*" | '[^'\n]*')
    | (?P<comment>\#[^\n]*)
    | (?P<newline>\n)
    | (?P<mark>[\[\]{}=,])
    | (?P<dot>\.)
    | (?P<bare>[^\s\[\]{}=,.\#"']+)
    """,
    re.VERBOSE | re.DOTALL,
)


def open_file(path: Path) -> BinaryIO:
    """Open a file without blocking. Raises OSError: it can't be opened, or isn't a regular file, such as a pipe."""
    try:
        # Opening a pipe without a writer would block for ever.
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error), repr(str(path))) from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "isn't a regular file", str(path))
    return os.fdopen(fd, "rb")


def read_bytes(path: Path, most: int = LARGEST_TEXT) -> bytes:
    """The bytes of a file. Raises OSError: it can't be read, isn't a regular file, or has more than ``most`` bytes."""
    pieces: list[bytes] = []
    with open_file(path) as file:
        # Piece by piece, for `read` takes the memory for as much as it is asked for.
        while piece := file.read(_PIECE):
            pieces.append(piece)
            if (len(pieces) - 1) * _PIECE + len(piece) > most:
                raise OSError(errno.EFBIG, f"is larger than {most} bytes", str(path))
    return b"".join(pieces)


def read_text(path: Path, most: int = LARGEST_TEXT) -> str:
    """The text of a file, without a byte order mark, and with plain line feeds.

    Raises OSError as `read_bytes`; UnicodeDecodeError: it is not UTF-8.
    """
    return read_bytes(path, most).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def parse_toml(text: str) -> dict[str, object]:
    """The tables of a TOML text. Raises ValueError: a syntax error, or it is nested too deeply."""
    depth = parts = 0
    for match in TOKEN.finditer(text):
        kind, token = match.lastgroup, match[0]
        if kind == "dot":
            parts += 1
        elif kind == "newline":
            parts = 0
        elif kind == "mark":
            parts = 0
            depth += (token in "[{") - (token in "]}")
        elif kind == "bare" and len(token) > _LONGEST_WORD:
            line = text.count("\n", 0, match.start()) + 1
            raise ValueError(f"a name or number of {len(token)} characters (at line {line}, column 1)")
        if max(depth, parts) > _DEEPEST:
            line = text.count("\n", 0, match.start()) + 1
            raise ValueError(f"lists or tables are nested too deeply (at line {line}, column 1)")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("lists or tables are nested too deeply") from None


def plain_name(text: str) -> str:
    """Check a name: 1 to 200 characters, without control characters. Raises ValueError: says what is wrong."""
    if not text.strip():
        raise ValueError(f"is blank; write 1 to {LONGEST_NAME} characters")
    if len(text) > LONGEST_NAME:
        raise ValueError(f"has {len(text)} characters; the limit is {LONGEST_NAME}")
    return without_controls(text)


def without_controls(text: str, allowed: str = "") -> str:
    """Check that a text has no control characters but those allowed."""
    for place, letter in enumerate(text, start=1):
        if unicodedata.category(letter) == "Cc" and letter not in allowed:
            raise ValueError(f"has a control character (U+{ord(letter):04X}) at place {place}; leave it out")
    return text


# The line of every key


class Lines:
    """The line of each key, table and array element of a TOML text that `tomllib` has accepted, counted from 1.

    It never fails: for what is not there, it gives the line of the enclosing part.
    """

    def __init__(self, text: str) -> None:
        text = text.replace("\r\n", "\n")
        self._lines: dict[KeyPath, int] = {(): 1}
        self._content: dict[KeyPath, int] = {}
        self._sizes: dict[KeyPath, int] = {}
        self._tokens: list[tuple[str, str, int]] = []
        line = 1
        for match in TOKEN.finditer(text):
            kind, token = match.lastgroup or "", match.group()
            if kind != "comment":
                self._tokens.append((kind, token, line))
            line += token.count("\n")
        self._at = 0
        table: KeyPath = ()
        while True:
            self._skip_newlines()
            kind, token, _ = self._peek()
            if kind == "end":
                return
            if token == "[":
                table = self._read_header()
            else:
                self._read_pair(table)

    def find(self, path: KeyPath) -> int:
        """The line of the value at a path, or of the nearest enclosing part."""
        while path not in self._lines:
            path = path[:-1]
        return self._lines[path]

    def content(self, path: KeyPath) -> int:
        """The line on which the characters of a text begin, perhaps the next for a multi-line one."""
        return self._content.get(path, self.find(path))

    def next_after(self, path: KeyPath, end: int) -> int:
        """The first line after a table with content outside of it, or `end`."""
        start, size = self.find(path), len(path)
        behind = (line for other, line in self._lines.items() if line > start and other[:size] != path)
        return min(behind, default=end)

    # Reading the structure

    def _peek(self) -> tuple[str, str, int]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "", 0)

    def _take(self) -> tuple[str, str, int]:
        token = self._peek()
        self._at += 1
        return token

    def _skip_newlines(self) -> None:
        while self._peek()[0] == "newline":
            self._at += 1

    def _read_header(self) -> KeyPath:
        _, _, line = self._take()
        array = self._peek()[1] == "["
        if array:
            self._take()
        path: KeyPath = ()
        *outer, last = self._read_key()
        for key in outer:
            path = self._inside(key, path)
        path = (*path, last)
        self._lines.setdefault(path, line)
        if array:
            number = self._sizes.get(path, 0)
            self._sizes[path] = number + 1
            path = (*path, number)
            self._lines[path] = line
        while self._peek()[0] not in ("newline", "end"):
            self._take()
        return path

    def _inside(self, key: str, path: KeyPath) -> KeyPath:
        """The path one key deeper; in an array of tables, of its newest element."""
        path = (*path, key)
        return (*path, self._sizes[path] - 1) if path in self._sizes else path

    def _read_key(self) -> list[str]:
        keys = []
        while self._peek()[0] in ("bare", "text", "dot"):
            kind, token, _ = self._take()
            if kind == "bare":
                keys.append(token)
            elif kind == "text":
                keys.append(str(tomllib.loads(f"key = {token}")["key"]))
        return keys or [""]

    def _read_pair(self, table: KeyPath) -> None:
        _, _, line = self._peek()
        path = (*table, *self._read_key())
        for length in range(len(table) + 1, len(path) + 1):
            self._lines.setdefault(path[:length], line)
        self._take()
        self._read_value(path)

    def _read_value(self, path: KeyPath) -> None:
        kind, token, line = self._take()
        if kind == "text":
            self._content[path] = line + (token[3:4] == "\n" and token[:3] in ('"""', "'''"))
        elif token in ("[", "{"):
            self._read_nested(path, "]" if token == "[" else "}")
        elif kind != "end":
            while self._peek()[0] in ("bare", "dot"):
                self._take()

    def _read_nested(self, path: KeyPath, closing: str) -> None:
        """Read the elements of an array, or the pairs of an inline table, to the closing mark."""
        number = 0
        while True:
            self._skip_newlines()
            kind, token, line = self._peek()
            if kind == "end" or token == closing:
                self._take()
                return
            if token == ",":
                self._take()
            elif closing == "}":
                self._read_pair(path)
            else:
                self._lines[(*path, number)] = line
                self._read_value((*path, number))
                number += 1


# Faults


class Complaints:
    """The faults of a file, each with a line and a message.

    Attributes:
        text: the file's text.
        stand_ins: values for required fields that are missing or invalid, by name.
        faulty: the paths of the parts of which only some fields are valid.
    """

    def __init__(self, text: str, stand_ins: Mapping[str, object] = MappingProxyType({})) -> None:
        self.text = text
        self.stand_ins = stand_ins
        self.faulty: set[KeyPath] = set()
        self.found: list[tuple[int, str]] = []

    @cached_property
    def lines(self) -> Lines:
        """The line of everything in the file; without faults, nobody asks."""
        return Lines(self.text)

    def add(self, path: KeyPath, message: str) -> None:
        """Add a fault of the value at a path."""
        self.add_line(self.lines.find(path), message)

    def add_line(self, line: int, message: str) -> None:
        """Add a fault of a line."""
        self.found.append((line, message))

    def in_order(self) -> tuple[str, ...]:
        """The faults in the order of the file, without duplicates."""
        by_line = sorted(self.found, key=lambda complaint: complaint[0])
        return tuple(dict.fromkeys(f"line {line}: {message}" for line, message in by_line))

    def part(self, kind: type[PartT], data: Mapping[str, object], path: KeyPath, context: object = None) -> PartT:
        """Read the part of the file at `path`; of a faulty one, its valid fields. `context` is pydantic's."""
        from pydantic import ValidationError

        try:
            return kind.model_validate(dict(data), context=context)
        except ValidationError as error:
            bad = self._explain(error, kind, data, path)
        self.faulty.add(path)
        fields = {field.alias or name: field for name, field in kind.model_fields.items()}
        stand_ins = {key: self.stand_ins[key] for key, field in fields.items() if field.is_required()}
        good = {key: value for key, value in data.items() if key in fields and key not in bad}
        return kind.model_validate({**stand_ins, **good}, context=context)

    def _explain(
        self, error: ValidationError, kind: type[BaseModel], data: Mapping[str, object], path: KeyPath
    ) -> set[str]:
        bad = set()
        expected: dict[KeyPath, tuple[list[str], object]] = {}
        for problem in error.errors(include_url=False):
            bad.add(str(problem["loc"][0]) if problem["loc"] else "")
            place, accepted_keys = _follow(kind, data, problem["loc"])
            if problem["type"] in _EXPECTED:
                # A value that can be of several types has a problem for each.
                expected.setdefault(place, ([], problem["input"]))[0].append(_EXPECTED[problem["type"]])
            else:
                self.add((*path, *place), _in_words(problem, format_path((*path, *place)), accepted_keys))
        for place, (kinds, value) in expected.items():
            text = f"{format_path((*path, *place))}: expected {' or '.join(dict.fromkeys(kinds))} (got {_shown(value)})"
            self.add((*path, *place), text)
        return bad


def _follow(kind: type[BaseModel], data: object, loc: KeyPath) -> tuple[KeyPath, tuple[str, ...]]:
    """Where an error is, and the keys accepted there. A union reports under names of its members, which are no keys."""
    place: list[str | int] = []
    model: type[BaseModel] | None = kind
    accepted_keys: tuple[str, ...] = ()
    for key in loc:
        fields = model.model_fields if model is not None else {}
        accepted_keys = tuple(field.alias or name for name, field in fields.items()) or accepted_keys
        if isinstance(data, Mapping) and isinstance(key, str) and (key in data or key in accepted_keys):
            data = data.get(key)
        elif isinstance(data, list) and isinstance(key, int) and key < len(data):
            data = data[key]
        else:
            continue
        place.append(key)
        if isinstance(key, str) and fields:
            field = next((each for name, each in fields.items() if (each.alias or name) == key), None)
            model = _model_in(field.annotation) if field is not None else None
    return tuple(place), accepted_keys


def _model_in(annotation: object) -> type[BaseModel] | None:
    from pydantic import BaseModel

    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)


def format_path(path: KeyPath) -> str:
    """A path as in the file, without the positions of tables."""
    return ".".join(str(key) for key in path if not isinstance(key, int)) or "file"


_EXPECTED: Mapping[str, str] = {
    "bool_type": "true or false", "int_type": "a whole number", "int_from_float": "a whole number",
    "float_type": "a number", "string_type": "text in quotes", "list_type": "a list in brackets",
    "dict_type": "a table, such as { name = 1 }", "model_type": "a table, such as { name = 1 }",
}  # fmt: skip
_LIMITS: Mapping[str, tuple[str, str]] = {
    "greater_than_equal": ("at least", "ge"), "greater_than": ("more than", "gt"),
    "less_than_equal": ("at most", "le"), "less_than": ("less than", "lt"),
}  # fmt: skip


def _shown(value: object) -> str:
    return repr(value)[:60]


def _in_words(problem: ErrorDetails, name: str, accepted_keys: tuple[str, ...]) -> str:
    if problem["type"] == "extra_forbidden":
        return unknown_key(name, str(problem["loc"][-1]), accepted_keys)
    if problem["type"] == "missing":
        return f"{name} is missing"
    if problem["type"] == "literal_error":
        words = filter(None, re.findall(r"'([^']*)'", problem["ctx"]["expected"]))
        return unknown_key(f"{name}: {_shown(problem['input'])}", str(problem["input"]), words)
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "value_error":
        return f"{name} {message}"
    if problem["type"] in _LIMITS:
        words_for_it, limit = _LIMITS[problem["type"]]
        message = f"expected {words_for_it} {problem['ctx'][limit]:.12g}"
    return f"{name}: {message} (got {_shown(problem['input'])})"


def unknown_key(name: str, key: str, accepted_keys: Iterable[str]) -> str:
    """The message about an unknown key, with the most similar known one."""
    return f"{name}: unknown; {accepted_words(key, accepted_keys)}"


def accepted_words(word: str, accepted: Iterable[str], nothing: str = "nothing") -> str:
    """The end of a message about an unknown word: the most similar known one, and all."""
    accepted = tuple(accepted)
    near = get_close_matches(word, accepted, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}accepted: {', '.join(accepted) or nothing}"


SUFFIX = ".toml"
LARGEST_GAME = 200_000
"""The largest file of a game in bytes: many times what anybody writes by hand."""


@frozen
class GameFile:
    """A file with the rules of a game, as it was when it was read last.

    Attributes:
        name: the id of the system: the name of the file without its suffix.
        encounters: the folder of the encounters that come with it; it need not exist.
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
    source = Source()


def use_games(folder: Path | None) -> None:
    """Find the user's own games in a folder, which need not exist; None for no own games."""
    _Program.source = Source(folder, _Program.source.readings + 1)


def read_games_again() -> None:
    """Read the files of games again when next needed. Fights in progress keep the text that they began with."""
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


def read_toml(
    text: str, where: str, stand_ins: Mapping[str, object], accepts: str = ""
) -> tuple[dict[str, object], Complaints]:
    """The tables of a TOML text, and the list for its faults. `where` names the source. Raises BadInput: no TOML."""
    try:
        return parse_toml(text), Complaints(text, stand_ins)
    except ValueError as error:
        raise BadInput(where, (f"not readable as TOML: {error}{accepts}",)) from error
