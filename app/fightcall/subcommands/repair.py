"""``fightcall check`` and ``fightcall repair``, for journals, the library and files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fightcall.subcommands.console import (
    FAILED,
    OK,
    Unusable,
    complain,
    find_fight,
    in_words,
    is_encounter,
    is_journal_path,
    journals,
    name_of,
    say,
)
from fightcall.user_files import Paths, Problem, TomlText, did_you_mean, read_toml, repaired_in_words
from fightcall_engine.archive.journal import check_journal, read_journal, repair
from fightcall_engine.archive.lines import DamagedJournal, Reading
from fightcall_engine.files.games import GameFile
from fightcall_engine.kit.plugins import find_system, game_at, game_files, game_of, read_rules, system_names
from fightcall_engine.model.errors import BadInput, FightCallError, TooOld

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


def check(names: Sequence[str], paths: Paths) -> int:
    """Check fights and files, without changing them.

    Raises:
        Unusable: there is no such fight; those before it have been checked.
    """
    return max(_check_one(name, paths) for name in names)


def _check_one(name: str, paths: Paths) -> int:
    from fightcall_engine.archive.encounter import setting_of_file

    match = setting_of_file(Path(name)) if "." in name else None
    if match is not None:
        return check_setting_file(Path(name), *match)
    game = next((each for each in game_files().values() if each.path.absolute() == Path(name).absolute()), None)
    if game is not None:
        return check_game(game, paths)
    if name.endswith(".toml") and _is_game(Path(name), paths):
        return check_game(game_at(Path(name)), paths)
    if name.endswith(".toml"):
        problems = _problems_of_own_file(Path(name), paths)
        return check_encounter(Path(name), paths) if problems is None else _say_problems(name, problems)
    is_fight = is_journal_path(name) or name in journals(paths)
    if not is_fight and is_encounter(name, paths):
        return check_encounter(name, paths)
    game = game_of(name)
    if not is_fight and game is not None:
        return check_game(game, paths)
    return check_fight(find_fight(name, paths))


def _is_game(path: Path, paths: Paths) -> bool:
    """Whether a file is that of a game, by its folder or by its tables."""
    if path.absolute().parent.name == paths.systems.name:
        return path.is_file()
    read = read_toml(path) if path.is_file() else None
    return isinstance(read, TomlText) and "pools" in read.data and "system" not in read.data


def _problems_of_own_file(path: Path, paths: Paths) -> tuple[Problem, ...] | None:
    """The problems of a key map, a settings file or a theme; None for any other file.

    The first two are recognised by their names, a theme by its folder.

    Raises:
        Unusable: file not found.
    """
    kinds = {paths.keys.name: "keys", paths.settings.name: "settings"}
    kind = "theme" if path.absolute().parent.name == paths.themes.name else kinds.get(path.name)
    if kind is None:
        return None
    if not path.is_file():
        raise Unusable(f"{path}: file not found")
    if kind == "keys":
        from fightcall.actions import known_keys
        from fightcall.settings import load_keymap, option_keys

        return load_keymap(path, known_keys(option_keys()))[1]
    if kind == "settings":
        from fightcall.settings import settings_problems

        return settings_problems(path)
    from fightcall.themes import find_shipped_themes, load_themes

    problems = load_themes([find_shipped_themes(), path.parent])[1]
    return tuple(problem for problem in problems if problem.path == path)


def _say_problems(name: str, problems: Sequence[Problem]) -> int:
    for problem in problems:
        complain(str(problem))
    if problems:
        return FAILED
    say(f"{name}: no problems")
    return OK


def check_setting_file(path: Path, system: BaseSystem, key: str) -> int:
    """Check a file for a setting of a system."""
    from fightcall_engine.archive.encounter import read_setting_file

    try:
        read_setting_file(system, key, path)
    except FightCallError as error:
        return complain(in_words(error))
    say(f"{path}: {key} of {system.title}; no problems")
    return OK


def check_game(game: GameFile, paths: Paths) -> int:
    """Check the rules of a game in a file, and that no act has a key that hides one of the screen's."""
    from fightcall.actions import KeyNames, taken_keys
    from fightcall.subcommands.listings import user_keys

    if game.problems:
        return complain(in_words(BadInput(str(game.path), game.problems)))
    systems = (game.name,) if game_of(game.name) == game else ()
    keys = taken_keys(KeyNames(user_keys(paths)[0]), systems)
    if keys:
        return complain(in_words(BadInput(str(game.path), keys)))
    say(f"{game.path}: the rules of {read_rules(game.rules_text, game.name).title}; no problems")
    return OK


def check_encounter(path: str | Path, paths: Paths) -> int:
    """Check an encounter by its file, or by its name as for ``play``."""
    from fightcall_engine.archive.encounters import load_encounter

    try:
        encounter = load_encounter(path, [paths.encounters], paths.setting_files)
    except FightCallError as error:
        return complain(in_words(error))
    for warning in encounter.warnings:
        complain(f"{path}, {warning}")
    if encounter.warnings:
        return FAILED
    say(f"{path}: {encounter.name}, {len(encounter.joins)} combatants; no problems")
    return OK


def check_fight(journal: Path) -> int:
    """Check every line of a journal, and play it through, without changing it."""
    try:
        report = check_journal(journal)
    except TooOld as old:
        return complain(f"{journal}: {old}")
    for problem in report.problems:
        complain(f"{journal}, {problem}")
    if report.problems:
        say(f"{report.lines} lines before the damage; to repair it: fightcall repair {name_of(journal)}")
        return FAILED
    from fightcall_engine.play.fight import playing_problem

    trouble = playing_problem(read_journal(journal))
    if trouble:
        return complain(f"{journal}: every line is intact, but they can't be played: {trouble}")
    if report.torn is not None:
        say(
            f"{journal.stem}: {report.lines} lines, no problems; line {report.torn.line} is incomplete: writing it was "
            "interrupted, or the file was cut. It is moved aside when you next open the fight."
        )
    else:
        say(f"{journal.stem}: {report.lines} lines, no problems")
    return OK


def repair_fight(journal: Path) -> int:
    """Rewrite a damaged journal with everything that can be trusted. The original is kept beside it.

    Raises:
        LockedByAnother: the fight is being played.
        Unusable: not even its header can be trusted; nothing was changed.
    """
    try:
        report = repair(journal, _can_be_played)
    except DamagedJournal as damage:
        raise Unusable(f"{damage}\nit can't be repaired without its first line; nothing was changed") from damage
    if report.original is None:
        say(f"{journal.stem}: {report.kept} lines, nothing to repair")
        return OK
    for problem in report.problems:
        say(f"{journal.stem}, {problem}")
    say(f"{journal.stem}: {repaired_in_words(report)}", f"the original is {report.original}")
    return OK


def _can_be_played(reading: Reading) -> bool:
    """Whether a journal can be played. Only needed if a line is missing, so its modules are imported here."""
    from fightcall_engine.play.fight import can_be_played

    return can_be_played(reading)


def _check_listed_fight(journal: Path) -> int:
    try:
        return check_fight(journal)
    except OSError as error:
        return complain(in_words(error))


def check_everything(paths: Paths) -> int:
    """Check everything: the library, all fights, settings, keys, themes, games and encounters."""
    codes = [_check_listed_fight(path) for path in journals(paths).values()]
    codes += _check_setting_files(paths.setting_files)
    codes += [check_game(game, paths) for game in game_files().values() if game.is_own]
    problems = [*_library_problems(paths), *_file_problems(paths)]
    for problem in problems:
        complain(problem)
    if not problems:
        say("library, settings, keys, themes and encounters: no problems")
    return FAILED if problems or FAILED in codes else OK


def _check_setting_files(folder: Path) -> list[int]:
    from fightcall_engine.archive.encounter import misnamed_files, setting_file_paths

    systems = [find_system(name) for name in system_names()]
    files = [(path, system, key) for system in systems for key, path in setting_file_paths(system, folder).items()]
    codes = [check_setting_file(*item) for item in files]
    return codes + [complain(in_words(problem)) for problem in misnamed_files(folder)]


def _library_problems(paths: Paths) -> list[str]:
    """The problems of the catalogue. Journals are checked one by one."""
    from fightcall_engine.archive.catalogue import Catalogue, SafeStorage

    try:
        return Catalogue(SafeStorage(paths.library / "library.json")).problems()
    except FightCallError as error:
        return [in_words(error)]


def _file_problems(paths: Paths) -> list[str]:
    from fightcall.settings import read_settings, settings_problems
    from fightcall.subcommands.listings import user_keys
    from fightcall.themes import find_shipped_themes, load_themes
    from fightcall_engine.archive.encounters import load_encounter

    problems = [str(problem) for problem in settings_problems(paths.settings)]
    problems += map(str, user_keys(paths)[1])
    themes, theme_problems = load_themes([find_shipped_themes(), paths.themes])
    problems += map(str, theme_problems)
    name, names = read_settings(paths.settings).theme, tuple(themes)
    if name and name not in themes:
        problems.append(f"{paths.settings}: no theme {name!r}; there are {', '.join(names)}{did_you_mean(name, names)}")
    for path in sorted(paths.encounters.glob("[!.]*.toml")):
        try:
            problems += [
                f"{path}, {warning}"
                for warning in load_encounter(path, [paths.encounters], paths.setting_files).warnings
            ]
        except FightCallError as error:
            if not (isinstance(error, BadInput) and Path(error.where).is_relative_to(paths.setting_files)):
                problems.append(in_words(error))
    return problems


def repair_library(paths: Paths) -> int:
    """Recover a damaged catalogue from its backup, else from the journals. The damaged file is kept."""
    from fightcall.shelf import Shelf

    say(Shelf(paths).recover())
    return OK
