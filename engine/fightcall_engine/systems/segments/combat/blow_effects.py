"""What follows a blow: its chain, knock-back, offers of Reprisals, and presence attacks (CS-371, CS-481..603).

The words of a presence attack are declared with the attack and kept in its `Blow`. They are lost if it misses (CS-512);
if it gets through, the GM judges them (CS-511), and the check follows.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil

from fightcall_engine.board.base import Location
from fightcall_engine.kit.decision import Decision, concerns, prompt_for, whole
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.movement import contact_events
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Choice, Combatant, FightState, Json, Prompt
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.combat import wound_effects
from fightcall_engine.systems.segments.rules import attacks, wounds
from fightcall_engine.systems.segments.rules.formulas import Part, Sum, exact, rhu
from fightcall_engine.systems.segments.state import commands, condition, events, items, paths, places, queries, rolls
from fightcall_engine.systems.segments.state.records import MIXED, REPRISAL, Blow, Postponed, fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import AskedBlow, AskedCheck, FeetCheck, number_of
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.small_acts import abort_action
from fightcall_engine.systems.segments.state.weapon_uses import STRIKINGS, people_of, type_of

PRESENCE = "presence"
"""The check of a Presence attack."""

MOST = 9999
"""The most POT that is accepted."""


def apply_blow(
    decision: Decision,
    force: Force,
    combatant_id: str,
    by: str = "",
    *,
    barrier: int | None = None,
    shields: tuple[wounds.Layer, ...] = (),
    feet_by_gm: int | None = None,
) -> int:
    """Apply a blow that lands, the whole chain, and return the POT that got through (CS-530 to CS-632).

    `by` dealt it; empty for a fall, a trap and the like. The GM may rule the feet to a barrier. `feet_by_gm` are feet
    thrown by a rule of its own, which also decides who keeps their feet (CS-457, CS-463).
    """
    target = decision.state.combatants[combatant_id]
    start = target.at
    decision.emit(
        condition.BlowLanded(
            who=combatant_id, attacker=by, pot=force.pot, struck=force.struck, passage=force.passage, bonus=force.bonus,
            parts=rolls.parts_of(force.total),
        )
    )  # fmt: skip
    driven = wounds.knock_back_of(force.pot, profile_of(target).msta)
    feet = feet_by_gm if feet_by_gm is not None else 0 if driven is None else driven.feet
    way = way_for(decision.state, target, by, feet, barrier)
    # The chain: knock-back, clothing and armour, wounds.
    profile, settings = profile_of(target), settings_of(decision.state)
    blow = wounds.Blow(
        pot=force.pot, striking=force.struck, passage=force.passage, bonus=force.bonus, in_short=force.in_short,
        first=not fighter_of(target).clothes_cut, barrier=way.barrier, room=way.room, thrown=feet_by_gm,
    )  # fmt: skip
    body = wounds.Target(
        msta=profile.msta, cnd=profile.scores.cnd, pres=wound_effects.bearable_pot(target),
        layers=(*shields, *fighter_of(target).armour), clothing=items.clothing_of(decision.state, target),
        wounds=fighter_of(target).wounds, damage=condition.damage_of(target),
        body_points=condition.body_points(decision.state, target),
    )  # fmt: skip
    options = wounds.Options(settings.armour_wear, settings.armour_grades, settings.wt_rounding)
    harm = wounds.harm(blow, body, options)
    driven, through = harm.driven, harm.met.through
    if driven is not None:
        excess = (Part("POT", force.pot, "CS-561"), Part("modified STA", -profile_of(target).msta, "CS-560"))
        parts = rolls.parts_of(Sum(excess)) if feet_by_gm is None else ()
        knock_back(decision, combatant_id, by, driven, way, parts)
    # What clothing and armour take, and their wear (CS-566, CS-570).
    is_cut = any(part.rule == "CS-566" for part in harm.effect.parts)
    pot_in = int(sum(part.value for part in harm.effect.parts if part.rule != "CS-566"))
    decision.emit(
        condition.ArmourApplied(
            who=combatant_id, traits={"clothes_cut": True} if is_cut else {}, pot_in=pot_in, dr=pot_in - through,
            out=through, parts=rolls.parts_of(Sum((*harm.effect.parts, *harm.met.sum.parts[1:]))),
        )
    )  # fmt: skip
    items.emit_wear(decision, combatant_id, harm.met.worn, harm.met.layers, bool(shields))
    target = decision.state.combatants[combatant_id]
    if through > 0 and condition.body_points(decision.state, target) is None:
        decision.emit(
            condition.WoundsReckoned(
                who=combatant_id, through=through, threshold=float(harm.threshold), counts=harm.threshold_counts,
                wounds=harm.wounds, parts=wound_effects.wound_parts(target, harm),
            )
        )  # fmt: skip
    wound_effects.emit_harm(decision, combatant_id, harm.wounds, harm.lost, by)
    if harm.collapse:
        return through
    # Footing, pain and stun; not of those who collapse with the tenth wound.
    target = decision.state.combatants[combatant_id]
    if driven is not None and feet_by_gm is None and driven.moved > 0:
        decision.spawn(_keep_feet_after, combatant_id, driven.moved, "back", start)
    decision.spawn(wound_effects.suffer_pain, combatant_id, through)
    if driven is not None and driven.stopped and target.able:
        decision.spawn(wound_effects.ask_barrier, target, way.against or "a barrier")
    return through


def way_for(state: FightState, target: Combatant, by: str, feet: int, barrier: int | None) -> Way:
    """The way back for so many feet: by the board, with a barrier by GM ruling (CS-563)."""
    if feet <= 0:
        return Way()
    way = way_back(state, target, by, feet)
    if barrier is None:
        return way
    return Way(way.places, way.feet, barrier, way.against or "a barrier")


def parse_pot(value: int | str | None) -> int:
    """A typed POT, or Refused."""
    return whole("CS-530", value, 0, "POT", most=MOST)


@handles(commands.LandBlow)
def decide_blow(decision: Decision, command: commands.LandBlow) -> None:
    """CS-530: apply a blow that is no attack of this fight: a fall, a trap, a falling beam, magick."""
    combatant = decision.combatant(command.who)
    by = decision.combatant(command.by).id if command.by else ""
    if command.struck not in STRIKINGS:
        raise Refused("CS-603", f"unknown part of a weapon: {command.struck!r}", STRIKINGS, final=True)
    if command.passage not in PASSAGES:
        raise Refused("CS-574", f"unknown way through armour: {command.passage!r}", PASSAGES, final=True)
    if command.passage == "slash" and not settings_of(decision.state).armour_wear:
        raise Refused("CS-590", "a Slash needs the option armour_wear", ("common",), final=True)
    items.check_chosen(combatant, command.shield)
    total = Sum((Part(command.reason or "POT set by the GM", parse_pot(command.pot), "CS-530"),))
    force = Force(total, command.struck, command.passage, max(0, command.bonus), command.in_short)  # type: ignore[arg-type]
    shields = wounds.shield_layer(items.shield_of(combatant), failed_block=False, in_way_by_gm=command.shield)
    barrier = command.barrier
    if barrier is not None:
        barrier = whole("CS-563", barrier, 0, "distance to a barrier", most=MOST)
    apply_blow(decision, force, combatant.id, by, barrier=barrier, shields=shields)


PASSAGES = ("common", "thrust", "slash", "piercing_missile")
"""The ways in which a blow can meet armour."""


@frozen
class Force:
    """A blow as it lands: POT or Body Points of damage; `bonus` is the part that wears armour (CS-555, CS-580)."""

    total: Sum
    struck: wounds.Striking = "edge"
    passage: wounds.Passage = "common"
    bonus: int = 0
    in_short: bool = False

    @property
    def pot(self) -> int:
        """The POT, rounded once, at least 0."""
        return max(0, rhu(self.total.total))


# Knock-back


@frozen
class Way:
    """The straight way back from a blow, on the board.

    `places` are free ones, nearest first, as far as the blow can drive the victim; `feet` those to each of them and to
    the place that ends the way (L357). `barrier` is feet to something solid, whose name is `against`; `room` feet to a
    combatant.
    """

    places: tuple[Location, ...] = ()
    feet: tuple[float, ...] = ()
    barrier: int | None = None
    against: str = ""
    room: int | None = None
    person: str = ""

    def places_within(self, feet: int) -> int:
        """Return how many places so many feet lead, to the nearest whole one (CS-564)."""
        return sum(near + far <= 2 * feet for near, far in pairwise((0.0, *self.feet)))


def way_back(state: FightState, combatant: Combatant, by: str, feet: int) -> Way:
    """What lies straight behind a combatant, seen from the attacker; nothing without a board (CS-563, CS-564).

    Ground that cannot be entered is a barrier. A combatant in the way is none, but ends the way, as does the edge of
    the map.
    """
    board, other = state.board, state.combatants.get(by)
    here, there = combatant.at, None if other is None else other.at
    if board is None or board.cell is None or isinstance(here, str | None) or isinstance(there, str | None):
        return Way()
    step = places.feet_per_place(state.board)
    count = ceil(feet / step)
    times = ceil((count + 1) / max(1, board.distance(there, here)))
    aim = board.cell(here[0] + times * (here[0] - there[0]), here[1] + times * (here[1] - there[1]))
    free: list[Location] = []
    feet_to: list[float] = []
    for before, place in pairwise(board.line(here, aim)[: count + 1]):
        walked = feet_to[-1] if feet_to else 0.0
        if walked >= feet:
            break
        feet_to.append(walked + round(float(step) * board.length(before, place) / board.scale, 3))
        if not board.contains(place):
            return Way(tuple(free), tuple(feet_to), None, "the edge of the map")
        if board.cost_of(place) is None:
            return Way(tuple(free), tuple(feet_to), rhu(exact(walked)), board.terrain_at(place).name)
        stander = state.standing_at(place)
        if stander is not None and stander != combatant.id:
            name = state.combatants[stander].name
            return Way(tuple(free), tuple(feet_to), None, name, rhu(exact(walked)), stander)
        free.append(place)
    return Way(tuple(free), tuple(feet_to))


def knock_back(
    decision: Decision, combatant_id: str, by: str, driven: wounds.KnockBack, way: Way, parts: rolls.Parts = ()
) -> None:
    """CS-560: drive a combatant back, on the board as far as the way is free."""
    state = decision.state
    combatant = state.combatants[combatant_id]
    count = min(len(way.places), way.places_within(driven.moved))
    at = way.places[count - 1] if count else combatant.at
    stopped_by = way.against if driven.stopped or count < way.places_within(driven.feet) else ""
    contacts = contact_events(state, combatant_id, at) if at != combatant.at else ()
    decision.emit(
        condition.KnockedBack(
            who=combatant_id, before=combatant.at, at=at, feet=driven.feet, moved=driven.moved, barrier=driven.stopped,
            stopped_at=stopped_by or ("a barrier" if driven.stopped else ""), by=by, parts=parts,
        ),
        *contacts,
    )  # fmt: skip
    if at != combatant.at:
        combatant = decision.state.combatants[combatant_id]
        if fighter_of(combatant).plan:
            decision.emit(events.WayPlanned(who=combatant_id, traits=paths.NO_WAY, feet=0.0, mph=0.0))
        decision.emit(*queries.set_traits(decision.state.combatants[combatant_id], carry=0.0, rest=0.0))
        decision.emit(*places.drop_lost_pairs(decision.state))
    feet_left = driven.feet - driven.moved - driven.stopped
    if way.person and feet_left > 0:
        decision.spawn(_run_into, combatant_id, way.person, feet_left, driven.moved > 0)


def _run_into(decision: Decision, combatant_id: str, other_id: str, feet_left: int, has_moved: bool) -> None:
    """Ask what comes of it (L2821-2833); a victim that was driven some way checks its footing for that (CS-562)."""
    state = decision.state
    combatant, other = state.combatants[combatant_id], state.combatants[other_id]
    checks = other.name if has_moved else f"{combatant.name} and {other.name}"
    answer = decision.ask_about(
        combatant, "run_into", "CS-562",
        f"{combatant.name} is driven into {other.name} with {feet_left} ft left. What happens?",
        f"check:{checks} must keep their feet against {feet_left} ft", "fall:both fall", "nothing",
        default="check", about=(other_id,),
    )  # fmt: skip
    if answer.choice in ("", "nothing"):
        return
    for each in (other_id,) if answer.choice == "check" and has_moved else (combatant_id, other_id):
        combatant = decision.state.combatants[each]
        if answer.choice == "check":
            decision.spawn(_keep_feet_after, each, feet_left, "run into")
        else:
            decision.emit(*fall_events(combatant))


def _keep_feet_after(decision: Decision, combatant_id: str, feet: int, how: str, start: Location | None = None) -> None:
    """CS-562: the AGL check to stay upright after so many feet; the way from `start` is drawn while it is open."""
    state = decision.state
    combatant, board = state.combatants[combatant_id], state.board
    total = condition.value_of(state, combatant, "AGL", "CS-562")
    dv = condition.dv_of(state, lambda scale: wounds.keep_feet_dv(feet, scale))
    start_name = board.name_of(start) if board is not None and start not in (None, combatant.at) else ""
    keep_feet(decision, combatant_id, total, dv, "CS-562", f"stays up, {feet} ft {how}", start_name)


def keep_feet(
    decision: Decision, combatant_id: str, total: Sum, dv: Sum | None, rule: str, words: str, start: str = ""
) -> None:
    """Make the AGL check to stay upright, unless the combatant is down or lying (CS-461, CS-463, CS-562)."""
    combatant = decision.state.combatants[combatant_id]
    if not fall_events(combatant):
        return
    difficulty = condition.describe_difficulty(condition.rounded_or_none(dv))
    question = f"{combatant.name} {words}: AGL {rolls.rounded(total)}{difficulty}"
    check = FeetCheck(start=start)
    verdict = rolls.make_check(decision, combatant_id, "AGL", total, dv, rule, question, owed=True, asked=check)
    if verdict is not None and not verdict.ok:
        decision.emit(*fall_events(decision.state.combatants[combatant_id]))


def fall_events(combatant: Combatant) -> Events:
    """The event that a combatant falls, to lie prone; none for one who is lying, or down."""
    if not combatant.able or fighter_of(combatant).posture == queries.PRONE:
        return ()
    return (fall(combatant.id),)


def fall(combatant_id: str) -> condition.Fell:
    """The event that a combatant goes down, to lie prone."""
    return condition.Fell(who=combatant_id, traits={"posture": queries.PRONE}, posture=queries.PRONE)


def knocked_back_paths(state: FightState) -> tuple[tuple[Combatant, tuple[Location, ...]], ...]:
    """Combatants who have just been driven back, and the places from their old to their new one."""
    board = state.board
    crossings = []
    for prompt in state.prompts:
        combatant, check = state.combatants.get(prompt.who), prompt.resume
        start = check.start if isinstance(check, FeetCheck) else ""
        if start and board is not None and combatant is not None and combatant.at is not None:
            crossings.append((combatant, board.line(board.parse(start), combatant.at)[:-1]))
    return tuple(crossings)


REPRISAL_PROMPT = "reprisal"
"""The kind of the question that offers one."""

TAKE, TRADE, DECLINE = "take", "trade", "decline"


def offer_reprisal(state: FightState, blow: Blow, *, always: bool = False, why: str = "") -> Events:
    """CS-481: the offer to the target of a miss; none after a shot, or by the fight's reading (A-32).

    With `always` a rule of the attack gives it, even out of turn (CS-462); `why` is its reason if there was no miss.

    CS-371: between those who fight with an Attack/Defence Combination it waits until both have attacked.
    """
    combatant, target = people_of(state, blow)
    is_offered = always or attacks.offers_reprisal(blow.roll, settings_of(state).reprisal_chain)
    if not is_offered or not (combatant.able and target.able):
        return ()
    miss = _miss_of(state, blow)
    own_action, foe_action = queries.action_of(target), queries.action_of(combatant)
    is_mixed = any(action.kind == queries.COMBINATION and action.mode == MIXED for action in (own_action, foe_action))
    is_to_come = own_action.state == queries.COMMITTED and queries.is_due(target) and queries.slots_left(target) > 0
    has_yet_to_attack = is_to_come and own_action.kind in queries.ATTACKS and combatant.id in own_action.targets
    if blow.in_turn and is_mixed and has_yet_to_attack:
        return queries.set_traits(target, reprisal_due=(*fighter_of(target).reprisal_due, miss))
    return (_offer(state, target, miss, why),)


def _offer(state: FightState, combatant: Combatant, miss: Postponed, why: str = "") -> events.ReprisalOffered:
    foe = state.combatants[miss.attacker]
    blow = Blow(combatant.id, foe.id, kind=REPRISAL, missed=miss.weapons, undodged=miss.whole_body)
    prompt = prompt_for(
        combatant, kind=REPRISAL_PROMPT,
        question=f"{why or f'{foe.name} missed {combatant.name}'}. A Reprisal, move away instead, or let it be?",
        rule="CS-481", choices=_ANSWERS, default=DECLINE, blocking=False, resume=AskedBlow(blow=blow),
    )  # fmt: skip
    return events.ReprisalOffered(prompt=prompt)


def offer_at_once(state: FightState, blow: Blow) -> Events:
    """CS-639: offer a Reprisal now that waits for its target's own attack (CS-371); nothing if none does."""
    target, miss = state.combatants[blow.target], _miss_of(state, blow)
    others = list(fighter_of(target).reprisal_due)
    if miss not in others:
        return ()
    others.remove(miss)
    return (*queries.set_traits(target, reprisal_due=tuple(others)), _offer(state, target, miss))


def _miss_of(state: FightState, blow: Blow) -> Postponed:
    whole_body = type_of(state, blow).whole_body
    return Postponed(blow.attacker, () if whole_body else tuple(blow.weapons), whole_body)


def offer_postponed(decision: Decision, combatant_id: str) -> None:
    """CS-371: offer the postponed Reprisals of a combatant who has attacked, or will not any more."""
    state = decision.state
    combatant = state.combatants.get(combatant_id)
    due = () if combatant is None else fighter_of(combatant).reprisal_due
    if combatant is None or not due or queries.action_of(combatant).is_open:
        return
    decision.emit(*queries.set_traits(combatant, reprisal_due=()))
    for miss in due:
        foe = state.combatants.get(miss.attacker)
        if foe is not None and foe.able and combatant.able:
            decision.emit(_offer(state, combatant, miss))


_ANSWERS = (Choice(TAKE, "Reprisal", "y"), Choice(TRADE, "move away", "t"), Choice(DECLINE, "let it be", "n"))


def open_offer(state: FightState, combatant: Combatant) -> Prompt | None:
    """The oldest offer of a Reprisal to a combatant, or None."""
    offers = (prompt for prompt in state.prompts if prompt.kind == REPRISAL_PROMPT and prompt.who == combatant.id)
    return next(offers, None)


# Presence attacks that go with a blow, to demoralise (CS-510 to CS-520)


NOTEWORTHY = "noteworthy"
"""The kind of the question whether blow and words are noteworthy."""


def lose_presence(blow: Blow, reason: str = "") -> Events:
    """The event that the words of a blow are lost, if it has any: with a miss (CS-512), or for a reason (CS-511)."""
    if not blow.line:
        return ()
    reason, rule = (reason, "CS-511") if reason else ("the blow missed", "CS-512")
    return (condition.PresenceLost(who=blow.attacker, target=blow.target, line=blow.line, reason=reason, rule=rule),)


def judge_words(decision: Decision, blow: Blow, through: int | None) -> None:
    """CS-511: judge the words of a blow: something must get through, or the GM gave wounds; and the GM must approve."""
    if not blow.line:
        return
    combatant, target = decision.state.combatants[blow.attacker], decision.state.combatants[blow.target]
    if through is not None and not attacks.works(True, through):
        decision.emit(*lose_presence(blow, "the blow did not get through"))
    elif not target.able or not combatant.able:
        down = combatant if not combatant.able else target
        decision.emit(*lose_presence(blow, f"{down.name} is down"))
    else:
        driven = (each for each in decision.events if isinstance(each, condition.KnockedBack))
        feet = next((event.moved for event in driven if event.who == target.id), 0)
        decision.spawn(_judge_words, blow, through, feet)


def _judge_words(decision: Decision, blow: Blow, through: int | None, feet: int) -> None:
    """CS-511, CS-513: the words count or not; a number is the target's resistance, or the POT of harm by GM ruling."""
    combatant, target = people_of(decision.state, blow)
    dv = rolls.rounded(_resistance_sum(decision.state, combatant, target, None))
    effect_text = "hits" if through is None else f"{through} got through"
    driven = f" and drove {target.name} {feet} ft" if feet else ""
    amount = "POT that got through" if through is None else "what it is resisted with"
    answer = decision.ask_about(
        combatant, NOTEWORTHY, "CS-511",
        f'{combatant.name} to {target.name}, DV {dv}: "{blow.line}" {effect_text}{driven}.'
        " Do the blow and the words have an effect?",
        "yes:yes, they do", "no:no effect", default="yes", amount=amount, about=(target.id,),
    )  # fmt: skip
    if not {blow.attacker, blow.target} <= decision.state.combatants.keys():
        return
    if not answer.choice:
        down = next((each for each in people_of(decision.state, blow) if not each.able), target)
        decision.emit(*lose_presence(blow, f"{down.name} is down"))
        return
    if answer.choice == "no":
        decision.emit(*lose_presence(blow, "the blow and the words had no effect"))
        return
    number = None if answer.amount is None else number_of(answer, amount, "CS-515", MOST, "yes", "no")
    resisted_with = None if through is None else number
    if through is None:
        through = 1 if number is None else number
    if not attacks.works(True, through):
        decision.emit(*lose_presence(blow, "the blow did not get through"))
        return
    reprisal = blow.kind == REPRISAL
    _demoralise(decision, blow.attacker, blow.target, through, reprisal=reprisal, dv_by_gm=resisted_with)


def drop_presence_questions(decision: Decision, combatant_id: str) -> None:
    """Drop what was still to be judged of Presence attacks on a combatant who has gone down."""
    for prompt in decision.state.prompts:
        is_judged = prompt.kind == NOTEWORTHY and combatant_id in concerns(prompt)
        check = prompt.resume
        if is_judged or (isinstance(check, AskedCheck) and check.what == PRESENCE and check.target == combatant_id):
            decision.withdraw((prompt,), "")


@handles(commands.Demoralise)
def decide_demoralise(decision: Decision, command: commands.Demoralise) -> None:
    """CS-510 to CS-515: a Presence attack of a blow that got through, against the target's resistance."""
    referee = decision.referee
    combatant, target = decision.combatant(command.who), decision.combatant(command.target)
    if not command.line.strip():
        raise Refused("CS-510", "a Presence attack needs words: what is said?", ("line: the words",), final=True)
    referee.require(queries.able_check(combatant, "CS-111").holds, "CS-111", f"{combatant.name} is down", "who stands")
    has_skill = command.av is not None or condition.presence_level(combatant) is not None
    referee.require(has_skill, "CS-510", f"{combatant.name} has no Presence skill", "av by hand")
    if not 0 <= command.through <= MOST:
        raise Refused("CS-511", f"{command.through} is not a POT", (f"0 to {MOST}",), final=True)
    works = attacks.works(True, command.through)
    referee.require(works, "CS-511", "the blow did not get through", "a blow with 1 point through")
    _demoralise(
        decision, combatant.id, target.id, command.through, reprisal=command.reprisal, av_by_gm=command.av,
        dv_by_gm=command.dv, owed=False, chance=command.chance, hit=command.hit,
    )  # fmt: skip


def _resistance_sum(state: FightState, combatant: Combatant, target: Combatant, dv_by_gm: int | None) -> Sum:
    """CS-515: the target's resistance: HRT or by GM ruling, skill, and friends still standing."""
    dv = rolls.rounded(condition.value_of(state, target, "HRT", "CS-515")) if dv_by_gm is None else dv_by_gm
    friends = [each for each in state.combatants.values() if each.side == target.side and each.id != target.id]
    standing, floor = sum(each.able for each in friends), settings_of(state).fallen_modifier_floor
    level = condition.presence_level(target) or 0
    total = attacks.resistance_dv(dv, level, standing, len(friends) - standing, floor)
    return condition.subtract_doubt(state, target, combatant.id, total)


def _demoralise(
    decision: Decision,
    attacker_id: str,
    target_id: str,
    through: int,
    *,
    reprisal: bool,
    av_by_gm: int | None = None,
    dv_by_gm: int | None = None,
    owed: bool = True,
    chance: int | None = None,
    hit: bool | None = None,
) -> None:
    """CS-513 to CS-520: roll a Presence attack, less pain and Surprise unless the GM gave the AV, and apply it."""
    state = decision.state
    combatant, target = state.combatants[attacker_id], state.combatants[target_id]
    base = condition.presence_level(combatant) or 0 if av_by_gm is None else av_by_gm
    av_sum = attacks.presence_av(base, through, reprisal=reprisal, scale=rolls.scale_of(state))
    av_sum = condition.add_deed(combatant, condition.AV, av_sum, target.id)
    if av_by_gm is None:
        av_sum = condition.subtract_penalties(state, combatant, av_sum, defensive=False)
    dv_sum = _resistance_sum(state, combatant, target, dv_by_gm)
    av, dv = rolls.rounded(av_sum), rolls.rounded(dv_sum)
    verdict = rolls.make_check(
        decision, combatant.id, PRESENCE, av_sum, dv_sum, "CS-513",
        f"{combatant.name} demoralises {target.name}: Presence {av} against DV {dv}",
        owed=owed, target=target.id, chance=chance, hit=hit,
    )  # fmt: skip
    if verdict is None:
        return
    state = decision.state
    combatant, target = state.combatants[attacker_id], state.combatants[target_id]
    effect = attacks.effect(verdict.ok, av, dv)
    level = condition.presence_level(combatant) or 0
    loss = attacks.doubt_loss(level, profile_of(target).mods.hrt) if effect == "doubt" else 0
    traits: dict[str, Json] = {}
    if effect in (condition.SHAKEN, condition.BROKEN) and fighter_of(target).morale not in condition.SURRENDERED:
        traits = {"morale": effect}
    elif loss:
        traits = {"doubts": condition.doubts_against(state, target, combatant.id, loss)}
    decision.emit(condition.Demoralised(who=target.id, traits=traits, by=combatant.id, outcome=effect, loss=loss))
    if effect == condition.BROKEN:
        decision.emit(*abort_action(decision.state.combatants[target.id], "surrenders"))
        decision.spawn(_ask_fear, target.id, combatant.id, through)
    if effect == "unmoved":
        why = f"{target.name} is unmoved by {combatant.name}"
        decision.emit(*offer_reprisal(decision.state, Blow(combatant.id, target.id), always=True, why=why))


def _ask_fear(decision: Decision, combatant_id: str, by: str, through: int) -> None:
    """CS-517: only who fears for their life may break down: HRT against the POT that got through."""
    target = decision.state.combatants[combatant_id]
    answer = decision.ask_about(
        target, "fear", "CS-517", f"{target.name} surrenders. Is {target.name} afraid of dying?",
        "yes:a HRT check, or breaks down", "no", default="no", about=(by,), blocking=False,
    )  # fmt: skip
    if answer.choice != "yes":
        return
    total = condition.value_of(decision.state, decision.state.combatants[combatant_id], "HRT", "CS-517")
    dv_sum = attacks.breakdown_dv(through)
    verdict = rolls.make_check(
        decision, combatant_id, "HRT", total, dv_sum, "CS-517",
        f"{target.name} keeps face, or breaks down: HRT {rolls.rounded(total)} against DV {rolls.rounded(dv_sum)}",
        owed=True, about=(by,),
    )  # fmt: skip
    if verdict is not None and not verdict.ok:
        decision.emit(*queries.set_traits(decision.state.combatants[combatant_id], morale=condition.IN_TEARS))
