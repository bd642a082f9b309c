"""Events in words for players, made of their public fields and nothing else.

A template is `Event.SEEN`: a field in braces; ``{hit:hits|misses}`` for one that is true or false;
``{kind:missile=shoots|strikes}`` for one of several words, the last for any other; what stands in square brackets is
left out where a field in it is empty. Spaces in front mean that it is what came of the line above.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from fightcall_engine.model.state import Json

_FIELD = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


def seen_words(template: str, form: Mapping[str, Json], names: Mapping[str, str]) -> str:
    """What players are told.

    Args:
        template: see the module; empty for nothing.
        form: the event's public form.
        names: what players call those whom they know, by the ids they know them by.
    """

    def fill(text: str) -> str:
        return _FIELD.sub(lambda field: _word(field, form, names), text)

    def keep(optional: re.Match[str]) -> str:
        fields = (form.get(field[1]) for field in _FIELD.finditer(optional[1]))
        return "" if any(value is None or value == "" for value in fields) else optional[1]

    return fill(_OPTIONAL.sub(keep, template))


def _word(field: re.Match[str], form: Mapping[str, Json], names: Mapping[str, str]) -> str:
    value = form.get(field[1])
    if field[2] is not None:
        *pairs, other = field[2].split("|")
        words = dict(each.partition("=")[::2] for each in pairs if "=" in each)
        return words.get(str(value), other) if words else pairs[0] if value else other
    return names.get(value, value) if isinstance(value, str) else str(value)
