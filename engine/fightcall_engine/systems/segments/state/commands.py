"""The commands of Combat Segments beside the shared ones, and their aliases. Healing also works after the fight."""

from collections.abc import Mapping
from typing import ClassVar

from fightcall_engine.board.base import Location
from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import classes_in

# Bases


class Attempt(Command):
    """What may fail. `chance` is percent, `hit` whether it succeeds without a roll, as in `Resolve`."""

    who: str
    chance: int | None = None
    hit: bool | None = None


class AnyAttack(Attempt):
    """An attack, in turn or out of turn. The fields are as in `Resolve`."""

    weapon: str = ""
    defence: str = ""
    attack: str = ""
    av: int | None = None
    dv: int | None = None
    modifier: int = 0
    dv_modifier: int = 0
    reason: str = ""
    harm: int | str | None = None
    pot: int | None = None
    struck: str = ""
    barrier: int | None = None
    shield: bool | None = None
    drop: float | None = None
    charge: float | None = None
    line: str = ""


# Order


class Initiative(Command):
    """Roll Initiative (CS-020) for one combatant, or for everyone without it in this segment.

    `d10` is one combatant's die; `total` is the sum by GM ruling. The dice are ``rolls["initiative"]`` or
    ``rolls["initiative.<id>"]``.
    """

    who: str = ""
    d10: int | None = None
    total: int | None = None


class SettleTie(Command):
    """Order combatants tied in Initiative, AGL and HRT (CS-026): their ids, the first to act first."""

    PEOPLE: ClassVar[tuple[str, ...]] = ("ids",)
    ids: tuple[str, ...] = ()
    by: str = "GM"


# Declarations


class Declare(Command):
    """Declare a combatant's Action for this pass (CS-082), on its turn, or later if it waits.

    It can be changed until it is confirmed: by `Confirm`, by moving, or when play continues (CS-084).

    Attributes:
        text: the Action in words; public unless `secret`.
        action: its kind: ``move``, ``act``, ``task``, ``strike``, ``charge``, ``shoot``, ``hurl``, ``combination``,
            ``defend``, ``object``; by default, it follows from the other fields.
        components: keys of table 4-1, each with how often or how long: ``draw_missile``, ``don_boot:2``, ``doff_coat``,
            ``rummage:3`` among three objects, ``untie_knot:18/35`` tied by STR 18 and trade level 35, ``climb=6`` for
            the GM's own words with quarter-actions (CS-125, CS-130, CS-131). Two of the listed pairs, such as
            ``turn fire``, are one Action (CS-390).
        qa: its whole length in quarter-actions, by GM ruling (CS-132).
        segments: its length in segments, as for skills and castings (CS-132, CS-141); or `seconds` (CS-142).
        weapon: the item it is done with; by default, what is in hand.
        second: the second weapon of a Combination, or for a second attack (CS-341).
        attack: the type of attack (CS-349).
        target: its target; `other` is the target of the second weapon (CS-342).
        mode: ``concert`` or ``separate``, of a Combination (CS-365).
        against: the foe that a full defence is against (CS-166).
        parts: body parts it binds: ``R``, ``L``, ``legs``, ``body`` (CS-120); by default, as its kind does.
        secret: whether only the GM sees it; `public` is what others see of it (CS-087 to CS-089).
        dv: the difficulty of its check; `skill` is the value that is rolled.
        double_time: whether it takes twice as long and is half as difficult (CS-129).
        helper: the combatant who helps, if the table requires one (CS-136, CS-137).
        line: words for a Presence attack with the blow (CS-510).
        arrow_head: the arrow head, such as ``bodkin``; by default, the bow's usual one (CS-542).
        inside: whether to get inside the foe's longer weapon first (CS-320), with `GetInside` in the Resolution.

    An attack that cannot succeed as things stand is refused with what would help; with `force` it stands, and its
    Resolution does not ask again: out of reach (CS-318), no clear line (CS-251), too far (CS-250), a field out of the
    hand's reach (CS-306), a weapon that is not in hand (CS-340), unless the `components` ``draw`` it.
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


class Confirm(Command):
    """Confirm the declaration. After that it can only be aborted (CS-084)."""

    who: str


class Abort(Command):
    """Abort the declared Action and free the body parts it uses (CS-143)."""

    who: str
    reason: str = ""


class Wait(Command):
    """Wait: declare nothing now, but perhaps later (CS-160)."""

    PASSES: ClassVar[bool] = True

    who: str


# Movement


class Plan(Command):
    """Plan movement for the ten Pulses (CS-230): `path` or `to` on a board, `feet` without one.

    `speed` is in mph, or ``quarter``, ``half``, ``three_quarter`` or ``full`` (the default). `follow` names a combatant
    to walk up to on a board: the path changes as they move, until they are reached.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("follow",)
    who: str
    path: tuple[Location, ...] = ()
    to: Location | None = None
    feet: float | None = None
    speed: float | str | None = None
    follow: str = ""


class Hold(Command):
    """Stand still and drop the planned movement (CS-233)."""

    who: str


class RunPulses(Command):
    """Run the Pulses until a combatant may interrupt, or to the end of movement; `pulses` is the most to run."""

    pulses: int | None = None


class Resume(Command):
    """Continue or stop movement after an interruption (CS-237, CS-440)."""

    who: str
    on: bool = True


class Posture(Command):
    """Stand, kneel or lie (CS-104), in the combatant's own time. With a strike it only half-rises (CS-391)."""

    who: str
    posture: str


class BreakOff(Command):
    """Leave melee (CS-106): ``run``, ``obstacle`` or ``overturn``; running allows the foe a parting shot (CS-107)."""

    who: str
    how: str = "run"


# Relative positions of foes


class Approach(Command):
    """Set where a foe stands relative to a combatant, if the board does not tell (CS-300, CS-323).

    `field` is ``F``, ``RF``, ``RS``, ``RR``, ``R``, ``LR``, ``LS`` or ``LF``; `mode` is ``close`` for a foe inside the
    guard, or ``common``. Either defaults to what board and weapons give.
    """

    who: str
    foe: str
    field: str = ""
    mode: str = ""


class GetInside(Attempt):
    """Get inside a longer weapon, into close melee (CS-319), in the combatant's Resolution before an attack (CS-320).

    `by` is ``dodge``, ``acrobat`` or ``agl``; by default, the best of them. `chance` and `hit` as in `Resolve`.
    """

    foe: str
    by: str = ""
    modifier: int = 0


# Opportunity Actions


class Opportunity(AnyAttack):
    """Act out of turn on a combatant within reach (CS-430 to CS-449).

    `kind` is ``strike`` or another kind of Opportunity Action; `distance` is the feet at which the foe passes, if the
    board does not tell (CS-442). `helper` holds the other end for a prepared ``trip`` or ``clothesline``, or is
    ``anchor`` for something solid; these are resolved as Surprise (CS-446). `people` are the ids, separated by blanks,
    of those who tackle together with `who` (CS-469). `line` is as in `Declare` (CS-510); `chance`, `hit`, `harm` and
    the other fields are as in `Resolve`.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("people", "helper")
    target: str
    kind: str = "strike"
    dv_chance: int | None = None
    distance: float | None = None
    helper: str = ""
    people: str = ""


class LetPass(Command):
    """Decline an Opportunity Action that is offered."""

    who: str


# Resolution


class Resolve(AnyAttack):
    """Resolve the Action that is due (CS-092, CS-093).

    Attributes:
        target: the target of an attack, if not as declared.
        weapon: which of two weapons, if both attack.
        defence: the target's defence: ``parry``, ``block`` or ``dodge``, with items after a blank or a plus sign, such
            as ``parry sword`` or ``parry sword+dodge``; ``none``; by default, the best there is. A friend beside them
            defends instead with a name or label and a colon in front: ``c: parry axe`` (CS-414).
        av: the value rolled, and `dv` the difficulty, by GM ruling; by default, as computed.
        modifier: added to AV; `reason` says why.
        dv_modifier: added to DV, making it harder; below 0, easier (CS-276).
        chance: percent (R-5); by default from the table or the linear reading, else the GM is asked.
        hit: whether it succeeds, without a roll. The die is ``rolls["check"]``, for the defender in a contested roll
            ``rolls["defence"]``.
        dv_chance: the defender's own percentage in a contested roll.
        harm: wounds, or dice for them, by GM ruling; nothing else of the blow is computed then.
        pot: its POT by GM ruling (CS-530).
        struck: ``edge``, ``point`` or ``blunt``, if the weapon has several; by default, the first.
        barrier: feet to something solid behind the target, if no board shows it (CS-563).
        shield: whether the target's shield is in the way; by default, only if it failed to Block (CS-597).
        drop: feet from which the attacker drops on the target (CS-541).
        charge: mph that a charge adds, by GM ruling (CS-539); by default, as was moved.
        outcome: the outcome in words.
        distance: feet to the target, if the board does not tell.
        rise: feet by which the target of a shot is higher, if neither board nor sheet tells (CS-281).
        people: the ids, separated by blanks, of those who tackle together with `who` (CS-469).
        line: words for a Presence attack, if not declared (CS-510).
        arrow_head: the arrow head, if not as declared (CS-542).
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("people",)
    target: str = ""
    mode: str = ""
    dv_chance: int | None = None
    outcome: str = ""
    distance: float | None = None
    rise: float | None = None
    people: str = ""
    arrow_head: str = ""


class Demoralise(Attempt):
    """Make a Presence attack with a blow that has landed, by GM ruling (CS-510 to CS-520). Normally it is declared.

    `line` is what is said, without which it has no effect; `through` is the POT or Body Points that got through. `av`
    is the Presence skill and `dv` the target's resistance, by GM ruling; by default, the sheet's skill and HRT.
    `reprisal`: the blow was a Reprisal (CS-514). `chance` and `hit` as in `Resolve`.
    """

    target: str
    line: str
    through: int
    av: int | None = None
    dv: int | None = None
    reprisal: bool = False


class Reprise(AnyAttack):
    """Answer a miss (CS-481): ``take`` a Reprisal, ``trade`` it for moving away, or ``decline``.

    A Reprisal is a strike, with `weapon`, `attack`, `line` and the other fields as in `Resolve`; a trade moves `feet`,
    or to a place.
    """

    attack: str = "common_strike"
    choice: str = "take"
    feet: float | None = None
    to: Location | None = None


class Roll(Attempt):
    """Make a check: `av` against `dv` (CS-094). `kind` names the value, such as ``agl``."""

    kind: str
    dv: int | None = None
    av: int | None = None
    modifier: int = 0


class Stray(Attempt):
    """Check whether the next combatant in the line of a shot that missed is hit (CS-525).

    `who` can be left out if it is known who stands in line; else it lists them, nearest first: ``bo cid=240``, with the
    feet from the shooter if known (CS-528). `defence` is ``aware``, ``active`` or ``still``, if it is not as it seems
    (CS-501 to CS-503). `chance` and `hit` as in `Resolve`.
    """

    who: str = ""
    defence: str = ""


# Surprise


class Spring(Command):
    """Spring a Surprise (CS-040) by `aggressors` on `targets`.

    `kind` is ``ambush``, ``ruse`` (CS-044), ``trap`` (CS-043), ``pit`` (CS-045), ``illusion`` (CS-046) or ``mutual``
    (CS-048). `base` is the difficulty of the awareness check before it (M-21), or `craft` the trap maker's (CS-051).
    `wary` names those who have voiced suspicion or openly agreed (CS-054).
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("aggressors", "targets", "wary")
    aggressors: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    kind: str = "ambush"
    base: int | None = None
    craft: int | None = None
    dv: int | None = None
    wary: tuple[str, ...] = ()


class SurpriseRoll(Command):
    """Resolve the Surprise of one victim (CS-055), or the contest of a ruse before it (CS-044).

    Both sides have chances and dice: `aggressor_roll` and `roll`, or ``rolls["aggressor"]`` and ``rolls["victim"]``.
    `margin` is the fail margin of a trap that surprises without a roll (A-18).
    """

    target: str
    chance: int | None = None
    roll: int | None = None
    aggressor_chance: int | None = None
    aggressor_roll: int | None = None
    margin: int | None = None


class Warn(Attempt):
    """Warn a combatant of a foe behind (CS-304); the overwhelmed must still notice the foe, at their penalty (CS-063).

    `dv` is the difficulty of noticing the foe, by GM ruling; `chance` and `hit` as in `Resolve`.
    """

    foe: str = ""
    dv: int | None = None


# Objects in play


class Handle(Attempt):
    """Do something with an object in play (CS-200 to CS-227). The program asks for missing numbers.

    It is done in the combatant's own time, like moving, and takes a quarter of an Action (CS-010, CS-200). A ``throw``
    and a ``leap`` are Actions of their own, which are declared and resolved in the Resolution (CS-094). Catching is
    possible at any time.

    Attributes:
        what: ``take``, ``snatch`` on the run, ``leap`` for it, ``find`` it in a container, ``hand_over``, ``throw``,
            ``catch`` what is thrown, ``catch_falling``, ``drop`` it, ``struggle`` for it; or it ``falls`` to the
            ground.
        thing: the object.
        other: who it is handed or thrown to; for a catch, who threw it.
        people: the others with hands on it in a struggle.
        others: the number of other things in the container.
        feet: the distance to the object or the catcher, or of its fall.
        size: its Size in feet, by which a fall under 16 ft is caught, else by its weight (CS-218); `pounds` is its
            weight, `stp` its structure.
        speed: the speed of `who` in mph, and `other_speed` of the other; by default, as they move now.
        to_start: feet from `who` to where it falls from, and `to_landing` to where it lands; up to 5 is adjacent.
        leap: the feet that `who` leaps, if the sheet does not say.
        fragile: whether it may break even if caught (CS-226).
        weather: what wind and rain add (CS-214); by default, the GM's ruling.
        armour: the DR of the catcher's armour, if not the sheet's (CS-222).
        most: how many may lay hands on it, 8 or fewer (CS-205).
        hand: ``R`` or ``L``.
        av: the value rolled, by GM ruling; `modifier` is added to it.
        chance: percent, of a second check after `other_chance`; `hit` is whether the first succeeded.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("people", "other")
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
    other_chance: int | None = None


# Blows and wounds


class LandBlow(Command):
    """Apply a blow that isn't an attack in this fight: a fall, a trap, a falling beam, magick (CS-530).

    Attributes:
        who: the combatant hit.
        pot: its POT, before clothing and armour.
        by: who deals it, if anybody; the victim is driven away from there.
        struck: ``edge``, ``point`` or ``blunt`` (CS-603).
        passage: how it meets armour: ``common``, ``thrust``, ``slash`` or ``piercing_missile``.
        bonus: the part of the POT that wears armour (CS-580).
        in_short: whether it is a missile at point-blank or short range (CS-577).
        barrier: feet to something solid behind the victim (CS-563).
        shield: whether the victim's shield is in the way (CS-597).
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


class Rally(Attempt):
    """Try to act with full STR for one Action despite Grievous wounds: a HRT check (CS-622).

    `chance` and `hit` as in `Resolve`.
    """


# Wounds, stuns and tokens by the GM's word


class SetStun(Command):
    """Set a combatant's stun penalty from pain (CS-617); 0 ends it."""

    who: str
    penalty: int
    halvings: int = 0


class SetLife(Command):
    """Set a combatant's condition to ``up``, ``unconscious``, ``collapsed`` or ``dead`` (CS-617)."""

    who: str
    life: str


class SetScale(Command):
    """Change the scale of the display: ``skirmishing``, ``half`` or ``fifth`` (CS-685)."""

    scale: str


# Commands for tokens and healing (CS-651 to CS-672)


class Token(Command):
    """Change a combatant's tokens: ``give``, ``spend`` or ``pass`` one (CS-651 to CS-654).

    Attributes:
        who: the combatant who gets it, or has it.
        colour: ``white`` for good, ``black`` for bad, or ``fate``.
        to: who gets a token that is passed on.
        on: the roll or result that a spent token alters, in words.
    """

    who: str
    what: str = "give"
    colour: str = "white"
    to: str = ""
    on: str = ""


class PlanHealing(Command):
    """Plan how a combatant is cared for, and compute when each wound is healed (CS-661 to CS-669).

    Attributes:
        who: the wounded combatant.
        healer_sl: the healer's level in the trade; None for no healer, or as on the sheet of `healer`.
        healer: the id of a healer in the fight.
        skilled: whether the healer is very skilled, as Mortal wounds need to heal.
        rest: whether the wounded has quiet rest.
        fought: the date of the fight, such as ``2026-05-01``.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("healer",)
    AFTER_CLOSE: ClassVar[bool] = True
    who: str
    healer_sl: int | None = None
    healer: str = ""
    skilled: bool = False
    rest: bool = True
    fought: str = ""


class HealDays(Command):
    """Skip days and heal the wounds that are due (CS-664)."""

    AFTER_CLOSE: ClassVar[bool] = True
    days: int = 1


class Strain(Command):
    """Record a strenuous act during healing, or move a Mortally wounded combatant (CS-667 to CS-671).

    Attributes:
        who: the wounded combatant.
        feet: the distance moved without help.
        carried: whether others have moved the wounded.
        heroic: whether it was a Heroic Effect, so that moving adds no wound.
    """

    AFTER_CLOSE: ClassVar[bool] = True
    who: str
    feet: float = 0.0
    carried: bool = False
    heroic: bool = False


class MendWounds(Command):
    """Heal wounds at once: by rapidly healing magick, or by ``shifting`` them to another combatant (CS-669, CS-672)."""

    AFTER_CLOSE: ClassVar[bool] = True
    who: str
    wounds: int = 1
    shifting: bool = False


COMMANDS = tuple(kind for kind in classes_in(__name__, Command) if not kind.__subclasses__())

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
    "token_give": ("Token", {"what": "give"}),
    "token_spend": ("Token", {"what": "spend"}),
    "token_pass": ("Token", {"what": "pass"}),
    "heal_plan": ("PlanHealing", {}),
    "heal_day": ("HealDays", {"days": 1}),
    "setback": ("Strain", {}),
    "shift_wounds": ("MendWounds", {"shifting": True}),
}
