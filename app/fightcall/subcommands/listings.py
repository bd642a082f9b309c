"""``fightcall list``, ``fightcall themes`` and ``fightcall guide``."""

from __future__ import annotations

from fightcall.guide import read_pages
from fightcall.local_time import when_text
from fightcall.paths import Paths
from fightcall.problems import did_you_mean
from fightcall.subcommands.console import FAILED, OK, Unusable, complain, say, tabulate


def fights_and_encounters(paths: Paths) -> int:
    """List the saved fights, the latest first, and the encounters.

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
    if contents.trash:
        say("", f"In the trash: {len(contents.trash)}")
    problems = [*contents.problems, *(f"{item.path}: {item.problem}" for item in contents.encounters if item.problem)]
    for problem in problems:
        code = complain(problem)
    return code


def _whose(status: str) -> str:
    return {"yours": "yours", "unsaved": "not saved"}.get(status, "")


def themes(paths: Paths) -> int:
    """List the themes, marking the one in use, and all problems of the user's own."""
    from fightcall.settings import read_settings
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
    pages = {page.name: page for page in read_pages()}
    if name:
        if name not in pages:
            near = did_you_mean(name, list(pages))
            raise Unusable(f"the guide has no page {name!r}{near or '; the pages are ' + ', '.join(pages)}")
        say(*pages[name].text.rstrip().splitlines())
        return OK
    say("The guide (F1 in the program). To read a page: fightcall guide PAGE", "")
    say(*(f"  {line}" for line in tabulate((page.name, page.title) for page in pages.values())))
    return OK
