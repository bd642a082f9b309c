"""All that is wrong with a file a person wrote, collected while reading goes on, each with its line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeVar

from fightcall_engine.files.toml_lines import Lines, Path

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

    from fightcall_engine.files.parts import Part

    PartT = TypeVar("PartT", bound=Part)


class Complaints:
    """What is wrong with a file: a line and a message each."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.found: list[tuple[int, str]] = []

    def add(self, path: Path, message: str) -> None:
        """Complain about the value at a path."""
        self.add_line(self.lines.find(path), message)

    def add_line(self, line: int, message: str) -> None:
        """Complain about a line."""
        self.found.append((line, message))

    def in_order(self) -> tuple[str, ...]:
        """All complaints in the order of the file, each once."""
        by_line = sorted(self.found, key=lambda complaint: complaint[0])
        return tuple(dict.fromkeys(f"line {line}: {message}" for line, message in by_line))

    def part(self, kind: type[PartT], data: Mapping[str, object], path: Path) -> PartT:
        """Read one part of the file. Of a faulty one, the fields that are good."""
        from pydantic import ValidationError

        try:
            return kind.model_validate(dict(data))
        except ValidationError as error:
            keys = tuple(field.alias or name for name, field in kind.model_fields.items())
            bad = self._explain(error, keys, path)
        good = {key: value for key, value in data.items() if key in keys and key not in bad}
        return kind.model_validate({**kind.STAND_INS, **good})

    def _explain(self, error: ValidationError, accepted_keys: tuple[str, ...], path: Path) -> set[str]:
        bad = set()
        for problem in error.errors(include_url=False):
            place = problem["loc"]
            bad.add(str(place[0]))
            # A union reports under the name of each of its members, which is no key of the file.
            keys = tuple(key for key in place if isinstance(key, int) or key in accepted_keys)
            self.add(
                (*path, *(keys or place)), _in_words(problem, format_path((*path, *(keys or place))), accepted_keys)
            )
        return bad


def format_path(path: Path) -> str:
    """A path as the file would spell it, without the positions of tables."""
    return ".".join(str(key) for key in path if not isinstance(key, int)) or "file"


def _in_words(problem: ErrorDetails, name: str, accepted_keys: tuple[str, ...]) -> str:
    if problem["type"] == "extra_forbidden":
        return unknown_key(name, str(problem["loc"][-1]), accepted_keys)
    if problem["type"] == "missing":
        return f"{name} is missing"
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "value_error":
        return f"{name} {message}"
    return f"{name}: {message} (got {repr(problem['input'])[:60]})"


def unknown_key(name: str, key: str, accepted_keys: Iterable[str]) -> str:
    """The complaint about a key nobody knows, with the nearest one that is known."""
    accepted_keys = tuple(accepted_keys)
    near = get_close_matches(key, accepted_keys, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{name}: unknown; {hint}accepted: {', '.join(accepted_keys) or 'nothing'}"
