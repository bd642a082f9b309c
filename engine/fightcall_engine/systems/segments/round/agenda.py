"""Starting, stepping on and closing: the commands that move the agenda, what it does by itself, answers to prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fightcall_engine.kit.agenda import take_defaults
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, record_answer
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.segments.actions import (
    ambushes,
    declarations,
    heroic_deeds,
    moves,
    object_deeds,
    opportunities,
    postures,
    questions,
    surprise_effects,
    surprise_rolls,
)
from fightcall_engine.systems.segments.combat import (
    bows,
    contests,
    feat_menu,
    feats,
    hit_effects,
    knockdowns,
    presence_attacks,
    reprisal_offers,
    reprisals,
    stray_fire,
    strikes,
)
from fightcall_engine.systems.segments.injury import healing, pain, rally
from fightcall_engine.systems.segments.positions import meetings
from fightcall_engine.systems.segments.round import fate, loose_ends, order, pulses, segment, steps
from fightcall_engine.systems.segments.state import action as act
from fightcall_engine.systems.segments.state import commands as scm
from fightcall_engine.systems.segments.state import figures as fg
from fightcall_engine.systems.segments.state import progress, rolls

# Commands of every system

STEPS = (cm.Start, cm.Advance, cm.Waive, cm.Close)
"""Commands that move the agenda: what rolls in them are answers that they take for granted."""


def decide_start(decision: Decision, command: cm.Start) -> ev.Events:
    """The contest begins with its first segment (CS-002, CS-003)."""
    state = decision.state
    if not state.combatants:
        raise Refused("CS-004", "nobody is here to take part", ("join Ash",), final=True)
    if state.step is not None:
        raise Refused("CS-031", f"segment {state.round} is running; the next follows it", ("advance",), final=True)
    opened = (ev.FightOpened(name=command.name),) if state.status == "setup" else ()
    return (*opened, *segment.begin(state))


def decide_advance(decision: Decision, answer: Answering) -> ev.Events:
    """The next step: questions that block take their defaults, those that have one; else play goes on, offers lapse."""
    state, dice = decision.state, decision.dice
    blocking = tuple(prompt for prompt in state.prompts if prompt.blocking)
    if blocking:
        known = tuple(prompt for prompt in blocking if prompt.default)
        return take_defaults(decision, known or blocking, answer)
    if state.status == "setup" or state.step is None:
        return decide_start(decision, cm.Start())
    lapsed, combatant = fg.lapse_offers(state), fg.actor(state)
    let_go = combatant is not None and loose_ends.is_asked(state, combatant)
    return (*lapsed, *_advance_step(fold_all(state, lapsed), dice, let_go=let_go))


def _advance_step(state: FightState, dice: Dice, *, let_go: bool) -> ev.Events:
    """The next step; `let_go` where the GM has been asked about the Action that is due."""
    kind = fg.kind_of(state)
    combatant = fg.actor(state)
    if kind == fg.INITIATIVE:
        if not fg.able(state):
            return (ev.RulingAsked(prompt=stalled_prompt()),)
        return order.rolled_by(state, fg.missing(state), dice)
    if kind == fg.PULSE:
        course = Decision(state)
        course.emit(*pulses.run_pulse(state))
        if not course.state.prompts and pulses.is_over(course.state):
            course.emit(*steps.go_on(course.state))
        return course.events
    if moves.interrupted_movers(state) or fg.text_fact(state, "interrupted"):
        course = Decision(state)
        course.emit(*meetings.resume_movement(course.state))
        course.emit(*moves.finish(course.state, moves.interrupted_movers(course.state)))
        if not course.state.prompts:
            course.emit(*_advance_step(course.state, dice, let_go=let_go))
        return course.events
    if kind == fg.DECLARE and combatant is not None:
        if not act.action_of(combatant).is_open and combatant.able and declarations.may_wait(state, combatant):
            return declarations.start_waiting(combatant)
        course = Decision(state)
        course.emit(*declarations.commit_action(state, combatant))
        course.emit(*steps.go_on(course.state))
        return course.events
    if kind == fg.RESOLVE and combatant is not None:
        asked = None if let_go else loose_ends.question(state, combatant)
        return progress.passed_over(state, combatant) if asked is None else (ev.RulingAsked(prompt=asked),)
    return steps.go_on(state)


def decide_waive(decision: Decision, command: cm.Waive) -> ev.Events:
    """To let one's turn to declare go by is to wait (CS-160)."""
    state = decision.state
    combatant = combatant_of(state, command.who) if command.who else fg.actor(state)
    if combatant is None:
        raise Refused("CS-160", "nobody is to declare now", ("advance",), final=True)
    return declarations.decide_wait(decision, scm.Wait(who=combatant.id))


def decide_close(decision: Decision, command: cm.Close) -> ev.Events:
    """CS-101: the contest is over."""
    state = decision.state
    if state.status == "setup":
        raise Refused("CS-002", "the contest has not begun", ("start",), final=True)
    return (ev.FightClosed(reason=command.reason or "ended"),)


def stalled_prompt() -> Prompt:
    """Segments without anybody to act would go on for ever."""
    return Prompt(
        id="",
        kind="stalled",
        question="Nobody can act any more. Is the contest over?",
        rule="CS-101",
        choices=choices("close:yes, it is over", "stay:not yet:n"),
        default="close",
    )


def decide_move(decision: Decision, command: cm.Move) -> ev.Events:
    """Move: out of turn whoever has traded a Reprisal for it (CS-484), else in movement."""
    state, referee = decision.state, decision.referee
    return reprisals.move_off(state, command, referee) or pulses.decide_move(decision, command)


# By itself


def settle(state: FightState) -> ev.Events:
    """What happens by itself when all is quiet: steps open and close until somebody has something to say."""
    if state.status != "running" or state.blocked() or not state.agenda.steps:
        return ()
    if state.agenda.cursor == -1:
        return steps.open_from(state, 0)
    if fg.text_fact(state, "interrupted"):
        return meetings.resume_movement(state)
    if state.step is None:
        return segment.begin(state) if fg.able(state) else (ev.RulingAsked(prompt=stalled_prompt()),)
    return steps.go_on(state) if steps.is_over(state) else ()


# Answers

Answering = Callable[[Decision, Prompt, cm.Answer], ev.Events]

CommandHandlers = Mapping[type[cm.Command], Callable[[Decision, Any], ev.Events]]


def _check(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    """A check that was asked for is rolled, and what hangs on it follows."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    verdict = rolls.answered_with(prompt, given, dice, state)
    course = Decision(state)
    course.emit(*verdict.events)
    after = rolls.AFTERWARDS.get(str(prompt.data.get("then") or ""))
    if after is not None:
        course.emit(*after(Decision(course.state, dice, referee), prompt, verdict))
    return course.events


def _resolve_stall(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    return (ev.FightClosed(reason="nobody can act"),) if given.choice == "close" else ()


def _lost_target(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    state = decision.state
    combatant = state.combatants.get(prompt.who)
    return (
        progress.abort_action(combatant, "the target is gone")
        if combatant is not None and given.choice == "abort"
        else ()
    )


ANSWERS: dict[str, Answering] = {
    rolls.ASKED: _check,
    "tie": order.answer_tie,
    "arrival": order.answer_arrival,
    "stalled": _resolve_stall,
    declarations.LOST_TARGET: _lost_target,
    loose_ends.ASKED: loose_ends.answer,
    "startled": surprise_effects.answer_startled,
    "failed_dv": surprise_effects.answer_failed_dv,
    surprise_rolls.RUSED: surprise_rolls.answer_ruse,
    surprise_rolls.HOW_FAR: surprise_rolls.answer_how_far,
    ambushes.LEAP: ambushes.answer_leap,
    meetings.OFFER: opportunities.answer_offer,
    "reach": opportunities.answer_reach,
    "after_opportunity": opportunities.answer_after,
    "engage": opportunities.answer_engage,
    "pursuit": postures.answer_pursuit,
    hit_effects.ASKED: hit_effects.answer,
    hit_effects.POT: hit_effects.answer_pot,
    knockdowns.MISMATCH: knockdowns.answer_mismatch,
    knockdowns.FALL: knockdowns.answer_fall,
    pain.PRES: pain.answer_pres,
    pain.BARRIER: pain.answer_barrier,
    rally.OFFER: rally.answer,
    presence_attacks.NOTEWORTHY: presence_attacks.answer_noteworthy,
    presence_attacks.FEAR: presence_attacks.answer_fear,
    feats.HEROIC: feats.answer,
    feats.BUMBLE: feats.answer,
    feats.DOUBLE: feats.answer_hit,
    feats.DEFENDED: feats.answer_defended,
    feats.BACK: feats.answer_back,
    feat_menu.NUMBER: feat_menu.answer_number,
    strikes.LOST: strikes.answer_lost,
    contests.LOST: contests.answer_lost,
    heroic_deeds.COST: heroic_deeds.answer_cost,
    feat_menu.WHICH: heroic_deeds.answer_deed,
    healing.UNTENDED: healing.answer_untended,
    healing.SETBACK: healing.answer_setback,
    healing.CARRIED: healing.answer_carried,
    reprisal_offers.ASKED: reprisals.answer,
    reprisals.MOVING_OFF: reprisals.answer_where,
    bows.BITTEN: bows.answer_bitten,
    stray_fire.LISTED: stray_fire.answer_line,
    **object_deeds.ANSWERS,
    questions.PIECE: declarations.answer_piece,
    questions.PAIR: declarations.answer_pair,
    questions.SHARE: lambda decision, prompt, given: questions.answer_share(decision.state, prompt, given),
}
"""What an answer leads to, by the kind of its prompt."""


def answer(decision: Decision, prompt: Prompt, given: cm.Answer, commands: CommandHandlers) -> ev.Events:
    """What an answer causes, beside the record of it. A question about somebody who has left causes nothing.

    Args:
        decision: the fight, the dice, the referee.
        prompt: the question.
        given: the answer.
        commands: what decides each command, for those that were held back until a question on fate is answered.
    """
    state, dice, referee = decision.state, decision.dice, decision.referee
    concerned = (prompt.who, *str(prompt.data.get("about") or "").split())
    if any(combatant_id and combatant_id not in state.combatants for combatant_id in concerned):
        return ()
    asked = fold_all(state, (record_answer(prompt, given.choice, default=False),))
    if prompt.kind == fate.FATE:
        return fate.answer(Decision(asked, dice, referee), prompt, given, fate.Handlers(commands, ANSWERS))
    caused = ANSWERS[prompt.kind](Decision(asked, dice, referee), prompt, given)
    return fate.after_answer(asked, prompt, given, caused)
