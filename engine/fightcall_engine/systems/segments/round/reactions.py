"""What follows from one event, whoever caused it."""

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import reacts_to
from fightcall_engine.kit.prompts import concerns, record_moot
from fightcall_engine.model.events import (
    DamageApplied,
    Detected,
    Downed,
    Events,
    FightClosed,
    Healed,
    Hid,
    Joined,
    LeftFight,
    Moved,
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
    assistance,
    declarations,
    heroic_deeds,
    opportunities,
    plans,
    refits,
    surprise_effects,
)
from fightcall_engine.systems.segments.combat import bows, feats, presence_attacks, reprisal_offers, reprisals, snipers
from fightcall_engine.systems.segments.injury import healing, pain, wound_effects
from fightcall_engine.systems.segments.positions import meetings, places
from fightcall_engine.systems.segments.round import departures, order, pulses, resolution, segment
from fightcall_engine.systems.segments.state import events, figures, harm_events, health, progress
from fightcall_engine.systems.segments.state.action import DONE, is_due
from fightcall_engine.systems.segments.state.fighter import fighter_of


@reacts_to(Joined)
def admit_newcomer(decision: Decision, event: Joined) -> None:
    """CS-034: a late arrival is owed Actions at once and rolls Initiative."""
    combatant_id = event.who
    if decision.state.step is None or decision.state.round == 0:
        return
    decision.emit(TraitChanged(who=combatant_id, trait="arrived", before=0, value=decision.state.round))
    decision.emit(*_set_slots(decision.state, combatant_id))
    if figures.kind_of(decision.state) != figures.INITIATIVE:
        decision.ask(order.arrival_prompt(decision.state.combatants[combatant_id]))


@reacts_to(LeftFight)
def settle_departure(decision: Decision, event: LeftFight) -> None:
    """Nobody waits for whoever has left, or is asked about them."""
    departures.forget_departed(decision, event.who)


@reacts_to(Placed)
def settle_place(decision: Decision, event: Placed) -> None:
    """What hung on where somebody stood is off."""
    departures.put_elsewhere(decision, event.who)


@reacts_to(Hid)
def react_hidden(decision: Decision, event: Hid) -> None:
    """Where somebody is who is seen no more is known to nobody."""
    snipers.clear_noticed(decision, event.who)


@reacts_to(Detected)
def come_into_sight(decision: Decision, event: Detected) -> None:
    """CS-074: whoever leaps from cover may surprise."""
    snipers.clear_noticed(decision, event.who)
    decision.emit(*ambushes.react_to_leap(decision.state, event))


@reacts_to(Moved, events.Confirmed)
def leap_from_cover(decision: Decision, event: Moved | events.Confirmed) -> None:
    """CS-074, CS-264: so may whoever moves or shoots out of hiding."""
    decision.emit(*ambushes.react_to_leap(decision.state, event))


@reacts_to(events.SegmentMoved, events.WayPlanned)
def be_under_way(decision: Decision, event: events.SegmentMoved | events.WayPlanned) -> None:
    """What was asked of somebody who now walks needs no answer; and see `leap_from_cover`."""
    decision.emit(*resolution.under_way(decision.state, event.who))
    decision.emit(*ambushes.react_to_leap(decision.state, event))


@reacts_to(DamageApplied, Healed)
def settle_harm(decision: Decision, event: DamageApplied | Healed) -> None:
    """See `wound_effects`."""
    wound_effects.react_to_harm(decision, event)


@reacts_to(events.WoundsInflicted)
def collapse_by_wounds(decision: Decision, event: events.WoundsInflicted) -> None:
    """CS-624: the tenth wound."""
    wound_effects.settle_collapse(decision, event)


@reacts_to(events.LifeChanged)
def drop_questions_of_fallen(decision: Decision, event: events.LifeChanged) -> None:
    """Whoever has collapsed is asked nothing about it any more."""
    if event.life != figures.UP:
        decision.emit(*wound_effects.moot_questions(decision.state, event.who))


@reacts_to(events.Hit, events.Missed)
def warn_of_rear(decision: Decision, event: events.Hit | events.Missed) -> None:
    """CS-305: whoever lives through an attack from behind knows what is there."""
    combatant, target = decision.state.combatants[event.attacker], decision.state.combatants[event.target]
    if target.able and places.field_of(decision.state, target, combatant) == "R":
        decision.emit(*figures.set_traits(target, warned=True))


@reacts_to(events.Declared)
def withdraw_engagement(decision: Decision, event: events.Declared) -> None:
    """Whoever has declared is offered no engagement any more."""
    decision.emit(*opportunities.withdraw_engagement(decision.state, event.who))


@reacts_to(harm_events.KnockedBack)
def withdraw_meetings(decision: Decision, event: harm_events.KnockedBack) -> None:
    """Whoever is knocked back meets nobody where he stood."""
    decision.emit(*meetings.withdraw_offers(decision.state, event.who))


@reacts_to(events.CheckResolved)
def follow_check(decision: Decision, event: events.CheckResolved) -> None:
    """The roll of a feat is taken."""
    feats.follow_roll(decision, event)


@reacts_to(StepBegan)
def begin_step(decision: Decision, event: StepBegan) -> None:
    """What a step begins with, by its kind."""
    _step_began(decision)


@reacts_to(StepEnded)
def end_step(decision: Decision, event: StepEnded) -> None:
    """The price of a heroic deed is due after the act."""
    decision.emit(*heroic_deeds.end_act_bonuses(decision.state, _resolver(decision.state, event.index)))


@reacts_to(events.SegmentEnded)
def end_segment(decision: Decision, event: events.SegmentEnded) -> None:
    """Rallies, runs and feats are settled."""
    state = decision.state
    tries = tuple(each for combatant_id in state.combatants for each in pain.end_rally(state, combatant_id))
    decision.emit(*tries, *pulses.run_is_over(state))
    feats.ask_if_back(decision)


@reacts_to(SettingChanged)
def refit(decision: Decision, event: SettingChanged) -> None:
    """What hangs on another reading of a rule is worked out anew."""
    state = decision.state
    refit_events = (*wound_effects.convert_pools(state, event), *refits.refit_everybody(state, event))
    decision.emit(*refit_events)
    order.reread_order(decision, event)


@reacts_to(FightClosed)
def begin_aftermath(decision: Decision, event: FightClosed) -> None:
    """What is left to heal, and to pay for heroic deeds."""
    decision.emit(*healing.begin_aftermath(decision.state), *heroic_deeds.cost_questions(decision.state))


def _resolver(state: FightState, index: int) -> str:
    """Whose Resolution a step was; empty for any other step."""
    steps = state.agenda.steps
    return steps[index].actor if 0 <= index < len(steps) and steps[index].kind == figures.RESOLVE else ""


def _step_began(decision: Decision) -> None:
    state = decision.state
    if figures.kind_of(state) == figures.INITIATIVE:
        surprise_effects.at_start(decision)
        return
    combatant = figures.actor_of(state)
    if figures.kind_of(state) == figures.RESOLVE:
        decision.emit(*pain.offer_rally(state))
        return
    if figures.kind_of(state) == figures.PULSE and _is_first_of_its_kind(state):
        decision.emit(*plans.plan_approaches(state))
        return
    if figures.kind_of(state) == figures.DECLARE and combatant is not None:
        decision.emit(*opportunities.engage_mover(state, combatant))


def _is_first_of_its_kind(state: FightState) -> bool:
    kind = figures.kind_of(state)
    return all(step.kind != kind for step in state.agenda.steps[: state.agenda.cursor])


@reacts_to(events.Resolved, events.ActionAborted)
def finish_action(decision: Decision, event: events.Resolved | events.ActionAborted) -> None:
    """An Action is over: whoever is at work with its author is too, and what waited for it comes."""
    finish_helpers = _finish_helpers if isinstance(event, events.Resolved) else _alone_again
    decision.emit(*_settle_fallen(decision.state, event.who))
    finish_helpers(decision, event.who)
    decision.emit(*bows.finish_crossbow_action(decision.state, event.who))
    decision.emit(*pain.end_rally(decision.state, event.who))
    if isinstance(event, events.Resolved):
        decision.emit(*pulses.end_charge(decision.state.combatants[event.who]))
    reprisal_offers.offer_postponed(decision, event.who)


def _settle_fallen(state: FightState, combatant_id: str) -> Events:
    """Whoever had struck at one who went down needs no other target any more; who acted in falling is done (CS-026)."""
    kinds = (declarations.LOST_TARGET, resolution.ASKED, resolution.NO_WAY)
    stale = [prompt for prompt in state.prompts if prompt.kind in kinds and prompt.who == combatant_id]
    combatant = state.combatants[combatant_id]
    return (*record_moot(stale, "settled"), *figures.set_traits(combatant, last_act=False))


def _alone_again(decision: Decision, combatant_id: str) -> None:
    """CS-136, CS-143: who gives up lets the other go too: wearer and helper are at work together."""
    state = decision.state
    combatant = state.combatants[combatant_id]
    for helper in assistance.helpers_of(state, combatant_id):
        decision.emit(*progress.abort_action(helper, "there is nothing to help with any more"))
    wearer = assistance.helped_by(state, combatant)
    if wearer is not None:
        decision.emit(*progress.abort_action(wearer, f"{combatant.name} no longer helps"))
    decision.emit(*figures.set_traits(decision.state.combatants[combatant_id], helps=""))


def _finish_helpers(decision: Decision, combatant_id: str) -> None:
    """CS-136: the work is done, and so is that of a slower helper; one who is due now settles it in his own turn."""
    state = decision.state
    for helper in assistance.helpers_of(state, combatant_id):
        if not (is_due(helper) and figures.slots_left(helper)):
            decision.emit(*progress.settle_action(state, helper, DONE, "done"))
    decision.emit(*figures.set_traits(decision.state.combatants[combatant_id], helps=""))


def _set_slots(state: FightState, combatant_id: str) -> Events:
    combatant = state.combatants[combatant_id]
    count = segment.slots_of(state, combatant)
    pool = combatant.pool(figures.SLOTS)
    return (events.SlotsOwed(who=combatant_id, before=pool.now, left=count, max=count),)


_OWN = (
    meetings.OFFER, opportunities.REACH, opportunities.AFTER, opportunities.ENGAGE, reprisal_offers.REPRISAL_PROMPT,
    ambushes.LEAP, pain.OFFER, declarations.LOST_TARGET, resolution.ASKED, resolution.NO_WAY,
    reprisals.MOVING_OFF,
)  # fmt: skip
"""Offers of something that somebody would have to do himself."""


@reacts_to(Downed)
def lie_down(decision: Decision, event: Downed) -> None:
    """CS-111: what somebody meant to do is off, and what he was asked or offered, or others at him; and he lies."""
    combatant_id = event.who
    if combatant_id not in decision.state.combatants:
        return
    offers = (
        prompt
        for prompt in decision.state.prompts
        if (prompt.who == combatant_id and prompt.kind in _OWN)
        or (prompt.kind in departures.NEAR and combatant_id in concerns(prompt))
    )
    decision.emit(*record_moot(offers, "down"))
    declarations.cancel_when_down(decision, decision.state.combatants[combatant_id])
    decision.emit(*figures.set_traits(decision.state.combatants[combatant_id], posture=figures.PRONE))
    presence_attacks.drop_presence_questions(decision, combatant_id)
    decision.emit(*heroic_deeds.end_foe_bonuses(decision.state, combatant_id))


@reacts_to(Restored)
def get_up(decision: Decision, event: Restored) -> None:
    """Somebody is up again: from the next segment on like everybody; in this one only if Initiative was rolled."""
    combatant_id = event.who
    combatant = decision.state.combatants.get(combatant_id)
    if combatant is None:
        return
    if fighter_of(combatant).life != figures.UP:
        decision.emit(
            events.LifeChanged(
                who=combatant_id, traits={**health.life_traits(combatant, figures.UP), "life_until": 0}, life=figures.UP
            )
        )
    if decision.state.step is not None and figures.kind_of(decision.state) != figures.INITIATIVE:
        here = decision.state.combatants[combatant_id]
        if figures.initiative_of(here) is None:
            decision.ask(order.arrival_prompt(here))
        else:
            order.rearrange_segment(decision, "up again")
