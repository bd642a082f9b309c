"""Drawing the roster: combatants in the system's order and groups, with what they have left.

Each combatant has one line if everything fits into the width. Otherwise it has two if the height allows: the first with
name and health, the second with resources and effects. As far as rows are left, there are more for those whose lines
have no room for all that lies on them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from fightcall.paint.combatants import Cards, ranks
from fightcall.paint.declarations import Declarations, DeclaredPainter, fits_in_columns, split_ranks
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import Drawing, Spot, blank, scroll_marks
from fightcall.paint.roster_line import ROOM_FOR_BARS, LineCache, RosterLine, RosterPainter
from fightcall.paint.runs import join
from fightcall_engine.kit.views import Group
from fightcall_engine.model.sight import players_name
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState


@frozen
class Roster:
    """A drawn roster.

    Attributes:
        drawing: The rows; spots are combatants' ids.
        spans: The lines of each combatant in the whole roster, to scroll to.
        lines: How many lines the whole roster has.
        top: The first line that is shown.
    """

    drawing: Drawing
    spans: Mapping[str, range]
    lines: int
    top: int


def roster_groups(state: FightState, system: BaseSystem) -> tuple[Group, ...]:
    """The system's groups, and another one for anybody it leaves out."""
    groups = system.groups(state)
    shown_ids = {combatant_id for group in groups for combatant_id in group.members}
    rest = tuple(combatant_id for combatant_id in state.combatants if combatant_id not in shown_ids)
    return (*groups, Group("Out of play", "", "", rest)) if rest else groups


Ranked = tuple[tuple[tuple[str, ...], ...], ...]
"""The rows of each group: the ids that share a row."""


def _rank(groups: tuple[Group, ...], state: FightState, cards: Cards) -> Ranked:
    return tuple(ranks(group.members, state, cards) for group in groups)


def _lines(
    ranks: Ranked, state: FightState, cards: Cards, compact: bool, declarations: Declarations | None = None
) -> tuple[RosterLine, ...]:
    lines: list[RosterLine] = []
    for index, rows in enumerate(ranks):
        more = (row[0] in declarations if declarations is not None else _has_more(state, cards, row[0]) for row in rows)
        single = compact or not any(more)
        if lines and not compact:
            lines.append(RosterLine("gap", index))
        lines.append(RosterLine("heading", index))
        for combatant_id, *others in rows:
            lines.append(RosterLine("only" if compact else "first", index, combatant_id, tuple(others)))
            lines += [] if single else [RosterLine("second", index, combatant_id, tuple(others))]
    return tuple(lines)


def _split_cut(
    lines: Sequence[RosterLine], painter: RosterPainter, line_cache: LineCache, spare: int
) -> tuple[RosterLine, ...]:
    """The lines with more for those whose last is cut, as long as there are rows to spare."""
    split: list[RosterLine] = []
    for line in lines:
        while spare > 0 and line.who and line_cache.is_cut(painter, line):
            split.append(line._replace(continues=True))
            line = line._replace(depth=line.depth + 1)
            spare -= 1
        split.append(line)
    return tuple(split)


def _has_more(state: FightState, cards: Cards, combatant_id: str) -> bool:
    """Whether anybody has something to show on a second line."""
    combatant, card = state.combatants[combatant_id], cards[combatant_id]
    pools = any(pool in combatant.pools for pool in card.pools[1:])
    has_more = combatant.effects or pools or card.pips or card.progress or card.badges or card.mark or card.note
    return bool(has_more or players_name(state, combatant))


def roster_rows(
    state: FightState,
    system: BaseSystem,
    *,
    selected: str = "",
    targets: Collection[str] = (),
    width: int,
    height: int,
    top: int = 0,
    glyphs: Glyphs,
    compact: bool | None = None,
    keys: Mapping[str, str] | None = None,
    declarations: Declarations | None = None,
    line_cache: LineCache | None = None,
) -> Roster:
    """A window of the roster.

    Args:
        state: The fight.
        system: Its rules, for groups and cards.
        selected: The combatant picked, if any.
        targets: Those that may be picked as a target now: their labels are bracketed.
        width: Cells across.
        height: Rows down.
        top: The first line of the whole roster to show; brought within bounds.
        glyphs: Marks to draw with.
        compact: One line for each combatant; None to decide by the room.
        keys: The displayed keys of the groups' actions.
        declarations: Declarations to show in place of pools and effects; None for the usual lines.
        line_cache: Lines of the previous drawing, reused if they are the same.
    """
    groups = roster_groups(state, system)
    cards = Cards(state, system)
    ranks = _rank(groups, state, cards)
    if declarations is not None:
        ranks = tuple(split_ranks(rows, declarations) for rows in ranks)
        compact = True if fits_in_columns(state, system, width - 1, glyphs, declarations) else compact
    lines = _lines(ranks, state, cards, compact is True, declarations)
    if compact is None:
        compact = len(lines) > height or width >= ROOM_FOR_BARS
        lines = _lines(ranks, state, cards, True) if compact else lines
    top = max(0, min(top, len(lines) - height))
    window = lines[top : top + height]
    marks = scroll_marks(top, height, len(lines), glyphs)
    cells = width - 1 if marks else width
    common = (state, system, selected, frozenset(targets), cells, glyphs, compact, keys or {}, cards)
    painter = RosterPainter(*common) if declarations is None else DeclaredPainter(*common, declarations)
    if compact:
        people = [line for line in lines if line.who]
        painter.size_columns([line for line in window if line.who] or people[:1])
    if line_cache is None or declarations is not None:
        line_cache = LineCache()
    if declarations is None and len(lines) < height:
        window = lines = _split_cut(lines, painter, line_cache, height - len(lines))
    rows = [line_cache.line(painter, line, groups) for line in window]
    rows += [blank(cells, "roster")] * (height - len(rows))
    if marks:
        rows = [join((row, (mark,))) for row, mark in zip(rows, marks, strict=True)]
    spans = _spans(lines)
    firsts = {line.who for line in window if line.who}
    spots = tuple(
        Spot(range(max(span.start - top, 0), span.stop - top), range(width), combatant_id)
        for combatant_id, span in spans.items()
        if combatant_id in firsts
    )
    return Roster(Drawing(tuple(rows), spots), spans, len(lines), top)


def _spans(lines: Sequence[RosterLine]) -> dict[str, range]:
    """The lines in which each combatant stands."""
    spans: dict[str, range] = {}
    for at, line in enumerate(lines):
        for combatant_id in line.people:
            spans[combatant_id] = range(spans[combatant_id].start if combatant_id in spans else at, at + 1)
    return spans
