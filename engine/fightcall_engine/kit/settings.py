"""Settings of a system: which there are, and whether a value will do."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fightcall_engine.kit.views import Setting
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json, Scalar

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


def check_setting(system: BaseSystem, key: str, value: object) -> None:
    """Refuse a setting or a value that the system does not know.

    Raises:
        BadInput: with what would be accepted.
    """
    by_key = {setting.key: setting for setting in system.settings}
    if key not in by_key:
        raise BadInput("settings", (f"{key}: unknown; accepted: {', '.join(by_key)}",))
    setting = by_key[key]
    if setting.choices and not any(value == item and type(value) is type(item) for item in setting.choices):
        accepts = ", ".join(str(choice) for choice in setting.choices)
        raise BadInput("settings", (f"{key}: {value!r} will not do; accepted: {accepts}",))
    same_kind = type(value) is type(setting.default) or (
        isinstance(setting.default, float) and isinstance(value, int) and not isinstance(value, bool)
    )
    if not setting.choices and not same_kind:
        raise BadInput("settings", (f"{key}: {value!r} will not do; expected {type(setting.default).__name__}",))
    if isinstance(value, int | float) and not isinstance(value, bool):
        low = -math.inf if setting.least is None else setting.least
        if not (math.isfinite(value) and value >= low):
            accepts = "a number" if setting.least is None else f"{setting.least} or more"
            raise BadInput("settings", (f"{key}: {value!r} will not do; accepted: {accepts}",))
    if setting.check is not None and value:
        try:
            setting.check(str(value))
        except BadInput as error:
            raise BadInput("settings", tuple(f"{key}: {problem}" for problem in error.problems)) from error
        except ValueError as error:
            raise BadInput("settings", (f"{key}: {error}",)) from error


def starting_settings(system: BaseSystem, chosen_values: Mapping[str, Scalar] | None = None) -> dict[str, Scalar]:
    """The system's settings with the given ones put in.

    Raises:
        BadInput: an unknown setting or value.
    """
    settings = {setting.key: setting.default for setting in system.settings}
    for key, value in (chosen_values or {}).items():
        check_setting(system, key, value)
        settings[key] = value
    return settings


def setting_named(system: BaseSystem, key: str) -> Setting | None:
    """The setting of this name, None where the system has none."""
    return next((setting for setting in system.settings if setting.key == key), None)


def first_line(text: str) -> str:
    """What is shown of a long text: its first line."""
    line, *more = text.splitlines() or [""]
    return f"{line} …" if more else line


def value_words(value: Json) -> str:
    """A setting's value as people say it: yes and no, words without underscores, of a long text its first line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:g}"
    return first_line(str(value or "")).replace("_", " ") or "nothing"
