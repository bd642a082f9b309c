"""The Active Phase Cycle: its bands, their order, Stay, and the steps of a round (AP-02..07, AP-22, Q-A3, Q-A7)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.events import AgendaChanged, TraitsReset
from fightcall_engine.model.state import Combatant, FightState, Step
from fightcall_engine.model.values import asked_once
from fightcall_engine.systems.slots import events, queries
from fightcall_engine.systems.slots.records import WAITING, fighter_of
from fightcall_engine.systems.slots.settings import settings_of

Bands = tuple[tuple[str, ...], ...]

BAND, CLOSE, UPKEEP, VOLUNTEER = "band", "close", "upkeep", "volunteer"


# Bands


@asked_once
def bands(state: FightState) -> Bands:
    """The ids of the PCs in the Cycle, by band, from first to last."""
    return _shared_places(state, lambda combatant: fighter_of(combatant).place)


def home_bands(state: FightState) -> Bands:
    """The bands as they were locked."""
    return _shared_places(state, lambda combatant: fighter_of(combatant).home)


def _shared_places(state: FightState, place_of: Callable[[Combatant], int]) -> Bands:
    in_order = sorted((combatant for combatant in queries.pcs(state) if place_of(combatant) > 0), key=place_of)
    return tuple(tuple(combatant.id for combatant in members) for _, members in groupby(in_order, key=place_of))


def bands_by_result(state: FightState) -> Bands:
    """AP-02, AP-03: the PCs from the highest result to the lowest; equal results share a band."""
    results = ((combatant.id, fighter_of(combatant).awareness) for combatant in queries.pcs(state))
    results_in_order = sorted(
        ((name, result) for name, result in results if result is not None), key=lambda pair: -pair[1]
    )
    return tuple(
        tuple(name for name, _ in members) for _, members in groupby(results_in_order, key=lambda pair: pair[1])
    )


def band_of(listed_bands: Bands, combatant_id: str) -> int:
    """The index of a PC's band, or -1."""
    return next((index for index, band in enumerate(listed_bands) if combatant_id in band), -1)


def band_names(state: FightState, band: Sequence[str]) -> str:
    """The names of a band, such as ``Ivo + Mara``."""
    return " + ".join(state.combatants[combatant_id].name for combatant_id in band if combatant_id in state.combatants)


def order_cycle(decision: Decision, new_bands: Bands, reason: str) -> None:
    """AP-02: list the Cycle in this order, and change the places that differ."""
    for place, band in enumerate(new_bands, 1):
        movers = tuple(
            combatant_id for combatant_id in band if fighter_of(decision.state.combatants[combatant_id]).place != place
        )
        if movers:
            decision.emit(events.BandFormed(figures=movers, value=place))
    first = [combatant_id for band in new_bands for combatant_id in band]
    rest = [combatant.id for combatant in decision.state.roster if combatant.id not in first]
    decision.emit(events.CycleOrdered(order=(*first, *rest), bands=new_bands, reason=reason))


def with_newcomer(state: FightState, bands_now: Bands, combatant_id: str) -> Bands:
    """Q-A26: the bands with a newcomer placed by result; the others keep their order."""
    others = _without(bands_now, combatant_id)
    result = _result(state, combatant_id)
    for index, band in enumerate(others):
        best = max(_result(state, name) for name in band)
        if best == result:
            return (*others[:index], (*band, combatant_id), *others[index + 1 :])
        if best < result:
            return (*others[:index], (combatant_id,), *others[index:])
    return (*others, (combatant_id,))


def place_newcomer(decision: Decision, combatant_id: str, reason: str) -> None:
    """Q-A26, AP-07: give a newcomer its place, among the locked places too."""
    order_cycle(decision, with_newcomer(decision.state, bands(decision.state), combatant_id), reason)
    record_homes(decision, with_newcomer(decision.state, home_bands(decision.state), combatant_id))


def _without(bands_now: Bands, combatant_id: str) -> Bands:
    """The bands without a PC, and without a band that this leaves empty."""
    return tuple(
        remaining
        for remaining in (tuple(name for name in band if name != combatant_id) for band in bands_now)
        if remaining
    )


def _result(state: FightState, combatant_id: str) -> int:
    return fighter_of(state.combatants[combatant_id]).awareness or 0


def place_first(bands_now: Bands, combatant_id: str) -> Bands:
    """The bands with a PC before all others."""
    return ((combatant_id,), *_without(bands_now, combatant_id))


def place_stayer(
    state: FightState, bands_now: Bands, combatant_id: str, band: tuple[str, ...], together: bool
) -> Bands:
    """AP-06: the bands with a PC directly after another band, or in it (`together`)."""
    rest = list(_without(bands_now, combatant_id))
    index = rest.index(tuple(name for name in band if name != combatant_id))
    if together:
        mates = (*rest[index], combatant_id)
        rest[index] = tuple(sorted(mates, key=lambda name: -_result(state, name)))
    else:
        rest.insert(index + 1, (combatant_id,))
    return tuple(rest)


def arrange_bands(state: FightState) -> Bands:
    """AP-02, AP-06, Q-A22: the bands by result, with the Stays applied in the order of their declaration."""
    order = bands_by_result(state)
    stayers = [(combatant.id, fighter_of(combatant)) for combatant in queries.pcs(state) if fighter_of(combatant).stay]
    for combatant_id, fighter in sorted(stayers, key=lambda pair: pair[1].stay_number):
        own_index, goal = band_of(order, combatant_id), band_of(order, fighter.stay)
        if goal >= 0 and own_index >= 0 and starts_later(order, combatant_id, goal, together=fighter.stay_together):
            order = place_stayer(state, order, combatant_id, order[goal], fighter.stay_together)
    return order


def starts_later(listed_bands: Bands, combatant_id: str, goal: int, *, together: bool) -> bool:
    """AP-06: whether moving directly after the band at `goal`, or into it (`together`), makes a PC start later."""
    own_index = band_of(listed_bands, combatant_id)
    alone = len(listed_bands[own_index]) == 1 if own_index >= 0 else True
    return goal > own_index or (goal == own_index and not alone and not together)


# The steps of a round


def step_band(state: FightState, step: Step) -> tuple[str, ...]:
    """The present members of the band that a step stands for."""
    if step.kind == VOLUNTEER:
        return tuple(combatant.id for combatant in queries.pcs(state))
    return next((band for band in bands(state) if not set(step.members).isdisjoint(band)), ())


def members_gaining_slots(state: FightState, step: Step) -> tuple[str, ...]:
    """AP-14, AP-48: the ids of those who gain slots as a step begins; in Slow Burn all able PCs."""
    if step.kind == VOLUNTEER:
        return tuple(combatant.id for combatant in queries.pcs(state) if combatant.able)
    return members_to_act(state, step)


def members(state: FightState, step: Step) -> tuple[str, ...]:
    """The ids of those in a step's band who have an Active Phase in this round."""
    return tuple(
        combatant_id
        for combatant_id in step_band(state, step)
        if queries.is_in_round(state, state.combatants[combatant_id])
    )


def members_to_act(state: FightState, step: Step) -> tuple[str, ...]:
    """AP-15: the ids of those in a step's band whose Active Phase of this round is still to come."""
    return tuple(
        combatant_id
        for combatant_id in step_band(state, step)
        if queries.awaits_phase(state, state.combatants[combatant_id])
    )


def _band_step(state: FightState, band: Sequence[str], final: bool) -> Step:
    actor = band[0] if len(band) == 1 and not final else ""
    side = state.combatants[band[0]].side if actor else ""
    title, members = band_names(state, band), tuple(band)
    phase = "final" if final else "active"
    step_id = f"band.{'+'.join(band)}"
    return Step(step_id, BAND, phase, f"Final: {title}" if final else title, side, actor, members)


def round_steps(state: FightState) -> tuple[Step, ...]:
    """The agenda of a Full Round: a step for each band, then the close and Upkeep."""
    if queries.is_slow_burn(state) and settings_of(state).slow_burn_order == "together":
        first: tuple[Step, ...] = (Step(VOLUNTEER, VOLUNTEER, "slow_burn", "Slow Burn"),)
    else:
        first = _band_steps(state, bands(state))
    return (*first, Step(CLOSE, CLOSE, "close", "Hesitation"), Step(UPKEEP, UPKEEP, "upkeep", "Upkeep"))


def _band_steps(
    state: FightState, listed_bands: Sequence[Sequence[str]], *, is_under_way: bool = False
) -> tuple[Step, ...]:
    """AP-22: the steps of these bands; the last that can act is the Final Phase.

    A single band has no Final Phase (Q-A2), unless others have acted before it in this round (`is_under_way`).
    """
    here = [tuple(combatant_id for combatant_id in band if _has_arrived(state, combatant_id)) for band in listed_bands]
    here = [band for band in here if band]
    able = [
        band
        for band in here
        if any(queries.awaits_phase(state, state.combatants[combatant_id]) for combatant_id in band)
    ]
    several = is_under_way or len(able) >= 2 or settings_of(state).final_single_band == "on"
    last = able[-1] if able and several else None
    return tuple(_band_step(state, band, band is last) for band in here)


def _has_arrived(state: FightState, combatant_id: str) -> bool:
    """Whether a combatant takes part in this round; a newcomer's first slots may come later (Q-A26)."""
    return fighter_of(state.combatants[combatant_id]).from_round <= max(state.round, 1)


def updated_steps(state: FightState) -> tuple[Step, ...]:
    """The steps of the running round, updated to who can act now and where their places are.

    Past steps and the running one do not change (Q-A7: a band's Final Phase is settled as its Active Phase begins).
    A PC who waits at a place that is past, which only a ruling can cause, comes next, so that no Active Phase is lost.
    """
    steps, cursor = state.agenda.steps, state.agenda.cursor
    if cursor < 0 or cursor >= len(steps) or not steps or steps[cursor].kind != BAND:
        return steps
    past_steps = steps[: cursor + 1]
    # A newcomer who shares the running place has begun with it.
    running_band = (state.combatants[combatant_id] for combatant_id in step_band(state, steps[cursor]))
    joined = {combatant.id for combatant in running_band if fighter_of(combatant).ap != WAITING}
    past_members = ids_reached(state) | joined
    ahead = [tuple(combatant_id for combatant_id in band if combatant_id not in past_members) for band in bands(state)]
    rest = tuple(step for step in steps if step.kind in (CLOSE, UPKEEP))
    return (*past_steps, *_band_steps(state, ahead, is_under_way=True), *rest)


def ids_reached(state: FightState) -> frozenset[str]:
    """The ids of those whose place in this round has been reached, whether they have acted or been skipped."""
    past_steps = state.agenda.steps[: state.agenda.cursor + 1]
    return frozenset(combatant_id for step in past_steps for combatant_id in step.members)


def update_agenda(decision: Decision) -> bool:
    """Update the agenda to who can act now; return whether it has changed."""
    steps = updated_steps(decision.state)
    if steps == decision.state.agenda.steps:
        return False
    cursor = decision.state.agenda.cursor
    decision.emit(AgendaChanged(steps=steps, cursor=cursor, reason="who can act has changed"))
    return True


def later_members(state: FightState) -> tuple[str, ...]:
    """The ids of those whose Active Phase of this round is in a later step."""
    ahead = state.agenda.steps[state.agenda.cursor + 1 :]
    return tuple(combatant_id for step in ahead if step.kind == BAND for combatant_id in members_to_act(state, step))


# Locking the Cycle


def lock(decision: Decision) -> None:
    """AP-07, AP-09: lock the places of the Cycle."""
    locked_bands = bands(decision.state)
    record_homes(decision, locked_bands)
    decision.emit(events.CycleLocked(before=False, bands=locked_bands))


def record_homes(decision: Decision, locked_bands: Bands) -> None:
    """Record the locked places, to which a Stay for one round returns (Q-A3)."""
    for place, band in enumerate(locked_bands, 1):
        movers = tuple(
            combatant_id for combatant_id in band if fighter_of(decision.state.combatants[combatant_id]).home != place
        )
        if movers:
            decision.emit(TraitsReset(figures=movers, trait="home", value=place))


def without_stays(state: FightState) -> FightState:
    """The state with everybody back at their locked place."""
    people = dict(state.combatants)
    for combatant in queries.pcs(state):
        fighter = fighter_of(combatant)
        if fighter.home and fighter.place != fighter.home:
            people[combatant.id] = replace(combatant, record=replace(fighter, place=fighter.home))
    return replace(state, combatants=people)
