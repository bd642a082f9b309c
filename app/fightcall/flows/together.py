"""With all who are alike: who is meant by one key, and how the prompt bar says it. Pure."""

from __future__ import annotations

from dataclasses import replace

from fightcall.flows.base import Give, Overlay
from fightcall.paint.promptbar import PromptView
from fightcall_engine.kit.squads import alike
from fightcall_engine.model.state import FightState


def others_like(state: FightState, who: str | None) -> tuple[str, ...]:
    """Those of somebody's squad who are like them, themselves left out."""
    return tuple(other for other in alike(state, who) if other != who) if who else ()


def anybody_alike(state: FightState) -> bool:
    """True where there are at least two whom one key could mean."""
    return any(one.squad and others_like(state, one.id) for one in state.combatants.values())


def counted(others: int) -> str:
    """``the 3 like it``."""
    return f"the {others} like it" if others > 1 else "the one like it"


def for_all(given: Give, state: FightState) -> Give:
    """A command done by all who are like the one whose it is; as it was where nobody is, or it is nobody's."""
    who = given.data.get("who")
    return replace(given, alike=True) if isinstance(who, str) and others_like(state, who) else given


def said(view: PromptView, state: FightState, whom: str, key: str, *, together: bool) -> PromptView:
    """The question with all whom it is about, or with the key that makes it be about all."""
    others = len(others_like(state, whom))
    if not others:
        return view
    if not together:
        return replace(view, hint=f"{view.hint}   {key} with {counted(others)}".strip())
    name = state.combatants[whom].name
    if name and name in view.question:
        return replace(view, question=view.question.replace(name, f"{name} and {counted(others)}", 1))
    return replace(view, question=f"{view.question} {name} and {counted(others)}")


def marked(overlay: Overlay, state: FightState, whom: str) -> Overlay:
    """With all who are meant marked in the roster and on the board."""
    others = others_like(state, whom)
    return replace(overlay, targets=(whom, *others)) if others else overlay
