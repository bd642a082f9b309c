"""Drawing the roster: combatants in the system's order and groups, with what they have left or what they declared.

Each combatant has one line if everything fits into the width. Otherwise it has two if the height allows: the first
with name and health, the second with resources and effects. If there are rows left, combatants whose lines are too
short get more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from fightcall.paint.combatants import Cards, cards_of, ranks, work_marks
from fightcall.paint.roster_line import ROOM_FOR_BARS, Basis, RosterLine, RosterPainter
from fightcall.paint.runs import (
    Drawing,
    Glyphs,
    Row,
    Run,
    Spot,
    apart,
    blank,
    clean,
    fit,
    join,
    pad,
    row_width,
    scroll_marks,
    width,
    window_top,
)
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Card, Declaration, Group
from fightcall_engine.model.fold import players_name
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import frozen, remembered, replace

LEAST_COLUMN = 22
"""The fewest cells for the text of a declaration with which everything about it fits into columns on one line."""
LEAST_WORDS = 14
"""The fewest cells of a declaration's text before limbs and cost are shown."""
OVER = ("done", "failed", "aborted", "lost", "cannot")
"""The statuses of declarations that are over."""

_STYLES: Mapping[str, str] = {
    "declared": "strong",
    "waits": "info",
    "busy": "bar.progress",
    "done": "good",
    "failed": "bad",
    "lost": "warn",
    "cannot": "bad",
}
_LONGEST: Mapping[str, int] = {"limbs": 14, "cost": 11, "due": 14}

Declarations = Mapping[str, tuple[Declaration, ...]]
"""The declarations of each combatant, by id."""

HEAD = 1
"""The rows of the table's heading."""


@frozen
class Roster:
    """A drawn window of lines of combatants, without what is always above them, such as a heading.

    Attributes:
        drawing: The rows; spots are combatants' ids.
        spans: The lines of each combatant among all, to scroll to.
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


def _split_cut(lines: Sequence[RosterLine], painter: RosterPainter, spare: int) -> tuple[RosterLine, ...]:
    """The lines with more for those whose last is cut, as long as there are rows to spare."""
    split: list[RosterLine] = []
    for line in lines:
        while spare > 0 and line.who and painter.is_cut(line):
            split.append(line._replace(continues=True))
            line = line._replace(depth=line.depth + 1)
            spare -= 1
        split.append(line)
    return tuple(split)


def _has_more(state: FightState, cards: Cards, combatant_id: str) -> bool:
    combatant, card = state.combatants[combatant_id], cards[combatant_id]
    pools = any(pool in combatant.pools for pool in card.pools[1:])
    has_more = combatant.effects or pools or card.pips or card.progress or card.badges or card.mark or card.note
    return bool(has_more or players_name(state, combatant))


@remembered
def roster_rows(
    state: FightState,
    system: BaseSystem,
    *,
    selected: str = "",
    targets: Collection[str] = (),
    width: int,
    height: int,
    top: int = 0,
    shown: str = "",
    glyphs: Glyphs,
    compact: bool | None = None,
    keys: Mapping[str, str] | None = None,
    declarations: Declarations | None = None,
) -> Roster:
    """A window of the roster, from line `top` as far as there are so many, or so that `shown` is in view.

    The labels of `targets`, which can be picked now, are bracketed. `compact` is one line for each combatant; None
    decides by the room. `keys` are the displayed keys of the groups' actions. `declarations` stand in place of pools
    and effects.
    """
    groups = roster_groups(state, system)
    cards = cards_of(state, system)
    ranked: Ranked = tuple(ranks(group.members, state, cards) for group in groups)
    if declarations is not None:
        ranked = tuple(split_ranks(rows, declarations) for rows in ranked)
        if DeclaredPainter(Basis(state, system, cards, width - 1, glyphs), declarations).columned:
            compact = True
    if compact is None and (width >= ROOM_FOR_BARS or sum(map(len, ranked)) > height):
        # Whether there is more to show about each is asked only where that decides.
        compact = True
    lines = _lines(ranked, state, cards, compact is True, declarations)
    if compact is None:
        compact = len(lines) > height
        lines = _lines(ranked, state, cards, True) if compact else lines
    spans = _spans(line.people for line in lines)
    top = window_top(top, height, len(lines), spans.get(shown))
    window = lines[top : top + height]
    marks = scroll_marks(top, height, len(lines), glyphs)
    cells = width - 1 if marks else width
    basis = Basis(state, system, cards, cells, glyphs, selected, frozenset(targets), compact, keys or {})
    painter = RosterPainter(basis) if declarations is None else DeclaredPainter(basis, declarations)
    if compact:
        people = [line for line in lines if line.who]
        painter.size_columns([line for line in window if line.who] or people[:1])
    if declarations is None and len(lines) < height:
        window = lines = _split_cut(lines, painter, height - len(lines))
        spans = _spans(line.people for line in lines)
    rows = [painter.line(line, groups) for line in window]
    rows += [blank(cells, "roster")] * (height - len(rows))
    if marks:
        rows = [(*row, mark) for row, mark in zip(rows, marks, strict=True)]
    firsts = {line.who for line in window if line.who}
    spots = tuple(
        Spot(range(max(span.start - top, 0), span.stop - top), range(width), combatant_id)
        for combatant_id, span in spans.items()
        if combatant_id in firsts
    )
    return Roster(Drawing(tuple(rows), spots), spans, len(lines), top)


def _spans(people_of_lines: Iterable[tuple[str, ...]]) -> dict[str, range]:
    spans: dict[str, range] = {}
    for at, people in enumerate(people_of_lines):
        for combatant_id in people:
            spans[combatant_id] = range(spans.get(combatant_id, range(at, at)).start, at + 1)
    return spans


# Declarations, in place of pools and effects


SHORT_NAME, LONG_NAME = 9, 14
"""The cells of a name on a narrow line, alone and beside another."""


@remembered
def declared_by(state: FightState, system: BaseSystem) -> Declarations:
    """The declarations by combatant, in the system's order."""
    by_combatant: dict[str, tuple[Declaration, ...]] = {}
    for declaration in system.declarations(state):
        if declaration.who in state.combatants:
            by_combatant[declaration.who] = (*by_combatant.get(declaration.who, ()), declaration)
    return by_combatant


def present(declarations: Sequence[Declaration]) -> Declaration | None:
    """The relevant declaration: the first that is not over, else the newest."""
    open_ones = (declaration for declaration in declarations if declaration.status not in OVER)
    return next(open_ones, declarations[-1] if declarations else None)


def split_ranks(ranks: Iterable[tuple[str, ...]], declarations: Declarations) -> tuple[tuple[str, ...], ...]:
    """Rows of identical combatants, split if their declarations differ."""

    def declared(combatant_id: str) -> list[Declaration]:
        return [replace(declaration, who="") for declaration in declarations.get(combatant_id, ())]

    return tuple(tuple(alike) for rank in ranks for _, alike in groupby(rank, declared))


# Parts of a line


def status_row(declaration: Declaration, glyphs: Glyphs, others: int = 0) -> Row:
    """The status as a mark and a word, the progress, and the number of other declarations."""
    style, word = _STYLES.get(declaration.status, "roster.next"), status_word(declaration)
    marks = (Run(" ", "roster"), *work_marks(declaration.progress, glyphs)) if declaration.progress else ()
    more = (Run(f" +{others}", "roster.next"),) if others > 0 else ()
    return (Run(status_mark(declaration, glyphs), style), Run(f" {clean(word)}".rstrip(), style), *marks, *more)


def status_word(declaration: Declaration) -> str:
    """The status in a word; without one, that nothing is declared yet."""
    return declaration.status or ("" if declaration.words else "not yet")


def status_mark(declaration: Declaration, glyphs: Glyphs) -> str:
    """The mark of a status; a dot for an unknown one."""
    return glyphs.declared.get(declaration.status, glyphs.bullet)


def words_row(declaration: Declaration, cells: int, glyphs: Glyphs) -> Row:
    """A declaration's text in at most `cells` cells; for a secret one with its mark, and what players see instead."""
    secret = f"{glyphs.hidden} " if declaration.public else ""
    words = clean(declaration.words)
    style = "feed.secret" if declaration.public else "roster.name"
    room = max(cells - width(secret), 0)
    if width(words) > room:
        words = fit(words, room, ellipsis=glyphs.ellipsis)
    public_text = f"  {clean(declaration.public)}" if declaration.public else ""
    cells_left = cells - width(secret) - width(words)
    if width(public_text) > cells_left:
        public_text = fit(public_text, cells_left, ellipsis=glyphs.ellipsis) if cells_left >= LEAST_WORDS else ""
    return (Run(secret, "roster.mark"), Run(words, style), Run(public_text, "roster.next"))


def _told_against(declaration: Declaration, cells: int, glyphs: Glyphs) -> Row:
    result = clean(declaration.done)
    if not result:
        return words_row(declaration, cells, glyphs)
    arrow = f" {glyphs.to} "
    words_cells = max(cells - width(arrow) - width(result), cells // 3)
    words = words_row(declaration, words_cells, glyphs) if declaration.words else ()
    room = cells - row_width(words) - width(arrow)
    result = fit(result, min(width(result), room), ellipsis=glyphs.ellipsis)
    return (*words, Run(arrow, "roster.next"), Run(result, "text"))


# Columns


class Columns(NamedTuple):
    """The cells of each column of a wide line; 0 for one that is not needed."""

    words: int
    limbs: int
    cost: int
    due: int
    status: int
    done: int

    @property
    def shown(self) -> tuple[tuple[str, int], ...]:
        """The columns in use, with their headings."""
        names = ("declared", "limbs", "cost", "due", "status", "came of it")
        return tuple((name, cells) for name, cells in zip(names, self, strict=True) if cells)


def columns(by: Declarations, cells: int, glyphs: Glyphs) -> Columns:
    """Distribute the cells: short columns get what they need, text and outcome get the rest."""
    all_declarations = [declaration for group in by.values() for declaration in group]

    def needs(name: str, texts: Iterable[str]) -> int:
        longest = max(map(width, map(clean, texts)), default=0)
        return min(max(longest, width(name)), _LONGEST[name]) if longest else 0

    limbs = needs("limbs", (each.parts for each in all_declarations))
    cost = needs("cost", (each.cost for each in all_declarations))
    due = needs("due", (each.due for each in all_declarations))
    rows = (status_row(declaration, glyphs, len(by[declaration.who]) - 1) for declaration in all_declarations)
    status = max(map(row_width, rows), default=0)
    rest = cells - sum(size + 1 for size in (limbs, cost, due, status) if size)
    longest = max((width(clean(declaration.done)) for declaration in all_declarations), default=0)
    result_cells = min(max(longest, width("came of it")) + 1, rest // 2) if longest else 0
    group = max((row_width(words_row(declaration, cells, glyphs)) for declaration in all_declarations), default=0)
    words = max(min(rest - result_cells, max(group, LEAST_COLUMN)), 0)
    return Columns(words, limbs, cost, due, status, max(rest - words - 1, 0) if result_cells else 0)


def column_row(declaration: Declaration, sizes: Columns, glyphs: Glyphs, others: int = 0) -> Row:
    """A declaration in its columns; `others` as for `status_row`."""

    def column(text: str, size: int, style: str) -> Row:
        return (Run(fit(text, size, ellipsis=glyphs.ellipsis), style),)

    cells = (
        words_row(declaration, sizes.words, glyphs),
        column(declaration.parts, sizes.limbs, "roster.declared"),
        column(declaration.cost, sizes.cost, "roster.next"),
        column(declaration.due, sizes.due, "roster.name"),
        status_row(declaration, glyphs, others),
        column(declaration.done, sizes.done, "text"),
    )
    padded = ((*pad(runs, size, "roster"), Run(" ", "roster")) for runs, size in zip(cells, sizes, strict=True) if size)
    return tuple(run for row in padded for run in row)


class DeclaredPainter(RosterPainter):
    """Paints lines of the roster with declarations; names and marks are as on the usual lines."""

    def __init__(self, basis: Basis, declarations: Declarations) -> None:
        super().__init__(basis)
        self.declared = declarations
        self.sizes = columns(declarations, self.cells - self.prefix_cells - self.longest_name - 1, self.glyphs)
        self.columned = self.sizes.words >= LEAST_COLUMN
        """Whether a declaration is shown in columns on one line."""
        self.name_cells = self.longest_name if self.columned else min(self.longest_name, SHORT_NAME)

    def size_columns(self, lines: Iterable[RosterLine]) -> None:
        """Do nothing: lines with declarations have no columns of pools."""

    def _first_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant]) -> Row:
        declarations = self.declared.get(combatant.id, ())
        return self.above(combatant, card, people, present(declarations), len(declarations) - 1)

    def _second_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant]) -> Row:
        return self.below(combatant, present(self.declared.get(combatant.id, ())))

    def above(
        self,
        combatant: Combatant,
        card: Card,
        people: Sequence[Combatant],
        declaration: Declaration | None,
        others: int = 0,
    ) -> Row:
        """The first of two lines: the name, the status, and when it is due."""
        name_row = self._name_row(combatant, card, people, min(self.longest_name, LONG_NAME))
        if declaration is None:
            return pad(name_row, self.cells, "roster")
        status = status_row(declaration, self.glyphs, others)
        if declaration.progress and row_width(name_row) + 1 + row_width(status) > self.cells:
            # The numbers say the same as the marks.
            count_text = f"{declaration.progress.done}/{declaration.progress.needed}"
            without_marks = status_row(replace(declaration, progress=None), self.glyphs)
            status = (*without_marks, Run(f" {count_text}", "roster.declared"))
        left_runs = (*name_row, Run(" ", "roster"), *status)
        due = clean(declaration.due)
        room = self.cells - row_width(left_runs) - 1
        return apart(left_runs, (Run(due, "roster.next"),) if 0 < width(due) <= room else (), self.cells, "roster")

    def below(self, combatant: Combatant, declaration: Declaration | None) -> Row:
        """The second of two lines: the text, the outcome, limbs and cost."""
        lead = self._indent(combatant)
        if declaration is None:
            return pad(lead, self.cells, "roster")
        room = self.cells - self.prefix_cells
        # A declaration that is over occupies no limbs.
        tail = () if declaration.done else self._tail_of(declaration, room)
        words = _told_against(declaration, room - row_width(tail), self.glyphs)
        return pad((*lead, *words, *tail), self.cells, "roster")

    def _tail_of(self, declaration: Declaration, room: int) -> Row:
        """Limbs if they leave room for the text, and cost if the text then still fits."""
        result_cells = width(clean(declaration.done)) + 3 if declaration.done else 0
        most = width(clean(declaration.words)) + result_cells
        least = min(most, max(LEAST_WORDS, room // 2))
        tail: Row = ()
        pieces = ((declaration.parts, "roster.declared", least), (declaration.cost, "roster.next", most))
        for text, style, reserved_cells in pieces:
            more = (*tail, Run("  ", "roster"), Run(clean(text), style)) if text else tail
            tail = more if row_width(more) <= room - reserved_cells else tail
        return tail

    def _single_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant]) -> Row:
        row = (*self._name_row(combatant, card, people, self.name_cells), Run(" ", "roster"))
        declaration = present(self.declared.get(combatant.id, ()))
        if declaration is None:
            return pad(row, self.cells, "roster")
        if self.columned:
            declaration_row = column_row(declaration, self.sizes, self.glyphs, len(self.declared[combatant.id]) - 1)
            return pad((*row, *declaration_row), self.cells, "roster")
        style = _STYLES.get(declaration.status, "roster.next")
        row = (*row, Run(f"{status_mark(declaration, self.glyphs)} ", style))
        room = self.cells - row_width(row)
        if declaration.done or not declaration.words:
            # Of a declaration that is over, show only the outcome.
            words = declaration.done or status_word(declaration)
            row = (*row, Run(fit(words, room, ellipsis=self.glyphs.ellipsis), "roster.next"))
        else:
            row = (*row, *words_row(declaration, room, self.glyphs))
        due = f" {clean(declaration.due)}" if declaration.due and not declaration.done else ""
        due = due if width(due) <= self.cells - row_width(row) else ""
        return apart(row, (Run(due, "roster.next"),), self.cells, "roster")


# The table of declarations


def table_lines(state: FightState, system: BaseSystem) -> tuple[Declaration | str, ...]:
    """The lines of the table: declarations in the system's order, then combatants without any in roster order."""
    declarations = tuple(each for each in system.declarations(state) if each.who in state.combatants)
    spoken = {declaration.who for declaration in declarations}
    order = [combatant_id for group in roster_groups(state, system) for combatant_id in group.members]
    silent = (each for each in order if each in state.combatants and each not in spoken)
    return (*declarations, *dict.fromkeys(silent))


def declared_rows(
    state: FightState,
    system: BaseSystem,
    *,
    selected: str = "",
    targets: Collection[str] = (),
    width: int,
    height: int,
    top: int = 0,
    shown: str = "",
    glyphs: Glyphs,
) -> Roster:
    """A window of the table with a heading, from line `top` as far as there are so many, or with `shown` in view.

    The labels of `targets`, which can be picked now, are bracketed. Where there are few cells, every declaration has
    two lines.
    """
    lines, declarations = table_lines(state, system), declared_by(state, system)
    cells, room = max(width - 1, 0), max(height - HEAD, 0)
    basis = Basis(state, system, cards_of(state, system), cells, glyphs, selected, frozenset(targets), compact=False)
    painter = TablePainter(basis, declarations)
    each = 1 if painter.columned else 2
    spans = _spans((_whose(line),) for line in lines for _ in range(each))
    top = window_top(top, room, len(lines) * each, spans.get(shown))
    rows: list[Row] = []
    for line in lines[top // each : -(-(top + room) // each)]:
        rows += painter.rows(_whose(line), line if isinstance(line, Declaration) else None)
    window = rows[top % each :][:room]
    window += [blank(cells, "roster")] * (room - len(window))
    bar = scroll_marks(top, room, len(lines) * each, glyphs) or (Run(" ", "roster"),) * room
    body = (join((row, (mark,))) for row, mark in zip(window, bar, strict=True))
    heading = pad(painter.heading(), width, "roster")
    drawing = Drawing((heading, *body)[:height], _spots(lines, each, top, room, width))
    return Roster(drawing, spans, len(lines) * each, top)


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
        nothing = (Run(self.glyphs.minus, "roster.next"),)
        cells = column_row(declaration, self.sizes, self.glyphs) if declaration else nothing
        return (pad((*name_row, *cells), self.cells, "roster"),)


def _spots(lines: tuple[Declaration | str, ...], each: int, top: int, room: int, width: int) -> tuple[Spot, ...]:
    starts = range(HEAD - top, HEAD - top + len(lines) * each, each)
    rows = (range(max(start, HEAD), min(start + each, room + HEAD)) for start in starts)
    return tuple(Spot(span, range(width), _whose(line)) for span, line in zip(rows, lines, strict=True) if span)
