"""What every flow is: a view to draw, an overlay for the board, and one answer to each key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Protocol

from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give
from fightcall_engine.board.base import Location
from fightcall_engine.model.values import frozen

OVERRULE = "!"
"""The key that is Enter by the GM's word."""
MORE = "*"
"""The key that opens what may be said beside the questions."""
PERSON = "'"
"""The key before a label: somebody is meant by what follows."""
WHY = "?"
"""The key that tells the rule behind what is asked or marked."""
TYPES_A_SPACE = "types a space"
UNANSWERED = "nothing: this question needs an answer"
"""What the space bar does at a question without a proposal."""
MOST_ACCEPTED = 6
"""How much of what would be accepted is said."""
ONWARD = ("tab", "right", "down")
BACKWARD = ("shift+tab", "left", "up")


@frozen
class Overlay:
    """What a flow shows on the board and in the roster while it runs.

    Attributes:
        reach: what each place in reach costs.
        path: the places of a planned way, in order, with the cost so far.
        warnings: places where something stops the way.
        line: the places between two combatants, as for a line of fire.
        targets: the combatants that may be picked.
        chosen: the one of them that Enter takes.
        cursor: the place that the keys move, or that the question is about.
        is_followed: whether the board's window goes to the cursor; not to one that is only proposed.
        note: a few words for the board's frame.
    """

    reach: Mapping[Location, int] = field(default_factory=dict)
    path: tuple[tuple[Location, int], ...] = ()
    warnings: frozenset[Location] = frozenset()
    line: tuple[Location, ...] = ()
    targets: tuple[str, ...] = ()
    chosen: str = ""
    cursor: Location | None = None
    is_followed: bool = True
    note: str = ""


@frozen
class Stay:
    """The key was for the flow, which goes on."""


@frozen
class Ignored:
    """The key means nothing here; the screen may use it."""


@frozen
class Cancelled:
    """The flow ends with nothing done."""


@frozen
class Yield:
    """The flow ends with nothing done, and the key means what it means without it."""


@frozen
class Select:
    """The flow ends by selecting a combatant; `to_act`: for one act out of turn."""

    who: str
    to_act: bool = False


@frozen
class Become:
    """The flow turns into another."""

    flow: Flow


@frozen
class Detour:
    """The flow makes way for something that clears its own: once that is done, the same is begun again.

    Attributes:
        first: what is done first.
        again: begins the same anew; None where it is no longer to be done.
    """

    first: Reply
    again: Callable[[], Reply | None]


@frozen
class Say:
    """The flow ends with a message."""

    text: str


@frozen
class Jump:
    """The flow ends by going to an entry."""

    number: int


@frozen
class Bookmark:
    """The flow ends by naming a moment: just after the entry of this number, or with None the present one."""

    name: str
    on: int | None = None


@frozen
class Find:
    """The flow ends by looking for a text among combatants, effects and lines of the log."""

    text: str


@frozen
class SaveElsewhere:
    """The flow ends by saving the fight in another file; an empty name leaves the fight as it is."""

    name: str


@frozen
class Travel:
    """The flow ends by moving in the fight's history, or by changing its branches.

    Attributes:
        go: does it, by the fight itself; what it gives back is not looked at.
        said: what is said when it is done; empty for nothing beside what the fight tells.
        following: the flow that goes on after it; None for none.
    """

    go: Callable[[], object]
    said: str = ""
    following: Callable[[], Flow] | None = None


Request = Say | Jump | Bookmark | Find | SaveElsewhere
"""What a flow asks the screen for that is no command."""
Reply = Stay | Ignored | Cancelled | Yield | Give | Select | Become | Detour | Travel | Request
"""What a flow answers to a key."""

STAY, IGNORED, CANCELLED, YIELD = Stay(), Ignored(), Cancelled(), Yield()


class Flow(Protocol):
    """Something the GM is in the middle of."""

    @property
    def is_typing(self) -> bool:
        """True while letters are typed as they are, so that none of them can stand for another key."""

    @property
    def call_words(self) -> str:
        """What the space bar does: types a space, or what Enter does."""

    def view(self) -> PromptView:
        """What the call bar shows now."""

    def overlay(self) -> Overlay:
        """What the board and the roster show now."""

    def press(self, key: str) -> Reply:
        """Take one key: a printable character as it is, others by name (``enter``, ``escape``, ``space``...)."""

    def point(self, place: Location) -> Reply:
        """Take a click on a place of the board."""

    def pick(self, combatant_id: str) -> Reply:
        """Take a click on a combatant."""

    def complain(self, what: str) -> None:
        """Show what was wrong with the answer just given, until the next key."""


def accepted_words(accepts: Sequence[str]) -> str:
    """What a refusal says would be accepted, in the words of the screen: no names of fields or commands."""
    parts = (text.partition(": ") for text in accepts[:MOST_ACCEPTED])
    texts = (words if how.endswith(("true", "false")) else f"{words}{colon}{how}" for words, colon, how in parts)
    return ", ".join(text.replace("_", " ") for text in texts)


def table_die_words(dice: str) -> str:
    """Why nothing goes on without a die of the table."""
    return f"the {dice} is thrown at the table: type it"


def rule_words(rule: str) -> str:
    """The rule that refuses, before what it says; the plain name of a check, such as ``path``, tells a GM nothing."""
    return f"{rule}: " if rule and not rule.islower() else ""
