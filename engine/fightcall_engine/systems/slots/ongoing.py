"""What goes on: damage and healing over time (AP-45), and marks of zones, such as fire or water.

The text has no rule for zones: prices of movement are the table's (Q-A21), and Upkeep resolves whatever names it
(AP-43).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from fightcall_engine.board.base import Location
from fightcall_engine.board.kinds import resolve_place
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.records import effect_data_of
from fightcall_engine.kit.rolls import throw
from fightcall_engine.model.dice import bounds
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import EntryChanged, Events
from fightcall_engine.model.state import Combatant, Effect, FightState
from fightcall_engine.systems.slots import commands, events, queries
from fightcall_engine.systems.slots.records import PulseDice, ZoneMark, encounter_of, fighter_of

NEITHER = "none"
KINDS = (queries.DAMAGE, queries.HEAL, NEITHER)
MOST = 99


def pulsing_effects(combatant: Combatant, kind: str) -> tuple[Effect, ...]:
    """A combatant's effects of this kind, damage or healing over time."""
    if fighter_of(combatant).dead:
        return ()
    return tuple(
        effect for effect in combatant.effects if effect.kind == kind and (effect.magnitude or dice_of(effect))
    )


def strength(effect: Effect) -> int:
    """Points of damage or healing at each Upkeep, 0 before its dice are rolled. The magnitude of damage is negative."""
    return abs(effect.magnitude)


def dice_of(effect: Effect) -> str:
    """The dice of damage or healing over time; empty if it is a number."""
    return effect_data_of(effect, PulseDice).dice


def strength_words(*pulses: Effect) -> str:
    """What effects do at each Upkeep together, as a sum: ``3``, ``d4``, ``3+d4``."""
    number, dice = sum(map(strength, pulses)), [dice_of(effect) for effect in pulses if dice_of(effect)]
    return "+".join([*([str(number)] if number or not dice else []), *dice])


Rolls = Mapping[str, Events]
"""The rolls of effects with dice, by the effect's id."""


def roll(decision: Decision, combatant: Combatant, *kinds: str) -> tuple[Combatant, Rolls]:
    """AP-45: roll the dice of effects of these kinds; return the combatant with the totals as their magnitudes."""
    rolls: dict[str, Events] = {}
    rolled_effects = []
    due = [effect for kind in kinds for effect in pulsing_effects(combatant, kind)]
    for effect in combatant.effects:
        dice = dice_of(effect) if effect in due else ""
        if dice:
            total, rolls[effect.id] = throw(dice, decision.dice, "pulse", combatant.id)
            effect = replace(effect, magnitude=magnitude_of(effect.kind, total))
        rolled_effects.append(effect)
    return replace(combatant, effects=tuple(rolled_effects)), rolls


def make_effect(
    name: str, kind: str, amount: int | str, rounds: int | None, counts: bool = True, note: str = ""
) -> Effect:
    """A new effect; it gets its id as it begins. Its `amount` is a number or dice."""
    ticks = queries.UPKEEP_TICK if counts else queries.NEVER
    size, data = (0, PulseDice(amount)) if isinstance(amount, str) else (magnitude_of(kind, amount), None)
    return Effect(id="", name=name, left=rounds, ticks=ticks, magnitude=size, note=note, kind=kind, data=data)


def magnitude_of(kind: str, amount: int) -> int:
    """The magnitude of an amount: that of damage is negative, as the screen shows it."""
    return -abs(amount) if kind == queries.DAMAGE else amount


def check_strength(amount: int | str) -> None:
    """Check what an effect does at each Upkeep (AP-45).

    Raises:
        Refused: it is neither a number above 0 nor dice that can come to one.
    """
    try:
        most = bounds(amount)[1] if isinstance(amount, str) else amount
    except ValueError:
        most = 0
    if most < 1:
        accepts = ("a number, 1 or more", "dice such as d4")
        raise Refused("AP-45", f"{amount} at each Upkeep", accepts, final=True)


def most(effect: Effect) -> int:
    """The most points of one pulse."""
    dice = dice_of(effect)
    return bounds(dice)[1] if dice else strength(effect)


# Marks of zones, such as fire or water


def zone_marks(state: FightState) -> tuple[ZoneMark, ...]:
    """All marks, in the order in which they came."""
    return tuple(encounter_of(state).marks.values())


def _marks_at(state: FightState, place: Location | None) -> Mapping[str, ZoneMark]:
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
        check_strength(command.amount)
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
    effects = []
    for key, mark in _marks_at(state, combatant.at).items():
        if mark.kind:
            effect = make_effect(f"{mark.name} in {mark.zone}", mark.kind, mark.amount, None, counts=False)
            effects.append(replace(effect, id=f"zone{key}.{combatant.id}"))
    return replace(combatant, effects=(*combatant.effects, *effects)) if effects else combatant


def count_down_marks(decision: Decision, by: int = 1) -> None:
    """AP-44: count down the marks by one Upkeep, or by several in skipped time, and clear those whose time is over."""
    for key, mark in encounter_of(decision.state).marks.items():
        if mark.left is None:
            continue
        if mark.left <= by:
            _clear(decision, key, mark, "time is up")
        else:
            decision.emit(EntryChanged(field="marks", key=key, part="left", before=mark.left, value=mark.left - by))
