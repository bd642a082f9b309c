"""Cues: what the GM or the author of an encounter wants to be reminded of, and when.

A cue is written in one form everywhere: in the journal, in the protocol and in an encounter file. Its condition and its
outcome are each an object whose first key says what it is::

    {"when": {"down": "goblins", "count": 2}, "then": {"ask": "Do they run?", "answers": ["yes", "no"]}}

People (`who` and the like) are named by a combatant's id, a squad, a side, or `ANYBODY`. What a condition means is in
`fightcall_engine.kit.cue_watch`.
"""

from collections.abc import Mapping
from typing import ClassVar, TypeAlias

from fightcall_engine.board.base import Location
from fightcall_engine.model.values import Value
from fightcall_engine.model.values import value as part

CUE = "cue"
"""The kind of the prompts that cues open, and the rule named when a cue is refused."""
ANYBODY = "anybody"
WHOEVER = "whoever"
"""In a proposed command: the combatant through whom the condition came true."""


@part
class CuePart(Value):
    """The root of what a cue is made of. It is told apart by the names of its fields and needs no other type."""

    TAGGED: ClassVar[bool] = False


# When


@part
class RoundReached(CuePart):
    """The round of this number has begun."""

    round: int


@part
class PhaseReached(CuePart):
    """A step of this phase runs: the id or the name of the phase, or of the step, such as ``Pulse 3``.

    `who` is whose step it has to be, a side's or a combatant's.
    """

    phase: str
    who: str = ANYBODY


@part
class ClockReached(CuePart):
    """So many seconds of game time have passed."""

    clock_s: int


@part
class Enters(CuePart):
    """A combatant stands on a place: any of several, a zone, or ground of a name."""

    enters: str | tuple[Location, ...]
    who: str = ANYBODY


@part
class Leaves(CuePart):
    """A combatant has left a place, by moving or by leaving the fight."""

    leaves: str | tuple[Location, ...]
    who: str = ANYBODY


@part
class ComesWithin(CuePart):
    """A combatant is within a distance of another combatant, in the unit of the board."""

    within: float
    of: str
    who: str = ANYBODY


@part
class Sees(CuePart):
    """Nothing stands in the line from `who` to another combatant who is not hidden."""

    sees: str
    who: str = ANYBODY


@part
class PoolAtMost(CuePart):
    """A combatant has at most this much left of a pool, by default that of health."""

    at_most: int
    who: str = ANYBODY
    pool: str = ""


@part
class ShareAtMost(CuePart):
    """A combatant has at most this share of a pool left: 0.5 is a half."""

    share: float
    who: str = ANYBODY
    pool: str = ""


@part
class Down(CuePart):
    """So many of these are down; all of them without a `count`."""

    down: str
    count: int | None = None


@part
class Acts(CuePart):
    """A combatant acts."""

    acts: str


@part
class EffectEnds(CuePart):
    """An effect of this name ends on a combatant."""

    effect_ends: str
    who: str = ANYBODY


@part
class After(CuePart):
    """Another cue, by its id, waits no longer: it has come true, or was dropped."""

    after: str


@part
class AllOf(CuePart):
    """All of these hold."""

    all: "tuple[Condition, ...]"


@part
class AnyOf(CuePart):
    """At least one of these holds."""

    any: "tuple[Condition, ...]"


@part
class NoneOf(CuePart):
    """None of these holds."""

    none: "tuple[Condition, ...]"


Condition: TypeAlias = (
    RoundReached
    | PhaseReached
    | ClockReached
    | Enters
    | Leaves
    | ComesWithin
    | Sees
    | PoolAtMost
    | ShareAtMost
    | Down
    | Acts
    | EffectEnds
    | After
    | AllOf
    | AnyOf
    | NoneOf
)


# Then


@part
class Say(CuePart):
    """A line for the GM, which stands until it is noted or play goes on."""

    say: str


@part
class Ask(CuePart):
    """A question to the GM; the first answer is the one that Enter takes."""

    ask: str
    answers: tuple[str, ...] = ("yes", "no")


@part
class Propose(CuePart):
    """A command that the GM may let happen, as the protocol has it: ``{"do": "join", "name": "Goblin"}``."""

    propose: Mapping[str, object]
    text: str = ""


@part
class Interruption(CuePart):
    """The same, in the middle of a walk: the walker stops at that place until the question is answered.

    The command is done out of turn. Every other rule applies to it, and it is not asked about if it is impossible.
    """

    hold: Mapping[str, object]
    text: str = ""


Outcome: TypeAlias = Say | Ask | Propose | Interruption

CONDITIONS: tuple[type[CuePart], ...] = (
    RoundReached, PhaseReached, ClockReached, Enters, Leaves, ComesWithin, Sees, PoolAtMost, ShareAtMost, Down, Acts,
    EffectEnds, After, AllOf, AnyOf, NoneOf,
)  # fmt: skip
OUTCOMES: tuple[type[CuePart], ...] = (Say, Ask, Propose, Interruption)


@part
class Cue(CuePart):
    """What is to be said or done when a condition comes true: once, or each time that it does."""

    id: str
    name: str
    when: Condition
    then: Outcome
    each_time: bool = False
