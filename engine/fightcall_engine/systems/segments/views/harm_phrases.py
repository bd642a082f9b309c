"""Log lines for the events of harm."""

from collections.abc import Callable

from fightcall_engine.kit.combatants import name_of
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model.events import DamageApplied, Downed, Event, PoolAdjusted, PoolChanged
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments.state import events, harm_events, health, queries

Told = Callable[..., Phrase | None]


def _sum(parts: harm_events.Parts) -> str:
    """A number with its parts: values and labels."""
    return ", ".join(f"{value} {label}" for label, value, _ in parts if value not in ("+0", "0"))


def _describe_blow(event: harm_events.BlowLanded, state: FightState) -> Phrase:
    way = "" if event.passage == "common" else f", {event.passage.replace('_', ' ')}"
    text = f"POT {event.pot}, {event.struck}{way}"
    return Phrase(text, "dim", "CS-530", follows=True, sum=_sum(event.parts))


def _describe_knockback(event: harm_events.KnockedBack, state: FightState) -> Phrase:
    where = (
        f" to {state.board.name_of(event.at)}"
        if state.board is not None and event.at not in (None, event.before)
        else ""
    )
    stop_text = f", stopped by {event.stopped_at}" if event.stopped_at else ""
    more = f": POT +{event.barrier}" if event.barrier else ""
    feet_text = f"{event.moved} of {event.feet} ft"
    text = f"{name_of(state, event.who)} is knocked back {feet_text}{where}{stop_text}{more}"
    return Phrase(text, "warn", "CS-563" if event.barrier else "CS-560", follows=True, sum=_sum(event.parts))


def _armour(event: harm_events.ArmourApplied, state: FightState) -> Phrase:
    """No line if no layer took anything."""
    if event.out == event.pot_in:
        return Phrase("")
    through = f"{event.out} of {event.pot_in} POT come through" if event.out else f"stops all {event.pot_in} POT"
    return Phrase(
        f"{name_of(state, event.who)}: {through}",
        "dim" if event.out else "good",
        "CS-570",
        follows=True,
        sum=_sum(event.parts),
    )


def _describe_wear(event: harm_events.ArmourWorn, state: FightState) -> Phrase:
    return Phrase(
        f"{name_of(state, event.who)}'s {event.layer}: -{event.lost}, {event.left} left", "dim", "CS-580", follows=True
    )


def _describe_ruin(event: harm_events.ArmourDestroyed, state: FightState) -> Phrase:
    return Phrase(f"{name_of(state, event.who)}'s {event.layer} is ruined", "warn", "CS-584", follows=True)


def _describe_reckoning(event: harm_events.WoundsReckoned, state: FightState) -> Phrase:
    """The wounds have a line of their own; without any, this gives the reason."""
    text = f"{name_of(state, event.who)}: {event.through} through, Wound Threshold {event.threshold:g}"
    if not event.wounds:
        return Phrase(f"{text}: no wound", "good", "CS-600", follows=True)
    return Phrase(text, "dim", "CS-602" if event.counts else "CS-603", follows=True)


def _points(event: harm_events.BodyPointsLost, state: FightState) -> Phrase:
    text = f"{name_of(state, event.who)} loses {event.amount} Body Points, {event.left} left, {event.level}"
    return Phrase(text, "bad", "CS-550", follows=True)


def _pool_changed(event: PoolChanged, state: FightState) -> Phrase | None:
    """No line if wounds are counted: their number has one. Who took half has one all the same."""
    hit = state.combatants.get(event.who)
    is_counted = hit is not None and event.pool == "hp" and health.body_points(state, hit) is None
    if not is_counted:
        return None
    took_half = isinstance(event, DamageApplied) and event.half
    return Phrase(f"{name_of(state, event.who)} takes half", "dim", follows=True) if took_half else Phrase("")


def _boxes_changed(event: PoolAdjusted, state: FightState) -> Phrase | None:
    """No line for boxes that healing frees; one for those set by the GM."""
    if _pool_changed(event, state) is None:
        return None
    if event.reason.startswith("CS-"):
        return Phrase("")
    boxes_text = f"{event.left} of {event.max} wounds left before collapse"
    return Phrase(f"{name_of(state, event.who)}: {boxes_text} ({event.reason})", "ruling")


def _wounds(event: events.WoundsInflicted, state: FightState) -> Phrase:
    many = "1 wound" if abs(event.n) == 1 else f"{abs(event.n)} wounds"
    how = f"takes {many}" if event.n >= 0 else f"is healed of {many}"
    tone = "bad" if event.n >= 0 else "good"
    return Phrase(
        f"{name_of(state, event.who)} {how}, {event.total} in all, {event.level}", tone, "CS-620", follows=True
    )


def _describe_fall(event: Downed, state: FightState) -> Phrase | None:
    """No line for those whose condition has just had one."""
    return Phrase("") if event.how in queries.LIVES else None


def _lives(event: harm_events.LivesOn, state: FightState) -> Phrase:
    minutes = event.segments // 6
    return Phrase(f"{name_of(state, event.who)} lives on for {minutes} minutes", "warn", "CS-625", follows=True)


def _describe_rally(event: harm_events.Rallied, state: FightState) -> Phrase:
    how = "rallies: full STR for this Action" if event.ok else "can't rally"
    return Phrase(f"{name_of(state, event.who)} {how}", "good" if event.ok else "bad", "CS-622", follows=True)


def _aftermath(event: harm_events.AftermathApplied, state: FightState) -> Phrase:
    recovery = f"END back in {event.end_factor} times the time"
    text = f"{name_of(state, event.who)}, {event.level}: STR {event.strength}, {recovery}"
    return Phrase(text, "plain", "CS-627")


def _describe_meeting(event: harm_events.BodiesMet, state: FightState) -> Phrase:
    combatant_id, target = name_of(state, event.who), name_of(state, event.target)
    words, rule = {
        "thrown": (f"{target} is thrown back {event.feet} ft", "CS-457"),
        "rebound": (f"{combatant_id} bounces {event.feet} ft off {target}", "CS-459"),
        "dodged": (f"{combatant_id} meets no one", "CS-461"),
    }.get(event.outcome, (f"{combatant_id} and {target} stop in close melee", "CS-460"))
    is_thrown = event.outcome in ("thrown", "rebound")
    return Phrase(words, "warn", rule, follows=True, sum=_sum(event.parts) if is_thrown else "")


def _describe_morale(event: harm_events.Demoralised, state: FightState) -> Phrase:
    target, by = name_of(state, event.who), name_of(state, event.by)
    words, rule = {
        "shaken": (f"{target} backs off and looks for a way to break off", "CS-516"),
        "broken": (f"{target} breaks and surrenders", "CS-517"),
        "unmoved": (f"{target} is unmoved", "CS-518"),
        "doubt": (f"{target} has doubts: DVs -{event.loss} against {by} in the next segment", "CS-519"),
    }.get(event.outcome, (f"{target} fights on", "CS-520"))
    return Phrase(f"{words}", "warn", rule, follows=True)


def _words_lost(event: harm_events.PresenceLost, state: FightState) -> Phrase:
    combatant_id, target = name_of(state, event.who), name_of(state, event.target)
    return Phrase(
        f'{combatant_id}\'s "{event.line}" has no effect on {target}: {event.reason}', "dim", event.rule, follows=True
    )


def _life(text: str, rule: str) -> Told:
    def describe(event: events.LifeChanged, state: FightState) -> Phrase:
        return Phrase(f"{name_of(state, event.who)} {text}", "fallen", rule, follows=True)

    return describe


TOLD: dict[type[Event], Told] = {
    harm_events.BlowLanded: _describe_blow,
    harm_events.KnockedBack: _describe_knockback,
    harm_events.Fell: lambda item, state: Phrase(f"{name_of(state, item.who)} falls", "bad", "CS-562", follows=True),
    harm_events.ArmourApplied: _armour,
    harm_events.ArmourWorn: _describe_wear,
    harm_events.ArmourDestroyed: _describe_ruin,
    harm_events.WoundsReckoned: _describe_reckoning,
    harm_events.BodyPointsLost: _points,
    DamageApplied: _pool_changed,
    PoolAdjusted: _boxes_changed,
    events.WoundsInflicted: _wounds,
    harm_events.FellUnconscious: _life("falls unconscious", "CS-611"),
    harm_events.Collapsed: _life("collapses", "CS-624"),
    harm_events.Died: _life("is dead", "CS-624"),
    Downed: _describe_fall,
    harm_events.LivesOn: _lives,
    harm_events.Rallied: _describe_rally,
    harm_events.AftermathApplied: _aftermath,
    harm_events.BodiesMet: _describe_meeting,
    harm_events.Demoralised: _describe_morale,
    harm_events.PresenceLost: _words_lost,
}
"""Log lines by class of event."""
