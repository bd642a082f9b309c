"""Rallying in spite of Grievous wounds: full STR for one Action (CS-622)."""

from __future__ import annotations

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.prompts import choices, prompt_for, question_check, record_answer, record_moot
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.events import Events, RulingAsked
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.injury import difficulty
from fightcall_engine.systems.segments.injury.collapse import RALLY
from fightcall_engine.systems.segments.rules import wounds
from fightcall_engine.systems.segments.state import commands, figures, harm_events, health, rolls
from fightcall_engine.systems.segments.state.action import ATTACKS, action_of, is_due
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.questions import AskedCheck
from fightcall_engine.systems.segments.state.rolls import Verdict
from fightcall_engine.systems.segments.state.scores import RALLIED

OFFER = "rally"
"""The kind of the prompt that offers it."""

IN_VAIN = "in vain"
"""The trait ``rally`` of somebody whose try for the running Action has failed."""

_OUT_OF_TURN = ("reprisal", "opportunity")
"""Offers of an attack out of turn; what is thrown for one does not wait for the Resolution (CS-094)."""


def _has_occasion(state: FightState, combatant: Combatant) -> bool:
    """CS-094: an Action of his is due in his own Resolution, or he is offered a blow out of turn."""
    whose = figures.actor_of(state)
    mine = figures.kind_of(state) == figures.RESOLVE and whose is not None and whose.id == combatant.id
    due = mine and action_of(combatant).is_open and is_due(combatant)
    return due or any(prompt.who == combatant.id and prompt.kind in _OUT_OF_TURN for prompt in state.prompts)


def rally_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-094, CS-622: Grievous wounds, which tell, and one try for each Action, as it is settled."""
    attempt = fighter_of(combatant).rally
    is_masked = state.settings.get("adrenaline") == "masks_all"
    return (
        figures.able_check(combatant, "CS-111"),
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
            f"{combatant.name} has tried to rally for this Action: {attempt}",
            ("the next Action",),
        ),
        Check(
            _has_occasion(state, combatant),
            "CS-094",
            f"{combatant.name} rallies for an Action as it is settled",
            (f"{combatant.name}'s own Resolution", "a Reprisal", "an Opportunity Action"),
        ),
        question_check(state),
    )


@handles(commands.Rally)
def decide_rally(decision: Decision, command: commands.Rally) -> None:
    """CS-622: a HRT check for full STR in one Action."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    enforce(rally_checks(state, combatant), referee)
    decision.emit(*(record_answer(prompt, OFFER, default=False) for prompt in _rally_prompts(state, combatant.id)))
    _try_rally(decision, combatant.id, command.chance, command.hit)


def _try_rally(decision: Decision, combatant_id: str, chance: int | None, hit: bool | None) -> None:
    state = decision.state
    combatant = state.combatants[combatant_id]
    total = difficulty.value_of(state, combatant, "HRT", "CS-622")
    count = health.wounds_of(combatant)
    dv_sum = difficulty.dv_of(state, lambda scale: wounds.rally_dv(count, scale))
    av, dv = rolls.rounded(total), difficulty.rounded_difficulty(dv_sum)
    parts = rolls.parts_of(total, *((dv_sum,) if dv_sum is not None else ()))
    decision.emit(rolls.request_check(combatant_id, "HRT", av, dv, parts))
    verdict = rolls.settle_check(state, combatant_id, "HRT", av=av, dv=dv, chance=chance, hit=hit, dice=decision.dice)
    if verdict is None:
        question = f"{combatant.name} rallies in spite of {count} wounds: HRT {av}{difficulty.describe_difficulty(dv)}"
        check = AskedCheck(then=RALLY, what="HRT", av=av, dv=dv)
        decision.ask(rolls.check_prompt(state, combatant, "CS-622", check, message=question))
        return
    decision.emit(*verdict.events, *_record_rally(combatant_id, verdict.ok))


def _record_rally(combatant_id: str, ok: bool) -> Events:
    return (harm_events.Rallied(who=combatant_id, traits={"rally": RALLIED if ok else IN_VAIN}, ok=ok),)


@rolls.on_check_result(RALLY)
def _on_rally_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    decision.emit(*_record_rally(prompt.who, verdict.ok))


# The offer on one's turn


def _rally_prompts(state: FightState, combatant_id: str) -> tuple[Prompt, ...]:
    return tuple(prompt for prompt in state.prompts if prompt.kind == OFFER and prompt.who == combatant_id)


def offer_rally(state: FightState) -> Events:
    """CS-622: on the turn of somebody with Grievous wounds whose attack is due, whether he rallies for it."""
    combatant = figures.actor_of(state)
    if figures.kind_of(state) != figures.RESOLVE or combatant is None or _rally_prompts(state, combatant.id):
        return ()
    action = action_of(combatant)
    due = action.is_open and action.kind in ATTACKS and is_due(combatant)
    if not due or any(not check.holds for check in rally_checks(state, combatant)):
        return ()
    prompt = prompt_for(
        combatant,
        kind=OFFER,
        question=f"{combatant.name} has Grievous wounds and half of STR. Rally for this Action?",
        rule="CS-622",
        choices=choices("rally:a HRT check for full STR", "no:fight on with half"),
        default="no",
        blocking=False,
    )
    return (RulingAsked(prompt=prompt),)


@answers(OFFER)
def answer(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """The offer taken up, or not."""
    if answer.choice == OFFER:
        _try_rally(decision, prompt.who, None, None)


def end_rally(state: FightState, combatant_id: str) -> Events:
    """CS-622: it holds for that one Action; whoever has made it may try anew for the next."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return ()
    return (*record_moot(_rally_prompts(state, combatant_id)), *figures.set_traits(combatant, rally=""))
