"""Lists and texts to read: ``fightcall list``, ``themes``, ``guide``, ``keys``, ``completion`` and ``--help``."""

from __future__ import annotations

import os
import re
import textwrap
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from fightcall.actions import ACTIONS, OPTION, SCOPES, Action, KeyNames, Scope, known_keys, short_key, taken_keys
from fightcall.guide import NAMES, page_for, read_pages
from fightcall.paint.runs import clean
from fightcall.settings import OfferedKey, load_keymap, option_keys, read_settings
from fightcall.subcommands.console import (
    FAILED,
    LAST,
    OK,
    Names,
    Unusable,
    complain,
    encounter_names,
    journals,
    missing_packages,
    say,
    tabulate,
)
from fightcall.user_files import Paths, Problem, did_you_mean, when_text
from fightcall_engine.kit.plugins import find_system, game_files, plugin_names, system_names
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
    """List the saved fights, the latest first, the encounters, and the user's own games.

    Raises:
        LibraryDamaged, LibraryTooNew: the library cannot be read; says what to do.
    """
    from fightcall.shelf import Shelf

    contents = Shelf(paths).read()
    code = complain(contents.damage) if contents.damage else OK
    fights = [
        (item.id, item.name, item.played_elsewhere or item.status, item.round, when_text(item.updated))
        for item in contents.fights
    ]
    say("Fights:" if fights else "Fights: none yet. Start one with: fightcall play a-first-fight")
    say(*(f"  {line}" for line in tabulate(fights)))
    encounters = [
        (
            item.path.stem if item.path else item.id,
            item.name,
            "damaged" if item.problem else item.system,
            _whose(item.status),
        )
        for item in contents.encounters
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


def _whose(status: str) -> str:
    return {"yours": "yours", "unsaved": "not saved"}.get(status, "")


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
    """Print a page of the guide; without a name, the contents.

    Raises:
        Unusable: there is no such page; names those there are.
    """
    from fightcall_engine.kit.plugins import find_system, is_installed

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
    games = (game.name for game in game_files().values() if game.is_own and not game.problems)
    for problem in (*problems, *taken_keys(KeyNames(keymap), (*plugin_names(), *games))):
        complain(str(problem))
    return FAILED if problems else OK


def user_keys(paths: Paths) -> tuple[Keymap, tuple[Problem, ...]]:
    """The user's key map, and its problems."""
    if not os.path.lexists(paths.keys):
        return {}, ()
    return load_keymap(paths.keys, known_keys(option_keys()))


def sections(keymap: Keymap, options: Options) -> Iterator[tuple[str, list[tuple[str, Rows]]]]:
    """The sections of the sheet: the heading of each scope, and its groups with their rows."""
    for scope, heading in SCOPES.items():
        groups: dict[str, Rows] = {}
        for action in (action for action in ACTIONS if action.scope == scope):
            groups.setdefault(action.group, []).append(_row(action, keymap))
        if scope == _OPTION_SCOPE and options:
            for systems in dict.fromkeys(item.systems for item in options):
                rows = [_offered_row(item, keymap) for item in options if item.systems == systems]
                groups[f"What a combatant can do: {', '.join(systems)}"] = rows
        yield heading, list(groups.items())


def _offered_row(item: OfferedKey, keymap: Keymap) -> Row:
    name = OPTION + item.action
    return " ".join(_keys(name, (item.key,), keymap)), re.sub("[-_]", " ", item.action), name, ""


_OPTION_SCOPE: Scope = "fight"


def _row(action: Action, keymap: Keymap) -> Row:
    return " ".join(_keys(action.id, action.keys, keymap)), action.text, action.id, action.tooltip


def _keys(id: str, usual: Sequence[str], keymap: Keymap) -> Sequence[str]:
    bound_keys = keymap.get(id)
    if bound_keys is None:
        return usual
    return [key if "+" in key else short_key(key, plain=True) for key in bound_keys.split(",")]


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
            for keys, text, name, tooltip in rows:
                keys_text = " ".join(f"`{_in_table(key)}`" for key in keys.split())
                yield f"| {keys_text} | {_in_table(text)} | {name} | {_in_table(tooltip)} |"
    yield from ("", CHANGES)


def _in_table(text: str) -> str:
    return clean(text).replace("|", "\\|")


# ``fightcall completion``


def names_to_complete(paths: Paths) -> Names:
    """The present names. A script does not know later ones."""
    from fightcall.themes import find_shipped_themes

    paths_found = journals(paths)
    themes = sorted(path.stem for folder in (find_shipped_themes(), paths.themes) for path in folder.glob("[!.]*.toml"))
    fights = (LAST, *paths_found) if paths_found else ()
    return Names(fights, tuple(encounter_names(paths)), tuple(system_names()), tuple(dict.fromkeys(themes)), NAMES)


def completion(shell: str, parser: ArgumentParser) -> int:
    """Print the script for one of the shells of `fightcall.subcommands.SHELLS`.

    Raises:
        Unusable: the package that makes such scripts is not installed.
    """
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
    """The manual page of a subcommand.

    Attributes:
        examples: command lines, each with what it does.
    """

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
