"""Reading a combatant and the fight: kinds, slots, abilities, actions in progress. Pure questions about a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.prompts import answers_to
from fightcall_engine.kit.records import fight_record_of, record_of
from fightcall_engine.model.state import Combatant, FightState, Json, Pool
from fightcall_engine.systems.slots.records import (
    ACTIVE,
    DONE,
    OVER,
    PC,
    SLOW_BURN,
    WAITING,
    Encounter,
    Fighter,
)
from fightcall_engine.systems.slots.settings import SlotsSettings

PARTY, FOE = "party", "foe"
SIDES = (PARTY, FOE)
SLOTS, RESERVED = "slots", "reserved"
BASE_SLOTS = 5
ROUND_SECONDS = 5
ROUND_PHASES = ("active", "final", "slow_burn")
DAMAGE, HEAL, SLOT_MOD = "damage", "heal", "slots"
EFFECT_KINDS = (DAMAGE, HEAL, SLOT_MOD, "buff", "debuff", "other")
OF_AN_ACT = ("reserved", "interrupt", "shared", "range")
"""The questions on which an act waits that is not paid yet."""
UPKEEP_TICK, NEVER = "upkeep", "never"
PHASE_START, PHASE_END = "active_start", "active_end"
CLOCKS: Mapping[str, Mapping[str, str]] = {
    "round": {"end": "round_end"},
    "own": {"start": PHASE_START, "end": PHASE_END},
}
"""AP-44 counts at Upkeep; an Effect's own wording may count by the Active Phases of a PC."""


# What is remembered


def fighter(combatant: Combatant) -> Fighter:
    """What is remembered of a combatant."""
    return record_of(combatant, Fighter)


def encounter(state: FightState) -> Encounter:
    """What is remembered of the encounter."""
    return fight_record_of(state, Encounter)


def free_key(entries: Mapping[str, object]) -> str:
    """The first number that no entry of a mapping has."""
    return next(key for key in map(str, range(1, len(entries) + 2)) if key not in entries)


# Who


def is_pc(combatant: Combatant) -> bool:
    """AP-04: only PCs stand in the Cycle and have slots."""
    return fighter(combatant).kind == PC


def keeps_time(state: FightState, combatant_id: str) -> bool:
    """True for a PC who can act, and in this round for one who has: it has Active Phases."""
    combatant = state.combatants[combatant_id]
    return is_pc(combatant) and (combatant.able or fighter(combatant).ap != WAITING)


def pcs(state: FightState) -> tuple[Combatant, ...]:
    """The PCs, in the order of the roster."""
    return tuple(combatant for combatant in state.roster if is_pc(combatant))


def npcs(state: FightState) -> tuple[Combatant, ...]:
    """Everybody else."""
    return tuple(combatant for combatant in state.roster if not is_pc(combatant))


def is_active(combatant: Combatant) -> bool:
    """True in one's own Active Phase."""
    return is_pc(combatant) and fighter(combatant).ap == ACTIVE


def is_in_round(state: FightState, combatant: Combatant) -> bool:
    """True where a PC has an Active Phase in this round: able, or its place is kept (Q-A7); newcomers later (Q-A26)."""
    here = combatant.able or fighter(combatant).keep_place
    return is_pc(combatant) and here and fighter(combatant).place > 0 and fighter(combatant).from_round <= state.round


def awaits_phase(state: FightState, combatant: Combatant) -> bool:
    """True for a PC whose Active Phase of this round is still to come."""
    return is_in_round(state, combatant) and fighter(combatant).ap == WAITING


def actives(state: FightState) -> tuple[Combatant, ...]:
    """The PCs whose Active Phase it is."""
    return tuple(combatant for combatant in pcs(state) if is_active(combatant))


def holders(state: FightState) -> tuple[Combatant, ...]:
    """The PCs with Reserved Slots."""
    return tuple(combatant for combatant in pcs(state) if combatant.pool(RESERVED).now > 0)


UNASKED = "the round is over"
"""Why an offer lapses, such as the question whether an NPC still acts."""


def idle_npcs(state: FightState) -> tuple[Combatant, ...]:
    """AP-05: who outside the Cycle is able, and has not acted in this round yet."""
    return tuple(other for other in npcs(state) if other.able and fighter(other).acted_round < state.round)


# Slots


def slot_mods(sheet: Mapping[str, Json]) -> dict[str, int]:
    """AP-13: what the sheet adds to the slots for good, by source; what has its time is an effect."""
    modifiers: dict[str, int] = {}
    for entry in cast(list[Mapping[str, Json]], sheet.get("slot_mods") or []):
        if entry.get("rounds") is not None:
            continue
        modifiers[str(entry["source"])] = modifiers.get(str(entry["source"]), 0) + int(cast(int, entry["amount"]))
    return modifiers


def modifiers(combatant: Combatant) -> dict[str, int]:
    """AP-13: everything that changes the slots a PC gains, gear and effects, by source."""
    mods = slot_mods(combatant.sheet)
    for effect in combatant.effects:
        if effect.kind == SLOT_MOD:
            mods[effect.name] = mods.get(effect.name, 0) + effect.magnitude
    return mods


def slots_per_round(combatant: Combatant, settings: SlotsSettings) -> int:
    """AP-12, AP-13: 5 and Agility and every modifier, never below the floor (Q-A6)."""
    return max(settings.slot_floor, BASE_SLOTS + fighter(combatant).agility + sum(modifiers(combatant).values()))


def slots(combatant: Combatant) -> Pool:
    """Action Slots."""
    return combatant.pool(SLOTS)


def reserve(combatant: Combatant) -> Pool:
    """Reserved Slots."""
    return combatant.pool(RESERVED)


# Phases


def is_phase(state: FightState, *phases: str) -> bool:
    """True while one of these phases runs."""
    return state.phase in phases


def is_final(state: FightState) -> bool:
    """True during the Final Phase (AP-22)."""
    return state.phase == "final"


def is_vulnerable(combatant: Combatant) -> bool:
    """AP-30: True for whom Executions and Knockouts are meant; the GM says who that is."""
    return fighter(combatant).vulnerable


def has_harmed(combatant: Combatant, target_id: str) -> bool:
    """True where somebody's last act has harmed this target."""
    harm = fighter(combatant).last_harm
    return harm is not None and harm.target == target_id


def is_slow_burn(state: FightState) -> bool:
    """True once Slow Burn has been chosen (AP-48)."""
    return encounter(state).outro == SLOW_BURN


def are_threats_over(state: FightState) -> bool:
    """True once the GM has said that no threat is left (AP-46)."""
    return encounter(state).threats == OVER


def is_locked(state: FightState) -> bool:
    """True once the Cycle is locked (AP-07)."""
    return encounter(state).locked


# What stands in the way of acting at all


def pc_check(combatant: Combatant) -> Check:
    """AP-04: only PCs have Active Phases."""
    return Check(is_pc(combatant), "AP-04", f"{combatant.name} is no PC and has no slots", ("npc",))


def pc_checks(combatant: Combatant) -> tuple[Check, ...]:
    """Only an able PC spends slots."""
    return (pc_check(combatant), Check(combatant.able, "AP-16", f"{combatant.name} cannot act", ("an able PC",)))


def settled_check(state: FightState) -> Check:
    """One act after the other: what the GM has still to say of the last one comes first."""
    pending = next((prompt for prompt in state.prompts if prompt.kind in OF_AN_ACT), None)
    if pending is None:
        return Check(True, "", "")
    answers = answers_to(pending)
    return Check(False, pending.rule, f"answer first: {pending.question}", answers)


def phase_check(combatant: Combatant, rule: str) -> Check:
    """AP-14: a PC's own Active Phase runs."""
    slots_in_reserve = reserve(combatant).now
    if fighter(combatant).ap == DONE:
        why = f"{combatant.name}'s Active Phase is over" + (
            f"; {slots_in_reserve} in reserve" if slots_in_reserve else ""
        )
        accepts = ("react",) if slots_in_reserve else ("the next Full Round",)
    else:
        why = f"{combatant.name}'s Active Phase has not begun"
        accepts = ("its own Active Phase",)
    return Check(is_active(combatant), rule, why, accepts)


def active_checks(state: FightState, combatant: Combatant, rule: str = "AP-14") -> tuple[Check, ...]:
    """An able PC in its own Active Phase."""
    return (*pc_checks(combatant), phase_check(combatant, rule), settled_check(state))


def end_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-17: one's own Active Phase must run. Q-A7: who has fallen, and kept the place, can be passed by too."""
    return (pc_check(combatant), phase_check(combatant, "AP-17"), settled_check(state))
