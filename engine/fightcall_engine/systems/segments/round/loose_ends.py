"""The question before an Action that is due goes unsettled: nothing that was declared is lost without it (CS-092)."""

from __future__ import annotations

from fightcall_engine.kit.checks import first_broken
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.prompts import choices
from fightcall_engine.model import commands as cm
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.combat import follow_ups
from fightcall_engine.systems.segments.round import resolution
from fightcall_engine.systems.segments.state import action as act
from fightcall_engine.systems.segments.state import commands as scm
from fightcall_engine.systems.segments.state import progress
from fightcall_engine.systems.segments.state.blows import SEPARATE
from fightcall_engine.systems.segments.state.progress import busy_with

ASKED = "unsettled"
"""The kind of the question."""

SETTLE, GO = "settle", "go"


def is_asked(state: FightState, combatant: Combatant) -> bool:
    """True where it has been asked about what is due now; not where a part of it has been settled since."""
    struck = act.action_of(combatant).struck
    return any(
        each.who == combatant.id and each.data.get("struck") == struck for each in questions_to(state, combatant.id)
    )


def questions_to(state: FightState, combatant_id: str) -> tuple[Prompt, ...]:
    """The open ones that somebody is asked."""
    return tuple(prompt for prompt in state.prompts if prompt.kind == ASKED and prompt.who == combatant_id)


def question(state: FightState, combatant: Combatant) -> Prompt | None:
    """What is asked before play goes on over an attack or a check that is due; None where nothing would be lost."""
    action = act.action_of(combatant)
    if not progress.would_be_lost(action) and not _second_left(state, combatant):
        return None
    against = _what_stands_against(state, combatant)
    why = f" As things stand: {against}." if against else ""
    ways = () if against else (f"{SETTLE}:settle it as declared",)
    return Prompt(
        id="",
        kind=ASKED,
        question=f"{combatant.name} has not settled: {busy_with(combatant)}.{why} Let it go?",
        rule="CS-092",
        choices=choices(f"{GO}:let it go:y", *ways),
        default=GO,
        who=combatant.id,
        side=combatant.side,
        blocking=False,
        data={"struck": action.struck},
    )


def _second_left(state: FightState, combatant: Combatant) -> bool:
    """CS-341: true where one weapon has struck and the other was declared too."""
    action = act.action_of(combatant)
    return bool(action.struck) and action.second in follow_ups.more_to_strike(state, combatant)


def _what_stands_against(state: FightState, combatant: Combatant) -> str:
    """Why it cannot be settled as it was declared; empty where it can."""
    action = act.action_of(combatant)
    if action.kind not in act.ATTACKS:
        return ""
    if not act.targets_of(state, action):
        return "nobody is named as its target"
    mode = SEPARATE if action.kind == act.COMBINATION and not action.mode else ""
    blow = resolution.declared_blow(state, combatant, action, scm.Resolve(who=combatant.id, mode=mode))
    broken = first_broken(resolution.attack_checks(state, combatant, action, blow))
    return f"{broken.message} ({broken.rule})" if broken is not None else ""


@answers(ASKED)
def answer(decision: Decision, prompt: Prompt, given: cm.Answer) -> None:
    """It is let go, or settled as it was declared."""
    state = decision.state
    if given.choice == SETTLE:
        resolution.decide_resolve(decision, scm.Resolve(who=prompt.who))
        return
    decision.emit(*progress.passed_over(state, state.combatants[prompt.who]))
