"""Walkers in whose way somebody stands: the GM is asked about each of them once (CS-233)."""

from __future__ import annotations

from fightcall_engine.board.base import Location
from fightcall_engine.board.paths import find_path
from fightcall_engine.kit.checks import first_broken
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.movement import taken_places
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.actions import moves, plans
from fightcall_engine.systems.segments.positions import meetings, places, ways
from fightcall_engine.systems.segments.state import figures
from fightcall_engine.systems.segments.state.fighter import fighter_of

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
    mph = plans.planned_speed(combatant)
    decision.emit(*plans.plan_way(state, combatant, way, mph, decision.referee, follow))
