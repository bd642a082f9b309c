"""The shared events in words. A system has the words for its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from fightcall_engine.kit.agenda import ROUND_END, clock_words
from fightcall_engine.kit.cues import DO
from fightcall_engine.kit.decision import DICE, DICE_WORDS, sum_words
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.records import choice_words, name_of, setting_title, value_words
from fightcall_engine.kit.views import Interaction, Phrase, Tally
from fightcall_engine.model import events
from fightcall_engine.model.state import CUE, FightState

if TYPE_CHECKING:
    from fightcall_engine.board.base import Location
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import Combatant


NOTHING = Phrase("")
"""The phrase of an event without a log line."""
OPENED = "The fight begins"
"""The heading of a fight without a name, or of one in which something was done before it began."""
PLAIN_ENDS = ("", "ended", "curtain")
"""Reasons for the end of a fight that only say that it is over. The last one is found in older journals."""


def tell_nothing(event: events.Event, state: FightState) -> Phrase:
    """The phrase of events that other ones tell, though the core has words for their kind."""
    return NOTHING


def _place(state: FightState, at: Location | None) -> str:
    if state.board is None or at is None:
        return "off the board"
    return state.board.name_of(at)


def _placed(event: events.Placed, state: FightState) -> Phrase:
    other = state.combatants.get(event.swaps)
    if other is not None:
        # The first of the two tells of both.
        is_second = other.at == event.before
        words = f"The GM swaps {name_of(state, event.who)} and {name_of(state, other.id)}"
        return Phrase("" if is_second else words, "ruling")
    why = f": {event.reason}" if event.reason else ""
    where = "taken" if event.at is None else "moved to"
    return Phrase(f"{name_of(state, event.who)} {where} {_place(state, event.at)} by the GM{why}", "ruling")


def _describe_move(event: events.Moved, state: FightState) -> Phrase:
    verb = "sneaks" if event.quiet else "moves"
    words = ("step", "steps") if state.board is None or state.shares_places else state.board.words
    distance = f"{event.hexes} {words[event.hexes != 1]}"
    if not event.path:
        return Phrase(f"{name_of(state, event.who)} {verb} {distance}")
    end = _place(state, event.path[-1])
    if not state.shares_places:
        return Phrase(f"{name_of(state, event.who)} {verb} {distance} to {end}")
    way = " and ".join(_place(state, place) for place in event.path[:-1])
    return Phrase(f"{name_of(state, event.who)} {verb} to {end}{f' through {way}' if way else ''}")


def _renamed(event: events.Renamed, state: FightState) -> Phrase:
    before = state.combatants.get(event.who)
    name = name_of(state, event.who)
    if before is not None and before.name == event.name != "" and before.side != event.side:
        return Phrase(f"{name} changes sides: {event.side}", "ruling")
    if before is not None and before.side == event.side and before.name != event.name:
        return Phrase(f"{name} is now called {event.name}", "ruling")
    return Phrase(f"{name} is now {event.name} ({event.side})", "ruling")


def _setting(event: events.SettingChanged, state: FightState) -> Phrase:
    if event.setting == DICE and event.value in DICE_WORDS:
        return Phrase(f"Dice: {DICE_WORDS[event.value]}", "ruling")
    system = system_of(state)
    title = setting_title(system, event.setting)
    now, before = (choice_words(system, event.setting, value) for value in (event.value, event.before))
    return Phrase(f"{title[:1].upper()}{title[1:]}: {now} instead of {before}", "ruling")


def place_words(state: FightState, newcomers: Iterable[Combatant]) -> str:
    """That newcomers still lack a place, in a fight with a board; else empty."""
    is_lacking = state.board is not None and any(combatant.at is None for combatant in newcomers)
    return ", not on the board yet" if is_lacking else ""


def _pool(state: FightState, pool: str) -> str:
    return system_of(state).words(state.settings).pool(pool)


def _side_pool(event: events.SidePoolChanged, state: FightState) -> Phrase:
    words = system_of(state).words(state.settings)
    name, change = words.side_pool(event.side, event.pool), event.left - event.before
    if isinstance(event, events.SidePoolAdjusted):
        return Phrase(f"{name} {event.before} → {event.left} of {event.max} ({event.purpose})", "ruling")
    if event.who:
        verb = "gains" if change > 0 else "spends"
        text = f"{name_of(state, event.who)} {verb} {abs(change)} {words.pool(event.pool)}"
    else:
        text = f"{name} {change:+d}"
    purpose = f" for {event.purpose}" if event.purpose else ""
    return Phrase(f"{text}{purpose} ({event.left}/{event.max})", "dim", follows=True)


def _damage(event: events.DamageApplied, state: FightState) -> Phrase:
    left = f" ({_health_words(event, state)})" if event.tracked else ""
    pool = _beside_health(event, state)
    amount = f"{event.amount} damage to {pool}" if pool else f"{event.amount} damage"
    half = " (half)" if event.half else ""
    return Phrase(f"{name_of(state, event.who)} takes {amount}{half}{left}", "bad", follows=True)


def _healed(event: events.Healed, state: FightState) -> Phrase | None:
    if not event.amount:
        return None
    pool = _beside_health(event, state)
    healed = f"regains {event.amount} {pool}" if pool else f"heals {event.amount}"
    return Phrase(f"{name_of(state, event.who)} {healed} ({_health_words(event, state)})", "good", follows=True)


def _beside_health(event: events.DamageApplied | events.Healed, state: FightState) -> str:
    return "" if event.pool == system_of(state).health else _pool(state, event.pool)


def _health_words(event: events.DamageApplied | events.Healed, state: FightState) -> str:
    """``3/7 HP``: what is left of the pool, or the harm taken so far if the system counts that."""
    system = system_of(state)
    if event.pool != system.health:
        return f"{event.left}/{event.max}"
    if system.harm:
        return f"{event.max - event.left}/{event.max} {system.harm}"
    return f"{event.left}/{event.max} {_pool(state, event.pool)}"


def duration_words(event: events.EffectBegan, state: FightState) -> str:
    """How long an effect lasts: `` for 3 Moments``, `` for 3 (start of Orc's turn)``; empty if it has no end."""
    effect, system, bearer = event.effect, system_of(state), state.combatants.get(event.who)
    if effect.left is None:
        return ""
    if bearer is not None and effect.clock in state.combatants:
        words = system.words(state.settings)
        return f" for {effect.left} ({clock_words(words, state, bearer, effect.ticks, effect.clock)})"
    if effect.ticks not in {ROUND_END, *system.clocks.get("round", {}).values()}:
        return f" for {effect.left}"
    return f" for {effect.left} {system.words(state.settings).round}{'' if effect.left == 1 else 's'}"


def countdown_words(event: events.EffectTicked, state: FightState) -> str:
    """What is left of an effect, and why it counts although its clock has stopped."""
    return f"{name_of(state, event.who)}: {event.name}, {event.left} left{f' ({event.reason})' if event.reason else ''}"


def _skipped(event: events.StepSkipped, state: FightState) -> Phrase:
    step = next(iter(state.agenda.steps[event.index :]), None)
    actor = name_of(state, step.actor) if step is not None and step.actor else ""
    words = system_of(state).words(state.settings)
    side, phase = words.sides.get(event.side, event.side.title()), words.phases.get(event.phase, event.phase.title())
    return Phrase(f"{actor or side or phase} skipped: {event.reason}", "dim")


def _clock(event: events.ClockChanged, state: FightState) -> Phrase:
    bearer, words = state.combatants.get(event.who), system_of(state).words(state.settings)
    when = clock_words(words, state, bearer, event.ticks, event.clock) if bearer else event.ticks
    return Phrase(f"{name_of(state, event.who)}: {event.name} now counts down at the {when} ({event.reason})", "plain")


def question_alone(question: str) -> str:
    """A question up to its question mark, without the hints after it."""
    question_text, mark, _ = question.partition("? ")
    return question_text + mark.strip()


def describe_ruling(event: events.RulingRecorded, state: FightState) -> Phrase:
    """A question and its answer. Hints after the question mark are left out."""
    note = f" ({event.note})" if event.note else ""
    tone = "dim" if event.default_taken else "ruling"
    prompt = state.prompt(event.prompt) if event.prompt else None
    answer = next((choice.label for choice in prompt.choices if choice.id == event.choice), "") if prompt else ""
    question, answer = question_alone(event.question), answer or event.choice.replace("_", " ")
    is_unasked = prompt is None and not question.endswith("?")
    if is_unasked and answer == "yes":
        return Phrase(f"{question}{note}", tone, event.rule, follows=True)
    colon = ":" if (is_unasked and ":" not in question) or (prompt is not None and prompt.kind == CUE) else ""
    return Phrase(f"{question}{colon} {answer}{note}", tone, event.rule, follows=True)


def answer_words(event: events.RulingRecorded, state: FightState, words: Mapping[tuple[str, str], str]) -> str:
    """What an answer means, by the kind of its question and the choice; empty for others, and for those with a note."""
    prompt = state.prompt(event.prompt) if event.prompt else None
    return words.get((prompt.kind, event.choice), "") if prompt is not None and not event.note else ""


def _tell_ruling(event: events.RulingRecorded, state: FightState) -> Phrase | None:
    """An answer, unless there was no choice (a remark, or a roll that was due), or what a cue does tells it anyway."""
    prompt = state.prompt(event.prompt) if event.prompt else None
    is_only_answer = prompt is not None and [choice.id for choice in prompt.choices] == [event.choice]
    is_done = prompt is not None and prompt.kind == CUE and event.choice == DO
    return None if (is_only_answer or is_done) and not event.note else describe_ruling(event, state)


_TOLD: dict[type[events.Event], Callable[..., Phrase | None]] = {
    events.FightOpened: lambda item, state: Phrase(item.name or OPENED, "heading"),
    events.FightClosed: lambda item, state: Phrase(
        "The fight is over" if item.reason in PLAIN_ENDS else f"The fight is over: {item.reason}"
    ),
    events.Joined: lambda item, state: Phrase(
        f"{item.combatant.name or item.who} joins ({item.combatant.side}){'' if item.combatant.able else ', down'}"
        f"{place_words(state, [item.combatant])}",
        "dim",
    ),
    events.Returned: lambda item, state: Phrase(
        f"{item.combatant.name or item.who} comes back{place_words(state, [item.combatant])}", "dim"
    ),
    events.LeftFight: lambda item, state: Phrase(
        f"{name_of(state, item.who)} leaves{': ' + item.reason if item.reason else ''}", "dim"
    ),
    events.Renamed: _renamed,
    events.OrderSet: lambda item, state: Phrase(order_words(state, item.order), "plain"),
    events.SettingChanged: _setting,
    events.SheetChanged: lambda item, state: Phrase(f"{name_of(state, item.who)} has a new sheet", "ruling"),
    events.Placed: _placed,
    events.Moved: _describe_move,
    events.Turned: lambda item, state: Phrase(f"{name_of(state, item.who)} turns", "aside"),
    events.ContactMade: lambda item, state: Interaction(
        name_of(state, item.who), ("in contact with", "in contact with"), name_of(state, item.enemy), is_meeting=True
    ).phrase("plain"),
    events.ContactLeft: lambda item, state: Phrase(
        f"{name_of(state, item.who)} leaves contact with {name_of(state, item.enemy)}", "dim", follows=True
    ),
    events.Spent: lambda item, state: Phrase(
        f"{_pool(state, item.pool)}: {item.amount} spent{item.purpose and f' for {item.purpose}'}, {item.left} left",
        "dim",
        follows=True,
    ),
    events.Refilled: lambda item, state: None,
    events.PoolAdjusted: lambda item, state: Phrase(
        f"{name_of(state, item.who)}: {_pool(state, item.pool)} {item.before} → {item.left} of {item.max}"
        f" ({item.reason})",
        "ruling",
    ),
    events.SidePoolChanged: _side_pool,
    events.SidePoolAdjusted: _side_pool,
    events.DamageApplied: _damage,
    events.Healed: _healed,
    # How a combatant stands or lies needs no name.
    events.TraitAdjusted: lambda item, state: Phrase(
        f"{name_of(state, item.who)}: {'' if item.trait == 'posture' else item.trait.replace('_', ' ') + ' '}"
        f"{value_words(item.value)}",
        "ruling",
    ),
    events.Hid: lambda item, state: Phrase(f"{name_of(state, item.who)} is hidden", "plain"),
    events.Detected: lambda item, state: Phrase(
        f"{name_of(state, item.who)} is noticed{': ' + item.cause if item.cause else ''}", "warn"
    ),
    events.Downed: lambda item, state: Phrase(f"{name_of(state, item.who)} is {item.how}", "bad", follows=True),
    events.Restored: lambda item, state: Phrase(f"{name_of(state, item.who)} is back", "good", follows=True),
    events.EffectBegan: lambda item, state: Phrase(
        f"{name_of(state, item.who)}: {item.effect.name}{duration_words(item, state)}", "plain", follows=True
    ),
    events.EffectTicked: lambda item, state: Phrase(countdown_words(item, state), "dim"),
    events.ClockChanged: _clock,
    events.EffectEnded: lambda item, state: Phrase(
        f"{name_of(state, item.who)}: {item.name} ends{f' ({item.reason})' if item.reason else ''}", "plain"
    ),
    events.StepSkipped: _skipped,
    events.AgendaChanged: lambda item, state: (
        Phrase(f"The turn order changes: {item.reason}", "ruling") if item.reason else None
    ),
    events.Waived: lambda item, state: Phrase(f"{name_of(state, item.who)} passes", "aside"),
    events.ClockAdvanced: lambda item, state: None,
    events.TimeSkipped: lambda item, state: Phrase(item.text, "ruling"),
    events.CueSet: lambda item, state: Phrase(f"Cue: {item.cue.name}", "dim"),
    events.CueDropped: lambda item, state: Phrase(f"Cue dropped: {item.name}", "dim"),
    events.CueFired: lambda item, state: Phrase(f"Cue: {item.text}", "ruling"),
    events.RulingAsked: lambda item, state: None,
    events.RulingRecorded: _tell_ruling,
    events.Overridden: lambda item, state: Phrase(
        f"GM overrides{f' {item.rule}' if any(map(str.isdigit, item.rule)) else ''}: {item.reason}",
        "ruling",
        item.rule,
        follows=True,
    ),
    events.DiceRolled: lambda item, state: Phrase(
        f"{item.dice} {item.purpose}: {sum_words(item)}{' (typed)' * (item.source == 'table')}", "dice", follows=True
    ),
    events.NoteAdded: lambda item, state: Phrase(
        f"Note{' on ' + name_of(state, item.who) if item.who else ''}: {item.text}", "ruling"
    ),
}


SHOWN_NAMES = 3
"""How many are named; the others are only counted."""


def names_of(state: FightState, people: Iterable[str]) -> str:
    """The names of combatants in a list."""
    return ", ".join(name_of(state, combatant_id) for combatant_id in people)


def names_in_order(state: FightState, order: Sequence[str]) -> list[str]:
    """The names in an order of play, without those who are down: they keep their place, but nobody waits for them."""
    people = (state.combatants[combatant_id] for combatant_id in order if combatant_id in state.combatants)
    return [combatant.name for combatant in people if combatant.able]


def order_words(state: FightState, order: Sequence[str]) -> str:
    """An order of play."""
    return f"Order: {', '.join(names_in_order(state, order))}"


def list_names(names: Sequence[str], most: int = SHOWN_NAMES) -> str:
    """``Brand, Paul and 3 more``."""
    parts = [*names[:most], *([f"{len(names) - most} more"] if len(names) > most else [])]
    return " and ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else "".join(parts)


def phrase(system: BaseSystem, event: events.Event, state: FightState) -> Phrase | None:
    """An event in words, or None if it is not worth a line. `state` is the one before it."""
    phrase = system.phrase(event, state)
    if phrase is not None:
        return phrase if phrase.text or phrase.edge else None
    for kind in type(event).__mro__:
        if kind in _TOLD:
            return _TOLD[kind](event, state)
    return None


def join_tallies(sentences: Sequence[tuple[str, Tally | None]], *, is_brief: bool = False) -> list[str]:
    """Sentences, with similar numbers in one: ``Initiative: 21 Roan, 16 Milli``; `is_brief` adds up what was lost."""
    lines = []
    for at, (sentence, tally) in enumerate(sentences):
        similar = [
            (place, each)
            for place, (_, each) in enumerate(sentences)
            if tally and each and each.subject == tally.subject
        ]
        if len(similar) < 2 or tally is None:
            lines.append(sentence)
        elif similar[0][0] == at:
            numbers = sorted((each for _, each in similar), key=lambda each: -each.number)
            words = (" ".join(filter(None, (str(each.number), each.by, each.name))) for each in numbers)
            total = f"{sum(each.number for each in numbers)} {tally.by} {len(numbers)} combatants"
            lines.append(f"{tally.subject}: {total if is_brief and tally.by else ', '.join(words)}")
    return lines
