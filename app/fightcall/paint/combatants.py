"""What is shown of a combatant: its card, its sheet, its squad, short words, bars, wound tracks, pips and effects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain, zip_longest
from types import MappingProxyType

from fightcall.paint.runs import (
    Glyphs,
    Row,
    Run,
    clean,
    fit,
    label_box,
    merge,
    pad,
    row_width,
    shorten_name,
    side_role,
    tone_of,
    width,
    wrap,
)
from fightcall_engine.board.kinds import direction_of
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Badge, Card, Detail, Pips, Progress, Section, Track
from fightcall_engine.model.fold import players_name, without_number
from fightcall_engine.model.state import Combatant, Effect, FightState, Json
from fightcall_engine.model.values import frozen, remembered, replace
from fightcall_engine.play.newcomers import are_alike

GAUGE = 8
SHARE = "bar.pool"
"""The style of a gauge that shows a share of fights."""
LONGEST_NAME = 22
INDENT = 2
LEAST_TEXT = 12
"""The least width of a detail's text, however long its name."""

NAMELESS = ("name", "note", "secret")
"""Fields that are left out of an entry's text."""
FEET = "_ft"
"""The suffix of fields with a length in feet."""
TONES = frozenset({"good", "bad", "warn", "info"})
TITLES = {"strikes": "Weapons", "dar": "DAR"}

Needed = Callable[[int], str]
"""The roll that a weapon's number asks for, in words."""


@frozen
class Sections:
    """Rows to scroll, with the spans of rows of combatants by id."""

    rows: tuple[Row, ...]
    spans: Mapping[str, range]


def card_sections(state: FightState, system: BaseSystem, combatant_id: str, cells: int, glyphs: Glyphs) -> Sections:
    """A combatant's whole card: pools, badges, effects, and the system's details."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return Sections(((Run(" No one is selected", "dim"),),), {})
    card = system.card(state, combatant_id)
    words = system.words(state.settings).pools
    rows: list[Row] = [_name_row(combatant, state, system, card, glyphs)]
    rows += _has(combatant, card, words, system.health, cells, glyphs)
    badges = (*filter(None, card.lasting), *card.badges)
    runs = ((Run(f" {clean(badge.text)} ", f"badge.{tone_of(badge)}"),) for badge in badges)
    rows += side_by_side(runs, 1, cells)
    if alias := players_name(state, combatant):
        rows.append((Run(f" players: {clean(alias)}", "roster.next"),))
    if card.note:
        rows += [(Run(f" {line}", "roster.declared"),) for line in wrap(card.note, cells - 2)]
    rows += _effects(combatant, state, system, card.lasting, cells)
    details = system.details(state, combatant_id)
    for section in (*details, *sheet_sections(combatant.sheet, details, partial(system.needed_words, state))):
        rows += [(), *section_rows(section, cells, glyphs)]
    return Sections(tuple(pad(row, cells, "text") for row in rows), {combatant_id: range(len(rows))})


def told_rows(
    state: FightState,
    system: BaseSystem,
    sections: Iterable[Section],
    selected: str,
    cells: int,
    glyphs: Glyphs,
    gauge_style: str = "",
) -> Sections:
    """Sections one below the other, those of combatants with their labels."""
    rows: list[Row] = []
    spans: dict[str, range] = {}
    for section in sections:
        start = len(rows)
        combatant = state.combatants.get(section.who)
        label: Row = ()
        if combatant is not None:
            mark = glyphs.selected if combatant.id == selected else " "
            label = (Run(mark, "roster.mark"), label_box(combatant.label, side_role(system, combatant.side), glyphs))
        rows += section_rows(section, cells, glyphs, label, gauge_style)
        spans[section.who] = range(start, len(rows))
        rows.append(())
    return Sections(tuple(pad(row, cells, "text") for row in rows), spans)


def section_rows(section: Section, cells: int, glyphs: Glyphs, label: Row = (), gauge_style: str = "") -> list[Row]:
    """A section: its heading, and for each detail its name, gauge, text and rule.

    Without a `gauge_style` the gauges are of health, whose colour tells how much is left.
    """
    heading: list[Row] = [(*label, Run(f" {clean(section.title)}", "heading"))]
    note = Run(f"  {clean(section.note)}" if section.note else "", "strong")
    if row_width(heading[0]) + width(note.text) <= cells:
        heading = [(*heading[0], note)]
    else:
        heading += [(Run(f"  {line}", "strong"),) for line in wrap(section.note, cells - INDENT)]
    names = [width(clean(detail.name)) for detail in section.details]
    column = min(max(names, default=0), LONGEST_NAME, max(cells // 3, 1))
    gauges = any(detail.gauge is not None for detail in section.details)
    details = (_detail(detail, column, gauges, cells, glyphs, gauge_style) for detail in section.details)
    return [*heading, *(row for rows in details for row in rows)]


def _detail(detail: Detail, column: int, gauges: bool, cells: int, glyphs: Glyphs, gauge_style: str) -> Iterable[Row]:
    name = clean(detail.name)
    if width(name) > column:
        # A longer name gets a row of its own, because names are never cut.
        yield from ((Run(f"{' ' * INDENT}{line}", "dim"),) for line in wrap(name, cells - INDENT))
        name = ""
    head: Row = (Run(" " * INDENT, "text"), Run(fit(name, column), "dim"), Run("  ", "text"))
    if gauges and cells - row_width(head) - GAUGE - 2 >= LEAST_TEXT:
        left = detail.gauge
        gauge = (
            bar(left.now, left.max, GAUGE, gauge_style or health_style(left.now, left.max), glyphs)
            if left is not None
            else (Run(" " * GAUGE, "text"),)
        )
        head = (*head, *gauge, Run("  ", "text"))
    start = row_width(head)
    style = detail.tone if detail.tone in TONES else "text"
    for number, line in enumerate(wrap(detail.text, max(cells - start - 1, 1))):
        text = Run(line, style)
        if number:
            yield (Run(" " * start, "text"), text)
            continue
        # The rule is only shown if it fits at the end of the first line; it is also in the help.
        rule = f" {clean(detail.rule)} "
        room = cells - start - width(line) - width(rule)
        more = (Run(" " * room, "text"), Run(rule, "explain.rule")) if detail.rule and room >= 0 else ()
        yield (*head, text, *more)


# The combatant, and what the roster shows


def _name_row(combatant: Combatant, state: FightState, system: BaseSystem, card: Card, glyphs: Glyphs) -> Row:
    acting = combatant.id in still_to_act(state, system)
    parts: list[Row] = [
        (label_box(combatant.label, side_role(system, combatant.side), glyphs, acting=acting),),
        (Run(clean(combatant.name or combatant.id), "options.name"),),
        (Run(clean(system.words(state.settings).sides.get(combatant.side, combatant.side)), "dim"),),
    ]
    parts += place_parts(combatant, state, card, "dim", glyphs)
    return tuple(run for part in parts for run in (Run(" ", "text"), *part, Run(" ", "text")))


def place_parts(combatant: Combatant, state: FightState, card: Card, style: str, glyphs: Glyphs) -> Iterator[Row]:
    """The place and facing on the board, and the mark of the card."""
    if combatant.at is not None and state.board is not None:
        arrow = glyphs.arrows.get(direction_of(state.board, combatant.facing), "")
        yield (Run(f"{state.board.name_of(combatant.at)} {arrow}".rstrip(), style),)
    if card.mark:
        mark = f"{card.mark_name} {card.mark}".strip()
        yield (Run(f"{glyphs.struck} {clean(mark)}", style),)


def _has(
    combatant: Combatant, card: Card, words: Mapping[str, str], health: str, cells: int, glyphs: Glyphs
) -> list[Row]:
    lines: list[tuple[str, Row]] = []
    pools = card.pools
    if card.track is not None and pools:
        boxes, taken = track_row(card.track, glyphs, parted=True), card.track.taken
        level = clean(card.level) or (f"{taken} of {track_cells(card.track)}" if taken else "none")
        lines.append((card.track.name, (*boxes, Run(f"  {level}", "text"))))
        pools = pools[1:]
    for name in pools:
        if name in combatant.pools:
            points = combatant.pools[name]
            is_health = name == health and card.track is None
            gauge = pool_bar(points.now, points.max, GAUGE, "bar.pool", glyphs)
            if is_health:
                gauge = bar(points.now, points.max, GAUGE, health_style(points.now, points.max), glyphs)
            hurt = f", {clean(card.level)}" if is_health and card.level else ""
            lines.append((words.get(name, name), (*gauge, Run(f"  {points.now} of {points.max}{hurt}", "text"))))
    lines += [(words.get(pips.pool, pips.pool), pip_row(pips, glyphs)) for pips in card.pips]
    lines += [("at work on", work_row(work, glyphs)) for work in card.progress]
    named_rows = ((Run(clean(name), "dim"), Run("  ", "text"), *row) for name, row in lines)
    return side_by_side(named_rows, INDENT, cells)


def side_by_side(pieces: Iterable[Row], gap: int, cells: int) -> list[Row]:
    """Pieces with a gap before each, in as many rows as they need."""
    rows: list[Row] = []
    row: Row = ()
    for piece in pieces:
        if row and row_width(row) + row_width(piece) + gap > cells:
            rows.append(row)
            row = ()
        row = (*row, Run(" " * gap, "text"), *piece)
    return [*rows, row] if row else rows


def _effects(
    combatant: Combatant, state: FightState, system: BaseSystem, sections: Sequence[Badge | None], cells: int
) -> list[Row]:
    rows: list[Row] = []
    for effect, section in zip_longest(combatant.effects, sections):
        if effect is None or section is not None:
            continue
        note = f" ({clean(effect.note)})" if effect.note else ""
        owner = clock_owner(effect, combatant, state)
        owner_text = f", on {owner}'s clock" if owner else ""
        text = f"{effect_in_full(effect, combatant, state, system)}{owner_text}{note}"
        rows += [(Run(f" {line}", "options.lasting"),) for line in wrap(text, cells - 2)]
    return rows


# Sections for a combatant's sheet


def sheet_sections(
    sheet: Mapping[str, Json], own_sections: Sequence[Section] = (), needed_words: Needed = str
) -> tuple[Section, ...]:
    """A sheet as sections, without empty values and without lists that `own_sections` already show.

    `needed_words` is the roll that a weapon's number asks for, in words.
    """
    detail_names = {detail.name for section in own_sections for detail in section.details}
    sections = [Section("Note", (Detail("GM", str(sheet["note"])),))] if sheet.get("note") else []
    scalars = ", ".join(_fields({key: value for key, value in sheet.items() if _is_plain(value)}, needed_words))
    fields = {
        key: ", ".join(_fields(value, needed_words)) for key, value in sheet.items() if isinstance(value, Mapping)
    }
    maps = tuple(Detail(_words(key), text) for key, text in fields.items() if text)
    for key, value in sheet.items():
        things = _things(value, needed_words) if isinstance(value, list | tuple) else ()
        if things and not {thing.name for thing in things} <= detail_names:
            sections.append(Section(TITLES.get(key, key.replace("_", " ").capitalize()), things))
    numbers = (*((Detail("numbers", scalars),) if scalars else ()), *maps)
    return (*sections, Section("Sheet", numbers)) if numbers else tuple(sections)


def _things(things: Sequence[Json], needed_words: Needed) -> tuple[Detail, ...]:
    details = []
    for thing in things:
        if isinstance(thing, Mapping):
            name = str(thing.get("name") or "")
            if not name and "type" in thing:
                name = _value_text(thing["type"])
                thing = {key: value for key, value in thing.items() if key != "type"}
            is_secret = thing.get("secret") is True
            more = ("SECRET" if is_secret else "", *_fields(thing, needed_words), str(thing.get("note") or ""))
            text = ", ".join(filter(None, more)) or "as usual"
            details.append(Detail(name, text, tone="warn" if is_secret else "plain"))
    if words := ", ".join(_value_text(thing) for thing in things if isinstance(thing, str) and thing):
        details.append(Detail("", words))
    return tuple(details)


def _fields(thing: Mapping[str, Json], needed_words: Needed) -> Iterator[str]:
    """The non-empty fields in words: ``needs 12 or less on d20``, ``damage d6``; a true boolean as its name."""
    for key, value in thing.items():
        if key in NAMELESS or not _is_plain(value):
            if isinstance(value, list | tuple) and value:
                yield f"{_words(key)} {' '.join(map(_value_text, value))}"
        elif key == "needs" and isinstance(value, int):
            dice = f" on {thing['dice']}" if thing.get("dice") else ""
            yield f"needs {needed_words(value)}{dice}"
        elif key == "dice" and "needs" in thing:
            continue
        elif key.endswith(FEET):
            yield f"{_words(key.removesuffix(FEET))} {_value_text(value)} ft"
        elif value is True:
            yield _words(key)
        else:
            yield _value_text(value) if key == "kind" else f"{_words(key)} {_value_text(value)}"


def _is_plain(value: Json) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is True or (is_number and value != 0) or (isinstance(value, str) and value != "")


def _value_text(value: Json) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).replace("_", " ")


def _words(key: str) -> str:
    return TITLES.get(key, key.upper() if len(key) == 3 and key.isalpha() else key.replace("_", " "))


FEW = 3
"""Up to this many labels are written one by one; more of them as ranges."""

SHORT_FORMS: Mapping[str, str] = MappingProxyType(
    {
        "blinded": "blind",
        "bleeding": "bleed",
        "burning": "burn",
        "charmed": "charm",
        "concentrating": "conc",
        "deafened": "deaf",
        "exhausted": "tired",
        "frightened": "fear",
        "grappled": "grapple",
        "invisible": "unseen",
        "paralysed": "paral",
        "partial cover": "part cover",
        "poisoned": "poison",
        "restrained": "bound",
        "slowed": "slow",
        "stunned": "stun",
        "unconscious": "out",
        "Vulnerable": "exposed",
        "weakened": "weak",
        "Administration": "Admin",
        "Awareness": "Aware",
        "Declaration": "Decl",
        "Hesitation": "Hesit",
        "Initiative": "Init",
        "Late declarations": "Late",
        "Management": "Manage",
        "Meeting": "Meet",
        "Missile": "Msl",
        "Movement": "Move",
        "Negative": "Neg",
        "Positive": "Pos",
        "Resolution": "Resol",
        "Segment end": "End",
        "Turn end": "End",
    }
)
"""Of common words for little room. Words are never cut: they are shown in full, short, or not at all."""

SHADES = 3
"""The number of levels with a colour of their own; worse ones share the last."""

MOST_PIPS = 9
"""The most marks that can be taken in at a glance; for more, numbers are shown."""
LONGEST_WORK = 14
SHORT, MOST_IN_LETTERS = 3, 99
"""The cells of a track in short, and the most wounds that are told there."""
LAST_BOX = "X"


class Cards(dict[str, "Card"]):
    """Cards by combatant's id, each made when it is first needed.

    Health comes first even if the sheet has none, so that no other pool is taken for it.
    """

    def __init__(self, state: FightState, system: BaseSystem) -> None:
        super().__init__()
        self._state = state
        self._system = system

    def __missing__(self, combatant_id: str) -> Card:
        card, health = self._system.card(self._state, combatant_id), self._system.health
        if card.track is None and health not in self._state.combatants[combatant_id].pools:
            card = replace(card, pools=(health, *card.pools))
        self[combatant_id] = card
        return card


@remembered
def cards_of(state: FightState, system: BaseSystem) -> Cards:
    """The cards of a state, which all drawings of it share."""
    return Cards(state, system)


# Squads: identical members share a row of the roster


def ranks(members: Iterable[str], state: FightState, cards: Cards) -> tuple[tuple[str, ...], ...]:
    """Combatants in order, grouped by rows of those who are identical and look the same.

    Only members of the same squad are moved together, so that the order of all others is kept.
    """
    ranks: list[tuple[str, ...]] = []
    for combatant_id in members:
        if combatant_id not in state.combatants:
            continue
        place = _row_of(ranks, combatant_id, state, cards)
        if place is None:
            ranks.append((combatant_id,))
        else:
            ranks[place] = (*ranks[place], combatant_id)
    return tuple(ranks)


def _row_of(rows: Sequence[tuple[str, ...]], combatant_id: str, state: FightState, cards: Cards) -> int | None:
    """The row that a combatant joins: the last one of identical ones, if only its squad comes after it."""
    squad = state.combatants[combatant_id].squad
    for place in range(len(rows) - 1, -1, -1):
        first = rows[place][0]
        if are_alike(state, first, combatant_id) and _looks(state, cards, first) == _looks(state, cards, combatant_id):
            return place
        if not squad or state.combatants[first].squad != squad:
            return None
    return None


def _looks(state: FightState, cards: Cards, combatant_id: str) -> object:
    agenda = state.agenda
    pools = state.combatants[combatant_id].pools
    return combatant_id in agenda.acted, combatant_id in agenda.waived, pools, cards[combatant_id]


def labels(people: Sequence[Combatant], *, short: bool = False, ellipsis: str = "…") -> str:
    """The labels of several combatants: one by one if they are few, else, or in short form, as ranges: ``1-4 7``.

    In short form, of labels other than numbers only the first one stands: ``1-3 A…``.
    """
    names = [clean(combatant.label) for combatant in people]
    numbers = [int(label) for label in names if label.isdecimal()]
    others = [label for label in names if not label.isdecimal()]
    if not short and (len(names) <= FEW or others):
        return " ".join(names)
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    ranges = [f"{part[0]}-{part[-1]}" if len(part) > 2 else " ".join(map(str, part)) for part in parts]
    more = ellipsis if len(others) > 1 else ""
    return " ".join((*ranges, *(f"{label}{more}" for label in others[:1])))


def squad_name(people: Sequence[Combatant]) -> str:
    """The name of several combatants: the first one's without its number."""
    return without_number(clean(people[0].name or people[0].id))


# Bars


def bar(now: int, most: int, cells: int, style: str, glyphs: Glyphs) -> Row:
    """A bar of exactly `cells` cells.

    It is full only when nothing is missing and empty only when nothing is left, however little that is. On a plain
    board's set of glyphs the track is drawn as well, for it may have no colour.
    """
    steps = len(glyphs.bar_steps) + 1
    total_steps = cells * steps
    full_steps = 0 if most <= 0 else max(0, min(total_steps, now * total_steps // most))
    if 0 < now < most:
        full_steps = max(1, min(full_steps, total_steps - 1))
    full, part = divmod(full_steps, steps)
    track = glyphs.bar_empty if glyphs.shape == "plain" else " "
    edge = glyphs.bar_steps[part - 1] if part else ""
    return (Run(f"{glyphs.bar_full * full}{edge}".ljust(cells, track), style),)


def pool_bar(now: int, most: int, cells: int, style: str, glyphs: Glyphs) -> Row:
    """A bar of a pool that is not health, of exactly `cells` cells: a line, told from `bar` without colours, too."""
    full = 0 if most <= 0 else max(0, min(cells, now * cells // most))
    if 0 < now < most:
        full = max(1, min(full, cells - 1))
    return (Run(glyphs.pool_full * full + glyphs.pool_empty * (cells - full), style),)


def health_style(now: int, most: int) -> str:
    """The style key of a hit point bar: high above a half, low up to a quarter."""
    if now * 2 > most:
        return "bar.hp.high"
    return "bar.hp.mid" if now * 4 > most else "bar.hp.low"


# Harm as a track of boxes. Filled boxes show the letter of their level, to be readable without colours


def track_row(track: Track, glyphs: Glyphs, *, parted: bool = False) -> Row:
    """The boxes of a track, and the number of wounds beyond them; `parted` by lines, seen while boxes are empty."""
    runs: list[Run] = []
    left = max(0, track.taken)
    for number, (name, size) in enumerate(track.levels, 1):
        if parted and number > 1:
            runs.append(Run(glyphs.divider, "pool.spent"))
        full = min(left, size)
        left -= full
        runs.append(Run(_letter(track, name) * full, _style(number)))
        runs.append(Run(glyphs.box_free * (size - full), "track.free"))
    if left:
        runs.append(Run(f"+{left}", "pool.over"))
    return merge(run for run in runs if run.text)


def track_short(track: Track, glyphs: Glyphs) -> Row:
    """The level's letter and the number of wounds, in `SHORT` cells."""
    if track.taken <= 0:
        return (Run(glyphs.box_free.ljust(SHORT), "pool.spent"),)
    ends = list(accumulate(size for _, size in track.levels))
    number = next((number for number, end in enumerate(ends, 1) if track.taken <= end), len(ends))
    name = track.levels[number - 1][0] if track.levels else ""
    text = f"{_letter(track, name)}{min(track.taken, MOST_IN_LETTERS)}"
    return merge((Run(text, _style(number)), Run(" " * (SHORT - len(text)), "roster")))


def track_cells(track: Track) -> int:
    """The width of the boxes without lines between levels and without wounds beyond them."""
    return sum(size for _, size in track.levels)


def _letter(track: Track, name: str) -> str:
    """The letter of a box: the level's first letter; a cross for the last box of all."""
    return LAST_BOX if track.levels and name == track.levels[-1][0] else fit(clean(name).upper(), 1, ellipsis="")


def _style(number: int) -> str:
    return f"track.{number}" if 0 < number <= SHADES else "track"


# Pips and works in progress


def pip_row(pips: Pips, glyphs: Glyphs, *, word: str = "") -> Row:
    """A mark for each pip: ready, kept, spent, lost, coming, in this order; numbers if there are too many."""
    before = (Run(word, "pool.spent"),) if word else ()
    parts = (
        (pips.ready, glyphs.pip_ready, "pip.ready"),
        (pips.kept, glyphs.pip_kept, "pip.kept"),
        (pips.spent, glyphs.pip_spent, "pip.spent"),
        (pips.lost, glyphs.pip_lost, "pip.lost"),
        (pips.coming, glyphs.pip_coming, "pip.coming"),
    )
    total = sum(count for count, _, _ in parts)
    if total <= 0:
        return merge((*before, Run(glyphs.minus, "pip.spent")))
    if total <= MOST_PIPS:
        return merge((*before, *(Run(mark * count, style) for count, mark, style in parts if count > 0)))
    numbers = [(Run(" ", "pip.spent"), Run(f"{count}{mark}", style)) for count, mark, style in parts if count > 0]
    return merge((*before, *list(chain.from_iterable(numbers))[1:]))


def pip_words(several: tuple[Pips, ...], words: Mapping[str, str]) -> tuple[str, ...]:
    """The word before each row of marks: a capital, or none for a single row."""
    if len(several) == 1:
        return ("",)
    return tuple(clean(words.get(pips.pool, pips.pool))[:1].upper() for pips in several)


def work_row(work: Progress, glyphs: Glyphs) -> Row:
    """A work in progress: its name and its progress."""
    name = clean(work.name)
    name = shorten_name(name, LONGEST_WORK) or fit(name, LONGEST_WORK, ellipsis=glyphs.ellipsis)
    return (Run(name, "roster.declared"), Run(" ", "roster"), *work_marks(work, glyphs))


def work_marks(work: Progress, glyphs: Glyphs) -> Row:
    """The progress of a work: a mark for each part, or five for all of it, and the numbers."""
    needed_units, done_units = max(work.needed, 1), max(min(work.done, work.needed), 0)
    cells = needed_units if needed_units <= 5 else 5
    # Full only when everything is done, and not empty once anything is.
    full = done_units * cells // needed_units or (1 if done_units else 0)
    return (
        Run(glyphs.work_done * full, "bar.progress"),
        Run(glyphs.work_left * (cells - full), "pip.spent"),
        Run(f" {work.done}/{work.needed}", "roster.declared"),
    )


# Effects in words


def effect_parts(effect: Effect, glyphs: Glyphs, owner: str = "") -> tuple[str, str]:
    """An effect in two parts: its name, which may be cut, and its magnitude and what is left, which must not.

    `owner` is the label of the combatant whose clock it follows, if that is not the bearer.
    """
    size = f" {effect.magnitude:+d}" if effect.magnitude else ""
    if effect.left is None:
        return clean(effect.name), size
    times = glyphs.times if size else " "
    return clean(effect.name), f"{size}{times}{effect.left}{f'@{clean(owner)}' if owner else ''}"


def clock_owner(effect: Effect, bearer: Combatant, state: FightState) -> str:
    """The label of the combatant whose clock an effect follows; empty for the bearer's or the round's."""
    other = state.combatants.get(effect.clock)
    return other.label if other is not None and other.id != bearer.id else ""


def effect_in_full(effect: Effect, bearer: Combatant, state: FightState, system: BaseSystem) -> str:
    """An effect with what it counts: ``poison -1, 3 left (start of Milli's turn)``."""
    owner = state.combatants.get(effect.clock, bearer)
    size = f" {effect.magnitude:+d}" if effect.magnitude else ""
    name = f"{clean(effect.name)}{size}"
    if effect.left is None:
        return f"{name}, until ended"
    ticks = system.words(state.settings).ticks.get(effect.ticks, effect.ticks.replace("_", " "))
    return f"{name}, {effect.left} left ({clean(ticks.replace('{who}', owner.name or owner.label))})"


# Who still has to act


@remembered
def waited_for(state: FightState, system: BaseSystem) -> tuple[str, ...]:
    """The ids of those the system waits for, in roster order."""
    return system.waiting(state)


@remembered
def still_to_act(state: FightState, system: BaseSystem) -> frozenset[str]:
    """The ids of those who may act now and have not: those waited for, and the actor of the step."""
    actor = state.combatants.get(state.step.actor) if state.step is not None else None
    return frozenset(waited_for(state, system)) | ({actor.id} if actor is not None and actor.able else set())
