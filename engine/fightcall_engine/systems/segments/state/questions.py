"""Records of open questions: what was decided before one was asked, and what follows.

Those about Surprise are in `actions.surprises`, those about stray shots in `combat.stray_fire`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Literal, TypeAlias, TypeVar

from fightcall_engine.model.commands import Answer, Command
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Prompt, Resume, fields_of_record
from fightcall_engine.model.values import copy_with, frozen
from fightcall_engine.model.values import value as resume
from fightcall_engine.systems.segments.state.battle import Blow

C = TypeVar("C", bound=Command)


@frozen
class Thrown:
    """Faces of d100 that the table rolled before the chance was known.

    Attributes:
        check: those of the combatant asked.
        defence: those of the other side in a contest.
    """

    check: int | None = None
    defence: int | None = None


@resume
class Question(Resume):
    """The base of all questions of this system."""

    def without(self, combatant_id: str) -> Question | None:
        """The question after a combatant has left; None if it is moot."""
        return None if combatant_id in self.subjects else self


def without_person(ids: tuple[str, ...], combatant_id: str) -> tuple[str, ...]:
    """Ids without one of them."""
    return tuple(other for other in ids if other != combatant_id)


Winner: TypeAlias = Literal["attacker", "defender", "nobody"]
"""The winner of a Contested Roll."""


def without_dice(command: C) -> C:
    """A waiting command without its dice."""
    return copy_with(command, rolls={}, alike=False)


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
        then: what follows its answer, a name in `rolls.CHECK_FOLLOW_UPS`; empty for nothing.
        what: what is rolled, such as ``HRT``.
        message: the question in other words, while the chance is unknown.
        av, dv, chance: value, difficulty and percentage, as far as known.
        target: the id of the opponent, or empty.
        purpose: the purpose of its die.
        thrown: dice that were rolled for it before.
    """

    then: str = ""
    what: str = ""
    message: str = ""
    av: int | None = None
    dv: int | None = None
    chance: int | None = None
    target: str = ""
    purpose: str = "check"
    thrown: Thrown = Thrown()

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


@resume
class HeldRoll(Question):
    """A command or answer held back until it is known whether a token changes a roll of it (CS-653).

    Attributes:
        command: the command, or the answer.
        prompt: the question that it answers, or None.
        nth: the index of its check, from 0.
        rolls: all faces rolled, by purpose.
        seeded: the purposes for which the engine has rolled.
        target: the id of the check's opponent, or empty.
    """

    command: Command
    prompt: Prompt | None = None
    nth: int = 0
    rolls: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    seeded: tuple[str, ...] = ()
    target: str = ""

    @property
    def subjects(self) -> tuple[str, ...]:
        """The check's opponent."""
        return (self.target,) if self.target else ()

    def without(self, combatant_id: str) -> Question | None:
        """Moot without anybody whom the command involves."""
        prompt = self.prompt
        inner = prompt.resume if prompt is not None else None
        texts = set(_texts(fields_of_record(self.command).values())) | set(self.subjects)
        gone = combatant_id in texts or (prompt is not None and prompt.who == combatant_id)
        return None if gone or (isinstance(inner, Question) and inner.without(combatant_id) != inner) else self


def _texts(values: Iterable[object]) -> Iterable[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from _texts(value)


RESUMES: tuple[type[Resume], ...] = (
    AskedCheck, FeetCheck, HandleCheck, AskedBlow, AskedOf, OfferedOpportunity, UnsettledAction, HeldRoll,
)  # fmt: skip

ATTACK_RULES = frozenset({
    "CS-321", "CS-345", "CS-447", "CS-455", "CS-461", "CS-463", "CS-466", "CS-468", "CS-475", "CS-481", "CS-484",
    "CS-485", "CS-511", "CS-513", "CS-545", "CS-562", "CS-601", "CS-610", "CS-612", "CS-639", "M-02",
})  # fmt: skip
"""The rules by which an attack and its effects ask, until the next act."""
