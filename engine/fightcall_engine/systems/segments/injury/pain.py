"""Pain: fainting, managing pain, stun, and barriers (CS-610 to CS-619)."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.prompts import choices, prompt_for, question_check, record_answer, record_moot
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Event, Events, RulingAsked
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.injury import wound_effects
from fightcall_engine.systems.segments.injury.wound_effects import FAINT, FIGHT_ON, RALLY
from fightcall_engine.systems.segments.rules import wounds
from fightcall_engine.systems.segments.rules.checks import prog
from fightcall_engine.systems.segments.rules.numbers import halve
from fightcall_engine.systems.segments.state import commands, events, harm_events, health, queries, rolls, scores
from fightcall_engine.systems.segments.state.action import ATTACKS, action_of, is_due
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.questions import AskedCheck, PainCheck, UnknownPres
from fightcall_engine.systems.segments.state.rolls import Verdict
from fightcall_engine.systems.segments.state.scores import RALLIED
from fightcall_engine.systems.segments.state.settings import settings_of

PRES, BARRIER = "pres", "barrier_stun"
"""The kinds of questions: an unknown P-RES, and whether a barrier stuns."""


def ask_pain_check(state: FightState, combatant: Combatant, through: int) -> Events:
    """CS-610: ask for the P-RES check of a blow, or for an unknown P-RES; no events if the pain is bearable.

    Args:
        state: the fight.
        combatant: the victim.
        through: POT that got through, with what a barrier added.
    """
    if through <= 0 or not combatant.able:
        return ()
    pres = wound_effects.pres_of(combatant)
    if pres is None:
        return (RulingAsked(prompt=_unknown_prompt(combatant, through)),)
    beyond = wounds.excess(through, wound_effects.bearable_pot(combatant) or 0)
    return _faint_check(state, combatant, beyond, pres) if beyond else ()


def _faint_check(state: FightState, combatant: Combatant, beyond: int, pres: int | None) -> Events:
    total = None if pres is None else scores.attack_value(state, combatant, "P-RES", pres, "CS-610")
    dv_sum = scores.dv_of(state, lambda scale: wounds.pain_dv(beyond, scale))
    av, dv = scores.rounded_or_none(total), scores.rounded_or_none(dv_sum)
    parts = rolls.parts_of(*(each for each in (total, dv_sum) if each is not None))
    question = f"{combatant.name}, faint check, {beyond} POT above P-RES: P-RES {av}{scores.describe_difficulty(dv)}"
    check = PainCheck(then=FAINT, what="P-RES", av=av, dv=dv, beyond=beyond)
    prompt = rolls.check_prompt(state, combatant, "CS-610", check, message=question)
    return (rolls.request_check(combatant.id, "P-RES", av, dv, parts), RulingAsked(prompt=prompt))


# Unknown P-RES


def _unknown_prompt(combatant: Combatant, through: int) -> Prompt:
    return prompt_for(
        combatant,
        kind=PRES,
        question=f"{combatant.name}: {through} POT comes through. What is {combatant.name}'s P-RES? (not entered yet)",
        rule="CS-610",
        choices=choices("none:at least that much", "faints"),
        amount="P-RES",
        resume=UnknownPres(through=through),
    )


@answers(PRES)
def answer_pres(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-610: set P-RES by the GM's ruling, for all of the squad without one; or apply the given result.

    Raises:
        Refused: it is not a score.
    """
    state = decision.state
    combatant = state.combatants[prompt.who]
    if answer.choice == "none":
        return
    if answer.choice == "faints":
        wound_effects.take_down(decision, combatant, queries.UNCONSCIOUS)
        return
    if not isinstance(answer.amount, int) or not 0 <= answer.amount <= _MOST_PRES:
        raise Refused(
            "CS-610", f"{answer.amount!r} is not a P-RES", (f"0 to {_MOST_PRES}", "none", "faints"), final=True
        )
    for other in state.combatants.values():
        alike = other.id == combatant.id or (bool(combatant.squad) and other.squad == combatant.squad)
        if alike and wound_effects.pres_of(other) is None:
            decision.emit(*queries.set_traits(other, pres=answer.amount))
    through = resume_of(prompt, UnknownPres).through
    decision.emit(*ask_pain_check(decision.state, decision.state.combatants[combatant.id], through))


_MOST_PRES = 99


# Fainting and managing pain


@rolls.on_check_result(FAINT)
def _on_faint_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    """CS-611, CS-612: faint, or go on to managing the pain."""
    state = decision.state
    combatant = state.combatants[prompt.who]
    if not combatant.able:
        return
    if not verdict.ok:
        wound_effects.take_down(decision, combatant, queries.UNCONSCIOUS)
        return
    beyond = resume_of(prompt, PainCheck).beyond
    total = scores.value_of(state, combatant, "HRT", "CS-612")
    dv_sum = scores.dv_of(state, lambda scale: wounds.pain_dv(beyond, scale))
    av, dv = rolls.rounded(total), scores.rounded_or_none(dv_sum)
    parts = rolls.parts_of(total, *((dv_sum,) if dv_sum is not None else ()))
    question = f"{combatant.name} fights through the pain: HRT {av}{scores.describe_difficulty(dv)}"
    check = PainCheck(then=FIGHT_ON, what="HRT", av=av, dv=dv, beyond=beyond)
    asked_now = rolls.check_prompt(state, combatant, "CS-612", check, message=question)
    decision.emit(rolls.request_check(combatant.id, "HRT", av, dv, parts))
    decision.offer(asked_now)


@rolls.on_check_result(FIGHT_ON)
def _on_fight_on_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    """CS-613, CS-614: apply the stun, or half of it."""
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
    """CS-619: offer to stun a combatant driven against something solid."""
    solid = against if against.startswith(("a ", "the ")) else f"the {against}"
    prompt = prompt_for(
        combatant,
        kind=BARRIER,
        question=f"{combatant.name} is driven against {solid}. Does that stun, too?",
        rule="CS-619",
        choices=choices("none:not stunned"),
        default="none",
        amount="penalty",
        blocking=False,
    )
    return (RulingAsked(prompt=prompt),)


@answers(BARRIER)
def answer_barrier(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-619: stun by the GM's ruling, or not.

    Raises:
        Refused: it is not a penalty.
    """
    state = decision.state
    if answer.choice == "none" or answer.amount is None:
        return
    if not isinstance(answer.amount, int) or not 0 <= answer.amount <= _MOST_PENALTY:
        raise Refused("CS-619", f"{answer.amount!r} is not a penalty", (f"0 to {_MOST_PENALTY}", "none"), final=True)
    if answer.amount:
        decision.emit(health.apply_stun(state, state.combatants[prompt.who], answer.amount))


_MOST_PENALTY = 9999


def decay_stuns(state: FightState) -> Events:
    """CS-616: decay all stuns at the end of a segment; at 0 they end."""
    changes: list[Event] = []
    for combatant in state.roster:
        for effect in queries.stuns_of(combatant):
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
    """CS-617: set a stun by the GM's ruling, which replaces all others."""
    state = decision.state
    combatant = decision.combatant(command.who)
    if command.penalty < 0 or command.halvings < 0:
        raise Refused("CS-617", f"{command.penalty} is not a penalty", ("0 or more; 0 ends it",), final=True)
    end_events = tuple(
        events.StunCleared(who=combatant.id, effect=effect.id, name=effect.name, reason="the GM's ruling")
        for effect in queries.stuns_of(combatant)
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


# Rallying in spite of Grievous wounds: full STR in one Action (CS-622)


RALLY_PROMPT = "rally"
"""The kind of the question that offers it."""

RALLY_FAILED = "in vain"
"""The value of `Fighter.rally` after a failed try for the running Action."""

_OUT_OF_TURN = ("reprisal", "opportunity")
"""Offers of an attack out of turn; its dice do not wait for the Resolution (CS-094)."""


def _can_rally_now(state: FightState, combatant: Combatant) -> bool:
    """CS-094: whether an Action is due in the combatant's own Resolution, or a blow out of turn is offered."""
    whose = queries.actor_of(state)
    is_own_turn = queries.kind_of(state) == queries.RESOLVE and whose is not None and whose.id == combatant.id
    due = is_own_turn and action_of(combatant).is_open and is_due(combatant)
    return due or any(prompt.who == combatant.id and prompt.kind in _OUT_OF_TURN for prompt in state.prompts)


def rally_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-094, CS-622: rallying needs Grievous wounds that reduce STR; one try for each Action, as it is resolved."""
    attempt = fighter_of(combatant).rally
    is_masked = settings_of(state).adrenaline == "masks_all"
    return (
        queries.able_check(combatant, "CS-111"),
        Check(
            health.damage_level(state, combatant) == "grievous",
            "CS-622",
            f"{combatant.name} has no Grievous wounds",
            ("4 to 6",),
        ),
        Check(not is_masked, "CS-626", f"{combatant.name} feels no wound while the fight lasts", ("after it",)),
        Check(
            not fighter_of(combatant).roused,
            "CS-627",
            f"{combatant.name} was knocked out and roused",
            ("rest",),
        ),
        Check(
            not attempt,
            "CS-622",
            f"{combatant.name} has already tried to rally for this Action: {attempt}",
            ("the next Action",),
        ),
        Check(
            _can_rally_now(state, combatant),
            "CS-094",
            f"{combatant.name} can only rally while an Action is resolved",
            (f"{combatant.name}'s own Resolution", "a Reprisal", "an Opportunity Action"),
        ),
        question_check(state),
    )


@handles(commands.Rally)
def decide_rally(decision: Decision, command: commands.Rally) -> None:
    """CS-622: make the HRT check for full STR in one Action."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    enforce(rally_checks(state, combatant), referee)
    decision.emit(
        *(record_answer(prompt, RALLY_PROMPT, default=False) for prompt in _rally_prompts(state, combatant.id))
    )
    _try_rally(decision, combatant.id, command.chance, command.hit)


def _try_rally(decision: Decision, combatant_id: str, chance: int | None, hit: bool | None) -> None:
    state = decision.state
    combatant = state.combatants[combatant_id]
    total = scores.value_of(state, combatant, "HRT", "CS-622")
    count = health.wounds_of(combatant)
    is_counted = health.body_points(state, combatant) is None  # No rule says how many wounds Body Points are.
    dv_sum = scores.dv_of(state, lambda scale: wounds.rally_dv(count, scale)) if is_counted else None
    av, dv = rolls.rounded(total), scores.rounded_or_none(dv_sum)
    parts = rolls.parts_of(total, *((dv_sum,) if dv_sum is not None else ()))
    decision.emit(rolls.request_check(combatant_id, "HRT", av, dv, parts))
    verdict = rolls.settle_check(state, combatant_id, "HRT", av=av, dv=dv, chance=chance, hit=hit, dice=decision.dice)
    if verdict is None:
        hurt = f"{count} wounds" if is_counted else "Grievous wounds"
        question = f"{combatant.name} rallies in spite of {hurt}: HRT {av}{scores.describe_difficulty(dv)}"
        check = AskedCheck(then=RALLY, what="HRT", av=av, dv=dv)
        decision.offer(rolls.check_prompt(state, combatant, "CS-622", check, message=question))
        return
    decision.emit(*verdict.events, *_record_rally(combatant_id, verdict.ok))


def _record_rally(combatant_id: str, ok: bool) -> Events:
    return (harm_events.Rallied(who=combatant_id, traits={"rally": RALLIED if ok else RALLY_FAILED}, ok=ok),)


@rolls.on_check_result(RALLY)
def _on_rally_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    decision.emit(*_record_rally(prompt.who, verdict.ok))


# Offers


def _rally_prompts(state: FightState, combatant_id: str) -> tuple[Prompt, ...]:
    return tuple(prompt for prompt in state.prompts if prompt.kind == RALLY_PROMPT and prompt.who == combatant_id)


def offer_rally(state: FightState) -> Events:
    """CS-622: offer to rally on the turn of a combatant with Grievous wounds whose attack is due."""
    combatant = queries.actor_of(state)
    if queries.kind_of(state) != queries.RESOLVE or combatant is None or _rally_prompts(state, combatant.id):
        return ()
    action = action_of(combatant)
    due = action.is_open and action.kind in ATTACKS and is_due(combatant)
    if not due or any(not check.holds for check in rally_checks(state, combatant)):
        return ()
    prompt = prompt_for(
        combatant,
        kind=RALLY_PROMPT,
        question=f"{combatant.name} has Grievous wounds and half STR. Rally for this Action?",
        rule="CS-622",
        choices=choices("rally:a HRT check for full STR", "no:fight on with half"),
        default="no",
        blocking=False,
    )
    return (RulingAsked(prompt=prompt),)


@answers(RALLY_PROMPT)
def answer_rally(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Rally, or not."""
    if answer.choice == RALLY_PROMPT:
        _try_rally(decision, prompt.who, None, None)


def end_rally(state: FightState, combatant_id: str) -> Events:
    """CS-622: end a rally with its Action; another try is possible for the next."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return ()
    return (*record_moot(_rally_prompts(state, combatant_id)), *queries.set_traits(combatant, rally=""))
