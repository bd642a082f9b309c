"""What is remembered of the whole fight, as one value: its system's `fight_record`.

Each part is read and changed by one module; what it is made of is said at its class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, Literal, cast

from fightcall_engine.kit.records import fight_record_of
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules.attacks import COMMON_STRIKE, Attack
from fightcall_engine.systems.segments.rules.movement import Scale
from fightcall_engine.systems.segments.rules.numbers import Part, Sum

CONCERT, SEPARATE, MIXED = "concert", "separate", "mixed"

MODES = (CONCERT, SEPARATE, MIXED)
"""How a Combination is used: one roll, two rolls (CS-365), or one weapon attacks and the other defends (CS-369)."""

MELEE, HURLED, MISSILE, OPPORTUNITY, REPRISAL = "melee", "hurled", "missile", "opportunity", "reprisal"

RANGED = (HURLED, MISSILE)

OUT_OF_TURN = (OPPORTUNITY, REPRISAL)


Way = Literal["", "parry", "block", "dodge", "none", "stand", "aware", "active", "still"]
"""How a target meets an attack: what `Guard.way` may be."""


@frozen
class Guard:
    """How a target meets an attack.

    Attributes:
        way: ``parry`` or ``block`` with what is in hand, ``dodge``, ``none`` (CS-410); ``stand`` of a Body Check
            (CS-456); of a shot how aware the target is (CS-501). Empty for what is no defence.
        items: names of what is used; an empty name for what serves best.
        dodges: a Dodge is part of it (CS-417).
        by: the id of a friend who steps in; empty for the target himself (CS-414).
    """

    way: Way = ""
    items: tuple[str, ...] = ()
    dodges: bool = False
    by: str = ""

    def __str__(self) -> str:
        """As the GM would say it."""
        parts = ("+".join(self.items), DODGE if self.dodges and self.way != DODGE else "")
        return f"{self.way} {'+'.join(filter(None, parts))}".strip()


PARRY: Final = "parry"
BLOCK: Final = "block"
DODGE: Final = "dodge"
NONE: Final = "none"
STAND: Final = "stand"


@frozen
class Blow:
    """One attack.

    Attributes:
        attacker: whose it is.
        target: whom it is meant for.
        kind: ``melee``, ``hurled``, ``missile``, or out of turn ``opportunity`` or ``reprisal``.
        weapon: the item's name.
        second: the other item of a Combination.
        attack: its type (CS-349).
        mode: how a Combination is used; empty for none.
        guard: how the target meets it, as it is said or chosen; None where nothing is said.
        missed: the target's own weapons that have just missed, where this is the Reprisal (CS-486).
        undodged: the target has thrown in the whole body and cannot Dodge (CS-422).
        harm: wounds by the GM's hand, a number or dice; empty where nothing was said.
        feet: the distance, where the GM has said it; below 0 where not.
        rise: feet by which the target is higher, where the GM has said it (CS-281).
        pot: its POT by the GM's word (CS-530).
        struck: edge, point or blunt, where the weapon is more than one; empty for what it is first.
        barrier: feet to something solid behind the target, where the GM has said it (CS-563).
        shield: whether the target's shield lies in the way; None for the usual reading (A-52).
        drop: feet from which the attacker drops on the target (CS-541).
        charge: speed in mph that a charge adds, where the GM has said it (CS-539).
        people: ids of those who tackle together with the attacker, as they were named (CS-469).
        heroic: the roll was a Heroic Effect (CS-635).
        doubled: and the GM has it double the POT (CS-547).
        power: STR that it was loosed with, where it lands later than that (CS-285).
        line: what is said with it: a Presence attack rides on it (CS-510).
        arrow_head: what the arrow is tipped with; empty for the bow's usual one (CS-542).
    """

    attacker: str
    target: str
    kind: str = MELEE
    weapon: str = ""
    second: str = ""
    attack: str = COMMON_STRIKE
    mode: str = ""
    guard: Guard | None = None
    missed: tuple[str, ...] = ()
    undodged: bool = False
    harm: str = ""
    feet: float = -1.0
    rise: float | None = None
    pot: int | None = None
    struck: str = ""
    barrier: int | None = None
    shield: bool | None = None
    drop: float = 0.0
    charge: float | None = None
    people: tuple[str, ...] = ()
    heroic: bool = False
    doubled: bool = False
    power: float | None = None
    line: str = ""
    arrow_head: str = ""

    @property
    def ranged(self) -> bool:
        """True for what flies."""
        return self.kind in RANGED

    @property
    def weapons(self) -> tuple[str, ...]:
        """What it is struck with: both items of a Combination in concert (CS-366)."""
        return (self.weapon, self.second) if self.mode == CONCERT else (self.weapon,)

    @property
    def met_with(self) -> tuple[str, ...]:
        """Names of what the target himself meets it with, once that is chosen (CS-597)."""
        return self.guard.items if self.guard is not None and not self.guard.by else ()

    def is_met_by(self, *ways: str) -> bool:
        """True where the target meets it in one of these ways."""
        return self.guard is not None and self.guard.way in ways

    def has_missed(self, name: str) -> bool:
        """True for an item of the target that has just missed (CS-486)."""
        return name.lower() in (other.lower() for other in self.missed)

    @property
    def in_turn(self) -> bool:
        """True for the attack of a declared Action."""
        return self.kind not in OUT_OF_TURN

    @property
    def roll(self) -> Attack:
        """Its kind as the formulas call it."""
        return cast(Attack, self.kind)


@frozen
class Overrides:
    """What the GM has given with a strike, by the names of `commands.Resolve`."""

    av: int | None = None
    dv: int | None = None
    modifier: int = 0
    dv_modifier: int = 0
    reason: str = ""
    chance: int | None = None
    dv_chance: int | None = None
    hit: bool | None = None

    def add_modifier(self, total: Sum) -> Sum:
        """A value with what else the GM adds to it (CS-276)."""
        return self._with(total, self.modifier)

    def add_dv_modifier(self, total: Sum) -> Sum:
        """A difficulty with what else the GM adds to it (CS-276)."""
        return self._with(total, self.dv_modifier)

    def _with(self, total: Sum, more: int) -> Sum:
        return Sum((*total.parts, Part(self.reason or "the GM's modifier", more, "CS-276"))) if more else total


@frozen
class Flying:
    """One shot that has hit and is not there yet (CS-285).

    Attributes:
        due: the segment in which it strikes.
        margin: by how much it hit.
        blow: as it was loosed: how far, how much higher, and with what STR. Late, it is worth what it was at once.
    """

    due: int
    margin: int
    blow: Blow


@frozen
class Thing:
    """An object in play.

    Attributes:
        name: what it is called.
        holder: the id of whoever has it in hand; empty where it lies about or is in the air.
        since: the segment in which that came about.
    """

    name: str
    holder: str = ""
    since: int = 0


@frozen
class Struggle:
    """An object that several have their hands on (CS-203).

    Attributes:
        thing: the object.
        due: the segment whose contest is the next.
        hands: ids of those who take part in it.
        late: ids of those who joined in that segment: they take part in the one after it (CS-204).
        made: ids of those who have kept their hold in this contest.
        lost: ids of those who have not, in this or an earlier one: they are out of it (CS-206).
        stp: the object's structure; None where nobody has said.
        strained: whether its breaking has been asked about (CS-208).
    """

    thing: str
    due: int
    hands: tuple[str, ...]
    late: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    stp: int | None = None
    strained: bool = False

    @property
    def all_hands(self) -> tuple[str, ...]:
        """Everybody with hands on it."""
        return (*self.hands, *self.late)


MetPair = tuple[str, str]
"""The ids of two foes, in the order of the alphabet."""


@frozen
class Battle:
    """What is remembered of the whole fight.

    Attributes:
        pass_number: the pass that runs, from 1; 0 before the first (CS-080).
        pulse: the Pulse that runs; 0 before the first (CS-232).
        contest: what this is (CS-001).
        scale: the scale of the display (CS-680).
        impacts: shots that have hit and are still in the air, as they were loosed.
        met: foes who have come upon each other and not parted since (CS-236).
        interrupted: who was stopped on the way; empty for nobody (CS-437).
        split: how many Pulses run in each pass by the GM's word; empty for all in the first (CS-241).
        struggles: objects that several have their hands on.
        things: objects that have been in play.
        weather: what wind and rain add to the difficulty of throwing, catching and shooting (CS-214).
        tasks: acts that the GM has added to table 4-1, each with its quarter-actions (CS-131).
        pairs: pairs of acts that the GM has allowed as one Action (CS-392).
        first: who declares first in this segment; empty for nobody (CS-072).
        at_once: groups of those who act truly at once in this segment (CS-026).
        order_reading: the order of passes that this segment began with, where the setting has changed since.
        pivotal: this is a scene in which Heroic Effects and Bumbles count (CS-638).
        fate_quiet: nobody is asked whether a token changes a roll (CS-653).
        heal_day: days since the fight. `fought` is its date.
    """

    pass_number: int = 0
    pulse: int = 0
    contest: Literal["tactical", "combat"] = "tactical"
    scale: Scale = "skirmishing"
    impacts: tuple[Flying, ...] = ()
    met: tuple[MetPair, ...] = ()
    interrupted: str = ""
    split: tuple[int, ...] = ()
    struggles: tuple[Struggle, ...] = ()
    things: tuple[Thing, ...] = ()
    weather: int = 0
    tasks: Mapping[str, int] = field(default_factory=dict)
    pairs: tuple[tuple[str, str], ...] = ()
    first: str = ""
    at_once: tuple[tuple[str, ...], ...] = ()
    order_reading: str = ""
    pivotal: bool = False
    fate_quiet: bool = False
    heal_day: int = 0
    fought: str = ""


def describe_contest(contest: object) -> str:
    """What the fight is now (CS-001), in words."""
    return "this is combat now" if contest == "combat" else "this is a tactical contest"


def battle_of(state: FightState) -> Battle:
    """What is remembered of the fight."""
    return fight_record_of(state, Battle)
