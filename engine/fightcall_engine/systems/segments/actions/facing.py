"""A Turn that was declared brings the foe it is meant for into view (CS-104, CS-306, CS-342)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fightcall_engine.board.hexes import DIRECTIONS
from fightcall_engine.board.kinds import directions_of, hex_board
from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.movement import check_facing
from fightcall_engine.model.commands import Face
from fightcall_engine.model.events import Events, Turned
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.rules import melee
from fightcall_engine.systems.segments.rules.melee import FIELDS, OCTANTS, Field
from fightcall_engine.systems.segments.state import figures, items, pieces, relations, small_acts, surprise_limits
from fightcall_engine.systems.segments.state.fighter import Action, fighter_of

_FULL_VIEW = frozenset({"F", "RF", "LF"})
"""Fields in which everything in hand attacks and defends without a Turn (CS-301)."""

_OCTANTS_A_QA = 2
"""How far a quarter-action of turning goes."""


def apply_turn(state: FightState, combatant: Combatant, action: Action, foes: Iterable[str]) -> Events:
    """CS-306: the Turn of an Action brings the first of these foes who is not in full view nearest to the front.

    Nothing happens where no Turn was declared or it is made already, or nobody knows how these foes stand to him.
    """
    turn, once = pieces.turn_in(action), (action.cs, action.in_pass)
    octants = turn - small_acts.spent_qa(combatant, small_acts.TURN) * _OCTANTS_A_QA
    for combatant_id in foes if octants > 0 and fighter_of(combatant).turned != once else ():
        foe = state.combatants.get(combatant_id)
        field = None if foe is None else places.field_of(state, combatant, foe)
        if foe is not None and field is not None and field not in _FULL_VIEW:
            turn_events = _turn_events(state, combatant, foe, octants, _weapon_side(combatant, action))
            return (
                (*turn_events, *figures.set_traits(combatant, turned=once, turn_qa=turn // _OCTANTS_A_QA))
                if turn_events
                else ()
            )
    return ()


def turn_checks(state: FightState, combatant: Combatant, qa: int) -> tuple[Check, ...]:
    """CS-010, CS-306: a Turn is made in one's own time, and takes what table 4-1 says."""
    return (
        *small_acts.time_checks(state, combatant),
        *small_acts.legs_checks(combatant),
        *surprise_limits.step_checks(combatant),
        *(
            small_acts.small_act_checks(state, combatant, small_acts.TURN, qa, "CS-306")
            if figures.kind_of(state)
            else ()
        ),
    )


@handles(Face)
def decide_face(decision: Decision, command: Face) -> None:
    """CS-306: turn to a direction of the board; where somebody faces who faced nowhere is only said."""
    state, referee = decision.state, decision.referee
    check_facing(state, command.facing)
    combatant = combatant_of(state, command.who)
    if combatant.facing == command.facing:
        return
    event = Turned(who=combatant.id, facing=command.facing)
    if combatant.facing is None:
        decision.emit(event)
        return
    qa = _turn_qa(state, combatant.facing, command.facing)
    enforce(turn_checks(state, combatant, qa), referee)
    decision.emit(
        event, *(small_acts.spend_small_act(combatant, small_acts.TURN, qa) if figures.kind_of(state) else ())
    )


def _turn_qa(state: FightState, before: int, after: int) -> int:
    """Quarter-actions of a Turn: 1 up to a quarter circle, 2 up to half (table 4-1)."""
    ways = len(directions_of(state.board))
    around = abs(after - before) % ways
    return 1 if min(around, ways - around) * 4 <= ways else 2


def _weapon_side(combatant: Combatant, action: Action) -> str:
    """The side on which a foe behind comes into reach: that of the hand that strikes."""
    return "L" if items.in_hand(combatant, action.weapon) == ("L",) else "R"


def _turn_events(state: FightState, combatant: Combatant, foe: Combatant, octants: int, side: str) -> Events:
    if state.board is not None and combatant.facing is not None and foe.at is not None:
        new_facing = _facing_to(state, combatant, foe, octants, side)
        if new_facing is not None:
            return (Turned(who=combatant.id, facing=new_facing),) if new_facing != combatant.facing else ()
    return _round_about(combatant, foe, octants, side)


def _facing_to(state: FightState, combatant: Combatant, foe: Combatant, octants: int, side: str) -> int | None:
    """The facing that a Turn ends in; None where the board tells no fields."""
    if state.board is None or combatant.facing is None or foe.at is None:
        return None
    ways = len(DIRECTIONS) if hex_board(state.board) is not None else OCTANTS
    most = octants * ways // OCTANTS
    candidates: list[tuple[int, int, bool, int]] = []
    for step in range(-most, most + 1):
        facing = (combatant.facing + step) % ways
        field = places.field_at(state, replace(combatant, facing=facing), foe.at)
        if field is None:
            return None
        candidates.append((_from_front(field), abs(step), not field.startswith(side), facing))
    return min(candidates)[-1]


def _round_about(combatant: Combatant, foe: Combatant, octants: int, side: str) -> Events:
    """Without a board all that was said of the foes about him turns with him."""
    adjacent = fighter_of(combatant).adjacent
    field = adjacent.get(foe.id, relations.UNTOLD).field
    if field is None:
        return ()
    after = {step: _shift_field(field, step) for step in range(-octants, octants + 1)}
    best = min(after, key=lambda step: (_from_front(after[step]), abs(step), not after[step].startswith(side)))
    fields = {
        combatant_id: replace(pair, field=_shift_field(pair.field, best)) if pair.field else pair
        for combatant_id, pair in adjacent.items()
    }
    return relations.with_pairs(combatant, fields)


def _shift_field(field: Field, step: int) -> Field:
    """The field a foe is in after a turn by so many octants clockwise."""
    return FIELDS[(FIELDS.index(field) - step) % OCTANTS]


def _from_front(field: Field) -> int:
    return melee.octants_between(FIELDS.index(field), 0)
