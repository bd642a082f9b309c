"""Throws as facts, and amounts that are numbers or dice."""

from collections.abc import Mapping, Sequence
from typing import Literal

from fightcall_engine.kit.settings import setting
from fightcall_engine.kit.views import Setting
from fightcall_engine.model.dice import Dice, Roll
from fightcall_engine.model.errors import Refused, RollNeeded
from fightcall_engine.model.events import DiceRolled, Events
from fightcall_engine.model.state import FightState, Json

DICE = "dice"
"""The setting of who throws."""
ENGINE, TABLE, PLAYERS = "engine", "table", "players"
"""Who throws: the program all dice, the table all of them, or the players their own and the program the rest."""
DICE_WORDS: Mapping[Json, str] = {
    ENGINE: "the program rolls them",
    TABLE: "all are thrown at the table and typed",
    PLAYERS: "players throw and type their own, the program rolls the rest",
}
"""What each choice comes to, as a sentence behind ``Dice:``."""
_DICE_CHOICES = ("by the program", "at the table", "players their own")
"""Each choice in few cells."""


DiceMode = Literal["engine", "table", "players"]
"""What the setting `dice` may be, in the order in which it is offered."""
_WHO_ROLLS = "Who rolls: the program, the table (all dice are typed), or the players their own and the program the rest"


def dice_setting(rule: str = "") -> Setting:
    """The setting of who throws the dice that are not typed in."""
    return Setting(DICE, ENGINE, _WHO_ROLLS, rule, (ENGINE, TABLE, PLAYERS), words=_DICE_CHOICES)


def dice_field(rule: str = "") -> DiceMode:
    """The same as the field `dice` of a record of settings."""
    return setting("engine", _WHO_ROLLS, rule, words=_DICE_CHOICES)


def is_typed(state: FightState, sides: Sequence[str], roll: RollNeeded) -> bool:
    """Whether the table throws this itself, by the setting `dice`.

    Args:
        state: the fight.
        sides: the sides of the system, the players' first.
        roll: the throw; one that is nobody's is the program's where the players type their own.
    """
    return throws_at_table(state, sides, roll.who or "")


def throws_at_table(state: FightState, sides: Sequence[str], combatant_id: str) -> bool:
    """Whether somebody's dice are thrown at the table and typed, by the setting `dice`; empty for nobody's."""
    mode = state.settings.get(DICE, ENGINE)
    combatant = state.combatants.get(combatant_id)
    return mode == TABLE or (mode == PLAYERS and combatant is not None and combatant.side in sides[:1])


def record_roll(roll: Roll, combatant_id: str = "") -> DiceRolled:
    """The fact of a throw."""
    return DiceRolled(
        dice=roll.dice, purpose=roll.purpose, faces=roll.faces, total=roll.total, source=roll.source, who=combatant_id
    )


def throw(amount: int | str, dice: Dice, purpose: str, combatant_id: str) -> tuple[int, Events]:
    """A number as it stands, or dice thrown; never below zero."""
    if isinstance(amount, int):
        if amount < 0:
            raise Refused("amount", f"{amount} is below zero", ("0 or more",), final=True)
        return amount, ()
    roll = dice.roll(amount, purpose, combatant_id)
    return max(0, roll.total), () if not roll.faces else (record_roll(roll, combatant_id),)
