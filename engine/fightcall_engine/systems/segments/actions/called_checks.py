"""Checks that the GM calls for, such as AGL or CRD for what is done while moving (CS-094, CS-145)."""

from __future__ import annotations

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.decision import Decision, Waiting
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import question_check, record_answer
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.rules.numbers import Part, Sum
from fightcall_engine.systems.segments.state import commands, queries, rolls, scores, surprise_limits
from fightcall_engine.systems.segments.state.profile import profile_of

ATTRIBUTES = ("agl", "crd", "str", "hrt", "awa", "cnd", "chm")

DEFENSIVE = ("dodge", "awa", *surprise_limits.SENSES)
"""What Surprise penalises in the overwhelmed (CS-061, CS-062)."""

RESISTANCE = ("p-res", "pres")


def find_owed_check(state: FightState, combatant: Combatant, kind: str) -> Prompt | None:
    """The open question for a check of this kind by a combatant, or None."""
    plain_name = kind.strip().lower()
    owed_checks = ((prompt, check) for prompt, check in rolls.owed_checks(state) if prompt.who == combatant.id)
    return next((prompt for prompt, check in owed_checks if check.what.lower() == plain_name), None)


def roll_checks(state: FightState, combatant: Combatant, kind: str = "") -> tuple[Check, ...]:
    """CS-094: a check can be called for at any time, but does not answer another question."""
    open_first = Check(True, "", "") if find_owed_check(state, combatant, kind) is not None else question_check(state)
    return (queries.able_check(combatant, "CS-111"), open_first)


@handles(commands.Roll)
def decide_roll(decision: Decision, command: commands.Roll) -> None:
    """Make a check of AV against DV, or the open one of this kind.

    Raises:
        Refused: no kind is given, or the chance of the open check is unknown.
    """
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    if not command.kind.strip():
        raise Refused("CS-145", "which check?", (*ATTRIBUTES, "p-res", "a skill"), final=True)
    enforce(roll_checks(state, combatant, command.kind), referee)
    prompt = find_owed_check(state, combatant, command.kind)
    if prompt is not None:
        _require_check(decision, command, prompt)
    else:
        _call_check(decision, command, combatant)


def _require_check(decision: Decision, command: commands.Roll, prompt: Prompt) -> None:
    """Make an open check, and do what depends on it."""
    state, dice = decision.state, decision.dice
    check = rolls.asked_check(prompt)
    if isinstance(prompt.waiting, Waiting):
        if command.hit is None and command.chance is None and check.chance is None:
            raise Refused("R-5", f"{prompt.question}", ("chance", "hit"), final=True)
        choice = "roll" if command.hit is None else "made" if command.hit else "failed"
        decision.answer(prompt, Answer(prompt=prompt.id, choice=choice, amount=command.chance))
        return
    chance = check.chance if command.chance is None else command.chance
    kind, target = check.what, check.target
    if command.hit is not None:
        verdict = rolls.declare_check(prompt.who, kind, command.hit, target=target)
    elif chance is not None:
        verdict = rolls.roll_check(prompt.who, kind, chance, dice, target=target, state=state)
    else:
        raise Refused("R-5", f"{prompt.question}", ("chance", "hit"), final=True)
    decision.emit(record_answer(prompt, "roll", default=False), *verdict.events)
    rolls.follow_check(decision, prompt, verdict)


def _call_check(decision: Decision, command: commands.Roll, combatant: Combatant) -> None:
    kind = command.kind.strip()
    label = kind.upper() if kind.lower() in (*ATTRIBUTES, *RESISTANCE) else kind
    rolls.make_check(
        decision, combatant.id, label, value_of(decision.state, combatant, command), command.dv, "CS-145", "",
        chance=command.chance, hit=command.hit,
    )  # fmt: skip


def value_of(state: FightState, combatant: Combatant, command: commands.Roll) -> Sum | None:
    """The value rolled: an attribute, P-RES, Dodge or a skill of the sheet; None if unknown.

    Being overwhelmed takes from Dodge and from noticing only (CS-061, CS-062).
    """
    plain = _attribute_sum(state, combatant, command)
    if plain is None:
        return None
    less = scores.subtract_penalties(state, combatant, plain, defensive=command.kind.strip().lower() in DEFENSIVE)
    return Sum((*less.parts, Part("modifier", command.modifier, "M-07"))) if command.modifier else less


def _attribute_sum(state: FightState, combatant: Combatant, command: commands.Roll) -> Sum | None:
    kind = command.kind.strip().lower()
    if command.av is not None:
        return Sum((Part("set by the GM", command.av, "CS-145"),))
    if kind in ATTRIBUTES:
        return scores.score_sum(state, combatant, kind, "CS-145")
    total = (
        profile_of(combatant).pres if kind in RESISTANCE else profile_of(combatant).dodge if kind == "dodge" else None
    )
    value = profile_of(combatant).skill(kind) if total is None else total
    if value is None:
        return None
    score = scores.PRES if kind in RESISTANCE else scores.AV
    return scores.add_deed(combatant, score, Sum((Part(command.kind.strip(), value, "CS-145"),)))
