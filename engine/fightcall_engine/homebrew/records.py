"""The commands, events and records of every game from a file. They are the same whatever the file says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fightcall_engine import kit
from fightcall_engine.board.base import Location
from fightcall_engine.model.commands import Command
from fightcall_engine.model.events import Moved, Recorded, Spent, TraitChanged, TraitsChanged, Waived


@dataclass(frozen=True, slots=True)
class Intent:
    """An act that has been declared."""

    act: str
    target: str = ""
    at: Location | None = None


@dataclass(frozen=True, slots=True)
class Participant:
    """What is kept of a combatant.

    Attributes:
        initiative: its place in the order: the number rolled, or that of its card.
        tie: what decides between equals.
        is_rolled: whether the initiative of this fight is rolled.
        has_gone: whether its turn in this round is over, where somebody chooses who goes.
        uses: how often each act with a limit has been done.
        declared: what it has declared in this round.
    """

    initiative: int = 0
    tie: int = 0
    is_rolled: bool = False
    has_gone: bool = False
    uses: Mapping[str, int] = field(default_factory=dict)
    declared: Intent | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """What is kept of the fight.

    Attributes:
        dealt: the cards that are out since the last shuffle, by number; see `orders.CARDS`.
        active: whoever has begun the running turn, where a side chooses who takes it.
    """

    dealt: tuple[int, ...] = ()
    active: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """Who caused a condition, and whether it is over with its bearer's next roll for an act."""

    by: str = ""
    is_for_one_roll: bool = False


class Perform(Command):
    """Do an act of the game: by its name, with its `target` or the place `at` which it is aimed.

    `hit` is its outcome and `damage` its harm, as a number or dice, if the GM decides them. `modifier` is added to its
    roll, and an `advantage` above zero rolls it twice for the better, below zero for the worse.
    """

    act: str
    who: str
    target: str = ""
    at: Location | None = None
    hit: bool | None = None
    damage: int | str | None = None
    modifier: int = 0
    advantage: int = 0


class Delay(Command):
    """Take one's turn later in this round: after that of another combatant."""

    who: str
    after: str
    PEOPLE = ("after",)


class Walked(Moved):
    """A combatant walks as a part of its turn."""

    ACTS = False
    DEED = True


class Attempted(Recorded):
    """An act with a roll succeeds or fails. `chance` is that of success before the roll, in percent."""

    DEED = True
    PUBLIC = ("who", "does", "target", "hit", "critical")
    TEXT = "{who} {does}[ {target}]: {total} against {needed}, {hit:a hit|a miss}{critical:, critical|}"
    SEEN = "{who} {does}[ {target}]: {hit:a hit|a miss}{critical:, critical|}"
    who: str
    act: str
    does: str
    total: int
    needed: int
    hit: bool
    target: str = ""
    critical: bool = False
    chance: float | None = None


class Ruled(Recorded):
    """An act succeeds or fails as the GM says."""

    DEED = True
    PUBLIC = ("who", "does", "target", "hit")
    TEXT = SEEN = "{who} {does}[ {target}]: {hit:a hit|a miss}"
    who: str
    act: str
    does: str
    hit: bool
    target: str = ""


class Done(Recorded):
    """An act without a roll is done. `where` is the name of the place it is aimed at."""

    DEED = True
    PUBLIC = ("who", "does", "target", "where")
    TEXT = SEEN = "{who} {does}[ {target}][ at {where}]"
    who: str
    act: str
    does: str
    target: str = ""
    where: str = ""


class Saved(Recorded):
    """A roll against something is made or not."""

    PUBLIC = ("who", "name", "succeeds")
    TEXT = "  {who}, {name}: {total} against {needed}, {succeeds:made|not made}"
    SEEN = "  {who}, {name}: {succeeds:made|not made}"
    who: str
    name: str
    total: int
    needed: int
    succeeds: bool


class Told(Recorded):
    """A line that the game has for something."""

    PUBLIC = ("who", "target", "text")
    TEXT = SEEN = "  {text}"
    who: str
    text: str
    target: str = ""


class InitiativeRolled(TraitsChanged):
    """A combatant has rolled for its place in the order."""

    PUBLIC = ("who", "total")
    TEXT = SEEN = "{who}: initiative {total}"
    total: int


class CardDealt(TraitChanged):
    """A combatant is dealt a card for the round."""

    PUBLIC = ("who", "card")
    TEXT = SEEN = "{who}: {card}"
    card: str


class Declared(TraitChanged):
    """A combatant declares an act for this round."""

    DECLARES = True
    DEED = True
    PUBLIC = ("who", "does", "target")
    TEXT = SEEN = "{who} declares: {does}[ {target}]"
    does: str
    target: str = ""


class Lapsed(Recorded):
    """What was declared can't be carried out."""

    PUBLIC = ("who", "does")
    TEXT = "{who} {does} no more: {reason}"
    SEEN = "{who} {does} no more"
    who: str
    does: str
    reason: str


class TurnSpent(Spent):
    """Something that a turn holds is spent. The act tells of it."""


class TurnEnded(Recorded):
    """A combatant ends its turn with something left, such as an action."""

    TONE = "dim"
    PUBLIC = ("who",)
    TEXT = "{who} ends the turn[, {unused} unused]"
    SEEN = "{who} ends the turn"
    who: str
    unused: str = ""


class TurnDone(Waived):
    """An act that ends the turn has been done."""


COMMANDS = (Perform, Delay)
EVENTS = (
    Walked, Attempted, Ruled, Done, Saved, Told, InitiativeRolled, CardDealt, Declared, Lapsed, TurnSpent, TurnEnded,
    TurnDone,
)  # fmt: skip


participant_of = kit.record_reader(Participant)
"""What is kept of a combatant."""
