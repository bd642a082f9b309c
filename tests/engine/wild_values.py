"""Values of any annotated class: every field of the right type, and of no sense at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import strategies as st

from fightcall_engine.board.base import Hex
from fightcall_engine.model.state import CuePart

TEXTS = st.sampled_from(("ash", "orc", "nobody", "", "hp", "beats", "e1", "p1", "cover", "party")) | st.text(max_size=4)
PLAIN: dict[object, Callable[[], st.SearchStrategy[object]]] = {
    str: lambda: TEXTS,
    int: lambda: st.integers(-30, 30) | st.integers(-(10**15), 10**15),
    float: lambda: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans,
    type(None): st.none,
    object: lambda: st.none() | st.booleans() | TEXTS | st.lists(TEXTS, max_size=2),
    Hex: lambda: st.builds(Hex, st.integers(-2, 9), st.integers(-2, 9)),
}


def in_dozens(kinds: Sequence[type[Any]]) -> pytest.MarkDecorator:
    """Try classes by the dozen, as `kinds`: to begin a law takes Hypothesis longer than to draw a few small values."""
    dozens = [kinds[at : at + 12] for at in range(0, len(kinds), 12)]
    return pytest.mark.parametrize("kinds", dozens, ids=[dozen[0].__name__ for dozen in dozens])


@cache
def of_type(kind: Any) -> st.SearchStrategy[Any]:
    """Values of an annotation: plain types, unions, tuples, mappings and dataclasses of these."""
    if kind in PLAIN:
        return PLAIN[kind]()
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return st.sampled_from(inner)
    if origin in (Union, UnionType):
        return st.one_of([of_type(one) for one in inner])
    if origin is tuple and inner[-1] is Ellipsis:
        return st.lists(of_type(inner[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*(of_type(one) for one in inner))
    if origin is Mapping:
        return st.dictionaries(of_type(inner[0]), of_type(inner[1]), max_size=3)
    assert is_dataclass(kind), kind
    # A cue's conditions may hold conditions.
    return st.deferred(lambda: any_of(kind)) if issubclass(kind, CuePart) else _any_plain(kind)


@cache
def _any_plain(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Instances of a dataclass; a strategy takes longer to make than a value of it."""
    return _build(kind, {})


def any_of(kind: type[Any], **given: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Instances of a dataclass; `given` says what some of its fields hold."""
    return _build(kind, given) if given else _any_plain(kind)


def _build(kind: type[Any], given: Mapping[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    made = {one.name: of_type(hints[one.name]) for one in fields(kind) if one.init}
    # What a system remembers is of its own types: see `test_records`.
    made |= {name: st.none() for name in ("record", "resume") if name in made} | dict(given)
    return st.builds(lambda **values: kind(**values), **made)
