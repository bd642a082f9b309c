"""The events of Active Phase Encounters. Each folds as the shared event that it derives from."""

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from fightcall_engine.model.events import (
    AgendaChanged,
    DamageApplied,
    EffectEnded,
    EffectTicked,
    EntryChanged,
    Event,
    FactChanged,
    FightClosed,
    FightOpened,
    Healed,
    OrderSet,
    PoolChanged,
    Recorded,
    RoundBegan,
    RoundEnded,
    RulingAsked,
    Spent,
    StepBegan,
    StepEnded,
    StepSkipped,
    TraitChanged,
    TraitsReset,
)
from fightcall_engine.model.state import Scalar
from fightcall_engine.model.values import value as event


@event
class EncounterBegan(FightOpened):
    """The encounter begins: Awareness first (AP-01)."""


@event
class EncounterEnded(FightClosed):
    """The encounter is over."""


# Awareness, order, Initialization


@event
class PreparationBegan(AgendaChanged):
    """The steps before the first Full Round are set: Awareness, ordering, Initialization."""


@event
class AwarenessBegan(StepBegan):
    """Every PC makes an Awareness check (AP-01)."""


@event
class CheckAsked(RulingAsked):
    """A PC owes an Awareness check (AP-01)."""


@event
class AwarenessRolled(TraitChanged):
    """A PC has an Awareness result (AP-01): `die` + `modifier` if it was rolled, only `value` if it was typed."""

    PUBLIC = ("who", "value")
    SEEN = "{who}: awareness {value}"
    trait: str = "awareness"
    value: int
    die: int | None = None
    modifier: int = 0


@event
class OrderingBegan(StepBegan):
    """All results are in; the order is shown, and PCs may Stay (AP-02, AP-06)."""


@event
class BandFormed(TraitsReset):
    """PCs share a place in the Cycle, counted from 1 (AP-03)."""

    trait: str = "place"


@event
class CycleOrdered(OrderSet):
    """The Active Phase Cycle is listed, from highest to lowest (AP-02)."""

    bands: tuple[tuple[str, ...], ...] = ()


@event
class StayDeclared(TraitChanged):
    """A PC starts later than by its result (AP-06): after the band of `value`, or `together` with it."""

    PUBLIC = ("who", "value", "together")
    SEEN = "{who} starts later"
    trait: str = "stay"
    together: bool = False


@event
class InitializationBegan(StepBegan):
    """Effects for Initialization can be used now (AP-08)."""


@event
class InitEffectResolved(Recorded):
    """An effect for Initialization is applied or resolved (AP-09)."""

    PUBLIC = ("who", "effect")
    who: str
    effect: str
    note: str = ""


@event
class InitializationEnded(StepEnded):
    """All effects for Initialization are resolved (AP-09)."""


@event
class CycleLocked(FactChanged):
    """The places in the Cycle are final (AP-07)."""

    fact: str = "locked"
    value: Scalar = True
    bands: tuple[tuple[str, ...], ...] = ()


# The Full Round


@event
class FullRoundBegan(RoundBegan):
    """A Full Round begins, as its first band gains slots (AP-11)."""


@event
class SlowBurnRoundBegan(RoundBegan):
    """A round of Slow Burn begins (AP-48)."""


@event
class FullRoundEnded(RoundEnded):
    """Every PC of the last band has spent or discarded all slots (AP-26)."""


@event
class ActivePhaseBegan(StepBegan):
    """A band's Active Phase begins; its PCs gain their slots together (AP-03, AP-14)."""

    LISTED = ("band",)
    band: tuple[str, ...] = ()


@event
class FinalPhaseBegan(Recorded):
    """The last band begins its Active Phase (AP-22): every action costs four times as much (AP-23)."""

    figures: tuple[str, ...]


@event
class SlotsGained(PoolChanged):
    """A PC gains its slots of the round (AP-12..15): `total` is base, Agility and modifiers."""

    PUBLIC = ("who", "total")
    pool: str = "slots"
    base: int
    agility: int
    modifiers: Mapping[str, int] = field(default_factory=dict)
    total: int


@event
class SlotTotalChanged(PoolChanged):
    """A PC will gain more or fewer slots: the maximum of a pool follows, but not below what it has (AP-12, AP-13)."""


@event
class SlotsSpent(Spent):
    """Action Slots or Reserved Slots are spent, as `pool` says."""


@event
class SlotsConverted(PoolChanged):
    """Action Slots left at the end of an Active Phase become Reserved Slots (AP-17)."""

    pool: str = "slots"


@event
class SlotsReserved(PoolChanged):
    """A PC has kept slots in reserve (AP-17)."""

    PUBLIC = ("who", "amount")
    SEEN = "{who} keeps {amount} in reserve"
    pool: str = "reserved"
    amount: int


@event
class SlotsDiscarded(Recorded):
    """A PC gives up slots that it cannot keep (AP-25)."""

    PUBLIC = ("who", "amount")
    who: str
    amount: int


@event
class HesitationLost(PoolChanged):
    """Slots are lost to Hesitation: discarded ones (AP-25), and all reserves as a round closes (AP-27)."""

    PUBLIC = ("who", "amount")
    amount: int

    @property
    def unused(self) -> int:
        """The slots lost."""
        return self.amount


@event
class ActivePhaseEnded(TraitChanged):
    """A PC's Active Phase is over; `cause` is spent, ended, closed, down or npc (AP-17, AP-18)."""

    DEED = False
    ACTS: ClassVar[bool] = True
    PUBLIC = ("who", "cause")
    trait: str = "ap"
    value: Scalar = "done"
    cause: str = "ended"


@event
class BandEnded(StepEnded):
    """Every PC of a band has spent or converted all slots (AP-18)."""


@event
class FinalPhaseEnded(StepEnded):
    """The Final Phase is over (AP-26)."""


@event
class BandSkipped(StepSkipped):
    """A band is skipped, as nobody in it can act (Q-A7)."""


@event
class HesitationBegan(StepBegan):
    """The round closes; reserved slots are lost (AP-27)."""


# Acts


@event
class ActionActivated(TraitChanged):
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


@event
class FinalActionTaken(Recorded):
    """The price of an action in the Final Phase, before and after it is multiplied (AP-23)."""

    who: str
    ability: str
    base: int
    price: int


@event
class ActResolved(Recorded):
    """An act has hit or missed its target, by the GM's word."""

    PUBLIC = ("who", "target", "ability", "hit")
    SEEN = "  {hit:hits|misses}"
    who: str
    target: str
    ability: str
    hit: bool


@event
class CheckResolved(Recorded):
    """A sealed roll is opened, and has passed or failed (AP-41)."""

    PUBLIC = ("who", "ability", "passed")
    SEEN = "  {ability} {passed:succeeds|fails}"
    who: str
    ability: str
    passed: bool
    roll: int | None = None


@event
class Interrupted(Recorded):
    """An act interrupts that of another (AP-29, AP-30)."""

    PUBLIC = ("by", "target")
    SEEN = "{by} interrupts {target}"
    by: str
    target: str
    what: str
    rule: str = "AP-29"


@event
class ActionInterrupted(TraitChanged):
    """A combatant's act is stopped, and the slots paid for it are lost."""

    PUBLIC = ("who", "what")
    SEEN = "  {who} is interrupted: {what}"
    trait: str = "doing"
    value: Scalar = ""
    what: str
    by: str = ""
    slots_lost: int = 0


@event
class MinorActDone(Recorded):
    """A minor act is done (AP-31); `shared`: more than one must handle the object."""

    DEED = True
    PUBLIC = ("who", "what")
    SEEN = "{who}: {what}"
    who: str
    what: str
    shared: bool
    price: int


@event
class ComboStarted(TraitChanged):
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


@event
class ComboFinished(Recorded):
    """The partners finish a Combo (AP-33)."""

    PUBLIC = ("who", "ability")
    SEEN = "{who} finishes the combo"
    who: str
    ability: str
    partners: tuple[str, ...]


@event
class MultiRoundBegan(TraitChanged):
    """An action of several rounds is begun (AP-34); its roll is sealed (AP-37).

    `needed` is its price in slots, or in Full Rounds for an NPC (AP-05).
    """

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


@event
class MultiRoundPaid(EntryChanged):
    """An instalment is paid (AP-34, AP-35)."""

    DEED = True
    PUBLIC = ("who", "paid", "needed")
    SEEN = "{who} continues ({paid}/{needed} slots)"
    field: str = "work"
    part: str = "paid"
    action: str
    paid: int
    needed: int


@event
class MultiRoundCompleted(TraitChanged):
    """An action of several rounds is paid and takes effect (AP-40); its sealed roll is opened (AP-41)."""

    PUBLIC = ("who", "name", "roll")
    SEEN = "{who} finishes {name}"
    trait: str = "work"
    name: str
    done: int
    needed: int
    roll: int | None = None


@event
class MultiRoundLost(TraitChanged):
    """An action of several rounds is lost with all that was paid for it (AP-36); its sealed roll is void."""

    PUBLIC = ("who", "name")
    SEEN = "  {name} is lost"
    trait: str = "work"
    name: str
    lost: int
    reason: str = ""


@event
class NpcActed(TraitChanged):
    """An NPC acts by the GM's own rules (AP-05)."""

    DEED = True
    PUBLIC = ("who", "what", "target")
    SEEN = "{who}: {what}[ at {target}]"
    trait: str = "doing"
    what: str
    target: str = ""
    interrupted: bool = False


# Upkeep


@event
class UpkeepBegan(StepBegan):
    """Upkeep begins (AP-28, AP-42)."""


@event
class OutsideUpkeepAsked(RulingAsked):
    """The GM is asked what else this Upkeep resolves (AP-43)."""


@event
class DamagePulsed(DamageApplied):
    """Damage over time takes effect (AP-45); healing in the same Upkeep cancels `offset` of it."""

    effect: str
    offset: int = 0


@event
class HealPulsed(Healed):
    """Healing over time takes effect (AP-45); damage in the same Upkeep cancels `offset` of it."""

    effect: str
    offset: int = 0


@event
class TickedDown(EffectTicked):
    """A duration drops by one (AP-44)."""


@event
class EffectExpired(EffectEnded):
    """A duration has run out (AP-44)."""


@event
class ZoneMarked(EntryChanged):
    """A zone has a new mark, such as fire, or one with new values (AP-43)."""

    PUBLIC = ("value", "zone", "price", "kind", "amount", "rounds")
    SEEN = "{zone}: {value}"
    field: str = "marks"
    zone: str
    price: int = 0
    kind: str = ""
    amount: int | str = 0
    rounds: int | None = None


@event
class ZoneCleared(EntryChanged):
    """A mark of a zone is gone."""

    PUBLIC = ("zone",)
    SEEN = "{zone} is clear again"
    field: str = "marks"
    name: str
    zone: str
    reason: str = ""


@event
class UpkeepEnded(StepEnded):
    """All items of Upkeep are resolved (AP-42)."""


# Outro


@event
class ThreatsPlayedOut(FactChanged):
    """The GM says that no threat is left (AP-46)."""

    PUBLIC = ("value",)
    SEEN = "No threat is left"
    fact: str = "threats"
    value: Scalar = "over"


@event
class ThreatsReturned(FactChanged):
    """The GM says that a threat is back: Slow Burn turns into a fight (AP-46, AP-48)."""

    PUBLIC = ("value",)
    SEEN = "There is a threat again"
    fact: str = "threats"
    value: Scalar = ""


@event
class OutroChosen(FactChanged):
    """How the encounter winds down (AP-46)."""

    PUBLIC = ("value",)
    fact: str = "outro"


@event
class CycleLeft(AgendaChanged):
    """The Active Phase Cycle is left (AP-47)."""


@event
class SlotsCleared(PoolChanged):
    """Slots left over are lost as the Cycle is left (AP-47)."""


@event
class BoardCleared(Recorded):
    """The board is cleared for the next scene (AP-47)."""

    figures: tuple[str, ...] = ()


@event
class IssueSet(EntryChanged):
    """A common problem of Slow Burn needs so many slots (AP-50)."""

    PUBLIC = ("name", "needed")
    SEEN = "A problem: {name}[, {needed} slots]"
    field: str = "problems"
    part: str = "needed"
    name: str = ""
    needed: int | None = None


@event
class SlotsVolunteered(Recorded):
    """A PC gives slots to a common problem (AP-49)."""

    PUBLIC = ("who", "amount")
    SEEN = "{who} puts {amount} slots into the problem"
    who: str
    amount: int


@event
class IssueProgressed(EntryChanged):
    """A common problem has received slots (AP-49)."""

    PUBLIC = ("name", "done", "needed")
    SEEN = "{name}: {done}[ of {needed}] slots"
    field: str = "problems"
    part: str = "done"
    name: str = ""
    done: int
    needed: int | None = None


@event
class IssueResolved(EntryChanged):
    """A common problem is solved (AP-50)."""

    PUBLIC = ("name",)
    SEEN = "{name}: solved"
    field: str = "problems"
    name: str = ""


EVENTS: tuple[type[Event], ...] = (
    EncounterBegan, EncounterEnded, PreparationBegan, AwarenessBegan, CheckAsked, AwarenessRolled, OrderingBegan,
    BandFormed, CycleOrdered, StayDeclared, InitializationBegan, InitEffectResolved, InitializationEnded,
    CycleLocked, FullRoundBegan, SlowBurnRoundBegan, FullRoundEnded, ActivePhaseBegan, FinalPhaseBegan, SlotsGained,
    SlotTotalChanged, SlotsSpent, SlotsConverted, SlotsReserved, SlotsDiscarded, HesitationLost, ActivePhaseEnded,
    BandEnded,
    FinalPhaseEnded, BandSkipped, HesitationBegan, ActionActivated, FinalActionTaken, ActResolved, CheckResolved,
    Interrupted, ActionInterrupted, MinorActDone, ComboStarted, ComboFinished, MultiRoundBegan, MultiRoundPaid,
    MultiRoundCompleted, MultiRoundLost, NpcActed, UpkeepBegan, OutsideUpkeepAsked, DamagePulsed, HealPulsed,
    TickedDown, EffectExpired, ZoneMarked, ZoneCleared, UpkeepEnded, ThreatsPlayedOut, ThreatsReturned, OutroChosen,
    CycleLeft, SlotsCleared, BoardCleared, IssueSet, SlotsVolunteered, IssueProgressed, IssueResolved,
)  # fmt: skip
