"""Pain: fainting, fighting through it, being stunned, and what a barrier adds (CS-610 to CS-619)."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event, Events, RulingAsked
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.injury import collapse, difficulty, wound_effects
from fightcall_engine.systems.segments.injury.collapse import FAINT, FIGHT_ON
from fightcall_engine.systems.segments.rules import wounds
from fightcall_engine.systems.segments.rules.checks import prog
from fightcall_engine.systems.segments.rules.numbers import halve
from fightcall_engine.systems.segments.state import commands, events, figures, health, rolls
from fightcall_engine.systems.segments.state.questions import PainCheck, UnknownPres
from fightcall_engine.systems.segments.state.rolls import Verdict

PRES, BARRIER = "pres", "barrier_stun"
"""Kinds of prompts: what somebody's P-RES is, whether a barrier stuns him."""


def ask_pain_check(state: FightState, combatant: Combatant, through: int) -> Events:
    """CS-610: the P-RES check that a blow asks, or what P-RES is where nobody has entered it; nothing without either.

    Args:
        state: the fight.
        combatant: who is hit.
        through: POT after clothing and armour, with what a barrier added.
    """
    if through <= 0 or not combatant.able:
        return ()
    pres = wound_effects.pres_of(combatant)
    if pres is None:
        return (RulingAsked(prompt=_unknown_prompt(combatant, through)),)
    beyond = wounds.excess(through, wound_effects.bearable_pot(combatant) or 0)
    return _faint_check(state, combatant, beyond, pres) if beyond else ()


def _faint_check(state: FightState, combatant: Combatant, beyond: int, pres: int | None) -> Events:
    total = None if pres is None else difficulty.attack_value(state, combatant, "P-RES", pres, "CS-610")
    dv_sum = difficulty.dv_of(state, lambda scale: wounds.pain_dv(beyond, scale))
    av, dv = difficulty.rounded_difficulty(total), difficulty.rounded_difficulty(dv_sum)
    parts = rolls.parts_of(*(each for each in (total, dv_sum) if each is not None))
    question = (
        f"{combatant.name}, faint check, {beyond} POT beyond bearing: P-RES {av}{difficulty.describe_difficulty(dv)}"
    )
    check = PainCheck(then=FAINT, what="P-RES", av=av, dv=dv, beyond=beyond)
    prompt = rolls.check_prompt(state, combatant, "CS-610", check, message=question)
    return (rolls.request_check(combatant.id, "P-RES", av, dv, parts), RulingAsked(prompt=prompt))


# Unknown P-RES


def _unknown_prompt(combatant: Combatant, through: int) -> Prompt:
    return prompt_for(
        combatant,
        kind=PRES,
        question=f"{combatant.name}: {through} POT comes through, and P-RES has not been entered. What is it?",
        rule="CS-610",
        choices=choices("none:not less than that", "faints"),
        amount="P-RES",
        resume=UnknownPres(through=through),
    )


@answers(PRES)
def answer_pres(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-610: P-RES by the GM's word, kept for all of his squad who have none; or what comes of it.

    Raises:
        Refused: it is no score.
    """
    state = decision.state
    combatant = state.combatants[prompt.who]
    if answer.choice == "none":
        return
    if answer.choice == "faints":
        collapse.take_down(decision, combatant, figures.UNCONSCIOUS)
        return
    if not isinstance(answer.amount, int) or not 0 <= answer.amount <= _MOST_PRES:
        raise Refused("CS-610", f"{answer.amount!r} is no P-RES", (f"0 to {_MOST_PRES}", "none", "faints"), final=True)
    for other in state.combatants.values():
        alike = other.id == combatant.id or (bool(combatant.squad) and other.squad == combatant.squad)
        if alike and wound_effects.pres_of(other) is None:
            decision.emit(*figures.set_traits(other, pres=answer.amount))
    through = resume_of(prompt, UnknownPres).through
    decision.emit(*ask_pain_check(decision.state, decision.state.combatants[combatant.id], through))


_MOST_PRES = 99


# Fainting, fighting on


@rolls.on_check_result(FAINT)
def _bear_pain(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    """CS-611, CS-612: he faints, or has to fight through it."""
    state = decision.state
    combatant = state.combatants[prompt.who]
    if not combatant.able:
        return
    if not verdict.ok:
        collapse.take_down(decision, combatant, figures.UNCONSCIOUS)
        return
    beyond = resume_of(prompt, PainCheck).beyond
    total = difficulty.value_of(state, combatant, "HRT", "CS-612")
    dv_sum = difficulty.dv_of(state, lambda scale: wounds.pain_dv(beyond, scale))
    av, dv = rolls.rounded(total), difficulty.rounded_difficulty(dv_sum)
    parts = rolls.parts_of(total, *((dv_sum,) if dv_sum is not None else ()))
    question = f"{combatant.name} fights through the pain: HRT {av}{difficulty.describe_difficulty(dv)}"
    check = PainCheck(then=FIGHT_ON, what="HRT", av=av, dv=dv, beyond=beyond)
    asked_now = rolls.check_prompt(state, combatant, "CS-612", check, message=question)
    decision.emit(rolls.request_check(combatant.id, "HRT", av, dv, parts))
    decision.ask(asked_now)


@rolls.on_check_result(FIGHT_ON)
def _on_fight_on_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    """CS-613, CS-614: stunned, or half of it."""
    state = decision.state
    combatant = state.combatants[prompt.who]
    if not combatant.able:
        return
    try:
        full = prog(resume_of(prompt, PainCheck).beyond, rolls.scale_of(state))
    except ValueError as error:
        raise Refused("M-03", str(error), ("a longer scale (progressive_values)",), final=True) from None
    penalty = halve(full) if verdict.ok else Fraction(full)
    if penalty:
        decision.emit(health.apply_stun(state, combatant, penalty, managed=verdict.ok))


# Barriers


def barrier_offer(combatant: Combatant, against: str) -> Events:
    """CS-619: the GM may stun whoever is driven against something solid."""
    prompt = prompt_for(
        combatant,
        kind=BARRIER,
        question=f"{combatant.name} is driven against {against}. Stunned by it too? A penalty, or not",
        rule="CS-619",
        choices=choices("none:not stunned"),
        default="none",
        amount="penalty",
        blocking=False,
    )
    return (RulingAsked(prompt=prompt),)


@answers(BARRIER)
def answer_barrier(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-619: the GM's word on it.

    Raises:
        Refused: it is no penalty.
    """
    state = decision.state
    if answer.choice == "none" or answer.amount is None:
        return
    if not isinstance(answer.amount, int) or not 0 <= answer.amount <= _MOST_PENALTY:
        raise Refused("CS-619", f"{answer.amount!r} is no penalty", (f"0 to {_MOST_PENALTY}", "none"), final=True)
    if answer.amount:
        decision.emit(health.apply_stun(state, state.combatants[prompt.who], answer.amount))


_MOST_PENALTY = 9999


def decay_stuns(state: FightState) -> Events:
    """CS-616: at the end of a segment, what each stun comes to in the next; at 0 it is over."""
    changes: list[Event] = []
    for combatant in figures.in_order(state):
        for effect in figures.stuns_of(combatant):
            stun = health.stun_of(state, effect)
            if state.round <= stun.segment:
                continue
            left = stun.penalty(state.round + 1)
            changes.append(events.StunDecayed(who=combatant.id, effect=effect.id, penalty=left))
            if left == 0:
                changes.append(
                    events.StunCleared(who=combatant.id, effect=effect.id, name=effect.name, reason="the pain is gone")
                )
    return tuple(changes)


@handles(commands.SetStun)
def decide_stun(decision: Decision, command: commands.SetStun) -> None:
    """CS-617: by the GM's hand; what there was of it ends."""
    state = decision.state
    combatant = combatant_of(state, command.who)
    if command.penalty < 0 or command.halvings < 0:
        raise Refused("CS-617", f"{command.penalty} is no penalty", ("0 or more; 0 ends it",), final=True)
    end_events = tuple(
        events.StunCleared(who=combatant.id, effect=effect.id, name=effect.name, reason="the GM's word")
        for effect in figures.stuns_of(combatant)
    )
    if not command.penalty:
        decision.emit(*end_events)
        return
    decision.emit(
        *end_events,
        health.apply_stun(
            state, combatant, command.penalty, since=state.round - command.halvings - bool(command.halvings)
        ),
    )
