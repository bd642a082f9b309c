"""Reading combatants from a CSV table whose first line names the columns, mostly fields of the system's sheet.

name,side,count,hp,agility,note
Goblin,foe,3,7,12,wet to the knees
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from fightcall_engine.archive.encounter_file import COUNT_SUFFIX
from fightcall_engine.archive.encounter_models import MOST_COMBATANTS
from fightcall_engine.archive.imported_combatants import (
    ImportedCombatant,
    ImportedFile,
    ImportedGroup,
    int_or_none,
    plain_line,
    plain_note,
    sheet_fields,
)
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json

FIXED_COLUMNS = ("name", "side", "count", "label", "hidden")
"""Columns that are not fields of a sheet."""
COLUMN_ALIASES = {"init": "initiative", "notes": "note", "qty": "count", "quantity": "count", "hit_points": "hp"}
"""Other accepted names of columns, as in spreadsheets and trackers."""
_SEPARATOR = re.compile(r"sep=([,;\t])[ \t]*\n", re.IGNORECASE)
"""The line in which Excel declares the separator."""
_YES = ("yes", "true", "1", "x", "hidden")
_MOST_COLUMNS = 200
_MOST_ROWS = 5000


def read_table(text: str, system: BaseSystem, where: str) -> ImportedFile:
    """Read a table of combatants, separated by commas, semicolons or tabs; the case of column names does not matter.

    Args:
        text: the file's content.
        system: the system whose sheet fields are columns; ``hp``, ``initiative`` and ``notes`` work in every system.
        where: the name of the source in error messages.

    Raises:
        BadInput: one message for each invalid line.
    """
    rows = _rows(text, where)
    if len(rows) > _MOST_ROWS:
        raise BadInput(where, (f"{len(rows)} lines; at most {_MOST_ROWS} are read",))
    fields = sheet_fields(system)
    columns = _columns(rows[0][1] if rows else (), system, fields)
    accepts = ", ".join((*FIXED_COLUMNS, *sorted(fields)))
    if "name" not in columns:
        line = rows[0][0] if rows else 1
        raise BadInput(where, (f"line {line}: no column is called name; accepted: {accepts}",))
    problems: list[str] = []
    combatants = [_combatant(row, columns, number, problems) for number, row in rows[1:]]
    if problems:
        raise BadInput(where, tuple(problems))
    unread = dict.fromkeys(plain_line(cell, 60) for cell, column in zip(rows[0][1], columns, strict=True) if not column)
    unknown_columns = tuple(_unknown(name, fields) for name in unread)
    groups = (ImportedGroup("", tuple(combatants)),) if combatants else ()
    return ImportedFile("a table", groups, unknown_columns, f"columns {accepts}" if unknown_columns else "")


def _rows(text: str, where: str) -> list[tuple[int, list[str]]]:
    """The rows that are not empty, each with the number of its last line.

    Raises:
        BadInput: the text is not valid CSV.
    """
    mark = _SEPARATOR.match(text)
    table = text[mark.end() :] if mark else text
    head = next((line for line in table.split("\n") if line.strip()), "")
    reader = csv.reader(io.StringIO(table), delimiter=mark[1] if mark else max(",;\t", key=head.count), strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((reader.line_num + (1 if mark else 0), row))
    except csv.Error as error:
        wording = f"line {reader.line_num + (1 if mark else 0)}: not readable as a table: {error}"
        raise BadInput(where, (wording,)) from error
    return rows


def _columns(head: Sequence[str], system: BaseSystem, fields: frozenset[str]) -> list[str]:
    """The key of each column: one of `FIXED_COLUMNS`, a field of the sheet, or empty if unknown."""
    system_keys = {"hp": system.health, "initiative": system.initiative}
    columns: list[str] = []
    for cell in head[:_MOST_COLUMNS]:
        name = "_".join(plain_line(cell, 60).casefold().replace("-", " ").replace("_", " ").split())
        if name not in (*FIXED_COLUMNS, *fields):
            name = COLUMN_ALIASES.get(name, name)
            name = system_keys.get(name, name)
        columns.append(name if name in (*FIXED_COLUMNS, *fields) and name not in columns else "")
    return columns + [""] * (len(head) - len(columns))


def _unknown(name: str, fields: frozenset[str]) -> str:
    near = get_close_matches(name.casefold(), [*FIXED_COLUMNS, *fields], n=1)
    return f"column {name!r}" + (f" (did you mean {near[0]!r}?)" if near else "")


def _combatant(row: Sequence[str], columns: Sequence[str], number: int, problems: list[str]) -> ImportedCombatant:
    cells = {column: cell.strip() for column, cell in zip(columns, row, strict=False) if column and cell.strip()}
    name = plain_line(cells.get("name", ""))
    if not name:
        problems.append(f"line {number}: has no name")
    if len(row) > len(columns):
        problems.append(f"line {number}: has {len(row)} cells, the first line {len(columns)}")
    several = COUNT_SUFFIX.fullmatch(name) if "count" not in cells else None
    name = several["name"] if several else name
    count = int(several["count"]) if several else int_or_none(cells.get("count", "1"))
    if count is None or not 1 <= count <= MOST_COMBATANTS:
        count_text = plain_line(cells.get("count", several[0] if several else ""), 40)
        problems.append(f"line {number}: count: {count_text!r}; accepted: 1 to {MOST_COMBATANTS}")
        count = 1
    label = cells.get("label", "").upper()
    if label and not (len(label) <= 3 and label.isascii() and label.isalnum()):
        problems.append(f"line {number}: label: {plain_line(label, 40)!r}; accepted: 1 to 3 letters or digits")
    return ImportedCombatant(
        name,
        cells.get("side", "").casefold(),
        hidden=cells.get("hidden", "").casefold() in _YES,
        count=count,
        label=label,
        origin=f"line {number}",
        sheet=_sheet(cells),
    )


def _sheet(cells: Mapping[str, str]) -> dict[str, Json]:
    """The values of the sheet's fields: whole numbers as numbers, all else as text, for the sheet to check."""
    sheet: dict[str, Json] = {}
    for column, cell in cells.items():
        if column in FIXED_COLUMNS:
            continue
        number = int_or_none(cell)
        sheet[column] = plain_note(cell) if column == "note" else plain_line(cell) if number is None else number
    return sheet
