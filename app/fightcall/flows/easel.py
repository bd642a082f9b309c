"""What paints a board by keys, whatever its places are; each step gives a new easel. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.archive.encounters import Encounter


@frozen
class LegendLine:
    """One line beside the board: a key, what it does, and whether it is what is in the hand."""

    key: str
    text: str
    marked: bool = False


@frozen
class Asked:
    """Something that has to be typed before the easel goes on.

    Attributes:
        prompt: what is asked for.
        hint: what would be accepted.
        text: what stands there to begin with.
        take: the easel with what was typed; BadInput says what is wrong with that.
    """

    prompt: str
    hint: str
    text: str
    take: Callable[[str], Easel]


class Easel(Protocol):
    """A draft whose board is being painted, and a cursor on it. BadInput says why something cannot be done."""

    @property
    def draft(self) -> Encounter:
        """The fight as it is so far."""

    def move(self, direction: str, arrow: str) -> Easel:
        """With the cursor a step on: in a direction of the compass, or of an arrow where it has one."""

    def press(self, key: str) -> Easel | Asked | None:
        """After a key; None where it means nothing here."""

    def undo(self) -> Easel:
        """Without what was done last."""

    def legend(self) -> tuple[LegendLine, ...]:
        """What the keys do, and what is in the hand."""
