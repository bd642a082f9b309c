"""Templates for events in words: `Event.TEXT` for the GM, `Event.SEEN` for players, with only its public fields.

Fields stand in braces: ``{who}``. ``{hit:hits|misses}`` is for a boolean, ``{kind:missile=shoots|strikes}`` for one of
several words, where the last text is for any other. Text in square brackets is left out if a field in it is empty.
Leading spaces mean that the event follows from the line above.

Several values in one field are listed: ``10, 10, 3``, and with their names ``intent fire, shown yes``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from fightcall_engine.model.state import Named

_FIELD = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


def fields_named(template: str) -> tuple[str, ...]:
    """The fields in a template, in order."""
    return tuple(dict.fromkeys(field[1] for field in _FIELD.finditer(template)))


def find_flaws(template: str) -> tuple[str, ...]:
    """Parts of a template that look like a field and are not one; empty for none."""
    without_choices = (field[0] for field in _FIELD.finditer(template) if field[2] is not None and "|" not in field[2])
    return (*without_choices, *re.findall(r"\{[^{}]*\}?|\}", _FIELD.sub("", template)))


def fill_template(template: str, values: Mapping[str, object], names: Mapping[str, str]) -> str:
    """Fill in a template.

    Args:
        template: see the module; empty for nothing.
        values: the event's fields, or those that may be shown.
        names: people's names by their ids.
    """

    def fill(text: str) -> str:
        return _FIELD.sub(lambda field: _fill_field(field, values, names), text)

    def drop_if_empty(optional: re.Match[str]) -> str:
        is_empty = any(values.get(name) in (None, "", (), []) for name in fields_named(optional[1]))
        return "" if is_empty else optional[1]

    return fill(_OPTIONAL.sub(drop_if_empty, template))


def _fill_field(field: re.Match[str], values: Mapping[str, object], names: Mapping[str, str]) -> str:
    value = values.get(field[1])
    if field[2] is None:
        return _say(value, names)
    *pairs, other = field[2].split("|")
    words = dict(each.partition("=")[::2] for each in pairs if "=" in each)
    return words.get(str(value), other) if words else pairs[0] if value else other


def _say(value: object, names: Mapping[str, str]) -> str:
    match value:
        case str():
            return names.get(value, value)
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return f"{value:g}" if isinstance(value, float) else str(value)
        case tuple() | list():
            return ", ".join(_say(each, names) for each in value)
        case Mapping():
            return ", ".join(f"{str(name).replace('_', ' ')} {_say(each, names)}" for name, each in value.items())
        case Named():
            return value.name
        case _:
            return "" if value is None else str(value)
