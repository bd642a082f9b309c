"""Templates for new combatants: those in the fight, in the library, and in the shipped encounters. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, cast

from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.archive.catalogue import CombatantTemplate
    from fightcall_engine.archive.encounter import Encounter
    from fightcall_engine.model.state import Combatant, Json

_NUMBER = re.compile(r"\s+\d+$")


@frozen
class Template:
    """A template for new combatants.

    Attributes:
        name: the name without a number: ``Goblin`` for Goblin 1 to 3.
        side: empty if the GM has to choose.
        squad: the squad to join; empty for none.
        notes: the GM's notes, or its origin.
        is_kept: it is in the library.
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
    """All templates; of several with the same name, the first.

    Args:
        combatants: those who are or were in the fight.
        library: the templates of the library.
        encounters: the encounters shipped with the fight's system.
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
