"""The interface for painting a board by keys. Pure: every step returns a new easel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.archive.encounter import Encounter


@frozen
class LegendLine:
    """A line of the legend: a key, what it does, and whether it is selected."""

    key: str
    text: str
    marked: bool = False


@frozen
class Asked:
    """Something that has to be typed first.

    Attributes:
        prompt: what is asked for.
        hint: what would be accepted.
        text: the initial text.
        take: returns the easel after the typed text; raises BadInput if that is wrong.
    """

    prompt: str
    hint: str
    text: str
    take: Callable[[str], Easel]


class Easel(Protocol):
    """A draft whose board is being painted, with a cursor. Its methods raise BadInput if something is not possible."""

    @property
    def draft(self) -> Encounter:
        """The present draft."""

    def move(self, direction: str, arrow: str) -> Easel:
        """With the cursor moved a step in a direction of the compass, or of an arrow on a floor plan."""

    def press(self, key: str) -> Easel | Asked | None:
        """After a key; None if the key does nothing here."""

    def undo(self) -> Easel:
        """Without the last change."""

    def legend(self) -> tuple[LegendLine, ...]:
        """The lines that say what the keys do, and what is selected."""
