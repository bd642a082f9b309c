"""Fights that many tests begin with: each is played once, and every test goes on in a copy of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, Protocol, Self, TypeVar

KEPT = 40
"""How many fights of a function are kept, the newest."""


class Copied(Protocol):
    """A fight being played, in words of a system's tests."""

    def copy(self) -> Self: ...


P = ParamSpec("P")
C = TypeVar("C", bound=Copied)


def played_once(begin: Callable[P, C]) -> Callable[P, C]:
    """For a function that plays a fight from its beginning, by nothing but plain values: it is called once for each."""
    played: dict[str, C] = {}

    @wraps(begin)
    def begin_once(*args: P.args, **kwargs: P.kwargs) -> C:
        given = repr((args, kwargs))
        if given not in played:
            if len(played) == KEPT:
                del played[next(iter(played))]
            played[given] = begin(*args, **kwargs)
        return played[given].copy()

    return begin_once
