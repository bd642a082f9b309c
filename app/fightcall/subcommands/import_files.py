"""``fightcall import``: combatants from tables or from other programs' files, as an encounter or as templates."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fightcall.paths import Paths
from fightcall.subcommands.console import OK, Unusable, say
from fightcall.subcommands.new_encounter import EASIEST
from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.encounter_reading import MOST_COMBATANTS
from fightcall_engine.archive.encounters import encounter_path, start_fight
from fightcall_engine.archive.imported_combatants import (
    LONGEST_NOTE,
    ImportedFile,
    ImportedGroup,
    ImportResult,
    make_encounter,
    plain_line,
    read_table,
    side_called,
)
from fightcall_engine.files.texts import read_bytes
from fightcall_engine.kit.registry import find_system
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import BadInput, Refused

if TYPE_CHECKING:
    from fightcall_engine.archive.catalogue import CombatantTemplate

LARGEST_IMPORT = 20_000_000
"""The largest file in bytes; a complete collection of another program fits."""
_MOST_LISTED = 40


def import_files(
    files: Sequence[Path], paths: Paths, system: str | None, *, name: str, side: str, as_templates: bool
) -> int:
    """Import the combatants of some files into encounters in the user's folder, or into the library's templates.

    Those that belong to no encounter in a file go into one together, named `name` or as the first file. Combatants
    without a side are of the side `side`, or of the foes' if it is empty.

    Raises:
        Unusable: a file has no combatants, too many for an encounter, or there is an encounter of the name already.
        BadInput: a file cannot be understood, or there is no such system or side. Nothing is imported then.
        OSError: a file cannot be read or written.
    """
    rules = find_system(system or EASIEST)
    default_side = side_called(side, rules)
    if side and not default_side:
        raise BadInput("--side", (f"there is no {plain_line(side, 40)!r}; accepted: {', '.join(rules.sides)}",))
    imported_files = [_read(file, rules) for file in files]
    for file, imported in zip(files, imported_files, strict=True):
        if not imported.groups:
            raise Unusable(f"{file}: {imported.kind} without combatants")
    groups = [group for imported in imported_files for group in imported.groups]
    ungrouped = tuple(combatant for group in groups if not group.title for combatant in group.combatants)
    merged_groups = ([ImportedGroup("", ungrouped)] if ungrouped else []) + [group for group in groups if group.title]
    if as_templates:
        merged_groups = [_one_of_each(group) for group in merged_groups]
    imports = [make_encounter(group, name or files[0].stem, rules, default_side) for group in merged_groups]
    if as_templates:
        _keep_templates([each.encounter for each in imports], paths)
    else:
        _save([each.encounter for each in imports], paths, name)
    for each in imports:
        _report_sides(each, rules)
    _report_skipped(
        (
            *(entry for imported in imported_files for entry in imported.skipped),
            *(entry for each in imports for entry in each.skipped),
        )
    )
    say(*(f"accepted: {imported.accepted}" for imported in imported_files if imported.accepted))
    problems = [problem for each in imports for problem in each.refused]
    say(*(f"not imported: {problem}" for problem in problems[:_MOST_LISTED]))
    if len(problems) > _MOST_LISTED:
        say(f"not imported: {len(problems) - _MOST_LISTED} more values like these")
    return OK


def _read(file: Path, system: BaseSystem) -> ImportedFile:
    content = read_bytes(file, LARGEST_IMPORT)
    encoding = "utf-16" if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        wording = f"line {line}: is not UTF-8 text; save it as UTF-8 (in a spreadsheet: CSV UTF-8)"
        raise BadInput(str(file), (wording,)) from error
    if file.suffix.casefold() != ".json" and text.lstrip()[:1] not in ("{", "["):
        return read_table(text, system, str(file))
    from fightcall_engine.archive.tracker_files import read_tracker_file

    return read_tracker_file(text, str(file))


def _save(encounters: list[Encounter], paths: Paths, name: str) -> None:
    """Save all of them, or none if one fails."""
    from fightcall_engine.archive.encounter_save import save_new

    targets: dict[Path, Encounter] = {}
    for encounter in encounters:
        if len(encounter.joins) > MOST_COMBATANTS:
            text = f"{len(encounter.joins)} combatants are too many; an encounter has at most {MOST_COMBATANTS}"
            raise Unusable(f"{text}; --templates saves them as templates instead")
        path = encounter_path(paths.encounters, encounter.name)
        if path.exists() or path in targets:
            other = "choose another one with --name" if not name else "choose another name"
            raise Unusable(f"{path} already exists; {other}")
        try:
            start_fight(encounter, id="preview", seed="1")
        except (BadInput, Refused) as error:
            raise Unusable(f"{encounter.name}: {error}") from error
        targets[path] = encounter
    for path, encounter in targets.items():
        save_new(encounter, path)
        count = len(encounter.joins)
        say(f"{path}: {count} combatant{'s' if count != 1 else ''}")
    say(f"edit it in the library, or play it: fightcall play {next(iter(targets)).stem}")


def _one_of_each(group: ImportedGroup) -> ImportedGroup:
    """A group with one combatant of each name, without number; of several the last one."""
    by_name = {combatant.name: replace(combatant, count=1, number=None) for combatant in group.combatants}
    return replace(group, combatants=tuple(by_name.values()))


def _report_sides(imported: ImportResult, system: BaseSystem) -> None:
    """Say on which side each combatant is, and of whom the file did not say it."""
    joins = imported.encounter.joins
    for side in system.sides:
        names = [join.name for join in joins if join.side == side]
        if names:
            say(f"side {side}: {_listed(names)}")
    if imported.unsided:
        side = next(join.side for join in joins if join.name == imported.unsided[0])
        others = " or ".join(f"--side {other}" for other in system.sides if other != side)
        no_side = f"no side: {_listed(imported.unsided)}"
        say(f"{no_side}; added to the side {side}. To change this, fill in a column called side, or use {others}")
    elif len(joins) > 1 and len({join.side for join in joins}) == 1:
        say(f"everyone is on the side {joins[0].side}")


def _keep_templates(encounters: Iterable[Encounter], paths: Paths) -> None:
    from fightcall.shelf import Shelf

    library = Shelf(paths).library
    templates = {template.name: template for encounter in encounters for template in _templates(encounter)}
    for template in templates.values():
        library.save_template(template)
    count = len(templates)
    say(f"{count} template{'s' if count != 1 else ''}; to add one to a fight, press a in its setup")


def _templates(encounter: Encounter) -> Iterable[CombatantTemplate]:
    from fightcall_engine.archive.catalogue import CombatantTemplate

    for join in encounter.joins:
        text = plain_line(join.sheet.get("note") or "", LONGEST_NOTE)
        note = text if len(text) <= 60 else text[:59].rstrip() + "…"
        yield CombatantTemplate.model_validate(
            {"name": join.name, "system": encounter.system, "side": join.side, "sheet": dict(join.sheet), "notes": note}
        )


def _report_skipped(entries: Iterable[str]) -> None:
    names = tuple(dict.fromkeys(plain_line(entry, 120) for entry in entries))
    if names:
        say(f"not imported: {_listed(names)}")


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return ", ".join(names[:_MOST_LISTED]) + more
