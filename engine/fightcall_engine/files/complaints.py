"""Faults of a file that a person wrote, collected while it is read, each with its line."""

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
    """The faults of a file, each with a line and a message."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.found: list[tuple[int, str]] = []

    def add(self, path: Path, message: str) -> None:
        """Add a fault of the value at a path."""
        self.add_line(self.lines.find(path), message)

    def add_line(self, line: int, message: str) -> None:
        """Add a fault of a line."""
        self.found.append((line, message))

    def in_order(self) -> tuple[str, ...]:
        """The faults in the order of the file, without duplicates."""
        by_line = sorted(self.found, key=lambda complaint: complaint[0])
        return tuple(dict.fromkeys(f"line {line}: {message}" for line, message in by_line))

    def part(self, kind: type[PartT], data: Mapping[str, object], path: Path) -> PartT:
        """Read one part of the file; of a faulty one, only its valid fields."""
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
            # A union reports under the names of its members, which are not keys of the file.
            keys = tuple(key for key in place if isinstance(key, int) or key in accepted_keys)
            self.add(
                (*path, *(keys or place)), _in_words(problem, format_path((*path, *(keys or place))), accepted_keys)
            )
        return bad


def format_path(path: Path) -> str:
    """A path as in the file, without the positions of tables."""
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
    """The message about an unknown key, with the most similar known one."""
    accepted_keys = tuple(accepted_keys)
    near = get_close_matches(key, accepted_keys, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{name}: unknown; {hint}accepted: {', '.join(accepted_keys) or 'nothing'}"
