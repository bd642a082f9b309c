"""The events of Combat Segments in words."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.phrases import name_of
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import events as sev
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.aftermath import after_phrases
from fightcall_engine.systems.segments.harm import harm_phrases
from fightcall_engine.systems.segments.surprise import springing

NOTHING = Phrase("")
"""An event that is not worth a line."""

Told = Callable[..., Phrase | None]


def names(state: FightState, people: tuple[str, ...]) -> str:
    """Names in a row."""
    return ", ".join(name_of(state, who) for who in people)


def place(state: FightState, one: ev.Moved) -> str:
    """Where a way ends; empty without a board."""
    return f" to {state.board.name_of(one.path[-1])}" if state.board is not None and one.path else ""


def _segment(one: sev.SegmentBegan, state: FightState) -> Phrase:
    more = [f"{name_of(state, who)} {count}" for who, count in one.slots.items() if count != 1]
    usual = f"Actions: {', '.join(more)}; all others 1" if more else ""
    return Phrase(f"Segment {one.number}" + (f"  {usual}" if usual else ""), "heading", "CS-007")


def _rolled(one: sev.InitiativeRolled, state: FightState) -> Phrase:
    stun = f" -{one.penalty}" if one.penalty else ""
    return Phrase(f"{name_of(state, one.who)}  {one.d10} {one.mod:+d}{stun} = {one.total}", "plain", "CS-021")


def _tie(one: sev.TieResolved, state: FightState) -> Phrase:
    rule = {"AGL": "CS-024", "HRT": "CS-025"}.get(one.by, "CS-026")
    return Phrase(f"A tie, by {one.by}: {names(state, one.ids)}", "plain", rule)


def _declared(one: sev.Declared, state: FightState) -> Phrase:
    """The GM's screen tells what a secret Action really is (CS-087)."""
    text = str(one.traits.get("act_text") or one.shown)
    secret = f" (secret; seen: {one.shown})" if one.visibility == "secret" else ""
    late = ", after waiting" if isinstance(one, sev.DeclarationInserted) else ""
    due = f"  due {one.due}" if one.due and one.due != "now" else ""
    rule = "CS-087" if secret else "CS-161" if late else "CS-082"
    return Phrase(f"{name_of(state, one.who)} declares{late}: {text}{secret}{due}", "plain", rule)


def _progressed(one: sev.ActionProgressed, state: FightState) -> Phrase:
    due = f", due {one.due}" if one.due else ""
    return Phrase(f"  {name_of(state, one.who)}: {one.done} of {one.need} qa{due}", "dim", "CS-102")


def _resolved(one: sev.Resolved, state: FightState) -> Phrase:
    if one.traits.get("act_kind") == act.SPRING:
        return NOTHING
    how = str(one.traits.get("act_state") or "")
    tone = "warn" if how in (act.FAILED, act.LOST) else "plain"
    said = act.action_of(state.combatants[one.who]).text if one.who in state.combatants else ""
    outcome = f": {one.outcome}" if one.outcome else ""
    return Phrase(f"{name_of(state, one.who)}, {said or 'the Action'}{outcome}", tone, "CS-092")


def _aborted(one: sev.ActionAborted, state: FightState) -> Phrase:
    return Phrase(f"{name_of(state, one.who)} gives up: {one.text} ({one.reason})", "warn", "CS-143")


def _walked(one: sev.SegmentMoved, state: FightState) -> Phrase:
    text = f"{name_of(state, one.who)} moves {one.feet:g} ft{place(state, one)}, {one.left:g} ft left"
    return Phrase(text, "plain", "CS-090")


def _pulsed(one: sev.PulseMoved, state: FightState) -> Phrase:
    if one.blocked and not one.feet:
        return Phrase(f"  {name_of(state, one.who)}, held up by {name_of(state, one.blocked)}", "dim", "CS-233")
    capped = ", getting up to speed" if one.capped else ""
    blocked = f", stopped by {name_of(state, one.blocked)}" if one.blocked else ""
    text = f"  {name_of(state, one.who)} {one.feet:g} ft{place(state, one)} at {one.mph:g} mph{capped}{blocked}"
    return Phrase(text, "dim", "CS-234" if one.capped else "CS-235")


def _check(one: sev.CheckResolved, state: FightState) -> Phrase:
    shown = f" {one.roll} against {one.chance} %" if one.roll is not None else ""
    by = f" by {one.margin if one.ok else one.fail_margin}" if one.roll is not None else ""
    extra = "  Heroic!" if one.heroic else "  Bumble!" if one.bumble else ""
    word = "succeeds" if one.ok else "fails"
    text = f"  {name_of(state, one.who)}, {one.kind}:{shown} {word}{by}{extra}"
    return Phrase(text, "good" if one.ok else "bad", "R-3")


def _requested(one: sev.CheckRequested, state: FightState) -> Phrase:
    """The sum behind a check, with all its parts."""
    sides = " against ".join(
        f"{title} {value}" for title, value in (("AV", one.av), ("DV", one.dv)) if value is not None
    )
    parts = ", ".join(f"{label} {value}" for label, value, _ in one.parts)
    rule = next((rule for _, _, rule in one.parts), "CS-475")
    to = f" on {name_of(state, one.target)}" if one.target else ""
    return Phrase(f"  {name_of(state, one.who)}, {one.kind}{to}: {sides}{f' ({parts})' if parts else ''}", "dim", rule)


def _surprised(one: sev.SurpriseApplied, state: FightState) -> Phrase:
    if one.degree == fg.NONE:
        return Phrase(f"{name_of(state, one.who)} is not surprised", "good", "CS-056")
    rule = {fg.READY: "CS-057", fg.CHECKED: "CS-058", fg.WANING: "CS-068"}.get(one.degree, "CS-059")
    length = f", {one.cs} segment{'s' if one.cs > 1 else ''}" if one.cs else ""
    penalty = f", -{one.penalty}" if one.penalty else ""
    return Phrase(f"{name_of(state, one.who)}: {one.degree}{length}{penalty}", "bad", rule)


def _springs(one: sev.SurpriseTriggered, state: FightState) -> Phrase:
    dv = f", DV {one.dv}" if one.dv is not None else ""
    parts = ", ".join(f"{label} {value}" for label, value, _ in one.parts)
    made_of = f" ({parts})" if parts else ""
    by = names(state, one.aggressors) or one.kind
    return Phrase(f"Surprise! {by} on {names(state, one.targets)}{dv}{made_of}", "warn", "CS-040")


def _detected(one: ev.Detected, state: FightState) -> Phrase | None:
    """Whoever springs a Surprise has been named with it."""
    return NOTHING if one.cause == springing.SPRUNG else None


_TOLD_BY_DEED = (
    "check", "tie", "arrival", "harm", "pot", "pres", "rally", "reprisal", "opportunity", "object", "structure",
    "piece",
)  # fmt: skip
"""Kinds of questions whose answer is told by what comes of it."""


def _ruled(one: ev.RulingRecorded, state: FightState) -> Phrase | None:
    """Offers that nobody took up, and questions that settled themselves, are not worth a line."""
    asked = state.prompt(one.prompt) if one.prompt else None
    quiet = one.default_taken and (one.choice == "moot" or (asked is not None and not asked.blocking))
    told_by_deed = asked is not None and asked.kind in _TOLD_BY_DEED
    return NOTHING if quiet or told_by_deed else None


def _dice(one: ev.DiceRolled, state: FightState) -> Phrase | None:
    """Throws whose result is told with what came of them."""
    told = ("initiative", "tie", "check", "defence", "victim", "aggressor")
    return NOTHING if one.purpose.partition(".")[0] in told else None


def _skipped(one: ev.StepSkipped, state: FightState) -> Phrase:
    steps = state.agenda.steps
    step = steps[one.index] if one.index < len(steps) else None
    worth = step is not None and step.actor and one.reason.startswith("at work")
    if not worth or step is None:
        return NOTHING
    return Phrase(f"{name_of(state, step.actor)} is {one.reason}", "dim", "CS-102")


def _object(one: sev.ObjectMoved, state: FightState) -> Phrase:
    """What became of an object."""
    where = f", direction {one.octant} of 8" if one.octant is not None else ""
    to = f" to {name_of(state, one.other)}" if one.other and one.holder == one.other else ""
    bad = any(word in one.how for word in ("break", "fumbled", "missed", "dropped", "wide", "flies", "not found"))
    rule = "CS-207" if one.octant is not None else "CS-200"
    return Phrase(f"{name_of(state, one.who)}: {one.thing} {one.how}{to}{where}", "warn" if bad else "plain", rule)


def _impact(one: sev.ImpactTaken, state: FightState) -> Phrase:
    parts = ", ".join(f"{label} {value}" for label, value, _ in one.parts)
    through = f", {one.through} through" if one.through else ""
    text = f"  {name_of(state, one.who)} takes the impact of {one.thing}: POT {one.pot}, {one.taken} taken{through}"
    return Phrase(f"{text} ({parts})", "bad" if one.wounds else "plain", "CS-222")


def _quiet(one: ev.Event, state: FightState) -> Phrase:
    return NOTHING


def _line(text: str, tone: str, rule: str) -> Told:
    """A phrase about whom an event names, such as ``{who} waits``."""

    def told(one: ev.Event, state: FightState) -> Phrase:
        return Phrase(text.replace("{who}", name_of(state, str(getattr(one, "who", "")))), tone, rule)

    return told


TOLD: dict[type[ev.Event], Told] = {
    **harm_phrases.TOLD,
    **after_phrases.TOLD,
    sev.SegmentBegan: _segment,
    sev.SlotsOwed: _quiet,
    sev.SlotUsed: _quiet,
    sev.InitiativeRolled: _rolled,
    sev.InitiativeSet: lambda one, state: Phrase(
        f"{name_of(state, one.who)}  Initiative {one.total}", "ruling", "CS-021"
    ),
    sev.TieResolved: _tie,
    sev.RosterSet: lambda one, state: Phrase(f"Order: {names(state, one.order)}", "plain", "CS-022"),
    sev.PassBegan: lambda one, state: Phrase(f"Pass {one.value}", "dim", "CS-080") if one.value != 1 else NOTHING,
    sev.PassEnded: _quiet,
    sev.SegmentEnded: _quiet,
    sev.Declared: _declared,
    sev.DeclarationInserted: _declared,
    sev.Confirmed: _quiet,
    sev.Waited: _line("{who} waits", "dim", "CS-160"),
    sev.ActionAborted: _aborted,
    sev.ActionProgressed: _progressed,
    sev.Resolved: _resolved,
    sev.SegmentMoved: _walked,
    sev.PulseTicked: lambda one, state: Phrase(f"Pulse {one.value}", "dim", "CS-232"),
    sev.PulseMoved: _pulsed,
    sev.WayPlanned: lambda one, state: Phrase(
        f"{name_of(state, one.who)} plans {one.feet:g} ft at {one.mph:g} mph" if one.feet
        else f"{name_of(state, one.who)} stands still", "dim", "CS-230",
    ),
    sev.Footed: _quiet,
    sev.PostureChanged: lambda one, state: Phrase(f"{name_of(state, one.who)}: {one.posture}", "plain", "CS-104"),
    sev.PathsCrossed: lambda one, state: Phrase(
        f"{name_of(state, one.who)} comes upon {name_of(state, one.other)}", "warn", "CS-236"
    ),
    sev.MovementInterrupted: lambda one, state: Phrase(
        f"{name_of(state, one.by)} breaks into {name_of(state, one.who)}'s way" if one.by != one.who
        else f"{name_of(state, one.who)} stops for it", "warn", "CS-437",
    ),
    sev.MovementResumed: _line("{who} moves on", "dim", "CS-440"),
    sev.BrokeOff: lambda one, state: Phrase(f"{name_of(state, one.who)} breaks off: {one.how}", "plain", "CS-106"),
    sev.OpportunityTaken: lambda one, state: Phrase(
        f"{name_of(state, one.who)} takes the opportunity: {one.kind} on {name_of(state, one.target)}", "plain",
        "CS-439",
    ),
    sev.ReprisalTaken: lambda one, state: Phrase(
        f"{name_of(state, one.who)} strikes back at {name_of(state, one.target)}", "plain", "CS-482"
    ),
    sev.ReprisalTraded: lambda one, state: Phrase(
        f"{name_of(state, one.who)} moves off instead of striking back, up to {one.feet:g} ft", "plain", "CS-484"
    ),
    sev.ReprisalDeclined: _line("{who} does not strike back", "dim", "CS-481"),
    sev.CheckRequested: _requested,
    sev.CheckResolved: _check,
    sev.UseCounted: _quiet,
    sev.Hit: lambda one, state: Phrase(
        f"  {name_of(state, one.attacker)} hits {name_of(state, one.target)}", "good", "CS-477"
    ),
    sev.Missed: lambda one, state: Phrase(
        f"  {name_of(state, one.attacker)} misses {name_of(state, one.target)}", "bad", "CS-478"
    ),
    sev.EndSpent: _quiet,
    sev.AllowanceSpent: _quiet,
    sev.ImpactScheduled: lambda one, state: Phrase(
        f"The shot at {name_of(state, one.target)} lands in segment {one.due}", "plain", "CS-285"
    ),
    sev.ImpactDue: lambda one, state: Phrase(f"The shot at {name_of(state, one.target)} lands", "warn", "CS-285"),
    sev.StrayFireQueued: lambda one, state: Phrase(
        f"  The shot flies on: in line {names(state, one.line)}", "warn", "CS-525"
    ),
    sev.StrayFireChecked: lambda one, state: Phrase(
        f"  The stray shot {'strikes' if one.hit else 'misses'} {name_of(state, one.candidate)}",
        "warn" if one.hit else "dim", "CS-526",
    ),
    sev.StrayFireSpent: lambda one, state: Phrase("  The shot is spent", "dim", "CS-527"),
    sev.SurpriseTriggered: _springs,
    sev.SurpriseChecked: _quiet,
    sev.SurpriseApplied: _surprised,
    sev.SurpriseRecoveryChecked: _quiet,
    sev.SurprisePenaltyWaned: lambda one, state: Phrase(
        f"  {name_of(state, one.who)}: surprise down to -{one.penalty}", "dim", "CS-068"
    ),
    sev.SurpriseEnded: _line("{who} is over the surprise", "good", "CS-067"),
    sev.StunApplied: lambda one, state: Phrase(
        f"{name_of(state, one.who)} is stunned, -{one.penalty}", "bad", "CS-613"
    ),
    sev.StunDecayed: lambda one, state: Phrase(
        f"  {name_of(state, one.who)}: stun down to -{one.penalty}", "dim", "CS-616"
    ),
    sev.StunCleared: _line("{who}: no pain any more", "good", "CS-616"),
    sev.LifeChanged: lambda one, state: Phrase(f"{name_of(state, one.who)}: {one.life}", "bad", "CS-625"),
    sev.ObjectMoved: _object,
    sev.ImpactTaken: _impact,
    sev.StruggleChanged: lambda one, state: Phrase(
        f"Hands on {one.thing}: {names(state, one.holding) or 'nobody'}"
        + (f", until segment {one.until}" if one.until else ""), "plain", "CS-203",
    ),
    sev.ScaleChanged: lambda one, state: Phrase(
        f"The display is at {one.value} scale now: 25 mm are {one.square_feet:g} ft", "ruling", "CS-685"
    ),
    sev.ContestChanged: lambda one, state: Phrase(
        "This is combat" if one.value == "combat" else "A tactical contest", "heading", "CS-001"
    ),
    ev.Detected: _detected,
    ev.StepBegan: _quiet,
    ev.StepEnded: _quiet,
    ev.StepSkipped: _skipped,
    ev.AgendaChanged: _quiet,
    ev.FactChanged: _quiet,
    ev.TraitChanged: lambda one, state: NOTHING if one.trait in fg.TRAITS or one.trait in act.TRAITS else None,
    ev.TraitsChanged: _quiet,
    ev.TraitsReset: _quiet,
    ev.RulingRecorded: _ruled,
    ev.DiceRolled: _dice,
}  # fmt: skip
"""Each event in words."""


def phrase(happened: ev.Event, state: FightState) -> Phrase | None:
    """An event of this system in words; None leaves it to the core, an empty text says it is not worth a line."""
    told: Mapping[type[ev.Event], Told] = TOLD
    found = told.get(type(happened))
    return found(happened, state) if found else None
