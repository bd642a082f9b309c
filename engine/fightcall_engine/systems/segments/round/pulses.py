"""Ten Pulses of movement: planned paths are walked a second at a time, in roster order (CS-230..242)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of, name_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import concerns, question_check, record_moot
from fightcall_engine.model.commands import Move
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.actions import moves, plans
from fightcall_engine.systems.segments.positions import meetings, places, ways
from fightcall_engine.systems.segments.positions.ways import Ground, Walk, in_feet, in_thousandths
from fightcall_engine.systems.segments.rules import movement
from fightcall_engine.systems.segments.rules.movement import PulseDistance
from fightcall_engine.systems.segments.rules.numbers import exact
from fightcall_engine.systems.segments.state import commands, events, queries, relations, roster
from fightcall_engine.systems.segments.state.action import ATTACKS, action_of, targets_of
from fightcall_engine.systems.segments.state.battle import battle_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of

# One mover in one Pulse


@frozen
class Stride:
    """Movement in one Pulse.

    Attributes:
        mph: its speed.
        feet: by table 7-2, limited to what is left of the segment's movement (CS-231).
        capped: whether the first Pulse of a movement has limited it (CS-234).
    """

    mph: Fraction
    feet: Fraction
    capped: bool


def stride_of(state: FightState, combatant: Combatant, mph: Fraction) -> Stride:
    """Speed and feet of a combatant's next Pulse (CS-231, CS-234, CS-235)."""
    limits = (profile_of(combatant).full_speed, moves.speed_of(combatant, "half"))
    most = full_stride(mph, limits, fighter_of(combatant).streak > 0, ways.distance_reading(state))
    left = exact(ways.feet_left(state, combatant))
    return most if most.feet <= left else replace(most, feet=left)


@lru_cache
def full_stride(speed: Fraction, limits: tuple[Fraction, Fraction], running: bool, distance: PulseDistance) -> Stride:
    """A Pulse at a speed, without regard to the movement left (CS-231, CS-234).

    Args:
        speed: the wanted speed.
        limits: full speed and half rate.
        running: whether it is not the first Pulse of a movement.
        distance: the reading of the table.
    """
    full, half = limits
    pace = movement.pace(speed, full, int(running), half)
    return Stride(Fraction(pace.mph), Fraction(movement.pulse_reach(pace.mph, distance).feet), pace.capped)


def has_moved_in_pulse(state: FightState, combatant: Combatant) -> bool:
    """Whether a combatant has moved in the running Pulse (CS-232)."""
    return fighter_of(combatant).ran == meetings.pulse_count(state)


def can_walk_on(state: FightState, combatant: Combatant) -> bool:
    """Whether a combatant can still walk on its planned path in the running Pulse."""
    if not combatant.able or not ways.has_plan(combatant):
        return False
    if has_moved_in_pulse(state, combatant):
        return fighter_of(combatant).rest > 0
    free = all(check.holds for check in meetings.footing_checks(combatant))
    return free and ways.feet_left(state, combatant) > 0


def _move_in_pulse(decision: Decision, combatant: Combatant, ground: Ground | None) -> None:
    """Walk a combatant's part of a Pulse, or the rest after an interruption."""
    state = decision.state
    if has_moved_in_pulse(state, combatant):
        feet = exact(fighter_of(combatant).rest)
        pace = Stride(exact(fighter_of(combatant).speed), feet, capped=False)
    else:
        pace = stride_of(state, combatant, plans.planned_speed(combatant))
    if ground is None or not fighter_of(combatant).plan:
        feet = min(pace.feet, exact(fighter_of(combatant).plan_feet))
        left = max(0.0, ways.round_measure(fighter_of(combatant).plan_feet - float(feet)))
        leg = Walk((), in_thousandths(feet), over=left == 0)
        decision.emit(*_record_stride(state, combatant, leg, pace, {"plan_feet": left}))
        return
    _move_on_board(decision, combatant, ground, pace)


def _move_on_board(decision: Decision, combatant: Combatant, ground: Ground, pace: Stride) -> None:
    state = decision.state
    plan = moves.way_from_here(state, combatant)
    leg = ways.walk(
        ground,
        combatant,
        ways.places_of_way(state, plan),
        in_thousandths(pace.feet),
        carry=in_thousandths(fighter_of(combatant).carry),
        met_before=relations.foes_met(state, combatant),
        stops=lambda foe: meetings.is_stopping_mover(state, combatant, state.combatants[foe]),
    )
    if not has_moved_in_pulse(state, combatant):
        moves.break_off_running(decision, combatant, ground, plan, leg)
    if battle_of(decision.state).interrupted:
        return
    path_left = () if leg.over else plan[len(leg.path) :]
    rest = in_feet(leg.rest) if path_left else 0.0
    facing = moves.facing_on(state, combatant, leg, ground, plan)
    changes: dict[str, Json] = {"plan": path_left, "carry": in_feet(leg.carry), "rest": rest}
    if not path_left:
        changes["following"] = ""
    decision.emit(*_record_stride(decision.state, combatant, leg, pace, changes, facing))
    if leg.path:
        ground.put(combatant.id, leg.path[-1])
        decision.emit(*relations.restore_distance(combatant))
    foes = (*leg.passed, *leg.met)
    if foes:
        meetings.cross_paths(decision, decision.state.combatants[combatant.id], foes, in_feet(leg.used))


def _record_stride(
    state: FightState,
    combatant: Combatant,
    leg: Walk,
    pace: Stride,
    changes: Mapping[str, Json],
    facing: int | None = None,
) -> Events:
    """The events of one leg of a path."""
    has_moved_before, has_moved = has_moved_in_pulse(state, combatant), leg.used > 0 or bool(leg.path)
    streak, sprint = fighter_of(combatant).streak, fighter_of(combatant).sprint
    if not has_moved_before:
        streak = movement.streak_after(streak, has_moved)
        sprint = sprint + 1 if has_moved and pace.mph >= profile_of(combatant).full_speed else 0
    traits = {
        "moved": ways.round_measure(fighter_of(combatant).moved + in_feet(leg.used)),
        "ran": meetings.pulse_count(state),
        "streak": streak,
        "sprint": sprint,
        "rest": 0.0,
        **({"speed": ways.round_measure(pace.mph), "rate": moves.rate_label(combatant, pace.mph)} if has_moved else {}),
        **changes,
    }
    foot_event = events.Footed(who=combatant.id, traits=traits)
    if not has_moved and not (leg.blocked and fighter_of(combatant).streak):
        return (foot_event,)
    move_event = events.PulseMoved(
        who=combatant.id,
        hexes=len(leg.path),
        feet=in_feet(leg.used),
        path=leg.path,
        facing=combatant.facing if facing is None else facing,
        mph=ways.round_measure(pace.mph),
        pulse=battle_of(state).pulse,
        capped=pace.capped,
        blocked=leg.blocked,
    )
    return (move_event, foot_event)


# Whole Pulses


def run_pulse(decision: Decision) -> None:
    """Move all on their planned paths for one second, in order, until a combatant may interrupt (CS-232, CS-236)."""
    state = decision.state
    meetings.resume_movement(decision)
    ground = Ground(decision.state) if state.board is not None else None
    here = decision.state.combatants
    unfinished_ids = [
        combatant_id
        for combatant_id in here
        if has_moved_in_pulse(state, here[combatant_id]) and can_walk_on(decision.state, here[combatant_id])
    ]
    others = [combatant_id for combatant_id in roster.movers_of(state) if combatant_id not in unfinished_ids]
    for combatant_id in (*unfinished_ids, *others):
        combatant = decision.state.combatants[combatant_id]
        if not can_walk_on(decision.state, combatant):
            continue
        on_board = places.can_measure(decision.state, combatant)
        _move_in_pulse(decision, combatant, ground if on_board else None)
        if battle_of(decision.state).interrupted:
            return
    _end_pulses(decision)


def _end_pulses(decision: Decision) -> None:
    """End a Pulse: those who stood still lose their momentum (A-24), and pairs that parted may meet again."""
    state = decision.state
    stationary = [combatant for combatant in state.roster if not has_moved_in_pulse(state, combatant)]
    decision.emit(
        *queries.reset_trait(
            [combatant for combatant in stationary if not _is_at_target(state, combatant)], "sprint", 0
        )
    )
    for name, value in (("streak", 0), ("carry", 0.0)):
        decision.emit(*queries.reset_trait(stationary, name, value))
    decision.emit(*meetings.forget_parted_pairs(decision.state))
    decision.emit(*places.drop_lost_pairs(decision.state))
    plans.at_end_of_pulse(decision)


def _is_at_target(state: FightState, combatant: Combatant) -> bool:
    """CS-539: whether a run has brought the combatant to its target, right before the blow.

    That is where melee begins, or where its weapon reaches (CS-250).
    """
    action = action_of(combatant)
    if not action.is_open or action.kind not in ATTACKS:
        return False
    gaps = [places.zone_gap(state, combatant, target) for target in targets_of(state, action)]
    long = places.longest_ready(combatant)
    on_board = state.board is not None and combatant.at is not None
    return not on_board or any(gap is not None and (gap < places.RANGED_GAP or gap <= long) for gap in gaps)


def drop_ended_sprints(state: FightState) -> Events:
    """CS-539: at the end of a segment, drop the sprints of those who have stopped; others go on."""
    people = state.roster
    return queries.reset_trait(
        [combatant for combatant in people if not has_moved_in_pulse(state, combatant)], "sprint", 0
    )


def end_charge(combatant: Combatant) -> Events:
    """CS-539: after its attack a combatant is standing; only an attack right after the run is a charge."""
    return queries.set_traits(combatant, sprint=0, rate="still") if action_of(combatant).kind in ATTACKS else ()


def is_over(state: FightState) -> bool:
    """Whether everybody who moves in the running Pulse has moved."""
    return not battle_of(state).interrupted and not any(
        can_walk_on(state, combatant) for combatant in queries.all_able(state)
    )


def run_checks(state: FightState) -> tuple[Check, ...]:
    """CS-230: Pulses must be running."""
    return (
        Check(ways.uses_pulses(state), "CS-230", "there are no Pulses in this contest", ("move",)),
        Check(
            queries.kind_of(state) == queries.PULSE, "CS-230", "all declare first; then the Pulses run", ("advance",)
        ),
        question_check(state),
    )


# Moving by hand


def pulse_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-232, CS-235, CS-437: one moves once in a Pulse, in roster order, while nobody is interrupted."""
    stopped_id = battle_of(state).interrupted
    return (
        Check(
            not has_moved_in_pulse(state, combatant),
            "CS-232",
            f"{combatant.name} has already moved in this Pulse",
            ("the next Pulse",),
        ),
        Check(not stopped_id, "CS-437", "an Opportunity Action comes first", ("opportunity", "let_pass", "advance")),
        *meetings.footing_checks(combatant),
        *_order_checks(state, combatant),
        question_check(state),
    )


def _order_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-232: a combatant moves after those above with planned paths, and before those below."""
    movers = roster.movers_of(state)
    place = movers.index(combatant.id) if combatant.id in movers else len(movers)
    above = next(
        (combatant_id for combatant_id in movers[:place] if can_walk_on(state, state.combatants[combatant_id])), ""
    )
    below = next(
        (
            combatant_id
            for combatant_id in movers[place + 1 :]
            if has_moved_in_pulse(state, state.combatants[combatant_id])
        ),
        "",
    )
    return (
        Check(
            not above,
            "CS-232",
            f"{name_of(state, above)} moves before {combatant.name} in each Pulse",
            (above, "advance"),
        ),
        Check(
            not below,
            "CS-232",
            f"{name_of(state, below)} comes after {combatant.name} and has already moved",
            ("the next Pulse",),
        ),
    )


def decide_move(decision: Decision, command: Move) -> None:
    """Move: for a second in a Pulse, as a plan before Pulses, else at once."""
    state = decision.state
    combatant = decision.combatant(command.who)
    if queries.kind_of(state) == queries.PULSE:
        _move_by_hand(decision, combatant, command)
    elif ways.uses_pulses(state) and ways.are_pulses_to_come(state):
        plan = commands.Plan(who=combatant.id, path=command.path, to=command.to, feet=command.feet, speed=command.speed)
        plans.decide_plan(decision, plan)
    else:
        moves.decide_inline(decision, command)


def _move_by_hand(decision: Decision, combatant: Combatant, command: Move) -> None:
    """Move by hand for a second; the rest of a path stays planned."""
    state = decision.state
    enforce(pulse_checks(state, combatant), decision.referee)
    mph = moves.speed_of(combatant, command.speed)
    if places.can_measure(state, combatant):
        way = moves.way_of(state, combatant, command.path, command.to)
        decision.emit(*plans.plan_way(state, combatant, way, mph, decision.referee))
        here = decision.state.combatants[combatant.id]
        _move_in_pulse(decision, here, Ground(decision.state))
        return
    pace = stride_of(state, combatant, mph)
    feet = pace.feet if command.feet is None else exact(moves.typed_feet(command))
    if feet > pace.feet and not pace.capped:
        reach = f"{float(pace.feet):g} ft"
        decision.referee.require(
            False, "CS-231", f"{combatant.name} can move {reach} in this Pulse, not {float(feet):g}", f"at most {reach}"
        )
    elif feet > pace.feet:
        feet = pace.feet
    decision.emit(*_record_stride(state, combatant, Walk((), in_thousandths(feet), over=True), pace, ways.NO_WAY))
    foe = combatant_of(state, command.meets) if command.meets else None
    if foe is not None:
        _check_foe(combatant, foe)
        meetings.cross_paths(decision, decision.state.combatants[combatant.id], (foe.id,), ways.round_measure(feet))


def _check_foe(combatant: Combatant, foe: Combatant) -> None:
    if foe.side == combatant.side:
        raise Refused("CS-236", f"{foe.name} is on {combatant.name}'s side", ("a foe",), final=True)


# Continuing


@handles(commands.Resume)
def decide_resume(decision: Decision, command: commands.Resume) -> None:
    """CS-440, CS-448: a combatant who was stopped continues at once, or stays."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    is_stopped = (
        battle_of(state).interrupted == combatant.id or fighter_of(combatant).rest > 0 or ways.has_plan(combatant)
    )
    if not is_stopped:
        raise Refused("CS-440", f"nothing has stopped {combatant.name}", ("plan", "move"), final=True)
    enforce((question_check(state),), referee)
    about = [prompt for prompt in meetings.opportunity_prompts(state) if combatant.id in concerns(prompt)]
    decision.emit(*record_moot(about, "movement continues"))
    if not command.on:
        meetings.stop_movement(decision, combatant)
        meetings.resume_movement(decision)
        return
    meetings.resume_movement(decision)
    here = decision.state.combatants[combatant.id]
    if queries.kind_of(state) == queries.PULSE and can_walk_on(decision.state, here):
        ground = Ground(decision.state) if places.can_measure(decision.state, here) else None
        _move_in_pulse(decision, here, ground)
    else:
        moves.finish_moves(decision, tuple(x for x in moves.interrupted_movers(decision.state) if x.id == combatant.id))
