"""Effects in words: their names, their remaining duration, and whose clock they follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fightcall.paint.glyphs import Glyphs
from fightcall.paint.runs import clean

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import Combatant, Effect, FightState


def effect_text(effect: Effect, glyphs: Glyphs, owner: str = "") -> str:
    """An effect in short: its name, its magnitude if it has one, and what is left of it.

    Args:
        effect: the effect.
        glyphs: marks to draw with.
        owner: the label of the combatant whose clock it follows, if that is not the bearer.
    """
    name, left = effect_parts(effect, glyphs, owner)
    return name + left


def effect_parts(effect: Effect, glyphs: Glyphs, owner: str = "") -> tuple[str, str]:
    """An effect in two parts: its name, which may be cut, and the rest, which must not."""
    size = f" {effect.magnitude:+d}" if effect.magnitude else ""
    if effect.left is None:
        return clean(effect.name), size
    times = glyphs.times if size else " "
    return clean(effect.name), f"{size}{times}{effect.left}{f'@{clean(owner)}' if owner else ''}"


def clock_owner(effect: Effect, bearer: Combatant, state: FightState) -> str:
    """The label of the combatant whose clock an effect follows; empty for the bearer's or the round's."""
    other = state.combatants.get(effect.clock)
    return other.label if other is not None and other.id != bearer.id else ""


def effect_in_full(effect: Effect, bearer: Combatant, state: FightState, system: BaseSystem) -> str:
    """An effect with what it counts: ``poison -1, 3 left (start of Milli's turn)``."""
    owner = state.combatants.get(effect.clock, bearer)
    size = f" {effect.magnitude:+d}" if effect.magnitude else ""
    name = f"{clean(effect.name)}{size}"
    if effect.left is None:
        return f"{name}, until ended"
    ticks = system.words(state.settings).ticks.get(effect.ticks, effect.ticks.replace("_", " "))
    return f"{name}, {effect.left} left ({clean(ticks.replace('{who}', owner.name or owner.label))})"
