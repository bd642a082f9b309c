"""The subcommands that open a screen: the library, a fight, a replay, and the players' screen."""

from __future__ import annotations

import base64
import hmac
import importlib.util
import os
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from fightcall.paint.runs import clean
from fightcall.settings import Paths
from fightcall.subcommands.console import (
    LAST,
    OK,
    Look,
    Unusable,
    encounter_names,
    find_fight,
    is_encounter,
    is_journal_path,
    journals,
    missing_packages,
    nearest,
    require_terminal,
    say,
    without_collecting,
)
from fightcall_engine.archive.fsutil import HeldFile, LockedByAnother
from fightcall_engine.archive.journal import read_journal
from fightcall_engine.files import read_bytes
from fightcall_engine.kit.plugins import find_system

if TYPE_CHECKING:
    from fightcall.screens.base import ScreenName

Ask = Callable[[str], bool]
"""Asks a yes-or-no question."""

Watch = Literal["", "players", "gm"]
"""How to open a fight: to play (empty), or to watch as players or as the GM."""

PORT = 8420
"""The default port; if it is taken, the next ones are tried."""
TRIES = 20
KEY_BYTES = 32
LOOPBACK = "127.0.0.1"
NEEDED = ("starlette", "uvicorn", "segno")


def library(look: Look) -> int:
    """Open the library."""
    require_terminal()
    return _run(look, "library")


def set_up(system: str, paths: Paths, look: Look) -> int:
    """Open the set-up of a new fight."""
    find_system(system)
    require_terminal()
    from fightcall.shelf import Shelf

    return _run(look, "setup", shelf=Shelf(paths), system=system)


def play(
    name: str, paths: Paths, look: Look, *, watch: Watch, seed: str | None, title: str | None, plain: bool = False
) -> int:
    """Open a saved fight, or begin one from an encounter; with `plain`, line by line instead of on a screen."""
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
    """Open the replay of a saved fight, which may be being played at the time."""
    require_terminal()
    path = find_fight(name, paths)
    read_journal(path)
    return _run(look, "opening", path=path, mode="replay")


def begin(encounter: str, paths: Paths, *, seed: str | None = None, title: str | None = None) -> Path:
    """Begin a fight in the library from an encounter, or nothing. Returns its journal."""
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
    if watch == "players":
        return _run(look, "players", path=path)
    return _run(look, "opening", path=path, mode="watch" if watch else "play")


def _run(look: Look, first: ScreenName, **kwargs: object) -> int:
    with without_collecting():
        from fightcall.app import run

        return run(first, theme=look.theme, mouse=look.mouse, **kwargs)


def _may_play(path: Path, ask: Ask) -> bool:
    """True if no other program plays the fight; False if one does, and the user wants to watch."""
    try:
        with HeldFile(path):
            return True
    except LockedByAnother as taken:
        if ask(f"{path.stem} is open in another program ({taken.holder}). Watch it?"):
            return False
        raise


# ``fightcall show``


def show(journal: Path, look: Look) -> int:
    """Open the players' screen in this terminal, for a fight that may be being played at the time."""
    require_terminal()
    read_journal(journal)
    return _run(look, "players", path=journal)


def show_in_browsers(journal: Path, key_file: Path, *, lan: bool, port: int | None, attended: bool = False) -> int:
    """Serve the players' screen until interrupted, or if attended until standard input closes.

    With `lan` other machines may connect, at an unguessable address made from the secret in `key_file`, which is made
    if it is missing. Without a `port` it is `PORT` or the next free one.
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise missing_packages("the players' screen in browsers", missing, "web")
    import segno

    from fightcall.show.server import Stage, serve

    stage = Stage.open(journal)
    token = _token_of(journal, key_file) if lan else ""
    listening = _listen("0.0.0.0" if lan else LOOPBACK, port)
    host = _lan_address() if lan else LOOPBACK
    address = f"http://{host}:{listening.getsockname()[1]}/{token + '/' if token else ''}"
    hosts = ("*",) if lan else (LOOPBACK, "localhost")
    say(address)
    sys.stdout.flush()
    if lan and sys.stdout.isatty():
        segno.make(address, micro=False).terminal(out=sys.stdout, compact=True)
    if attended:
        threading.Thread(target=_end_with_input, daemon=True).start()
    serve(stage, listening, token, hosts)
    return OK


def _token_of(journal: Path, key_file: Path) -> str:
    """The unguessable part of a fight's address: the same at every start, so that open pages find the fight again."""
    try:
        key = _read_key(key_file)
    except OSError:
        key = secrets.token_bytes(KEY_BYTES)
    digest = hmac.digest(key, str(journal.resolve()).encode("utf-8", "surrogateescape"), "sha256")
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


def _read_key(file: Path) -> bytes:
    """The user's secret; a new one the first time, or where the file is damaged."""
    if file.exists():
        key = read_bytes(file, KEY_BYTES)
        if len(key) == KEY_BYTES:
            return key
        file.unlink()
    file.parent.mkdir(parents=True, exist_ok=True)
    key = secrets.token_bytes(KEY_BYTES)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
        new.write(key)
    return key


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


def _listen(host: str, port: int | None) -> socket.socket:
    ports = [port] if port is not None else range(PORT, PORT + TRIES)
    last_error: OSError | None = None
    for number in ports:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, number))
            listening.listen()
        except OSError as error:
            listening.close()
            last_error = error
            continue
        return listening
    where = f"port {port}" if port is not None else f"none of the ports {PORT} to {PORT + TRIES - 1}"
    raise Unusable(f"{where} is available ({last_error}); choose another with --port") from last_error


def _lan_address() -> str:
    """This machine's address in the local network, from its routing table, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])
