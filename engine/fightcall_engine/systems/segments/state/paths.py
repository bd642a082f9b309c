"""Walking a path, and foes whose paths meet: costs, offers, continuing movement (CS-236, CS-430..448).

Feet are counted as whole thousandths, which keeps sums exact and a Pulse with a hundred figures fast.

A path that meets a foe stops while a combatant can make an Opportunity Action of it. `Battle.interrupted` is the id
of the mover until every offer is resolved; `Battle.met` has the pairs that have had theirs until they part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import chain

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.kit.decision import Decision, choices, concerns, prompt_for, question_check, record_answer
from fightcall_engine.kit.records import resume_of
from fightcall_engine.kit.views import Check
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt
from fightcall_engine.model.values import frozen, remembered
from fightcall_engine.systems.segments.rules import attacks, formulas, ranges
from fightcall_engine.systems.segments.rules.attacks import Reach
from fightcall_engine.systems.segments.rules.formulas import Number, exact
from fightcall_engine.systems.segments.rules.ranges import zone_gap
from fightcall_engine.systems.segments.state import condition, events, items, places, queries, small_acts
from fightcall_engine.systems.segments.state.queries import ATTACKS, BODY, DEFEND, LEFT, MOVE, RIGHT, action_of
from fightcall_engine.systems.segments.state.records import NO_ACTION, Action, battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import OfferedOpportunity
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.small_acts import describe_activity

_PLACES_ASIDE = 2
"""Places from one figure to the nearest that is not next to it."""

THOUSANDTHS = 1000
"""Thousandths in a foot."""

OFFER = "opportunity"
"""The kind of the question that offers an Opportunity Action."""

_MOVING = (queries.PULSE, queries.WAITS, queries.IMPACTS)
_TOO_LATE = (queries.RESOLVE, queries.CLOSE)


def in_thousandths(feet: Fraction | float) -> int:
    """Feet as thousandths of a foot."""
    return round(feet * THOUSANDTHS)


def in_feet(thousandths: int) -> float:
    """Thousandths of a foot as feet."""
    return thousandths / THOUSANDTHS


def price_of_step(board: AnyBoard | None, here: Location | None, place: Location) -> int:
    """The cost of a step in thousandths: the feet between the middles, times that of the ground (CS-180, L357).

    Across a square's corner it is farther than over its edge. Impassable places cost as much as open ground.
    """
    feet = places.feet_per_place(board)
    if board is None:
        return in_thousandths(feet)
    cost = board.cost_of(place)
    steps = 1.0 if here is None else board.length(here, place) / board.scale
    return in_thousandths(float(feet) * (1 if cost is None else cost) * steps)


def price_of_way(board: AnyBoard | None, here: Location | None, way: Iterable[Location]) -> int:
    """The cost of a path from a place, in thousandths."""
    total = 0
    for place in way:
        total += price_of_step(board, here, place)
        here = place
    return total


class Ground:
    """A board with all figures by place, updated as they move, so that no step looks at all of them."""

    def __init__(self, state: FightState) -> None:
        self._state = state
        self._foot = places.feet_per_place(state.board)
        self._people = {combatant.id: combatant for combatant in state.roster if combatant.at is not None}
        self._height = {combatant_id: profile_of(combatant).height for combatant_id, combatant in self._people.items()}
        self._at: dict[Location, list[str]] = {}
        self._place: dict[str, Location] = {}
        for combatant_id, combatant in self._people.items():
            if combatant.at is not None and combatant.able:
                self._place[combatant_id] = combatant.at
                self._at.setdefault(combatant.at, []).append(combatant_id)
        self._tallest = max(self._height.values(), default=Fraction(0))

    def put(self, combatant_id: str, place: Location) -> None:
        """Move a combatant to a place."""
        before = self._place.get(combatant_id)
        if before is not None:
            self._at[before].remove(combatant_id)
        self._place[combatant_id] = place
        self._at.setdefault(place, []).append(combatant_id)

    def price(self, here: Location | None, place: Location) -> int:
        """The cost of a step, as `price_of_step`."""
        return price_of_step(self._state.board, here, place)

    def holder(self, place: Location, combatant_id: str) -> str:
        """The id of another combatant on a place, a foe first, or empty."""
        others = [other for other in self._at.get(place, ()) if other != combatant_id]
        foes = (other for other in others if self.are_foes(combatant_id, other))
        return next(foes, others[-1] if others else "")

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
        height = self._height[combatant_id]
        if zone_gap(_PLACES_ASIDE * self._foot, height, self._tallest) <= 0:
            for other, there in self._place.items():
                if self.are_foes(combatant_id, other) and other not in lines:
                    feet = exact(board.length(place, there) / board.scale) * self._foot
                    lines += [other] if zone_gap(feet, height, self._height[other]) <= 0 else []
        return tuple(lines)


@frozen
class Walk:
    """One leg of a path, as walked. All lengths are in thousandths of a foot.

    `carry` has been walked towards the next place; `rest` is left, if it was interrupted. Foes `met` end it, those
    `passed` do not. `blocked` is the id of a combatant in the way.
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

    Lengths are thousandths of a foot; `carry` was walked before towards the first place. The way is read no farther
    than needed. Foes in `met_before` do not count; `stops` tells whether meeting a foe ends the path.

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
    holders = (ground.holder(place, combatant.id) for place in ahead)
    first = next((holder for holder in holders if not holder or ground.are_foes(combatant.id, holder)), None)
    return first == ""


# Movement in a segment, and what is left of it (CS-097, CS-144, CS-186)


def feet_allowed(state: FightState, combatant: Combatant, mph: Fraction | None = None) -> int:
    """Feet in a whole segment at a speed, less what declared small acts cost (CS-186, CS-144)."""
    feet = whole_segment(state, combatant, mph)
    taken = quarters_taken(state, combatant)
    return _feet_beside(feet, taken) if taken else feet


def _feet_beside(feet: int, quarters: int) -> int:
    return formulas.distance_beside(feet, (formulas.Small(quarters),))


def quarters_taken(state: FightState, combatant: Combatant, action: Action | None = None) -> int:
    """Quarters of the segment's distance that small acts cost, also in earlier Actions (CS-144)."""
    declared = small_acts.small_pieces(small_acts.running_action(state, combatant) if action is None else action)
    acts = (*(small for _, small in declared), *small_acts.small_acts_done(combatant))
    return fighter_of(combatant).shortened + formulas.distance_qa(acts, settings_of(state).partial_moves_cost)


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
    return _segment_feet(speed, pulses=settings_of(state).pulse_movement, distance=settings_of(state).pulse_distance)


_segment_feet = lru_cache(ranges.segment_feet)


def are_pulses_to_come(state: FightState) -> bool:
    """Whether Pulses of this segment are still to run, so that movement is planned (CS-230, CS-241)."""
    agenda = state.agenda
    return any(step.kind == queries.PULSE for step in agenda.steps[max(0, agenda.cursor) :])


@remembered
def are_pulses_over(state: FightState) -> bool:
    """CS-240: whether the last Pulse of this segment has run, so that nobody comes nearer by walking."""
    return any(step.kind == queries.PULSE for step in state.agenda.steps) and not are_pulses_to_come(state)


def feet_left(state: FightState, combatant: Combatant, mph: Fraction | None = None) -> float:
    """Feet left in this segment (CS-097)."""
    return max(0.0, round_measure(feet_allowed(state, combatant, mph) - fighter_of(combatant).moved))


def round_measure(value: Fraction | float) -> float:
    """A measure rounded to a thousandth."""
    return round(float(value), 3)


# Retreats of the surprised, away from the threat (CS-065)


def retreat_checks(state: FightState, combatant: Combatant, way: tuple[Location, ...]) -> Iterator[Check]:
    """CS-065: the surprised move no nearer to any known foe, and farther from the nearest."""
    board, here = state.board, combatant.at
    if not way or fighter_of(combatant).surprise not in condition.RESTRICTED_DEGREES:
        return
    foes = [foe for foe in queries.all_able(state) if state.are_foes(combatant.id, foe.id)]
    known = [foe for foe in foes if places.has_noticed(combatant, foe)]
    distances = [(feet, foe) for foe in known if (feet := places.distance_ft(state, combatant, foe)) is not None]
    for place, (_, foe) in enumerate(sorted(distances, key=lambda pair: pair[0])):
        if board is None or here is None or foe.at is None:
            return
        before, after = board.length(here, foe.at), board.length(way[-1], foe.at)
        is_retreat = after > before if place == 0 else after >= before
        direction = "does not lead away from" if place == 0 else "leads towards"
        problem = f"{combatant.name} is surprised and can only back away: this path {direction} {foe.name}"
        yield Check(is_retreat, "CS-065", problem, (f"away from {foe.name}", "defend"))


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


STRIKE, MOVE_BY, PARTING = "strike", "move_by", "parting"
"""The offers: a blow at a passing combatant, one in passing, and one at a runner (CS-439, CS-445, CS-107)."""


# Moving


def pulse_count(state: FightState) -> int:
    """The running Pulse, counted through all segments from 1, as in `Fighter.ran`."""
    return (max(1, state.round) - 1) * 10 + battle_of(state).pulse


def is_moving(combatant: Combatant) -> bool:
    """Whether a combatant is moving: in this Pulse or the last, or on a planned path."""
    return fighter_of(combatant).streak > 0 or bool(fighter_of(combatant).plan) or fighter_of(combatant).plan_feet > 0


def can_hold(combatant: Combatant) -> bool:
    """Whether a combatant is on its feet, or has declared to crawl (CS-104, CS-390)."""
    action = action_of(combatant)
    is_crawling = action.is_open and "crawl" in (small_acts.pair_of(action) or ())
    return fighter_of(combatant).posture == queries.STANDING or is_crawling


def footing_checks(combatant: Combatant, *, may_rise: bool = False) -> tuple[Check, ...]:
    """One moves standing or (`may_rise`) rising first, free and not surprised (CS-057, CS-104, CS-136, CS-390)."""
    problem = f"{combatant.name} is {fighter_of(combatant).posture}: a rise comes first"
    is_up = can_hold(combatant) or (may_rise and small_acts.rises_first(combatant))
    return (
        queries.able_check(combatant, "CS-111"),
        Check(is_up, "CS-104", problem, ("posture standing",)),
        *small_acts.legs_checks(combatant),
        *condition.surprise_checks(combatant),
    )


# Checks of an Opportunity Action


def _has_initiative_come(state: FightState, combatant: Combatant) -> bool:
    """CS-433, A-49: whether a combatant's Initiative has come: always in movement, else at or after its declaration."""
    step, kind = state.step, queries.kind_of(state)
    if step is None or kind not in (queries.DECLARE, *_MOVING):
        return False
    if step.phase == queries.MOVEMENT or kind == queries.WAITS:
        return True
    own_initiative, whose = fighter_of(combatant).init, queries.actor_of(state)
    cursor = fighter_of(whose).init if whose is not None else None
    past_steps = state.agenda.steps[: state.agenda.cursor + 1]
    if any(each.kind == queries.DECLARE and each.actor == combatant.id for each in past_steps):
        return True
    return (
        own_initiative is not None and cursor is not None and attacks.may_interrupt(own_initiative, cursor, "declare")
    )


def reach_of(
    state: FightState, combatant: Combatant, foe: Combatant, feet: float | None = None, size: Fraction | None = None
) -> Reach:
    """How a combatant reaches a passing foe (CS-442); those who touch, and all without a board, are in reach."""
    if feet is None and places.is_touching(state, combatant, foe):
        return "weapon"
    distance_feet = places.distance_ft(state, combatant, foe) if feet is None else exact(feet)
    if distance_feet is None or (feet is None and places.gap_at(distance_feet, combatant, foe) <= 0):
        return "weapon"
    return attacks.reach(
        distance_feet, places.longest_ready(combatant) if size is None else size, profile_of(combatant).height
    )


def farthest_reach(combatant: Combatant) -> Number:
    """The feet beyond which a combatant reaches nobody who passes (CS-442)."""
    return attacks.farthest_reach(places.longest_ready(combatant), profile_of(combatant).height)


def sizes_to_strike(combatant: Combatant) -> places.Sizes:
    """Sizes in feet of the weapons in hands that are free to strike out of turn; none for bare hands (CS-148)."""
    in_hands = items.items_in_hand(combatant)
    return {
        hand: size
        for hand, size in places.ready_sizes(combatant).items()
        if items.free_hands(combatant, items.name_of(in_hands[hand]))
    }


def time_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-433: a combatant acts from its own Initiative on, before Resolution."""
    kind, whose, own = queries.kind_of(state), queries.actor_of(state), fighter_of(combatant).init
    at = "it is too early"
    if whose is not None:
        at = f"it is {whose.name}'s turn to declare (Initiative {fighter_of(whose).init})"
    problem = f"{combatant.name}'s Initiative {own} has not come: {at}"
    return (
        queries.able_check(combatant, "CS-111"),
        Check(kind not in _TOO_LATE, "CS-433", "Resolution has begun: it is too late", ("the next segment",)),
        Check(bool(kind), "CS-433", "no segment is running", ("start",)),
        Check(_has_initiative_come(state, combatant), "CS-433", problem, (f"from Initiative {own} on",)),
    )


def free_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """One acts if one is not surprised and has free hands (CS-058, CS-065, CS-146)."""
    hold, bound_parts = condition.why_restricted(state, combatant), " ".join(items.bound_parts(combatant))
    action = action_of(combatant)
    at_work = action.is_open and action.kind not in (*ATTACKS, MOVE, DEFEND)
    has_free_hand = BODY not in action.bound and not {RIGHT, LEFT} <= set(action.bound)
    surprised, rule = f"{combatant.name} can't start anything now: {hold}", condition.surprise_rule(combatant)
    busy = f"{combatant.name}'s hands are busy: {describe_activity(combatant)}"
    return (
        Check(not hold, rule, surprised, ("a defence",)),
        Check(not bound_parts, "CS-136", f"{combatant.name} is held: {bound_parts}", ("abort",)),
        Check(not at_work or has_free_hand, "CS-146", busy, ("abort",)),
    )


def act_checks(state: FightState, combatant: Combatant, foe: Combatant) -> tuple[Check, ...]:
    """The checks of an Opportunity Action, except movement and reach (CS-430, CS-433)."""
    return (
        *time_checks(state, combatant),
        *free_checks(state, combatant),
        Check(combatant.id != foe.id, "CS-430", "choose a foe: no one acts on themselves", ("a foe",)),
        Check(combatant.side != foe.side, "CS-430", f"{foe.name} is on {combatant.name}'s side", ("a foe",)),
        places.aware_check(state, combatant, foe),
        question_check(state),
    )


def meeting_checks(
    state: FightState, combatant: Combatant, foe: Combatant, feet: float | None = None, size: Fraction | None = None
) -> tuple[Check, ...]:
    """All checks of an Opportunity Action: time, free hands, a moving combatant, reach (CS-430 to CS-442)."""
    return (*act_checks(state, combatant, foe), *foe_checks(state, combatant, foe, feet, size))


def foe_checks(
    state: FightState, combatant: Combatant, foe: Combatant, feet: float | None = None, size: Fraction | None = None
) -> tuple[Check, ...]:
    """The checks on the foe: a combatant moves, and is in reach (CS-432, CS-442)."""
    moving = (
        queries.kind_of(state) != queries.PULSE
        or is_moving(combatant)
        or is_moving(foe)
        or foe.id in foes_offered(state, combatant)
    )
    near = reach_of(state, combatant, foe, feet, size) != "out"
    longest = places.longest_ready(combatant) if size is None else size
    step = float(profile_of(combatant).height / 2)
    still = f"neither {combatant.name} nor {foe.name} is moving: declare this in the Declaration phase"
    within = (f"within {float(longest):g} ft", f"within a Step of {step:g} ft and an arm")
    return (
        Check(moving, "CS-432", still, ("a foe on the move", "the next segment")),
        Check(near, "CS-442", f"{foe.name} is out of {combatant.name}'s reach", within),
    )


def occasion_check(state: FightState, combatant: Combatant, foe: Combatant) -> Check:
    """L2549: the occasion lasts a moment: an offer that was declined is gone until their paths meet again."""
    is_gone = (combatant.id, foe.id) in battle_of(state).chances and foe.id not in foes_offered(state, combatant)
    problem = f"{combatant.name} missed the chance to act on {foe.name}"
    return Check(not is_gone, "CS-431", problem, ("when their paths meet again", "the next segment"))


def _wants_opportunity(state: FightState, combatant: Combatant, foe: Combatant) -> bool:
    """Whether to ask a combatant about a foe once in reach: it can act, and has not declared an attack on it anyway."""
    action = action_of(combatant)
    if not foe.able or (action.is_open and action.kind in ATTACKS and foe.id in action.targets):
        return False
    return all(check.holds for check in act_checks(state, combatant, foe))


def _can_take_opportunity(state: FightState, combatant: Combatant, foe: Combatant) -> bool:
    return _wants_opportunity(state, combatant, foe) and reach_of(state, combatant, foe) in ("weapon", "step")


def is_stopping_mover(state: FightState, mover: Combatant, foe: Combatant) -> bool:
    """Whether meeting a foe ends a path, as one of the two can act; the mover is asked in Pulses alone (CS-236)."""
    return _wants_opportunity(state, foe, mover) or (
        queries.kind_of(state) == queries.PULSE and _wants_opportunity(state, mover, foe)
    )


# Offers


def opportunity_prompts(state: FightState) -> tuple[Prompt, ...]:
    """The open offers of Opportunity Actions."""
    return tuple(prompt for prompt in state.prompts if prompt.kind == OFFER)


def foes_offered(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """The ids of the foes on whom a combatant is offered to act."""
    prompts = (prompt for prompt in opportunity_prompts(state) if prompt.who == combatant.id)
    return tuple(resume_of(prompt, OfferedOpportunity).other for prompt in prompts)


def decline_offers(prompts: Iterable[Prompt]) -> Events:
    """The events that offers are declined."""
    return tuple(record_answer(prompt, "pass", default=False) for prompt in prompts)


def offer_opportunity(taker: Combatant, target: Combatant, kind: str) -> events.OpportunityOffered:
    """The offer of an Opportunity Action; it lapses when play moves on."""
    how = "" if sizes_to_strike(taker) else f" with {items.BARE}"
    words, rule = {
        STRIKE: (f"{target.name} comes within {taker.name}'s reach. Strike{how}?", "CS-236"),
        MOVE_BY: (f"{taker.name} passes {target.name}. Strike{how} in passing?", "CS-445"),
        PARTING: (f"{target.name} turns away from {taker.name}. A parting strike{how}?", "CS-107"),
    }[kind]
    follow = ("follow:go after, still striking",) if kind == PARTING else ()
    spring = ("spring:spring a Surprise first",) if taker.hidden else ()
    prompt = prompt_for(
        taker, kind=OFFER, question=words, rule=rule, default="pass", blocking=False,
        choices=choices("strike:strike:y", *follow, *spring, "pass:let it pass:n"),
        resume=OfferedOpportunity(other=target.id, kind=kind),
    )  # fmt: skip
    return events.OpportunityOffered(prompt=prompt)


def cross_paths(decision: Decision, mover: Combatant, foes: Iterable[str], feet: float = 0.0) -> None:
    """CS-236, CS-437: a mover meets foes; interrupt it if either side can act on it."""
    state = decision.state
    for combatant_id in foes:
        foe = decision.state.combatants[combatant_id]
        before, pair = battle_of(decision.state).met, (min(mover.id, combatant_id), max(mover.id, combatant_id))
        value = (*(old for old in before if old != pair), pair)
        decision.emit(events.PathsCrossed(who=mover.id, other=combatant_id, before=before, value=value, feet=feet))
        here = decision.state.combatants[mover.id]
        if _can_take_opportunity(decision.state, foe, here):
            decision.emit(offer_opportunity(foe, here, STRIKE))
        if queries.kind_of(state) == queries.PULSE and _can_take_opportunity(decision.state, here, foe):
            decision.emit(offer_opportunity(here, foe, STRIKE if is_moving(foe) else MOVE_BY))
    decision.emit(*_interrupt_movement(decision.state, mover))


def offer_parting(decision: Decision, mover: Combatant, foes: Iterable[Combatant]) -> None:
    """CS-107: offer a parting shot to those whom a combatant runs from, and to their friends beside them."""
    for foe in foes:
        if _can_take_opportunity(decision.state, foe, mover) or (
            mover.id in action_of(foe).targets
            and all(check.holds for check in meeting_checks(decision.state, foe, mover))
        ):
            decision.emit(offer_opportunity(foe, mover, PARTING))
    decision.emit(*_interrupt_movement(decision.state, mover))


def _interrupt_movement(state: FightState, mover: Combatant) -> Events:
    """CS-437: interrupt movement while an offer about it is open."""
    is_concerned = any(mover.id in concerns(prompt) for prompt in opportunity_prompts(state))
    return queries.set_fact(state, "interrupted", mover.id) if is_concerned else ()


# Continuing


def resume_movement(decision: Decision) -> None:
    """CS-440: continue movement after the last offer, if its results allow that."""
    state = decision.state
    combatant_id = battle_of(state).interrupted
    if not combatant_id or state.is_blocked() or opportunity_prompts(state):
        return
    mover = state.combatants.get(combatant_id)
    if mover is not None:
        decision.emit(events.MovementResumed(who=combatant_id))
        if not mover.able or not can_hold(mover):
            stop_movement(decision, mover)
    decision.emit(*queries.set_fact(decision.state, "interrupted", ""))


def stop_movement(decision: Decision, mover: Combatant) -> None:
    """End movement; a combatant who has stopped it must engage the mover in the next segment (CS-448)."""
    state = decision.state
    stopper = state.combatants.get(fighter_of(mover).halted_by)
    if fighter_of(mover).plan or fighter_of(mover).plan_feet:
        decision.emit(events.WayPlanned(who=mover.id, traits=NO_WAY, feet=0.0, mph=0.0))
    decision.emit(*queries.set_traits(decision.state.combatants[mover.id], rest=0.0, carry=0.0, halted_by=""))
    if stopper is not None and stopper.able and mover.able and stopper.side != mover.side:
        decision.emit(*queries.set_traits(stopper, engage=mover.id))


def forget_parted_pairs(state: FightState) -> Events:
    """Let pairs that have parted meet again."""
    pairs = (tuple(map(state.combatants.get, pair)) for pair in battle_of(state).met)
    near = (
        (first.id, second.id)
        for first, second in pairs
        if first and second and places.can_measure(state, first, second) and places.is_engaged(state, first, second)
    )
    return queries.set_fact(state, "met", tuple(near))


def speed_now(state: FightState, combatant: Combatant) -> Fraction:
    """A combatant's speed in mph; 0 if standing, or stopped in an earlier Pulse (CS-444)."""
    if queries.kind_of(state) == queries.PULSE and not fighter_of(combatant).streak:
        return Fraction(0)
    return exact(fighter_of(combatant).speed)
