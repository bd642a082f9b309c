"""Wounds and Body Points; the tenth wound and those after it (CS-600 to CS-632)."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine.kit.combatants import harm
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.prompts import record_moot
from fightcall_engine.kit.rolls import throw
from fightcall_engine.model.events import (
    DamageApplied,
    Event,
    Events,
    Healed,
    PoolAdjusted,
    SettingChanged,
)
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules import wounds
from fightcall_engine.systems.segments.rules.hits import Harm
from fightcall_engine.systems.segments.rules.numbers import Number
from fightcall_engine.systems.segments.rules.wounds import COLLAPSE_DV, COLLAPSE_WOUNDS, WtRounding
from fightcall_engine.systems.segments.state import (
    commands,
    enlistment,
    events,
    harm_events,
    health,
    queries,
    rolls,
    scores,
)
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.rolls import Parts, Verdict
from fightcall_engine.systems.segments.state.settings import settings_of

RALLY, BARRIER = "rally", "barrier_stun"
"""The kinds of the offers to rally, and to be stunned by a barrier."""

_OF_THE_STANDING = ("CS-461", "CS-463", "CS-562", "CS-610", "CS-612", "CS-619", "CS-622")
_OF_THE_LIVING = ("CS-624", "CS-625")
"""The rules by which those who are up, and those who live, make checks after a blow."""

_ASKED = (rolls.CHECK_PROMPT, "pres", BARRIER, RALLY)


def take_down(decision: Decision, combatant: Combatant, life: str) -> None:
    """Make a combatant unconscious, collapsed or dead, and close the checks that only combatants who are up make.

    The time to live after the tenth wound does not change (CS-625).
    """
    decision.emit(*health.life_events(combatant, life, until=fighter_of(combatant).life_until))
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
    decision.emit(*health.life_events(decision.combatant(command.who), command.life))


def expire_lives(state: FightState) -> Events:
    """CS-625: those who survived the tenth wound die when their time is up."""
    return tuple(
        event
        for combatant in state.roster
        if 0 < fighter_of(combatant).life_until <= state.round and fighter_of(combatant).life != queries.DEAD
        for event in health.life_events(combatant, queries.DEAD)
    )


# Wound Threshold


def rounding_of(state: FightState) -> WtRounding:
    """The reading of whether the Wound Threshold is rounded (A-12)."""
    return settings_of(state).wt_rounding


def wound_threshold(state: FightState, combatant: Combatant) -> Number:
    """The POT that a combatant takes without a wound (CS-600)."""
    return wounds.wound_threshold(profile_of(combatant).msta, profile_of(combatant).scores.cnd, rounding_of(state))


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
    most = health.body_points(state, combatant)
    level = health.damage_level(state, combatant)
    return (
        (health.wounds_of(combatant), COLLAPSE_WOUNDS, level)
        if most is None
        else (health.damage_of(combatant), most, level)
    )


def pres_of(combatant: Combatant) -> int | None:
    """P-RES, by GM ruling or the sheet, or None."""
    pres_by_gm = fighter_of(combatant).pres
    if isinstance(pres_by_gm, int) and not isinstance(pres_by_gm, bool):
        return pres_by_gm
    return profile_of(combatant).pres


def bearable_pot(combatant: Combatant) -> int | None:
    """The POT that a combatant bears without a check: P-RES, with a heroic deed (CS-610, CS-646)."""
    pres = pres_of(combatant)
    return None if pres is None else pres + scores.amount_of(combatant, scores.PRES)


# Applying harm


def emit_harm(decision: Decision, combatant_id: str, wound_count: int, points: int, by: str) -> None:
    """CS-601, CS-550: emit the wounds or Body Points of a blow; `react_to_harm` does the rest."""
    combatant = decision.state.combatants[combatant_id]
    most = health.body_points(decision.state, combatant)
    if most is None:
        if wound_count:
            decision.emit(harm(decision.state, combatant_id, wound_count, queries.HP, by))
    elif points:
        loss = harm(decision.state, combatant_id, points, queries.BP, by)
        level = wounds.level_of_points(health.damage_of(combatant) + points, most)
        decision.emit(
            harm_events.BodyPointsLost(
                who=combatant_id, pool=queries.BP, before=loss.before, left=loss.left, max=loss.max, amount=points,
                by=by, tracked=loss.tracked, level=level,
            )
        )  # fmt: skip


def react_to_harm(decision: Decision, event: Event) -> None:
    """Update the count of wounds after harm or healing, by a blow or by the GM."""
    state = decision.state
    if isinstance(event, DamageApplied) and event.pool == queries.HP and event.who in state.combatants:
        combatant = state.combatants[event.who]
        most = health.body_points(state, combatant)
        if most is not None:
            loss = event.max - event.before
            checks = wounds.collapse_checks_by_points(loss, loss + event.amount, most)
            _check_collapse(decision, combatant, checks)
            return
        decision.emit(*health.add_wounds(combatant, event.amount))
        return
    if isinstance(event, Healed) and event.pool == queries.HP and event.who in state.combatants:
        combatant = state.combatants[event.who]
        if health.body_points(state, combatant) is None:
            decision.emit(*_heal_wounds(combatant, event.amount))


def _heal_wounds(combatant: Combatant, amount: int) -> Events:
    """Remove wounds; a pool at 0 only refills once fewer than ten are left."""
    new_events = health.add_wounds(combatant, -min(amount, max(0, health.wounds_of(combatant))))
    pool, left = combatant.pool(queries.HP), max(0, COLLAPSE_WOUNDS - max(0, health.wounds_of(combatant) - amount))
    if health.wounds_of(combatant) <= COLLAPSE_WOUNDS or pool.now == left:
        return new_events
    return (
        *new_events,
        PoolAdjusted(who=combatant.id, pool=queries.HP, before=pool.now, left=left, max=pool.max, reason="CS-628"),
    )


def settle_collapse(decision: Decision, event: events.WoundsInflicted) -> None:
    """CS-624, CS-628: ask for the checks at the tenth wound and beyond."""
    state = decision.state
    combatant = state.combatants.get(event.who)
    if combatant is None or event.n <= 0:
        return
    _check_collapse(decision, combatant, wounds.collapse_checks(event.total - event.n, event.total))


def convert_pools(state: FightState, event: SettingChanged) -> Events:
    """Convert pools between wounds and Body Points when the option changes (CS-550, CS-604)."""
    if event.setting != "body_points":
        return ()
    changes: list[Event] = []
    for combatant in state.combatants.values():
        sheet = {**combatant.sheet, "wounds": health.wounds_of(combatant)}
        now, points = enlistment.make_pools(state.settings, sheet)[queries.HP], combatant.pool(queries.HP)
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
        decision.emit(*health.life_events(combatant, queries.COLLAPSED))
    decision.spawn(_survive, combatant.id, checks)


def _survive(decision: Decision, combatant_id: str, checks: int) -> None:
    """CS-624, CS-625, CS-628: die, or live for CND more minutes, conscious or not."""
    for left in range(checks, 0, -1):
        more = f", {left} such checks" if left > 1 else ""
        verdict = _resist(decision, combatant_id, "CS-624", "to live", more)
        if verdict is None or fighter_of(decision.state.combatants[combatant_id]).life == queries.DEAD:
            return
        if not verdict.ok:
            take_down(decision, decision.state.combatants[combatant_id], queries.DEAD)
            return
    combatant = decision.state.combatants[combatant_id]
    if not fighter_of(combatant).life_until:
        segments = wounds.segments_to_live(profile_of(combatant).scores.cnd)
        until = decision.state.round + segments
        decision.emit(harm_events.LivesOn(who=combatant_id, traits={"life_until": until}, segments=segments))
    if fighter_of(combatant).life == queries.UNCONSCIOUS:
        return
    verdict = _resist(decision, combatant_id, "CS-625", "to stay conscious")
    if verdict is None or verdict.ok:
        return
    combatant = decision.state.combatants[combatant_id]
    if fighter_of(combatant).life not in (queries.DEAD, queries.UNCONSCIOUS):
        take_down(decision, combatant, queries.UNCONSCIOUS)


def _resist(decision: Decision, combatant_id: str, rule: str, goal: str, more: str = "") -> Verdict | None:
    """CS-624, CS-625: a P-RES check against 55; with unknown P-RES, its outcome or chance is asked for."""
    state = decision.state
    combatant, pres = state.combatants[combatant_id], pres_of(state.combatants[combatant_id])
    total = None if pres is None else scores.attack_value(state, combatant, "P-RES", pres, rule)
    value = "is not known" if total is None else str(rolls.rounded(total))
    question = f"{combatant.name}, {goal}: P-RES {value} against DV {COLLAPSE_DV}{more}"
    parts = (("tenth wound", str(COLLAPSE_DV), rule),)
    return rolls.make_check(
        decision, combatant_id, "P-RES", total, COLLAPSE_DV, rule, question, owed=True, parts=parts
    )


def threshold_multiples(state: FightState, combatant: Combatant) -> str:
    """The threshold and its multiples: ``4, 8, 12``."""
    return ", ".join(f"{float(mark):g}" for mark in wounds.wound_marks(wound_threshold(state, combatant), 3))


def names_without_points(state: FightState) -> tuple[str, ...]:
    """M-12: names of those whose Body Points are counted but not entered."""
    if not settings_of(state).body_points:
        return ()
    names = [combatant.name for combatant in state.roster if health.body_points(state, combatant) is None]
    return (f"No Body Points entered, so wounds are counted: {list_names(names, 5)}",) if names else ()


def harm_by_gm(decision: Decision, combatant: Combatant, amount: int | str, by: str = "") -> None:
    """Wounds or Body Points by GM ruling, a number or dice."""
    number, new_events = throw(amount, decision.dice, "harm", combatant.id)
    decision.emit(*new_events)
    if number:
        decision.emit(harm(decision.state, combatant.id, number, queries.HP, by))
