"""Marks of zones, such as fire or water: the price of entering them, and their effect on those inside.

The text has no such rule: prices of movement are the table's (Q-A21), and Upkeep resolves whatever names it (AP-43).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from fightcall_engine.board.base import Location
from fightcall_engine.board.kinds import resolve_place
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import EntryChanged
from fightcall_engine.model.state import Combatant, Effect, FightState
from fightcall_engine.systems.slots import commands, events, pulses, queries
from fightcall_engine.systems.slots.records import ZoneMark, encounter_of

NEITHER = "none"
KINDS = (queries.DAMAGE, queries.HEAL, NEITHER)
MOST = 99


def zone_marks(state: FightState) -> tuple[ZoneMark, ...]:
    """All marks, in the order in which they came."""
    return tuple(encounter_of(state).marks.values())


def _marks_at(state: FightState, place: Location | None) -> Mapping[str, ZoneMark]:
    """The marks of a place, by key."""
    if state.board is None or place is None:
        return {}
    name = state.board.name_of(place)
    return {key: mark for key, mark in encounter_of(state).marks.items() if mark.zone == name}


def marks_at(state: FightState, place: Location | None) -> tuple[ZoneMark, ...]:
    """The marks of a place."""
    return tuple(_marks_at(state, place).values())


def place_of(state: FightState, mark: ZoneMark) -> Location | None:
    """The place of a mark on the board; None if the GM has changed its name to one that is not there."""
    try:
        return resolve_place(state.board, mark.zone) if state.board is not None else None
    except ValueError:
        return None


def entry_price(state: FightState, way: Iterable[Location]) -> int:
    """Slots for entering the places of a way, beside those for the movement."""
    return sum(max(0, mark.price) for place in way for mark in marks_at(state, place))


# Marking and clearing


@handles(commands.MarkZone)
def mark_zone(decision: Decision, command: commands.MarkZone) -> None:
    """Mark a zone; the same name in the same zone changes that mark."""
    zone = _zone_of(decision.state, command.at)
    name = command.name.strip()
    if not name:
        raise Refused("AP-43", "a mark needs a name", ("burning", "flooded", "any text"), final=True)
    if command.kind not in ("", *KINDS):
        raise Refused("AP-45", f"there is no mark of kind {command.kind!r}", KINDS, final=True)
    kind = "" if command.kind == NEITHER else command.kind
    _check_number("AP-21", "slots to enter", command.price, 0)
    if isinstance(command.amount, int):
        _check_number("AP-45", "at each Upkeep", command.amount, 1 if kind else 0)
    elif kind:
        pulses.check_strength(command.amount)
    if command.rounds is not None:
        _check_number("AP-44", "rounds", command.rounds, 1)
    mark = ZoneMark(name, zone, command.price, kind, command.amount if kind else 0, command.rounds)
    marks = encounter_of(decision.state).marks
    same = (key for key, mark in _marks_at(decision.state, command.at).items() if _is_called(mark, name))
    key = next(same, None) or queries.free_key(marks)
    decision.emit(
        events.ZoneMarked(
            key=key,
            before=marks.get(key),
            value=mark,
            zone=mark.zone,
            price=mark.price,
            kind=mark.kind,
            amount=mark.amount,
            rounds=mark.left,
        )
    )


def _is_called(mark: ZoneMark, name: str) -> bool:
    return mark.name.casefold() == name.strip().casefold()


def _check_number(rule: str, what: str, value: int, least: int) -> None:
    if not least <= value <= MOST:
        raise Refused(rule, f"{value} {what}", (f"{least} to {MOST}",), final=True)


def _zone_of(state: FightState, at: Location | None) -> str:
    if state.board is None:
        raise Refused("place", "this fight has no board", ("a board",), final=True)
    if at is None or not state.board.contains(at):
        raise Refused("place", "choose a zone", (state.board.extent(),), final=True)
    return state.board.name_of(at)


@handles(commands.ClearZone)
def clear_zone(decision: Decision, command: commands.ClearZone) -> None:
    """Clear a mark of a zone, or all of them."""
    zone = _zone_of(decision.state, command.at)
    here = _marks_at(decision.state, command.at)
    marks = {key: mark for key, mark in here.items() if not command.name.strip() or _is_called(mark, command.name)}
    if not marks:
        names = tuple(mark.name for mark in here.values()) or ("a marked zone",)
        raise Refused("AP-43", f"{zone} has no such mark", names, final=True)
    for key, mark in marks.items():
        _clear(decision, key, mark)


def _clear(decision: Decision, key: str, mark: ZoneMark, reason: str = "") -> None:
    decision.emit(events.ZoneCleared(key=key, before=mark, name=mark.name, zone=mark.zone, reason=reason))


def clear_all(decision: Decision, reason: str) -> None:
    """Clear all marks of all zones."""
    for key, mark in encounter_of(decision.state).marks.items():
        _clear(decision, key, mark, reason)


# Upkeep


def with_zone_effects(state: FightState) -> FightState:
    """The state with the marks as effects on those who stand in them, for use in Upkeep only."""
    if state.board is None or not any(mark.kind for mark in zone_marks(state)):
        return state
    people = {name: _add_zone_effects(state, combatant) for name, combatant in state.combatants.items()}
    return replace(state, combatants=people)


def _add_zone_effects(state: FightState, combatant: Combatant) -> Combatant:
    effects = tuple(_effect(combatant, key, mark) for key, mark in _marks_at(state, combatant.at).items() if mark.kind)
    return replace(combatant, effects=(*combatant.effects, *effects)) if effects else combatant


def _effect(combatant: Combatant, key: str, mark: ZoneMark) -> Effect:
    effect = pulses.make_effect(f"{mark.name} in {mark.zone}", mark.kind, mark.amount, None, counts=False)
    return replace(effect, id=f"zone{key}.{combatant.id}")


def count_down_marks(decision: Decision, by: int = 1) -> None:
    """AP-44: count down the marks by one Upkeep, or by several in skipped time, and clear those whose time is over."""
    for key, mark in encounter_of(decision.state).marks.items():
        if mark.left is None:
            continue
        if mark.left <= by:
            _clear(decision, key, mark, "time is up")
        else:
            decision.emit(EntryChanged(field="marks", key=key, part="left", before=mark.left, value=mark.left - by))
