"""Records of open questions: what was decided before one was asked, and what follows.

Those about Surprise are in `actions.surprises`, those about stray shots in `combat.stray_fire`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Literal, TypeAlias, TypeVar

from fightcall_engine.model.commands import Answer, Command
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Prompt, Resume, fields_of_record
from fightcall_engine.model.values import copy_with, frozen
from fightcall_engine.model.values import value as resume
from fightcall_engine.systems.segments.state.battle import Blow, Overrides

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
class StrikeCheck(AskedCheck):
    """The check of an attack, or of the defence against it (CS-475, CS-480).

    Attributes:
        dv_chance: the defender's percentage, by GM ruling.
        first_chance, first_roll: the attacker's roll, in a question to the defender.
    """

    blow: Blow
    dv_chance: int | None = None
    first_chance: int | None = None
    first_roll: int | None = None

    @property
    def subjects(self) -> tuple[str, ...]:
        """Attacker and target."""
        return (self.blow.attacker, self.blow.target)

    def without(self, combatant_id: str) -> Question | None:
        """See `without_helper`."""
        return without_helper(self, self.blow, combatant_id)


@frozen
class Contest:
    """A Contested Roll of body against body in progress.

    Attributes:
        name: its name in `contests.ENDINGS`.
        rule: the rule that calls for it.
        answer: the defender's response.
        av, dv: the values of attacker and defender; `dv` may be None.
        dv_chance: the defender's percentage, by GM ruling.
        blow: the attack that it resolves.
        great: whether the attacker's roll was a Heroic Effect.
        first_chance, first_roll: the attacker's roll, or None.
    """

    name: str
    rule: str
    answer: str
    av: int
    dv: int | None
    dv_chance: int | None
    blow: Blow
    great: bool = False
    first_chance: int | None = None
    first_roll: int | None = None


@resume
class ContestCheck(AskedCheck):
    """The check of one side in a Contested Roll."""

    contest: Contest

    @property
    def subjects(self) -> tuple[str, ...]:
        """Attacker and defender."""
        return (self.contest.blow.attacker, self.contest.blow.target)

    def without(self, combatant_id: str) -> Question | None:
        """See `without_helper`."""
        return without_helper(self, self.contest.blow, combatant_id)


@resume
class SearchCheck(AskedCheck):
    """The check to notice who has shot from hiding (CS-265)."""

    sniper: str

    @property
    def subjects(self) -> tuple[str, ...]:
        """The sniper."""
        return (self.sniper,)


@resume
class ActCheck(AskedCheck):
    """The check of an act that is no attack, and its outcome in the GM's words (CS-127)."""

    outcome: str = ""


@resume
class FeetCheck(AskedCheck):
    """A check to stay upright, after being driven back from a place, or empty (CS-463, CS-562)."""

    start: str = ""


@resume
class PresenceCheck(AskedCheck):
    """A Presence attack, with the attacker's level and the points that got through (CS-513)."""

    through: int
    level: int


@resume
class TearsCheck(AskedCheck):
    """A check of a combatant who has surrendered to a foe (CS-517)."""

    by: str

    @property
    def subjects(self) -> tuple[str, ...]:
        """The foe."""
        return (self.by,)


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

    def without(self, combatant_id: str) -> Question | None:
        """See `without_helper`."""
        return without_helper(self, self.blow, combatant_id)


@resume
class HeldBlow(AskedBlow):
    """An attack on a combatant much larger that waits for a GM ruling (CS-447, CS-466)."""

    given: Overrides
    thrown: Thrown = Thrown()


@resume
class LostStrike(AskedBlow):
    """A strike in which a side lost in spite of a Heroic Effect (CS-639).

    Attributes:
        hit: whether the attacker has the larger margin.
        margin: the attacker's margin.
        av: the value that the attacker rolled.
    """

    hit: bool
    margin: int
    av: int | None = None


@resume
class LandedBlow(AskedBlow):
    """A blow and the points that got through; None if wounds were given by GM ruling (CS-511)."""

    through: int | None = None


@resume
class LostContest(Question):
    """A Contested Roll in which a side lost in spite of a Heroic Effect (CS-639), with the winner by the margins."""

    contest: Contest
    winner: Winner
    margin: int

    @property
    def subjects(self) -> tuple[str, ...]:
        """Attacker and defender."""
        return (self.contest.blow.attacker, self.contest.blow.target)

    def without(self, combatant_id: str) -> Question | None:
        """See `without_helper`."""
        return without_helper(self, self.contest.blow, combatant_id)


def without_helper(question: Question, blow: Blow, combatant_id: str) -> Question | None:
    """A question about an attack after a combatant has left; None without attacker, target, or anybody to tackle."""
    people = without_person(blow.people, combatant_id)
    if combatant_id in question.subjects or (blow.people and not people):
        return None
    is_guard_gone = blow.guard is not None and blow.guard.by == combatant_id
    smaller = replace(blow, people=people, guard=None if is_guard_gone else blow.guard)
    if smaller == blow:
        return question
    if isinstance(question, ContestCheck | LostContest):
        return copy_with(question, contest=replace(question.contest, blow=smaller))
    return copy_with(question, blow=smaller)


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
class AskedFear(AskedOf):
    """Whether a combatant who has surrendered fears for their life, after so many points have got through (CS-517)."""

    through: int


@resume
class FeatNumber(Question):
    """A number of a Heroic Effect that only the GM knows, and the POT of magick given before (CS-640)."""

    what: str
    pot: int = 0


@resume
class Tied(Question):
    """Those who are equal in Initiative (CS-026)."""

    ids: tuple[str, ...]

    @property
    def subjects(self) -> tuple[str, ...]:
        """All of them."""
        return self.ids


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
    AskedCheck, StrikeCheck, ContestCheck, SearchCheck, ActCheck, FeetCheck, PresenceCheck,
    TearsCheck, HandleCheck, AskedBlow, HeldBlow, LostStrike, LandedBlow, LostContest, AskedOf, OfferedOpportunity,
    AskedFear, FeatNumber, Tied,
    UnsettledAction, HeldRoll,
)  # fmt: skip

ATTACK_RULES = frozenset({
    "CS-321", "CS-345", "CS-447", "CS-455", "CS-461", "CS-463", "CS-466", "CS-468", "CS-475", "CS-481", "CS-484",
    "CS-485", "CS-511", "CS-513", "CS-545", "CS-562", "CS-601", "CS-610", "CS-612", "CS-639", "M-02",
})  # fmt: skip
"""The rules by which an attack and its effects ask, until the next act."""
