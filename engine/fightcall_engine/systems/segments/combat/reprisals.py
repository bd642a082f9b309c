"""Answers to a miss: a Reprisal, moving away, or nothing (CS-371, CS-449, CS-478, CS-481 to CS-487)."""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.board.base import Location
from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.movement import chosen_way, contacts_of_move, facing_after, is_on_board
from fightcall_engine.kit.prompts import prompt_for, question_check, record_answer
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer, Move
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import ContactLeft, Events
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt
from fightcall_engine.systems.segments.combat import attack_values, defences, presence_attacks, strikes
from fightcall_engine.systems.segments.positions import meetings, places, ways
from fightcall_engine.systems.segments.rules import attacks
from fightcall_engine.systems.segments.rules.attacks import Trade
from fightcall_engine.systems.segments.rules.numbers import Number, exact
from fightcall_engine.systems.segments.rules.ranges import Field
from fightcall_engine.systems.segments.state import (
    armoury,
    commands,
    events,
    items,
    morale,
    queries,
    relations,
    surprise_limits,
    weapon_uses,
)
from fightcall_engine.systems.segments.state.battle import REPRISAL, Blow
from fightcall_engine.systems.segments.state.blows import bare_if_unarmed, people_of, with_harm
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.questions import AskedBlow

MOVING_OFF = "moving_off"
"""The kind of the question where a combatant moves who has traded a Reprisal."""

AWAY, STAY = "away", "stay"


def reprise_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-441, CS-481: a Reprisal must be offered."""
    return (
        queries.able_check(combatant, "CS-111"),
        Check(
            presence_attacks.open_offer(state, combatant) is not None,
            "CS-481",
            f"no one has just missed {combatant.name}",
            ("a miss",),
        ),
        question_check(state),
    )


def trade_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-104, CS-484: moving away needs feet to stand on and free legs."""
    return (*reprise_checks(state, combatant), *meetings.footing_checks(combatant))


def strike_back_checks(state: FightState, blow: Blow) -> tuple[Check, ...]:
    """CS-340, CS-483: the checks of the attack; earlier uses in this Action do not matter."""
    combatant = state.combatants[blow.attacker]
    reason = surprise_limits.why_restricted(state, combatant)
    return (
        Check(
            not reason,
            surprise_limits.rule_of(combatant),
            f"{combatant.name} is {reason}",
            (presence_attacks.TRADE, presence_attacks.DECLINE),
        ),
        *morale.line_checks(combatant, blow.line),
        *attack_values.blow_checks(state, blow),
    )


@handles(commands.Reprise)
def decide_reprise(decision: Decision, command: commands.Reprise) -> None:
    """CS-481: take the Reprisal, trade it, or decline."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    if command.choice not in (presence_attacks.TAKE, presence_attacks.TRADE, presence_attacks.DECLINE):
        raise Refused(
            "CS-481",
            f"unknown answer to a miss: {command.choice!r}",
            (presence_attacks.TAKE, presence_attacks.TRADE, presence_attacks.DECLINE),
            final=True,
        )
    trade_prompt = open_trade_question(state, combatant)
    if trade_prompt is not None:
        _move_to(decision, trade_prompt, command)
        return
    prompt = presence_attacks.open_offer(state, combatant)
    enforce(reprise_checks(state, combatant), referee)
    if prompt is None:
        raise Refused("CS-481", f"no one has just missed {combatant.name}", ("an Opportunity Action",), final=True)
    record = record_answer(prompt, command.choice, default=False)
    if command.choice == presence_attacks.DECLINE:
        decision.emit(record, *_decline_reprisal(prompt))
    elif command.choice == presence_attacks.TRADE:
        decision.emit(record)
        _trade_reprisal(decision, prompt, command)
    else:
        decision.emit(record)
        _take_reprisal(decision, blow_for(state, prompt, command), command)


@answers(presence_attacks.REPRISAL_PROMPT)
def answer_reprisal(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Answer the offer: a common strike with the best weapon, moving away, or nothing."""
    state = decision.state
    command = commands.Reprise(who=prompt.who, choice=answer.choice)
    if answer.choice == presence_attacks.TAKE:
        _take_reprisal(decision, blow_for(state, prompt, command), command)
        return
    if answer.choice == presence_attacks.TRADE:
        _trade_reprisal(decision, prompt, command)
    else:
        decision.emit(*_decline_reprisal(prompt))


def _decline_reprisal(prompt: Prompt) -> Events:
    return (events.ReprisalDeclined(who=prompt.who, target=resume_of(prompt, AskedBlow).blow.target),)


def blow_for(state: FightState, prompt: Prompt, command: commands.Reprise) -> Blow:
    """The strike of a Reprisal.

    Raises:
        Refused: there is no such weapon.
    """
    blow = resume_of(prompt, AskedBlow).blow
    combatant, foe = people_of(state, blow)
    weapon = (
        items.name_of(items.find_item(combatant, command.weapon))
        if command.weapon
        else best_weapon(state, combatant, foe)
    )
    attack = armoury.attack_key(state, command.attack) or attacks.COMMON_STRIKE
    if weapon == items.BARE and attack == attacks.COMMON_STRIKE:
        attack = "brawl"
    plain_blow = Blow(
        attacker=combatant.id,
        target=foe.id,
        kind=REPRISAL,
        weapon=weapon,
        attack=attack,
        missed=blow.missed,
        undodged=blow.undodged,
    )
    plain_blow = bare_if_unarmed(state, plain_blow)
    guard = defences.read_guard(state, plain_blow, command.defence)
    return with_harm(state, replace(plain_blow, guard=guard), command)


def best_weapon(state: FightState, combatant: Combatant, foe: Combatant) -> str:
    """The best weapon out of turn: of those in hand that reach the foe, the one with the highest AV now.

    Bare hands if no weapon is in a free hand that reaches the foe, but another hand does (CS-146, CS-302).
    """
    worth_of_name: dict[str, Number] = {}
    for thing in items.items_in_hand(combatant).values():
        if not (items.is_missile(thing) or items.is_shield(thing)):
            total = weapon_uses.worth_of(state, combatant, thing, "attack")
            worth_of_name[items.name_of(thing)] = -1 if total is None else total.total

    def merit(name: str) -> tuple[bool, bool, Number]:
        blow = Blow(combatant.id, foe.id, kind=REPRISAL, weapon=name)
        checks = (
            *attack_values.idle_checks(combatant, blow),
            *attack_values.field_checks(state, combatant, foe, blow),
        )
        in_field = all(check.holds for check in checks)
        reaches = all(check.holds for check in attack_values.reach_checks(state, combatant, foe, blow))
        return in_field, reaches and name in worth_of_name, worth_of_name.get(name, -2)

    return max((*worth_of_name, items.BARE), key=merit)


def _take_reprisal(decision: Decision, blow: Blow, command: commands.Reprise) -> None:
    """CS-482: strike at once, out of turn, with a simple roll."""
    state, referee = decision.state, decision.referee
    enforce(strike_back_checks(state, blow), referee)
    decision.emit(events.ReprisalTaken(who=blow.attacker, target=blow.target, attack=blow.attack))
    strikes.strike_now(decision, blow, strikes.overrides_of(command))


# Trading


def trade_of(state: FightState, combatant: Combatant) -> Trade:
    """CS-484, CS-485: the movement left, or without any a step as wide as its own Zone."""
    left = exact(ways.feet_left(state, combatant))
    return attacks.trade(left, profile_of(combatant).height)


def _trade_reprisal(decision: Decision, prompt: Prompt, command: commands.Reprise) -> None:
    """CS-484, CS-485: move at once, out of turn; on a board ask where to first."""
    state = decision.state
    combatant, foe = people_of(state, resume_of(prompt, AskedBlow).blow)
    enforce(meetings.footing_checks(combatant), decision.referee)
    if command.to is None and places.can_measure(state, combatant):
        decision.offer(_where_prompt(combatant, foe, trade_of(state, combatant), prompt))
        return
    _move_off(decision, prompt, command)


def _where_prompt(combatant: Combatant, foe: Combatant, trade: Trade, question: Prompt) -> Prompt:
    return prompt_for(
        combatant,
        kind=MOVING_OFF,
        question=f"{combatant.name} moves away from {foe.name}, up to {float(trade.feet):g} ft. Where to?",
        rule="CS-484" if trade.kind == "move" else "CS-485",
        choices=(Choice(AWAY, "move to a place", "t", who=combatant.id), Choice(STAY, "stay in place", "n")),
        resume=resume_of(question, AskedBlow),
    )


def open_trade_question(state: FightState, combatant: Combatant) -> Prompt | None:
    """The open question where a combatant moves who has traded a Reprisal; play waits for it."""
    return next((prompt for prompt in state.prompts if prompt.kind == MOVING_OFF and prompt.who == combatant.id), None)


def take_traded_move(decision: Decision, command: Move) -> bool:
    """CS-484: move after trading, by the command that moves anybody; return False if no Reprisal was traded."""
    state = decision.state
    combatant = decision.combatant(command.who)
    trade_prompt, board = open_trade_question(state, combatant), state.board
    to = command.path[-1] if command.path else command.to
    if trade_prompt is None or board is None:
        return False
    traded = commands.Reprise(who=combatant.id, choice=presence_attacks.TRADE, to=to)
    _move_to(decision, trade_prompt, traded, command.path)
    return True


def _move_to(decision: Decision, prompt: Prompt, command: commands.Reprise, path: tuple[Location, ...] = ()) -> None:
    """Move there, or stay after all.

    Raises:
        Refused: neither is given.
    """
    state = decision.state
    stays = command.choice == presence_attacks.DECLINE
    if command.to is None and not stays:
        combatant_id = state.combatants[prompt.who].name
        raise Refused("CS-484", f"where does {combatant_id} move to?", ("to: a place", STAY), final=True)
    decision.emit(record_answer(prompt, STAY if stays else AWAY, default=False))
    final_command = replace(command, feet=0.0, to=None) if stays else command
    _move_off(decision, prompt, final_command, path)


@answers(MOVING_OFF)
def answer_where(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Answer the question: a place by its name, or none.

    Raises:
        Refused: no place is named, or there is no such place.
    """
    state = decision.state
    text, board = answer.value if answer.amount is None else answer.amount, state.board
    if answer.choice == STAY or board is None:
        _move_off(decision, prompt, commands.Reprise(who=prompt.who, choice=presence_attacks.TRADE, feet=0.0))
        return
    try:
        place = board.parse(str(text or ""))
    except ValueError:
        raise Refused(
            "CS-484", f"unknown place: {text!r}", (f"move {prompt.who} to a place", STAY), final=True
        ) from None
    _move_off(decision, prompt, commands.Reprise(who=prompt.who, choice=presence_attacks.TRADE, to=place))


def _move_off(decision: Decision, prompt: Prompt, command: commands.Reprise, path: tuple[Location, ...] = ()) -> None:
    """Move away, without a penalty, a check or a parting shot from that foe."""
    state = decision.state
    combatant, foe = people_of(state, resume_of(prompt, AskedBlow).blow)
    trade = trade_of(state, combatant)
    way = chosen_way(state, combatant, path, command.to, rule="CS-484") if command.to is not None else ()
    feet = _feet_of_way(state, combatant, command, way, trade)
    rule = "CS-484" if trade.kind == "move" else "CS-485"
    limit = float(trade.feet)
    behind = trade.kind == "step" and _is_behind(state, foe, command)
    message = f"{combatant.name} can go {limit:g} ft, not {feet:g}"
    decision.referee.require(feet <= limit or behind, rule, message, f"at most {limit:g} ft")
    feet_moved = limit if command.feet is None and not way else feet
    decision.emit(events.ReprisalTraded(who=combatant.id, target=foe.id, kind=trade.kind, feet=feet_moved))
    decision.emit(*_walk_away(decision.state, combatant, way, feet, trade))
    decision.emit(*relations.restore_distance(decision.state.combatants[combatant.id]))
    if not is_on_board(state, combatant):
        decision.emit(*_break_contact(decision.state, combatant, foe))
        # The mover is no longer inside that foe's guard (CS-322).
        decision.emit(*relations.set_pair(decision.state.combatants[foe.id], combatant.id, relations.UNTOLD))
    decision.emit(*places.drop_lost_pairs(decision.state))


def _feet_of_way(
    state: FightState, combatant: Combatant, command: commands.Reprise, way: tuple[Location, ...], trade: Trade
) -> float:
    if command.feet is not None and command.feet < 0:
        raise Refused("CS-484", f"can't move {command.feet:g} ft", (f"0 to {float(trade.feet):g} ft",), final=True)
    if way and is_on_board(state, combatant):
        return ways.in_feet(ways.Ground(state).price_of_way(combatant.at, way))
    return 0.0 if command.feet is None else command.feet


def _is_behind(state: FightState, foe: Combatant, command: commands.Reprise) -> bool:
    """CS-485: whether the path goes through the foe's Zone to its rear."""
    rear: Field = "R"
    return command.to is not None and places.field_at(state, foe, command.to) == rear and state.board is not None


def _walk_away(state: FightState, combatant: Combatant, way: tuple[Location, ...], feet: float, trade: Trade) -> Events:
    """The events of the path, with what it takes of the movement left."""
    if not way and not feet:
        return ()
    feet_used = fighter_of(combatant).moved + (feet if trade.kind == "move" else 0)
    path = way if is_on_board(state, combatant) else ()
    footwork = feet <= profile_of(combatant).height  # A Back-step or Side-step does not turn the mover (CS-189).
    move_event = events.SegmentMoved(
        who=combatant.id,
        hexes=len(way),
        feet=feet,
        path=path,
        facing=combatant.facing if trade.kind == "step" or footwork else facing_after(state, combatant, way),
        mph=fighter_of(combatant).speed,
        left=max(0.0, float(trade.feet) - feet) if trade.kind == "move" else 0.0,
    )
    trait_events = queries.set_traits(combatant, moved=feet_used)
    return (move_event, *trait_events, *contacts_of_move(state, combatant, way, ""))


def _break_contact(state: FightState, combatant: Combatant, foe: Combatant) -> Events:
    """Without a board: the mover no longer touches the foe."""
    pair = {combatant.id, foe.id}
    has_contact = any(set(contact) == pair for contact in state.contacts)
    return (ContactLeft(who=combatant.id, enemy=foe.id),) if has_contact else ()
