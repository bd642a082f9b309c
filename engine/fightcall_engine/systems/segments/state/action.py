"""Declared Actions: their kinds, the body parts that they bind, and queries on them.

A `Fighter` has one Action at a time; its field ``past`` has those resolved earlier in the segment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fightcall_engine.model.events import TraitsChanged
from fightcall_engine.model.state import Combatant, FightState, Json, fields_of_record
from fightcall_engine.systems.segments.rules.clock import QA_AN_ACTION
from fightcall_engine.systems.segments.state import queries
from fightcall_engine.systems.segments.state.records import NO_ACTION, Action, BodyPart, Past, fighter_of

DRAFT, COMMITTED = "draft", "committed"

DONE, FAILED, ABORTED, LOST = "done", "failed", "aborted", "lost"

OPEN = (DRAFT, COMMITTED)

SETTLED = (DONE, FAILED, ABORTED, LOST)

MOVE, ACT, TASK, STRIKE, CHARGE, COMBINATION = "move", "act", "task", "strike", "charge", "combination"
DEFEND, OBJECT = "defend", "object"
SHOOT: Final = "shoot"
HURL: Final = "hurl"
"""The kinds of Action. `MOVE` and `DEFEND` need no dice, `TASK` takes time, `ACT` is anything else."""

KINDS = (MOVE, ACT, TASK, STRIKE, CHARGE, SHOOT, HURL, COMBINATION, DEFEND, OBJECT)

SPRING = "spring"
"""The kind of an Action that is completed by springing a Surprise; it cannot be declared (CS-052)."""

ATTACKS = (STRIKE, CHARGE, SHOOT, HURL, COMBINATION)

RANGED = (SHOOT, HURL)

MELEE = tuple(kind for kind in ATTACKS if kind not in RANGED)

RIGHT: Final = "R"
LEFT: Final = "L"
LEGS: Final = "legs"
BODY: Final = "body"

PARTS: tuple[BodyPart, ...] = (RIGHT, LEFT, LEGS, BODY)
"""The body parts that an Action can bind (CS-120, CS-146)."""

PUBLIC_NOTHING = "appears to do nothing"
"""What others see of a secret Action without a public sign (CS-088)."""


def action_of(combatant: Combatant) -> Action:
    """The Action that a combatant declared last, resolved or not."""
    action = fighter_of(combatant).action
    return action if action.state else NO_ACTION


ActionChanges = Mapping[str, Mapping[str, Json]]
"""The type of `TraitsChanged.within`: the changed fields of an Action; empty for no change."""


def changed_parts(combatant: Combatant, **new: Json) -> ActionChanges:
    """The fields of a combatant's Action that would change with these values."""
    before = fields_of_record(action_of(combatant))
    return _parts({name: value for name, value in new.items() if before[name] != value})


def _parts(changes: Mapping[str, Json]) -> ActionChanges:
    return {"action": changes} if changes else {}


def part_of(event: TraitsChanged, name: str) -> Json:
    """The new value of a field of the Action by this event; None if it does not change."""
    whole = event.traits.get("action")
    return fields_of_record(whole)[name] if isinstance(whole, Action) else event.within.get("action", {}).get(name)


def changes_without(combatant: Combatant, combatant_id: str) -> ActionChanges:
    """The changes to an Action that remove a combatant who has left from its targets and helpers."""
    action = fighter_of(combatant).action
    changes: dict[str, Json] = {}
    if combatant_id in action.targets:
        changes["targets"] = tuple(target for target in action.targets if target != combatant_id)
    if action.against == combatant_id:
        changes["against"] = ""
    if action.helper == combatant_id:
        changes["helper"] = ""
    return _parts(changes)


def targets_of(state: FightState, action: Action) -> tuple[Combatant, ...]:
    """The targets that are still in the fight."""
    return tuple(state.combatants[combatant_id] for combatant_id in action.targets if combatant_id in state.combatants)


def is_due(combatant: Combatant) -> bool:
    """Whether the combatant's Action is completed in the running slot (CS-093, CS-133)."""
    action = action_of(combatant)
    return action.state == COMMITTED and action.left <= QA_AN_ACTION


def is_busy(state: FightState, combatant: Combatant) -> bool:
    """Whether the combatant is at work on an Action of an earlier pass or segment (CS-102)."""
    action = action_of(combatant)
    number = queries.pass_number(state)
    return action.state == COMMITTED and (action.cs, action.in_pass) != (state.round, number)


def past_actions(combatant: Combatant, action: Action) -> tuple[Past, ...]:
    """The resolved Actions of this segment with their outcomes, this one added."""
    face = (action.public or PUBLIC_NOTHING) if action.secret else ""
    deed, outcome = (" ".join(text.split()) for text in (action.text or action.kind, action.outcome or action.state))
    return (*fighter_of(combatant).past, Past(deed, outcome, face))
