"""The events of Stage Moments in words."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.phrases import name_of
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage.management import PREFIX
from fightcall_engine.systems.stage.settings import words

NOTHING = Phrase("")
"""An event that is not worth a line."""

_VERBS = {"missile": "shoots", "melee": "strikes", "magic": "casts"}


def _phase(state: FightState, phase: str) -> str:
    return words(state.settings).phases.get(phase, phase)


def _side(side: str) -> str:
    return "Party" if side == "party" else "Foe"


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
    combatant_id = f"{name_of(state, event.who)}, " if event.who else ""
    detail = f"{event.die} v {event.target}: " if event.die is not None else ""
    return Phrase(
        f"Perception ({combatant_id}{event.side}): {detail}{'passed' if event.passed else 'failed'}", "plain", "SB-15"
    )


def _talk(event: sev.TalkAttempted, state: FightState) -> Phrase:
    said = f": {event.note}" if event.note else ""
    how = f" ({event.capability})" if event.capability else ""
    return Phrase(f"{name_of(state, event.who)} speaks{how}{said}", "plain", "SB-39")


def _describe_halt(event: sev.MovementHalted, state: FightState) -> Phrase:
    rest = f", {event.unwalked} unwalked" if event.unwalked else ""
    return Phrase(f"  stopped by {name_of(state, event.enemy)}{rest}", "warn", "SB-47")


def _over(verb: str, rule: str) -> Callable[[ev.Moved, FightState], Phrase]:
    return lambda event, state: Phrase(f"{name_of(state, event.who)} {verb}", "plain", rule)


def _business(event: sev.BusinessProgressed | sev.BusinessCompleted, state: FightState) -> Phrase:
    if isinstance(event, sev.BusinessCompleted):
        length = f" ({event.done}/{event.needed})" if event.needed > 1 else ""
        return Phrase(f"{name_of(state, event.who)}: {event.name} done{length}", "good", "SB-54")
    return Phrase(f"{name_of(state, event.who)}: {event.name} {event.done}/{event.needed}", "plain", "SB-25")


_TOLD: Mapping[type[ev.Event], Callable[..., Phrase]] = {
    sev.MomentBegan: lambda item, state: Phrase(f"Moment {item.number}", "heading"),
    sev.PhaseBegan: lambda item, state: Phrase(f"M{state.round} · {_phase(state, item.phase)}", "heading"),
    sev.HalfBegan: lambda item, state: NOTHING,
    sev.HalfResumed: lambda item, state: Phrase(f"{_side(item.side)} after all", "dim", "SB-13"),
    sev.HalfEnded: lambda item, state: NOTHING,
    sev.PhaseEnded: lambda item, state: NOTHING,
    sev.HalfDropped: lambda item, state: Phrase(f"{_side(item.side)} passed: {item.reason}", "dim"),
    sev.HalfSkipped: lambda item, state: Phrase(f"{_side(item.side)} passed: {item.reason}", "dim"),
    sev.MomentEnded: lambda item, state: NOTHING,
    sev.StatusUpdated: lambda item, state: NOTHING,
    sev.StrikeQuotaReset: lambda item, state: NOTHING,
    ev.TraitsReset: lambda item, state: NOTHING,
    sev.BeatsRefilled: lambda item, state: NOTHING,
    sev.BeatsSpent: lambda item, state: Phrase(
        f"  {item.amount} beat{'' if item.amount == 1 else 's'}, {item.left} left", "dim", "SB-31"
    ),
    sev.CoverSnapshotTaken: lambda item, state: NOTHING,
    sev.LeadSet: lambda item, state: (
        Phrase(f"{_side(str(item.value))} leads", "dim", "SB-06") if item.value != "party" else NOTHING
    ),
    sev.LeadFlipped: lambda item, state: Phrase(f"Too slow: the {item.side} goes first", "ruling", "SB-13"),
    sev.AmbushDeclared: lambda item, state: Phrase(f"The {item.by} lies in ambush", "warn", "SB-21"),
    sev.PerceptionChecked: _perception,
    sev.AmbushFoiled: lambda item, state: Phrase("The ambush is foiled", "good", "SB-17"),
    sev.AmbushSprung: lambda item, state: Phrase(
        f"Ambush! Moment {item.free_moment} is free for the {item.side}", "warn", "SB-18"
    ),
    sev.TalkAttempted: _talk,
    sev.CheckResolved: _check,
    sev.ParleyGranted: lambda item, state: NOTHING,
    sev.ParleyDenied: lambda item, state: NOTHING,
    sev.StallUsed: lambda item, state: Phrase(f"Talks drawn out: {item.gained}", "plain", "SB-44"),
    sev.SneakChecked: _sneak,
    sev.SneakBegan: lambda item, state: NOTHING,
    sev.StrikeDeclared: _describe_declaration,
    sev.StrikeResolved: _describe_strike,
    sev.MoraleAsked: lambda item, state: NOTHING,
    sev.MoraleChecked: lambda item, state: Phrase(
        f"Morale of the {item.side} {'holds' if item.passed else 'fails'}{': ' + item.note if item.note else ''}",
        "plain",
        "SB-38",
    ),
    sev.LossCounted: lambda item, state: NOTHING,
    sev.MovementHalted: _describe_halt,
    sev.Vaulted: _over("vaults an obstacle", "SB-73"),
    sev.Clambered: _over("clambers over", "SB-74"),
    sev.Stunted: lambda item, state: Phrase(f"{name_of(state, item.who)}: {item.name}", "plain", "SB-78"),
    sev.Climbed: lambda item, state: Phrase(f"{name_of(state, item.who)} climbs {item.feet:g} ft", "plain", "SB-77"),
    sev.DroppedProne: lambda item, state: Phrase(f"{name_of(state, item.who)} drops prone", "plain", "SB-75"),
    sev.Rose: lambda item, state: Phrase(f"{name_of(state, item.who)} rises", "plain", "SB-76"),
    sev.CoverChanged: lambda item, state: Phrase(
        f"{name_of(state, item.who)}: cover {item.before} → {item.value}", "plain", "SB-66"
    ),
    sev.MeleeOpened: lambda item, state: NOTHING,
    sev.BusinessStarted: lambda item, state: Phrase(
        f"{name_of(state, item.who)} begins: {item.name}", "plain", "SB-53"
    ),
    sev.BusinessProgressed: _business,
    sev.BusinessCompleted: _business,
    sev.BusinessBroken: lambda item, state: Phrase(f"{name_of(state, item.who)} gives up: {item.name}", "dim"),
    ev.FactChanged: lambda item, state: NOTHING,
    ev.TraitChanged: lambda item, state: (
        NOTHING
        if item.trait in ("sneaking", "sneak_bonus", "quick", "business") or item.trait.startswith(PREFIX)
        else Phrase(f"{name_of(state, item.who)}: {item.trait.replace('_', ' ')} {item.value}", "dim")
    ),
}


def phrase(event: ev.Event, state: FightState) -> Phrase | None:
    """An event of this system in words; None leaves it to the core, an empty text says it is not worth a line."""
    told = _TOLD.get(type(event))
    return told(event, state) if told else None
