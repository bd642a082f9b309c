"""Records of open questions: what was decided before one was asked, and what follows.

Those about Surprise are in `actions.surprises`, those about stray shots in `combat.stray_fire`.
"""

from __future__ import annotations

from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Resume
from fightcall_engine.model.values import value as resume
from fightcall_engine.systems.segments.state.battle import Blow


@resume
class Question(Resume):
    """The base of all questions of this system."""

    def without(self, combatant_id: str) -> Question | None:
        """The question after a combatant has left; None if it is moot."""
        return None if combatant_id in self.subjects else self


def number_of(answer: Answer, meaning: str, rule: str, most: int, *others: str, least: int = 0) -> int:
    """A whole number typed as an answer.

    Raises:
        Refused: it is not one from `least` to `most`; lists the `others` that can be answered.
    """
    number = answer.amount
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        accepts = (f"{least} to {most}", *others)
        raise Refused(rule, f"{meaning}: {number!r} is not accepted", accepts, final=True)
    return number


# Checks


@resume
class AskedCheck(Question):
    """A check that a combatant has to make.

    Attributes:
        what: what is rolled, such as ``HRT``.
        av, dv, chance: value, difficulty and percentage, as far as known.
        target: the id of the opponent, or empty.
        purpose: the purpose of its die.
    """

    what: str = ""
    av: int | None = None
    dv: int | None = None
    chance: int | None = None
    target: str = ""
    purpose: str = "check"

    @property
    def subjects(self) -> tuple[str, ...]:
        """The opponent."""
        return (self.target,) if self.target else ()


@resume
class FeetCheck(AskedCheck):
    """A check to stay upright, after being driven back from a place, or empty (CS-463, CS-562)."""

    start: str = ""


@resume
class HandleCheck(AskedCheck):
    """A check in handling an object, with the ids of all who take part."""

    people: tuple[str, ...] = ()

    @property
    def subjects(self) -> tuple[str, ...]:
        """All who take part."""
        return self.people


# Attacks


@resume
class AskedBlow(Question):
    """An attack about which something is asked: the effect of its hit, its POT, or whether it is answered."""

    blow: Blow

    @property
    def subjects(self) -> tuple[str, ...]:
        """Attacker and target."""
        return (self.blow.attacker, self.blow.target)


# Other questions


@resume
class AskedOf(Question):
    """A question about one other combatant, such as the attacker whom it answers."""

    other: str

    @property
    def subjects(self) -> tuple[str, ...]:
        """The other combatant, if any."""
        return (self.other,) if self.other else ()


@resume
class OfferedOpportunity(AskedOf):
    """An Opportunity Action of this kind on a combatant (CS-236)."""

    kind: str


@resume
class UnsettledAction(Question):
    """An Action that is due and not resolved, with the hands whose attacks are (CS-092)."""

    struck: tuple[str, ...] = ()


RESUMES: tuple[type[Resume], ...] = (
    AskedCheck, FeetCheck, HandleCheck, AskedBlow, AskedOf, OfferedOpportunity, UnsettledAction,
)  # fmt: skip

ATTACK_RULES = frozenset({
    "CS-321", "CS-345", "CS-447", "CS-455", "CS-461", "CS-463", "CS-466", "CS-468", "CS-475", "CS-481", "CS-484",
    "CS-485", "CS-511", "CS-513", "CS-545", "CS-562", "CS-601", "CS-610", "CS-612", "CS-639", "M-02",
})  # fmt: skip
"""The rules by which an attack and its effects ask, until the next act."""
