"""Hands that take, hold and let go of objects: which are free, what they hold afterwards (CS-146, CS-147, CS-200)."""

from __future__ import annotations

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import commands as scm
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.movement import placing
from fightcall_engine.systems.segments.objects import holding, things
from fightcall_engine.systems.segments.objects.handling import Missing

# Conditions


def in_use(combatant: Combatant) -> tuple[str, ...]:
    """Hands and limbs that a declared Action binds (CS-146); one of handling an object leaves them for just that."""
    action = act.action_of(combatant)
    stated = tuple(fg.text_trait(combatant, "bound").replace(",", " ").split())
    return stated if action.kind == act.OBJECT else (*action.bound, *stated)


def hand_checks(combatant: Combatant, hand: str = "") -> tuple[Check, ...]:
    """CS-146: what is done with a hand needs one that nothing declared binds."""
    bound = in_use(combatant)
    if act.BODY in bound:
        bound = (*bound, *holding.HANDS)
    wanted = (hand,) if hand in holding.HANDS else holding.HANDS
    free = any(item not in bound for item in wanted)
    message = f"{combatant.name}'s hands are busy: {act.action_of(combatant).text or 'an Action is declared'}"
    return (Check(free, "CS-146", message, ("the other hand", "abort")),)


def reach_check(state: FightState, combatant: Combatant, other: Combatant) -> Check:
    """CS-211: within close or common melee distance; without places on a board the GM sees to it."""
    near = not placing.can_measure(state, combatant, other) or placing.is_engaged(state, combatant, other)
    return Check(near, "CS-211", f"{other.name} is not within reach of {combatant.name}", ("throw", "come nearer"))


def partner(state: FightState, command: scm.Handle, combatant: Combatant, rule: str) -> Combatant:
    """The other who has a part in it.

    Raises:
        Missing: nobody is named.
        Refused: the same one is, or there is nobody else.
    """
    others = tuple(f"{other.id}:{other.name}" for other in fg.able(state) if other.id != combatant.id)
    if not command.other and others:
        asked = {"catch": f"Who throws {command.thing}?"}.get(command.what, f"Who is to take {command.thing}?")
        raise Missing("other", asked, rule, others)
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


# Into a hand and out of it


def taken_up(state: FightState, combatant_id: str, name: str, hand: str) -> ev.Events:
    """What the sheet knows is from now on in a hand that is free for it."""
    combatant = state.combatants[combatant_id]
    item = holding.item(combatant, name)
    if item is None or holding.in_hand(combatant, name):
        return ()
    free = [
        side for side in holding.HANDS if side not in holding.armed_hands(combatant) and side not in in_use(combatant)
    ]
    if item.get("two_handed"):
        return fg.set_traits(combatant, hands_R=holding.name_of(item), hands_L=holding.name_of(item))
    chosen = hand or next(iter(free), "")
    return fg.set_traits(combatant, **{f"hands_{chosen}": holding.name_of(item)}) if chosen else ()


def draw_weapon(combatant: Combatant, name: str) -> ev.Events:
    """CS-123, CS-257: a ready weapon is drawn, or a missile laid out is grabbed, as part of the attack with it.

    Into the hand that was trained with it, or else the other one; nothing where none is free.
    """
    item = holding.item(combatant, name)
    if item is None or holding.name_of(item) == holding.BARE or holding.in_hand(combatant, name):
        return ()
    free = [hand for hand in holding.HANDS if hand not in holding.armed_hands(combatant)]
    if item.get("two_handed"):
        both = holding.name_of(item) if len(free) > 1 else ""
        return fg.set_traits(combatant, hands_R=both, hands_L=both) if both else ()
    trained = [hand for hand in free if hand == item.get("hand", "R")]
    chosen = next(iter((*trained, *free)), "")
    return fg.set_traits(combatant, **{f"hands_{chosen}": holding.name_of(item)}) if chosen else ()


def let_go(state: FightState, combatant: Combatant, name: str) -> ev.Events:
    """CS-147: what is let go is in no hand, and cannot defend either."""
    return fg.set_traits(combatant, **{f"hands_{hand}": "-" for hand in holding.in_hand(combatant, name)})


def pass_object(state: FightState, combatant: Combatant, other: Combatant, command: scm.Handle, how: str) -> ev.Events:
    """An object goes from one hand into another's."""
    course = Decision(state)
    course.emit(*let_go(state, combatant, command.thing))
    course.emit(things.move_object(course.state, combatant.id, command.thing, how, other.id, other=other.id))
    course.emit(*taken_up(course.state, other.id, things.clean(command.thing), ""))
    return course.events
