"""``fightcall import``: combatants from a table or from another program's file, as an encounter or as templates."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from fightcall.paths import Paths
from fightcall.subcommands.new_encounter import EASIEST
from fightcall.subcommands.output import OK, Unusable, say
from fightcall_engine.archive.encounter_models import MOST_COMBATANTS
from fightcall_engine.archive.encounters import Encounter, encounter_path, start_fight
from fightcall_engine.archive.imported_people import Foreign, encounter_of_strangers, plain_line
from fightcall_engine.files.texts import read_text
from fightcall_engine.kit.registry import find_system
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import BadInput, Refused

if TYPE_CHECKING:
    from fightcall_engine.archive.cards import CombatantTemplate

LARGEST_IMPORT = 20_000_000
"""Bytes; a whole collection of another program fits."""
_MOST_LISTED = 40


def import_file(file: Path, paths: Paths, system: str | None, *, name: str, as_templates: bool) -> int:
    """Take over who is in a file: into encounters of the user's own, or into the library's templates.

    Raises:
        Unusable: nobody is in it, there are too many for an encounter, or there is an encounter of the name already.
        BadInput: the file is nothing that can be read, and why; or there is no such system.
        OSError: it cannot be read, or nothing can be written.
    """
    rules = find_system(system or EASIEST)
    foreign = _read(file, rules)
    if not foreign.parties:
        raise Unusable(f"{file}: {foreign.kind} with nobody in it")
    made = [encounter_of_strangers(party, name or file.stem, rules) for party in foreign.parties]
    encounters = [encounter for encounter, _ in made]
    left = (*foreign.left, *(lost for _, losses in made for lost in losses))
    if as_templates:
        _keep_templates(encounters, paths)
    else:
        _save(encounters, paths, name)
    _say_left(left)
    return OK


def _read(file: Path, system: BaseSystem) -> Foreign:
    try:
        text = read_text(file, LARGEST_IMPORT)
    except UnicodeDecodeError as error:
        raise BadInput(str(file), (f"is not UTF-8 text (byte {error.start})",)) from error
    if file.suffix.casefold() != ".json" and text.lstrip()[:1] not in ("{", "["):
        from fightcall_engine.archive.sheet_table import read_table

        return read_table(text, system, str(file))
    from fightcall_engine.archive.tracker_files import read_tracker_file

    return read_tracker_file(text, str(file))


def _save(encounters: list[Encounter], paths: Paths, name: str) -> None:
    """Save all of them, or none where one cannot be."""
    from fightcall_engine.archive.encounter_save import save_new

    targets: dict[Path, Encounter] = {}
    for encounter in encounters:
        if len(encounter.joins) > MOST_COMBATANTS:
            said = f"{len(encounter.joins)} combatants are more than the {MOST_COMBATANTS} of an encounter"
            raise Unusable(f"{said}; --templates keeps them as templates instead")
        path = encounter_path(paths.encounters, encounter.name)
        if path.exists() or path in targets:
            other = "give another one by --name" if not name else "choose another name"
            raise Unusable(f"{path} is there already; {other}")
        try:
            start_fight(encounter, id="preview", seed="1")
        except (BadInput, Refused) as error:
            raise Unusable(f"{encounter.name}: {error}") from error
        targets[path] = encounter
    for path, encounter in targets.items():
        save_new(encounter, path)
        count = len(encounter.joins)
        say(f"{path}: {count} combatant{'s' if count != 1 else ''}")
    say(f"change it in the library, or play it: fightcall play {next(iter(targets)).stem}")


def _keep_templates(encounters: Iterable[Encounter], paths: Paths) -> None:
    from fightcall.shelf import Shelf

    library = Shelf(paths).library
    templates = {template.name: template for encounter in encounters for template in _templates(encounter)}
    for template in templates.values():
        library.save_template(template)
    count = len(templates)
    say(f"{count} template{'s' if count != 1 else ''}; a in the set-up of a fight adds one")


def _templates(encounter: Encounter) -> Iterable[CombatantTemplate]:
    from fightcall_engine.archive.cards import CombatantTemplate

    for join in encounter.joins:
        note = plain_line(join.sheet.get("note") or "", 60)
        yield CombatantTemplate.model_validate(
            {"name": join.name, "system": encounter.system, "side": join.side, "sheet": dict(join.sheet), "notes": note}
        )


def _say_left(left: Iterable[str]) -> None:
    names = tuple(dict.fromkeys(plain_line(name, 120) for name in left))
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    if names:
        say(f"not taken: {', '.join(names[:_MOST_LISTED])}{more}")
