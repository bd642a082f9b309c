"""Tables of chances that a GM loads: the Task Resolution Table itself is not in the text (R-5, M-01)."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

_BY_BOTH = ("av", "dv", "chance")
_BY_DIFFERENCE = ("difference", "chance")


@dataclass(frozen=True, slots=True)
class ChanceTable:
    """Percentages by AV and DV, or by their difference.

    Attributes:
        by_both: the percentage of each (AV, DV).
        by_difference: the percentage of each AV - DV.
    """

    by_both: Mapping[tuple[int, int], int] = field(default_factory=dict)
    by_difference: Mapping[int, int] = field(default_factory=dict)

    def chance(self, av: int, dv: int) -> int | None:
        """Return the percentage, or None where the table has none: then the GM is asked, never a guess made."""
        found = self.by_both.get((av, dv))
        return self.by_difference.get(av - dv) if found is None else found


def read_chances(text: str) -> ChanceTable:
    """Return the table in a CSV text headed `AV,DV,chance` or `difference,chance`.

    Raises:
        ValueError: another heading, or a line that will not do; names the line and says what is accepted.
    """
    try:
        rows = list(enumerate(csv.reader(text.splitlines()), 1))
    except csv.Error as error:
        raise ValueError(f"not CSV: {error}") from error
    lines = [(number, row) for number, row in rows if any(map(str.strip, row))]
    heading = tuple(cell.strip().lower() for cell in lines[0][1]) if lines else ()
    if heading not in (_BY_BOTH, _BY_DIFFERENCE):
        raise ValueError("line 1: a table of chances is headed AV,DV,chance or difference,chance")
    found: dict[tuple[int, ...], int] = {}
    for number, row in lines[1:]:
        *key, chance = _numbers(number, row, heading)
        if tuple(key) in found:
            raise ValueError(f"line {number}: {','.join(map(str, key))} has a chance already; one line each")
        if not 0 <= chance <= 100:
            raise ValueError(f"line {number}: {chance} is no percentage; 0 to 100 are")
        found[tuple(key)] = chance
    if heading == _BY_BOTH:
        return ChanceTable(by_both={(key[0], key[1]): chance for key, chance in found.items()})
    return ChanceTable(by_difference={key[0]: chance for key, chance in found.items()})


def _numbers(number: int, row: Iterable[str], heading: tuple[str, ...]) -> list[int]:
    cells = [cell.strip() for cell in row]
    try:
        numbers = [int(cell) for cell in cells]
    except ValueError:
        numbers = []
    if len(numbers) != len(heading):
        raise ValueError(f"line {number}: expected whole numbers for {', '.join(heading)}")
    return numbers
