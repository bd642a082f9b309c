"""Fate: a roll can wait for the question whether a combatant spends a token on it (CS-653)."""

from __future__ import annotations

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import rules_on
from fightcall_engine.kit.prompts import choices, prompt_for, read_flag, record_ruling
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.state import Choice, FightState
from fightcall_engine.systems.segments.rules import numbers
from fightcall_engine.systems.segments.state import queries, tokens
from fightcall_engine.systems.segments.state.battle import battle_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.questions import number_of
from fightcall_engine.systems.segments.state.settings import settings_of

FATE = "fate"
"""The kind of the question for a token."""

STANDS, SPEND = "stands", "spend"

GOOD, BAD = ("white", "fate"), ("black",)
"""Token colours that help their holder, and that harm others."""


@rules_on("fate")
def rule_fate(decision: Decision, rule: Rule) -> None:
    """CS-653: set whether rolls wait for tokens; if not, tokens are spent by GM ruling alone."""
    is_asked_about = read_flag("CS-653", rule.value)
    record = record_ruling("CS-653", "Ask token holders about rolls", is_asked_about, rule.note)
    decision.emit(record, *queries.set_fact(decision.state, "fate_quiet", not is_asked_about))


def changed_roll(
    decision: Decision, combatant_id: str, target: str, kind: str, chance: int, number: int
) -> int | None:
    """A d100 of a combatant, perhaps against a target, as it was or as changed by a token that is asked for.

    None if one of both has left, or whoever rolled has gone down.
    """
    state = decision.state
    is_success = number <= chance
    spenders = _spenders(state, combatant_id, target, is_success)
    turned = turn_roll(chance, succeeds=not is_success)
    if not spenders or turned is None:
        return number
    how, other = ("succeeds", "fails") if is_success else ("fails", "succeeds")
    spending = tuple(
        Choice(answer, f"{state.combatants[holder].name}'s {colour} token: it {other}")
        for answer, (holder, colour) in spenders.items()
    )
    first_holder, first_colour = spenders[SPEND]
    roller = state.combatants[combatant_id]
    prompt = prompt_for(
        state.combatants[first_holder], kind=FATE, rule="CS-653",
        question=f"{roller.name}, {kind}: {number} against {chance} % {how}. Change it with a token?",
        choices=choices(f"{STANDS}:keep the roll", *spending), default=STANDS, amount="the number it becomes",
        about=tuple(each for each in (combatant_id, target) if each and each != first_holder),
    )  # fmt: skip
    answer = decision.ask(prompt)
    people = decision.state.combatants
    if not {combatant_id, *filter(None, (target,))} <= people.keys():
        return None
    if roller.able and not people[combatant_id].able:
        return None
    if answer is None or answer.choice == STANDS:
        return number
    if answer.choice not in spenders:
        turned = number_of(answer, "a roll", "CS-653", 100, STANDS, SPEND, least=1)
    holder, colour = spenders.get(answer.choice, (first_holder, first_colour))
    decision.emit(*tokens.spend_token(people[holder], colour, f"{kind}, {number} becomes {turned}"))
    return turned


def _spenders(state: FightState, combatant_id: str, target: str, is_success: bool) -> dict[str, tuple[str, str]]:
    """The answers that spend a token, each with its holder's id and its colour.

    A token serves for one's own failure or a foe's success; a black one for the reverse.
    """
    if not settings_of(state).fate_tokens or battle_of(state).fate_quiet:
        return {}
    holders = []
    for holder, is_own in ((combatant_id, True), (target, False)):
        colours = BAD if is_success is is_own else GOOD
        held = fighter_of(state.combatants[holder]).tokens if holder in state.combatants else ()
        holders += [(holder, colour) for colour in dict.fromkeys(each for each, _ in held) if colour in colours]
    return {f"{SPEND}{place + 1 if place else ''}": spender for place, spender in enumerate(holders)}


def turn_roll(chance: int, *, succeeds: bool) -> int | None:
    """The roll after a token: a clear success or failure, but neither Heroic Effect nor Bumble.

    None if there is no such roll.
    """
    marks = numbers.thresholds(chance)
    if succeeds:
        return min(chance, marks.heroic_most + 1) if chance > 0 else None
    return max(chance + 1, min(100, marks.bumble_least - 1)) if chance < 100 else None
