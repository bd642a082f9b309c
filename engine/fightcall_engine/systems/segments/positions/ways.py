"""Walking a path place by place: costs, meetings, and where the movement ends (CS-236).

Feet are counted as whole thousandths, which keeps sums exact and a Pulse with a hundred figures fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import chain

from fightcall_engine.board.base import Location
from fightcall_engine.kit.checks import Check
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.rules import clock, movement
from fightcall_engine.systems.segments.rules.clock import PartialMovesCost
from fightcall_engine.systems.segments.rules.movement import PulseDistance
from fightcall_engine.systems.segments.rules.numbers import exact
from fightcall_engine.systems.segments.rules.ranges import zone_gap
from fightcall_engine.systems.segments.state import queries, relations, small_acts, surprise_limits
from fightcall_engine.systems.segments.state.fighter import NO_ACTION, Action, fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.settings import settings_of

_PLACES_ASIDE = 2
"""Places from one figure to the nearest that is not next to it."""

THOUSANDTHS = 1000
"""Thousandths in a foot."""


def in_thousandths(feet: Fraction | float) -> int:
    """Feet as thousandths of a foot."""
    return round(feet * THOUSANDTHS)


def in_feet(thousandths: int) -> float:
    """Thousandths of a foot as feet."""
    return thousandths / THOUSANDTHS


def price_of_step(state: FightState, here: Location | None, place: Location) -> int:
    """The cost of a step in thousandths: the feet between the middles, times that of the ground (CS-180, L357).

    Across a square's corner it is farther than over its edge. Impassable places cost as much as open ground.
    """
    board, feet = state.board, places.feet_per_place(state)
    if board is None:
        return in_thousandths(feet)
    cost = board.cost_of(place)
    steps = 1.0 if here is None else board.length(here, place) / board.scale
    return in_thousandths(float(feet) * (1 if cost is None else cost) * steps)


class Ground:
    """A board with all figures by place, updated as they move, so that no step looks at all of them."""

    def __init__(self, state: FightState) -> None:
        self._state = state
        self._foot = places.feet_per_place(state)
        self._people = {combatant.id: combatant for combatant in state.roster if combatant.at is not None}
        self._height = {combatant_id: profile_of(combatant).height for combatant_id, combatant in self._people.items()}
        self._at: dict[Location, list[str]] = {}
        self._place: dict[str, Location] = {}
        for combatant_id, combatant in self._people.items():
            if combatant.at is not None and combatant.able:
                self._place[combatant_id] = combatant.at
                self._at.setdefault(combatant.at, []).append(combatant_id)
        tallest = max(self._height.values(), default=Fraction(0))
        self._reaching = {
            combatant_id
            for combatant_id, height in self._height.items()
            if zone_gap(_PLACES_ASIDE * self._foot, height, tallest) <= 0
        }

    def put(self, combatant_id: str, place: Location) -> None:
        """Move a combatant to a place."""
        before = self._place.get(combatant_id)
        if before is not None:
            self._at[before].remove(combatant_id)
        self._place[combatant_id] = place
        self._at.setdefault(place, []).append(combatant_id)

    def price(self, here: Location | None, place: Location) -> int:
        """The cost of a step, as `price_of_step`."""
        return price_of_step(self._state, here, place)

    def price_of_way(self, here: Location | None, way: Iterable[Location]) -> int:
        """The cost of a path from a place."""
        total = 0
        for place in way:
            total += self.price(here, place)
            here = place
        return total

    def holder(self, place: Location, combatant_id: str) -> str:
        """The id of another combatant on a place, a foe first, or empty."""
        text = ""
        for other in self._at.get(place, ()):
            if other != combatant_id:
                if self.are_foes(combatant_id, other):
                    return other
                text = other
        return text

    def are_foes(self, name: str, other: str) -> bool:
        """Whether two figures are of different sides."""
        return self._people[name].side != self._people[other].side

    def near(self, combatant_id: str, place: Location) -> tuple[str, ...]:
        """The ids of foes whom a combatant meets at a place: they touch, or their Zones meet (CS-236, CS-682)."""
        board = self._state.board
        if board is None:
            return ()
        spots = (place, *board.neighbours(place))
        lines = [other for spot in spots for other in self._at.get(spot, ()) if self.are_foes(combatant_id, other)]
        if combatant_id in self._reaching:
            lines += [
                other for other in self._place if other not in lines and self._zones_meet(combatant_id, place, other)
            ]
        return tuple(lines)

    def _zones_meet(self, combatant_id: str, place: Location, other: str) -> bool:
        board = self._state.board
        if board is None or other == combatant_id or not self.are_foes(combatant_id, other):
            return False
        feet = exact(board.length(place, self._place[other]) / board.scale) * self._foot
        return zone_gap(feet, self._height[combatant_id], self._height[other]) <= 0


@frozen
class Walk:
    """One leg of a path, as walked. All lengths are in thousandths of a foot.

    Attributes:
        path: the places entered, in order.
        used: the movement used.
        carry: what has been walked towards the next place.
        rest: what is left to walk, if it was interrupted.
        met: the foes met at its end, who end it.
        passed: the foes met on the way who do not stop it.
        blocked: the id of a combatant in the way, or empty.
        over: whether the path is complete.
    """

    path: tuple[Location, ...]
    used: int
    carry: int = 0
    rest: int = 0
    met: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    blocked: str = ""
    over: bool = False


def walk(
    ground: Ground,
    combatant: Combatant,
    way: Iterable[Location],
    most: int,
    *,
    carry: int = 0,
    met_before: frozenset[str] = frozenset(),
    stops: Callable[[str], bool] = lambda foe: True,
) -> Walk:
    """Walk on until the movement or the path ends, a combatant is in the way, or a foe is met.

    Args:
        ground: the board; it is not changed.
        combatant: the walker, at the beginning.
        way: the places ahead, read no farther than needed.
        most: the movement, in thousandths of a foot.
        carry: what was walked before towards the first place.
        met_before: foes already met, who do not count.
        stops: whether meeting a foe ends the path.

    A walker whose movement ends beside a comrade waits before it, and keeps the rest for the place behind; if there is
    no free place behind it, the comrade is in the way.
    """
    near = set(ground.near(combatant.id, combatant.at)) if combatant.at is not None else set()
    budget, path, prices = most + carry, [], []  # type: int, list[Location], list[int]
    stoppers, passed_foes = [], []  # type: list[str], list[str]
    blocker, over, ahead, here = "", True, iter(way), combatant.at
    for place in ahead:
        price = ground.price(here, place)
        holder = ground.holder(place, combatant.id)
        if price > budget or (holder and ground.are_foes(combatant.id, holder)):
            blocker, over = holder if price <= budget else "", False
            ahead = chain((place,), ahead)
            break
        budget -= price
        path.append(place)
        prices.append(price)
        here = place
        now = ground.near(combatant.id, place)
        fresh = [foe for foe in now if foe not in near and foe not in met_before]
        stoppers = [foe for foe in stoppers if foe in now] + [foe for foe in fresh if stops(foe)]
        passed_foes += [foe for foe in fresh if foe not in stoppers and foe not in passed_foes]
        near = set(now)
        if stoppers and not holder:
            break
    # Nobody stops on a comrade's place.
    comrade = ""
    while path and (holder := ground.holder(path[-1], combatant.id)):
        path.pop()
        budget += prices.pop()
        comrade, over, stoppers, passed_foes = holder, False, [], []
    if comrade and (blocker or not _can_pass(ground, combatant, ahead)):
        blocker = comrade
    cost = max(0, sum(prices) - carry)
    if stoppers:
        return Walk(tuple(path), cost, rest=max(0, most - cost), met=tuple(stoppers), passed=tuple(passed_foes))
    if over or blocker:
        return Walk(tuple(path), cost, passed=tuple(passed_foes), blocked=blocker, over=over)
    return Walk(tuple(path), most, carry=budget, passed=tuple(passed_foes))


def _can_pass(ground: Ground, combatant: Combatant, ahead: Iterable[Location]) -> bool:
    """Whether the places ahead lead past comrades to a free one."""
    holders = (ground.holder(place, combatant.id) for place in ahead)
    first = next((holder for holder in holders if not holder or ground.are_foes(combatant.id, holder)), None)
    return first == ""


# Movement in a segment, and what is left of it (CS-097, CS-144, CS-186)


def uses_pulses(state: FightState) -> bool:
    """Whether the option of ten Pulses is on (CS-008)."""
    return settings_of(state).pulse_movement


def distance_reading(state: FightState) -> PulseDistance:
    """The reading of how far a Pulse goes (A-42)."""
    return settings_of(state).pulse_distance


def feet_allowed(state: FightState, combatant: Combatant, mph: Fraction | None = None) -> int:
    """Feet in a whole segment at a speed, less what declared small acts cost (CS-186, CS-144)."""
    feet = whole_segment(state, combatant, mph)
    taken = quarters_taken(state, combatant)
    return _feet_beside(feet, taken) if taken else feet


def _feet_beside(feet: int, quarters: int) -> int:
    return clock.distance_beside(feet, (clock.Small(quarters),))


def quarters_taken(state: FightState, combatant: Combatant, action: Action | None = None) -> int:
    """Quarters of the segment's distance that small acts cost, also in earlier Actions (CS-144).

    Args:
        state: the fight.
        combatant: the one who moves.
        action: an Action about to be declared; by default, the declared one.
    """
    declared = small_acts.small_acts(small_acts.running_action(state, combatant) if action is None else action)
    acts = (*declared, *small_acts.small_acts_done(combatant))
    return fighter_of(combatant).shortened + clock.distance_qa(acts, partial_moves(state))


def distance_check(state: FightState, combatant: Combatant, action: Action) -> Check:
    """CS-144: an act beside movement must leave the distance that was moved already."""
    moved, taken = fighter_of(combatant).moved, quarters_taken(state, combatant, action)
    most = _feet_beside(whole_segment(state, combatant), taken)
    is_less = taken > quarters_taken(state, combatant, NO_ACTION)
    problem = f"{combatant.name} has moved {moved:g} ft; with this act the limit is {most} ft"
    return Check(moved <= most or not is_less, "CS-144", problem, ("what takes none of the distance", "GM override"))


def whole_segment(state: FightState, combatant: Combatant, mph: Fraction | None = None) -> int:
    """Feet in a segment without other acts (CS-186)."""
    speed = profile_of(combatant).full_speed if mph is None else mph
    return _segment_feet(speed, uses_pulses(state), distance_reading(state))


def partial_moves(state: FightState) -> PartialMovesCost:
    """The reading of whether a Turn and the like cost distance (A-22)."""
    return settings_of(state).partial_moves_cost


@lru_cache
def _segment_feet(mph: Fraction, pulses: bool, distance: PulseDistance) -> int:
    return movement.segment_feet(mph, pulses=pulses, distance=distance)


def are_pulses_to_come(state: FightState) -> bool:
    """Whether Pulses of this segment are still to run, so that movement is planned (CS-230, CS-241)."""
    agenda = state.agenda
    return any(step.kind == queries.PULSE for step in agenda.steps[max(0, agenda.cursor) :])


def are_pulses_over(state: FightState) -> bool:
    """CS-240: whether the last Pulse of this segment has run, so that nobody comes nearer by walking."""
    return not are_pulses_to_come(state) and any(step.kind == queries.PULSE for step in state.agenda.steps)


def feet_left(state: FightState, combatant: Combatant, mph: Fraction | None = None) -> float:
    """Feet left in this segment (CS-097)."""
    return max(0.0, round_measure(feet_allowed(state, combatant, mph) - fighter_of(combatant).moved))


def round_measure(value: Fraction | float) -> float:
    """A measure rounded to a thousandth."""
    return round(float(value), 3)


# Retreats of the surprised, away from the threat (CS-065)


def retreat_checks(state: FightState, combatant: Combatant, way: tuple[Location, ...]) -> Iterator[Check]:
    """CS-065: the surprised move no nearer to any known foe, and farther from the nearest.

    Without a board the GM decides.
    """
    board, here = state.board, combatant.at
    for place, foe in enumerate(threats_near(state, combatant) if way else ()):
        if board is None or here is None or foe.at is None:
            return
        before, after = board.length(here, foe.at), board.length(way[-1], foe.at)
        is_retreat = after > before if place == 0 else after >= before
        direction = "does not lead away from" if place == 0 else "leads towards"
        problem = f"{combatant.name} is surprised and can only back away: this path {direction} {foe.name}"
        yield Check(is_retreat, "CS-065", problem, (f"away from {foe.name}", "defend"))


def threats_near(state: FightState, combatant: Combatant) -> tuple[Combatant, ...]:
    """The foes who threaten a surprised combatant, the nearest first; none without Surprise."""
    if surprise_limits.degree_of(combatant) not in surprise_limits.RESTRICTED_DEGREES:
        return ()
    standing = [foe for foe in queries.all_able(state) if state.are_foes(combatant.id, foe.id)]
    foes = [foe for foe in standing if relations.has_noticed(combatant, foe)]
    distances = [(distance, foe) for foe in foes if (distance := places.distance_ft(state, combatant, foe)) is not None]
    return tuple(foe for _, foe in sorted(distances, key=lambda pair: pair[0]))


# Planned paths, as names of places on the board (CS-230)


def names_of_way(state: FightState, way: tuple[Location, ...]) -> tuple[str, ...]:
    """The names of a path's places, as in `Fighter.plan`."""
    board = state.board
    return () if board is None else tuple(board.name_of(place) for place in way)


def places_of_way(state: FightState, names: tuple[str, ...]) -> Iterator[Location]:
    """The places with these names, lazily, up to the first name that is none."""
    board = state.board
    if board is None:
        return
    for name in names:
        try:
            yield board.parse(name)
        except ValueError:
            return


def has_plan(combatant: Combatant) -> bool:
    """Whether a combatant has planned movement."""
    return bool(fighter_of(combatant).plan) or fighter_of(combatant).plan_feet > 0


NO_WAY: Mapping[str, Json] = {"plan": (), "plan_feet": 0.0, "plan_speed": 0.0, "following": ""}
"""The fields of a `Fighter` without planned movement."""
