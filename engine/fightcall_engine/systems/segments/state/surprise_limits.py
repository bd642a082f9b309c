"""Limits and penalties of the surprised (CS-056 to CS-070).

They hold from the moment of the Surprise; its segments are counted from the one after it (A-54).
"""

from __future__ import annotations

from fightcall_engine.kit.checks import Check, Referee, enforce
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.state import queries, verbs
from fightcall_engine.systems.segments.state.action import ACT, DEFEND, MOVE
from fightcall_engine.systems.segments.state.fighter import Action, fighter_of

RESTRICTED_DEGREES = (queries.READY, queries.CHECKED, queries.OVERWHELMED)
"""The degrees in which one cannot begin anything."""

DEFENCES = ("block", "defend", "dodge", "full defence", "parry")

RETREATS = (
    "back away", "back off", "escape", "flee", "get away", "retreat", "run away", "run off", "seek escape", "withdraw",
)  # fmt: skip
"""Words of free text for what the surprised may do (CS-058, CS-065)."""

_RULES = {queries.READY: "CS-057", queries.CHECKED: "CS-058", queries.OVERWHELMED: "CS-065"}

# Present limits


def degree_of(combatant: Combatant) -> str:
    """The present degree of a combatant's Surprise."""
    return fighter_of(combatant).surprise or queries.NONE


def is_waning(combatant: Combatant) -> bool:
    """Whether a second stage of Surprise continues under a lesser one (CS-068)."""
    return degree_of(combatant) == queries.WANING or fighter_of(combatant).surprise_wanes > 0


def penalty_of(combatant: Combatant, *, defensive: bool) -> int:
    """The penalty of Surprise on a value, 0 or more.

    The overwhelmed lose it on every defence and on noticing (CS-061, CS-062); in the second stage on every AV (CS-068).

    Args:
        combatant: the one whose value it is.
        defensive: whether it is a defence, a retreat, or Perception.
    """
    if is_waning(combatant) or (degree_of(combatant) == queries.OVERWHELMED and defensive):
        return max(0, fighter_of(combatant).surprise_sum)
    return 0


def why_restricted(state: FightState, combatant: Combatant) -> str:
    """The reason why a combatant may not begin anything now, or empty (CS-057, CS-058, CS-059)."""
    degree = degree_of(combatant)
    if degree not in RESTRICTED_DEGREES:
        return ""
    last = max(state.round, fighter_of(combatant).surprise_until)
    return f"surprised ({degree}) to the end of Segment {last}"


def rule_of(combatant: Combatant) -> str:
    """The rule that limits the combatant's degree of Surprise."""
    return _RULES.get(degree_of(combatant), "CS-065")


def is_allowed(combatant: Combatant, action: Action) -> bool:
    """Whether Surprise allows an Action: the ready defend; others also move away (CS-057, CS-058, CS-065)."""
    degree = degree_of(combatant)
    if degree not in RESTRICTED_DEGREES or action.kind == DEFEND:
        return True
    allowed_verbs = DEFENCES if degree == queries.READY else (*DEFENCES, *RETREATS)
    is_stated = action.kind == ACT and verbs.begins_with(action.text, allowed_verbs, combatant.name)
    return is_stated or (action.kind == MOVE and degree != queries.READY)


def allowed_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-057, CS-058, CS-065: what the surprised may declare."""
    degree = degree_of(combatant)
    if degree not in RESTRICTED_DEGREES:
        return ()
    accepts = ("defend",) if degree == queries.READY else ("defend", "move", "back away", "seek escape")
    why = f"{combatant.name} is surprised ({degree}) and can't start anything new"
    return (Check(is_allowed(combatant, action), _RULES[degree], why, accepts),)


def step_checks(combatant: Combatant) -> tuple[Check, ...]:
    """CS-057: the ready only defend in the segment of the launch; others may move away."""
    return allowed_checks(combatant, Action(kind=MOVE))


def check_allowed(combatant: Combatant, action: Action, referee: Referee) -> None:
    """CS-057, CS-058, CS-065: check that Surprise allows an Action.

    Raises:
        Refused: it does not; lists what is allowed.
    """
    enforce(allowed_checks(combatant, action), referee)


# Perception

SENSES = ("savvy", "sentry", "perception")
"""The Perception skills; AWA is used without them (CS-047)."""
