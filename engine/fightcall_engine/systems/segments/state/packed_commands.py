"""A command that cannot go on before something is said, kept as the data of a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import TypeVar

from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Prompt, Scalar

C = TypeVar("C", bound=Command)

_KEPT = "kept_"

_LEFT_OUT = ("rolls", "alike")


def pack_command(command: Command) -> Mapping[str, Scalar]:
    """A command of plain values and lists of texts: what differs from its defaults."""
    found: dict[str, Scalar] = {}
    for item in fields(command):
        value = getattr(command, item.name)
        if item.name in _LEFT_OUT or (item.default is not MISSING and value == item.default):
            continue
        found[_KEPT + item.name] = "\n".join(map(str, value)) if isinstance(value, tuple) else value
    return found


def unpack_command(kind: type[C], prompt: Prompt) -> C:
    """The command that a prompt keeps."""
    lists = {item.name for item in fields(kind) if isinstance(item.default, tuple)}
    given: dict[str, Scalar | tuple[str, ...]] = {}
    for name, value in prompt.data.items():
        field = name.removeprefix(_KEPT)
        if name.startswith(_KEPT):
            given[field] = tuple(str(value).split("\n")) if field in lists else value
    return kind(**given)  # type: ignore[arg-type]
