"""The records of a combatant and of the fight, and the profile, which is a sheet as the rules read it.

A sheet made by hand or by an older program may lack or misstate anything; what is not a number is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Final, Literal, cast

from fightcall_engine.kit.records import as_int, fight_record_of, record_reader
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import field_names, field_values, frozen, remembered_of
from fightcall_engine.systems.segments.rules.attacks import COMMON_STRIKE, Attack
from fightcall_engine.systems.segments.rules.formulas import QA_AN_ACTION, Part, Sum, Tier, exact
from fightcall_engine.systems.segments.rules.ranges import SHARES, Field, MeleeMode, Rate, Scale
from fightcall_engine.systems.segments.rules.wounds import Layer

BodyPart = Literal["R", "L", "legs", "body"]
"""The body parts that an Action can bind: a hand, the legs, the whole body (CS-120, CS-146)."""

Way = Literal["", "parry", "block", "dodge", "none", "stand", "aware", "active", "still"]
"""The values of `Guard.way`."""

Table = Mapping[str, Json]
Name = str
"""The type `str`, for classes with an attribute of that name."""

AVERAGE = 13
"""The default score of an attribute."""

NEUTRAL_STA = 20
"""The default STA (M-22)."""


@frozen
class Piece:
    """A piece of work, in quarter-actions: a key of table 4-1, ``doff_`` and one, or the GM's words (CS-140)."""

    key: str
    qa: int
    count: int | None = None
    tied_by: Tier | None = None


@frozen
class Action:
    """A declared Action.

    `state` is ``draft``, ``committed`` once confirmed, then its result; empty for no Action. `kind` is one of `KINDS`.
    `public` is what others see and hear, if different or secret (CS-087, CS-089). `weapon` leads a Combination, whose
    `mode` is ``concert`` or ``separate`` (CS-365); `second` is its other weapon, or that of a second attack. `against`
    is the foe of a full defence; empty for all (CS-166, A-53). `need` and `done` are quarter-actions, `cs` and
    `in_pass` the segment and pass of its declaration, `dv` and `skill` the difficulty and AV of its check; `rolled`:
    its Resolution needs dice or a ruling. `inside`: gets inside the foe's longer weapon first (CS-320). `double_time`:
    takes twice its time and is half as difficult (CS-129). `on_fallen`: declared on somebody who was down (A-15).
    `overruled` rules are not asked about again. `struck` are the hands whose attacks are resolved (CS-340); `line` are
    words for a Presence attack with its first blow (CS-510).
    """

    state: str = ""
    kind: str = ""
    text: str = ""
    public: str = ""
    secret: bool = False
    components: tuple[Piece, ...] = ()
    weapon: str = ""
    second: str = ""
    attack: str = ""
    targets: tuple[str, ...] = ()
    mode: str = ""
    against: str = ""
    parts: tuple[BodyPart, ...] = ()
    need: int = QA_AN_ACTION
    done: int = 0
    cs: int = 0
    in_pass: int = 0
    dv: int | None = None
    skill: int | None = None
    rolled: bool = True
    outcome: str = ""
    struck: tuple[str, ...] = ()
    has_hit: bool = False
    helper: str = ""
    line: str = ""
    arrow_head: str = ""
    inside: bool = False
    double_time: bool = False
    on_fallen: bool = False
    overruled: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether it is declared and not resolved."""
        return self.state in ("draft", "committed")

    @property
    def left(self) -> int:
        """Quarter-actions still to be done."""
        return max(0, self.need - self.done)

    @property
    def bound(self) -> tuple[BodyPart, ...]:
        """The body parts it binds while it is open."""
        return self.parts if self.is_open else ()


NO_ACTION = Action()


@frozen
class Past:
    """An earlier Action of this segment and its outcome; `public` is what others saw, if it was secret."""

    text: str
    outcome: str
    public: str = ""


@frozen
class Used:
    """How often a weapon skill has been used in the window."""

    attacks: int = 0
    defences: int = 0


@frozen
class Postponed:
    """A miss that can still be answered with a Reprisal; one with the whole body cannot Dodge it (CS-422)."""

    attacker: str
    weapons: tuple[str, ...] = ()
    whole_body: bool = False


@frozen
class Pair:
    """Where a foe stands relative to a combatant, if the board does not tell; ``close`` inside the guard."""

    field: Field | None = None
    mode: MeleeMode | None = None


@frozen
class Pin:
    """A weapon that a foe has bound or grabbed, and with what (CS-321, CS-345)."""

    weapon: str
    by: str
    tool: str


@frozen
class ShutFields:
    """The Fields of Approach that comrades at the side or back close (CS-308)."""

    F: bool = False
    RF: bool = False
    RS: bool = False
    RR: bool = False
    R: bool = False
    LR: bool = False
    LS: bool = False
    LF: bool = False


@frozen
class Limbs:
    """Hands, limbs or the whole body that are held."""

    R: bool = False
    L: bool = False
    legs: bool = False
    body: bool = False


@frozen
class Doubt:
    """What a combatant's DVs lose against one foe in one segment (CS-519)."""

    by: str
    loss: int
    segment: int


@frozen
class Bonus:
    """A bonus of a heroic deed to one of `condition.SCORES`, perhaps until the fall of a foe."""

    score: str
    amount: int
    until: str = "scene"
    foe: str = ""


@frozen
class Feat:
    """An effect in the GM's words, and its segment."""

    label: str
    segment: int


@frozen
class StunData:
    """The data of an effect that stuns: twice the exact penalty, the segment of the blow, whether managed (CS-614)."""

    half_points: int = 0
    since: int | None = None
    managed: bool = False


@frozen
class FullDefence:
    """A whole Action of defence, against the foe with this id, or all if empty (CS-166, A-53)."""

    against: str = ""


@frozen
class Fighter:
    """The record of a combatant. Lengths are in feet, speeds in mph, durations in quarter-actions (qa).

    Initiative and time:
        d10: the die of Initiative; None if the GM gave the total.
        tie: the place among those with the same Initiative (CS-024 to CS-026).
        arrived: the segment in which its contest began, or 0.
        slots_ruled, roa_ruled: Actions owed in this segment, and Rate of Action, by GM ruling.
        inserted: the id of the step that its late declaration was inserted into.
        last_act: whether it is down, but acts once more at the same instant (CS-026).
        turned: the segment and pass of the last Action with a Turn, or None.
        turn_qa, rise_qa, drop_qa, grab_qa: what small acts have taken of the running Action.

    What it does:
        action: the Action declared last; `past` are earlier Actions of this segment.
        exerted: the segment in which it last spent its CND allowance.
        uses: uses of each weapon skill, by skill and hand such as ``sword/R``.
        reprisal_due: misses that it may still answer. `bound`: body parts that are held, by GM ruling.

    How it moves:
        moved: feet in this segment; `shortened` are the quarters of the distance that smaller acts took (CS-144).
        streak, sprint: Pulses of uninterrupted movement, and those of them at full speed (CS-539).
        ran: the Pulse in which it moved last.
        plan, plan_feet, plan_speed, plan_cs: the planned places, by their names on the board, or feet; the speed; the
            segment of the plan.
        held_at: the path that it was asked about when blocked. `broke`: how it broke off in this segment (CS-106).
        carry, rest: feet carried over from the last Pulse, and feet left in this one.
        halted_by, engage: the id of the foe in whose reach it was halted; of the foe it goes to meet.

    Who knows of whom:
        warned: of what it cannot see. `aware_of` has the ids of hidden foes it has noticed (CS-265).
        shut_fields, adjacent: fields through which it cannot be reached; by id, where foes stand off the board.
        surprise_launch, surprise_until, surprise_sum, surprise_dv: the first and the last segment, the penalty, and
            the DV that it failed.
        surprise_wanes: the last segment of a second stage that continues under a lesser Surprise, or 0 (CS-068).

    Harm and morale:
        life_until: the segment with which its condition ends. `out_until`: that before which it does not act.
        armour, shields: layers of armour as worn now, and what is left of shields.
        clothes_cut: whether its clothes have stopped a Slash. `pres`: P-RES by GM ruling.
        roused: whether pain does not count for now.

    What it has:
        right_hand, left_hand: the names of items held; empty for nothing, None for what the sheet says.
        lost: names of own items that lie on the ground or that another has, in lower case; `gained` has items taken
            from others; `broken` are in lower case, too (CS-641). `sleeves`: ``tied`` or ``loose``.
        tokens: in order, each with how often it has been handed on (CS-651).
        deed, deed_cost: the bonuses of a heroic deed, and whether it has a cost.

    Healing (CS-640 and following):
        heal_sl: the healer's level. `heal_from`, `heal_last`: the days on which it began and last happened.
        heal_feet: feet walked since.
    """

    init: int | None = None
    d10: int | None = None
    tie: int = 0
    arrived: int = 0
    slots_ruled: int | None = None
    roa_ruled: Fraction | None = None
    waiting: bool = False
    inserted: str = ""
    last_act: bool = False
    turned: tuple[int, int] | None = None
    turn_qa: int = 0
    rise_qa: int = 0
    drop_qa: int = 0
    grab_qa: int = 0
    action: Action = NO_ACTION
    past: tuple[Past, ...] = ()
    helps: str = ""
    exerted: int = 0
    uses: Mapping[str, Used] = field(default_factory=dict)
    dodges: int = 0
    full_defence: FullDefence | None = None
    reprisal_due: tuple[Postponed, ...] = ()
    bound: Limbs = Limbs()
    moved: float = 0.0
    shortened: int = 0
    streak: int = 0
    sprint: int = 0
    ran: int = 0
    speed: float = 0.0
    rate: Literal["still", "quarter", "half", "three_quarter", "full"] = "still"
    plan: tuple[str, ...] = ()
    plan_feet: float = 0.0
    plan_speed: float = 0.0
    plan_cs: int = 0
    following: str = ""
    held_at: tuple[str, ...] = ()
    carry: float = 0.0
    rest: float = 0.0
    broke: str = ""
    halted_by: str = ""
    engage: str = ""
    elev: float = 0.0
    posture: Literal["standing", "kneeling", "prone"] = "standing"
    warned: bool = False
    aware_of: tuple[str, ...] = ()
    shut_fields: ShutFields = ShutFields()
    adjacent: Mapping[str, Pair] = field(default_factory=dict)
    surprise: Literal["none", "ready", "checked", "overwhelmed", "waning"] = "none"
    surprise_launch: int = 0
    surprise_until: int = 0
    surprise_sum: int = 0
    surprise_dv: int = 0
    surprise_wanes: int = 0
    life: Literal["up", "unconscious", "collapsed", "dead"] = "up"
    life_until: int = 0
    wounds: int = 0
    armour: tuple[Layer, ...] = ()
    shields: tuple[Layer, ...] = ()
    clothes_cut: bool = False
    pres: int | None = None
    rally: str = ""
    morale: Literal["", "shaken", "broken", "broken down"] = ""
    doubts: tuple[Doubt, ...] = ()
    roused: bool = False
    out_until: int = 0
    right_hand: str | None = None
    left_hand: str | None = None
    lost: tuple[str, ...] = ()
    gained: tuple[Mapping[str, Json], ...] = ()
    pinned: tuple[Pin, ...] = ()
    broken: tuple[str, ...] = ()
    sleeves: str = ""
    crossbow: Literal["", "spent", "cocked", "loaded"] = ""
    crossbow_tool: bool = False
    crossbow_days: int = 0
    unstrung: bool = False
    tokens: tuple[tuple[str, int], ...] = ()
    deed: tuple[Bonus, ...] = ()
    deed_cost: bool = False
    feat: Feat | None = None
    heal_sl: int | None = None
    heal_skilled: bool = False
    heal_restless: bool = False
    heal_from: int = 0
    heal_last: int = 0
    heal_left: int = 0
    heal_feet: float = 0.0


fighter_of = record_reader(Fighter)
"""The record of a combatant."""


# The record of the fight


CONCERT, SEPARATE, MIXED = "concert", "separate", "mixed"
MODES = (CONCERT, SEPARATE, MIXED)
"""The modes of a Combination: one roll, two rolls (CS-365), or one weapon attacks and the other defends (CS-369)."""

MELEE, HURLED, MISSILE, OPPORTUNITY, REPRISAL = "melee", "hurled", "missile", "opportunity", "reprisal"
RANGED = (HURLED, MISSILE)
OUT_OF_TURN = (OPPORTUNITY, REPRISAL)


@frozen
class Guard:
    """The target's response to an attack.

    `way` is ``parry`` or ``block`` with what is in hand, ``dodge``, ``none`` (CS-410); ``stand`` against a Body Check
    (CS-456); against a shot, how aware the target is (CS-501). An empty name in `items` is the best one. `dodges`: it
    includes a Dodge (CS-417). `by` is the id of a friend who defends instead (CS-414).
    """

    way: Way = ""
    items: tuple[str, ...] = ()
    dodges: bool = False
    by: str = ""

    @property
    def count(self) -> int:
        """The number of defences it counts as, for its costs (CS-168, A-36)."""
        return len(self.items) + self.dodges + (self.way == STAND)

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

    `kind` is ``melee``, ``hurled``, ``missile``, or out of turn ``opportunity`` or ``reprisal``. `second` is the other
    item of a Combination, `mode` its mode. `guard` is None before it is chosen. In a Reprisal, `missed` are the
    target's own weapons that have just missed (CS-486); `undodged`: it attacked with the whole body and so cannot Dodge
    (CS-422).

    By GM ruling: `harm`, wounds, a number or dice; `feet`, below 0 if not given; `rise` of the target in feet (CS-281);
    `pot` (CS-530); `struck`, edge, point or blunt; `barrier`, feet to something solid behind the target (CS-563);
    `shield`, whether it is in the way (A-52); `drop`, feet from which the attacker drops (CS-541); `charge`, mph that
    it adds (CS-539); `people` who tackle together (CS-469).

    `heroic`: a Heroic Effect (CS-635), which `doubled` the POT if the GM chose so (CS-547). `power` is STR at the time
    of a shot that lands later (CS-285). `line` are words for a Presence attack (CS-510).
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

    def ruled_av(self, total: Sum | None, rule: str = "CS-475") -> Sum | None:
        """The AV, this one unless the GM set another, with GM modifier (CS-276)."""
        return self._ruled(total, "AV set by the GM", self.av, rule, self.modifier)

    def ruled_dv(self, total: Sum | None, rule: str = "CS-475", label: str = "DV") -> Sum | None:
        """The DV, as `ruled_av`."""
        return self._ruled(total, f"{label} set by the GM", self.dv, rule, self.dv_modifier)

    def _ruled(self, total: Sum | None, label: str, value: int | None, rule: str, more: int) -> Sum | None:
        total = total if value is None else Sum((Part(label, value, rule),))
        return None if total is None else total.add(self.reason or "GM modifier", more, "CS-276")


@frozen
class Flying:
    """A shot that has hit but not landed yet; its distance, height and STR when it was made still count (CS-285)."""

    due: int
    margin: int
    blow: Blow


@frozen
class Thing:
    """An object in play, with its holder, none if on the ground or in the air, and since which segment."""

    name: str
    holder: str = ""
    since: int = 0


@frozen
class Struggle:
    """An object that several combatants struggle for (CS-203).

    `hands` take part in the contest that is due, `late` in the one after it (CS-204). Those in `made` have kept their
    hold in this contest; those in `lost` are out of it (CS-206). `stp` is the object's structure; `strained`: the GM
    has been asked if it breaks (CS-208).
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

    `pass_number` and `pulse` are the running ones, 0 before the first (CS-080, CS-232). `met` are pairs of foes who
    have met and not parted since (CS-236); `chances` those in which the first was offered an Opportunity Action, or
    took one, on the second (L2549). `interrupted` is who was stopped in movement (CS-437). `split` are the Pulses of
    each pass, if not all in the first (CS-241). `weather` is added to the difficulty of throwing, catching and shooting
    (CS-214). `tasks` are the GM's own, in quarter-actions (CS-131), `pairs` acts that the GM has allowed as one
    (CS-392). `first` declares first in this segment (CS-072); groups in `at_once` act at the same instant (CS-026).
    `order_reading` is that of this segment, if the setting has changed since. `pivotal`: Heroic Effects and Bumbles
    count (CS-638). `fate_quiet`: the GM is not asked about tokens (CS-653). `heal_day` are days since the fight, whose
    date is `fought`.
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


# Profiles


@frozen
class Attributes:
    """A number for each attribute: scores, or modifiers (M-04)."""

    str: int
    agl: int
    crd: int
    hrt: int
    awa: int
    cnd: int
    chm: int

    @property
    def by_name(self) -> Mapping[Name, int]:
        """The numbers by the attributes' names."""
        return cast(Mapping[Name, int], field_values(self))


@frozen
class Trade:
    """A trade: the words of its name and flags, in lower case, and its level."""

    words: tuple[str, ...]
    sl: int

    def is_of(self, *kinds: str) -> bool:
        """Whether a word of the trade begins with one of these kinds: a Witchfinder is no switchman."""
        return any(word.startswith(kind) for word in self.words for kind in kinds)


@frozen
class Combination:
    """A learned Combination: its kind, its level, and the names of its items; no names for any items (CS-362)."""

    kind: str
    sl: int
    items: frozenset[str]


@frozen
class Hands:
    """The names of what each hand holds; empty for nothing."""

    right: str
    left: str


@frozen
class Profile:
    """A sheet as the rules read it; None for unknown values.

    `msta` counts, not `entered_msta`. `roa` is Actions a segment. `height`, also the width of its Zone (CS-682), and
    leaps are in feet, `light_enc` in pounds, speeds in mph (M-11); `rates` has those that are not shares of full speed
    (CS-183). Without `hands` each weapon says which hand it is for. Weapons and armour are completed from the armoury.
    """

    scores: Attributes
    mods: Attributes
    is_player: bool
    sta: int | None
    entered_msta: int | None
    pres: int | None
    init_mod: int | None
    dodge: int | None
    roa: Fraction | None
    height: Fraction
    light_enc: Fraction | None
    full_speed: Fraction
    rates: Mapping[Rate, Fraction]
    leap: Fraction | None
    running_leap: Fraction | None
    skills: Mapping[str, int]
    trades: tuple[Trade, ...]
    combos: tuple[Combination, ...]
    special_attacks: tuple[str, ...]
    hands: Hands | None
    weapons: tuple[Table, ...]
    armour: tuple[Table, ...]
    clothing_layers: int | None
    standing: str
    body_points: int | None

    @property
    def msta(self) -> int:
        """Modified STA, or STA if it was not entered (M-22)."""
        return self.entered_msta if self.entered_msta is not None else NEUTRAL_STA if self.sta is None else self.sta

    @property
    def leap_feet(self) -> Fraction:
        """The longest leap in feet, running or standing; 0 if not entered (M-11)."""
        return max(self.leap or Fraction(0), self.running_leap or Fraction(0))

    def skill(self, *names: str) -> int | None:
        """The best level in the named skills, or None."""
        return max((level for name, level in self.skills.items() if name.lower() in names), default=None)

    def trade_sl(self, *kinds: str) -> int:
        """The best level among trades of these kinds, by name or flag; 0 for none."""
        return max((trade.sl for trade in self.trades if trade.is_of(*kinds)), default=0)

    def has_trade(self, *kinds: str) -> bool:
        """Whether there is a trade of one of these kinds, by name or flag."""
        return any(trade.is_of(*kinds) for trade in self.trades)


_MOST_SHEETS = 1024
# The same objects for all, as what is remembered of measures is found by identity.
_USUAL_HEIGHT, _USUAL_SPEED = Fraction(6), Fraction(12)


def profile_of(combatant: Combatant) -> Profile:
    """The profile of a combatant's sheet."""
    return _read_sheet(combatant.sheet)


@remembered_of(_MOST_SHEETS)
def _read_sheet(sheet: Table) -> Profile:
    move, hands = _table(sheet.get("move")), _table(sheet.get("hands"))
    quality = sheet.get("pc_quality")
    full = _measure(move.get("full"))
    height = _measure(sheet.get("height"))
    return Profile(
        scores=_attributes(sheet, AVERAGE),
        mods=_attributes(_table(sheet.get("mod")), 0),
        is_player=quality if isinstance(quality, bool) else sheet.get("kind") == "pc",
        sta=as_int(sheet.get("sta")),
        entered_msta=as_int(sheet.get("msta")),
        pres=as_int(sheet.get("pres")),
        init_mod=as_int(sheet.get("init_mod")),
        dodge=as_int(sheet.get("dodge")),
        roa=_rate_of_action(sheet.get("roa", "1")),
        height=_USUAL_HEIGHT if height is None else height,
        light_enc=_measure(sheet.get("light_enc")),
        full_speed=_USUAL_SPEED if full is None else full,
        rates={rate: mph for rate in SHARES if (mph := _measure(move.get(rate))) is not None},
        leap=_measure(move.get("leap")),
        running_leap=_measure(move.get("running_leap")),
        skills={name: sl for name, level in _table(sheet.get("skills")).items() if (sl := as_int(level)) is not None},
        trades=tuple(map(_trade, _tables(sheet.get("trades")))),
        combos=tuple(map(_combination, _tables(sheet.get("combos")))),
        special_attacks=names_in(sheet.get("special_attacks")),
        hands=Hands(str(hands.get("R") or ""), str(hands.get("L") or "")) if hands else None,
        weapons=_tables(sheet.get("weapons")),
        armour=_tables(sheet.get("armour")),
        clothing_layers=as_int(sheet.get("clothing_layers")),
        standing=str(sheet.get("standing") or ""),
        body_points=as_int(_table(sheet.get("bp")).get("max")) or None,
    )


def _attributes(table: Table, default: int) -> Attributes:
    numbers = (as_int(table.get(name)) for name in field_names(Attributes))
    return Attributes(*(default if number is None else number for number in numbers))


def _rate_of_action(value: Json) -> Fraction | None:
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return None


def _trade(trade: Table) -> Trade:
    words = " ".join([str(trade.get("name", "")), *names_in(trade.get("flags"))])
    return Trade(tuple(re.findall(r"\w+", words.lower())), as_int(trade.get("sl")) or 0)


def _combination(combo: Table) -> Combination:
    names = (str(combo.get(key) or "").lower() for key in ("first", "second"))
    return Combination(str(combo.get("kind", "att+att")), as_int(combo.get("sl")) or 0, frozenset(names) - {""})


def _table(value: Json) -> Table:
    return cast(Table, value) if isinstance(value, Mapping) else {}


def _tables(value: Json) -> tuple[Table, ...]:
    return tuple(cast("list[Table]", value)) if isinstance(value, list | tuple) else ()


def names_in(value: object) -> tuple[str, ...]:
    """The names in a list of a sheet."""
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def _measure(value: Json) -> Fraction | None:
    return exact(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
