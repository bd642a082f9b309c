"""Editing the combatants in an encounter's file: matching them with tables, and changing what differs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import cast

import tomlkit

from fightcall_engine.archive.encounter_blocks import Splice
from fightcall_engine.archive.encounter_board import grid_kind
from fightcall_engine.archive.encounter_file import COUNT_SUFFIX, Encounter
from fightcall_engine.archive.encounter_ground import places_of_symbols, symbols_in
from fightcall_engine.archive.encounter_tables import Table, Unwritable, drawing_of, drop, plain, put
from fightcall_engine.archive.encounter_text import block_of, like_runs, value_text
from fightcall_engine.board.base import Location
from fightcall_engine.board.kinds import GRIDS, direction_of, grid_board, zone_board
from fightcall_engine.board.terrain import OPEN
from fightcall_engine.kit.squads import squad_of
from fightcall_engine.model.commands import Join


def edit_combatants(document: Table, before: Encounter, after: Encounter) -> tuple[Splice, ...]:
    """Edit the tables of combatants that have changed. Added and removed ones are left to `splice_blocks`."""
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
        Splice(number, number >= 0 and number not in blocks, tuple(blocks.get(number, ())))
        for number in range(-1, len(spans))
    )


def _wipe_symbols(document: Table, symbols: Collection[str], tables: Iterable[Table]) -> None:
    """Replace map symbols that no combatant uses any more by open ground."""
    board = document.get("board")
    unused_symbols = set(symbols) - symbols_in(tables)
    if unused_symbols and isinstance(board, MutableMapping) and grid_kind(board) in GRIDS:
        drawing = str(board["map"])
        board["map"] = drawing_of(
            board["map"], drawing.translate({ord(symbol): OPEN.glyph for symbol in unused_symbols})
        )


def _spans(tables: Sequence[Table], count: int) -> list[range]:
    """The combatants of each table."""
    spans, start = [], 0
    for table in tables:
        several = COUNT_SUFFIX.fullmatch(str(table.get("name"))) if "count" not in table else None
        size = int(several["count"]) if several else int(cast("int", table.get("count", 1)))
        spans.append(range(start, start + size))
        start += size
    if start != count:
        raise Unwritable("tables and combatants do not agree")
    return spans


def _match(before: Sequence[Join], after: Sequence[Join]) -> list[int | None]:
    """For each new combatant the index of its old one: an equal one, else one of the same name, else the next."""
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
    """The unmatched stretches between matched combatants, before and after."""
    anchors = [(-1, -1), *((old, new) for new, old in enumerate(matches) if old is not None), (count, len(matches))]
    return [
        (old + 1, next_old, new + 1, next_new)
        for (old, new), (next_old, next_new) in pairwise(anchors)
        if next_old > old + 1 or next_new > new + 1
    ]


def _runs(
    joins: Sequence[Join], numbers: Sequence[int | None], tables: Sequence[Table]
) -> Iterator[tuple[int | None, range]]:
    """Runs of combatants that one table can describe, each with the number of the table of its first one.

    A new combatant joins the run before it if they are alike, unless the map has a symbol for each of them.
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
    """The places of map symbols, which are used up in the order of the file."""

    def __init__(self, document: Table, before: Encounter, after: Encounter) -> None:
        data = cast("tomlkit.TOMLDocument", document).unwrap()
        self.board_before, self.board = before.board, after.board
        same = before.board is not None and grid_board(after.board) is not None
        board = data.get("board") if same or zone_board(after.board) is not None else None
        self._free = places_of_symbols(board, symbols_in(data.get("combatant", ())))

    def take(self, at: object, expected_places: Sequence[Location | None]) -> bool:
        """Whether the file's places equal the expected ones."""
        if at is None or self.board is None:
            return at is None and not any(expected_places)
        places = at if isinstance(at, list) and not (len(at) == 2 and isinstance(at[0], int)) else [at]
        if len(places) == 1 and isinstance(places[0], str) and (len(places[0]) == 1 or self.board.holds_several):
            places = list(places) * len(expected_places)
        if len(places) != len(expected_places):
            return False
        return all(self._matches_place(place, here) for place, here in zip(places, expected_places, strict=True))

    def _matches_place(self, value: object, expected_place: Location | None) -> bool:
        if self.board is None or expected_place is None:
            return False
        free = self._free.get(value) if isinstance(value, str) else None
        if free is not None:
            if not free or free[0] != expected_place:
                return False
            if not self.board.holds_several:
                free.pop(0)
            return True
        if not isinstance(value, str):
            return list(cast("Sequence[int]", value)) == list(cast("Sequence[int]", expected_place))
        return value.casefold() == self.board.name_of(expected_place).casefold()


def _edit_figure(
    table: Table, old: Sequence[Join], new: Sequence[Join], places: _Places, written: Sequence[Join]
) -> None:
    """Edit the table of a combatant, or of several alike."""
    _edit_name(table, old, new)
    was, now = old[0], new[0]
    texts = {"side": (was.side, now.side), "label": (was.label, now.label), "id": (was.id, now.id)}
    for key, (before, after) in texts.items():
        if before != after:
            put(table, key, value_text(after, key)) if after else drop(table, key)
    if was.hidden != now.hidden:
        put(table, "hidden", "true") if now.hidden else drop(table, "hidden")
    facing = direction_of(places.board, now.facing)
    if direction_of(places.board_before, was.facing) != facing:
        put(table, "facing", value_text(facing, "facing")) if facing else drop(table, "facing")
    _edit_squad(table, new, written)
    if not places.take(plain(table.get("at")), [join.at for join in new]):
        names = [places.board.name_of(join.at) for join in new if places.board is not None and join.at is not None]
        if names:
            put(table, "at", value_text(names if len(new) > 1 else names[0], "at"))
        else:
            drop(table, "at")
    if was.sheet != now.sheet:
        if "sheet" not in table:
            table["sheet"] = tomlkit.table()
        _edit_table(cast("Table", table["sheet"]), was.sheet, now.sheet)


def _edit_name(table: Table, old: Sequence[Join], new: Sequence[Join]) -> None:
    if len(old) == len(new) and old[0].name == new[0].name:
        return
    several = "count" not in table and COUNT_SUFFIX.fullmatch(str(table["name"])) is not None
    name = new[0].name.rpartition(" ")[0] if len(new) > 1 else new[0].name
    if len(new) > 1 and several:
        name = f"{name} x{len(new)}"
    if str(table["name"]) != name:
        put(table, "name", value_text(name, "name"))
    in_name = several and len(new) > 1
    if not in_name and (len(new) > 1 or COUNT_SUFFIX.fullmatch(name)):
        put(table, "count", str(len(new)))
    else:
        drop(table, "count")


def _edit_squad(table: Table, new: Sequence[Join], written: Sequence[Join]) -> None:
    """Edit the squad, which is left out if it follows from the name."""
    stem = new[0].name.rpartition(" ")[0] if len(new) > 1 else new[0].name
    default_squad = squad_of(new[0].id or stem, len(new), written)
    squad = table.get("squad", default_squad)
    if squad != new[0].squad:
        if new[0].squad == default_squad:
            drop(table, "squad")
        else:
            put(table, "squad", value_text(new[0].squad, "squad"))


def _edit_table(table: Table, old: Mapping[str, object], new: Mapping[str, object]) -> None:
    """Edit the keys that differ in a sheet, or in a table of it."""
    for key in old:
        if new.get(key) is None:
            drop(table, key)
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
            put(table, key, _value_of(key, value))


def _edit_rows(here: object, old: object, new: object) -> bool:
    """Edit a list of tables one by one; False if their number has changed."""
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
    """A value as TOML, with a list of tables as one table on each line."""
    if isinstance(value, list | tuple) and value and all(isinstance(item, Mapping) for item in value):
        rows = "".join(f"  {value_text(item, key)},\n" for item in value)
        return f"[\n{rows}]"
    return value_text(value, key)
