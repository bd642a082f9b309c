"""The events of Scenes, Rounds, Turns in words."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.combatants import name_of
from fightcall_engine.kit.phrases import answer_words, countdown_words, duration_words, order_words
from fightcall_engine.kit.views import Phrase, Tally
from fightcall_engine.model.dice import subject_of
from fightcall_engine.model.events import (
    AgendaChanged,
    DiceRolled,
    EffectBegan,
    Event,
    FactChanged,
    OrderSet,
    Refilled,
    RoundBegan,
    RoundEnded,
    RulingRecorded,
    StepBegan,
    StepSkipped,
    TraitsReset,
)
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.turns import effects, events, records
from fightcall_engine.systems.turns.records import WORDS, weapons_of

NOTHING = Phrase("")
"""An event that is not worth a line."""

SHOWN_BY_OUTCOME = (
    "mode",
    "step_in",
    "last_offer",
    "together",
    "arrival",
    "elapsed",
    "upkeep",
    "outcome",
    "damage",
    "hp_per_resolve",
)
"""Kinds of questions whose answer shows in what it brings."""


def _names(state: FightState, people: tuple[str, ...]) -> str:
    return ", ".join(name_of(state, combatant_id) for combatant_id in people)


def _deed(state: FightState, what: str, target: str, unnamed: str = "") -> str:
    """What was done, and to whom; `unnamed` is the verb if it has no name."""
    on = f" on {name_of(state, target)}" if target else ""
    return f": {what}{on}" if what else f"{unnamed}{on}"


def _attack(state: FightState, event: events.ActionTaken | events.ReactionTaken | events.TurnTaken) -> str:
    """An attack as a verb and its target; empty if the act is not named after one of the actor's weapons."""
    combatant = state.combatants.get(event.who)
    arms = weapons_of(combatant) if combatant is not None and event.target else ()
    is_attack = any(weapon["name"] == event.what for weapon in arms)
    return f"attacks {name_of(state, event.target)} with {event.what}" if is_attack else ""


def _what(what: str) -> str:
    return f": {what}" if what else ""


def _title(kind: str) -> str:
    return records.REST_TITLES.get(kind, "rest")


def _pool(pool: str) -> str:
    return WORDS.pool(pool)


def _scene(event: events.SceneBegan, state: FightState) -> Phrase:
    is_new = event.name and event.name != state.name
    return Phrase(f"Scene: {event.name}", "plain", "ST-01") if is_new else NOTHING


def _scene_ended(event: events.SceneEnded, state: FightState) -> Phrase:
    name = f": {event.name}" if event.name else ""
    why = f" ({event.reason})" if event.reason else ""
    return Phrase(f"The Scene ends{name}{why}", "plain", "ST-01")


def _mode(event: events.ModeSet, state: FightState) -> Phrase:
    if event.mode == records.INITIATIVE:
        return Phrase("Initiative: everyone rolls d20 + Speed", "aside", "ST-12")
    return Phrase("Free order: act in any order", "aside", "ST-09")


def _initiative(event: events.InitiativeRolled, state: FightState) -> Phrase:
    tally = Tally("Initiative", name_of(state, event.who), event.total)
    return tally.phrase("ST-12", f"{event.die} {event.speed:+d}")


def _tie_speed(event: events.TieBrokenBySpeed, state: FightState) -> Phrase:
    speeds = ", ".join(
        f"{name_of(state, combatant_id)} {speed:+d}"
        for combatant_id, speed in zip(event.figures, event.speeds, strict=True)
    )
    return Phrase(f"Tie broken by Speed: {speeds}", "plain", "ST-14")


def _tie_die(event: events.TieBrokenByDie, state: FightState) -> Phrase:
    faces = ", ".join(
        f"{name_of(state, combatant_id)} {die}" for combatant_id, die in zip(event.figures, event.dice, strict=True)
    )
    return Phrase(f"Tie broken by d6: {faces}", "plain", "ST-15")


def _order(event: OrderSet, state: FightState) -> Phrase:
    return Phrase(order_words(state, event.order), "plain", "ST-13")


def _order_changed(event: events.OrderChanged, state: FightState) -> Phrase:
    return Phrase(f"New order: {_names(state, event.order)}", "dim", "ST-20", follows=True)


def _passed(event: events.TurnPassed, state: FightState) -> Phrase:
    """A skipped place: only told for a combatant who came too late for the round; others are visible anyway."""
    tone = "plain" if event.before == event.value else "dim"
    return Phrase(f"{name_of(state, event.who)}: {event.cause}", tone, "ST-06")


def _offer(event: events.TurnOffered, state: FightState) -> Phrase:
    """An offer: not told, as the ribbon and the heading of the turn show it."""
    return Phrase(f"{name_of(state, event.who)} acts last this round", "dim", "ST-21") if event.last else NOTHING


def _step_in(event: events.SteppedIn, state: FightState) -> Phrase:
    ahead = f" ahead of {name_of(state, event.ahead_of)}" if event.ahead_of else ""
    return Phrase(f"{name_of(state, event.who)} steps in{ahead}", "plain", "ST-18")


def _harm(event: events.NegativeApplied, state: FightState) -> Phrase:
    pool = "" if event.pool == "hp" else f" {_pool(event.pool)}"
    tail = f" ({event.left}/{event.max})" if event.tracked else ""
    return Phrase(f"{name_of(state, event.who)} loses {event.amount}{pool} to {event.name}{tail}", "bad", "ST-23")


def _good(event: events.PositiveApplied, state: FightState) -> Phrase:
    pool = "" if event.pool == "hp" else f" {_pool(event.pool)}"
    if not event.amount:
        return Phrase(f"{event.name}: already at maximum", "dim", "ST-27", follows=True)
    name = name_of(state, event.who)
    text = f"{name} recovers {event.amount}{pool} from {event.name} ({event.left}/{event.max})"
    return Phrase(text, "good", "ST-27")


def _upkeep(event: events.UpkeepPaid, state: FightState) -> Phrase:
    price = f"{event.amount} {_pool(event.pool)}, {event.left} left"
    return Phrase(f"{name_of(state, event.who)} pays for {event.name}: {price}", "plain", "ST-24")


def _unpaid(event: events.UpkeepUnpaid, state: FightState) -> Phrase:
    price = f"{event.amount} {_pool(event.resource)}"
    return Phrase(f"{event.name}: upkeep of {price} not paid ({event.cause})", "warn", "ST-25", follows=True)


def _action(event: events.ActionTaken, state: FightState) -> Phrase:
    cost = f", {event.amount} Actions" if event.amount > 1 else ""
    attack = _attack(state, event)
    deed = f" {attack}" if attack else _deed(state, event.what, event.target, " acts")
    return Phrase(f"{name_of(state, event.who)}{deed}{cost}", "plain", "ST-28")


def _turn_taken(event: events.TurnTaken, state: FightState) -> Phrase:
    """A turn in free order; a walk is told by its own event."""
    if event.walked:
        return NOTHING
    attack = _attack(state, event)
    deed = f" {attack}" if attack else _deed(state, event.what or "a turn", event.target)
    return Phrase(f"{name_of(state, event.who)}{deed}", "plain", "ST-09")


def _walk_paid(event: events.WalkPaid, state: FightState) -> Phrase:
    return Phrase(
        f"{event.amount} Action{'' if event.amount == 1 else 's'}, {event.left} left", "dim", "ST-28", follows=True
    )


def _reaction(event: events.ReactionTaken, state: FightState) -> Phrase:
    attack = _attack(state, event)
    deed = f": {attack}" if attack else _deed(state, event.what, event.target)
    return Phrase(f"{name_of(state, event.who)} reacts{deed}", "plain", "ST-30")


def _strike(event: events.StrikeResolved, state: FightState) -> Phrase:
    total = ""
    if event.total is not None and event.needs is not None:
        total = f"{event.total} {'≥' if event.total >= event.needs else '<'} {event.needs} "
    return Phrase("", rule="ST-28", edge=f"{total}{'hit' if event.hit else 'miss'}")


def _turn_end(event: events.TurnEnded, state: FightState) -> Phrase:
    unused_text = f", {event.unused} Action{'' if event.unused == 1 else 's'} unused" if event.unused else ""
    return Phrase(f"{name_of(state, event.who)} ends the turn{unused_text}", "aside", "ST-04")


def _clock(event: events.ClockRangeAdvanced, state: FightState) -> Phrase:
    spare = event.value if isinstance(event.value, int) else 0
    return Phrase(f"{state.clock_s} to {state.clock_s + spare} s have passed", "aside", "ST-08")


def _effect(event: EffectBegan, state: FightState) -> Phrase | None:
    effect = event.effect
    if not effect.kind and effect.data is None:
        return None
    size, pool = effects.dice_of(effect) or str(abs(effect.magnitude)), _pool(effects.pool_of(effect))
    changes = {"negative": f", -{size} {pool} each turn", "positive": f", +{size} {pool} each turn"}
    what = changes.get(effect.kind, "") if effects.changes_pool(effect) else ""
    upkeep, resource = effects.upkeep_of(effect)
    price = f", upkeep {upkeep} {_pool(resource)}" if upkeep else ""
    duration = duration_words(event, state)
    if effect.left is not None and (effect.ticks, effect.clock) == (records.TURN_START, event.who):
        duration = f" for {effect.left} turn{'' if effect.left == 1 else 's'}"
    rule = {"negative": "ST-23", "positive": "ST-27"}.get(effect.kind, "ST-24")
    return Phrase(f"{name_of(state, event.who)}: {effect.name}{what}{price}{duration}", "plain", rule)


def _rest(event: events.RestBegan, state: FightState) -> Phrase:
    kind = _title(event.kind)
    awake = [
        combatant_id
        for combatant_id in event.resters
        if combatant_id in state.combatants and state.combatants[combatant_id].sheet.get("sleepless")
    ]
    how = f" ({_names(state, tuple(awake))}: meditating)" if awake and event.kind == records.FULL else ""
    length = f"{event.minutes // 60} h" if event.minutes % 60 == 0 and event.minutes else f"{event.minutes} min"
    return Phrase(f"{kind}, {length}: {_names(state, event.resters)}{how}", "plain", "ST-35")


def _refill(rule: str) -> Callable[[Refilled, FightState], Phrase]:
    def phrase(event: Refilled, state: FightState) -> Phrase:
        text = f"{name_of(state, event.who)}: {_pool(event.pool)} {event.before} → {event.left}"
        return Phrase(text, "good", rule, follows=True)

    return phrase


_ANSWER_WORDS = {
    ("mode", records.FREE): "The Scene continues in free order",
    ("left_out", "wait"): "The Scene continues",
    ("left_out", "waive"): "The Scene ends without them",
}
"""What an answer means, by the kind of its question and the choice; other answers are told after their question."""


def _ruling(event: RulingRecorded, state: FightState) -> Phrase | None:
    """A ruling, unless it is an offer that nobody took, or a question that settled itself."""
    if event.rule == "ST-11" and not event.prompt:
        # The heading tells how the Scene goes on.
        title = "Initiative" if event.choice == records.INITIATIVE else "Free order"
        return Phrase(f"{title}: {event.note}", "ruling", "ST-11") if event.note else NOTHING
    prompt = state.prompt(event.prompt) if event.prompt else None
    if prompt is not None and prompt.kind == "step_in" and event.choice == prompt.default:
        return Phrase("No one steps in", "aside", "ST-18")
    if words := answer_words(event, state, _ANSWER_WORDS):
        return Phrase(words, "aside", event.rule)
    quiet = event.default_taken and (event.choice == "moot" or (prompt is not None and not prompt.blocking))
    is_forbidden = prompt is not None and prompt.kind == "free_action" and event.choice == "no"
    is_shown = prompt is not None and (prompt.kind in SHOWN_BY_OUTCOME or is_forbidden)
    return NOTHING if quiet or is_shown else None


def _dice(event: DiceRolled, state: FightState) -> Phrase | None:
    """A roll, unless it is for Initiative or a tie, which are told with their results."""
    return NOTHING if subject_of(event.purpose) in ("initiative", "tie") else None


def _quiet(event: Event, state: FightState) -> Phrase:
    return NOTHING


PHRASES: Mapping[type[Event], Callable[..., Phrase | None]] = {
    events.SceneBegan: _scene,
    events.SceneEnded: _scene_ended,
    events.ModeSet: _mode,
    events.TurnTaken: _turn_taken,
    # The question that follows names who was left out.
    events.ReminderRaised: lambda item, state: (
        NOTHING if item.left_out else Phrase(f"Reminder: {item.text}", "warn", "ST-34")
    ),
    events.InitiativeAsked: _quiet,
    events.TieBrokenBySpeed: _tie_speed,
    events.TieBrokenByDie: _tie_die,
    OrderSet: _order,
    events.OrderChanged: _order_changed,
    RoundBegan: lambda item, state: NOTHING,
    RoundEnded: _quiet,
    StepBegan: _quiet,
    StepSkipped: _quiet,
    events.TurnPassed: _passed,
    events.TurnOffered: _offer,
    events.SteppedIn: _step_in,
    events.TurnBegan: _quiet,
    events.InitiativeRolled: _initiative,
    events.ActionDiceRecovered: _quiet,
    events.ReactionsRecovered: _quiet,
    events.NegativeApplied: _harm,
    events.PositiveApplied: _good,
    events.UpkeepAsked: _quiet,
    events.UpkeepPaid: _upkeep,
    events.UpkeepUnpaid: _unpaid,
    events.ActionTaken: _action,
    events.WalkPaid: _walk_paid,
    events.ReactionTaken: _reaction,
    events.FreeActionTaken: lambda item, state: Phrase(
        f"{name_of(state, item.who)} takes a Free Action{_what(item.what)}", "plain", "ST-32"
    ),
    events.PoolSpent: lambda item, state: Phrase(
        f"{name_of(state, item.who)}: {item.amount} {_pool(item.pool)}{_what(item.what)}, {item.left} left",
        "dim",
        "ST-42",
        follows=True,
    ),
    events.StrikeResolved: _strike,
    events.TurnEnded: _turn_end,
    events.EffectCounted: lambda item, state: Phrase(f"{countdown_words(item, state)}", "dim", "ST-26", follows=True),
    events.ClockRangeAdvanced: _clock,
    events.RestBegan: _rest,
    events.RestActivity: lambda item, state: Phrase(f"{name_of(state, item.who)}{_what(item.what)}", "plain", "ST-37"),
    events.RestInterrupted: lambda item, state: Phrase(
        f"The {_title(item.kind)} is interrupted after {item.minutes} min", "warn", "Q-T11"
    ),
    events.RestLeft: lambda item, state: Phrase(
        f"{name_of(state, item.who)} stops the {_title(item.kind)} after {item.minutes} min", "warn", "Q-T11"
    ),
    events.RestCompleted: lambda item, state: Phrase(
        f"The {_title(item.kind)} is over", "plain", "ST-39" if item.kind == records.SHORT else "ST-41"
    ),
    events.FocusRecovered: _refill("ST-39"),
    events.PoolsRestored: _refill("ST-41"),
    events.DailiesRestored: _refill("ST-42"),
    EffectBegan: _effect,
    AgendaChanged: _quiet,
    FactChanged: _quiet,
    TraitsReset: _quiet,
    RulingRecorded: _ruling,
    DiceRolled: _dice,
}
"""The functions for events that need more than their `TEXT`; None leaves an event to the core."""
