"""Texts to read, and what is wrong with files.

``fightcall list``, ``themes``, ``guide``, ``keys``, ``completion``, ``--help``, ``check`` and ``repair``.
"""

from __future__ import annotations

import os
import re
import textwrap
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from fightcall.actions import (
    OPTION,
    SCOPES,
    KeyNames,
    actions_of,
    known_keys,
    short_key,
    taken_keys,
    taken_keys_of_game,
)
from fightcall.guide import NAMES, page_for, read_pages
from fightcall.paint.runs import clean, when_text
from fightcall.settings import (
    OfferedKey,
    Paths,
    Problem,
    TomlText,
    did_you_mean,
    load_keymap,
    option_keys,
    read_settings,
    read_toml,
    repaired_in_words,
    settings_problems,
)
from fightcall.subcommands.console import (
    FAILED,
    LAST,
    OK,
    Names,
    Unusable,
    complain,
    encounter_names,
    find_fight,
    in_words,
    is_encounter,
    is_journal_path,
    journals,
    missing_packages,
    name_of,
    say,
    tabulate,
)
from fightcall_engine.archive.journal import check_journal, read_journal, repair
from fightcall_engine.archive.lines import DamagedJournal, Reading
from fightcall_engine.files import GameFile
from fightcall_engine.kit.plugins import (
    find_system,
    game_at,
    game_files,
    game_of,
    is_installed,
    plugin_names,
    read_rules,
    system_names,
)
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import BadInput, FightCallError, TooOld
from fightcall_engine.model.values import frozen

Keymap = Mapping[str, str]
"""The user's keys by action id."""

Options = Sequence[OfferedKey]
"""The options of the installed systems."""

Row = tuple[str, str, str, str]
"""Keys, what the key bar calls it, its name in `keys.toml`, what it does."""
Rows = list[Row]

CHANGES = "To change keys, write their names and new keys in a file `keys.toml`; see: fightcall guide running"

_FILE = Path(__file__).with_name("manual.toml")
PROGRAM = "fightcall"
"""The name of the program's own page."""


def fights_and_encounters(paths: Paths) -> int:
    """List the saved fights, the latest first, the encounters, and the user's own games."""
    from fightcall.shelf import Shelf

    contents = Shelf(paths).read()
    code = complain(contents.damage) if contents.damage else OK
    fights = [
        (item.id, item.name, item.played_elsewhere or item.status, item.round, when_text(item.updated))
        for item in contents.fights
    ]
    say("Fights:" if fights else "Fights: none yet. Start one with: fightcall play a-first-fight")
    say(*(f"  {line}" for line in tabulate(fights)))
    owners = {"yours": "yours", "unsaved": "not saved"}
    encounters = [
        (item.path.stem if item.path else item.id, item.name, "damaged" if item.problem else item.system, owner)
        for item in contents.encounters
        for owner in [owners.get(item.status, "")]
    ]
    say("", "Encounters:", *(f"  {line}" for line in tabulate(encounters)))
    games = [game for game in game_files().values() if game.is_own]
    if games:
        rows = [
            (game.name, game.path.name, "damaged") if game.problems else (game.name, find_system(game.name).title, "")
            for game in games
        ]
        say("", f"Your own games, in {paths.systems}:", *(f"  {line}" for line in tabulate(rows)))
    else:
        say("", f"Your own games: none yet. Their folder is {paths.systems}; write one with: fightcall new-system NAME")
    if contents.trash:
        say("", f"In the trash: {len(contents.trash)}")
    problems = [*contents.problems, *(f"{item.path}: {item.problem}" for item in contents.encounters if item.problem)]
    problems += [f"{game.path}: {game.summary}" for game in games if game.problems]
    for problem in problems:
        code = complain(problem)
    return code


def themes(paths: Paths) -> int:
    """List the themes, marking the one in use, and all problems of the user's own."""
    from fightcall.themes import DEFAULT_THEME, find_shipped_themes, load_shipped, load_themes

    shipped_folder = find_shipped_themes()
    if any(paths.themes.glob("[!.]*.toml")):
        by_name, problems = load_themes([shipped_folder, paths.themes])
    else:
        # The program's own themes need no check by a model, which would take most of the time.
        names = sorted(path.stem for path in shipped_folder.glob("*.toml"))
        by_name, problems = {name: load_shipped(name) for name in names}, ()
    current = read_settings(paths.settings).theme or DEFAULT_THEME
    say(*tabulate([("*" if theme.name == current else "", theme.name, theme.about) for theme in by_name.values()]))
    for problem in problems:
        complain(str(problem))
    return FAILED if problems else OK


def guide(name: str) -> int:
    """Print a page of the guide; without a name, the contents."""
    pages = {page.name: page for page in read_pages()}
    if name not in pages and is_installed(name):
        pages[name] = page_for("fight", find_system(name))
    if name:
        if name not in pages:
            near = did_you_mean(name, list(pages))
            raise Unusable(f"the guide has no page {name!r}{near or '; the pages are ' + ', '.join(pages)}")
        say(*pages[name].text.rstrip().splitlines())
        return OK
    say("The guide (F1 in the program). To read a page: fightcall guide PAGE", "")
    say(*(f"  {line}" for line in tabulate((page.name, page.title) for page in pages.values())))
    return OK


# ``fightcall keys``


def print_keys(paths: Paths, form: str) -> int:
    """Print the sheet as ``txt`` or ``md``, and all problems of the user's key map."""
    keymap, problems = user_keys(paths)
    for line in (_markdown if form == "md" else _text)(keymap, option_keys()):
        print(line)
    names = KeyNames(keymap)
    games = (find_system(game.name) for game in game_files().values() if game.is_own and not game.problems)
    of_games = (line for game in games for line in _keys_taken_from(game, names))
    for problem in (*problems, *taken_keys(names, plugin_names()), *of_games):
        complain(str(problem))
    return FAILED if problems else OK


def _keys_taken_from(game: BaseSystem, names: KeyNames) -> tuple[str, ...]:
    from fightcall.flows.base import MEANINGS

    return taken_keys_of_game(names, game, MEANINGS)


def user_keys(paths: Paths) -> tuple[Keymap, tuple[Problem, ...]]:
    """The user's key map, and its problems."""
    if not os.path.lexists(paths.keys):
        return {}, ()
    return load_keymap(paths.keys, known_keys(option_keys()))


def sections(keymap: Keymap, options: Options) -> Iterator[tuple[str, list[tuple[str, Rows]]]]:
    """The sections of the sheet: the heading of each scope, and its groups with their rows."""
    for scope, heading in SCOPES.items():
        groups: dict[str, Rows] = {}
        for action in actions_of(scope):
            row = _row(keymap, action.keys, action.text, action.id, action.tooltip)
            groups.setdefault(action.group, []).append(row)
        for item in options if scope == "fight" else ():
            row = _row(keymap, (item.key,), re.sub("[-_]", " ", item.action), OPTION + item.action)
            groups.setdefault(f"What a combatant can do: {', '.join(item.systems)}", []).append(row)
        yield heading, list(groups.items())


def _row(keymap: Keymap, usual: Sequence[str], text: str, id: str, tooltip: str = "") -> Row:
    bound_keys = keymap.get(id)
    if bound_keys is not None:
        usual = [key if "+" in key else short_key(key, plain=True) for key in bound_keys.split(",")]
    return " ".join(usual), text, id, tooltip


def _text(keymap: Keymap, options: Options) -> Iterator[str]:
    yield "FIGHT CALL: KEYS"
    for heading, groups in sections(keymap, options):
        yield from ("", heading.upper())
        for group, rows in groups:
            if group != heading:
                yield f"  {group}"
            yield from (f"    {line}" for line in tabulate(rows))
    yield from ("", CHANGES)


def _markdown(keymap: Keymap, options: Options) -> Iterator[str]:
    yield "# Fight Call: keys"
    for heading, groups in sections(keymap, options):
        yield from ("", f"## {heading}")
        for group, rows in groups:
            yield from ("", f"### {group}", "") if group != heading else ("",)
            yield from ("| Keys | | Name | What it does |", "|---|---|---|---|")
            for row in rows:
                keys, text, name, tooltip = (clean(cell).replace("|", "\\|") for cell in row)
                keys_text = " ".join(f"`{key}`" for key in keys.split())
                yield f"| {keys_text} | {text} | {name} | {tooltip} |"
    yield from ("", CHANGES)


# ``fightcall completion``


def names_to_complete(paths: Paths) -> Names:
    """The present names. A script does not know later ones."""
    from fightcall.themes import find_shipped_themes

    paths_found = journals(paths)
    themes = sorted(path.stem for folder in (find_shipped_themes(), paths.themes) for path in folder.glob("[!.]*.toml"))
    fights = (LAST, *paths_found) if paths_found else ()
    return Names(fights, tuple(encounter_names(paths)), tuple(system_names()), tuple(dict.fromkeys(themes)), NAMES)


def completion(shell: str, parser: ArgumentParser) -> int:
    """Print the script for one of the shells of `console.SHELLS`."""
    try:
        import shtab
    except ImportError:
        raise missing_packages("a completion script", ("shtab",), "completion") from None
    print(shtab.complete(parser, shell))
    return OK


# The texts of ``--help`` besides the arguments


_WIDE, _WIDEST = 80, 100
"""The width of a usual terminal, and of the longest readable line."""


@frozen
class Page:
    """The manual page of a subcommand; its examples are command lines, each with what it does."""

    about: str
    examples: tuple[tuple[str, str], ...]
    notes: str = ""
    also: tuple[str, ...] = ()

    def summary(self, width: int) -> str:
        """The description, wrapped to a width."""
        return "\n\n".join(textwrap.fill(part, min(width, _WIDEST)) for part in self.about.split("\n\n"))

    @property
    def foot(self) -> str:
        """Examples, notes and related subcommands, as printed below the arguments."""
        wide = max(len(line) for line, _ in self.examples)
        fits_beside = wide + max(len(what) for _, what in self.examples) < _WIDE - 4
        lines = (
            f"  {line:<{wide}}  {what}" if fits_beside else f"  {line}\n      {what}" for line, what in self.examples
        )
        parts = ["\n".join(["examples:", *lines])]
        parts += [self.notes] if self.notes else []
        parts += [f"see also: {', '.join(f'{PROGRAM} {name}' for name in self.also)}"] if self.also else []
        return "\n\n".join(parts)


@cache
def pages() -> dict[str, Page]:
    """All pages by subcommand, with the program's own under `PROGRAM`."""
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {
        name: Page(
            str(page["about"]).strip(),
            tuple((str(line), str(what)) for line, what in page["examples"]),
            str(page.get("notes", "")).strip(),
            tuple(page.get("also", ())),
        )
        for name, page in data.items()
    }


def check(names: Sequence[str], paths: Paths) -> int:
    """Check fights and files, without changing them."""
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
        if problems is None:
            return check_encounter(Path(name), paths)
        for problem in problems:
            complain(str(problem))
        if not problems:
            say(f"{name}: no problems")
        return FAILED if problems else OK
    is_fight = is_journal_path(name) or name in journals(paths)
    if not is_fight and is_encounter(name, paths):
        return check_encounter(name, paths)
    game = game_of(name)
    if not is_fight and game is not None:
        return check_game(game, paths)
    return check_fight(find_fight(name, paths))


def _is_game(path: Path, paths: Paths) -> bool:
    if path.absolute().parent.name == paths.systems.name:
        return path.is_file()
    read = read_toml(path) if path.is_file() else None
    return isinstance(read, TomlText) and "pools" in read.data and "system" not in read.data


def _problems_of_own_file(path: Path, paths: Paths) -> tuple[Problem, ...] | None:
    """The problems of a key map, a settings file or a theme; None for any other file."""
    kinds = {paths.keys.name: "keys", paths.settings.name: "settings"}
    kind = "theme" if path.absolute().parent.name == paths.themes.name else kinds.get(path.name)
    if kind is None:
        return None
    if not path.is_file():
        raise Unusable(f"{path}: file not found")
    if kind == "keys":
        return load_keymap(path, known_keys(option_keys()))[1]
    if kind == "settings":
        return settings_problems(path)
    from fightcall.themes import find_shipped_themes, load_themes

    problems = load_themes([find_shipped_themes(), path.parent])[1]
    return tuple(problem for problem in problems if problem.path == path)


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
    """Check the rules of a game in a file, and that no act has a key of the screen, or one that answers questions."""
    if game.problems:
        return complain(in_words(BadInput(str(game.path), game.problems)))
    rules = read_rules(game.rules_text, game.name)
    keys = _keys_taken_from(rules, KeyNames(user_keys(paths)[0]))
    if keys:
        return complain(in_words(BadInput(str(game.path), keys)))
    say(f"{game.path}: the rules of {rules.title}; no problems")
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
    """Rewrite a damaged journal with everything that can be trusted; the original is kept beside it."""

    def can_be_played(reading: Reading) -> bool:
        # Only needed if a line is missing.
        from fightcall_engine.play import fight

        return fight.can_be_played(reading)

    try:
        report = repair(journal, can_be_played)
    except DamagedJournal as damage:
        raise Unusable(f"{damage}\nit can't be repaired without its first line; nothing was changed") from damage
    if report.original is None:
        say(f"{journal.stem}: {report.kept} lines, nothing to repair")
        return OK
    for problem in report.problems:
        say(f"{journal.stem}, {problem}")
    say(f"{journal.stem}: {repaired_in_words(report)}", f"the original is {report.original}")
    return OK


def check_everything(paths: Paths) -> int:
    """Check everything: the library, all fights, settings, keys, themes, games and encounters."""
    from fightcall_engine.archive.encounter import misnamed_files, setting_file_paths

    codes, folder = [], paths.setting_files
    for path in journals(paths).values():
        try:
            codes.append(check_fight(path))
        except OSError as error:
            codes.append(complain(in_words(error)))
    systems = [find_system(name) for name in system_names()]
    files = ((path, each, key) for each in systems for key, path in setting_file_paths(each, folder).items())
    codes += [check_setting_file(*item) for item in files]
    codes += [complain(in_words(problem)) for problem in misnamed_files(folder)]
    codes += [check_game(game, paths) for game in game_files().values() if game.is_own]
    problems = _file_problems(paths)
    for problem in problems:
        complain(problem)
    if not problems:
        say("library, settings, keys, themes and encounters: no problems")
    return FAILED if problems or FAILED in codes else OK


def _file_problems(paths: Paths) -> list[str]:
    from fightcall.themes import find_shipped_themes, load_themes
    from fightcall_engine.archive.encounters import load_encounter
    from fightcall_engine.archive.library import Catalogue, SafeStorage

    problems: list[str] = []
    try:
        problems += Catalogue(SafeStorage(paths.library / "library.json")).problems()
    except FightCallError as error:
        problems.append(in_words(error))
    problems += map(str, settings_problems(paths.settings))
    problems += map(str, user_keys(paths)[1])
    themes, theme_problems = load_themes([find_shipped_themes(), paths.themes])
    problems += map(str, theme_problems)
    name, names = read_settings(paths.settings).theme, tuple(themes)
    if name and name not in themes:
        problems.append(f"{paths.settings}: no theme {name!r}; there are {', '.join(names)}{did_you_mean(name, names)}")
    for path in sorted(paths.encounters.glob("[!.]*.toml")):
        try:
            encounter = load_encounter(path, [paths.encounters], paths.setting_files)
            problems += [f"{path}, {warning}" for warning in encounter.warnings]
        except FightCallError as error:
            if not (isinstance(error, BadInput) and Path(error.where).is_relative_to(paths.setting_files)):
                problems.append(in_words(error))
    return problems


def repair_library(paths: Paths) -> int:
    """Recover a damaged catalogue from its backup, else from the journals. The damaged file is kept."""
    from fightcall.shelf import Shelf

    say(Shelf(paths).recover())
    return OK
