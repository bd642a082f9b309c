"""What was found out about values that never change."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def asked_once(ask: Callable[P, T]) -> Callable[P, T]:
    """A question about a state, or part of one, that many ask: the answer about those asked about last is kept.

    Asked about are positional values that never change, the same again if they are the same object.
    """
    last_call: tuple[tuple[object, ...], T] | None = None

    @wraps(ask)
    def answer(*args: P.args, **kwargs: P.kwargs) -> T:
        nonlocal last_call
        if last_call is None or not all(map(is_, last_call[0], args)):
            last_call = args, ask(*args, **kwargs)
        return last_call[1]

    return answer
