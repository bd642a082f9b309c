"""Frozen, slotted, keyword-only dataclasses that are cheap to define.

Events and commands are some 130 classes. `dataclasses` compiles six methods for each as it is defined, which alone
takes longer than everything else a small command of the program does. Here the methods that look alike stand once, in
`Value`, and the only one that differs, ``__init__``, is compiled when a class is first used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import ClassVar, NoReturn, TypeVar, cast, dataclass_transform

V = TypeVar("V", bound="Value")
D = TypeVar("D")


class Value:
    """What all such classes share: they are compared, hashed and shown by their fields, and never change.

    `TAGGED` is false of those that are written without their `type`, because their fields tell what they are.
    """

    __slots__ = ()
    type: ClassVar[str] = "Value"
    TAGGED: ClassVar[bool] = True
    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

    def __init__(self, **fields: object) -> None:
        kind = self.__class__
        initialiser = _initialiser(kind)
        kind.__init__ = initialiser  # type: ignore[method-assign]
        initialiser(self, **fields)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in field_names(self.__class__))

    def __hash__(self) -> int:
        return hash((self.__class__, *(getattr(self, name) for name in field_names(self.__class__))))

    def __repr__(self) -> str:
        fields_text = ", ".join(f"{name}={getattr(self, name)!r}" for name in field_names(self.__class__))
        return f"{self.__class__.__qualname__}({fields_text})"


_NAMES: dict[type, tuple[str, ...]] = {}


def field_names(kind: type) -> tuple[str, ...]:
    """The names of a dataclass's fields in order."""
    names = _NAMES.get(kind)
    if names is None:
        names = _NAMES[kind] = tuple(item.name for item in fields(kind))
    return names


_COPIERS: dict[type, Callable[[object], object]] = {}


def copy_with(original: D, /, **new: object) -> D:
    """A copy with some fields changed: `dataclasses.replace` for slotted classes without ``__post_init__``.

    Every event pays for two or three of these. `replace` asks each field how it wants to be treated and then runs
    ``__init__``; this takes a third of the time.
    """
    kind = type(original)
    copy = _COPIERS.get(kind)
    if copy is None:
        copy = _COPIERS[kind] = _copier(kind)
    duplicate = copy(original)
    for name, value in new.items():
        object.__setattr__(duplicate, name, value)
    return cast(D, duplicate)


def _copier(kind: type) -> Callable[[object], object]:
    """Compile a function that copies an instance, slot by slot."""
    names: dict[str, object] = {"make": object.__new__, "kind": kind}
    body = []
    for name in field_names(kind):
        names[f"put_{name}"] = getattr(kind, name).__set__
        body.append(f" put_{name}(made, original.{name})")
    exec("def copy(original):\n made = make(kind)\n" + "\n".join(body) + "\n return made", names)
    return cast(Callable[[object], object], names["copy"])


def _initialiser(kind: type[Value]) -> Callable[..., None]:
    """Compile ``__init__`` as `dataclasses` would: keyword-only, with the class's defaults."""
    names: dict[str, object] = {"put": object.__setattr__}
    parameters, body = [], []
    for item in fields(kind):  # type: ignore[arg-type]
        default = f"default_{item.name}"
        if item.default_factory is not MISSING:
            names[default] = item.default_factory
            parameters.append(f"{item.name}=put")
            body.append(f" put(self, '{item.name}', {default}() if {item.name} is put else {item.name})")
            continue
        if item.default is not MISSING:
            names[default] = item.default
            parameters.append(f"{item.name}={default}")
        else:
            parameters.append(item.name)
        body.append(f" put(self, '{item.name}', {item.name})")
    signature = f"self, *, {', '.join(parameters)}" if parameters else "self"
    exec(f"def __init__({signature}):\n" + ("\n".join(body) or " pass"), names)
    initialiser = names["__init__"]
    assert callable(initialiser)
    return initialiser


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def value(cls: type[V]) -> type[V]:
    """Make a class of this kind; `type` becomes its name."""
    dataclass_type = dataclass(init=False, repr=False, eq=False, match_args=False, slots=True, kw_only=True)(cls)
    dataclass_type.type = dataclass_type.__name__
    # Its own, or it would inherit the one that was compiled for its parent.
    dataclass_type.__init__ = Value.__init__  # type: ignore[method-assign]
    return dataclass_type
