"""What a GM can ask for in Scenes, Rounds, Turns beside the shared commands, and the other names these go by."""

from collections.abc import Mapping
from typing import ClassVar

from fightcall_engine.model.commands import Command, Strike
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import value as command


@command
class OpenScene(Command):
    """Open a Scene (ST-01), in a mode or, where it is left out, as the GM answers (ST-11)."""

    name: str = ""
    mode: str = ""


@command
class SetMode(Command):
    """Go over to ``initiative``, or back to ``free`` order (ST-09, ST-11)."""

    mode: str
    reason: str = ""


@command
class CloseScene(Command):
    """Close the Scene (ST-01). `elapsed` is the time a free one took, such as ``20 min`` or ``3 days`` (ST-02)."""

    elapsed: str = ""
    reason: str = ""


@command
class Initiative(Command):
    """Roll d20 + Speed (ST-12): one participant, or all that have no result yet.

    `die` is what one participant's d20 shows; ``rolls`` holds ``initiative`` or ``initiative.<id>``, and ``tie`` or
    ``tie.<id>`` for the d6 (ST-15).
    """

    who: str = ""
    die: int | None = None


@command
class Take(Command):
    """Take one's turn when it is offered; in free order, have a turn whenever one likes (ST-09)."""

    who: str


@command
class Delay(Command):
    """Put one's turn off when it is offered (ST-17)."""

    PASSES: ClassVar[bool] = True

    who: str


@command
class StepIn(Command):
    """Who delays takes the turn before the one that is offered (ST-18); `together` names others who do so too."""

    PEOPLE: ClassVar[tuple[str, ...]] = ("together",)
    who: str
    together: tuple[str, ...] = ()


@command
class Forfeit(Command):
    """Who delayed to the end of the round lets the last place go (ST-21)."""

    who: str


@command
class Act(Command):
    """Spend Actions on something (ST-28); in free order it only counts as having had a turn. `dice` are recorded."""

    who: str
    what: str = ""
    target: str = ""
    actions: int = 1
    dice: str = ""


@command
class React(Command):
    """Answer something outside its own turn, for one Reaction (ST-30)."""

    who: str
    what: str = ""
    target: str = ""
    dice: str = ""


@command
class ReactionStrike(Strike):
    """Attack outside its own turn, for one Reaction (ST-30); otherwise as Strike."""


@command
class Free(Command):
    """A Free Action: costs nothing, in its own turn or outside it (ST-32)."""

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
    """Pay what keeps an effect up (ST-24). Without `effect`, the one that is asked for."""

    who: str = ""
    effect: str = ""


@command
class Decline(Command):
    """Do not pay: the effect ends at once (ST-25)."""

    who: str = ""
    effect: str = ""


@command
class EndTurn(Command):
    """End the turn, whatever Actions are left (ST-04)."""

    PASSES: ClassVar[bool] = True

    who: str = ""


@command
class Affect(Command):
    """An effect begins, with all that this system knows of effects.

    `polarity` is negative (step 1, ST-23), positive (step 4, ST-27), or empty where it only lasts. `amount`, a number
    or dice, is what it does to `pool`. `upkeep` is the price in `resource` that `payer` (the bearer, if not named)
    pays in step 2. It counts `rounds` down at the `ticks`, ``turn_start`` or ``turn_end``, of `anchor` (the bearer, if
    not named; Q-T16), or at ``round_end``; `ends_at_turn_start` is one such turn start (ST-26).
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

    Everybody rests but foes and the `guards`, or only the `resters`.
    """

    PEOPLE: ClassVar[tuple[str, ...]] = ("resters", "guards")
    kind: str
    minutes: int | None = None
    hours: int | None = None
    resters: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()


@command
class Activity(Command):
    """Something done during a rest (ST-37).

    In a Short Rest `spend` Resolve brings back `hp_each` hit points for each (ST-38); where that number or dice are
    left out the GM is asked.
    """

    who: str
    what: str = ""
    spend: int = 0
    hp_each: int | str | None = None


@command
class CompleteRest(Command):
    """The rest has reached its end (ST-39, ST-41)."""


@command
class Interrupt(Command):
    """The rest is cut short after so many minutes or hours (Q-T11): for all, or for `who` alone."""

    who: str = ""
    minutes: int | None = None
    hours: int | None = None
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
