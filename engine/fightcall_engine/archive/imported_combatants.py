"""Combatants read from other programs' files, and how they become an encounter.

Only name, side, hit points, initiative and notes are imported; other entries are listed as skipped. The readers are
`tracker_files` and `sheet_table`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import count
from typing import cast

from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.imported_texts import CUT_MARK, LONGEST_NOTE, plain_line
from fightcall_engine.files.parts import LONGEST_NAME
from fightcall_engine.kit.squads import squad_of
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen

SIDE_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("friend", "friends", "friendly", "ally", "allies", "allied", "party", "pc", "pcs"), "friend"),
    **dict.fromkeys(("player", "players", "player_character", "player_characters", "hero", "heroes"), "friend"),
    **dict.fromkeys(("foe", "foes", "enemy", "enemies", "hostile", "hostiles", "monster", "monsters"), "foe"),
    **dict.fromkeys(("npc", "npcs", "opponent", "opponents", "adversary", "adversaries", "villain", "villains"), "foe"),
    **dict.fromkeys(("neutral", "neutrals", "other", "others", "bystander", "bystanders"), "neutral"),
}
"""What people call a side, besides the names that the system has."""


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

    Args:
        group: the combatants.
        name: the encounter's name if the group has none.
        system: the rule system.
        side: the side for combatants without one; the foes' by default.
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
