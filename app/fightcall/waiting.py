"""Who still has to act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fightcall_engine.model.memory import asked_once

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState


@asked_once
def waited_for(state: FightState, system: BaseSystem) -> tuple[str, ...]:
    """The ids of those the system waits for, in roster order."""
    return system.waiting(state)


@asked_once
def still_to_act(state: FightState, system: BaseSystem) -> frozenset[str]:
    """The ids of those who may act now and have not: those waited for, and the actor of the step."""
    actor = state.combatants.get(state.step.actor) if state.step is not None else None
    return frozenset(waited_for(state, system)) | ({actor.id} if actor is not None and actor.able else set())
