"""Combatants from files of other programs, tables (CSV) and JSON exports of trackers, and how they become an encounter.

Only name, side, hit points, initiative and notes are imported; other entries are listed as skipped.

Improved Initiative writes one object whose keys are ``<list>.<id>``: ``Creatures`` and ``PersistentCharacters`` hold
stat blocks, ``SavedEncounters`` lists of combatants. Older versions prefix keys with ``ImprovedInitiative.`` and encode
each value as a JSON string. Foundry writes one object per actor, with its numbers under ``system`` (``data`` before
version 10); its older packs have an actor in each line, of which a later one replaces an earlier one of its ``_id``.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from difflib import get_close_matches
from itertools import count
from typing import cast

from fightcall_engine.archive.encounter import COUNT_SUFFIX, Encounter
from fightcall_engine.archive.encounter_reading import MOST_COMBATANTS, sheet_fields
from fightcall_engine.files import LONGEST_NAME
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen, replace
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
    """Make an encounter of a group. Name and side, by default the foes', are for those without one."""
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
    combatant: ImportedCombatant, system: BaseSystem, sheet_keys: Sequence[str]
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
            break
        except BadInput as bad:
            # Drop one value at a time, because a value may be invalid only in combination with another.
            key = next((key for key in sheet if bad.problems[0].startswith(key)), next(iter(sheet), None))
            if key is None:
                sheet = valid_sheet = {}
                break
            sheet_problems.append(plain_line(bad.problems[0], 200).replace("Input should", "should"))
            del sheet[key]
    final_sheet = {key: valid_sheet.get(key, value) for key, value in sheet.items()}
    return final_sheet, [key for key in raw_sheet if key not in sheet_keys], sheet_problems


# Tables
#
# name,side,count,hp,agility,note
# Goblin,foe,3,7,12,wet to the knees


def read_table(text: str, system: BaseSystem, where: str) -> ImportedFile:
    """Read a table of combatants, separated by commas, semicolons or tabs, with columns named in any case.

    ``hp``, ``initiative`` and ``notes`` work in every system. Raises BadInput: one message for each invalid line.
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


def _columns(head: Sequence[str], system: BaseSystem, fields: Sequence[str]) -> tuple[list[str], dict[str, str]]:
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


def _unknown(name: str, fields: Sequence[str], doubled: Mapping[str, str]) -> str:
    if name in doubled:
        is_same = doubled[name].casefold() == name.casefold()
        return f"column {name!r}, {'which is there twice' if is_same else f'as {doubled[name]!r} is the same'}"
    near = get_close_matches(name.casefold(), [*FIXED_COLUMNS, *fields], n=1)
    return f"column {name!r}" + (f" (did you mean {near[0]!r}?)" if near else "")


class _RowReader:
    def __init__(self, columns: Sequence[str], system: BaseSystem, problems: list[str]) -> None:
        self._columns, self._system, self._problems = columns, system, problems
        properties = cast("Mapping[str, Mapping[str, Json]]", system.sheet_schema().get("properties", {}))
        types = {
            name: {
                cast("Mapping[str, Json]", each).get("type") for each in cast("list[Json]", rule.get("anyOf", [rule]))
            }
            for name, rule in properties.items()
        }
        self._counted = frozenset(name for name, kinds in types.items() if kinds <= {"integer", "null"})
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
        # Take the hit points out of the cells: what is left, and the maximum. What is no number stays a cell.
        amounts = {column: amount_or_none(cells.get(column)) for column in HP_COLUMNS}
        for column, amount in amounts.items():
            if amount is not None:
                del cells[column]
        here, now, most = amounts["hp"], amounts["hp_now"], amounts["hp_max"]
        left = now or here
        maxima = (most, here if now is not None else None)
        maximum = next((each.now for each in maxima if each is not None), None if left is None else left.most)
        hp, hp_max = None if left is None else left.now, maximum
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


_OLD = "ImprovedInitiative."
_BLOCK_KEYS = {"Id", "Name", "Path", "Version", "HP", "Player", "InitiativeModifier", "Description", "LastUpdateMs"}
_BLOCK_KEYS |= {"Link", "SearchHint", "FilterDimensions"}
_COMBATANT_KEYS = {"Id", "StatBlock", "Statblock", "PersistentCharacterId", "MaxHP", "CurrentHP", "Alias"}
_COMBATANT_KEYS |= {"IndexLabel", "Hidden", "CurrentNotes", "InterfaceVersion", "InitiativeGroup"}
_IGNORED_LISTS = ("Spells", "User", "Settings", "AutoSavedEncounters")
_ACTOR_KEYS = {"_id", "name", "type", "system", "data", "prototypeToken", "token", "img", "_stats", "ownership"}
_ACTOR_KEYS |= {"permission", "sort", "folder", "flags"}
_ACCEPTED = "an export of Improved Initiative, actors of Foundry, or a table whose first line names its columns (.csv)"
_ACTOR_TYPES = {"character", "pc", "player", "hero", "npc", "monster", "creature", "adversary", "enemy", "vehicle"}
"""Types by which an actor of a game is known that has no hit points where the known games have them."""
_PLAYER_TYPES = {"character", "pc", "player", "hero"}
_DISPOSITIONS = {1: "friend", 0: "neutral", -1: "foe", -2: "foe"}
"""What a token's disposition means in Foundry; -2 is one whose disposition is secret."""

Object = Mapping[str, Json]


def read_tracker_file(text: str, where: str) -> ImportedFile:
    """Read an export of Improved Initiative or of Foundry. Raises BadInput: it is not JSON, or of no known format."""
    items = [item for item in _values(text, where) if isinstance(item, dict)]
    if any(_is_actor(item) for item in items):
        return _foundry(items)
    if any(_is_block(item) or _is_encounter(item) or any(map(_list_of, item)) for item in items):
        return _improved_initiative(items)
    raise BadInput(where, (f"holds nothing that is known here; accepted: {_ACCEPTED}",))


def _values(text: str, where: str) -> list[Json]:
    """Return the values of a JSON file: those of its list, its one value, or one from each line."""
    try:
        data = json.loads(text)
        return data if isinstance(data, list) else [data]
    except RecursionError as error:
        raise BadInput(where, (f"not readable as JSON: it is nested too deeply; accepted: {_ACCEPTED}",)) from error
    except ValueError as error:
        values = _values_by_line(text, where)
        if values is None:
            raise BadInput(where, (f"not readable as JSON: {error}; accepted: {_ACCEPTED}",)) from error
        return values


def _values_by_line(text: str, where: str) -> list[Json] | None:
    """Return the values of a file with one JSON object a line; None if its first line is none."""
    values: dict[str, Json] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            if not values:
                return None
            raise BadInput(where, (f"line {number}: not readable as JSON: {error}",)) from error
        id = value.get("_id") if isinstance(value, dict) else None
        key = id if isinstance(id, str) else f"line {number}"
        values.pop(key, None)
        values[key] = None if isinstance(value, dict) and value.get("$$deleted") else value
    return list(values.values())


def _object(value: object) -> Object:
    return value if isinstance(value, dict) else {}


def _other_keys(values: Object, but: set[str]) -> Iterator[str]:
    return (
        plain_line(key, 60) for key, value in values.items() if key not in but and value not in (None, "", [], {}, 0)
    )


# Improved Initiative


def _is_block(item: Object) -> bool:
    return isinstance(item.get("Name"), str) and isinstance(item.get("HP"), dict)


def _is_encounter(item: Object) -> bool:
    return isinstance(item.get("Combatants"), list)


def _list_of(key: str) -> str:
    name, dot, id = key.removeprefix(_OLD).partition(".")
    prefixes = ("Creatures", "PersistentCharacters", "PlayerCharacters", "SavedEncounters", *_IGNORED_LISTS)
    return name if dot and id and name in prefixes else ""


def _entries(item: Object) -> Iterator[tuple[str, Object]]:
    """The entries of an export, each with the name of its list; values encoded as strings are decoded."""
    if _is_block(item):
        yield "Creatures", item
    elif _is_encounter(item):
        yield "SavedEncounters", item
    else:
        for key, value in item.items():
            if isinstance(value, str) and key.startswith(_OLD):
                try:
                    value = json.loads(value)
                except (ValueError, RecursionError):
                    continue
            if _list_of(key):
                yield _list_of(key), _object(value)


def _improved_initiative(items: Iterable[Object]) -> ImportedFile:
    ungrouped: list[ImportedCombatant] = []
    groups: list[ImportedGroup] = []
    skipped: list[str] = []
    for item in items:
        skipped += (
            [] if _is_block(item) or _is_encounter(item) else [key for key in item if "." not in key and item[key]]
        )
        for place, value in _entries(item):
            if place == "SavedEncounters":
                entries = value.get("Combatants") or value.get("Creatures")
                fighters = [_object(fighter) for fighter in (entries if isinstance(entries, list) else ())]
                groups.append(ImportedGroup(plain_line(value.get("Name") or ""), tuple(_fighters(fighters, skipped))))
            elif place in _IGNORED_LISTS:
                skipped.append(f"{place}: {plain_line(value.get('Name') or 'one', 60)}")
            else:
                ungrouped += _character(value, skipped)
    skipped = [name for name in skipped if _list_of(f"{name}.x") == ""]
    all_groups = (ImportedGroup("", tuple(ungrouped)), *groups)
    filled_groups = tuple(group for group in all_groups if group.combatants)
    return ImportedFile("Improved Initiative", filled_groups, tuple(dict.fromkeys(skipped)))


def _character(value: Object, skipped: list[str]) -> Iterator[ImportedCombatant]:
    """The combatant of a stat block, or of a persistent character that contains one; nothing if it has no name."""
    block = _object(value.get("StatBlock")) or value
    combatant = _block(block, skipped)
    if combatant is None:
        return
    now = int_or_none(value.get("CurrentHP"))
    yield replace(
        combatant,
        side="friend" if block is not value else combatant.side,
        hp=combatant.hp_max if now is None else now,
        note=plain_note(value.get("Notes")) or combatant.note,
    )


def _block(block: Object, skipped: list[str]) -> ImportedCombatant | None:
    name = plain_line(block.get("Name") or "")
    if not name:
        skipped.append("a stat block without a name")
        return None
    skipped += _other_keys(block, _BLOCK_KEYS)
    hp_max = int_or_none(_object(block.get("HP")).get("Value"))
    side = "friend" if block.get("Player") else "foe"
    return ImportedCombatant(name, side, hp_max, hp_max, _initiative(block), plain_note(block.get("Description")))


def _initiative(block: Object) -> int | None:
    """The initiative modifier: the stat block's own plus that of Dexterity, as the tracker adds them."""
    dexterity = int_or_none(_object(block.get("Abilities")).get("Dex"))
    bonus = int_or_none(block.get("InitiativeModifier"))
    if dexterity is None and bonus is None:
        return None
    return ((dexterity if dexterity is not None else 10) - 10) // 2 + (bonus or 0)


def _fighters(fighters: Sequence[Object], skipped: list[str]) -> Iterator[ImportedCombatant]:
    blocks = Counter(_block_name(fighter) for fighter in fighters)
    for fighter in fighters:
        combatant = _block(_object(fighter.get("StatBlock") or fighter.get("Statblock")), skipped)
        if combatant is None:
            continue
        skipped += _other_keys(fighter, _COMBATANT_KEYS)
        hp_max, now = int_or_none(fighter.get("MaxHP")) or combatant.hp_max, int_or_none(fighter.get("CurrentHP"))
        alias, label = plain_line(fighter.get("Alias") or ""), int_or_none(fighter.get("IndexLabel"))
        is_numbered = not alias and label is not None and (label > 1 or blocks[_block_name(fighter)] > 1)
        yield replace(
            combatant,
            name=alias or combatant.name,
            side="friend" if fighter.get("PersistentCharacterId") else combatant.side,
            hp=hp_max if now is None else now,
            hp_max=hp_max,
            note=plain_note(fighter.get("CurrentNotes")) or combatant.note,
            hidden=fighter.get("Hidden") is True,
            number=label if is_numbered else None,
        )


def _block_name(fighter: Object) -> str:
    return plain_line(_object(fighter.get("StatBlock") or fighter.get("Statblock")).get("Name") or "")


# Foundry


def _is_actor(item: Object) -> bool:
    stats = _stats(item)
    is_known = "attributes" in stats or "hp" in stats
    has_token = isinstance(item.get("prototypeToken"), dict) or isinstance(item.get("token"), dict)
    is_typed = str(item.get("type")).casefold() in _ACTOR_TYPES and ("system" in item or "data" in item)
    return isinstance(item.get("name"), str) and (is_known or has_token or is_typed)


def _stats(actor: Object) -> Object:
    return _object(actor.get("system")) or _object(actor.get("data"))


def _foundry(actors: Iterable[Object]) -> ImportedFile:
    combatants: list[ImportedCombatant] = []
    skipped: list[str] = []
    for actor in actors:
        name = plain_line(actor.get("name") or "")
        if not name or not _is_actor(actor):
            skipped.append(plain_line(actor.get("type") or "an actor without a name", 60))
            continue
        stats = _stats(actor)
        attributes = _object(stats.get("attributes"))
        raw_hp = attributes.get("hp") or stats.get("hp")
        hp = _object(raw_hp) or {"value": raw_hp}
        details = _object(stats.get("details"))
        biography = details.get("biography")
        text = _object(biography).get("value") or details.get("publicNotes") or biography
        now, most = amount_or_none(hp.get("value")), amount_or_none(hp.get("max"))
        combatants.append(
            ImportedCombatant(
                name,
                _side_of(actor),
                now.now if now is not None else None,
                most.now if most is not None else now.most if now is not None else None,
                _initiative_bonus(stats),
                plain_note(without_links(text)),
            )
        )
        skipped += _other_keys(actor, _ACTOR_KEYS)
        skipped += _other_keys(stats, {"attributes", "details", "hp", "initiative", "perception"})
        skipped += _other_keys(attributes, {"hp", "init", "initiative", "perception"})
        skipped += (f"hp.{key}" for key in _other_keys(hp, {"value", "max", "formula"}))
        init_keys = {"value", "total", "mod", "bonus", "ability"}
        skipped += (f"init.{key}" for key in _other_keys(_object(attributes.get("init")), init_keys))
        skipped += _other_keys(details, {"biography", "publicNotes"})
    groups = (ImportedGroup("", tuple(combatants)),) if combatants else ()
    return ImportedFile("Foundry Virtual Tabletop", groups, tuple(dict.fromkeys(skipped)))


def _initiative_bonus(stats: Object) -> int | None:
    """Return the initiative modifier: the total, else Dexterity's and bonuses (dnd5e), or Perception's (pf2e)."""
    attributes = _object(stats.get("attributes"))
    perception = _object(stats.get("perception") or attributes.get("perception"))
    dexterity = int_or_none(_object(_object(stats.get("abilities")).get("dex")).get("value"))
    init = _object(attributes.get("init"))
    total, bonuses = int_or_none(init.get("total")), [int_or_none(init.get(key)) for key in ("value", "bonus")]
    if total:
        return total
    bonus = None if bonuses == [None, None] else sum(each or 0 for each in bonuses)
    if dexterity is not None:
        return (dexterity - 10) // 2 + (bonus or 0)
    initiative = _object(stats.get("initiative"))
    others = (
        int_or_none(perception.get("mod")),
        int_or_none(perception.get("value")),
        int_or_none(initiative.get("mod")),
    )
    candidates = (bonus or None, *others, bonus, total)
    return next((number for number in candidates if number is not None), None)


def _side_of(actor: Object) -> str:
    token = _object(actor.get("prototypeToken")) or _object(actor.get("token"))
    if str(actor.get("type")).casefold() in _PLAYER_TYPES:
        return "friend"
    return _DISPOSITIONS.get(int_or_none(token.get("disposition")) or 0, "foe") if "disposition" in token else "foe"
