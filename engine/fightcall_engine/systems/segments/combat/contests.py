"""Contested Rolls of body against body: each side rolls against its own chance (M-02)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.combat import feats
from fightcall_engine.systems.segments.rules import checks
from fightcall_engine.systems.segments.rules.numbers import Sum
from fightcall_engine.systems.segments.state import rolls
from fightcall_engine.systems.segments.state.battle import Blow
from fightcall_engine.systems.segments.state.blows import people_of
from fightcall_engine.systems.segments.state.questions import Contest, ContestCheck, LostContest, Winner
from fightcall_engine.systems.segments.state.rolls import Verdict
from fightcall_engine.systems.segments.state.settings import settings_of

LOST = "heroic_contest"
"""The kind of the question about a Heroic Effect that lost."""

FIRST, SECOND = "contest", "contest_defence"
"""What follows the answer to a missing percentage: the attacker's, and the defender's."""

MOST_REROLLS = 50
"""Rerolled ties after which the defender wins (A-17)."""


@frozen
class Outcome:
    """The result of a Contested Roll: the winner, and the attacker's margin of success."""

    winner: Winner
    margin: int = 0


Ending = Callable[[Decision, Blow, Outcome], None]

ENDINGS: dict[str, Ending] = {}
"""What follows a Contested Roll, by its name; modules register theirs."""


def on_ending(name: str) -> Callable[[Ending], Ending]:
    """Register a function in `ENDINGS`."""

    def register(ending: Ending) -> Ending:
        ENDINGS[name] = ending
        return ending

    return register


@frozen
class ContestPlan:
    """A Contested Roll to be made.

    Attributes:
        blow: the attack that it resolves.
        name: its name in `ENDINGS`.
        label: its name in words.
        rule: the rule that calls for it.
        av: the attacker's value.
        dv: the defender's value, or None.
        answer: the defender's response.
    """

    blow: Blow
    name: str
    label: str
    rule: str
    av: Sum
    dv: Sum | None
    answer: str


def run_contest(
    decision: Decision,
    plan: ContestPlan,
    *,
    chance: int | None = None,
    dv_chance: int | None = None,
    hit: bool | None = None,
) -> None:
    """Roll for both sides and resolve the contest; ask for percentages that are unknown.

    Args:
        decision: the decision.
        plan: the contest.
        chance: the attacker's percentage.
        dv_chance: the defender's percentage.
        hit: whether the attacker wins, without a roll.
    """
    state, dice = decision.state, decision.dice
    for percentage in (chance, dv_chance):
        if percentage is not None:
            rolls.valid_chance(percentage)
    combatant, foe = people_of(state, plan.blow)
    av, dv = rolls.rounded(plan.av), None if plan.dv is None else rolls.rounded(plan.dv)
    parts = rolls.parts_of(plan.av, *((plan.dv,) if plan.dv is not None else ()))
    decision.emit(rolls.request_check(combatant.id, plan.name, av, dv, parts, foe.id))
    contest = Contest(plan.name, plan.rule, plan.answer, av, dv, dv_chance, plan.blow)
    if hit is not None:
        declared_check = rolls.declare_check(combatant.id, plan.name, hit, target=foe.id)
        decision.emit(*declared_check.events)
        outcome = Outcome("attacker" if hit else "defender")
        _end_contest(decision, contest, outcome)
        return
    verdict = rolls.settle_check(
        state, combatant.id, plan.name, av=av, dv=dv, chance=chance, hit=None, dice=dice, target=foe.id
    )
    if verdict is None:
        question = f"{combatant.name}, {plan.label} {av}, on {foe.name}, who {_meets(plan.answer, dv)}"
        check = ContestCheck(
            then=FIRST, what=plan.name, av=av, dv=dv, target=foe.id, contest=contest,
            thrown=rolls.kept_dice(combatant.id, foe.id, dice),
        )  # fmt: skip
        decision.offer(rolls.check_prompt(state, combatant, plan.rule, check, message=question))
        return
    decision.emit(*verdict.events)
    _roll_defender(decision, contest, verdict)


def _meets(answer: str, dv: int | None) -> str:
    return f"{answer} {'?' if dv is None else dv}"


@rolls.on_check_result(FIRST)
def _roll_first(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    contest_check = resume_of(prompt, ContestCheck)
    rolls.add_kept_dice(contest_check.thrown, decision.dice, "defence")
    _roll_defender(decision, contest_check.contest, verdict)


def _roll_defender(decision: Decision, contest: Contest, verdict: Verdict) -> None:
    """Roll for the defender, after the attacker."""
    state, dice = decision.state, decision.dice
    first = _check_of(verdict)
    contest = replace(contest, great=feats.is_heroic(verdict.events))
    combatant, foe = people_of(state, contest.blow)
    chance = rolls.chance_against(state, contest.dv, contest.av) if contest.dv_chance is None else contest.dv_chance
    if chance is None:
        answer = contest.answer or "defends"
        question = f"{foe.name} {_meets(answer, contest.dv)} against {combatant.name}'s {contest.av}"
        check = ContestCheck(
            then=SECOND, what=answer, av=contest.dv, dv=contest.av, target=combatant.id, purpose="defence",
            contest=replace(contest, first_chance=first.chance, first_roll=first.roll),
            thrown=rolls.kept_die(foe.id, dice, "defence"),
        )  # fmt: skip
        decision.offer(rolls.check_prompt(state, foe, contest.rule, check, message=question))
        return
    _compare_rolls(decision, contest, first, None, chance)


@rolls.on_check_result(SECOND)
def _roll_second(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    contest = resume_of(prompt, ContestCheck).contest
    first = checks.Check(contest.first_chance or 0, contest.first_roll or 1)
    _compare_rolls(decision, contest, first, verdict, _check_of(verdict).chance)


def _compare_rolls(
    decision: Decision, contest: Contest, first: checks.Check, second: Verdict | None, chance: int
) -> None:
    """Compare both rolls: the larger margin wins, ties by the fight's reading (A-17).

    CS-639: a Heroic Effect that lost may count before the margins do; one that won may bring more.
    """
    state, dice = decision.state, decision.dice
    tie = settings_of(state).contested_tie
    combatant_id, foe = contest.blow.attacker, contest.blow.target
    winner: Winner = "defender"
    attacker_was_great, answered_greatly = contest.great, False
    for _ in range(MOST_REROLLS):
        if second is None:
            second = _roll_for(decision, foe, contest.answer or "defence", chance, combatant_id, "defence", dice)
        result = checks.contest(first, _check_of(second), tie)
        answered_greatly = feats.is_heroic(second.events)
        if result != "reroll":
            winner = result
            break
        reroll = _roll_for(decision, combatant_id, contest.name, first.chance, foe, "check", dice)
        first, second, attacker_was_great = _check_of(reroll), None, feats.is_heroic(reroll.events)
    outcome = Outcome(winner, first.margin)
    at_once, attacks = feats.has_immediate_effect(state), winner == "attacker"
    winner_was_great, loser_was_great = (
        (attacker_was_great, answered_greatly) if attacks else (answered_greatly, attacker_was_great)
    )
    if at_once and loser_was_great and not winner_was_great:
        decision.offer(_overturn_prompt(decision.state, contest, outcome))
        return
    _end_contest(decision, contest, outcome)
    if at_once and winner_was_great:
        feats.offer_contest_feat(decision, *((combatant_id, foe) if attacks else (foe, combatant_id)))


def _roll_for(
    decision: Decision, combatant_id: str, kind: str, chance: int, target: str, purpose: str, dice: Dice
) -> Verdict:
    check = rolls.roll_check(combatant_id, kind, chance, dice, purpose=purpose, target=target, state=decision.state)
    decision.emit(*check.events)
    return check


def _overturn_prompt(state: FightState, contest: Contest, outcome: Outcome) -> Prompt:
    """CS-639: the question about the Heroic Effect that lost."""
    attacks = outcome.winner != "attacker"
    pair = (contest.blow.attacker, contest.blow.target)
    combatant_id, other = pair if attacks else pair[::-1]
    lost_contest = LostContest(contest=contest, winner=outcome.winner, margin=outcome.margin)
    return feats.overturn_prompt(state, combatant_id, other, LOST, lost_contest, attacks=attacks)


@answers(LOST)
def answer_lost(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-639: resolve the contest by the Heroic Effect, or by the margins."""
    contest_lost = resume_of(prompt, LostContest)
    attacker, defender = contest_lost.contest.blow.attacker, contest_lost.contest.blow.target
    outcome = Outcome(contest_lost.winner, contest_lost.margin)
    if answer.choice in ("achieved", "incapacitated"):
        outcome = Outcome("attacker" if prompt.who == attacker else "defender")
    _end_contest(decision, contest_lost.contest, outcome)
    if answer.choice != "achieved":
        feats.apply_pick(decision, prompt, answer.choice, defender if prompt.who == attacker else attacker)


def _end_contest(decision: Decision, contest: Contest, outcome: Outcome) -> None:
    ending = ENDINGS.get(contest.name)
    if ending is not None:
        ending(decision, contest.blow, outcome)


def _check_of(verdict: Verdict) -> checks.Check:
    """A verdict as a check of the formulas; one without a roll has a margin of 0."""
    if verdict.roll is None or verdict.chance is None:
        return checks.Check(1 if verdict.ok else 0, 1)
    return checks.Check(verdict.chance, verdict.roll)
