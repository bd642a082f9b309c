"""What was found out about values that never change."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

REMEMBERED_STATES = 64
"""About how many states it is kept what was found out: whoever takes something back is where everything is known."""


def asked_once(ask: Callable[P, T]) -> Callable[P, T]:
    """A question about a state, or part of one, that many ask: the answer about those asked about last is kept.

    Asked about are positional values that never change, the same again if they are the same object or equal text.
    """
    return _remember(ask, 1)


def remembered(ask: Callable[P, T]) -> Callable[P, T]:
    """The same of a question that is asked again of earlier states: the answers about the last of them are kept."""
    return _remember(ask, REMEMBERED_STATES)


def remembered_of(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """The same of a question about something of which there are many: the answers about so many are kept."""
    return lambda ask: _remember(ask, most)


def _remember(ask: Callable[P, T], most: int) -> Callable[P, T]:
    # By identity, with the values themselves: as long as they live no other has the same.
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
