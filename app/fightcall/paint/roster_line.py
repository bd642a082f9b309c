"""One line of the roster: who, how whole, what they can spend and what lies on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, TypeVar

from fightcall.paint.bars import bar, health_style, pool_bar
from fightcall.paint.effects import clock_owner, effect_parts
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import apart, blank, flag_run, label_box, pad, shorten, side_role, tone_of
from fightcall.paint.pips import pip_row, pip_words, work_row
from fightcall.paint.runs import Row, Run, clean, fit, join, name_forms, row_text, row_width, shorten_name, width
from fightcall.paint.short_forms import short_form
from fightcall.paint.squad_rows import labels, squad_name
from fightcall.paint.tracks import track_cells, track_row, track_short
from fightcall.waiting import still_to_act
from fightcall_engine.kit.views import Group

if TYPE_CHECKING:
    from fightcall.paint.cards import Cards
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Card
    from fightcall_engine.model.state import Combatant, FightState, Pool

T = TypeVar("T")

BAR_CELLS = 8
SHORT_BAR_CELLS = 4
LONGEST_NAME = 24
SHORT_NAME = 9
"""Cells that a name of one's own gets on a crowded line, where there are as many."""
LEAST_NAME = 4
LEAST_NOTE = 12
"""Cells from which the first words of a note say something."""
NARROW = 26
"""Below so many cells there is no room for a bar beside a name."""
LEAST_BESIDE_BOXES = 26
"""Cells beside label and boxes from which names and chips have room on one line."""
ROOM_FOR_BAR_AND_CHIPS = 44
"""Cells from which everything on one line leaves room for a bar."""
ROOM_FOR_BARS = 64
"""Cells from which it does for a bar of each of two pools."""


class RosterLine(NamedTuple):
    """One line of the whole roster, whether it can be seen or not.

    Attributes:
        part: `heading`, `gap`, or a line of a combatant: the `first` and the `second` of two, or the `only` one.
        group: The place of its group in `System.groups`.
        who: The combatant's id; empty for headings and gaps.
        others: Those who share the line because they are like it.
        depth: How many lines before it have no room for all that lies on them: this one goes on with it.
        goes_on: Nor has this one, and the next goes on.
    """

    part: Literal["heading", "gap", "first", "second", "only"]
    group: int
    who: str = ""
    others: tuple[str, ...] = ()
    depth: int = 0
    goes_on: bool = False

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody on the line."""
        return (self.who, *self.others) if self.who else ()


class RosterPainter:
    """One drawing's width shared out, and what is the same on each of its lines."""

    def __init__(
        self,
        state: FightState,
        system: BaseSystem,
        selected: str,
        targets: frozenset[str],
        cells: int,
        glyphs: Glyphs,
        compact: bool,
        keys: Mapping[str, str],
        cards: Cards,
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
        self.label_cells = max((width(clean(combatant.label)) for combatant in people), default=1)
        most = max((pool.max for combatant in people for pool in combatant.pools.values()), default=0)
        self.digits = len(str(most))
        self.cards = cards
        self.name_cells = 0
        self.lead = 2 + self.label_cells + 2 + 1
        """Cells before the name: selection, waiting mark, label in its box, a space."""
        # Room for the longest name with its marks, so that bars stand beside the names in a wide pane too.
        self.longest = min(
            max((width(clean(combatant.name or combatant.id)) + 3 for combatant in people), default=6), LONGEST_NAME
        )

    def line(self, line: RosterLine, groups: tuple[Group, ...]) -> Row:
        """One line, as wide as the drawing."""
        if line.part == "gap":
            return blank(self.cells, "roster")
        if line.part == "heading":
            return self._heading_row(groups[line.group])
        return self.people_line(line)

    def people_line(self, line: RosterLine) -> Row:
        """A line of combatants."""
        card = self.cards[line.who]
        people = [self.state.combatants[combatant_id] for combatant_id in line.people]
        # Of several the selected one stands for all: they are alike.
        combatant = next((each for each in people if each.id == self.selected), people[0])
        if line.part == "first":
            return self._first_row(combatant, card, people)
        if line.depth or line.goes_on:
            row, chips = self._row_and_chips(combatant, card, people, line.depth)
            return (
                pad(self._place(row, chips)[0], self.cells, "roster") if line.goes_on else self._tail(row, chips, card)
            )
        if line.part == "second":
            return self._second_row(combatant, card, people)
        return self._single_row(combatant, card, people)

    def is_cut(self, line: RosterLine) -> bool:
        """Whether some of what lies on somebody has no room on this line, and has more of it on one more."""
        if line.part != ("only" if self.compact else "second"):
            return False
        people = [self.state.combatants[combatant_id] for combatant_id in line.people]
        row, chips = self._row_and_chips(people[0], self.cards[line.who], people, line.depth)
        is_stuck = line.depth > 0 and len(self._place(row, chips)[1]) == len(chips)
        return not is_stuck and bool(self._place(row, self._fit_chips(chips, self.cells - row_width(row)))[1])

    @property
    def measures(self) -> tuple[object, ...]:
        """What all lines are drawn from."""
        sizes = self.cells, self.compact, self.label_cells, self.digits, self.longest, self.name_cells
        return sizes, self.system, self.glyphs, self.pool_words, self.state.status

    def facts(self, line: RosterLine) -> tuple[tuple[object, ...], tuple[object, ...]]:
        """What a line of combatants is drawn from beside that: of two that have the same, the rows are the same.

        First how it is marked, which comes back as it was, then what there is to say.
        """
        state, agenda = self.state, self.state.agenda
        people = tuple(map(state.combatants.__getitem__, line.people))
        marks = tuple(
            (who == self.selected, who in self.targets, who in self.waiting, who in agenda.acted, who in agenda.waived)
            for who in line.people
        )
        clocks = tuple(clock_owner(effect, bearer, state) for bearer in people for effect in bearer.effects)
        return (line, marks), (people, self.cards[line.who], clocks)

    def _heading_row(self, group: Group) -> Row:
        style = f"roster.group.{side_role(self.system, group.side)}" if group.side else "roster.group"
        left: Row = (Run(f" {clean(group.title).upper()} ", style),)
        if group.flag is not None:
            left = (*left, flag_run(group.flag))
        key = self.keys.get(group.action, "") if group.action else ""
        right: Row = (Run(f" {clean(key)} ", "options.key"), Run(" ", "roster")) if key else ()
        right = (*right, Run(f"{clean(group.note)} ", "roster.group.note")) if group.note else right
        room = self.cells - row_width(right)
        for column, word in self._columns(group):
            # What has no room over its column is named beside the title.
            at = column if column + width(word) < room else row_width(left) + 1
            if row_width(left) < at and at + width(word) < room:
                left = (*pad(left, at, "roster"), Run(word, "roster.next"))
        return apart(left, right, self.cells, "roster")

    def _columns(self, group: Group) -> list[tuple[int, str]]:
        """What stands in the columns of a group's lines, and where: health, and where it has a column another pool."""
        if not group.members:
            return []
        people = [self.state.combatants[member] for member in group.members]
        combatant = next((each for each in people if each.able), people[0])
        card = self.cards[combatant.id]
        words = [clean(self.pool_words.get(name, name)) for name in card.pools]
        if card.track is not None:
            words = [clean(card.track.name), *words[1:]]
        if not words:
            return []
        if not self.compact:
            return [(self.lead + self._first_cells(card)[0] + 1, words[0])]
        at = self.lead + self.name_cells + 1
        pools, _, gauge = self._figures(combatant, card)
        # A narrow row has no place for a name of each number: the first of them says what the column is.
        step = row_width(self._boxes(card)) + 1 if card.track is not None else self._pool_cells(gauge)
        return [(at, words[0]), (at + step, words[1])] if len(words) > 1 and len(pools) > 1 else [(at, words[0])]

    def _pool_cells(self, gauge: int) -> int:
        """Cells of a pool on a line of its own bar and number, the space after it included."""
        return (gauge + 1 if gauge else 0) + 2 * self.digits + 2

    # Who

    def _before(self, combatant: Combatant, card: Card, people: Sequence[Combatant], *, short: bool) -> Row:
        marker = self.glyphs.selected if combatant.id == self.selected else " "
        agenda = self.state.agenda
        wait = Run(" ", "roster")
        has_acted = combatant.id in agenda.acted or combatant.id in agenda.waived if card.acted is None else card.acted
        is_of_other = agenda.current is not None and agenda.current.actor not in ("", combatant.id)
        if self.state.status == "closed" or (card.acted is None and is_of_other):
            # What others do in somebody's own step, such as rolling as they come late, is no turn of theirs.
            has_acted = False
        if combatant.id in self.waiting:
            wait = Run(self.glyphs.todo, "roster.mark")
        elif card.acted is False and combatant.able:
            wait = Run(self.glyphs.todo, "roster.next")
        elif has_acted:
            wait = Run(self.glyphs.done, "roster.next")
        role = side_role(self.system, combatant.side)
        ends = "[]" if any(each.id in self.targets for each in people) else "  "
        label = labels(people, short=short) if len(people) > 1 else fit(combatant.label, self.label_cells, ellipsis="")
        box = label_box(label, role, self.glyphs, ends, acting=combatant.id in self.waiting)
        return (Run(marker, "roster.mark"), wait, box, Run(" ", "roster"))

    def _name_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant], cells: int) -> Row:
        """Marks, label and name, the name in so many cells but for what longer labels take of them."""
        before = self._before(combatant, card, people, short=False)
        room = cells + self.lead - row_width(before)
        if len(people) > 1 and width(squad_name(people)) + len(f" x{len(people)}") > room:
            before = self._before(combatant, card, people, short=True)
            room = cells + self.lead - row_width(before)
        return (*before, *self._name(combatant, max(room, 0), people))

    def _name(self, combatant: Combatant, cells: int, people: Sequence[Combatant]) -> Row:
        marks = self.glyphs.hidden if combatant.hidden else ""
        times = f" {self.glyphs.times}{len(people)}" if len(people) > 1 else ""
        full_name = squad_name(people) if times else combatant.name or combatant.id
        room = cells - (len(marks) + 1 if marks else 0)
        if width(clean(full_name)) + len(times) > room and self.compact:
            # The labels tell how many there are.
            times = ""
        room -= len(times)
        name = shorten_name(full_name, room) or fit(full_name, max(room, 0), ellipsis=self.glyphs.ellipsis)
        style = "roster.name"
        if combatant.id == self.selected:
            style = "roster.name.selected"
        elif not combatant.able:
            style = "roster.name.down"
        elif combatant.hidden:
            style = "roster.name.hidden"
        row = (Run(name, style), Run(times, "roster.mark"), Run(f" {marks}" if marks else "", "roster.mark"))
        return pad(row, cells, "roster")

    # What is left

    def _numbers(self, pool: Pool) -> Run:
        style = "pool.over" if pool.now > pool.max else "pool" if pool.now > 0 else "pool.spent"
        return Run(f"{pool.now:>{self.digits}}/{pool.max:<{self.digits}}", style)

    def _gauge(self, combatant: Combatant, pool: Pool, cells: int, first: bool) -> Row:
        """A bar; of who is out, in place of the bar of health, the word for it."""
        if not first:
            return pool_bar(pool.now, pool.max, cells, "bar.pool", self.glyphs)
        if not combatant.able:
            return (Run(fit(self._out_word(combatant), cells, "centre"), "badge.bad"),)
        return bar(pool.now, pool.max, cells, health_style(pool.now, pool.max), self.glyphs)

    def _out_word(self, combatant: Combatant) -> str:
        """How the card says that somebody is out."""
        return next((clean(badge.text) for badge in self.cards[combatant.id].badges if badge.tone == "bad"), "down")

    def _boxes(self, card: Card) -> Row:
        """Boxes of harm, all of them where that leaves room for a name and for what is said after it."""
        if card.track is None:
            return ()
        room = self.cells - self.lead - 2 - track_cells(card.track)
        if room < (LEAST_BESIDE_BOXES if self.compact else SHORT_NAME):
            return track_short(card.track, self.glyphs)
        return track_row(card.track, self.glyphs)

    def _first_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant]) -> Row:
        boxes = self._boxes(card)
        if boxes:
            name_row = self._name_row(combatant, card, people, self._first_cells(card)[0])
            return self._add_level(join((name_row, (Run(" ", "roster"),), boxes)), card)
        room, gauge = self._first_cells(card)
        pool = combatant.pools.get(card.pools[0]) if card.pools else None
        parts = [self._name_row(combatant, card, people, room), (Run(" ", "roster"),)]
        if pool is not None:
            parts += [(*self._gauge(combatant, pool, gauge, True), Run(" ", "roster"))] if gauge else []
            parts.append((self._numbers(pool),))
        else:
            parts.append((Run(self._unkept, "roster.next"),))
        return self._add_level(join(parts), card)

    def _first_cells(self, card: Card) -> tuple[int, int]:
        """The cells of the name and of the bar on a first line: the bar gives way to the longest name down to half."""
        if card.track is not None:
            room = self.cells - self.lead - row_width(self._boxes(card)) - 2
            return max(min(room, self.longest), 0), 0
        room = self.cells - self.lead - self._pool_cells(0) - 1
        gauge = 0
        if self.cells >= NARROW + BAR_CELLS:
            gauge = max(SHORT_BAR_CELLS, min(BAR_CELLS, room - self.longest - 1))
            room -= gauge + 1
        return max(min(room, self.longest), 0), gauge

    @property
    def _unkept(self) -> str:
        """What stands where nothing says how hurt somebody is: harm to them is told in the log alone."""
        return f"no {clean(self.pool_words.get(self.system.health, self.system.health))}"

    def _add_level(self, row: Row, card: Card) -> Row:
        """The line with the level of harm at its end, where there is room for the word."""
        level = clean(card.level)
        level_runs = (Run(f" {level}", "roster"),) if level and row_width(row) + width(level) < self.cells else ()
        return pad((*row, *level_runs), self.cells, "roster")

    def _lead(self, combatant: Combatant) -> Row:
        """What stands before all but the first of somebody's lines."""
        marker = self.glyphs.selected if combatant.id == self.selected else " "
        return (Run(marker, "roster.mark"), Run(" " * (self.lead - 1), "roster"))

    def _second_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant]) -> Row:
        """What stands under a name: pips, further pools, what lies on them."""
        row = self._tail(*self._row_and_chips(combatant, card, people), card)
        # Where nothing is to be said of several, it is not said of each, either.
        before = (*self._lead(combatant), *self._each(people))
        return row if row_text(row)[len(row_text(before)) :].strip() else pad(before[:2], self.cells, "roster")

    def _each(self, people: Sequence[Combatant]) -> Row:
        return (Run("each ", "roster.next"),) if len(people) > 1 else ()

    def _further_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant]) -> Row:
        """Pips and the bar of a single further pool, under a name."""
        parts: list[Row] = [self._lead(combatant), self._each(people), *self._pips(card)]
        if name := self._barred_pool(combatant, card):
            pool, word = combatant.pools[name], clean(self.pool_words.get(name, name))
            gauge = SHORT_BAR_CELLS if self._chips(combatant, card) else BAR_CELLS
            runs = (Run(f"{word} ", "roster.next"), *self._gauge(combatant, pool, gauge, False), Run(" ", "roster"))
            parts.append((*runs, self._plain(pool), Run(" ", "roster")))
        return join(parts)

    def _barred_pool(self, combatant: Combatant, card: Card) -> str:
        """The further pool that has a bar, as it is the only one and has room for it; empty for none."""
        pools = [name for name in card.pools[1:] if name in combatant.pools]
        return pools[0] if len(pools) == 1 and not card.pips and self.cells >= NARROW + BAR_CELLS else ""

    def _named_pools(self, combatant: Combatant, card: Card) -> list[Row]:
        """The further pools that have no bar, each with its name."""
        barred = self._barred_pool(combatant, card)
        pools = [name for name in card.pools[1:] if name in combatant.pools and name != barred]
        named_pools = [(clean(self.pool_words.get(name, name)), combatant.pools[name]) for name in pools]
        return [(Run(word, "pool.spent"), Run(" ", "roster"), self._plain(pool)) for word, pool in named_pools]

    def _pips(self, card: Card) -> list[Row]:
        """Counted things, each row of marks with a space after it."""
        words = pip_words(card.pips, self.pool_words)
        rows = [pip_row(pips, self.glyphs, word=word) for pips, word in zip(card.pips, words, strict=True)]
        return [(*row, Run(" ", "roster")) for row in rows]

    def _plain(self, pool: Pool) -> Run:
        number = self._numbers(pool)
        return Run(number.text.strip(), number.style)

    def _single_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant]) -> Row:
        """All of somebody on one line."""
        return self._tail(*self._row_and_chips(combatant, card, people), card)

    def _figures_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant]) -> Row:
        """Name and figures, all that stands on somebody's only line but for what lies on them."""
        pools, pips, gauge = self._figures(combatant, card)
        parts: list[Row] = [(Run(" ", "roster"),)]
        if card.track is not None:
            parts.append((*self._boxes(card), Run(" ", "roster")))
        for place, pool in enumerate(pools):
            is_health = place == 0 and card.track is None
            if pool is None:
                parts.append((Run(f"{self._unkept:<{self._pool_cells(gauge) - 1}}", "roster.next"), Run(" ", "roster")))
                continue
            if gauge and (is_health or self.cells >= ROOM_FOR_BARS):
                parts.append((*self._gauge(combatant, pool, gauge, is_health), Run(" ", "roster")))
            parts.append((self._numbers(pool), Run(" ", "roster")))
        room, least = self.cells - self.lead, self._least_name(people)
        # A whole word of a name comes before figures that stand in columns, and before the last of what can be spent.
        while len(pips) > 1 and row_width(join([*parts, *pips])) + least > room:
            pips = pips[:-1]
        figures = join([*parts, *pips])
        name_cells = max(self.name_cells, min(least, room - row_width(figures)))
        return join([self._name_row(combatant, card, people, name_cells), figures])

    def _figures(self, combatant: Combatant, card: Card) -> tuple[list[Pool | None], list[Row], int]:
        """The pools and pips that stand on a combatant's one line, and the cells of the bar before them.

        Where there are boxes of harm they take the place of the first pool, and of its bar. None is the health of whose
        sheet has none.
        """
        pips = self._pips(card)
        if card.track is not None:
            pools = [combatant.pools.get(name) for name in card.pools[1:] if name in combatant.pools]
            return [] if pips else pools[:1], pips, 0
        shown = [name for name in card.pools if name in combatant.pools or name == self.system.health]
        pools = [combatant.pools.get(name) for name in shown]
        if not combatant.able:
            # That somebody is out needs the room of what they could have spent.
            pools = pools[:1]
        roomy = self.cells >= ROOM_FOR_BARS
        gauge = (BAR_CELLS if roomy else SHORT_BAR_CELLS) if self.cells >= ROOM_FOR_BAR_AND_CHIPS and pools else 0
        return pools[:1] if pips else pools[:2], pips, gauge

    def share(self, lines: Iterable[RosterLine]) -> None:
        """Give all names the cells that those with the most figures after them leave: the figures stand in columns."""
        most = least = 0
        for line in lines:
            card = self.cards[line.who]
            pools, pips, gauge = self._figures(self.state.combatants[line.who], card)
            size = row_width(self._boxes(card)) + 1 if card.track is not None else 0
            bars = len(pools) if self.cells >= ROOM_FOR_BARS else 1
            size += (bars * (gauge + 1) if gauge else 0) + len(pools) * self._pool_cells(0) + sum(map(row_width, pips))
            most = max(most, size)
            least = max(least, self._least_name([self.state.combatants[each] for each in line.people]))
        rest = self.cells - self.lead - most
        # A whole word of a name comes before what is said after the figures.
        crowded_cells = max(min(SHORT_NAME, rest - 3), min(least, rest - 1))
        self.name_cells = max(LEAST_NAME, min(self.longest, max(rest * 3 // 5, crowded_cells)))

    def _least_name(self, people: Sequence[Combatant]) -> int:
        """Cells of the shortest whole form of a name, with those that the labels of several take of them."""
        name = squad_name(people) if len(people) > 1 else people[0].name or people[0].id
        more = max(width(labels(people, short=True)) - self.label_cells, 0) if len(people) > 1 else 0
        more += width(self.glyphs.hidden) + 1 if people[0].hidden else 0
        return more + min(map(width, name_forms(name)), default=0)

    # What lies on them

    def _row_and_chips(
        self, combatant: Combatant, card: Card, people: Sequence[Combatant], depth: int = 0
    ) -> tuple[Row, list[Row]]:
        """What a line begins with, and the works, pools, badges and effects to follow that no line above has room for.

        Of the lines that end with them the uppermost begins with figures.
        """
        row, chips = self._figures_and_chips(combatant, card, people)
        for _ in range(depth):
            chips = self._place(row, chips)[1]
            row = self._lead(combatant)
        return row, chips

    def _figures_and_chips(
        self, combatant: Combatant, card: Card, people: Sequence[Combatant]
    ) -> tuple[Row, list[Row]]:
        works = [work_row(work, self.glyphs) for work in card.progress]
        chips = self._chips(combatant, card)
        if not self.compact:
            row = self._further_row(combatant, card, people)
            return row, [*works, *self._named_pools(combatant, card), *chips]
        row = self._figures_row(combatant, card, people)
        if sum(map(row_width, works)) > self.cells - row_width(row):
            works = [(Run(f"{work.done}/{work.needed}", "roster.declared"),) for work in card.progress]
        return row, [*works, *chips]

    def _tail(self, row: Row, chips: list[Row], card: Card) -> Row:
        """The row with chips and a note after it; of chips that have no room the number is told."""
        row, untold_chips = self._place(row, self._fit_chips(chips, self.cells - row_width(row)))
        untold, room = len(untold_chips), self.cells - row_width(row)
        count = f"+{untold} " if untold else ""
        # A bare number would read as part of the figures before it; a note goes before the word.
        untold_text = f"+{untold} more " if untold else ""
        count = untold_text if row_width(self._note(card, self.cells)) <= room - width(untold_text) else count
        row = (*row, Run(count if width(count) <= room else count.rstrip(), "roster.next"))
        return pad((*row, *self._note(card, self.cells - row_width(row))), self.cells, "roster")

    def _place(self, row: Row, chips: Sequence[Row]) -> tuple[Row, list[Row]]:
        """The row with those chips after it that have room, and the others."""
        room = self.cells - row_width(row)
        untold: list[Row] = []
        for left, chip in zip(range(len(chips), 0, -1), chips, strict=True):
            size = row_width(chip)
            # A space and the number of those without room need their cells, too.
            if size > room - (3 if left > 1 or untold else 0):
                untold.append(chip)
                continue
            row = (*row, *chip, Run(" ", "roster"))
            room -= size + 1
        return row, untold

    def _note(self, card: Card, room: int) -> Row:
        """Mark and note, which may be done without: the mark whole, of the note the first words that have room."""
        mark = f"{self.glyphs.struck}{clean(card.mark)} " if card.mark else ""
        mark = mark if width(mark) <= room else ""
        room -= width(mark)
        text = clean(card.note)
        if width(text) > room:
            text = shorten(text, room, self.glyphs) if room >= LEAST_NOTE else ""
            text = text if width(text) <= room else ""
        return (Run(mark, "roster.next"), Run(text, "roster.declared"))

    def _chips(self, combatant: Combatant, card: Card) -> list[Row]:
        """Badges and effects; the first run of each is a name, which may be cut."""
        chips: list[Row] = []
        badges = (*filter(None, card.lasting), *card.badges)
        if not combatant.able:
            # That somebody is out is said first, and once.
            badges = tuple(sorted(badges, key=lambda badge: badge.tone != "bad"))
            if card.track is None and self.system.health in combatant.pools and self._has_gauge():
                badges = tuple(badge for badge in badges if clean(badge.text) != self._out_word(combatant))
        for badge in badges:
            chips.append((Run(f" {clean(badge.text)} ", f"badge.{tone_of(badge)}"),))
        for effect, own in zip_longest(combatant.effects, card.lasting):
            if own is not None or effect is None:
                continue
            name, left = effect_parts(effect, self.glyphs, clock_owner(effect, combatant, self.state))
            chips.append((Run(f" {name}", "badge.plain"), Run(f"{left} ", "badge.plain")))
        return chips

    def _has_gauge(self) -> bool:
        """Whether the lines have a bar of health."""
        return self.cells >= (ROOM_FOR_BAR_AND_CHIPS if self.compact else NARROW + BAR_CELLS)

    def _fit_chips(self, chips: list[Row], room: int) -> list[Row]:
        """Chips by the short forms of their words, the last first, as far as all of them then have room.

        What is left of an effect and how far a work has come is always told.
        """
        short_chips = list(chips)
        for place in reversed(range(len(short_chips))):
            over = sum(map(row_width, short_chips)) + len(short_chips) - 1 - room
            if over <= 0:
                break
            first, *rest = short_chips[place]
            name = first.text.strip()
            short = short_form(name)
            if rest and short == name:
                # Of a longer name the first words say enough, beside what is left of it.
                short = shorten_name(name, width(name) - over) or name.split(" ")[0]
            elif len(chips) == 1 and short == name:
                # What stands alone on a line has no other to make room for.
                short = shorten(name, room - 2, self.glyphs)
            short_chips[place] = (Run(first.text.replace(name, short, 1) if name else first.text, first.style), *rest)
        return short_chips


class LineCache:
    """What was drawn of combatants last, drawn again only where what it is drawn from is another."""

    def __init__(self) -> None:
        self._rows = _Memo(RosterPainter.people_line)
        self._cuts = _Memo(RosterPainter.is_cut)

    def line(self, painter: RosterPainter, line: RosterLine, groups: tuple[Group, ...]) -> Row:
        """A line as the painter would draw it."""
        return self._rows.get(painter, line) if line.who else painter.line(line, groups)

    def is_cut(self, painter: RosterPainter, line: RosterLine) -> bool:
        """Whether a line of a combatant is cut, as the painter would find."""
        return self._cuts.get(painter, line)


class _Memo(Generic[T]):
    """A function of a painter's lines that is called again only for a line that is drawn from something else."""

    def __init__(self, find: Callable[[RosterPainter, RosterLine], T]) -> None:
        self._find = find
        self._measures: tuple[object, ...] = ()
        self._values: dict[tuple[object, ...], tuple[tuple[object, ...], T]] = {}

    def get(self, painter: RosterPainter, line: RosterLine) -> T:
        """The value of the function."""
        measures = painter.measures
        if measures != self._measures:
            self._measures, self._values = measures, {}
        line_key, facts = painter.facts(line)
        facts_before, value = self._values.get(line_key, (None, None))
        if value is None or facts_before != facts:
            value = self._find(painter, line)
            self._values[line_key] = facts, value
        return value
