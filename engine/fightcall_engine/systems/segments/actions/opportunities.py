"""Opportunity Actions: acting out of turn on a combatant who passes, and declared Actions after that (CS-430..449)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from fightcall_engine.board.base import Location, find_path
from fightcall_engine.kit.checks import Check, Referee, enforce, first_broken
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.movement import taken_places
from fightcall_engine.kit.prompts import choices, prompt_for, record_answer, record_moot
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Detected, Events
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt
from fightcall_engine.systems.segments.actions import ambushes, declarations, moves
from fightcall_engine.systems.segments.combat import attack_values, bodies, defences, strikes
from fightcall_engine.systems.segments.rules.attacks import attack_type, converges, may_spring
from fightcall_engine.systems.segments.rules.numbers import Number, exact
from fightcall_engine.systems.segments.rules.ranges import Hand
from fightcall_engine.systems.segments.state import (
    commands,
    condition,
    events,
    items,
    paths,
    places,
    queries,
    settings,
    small_acts,
    weapon_uses,
)
from fightcall_engine.systems.segments.state.queries import STRIKE, action_of, is_busy
from fightcall_engine.systems.segments.state.records import OPPORTUNITY, Blow, battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import OfferedOpportunity
from fightcall_engine.systems.segments.state.weapon_uses import bare_if_unarmed, item_of, own_types, type_of, with_harm

PLAIN_BLOWS = (paths.STRIKE, paths.PARTING)
"""Opportunity Actions that are a blow of the usual type; all others are types of attack."""

AFTER, REACH, ENGAGE = "after_opportunity", "reach", "engage"


# Taking an opportunity


def _opportunity_kinds(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """What a combatant can do out of turn with what is in hand (CS-430, CS-350)."""
    thing = item_of(combatant, _weapon(state, combatant))
    return (
        *PLAIN_BLOWS,
        *(attack_type.key for attack_type in attack_values.open_types(state, combatant, OPPORTUNITY, thing)),
    )


def kinds_on(state: FightState, combatant: Combatant, foe: Combatant) -> tuple[str, ...]:
    """What a combatant can do to this foe out of turn, as both stand or move (CS-445, CS-467, CS-470)."""
    return tuple(
        kind
        for kind in _opportunity_kinds(state, combatant)
        if first_broken(
            (*_passing_checks(state, combatant, foe, kind), *bodies.kind_checks(state, combatant, foe, kind))
        )
        is None
    )


def _ambush_check(combatant: Combatant, foe: Combatant) -> Check:
    """CS-436: one strikes from hiding if one was there, unseen, before the foe's Initiative."""
    own_initiative, foe_initiative = queries.initiative_of(combatant), queries.initiative_of(foe)
    is_too_late = (
        fighter_of(combatant).moved > 0
        and own_initiative is not None
        and foe_initiative is not None
        and not may_spring(own_initiative, foe_initiative)
    )
    return Check(
        not (combatant.hidden and is_too_late),
        "CS-436",
        f"{combatant.name} took position on Initiative {own_initiative},"
        f" after {foe.name} on {foe_initiative}: in plain sight",
        ("a position taken earlier",),
    )


def opportunity_checks(state: FightState, combatant: Combatant, foe: Combatant) -> tuple[Check, ...]:
    """The checks of the usual blow at a foe out of turn (CS-430 to CS-442)."""
    blow = blow_for(state, combatant, foe, commands.Opportunity(who=combatant.id, target=foe.id), paths.STRIKE)
    return (
        paths.occasion_check(state, combatant, foe),
        *paths.meeting_checks(state, combatant, foe),
        _ambush_check(combatant, foe),
        *attack_values.blow_checks(state, blow),
    )


@handles(commands.Opportunity)
def decide_opportunity(decision: Decision, command: commands.Opportunity) -> None:
    """CS-439: an Opportunity Action, resolved at once."""
    state, referee = decision.state, decision.referee
    combatant, foe = decision.combatant(command.who), decision.combatant(command.target)
    kind = settings.attack_key(state, command.kind)
    attack = attack_type(kind, own_types(combatant, {}), settings.armoury_of_fight(state).attack_types)
    if kind not in PLAIN_BLOWS and (attack is None or OPPORTUNITY not in attack.kinds):
        raise Refused(
            "CS-430", f"unknown Opportunity Action: {command.kind!r}", _opportunity_kinds(state, combatant), final=True
        )
    enforce((paths.occasion_check(state, combatant, foe),), referee)
    if command.helper:
        _settle_line(decision, combatant, foe, command, kind)
        return
    way = converging_way(state, combatant, foe) if command.distance is None else ()
    if way:
        decision.emit(*moves.immediate_moves(state, combatant, way))
    here = decision.state.combatants[combatant.id]
    feet = _feet_to(decision.state, here, foe, command.distance, kind)
    size = _reach_size(decision.state, here, foe, command, kind)
    enforce((*paths.meeting_checks(decision.state, here, foe, feet, size), _ambush_check(combatant, foe)), referee)
    if paths.reach_of(decision.state, here, foe, feet, size) == "gm" and not command.force:
        if not _is_in_reach(decision, here, foe):
            return
        here, foe = decision.state.combatants[combatant.id], decision.state.combatants[foe.id]
    _take_opportunity(decision, here, foe, command, kind)


def _feet_to(
    state: FightState, combatant: Combatant, foe: Combatant, given_feet: float | None, kind: str
) -> float | None:
    """Feet to the foe by GM ruling; for a tackle, less the Leap that may end the run (CS-467)."""
    if kind != bodies.TACKLE or (given_feet is None and places.is_engaged(state, combatant, foe)):
        return given_feet
    feet = places.distance_ft(state, combatant, foe) if given_feet is None else exact(given_feet)
    return None if feet is None else float(max(Fraction(0), feet - profile_of(combatant).leap_feet))


def _reach_size(
    state: FightState, combatant: Combatant, foe: Combatant, command: commands.Opportunity, kind: str
) -> Fraction | None:
    """CS-442: the Size of the striking weapon, which limits the reach; None for what takes the whole body."""
    blow = blow_for(state, combatant, foe, command, kind)
    size = item_of(combatant, blow.weapon).get("size")
    if type_of(state, blow).whole_body:
        return None
    return exact(size) if isinstance(size, int | float) else Fraction(0)


def _take_opportunity(
    decision: Decision, combatant: Combatant, foe: Combatant, command: commands.Opportunity, kind: str
) -> None:
    """Do it, and ask those whose plans it disturbs (CS-237, CS-437)."""
    _announce_act(decision, combatant, foe, kind)
    _strike_at_once(decision, combatant, foe, command, kind)


def _announce_act(decision: Decision, combatant: Combatant, foe: Combatant, kind: str) -> None:
    state = decision.state
    for question in paths.opportunity_prompts(state):
        if question.who == combatant.id and resume_of(question, OfferedOpportunity).other == foe.id:
            decision.emit(record_answer(question, "strike", default=False))
    decision.emit(events.OpportunityTaken(who=combatant.id, target=foe.id, kind=kind))
    if combatant.hidden:
        decision.emit(Detected(who=combatant.id, cause="acts from hiding"))
    halted_id = battle_of(decision.state).interrupted or (foe.id if paths.is_moving(foe) else "")
    if halted_id:
        decision.emit(events.MovementInterrupted(who=halted_id, by=combatant.id))
    if foe.id == halted_id:
        decision.emit(*queries.set_traits(decision.state.combatants[foe.id], halted_by=combatant.id))
    for concerned_id in (combatant.id, foe.id):
        decision.spawn(_ask_to_keep_action, concerned_id, halted_id == concerned_id)


def _strike_at_once(
    decision: Decision, combatant: Combatant, foe: Combatant, command: commands.Opportunity, kind: str
) -> None:
    """Resolve the attack with a simple roll, at once (CS-443)."""
    state, referee = decision.state, decision.referee
    blow = blow_for(state, combatant, foe, command, kind)
    conditions = (
        *condition.line_checks(combatant, blow.line),
        *attack_values.blow_checks(state, blow, knowingly=bool(command.target)),
    )
    enforce((*conditions, *_passing_checks(state, combatant, foe, kind)), referee)
    strikes.strike_now(decision, blow, strikes.overrides_of(command))


def _passing_checks(state: FightState, combatant: Combatant, foe: Combatant, kind: str) -> tuple[Check, ...]:
    """CS-445: a move-by needs movement past a foe who stands."""
    if kind != MOVE_BY:
        return ()
    stands = not paths.is_moving(foe) and battle_of(state).interrupted != foe.id
    passes = fighter_of(combatant).moved > 0 or paths.is_moving(combatant)
    return (
        Check(stands, "CS-445", f"{foe.name} is moving too", (paths.STRIKE,)),
        Check(passes, "CS-445", f"{combatant.name} isn't moving past anyone", (paths.STRIKE,)),
    )


MOVE_BY = "move_by"


def blow_for(state: FightState, combatant: Combatant, foe: Combatant, command: commands.Opportunity, kind: str) -> Blow:
    """The attack of a command."""
    attack = settings.attack_key(state, command.attack) if kind in PLAIN_BLOWS else kind
    type_of_attack = (
        attack_type(attack, own_types(combatant, {}), settings.armoury_of_fight(state).attack_types) if attack else None
    )
    weapon = (
        items.name_of(items.find_item(combatant, command.weapon))
        if command.weapon
        else _weapon(state, combatant, foe, command.distance)
    )
    if type_of_attack is not None and type_of_attack.whole_body and not command.weapon:
        weapon = items.BARE
    blow = Blow(
        attacker=combatant.id,
        target=foe.id,
        kind=OPPORTUNITY,
        weapon=weapon,
        attack=attack or attack_values.default_type(state, combatant, OPPORTUNITY, item_of(combatant, weapon)),
        feet=-1.0 if command.distance is None else command.distance,
    )
    blow = bare_if_unarmed(state, blow)
    guard = defences.read_guard(state, blow, command.defence)
    return with_harm(state, replace(blow, guard=guard), command)


def _weapon(state: FightState, combatant: Combatant, foe: Combatant | None = None, feet: float | None = None) -> str:
    """The best weapon in a free hand, of those that reach the foe if any do; bare hands at last."""
    in_hands, sizes = items.items_in_hand(combatant), paths.sizes_to_strike(combatant)

    def merit(hand: Hand) -> tuple[bool, bool, Number]:
        reach = "" if foe is None else paths.reach_of(state, combatant, foe, feet, sizes[hand])
        total = weapon_uses.worth_of(state, combatant, in_hands[hand], "attack")
        return reach != "out", reach != "gm", -1 if total is None else total.total

    return items.name_of(in_hands[max(sizes, key=merit)]) if sizes else items.BARE


PREPARED = ("trip", "clothesline")
"""Traps prepared by two, or by one with a solid anchor (CS-446)."""

ANCHOR = "anchor"


def _settle_line(
    decision: Decision, combatant: Combatant, foe: Combatant, command: commands.Opportunity, kind: str
) -> None:
    """CS-446: resolve a line raised or dropped at the right instant as Surprise."""
    state, referee = decision.state, decision.referee
    if kind not in PREPARED:
        raise Refused("CS-446", f"a {kind} takes no helper", PREPARED, final=True)
    tenders = (combatant,) if command.helper == ANCHOR else (combatant, decision.combatant(command.helper))
    enforce((*paths.meeting_checks(state, combatant, foe, command.distance), _ambush_check(combatant, foe)), referee)
    for other in tenders[1:]:
        enforce((queries.able_check(other, "CS-111"), *paths.free_checks(state, other)), referee)
        fit = other.side == combatant.side and other.id != combatant.id
        referee.require(fit, "CS-446", f"{other.name} isn't holding the other end", "a comrade", ANCHOR)
    _announce_act(decision, combatant, foe, kind)
    spring = commands.Spring(aggressors=tuple(each.id for each in tenders), targets=(foe.id,))
    ambushes.spring_surprise(decision, spring, kind)


def converging_way(state: FightState, combatant: Combatant, foe: Combatant) -> tuple[Location, ...]:
    """CS-438: without Pulses, the path to a foe who has moved within a segment's movement."""
    board = state.board
    near = paths.reach_of(state, combatant, foe) not in ("out", "gm")
    if near or paths.are_pulses_to_come(state) or queries.kind_of(state) not in (queries.DECLARE, queries.WAITS):
        return ()
    if board is None or combatant.at is None or foe.at is None or not places.can_measure(state, combatant, foe):
        return ()
    if fighter_of(foe).moved <= 0 or first_broken(paths.footing_checks(combatant)) is not None:
        return ()
    closed_places = taken_places(state, combatant.id)
    spots = sorted(
        (place for place in board.neighbours(foe.at) if place not in closed_places),
        key=_distance_from(state, combatant),
    )
    left = exact(paths.feet_left(state, combatant))
    for place in spots:
        way = find_path(board, combatant.at, place, closed_places=closed_places)
        feet = Fraction(paths.Ground(state).price_of_way(combatant.at, way or ()), paths.THOUSANDTHS)
        if way and converges(feet, left):
            return way
    return ()


def _distance_from(state: FightState, combatant: Combatant) -> Callable[[Location], int]:
    board, here = state.board, combatant.at
    return lambda place: board.distance(here, place) if board is not None and here is not None else 0


# Reach by the GM's word


def _is_in_reach(decision: Decision, combatant: Combatant, foe: Combatant) -> bool:
    """CS-442: ask whether a Step and an arm, or a weapon, reach so far."""
    answer = decision.ask(
        prompt_for(
            combatant,
            kind=REACH,
            question=f"{foe.name} passes out of {combatant.name}'s reach. Is {foe.name} in reach with a Step?",
            rule="CS-442",
            choices=choices("yes", "no"),
            default="no",
            blocking=False,
            about=(foe.id,),
        )
    )
    return answer is not None and answer.choice == "yes"


# Offers


@handles(commands.LetPass)
def decide_let_pass(decision: Decision, command: commands.LetPass) -> None:
    """Decline an Opportunity Action."""
    state = decision.state
    combatant = decision.combatant(command.who)
    offers = tuple(prompt for prompt in paths.opportunity_prompts(state) if prompt.who == combatant.id)
    if not offers:
        accepts = tuple(prompt.who for prompt in paths.opportunity_prompts(state)) or ("wait for an offer",)
        raise Refused("CS-236", f"{combatant.name} has no offer to answer", accepts, final=True)
    decision.emit(*paths.decline_offers(offers))


@answers(paths.OFFER)
def answer_offer(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-236: take the opportunity, go after a runner, or decline."""
    state, referee = decision.state, decision.referee
    offer = resume_of(prompt, OfferedOpportunity)
    combatant, foe = state.combatants.get(prompt.who), state.combatants.get(offer.other)
    if combatant is None or foe is None or answer.choice == "pass":
        return
    if answer.choice == "follow":
        decision.emit(*_follow_mover(state, combatant, foe, referee))
        return
    if answer.choice == "spring":
        _spring_ambush(decision, combatant, foe)
        return
    command = commands.Opportunity(who=combatant.id, target=foe.id, kind=offer.kind)
    _take_opportunity(decision, combatant, foe, command, offer.kind)


def _spring_ambush(decision: Decision, combatant: Combatant, foe: Combatant) -> None:
    """CS-436: from ambush it is a Surprise first; the act follows."""
    decision.require(_ambush_check(combatant, foe))
    ambushes.decide_spring(decision, commands.Spring(aggressors=(combatant.id,), targets=(foe.id,)))
    decision.emit(paths.offer_opportunity(decision.state.combatants[combatant.id], foe, paths.STRIKE))


def _follow_mover(state: FightState, combatant: Combatant, foe: Combatant, referee: Referee) -> Events:
    """CS-107: pursue a runner instead of a parting shot: along its path with Pulses, else in its own turn."""
    board = state.board
    if board is None or combatant.at is None or foe.at is None or not paths.are_pulses_to_come(state):
        return ()
    if not places.can_measure(state, combatant, foe) or first_broken(moves.plan_checks(state, combatant)) is not None:
        return ()
    path = find_path(board, combatant.at, foe.at, closed_places=taken_places(state, combatant.id) - {foe.at})
    ahead = tuple(paths.places_of_way(state, fighter_of(foe).plan))
    if not path:
        return ()
    return moves.plan_way(state, combatant, (*path, *ahead), profile_of(combatant).full_speed, referee)


# Declared Actions afterwards


def _ask_to_keep_action(decision: Decision, combatant_id: str, is_halted: bool) -> None:
    """CS-237, CS-448: ask whether a declared Action is kept, and whether a stopped mover continues."""
    combatant = decision.state.combatants[combatant_id]
    action = action_of(combatant)
    if not action.is_open and not is_halted:
        return
    action_choices = ("change:change the declared Action", "abort:abort:x") if action.is_open else ()
    stop = ("stop:stand and fight",) if is_halted else ()
    question = (
        f" has declared: {action.text or action.kind}. Keep it?" if action.is_open else " was stopped. Keep moving?"
    )
    answer = decision.ask(
        prompt_for(
            combatant,
            kind=AFTER,
            question=f"{combatant.name} {question}",
            rule="CS-237" if action.is_open else "CS-440",
            choices=choices("keep" if action.is_open else "keep:keep moving", *stop, *action_choices),
            default="keep",
            blocking=False,
        )
    )
    if answer is None or answer.choice == "keep":
        return
    combatant = decision.state.combatants[combatant_id]
    if answer.choice == "stop":
        paths.stop_movement(decision, combatant)
        return
    decision.emit(*small_acts.abort_action(combatant, "an Opportunity Action"))
    if answer.choice == "change":
        # Those who wait may declare again at once after aborting (CS-143).
        decision.emit(*declarations.start_waiting(decision.state.combatants[combatant_id]))


# The engagement that must follow


def engage_mover(decision: Decision, combatant: Combatant) -> None:
    """CS-448: ask those who stopped a foe to fight it for their declaration, on their turn in the next segment."""
    foe = decision.state.combatants.get(fighter_of(combatant).engage)
    if not fighter_of(combatant).engage:
        return
    decision.emit(*queries.set_traits(combatant, engage=""))
    if foe is not None and foe.able and not is_busy(decision.state, combatant):
        decision.spawn(_ask_to_engage, combatant, foe)


def _ask_to_engage(decision: Decision, combatant: Combatant, foe: Combatant) -> None:
    answer = decision.ask(
        prompt_for(
            combatant,
            kind=ENGAGE,
            question=f"{combatant.name} stopped {foe.name}: declare the engagement?",
            rule="CS-448",
            choices=choices(Choice("declare", f"strike {foe.name}"), "later:declare by hand"),
            default="later",
            blocking=False,
            about=(foe.id,),
        )
    )
    if answer is not None and answer.choice == "declare":
        declarations.decide_declare(decision, commands.Declare(who=combatant.id, action=STRIKE, target=foe.id))


def withdraw_engagement(state: FightState, combatant_id: str) -> Events:
    """Close the question for the engagement once another Action is declared."""
    asked = (prompt for prompt in state.prompts if prompt.kind == ENGAGE and prompt.who == combatant_id)
    return record_moot(asked, "has declared")
