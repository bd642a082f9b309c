"""Caches for functions of immutable values, such as states, which are compared by identity.

`functools.lru_cache` would hash them, and hashing a whole state takes longer than most answers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

REMEMBERED_STATES = 64
"""How many answers `remembered` keeps: enough for a few undos to find every answer still there."""


def asked_once(ask: Callable[P, T]) -> Callable[P, T]:
    """Keep the latest answer of a function that many callers ask about the same state.

    Its positional arguments must be immutable. Two of them are the same if they are one object, or equal strings.
    """
    return _remember(ask, 1)


def remembered(ask: Callable[P, T]) -> Callable[P, T]:
    """Like `asked_once`, but keep the answers about the last `REMEMBERED_STATES` states."""
    return _remember(ask, REMEMBERED_STATES)


def remembered_of(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Like `asked_once`, but keep the last `most` answers."""
    return lambda ask: _remember(ask, most)


def _remember(ask: Callable[P, T], most: int) -> Callable[P, T]:
    # The arguments are kept with the answer: while they are alive, no other object can have their id.
    answers: dict[tuple[int | str, ...], tuple[tuple[object, ...], T]] = {}

    @wraps(ask)
    def answer(*args: P.args, **kwargs: P.kwargs) -> T:
        key = tuple([each if each.__class__ is str else id(each) for each in args])
        known = answers.get(key)
        if known is None:
            if len(answers) >= most:
                del answers[next(iter(answers))]
            known = answers[key] = args, ask(*args, **kwargs)
        return known[1]

    return answer
