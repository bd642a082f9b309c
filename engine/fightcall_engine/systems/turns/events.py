"""What happens in Scenes, Rounds, Turns, in the system's own words. Each folds as the shared event it descends from.

The catalogue's other events are shared ones: OrderSet, RoundBegan, RoundEnded, StepBegan (steps 1 to 6 are the phases
negative, costs, expiries, positive, acting and end), EffectEnded, Downed, ClockAdvanced, rulings and dice.
"""

from typing import ClassVar

from fightcall_engine.model.events import (
    AgendaChanged,
    DamageApplied,
    EffectTicked,
    Event,
    FactChanged,
    Healed,
    OrderSet,
    Recorded,
    Refilled,
    RoundBegan,
    Spent,
    StepBegan,
    TraitChanged,
)
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import value as event

# Scenes


@event
class SceneBegan(RoundBegan):
    """A Scene is opened (ST-01). Rounds are counted afresh in it."""

    PUBLIC = ("name",)
    SEEN = "A scene begins[: {name}]"
    number: int = 0
    name: str = ""


@event
class ModeSet(AgendaChanged):
    """Free order, or Initiative (ST-09, ST-11)."""

    PUBLIC = ("mode",)
    mode: str


@event
class SceneEnded(AgendaChanged):
    """A Scene is closed (ST-01); `elapsed_s` is the time a free one took, where the GM has said so (ST-02)."""

    PUBLIC = ("name",)
    SEEN = "The scene ends"
    name: str = ""
    elapsed_s: int | None = None


@event
class TurnTaken(Recorded):
    """A combatant has had a turn in free order (ST-09)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "what")
    who: str
    what: str = ""
    target: str = ""
    walked: bool = False


@event
class EveryoneHadAChance(FactChanged):
    """In free order nobody is left who has had no opportunity (ST-10). A hidden combatant may have been the last."""

    TEXT = "Everybody has had a chance to act"
    TONE = "dim"
    RULE = "ST-10"
    fact: str = "everyone"
    value: Json = True


@event
class ReminderRaised(Recorded):
    """Something the GM should not forget: who had no opportunity (ST-10), or who is tired (ST-34)."""

    text: str
    left_out: tuple[str, ...] = ()


# Initiative and the order


@event
class InitiativeAsked(TraitChanged):
    """A participant is to roll (ST-12)."""

    trait: str = "init_roll"
    value: Json = None


@event
class InitiativeRolled(TraitChanged):
    """d20 + Speed (ST-12)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "total")
    SEEN = "{who}: initiative {total}"
    trait: str = "init_roll"
    die: int
    speed: int
    total: int


@event
class TieBrokenBySpeed(Recorded):
    """Equal totals, and the higher Speed goes first (ST-14). `figures` are in the order they come to stand in."""

    figures: tuple[str, ...]
    speeds: tuple[int, ...]


@event
class TieDieRolled(TraitChanged):
    """Totals and Speed equal: a d6 (ST-15). Who has equal totals is for the GM only: it may be a hidden combatant."""

    TEXT = "{who}  d6 {die}"
    TONE = "dice"
    RULE = "ST-15"
    trait: str = "tie_d6"
    die: int


@event
class TieBrokenByDie(Recorded):
    """The highest d6 goes first (ST-15). `figures` are in the order they come to stand in."""

    figures: tuple[str, ...]
    dice: tuple[int, ...]


@event
class OrderChanged(OrderSet):
    """A combatant's place in the order has changed (ST-19, ST-21)."""

    before: tuple[str, ...] = ()


# Offers


@event
class TurnOffered(StepBegan):
    """It is a combatant's place: take the turn, or delay. `last` is the place of a delayer at the end (ST-21)."""

    PUBLIC = ("who", "last")
    who: str
    last: bool = False


@event
class TurnDelayed(TraitChanged):
    """A turn is put off (ST-17)."""

    TEXT = "{who} delays"
    RULE = "ST-17"
    PUBLIC = ("who",)
    SEEN = "{who} delays"
    trait: str = "turn"
    value: Json = "delayed"


@event
class SteppedIn(TraitChanged):
    """A delayer comes back, before the one that was offered (ST-18)."""

    PUBLIC = ("who", "ahead_of")
    SUBJECTS = ("who", "ahead_of")
    SEEN = "{who} steps in"
    trait: str = "turn"
    value: Json = "stepping"
    ahead_of: str = ""


@event
class TurnForfeited(TraitChanged):
    """A delayed turn is lost (ST-21)."""

    TEXT = "{who} forfeits the turn ({cause})"
    TONE = "warn"
    RULE = "ST-21"
    PUBLIC = ("who",)
    SEEN = "{who} loses the turn"
    trait: str = "turn"
    value: Json = "forfeited"
    cause: str = ""


@event
class TurnPassed(TraitChanged):
    """A place passes without a turn: its owner cannot act, or came too late for it."""

    PUBLIC = ("who", "cause")
    trait: str = "turn"
    value: Json = "passed"
    cause: str = ""


# The turn


@event
class TurnBegan(TraitChanged):
    """A turn begins (ST-22)."""

    PUBLIC = ("who",)
    trait: str = "turn"
    value: Json = "begun"


@event
class ActionDiceRecovered(Refilled):
    """All Action Dice come back; unused ones do not pile up (ST-07)."""

    pool: str = "actions"

    @property
    def unused(self) -> int:
        """What was left."""
        return self.before


@event
class ReactionsRecovered(Refilled):
    """Reactions come back with the dice (Q-T3)."""

    pool: str = "reactions"

    @property
    def unused(self) -> int:
        """What was left."""
        return self.before


@event
class NegativeApplied(DamageApplied):
    """A lasting negative effect takes its toll (ST-23)."""

    effect: str
    name: str


@event
class PositiveApplied(Healed):
    """A lasting positive effect does its good (ST-27)."""

    effect: str
    name: str


@event
class UpkeepAsked(Recorded):
    """An effect has its price (ST-24)."""

    payer: str
    bearer: str
    effect: str
    name: str
    resource: str
    amount: int


@event
class UpkeepPaid(Spent):
    """The price is paid; `who` pays (ST-24)."""

    SUBJECTS = ("who", "bearer")
    bearer: str
    effect: str
    name: str


@event
class UpkeepUnpaid(Recorded):
    """The price is declined, or more than there is (ST-25). `who` would have paid."""

    SUBJECTS = ("who", "bearer")
    PUBLIC = ("who", "name")
    SEEN = "{name} ends: the upkeep is not paid"
    who: str
    bearer: str
    effect: str
    name: str
    resource: str
    amount: int
    cause: str = ""


@event
class ActionTaken(Spent):
    """Actions are spent (ST-28)."""

    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "what", "target")
    SEEN = "{who} acts[: {what}][ on {target}]"
    pool: str = "actions"
    what: str = ""
    target: str = ""


@event
class WalkPaid(ActionTaken):
    """Actions are spent on a walk (ST-28), which tells where it leads."""

    SEEN = ""


@event
class ReactionTaken(Spent):
    """A Reaction is spent, in another combatant's turn (ST-30). Shared with Actions it comes out of these (Q-T2)."""

    DEED = True
    PUBLIC = ("who", "what", "target")
    SEEN = "{who} reacts[: {what}][ on {target}]"
    pool: str = "reactions"
    what: str = ""
    target: str = ""


@event
class FreeActionTaken(Recorded):
    """A Free Action, in its own turn or outside it (ST-32)."""

    DEED = True
    PUBLIC = ("who", "what")
    SEEN = "{who} acts freely[: {what}]"
    who: str
    what: str = ""


@event
class FreeActionForbidden(Recorded):
    """The GM says that a Free Action does not happen (ST-32)."""

    TEXT = "  {who}: that does not happen"
    TONE = "ruling"
    RULE = "ST-32"
    PUBLIC = ("who",)
    who: str
    what: str = ""


@event
class PoolSpent(Spent):
    """A pool, or a daily use, is spent on something."""

    what: str = ""


@event
class StrikeResolved(Recorded):
    """Hit or miss. With a die: its total against `needs`, with a `chance` in percent."""

    PUBLIC = ("who", "target", "hit")
    SEEN = "  {hit:hits|misses}"
    who: str
    target: str
    hit: bool
    total: int | None = None
    needs: int | None = None
    chance: float | None = None


@event
class TurnEnded(TraitChanged):
    """A turn is over: no Actions, voluntary, gm or down (ST-04). It is shown as 5 to 10 seconds (ST-05)."""

    PUBLIC = ("who", "cause")
    trait: str = "turn"
    value: Json = "done"
    cause: str = ""
    unused: int = 0
    seconds_min: int = 5
    seconds_max: int = 10


# Effects and the clock


@event
class EffectCounted(EffectTicked):
    """A duration drops by one."""


@event
class ClockRangeAdvanced(FactChanged):
    """A round is 30 to 60 s (ST-08): how far the most that can have passed lies beyond the least."""

    fact: str = "clock_spare_s"
    least_s: int
    most_s: int


# Rest


@event
class RestBegan(AgendaChanged):
    """A rest begins (ST-35)."""

    PUBLIC = ("kind", "minutes")
    SEEN = "A rest begins"
    kind: str
    minutes: int
    resters: tuple[str, ...] = ()


@event
class RestActivity(Recorded):
    """Something done during a rest (ST-37)."""

    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "what")
    SEEN = "{who}: {what}"
    who: str
    what: str = ""


@event
class ResolveSpent(Spent):
    """Resolve is spent for hit points (ST-38)."""

    TEXT = "  {amount} Resolve at {each} each, {left} left"
    TONE = "dim"
    RULE = "ST-38"
    pool: str = "resolve"
    each: str = ""


@event
class RestInterrupted(AgendaChanged):
    """A rest is cut short: nothing comes of it unless the GM says so (Q-T11)."""

    PUBLIC = ("kind", "minutes")
    SEEN = "The rest is cut short"
    kind: str
    minutes: int


@event
class RestLeft(TraitChanged):
    """One of those who rest breaks off after so many minutes; the others rest on (Q-T11)."""

    PUBLIC = ("who", "kind", "minutes")
    SEEN = "{who} breaks off the rest"
    trait: str = "resting"
    value: Json = "none"
    kind: str
    minutes: int
    reason: str = ""


@event
class RestCompleted(AgendaChanged):
    """A rest has reached its end (ST-39, ST-41)."""

    PUBLIC = ("kind", "minutes")
    SEEN = "The rest is over"
    kind: str
    minutes: int


@event
class FocusRecovered(Refilled):
    """All spent Focus is back (ST-39)."""

    pool: str = "focus"


@event
class PoolsRestored(Refilled):
    """A reserve is at its maximum again (ST-41)."""


@event
class DailiesRestored(Refilled):
    """What can be used so many times a day is ready again (ST-42)."""


EVENTS: tuple[type[Event], ...] = (
    SceneBegan, ModeSet, SceneEnded, TurnTaken, EveryoneHadAChance, ReminderRaised, InitiativeAsked, InitiativeRolled,
    TieBrokenBySpeed, TieDieRolled, TieBrokenByDie, OrderChanged, TurnOffered, TurnDelayed, SteppedIn, TurnForfeited,
    TurnPassed, TurnBegan, ActionDiceRecovered, ReactionsRecovered, NegativeApplied, PositiveApplied, UpkeepAsked,
    UpkeepPaid, UpkeepUnpaid, ActionTaken, WalkPaid, ReactionTaken, FreeActionTaken, FreeActionForbidden, PoolSpent,
    StrikeResolved, TurnEnded, EffectCounted, ClockRangeAdvanced, RestBegan, RestActivity, ResolveSpent,
    RestInterrupted, RestLeft, RestCompleted, FocusRecovered, PoolsRestored, DailiesRestored,
)  # fmt: skip
