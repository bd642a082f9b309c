"""The question before an Action that is due goes unsettled: nothing that was declared is lost without it (CS-092)."""

from __future__ import annotations

from fightcall_engine.kit.checks import first_broken
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.prompts import choices, prompt_for, record_moot
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.actions import prospects
from fightcall_engine.systems.segments.combat import attack_values, follow_ups
from fightcall_engine.systems.segments.positions import places, ways
from fightcall_engine.systems.segments.round import resolution
from fightcall_engine.systems.segments.state import commands, figures, progress
from fightcall_engine.systems.segments.state.action import ATTACKS, CHARGE, COMBINATION, action_of, targets_of
from fightcall_engine.systems.segments.state.battle import SEPARATE, Blow
from fightcall_engine.systems.segments.state.fighter import Action, fighter_of
from fightcall_engine.systems.segments.state.progress import busy_with
from fightcall_engine.systems.segments.state.questions import UnsettledAction

ASKED, NO_WAY = "unsettled", "no_way"
"""The kinds of the questions: about what is due now, and about an attack without a way."""

SETTLE, GO = "settle", "go"


def is_asked(state: FightState, combatant: Combatant) -> bool:
    """True where it has been asked about what is due now; not where a part of it has been settled since."""
    question = UnsettledAction(struck=action_of(combatant).struck)
    return any(each.resume == question for each in questions_to(state, combatant.id))


def questions_to(state: FightState, combatant_id: str) -> tuple[Prompt, ...]:
    """The open ones that somebody is asked."""
    return tuple(prompt for prompt in state.prompts if prompt.kind == ASKED and prompt.who == combatant_id)


def open_question(state: FightState, combatant: Combatant) -> Prompt | None:
    """What is asked before play goes on over an attack or a check that is due; None where nothing would be lost."""
    action = action_of(combatant)
    if not progress.would_be_lost(action) and not _has_second_left(state, combatant):
        return None
    against = _what_stands_against(state, combatant)
    why = f" As things stand: {against}." if against else ""
    ways = () if against else (f"{SETTLE}:settle it as declared",)
    return prompt_for(
        combatant,
        kind=ASKED,
        question=f"{combatant.name} has not settled: {busy_with(combatant)}.{why} Let it go?",
        rule="CS-092",
        choices=choices(f"{GO}:let it go:y", *ways),
        default=GO,
        blocking=False,
        resume=UnsettledAction(struck=action.struck),
    )


def _has_second_left(state: FightState, combatant: Combatant) -> bool:
    """CS-341: true where one weapon has struck and the other was declared too."""
    action = action_of(combatant)
    return bool(action.struck) and action.second in follow_ups.more_to_strike(state, combatant)


def _what_stands_against(state: FightState, combatant: Combatant) -> str:
    """Why it cannot be settled as it was declared; empty where it can."""
    action = action_of(combatant)
    if action.kind not in ATTACKS:
        return ""
    if not targets_of(state, action):
        return "nobody is named as its target"
    mode = SEPARATE if action.kind == COMBINATION and not action.mode else ""
    blow = resolution.declared_blow(state, combatant, action, commands.Resolve(who=combatant.id, mode=mode))
    broken = first_broken(resolution.attack_checks(state, combatant, action, blow))
    return f"{broken.message} ({broken.rule})" if broken is not None else ""


def way_questions(state: FightState) -> tuple[Prompt, ...]:
    """What is said before play goes on from an attack without its walk, where there are no Pulses (CS-090, CS-539)."""
    return tuple(
        prompt_for(
            combatant,
            kind=NO_WAY,
            question=f"{combatant.name} {why}. Let it stand?",
            rule="CS-539" if action_of(combatant).kind == CHARGE else "CS-090",
            choices=choices(f"{GO}:let it stand:y"),
            default=GO,
            blocking=False,
        )
        for combatant in figures.all_able(state)
        if (why := why_in_vain(state, combatant))
    )


def why_in_vain(state: FightState, combatant: Combatant) -> str:
    """What an attack declared in the running step lacks; empty for nothing."""
    action = action_of(combatant)
    if not _is_declared_now(state, combatant, action):
        return ""
    if ways.uses_pulses(state) or action.kind not in ATTACKS:
        # In the Pulses whoever strikes or charges goes for the target without being told.
        return ""
    if action.kind == CHARGE:
        return "charges, and has not run: move first" if _has_not_run(state, combatant, action) else ""
    far = next((blow for blow in prospects.declared_blows(state, combatant, action) if must_walk(state, blow)), None)
    return f"does not reach {state.combatants[far.target].name} from here: move first" if far is not None else ""


def must_walk(state: FightState, blow: Blow) -> bool:
    """True for whoever does not reach the target from here, and can come nearer before the blow."""
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    if blow.ranged:
        return False
    is_out_of_reach = first_broken(attack_values.reach_checks(state, combatant, target, blow)) is not None
    return is_out_of_reach and prospects.walks_up(state, blow)


def _is_declared_now(state: FightState, combatant: Combatant, action: Action) -> bool:
    """True for what was declared in the running step, for this segment."""
    whose = figures.actor_of(state)
    in_this_step = whose is combatant or (state.step is not None and fighter_of(combatant).inserted == state.step.id)
    due = progress.due_slot(state, combatant, action) if in_this_step and action.is_open else None
    return due is not None and action.cs == due.segment == state.round


def _has_not_run(state: FightState, combatant: Combatant, action: Action) -> bool:
    """True for who has not moved, and is not near."""
    near = any(places.is_engaged(state, combatant, target) for target in targets_of(state, action))
    return not near and not fighter_of(combatant).moved


def under_way(state: FightState, combatant_id: str) -> Events:
    """Whoever has a way needs no question about it any more."""
    return record_moot(
        [each for each in state.prompts if each.kind == NO_WAY and each.who == combatant_id], "has a way"
    )


@answers(ASKED)
def answer(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """It is let go, or settled as it was declared."""
    state = decision.state
    if answer.choice == SETTLE:
        resolution.decide_resolve(decision, commands.Resolve(who=prompt.who))
        return
    decision.emit(*progress.pass_over_events(state, state.combatants[prompt.who]))
