"""The events of Combat Segments. Each folds as the shared event that it derives from.

Other events of the catalogue are shared ones: phases and turns are steps that begin, end or are skipped, facing is
`Turned`, and questions and rulings are those of all systems.
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
from fightcall_engine.model.values import classes_in

# Time and order


class SegmentBegan(RoundBegan):
    """A Combat Segment begins (CS-004); `slots` are the Actions that each combatant is owed in it (CS-007)."""

    PUBLIC = ("number",)
    slots: Mapping[str, int]


class SlotsOwed(PoolChanged):
    """A combatant is owed Actions in this segment (CS-006, CS-007)."""

    pool: str = "slots"


class SlotUsed(Spent):
    """An Action of this segment is used, or lost; `purpose` says for what."""

    OF_DECLARED: ClassVar[bool] = True
    LAPSED: ClassVar[str] = "not used"
    pool: str = "slots"
    amount: int = 1

    @property
    def unused(self) -> int:
        """The Actions that lapse as a pass ends (CS-098)."""
        return self.before - self.left if self.purpose == self.LAPSED else 0


class InitiativeRolled(TraitsChanged):
    """Initiative is rolled: d10 + AWA and HRT modifiers, less the stun penalty (CS-021, CS-032)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "total")
    SEEN = "{who}: initiative {total}"
    d10: int
    mod: int
    penalty: int
    total: int


class InitiativeSet(TraitsChanged):
    """Initiative is set by GM ruling."""

    PUBLIC = ("who", "total")
    total: int


class TieResolved(Recorded):
    """A tie in Initiative is resolved (CS-024 to CS-026). `ids` are in the new order."""

    ids: tuple[str, ...]
    by: str


class RosterSet(OrderSet):
    """The order of this segment is set (CS-022)."""


class PassBegan(FactChanged):
    """A pass begins: Declaration, Movement and Resolution (CS-080, CS-095). Not public: hidden foes may cause it."""

    fact: str = "pass_number"


class PassEnded(Recorded):
    """All Actions of a pass are resolved (CS-095)."""

    number: int


class SegmentEnded(RoundEnded):
    """A Combat Segment is over (CS-030)."""


# Declaration


class Declared(TraitsChanged):
    """A combatant declares an Action (CS-082), which will be resolved at `due` (CS-133)."""

    DECLARES: ClassVar[bool] = True
    PUBLIC = ("who", "shown")
    SEEN = "{who} declares: {shown}"
    shown: str
    action: str
    qa_need: int
    due: str
    visibility: str = "public"


class DeclarationInserted(Declared):
    """A combatant who has waited declares an Action (CS-161)."""

    SEEN = "{who} declares: {shown}"


class Confirmed(TraitsChanged):
    """A declaration is confirmed (CS-084)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who",)


class Waited(TraitsChanged):
    """A combatant declares nothing yet (CS-160)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who",)
    SEEN = "{who} waits"


class ActionAborted(TraitsChanged):
    """A declared Action is given up, or has become impossible (CS-143, CS-111)."""

    OF_DECLARED: ClassVar[bool] = True
    PUBLIC = ("who",)
    SEEN = "{who} aborts"
    text: str
    reason: str = ""


class ActionProgressed(TraitsChanged):
    """Work on an Action continues: `done` of `need` quarter-actions (CS-102)."""

    OF_DECLARED: ClassVar[bool] = True
    PUBLIC = ("who", "done", "need")
    SEEN = "{who} continues, {done} of {need} quarters"
    done: int
    need: int
    due: str = ""


class Resolved(TraitsChanged):
    """An Action is resolved (CS-092)."""

    ACTS: ClassVar[bool] = True
    OF_DECLARED: ClassVar[bool] = True
    PUBLIC = ("who", "outcome")
    outcome: str


# Movement


class SegmentMoved(Moved):
    """A combatant moves within the segment, without Pulses (CS-090). `left` is the movement left, in feet."""

    mph: float
    left: float


class PulseTicked(FactChanged):
    """A Pulse, one second of movement, begins (CS-232). Not public: perhaps only hidden foes move in it."""

    fact: str = "pulse"


class PulseMoved(Moved):
    """A combatant moves in a Pulse (CS-235); `capped`: the first Pulse of a movement allows only half (CS-234).

    `blocked` names those who stood in the way.
    """

    mph: float
    pulse: int
    capped: bool = False
    blocked: str = ""


class WayPlanned(TraitsChanged):
    """Movement for the Pulses is planned, changed, or dropped (CS-230, CS-233)."""

    PUBLIC = ("who",)
    feet: float
    mph: float


class Footed(TraitsChanged):
    """The movement record changes: feet used, speed, Pulses in a row, feet carried over."""


class PostureChanged(TraitsChanged):
    """A combatant stands, kneels or lies (CS-104)."""

    PUBLIC = ("who", "posture")
    SEEN = "{who} is now {posture}"
    posture: str


class PathsCrossed(FactChanged):
    """The paths of two foes meet (CS-236)."""

    PUBLIC = ("who", "other")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "other")
    SEEN = "The paths of {who} and {other} cross"
    fact: str = "met"
    who: str
    other: str
    feet: float = 0.0


class MovementInterrupted(Recorded):
    """An Opportunity Action interrupts a combatant's movement (CS-437)."""

    PUBLIC = ("who",)
    who: str
    by: str


class MovementResumed(Recorded):
    """Movement continues after an Opportunity Action (CS-440)."""

    PUBLIC = ("who",)
    who: str


class BrokeOff(Recorded):
    """A combatant leaves melee (CS-106)."""

    PUBLIC = ("who", "how")
    SEEN = "{who} breaks off"
    who: str
    how: str


# Opportunity Actions and Reprisals


class OpportunityOffered(RulingAsked):
    """A combatant may act out of turn (CS-236)."""


class OpportunityTaken(Recorded):
    """A combatant acts out of turn (CS-439)."""

    DEED = True
    PUBLIC = ("who", "target", "kind")
    SEEN = "{who} takes an opportunity against {target}: {kind}"
    who: str
    target: str
    kind: str


class ReprisalOffered(RulingAsked):
    """A melee attack has missed: its target may answer (CS-481)."""


class ReprisalTaken(Recorded):
    """The target of a miss strikes back at once (CS-482)."""

    DEED = True
    PUBLIC = ("who", "target")
    SEEN = "  {who} takes a Reprisal against {target}"
    who: str
    target: str
    attack: str


class ReprisalTraded(Recorded):
    """A Reprisal is traded for moving away: ``move`` or ``step``, up to so many feet (CS-484, CS-485)."""

    PUBLIC = ("who", "kind")
    SEEN = "  {who} moves away instead"
    who: str
    target: str
    kind: str
    feet: float


class ReprisalDeclined(Recorded):
    """The target of a miss declines a Reprisal."""

    PUBLIC = ("who",)
    who: str
    target: str


# Strikes and checks


class CheckRequested(Recorded):
    """A check is called for. `parts` are the parts of its numbers: label, value, rule."""

    who: str
    kind: str
    av: int | None
    dv: int | None
    parts: tuple[tuple[str, str, str], ...] = ()
    target: str = ""


class CheckResolved(Recorded):
    """A check has been rolled (R-3). `roll` is None if only the outcome was given."""

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


class UseCounted(TraitsChanged):
    """A weapon or a Dodge is used: how many times in a row, and at what value (CS-238, CS-419)."""

    skill: str
    role: str
    n: int
    worth: int


class Hit(Recorded):
    """An attack hits (CS-477)."""

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


class StrayHit(Hit):
    """A shot that has missed hits another combatant in its line (CS-526)."""

    OF_ATTACK: ClassVar[bool] = True


class Missed(Recorded):
    """An attack misses (CS-478)."""

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


class EndSpent(Spent):
    """Endurance is spent on an attack or a defence (CS-168, CS-479)."""

    pool: str = "end"
    amount: int = 1


class AllowanceSpent(Spent):
    """The CND allowance of a segment of strenuous work is spent (CS-343)."""

    pool: str = "cnd"
    amount: int = 1


class ImpactScheduled(FactChanged):
    """A shot from far away will land in the next segment (CS-285)."""

    fact: str = "impacts"
    who: str
    target: str
    due: int


class ImpactDue(FactChanged):
    """A shot of the last segment lands (CS-285)."""

    PUBLIC = ("target",)
    fact: str = "impacts"
    who: str
    target: str


class StrayFireQueued(Recorded):
    """A shot that has missed flies on: `line` has the ids of those beyond the target, nearest first (CS-525)."""

    PUBLIC = ("who", "target", "line")
    LISTED: ClassVar[tuple[str, ...]] = ("line",)
    who: str
    target: str
    line: tuple[str, ...]


class StrayFireChecked(Recorded):
    """A shot that flies on hits or misses one of those in its line (CS-526)."""

    OF_ATTACK: ClassVar[bool] = True
    PUBLIC = ("who", "candidate", "hit")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "candidate")
    SEEN = "  The stray shot {hit:hits|misses} {candidate}"
    who: str
    candidate: str
    hit: bool


class StrayFireSpent(Recorded):
    """A shot that flies on has hit nobody, and falls to the ground (CS-527)."""

    PUBLIC = ("who", "target")
    who: str
    target: str


# Surprise


class SurpriseTriggered(Recorded):
    """An unknown threat shows itself (CS-040). `dv` is what its victims check against (CS-050)."""

    PUBLIC = ("targets",)
    LISTED: ClassVar[tuple[str, ...]] = ("targets",)
    aggressors: tuple[str, ...]
    targets: tuple[str, ...]
    kind: str
    dv: int | None
    parts: tuple[tuple[str, str, str], ...] = ()


class SurpriseChecked(Recorded):
    """The check of one victim against Surprise, and that of the aggressors (CS-055)."""

    who: str
    chance: int | None
    roll: int | None
    aggressor_chance: int | None
    aggressor_roll: int | None
    total: int = 0


class SurpriseApplied(TraitsChanged):
    """A victim is surprised: degree, segments after the launch, penalty (CS-056 to CS-061)."""

    PUBLIC = ("who", "degree")
    SEEN = "{who} is surprised"
    degree: str
    cs: int
    penalty: int


class SurpriseRecoveryChecked(Recorded):
    """The check at the end of being overwhelmed (CS-066)."""

    who: str
    dv: int
    ok: bool


class SurprisePenaltyWaned(TraitsChanged):
    """The penalty in the second stage of Surprise drops by one (CS-068)."""

    penalty: int


class SurpriseEnded(TraitsChanged):
    """A combatant's Surprise is over (CS-067, CS-069)."""

    PUBLIC = ("who",)
    SEEN = "{who} is no longer surprised"


# Pain and condition


class StunApplied(EffectBegan):
    """A combatant is stunned by pain (CS-613)."""

    penalty: int


class StunDecayed(Recorded):
    """Pain is halved (CS-616): the penalty of each stun follows from its beginning."""

    who: str
    effect: str
    penalty: int


class StunCleared(EffectEnded):
    """A stun is over (CS-616)."""


class LifeChanged(TraitsChanged):
    """A combatant is up, unconscious, collapsed or dead."""

    PUBLIC = ("who", "life")
    life: str


class WoundsInflicted(TraitsChanged):
    """Wounds are added (CS-601): how many, the total, and its level (CS-620)."""

    PUBLIC = ("who", "level")
    SEEN = "  {who} is wounded: {level}"
    n: int
    total: int
    level: str


# Objects and the display


class ObjectMoved(FactChanged):
    """An object changes hands, falls, flies off or breaks; `holder` has it now (CS-200 to CS-227)."""

    PUBLIC = ("who", "thing", "how")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "other")
    SEEN = "{thing} {how}"
    fact: str = "things"
    who: str
    thing: str
    how: str
    holder: str = ""
    other: str = ""
    octant: int | None = None


class WeaponPinned(TraitsChanged):
    """A foe has bound or grabbed a combatant's weapon (CS-321, CS-345)."""

    PUBLIC = ("who", "weapon", "by")
    TEXT = SEEN = "  {by} pins {who}'s {weapon}"
    weapon: str
    by: str


class WeaponFreed(TraitsChanged):
    """A pinned weapon is free again (CS-321)."""

    PUBLIC = ("who", "weapon")
    TEXT = SEEN = "  {who}'s {weapon} is free again"
    weapon: str


class ImpactTaken(Recorded):
    """A falling object is caught: POT of its impact, how much of it did no harm, and wounds (CS-221 to CS-223)."""

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


class StruggleChanged(FactChanged):
    """Who has hands on an object (CS-203 to CS-207), and the last segment that the struggle is sure to reach."""

    PUBLIC = ("thing", "holding")
    LISTED: ClassVar[tuple[str, ...]] = ("holding",)
    fact: str = "struggles"
    thing: str
    holding: tuple[str, ...]
    until: int = 0


class ScaleChanged(FactChanged):
    """The scale of the display changes (CS-685): 25 mm of it are `square_feet`."""

    PUBLIC = ("value", "square_feet")
    fact: str = "scale"
    square_feet: float = 5.0


class ContestChanged(FactChanged):
    """A tactical contest turns into combat or back (CS-001). Not public: hidden foes may be the reason."""

    fact: str = "contest"
    value: Scalar = "combat"


# Tokens


class TokenGiven(TraitsChanged):
    """A combatant gets a token (CS-651)."""

    PUBLIC = ("who", "colour")
    SEEN = "{who} gets a {colour} token"
    colour: str


class TokenSpent(TraitsChanged):
    """A token alters a roll or a result (CS-653), which `on` names."""

    PUBLIC = ("who", "colour")
    SEEN = "{who} spends a {colour} token"
    colour: str
    on: str = ""


class TokenPassed(TraitsChanged):
    """A token leaves its owner for another combatant (CS-654); the event after this one gives it."""

    PUBLIC = ("who", "colour", "to")
    SUBJECTS: ClassVar[tuple[str, ...]] = ("who", "to")
    colour: str
    to: str
    passes: int


EVENTS = classes_in(__name__, Event)
"""The events of Combat Segments that a journal may hold beside the shared ones."""
