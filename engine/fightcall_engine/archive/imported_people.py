"""Combatants of other programs' files, as far as name, side, hit points, initiative and notes go.

What a file holds beside that is listed by its name. Readers of one kind of file are `tracker_files` and `sheet_table`.
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
"""Characters of a note that a sheet takes."""
_TAG = re.compile(r"<(?:br|/p|/li|/h\d)\s*/?>|<[^<>]{0,2000}>", re.IGNORECASE)
_ENTITIES = {"&nbsp;": " ", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'"}


@frozen
class Stranger:
    """A combatant as another program's file has it.

    Attributes:
        name: what it is called.
        side: ``friend``, ``foe``, a side of the system by its own name, or empty where nothing is said.
        hp: hit points now, None where nothing is said.
        hp_max: all hit points there can be.
        initiative: what is added to its die.
        note: what is written about it.
        hidden: the players do not see it.
        count: how many there are.
        label: one to three letters that name it.
        origin: where in the file it stands, such as ``line 3``; empty where that is no help.
        sheet: further numbers, by the sheet's own fields; texts are read as numbers where the sheet has some.
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
class Party:
    """Strangers who belong together; `title` is empty where the file has no name for them."""

    title: str
    strangers: tuple[Stranger, ...]


@frozen
class Foreign:
    """What a file holds.

    Attributes:
        kind: what sort of file it is, in words.
        parties: who is in it.
        left: what was not taken, each by its name, once.
        accepted: what could have stood there instead, in words; empty where there is nothing to say.
    """

    kind: str
    parties: tuple[Party, ...]
    left: tuple[str, ...] = ()
    accepted: str = ""


@frozen
class Taken:
    """What becomes of a party under a system.

    Attributes:
        encounter: with those that were taken.
        left: what the system's sheets have no field for, each by its name, once.
        refused: values that a sheet does not accept, each with whose it is and what would be accepted.
    """

    encounter: Encounter
    left: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


def plain_line(text: object, longest: int = LONGEST_NAME) -> str:
    """A text on one line, without control characters, and no longer than it may be."""
    letters = (" " if unicodedata.category(letter) in ("Cc", "Zl", "Zp") else letter for letter in str(text))
    return " ".join("".join(letters).split())[:longest].strip()


def plain_note(text: object) -> str:
    """A text of several lines without markup and control characters, no longer than a note may be."""
    if not isinstance(text, str):
        return ""
    bare = _TAG.sub(lambda tag: "" if tag[0][1:2].isalpha() and tag[0][1:3].lower() != "br" else "\n", text[:100_000])
    for entity, letter in _ENTITIES.items():
        bare = bare.replace(entity, letter)
    lines = (plain_line(line, LONGEST_NOTE) for line in bare.splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()[:LONGEST_NOTE].strip()


def whole(value: object) -> int | None:
    """A number that a file may have as a text; None where it is no whole number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e9 else None
    if isinstance(value, int):
        return value
    text = value.strip() if isinstance(value, str) else ""
    return int(text) if re.fullmatch(r"[+-]?\d{1,9}", text, re.ASCII) else None


def encounter_of_strangers(party: Party, name: str, system: BaseSystem) -> Taken:
    """An encounter with those of a party, who fight under a system."""
    joins: list[Join] = []
    unknown_fields: list[str] = []
    problems: list[str] = []
    sheet_keys = sheet_fields(system)
    for stranger in party.strangers:
        sheet, unknown, wrong = _sheet_of(stranger, system, sheet_keys)
        side = {"friend": system.sides[0], "foe": system.sides[1 % len(system.sides)]}.get(stranger.side, stranger.side)
        if side not in system.sides:
            wrong += [f"side: {plain_line(side, 40)!r}; accepted: {', '.join(system.sides)}"] if side else []
            side = system.sides[0]
        unknown_fields += unknown
        whose = ", ".join(part for part in (stranger.origin, stranger.name) if part)
        problems += (f"{whose}: {problem}" for problem in wrong)
        for unique_name in _names(stranger, {join.name for join in joins}):
            label = stranger.label if stranger.count == 1 else ""
            joins.append(Join(name=unique_name, side=side, sheet=sheet, hidden=stranger.hidden, label=label))
    encounter = Encounter(plain_line(party.title) or name, system.id, joins=tuple(joins))
    return Taken(encounter, tuple(dict.fromkeys(unknown_fields)), tuple(problems))


def sheet_fields(system: BaseSystem) -> frozenset[str]:
    """The fields of a system's sheet."""
    return frozenset(cast("Mapping[str, Json]", system.sheet_schema().get("properties", {})))


def _names(stranger: Stranger, used_names: Collection[str]) -> Iterable[str]:
    """A name for each: numbered where there are several, or where somebody is called so already."""
    if stranger.count == 1 and stranger.name not in used_names:
        return (stranger.name,)
    stem = stranger.name[: LONGEST_NAME - 8].strip()
    first = next(number for number in range(1, len(used_names) + 2) if f"{stem} {number}" not in used_names)
    return tuple(f"{stem} {first + number}" for number in range(stranger.count))


def _sheet_of(
    stranger: Stranger, system: BaseSystem, sheet_keys: frozenset[str]
) -> tuple[Mapping[str, Json], list[str], list[str]]:
    """What the sheet has a field for and accepts, what it has no field for, and what is wrong with other values."""
    raw_sheet: dict[str, Json] = dict(stranger.sheet)
    hp, most = (stranger.hp_max if stranger.hp is None else stranger.hp), stranger.hp_max
    health = system.health
    if hp is not None:
        raw_sheet[health] = hp
        if most is not None and 0 <= hp < most and f"{health}_now" in sheet_keys:
            raw_sheet |= {health: most, f"{health}_now": hp}
        elif most is not None and 0 <= hp < most and f"{health}_max" in sheet_keys:
            raw_sheet[f"{health}_max"] = most
    if stranger.initiative is not None:
        raw_sheet[system.initiative or "initiative"] = stranger.initiative
    if stranger.note:
        raw_sheet["note"] = stranger.note
    sheet = {key: value for key, value in raw_sheet.items() if key in sheet_keys}
    wrong: list[str] = []
    while True:
        try:
            valid_sheet = system.check_sheet(sheet, stranger.name)
        except BadInput as bad:
            # One after the other, for a number may be wrong only beside another one.
            key = next((key for key in sheet if bad.problems[0].startswith(key)), next(iter(sheet), None))
            if key is None:
                sheet = valid_sheet = {}
                break
            wrong.append(plain_line(bad.problems[0], 200).replace("Input should", "should"))
            del sheet[key]
            continue
        break
    final_sheet = {key: valid_sheet.get(key, value) for key, value in sheet.items()}
    return final_sheet, [key for key in raw_sheet if key not in sheet_keys], wrong
