"""The record of the fight: its system's `fight_record`.

Each part is read and changed by one module.
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
"""The modes of a Combination: one roll, two rolls (CS-365), or one weapon attacks and the other defends (CS-369)."""

MELEE, HURLED, MISSILE, OPPORTUNITY, REPRISAL = "melee", "hurled", "missile", "opportunity", "reprisal"

RANGED = (HURLED, MISSILE)

OUT_OF_TURN = (OPPORTUNITY, REPRISAL)


Way = Literal["", "parry", "block", "dodge", "none", "stand", "aware", "active", "still"]
"""The values of `Guard.way`."""


@frozen
class Guard:
    """The target's response to an attack.

    Attributes:
        way: ``parry`` or ``block`` with what is in hand, ``dodge``, ``none`` (CS-410); ``stand`` against a Body Check
            (CS-456); against a shot, how aware the target is (CS-501). Empty for no defence.
        items: names of the items used; an empty name for the best one.
        dodges: whether it includes a Dodge (CS-417).
        by: the id of a friend who defends instead (CS-414), or empty.
    """

    way: Way = ""
    items: tuple[str, ...] = ()
    dodges: bool = False
    by: str = ""

    def __str__(self) -> str:
        """The response as the GM would type it."""
        parts = ("+".join(self.items), DODGE if self.dodges and self.way != DODGE else "")
        return f"{self.way} {'+'.join(filter(None, parts))}".strip()


PARRY: Final = "parry"
BLOCK: Final = "block"
DODGE: Final = "dodge"
NONE: Final = "none"
STAND: Final = "stand"


@frozen
class Blow:
    """An attack.

    Attributes:
        attacker: the attacker's id.
        target: the target's id.
        kind: ``melee``, ``hurled``, ``missile``, or out of turn ``opportunity`` or ``reprisal``.
        weapon: the item's name.
        second: the other item of a Combination.
        attack: the type of attack (CS-349).
        mode: the mode of a Combination, or empty.
        guard: the target's response; None before it is chosen.
        missed: in a Reprisal, the target's own weapons that have just missed (CS-486).
        undodged: whether the target has attacked with the whole body and so cannot Dodge (CS-422).
        harm: wounds by GM ruling, a number or dice; empty if not given.
        feet: the distance by GM ruling; below 0 if not given.
        rise: feet by which the target is higher, by GM ruling (CS-281).
        pot: the POT by GM ruling (CS-530).
        struck: ``edge``, ``point`` or ``blunt``; empty for the weapon's first.
        barrier: feet to something solid behind the target, by GM ruling (CS-563).
        shield: whether the target's shield is in the way; None for the usual reading (A-52).
        drop: feet from which the attacker drops on the target (CS-541).
        charge: mph that a charge adds, by GM ruling (CS-539).
        people: the ids of those who tackle together with the attacker, as they were named (CS-469).
        heroic: whether the roll was a Heroic Effect (CS-635).
        doubled: whether the GM has chosen that it doubles the POT (CS-547).
        power: STR at the time of the shot, for one that lands later (CS-285).
        line: words for a Presence attack with the blow (CS-510).
        arrow_head: the arrow head; empty for the bow's usual one (CS-542).
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
        """Whether it is hurled or shot."""
        return self.kind in RANGED

    @property
    def weapons(self) -> tuple[str, ...]:
        """The items it strikes with: both of a Combination in concert (CS-366)."""
        return (self.weapon, self.second) if self.mode == CONCERT else (self.weapon,)

    @property
    def met_with(self) -> tuple[str, ...]:
        """Names of the items that the target defends with, once chosen (CS-597)."""
        return self.guard.items if self.guard is not None and not self.guard.by else ()

    def is_met_by(self, *ways: str) -> bool:
        """Whether the target responds in one of these ways."""
        return self.guard is not None and self.guard.way in ways

    def has_missed(self, name: str) -> bool:
        """Whether an item of the target has just missed (CS-486)."""
        return name.lower() in (other.lower() for other in self.missed)

    @property
    def in_turn(self) -> bool:
        """Whether it is the attack of a declared Action."""
        return self.kind not in OUT_OF_TURN

    @property
    def roll(self) -> Attack:
        """The kind of attack in the terms of the formulas."""
        return cast(Attack, self.kind)


@frozen
class Overrides:
    """The GM's overrides for a strike, with the names of `commands.Resolve`."""

    av: int | None = None
    dv: int | None = None
    modifier: int = 0
    dv_modifier: int = 0
    reason: str = ""
    chance: int | None = None
    dv_chance: int | None = None
    hit: bool | None = None

    def add_modifier(self, total: Sum) -> Sum:
        """An AV with GM modifier (CS-276)."""
        return self._with(total, self.modifier)

    def add_dv_modifier(self, total: Sum) -> Sum:
        """A DV with GM modifier (CS-276)."""
        return self._with(total, self.dv_modifier)

    def _with(self, total: Sum, more: int) -> Sum:
        return Sum((*total.parts, Part(self.reason or "GM modifier", more, "CS-276"))) if more else total


@frozen
class Flying:
    """A shot that has hit but not landed yet (CS-285).

    Attributes:
        due: the segment in which it lands.
        margin: the margin of the hit.
        blow: the shot as it was made, with its distance, height and STR, which still count when it lands.
    """

    due: int
    margin: int
    blow: Blow


@frozen
class Thing:
    """An object in play.

    Attributes:
        name: its name.
        holder: the id of its holder; empty if it is on the ground or in the air.
        since: the segment since which that is so.
    """

    name: str
    holder: str = ""
    since: int = 0


@frozen
class Struggle:
    """An object that several combatants struggle for (CS-203).

    Attributes:
        thing: the object.
        due: the segment of the next contest.
        hands: the ids of those who take part in it.
        late: the ids of those who joined in that segment, and take part in the one after it (CS-204).
        made: the ids of those who have kept their hold in this contest.
        lost: the ids of those who have lost their hold, in this contest or before, and are out of it (CS-206).
        stp: the object's structure, or None.
        strained: whether the GM has been asked if it breaks (CS-208).
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
        """The ids of everybody with hands on it."""
        return (*self.hands, *self.late)


MetPair = tuple[str, str]
"""The ids of two foes, in alphabetical order."""


@frozen
class Battle:
    """The record of the fight.

    Attributes:
        pass_number: the running pass, from 1; 0 before the first (CS-080).
        pulse: the running Pulse; 0 before the first (CS-232).
        contest: the kind of contest (CS-001).
        scale: the scale of the display (CS-680).
        impacts: shots that have hit and not landed yet.
        met: pairs of foes who have met and not parted since (CS-236).
        chances: who has been offered an Opportunity Action, or has taken one, and on whom, since their paths last met
            (L2549).
        interrupted: the id of a combatant stopped in movement, or empty (CS-437).
        split: how many Pulses run in each pass, by GM ruling; empty for all in the first (CS-241).
        struggles: objects that several struggle for.
        things: objects that have been in play.
        weather: what wind and rain add to the difficulty of throwing, catching and shooting (CS-214).
        tasks: tasks that the GM has added to table 4-1, with their quarter-actions (CS-131).
        pairs: pairs of acts that the GM has allowed as one Action (CS-392).
        first: the id of the first to declare in this segment, or empty (CS-072).
        at_once: groups of ids that act at the same instant in this segment (CS-026).
        order_reading: the order of passes at the beginning of this segment, if the setting has changed since.
        pivotal: whether Heroic Effects and Bumbles count in this scene (CS-638).
        fate_quiet: whether the GM does not want to be asked about tokens (CS-653).
        heal_day: days since the fight, whose date is `fought`.
    """

    pass_number: int = 0
    pulse: int = 0
    contest: Literal["tactical", "combat"] = "tactical"
    scale: Scale = "skirmishing"
    impacts: tuple[Flying, ...] = ()
    met: tuple[MetPair, ...] = ()
    chances: tuple[tuple[str, str], ...] = ()
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
    """A kind of contest (CS-001) in words."""
    return "this is combat now" if contest == "combat" else "this is a tactical contest"


def battle_of(state: FightState) -> Battle:
    """The record of the fight."""
    return fight_record_of(state, Battle)
