"""Noticing who comes from behind: a warning, the check of the overwhelmed, the turn it forces (CS-063, CS-064)."""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import question_check
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Detected, Events, Turned
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.rules.melee import Field
from fightcall_engine.systems.segments.state import commands, figures, rolls, surprise_limits
from fightcall_engine.systems.segments.state.questions import AskedCheck
from fightcall_engine.systems.segments.state.rolls import Verdict

IN_SIGHT: tuple[Field, ...] = ("F", "RF", "LF", "RS", "LS")
"""From one Side to the other: what lies there is in sight (CS-064)."""

NOTICED = "noticed"
"""Why somebody is hidden no more: he was noticed, and did not leap from cover."""


def warn_checks(state: FightState, combatant: Combatant, foe: Combatant | None) -> tuple[Check, ...]:
    """CS-063, CS-304: somebody who stands is warned of a foe."""
    return (
        figures.able_check(combatant, "CS-111"),
        Check(foe is None or foe.id != combatant.id, "CS-063", f"{combatant.name} is no threat to itself", ("a foe",)),
        question_check(state),
    )


@handles(commands.Warn)
def decide_warn(decision: Decision, command: commands.Warn) -> None:
    """CS-304: a warning is enough for who has his wits; CS-063: the overwhelmed must still notice, under the penalty.

    Raises:
        Refused: nobody, or he himself, is named.
    """
    state, dice, referee = decision.state, decision.dice, decision.referee
    combatant = combatant_of(state, command.who)
    foe = combatant_of(state, command.foe) if command.foe else None
    enforce(warn_checks(state, combatant, foe), referee)
    if surprise_limits.degree_of(combatant) != figures.OVERWHELMED:
        decision.emit(*figures.set_traits(combatant, warned=True))
        return
    if foe is None:
        raise Refused("CS-063", f"of whom is {combatant.name} warned?", threats_to(state, combatant), final=True)
    total = surprise_limits.noticing_sum(state, combatant)
    av = rolls.rounded(total)
    decision.emit(rolls.request_check(combatant.id, "Perception", av, command.dv, rolls.parts_of(total), foe.id))
    verdict = rolls.settle_check(
        state, combatant.id, "Perception", av=av, dv=command.dv, chance=command.chance, hit=command.hit, dice=dice,
        target=foe.id,
    )  # fmt: skip
    if verdict is None:
        question = f"{combatant.name}, warned, to notice {foe.name}: {total.parts[0].label} {av}"
        check = AskedCheck(then="noticed", what="Perception", av=av, dv=command.dv, target=foe.id)
        decision.ask(rolls.check_prompt(state, combatant, "CS-063", check, message=question))
    else:
        decision.emit(*verdict.events, *_turn_to_threat(decision.state, combatant, foe.id, verdict.ok))


def threats_to(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """Foes who stand."""
    return tuple(foe.id for foe in figures.all_able(state) if state.are_foes(combatant.id, foe.id))


@rolls.on_check_result("noticed")
def _on_notice_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    state = decision.state
    combatant = state.combatants[prompt.who]
    decision.emit(*_turn_to_threat(state, combatant, rolls.asked_check(prompt).target, verdict.ok))


def _turn_to_threat(state: FightState, combatant: Combatant, foe_id: str, ok: bool) -> Events:
    """CS-064: who notices him turns until both threats are in sight."""
    if not ok:
        return ()
    facing = facing_for(state, combatant, foe_id)
    other = state.combatants.get(foe_id)
    return (
        *figures.set_traits(combatant, warned=True),
        *((Detected(who=foe_id, cause=NOTICED),) if other is not None and other.hidden else ()),
        *(() if facing in (None, combatant.facing) else (Turned(who=combatant.id, facing=facing or 0),)),
    )


def facing_for(state: FightState, combatant: Combatant, foe_id: str) -> int | None:
    """The facing, by the shortest turn, that keeps a foe and the threat that is in sight now from Side to Side.

    Where no facing does, on hexes with one before and one straight behind, the new threat is what is turned to. None
    where the board does not tell.
    """
    other, own_facing = state.combatants.get(foe_id), combatant.facing
    if state.board is None or other is None or other.at is None or own_facing is None or combatant.at is None:
        return None
    threats_to_see = [each for each in (other, _nearest_foe(state, combatant, foe_id)) if each is not None]
    count = len(state.board.directions)
    turns = sorted(range(count), key=lambda facing: _turn_between(facing, own_facing, count))
    for group in (threats_to_see, threats_to_see[:1]):
        for facing in turns:
            if all(places.field_of(state, replace(combatant, facing=facing), each) in IN_SIGHT for each in group):
                return facing
    return None


def _turn_between(facing: int, other: int, count: int) -> tuple[int, int]:
    around = (facing - other) % count
    return min(around, count - around), facing


def _nearest_foe(state: FightState, combatant: Combatant, other_than: str) -> Combatant | None:
    """The nearest of the foes that are in sight now."""
    foes = [
        (places.distance_ft(state, combatant, foe) or 0, foe.id)
        for foe in figures.all_able(state)
        if foe.id != other_than and state.are_foes(combatant.id, foe.id) and not foe.hidden
        and places.field_of(state, combatant, foe) in IN_SIGHT
    ]  # fmt: skip
    return state.combatants[min(foes)[1]] if foes else None
