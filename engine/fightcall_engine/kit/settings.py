"""A system's settings: describing them, checking values, and reading them.

A system may list its settings as the fields of a frozen dataclass, each with its text and its rule::

    @frozen
    class DuelSettings:
        first_blood: bool = setting(False, "The first hit ends the duel", "DU-04")
        hits_at: int = setting(4, "The least face that hits", "DU-03", least=2)

    class Duel(BaseSystem):
        settings = describe_settings(DuelSettings)

and read them by their own types: ``read_settings(DuelSettings, state.settings).hits_at``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import field, fields
from typing import Literal, Protocol, TypeVar, cast, get_args, get_origin

from fightcall_engine.kit.views import Setting
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json, Scalar
from fightcall_engine.model.values import copy_with, field_names, field_types


class HasSettings(Protocol):
    """What this module needs of a system."""

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings that a table can choose."""


R = TypeVar("R")
V = TypeVar("V", bound=Scalar)

_SETTING = "setting"
"""The metadata key under which a field holds its setting."""


def setting(
    default: V,
    text: str,
    rule: str = "",
    *,
    least: float | None = None,
    file: str = "",
    check: Callable[[str], object] | None = None,
    schema: Callable[[], Mapping[str, Json]] | None = None,
    title: str = "",
    words: tuple[str, ...] = (),
) -> V:
    """A field of a dataclass of settings. Its type gives the choices; the arguments are those of `Setting`."""
    described = Setting(
        "", default, text, rule, least=least, file=file, check=check, schema=schema, title=title, words=words
    )
    return field(default=default, metadata={_SETTING: described})


def describe_settings(kind: type[object]) -> tuple[Setting, ...]:
    """The settings described by a dataclass's fields, in order. Choices come from ``Literal`` or ``bool``."""
    types = field_types(kind)
    return tuple(
        copy_with(item.metadata[_SETTING], key=item.name, choices=_choices(types[item.name], item.default))
        for item in fields(kind)  # type: ignore[arg-type]
    )


def _choices(hint: object, default: object) -> tuple[Scalar, ...]:
    if hint is bool:
        return (bool(default), not default)
    return get_args(hint) if get_origin(hint) is Literal else ()


# A cache of its own: rules read settings all the time, and `remembered` would take three times as long.
_READ: dict[tuple[type, int], tuple[Mapping[str, Scalar], object]] = {}
_MOST_READ = 64


def read_settings(kind: type[R], values: Mapping[str, Scalar]) -> R:
    """The settings of a fight as a dataclass. A setting that is newer than the fight has its default.

    Args:
        kind: the dataclass of the system's settings.
        values: by name, as the state holds them. They never change, so they are read once.
    """
    known = _READ.get((kind, id(values)))
    if known is None:
        if len(_READ) >= _MOST_READ:
            del _READ[next(iter(_READ))]
        record = kind(**{name: values[name] for name in field_names(kind) if name in values})
        # The values are kept with the answer: while they are alive, no others can have their id.
        known = _READ[kind, id(values)] = values, record
    return cast(R, known[1])


def check_setting(system: HasSettings, key: str, value: object) -> None:
    """Check the name and the value of a setting.

    Raises:
        BadInput: an unknown setting or value; says what would be accepted.
    """
    by_key = {setting.key: setting for setting in system.settings}
    if key not in by_key:
        raise BadInput("settings", (f"{key}: unknown; accepted: {', '.join(by_key)}",))
    setting = by_key[key]
    if setting.choices and not any(value == item and type(value) is type(item) for item in setting.choices):
        accepts = ", ".join(str(choice) for choice in setting.choices)
        raise BadInput("settings", (f"{key}: {value!r} isn't allowed; accepted: {accepts}",))
    same_kind = type(value) is type(setting.default) or (
        isinstance(setting.default, float) and isinstance(value, int) and not isinstance(value, bool)
    )
    if not setting.choices and not same_kind:
        raise BadInput("settings", (f"{key}: {value!r} isn't allowed; expected {type(setting.default).__name__}",))
    if isinstance(value, int | float) and not isinstance(value, bool):
        low = -math.inf if setting.least is None else setting.least
        if not (math.isfinite(value) and value >= low):
            accepts = "a number" if setting.least is None else f"{setting.least} or more"
            raise BadInput("settings", (f"{key}: {value!r} isn't allowed; accepted: {accepts}",))
    if setting.check is not None and value:
        try:
            setting.check(str(value))
        except BadInput as error:
            raise BadInput("settings", tuple(f"{key}: {problem}" for problem in error.problems)) from error
        except ValueError as error:
            raise BadInput("settings", (f"{key}: {error}",)) from error


def starting_settings(system: HasSettings, chosen_values: Mapping[str, Scalar] | None = None) -> dict[str, Scalar]:
    """The system's default settings, updated with the given ones.

    Raises:
        BadInput: an unknown setting or value.
    """
    settings = {setting.key: setting.default for setting in system.settings}
    for key, value in (chosen_values or {}).items():
        check_setting(system, key, value)
        settings[key] = value
    return settings


def setting_named(system: HasSettings, key: str) -> Setting | None:
    """The setting of this name; None if the system has none."""
    return next((setting for setting in system.settings if setting.key == key), None)


def setting_title(system: HasSettings, key: str) -> str:
    """A setting's name for people."""
    known = setting_named(system, key)
    return (known.title if known is not None else "") or key.replace("_", " ")


def choice_words(system: HasSettings, key: str, value: Json) -> str:
    """A setting's value in short words."""
    known = setting_named(system, key)
    words = dict(zip(known.choices, known.words, strict=False)) if known is not None else {}
    return words[value] if isinstance(value, str) and value in words else value_words(value)


def first_line(text: str) -> str:
    """The first line of a text, with a sign that there is more."""
    line, *more = text.splitlines() or [""]
    return f"{line} …" if more else line


def value_words(value: Json) -> str:
    """A setting's value in words: yes or no, no underscores, and only the first line of a long text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:g}"
    return first_line(str(value or "")).replace("_", " ") or "nothing"
