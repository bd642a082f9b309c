"""``fightcall completion``: a script that completes the command in a shell."""

from __future__ import annotations

from argparse import ArgumentParser

from fightcall.paths import Paths
from fightcall.subcommands.console import LAST, OK, Names, encounter_names, journals, missing_packages


def names_to_complete(paths: Paths) -> Names:
    """The present names. A script does not know later ones."""
    from fightcall.guide import NAMES
    from fightcall.themes import find_shipped_themes
    from fightcall_engine.kit.registry import system_names

    paths_found = journals(paths)
    themes = sorted(path.stem for folder in (find_shipped_themes(), paths.themes) for path in folder.glob("[!.]*.toml"))
    fights = (LAST, *paths_found) if paths_found else ()
    return Names(fights, tuple(encounter_names(paths)), tuple(system_names()), tuple(dict.fromkeys(themes)), NAMES)


def completion(shell: str, parser: ArgumentParser) -> int:
    """Print the script for a shell.

    Args:
        shell: one of `fightcall.subcommands.SHELLS`.
        parser: the parser of the command line.

    Raises:
        Unusable: the package that makes such scripts is not installed.
    """
    try:
        import shtab
    except ImportError:
        raise missing_packages("a completion script", ("shtab",), "completion") from None
    print(shtab.complete(parser, shell))
    return OK
