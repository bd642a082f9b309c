"""Log lines for the events of Combat Segments."""

from collections.abc import Callable

from fightcall_engine.kit.phrases import NOTHING, names_of, order_words, tell_nothing
from fightcall_engine.kit.records import fill_template, name_of
from fightcall_engine.kit.views import Interaction, Phrase, Tally
from fightcall_engine.model.dice import subject_of
from fightcall_engine.model.events import (
    AgendaChanged,
    DamageApplied,
    Detected,
    DiceRolled,
    Downed,
    Event,
    FactChanged,
    Moved,
    PoolAdjusted,
    PoolChanged,
    RulingRecorded,
    StepBegan,
    StepEnded,
    StepSkipped,
    TraitsChanged,
    TraitsReset,
    named_people,
)
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments.actions import ambushes, out_of_turn
from fightcall_engine.systems.segments.combat import wound_effects
from fightcall_engine.systems.segments.rules.formulas import quarters
from fightcall_engine.systems.segments.state import condition, events, paths, queries, small_acts
from fightcall_engine.systems.segments.state.queries import FAILED, LOST, SPRING, action_of, part_of
from fightcall_engine.systems.segments.state.records import OPPORTUNITY, REPRISAL, describe_contest
from fightcall_engine.systems.segments.state.rolls import OfferedOpportunity

Told = Callable[..., Phrase | None]

CARE = {"none": "nothing", "ordinary_days": "everyday life without strain", "rest_and_healer": "rest and a healer",
         "very_skilled_healer": "a very skilled healer"}  # fmt: skip

TOLD_DATES = 4
"""The number of dates that a line shows of a healing plan."""

ATTACK = "attack"
"""The name of the check of an attack."""

TOLD_BESIDE = (ATTACK, OPPORTUNITY, REPRISAL)
"""The checks whose roll is shown in the line of the attack."""


def _line(text: str, tone: str, rule: str, *, follows: bool = False) -> Told:

    def describe(event: Event, state: FightState) -> Phrase:
        return Phrase(fill_template(text, named_people(event, state), {}), tone, rule, follows=follows)

    return describe


def _sum(parts: condition.Parts) -> str:
    return ", ".join(f"{value} {label}" for label, value, _ in parts if value not in ("+0", "0"))


def _labelled(parts: condition.Parts) -> str:
    return ", ".join(f"{label} {value}" for label, value, _ in parts)


def _describe_blow(event: condition.BlowLanded, state: FightState) -> Phrase:
    way = "" if event.passage == "common" else f", {event.passage.replace('_', ' ')}"
    text = f"POT {event.pot}, {event.struck}{way}"
    return Phrase(text, "dim", "CS-530", follows=True, sum=_sum(event.parts))


def _describe_knockback(event: condition.KnockedBack, state: FightState) -> Phrase:
    where = "" if state.board is None or event.at in (None, event.before) else f" to {state.board.name_of(event.at)}"
    stop_text = f", stopped by {event.stopped_at}" if event.stopped_at else ""
    more = f": POT +{event.barrier}" if event.barrier else ""
    feet_text = f"{event.moved} of {event.feet} ft"
    text = f"{name_of(state, event.who)} is knocked back {feet_text}{where}{stop_text}{more}"
    return Phrase(text, "warn", "CS-563" if event.barrier else "CS-560", follows=True, sum=_sum(event.parts))


def _armour(event: condition.ArmourApplied, state: FightState) -> Phrase:
    """No line if no layer took anything."""
    if event.out == event.pot_in:
        return NOTHING
    through = f"{event.out} of {event.pot_in} POT come through" if event.out else f"stops all {event.pot_in} POT"
    text, tone = f"{name_of(state, event.who)}: {through}", "dim" if event.out else "good"
    return Phrase(text, tone, "CS-570", follows=True, sum=_sum(event.parts))


def _describe_reckoning(event: condition.WoundsReckoned, state: FightState) -> Phrase:
    """The wounds have a line of their own; without any, this gives the reason."""
    text = f"{name_of(state, event.who)}: {event.through} through, Wound Threshold {event.threshold:g}"
    if not event.wounds:
        return Phrase(f"{text}: no wound", "good", "CS-600", follows=True)
    return Phrase(text, "dim", "CS-602" if event.counts else "CS-603", follows=True)


def _pool_changed(event: PoolChanged, state: FightState) -> Phrase | None:
    """No line if wounds are counted: their number has one. Who took half has one all the same."""
    hit = state.combatants.get(event.who)
    is_counted = hit is not None and event.pool == "hp" and condition.body_points(state, hit) is None
    if not is_counted:
        return None
    took_half = isinstance(event, DamageApplied) and event.half
    return Phrase(f"{name_of(state, event.who)} takes half", "dim", follows=True) if took_half else NOTHING


def _boxes_changed(event: PoolAdjusted, state: FightState) -> Phrase | None:
    """No line for boxes that healing frees; one for those set by the GM."""
    if _pool_changed(event, state) is None:
        return None
    if event.reason.startswith("CS-"):
        return NOTHING
    boxes_text = f"{event.left} of {event.max} wounds left before collapse"
    return Phrase(f"{name_of(state, event.who)}: {boxes_text} ({event.reason})", "ruling")


def _wounds(event: events.WoundsInflicted, state: FightState) -> Phrase:
    many = "1 wound" if abs(event.n) == 1 else f"{abs(event.n)} wounds"
    how = f"takes {many}" if event.n >= 0 else f"is healed of {many}"
    text, tone = f"{how}, {event.total} in all, {event.level}", "bad" if event.n >= 0 else "good"
    return Phrase(f"{name_of(state, event.who)} {text}", tone, "CS-620", follows=True)


def _describe_rally(event: condition.Rallied, state: FightState) -> Phrase:
    how = "rallies: full STR for this Action" if event.ok else "can't rally"
    return Phrase(f"{name_of(state, event.who)} {how}", "good" if event.ok else "bad", "CS-622", follows=True)


def _describe_meeting(event: condition.BodiesMet, state: FightState) -> Phrase:
    combatant_id, target = name_of(state, event.who), name_of(state, event.target)
    words, rule = {
        "thrown": (f"{target} is thrown back {event.feet} ft", "CS-457"),
        "rebound": (f"{combatant_id} bounces {event.feet} ft off {target}", "CS-459"),
        "dodged": (f"{combatant_id} meets no one", "CS-461"),
    }.get(event.outcome, (f"{combatant_id} and {target} stop in close melee", "CS-460"))
    is_thrown = event.outcome in ("thrown", "rebound")
    return Phrase(words, "warn", rule, follows=True, sum=_sum(event.parts) if is_thrown else "")


def _describe_morale(event: condition.Demoralised, state: FightState) -> Phrase:
    target, by = name_of(state, event.who), name_of(state, event.by)
    words, rule = {
        "shaken": (f"{target} backs off and looks for a way to break off", "CS-516"),
        "broken": (f"{target} breaks and surrenders", "CS-517"),
        "unmoved": (f"{target} is unmoved", "CS-518"),
        "doubt": (f"{target} has doubts: DVs -{event.loss} against {by} in the next segment", "CS-519"),
    }.get(event.outcome, (f"{target} fights on", "CS-520"))
    return Phrase(words, "warn", rule, follows=True)


def _words_lost(event: condition.PresenceLost, state: FightState) -> Phrase:
    text = f'"{event.line}" has no effect on {name_of(state, event.target)}: {event.reason}'
    return Phrase(f"{name_of(state, event.who)}'s {text}", "dim", event.rule, follows=True)


# Log lines for heroic effects, tokens and healing


def _describe_deed(event: condition.HeroicsDeclared, state: FightState) -> Phrase:
    deed = event.told or f"{event.score.upper()} +{event.bonus}"
    return Phrase(f"{name_of(state, event.who)} does the impossible: {deed}", "good", "CS-645")


def _describe_feat(event: condition.FeatChosen, state: FightState) -> Phrase:
    number = f": {event.after} {event.unit} instead of {event.before}" if event.after else ""
    rest = "; the GM decides how" if event.due else ""
    tone = "bad" if event.rule == "CS-641" else "good"
    return Phrase(f"{name_of(state, event.who)}, {event.label}{number}{rest}", tone, event.rule, follows=True)


def _describe_schedule(event: condition.HealingScheduled, state: FightState) -> Phrase:
    ends = event.dates or tuple(f"day {day}" for day in event.on_days)
    more = f"... the last {ends[-1]}" if len(ends) > TOLD_DATES else ""
    when = f", healed {', '.join(ends[:TOLD_DATES])}{more}"
    needs = f" needs {CARE[event.care]}" if not event.met and event.care in CARE else " heals"
    return Phrase(f"{name_of(state, event.who)}{needs}{when}", "plain" if event.met else "warn", "CS-664", follows=True)


def _describe_healing(event: condition.WoundHealed, state: FightState) -> Phrase:
    when = event.date or f"day {event.day}"
    return Phrase(f"{name_of(state, event.who)}, {when}: one wound heals, {event.total} left", "good", "CS-664")


# Log lines for the events of Combat Segments


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
    if event.by == queries.SIMULTANEOUS:
        return Phrase(f"Tie, all act at once: {names_of(state, event.ids)}", "plain", rule)
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
    text = f"{event.done} of {quarters(event.need)}{f', due {event.due}' if event.due else ''}"
    return Phrase(f"{name_of(state, event.who)}: {text}", "dim", "CS-102", follows=True)


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
    why = f" ({event.reason})" if event.reason != small_acts.GIVEN_UP else ""
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
    rule = "CS-234" if event.capped else "CS-235"
    return Phrase(f"{name_of(state, event.who)} moves {way}", "dim", rule, follows=True)


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
    sides = " against ".join(
        f"{title} {value}" for title, value in (("AV", event.av), ("DV", event.dv)) if value is not None
    )
    parts = _labelled(tuple(part for part in event.parts if part[1] not in ("+0", "0")))
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
    by = names_of(state, event.aggressors) or event.kind
    return Phrase(
        f"Surprise! {by} on {names_of(state, event.targets)}{dv}", "warn", "CS-040", sum=_labelled(event.parts)
    )


_TOLD_BY_DEED = (
    "check", "tie", "arrival", "harm", "pot", "pres", "rally", "reprisal", "opportunity", "object", "structure",
    "piece", "how_far", "fate", "bumble",
)  # fmt: skip
"""Kinds of questions whose answer is told by the events that follow."""


def _describe_ruling(event: RulingRecorded, state: FightState) -> Phrase | None:
    question = state.prompt(event.prompt) if event.prompt else None
    combatant = state.combatants.get(question.who) if question is not None else None
    is_kept = question is not None and question.kind == out_of_turn.AFTER and event.choice == "keep"
    if is_kept and not event.default_taken and combatant is not None and action_of(combatant).is_open:
        return Phrase(f"{combatant.name} keeps: {action_of(combatant).text}", "dim", "CS-237")
    opportunity = question.resume if question is not None else None
    if combatant is not None and isinstance(opportunity, OfferedOpportunity) and event.choice == "pass":
        return Phrase(f"{combatant.name} does not strike {name_of(state, opportunity.other)}", "dim", event.rule)
    quiet = event.default_taken and (event.choice == "moot" or (question is not None and not question.blocking))
    is_stun = question is not None and question.kind == wound_effects.BARRIER and event.choice == question.amount
    told_by_deed = question is not None and (question.kind in _TOLD_BY_DEED or event.choice == "roll" or is_stun)
    return NOTHING if quiet or told_by_deed else None


def _describe_skip(event: StepSkipped, state: FightState) -> Phrase:
    steps = state.agenda.steps
    step = steps[event.index] if event.index < len(steps) else None
    if step is None or not step.actor or not event.reason.startswith(small_acts.AT_WORK):
        return NOTHING
    return Phrase(f"{name_of(state, step.actor)} is {event.reason}", "dim", "CS-102")


def _object(event: events.ObjectMoved, state: FightState) -> Phrase:
    where = f", direction {event.octant} of 8" if event.octant is not None else ""
    to = f" to {name_of(state, event.other)}" if event.other and event.holder == event.other else ""
    bad = any(word in event.how for word in ("break", "fumbled", "missed", "dropped", "wide", "flies", "not found"))
    text = f"{name_of(state, event.who)}: {event.thing} {event.how}{to}{where}"
    return Phrase(text, "warn" if bad else "plain", "CS-207" if event.octant is not None else "CS-200")


def _impact(event: events.ImpactTaken, state: FightState) -> Phrase:
    through = f", {event.through} through" if event.through else ""
    text = f"{name_of(state, event.who)} is hit by {event.thing}: POT {event.pot}, {event.taken} taken{through}"
    return Phrase(text, "bad" if event.wounds else "plain", "CS-222", follows=True, sum=_labelled(event.parts))


_OUT_OF_TURN = {
    paths.STRIKE: "{who} strikes at {target}",
    paths.MOVE_BY: "{who} strikes at {target} in passing",
    paths.PARTING: "{who} strikes after {target}",
}


def _describe_opportunity(event: events.OpportunityTaken, state: FightState) -> Phrase:
    words = _OUT_OF_TURN.get(event.kind, f"{{who}}: {event.kind.replace('_', ' ')} on {{target}}")
    text = words.format(who=name_of(state, event.who), target=name_of(state, event.target))
    return Phrase(text, "plain", "CS-439")


def _describe_going_on(event: events.MovementResumed, state: FightState) -> Phrase:
    """No line for those who are lying, cannot act, or have arrived."""
    mover = state.combatants.get(event.who)
    goes_on = mover is not None and mover.able and paths.can_hold(mover) and paths.has_plan(mover)
    return Phrase(f"{name_of(state, event.who)} moves on", "dim", "CS-440") if goes_on else NOTHING


_TOLD_LATER = ("initiative", "tie", "check", "defence", "victim", "aggressor")
"""The subjects of rolls that later events tell."""

_UNTOLD: tuple[type[Event], ...] = (
    events.SlotsOwed, events.SlotUsed, events.PassEnded, events.SegmentEnded, events.Confirmed, events.PulseTicked,
    events.Footed, events.UseCounted, events.EndSpent, events.AllowanceSpent, events.SurpriseChecked,
    events.SurpriseRecoveryChecked, StepBegan, StepEnded, AgendaChanged, FactChanged, TraitsChanged, TraitsReset,
)  # fmt: skip
"""Events without a log line: others tell them, or nobody needs to hear of them."""

TOLD: dict[type[Event], Told] = {
    **dict.fromkeys(_UNTOLD, tell_nothing),
    condition.BlowLanded: _describe_blow,
    condition.KnockedBack: _describe_knockback,
    condition.Fell: _line("{who} falls", "bad", "CS-562", follows=True),
    condition.ArmourApplied: _armour,
    condition.ArmourWorn: _line("{who}'s {layer}: -{lost}, {left} left", "dim", "CS-580", follows=True),
    condition.ArmourDestroyed: _line("{who}'s {layer} is ruined", "warn", "CS-584", follows=True),
    condition.WoundsReckoned: _describe_reckoning,
    condition.BodyPointsLost: _line(
        "{who} loses {amount} Body Points, {left} left, {level}", "bad", "CS-550", follows=True
    ),
    DamageApplied: _pool_changed,
    PoolAdjusted: _boxes_changed,
    events.WoundsInflicted: _wounds,
    condition.FellUnconscious: _line("{who} falls unconscious", "fallen", "CS-611", follows=True),
    condition.Collapsed: _line("{who} collapses", "fallen", "CS-624", follows=True),
    condition.Died: _line("{who} is dead", "fallen", "CS-624", follows=True),
    # The condition of those who fall has just had a line.
    Downed: lambda item, state: NOTHING if item.how in queries.LIVES else None,
    condition.LivesOn: lambda item, state: Phrase(
        f"{name_of(state, item.who)} lives on for {item.segments // 6} minutes", "warn", "CS-625", follows=True
    ),
    condition.Rallied: _describe_rally,
    condition.AftermathApplied: _line(
        "{who}, {level}: STR {strength}, END back in {end_factor} times the time", "plain", "CS-627"
    ),
    condition.BodiesMet: _describe_meeting,
    condition.Demoralised: _describe_morale,
    condition.PresenceLost: _words_lost,
    condition.HeroicEffect: _line("{who} rolls a Heroic Effect", "good", "CS-635", follows=True),
    condition.Bumble: _line("{who} bumbles", "bad", "CS-637", follows=True),
    condition.HeroicsDeclared: _describe_deed,
    condition.HeroicsEnded: _line("{who}'s heroic deed ends: {reason}", "plain", "CS-647", follows=True),
    condition.FeatChosen: _describe_feat,
    condition.ToolBroken: _line("{who}'s {tool} breaks", "bad", "CS-641", follows=True),
    events.TokenGiven: _line("{who} gets a {colour} token", "plain", "CS-651", follows=True),
    events.TokenSpent: _line("{who} spends a {colour} token[: {on}]", "plain", "CS-653"),
    events.TokenPassed: _line("{who} passes a {colour} token to {to}", "plain", "CS-654"),
    condition.HealingScheduled: _describe_schedule,
    condition.DaysPassed: _line("Day {value} after the fight", "plain", "CS-664"),
    condition.WoundHealed: _describe_healing,
    condition.HealingClockReset: _line("{who} overdoes it: healing starts over", "warn", "CS-667"),
    events.SegmentBegan: _segment,
    events.InitiativeRolled: _describe_initiative,
    events.InitiativeSet: lambda item, state: (
        Tally("Initiative", name_of(state, item.who), item.total).phrase("CS-021")
    ),
    events.TieResolved: _tie,
    events.RosterSet: lambda item, state: Phrase(order_words(state, item.order), "plain", "CS-022"),
    events.PassBegan: lambda item, state: Phrase(f"Pass {item.value}", "dim", "CS-080") if item.value != 1 else NOTHING,
    events.Declared: _describe_declaration,
    events.DeclarationInserted: _describe_declaration,
    events.Waited: _line("{who} waits", "dim", "CS-160"),
    events.ActionAborted: _describe_abort,
    events.ActionProgressed: _describe_progress,
    events.Resolved: _describe_resolution,
    events.SegmentMoved: _describe_walk,
    events.PulseMoved: _describe_pulse,
    events.WayPlanned: lambda item, state: Phrase(
        f"{name_of(state, item.who)} plans {item.feet:g} ft at {item.mph:g} mph" if item.feet
        else f"{name_of(state, item.who)} stands still", "dim", "CS-230",
    ),
    events.PostureChanged: _line("{who}: {posture}", "plain", "CS-104"),
    events.PathsCrossed: lambda item, state: Interaction(
        name_of(state, item.who), ("comes upon", "come upon"), name_of(state, item.other), is_meeting=True
    ).phrase("warn", "CS-236"),
    events.MovementInterrupted: lambda item, state: Phrase(
        f"{name_of(state, item.by)} intercepts {name_of(state, item.who)}" if item.by != item.who
        else f"{name_of(state, item.who)} stops there", "warn", "CS-437", follows=True,
    ),
    events.MovementResumed: _describe_going_on,
    events.BrokeOff: _line("{who} breaks off: {how}", "plain", "CS-106"),
    events.OpportunityTaken: _describe_opportunity,
    events.ReprisalTaken: _line("{who} takes a Reprisal on {target}", "plain", "CS-482"),
    events.ReprisalTraded: _line("{who} moves away instead of a Reprisal, up to {feet} ft", "plain", "CS-484"),
    events.ReprisalDeclined: _line("{who} takes no Reprisal", "dim", "CS-481", follows=True),
    events.CheckRequested: _describe_check,
    events.CheckResolved: _check,
    events.Hit: lambda item, state: Phrase("", rule="CS-477", edge="hit"),
    events.Missed: lambda item, state: Phrase("", rule="CS-478", edge="miss"),
    events.ImpactScheduled: _line("The shot at {target} lands in segment {due}", "plain", "CS-285"),
    events.ImpactDue: _line("The shot at {target} lands", "warn", "CS-285"),
    events.StrayFireQueued: _line("The shot flies on: in line {line}", "warn", "CS-525", follows=True),
    events.StrayFireChecked: lambda item, state: Phrase(
        f"The stray shot {'strikes' if item.hit else 'misses'} {name_of(state, item.candidate)}",
        "warn" if item.hit else "dim", "CS-526", follows=True,
    ),
    events.StrayFireSpent: _line("The shot is spent", "dim", "CS-527", follows=True),
    events.SurpriseTriggered: _springs,
    events.SurpriseApplied: _describe_surprise,
    events.SurprisePenaltyWaned: _line("{who}: surprise down to -{penalty}", "dim", "CS-068", follows=True),
    events.SurpriseEnded: _line("{who} is no longer surprised", "good", "CS-067"),
    events.StunApplied: _line("{who} is stunned, -{penalty}", "bad", "CS-613", follows=True),
    events.StunDecayed: _line("{who}: stun down to -{penalty}", "dim", "CS-616", follows=True),
    events.StunCleared: _line("{who} is no longer in pain", "good", "CS-616"),
    events.LifeChanged: _line("{who} is {life}", "fallen", "CS-625", follows=True),
    events.ObjectMoved: _object,
    events.ImpactTaken: _impact,
    events.StruggleChanged: lambda item, state: Phrase(
        f"Holding {item.thing}: {names_of(state, item.holding) or 'no one'}"
        + (f", until segment {item.until}" if item.until else ""), "plain", "CS-203",
    ),
    events.ScaleChanged: _line("The display changes to {value} scale: 25 mm = {square_feet} ft", "ruling", "CS-685"),
    events.ContestChanged: lambda item, state: Phrase(
        describe_contest(item.value), "plain", "CS-001", follows=True
    ),
    # Those who spring a Surprise have been named with it.
    Detected: lambda item, state: NOTHING if item.cause == ambushes.SPRUNG else None,
    StepSkipped: _describe_skip,
    RulingRecorded: _describe_ruling,
    DiceRolled: lambda item, state: NOTHING if subject_of(item.purpose) in _TOLD_LATER else None,
}  # fmt: skip
"""Log lines by class of event."""
