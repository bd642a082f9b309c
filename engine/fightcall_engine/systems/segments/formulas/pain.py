"""Pain: fainting, being stunned, and how a stun wears off (CS-610 to CS-618)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.formulas.checks import Progressive, prog
from fightcall_engine.systems.segments.formulas.rounding import Number, halve, rhu
from fightcall_engine.systems.segments.formulas.sums import Part, Sum

MultiStun: TypeAlias = Literal["sum", "highest"]
"""Whether several stuns add or only the worst tells (A-50)."""


@dataclass(frozen=True, slots=True)
class Stun:
    """A stun by pain.

    Attributes:
        base: its penalty at first, exact.
        segment: the segment of the blow.
    """

    base: Number
    segment: int

    def penalty(self, segment: int) -> int:
        """Return what AVs and Initiative lose in a segment, rounded; 0 before the blow (CS-613, CS-616).

        It halves at the end of each segment after that of the blow, so that the next one has it in full.
        """
        if segment < self.segment:
            return 0
        return rhu(halve(self.base, max(0, segment - self.segment - 1)))

    @property
    def last_segment(self) -> int:
        """The last segment in which it tells; the one before the blow for a stun of nothing."""
        last = self.segment - 1
        while self.penalty(last + 1) > 0:
            last += 1
        return last


def excess(through: int, pres: int) -> int:
    """Return by how much a blow hurts more than somebody can bear, 0 or more (CS-610).

    Args:
        through: POT after clothing and armour, with what a barrier added (CS-563).
        pres: his P-RES.
    """
    return max(0, through - pres)


def pain_dv(beyond: int, scale: Progressive = "triangular") -> Sum:
    """Return the DV of the P-RES check against fainting and of the HRT check after it (CS-610, CS-612).

    Args:
        beyond: from `excess`; at 0 no check is asked.
        scale: the Progressive scale in use (R-4).
    """
    return Sum((Part(f"{beyond} POT above P-RES, Progressive", prog(beyond, scale), "CS-610"),))


def stun(beyond: int, segment: int, *, managed: bool, scale: Progressive = "triangular") -> Stun:
    """Return the stun of a blow that he did not faint from (CS-613, CS-614).

    Args:
        beyond: from `excess`.
        segment: the segment of the blow.
        managed: his HRT check succeeded, which halves it.
        scale: the Progressive scale in use (R-4).
    """
    full = prog(beyond, scale)
    return Stun(halve(full) if managed else full, segment)


def stun_penalty(stuns: Iterable[Stun], segment: int, reading: MultiStun = "sum") -> Sum:
    """Return what AVs and Initiative lose in a segment, each stun wearing off on its own (CS-618, A-50).

    Args:
        stuns: all that he has taken.
        segment: the segment asked for.
        reading: `sum` of all, or the `highest` alone.
    """
    parts = [Part(f"stun of segment {stun.segment}", stun.penalty(segment), "CS-613") for stun in stuns]
    telling = sorted((part for part in parts if part.value), key=lambda part: part.value, reverse=True)
    return Sum(tuple(telling[:1] if reading == "highest" else telling))


def slowed_dv(dv: Number, penalty: int) -> Sum:
    """Return the DV from which the time of a task is taken by one who is stunned (CS-613)."""
    return Sum((Part("DV of the task", dv, "CS-613"), Part("stun", penalty, "CS-613")))
