"""Present scores: STR after wounds, values less Surprise and pain (CS-537, CS-613 to CS-627)."""

from __future__ import annotations

from collections.abc import Callable

from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules import wounds
from fightcall_engine.systems.segments.rules.clock import under_penalties
from fightcall_engine.systems.segments.rules.numbers import Part, Progressive, Sum
from fightcall_engine.systems.segments.rules.wounds import Adrenaline, AfterLoss
from fightcall_engine.systems.segments.state import health, rolls, surprise_limits
from fightcall_engine.systems.segments.state.fighter import Bonus, fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.settings import settings_of

AV, POT, PRES = "av", "pot", "p-res"

SCORES = (POT, AV, PRES, "str", "agl", "crd", "hrt", "awa", "cnd", "chm")
"""The scores that a deed can raise."""

ACT, SCENE, FOE = "act", "scene", "foe"
"""The durations of a deed: one Action, as long as the GM says, until a foe is down."""


def amount_of(combatant: Combatant, score: str, foe: str = "") -> int:
    """The bonus of a deed to a score; one that lasts until a foe is down adds to AV and POT against that foe only."""
    return sum(
        each.amount
        for each in fighter_of(combatant).deed
        if each.score == score and (score not in (AV, POT) or each.until != FOE or each.foe == foe)
    )


def add_deed(combatant: Combatant, score: str, total: Sum, foe: str = "") -> Sum:
    """A value with the bonus of a heroic deed (CS-646)."""
    more = amount_of(combatant, score, foe)
    return Sum((*total.parts, Part("heroic deed", more, "CS-646"))) if more else total


def foe_name(state: FightState, combatant_id: str) -> str:
    """The name of a deed's foe; the id of one who has left."""
    combatant = state.combatants.get(combatant_id)
    return combatant_id if combatant is None else combatant.name


def describe_bonus(state: FightState, bonus: Bonus) -> str:
    """A bonus in words."""
    end = {ACT: " for one Action", FOE: f" until {foe_name(state, bonus.foe)} is down"}.get(bonus.until, "")
    return f"{bonus.score.upper()} +{bonus.amount}{end}"


def subtract_penalties(state: FightState, combatant: Combatant, plain: Sum, *, defensive: bool) -> Sum:
    """A value less Surprise and pain, at least 0 (CS-061, CS-068, CS-613)."""
    rule = "CS-061" if defensive else "CS-068"
    return under_penalties(
        plain,
        Part("Surprise", surprise_limits.penalty_of(combatant, defensive=defensive), rule),
        Part("stunned", health.stun_penalty(state, combatant), "CS-613"),
    )


def noticing_sum(state: FightState, combatant: Combatant, *bonuses: Part) -> Sum:
    """The value for noticing a threat: Savvy, Sentry or AWA, less Surprise and pain (CS-047, CS-062, CS-613, CS-646).

    Args:
        state: the fight.
        combatant: who may notice it.
        bonuses: further parts of the value.
    """
    skill = max(surprise_limits.SENSES, key=lambda name: profile_of(combatant).skill(name) or 0)
    skill_level = profile_of(combatant).skill(skill)
    if skill_level is None:
        plain = add_deed(combatant, "awa", Sum((Part("AWA", profile_of(combatant).scores.awa, "CS-047"),)))
    else:
        plain = add_deed(combatant, AV, Sum((Part(skill.title(), skill_level, "CS-047"),)))
    return under_penalties(
        Sum((*plain.parts, *bonuses)),
        Part("surprised", surprise_limits.penalty_of(combatant, defensive=True), "CS-062"),
        Part("stunned by pain", health.stun_penalty(state, combatant), "CS-613"),
    )


RALLIED = "rallied"
"""The value of `Fighter.rally` with full STR in the running Action (CS-622)."""


def strength_of(state: FightState, combatant: Combatant) -> Sum:
    """Effective STR, exact (CS-537): less wounds, with the bonus of a heroic deed (CS-646)."""
    return add_deed(combatant, "str", _strength_after_wounds(state, combatant))


def _strength_after_wounds(state: FightState, combatant: Combatant) -> Sum:
    """STR less wounds; after the contest, or once knocked out and roused, by CS-627."""
    if state.status == "closed" or fighter_of(combatant).roused:
        return strength_after_contest(state, combatant)
    reading: Adrenaline = settings_of(state).adrenaline
    has_rallied = fighter_of(combatant).rally == RALLIED
    strength, level = profile_of(combatant).scores.str, health.damage_level(state, combatant)
    return _less_collapse(
        state, combatant, wounds.strength_in_fight(strength, level, rallied=has_rallied, reading=reading)
    )


def strength_after_contest(state: FightState, combatant: Combatant) -> Sum:
    """Exact STR when the contest is over (CS-627)."""
    strength, level = profile_of(combatant).scores.str, health.damage_level(state, combatant)
    reading: AfterLoss = settings_of(state).after_loss
    return _less_collapse(state, combatant, wounds.strength_after(strength, level, reading))


def _less_collapse(state: FightState, combatant: Combatant, total: Sum) -> Sum:
    """The last wound leaves between 1 and 0 (CS-624)."""
    return wounds.strength_of_collapsed(total) if health.has_last_wound(state, combatant) else total


# Checks


def score_sum(state: FightState, combatant: Combatant, name: str, rule: str) -> Sum:
    """An attribute's score; for STR, less wounds (CS-626)."""
    plain = profile_of(combatant).scores.by_name[name]
    if name != "str":
        return add_deed(combatant, name, Sum((Part(name.upper(), plain, rule),)))
    return Sum((Part("STR", plain, rule), *strength_of(state, combatant).parts[1:]))


# Attributes as AV, and difficulties on the Progressive scale


def value_of(state: FightState, combatant: Combatant, name: str, rule: str) -> Sum:
    """An attribute such as ``HRT`` as an AV: with a heroic deed, less Surprise and pain (CS-068, CS-613, CS-646)."""
    return attack_value(state, combatant, name, profile_of(combatant).scores.by_name[name.lower()], rule)


def attack_value(state: FightState, combatant: Combatant, label: str, score: int, rule: str) -> Sum:
    """A score as an AV: less Surprise and pain."""
    with_deed = add_deed(combatant, label.lower(), Sum((Part(label, score, rule),)))
    return subtract_penalties(state, combatant, with_deed, defensive=False)


def dv_of(state: FightState, reckon: Callable[[Progressive], Sum]) -> Sum | None:
    """A difficulty on this fight's scale; None if the GM's scale does not reach it (M-03)."""
    try:
        return reckon(rolls.scale_of(state))
    except (ValueError, Refused):
        return None


def rounded_or_none(total: Sum | None) -> int | None:
    """A value or difficulty as it is rolled, or None."""
    return None if total is None else rolls.rounded(total)


def describe_difficulty(dv: int | None) -> str:
    """A difficulty in words, for a question."""
    return f" against DV {dv}" if dv is not None else ""
