"""Whom somebody new can be like: those in the fight, those the GM keeps, those of the shipped encounters. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.archive.cards import CombatantTemplate
    from fightcall_engine.archive.encounters import Encounter
    from fightcall_engine.model.state import Combatant, Json

_NUMBER = re.compile(r"\s+\d+$")


@frozen
class Template:
    """Whom somebody new can be like.

    Attributes:
        name: without a number: ``Goblin`` for Goblin 1 to 3.
        side: empty where the GM is to say.
        squad: whom it joins, empty for nobody.
        notes: what the GM wrote about it, or where it is from.
        is_kept: the GM keeps it for any fight.
    """

    name: str
    side: str
    sheet: Mapping[str, Json]
    squad: str = ""
    notes: str = ""
    is_kept: bool = False


def templates_of(
    combatants: Iterable[Combatant] = (),
    library: Iterable[CombatantTemplate] = (),
    encounters: Iterable[Encounter] = (),
) -> tuple[Template, ...]:
    """All there are, each name once: the first that has it.

    Args:
        combatants: who is or was in the fight.
        library: templates of the library.
        encounters: encounters that come with the fight's system.
    """
    templates: dict[str, Template] = {}
    for combatant in combatants:
        name = _NUMBER.sub("", combatant.name) if combatant.squad else combatant.name
        template = Template(name, combatant.side, combatant.sheet, combatant.squad)
        templates.setdefault(name.casefold(), template)
    for card in library:
        sheet = cast("Mapping[str, Json]", card.sheet)
        template = Template(card.name, card.side, sheet, notes=card.notes, is_kept=True)
        templates.setdefault(card.name.casefold(), template)
    for encounter in encounters:
        for join in encounter.joins:
            name = _NUMBER.sub("", join.name)
            templates.setdefault(name.casefold(), Template(name, join.side, join.sheet, notes=encounter.name))
    return tuple(templates.values())
