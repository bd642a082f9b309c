"""Read-only queries on a combatant and the fight: kinds, slots, phases, and the checks that all acts share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.prompts import answers_to
from fightcall_engine.model.state import Combatant, FightState, Json, Pool
from fightcall_engine.systems.slots.records import (
    ACTIVE,
    DONE,
    OVER,
    PC,
    SLOW_BURN,
    WAITING,
    encounter_of,
    fighter_of,
)
from fightcall_engine.systems.slots.settings import SlotsSettings

PARTY, FOE = "party", "foe"
SIDES = (PARTY, FOE)
SLOTS, RESERVED = "slots", "reserved"
BASE_SLOTS = 5
ROUND_SECONDS = 5
AWARENESS, ORDERING, INITIALIZATION = "awareness", "ordering", "initialization"
ROUND_PHASES = ("active", "final", "slow_burn")
DAMAGE, HEAL, SLOT_MOD = "damage", "heal", "slots"
EFFECT_KINDS = (DAMAGE, HEAL, SLOT_MOD, "buff", "debuff", "other")
OF_AN_ACT = ("reserved", "interrupt", "shared", "range")
"""The kinds of questions on which an act waits before it is paid."""
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
    return tuple(combatant for combatant in state.roster if is_pc(combatant))


def npcs(state: FightState) -> tuple[Combatant, ...]:
    """The NPCs, in roster order."""
    return tuple(combatant for combatant in state.roster if not is_pc(combatant))


def is_active(combatant: Combatant) -> bool:
    """Whether it is the combatant's Active Phase."""
    return is_pc(combatant) and fighter_of(combatant).ap == ACTIVE


def is_in_round(state: FightState, combatant: Combatant) -> bool:
    """Whether a PC has an Active Phase in this round: able or with its place kept (Q-A7), and not too new (Q-A26)."""
    fighter = fighter_of(combatant)
    is_here = combatant.able or fighter.keep_place
    return is_pc(combatant) and is_here and fighter.place > 0 and fighter.from_round <= state.round


def awaits_phase(state: FightState, combatant: Combatant) -> bool:
    """Whether a PC's Active Phase of this round is still to come."""
    return is_in_round(state, combatant) and fighter_of(combatant).ap == WAITING


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


def slots(combatant: Combatant) -> Pool:
    """The pool of Action Slots."""
    return combatant.pool(SLOTS)


def reserve(combatant: Combatant) -> Pool:
    """The pool of Reserved Slots."""
    return combatant.pool(RESERVED)


# Phases


def is_phase(state: FightState, *phases: str) -> bool:
    """Whether one of these phases is running."""
    return state.phase in phases


def is_final(state: FightState) -> bool:
    """Whether it is the Final Phase (AP-22)."""
    return state.phase == "final"


def is_vulnerable(combatant: Combatant) -> bool:
    """AP-30: whether Executions and Knockouts work on a combatant, which is the GM's ruling."""
    return fighter_of(combatant).vulnerable


def has_harmed(combatant: Combatant, target_id: str) -> bool:
    """Whether a combatant's last act has harmed this target."""
    harm = fighter_of(combatant).last_harm
    return harm is not None and harm.target == target_id


def is_slow_burn(state: FightState) -> bool:
    """Whether Slow Burn has been chosen (AP-48)."""
    return encounter_of(state).outro == SLOW_BURN


def are_threats_over(state: FightState) -> bool:
    """Whether the GM has said that no threat is left (AP-46)."""
    return encounter_of(state).threats == OVER


def is_locked(state: FightState) -> bool:
    """Whether the Cycle is locked (AP-07)."""
    return encounter_of(state).locked


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
    slots_in_reserve = reserve(combatant).now
    if fighter_of(combatant).ap == DONE:
        why = f"{combatant.name}'s Active Phase is over" + (
            f"; {slots_in_reserve} in reserve" if slots_in_reserve else ""
        )
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
