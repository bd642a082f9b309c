"""Adding combatants by one line: name, count, side, and the most important numbers. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, cast

from fightcall.flows.command_words import name_and_count
from fightcall.flows.picker import Choice
from fightcall.flows.templates import Template
from fightcall_engine.model.state import Json, Scalar
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem

MOST_NUMBERS = 3
_AFTER_COUNT = re.compile(r".*\S\s+[xX*×][0-9]{1,3}\s+(\S.*)")
_NUMBER = re.compile(r"-?\d{1,4}", re.ASCII)


@frozen
class Newcomer:
    """A typed newcomer.

    Attributes:
        name: the name of one of them.
        count: how many join.
        side: the side; empty for the first one.
        sheet: the typed numbers of the sheet.
        form: whether to fill in the whole form first.
    """

    name: str = ""
    count: int = 1
    side: str = ""
    sheet: Mapping[str, Json] = field(default_factory=dict)
    form: bool = False

    def data(self) -> dict[str, Json]:
        """The newcomer as data for the form."""
        count = self.count if self.count > 1 else None
        return {"name": self.name, "count": count, "side": self.side or None, "sheet": dict(self.sheet)}


def quick_numbers(system: BaseSystem, settings: Mapping[str, Scalar] | None = None) -> tuple[str, ...]:
    """The fields of a sheet whose numbers can be typed after a name: health first, then in the sheet's order."""
    properties = cast("Mapping[str, Mapping[str, Json]]", system.sheet_schema(settings).get("properties", {}))
    whole = [key for key, schema in properties.items() if _is_whole(schema)]
    return tuple(sorted(whole, key=lambda key: key != system.health))[:MOST_NUMBERS]


def health_field(system: BaseSystem, settings: Mapping[str, Scalar] | None = None) -> str:
    """The field of a sheet that gives the health; empty if there is none."""
    (first, *_) = quick_numbers(system, settings) or ("",)
    return first if first == system.health else ""


def _is_whole(schema: Mapping[str, Json]) -> bool:
    variants = cast("Sequence[Mapping[str, Json]]", schema.get("anyOf", (schema,)))
    return any(variant.get("type") == "integer" for variant in variants)


def read_newcomer(text: str, sides: Sequence[str], numbers: Sequence[str]) -> Newcomer | None:
    """Read a newcomer, such as ``Goblin x3 foe 7 12``; None without a name.

    Args:
        text: the typed text.
        sides: the words that can name a side after the name.
        numbers: the fields that numbers after the name fill, in order.
    """
    words = text.split()
    values: list[int] = []
    side = ""
    while len(words) > 1:
        last = words[-1]
        if _NUMBER.fullmatch(last) and len(values) < len(numbers):
            values.insert(0, int(last))
        elif last.casefold() in sides and not side:
            side = last.casefold()
        else:
            break
        words.pop()
    if not words:
        return None
    name, count = name_and_count(" ".join(words))
    return Newcomer(name, count, side, dict(zip(numbers, values, strict=False)))


def misread_words(text: str, sides: Sequence[str], numbers: Sequence[str]) -> str:
    """What cannot be understood of the words after ``x3``, and what is accepted there; empty if all can be."""
    newcomer = read_newcomer(text, sides, numbers)
    late = _AFTER_COUNT.fullmatch(newcomer.name) if newcomer is not None else None
    if late is None:
        return ""
    words = [word for word in late[1].split() if word.casefold() not in sides and not _NUMBER.fullmatch(word)]
    accepts = f"a side ({', '.join(sides)})" + (", numbers" if numbers else "")
    return f"not understood: {', '.join(words) or late[1]}; accepted after the count: {accepts}"


def newcomers(
    text: str, templates: Sequence[Template], system: BaseSystem, numbers: Sequence[str]
) -> tuple[Choice, ...]:
    """The choices for a typed text: matching templates, the newcomer as typed, the whole form."""
    newcomer = read_newcomer(text, system.sides, numbers)
    form = Choice("form", "a new combatant", "the whole form")
    if newcomer is None:
        return (form, *(_choice(template, Newcomer()) for template in templates))
    folded_name = newcomer.name.casefold()
    first = [
        template for template in templates if template.is_kept and template.name.casefold().startswith(folded_name)
    ]
    matches = (template for template in templates if folded_name in template.name.casefold())
    others = [template for template in matches if template not in first]
    new = (Choice("typed", newcomer.name, _remark(newcomer)), Choice("form", newcomer.name, "the whole form"))
    return (
        *(_choice(template, newcomer) for template in first),
        *new,
        *(_choice(template, newcomer) for template in others),
    )


def _choice(template: Template, newcomer: Newcomer) -> Choice:
    remark = f"x{newcomer.count}  " if newcomer.count > 1 else ""
    side = newcomer.side or template.side
    return Choice(f"template {template.name}", template.name, f"{remark}{side}  {template.notes}".strip())


def _remark(newcomer: Newcomer) -> str:
    numbers = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in newcomer.sheet.items())
    parts = (f"x{newcomer.count}" if newcomer.count > 1 else "", newcomer.side, numbers)
    return "  ".join(part for part in parts if part) or "with the usual numbers"


def newcomer_of(
    choice: Choice, text: str, templates: Sequence[Template], sides: Sequence[str], numbers: Sequence[str]
) -> Newcomer:
    """The newcomer for a choice and the typed text."""
    newcomer = read_newcomer(text, sides, numbers) or Newcomer()
    if choice.id == "form":
        return Newcomer(newcomer.name, newcomer.count, newcomer.side, newcomer.sheet, form=True)
    template = next((template for template in templates if choice.id == f"template {template.name}"), None)
    if template is None:
        return newcomer
    sheet = {**template.sheet, **newcomer.sheet}
    return Newcomer(template.name, newcomer.count, newcomer.side or template.side, sheet)
