"""The events of Stage Moments in words."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.phrases import name_of
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage.settings import words_of

NOTHING = Phrase("")
"""An event that is not worth a line."""

_VERBS = {"missile": "shoots", "melee": "strikes", "magic": "casts"}


def _phase(state: FightState, phase: str) -> str:
    return words_of(state.settings).phases.get(phase, phase)


def _side(side: str) -> str:
    return side.title()


def _describe_declaration(event: sev.StrikeDeclared, state: FightState) -> Phrase:
    at = f" {'at ' if event.kind != 'melee' else ''}{name_of(state, event.target)}" if event.target else ""
    what = f" with {event.note}" if event.note and event.target else (f" {event.note}" if event.note else "")
    return Phrase(f"{name_of(state, event.who)} {_VERBS[event.kind]}{at}{what}", "plain", "SB-34")


def _describe_strike(event: sev.StrikeResolved, state: FightState) -> Phrase:
    detail = ""
    if event.die is not None:
        sum_text = f"{event.die}{event.modifier:+d}={event.total}" if event.modifier else f"{event.die}"
        detail = f"{sum_text} v {event.needs}  "
    return Phrase(f"  {detail}{'hit' if event.hit else 'miss'}", "good" if event.hit else "dim", "SB-35")


def _sneak(event: sev.SneakChecked, state: FightState) -> Phrase:
    end = "unnoticed" if event.passed else "noticed"
    less = f" {-event.bonus:+d}" if event.bonus else ""
    return Phrase(
        f"{name_of(state, event.who)} sneaks: {event.die} + {event.dar}{less} v {event.target}  {end}",
        "good" if event.passed else "warn",
        "SB-59",
    )


def _check(event: sev.CheckResolved, state: FightState) -> Phrase:
    detail = f" {event.die} v {event.target}" if event.die is not None else ""
    return Phrase(
        f"  {event.capability}:{detail} {'passed' if event.passed else 'failed'}",
        "good" if event.passed else "bad",
        "SB-27",
    )


def _perception(event: sev.PerceptionChecked, state: FightState) -> Phrase:
    name = f"{name_of(state, event.who)}, " if event.who else ""
    detail = f"{event.die} v {event.target}: " if event.die is not None else ""
    return Phrase(
        f"Perception ({name}{event.side}): {detail}{'passed' if event.passed else 'failed'}", "plain", "SB-15"
    )


def _talk(event: sev.TalkAttempted, state: FightState) -> Phrase:
    words = f": {event.note}" if event.note else ""
    how = f" ({event.capability})" if event.capability else ""
    return Phrase(f"{name_of(state, event.who)} speaks{how}{words}", "plain", "SB-39")


def _describe_halt(event: sev.MovementHalted, state: FightState) -> Phrase:
    rest = f", {event.unwalked} unwalked" if event.unwalked else ""
    return Phrase(f"  stopped by {name_of(state, event.enemy)}{rest}", "warn", "SB-47")


def _end_of_business(event: sev.BusinessCompleted, state: FightState) -> Phrase:
    length = f" ({event.done}/{event.needed})" if event.needed > 1 else ""
    return Phrase(f"{name_of(state, event.who)}: {event.name} done{length}", "good", "SB-54")


def _price(event: sev.BeatsSpent, state: FightState) -> Phrase:
    return Phrase(f"  {event.amount} beat{'' if event.amount == 1 else 's'}, {event.left} left", "dim", "SB-31")


def _lead(event: sev.LeadSet, state: FightState) -> Phrase:
    return Phrase(f"{_side(str(event.value))} leads", "dim", "SB-06") if event.value != fg.PARTY else NOTHING


def _morale(event: sev.MoraleChecked, state: FightState) -> Phrase:
    note = f": {event.note}" if event.note else ""
    return Phrase(f"Morale of the {event.side} {'holds' if event.passed else 'fails'}{note}", "plain", "SB-38")


def _change_by_hand(event: ev.TraitChanged, state: FightState) -> Phrase | None:
    """What the system changes by the way is not worth a line."""
    return NOTHING if event.trait in ("sneaking", "sneak_bonus", "quick", "business") else None


def _passing(event: sev.HalfSkipped | sev.HalfDropped, state: FightState) -> Phrase:
    return Phrase(f"{_side(event.side)} passed: {event.reason}", "dim")


_PHRASES: Mapping[type[ev.Event], Callable[..., Phrase | None]] = {
    ev.TraitChanged: _change_by_hand,
    sev.PhaseBegan: lambda event, state: Phrase(f"Moment {state.round} · {_phase(state, event.phase)}", "heading"),
    sev.HalfResumed: lambda event, state: Phrase(f"{_side(event.side)} after all", "dim", "SB-13"),
    sev.HalfDropped: _passing,
    sev.HalfSkipped: _passing,
    sev.BeatsSpent: _price,
    sev.CoverSnapshotTaken: lambda event, state: NOTHING,
    sev.LeadSet: _lead,
    sev.PerceptionChecked: _perception,
    sev.TalkAttempted: _talk,
    sev.CheckResolved: _check,
    sev.SneakChecked: _sneak,
    sev.SneakBegan: lambda event, state: NOTHING,
    sev.StrikeDeclared: _describe_declaration,
    sev.StrikeResolved: _describe_strike,
    sev.MoraleChecked: _morale,
    sev.MovementHalted: _describe_halt,
    sev.BusinessCompleted: _end_of_business,
}


def describe(event: ev.Event, state: FightState) -> Phrase | None:
    """An event that needs more than its `TEXT` in words; None for any other."""
    function = _PHRASES.get(type(event))
    return function(event, state) if function is not None else None
