"""What happens in Active Phase Encounters, in its own words. Each folds as the shared event it descends from."""

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
    """What comes before the first Full Round: Awareness, order, Initialization."""


@event
class AwarenessBegan(StepBegan):
    """Every PC makes an Awareness check (AP-01)."""


@event
class CheckAsked(RulingAsked):
    """A PC owes an Awareness check (AP-01)."""


@event
class AwarenessRolled(TraitChanged):
    """A PC's Awareness is known (AP-01): `die` + `modifier` where it was rolled, only `value` where typed."""

    PUBLIC = ("who", "value")
    SEEN = "{who}: awareness {value}"
    trait: str = "awareness"
    value: int
    die: int | None = None
    modifier: int = 0


@event
class OrderingBegan(StepBegan):
    """All results are in; the order is shown, and whoever wants to may Stay (AP-02, AP-06)."""


@event
class BandFormed(TraitsReset):
    """Those who share one place in the Cycle, counted from 1 (AP-03)."""

    trait: str = "place"


@event
class CycleOrdered(OrderSet):
    """The Active Phase Cycle, from highest to lowest (AP-02)."""

    bands: tuple[tuple[str, ...], ...] = ()


@event
class StayDeclared(TraitChanged):
    """A PC starts later than its roll gives (AP-06): after, or together with, the band of `value`."""

    PUBLIC = ("who", "value", "together")
    SEEN = "{who} starts later"
    trait: str = "stay"
    together: bool = False


@event
class InitializationBegan(StepBegan):
    """The time for effects that may only be used before the first Cycle (AP-08)."""


@event
class InitEffectResolved(Recorded):
    """An effect meant for Initialization is applied or resolved (AP-09)."""

    PUBLIC = ("who", "effect")
    who: str
    effect: str
    note: str = ""


@event
class InitializationEnded(StepEnded):
    """All such effects are resolved (AP-09)."""


@event
class CycleLocked(FactChanged):
    """Places cannot change any more (AP-07)."""

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
    """Every PC of the last band has spent or discarded all (AP-26)."""


@event
class ActivePhaseBegan(StepBegan):
    """A band's Active Phase begins; its PCs gain their slots together (AP-03, AP-14)."""

    LISTED = ("band",)
    band: tuple[str, ...] = ()


@event
class FinalPhaseBegan(Recorded):
    """The band that acts is the last (AP-22): every action costs four times as much (AP-23)."""

    figures: tuple[str, ...]


@event
class SlotsGained(PoolChanged):
    """A fresh set of slots (AP-12..15): base, Agility and every modifier make `total`."""

    PUBLIC = ("who", "total")
    pool: str = "slots"
    base: int
    agility: int
    modifiers: Mapping[str, int] = field(default_factory=dict)
    total: int


@event
class SlotsSpent(Spent):
    """Slots buy something; `pool` says whether Action Slots (``slots``) or Reserved Slots (``reserved``)."""


@event
class SlotsConverted(PoolChanged):
    """Action Slots that are left at the end of one's Active Phase turn into Reserved Slots (AP-17)."""

    pool: str = "slots"


@event
class SlotsReserved(PoolChanged):
    """So many slots are kept (AP-17)."""

    PUBLIC = ("who", "amount")
    SEEN = "{who} keeps {amount} in reserve"
    pool: str = "reserved"
    amount: int


@event
class SlotsDiscarded(Recorded):
    """Slots that nobody can keep are given up (AP-25)."""

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
        """All that is lost."""
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
    """Every PC of a band has spent or converted all (AP-18)."""


@event
class FinalPhaseEnded(StepEnded):
    """The Final Phase is over (AP-26)."""


@event
class BandSkipped(StepSkipped):
    """A band passes by: nobody of it can act (Q-A7)."""


@event
class HesitationBegan(StepBegan):
    """The round closes; whatever is reserved is lost (AP-27)."""


# What slots buy


@event
class ActionActivated(TraitChanged):
    """An action is announced and paid; `time` says at which price: active, reserved or final (AP-16, AP-21)."""

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
    """What an action of the Final Phase costs before and after it is taken four times (AP-23)."""

    who: str
    ability: str
    base: int
    price: int


@event
class ActResolved(Recorded):
    """Whether an act hit its target, as the GM reads it."""

    PUBLIC = ("who", "target", "ability", "hit")
    SEEN = "  {hit:hits|misses}"
    who: str
    target: str
    ability: str
    hit: bool


@event
class CheckResolved(Recorded):
    """What a kept roll came to, once it is opened (AP-41)."""

    PUBLIC = ("who", "ability", "passed")
    SEEN = "  {ability} {passed:succeeds|fails}"
    who: str
    ability: str
    passed: bool
    roll: int | None = None


@event
class Interrupted(Recorded):
    """Somebody breaks into what another is doing (AP-29, AP-30)."""

    PUBLIC = ("by", "target")
    SEEN = "{by} interrupts {target}"
    by: str
    target: str
    what: str
    rule: str = "AP-29"


@event
class ActionInterrupted(TraitChanged):
    """What a combatant was doing is stopped, and the slots paid for it are lost."""

    PUBLIC = ("who", "what")
    SEEN = "  {who} is interrupted: {what}"
    trait: str = "doing"
    value: Scalar = ""
    what: str
    by: str = ""
    slots_lost: int = 0


@event
class MinorActDone(Recorded):
    """Something that is usually part of another act (AP-31); `shared`: more than one had to handle it."""

    DEED = True
    PUBLIC = ("who", "what")
    SEEN = "{who}: {what}"
    who: str
    what: str
    shared: bool
    price: int


@event
class ComboStarted(TraitChanged):
    """The active PC begins a Combo (AP-33); `slots` says who pays how many."""

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
    """The partners finish it (AP-33)."""

    PUBLIC = ("who", "ability")
    SEEN = "{who} finishes the combo"
    who: str
    ability: str
    partners: tuple[str, ...]


@event
class MultiRoundBegan(TraitChanged):
    """An action of several rounds is begun (AP-34); its roll is sealed (AP-37).

    `needed` are the slots it takes, or the Full Rounds where somebody without slots does it (AP-05).
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
    """An instalment (AP-34, AP-35)."""

    DEED = True
    PUBLIC = ("who", "paid", "needed")
    SEEN = "{who} goes on, {paid} of {needed} slots"
    field: str = "work"
    part: str = "paid"
    action: str
    paid: int
    needed: int


@event
class MultiRoundCompleted(TraitChanged):
    """The last slot is paid: it takes effect now (AP-40), and the sealed roll is opened (AP-41)."""

    PUBLIC = ("who", "name", "roll")
    SEEN = "{who} finishes {name}"
    trait: str = "work"
    name: str
    done: int
    needed: int
    roll: int | None = None


@event
class MultiRoundLost(TraitChanged):
    """The action is gone with all that was paid for it (AP-36); its sealed roll is void."""

    PUBLIC = ("who", "name")
    SEEN = "  {name} is lost"
    trait: str = "work"
    name: str
    lost: int
    reason: str = ""


@event
class NpcActed(TraitChanged):
    """Somebody outside the Cycle acts by the GM's own rules (AP-05)."""

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
    """The GM and the players go through Upkeep (AP-28, AP-42)."""


@event
class OutsideUpkeepAsked(RulingAsked):
    """The GM is asked what else this Upkeep resolves (AP-43)."""


@event
class DamagePulsed(DamageApplied):
    """Damage over time takes effect (AP-45); `offset` of it is met by healing of the same Upkeep."""

    effect: str
    offset: int = 0


@event
class HealPulsed(Healed):
    """Healing over time takes effect (AP-45); `offset` of it meets damage of the same Upkeep."""

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
    """Something has come over a zone, such as fire, or does more or less there than before (AP-43)."""

    PUBLIC = ("value", "zone", "price", "kind", "amount", "rounds")
    SEEN = "{zone}: {value}"
    field: str = "marks"
    zone: str
    price: int = 0
    kind: str = ""
    amount: int = 0
    rounds: int | None = None


@event
class ZoneCleared(EntryChanged):
    """It is gone from the zone again."""

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
    """The GM says that there is a threat again: Slow Burn turns into a fight (AP-46, AP-48)."""

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
    """Slots that somebody still had are gone as the Cycle is left (AP-47)."""


@event
class BoardCleared(Recorded):
    """The board is cleaned for the next scene (AP-47)."""

    figures: tuple[str, ...] = ()


@event
class IssueSet(EntryChanged):
    """What a common problem of Slow Burn needs (AP-50)."""

    PUBLIC = ("name", "needed")
    SEEN = "A problem: {name}[, {needed} slots]"
    field: str = "problems"
    part: str = "needed"
    name: str = ""
    needed: int | None = None


@event
class SlotsVolunteered(Recorded):
    """A PC gives slots to the common problem (AP-49)."""

    PUBLIC = ("who", "amount")
    SEEN = "{who} puts {amount} slots into the problem"
    who: str
    amount: int


@event
class IssueProgressed(EntryChanged):
    """The problem comes nearer to being solved (AP-49)."""

    PUBLIC = ("name", "done", "needed")
    SEEN = "{name}: {done}[ of {needed}] slots"
    field: str = "problems"
    part: str = "done"
    name: str = ""
    done: int
    needed: int | None = None


@event
class IssueResolved(EntryChanged):
    """The problem is solved (AP-50)."""

    PUBLIC = ("name",)
    SEEN = "{name}: solved"
    field: str = "problems"
    name: str = ""


EVENTS: tuple[type[Event], ...] = (
    EncounterBegan, EncounterEnded, PreparationBegan, AwarenessBegan, CheckAsked, AwarenessRolled, OrderingBegan,
    BandFormed, CycleOrdered, StayDeclared, InitializationBegan, InitEffectResolved, InitializationEnded,
    CycleLocked, FullRoundBegan, SlowBurnRoundBegan, FullRoundEnded, ActivePhaseBegan, FinalPhaseBegan, SlotsGained,
    SlotsSpent, SlotsConverted, SlotsReserved, SlotsDiscarded, HesitationLost, ActivePhaseEnded, BandEnded,
    FinalPhaseEnded, BandSkipped, HesitationBegan, ActionActivated, FinalActionTaken, ActResolved, CheckResolved,
    Interrupted, ActionInterrupted, MinorActDone, ComboStarted, ComboFinished, MultiRoundBegan, MultiRoundPaid,
    MultiRoundCompleted, MultiRoundLost, NpcActed, UpkeepBegan, OutsideUpkeepAsked, DamagePulsed, HealPulsed,
    TickedDown, EffectExpired, ZoneMarked, ZoneCleared, UpkeepEnded, ThreatsPlayedOut, ThreatsReturned, OutroChosen,
    CycleLeft, SlotsCleared, BoardCleared, IssueSet, SlotsVolunteered, IssueProgressed, IssueResolved,
)  # fmt: skip
