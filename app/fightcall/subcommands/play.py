"""The subcommands that open a screen: the library, a fight, a replay."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

from fightcall.paint.runs import clean
from fightcall.paths import Paths
from fightcall.subcommands.console import (
    LAST,
    Look,
    Unusable,
    encounter_names,
    find_fight,
    is_encounter,
    is_journal_path,
    journals,
    nearest,
    require_terminal,
    without_collecting,
)
from fightcall_engine.archive.fsutil import HeldFile, LockedByAnother
from fightcall_engine.archive.journal import read_journal

Ask = Callable[[str], bool]
"""Asks a yes-or-no question."""

Watch = Literal["", "players", "gm"]
"""How to open a fight: to play (empty), or to watch as players or as the GM."""


def library(look: Look) -> int:
    """Open the library."""
    require_terminal()
    with without_collecting():
        from fightcall.app import run_library

        return run_library(theme=look.theme, mouse=look.mouse)


def play(
    name: str, paths: Paths, look: Look, *, watch: Watch, seed: str | None, title: str | None, plain: bool = False
) -> int:
    """Open a saved fight, or begin one from an encounter; with `plain`, line by line instead of on a screen.

    Raises:
        Unusable: there is neither, there is no terminal, or an option does not apply to a saved fight.
        BadInput: the encounter is not valid; nothing was created.
        LockedByAnother: another program plays it and the user does not want to watch.
        DamagedJournal: it must be repaired first.
    """
    if not plain:
        require_terminal()
    is_saved_fight = is_journal_path(name) or name == LAST or name in journals(paths)
    if not is_saved_fight and is_encounter(name, paths):
        if watch:
            raise Unusable("--watch needs a saved fight, and this is an encounter")
        return _open(begin(name, paths, seed=seed, title=title), look, watch="", plain=plain)
    if seed is not None or title is not None:
        raise Unusable("--seed and --name work only with an encounter, not with a saved fight")
    path = _find(name, paths)
    if plain:
        with HeldFile(path):
            pass
        return _open(path, look, watch="", plain=True)
    return _open(path, look, watch=watch or ("" if _may_play(path, ask) else "gm"))


def replay(name: str, paths: Paths, look: Look) -> int:
    """Open the replay of a saved fight, which may be being played at the time.

    Raises:
        Unusable: there is no such fight, or no terminal.
        DamagedJournal: it must be repaired first.
    """
    require_terminal()
    path = find_fight(name, paths)
    read_journal(path)
    with without_collecting():
        from fightcall.app import run_replay

        return run_replay(path, theme=look.theme, mouse=look.mouse)


def begin(encounter: str, paths: Paths, *, seed: str | None = None, title: str | None = None) -> Path:
    """Begin a fight in the library from an encounter. Returns its journal.

    Raises:
        BadInput: the encounter is not valid; nothing was created.
        LibraryDamaged, LibraryTooNew: the library cannot be changed; nothing was created.
    """
    from fightcall.shelf import Shelf
    from fightcall_engine.archive.encounters import load_encounter

    draft = load_encounter(encounter, [paths.encounters], paths.setting_files)
    return Shelf(paths).begin(replace(draft, seed=seed or draft.seed), title)


def ask(question: str) -> bool:
    """Ask on the terminal; Enter means yes."""
    print(f"{clean(question)} [Y/n] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().casefold() in ("", "y", "yes")


def _find(name: str, paths: Paths) -> Path:
    try:
        return find_fight(name, paths)
    except Unusable as none:
        near = nearest(name, encounter_names(paths))
        if not near:
            raise
        raise Unusable(f"{none}\nencounters with a similar name: {', '.join(near)}") from None


def _open(path: Path, look: Look, *, watch: Watch, plain: bool = False) -> int:
    read_journal(path)  # While there is no screen yet to be in the way of a message.
    if plain:
        from fightcall.subcommands.plain import play_plain

        return play_plain(path)
    with without_collecting():
        from fightcall.app import run_fight, run_players

        if watch == "players":
            return run_players(path, theme=look.theme, mouse=look.mouse)
        return run_fight(path, watch == "gm", theme=look.theme, mouse=look.mouse)


def _may_play(path: Path, ask: Ask) -> bool:
    """True if no other program plays the fight; False if one does, and the user wants to watch.

    Raises:
        LockedByAnother: one does, and the user does not want to watch.
    """
    try:
        with HeldFile(path):
            return True
    except LockedByAnother as taken:
        if ask(f"{path.stem} is open in another program ({taken.holder}). Watch it?"):
            return False
        raise
