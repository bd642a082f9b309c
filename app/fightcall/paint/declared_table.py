"""The table of declarations, in the system's order, with their outcomes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from fightcall.paint.combatants import Cards
from fightcall.paint.declarations import DeclaredPainter, column_row, declared_by
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import Drawing, Spot, blank, pad, scroll_marks
from fightcall.paint.runs import Row, Run, fit, join
from fightcall_engine.kit.views import Declaration
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState

HEAD = 1
"""The rows of the table's heading."""


@frozen
class DeclaredTable:
    """A drawn table.

    Attributes:
        drawing: The rows; spots are combatants' ids.
        spans: The lines of each combatant in the whole table, without its heading, to scroll to.
        lines: How many those are.
        top: The first of them that is shown.
    """

    drawing: Drawing
    spans: Mapping[str, range]
    lines: int
    top: int


def table_lines(state: FightState, system: BaseSystem) -> tuple[Declaration | str, ...]:
    """The lines of the table: declarations in the system's order, then combatants without any in roster order."""
    declarations = tuple(
        declaration for declaration in system.declarations(state) if declaration.who in state.combatants
    )
    spoken = {declaration.who for declaration in declarations}
    order = [combatant_id for group in system.groups(state) for combatant_id in group.members]
    combatant_ids = dict.fromkeys(
        combatant_id for combatant_id in (*order, *state.combatants) if combatant_id in state.combatants
    )
    return (*declarations, *(combatant_id for combatant_id in combatant_ids if combatant_id not in spoken))


def declared_rows(
    state: FightState,
    system: BaseSystem,
    *,
    selected: str = "",
    targets: Collection[str] = (),
    width: int,
    height: int,
    top: int = 0,
    glyphs: Glyphs,
) -> DeclaredTable:
    """A window of the table.

    Args:
        state: The fight.
        system: Its rules, for what was declared.
        selected: The combatant picked, if any.
        targets: Those that may be picked as a target now: their labels are bracketed.
        width: Cells across; where they are few, every declaration has two lines.
        height: Rows down, the heading included.
        top: The first line to show; brought within bounds.
        glyphs: Marks to draw with.
    """
    lines, declarations = table_lines(state, system), declared_by(state, system)
    cells, room = max(width - 1, 0), max(height - HEAD, 0)
    cards = Cards(state, system)
    painter = TablePainter(state, system, selected, frozenset(targets), cells, glyphs, False, {}, cards, declarations)
    each = 1 if painter.columned else 2
    top = max(0, min(top, len(lines) * each - room))
    rows: list[Row] = []
    for line in lines[top // each : -(-(top + room) // each)]:
        rows += painter.rows(_whose(line), line if isinstance(line, Declaration) else None)
    window = rows[top % each :][:room]
    window += [blank(cells, "roster")] * (room - len(window))
    bar = scroll_marks(top, room, len(lines) * each, glyphs) or (Run(" ", "roster"),) * room
    body = (join((row, (mark,))) for row, mark in zip(window, bar, strict=True))
    heading = pad(painter.heading(), width, "roster")
    spans: dict[str, range] = {}
    for number, line in enumerate(lines):
        combatant_id = _whose(line)
        spans[combatant_id] = range(
            spans[combatant_id].start if combatant_id in spans else number * each, (number + 1) * each
        )
    drawing = Drawing((heading, *body)[:height], _spots(lines, each, top, room, width))
    return DeclaredTable(drawing, spans, len(lines) * each, top)


def _whose(line: Declaration | str) -> str:
    return line if isinstance(line, str) else line.who


class TablePainter(DeclaredPainter):
    """Lines of the table, each with one declaration of one combatant."""

    def heading(self) -> Row:
        """The heading of the columns, or of the two lines."""
        lead = " " * self.prefix_cells
        if not self.columned:
            return (Run(f"{lead}who, status, when it is due", "roster.next"),)
        combatant_ids = Run(fit(f"{lead}who", self.prefix_cells + self.name_cells + 1), "roster.next")
        return (combatant_ids, *(Run(f"{fit(name, cells)} ", "roster.next") for name, cells in self.sizes.shown))

    def rows(self, combatant_id: str, declaration: Declaration | None) -> tuple[Row, ...]:
        """The rows of a declaration: one if everything fits, else two."""
        combatant = self.state.combatants[combatant_id]
        card = self.cards[combatant_id]
        if not self.columned:
            return self.above(combatant, card, [combatant], declaration), self.below(combatant, declaration)
        name_row = (*self._name_row(combatant, card, [combatant], self.name_cells), Run(" ", "roster"))
        declaration_cells = (
            column_row(declaration, self.sizes, self.glyphs)
            if declaration
            else (Run(self.glyphs.minus, "roster.next"),)
        )
        return (pad((*name_row, *declaration_cells), self.cells, "roster"),)


def _spots(lines: tuple[Declaration | str, ...], each: int, top: int, room: int, width: int) -> tuple[Spot, ...]:
    spots: list[Spot] = []
    for number, line in enumerate(lines):
        rows = range(max(number * each - top, 0) + HEAD, min(number * each + each - top, room) + HEAD)
        if rows:
            spots.append(Spot(rows, range(width), _whose(line)))
    return tuple(spots)
