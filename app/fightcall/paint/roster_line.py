"""Drawing a line of the roster: name, health, other pools, badges and effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import Literal, NamedTuple

from fightcall.paint.combatants import (
    SHORT_FORMS,
    Cards,
    bar,
    clock_owner,
    effect_parts,
    health_style,
    labels,
    pip_row,
    pip_words,
    pool_bar,
    squad_name,
    still_to_act,
    track_cells,
    track_row,
    track_short,
    work_row,
)
from fightcall.paint.runs import (
    Glyphs,
    Row,
    Run,
    apart,
    blank,
    clean,
    fit,
    flag_run,
    join,
    label_box,
    name_forms,
    pad,
    row_text,
    row_width,
    shorten,
    shorten_name,
    side_role,
    tone_of,
    width,
)
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Card, Group
from fightcall_engine.model.fold import known_by, players_name
from fightcall_engine.model.state import Combatant, FightState, Pool
from fightcall_engine.model.values import replace

BAR_CELLS = 8
SHORT_BAR_CELLS = 4
LONGEST_NAME = 24
SHORT_NAME = 9
"""The cells of a name on a crowded line, if available."""
LEAST_NAME = 4
LEAST_NOTE = 12
"""The fewest cells in which the first words of a note are shown."""
NARROW = 26
"""Lines with fewer cells have no bar beside the name."""
LEAST_AFTER_BOXES = 26
"""The fewest cells beside label and boxes with which name and chips fit on one line."""
ROOM_FOR_BAR_AND_CHIPS = 44
"""The fewest cells of a single line with a health bar."""
ROOM_FOR_BARS = 64
"""The fewest cells of a single line with bars of two pools."""


class RosterLine(NamedTuple):
    """A line of the whole roster, visible or not: a heading, a gap, or `who` with `others` who are identical.

    Attributes:
        part: For a combatant the `first` or the `second` of two lines, or the `only` one.
        group: The index in `System.groups`.
        depth: How many lines before it hold the first badges and effects, if those need several lines.
        continues: The remaining badges and effects follow on the next line.
    """

    part: Literal["heading", "gap", "first", "second", "only"]
    group: int
    who: str = ""
    others: tuple[str, ...] = ()
    depth: int = 0
    continues: bool = False

    @property
    def people(self) -> tuple[str, ...]:
        return (self.who, *self.others) if self.who else ()


class Basis(NamedTuple):
    """What a painter draws from; `keys` are those of the groups' actions."""

    state: FightState
    system: BaseSystem
    cards: Cards
    cells: int
    glyphs: Glyphs
    selected: str = ""
    targets: frozenset[str] = frozenset()
    compact: bool = True
    keys: Mapping[str, str] = MappingProxyType({})


class RosterPainter:
    """Draws lines of the roster for a given width; column widths are the same on all lines."""

    def __init__(self, basis: Basis) -> None:
        state, system, cards, self.cells, self.glyphs, self.selected, self.targets, self.compact, self.keys = basis
        self.state, self.system, self.cards = state, system, cards
        self.waiting = still_to_act(state, system)
        self.pool_words = system.words(state.settings).pools
        people = list(state.combatants.values())
        self.label_cells = max((width(clean(combatant.label)) for combatant in people), default=1)
        most = max((pool.max for combatant in people for pool in combatant.pools.values()), default=0)
        self.digits = len(str(most))
        # Those who have the same pools are taken to show the same ones.
        alike = {tuple(each.pools): each.id for each in people}
        seconds = (cards[alike[tuple(each.pools)]].pools[1:2] for each in people)
        common = Counter(name for names in seconds for name in names).most_common(1)
        self.column_pool = next((name for name, _ in common), "")
        """The pool in the second column of single lines. Whoever has another one there has it by its name."""
        self.name_cells = 0
        self.prefix_cells = 2 + self.label_cells + 2 + 1
        """The cells before the name: selection, waiting mark, label in its box, a space."""
        # Limited to the longest name with its marks, so that bars are beside the names in a wide pane, too.
        self.longest_name = min(
            max((width(clean(combatant.name or combatant.id)) + 3 for combatant in people), default=6), LONGEST_NAME
        )

    def line(self, line: RosterLine, groups: tuple[Group, ...]) -> Row:
        if line.part == "gap":
            return blank(self.cells, "roster")
        if line.part == "heading":
            return self._heading_row(groups[line.group], self._shared_pools(groups, line.group))
        card = self.cards[line.who]
        people = [self.state.combatants[combatant_id] for combatant_id in line.people]
        # Several are identical; prefer the selected one for its marks.
        combatant = next((each for each in people if each.id == self.selected), people[0])
        if line.part == "first":
            return self._first_row(combatant, card, people)
        if line.depth or line.continues:
            row, chips = self._row_and_chips(combatant, card, people, line.depth)
            if line.continues:
                return pad(self._append_chips(row, chips)[0], self.cells, "roster")
            return self._with_chips_and_note(row, chips, card)
        if line.part == "second":
            return self._second_row(combatant, card, people)
        return self._single_row(combatant, card, people)

    def is_cut(self, line: RosterLine) -> bool:
        """Whether badges, effects or the mark do not fit on this line, and another line would show more of them."""
        if line.part != ("only" if self.compact else "second"):
            return False
        people = [self.state.combatants[combatant_id] for combatant_id in line.people]
        card = self.cards[line.who]
        row, chips = self._row_and_chips(people[0], card, people, line.depth)
        is_stuck = line.depth > 0 and len(self._append_chips(row, chips)[1]) == len(chips)
        full_row, omitted_chips = self._append_chips(row, self._fit_chips(chips, self.cells - row_width(row)))
        mark = self._note(card, self.cells - row_width(full_row))[0]
        return not is_stuck and (bool(omitted_chips) or bool(card.mark and not mark.text))

    def _shared_pools(self, groups: tuple[Group, ...], index: int) -> list[tuple[str, str]]:
        """The names and numbers of the pools of a group's side, if it is its first group.

        In the first of all groups those of sides without a group, too.
        """
        words, sides = self.system.words(self.state.settings), [group.side for group in groups]
        shown = [side for side in self.state.side_pools if index == (sides.index(side) if side in sides else 0)]
        return [
            (words.pool(name) if side == sides[index] else words.side_pool(side, name), f"{pool.now}/{pool.max}")
            for side in shown
            for name, pool in self.state.side_pools[side].items()
        ]

    def _heading_row(self, group: Group, shared: list[tuple[str, str]]) -> Row:
        style = f"roster.group.{side_role(self.system, group.side)}" if group.side else "roster.group"
        left: Row = (Run(f" {clean(group.title).upper()} ", style),)
        if group.flag is not None:
            left = (*left, flag_run(group.flag))
        key = self.keys.get(group.action, "") if group.action else ""
        right: Row = (Run(f" {clean(key)} ", "options.key"), Run(" ", "roster")) if key else ()
        right = (*right, Run(f"{clean(group.note)} ", "roster.group.note")) if group.note else right
        # Where names have no room, their first letters stand for them.
        forms = ("".join(f"{clean(name)[:most]} {points}  " for name, points in shared) for most in (None, 1))
        room = self.cells - row_width(left) - row_width(right) - 1
        text = next((form for form in forms if width(form) <= room), "") if shared else ""
        right = (Run(text, "pool"), *right) if text else right
        room = self.cells - row_width(right)
        for column, word in self._columns(group):
            # A column's name without room above the column goes beside the title.
            at = column if column + width(word) < room else row_width(left) + 1
            if row_width(left) < at and at + width(word) < room:
                left = (*pad(left, at, "roster"), Run(word, "roster.next"))
        return apart(left, right, self.cells, "roster")

    def _columns(self, group: Group) -> list[tuple[int, str]]:
        """The columns of a group's lines, as first cell and name: health, and another pool if it has one."""
        if not group.members:
            return []
        people = [self.state.combatants[member] for member in group.members]
        able = [each for each in people if each.able] or people[:1]
        # Who has the pool of the second column names it.
        having = (each for each in able if self.column_pool in self.cards[each.id].pools[1:2])
        combatant = next(having, able[0]) if self.column_pool else able[0]
        card = self.cards[combatant.id]
        words = [clean(self.pool_words.get(name, name)) for name in card.pools]
        if card.track is not None:
            words = [clean(card.track.name), *words[1:]]
        if not words:
            return []
        if not self.compact:
            return [(self.prefix_cells + self._first_row_cells(card)[0] + 1, words[0])]
        at = self.prefix_cells + self.name_cells + 1
        pools, _, bar_cells = self._pools_and_pips(combatant, card)
        # A narrow row has no room for names of all numbers, so the first names the column.
        step = row_width(self._boxes(card)) + 1 if card.track is not None else self._pool_cells(bar_cells)
        return [(at, words[0]), (at + step, words[1])] if len(words) > 1 and len(pools) > 1 else [(at, words[0])]

    def _pool_cells(self, bar_cells: int) -> int:
        """The cells of a pool's bar and number, including the space after it."""
        return (bar_cells + 1 if bar_cells else 0) + 2 * self.digits + 2

    # Names

    def _name_prefix(self, combatant: Combatant, card: Card, people: Sequence[Combatant], *, short: bool) -> Row:
        marker = self.glyphs.selected if combatant.id == self.selected else " "
        agenda = self.state.agenda
        wait = Run(" ", "roster")
        has_acted = combatant.id in agenda.acted or combatant.id in agenda.waived if card.acted is None else card.acted
        is_of_other = agenda.current is not None and agenda.current.actor not in ("", combatant.id)
        if self.state.status == "closed" or (card.acted is None and is_of_other):
            # What others do in a combatant's own step, such as a late initiative roll, is not their turn.
            has_acted = False
        if combatant.id in self.waiting:
            wait = Run(self.glyphs.todo, "roster.mark")
        elif card.acted is False and combatant.able:
            wait = Run(self.glyphs.todo, "roster.next")
        elif has_acted:
            wait = Run(self.glyphs.done, "roster.next")
        role = side_role(self.system, combatant.side)
        ends = "[]" if any(each.id in self.targets for each in people) else "  "
        is_several, ellipsis = len(people) > 1, self.glyphs.ellipsis
        own = fit(combatant.label, self.label_cells, ellipsis="")
        label = labels(people, short=short, ellipsis=ellipsis) if is_several else own
        box = label_box(label, role, self.glyphs, ends, acting=combatant.id in self.waiting)
        return (Run(marker, "roster.mark"), wait, box, Run(" ", "roster"))

    def _name_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant], cells: int) -> Row:
        before = self._name_prefix(combatant, card, people, short=False)
        room = cells + self.prefix_cells - row_width(before)
        if len(people) > 1 and width(squad_name(people)) + len(f" x{len(people)}") > room:
            before = self._name_prefix(combatant, card, people, short=True)
            room = cells + self.prefix_cells - row_width(before)
        return (*before, *self._name(combatant, max(room, 0), people))

    def _name(self, combatant: Combatant, cells: int, people: Sequence[Combatant]) -> Row:
        marks = self.glyphs.hidden if combatant.hidden else ""
        times = f" {self.glyphs.times}{len(people)}" if len(people) > 1 else ""
        full_name = squad_name(people) if times else combatant.name or combatant.id
        room = cells - (len(marks) + 1 if marks else 0)
        if width(clean(full_name)) + len(times) > room and self.compact:
            # The labels show the number.
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

    # Health and pools

    def _numbers(self, pool: Pool) -> Run:
        style = "pool.over" if pool.now > pool.max else "pool" if pool.now > 0 else "pool.spent"
        return Run(f"{pool.now:>{self.digits}}/{pool.max:<{self.digits}}", style)

    def _bar(self, combatant: Combatant, pool: Pool, cells: int, first: bool) -> Row:
        """The bar of a pool; in place of the health bar of a combatant who is out, the word for that."""
        if not first:
            return pool_bar(pool.now, pool.max, cells, "bar.pool", self.glyphs)
        if not combatant.able:
            return (Run(fit(self._out_word(combatant), cells, "centre"), "badge.bad"),)
        return bar(pool.now, pool.max, cells, health_style(pool.now, pool.max), self.glyphs)

    def _out_word(self, combatant: Combatant) -> str:
        return next((clean(badge.text) for badge in self.cards[combatant.id].badges if badge.tone == "bad"), "down")

    def _boxes(self, card: Card) -> Row:
        """The track of harm: all boxes if they leave enough room for the rest, else the short form."""
        if card.track is None:
            return ()
        room = self.cells - self.prefix_cells - 2 - track_cells(card.track)
        if room < (LEAST_AFTER_BOXES if self.compact else SHORT_NAME):
            return track_short(card.track, self.glyphs)
        return track_row(card.track, self.glyphs)

    def _first_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant]) -> Row:
        boxes = self._boxes(card)
        room, bar_cells = self._first_row_cells(card)
        pool = combatant.pools.get(card.pools[0]) if card.pools else None
        parts = [self._name_row(combatant, card, people, room), (Run(" ", "roster"),)]
        if boxes:
            parts.append(boxes)
        elif pool is not None:
            parts += [(*self._bar(combatant, pool, bar_cells, True), Run(" ", "roster"))] if bar_cells else []
            parts.append((self._numbers(pool),))
        else:
            parts.append((Run(self._no_health_text, "roster.next"),))
        level = clean(card.level)
        if level and sum(map(row_width, parts)) + width(level) < self.cells:
            parts.append((Run(f" {level}", "roster"),))
        return pad(join(parts), self.cells, "roster")

    def _first_row_cells(self, card: Card) -> tuple[int, int]:
        """The cells of name and bar on a first line; the bar shrinks for the longest name, at most by half."""
        if card.track is not None:
            room = self.cells - self.prefix_cells - row_width(self._boxes(card)) - 2
            return max(min(room, self.longest_name), 0), 0
        room = self.cells - self.prefix_cells - self._pool_cells(0) - 1
        bar_cells = 0
        if self.cells >= NARROW + BAR_CELLS:
            bar_cells = max(SHORT_BAR_CELLS, min(BAR_CELLS, room - self.longest_name - 1))
            room -= bar_cells + 1
        return max(min(room, self.longest_name), 0), bar_cells

    @property
    def _no_health_text(self) -> str:
        """The text in place of health for combatants without it, whose harm is only in the log."""
        return f"no {clean(self.pool_words.get(self.system.health, self.system.health))}"

    def _indent(self, combatant: Combatant) -> Row:
        marker = self.glyphs.selected if combatant.id == self.selected else " "
        return (Run(marker, "roster.mark"), Run(" " * (self.prefix_cells - 1), "roster"))

    def _second_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant]) -> Row:
        row = self._with_chips_and_note(*self._row_and_chips(combatant, card, people), card)
        # Omit the word `each` if nothing follows it.
        before = (*self._indent(combatant), *self._each_prefix(people))
        return row if row_text(row)[len(row_text(before)) :].strip() else pad(before[:2], self.cells, "roster")

    def _each_prefix(self, people: Sequence[Combatant]) -> Row:
        return (Run("each ", "roster.next"),) if len(people) > 1 else ()

    def _barred_pool(self, combatant: Combatant, card: Card) -> str:
        """The further pool with a bar: the only one, if there is room; empty for none."""
        pools = [name for name in card.pools[1:] if name in combatant.pools]
        return pools[0] if len(pools) == 1 and not card.pips and self.cells >= NARROW + BAR_CELLS else ""

    def _named_pool(self, combatant: Combatant, name: str) -> Row:
        word = clean(self.pool_words.get(name, name))
        return (Run(word, "pool.spent"), Run(" ", "roster"), self._short_numbers(combatant.pools[name]))

    def _pips(self, card: Card) -> list[Row]:
        words = pip_words(card.pips, self.pool_words)
        rows = [pip_row(pips, self.glyphs, word=word) for pips, word in zip(card.pips, words, strict=True)]
        return [(*row, Run(" ", "roster")) for row in rows]

    def _short_numbers(self, pool: Pool) -> Run:
        number = self._numbers(pool)
        return Run(number.text.strip(), number.style)

    def _single_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant]) -> Row:
        return self._with_chips_and_note(*self._row_and_chips(combatant, card, people), card)

    def _figures_row(self, combatant: Combatant, card: Card, people: Sequence[Combatant]) -> Row:
        pools, pips, bar_cells = self._pools_and_pips(combatant, card)
        parts: list[Row] = [(Run(" ", "roster"),)]
        if card.track is not None:
            parts.append((*self._boxes(card), Run(" ", "roster")))
        for place, pool in enumerate(pools):
            is_health = place == 0 and card.track is None
            if pool is None:
                text = f"{self._no_health_text:<{self._pool_cells(bar_cells) - 1}}"
                parts.append((Run(text, "roster.next"), Run(" ", "roster")))
                continue
            if bar_cells and (is_health or self.cells >= ROOM_FOR_BARS):
                parts.append((*self._bar(combatant, pool, bar_cells, is_health), Run(" ", "roster")))
            parts.append((self._numbers(pool), Run(" ", "roster")))
        room, least = self.cells - self.prefix_cells, self._min_name_cells(people)
        # A whole word of the name has priority over aligned columns and over the last pips.
        while len(pips) > 1 and row_width(join([*parts, *pips])) + least > room:
            pips = pips[:-1]
        figures = join([*parts, *pips])
        name_cells = max(self.name_cells, min(least, room - row_width(figures)))
        return join([self._name_row(combatant, card, people, name_cells), figures])

    def _pools_and_pips(self, combatant: Combatant, card: Card) -> tuple[list[Pool | None], list[Row], int]:
        """The pools and pips on a combatant's single line, and the cells of a bar before each pool.

        A track of harm replaces the first pool and its bar. A pool is None for health that the sheet does not have.
        """
        pips = self._pips(card)
        second = [name for name in card.pools[1:2] if name == self.column_pool and name in combatant.pools]
        if card.track is not None:
            return [] if pips else [combatant.pools[name] for name in second], pips, 0
        first = [name for name in card.pools[:1] if name in combatant.pools or name == self.system.health]
        pools = [combatant.pools.get(name) for name in (*first, *second)]
        if not combatant.able:
            # The word for being out needs the room of the other pools.
            pools = pools[:1]
        roomy = self.cells >= ROOM_FOR_BARS
        bar_cells = (BAR_CELLS if roomy else SHORT_BAR_CELLS) if self.cells >= ROOM_FOR_BAR_AND_CHIPS and pools else 0
        return pools[:1] if pips else pools[:2], pips, bar_cells

    def size_columns(self, lines: Iterable[RosterLine]) -> None:
        """Set the cells of names so that pools and pips after them are aligned in columns."""
        most = least = 0
        for line in lines:
            card = self.cards[line.who]
            pools, pips, bar_cells = self._pools_and_pips(self.state.combatants[line.who], card)
            size = row_width(self._boxes(card)) + 1 if card.track is not None else 0
            bars = len(pools) if self.cells >= ROOM_FOR_BARS else 1
            size += bars * (bar_cells + 1) if bar_cells else 0
            most = max(most, size + len(pools) * self._pool_cells(0) + sum(map(row_width, pips)))
            least = max(least, self._min_name_cells([self.state.combatants[each] for each in line.people]))
        rest = self.cells - self.prefix_cells - most
        # A whole word of the name has priority over badges and effects.
        crowded_cells = max(min(SHORT_NAME, rest - 3), min(least, rest - 1))
        self.name_cells = max(LEAST_NAME, min(self.longest_name, max(rest * 3 // 5, crowded_cells)))

    def _min_name_cells(self, people: Sequence[Combatant]) -> int:
        """The cells of the shortest form of a name in whole words, plus those that several labels need."""
        name = squad_name(people) if len(people) > 1 else people[0].name or people[0].id
        more = max(width(labels(people, short=True)) - self.label_cells, 0) if len(people) > 1 else 0
        more += width(self.glyphs.hidden) + 1 if people[0].hidden else 0
        return more + min(map(width, name_forms(name)), default=0)

    # Badges and effects

    def _row_and_chips(
        self, combatant: Combatant, card: Card, people: Sequence[Combatant], depth: int = 0
    ) -> tuple[Row, list[Row]]:
        """The beginning of a line, and the chips (works, pools, badges, effects) that do not fit on the lines above.

        Only the first of several such lines begins with pools and pips.
        """
        row, chips = self._figures_and_chips(combatant, card, people)
        for _ in range(depth):
            chips = self._append_chips(row, chips)[1]
            row = self._indent(combatant)
        return row, chips

    def _figures_and_chips(
        self, combatant: Combatant, card: Card, people: Sequence[Combatant]
    ) -> tuple[Row, list[Row]]:
        works = [work_row(work, self.glyphs) for work in card.progress]
        chips = [*self._chips(combatant, card), *self._players_names(people)]
        if not self.compact:
            parts: list[Row] = [self._indent(combatant), self._each_prefix(people), *self._pips(card)]
            if name := self._barred_pool(combatant, card):
                pool, word = combatant.pools[name], clean(self.pool_words.get(name, name))
                bar_cells = SHORT_BAR_CELLS if self._chips(combatant, card) else BAR_CELLS
                runs = (Run(f"{word} ", "roster.next"), *self._bar(combatant, pool, bar_cells, False))
                parts.append((*runs, Run(" ", "roster"), self._short_numbers(pool), Run(" ", "roster")))
            row = join(parts)
            barred = self._barred_pool(combatant, card)
            names = [name for name in card.pools[1:] if name in combatant.pools and name != barred]
            return row, [*works, *(self._named_pool(combatant, name) for name in names), *chips]
        row = self._figures_row(combatant, card, people)
        if sum(map(row_width, works)) > self.cells - row_width(row):
            works = [(Run(f"{work.done}/{work.needed}", "roster.declared"),) for work in card.progress]
        others = [name for name in card.pools[1:2] if name != self.column_pool and name in combatant.pools]
        beside = [self._named_pool(combatant, name) for name in others if combatant.able and not card.pips]
        return row, [*works, *beside, *chips]

    def _players_names(self, people: Sequence[Combatant]) -> list[Row]:
        """What players call those on a line, if it is not what the GM calls them: a name, or several labels."""
        names = [players_name(self.state, combatant) for combatant in people]
        if not any(names):
            return []
        known = [replace(combatant, label=known_by(self.state, combatant).label) for combatant in people]
        text = names[0] if len(people) == 1 else labels(known)
        return [(Run("players:", "roster.next"), Run(f" {clean(text)}", "roster.next"))]

    def _with_chips_and_note(self, row: Row, chips: list[Row], card: Card) -> Row:
        row, omitted_chips = self._append_chips(row, self._fit_chips(chips, self.cells - row_width(row)))
        omitted, room = len(omitted_chips), self.cells - row_width(row)
        count = f"+{omitted} " if omitted else ""
        # A number alone could be taken for a pool's, so add a word, unless the note needs its room.
        omitted_text = f"+{omitted} more " if omitted else ""
        count = omitted_text if row_width(self._note(card, self.cells)) <= room - width(omitted_text) else count
        row = (*row, Run(count if width(count) <= room else count.rstrip(), "roster.next"))
        return pad((*row, *self._note(card, self.cells - row_width(row))), self.cells, "roster")

    def _append_chips(self, row: Row, chips: Sequence[Row]) -> tuple[Row, list[Row]]:
        room = self.cells - row_width(row)
        omitted: list[Row] = []
        for remaining, chip in zip(range(len(chips), 0, -1), chips, strict=True):
            size = row_width(chip)
            # Leave room for a space and the number of omitted chips.
            if size > room - (3 if remaining > 1 or omitted else 0):
                omitted.append(chip)
                continue
            row = (*row, *chip, Run(" ", "roster"))
            room -= size + 1
        return row, omitted

    def _note(self, card: Card, room: int) -> Row:
        """Mark and note as far as they fit: the mark as a whole or not at all, the note by its first words."""
        mark = f"{self.glyphs.struck}{clean(card.mark)}" if card.mark else ""
        mark = f"{mark} " if mark and width(mark) < room else mark if width(mark) <= room else ""
        room -= width(mark)
        text = clean(card.note)
        if width(text) > room:
            text = shorten(text, room, self.glyphs) if room >= LEAST_NOTE else ""
            # A beginning such as ``can …`` says nothing.
            text = text if LEAST_NOTE // 2 <= width(text) <= room else ""
        return (Run(mark, "roster.next"), Run(text, "roster.declared"))

    def _chips(self, combatant: Combatant, card: Card) -> list[Row]:
        """Badges and effects; the first run of each is a name, which can be shortened."""
        chips: list[Row] = []
        badges = (*filter(None, card.lasting), *card.badges)
        if not combatant.able:
            # Being out is shown first, and only once.
            badges = tuple(sorted(badges, key=lambda badge: badge.tone != "bad"))
            has_bar = self.cells >= (ROOM_FOR_BAR_AND_CHIPS if self.compact else NARROW + BAR_CELLS)
            if card.track is None and self.system.health in combatant.pools and has_bar:
                badges = tuple(badge for badge in badges if clean(badge.text) != self._out_word(combatant))
        chips += [(Run(f" {clean(badge.text)} ", f"badge.{tone_of(badge)}"),) for badge in badges]
        for effect, badge_of_effect in zip_longest(combatant.effects, card.lasting):
            if badge_of_effect is not None or effect is None:
                continue
            name, left = effect_parts(effect, self.glyphs, clock_owner(effect, combatant, self.state))
            chips.append((Run(f" {name}", "badge.plain"), Run(f"{left} ", "badge.plain")))
        return chips

    def _fit_chips(self, chips: list[Row], room: int) -> list[Row]:
        """Chips with as many names shortened, from the last to the first, as are needed to make all fit.

        The remaining duration of effects and the progress of works are never shortened.
        """
        short_chips = list(chips)
        for place in reversed(range(len(short_chips))):
            excess = sum(map(row_width, short_chips)) + len(short_chips) - 1 - room
            if excess <= 0:
                break
            first, *rest = short_chips[place]
            name = first.text.strip()
            short = SHORT_FORMS.get(name, name)
            if rest and short == name:
                # The first words of a name are enough beside its duration.
                short = shorten_name(name, width(name) - excess) or name.split(" ")[0]
            elif len(chips) == 1 and short == name:
                # A single chip may fill the line.
                short = shorten(name, room - 2, self.glyphs)
            short_chips[place] = (Run(first.text.replace(name, short, 1) if name else first.text, first.style), *rest)
        return short_chips
