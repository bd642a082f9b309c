"""Shots: readying the weapon, landing, the search for a hidden shooter, stray fire (CS-255..285, CS-395, CS-525)."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine.board.base import Location
from fightcall_engine.board.kinds import hex_board
from fightcall_engine.kit.decision import Decision, concerns, record_answer
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.records import combatant_of, name_of, resume_of
from fightcall_engine.kit.views import Check
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Resume, Scalar
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.systems.segments.combat import attack_values, defences, feats, hit_effects, wound_effects
from fightcall_engine.systems.segments.rules import ranges
from fightcall_engine.systems.segments.rules.formulas import Sum, exact
from fightcall_engine.systems.segments.rules.ranges import InLine, Zone
from fightcall_engine.systems.segments.state import events, items, places, queries, records, rolls, weapon_uses
from fightcall_engine.systems.segments.state.commands import Stray
from fightcall_engine.systems.segments.state.condition import RESTRICTED_DEGREES, noticing_sum
from fightcall_engine.systems.segments.state.queries import ABORTED, DONE, FAILED, LOST, RANGED, SHOOT, action_of
from fightcall_engine.systems.segments.state.records import Action, Blow, Flying, battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import AskedCheck
from fightcall_engine.systems.segments.state.small_acts import STRING_BOW, find_component, keys_of

LINE_OFFER = "stray_line"
"""The kind of the question who stands in line."""

NOBODY = "nobody"
_ROW_HEIGHT = 3**0.5 / 2  # in hexes


def is_impact_due(state: FightState) -> bool:
    """Whether a shot lands in this segment."""
    return any(shot.due <= state.round for shot in battle_of(state).impacts)


def land_shots(decision: Decision) -> None:
    """Land all shots that are due, in the order in which they were made."""
    for shot in battle_of(decision.state).impacts:
        if shot.due > decision.state.round:
            continue
        blow, before = shot.blow, battle_of(decision.state).impacts
        rest = list(before)
        rest.remove(shot)
        decision.emit(events.ImpactDue(before=before, value=tuple(rest), who=blow.attacker, target=blow.target))
        if {blow.attacker, blow.target} <= decision.state.combatants.keys():
            _land(decision, blow, shot.margin, late=True)


def land_blow(decision: Decision, blow: Blow, margin: int, hit: type[events.Hit] = events.Hit) -> None:
    """CS-477: land a blow now; a distant shot lands in the next segment (CS-285)."""
    state = decision.state
    if not (blow.ranged and attack_values.lands_late(state, blow)):
        _land(decision, blow, margin, hit)
        return
    feet, before = attack_values.distance_of(state, blow), battle_of(state).impacts
    flying_blow = replace(
        hit_effects.with_strength(state, blow), feet=blow.feet if feet is None else float(feet),
        rise=float(attack_values.rise_of(state, blow)),
    )  # fmt: skip
    value = (*before, Flying(state.round + 1, margin, flying_blow))
    decision.emit(
        events.ImpactScheduled(before=before, value=value, who=blow.attacker, target=blow.target, due=state.round + 1)
    )


def _land(
    decision: Decision, blow: Blow, margin: int, hit: type[events.Hit] = events.Hit, *, late: bool = False
) -> None:
    name = blow.attacker
    decision.emit(hit(who=name, attacker=name, target=blow.target, weapon=blow.weapon, margin=margin))
    decision.spawn(feats.resolve_hit, blow, late)


# Shots after they are loosed


def is_sniping(combatant: Combatant) -> bool:
    """CS-264: whether a hidden combatant means to shoot or hurl."""
    action = action_of(combatant)
    return combatant.hidden and action.is_open and action.kind in RANGED


def notice_shooter(decision: Decision, blow: Blow) -> None:
    """After a shot, a target that is not surprised makes an AWA check to find a hidden shooter (CS-265).

    One who has dodged the shot is aware of the shooter from then on, even behind (CS-501).
    """
    state = decision.state
    shooter, combatant = weapon_uses.people_of(state, blow)
    if not (blow.ranged and combatant.able and state.are_foes(shooter.id, combatant.id)):
        return
    if places.has_noticed(combatant, shooter):
        if attack_values.case_of(state, blow) == attack_values.AWARE:
            decision.emit(*places.make_aware(combatant, shooter))
    elif fighter_of(combatant).surprise not in RESTRICTED_DEGREES:
        decision.spawn(_look_for, combatant.id, shooter.id)


def _look_for(decision: Decision, combatant_id: str, sniper_id: str) -> None:
    """CS-265: those who find the shooter can shoot back; to others it stays hidden."""
    combatant = decision.state.combatants[combatant_id]
    total = noticing_sum(decision.state, combatant)
    verdict = rolls.make_check(
        decision, combatant_id, "AWA", total, None, "CS-265",
        f"{combatant.name} looks for the shooter: {total.parts[0].label} {rolls.rounded(total)}",
        owed=True, blocking=False, about=(sniper_id,),
    )  # fmt: skip
    if verdict is None or not verdict.ok:
        return
    sniper, combatant = decision.state.combatants[sniper_id], decision.state.combatants[combatant_id]
    if not places.has_noticed(combatant, sniper):
        decision.emit(*places.make_aware(combatant, sniper))


def clear_noticed(decision: Decision, combatant_id: str) -> None:
    """Clear who has noticed a combatant that shows itself, or hides again: then all see it, or nobody does."""
    for combatant in decision.state.combatants.values():
        if combatant_id in fighter_of(combatant).aware_of:
            decision.emit(*queries.set_traits(combatant, aware_of=places.noticed_without(combatant, combatant_id)))


# Stray fire


@frozen
class Ahead:
    """A combatant in line, with the feet from the shooter, or None."""

    who: str
    feet: Fraction | None = None


@frozen
class Shot:
    """A shot that has missed and flies on: aimed at the last one missed, with those still ahead, nearest first."""

    blow: Blow
    original: str
    av: int | None
    ahead: tuple[Ahead, ...] = ()


class StrayCheck(AskedCheck):
    """The check of a combatant in the line of a shot that flies on (CS-526)."""

    shot: Shot

    @property
    def subjects(self) -> tuple[str, ...]:
        """The shooter, and the one checked."""
        return (self.shot.blow.attacker, self.shot.blow.target)


RESUMES: tuple[type[Resume], ...] = (StrayCheck,)


def _stray_candidates(state: FightState, blow: Blow) -> tuple[str, ...]:
    return tuple(each.id for each in queries.all_able(state) if each.id not in (blow.attacker, blow.target))


def combatants_in_line(state: FightState, blow: Blow) -> tuple[Ahead, ...]:
    """CS-525, CS-527: those beyond the target whose Zones the line of fire crosses, within the range band.

    Distances are the board's; if the GM has changed the target's, the others change with it. Whatever hides a combatant
    in line from the shooter also stops the shot, unless it is lobbed (CS-251, CS-266).
    """
    combatant, target = weapon_uses.people_of(state, blow)
    shooter, aim = zone_of(state, combatant), zone_of(state, target)
    others = [state.combatants[combatant_id] for combatant_id in _stray_candidates(state, blow)]
    zones = [zone for other in others if (zone := zone_of(state, other)) is not None]
    if shooter is None or aim is None:
        return ()
    shot_ft = attack_values.distance_of(state, blow)
    target_ft = places.distance_ft(state, combatant, target)
    if shot_ft is None or target_ft is None:
        return ()
    line = []
    for figure in ranges.line_of_fire(shooter, aim, zones):
        other = state.combatants[figure.who]
        feet = places.distance_ft(state, combatant, other)
        if feet is not None and attack_values.has_clear_line(state, combatant, other, blow.weapon):
            line.append(InLine(figure.who, max(shot_ft, feet + shot_ft - target_ft)))
    end_ft = band_end_ft(state, blow, shot_ft)
    return tuple(Ahead(figure.who, Fraction(figure.distance)) for figure in ranges.stray_targets(line, shot_ft, end_ft))


def band_end_ft(state: FightState, blow: Blow, feet: Fraction) -> Fraction | None:
    """CS-527: feet from the shooter to the end of the target's range band; None if extreme or unknown."""
    reach = attack_values.reach_of(state, blow)
    end = None if reach is None else ranges.band_end(ranges.in_unit(feet, reach.unit), reach)
    if reach is None or end is None:
        return None
    return Fraction(end) * (1 if reach.unit == "ft" else ranges.FEET_A_YARD)


def zone_of(state: FightState, combatant: Combatant) -> Zone | None:
    """A combatant's Zone, a circle in feet; None without a place on a board with distances (CS-682)."""
    if combatant.at is None or not places.can_measure(state, combatant):
        return None
    x, y = middle_of(state, combatant.at)
    return Zone(combatant.id, x, y, float(profile_of(combatant).height))


def middle_of(state: FightState, place: Location) -> tuple[float, float]:
    """The middle of a place in feet, east and south of the board's first."""
    place_ft = float(places.feet_per_place(state.board))
    column, row = (0, 0) if isinstance(place, str) else (place[0], place[1])
    if state.board is not None and hex_board(state.board) is not None:
        # Hex coordinates are axial: each row begins half a hex further east than the one before.
        return (column + row / 2) * place_ft, row * _ROW_HEIGHT * place_ft
    return column * place_ft, row * place_ft


def begin_stray_fire(decision: Decision, blow: Blow, av: int | None) -> None:
    """CS-525, CS-528: let a shot that missed fly on: check those beyond its target, or ask the GM who they are."""
    state = decision.state
    combatant, target = weapon_uses.people_of(state, blow)
    # Words that went with it are lost with the miss (CS-512).
    shot = Shot(replace(blow, harm="", guard=None, barrier=None, shield=None, line=""), target.id, av)
    if places.can_measure(state, combatant, target):
        line = combatants_in_line(state, blow)
        if line:
            decision.emit(_queue_event(shot, line))
            decision.spawn(_fly_on, replace(shot, ahead=line))
    elif _stray_candidates(state, blow):
        decision.spawn(_ask_line, shot)


def _queue_event(shot: Shot, ahead: tuple[Ahead, ...]) -> events.StrayFireQueued:
    line = tuple(each.who for each in ahead)
    return events.StrayFireQueued(who=shot.blow.attacker, target=shot.original, line=line)


def _ask_line(decision: Decision, shot: Shot) -> None:
    combatant, target = weapon_uses.people_of(decision.state, shot.blow)
    answer = decision.ask_about(
        combatant, LINE_OFFER, "CS-528",
        f"{combatant.name} misses {target.name}. Who stands in line beyond, nearest first (bo, or bo=240 ft)?",
        NOBODY, default=NOBODY, amount="line", blocking=False, about=(target.id,),
    )  # fmt: skip
    text = answer.value if answer.amount is None else answer.amount
    if answer.choice in ("", NOBODY) or text is None or not str(text).strip():
        return
    people = [_figure_ahead(decision.state, shot.blow, word) for word in str(text).replace(",", " ").split()]
    first_mention = {each.who: each for each in reversed(people)}
    ahead = _within_band(decision.state, shot.blow, tuple(each for each in people if first_mention[each.who] is each))
    decision.emit(_queue_event(shot, ahead))
    _fly_on(decision, replace(shot, ahead=ahead))


def _fly_on(
    decision: Decision, shot: Shot, owed: bool = True, chance: int | None = None, hit: bool | None = None
) -> None:
    """CS-526, CS-527: check those in line until one is hit; the GM's numbers and the guard are those of the first."""
    ahead, guard = shot.ahead, shot.blow.guard
    while ahead := tuple(each for each in ahead if each.who in decision.state.combatants):
        state, here, ahead = decision.state, ahead[0], ahead[1:]
        if shot.blow.attacker not in state.combatants:
            return
        if not state.combatants[here.who].able:
            continue
        # A distance below 0 in a blow is unknown.
        feet = -1.0 if here.feet is None else float(here.feet)
        now = replace(shot, blow=replace(shot.blow, target=here.who, feet=feet, guard=guard), ahead=ahead)
        total = dv_of(state, now)
        dv = None if total is None else rolls.rounded(total)
        verdict = rolls.make_check(
            decision, shot.blow.attacker, "stray shot", shot.av, dv, "CS-526", _question(state, now, dv),
            owed=owed, parts=() if total is None else rolls.parts_of(total), target=here.who, chance=chance, hit=hit,
            about=tuple(each.who for each in ahead), asked=StrayCheck(shot=now),
        )  # fmt: skip
        if verdict is None:
            # Somebody in line has left: ask again about those who are left.
            ahead = (here, *ahead)
            continue
        owed, chance, hit, guard = True, None, None, None
        guard_now = defences.choose_defence(decision.state, now.blow).guard
        blow = replace(now.blow, guard=guard_now)
        decision.emit(events.StrayFireChecked(who=blow.attacker, candidate=blow.target, hit=verdict.ok))
        defences.count_uses(decision, blow, guard_now, "defence")
        defences.pay(decision, blow, guard_now, "defence")
        if verdict.ok:
            land_blow(decision, replace(blow, heroic=verdict.heroic), verdict.margin, events.StrayHit)
            return
    if shot.blow.attacker in decision.state.combatants:
        decision.emit(events.StrayFireSpent(who=shot.blow.attacker, target=shot.original))


def dv_of(state: FightState, shot: Shot) -> Sum | None:
    """CS-526, A-58: the DV of a combatant in line as if it were the target, with its Size, or None."""
    own_dv = defences.choose_defence(state, shot.blow).total
    first, combatant = state.combatants.get(shot.original), state.combatants[shot.blow.target]
    if own_dv is None or first is None:
        return None
    try:
        return ranges.stray_dv(own_dv, profile_of(first).msta, profile_of(combatant).msta, rolls.scale_of(state))
    except ValueError:
        return None


def _question(state: FightState, shot: Shot, dv: int | None) -> str:
    combatant, target = weapon_uses.people_of(state, shot.blow)
    flight = attack_values.describe_flight(state, shot.blow)
    numbers = f"AV {'?' if shot.av is None else shot.av} against DV {'?' if dv is None else dv}"
    return f"Stray: {combatant.name}'s shot flies on at {target.name}{f', {flight}' if flight else ''}: {numbers}"


def _within_band(state: FightState, blow: Blow, ahead: tuple[Ahead, ...]) -> tuple[Ahead, ...]:
    """CS-525, CS-527: of those with a known distance, those within the range band, nearest first."""
    shot_ft = attack_values.distance_of(state, blow)
    if shot_ft is None:
        return ahead
    end_ft, with_feet = band_end_ft(state, blow, shot_ft), [each for each in ahead if each.feet is not None]
    near = next((each for each in with_feet if each.feet is not None and each.feet < shot_ft), None)
    if near is not None:
        name = name_of(state, near.who)
        accepts = (f"{float(shot_ft):g} ft or more",)
        raise Refused("CS-525", f"{name} stands in front of the target", accepts, final=True)
    within = tuple(each for each in ahead if each.feet is None or end_ft is None or each.feet <= end_ft)
    return within if len(with_feet) < len(ahead) else tuple(sorted(within, key=lambda each: each.feet or 0))


def _figure_ahead(state: FightState, blow: Blow, word: str) -> Ahead:
    """One in line as listed, such as ``bo`` or ``bo=240``, the feet from the shooter."""
    name, _, feet = word.partition("=")
    try:
        distance = Fraction(feet) if feet else None
    except (ValueError, ZeroDivisionError):
        distance = Fraction(-1)
    if distance is not None and not 0 <= distance <= 100_000:
        raise Refused("CS-528", f"{feet!r} is not a distance in feet", (f"{name}=240",), final=True)
    figure_id, others = combatant_of(state, name).id, _stray_candidates(state, blow)
    if figure_id not in others:
        raise Refused("CS-528", f"{name_of(state, figure_id)} isn't standing beyond the target", others, final=True)
    return Ahead(figure_id, distance)


@handles(Stray)
def decide_stray(decision: Decision, command: Stray) -> None:
    """CS-525, CS-528: check the next in line; before any list, `who` is the list."""
    prompts = decision.state.prompts
    listing = next((prompt for prompt in prompts if prompt.kind == LINE_OFFER), None)
    if not any(isinstance(prompt.resume, StrayCheck) for prompt in prompts):
        if listing is None:
            raise Refused("CS-525", "there is no stray shot to follow", ("resolve",), final=True)
        if not command.who:
            others = (each.id for each in queries.all_able(decision.state) if each.id not in concerns(listing))
            raise Refused("CS-528", "who stands in line?", (NOBODY, *others), final=True)
        decision.answer(listing, Answer(prompt=listing.id, choice=command.who, amount=command.who))
        if command.hit is None and command.chance is None:
            return
        command = replace(command, who="")
    prompt = next((each for each in decision.state.prompts if isinstance(each.resume, StrayCheck)), None)
    if prompt is None:
        return
    check = resume_of(prompt, StrayCheck)
    shot = check.shot
    if command.who and combatant_of(decision.state, command.who).id != shot.blow.target:
        raise Refused("CS-527", f"{shot.blow.target} is next in line", (shot.blow.target,), final=True)
    if command.defence:
        # another awareness gives another DV, and a computed chance.
        guard = defences.read_guard(decision.state, shot.blow, command.defence)
        here = Ahead(shot.blow.target, exact(shot.blow.feet) if shot.blow.feet >= 0 else None)
        again = replace(shot, blow=replace(shot.blow, guard=guard), ahead=(here, *shot.ahead))
        decision.emit(record_answer(prompt, "stray", default=False))
        decision.spawn(_fly_on, again, False, command.chance, command.hit)
        return
    if command.hit is None and command.chance is None and check.chance is None:
        raise Refused("R-5", "what is the chance?", ("chance: 0 to 100", "hit"), final=True)
    choice = "stray" if command.hit is None else "made" if command.hit else "failed"
    decision.answer(prompt, Answer(prompt=prompt.id, choice=choice, amount=command.chance))


def ready_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-255, CS-401: the weapon is strung, cocked and loaded when the shot is due, or in the same Action."""
    thing = items.item_named(combatant, action.weapon)
    if action.kind != SHOOT or thing is None:
        return ()
    keys = tuple(piece.key for piece in action.components)
    if not weapon_uses.is_crossbow(thing):
        is_strung = not fighter_of(combatant).unstrung or STRING_BOW in keys
        is_ready = is_strung or not weapon_uses.is_bow(thing)
        return (Check(is_ready, "CS-255", f"{combatant.name}'s bow is not strung", (STRING_BOW,)),)
    # The GM's own words may stand for any of the steps (CS-131).
    has_own_words = any(find_component(key) is None and key not in weapon_uses.STEPS for key in keys)
    state, own = weapon_uses.state_of(combatant), f"{combatant.name}'s {items.name_of(thing)}"
    cocks = weapon_uses.COCK in keys
    is_tool_on = fighter_of(combatant).crossbow_tool or weapon_uses.ATTACH in keys
    has_tool = is_tool_on or (cocks and _leaves_windlass_on(combatant, thing))
    is_tool_off = not has_tool or weapon_uses.DISENGAGE in keys or weapon_uses.DROP_TOOL in keys
    is_loaded = weapon_uses.PLACE in keys or (state in (weapon_uses.UNKNOWN, weapon_uses.LOADED) and not cocks)
    is_cocked = cocks or has_own_words or state != weapon_uses.SPENT
    accepts = (" ".join(weapon_uses.steps_left(combatant, thing)),)
    return (
        Check(is_cocked, "CS-255", f"{own} is not cocked", accepts),
        Check(is_tool_off, "CS-401", f"the tool is still on {own}", (weapon_uses.DISENGAGE, weapon_uses.DROP_TOOL)),
        Check(is_loaded or has_own_words, "CS-401", f"{own} is not loaded", accepts),
    )


def declared_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-255, CS-397: the weapon is ready, or made so in the same Action; a check to cock it is another Action."""
    thing = items.item_named(combatant, action.weapon)
    if action.kind != SHOOT or thing is None:
        return ()
    keys = tuple(piece.key for piece in action.components)
    takes_check = weapon_uses.COCK in keys and weapon_uses.cocking_dv(combatant, items.name_of(thing), keys) > 0
    problem, accepts = "cocking it takes a STR check: cock it first", (f"a task: {weapon_uses.COCK}",)
    return (Check(not takes_check, "CS-397", problem, accepts), *ready_checks(combatant, action))


def _leaves_windlass_on(combatant: Combatant, thing: weapon_uses.Item) -> bool:
    return weapon_uses.cycle_of(combatant, thing, tool=False).disengage > 0


def empty_crossbow(state: FightState, blow: Blow) -> Events:
    """CS-401: the event that a crossbow is empty and uncocked after a shot."""
    combatant = state.combatants[blow.attacker]
    if blow.kind != records.MISSILE or not weapon_uses.is_crossbow(weapon_uses.item_of(combatant, blow.weapon)):
        return ()
    return queries.set_traits(combatant, crossbow=weapon_uses.SPENT, crossbow_tool=False)


def finish_crossbow_action(state: FightState, combatant_id: str) -> Events:
    """The events of a finished Action on a weapon: cocked, loaded, strung. A tool stays on if it is aborted (G-127)."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return ()
    action = action_of(combatant)
    if action.state == ABORTED:
        qa_left, is_on = action.done, False
        for piece in action.components:
            qa_left -= piece.qa
            is_on = is_on or (piece.key == weapon_uses.ATTACH and qa_left >= 0)
        return queries.set_traits(combatant, crossbow_tool=True) if is_on else ()
    has_failed = action.state == FAILED or (action.state == LOST and action.dv is not None)
    is_strung = STRING_BOW in keys_of(action.components) and (action.kind == SHOOT or not has_failed)
    strung = queries.set_traits(combatant, unstrung=False) if is_strung else ()
    thing = weapon_uses.crossbow_of(combatant, action.weapon)
    if thing is None or (action.kind == SHOOT and action.state in (DONE, FAILED)):
        return strung
    traits: dict[str, Scalar] = {}
    for piece in action.components:
        if piece.key == weapon_uses.COCK and has_failed:
            break
        traits.update(_step(combatant, thing, piece.key, traits))
    return (*strung, *queries.set_traits(combatant, **traits))


def _step(combatant: Combatant, thing: weapon_uses.Item, key: str, before: dict[str, Scalar]) -> dict[str, Scalar]:
    if key == weapon_uses.ATTACH:
        return {"crossbow_tool": True}
    if key == weapon_uses.COCK:
        wound = {"crossbow_tool": True} if _leaves_windlass_on(combatant, thing) else {}
        return {"crossbow": weapon_uses.COCKED, "crossbow_days": 0, **wound}
    if key in (weapon_uses.DISENGAGE, weapon_uses.DROP_TOOL):
        return {"crossbow_tool": False}
    if key == weapon_uses.PLACE and before.get("crossbow", weapon_uses.state_of(combatant)) == weapon_uses.COCKED:
        return {"crossbow": weapon_uses.LOADED}
    return {}


def bite_hands(decision: Decision, combatant_id: str) -> None:
    """CS-400: ask for wounds of the hands after a failed try to cock by hand."""
    combatant = decision.state.combatants.get(combatant_id)
    action = None if combatant is None else action_of(combatant)
    if combatant is None or action is None or action.state != FAILED or action.kind == SHOOT:
        return
    keys = keys_of(action.components)
    thing = weapon_uses.crossbow_of(combatant, action.weapon)
    by_tool = weapon_uses.ATTACH in keys or fighter_of(combatant).crossbow_tool
    if weapon_uses.COCK not in keys or thing is None or by_tool or thing.get("builtin") is True:
        return
    answer = decision.ask_about(
        combatant, "bitten", "CS-400",
        f"{combatant.name} fails to cock it by hand. How many wounds does the string cause?",
        "none", default="none", amount="wounds", blocking=False,
    )  # fmt: skip
    if answer.amount not in (None, ""):
        wound_effects.harm_by_gm(decision, decision.state.combatants[combatant_id], answer.amount or 0)
