"""Whether the screens can be drawn where the program was started."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from fightcall.subcommands.output import Unusable


def require_terminal(environ: Mapping[str, str] = os.environ) -> None:
    """Make sure that there is a terminal to draw on and to read keys from.

    Raises:
        Unusable: saying what is missing, and what works without it.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        missing = "the screens need a terminal; here input or output is a file or a pipe"
    elif environ.get("TERM") in ("dumb", "unknown"):
        missing = f"the screens need a terminal that can place text; TERM is {environ['TERM']!r}"
    else:
        return
    raise Unusable(
        f"{missing}\n"
        "without one there are: fightcall run, play --plain, show --web, list, export, check, repair, new, import, "
        "themes, guide, keys, schema, completion"
    )


@contextmanager
def without_collecting() -> Iterator[None]:
    """Keep the garbage collector from looking through what a start loads, all of which is there to stay.

    The first screen lets it work again once it is there (`Host.rest_memory`).
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
