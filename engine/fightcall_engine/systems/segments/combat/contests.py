"""Contested Rolls of body against body: each rolls against a chance of his own, with both sums shown (M-02)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.state import Combatant, FightState, Prompt, Scalar
from fightcall_engine.systems.segments.combat import feat_menu, feats
from fightcall_engine.systems.segments.rules import checks as check_rules
from fightcall_engine.systems.segments.rules.checks import ContestedTie
from fightcall_engine.systems.segments.rules.numbers import Sum
from fightcall_engine.systems.segments.state import rolls
from fightcall_engine.systems.segments.state.rolls import Verdict

Winner: TypeAlias = Literal["attacker", "defender", "nobody"]

LOST = "heroic_contest"
"""The kind of the prompt for a Heroic Effect that lost."""

FIRST, SECOND = "contest", "contest_defence"
"""Where the answer to a missing percentage leads: of the attacker, and of the defender."""

MOST_REROLLS = 50
"""Ties that are rolled again before the defender wins after all (A-17)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a Contested Roll came out: who won, and by how much the attacker succeeded."""

    winner: Winner
    margin: int = 0


Ending = Callable[[Decision, Mapping[str, Scalar], Outcome], ev.Events]

ENDINGS: dict[str, Ending] = {}
"""What becomes of a Contested Roll, by its name. Each module enters its own."""


def ends(name: str) -> Callable[[Ending], Ending]:
    """Enter a function in `ENDINGS`."""

    def enter(ending: Ending) -> Ending:
        ENDINGS[name] = ending
        return ending

    return enter


@dataclass(frozen=True, slots=True)
class Contest:
    """A Contested Roll that is to be made.

    Attributes:
        who: id of the attacker.
        target: id of the defender.
        name: what it is in `ENDINGS`.
        label: what it is called.
        rule: the rule that calls for it.
        av: the attacker's value.
        dv: the defender's; None where it is unknown.
        answer: how the defender meets it.
        data: what its ending needs.
    """

    who: str
    target: str
    name: str
    label: str
    rule: str
    av: Sum
    dv: Sum | None
    answer: str
    data: Mapping[str, Scalar]


def run_contest(
    decision: Decision,
    contest: Contest,
    *,
    chance: int | None = None,
    dv_chance: int | None = None,
    hit: bool | None = None,
) -> ev.Events:
    """Both roll, and what comes of it; a percentage that nobody has said is asked for.

    Args:
        decision: the fight, the dice and the referee.
        contest: who against whom.
        chance: the attacker's, in percent.
        dv_chance: the defender's.
        hit: whether the attacker wins, where no dice are needed.
    """
    state, dice, referee = decision.state, decision.dice, decision.referee
    for given in (chance, dv_chance):
        if given is not None:
            rolls.chance_of(given)
    combatant, foe = state.combatants[contest.who], state.combatants[contest.target]
    av, dv = rolls.worth(contest.av), None if contest.dv is None else rolls.worth(contest.dv)
    course = Decision(state)
    parts = rolls.parts_of(contest.av, *((contest.dv,) if contest.dv is not None else ()))
    course.emit(rolls.request_check(combatant.id, contest.name, av, dv, parts, foe.id))
    data: dict[str, Scalar] = {
        **contest.data, "about": foe.id, "contest": contest.name, "rule": contest.rule, "answer": contest.answer,
        "contest_av": av, "contest_dv": dv, "dv_chance": dv_chance,
    }  # fmt: skip
    if hit is not None:
        stated = rolls.declare_check(combatant.id, contest.name, hit, target=foe.id)
        course.emit(*stated.events)
        course.emit(
            *_end_contest(Decision(course.state, dice, referee), data, Outcome("attacker" if hit else "defender"))
        )
        return course.events
    verdict = rolls.settle_check(
        state, combatant.id, contest.name, av=av, dv=dv, chance=chance, hit=None, dice=dice, target=foe.id
    )
    if verdict is None:
        said = f"{combatant.name}, {contest.label} {av}, on {foe.name}, who {_meets(contest.answer, dv)}"
        kept = {**data, **rolls.thrown_by_both(combatant.id, foe.id, dice)}
        asked = rolls.question(state, combatant, contest.name, contest.rule, FIRST, av=av, dv=dv, said=said, data=kept)
        course.emit(ev.RulingAsked(prompt=asked))
        return course.events
    course.emit(*verdict.events)
    course.emit(*_roll_defender(Decision(course.state, dice, referee), combatant, data, verdict))
    return course.events


def _meets(answer: str, dv: int | None) -> str:
    return f"{answer} {'?' if dv is None else dv}"


@rolls.leads_to(FIRST)
def _first(decision: Decision, prompt: Prompt, verdict: Verdict) -> ev.Events:
    state, dice = decision.state, decision.dice
    rolls.keep_dice(prompt, dice, "defence")
    return _roll_defender(decision, state.combatants[prompt.who], prompt.data, verdict)


def _roll_defender(decision: Decision, combatant: Combatant, data: Mapping[str, Scalar], verdict: Verdict) -> ev.Events:
    """The attacker has rolled: now the defender."""
    state, dice = decision.state, decision.dice
    first = _check_of(verdict)
    data = {**data, "great": feats.is_heroic(verdict.events)}
    foe = state.combatants[str(data["about"])]
    av, dv, chance = (_whole(data.get(name)) for name in ("contest_av", "contest_dv", "dv_chance"))
    chance = rolls.percent(state, dv, av) if chance is None else chance
    if chance is None:
        answer = str(data.get("answer") or "defends")
        said = f"{foe.name} {_meets(answer, dv)} against {combatant.name}'s {av}"
        kept: dict[str, Scalar] = {
            **{name: value for name, value in data.items() if name not in ("die", "defence_die")},
            "attacker": combatant.id, "about": combatant.id, "purpose": "defence",
            "first_chance": first.chance, "first_roll": first.roll,
            **rolls.thrown_already(foe.id, dice, "defence"),
        }  # fmt: skip
        rule = str(data.get("rule") or "M-02")
        asked = rolls.question(state, foe, answer, rule, SECOND, av=dv, dv=av, said=said, data=kept)
        return (ev.RulingAsked(prompt=asked),)
    return _compare_rolls(decision, {**data, "attacker": combatant.id, "defender": foe.id}, first, None, chance)


@rolls.leads_to(SECOND)
def _second(decision: Decision, prompt: Prompt, verdict: Verdict) -> ev.Events:
    first = check_rules.Check(_whole(prompt.data.get("first_chance")) or 0, _whole(prompt.data.get("first_roll")) or 1)
    data = {**prompt.data, "defender": prompt.who}
    return _compare_rolls(decision, data, first, verdict, _check_of(verdict).chance)


def _compare_rolls(
    decision: Decision, data: Mapping[str, Scalar], first: check_rules.Check, second: Verdict | None, chance: int
) -> ev.Events:
    """Each against a chance of his own; the larger margin wins, ties as the fight's reading says (A-17).

    CS-639: a Heroic Effect of one side that lost may count before the margins do.
    """
    state, dice, referee = decision.state, decision.dice, decision.referee
    tie = cast(ContestedTie, state.settings.get("contested_tie", "defender"))
    combatant_id, foe = str(data["attacker"]), str(data["defender"])
    name, answer = str(data.get("contest") or "check"), str(data.get("answer") or "defence")
    course = Decision(state)
    winner: Winner = "defender"
    great, answered_greatly = data.get("great") is True, False
    for _ in range(MOST_REROLLS):
        if second is None:
            second = _throw(course, foe, answer, chance, combatant_id, "defence", dice)
        found = check_rules.contest(first, _check_of(second), tie)
        answered_greatly = feats.is_heroic(second.events)
        if found != "reroll":
            winner = found
            break
        again = _throw(course, combatant_id, name, first.chance, foe, "check", dice)
        first, second, great = _check_of(again), None, feats.is_heroic(again.events)
    outcome = Outcome(winner, first.margin)
    lost = answered_greatly if winner == "attacker" else great
    if lost and great != answered_greatly and feats.tells_at_once(course.state):
        course.emit(ev.RulingAsked(prompt=_overturn_prompt(course.state, data, outcome)))
        return course.events
    course.emit(*_end_contest(Decision(course.state, dice, referee), data, outcome))
    return course.events


def _throw(
    course: Decision, combatant_id: str, kind: str, chance: int, target: str, purpose: str, dice: Dice
) -> Verdict:
    found = rolls.roll_check(combatant_id, kind, chance, dice, purpose=purpose, target=target, state=course.state)
    course.emit(*found.events)
    return found


def _overturn_prompt(state: FightState, data: Mapping[str, Scalar], outcome: Outcome) -> Prompt:
    """CS-639: whose Heroic Effect lost, and what is needed to go on."""
    attacks = outcome.winner != "attacker"
    pair = (str(data["attacker"]), str(data["defender"]))
    combatant_id, other = pair if attacks else pair[::-1]
    kept = {**data, "won": outcome.winner, "margin": outcome.margin, "aim": data.get("target")}
    return feats.overturning(state, combatant_id, other, LOST, attacks=attacks, data=kept)


@answers(LOST)
def answer_lost(decision: Decision, prompt: Prompt, given: cm.Answer) -> None:
    """CS-639: the Heroic Effect settles the contest, or the margins do after all."""
    data = {**prompt.data, "target": prompt.data.get("aim")}
    won, margin = str(data.get("won") or ""), _whole(data.get("margin")) or 0
    outcome = Outcome("nobody" if won == "nobody" else "attacker" if won == "attacker" else "defender", margin)
    if given.choice in ("achieved", "incapacitated"):
        outcome = Outcome("attacker" if prompt.who == data.get("attacker") else "defender")
    decision.emit(*_end_contest(decision, data, outcome))
    if given.choice != "achieved":
        feat_menu.carried_out(decision, prompt, given.choice)


def _end_contest(decision: Decision, data: Mapping[str, Scalar], outcome: Outcome) -> ev.Events:
    ending = ENDINGS.get(str(data.get("contest") or ""))
    return () if ending is None else ending(decision, data, outcome)


def _check_of(verdict: Verdict) -> check_rules.Check:
    """A check as it was thrown; one whose outcome was stated succeeds or fails by nothing."""
    if verdict.roll is None or verdict.chance is None:
        return check_rules.Check(1 if verdict.ok else 0, 1)
    return check_rules.Check(verdict.chance, verdict.roll)


def _whole(value: Scalar) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
