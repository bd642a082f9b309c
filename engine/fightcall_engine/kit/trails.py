"""Finding the trail of a number among those that a system can tell."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.views import Trail
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState

Trails = Mapping[str, Callable[[FightState, Combatant], Trail]]


def explain_number(trails: Trails, state: FightState, combatant_id: str, what: str) -> Trail:
    """Where a number comes from.

    Raises:
        Refused: nothing is known of it; lists what can be explained.
    """
    if what not in trails:
        raise Refused("what", f"nothing to explain about {what!r}", tuple(trails), final=True)
    return trails[what](state, state.combatants[combatant_id])
