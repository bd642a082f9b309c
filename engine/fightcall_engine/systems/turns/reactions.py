"""Reactions to events: falling, newcomers and leavers, opportunities, and dependent pools."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import reacts_to
from fightcall_engine.kit.prompts import record_moot, renew_questions
from fightcall_engine.kit.records import sheet_int
from fightcall_engine.model.events import (
    Downed,
    EffectEnded,
    Joined,
    LeftFight,
    PoolAdjusted,
    Restored,
    Returned,
    SettingChanged,
    Spent,
    Waived,
)
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.model.values import copy_with
from fightcall_engine.systems.turns import events, offers, records, roster, scenes, steps
from fightcall_engine.systems.turns.records import progress_of, scene_of, settings_of


@reacts_to(Spent)
def fall_by_spending(decision: Decision, event: Spent) -> None:
    """Put down a combatant who spends the last hit points."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None and combatant.able and event.pool == "hp" and event.left == 0:
        decision.emit(Downed(who=event.who))


@reacts_to(events.PoolsRestored)
def rise_by_restoring(decision: Decision, event: events.PoolsRestored) -> None:
    """Restore a combatant who has hit points again."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None and not combatant.able and event.pool == "hp" and event.before == 0 < event.left:
        decision.emit(Restored(who=event.who))


@reacts_to(Downed)
def settle_fall(decision: Decision, event: Downed) -> None:
    """ST-13, ST-18: close questions about turns of a combatant who is down.

    Q-T10: a fall in the start steps of its own turn is remembered until step 5.
    """
    asked = [each for each in decision.state.prompts if (each.kind, each.who) == ("free_action", event.who)]
    decision.emit(*record_moot(asked, f"{event.who} can't act"))
    if records.is_offered(decision.state, event.who):
        decision.emit(*record_moot(offers.prompts_of_offer(decision.state)))
    decision.emit(*renew_questions(decision.state, f"{event.who} can't act", {"step_in": _step_in}))
    running = records.running_turn(decision.state)
    if running is not None and running.id == event.who and decision.state.phase in records.START_STEPS:
        decision.set_facts(progress=copy_with(progress_of(decision.state), fell=True))


@reacts_to(Restored)
def take_up_again(decision: Decision, event: Restored) -> None:
    """Let a combatant who can act again pay after all, and roll Initiative if they have none."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None:
        steps.ask_to_pay_after_all(decision, combatant)
        roster.ask_for_initiative(decision, combatant)


@reacts_to(events.TurnPassed)
def ask_downed_for_upkeep(decision: Decision, event: events.TurnPassed) -> None:
    """ST-24: ask about upkeeps of a combatant who is down, as they have no step 2 to pay in."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None and not combatant.able:
        steps.ask_for_upkeeps_of_downed(decision, combatant)


@reacts_to(Joined)
def admit_newcomer(decision: Decision, event: Joined) -> None:
    """Insert a newcomer into a running fight."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None and decision.state.status == "running":
        roster.admit_newcomer(decision, combatant, is_back=isinstance(event, Returned))


@reacts_to(LeftFight)
def settle_departure(decision: Decision, event: LeftFight) -> None:
    """Close the questions about a leaver, and remove them from the order."""
    decision.withdraw_about(event.who)
    roster.settle_departure(decision, event.who)
    decision.emit(*renew_questions(decision.state, f"{event.who} has left", _RENEWED))


def _left_out(state: FightState, prompt: Prompt) -> Prompt | None:
    missing = records.participants_left_out(state)
    return scenes.left_out_prompt(missing) if missing else None


def _mode(state: FightState, prompt: Prompt) -> Prompt | None:
    return scenes.going_on_prompt(state) if scenes.is_going_on(prompt) else prompt


def _step_in(state: FightState, prompt: Prompt) -> Prompt | None:
    """ST-18: renew the question for the remaining delayers."""
    combatant = state.combatants.get(prompt.about[0])
    ids = {choice.id for choice in prompt.choices}
    others = [delayer for delayer in records.delayers(state) if delayer.id in ids]
    return offers.step_in_prompt(combatant, others) if combatant is not None and others else None


_RENEWED: Mapping[str, Callable[[FightState, Prompt], Prompt | None]] = {
    "left_out": _left_out,
    "mode": _mode,
    "step_in": _step_in,
}


@reacts_to(EffectEnded)
def drop_questions_about_effect(decision: Decision, event: EffectEnded) -> None:
    """Close the questions about an effect that is over."""
    stale = steps.questions_about(decision.state, event.effect)
    decision.emit(*record_moot(stale, "the effect has ended"))


@reacts_to(events.TurnTaken, Waived)
def give_everyone_a_chance(decision: Decision, event: events.TurnTaken | Waived) -> None:
    """ST-10: record that all have had an opportunity."""
    state = decision.state
    everyone = scene_of(state).everyone
    if records.mode_of(state) == records.FREE and not records.waiting(state) and not everyone:
        decision.emit(events.EveryoneHadAChance(before=everyone))


@reacts_to(PoolAdjusted)
def adjust_reactions(decision: Decision, event: PoolAdjusted) -> None:
    """ST-31: set the number of Reactions to that of Actions."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is None or event.pool != records.ACTIONS:
        return
    points = combatant.pool(records.REACTIONS)
    if points.max == event.max:
        return
    left = event.max if points.now == points.max else min(points.now, event.max)
    records.adjust(decision, combatant, records.REACTIONS, left, event.max, "as many as Actions (ST-31)")


@reacts_to(SettingChanged)
def adjust_actions(decision: Decision, event: SettingChanged) -> None:
    """Q-T1: apply a changed default number of Actions to all whose sheets give none."""
    if event.setting != "actions_default":
        return
    most = records.actions_per_turn({}, settings_of(decision.state))
    for combatant in decision.state.roster:
        if sheet_int(combatant, "actions") is None:
            scenes.set_actions(decision, combatant, most, "Q-T1")
