"""How open questions go on: what was decided before one was asked, and what is still to come.

Those about a Surprise are in `actions.plots`, about a shot that flies on in `combat.stray_fire`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Literal, TypeAlias, TypeVar

from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Prompt, Resume, fields_of_record
from fightcall_engine.model.values import copy_with, frozen
from fightcall_engine.model.values import value as resume
from fightcall_engine.systems.segments.state import commands
from fightcall_engine.systems.segments.state.battle import Blow, Overrides

C = TypeVar("C", bound=Command)


@frozen
class Thrown:
    """Faces of d100 that the table had thrown before anybody knew the chance: they count then.

    Attributes:
        check: of whoever is asked.
        defence: of the other side in a contest.
    """

    check: int | None = None
    defence: int | None = None


@resume
class Question(Resume):
    """The root of them all."""

    def without(self, combatant_id: str) -> Question | None:
        """What is left of the question once somebody has left; None where it needs no answer any more."""
        return None if combatant_id in self.subjects else self


def without_person(ids: tuple[str, ...], combatant_id: str) -> tuple[str, ...]:
    """Ids without one of them."""
    return tuple(other for other in ids if other != combatant_id)


Winner: TypeAlias = Literal["attacker", "defender", "nobody"]
"""Who has won a Contested Roll."""


def without_dice(command: C) -> C:
    """A command that waits, without the dice that came with it."""
    return copy_with(command, rolls={}, alike=False)


# Checks


@resume
class AskedCheck(Question):
    """A check that somebody owes.

    Attributes:
        then: what its answer leads to, a name in `rolls.AFTERWARDS`; empty where nothing hangs on it.
        what: what it is made with, such as ``HRT``.
        av, dv, chance: the value, the difficulty and the percentage as far as they are known.
        target: the id of whoever it is made against; empty for nobody.
        purpose: under which its die is thrown.
        thrown: dice that were thrown for it already.
    """

    then: str = ""
    what: str
    av: int | None = None
    dv: int | None = None
    chance: int | None = None
    target: str = ""
    purpose: str = "check"
    thrown: Thrown = Thrown()

    @property
    def subjects(self) -> tuple[str, ...]:
        """Whoever it is made against."""
        return (self.target,) if self.target else ()


@resume
class StrikeCheck(AskedCheck):
    """The check of an attack, or of the defence against it (CS-475, CS-480).

    Attributes:
        dv_chance: the defender's percentage, where the GM has said it.
        first_chance, first_roll: what the attacker has rolled, in a question to the defender.
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
    """A Contested Roll of body against body while it is being made.

    Attributes:
        name: what it is in `contests.ENDINGS`.
        rule: the rule that calls for it.
        answer: how the defender meets it.
        av, dv: the values of both; the defender's is None where it is unknown.
        dv_chance: the defender's percentage, where the GM has said it.
        blow: the attack that it settles.
        great: the attacker's roll was a Heroic Effect.
        first_chance, first_roll: what the attacker has rolled; None before it.
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
    """The check that makes out who has shot from hiding (CS-265)."""

    sniper: str

    @property
    def subjects(self) -> tuple[str, ...]:
        """The sniper."""
        return (self.sniper,)


@resume
class ActCheck(AskedCheck):
    """The check of an act that is no attack, and what comes of it in the GM's words (CS-127)."""

    outcome: str = ""


@resume
class PainCheck(AskedCheck):
    """A check against fainting or for fighting on, at so many points of POT beyond bearing (CS-610, CS-612)."""

    beyond: int


@resume
class SurvivalCheck(AskedCheck):
    """A check for life or for consciousness, and how many of the kind are left with it (CS-624, CS-625)."""

    left: int = 1


@resume
class FeetCheck(AskedCheck):
    """A check to keep one's feet; driven back from the place of this name, empty for none (CS-463, CS-562)."""

    start: str = ""


@resume
class PresenceCheck(AskedCheck):
    """A Presence attack with the attacker's level, after so many points have got through (CS-513)."""

    through: int
    level: int


@resume
class TearsCheck(AskedCheck):
    """A check of whoever has surrendered to somebody (CS-517)."""

    by: str

    @property
    def subjects(self) -> tuple[str, ...]:
        """To whom."""
        return (self.by,)


@resume
class HandleCheck(AskedCheck):
    """A check that handling an object calls for."""

    command: commands.Handle

    @property
    def subjects(self) -> tuple[str, ...]:
        """All who have a part in it."""
        return hands_of(self.command)


def hands_of(command: commands.Handle) -> tuple[str, ...]:
    """All who have a part in handling an object."""
    return tuple(filter(None, (command.who, command.other, *command.people)))


# Attacks


@resume
class AskedBlow(Question):
    """An attack of which something is asked: what comes of its hit, its POT, whether it is answered."""

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
    """An attack on somebody much larger, with the GM's numbers, that waits for his word (CS-447, CS-466)."""

    given: Overrides
    thrown: Thrown = Thrown()


@resume
class LostStrike(AskedBlow):
    """A strike in which one side rolled a Heroic Effect and lost (CS-639).

    Attributes:
        hit: the attacker has the larger margin.
        margin: his.
        av: what he rolled with.
    """

    hit: bool
    margin: int
    av: int | None = None


@resume
class LandedBlow(AskedBlow):
    """A blow of which so much got through; None where wounds were told by hand (CS-511)."""

    through: int | None = None


@resume
class LostContest(Question):
    """A Contested Roll in which one side rolled a Heroic Effect and lost (CS-639), as the margins have it."""

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
    """A question about an attack once somebody has left: moot without attacker, target or all who tackle with him."""
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


# Others


@resume
class AskedOf(Question):
    """A question that is about one other, such as a foe whose attack it answers."""

    other: str

    @property
    def subjects(self) -> tuple[str, ...]:
        """That other, where there is one."""
        return (self.other,) if self.other else ()


@resume
class OfferedOpportunity(AskedOf):
    """An Opportunity Action of this kind on somebody (CS-236)."""

    kind: str


@resume
class AskedFear(AskedOf):
    """Whether who surrendered to somebody fears for his life, after so much has got through (CS-517)."""

    through: int


@resume
class AskedReach(Question):
    """An Opportunity Action that waits for the GM's word on the reach (CS-442)."""

    command: commands.Opportunity
    thrown: Thrown = Thrown()

    @property
    def subjects(self) -> tuple[str, ...]:
        """The foe."""
        return (self.command.target,)


@resume
class UnknownPres(Question):
    """P-RES that nobody has entered, after so much POT has come through (CS-610)."""

    through: int


@resume
class FeatNumber(Question):
    """A number of a Heroic Effect that only the GM knows, and the POT of the magick that was told before (CS-640)."""

    what: str
    pot: int = 0


@resume
class AskedHandling(Question):
    """An object that is handled, and the number that is missing for it; empty where something else is asked."""

    command: commands.Handle
    missing: str = ""

    @property
    def subjects(self) -> tuple[str, ...]:
        """All who have a part in it."""
        return hands_of(self.command)


@resume
class AskedDeclaration(Question):
    """A declaration that waits for the GM's word, on the piece of work of this key where it is one (CS-138, CS-392)."""

    command: commands.Declare
    piece: str = ""


@resume
class ShotFromHiding(Question):
    """A shot from hiding at these, which may be a Surprise (CS-264)."""

    targets: tuple[str, ...]

    def without(self, combatant_id: str) -> Question | None:
        """Moot without all of them."""
        targets_left = without_person(self.targets, combatant_id)
        return self if targets_left == self.targets else copy_with(self, targets=targets_left) if targets_left else None


@resume
class Tied(Question):
    """Those who are alike in Initiative (CS-026)."""

    ids: tuple[str, ...]

    @property
    def subjects(self) -> tuple[str, ...]:
        """All of them."""
        return self.ids


@resume
class UnsettledAction(Question):
    """An Action that is due and not settled, with the hands that have struck of it (CS-092)."""

    struck: tuple[str, ...] = ()


@resume
class LostTarget(Question):
    """What becomes of an attack whose target is gone: all of these have lost it, and are asked alike (CS-111)."""

    attackers: tuple[str, ...]

    def without(self, combatant_id: str) -> Question | None:
        """The others are still asked."""
        return copy_with(self, attackers=without_person(self.attackers, combatant_id))


@resume
class HeldRoll(Question):
    """What is held back until it is known whether a token changes a roll of it (CS-653).

    Attributes:
        command: the command, or the answer.
        prompt: the question that it answers; None for a command.
        nth: which check of it, from 0.
        rolls: all that was thrown, by its purpose.
        seeded: for what the engine has thrown the dice itself.
        target: the id of whoever the check is made against; empty for nobody.
    """

    command: Command
    prompt: Prompt | None = None
    nth: int = 0
    rolls: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    seeded: tuple[str, ...] = ()
    target: str = ""

    @property
    def subjects(self) -> tuple[str, ...]:
        """Whoever the check is made against."""
        return (self.target,) if self.target else ()

    def without(self, combatant_id: str) -> Question | None:
        """Moot without any of those whom it holds back something of."""
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
    AskedCheck, StrikeCheck, ContestCheck, SearchCheck, ActCheck, PainCheck, SurvivalCheck, FeetCheck, PresenceCheck,
    TearsCheck, HandleCheck, AskedBlow, HeldBlow, LostStrike, LandedBlow, LostContest, AskedOf, OfferedOpportunity,
    AskedFear, AskedReach, UnknownPres, FeatNumber, AskedHandling, AskedDeclaration, ShotFromHiding, Tied,
    UnsettledAction, LostTarget, HeldRoll,
)  # fmt: skip

OF_ATTACKS = (StrikeCheck, ContestCheck, PainCheck, FeetCheck, PresenceCheck, AskedBlow, LostContest, UnknownPres)
"""What is asked of an attack and of what comes of it, until the next one acts."""
