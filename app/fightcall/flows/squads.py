"""Acting as a squad: who is meant, and how the call bar says it. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fightcall.flows.base import Overlay
from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give
from fightcall_engine.kit.squads import alike, why_apart
from fightcall_engine.model.state import FightState

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


def others_like(state: FightState, combatant_id: str | None) -> tuple[str, ...]:
    """The other identical members of a combatant's squad."""
    return tuple(other for other in alike(state, combatant_id) if other != combatant_id) if combatant_id else ()


def left_out(state: FightState, system: BaseSystem, combatant_id: str) -> str:
    """The members of the squad who will not act with a combatant, with the reasons: ``Goblin 3: already acted``."""
    combatant = state.combatants[combatant_id]
    waiting, agenda = system.waiting(state), state.agenda
    names = []
    for other in state.combatants.values():
        if other.id == combatant_id or not combatant.squad or other.squad != combatant.squad:
            continue
        reason = why_apart(state, combatant_id, other.id)
        if not reason and combatant_id in waiting and other.id not in waiting:
            reason = "already acted" if other.id in {*agenda.acted, *agenda.waived} else "not due now"
        names += [f"{other.name}: {reason}"] if reason else []
    return "; ".join(names)


def has_anybody_alike(state: FightState) -> bool:
    """Whether there are identical members of any squad."""
    return any(combatant.squad and others_like(state, combatant.id) for combatant in state.combatants.values())


def count_text(others: int) -> str:
    """``3 others of the squad``."""
    return f"{others} other{'s' if others > 1 else ''} of the squad"


def for_all(give: Give, state: FightState) -> Give:
    """A command for all identical members of the actor's squad; unchanged if there are none."""
    combatant_id = give.data.get("who")
    return replace(give, alike=True) if isinstance(combatant_id, str) and others_like(state, combatant_id) else give


def ask_for_all(view: PromptView, state: FightState, target_id: str, key: str, *, together: bool) -> PromptView:
    """The question, with how many act together, or with the key that makes them."""
    others = len(others_like(state, target_id))
    if not others:
        return view
    if not together:
        return replace(view, hint=f"{view.hint}   {key} with {count_text(others)}".strip())
    name = state.combatants[target_id].name
    if name and name in view.question:
        return replace(view, question=view.question.replace(name, f"{name} and {count_text(others)}", 1))
    return replace(view, question=f"{view.question} {name} and {count_text(others)}")


def mark_all(overlay: Overlay, state: FightState, target_id: str) -> Overlay:
    """The overlay, with all who act together marked."""
    others = others_like(state, target_id)
    return replace(overlay, targets=(target_id, *others)) if others else overlay
