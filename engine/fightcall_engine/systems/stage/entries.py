"""The commands of Stage Moments beside the shared ones, with their aliases, and its events.

Each event folds as the shared event that it derives from.
"""

from collections.abc import Mapping
from typing import ClassVar

from fightcall_engine.board.base import Location
from fightcall_engine.model import events
from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Json, Scalar
from fightcall_engine.model.values import classes_in


class Ambush(Command):
    """Set an ambush by side `by`, before a Moment or in a Meeting where that side hasn't talked (SB-21)."""

    ONCE: ClassVar[bool] = True
    by: str


class Perception(Command):
    """Check whether one of the ambushed notices the ambush (SB-15).

    The result is `passed`, or a d20 (``rolls["perception"]``) at or under `needs` or the figure's Perception.
    """

    passed: bool | None = None
    who: str = ""
    needs: int | None = None


class NextHalf(Command):
    """End the current half (GM override), or with `until` everything before that phase, by either name (SB-10)."""

    ONCE: ClassVar[bool] = True
    until: str = ""


class NextPhase(NextHalf):
    """Go to the next phase; refused while a side can still act in this one (SB-08)."""


class Talk(Command):
    """Talk to the other side in Meeting, with an optional capability and check, or stall with fast talk (SB-44)."""

    who: str
    note: str = ""
    capability: str = ""
    passed: bool | None = None
    needs: int | None = None
    fast_talk: bool = False


class Check(Command):
    """Make a Capability Check: `passed`, or a d20 (``rolls["check"]``) at or under `needs` (SB-27)."""

    who: str
    capability: str
    passed: bool | None = None
    needs: int | None = None


class Sneak(Command):
    """Sneak in the Move phase, for 2 beats a hex (SB-72). The fields are those of Move."""

    who: str
    path: tuple[Location, ...] = ()
    to: Location | None = None
    hexes: int = 0
    meets: str = ""
    meets_after: int = 0
    cover: str = ""
    modifier: int = 0


class Creep(Command):
    """Sneak in Meeting (SB-42). Only undetected party members can, and they make the sneak roll at once."""

    who: str
    path: tuple[Location, ...] = ()
    to: Location | None = None
    hexes: int = 0
    meets: str = ""
    meets_after: int = 0
    modifier: int = 0


class Vault(Command):
    """Vault an obstacle up to half your height, into the next hex, for 4 beats (SB-73)."""

    who: str
    to: Location | None = None
    height_ft: float | None = None
    meets: str = ""


class Clamber(Vault):
    """Clamber over an obstacle within arm's reach, into the next hex, for 6 beats (SB-74)."""


class Climb(Command):
    """Climb up or down a rope or ladder, for 1 beat per 10 ft or part of it (SB-77)."""

    who: str
    feet: float


class Stunt(Command):
    """Move in a way that isn't on the price list, at a price set by the GM and remembered by name (SB-78).

    On a board, `to` is where it ends, at any distance: a rope swing, a leap from the gallery. Nothing on the way
    stops it, and only the landing place can bring contact. Without a board `hexes` is the distance.
    """

    who: str
    name: str
    beats: int | None = None
    to: Location | None = None
    hexes: int = 0
    meets: str = ""


class DropProne(Command):
    """Lie down for half of the total beats (SB-75)."""

    who: str


class Rise(Command):
    """Get up for all beats (SB-76)."""

    who: str


class SetCover(Command):
    """Change cover to open, partial or full. A figure can leave full cover only in its own Move half (SB-66)."""

    who: str
    cover: str


class Business(Command):
    """Do something other than combat (SB-53). It takes `needed` Management phases and `beats`, with an optional check.

    An empty `name` continues what the figure was doing. Naming a companion's unfinished business helps with it
    (SB-25). `quick`: the GM allows another business in the same phase (SB-26).
    """

    who: str
    name: str = ""
    needed: int | None = None
    beats: int = 0
    quick: bool = False
    capability: str = ""
    passed: bool | None = None
    needs: int | None = None


COMMANDS = classes_in(__name__, Command)

ALIASES: Mapping[str, tuple[str, Mapping[str, Json]]] = {
    "shoot": ("Strike", {"kind": "missile"}),
    "melee": ("Strike", {"kind": "melee"}),
    "cast": ("Strike", {"kind": "magic"}),
    "declare_ambush": ("Ambush", {}),
    "surprise": ("Ambush", {}),
    "begin_moment": ("Start", {}),
    "close_scene": ("Close", {}),
    "cover": ("SetCover", {}),
    "prone": ("DropProne", {}),
    "cc": ("Check", {}),
    "condition": ("AddEffect", {}),
    "status": ("AddEffect", {}),
}


class SceneBegan(events.FightOpened):
    """The fight begins."""


class SceneEnded(events.FightClosed):
    """The fight is over (SB-09)."""


class MomentBegan(events.RoundBegan):
    """A Stage Moment begins with its twelve halves (SB-05, SB-06)."""

    TEXT = "Moment {number}"
    TONE = "heading"


class MomentEnded(events.RoundEnded):
    """A Stage Moment is over (SB-07)."""


class PhaseBegan(events.Recorded):
    """One of the six phases begins. Not public: players see its steps."""

    phase: str


class PhaseEnded(events.Recorded):
    """A phase ends; `cause` is done, detection or gm."""

    phase: str
    cause: str = "done"


class HalfBegan(events.StepBegan):
    """One side's half of a phase begins."""


class HalfResumed(events.StepBegan):
    """A half that the slow penalty has put back goes on (SB-13)."""


class HalfEnded(events.StepEnded):
    """One side's half ends: everyone has acted or waived, or the GM has closed it."""


class HalfSkipped(events.StepSkipped):
    """A half is skipped: ambushed, none able, none eligible, or detection."""


class HalfDropped(events.StepSkipped):
    """The rest of a half that the slow penalty has put back is dropped; its beginning has been played."""


class SneakRollsBegan(events.StepBegan):
    """Move is over for both sides; sneak rolls follow (SB-58)."""

    UNSEEN = True


class StatusUpdateBegan(events.StepBegan):
    """Management is over for both sides; durations count down (SB-55)."""


class StatusUpdated(events.Recorded):
    """All conditions are up to date (SB-55)."""

    PUBLIC = ("moment",)
    moment: int


class TickedDown(events.EffectTicked):
    """A duration drops by one Moment (SB-55)."""


class StatusEnded(events.EffectEnded):
    """A duration has run out (SB-55)."""


class BeatsRefilled(events.Refilled):
    """Beats are refilled to the total; those left over are lost (SB-30)."""

    EXPIRES = True
    pool: str = "beats"


class BeatsSpent(events.Spent):
    """Beats are spent (SB-31)."""

    TEXT = "  {amount} beat{amount:1=|s}, {left} left"
    TONE = "dim"
    RULE = "SB-31"
    pool: str = "beats"


class StrikeQuotaReset(events.TraitsReset):
    """All figures may strike again (SB-34)."""

    trait: str = "strike"
    value: Scalar = "none"


class CoverSnapshotTaken(events.TraitChanged):
    """The cover in which a figure begins the Moment (SB-67)."""

    trait: str = "cover_at_start"


class LeadSet(events.FactChanged):
    """The side that goes first in each phase (SB-06)."""

    PUBLIC = ("value",)
    fact: str = "lead_side"


class LeadFlipped(events.AgendaChanged):
    """The other side goes first instead (SB-13), for `scope`: a phase, or ``moment``."""

    TEXT = "Too slow! The {side} goes first"
    TONE = "ruling"
    RULE = "SB-13"
    PUBLIC = ("side", "scope")
    side: str
    scope: str


# Ambush


class AmbushDeclared(events.FactChanged):
    """A side lays an ambush."""

    TEXT = "The {by} sets an ambush"
    TONE = "warn"
    RULE = "SB-21"
    fact: str = "ambush"
    by: str = ""


class PerceptionChecked(events.Recorded):
    """The check whether an ambush is noticed (SB-15)."""

    side: str
    passed: bool
    who: str = ""
    die: int | None = None
    target: int | None = None


class AmbushFoiled(events.FactChanged):
    """The ambush is noticed: usual order, no free Moment (SB-17)."""

    TEXT = "The ambush is foiled"
    TONE = "good"
    RULE = "SB-17"
    PUBLIC = ("side",)
    SEEN = "The ambush is noticed"
    fact: str = "ambush"
    side: str = ""


class AmbushSprung(events.FactChanged):
    """The ambush succeeds: only the ambushers act for a whole Moment (SB-18)."""

    TEXT = "Ambush! Only the {side} acts in Moment {free_moment}"
    TONE = "warn"
    RULE = "SB-18"
    PUBLIC = ("side", "free_moment")
    SEEN = "Ambush!"
    fact: str = "ambush"
    side: str = ""
    free_moment: int = 0


# Meeting


class TalkAttempted(events.FactChanged):
    """A figure talks to the other side (SB-39), whose own side can no longer ambush in this Meeting (SB-21)."""

    TEXT = "{who} speaks[ ({capability})][: {note}]"
    RULE = "SB-39"
    ACTS = True
    PUBLIC = ("who", "capability")
    SEEN = "{who} speaks"
    fact: str = "talked"
    who: str
    capability: str = ""
    note: str = ""


class CheckResolved(events.Recorded):
    """The result of a Capability Check (SB-27)."""

    PUBLIC = ("who", "capability", "passed")
    SEEN = "{who}: {capability} {passed:succeeds|fails}"
    who: str
    capability: str
    passed: bool
    die: int | None = None
    target: int | None = None


class ParleyGranted(events.FactChanged):
    """Both sides agree to talk (SB-41)."""

    PUBLIC = ("value",)
    SEEN = "Both sides agree to talk"
    fact: str = "talk"


class ParleyDenied(events.FactChanged):
    """Talks are refused (SB-41)."""

    PUBLIC = ("value",)
    SEEN = "Talks are refused"
    fact: str = "talk"


class StallUsed(events.Recorded):
    """Fast talk prolongs the talks (SB-44)."""

    TEXT = "  Fast talk buys time: {gained}"
    RULE = "SB-44"
    PUBLIC = ("who",)
    who: str
    gained: str = ""


class SneakChecked(events.TraitChanged):
    """A sneak roll: d20 + DAR against Agility or Skullduggery (SB-59), less `bonus` by the GM's word (SB-62)."""

    trait: str = "sneaking"
    die: int
    dar: int
    target: int
    passed: bool
    bonus: int = 0
    value: Scalar = False


# Strikes


class StrikeDeclared(events.TraitChanged):
    """A figure uses its strike of the Moment, whether it hits or not (SB-34, SB-35)."""

    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "target", "kind")
    SEEN = "{who} {kind:missile=shoots|magic=casts|strikes}[ at {target}]"
    trait: str = "strike"
    target: str = ""
    kind: str
    note: str = ""


class StrikeResolved(events.Recorded):
    """A strike hits or misses: by the GM's word, or `die` + `modifier` against `needs`, with a `chance` in percent."""

    PUBLIC = ("who", "target", "kind", "hit", "die")
    SEEN = "  {hit:hits|misses}[ with a {die}]"
    who: str
    target: str
    kind: str
    hit: bool
    die: int | None = None
    modifier: int = 0
    total: int | None = None
    needs: int | None = None
    chance: float | None = None


class LossCounted(events.FactChanged):
    """A side has lost a figure in this half, so that a morale check may follow (SB-38)."""

    fact: str = "losses"


class MoraleAsked(events.FactChanged):
    """The GM is asked about a side's morale check (SB-38)."""

    fact: str = "losses"
    side: str


class MoraleChecked(events.Recorded):
    """The result of a side's morale check (SB-38)."""

    TEXT = "  Morale of the {side}: {passed:holds|fails}[: {note}]"
    RULE = "SB-38"
    PUBLIC = ("side", "passed")
    SEEN = "Morale {passed:holds|breaks}"
    side: str
    passed: bool
    note: str = ""


# Move


class MovementHalted(events.TraitChanged):
    """Contact stops a figure (SB-47), with `unwalked` hexes of its path left."""

    PUBLIC = ("who", "enemy")
    SEEN = "  {who} is stopped by {enemy}"
    trait: str = "halted"
    enemy: str
    unwalked: int = 0


class SneakBegan(events.TraitChanged):
    """A figure has spent beats on sneaking in this phase (SB-58)."""

    trait: str = "sneaking"
    value: Scalar = True


class Vaulted(events.Moved):
    """A figure vaults an obstacle of at most half its height (SB-73)."""

    TEXT = "{who} vaults an obstacle"
    RULE = "SB-73"
    price: int


class Clambered(events.Moved):
    """A figure clambers over an obstacle within arm's reach (SB-74)."""

    TEXT = "{who} climbs over an obstacle"
    RULE = "SB-74"
    price: int


class Climbed(events.Recorded):
    """A figure climbs a rope or ladder, up or down (SB-77)."""

    TEXT = "{who} climbs {feet} ft"
    RULE = "SB-77"
    ACTS = True
    PUBLIC = ("who",)
    SEEN = "{who} climbs"
    who: str
    feet: float
    price: int


class Stunted(events.Moved):
    """A figure does an unlisted piece of movement at the GM's price (SB-78)."""

    TEXT = "{who}: {name}"
    RULE = "SB-78"
    name: str
    price: int


class DroppedProne(events.TraitChanged):
    """A figure drops prone for half of its total beats (SB-75)."""

    SEEN = TEXT = "{who} drops prone"
    RULE = "SB-75"
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who",)
    trait: str = "posture"
    value: Scalar = "prone"
    price: int


class Rose(events.TraitChanged):
    """A figure gets up for all its beats (SB-76)."""

    SEEN = TEXT = "{who} stands up"
    RULE = "SB-76"
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who",)
    trait: str = "posture"
    value: Scalar = "standing"
    price: int


class CoverChanged(events.TraitChanged):
    """A figure has other cover than before (SB-66)."""

    TEXT = "  {who} {value:open=leaves cover|partial=takes partial cover|takes full cover}"
    RULE = "SB-66"
    PUBLIC = ("who", "value")
    SEEN = "{who} {value:open=leaves cover|partial=takes partial cover|takes full cover}"
    trait: str = "cover"


class MeleeOpened(events.FactChanged):
    """The pairs in contact as a Melee half begins; only they may strike each other in it (SB-50)."""

    fact: str = "melee_pairs"


# Management


class BusinessStarted(events.TraitChanged):
    """A figure begins something that is not combat (SB-53)."""

    TEXT = "{who} begins: {name}"
    RULE = "SB-53"
    ACTS: ClassVar[bool] = True
    DECLARES: ClassVar[bool] = True
    PUBLIC = ("who", "name")
    SEEN = "{who} begins {name}"
    trait: str = "business"
    name: str
    needed: int = 1


class BusinessProgressed(events.EntryChanged):
    """A figure has worked on a long business for one Management phase (SB-25).

    `helps`: another has worked on it in this phase already, and so it has not advanced.
    """

    TEXT = "{who} {helps:helps with|works on} {name}: {done}/{needed}{helps:, one step a phase|}"
    RULE = "SB-25"
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "name", "done", "needed")
    SEEN = "{who} continues {name} ({done}/{needed})"
    field: str = "works"
    name: str
    done: int
    needed: int
    helps: bool = False


class BusinessCompleted(events.EntryChanged):
    """A business is finished (SB-25, SB-54)."""

    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "name", "done", "needed")
    SEEN = "{who} finishes {name}"
    field: str = "works"
    name: str
    done: int
    needed: int


class BusinessBroken(events.EntryChanged):
    """A business is given up, its progress lost (Q-S13)."""

    TEXT = "{who} gives up: {name}"
    TONE = "dim"
    PUBLIC = ("who", "name")
    SEEN = "{who} gives up {name}"
    field: str = "works"
    name: str


EVENTS = classes_in(__name__, events.Event)
