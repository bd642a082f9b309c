"""What a system remembers of a fight and of each combatant, read with its defaults and as what it should be."""

from collections.abc import Mapping
from dataclasses import dataclass

from fightcall_engine.model.state import Combatant, FightState, Scalar


@dataclass(frozen=True, slots=True)
class Remembered:
    """The names a system keeps in `FightState.facts` and `Combatant.traits`, each with what it is before anything else.

    Attributes:
        facts: of the whole fight.
        traits: of one combatant.
    """

    facts: Mapping[str, Scalar]
    traits: Mapping[str, Scalar]

    def fact(self, state: FightState, name: str) -> Scalar:
        """A fact of the fight, or its default."""
        return state.facts.get(name, self.facts.get(name))

    def text_fact(self, state: FightState, name: str) -> str:
        """A fact that is a text; empty where there is none."""
        return str(self.fact(state, name) or "")

    def number_fact(self, state: FightState, name: str) -> int:
        """A fact that is a whole number; 0 where it is not."""
        return _whole(self.fact(state, name))

    def trait(self, combatant: Combatant, name: str) -> Scalar:
        """A trait of a combatant, or its default."""
        return combatant.traits.get(name, self.traits.get(name))

    def text_trait(self, combatant: Combatant, name: str) -> str:
        """A trait that is a text; empty where there is none."""
        return str(self.trait(combatant, name) or "")

    def number_trait(self, combatant: Combatant, name: str) -> int:
        """A trait that is a whole number; 0 where it is not."""
        return _whole(self.trait(combatant, name))


def _whole(value: Scalar) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
