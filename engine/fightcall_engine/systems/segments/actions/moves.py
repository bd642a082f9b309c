"""Moving: distance and speed, posture, leaving melee, plans for the ten Pulses (CS-090, CS-104..109, CS-181..233)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from fightcall_engine.board.base import Location, find_path
from fightcall_engine.kit import movement
from fightcall_engine.kit.decision import Decision, choices, prompt_for, question_check
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.movement import chosen_way, contacts_of_move, facing_after, taken_places
from fightcall_engine.kit.records import combatant_of
from fightcall_engine.kit.views import Check, Referee, enforce, first_broken
from fightcall_engine.model.commands import Move
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import ContactLeft, Event, Events
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.segments.actions import declarations, surprises
from fightcall_engine.systems.segments.rules import ranges
from fightcall_engine.systems.segments.rules.formulas import exact
from fightcall_engine.systems.segments.rules.ranges import Rate
from fightcall_engine.systems.segments.state import commands, events, paths, places, queries, small_acts
from fightcall_engine.systems.segments.state.paths import Ground, Walk, in_feet, in_thousandths
from fightcall_engine.systems.segments.state.records import battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.settings import settings_of


def speed_of(combatant: Combatant, speed: float | str | None) -> Fraction:
    """A speed in mph, from a number or a rate in words; by default full speed (CS-183)."""
    full = profile_of(combatant).full_speed
    if speed is None:
        return full
    if isinstance(speed, str):
        word = speed.strip().lower().replace("-", "_").replace(" ", "_")
        if word in ranges.SHARES:
            rate: Rate = word  # type: ignore[assignment]
            own_mph = profile_of(combatant).rates.get(rate)
            return ranges.rate_mph(full, rate) if own_mph is None else own_mph
        raise Refused("CS-183", f"unknown rate: {speed!r}", tuple(ranges.SHARES), final=True)
    if not 0 <= speed <= float(full):
        accepts = (f"0 to {float(full):g} mph",)
        raise Refused("CS-183", f"{combatant.name} can't move at {speed:g} mph", accepts, final=True)
    return exact(speed)


def _speed_check(combatant: Combatant) -> Check:
    problem = f"{combatant.name} has no speed on the sheet"
    return Check(profile_of(combatant).full_speed > 0, "CS-183", problem, ("another sheet",))


def way_of(
    state: FightState, combatant: Combatant, path: tuple[Location, ...], to: Location | None
) -> tuple[Location, ...]:
    """The places of a path, as given or found; empty without a board."""
    return chosen_way(state, combatant, path, to, rule="CS-180") if places.can_measure(state, combatant) else ()


def way_from_here(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """The planned path, or another to the same end after being displaced, or up to a combatant who is followed."""
    plan, board = fighter_of(combatant).plan, state.board
    leader = state.combatants.get(fighter_of(combatant).following)
    if board is not None and leader is not None and leader.at is not None and plan:
        end = list(paths.places_of_way(state, plan))[-1]
        if end not in board.neighbours(leader.at) or combatant.at in board.neighbours(leader.at):
            up_to = _way_beside(state, combatant, leader.at)
            plan = plan if up_to is None else paths.names_of_way(state, up_to)
    first = next(paths.places_of_way(state, plan), None)
    if board is None or combatant.at is None or first is None or first in board.neighbours(combatant.at):
        return plan
    end = list(paths.places_of_way(state, plan))[-1]
    closed_places = taken_places(state, combatant.id, enemies_only=True) - {end}
    return paths.names_of_way(state, find_path(board, combatant.at, end, closed_places=closed_places) or ())


def _way_beside(state: FightState, combatant: Combatant, place: Location) -> tuple[Location, ...] | None:
    """The cheapest path around everybody to a free place next to one; empty if already there, None if there is none."""
    board, here = state.board, combatant.at
    if board is None or here is None:
        return None
    if here in board.neighbours(place):
        return ()
    closed_places = taken_places(state, combatant.id)
    near = (spot for spot in board.neighbours(place) if spot not in closed_places)
    ways = (find_path(board, here, spot, closed_places=closed_places) for spot in near)
    return min(filter(None, ways), key=lambda way: paths.price_of_way(board, here, way), default=None)


def typed_feet(command: Move) -> float:
    """Feet as typed."""
    feet = command.feet if command.feet is not None else float(command.hexes)
    if not 0 < feet <= 100_000:
        raise Refused("CS-186", "how many feet?", ("feet: above 0",), final=True)
    return float(feet)


def rate_label(combatant: Combatant, mph: Fraction) -> Rate:
    """The rate recorded for a speed (CS-184)."""
    profile = profile_of(combatant)
    return _rate(max(Fraction(0), mph), profile.full_speed, tuple(profile.rates.items()))


@lru_cache
def _rate(mph: Fraction, full: Fraction, speeds: tuple[tuple[Rate, Fraction], ...]) -> Rate:
    return ranges.rate_of(min(mph, full), full, dict(speeds))


# Moving without Pulses


def move_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-090, CS-091, CS-161, CS-182: a combatant moves after its declaration, even a late one, or while waiting."""
    kind, whose = queries.kind_of(state), queries.actor_of(state)
    is_own_turn = kind == queries.DECLARE and whose is not None and whose.id == combatant.id
    waits = small_acts.can_move_late(state, combatant)
    # On a board enough must be left for a place of open ground (CS-097).
    left = paths.feet_left(state, combatant)
    least = float(places.feet_per_place(state.board)) if places.can_measure(state, combatant) else 0.0
    name = whose.name if whose is not None else "nobody"
    turn = f"it is {name}'s turn to declare and move"
    return queries.turn_last(
        Check(bool(kind), "CS-080", "no segment is running", ("start",)),
        Check(kind != queries.RESOLVE, "CS-090", "Resolution has begun: movement is over", ("the next pass",)),
        Check(is_own_turn or waits, "CS-091", turn, (name, "those who wait"), is_turn=True),
        _speed_check(combatant),
        *paths.footing_checks(combatant, may_rise=True),
        Check(0 < left >= least, "CS-097", f"{combatant.name} has {left:g} ft left", (f"at most {left:g} ft",)),
        question_check(state),
    )


def decide_inline(decision: Decision, command: Move) -> None:
    """Walk a path, or so many feet without a board (CS-090, CS-097); the declaration is confirmed."""
    state = decision.state
    combatant = decision.combatant(command.who)
    enforce(move_checks(state, combatant), decision.referee)
    if small_acts.rises_first(combatant):
        declarations.commit_action(decision, combatant)
        state = decision.state
        combatant = state.combatants[combatant.id]
    mph = speed_of(combatant, command.speed)
    left = paths.feet_left(state, combatant, mph)
    if not places.can_measure(state, combatant):
        feet = typed_feet(command)
        _require_feet(combatant, feet, left, decision.referee)
        declarations.commit_action(decision, combatant)
        mph, state = _choose_pace(state, combatant, feet, command.speed), decision.state
        path = chosen_way(state, combatant, command.path, command.to, rule="CS-180")
        decision.emit(_record_move(state, combatant, path, feet, mph, facing_after(state, combatant, path)))
        decision.emit(_record_distance(decision.state.combatants[combatant.id], feet, mph))
        decision.emit(*places.restore_distance(decision.state.combatants[combatant.id]))
        decision.emit(*contacts_of_move(state, combatant, path, command.meets))
        foe = combatant_of(state, command.meets) if command.meets else None
        if foe is not None and foe.side != combatant.side:
            paths.cross_paths(decision, decision.state.combatants[combatant.id], (foe.id,), feet)
        return
    way = way_of(state, combatant, command.path, command.to)
    enforce(paths.retreat_checks(state, combatant, way), decision.referee)
    steps = movement.ground_of(state, combatant, way, decision.referee)
    ruled_feet = movement.ruled_ground(command.ground, steps) * places.feet_per_place(state.board)
    way_feet = in_feet(paths.price_of_way(state.board, combatant.at, way))
    feet = way_feet if command.ground is None else paths.round_measure(ruled_feet)
    _require_feet(combatant, feet, left, decision.referee)
    declarations.commit_action(decision, combatant)
    here = decision.state.combatants[combatant.id]
    mph = _choose_pace(state, combatant, feet, command.speed)
    if command.ground is not None or decision.referee.forced:
        # Feet by the GM's word, or a forced path that a rule would stop: it is walked as a whole.
        ground = Ground(decision.state)
        near_before = ground.near(here.id, here.at) if here.at is not None else ()
        passed = tuple(foe for foe in ground.near(here.id, way[-1]) if foe not in near_before) if way else ()
        whole = Walk(way, in_thousandths(feet), passed=passed, over=True)
        _record_leg(decision, here, whole, (), mph, command.meets, facing_after(state, combatant, way))
        return
    _walk_on(decision, here, paths.names_of_way(state, way), in_thousandths(feet), mph, command.meets)


def _require_feet(combatant: Combatant, feet: float, left: float, referee: Referee) -> None:
    problem = f"{combatant.name} has {left:g} ft left, not {feet:g}"
    referee.require(feet <= left, "CS-097", problem, f"at most {left:g} ft")


def _choose_pace(state: FightState, combatant: Combatant, feet: float, speed: float | str | None) -> Fraction:
    """The speed recorded: as given, else the lowest rate that covers the distance walked in this segment (CS-184)."""
    if speed is not None:
        return speed_of(combatant, speed)
    walked_so_far, speeds = fighter_of(combatant).moved + feet, (speed_of(combatant, rate) for rate in ranges.SHARES)
    fast_enough = (mph for mph in speeds if walked_so_far <= paths.feet_allowed(state, combatant, mph))
    return next(fast_enough, profile_of(combatant).full_speed)


def _walk_on(
    decision: Decision, combatant: Combatant, plan: tuple[str, ...], most: int, mph: Fraction, meets: str = ""
) -> None:
    """Walk on along a path, `most` thousandths of a foot at most, until meeting a combatant who may act (CS-437)."""
    state = decision.state
    ground = Ground(state)
    leg = paths.walk(
        ground, combatant, paths.places_of_way(state, plan), most, met_before=places.foes_met(state, combatant),
        stops=lambda foe: paths.is_stopping_mover(state, combatant, state.combatants[foe]),
    )  # fmt: skip
    break_off_running(decision, combatant, ground, plan, leg)
    here = decision.state.combatants[combatant.id]
    if battle_of(decision.state).interrupted:
        decision.emit(_record_distance(here, 0.0, mph, plan, in_feet(most)))
    else:
        _record_leg(decision, here, leg, plan, mph, meets, facing_on(state, combatant, leg, ground, plan))


def _record_leg(
    decision: Decision,
    combatant: Combatant,
    leg: Walk,
    plan: tuple[str, ...],
    mph: Fraction,
    meets: str,
    facing: int | None,
) -> None:
    state = decision.state
    rest = plan[len(leg.path) :]
    more = in_feet(leg.rest) if rest else 0.0
    feet = in_feet(leg.used)
    if leg.path:
        decision.emit(_record_move(decision.state, combatant, leg.path, feet, mph, facing))
    decision.emit(_record_distance(decision.state.combatants[combatant.id], feet, mph, rest if more else (), more))
    if leg.path:
        decision.emit(*contacts_of_move(state, combatant, leg.path, meets))
        decision.emit(*places.restore_distance(decision.state.combatants[combatant.id]))
    decision.emit(*places.drop_lost_pairs(decision.state))
    paths.cross_paths(decision, decision.state.combatants[combatant.id], (*leg.passed, *leg.met), feet)


def _record_move(
    state: FightState, combatant: Combatant, path: tuple[Location, ...], feet: float, mph: Fraction, facing: int | None
) -> events.SegmentMoved:
    left = max(0.0, paths.feet_allowed(state, combatant) - fighter_of(combatant).moved - paths.round_measure(feet))
    return events.SegmentMoved(
        who=combatant.id, hexes=len(path), feet=paths.round_measure(feet), path=path, facing=facing,
        mph=paths.round_measure(mph), left=paths.round_measure(left),
    )  # fmt: skip


def _record_distance(
    combatant: Combatant, feet: float, mph: Fraction, plan: tuple[str, ...] = (), rest: float = 0.0
) -> events.Footed:
    traits = {
        "moved": paths.round_measure(fighter_of(combatant).moved + paths.round_measure(feet)),
        "speed": paths.round_measure(mph),
        "rate": rate_label(combatant, mph),
        "plan": plan,
        "rest": paths.round_measure(rest),
    }
    return events.Footed(who=combatant.id, traits=traits)


def immediate_moves(state: FightState, combatant: Combatant, way: tuple[Location, ...]) -> Events:
    """The events of walking a whole path out of turn (CS-438)."""
    feet = in_feet(paths.price_of_way(state.board, combatant.at, way))
    mph = _choose_pace(state, combatant, feet, None)
    facing = facing_after(state, combatant, way)
    return (_record_move(state, combatant, way, feet, mph, facing), _record_distance(combatant, feet, mph))


def _is_footwork(state: FightState, combatant: Combatant, ground: Ground, plan: tuple[str, ...]) -> bool:
    """Whether a path stays within the width of the mover's Zone, begun in melee (CS-189, CS-485)."""
    if combatant.at is None or not ground.near(combatant.id, combatant.at):
        return False
    feet = in_feet(paths.price_of_way(state.board, combatant.at, paths.places_of_way(state, plan)))
    return feet <= profile_of(combatant).height


def facing_on(state: FightState, combatant: Combatant, leg: Walk, ground: Ground, plan: tuple[str, ...]) -> int | None:
    """The facing after a leg: along the path, towards a foe to strike (CS-104, A-22), or unchanged by footwork."""
    board = state.board
    if leg.path and board is not None and (leg.over or leg.blocked):
        near = ground.near(combatant.id, leg.path[-1])
        aims = [state.combatants[foe].at for foe in queries.action_of(combatant).targets if foe in near]
        if queries.action_of(combatant).is_open and aims and aims[0] is not None:
            return board.bearing(leg.path[-1], aims[0])
    if combatant.facing is not None and _is_footwork(state, combatant, ground, plan):
        return combatant.facing
    return facing_after(state, combatant, leg.path)


def break_off_running(
    decision: Decision, combatant: Combatant, ground: Ground, plan: tuple[str, ...], leg: Walk
) -> None:
    """CS-107: a parting shot at a runner, not for footwork, nor by foes whom it has only met in passing."""
    state = decision.state
    if combatant.at is None or not leg.path or fighter_of(combatant).broke:
        return
    on_the_way = fighter_of(combatant).streak > 0 or fighter_of(combatant).rest > 0
    passing = places.foes_met(state, combatant) if on_the_way else ()
    about = tuple(foe for foe in ground.near(combatant.id, combatant.at) if foe not in passing)
    ahead = ground.near(combatant.id, leg.path[-1]) if about else ()
    foes_left = tuple(foe for foe in about if foe not in ahead)
    if not foes_left or _is_footwork(state, combatant, ground, plan):
        return
    decision.emit(events.BrokeOff(who=combatant.id, how="run"), *queries.set_traits(combatant, broke="run"))
    paths.offer_parting(decision, decision.state.combatants[combatant.id], (state.combatants[x] for x in foes_left))


# Continuing without Pulses


def interrupted_movers(state: FightState) -> list[Combatant]:
    """Those whose movement was interrupted and is not complete."""
    people = queries.people_in_step(state) if queries.kind_of(state) in (queries.DECLARE, queries.WAITS) else ()
    return [each for each in people if fighter_of(each).rest > 0 and fighter_of(each).plan]


def finish_moves(decision: Decision, people: list[Combatant]) -> None:
    """CS-440: continue interrupted movement until a combatant may act again."""
    for combatant in people:
        here = decision.state.combatants[combatant.id]
        if battle_of(decision.state).interrupted:
            break
        if all(check.holds for check in paths.footing_checks(here)):
            plan, most = way_from_here(decision.state, here), in_thousandths(fighter_of(here).rest)
            _walk_on(decision, here, plan, most, exact(fighter_of(here).speed))
        else:
            paths.stop_movement(decision, here)


def step_price(state: FightState) -> int:
    """Feet for one place of open ground; 1 without a board."""
    return max(1, round(state.board.scale)) if state.board is not None else 1


# Posture, and leaving melee (CS-104, CS-106 to CS-109, CS-253)


RUN, OBSTACLE, OVERTURN = "run", "obstacle", "overturn"
BREAK_OFF_WAYS = (RUN, OBSTACLE, OVERTURN)
"""The ways of breaking off: with one's back to the foe, or with something in between (CS-106)."""


def posture_checks(state: FightState, combatant: Combatant, posture: str) -> tuple[Check, ...]:
    """CS-010, CS-104: a combatant rises or drops in its own time, together with anything else."""
    return surprises.own_time_checks(state, combatant, *change_checks(state, combatant, posture))


def change_checks(state: FightState, combatant: Combatant, posture: str) -> tuple[Check, ...]:
    """CS-104, CS-391: the checks that the running Action has room for this rise or drop."""
    small, qa = _small_act_for(combatant, posture)
    return small_acts.small_act_checks(state, combatant, small, qa, "CS-104") if qa and queries.kind_of(state) else ()


def _small_act_for(combatant: Combatant, posture: str) -> tuple[str, int]:
    """The small act that leads to a posture, and its quarter-actions; a rise counts each half, a drop once."""
    higher = queries.POSTURES.index(fighter_of(combatant).posture) - queries.POSTURES.index(posture)
    return (small_acts.RISE, higher * small_acts.HALF_RISE_QA) if higher > 0 else (small_acts.DROP, 1 if higher else 0)


@handles(commands.Posture)
def decide_posture(decision: Decision, command: commands.Posture) -> None:
    """Stand, kneel or lie down (CS-104)."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    if command.posture not in queries.POSTURES:
        raise Refused("CS-104", f"unknown posture: {command.posture}", queries.POSTURES, final=True)
    enforce(posture_checks(state, combatant, command.posture), referee)
    small, qa = _small_act_for(combatant, command.posture)
    if not qa:
        return
    change = events.PostureChanged(who=combatant.id, traits={"posture": command.posture}, posture=command.posture)
    decision.emit(change, *(small_acts.spend_small_act(combatant, small, qa) if queries.kind_of(state) else ()))


# Leaving melee


def foes_in_melee(state: FightState, combatant: Combatant) -> tuple[Combatant, ...]:
    """The able foes in melee with a combatant, of those it knows of (CS-265)."""
    near = places.ids_engaged(state, combatant)
    known = places.others_known(state, combatant)
    return tuple(other for other in known if other.side != combatant.side and other.id in near)


def break_off_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-106, CS-253: one leaves melee when one may move, from a foe in melee."""
    if paths.are_pulses_to_come(state):
        is_time = queries.kind_of(state) in (queries.DECLARE, queries.WAITS, queries.PULSE)
        time_check = Check(is_time, "CS-230", "no one can move now", ("in the next segment",))
        times = (time_check, *paths.footing_checks(combatant), question_check(state))
    else:
        times = move_checks(state, combatant)
    is_in_melee, away = bool(foes_in_melee(state, combatant)), "isn't in melee and can simply move away"
    return queries.turn_last(
        *times,
        Check(is_in_melee, "CS-253", f"{combatant.name} {away}", ("move",)),
        Check(not fighter_of(combatant).broke, "CS-106", f"{combatant.name} has already broken off", ("move",)),
    )


@handles(commands.BreakOff)
def decide_break_off(decision: Decision, command: commands.BreakOff) -> None:
    """CS-106 to CS-108: break off: running allows a parting shot; an obstacle prevents that and pursuit."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    if command.how not in BREAK_OFF_WAYS:
        raise Refused("CS-106", f"unknown way to break off: {command.how!r}", BREAK_OFF_WAYS, final=True)
    enforce(break_off_checks(state, combatant), referee)
    foes = foes_in_melee(state, combatant)
    decision.emit(events.BrokeOff(who=combatant.id, how=command.how), *queries.set_traits(combatant, broke=command.how))
    if command.how == RUN:
        # Friends of the foes beside them reach a runner, too (CS-107).
        beside = ((foe, each) for foe in foes for each in places.ids_engaged(state, foe))
        near = {each for foe, each in beside if state.combatants[each].side == foe.side}
        nearby_friends = (each for each in queries.all_able(state) if each.id in near and each not in foes)
        friends = tuple(each for each in nearby_friends if places.can_measure(state, combatant, each))
        paths.offer_parting(decision, decision.state.combatants[combatant.id], (*foes, *friends))
        # Whether those left behind think they can catch and beat the runner (CS-109); a pursuer plans a path.
        speeds = ", ".join(f"{foe.name} {float(profile_of(foe).full_speed):g}" for foe in foes)
        mph = float(profile_of(combatant).full_speed)
        question = f"{combatant.name} runs, {mph:g} mph at full speed ({speeds}). Does anyone pursue?"
        prompt = prompt_for(
            combatant, kind="pursuit", question=question, rule="CS-109", choices=choices("no", "yes"), default="no",
            blocking=False,
        )  # fmt: skip
        decision.spawn(Decision.ask, prompt)
    touched = {each for contact in state.contacts if combatant.id in contact for each in contact}
    decision.emit(*(ContactLeft(who=combatant.id, enemy=foe.id) for foe in foes if foe.id in touched))


# Planned movement for the ten Pulses, stopping, and movement that is blocked (CS-181, CS-230, CS-233)


def plan_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-180, CS-230, CS-233: anybody can plan and change movement while it continues."""
    return (*_movement_checks(state, combatant), question_check(state))


def _movement_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    is_planned, next_time = queries.kind_of(state) in _PLANNED, ("in the next segment",)
    is_over = is_planned and paths.are_pulses_over(state)
    return (
        Check(settings_of(state).pulse_movement, "CS-230", "there are no Pulses in this contest", ("move",)),
        Check(is_planned, "CS-230", "no one can move now", next_time),
        Check(not is_over, "CS-240", "the Pulses of this segment are over", next_time),
        _speed_check(combatant),
        *paths.footing_checks(combatant, may_rise=True),
    )


_PLANNED = (queries.IMPACTS, queries.DECLARE, queries.WAITS, queries.PULSE)


@handles(commands.Plan)
def decide_plan(decision: Decision, command: commands.Plan) -> None:
    """CS-230: plan a path and a speed for the Pulses."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    enforce(plan_checks(state, combatant), referee)
    mph = speed_of(combatant, command.speed)
    if mph <= 0:
        raise Refused("CS-183", "a path needs a speed", ("above 0 mph", "hold"), final=True)
    if places.can_measure(state, combatant):
        if command.follow and not command.path and command.to is None:
            target = combatant_of(state, command.follow)
            beside = _way_beside(state, combatant, target.at) if target.at is not None else None
            if not beside:
                is_there, name = beside == (), target.name
                problem = f"{combatant.name} is next to {name}" if is_there else f"there is no path to {name}"
                raise Refused("CS-230", problem, ("someone else", "path", "to"), final=True)
            way = beside
        else:
            way = way_of(state, combatant, command.path, command.to)
        decision.emit(*plan_way(state, combatant, way, mph, referee, command.follow))
        return
    if command.path or command.to is not None or command.follow:
        raise Refused("CS-230", "this board doesn't measure distances: give the path in feet", ("feet",), final=True)
    feet = paths.feet_left(state, combatant) if command.feet is None else command.feet
    if not 0 < feet <= 100_000:
        raise Refused("CS-230", f"{feet:g} feet", ("feet: above 0",), final=True)
    traits: dict[str, Json] = {
        **paths.NO_WAY,
        "plan_feet": paths.round_measure(feet),
        "plan_speed": paths.round_measure(mph),
        "plan_cs": state.round,
    }
    feet, mph_shown = paths.round_measure(feet), paths.round_measure(mph)
    decision.emit(events.WayPlanned(who=combatant.id, traits=traits, feet=feet, mph=mph_shown))


def planned_speed(combatant: Combatant) -> Fraction:
    """The speed of a planned path: by default full, and never more."""
    full, plan_speed = profile_of(combatant).full_speed, exact(fighter_of(combatant).plan_speed)
    return min(plan_speed, full) if plan_speed > 0 else full


def plan_way(
    state: FightState,
    combatant: Combatant,
    way: tuple[Location, ...],
    mph: Fraction,
    referee: Referee,
    follow: str = "",
) -> Events:
    """The event of planning a path; combatants standing on it may have moved by then. `follow` is who it leads to."""
    board, here = state.board, combatant.at
    if board is None or here is None or not way:
        raise Refused("path", "the path is empty", ("path", "to"), final=True)
    enforce(paths.retreat_checks(state, combatant, way), referee)
    feet = in_feet(paths.price_of_way(board, here, way))
    first = in_feet(paths.price_of_step(board, here, way[0]))
    for place in way:
        movement.check_step(state, here, place)
        if board.cost_of(place) is None:
            referee.require(False, "path", f"{board.name_of(place)} can't be entered", "another path")
        here = place
    traits: dict[str, Json] = {
        "plan": paths.names_of_way(state, way),
        "plan_feet": 0.0,
        "plan_speed": paths.round_measure(mph),
        "plan_cs": state.round,
        "following": follow,
        "carry": min(fighter_of(combatant).carry, first),
    }
    return (events.WayPlanned(who=combatant.id, traits=traits, feet=feet, mph=paths.round_measure(mph)),)


def plan_approaches(state: FightState) -> Events:
    """Plan paths, unless there are any, to targets of melee out of reach; they may change in any Pulse (CS-233)."""
    new_events: list[Event] = []
    for combatant in queries.all_able(state):
        action = queries.action_of(combatant)
        due = small_acts.due_slot(state, combatant, action) if action.is_open else None
        stays = paths.has_plan(combatant) or first_broken(_movement_checks(state, combatant)) is not None
        if stays or due is None or due.segment != state.round:
            continue
        blow = next(iter(declarations.declared_blows(state, combatant, action)), None)
        at = state.combatants[blow.target].at if blow is not None else None
        if blow is None or blow.ranged or at is None or not declarations.is_walking_up(state, blow):
            continue
        way, speed = _way_beside(state, combatant, at), profile_of(combatant).full_speed
        if way:
            referee = Referee("Plan", combatant.id, force=True)
            new_events += plan_way(state, combatant, way, speed, referee, blow.target)
    return tuple(new_events)


def continued_run(state: FightState, combatant: Combatant) -> str:
    """CS-181: where a combatant still runs on a path of an earlier segment, in words; else empty."""
    earlier = paths.has_plan(combatant) and fighter_of(combatant).plan_cs < state.round
    if not (earlier and settings_of(state).pulse_movement and combatant.able and state.status != "closed"):
        return ""
    end = next(reversed(tuple(paths.places_of_way(state, fighter_of(combatant).plan))), None)
    if end is not None and state.board is not None:
        return f"runs on to {state.board.name_of(end)}"
    return f"runs on, {fighter_of(combatant).plan_feet:g} ft"


def hold_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-233: anybody may stop in any Pulse."""
    return (
        Check(paths.has_plan(combatant), "CS-233", f"{combatant.name} has no planned path", ("plan",)),
        question_check(state),
    )


@handles(commands.Hold)
def decide_hold(decision: Decision, command: commands.Hold) -> None:
    """CS-233: stand still from now on."""
    combatant = decision.combatant(command.who)
    enforce(hold_checks(decision.state, combatant), decision.referee)
    paths.stop_movement(decision, combatant)


def blocked_walkers(state: FightState) -> tuple[tuple[Combatant, Combatant], ...]:
    """Pairs of a combatant who did not get on in the running Pulse, and the one standing in its way."""
    now = paths.pulse_count(state)
    still = [each for each in queries.all_able(state) if not fighter_of(each).streak]
    walkers = [each for each in still if fighter_of(each).plan and fighter_of(each).ran == now]
    if state.board is None or not walkers:
        return ()
    standing = {each.at: each for each in still if each.at is not None}
    ways_on = ((each, next(paths.places_of_way(state, fighter_of(each).plan), None)) for each in walkers)
    return tuple((each, standing[place]) for each, place in ways_on if place is not None and place in standing)


def at_end_of_pulse(decision: Decision) -> None:
    """CS-233: end paths that have reached the combatant at their end; ask other blocked walkers, once at each place."""
    state = decision.state
    for combatant, other in blocked_walkers(state):
        plan = fighter_of(combatant).plan
        if list(paths.places_of_way(state, plan)) == [other.at]:
            paths.stop_movement(decision, combatant)
        elif fighter_of(combatant).held_at != plan:
            decision.emit(*queries.set_traits(combatant, held_at=plan))
            decision.spawn(_ask_way_round, combatant.id, other.id)


def _ask_way_round(decision: Decision, combatant_id: str, other_id: str) -> None:
    """CS-233: ask a walker whose way is blocked to go around the blocker as it stands then, or to stay."""
    state = decision.state
    combatant, other = state.combatants[combatant_id], state.combatants[other_id]
    way, stay = _detour(state, combatant), "stay:wait until the way is free"
    feet = in_feet(paths.price_of_way(state.board, combatant.at, way))
    question = "Go round?" if way else "There is no way round."
    answer = decision.ask_about(
        combatant, "held_up", "CS-233", f"{other.name} stands in {combatant.name}'s way. {question}",
        *((f"other_way:another path, {float(feet):g} ft", stay) if way else (stay,)),
        default="other_way" if way else "stay",
    )  # fmt: skip
    if answer.choice != "other_way":
        return
    state = decision.state
    combatant = state.combatants[combatant_id]
    way = _detour(state, combatant)
    if way:
        follow = fighter_of(combatant).following
        decision.emit(*plan_way(state, combatant, way, planned_speed(combatant), decision.referee, follow))


def _detour(state: FightState, combatant: Combatant) -> tuple[Location, ...]:
    """A path around everybody to the combatant's goal, or next to it if that is taken; empty for none."""
    board, ahead = state.board, list(paths.places_of_way(state, fighter_of(combatant).plan))
    if board is None or combatant.at is None or not ahead:
        return ()
    closed_places, end = taken_places(state, combatant.id), ahead[-1]
    leader = state.combatants.get(fighter_of(combatant).following)
    if leader is not None and leader.at is not None:
        way = _way_beside(state, combatant, leader.at)
    elif end in closed_places:
        way = _way_beside(state, combatant, end)
    else:
        way = find_path(board, combatant.at, end, closed_places=closed_places)
    return way if way and first_broken(paths.retreat_checks(state, combatant, way)) is None else ()
