"""Ways that are planned for the ten Pulses, left where they are, and blocked by somebody (CS-181, CS-230, CS-233)."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine.board.base import Location
from fightcall_engine.board.paths import find_path
from fightcall_engine.kit.checks import Check, enforce, first_broken
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.movement import check_step, taken_places
from fightcall_engine.kit.prompts import choices, prompt_for, question_check
from fightcall_engine.kit.referee import Referee
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt
from fightcall_engine.systems.segments.actions import moves, prospects
from fightcall_engine.systems.segments.positions import meetings, places, ways
from fightcall_engine.systems.segments.rules.numbers import exact
from fightcall_engine.systems.segments.state import commands, events, figures, progress
from fightcall_engine.systems.segments.state.action import action_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of


def plan_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-180, CS-230, CS-233: ways are planned and changed by anybody, as long as movement goes on."""
    return (*movement_checks(state, combatant), question_check(state))


def movement_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-180, CS-230, CS-240: whether somebody can move in the Pulses at all."""
    is_planned, next_time = figures.kind_of(state) in _PLANNED, ("in the next segment",)
    is_over = is_planned and ways.are_pulses_over(state)
    return (
        Check(ways.uses_pulses(state), "CS-230", "there are no Pulses in this contest", ("move",)),
        Check(is_planned, "CS-230", "nobody moves now", next_time),
        Check(not is_over, "CS-240", "the Pulses of this segment are over", next_time),
        moves.speed_check(combatant),
        *meetings.footing_checks(combatant),
    )


_PLANNED = (figures.IMPACTS, figures.DECLARE, figures.WAITS, figures.PULSE)


@handles(commands.Plan)
def decide_plan(decision: Decision, command: commands.Plan) -> None:
    """CS-230: where somebody means to go in the Pulses, and how fast."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    enforce(plan_checks(state, combatant), referee)
    mph = moves.speed_of(combatant, command.speed)
    if mph <= 0:
        raise Refused("CS-183", "a way takes a speed", ("above 0 mph", "hold"), final=True)
    if places.can_measure(state, combatant):
        way = _way_wanted(state, combatant, command)
        decision.emit(*plan_way(state, combatant, way, mph, referee, command.follow))
        return
    if command.path or command.to is not None or command.follow:
        raise Refused("CS-230", "without a board that measures, a way is so many feet", ("feet",), final=True)
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


def _way_wanted(state: FightState, combatant: Combatant, command: commands.Plan) -> tuple[Location, ...]:
    """The places of the way that a command names, or the cheapest one up to who is followed."""
    if not command.follow:
        return moves.way_of(state, combatant, command.path, command.to)
    target = combatant_of(state, command.follow)
    if command.path or command.to is not None:
        return moves.way_of(state, combatant, command.path, command.to)
    way = moves.way_beside(state, combatant, target.at) if target.at is not None else None
    if not way:
        problem = f"{combatant.name} is next to {target.name}" if way == () else f"there is no way to {target.name}"
        raise Refused("CS-230", problem, ("somebody else", "path", "to"), final=True)
    return way


def planned_speed(combatant: Combatant) -> Fraction:
    """The speed of a planned way: full where none was said, never more than that."""
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
    """The fact that a way over the board is planned; who stands in it may be gone by then.

    Args:
        state: the fight.
        combatant: who will walk.
        way: the places to enter.
        mph: how fast.
        referee: judges what stands against it.
        follow: to whom it leads, as they move; empty for a way that stays as it is.

    Raises:
        Refused: a step that leads nowhere.
    """
    board, here = state.board, combatant.at
    if board is None or here is None or not way:
        raise Refused("path", "no places to walk", ("path", "to"), final=True)
    enforce(ways.retreat_checks(state, combatant, way), referee)
    steps_taken = 0
    for place in way:
        check_step(state, here, place)
        cost = board.cost_of(place)
        if cost is None:
            referee.require(False, "path", f"{board.name_of(place)} cannot be entered", "another way")
        steps_taken, here = steps_taken + (1 if cost is None else cost), place
    feet = ways.round_measure(steps_taken * places.feet_a_place(state))
    first = (board.cost_of(way[0]) or 1) * places.feet_a_place(state)
    traits: dict[str, Json] = {
        "plan": ways.names_of_way(state, way),
        "plan_feet": 0.0,
        "plan_speed": ways.round_measure(mph),
        "plan_cs": state.round,
        "following": follow,
        "carry": min(fighter_of(combatant).carry, ways.round_measure(first)),
    }
    return (events.WayPlanned(who=combatant.id, traits=traits, feet=feet, mph=ways.round_measure(mph)),)


def plan_approaches(state: FightState) -> Events:
    """Whoever declared an attack hand to hand on somebody out of reach goes for them, unless they have a way already.

    It is a way like any other: it may be changed or dropped in any Pulse (CS-233).
    """
    return tuple(event for combatant in figures.all_able(state) for event in _approach_target(state, combatant))


def _approach_target(state: FightState, combatant: Combatant) -> Events:
    action = action_of(combatant)
    due = progress.due_slot(state, combatant, action) if action.is_open else None
    stays = ways.has_plan(combatant) or first_broken(movement_checks(state, combatant)) is not None
    if stays or due is None or due.segment != state.round:
        return ()
    blow = next(iter(prospects.declared_blows(state, combatant, action)), None)
    target = state.combatants[blow.target] if blow is not None else None
    if blow is None or blow.ranged or target is None or target.at is None or not prospects.walks_up(state, blow):
        return ()
    way = moves.way_beside(state, combatant, target.at)
    speed = profile_of(combatant).full_speed
    return plan_way(state, combatant, way, speed, Referee("Plan", combatant.id, force=True), target.id) if way else ()


def runs_on(state: FightState, combatant: Combatant) -> str:
    """CS-181: where somebody still runs by a way of an earlier segment, in words; empty for who does not."""
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
        Check(ways.has_plan(combatant), "CS-233", f"{combatant.name} has planned no way", ("plan",)),
        question_check(state),
    )


@handles(commands.Hold)
def decide_hold(decision: Decision, command: commands.Hold) -> None:
    """CS-233: stand still from here on."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    enforce(hold_checks(state, combatant), referee)
    meetings.stop_movement(decision, combatant)


# Walkers in whose way somebody stands

ASKED = "held_up"
"""The kind of the question."""

_OTHER_WAY, _STAY = "other_way", "stay"


def held_up(state: FightState) -> tuple[tuple[Combatant, Combatant], ...]:
    """Who has not come on in the running Pulse because somebody who is not moving stands in their way, and who."""
    board, now = state.board, meetings.pulse_now(state)
    stuck = [
        combatant
        for combatant in figures.all_able(state)
        if fighter_of(combatant).plan and fighter_of(combatant).ran == now and not fighter_of(combatant).streak
    ]
    if board is None or not stuck:
        return ()
    standing = {
        combatant.at: combatant
        for combatant in figures.all_able(state)
        if combatant.at is not None and not fighter_of(combatant).streak
    }
    ways_on = ((combatant, next(ways.places_of_way(state, fighter_of(combatant).plan), None)) for combatant in stuck)
    blockers = ((combatant, standing.get(place)) for combatant, place in ways_on if place is not None)
    return tuple((combatant, other) for combatant, other in blockers if other is not None)


def at_end_of_pulse(decision: Decision) -> None:
    """CS-233: who has come up to whoever stands at the end of the way has walked it; about the others it is asked.

    Who stays keeps the way, for when it is free, and is not asked about at the same place again.
    """
    state = decision.state
    for combatant, other in held_up(state):
        plan = fighter_of(combatant).plan
        if list(ways.places_of_way(state, plan)) == [other.at]:
            meetings.stop_movement(decision, combatant)
        elif fighter_of(combatant).held_at != plan:
            decision.emit(*figures.set_traits(combatant, held_at=plan))
            decision.ask(_question(state, combatant, other))


def _question(state: FightState, combatant: Combatant, other: Combatant) -> Prompt:
    way, stay = _other_way(state, combatant), f"{_STAY}:stay until the way is free"
    feet = len(way) * places.feet_a_place(state)
    question = "Go round?" if way else "There is no way round."
    return prompt_for(
        combatant,
        kind=ASKED,
        question=f"{other.name} stands in {combatant.name}'s way. {question}",
        rule="CS-233",
        choices=choices(f"{_OTHER_WAY}:another way, {float(feet):g} ft", stay) if way else choices(stay),
        default=_OTHER_WAY if way else _STAY,
    )


def _other_way(state: FightState, combatant: Combatant) -> tuple[Location, ...]:
    """A way round everybody to where somebody means to go, or next to it where that is taken; empty for none."""
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


@answers(ASKED)
def answer(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Go round whoever stands there, as it looks now; or stay, ready to go on."""
    state = decision.state
    combatant = state.combatants[prompt.who]
    way = _other_way(state, combatant) if answer.choice == _OTHER_WAY else ()
    if not way:
        return
    follow = fighter_of(combatant).following
    mph = planned_speed(combatant)
    decision.emit(*plan_way(state, combatant, way, mph, decision.referee, follow))
