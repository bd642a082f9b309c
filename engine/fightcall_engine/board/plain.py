"""Checks of plain JSON values, with messages that say what would be accepted.

Boards are read when a fight is opened, before anything heavy is imported; their few shapes do not
need pydantic.
"""

import math
from collections.abc import Collection, Mapping


def as_object(value: object, what: str, *, required: Collection[str], optional: Collection[str]) -> dict[str, object]:
    """Return `value` as a JSON object that has all required keys and no unknown ones.

    Raises:
        ValueError: it is no object, lacks a key or has an unknown one.
    """
    data = as_mapping(value, what)
    accepts = ", ".join([*required, *optional])
    missing = [key for key in required if key not in data]
    if missing:
        raise ValueError(f"{what} lacks {', '.join(missing)}; accepted keys: {accepts}")
    unknown = [key for key in data if key not in required and key not in optional]
    if unknown:
        raise ValueError(f"{what} does not know {', '.join(unknown)}; accepted keys: {accepts}")
    return data


def as_mapping(value: object, what: str) -> dict[str, object]:
    """Return `value` as a JSON object with any keys.

    Raises:
        ValueError: it is no object, or a key is no text.
    """
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} must be an object, not {value!r}")
    for key in value:
        if not isinstance(key, str):
            raise ValueError(f"{what} must have text for keys, not {key!r}")
    return dict(value)


def as_text(value: object, what: str) -> str:
    """Return `value` as text that is not blank.

    Raises:
        ValueError: it is something else.
    """
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{what} must be text that is not blank, not {value!r}")
    return value


def is_symbol(text: str) -> bool:
    """Return whether a text is one visible character, for use on a drawn map."""
    return len(text) == 1 and text.isprintable() and not text.isspace()


def as_flag(value: object, what: str) -> bool:
    """Return `value` as true or false.

    Raises:
        ValueError: it is something else; 0 and 1 are not flags.
    """
    if not isinstance(value, bool):
        raise ValueError(f"{what} must be true or false, not {value!r}")
    return value


def as_whole(value: object, what: str, lowest: int, highest: int | None = None) -> int:
    """Return `value` as a whole number from `lowest` to `highest` (None: no upper end).

    Raises:
        ValueError: it is something else; true and false are not numbers.
    """
    reach = f"from {lowest} to {highest}" if highest is not None else f"of at least {lowest}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{what} must be a whole number {reach}, not {value!r}")
    if value < lowest or (highest is not None and value > highest):
        raise ValueError(f"{what} must be a whole number {reach}, not {value}")
    return value


def as_number(value: object, what: str) -> float:
    """Return `value` as a finite float.

    Raises:
        ValueError: it is something else, infinite or not a number.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{what} must be a number, not {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{what} must be a finite number, not {value!r}")
    return number
