"""Declaring Actions: what a declaration means, confirming, waiting, aborting, lost targets (CS-080 to CS-179)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import cast

from fightcall_engine.board.base import AnyBoard, Location, find_path, reach
from fightcall_engine.kit.decision import Decision, question_check, record_moot
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.records import combatant_of
from fightcall_engine.kit.views import Check, Referee, enforce, first_broken
from fightcall_engine.model.errors import Refused, RulingWanted
from fightcall_engine.model.events import Events, TraitsChanged
from fightcall_engine.model.state import Choice, Combatant, FightState
from fightcall_engine.model.values import remembered, remembered_of, replace
from fightcall_engine.systems.segments.actions import surprises
from fightcall_engine.systems.segments.combat import attack_values, shooting
from fightcall_engine.systems.segments.rules import formulas
from fightcall_engine.systems.segments.rules.attacks import COMMON_STRIKE
from fightcall_engine.systems.segments.rules.formulas import Slot, exact, taking_time
from fightcall_engine.systems.segments.rules.ranges import OUTREACHED_BY
from fightcall_engine.systems.segments.state import condition, events, items, paths, places, queries, small_acts
from fightcall_engine.systems.segments.state.commands import Abort, Confirm, Declare, Wait
from fightcall_engine.systems.segments.state.records import (
    MIXED,
    SEPARATE,
    Action,
    Blow,
    BodyPart,
    FullDefence,
    Piece,
    battle_of,
    fighter_of,
)
from fightcall_engine.systems.segments.state.settings import attack_key
from fightcall_engine.systems.segments.state.weapon_uses import bare_if_unarmed, flight_of, item_of, type_of

LOST_TARGET = "lost_target"
"""The kind of the question to those whose declared attack has lost its target."""


def turn_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-010, CS-081, CS-161: a combatant declares on its own turn, or later in the phase if it waits."""
    kind, whose = queries.kind_of(state), queries.actor_of(state)
    is_own_turn = kind == queries.DECLARE and whose is not None and whose.id == combatant.id
    waits = fighter_of(combatant).waiting and kind in (queries.DECLARE, queries.WAITS, queries.PULSE, queries.IMPACTS)
    name, activity = "nobody" if whose is None else whose.name, small_acts.describe_activity(combatant)
    if kind == queries.RESOLVE:
        return (Check(False, "CS-161", "Resolution has begun: it is too late to declare", ("the next pass",)),)
    turn, accepts = f"it is {name}'s turn to declare", (name, "those who wait")
    return (
        queries.able_check(combatant, "CS-111"),
        Check(bool(kind), "CS-080", "no segment is running", ("start",)),
        Check(kind != queries.INITIATIVE, "CS-022", "Initiative comes first", ("initiative",)),
        Check(is_own_turn or waits, "CS-010", turn, accepts, is_turn=True),
        Check(not queries.is_busy(state, combatant), "CS-102", f"{combatant.name} is busy: {activity}", ("abort",)),
        question_check(state),
    )


def declare_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-084: a confirmed declaration cannot be changed."""
    stands = queries.action_of(combatant).state == queries.COMMITTED and not queries.is_busy(state, combatant)
    return queries.turn_last(*turn_checks(state, combatant), *_new_action_checks(state, combatant, stands))


def _new_action_checks(state: FightState, combatant: Combatant, is_committed: bool) -> tuple[Check, ...]:
    committed = f"{combatant.name} has committed to {small_acts.describe_activity(combatant)}"
    used, accepts = f"{combatant.name} has used this Action", ("the next pass", "move")
    return (
        Check(not is_committed, "CS-084", committed, ("abort",)),
        Check(_has_action(state, combatant), "CS-006", used, accepts),
    )


def _has_action(state: FightState, combatant: Combatant) -> bool:
    """Whether the combatant has its Action of the running pass; the slow declare before one is owed (CS-102)."""
    here = queries.has_slot(state, combatant, queries.pass_number(state)) or queries.has_slot_to_come(state, combatant)
    return not queries.actions_owed(combatant) or here


def can_wait(state: FightState, combatant: Combatant) -> bool:
    """Whether the combatant can declare nothing now and still do so later: it has an Action, and is not surprised."""
    return _has_action(state, combatant) and not condition.why_restricted(state, combatant)


@handles(Declare)
def decide_declare(decision: Decision, command: Declare) -> None:
    """CS-082, CS-083: declare an Action, after asking for what is missing; nothing is rolled yet."""
    combatant, referee = decision.combatant(command.who), decision.referee
    action: Action | None = None
    while action is None:
        try:
            action = build_action(decision.state, combatant, command, referee)
        except small_acts.MissingInput as missing:
            enforce(declare_checks(decision.state, combatant), referee)
            amended_command = _ask_piece(decision, command, missing)
            if amended_command is None:
                return
            command, combatant = amended_command, decision.combatant(command.who)
    # What is asked is judged first: a refusal names the reason nearest to it, and not whose turn it is.
    enforce(declare_checks(decision.state, combatant), referee)
    action = _action_with_overrules(decision.state, combatant, action, referee)
    pair = small_acts.pair_of(action)
    if pair is not None and not small_acts.is_pair_allowed(decision.state, *pair, action.kind):
        if command.force:
            referee.require(False, "CS-392", f"{' and then '.join(pair)} is not a listed pair of acts")
        else:
            answer = decision.ask_about(
                combatant, "pair", "CS-392",
                f"{combatant.name}: {' and then '.join(pair)} is not a listed pair. Allow it as one Action?",
                "once:yes, this time", "keep:yes, from now on", "no", default="no",
            )  # fmt: skip
            if answer.choice in ("", "no"):
                return
            if answer.choice == "keep":
                decision.emit(*small_acts.save_pair(decision.state, *pair))
            combatant = decision.combatant(command.who)
            action = build_action(decision.state, combatant, command, referee)
            action = _action_with_overrules(decision.state, combatant, action, referee)
    _announce_declaration(decision, combatant, action)


def order_checks(committed: FightState, combatant: Combatant, action: Action) -> Iterator[Check]:
    """The checks of an attack or a draw as it is declared, in the state after it is confirmed (CS-123 to CS-340).

    For an attack of a later segment only that the target is known, as nobody knows who will stand where. A hidden
    target that is about to shoot may be found then (CS-265).
    """
    here = committed.combatants[combatant.id]
    if action.kind not in queries.ATTACKS:
        draws = any(piece.key == small_acts.DRAW for piece in action.components) and action.weapon
        yield from attack_values.held_checks(here, Blow(here.id, "", weapon=action.weapon)) if draws else ()
        return
    blows = declared_blows(committed, here, action)
    targets = (committed.combatants[blow.target] for blow in blows)
    yield from (places.aware_check(committed, here, target) for target in targets if not shooting.is_sniping(target))
    if _due_segment(committed, here, action.left) == committed.round:
        for blow in blows:
            yield from _checks_of(committed, blow, action)


def state_after_commit(state: FightState, combatant: Combatant, action: Action) -> FightState:
    """The state after an Action is confirmed, with what it draws and its Turn (CS-090, CS-123)."""
    decision = Decision(state)
    decision.emit(*queries.set_traits(combatant, action=action))
    commit_action(decision, decision.state.combatants[combatant.id])
    return decision.state


def _action_with_overrules(state: FightState, combatant: Combatant, action: Action, referee: Referee) -> Action:
    """The Action with the rules that the GM has overruled; a refusal lists what would help it succeed."""
    if action.kind not in queries.ATTACKS and not small_acts.includes_draw(action):
        return action
    enforce(order_checks(state_after_commit(state, combatant, action), combatant, action), referee)
    return replace(action, overruled=tuple(dict.fromkeys(override.rule for override in referee.overrides)))


def _announce_declaration(decision: Decision, combatant: Combatant, action: Action) -> None:
    state = decision.state
    is_late, step = fighter_of(combatant).waiting, state.step
    # A late declaration allows moving in the step it was inserted into (CS-090, CS-161).
    can_move = is_late and queries.kind_of(state) in (queries.DECLARE, queries.WAITS)
    inserted = {"inserted": step.id} if can_move and step is not None else {}
    kind = events.DeclarationInserted if is_late else events.Declared
    event = kind(
        who=combatant.id, traits={"action": action, "waiting": False, **inserted},
        shown=public_text(action), action=action.kind, qa_need=action.need,
        due=small_acts.due_text(state, combatant, action), visibility="secret" if action.secret else "public",
    )  # fmt: skip
    is_own_turn = queries.kind_of(state) == queries.DECLARE and queries.actor_of(state) is combatant
    decision.emit(event)
    if not is_own_turn:
        commit_action(decision, decision.state.combatants[combatant.id])
    if action.kind in queries.ATTACKS and battle_of(state).contest != "combat":
        decision.emit(events.ContestChanged(before=battle_of(state).contest, value="combat"))
    decision.spawn(_ask_share, combatant.id)


def confirm_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-084: there is a declaration to confirm."""
    action = queries.action_of(combatant)
    is_confirmed = action.state == queries.COMMITTED
    return queries.turn_last(
        *turn_checks(state, combatant),
        Check(not is_confirmed, "CS-084", f"{combatant.name} has already confirmed", ("abort", "advance")),
        Check(action.state == queries.DRAFT, "CS-084", f"{combatant.name} has declared nothing", ("declare", "wait")),
    )


@handles(Confirm)
def decide_confirm(decision: Decision, command: Confirm) -> None:
    """CS-084: confirm a declaration; it can only be aborted from now on."""
    combatant = decision.combatant(command.who)
    enforce(confirm_checks(decision.state, combatant), decision.referee)
    commit_action(decision, combatant)


def commit_action(decision: Decision, combatant: Combatant) -> None:
    """CS-084: commit a draft; a full defence counts at once (CS-166)."""
    action = queries.action_of(combatant)
    if action.state != queries.DRAFT:
        return
    decision.emit(events.Confirmed(who=combatant.id, within=queries.changed_parts(combatant, state=queries.COMMITTED)))
    if action.kind == queries.DEFEND:
        decision.emit(*queries.set_traits(combatant, full_defence=FullDefence(action.against)))
    _drop_and_draw(decision, combatant, action)
    decision.emit(*small_acts.apply_posture(decision.state.combatants[combatant.id], action))
    here = decision.state.combatants[combatant.id]
    decision.emit(*surprises.apply_turn(decision.state, here, action, (*action.targets, action.against)))
    decision.emit(*helper_events(decision.state, combatant, action))


def _drop_and_draw(decision: Decision, combatant: Combatant, action: Action) -> None:
    """CS-123, CS-147, CS-390: do the declared drop and draw at once, so that what is drawn can defend."""
    names = [name for name in (action.weapon, action.second) if name]
    for name in names or [""]:
        here = decision.state.combatants[combatant.id]
        dropped = small_acts.item_to_drop(here, action, name)
        if dropped:
            decision.emit(*items.drop_events(here, dropped))
            decision.emit(items.move_object(decision.state, here.id, dropped, "is dropped"))
            if any(piece.key == small_acts.DROP for piece in action.components):
                decision.emit(*small_acts.spend_small_act(here, small_acts.DROP, small_acts.QUARTER))
        if name and name != dropped and small_acts.includes_draw(action):
            decision.emit(*items.draw_events(decision.state.combatants[combatant.id], name))


def abort_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-143: an Action can be aborted until it is resolved."""
    return (
        Check(queries.action_of(combatant).is_open, "CS-143", f"{combatant.name} has declared nothing", ("declare",)),
        question_check(state),
    )


@handles(Abort)
def decide_abort(decision: Decision, command: Abort) -> None:
    """CS-143: abort; another declaration is possible on the next turn, or at once for those who wait."""
    combatant = decision.combatant(command.who)
    enforce(abort_checks(decision.state, combatant), decision.referee)
    decision.emit(*small_acts.abort_action(combatant, command.reason or small_acts.GIVEN_UP))


def wait_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-160: a combatant waits on its own turn, with nothing confirmed."""
    whose = queries.actor_of(state)
    is_late = fighter_of(combatant).waiting and (whose is None or whose.id != combatant.id)
    is_committed = queries.action_of(combatant).state == queries.COMMITTED
    return queries.turn_last(
        *turn_checks(state, combatant),
        Check(not is_late, "CS-160", f"{combatant.name} is already waiting", ("declare", "the next pass")),
        *_new_action_checks(state, combatant, is_committed),
    )


@handles(Wait)
def decide_wait(decision: Decision, command: Wait) -> None:
    """CS-160: wait, and let the next declare."""
    combatant = decision.combatant(command.who)
    enforce(wait_checks(decision.state, combatant), decision.referee)
    decision.emit(*start_waiting(combatant))


def start_waiting(combatant: Combatant) -> Events:
    """The event that a combatant waits."""
    return (events.Waited(who=combatant.id, traits={"waiting": True}, within={"action": {"state": ""}}),)


# Going down


def cancel_when_down(decision: Decision, combatant: Combatant) -> None:
    """CS-111, A-61: cancel what the fallen meant to do, unless at the same instant (CS-026), and ask its attackers."""
    whose, number = queries.actor_of(decision.state), queries.pass_number(decision.state)
    is_simultaneous = (
        queries.kind_of(decision.state) == queries.RESOLVE
        and whose is not None
        and whose.id != combatant.id
        and queries.is_due(combatant)
        and any({combatant.id, whose.id} <= set(group) for group in battle_of(decision.state).at_once)
        and queries.has_slot(decision.state, combatant, number)
    )
    if is_simultaneous:
        decision.emit(*queries.set_traits(combatant, last_act=True))
    else:
        decision.emit(*small_acts.abort_action(combatant, "down"))
        decision.emit(*small_acts.use_slot(decision.state.combatants[combatant.id], 0, "down"))
    decision.emit(*queries.set_traits(decision.state.combatants[combatant.id], waiting=False, plan=(), plan_feet=0.0))
    ask_about_target(decision, attackers_of(decision.state, combatant.id), f"{combatant.name} is down")


def attackers_of(state: FightState, target_id: str) -> tuple[str, ...]:
    """The ids of those who still have to attack this target (CS-111)."""
    if state.status == "closed":
        return ()
    actor = queries.actor_of(state) if queries.kind_of(state) == queries.RESOLVE else None
    actions = ((other, queries.action_of(other)) for other in queries.all_able(state))
    return tuple(
        other.id
        for other, action in actions
        if action.state == queries.COMMITTED
        and action.kind in queries.ATTACKS
        and action.targets == (target_id,)
        # Whoever strikes now, with a single weapon, has made its attack.
        and not (actor is other and not action.second)
    )


def ask_about_target(decision: Decision, attacker_ids: tuple[str, ...], how: str) -> None:
    """CS-111: ask all who have lost their target for another one; one answer can keep all attacks."""
    for attacker_id in attacker_ids:
        decision.spawn(_ask_about_target, attacker_id, attacker_ids, how)


def _ask_about_target(decision: Decision, attacker_id: str, attacker_ids: tuple[str, ...], how: str) -> None:
    while attacker_id in decision.state.combatants:
        state = decision.state
        attacker = state.combatants[attacker_id]
        attackers = [state.combatants[each] for each in attacker_ids if each in state.combatants]
        question = f"{attacker.name}'s target {how}. Another target, or abort?"
        menu = ("keep:keep it, choose a target when it is due", Choice("abort", "abort", "x"))
        if len(attackers) > 1:
            names = list_names([other.name for other in attackers])
            question = f"{names}: their target {how}. Does {attacker.name} abort?"
            menu = ("keep:all keep it, choose targets when due", Choice("abort", f"{attacker.name} aborts", "x"))
        answer = decision.ask_about(
            attacker, LOST_TARGET, "CS-111", question, *menu, default="keep",
            about=tuple(other.id for other in attackers), blocking=False,
        )  # fmt: skip
        if answer.choice == "abort":
            decision.emit(*small_acts.abort_action(decision.state.combatants[attacker_id], "the target is gone"))
            return
        if answer.choice:
            others = (prompt for prompt in decision.state.prompts if prompt.kind == LOST_TARGET)
            decision.emit(*record_moot([prompt for prompt in others if prompt.who in attacker_ids], "kept, too"))
            return


# Questions of a declaration


def _ask_piece(decision: Decision, command: Declare, missing: small_acts.MissingInput) -> Declare | None:
    combatant = decision.combatant(command.who)
    answer = decision.ask_about(
        combatant, "piece", missing.rule, missing.question, "cancel:never mind", amount=missing.amount
    )
    if answer.choice in ("", "cancel"):
        return None
    amount = answer.amount if answer.amount is not None else answer.value
    if amount is None or isinstance(amount, bool) or not str(amount).strip():
        raise Refused(missing.rule, "no answer was given", (missing.amount,), final=True)
    text = str(amount).strip().replace("=", "").replace(":", "")
    key = missing.key
    components = tuple(f"{key}:{text}" if name.strip().lower() == key else name for name in command.components)
    return replace(command, components=components)


def _ask_share(decision: Decision, combatant_id: str) -> None:
    combatant = decision.state.combatants[combatant_id]
    act = small_acts.act_beside_moving(queries.action_of(combatant))
    if act is None:
        return
    answer = decision.ask_about(
        combatant, "share", "CS-393", f"How much of {combatant.name}'s distance does {act.key} take?",
        "quarter:a quarter", "half", default="half" if act.qa == small_acts.HALF else "quarter", blocking=False,
    )  # fmt: skip
    if not answer.choice:
        return
    combatant = decision.state.combatants[combatant_id]
    action = queries.action_of(combatant)
    act = small_acts.act_beside_moving(action)
    if act is None or not action.is_open:
        return
    share = small_acts.HALF if answer.choice == "half" else small_acts.QUARTER
    shared = [Piece(piece.key, share) if piece == act else piece for piece in action.components]
    within = queries.changed_parts(combatant, components=tuple(shared))
    if within:
        decision.emit(TraitsChanged(who=combatant_id, within=within))


# Whether a declared attack can succeed, judged when it is declared


def easy_targets(
    state: FightState, committed: FightState, combatant: Combatant, action: Action, targets: tuple[str, ...]
) -> frozenset[str]:
    """Those of some targets whom a walk leads to, with nothing in the way: all `order_checks` surely hold."""
    here = committed.combatants[combatant.id]
    blows = declared_blows(committed, here, action)
    if len(blows) != 1 or blows[0].ranged or _due_segment(committed, here, action.left) != state.round:
        return frozenset()
    blow = blows[0]
    own = _own_checks(committed, here, blow.kind, blow.weapon, blow.second, blow.mode, blow.attack)
    if first_broken(own) is not None or type_of(committed, blow).close:
        return frozenset()
    length = attack_values.weapon_length(here, blow)
    return _met_on_foot(state, combatant, targets, _feet_left(committed, here), length)


@remembered_of(4)
def _met_on_foot(
    state: FightState, combatant: Combatant, targets: tuple[str, ...], feet_left: Fraction, length: Fraction
) -> frozenset[str]:
    """Those of some targets who are met after a walk, in the open, and neither beside the attacker nor in contact.

    None of them has a formation, a ruling, or a weapon by which one of this length is outreached.
    """
    board, here = state.board, combatant.at
    if board is None or here is None:
        return frozenset()
    left, keeps_off = paths.in_thousandths(feet_left), length + OUTREACHED_BY
    walkable = _walkable_places(board, here, left)
    beside, step = places.feet_of(board, places.LONGEST_STEP), places.LONGEST_STEP * board.scale
    engaged = places.ids_engaged(state, combatant)

    def is_met_after_walk(target: Combatant, there: Location) -> bool:
        nearest = _place_after_walk(board, here, there, left)
        far = board.length(nearest, there)
        gap = places.gap_at(places.feet_of(board, far / board.scale), combatant, target)
        return gap < places.RANGED_GAP and far < board.length(here, there) and places.can_measure(state, target)

    return frozenset(
        each.id
        for each in map(state.combatants.__getitem__, targets)
        if each.at is not None
        and each.able
        and not each.hidden
        and board.length(here, each.at) > step
        and each.id not in engaged
        and places.longest_ready(each) < keeps_off
        and places.gap_at(beside, combatant, each) < places.RANGED_GAP
        and not places.shut_fields(each)
        and places.pair_of(combatant, each) == places.pair_of(each, combatant) == places.UNTOLD
        and (each.at in walkable or is_met_after_walk(each, each.at))
    )


@remembered
def _due_segment(state: FightState, combatant: Combatant, left: int) -> int:
    """The segment in which an Action with so much left to do is resolved; -1 if no Action comes."""
    due = small_acts.due_slot(state, combatant, Action(need=left))
    return -1 if due is None else due.segment


def declared_blows(state: FightState, combatant: Combatant, action: Action) -> tuple[Blow, ...]:
    """The blows of a declared attack, each with its target (CS-342)."""
    if action.kind not in queries.ATTACKS:
        return ()
    strikes = [(action.weapon, action.second)]
    if action.second and action.mode != MIXED:
        strikes.append((action.second, action.weapon))
    aims = [target.id for target in queries.targets_of(state, action)]
    # A Combination without a mode may be used in the one that reaches farther (CS-364, CS-365).
    mode = action.mode or (SEPARATE if action.kind == queries.COMBINATION else "")
    return tuple(
        Blow(
            combatant.id, aims[min(place, len(aims) - 1)], kind=flight_of(action.kind), weapon=weapon,
            second=second if mode else "", mode=mode,
            attack=action.attack if place == 0
            else attack_values.default_type(state, combatant, queries.STRIKE, item_of(combatant, weapon)),
        )
        for place, (weapon, second) in enumerate(strikes)
        if aims
    )  # fmt: skip


def _checks_of(state: FightState, blow: Blow, action: Action) -> Iterator[Check]:
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    yield attack_values.standing_check(target, knowingly=action.on_fallen)
    yield from _own_checks(state, combatant, blow.kind, blow.weapon, blow.second, blow.mode, blow.attack)
    if blow.ranged:
        yield from attack_values.line_checks(state, combatant, target, blow, walk=_feet_left(state, combatant))
        return
    gap = _nearest_gap(state, combatant, target)
    if gap == places.zone_gap(state, combatant, target):
        # An attacker who has to walk up to a foe faces it on arrival.
        yield from attack_values.field_checks(state, combatant, target, blow)
    yield from attack_values.reach_checks(state, combatant, target, blow, gap=gap, inside=action.inside)


@remembered
def _own_checks(
    state: FightState, combatant: Combatant, kind: str, weapon: str, second: str, mode: str, attack: str
) -> tuple[Check, ...]:
    blow = Blow(combatant.id, "", kind=kind, weapon=weapon, second=second, mode=mode, attack=attack)
    return (
        *attack_values.held_checks(combatant, blow),
        *attack_values.hand_checks(state, combatant, blow),
        *attack_values.weapon_checks(combatant, blow),
    )


def is_walking_up(state: FightState, blow: Blow) -> bool:
    """Whether movement still to come brings the attacker nearer to the target."""
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    return _nearest_gap(state, combatant, target) != places.zone_gap(state, combatant, target)


@remembered
def _feet_left(state: FightState, combatant: Combatant) -> Fraction:
    if paths.are_pulses_over(state):
        return Fraction(0)
    return exact(paths.feet_left(state, combatant))


def _nearest_gap(state: FightState, combatant: Combatant, target: Combatant) -> Fraction | None:
    """The smallest gap in feet that this segment's movement allows, or one for melee; None without a board."""
    gap, board = places.zone_gap(state, combatant, target), state.board
    if gap is None or gap <= 0 or board is None or combatant.at is None or target.at is None:
        return gap
    here, beside = combatant.at, places.gap_at(places.feet_of(board, places.LONGEST_STEP), combatant, target)
    left = paths.in_thousandths(_feet_left(state, combatant))
    if beside < gap and beside < places.RANGED_GAP and target.at in _walkable_places(board, here, left):
        return beside
    nearest = _place_after_walk(board, here, target.at, left)
    feet = places.feet_of(board, board.length(nearest, target.at) / board.scale)
    return min(gap, places.gap_at(feet, combatant, target))


@lru_cache(1024)
def _place_after_walk(board: AnyBoard, here: Location, there: Location, left: int) -> Location:
    for place in find_path(board, here, there) or ():
        left -= paths.price_of_step(board, here, place)
        if left < 0 or place == there:
            break
        here = place
    return here


@lru_cache
def _walkable_places(board: AnyBoard, here: Location, left: int) -> Collection[Location]:
    return reach(board, here, left // paths.in_thousandths(places.feet_of(board, places.LONGEST_STEP)))


def build_action(state: FightState, combatant: Combatant, command: Declare, referee: Referee) -> Action:
    """The Action that a command declares; a refusal lists what would be accepted."""
    kind = kind_of(combatant, command)
    pair = small_acts.pair_of_command(command)
    pieces = small_acts.pieces_of(state, combatant, command) if pair is None else pair
    need = _length_of(state, combatant, kind, command, pieces)
    # The DV is that of a piece of work unless given (CS-139); the AV of a STR check is taken when it is made.
    dv, skill = command.dv, command.skill
    if dv is None:
        dv = small_acts.difficulty_of(state, combatant, command, pieces)
    if command.double_time:
        effort = taking_time(dv or 0, need)
        need, dv = effort.qa, None if dv is None else effort.dv
    if command.helper and command.qa is command.segments is command.seconds is None:
        end = small_acts.due_slot(state, combatant_of(state, command.helper), Action(need=need))
        need = _qa_until(state, combatant, end, need)
    weapon = items.weapon_for(combatant, kind, command.weapon)
    if not weapon and any(piece.key == small_acts.DRAW for piece in pieces):
        weapon = items.sheathed_weapon(combatant)
    if kind in queries.MELEE and not (command.second or command.mode) and command.attack:
        blow = Blow(combatant.id, "", weapon=weapon, attack=attack_key(state, command.attack))
        weapon = bare_if_unarmed(state, blow).weapon
    aims = (command.target, command.other)
    targets = tuple(combatant_of(state, combatant_id).id for combatant_id in aims if combatant_id)
    foe = command.against or (command.target if kind == queries.DEFEND else "")
    against = combatant_of(state, foe).id if foe else ""
    line = condition.clean_line(command.line)
    if line and kind not in queries.ATTACKS:
        raise Refused("CS-510", "words like these go with an attack", queries.ATTACKS, final=True)
    enforce(condition.line_checks(combatant, line), referee)
    with_what = _weapon_text(state, combatant, weapon, command)
    text = command.text.strip() or _describe_action(state, kind, with_what, targets, pieces, against)
    is_checked = kind != queries.TASK or dv is not None or skill is not None
    is_rolled = is_checked and kind not in (queries.MOVE, queries.DEFEND)
    action = Action(
        state=queries.DRAFT, kind=kind,
        text=text + (", past the weapon first" if command.inside else "") + (f', saying "{line}"' if line else ""),
        public=command.public.strip(), secret=command.secret, components=pieces, weapon=weapon, second=command.second,
        attack=command.attack, targets=targets, mode=command.mode, against=against,
        parts=bound_parts(combatant, kind, weapon, command), need=need, cs=state.round,
        in_pass=queries.pass_number(state), dv=dv, skill=skill, rolled=is_rolled,
        helper=combatant_of(state, command.helper).id if command.helper else "", line=line,
        arrow_head=command.arrow_head, inside=command.inside, double_time=command.double_time,
        on_fallen=any(not state.combatants[target].able for target in targets),
    )  # fmt: skip
    if command.inside and kind not in queries.MELEE:
        referee.require(False, "CS-319", "only a melee attack can step inside first", *queries.MELEE)
    action = attack_values.with_attack_type(state, combatant, action, referee)
    _check_action(state, combatant, command, action, referee)
    return action


def _check_action(state: FightState, combatant: Combatant, command: Declare, action: Action, referee: Referee) -> None:
    # A secret Action has a public part (CS-088, CS-089).
    is_physical = action.kind in (*queries.ATTACKS, queries.MOVE, queries.OBJECT)
    is_seen = is_physical or bool(command.parts or command.components)
    question = f"others can see part of what {combatant.name} does: what do they see?"
    referee.require(not (action.secret and is_seen) or bool(action.public), "CS-089", question, "public")
    enforce(condition.surprise_checks(combatant, action), referee)
    enforce((*small_acts.declared_checks(combatant, action), paths.distance_check(state, combatant, action)), referee)
    enforce(shooting.declared_checks(combatant, action), referee)
    pair = small_acts.pair_of_command(command)
    if pair is not None:
        enforce((small_acts.rise_check(combatant, pair[0].key, pair[1].key),), referee)
    _check_helper(state, combatant, command, action.components, referee)


def kind_of(combatant: Combatant, command: Declare) -> str:
    """The kind of the Action, as given or by the other fields."""
    if command.action:
        if command.action not in queries.KINDS:
            raise Refused("CS-082", f"unknown kind of Action: {command.action!r}", queries.KINDS, final=True)
        return command.action
    if small_acts.kind_of_command(command):
        return small_acts.kind_of_command(command)
    if command.second and command.mode:
        return queries.COMBINATION
    if (command.target and set(command.components) <= {small_acts.DRAW}) or (command.weapon and not command.components):
        return items.usual_attack(combatant, command.weapon)
    if command.against:
        return queries.DEFEND
    lengths = (command.qa, command.segments, command.seconds)
    if command.components or any(length is not None for length in lengths):
        return queries.TASK
    return queries.ACT if command.text.strip() else queries.MOVE


def _weapon_text(state: FightState, combatant: Combatant, weapon: str, command: Declare) -> str:
    attack = attack_key(state, command.attack)
    named = type_of(state, Blow(combatant.id, "", weapon=weapon, attack=attack)) if attack else None
    is_armed = weapon != items.BARE and not (named is not None and named.whole_body)
    both = " and ".join(filter(None, (weapon if is_armed else "", command.second)))
    how = f", {_MODES.get(command.mode, command.mode)}" if command.mode else ""
    kind = f": {named.label}" if named is not None and named.key != COMMON_STRIKE else ""
    return f"{f' with {both}' if both else ''}{how}{kind}"


def _describe_action(
    state: FightState, kind: str, with_what: str, targets: tuple[str, ...], pieces: tuple[Piece, ...], against: str
) -> str:
    names = " and ".join(state.combatants[combatant_id].name for combatant_id in targets)
    if kind == queries.DEFEND:
        return f"full defence{f' against {state.combatants[against].name}' if against else ''}"
    if kind in queries.ATTACKS:
        return f"{_VERBS[kind]}{f' {names}' if names else ''}{with_what}"
    if pieces:
        return ", ".join(
            small_acts.piece_label(piece) + (with_what.removeprefix(" with") if piece.key == small_acts.DRAW else "")
            for piece in pieces
        )
    return {queries.MOVE: "move", queries.OBJECT: "take an object"}.get(kind, kind)


_VERBS = {
    queries.STRIKE: "strike",
    queries.CHARGE: "charge",
    queries.SHOOT: "shoot at",
    queries.HURL: "hurl at",
    queries.COMBINATION: "strike",
}

_MODES = {"concert": "in concert", "separate": "each for itself", "mixed": "one to defend"}


def public_text(action: Action) -> str:
    """The public part of an Action (CS-085 to CS-089)."""
    return (action.public or queries.PUBLIC_NOTHING) if action.secret else action.text


def _length_of(state: FightState, combatant: Combatant, kind: str, command: Declare, pieces: tuple[Piece, ...]) -> int:
    """Quarter-actions by GM ruling, time or pieces, else one Action (CS-128); an attack's pieces fit in it (CS-126)."""
    lengths = {"qa": command.qa, "segments": command.segments, "seconds": command.seconds}
    for name, value in lengths.items():
        if value is not None and not 0 < value <= 100_000:
            raise Refused("CS-132", f"{name} can't be {value}", ("above 0",), final=True)
    if command.qa is not None:
        return command.qa
    if command.segments is not None:
        return small_acts.segments_in_qa(state, combatant, command.segments)
    if command.seconds is not None:
        return small_acts.segments_in_qa(state, combatant, formulas.segments_of(command.seconds))
    if small_acts.pair_of_command(command) is not None:
        return formulas.QA_AN_ACTION
    whole = int(formulas.whole_task([(piece.key, piece.qa) for piece in pieces]).total)
    if whole > small_acts.LONGEST_QA:
        raise Refused("CS-130", f"{whole} quarter-actions in all", (f"{small_acts.LONGEST_QA} at most",), final=True)
    if kind in queries.ATTACKS:
        return max(whole, formulas.QA_AN_ACTION)
    return whole or formulas.QA_AN_ACTION


def bound_parts(combatant: Combatant, kind: str, weapon: str, command: Declare) -> tuple[BodyPart, ...]:
    """The body parts an Action binds: as given, else by its kind (CS-120, CS-146)."""
    wrong = [part for part in command.parts if part not in queries.PARTS]
    if wrong:
        raise Refused("CS-120", f"unknown part of the body: {wrong[0]!r}", queries.PARTS, final=True)
    if command.parts:
        return cast(tuple[BodyPart, ...], command.parts)
    if command.helper:
        return (queries.BODY,)
    if kind in queries.ATTACKS:
        hands = items.hands_holding(combatant, weapon) or (queries.RIGHT,)
        more = items.hands_holding(combatant, command.second) if command.second else ()
        preparing_hands = (
            (queries.RIGHT, queries.LEFT) if command.components and small_acts.pair_of_command(command) is None else ()
        )
        legs = (queries.LEGS,) if kind == queries.CHARGE else ()
        parts: tuple[BodyPart, ...] = (*hands, *more, *preparing_hands, *legs)
        return tuple(part for place, part in enumerate(parts) if part not in parts[:place])
    if kind != queries.TASK:
        return (queries.LEGS,) if kind == queries.MOVE else ()
    pair = small_acts.pair_of_command(command)
    is_light_pair = pair is not None and not any(piece.key in small_acts.OF_THE_HANDS for piece in pair)
    # In secret no hand is visibly at work (CS-087).
    is_unseen = command.secret and not command.components
    needs_no_hand = is_light_pair or is_unseen or (bool(weapon) and small_acts.is_momentary(command))
    return () if needs_no_hand else (queries.RIGHT, queries.LEFT)


# Work done by a helper


def _check_helper(
    state: FightState, combatant: Combatant, command: Declare, pieces: tuple[Piece, ...], referee: Referee
) -> None:
    """CS-135 to CS-137: check that the helper is there and free, and that sleeves are tied on with their jerkin."""
    for piece in pieces:
        if piece.key == small_acts.SLEEVE and fighter_of(combatant).sleeves == "tied":
            problem = f"{combatant.name}'s sleeves are tied to the jerkin and go on with it"
            referee.require(False, "CS-135", problem, "don_coat", RulingWanted("sleeves"))
        work = small_acts.find_component(piece.key)
        if work is not None and work.helper:
            others = tuple(combatant_id for combatant_id in state.combatants if combatant_id != combatant.id)
            problem = f"{small_acts.piece_label(piece)}: someone else must do this"
            referee.require(bool(command.helper), work.rule, problem, "helper", *others)
    if not command.helper:
        return
    helper = combatant_of(state, command.helper)
    referee.require(helper.id != combatant.id, "CS-136", f"{combatant.name} can't be the helper too", "someone else")
    referee.require(helper.able, "CS-136", f"{helper.name} is down", "someone who isn't down")
    busy = queries.action_of(helper)
    is_free = not busy.is_open or fighter_of(helper).helps == combatant.id
    referee.require(is_free, "CS-146", f"{helper.name} is busy: {busy.text or busy.kind}", "abort", "another")


def _qa_until(state: FightState, combatant: Combatant, end: Slot | None, need: int) -> int:
    if end is None:
        return need
    own_segment, rate = queries.own_segment(state, combatant), queries.rate_of_action(combatant)
    to_come = formulas.owed_until(own_segment + end.segment - state.round, rate) - formulas.owed_until(
        own_segment, rate
    )
    return formulas.QA_AN_ACTION * max(1, queries.slots_left(combatant) + to_come)


def helper_events(state: FightState, combatant: Combatant, action: Action) -> Events:
    """CS-136: the event that puts the helper to work for as long as it takes."""
    helper = state.combatants.get(action.helper)
    if helper is None or helper.id == combatant.id:
        return ()
    help_action = Action(
        state=queries.COMMITTED, kind=queries.TASK, text=f"help {combatant.name}: {action.text}",
        components=action.components, parts=(queries.RIGHT, queries.LEFT, queries.LEGS),
        need=_qa_until(state, helper, small_acts.due_slot(state, combatant, action), action.need), cs=state.round,
        in_pass=queries.pass_number(state), rolled=False,
    )  # fmt: skip
    return (
        events.Declared(
            who=helper.id, traits={"action": help_action, "waiting": False, "helps": combatant.id},
            shown=help_action.text, action=help_action.kind, qa_need=help_action.need,
            due=small_acts.due_text(state, helper, help_action),
        ),
    )  # fmt: skip


def helpers_of(state: FightState, combatant_id: str) -> tuple[Combatant, ...]:
    """The combatants at work for this one."""
    return tuple(
        other
        for other in state.combatants.values()
        if fighter_of(other).helps == combatant_id and queries.action_of(other).is_open
    )
