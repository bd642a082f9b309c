"""Ground that does harm: to anyone who walks into it, or to everyone who stands in it at the end of a round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fightcall_engine.board.base import Terrain
from fightcall_engine.kit.combatants import harm
from fightcall_engine.kit.rolls import throw
from fightcall_engine.model.events import Event, GroundHurt, Moved, RoundEnded
from fightcall_engine.model.state import FightState

if TYPE_CHECKING:
    from fightcall_engine.kit.decision import Decision
    from fightcall_engine.kit.system import BaseSystem


def harm_by_ground(system: BaseSystem, decision: Decision, events: Iterable[Event]) -> None:
    """Harm those who have come into harmful ground by these events, or stand in it at the end of the round.

    Raises:
        NeedsDice: the table owes a roll.
    """
    if decision.state.board is None:
        return
    for event in events:
        if isinstance(event, Moved | RoundEnded):
            for combatant_id, ground in _due(decision.state, event):
                combatant = decision.state.combatants[combatant_id]
                amount, rolled = throw(ground.harm, decision.dice, ground.name, combatant_id)
                decision.emit(GroundHurt(who=combatant_id, ground=ground.name), *rolled)
                decision.emit(harm(decision.state, combatant.id, amount, system.health))


def _due(state: FightState, event: Moved | RoundEnded) -> Iterator[tuple[str, Terrain]]:
    """Who is harmed by an event, each once by each ground that they come into."""
    board = state.board
    if board is None:
        return
    if isinstance(event, RoundEnded):
        for combatant in state.roster:
            if combatant.at is not None:
                ground = board.terrain_at(combatant.at)
                if ground.harm and ground.harm_at == "round":
                    yield combatant.id, ground
    elif event.who in state.combatants:
        grounds = dict.fromkeys(board.terrain_at(place) for place in event.path)
        yield from ((event.who, ground) for ground in grounds if ground.harm and ground.harm_at == "enter")
