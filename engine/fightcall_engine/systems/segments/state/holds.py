"""Who has hands on an object that several struggle for (CS-203 to CS-208)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments.rules import objects
from fightcall_engine.systems.segments.state import events, things
from fightcall_engine.systems.segments.state.battle import Struggle, battle_of


def struggles_of(state: FightState) -> tuple[Struggle, ...]:
    """Every struggle that goes on, without those who have left or gone down."""
    return tuple(
        _with_people(struggle, lambda combatant_id: _is_able(state, combatant_id)) for struggle in _all_struggles(state)
    )


def _all_struggles(state: FightState) -> tuple[Struggle, ...]:
    return battle_of(state).struggles


def _with_people(struggle: Struggle, stays: Callable[[str], bool]) -> Struggle:
    """A struggle with those for whom `stays` is true."""
    groups = (struggle.hands, struggle.late, struggle.made, struggle.lost)
    hands, late, made, lost = (tuple(filter(stays, group)) for group in groups)
    return replace(struggle, hands=hands, late=late, made=made, lost=lost)


def _is_able(state: FightState, combatant_id: str) -> bool:
    return combatant_id in state.combatants and state.combatants[combatant_id].able


def struggle_for(state: FightState, thing: str) -> Struggle | None:
    """The struggle for an object, whatever the case of its name."""
    plain_name = things.clean_name(thing).lower()
    return next((struggle for struggle in struggles_of(state) if struggle.thing.lower() == plain_name), None)


def change_struggle(state: FightState, struggle: Struggle, *, over: bool = False) -> events.StruggleChanged:
    """The fact that a struggle goes on so, or is over."""
    others = [other for other in struggles_of(state) if other.thing.lower() != struggle.thing.lower()]
    return events.StruggleChanged(
        before=_all_struggles(state),
        value=tuple(others if over else [*others, struggle]),
        thing=struggle.thing,
        holding=struggle.all_hands,
        until=0 if over else objects.struggle_ends(struggle.due, bool(struggle.late)),
    )


def leave_struggles(decision: Decision, combatant_id: str) -> None:
    """The facts that somebody has his hands on nothing any more; one alone holds what is left to him."""
    state = decision.state
    is_involved = any(combatant_id in (*other.all_hands, *other.made, *other.lost) for other in _all_struggles(state))
    for going_on in struggles_of(state) if is_involved else ():
        struggle_left = _with_people(going_on, lambda other_id: other_id != combatant_id)
        decision.emit(change_struggle(decision.state, struggle_left, over=not struggle_left.all_hands))
