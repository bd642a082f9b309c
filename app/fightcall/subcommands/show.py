"""``fightcall show``: the players' screen of a fight, in a terminal or in browsers."""

from __future__ import annotations

import importlib.util
import os
import secrets
import signal
import socket
import sys
import threading
from pathlib import Path

from fightcall.subcommands import Look
from fightcall.subcommands.output import OK, Unusable, missing_packages, say
from fightcall.subcommands.terminal import require_terminal
from fightcall_engine.archive.journal import read_journal

PORT = 8420
"""The default port; if it is taken, the next ones are tried."""
TRIES = 20
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


def show_in_browsers(journal: Path, *, lan: bool, port: int | None, attended: bool = False) -> int:
    """Serve the players' screen until interrupted.

    Args:
        journal: the fight's journal.
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
    token = secrets.token_urlsafe(16) if lan else ""
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
    raise Unusable(f"{where} can be used ({last_error}); give another with --port") from last_error


def _lan_address() -> str:
    """This machine's address in the local network, from its routing table, without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])
