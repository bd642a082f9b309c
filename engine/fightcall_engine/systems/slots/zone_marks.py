"""What has come over a zone in mid-fight, such as fire or water: what entering it costs, what it does to those in it.

The text prints no such rule: prices of moving are the table's (Q-A21), and Upkeep resolves what names it (AP-43).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from fightcall_engine.board.base import Location
from fightcall_engine.board.kinds import resolve_place
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, Effect, FightState, Scalar
from fightcall_engine.systems.slots import commands as scm
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg

NAME, ZONE, PRICE, KIND, AMOUNT, LEFT = "mark", "mark_zone", "mark_price", "mark_kind", "mark_amount", "mark_left"
"""The facts of a mark, each with the number of the mark behind it."""
NEITHER = "none"
KINDS = (fg.DAMAGE, fg.HEAL, NEITHER)
MOST = 99


@dataclass(frozen=True, slots=True)
class ZoneMark:
    """What has come over one place of the board.

    Attributes:
        number: its place among the facts of the fight, from 1.
        zone: the place, by the name that the board gives it.
        price: slots to enter it, beside those for the way.
        kind: ``damage`` or ``heal`` for whoever stands there at Upkeep; empty where it does neither.
        amount: how much at each Upkeep.
        left: Upkeeps until it is over; None where it stays.
    """

    number: int
    name: str
    zone: str
    price: int = 0
    kind: str = ""
    amount: int = 0
    left: int | None = None

    @property
    def told(self) -> str:
        """As in ``burning: 2 slots to enter, 3 harm at Upkeep``."""
        parts = [f"{self.price} {'slot' if self.price == 1 else 'slots'} to enter"] if self.price else []
        if self.kind:
            parts.append(f"{self.amount} {'harm' if self.kind == fg.DAMAGE else 'healing'} at Upkeep")
        parts += [f"{self.left} left"] if self.left is not None else []
        return f"{self.name}: {', '.join(parts)}" if parts else self.name


def fact_of(part: str, number: int) -> str:
    """The fact that holds one part of a mark."""
    return f"{part}_{number}"


def zone_marks(state: FightState) -> tuple[ZoneMark, ...]:
    """The marks of the board, in the order in which they came."""
    numbers = range(1, len(state.facts) + 1)
    return tuple(_read(state, number) for number in numbers if fg.text_fact(state, fact_of(NAME, number)))


def _read(state: FightState, number: int) -> ZoneMark:
    left = fg.fact(state, fact_of(LEFT, number))
    return ZoneMark(
        number,
        fg.text_fact(state, fact_of(NAME, number)),
        fg.text_fact(state, fact_of(ZONE, number)),
        fg.number_fact(state, fact_of(PRICE, number)),
        fg.text_fact(state, fact_of(KIND, number)),
        fg.number_fact(state, fact_of(AMOUNT, number)),
        left if isinstance(left, int) and not isinstance(left, bool) else None,
    )


def marks_at(state: FightState, place: Location | None) -> tuple[ZoneMark, ...]:
    """What has come over a place."""
    if state.board is None or place is None:
        return ()
    name = state.board.name_of(place)
    return tuple(mark for mark in zone_marks(state) if mark.zone == name)


def place_of(state: FightState, mark: ZoneMark) -> Location | None:
    """The place that is marked, as the board knows it; None where the GM has adjusted its name to none."""
    try:
        return resolve_place(state.board, mark.zone) if state.board is not None else None
    except ValueError:
        return None


def entry_price(state: FightState, way: Iterable[Location]) -> int:
    """Slots for entering the places of a way, beside those for the way itself."""
    return sum(max(0, mark.price) for place in way for mark in marks_at(state, place))


# Marking and clearing


def decide_mark(decision: Decision, command: scm.MarkZone) -> ev.Events:
    """A zone burns, or is flooded; the same word for the same zone again changes what it does."""
    state = decision.state
    zone = _zone_of(state, command.at)
    name = command.name.strip()
    if not name:
        raise Refused("AP-43", "a mark needs a name", ("burning", "flooded", "any text"), final=True)
    if command.kind not in ("", *KINDS):
        raise Refused("AP-45", f"no kind of mark {command.kind!r}", KINDS, final=True)
    kind = "" if command.kind == NEITHER else command.kind
    _check_number("AP-21", "slots to enter", command.price, 0)
    _check_number("AP-45", "at each Upkeep", command.amount, 1 if kind else 0)
    if command.rounds is not None:
        _check_number("AP-44", "rounds", command.rounds, 1)
    amount = command.amount if kind else 0
    mark = ZoneMark(_number_for(state, zone, name), name, zone, command.price, kind, amount, command.rounds)
    return _written(state, mark)


def _check_number(rule: str, what: str, value: int, least: int) -> None:
    if not least <= value <= MOST:
        raise Refused(rule, f"{value} {what}", (f"{least} to {MOST}",), final=True)


def _zone_of(state: FightState, at: Location | None) -> str:
    if state.board is None:
        raise Refused("place", "this fight has no board", ("a board",), final=True)
    if at is None or not state.board.contains(at):
        raise Refused("place", "which zone?", (state.board.extent(),), final=True)
    return state.board.name_of(at)


def _number_for(state: FightState, zone: str, name: str) -> int:
    for mark in zone_marks(state):
        if mark.zone == zone and mark.name.casefold() == name.casefold():
            return mark.number
    number = 1
    while fg.text_fact(state, fact_of(NAME, number)):
        number += 1
    return number


def _written(state: FightState, mark: ZoneMark) -> ev.Events:
    parts: dict[str, Scalar] = {
        ZONE: mark.zone,
        PRICE: mark.price,
        KIND: mark.kind,
        AMOUNT: mark.amount,
        LEFT: mark.left,
    }
    changed = tuple(
        fg.set_fact(state, fact_of(part, mark.number), value)
        for part, value in parts.items()
        if fg.fact(state, fact_of(part, mark.number)) != value
    )
    fact = fact_of(NAME, mark.number)
    marked = sev.ZoneMarked(
        fact=fact,
        before=fg.fact(state, fact),
        value=mark.name,
        zone=mark.zone,
        price=mark.price,
        kind=mark.kind,
        amount=mark.amount,
        rounds=mark.left,
    )
    return (*changed, marked)


def decide_clear(decision: Decision, command: scm.ClearZone) -> ev.Events:
    """A mark is gone, or all marks of a zone."""
    state = decision.state
    zone = _zone_of(state, command.at)
    here = marks_at(state, command.at)
    gone = tuple(mark for mark in here if command.name.strip().casefold() in ("", mark.name.casefold()))
    if not gone:
        names = tuple(mark.name for mark in here) or ("a marked zone",)
        raise Refused("AP-43", f"{zone} is not marked so", names, final=True)
    return tuple(cleared(mark) for mark in gone)


def cleared(mark: ZoneMark, reason: str = "") -> sev.ZoneCleared:
    """A mark is gone."""
    fact = fact_of(NAME, mark.number)
    return sev.ZoneCleared(fact=fact, before=mark.name, value="", zone=mark.zone, reason=reason)


# Upkeep


def with_zone_effects(state: FightState) -> FightState:
    """The fight with what the zones do to those who stand in them as effects on them, as long as Upkeep looks."""
    pulsing = [mark for mark in zone_marks(state) if mark.kind]
    if not pulsing or state.board is None:
        return state
    people = {
        combatant_id: _affected(state, combatant, pulsing) for combatant_id, combatant in state.combatants.items()
    }
    return replace(state, combatants=people)


def _affected(state: FightState, combatant: Combatant, pulsing: list[ZoneMark]) -> Combatant:
    here = [mark for mark in pulsing if mark in marks_at(state, combatant.at)]
    if not here:
        return combatant
    return replace(combatant, effects=(*combatant.effects, *(_effect(combatant, mark) for mark in here)))


def _effect(combatant: Combatant, mark: ZoneMark) -> Effect:
    size = -mark.amount if mark.kind == fg.DAMAGE else mark.amount
    name = f"{mark.name} in {mark.zone}"
    return Effect(id=f"zone{mark.number}.{combatant.id}", name=name, ticks=fg.NEVER, magnitude=size, kind=mark.kind)


def counted_down(state: FightState) -> ev.Events:
    """AP-44: what has its time drops by one at Upkeep, or is over."""
    caused: list[ev.Event] = []
    for mark in zone_marks(state):
        if mark.left is None:
            continue
        if mark.left <= 1:
            caused.append(cleared(mark, "its time is over"))
        else:
            caused.append(fg.set_fact(state, fact_of(LEFT, mark.number), mark.left - 1))
    return tuple(caused)
