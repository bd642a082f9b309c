"""What a GM can ask for in Combat Segments beside the shared commands, and the other names these go by."""

from collections.abc import Mapping
from typing import ClassVar

from fightcall_engine.board.base import Location
from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import value as command

# Order


@command
class Initiative(Command):
    """Roll Initiative (CS-020): one combatant, or all that have none yet in this segment.

    `d10` is what one combatant's die shows; `total` sets the sum by the GM's word instead. ``rolls`` holds
    ``initiative`` or ``initiative.<id>``.
    """

    who: str = ""
    d10: int | None = None
    total: int | None = None


@command
class SettleTie(Command):
    """Say who goes first among those whose Initiative, AGL and HRT are equal (CS-026): ids, the first to act first."""

    PEOPLE: ClassVar[tuple[str, ...]] = ("ids",)
    ids: tuple[str, ...] = ()
    by: str = "GM"


# Declarations


@command
class Declare(Command):
    """Say what somebody will do with the Action of this pass (CS-082), on their turn to declare, or late by a waiter.

    It can be changed until it is confirmed, by `Confirm`, by moving or by going on (CS-084).

    Attributes:
        text: what is said; public unless `secret`.
        action: its kind: ``move``, ``act``, ``task``, ``strike``, ``charge``, ``shoot``, ``hurl``, ``combination``,
            ``defend``, ``object``; left out it follows from what else is given.
        components: keys of table 4-1, each with how often or how long: ``draw_missile``, ``don_boot:2``, ``doff_coat``,
            ``rummage:3`` among three objects, ``untie_knot:18/35`` tied by STR 18 and trade level 35, ``climb=6`` for
            one's own words with quarter-actions (CS-125, CS-130, CS-131). Two of the listed pairs, such as
            ``turn fire``, are one Action (CS-390).
        qa: its whole length in quarter-actions, where the GM says so (CS-132).
        segments: its length in segments, as skills and castings are told (CS-132, CS-141); `seconds` likewise (CS-142).
        weapon: what it is done with; left out, what is in hand.
        second: a second weapon: of a Combination, or for a second attack (CS-341).
        attack: the type of attack (CS-349).
        target: whom it is meant for; `other` for the target of the second weapon (CS-342).
        mode: ``concert`` or ``separate``, of a Combination (CS-365).
        against: the foe a full defence is meant for (CS-166).
        parts: hands and limbs it binds: ``R``, ``L``, ``legs``, ``body`` (CS-120); left out, as the kind says.
        secret: only the GM sees it; `public` is what can be seen of it (CS-087 to CS-089).
        dv: the difficulty of its check; `skill` the value it is rolled with.
        double_time: twice as long and half as difficult (CS-129).
        helper: who helps, where the table asks for one (CS-136, CS-137).
        line: what is said with an attack to daunt its target: a Presence attack rides on it (CS-510).
        arrow_head: what the arrow is tipped with, such as ``bodkin``; left out, the bow's usual one (CS-542).
        inside: he steps past the foe's longer weapon before the blow (CS-320), by `GetInside` in his Resolution.

    An attack that can come to nothing as things stand is refused with what would help; with `force` it stands, and its
    Resolution asks no more about that: out of reach (CS-318), no clear line (CS-251), too far (CS-250), a field that
    the hand does not reach (CS-306), a weapon put by (CS-340), which ``draw`` among the `components` has drawn.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("helper", "against")
    who: str
    text: str = ""
    action: str = ""
    components: tuple[str, ...] = ()
    qa: int | None = None
    segments: int | None = None
    seconds: int | None = None
    weapon: str = ""
    second: str = ""
    attack: str = ""
    target: str = ""
    other: str = ""
    mode: str = ""
    against: str = ""
    parts: tuple[str, ...] = ()
    secret: bool = False
    public: str = ""
    dv: int | None = None
    skill: int | None = None
    double_time: bool = False
    helper: str = ""
    line: str = ""
    arrow_head: str = ""
    inside: bool = False


@command
class Confirm(Command):
    """Commit what was declared: from now on it can only be aborted (CS-084)."""

    who: str


@command
class Abort(Command):
    """Give up what was declared; what it bound is free again (CS-143)."""

    who: str
    reason: str = ""


@command
class Wait(Command):
    """Declare nothing now, and keep the right to do so later (CS-160)."""

    PASSES: ClassVar[bool] = True

    who: str


# Movement


@command
class Plan(Command):
    """Plan a way for the ten Pulses (CS-230): `path` or `to` on a board, `feet` without one.

    `speed` is in mph or one of ``quarter``, ``half``, ``three_quarter``, ``full``; left out it is full speed. `follow`
    names somebody to walk up to on a board: the way changes as they move, until they are reached.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("follow",)
    who: str
    path: tuple[Location, ...] = ()
    to: Location | None = None
    feet: float | None = None
    speed: float | str | None = None
    follow: str = ""


@command
class Hold(Command):
    """Stand still from here on: what was planned is dropped (CS-233)."""

    who: str


@command
class RunPulses(Command):
    """Let the Pulses run until somebody may interrupt, or to the end of movement; `pulses` says how many at most."""

    pulses: int | None = None


@command
class Resume(Command):
    """After an interruption: the one who was stopped goes on, stands, or changes the plan (CS-237, CS-440)."""

    who: str
    on: bool = True


@command
class Posture(Command):
    """Stand, kneel or lie (CS-104), in one's own time; beside a strike one rises only by half (CS-391)."""

    who: str
    posture: str


@command
class BreakOff(Command):
    """Leave melee (CS-106): ``run``, ``obstacle`` or ``overturn``; running gives the foe a parting shot (CS-107)."""

    who: str
    how: str = "run"


# How foes stand to each other


@command
class Approach(Command):
    """Say how a foe stands to somebody, where the board does not tell (CS-300, CS-323).

    `field` is one of ``F``, ``RF``, ``RS``, ``RR``, ``R``, ``LR``, ``LS``, ``LF``; `mode` is ``close`` for a foe who is
    inside the guard, or ``common``. What is left out follows from the board and the weapons.
    """

    who: str
    foe: str
    field: str = ""
    mode: str = ""


@command
class GetInside(Command):
    """Step past a longer weapon into close melee (CS-319), in one's own Resolution, before an attack (CS-320).

    `by` is ``dodge``, ``acrobat`` or ``agl``; left out, the best of them. `chance` and `hit` as in `Resolve`.
    """

    who: str
    foe: str
    by: str = ""
    modifier: int = 0
    chance: int | None = None
    hit: bool | None = None


# Opportunity Actions


@command
class Opportunity(Command):
    """Act at once, out of turn, on somebody within reach (CS-430 to CS-449).

    `kind` is ``strike`` or another kind of Opportunity Action; `distance` how many feet away the foe passes, where the
    board does not say (CS-442). `helper` is who holds the other end of a prepared ``trip`` or ``clothesline``, or
    ``anchor`` for something solid: it is settled as Surprise (CS-446). `chance`, `hit`, `harm` and what else is said
    of the blow as in `Resolve`. `people` are ids, parted by blanks, of those who tackle with him (CS-469). `line` is
    what is said with it, as in `Declare` (CS-510).
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("people", "helper")
    who: str
    target: str
    kind: str = "strike"
    weapon: str = ""
    defence: str = ""
    attack: str = ""
    av: int | None = None
    dv: int | None = None
    modifier: int = 0
    dv_modifier: int = 0
    reason: str = ""
    chance: int | None = None
    dv_chance: int | None = None
    hit: bool | None = None
    harm: int | str | None = None
    pot: int | None = None
    struck: str = ""
    barrier: int | None = None
    shield: bool | None = None
    drop: float | None = None
    charge: float | None = None
    distance: float | None = None
    helper: str = ""
    people: str = ""
    line: str = ""


@command
class LetPass(Command):
    """Let an Opportunity Action that is offered go by."""

    who: str


# Resolution


@command
class Resolve(Command):
    """Settle the Action that is due (CS-092, CS-093).

    Attributes:
        target: whom an attack strikes, if not as declared.
        weapon: which of two weapons, where both attack.
        defence: how the target defends: ``parry``, ``block`` or ``dodge`` with the weapon after a blank or a plus sign,
            such as ``parry sword`` or ``parry sword+dodge``; ``none``; left out, the best there is.
        av: the value rolled with, and `dv` the difficulty, by the GM's word; else they are reckoned.
        modifier: what else adds to AV, or with a minus takes from it, and `reason` why.
        dv_modifier: what else makes it harder, or with a minus easier: it adds to DV (CS-276).
        chance: percent (R-5); left out, a table or the linear reading says, else the GM is asked.
        hit: whether it succeeded, where the dice need not be known. The die is ``rolls["check"]``, of the defender in a
            contested roll ``rolls["defence"]``.
        dv_chance: the defender's own percentage in a contested roll.
        harm: wounds, or dice for them, by the GM's hand; nothing else of the blow is reckoned then.
        pot: its POT by the GM's word (CS-530).
        struck: ``edge``, ``point`` or ``blunt``, where the weapon can do several; left out, the first it has.
        barrier: feet to something solid behind the target, where no board shows it (CS-563).
        shield: whether the target's shield lies in the way; left out, only where it failed to Block (CS-597).
        drop: feet from which the attacker drops on the target (CS-541).
        charge: mph that a charge adds, where the GM says so (CS-539); left out, as the movement was.
        outcome: what came of it, in words.
        distance: feet to the target, where the board does not say.
        rise: feet by which the target of a shot is higher, where neither board nor sheet says (CS-281).
        people: ids, parted by blanks, of those who tackle together with him (CS-469).
        line: what is said with it, where it was not declared (CS-510).
        arrow_head: what the arrow is tipped with, if not as declared (CS-542).
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("people",)
    who: str
    target: str = ""
    weapon: str = ""
    defence: str = ""
    attack: str = ""
    mode: str = ""
    av: int | None = None
    dv: int | None = None
    modifier: int = 0
    dv_modifier: int = 0
    reason: str = ""
    chance: int | None = None
    dv_chance: int | None = None
    hit: bool | None = None
    harm: int | str | None = None
    pot: int | None = None
    struck: str = ""
    barrier: int | None = None
    shield: bool | None = None
    drop: float | None = None
    charge: float | None = None
    outcome: str = ""
    distance: float | None = None
    rise: float | None = None
    people: str = ""
    line: str = ""
    arrow_head: str = ""


@command
class Demoralise(Command):
    """The Presence half of a blow that has landed, by the GM's word (CS-510 to CS-520); usually it is declared.

    `line` is what is said, without which it has no effect; `through` the POT or Body Points that got through. `av` is
    the Presence skill, `dv` what the target resists with, by the GM's word; else the sheet's skill and HRT. `reprisal`
    says that the blow was one (CS-514). `chance` and `hit` as in `Resolve`.
    """

    who: str
    target: str
    line: str
    through: int
    av: int | None = None
    dv: int | None = None
    reprisal: bool = False
    chance: int | None = None
    hit: bool | None = None


@command
class Reprise(Command):
    """Answer a miss (CS-481): ``take`` a Reprisal, ``trade`` it for moving away, or ``decline``.

    A Reprisal is a strike, with `weapon`, `attack`, `line` and the rest as in `Resolve`; a trade moves `feet` or to a
    place.
    """

    who: str
    choice: str = "take"
    weapon: str = ""
    attack: str = "common_strike"
    defence: str = ""
    av: int | None = None
    dv: int | None = None
    modifier: int = 0
    dv_modifier: int = 0
    reason: str = ""
    chance: int | None = None
    hit: bool | None = None
    harm: int | str | None = None
    pot: int | None = None
    struck: str = ""
    barrier: int | None = None
    shield: bool | None = None
    drop: float | None = None
    charge: float | None = None
    feet: float | None = None
    to: Location | None = None
    line: str = ""


@command
class Roll(Command):
    """A check that something calls for: `av` against `dv` (CS-094). `kind` says what it is, such as ``agl``."""

    who: str
    kind: str
    dv: int | None = None
    av: int | None = None
    modifier: int = 0
    chance: int | None = None
    hit: bool | None = None


@command
class Stray(Command):
    """The next one in the line of a shot that missed (CS-525): is he hit? `chance` and `hit` as in `Resolve`.

    `who` may be left out where it is known who stands in line; else it lists them, nearest first: ``bo cid=240``, with
    the feet from the shooter where they are known (CS-528). `defence` is ``aware``, ``active`` or ``still``, where he
    is not as he seems (CS-501 to CS-503).
    """

    who: str = ""
    defence: str = ""
    chance: int | None = None
    hit: bool | None = None


# Surprise


@command
class Spring(Command):
    """Spring a Surprise (CS-040): `aggressors` on `targets`.

    `kind` is ``ambush``, ``ruse`` (CS-044), ``trap`` (CS-043), ``pit`` (CS-045), ``illusion`` (CS-046) or ``mutual``
    (CS-048). `base` is the difficulty of the awareness check before (M-21), or `craft` the trap maker's (CS-051).
    `wary` names those who voiced suspicion or openly agreed (CS-054).
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("aggressors", "targets", "wary")
    aggressors: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    kind: str = "ambush"
    base: int | None = None
    craft: int | None = None
    dv: int | None = None
    wary: tuple[str, ...] = ()


@command
class SurpriseRoll(Command):
    """Settle one victim's Surprise (CS-055), or before it the contest of a ruse (CS-044): chances of both sides, dice.

    The dice are `aggressor_roll` and `roll`, or ``rolls["aggressor"]`` and ``rolls["victim"]``. `margin` is the fail
    margin of a trap that surprises without a roll (A-18).
    """

    target: str
    chance: int | None = None
    roll: int | None = None
    aggressor_chance: int | None = None
    aggressor_roll: int | None = None
    margin: int | None = None


@command
class Warn(Command):
    """Warn somebody of a foe behind (CS-304); the overwhelmed must still notice the foe, under their penalty (CS-063).

    `dv` is what the foe's coming is noticed against, where the GM sets it; `chance` and `hit` as in `Resolve`.
    """

    who: str
    foe: str = ""
    dv: int | None = None
    chance: int | None = None
    hit: bool | None = None


# Objects in play


@command
class Handle(Command):
    """Do something with an object in play (CS-200 to CS-227). What a difficulty needs and is left out is asked for.

    In one's own time, as moving is, and for a quarter of an Action (CS-010, CS-200); a ``throw`` and a ``leap`` are
    Actions of their own, declared as such and settled in one's Resolution (CS-094). What is thrown or falls is caught
    at any time.

    Attributes:
        what: ``take``, ``snatch`` on the run, ``leap`` for it, ``find`` it in a container, ``hand_over``, ``throw``,
            ``catch`` what is thrown, ``catch_falling``, ``drop`` it, ``struggle`` for it; it ``falls`` to the ground.
        thing: the object.
        other: who it is handed or thrown to; of a catch, who threw it.
        people: who else has hands on it in a struggle.
        others: how many other things are in the container.
        feet: to the object, to the catcher, or how far it falls.
        size: its Size in feet, or as the difficulty of catching it (CS-218); `pounds` its weight, `stp` its structure,
            where they matter.
        speed: how fast `who` moves, in mph, and `other_speed` how fast the other does; left out, as they move now.
        to_start: feet from `who` to where it falls from, and `to_landing` to where it lands; up to 5 is adjacent.
        leap: how far `who` leaps, in feet, if the sheet does not say.
        fragile: it may break although it is caught (CS-226).
        weather: what wind and rain add (CS-214); left out, what the GM has ruled.
        armour: DR of what the catcher wears, if not the sheet's (CS-222).
        most: how many may lay hands on it, 8 or fewer (CS-205).
        hand: ``R`` or ``L``, where that matters.
        av: the value rolled with, by the GM's word; `modifier` adds to it.
        chance: percent, of a second check that follows `other_chance`; `hit` whether the first succeeded.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("people", "other")
    who: str
    what: str
    thing: str = ""
    other: str = ""
    people: tuple[str, ...] = ()
    others: int | None = None
    feet: float | None = None
    size: float | None = None
    pounds: float | None = None
    stp: int | None = None
    speed: float | None = None
    other_speed: float | None = None
    to_start: float | None = None
    to_landing: float | None = None
    leap: float | None = None
    fragile: bool = False
    weather: int | None = None
    armour: int | None = None
    most: int = 8
    hand: str = ""
    av: int | None = None
    modifier: int = 0
    chance: int | None = None
    other_chance: int | None = None
    hit: bool | None = None


# Blows and wounds


@command
class LandBlow(Command):
    """Let a blow land that no attack here has struck: a fall, a trap, a falling beam, magick (CS-530).

    Attributes:
        who: whom it hits.
        pot: its POT, before clothing and armour.
        by: who deals it, if anybody; he is driven back away from there.
        struck: ``edge``, ``point`` or ``blunt`` (CS-603).
        passage: how it goes at armour: ``common``, ``thrust``, ``slash`` or ``piercing_missile``.
        bonus: what of it wears armour (CS-580).
        in_short: a missile from point-blank or short range (CS-577).
        barrier: feet to something solid behind him (CS-563).
        shield: whether his shield lies in the way (CS-597).
        reason: what it is, in words.
    """

    who: str
    pot: int
    by: str = ""
    struck: str = "blunt"
    passage: str = "common"
    bonus: int = 0
    in_short: bool = True
    barrier: int | None = None
    shield: bool | None = None
    reason: str = ""


@command
class Rally(Command):
    """Try for full STR in one Action in spite of Grievous wounds: a HRT check (CS-622).

    `chance` and `hit` as in `Resolve`.
    """

    who: str
    chance: int | None = None
    hit: bool | None = None


# Wounds, stuns and tokens by the GM's hand


@command
class SetStun(Command):
    """Stun somebody by pain, or change how much (CS-617): the penalty; 0 ends all of it."""

    who: str
    penalty: int
    halvings: int = 0


@command
class SetLife(Command):
    """Say that somebody is ``up``, ``unconscious``, ``collapsed`` or ``dead`` (CS-617)."""

    who: str
    life: str


@command
class SetScale(Command):
    """Another scale of the display: ``skirmishing``, ``half`` or ``fifth`` (CS-685)."""

    scale: str


COMMANDS: tuple[type[Command], ...] = (
    Initiative, SettleTie, Declare, Confirm, Abort, Wait, Plan, Hold, RunPulses, Resume, Posture, BreakOff,
    Approach, GetInside,
    Opportunity, LetPass, Resolve, Demoralise, Reprise, Roll, Stray, Spring, SurpriseRoll, Warn, Handle, LandBlow,
    Rally, SetStun, SetLife, SetScale,
)  # fmt: skip

ALIASES: Mapping[str, tuple[str, Mapping[str, Json]]] = {
    "init": ("Initiative", {}),
    "roll_initiative": ("Initiative", {}),
    "tie": ("SettleTie", {}),
    "insert": ("Declare", {}),
    "secret": ("Declare", {"secret": True}),
    "full_defence": ("Declare", {"action": "defend"}),
    "task": ("Declare", {"action": "task"}),
    "pass": ("Wait", {}),
    "pulse": ("RunPulses", {"pulses": 1}),
    "pulses": ("RunPulses", {}),
    "opp": ("Opportunity", {}),
    "attack": ("Resolve", {}),
    "check": ("Roll", {}),
    "reprisal": ("Reprise", {}),
    "trade": ("Reprise", {"choice": "trade"}),
    "surprise": ("Spring", {}),
    "trap": ("Spring", {"kind": "trap"}),
    "blow": ("LandBlow", {}),
    "armour": ("Rule", {"what": "armour"}),
    "land": ("LandBlow", {}),
    "stun": ("SetStun", {}),
    "life": ("SetLife", {}),
    "scale": ("SetScale", {}),
    "take_object": ("Handle", {"what": "take"}),
    "snatch": ("Handle", {"what": "snatch"}),
    "leap_for": ("Handle", {"what": "leap"}),
    "find": ("Handle", {"what": "find"}),
    "hand_over": ("Handle", {"what": "hand_over"}),
    "throw": ("Handle", {"what": "throw"}),
    "catch": ("Handle", {"what": "catch"}),
    "catch_falling": ("Handle", {"what": "catch_falling"}),
    "drop_object": ("Handle", {"what": "drop"}),
    "struggle": ("Handle", {"what": "struggle"}),
}
