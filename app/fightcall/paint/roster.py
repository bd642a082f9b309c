"""The roster: who fights, in the system's order and groups, with what each has left.

Two lines a combatant where there is room: the first is who and how whole, the second what they can spend and what
lies on them. One line where there is not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from fightcall.paint.bars import bar, health_style
from fightcall.paint.effects import clock_owner, effect_parts
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import (
    Drawing,
    Spot,
    apart,
    blank,
    flag_run,
    label_box,
    padded,
    scroll_marks,
    side_role,
    still_to_act,
    tone_of,
)
from fightcall.paint.pips import pip_row, pip_words, work_row
from fightcall.paint.runs import Row, Run, abbreviate, clean, fit, join, row_width, width
from fightcall_engine.system import Group

if TYPE_CHECKING:
    from fightcall_engine.state import Combatant, FightState, Pool
    from fightcall_engine.system import Card, System

BAR = 8
SHORT_BAR = 4
LONGEST_NAME = 24
SHORT_NAME = 9
"""Cells that a name of one's own gets on a crowded line, where there are as many."""
LEAST_NAME = 4
"""Cells that the name of an effect keeps at least, a space before it included."""
LEAST_NOTE = 12
"""Cells from which the beginning of a note says something."""
NARROW = 26
"""Below so many cells there is no room for a bar beside a name."""
ROOM_FOR_BAR_AND_CHIPS = 44
"""Cells from which everything on one line leaves room for a bar."""


class RosterLine(NamedTuple):
    """One line of the whole roster, whether it can be seen or not.

    Attributes:
        part: `heading`, `gap`, or the `first` or `second` line of a combatant.
        group: The place of its group in `System.groups`.
        who: The combatant's id; empty for headings and gaps.
    """

    part: Literal["heading", "gap", "first", "second"]
    group: int
    who: str = ""


@dataclass(frozen=True, slots=True)
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


def roster_groups(state: FightState, system: System) -> tuple[Group, ...]:
    """The system's groups, and whoever it leaves out in one more: everybody can be picked."""
    groups = system.groups(state)
    shown = {who for group in groups for who in group.members}
    rest = tuple(who for who in state.combatants if who not in shown)
    return (*groups, Group("Out of play", "", "", rest)) if rest else groups


def roster_lines(state: FightState, system: System, *, compact: bool) -> tuple[RosterLine, ...]:
    """All lines of the roster, top to bottom."""
    return _lines(roster_groups(state, system), state, compact)


def _lines(groups: tuple[Group, ...], state: FightState, compact: bool) -> tuple[RosterLine, ...]:
    lines: list[RosterLine] = []
    for index, group in enumerate(groups):
        if lines and not compact:
            lines.append(RosterLine("gap", index))
        lines.append(RosterLine("heading", index))
        for who in group.members:
            if who in state.combatants:
                lines.append(RosterLine("first", index, who))
                lines += [] if compact else [RosterLine("second", index, who)]
    return tuple(lines)


def roster_rows(
    state: FightState,
    system: System,
    *,
    selected: str = "",
    targets: Collection[str] = (),
    width: int,
    height: int,
    top: int = 0,
    glyphs: Glyphs,
    compact: bool = False,
    keys: Mapping[str, str] | None = None,
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
        compact: One line a combatant.
        keys: The key as shown of each action that a group's members may take.
    """
    groups = roster_groups(state, system)
    lines = _lines(groups, state, compact)
    top = max(0, min(top, len(lines) - height))
    shown = lines[top : top + height]
    marks = scroll_marks(top, height, len(lines), glyphs)
    cells = width - 1 if marks else width
    painter = _Painter(state, system, selected, frozenset(targets), cells, glyphs, compact, keys or {})
    if compact:
        painter.share(dict.fromkeys(line.who for line in shown if line.who))
    rows = [painter.line(line, groups) for line in shown]
    rows += [blank(cells, "roster")] * (height - len(rows))
    if marks:
        rows = [join((row, (mark,))) for row, mark in zip(rows, marks, strict=True)]
    spans: dict[str, range] = {}
    for at, line in enumerate(lines):
        if line.who:
            spans[line.who] = range(spans[line.who].start if line.who in spans else at, at + 1)
    spots = tuple(
        Spot(range(max(span.start - top, 0), span.stop - top), range(width), who)
        for who, span in spans.items()
        if span.stop > top and span.start < top + height
    )
    return Roster(Drawing(tuple(rows), spots), spans, len(lines), top)


class _Painter:
    """One drawing's width shared out, and what is the same on each of its lines."""

    def __init__(
        self,
        state: FightState,
        system: System,
        selected: str,
        targets: frozenset[str],
        cells: int,
        glyphs: Glyphs,
        compact: bool,
        keys: Mapping[str, str],
    ) -> None:
        self.state = state
        self.system = system
        self.selected = selected
        self.targets = targets
        self.cells = cells
        self.glyphs = glyphs
        self.compact = compact
        self.keys = keys
        self.waiting = still_to_act(state, system)
        self.pool_words = system.words(state.settings).pools
        people = list(state.combatants.values())
        self.box = max((width(clean(one.label)) for one in people), default=1)
        most = max((pool.max for one in people for pool in one.pools.values()), default=0)
        self.digits = len(str(most))
        self.cards: dict[str, Card] = {}
        self.name_cells = 0
        self.lead = 2 + self.box + 2 + 1
        """Cells before the name: selection, waiting mark, label in its box, a space."""
        # Room for the longest name with its marks, so that bars stand beside the names in a wide pane too.
        self.longest = min(max((width(clean(one.name or one.id)) + 3 for one in people), default=6), LONGEST_NAME)

    def line(self, line: RosterLine, groups: tuple[Group, ...]) -> Row:
        if line.part == "gap":
            return blank(self.cells, "roster")
        if line.part == "heading":
            return self.heading(groups[line.group])
        one = self.state.combatants[line.who]
        card = self.card(one.id)
        if self.compact:
            return self.single(one, card)
        return self.first(one, card) if line.part == "first" else self.second(one, card)

    def heading(self, group: Group) -> Row:
        style = f"roster.group.{side_role(self.system, group.side)}" if group.side else "roster.group"
        left: Row = (Run(f" {clean(group.title).upper()} ", style),)
        if group.flag is not None:
            left = (*left, flag_run(group.flag))
        key = self.keys.get(group.action, "") if group.action else ""
        right: Row = (Run(f" {clean(key)} ", "options.key"), Run(" ", "roster")) if key else ()
        right = (*right, Run(f"{clean(group.note)} ", "roster.group.note")) if group.note else right
        return apart(left, right, self.cells, "roster")

    # Who

    def before(self, one: Combatant, card: Card) -> Row:
        picked = self.glyphs.selected if one.id == self.selected else " "
        agenda = self.state.agenda
        wait = Run(" ", "roster")
        acted = one.id in agenda.acted or one.id in agenda.waived if card.acted is None else card.acted
        if one.id in self.waiting:
            wait = Run(self.glyphs.todo, "roster.mark")
        elif card.acted is False:
            wait = Run(self.glyphs.todo, "roster.next")
        elif acted:
            wait = Run(self.glyphs.done, "roster.next")
        role = side_role(self.system, one.side)
        ends = "[]" if one.id in self.targets else "  "
        label = fit(one.label, self.box, ellipsis="")
        box = label_box(label, role, self.glyphs, ends, acting=one.id in self.waiting)
        return (Run(picked, "roster.mark"), wait, box, Run(" ", "roster"))

    def name(self, one: Combatant, cells: int) -> Row:
        marks = (self.glyphs.hidden if one.hidden else "") + ("" if one.able else self.glyphs.down)
        room = cells - (len(marks) + 1 if marks else 0)
        name = abbreviate(one.name or one.id, room) if room > 0 else ""
        style = "roster.name"
        if one.id == self.selected:
            style = "roster.name.selected"
        elif not one.able:
            style = "roster.name.down"
        elif one.hidden:
            style = "roster.name.hidden"
        row = (Run(name, style), Run(f" {marks}" if marks else "", "roster.mark"))
        return padded(row, cells, "roster")

    # What is left

    def numbers(self, pool: Pool) -> Run:
        style = "pool.over" if pool.now > pool.max else "pool" if pool.now > 0 else "pool.spent"
        return Run(f"{pool.now:>{self.digits}}/{pool.max:<{self.digits}}", style)

    def gauge(self, pool: Pool, cells: int, first: bool) -> Row:
        style = health_style(pool.now, pool.max) if first else "bar.pool"
        return bar(pool.now, pool.max, cells, style, self.glyphs)

    def first(self, one: Combatant, card: Card) -> Row:
        numbers = 2 * self.digits + 2
        gauge = BAR if self.cells >= NARROW + BAR else 0
        pool = one.pools.get(card.pools[0]) if card.pools else None
        room = self.cells - self.lead - numbers - (gauge + 1 if gauge else 0) - 1
        room = max(min(room, self.longest), 0)
        parts = [self.before(one, card), self.name(one, room), (Run(" ", "roster"),)]
        if pool is not None:
            parts += [(*self.gauge(pool, gauge, True), Run(" ", "roster"))] if gauge else []
            parts.append((self.numbers(pool),))
        return padded(join(parts), self.cells, "roster")

    def second(self, one: Combatant, card: Card) -> Row:
        picked = self.glyphs.selected if one.id == self.selected else " "
        parts: list[Row] = [(Run(picked, "roster.mark"), Run(" " * (self.lead - 1), "roster"))]
        parts += self.pips(card)
        pools = [name for name in card.pools[1:] if name in one.pools]
        if pools and not card.pips and self.cells >= NARROW + BAR:
            pool = one.pools[pools.pop(0)]
            parts.append((*self.gauge(pool, BAR, False), Run(" ", "roster"), self.numbers(pool), Run(" ", "roster")))
        named = [(clean(self.pool_words.get(name, name)), one.pools[name]) for name in pools]
        more = [(Run(f"{word} ", "pool.spent"), self.plain(pool)) for word, pool in named]
        return self.tail(join(parts), one, card, more)

    def pips(self, card: Card) -> list[Row]:
        """Counted things, each row of marks with a space after it."""
        words = pip_words(card.pips, self.pool_words)
        rows = [pip_row(one, self.glyphs, word=word) for one, word in zip(card.pips, words, strict=True)]
        return [(*row, Run(" ", "roster")) for row in rows]

    def plain(self, pool: Pool) -> Run:
        number = self.numbers(pool)
        return Run(number.text.strip(), number.style)

    def single(self, one: Combatant, card: Card) -> Row:
        pools, pips, gauge = self.figures(one, card)
        parts: list[Row] = [self.before(one, card), self.name(one, self.name_cells), (Run(" ", "roster"),)]
        if gauge:
            parts.append((*self.gauge(pools[0], gauge, True), Run(" ", "roster")))
        for pool in pools:
            parts.append((self.numbers(pool), Run(" ", "roster")))
        return self.tail(join([*parts, *pips]), one, card)

    def figures(self, one: Combatant, card: Card) -> tuple[list[Pool], list[Row], int]:
        """The pools and pips that stand on a combatant's one line, and the cells of the bar before them."""
        pools = [one.pools[name] for name in card.pools if name in one.pools]
        gauge = SHORT_BAR if self.cells >= ROOM_FOR_BAR_AND_CHIPS and pools else 0
        pips = self.pips(card)
        return pools[:1] if pips else pools[:2], pips, gauge

    def share(self, people: Iterable[str]) -> None:
        """Give all names the cells that those with the most figures after them leave: the figures stand in columns."""
        most = 0
        for who in people:
            pools, pips, gauge = self.figures(self.state.combatants[who], self.card(who))
            size = (gauge + 1 if gauge else 0) + len(pools) * (2 * self.digits + 2) + sum(map(row_width, pips))
            most = max(most, size)
        rest = self.cells - self.lead - most
        self.name_cells = max(LEAST_NAME, min(self.longest, max(rest * 3 // 5, min(SHORT_NAME, rest - 3))))

    def card(self, who: str) -> Card:
        """How the system shows somebody; asked once."""
        if who not in self.cards:
            self.cards[who] = self.system.card(self.state, who)
        return self.cards[who]

    # What lies on them

    def tail(self, row: Row, one: Combatant, card: Card, more: Sequence[Row] = ()) -> Row:
        """The row with works, pools, badges, effects and a note after it; of what has no room the number is told."""
        room = self.cells - row_width(row)
        works = [work_row(work, self.glyphs) for work in card.progress]
        if works and self.compact and sum(map(row_width, works)) > room:
            works = [(Run(f"{work.done}/{work.needed}", "roster.declared"),) for work in card.progress]
        chips = self.fitted([*works, *self.chips(one, card, more)], room)
        for place, chip in enumerate(chips):
            left = len(chips) - place
            size = row_width(chip)
            # A space and the number of those that follow need their cells, too.
            if size > room - (3 if left > 1 else 0):
                row = (*row, Run(f"+{left}", "roster.next"))
                break
            row = (*row, *chip, Run(" ", "roster"))
            room -= size + 1
        return padded((*row, *self.note(card, self.cells - row_width(row))), self.cells, "roster")

    def note(self, card: Card, room: int) -> Row:
        """What to know of somebody besides: cut where it has to be, and left out where little of it would be seen."""
        text = clean(card.note)
        if width(text) > room:
            text = fit(text, room, ellipsis=self.glyphs.ellipsis) if room >= LEAST_NOTE else ""
        return (Run(text, "roster.declared"),) if text else ()

    def chips(self, one: Combatant, card: Card, more: Sequence[Row]) -> list[Row]:
        """What is said after names and bars; the first run of each is a name, which may be cut."""
        chips: list[Row] = [*more]
        if card.mark:
            chips.append((Run(f"{self.glyphs.struck}{clean(card.mark)}", "roster.next"),))
        for badge in card.badges:
            chips.append((Run(f" {clean(badge.text)} ", f"badge.{tone_of(badge)}"),))
        for effect in one.effects:
            name, left = effect_parts(effect, self.glyphs, clock_owner(effect, one, self.state))
            chips.append((Run(f" {name}", "badge.plain"), Run(f"{left} ", "badge.plain")))
        return chips

    def fitted(self, chips: list[Row], room: int) -> list[Row]:
        """Chips with their names cut, the longest first, so that all have room; as they are where none of that helps.

        Only names are cut: what is left of an effect and how far a work has come is always told.
        """
        over = sum(map(row_width, chips)) + len(chips) - 1 - room
        names = [width(chip[0].text) for chip in chips]
        while over > 0 and names and max(names) > LEAST_NAME:
            names[names.index(max(names))] -= 1
            over -= 1
        if over > 0:
            return chips
        return [
            (Run(fit(chip[0].text, name, ellipsis=self.glyphs.ellipsis), chip[0].style), *chip[1:])
            for chip, name in zip(chips, names, strict=True)
        ]
