"""How long a declared Action takes, what it leaves of movement, which hands and limbs it binds (CS-120 to CS-149)."""

from __future__ import annotations

from typing import cast

from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules import clock, tasks
from fightcall_engine.systems.segments.state import commands, items, small_acts
from fightcall_engine.systems.segments.state.action import ATTACKS, BODY, CHARGE, LEFT, LEGS, MOVE, PARTS, RIGHT, TASK
from fightcall_engine.systems.segments.state.fighter import BodyPart, Piece
from fightcall_engine.systems.segments.state.pieces import LONGEST_QA, segments_in_qa

# How long


def effort_of(
    state: FightState, combatant: Combatant, kind: str, command: commands.Declare, pieces: tuple[Piece, ...]
) -> int:
    """How many quarter-actions it takes: by the GM's word, by the clock, by its pieces, else one Action (CS-128).

    What is done beside an attack, or to make it ready, runs together with it where it takes no longer (CS-126).

    Raises:
        Refused: a length that is none.
    """
    lengths = {"qa": command.qa, "segments": command.segments, "seconds": command.seconds}
    for name, value in lengths.items():
        if value is not None and not 0 < value <= 100_000:
            raise Refused("CS-132", f"{name}: {value} is no length", ("above 0",), final=True)
    if command.qa is not None:
        return command.qa
    if command.segments is not None:
        return segments_in_qa(state, combatant, command.segments)
    if command.seconds is not None:
        return segments_in_qa(state, combatant, clock.segments_of(command.seconds))
    if small_acts.pair_in(command) is not None:
        return clock.QA_AN_ACTION
    whole = int(tasks.whole_task([(piece.key, piece.qa) for piece in pieces]).total)
    if whole > LONGEST_QA:
        raise Refused("CS-130", f"{whole} quarter-actions in all", (f"{LONGEST_QA} at most",), final=True)
    if kind in ATTACKS:
        return max(whole, clock.QA_AN_ACTION)
    return whole or clock.QA_AN_ACTION


# Hands and limbs


def bound_parts(combatant: Combatant, kind: str, weapon: str, command: commands.Declare) -> tuple[BodyPart, ...]:
    """What an Action binds: as said, else what its kind uses (CS-120, CS-146).

    Raises:
        Refused: there is no such part.
    """
    wrong = [part for part in command.parts if part not in PARTS]
    if wrong:
        raise Refused("CS-120", f"{wrong[0]!r} is no part of the body here", PARTS, final=True)
    if command.parts:
        return cast(tuple[BodyPart, ...], command.parts)
    if command.helper:
        return (BODY,)
    if kind in ATTACKS:
        hands = items.in_hand(combatant, weapon) or (RIGHT,)
        more = items.in_hand(combatant, command.second) if command.second else ()
        beside = (RIGHT, LEFT) if command.components and small_acts.pair_in(command) is None else ()
        legs = (LEGS,) if kind == CHARGE else ()
        parts: tuple[BodyPart, ...] = (*hands, *more, *beside, *legs)
        return tuple(part for place, part in enumerate(parts) if part not in parts[:place])
    if kind == TASK and small_acts.pair_in(command) is not None and not small_acts.hands_in(command):
        return ()
    if kind == TASK and command.secret and not command.components:
        return ()  # No tell-tale hand has a part in it (CS-087).
    usual: dict[str, tuple[BodyPart, ...]] = {MOVE: (LEGS,), TASK: (RIGHT, LEFT)}
    return usual.get(kind, ())
