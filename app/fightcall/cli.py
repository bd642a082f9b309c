"""The ``fightcall`` command: its arguments, and its error messages.

Slow modules are imported when a subcommand needs them; those that draw nothing never import Textual.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, TypeAlias

from fightcall.settings import Paths, find_paths
from fightcall.subcommands import console
from fightcall_engine.files import use_games
from fightcall_engine.model import __version__
from fightcall_engine.model.errors import FightCallError

UNREAD = 141
"""The exit code that shells use after a closed pipe."""

_FIGHT = "a fight: its id, part of its name, 'last', or the path of a .jsonl file"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit code: 0 for success, 1 for failure, 2 for wrong usage."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A character that the terminal lacks is no reason to fail.
            stream.reconfigure(errors="backslashreplace")
    try:
        args = make_parser().parse_args(argv)
        paths = find_paths()
        use_games(paths.systems)
        code = _run(args, paths)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return console.INTERRUPTED
    except BrokenPipeError:
        # Python flushes standard output again at exit; give it something that accepts the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except (console.Unusable, FightCallError, OSError) as error:
        return console.complain(console.in_words(error))


class Parser(argparse.ArgumentParser):
    """A parser whose messages cannot harm the terminal, and whose help is a page of the manual."""

    def format_help(self) -> str:
        """The help. The manual is only read if it is needed."""
        from fightcall.subcommands import listings

        page = listings.pages().get(self.prog.rpartition(" ")[2])
        if page is not None:
            self.description = page.summary(shutil.get_terminal_size().columns - 2)
            self.epilog = page.foot
            self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        console.warn(*self.format_usage().rstrip().splitlines(), f"{self.prog}: {message}")
        sys.exit(console.USAGE)


# Arguments

Subcommands: TypeAlias = "argparse._SubParsersAction[Parser]"


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


def make_parser(names: console.Names | None = None) -> argparse.ArgumentParser:
    """The parser. `names` are the names for a completion script."""
    names = names or console.Names()
    parser = Parser(
        prog="fightcall",
        description="Track combat at the table. Without a subcommand, open the library.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"fightcall {__version__}")
    _add_look(parser, names)
    subcommands = parser.add_subparsers(
        title="subcommands", dest="subcommand", metavar="SUBCOMMAND", parser_class=Parser
    )
    _add_screens(subcommands, names)
    _add_fights(subcommands, names)
    _add_files(subcommands, names)
    _add_tools(subcommands, names)
    return parser


def _add(subcommands: Subcommands, name: str, help: str) -> Parser:
    return subcommands.add_parser(name, help=help, description=f"{help[0].upper()}{help[1:]}.", allow_abbrev=False)


def _add_look(parser: argparse.ArgumentParser, names: console.Names) -> None:
    what = "theme for this run; see: fightcall themes"
    parser.add_argument("--theme", default="", metavar="NAME", help=what, choices=names.themes or None)
    parser.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")


def _add_screens(subcommands: Subcommands, names: console.Names) -> None:
    fights = names.fights or None
    _add_look(_add(subcommands, "library", "open the library of fights and encounters"), names)
    play = _add(subcommands, "play", "start a fight from an encounter, or continue a saved one")
    what = "an encounter: its name or the path of a .toml file; or " + _FIGHT
    known = [*names.encounters, *names.fights] or None
    play.add_argument("name", nargs="?", default="", metavar="ENCOUNTER|FIGHT", help=what, choices=known)
    what = "set up a new fight of this rule system"
    play.add_argument("--system", default="", metavar="SYSTEM", help=what, choices=names.systems or None)
    play.add_argument("--watch", action="store_true", help="follow a fight in another program, as players see it")
    play.add_argument("--gm", action="store_true", help="with --watch: show everything the GM sees")
    play.add_argument("--plain", action="store_true", help="play line by line, for screen readers and slow connections")
    play.add_argument("--name", dest="title", metavar="TEXT", help="name of a new fight")
    play.add_argument("--seed", metavar="TEXT", help="seed for a new fight: the same seed gives the same dice")
    _add_look(play, names)
    show = _add(subcommands, "show", "show a fight to players, in a terminal or a browser")
    show.add_argument("fight", nargs="?", default="last", metavar="FIGHT", help=_FIGHT, choices=fights)
    show.add_argument("--web", action="store_true", help="serve a web page and print its address")
    show.add_argument("--lan", action="store_true", help="with --web: let other devices open it, at a secret address")
    show.add_argument(
        "--port", type=int, metavar="N", help="with --web: port to listen on (default: 8420 or the next free one)"
    )
    show.add_argument("--attended", action="store_true", help=argparse.SUPPRESS)
    _add_look(show, names)
    replay = _add(subcommands, "replay", "replay a saved fight from the beginning")
    replay.add_argument("fight", metavar="FIGHT", help=_FIGHT, choices=fights)
    _add_look(replay, names)


def _add_fights(subcommands: Subcommands, names: console.Names) -> None:
    fights = names.fights or None
    _add(subcommands, "list", "list saved fights and encounters")
    export = _add(subcommands, "export", "write a fight as a chronicle, a replay or a picture")
    export.add_argument("fight", metavar="FIGHT", help=_FIGHT, choices=fights)
    export.add_argument(
        "--to",
        choices=console.FORMS,
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
    forecast = _add(subcommands, "forecast", "estimate how deadly an encounter is, by playing it many times")
    what = "an encounter: its name or the path of a .toml file"
    forecast.add_argument("encounter", metavar="ENCOUNTER", help=what, choices=names.encounters or None)
    forecast.add_argument("--fights", type=int, default=200, metavar="N", help="number of fights (default: 200)")
    forecast.add_argument("--rounds", type=int, default=20, metavar="N", help="most rounds of a fight (default: 20)")
    what = "seed: the same seed gives the same numbers (default: 1)"
    forecast.add_argument("--seed", default="1", metavar="TEXT", help=what)
    forecast.add_argument("--processes", type=int, metavar="N", help="number of processes (default: one for each core)")
    forecast.add_argument("--json", action="store_true", help="print one object of JSON")
    check = _add(subcommands, "check", "check fights for damage and files for mistakes")
    what = f"{_FIGHT}; or the file of an encounter, a game or settings, such as armoury.toml (default: everything)"
    check.add_argument("names", nargs="*", action=FileAction, metavar="FIGHT|FILE", help=what)
    repair = _add(subcommands, "repair", "repair a damaged fight; the original is kept")
    which = repair.add_mutually_exclusive_group(required=True)
    which.add_argument("fight", nargs="?", metavar="FIGHT", help=_FIGHT, choices=fights)
    which.add_argument("--library", action="store_true", help="repair the list of fights instead")


def _add_files(subcommands: Subcommands, names: console.Names) -> None:
    systems = names.systems or None
    new = _add(subcommands, "new", "write a sample encounter file")
    new.add_argument("name", metavar="NAME", help="name of the encounter")
    new.add_argument("--system", metavar="SYSTEM", help="rule system (default: plain)", choices=systems)
    own = _add(subcommands, "new-system", "write a file for the rules of your own game")
    own.add_argument("name", metavar="NAME", help="name of the game")
    get = _add(subcommands, "import", "import combatants from tables or from other programs")
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
    _add(subcommands, "themes", "list the themes, and any errors in your own")
    guide = _add(subcommands, "guide", "read the guide")
    what = "page to read (default: table of contents)"
    guide.add_argument("page", nargs="?", default="", metavar="PAGE", help=what, choices=names.pages or None)
    keys = _add(subcommands, "keys", "list all keys")
    keys.add_argument("--to", choices=("txt", "md"), default="txt", help="format: plain text (default) or Markdown")


def _add_tools(subcommands: Subcommands, names: console.Names) -> None:
    run = _add(subcommands, "run", "control the engine with JSON Lines")
    what = "file to read (default: standard input)"
    run.add_argument("file", nargs="?", default="-", action=FileAction, metavar="FILE", help=what)
    schema = _add(subcommands, "schema", "print the JSON Schema of what run reads and prints, or of games")
    what = "rule system (default: all), or 'system' for the files of your own games"
    choices = ["system", *names.systems] if names.systems else None
    schema.add_argument("system", nargs="?", metavar="SYSTEM", help=what, choices=choices)
    completion = _add(subcommands, "completion", "print a completion script for a shell")
    completion.add_argument("shell", choices=console.SHELLS, help="your shell")


# Subcommands


def _run(args: argparse.Namespace, paths: Paths) -> int:
    match args.subcommand:
        case None | "library":
            return console.library(_look(args))
        case "play":
            return _play(args, paths)
        case "show":
            return _show(args, paths)
        case "replay":
            return console.replay(args.fight, paths, _look(args))
    # The screens start without them.
    from fightcall.subcommands import listings

    match args.subcommand:
        case "list":
            return listings.fights_and_encounters(paths)
        case "check":
            return listings.check(args.names, paths) if args.names else listings.check_everything(paths)
        case "repair" if args.library:
            return listings.repair_library(paths)
        case "repair":
            return listings.repair_fight(console.find_fight(args.fight, paths))
        case "themes":
            return listings.themes(paths)
        case "guide":
            return listings.guide(args.page)
        case "keys":
            return listings.print_keys(paths, args.to)
        case "completion":
            return listings.completion(args.shell, make_parser(listings.names_to_complete(paths)))
    from fightcall.subcommands import files

    match args.subcommand:
        case "export":
            journal = console.find_fight(args.fight, paths)
            return files.export(journal, args.to, args.output, paths, for_gm=args.gm, at=args.at)
        case "forecast":
            return files.forecast(
                args.encounter,
                paths,
                fights=args.fights,
                rounds=args.rounds,
                seed=args.seed,
                processes=args.processes,
                as_json=args.json,
            )
        case "new":
            return files.new_encounter(args.name, paths, args.system)
        case "new-system":
            return files.new_system(args.name, paths)
        case "import":
            options = {"name": args.name, "side": args.side}
            return files.import_files(args.files, paths, args.system, **options, as_templates=args.templates)
        case "run":
            return files.run(args.file, paths)
        case _:
            return files.schema(args.system)


def _look(args: argparse.Namespace) -> console.Look:
    return console.Look(args.theme, not args.no_mouse)


def _play(args: argparse.Namespace, paths: Paths) -> int:
    if bool(args.name) == bool(args.system):
        raise console.Unusable("name an encounter or a saved fight, or use --system to set up a new fight")
    if args.system:
        return console.set_up(args.system, paths, _look(args))
    if args.gm and not args.watch:
        raise console.Unusable("--gm works only with --watch")
    if args.plain and args.watch:
        read = "to read a fight, use: fightcall export FIGHT --to md"
        raise console.Unusable(f"--plain can't be combined with --watch; {read}")
    watch: console.Watch = ("gm" if args.gm else "players") if args.watch else ""
    return console.play(args.name, paths, _look(args), watch=watch, seed=args.seed, title=args.title, plain=args.plain)


def _show(args: argparse.Namespace, paths: Paths) -> int:
    if (args.lan or args.port is not None) and not args.web:
        raise console.Unusable("--lan and --port work only with --web")
    journal = console.find_fight(args.fight, paths)
    if not args.web:
        return console.show(journal, _look(args))
    key = paths.players_key
    return console.show_in_browsers(journal, key, lan=args.lan, port=args.port, attended=args.attended)
