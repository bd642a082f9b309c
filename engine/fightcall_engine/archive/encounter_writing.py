"""Saving encounters: as a new file, over their file, as a copy, under another name, or as a draft.

Changes keep the file's comments, order and spacing: tomlkit writes every value, and changes those that differ. Blocks
(tables with the comments above them) are inserted and removed as lines. An edited file is read back; if it is not equal
to the encounter, it is written anew. Only imported where something is saved, because tomlkit is slow to load.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from datetime import datetime
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from string import ascii_letters
from typing import cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Item, String, StringType, Trivia

from fightcall_engine.archive.encounter import COUNT_SUFFIX, Encounter
from fightcall_engine.archive.encounter_reading import places_of_symbols, read_encounter, symbols_in
from fightcall_engine.archive.encounters import LARGEST_FILE, encounter_path
from fightcall_engine.archive.fsutil import REAL_FILES, FileLayer, backup_of, write_atomically, write_new
from fightcall_engine.board.base import OPEN, AnyBoard, Location, Terrain, is_symbol
from fightcall_engine.board.kinds import GRIDS, AnyGrid, HexBoard, direction_of, grid_board, zone_board
from fightcall_engine.board.maps import Passage, draw_map, draw_plan, redraw_map
from fightcall_engine.board.zones import Zone, ZoneBoard
from fightcall_engine.files import KeyPath, Lines, parse_toml, read_bytes
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput, FightCallError
from fightcall_engine.model.values import replace
from fightcall_engine.play.newcomers import squad_of

Table = MutableMapping[str, object]
Block = Sequence[str]
"""The lines of a table and of those inside it; a text over several lines counts as one."""

LARGEST_EDITED = 200_000
"""The largest file in characters that is edited in place; larger ones are rewritten, as tomlkit would take too long."""
_NOTES = {
    "hex": "The ground: one character a hex, every other row half a hex to the right. A dot is open ground.",
    "square": "The ground: one character a square. A dot is open ground.",
    "zone": "The floor plan: each zone is a filled rectangle of its character.",
    "combatants": 'Who fights. Several like ones: name = "Goblin x3", or count = 3.',
    "settings": "How the rules are read in this fight; what is left out is as usual.",
}
_SYMBOLS = "#~^*%&+=:!?$<>/\\|" + ascii_letters + "0123456789"
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_MARK = "\ufeff"


class EncounterChanged(FightCallError):
    """The file was changed since it was read; nothing was written."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path.name} was changed by another program in the meantime")
        self.path = path


def save_new(
    encounter: Encounter,
    path: Path,
    like: Path | None = None,
    setting_folder: Path | None = None,
    files: FileLayer = REAL_FILES,
) -> None:
    """Save an encounter as a new file. `like` is the file that it is a copy of, whose comments and order are kept.

    Raises:
        FileExistsError: the file exists; it is unchanged.
        BadInput: the encounter could not be read back; nothing is written.
        OSError: the file cannot be written; none is left behind.
    """
    text = encounter_to_toml(encounter, path.stem)
    if like is not None:
        text = edit_encounter(_read(like)[0], encounter, like.parent, setting_folder)
        # A path relative to the old file may not exist relative to the new one.
        if _try_read(text, path, setting_folder) != replace(encounter, user_settings={}):
            text = encounter_to_toml(encounter, path.stem)
    # Refuse what could not be opened again, such as a cue that names a removed combatant.
    read_encounter(text, path.name, path.parent, setting_folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_new(path, text.encode(), files)


def save_over(
    encounter: Encounter,
    path: Path,
    before: Encounter | None = None,
    setting_folder: Path | None = None,
    files: FileLayer = REAL_FILES,
) -> None:
    """Save an encounter over its file: only differences are written, and the previous content is kept as ``.bak``.

    `before` is the encounter as read from the file; None to overwrite even a changed file.

    Raises:
        EncounterChanged: the file no longer holds `before`.
        BadInput, OSError: the file cannot be read or written; it is unchanged.
    """
    if not path.exists():
        save_new(encounter, path, setting_folder=setting_folder, files=files)
        return
    text, mark, ends = _read(path)
    before_edit = _try_read(text, path, setting_folder)
    if before is not None and before_edit != replace(before, user_settings={}):
        raise EncounterChanged(path)
    new_text = (
        edit_encounter(text, encounter, path.parent, setting_folder)
        if before_edit is not None
        else encounter_to_toml(encounter)
    )
    if new_text != text:
        read_encounter(new_text, path.name, path.parent, setting_folder)
        write_atomically(path, (mark + new_text.replace("\n", ends)).encode(), keep_previous=True, files=files)


def rename_encounter(path: Path, name: str, setting_folder: Path | None = None, files: FileLayer = REAL_FILES) -> Path:
    """Rename an encounter and its file, with its ``.bak``; without one, the old file becomes the ``.bak``.

    Returns the new path, which is the old one if both names give the same file name.

    Raises:
        FileExistsError: there is a file of the new name; nothing has changed.
        BadInput, OSError: the file cannot be read or written; it is unchanged.
    """
    text, mark, ends = _read(path)
    before = read_encounter(text, str(path), path.parent, setting_folder)
    target = encounter_path(path.parent, name)
    if target == path:
        save_over(replace(before, name=name), path, before, setting_folder, files)
        return path
    new_text = edit_encounter(text, replace(before, name=name), path.parent, setting_folder)
    # The comments name the command that plays the file.
    for old, now in ((f"fightcall play {path.stem}\n", f"fightcall play {target.stem}\n"), (str(path), str(target))):
        new_text = new_text.replace(old, now)
    read_encounter(new_text, target.name, target.parent, setting_folder)
    write_new(target, (mark + new_text.replace("\n", ends)).encode(), files)
    backup = backup_of(path)
    if backup.exists():
        files.replace(backup, backup_of(target))
        files.unlink(path)
    else:
        files.replace(path, backup_of(target))
    return target


def _read(path: Path) -> tuple[str, str, str]:
    """The text of a file with LF line ends, its byte order mark if any, and its original line ends."""
    try:
        raw = read_bytes(path, LARGEST_FILE).decode()
    except UnicodeDecodeError as error:
        raise BadInput(str(path), (f"is not UTF-8 text (byte {error.start})",)) from error
    ends = "\r\n" if "\r\n" in raw else "\n"
    mark = _MARK if raw.startswith(_MARK) else ""
    return raw.removeprefix(_MARK).replace("\r\n", "\n"), mark, ends


def _try_read(text: str, path: Path, setting_folder: Path | None) -> Encounter | None:
    try:
        return replace(read_encounter(text, str(path), path.parent, setting_folder), user_settings={})
    except BadInput:
        return None


# Drafts on disk


class DraftFile:
    """The file of a draft, created when it is first written, or when another program has changed the old one.

    `path` is the file of a draft that is continued. The folder is created when needed.
    """

    def __init__(self, folder: Path, path: Path | None = None, files: FileLayer = REAL_FILES) -> None:
        self._folder = folder
        self._path = path
        self._files = files
        self._written: Encounter | None = None
        self._known_data = _data_of(path)

    def write(self, draft: Encounter) -> None:
        """Write a draft, unless the file already has the same content.

        Raises BadInput: a file cannot hold it; OSError: it cannot be written, and the file is unchanged.
        """
        if draft == self._written:
            return
        data = encounter_to_toml(draft).encode()
        if self._path is None or self._is_of_another():
            # Named after the time, because the draft's own name may change.
            path = self._folder / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.toml"
            self._folder.mkdir(parents=True, exist_ok=True)
            write_new(path, data, self._files)
            self._path = path
        else:
            write_atomically(self._path, data, keep_previous=False, files=self._files)
        self._written, self._known_data = draft, data

    def remove(self) -> None:
        """Delete the file, if there is one and it is still ours. If that fails, the draft is just offered again."""
        if self._path is not None and not self._is_of_another():
            with suppress(OSError):
                self._files.unlink(self._path)
        self._path = self._written = self._known_data = None

    def _is_of_another(self) -> bool:
        return self._path is not None and _data_of(self._path) != self._known_data


def _data_of(path: Path | None) -> bytes | None:
    try:
        return path.read_bytes() if path is not None else None
    except OSError:
        return None


class Unwritable(Exception):
    """The file has a form that cannot be edited in place."""


def encounter_to_toml(encounter: Encounter, stem: str = "") -> str:
    """The text of a new encounter file, from which `read_encounter` reads an equal encounter.

    None values of sheets and settings are left out, because TOML has none; a `Join.count` is written out.
    With `stem`, the file's name without suffix, explanatory comments are written.

    Raises BadInput: a value has no TOML form, or the board has more kinds of ground than there are symbols.
    """
    text = edit_in_place("", Encounter("", ""), replace(encounter, joins=_one_by_one(encounter.joins)))
    if not stem:
        return text
    lines, where = text.split("\n"), Lines(text)
    for path, note in (
        (("combatant", 0), "combatants" if encounter.joins else ""),
        (("board",), encounter.board.kind if encounter.board else ""),
        (("settings",), "settings" if encounter.settings else ""),
    ):
        if note:
            lines.insert(where.find(path) - 1, f"# {_NOTES[note]}")
    return "\n".join([f"# An encounter for Fight Call. Play it with: fightcall play {stem}", "", *lines])


def edit_encounter(text: str, after: Encounter, folder: Path | None = None, setting_folder: Path | None = None) -> str:
    """The text after changes, with as few changed lines as possible. Raises BadInput: TOML cannot hold it."""
    before = read_encounter(text, "encounter", folder, setting_folder)
    if _is_same(before, after):
        return text
    try:
        new_text = edit_in_place(text, before, after)
        if _is_same(read_encounter(new_text, "encounter", folder, setting_folder), after):
            return new_text
    except (Unwritable, TOMLKitError, BadInput, ValueError, TypeError, RecursionError):
        # An unexpected form, such as tables within lists: rewrite the file, so that nothing is lost.
        pass
    return encounter_to_toml(after)


def _is_same(first: Encounter, other: Encounter) -> bool:
    return replace(first, user_settings={}) == replace(other, user_settings={})


def edit_in_place(text: str, before: Encounter, after: Encounter) -> str:
    """The text with the differences between two encounters applied, not yet read back.

    Raises Unwritable, TOMLKitError, BadInput: it is too large, or in a form that cannot be edited.
    """
    if len(text) > LARGEST_EDITED:
        raise Unwritable("too large")
    document = tomlkit.parse(text)
    _edit_head(document, before, after)
    is_other_board = not _edit_board(document, before.board, after.board)
    count, blocks = _edit_combatants(document, before, after)
    lines = tomlkit.dumps(document).split("\n")
    if after.settings and "settings" not in document:
        lines = _insert(lines, None, _block("[settings]", {key: _long(each) for key, each in after.settings.items()}))
    if is_other_board:
        lines = _with_board(lines, after.board)
    return "\n".join(_edit_cues(_splice(lines, count, blocks), before, after))


def _edit_head(document: Table, before: Encounter, after: Encounter) -> None:
    for key, was, now in (
        ("name", before.name, after.name),
        ("system", before.system, after.system),
        ("seed", before.seed, after.seed),
        ("minutes", before.minutes, after.minutes),
        ("story", before.story or None, after.story or None),
    ):
        if was != now:
            _put(document, key, _long(now) if key == "story" else now)
    settings = document.get("settings")
    if isinstance(settings, MutableMapping):
        for key in {**before.settings, **after.settings}:
            old, new = before.settings.get(key), after.settings.get(key)
            if key not in before.settings or old != new or type(old) is not type(new):
                _put(settings, key, _long(new))


def _edit_cues(lines: list[str], before: Encounter, after: Encounter) -> list[str]:
    removed = [number for number, cue in enumerate(before.cues) if cue not in after.cues]
    if removed:
        where = Lines("\n".join(lines))
        for table in reversed([_lines_of(where, lines, ("cue", number)) for number in removed]):
            lines = _cut(lines, table)
    for cue in after.cues:
        if cue not in before.cues:
            values = {"id": cue.id or None, "name": cue.name or None, "when": cue.when, "then": cue.then}
            lines = _insert(lines, None, _block("[[cue]]", {**values, "each_time": cue.each_time or None}))
    return lines


# The board


def _edit_board(document: Table, before: AnyBoard | None, after: AnyBoard | None) -> bool:
    """Edit the board in place; False if it has to be removed or replaced."""
    if before == after:
        return True
    board = document.get("board")
    grids = grid_board(before), grid_board(after)
    plans = zone_board(before), zone_board(after)
    if not isinstance(board, MutableMapping) or before is None or after is None or not (all(grids) or all(plans)):
        return False
    for key, was, now in (
        ("kind", _kind_in(board), after.kind),
        ("scale", before.scale, after.scale),
        ("unit", before.unit, after.unit),
    ):
        if was != now:
            _put(board, key, _short(now))
    if grids[0] is not None and grids[1] is not None:
        _edit_grid(board, grids[0], grids[1])
    elif plans[0] is not None and plans[1] is not None:
        _edit_plan(board, plans[0], plans[1])
    return True


def _kind_in(board: Mapping[str, object]) -> str:
    return str(board.get("kind", HexBoard.kind))


def _short(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _edit_grid(table: Table, before: AnyGrid, after: AnyGrid) -> None:
    legend = cast("Mapping[str, Mapping[str, object]]", table.get("legend") or {})
    symbols = {str(entry.get("name")): symbol for symbol, entry in legend.items()}
    drawing = str(table["map"])
    symbols_by_name = {name: symbols[name] for name in after.legend if name in symbols}
    used_symbols = {*drawing, *symbols_by_name.values()}
    for name, ground in after.legend.items():
        if name not in symbols_by_name:
            symbols_by_name[name] = _free_symbol(ground.glyph, used_symbols)
            used_symbols.add(symbols_by_name[name])
    if (before.cols, before.rows, before.kind) == (after.cols, after.rows, after.kind):
        new_symbols = {
            after.offset_of(place): symbols_by_name.get(after.terrain_at(place).name, OPEN.glyph)
            for place in after.places()
            if before.terrain.get(place) != after.terrain.get(place)
        }
        redrawn = redraw_map(drawing, new_symbols)
    else:
        grounds = {symbol: after.legend[name] for name, symbol in symbols_by_name.items()}
        redrawn = draw_map(after, grounds)
    if redrawn != drawing:
        table["map"] = _drawing(redrawn, table["map"])
    fresh = [name for name in after.legend if name not in symbols or before.legend.get(name) != after.legend[name]]
    if fresh and "legend" not in table:
        table["legend"] = tomlkit.table()
    for name, symbol in symbols.items():
        if name not in after.legend and name != OPEN.name:
            _put(cast("Table", table["legend"]), symbol, None)
    for name in fresh:
        entry = _ground_entry(symbols_by_name[name], after.legend[name])
        _put(cast("Table", table["legend"]), symbols_by_name[name], entry)


def _edit_plan(table: Table, before: ZoneBoard, after: ZoneBoard) -> None:
    zones = cast("Table", table["zones"])
    symbols = {str(cast("Mapping[str, object]", entry)["name"]): symbol for symbol, entry in zones.items()}
    drawing, by_symbol, passages = draw_plan(after, symbols)
    old_drawing, _, old_passages = draw_plan(before, symbols)
    if old_drawing != drawing:
        table["map"] = _drawing(drawing, table["map"])
    old = {zone.name: zone for zone in before.zones}
    for name, symbol in symbols.items():
        if symbol not in by_symbol or by_symbol[symbol].name != name:
            _put(zones, symbol, None)
    for symbol, zone in by_symbol.items():
        if zone.name not in old or old[zone.name].ground != zone.ground:
            _put(zones, symbol, _zone_entry(zone))
    if old_passages != passages:
        _put(table, "border", None)
        if passages:
            borders = tomlkit.parse("\n".join(_border_lines(passages)) + "\n")
            table["border"] = cast("Table", borders["board"])["border"]


def _board_block(board: AnyBoard) -> Block:
    kind = board.kind if board.kind != HexBoard.kind else None
    head = {"kind": kind, "scale": _short(float(board.scale)), "unit": board.unit}
    grid, zones = grid_board(board), zone_board(board)
    if grid is not None:
        symbols: dict[str, Terrain] = {}
        glyphs = {ground.glyph for ground in grid.legend.values()}
        for ground in grid.legend.values():
            symbols[_free_symbol(ground.glyph, symbols, glyphs)] = ground
        lines = _block("[board]", {**head, "map": _drawing(draw_map(grid, symbols))})
        legend = {symbol: _ground_entry(symbol, ground) for symbol, ground in symbols.items()}
        return [*lines, "", *_block("[board.legend]", legend)] if legend else lines
    if zones is None:
        return _block("[board]", head)
    drawing, zone_of, passages = draw_plan(zones)
    lines = _block("[board]", {**head, "map": _drawing(drawing)})
    entries = _block("[board.zones]", {symbol: _zone_entry(zone) for symbol, zone in zone_of.items()})
    return [*lines, "", *entries, *_border_lines(passages)]


def _zone_entry(zone: Zone) -> Mapping[str, object]:
    return {"name": zone.name, **{key: value for key, value in zone.ground.to_json().items() if key != "glyph"}}


def _border_lines(passages: Iterable[Passage]) -> Iterator[str]:
    """The borders that a floor plan cannot show: doors, walls, and passages between distant zones."""
    for passage in passages:
        yield ""
        rest = {"joined": passage.joined and None, "blocks_sight": passage.blocks_sight or None}
        yield from _block("[[board.border]]", {"between": [passage.a, passage.b], **rest})


def _free_symbol(glyph: str, used_symbols: Collection[str], glyphs: Collection[str] = ()) -> str:
    """A free symbol for a kind of ground: its glyph, else one that is not another ground's glyph."""
    if glyph not in used_symbols and glyph != OPEN.glyph and is_symbol(glyph):
        return glyph
    spare = next((symbol for symbol in _SYMBOLS if symbol not in used_symbols and symbol not in glyphs), None)
    if spare is None:
        raise BadInput("board", ("more kinds of ground than symbols to draw them with",))
    return spare


def _ground_entry(symbol: str, ground: Terrain) -> Mapping[str, object]:
    glyph = ground.glyph if ground.glyph != symbol else None
    return {"name": ground.name, **ground.to_json(), "glyph": glyph}


def _with_board(lines: list[str], board: AnyBoard | None) -> list[str]:
    text = "\n".join(lines)
    data = parse_toml(text)
    if "board" in data:
        table = _lines_of(Lines(text), lines, ("board",))
        lines = [*lines[: _with_comments(lines, table.start)], *lines[table.stop + 1 :]]
    if board is None:
        return lines
    if "combatant" not in data:
        return _insert(lines, None, _board_block(board))
    at = _with_comments(lines, Lines("\n".join(lines)).find(("combatant", 0)) - 1)
    return [*lines[:at], *_board_block(board), "", *lines[at:]]


# Combatants


def _edit_combatants(document: Table, before: Encounter, after: Encounter) -> tuple[int, dict[int, list[Block]]]:
    """Edit the tables of combatants that have changed.

    Gives the number of tables, and for each that stays the blocks to insert after it (for -1, before all of them).
    """
    tables = cast("Sequence[Table]", document.get("combatant") or ())
    symbols = symbols_in(tables)
    spans = _spans(tables, len(before.joins))
    table_of = {index: number for number, span in enumerate(spans) for index in span}
    numbers = [None if index is None else table_of[index] for index in _match(before.joins, after.joins)]
    places = _Places(document, before, after)
    blocks: dict[int, list[Block]] = {-1: []}
    here, written = -1, list[Join]()
    for number, run in _runs(after.joins, numbers, tables):
        joins = after.joins[run.start : run.stop]
        if number is not None and number not in blocks:
            here = number
            blocks[number] = []
            old = [before.joins[index] for index in spans[number]]
            _edit_table_of(tables[number], old, joins, places, written)
        else:
            block = _block("[[combatant]]", _values_of(joins, after.board, written))
            sheet = _block("[combatant.sheet]", joins[0].sheet)
            blocks[here].append([*block, *sheet] if len(sheet) > 1 else block)
        written += joins
    unused_symbols = symbols - symbols_in(tables[number] for number in blocks if number >= 0)
    board = document.get("board")
    if unused_symbols and isinstance(board, MutableMapping) and _kind_in(board) in GRIDS:
        wiped = str(board["map"]).translate({ord(symbol): OPEN.glyph for symbol in unused_symbols})
        board["map"] = _drawing(wiped, board["map"])
    return len(spans), blocks


def _spans(tables: Sequence[Table], count: int) -> list[range]:
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
        for size in _like_runs(joins[start:end]):
            yield numbers[start], range(start, start + size)
            start += size


def _like_runs(joins: Sequence[Join]) -> Iterator[int]:
    """The sizes of runs of numbered combatants that only differ in number and place."""
    while joins:
        size, first = 1, joins[0]
        stem = _stem(first.name) if first.name.endswith(" 1") and not first.id and not first.label else ""
        while stem.strip() and size < len(joins) and (first.at is None) == (joins[size].at is None):
            if joins[size] != replace(first, name=f"{stem} {size + 1}", at=joins[size].at):
                break
            size += 1
        yield size
        joins = joins[size:]


def _stem(name: str) -> str:
    return name.rpartition(" ")[0]


def _one_by_one(joins: Iterable[Join]) -> tuple[Join, ...]:
    single: list[Join] = []
    for join in joins:
        if join.count == 1:
            single.append(join)
            continue
        squad = join.squad or squad_of(join.id or join.name, join.count, single)
        several = replace(join, label="", count=1, squad=squad)
        for number in range(1, join.count + 1):
            name, id = f"{join.name} {number}", f"{join.id}-{number}" if join.id else ""
            single.append(replace(several, name=name, id=id, at=join.at if number == 1 else None))
    return tuple(single)


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


def _values_of(joins: Sequence[Join], board: AnyBoard | None, before: Iterable[Join]) -> dict[str, object]:
    """The values of the table of one combatant or of several alike, without the sheet; None for those left out.

    `before` are the combatants earlier in the file.
    """
    first, several = joins[0], len(joins) > 1
    name = _stem(first.name) if several else first.name
    places = [board.name_of(join.at) for join in joins if board is not None and join.at is not None]
    return {
        "name": name,
        "count": len(joins) if several or COUNT_SUFFIX.fullmatch(name) else None,
        "id": first.id or None,
        "side": first.side or None,
        "label": first.label or None,
        "squad": first.squad if first.squad != squad_of(first.id or name, len(joins), before) else None,
        "at": None if not places else places if several else places[0],
        "facing": direction_of(board, first.facing) or None,
        "hidden": first.hidden or None,
        "fights": first.fights or None,
    }


def _edit_table_of(
    table: Table, old: Sequence[Join], new: Sequence[Join], places: _Places, written: Sequence[Join]
) -> None:
    was, now = _values_of(old, places.board_before, ()), _values_of(new, places.board, written)
    if len(old) != len(new) or old[0].name != new[0].name:
        name, count = now["name"], now["count"]
        if len(new) > 1 and "count" not in table and COUNT_SUFFIX.fullmatch(str(table["name"])):
            name, count = f"{name} x{len(new)}", None
        if str(table["name"]) != name:
            _put(table, "name", name)
        _put(table, "count", count)
    for key in ("side", "label", "id", "hidden", "facing", "fights"):
        if was[key] != now[key]:
            _put(table, key, now[key])
    squad = new[0].squad
    if table.get("squad", squad if now["squad"] is None else None) != squad:
        _put(table, "squad", now["squad"])
    at = table.get("at")
    if not places.take(at.unwrap() if isinstance(at, Item) else at, [join.at for join in new]):
        _put(table, "at", now["at"])
    if old[0].sheet != new[0].sheet:
        if "sheet" not in table:
            table["sheet"] = tomlkit.table()
        _edit_table(cast("Table", table["sheet"]), old[0].sheet, new[0].sheet)


def _edit_table(table: Table, old: Mapping[str, object], new: Mapping[str, object]) -> None:
    for key in {**old, **new}:
        was, value, here = old.get(key), new.get(key), table.get(key)
        if value is not None and was == value and isinstance(was, bool) is isinstance(value, bool):
            continue
        if isinstance(value, Mapping) and isinstance(was, Mapping) and isinstance(here, MutableMapping):
            _edit_table(cast("Table", here), was, value)
        elif not _edit_rows(here, was, value):
            _put(table, key, value)


def _edit_rows(here: object, old: object, new: object) -> bool:
    if not (isinstance(here, list) and isinstance(old, list | tuple) and isinstance(new, list | tuple)):
        return False
    tables = [isinstance(row, MutableMapping) for row in here]
    if not tables or not all(tables) or not len(here) == len(old) == len(new):
        return False
    for row, was, now in zip(here, old, new, strict=True):
        _edit_table(cast("Table", row), cast("Mapping[str, object]", was), cast("Mapping[str, object]", now))
    return True


# Blocks


def _block(header: str, values: Mapping[str, object]) -> Block:
    """The lines of a table; values that are None are left out."""
    where = header.strip("[]")
    written = ((key, _item(value, f"{where}.{key}")) for key, value in values.items() if value is not None)
    return [header, *(f"{tomlkit.key(key).as_string()} = {item.as_string()}" for key, item in written)]


def _splice(lines: list[str], count: int, blocks: Mapping[int, Sequence[Block]]) -> list[str]:
    """Remove the tables of combatants that have no entry in `blocks`, and insert blocks after the others."""
    if len(blocks) == count + 1 and not any(blocks.values()):
        return lines
    where = Lines("\n".join(lines)) if count else None
    tables = [_lines_of(where, lines, ("combatant", number)) for number in range(count)] if where else []
    if not all(lines[table.start].lstrip().startswith("[[") for table in tables):
        raise Unwritable("combatants aren't separate tables")
    start = _with_comments(lines, tables[0].start) if tables else None
    for number, table in reversed([*enumerate(tables)]):
        for block in reversed(blocks.get(number, ())):
            lines = _insert(lines, table.stop, block)
        if number not in blocks:
            lines = _cut(lines, table)
    for block in blocks[-1] if start is None else reversed(blocks[-1]):
        lines = _insert(lines, start, block)
    return lines


def _cut(lines: list[str], table: range) -> list[str]:
    """Remove a table with the comment above it and the blank lines after it (at the end of the file, before it)."""
    start, stop = _with_comments(lines, table.start), table.stop
    while stop < len(lines) - 1 and not lines[stop].strip():
        stop += 1
    if stop >= len(lines) - 1:
        while start > 0 and not lines[start - 1].strip():
            start -= 1
        stop = min(stop, len(lines) - 1)
    return [*lines[:start], *lines[stop:]]


def _insert(lines: list[str], at: int | None, block: Block) -> list[str]:
    if at is None:
        while lines and not lines[-1].strip():
            lines = lines[:-1]
        return [*lines, "", *block, ""]
    if at < len(lines) and lines[at - 1].strip():
        return [*lines[:at], "", *block, *lines[at:]]
    return [*lines[:at], *block, "", *lines[at:]]


def _lines_of(where: Lines, lines: Sequence[str], path: KeyPath) -> range:
    """The lines of a table, from its header to the last line that is neither blank nor a comment."""
    start = where.find(path) - 1
    stop = where.next_after(path, len(lines) + 1) - 1
    while not lines[stop - 1].strip() or lines[stop - 1].lstrip().startswith("#"):
        stop -= 1
    return range(start, stop)


def _with_comments(lines: Sequence[str], start: int) -> int:
    while start > 0 and lines[start - 1].lstrip().startswith("#"):
        start -= 1
    return start


# Values


def _put(table: Table, key: str, value: object) -> None:
    """Set a key, or remove it for None. A new one is inserted before nested tables, without tomlkit's blank line."""
    if value is None:
        if key in table:
            del table[key]
        return
    tables = [each for each in table.values() if isinstance(each, Item)]
    indents = [each.trivia.indent for each in tables]
    table[key] = _item(value, key)
    for each, indent in zip(tables, indents, strict=True):
        each.trivia.indent = indent


def _item(value: object, where: str, in_line: bool = False) -> Item:
    """A value as an item of tomlkit, without None inside. Unless `in_line`, a list of tables gets a line for each."""
    if isinstance(value, Item):
        return value
    if isinstance(value, str | int | float):
        return tomlkit.item(value)
    if isinstance(value, Mapping):
        parts = {key: _item(each, f"{where}.{key}", in_line=True) for key, each in value.items() if each is not None}
        table = tomlkit.inline_table()
        for key, part in parts.items():
            table.append(key, part)
        if parts:
            next(iter(parts.values())).trivia.indent = next(reversed(parts.values())).trivia.trail = " "
        return table
    if not isinstance(value, list | tuple):
        raise BadInput(where, (f"{value!r} can't be written; accepted: text, numbers, true, false, lists and tables",))
    array = tomlkit.array()
    items = [_item(each, where, in_line=True) for each in value]
    if items and not in_line and all(isinstance(each, Mapping) for each in value):
        for each in items:
            array.add_line(each, indent="  ")
        array.add_line(indent="")
    else:
        array.extend(items)
    return array


def _long(value: object) -> object:
    """A text of several lines as an item that keeps them; other values unchanged."""
    is_long = isinstance(value, str) and "\n" in value and not _CONTROLS.search(value)
    return _lines_item(str(value), literal=False) if is_long else value


def _drawing(drawing: str, old: object = None) -> Item:
    """A map as a text of several lines, in the same quotes as the old one if possible."""
    literal = "'''" not in drawing and (not isinstance(old, String) or old.as_string().startswith("'"))
    drawing = drawing.removeprefix("\n")
    return _lines_item(drawing if drawing.endswith("\n") else f"{drawing}\n", literal)


def _lines_item(text: str, literal: bool) -> Item:
    escaped = re.sub(r'"{3,}|"+\Z', lambda quotes: '\\"' * len(quotes.group()), text.replace("\\", "\\\\"))
    return String(StringType.MLL if literal else StringType.MLB, text, f"\n{text if literal else escaped}", Trivia())
