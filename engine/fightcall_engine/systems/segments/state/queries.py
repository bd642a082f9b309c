"""Read-only queries on a combatant and the fight: time, order, ability to act; and helpers that change records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import get_args

from fightcall_engine.kit.checks import Check
from fightcall_engine.model.events import Events, FactChanged, TraitsChanged, TraitsReset
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Step
from fightcall_engine.systems.segments.rules.movement import Scale
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.records import battle_of, fighter_of
from fightcall_engine.systems.segments.state.settings import settings_of

PARTY, FOE, OTHER = "party", "foe", "other"

SIDES = (PARTY, FOE, OTHER)

INITIATIVE, IMPACTS, DECLARE, WAITS, PULSE, RESOLVE, CLOSE = (
    "initiative",
    "impacts",
    "declare",
    "waits",
    "pulse",
    "resolve",
    "close",
)
"""The kinds of steps. `WAITS` is the last chance to declare for those who wait, before Resolution."""

MOVEMENT = "movement"

PHASE_OF: Mapping[str, str] = {
    INITIATIVE: INITIATIVE,
    IMPACTS: IMPACTS,
    DECLARE: DECLARE,
    WAITS: DECLARE,
    PULSE: MOVEMENT,
    RESOLVE: RESOLVE,
    CLOSE: CLOSE,
}

HP, SLOTS, END, CND, BP = "hp", "slots", "end", "cnd", "hp"

CS_END = "cs_end"

CLOCKS: Mapping[str, Mapping[str, str]] = {"round": {"end": CS_END, "start": "cs_start"}}

STANDING, KNEELING, PRONE = "standing", "kneeling", "prone"

POSTURES = (STANDING, KNEELING, PRONE)

UP, UNCONSCIOUS, COLLAPSED, DEAD = "up", "unconscious", "collapsed", "dead"

LIVES = (UP, UNCONSCIOUS, COLLAPSED, DEAD)

NONE, READY, CHECKED, OVERWHELMED, WANING = "none", "ready", "checked", "overwhelmed", "waning"
"""The degrees of Surprise; `WANING` is the second stage after being overwhelmed (CS-068)."""

# Changing records


def set_fact(state: FightState, name: str, value: Json) -> Events:
    """The event that sets a field of the fight's record (`Battle`); none without a change."""
    before = state.remembered[name]
    return () if before == value else (FactChanged(fact=name, before=before, value=value),)


def set_traits(combatant: Combatant, **traits: Json) -> Events:
    """The event that sets fields of a combatant's record; none without a change."""
    before = combatant.remembered
    new = {name: value for name, value in traits.items() if before[name] != value}
    return (TraitsChanged(who=combatant.id, traits=new),) if new else ()


def reset_trait(people: Iterable[Combatant], name: str, value: Json) -> Events:
    """The event that sets one field for all who have another value."""
    stale = tuple(combatant.id for combatant in people if combatant.remembered[name] != value)
    return (TraitsReset(figures=stale, trait=name, value=value),) if stale else ()


# Time


MAX_RATE = 20
"""The highest Rate of Action that is accepted."""


def rate_of_action(combatant: Combatant) -> Fraction:
    """Actions per segment: the sheet's, or as changed since (CS-007, CS-110)."""
    rate_by_gm = fighter_of(combatant).roa_ruled
    rate = profile_of(combatant).roa if rate_by_gm is None else rate_by_gm
    # A rate set by hand may be any number; `slots` handles combatants who never act.
    return rate if rate is not None and 0 < rate <= MAX_RATE else Fraction(1)


def own_segment(state: FightState, combatant: Combatant) -> int:
    """The segment counted from the beginning of the combatant's contest, from 1 (CS-007)."""
    first_round = fighter_of(combatant).arrived or state.round or 1
    return max(1, state.round - first_round + 1)


def actions_owed(combatant: Combatant) -> int:
    """Actions owed in this segment."""
    return combatant.pool(SLOTS).max


def slots_left(combatant: Combatant) -> int:
    """Actions of this segment that are neither used nor lost."""
    return combatant.pool(SLOTS).now


def pass_number(state: FightState) -> int:
    """The running pass, from 1; under ``countdown`` it counts down; 0 outside passes."""
    return battle_of(state).pass_number


COUNTDOWN, PLAIN = "countdown", "plain_passes"
"""Readings of the order of Actions: by the number of Actions left, or by Initiative alone (A-01)."""


def order_reading(state: FightState) -> str:
    """The reading of the order in the running segment (A-01)."""
    return battle_of(state).order_reading or settings_of(state).multi_action_order


def own_pass(state: FightState, combatant: Combatant, number: int) -> int:
    """Which of a combatant's Actions falls in a pass; under ``countdown`` passes run from the most Actions down."""
    if order_reading(state) == COUNTDOWN:
        return actions_owed(combatant) - number + 1
    return number


def has_slot(state: FightState, combatant: Combatant, number: int) -> bool:
    """Whether the combatant's Action of this pass is still there (CS-095, CS-053)."""
    own_number = own_pass(state, combatant, number)
    return 1 <= own_number <= actions_owed(combatant) and actions_owed(combatant) - slots_left(combatant) < own_number


def has_slot_to_come(state: FightState, combatant: Combatant) -> bool:
    """Whether the combatant's pass is still to come under ``countdown``; with Pulses it declares before those (4.2)."""
    number = pass_number(state)
    return number > 0 and own_pass(state, combatant, number) < 1 and slots_left(combatant) > 0


def kind_of(state: FightState) -> str:
    """The kind of the running step; empty between segments."""
    return state.step.kind if state.step is not None else ""


def step_pass(step: Step) -> int:
    """The pass of a step; 0 for none, as for Pulses, whose numbers are their own."""
    return step.number if step.kind != PULSE else 0


def turn_last(*checks: Check) -> tuple[Check, ...]:
    """Checks with those on whose turn it is last, so that a refusal names the reason nearest to what was asked."""
    return tuple(sorted(checks, key=lambda check: check.is_turn))


# People


def all_able(state: FightState) -> tuple[Combatant, ...]:
    """All who can act, in roster order."""
    return tuple(combatant for combatant in state.roster if combatant.able)


def fallen_foes(state: FightState, combatant: Combatant) -> tuple[Combatant, ...]:
    """Foes who are down and alive, in roster order: they can still be struck (A-15)."""
    return tuple(other for other in state.roster if is_fallen(other) and state.are_foes(combatant.id, other.id))


def is_fallen(combatant: Combatant) -> bool:
    """Whether a combatant is down and alive."""
    return not combatant.able and fighter_of(combatant).life != DEAD


def actor_of(state: FightState) -> Combatant | None:
    """The combatant whose step is running."""
    step = state.step
    return state.combatants.get(step.actor) if step is not None and step.actor else None


def initiative_of(combatant: Combatant) -> int | None:
    """Initiative in this segment, or None."""
    return fighter_of(combatant).init


def without_initiative(state: FightState) -> tuple[Combatant, ...]:
    """Those who have yet to roll Initiative (CS-020)."""
    return tuple(combatant for combatant in all_able(state) if initiative_of(combatant) is None)


def waiters(state: FightState) -> tuple[Combatant, ...]:
    """Those who wait and may still declare (CS-160, CS-161)."""
    return tuple(combatant for combatant in all_able(state) if fighter_of(combatant).waiting)


# Effects


def stuns_of(combatant: Combatant) -> tuple[Effect, ...]:
    """The effects of pain, each with its own decay (CS-618)."""
    return tuple(effect for effect in combatant.effects if effect.kind == "stun")


def set_simultaneous(state: FightState, groups: Iterable[tuple[str, ...]]) -> Events:
    """The event that sets the groups that act at the same instant (CS-026)."""
    return set_fact(state, "at_once", tuple(groups))


def can_act(combatant: Combatant) -> bool:
    """Whether the combatant can act, or is down but acts once more at the same instant (CS-026)."""
    return combatant.able or fighter_of(combatant).last_act


def able_check(combatant: Combatant, rule: str) -> Check:
    """The check that the combatant is not down."""
    return Check(can_act(combatant), rule, f"{combatant.name} is down", ("someone who isn't down",))


SCALES: tuple[Scale, ...] = get_args(Scale)

# The display


def scale_of(state: FightState) -> Scale:
    """The scale of the display: skirmishing is 25 mm for 5 ft (CS-680)."""
    return battle_of(state).scale
