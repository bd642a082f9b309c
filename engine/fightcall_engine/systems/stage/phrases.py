"""Log lines for the events of Stage Moments."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.combatants import name_of
from fightcall_engine.kit.phrases import answer_words
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model.events import Event, RulingRecorded
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.stage import events, records
from fightcall_engine.systems.stage.records import scene_of

NOTHING = Phrase("")
"""The phrase of an event without a log line."""

_VERBS = {"missile": "shoots", "melee": "strikes", "magic": "casts"}


def _side(side: str) -> str:
    return side.title()


def _describe_declaration(event: events.StrikeDeclared, state: FightState) -> Phrase:
    at = f" {'at ' if event.kind != 'melee' else ''}{name_of(state, event.target)}" if event.target else ""
    what = f" with {event.note}" if event.note and event.target else (f" {event.note}" if event.note else "")
    return Phrase(f"{name_of(state, event.who)} {_VERBS[event.kind]}{at}{what}", "plain", "SB-34")


def _describe_strike(event: events.StrikeResolved, state: FightState) -> Phrase:
    detail = ""
    if event.die is not None and event.total is not None and event.needs is not None:
        sum_text = f"{event.die}{event.modifier:+d} = {event.total}" if event.modifier else f"{event.die}"
        detail = f"{sum_text} {'≤' if event.total <= event.needs else '>'} {event.needs} "
    return Phrase("", rule="SB-35", edge=f"{detail}{'hit' if event.hit else 'miss'}")


def _sneak(event: events.SneakChecked, state: FightState) -> Phrase:
    end = "unnoticed" if event.passed else "noticed"
    added = "".join(f" {number:+d}" for number in (event.dar, -event.bonus) if number)
    total = f" = {event.die + event.dar - event.bonus}" if added else ""
    dice = f"{event.die}{added}{total} {'≤' if event.passed else '>'} {event.target}"
    return Phrase(f"{name_of(state, event.who)} sneaks: {end}", "plain", "SB-59", dice)


def _check(event: events.CheckResolved, state: FightState) -> Phrase:
    text = f"{name_of(state, event.who)}: {event.capability} {'passed' if event.passed else 'failed'}"
    return Phrase(text, rule="SB-27", edge=_against(event.die, event.target, event.passed), follows=True)


def _against(die: int | None, target: int | None, has_passed: bool) -> str:
    """The die and the target that it may not exceed; empty without a die."""
    return "" if die is None else f"{die} {'≤' if has_passed else '>'} {target}"


def _perception(event: events.PerceptionChecked, state: FightState) -> Phrase:
    name = f"{name_of(state, event.who)}, " if event.who else ""
    text = f"Perception ({name}{event.side}) {'passed' if event.passed else 'failed'}"
    return Phrase(text, "plain", "SB-15", _against(event.die, event.target, event.passed))


def _ambush(event: events.AmbushSprung, state: FightState) -> Phrase:
    """Whether the foes notice an ambush that the party has laid is asked next."""
    is_asked = scene_of(state).ambush == "laid" and event.side == records.PARTY
    unless = ", unless the foes notice" if is_asked else ""
    return Phrase(f"Ambush! Only the {event.side} acts in Moment {event.free_moment}{unless}", "warn", "SB-18")


def _talk(event: events.TalkAttempted, state: FightState) -> Phrase:
    words = f": {event.note}" if event.note else ""
    how = f" ({event.capability})" if event.capability else ""
    return Phrase(f"{name_of(state, event.who)} speaks{how}{words}", "plain", "SB-39")


def _describe_halt(event: events.MovementHalted, state: FightState) -> Phrase:
    # The contact itself has a line already.
    rest = f", {event.unwalked} short of the goal" if event.unwalked else ""
    return Phrase(f"stopped by contact{rest}", "warn", "SB-47", follows=True)


def _cover(event: events.CoverChanged, state: FightState) -> Phrase:
    words = "leaves cover" if event.value == "open" else f"takes {event.value} cover"
    return Phrase(f"{name_of(state, event.who)} {words}", rule="SB-66", follows=True)


def _end_of_business(event: events.BusinessCompleted, state: FightState) -> Phrase:
    length = f" ({event.done}/{event.needed})" if event.needed > 1 else ""
    return Phrase(f"{name_of(state, event.who)}: {event.name} done{length}", "good", "SB-54")


def _price(event: events.BeatsSpent, state: FightState) -> Phrase:
    return Phrase(
        f"{event.amount} beat{'' if event.amount == 1 else 's'}, {event.left} left", "dim", "SB-31", follows=True
    )


def _lead(event: events.LeadSet, state: FightState) -> Phrase:
    return Phrase(f"{_side(str(event.value))} leads", "dim", "SB-14") if event.value != records.PARTY else NOTHING


def _morale(event: events.MoraleChecked, state: FightState) -> Phrase:
    note = f": {event.note}" if event.note else ""
    return Phrase(
        f"Morale of the {event.side}: {'holds' if event.passed else 'fails'}{note}", "plain", "SB-38", follows=True
    )


_TOLD_BY_DEED = ("outcome", "damage", "perception", "foe_check", "sneak", "morale", "stall", "price", "continue")
"""Kinds of questions whose answer is told by the events that follow."""


_ANSWER_WORDS = {
    ("talks", "granted"): "Both sides agree to talk",
    ("talks", "denied"): "Talks are refused",
    ("talks", "later"): "No talks yet",
    ("foe_check", "no"): "The foes get no check",
}
"""What an answer means, by the kind of its question and the choice; other answers are told after their question."""


def _describe_ruling(event: RulingRecorded, state: FightState) -> Phrase | None:
    prompt = state.prompt(event.prompt) if event.prompt else None
    if words := answer_words(event, state, _ANSWER_WORDS):
        return Phrase(words, "dim" if event.default_taken else "ruling", event.rule)
    is_told = prompt is not None and prompt.kind in _TOLD_BY_DEED and event.choice not in ("none", "skip")
    is_cover = not event.prompt and event.rule == "SB-66"
    return NOTHING if is_told or is_cover else None


def _passing(event: events.HalfSkipped | events.HalfDropped, state: FightState) -> Phrase:
    return Phrase(f"{_side(event.side)} skipped: {event.reason}", "dim")


PHRASES: Mapping[type[Event], Callable[..., Phrase | None]] = {
    RulingRecorded: _describe_ruling,
    events.PhaseBegan: lambda event, state: NOTHING,
    events.HalfResumed: lambda event, state: Phrase(f"{_side(event.side)} can act after all", "dim", "SB-13"),
    events.HalfDropped: _passing,
    events.HalfSkipped: _passing,
    events.BeatsSpent: _price,
    events.CoverSnapshotTaken: lambda event, state: NOTHING,
    events.LeadSet: _lead,
    events.PerceptionChecked: _perception,
    events.AmbushSprung: _ambush,
    events.TalkAttempted: _talk,
    events.CheckResolved: _check,
    events.SneakChecked: _sneak,
    events.SneakBegan: lambda event, state: NOTHING,
    events.StrikeDeclared: _describe_declaration,
    events.StrikeResolved: _describe_strike,
    events.MoraleChecked: _morale,
    events.MovementHalted: _describe_halt,
    events.CoverChanged: _cover,
    events.BusinessCompleted: _end_of_business,
}
"""Log lines of events for which a `TEXT` is not enough."""
