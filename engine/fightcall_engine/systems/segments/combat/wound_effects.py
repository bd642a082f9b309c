"""Wounds and Body Points, the tenth wound, pain, stun, rallying; and healing after the fight (CS-600 to CS-672)."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

from fightcall_engine.kit.decision import Decision, question_check, record_answer, record_moot, throw, whole
from fightcall_engine.kit.handlers import handles, reacts_to
from fightcall_engine.kit.records import harm
from fightcall_engine.kit.views import Check, Referee, enforce
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import DamageApplied, Event, Events, Healed, PoolAdjusted, SettingChanged
from fightcall_engine.model.state import Combatant, Effect, FightState, Prompt, Scalar
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import wounds
from fightcall_engine.systems.segments.rules.formulas import Number, Part, Sum, exact, halve, prog
from fightcall_engine.systems.segments.rules.wounds import COLLAPSE_DV, COLLAPSE_WOUNDS, Harm, Level
from fightcall_engine.systems.segments.state import commands, condition, events, queries, rolls
from fightcall_engine.systems.segments.state.condition import RALLIED
from fightcall_engine.systems.segments.state.records import battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import Parts, Verdict
from fightcall_engine.systems.segments.state.settings import settings_of

_OF_THE_STANDING = ("CS-461", "CS-463", "CS-562", "CS-610", "CS-612", "CS-619", "CS-622")
_OF_THE_LIVING = ("CS-624", "CS-625")
"""The rules by which those who are up, and those who live, make checks after a blow."""

RALLY, BARRIER = "rally", "barrier_stun"
"""The kinds of the offers to rally, and to be stunned by a barrier."""

_ASKED = (rolls.CHECK_PROMPT, "pres", BARRIER, RALLY)


def _take_down(decision: Decision, combatant: Combatant, life: str) -> None:
    """Put a combatant down, and close the checks of those who are up; the time to live does not change (CS-625)."""
    decision.emit(*condition.life_events(combatant, life, until=fighter_of(combatant).life_until))
    decision.emit(*close_questions(decision.state, combatant.id))


def close_questions(state: FightState, combatant_id: str) -> Events:
    """Close the open checks of a combatant who is down; those of life and death stay for the living."""
    combatant = state.combatants.get(combatant_id)
    dead = combatant is not None and fighter_of(combatant).life == queries.DEAD
    stale_rules = (*_OF_THE_STANDING, *(_OF_THE_LIVING if dead else ()))
    own_prompts = (prompt for prompt in state.prompts if prompt.who == combatant_id)
    return record_moot(prompt for prompt in own_prompts if prompt.kind in _ASKED and prompt.rule in stale_rules)


@handles(commands.SetLife)
def decide_life(decision: Decision, command: commands.SetLife) -> None:
    """CS-617: set a combatant's condition by GM ruling."""
    decision.emit(*condition.life_events(decision.combatant(command.who), command.life))


def expire_lives(state: FightState) -> Events:
    """CS-625: those who survived the tenth wound die when their time is up."""
    due = (each for each in state.roster if 0 < fighter_of(each).life_until <= state.round)
    dying = (each for each in due if fighter_of(each).life != queries.DEAD)
    return tuple(event for each in dying for event in condition.life_events(each, queries.DEAD))


def wound_threshold(state: FightState, combatant: Combatant) -> Number:
    """The POT that a combatant takes without a wound (CS-600)."""
    return wounds.wound_threshold(
        profile_of(combatant).msta, profile_of(combatant).scores.cnd, settings_of(state).wt_rounding
    )


def wound_parts(combatant: Combatant, harm: Harm) -> Parts:
    """The parts of a blow's number of wounds: what got through, the threshold, how often it is exceeded (CS-602)."""
    mark = f"{float(harm.threshold):g}"
    size = f"Wound Threshold, (modified STA {profile_of(combatant).msta} + CND {profile_of(combatant).scores.cnd}) ÷ 8"
    times = wounds.wounds(harm.met.through, harm.threshold, counts=True)
    least = ("an edge or point in flesh: a wound at least", str(max(1, times)), "CS-603")
    return (
        ("POT through", str(harm.met.through), "CS-601"),
        (size, mark, "CS-600"),
        ("times exceeded", str(times), "CS-602"),
        *(() if harm.threshold_counts else (least,)),
    )


def wound_track(state: FightState, combatant: Combatant) -> tuple[int, int, str]:
    """Wounds, boxes until collapse, and the level (CS-620, CS-624); the same of Body Points (CS-632)."""
    most = condition.body_points(state, combatant)
    count = fighter_of(combatant).wounds if most is None else condition.damage_of(combatant)
    return count, COLLAPSE_WOUNDS if most is None else most, condition.damage_level(state, combatant)


def pres_of(combatant: Combatant) -> int | None:
    """P-RES, by GM ruling or the sheet, or None."""
    by_gm = fighter_of(combatant).pres
    return profile_of(combatant).pres if by_gm is None else by_gm


def bearable_pot(combatant: Combatant) -> int | None:
    """The POT that a combatant bears without a check: P-RES, with a heroic deed (CS-610, CS-646)."""
    pres = pres_of(combatant)
    return None if pres is None else pres + condition.amount_of(combatant, condition.PRES)


def emit_harm(decision: Decision, combatant_id: str, wound_count: int, points: int, by: str) -> None:
    """CS-601, CS-550: emit the wounds or Body Points of a blow; `react_to_harm` does the rest."""
    combatant = decision.state.combatants[combatant_id]
    most = condition.body_points(decision.state, combatant)
    if most is None:
        if wound_count:
            decision.hurt(combatant_id, wound_count, queries.HP, by)
    elif points:
        loss = harm(decision.state, combatant_id, points, queries.BP, by)
        level = wounds.level_of_points(condition.damage_of(combatant) + points, most)
        decision.emit(
            condition.BodyPointsLost(
                who=combatant_id, pool=queries.BP, before=loss.before, left=loss.left, max=loss.max, amount=points,
                by=by, tracked=loss.tracked, level=level,
            )
        )  # fmt: skip


@reacts_to(DamageApplied, Healed)
def react_to_harm(decision: Decision, event: DamageApplied | Healed) -> None:
    """Update the count of wounds after harm or healing, by a blow or by the GM."""
    if event.pool != queries.HP or event.who not in decision.state.combatants:
        return
    combatant = decision.state.combatants[event.who]
    most = condition.body_points(decision.state, combatant)
    if isinstance(event, DamageApplied) and most is not None:
        loss = event.max - event.before
        _check_collapse(decision, combatant, wounds.collapse_checks_by_points(loss, loss + event.amount, most))
    elif isinstance(event, DamageApplied):
        decision.emit(*condition.add_wounds(combatant, event.amount))
    elif most is None:
        count = fighter_of(combatant).wounds
        decision.emit(*condition.add_wounds(combatant, -min(event.amount, max(0, count))))
        # A pool at 0 only refills once fewer than ten are left.
        left = max(0, COLLAPSE_WOUNDS - max(0, count - event.amount))
        if count > COLLAPSE_WOUNDS:
            decision.emit(*_adjust_pool(combatant, left, combatant.pool(queries.HP).max, "CS-628"))


def _adjust_pool(combatant: Combatant, left: int, most: int, rule: str) -> Events:
    old = combatant.pool(queries.HP)
    if (old.now, old.max) == (left, most):
        return ()
    return (PoolAdjusted(who=combatant.id, pool=queries.HP, before=old.now, left=left, max=most, reason=rule),)


@reacts_to(events.WoundsInflicted)
def settle_collapse(decision: Decision, event: events.WoundsInflicted) -> None:
    """CS-624, CS-628: ask for the checks at the tenth wound and beyond."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None and event.n > 0:
        _check_collapse(decision, combatant, wounds.collapse_checks(event.total - event.n, event.total))


def convert_pools(state: FightState, event: SettingChanged) -> Events:
    """Convert pools between wounds and Body Points when the option changes (CS-550, CS-604)."""
    changes: list[Event] = []
    for combatant in state.combatants.values() if event.setting == "body_points" else ():
        sheet = {**combatant.sheet, "wounds": fighter_of(combatant).wounds}
        new = condition.health_from_sheet(state.settings, sheet)
        changes += _adjust_pool(combatant, new.now, new.max, "CS-550")
    return tuple(changes)


# Collapse and death


def _check_collapse(decision: Decision, combatant: Combatant, checks: int) -> None:
    """CS-624: collapse, with a P-RES check for survival, and another for each wound beyond the tenth (A-15)."""
    if not checks or fighter_of(combatant).life == queries.DEAD:
        return
    if fighter_of(combatant).life in (queries.UP, ""):
        decision.emit(*condition.life_events(combatant, queries.COLLAPSED))
    decision.spawn(_survive, combatant.id, checks)


def _survive(decision: Decision, combatant_id: str, checks: int) -> None:
    """CS-624, CS-625, CS-628: die, or live for CND more minutes, conscious or not."""
    for left in range(checks, 0, -1):
        more = f", {left} such checks" if left > 1 else ""
        verdict = _resist(decision, combatant_id, "CS-624", "to live", more)
        if verdict is None or fighter_of(decision.state.combatants[combatant_id]).life == queries.DEAD:
            return
        if not verdict.ok:
            _take_down(decision, decision.state.combatants[combatant_id], queries.DEAD)
            return
    combatant = decision.state.combatants[combatant_id]
    if not fighter_of(combatant).life_until:
        segments = wounds.segments_to_live(profile_of(combatant).scores.cnd)
        until = decision.state.round + segments
        decision.emit(condition.LivesOn(who=combatant_id, traits={"life_until": until}, segments=segments))
    if fighter_of(combatant).life == queries.UNCONSCIOUS:
        return
    verdict = _resist(decision, combatant_id, "CS-625", "to stay conscious")
    if verdict is None or verdict.ok:
        return
    combatant = decision.state.combatants[combatant_id]
    if fighter_of(combatant).life not in (queries.DEAD, queries.UNCONSCIOUS):
        _take_down(decision, combatant, queries.UNCONSCIOUS)


def _resist(decision: Decision, combatant_id: str, rule: str, goal: str, more: str = "") -> Verdict | None:
    """CS-624, CS-625: a P-RES check against 55; with unknown P-RES, its outcome or chance is asked for."""
    state = decision.state
    combatant, pres = state.combatants[combatant_id], pres_of(state.combatants[combatant_id])
    total = None if pres is None else condition.attack_value(state, combatant, "P-RES", pres, rule)
    value = "is not known" if total is None else str(rolls.rounded(total))
    question = f"{combatant.name}, {goal}: P-RES {value} against DV {COLLAPSE_DV}{more}"
    parts = (("tenth wound", str(COLLAPSE_DV), rule),)
    return rolls.make_check(decision, combatant_id, "P-RES", total, COLLAPSE_DV, rule, question, owed=True, parts=parts)


def threshold_multiples(state: FightState, combatant: Combatant) -> str:
    """The threshold and its multiples: ``4, 8, 12``."""
    return ", ".join(f"{float(mark):g}" for mark in wounds.wound_marks(wound_threshold(state, combatant), 3))


def harm_by_gm(decision: Decision, combatant: Combatant, amount: int | str, by: str = "") -> None:
    """Wounds or Body Points by GM ruling, a number or dice."""
    number, new_events = throw(decision, amount, "harm", combatant.id)
    decision.emit(*new_events)
    if number:
        decision.hurt(combatant.id, number, queries.HP, by)


# Pain


def suffer_pain(decision: Decision, combatant_id: str, through: int) -> None:
    """CS-610 to CS-614: check for fainting, then for managing the pain, and stun by the rest of it."""
    combatant = decision.state.combatants[combatant_id]
    if through <= 0 or not combatant.able:
        return
    if pres_of(combatant) is None:
        _ask_pres(decision, combatant, through)
        combatant = decision.state.combatants.get(combatant_id, combatant)
    pres = pres_of(combatant)
    beyond = 0 if pres is None else wounds.excess(through, bearable_pot(combatant) or 0)
    if pres is None or not beyond or not combatant.able:
        return
    total = condition.attack_value(decision.state, combatant, "P-RES", pres, "CS-610")
    words = f"{combatant.name}, faint check, {beyond} POT above P-RES"
    verdict = _check_pain(decision, combatant_id, "P-RES", total, beyond, "CS-610", words)
    combatant = decision.state.combatants.get(combatant_id, combatant)
    if verdict is None or not combatant.able:
        return
    if not verdict.ok:
        _take_down(decision, combatant, queries.UNCONSCIOUS)
        return
    total = condition.value_of(decision.state, combatant, "HRT", "CS-612")
    words = f"{combatant.name} fights through the pain"
    verdict = _check_pain(decision, combatant_id, "HRT", total, beyond, "CS-612", words)
    if verdict is None or not decision.state.combatants[combatant_id].able:
        return
    try:
        full = prog(beyond, rolls.scale_of(decision.state))
    except ValueError as error:
        raise Refused("M-03", str(error), ("a longer scale (progressive_values)",), final=True) from None
    if penalty := halve(full) if verdict.ok else Fraction(full):
        combatant = decision.state.combatants[combatant_id]
        decision.emit(condition.apply_stun(decision.state, combatant, penalty, managed=verdict.ok))


def _check_pain(
    decision: Decision, combatant_id: str, what: str, total: Sum, beyond: int, rule: str, words: str
) -> Verdict | None:
    dv = condition.dv_of(decision.state, lambda scale: wounds.pain_dv(beyond, scale))
    difficulty = condition.describe_difficulty(condition.rounded_or_none(dv))
    question = f"{words}: {what} {rolls.rounded(total)}{difficulty}"
    return rolls.make_check(decision, combatant_id, what, total, dv, rule, question, owed=True)


def _ask_pres(decision: Decision, combatant: Combatant, through: int) -> None:
    """CS-610: set an unknown P-RES by the GM's ruling, for all of the squad without one; or apply the given result."""
    name = combatant.name
    answer = decision.ask_about(
        combatant, "pres", "CS-610",
        f"{name}: {through} POT comes through. What is {name}'s P-RES? (not entered yet)",
        "none:at least that much", "faints", amount="P-RES",
    )  # fmt: skip
    if answer.choice in ("", "none"):
        return
    if answer.choice == "faints":
        _take_down(decision, decision.state.combatants[combatant.id], queries.UNCONSCIOUS)
        return
    score = whole("CS-610", answer.amount, 0, "P-RES", most=99, besides=("none", "faints"))
    for other in decision.state.combatants.values():
        alike = other.id == combatant.id or (bool(combatant.squad) and other.squad == combatant.squad)
        if alike and pres_of(other) is None:
            decision.emit(*queries.set_traits(other, pres=score))


# Stun


def ask_barrier(decision: Decision, combatant: Combatant, against: str) -> None:
    """CS-619: offer to stun a combatant driven against something solid."""
    solid = against if against.startswith(("a ", "the ")) else f"the {against}"
    answer = decision.ask_about(
        combatant, BARRIER, "CS-619", f"{combatant.name} is driven against {solid}. Does that stun, too?",
        "none:not stunned", default="none", amount="penalty", blocking=False,
    )  # fmt: skip
    if answer.choice in ("", "none") or answer.amount is None:
        return
    if penalty := whole("CS-619", answer.amount, 0, "penalty", most=9999, besides=("none",)):
        decision.emit(condition.apply_stun(decision.state, decision.state.combatants[combatant.id], penalty))


def decay_stuns(state: FightState) -> Events:
    """CS-616: decay all stuns at the end of a segment; at 0 they end."""
    changes: list[Event] = []
    for combatant in state.roster:
        for effect in queries.stuns_of(combatant):
            stun = condition.stun_of(state, effect)
            if state.round > stun.segment:
                left = stun.penalty(state.round + 1)
                changes.append(events.StunDecayed(who=combatant.id, effect=effect.id, penalty=left))
                changes += () if left else _clear_stun(combatant, effect, "the pain is gone")
    return tuple(changes)


def _clear_stun(combatant: Combatant, effect: Effect, reason: str) -> Events:
    return (events.StunCleared(who=combatant.id, effect=effect.id, name=effect.name, reason=reason),)


@handles(commands.SetStun)
def decide_stun(decision: Decision, command: commands.SetStun) -> None:
    """CS-617: set a stun by the GM's ruling, which replaces all others."""
    state = decision.state
    combatant = decision.combatant(command.who)
    if command.penalty < 0 or command.halvings < 0:
        raise Refused("CS-617", f"{command.penalty} is not a penalty", ("0 or more; 0 ends it",), final=True)
    for effect in queries.stuns_of(combatant):
        decision.emit(*_clear_stun(combatant, effect, "the GM's ruling"))
    if command.penalty:
        since = state.round - command.halvings - bool(command.halvings)
        decision.emit(condition.apply_stun(state, combatant, command.penalty, since=since))


# Rallying in spite of Grievous wounds: full STR in one Action (CS-622)


def rally_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-094, CS-622: rallying needs Grievous wounds that reduce STR; one try for each Action, as it is resolved."""
    name, attempt, whose = combatant.name, fighter_of(combatant).rally, queries.actor_of(state)
    is_grievous = condition.damage_level(state, combatant) == "grievous"
    is_own_turn = queries.kind_of(state) == queries.RESOLVE and whose is not None and whose.id == combatant.id
    is_due_now = is_own_turn and queries.action_of(combatant).is_open and queries.is_due(combatant)
    # The dice of an attack out of turn do not wait for the Resolution.
    is_offered = any(each.who == combatant.id and each.kind in ("reprisal", "opportunity") for each in state.prompts)
    is_masked = settings_of(state).adrenaline == "masks_all"
    times = (f"{name}'s own Resolution", "a Reprisal", "an Opportunity Action")
    tried = f"{name} has already tried to rally for this Action: {attempt}"
    return (
        queries.able_check(combatant, "CS-111"),
        Check(is_grievous, "CS-622", f"{name} has no Grievous wounds", ("4 to 6",)),
        Check(not is_masked, "CS-626", f"{name} feels no wound while the fight lasts", ("after it",)),
        Check(not fighter_of(combatant).roused, "CS-627", f"{name} was knocked out and roused", ("rest",)),
        Check(not attempt, "CS-622", tried, ("the next Action",)),
        Check(is_due_now or is_offered, "CS-094", f"{name} can only rally while an Action is resolved", times),
        question_check(state),
    )


@handles(commands.Rally)
def decide_rally(decision: Decision, command: commands.Rally) -> None:
    """CS-622: make the HRT check for full STR in one Action."""
    combatant = decision.combatant(command.who)
    enforce(rally_checks(decision.state, combatant), decision.referee)
    offers = _rally_offers(decision.state, combatant.id)
    decision.emit(*(record_answer(prompt, RALLY, default=False) for prompt in offers))
    _try_rally(decision, combatant.id, command.chance, command.hit)


def rally_odds(state: FightState, combatant: Combatant) -> tuple[Sum, Sum | None]:
    """CS-622: the AV to rally, and the DV; None for it if it is unknown."""
    total, count = condition.value_of(state, combatant, "HRT", "CS-622"), fighter_of(combatant).wounds
    if condition.body_points(state, combatant) is not None:
        # No rule says how many wounds Body Points are.
        return total, None
    return total, condition.dv_of(state, lambda scale: wounds.rally_dv(count, scale))


def _try_rally(decision: Decision, combatant_id: str, chance: int | None = None, hit: bool | None = None) -> None:
    state = decision.state
    combatant = state.combatants[combatant_id]
    total, dv = rally_odds(state, combatant)
    hurt = f"{fighter_of(combatant).wounds} wounds" if dv is not None else "Grievous wounds"
    difficulty = condition.describe_difficulty(condition.rounded_or_none(dv))
    question = f"{combatant.name} rallies in spite of {hurt}: HRT {rolls.rounded(total)}{difficulty}"
    verdict = rolls.make_check(decision, combatant_id, "HRT", total, dv, "CS-622", question, chance=chance, hit=hit)
    if verdict is not None:
        rally = RALLIED if verdict.ok else "in vain"
        decision.emit(condition.Rallied(who=combatant_id, traits={"rally": rally}, ok=verdict.ok))


def offer_rally(decision: Decision) -> None:
    """CS-622: offer to rally on the turn of a combatant with Grievous wounds whose attack is due."""
    state = decision.state
    combatant = queries.actor_of(state)
    if queries.kind_of(state) != queries.RESOLVE or combatant is None or _rally_offers(state, combatant.id):
        return
    action = queries.action_of(combatant)
    due = action.is_open and action.kind in queries.ATTACKS and queries.is_due(combatant)
    if due and all(check.holds for check in rally_checks(state, combatant)):
        decision.spawn(_ask_to_rally, combatant)


def _ask_to_rally(decision: Decision, combatant: Combatant) -> None:
    answer = decision.ask_about(
        combatant, RALLY, "CS-622",
        f"{combatant.name} has Grievous wounds and half STR. Rally for this Action?",
        "rally:a HRT check for full STR", "no:fight on with half", default="no", blocking=False,
    )  # fmt: skip
    if answer.choice == RALLY:
        _try_rally(decision, combatant.id)


def _rally_offers(state: FightState, combatant_id: str) -> tuple[Prompt, ...]:
    return tuple(prompt for prompt in state.prompts if prompt.kind == RALLY and prompt.who == combatant_id)


def end_rally(state: FightState, combatant_id: str) -> Events:
    """CS-622: end a rally with its Action; another try is possible for the next."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return ()
    return (*record_moot(_rally_offers(state, combatant_id)), *queries.set_traits(combatant, rally=""))


HEALERS = ("heal", "physic", "surgeon", "chirurg", "leech")
"""Words that make a trade a healer's."""

MOST_DAYS, MOST_SL, MOST_FEET = 3650, 200, 100_000


@frozen
class Care:
    """The care of a wounded combatant (CS-662, CS-669), and the day from which the time of the next wound counts."""

    sl: int | None
    skilled: bool
    rest: bool
    since: int

    @property
    def level(self) -> int:
        """The healer's level, 0 without one."""
        return self.sl or 0

    def meets(self, required_care: wounds.Care) -> bool:
        """Whether wounds that need this care heal with it (CS-661, CS-662, CS-669)."""
        is_tended = self.sl is not None and self.rest
        return {
            "none": True,
            "ordinary_days": True,
            "rest_and_healer": is_tended,
            "very_skilled_healer": is_tended and self.skilled,
        }[required_care]


def care_of(combatant: Combatant) -> Care:
    """The care that a combatant has now."""
    fighter = fighter_of(combatant)
    sl = None if fighter.heal_sl is None else min(MOST_SL, max(0, fighter.heal_sl))
    return Care(sl, fighter.heal_skilled, not fighter.heal_restless, fighter.heal_from)


def wound_count(state: FightState, combatant: Combatant) -> int:
    """Wounds, or Body Points lost."""
    is_by_points = condition.body_points(state, combatant) is not None
    return max(0, condition.damage_of(combatant) if is_by_points else fighter_of(combatant).wounds)


def _level_with(state: FightState, combatant: Combatant, left: int) -> Level:
    most = condition.body_points(state, combatant)
    return wounds.level_of(left) if most is None else wounds.level_of_points(left, most)


def can_heal(state: FightState, combatant: Combatant) -> bool:
    """Whether a combatant is wounded and alive."""
    return wound_count(state, combatant) > 0 and fighter_of(combatant).life != queries.DEAD


def _patients(state: FightState) -> tuple[Combatant, ...]:
    return tuple(combatant for combatant in state.roster if can_heal(state, combatant))


def days_to_next(state: FightState) -> int:
    """Days until the next wound of anybody heals; 1 if none does."""
    plans = (schedule_healing(state, combatant) for combatant in _patients(state))
    days = [plan.on_days[0] - battle_of(state).heal_day for plan in plans if plan.met and plan.on_days]
    return min(MOST_DAYS, max(1, min(days, default=1)))


MOST_STEPS = 200
"""The most steps that a plan shows."""


def _days_of_last_wound(state: FightState, combatant: Combatant) -> int | None:
    """Days that the last healed wound took, by the reading `day_less`; None before one, or after new wounds (A-41)."""
    last = fighter_of(combatant).heal_last
    same = last > 0 and fighter_of(combatant).heal_left == wound_count(state, combatant)
    return last if same and settings_of(state).healing_pace == "day_less" else None


def next_sum(state: FightState, combatant: Combatant) -> Sum:
    """The parts of the number of days until the next wound heals; none for the unhurt."""
    left, sl = wound_count(state, combatant), care_of(combatant).level
    if not left:
        return Sum(())
    before = _days_of_last_wound(state, combatant)
    if condition.body_points(state, combatant) is None and before is not None:
        parts = [Part("the wound before", before, "CS-664"), Part("a day less", -1, "CS-664")]
    elif condition.body_points(state, combatant) is not None:
        parts = [Part("points of damage", left, "CS-666"),
                 Part("CND modifier", -profile_of(combatant).mods.cnd, "CS-666"),
                 Part(f"a quarter of the healer's SL {sl}", -(sl // 4), "CS-666")]  # fmt: skip
    elif left - sl // 4 > 1:
        parts = [Part("a week for each wound", left * 7, "CS-663"),
                 Part(f"a week for each 4 of the healer's SL {sl}", -(sl // 4) * 7, "CS-663")]  # fmt: skip
    else:
        parts = [Part("one week and a day less for each further level", 6 + left - sl // 4, "CS-663")]
    total = Sum(tuple(parts))
    return total.add("at least a day", max(0, 1 - total.total), "CS-665")


def dates_of(state: FightState, days: tuple[int, ...]) -> tuple[str, ...]:
    """Days after the fight as dates, if the date of the fight is known."""
    fought = _date(battle_of(state).fought)
    if fought is None:
        return ()
    try:
        return tuple((fought + timedelta(days=day)).isoformat() for day in days)
    except OverflowError:
        return ()


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def schedule_healing(state: FightState, combatant: Combatant) -> condition.HealingScheduled:
    """CS-664: the event of a healing plan, with the care needed, as it is or if it begins today."""
    total, care = min(wound_count(state, combatant), MOST_STEPS), care_of(combatant)
    level = condition.damage_level(state, combatant)
    required_care = wounds.care(level)
    since = care.since if care.meets(required_care) else max(care.since, battle_of(state).heal_day)
    plan = _healing_steps(state, combatant, total, since)
    on_days = tuple(step.day for step in plan)
    return condition.HealingScheduled(
        who=combatant.id, traits={}, level=level, care=required_care, met=care.meets(required_care),
        healer_sl=care.level, days=tuple(step.days for step in plan), on_days=on_days, dates=dates_of(state, on_days),
    )  # fmt: skip


def _healing_steps(state: FightState, combatant: Combatant, total: int, since: int) -> tuple[wounds.Step, ...]:
    sl = care_of(combatant).level
    if condition.body_points(state, combatant) is not None:
        return wounds.point_plan(total, profile_of(combatant).mods.cnd, sl, since)
    before = _days_of_last_wound(state, combatant)
    return wounds.wound_plan(total, sl, since, settings_of(state).healing_pace, before)


def begin_aftermath(state: FightState) -> Events:
    """CS-627, CS-660: the events at the end of the contest: STR left, how much longer END takes, and healing plans."""
    new_events: list[Event] = []
    for combatant in state.roster:
        level = condition.damage_level(state, combatant)
        if level != "none" and fighter_of(combatant).life != queries.DEAD:
            total = condition.strength_after_contest(state, combatant)
            applied = condition.AftermathApplied(
                who=combatant.id, level=level, strength=rolls.rounded(total), parts=rolls.parts_of(total),
                end_factor=wounds.recovery_factor(level),
            )  # fmt: skip
            new_events += (applied, schedule_healing(state, combatant))
    return tuple(new_events)


@handles(commands.PlanHealing)
def decide_plan(decision: Decision, command: commands.PlanHealing) -> None:
    """CS-661 to CS-669: set who cares for a combatant, and plan its healing."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    _require_end(state, referee)
    if not can_heal(state, combatant):
        why = "has no wounds" if fighter_of(combatant).life != queries.DEAD else "is dead"
        wounded_ids = tuple(other.id for other in _patients(state)) or ("no one is wounded",)
        raise Refused("CS-664", f"{combatant.name} {why}", wounded_ids, final=True)
    sl = command.healer_sl
    if command.healer:
        healer = decision.combatant(command.healer)
        sl = profile_of(healer).trade_sl(*HEALERS) if sl is None else sl
        is_healer = profile_of(healer).has_trade(*HEALERS) or command.healer_sl is not None
        is_alive, others = fighter_of(healer).life != queries.DEAD, ("another healer", "healer_sl")
        referee.require(is_alive, "CS-662", f"{healer.name} is dead", *others)
        referee.require(is_healer, "CS-662", f"{healer.name} has no healer's trade", *others)
    if sl is not None and not 0 <= sl <= MOST_SL:
        raise Refused("CS-663", f"a healer can't have SL {sl}", (f"0 to {MOST_SL}",), final=True)
    if command.fought and _date(command.fought) is None:
        raise Refused("CS-664", f"{command.fought!r} is not a date", ("such as 2026-05-01",), final=True)
    if command.fought:
        decision.emit(*queries.set_fact(state, "fought", command.fought))
    traits: dict[str, Scalar] = {"heal_sl": sl, "heal_skilled": command.skilled, "heal_restless": not command.rest}
    decision.emit(*queries.set_traits(combatant, **traits))
    level, now = condition.damage_level(state, combatant), decision.state.combatants[combatant.id]
    decision.emit(*_begin_care(state, combatant, now, level))
    decision.emit(schedule_healing(decision.state, decision.state.combatants[combatant.id]))


def _begin_care(state: FightState, before: Combatant, now: Combatant, level: Level) -> Events:
    """CS-662, CS-669: count the time from the day on which the needed care begins; days without it heal nothing."""
    had_it = care_of(before).meets(wounds.care(condition.damage_level(state, before)))
    if had_it or not care_of(now).meets(wounds.care(level)):
        return ()
    return queries.set_traits(now, heal_from=battle_of(state).heal_day)


def _require_end(state: FightState, referee: Referee) -> None:
    referee.require(state.status == "closed", "CS-660", "wounds heal when the contest is over", "close")


@handles(commands.HealDays)
def decide_days(decision: Decision, command: commands.HealDays) -> None:
    """CS-664: heal what is due, wound by wound; the Mortally wounded without care may die (CS-669)."""
    state, referee = decision.state, decision.referee
    if not 1 <= command.days <= MOST_DAYS:
        raise Refused("CS-664", f"can't skip {command.days} days", (f"1 to {MOST_DAYS}",), final=True)
    _require_end(state, referee)
    enforce((question_check(state),), referee)
    before = battle_of(state).heal_day
    decision.emit(condition.DaysPassed(fact="heal_day", before=before, value=before + command.days))
    for combatant in _patients(state):
        decision.emit(*_heal_wounds(decision.state, combatant))
        required_care = wounds.care(condition.damage_level(state, combatant))
        if required_care == "very_skilled_healer" and not care_of(combatant).meets(required_care):
            decision.spawn(_neglect, combatant.id)


def _heal_wounds(state: FightState, combatant: Combatant) -> Events:
    care, most = care_of(combatant), condition.body_points(state, combatant)
    boxes = COLLAPSE_WOUNDS if most is None else most
    steps = [
        step
        for step in _healing_steps(state, combatant, wound_count(state, combatant), care.since)
        if step.day <= battle_of(state).heal_day
    ]
    new_events: list[Event] = []
    traits: dict[str, Scalar] = {}
    for step in steps:
        if not care.meets(wounds.care(_level_with(state, combatant, step.before))):
            break
        left, last = step.before - 1, step.days if settings_of(state).healing_pace == "day_less" else 0
        traits = {"heal_from": step.day, "heal_last": last, "heal_left": left}
        new_events.append(
            condition.WoundHealed(
                who=combatant.id, pool=queries.HP, before=max(0, boxes - step.before), left=max(0, boxes - left),
                max=boxes, amount=1, day=step.day, total=left, date="".join(dates_of(state, (step.day,))),
            )
        )  # fmt: skip
    return (*new_events, *queries.set_traits(combatant, **traits))


def _neglect(decision: Decision, combatant_id: str) -> None:
    combatant = decision.state.combatants[combatant_id]
    answer = decision.ask_about(
        combatant, "untended", "CS-669",
        f"{combatant.name} has Mortal wounds and no very skilled healer. Does {combatant.name} die?",
        "dies", "lives:holds out for now", default="dies",
    )  # fmt: skip
    combatant = decision.state.combatants.get(combatant_id, combatant)
    if answer.choice == "dies" and fighter_of(combatant).life != queries.DEAD:
        decision.emit(*condition.life_events(combatant, queries.DEAD))


@handles(commands.Strain)
def decide_strain(decision: Decision, command: commands.Strain) -> None:
    """CS-667 to CS-671: a strenuous act restarts healing; moving costs the Mortally wounded wounds."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    if not 0 <= command.feet <= MOST_FEET:
        raise Refused("CS-670", f"can't move {command.feet:g} ft", (f"0 to {MOST_FEET}",), final=True)
    _require_end(state, referee)
    referee.require(can_heal(state, combatant), "CS-667", f"{combatant.name} is not healing", "the wounded")
    if command.carried:  # Being carried is not an act of their own: their time goes on.
        enforce((carried_check(state, combatant),), referee)
        answer = decision.ask_about(
            combatant, "carried", "CS-671", f"{combatant.name} is carried with Mortal wounds. How many more"
            " wounds? (none by levitation, or on a sheet with a healer)", "none", default="none", amount="wounds",
        )  # fmt: skip
        is_hurt = answer.choice not in ("", "none")
        if is_hurt and (count := whole("CS-671", answer.amount, 0, "number of wounds", most=99, besides=("none",))):
            decision.hurt(combatant.id, count, queries.HP)
        return
    level, day = condition.damage_level(state, combatant), battle_of(state).heal_day
    decision.emit(condition.HealingClockReset(who=combatant.id, traits={"heal_from": day}, day=day))
    if level == "mortal" and not command.heroic:
        before, mods = max(0.0, fighter_of(combatant).heal_feet), profile_of(combatant).mods
        total = exact(before + command.feet)
        so_far, now = (wounds.wounds_from_moving(each, mods.str, mods.cnd) for each in (exact(before), total))
        decision.emit(*queries.set_traits(decision.state.combatants[combatant.id], heal_feet=float(total)))
        if now > so_far:
            decision.hurt(combatant.id, now - so_far, queries.HP)
    elif level == "grievous":
        question = f"{combatant.name} overdoes it with Grievous wounds. Add a wound?"
        more = ("none:no more", "wound:one more wound")
        answer = decision.ask_about(combatant, "setback", "CS-668", question, *more, default="none")
        if answer.choice == "wound":
            decision.hurt(combatant.id, 1, queries.HP)


def carried_check(state: FightState, combatant: Combatant) -> Check:
    """CS-671: being carried only harms the Mortally wounded."""
    mortal = condition.damage_level(state, combatant) == "mortal"
    return Check(mortal, "CS-671", f"{combatant.name} has no Mortal wounds", ("the Mortally wounded",))


@handles(commands.MendWounds)
def decide_mend(decision: Decision, command: commands.MendWounds) -> None:
    """CS-669, CS-672: heal wounds by magick, or shift them to another combatant."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    count = wound_count(state, combatant)
    if not 1 <= command.wounds <= count:
        accepts = (f"1 to {count}",) if count else ("someone wounded",)
        raise Refused("CS-672", f"can't mend {command.wounds} wounds", accepts, final=True)
    if not command.shifting:
        enforce((magick_check(state, combatant),), referee)
    most = condition.body_points(state, combatant) or COLLAPSE_WOUNDS
    left = count - command.wounds
    before, now = max(0, most - count), max(0, most - left)
    decision.emit(Healed(who=combatant.id, pool=queries.HP, before=before, left=now, max=most, amount=command.wounds))
    decision.emit(*_begin_care(state, combatant, combatant, _level_with(state, combatant, left)))


def magick_check(state: FightState, combatant: Combatant) -> Check:
    """CS-669: rapid healing alone does nothing for the Mortally wounded."""
    mortal = condition.damage_level(state, combatant) == "mortal"
    problem = f"magick alone can't heal {combatant.name}'s Mortal wounds"
    tended = care_of(combatant).meets("very_skilled_healer")
    return Check(tended or not mortal, "CS-669", problem, ("shifting", "a very skilled healer"))
