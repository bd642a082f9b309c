"""Objects in play: their holders, and struggles for them (CS-200 to CS-227)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments.rules import struggles
from fightcall_engine.systems.segments.state import events, queries
from fightcall_engine.systems.segments.state.battle import Struggle, Thing, battle_of


def clean_name(name: str) -> str:
    """A name in one line, without characters that would end it where it is typed."""
    return " ".join(name.replace("=", " ").replace("@", " ").replace("|", " ").split())[:60]


def find_thing(state: FightState, name: str) -> Thing | None:
    """The object with this name, in any case, or None."""
    plain_name = clean_name(name).lower()
    return next((thing for thing in battle_of(state).things if thing.name.lower() == plain_name), None)


def holder_of(state: FightState, name: str) -> str:
    """The id of an object's holder; empty without one who is here and up (CS-111)."""
    match = find_thing(state, name)
    return match.holder if match is not None and _is_able(state, match.holder) else ""


def in_the_air_check(state: FightState, name: str, rule: str) -> Check:
    """CS-213, CS-216: only an object that nobody holds can be caught."""
    holder = holder_of(state, name)
    name_of_holder = state.combatants[holder].name if holder else ""
    return Check(
        not holder, rule, f"{name_of_holder} has {clean_name(name)} in hand", (f"{name_of_holder} throws or drops it",)
    )


def has_changed_hands_now(state: FightState, name: str) -> bool:
    """Whether an object came into its holder's hand in the running segment (CS-203)."""
    match = find_thing(state, name)
    return match is not None and bool(holder_of(state, name)) and match.since == state.round


def things_held_by(state: FightState, combatant_id: str) -> tuple[str, ...]:
    """Names of the objects that a combatant holds."""
    return tuple(thing.name for thing in battle_of(state).things if thing.holder == combatant_id)


def move_object(
    state: FightState,
    combatant_id: str,
    name: str,
    how: str,
    holder: str = "",
    *,
    other: str = "",
    octant: int | None = None,
) -> events.ObjectMoved:
    """The event that an object is moved: by whom, how, and its holder now."""
    thing_name = clean_name(name)
    others = [thing for thing in battle_of(state).things if thing.name.lower() != thing_name.lower()]
    return events.ObjectMoved(
        before=battle_of(state).things,
        value=(*others, Thing(thing_name, holder, state.round)),
        who=combatant_id,
        thing=thing_name,
        how=how,
        holder=holder,
        other=other,
        octant=octant,
    )


def drop_holder(state: FightState, combatant_id: str) -> Events:
    """The events that a combatant drops the objects it holds."""
    things_left = (
        replace(thing, holder="") if thing.holder == combatant_id else thing for thing in battle_of(state).things
    )
    return queries.set_fact(state, "things", tuple(things_left))


def break_object(state: FightState, combatant_id: str, name: str, how: str = "breaks") -> Events:
    """The event that an object breaks."""
    return (move_object(state, combatant_id, name, how, holder_of(state, name)),)


# Struggles for an object (CS-203 to CS-208)


def struggles_of(state: FightState) -> tuple[Struggle, ...]:
    """The running struggles, without those who have left or gone down."""
    return tuple(
        _with_people(struggle, lambda combatant_id: _is_able(state, combatant_id)) for struggle in _all_struggles(state)
    )


def _all_struggles(state: FightState) -> tuple[Struggle, ...]:
    return battle_of(state).struggles


def _with_people(struggle: Struggle, stays: Callable[[str], bool]) -> Struggle:
    """A struggle with only those for whom `stays` is true."""
    groups = (struggle.hands, struggle.late, struggle.made, struggle.lost)
    hands, late, made, lost = (tuple(filter(stays, group)) for group in groups)
    return replace(struggle, hands=hands, late=late, made=made, lost=lost)


def _is_able(state: FightState, combatant_id: str) -> bool:
    return combatant_id in state.combatants and state.combatants[combatant_id].able


def struggle_for(state: FightState, thing: str) -> Struggle | None:
    """The struggle for an object, in any case of its name, or None."""
    plain_name = clean_name(thing).lower()
    return next((struggle for struggle in struggles_of(state) if struggle.thing.lower() == plain_name), None)


def change_struggle(state: FightState, struggle: Struggle, *, over: bool = False) -> events.StruggleChanged:
    """The event that changes or (`over`) ends a struggle."""
    others = [other for other in struggles_of(state) if other.thing.lower() != struggle.thing.lower()]
    return events.StruggleChanged(
        before=_all_struggles(state),
        value=tuple(others if over else [*others, struggle]),
        thing=struggle.thing,
        holding=struggle.all_hands,
        until=0 if over else struggles.struggle_ends(struggle.due, bool(struggle.late)),
    )


def leave_struggles(decision: Decision, combatant_id: str) -> None:
    """Remove a combatant from all struggles; a last one left holds the object."""
    state = decision.state
    is_involved = any(combatant_id in (*other.all_hands, *other.made, *other.lost) for other in _all_struggles(state))
    for going_on in struggles_of(state) if is_involved else ():
        struggle_left = _with_people(going_on, lambda other_id: other_id != combatant_id)
        decision.emit(change_struggle(decision.state, struggle_left, over=not struggle_left.all_hands))
