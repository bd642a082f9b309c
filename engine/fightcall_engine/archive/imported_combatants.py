"""Combatants from files of other programs, how they become an encounter, and the reading of tables (CSV).

Only name, side, hit points, initiative and notes are imported; other entries are listed as skipped. `tracker_files`
reads the files of other trackers.
"""

from __future__ import annotations

import csv
import html
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from difflib import get_close_matches
from itertools import count
from typing import cast

from fightcall_engine.archive.encounter import COUNT_SUFFIX, Encounter
from fightcall_engine.archive.encounter_reading import MOST_COMBATANTS
from fightcall_engine.files.parts import LONGEST_NAME
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen
from fightcall_engine.play.newcomers import squad_of

LONGEST_NOTE = 2000
"""The greatest length of a sheet's note, in characters."""
CUT_MARK = " … (cut)"
"""The end of a note that was too long."""
_LONGEST_SOURCE = 100_000
_BLOCKS = "p|div|br|hr|li|ul|ol|dl|dt|dd|h[1-6]|table|tr|section|article|aside|header|footer|blockquote|pre|figure"
_BLOCK_TAG = re.compile(rf"</?(?:{_BLOCKS})(?:\s[^<>]{{0,2000}})?/?>", re.IGNORECASE)
_CELL_END = re.compile(r"</t[dh]\s*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][a-z0-9-]*(?:\s[^<>]{0,2000})?/?>|<!--.{0,300}?-->", re.IGNORECASE | re.DOTALL)
_INNER = r"(?:[^\[\]]|\[[^\[\]]{0,500}\]){0,2000}?"
_LABEL = r"(?:\{(?P<label>[^{}]{0,500})\})?"
_LINK = re.compile(rf"[@&](?P<kind>[A-Za-z]+)\[(?P<target>{_INNER})\]{_LABEL}")
_INLINE_ROLL = re.compile(rf"\[\[\s*(?:/[a-z]+\s+)?(?P<dice>{_INNER})\s*\]\]{_LABEL}", re.IGNORECASE)
_DIGITS = r"[+-]? ?(?:\d{1,3}(?:[,.'’ ]\d{3})+|\d{1,9}(?:[.,]0+)?)"
_DICE = r"\d{0,3}[dDwW]\d[^()\[\]]{0,60}"
_COUNTED = re.compile(
    rf"(?P<now>{_DIGITS})"
    rf"(?: ?(?:/|\bof\b) ?(?P<most>{_DIGITS}))?"
    r"(?: ?(?:hp|hit points?))?"
    rf"(?: ?(?:\((?:{_DICE}|[^\d()]*)\)|\[(?:{_DICE}|[^\d\[\]]*)\]))?",
    re.IGNORECASE,
)
_AVERAGE_LAST = re.compile(rf"{_DICE} ?[(\[](?P<now>{_DIGITS})[)\]]")
_MINUS = dict.fromkeys(map(ord, "−–‒﹣－"), "-")

SIDE_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("friend", "friends", "friendly", "ally", "allies", "allied", "party", "pc", "pcs"), "friend"),
    **dict.fromkeys(("player", "players", "player_character", "player_characters", "hero", "heroes"), "friend"),
    **dict.fromkeys(("foe", "foes", "enemy", "enemies", "hostile", "hostiles", "monster", "monsters"), "foe"),
    **dict.fromkeys(("npc", "npcs", "opponent", "opponents", "adversary", "adversaries", "villain", "villains"), "foe"),
    **dict.fromkeys(("neutral", "neutrals", "other", "others", "bystander", "bystanders"), "neutral"),
}
"""What people call a side, besides the names that the system has."""

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


@frozen
class Amount:
    """A number from a cell, and the maximum behind a stroke (``7/15``); None without one."""

    now: int
    most: int | None = None


def plain_line(text: object, longest: int = LONGEST_NAME) -> str:
    """Return a text on one line without control characters, cut to `longest` characters."""
    letters = (" " if unicodedata.category(letter) in ("Cc", "Zl", "Zp") else letter for letter in str(text))
    return " ".join("".join(letters).split())[:longest].strip()


def plain_note(text: object) -> str:
    """Return a text without HTML tags and control characters, one line for each paragraph.

    A text of more than `LONGEST_NOTE` characters is cut and ends with `CUT_MARK`. A value that is no text is empty.
    """
    if not isinstance(text, str):
        return ""
    source = text[:_LONGEST_SOURCE]
    if _BLOCK_TAG.search(source):
        source = re.sub(r"(?: ?\n)+ ?", "\n", _BLOCK_TAG.sub("\n", " ".join(source.split())))
    bare = html.unescape(_TAG.sub("", _CELL_END.sub(" ", source)))
    lines = (plain_line(line, len(line)) for line in bare.splitlines())
    note = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    if len(note) <= LONGEST_NOTE and len(text) <= _LONGEST_SOURCE:
        return note
    return note[: LONGEST_NOTE - len(CUT_MARK)].rstrip() + CUT_MARK


def without_links(text: object) -> object:
    """Replace the links and inline rolls of Foundry by what they show: a link's name, a roll's dice.

    ``@UUID[Actor.x]{the Mill}`` becomes ``the Mill`` and ``[[/r 2d6[fire]]]`` becomes ``2d6 fire``.
    """
    if not isinstance(text, str):
        return text
    return _LINK.sub(_link_text, _INLINE_ROLL.sub(_roll_text, text[: _LONGEST_SOURCE + 1]))


def _link_text(link: re.Match[str]) -> str:
    if link["label"]:
        return link["label"]
    target = link["target"]
    if "|" in target or ":" in target or "[" in target:
        return _without_flavour(target.replace("type:", "").replace("|", " ").replace(":", " "))
    return target.rpartition(".")[2]


def _roll_text(roll: re.Match[str]) -> str:
    dice = _without_flavour(roll["dice"].partition("#")[0])
    label = (roll["label"] or "").strip()
    return label if dice in label else f"{label} ({dice})" if label else dice


def _without_flavour(dice: str) -> str:
    """Write the kinds of damage behind their dice without brackets."""
    return " ".join(re.sub(r"\[([^\[\]]*)\]", r" \1", dice).split())


def int_or_none(value: object) -> int | None:
    """Return a whole number, also from a text or a float with an integral value; None for any other value."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e9 else None
    if isinstance(value, int):
        return value
    text = value.strip().translate(_MINUS) if isinstance(value, str) else ""
    return int(text) if re.fullmatch(r"[+-]?\d{1,9}", text, re.ASCII) else None


def amount_or_none(value: object) -> Amount | None:
    """Return a number with what people write beside it; None for any other value.

    ``7 (2d6)`` and ``2d6 (7)`` are 7, ``15/20`` is 15 of 20, ``1,059`` and ``7.0`` are whole numbers.
    """
    number = int_or_none(value)
    if number is not None or not isinstance(value, str):
        return None if number is None else Amount(number)
    text = plain_line(value, 120).translate(_MINUS)
    match = _COUNTED.fullmatch(text)
    if match is not None:
        return Amount(_whole(match["now"]), _whole(match["most"]) if match["most"] else None)
    average = _AVERAGE_LAST.fullmatch(text)
    return Amount(_whole(average["now"])) if average is not None else None


def _whole(digits: str) -> int:
    return int(re.sub(r"[,.'’ ]", "", re.sub(r"[.,]0{1,2}$", "", digits)))


# Combatants and their encounter


@frozen
class ImportedCombatant:
    """A combatant as read from another program's file.

    Attributes:
        side: a word of `SIDE_WORDS`, the name of a side of the system, or empty if unknown.
        hp: current hit points, None if unknown; below zero counts as zero.
        hp_max: the maximum of hit points, None if unknown.
        initiative: the modifier of its initiative roll.
        hidden: hidden from the players.
        count: how many combatants it stands for; several are a squad.
        number: its number among those of its name, as the other program showed it; None for none.
        label: one to three letters or digits, or empty.
        origin: where in the file it is, such as ``line 3``, for error messages; may be empty.
        sheet: further values by field of the system's sheet.
    """

    name: str
    side: str = ""
    hp: int | None = None
    hp_max: int | None = None
    initiative: int | None = None
    note: str = ""
    hidden: bool = False
    count: int = 1
    number: int | None = None
    label: str = ""
    origin: str = ""
    sheet: Mapping[str, Json] = field(default_factory=dict)


@frozen
class ImportedGroup:
    """Combatants that the file lists together, such as an encounter; `title` is empty if it has no name."""

    title: str
    combatants: tuple[ImportedCombatant, ...]


@frozen
class ImportedFile:
    """The content of a file.

    Attributes:
        kind: the file format, in words.
        groups: its combatants.
        skipped: the names of entries that were not imported, without repetition.
        accepted: in words, what would have been accepted in their place; may be empty.
    """

    kind: str
    groups: tuple[ImportedGroup, ...]
    skipped: tuple[str, ...] = ()
    accepted: str = ""


@frozen
class ImportResult:
    """The encounter made of a group, and the values that it does not have.

    Attributes:
        encounter: an encounter with all combatants of the group.
        skipped: the names of values for which the system's sheet has no field, without repetition.
        refused: one message for each value that the sheet does not accept, with the combatant's name.
        unsided: the names of those whose side is missing or unknown, and was assumed.
    """

    encounter: Encounter
    skipped: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    unsided: tuple[str, ...] = ()


def make_encounter(group: ImportedGroup, name: str, system: BaseSystem, side: str = "") -> ImportResult:
    """Make an encounter of a group, with sheets of the given system.

    Name and side are for a group and for combatants without one; the foes' side by default.
    """
    joins: list[Join] = []
    unknown_fields: list[str] = []
    problems: list[str] = []
    unsided: list[str] = []
    sheet_keys = sheet_fields(system)
    default_side = side or side_called("foe", system)
    names = _Names(group.combatants)
    for combatant in group.combatants:
        sheet, unknown, combatant_problems = _sheet_of(combatant, system, sheet_keys)
        known_side = side_called(combatant.side, system)
        if combatant.side and not known_side:
            text = f"side: {plain_line(combatant.side, 40)!r}; accepted: {', '.join(system.sides)}"
            combatant_problems.append(text)
        if combatant.label and combatant.count > 1:
            combatant_problems.append(f"label: {combatant.label!r} can't be the label of {combatant.count}")
        unknown_fields += unknown
        whose = ", ".join(part for part in (combatant.origin, combatant.name) if part)
        problems += (f"{whose}: {problem}" for problem in combatant_problems)
        own_names = names.of(combatant)
        unsided += () if known_side else own_names
        squad = squad_of(own_names[0].rpartition(" ")[0], combatant.count, joins)
        first = Join(
            name=own_names[0],
            side=known_side or default_side,
            sheet=sheet,
            hidden=combatant.hidden,
            label=combatant.label if combatant.count == 1 else "",
            squad=squad,
        )
        joins += (replace(first, name=own_name) for own_name in own_names)
    encounter = Encounter(plain_line(group.title) or name, system.id, joins=tuple(joins))
    return ImportResult(encounter, tuple(dict.fromkeys(unknown_fields)), tuple(problems), tuple(unsided))


def side_called(word: str, system: BaseSystem) -> str:
    """Return the side of a system that a word such as ``monster`` or ``ally`` stands for; empty for an unknown word."""
    name = "_".join(word.casefold().replace("-", " ").replace("_", " ").split())
    if name in system.sides:
        return name
    foes = system.sides[1 % len(system.sides)]
    side_of = {"friend": system.sides[0], "foe": foes, "neutral": "other" if "other" in system.sides else foes}
    return side_of.get(SIDE_WORDS.get(name, ""), "")


def sheet_fields(system: BaseSystem) -> frozenset[str]:
    """The names of the fields of a system's sheet."""
    return frozenset(cast("Mapping[str, Json]", system.sheet_schema().get("properties", {})))


class _Names:
    """Unique names: combatants that share one are numbered, and numbers of the other program stay."""

    def __init__(self, combatants: Sequence[ImportedCombatant]) -> None:
        self._bearers: Counter[str] = Counter()
        for combatant in combatants:
            self._bearers[combatant.name.casefold()] += combatant.count
        self._reserved = {self._wanted(combatant).casefold() for combatant in combatants}
        self._given: set[str] = set()

    def of(self, combatant: ImportedCombatant) -> tuple[str, ...]:
        """Return the names for all that a combatant stands for."""
        wanted = self._wanted(combatant)
        if wanted and wanted.casefold() not in self._given:
            self._given.add(wanted.casefold())
            return (wanted,)
        stem = combatant.name[: LONGEST_NAME - 8].strip()
        return tuple(self._next(stem) for _ in range(combatant.count))

    def _wanted(self, combatant: ImportedCombatant) -> str:
        if combatant.number is not None:
            return f"{combatant.name} {combatant.number}"
        return combatant.name if self._bearers[combatant.name.casefold()] == 1 else ""

    def _next(self, stem: str) -> str:
        names = (f"{stem} {number}" for number in count(1))
        name = next(name for name in names if name.casefold() not in self._reserved | self._given)
        self._given.add(name.casefold())
        return name


def _sheet_of(
    combatant: ImportedCombatant, system: BaseSystem, sheet_keys: frozenset[str]
) -> tuple[Mapping[str, Json], list[str], list[str]]:
    """The valid sheet, the names of values without a field, and the errors of the values left out as invalid."""
    raw_sheet: dict[str, Json] = {}
    sheet_problems: list[str] = []
    health, hp, hp_max = system.health, combatant.hp, combatant.hp_max
    if hp is None:
        hp = hp_max
    elif hp_max is not None:
        hp = max(0, hp)
    if hp is not None:
        raw_sheet[health] = hp
        if hp_max is not None and hp < hp_max and f"{health}_now" in sheet_keys:
            raw_sheet |= {health: hp_max, f"{health}_now": hp}
        elif hp_max is not None and hp < hp_max and f"{health}_max" in sheet_keys:
            raw_sheet[f"{health}_max"] = hp_max
        elif hp_max is not None and hp < hp_max and health in sheet_keys:
            sheet_problems.append(f"the maximum of {hp_max}; {system.title} keeps none, so it has {hp}")
    raw_sheet |= combatant.sheet
    if combatant.initiative is not None:
        raw_sheet[system.initiative or "initiative"] = combatant.initiative
    if combatant.note:
        raw_sheet["note"] = combatant.note
    if str(raw_sheet.get("note", "")).endswith(CUT_MARK):
        sheet_problems.append(f"the end of its note, which is longer than {LONGEST_NOTE} characters")
    sheet = {key: value for key, value in raw_sheet.items() if key in sheet_keys}
    while True:
        try:
            valid_sheet = system.check_sheet(sheet, combatant.name)
        except BadInput as bad:
            # Drop one value at a time, because a value may be invalid only in combination with another.
            key = next((key for key in sheet if bad.problems[0].startswith(key)), next(iter(sheet), None))
            if key is None:
                sheet = valid_sheet = {}
                break
            sheet_problems.append(plain_line(bad.problems[0], 200).replace("Input should", "should"))
            del sheet[key]
            continue
        break
    final_sheet = {key: valid_sheet.get(key, value) for key, value in sheet.items()}
    return final_sheet, [key for key in raw_sheet if key not in sheet_keys], sheet_problems


# Tables
#
# name,side,count,hp,agility,note
# Goblin,foe,3,7,12,wet to the knees


def read_table(text: str, system: BaseSystem, where: str) -> ImportedFile:
    """Read a table of combatants, separated by commas, semicolons or tabs; the case of column names does not matter.

    Columns are the fields of the system's sheet; ``hp``, ``initiative`` and ``notes`` work in every system.

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
    """The rows that are not empty, each with the number of its last line."""
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
        """Return the combatant of a row. `number` is the line, for messages."""
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
    properties = cast("Mapping[str, Mapping[str, Json]]", system.sheet_schema().get("properties", {}))
    types = {
        name: {cast("Mapping[str, Json]", each).get("type") for each in cast("list[Json]", rule.get("anyOf", [rule]))}
        for name, rule in properties.items()
    }
    return frozenset(name for name, kinds in types.items() if kinds <= {"integer", "null"})
