"""Checking the terminal before a screen starts."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from fightcall.subcommands.output import Unusable


def require_terminal(environ: Mapping[str, str] = os.environ) -> None:
    """Check that there is a terminal for output and for keys.

    Raises:
        Unusable: there is none; says what works without it.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        missing = "the screens need a terminal, but input or output is a file or a pipe"
    elif environ.get("TERM") in ("dumb", "unknown"):
        missing = f"the screens need a terminal with cursor control; TERM is {environ['TERM']!r}"
    else:
        return
    raise Unusable(
        f"{missing}\n"
        "these work without one: fightcall run, play --plain, show --web, list, export, check, repair, new, import, "
        "themes, guide, keys, schema, completion"
    )


@contextmanager
def without_collecting() -> Iterator[None]:
    """Disable garbage collection during the start, when everything loaded is there to stay.

    The first screen enables it again (`Host.rest_memory`).
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
