"""The cards of a drawing: how the system shows each combatant, asked once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Card
    from fightcall_engine.model.state import FightState


class Cards(dict[str, "Card"]):
    """Cards by combatant's id, each made when it is first wanted."""

    def __init__(self, state: FightState, system: BaseSystem) -> None:
        super().__init__()
        self._state = state
        self._system = system

    def __missing__(self, combatant_id: str) -> Card:
        card = self[combatant_id] = self._system.card(self._state, combatant_id)
        return card
