"""Frozen, slotted dataclasses that are cheap to define, caches for functions of them, and times in words.

There are about 800 such classes. `dataclasses` compiles six methods for each of them on import, a millisecond a
class. Here all classes share the methods that are the same, and compile the others at their first use.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from datetime import UTC, datetime
from functools import wraps
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, ParamSpec, TypeVar, cast, dataclass_transform, get_type_hints

C = TypeVar("C")
D = TypeVar("D")
V = TypeVar("V", bound="Value")

P = ParamSpec("P")
T = TypeVar("T")

REMEMBERED_STATES = 64
"""How many answers `remembered` keeps: enough for a few undos to find every answer still there."""


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
class _Entry(type):
    """Make every class that derives from `Value` one like `frozen`, with keyword-only fields and its name as `type`."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, object]) -> type[Value]:
        made = cast("type[Value]", super().__new__(cls, name, bases, namespace))
        # `dataclass` makes a class a second time, with its slots; a base without fields says that it has none.
        if "__slots__" in namespace:
            return made
        new_class = _define(made, kw_only=True)
        new_class.type = name
        return new_class


class Value(metaclass=_Entry):
    """The base of events, commands and resumes. Classes derived from it are frozen dataclasses with keyword fields.

    `TAGGED` is false for classes that are written without their `type` because their fields tell them apart.
    """

    __slots__ = ()
    type: ClassVar[str] = "Value"
    TAGGED: ClassVar[bool] = True
    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    @property
    def subject_id(self) -> str:
        """The id in the field `who`, the combatant that this is about; empty if there is none."""
        name = getattr(self, "who", "")
        return name if isinstance(name, str) else ""


def classes_in(module: str, base: type[T]) -> tuple[type[T], ...]:
    """The classes that a module itself defines and that derive from `base`, in order."""
    own = (each for each in vars(sys.modules[module]).values() if isinstance(each, type) and each.__module__ == module)
    return tuple(each for each in own if issubclass(each, base))


_NAMES: dict[type, tuple[str, ...]] = {}


def field_names(kind: type) -> tuple[str, ...]:
    """The names of a dataclass's fields in order."""
    names = _NAMES.get(kind)
    if names is None:
        names = _NAMES[kind] = tuple(item.name for item in fields(kind))
    return names


_ATTRIBUTES: dict[type, frozenset[str]] = {}


def has_attributes(value: object, *names: str) -> bool:
    """Whether the class of a value has these attributes: what `isinstance` asks a protocol, a hundred times as fast."""
    kind = type(value)
    attributes = _ATTRIBUTES.get(kind)
    if attributes is None:
        attributes = _ATTRIBUTES[kind] = frozenset(dir(kind))
    return attributes.issuperset(names)


def required_fields(kind: type) -> tuple[str, ...]:
    """The names of the fields that a dataclass cannot be made without, in order."""
    return tuple(item.name for item in fields(kind) if item.default is MISSING and item.default_factory is MISSING)


_TYPES: dict[type, Mapping[str, object]] = {}


def field_types(kind: type) -> Mapping[str, object]:
    """The types of a dataclass's fields by name, looked up once."""
    types = _TYPES.get(kind)
    if types is None:
        types = _TYPES[kind] = get_type_hints(kind)
    return types


_READERS: dict[type, Callable[[object], tuple[object, ...]]] = {}


def field_values(record: object) -> dict[str, object]:
    """The values of a dataclass's fields by name."""
    kind = type(record)
    names, reader = field_names(kind), _READERS.get(kind)
    if reader is None:
        # With a single name, `attrgetter` returns no tuple.
        reader = _READERS[kind] = attrgetter(*names, "__class__", "__class__")
    return dict(zip(names, reader(record), strict=False))


_COPIERS: dict[type, Callable[[Any, Mapping[str, object]], Any]] = {}


def _replace(original: D, /, **changes: object) -> D:
    """A copy with some fields changed, as of `dataclasses.replace`, in a fifth of the time or less.

    Every event makes two or three copies. The library's looks at each field's options and then runs ``__init__``.
    """
    copy = _COPIERS.get(type(original)) or _make_copier(type(original))
    changed_copy: D = copy(original, changes)
    return changed_copy


if TYPE_CHECKING:
    # So the type checker knows the fields of each class.
    from dataclasses import replace as replace
else:
    replace = _replace


def with_fields(original: D, changes: Mapping[str, object]) -> D:
    """A copy with some fields changed, where only the running program knows their names."""
    return _replace(original, **changes)


def _make_copier(kind: type) -> Callable[[Any, Mapping[str, object]], Any]:
    is_plain = kind.__bases__ == (object,) and "__slots__" in vars(kind) and not hasattr(kind, "__post_init__")
    if not is_plain or not all(item.init for item in fields(kind)):
        # Among them are classes that check themselves, or keep what they have worked out, as boards do.
        return _COPIERS.setdefault(kind, lambda original, changes: dataclasses.replace(original, **changes))
    # An object with the same slots that isn't frozen is filled in a quarter of the time. Then it gets the real class.
    loose = type(kind.__name__, (), {"__slots__": vars(kind)["__slots__"]})
    names: dict[str, Any] = {"make": object.__new__, "loose": loose, "kind": kind}
    fill = [f" new.{name} = original.{name}" for name in field_names(kind)]
    change = [" for name in changes:", "  setattr(new, name, changes[name])", " new.__class__ = kind", " return new"]
    exec("\n".join(["def copy(original, changes):", " new = make(loose)", *fill, *change]), names)
    return _COPIERS.setdefault(kind, names["copy"])


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[C]) -> type[C]:
    """Make a class a frozen, slotted dataclass. Methods that the class defines itself are kept."""
    return _define(cls, kw_only=False)


def value(cls: type[V]) -> type[V]:
    """Return a command, event or resume as it is. Plug-ins can mark theirs with it."""
    return cls


def _define(cls: type[C], *, kw_only: bool) -> type[C]:
    new_class = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(cls)
    for name, method in _METHODS.items():
        # Set on every class: otherwise it would inherit the methods compiled for its parent.
        if name not in cls.__dict__:
            setattr(new_class, name, method)
    return new_class


def _init(self: object, *args: object, **kwargs: object) -> None:
    _compile(self.__class__, "__init__", _initialiser)(self, *args, **kwargs)


def _eq(self: object, other: object) -> bool:
    return cast(bool, _compile(self.__class__, "__eq__", _comparer)(self, other))


def _hash(self: object) -> int:
    return cast(int, _compile(self.__class__, "__hash__", _hasher)(self))


def _repr(self: object) -> str:
    kind: type = self.__class__
    parts = (f"{item.name}={getattr(self, item.name)!r}" for item in fields(kind) if item.repr)
    return f"{kind.__qualname__}({', '.join(parts)})"


def _set(self: object, name: str, new: object) -> NoReturn:
    raise FrozenInstanceError(f"can't assign to field {name!r}")


def _delete(self: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"can't delete field {name!r}")


def _get_state(self: object) -> list[object]:
    return list(field_values(self).values())


def _set_state(self: object, state: list[object]) -> None:
    """Restore the fields of a copied or unpickled instance, past the `__setattr__` that forbids it."""
    for name, content in zip(field_names(self.__class__), state, strict=True):
        object.__setattr__(self, name, content)


def _deep_copy(self: D, _: object) -> D:
    """Return the value itself: it is immutable."""
    return self


_METHODS: dict[str, Callable[..., object]] = {
    "__init__": _init, "__eq__": _eq, "__hash__": _hash, "__repr__": _repr, "__setattr__": _set, "__delattr__": _delete,
    "__getstate__": _get_state, "__setstate__": _set_state, "__deepcopy__": _deep_copy,
}  # fmt: skip


def _compile(kind: type, name: str, source: Callable[[type, dict[str, object]], str]) -> Callable[..., object]:
    """Compile a method for a class, and put it in the place of the shared one that called this."""
    names: dict[str, object] = {"put": object.__setattr__}
    exec(source(kind, names), names)
    method = cast(Callable[..., object], names[name])
    setattr(kind, name, method)
    return method


def _initialiser(kind: type, names: dict[str, object]) -> str:
    positional: list[str] = []
    keywords: list[str] = []
    body: list[str] = []
    for item in fields(kind):
        default, expression, parameter = f"default_{item.name}", item.name, item.name
        if item.default_factory is not MISSING:
            names[default] = item.default_factory
            parameter, expression = f"{item.name}=put", f"{default}()"
            expression += f" if {item.name} is put else {item.name}" if item.init else ""
        elif item.default is not MISSING:
            names[default] = item.default
            parameter = f"{item.name}={default}"
        if item.init:
            (keywords if item.kw_only else positional).append(parameter)
        # Through the slot's own descriptor: `object.__setattr__` would have to look it up.
        names[f"put_{item.name}"] = getattr(kind, item.name).__set__
        body.append(f" put_{item.name}(self, {expression})")
    if hasattr(kind, "__post_init__"):
        body.append(" self.__post_init__()")
    signature = ["self", *positional, *(["*"] if keywords else []), *keywords]
    return f"def __init__({', '.join(signature)}):\n" + ("\n".join(body) or " pass")


def _comparer(kind: type, names: dict[str, object]) -> str:
    compared_names = [item.name for item in fields(kind) if item.compare]
    ours, theirs = ("".join(f"{side}.{name}, " for name in compared_names) for side in ("self", "other"))
    return (
        "def __eq__(self, other):\n"
        f" return ({ours}) == ({theirs}) if other.__class__ is self.__class__ else NotImplemented"
    )


def _hasher(kind: type, names: dict[str, object]) -> str:
    hashed_names = (item.name for item in fields(kind) if (item.compare if item.hash is None else item.hash))
    return f"def __hash__(self):\n return hash((self.__class__, {', '.join(f'self.{name}' for name in hashed_names)}))"


# Caches for functions of immutable values, such as states, which are compared by identity: hashing a whole state, as
# `functools.lru_cache` would, takes longer than most answers


def remembered(ask: Callable[P, T]) -> Callable[P, T]:
    """Keep the last `REMEMBERED_STATES` answers of a function that many callers ask about the same states.

    Its arguments must be immutable. Two are the same if they are one object, or equal strings, integers or frozen sets.
    """
    return _remember(ask, REMEMBERED_STATES)


def remembered_of(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Like `remembered`, but keep the last `most` answers."""
    return lambda ask: _remember(ask, most)


_BY_VALUE = frozenset((str, int, bool, frozenset))


def _remember(ask: Callable[P, T], most: int) -> Callable[P, T]:
    # The arguments are kept with the answer: while they are alive, no other object can have their id.
    work_out = cast(Callable[..., T], ask)
    answers: dict[object, tuple[tuple[object, ...], T]] = {}

    @wraps(ask)
    def answer(*args: object, **named_args: object) -> T:
        key: object
        values = (*args, None, *named_args, *named_args.values()) if named_args else args
        if len(values) == 1 and values[0].__class__ not in _BY_VALUE:
            # The most frequent case: making a tuple takes longer than all the rest.
            key = id(values[0])
        else:
            key = tuple([each if each.__class__ in _BY_VALUE else id(each) for each in values])
        # What was asked last is the last to be forgotten.
        known = answers.pop(key, None) or (values, work_out(*args, **named_args))
        if len(answers) >= most:
            answers.pop(next(iter(answers)), None)
        answers[key] = known
        return known[1]

    return cast(Callable[P, T], answer)


# Times


def utc_now() -> str:
    """The present moment, ISO 8601 to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def span_words(seconds: int) -> str:
    """A span of game time in words, such as ``1 hour 30 minutes``."""
    hours, minutes = divmod(seconds // 60, 60)
    parts = (("day", hours // 24), ("hour", hours % 24), ("minute", minutes), ("second", seconds % 60))
    return " ".join(f"{count} {unit}{'s' if count != 1 else ''}" for unit, count in parts if count)


def format_clock(seconds: int) -> str:
    """Game time as ``h:mm:ss``."""
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
