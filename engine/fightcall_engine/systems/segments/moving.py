"""Movement without Pulses, after one's own declaration (CS-090, CS-097), posture, and leaving melee (CS-106)."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine import events as ev
from fightcall_engine.basics import combatant_of
from fightcall_engine.checks import Check, enforce
from fightcall_engine.commands import Move
from fightcall_engine.dice import Dice
from fightcall_engine.errors import Refused
from fightcall_engine.referee import Referee
from fightcall_engine.state import Combatant, FightState
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import commands as scm
from fightcall_engine.systems.segments import declaring
from fightcall_engine.systems.segments import events as sev
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.figures import Course
from fightcall_engine.systems.segments.formulas import movement, tasks
from fightcall_engine.systems.segments.formulas.movement import PulseDistance, Rate
from fightcall_engine.systems.segments.formulas.tasks import PartialMovesCost
from fightcall_engine.walking import chosen_way, contacts_of_move, facing_after, ground_of, is_on_board, ruled_ground

# How far


def speed_of(one: Combatant, given: float | str | None) -> Fraction:
    """A speed in mph: a number, or a rate in words; full speed where nothing is said (CS-183).

    Raises:
        Refused: it is no speed of theirs.
    """
    full = fg.full_speed(one)
    if given is None:
        return full
    if isinstance(given, str):
        word = given.strip().lower().replace("-", "_").replace(" ", "_")
        if word in movement.SHARES:
            typed = fg.part(one, "move").get(word)
            rate: Rate = word  # type: ignore[assignment]
            return fg.exact(typed) if isinstance(typed, int | float) else movement.rate_mph(full, rate)
        raise Refused("CS-183", f"{given!r} is no rate", tuple(movement.SHARES), final=True)
    if not 0 <= given <= float(full):
        raise Refused("CS-183", f"{given:g} mph is no speed of {one.name}'s", (f"0 to {float(full):g} mph",))
    return fg.exact(given)


def pulsed(state: FightState) -> bool:
    """True with the option of ten Pulses (CS-008)."""
    return state.settings.get("pulse_movement") is True


def distance_reading(state: FightState) -> PulseDistance:
    """How far a Pulse carries (A-42)."""
    return "exact" if state.settings.get("pulse_distance") == "exact" else "printed"


def allowance(state: FightState, one: Combatant, mph: Fraction | None = None) -> int:
    """Feet somebody covers in a whole segment at a speed, beside the smaller acts declared (CS-186, CS-144)."""
    speed = fg.full_speed(one) if mph is None else mph
    feet = movement.segment_feet(speed, pulses=pulsed(state), distance=distance_reading(state))
    charged = state.settings.get("partial_moves_cost") == "table_fraction"
    partial: PartialMovesCost = "table_fraction" if charged else "free"
    return tasks.distance_beside(feet, _small_acts(one), partial)


def _small_acts(one: Combatant) -> tuple[tasks.Small, ...]:
    """The acts of a declared Action that are done beside moving (CS-144, CS-393)."""
    action = act.action_of(one)
    if not action.is_open or action.kind not in (act.TASK, act.MOVE, act.ACT):
        return ()
    found = []
    for word in action.components.split():
        name, _, length = word.partition("=")
        known = tasks.components().get(name)
        if length.isdigit():
            found.append(tasks.Small(int(length), known is not None and known.in_passing))
    return tuple(found) if sum(one.qa for one in found) < 4 else ()


def feet_left(state: FightState, one: Combatant, mph: Fraction | None = None) -> float:
    """What is left of the segment's movement (CS-097)."""
    return max(0.0, allowance(state, one, mph) - fg.measure(one, "moved"))


# Moving


def move_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """CS-090, CS-091, CS-182: after one's own declaration, or while waiting."""
    kind, whose = fg.kind_of(state), fg.actor(state)
    mine = kind == fg.DECLARE and whose is not None and whose.id == one.id
    waits = fg.trait(one, "waiting") is True and kind in (fg.DECLARE, fg.WAITS)
    name = whose.name if whose is not None else "nobody"
    return (
        fg.able_check(one, "CS-111"),
        Check(bool(kind), "CS-080", "no segment is running", ("start",)),
        Check(kind != fg.RESOLVE, "CS-090", "Resolution has begun: movement is over", ("the next pass",)),
        Check(mine or waits, "CS-091", f"{name} is to declare and move now", (name, "those who wait")),
        fg.open_question(state),
    )


def decide_move(state: FightState, command: Move, dice: Dice, referee: Referee) -> ev.Events:
    """Walk: on a board a way, without one so many feet (CS-090, CS-097)."""
    from fightcall_engine.systems.segments import pulses

    one = combatant_of(state, command.who)
    if fg.kind_of(state) == fg.PULSE:
        return pulses.decide_move(state, command, dice, referee)
    if pulsed(state) and fg.pass_number(state) <= 1 and fg.kind_of(state) in (fg.DECLARE, fg.WAITS):
        plan = scm.Plan(who=one.id, path=command.path, to=command.to, feet=command.feet, speed=command.speed)
        return pulses.decide_plan(state, plan, dice, referee)
    enforce(move_checks(state, one), referee)
    course = Course(state)
    course.tell(*declaring.committed(state, one))
    course.tell(*_walked(course.state, course.state.combatants[one.id], command, referee))
    return course.events


def _walked(state: FightState, one: Combatant, command: Move, referee: Referee) -> ev.Events:
    mph = speed_of(one, command.speed)
    way = chosen_way(state, one, command.path, command.to, rule="CS-180")
    feet = way_feet(state, one, way, command, referee)
    left = feet_left(state, one, mph)
    referee.require(feet <= left, "CS-097", f"{one.name} has {left:g} ft left, not {feet:g}", f"at most {left:g} ft")
    used = fg.measure(one, "moved") + feet
    rate = movement.rate_of(min(mph, fg.full_speed(one)), fg.full_speed(one))
    moved = sev.SegmentMoved(
        who=one.id,
        hexes=len(way),
        feet=feet,
        path=way,
        facing=facing_after(state, one, way),
        mph=float(mph),
        left=max(0.0, left - feet),
    )
    footed = sev.Footed(who=one.id, traits={"moved": used, "speed": float(mph), "rate": rate})
    return (moved, footed, *contacts_of_move(state, one, way, command.meets))


def way_feet(
    state: FightState, one: Combatant, way: tuple[object, ...], command: Move | scm.Plan, referee: Referee
) -> float:
    """How long a way is in feet: the board's scale for each step of its ground, or as typed without a board.

    Raises:
        Refused: no length is given where none can be measured.
    """
    ground = getattr(command, "ground", None)
    if is_on_board(state, one) and state.board is not None:
        steps = ground_of(state, one, way, referee)  # type: ignore[arg-type]
        return ruled_ground(ground, steps) * state.board.scale
    feet = command.feet if command.feet is not None else float(getattr(command, "hexes", 0))
    if not 0 < feet <= 100_000:
        raise Refused("CS-186", "how many feet?", ("feet: above 0",), final=True)
    return float(feet)


# Posture and leaving


def posture_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """CS-104: a rise, a drop or a turn joins whatever else is done."""
    return (fg.able_check(one, "CS-111"), fg.open_question(state))


def decide_posture(state: FightState, command: scm.Posture, dice: Dice, referee: Referee) -> ev.Events:
    """Stand, kneel or lie (CS-104)."""
    one = combatant_of(state, command.who)
    if command.posture not in fg.POSTURES:
        raise Refused("CS-104", f"{command.posture!r} is no posture", fg.POSTURES, final=True)
    enforce(posture_checks(state, one), referee)
    if fg.text_trait(one, "posture") == command.posture:
        return ()
    return (sev.PostureChanged(who=one.id, traits={"posture": command.posture}, posture=command.posture),)


# What the board needs to show reach


def step_price(state: FightState) -> int:
    """Feet for one place of open ground; 1 without a board."""
    return max(1, round(state.board.scale)) if state.board is not None else 1


def travel(state: FightState, who: str) -> int:
    """Feet left in this segment at full speed (CS-097)."""
    return int(feet_left(state, state.combatants[who]))


def plan_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """CS-180, CS-230, CS-233: ways are planned on one's own turn to declare and changed as long as movement goes on."""
    kind = fg.kind_of(state)
    return (
        fg.able_check(one, "CS-111"),
        Check(pulsed(state), "CS-230", "there are no Pulses in this contest", ("move",)),
        Check(kind in (fg.DECLARE, fg.WAITS, fg.PULSE), "CS-230", "nobody moves now", ("in the next segment",)),
        fg.open_question(state, "opportunity"),
    )
