"""The settings and records of Active Phase Encounters, and reading a fight: slots, phases, abilities, prices."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final, Literal, cast

from fightcall_engine.kit.decision import DiceMode, answers_to, dice_field
from fightcall_engine.kit.records import (
    describe_settings,
    fight_record_of,
    read_settings,
    record_reader,
    setting,
    sheet_entries,
)
from fightcall_engine.kit.views import Check, Words
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json, Scalar
from fightcall_engine.model.values import field_names, frozen, remembered, remembered_of, replace

UPKEEP = "upkeep"
"""The value of `Encounter.until` with which Upkeep asks no questions (AP-42)."""
OVER = "over"
"""The value of `Encounter.threats` once no threat is left (AP-46)."""


@frozen
class SlotsSettings:
    """The settings that a table chooses."""

    final_scope: Literal["everyone", "reserved_only"] = setting(
        "everyone",
        "What costs four times as much in the Final Phase: every action, or only those paid with Reserved Slots",
        "Q-A2",
    )
    final_single_band: Literal["off", "on"] = setting(
        "off", "There is a Final Phase even if only one band can act", "Q-A2"
    )
    final_base: Literal["price_it_would_have", "active_price"] = setting(
        "price_it_would_have", "What is multiplied by four: the current price, or the Active price", "Q-A10"
    )
    stay_mode: Literal["before_lock", "per_round"] = setting(
        "before_lock", "When PCs can Stay: once before the Cycle is locked, or every round for that round", "Q-A3"
    )
    upkeep_order: Literal["pulses_then_countdown", "countdown_first"] = setting(
        "pulses_then_countdown", "Upkeep order: damage and healing before the countdown, or the countdown first", "Q-A5"
    )
    hp_net: Literal["net", "damage_first"] = setting(
        "net",
        "In Upkeep, damage and healing cancel out, or damage comes first",
        "Q-A17",
        title="damage and healing",
        words=("cancel out", "damage first"),
    )
    slow_burn_order: Literal["together", "as_in_combat"] = setting(
        "together", "In Slow Burn, all PCs gain slots together, or in Cycle order as in combat", "Q-A18"
    )
    slot_floor: Literal[0, 1] = setting(0, "Minimum number of slots a PC gains", "Q-A6")
    awareness_die: str = setting("d20", "Die for the Awareness check (the sheet's number is added)", "Q-A1")
    places_per_slot: int = setting(2, "Places you can move per slot (the text gives no price)", "Q-A21", least=1)
    reserved_moves: Literal["yes", "no"] = setting("yes", "Reserved Slots can pay for moving", "Q-A21")
    dice: DiceMode = dice_field("Q-A1")


SETTINGS = describe_settings(SlotsSettings)


def settings_of(state: FightState) -> SlotsSettings:
    """The settings of a fight."""
    return read_settings(SlotsSettings, state.settings)


_WORDS = Words(
    title="Active Phase Encounters",
    round="Full Round",
    phases={
        "awareness": "Awareness",
        "ordering": "Order",
        "initialization": "Initialization",
        "active": "Active Phase",
        "final": "Final Phase",
        "close": "Hesitation",
        "upkeep": "Upkeep",
        "slow_burn": "Slow Burn",
    },
    sides={"party": "Party", "foe": "Foes"},
    pools={"slots": "slots", "reserved": "reserve", "hp": "HP"},
    ticks={
        "upkeep": "Upkeep",
        "round_end": "Upkeep",
        "active_start": "start of {who}'s Active Phase",
        "active_end": "end of {who}'s Active Phase",
        "never": "until ended",
    },
)


def words_of(settings: Mapping[str, Scalar]) -> Words:
    """The terms of Active Phase Encounters."""
    return _WORDS


# Records of combatants, of the encounter and of open questions, beside pools and effects


PC, NPC = "pc", "npc"
WAITING: Final = "waiting"
ACTIVE: Final = "active"
DONE: Final = "done"
"""The Active Phase of a PC in this round: to come, running, or over."""
CLOSE, SPEND = "close", "spend"
"""The GM's answers to the last call for reserves: close the round, or spend some first (AP-26)."""
ALL_RESOLVE, SLOW_BURN = "all_resolve", "slow_burn"
"""The printed ways to wind down (AP-47, AP-48)."""


@frozen
class Work:
    """An action of several rounds in progress (AP-34).

    Attributes:
        needed: its price in slots, or in Full Rounds for an NPC (AP-05).
        begun_in: the Full Round in which it was begun.
        paid_in: the Full Round of the last instalment, or 0.
        roll: its sealed roll (AP-37), or None.
        breakable: whether it can be interrupted (AP-39); None if the GM decides.
        target: the target of its effect, or empty.
        damage: the damage of a hit, a number or dice; None for its ability's.
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
    """What a combatant's last act has done, to be taken back if the act is interrupted (AP-29).

    Attributes:
        felled: whether it put the target down.
        work: the target's action of several rounds before the act.
    """

    target: str
    act: str
    amount: int = 0
    felled: bool = False
    work: Work | None = None


@frozen
class Fighter:
    """The record of a combatant.

    Attributes:
        kind: ``pc`` or ``npc`` (AP-04).
        agility: the present modifier (AP-12).
        awareness: the result of the check (AP-01), or None.
        place: the place in the Cycle, from 1; 0 without one (AP-02).
        home: the place as it was locked, to which a Stay for one round returns (Q-A3).
        from_round: the first Full Round of a newcomer (Q-A26).
        stay: the combatant after whose band the PC starts (AP-06), or empty.
        stay_number: Stays are applied in the order of their numbers.
        stay_together: whether the PC starts with that band, by the GM's word.
        ap: the Active Phase of this round: ``waiting``, ``active`` or ``done``.
        keep_place: whether the place is kept although the PC cannot act (Q-A7).
        doing: the current or last act, while it can be interrupted; else empty.
        spent: slots spent on that act, which an interruption loses (AP-29).
        undecided: whether the GM decides if it can be interrupted, as it completed an action of several rounds (AP-39).
        interjects: whether that was paid with Reserved Slots.
        done_in: the phase in which it was done, if that is over; else empty.
        combo_of: the PC whose Combo it finishes, or empty.
        last_harm: what it has done to its target, or None.
        interrupted: whether an NPC's act has been interrupted.
        acted_round: the Full Round of an NPC's last act (AP-05).
        last_act: the name of that act.
        work: the action of several rounds in progress, or None.
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
    spent: int = 0
    undecided: bool = False
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
    """What an act does to its target if it hits.

    Attributes:
        damage: a number or dice, or None.
        finisher: ``execution`` or ``knockout`` of a Vulnerable target (AP-30), or empty.
        stops: the target's act that it interrupts, by `rule`, or empty.
        stops_work: whether that is an action of several rounds.
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
class PulseDice:
    """The dice of damage or healing over time, rolled at each Upkeep (AP-45); empty if the magnitude is the amount."""

    dice: str = ""


@frozen
class Problem:
    """A problem that the PCs work on together in Slow Burn (AP-49, AP-50).

    Attributes:
        needed: slots it takes; None if only the GM knows.
    """

    name: str
    needed: int | None = None
    done: int = 0

    @property
    def still_needed(self) -> int | None:
        """AP-50: slots it still needs; None if only the GM knows."""
        return None if self.needed is None else max(0, self.needed - self.done)

    @property
    def progress(self) -> str:
        """The progress in words: ``the dam 3/20``."""
        return f"{self.name} {self.done}/{self.needed}" if self.needed is not None else self.name


@frozen
class ZoneMark:
    """A mark on one place of the board, such as fire; a place has one mark of each name.

    Attributes:
        zone: the name of the place on the board.
        price: slots to enter it, beside those for the movement.
        kind: ``damage`` or ``heal`` at Upkeep on a combatant who stands there, or empty.
        amount: points at each Upkeep, a number or dice.
        left: Upkeeps left; None without a limit.
    """

    name: str
    zone: str
    price: int
    kind: str
    amount: int | str
    left: int | None

    @property
    def summary(self) -> str:
        """The mark in words: ``burning: 2 slots to enter, 3 harm at Upkeep``."""
        parts = [f"{self.price} {'slot' if self.price == 1 else 'slots'} to enter"] if self.price else []
        if self.kind:
            parts.append(f"{self.amount} {'damage' if self.kind == 'damage' else 'healing'} at Upkeep")
        parts += [f"{self.left} left"] if self.left is not None else []
        return f"{self.name}: {', '.join(parts)}" if parts else self.name


@frozen
class Encounter:
    """The record of the encounter.

    Attributes:
        locked: whether the Cycle is locked (AP-07).
        last_call: the GM's answer before the round closes: ``close``, or ``spend`` for reserves first; else empty.
        closer: the PC whose Active Phase was the last to end in this round, which closes it (AP-26); else empty.
        until: how far the GM goes on without further questions: to the end of the round (``close``), or through its
            Upkeep (``upkeep``); else empty.
        upkeep: the part of Upkeep that was done last (`upkeep.parts`); empty outside it.
        outside: what else this Upkeep resolves (AP-43), if the GM has said so beforehand.
        seen: the ids of the effects that this Upkeep has asked about.
        waived: the ids of those that the GM has waived.
        threats: ``over`` once no threat is left (AP-46).
        outro: how the encounter ends: ``all_resolve``, ``slow_burn`` or the GM's words; else empty.
        problems: the unsolved problems of Slow Burn by key, a number, in the order in which they came up.
        marks: the marks of zones by key, a number, in the order in which they came.
    """

    locked: bool = False
    last_call: Literal["", "close", "spend"] = ""
    closer: str = ""
    until: Literal["", "close", "upkeep"] = ""
    upkeep: Literal["", "outside", "items", "net", "damage", "heal", "countdown"] = ""
    outside: str = ""
    seen: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()
    threats: Literal["", "over"] = ""
    outro: str = ""
    problems: Mapping[str, Problem] = field(default_factory=dict)
    marks: Mapping[str, ZoneMark] = field(default_factory=dict)


fighter_of = record_reader(Fighter)
"""The record of a combatant."""


def encounter_of(state: FightState) -> Encounter:
    """The record of the encounter."""
    return fight_record_of(state, Encounter)


BASE_SLOTS = 5
ROUND_SECONDS = 5
ROUND_PHASES = ("active", "final", "slow_burn")
OF_AN_ACT = ("reserved", "interrupt", "shared", "range")
"""The kinds of questions on which an act waits before it is paid."""

FINAL_MULTIPLIER = 4


PARTY, FOE = "party", "foe"
SIDES = (PARTY, FOE)
SLOTS, RESERVED = "slots", "reserved"
AWARENESS, ORDERING, INITIALIZATION = "awareness", "ordering", "initialization"
DAMAGE, HEAL, SLOT_MOD = "damage", "heal", "slots"
EFFECT_KINDS = (DAMAGE, HEAL, SLOT_MOD, "buff", "debuff", "other")
UPKEEP_TICK, NEVER = "upkeep", "never"
PHASE_START, PHASE_END = "active_start", "active_end"
CLOCKS: Mapping[str, Mapping[str, str]] = {
    "round": {"end": "round_end"},
    "own": {"start": PHASE_START, "end": PHASE_END},
}
"""AP-44 counts down at Upkeep; an effect's own wording may count by the Active Phases of a PC."""


# Entries of records


def free_key(entries: Mapping[str, object]) -> str:
    """The lowest number, from 1, that is not a key of the mapping."""
    return next(key for key in map(str, range(1, len(entries) + 2)) if key not in entries)


# PCs and NPCs


def is_pc(combatant: Combatant) -> bool:
    """AP-04: whether a combatant is a PC; only PCs are in the Cycle and have slots."""
    return fighter_of(combatant).kind == PC


def keeps_time(state: FightState, combatant_id: str) -> bool:
    """Whether a combatant has Active Phases to count by: a PC who can act, or has acted in this round."""
    combatant = state.combatants[combatant_id]
    return is_pc(combatant) and (combatant.able or fighter_of(combatant).ap != WAITING)


def has_passed(state: FightState, combatant: Combatant, moment: str) -> bool:
    """Whether the beginning or the end of a PC's Active Phase has been in this round."""
    past = (DONE,) if moment == PHASE_END else (ACTIVE, DONE)
    return fighter_of(combatant).ap in past


def pcs(state: FightState) -> tuple[Combatant, ...]:
    """The PCs, in roster order."""
    return _of_kind(state.roster, PC)


def npcs(state: FightState) -> tuple[Combatant, ...]:
    """The NPCs, in roster order."""
    return _of_kind(state.roster, NPC)


@remembered
def _of_kind(roster: tuple[Combatant, ...], kind: str) -> tuple[Combatant, ...]:
    return tuple(combatant for combatant in roster if fighter_of(combatant).kind == kind)


def is_active(combatant: Combatant) -> bool:
    """Whether it is the combatant's Active Phase."""
    fighter = fighter_of(combatant)
    return fighter.ap == ACTIVE and fighter.kind == PC


def is_in_round(state: FightState, combatant: Combatant) -> bool:
    """Whether a PC has an Active Phase in this round: able or with its place kept (Q-A7), and not too new (Q-A26)."""
    fighter = fighter_of(combatant)
    is_here = combatant.able or fighter.keep_place
    return fighter.kind == PC and is_here and fighter.place > 0 and fighter.from_round <= state.round


def awaits_phase(state: FightState, combatant: Combatant) -> bool:
    """Whether a PC's Active Phase of this round is still to come."""
    return fighter_of(combatant).ap == WAITING and is_in_round(state, combatant)


@remembered
def actives(state: FightState) -> tuple[Combatant, ...]:
    """The PCs in their Active Phase."""
    return tuple(combatant for combatant in pcs(state) if is_active(combatant))


def holders(state: FightState) -> tuple[Combatant, ...]:
    """The PCs with Reserved Slots."""
    return tuple(combatant for combatant in pcs(state) if combatant.pool(RESERVED).now > 0)


UNASKED = "the round is over"
"""The note on an offer that lapses unanswered, such as the question whether an NPC still acts."""


def idle_npcs(state: FightState) -> tuple[Combatant, ...]:
    """AP-05: the able NPCs who have not acted in this round."""
    return tuple(other for other in npcs(state) if other.able and fighter_of(other).acted_round < state.round)


# Slots


def slot_mods(sheet: Mapping[str, Json]) -> dict[str, int]:
    """AP-13: the sheet's permanent changes of slots, by source; timed ones are effects."""
    modifiers: dict[str, int] = {}
    for entry in cast(list[Mapping[str, Json]], sheet.get("slot_mods") or []):
        if entry.get("rounds") is not None:
            continue
        modifiers[str(entry["source"])] = modifiers.get(str(entry["source"]), 0) + int(cast(int, entry["amount"]))
    return modifiers


def modifiers(combatant: Combatant) -> dict[str, int]:
    """AP-13: all changes of the slots a PC gains, by source."""
    mods = slot_mods(combatant.sheet)
    for effect in combatant.effects:
        if effect.kind == SLOT_MOD:
            mods[effect.name] = mods.get(effect.name, 0) + effect.magnitude
    return mods


def slots_per_round(combatant: Combatant, settings: SlotsSettings) -> int:
    """AP-12, AP-13: slots gained each round: 5 + Agility + modifiers, at least the floor (Q-A6)."""
    return max(settings.slot_floor, BASE_SLOTS + fighter_of(combatant).agility + sum(modifiers(combatant).values()))


# Phases


def is_final(state: FightState) -> bool:
    """Whether it is the Final Phase (AP-22)."""
    return state.phase == "final"


def is_slow_burn(state: FightState) -> bool:
    """Whether Slow Burn has been chosen (AP-48)."""
    return encounter_of(state).outro == SLOW_BURN


def are_threats_over(state: FightState) -> bool:
    """Whether the GM has said that no threat is left (AP-46)."""
    return encounter_of(state).threats == OVER


# Checks of all acts


def pc_check(combatant: Combatant) -> Check:
    """AP-04: only PCs have Active Phases."""
    return Check(is_pc(combatant), "AP-04", f"{combatant.name} isn't a PC and has no slots", ("npc",))


def pc_checks(combatant: Combatant) -> tuple[Check, ...]:
    """AP-04, AP-16: only an able PC spends slots."""
    return (pc_check(combatant), Check(combatant.able, "AP-16", f"{combatant.name} can't act", ("an able PC",)))


def settled_check(state: FightState) -> Check:
    """The check that no question about the previous act is open."""
    pending = next((prompt for prompt in state.prompts if prompt.kind in OF_AN_ACT), None)
    if pending is None:
        return Check(True, "", "")
    answers = answers_to(pending)
    return Check(False, pending.rule, f"answer first: {pending.question}", answers, is_turn=True)


def phase_check(combatant: Combatant, rule: str) -> Check:
    """AP-14: the check that it is the PC's Active Phase."""
    slots_in_reserve = combatant.pool(RESERVED).now
    if fighter_of(combatant).ap == DONE:
        reserve = f"; {slots_in_reserve} in reserve" if slots_in_reserve else ""
        why = f"{combatant.name}'s Active Phase is over{reserve}"
        accepts = ("react",) if slots_in_reserve else ("the next Full Round",)
    else:
        why = f"{combatant.name}'s Active Phase hasn't started"
        accepts = ("its own Active Phase",)
    return Check(is_active(combatant), rule, why, accepts, is_turn=True)


def active_checks(state: FightState, combatant: Combatant, rule: str = "AP-14") -> tuple[Check, ...]:
    """The check for an able PC in its Active Phase."""
    return (*pc_checks(combatant), phase_check(combatant, rule), settled_check(state))


def end_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-17: the checks for ending an Active Phase. Q-A7: also that of a PC who is down but has kept its place."""
    return (pc_check(combatant), phase_check(combatant, "AP-17"), settled_check(state))


# Abilities


@frozen
class Ability:
    """An ability on the sheet, or an act with a price that the GM has typed.

    Attributes:
        listed: whether it is on the sheet; if not, the GM is asked what its text would say.
        typed: whether the GM has typed its price, which then counts at any time, times four in the Final Phase.
    """

    name: str
    cost: int
    cost_reserved: int | None = None
    cost_final: int | None = None
    reserved_ok: bool = False
    init_only: bool = False
    interrupts: tuple[str, ...] = ()
    multi_round: bool = False
    interruptible: bool | None = None
    roll: str = ""
    partners: int = 0
    partner_cost: int = 1
    range: int | None = None
    finisher: str = ""
    damage: int | str | None = None
    listed: bool = False
    typed: bool = False

    @property
    def from_reserve(self) -> bool:
        """AP-20: whether its text clearly allows Reserved Slots, by saying so or by stating their price."""
        return self.reserved_ok or self.cost_reserved is not None

    @property
    def can_harm(self) -> bool:
        """AP-30: whether its text says what it does to a target."""
        return self.damage is not None or bool(self.finisher)

    @property
    def is_usable_from_reserve(self) -> bool:
        """AP-08, AP-20, AP-33: whether one PC alone can pay for it with Reserved Slots in a Full Round."""
        return self.from_reserve and not self.init_only and not self.partners


@remembered_of(1024)
def abilities(combatant: Combatant) -> tuple[Ability, ...]:
    """The abilities on the sheet."""
    return tuple(_ability(entry) for entry in sheet_entries(combatant, "abilities"))


def _ability(entry: Mapping[str, Json]) -> Ability:
    combo = cast(Mapping[str, Json], entry.get("combo") or {})
    interrupts = tuple(cast(list[str], entry.get("interrupts") or []))
    values = {**entry, **combo, "interrupts": interrupts, "listed": True}
    return Ability(**cast(Any, {name: value for name, value in values.items() if name in field_names(Ability)}))


def find_ability(combatant: Combatant, name: str) -> Ability | None:
    """The ability with this name on the sheet, in any case, or None."""
    return next((entry for entry in abilities(combatant) if entry.name.lower() == name.strip().lower()), None)


def describe_act(combatant: Combatant | None, act: str, target_name: str) -> str:
    """An act and its target in words. The GM's own words may be any sentence: ``cuts a rope, target Orc``."""
    is_listed = combatant is not None and find_ability(combatant, act) is not None
    return f"{act}{' at ' if is_listed else ', target '}{target_name}" if target_name else act


def ability_for(combatant: Combatant, name: str, cost: int | None) -> Ability:
    """The ability on the sheet, or an act that is not on it, with the price that the GM has typed.

    A typed price replaces those of the sheet; whether Reserved Slots may pay (AP-20) does not change.

    Raises:
        Refused: there is no such ability, and no price.
    """
    if cost is not None and cost < 0:
        raise Refused("AP-21", f"{cost} slots", ("0 or more",), final=True)
    ability = find_ability(combatant, name)
    if ability is not None and cost is None:
        return ability
    if cost is None:
        names = tuple(entry.name for entry in abilities(combatant))
        what = f"{combatant.name} has no ability {name!r}" if name else "choose an ability"
        raise Refused("AP-21", what, (*names, "any name, with a cost"), final=True)
    if ability is not None:
        is_from_reserve = ability.from_reserve
        return replace(ability, cost=cost, cost_reserved=None, cost_final=None, reserved_ok=is_from_reserve, typed=True)
    return Ability(name.strip() or "an action", cost, typed=True)


# Prices of acts, by phase and pool (AP-21, AP-23, AP-24; rules digest, section 2.5)


ACTIVE_TIME, RESERVED_TIME, FINAL_TIME = "active", "reserved", "final"


def is_quadrupled(state: FightState, pool: str, phase: str = "") -> bool:
    """Whether acts paid from a pool cost four times as much (AP-23; Q-A2), in `phase` or in the running one."""
    if (phase or state.phase) != "final":
        return False
    return pool == RESERVED or settings_of(state).final_scope == "everyone"


@frozen
class Price:
    """A price in slots.

    Attributes:
        base: the price before it is multiplied for the Final Phase.
        time: the price column: ``active``, ``reserved`` or ``final``.
        pool: what pays: ``slots`` or ``reserved``.
        stated: whether the ability states its own Final price, which is not multiplied (Q-A11).
    """

    total: int
    base: int
    time: str
    pool: str
    stated: bool = False


def price_of(state: FightState, ability: Ability, pool: str, phase: str = "") -> Price:
    """The price of an ability paid from a pool, in `phase` or in the running one."""
    reserved_cost = ability.cost_reserved if ability.cost_reserved is not None else ability.cost
    base = reserved_cost if pool == RESERVED else ability.cost
    time = RESERVED_TIME if pool == RESERVED else ACTIVE_TIME
    if not is_quadrupled(state, pool, phase):
        return Price(base, base, time, pool)
    if ability.cost_final is not None:
        return Price(ability.cost_final, base, FINAL_TIME, pool, stated=True)
    if settings_of(state).final_base == "active_price":
        base = ability.cost
    return Price(FINAL_MULTIPLIER * base, base, FINAL_TIME, pool)


def price_of_slots(state: FightState, slots: int, pool: str) -> Price:
    """The price of an act with one price for all phases (Q-A29: times four in the Final Phase)."""
    return price_of(state, Ability("", slots), pool)


def affordable_check(combatant: Combatant, price: Price, rule: str = "") -> Check:
    """AP-16, AP-21, AP-23: the check that a combatant has the slots for a price."""
    slots_left = combatant.pool(price.pool).now
    what = "in reserve" if price.pool == RESERVED else "left"
    final = price.time == FINAL_TIME
    sum_note = f" ({FINAL_MULTIPLIER} x {price.base} in the Final Phase)" if final and not price.stated else ""
    default_rule = "AP-23" if final else "AP-21" if price.pool == RESERVED else "AP-16"
    short = f"costs {price.total}{sum_note}; {combatant.name} has {slots_left} {what}"
    return Check(price.total <= slots_left, rule or default_rule, short, (f"at most {slots_left} slots",))


def next_pool(combatant: Combatant) -> str:
    """The pool for a PC's next act: the reserve once its Active Phase is over, else Action Slots."""
    return RESERVED if fighter_of(combatant).ap == DONE else SLOTS


def pool_of(combatant: Combatant) -> str:
    """The pool that a PC pays from now: Action Slots in its Active Phase, else the reserve."""
    return SLOTS if is_active(combatant) else RESERVED
