"""Being surprised: what somebody may still do, and what it costs him (CS-056 to CS-070).

The limits and the penalty hold from the moment of the Surprise; their segments are counted from the one after it
(A-54).
"""

from __future__ import annotations

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.referee import Referee
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.state import figures, verbs
from fightcall_engine.systems.segments.state.action import ACT, DEFEND, MOVE
from fightcall_engine.systems.segments.state.fighter import Action, fighter_of

HELD = (figures.READY, figures.CHECKED, figures.OVERWHELMED)
"""Degrees that keep somebody from beginning anything."""

DEFENCES = ("block", "defend", "dodge", "full defence", "parry")

RETREATS = (
    "back away", "back off", "escape", "flee", "get away", "retreat", "run away", "run off", "seek escape", "withdraw",
)  # fmt: skip
"""How what the surprised may do is said in free words (CS-058, CS-065)."""

_RULES = {figures.READY: "CS-057", figures.CHECKED: "CS-058", figures.OVERWHELMED: "CS-065"}

# What it means now


def degree_of(combatant: Combatant) -> str:
    """How far somebody is surprised now."""
    return fighter_of(combatant).surprise or figures.NONE


def is_waning(combatant: Combatant) -> bool:
    """True in the second stage of a Surprise, which goes on under a lesser one (CS-068)."""
    return degree_of(combatant) == figures.WANING or fighter_of(combatant).surprise_wanes > 0


def penalty_of(combatant: Combatant, *, defensive: bool) -> int:
    """What Surprise takes off a value, 0 or more.

    Overwhelmed, off every defence and off noticing (CS-061, CS-062); in the second stage off every AV (CS-068).

    Args:
        combatant: whose value it is.
        defensive: a defence, a retreat, or Perception.
    """
    if is_waning(combatant) or (degree_of(combatant) == figures.OVERWHELMED and defensive):
        return max(0, fighter_of(combatant).surprise_sum)
    return 0


def why_held(state: FightState, combatant: Combatant) -> str:
    """Why somebody may not begin anything now; empty where he may (CS-057, CS-058, CS-059)."""
    degree = degree_of(combatant)
    if degree not in HELD:
        return ""
    last = max(state.round, fighter_of(combatant).surprise_until)
    return f"surprised ({degree}) to the end of CS {last}"


def rule_of(combatant: Combatant) -> str:
    """The rule that keeps somebody of his degree from beginning anything."""
    return _RULES.get(degree_of(combatant), "CS-065")


def is_allowed(combatant: Combatant, action: Action) -> bool:
    """Whether Surprise lets somebody do this: the ready defend; others also move away (CS-057, CS-058, CS-065)."""
    degree = degree_of(combatant)
    if degree not in HELD or action.kind == DEFEND:
        return True
    allowed_verbs = DEFENCES if degree == figures.READY else (*DEFENCES, *RETREATS)
    is_stated = action.kind == ACT and verbs.begins_with(action.text, allowed_verbs, combatant.name)
    return is_stated or (action.kind == MOVE and degree != figures.READY)


def allowed_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-057, CS-058, CS-065: what somebody surprised may declare."""
    degree = degree_of(combatant)
    if degree not in HELD:
        return ()
    accepts = ("defend",) if degree == figures.READY else ("defend", "move", "back away", "seek escape")
    why = f"{combatant.name} is surprised ({degree}) and begins nothing new"
    return (Check(is_allowed(combatant, action), _RULES[degree], why, accepts),)


def step_checks(combatant: Combatant) -> tuple[Check, ...]:
    """CS-057: the ready only defend in the segment of the launch; all others may move away."""
    return allowed_checks(combatant, Action(kind=MOVE))


def check_allowed(combatant: Combatant, action: Action, referee: Referee) -> None:
    """CS-057, CS-058, CS-065: what somebody surprised may declare.

    Raises:
        Refused: by the rule of his degree; says what he may do.
    """
    enforce(allowed_checks(combatant, action), referee)


# What one notices

SENSES = ("savvy", "sentry", "perception")
"""The Perception skills; AWA stands for them (CS-047)."""
