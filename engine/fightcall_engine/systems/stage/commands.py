"""The commands of Stage Moments beside the shared ones, and their aliases."""

from collections.abc import Mapping
from typing import ClassVar

from fightcall_engine.board.base import Location
from fightcall_engine.model.commands import Command
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import value as command


@command
class Ambush(Command):
    """Set an ambush by side `by`, before a Moment or in a Meeting where that side hasn't talked (SB-21)."""

    ONCE: ClassVar[bool] = True

    by: str


@command
class Perception(Command):
    """Check whether one of the ambushed notices the ambush (SB-15).

    The result is `passed`, or a d20 (``rolls["perception"]``) at or under `needs` or the figure's Perception.
    """

    passed: bool | None = None
    who: str = ""
    needs: int | None = None


@command
class NextHalf(Command):
    """End the current half (GM override), or with `until` everything before that phase, by either name (SB-10)."""

    ONCE: ClassVar[bool] = True

    until: str = ""


@command
class NextPhase(Command):
    """Go to the next phase; refused while a side can still act in this one (SB-08)."""

    ONCE: ClassVar[bool] = True

    until: str = ""


@command
class Talk(Command):
    """Talk to the other side in Meeting, with an optional capability and check, or stall with fast talk (SB-44)."""

    who: str
    note: str = ""
    capability: str = ""
    passed: bool | None = None
    needs: int | None = None
    fast_talk: bool = False


@command
class Check(Command):
    """Make a Capability Check: `passed`, or a d20 (``rolls["check"]``) at or under `needs` (SB-27)."""

    who: str
    capability: str
    passed: bool | None = None
    needs: int | None = None


@command
class Sneak(Command):
    """Sneak in the Move phase, for 2 beats a hex (SB-72). The fields are those of Move."""

    who: str
    path: tuple[Location, ...] = ()
    to: Location | None = None
    hexes: int = 0
    meets: str = ""
    meets_after: int = 0
    cover: str = ""
    modifier: int = 0


@command
class Creep(Command):
    """Sneak in Meeting (SB-42). Only undetected party members can, and they make the sneak roll at once."""

    who: str
    path: tuple[Location, ...] = ()
    to: Location | None = None
    hexes: int = 0
    meets: str = ""
    meets_after: int = 0
    modifier: int = 0


@command
class Vault(Command):
    """Vault an obstacle up to half your height, into the next hex, for 4 beats (SB-73)."""

    who: str
    to: Location | None = None
    height_ft: float | None = None
    meets: str = ""


@command
class Clamber(Command):
    """Clamber over an obstacle within arm's reach, into the next hex, for 6 beats (SB-74)."""

    who: str
    to: Location | None = None
    height_ft: float | None = None
    meets: str = ""


@command
class Climb(Command):
    """Climb up or down a rope or ladder, for 1 beat per 10 ft or part of it (SB-77)."""

    who: str
    feet: float


@command
class Stunt(Command):
    """Move in a way that isn't on the price list, at a price set by the GM and remembered by name (SB-78).

    On a board, `to` is where it ends, at any distance: a rope swing, a leap from the gallery. Nothing on the way
    stops it, and only the landing place can bring contact. Without a board `hexes` is the distance.
    """

    who: str
    name: str
    beats: int | None = None
    to: Location | None = None
    hexes: int = 0
    meets: str = ""


@command
class DropProne(Command):
    """Lie down for half of the total beats (SB-75)."""

    who: str


@command
class Rise(Command):
    """Get up for all beats (SB-76)."""

    who: str


@command
class SetCover(Command):
    """Change cover to open, partial or full. A figure can leave full cover only in its own Move half (SB-66)."""

    who: str
    cover: str


@command
class Business(Command):
    """Do something other than combat (SB-53). It takes `needed` Management phases and `beats`, with an optional check.

    An empty `name` continues what the figure was doing. Naming a companion's unfinished business helps with it
    (SB-25). `quick`: the GM allows another business in the same phase (SB-26).
    """

    who: str
    name: str = ""
    needed: int | None = None
    beats: int = 0
    quick: bool = False
    capability: str = ""
    passed: bool | None = None
    needs: int | None = None


COMMANDS: tuple[type[Command], ...] = (
    Ambush, Perception, NextHalf, NextPhase, Talk, Check, Sneak, Creep, Vault, Clamber, Climb, Stunt, DropProne, Rise,
    SetCover, Business,
)  # fmt: skip

ALIASES: Mapping[str, tuple[str, Mapping[str, Json]]] = {
    "shoot": ("Strike", {"kind": "missile"}),
    "melee": ("Strike", {"kind": "melee"}),
    "cast": ("Strike", {"kind": "magic"}),
    "declare_ambush": ("Ambush", {}),
    "surprise": ("Ambush", {}),
    "begin_moment": ("Start", {}),
    "close_scene": ("Close", {}),
    "cover": ("SetCover", {}),
    "prone": ("DropProne", {}),
    "cc": ("Check", {}),
    "condition": ("AddEffect", {}),
    "status": ("AddEffect", {}),
}
