"""Log lines for the events of Combat Segments."""

from collections.abc import Callable

from fightcall_engine.kit.combatants import name_of
from fightcall_engine.kit.phrases import order_words
from fightcall_engine.kit.views import Interaction, Phrase, Tally
from fightcall_engine.model.dice import subject_of
from fightcall_engine.model.events import (
    AgendaChanged,
    Detected,
    DiceRolled,
    Event,
    FactChanged,
    Moved,
    RulingRecorded,
    StepBegan,
    StepEnded,
    StepSkipped,
    TraitsChanged,
    TraitsReset,
)
from fightcall_engine.model.state import FightState, fields_of_record
from fightcall_engine.systems.segments.actions import ambushes, opportunities
from fightcall_engine.systems.segments.injury import wound_effects
from fightcall_engine.systems.segments.positions import meetings, ways
from fightcall_engine.systems.segments.rules.clock import quarters
from fightcall_engine.systems.segments.state import events, progress, queries, roster
from fightcall_engine.systems.segments.state.action import FAILED, LOST, SPRING, action_of, part_of
from fightcall_engine.systems.segments.state.battle import OPPORTUNITY, REPRISAL, describe_contest
from fightcall_engine.systems.segments.state.questions import OfferedOpportunity
from fightcall_engine.systems.segments.views import aftermath_phrases, harm_phrases

NOTHING = Phrase("")
"""The phrase of an event without a log line."""

ATTACK = "attack"
"""The name of the check of an attack."""

TOLD_BESIDE = (ATTACK, OPPORTUNITY, REPRISAL)
"""The checks whose roll is shown in the line of the attack."""

Told = Callable[..., Phrase | None]


def names(state: FightState, people: tuple[str, ...]) -> str:
    """Names in a list."""
    return ", ".join(name_of(state, combatant_id) for combatant_id in people)


def place(state: FightState, event: Moved) -> str:
    """The end of a movement; empty without a board."""
    return f" to {state.board.name_of(event.path[-1])}" if state.board is not None and event.path else ""


def _segment(event: events.SegmentBegan, state: FightState) -> Phrase:
    more = [f"{name_of(state, combatant_id)} {count}" for combatant_id, count in event.slots.items() if count != 1]
    return Phrase(f"Actions: {', '.join(more)}; all others 1", "dim", "CS-007") if more else NOTHING


def _describe_initiative(event: events.InitiativeRolled, state: FightState) -> Phrase:
    stun = f" -{event.penalty}" if event.penalty else ""
    dice = f"{event.d10} {event.mod:+d}{stun}"
    return Tally("Initiative", name_of(state, event.who), event.total).phrase("CS-021", dice)


TIE_WORDS = {"coin": "by a coin flip", "alphabetical": "by the alphabet"}
"""The ways to break a tie, in words."""


def _tie(event: events.TieResolved, state: FightState) -> Phrase:
    rule = {"AGL": "CS-024", "HRT": "CS-025"}.get(event.by, "CS-026")
    if event.by == roster.SIMULTANEOUS:
        return Phrase(f"Tie, all act at once: {names(state, event.ids)}", "plain", rule)
    broken = "by the GM" if event.by in state.combatants else TIE_WORDS.get(event.by, f"by {event.by}")
    return Phrase(f"Tie broken {broken}: {', then '.join(name_of(state, each) for each in event.ids)}", "plain", rule)


def _describe_declaration(event: events.Declared, state: FightState) -> Phrase:
    """The GM's log shows what a secret Action really is (CS-087)."""
    text = str(part_of(event, "text") or event.shown)
    secret = f" (secret; others see: {event.shown})" if event.visibility == "secret" else ""
    late = ", after waiting" if isinstance(event, events.DeclarationInserted) else ""
    due = f", due {event.due}" if event.due and event.due != "now" else ""
    rule = "CS-087" if secret else "CS-161" if late else "CS-082"
    return Phrase(f"{name_of(state, event.who)} declares{late}: {text}{secret}{due}", "plain", rule)


def _describe_progress(event: events.ActionProgressed, state: FightState) -> Phrase:
    due = f", due {event.due}" if event.due else ""
    return Phrase(
        f"{name_of(state, event.who)}: {event.done} of {quarters(event.need)}{due}", "dim", "CS-102", follows=True
    )


def _describe_resolution(event: events.Resolved, state: FightState) -> Phrase:
    if part_of(event, "kind") == SPRING or event.outcome.startswith(("hit ", "missed ")):
        return NOTHING
    how = str(part_of(event, "state") or "")
    tone = "warn" if how in (FAILED, LOST) else "plain"
    text = action_of(state.combatants[event.who]).text if event.who in state.combatants else ""
    if how == LOST:
        return Phrase(f"{name_of(state, event.who)} loses the Action: {text or event.outcome}", tone, "CS-092")
    outcome = f": {event.outcome}" if event.outcome else ""
    return Phrase(f"{name_of(state, event.who)}, {text or 'the Action'}{outcome}", tone, "CS-092")


def _describe_abort(event: events.ActionAborted, state: FightState) -> Phrase:
    why = f" ({event.reason})" if event.reason != progress.GIVEN_UP else ""
    return Phrase(f"{name_of(state, event.who)} aborts: {event.text}{why}", "warn", "CS-143")


def _describe_walk(event: events.SegmentMoved, state: FightState) -> Phrase:
    text = f"{name_of(state, event.who)} moves {event.feet:g} ft{place(state, event)}, {event.left:g} ft left"
    return Phrase(text, "plain", "CS-090")


def _describe_pulse(event: events.PulseMoved, state: FightState) -> Phrase:
    if event.blocked and not event.feet:
        name, other = name_of(state, event.who), name_of(state, event.blocked)
        return Interaction(name, ("is held up by", "are held up by"), other).phrase("dim", "CS-233")
    cap_text = ", getting up to speed" if event.capped else ""
    block_text = f", stopped by {name_of(state, event.blocked)}" if event.blocked else ""
    way = f"{event.feet:g} ft{place(state, event)} at {event.mph:g} mph{cap_text}{block_text}"
    return Phrase(
        f"{name_of(state, event.who)} moves {way}", "dim", "CS-234" if event.capped else "CS-235", follows=True
    )


def _check(event: events.CheckResolved, state: FightState) -> Phrase:
    roll_text = f"{event.roll} {'≤' if event.ok else '>'} {event.chance} %" if event.roll is not None else ""
    by = f" by {event.margin if event.ok else event.fail_margin}" if event.roll is not None else ""
    extra = ": Heroic!" if event.heroic else ": Bumble!" if event.bumble else ""
    if event.kind in TOLD_BESIDE and not extra:
        return Phrase("", rule="R-3", edge=roll_text)
    word = "succeeds" if event.ok else "fails"
    text = f"{name_of(state, event.who)}: {event.kind} {word}{by}{extra}"
    return Phrase(text, "good" if event.ok else "bad", "R-3", roll_text, follows=True)


def _describe_check(event: events.CheckRequested, state: FightState) -> Phrase:
    """The numbers of a check, with all their parts."""
    sides = " against ".join(
        f"{title} {value}" for title, value in (("AV", event.av), ("DV", event.dv)) if value is not None
    )
    parts = ", ".join(f"{label} {value}" for label, value, _ in event.parts if value not in ("+0", "0"))
    rule = next((rule for _, _, rule in event.parts), "CS-475")
    if event.kind == ATTACK and event.target:
        text = f"{name_of(state, event.who)} attacks {name_of(state, event.target)}: {sides}"
        return Phrase(text, "plain", rule, sum=parts)
    to = f" on {name_of(state, event.target)}" if event.target else ""
    return Phrase(f"{name_of(state, event.who)}: {event.kind}{to}, {sides}", "dim", rule, follows=True, sum=parts)


def _describe_surprise(event: events.SurpriseApplied, state: FightState) -> Phrase:
    if event.degree == queries.NONE:
        return Phrase(f"{name_of(state, event.who)} is not surprised", "good", "CS-056")
    rule = {queries.READY: "CS-057", queries.CHECKED: "CS-058", queries.WANING: "CS-068"}.get(event.degree, "CS-059")
    length = f", {event.cs} segment{'s' if event.cs > 1 else ''}" if event.cs else ""
    penalty = f", -{event.penalty}" if event.penalty else ""
    return Phrase(f"{name_of(state, event.who)}: {event.degree}{length}{penalty}", "bad", rule)


def _springs(event: events.SurpriseTriggered, state: FightState) -> Phrase:
    dv = f", DV {event.dv}" if event.dv is not None else ""
    parts = ", ".join(f"{label} {value}" for label, value, _ in event.parts)
    by = names(state, event.aggressors) or event.kind
    return Phrase(f"Surprise! {by} on {names(state, event.targets)}{dv}", "warn", "CS-040", sum=parts)


def _describe_detection(event: Detected, state: FightState) -> Phrase | None:
    """Those who spring a Surprise have been named with it."""
    return NOTHING if event.cause == ambushes.SPRUNG else None


_TOLD_BY_DEED = (
    "check", "tie", "arrival", "harm", "pot", "pres", "rally", "reprisal", "opportunity", "object", "structure",
    "piece", "how_far", "fate", "bumble",
)  # fmt: skip
"""Kinds of questions whose answer is told by the events that follow."""


def _describe_ruling(event: RulingRecorded, state: FightState) -> Phrase | None:
    """No line for offers not taken up and questions resolved by events, but one for an attack that is given up."""
    question = state.prompt(event.prompt) if event.prompt else None
    combatant = state.combatants.get(question.who) if question is not None else None
    is_kept = question is not None and question.kind == opportunities.AFTER and event.choice == "keep"
    if is_kept and not event.default_taken and combatant is not None and action_of(combatant).is_open:
        return Phrase(f"{combatant.name} keeps: {action_of(combatant).text}", "dim", "CS-237")
    opportunity = question.resume if question is not None else None
    if combatant is not None and isinstance(opportunity, OfferedOpportunity) and event.choice == "pass":
        return Phrase(f"{combatant.name} does not strike {name_of(state, opportunity.other)}", "dim", event.rule)
    quiet = event.default_taken and (event.choice == "moot" or (question is not None and not question.blocking))
    is_stun = question is not None and question.kind == wound_effects.BARRIER and event.choice == question.amount
    told_by_deed = question is not None and (question.kind in _TOLD_BY_DEED or event.choice == "roll" or is_stun)
    return NOTHING if quiet or told_by_deed else None


def _dice(event: DiceRolled, state: FightState) -> Phrase | None:
    """No line for rolls that later events tell."""
    subjects = ("initiative", "tie", "check", "defence", "victim", "aggressor")
    return NOTHING if subject_of(event.purpose) in subjects else None


def _describe_skip(event: StepSkipped, state: FightState) -> Phrase:
    steps = state.agenda.steps
    step = steps[event.index] if event.index < len(steps) else None
    if step is None or not step.actor or not event.reason.startswith(progress.AT_WORK):
        return NOTHING
    return Phrase(f"{name_of(state, step.actor)} is {event.reason}", "dim", "CS-102")


def _object(event: events.ObjectMoved, state: FightState) -> Phrase:
    """What has happened to an object."""
    where = f", direction {event.octant} of 8" if event.octant is not None else ""
    to = f" to {name_of(state, event.other)}" if event.other and event.holder == event.other else ""
    bad = any(word in event.how for word in ("break", "fumbled", "missed", "dropped", "wide", "flies", "not found"))
    rule = "CS-207" if event.octant is not None else "CS-200"
    return Phrase(
        f"{name_of(state, event.who)}: {event.thing} {event.how}{to}{where}", "warn" if bad else "plain", rule
    )


def _impact(event: events.ImpactTaken, state: FightState) -> Phrase:
    parts = ", ".join(f"{label} {value}" for label, value, _ in event.parts)
    through = f", {event.through} through" if event.through else ""
    text = f"{name_of(state, event.who)} is hit by {event.thing}: POT {event.pot}, {event.taken} taken{through}"
    return Phrase(text, "bad" if event.wounds else "plain", "CS-222", follows=True, sum=parts)


_OUT_OF_TURN = {
    meetings.STRIKE: "{who} strikes at {target}",
    meetings.MOVE_BY: "{who} strikes at {target} in passing",
    meetings.PARTING: "{who} strikes after {target}",
}
"""The usual blows out of turn, in words."""


def _describe_opportunity(event: events.OpportunityTaken, state: FightState) -> Phrase:
    words = _OUT_OF_TURN.get(event.kind, f"{{who}}: {event.kind.replace('_', ' ')} on {{target}}")
    text = words.format(who=name_of(state, event.who), target=name_of(state, event.target))
    return Phrase(text, "plain", "CS-439")


def _describe_going_on(event: events.MovementResumed, state: FightState) -> Phrase:
    """No line for those who are lying, cannot act, or have arrived."""
    mover = state.combatants.get(event.who)
    goes_on = mover is not None and mover.able and meetings.can_hold(mover) and ways.has_plan(mover)
    return Phrase(f"{name_of(state, event.who)} moves on", "dim", "CS-440") if goes_on else NOTHING


def _quiet(event: Event, state: FightState) -> Phrase:
    return NOTHING


def _line(text: str, tone: str, rule: str, *, follows: bool = False) -> Told:
    """A phrase with the names of an event, such as ``{who} waits``."""

    def describe(event: Event, state: FightState) -> Phrase:
        name = name_of(state, str(fields_of_record(event).get("who") or ""))
        return Phrase(text.replace("{who}", name), tone, rule, follows=follows)

    return describe


TOLD: dict[type[Event], Told] = {
    **harm_phrases.TOLD,
    **aftermath_phrases.TOLD,
    events.SegmentBegan: _segment,
    events.SlotsOwed: _quiet,
    events.SlotUsed: _quiet,
    events.InitiativeRolled: _describe_initiative,
    events.InitiativeSet: lambda item, state: (
        Tally("Initiative", name_of(state, item.who), item.total).phrase("CS-021")
    ),
    events.TieResolved: _tie,
    events.RosterSet: lambda item, state: Phrase(order_words(state, item.order), "plain", "CS-022"),
    events.PassBegan: lambda item, state: Phrase(f"Pass {item.value}", "dim", "CS-080") if item.value != 1 else NOTHING,
    events.PassEnded: _quiet,
    events.SegmentEnded: _quiet,
    events.Declared: _describe_declaration,
    events.DeclarationInserted: _describe_declaration,
    events.Confirmed: _quiet,
    events.Waited: _line("{who} waits", "dim", "CS-160"),
    events.ActionAborted: _describe_abort,
    events.ActionProgressed: _describe_progress,
    events.Resolved: _describe_resolution,
    events.SegmentMoved: _describe_walk,
    events.PulseTicked: _quiet,
    events.PulseMoved: _describe_pulse,
    events.WayPlanned: lambda item, state: Phrase(
        f"{name_of(state, item.who)} plans {item.feet:g} ft at {item.mph:g} mph" if item.feet
        else f"{name_of(state, item.who)} stands still", "dim", "CS-230",
    ),
    events.Footed: _quiet,
    events.PostureChanged: lambda item, state: Phrase(f"{name_of(state, item.who)}: {item.posture}", "plain", "CS-104"),
    events.PathsCrossed: lambda item, state: Interaction(
        name_of(state, item.who), ("comes upon", "come upon"), name_of(state, item.other), is_meeting=True
    ).phrase("warn", "CS-236"),
    events.MovementInterrupted: lambda item, state: Phrase(
        f"{name_of(state, item.by)} intercepts {name_of(state, item.who)}" if item.by != item.who
        else f"{name_of(state, item.who)} stops there", "warn", "CS-437", follows=True,
    ),
    events.MovementResumed: _describe_going_on,
    events.BrokeOff: lambda item, state: Phrase(
        f"{name_of(state, item.who)} breaks off: {item.how}", "plain", "CS-106"
    ),
    events.OpportunityTaken: _describe_opportunity,
    events.ReprisalTaken: lambda item, state: Phrase(
        f"{name_of(state, item.who)} takes a Reprisal on {name_of(state, item.target)}", "plain", "CS-482"
    ),
    events.ReprisalTraded: lambda item, state: Phrase(
        f"{name_of(state, item.who)} moves away instead of a Reprisal, up to {item.feet:g} ft", "plain", "CS-484"
    ),
    events.ReprisalDeclined: _line("{who} takes no Reprisal", "dim", "CS-481", follows=True),
    events.CheckRequested: _describe_check,
    events.CheckResolved: _check,
    events.UseCounted: _quiet,
    events.Hit: lambda item, state: Phrase("", rule="CS-477", edge="hit"),
    events.Missed: lambda item, state: Phrase("", rule="CS-478", edge="miss"),
    events.EndSpent: _quiet,
    events.AllowanceSpent: _quiet,
    events.ImpactScheduled: lambda item, state: Phrase(
        f"The shot at {name_of(state, item.target)} lands in segment {item.due}", "plain", "CS-285"
    ),
    events.ImpactDue: lambda item, state: Phrase(f"The shot at {name_of(state, item.target)} lands", "warn", "CS-285"),
    events.StrayFireQueued: lambda item, state: Phrase(
        f"The shot flies on: in line {names(state, item.line)}", "warn", "CS-525", follows=True
    ),
    events.StrayFireChecked: lambda item, state: Phrase(
        f"The stray shot {'strikes' if item.hit else 'misses'} {name_of(state, item.candidate)}",
        "warn" if item.hit else "dim", "CS-526", follows=True,
    ),
    events.StrayFireSpent: lambda item, state: Phrase("The shot is spent", "dim", "CS-527", follows=True),
    events.SurpriseTriggered: _springs,
    events.SurpriseChecked: _quiet,
    events.SurpriseApplied: _describe_surprise,
    events.SurpriseRecoveryChecked: _quiet,
    events.SurprisePenaltyWaned: lambda item, state: Phrase(
        f"{name_of(state, item.who)}: surprise down to -{item.penalty}", "dim", "CS-068", follows=True
    ),
    events.SurpriseEnded: _line("{who} is no longer surprised", "good", "CS-067"),
    events.StunApplied: lambda item, state: Phrase(
        f"{name_of(state, item.who)} is stunned, -{item.penalty}", "bad", "CS-613", follows=True
    ),
    events.StunDecayed: lambda item, state: Phrase(
        f"{name_of(state, item.who)}: stun down to -{item.penalty}", "dim", "CS-616", follows=True
    ),
    events.StunCleared: _line("{who} is no longer in pain", "good", "CS-616"),
    events.LifeChanged: lambda item, state: Phrase(
        f"{name_of(state, item.who)} is {item.life}", "fallen", "CS-625", follows=True
    ),
    events.ObjectMoved: _object,
    events.ImpactTaken: _impact,
    events.StruggleChanged: lambda item, state: Phrase(
        f"Holding {item.thing}: {names(state, item.holding) or 'no one'}"
        + (f", until segment {item.until}" if item.until else ""), "plain", "CS-203",
    ),
    events.ScaleChanged: lambda item, state: Phrase(
        f"The display changes to {item.value} scale: 25 mm = {item.square_feet:g} ft", "ruling", "CS-685"
    ),
    events.ContestChanged: lambda item, state: Phrase(
        describe_contest(item.value), "plain", "CS-001", follows=True
    ),
    Detected: _describe_detection,
    StepBegan: _quiet,
    StepEnded: _quiet,
    StepSkipped: _describe_skip,
    AgendaChanged: _quiet,
    FactChanged: _quiet,
    TraitsChanged: _quiet,
    TraitsReset: _quiet,
    RulingRecorded: _describe_ruling,
    DiceRolled: _dice,
}  # fmt: skip
"""Log lines by class of event."""
