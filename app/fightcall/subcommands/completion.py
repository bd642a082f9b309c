"""``fightcall completion``: a script that completes the command in a shell."""

from __future__ import annotations

import sys
from argparse import ArgumentParser

from fightcall.paths import Paths
from fightcall.subcommands.names import LAST, encounter_names, journals
from fightcall.subcommands.output import OK, Unusable


def names_to_complete(paths: Paths) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fights and the encounters of this moment; a script does not learn of later ones."""
    there = journals(paths)
    return ((LAST, *there) if there else ()), tuple(encounter_names(paths))


def completion(shell: str, parser: ArgumentParser) -> int:
    """Print the script for a shell.

    Args:
        shell: one of `fightcall.subcommands.SHELLS`.
        parser: of the whole command line.

    Raises:
        Unusable: the library that writes such scripts is not installed.
    """
    try:
        import shtab
    except ImportError:
        raise Unusable(
            "completion scripts need shtab, which is not installed; install it with:\n"
            f"  {sys.executable} -m pip install 'fightcall[completion]'"
        ) from None
    print(shtab.complete(parser, shell))
    return OK
