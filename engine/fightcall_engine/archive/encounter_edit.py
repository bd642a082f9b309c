"""Changing an encounter's file so that all that its author wrote stays: comments, order, spacing.

The values that differ are changed where they stand, by tomlkit; blocks of combatants that come and go are lines that
come and go. What has been written is read back: where it does not say what it should, the file is written anew.
"""

from __future__ import annotations

import pathlib
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import pairwise
from typing import cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Item

from fightcall_engine.archive.encounter_file import SEVERAL, Encounter, read_encounter
from fightcall_engine.archive.encounter_ground import places_of_symbols, symbols_in
from fightcall_engine.archive.encounter_text import (
    block_of,
    board_block,
    border_blocks,
    cue_block,
    encounter_to_toml,
    free_symbol,
    ground_text,
    like_runs,
    long_text,
    value_text,
    zone_text,
)
from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.kinds import GRIDS, AnyGrid, direction_of, grid_board, zone_board
from fightcall_engine.board.maps import draw_map, redraw_map
from fightcall_engine.board.plans import draw_plan
from fightcall_engine.board.terrain import OPEN
from fightcall_engine.board.zones import ZoneBoard
from fightcall_engine.files.texts import parse_toml
from fightcall_engine.files.toml_lines import Lines, Path
from fightcall_engine.kit.squads import squad_of
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.values import frozen

Table = MutableMapping[str, object]

LARGEST_EDITED = 200_000
"""Characters; a file larger than that is written anew, for reading it with its comments takes too long."""


class _Unwritable(Exception):
    """The file says what it says in a form that cannot be changed in place."""


def edit_encounter(
    text: str, after: Encounter, folder: pathlib.Path | None = None, own: pathlib.Path | None = None
) -> str:
    """An encounter's file after changes: only the lines that must differ do.

    Args:
        text: the file as it is.
        after: what it is to say.
        folder: where the files are that it names.
        own: the folder of the GM's own files for settings.

    Raises:
        BadInput: the file cannot be read as it is, or a value that TOML cannot hold.
    """
    before = read_encounter(text, "encounter", folder, own)
    if _same(before, after):
        return text
    try:
        edited = edit_in_place(text, before, after)
        if _same(read_encounter(edited, "encounter", folder, own), after):
            return edited
    except (_Unwritable, TOMLKitError, BadInput, ValueError, TypeError, RecursionError):
        # A form that nobody thought of, such as tables within lists: what counts is that nothing is lost.
        pass
    return encounter_to_toml(after)


def _same(first: Encounter, other: Encounter) -> bool:
    return replace(first, usual={}) == replace(other, usual={})


def edit_in_place(text: str, before: Encounter, after: Encounter) -> str:
    """The text with what differs between two encounters; not read back yet.

    Raises:
        _Unwritable: the file is too large, or says it in a form that cannot be changed.
        TOMLKitError, BadInput: likewise.
    """
    if len(text) > LARGEST_EDITED:
        raise _Unwritable("too large")
    document = tomlkit.parse(text)
    _edit_head(document, before, after)
    is_other_board = not _edit_board(document, before.board, after.board)
    blocks = _edit_combatants(document, before, after)
    edited = _edit_cues(_splice(tomlkit.dumps(document), blocks), before, after)
    if is_other_board:
        edited = _without_board(edited)
        edited = edited if after.board is None else _with_board(edited, "\n".join(board_block(after.board)))
    if after.settings and not before.settings and "settings" not in document:
        lines = encounter_to_toml(replace(after, name="x", story="", seed=None, board=None, joins=())).split("\n")
        edited = edited.rstrip("\n") + "\n\n" + "\n".join(lines[lines.index("[settings]") :])
    return edited


def _item(written: str) -> Item:
    """A value as it is written, with its spacing."""
    return cast("Item", tomlkit.parse(f"value = {written}\n")["value"])


def _put(table: Table, key: str, written: str) -> None:
    """Give a key a value; a new key comes before the tables inside, without a blank line of tomlkit's own."""
    tables = [value for value in table.values() if isinstance(value, Item)]
    indents = [value.trivia.indent for value in tables]
    table[key] = _item(written)
    for value, indent in zip(tables, indents, strict=True):
        value.trivia.indent = indent


def _drop(table: Table, key: str) -> None:
    if key in table:
        del table[key]


# Name, seed, story, settings


def _edit_head(document: Table, before: Encounter, after: Encounter) -> None:
    if after.name != before.name:
        _put(document, "name", value_text(after.name, "name"))
    if after.system != before.system:
        _put(document, "system", value_text(after.system, "system"))
    if after.seed is None:
        _drop(document, "seed")
    elif after.seed != before.seed:
        _put(document, "seed", value_text(after.seed, "seed"))
    if not after.story:
        _drop(document, "story")
    elif after.story != before.story:
        _put(document, "story", long_text(after.story))
    settings = document.get("settings")
    if isinstance(settings, MutableMapping):
        for key in set(before.settings) - set(after.settings):
            _drop(settings, key)
        for key, value in after.settings.items():
            if key not in before.settings or _differs(before.settings[key], value):
                _put(settings, key, long_text(value) if isinstance(value, str) else value_text(value, "settings"))


def _differs(first: object, other: object) -> bool:
    return first != other or type(first) is not type(other)


# The board


def _edit_board(document: Table, before: AnyBoard | None, after: AnyBoard | None) -> bool:
    """Change the board where it stands; False where it has to go, or another one has to take its place."""
    if before == after:
        return True
    board = document.get("board")
    grids = grid_board(before), grid_board(after)
    plans = zone_board(before), zone_board(after)
    if not isinstance(board, MutableMapping) or after is None or not (all(grids) or all(plans)):
        return False
    if after.kind != grid_kind(board):
        _put(board, "kind", value_text(after.kind, "board"))
    for key, old, new in (
        ("scale", before and before.scale, after.scale),
        ("unit", before and before.unit, after.unit),
    ):
        if old != new:
            _put(board, key, value_text(int(new) if isinstance(new, float) and new.is_integer() else new, "board"))
    if grids[0] is not None and grids[1] is not None:
        _edit_grid(board, grids[0], grids[1])
    elif plans[0] is not None and plans[1] is not None:
        _edit_plan(board, plans[0], plans[1])
    return True


def grid_kind(board: Mapping[str, object]) -> str:
    """The kind of a board as its table says it."""
    return str(board.get("kind", "hex"))


def _edit_grid(table: Table, before: AnyGrid, after: AnyGrid) -> None:
    """The map's symbols at the places that have changed, and the legend's lines."""
    legend = cast("Mapping[str, Mapping[str, object]]", table.get("legend") or {})
    symbols = {str(entry.get("name")): symbol for symbol, entry in legend.items()}
    drawn = str(table["map"])
    known = {name: symbols[name] for name in after.legend if name in symbols}
    taken = {*drawn, *known.values()}
    for name, ground in after.legend.items():
        if name not in known:
            known[name] = free_symbol(ground.glyph, taken)
            taken.add(known[name])
    if (before.cols, before.rows, before.kind) == (after.cols, after.rows, after.kind):
        changed = {
            after.offset_of(place): known.get(after.terrain_at(place).name, OPEN.glyph)
            for place in after.places()
            if before.terrain.get(place) != after.terrain.get(place)
        }
        redrawn = redraw_map(drawn, changed)
    else:
        grounds = {symbol: after.legend[name] for name, symbol in known.items()}
        redrawn = draw_map(after, grounds)
    if redrawn != drawn:
        table["map"] = _drawing(table["map"], redrawn)
    _edit_legend(table, before, after, known, symbols)


def _edit_legend(
    table: Table, before: AnyGrid, after: AnyGrid, known: Mapping[str, str], symbols: Mapping[str, str]
) -> None:
    legend = cast("Table | None", table.get("legend"))
    fresh = [name for name in after.legend if name not in symbols or before.legend.get(name) != after.legend[name]]
    if legend is None and fresh:
        table["legend"] = legend = tomlkit.table()
    if legend is None:
        return
    for name, symbol in symbols.items():
        if name not in after.legend and name != OPEN.name:
            _drop(legend, symbol)
    for name in fresh:
        _put(legend, known[name], ground_text(known[name], after.legend[name]))


def _drawing(old: object, drawn: str) -> Item:
    """A map in the quotes that the old one had; alone on its lines."""
    written = getattr(old, "as_string", str)()
    literal = written.startswith("'") and "'''" not in drawn
    inside = drawn if literal else drawn.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    quotes = "'''" if literal else '"""'
    begin, end = "\n" if "\n" in drawn and not drawn.startswith("\n") else "", "" if drawn.endswith("\n") else "\n"
    return _item(f"{quotes}{begin}{inside}{end}{quotes}")


def _edit_plan(table: Table, before: ZoneBoard, after: ZoneBoard) -> None:
    """The floor plan and its zones, each by the symbol that it had."""
    zones = cast("Table", table["zones"])
    symbols = {str(cast("Mapping[str, object]", entry)["name"]): symbol for symbol, entry in zones.items()}
    drawn, by_symbol, passages = draw_plan(after, symbols)
    if draw_plan(before, symbols)[0] != drawn:
        table["map"] = _drawing(table["map"], drawn)
    old = {zone.name: zone for zone in before.zones}
    for name, symbol in symbols.items():
        if symbol not in by_symbol or by_symbol[symbol].name != name:
            _drop(zones, symbol)
    for symbol, zone in by_symbol.items():
        if zone.name not in old or old[zone.name].ground != zone.ground:
            _put(zones, symbol, zone_text(zone))
    if draw_plan(before, symbols)[2] != passages:
        _drop(table, "border")
        if passages:
            borders = tomlkit.parse("\n".join(border_blocks(passages)) + "\n")
            table["border"] = cast("Table", borders["board"])["border"]


def _without_board(text: str) -> str:
    """The lines of the board taken out, but for comments behind it."""
    if "board" not in parse_toml(text):
        return text
    lines = text.split("\n")
    block = _block(Lines(text), lines, ("board",))
    start = _with_comments(lines, block.start)
    return "\n".join([*lines[:start], *lines[block.stop + 1 :]])


def _with_board(text: str, block: str) -> str:
    """A board before those who fight, or at the end."""
    lines = text.split("\n")
    first = Lines(text).find(("combatant", 0)) if "combatant" in parse_toml(text) else 0
    if not first:
        return text.rstrip("\n") + f"\n\n{block}\n"
    at = _with_comments(lines, first - 1)
    return "\n".join([*lines[:at], *block.split("\n"), "", *lines[at:]])


# Those who fight


@frozen
class _Splice:
    """What becomes of the block of one combatant's table.

    Attributes:
        number: of the table in the file; -1 for what comes before all of them.
        gone: its lines go.
        after: blocks of lines that come behind it.
    """

    number: int
    gone: bool = False
    after: tuple[tuple[str, ...], ...] = ()


def _edit_combatants(document: Table, before: Encounter, after: Encounter) -> tuple[_Splice, ...]:
    """Change the tables of those who differ; who came and who went is left to `_splice`."""
    tables = cast("Sequence[Table]", document.get("combatant") or ())
    symbols = symbols_in(tables)
    spans = _spans(tables, len(before.joins))
    figure_of = {index: number for number, span in enumerate(spans) for index in span}
    origin = _match(before.joins, after.joins)
    numbers = [None if index is None else figure_of[index] for index in origin]
    runs = _runs(after.joins, numbers, tables)
    places = _Places(document, before, after)
    blocks: dict[int, list[tuple[str, ...]]] = {-1: []}
    here, written = -1, list[Join]()
    for number, run in runs:
        joins = after.joins[run.start : run.stop]
        if number is not None and number not in blocks:
            here = number
            blocks[number] = []
            old = [before.joins[index] for index in spans[number]]
            _edit_figure(tables[number], old, joins, places, written)
        else:
            blocks[here].append(tuple(block_of(joins, after.board, written)))
        written += joins
    _wipe_symbols(document, symbols, [tables[number] for number in blocks if number >= 0])
    return tuple(
        _Splice(number, number >= 0 and number not in blocks, tuple(blocks.get(number, ())))
        for number in range(-1, len(spans))
    )


def _wipe_symbols(document: Table, symbols: Collection[str], tables: Iterable[Table]) -> None:
    """Make open ground of the symbols on the map by which nobody is placed any more."""
    board = document.get("board")
    unused = set(symbols) - symbols_in(tables)
    if unused and isinstance(board, MutableMapping) and grid_kind(board) in GRIDS:
        drawn = str(board["map"])
        board["map"] = _drawing(board["map"], drawn.translate({ord(symbol): OPEN.glyph for symbol in unused}))


def _spans(tables: Sequence[Table], count: int) -> list[range]:
    """Which combatants each table stands for."""
    spans, start = [], 0
    for table in tables:
        several = SEVERAL.fullmatch(str(table.get("name"))) if "count" not in table else None
        size = int(several["count"]) if several else int(cast("int", table.get("count", 1)))
        spans.append(range(start, start + size))
        start += size
    if start != count:
        raise _Unwritable("tables and combatants do not agree")
    return spans


def _match(before: Sequence[Join], after: Sequence[Join]) -> list[int | None]:
    """For each combatant afterwards which one it was before: the same, else of the same name, else the next one."""
    matches: list[int | None] = [None] * len(after)
    for keys in (repr, lambda join: join.name):
        for start, end, first, last in _gaps(matches, len(before)):
            matcher = SequenceMatcher(
                None, list(map(keys, before[start:end])), list(map(keys, after[first:last])), False
            )
            for block in matcher.get_matching_blocks():
                for step in range(block.size):
                    matches[first + block.b + step] = start + block.a + step
    for start, end, first, last in _gaps(matches, len(before)):
        for step in range(min(end - start, last - first)):
            matches[first + step] = start + step
    return matches


def _gaps(matches: Sequence[int | None], count: int) -> list[tuple[int, int, int, int]]:
    """The stretches before and after between those that are matched."""
    anchors = [(-1, -1), *((old, new) for new, old in enumerate(matches) if old is not None), (count, len(matches))]
    return [
        (old + 1, next_old, new + 1, next_new)
        for (old, new), (next_old, next_new) in pairwise(anchors)
        if next_old > old + 1 or next_new > new + 1
    ]


def _runs(
    joins: Sequence[Join], numbers: Sequence[int | None], tables: Sequence[Table]
) -> Iterator[tuple[int | None, range]]:
    """Runs that one table can say, each with the number of the table that its first one came from.

    A newcomer is counted with those before it where they are alike, unless the map has a symbol for each of them.
    """
    start = 0
    while start < len(joins):
        number, end = numbers[start], start + 1
        grows = number is not None and not symbols_in([tables[number]])
        while end < len(joins) and (numbers[end] == number or (grows and numbers[end] is None)):
            end += 1
        for run in like_runs(tuple(joins[start:end])):
            yield numbers[start], range(start, start + len(run))
            start += len(run)


class _Places:
    """Where those stand who are placed by a symbol of the map: it is used up in the order of the file."""

    def __init__(self, document: Table, before: Encounter, after: Encounter) -> None:
        data = cast("tomlkit.TOMLDocument", document).unwrap()
        self.board_before, self.board = before.board, after.board
        same = before.board is not None and grid_board(after.board) is not None
        board = data.get("board") if same or zone_board(after.board) is not None else None
        self._free = places_of_symbols(board, symbols_in(data.get("combatant", ())))

    def take(self, at: object, wanted: Sequence[Location | None]) -> bool:
        """True where what the file says leads to the places that are wanted."""
        if at is None or self.board is None:
            return at is None and not any(wanted)
        places = at if isinstance(at, list) and not (len(at) == 2 and isinstance(at[0], int)) else [at]
        if len(places) == 1 and isinstance(places[0], str) and (len(places[0]) == 1 or self.board.holds_several):
            places = list(places) * len(wanted)
        if len(places) != len(wanted):
            return False
        return all(self._is(place, here) for place, here in zip(places, wanted, strict=True))

    def _is(self, value: object, wanted: Location | None) -> bool:
        if self.board is None or wanted is None:
            return False
        free = self._free.get(value) if isinstance(value, str) else None
        if free is not None:
            if not free or free[0] != wanted:
                return False
            if not self.board.holds_several:
                free.pop(0)
            return True
        if not isinstance(value, str):
            return list(cast("Sequence[int]", value)) == list(cast("Sequence[int]", wanted))
        return value.casefold() == self.board.name_of(wanted).casefold()


def _edit_figure(
    table: Table, old: Sequence[Join], new: Sequence[Join], places: _Places, written: Sequence[Join]
) -> None:
    """Change the table of one combatant, or of several like ones."""
    _edit_name(table, old, new)
    was, now = old[0], new[0]
    texts = {"side": (was.side, now.side), "label": (was.label, now.label), "id": (was.id, now.id)}
    for key, (before, after) in texts.items():
        if before != after:
            _put(table, key, value_text(after, key)) if after else _drop(table, key)
    if was.hidden != now.hidden:
        _put(table, "hidden", "true") if now.hidden else _drop(table, "hidden")
    facing = direction_of(places.board, now.facing)
    if direction_of(places.board_before, was.facing) != facing:
        _put(table, "facing", value_text(facing, "facing")) if facing else _drop(table, "facing")
    _edit_squad(table, new, written)
    if not places.take(_plain(table.get("at")), [join.at for join in new]):
        names = [places.board.name_of(join.at) for join in new if places.board is not None and join.at is not None]
        if names:
            _put(table, "at", value_text(names if len(new) > 1 else names[0], "at"))
        else:
            _drop(table, "at")
    if was.sheet != now.sheet:
        if "sheet" not in table:
            table["sheet"] = tomlkit.table()
        _edit_table(cast("Table", table["sheet"]), was.sheet, now.sheet)


def _plain(value: object) -> object:
    return value.unwrap() if hasattr(value, "unwrap") else value


def _edit_name(table: Table, old: Sequence[Join], new: Sequence[Join]) -> None:
    if len(old) == len(new) and old[0].name == new[0].name:
        return
    several = "count" not in table and SEVERAL.fullmatch(str(table["name"])) is not None
    name = new[0].name.rpartition(" ")[0] if len(new) > 1 else new[0].name
    if len(new) > 1 and several:
        name = f"{name} x{len(new)}"
    if str(table["name"]) != name:
        _put(table, "name", value_text(name, "name"))
    in_name = several and len(new) > 1
    if not in_name and (len(new) > 1 or SEVERAL.fullmatch(name)):
        _put(table, "count", str(len(new)))
    else:
        _drop(table, "count")


def _edit_squad(table: Table, new: Sequence[Join], written: Sequence[Join]) -> None:
    """The squad, where it is not that of the name."""
    stem = new[0].name.rpartition(" ")[0] if len(new) > 1 else new[0].name
    usual = squad_of(new[0].id or stem, len(new), written)
    squad = table.get("squad", usual)
    if squad != new[0].squad:
        if new[0].squad == usual:
            _drop(table, "squad")
        else:
            _put(table, "squad", value_text(new[0].squad, "squad"))


def _edit_table(table: Table, old: Mapping[str, object], new: Mapping[str, object]) -> None:
    """A sheet, or a table in it: the keys that differ."""
    for key in old:
        if new.get(key) is None:
            _drop(table, key)
    for key, value in new.items():
        was = old.get(key)
        if value is None or (key in old and not _differs_deep(was, value)):
            continue
        here = table.get(key)
        if isinstance(value, Mapping) and isinstance(was, Mapping) and isinstance(here, MutableMapping):
            _edit_table(cast("Table", here), was, value)
        elif _edit_rows(here, was, value):
            pass
        else:
            _put(table, key, _value_of(key, value))


def _edit_rows(here: object, old: object, new: object) -> bool:
    """A list of as many tables as before, changed one by one; False for any other."""
    if not (isinstance(here, list) and isinstance(old, list | tuple) and isinstance(new, list | tuple)):
        return False
    tables = [isinstance(row, MutableMapping) for row in here]
    if not tables or not all(tables) or not len(here) == len(old) == len(new):
        return False
    for row, was, now in zip(here, old, new, strict=True):
        _edit_table(cast("Table", row), cast("Mapping[str, object]", was), cast("Mapping[str, object]", now))
    return True


def _differs_deep(first: object, other: object) -> bool:
    return first != other or isinstance(first, bool) is not isinstance(other, bool)


def _value_of(key: str, value: object) -> str:
    """A value, a list of tables with one on a line."""
    if isinstance(value, list | tuple) and value and all(isinstance(item, Mapping) for item in value):
        rows = "".join(f"  {value_text(item, key)},\n" for item in value)
        return f"[\n{rows}]"
    return value_text(value, key)


def _edit_cues(text: str, before: Encounter, after: Encounter) -> str:
    """The blocks of the cues that are gone taken out, and those of new ones put at the end."""
    gone = [number for number, cue in enumerate(before.cues) if cue not in after.cues]
    new = [cue for cue in after.cues if cue not in before.cues]
    if gone:
        lines, where = text.split("\n"), Lines(text)
        for block in reversed([_block(where, lines, ("cue", number)) for number in gone]):
            lines = _cut(lines, block)
        text = "\n".join(lines)
    for cue in new:
        text = "\n".join(_insert(text.split("\n"), None, tuple(cue_block(cue))))
    return text


# Blocks of lines


def _splice(text: str, splices: Sequence[_Splice]) -> str:
    """Take blocks out, and put blocks behind others; from the end on, so that the numbers of lines hold."""
    lines = text.split("\n")
    if not any(splice.gone or splice.after for splice in splices):
        return text
    ranges = _blocks(text, len(splices) - 1)
    for splice in reversed(splices):
        if splice.number < 0:
            start = _with_comments(lines, ranges[0].start) if ranges and not splices[-1].number < 0 else None
            for block in reversed(splice.after):
                lines = _insert(lines, start, block)
            continue
        held = ranges[splice.number]
        for added in reversed(splice.after):
            lines = _insert(lines, held.stop, added)
        if splice.gone:
            lines = _cut(lines, held)
    return "\n".join(lines)


def _cut(lines: list[str], block: range) -> list[str]:
    """Without a block, the comment right above it, and the blank lines behind it; at the end those before it."""
    start, stop = _with_comments(lines, block.start), block.stop
    while stop < len(lines) - 1 and not lines[stop].strip():
        stop += 1
    if stop >= len(lines) - 1:
        while start > 0 and not lines[start - 1].strip():
            start -= 1
        stop = min(stop, len(lines) - 1)
    return [*lines[:start], *lines[stop:]]


def _insert(lines: list[str], at: int | None, block: Sequence[str]) -> list[str]:
    if at is None:
        while lines and not lines[-1].strip():
            lines.pop()
        return [*lines, "", *block, ""]
    if at < len(lines) and lines[at - 1].strip():
        return [*lines[:at], "", *block, *lines[at:]]
    return [*lines[:at], *block, "", *lines[at:]]


def _blocks(text: str, count: int) -> list[range]:
    """The lines of each combatant's table."""
    lines, where = text.split("\n"), Lines(text)
    blocks = [_block(where, lines, ("combatant", number)) for number in range(count)]
    if not all(lines[block.start].lstrip().startswith("[[") for block in blocks):
        raise _Unwritable("combatants are no tables of their own")
    return blocks


def _block(where: Lines, lines: Sequence[str], path: Path) -> range:
    """The lines of a table, from its header to its last one that is neither blank nor a comment."""
    start = where.find(path) - 1
    stop = where.next_after(path, len(lines) + 1) - 1
    while not lines[stop - 1].strip() or lines[stop - 1].lstrip().startswith("#"):
        stop -= 1
    return range(start, stop)


def _with_comments(lines: Sequence[str], start: int) -> int:
    """The first of the comment lines that stand right above a line."""
    while start > 0 and lines[start - 1].lstrip().startswith("#"):
        start -= 1
    return start
