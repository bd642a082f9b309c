"""Reactions to events, whatever caused them."""

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import reacts_to
from fightcall_engine.kit.prompts import concerns, record_moot
from fightcall_engine.kit.records import resume_of
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
    Returned,
    SettingChanged,
    StepBegan,
    StepEnded,
    TraitChanged,
)
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments.actions import (
    ambushes,
    declarations,
    interpretation,
    moves,
    opportunities,
    surprises,
)
from fightcall_engine.systems.segments.combat import feats, follow_ups, hit_effects, shots, stray_fire, strikes
from fightcall_engine.systems.segments.injury import healing, wound_effects
from fightcall_engine.systems.segments.positions import paths, places
from fightcall_engine.systems.segments.round import order, rulings, segment, steps
from fightcall_engine.systems.segments.state import condition, events, harm_events, queries, small_acts
from fightcall_engine.systems.segments.state.queries import DONE, is_due
from fightcall_engine.systems.segments.state.records import fighter_of
from fightcall_engine.systems.segments.state.rolls import OfferedOpportunity


@reacts_to(Joined)
def admit_newcomer(decision: Decision, event: Joined) -> None:
    """CS-034: a newcomer is owed Actions at once, and is asked for Initiative.

    One who comes back in the same segment has the Actions that it had left.
    """
    combatant_id = event.who
    if decision.state.step is None or decision.state.round == 0:
        return
    decision.emit(TraitChanged(who=combatant_id, trait="arrived", before=0, value=decision.state.round))
    if not (isinstance(event, Returned) and event.left_in == decision.state.round):
        decision.emit(*_set_slots(decision.state, combatant_id))
    if queries.kind_of(decision.state) != queries.INITIATIVE:
        decision.spawn(order.ask_arrival, combatant_id)


@reacts_to(LeftFight)
def settle_departure(decision: Decision, event: LeftFight) -> None:
    """Forget a combatant who has left."""
    order.forget_departed(decision, event.who)


@reacts_to(Placed)
def settle_place(decision: Decision, event: Placed) -> None:
    """Forget what depended on the old place."""
    order.forget_old_place(decision, event.who)


@reacts_to(Hid)
def forget_hidden(decision: Decision, event: Hid) -> None:
    """Forget who has noticed a combatant that hides again."""
    stray_fire.clear_noticed(decision, event.who)


@reacts_to(Detected)
def come_into_sight(decision: Decision, event: Detected) -> None:
    """CS-074: offer a Surprise to a combatant who leaps from cover."""
    stray_fire.clear_noticed(decision, event.who)
    ambushes.react_to_leap(decision, event)


@reacts_to(Moved, events.Confirmed)
def leap_from_cover(decision: Decision, event: Moved | events.Confirmed) -> None:
    """CS-074, CS-264: offer a Surprise to a combatant who moves or shoots from hiding."""
    ambushes.react_to_leap(decision, event)


@reacts_to(events.SegmentMoved, events.WayPlanned)
def close_way_questions(decision: Decision, event: events.SegmentMoved | events.WayPlanned) -> None:
    """Close the question about an attack without movement; see also `leap_from_cover`."""
    decision.emit(*steps.close_way_question(decision.state, event.who))
    ambushes.react_to_leap(decision, event)


@reacts_to(DamageApplied, Healed)
def settle_harm(decision: Decision, event: DamageApplied | Healed) -> None:
    """See `wound_effects`."""
    wound_effects.react_to_harm(decision, event)


@reacts_to(events.WoundsInflicted)
def collapse_by_wounds(decision: Decision, event: events.WoundsInflicted) -> None:
    """CS-624: ask for the checks of the tenth wound."""
    wound_effects.settle_collapse(decision, event)


@reacts_to(events.LifeChanged)
def drop_questions_of_fallen(decision: Decision, event: events.LifeChanged) -> None:
    """Close the questions that only combatants who are up answer."""
    if event.life != queries.UP:
        decision.emit(*wound_effects.close_questions(decision.state, event.who))


@reacts_to(events.Hit, events.Missed)
def warn_of_rear(decision: Decision, event: events.Hit | events.Missed) -> None:
    """CS-305: a combatant who survives an attack from behind is aware of the foe there."""
    combatant, target = decision.state.combatants[event.attacker], decision.state.combatants[event.target]
    if target.able and places.field_of(decision.state, target, combatant) == "R":
        decision.emit(*queries.set_traits(target, warned=True))


@reacts_to(events.Declared)
def withdraw_engagement(decision: Decision, event: events.Declared) -> None:
    """Close the offer of an engagement after a declaration."""
    decision.emit(*opportunities.withdraw_engagement(decision.state, event.who))


@reacts_to(harm_events.KnockedBack)
def withdraw_meetings(decision: Decision, event: harm_events.KnockedBack) -> None:
    """Withdraw offers near the old place of a combatant knocked back."""
    decision.emit(*paths.withdraw_offers(decision.state, event.who))


@reacts_to(events.PathsCrossed)
def renew_chances(decision: Decision, event: events.PathsCrossed) -> None:
    """L2549: paths that meet again bring a new occasion."""
    decision.emit(*places.renew_chances(decision.state, event.who, event.other))


@reacts_to(events.OpportunityOffered)
def record_offer(decision: Decision, event: events.OpportunityOffered) -> None:
    """L2549: the occasion lasts as long as its offer."""
    other = resume_of(event.prompt, OfferedOpportunity).other
    decision.emit(*places.use_chance(decision.state, event.prompt.who, other))


@reacts_to(events.OpportunityTaken)
def record_chance_taken(decision: Decision, event: events.OpportunityTaken) -> None:
    """L2545: it is a single act."""
    decision.emit(*places.use_chance(decision.state, event.who, event.target))


@reacts_to(events.CheckResolved)
def apply_feat(decision: Decision, event: events.CheckResolved) -> None:
    """Apply a Heroic Effect or Bumble of a roll."""
    feats.follow_roll(decision, event)


@reacts_to(StepBegan)
def begin_step(decision: Decision, event: StepBegan) -> None:
    """Do what a step begins with, by its kind."""
    _on_step_began(decision)


@reacts_to(StepEnded)
def end_step(decision: Decision, event: StepEnded) -> None:
    """End heroic deeds that were for one Action."""
    decision.emit(*feats.end_act_bonuses(decision.state, _resolving_id(decision.state, event.index)))


@reacts_to(events.SegmentEnded)
def end_segment(decision: Decision, event: events.SegmentEnded) -> None:
    """End rallies and charges, and ask about foes who were put out."""
    state = decision.state
    tries = tuple(each for combatant_id in state.combatants for each in wound_effects.end_rally(state, combatant_id))
    decision.emit(*tries, *steps.drop_ended_sprints(state))
    feats.ask_if_back(decision)
    hit_effects.ask_if_pinned(decision)


@reacts_to(SettingChanged)
def update_by_setting(decision: Decision, event: SettingChanged) -> None:
    """Update what depends on a changed setting."""
    state = decision.state
    refit_events = (*wound_effects.convert_pools(state, event), *rulings.refit_everybody(state, event))
    decision.emit(*refit_events)
    order.reorder_by_settings(decision, event)


@reacts_to(FightClosed)
def begin_aftermath(decision: Decision, event: FightClosed) -> None:
    """Plan healing, and ask for the cost of heroic deeds."""
    decision.emit(*healing.begin_aftermath(decision.state))
    feats.ask_costs(decision)


def _resolving_id(state: FightState, index: int) -> str:
    """The id of the combatant of a Resolution; empty for other steps."""
    steps = state.agenda.steps
    return steps[index].actor if 0 <= index < len(steps) and steps[index].kind == queries.RESOLVE else ""


def _on_step_began(decision: Decision) -> None:
    state = decision.state
    if queries.kind_of(state) == queries.INITIATIVE:
        surprises.at_start(decision)
        return
    combatant = queries.actor_of(state)
    if queries.kind_of(state) == queries.RESOLVE:
        wound_effects.offer_rally(decision)
        return
    if queries.kind_of(state) == queries.PULSE and _is_first_of_its_kind(state):
        decision.emit(*moves.plan_approaches(state))
        return
    if queries.kind_of(state) == queries.DECLARE and combatant is not None:
        opportunities.engage_mover(decision, combatant)


def _is_first_of_its_kind(state: FightState) -> bool:
    kind = queries.kind_of(state)
    return all(step.kind != kind for step in state.agenda.steps[: state.agenda.cursor])


@reacts_to(events.Resolved, events.ActionAborted)
def finish_action(decision: Decision, event: events.Resolved | events.ActionAborted) -> None:
    """Finish an Action: its helpers are done, and what waited for it follows."""
    finish_helpers = _finish_helpers if isinstance(event, events.Resolved) else _end_joint_work
    decision.emit(*_close_fallen(decision.state, event.who))
    finish_helpers(decision, event.who)
    decision.emit(*shots.finish_crossbow_action(decision.state, event.who))
    decision.spawn(shots.bite_hands, event.who)
    decision.emit(*wound_effects.end_rally(decision.state, event.who))
    if isinstance(event, events.Resolved):
        decision.emit(*steps.end_charge(decision.state.combatants[event.who]))
    follow_ups.offer_postponed(decision, event.who)


def _close_fallen(state: FightState, combatant_id: str) -> Events:
    """Close the questions of those whose attack has felled their target, and a last act that is done (CS-026)."""
    kinds = (declarations.LOST_TARGET, steps.UNSETTLED, steps.NO_WAY)
    stale = [prompt for prompt in state.prompts if prompt.kind in kinds and prompt.who == combatant_id]
    combatant = state.combatants[combatant_id]
    return (*record_moot(stale, "settled"), *queries.set_traits(combatant, last_act=False))


def _end_joint_work(decision: Decision, combatant_id: str) -> None:
    """CS-136, CS-143: an aborted Action of wearer or helper ends that of the other."""
    state = decision.state
    combatant = state.combatants[combatant_id]
    for helper in interpretation.helpers_of(state, combatant_id):
        decision.emit(*small_acts.abort_action(helper, "there is nothing left to help with"))
    wearer = interpretation.helped_by(state, combatant)
    if wearer is not None:
        decision.emit(*small_acts.abort_action(wearer, f"{combatant.name} is no longer helping"))
    decision.emit(*queries.set_traits(decision.state.combatants[combatant_id], helps=""))


def _finish_helpers(decision: Decision, combatant_id: str) -> None:
    """CS-136: end the work of helpers too; a helper who is due now resolves it in its own turn."""
    state = decision.state
    for helper in interpretation.helpers_of(state, combatant_id):
        if not (is_due(helper) and queries.slots_left(helper)):
            decision.emit(*small_acts.settle_action(state, helper, DONE, "done"))
    decision.emit(*queries.set_traits(decision.state.combatants[combatant_id], helps=""))


def _set_slots(state: FightState, combatant_id: str) -> Events:
    combatant = state.combatants[combatant_id]
    count = segment.slots_of(state, combatant)
    pool = combatant.pool(queries.SLOTS)
    return (events.SlotsOwed(who=combatant_id, before=pool.now, left=count, max=count),)


_OWN_OFFERS = (
    paths.OFFER, opportunities.REACH, opportunities.AFTER, opportunities.ENGAGE, follow_ups.REPRISAL_PROMPT,
    ambushes.LEAP, wound_effects.RALLY, declarations.LOST_TARGET, steps.UNSETTLED, steps.NO_WAY,
    strikes.MOVING_OFF,
)  # fmt: skip
"""Offers of what the combatant would have to do itself."""


@reacts_to(Downed)
def lie_down(decision: Decision, event: Downed) -> None:
    """CS-111: cancel what a fallen combatant meant to do or was offered, and offers on it; it lies down."""
    combatant_id = event.who
    if combatant_id not in decision.state.combatants:
        return
    offers = (
        prompt
        for prompt in decision.state.prompts
        if (prompt.who == combatant_id and prompt.kind in _OWN_OFFERS)
        or (prompt.kind in order.NEAR and combatant_id in concerns(prompt))
    )
    decision.emit(*record_moot(offers, "down"))
    declarations.cancel_when_down(decision, decision.state.combatants[combatant_id])
    decision.emit(*queries.set_traits(decision.state.combatants[combatant_id], posture=queries.PRONE))
    hit_effects.release_of_fallen(decision, combatant_id)
    follow_ups.drop_presence_questions(decision, combatant_id)
    decision.emit(*feats.end_foe_bonuses(decision.state, combatant_id))


@reacts_to(Restored)
def get_up(decision: Decision, event: Restored) -> None:
    """A combatant gets up; it acts from the next segment, in this one only if it has Initiative."""
    combatant_id = event.who
    combatant = decision.state.combatants.get(combatant_id)
    if combatant is None:
        return
    if fighter_of(combatant).life != queries.UP:
        decision.emit(
            events.LifeChanged(
                who=combatant_id,
                traits={**condition.life_traits(combatant, queries.UP), "life_until": 0},
                life=queries.UP,
            )
        )
    if decision.state.step is not None and queries.kind_of(decision.state) != queries.INITIATIVE:
        here = decision.state.combatants[combatant_id]
        if queries.initiative_of(here) is None:
            decision.spawn(order.ask_arrival, combatant_id)
        else:
            order.rearrange_segment(decision, "up again")
