"""What follows from one event, whoever caused it."""

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.events import (
    DamageApplied,
    Detected,
    Downed,
    EffectEnded,
    Event,
    Events,
    FightClosed,
    Healed,
    Hid,
    Joined,
    LeftFight,
    Placed,
    Restored,
    SettingChanged,
    StepBegan,
    StepEnded,
    TraitChanged,
)
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments.actions import (
    ambushes,
    declarations,
    helpers,
    heroic_deeds,
    opportunities,
    plans,
    refits,
    surprise_effects,
    surroundings,
)
from fightcall_engine.systems.segments.combat import bows, feats, presence_attacks, reprisal_offers, reprisals, snipers
from fightcall_engine.systems.segments.injury import collapse, healing, rally, wound_effects
from fightcall_engine.systems.segments.positions import meetings
from fightcall_engine.systems.segments.round import departures, loose_ends, order, pulses, segment
from fightcall_engine.systems.segments.state import events, figures, harm_events, health, progress
from fightcall_engine.systems.segments.state.action import DONE, is_due
from fightcall_engine.systems.segments.state.fighter import fighter_of


def react(state: FightState, event: Event) -> Events:
    """What follows; `state` already holds the event."""
    if isinstance(event, Joined):
        return _react_to_join(state, event.who)
    if isinstance(event, LeftFight):
        return departures.departure_events(state, event.who)
    if type(event) is Placed:
        return departures.put_elsewhere(state, event.who)
    if isinstance(event, Detected):
        return (*snipers.forget_whereabouts(state, event.who), *ambushes.react_to_leap(state, event))
    if isinstance(event, Hid):
        return (*snipers.forget_whereabouts(state, event.who), *ambushes.react_to_leap(state, event))
    if isinstance(event, Downed):
        return _react_to_down(state, event.who)
    if isinstance(event, Restored):
        return _react_to_restore(state, event.who)
    if isinstance(event, events.Resolved | events.ActionAborted):
        return _finish_action(state, event)
    if isinstance(event, DamageApplied | Healed):
        return wound_effects.react_to_harm(state, event)
    if isinstance(event, events.WoundsInflicted):
        return wound_effects.collapses(state, event)
    if isinstance(event, events.Declared):
        return opportunities.withdraw_engagement(state, event.who)
    if isinstance(event, harm_events.KnockedBack):
        return meetings.withdraw_offers(state, event.who)
    if isinstance(event, events.LifeChanged):
        return collapse.moot(state, event.who) if event.life != figures.UP else ()
    if isinstance(event, events.SegmentEnded):
        tries = tuple(each for combatant_id in state.combatants for each in rally.end_rally(state, combatant_id))
        return (*tries, *pulses.run_is_over(state), *feats.back_question(state))
    if isinstance(event, SettingChanged):
        refit_events = (*wound_effects.convert_pools(state, event), *refits.refit_everybody(state, event))
        return (*refit_events, *order.reread(state, event))
    if isinstance(event, FightClosed):
        return (*healing.aftermath(state), *heroic_deeds.cost_questions(state))
    if isinstance(event, events.CheckResolved):
        return (*feats.follow_roll(state, event), *ambushes.react_to_leap(state, event))
    if isinstance(event, EffectEnded):
        return (*surroundings.catch_fire(event), *ambushes.react_to_leap(state, event))
    if isinstance(event, events.WayPlanned | events.SegmentMoved):
        return (*loose_ends.under_way(state, event.who), *ambushes.react_to_leap(state, event))
    if isinstance(event, StepBegan):
        return _step_began(state)
    if isinstance(event, StepEnded):
        return (*heroic_deeds.after_act(state, _resolver(state, event.index)), *ambushes.react_to_leap(state, event))
    return ambushes.react_to_leap(state, event)


def _resolver(state: FightState, index: int) -> str:
    """Whose Resolution a step was; empty for any other step."""
    steps = state.agenda.steps
    return steps[index].actor if 0 <= index < len(steps) and steps[index].kind == figures.RESOLVE else ""


def _step_began(state: FightState) -> Events:
    if figures.kind_of(state) == figures.INITIATIVE:
        return surprise_effects.at_start(state)
    combatant = figures.actor(state)
    if figures.kind_of(state) == figures.RESOLVE:
        return rally.offer_rally(state)
    if figures.kind_of(state) == figures.PULSE and _is_first_of_its_kind(state):
        return plans.plan_approaches(state)
    return (
        opportunities.engagement(state, combatant)
        if figures.kind_of(state) == figures.DECLARE and combatant is not None
        else ()
    )


def _is_first_of_its_kind(state: FightState) -> bool:
    kind = figures.kind_of(state)
    return all(step.kind != kind for step in state.agenda.steps[: state.agenda.cursor])


def _finish_action(state: FightState, event: events.Resolved | events.ActionAborted) -> Events:
    """An Action is over: whoever is at work with its author is too, and what waited for it comes."""
    finish_helpers = _finish_helpers if isinstance(event, events.Resolved) else _alone_again
    course = Decision(state)
    course.emit(*_over(state, event.who))
    course.emit(*finish_helpers(course.state, event.who))
    course.emit(*bows.finish_crossbow_action(course.state, event.who))
    course.emit(*rally.end_rally(course.state, event.who))
    course.emit(*reprisal_offers.after_own_attack(course.state, event.who))
    return course.events


def _over(state: FightState, combatant_id: str) -> Events:
    """Whoever had struck at one who went down needs no other target any more; who acted in falling is done (CS-026)."""
    kinds = (declarations.LOST_TARGET, loose_ends.ASKED, loose_ends.NO_WAY)
    stale = [prompt for prompt in state.prompts if prompt.kind in kinds and prompt.who == combatant_id]
    return (*figures.moot(stale, "settled"), *figures.set_traits(state.combatants[combatant_id], last_act=False))


def _alone_again(state: FightState, combatant_id: str) -> Events:
    """CS-136, CS-143: who gives up lets the other go too: wearer and helper are at work together."""
    combatant = state.combatants[combatant_id]
    course = Decision(state)
    for helper in helpers.helpers_of(state, combatant_id):
        course.emit(*progress.abort_action(helper, "there is nothing to help with any more"))
    wearer = helpers.helped_by(state, combatant)
    if wearer is not None:
        course.emit(*progress.abort_action(wearer, f"{combatant.name} no longer helps"))
    course.emit(*figures.set_traits(course.state.combatants[combatant_id], helps=""))
    return course.events


def _finish_helpers(state: FightState, combatant_id: str) -> Events:
    """CS-136: the work is done, and so is that of a slower helper; one who is due now settles it in his own turn."""
    course = Decision(state)
    for helper in helpers.helpers_of(state, combatant_id):
        if not (is_due(helper) and figures.slots_left(helper)):
            course.emit(*progress.settle_action(state, helper, DONE, "done"))
    course.emit(*figures.set_traits(course.state.combatants[combatant_id], helps=""))
    return course.events


def _react_to_join(state: FightState, combatant_id: str) -> Events:
    """CS-034: a late arrival is owed Actions at once and rolls Initiative."""
    if state.step is None or state.round == 0:
        return ()
    course = Decision(state)
    course.emit(TraitChanged(who=combatant_id, trait="arrived", before=0, value=state.round))
    course.emit(*_set_slots(course.state, combatant_id))
    if figures.kind_of(state) != figures.INITIATIVE:
        course.ask(order.arrival_prompt(course.state.combatants[combatant_id]))
    return course.events


def _set_slots(state: FightState, combatant_id: str) -> Events:
    combatant = state.combatants[combatant_id]
    count = segment.slots_of(state, combatant)
    pool = combatant.pool(figures.SLOTS)
    return (events.SlotsOwed(who=combatant_id, before=pool.now, left=count, max=count),)


_OWN = (
    meetings.OFFER, opportunities.REACH, opportunities.AFTER, opportunities.ENGAGE, reprisal_offers.ASKED,
    ambushes.LEAP, rally.OFFER, declarations.LOST_TARGET, loose_ends.ASKED, loose_ends.NO_WAY,
    reprisals.MOVING_OFF,
)  # fmt: skip
"""Offers of something that somebody would have to do himself."""


def _react_to_down(state: FightState, combatant_id: str) -> Events:
    """CS-111: what somebody meant to do is off, and what he was asked about it or offered to do; and he lies."""
    if combatant_id not in state.combatants:
        return ()
    course = Decision(state)
    course.emit(
        *figures.moot(
            (prompt for prompt in state.prompts if prompt.who == combatant_id and prompt.kind in _OWN), "down"
        )
    )
    course.emit(*declarations.when_down(course.state, course.state.combatants[combatant_id]))
    course.emit(*figures.set_traits(course.state.combatants[combatant_id], posture=figures.PRONE))
    course.emit(*presence_attacks.moot(course.state, combatant_id))
    course.emit(*heroic_deeds.after_foe(course.state, combatant_id))
    return course.events


def _react_to_restore(state: FightState, combatant_id: str) -> Events:
    """Somebody is up again: from the next segment on like everybody; in this one only if Initiative was rolled."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return ()
    course = Decision(state)
    if fighter_of(combatant).life != figures.UP:
        course.emit(
            events.LifeChanged(
                who=combatant_id, traits={**health.life_traits(combatant, figures.UP), "life_until": 0}, life=figures.UP
            )
        )
    if state.step is not None and figures.kind_of(state) != figures.INITIATIVE:
        here = course.state.combatants[combatant_id]
        if figures.initiative(here) is None:
            course.ask(order.arrival_prompt(here))
        else:
            course.emit(*order.rearrange_segment(course.state, "up again"))
    return course.events
