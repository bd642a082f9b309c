"""The cards of combatants, each made once per drawing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Card
    from fightcall_engine.model.state import FightState


class Cards(dict[str, "Card"]):
    """Cards by combatant's id, each made when it is first needed.

    Health comes first even if the sheet has none, so that no other pool is taken for it.
    """

    def __init__(self, state: FightState, system: BaseSystem) -> None:
        super().__init__()
        self._state = state
        self._system = system

    def __missing__(self, combatant_id: str) -> Card:
        card, health = self._system.card(self._state, combatant_id), self._system.health
        if card.track is None and health not in self._state.combatants[combatant_id].pools:
            card = replace(card, pools=(health, *card.pools))
        self[combatant_id] = card
        return card
