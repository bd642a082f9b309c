"""The ``fightcall`` command: its arguments, and its error messages.

The module of a subcommand is imported when it runs; those that draw nothing never import Textual.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn, TypeAlias

from fightcall.settings import find_paths
from fightcall.subcommands.console import (
    FORMS,
    INTERRUPTED,
    SHELLS,
    USAGE,
    Look,
    Names,
    Unusable,
    complain,
    find_fight,
    in_words,
    warn,
)
from fightcall_engine.files import use_games
from fightcall_engine.model import __version__
from fightcall_engine.model.errors import FightCallError

UNREAD = 141
"""The exit code that shells use after a closed pipe."""

_FIGHT = "a fight: its id, part of its name, 'last', or the path of a .jsonl file"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit code: 0 for success, 1 for failure, 2 for wrong usage."""
    _never_fail_to_print()
    try:
        args = make_parser().parse_args(argv)
        use_games(find_paths().systems)
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes standard output again at exit; give it something that accepts the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except (Unusable, FightCallError, OSError) as error:
        return complain(in_words(error))


def _never_fail_to_print() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class Parser(argparse.ArgumentParser):
    """A parser whose messages cannot harm the terminal, and whose help is a page of the manual."""

    def format_help(self) -> str:
        """The help. The manual is only read if it is needed."""
        from fightcall.subcommands.listings import pages

        page = pages().get(self.prog.rpartition(" ")[2])
        if page is not None:
            self.description = page.summary(shutil.get_terminal_size().columns - 2)
            self.epilog = page.foot
            self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        warn(*self.format_usage().rstrip().splitlines(), f"{self.prog}: {message}")
        sys.exit(USAGE)


# Arguments

Subcommands: TypeAlias = "argparse._SubParsersAction[Parser]"
Run: TypeAlias = Callable[[argparse.Namespace], int]


class FileAction(argparse.Action):
    """An argument for a file's path, which completion scripts complete."""

    @property
    def complete(self) -> object:
        """How each shell completes it; used by shtab only."""
        import shtab

        return shtab.FILE

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object, option: str | None = None
    ) -> None:
        setattr(namespace, self.dest, values)


def make_parser(names: Names | None = None) -> argparse.ArgumentParser:
    """The parser. `names` are the names for a completion script."""
    names = names or Names()
    parser = Parser(
        prog="fightcall",
        description="Track combat at the table. Without a subcommand, open the library.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"fightcall {__version__}")
    _add_look(parser, names)
    parser.set_defaults(run=_library)
    subcommands = parser.add_subparsers(title="subcommands", metavar="SUBCOMMAND", parser_class=Parser)
    _add_screens(subcommands, names)
    _add_fights(subcommands, names)
    _add_files(subcommands, names)
    _add_tools(subcommands, names)
    return parser


def _add(subcommands: Subcommands, name: str, help: str, run: Run) -> Parser:
    parser = subcommands.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.", allow_abbrev=False)
    parser.set_defaults(run=run)
    return parser


def _add_look(parser: argparse.ArgumentParser, names: Names) -> None:
    what = "theme for this run; see: fightcall themes"
    parser.add_argument("--theme", default="", metavar="NAME", help=what, choices=names.themes or None)
    parser.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")


def _add_screens(subcommands: Subcommands, names: Names) -> None:
    fights = names.fights or None
    _add_look(_add(subcommands, "library", "open the library of fights and encounters", _library), names)
    console = _add(subcommands, "play", "start a fight from an encounter, or continue a saved one", _play)
    what = "an encounter: its name or the path of a .toml file; or " + _FIGHT
    known = [*names.encounters, *names.fights] or None
    console.add_argument("name", nargs="?", default="", metavar="ENCOUNTER|FIGHT", help=what, choices=known)
    what = "set up a new fight of this rule system"
    console.add_argument("--system", default="", metavar="SYSTEM", help=what, choices=names.systems or None)
    console.add_argument("--watch", action="store_true", help="follow a fight in another program, as players see it")
    console.add_argument("--gm", action="store_true", help="with --watch: show everything the GM sees")
    console.add_argument(
        "--plain", action="store_true", help="play line by line, for screen readers and slow connections"
    )
    console.add_argument("--name", dest="title", metavar="TEXT", help="name of a new fight")
    console.add_argument("--seed", metavar="TEXT", help="seed for a new fight: the same seed gives the same dice")
    _add_look(console, names)
    show = _add(subcommands, "show", "show a fight to players, in a terminal or a browser", _show)
    show.add_argument("fight", nargs="?", default="last", metavar="FIGHT", help=_FIGHT, choices=fights)
    show.add_argument("--web", action="store_true", help="serve a web page and print its address")
    show.add_argument("--lan", action="store_true", help="with --web: let other devices open it, at a secret address")
    show.add_argument(
        "--port", type=int, metavar="N", help="with --web: port to listen on (default: 8420 or the next free one)"
    )
    show.add_argument("--attended", action="store_true", help=argparse.SUPPRESS)
    _add_look(show, names)
    replay = _add(subcommands, "replay", "replay a saved fight from the beginning", _replay)
    replay.add_argument("fight", metavar="FIGHT", help=_FIGHT, choices=fights)
    _add_look(replay, names)


def _add_fights(subcommands: Subcommands, names: Names) -> None:
    fights = names.fights or None
    _add(subcommands, "list", "list saved fights and encounters", _list)
    export = _add(subcommands, "export", "write a fight as a chronicle, a replay or a picture", _export)
    export.add_argument("fight", metavar="FIGHT", help=_FIGHT, choices=fights)
    export.add_argument(
        "--to",
        choices=FORMS,
        default="md",
        help="a chronicle as Markdown (default), HTML or JSON; a replay as one web page; or a picture of the board",
    )
    export.add_argument(
        "--at",
        default="",
        metavar="MOMENT",
        help="moment of a picture: a round or part of it, such as r3 or r3-melee, or an entry's number in --to json "
        "(default: now)",
    )
    export.add_argument("--gm", action="store_true", help="include what players must not see")
    where = "file to write (default: standard output)"
    export.add_argument("-o", "--output", type=Path, action=FileAction, metavar="FILE", help=where)
    forecast = _add(subcommands, "forecast", "estimate how deadly an encounter is, by playing it many times", _forecast)
    what = "an encounter: its name or the path of a .toml file"
    forecast.add_argument("encounter", metavar="ENCOUNTER", help=what, choices=names.encounters or None)
    forecast.add_argument("--fights", type=int, default=200, metavar="N", help="number of fights (default: 200)")
    forecast.add_argument("--rounds", type=int, default=20, metavar="N", help="most rounds of a fight (default: 20)")
    what = "seed: the same seed gives the same numbers (default: 1)"
    forecast.add_argument("--seed", default="1", metavar="TEXT", help=what)
    forecast.add_argument("--processes", type=int, metavar="N", help="number of processes (default: one for each core)")
    forecast.add_argument("--json", action="store_true", help="print one object of JSON")
    check = _add(subcommands, "check", "check fights for damage and files for mistakes", _check)
    what = f"{_FIGHT}; or the file of an encounter, a game or settings, such as armoury.toml (default: everything)"
    check.add_argument("names", nargs="*", action=FileAction, metavar="FIGHT|FILE", help=what)
    repair = _add(subcommands, "repair", "repair a damaged fight; the original is kept", _repair)
    which = repair.add_mutually_exclusive_group(required=True)
    which.add_argument("fight", nargs="?", metavar="FIGHT", help=_FIGHT, choices=fights)
    which.add_argument("--library", action="store_true", help="repair the list of fights instead")


def _add_files(subcommands: Subcommands, names: Names) -> None:
    systems = names.systems or None
    new = _add(subcommands, "new", "write a sample encounter file", _new)
    new.add_argument("name", metavar="NAME", help="name of the encounter")
    new.add_argument("--system", metavar="SYSTEM", help="rule system (default: stage)", choices=systems)
    own = _add(subcommands, "new-system", "write a file for the rules of your own game", _new_system)
    own.add_argument("name", metavar="NAME", help="name of the game")
    get = _add(subcommands, "import", "import combatants from tables or from other programs", _import)
    what = "a .csv file whose first line names the columns, or a .json file from Improved Initiative or Foundry"
    get.add_argument("files", nargs="+", type=Path, action=FileAction, metavar="FILE", help=what)
    what = "rule system (default: stage)"
    get.add_argument("--system", metavar="SYSTEM", help=what, choices=systems)
    get.add_argument(
        "--name", default="", metavar="TEXT", help="name of the encounter (default: name of the first file)"
    )
    what = "side of combatants without one in the file (default: foes)"
    get.add_argument("--side", default="", metavar="SIDE", help=what)
    get.add_argument("--templates", action="store_true", help="save them as templates instead, to add to fights later")
    _add(subcommands, "themes", "list the themes, and any errors in your own", _themes)
    guide = _add(subcommands, "guide", "read the guide", _guide)
    what = "page to read (default: table of contents)"
    guide.add_argument("page", nargs="?", default="", metavar="PAGE", help=what, choices=names.pages or None)
    keys = _add(subcommands, "keys", "list all keys", _keys)
    keys.add_argument("--to", choices=("txt", "md"), default="txt", help="format: plain text (default) or Markdown")


def _add_tools(subcommands: Subcommands, names: Names) -> None:
    run = _add(subcommands, "run", "control the engine with JSON Lines", _run)
    what = "file to read (default: standard input)"
    run.add_argument("file", nargs="?", default="-", action=FileAction, metavar="FILE", help=what)
    schema = _add(subcommands, "schema", "print the JSON Schema of what run reads and prints, or of games", _schema)
    what = "rule system (default: all), or 'system' for the files of your own games"
    choices = ["system", *names.systems] if names.systems else None
    schema.add_argument("system", nargs="?", metavar="SYSTEM", help=what, choices=choices)
    completion = _add(subcommands, "completion", "print a completion script for a shell", _completion)
    completion.add_argument("shell", choices=SHELLS, help="your shell")


# Subcommands


def _library(args: argparse.Namespace) -> int:
    from fightcall.subcommands import console

    return console.library(_look(args))


def _play(args: argparse.Namespace) -> int:
    from fightcall.subcommands import console

    if bool(args.name) == bool(args.system):
        raise Unusable("name an encounter or a saved fight, or use --system to set up a new fight")
    if args.system:
        return console.set_up(args.system, find_paths(), _look(args))
    if args.gm and not args.watch:
        raise Unusable("--gm works only with --watch")
    if args.plain and args.watch:
        raise Unusable("--plain can't be combined with --watch; to read a fight, use: fightcall export FIGHT --to md")
    watch: console.Watch = ("gm" if args.gm else "players") if args.watch else ""
    return console.play(
        args.name, find_paths(), _look(args), watch=watch, seed=args.seed, title=args.title, plain=args.plain
    )


def _show(args: argparse.Namespace) -> int:
    from fightcall.subcommands import console

    if (args.lan or args.port is not None) and not args.web:
        raise Unusable("--lan and --port work only with --web")
    paths = find_paths()
    journal = find_fight(args.fight, paths)
    if args.web:
        return console.show_in_browsers(
            journal, paths.players_key, lan=args.lan, port=args.port, attended=args.attended
        )
    return console.show(journal, _look(args))


def _replay(args: argparse.Namespace) -> int:
    from fightcall.subcommands import console

    return console.replay(args.fight, find_paths(), _look(args))


def _look(args: argparse.Namespace) -> Look:
    return Look(args.theme, not args.no_mouse)


def _list(args: argparse.Namespace) -> int:
    from fightcall.subcommands.listings import fights_and_encounters

    return fights_and_encounters(find_paths())


def _export(args: argparse.Namespace) -> int:
    from fightcall.subcommands.files import export

    paths = find_paths()
    return export(find_fight(args.fight, paths), args.to, args.output, paths, for_gm=args.gm, at=args.at)


def _forecast(args: argparse.Namespace) -> int:
    from fightcall.subcommands.files import forecast

    return forecast(
        args.encounter,
        find_paths(),
        fights=args.fights,
        rounds=args.rounds,
        seed=args.seed,
        processes=args.processes,
        as_json=args.json,
    )


def _check(args: argparse.Namespace) -> int:
    from fightcall.subcommands import listings

    paths = find_paths()
    return listings.check(args.names, paths) if args.names else listings.check_everything(paths)


def _repair(args: argparse.Namespace) -> int:
    from fightcall.subcommands import listings

    paths = find_paths()
    return listings.repair_library(paths) if args.library else listings.repair_fight(find_fight(args.fight, paths))


def _new(args: argparse.Namespace) -> int:
    from fightcall.subcommands.files import new_encounter

    return new_encounter(args.name, find_paths(), args.system)


def _new_system(args: argparse.Namespace) -> int:
    from fightcall.subcommands.files import new_system

    return new_system(args.name, find_paths())


def _import(args: argparse.Namespace) -> int:
    from fightcall.subcommands.files import import_files

    return import_files(
        args.files, find_paths(), args.system, name=args.name, side=args.side, as_templates=args.templates
    )


def _themes(args: argparse.Namespace) -> int:
    from fightcall.subcommands.listings import themes

    return themes(find_paths())


def _guide(args: argparse.Namespace) -> int:
    from fightcall.subcommands.listings import guide

    return guide(args.page)


def _keys(args: argparse.Namespace) -> int:
    from fightcall.subcommands.listings import print_keys

    return print_keys(find_paths(), args.to)


def _run(args: argparse.Namespace) -> int:
    from fightcall.subcommands import files

    return files.run(args.file, find_paths())


def _schema(args: argparse.Namespace) -> int:
    from fightcall.subcommands import files

    return files.schema(args.system)


def _completion(args: argparse.Namespace) -> int:
    from fightcall.subcommands.listings import completion, names_to_complete

    return completion(args.shell, make_parser(names_to_complete(find_paths())))
