"""``fightcall run`` and ``fightcall schema``: for scripts, tests and other tools."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TextIO, cast

from fightcall.paths import Paths
from fightcall.subcommands.console import OK, escape
from fightcall_engine.headless.session import answer_lines
from fightcall_engine.kit.registry import find_system, system_names
from fightcall_engine.play.schema import protocol_schema

STDIN = "-"


def run(source: str, paths: Paths) -> int:
    """Answer each line of a file, or of standard input, with one line; see `fightcall_engine.headless`.

    Encounters are found by name as `fightcall play` finds them: the user's own first.

    Raises:
        OSError: the file cannot be read.
    """
    # JSON Lines is UTF-8 whatever the locale says. A byte that is not arrives as an escape that JSON does not have,
    # so that its line is refused instead of taken for something else; half a surrogate pair leaves as its escape.
    # The same input gives the same bytes on every system.
    for stream, settings in ((sys.stdin, {}), (sys.stdout, {"newline": "\n"})):
        cast("TextIO", stream).reconfigure(encoding="utf-8", errors="backslashreplace", **settings)  # type: ignore[attr-defined]
    with _lines(source) as lines:
        for answer in answer_lines(lines, (paths.encounters,)):
            sys.stdout.write(escape(answer) + "\n")
            sys.stdout.flush()
    return OK


def _lines(source: str) -> AbstractContextManager[Iterable[str]]:
    if source == STDIN:
        return nullcontext(sys.stdin)
    return Path(source).open(encoding="utf-8-sig", errors="backslashreplace")


def schema(system: str | None) -> int:
    """Print the JSON Schema of what `run` reads and prints, and of files for settings, of one system or of all.

    Raises:
        BadInput: there is no such system.
    """
    names = system_names() if system is None else (system,)
    systems = [find_system(name) for name in names]
    settings = [(system.id, setting) for system in systems for setting in system.settings]
    files = {
        f"{id}/{setting.key}{setting.file}": setting.schema() for id, setting in settings if setting.schema is not None
    }
    print(json.dumps({**protocol_schema(systems), **({"files": files} if files else {})}, indent=1, ensure_ascii=False))
    return OK
