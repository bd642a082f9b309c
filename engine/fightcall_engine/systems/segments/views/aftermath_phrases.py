"""Log lines for heroic effects, tokens and healing."""

from collections.abc import Callable

from fightcall_engine.kit.combatants import name_of
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model.events import Event
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments.state import harm_events

Told = Callable[..., Phrase | None]

CARE = {"none": "nothing", "ordinary_days": "everyday life without strain", "rest_and_healer": "rest and a healer",
         "very_skilled_healer": "a very skilled healer"}  # fmt: skip


TOLD_DATES = 4
"""The number of dates that a line shows of a healing plan."""


def _heroic(event: harm_events.HeroicEffect, state: FightState) -> Phrase:
    return Phrase(f"{name_of(state, event.who)} rolls a Heroic Effect", "good", "CS-635", follows=True)


def _bumble(event: harm_events.Bumble, state: FightState) -> Phrase:
    return Phrase(f"{name_of(state, event.who)} bumbles", "bad", "CS-637", follows=True)


def _describe_deed(event: harm_events.HeroicsDeclared, state: FightState) -> Phrase:
    deed = event.told or f"{event.score.upper()} +{event.bonus}"
    return Phrase(f"{name_of(state, event.who)} does the impossible: {deed}", "good", "CS-645")


def _deed_over(event: harm_events.HeroicsEnded, state: FightState) -> Phrase:
    return Phrase(f"{name_of(state, event.who)}'s heroic deed ends: {event.reason}", "plain", "CS-647", follows=True)


def _describe_feat(event: harm_events.FeatChosen, state: FightState) -> Phrase:
    number = f": {event.after} {event.unit} instead of {event.before}" if event.after else ""
    rest = "; the GM decides how" if event.due else ""
    tone = "bad" if event.rule == "CS-641" else "good"
    return Phrase(f"{name_of(state, event.who)}, {event.label}{number}{rest}", tone, event.rule, follows=True)


def _describe_breakage(event: harm_events.ToolBroken, state: FightState) -> Phrase:
    return Phrase(f"{name_of(state, event.who)}'s {event.tool} breaks", "bad", "CS-641", follows=True)


def _describe_token(event: harm_events.TokenGiven, state: FightState) -> Phrase:
    return Phrase(f"{name_of(state, event.who)} gets a {event.colour} token", "plain", "CS-651", follows=True)


def _describe_token_use(event: harm_events.TokenSpent, state: FightState) -> Phrase:
    roll_text = f": {event.on}" if event.on else ""
    return Phrase(f"{name_of(state, event.who)} spends a {event.colour} token{roll_text}", "plain", "CS-653")


def _describe_handover(event: harm_events.TokenPassed, state: FightState) -> Phrase:
    text = f"{name_of(state, event.who)} passes a {event.colour} token to {name_of(state, event.to)}"
    return Phrase(text, "plain", "CS-654")


def _describe_schedule(event: harm_events.HealingScheduled, state: FightState) -> Phrase:
    ends = event.dates or tuple(f"day {day}" for day in event.on_days)
    more = f"... the last {ends[-1]}" if len(ends) > TOLD_DATES else ""
    when = f", healed {', '.join(ends[:TOLD_DATES])}{more}"
    needs = f" needs {CARE[event.care]}" if not event.met and event.care in CARE else " heals"
    return Phrase(f"{name_of(state, event.who)}{needs}{when}", "plain" if event.met else "warn", "CS-664", follows=True)


def _days(event: harm_events.DaysPassed, state: FightState) -> Phrase:
    return Phrase(f"Day {event.value} after the fight", "plain", "CS-664")


def _describe_healing(event: harm_events.WoundHealed, state: FightState) -> Phrase:
    when = event.date or f"day {event.day}"
    return Phrase(f"{name_of(state, event.who)}, {when}: one wound heals, {event.total} left", "good", "CS-664")


def _reset(event: harm_events.HealingClockReset, state: FightState) -> Phrase:
    return Phrase(f"{name_of(state, event.who)} overdoes it: healing starts over", "warn", "CS-667")


TOLD: dict[type[Event], Told] = {
    harm_events.HeroicEffect: _heroic,
    harm_events.Bumble: _bumble,
    harm_events.HeroicsDeclared: _describe_deed,
    harm_events.HeroicsEnded: _deed_over,
    harm_events.FeatChosen: _describe_feat,
    harm_events.ToolBroken: _describe_breakage,
    harm_events.TokenGiven: _describe_token,
    harm_events.TokenSpent: _describe_token_use,
    harm_events.TokenPassed: _describe_handover,
    harm_events.HealingScheduled: _describe_schedule,
    harm_events.DaysPassed: _days,
    harm_events.WoundHealed: _describe_healing,
    harm_events.HealingClockReset: _reset,
}
"""Log lines by class of event."""
