"""What is remembered of a combatant, of the encounter and of open questions, beside pools and effects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from fightcall_engine.model.state import Resume
from fightcall_engine.model.values import frozen
from fightcall_engine.model.values import value as resume

PC, NPC = "pc", "npc"
WAITING, ACTIVE, DONE = "waiting", "active", "done"
"""Where a PC stands in the round: its Active Phase is still to come, runs, or is over."""
CLOSE, SPEND = "close", "spend"
"""What the GM answers to the last call for reserves: the round closes, or some are spent first (AP-26)."""
UPKEEP = "upkeep"
"""The GM goes on through Upkeep without further questions (AP-42)."""
OVER = "over"
"""What the GM says of the threats (AP-46)."""
ALL_RESOLVE, SLOW_BURN = "all_resolve", "slow_burn"
"""The printed ways to wind down (AP-47, AP-48)."""


@frozen
class Work:
    """An action of several rounds in progress (AP-34).

    Attributes:
        needed: its price in slots, or in Full Rounds for somebody without slots (AP-05).
        paid: how much of it is paid.
        begun_in: the Full Round in which it was begun.
        paid_in: the Full Round of the last instalment, 0 before there is one.
        roll: its sealed roll (AP-37); None where it has none.
        breakable: whether it can be interrupted (AP-39); None where the GM is asked.
        target: the combatant it is at when it is done; empty for nobody.
        damage: what a hit takes then, a number or dice; None where its ability says so.
    """

    name: str
    needed: int
    paid: int = 0
    begun_in: int = 0
    paid_in: int = 0
    roll: int | None = None
    breakable: bool | None = None
    target: str = ""
    damage: int | str | None = None


@frozen
class Harm:
    """What a combatant's last act has done, to be given back where the act is interrupted (AP-29).

    Attributes:
        target: the combatant harmed.
        act: the act's name.
        amount: hit points taken.
        felled: the target could not act any more.
        work: the action of several rounds that the target was at.
    """

    target: str
    act: str
    amount: int = 0
    felled: bool = False
    work: Work | None = None


@frozen
class Fighter:
    """What is remembered of a combatant.

    Attributes:
        kind: ``pc`` or ``npc`` (AP-04).
        agility: the signed modifier as it is now (AP-12).
        awareness: the result of the check (AP-01); None before it.
        place: the place in the Cycle from 1, 0 without one (AP-02).
        home: the place as it was locked, taken up again where Stay is for one round (Q-A3).
        from_round: the first Full Round of a newcomer (Q-A26).
        stay: the combatant after whose band a PC starts, later than its result gives (AP-06); empty for none.
        stay_number: Stays are arranged in the order in which they were declared.
        stay_together: by the GM's word the PC starts with that band.
        ap: ``waiting``, ``active`` or ``done``: the Active Phase of this round.
        keep_place: a place is kept although its PC cannot act (Q-A7).
        doing: what the combatant does or did last, which can be interrupted; empty for nothing.
        interjects: that was paid with Reserved Slots.
        done_in: the phase it was done in, where that is over; else empty.
        combo_of: the combatant whose Combo it finishes; empty for none.
        interrupted: it was interrupted already.
        acted_round: the Full Round in which somebody outside the Cycle acted last (AP-05).
        last_act: what that was.
        lost: slots of this round that went unused (AP-25, AP-27).
    """

    kind: Literal["pc", "npc"] = "pc"
    agility: int = 0
    awareness: int | None = None
    place: int = 0
    home: int = 0
    from_round: int = 0
    stay: str = ""
    stay_number: int = 0
    stay_together: bool = False
    ap: Literal["waiting", "active", "done"] = "waiting"
    keep_place: bool = False
    vulnerable: bool = False
    dead: bool = False
    doing: str = ""
    interjects: bool = False
    done_in: str = ""
    combo_of: str = ""
    last_harm: Harm | None = None
    interrupted: bool = False
    acted_round: int = 0
    last_act: str = ""
    work: Work | None = None
    lost: int = 0


@frozen
class Blow:
    """What an act does to its target where it hits.

    Attributes:
        by: who acts, by id.
        act: the act's name.
        damage: a number or dice; None where it does none.
        finisher: ``execution`` or ``knockout`` of somebody Vulnerable (AP-30); else empty.
        stops: what of the target's it interrupts, by `rule`; empty where nothing.
        stops_work: that is an action of several rounds.
    """

    by: str
    target: str
    act: str
    damage: int | str | None = None
    finisher: str = ""
    stops: str = ""
    stops_work: bool = False
    rule: str = "AP-29"


@frozen
class Problem:
    """Something the PCs work on together in Slow Burn (AP-49, AP-50).

    Attributes:
        needed: slots it takes; None where only the GM knows.
        done: slots given so far.
    """

    name: str
    needed: int | None = None
    done: int = 0

    @property
    def still_needed(self) -> int | None:
        """AP-50: slots it still needs; None where only the GM knows."""
        return None if self.needed is None else max(0, self.needed - self.done)

    @property
    def progress(self) -> str:
        """As in ``the dam 3/20``."""
        return f"{self.name} {self.done}/{self.needed}" if self.needed is not None else self.name


@frozen
class ZoneMark:
    """What has come over one place of the board, such as fire; a place has one mark of a name.

    Attributes:
        zone: the place, by the name that the board gives it.
        price: slots to enter it, beside those for the way.
        kind: ``damage`` or ``heal`` for whoever stands there at Upkeep; empty where it does neither.
        amount: how much at each Upkeep.
        left: Upkeeps until it is over; None where it stays.
    """

    name: str
    zone: str
    price: int
    kind: str
    amount: int
    left: int | None

    @property
    def summary(self) -> str:
        """As in ``burning: 2 slots to enter, 3 harm at Upkeep``."""
        parts = [f"{self.price} {'slot' if self.price == 1 else 'slots'} to enter"] if self.price else []
        if self.kind:
            parts.append(f"{self.amount} {'harm' if self.kind == 'damage' else 'healing'} at Upkeep")
        parts += [f"{self.left} left"] if self.left is not None else []
        return f"{self.name}: {', '.join(parts)}" if parts else self.name


@frozen
class Encounter:
    """What is remembered of the whole encounter.

    Attributes:
        locked: places in the Cycle cannot change any more (AP-07).
        last_call: the GM's answer before the round closes: ``close``, or ``spend`` for reserves first; else empty.
        until: the GM goes on without further questions: to the end of the round (``close``), or through its Upkeep
            (``upkeep``); else empty.
        upkeep: the part of Upkeep that was done last (`upkeep.parts`); empty outside it.
        outside: what else this Upkeep resolves (AP-43), where the GM has said so beforehand.
        seen: the effects that this Upkeep has put to the GM, by id.
        waived: those of them that it lets be.
        threats: ``over`` once no threat is left (AP-46).
        outro: how the encounter winds down: ``all_resolve``, ``slow_burn`` or the GM's words; empty before that.
        problems: what is to be solved in Slow Burn, in the order in which it came up, each by a number.
        marks: what has come over zones of the board, in the order in which it came, each by a number.
    """

    locked: bool = False
    last_call: Literal["", "close", "spend"] = ""
    until: Literal["", "close", "upkeep"] = ""
    upkeep: Literal["", "outside", "items", "net", "damage", "heal", "countdown"] = ""
    outside: str = ""
    seen: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()
    threats: Literal["", "over"] = ""
    outro: str = ""
    problems: Mapping[str, Problem] = field(default_factory=dict)
    marks: Mapping[str, ZoneMark] = field(default_factory=dict)


# How open questions go on


@resume
class AskedDeed(Resume):
    """An act that waits for the GM's word before it is paid: on its price, its interrupt, or how near partners are.

    Attributes:
        cost: its Active price where the GM has typed one; None for the sheet's.
        pool: what pays: ``slots`` or ``reserved``.
        interrupt: it is meant to stop what the target does now, or with `work` its action of several rounds.
        hit: whether it hits, where that is known already; and `damage`, what it takes.
        partners: of a Combo, by id, each for `partner_cost` slots (AP-32).
    """

    ability: str
    cost: int | None = None
    pool: str = "slots"
    target: str = ""
    interrupt: bool = False
    work: bool = False
    hit: bool | None = None
    damage: int | str | None = None
    note: str = ""
    partners: tuple[str, ...] = ()
    partner_cost: int = 1

    @property
    def subjects(self) -> tuple[str, ...]:
        """The target and the partners."""
        return (self.target, *self.partners) if self.target else self.partners


@resume
class AskedHandling(Resume):
    """A minor act of which the GM says whether several must handle the object (AP-31)."""

    what: str


@resume
class AskedBlow(Resume):
    """An act that is done, and of which the GM says what comes of it for its target."""

    blow: Blow

    @property
    def subjects(self) -> tuple[str, ...]:
        """The target."""
        return (self.blow.target,)


@resume
class SealedRoll(Resume):
    """A kept roll that is opened, and what its action does to somebody (AP-41)."""

    action: str
    roll: int
    blow: Blow | None = None

    @property
    def subjects(self) -> tuple[str, ...]:
        """The target, where there is one."""
        return () if self.blow is None else (self.blow.target,)


@resume
class UsedEffects(Resume):
    """The effects used in this Initialization so far (AP-08): each by its combatant and its name."""

    used: tuple[tuple[str, str], ...] = ()


@resume
class DueEffect(Resume):
    """An effect that Upkeep has something to do with, by id and by name (AP-44, AP-45)."""

    effect: str
    name: str


RESUMES: tuple[type[Resume], ...] = (AskedDeed, AskedHandling, AskedBlow, SealedRoll, UsedEffects, DueEffect)
