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


def _declared(one: sev.StrikeDeclared, state: FightState) -> Phrase:
    at = f" {'at ' if one.kind != 'melee' else ''}{name_of(state, one.target)}" if one.target else ""
    what = f" with {one.note}" if one.note and one.target else (f" {one.note}" if one.note else "")
    return Phrase(f"{name_of(state, one.who)} {_VERBS[one.kind]}{at}{what}", "plain", "SB-34")


def _resolved(one: sev.StrikeResolved, state: FightState) -> Phrase:
    detail = ""
    if one.die is not None:
        sum_text = f"{one.die}{one.modifier:+d}={one.total}" if one.modifier else f"{one.die}"
        detail = f"{sum_text} v {one.needs}  "
    return Phrase(f"  {detail}{'hit' if one.hit else 'miss'}", "good" if one.hit else "dim", "SB-35")


def _sneak(one: sev.SneakChecked, state: FightState) -> Phrase:
    end = "unnoticed" if one.passed else "noticed"
    less = f" {-one.bonus:+d}" if one.bonus else ""
    return Phrase(
        f"{name_of(state, one.who)} sneaks: {one.die} + {one.dar}{less} v {one.target}  {end}",
        "good" if one.passed else "warn",
        "SB-59",
    )


def _check(one: sev.CheckResolved, state: FightState) -> Phrase:
    detail = f" {one.die} v {one.target}" if one.die is not None else ""
    return Phrase(
        f"  {one.capability}:{detail} {'passed' if one.passed else 'failed'}",
        "good" if one.passed else "bad",
        "SB-27",
    )


def _perception(one: sev.PerceptionChecked, state: FightState) -> Phrase:
    who = f"{name_of(state, one.who)}, " if one.who else ""
    detail = f"{one.die} v {one.target}: " if one.die is not None else ""
    return Phrase(f"Perception ({who}{one.side}): {detail}{'passed' if one.passed else 'failed'}", "plain", "SB-15")


def _talk(one: sev.TalkAttempted, state: FightState) -> Phrase:
    said = f": {one.note}" if one.note else ""
    how = f" ({one.capability})" if one.capability else ""
    return Phrase(f"{name_of(state, one.who)} speaks{how}{said}", "plain", "SB-39")


def _halted(one: sev.MovementHalted, state: FightState) -> Phrase:
    rest = f", {one.unwalked} unwalked" if one.unwalked else ""
    return Phrase(f"  stopped by {name_of(state, one.enemy)}{rest}", "warn", "SB-47")


def _over(verb: str, rule: str) -> Callable[[ev.Moved, FightState], Phrase]:
    return lambda one, state: Phrase(f"{name_of(state, one.who)} {verb}", "plain", rule)


def _business(one: sev.BusinessProgressed | sev.BusinessCompleted, state: FightState) -> Phrase:
    if isinstance(one, sev.BusinessCompleted):
        length = f" ({one.done}/{one.needed})" if one.needed > 1 else ""
        return Phrase(f"{name_of(state, one.who)}: {one.name} done{length}", "good", "SB-54")
    return Phrase(f"{name_of(state, one.who)}: {one.name} {one.done}/{one.needed}", "plain", "SB-25")


_TOLD: Mapping[type[ev.Event], Callable[..., Phrase]] = {
    sev.MomentBegan: lambda one, state: Phrase(f"Moment {one.number}", "heading"),
    sev.PhaseBegan: lambda one, state: Phrase(f"M{state.round} · {_phase(state, one.phase)}", "heading"),
    sev.HalfBegan: lambda one, state: NOTHING,
    sev.HalfResumed: lambda one, state: Phrase(f"{_side(one.side)} after all", "dim", "SB-13"),
    sev.HalfEnded: lambda one, state: NOTHING,
    sev.PhaseEnded: lambda one, state: NOTHING,
    sev.HalfDropped: lambda one, state: Phrase(f"{_side(one.side)} passed: {one.reason}", "dim"),
    sev.HalfSkipped: lambda one, state: Phrase(f"{_side(one.side)} passed: {one.reason}", "dim"),
    sev.MomentEnded: lambda one, state: NOTHING,
    sev.StatusUpdated: lambda one, state: NOTHING,
    sev.StrikeQuotaReset: lambda one, state: NOTHING,
    ev.TraitsReset: lambda one, state: NOTHING,
    sev.BeatsRefilled: lambda one, state: NOTHING,
    sev.BeatsSpent: lambda one, state: Phrase(
        f"  {one.amount} beat{'' if one.amount == 1 else 's'}, {one.left} left", "dim", "SB-31"
    ),
    sev.CoverSnapshotTaken: lambda one, state: NOTHING,
    sev.LeadSet: lambda one, state: (
        Phrase(f"{_side(str(one.value))} leads", "dim", "SB-06") if one.value != "party" else NOTHING
    ),
    sev.LeadFlipped: lambda one, state: Phrase(f"Too slow: the {one.side} goes first", "ruling", "SB-13"),
    sev.AmbushDeclared: lambda one, state: Phrase(f"The {one.by} lies in ambush", "warn", "SB-21"),
    sev.PerceptionChecked: _perception,
    sev.AmbushFoiled: lambda one, state: Phrase("The ambush is foiled", "good", "SB-17"),
    sev.AmbushSprung: lambda one, state: Phrase(
        f"Ambush! Moment {one.free_moment} is free for the {one.side}", "warn", "SB-18"
    ),
    sev.TalkAttempted: _talk,
    sev.CheckResolved: _check,
    sev.ParleyGranted: lambda one, state: NOTHING,
    sev.ParleyDenied: lambda one, state: NOTHING,
    sev.StallUsed: lambda one, state: Phrase(f"Talks drawn out: {one.gained}", "plain", "SB-44"),
    sev.SneakChecked: _sneak,
    sev.SneakBegan: lambda one, state: NOTHING,
    sev.StrikeDeclared: _declared,
    sev.StrikeResolved: _resolved,
    sev.MoraleAsked: lambda one, state: NOTHING,
    sev.MoraleChecked: lambda one, state: Phrase(
        f"Morale of the {one.side} {'holds' if one.passed else 'fails'}{': ' + one.note if one.note else ''}",
        "plain",
        "SB-38",
    ),
    sev.LossCounted: lambda one, state: NOTHING,
    sev.MovementHalted: _halted,
    sev.Vaulted: _over("vaults an obstacle", "SB-73"),
    sev.Clambered: _over("clambers over", "SB-74"),
    sev.Stunted: lambda one, state: Phrase(f"{name_of(state, one.who)}: {one.name}", "plain", "SB-78"),
    sev.Climbed: lambda one, state: Phrase(f"{name_of(state, one.who)} climbs {one.feet:g} ft", "plain", "SB-77"),
    sev.DroppedProne: lambda one, state: Phrase(f"{name_of(state, one.who)} drops prone", "plain", "SB-75"),
    sev.Rose: lambda one, state: Phrase(f"{name_of(state, one.who)} rises", "plain", "SB-76"),
    sev.CoverChanged: lambda one, state: Phrase(
        f"{name_of(state, one.who)}: cover {one.before} → {one.value}", "plain", "SB-66"
    ),
    sev.MeleeOpened: lambda one, state: NOTHING,
    sev.BusinessStarted: lambda one, state: Phrase(f"{name_of(state, one.who)} begins: {one.name}", "plain", "SB-53"),
    sev.BusinessProgressed: _business,
    sev.BusinessCompleted: _business,
    sev.BusinessBroken: lambda one, state: Phrase(f"{name_of(state, one.who)} gives up: {one.name}", "dim"),
    ev.FactChanged: lambda one, state: NOTHING,
    ev.TraitChanged: lambda one, state: (
        NOTHING
        if one.trait in ("sneaking", "sneak_bonus", "quick", "business") or one.trait.startswith(PREFIX)
        else Phrase(f"{name_of(state, one.who)}: {one.trait.replace('_', ' ')} {one.value}", "dim")
    ),
}


def phrase(happened: ev.Event, state: FightState) -> Phrase | None:
    """An event of this system in words; None leaves it to the core, an empty text says it is not worth a line."""
    told = _TOLD.get(type(happened))
    return told(happened, state) if told else None
