"""Reading the tables of Combat Segments: TOML files whose numbers stay exact."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import cast

FOLDER = Path(__file__).parent.parent / "tables"


@cache
def table(name: str) -> Mapping[str, object]:
    """Return a table file by its name without `.toml`; decimal numbers are fractions, so 0.4 is 2/5.

    It is read when first asked for. The caller checks its shape with the readers below.
    """
    import tomllib

    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    return cast("Mapping[str, object]", tomllib.loads(text, parse_float=Fraction))


def rows(name: str, key: str = "row") -> tuple[Mapping[str, object], ...]:
    """Return the rows of a table, `[[row]]` in its file, in their order.

    Raises:
        ValueError: the file has no such rows.
    """
    entries = table(name).get(key)
    if not isinstance(entries, list) or not all(isinstance(row, dict) for row in entries):
        raise ValueError(f"tables/{name}.toml: {key} must be a list of tables")
    return tuple(entries)


def text_of(row: Mapping[str, object], key: str) -> str:
    """Return a text cell; empty if it is left out.

    Raises:
        ValueError: it is something else.
    """
    value = row.get(key, "")
    if not isinstance(value, str):
        raise ValueError(f"{key} must be text, not {value!r}")
    return value


def whole_of(row: Mapping[str, object], key: str) -> int:
    """Return a cell that is a whole number.

    Raises:
        ValueError: it is something else or left out.
    """
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{key} must be a whole number, not {value!r}")
    return value


def number_of(value: object, what: str) -> Fraction:
    """Return an exact number: whole, decimal, or a fraction in text such as "2/3".

    Raises:
        ValueError: it is something else.
    """
    if isinstance(value, bool) or not isinstance(value, int | Fraction | str):
        raise ValueError(f"{what} must be a number, not {value!r}")
    return Fraction(value)


def flag_of(row: Mapping[str, object], key: str) -> bool:
    """Return a boolean cell; false if it is left out.

    Raises:
        ValueError: it is something else.
    """
    value = row.get(key, False)
    if not isinstance(value, bool):
        raise ValueError(f"{key} must be true or false, not {value!r}")
    return value


def texts_of(row: Mapping[str, object], key: str) -> tuple[str, ...]:
    """Return a cell that is a list of texts; empty if it is left out.

    Raises:
        ValueError: it is something else.
    """
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"{key} must be a list of strings, not {value!r}")
    return tuple(value)
