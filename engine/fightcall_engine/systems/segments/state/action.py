"""A declared Action: what somebody said they would do, what it binds, how long it takes and what came of it.

A `Fighter` has one at a time; what was settled earlier in the segment is told by its field ``past``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fightcall_engine.model.events import TraitsChanged
from fightcall_engine.model.state import Combatant, FightState, Json, fields_of_record
from fightcall_engine.systems.segments.rules.clock import QA_AN_ACTION
from fightcall_engine.systems.segments.state import figures
from fightcall_engine.systems.segments.state.fighter import NO_ACTION, Action, BodyPart, Past, fighter_of

DRAFT, COMMITTED = "draft", "committed"

DONE, FAILED, ABORTED, LOST = "done", "failed", "aborted", "lost"

OPEN = (DRAFT, COMMITTED)

SETTLED = (DONE, FAILED, ABORTED, LOST)

MOVE, ACT, TASK, STRIKE, SHOOT, HURL, COMBINATION, DEFEND, OBJECT, CHARGE = (
    "move",
    "act",
    "task",
    "strike",
    "shoot",
    "hurl",
    "combination",
    "defend",
    "object",
    "charge",
)
"""What kind of Action it is: `MOVE` and `DEFEND` ask for no dice, `TASK` takes its time, `ACT` is anything else."""

KINDS = (MOVE, ACT, TASK, STRIKE, CHARGE, SHOOT, HURL, COMBINATION, DEFEND, OBJECT)

SPRING = "spring"
"""The kind of an Action that springing a Surprise completed; nobody declares it (CS-052)."""

ATTACKS = (STRIKE, CHARGE, SHOOT, HURL, COMBINATION)

RANGED = (SHOOT, HURL)

MELEE = tuple(kind for kind in ATTACKS if kind not in RANGED)

RIGHT: Final = "R"
LEFT: Final = "L"
LEGS: Final = "legs"
BODY: Final = "body"

PARTS: tuple[BodyPart, ...] = (RIGHT, LEFT, LEGS, BODY)
"""What an Action can bind (CS-120, CS-146)."""

PUBLIC_NOTHING = "appears to do nothing"
"""What others see of a secret Action without a tell-tale (CS-088)."""


def action_of(combatant: Combatant) -> Action:
    """What somebody has declared last, settled or not."""
    action = fighter_of(combatant).action
    return action if action.state else NO_ACTION


Within = Mapping[str, Mapping[str, Json]]
"""`TraitsChanged.within`: the fields of an Action that change; empty where none does."""


def changed_parts(combatant: Combatant, **new: Json) -> Within:
    """The parts of somebody's Action that differ once it has these."""
    before = fields_of_record(action_of(combatant))
    return _parts({name: value for name, value in new.items() if before[name] != value})


def _parts(changes: Mapping[str, Json]) -> Within:
    return {"action": changes} if changes else {}


def part_of(event: TraitsChanged, name: str) -> Json:
    """What a part of an Action is after this event; None where it stays as it is."""
    whole = event.traits.get("action")
    return fields_of_record(whole)[name] if isinstance(whole, Action) else event.within.get("action", {}).get(name)


def changes_without(combatant: Combatant, combatant_id: str) -> Within:
    """The parts that change where an Action is meant for, or helped by, somebody who has left."""
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
    """Those it is meant for who are still here."""
    return tuple(state.combatants[combatant_id] for combatant_id in action.targets if combatant_id in state.combatants)


def is_due(combatant: Combatant) -> bool:
    """True where the Action of the running slot brings what is left of it to an end (CS-093, CS-133)."""
    action = action_of(combatant)
    return action.state == COMMITTED and action.left <= QA_AN_ACTION


def is_busy(state: FightState, combatant: Combatant) -> bool:
    """True for somebody at work on something declared in an earlier pass or segment (CS-102)."""
    action = action_of(combatant)
    number = figures.pass_number(state)
    return action.state == COMMITTED and (action.cs, action.in_pass) != (state.round, number)


def past_actions(combatant: Combatant, action: Action) -> tuple[Past, ...]:
    """What this segment's earlier Actions came to, with this one added."""
    face = (action.public or PUBLIC_NOTHING) if action.secret else ""
    deed, outcome = (" ".join(text.split()) for text in (action.text or action.kind, action.outcome or action.state))
    return (*fighter_of(combatant).past, Past(deed, outcome, face))
