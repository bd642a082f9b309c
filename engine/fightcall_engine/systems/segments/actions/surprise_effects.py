"""The effects of Surprise on a victim, and recovery (CS-055 to CS-070).

The failed DV is kept for the recovery; 0 is an unknown one.
"""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit.checks import first_broken
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.rulings import whole
from fightcall_engine.model.events import Event, Events
from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.systems.segments.positions import meetings, ways
from fightcall_engine.systems.segments.rules.numbers import Part, Sum
from fightcall_engine.systems.segments.rules.surprise import Surprise, recovery_dv, waning_segments
from fightcall_engine.systems.segments.state import events, progress, queries, rolls, scores, surprise_limits
from fightcall_engine.systems.segments.state.action import DRAFT, action_of
from fightcall_engine.systems.segments.state.fighter import fighter_of

# Being surprised


def apply_surprise(decision: Decision, combatant: Combatant, surprise: Surprise, dv: int | None) -> None:
    """Apply a Surprise to a victim (CS-055 to CS-060)."""
    event = events.SurpriseApplied(
        who=combatant.id,
        traits=_surprise_traits(decision.state, combatant, surprise, dv or 0),
        degree=surprise.degree,
        cs=surprise.segments,
        penalty=surprise.penalty,
    )
    decision.emit(event)
    decision.spawn(_interrupt_action, combatant.id)
    _interrupt_way(decision, decision.state.combatants[combatant.id])


_BY_SEVERITY = (queries.NONE, queries.WANING, queries.READY, queries.CHECKED, queries.OVERWHELMED)


def _surprise_traits(state: FightState, combatant: Combatant, surprise: Surprise, dv: int) -> Mapping[str, Scalar]:
    """The record of a Surprise; of an earlier one, whatever is longer or worse stays.

    The second stage of an earlier one continues under a lesser one (CS-068).
    """
    fighter, earlier = fighter_of(combatant), surprise_limits.degree_of(combatant)
    if surprise.degree == queries.NONE:
        return {}
    until, penalty, wanes = state.round + surprise.segments, surprise.penalty, fighter.surprise_wanes
    if earlier == queries.WANING:
        wanes = fighter.surprise_until
    elif earlier != queries.NONE:
        until = max(until, fighter.surprise_until)
    degree = max(surprise.degree, earlier, key=_BY_SEVERITY.index)
    if earlier != queries.NONE and fighter.surprise_sum > penalty:
        penalty, dv = fighter.surprise_sum, fighter.surprise_dv
    return {
        "surprise": degree,
        "surprise_launch": state.round,
        "surprise_until": until,
        "surprise_sum": penalty,
        "surprise_dv": dv,
        "surprise_wanes": 0 if degree == queries.OVERWHELMED else wanes,
    }


def _interrupt_way(decision: Decision, combatant: Combatant) -> None:
    """CS-065: stop planned movement unless it leads away from the threat."""
    state = decision.state
    way = tuple(ways.places_of_way(state, fighter_of(combatant).plan))
    if first_broken(ways.retreat_checks(state, combatant, way)) is not None:
        meetings.stop_movement(decision, combatant)


def _interrupt_action(decision: Decision, combatant_id: str) -> None:
    """CS-059: drop a declaration that has not begun; ask the GM about work that has."""
    combatant = decision.state.combatants[combatant_id]
    action = action_of(combatant)
    if not action.is_open or surprise_limits.is_allowed(combatant, action):
        return
    if action.state == DRAFT:
        decision.emit(*progress.abort_action(combatant, "surprised"))
        return
    activity = progress.describe_activity(combatant)
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="startled",
            question=f"{combatant.name} is surprised while busy ({activity}). Continue?",
            rule="CS-059",
            choices=choices("keep:continue it", "abort:abort it:x"),
            default="keep",
            blocking=False,
        )
    )
    if answer is not None and answer.choice == "abort":
        decision.emit(*progress.abort_action(decision.state.combatants[combatant_id], "surprised"))


# Recovery


def at_start(decision: Decision) -> None:
    """Begin a segment: end Surprises whose time is over; the overwhelmed check (CS-057, CS-058, CS-066)."""
    state = decision.state
    for combatant in state.roster:
        degree, last = surprise_limits.degree_of(combatant), fighter_of(combatant).surprise_until
        if degree == queries.NONE or state.round <= last:
            continue
        if degree == queries.OVERWHELMED and combatant.able:
            decision.spawn(_recover, combatant.id)
        elif fighter_of(combatant).surprise_wanes >= state.round:
            decision.emit(_second_stage_event(state, combatant, fighter_of(combatant).surprise_wanes))
        else:
            decision.emit(*end_surprise(combatant))


def end_surprise(combatant: Combatant) -> Events:
    """The event that ends a combatant's Surprise (CS-067, CS-069)."""
    traits = {"surprise": queries.NONE, "surprise_until": 0, "surprise_sum": 0, "surprise_wanes": 0}
    return (events.SurpriseEnded(who=combatant.id, traits=traits),)


def _recover(decision: Decision, combatant_id: str) -> None:
    """CS-066 to CS-068: check HRT against half the failed DV: the Surprise ends, or its second stage begins."""
    state = decision.state
    combatant = state.combatants[combatant_id]
    failed_dv = fighter_of(combatant).surprise_dv
    half = recovery_dv(failed_dv) if failed_dv > 0 else None
    dv = None if half is None else Sum((Part(f"half of DV {failed_dv} that was failed", half, "CS-066"),))
    total = scores.value_of(state, combatant, "HRT", "CS-066")
    against = "" if half is None else f" against DV {half}"
    question = f"{combatant.name}, to recover from Surprise: HRT {rolls.rounded(total)}{against}"
    verdict = rolls.make_check(decision, combatant_id, "HRT", total, dv, "CS-066", question, owed=True)
    if verdict is None:
        return
    combatant = decision.state.combatants[combatant_id]
    failed_dv = fighter_of(combatant).surprise_dv
    decision.emit(events.SurpriseRecoveryChecked(who=combatant_id, dv=recovery_dv(failed_dv), ok=verdict.ok))
    if verdict.ok:
        decision.emit(*end_surprise(combatant))
        return
    if failed_dv <= 0:
        answer = decision.ask(
            prompt_for(
                combatant,
                kind="failed_dv",
                question=f"{combatant.name} hasn't recovered. What was the DV of the failed Surprise check?",
                rule="CS-068",
                choices=choices("over:end the Surprise anyway"),
                amount="dv",
            )
        )
        if answer is None:
            return
        combatant = decision.state.combatants[combatant_id]
        if answer.choice == "over":
            decision.emit(*end_surprise(combatant))
            return
        failed_dv = whole("CS-068", answer.amount, 0, "DV", most=1000, besides=("over",))
    decision.emit(*_second_stage(decision.state, combatant, failed_dv))


def _second_stage(state: FightState, combatant: Combatant, failed_dv: int) -> Events:
    """CS-068: the second stage frees Actions, with a waning penalty, for a tenth of the DV in segments."""
    length = waning_segments(failed_dv)
    if not length:
        return end_surprise(combatant)
    return (_second_stage_event(state, combatant, state.round + length - 1, surprise_dv=failed_dv),)


def _second_stage_event(state: FightState, combatant: Combatant, last: int, **more: int) -> Event:
    """The event that the second stage begins, or lasts to the end of a segment (CS-068)."""
    traits = {"surprise": queries.WANING, "surprise_until": last, "surprise_wanes": 0, **more}
    length, penalty = last - state.round + 1, max(0, fighter_of(combatant).surprise_sum)
    return events.SurpriseApplied(who=combatant.id, traits=traits, degree=queries.WANING, cs=length, penalty=penalty)


def at_end(decision: Decision) -> None:
    """End a segment: the second stage's penalty drops by 1; after its last one it ends (CS-068, CS-069)."""
    state = decision.state
    for combatant in state.roster:
        fighter = fighter_of(combatant)
        if not surprise_limits.is_waning(combatant):
            continue
        if state.round >= (fighter.surprise_wanes or fighter.surprise_until):
            end_events = queries.set_traits(combatant, surprise_wanes=0, surprise_sum=0)
            decision.emit(*(end_events if fighter.surprise_wanes else end_surprise(combatant)))
            continue
        left = max(0, fighter_of(combatant).surprise_sum - 1)
        decision.emit(events.SurprisePenaltyWaned(who=combatant.id, traits={"surprise_sum": left}, penalty=left))
