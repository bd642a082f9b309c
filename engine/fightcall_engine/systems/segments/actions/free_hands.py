"""Hands that take, hold and let go of objects: which are free, what they hold afterwards (CS-146, CS-147, CS-200)."""

from __future__ import annotations

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.actions.trials import Missing
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.state import commands, figures, items, things
from fightcall_engine.systems.segments.state.action import BODY, action_of


def hand_checks(combatant: Combatant, hand: str = "") -> tuple[Check, ...]:
    """CS-146: what is done with a hand needs one that nothing declared binds."""
    bound_parts = items.in_use(combatant)
    if BODY in bound_parts:
        bound_parts = (*bound_parts, *items.HANDS)
    hands = (hand,) if hand in items.HANDS else items.HANDS
    free_hands = [other for other in items.HANDS if other not in bound_parts]
    free = any(item in free_hands for item in hands)
    message = f"{combatant.name}'s hands are busy: {action_of(combatant).text or 'an Action is declared'}"
    return (Check(free, "CS-146", message, (*(f"hand: {other}" for other in free_hands), "abort")),)


def reach_check(state: FightState, combatant: Combatant, other: Combatant) -> Check:
    """CS-211: within close or common melee distance; without places on a board the GM sees to it."""
    near = not places.can_measure(state, combatant, other) or places.is_engaged(state, combatant, other)
    return Check(near, "CS-211", f"{other.name} is not within reach of {combatant.name}", ("throw it", "come nearer"))


def find_partner(state: FightState, command: commands.Handle, combatant: Combatant, rule: str) -> Combatant:
    """The other who has a part in it.

    Raises:
        Missing: nobody is named.
        Refused: the same one is, or there is nobody else.
    """
    others = tuple(f"{other.id}:{other.name}" for other in figures.all_able(state) if other.id != combatant.id)
    if not command.other and others:
        question = {"catch": f"Who throws {command.thing}?"}.get(command.what, f"Who is to take {command.thing}?")
        raise Missing("other", question, rule, others)
    if not command.other:
        raise Refused(rule, "nobody else is here", ("somebody to take it",), final=True)
    other = combatant_of(state, command.other)
    if other.id == combatant.id:
        raise Refused(
            rule,
            f"{combatant.name} alone?",
            tuple(combatant_id for combatant_id in state.combatants if combatant_id != combatant.id),
            final=True,
        )
    return other


def pass_object(decision: Decision, combatant: Combatant, other: Combatant, command: commands.Handle, how: str) -> None:
    """An object goes from one hand into another's."""
    decision.emit(*items.let_go(combatant, command.thing))
    decision.emit(things.move_object(decision.state, combatant.id, command.thing, how, other.id, other=other.id))
    decision.emit(*items.pick_up_events(decision.state, other.id, things.clean_name(command.thing), ""))
