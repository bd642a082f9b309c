"""What all subcommands share, and the subcommands that open a screen.

Text that users gave can't contain control characters when it is printed.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import shlex
import signal
import socket
import sys
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from fightcall.paint.runs import clean, cut, width
from fightcall.settings import Paths, find_paths
from fightcall_engine.archive.fsutil import HeldFile, LockedByAnother, write_atomically
from fightcall_engine.archive.journal import read_journal
from fightcall_engine.archive.lines import DamagedJournal
from fightcall_engine.files import read_bytes
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.errors import BadInput, Refused, shorten
from fightcall_engine.model.values import replace

if TYPE_CHECKING:
    from fightcall.screens.base import ScreenName


SHELLS = ("bash", "zsh", "fish", "tcsh")

WIDEST = 48
"""The most cells of a table's column."""

LAST = "last"
"""The name of the fight that was played last."""
_MOST_LISTED = 8

REPLAY, PICTURES = "replay", ("svg", "png")
FORMS = ("md", "html", "json", REPLAY, *PICTURES)
"""The formats of an export."""


class Look(NamedTuple):
    """How to draw the screens: the theme (empty for the user's own), and whether to use the mouse."""

    theme: str = ""
    mouse: bool = True


class Names(NamedTuple):
    """The names for a completion script, by the argument they are for. Without them, any value is accepted."""

    fights: Sequence[str] = ()
    encounters: Sequence[str] = ()
    systems: Sequence[str] = ()
    themes: Sequence[str] = ()
    pages: Sequence[str] = ()


# Safe output to the terminal and to files


OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
"""The exit codes for success, failure or problems found, wrong usage, and Ctrl+C."""


class Unusable(Exception):
    """What the user asked for is not possible; the message says why, and what is."""


def say(*lines: str) -> None:
    """Print lines, with control characters made visible."""
    for line in lines:
        print(clean(line))


def warn(*lines: str) -> None:
    """Print lines to standard error, with control characters made visible, and long quotations cut."""
    for line in lines:
        print(clean(shorten(line)), file=sys.stderr)


def complain(message: str) -> int:
    """Print a message, which may have several lines, to standard error. Returns the exit code for failure."""
    first, *rest = message.splitlines() or [""]
    warn(f"fightcall: {first}", *rest)
    return FAILED


def missing_packages(what: str, packages: Iterable[str], extra: str) -> Unusable:
    """The error for missing packages, with the command that installs them by an extra of ours."""
    python = shlex.quote(sys.executable)
    pip = f"{python} -m pip install" if importlib.util.find_spec("pip") else f"uv pip install --python {python}"
    package_names = ", ".join(packages)
    return Unusable(
        f"{what} needs {package_names}, which is not installed. Install it with:\n  {pip} 'fightcall[{extra}]'"
    )


def escape(line: str) -> str:
    """A line of JSON with its control characters as escapes, safe for a terminal."""
    if line.isascii():
        return line
    controls = ("Cc", "Cf", "Zl", "Zp")
    return "".join(json.dumps(char)[1:-1] if unicodedata.category(char) in controls else char for char in line)


def tabulate(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows as lines with aligned columns. Cells that are too wide are cut, except in the last column."""
    clean_rows = [[*map(_cell, row[:-1]), clean(row[-1])] for row in rows]
    widths = [max(map(width, column)) for column in zip(*clean_rows, strict=True)]
    return [
        "  ".join(cell + " " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True)).rstrip()
        for row in clean_rows
    ]


def _cell(text: str) -> str:
    text = clean(text)
    return text if width(text) <= WIDEST else cut(text, WIDEST - 1) + "…"


def write_output(text: str, target: Path | None) -> None:
    """Write a document to a file, whole or not at all, or to standard output if there is no file."""
    if target is None:
        sys.stdout.write(text)
    else:
        write_bytes(text.encode("utf-8", errors="replace"), target)


def write_bytes(content: bytes, target: Path | None) -> None:
    """Write bytes, such as a picture; see `write_output`."""
    if target is None:
        sys.stdout.buffer.write(content)
        return
    try:
        write_atomically(target, content, keep_previous=False)
    except OSError as error:
        raise Unusable(f"{target}: can't write: {error.strerror or error}") from error


# Finding the fight or encounter that a user names


JOURNAL, ENCOUNTER = ".jsonl", ".toml"


def journals(paths: Paths) -> dict[str, Path]:
    """The journals of all fights in use by id, the latest first."""
    files = (paths.library / "fights").glob(f"[!.]*{JOURNAL}")
    return {path.stem: path for path in sorted(files, key=_when_written, reverse=True)}


def find_fight(name: str, paths: Paths) -> Path:
    """The journal of the fight with a name, or candidates.

    The library is only opened if `name` is no path, no id and not `LAST`, so that these work even if it is damaged.
    """
    if is_journal_path(name):
        if not Path(name).is_file():
            raise Unusable(f"{name}: file not found")
        return Path(name)
    found_paths = journals(paths)
    if name in found_paths:
        return found_paths[name]
    if not found_paths:
        raise Unusable(f"no fight {name!r}: there are no fights yet. Start one with: fightcall play a-first-fight")
    if name == LAST:
        return next(iter(found_paths.values()))
    from fightcall.shelf import Shelf

    names = {card.id: card.name for card in Shelf(paths).library.fights() if card.id in found_paths}
    matches = match_names(name, names)
    if len(matches) == 1:
        return found_paths[matches[0]]
    if matches:
        list_text = _format_list(f"{name}  ({names[name]})" for name in matches)
        raise Unusable(f"{name!r} matches {len(matches)} fights; use an id:\n{list_text}")
    near = nearest(name, names)
    if near:
        list_text = _format_list(f"{name}  ({names.get(name, name)})" for name in near)
        raise Unusable(f"no fight {name!r}; did you mean:\n{list_text}")
    raise Unusable(f"no fight {name!r}; to list all fights: fightcall list")


def match_names(query: str, names: Mapping[str, str]) -> list[str]:
    """The ids of fights with this name; else of those whose name or id contains the words."""
    folded_query = query.casefold().strip()
    same = [text for text, name in names.items() if name.casefold().strip() == folded_query]
    if same or not folded_query:
        return same
    return [text for text, name in names.items() if folded_query in name.casefold() or folded_query in text]


def nearest(query: str, names: Mapping[str, str]) -> list[str]:
    """The ids of fights whose name or id is similar."""
    text_by_name: dict[str, str] = {}
    for text, name in names.items():
        text_by_name.setdefault(text, text)
        text_by_name.setdefault(name.casefold(), text)
    near = get_close_matches(query.casefold(), text_by_name, n=3, cutoff=0.5)
    return list(dict.fromkeys(text_by_name[word] for word in near))


def is_encounter(name: str, paths: Paths) -> bool:
    """Whether `name` is an encounter's path, its exact name, or its file name."""
    if Path(name).suffix == ENCOUNTER or os.sep in name:
        return True
    from fightcall_engine.archive.encounters import normalize_name

    plain_name, names = normalize_name(name), encounter_names(paths)
    return any(plain_name in (normalize_name(stem), normalize_name(title)) for stem, title in names.items())


def encounter_names(paths: Paths) -> dict[str, str]:
    """All encounters, the user's own first: the file name without its ending, and the name in it."""
    from fightcall_engine.archive.encounters import find_encounters, shipped_encounters

    names: dict[str, str] = {}
    for file in (*find_encounters([paths.encounters]), *shipped_encounters()):
        names.setdefault(file.path.stem, file.name)
    return names


def is_journal_path(name: str) -> bool:
    """Whether `name` is the path of a journal, or of one set aside by a repair."""
    return JOURNAL in Path(name).name


def _format_list(lines: Iterable[str]) -> str:
    every = [f"  {line}" for line in lines]
    more = [f"  ... and {len(every) - _MOST_LISTED} more"] if len(every) > _MOST_LISTED else []
    return "\n".join(every[:_MOST_LISTED] + more)


def _when_written(path: Path) -> tuple[int, str]:
    try:
        return path.stat().st_mtime_ns, path.name
    except OSError:
        return 0, path.name


# Error messages for people, with what to do


def in_words(error: Exception) -> str:
    """The message of an error, which may have several lines."""
    if isinstance(error, BadInput):
        return str(error) if len(error.problems) == 1 else "\n  ".join((f"{error.where}:", *error.problems))
    if isinstance(error, Refused):
        return f"{error}; accepted: {', '.join(error.accepts)}" if error.accepts else str(error)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}" if error.strerror else str(error)
    if isinstance(error, DamagedJournal):
        return f"{error}\nfightcall repair {name_of(error.path)} repairs it; the original is kept"
    if isinstance(error, LockedByAnother):
        return f"{error}\nor watch it with: fightcall play {name_of(error.path)} --watch --gm"
    return str(error)


def name_of(journal: Path) -> str:
    """The name of a fight for the command line: its id if it is in the library, else its path."""
    fights = (find_paths().library / "fights").resolve()
    return journal.stem if journal.parent.resolve() == fights and journal.suffix == JOURNAL else str(journal)


# Checking the terminal before a screen starts


def require_terminal(environ: Mapping[str, str] = os.environ) -> None:
    """Check that there is a terminal for output and for keys; otherwise, say what works without it."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        missing = "the screens need a terminal, but input or output is a file or a pipe"
    elif environ.get("TERM") in ("dumb", "unknown"):
        missing = f"the screens need a terminal with cursor control; TERM is {environ['TERM']!r}"
    else:
        return
    raise Unusable(
        f"{missing}\n"
        "these work without one: fightcall run, play --plain, show --web, list, export, check, repair, new, import, "
        "themes, guide, keys, schema, completion"
    )


@contextmanager
def without_collecting() -> Iterator[None]:
    """Disable garbage collection during the start, until the first screen enables it again (`Host.rest_memory`)."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


# The subcommands that open a screen

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
    return _open(path, look, watch=watch or ("" if _may_play(path) else "gm"))


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


def _may_play(path: Path) -> bool:
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

    from fightcall.show import Stage, serve

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

    def end_with_input() -> None:
        sys.stdin.buffer.read()
        os.kill(os.getpid(), signal.SIGTERM)

    if attended:
        threading.Thread(target=end_with_input, daemon=True).start()
    serve(stage, listening, token, hosts)
    return OK


def _token_of(journal: Path, key_file: Path) -> str:
    """The unguessable part of a fight's address: the same at every start, so that open pages find the fight again."""
    import base64
    import hmac

    try:
        key = _read_key(key_file)
    except OSError:
        key = os.urandom(KEY_BYTES)
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
    key = os.urandom(KEY_BYTES)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
        new.write(key)
    return key


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
