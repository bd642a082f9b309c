"""Out of turn: Reprisals and their trade (CS-481 to CS-487), Opportunity Actions and their offers (CS-430..449)."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine.board.base import Location, find_path
from fightcall_engine.kit.decision import Decision, prompt_for, question_check, record_answer, record_moot
from fightcall_engine.kit.handlers import answers, handles, reacts_to
from fightcall_engine.kit.movement import chosen_way, contacts_of_move, facing_after, is_on_board, taken_places
from fightcall_engine.kit.records import resume_of
from fightcall_engine.kit.views import Check, enforce, first_broken
from fightcall_engine.model.commands import Answer, Move
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import ContactLeft, Detected
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt
from fightcall_engine.model.values import replace
from fightcall_engine.systems.segments.actions import ambushes, declarations, moves
from fightcall_engine.systems.segments.combat import attack_values, blow_effects, defences, strikes
from fightcall_engine.systems.segments.rules import attacks
from fightcall_engine.systems.segments.rules.attacks import Trade, attack_type, converges, may_spring
from fightcall_engine.systems.segments.rules.formulas import Number, exact
from fightcall_engine.systems.segments.rules.ranges import Hand
from fightcall_engine.systems.segments.state import events, items, paths, places, queries, records, weapon_uses
from fightcall_engine.systems.segments.state.commands import Declare, LetPass, Opportunity, Reprise, Spring
from fightcall_engine.systems.segments.state.condition import line_checks, surprise_rule, why_restricted
from fightcall_engine.systems.segments.state.records import Blow, battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import AskedBlow, OfferedOpportunity
from fightcall_engine.systems.segments.state.settings import armoury_of_fight, attack_key
from fightcall_engine.systems.segments.state.small_acts import abort_action

MOVING_OFF = "moving_off"
"""The kind of the question where a combatant moves who has traded a Reprisal."""

AWAY, STAY = "away", "stay"


def reprise_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-441, CS-481: a Reprisal must be offered."""
    is_offered = blow_effects.open_offer(state, combatant) is not None
    problem = f"no one has just missed {combatant.name}"
    return (
        queries.able_check(combatant, "CS-111"),
        Check(is_offered, "CS-481", problem, ("a miss",)),
        question_check(state),
    )


def strike_back_checks(state: FightState, blow: Blow) -> tuple[Check, ...]:
    """CS-340, CS-483: the checks of the attack; earlier uses in this Action do not matter."""
    combatant = state.combatants[blow.attacker]
    reason, accepts = why_restricted(state, combatant), (blow_effects.TRADE, blow_effects.DECLINE)
    return (
        Check(not reason, surprise_rule(combatant), f"{combatant.name} is {reason}", accepts),
        *line_checks(combatant, blow.line),
        *attack_values.blow_checks(state, blow),
    )


@handles(Reprise)
def decide_reprise(decision: Decision, command: Reprise) -> None:
    """CS-481: take the Reprisal, trade it, or decline."""
    state = decision.state
    combatant = decision.combatant(command.who)
    kinds = (blow_effects.TAKE, blow_effects.TRADE, blow_effects.DECLINE)
    if command.choice not in kinds:
        raise Refused("CS-481", f"unknown answer to a miss: {command.choice!r}", kinds, final=True)
    trade_prompt = open_trade_question(state, combatant)
    if trade_prompt is not None:
        _move_to(decision, trade_prompt, command)
        return
    prompt = blow_effects.open_offer(state, combatant)
    enforce(reprise_checks(state, combatant), decision.referee)
    if prompt is None:
        raise Refused("CS-481", f"no one has just missed {combatant.name}", ("an Opportunity Action",), final=True)
    decision.emit(record_answer(prompt, command.choice, default=False))
    _settle_reprisal(decision, prompt, command)


@answers(blow_effects.REPRISAL_PROMPT)
def answer_reprisal(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Answer the offer: a common strike with the best weapon, moving away, or nothing."""
    _settle_reprisal(decision, prompt, Reprise(who=prompt.who, choice=answer.choice))


def _settle_reprisal(decision: Decision, prompt: Prompt, command: Reprise) -> None:
    if command.choice == blow_effects.TAKE:
        # A strike at once, out of turn, with a simple roll (CS-482).
        blow = reprisal_blow(decision.state, prompt, command)
        enforce(strike_back_checks(decision.state, blow), decision.referee)
        decision.emit(events.ReprisalTaken(who=blow.attacker, target=blow.target, attack=blow.attack))
        strikes.strike_now(decision, blow, strikes.overrides_of(command))
    elif command.choice == blow_effects.TRADE:
        # A move at once, out of turn; on a board ask where to first.
        state, asked = decision.state, resume_of(prompt, AskedBlow)
        combatant, foe = weapon_uses.people_of(state, asked.blow)
        enforce(paths.footing_checks(combatant), decision.referee)
        if command.to is not None or not places.can_measure(state, combatant):
            _move_off(decision, prompt, command)
            return
        trade = trade_of(state, combatant)
        question = prompt_for(
            combatant, kind=MOVING_OFF, rule="CS-484" if trade.kind == "move" else "CS-485",
            question=f"{combatant.name} moves away from {foe.name}, up to {float(trade.feet):g} ft. Where to?",
            choices=(Choice(AWAY, "move to a place", "t", who=combatant.id), Choice(STAY, "stay in place", "n")),
            resume=asked,
        )  # fmt: skip
        decision.offer(question)
    else:
        target = resume_of(prompt, AskedBlow).blow.target
        decision.emit(events.ReprisalDeclined(who=prompt.who, target=target))


def reprisal_blow(state: FightState, prompt: Prompt, command: Reprise) -> Blow:
    """The strike of a Reprisal."""
    blow = resume_of(prompt, AskedBlow).blow
    combatant, foe = weapon_uses.people_of(state, blow)
    name = command.weapon
    weapon = items.name_of(items.find_item(combatant, name)) if name else best_weapon(state, combatant, foe)
    attack = attack_key(state, command.attack) or attacks.COMMON_STRIKE
    if weapon == items.BARE and attack == attacks.COMMON_STRIKE:
        attack = "brawl"
    plain_blow = Blow(
        attacker=combatant.id, target=foe.id, kind=records.REPRISAL, weapon=weapon, attack=attack, missed=blow.missed,
        undodged=blow.undodged,
    )  # fmt: skip
    return _with_details(state, plain_blow, command)


def _with_details(state: FightState, blow: Blow, command: Opportunity | Reprise) -> Blow:
    blow = weapon_uses.bare_if_unarmed(state, blow)
    guard = defences.read_guard(state, blow, command.defence)
    return weapon_uses.with_harm(state, replace(blow, guard=guard), command)


def best_weapon(state: FightState, combatant: Combatant, foe: Combatant) -> str:
    """The weapon with the highest AV of those that reach the foe; bare hands if only they do (CS-146, CS-302)."""
    worth_of_name: dict[str, Number] = {}
    for thing in items.items_in_hand(combatant).values():
        if not (items.is_missile(thing) or items.is_shield(thing)):
            total = weapon_uses.worth_of(state, combatant, thing, "attack")
            worth_of_name[items.name_of(thing)] = -1 if total is None else total.total

    def merit(name: str) -> tuple[bool, bool, Number]:
        blow = Blow(combatant.id, foe.id, kind=records.REPRISAL, weapon=name)
        checks = (*attack_values.idle_checks(combatant, blow), *attack_values.field_checks(state, combatant, foe, blow))
        in_field = all(check.holds for check in checks)
        reaches = all(check.holds for check in attack_values.reach_checks(state, combatant, foe, blow))
        return in_field, reaches and name in worth_of_name, worth_of_name.get(name, -2)

    return max((*worth_of_name, items.BARE), key=merit)


def trade_of(state: FightState, combatant: Combatant) -> Trade:
    """CS-484, CS-485: the movement left, or without any a step as wide as its own Zone."""
    return attacks.trade(exact(paths.feet_left(state, combatant)), profile_of(combatant).height)


def open_trade_question(state: FightState, combatant: Combatant) -> Prompt | None:
    """The open question where a combatant moves who has traded a Reprisal; play waits for it."""
    return next((prompt for prompt in state.prompts if prompt.kind == MOVING_OFF and prompt.who == combatant.id), None)


def take_traded_move(decision: Decision, command: Move) -> bool:
    """CS-484: move after trading, by the command that moves anybody; return False if no Reprisal was traded."""
    combatant = decision.combatant(command.who)
    trade_prompt = open_trade_question(decision.state, combatant)
    if trade_prompt is None or decision.state.board is None:
        return False
    to = command.path[-1] if command.path else command.to
    traded = Reprise(who=combatant.id, choice=blow_effects.TRADE, to=to)
    _move_to(decision, trade_prompt, traded, command.path)
    return True


def _move_to(decision: Decision, prompt: Prompt, command: Reprise, path: tuple[Location, ...] = ()) -> None:
    stays = command.choice == blow_effects.DECLINE
    if command.to is None and not stays:
        name = decision.state.combatants[prompt.who].name
        raise Refused("CS-484", f"where does {name} move to?", ("to: a place", STAY), final=True)
    decision.emit(record_answer(prompt, STAY if stays else AWAY, default=False))
    _move_off(decision, prompt, replace(command, feet=0.0, to=None) if stays else command, path)


@answers(MOVING_OFF)
def answer_where(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Answer the question: a place by its name, or none."""
    text, board = answer.value if answer.amount is None else answer.amount, decision.state.board
    traded = Reprise(who=prompt.who, choice=blow_effects.TRADE, feet=0.0)
    if answer.choice != STAY and board is not None:
        try:
            traded = replace(traded, feet=None, to=board.parse(str(text or "")))
        except ValueError:
            accepts = (f"move {prompt.who} to a place", STAY)
            raise Refused("CS-484", f"unknown place: {text!r}", accepts, final=True) from None
    _move_off(decision, prompt, traded)


def _move_off(decision: Decision, prompt: Prompt, command: Reprise, path: tuple[Location, ...] = ()) -> None:
    state = decision.state
    combatant, foe = weapon_uses.people_of(state, resume_of(prompt, AskedBlow).blow)
    trade = trade_of(state, combatant)
    way = chosen_way(state, combatant, path, command.to, rule="CS-484") if command.to is not None else ()
    feet = command.feet or 0.0
    if feet < 0:
        raise Refused("CS-484", f"can't move {feet:g} ft", (f"0 to {float(trade.feet):g} ft",), final=True)
    if way and is_on_board(state, combatant):
        feet = paths.in_feet(paths.price_of_way(state.board, combatant.at, way))
    is_step, limit = trade.kind == "step", float(trade.feet)
    # A step may go through the foe's Zone to its rear (CS-485).
    is_on_way = is_step and command.to is not None and state.board is not None
    behind = is_on_way and command.to is not None and places.field_at(state, foe, command.to) == "R"
    rule, message = "CS-485" if is_step else "CS-484", f"{combatant.name} can go {limit:g} ft, not {feet:g}"
    decision.referee.require(feet <= limit or behind, rule, message, f"at most {limit:g} ft")
    feet_moved = limit if command.feet is None and not way else feet
    decision.emit(events.ReprisalTraded(who=combatant.id, target=foe.id, kind=trade.kind, feet=feet_moved))
    if way or feet:
        # A Back-step or Side-step does not turn the mover (CS-189).
        turns = not is_step and feet > profile_of(combatant).height
        move_event = events.SegmentMoved(
            who=combatant.id, hexes=len(way), feet=feet, path=way if is_on_board(state, combatant) else (),
            facing=facing_after(decision.state, combatant, way) if turns else combatant.facing,
            mph=fighter_of(combatant).speed, left=0.0 if is_step else max(0.0, limit - feet),
        )  # fmt: skip
        moved = queries.set_traits(combatant, moved=fighter_of(combatant).moved + (0 if is_step else feet))
        decision.emit(move_event, *moved, *contacts_of_move(decision.state, combatant, way, ""))
    decision.emit(*places.restore_distance(decision.state.combatants[combatant.id]))
    if not is_on_board(state, combatant):
        if any(set(contact) == {combatant.id, foe.id} for contact in decision.state.contacts):
            decision.emit(ContactLeft(who=combatant.id, enemy=foe.id))
        # The mover is no longer inside that foe's guard (CS-322).
        decision.emit(*places.set_pair(decision.state.combatants[foe.id], combatant.id, places.UNTOLD))
    decision.emit(*places.drop_lost_pairs(decision.state))


PLAIN_BLOWS = (paths.STRIKE, paths.PARTING)
"""Opportunity Actions that are a blow of the usual type; all others are types of attack."""

AFTER, REACH, ENGAGE = "after_opportunity", "reach", "engage"


# Taking an opportunity


def _opportunity_kinds(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    thing = weapon_uses.item_of(combatant, _weapon(state, combatant))
    open_types = attack_values.open_types(state, combatant, records.OPPORTUNITY, thing)
    return (*PLAIN_BLOWS, *(each.key for each in open_types))


def kinds_on(state: FightState, combatant: Combatant, foe: Combatant) -> tuple[str, ...]:
    """What a combatant can do to this foe out of turn, as both stand or move (CS-445, CS-467, CS-470)."""
    checks = {
        kind: (*_passing_checks(state, combatant, foe, kind), *strikes.kind_checks(state, combatant, foe, kind))
        for kind in _opportunity_kinds(state, combatant)
    }
    return tuple(kind for kind, checks_of_kind in checks.items() if first_broken(checks_of_kind) is None)


def _ambush_check(combatant: Combatant, foe: Combatant) -> Check:
    """CS-436: one strikes from hiding if one was there, unseen, before the foe's Initiative."""
    own, other = fighter_of(combatant).init, fighter_of(foe).init
    has_moved = combatant.hidden and fighter_of(combatant).moved > 0
    is_too_late = has_moved and own is not None and other is not None and not may_spring(own, other)
    late = f"{combatant.name} took position on Initiative {own}, after {foe.name} on {other}: in plain sight"
    return Check(not is_too_late, "CS-436", late, ("a position taken earlier",))


def opportunity_checks(state: FightState, combatant: Combatant, foe: Combatant) -> tuple[Check, ...]:
    """The checks of the usual blow at a foe out of turn (CS-430 to CS-442)."""
    blow = blow_for(state, combatant, foe, Opportunity(who=combatant.id, target=foe.id), paths.STRIKE)
    return (
        paths.occasion_check(state, combatant, foe),
        *paths.meeting_checks(state, combatant, foe),
        _ambush_check(combatant, foe),
        *attack_values.blow_checks(state, blow),
    )


@handles(Opportunity)
def decide_opportunity(decision: Decision, command: Opportunity) -> None:
    """CS-439: an Opportunity Action, resolved at once."""
    state, referee = decision.state, decision.referee
    combatant, foe = decision.combatant(command.who), decision.combatant(command.target)
    kind = attack_key(state, command.kind)
    attack = _attack_type(state, combatant, kind)
    if kind not in PLAIN_BLOWS and (attack is None or records.OPPORTUNITY not in attack.kinds):
        accepts = _opportunity_kinds(state, combatant)
        raise Refused("CS-430", f"unknown Opportunity Action: {command.kind!r}", accepts, final=True)
    enforce((paths.occasion_check(state, combatant, foe),), referee)
    if command.helper:
        _settle_line(decision, combatant, foe, command, kind)
        return
    way = converging_way(state, combatant, foe) if command.distance is None else ()
    if way:
        decision.emit(*moves.immediate_moves(state, combatant, way))
    here = decision.state.combatants[combatant.id]
    feet, blow = command.distance, blow_for(decision.state, here, foe, command, kind)
    if kind == strikes.TACKLE and (feet is not None or not places.is_engaged(decision.state, here, foe)):
        # The Leap may end the run.
        apart = places.distance_ft(decision.state, here, foe) if feet is None else exact(feet)
        feet = None if apart is None else float(max(Fraction(0), apart - profile_of(here).leap_feet))
    # The Size of the striking weapon limits the reach; not of what takes the whole body.
    size, entry = None, weapon_uses.item_of(here, blow.weapon).get("size")
    if not weapon_uses.type_of(decision.state, blow).whole_body:
        size = exact(entry) if isinstance(entry, int | float) else Fraction(0)
    enforce((*paths.meeting_checks(decision.state, here, foe, feet, size), _ambush_check(combatant, foe)), referee)
    if paths.reach_of(decision.state, here, foe, feet, size) == "gm" and not command.force:
        question = f"{foe.name} passes out of {here.name}'s reach. Is {foe.name} in reach with a Step?"
        answer = decision.ask_about(
            here, REACH, "CS-442", question, "yes", "no", default="no", blocking=False, about=(foe.id,)
        )
        if answer.choice != "yes":
            return
        here, foe = decision.state.combatants[combatant.id], decision.state.combatants[foe.id]
    _strike_at_once(decision, here, foe, command, kind)


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


def _strike_at_once(decision: Decision, combatant: Combatant, foe: Combatant, command: Opportunity, kind: str) -> None:
    """Strike at once, with a simple roll (CS-443); those whose plans it disturbs are asked (CS-237, CS-437)."""
    _announce_act(decision, combatant, foe, kind)
    state, referee = decision.state, decision.referee
    blow = blow_for(state, combatant, foe, command, kind)
    conditions = (
        *line_checks(combatant, blow.line),
        *attack_values.blow_checks(state, blow, knowingly=bool(command.target)),
    )
    enforce((*conditions, *_passing_checks(state, combatant, foe, kind)), referee)
    strikes.strike_now(decision, blow, strikes.overrides_of(command))


def _passing_checks(state: FightState, combatant: Combatant, foe: Combatant, kind: str) -> tuple[Check, ...]:
    if kind != MOVE_BY:
        return ()
    stands = not paths.is_moving(foe) and battle_of(state).interrupted != foe.id
    passes = fighter_of(combatant).moved > 0 or paths.is_moving(combatant)
    return (
        Check(stands, "CS-445", f"{foe.name} is moving too", (paths.STRIKE,)),
        Check(passes, "CS-445", f"{combatant.name} isn't moving past anyone", (paths.STRIKE,)),
    )


MOVE_BY = "move_by"


def blow_for(state: FightState, combatant: Combatant, foe: Combatant, command: Opportunity, kind: str) -> Blow:
    """The attack of a command."""
    attack = attack_key(state, command.attack) if kind in PLAIN_BLOWS else kind
    type_of_attack = _attack_type(state, combatant, attack) if attack else None
    if command.weapon:
        weapon = items.name_of(items.find_item(combatant, command.weapon))
    elif type_of_attack is not None and type_of_attack.whole_body:
        weapon = items.BARE
    else:
        weapon = _weapon(state, combatant, foe, command.distance)
    thing = weapon_uses.item_of(combatant, weapon)
    blow = Blow(
        attacker=combatant.id, target=foe.id, kind=records.OPPORTUNITY, weapon=weapon,
        attack=attack or attack_values.default_type(state, combatant, records.OPPORTUNITY, thing),
        feet=-1.0 if command.distance is None else command.distance,
    )  # fmt: skip
    return _with_details(state, blow, command)


def _attack_type(state: FightState, combatant: Combatant, key: str) -> attacks.AttackType | None:
    own_types = weapon_uses.own_types(combatant, {})
    return attack_type(key, own_types, armoury_of_fight(state).attack_types)


def _weapon(state: FightState, combatant: Combatant, foe: Combatant | None = None, feet: float | None = None) -> str:
    """The best weapon in a free hand, of those that reach the foe if any do; bare hands at last."""
    in_hands, sizes = items.items_in_hand(combatant), paths.sizes_to_strike(combatant)

    def merit(hand: Hand) -> tuple[bool, bool, Number]:
        reach = "" if foe is None else paths.reach_of(state, combatant, foe, feet, sizes[hand])
        total = weapon_uses.worth_of(state, combatant, in_hands[hand], "attack")
        return reach != "out", reach != "gm", -1 if total is None else total.total

    return items.name_of(in_hands[max(sizes, key=merit)]) if sizes else items.BARE


ANCHOR = "anchor"


def _settle_line(decision: Decision, combatant: Combatant, foe: Combatant, command: Opportunity, kind: str) -> None:
    state, referee = decision.state, decision.referee
    if kind not in strikes.LINES:
        raise Refused("CS-446", f"a {kind} takes no helper", strikes.LINES, final=True)
    tenders = (combatant,) if command.helper == ANCHOR else (combatant, decision.combatant(command.helper))
    enforce((*paths.meeting_checks(state, combatant, foe, command.distance), _ambush_check(combatant, foe)), referee)
    for other in tenders[1:]:
        enforce((queries.able_check(other, "CS-111"), *paths.free_checks(state, other)), referee)
        fit = other.side == combatant.side and other.id != combatant.id
        referee.require(fit, "CS-446", f"{other.name} isn't holding the other end", "a comrade", ANCHOR)
    _announce_act(decision, combatant, foe, kind)
    spring = Spring(aggressors=tuple(each.id for each in tenders), targets=(foe.id,))
    ambushes.decide_spring(decision, spring, kind)


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
    here = combatant.at
    spots = [place for place in board.neighbours(foe.at) if place not in closed_places]
    left = exact(paths.feet_left(state, combatant))
    for place in sorted(spots, key=lambda spot: board.distance(here, spot)):
        way = find_path(board, combatant.at, place, closed_places=closed_places)
        feet = Fraction(paths.price_of_way(board, combatant.at, way or ()), paths.THOUSANDTHS)
        if way and converges(feet, left):
            return way
    return ()


@handles(LetPass)
def decide_let_pass(decision: Decision, command: LetPass) -> None:
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
    state = decision.state
    offer = resume_of(prompt, OfferedOpportunity)
    combatant, foe = state.combatants.get(prompt.who), state.combatants.get(offer.other)
    if combatant is None or foe is None or answer.choice == "pass":
        return
    if answer.choice == "follow":
        # Along its path with Pulses, else in its own turn (CS-107).
        board, here = state.board, combatant.at
        can_follow = paths.are_pulses_to_come(state) and places.can_measure(state, combatant, foe)
        if board is None or here is None or foe.at is None or not can_follow:
            return
        path = find_path(board, here, foe.at, closed_places=taken_places(state, combatant.id) - {foe.at})
        if path and first_broken(moves.plan_checks(state, combatant)) is None:
            way = (*path, *paths.places_of_way(state, fighter_of(foe).plan))
            full_speed = profile_of(combatant).full_speed
            decision.emit(*moves.plan_way(state, combatant, way, full_speed, decision.referee))
        return
    if answer.choice == "spring":
        # From ambush it is a Surprise first; the act follows (CS-436).
        decision.require(_ambush_check(combatant, foe))
        ambushes.decide_spring(decision, Spring(aggressors=(combatant.id,), targets=(foe.id,)))
        decision.emit(paths.offer_opportunity(decision.state.combatants[combatant.id], foe, paths.STRIKE))
        return
    command = Opportunity(who=combatant.id, target=foe.id, kind=offer.kind)
    _strike_at_once(decision, combatant, foe, command, offer.kind)


# Declared Actions afterwards


def _ask_to_keep_action(decision: Decision, combatant_id: str, is_halted: bool) -> None:
    """CS-237, CS-448: ask whether a declared Action is kept, and whether a stopped mover continues."""
    combatant = decision.state.combatants[combatant_id]
    action = queries.action_of(combatant)
    if not action.is_open and not is_halted:
        return
    stop = ("stop:stand and fight",) if is_halted else ()
    rule, question, menu = "CS-440", "was stopped. Keep moving?", ("keep:keep moving", *stop)
    if action.is_open:
        rule, question = "CS-237", f"has declared: {action.text or action.kind}. Keep it?"
        menu = ("keep", *stop, "change:change the declared Action", "abort:abort:x")
    answer = decision.ask_about(
        combatant, AFTER, rule, f"{combatant.name} {question}", *menu, default="keep", blocking=False
    )
    if answer.choice in ("", "keep"):
        return
    combatant = decision.state.combatants[combatant_id]
    if answer.choice == "stop":
        paths.stop_movement(decision, combatant)
        return
    decision.emit(*abort_action(combatant, "an Opportunity Action"))
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
    if foe is None or not foe.able or queries.is_busy(decision.state, combatant):
        return
    answer = decision.ask_about(
        combatant, ENGAGE, "CS-448", f"{combatant.name} stopped {foe.name}: declare the engagement?",
        Choice("declare", f"strike {foe.name}"), "later:declare by hand", default="later", blocking=False,
        about=(foe.id,),
    )  # fmt: skip
    if answer.choice == "declare":
        declarations.decide_declare(decision, Declare(who=combatant.id, action=queries.STRIKE, target=foe.id))


@reacts_to(events.Declared)
def withdraw_engagement(decision: Decision, event: events.Declared) -> None:
    """Close the question for the engagement once another Action is declared."""
    asked = (prompt for prompt in decision.state.prompts if prompt.kind == ENGAGE and prompt.who == event.who)
    decision.emit(*record_moot(asked, "has declared"))
