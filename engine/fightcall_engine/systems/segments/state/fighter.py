"""What is remembered of a combatant, as one value: its system's `record`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Literal

from fightcall_engine.kit.records import record_of
from fightcall_engine.model.state import Combatant
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules.armour import Layer
from fightcall_engine.systems.segments.rules.clock import QA_AN_ACTION
from fightcall_engine.systems.segments.rules.melee import Field, MeleeMode
from fightcall_engine.systems.segments.rules.tasks import Tier

BodyPart = Literal["R", "L", "legs", "body"]
"""What an Action can bind: a hand, the legs, the whole body (CS-120, CS-146)."""


@frozen
class Piece:
    """One piece of work.

    Attributes:
        key: of table 4-1, ``doff_`` and what is taken off, or the GM's own words.
        qa: its quarter-actions.
        count: how often, or how many, where that was said.
        tied_by: who tied the knot that is untied (CS-140); None for anything else.
    """

    key: str
    qa: int
    count: int | None = None
    tied_by: Tier | None = None


@frozen
class Action:
    """One declared Action.

    Attributes:
        state: ``draft`` until it is confirmed, ``committed`` until it is settled, then what came of it; empty for none.
        kind: one of `KINDS`.
        text: what was said.
        public: what others see and hear where it differs; of a secret Action (CS-087, CS-089).
        secret: only the GM sees what it is.
        components: what it is made of, each with its quarter-actions (CS-125).
        weapon: the weapon's name, or the one that leads a Combination.
        second: the other weapon of a Combination, or of a second attack.
        attack: the type of attack (CS-349).
        targets: ids of those it is meant for.
        mode: ``concert`` or ``separate`` (CS-365).
        against: id of the foe that a full defence is for; empty for all (CS-166, A-53).
        parts: what it binds.
        need: its length in quarter-actions.
        done: quarter-actions done.
        cs: the segment it was declared in.
        in_pass: the pass.
        dv: the difficulty of its check where there is one.
        skill: what it is rolled with, as a value (AV); None where none is named.
        rolled: it needs dice, or the GM's word, in its Resolution.
        outcome: what came of it, in words.
        helper: the id of another who does it; empty for nobody (CS-136).
        arrow_head: what the arrow is tipped with (CS-542).
        inside: its author steps past the foe's longer weapon before the blow (CS-320).
        double_time: it is given twice its time, and is half as difficult (CS-129).
        overruled: rules that the GM set aside when it was ordered: they ask nothing more of it.
        struck: attacks of it that are settled, as hands (CS-340).
        has_hit: one of these has hit.
        line: what is said with its first attack to daunt the target (CS-510).
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
    overruled: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """True while it is declared and not settled."""
        return self.state in ("draft", "committed")

    @property
    def left(self) -> int:
        """Quarter-actions that are still to do."""
        return max(0, self.need - self.done)

    @property
    def bound(self) -> tuple[BodyPart, ...]:
        """What it binds while it is open."""
        return self.parts if self.is_open else ()


NO_ACTION = Action()


@frozen
class Past:
    """What an earlier Action of this segment came to; `public` is what others saw where it was secret."""

    text: str
    outcome: str
    public: str = ""


@frozen
class Used:
    """How often one weapon skill was used in the window."""

    attacks: int = 0
    defences: int = 0


@frozen
class Postponed:
    """A miss that is still to be answered.

    Attributes:
        attacker: the id of whoever has missed.
        weapons: with what, by name.
        whole_body: it was an attack with the whole body: its author cannot Dodge the answer (CS-422).
    """

    attacker: str
    weapons: tuple[str, ...] = ()
    whole_body: bool = False


@frozen
class Pair:
    """How a foe stands to somebody, where the board does not tell.

    Attributes:
        field: the Field of Approach he is in; None where nobody has said.
        mode: close where he has got inside the guard, or the mode the GM has ruled; None for what weapons make it.
    """

    field: Field | None = None
    mode: MeleeMode | None = None


@frozen
class ShutFields:
    """Which Fields of Approach comrades at his side or back close (CS-308)."""

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
    """Hands and limbs, and the whole body, that are held."""

    R: bool = False
    L: bool = False
    legs: bool = False
    body: bool = False


@frozen
class Doubt:
    """What his DVs lose against one foe in one segment (CS-519)."""

    by: str
    loss: int
    segment: int


@frozen
class Bonus:
    """One bonus of a heroic deed.

    Attributes:
        score: one of `deeds.SCORES`.
        amount: how much, above 0.
        until: ``act``, ``scene`` or ``foe``.
        foe: whose going down ends it.
    """

    score: str
    amount: int
    until: str = "scene"
    foe: str = ""


@frozen
class Feat:
    """An effect that the GM tells in his own words, and the segment it was in."""

    label: str
    segment: int


@frozen
class StunData:
    """What an effect that stuns is made of.

    Attributes:
        half_points: twice the exact penalty: a whole number, which whoever manages it halves once (CS-614).
        since: the segment of the blow; None where nobody knows.
        managed: he fights through it (CS-614).
    """

    half_points: int = 0
    since: int | None = None
    managed: bool = False


@frozen
class FullDefence:
    """A whole Action given to defending: against the foe of this id, or all where it is empty (CS-166, A-53)."""

    against: str = ""


@frozen
class Fighter:
    """What is remembered of a combatant. Lengths are in feet, speeds in mph, durations in quarter-actions (qa).

    Initiative and time:
        init: Initiative of this segment; None until it is rolled. `d10` is the die, None where the GM gave the total.
        tie: the place among those with the same Initiative (CS-024 to CS-026).
        arrived: the segment in which its contest began; 0 before that.
        slots_ruled: Actions owed in this segment by the GM's word.
        roa_ruled: its Rate of Action by the GM's word; None for the sheet's.
        waiting: it waits, and may declare later (CS-160).
        inserted: the id of the step in which its late declaration was put in.
        last_act: it is down, but struck at the same instant and acts once more (CS-026).
        turned: the segment and pass whose Action has made its Turn; None before the first.
        turn_qa, rise_qa, drop_qa, grab_qa: what small acts have taken of the running Action.

    What it does:
        action: what it has declared last; `past` what came of earlier Actions of this segment.
        helps: whom it helps (CS-136).
        exerted: the segment in which it last spent of its CND allowance.
        uses, dodges: how often each weapon skill was used, by skill and hand such as ``sword/R``; Dodges made.
        full_defence: a full defence that counts; None for none (CS-166).
        reprisal_due: misses that it may answer later.
        bound: what of its body is held, by the GM's word.

    How it moves:
        moved: feet in this segment.
        shortened: quarters of the segment's distance that smaller acts of its earlier Actions have taken (CS-144).
        streak, sprint: Pulses of moving on end, and those of them at full speed (CS-539).
        ran: the Pulse in which it moved last.
        speed, rate: as it moves now.
        plan, plan_feet, plan_speed, plan_cs: the places it means to enter, as the board names them, or so many feet;
            how fast; since which segment.
        following, held_at: to whom that way leads, as they move; the way it was asked about when it could not go on.
        carry, rest: feet left over from the last Pulse, and still to go in this one.
        broke: how it broke off in this segment (CS-106).
        halted_by, engage: the foe in whose reach it was halted; the one whom it goes to meet.
        elev: feet above the ground.

    Who knows of whom:
        warned: it is warned of what it cannot see. `aware_of` has the ids of those it has made out in hiding (CS-265).
        shut_fields: Fields of Approach through which nobody gets at it; `adjacent` says by id how
            foes stand to it, where the board does not tell.
        surprise, surprise_launch, surprise_until, surprise_sum, surprise_dv: the degree of its Surprise, the segment
            it began in and the last of it, the penalty, and the DV it failed.
        surprise_wanes: the last segment of a second stage that goes on under a lesser Surprise; 0 for none (CS-068).

    Harm and heart:
        life, life_until: how far gone it is, and the segment with which that ends.
        wounds: the boxes crossed out.
        armour, shields: layers as they are worn now, and what is left of shields.
        clothes_cut: its clothes have stopped a Slash.
        pres: P-RES by the GM's word.
        rally: how rallying went. `morale`, `doubts`: how it is demoralised, and whom it doubts against.
        roused: pain does not count for now.
        out_until: it does not act before this segment.

    What it has:
        right_hand, left_hand: what it holds, by name; empty for nothing, None for what the sheet says.
        broken: names of what has broken, in small letters (CS-641). `sleeves`: ``tied`` or ``loose``.
        crossbow, crossbow_tool, crossbow_days: its crossbow, whether the tool is hooked on, days kept cocked (CS-395).
        unstrung: its bow is.
        tokens: in the order they came, with how often each has been handed on (CS-651).
        deed, deed_cost: what a heroic deed adds, and whether it is to be paid.
        feat: the last one with its segment.

    Healing (CS-640 and following):
        heal_sl, heal_skilled, heal_restless: the healer's level, skilled care, no rest.
        heal_from, heal_last, heal_left: days since when it heals, when it last did, and what is left.
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


def fighter_of(combatant: Combatant) -> Fighter:
    """What is remembered of a combatant."""
    return record_of(combatant, Fighter)
