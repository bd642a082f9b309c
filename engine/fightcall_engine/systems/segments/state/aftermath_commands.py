"""Commands for tokens and healing (CS-651 to CS-672). Those for healing also work after the fight."""

from collections.abc import Mapping
from typing import ClassVar

from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import value as command


@command
class Token(Command):
    """Change a combatant's tokens: ``give``, ``spend`` or ``pass`` one (CS-651 to CS-654).

    Attributes:
        who: the combatant who gets it, or has it.
        colour: ``white`` for good, ``black`` for bad, or ``fate``.
        to: who gets a token that is passed on.
        on: the roll or result that a spent token alters, in words.
    """

    who: str
    what: str = "give"
    colour: str = "white"
    to: str = ""
    on: str = ""


@command
class PlanHealing(Command):
    """Plan how a combatant is cared for, and compute when each wound is healed (CS-661 to CS-669).

    Attributes:
        who: the wounded combatant.
        healer_sl: the healer's level in the trade; None for no healer, or as on the sheet of `healer`.
        healer: the id of a healer in the fight.
        skilled: whether the healer is very skilled, as Mortal wounds need to heal.
        rest: whether the wounded has quiet rest.
        fought: the date of the fight, such as ``2026-05-01``.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("healer",)
    AFTER_CLOSE: ClassVar[bool] = True
    who: str
    healer_sl: int | None = None
    healer: str = ""
    skilled: bool = False
    rest: bool = True
    fought: str = ""


@command
class HealDays(Command):
    """Skip days and heal the wounds that are due (CS-664)."""

    AFTER_CLOSE: ClassVar[bool] = True
    days: int = 1


@command
class Strain(Command):
    """Record a strenuous act during healing, or move a Mortally wounded combatant (CS-667 to CS-671).

    Attributes:
        who: the wounded combatant.
        feet: the distance moved without help.
        carried: whether others have moved the wounded.
        heroic: whether it was a Heroic Effect, so that moving adds no wound.
    """

    AFTER_CLOSE: ClassVar[bool] = True
    who: str
    feet: float = 0.0
    carried: bool = False
    heroic: bool = False


@command
class MendWounds(Command):
    """Heal wounds at once: by rapidly healing magick, or by ``shifting`` them to another combatant (CS-669, CS-672)."""

    AFTER_CLOSE: ClassVar[bool] = True
    who: str
    wounds: int = 1
    shifting: bool = False


COMMANDS: tuple[type[Command], ...] = (Token, PlanHealing, HealDays, Strain, MendWounds)

ALIASES: Mapping[str, tuple[str, Mapping[str, Json]]] = {
    "token_give": ("Token", {"what": "give"}),
    "token_spend": ("Token", {"what": "spend"}),
    "token_pass": ("Token", {"what": "pass"}),
    "heal_plan": ("PlanHealing", {}),
    "heal_day": ("HealDays", {"days": 1}),
    "setback": ("Strain", {}),
    "shift_wounds": ("MendWounds", {"shifting": True}),
}
