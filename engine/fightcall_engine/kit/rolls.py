"""Throws as facts, and amounts that are numbers or dice."""

from fightcall_engine.model import events as ev
from fightcall_engine.model.dice import Dice, Roll
from fightcall_engine.model.errors import Refused


def record_roll(roll: Roll, combatant_id: str = "") -> ev.DiceRolled:
    """The fact of a throw."""
    return ev.DiceRolled(
        dice=roll.dice, purpose=roll.purpose, faces=roll.faces, total=roll.total, source=roll.source, who=combatant_id
    )


def throw(amount: int | str, dice: Dice, purpose: str, combatant_id: str) -> tuple[int, ev.Events]:
    """A number as it stands, or dice thrown; never below zero."""
    if isinstance(amount, int):
        if amount < 0:
            raise Refused("amount", f"{amount} is below zero", ("0 or more",), final=True)
        return amount, ()
    roll = dice.roll(amount, purpose, combatant_id)
    return max(0, roll.total), () if not roll.faces else (record_roll(roll, combatant_id),)
