"""Combatants read from other programs' files, and how they become an encounter.

Only name, side, hit points, initiative and notes are imported; other entries are listed as skipped. The readers are
`tracker_files` and `sheet_table`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from typing import cast

from fightcall_engine.archive.encounter_file import Encounter
from fightcall_engine.files.parts import LONGEST_NAME
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen

LONGEST_NOTE = 2000
"""The greatest length of a sheet's note, in characters."""
_TAG = re.compile(r"<(?:br|/p|/li|/h\d)\s*/?>|<[^<>]{0,2000}>", re.IGNORECASE)
_ENTITIES = {"&nbsp;": " ", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'"}


@frozen
class ImportedCombatant:
    """A combatant as read from another program's file.

    Attributes:
        side: ``friend``, ``foe``, the name of a side of the system, or empty if unknown.
        hp: current hit points, None if unknown.
        hp_max: the maximum of hit points, None if unknown.
        initiative: the modifier of its initiative roll.
        hidden: hidden from the players.
        count: how many combatants it stands for.
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
    """

    encounter: Encounter
    skipped: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def plain_line(text: object, longest: int = LONGEST_NAME) -> str:
    """A text on one line without control characters, cut to `longest` characters."""
    letters = (" " if unicodedata.category(letter) in ("Cc", "Zl", "Zp") else letter for letter in str(text))
    return " ".join("".join(letters).split())[:longest].strip()


def plain_note(text: object) -> str:
    """A text without HTML tags and control characters, cut to `LONGEST_NOTE`; empty if the value is no text."""
    if not isinstance(text, str):
        return ""
    bare = _TAG.sub(lambda tag: "" if tag[0][1:2].isalpha() and tag[0][1:3].lower() != "br" else "\n", text[:100_000])
    for entity, letter in _ENTITIES.items():
        bare = bare.replace(entity, letter)
    lines = (plain_line(line, LONGEST_NOTE) for line in bare.splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()[:LONGEST_NOTE].strip()


def int_or_none(value: object) -> int | None:
    """A whole number, also from a text or a float with an integral value; None for any other value."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e9 else None
    if isinstance(value, int):
        return value
    text = value.strip() if isinstance(value, str) else ""
    return int(text) if re.fullmatch(r"[+-]?\d{1,9}", text, re.ASCII) else None


def make_encounter(group: ImportedGroup, name: str, system: BaseSystem) -> ImportResult:
    """Make an encounter of a group, with sheets of the given system."""
    joins: list[Join] = []
    unknown_fields: list[str] = []
    problems: list[str] = []
    sheet_keys = sheet_fields(system)
    for combatant in group.combatants:
        sheet, unknown, sheet_problems = _sheet_of(combatant, system, sheet_keys)
        side = {"friend": system.sides[0], "foe": system.sides[1 % len(system.sides)]}.get(
            combatant.side, combatant.side
        )
        if side not in system.sides:
            sheet_problems += [f"side: {plain_line(side, 40)!r}; accepted: {', '.join(system.sides)}"] if side else []
            side = system.sides[0]
        unknown_fields += unknown
        whose = ", ".join(part for part in (combatant.origin, combatant.name) if part)
        problems += (f"{whose}: {problem}" for problem in sheet_problems)
        for unique_name in _names(combatant, {join.name for join in joins}):
            label = combatant.label if combatant.count == 1 else ""
            joins.append(Join(name=unique_name, side=side, sheet=sheet, hidden=combatant.hidden, label=label))
    encounter = Encounter(plain_line(group.title) or name, system.id, joins=tuple(joins))
    return ImportResult(encounter, tuple(dict.fromkeys(unknown_fields)), tuple(problems))


def sheet_fields(system: BaseSystem) -> frozenset[str]:
    """The names of the fields of a system's sheet."""
    return frozenset(cast("Mapping[str, Json]", system.sheet_schema().get("properties", {})))


def _names(combatant: ImportedCombatant, used_names: Collection[str]) -> Iterable[str]:
    """A unique name for each combatant, numbered if there are several or the name is in use."""
    if combatant.count == 1 and combatant.name not in used_names:
        return (combatant.name,)
    stem = combatant.name[: LONGEST_NAME - 8].strip()
    first = next(number for number in range(1, len(used_names) + 2) if f"{stem} {number}" not in used_names)
    return tuple(f"{stem} {first + number}" for number in range(combatant.count))


def _sheet_of(
    combatant: ImportedCombatant, system: BaseSystem, sheet_keys: frozenset[str]
) -> tuple[Mapping[str, Json], list[str], list[str]]:
    """The valid sheet, the names of values without a field, and the errors of the values left out as invalid."""
    raw_sheet: dict[str, Json] = dict(combatant.sheet)
    hp, hp_max = (combatant.hp_max if combatant.hp is None else combatant.hp), combatant.hp_max
    health = system.health
    if hp is not None:
        raw_sheet[health] = hp
        if hp_max is not None and 0 <= hp < hp_max and f"{health}_now" in sheet_keys:
            raw_sheet |= {health: hp_max, f"{health}_now": hp}
        elif hp_max is not None and 0 <= hp < hp_max and f"{health}_max" in sheet_keys:
            raw_sheet[f"{health}_max"] = hp_max
    if combatant.initiative is not None:
        raw_sheet[system.initiative or "initiative"] = combatant.initiative
    if combatant.note:
        raw_sheet["note"] = combatant.note
    sheet = {key: value for key, value in raw_sheet.items() if key in sheet_keys}
    sheet_problems: list[str] = []
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
