"""Who rolls the dice, the event of a roll, and amounts that are numbers or dice."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.records import setting
from fightcall_engine.kit.views import Setting
from fightcall_engine.model.dice import Dice, Roll, Term, bounds, counted_dice, parse
from fightcall_engine.model.errors import Refused, RollNeeded
from fightcall_engine.model.events import DiceRolled, Events
from fightcall_engine.model.state import FightState, Json

DICE = "dice"
"""The name of the setting that says who rolls."""
ENGINE, TABLE, PLAYERS = "engine", "table", "players"
"""Who rolls: the program everything, the table everything, or the players their own and the program the rest."""
DICE_WORDS: Mapping[Json, str] = {
    ENGINE: "the program rolls all dice",
    TABLE: "you roll at the table and type the results",
    PLAYERS: "players roll their own and you type them; the program rolls the rest",
}
"""What each choice means, as a phrase after ``Dice:``."""
_DICE_CHOICES = ("by the program", "at the table", "players their own")
"""The short name of each choice."""


DiceMode = Literal["engine", "table", "players"]
"""The values of the setting `dice`, in the order in which they are offered."""
_WHO_ROLLS = "Who rolls: the program, the table (you type the results), or players (the program rolls for the rest)"


def dice_setting(rule: str = "") -> Setting:
    """The setting `dice`: who rolls."""
    return Setting(DICE, ENGINE, _WHO_ROLLS, rule, (ENGINE, TABLE, PLAYERS), words=_DICE_CHOICES)


def dice_field(rule: str = "") -> DiceMode:
    """The setting `dice` as a field of a dataclass of settings."""
    return setting("engine", _WHO_ROLLS, rule, words=_DICE_CHOICES)


def is_typed(state: FightState, sides: Sequence[str], roll: RollNeeded) -> bool:
    """Whether a roll is to be typed by the table, by the setting `dice`.

    Args:
        state: the fight.
        sides: the sides of the system, the players' first.
        roll: the roll. If the players type their own, one that is nobody's is the program's.
    """
    return throws_at_table(state, sides, roll.who or "")


def throws_at_table(state: FightState, sides: Sequence[str], combatant_id: str) -> bool:
    """Whether a combatant's rolls are typed by the table, by the setting `dice`. An empty id stands for nobody's."""
    mode = state.settings.get(DICE, ENGINE)
    combatant = state.combatants.get(combatant_id)
    return mode == TABLE or (mode == PLAYERS and combatant is not None and combatant.side in sides[:1])


def record_roll(roll: Roll, combatant_id: str = "") -> DiceRolled:
    """The event of a roll."""
    return DiceRolled(
        dice=roll.dice, purpose=roll.purpose, faces=roll.faces, total=roll.total, source=roll.source, who=combatant_id
    )


def sum_words(roll: DiceRolled) -> str:
    """A roll as a sum: ``12 +5 = 17``, ``5 +3 = 8 without 1``, or a single die by itself.

    Faces that do not add up to the total are listed before it: ``4 4, total 1``. Counted dice are told as successes:
    ``9 3 7: 2 successes``.
    """
    if counted_dice(roll.dice):
        shown = f"{' '.join(map(str, roll.faces))}: " if roll.faces else ""
        return f"{shown}{roll.total} {'success' if roll.total == 1 else 'successes'}"
    left = list(roll.faces)
    counted: list[int] = []
    dropped: list[int] = []
    for term in _terms_of(roll.dice):
        faces, left = (left[: term.count], left[term.count :]) if term.faces else ([term.count], left)
        keeps_all = not term.faces or term.keep == term.count
        kept_faces = faces if keeps_all else term.kept_of(faces)
        counted += [term.sign * face for face in kept_faces]
        dropped += list((Counter(faces) - Counter(kept_faces)).elements())
    if not counted or sum(counted) != roll.total:
        return f"{' '.join(map(str, roll.faces))}, total {roll.total}"
    first, *others = counted
    added = "".join(f" {number:+d}" for number in others)
    without = f" without {' '.join(map(str, dropped))}" if dropped else ""
    return f"{first}{added} = {roll.total}{without}" if others or without else str(first)


def _terms_of(dice: str) -> tuple[Term, ...]:
    try:
        return parse(dice)
    except ValueError:
        return ()


def is_below_zero(expression: str) -> bool:
    """Return whether dice, or a number as a string, can only give less than 0."""
    try:
        return bounds(expression)[1] < 0
    except ValueError:
        # The roll says what is wrong with it.
        return False


def total_check(total: int | str | None, dice: int | str | None, rule: str) -> Check:
    """Return whether a total that was typed is one that these dice can give.

    It holds if there is none, if it is dice itself, or if `dice` are a plain number or None.
    """
    if not isinstance(total, int) or not isinstance(dice, str) or not _terms_of(dice):
        return Check(True, rule, "")
    least, most = bounds(dice)
    is_possible = least <= total <= most or not any(term.faces for term in _terms_of(dice))
    return Check(is_possible, rule, f"{dice} can't give {total}", (f"{least} to {most}",))


def throw(amount: int | str, dice: Dice, purpose: str, combatant_id: str) -> tuple[int, Events]:
    """A number as it is, or the total of rolled dice; at least 0."""
    if isinstance(amount, int):
        if amount < 0:
            raise Refused("amount", f"{amount} is below zero", ("0 or more",), final=True)
        return amount, ()
    if is_below_zero(amount):
        raise Refused("amount", f"{amount.strip()} is below zero", ("0 or more",), final=True)
    roll = dice.roll(amount, purpose, combatant_id)
    return max(0, roll.total), (record_roll(roll, combatant_id),) if roll.is_rolled else ()
