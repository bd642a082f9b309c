"""Arrow heads: what they add to a shot, and which of them go through armour (CS-542, CS-576, M-09)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from fightcall_engine.systems.segments.formulas import tabled


@dataclass(frozen=True, slots=True)
class ArrowHead:
    """A kind of arrow head.

    Attributes:
        key: its id.
        label: its name.
        db: what it adds to the POT of a shot (CS-542).
        pierces: it goes through armour within short range (CS-576, CS-577).
        sample: its numbers are not of the text, but to play with.
        rule: the rule that tells of it.
    """

    key: str
    label: str
    db: int = 0
    pierces: bool = False
    sample: bool = False
    rule: str = "CS-542"

    @property
    def called(self) -> str:
        """Its key in words, with the remark that it is a sample."""
        name = self.key.replace("_", " ")
        return f"{name} (a sample)" if self.sample else name


@cache
def arrow_heads() -> Mapping[str, ArrowHead]:
    """Return the heads that come with the engine, by key."""
    read = tuple(head_from(row) for row in tabled.rows("arrow_heads"))
    return {arrow_head.key: arrow_head for arrow_head in read}


def head_from(row: Mapping[str, object]) -> ArrowHead:
    """Return an arrow head from its row.

    Raises:
        ValueError: a cell that will not do.
    """
    key = tabled.text_of(row, "key")
    return ArrowHead(
        key,
        tabled.text_of(row, "label") or key.replace("_", " "),
        tabled.whole_of(row, "db") if "db" in row else 0,
        tabled.flag_of(row, "pierces"),
        tabled.flag_of(row, "sample"),
        tabled.text_of(row, "rule") or "CS-542",
    )
