"""How long a declared Action takes, what it leaves of movement, which hands and limbs it binds (CS-120 to CS-149)."""

from __future__ import annotations

from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import commands as scm
from fightcall_engine.systems.segments.action import Action
from fightcall_engine.systems.segments.declaration import pairs
from fightcall_engine.systems.segments.declaration.pieces import LONGEST_QA, Piece, component, pieces_in, segments_in_qa
from fightcall_engine.systems.segments.formulas import clock, tasks
from fightcall_engine.systems.segments.formulas.tasks import Small
from fightcall_engine.systems.segments.objects import holding

# How long


def length(state: FightState, combatant: Combatant, kind: str, command: scm.Declare, pieces: tuple[Piece, ...]) -> int:
    """How many quarter-actions it takes: by the GM's word, by the clock, by its pieces, else one Action (CS-128).

    What is done beside an attack, or to make it ready, runs together with it where it takes no longer (CS-126).

    Raises:
        Refused: a length that is none.
    """
    for name in ("qa", "segments", "seconds"):
        value = getattr(command, name)
        if value is not None and not 0 < value <= 100_000:
            raise Refused("CS-132", f"{name}: {value} is no length", ("above 0",), final=True)
    if command.qa is not None:
        return command.qa
    if command.segments is not None:
        return segments_in_qa(state, combatant, command.segments)
    if command.seconds is not None:
        return segments_in_qa(state, combatant, clock.segments_of(command.seconds))
    if pairs.pair_in(command) is not None:
        return clock.QA_AN_ACTION
    whole = int(tasks.whole_task([(piece.key, piece.qa) for piece in pieces]).total)
    if whole > LONGEST_QA:
        raise Refused("CS-130", f"{whole} quarter-actions in all", (f"{LONGEST_QA} at most",), final=True)
    if kind in act.ATTACKS:
        return max(whole, clock.QA_AN_ACTION)
    return whole or clock.QA_AN_ACTION


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
    found = []
    for piece in pieces_in(action.components):
        known = component(piece.key)
        if piece.qa < clock.QA_AN_ACTION:
            found.append((piece, Small(piece.qa, known is not None and known.in_passing)))
    return tuple(found)


# Hands and limbs


def bound_parts(combatant: Combatant, kind: str, weapon: str, command: scm.Declare) -> tuple[str, ...]:
    """What an Action binds: as said, else what its kind uses (CS-120, CS-146).

    Raises:
        Refused: there is no such part.
    """
    wrong = [part for part in command.parts if part not in act.PARTS]
    if wrong:
        raise Refused("CS-120", f"{wrong[0]!r} is no part of the body here", act.PARTS, final=True)
    if command.parts:
        return command.parts
    if command.helper:
        return (act.BODY,)
    if kind in act.ATTACKS:
        hands = holding.in_hand(combatant, weapon) or (act.RIGHT,)
        more = holding.in_hand(combatant, command.second) if command.second else ()
        beside = (act.RIGHT, act.LEFT) if command.components and pairs.pair_in(command) is None else ()
        legs = (act.LEGS,) if kind == act.CHARGE else ()
        return tuple(dict.fromkeys((*hands, *more, *beside, *legs)))
    if kind == act.TASK and pairs.pair_in(command) is not None and not pairs.hands_in(command):
        return ()
    if kind == act.TASK and command.secret and not command.components:
        return ()  # No tell-tale hand has a part in it (CS-087).
    return {act.MOVE: (act.LEGS,), act.TASK: (act.RIGHT, act.LEFT)}.get(kind, ())
