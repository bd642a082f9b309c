"""Posture, and leaving melee (CS-104, CS-106 to CS-109, CS-253)."""

from __future__ import annotations

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import choices, prompt_for, question_check
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import ContactLeft
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.actions import moves
from fightcall_engine.systems.segments.positions import meetings, places, ways
from fightcall_engine.systems.segments.state import commands, events, queries, relations, small_acts, surprise_limits
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of

RUN, OBSTACLE, OVERTURN = "run", "obstacle", "overturn"

BREAK_OFF_WAYS = (RUN, OBSTACLE, OVERTURN)
"""The ways of breaking off: with one's back to the foe, or with something in between (CS-106)."""

# Posture


def posture_checks(state: FightState, combatant: Combatant, posture: str) -> tuple[Check, ...]:
    """CS-010, CS-104: a combatant rises or drops in its own time, together with anything else."""
    return queries.turn_last(
        *small_acts.time_checks(state, combatant),
        *small_acts.legs_checks(combatant),
        *surprise_limits.step_checks(combatant),
        *change_checks(state, combatant, posture),
    )


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
    return tuple(
        other for other in relations.others_known(state, combatant) if other.side != combatant.side and other.id in near
    )


def break_off_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-106, CS-253: one leaves melee when one may move, from a foe in melee."""
    times = _pulse_checks(state, combatant) if ways.are_pulses_to_come(state) else moves.move_checks(state, combatant)
    return queries.turn_last(
        *times,
        Check(
            bool(foes_in_melee(state, combatant)),
            "CS-253",
            f"{combatant.name} isn't in melee and can simply move away",
            ("move",),
        ),
        Check(not fighter_of(combatant).broke, "CS-106", f"{combatant.name} has already broken off", ("move",)),
    )


def _pulse_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    kind = queries.kind_of(state)
    return (
        Check(
            kind in (queries.DECLARE, queries.WAITS, queries.PULSE),
            "CS-230",
            "no one can move now",
            ("in the next segment",),
        ),
        *meetings.footing_checks(combatant),
        question_check(state),
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
        meetings.offer_parting(decision, decision.state.combatants[combatant.id], within_reach(state, combatant, foes))
        decision.spawn(_ask_pursuit, combatant, foes)
    decision.emit(
        *(
            ContactLeft(who=combatant.id, enemy=foe.id)
            for foe in foes
            if (combatant.id, foe.id) in _contact_pairs(state)
        )
    )


def within_reach(state: FightState, combatant: Combatant, foes: tuple[Combatant, ...]) -> tuple[Combatant, ...]:
    """CS-107: those of the foes, and of their friends beside them, who reach a runner."""
    nearby_friends = tuple(
        other
        for other in queries.all_able(state)
        if other not in foes
        and any(other.side == foe.side and other.id in places.ids_engaged(state, foe) for foe in foes)
        and places.can_measure(state, combatant, other)
    )
    return (*foes, *nearby_friends)


def _contact_pairs(state: FightState) -> set[tuple[str, str]]:
    return {pair for first, second in state.contacts for pair in ((first, second), (second, first))}


def _ask_pursuit(decision: Decision, combatant: Combatant, foes: tuple[Combatant, ...]) -> None:
    """CS-109: ask whether those left behind think they can catch and beat the runner. A pursuer plans a path."""
    speeds = ", ".join(f"{foe.name} {float(profile_of(foe).full_speed):g}" for foe in foes)
    mph = float(profile_of(combatant).full_speed)
    decision.ask(
        prompt_for(
            combatant,
            kind="pursuit",
            question=f"{combatant.name} runs, {mph:g} mph at full speed ({speeds}). Does anyone pursue?",
            rule="CS-109",
            choices=choices("no", "yes"),
            default="no",
            blocking=False,
        )
    )
