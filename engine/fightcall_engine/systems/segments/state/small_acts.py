"""When somebody may turn, rise, drop or put a hand to something, and what that takes of an Action (CS-010, CS-104).

Such small acts join whatever else is done in the Action, at no cost in distance (L210); their quarter-actions are
counted, so that they have an end: a whole Action of them beside moving, and one beside an attack or a defence (L238).
"""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.prompts import question_check
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules import clock
from fightcall_engine.systems.segments.rules.clock import QA_AN_ACTION
from fightcall_engine.systems.segments.rules.tasks import Small
from fightcall_engine.systems.segments.state import figures, items, pairs
from fightcall_engine.systems.segments.state.action import (
    ABORTED,
    ATTACKS,
    BODY,
    CHARGE,
    COMBINATION,
    DEFEND,
    LEGS,
    MOVE,
    SETTLED,
    STRIKE,
    action_of,
    is_busy,
)
from fightcall_engine.systems.segments.state.fighter import NO_ACTION, Action, Piece, fighter_of
from fightcall_engine.systems.segments.state.pieces import find_component

TURN, RISE, DROP, GRAB = "turn", "rise", "drop", "grab"

SMALL_ACTS: Mapping[str, str] = {TURN: "turn_qa", RISE: "rise_qa", DROP: "drop_qa", GRAB: "grab_qa"}
"""Small acts with the fields that count their quarter-actions in the running Action."""

MOST_TURNED_QA = 2
"""A Turn goes to half a circle (table 4-1)."""

HALF_RISE_QA = 1
"""From prone to kneeling, or from kneeling to standing; the text has no length for it, so it is that of a Turn."""

_DONE = {TURN: "turned", RISE: "risen", DROP: "dropped", GRAB: "put a hand to something"}

_MELEE = (STRIKE, CHARGE, COMBINATION)

# When


def moves_late(state: FightState, combatant: Combatant) -> bool:
    """True, while declarations go on, for who waits, has declared late in this step, or is at work (CS-103, CS-161).

    Who is at work on a longer Action has no step of his own to move in.
    """
    late = state.step is not None and fighter_of(combatant).inserted == state.step.id
    moves = fighter_of(combatant).waiting or late or is_busy(state, combatant)
    return moves and figures.kind_of(state) in (figures.DECLARE, figures.WAITS)


def time_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-010, CS-091, CS-233: one's own Declaration or Resolution, or while one waits; in Pulses everybody moves.

    Between segments there is no order of play to keep to.
    """
    kind, whose = figures.kind_of(state), figures.actor_of(state)
    mine = kind in (figures.DECLARE, figures.RESOLVE) and whose is not None and whose.id == combatant.id
    if whose is not None:
        problem = f"{whose.name} is to {'settle an Action' if kind == figures.RESOLVE else 'declare and move'} now"
    else:
        problem = "Initiative comes first" if kind == figures.INITIATIVE else "nobody moves now"
    own = not kind or mine or moves_late(state, combatant) or kind == figures.PULSE
    return (
        figures.able_check(combatant, "CS-111"),
        Check(own, "CS-010", problem, (f"{combatant.name}'s own Declaration or Resolution",)),
        question_check(state),
    )


def legs_checks(combatant: Combatant) -> tuple[Check, ...]:
    """CS-136, CS-146: who moves in any way has his legs free, and nobody at work on him."""
    action, hold = action_of(combatant), " ".join(items.bound_parts(combatant))
    bound_parts = () if action.kind in (MOVE, CHARGE) else action.bound
    return (
        Check(
            LEGS not in bound_parts and BODY not in bound_parts,
            "CS-146",
            f"{combatant.name}'s legs are at work on {action.text or action.kind}",
            ("abort",),
        ),
        Check(not hold, "CS-136", f"{combatant.name} stands still: {hold}", ("abort",)),
    )


# What it takes


def spent_qa(combatant: Combatant, small: str) -> int:
    """Quarter-actions of one kind of small act in the running Action."""
    fighter = fighter_of(combatant)
    qa_by_act = {TURN: fighter.turn_qa, RISE: fighter.rise_qa, DROP: fighter.drop_qa, GRAB: fighter.grab_qa}
    return max(0, qa_by_act[small])


def spend_small_act(combatant: Combatant, small: str, qa: int) -> Events:
    """The fact that somebody has turned, risen and so on for so many quarter-actions."""
    return figures.set_traits(combatant, **{SMALL_ACTS[small]: spent_qa(combatant, small) + qa})


def small_act_checks(state: FightState, combatant: Combatant, small: str, qa: int, rule: str) -> tuple[Check, ...]:
    """CS-104, CS-122, CS-391, CS-392: whether so much more of a small act still has room in the running Action."""
    counts = {name: spent_qa(combatant, name) for name in SMALL_ACTS}
    counts[small] += qa
    left = max(0, QA_AN_ACTION - sum(counts.values()) + qa)
    problem = f"{combatant.name} has {left} of {QA_AN_ACTION} quarter-actions left for such acts, not {qa}"
    return (
        Check(sum(counts.values()) <= QA_AN_ACTION, rule, problem, ("the next Action",)),
        *_beside(combatant, _running(state, combatant), counts),
    )


def _running(state: FightState, combatant: Combatant) -> Action:
    """What somebody has declared with the Action of this pass, or is still at work on."""
    action = action_of(combatant)
    here = (action.cs, action.in_pass) == (state.round, figures.pass_number(state))
    is_settled = action.state in SETTLED and action.state != ABORTED and here
    return action if action.is_open or is_settled else NO_ACTION


def declared_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-391, CS-392: whether what somebody has done already in this Action goes with what he declares."""
    return _beside(combatant, action, {name: spent_qa(combatant, name) for name in SMALL_ACTS})


def _beside(combatant: Combatant, action: Action, counts: Mapping[str, int]) -> tuple[Check, ...]:
    """What goes together in one Action: beside an attack or a defence one small act (L238), and half a rise (L2433)."""
    attacks, defends = action.kind in ATTACKS, action.kind == DEFEND
    acts = {name for name, qa in counts.items() if qa}
    if attacks or defends:
        acts |= {small_act_of(piece) for piece in action.components} & SMALL_ACTS.keys()
    walks = action.kind == MOVE or fighter_of(combatant).moved > 0
    is_halved = action.kind in _MELEE or (TURN in acts and not walks)
    with_what = "a strike" if action.kind in _MELEE else "a Turn"
    names = " and ".join(_DONE[name] for name in SMALL_ACTS if name in acts)
    return (
        Check(
            counts[RISE] <= HALF_RISE_QA or not is_halved,
            "CS-391",
            f"{combatant.name} rises only by half beside {with_what}: prone to kneeling, or kneeling to standing",
            ("half a rise", "the next Action"),
        ),
        Check(
            len(acts) <= 1 or not (attacks or defends),
            "CS-392",
            f"{combatant.name} has {names}: one such act goes with an attack or a defence",
            ("the next Action", "the GM's word"),
        ),
        Check(
            counts[TURN] <= MOST_TURNED_QA or not (attacks or defends),
            "CS-306",
            f"{combatant.name} turns once beside an attack or a defence, by half a circle at most",
            (f"{MOST_TURNED_QA} quarter-actions",),
        ),
    )


def small_act_of(piece: Piece) -> str:
    """Which small act a piece of work is, by the first word of its key, such as ``turn_half``; empty for none."""
    return next((name for name in SMALL_ACTS if piece.key == name or piece.key.startswith(f"{name}_")), "")


def smalls_done(combatant: Combatant) -> tuple[Small, ...]:
    """CS-104, A-22: small acts that were not declared; what of them costs distance is for the reading to say."""
    declared_qa: dict[str, int] = {}
    for piece in action_of(combatant).components:
        name = small_act_of(piece)
        declared_qa[name] = declared_qa.get(name, 0) + piece.qa
    more = (spent_qa(combatant, name) - declared_qa.get(name, 0) for name in SMALL_ACTS)
    return tuple(Small(qa, in_passing=True) for qa in more if qa > 0)


# What it leaves of movement


def small_acts(action: Action) -> tuple[Small, ...]:
    """CS-144, CS-393: what is done in this Action beside moving, each taking its share of the distance."""
    return tuple(small for _, small in small_pieces(action))


def small_pieces(action: Action) -> tuple[tuple[Piece, Small], ...]:
    """The pieces of a declared Action that are done beside moving, each with what it counts as.

    An Action that takes longer than one leaves movement as it is unless the GM says otherwise (CS-103), and what takes
    a whole Action by itself is no smaller act.
    """
    if not action.is_open or action.need > clock.QA_AN_ACTION:
        return ()
    if pairs.pair_of(action) is not None:
        beside = pairs.other_than_moving(action)
        return () if beside is None else ((beside, Small(beside.qa)),)
    pieces = []
    for piece in action.components:
        entry = find_component(piece.key)
        if piece.qa < clock.QA_AN_ACTION:
            pieces.append((piece, Small(piece.qa, entry is not None and entry.in_passing)))
    return tuple(pieces)
