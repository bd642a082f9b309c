"""Planned movement for the ten Pulses, stopping, and movement that is blocked (CS-181, CS-230, CS-233)."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine.board.base import Location
from fightcall_engine.board.paths import find_path
from fightcall_engine.kit.checks import Check, Referee, enforce, first_broken
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.movement import check_step, taken_places
from fightcall_engine.kit.prompts import choices, prompt_for, question_check
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.segments.actions import declarations, moves
from fightcall_engine.systems.segments.positions import meetings, places, ways
from fightcall_engine.systems.segments.rules.numbers import exact
from fightcall_engine.systems.segments.state import commands, events, progress, queries
from fightcall_engine.systems.segments.state.action import action_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of


def plan_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-180, CS-230, CS-233: anybody can plan and change movement while it continues."""
    return (*movement_checks(state, combatant), question_check(state))


def movement_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-180, CS-230, CS-240: the checks of moving in the Pulses at all."""
    is_planned, next_time = queries.kind_of(state) in _PLANNED, ("in the next segment",)
    is_over = is_planned and ways.are_pulses_over(state)
    return (
        Check(ways.uses_pulses(state), "CS-230", "there are no Pulses in this contest", ("move",)),
        Check(is_planned, "CS-230", "no one can move now", next_time),
        Check(not is_over, "CS-240", "the Pulses of this segment are over", next_time),
        moves.speed_check(combatant),
        *meetings.footing_checks(combatant, may_rise=True),
    )


_PLANNED = (queries.IMPACTS, queries.DECLARE, queries.WAITS, queries.PULSE)


@handles(commands.Plan)
def decide_plan(decision: Decision, command: commands.Plan) -> None:
    """CS-230: plan a path and a speed for the Pulses."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    enforce(plan_checks(state, combatant), referee)
    mph = moves.speed_of(combatant, command.speed)
    if mph <= 0:
        raise Refused("CS-183", "a path needs a speed", ("above 0 mph", "hold"), final=True)
    if places.can_measure(state, combatant):
        way = _wanted_path(state, combatant, command)
        decision.emit(*plan_way(state, combatant, way, mph, referee, command.follow))
        return
    if command.path or command.to is not None or command.follow:
        raise Refused("CS-230", "this board doesn't measure distances: give the path in feet", ("feet",), final=True)
    feet = ways.feet_left(state, combatant) if command.feet is None else command.feet
    if not 0 < feet <= 100_000:
        raise Refused("CS-230", f"{feet:g} feet", ("feet: above 0",), final=True)
    traits: dict[str, Json] = {
        **ways.NO_WAY,
        "plan_feet": ways.round_measure(feet),
        "plan_speed": ways.round_measure(mph),
        "plan_cs": state.round,
    }
    decision.emit(
        events.WayPlanned(who=combatant.id, traits=traits, feet=ways.round_measure(feet), mph=ways.round_measure(mph))
    )


def _wanted_path(state: FightState, combatant: Combatant, command: commands.Plan) -> tuple[Location, ...]:
    """The path that a command names, or the cheapest one to the combatant who is followed."""
    if not command.follow:
        return moves.way_of(state, combatant, command.path, command.to)
    target = combatant_of(state, command.follow)
    if command.path or command.to is not None:
        return moves.way_of(state, combatant, command.path, command.to)
    way = moves.way_beside(state, combatant, target.at) if target.at is not None else None
    if not way:
        problem = f"{combatant.name} is next to {target.name}" if way == () else f"there is no path to {target.name}"
        raise Refused("CS-230", problem, ("someone else", "path", "to"), final=True)
    return way


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
    """The event of planning a path; combatants standing on it may have moved by then.

    Args:
        state: the fight.
        combatant: the one who will walk.
        way: the places to enter.
        mph: the speed.
        referee: judges the checks.
        follow: the id of the combatant whom the path follows; empty for a fixed path.

    Raises:
        Refused: a step leads nowhere.
    """
    board, here = state.board, combatant.at
    if board is None or here is None or not way:
        raise Refused("path", "the path is empty", ("path", "to"), final=True)
    enforce(ways.retreat_checks(state, combatant, way), referee)
    ground = ways.Ground(state)
    feet = ways.in_feet(ground.price_of_way(here, way))
    first = ways.in_feet(ground.price(here, way[0]))
    for place in way:
        check_step(state, here, place)
        if board.cost_of(place) is None:
            referee.require(False, "path", f"{board.name_of(place)} can't be entered", "another path")
        here = place
    traits: dict[str, Json] = {
        "plan": ways.names_of_way(state, way),
        "plan_feet": 0.0,
        "plan_speed": ways.round_measure(mph),
        "plan_cs": state.round,
        "following": follow,
        "carry": min(fighter_of(combatant).carry, first),
    }
    return (events.WayPlanned(who=combatant.id, traits=traits, feet=feet, mph=ways.round_measure(mph)),)


def plan_approaches(state: FightState) -> Events:
    """Plan paths for those who have declared a melee attack on a combatant out of reach, unless they have a path.

    Such a path may be changed or dropped in any Pulse (CS-233).
    """
    return tuple(event for combatant in queries.all_able(state) for event in _approach_target(state, combatant))


def _approach_target(state: FightState, combatant: Combatant) -> Events:
    action = action_of(combatant)
    due = progress.due_slot(state, combatant, action) if action.is_open else None
    stays = ways.has_plan(combatant) or first_broken(movement_checks(state, combatant)) is not None
    if stays or due is None or due.segment != state.round:
        return ()
    blow = next(iter(declarations.declared_blows(state, combatant, action)), None)
    target = state.combatants[blow.target] if blow is not None else None
    if (
        blow is None
        or blow.ranged
        or target is None
        or target.at is None
        or not declarations.is_walking_up(state, blow)
    ):
        return ()
    way = moves.way_beside(state, combatant, target.at)
    speed = profile_of(combatant).full_speed
    return plan_way(state, combatant, way, speed, Referee("Plan", combatant.id, force=True), target.id) if way else ()


def continued_run(state: FightState, combatant: Combatant) -> str:
    """CS-181: where a combatant still runs on a path of an earlier segment, in words; else empty."""
    earlier = fighter_of(combatant).plan_cs < state.round and state.status != "closed"
    if not (ways.uses_pulses(state) and combatant.able and ways.has_plan(combatant) and earlier):
        return ""
    end = next(reversed(tuple(ways.places_of_way(state, fighter_of(combatant).plan))), None)
    if end is not None and state.board is not None:
        return f"runs on to {state.board.name_of(end)}"
    return f"runs on, {fighter_of(combatant).plan_feet:g} ft"


def hold_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-233: anybody may stop in any Pulse."""
    return (
        Check(ways.has_plan(combatant), "CS-233", f"{combatant.name} has no planned path", ("plan",)),
        question_check(state),
    )


@handles(commands.Hold)
def decide_hold(decision: Decision, command: commands.Hold) -> None:
    """CS-233: stand still from now on."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    enforce(hold_checks(state, combatant), referee)
    meetings.stop_movement(decision, combatant)


# Blocked movement

_OTHER_WAY, _STAY = "other_way", "stay"


def blocked_walkers(state: FightState) -> tuple[tuple[Combatant, Combatant], ...]:
    """Pairs of a combatant who did not get on in the running Pulse, and the one standing in its way."""
    board, now = state.board, meetings.pulse_count(state)
    stopped_walkers = [
        combatant
        for combatant in queries.all_able(state)
        if fighter_of(combatant).plan and fighter_of(combatant).ran == now and not fighter_of(combatant).streak
    ]
    if board is None or not stopped_walkers:
        return ()
    standing = {
        combatant.at: combatant
        for combatant in queries.all_able(state)
        if combatant.at is not None and not fighter_of(combatant).streak
    }
    ways_on = (
        (combatant, next(ways.places_of_way(state, fighter_of(combatant).plan), None)) for combatant in stopped_walkers
    )
    blockers = ((combatant, standing.get(place)) for combatant, place in ways_on if place is not None)
    return tuple((combatant, other) for combatant, other in blockers if other is not None)


def at_end_of_pulse(decision: Decision) -> None:
    """CS-233: end the paths of those who have reached the combatant at their end; ask about others who are blocked.

    Those who stay keep their path, for when it is free, and are not asked again at the same place.
    """
    state = decision.state
    for combatant, other in blocked_walkers(state):
        plan = fighter_of(combatant).plan
        if list(ways.places_of_way(state, plan)) == [other.at]:
            meetings.stop_movement(decision, combatant)
        elif fighter_of(combatant).held_at != plan:
            decision.emit(*queries.set_traits(combatant, held_at=plan))
            decision.spawn(_ask_way_round, combatant.id, other.id)


def _ask_way_round(decision: Decision, combatant_id: str, other_id: str) -> None:
    """CS-233: ask a walker whose way is blocked to go around the blocker as it stands then, or to stay."""
    state = decision.state
    combatant, other = state.combatants[combatant_id], state.combatants[other_id]
    way, stay = _detour(state, combatant), f"{_STAY}:wait until the way is free"
    feet = ways.in_feet(ways.Ground(state).price_of_way(combatant.at, way))
    question = "Go round?" if way else "There is no way round."
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="held_up",
            question=f"{other.name} stands in {combatant.name}'s way. {question}",
            rule="CS-233",
            choices=choices(f"{_OTHER_WAY}:another path, {float(feet):g} ft", stay) if way else choices(stay),
            default=_OTHER_WAY if way else _STAY,
        )
    )
    if answer is None or answer.choice != _OTHER_WAY:
        return
    state = decision.state
    combatant = state.combatants[combatant_id]
    way = _detour(state, combatant)
    if way:
        follow = fighter_of(combatant).following
        decision.emit(*plan_way(state, combatant, way, planned_speed(combatant), decision.referee, follow))


def _detour(state: FightState, combatant: Combatant) -> tuple[Location, ...]:
    """A path around everybody to the combatant's goal, or next to it if that is taken; empty for none."""
    board, ahead = state.board, list(ways.places_of_way(state, fighter_of(combatant).plan))
    if board is None or combatant.at is None or not ahead:
        return ()
    closed_places, end = taken_places(state, combatant.id), ahead[-1]
    leader = state.combatants.get(fighter_of(combatant).following)
    if leader is not None and leader.at is not None:
        way = moves.way_beside(state, combatant, leader.at)
    elif end in closed_places:
        way = moves.way_beside(state, combatant, end)
    else:
        way = find_path(board, combatant.at, end, closed_places=closed_places)
    return way if way and first_broken(ways.retreat_checks(state, combatant, way)) is None else ()
