"""Editing the board in an encounter's file: map, legend, zones and borders."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import cast

import tomlkit

from fightcall_engine.archive.encounter_blocks import block_at, with_comments
from fightcall_engine.archive.encounter_tables import Table, drawing_of, drop, put
from fightcall_engine.archive.encounter_text import border_blocks, free_symbol, ground_text, value_text, zone_text
from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.kinds import AnyGrid, grid_board, zone_board
from fightcall_engine.board.maps import draw_map, redraw_map
from fightcall_engine.board.plans import draw_plan
from fightcall_engine.board.terrain import OPEN
from fightcall_engine.board.zones import ZoneBoard
from fightcall_engine.files.texts import parse_toml
from fightcall_engine.files.toml_lines import Lines


def edit_board(document: Table, before: AnyBoard | None, after: AnyBoard | None) -> bool:
    """Edit the board in place; False if it has to be removed or replaced."""
    if before == after:
        return True
    board = document.get("board")
    grids = grid_board(before), grid_board(after)
    plans = zone_board(before), zone_board(after)
    if not isinstance(board, MutableMapping) or after is None or not (all(grids) or all(plans)):
        return False
    if after.kind != grid_kind(board):
        put(board, "kind", value_text(after.kind, "board"))
    for key, old, new in (
        ("scale", before and before.scale, after.scale),
        ("unit", before and before.unit, after.unit),
    ):
        if old != new:
            put(board, key, value_text(int(new) if isinstance(new, float) and new.is_integer() else new, "board"))
    if grids[0] is not None and grids[1] is not None:
        _edit_grid(board, grids[0], grids[1])
    elif plans[0] is not None and plans[1] is not None:
        _edit_plan(board, plans[0], plans[1])
    return True


def grid_kind(board: Mapping[str, object]) -> str:
    """The kind of board in a table."""
    return str(board.get("kind", "hex"))


def _edit_grid(table: Table, before: AnyGrid, after: AnyGrid) -> None:
    """Edit the map's symbols at changed places, and the legend."""
    legend = cast("Mapping[str, Mapping[str, object]]", table.get("legend") or {})
    symbols = {str(entry.get("name")): symbol for symbol, entry in legend.items()}
    drawing = str(table["map"])
    symbols_by_name = {name: symbols[name] for name in after.legend if name in symbols}
    used_symbols = {*drawing, *symbols_by_name.values()}
    for name, ground in after.legend.items():
        if name not in symbols_by_name:
            symbols_by_name[name] = free_symbol(ground.glyph, used_symbols)
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
        table["map"] = drawing_of(table["map"], redrawn)
    _edit_legend(table, before, after, symbols_by_name, symbols)


def _edit_legend(
    table: Table, before: AnyGrid, after: AnyGrid, symbols_by_name: Mapping[str, str], symbols: Mapping[str, str]
) -> None:
    legend = cast("Table | None", table.get("legend"))
    fresh = [name for name in after.legend if name not in symbols or before.legend.get(name) != after.legend[name]]
    if legend is None and fresh:
        table["legend"] = legend = tomlkit.table()
    if legend is None:
        return
    for name, symbol in symbols.items():
        if name not in after.legend and name != OPEN.name:
            drop(legend, symbol)
    for name in fresh:
        put(legend, symbols_by_name[name], ground_text(symbols_by_name[name], after.legend[name]))


def _edit_plan(table: Table, before: ZoneBoard, after: ZoneBoard) -> None:
    """Edit the floor plan and its zones, keeping their symbols."""
    zones = cast("Table", table["zones"])
    symbols = {str(cast("Mapping[str, object]", entry)["name"]): symbol for symbol, entry in zones.items()}
    drawing, by_symbol, passages = draw_plan(after, symbols)
    if draw_plan(before, symbols)[0] != drawing:
        table["map"] = drawing_of(table["map"], drawing)
    old = {zone.name: zone for zone in before.zones}
    for name, symbol in symbols.items():
        if symbol not in by_symbol or by_symbol[symbol].name != name:
            drop(zones, symbol)
    for symbol, zone in by_symbol.items():
        if zone.name not in old or old[zone.name].ground != zone.ground:
            put(zones, symbol, zone_text(zone))
    if draw_plan(before, symbols)[2] != passages:
        drop(table, "border")
        if passages:
            borders = tomlkit.parse("\n".join(border_blocks(passages)) + "\n")
            table["border"] = cast("Table", borders["board"])["border"]


def without_board(text: str) -> str:
    """Remove the lines of the board, except comments after it."""
    if "board" not in parse_toml(text):
        return text
    lines = text.split("\n")
    block = block_at(Lines(text), lines, ("board",))
    start = with_comments(lines, block.start)
    return "\n".join([*lines[:start], *lines[block.stop + 1 :]])


def with_board(text: str, block: str) -> str:
    """Insert a board before the combatants, or at the end."""
    lines = text.split("\n")
    first = Lines(text).find(("combatant", 0)) if "combatant" in parse_toml(text) else 0
    if not first:
        return text.rstrip("\n") + f"\n\n{block}\n"
    at = with_comments(lines, first - 1)
    return "\n".join([*lines[:at], *block.split("\n"), "", *lines[at:]])
