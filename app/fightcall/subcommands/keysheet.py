"""``fightcall keys``: a sheet of all keys to print, as the user has them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence

from fightcall.actions import ACTIONS, OPTION, SCOPES, Action, KeyNames, Scope, known_keys
from fightcall.keymap import load_keymap
from fightcall.option_keys import option_keys
from fightcall.paint.runs import clean
from fightcall.paths import Paths
from fightcall.problems import Problem
from fightcall.subcommands.output import FAILED, OK, complain, tabulate

Options = Sequence[tuple[str, str]]
"""(action, key) of what the installed systems offer."""

Rows = list[tuple[str, str, str]]
"""Keys, what the key bar calls it, what it does."""


def print_keys(paths: Paths, form: str) -> int:
    """Print the sheet as ``txt`` or ``md``, and everything that is wrong with the user's key map."""
    keymap, problems = user_keys(paths)
    names = KeyNames(keymap, plain=not _has_arrows(sys.stdout.encoding))
    for line in (_markdown if form == "md" else _text)(names, option_keys()):
        print(line)
    for problem in problems:
        complain(str(problem))
    return FAILED if problems else OK


def user_keys(paths: Paths) -> tuple[Mapping[str, str], tuple[Problem, ...]]:
    """The user's key map, and everything wrong with it."""
    if not paths.keys.exists():
        return {}, ()
    return load_keymap(paths.keys, known_keys(option_keys()))


def _has_arrows(encoding: str | None) -> bool:
    try:
        "←↑→↓".encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def sections(names: KeyNames, options: Options) -> Iterator[tuple[str, list[tuple[str, Rows]]]]:
    """The sheet's parts: the heading of each scope, and under it its groups with their rows."""
    for scope, heading in SCOPES.items():
        groups: dict[str, Rows] = {}
        for action in (one for one in ACTIONS if one.scope == scope):
            groups.setdefault(action.group, []).append(_row(action, names))
        if scope == _OPTION_SCOPE and options:
            groups["What a combatant can do"] = [
                (names.option(action, key), action.replace("-", " ").replace("_", " "), "") for action, key in options
            ]
        yield heading, list(groups.items())


_OPTION_SCOPE: Scope = "fight"


def _row(action: Action, names: KeyNames) -> tuple[str, str, str]:
    return " ".join(names.all_shown(action.id)), action.text, action.tooltip


def _text(names: KeyNames, options: Options) -> Iterator[str]:
    yield "FIGHT CALL: KEYS"
    for heading, groups in sections(names, options):
        yield from ("", heading.upper())
        for group, rows in groups:
            if group != heading:
                yield f"  {group}"
            yield from (f"    {line}" for line in tabulate(rows))


def _markdown(names: KeyNames, options: Options) -> Iterator[str]:
    yield "# Fight Call: keys"
    for heading, groups in sections(names, options):
        yield from ("", f"## {heading}")
        for group, rows in groups:
            yield from ("", f"### {group}", "") if group != heading else ("",)
            yield from ("| Keys | | What it does |", "|---|---|---|")
            for keys, text, tooltip in rows:
                shown = " ".join(f"`{_in_table(key)}`" for key in keys.split())
                yield f"| {shown} | {_in_table(text)} | {_in_table(tooltip)} |"
    yield ""
    yield f"To change them, write a file `keys.toml`; what a combatant can do is rebound as `{OPTION}<action>`."


def _in_table(text: str) -> str:
    """Text for a table's cell; a code span with a backtick in it would need longer ticks, so it is doubled."""
    return clean(text).replace("|", "\\|")
