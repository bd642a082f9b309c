"""The Active Phase Cycle: its bands, their order, Stay, and the steps of a round (AP-02..07, AP-22, Q-A3, Q-A7)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Combatant, FightState, Step
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg

Bands = tuple[tuple[str, ...], ...]

BAND, CLOSE, UPKEEP, VOLUNTEER = "band", "close", "upkeep", "volunteer"
_PREFIX, _AND = "band.", "+"


# Bands


def bands(state: FightState, trait: str = "place") -> Bands:
    """Those who share a place, from first to last; `trait` ``home`` gives the places as they were locked."""
    placed = [combatant for combatant in fg.pcs(state) if fg.number_trait(combatant, trait) > 0]
    placed.sort(key=lambda combatant: fg.number_trait(combatant, trait))
    grouped = groupby(placed, key=lambda combatant: fg.number_trait(combatant, trait))
    return tuple(tuple(combatant.id for combatant in members) for _, members in grouped)


def by_result(state: FightState, among: Sequence[Combatant] | None = None) -> Bands:
    """AP-02, AP-03: PCs from the highest result to the lowest, equal ones together."""
    rolled = [
        combatant
        for combatant in (fg.pcs(state) if among is None else among)
        if fg.trait(combatant, "awareness") is not None
    ]
    rolled.sort(key=lambda combatant: -fg.number_trait(combatant, "awareness"))
    grouped = groupby(rolled, key=lambda combatant: fg.number_trait(combatant, "awareness"))
    return tuple(tuple(combatant.id for combatant in members) for _, members in grouped)


def band_of(found: Bands, combatant_id: str) -> int:
    """The index of a PC's band, -1 where it has none."""
    return next((index for index, band in enumerate(found) if combatant_id in band), -1)


def names(state: FightState, band: Sequence[str]) -> str:
    """A band's names, as in ``Ivo + Mara``."""
    return " + ".join(state.combatants[combatant_id].name for combatant_id in band if combatant_id in state.combatants)


def order_cycle(state: FightState, found: Bands, reason: str) -> ev.Events:
    """AP-02: the Cycle is listed; whoever's place is another now gets it."""
    caused: list[ev.Event] = []
    for place, band in enumerate(found, 1):
        moved = tuple(
            combatant_id for combatant_id in band if fg.number_trait(state.combatants[combatant_id], "place") != place
        )
        if moved:
            caused.append(sev.BandFormed(figures=moved, value=place))
    first = [combatant_id for band in found for combatant_id in band]
    rest = [combatant.id for combatant in fg.in_order(state) if combatant.id not in first]
    return (*caused, sev.CycleOrdered(order=(*first, *rest), bands=found, reason=reason))


def with_newcomer(state: FightState, combatant_id: str, trait: str = "place") -> Bands:
    """Q-A26: a late arrival's place by its result; the others keep theirs relative to each other."""
    found = [
        band for band in (tuple(name for name in band if name != combatant_id) for band in bands(state, trait)) if band
    ]
    result = fg.number_trait(state.combatants[combatant_id], "awareness")
    for index, band in enumerate(found):
        best = max(fg.number_trait(state.combatants[name], "awareness") for name in band)
        if best == result:
            return (*found[:index], (*band, combatant_id), *found[index + 1 :])
        if best < result:
            return (*found[:index], (combatant_id,), *found[index:])
    return (*found, (combatant_id,))


def place_stayer(state: FightState, found: Bands, combatant_id: str, band: tuple[str, ...], together: bool) -> Bands:
    """AP-06: the Cycle with one PC directly after another band, or in it."""
    rest = [left for left in (tuple(name for name in other if name != combatant_id) for other in found) if left]
    index = rest.index(tuple(name for name in band if name != combatant_id))
    if together:
        mates = (*rest[index], combatant_id)
        rest[index] = tuple(sorted(mates, key=lambda name: -fg.number_trait(state.combatants[name], "awareness")))
    else:
        rest.insert(index + 1, (combatant_id,))
    return tuple(rest)


def arrange_bands(state: FightState) -> Bands:
    """AP-02, AP-06, Q-A22: by result, and then as those who Stay have declared it, in the order they did."""
    found = by_result(state)
    stayers = [combatant for combatant in fg.pcs(state) if fg.text_trait(combatant, "stay")]
    for combatant in sorted(stayers, key=lambda combatant: fg.number_trait(combatant, "stay_number")):
        together = fg.trait(combatant, "stay_together") is True
        mine, goal = band_of(found, combatant.id), band_of(found, fg.text_trait(combatant, "stay"))
        if goal >= 0 and mine >= 0 and starts_later(found, combatant.id, goal, together=together):
            found = place_stayer(state, found, combatant.id, found[goal], together)
    return found


def starts_later(found: Bands, combatant_id: str, goal: int, *, together: bool) -> bool:
    """AP-06: True where somebody starts later than now, directly after the band at `goal` or `together` with it."""
    mine = band_of(found, combatant_id)
    alone = len(found[mine]) == 1 if mine >= 0 else True
    return goal > mine or (goal == mine and not alone and not together)


# The steps of a round


def step_band(state: FightState, step: Step) -> tuple[str, ...]:
    """Who shares the place that a step stands for; those who have left are no longer in it."""
    if step.kind == VOLUNTEER:
        return tuple(combatant.id for combatant in fg.pcs(state))
    ids = _ids(step)
    return next((band for band in bands(state) if ids.intersection(band)), ())


def _ids(step: Step) -> set[str]:
    return set(step.id.removeprefix(_PREFIX).split(_AND)) if step.kind == BAND else set()


def members(state: FightState, step: Step) -> tuple[str, ...]:
    """Those of a step's band who have an Active Phase in this round."""
    return tuple(
        combatant_id for combatant_id in step_band(state, step) if fg.in_round(state, state.combatants[combatant_id])
    )


def still_to_act(state: FightState, step: Step) -> tuple[str, ...]:
    """AP-15: those of a step's band whose Active Phase of this round is still to come: nobody has two."""
    return tuple(
        combatant_id
        for combatant_id in step_band(state, step)
        if fg.awaits_phase(state, state.combatants[combatant_id])
    )


def _band_step(state: FightState, band: Sequence[str], final: bool) -> Step:
    actor = band[0] if len(band) == 1 and not final else ""
    side = state.combatants[band[0]].side if actor else ""
    title = names(state, band)
    phase = "final" if final else "active"
    return Step(_PREFIX + _AND.join(band), BAND, phase, f"Final: {title}" if final else title, side, actor)


def round_steps(state: FightState) -> tuple[Step, ...]:
    """The agenda of a Full Round: one step a band, then the close and Upkeep."""
    if fg.slow_burning(state) and state.settings.get("slow_burn_order", "together") == "together":
        first: tuple[Step, ...] = (Step(VOLUNTEER, VOLUNTEER, "slow_burn", "Slow Burn"),)
    else:
        first = _band_steps(state, bands(state), 0)
    return (*first, Step(CLOSE, CLOSE, "close", "Hesitation"), Step(UPKEEP, UPKEEP, "upkeep", "Upkeep"))


def _band_steps(state: FightState, found: Sequence[Sequence[str]], had: int) -> tuple[Step, ...]:
    """Steps for these bands, the last of them that can act being the Final one; `had` others had theirs before."""
    here = [tuple(combatant_id for combatant_id in band if _has_arrived(state, combatant_id)) for band in found]
    here = [band for band in here if band]
    able = [
        band for band in here if any(fg.awaits_phase(state, state.combatants[combatant_id]) for combatant_id in band)
    ]
    several = had + len(able) >= 2 or state.settings.get("final_single_band") == "on"
    last = able[-1] if able and several else None
    return tuple(_band_step(state, band, band is last) for band in here)


def _has_arrived(state: FightState, combatant_id: str) -> bool:
    """False for a newcomer whose first slots come later (Q-A26)."""
    return fg.number_trait(state.combatants[combatant_id], "from_round") <= max(state.round, 1)


def fit_steps(state: FightState) -> tuple[Step, ...]:
    """The steps of the running round as they must be now: what is to come follows who is able and where they stand.

    What is over, and what runs, stays as it was (Q-A7: a band's Final Phase is settled as its Active Phase begins).
    Whoever waits in a place that is over, which only a ruling can bring about, comes next: no Active Phase is lost.
    """
    steps, cursor = state.agenda.steps, state.agenda.cursor
    if cursor < 0 or cursor >= len(steps) or not steps or steps[cursor].kind != BAND:
        return steps
    begun = steps[: cursor + 1]
    taken = reached(state)
    ahead = [tuple(combatant_id for combatant_id in band if combatant_id not in taken) for band in bands(state)]
    had = sum(_had_slots(state, step) for step in begun)
    rest = tuple(step for step in steps if step.kind in (CLOSE, UPKEEP))
    to_come = _band_steps(state, ahead, had)
    if any(step.phase == "final" for step in begun):
        # A round has one Final Phase: whoever can act again after it has an Active Phase only.
        to_come = tuple(_band_step(state, tuple(step.id.removeprefix(_PREFIX).split(_AND)), False) for step in to_come)
    return (*begun, *to_come, *rest)


def reached(state: FightState) -> frozenset[str]:
    """Those whose place has been reached in this round: their Active Phase runs, is over, or was passed by."""
    begun = state.agenda.steps[: state.agenda.cursor + 1]
    return frozenset(combatant_id for step in begun for combatant_id in _ids(step))


def _had_slots(state: FightState, step: Step) -> bool:
    """True where a step was not passed over: somebody of its band has had an Active Phase in this round."""
    return any(
        fg.text_trait(state.combatants[combatant_id], "ap") != fg.WAITING for combatant_id in step_band(state, step)
    )


def fit(state: FightState) -> ev.Events:
    """The agenda is brought up to date, if it has to be."""
    wanted = fit_steps(state)
    if wanted == state.agenda.steps:
        return ()
    return (ev.AgendaChanged(steps=wanted, cursor=state.agenda.cursor, reason="who can act has changed"),)


def later_members(state: FightState) -> tuple[str, ...]:
    """Those whose Active Phase is still to come in this round."""
    ahead = state.agenda.steps[state.agenda.cursor + 1 :]
    return tuple(combatant_id for step in ahead if step.kind == BAND for combatant_id in still_to_act(state, step))


def homes(state: FightState, found: Bands) -> ev.Events:
    """The locked places are remembered, for the reading in which Stay is for one round only (Q-A3)."""
    caused: list[ev.Event] = []
    for place, band in enumerate(found, 1):
        moved = tuple(
            combatant_id for combatant_id in band if fg.number_trait(state.combatants[combatant_id], "home") != place
        )
        if moved:
            caused.append(ev.TraitsReset(figures=moved, trait="home", value=place))
    return tuple(caused)


def without_stays(state: FightState) -> FightState:
    """The state with everybody back on their locked place."""
    people = dict(state.combatants)
    for combatant in fg.pcs(state):
        home = fg.number_trait(combatant, "home")
        if home and fg.number_trait(combatant, "place") != home:
            people[combatant.id] = replace(combatant, traits={**combatant.traits, "place": home})
    return replace(state, combatants=people)
