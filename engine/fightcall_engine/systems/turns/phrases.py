"""The events of Scenes, Rounds, Turns in words."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.phrases import counted_down, name_of
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg
from fightcall_engine.systems.turns.rests import TITLES

NOTHING = Phrase("")
"""An event that is not worth a line."""

_TOLD_BY_DEED = (
    "mode",
    "step_in",
    "last_offer",
    "together",
    "arrival",
    "upkeep",
    "outcome",
    "damage",
    "hp_per_resolve",
)
"""Kinds of questions whose answer shows in what it brings."""


def _names(state: FightState, people: tuple[str, ...]) -> str:
    return ", ".join(name_of(state, who) for who in people)


def _to(state: FightState, target: str) -> str:
    return f" → {name_of(state, target)}" if target else ""


def _what(what: str) -> str:
    return f": {what}" if what else ""


def _pool(pool: str) -> str:
    return pool.removeprefix(fg.DAILY)


def _scene(one: tev.SceneBegan, state: FightState) -> Phrase:
    return Phrase(f"Scene: {one.name}" if one.name else "A Scene opens", "heading", "ST-01")


def _scene_ended(one: tev.SceneEnded, state: FightState) -> Phrase:
    name = f": {one.name}" if one.name else ""
    why = f" ({one.reason})" if one.reason else ""
    return Phrase(f"The Scene closes{name}{why}", "heading", "ST-01")


def _mode(one: tev.ModeSet, state: FightState) -> Phrase:
    if one.mode == fg.INITIATIVE:
        return Phrase("Initiative: all roll d20 + Speed", "heading", "ST-12")
    return Phrase("Free order: turns in any order", "heading", "ST-09")


def _rolled(one: tev.InitiativeRolled, state: FightState) -> Phrase:
    return Phrase(f"{name_of(state, one.who)}  {one.die} {one.speed:+d} = {one.total}", "plain", "ST-12")


def _tie_speed(one: tev.TieBrokenBySpeed, state: FightState) -> Phrase:
    shown = ", ".join(f"{name_of(state, who)} {speed:+d}" for who, speed in zip(one.figures, one.speeds, strict=True))
    return Phrase(f"A tie, broken by Speed: {shown}", "plain", "ST-14")


def _tie_die(one: tev.TieBrokenByDie, state: FightState) -> Phrase:
    shown = ", ".join(f"{name_of(state, who)} {die}" for who, die in zip(one.figures, one.dice, strict=True))
    return Phrase(f"A tie, broken by d6: {shown}", "plain", "ST-15")


def _order(one: ev.OrderSet, state: FightState) -> Phrase:
    return Phrase(f"Order: {_names(state, one.order)}", "plain", "ST-13")


def _order_changed(one: tev.OrderChanged, state: FightState) -> Phrase:
    return Phrase(f"The order is now: {_names(state, one.order)}", "plain", "ST-20")


def _offered(one: tev.TurnOffered, state: FightState) -> Phrase:
    """Whose place it is stands on the ribbon, and over the turn when it is taken."""
    return Phrase(f"{name_of(state, one.who)} has the last place", "dim", "ST-21") if one.last else NOTHING


def _stepped(one: tev.SteppedIn, state: FightState) -> Phrase:
    ahead = f" ahead of {name_of(state, one.ahead_of)}" if one.ahead_of else ""
    return Phrase(f"{name_of(state, one.who)} steps in{ahead}", "plain", "ST-18")


def _passed(one: tev.TurnPassed, state: FightState) -> Phrase:
    return Phrase(f"{name_of(state, one.who)}'s place passes: {one.cause}", "dim", "ST-06")


def _turn(one: tev.TurnBegan, state: FightState) -> Phrase:
    return Phrase(f"R{state.round} · {name_of(state, one.who)}", "heading", "ST-22")


def _harm(one: tev.NegativeApplied, state: FightState) -> Phrase:
    pool = "" if one.pool == "hp" else f" {_pool(one.pool)}"
    tail = f"  {one.before} → {one.left}" if one.tracked else ""
    return Phrase(f"{one.name}: {name_of(state, one.who)} loses {one.amount}{pool}{tail}", "bad", "ST-23")


def _good(one: tev.PositiveApplied, state: FightState) -> Phrase:
    pool = "" if one.pool == "hp" else f" {_pool(one.pool)}"
    if not one.amount:
        return Phrase(f"  {one.name}: nothing to recover", "dim", "ST-27")
    text = f"{one.name}: {name_of(state, one.who)} recovers {one.amount}{pool}  {one.before} → {one.left}"
    return Phrase(text, "good", "ST-27")


def _paid(one: tev.UpkeepPaid, state: FightState) -> Phrase:
    return Phrase(f"  {one.amount} {_pool(one.pool)} keep {one.name} up, {one.left} left", "dim", "ST-24")


def _unpaid(one: tev.UpkeepUnpaid, state: FightState) -> Phrase:
    return Phrase(f"  {one.name} is not paid for ({one.cause})", "warn", "ST-25")


def _action(one: tev.ActionTaken, state: FightState) -> Phrase:
    cost = f"{one.amount} Actions, " if one.amount > 1 else ""
    text = f"{name_of(state, one.who)}{_what(one.what or 'acts')}{_to(state, one.target)}"
    return Phrase(f"{text}  ({cost}{one.left} left)", "plain", "ST-28")


def _reaction(one: tev.ReactionTaken, state: FightState) -> Phrase:
    text = f"{name_of(state, one.who)} reacts{_what(one.what)}{_to(state, one.target)}"
    return Phrase(f"{text}  ({one.left} left)", "plain", "ST-30")


def _struck(one: tev.StrikeResolved, state: FightState) -> Phrase:
    shown = f"{one.total} v {one.needs}  " if one.total is not None else ""
    return Phrase(f"  {shown}{'hit' if one.hit else 'miss'}", "good" if one.hit else "dim", "ST-28")


def _ended(one: tev.TurnEnded, state: FightState) -> Phrase:
    lost = f", {one.unused} unused" if one.unused else ""
    cause = {"no Actions": "no Actions left", "voluntary": "done", "gm": "closed"}.get(one.cause, one.cause)
    seconds = f"{one.seconds_min} to {one.seconds_max} s"
    return Phrase(f"  turn over: {cause}{lost} ({seconds})", "dim", "ST-04")


def _clock(one: tev.ClockRangeAdvanced, state: FightState) -> Phrase:
    spare = one.value if isinstance(one.value, int) else 0
    return Phrase(f"{state.clock_s} to {state.clock_s + spare} s have passed", "dim", "ST-08")


def _effect(one: ev.EffectBegan, state: FightState) -> Phrase | None:
    effect = one.effect
    if not effect.kind and not effect.data:
        return None
    size = str(effect.data.get("dice") or abs(effect.magnitude))
    pool = str(effect.data.get("pool") or "hp")
    does = {"negative": f", {size} {_pool(pool)} lost a turn", "positive": f", {size} {_pool(pool)} back a turn"}
    what = does.get(effect.kind, "") if effect.magnitude or effect.data.get("dice") else ""
    price = f", upkeep {effect.data['upkeep']} {effect.data.get('resource')}" if effect.data.get("upkeep") else ""
    left = f" for {effect.left}" if effect.left is not None else ""
    return Phrase(f"{name_of(state, one.who)}: {effect.name}{what}{price}{left}", "plain", "ST-23")


def _rest(one: tev.RestBegan, state: FightState) -> Phrase:
    kind = TITLES.get(one.kind, "Rest")
    awake = [who for who in one.resters if who in state.combatants and state.combatants[who].sheet.get("sleepless")]
    how = f" ({_names(state, tuple(awake))}: meditating)" if awake and one.kind == fg.FULL else ""
    length = f"{one.minutes // 60} h" if one.minutes % 60 == 0 and one.minutes else f"{one.minutes} min"
    return Phrase(f"{kind}, {length}: {_names(state, one.resters)}{how}", "heading", "ST-35")


def _resolve(one: tev.ResolveSpent, state: FightState) -> Phrase:
    return Phrase(f"  {one.amount} Resolve at {one.each} each, {one.left} left", "dim", "ST-38")


def _refilled(rule: str) -> Callable[[ev.Refilled, FightState], Phrase]:
    def told(one: ev.Refilled, state: FightState) -> Phrase:
        text = f"  {name_of(state, one.who)}: {_pool(one.pool)} {one.before} → {one.left}"
        return Phrase(text, "good", rule)

    return told


def _ruled(one: ev.RulingRecorded, state: FightState) -> Phrase | None:
    """Offers that nobody took up, and questions that settled themselves, are not worth a line."""
    asked = state.prompt(one.prompt) if one.prompt else None
    quiet = one.default_taken and (one.choice == "moot" or (asked is not None and not asked.blocking))
    told_by_deed = asked is not None and asked.kind in _TOLD_BY_DEED
    return NOTHING if quiet or told_by_deed else None


def _dice(one: ev.DiceRolled, state: FightState) -> Phrase | None:
    """Initiative and its ties are told with what came of them."""
    return NOTHING if one.purpose.partition(".")[0] in ("initiative", "tie") else None


def _quiet(one: ev.Event, state: FightState) -> Phrase:
    return NOTHING


def _trait(one: ev.TraitChanged, state: FightState) -> Phrase | None:
    return NOTHING if one.trait in fg.TRAITS else None


_TOLD: Mapping[type[ev.Event], Callable[..., Phrase | None]] = {
    tev.SceneBegan: _scene,
    tev.SceneEnded: _scene_ended,
    tev.ModeSet: _mode,
    tev.TurnTaken: lambda one, state: Phrase(
        f"{name_of(state, one.who)}{_what(one.what or 'a turn')}", "plain", "ST-09"
    ),
    tev.EveryoneHadAChance: lambda one, state: Phrase("Everybody has had a chance to act", "dim", "ST-10"),
    tev.ReminderRaised: lambda one, state: Phrase(
        f"Remember: {one.text}", "warn", "ST-10" if one.left_out else "ST-34"
    ),
    tev.InitiativeAsked: _quiet,
    tev.InitiativeRolled: _rolled,
    tev.TieBrokenBySpeed: _tie_speed,
    tev.TieDieRolled: lambda one, state: Phrase(f"{name_of(state, one.who)}  d6 {one.die}", "dice", "ST-15"),
    tev.TieBrokenByDie: _tie_die,
    ev.OrderSet: _order,
    tev.OrderChanged: _order_changed,
    ev.RoundBegan: lambda one, state: Phrase(f"Round {one.number}", "heading", "ST-06"),
    ev.RoundEnded: _quiet,
    ev.StepBegan: _quiet,
    ev.StepSkipped: _quiet,
    tev.TurnOffered: _offered,
    tev.TurnDelayed: lambda one, state: Phrase(f"{name_of(state, one.who)} delays", "plain", "ST-17"),
    tev.SteppedIn: _stepped,
    tev.TurnForfeited: lambda one, state: Phrase(
        f"{name_of(state, one.who)} forfeits the turn ({one.cause})", "warn", "ST-21"
    ),
    tev.TurnPassed: _passed,
    tev.TurnBegan: _turn,
    tev.ActionDiceRecovered: _quiet,
    tev.ReactionsRecovered: _quiet,
    tev.NegativeApplied: _harm,
    tev.PositiveApplied: _good,
    tev.UpkeepAsked: _quiet,
    tev.UpkeepPaid: _paid,
    tev.UpkeepUnpaid: _unpaid,
    tev.ActionTaken: _action,
    tev.ReactionTaken: _reaction,
    tev.FreeActionTaken: lambda one, state: Phrase(
        f"{name_of(state, one.who)}, free{_what(one.what or 'an action')}", "plain", "ST-32"
    ),
    tev.FreeActionForbidden: lambda one, state: Phrase(
        f"  {name_of(state, one.who)}: that does not happen", "ruling", "ST-32"
    ),
    tev.PoolSpent: lambda one, state: Phrase(
        f"  {name_of(state, one.who)}: {one.amount} {_pool(one.pool)}{_what(one.what)}, {one.left} left", "dim", "ST-42"
    ),
    tev.StrikeResolved: _struck,
    tev.TurnEnded: _ended,
    tev.EffectCounted: lambda one, state: Phrase(f"  {counted_down(one, state)}", "dim", "ST-26"),
    tev.ClockRangeAdvanced: _clock,
    tev.RestBegan: _rest,
    tev.RestActivity: lambda one, state: Phrase(f"{name_of(state, one.who)}{_what(one.what)}", "plain", "ST-37"),
    tev.ResolveSpent: _resolve,
    tev.RestInterrupted: lambda one, state: Phrase(
        f"The {TITLES.get(one.kind, 'rest')} breaks off after {one.minutes} min", "warn", "Q-T11"
    ),
    tev.RestLeft: lambda one, state: Phrase(
        f"{name_of(state, one.who)} breaks off the {TITLES.get(one.kind, 'rest')} after {one.minutes} min",
        "warn",
        "Q-T11",
    ),
    tev.RestCompleted: lambda one, state: Phrase(
        f"The {TITLES.get(one.kind, 'rest')} is over", "heading", "ST-39" if one.kind == fg.SHORT else "ST-41"
    ),
    tev.FocusRecovered: _refilled("ST-39"),
    tev.PoolsRestored: _refilled("ST-41"),
    tev.DailiesRestored: _refilled("ST-42"),
    ev.EffectBegan: _effect,
    ev.AgendaChanged: _quiet,
    ev.FactChanged: _quiet,
    ev.TraitChanged: _trait,
    ev.TraitsReset: _quiet,
    ev.RulingRecorded: _ruled,
    ev.DiceRolled: _dice,
}


def phrase(happened: ev.Event, state: FightState) -> Phrase | None:
    """An event of this system in words; None leaves it to the core, an empty text says it is not worth a line."""
    told = _TOLD.get(type(happened))
    return told(happened, state) if told else None
