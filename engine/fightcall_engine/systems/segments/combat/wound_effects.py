"""Wounds and Body Points, the tenth wound, pain, stun and rallying (CS-600 to CS-632)."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine.kit.decision import (
    Decision,
    choices,
    prompt_for,
    question_check,
    record_answer,
    record_moot,
    throw,
    whole,
)
from fightcall_engine.kit.handlers import handles, reacts_to
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.records import harm
from fightcall_engine.kit.views import Check, enforce
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import DamageApplied, Event, Events, Healed, PoolAdjusted, SettingChanged
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.rules import wounds
from fightcall_engine.systems.segments.rules.numbers import Number, Sum, halve, prog
from fightcall_engine.systems.segments.rules.wounds import COLLAPSE_DV, COLLAPSE_WOUNDS, Harm
from fightcall_engine.systems.segments.state import commands, condition, enlistment, events, harm_events, queries, rolls
from fightcall_engine.systems.segments.state.condition import RALLIED
from fightcall_engine.systems.segments.state.queries import ATTACKS, action_of, is_due
from fightcall_engine.systems.segments.state.records import fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import Parts, Verdict
from fightcall_engine.systems.segments.state.settings import settings_of

_OF_THE_STANDING = ("CS-461", "CS-463", "CS-562", "CS-610", "CS-612", "CS-619", "CS-622")
_OF_THE_LIVING = ("CS-624", "CS-625")
"""The rules by which those who are up, and those who live, make checks after a blow."""


RALLY, BARRIER = "rally", "barrier_stun"
"""The kinds of the offers to rally, and to be stunned by a barrier."""

_ASKED = (rolls.CHECK_PROMPT, "pres", BARRIER, RALLY)


def _take_down(decision: Decision, combatant: Combatant, life: str) -> None:
    """Make a combatant unconscious, collapsed or dead, and close the checks that only combatants who are up make.

    The time to live after the tenth wound does not change (CS-625).
    """
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
    return tuple(
        event
        for combatant in state.roster
        if 0 < fighter_of(combatant).life_until <= state.round and fighter_of(combatant).life != queries.DEAD
        for event in condition.life_events(combatant, queries.DEAD)
    )


# Wound Threshold


def wound_threshold(state: FightState, combatant: Combatant) -> Number:
    """The POT that a combatant takes without a wound (CS-600)."""
    return wounds.wound_threshold(
        profile_of(combatant).msta, profile_of(combatant).scores.cnd, settings_of(state).wt_rounding
    )


def exact_threshold(combatant: Combatant) -> Fraction:
    """The threshold before it is rounded and limited to 1."""
    return Fraction(profile_of(combatant).msta + profile_of(combatant).scores.cnd, 8)


def wound_parts(combatant: Combatant, harm: Harm) -> Parts:
    """The parts of a blow's number of wounds: what got through, the threshold, how often it is exceeded (CS-602)."""
    mark = f"{float(harm.threshold):g}"
    size = f"Wound Threshold, (modified STA {profile_of(combatant).msta} + CND {profile_of(combatant).scores.cnd}) ÷ 8"
    times = wounds.wounds(harm.met.through, harm.threshold, counts=True)
    parts = (("POT through", str(harm.met.through), "CS-601"), (size, mark, "CS-600"),
             ("times exceeded", str(times), "CS-602"))  # fmt: skip
    if harm.threshold_counts:
        return parts
    return (*parts, ("an edge or point in flesh: a wound at least", str(max(1, times)), "CS-603"))


def wound_track(state: FightState, combatant: Combatant) -> tuple[int, int, str]:
    """Wounds, boxes until collapse, and the level (CS-620, CS-624); the same of Body Points (CS-632)."""
    most = condition.body_points(state, combatant)
    level = condition.damage_level(state, combatant)
    if most is None:
        return condition.wounds_of(combatant), COLLAPSE_WOUNDS, level
    return condition.damage_of(combatant), most, level


def pres_of(combatant: Combatant) -> int | None:
    """P-RES, by GM ruling or the sheet, or None."""
    pres_by_gm = fighter_of(combatant).pres
    if isinstance(pres_by_gm, int) and not isinstance(pres_by_gm, bool):
        return pres_by_gm
    return profile_of(combatant).pres


def bearable_pot(combatant: Combatant) -> int | None:
    """The POT that a combatant bears without a check: P-RES, with a heroic deed (CS-610, CS-646)."""
    pres = pres_of(combatant)
    return None if pres is None else pres + condition.amount_of(combatant, condition.PRES)


# Applying harm


def emit_harm(decision: Decision, combatant_id: str, wound_count: int, points: int, by: str) -> None:
    """CS-601, CS-550: emit the wounds or Body Points of a blow; `react_to_harm` does the rest."""
    combatant = decision.state.combatants[combatant_id]
    most = condition.body_points(decision.state, combatant)
    if most is None:
        if wound_count:
            decision.emit(harm(decision.state, combatant_id, wound_count, queries.HP, by))
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
    if most is None:
        new_events = (
            condition.add_wounds(combatant, event.amount)
            if isinstance(event, DamageApplied)
            else _heal_wounds(combatant, event.amount)
        )
        decision.emit(*new_events)
    elif isinstance(event, DamageApplied):
        loss = event.max - event.before
        _check_collapse(decision, combatant, wounds.collapse_checks_by_points(loss, loss + event.amount, most))


def _heal_wounds(combatant: Combatant, amount: int) -> Events:
    """Remove wounds; a pool at 0 only refills once fewer than ten are left."""
    new_events = condition.add_wounds(combatant, -min(amount, max(0, condition.wounds_of(combatant))))
    pool, left = combatant.pool(queries.HP), max(0, COLLAPSE_WOUNDS - max(0, condition.wounds_of(combatant) - amount))
    if condition.wounds_of(combatant) <= COLLAPSE_WOUNDS or pool.now == left:
        return new_events
    return (
        *new_events,
        PoolAdjusted(who=combatant.id, pool=queries.HP, before=pool.now, left=left, max=pool.max, reason="CS-628"),
    )


@reacts_to(events.WoundsInflicted)
def settle_collapse(decision: Decision, event: events.WoundsInflicted) -> None:
    """CS-624, CS-628: ask for the checks at the tenth wound and beyond."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None and event.n > 0:
        _check_collapse(decision, combatant, wounds.collapse_checks(event.total - event.n, event.total))


def convert_pools(state: FightState, event: SettingChanged) -> Events:
    """Convert pools between wounds and Body Points when the option changes (CS-550, CS-604)."""
    if event.setting != "body_points":
        return ()
    changes: list[Event] = []
    for combatant in state.combatants.values():
        sheet = {**combatant.sheet, "wounds": condition.wounds_of(combatant)}
        now, points = condition.health_from_sheet(state.settings, sheet), combatant.pool(queries.HP)
        if now != points:
            changes.append(
                PoolAdjusted(
                    who=combatant.id, pool=queries.HP, before=points.now, left=now.now, max=now.max, reason="CS-550"
                )
            )
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


def names_without_points(state: FightState) -> tuple[str, ...]:
    """M-12: names of those whose Body Points are counted but not entered."""
    if not settings_of(state).body_points:
        return ()
    names = [combatant.name for combatant in state.roster if condition.body_points(state, combatant) is None]
    return (f"No Body Points entered, so wounds are counted: {list_names(names, 5)}",) if names else ()


def harm_by_gm(decision: Decision, combatant: Combatant, amount: int | str, by: str = "") -> None:
    """Wounds or Body Points by GM ruling, a number or dice."""
    number, new_events = throw(amount, decision.dice, "harm", combatant.id)
    decision.emit(*new_events)
    if number:
        decision.emit(harm(decision.state, combatant.id, number, queries.HP, by))


# Pain


_MOST_PRES, _MOST_PENALTY = 99, 9999


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
    penalty = halve(full) if verdict.ok else Fraction(full)
    if penalty:
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
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="pres",
            question=f"{name}: {through} POT comes through. What is {name}'s P-RES? (not entered yet)",
            rule="CS-610",
            choices=choices("none:at least that much", "faints"),
            amount="P-RES",
        )
    )
    if answer is None or answer.choice == "none":
        return
    if answer.choice == "faints":
        _take_down(decision, decision.state.combatants[combatant.id], queries.UNCONSCIOUS)
        return
    score = whole("CS-610", answer.amount, 0, "P-RES", most=_MOST_PRES, besides=("none", "faints"))
    for other in decision.state.combatants.values():
        alike = other.id == combatant.id or (bool(combatant.squad) and other.squad == combatant.squad)
        if alike and pres_of(other) is None:
            decision.emit(*queries.set_traits(other, pres=score))


# Stun


def ask_barrier(decision: Decision, combatant: Combatant, against: str) -> None:
    """CS-619: offer to stun a combatant driven against something solid."""
    solid = against if against.startswith(("a ", "the ")) else f"the {against}"
    answer = decision.ask(
        prompt_for(
            combatant,
            kind=BARRIER,
            question=f"{combatant.name} is driven against {solid}. Does that stun, too?",
            rule="CS-619",
            choices=choices("none:not stunned"),
            default="none",
            amount="penalty",
            blocking=False,
        )
    )
    if answer is None or answer.choice == "none" or answer.amount is None:
        return
    penalty = whole("CS-619", answer.amount, 0, "penalty", most=_MOST_PENALTY, besides=("none",))
    if penalty:
        decision.emit(condition.apply_stun(decision.state, decision.state.combatants[combatant.id], penalty))


def decay_stuns(state: FightState) -> Events:
    """CS-616: decay all stuns at the end of a segment; at 0 they end."""
    changes: list[Event] = []
    for combatant in state.roster:
        for effect in queries.stuns_of(combatant):
            stun = condition.stun_of(state, effect)
            if state.round <= stun.segment:
                continue
            left = stun.penalty(state.round + 1)
            changes.append(events.StunDecayed(who=combatant.id, effect=effect.id, penalty=left))
            if left == 0:
                changes.append(
                    events.StunCleared(who=combatant.id, effect=effect.id, name=effect.name, reason="the pain is gone")
                )
    return tuple(changes)


@handles(commands.SetStun)
def decide_stun(decision: Decision, command: commands.SetStun) -> None:
    """CS-617: set a stun by the GM's ruling, which replaces all others."""
    state = decision.state
    combatant = decision.combatant(command.who)
    if command.penalty < 0 or command.halvings < 0:
        raise Refused("CS-617", f"{command.penalty} is not a penalty", ("0 or more; 0 ends it",), final=True)
    end_events = tuple(
        events.StunCleared(who=combatant.id, effect=effect.id, name=effect.name, reason="the GM's ruling")
        for effect in queries.stuns_of(combatant)
    )
    if not command.penalty:
        decision.emit(*end_events)
        return
    decision.emit(
        *end_events,
        condition.apply_stun(
            state, combatant, command.penalty, since=state.round - command.halvings - bool(command.halvings)
        ),
    )


# Rallying in spite of Grievous wounds: full STR in one Action (CS-622)


RALLY_FAILED = "in vain"
"""The value of `Fighter.rally` after a failed try for the running Action."""

_OUT_OF_TURN = ("reprisal", "opportunity")
"""Offers of an attack out of turn; its dice do not wait for the Resolution (CS-094)."""


def _can_rally_now(state: FightState, combatant: Combatant) -> bool:
    """CS-094: whether an Action is due in the combatant's own Resolution, or a blow out of turn is offered."""
    whose = queries.actor_of(state)
    is_own_turn = queries.kind_of(state) == queries.RESOLVE and whose is not None and whose.id == combatant.id
    due = is_own_turn and action_of(combatant).is_open and is_due(combatant)
    return due or any(prompt.who == combatant.id and prompt.kind in _OUT_OF_TURN for prompt in state.prompts)


def rally_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-094, CS-622: rallying needs Grievous wounds that reduce STR; one try for each Action, as it is resolved."""
    attempt = fighter_of(combatant).rally
    is_masked = settings_of(state).adrenaline == "masks_all"
    return (
        queries.able_check(combatant, "CS-111"),
        Check(
            condition.damage_level(state, combatant) == "grievous",
            "CS-622",
            f"{combatant.name} has no Grievous wounds",
            ("4 to 6",),
        ),
        Check(not is_masked, "CS-626", f"{combatant.name} feels no wound while the fight lasts", ("after it",)),
        Check(
            not fighter_of(combatant).roused,
            "CS-627",
            f"{combatant.name} was knocked out and roused",
            ("rest",),
        ),
        Check(
            not attempt,
            "CS-622",
            f"{combatant.name} has already tried to rally for this Action: {attempt}",
            ("the next Action",),
        ),
        Check(
            _can_rally_now(state, combatant),
            "CS-094",
            f"{combatant.name} can only rally while an Action is resolved",
            (f"{combatant.name}'s own Resolution", "a Reprisal", "an Opportunity Action"),
        ),
        question_check(state),
    )


@handles(commands.Rally)
def decide_rally(decision: Decision, command: commands.Rally) -> None:
    """CS-622: make the HRT check for full STR in one Action."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    enforce(rally_checks(state, combatant), referee)
    offers = _rally_offers(state, combatant.id)
    decision.emit(*(record_answer(prompt, RALLY, default=False) for prompt in offers))
    _try_rally(decision, combatant.id, command.chance, command.hit)


def _try_rally(decision: Decision, combatant_id: str, chance: int | None, hit: bool | None) -> None:
    state = decision.state
    combatant = state.combatants[combatant_id]
    total = condition.value_of(state, combatant, "HRT", "CS-622")
    count = condition.wounds_of(combatant)
    is_counted = condition.body_points(state, combatant) is None  # No rule says how many wounds Body Points are.
    dv = condition.dv_of(state, lambda scale: wounds.rally_dv(count, scale)) if is_counted else None
    hurt = f"{count} wounds" if is_counted else "Grievous wounds"
    difficulty = condition.describe_difficulty(condition.rounded_or_none(dv))
    question = f"{combatant.name} rallies in spite of {hurt}: HRT {rolls.rounded(total)}{difficulty}"
    verdict = rolls.make_check(decision, combatant_id, "HRT", total, dv, "CS-622", question, chance=chance, hit=hit)
    if verdict is not None:
        rally = RALLIED if verdict.ok else RALLY_FAILED
        decision.emit(condition.Rallied(who=combatant_id, traits={"rally": rally}, ok=verdict.ok))


def offer_rally(decision: Decision) -> None:
    """CS-622: offer to rally on the turn of a combatant with Grievous wounds whose attack is due."""
    state = decision.state
    combatant = queries.actor_of(state)
    if queries.kind_of(state) != queries.RESOLVE or combatant is None or _rally_offers(state, combatant.id):
        return
    action = action_of(combatant)
    due = action.is_open and action.kind in ATTACKS and is_due(combatant)
    if due and all(check.holds for check in rally_checks(state, combatant)):
        decision.spawn(_ask_to_rally, combatant)


def _ask_to_rally(decision: Decision, combatant: Combatant) -> None:
    answer = decision.ask(
        prompt_for(
            combatant,
            kind=RALLY,
            question=f"{combatant.name} has Grievous wounds and half STR. Rally for this Action?",
            rule="CS-622",
            choices=choices("rally:a HRT check for full STR", "no:fight on with half"),
            default="no",
            blocking=False,
        )
    )
    if answer is not None and answer.choice == RALLY:
        _try_rally(decision, combatant.id, None, None)


def _rally_offers(state: FightState, combatant_id: str) -> tuple[Prompt, ...]:
    return tuple(prompt for prompt in state.prompts if prompt.kind == RALLY and prompt.who == combatant_id)


def end_rally(state: FightState, combatant_id: str) -> Events:
    """CS-622: end a rally with its Action; another try is possible for the next."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return ()
    return (*record_moot(_rally_offers(state, combatant_id)), *queries.set_traits(combatant, rally=""))
