"""``fightcall keys``: a printable sheet of all keys in force."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from fightcall.actions import ACTIONS, OPTION, SCOPES, Action, KeyNames, Scope, known_keys, short_key
from fightcall.keymap import load_keymap
from fightcall.option_keys import OfferedKey, option_keys
from fightcall.paint.runs import clean
from fightcall.paths import Paths
from fightcall.problems import Problem
from fightcall.subcommands.console import FAILED, OK, complain, tabulate
from fightcall.taken_keys import taken_keys

Keymap = Mapping[str, str]
"""The user's keys by action id."""

Options = Sequence[OfferedKey]
"""The options of the installed systems."""

Row = tuple[str, str, str, str]
"""Keys, what the key bar calls it, its name in `keys.toml`, what it does."""
Rows = list[Row]

CHANGES = "To change keys, write their names and new keys in a file `keys.toml`; see: fightcall guide running"


def print_keys(paths: Paths, form: str) -> int:
    """Print the sheet as ``txt`` or ``md``, and all problems of the user's key map."""
    keymap, problems = user_keys(paths)
    for line in (_markdown if form == "md" else _text)(keymap, option_keys()):
        print(line)
    for problem in (*problems, *taken_keys(KeyNames(keymap))):
        complain(str(problem))
    return FAILED if problems else OK


def user_keys(paths: Paths) -> tuple[Keymap, tuple[Problem, ...]]:
    """The user's key map, and its problems."""
    if not os.path.lexists(paths.keys):
        return {}, ()
    return load_keymap(paths.keys, known_keys(option_keys()))


def sections(keymap: Keymap, options: Options) -> Iterator[tuple[str, list[tuple[str, Rows]]]]:
    """The sections of the sheet: the heading of each scope, and its groups with their rows."""
    for scope, heading in SCOPES.items():
        groups: dict[str, Rows] = {}
        for action in (action for action in ACTIONS if action.scope == scope):
            groups.setdefault(action.group, []).append(_row(action, keymap))
        if scope == _OPTION_SCOPE and options:
            for systems in dict.fromkeys(item.systems for item in options):
                rows = [_offered_row(item, keymap) for item in options if item.systems == systems]
                groups[f"What a combatant can do: {', '.join(systems)}"] = rows
        yield heading, list(groups.items())


def _offered_row(item: OfferedKey, keymap: Keymap) -> Row:
    name = OPTION + item.action
    return " ".join(_keys(name, (item.key,), keymap)), re.sub("[-_]", " ", item.action), name, ""


_OPTION_SCOPE: Scope = "fight"


def _row(action: Action, keymap: Keymap) -> Row:
    return " ".join(_keys(action.id, action.keys, keymap)), action.text, action.id, action.tooltip


def _keys(id: str, usual: Sequence[str], keymap: Keymap) -> Sequence[str]:
    """The keys in force as people write them, such as ``ctrl+z`` and ``?``."""
    bound_keys = keymap.get(id)
    if bound_keys is None:
        return usual
    return [key if "+" in key else short_key(key, plain=True) for key in bound_keys.split(",")]


def _text(keymap: Keymap, options: Options) -> Iterator[str]:
    yield "FIGHT CALL: KEYS"
    for heading, groups in sections(keymap, options):
        yield from ("", heading.upper())
        for group, rows in groups:
            if group != heading:
                yield f"  {group}"
            yield from (f"    {line}" for line in tabulate(rows))
    yield from ("", CHANGES)


def _markdown(keymap: Keymap, options: Options) -> Iterator[str]:
    yield "# Fight Call: keys"
    for heading, groups in sections(keymap, options):
        yield from ("", f"## {heading}")
        for group, rows in groups:
            yield from ("", f"### {group}", "") if group != heading else ("",)
            yield from ("| Keys | | Name | What it does |", "|---|---|---|---|")
            for keys, text, name, tooltip in rows:
                keys_text = " ".join(f"`{_in_table(key)}`" for key in keys.split())
                yield f"| {keys_text} | {_in_table(text)} | {name} | {_in_table(tooltip)} |"
    yield from ("", CHANGES)


def _in_table(text: str) -> str:
    """Text for a Markdown table's cell."""
    return clean(text).replace("|", "\\|")
