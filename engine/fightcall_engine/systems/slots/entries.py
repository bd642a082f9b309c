"""The commands of Active Phase Encounters beside the shared ones, and its events."""

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from fightcall_engine.board.base import Location
from fightcall_engine.model import events
from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Scalar
from fightcall_engine.model.values import classes_in


class Awareness(Command):
    """Make a PC's Awareness check (AP-01): a `result`, or what the `die` shows plus the sheet's number, else a roll.

    It can be rerolled until the Cycle is locked (Q-A22).
    """

    who: str
    result: int | None = None
    die: int | None = None


class Order(Command):
    """List the Cycle from highest to lowest, once everyone has rolled (AP-02)."""


class Stay(Command):
    """Start later than the roll says (AP-06): directly `after` or `before` another PC's band, in a new band.

    `together`: join that band (GM override).
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("after", "before")
    who: str
    after: str = ""
    before: str = ""
    together: bool = False


class Init(Command):
    """Use an effect that only works in Initialization (AP-08, AP-09)."""

    who: str
    effect: str
    note: str = ""


class Lock(Command):
    """Lock the Cycle and begin Full Round 1 (AP-07)."""


class RoundStart(Command):
    """Go to the next Full Round. Open questions from the preparation or Upkeep take their defaults (AP-11)."""


class Act(Command):
    """Spend Action Slots in your own Active Phase (AP-16).

    `ability` is on the sheet, or any name with a `cost`, its Active price. `interrupt`: try to stop what the target is
    doing (AP-29): its current act, or with `work` its action of several rounds. `hit` and `damage` give the outcome; a
    miss interrupts nothing.
    """

    who: str
    ability: str = ""
    cost: int | None = None
    target: str = ""
    interrupt: bool = False
    work: bool = False
    hit: bool | None = None
    damage: int | str | None = None
    note: str = ""


class React(Act):
    """Act with Reserved Slots in another PC's Active Phase (AP-19, AP-20). The fields are those of Act.

    `allowed`: the GM lets Reserved Slots pay for an act that isn't on the sheet.
    """

    allowed: bool | None = None


class Handle(Command):
    """Do something minor, usually part of another act (AP-31): free, or 1 slot for each handling a `shared` object."""

    who: str
    what: str = ""
    shared: bool | None = None


class Combo(Command):
    """Use an effect of several PCs (AP-32, AP-33). The active one begins it with Action Slots; the others finish it.

    `partner`, or several `partners`. `cost` and `partner_cost` are the prices if it is not on the sheet. `in_range`:
    whether all are near enough. `target`, `interrupt`, `work`, `hit` and `damage` are those of Act.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("partner", "partners")
    who: str
    partner: str = ""
    partners: tuple[str, ...] = ()
    ability: str = ""
    cost: int | None = None
    partner_cost: int | None = None
    in_range: bool | None = None
    target: str = ""
    interrupt: bool = False
    work: bool = False
    hit: bool | None = None
    damage: int | str | None = None
    note: str = ""


class Begin(Command):
    """Begin an action that takes several Full Rounds (AP-34).

    `needed` is its price if it is not on the sheet, `pay` what is paid now: by default what it needs, at most what
    there is. Its roll is made now and sealed (AP-37): a `result`, or `dice` (``rolls["sealed"]``). `interruptible` says
    whether it can be interrupted; if neither that nor the sheet says, the GM is asked (AP-39). `target` and `damage`
    say whom it hits, and for how much, when it is done (AP-40).
    """

    who: str
    ability: str = ""
    needed: int | None = None
    pay: int | None = None
    result: int | None = None
    dice: str = ""
    interruptible: bool | None = None
    target: str = ""
    damage: int | str | None = None
    note: str = ""


class Continue(Command):
    """Pay the next instalment of the action in progress, a Full Round later (AP-35); the last completes it (AP-40).

    `success`, `target` and `damage` give its outcome, where that was not known before.
    """

    who: str
    pay: int | None = None
    success: bool | None = None
    target: str = ""
    damage: int | str | None = None


class EndAP(Command):
    """End your Active Phase. Unused slots become Reserved Slots (AP-17), or are lost in the Final Phase (AP-25)."""

    PASSES: ClassVar[bool] = True
    who: str


class Npc(Command):
    """Let an NPC act, at any time, by the GM's own rules (AP-05).

    With `rounds` it takes that many Full Rounds, counted at Upkeep (AP-44), and takes effect with the last.
    `interruptible`: whether it can be interrupted until then (AP-39).
    """

    who: str
    what: str = ""
    target: str = ""
    hit: bool | None = None
    damage: int | str | None = None
    rounds: int | None = None
    interruptible: bool | None = None


class Affect(Command):
    """Begin a lasting effect on `who`.

    `kind` is ``damage`` or ``heal`` (`amount` at each Upkeep, a number or dice), ``slots`` (`amount` more or fewer
    gained), ``buff``, ``debuff`` or ``other``. `rounds` is its duration; left out, it lasts until it is ended. `counts`
    is false if Upkeep does not count it down.
    """

    who: str
    name: str
    kind: str = "other"
    amount: int | str = 0
    rounds: int | None = None
    counts: bool = True
    note: str = ""


class MarkZone(Command):
    """Mark a zone of the board, for instance as burning or flooded.

    `price` is what entering it costs in slots, beside the movement. `kind` is ``damage`` or ``heal``, with `amount` at
    each Upkeep, a number or dice, for a combatant who stands there (AP-45), else ``none``. `rounds` is its duration in
    Upkeeps; left out, it lasts until it is cleared.
    """

    at: Location | None
    name: str
    price: int = 0
    kind: str = ""
    amount: int | str = 0
    rounds: int | None = None


class ClearZone(Command):
    """Remove the mark of this `name` from a zone, or all its marks."""

    at: Location | None
    name: str = ""


class Upkeep(Command):
    """Close the round and go through Upkeep (AP-42). `outside`: what else resolves in it (AP-43)."""

    outside: str = ""


class Outro(Command):
    """Wind down when no threat is left (AP-46): ``all_resolve``, ``slow_burn``, or another way in your own words."""

    choice: str
    note: str = ""


class Volunteer(Command):
    """Volunteer slots for a shared problem in Slow Burn (AP-49): `problem` by name, or the oldest one."""

    who: str
    slots: int
    problem: str = ""


COMMANDS = classes_in(__name__, Command)


class EncounterBegan(events.FightOpened):
    """The encounter begins: Awareness first (AP-01)."""


class EncounterEnded(events.FightClosed):
    """The encounter is over."""


class PreparationBegan(events.AgendaChanged):
    """The steps before the first Full Round are set: Awareness, ordering, Initialization."""


class AwarenessBegan(events.StepBegan):
    """Every PC makes an Awareness check (AP-01)."""


class CheckAsked(events.RulingAsked):
    """A PC owes an Awareness check (AP-01)."""


class AwarenessRolled(events.TraitChanged):
    """A PC has an Awareness result (AP-01): `die` + `modifier` if it was rolled, only `value` if it was typed."""

    PUBLIC = ("who", "value")
    SEEN = "{who}: awareness {value}"
    trait: str = "awareness"
    value: int
    die: int | None = None
    modifier: int = 0


class OrderingBegan(events.StepBegan):
    """All results are in; the order is shown, and PCs may Stay (AP-02, AP-06)."""


class BandFormed(events.TraitsReset):
    """PCs share a place in the Cycle, counted from 1 (AP-03)."""

    trait: str = "place"


class CycleOrdered(events.OrderSet):
    """The Active Phase Cycle is listed, from highest to lowest (AP-02)."""

    bands: tuple[tuple[str, ...], ...] = ()


class StayDeclared(events.TraitChanged):
    """A PC starts later than by its result (AP-06): after the band of `value`, or `together` with it."""

    PUBLIC = ("who", "value", "together")
    SEEN = "{who} starts later"
    trait: str = "stay"
    together: bool = False


class InitializationBegan(events.StepBegan):
    """Effects for Initialization can be used now (AP-08)."""


class InitEffectResolved(events.Recorded):
    """An effect for Initialization is applied or resolved (AP-09)."""

    TEXT = "{who}: {effect}[ ({note})]"
    RULE = "AP-09"
    PUBLIC = ("who", "effect")
    who: str
    effect: str
    note: str = ""


class InitializationEnded(events.StepEnded):
    """All effects for Initialization are resolved (AP-09)."""


class CycleLocked(events.FactChanged):
    """The places in the Cycle are final (AP-07)."""

    fact: str = "locked"
    value: Scalar = True
    bands: tuple[tuple[str, ...], ...] = ()


class FullRoundBegan(events.RoundBegan):
    """A Full Round begins, as its first band gains slots (AP-11)."""


class SlowBurnRoundBegan(events.RoundBegan):
    """A round of Slow Burn begins (AP-48)."""


class FullRoundEnded(events.RoundEnded):
    """Every PC of the last band has spent or discarded all slots (AP-26)."""


class ActivePhaseBegan(events.StepBegan):
    """A band's Active Phase begins; its PCs gain their slots together (AP-03, AP-14)."""

    LISTED = ("band",)
    band: tuple[str, ...] = ()


class FinalPhaseBegan(events.Recorded):
    """The last band begins its Active Phase (AP-22): every action costs four times as much (AP-23)."""

    figures: tuple[str, ...]


class SlotsGained(events.PoolChanged):
    """A PC gains its slots of the round (AP-12..15): `total` is base, Agility and modifiers."""

    PUBLIC = ("who", "total")
    pool: str = "slots"
    base: int
    agility: int
    modifiers: Mapping[str, int] = field(default_factory=dict)
    total: int


class SlotTotalChanged(events.PoolChanged):
    """A PC will gain more or fewer slots: the maximum of a pool follows, but not below what it has (AP-12, AP-13)."""


class SlotsSpent(events.Spent):
    """Action Slots or Reserved Slots are spent, as `pool` says."""

    TEXT = "  {amount} slot{amount:1=|s}, {left} {pool:reserved=in reserve|left}"
    TONE = "dim"
    RULE = "AP-16"


class SlotsConverted(events.PoolChanged):
    """Action Slots left at the end of an Active Phase become Reserved Slots (AP-17)."""

    pool: str = "slots"


class SlotsReserved(events.PoolChanged):
    """A PC has kept slots in reserve (AP-17)."""

    PUBLIC = ("who", "amount")
    SEEN = "{who} keeps {amount} in reserve"
    pool: str = "reserved"
    amount: int


class SlotsDiscarded(events.Recorded):
    """A PC gives up slots that it cannot keep (AP-25)."""

    PUBLIC = ("who", "amount")
    who: str
    amount: int


class HesitationLost(events.PoolChanged):
    """Slots are lost to Hesitation: discarded ones (AP-25), and all reserves as a round closes (AP-27)."""

    EXPIRES = True
    PUBLIC = ("who", "amount")
    amount: int


class ActivePhaseEnded(events.TraitChanged):
    """A PC's Active Phase is over; `cause` is spent, ended, closed, down or npc (AP-17, AP-18)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "cause")
    trait: str = "ap"
    value: Scalar = "done"
    cause: str = "ended"


class BandEnded(events.StepEnded):
    """Every PC of a band has spent or converted all slots (AP-18)."""


class FinalPhaseEnded(events.StepEnded):
    """The Final Phase is over (AP-26)."""


class BandSkipped(events.StepSkipped):
    """A band is skipped, as nobody in it can act (Q-A7)."""


class HesitationBegan(events.StepBegan):
    """The round closes; reserved slots are lost (AP-27)."""


class ActionActivated(events.TraitChanged):
    """An action is announced and paid; `time` is its price column: active, reserved or final (AP-16, AP-21)."""

    DEED = True
    PUBLIC = ("who", "ability", "target", "time")
    SEEN = "{who}: {ability}[ at {target}]"
    trait: str = "doing"
    ability: str
    price: int
    time: str
    target: str = ""
    roll: int | None = None
    note: str = ""


class FinalActionTaken(events.Recorded):
    """The price of an action in the Final Phase, before and after it is multiplied (AP-23)."""

    who: str
    ability: str
    base: int
    price: int


class ActResolved(events.Recorded):
    """An act has hit or missed its target, by the GM's word."""

    PUBLIC = ("who", "target", "ability", "hit")
    SEEN = "  {hit:hits|misses}"
    who: str
    target: str
    ability: str
    hit: bool


class CheckResolved(events.Recorded):
    """A sealed roll is opened, and has passed or failed (AP-41)."""

    PUBLIC = ("who", "ability", "passed")
    SEEN = "  {ability} {passed:succeeds|fails}"
    who: str
    ability: str
    passed: bool
    roll: int | None = None


class Interrupted(events.Recorded):
    """An act interrupts that of another (AP-29, AP-30)."""

    PUBLIC = ("by", "target")
    SEEN = "{by} interrupts {target}"
    by: str
    target: str
    what: str
    rule: str = "AP-29"


class ActionInterrupted(events.TraitChanged):
    """A combatant's act is stopped, and the slots paid for it are lost."""

    PUBLIC = ("who", "what")
    SEEN = "  {who} is interrupted: {what}"
    trait: str = "doing"
    value: Scalar = ""
    what: str
    by: str = ""
    slots_lost: int = 0


class MinorActDone(events.Recorded):
    """A minor act is done (AP-31); `shared`: more than one must handle the object."""

    TEXT = "{who}: {what}{shared:|, free}"
    RULE = "AP-31"
    DEED = True
    PUBLIC = ("who", "what")
    SEEN = "{who}: {what}"
    who: str
    what: str
    shared: bool
    price: int


class ComboStarted(events.TraitChanged):
    """The active PC begins a Combo (AP-33); `slots` gives what each pays."""

    DEED = True
    PUBLIC = ("who", "ability", "target")
    SEEN = "{who} begins a combo: {ability}[ at {target}]"
    trait: str = "doing"
    ability: str
    partners: tuple[str, ...]
    slots: Mapping[str, int]
    target: str = ""
    roll: int | None = None
    note: str = ""


class ComboFinished(events.Recorded):
    """The partners finish a Combo (AP-33)."""

    PUBLIC = ("who", "ability")
    SEEN = "{who} finishes the combo"
    who: str
    ability: str
    partners: tuple[str, ...]


class MultiRoundBegan(events.TraitChanged):
    """An action of several rounds begins (AP-34), its roll sealed (AP-37); `needed`: slots, or an NPC's Full Rounds."""

    DECLARES: ClassVar[bool] = True
    DEED = True
    PUBLIC = ("who", "value", "needed", "target")
    SEEN = "{who} begins {value}[ at {target}]"
    trait: str = "work"
    needed: int
    roll: int | None = None
    dice: str = ""
    faces: tuple[int, ...] = ()
    target: str = ""
    note: str = ""


class MultiRoundPaid(events.EntryChanged):
    """An instalment is paid (AP-34, AP-35)."""

    TEXT = "{who}: {action} {paid}/{needed}"
    RULE = "AP-35"
    DEED = True
    PUBLIC = ("who", "paid", "needed")
    SEEN = "{who} continues ({paid}/{needed} slots)"
    field: str = "work"
    part: str = "paid"
    action: str
    paid: int
    needed: int


class MultiRoundCompleted(events.TraitChanged):
    """An action of several rounds is paid and takes effect (AP-40); its sealed roll is opened (AP-41)."""

    TEXT = "{who}: {name} takes effect[: the sealed roll is {roll}]"
    TONE = "good"
    RULE = "AP-40"
    PUBLIC = ("who", "name", "roll")
    SEEN = "{who} finishes {name}"
    trait: str = "work"
    name: str
    done: int
    needed: int
    roll: int | None = None


class MultiRoundLost(events.TraitChanged):
    """An action of several rounds is lost with all that was paid for it (AP-36); its sealed roll is void."""

    PUBLIC = ("who", "name")
    SEEN = "  {name} is lost"
    trait: str = "work"
    name: str
    lost: int
    reason: str = ""


class NpcActed(events.TraitChanged):
    """An NPC acts by the GM's own rules (AP-05)."""

    DEED = True
    PUBLIC = ("who", "what", "target")
    SEEN = "{who}: {what}[ at {target}]"
    trait: str = "doing"
    what: str
    target: str = ""
    interrupted: bool = False


class UpkeepBegan(events.StepBegan):
    """Upkeep begins (AP-28, AP-42)."""


class OutsideUpkeepAsked(events.RulingAsked):
    """The GM is asked what else this Upkeep resolves (AP-43)."""


class DamagePulsed(events.DamageApplied):
    """Damage over time takes effect (AP-45); healing in the same Upkeep cancels `offset` of it."""

    effect: str
    offset: int = 0


class HealPulsed(events.Healed):
    """Healing over time takes effect (AP-45); damage in the same Upkeep cancels `offset` of it."""

    effect: str
    offset: int = 0


class TickedDown(events.EffectTicked):
    """A duration drops by one (AP-44)."""


class EffectExpired(events.EffectEnded):
    """A duration has run out (AP-44)."""

    TEXT = "{who}: {name} ends ({reason})"
    RULE = "AP-44"


class ZoneMarked(events.EntryChanged):
    """A zone has a new mark, such as fire, or one with new values (AP-43)."""

    PUBLIC = ("value", "zone", "price", "kind", "amount", "rounds")
    SEEN = "{zone}: {value}"
    field: str = "marks"
    zone: str
    price: int = 0
    kind: str = ""
    amount: int | str = 0
    rounds: int | None = None


class ZoneCleared(events.EntryChanged):
    """A mark of a zone is gone."""

    TEXT = "{zone}: no longer {name}[ ({reason})]"
    RULE = "AP-43"
    PUBLIC = ("zone",)
    SEEN = "{zone} is clear again"
    field: str = "marks"
    name: str
    zone: str
    reason: str = ""


class UpkeepEnded(events.StepEnded):
    """All items of Upkeep are resolved (AP-42)."""


class ThreatsPlayedOut(events.FactChanged):
    """The GM says that no threat is left (AP-46)."""

    PUBLIC = ("value",)
    SEEN = "No threat is left"
    fact: str = "threats"
    value: Scalar = "over"


class ThreatsReturned(events.FactChanged):
    """The GM says that a threat is back: Slow Burn turns into a fight (AP-46, AP-48)."""

    PUBLIC = ("value",)
    SEEN = "There is a threat again"
    fact: str = "threats"
    value: Scalar = ""


class OutroChosen(events.FactChanged):
    """How the encounter winds down (AP-46)."""

    PUBLIC = ("value",)
    fact: str = "outro"


class CycleLeft(events.AgendaChanged):
    """The Active Phase Cycle is left (AP-47)."""


class SlotsCleared(events.PoolChanged):
    """Slots left over are lost as the Cycle is left (AP-47)."""


class BoardCleared(events.Recorded):
    """The board is cleared for the next scene (AP-47)."""

    figures: tuple[str, ...] = ()


class IssueSet(events.EntryChanged):
    """A common problem of Slow Burn needs so many slots (AP-50)."""

    TEXT = "{name}: [{needed} slots]{needed:None=until the GM says it is solved|}"
    TONE = "ruling"
    RULE = "AP-50"
    PUBLIC = ("name", "needed")
    SEEN = "A problem: {name}[, {needed} slots]"
    field: str = "problems"
    part: str = "needed"
    name: str = ""
    needed: int | None = None


class SlotsVolunteered(events.Recorded):
    """A PC gives slots to a common problem (AP-49)."""

    TEXT = "{who} volunteers {amount}"
    RULE = "AP-49"
    PUBLIC = ("who", "amount")
    SEEN = "{who} puts {amount} slots into the problem"
    who: str
    amount: int


class IssueProgressed(events.EntryChanged):
    """A common problem has received slots (AP-49)."""

    TEXT = "  {name}: {done}[/{needed}]"
    TONE = "dim"
    RULE = "AP-49"
    PUBLIC = ("name", "done", "needed")
    SEEN = "{name}: {done}[ of {needed}] slots"
    field: str = "problems"
    part: str = "done"
    name: str = ""
    done: int
    needed: int | None = None


class IssueResolved(events.EntryChanged):
    """A common problem is solved (AP-50)."""

    PUBLIC = ("name",)
    SEEN = "{name}: solved"
    field: str = "problems"
    name: str = ""


EVENTS = classes_in(__name__, events.Event)
