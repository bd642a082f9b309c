"""The events of Scenes, Rounds, Turns. Each folds like the shared event that it derives from.

Shared events are used as they are for the rest: OrderSet, RoundBegan, RoundEnded, StepBegan (steps 1 to 6 are the
phases negative, costs, expiries, positive, acting and end), EffectEnded, Downed, ClockAdvanced, rulings and dice.
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
    """A Scene is opened (ST-01). Its rounds are counted from 1."""

    PUBLIC = ("name",)
    SEEN = "A scene begins[: {name}]"
    number: int = 0
    name: str = ""


@event
class ModeSet(AgendaChanged):
    """The mode changes to free order or Initiative (ST-09, ST-11)."""

    PUBLIC = ("mode",)
    mode: str


@event
class SceneEnded(AgendaChanged):
    """A Scene is closed (ST-01); `elapsed_s` is the duration of a free one, if the GM has given it (ST-02)."""

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
    """In free order all have had an opportunity (ST-10). For the GM only: a hidden combatant may have been the last."""

    TEXT = "Everyone has had a chance to act"
    TONE = "dim"
    RULE = "ST-10"
    fact: str = "everyone"
    value: Json = True


@event
class ReminderRaised(Recorded):
    """A reminder for the GM: who has had no opportunity (ST-10), or who is tired (ST-34)."""

    text: str
    left_out: tuple[str, ...] = ()


# Initiative and the order


@event
class InitiativeAsked(TraitChanged):
    """A participant must roll Initiative (ST-12)."""

    trait: str = "init_roll"
    value: Json = None


@event
class InitiativeRolled(TraitChanged):
    """Initiative is rolled: d20 + Speed (ST-12)."""

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
    """Equal totals: the higher Speed goes first (ST-14). `figures` are in their new order."""

    figures: tuple[str, ...]
    speeds: tuple[int, ...]


@event
class TieDieRolled(TraitChanged):
    """Equal totals and Speed: a d6 is rolled (ST-15). For the GM only: the equal may be hidden."""

    TEXT = "{who}  d6 {die}"
    TONE = "dice"
    RULE = "ST-15"
    trait: str = "tie_d6"
    die: int


@event
class TieBrokenByDie(Recorded):
    """The highest d6 goes first (ST-15). `figures` are in their new order."""

    figures: tuple[str, ...]
    dice: tuple[int, ...]


@event
class OrderChanged(OrderSet):
    """A combatant's place in the order has changed (ST-19, ST-21)."""

    before: tuple[str, ...] = ()


# Offers


@event
class TurnOffered(StepBegan):
    """A combatant is offered its turn, to take or delay. `last` is a delayer's last place (ST-21)."""

    PUBLIC = ("who", "last")
    who: str
    last: bool = False


@event
class TurnDelayed(TraitChanged):
    """A turn is delayed (ST-17)."""

    TEXT = "{who} delays"
    RULE = "ST-17"
    PUBLIC = ("who",)
    SEEN = "{who} delays"
    trait: str = "turn"
    value: Json = "delayed"


@event
class SteppedIn(TraitChanged):
    """A delayer steps in before the offered turn (ST-18)."""

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
    """All Action Dice are refilled; unused ones do not accumulate (ST-07)."""

    pool: str = "actions"

    @property
    def unused(self) -> int:
        """The amount that was left."""
        return self.before


@event
class ReactionsRecovered(Refilled):
    """Reactions are refilled with the Action Dice (Q-T3)."""

    pool: str = "reactions"

    @property
    def unused(self) -> int:
        """The amount that was left."""
        return self.before


@event
class NegativeApplied(DamageApplied):
    """A lasting negative effect harms its bearer (ST-23)."""

    effect: str
    name: str


@event
class PositiveApplied(Healed):
    """A lasting positive effect heals its bearer (ST-27)."""

    effect: str
    name: str


@event
class UpkeepAsked(Recorded):
    """The upkeep of an effect is due (ST-24)."""

    payer: str
    bearer: str
    effect: str
    name: str
    resource: str
    amount: int


@event
class UpkeepPaid(Spent):
    """Upkeep is paid by `who` (ST-24)."""

    SUBJECTS = ("who", "bearer")
    bearer: str
    effect: str
    name: str


@event
class UpkeepUnpaid(Recorded):
    """Upkeep is declined, or cannot be paid (ST-25). `who` would have paid."""

    SUBJECTS = ("who", "bearer")
    PUBLIC = ("who", "name")
    SEEN = "{name} ends (upkeep not paid)"
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
    """Actions are spent on a walk (ST-28); the walk has an event of its own."""

    SEEN = ""


@event
class ReactionTaken(Spent):
    """A Reaction is spent in another combatant's turn (ST-30), or an Action in its place (Q-T2)."""

    DEED = True
    PUBLIC = ("who", "what", "target")
    SEEN = "{who} reacts[: {what}][ on {target}]"
    pool: str = "reactions"
    what: str = ""
    target: str = ""


@event
class FreeActionTaken(Recorded):
    """A Free Action is taken, in or out of turn (ST-32)."""

    DEED = True
    PUBLIC = ("who", "what")
    SEEN = "{who} takes a Free Action[: {what}]"
    who: str
    what: str = ""


@event
class FreeActionForbidden(Recorded):
    """The GM forbids a Free Action (ST-32)."""

    TEXT = "  {who}: it doesn't happen"
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
    """An attack hits or misses. With a roll, `needs` is the number to reach, and `chance` the chance in percent."""

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
    """A turn is over: no Actions, voluntary, gm or down (ST-04). It stands for 5 to 10 seconds (ST-05)."""

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
    """A round is 30 to 60 s (ST-08): the difference between the most and the least time passed changes."""

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
    """An activity during a rest (ST-37)."""

    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "what")
    SEEN = "{who}: {what}"
    who: str
    what: str = ""


@event
class ResolveSpent(Spent):
    """Resolve is spent for hit points (ST-38)."""

    TEXT = "  {amount} Resolve spent for {each} HP each, {left} left"
    TONE = "dim"
    RULE = "ST-38"
    pool: str = "resolve"
    each: str = ""


@event
class RestInterrupted(AgendaChanged):
    """A rest is interrupted: it has no benefit, unless the GM says so (Q-T11)."""

    PUBLIC = ("kind", "minutes")
    SEEN = "The rest is cut short"
    kind: str
    minutes: int


@event
class RestLeft(TraitChanged):
    """One participant stops resting after some minutes; the others continue (Q-T11)."""

    PUBLIC = ("who", "kind", "minutes")
    SEEN = "{who} stops resting"
    trait: str = "resting"
    value: Json = "none"
    kind: str
    minutes: int
    reason: str = ""


@event
class RestCompleted(AgendaChanged):
    """A rest is completed (ST-39, ST-41)."""

    PUBLIC = ("kind", "minutes")
    SEEN = "The rest is over"
    kind: str
    minutes: int


@event
class FocusRecovered(Refilled):
    """Focus is restored (ST-39)."""

    pool: str = "focus"


@event
class PoolsRestored(Refilled):
    """A reserve is restored to its maximum (ST-41)."""


@event
class DailiesRestored(Refilled):
    """Daily abilities are restored (ST-42)."""


EVENTS: tuple[type[Event], ...] = (
    SceneBegan, ModeSet, SceneEnded, TurnTaken, EveryoneHadAChance, ReminderRaised, InitiativeAsked, InitiativeRolled,
    TieBrokenBySpeed, TieDieRolled, TieBrokenByDie, OrderChanged, TurnOffered, TurnDelayed, SteppedIn, TurnForfeited,
    TurnPassed, TurnBegan, ActionDiceRecovered, ReactionsRecovered, NegativeApplied, PositiveApplied, UpkeepAsked,
    UpkeepPaid, UpkeepUnpaid, ActionTaken, WalkPaid, ReactionTaken, FreeActionTaken, FreeActionForbidden, PoolSpent,
    StrikeResolved, TurnEnded, EffectCounted, ClockRangeAdvanced, RestBegan, RestActivity, ResolveSpent,
    RestInterrupted, RestLeft, RestCompleted, FocusRecovered, PoolsRestored, DailiesRestored,
)  # fmt: skip
