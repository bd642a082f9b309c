"""The commands of Scenes, Rounds, Turns beside the shared ones, with their aliases, and its events.

Each event folds as the shared event that it derives from.
"""

from collections.abc import Mapping
from typing import ClassVar

from fightcall_engine.model import events
from fightcall_engine.model.commands import Command, Strike
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import classes_in


class OpenScene(Command):
    """Open a Scene (ST-01) in a mode, or ask the GM for the mode (ST-11)."""

    name: str = ""
    mode: str = ""


class SetMode(Command):
    """Change to ``initiative``, or back to ``free`` order (ST-09, ST-11)."""

    mode: str
    reason: str = ""


class CloseScene(Command):
    """Close the Scene (ST-01). `elapsed` is how long a free one took, such as ``20 min`` or ``3 days`` (ST-02)."""

    elapsed: str = ""
    reason: str = ""


class Initiative(Command):
    """Roll d20 + Speed (ST-12) for one participant, or for everyone who hasn't rolled yet.

    `die` is the face of one participant's d20. ``rolls`` has ``initiative`` or ``initiative.<id>``, and ``tie`` or
    ``tie.<id>`` for the d6 (ST-15).
    """

    who: str = ""
    die: int | None = None


class Take(Command):
    """Take the offered turn; in free order, take a turn at any time (ST-09)."""

    who: str


class Delay(Command):
    """Delay the offered turn (ST-17)."""

    PASSES: ClassVar[bool] = True
    who: str


class StepIn(Command):
    """Take a delayed turn before the offered one (ST-18). `together` names others who step in at the same time."""

    PEOPLE: ClassVar[tuple[str, ...]] = ("together",)
    who: str
    together: tuple[str, ...] = ()


class Forfeit(Command):
    """Give up a delayed turn at the end of the round (ST-21)."""

    who: str


class Act(Command):
    """Spend Actions on something (ST-28). In free order it just counts as a turn. `dice` are rolled and recorded."""

    who: str
    what: str = ""
    target: str = ""
    actions: int = 1
    dice: str = ""


class React(Command):
    """React out of turn, for one Reaction (ST-30)."""

    who: str
    what: str = ""
    target: str = ""
    dice: str = ""


class ReactionStrike(Strike):
    """Attack out of turn, for one Reaction (ST-30). The fields are those of Strike."""


class Free(Command):
    """Take a Free Action, in or out of turn, at no cost (ST-32)."""

    who: str
    what: str = ""


class Spend(Command):
    """Spend a pool, such as mana or focus, or one use of a daily ability by its name."""

    who: str
    pool: str
    amount: int = 1
    what: str = ""


class Pay(Command):
    """Pay the upkeep of an effect (ST-24), by default the one the program is asking about.

    Name the effects to pay for them in any order.
    """

    who: str = ""
    effect: str = ""


class Decline(Pay):
    """Refuse to pay upkeep, which ends the effect at once (ST-25)."""


class EndTurn(Command):
    """End the turn; remaining Actions are lost (ST-04)."""

    PASSES: ClassVar[bool] = True
    who: str = ""


class Affect(Command):
    """Begin an effect, with everything this system knows about effects.

    `polarity` is negative (step 1, ST-23), positive (step 4, ST-27), or empty for no change. `amount`, a number or
    dice, is the change of `pool`. `upkeep` is the price in `resource` that `payer` (by default the bearer) pays in
    step 2. `rounds` count down at the `ticks`, ``turn_start`` or ``turn_end``, of `anchor` (by default the bearer;
    Q-T16), or at ``round_end``; `ends_at_turn_start` means one turn start (ST-26).
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("payer", "anchor")
    who: str
    name: str
    polarity: str = ""
    amount: int | str = 0
    pool: str = "hp"
    upkeep: int = 0
    resource: str = ""
    payer: str = ""
    rounds: int | None = None
    ends_at_turn_start: bool = False
    ticks: str = "turn_start"
    anchor: str = ""
    note: str = ""


class Rest(Command):
    """Begin a rest between Scenes (ST-35): ``short``, 15 minutes or more, or ``full``, 6 hours or more.

    Everyone rests except foes and the `guards`, or only the `resters` do.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("resters", "guards")
    kind: str
    minutes: int | None = None
    hours: int | float | None = None
    resters: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()


class Activity(Command):
    """Do something during a rest (ST-37).

    In a Short Rest, each of `spend` Resolve restores `hp_each` hit points, a number or dice (ST-38). Without it, the GM
    is asked.
    """

    who: str
    what: str = ""
    spend: int = 0
    hp_each: int | str | None = None


class CompleteRest(Command):
    """Finish the rest (ST-39, ST-41)."""


class Interrupt(Command):
    """Interrupt the rest after some minutes or hours (Q-T11), for everyone or only for `who`."""

    who: str = ""
    minutes: int | None = None
    hours: int | float | None = None
    reason: str = ""


COMMANDS = classes_in(__name__, Command)

ALIASES: Mapping[str, tuple[str, Mapping[str, Json]]] = {
    "scene": ("OpenScene", {}),
    "begin_scene": ("OpenScene", {}),
    "mode": ("SetMode", {}),
    "fight": ("SetMode", {"mode": "initiative"}),
    "free_order": ("SetMode", {"mode": "free"}),
    "roll": ("Initiative", {}),
    "wait": ("Delay", {}),
    "release": ("StepIn", {}),
    "free_action": ("Free", {}),
    "done": ("EndTurn", {}),
    "attack": ("Strike", {}),
    "poison": ("Affect", {"name": "poison", "polarity": "negative"}),
    "curse": ("Affect", {"name": "curse", "polarity": "negative"}),
    "regeneration": ("Affect", {"name": "regeneration", "polarity": "positive"}),
    "short_rest": ("Rest", {"kind": "short"}),
    "full_rest": ("Rest", {"kind": "full"}),
    "condition": ("AddEffect", {}),
    "status": ("AddEffect", {}),
}


# Scenes


class SceneBegan(events.RoundBegan):
    """A Scene is opened (ST-01). Its rounds are counted from 1."""

    PUBLIC = ("name",)
    SEEN = "A scene begins[: {name}]"
    number: int = 0
    name: str = ""


class ModeSet(events.AgendaChanged):
    """The mode changes to free order or Initiative (ST-09, ST-11)."""

    PUBLIC = ("mode",)
    mode: str


class SceneEnded(events.AgendaChanged):
    """A Scene is closed (ST-01); `elapsed_s` is the duration of a free one, if the GM has given it (ST-02)."""

    TEXT = "The Scene ends[: {name}][ ({reason})]"
    RULE = "ST-01"
    PUBLIC = ("name",)
    SEEN = "The scene ends"
    name: str = ""
    elapsed_s: int | None = None


class TurnTaken(events.Recorded):
    """A combatant has had a turn in free order (ST-09)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "what")
    who: str
    what: str = ""
    target: str = ""
    walked: bool = False


class EveryoneHadAChance(events.FactChanged):
    """In free order all have had an opportunity (ST-10). For the GM only: a hidden combatant may have been the last."""

    TEXT = "Everyone has had a chance to act"
    TONE = "dim"
    RULE = "ST-10"
    fact: str = "everyone"
    value: Json = True


class ReminderRaised(events.Recorded):
    """A reminder for the GM: who has had no opportunity (ST-10), or who is tired (ST-34)."""

    text: str
    left_out: tuple[str, ...] = ()


# Initiative and the order


class InitiativeAsked(events.TraitChanged):
    """A participant must roll Initiative (ST-12)."""

    trait: str = "init_roll"
    value: Json = None


class InitiativeRolled(events.TraitChanged):
    """Initiative is rolled: d20 + Speed (ST-12)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "total")
    SEEN = "{who}: initiative {total}"
    trait: str = "init_roll"
    die: int
    speed: int
    total: int


class TieBrokenBySpeed(events.Recorded):
    """Equal totals: the higher Speed goes first (ST-14). `figures` are in their new order."""

    figures: tuple[str, ...]
    speeds: tuple[int, ...]


class TieDieRolled(events.TraitChanged):
    """Equal totals and Speed: a d6 is rolled (ST-15). For the GM only: the equal may be hidden."""

    TEXT = "{who}  d6 {die}"
    TONE = "dice"
    RULE = "ST-15"
    trait: str = "tie_d6"
    die: int


class TieBrokenByDie(events.Recorded):
    """The highest d6 goes first (ST-15). `figures` are in their new order."""

    figures: tuple[str, ...]
    dice: tuple[int, ...]


class OrderChanged(events.OrderSet):
    """A combatant's place in the order has changed (ST-19, ST-21)."""

    TEXT = "  New order: {order}"
    TONE = "dim"
    RULE = "ST-20"
    before: tuple[str, ...] = ()


# Offers


class TurnOffered(events.StepBegan):
    """A combatant is offered its turn, to take or delay. `last` is a delayer's last place (ST-21)."""

    PUBLIC = ("who", "last")
    who: str
    last: bool = False


class TurnDelayed(events.TraitChanged):
    """A turn is delayed (ST-17)."""

    SEEN = TEXT = "{who} delays"
    RULE = "ST-17"
    PUBLIC = ("who",)
    trait: str = "turn"
    value: Json = "delayed"


class SteppedIn(events.TraitChanged):
    """A delayer steps in before the offered turn (ST-18)."""

    TEXT = "{who} steps in[ ahead of {ahead_of}]"
    RULE = "ST-18"
    PUBLIC = ("who", "ahead_of")
    SUBJECTS = ("who", "ahead_of")
    SEEN = "{who} steps in"
    trait: str = "turn"
    value: Json = "stepping"
    ahead_of: str = ""


class TurnForfeited(events.TraitChanged):
    """A delayed turn is lost (ST-21)."""

    TEXT = "{who} forfeits the turn ({cause})"
    TONE = "warn"
    RULE = "ST-21"
    PUBLIC = ("who",)
    SEEN = "{who} loses the turn"
    trait: str = "turn"
    value: Json = "forfeited"
    cause: str = ""


class TurnPassed(events.TraitChanged):
    """A place passes without a turn: its owner cannot act, or came too late for it."""

    PUBLIC = ("who", "cause")
    trait: str = "turn"
    value: Json = "passed"
    cause: str = ""


# The turn


class TurnBegan(events.TraitChanged):
    """A turn begins (ST-22)."""

    PUBLIC = ("who",)
    trait: str = "turn"
    value: Json = "begun"


class ActionDiceRecovered(events.Refilled):
    """All Action Dice are refilled; unused ones do not accumulate (ST-07)."""

    EXPIRES = True
    pool: str = "actions"


class ReactionsRecovered(ActionDiceRecovered):
    """Reactions are refilled with the Action Dice (Q-T3)."""

    pool: str = "reactions"


class NegativeApplied(events.DamageApplied):
    """A lasting negative effect harms its bearer (ST-23)."""

    effect: str
    name: str


class PositiveApplied(events.Healed):
    """A lasting positive effect heals its bearer (ST-27)."""

    effect: str
    name: str


class UpkeepAsked(events.Recorded):
    """The upkeep of an effect is due (ST-24)."""

    payer: str
    bearer: str
    effect: str
    name: str
    resource: str
    amount: int


class UpkeepPaid(events.Spent):
    """Upkeep is paid by `who` (ST-24)."""

    SUBJECTS = ("who", "bearer")
    bearer: str
    effect: str
    name: str


class UpkeepUnpaid(events.Recorded):
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


class ActionTaken(events.Spent):
    """Actions are spent (ST-28)."""

    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "what", "target")
    SEEN = "{who} acts[: {what}][ on {target}]"
    pool: str = "actions"
    what: str = ""
    target: str = ""


class WalkPaid(ActionTaken):
    """Actions are spent on a walk (ST-28); the walk has an event of its own."""

    TEXT = "  {amount} Action{amount:1=|s}, {left} left"
    TONE = "dim"
    RULE = "ST-28"
    SEEN = ""


class ReactionTaken(events.Spent):
    """A Reaction is spent in another combatant's turn (ST-30), or an Action in its place (Q-T2)."""

    DEED = True
    PUBLIC = ("who", "what", "target")
    SEEN = "{who} reacts[: {what}][ on {target}]"
    pool: str = "reactions"
    what: str = ""
    target: str = ""


class FreeActionTaken(events.Recorded):
    """A Free Action is taken, in or out of turn (ST-32)."""

    SEEN = TEXT = "{who} takes a Free Action[: {what}]"
    RULE = "ST-32"
    DEED = True
    PUBLIC = ("who", "what")
    who: str
    what: str = ""


class FreeActionForbidden(events.Recorded):
    """The GM forbids a Free Action (ST-32)."""

    TEXT = "  {who}: it doesn't happen"
    TONE = "ruling"
    RULE = "ST-32"
    PUBLIC = ("who",)
    who: str
    what: str = ""


class PoolSpent(events.Spent):
    """A pool, or a daily use, is spent on something."""

    what: str = ""


class StrikeResolved(events.Recorded):
    """An attack hits or misses. With a roll, `needs` is the number to reach, and `chance` the chance in percent."""

    PUBLIC = ("who", "target", "hit")
    SEEN = "  {hit:hits|misses}"
    who: str
    target: str
    hit: bool
    total: int | None = None
    needs: int | None = None
    chance: float | None = None


class TurnEnded(events.TraitChanged):
    """A turn is over: no Actions, voluntary, gm or down (ST-04). It stands for 5 to 10 seconds (ST-05)."""

    PUBLIC = ("who", "cause")
    trait: str = "turn"
    value: Json = "done"
    cause: str = ""
    unused: int = 0
    seconds_min: int = 5
    seconds_max: int = 10


# Effects and the clock


class EffectCounted(events.EffectTicked):
    """A duration drops by one."""


class ClockRangeAdvanced(events.FactChanged):
    """A round is 30 to 60 s (ST-08): the difference between the most and the least time passed changes."""

    fact: str = "clock_spare_s"
    least_s: int
    most_s: int


# Rest


class RestBegan(events.AgendaChanged):
    """A rest begins (ST-35)."""

    PUBLIC = ("kind", "minutes")
    SEEN = "A rest begins"
    kind: str
    minutes: int
    resters: tuple[str, ...] = ()


class RestActivity(events.Recorded):
    """An activity during a rest (ST-37)."""

    TEXT = "{who}[: {what}]"
    RULE = "ST-37"
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "what")
    SEEN = "{who}: {what}"
    who: str
    what: str = ""


class ResolveSpent(events.Spent):
    """Resolve is spent for hit points (ST-38)."""

    TEXT = "  {amount} Resolve spent for {each} HP each, {left} left"
    TONE = "dim"
    RULE = "ST-38"
    pool: str = "resolve"
    each: str = ""


class RestInterrupted(events.AgendaChanged):
    """A rest is interrupted: it has no benefit, unless the GM says so (Q-T11)."""

    TEXT = "The {kind:short=Short Rest|full=Full Rest|rest} is interrupted after {minutes} min"
    TONE = "warn"
    RULE = "Q-T11"
    PUBLIC = ("kind", "minutes")
    SEEN = "The rest is cut short"
    kind: str
    minutes: int


class RestLeft(events.TraitChanged):
    """One participant stops resting after some minutes; the others continue (Q-T11)."""

    TEXT = "{who} stops the {kind:short=Short Rest|full=Full Rest|rest} after {minutes} min"
    TONE = "warn"
    RULE = "Q-T11"
    PUBLIC = ("who", "kind", "minutes")
    SEEN = "{who} stops resting"
    trait: str = "resting"
    value: Json = "none"
    kind: str
    minutes: int
    reason: str = ""


class RestCompleted(events.AgendaChanged):
    """A rest is completed (ST-39, ST-41)."""

    PUBLIC = ("kind", "minutes")
    SEEN = "The rest is over"
    kind: str
    minutes: int


class FocusRecovered(events.Refilled):
    """Focus is restored (ST-39)."""

    pool: str = "focus"


class PoolsRestored(events.Refilled):
    """A reserve is restored to its maximum (ST-41)."""


class DailiesRestored(events.Refilled):
    """Daily abilities are restored (ST-42)."""


EVENTS = classes_in(__name__, events.Event)
