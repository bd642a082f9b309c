"""Contested Rolls: each side rolls against its own chance (M-02), strike against defence and body against body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.combat import feats
from fightcall_engine.systems.segments.rules import checks
from fightcall_engine.systems.segments.rules.numbers import Sum
from fightcall_engine.systems.segments.state import rolls
from fightcall_engine.systems.segments.state.battle import Blow
from fightcall_engine.systems.segments.state.blows import people_of
from fightcall_engine.systems.segments.state.rolls import Verdict
from fightcall_engine.systems.segments.state.settings import settings_of

Winner: TypeAlias = Literal["attacker", "defender", "nobody"]
"""The winner of a Contested Roll."""

LOST = "heroic_contest"
"""The kind of the question about a Heroic Effect that lost."""

MOST_REROLLS = 50
"""Rerolled ties after which the defender wins (A-17)."""


@frozen
class Duel:
    """The rolls of both sides that count, and who wins by the margins."""

    winner: Winner
    first: Verdict
    second: Verdict


def compare(decision: Decision, first: Verdict, second: Verdict, attacker: str, defender: str) -> Duel:
    """M-02, A-17: the larger margin wins, ties by the fight's reading; after a reroll only the last rolls count."""
    tie = settings_of(decision.state).contested_tie
    for _ in range(MOST_REROLLS):
        winner = checks.contest(first.numbers, second.numbers, tie)
        if winner != "reroll":
            return Duel(winner, first, second)
        first = _again(decision, attacker, first, defender, "check")
        second = _again(decision, defender, second, attacker, "defence")
    return Duel("defender", first, second)


def _again(decision: Decision, combatant_id: str, before: Verdict, target: str, purpose: str) -> Verdict:
    chance = before.numbers.chance
    return rolls.roll_check(decision, combatant_id, before.what, chance, purpose=purpose, target=target) or before


@frozen
class Outcome:
    """The result of a Contested Roll: the winner, and the attacker's margin of success."""

    winner: Winner
    margin: int = 0


@frozen
class ContestPlan:
    """A Contested Roll of body against body to be made.

    Attributes:
        blow: the attack that it resolves.
        name: its name as a check.
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
    ending: Callable[[Decision, Blow, Outcome], None],
    *,
    chance: int | None = None,
    dv_chance: int | None = None,
    hit: bool | None = None,
) -> None:
    """Roll for both sides and resolve the contest.

    CS-639: a Heroic Effect that lost may count before the margins do; one that won may bring more.

    Args:
        decision: the decision.
        plan: the contest.
        ending: what follows its outcome.
        chance: the attacker's percentage.
        dv_chance: the defender's percentage.
        hit: whether the attacker wins, without a roll.
    """
    for percentage in (chance, dv_chance):
        if percentage is not None:
            rolls.valid_chance(percentage)
    blow, (combatant, foe) = plan.blow, people_of(decision.state, plan.blow)
    av, dv = rolls.rounded(plan.av), None if plan.dv is None else rolls.rounded(plan.dv)
    meets = f"{plan.answer} {'?' if dv is None else dv}"
    first = rolls.make_check(
        decision, combatant.id, plan.name, plan.av, plan.dv, plan.rule,
        f"{combatant.name}, {plan.label} {av}, on {foe.name}, who {meets}",
        target=foe.id, chance=chance, hit=hit,
    )  # fmt: skip
    if first is None:
        return
    if hit is not None:
        ending(decision, blow, Outcome("attacker" if hit else "defender"))
        return
    second = rolls.make_check(
        decision, foe.id, plan.answer, dv, av, plan.rule, f"{foe.name} {meets} against {combatant.name}'s {av}",
        requested=False, target=combatant.id, chance=dv_chance, purpose="defence",
    )  # fmt: skip
    if second is None:
        return
    duel = compare(decision, first, second, combatant.id, foe.id)
    if not {combatant.id, foe.id} <= decision.state.combatants.keys():
        return
    won = duel.winner == "attacker"
    outcome, at_once = Outcome(duel.winner, duel.first.margin), feats.has_immediate_effect(decision.state)
    best, worst = (duel.first, duel.second) if won else (duel.second, duel.first)
    winner, loser = (combatant.id, foe.id) if won else (foe.id, combatant.id)
    if at_once and worst.heroic and not best.heroic:
        choice = feats.ask_overturn(decision, loser, winner, LOST, attacks=not won)
        if choice is None:
            return
        if choice in ("achieved", "incapacitated"):
            outcome = Outcome("defender" if won else "attacker")
        ending(decision, blow, outcome)
        if choice != "achieved":
            feats.apply_pick(decision, loser, choice, winner)
        return
    ending(decision, blow, outcome)
    if at_once and best.heroic:
        decision.spawn(feats.offer_contest_feat, winner, loser)
