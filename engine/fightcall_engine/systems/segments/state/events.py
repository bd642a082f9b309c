"""What happens in Combat Segments, in the system's own words. Each folds as the shared event it descends from.

The catalogue's other events are shared ones: the phases and turns are steps that begin, end or are skipped, facing is
`Turned`, questions and rulings are what they are everywhere.
"""

from collections.abc import Mapping
from typing import ClassVar

from fightcall_engine.model.events import (
    EffectBegan,
    EffectEnded,
    Event,
    FactChanged,
    Moved,
    OrderSet,
    PoolChanged,
    Recorded,
    RoundBegan,
    RoundEnded,
    RulingAsked,
    Spent,
    TraitsChanged,
)
from fightcall_engine.model.state import Scalar
from fightcall_engine.model.values import value as event

# Time and order


@event
class SegmentBegan(RoundBegan):
    """A Combat Segment begins (CS-004); `slots` says how many Actions each is owed in it (CS-007)."""

    PUBLIC = ("number",)
    slots: Mapping[str, int]


@event
class SlotsOwed(PoolChanged):
    """Actions owed in this segment (CS-006, CS-007)."""

    pool: str = "slots"


@event
class SlotUsed(Spent):
    """An Action of this segment is used, or lost: `purpose` says for what."""

    OF_DECLARED: ClassVar[bool] = True
    LAPSED: ClassVar[str] = "not used"
    pool: str = "slots"
    amount: int = 1

    @property
    def unused(self) -> int:
        """The Actions that lapse as a pass ends (CS-098)."""
        return self.before - self.left if self.purpose == self.LAPSED else 0


@event
class InitiativeRolled(TraitsChanged):
    """d10 + AWA + HRT modifiers, less being stunned (CS-021, CS-032)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "total")
    SEEN = "{who}: initiative {total}"
    d10: int
    mod: int
    penalty: int
    total: int


@event
class InitiativeSet(TraitsChanged):
    """Initiative by the GM's word."""

    PUBLIC = ("who", "total")
    total: int


@event
class TieResolved(Recorded):
    """Equal Initiative, and what told them apart (CS-024 to CS-026). `ids` are in the order they come to stand in."""

    ids: tuple[str, ...]
    by: str


@event
class RosterSet(OrderSet):
    """The order of this segment (CS-022)."""


@event
class PassBegan(FactChanged):
    """A pass begins: Declaration, Movement and Resolution (CS-080, CS-095). Only the hidden may have Actions in it."""

    fact: str = "pass_number"


@event
class PassEnded(Recorded):
    """All Actions of a pass are handled (CS-095)."""

    number: int


@event
class SegmentEnded(RoundEnded):
    """A Combat Segment is over (CS-030)."""


# Declaration


@event
class Declared(TraitsChanged):
    """Somebody says what they will do (CS-082); `due` is when it will be settled (CS-133)."""

    DECLARES: ClassVar[bool] = True
    PUBLIC = ("who", "shown")
    SEEN = "{who} declares: {shown}"
    shown: str
    action: str
    qa_need: int
    due: str
    visibility: str = "public"


@event
class DeclarationInserted(Declared):
    """Somebody who waited declares after all (CS-161)."""

    SEEN = "{who} declares: {shown}"


@event
class Confirmed(TraitsChanged):
    """A declaration stands (CS-084)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who",)


@event
class Waited(TraitsChanged):
    """Somebody declares nothing yet (CS-160)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who",)
    SEEN = "{who} waits"


@event
class ActionAborted(TraitsChanged):
    """What was declared is given up, or can no longer be done (CS-143, CS-111)."""

    OF_DECLARED: ClassVar[bool] = True
    PUBLIC = ("who",)
    SEEN = "{who} aborts"
    text: str
    reason: str = ""


@event
class ActionProgressed(TraitsChanged):
    """Work goes on: `done` of `need` quarter-actions (CS-102)."""

    OF_DECLARED: ClassVar[bool] = True
    PUBLIC = ("who", "done", "need")
    SEEN = "{who} goes on, {done} of {need} quarters"
    done: int
    need: int
    due: str = ""


@event
class Resolved(TraitsChanged):
    """An Action is settled (CS-092)."""

    ACTS: ClassVar[bool] = True
    OF_DECLARED: ClassVar[bool] = True
    PUBLIC = ("who", "outcome")
    outcome: str


# Movement


@event
class SegmentMoved(Moved):
    """Somebody has moved inside the segment, without Pulses (CS-090). `left` is what movement remains, in feet."""

    mph: float
    left: float


@event
class PulseTicked(FactChanged):
    """A second of movement begins (CS-232). Only the hidden may move in it."""

    fact: str = "pulse"


@event
class PulseMoved(Moved):
    """Somebody moves in a Pulse (CS-235); `capped` where the first Pulse of a movement allows only half (CS-234).

    `blocked` names who stood in the way.
    """

    mph: float
    pulse: int
    capped: bool = False
    blocked: str = ""


@event
class WayPlanned(TraitsChanged):
    """A way for the Pulses is planned, changed, or dropped (CS-230, CS-233)."""

    PUBLIC = ("who",)
    feet: float
    mph: float


@event
class Footed(TraitsChanged):
    """What movement leaves behind: feet used, speed, Pulses in a row, feet carried over into the next square."""


@event
class PostureChanged(TraitsChanged):
    """Somebody stands, kneels or lies (CS-104)."""

    PUBLIC = ("who", "posture")
    SEEN = "{who} is now {posture}"
    posture: str


@event
class PathsCrossed(FactChanged):
    """The ways of two foes meet (CS-236)."""

    PUBLIC = ("who", "other")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "other")
    SEEN = "The paths of {who} and {other} cross"
    fact: str = "met"
    who: str
    other: str
    feet: float = 0.0


@event
class MovementInterrupted(Recorded):
    """Somebody's way is broken by an Opportunity Action (CS-437)."""

    PUBLIC = ("who",)
    who: str
    by: str


@event
class MovementResumed(Recorded):
    """Movement goes on after an Opportunity Action (CS-440)."""

    PUBLIC = ("who",)
    who: str


@event
class BrokeOff(Recorded):
    """Somebody leaves melee (CS-106)."""

    PUBLIC = ("who", "how")
    SEEN = "{who} breaks off"
    who: str
    how: str


# Opportunity Actions and Reprisals


@event
class OpportunityOffered(RulingAsked):
    """Somebody may act out of turn (CS-236)."""


@event
class OpportunityTaken(Recorded):
    """Somebody acts out of turn (CS-439)."""

    DEED = True
    PUBLIC = ("who", "target", "kind")
    SEEN = "{who} takes an opportunity against {target}: {kind}"
    who: str
    target: str
    kind: str


@event
class ReprisalOffered(RulingAsked):
    """A melee attack missed: its target may answer (CS-481)."""


@event
class ReprisalTaken(Recorded):
    """The target of a miss strikes back at once (CS-482)."""

    DEED = True
    PUBLIC = ("who", "target")
    SEEN = "  {who} takes a Reprisal against {target}"
    who: str
    target: str
    attack: str


@event
class ReprisalTraded(Recorded):
    """The Reprisal is given up for moving away: ``move`` or ``step``, so many feet at most (CS-484, CS-485)."""

    PUBLIC = ("who", "kind")
    SEEN = "  {who} moves away instead"
    who: str
    target: str
    kind: str
    feet: float


@event
class ReprisalDeclined(Recorded):
    """The target of a miss lets it be."""

    PUBLIC = ("who",)
    who: str
    target: str


# Strikes and checks


@event
class CheckRequested(Recorded):
    """A number against a number, before the dice. `parts` are what they are made of: label, value, rule."""

    who: str
    kind: str
    av: int | None
    dv: int | None
    parts: tuple[tuple[str, str, str], ...] = ()
    target: str = ""


@event
class CheckResolved(Recorded):
    """A check has been rolled (R-3). `roll` is None where only the outcome was given."""

    who: str
    kind: str
    chance: int | None
    roll: int | None
    ok: bool
    margin: int = 0
    fail_margin: int = 0
    heroic: bool = False
    bumble: bool = False
    target: str = ""


@event
class UseCounted(TraitsChanged):
    """A weapon or a Dodge was used: which time in a row, and what it is worth (CS-238, CS-419)."""

    skill: str
    role: str
    n: int
    worth: int


@event
class Hit(Recorded):
    """A blow lands (CS-477)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    hit: ClassVar[bool] = True
    PUBLIC = ("attacker", "target", "weapon")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("attacker", "target")
    SEEN = "{attacker} hits {target}[ with {weapon}]"
    who: str
    attacker: str
    target: str
    weapon: str = ""
    margin: int = 0


@event
class StrayHit(Hit):
    """A shot that has missed hits somebody else in its line (CS-526)."""

    OF_ATTACK: ClassVar[bool] = True


@event
class Missed(Recorded):
    """A blow misses (CS-478)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    hit: ClassVar[bool] = False
    PUBLIC = ("attacker", "target", "weapon")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("attacker", "target")
    SEEN = "{attacker} misses {target}[ with {weapon}]"
    who: str
    attacker: str
    target: str
    weapon: str = ""


@event
class EndSpent(Spent):
    """Endurance is spent on an attack or a defence (CS-168, CS-479)."""

    pool: str = "end"
    amount: int = 1


@event
class AllowanceSpent(Spent):
    """The CND allowance of a segment of strenuous work is spent (CS-343)."""

    pool: str = "cnd"
    amount: int = 1


@event
class ImpactScheduled(FactChanged):
    """A shot from far off will strike in the next segment (CS-285)."""

    fact: str = "impacts"
    who: str
    target: str
    due: int


@event
class ImpactDue(FactChanged):
    """What was shot in the last segment arrives (CS-285)."""

    PUBLIC = ("target",)
    fact: str = "impacts"
    who: str
    target: str


@event
class StrayFireQueued(Recorded):
    """A shot that has missed flies on: `line` names those beyond the target, nearest first (CS-525)."""

    PUBLIC = ("who", "target", "line")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "target")
    LISTED: ClassVar[tuple[str, ...]] = ("line",)
    who: str
    target: str
    line: tuple[str, ...]


@event
class StrayFireChecked(Recorded):
    """One of those in line is hit by it or not (CS-526)."""

    OF_ATTACK: ClassVar[bool] = True
    PUBLIC = ("who", "candidate", "hit")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "candidate")
    SEEN = "  The stray shot {hit:hits|misses} {candidate}"
    who: str
    candidate: str
    hit: bool


@event
class StrayFireSpent(Recorded):
    """It has hit nobody and falls to the ground (CS-527)."""

    PUBLIC = ("who", "target")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "target")
    who: str
    target: str


# Surprise


@event
class SurpriseTriggered(Recorded):
    """A threat nobody knew of shows itself (CS-040). `dv` is what its victims check against (CS-050)."""

    PUBLIC = ("targets",)
    LISTED: ClassVar[tuple[str, ...]] = ("targets",)
    aggressors: tuple[str, ...]
    targets: tuple[str, ...]
    kind: str
    dv: int | None
    parts: tuple[tuple[str, str, str], ...] = ()


@event
class SurpriseChecked(Recorded):
    """One victim's check against Surprise, and the aggressors' (CS-055)."""

    who: str
    chance: int | None
    roll: int | None
    aggressor_chance: int | None
    aggressor_roll: int | None
    total: int = 0


@event
class SurpriseApplied(TraitsChanged):
    """What Surprise does to one victim: its degree, segments after the launch, penalty (CS-056 to CS-061)."""

    PUBLIC = ("who", "degree")
    SEEN = "{who} is surprised"
    degree: str
    cs: int
    penalty: int


@event
class SurpriseRecoveryChecked(Recorded):
    """The check at the end of being overwhelmed (CS-066)."""

    who: str
    dv: int
    ok: bool


@event
class SurprisePenaltyWaned(TraitsChanged):
    """The penalty of the second stage drops by one (CS-068)."""

    penalty: int


@event
class SurpriseEnded(TraitsChanged):
    """Surprise is over for somebody (CS-067, CS-069)."""

    PUBLIC = ("who",)
    SEEN = "{who} is no longer surprised"


# Stun and life


@event
class StunApplied(EffectBegan):
    """Somebody is stunned by pain (CS-613)."""

    penalty: int


@event
class StunDecayed(Recorded):
    """Pain halves (CS-616): what each stun of somebody comes to from now on follows from when it began."""

    who: str
    effect: str
    penalty: int


@event
class StunCleared(EffectEnded):
    """Pain is gone (CS-616)."""


@event
class LifeChanged(TraitsChanged):
    """Somebody is up, unconscious, collapsed or dead."""

    PUBLIC = ("who", "life")
    life: str


@event
class WoundsInflicted(TraitsChanged):
    """Wounds are added (CS-601): how many, the total, and the level they come to (CS-620)."""

    PUBLIC = ("who", "level")
    SEEN = "  {who} is wounded: {level}"
    n: int
    total: int
    level: str


# Objects and the display


@event
class ObjectMoved(FactChanged):
    """An object changes hands, falls, flies off or breaks: what became of it, and who has it (CS-200 to CS-227)."""

    PUBLIC = ("who", "thing", "how")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "other")
    SEEN = "{thing}: {how}"
    fact: str = "things"
    who: str
    thing: str
    how: str
    holder: str = ""
    other: str = ""
    octant: int | None = None


@event
class ImpactTaken(Recorded):
    """What falls is caught: POT of its impact, how much of it was taken without harm, and wounds (CS-221 to CS-223)."""

    PUBLIC = ("who", "thing")
    SEEN = "{who} is struck by {thing}"
    who: str
    thing: str
    pot: int
    taken: int
    through: int
    wounds: int
    threshold: float
    parts: tuple[tuple[str, str, str], ...] = ()


@event
class StruggleChanged(FactChanged):
    """Who has hands on an object (CS-203 to CS-207), and the last segment that the struggle is sure to run into."""

    PUBLIC = ("thing", "holding")
    LISTED: ClassVar[tuple[str, ...]] = ("holding",)
    fact: str = "struggles"
    thing: str
    holding: tuple[str, ...]
    until: int = 0


@event
class ScaleChanged(FactChanged):
    """The display has another scale (CS-685): 25 mm of it are `square_feet`."""

    PUBLIC = ("value", "square_feet")
    fact: str = "scale"
    square_feet: float = 5.0


@event
class ContestChanged(FactChanged):
    """What was a tactical contest is combat now, or the other way round (CS-001). It may be for what the hidden do."""

    fact: str = "contest"
    value: Scalar = "combat"


EVENTS: tuple[type[Event], ...] = (
    SegmentBegan, SlotsOwed, SlotUsed, InitiativeRolled, InitiativeSet, TieResolved, RosterSet, PassBegan, PassEnded,
    SegmentEnded, Declared, DeclarationInserted, Confirmed, Waited, ActionAborted, ActionProgressed, Resolved,
    SegmentMoved, PulseTicked, PulseMoved, WayPlanned, Footed, PostureChanged, PathsCrossed, MovementInterrupted,
    MovementResumed, BrokeOff, OpportunityOffered, OpportunityTaken, ReprisalOffered, ReprisalTaken, ReprisalTraded,
    ReprisalDeclined, CheckRequested, CheckResolved, UseCounted, Hit, StrayHit, Missed, EndSpent, AllowanceSpent,
    ImpactScheduled, ImpactDue, StrayFireQueued, StrayFireChecked, StrayFireSpent,
    SurpriseTriggered, SurpriseChecked, SurpriseApplied, SurpriseRecoveryChecked,
    SurprisePenaltyWaned, SurpriseEnded, StunApplied, StunDecayed, StunCleared, LifeChanged, WoundsInflicted,
    ObjectMoved, ImpactTaken, StruggleChanged, ScaleChanged, ContestChanged,
)  # fmt: skip
"""What a journal of Combat Segments may hold beside the shared events."""
