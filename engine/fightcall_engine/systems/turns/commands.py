"""The commands of Scenes, Rounds, Turns besides the shared ones, and their aliases."""

from collections.abc import Mapping
from typing import ClassVar

from fightcall_engine.model.commands import Command, Strike
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import value as command


@command
class OpenScene(Command):
    """Open a Scene (ST-01) in a mode, or ask the GM for the mode (ST-11)."""

    name: str = ""
    mode: str = ""


@command
class SetMode(Command):
    """Change to ``initiative``, or back to ``free`` order (ST-09, ST-11)."""

    mode: str
    reason: str = ""


@command
class CloseScene(Command):
    """Close the Scene (ST-01). `elapsed` is how long a free one took, such as ``20 min`` or ``3 days`` (ST-02)."""

    elapsed: str = ""
    reason: str = ""


@command
class Initiative(Command):
    """Roll d20 + Speed (ST-12) for one participant, or for everyone who hasn't rolled yet.

    `die` is the face of one participant's d20. ``rolls`` has ``initiative`` or ``initiative.<id>``, and ``tie`` or
    ``tie.<id>`` for the d6 (ST-15).
    """

    who: str = ""
    die: int | None = None


@command
class Take(Command):
    """Take the offered turn; in free order, take a turn at any time (ST-09)."""

    who: str


@command
class Delay(Command):
    """Delay the offered turn (ST-17)."""

    PASSES: ClassVar[bool] = True

    who: str


@command
class StepIn(Command):
    """Take a delayed turn before the offered one (ST-18). `together` names others who step in at the same time."""

    PEOPLE: ClassVar[tuple[str, ...]] = ("together",)
    who: str
    together: tuple[str, ...] = ()


@command
class Forfeit(Command):
    """Give up a delayed turn at the end of the round (ST-21)."""

    who: str


@command
class Act(Command):
    """Spend Actions on something (ST-28). In free order it just counts as a turn. `dice` are rolled and recorded."""

    who: str
    what: str = ""
    target: str = ""
    actions: int = 1
    dice: str = ""


@command
class React(Command):
    """React out of turn, for one Reaction (ST-30)."""

    who: str
    what: str = ""
    target: str = ""
    dice: str = ""


@command
class ReactionStrike(Strike):
    """Attack out of turn, for one Reaction (ST-30). The fields are those of Strike."""


@command
class Free(Command):
    """Take a Free Action, in or out of turn, at no cost (ST-32)."""

    who: str
    what: str = ""


@command
class Spend(Command):
    """Spend a pool, such as mana or focus, or one use of a daily ability by its name."""

    who: str
    pool: str
    amount: int = 1
    what: str = ""


@command
class Pay(Command):
    """Pay the upkeep of an effect (ST-24), by default the one the program is asking about.

    Name the effects to pay for them in any order.
    """

    who: str = ""
    effect: str = ""


@command
class Decline(Command):
    """Refuse to pay upkeep, which ends the effect at once (ST-25)."""

    who: str = ""
    effect: str = ""


@command
class EndTurn(Command):
    """End the turn; remaining Actions are lost (ST-04)."""

    PASSES: ClassVar[bool] = True

    who: str = ""


@command
class Affect(Command):
    """Begin an effect, with everything this system knows about effects.

    `polarity` is negative (step 1, ST-23), positive (step 4, ST-27), or empty for no change. `amount`, a number or
    dice, is the change of `pool`. `upkeep` is the price in `resource` that `payer` (by default the bearer) pays in
    step 2. `rounds` count down at the `ticks`, ``turn_start`` or ``turn_end``, of `anchor` (by default the bearer;
    Q-T16), or at ``round_end``; `ends_at_turn_start` means one turn start (ST-26).
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("payer", "anchor")
    who: str
    name: str
    polarity: str = ""
    amount: int | str = 0
    pool: str = "hp"
    upkeep: int = 0
    resource: str = ""
    payer: str = ""
    rounds: int | None = None
    ends_at_turn_start: bool = False
    ticks: str = "turn_start"
    anchor: str = ""
    note: str = ""


@command
class Rest(Command):
    """Begin a rest between Scenes (ST-35): ``short``, 15 minutes or more, or ``full``, 6 hours or more.

    Everyone rests except foes and the `guards`, or only the `resters` do.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("resters", "guards")
    kind: str
    minutes: int | None = None
    hours: int | float | None = None
    resters: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()


@command
class Activity(Command):
    """Do something during a rest (ST-37).

    In a Short Rest, each of `spend` Resolve restores `hp_each` hit points, a number or dice (ST-38). Without it, the GM
    is asked.
    """

    who: str
    what: str = ""
    spend: int = 0
    hp_each: int | str | None = None


@command
class CompleteRest(Command):
    """Finish the rest (ST-39, ST-41)."""


@command
class Interrupt(Command):
    """Interrupt the rest after some minutes or hours (Q-T11), for everyone or only for `who`."""

    who: str = ""
    minutes: int | None = None
    hours: int | float | None = None
    reason: str = ""


COMMANDS: tuple[type[Command], ...] = (
    OpenScene, SetMode, CloseScene, Initiative, Take, Delay, StepIn, Forfeit, Act, React, ReactionStrike, Free, Spend,
    Pay, Decline, EndTurn, Affect, Rest, Activity, CompleteRest, Interrupt,
)  # fmt: skip

ALIASES: Mapping[str, tuple[str, Mapping[str, Json]]] = {
    "scene": ("OpenScene", {}),
    "begin_scene": ("OpenScene", {}),
    "mode": ("SetMode", {}),
    "fight": ("SetMode", {"mode": "initiative"}),
    "free_order": ("SetMode", {"mode": "free"}),
    "roll": ("Initiative", {}),
    "wait": ("Delay", {}),
    "release": ("StepIn", {}),
    "free_action": ("Free", {}),
    "done": ("EndTurn", {}),
    "attack": ("Strike", {}),
    "poison": ("Affect", {"name": "poison", "polarity": "negative"}),
    "curse": ("Affect", {"name": "curse", "polarity": "negative"}),
    "regeneration": ("Affect", {"name": "regeneration", "polarity": "positive"}),
    "short_rest": ("Rest", {"kind": "short"}),
    "full_rest": ("Rest", {"kind": "full"}),
    "condition": ("AddEffect", {}),
    "status": ("AddEffect", {}),
}
