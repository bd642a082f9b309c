"""Starting, stepping on and closing: the commands that move the agenda, what it does by itself, answers to prompts."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from fightcall_engine.kit.agenda import take_defaults
from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import data_text, record_answer
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.slots import (
    acting,
    cycle,
    falling,
    interrupts,
    npcs,
    outro,
    preparing,
    problems,
    rounds,
    several,
    upkeep,
)
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots.cycle import BAND, UPKEEP, VOLUNTEER

# Commands


def decide_start(decision: Decision, command: cm.Start) -> ev.Events:
    """Begin the encounter (AP-01); later rounds begin by themselves (AP-11)."""
    state = decision.state
    if state.status != "setup":
        raise Refused("AP-11", "the encounter has begun; rounds follow each other", ("advance",), final=True)
    return preparing.begin(state)


def decide_advance(decision: Decision, command: cm.Command) -> ev.Events:
    """The next step: questions that block take their defaults, else offers lapse and what runs is closed."""
    state = decision.state
    blocking = tuple(prompt for prompt in state.prompts if prompt.blocking)
    if blocking:
        # To go on past a question of Upkeep is to let all that is left of it take its course.
        at_once = any(prompt.kind in ("upkeep", "upkeep_effect") for prompt in blocking)
        return (*take_defaults(decision, blocking, answer), *(_at_once(state) if at_once else ()))
    if state.status == "setup":
        return preparing.begin(state)
    lapsed = take_defaults(decision, state.prompts, answer)
    return (*lapsed, *_closing(fold_all(state, lapsed)))


def _at_once(state: FightState) -> ev.Events:
    """AP-42: Upkeep is not gone through effect by effect."""
    return (fg.set_fact(state, "upkeep", upkeep.ITEMS),)


def _closing(state: FightState) -> ev.Events:
    """What a step of the GM's closes, where nothing is being asked."""
    step = state.step
    if step is None:
        return ()
    owed = preparing.missing(state) if step.kind in (preparing.AWARENESS, preparing.INITIALIZATION) else ()
    if owed:
        return tuple(sev.CheckAsked(prompt=preparing.awareness_prompt(state, combatant)) for combatant in owed)
    if step.kind == preparing.ORDERING:
        return preparing.open_initialization(state)
    if step.kind == preparing.INITIALIZATION:
        return preparing.lock(state)
    ended = rounds.end_all(state, "closed")
    if ended or fg.text_fact(state, "last_call") != rounds.SPENDING:
        return ended
    return (fg.set_fact(state, "last_call", rounds.CLOSING),)


def end_checks(state: FightState, combatant_id: str) -> tuple[Check, ...]:
    """AP-17: one's own Active Phase must run. Q-A7: who has fallen, and kept the place, can be passed by too."""
    combatant = state.combatants[combatant_id]
    return (fg.pc_check(combatant), fg.phase_check(combatant, "AP-17"), fg.settled_check(state))


def decide_end_ap(decision: Decision, command: scm.EndAP) -> ev.Events:
    """AP-16, AP-17: a PC is done."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    enforce(end_checks(state, combatant.id), referee)
    return rounds.end_ap(state, combatant.id, "ended") if fg.is_active(combatant) else ()


def decide_waive(decision: Decision, command: cm.Waive) -> ev.Events:
    """To let the rest of one's Active Phase go is to end it."""
    state = decision.state
    if command.who:
        return decide_end_ap(decision, scm.EndAP(who=command.who))
    ours = [combatant for combatant in fg.actives(state) if not command.side or combatant.side == command.side]
    if not ours:
        raise Refused("AP-17", "no Active Phase is running", ("advance",), final=True)
    return tuple(event for combatant in ours for event in rounds.end_ap(state, combatant.id, "ended"))


def decide_round_start(decision: Decision, command: scm.RoundStart) -> ev.Events:
    """AP-11: on to the next Full Round, from Initialization or from Upkeep."""
    state = decision.state
    if state.phase in (preparing.ORDERING, preparing.INITIALIZATION):
        return preparing.decide_lock(decision, scm.Lock())
    if state.step is not None and state.step.kind == UPKEEP:
        return decide_advance(decision, cm.Advance())
    why = f"Full Round {state.round} is running" if state.round else "there is no Cycle yet"
    raise Refused("AP-11", why, ("lock", "upkeep"), final=True)


def upkeep_checks(state: FightState) -> tuple[Check, ...]:
    """AP-26, AP-28: Upkeep comes when every PC of the round has had its Active Phase."""
    left = [state.combatants[combatant_id].name for combatant_id in cycle.later_members(state)]
    running = state.step is not None and state.step.kind in (BAND, VOLUNTEER, UPKEEP)
    return (
        Check(running, "AP-42", "no Full Round is running", ("start", "lock")),
        Check(not left, "AP-26", f"still to have their Active Phase: {', '.join(left)}", ("advance",)),
    )


def decide_upkeep(decision: Decision, command: scm.Upkeep) -> ev.Events:
    """AP-42: through Upkeep at one go; a round that still runs is closed first."""
    state, referee = decision.state, decision.referee
    if state.step is None or state.step.kind not in (BAND, VOLUNTEER, UPKEEP):
        raise Refused("AP-42", "no Full Round is running", ("start", "lock"), final=True)
    enforce(upkeep_checks(state), referee)
    if state.step.kind != UPKEEP:
        lapsed = take_defaults(decision, state.prompts, answer)
        outside = (fg.set_fact(state, "outside", command.outside),) if command.outside else ()
        return (*lapsed, *outside, fg.set_fact(state, "until", "upkeep"))
    open_item = next((prompt for prompt in state.prompts if prompt.kind == "upkeep"), None)
    if open_item is None:
        return take_defaults(decision, tuple(prompt for prompt in state.prompts if prompt.blocking), answer)
    if not command.outside:
        blocking = tuple(prompt for prompt in state.prompts if prompt.blocking)
        return (*take_defaults(decision, blocking, answer), *_at_once(state))
    return (record_answer(open_item, command.outside, default=False), *_at_once(state))


def decide_close(decision: Decision, command: cm.Close) -> ev.Events:
    """The GM ends the encounter, whatever is left of it."""
    return (sev.EncounterEnded(reason=command.reason or "ended"),)


# By itself


def settle(state: FightState) -> ev.Events:
    """What happens by itself when all is quiet."""
    step = state.step
    if state.status != "running":
        return ()
    if state.agenda.cursor == -1 and state.agenda.steps and state.round:
        return rounds.open_next(state, 0)
    if step is None:
        return ()
    if step.kind == BAND:
        refit = cycle.fit(state) or rounds.moot_call(state)
        if refit:
            return refit
    if state.blocked():
        return ()
    if step.kind == preparing.AWARENESS:
        done = fg.pcs(state) and not preparing.missing(state)
        return preparing.order(state) if done else ()
    if step.kind == preparing.INITIALIZATION:
        return () if preparing.missing(state) else preparing.lock(state)
    if step.kind in (BAND, VOLUNTEER):
        if fg.text_fact(state, "until"):
            return _cut_short(state)
        return rounds.settle_band(state, step)
    return _settle_upkeep(state) if step.kind == UPKEEP else ()


def _cut_short(state: FightState) -> ev.Events:
    """The GM goes on to Upkeep: whoever is active is done, and the round closes."""
    ended = rounds.end_all(state, "closed")
    if ended:
        return ended
    index = state.agenda.cursor
    step = state.agenda.steps[index]
    kind = sev.FinalPhaseEnded if step.phase == "final" else sev.BandEnded
    close = next(place for place, step in enumerate(state.agenda.steps) if step.kind == cycle.CLOSE)
    return (
        kind(index=index, phase=step.phase, side=step.side, reason="on to Upkeep"),
        *rounds.close_round(state, close),
    )


def _settle_upkeep(state: FightState) -> ev.Events:
    part = upkeep.settle(state)
    if part is not None:
        return part
    if outro.wants_an_end(state):
        return (ev.RulingAsked(prompt=outro.outro_prompt(state)),)
    return outro.after_upkeep(state)


# Answers


def _last_call(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    state = decision.state
    value = rounds.SPENDING if given.choice == "spend" else rounds.CLOSING
    return (fg.set_fact(state, "last_call", value),)


def _upkeep(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    state = decision.state
    if given.choice == "more":
        # A note says what else it resolves, and that is recorded; without one it is asked for.
        again = upkeep.outside_prompt(state) if given.note.strip() else None
        return (sev.OutsideUpkeepAsked(prompt=again) if again else ev.RulingAsked(prompt=upkeep.more_prompt()),)
    if given.choice == "all":
        return _at_once(state)
    return outro.threats_over(state) if given.choice == "over" else ()


def _upkeep_item(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    """The item is recorded, and the question put again: there may be another."""
    state = decision.state
    return (sev.OutsideUpkeepAsked(prompt=upkeep.outside_prompt(state)),)


def _zero(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    state = decision.state
    return falling.fate(state, prompt.who, given.choice)


def _finished(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    state = decision.state
    felled = falling.fate(state, prompt.who, given.choice)
    by, what = data_text(prompt, "by"), data_text(prompt, "what")
    known = interrupts.remember_harm(state, by, what, prompt.who, felled) if by in state.combatants else ()
    return (*felled, *known)


def _dropout(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    state = decision.state
    combatant = state.combatants[prompt.who]
    return (fg.set_trait(combatant, "keep_place", True),) if given.choice == "keep" else ()


Answering = Callable[[Decision, Prompt, cm.Answer], ev.Events]

ANSWERS: Mapping[str, Answering] = {
    "awareness": lambda decision, prompt, given: preparing.answer_awareness(
        decision.state, prompt, given, decision.dice
    ),
    "stay": lambda decision, prompt, given: preparing.answer_stay(decision.state, prompt, given),
    "stay_place": lambda decision, prompt, given: preparing.answer_stay_place(decision.state, prompt, given),
    "init": lambda decision, prompt, given: preparing.answer_init(decision.state, prompt, given),
    "late": lambda decision, prompt, given: preparing.answer_late(decision.state, prompt, given),
    "npc": lambda decision, prompt, given: npcs.answer_npc(decision.state, prompt, given),
    "reserved": acting.answer_allowed,
    "interrupt": acting.answer_allowed,
    "outcome": lambda decision, prompt, given: acting.answer_outcome(decision.state, prompt, given, decision.dice),
    "shared": lambda decision, prompt, given: acting.answer_shared(decision.state, prompt, given, decision.referee),
    "range": several.answer_range,
    "sealed": lambda decision, prompt, given: several.answer_sealed(decision.state, prompt, given, decision.dice),
    "finish": lambda decision, prompt, given: several.answer_finish(decision.state, prompt, given),
    "last_call": _last_call,
    "upkeep": _upkeep,
    "upkeep_item": _upkeep_item,
    "upkeep_effect": lambda decision, prompt, given: upkeep.answer_item(decision.state, prompt, given),
    "upkeep_waived": lambda decision, prompt, given: (),
    "zero": _zero,
    "finished": _finished,
    "dropout": _dropout,
    "outro": lambda decision, prompt, given: outro.answer_outro(decision.state, prompt, given),
    "outro_words": lambda decision, prompt, given: outro.choose_outro(
        decision.state, given.choice.strip() or "ended", ""
    ),
    "issue": lambda decision, prompt, given: problems.answer_issue(decision.state, prompt, given),
}


def answer(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    """What an answer causes, beside the record of it."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    if prompt.who and prompt.who not in state.combatants:
        return ()
    if data_text(prompt, "target") and data_text(prompt, "target") not in state.combatants:
        return ()
    state = replace(state, prompts=tuple(question for question in state.prompts if question.id != prompt.id))
    return ANSWERS[prompt.kind](Decision(state, dice, referee), prompt, given)
