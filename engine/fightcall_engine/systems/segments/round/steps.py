"""Steps of a segment: ten Pulses of movement, Resolution of due Actions (CS-092..127, CS-230..242, CS-340)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from fightcall_engine.kit.decision import Decision, choices, concerns, prompt_for, question_check, record_moot
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.records import combatant_of, name_of
from fightcall_engine.kit.views import ANOTHER_TARGET, Check, enforce, first_broken
from fightcall_engine.model.commands import Move
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Detected, Events
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.systems.segments.actions import declarations, moves, surprises
from fightcall_engine.systems.segments.combat import attack_values, defences, shooting, strikes
from fightcall_engine.systems.segments.combat.attack_values import KICK
from fightcall_engine.systems.segments.rules import ranges
from fightcall_engine.systems.segments.rules.formulas import Part, Sum, exact, taking_time
from fightcall_engine.systems.segments.rules.ranges import PulseDistance
from fightcall_engine.systems.segments.state import (
    commands,
    condition,
    events,
    items,
    paths,
    places,
    queries,
    rolls,
    settings,
    small_acts,
    weapon_uses,
)
from fightcall_engine.systems.segments.state.paths import Ground, Walk, in_feet, in_thousandths
from fightcall_engine.systems.segments.state.records import (
    CONCERT,
    SEPARATE,
    Action,
    Blow,
    Overrides,
    battle_of,
    fighter_of,
    profile_of,
)
from fightcall_engine.systems.segments.state.rolls import UnsettledAction
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.small_acts import STRING_BOW, describe_activity
from fightcall_engine.systems.segments.state.weapon_uses import bare_if_unarmed, flight_of, item_of, with_harm

# One mover in one Pulse


@frozen
class Stride:
    """Movement in one Pulse, limited to what is left, and by the first Pulse of a movement (CS-231, CS-234)."""

    mph: Fraction
    feet: Fraction
    capped: bool


def _stride_of(state: FightState, combatant: Combatant, mph: Fraction) -> Stride:
    limits = (profile_of(combatant).full_speed, moves.speed_of(combatant, "half"))
    most = full_stride(mph, limits, fighter_of(combatant).streak > 0, settings_of(state).pulse_distance)
    left = exact(paths.feet_left(state, combatant))
    return most if most.feet <= left else replace(most, feet=left)


@lru_cache
def full_stride(speed: Fraction, limits: tuple[Fraction, Fraction], running: bool, distance: PulseDistance) -> Stride:
    """A Pulse at a speed, without regard to the movement left; limits are full and half speed (CS-231, CS-234)."""
    full, half = limits
    pace = ranges.pace(speed, full, int(running), half)
    return Stride(Fraction(pace.mph), Fraction(ranges.pulse_reach(pace.mph, distance).feet), pace.capped)


def has_moved_in_pulse(state: FightState, combatant: Combatant) -> bool:
    """Whether a combatant has moved in the running Pulse (CS-232)."""
    return fighter_of(combatant).ran == paths.pulse_count(state)


def _can_walk_on(state: FightState, combatant: Combatant) -> bool:
    if not combatant.able or not paths.has_plan(combatant):
        return False
    if has_moved_in_pulse(state, combatant):
        return fighter_of(combatant).rest > 0
    free = all(check.holds for check in paths.footing_checks(combatant))
    return free and paths.feet_left(state, combatant) > 0


def _move_in_pulse(decision: Decision, combatant: Combatant, ground: Ground | None) -> None:
    state = decision.state
    if has_moved_in_pulse(state, combatant):
        feet = exact(fighter_of(combatant).rest)
        pace = Stride(exact(fighter_of(combatant).speed), feet, capped=False)
    else:
        pace = _stride_of(state, combatant, moves.planned_speed(combatant))
    if ground is None or not fighter_of(combatant).plan:
        feet = min(pace.feet, exact(fighter_of(combatant).plan_feet))
        left = max(0.0, paths.round_measure(fighter_of(combatant).plan_feet - float(feet)))
        leg = Walk((), in_thousandths(feet), over=left == 0)
        decision.emit(*_record_stride(state, combatant, leg, pace, {"plan_feet": left}))
        return
    _move_on_board(decision, combatant, ground, pace)


def _move_on_board(decision: Decision, combatant: Combatant, ground: Ground, pace: Stride) -> None:
    state = decision.state
    plan = moves.way_from_here(state, combatant)
    leg = paths.walk(
        ground, combatant, paths.places_of_way(state, plan), in_thousandths(pace.feet),
        carry=in_thousandths(fighter_of(combatant).carry), met_before=places.foes_met(state, combatant),
        stops=lambda foe: paths.is_stopping_mover(state, combatant, state.combatants[foe]),
    )  # fmt: skip
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
        decision.emit(*places.restore_distance(combatant))
    foes = (*leg.passed, *leg.met)
    if foes:
        paths.cross_paths(decision, decision.state.combatants[combatant.id], foes, in_feet(leg.used))


def _record_stride(
    state: FightState,
    combatant: Combatant,
    leg: Walk,
    pace: Stride,
    changes: Mapping[str, Json],
    facing: int | None = None,
) -> Events:
    has_moved_before, has_moved = has_moved_in_pulse(state, combatant), leg.used > 0 or bool(leg.path)
    streak, sprint = fighter_of(combatant).streak, fighter_of(combatant).sprint
    if not has_moved_before:
        streak = ranges.streak_after(streak, has_moved)
        sprint = sprint + 1 if has_moved and pace.mph >= profile_of(combatant).full_speed else 0
    traits = {
        "moved": paths.round_measure(fighter_of(combatant).moved + in_feet(leg.used)),
        "ran": paths.pulse_count(state),
        "streak": streak,
        "sprint": sprint,
        "rest": 0.0,
        **(
            {"speed": paths.round_measure(pace.mph), "rate": moves.rate_label(combatant, pace.mph)} if has_moved else {}
        ),
        **changes,
    }
    foot_event = events.Footed(who=combatant.id, traits=traits)
    if not has_moved and not (leg.blocked and fighter_of(combatant).streak):
        return (foot_event,)
    move_event = events.PulseMoved(
        who=combatant.id, hexes=len(leg.path), feet=in_feet(leg.used), path=leg.path,
        facing=combatant.facing if facing is None else facing, mph=paths.round_measure(pace.mph),
        pulse=battle_of(state).pulse, capped=pace.capped, blocked=leg.blocked,
    )  # fmt: skip
    return (move_event, foot_event)


def run_pulse(decision: Decision) -> None:
    """Move all on their planned paths for one second, in order, until a combatant may interrupt (CS-232, CS-236)."""
    state = decision.state
    paths.resume_movement(decision)
    ground = Ground(decision.state) if state.board is not None else None
    moved = [each for each in decision.state.combatants.values() if has_moved_in_pulse(state, each)]
    unfinished_ids = [each.id for each in moved if _can_walk_on(decision.state, each)]
    others = [combatant_id for combatant_id in queries.movers_of(state) if combatant_id not in unfinished_ids]
    for combatant_id in (*unfinished_ids, *others):
        combatant = decision.state.combatants[combatant_id]
        if not _can_walk_on(decision.state, combatant):
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
    away = [combatant for combatant in stationary if not _is_at_target(state, combatant)]
    decision.emit(*queries.reset_trait(away, "sprint", 0))
    for name, value in (("streak", 0), ("carry", 0.0)):
        decision.emit(*queries.reset_trait(stationary, name, value))
    decision.emit(*paths.forget_parted_pairs(decision.state))
    decision.emit(*places.drop_lost_pairs(decision.state))
    moves.at_end_of_pulse(decision)


def _is_at_target(state: FightState, combatant: Combatant) -> bool:
    """CS-539: whether a run ends, right before the blow, in melee or within the weapon's reach (CS-250)."""
    action = queries.action_of(combatant)
    if not action.is_open or action.kind not in queries.ATTACKS:
        return False
    gaps = [places.zone_gap(state, combatant, target) for target in queries.targets_of(state, action)]
    long = places.longest_ready(combatant)
    on_board = state.board is not None and combatant.at is not None
    return not on_board or any(gap is not None and (gap < places.RANGED_GAP or gap <= long) for gap in gaps)


def is_over(state: FightState) -> bool:
    """Whether everybody who moves in the running Pulse has moved."""
    return not battle_of(state).interrupted and not any(
        _can_walk_on(state, combatant) for combatant in queries.all_able(state)
    )


def run_checks(state: FightState) -> tuple[Check, ...]:
    """CS-230: Pulses must be running."""
    is_now, later = queries.kind_of(state) == queries.PULSE, "all declare first; then the Pulses run"
    return (
        Check(settings_of(state).pulse_movement, "CS-230", "there are no Pulses in this contest", ("move",)),
        Check(is_now, "CS-230", later, ("advance",)),
        question_check(state),
    )


# Moving by hand


def _pulse_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-232, CS-235, CS-437: one moves once in a Pulse, in roster order, while nobody is interrupted."""
    stopped_id = battle_of(state).interrupted
    has_moved, moved = has_moved_in_pulse(state, combatant), f"{combatant.name} has already moved in this Pulse"
    return (
        Check(not has_moved, "CS-232", moved, ("the next Pulse",)),
        Check(not stopped_id, "CS-437", "an Opportunity Action comes first", ("opportunity", "let_pass", "advance")),
        *paths.footing_checks(combatant),
        *_order_checks(state, combatant),
        question_check(state),
    )


def _order_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-232: a combatant moves after those above with planned paths, and before those below."""
    movers, people = queries.movers_of(state), state.combatants
    place = movers.index(combatant.id) if combatant.id in movers else len(movers)
    above = next((each for each in movers[:place] if _can_walk_on(state, people[each])), "")
    below = next((each for each in movers[place + 1 :] if has_moved_in_pulse(state, people[each])), "")
    before = f"{name_of(state, above)} moves before {combatant.name} in each Pulse"
    after = f"{name_of(state, below)} comes after {combatant.name} and has already moved"
    return (
        Check(not above, "CS-232", before, (above, "advance")),
        Check(not below, "CS-232", after, ("the next Pulse",)),
    )


def decide_move(decision: Decision, command: Move) -> None:
    """Move: for a second in a Pulse, as a plan before Pulses, else at once."""
    state = decision.state
    combatant = decision.combatant(command.who)
    if queries.kind_of(state) == queries.PULSE:
        _move_by_hand(decision, combatant, command)
    elif settings_of(state).pulse_movement and paths.are_pulses_to_come(state):
        plan = commands.Plan(who=combatant.id, path=command.path, to=command.to, feet=command.feet, speed=command.speed)
        moves.decide_plan(decision, plan)
    else:
        moves.decide_inline(decision, command)


def _move_by_hand(decision: Decision, combatant: Combatant, command: Move) -> None:
    state = decision.state
    enforce(_pulse_checks(state, combatant), decision.referee)
    mph = moves.speed_of(combatant, command.speed)
    if places.can_measure(state, combatant):
        way = moves.way_of(state, combatant, command.path, command.to)
        decision.emit(*moves.plan_way(state, combatant, way, mph, decision.referee))
        here = decision.state.combatants[combatant.id]
        _move_in_pulse(decision, here, Ground(decision.state))
        return
    pace = _stride_of(state, combatant, mph)
    feet = pace.feet if command.feet is None else exact(moves.typed_feet(command))
    if feet > pace.feet and not pace.capped:
        reach = f"{float(pace.feet):g} ft"
        decision.referee.require(
            False, "CS-231", f"{combatant.name} can move {reach} in this Pulse, not {float(feet):g}", f"at most {reach}"
        )
    elif feet > pace.feet:
        feet = pace.feet
    decision.emit(*_record_stride(state, combatant, Walk((), in_thousandths(feet), over=True), pace, paths.NO_WAY))
    foe = combatant_of(state, command.meets) if command.meets else None
    if foe is not None:
        if foe.side == combatant.side:
            raise Refused("CS-236", f"{foe.name} is on {combatant.name}'s side", ("a foe",), final=True)
        paths.cross_paths(decision, decision.state.combatants[combatant.id], (foe.id,), paths.round_measure(feet))


@handles(commands.Resume)
def decide_resume(decision: Decision, command: commands.Resume) -> None:
    """CS-440, CS-448: a combatant who was stopped continues at once, or stays."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    is_stopped = (
        battle_of(state).interrupted == combatant.id or fighter_of(combatant).rest > 0 or paths.has_plan(combatant)
    )
    if not is_stopped:
        raise Refused("CS-440", f"nothing has stopped {combatant.name}", ("plan", "move"), final=True)
    enforce((question_check(state),), referee)
    about = [prompt for prompt in paths.opportunity_prompts(state) if combatant.id in concerns(prompt)]
    decision.emit(*record_moot(about, "movement continues"))
    if not command.on:
        paths.stop_movement(decision, combatant)
        paths.resume_movement(decision)
        return
    paths.resume_movement(decision)
    here = decision.state.combatants[combatant.id]
    if queries.kind_of(state) == queries.PULSE and _can_walk_on(decision.state, here):
        ground = Ground(decision.state) if places.can_measure(decision.state, here) else None
        _move_in_pulse(decision, here, ground)
    else:
        moves.finish_moves(decision, [x for x in moves.interrupted_movers(decision.state) if x.id == combatant.id])


def resolve_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-092 to CS-094: a combatant resolves a due Action in Resolution, on its own turn."""
    return queries.turn_last(*small_acts.due_checks(state, combatant), question_check(state))


@handles(commands.Resolve)
def decide_resolve(decision: Decision, command: commands.Resolve) -> None:
    """Resolve the due Action: an attack, a check, or a GM ruling (CS-092)."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    action, checks = queries.action_of(combatant), resolve_checks(state, combatant)
    enforce((check for check in checks if not check.is_turn), referee)
    turn_checks = tuple(check for check in checks if check.is_turn)
    if action.kind not in queries.ATTACKS:
        enforce(turn_checks, referee)
        _settle_act(decision, combatant, action, command)
        return
    blow = declared_blow(state, combatant, action, command)
    enforce(condition.line_checks(combatant, condition.clean_line(command.line)), referee)
    enforce(attack_checks(state, combatant, action, blow, is_named=bool(command.target)), referee)
    enforce(turn_checks, referee)
    decision.emit(*surprises.apply_turn(state, combatant, action, (blow.target,)))
    strikes.strike_now(decision, blow, strikes.overrides_of(command))
    if combatant.hidden and not blow.ranged:
        # Seen after the blow, since nobody defends against who is not seen. Only a shot may leave one unseen (CS-265).
        decision.emit(Detected(who=combatant.id, cause="acts from hiding"))


# Acts other than attacks


def _settle_act(decision: Decision, combatant: Combatant, action: Action, command: commands.Resolve) -> None:
    """Resolve a task or another act, by GM ruling or a check of AV against DV (CS-127)."""
    state = decision.state
    skill = action.skill if command.av is None else command.av
    dv = action.dv if command.dv is None else command.dv
    if command.dv is not None and action.double_time:
        dv = taking_time(command.dv, action.need).dv
    needs_dice = skill is not None or dv is not None or command.chance is not None or command.hit is not None
    if not needs_dice:
        decision.emit(*small_acts.settle_action(state, combatant, queries.DONE, command.outcome or "done"))
        return
    total = act_sum(state, combatant, skill, Overrides(modifier=command.modifier, reason=command.reason))
    numbers = strikes.format_numbers(None if total is None else rolls.rounded(total), dv)
    verdict = rolls.make_check(
        decision, combatant.id, "check", total, dv, "CS-127",
        f"{combatant.name}, {action.text or action.kind}: {numbers}",
        parts=_dv_parts(combatant, dv), chance=command.chance, hit=command.hit,
    )  # fmt: skip
    if verdict is not None:
        how, combatant = queries.DONE if verdict.ok else queries.FAILED, decision.state.combatants[combatant.id]
        decision.emit(*small_acts.settle_action(decision.state, combatant, how, command.outcome or how))


def act_sum(state: FightState, combatant: Combatant, skill: int | None, overrides: Overrides) -> Sum | None:
    """The AV of an act, less Surprise and pain (CS-068, CS-613), or None; STR is effective STR (CS-537, CS-622)."""
    label, rule = _value_and_rule(combatant)
    if skill is not None:
        total = Sum((Part(label, skill, rule),))
    elif label == STRENGTH:
        total = condition.score_sum(state, combatant, "str", rule)
    else:
        return None
    plain = condition.add_deed(combatant, condition.AV, total)
    return overrides.ruled_av(condition.subtract_penalties(state, combatant, plain, defensive=False))


STRENGTH = "STR"
"""The name of STR in the checks of acts that need it."""


def _value_and_rule(combatant: Combatant) -> tuple[str, str]:
    """What an act is rolled with, and its rule: STR if its own check needs it (CS-139, CS-397)."""
    action = queries.action_of(combatant)
    keys = small_acts.keys_of(action.components)
    if weapon_uses.cocking_dv(combatant, action.weapon, keys):
        return STRENGTH, "CS-397"
    return (STRENGTH, "CS-139") if STRING_BOW in keys and action.dv is not None else ("skill", "CS-127")


def _dv_parts(combatant: Combatant, dv: int | None) -> rolls.Parts:
    if dv is None:
        return ()
    action = queries.action_of(combatant)
    keys = small_acts.keys_of(action.components)
    if weapon_uses.cocking_dv(combatant, action.weapon, keys) == dv:
        label, rule = weapon_uses.cocking_method(combatant, action.weapon, keys)
        return ((label, str(dv), rule),)
    return (("the bow's strength", str(dv), "CS-139"),) if STRING_BOW in keys else (("DV", str(dv), "CS-127"),)


def declared_blow(state: FightState, combatant: Combatant, action: Action, command: commands.Resolve) -> Blow:
    """The attack of the due Action, with what a command adds."""
    weapon = _weapon_now(combatant, action, command.weapon)
    # The second target is the second weapon's (CS-342).
    aims = [each for each in action.targets if each in state.combatants]
    target = command.target or (aims[1] if len(aims) > 1 and weapon == action.second else next(iter(aims), ""))
    if not target:
        foe_ids = foes_in_reach(state, combatant, action, command)
        why = "who is attacked?" if foe_ids else f"no one is in {combatant.name}'s reach"
        raise Refused("CS-342", why, foe_ids or ("abort",), final=True)
    mode = (command.mode or action.mode) if action.kind == queries.COMBINATION else ""
    thing = item_of(combatant, weapon)
    extra = action.kind == queries.COMBINATION and weapon not in (action.weapon, action.second)
    default_attack = action.attack if weapon == action.weapon and action.attack else ""
    attack_key = settings.attack_key(state, command.attack)
    attack = attack_key or default_attack or attack_values.default_type(state, combatant, queries.STRIKE, thing)
    second = action.second if weapon == action.weapon else action.weapon
    plain_blow = Blow(
        attacker=combatant.id, target=combatant_of(state, target).id, kind=flight_of(action.kind), weapon=weapon,
        second="" if extra or (not mode and action.kind != queries.COMBINATION) else second, attack=attack,
        mode="" if extra else mode, feet=-1.0 if command.distance is None else command.distance,
        arrow_head=command.arrow_head or (action.arrow_head if weapon == action.weapon else ""),
    )  # fmt: skip
    plain_blow = bare_if_unarmed(state, plain_blow)
    guard = defences.read_guard(state, plain_blow, command.defence)
    blow = with_harm(state, replace(plain_blow, guard=guard), command)
    # Declared words go with the first attack of the Action (CS-510).
    return blow if blow.line or action.struck else replace(blow, line=action.line)


def foes_in_reach(
    state: FightState, combatant: Combatant, action: Action, command: commands.Resolve, *, fallen: bool = False
) -> tuple[str, ...]:
    """The foes whom the due attack could be made on instead of its target (CS-342); with `fallen`, those down."""

    def is_possible(foe: Combatant) -> bool:
        blow = declared_blow(state, combatant, action, replace(command, target=foe.id, defence=""))
        checks = attack_checks(state, combatant, action, blow, mode_asked=True, is_named=True)
        return first_broken(checks) is None

    standing = (other for other in queries.all_able(state) if state.are_foes(combatant.id, other.id))
    foes = queries.fallen_foes(state, combatant) if fallen else standing
    return tuple(foe.id for foe in foes if is_possible(foe))


def _weapon_now(combatant: Combatant, action: Action, weapon_name: str) -> str:
    """The weapon to attack with now: as named, else the first declared one that has not struck."""
    if weapon_name:
        return items.name_of(items.find_item(combatant, weapon_name))
    weapon = action.weapon or items.weapon_for(combatant, action.kind, "")
    used_hands = action.struck
    is_second_left = action.second and action.mode != CONCERT
    hand = attack_values.hand_of(combatant, item_of(combatant, weapon))
    return action.second if is_second_left and hand in used_hands else weapon


def attack_checks(
    state: FightState,
    combatant: Combatant,
    action: Action,
    blow: Blow,
    *,
    mode_asked: bool = False,
    is_named: bool = False,
) -> tuple[Check, ...]:
    """All checks of an attack of the due Action.

    `mode_asked`: a Combination's mode will be asked for. `is_named`: its target is chosen now, though it may be down
    (A-15).
    """
    knowingly = is_named or (action.on_fallen and blow.target in action.targets)
    combination = action.kind == queries.COMBINATION and not strikes.is_extra(action, blow)
    has_mode = bool(blow.mode) or not mode_asked
    checks = (
        *_extra_checks(state, combatant, action, blow),
        *attack_values.blow_checks(
            state, blow, used_hands=action.struck, combination=combination and has_mode, knowingly=knowingly
        ),
        *shooting.ready_checks(combatant, replace(action, weapon=blow.weapon)),
    )
    standing = attack_values.standing_check(state.combatants[blow.target], knowingly=knowingly)
    if not standing.holds and not foes_in_reach(state, combatant, action, commands.Resolve(who=combatant.id)):
        others = (each for each in standing.accepts if each != ANOTHER_TARGET)
        message = f"{standing.message}, and no one else is in reach"
        alone = replace(standing, message=message, accepts=(*others, "abort"))
        checks = tuple(alone if check == standing else check for check in checks)
    is_as_declared = blow.target in action.targets and blow.weapon in (action.weapon, action.second)
    set_aside = action.overruled if is_as_declared else ()
    return tuple(check for check in checks if check.rule not in set_aside)


def _extra_checks(state: FightState, combatant: Combatant, action: Action, blow: Blow) -> tuple[Check, ...]:
    """CS-340, CS-341, CS-370: the weapon was declared, or is a Brawler's extra in close melee."""
    if blow.weapon in (action.weapon, action.second) or not action.weapon:
        return (attack_values.concert_check(action, blow.mode),)
    weapons = tuple(name for name in (action.weapon, action.second) if name)
    if action.kind != queries.COMBINATION:
        return (Check(not action.struck, "CS-341", f"{blow.weapon} was not declared", weapons),)
    return (
        Check(strikes.is_brawler(combatant), "CS-370", f"{combatant.name} isn't a Brawler", weapons),
        Check(KICK not in action.struck, "CS-370", "only one extra kick, stomp or knee", ("the next Action",)),
        Check(strikes.is_in_close(state, blow), "CS-370", f"{combatant.name} is not in close melee", ("get inside",)),
    )


UNSETTLED, NO_WAY = "unsettled", "no_way"
"""The kinds of questions: about a due Action, and about an attack without movement."""

SETTLE, GO = "settle", "go"


# Before a due Action goes unsettled


def is_asked(state: FightState, combatant: Combatant) -> bool:
    """Whether the question about what is due has been asked, and nothing of it was resolved since."""
    question = UnsettledAction(struck=queries.action_of(combatant).struck)
    return any(each.resume == question for each in state.prompts if each.kind == UNSETTLED and each.who == combatant.id)


def open_question(state: FightState, combatant: Combatant) -> Prompt | None:
    """The question before play continues over a due attack or check; None if nothing would be lost."""
    action = queries.action_of(combatant)
    # Of two declared weapons one may have struck, and the other not (CS-341).
    has_second_left = bool(action.struck) and action.second in strikes.more_to_strike(state, combatant)
    if not small_acts.is_lost_if_skipped(action) and not has_second_left:
        return None
    against = _why_not_settled(state, combatant)
    why = f" As things stand: {against}." if against else ""
    ways = () if against else (f"{SETTLE}:resolve it as declared",)
    return prompt_for(
        combatant, kind=UNSETTLED,
        question=f"{combatant.name} hasn't resolved {describe_activity(combatant)}.{why} Skip it?", rule="CS-092",
        choices=choices(f"{GO}:skip it:y", *ways), default=GO, blocking=False,
        resume=UnsettledAction(struck=action.struck),
    )  # fmt: skip


def _why_not_settled(state: FightState, combatant: Combatant) -> str:
    action = queries.action_of(combatant)
    if action.kind not in queries.ATTACKS:
        return ""
    if not queries.targets_of(state, action):
        return "it has no target"
    mode = SEPARATE if action.kind == queries.COMBINATION and not action.mode else ""
    blow = declared_blow(state, combatant, action, commands.Resolve(who=combatant.id, mode=mode))
    broken = first_broken(attack_checks(state, combatant, action, blow))
    return f"{broken.message} ({broken.rule})" if broken is not None else ""


def way_questions(state: FightState) -> tuple[Prompt, ...]:
    """Warnings about attacks without the movement they need, if there are no Pulses (CS-090, CS-539)."""
    people = () if settings_of(state).pulse_movement else queries.people_in_step(state)
    return tuple(
        prompt_for(
            combatant, kind=NO_WAY, question=f"{combatant.name} {why}, or the attack fails",
            rule="CS-539" if queries.action_of(combatant).kind == queries.CHARGE else "CS-090",
            choices=choices(f"{GO}:noted:y"), default=GO, blocking=False,
        )
        for combatant in people
        if (why := missing_for_attack(state, combatant))
    )  # fmt: skip


def missing_for_attack(state: FightState, combatant: Combatant) -> str:
    """What an attack declared in the running step lacks; empty for nothing."""
    step, action = state.step, queries.action_of(combatant)
    declares = step is not None and (combatant.id == step.actor or fighter_of(combatant).inserted == step.id)
    due = small_acts.due_slot(state, combatant, action) if declares and action.is_open else None
    if due is None or not action.cs == due.segment == state.round:
        return ""
    if settings_of(state).pulse_movement or action.kind not in queries.ATTACKS:
        # In the Pulses attackers and chargers go for their target without being told.
        return ""
    if action.kind == queries.CHARGE:
        near = any(places.is_engaged(state, combatant, target) for target in queries.targets_of(state, action))
        return "" if near or fighter_of(combatant).moved else "charges but hasn't run: move first"
    far_blow = next(
        (blow for blow in declarations.declared_blows(state, combatant, action) if must_walk(state, blow)), None
    )
    return f"can't reach {state.combatants[far_blow.target].name} from here: move first" if far_blow is not None else ""


def must_walk(state: FightState, blow: Blow) -> bool:
    """Whether the attacker does not reach the target from here, and can come nearer before the blow."""
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    if blow.ranged:
        return False
    is_out_of_reach = first_broken(attack_values.reach_checks(state, combatant, target, blow)) is not None
    return is_out_of_reach and declarations.is_walking_up(state, blow)


def ask_unsettled(decision: Decision, question: Prompt) -> None:
    """Give up the due Action, or resolve it as declared."""
    answer = decision.ask(question)
    if answer is not None and answer.choice == SETTLE:
        decide_resolve(decision, commands.Resolve(who=question.who))
    elif answer is not None:
        decision.emit(*small_acts.pass_over_events(decision.state, decision.state.combatants[question.who]))
