"""``fightcall show``: the players' screen of a fight, in a terminal or in browsers."""

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
from pathlib import Path

from fightcall.subcommands.console import OK, Look, Unusable, missing_packages, require_terminal, say
from fightcall_engine.archive.journal import read_journal
from fightcall_engine.files.texts import read_bytes

PORT = 8420
"""The default port; if it is taken, the next ones are tried."""
TRIES = 20
KEY_BYTES = 32
LOOPBACK = "127.0.0.1"
NEEDED = ("starlette", "uvicorn", "segno")


def show(journal: Path, look: Look) -> int:
    """Open the players' screen in this terminal, for a fight that may be being played at the time.

    Raises:
        Unusable: there is no terminal.
        DamagedJournal: the journal must be repaired first.
    """
    require_terminal()
    read_journal(journal)
    from fightcall.app import run_players

    return run_players(journal, theme=look.theme, mouse=look.mouse)


def show_in_browsers(journal: Path, key_file: Path, *, lan: bool, port: int | None, attended: bool = False) -> int:
    """Serve the players' screen until interrupted.

    Args:
        journal: the fight's journal.
        key_file: the file of the secret from which unguessable addresses are made; made if it is missing.
        lan: also for other machines, at an unguessable address; otherwise only for this machine.
        port: the port; None for `PORT` or the next free one.
        attended: end when standard input closes, as it does when the program that started this one ends.

    Raises:
        Unusable: the packages are missing, or the port is taken.
        DamagedJournal: the journal must be repaired first.
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
    """The user's secret; a new one the first time, or where the file is damaged.

    Raises:
        OSError: the file cannot be read or written.
    """
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
    """End this program as soon as its standard input is closed."""
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
