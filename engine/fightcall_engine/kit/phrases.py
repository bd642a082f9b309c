"""Events in words: the shared ones here, a system's own by the system."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fightcall_engine.kit.effects import clock_words
from fightcall_engine.kit.registry import find_system
from fightcall_engine.kit.settings import first_line
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState, Scalar

if TYPE_CHECKING:
    from fightcall_engine.board.base import Location
    from fightcall_engine.kit.system import BaseSystem


def name_of(state: FightState, who: str) -> str:
    """A combatant's name, or the id where nobody of it fights any more."""
    one = state.combatants.get(who)
    return one.name or one.id if one else who


def _short(value: Scalar) -> Scalar:
    """A setting's value in a line: of a long text, its first line."""
    return first_line(value) if isinstance(value, str) else value


def _place(state: FightState, at: Location | None) -> str:
    if state.board is None or at is None:
        return "off the board"
    return state.board.name_of(at)


def _placed(happened: ev.Placed, state: FightState) -> Phrase:
    why = f": {happened.reason}" if happened.reason else ""
    return Phrase(f"{name_of(state, happened.who)} is put at {_place(state, happened.at)}{why}", "ruling")


def _moved(one: ev.Moved, state: FightState) -> Phrase:
    """How far, on a board of steps; by way of which places, on one of named areas."""
    verb = "sneaks" if one.quiet else "moves"
    if not one.path:
        return Phrase(f"{name_of(state, one.who)} {verb} {one.hexes}")
    end = _place(state, one.path[-1])
    if not state.shares_places:
        return Phrase(f"{name_of(state, one.who)} {verb} {one.hexes} to {end}")
    way = " and ".join(_place(state, place) for place in one.path[:-1])
    return Phrase(f"{name_of(state, one.who)} {verb} to {end}{f' by way of {way}' if way else ''}")


def _setting(one: ev.SettingChanged, state: FightState) -> Phrase:
    return Phrase(f"Setting {one.setting}: {_short(one.before)} → {_short(one.value)}", "ruling")


def _joined(one: ev.Joined, state: FightState) -> Phrase:
    return Phrase(f"{one.combatant.name or one.who} joins ({one.combatant.side})", "dim")


def _damage(one: ev.DamageApplied, state: FightState) -> Phrase:
    tail = f"  {one.before} → {one.left}" if one.tracked else ""
    return Phrase(f"  {name_of(state, one.who)} takes {one.amount}{tail}", "bad")


def _effect_began(one: ev.EffectBegan, state: FightState) -> Phrase:
    left = f" for {one.effect.left}" if one.effect.left is not None else ""
    bearer = state.combatants.get(one.who)
    if left and bearer is not None and one.effect.clock in state.combatants:
        left += f" ({clock_words(find_system(state.system), state, bearer, one.effect.ticks, one.effect.clock)})"
    return Phrase(f"{name_of(state, one.who)}: {one.effect.name}{left}", "plain")


def counted_down(one: ev.EffectTicked, state: FightState) -> str:
    """What is left of an effect, and why it counts although the clock it follows stands still."""
    return f"{name_of(state, one.who)}: {one.name}, {one.left} left{f' ({one.reason})' if one.reason else ''}"


def _clock(one: ev.ClockChanged, state: FightState) -> Phrase:
    bearer = state.combatants.get(one.who)
    when = clock_words(find_system(state.system), state, bearer, one.ticks, one.clock) if bearer else one.ticks
    return Phrase(f"{name_of(state, one.who)}: {one.name} now counts at the {when} ({one.reason})", "plain")


def _dice(one: ev.DiceRolled, state: FightState) -> Phrase:
    faces = " ".join(str(face) for face in one.faces)
    typed = " (typed)" if one.source == "table" else ""
    total = f" = {one.total}" if str(one.total) != faces else ""
    return Phrase(f"  {one.dice} {one.purpose}: {faces}{total}{typed}", "dice")


def _ruling(one: ev.RulingRecorded, state: FightState) -> Phrase:
    note = f" ({one.note})" if one.note else ""
    tone = "dim" if one.default_taken else "ruling"
    asked = state.prompt(one.prompt) if one.prompt else None
    said = next((choice.label for choice in asked.choices if choice.id == one.choice), "") if asked else ""
    return Phrase(f"{one.question} {said or one.choice.replace('_', ' ')}{note}", tone, one.rule)


_TOLD: dict[type[ev.Event], Callable[..., Phrase | None]] = {
    ev.FightOpened: lambda one, state: Phrase(one.name or "The fight begins", "heading"),
    ev.FightClosed: lambda one, state: Phrase(f"The fight is over: {one.reason or 'ended'}", "heading"),
    ev.Joined: _joined,
    ev.LeftFight: lambda one, state: Phrase(
        f"{name_of(state, one.who)} leaves{': ' + one.reason if one.reason else ''}", "dim"
    ),
    ev.Renamed: lambda one, state: Phrase(f"{name_of(state, one.who)} is now {one.name} ({one.side})", "ruling"),
    ev.OrderSet: lambda one, state: Phrase("Order: " + ", ".join(name_of(state, who) for who in one.order), "plain"),
    ev.SettingChanged: _setting,
    ev.SheetChanged: lambda one, state: Phrase(f"{name_of(state, one.who)} has other numbers from now on", "ruling"),
    ev.Placed: _placed,
    ev.Moved: _moved,
    ev.ContactMade: lambda one, state: Phrase(
        f"  {name_of(state, one.who)} in contact with {name_of(state, one.enemy)}", "plain"
    ),
    ev.ContactLeft: lambda one, state: Phrase(
        f"  {name_of(state, one.who)} leaves contact with {name_of(state, one.enemy)}", "dim"
    ),
    ev.Spent: lambda one, state: Phrase(f"  {one.amount} {one.pool}, {one.left} left", "dim"),
    ev.Refilled: lambda one, state: None,
    ev.PoolAdjusted: lambda one, state: Phrase(
        f"{name_of(state, one.who)}: {one.pool} {one.before} → {one.left}/{one.max} ({one.reason})", "ruling"
    ),
    ev.DamageApplied: _damage,
    ev.Healed: lambda one, state: Phrase(
        f"{name_of(state, one.who)} heals {one.amount}  {one.before} → {one.left}", "good"
    ),
    ev.TraitChanged: lambda one, state: Phrase(
        f"{name_of(state, one.who)}: {one.trait.replace('_', ' ')} {one.value}", "dim"
    ),
    ev.Hid: lambda one, state: Phrase(f"{name_of(state, one.who)} is unnoticed", "plain"),
    ev.Detected: lambda one, state: Phrase(
        f"{name_of(state, one.who)} is noticed{': ' + one.cause if one.cause else ''}", "warn"
    ),
    ev.Downed: lambda one, state: Phrase(f"  {name_of(state, one.who)} is {one.how}", "bad"),
    ev.Restored: lambda one, state: Phrase(f"  {name_of(state, one.who)} is back", "good"),
    ev.EffectBegan: _effect_began,
    ev.EffectTicked: lambda one, state: Phrase(counted_down(one, state), "dim"),
    ev.ClockChanged: _clock,
    ev.EffectEnded: lambda one, state: Phrase(f"{name_of(state, one.who)}: {one.name} ends ({one.reason})", "plain"),
    ev.StepSkipped: lambda one, state: Phrase(f"{one.side.title() or one.phase.title()} passed: {one.reason}", "dim"),
    ev.AgendaChanged: lambda one, state: Phrase(f"The order of play changes: {one.reason}", "ruling"),
    ev.Waived: lambda one, state: Phrase(f"{name_of(state, one.who)} waives", "dim"),
    ev.ClockAdvanced: lambda one, state: None,
    ev.RulingAsked: lambda one, state: None,
    ev.RulingRecorded: _ruling,
    ev.Overridden: lambda one, state: Phrase(f"GM overrides {one.rule}: {one.reason}", "ruling", one.rule),
    ev.DiceRolled: _dice,
    ev.NoteAdded: lambda one, state: Phrase(
        f"Note{' on ' + name_of(state, one.who) if one.who else ''}: {one.text}", "ruling"
    ),
}


def phrase(system: BaseSystem, happened: ev.Event, state: FightState) -> Phrase | None:
    """An event in words, or None where it is not worth a line. `state` is the one before it."""
    told = system.phrase(happened, state)
    if told is not None:
        return told if told.text else None
    for kind in type(happened).__mro__:
        if kind in _TOLD:
            return _TOLD[kind](happened, state)
    return None
