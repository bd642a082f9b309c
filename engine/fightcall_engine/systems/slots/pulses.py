"""Damage and healing over time: how much they come to at each Upkeep, a number or dice (AP-45)."""

from collections.abc import Mapping
from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.records import effect_data_of
from fightcall_engine.kit.rolls import throw
from fightcall_engine.model.dice import bounds
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, Effect
from fightcall_engine.systems.slots import queries
from fightcall_engine.systems.slots.records import PulseDice, fighter_of


def pulsing_effects(combatant: Combatant, kind: str) -> tuple[Effect, ...]:
    """A combatant's effects of this kind, damage or healing over time."""
    if fighter_of(combatant).dead:
        return ()
    return tuple(
        effect for effect in combatant.effects if effect.kind == kind and (effect.magnitude or dice_of(effect))
    )


def strength(effect: Effect) -> int:
    """Points of damage or healing at each Upkeep, 0 before its dice are rolled. The magnitude of damage is negative."""
    return abs(effect.magnitude)


def dice_of(effect: Effect) -> str:
    """The dice of damage or healing over time; empty if it is a number."""
    return effect_data_of(effect, PulseDice).dice


def strength_words(*pulses: Effect) -> str:
    """What effects do at each Upkeep together, as a sum: ``3``, ``d4``, ``3+d4``."""
    number, dice = sum(map(strength, pulses)), [dice_of(effect) for effect in pulses if dice_of(effect)]
    return "+".join([*([str(number)] if number or not dice else []), *dice])


Rolls = Mapping[str, Events]
"""The rolls of effects with dice, by the effect's id."""


def roll(decision: Decision, combatant: Combatant, *kinds: str) -> tuple[Combatant, Rolls]:
    """AP-45: roll the dice of effects of these kinds; return the combatant with the totals as their magnitudes."""
    rolls: dict[str, Events] = {}
    rolled_effects = []
    due = [effect for kind in kinds for effect in pulsing_effects(combatant, kind)]
    for effect in combatant.effects:
        dice = dice_of(effect) if effect in due else ""
        if dice:
            total, rolls[effect.id] = throw(dice, decision.dice, "pulse", combatant.id)
            effect = replace(effect, magnitude=magnitude_of(effect.kind, total))
        rolled_effects.append(effect)
    return replace(combatant, effects=tuple(rolled_effects)), rolls


def make_effect(
    name: str, kind: str, amount: int | str, rounds: int | None, counts: bool = True, note: str = ""
) -> Effect:
    """A new effect; it gets its id as it begins. Its `amount` is a number or dice."""
    ticks = queries.UPKEEP_TICK if counts else queries.NEVER
    size, data = (0, PulseDice(amount)) if isinstance(amount, str) else (magnitude_of(kind, amount), None)
    return Effect(id="", name=name, left=rounds, ticks=ticks, magnitude=size, note=note, kind=kind, data=data)


def magnitude_of(kind: str, amount: int) -> int:
    """The magnitude of an amount: that of damage is negative, as the screen shows it."""
    return -abs(amount) if kind == queries.DAMAGE else amount


def check_strength(amount: int | str) -> None:
    """Check what an effect does at each Upkeep (AP-45).

    Raises:
        Refused: it is neither a number above 0 nor dice that can come to one.
    """
    try:
        most = bounds(amount)[1] if isinstance(amount, str) else amount
    except ValueError:
        most = 0
    if most < 1:
        accepts = ("a number, 1 or more", "dice such as d4")
        raise Refused("AP-45", f"{amount} at each Upkeep", accepts, final=True)


def most(effect: Effect) -> int:
    """The most points of one pulse."""
    dice = dice_of(effect)
    return bounds(dice)[1] if dice else strength(effect)
