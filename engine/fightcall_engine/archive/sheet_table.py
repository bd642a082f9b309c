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
from typing import cast

from fightcall_engine.archive.encounter import COUNT_SUFFIX
from fightcall_engine.archive.encounter_reading import MOST_COMBATANTS
from fightcall_engine.archive.imported_combatants import (
    ImportedCombatant,
    ImportedFile,
    ImportedGroup,
    sheet_fields,
)
from fightcall_engine.archive.imported_texts import amount_or_none, int_or_none, plain_line, plain_note
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json

FIXED_COLUMNS = ("name", "side", "count", "label", "hidden")
"""Columns that are not fields of a sheet."""
HP_COLUMNS = ("hp", "hp_now", "hp_max")
"""Columns of hit points, in every system that has them; ``hp`` is what is left, or the maximum if that stands alone."""
COLUMN_ALIASES: Mapping[str, str] = {
    **dict.fromkeys(("monster", "monsters", "creature", "creatures", "character", "combatant", "actor"), "name"),
    **dict.fromkeys(("qty", "quantity", "amount", "how_many"), "count"),
    **dict.fromkeys(("init", "init_mod", "init_bonus", "initiative_modifier", "initiative_bonus"), "initiative"),
    **dict.fromkeys(("notes", "comment", "comments", "description"), "note"),
    **dict.fromkeys(("hit_points", "hitpoints", "health"), "hp"),
    **dict.fromkeys(("current_hp", "hp_current", "current_hit_points"), "hp_now"),
    **dict.fromkeys(("max_hp", "maximum_hp", "hp_maximum", "max_hit_points", "maximum_hit_points"), "hp_max"),
}
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
    head = rows[0][1] if rows else []
    columns, doubled = _columns(head, system, fields)
    accepts = ", ".join((*FIXED_COLUMNS, *sorted(fields)))
    if "name" not in columns:
        line = rows[0][0] if rows else 1
        raise BadInput(where, (f"line {line}: no column is called name; accepted: {accepts}",))
    problems: list[str] = []
    reader = _RowReader(columns, system, problems)
    combatants = [reader.combatant(row, number) for number, row in rows[1:]]
    if problems:
        raise BadInput(where, tuple(problems))
    unread = [
        plain_line(cell, 60) if cell.strip() else f"{number} (no heading)"
        for number, (cell, column) in enumerate(zip(head, columns, strict=True), start=1)
        if not column and (cell.strip() or any("".join(row[number - 1 : number]).strip() for _, row in rows[1:]))
    ]
    unknown_columns = tuple(_unknown(name, fields, doubled) for name in dict.fromkeys(unread))
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


def _columns(head: Sequence[str], system: BaseSystem, fields: frozenset[str]) -> tuple[list[str], dict[str, str]]:
    """Return the key of each column, empty if unknown, and for each heading whose key has a column the other heading.

    Keys are `FIXED_COLUMNS`, `HP_COLUMNS` where the system has hit points, and the fields of the sheet. A heading
    that is a key comes before one that only stands for it.
    """
    known = {*FIXED_COLUMNS, *fields, *(HP_COLUMNS if system.health in fields else ())}
    system_keys = {"initiative": system.initiative}
    headings = ["_".join(re.findall(r"[^\W_]+", plain_line(cell, 60).casefold())) for cell in head[:_MOST_COLUMNS]]
    exact = {name: number for number, name in reversed([*enumerate(headings)]) if name in known}
    columns: list[str] = []
    doubled: dict[str, str] = {}
    for number, name in enumerate(headings):
        key = COLUMN_ALIASES.get(name, name) if name not in known else name
        key = system_keys.get(key, key) if key not in known else key
        first = exact.get(key, columns.index(key) if key in columns else number)
        if key in known and first != number:
            doubled[plain_line(head[number], 60)] = plain_line(head[first], 60)
        columns.append(key if key in known and first == number else "")
    return columns + [""] * (len(head) - len(columns)), doubled


def _unknown(name: str, fields: frozenset[str], doubled: Mapping[str, str]) -> str:
    if name in doubled:
        is_same = doubled[name].casefold() == name.casefold()
        return f"column {name!r}, {'which is there twice' if is_same else f'as {doubled[name]!r} is the same'}"
    near = get_close_matches(name.casefold(), [*FIXED_COLUMNS, *fields], n=1)
    return f"column {name!r}" + (f" (did you mean {near[0]!r}?)" if near else "")


class _RowReader:
    """Reads the rows below the headings; adds what is wrong to `problems`."""

    def __init__(self, columns: Sequence[str], system: BaseSystem, problems: list[str]) -> None:
        self._columns, self._system, self._problems = columns, system, problems
        self._counted = _whole_number_fields(system)
        self._fields = sheet_fields(system)

    def combatant(self, row: Sequence[str], number: int) -> ImportedCombatant:
        """Return the combatant of a row.

        Args:
            row: the cells.
            number: the line, for messages.
        """
        cells = {
            column: cell.strip() for column, cell in zip(self._columns, row, strict=False) if column and cell.strip()
        }
        name = plain_line(cells.get("name", ""))
        if not name:
            self._problems.append(f"line {number}: has no name")
        filled = max((place for place, cell in enumerate(row, start=1) if cell.strip()), default=0)
        if filled > len(self._columns):
            self._problems.append(f"line {number}: has {filled} cells, the first line {len(self._columns)}")
        several = COUNT_SUFFIX.fullmatch(name) if "count" not in cells else None
        name = several["name"] if several else name
        count = int(several["count"]) if several else _count(cells.get("count", "1"))
        if count is None or not 1 <= count <= MOST_COMBATANTS:
            count_text = plain_line(cells.get("count", several[0] if several else ""), 40)
            self._problems.append(f"line {number}: count: {count_text!r}; accepted: 1 to {MOST_COMBATANTS}")
            count = 1
        label = cells.get("label", "").upper()
        if label and not (len(label) <= 3 and label.isascii() and label.isalnum()):
            text = f"line {number}: label: {plain_line(label, 40)!r}; accepted: 1 to 3 letters or digits"
            self._problems.append(text)
        hp, hp_max = self._hit_points(cells)
        return ImportedCombatant(
            name,
            plain_line(cells.get("side", "")),
            hp,
            hp_max,
            hidden=cells.get("hidden", "").casefold() in _YES,
            count=count,
            label=label,
            origin=f"line {number}",
            sheet=self._sheet(cells),
        )

    def _hit_points(self, cells: dict[str, str]) -> tuple[int | None, int | None]:
        """Take the hit points out of the cells: what is left, and the maximum. What is no number stays a cell."""
        amounts = {column: amount_or_none(cells.get(column)) for column in HP_COLUMNS}
        for column, amount in amounts.items():
            if amount is not None:
                del cells[column]
        here, now, most = amounts["hp"], amounts["hp_now"], amounts["hp_max"]
        left = now or here
        maxima = (most, here if now is not None else None)
        maximum = next((each.now for each in maxima if each is not None), None if left is None else left.most)
        return None if left is None else left.now, maximum

    def _sheet(self, cells: Mapping[str, str]) -> dict[str, Json]:
        """Return the values of the sheet's fields: whole numbers as numbers, all else as text, still unchecked."""
        sheet: dict[str, Json] = {}
        for column, cell in cells.items():
            if column in FIXED_COLUMNS:
                continue
            amount = amount_or_none(cell) if column in self._counted else None
            number = int_or_none(cell) if amount is None else amount.now
            if amount is not None and amount.most is not None:
                pool = {f"{column}_now": amount.now, column: amount.most}
                sheet |= pool if f"{column}_now" in self._fields else {column: plain_line(cell)}
            else:
                sheet[column] = plain_note(cell) if column == "note" else plain_line(cell) if number is None else number
        return sheet


def _count(cell: str) -> int | None:
    amount = amount_or_none(cell.strip("xX× "))
    return amount.now if amount is not None and amount.most is None else None


def _whole_number_fields(system: BaseSystem) -> frozenset[str]:
    """Return the fields of a system's sheet that hold whole numbers and no text."""
    properties = cast("Mapping[str, Mapping[str, Json]]", system.sheet_schema().get("properties", {}))
    types = {
        name: {cast("Mapping[str, Json]", each).get("type") for each in cast("list[Json]", rule.get("anyOf", [rule]))}
        for name, rule in properties.items()
    }
    return frozenset(name for name, kinds in types.items() if kinds <= {"integer", "null"})
