"""A system's rules in one line each, read from its ``rules.toml``: for help, and for the reason of a refusal."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import cast


@cache
def _entries(folder: Path) -> Mapping[str, Mapping[str, object]]:
    import tomllib

    text = (folder / "rules.toml").read_text(encoding="utf-8")
    return cast("Mapping[str, Mapping[str, object]]", tomllib.loads(text))


def rules_of(folder: Path) -> Mapping[str, str]:
    """Every rule's id with one line of what it says.

    Args:
        folder: the system's package, in which ``rules.toml`` lies.
    """
    return {rule: str(entry["text"]) for rule, entry in _entries(folder).items() if rule != "phases"}


def title_of(folder: Path, rule: str) -> str:
    """A rule's title, such as ``movement cost``; empty for a rule without one."""
    return str(_entries(folder).get(rule, {}).get("title", ""))


def phase_rules_of(folder: Path, phase: str) -> tuple[str, ...]:
    """The ids of the rules that matter in a phase; those of the set-up where none runs."""
    return tuple(cast("list[str]", _entries(folder).get("phases", {}).get(phase or "setup", [])))
