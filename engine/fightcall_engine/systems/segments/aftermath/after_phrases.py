"""What comes after, in words: great successes, tokens, healing."""

from collections.abc import Callable

from fightcall_engine.kit.phrases import name_of
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments.aftermath import after_events as aev

Told = Callable[..., Phrase | None]
CARE = {"none": "nothing", "ordinary_days": "ordinary days without strain", "rest_and_healer": "rest and a healer",
         "very_skilled_healer": "a very skilled healer"}  # fmt: skip


TOLD_DATES = 4
"""Dates of a plan that one line of the log tells."""


def _heroic(one: aev.HeroicEffect, state: FightState) -> Phrase:
    return Phrase(f"  Heroic Effect of {name_of(state, one.who)}", "good", "CS-635")


def _bumble(one: aev.Bumble, state: FightState) -> Phrase:
    return Phrase(f"  {name_of(state, one.who)} bumbles", "bad", "CS-637")


def _deed(one: aev.HeroicsDeclared, state: FightState) -> Phrase:
    said = one.told or f"{one.score.upper()} +{one.bonus}"
    return Phrase(f"{name_of(state, one.who)} outdoes himself: {said}", "good", "CS-645")


def _deed_over(one: aev.HeroicsEnded, state: FightState) -> Phrase:
    return Phrase(f"  The heroic deed of {name_of(state, one.who)} is over: {one.reason}", "plain", "CS-647")


def _chosen(one: aev.FeatChosen, state: FightState) -> Phrase:
    number = f": {one.after} {one.unit} instead of {one.before}" if one.after else ""
    rest = "; the GM says how" if one.due else ""
    tone = "bad" if one.rule == "CS-641" else "good"
    return Phrase(f"  {name_of(state, one.who)}, {one.label}{number}{rest}", tone, one.rule)


def _broken(one: aev.ToolBroken, state: FightState) -> Phrase:
    return Phrase(f"  {name_of(state, one.who)}'s {one.tool} breaks", "bad", "CS-641")


def _given(one: aev.TokenGiven, state: FightState) -> Phrase:
    return Phrase(f"  {name_of(state, one.who)} has a {one.colour} token", "plain", "CS-651")


def _spent(one: aev.TokenSpent, state: FightState) -> Phrase:
    on = f": {one.on}" if one.on else ""
    return Phrase(f"{name_of(state, one.who)} spends a {one.colour} token{on}", "plain", "CS-653")


def _passed(one: aev.TokenPassed, state: FightState) -> Phrase:
    text = f"{name_of(state, one.who)} hands a {one.colour} token to {name_of(state, one.to)}"
    return Phrase(text, "plain", "CS-654")


def _scheduled(one: aev.HealingScheduled, state: FightState) -> Phrase:
    ends = one.dates or tuple(f"day {day}" for day in one.on_days)
    more = f"... the last {ends[-1]}" if len(ends) > TOLD_DATES else ""
    when = f", healed {', '.join(ends[:TOLD_DATES])}{more}"
    needs = f" needs {CARE[one.care]}" if not one.met and one.care in CARE else " heals"
    return Phrase(f"  {name_of(state, one.who)}{needs}{when}", "plain" if one.met else "warn", "CS-664")


def _days(one: aev.DaysPassed, state: FightState) -> Phrase:
    return Phrase(f"Day {one.value} after the fight", "heading", "CS-664")


def _healed(one: aev.WoundHealed, state: FightState) -> Phrase:
    when = one.date or f"day {one.day}"
    return Phrase(f"{name_of(state, one.who)}, {when}: one heals, {one.total} left", "good", "CS-664")


def _reset(one: aev.HealingClockReset, state: FightState) -> Phrase:
    return Phrase(f"{name_of(state, one.who)} strains himself: healing begins anew", "warn", "CS-667")


TOLD: dict[type[ev.Event], Told] = {
    aev.HeroicEffect: _heroic,
    aev.Bumble: _bumble,
    aev.HeroicsDeclared: _deed,
    aev.HeroicsEnded: _deed_over,
    aev.FeatChosen: _chosen,
    aev.ToolBroken: _broken,
    aev.TokenGiven: _given,
    aev.TokenSpent: _spent,
    aev.TokenPassed: _passed,
    aev.HealingScheduled: _scheduled,
    aev.DaysPassed: _days,
    aev.WoundHealed: _healed,
    aev.HealingClockReset: _reset,
}
"""Each in words."""
