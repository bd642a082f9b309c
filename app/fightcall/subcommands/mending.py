"""``fightcall check`` and ``fightcall repair``: journals, and the library that lists them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fightcall.paths import Paths
from fightcall.subcommands.naming import find_fight, journals
from fightcall.subcommands.output import FAILED, OK, Unusable, complain, say
from fightcall.subcommands.wording import in_words, name_of
from fightcall_engine.archive.lines import DamagedJournal
from fightcall_engine.archive.repair import check as check_journal
from fightcall_engine.archive.repair import repair
from fightcall_engine.errors import FightCallError


def check(names: Sequence[str], paths: Paths) -> int:
    """Look at some fights and encounter files. Nothing is changed.

    Raises:
        Unusable: there is no such fight; those before it have been looked at.
    """
    return max(
        check_encounter(Path(name)) if name.endswith(".toml") else check_fight(find_fight(name, paths))
        for name in names
    )


def check_encounter(path: Path) -> int:
    """Read an encounter file."""
    from fightcall_engine.archive.encounters import load_encounter

    try:
        found = load_encounter(path)
    except FightCallError as error:
        return complain(in_words(error))
    say(f"{path}: {found.name}, {len(found.joins)} combatants; nothing wrong")
    return OK


def check_fight(journal: Path) -> int:
    """Look at every line of a journal, and play it through. Nothing is changed."""
    found = check_journal(journal)
    for problem in found.problems:
        complain(f"{journal}, {problem}")
    if found.problems:
        say(f"{found.lines} lines before the damage; to repair it: fightcall repair {name_of(journal)}")
        return FAILED
    trouble = _playing_problem(journal)
    if trouble:
        return complain(f"{journal}: every line is whole, but they cannot be played: {trouble}")
    if found.torn is not None:
        say(
            f"{journal.stem}: {found.lines} lines, all sound; line {found.torn.line} was cut off while it was written, "
            "and was never acknowledged. It is put aside when the fight is next opened."
        )
    else:
        say(f"{journal.stem}: {found.lines} lines, all sound")
    return OK


def _playing_problem(journal: Path) -> str:
    from fightcall_engine.fight import Fight

    try:
        Fight.watch(journal)
    except FightCallError as error:
        return str(error)
    return ""


def repair_fight(journal: Path) -> int:
    """Rewrite a damaged journal with all that can be trusted; the original is kept beside it.

    Raises:
        LockedByAnother: the fight is being played.
        Unusable: not even its first line can be trusted; nothing was changed.
    """
    try:
        done = repair(journal)
    except DamagedJournal as damage:
        raise Unusable(f"{damage}\nwithout its first line there is nothing to go by; nothing was changed") from damage
    if done.original is None:
        say(f"{journal.stem}: {done.kept} lines, all sound; nothing to repair")
        return OK
    for problem in done.problems:
        say(f"{journal.stem}, {problem}")
    lost = f"; {done.dropped} whole lines follow a gap and are left out" if done.dropped else ""
    say(f"{journal.stem}: {done.kept} lines kept{lost}", f"the original is {done.original}")
    return OK


def check_everything(paths: Paths) -> int:
    """Look at all that the user has: the library, every fight, settings, keys, themes and encounters."""
    codes = [check_fight(path) for path in journals(paths).values()]
    problems = [*_library_problems(paths), *_file_problems(paths)]
    for problem in problems:
        complain(problem)
    if not problems:
        say("library, settings, keys, themes and encounters: all sound")
    return FAILED if problems or FAILED in codes else OK


def _library_problems(paths: Paths) -> list[str]:
    """What is wrong with the catalogue; the journals are looked at one by one."""
    from fightcall_engine.archive.catalogue import Catalogue
    from fightcall_engine.archive.storage import SafeStorage

    path = paths.library / "library.json"
    if not path.exists():
        return []
    try:
        return Catalogue(SafeStorage(path)).problems()
    except FightCallError as error:
        return [in_words(error)]


def _file_problems(paths: Paths) -> list[str]:
    from fightcall.settings import settings_problems
    from fightcall.subcommands.keysheet import user_keys
    from fightcall.themes import find_shipped_themes, load_themes
    from fightcall_engine.archive.encounters import load_encounter

    found = [str(problem) for problem in settings_problems(paths.settings)]
    found += map(str, user_keys(paths)[1])
    found += map(str, load_themes([find_shipped_themes(), paths.themes])[1])
    for path in sorted(paths.encounters.glob("*.toml")):
        try:
            load_encounter(path)
        except FightCallError as error:
            found.append(in_words(error))
    return found


def repair_library(paths: Paths) -> int:
    """Bring a damaged catalogue back: from its backup, or else from the journals. The damaged file is kept."""
    from fightcall.shelf import Shelf

    say(Shelf(paths).recover())
    return OK
