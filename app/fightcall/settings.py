"""The user's settings and key bindings: `settings.toml` and `keys.toml`.

    theme = "parchment"
    glyphs = "ascii"

Settings are read quickly for the first frame, and checked in full after it.

    [keys]
    fight.strike = "x"
    fight.undo = ["u", "ctrl+z"]

Textual silently accepts unknown ids, keys that do not exist and clashing keys, which make actions unreachable. So
every line is checked here, all problems are reported at once, and an action with a faulty entry keeps its default keys.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, cast, get_args

from fightcall_engine import files
from fightcall_engine.files import read_bytes, read_text
from fightcall_engine.kit.plugins import find_system, system_names
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from pydantic import BaseModel

    from fightcall_engine.archive.journal import RepairReport


GlyphChoice = Literal["theme", "unicode", "ascii"]

EVERYWHERE = "everywhere"
"""The scope of actions whose keys work on all screens, so that they clash with those of every scope."""

_MODIFIERS = ("ctrl", "alt", "shift", "super", "hyper", "meta")
_ALIASES = {"esc": "escape", "return": "enter", "del": "delete", "pgup": "pageup", "pgdn": "pagedown"}
# A terminal sends the same byte for both.
_SAME_BYTES = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+left_square_bracket": "escape"}


@frozen
class Settings:
    """The user's settings: a theme, empty for the default, and a glyph set, or ``theme`` for that of the theme."""

    theme: str = ""
    glyphs: GlyphChoice = "theme"


def read_settings(path: Path) -> Settings:
    """The settings in a file, with defaults for missing and invalid ones; see `settings_problems`."""
    if not os.path.lexists(path):
        return Settings()
    file = read_toml(path)
    if isinstance(file, Problem):
        return Settings()
    theme, glyphs = file.data.get("theme"), file.data.get("glyphs")
    return Settings(
        theme=theme if isinstance(theme, str) else "",
        glyphs=cast(GlyphChoice, glyphs) if glyphs in get_args(GlyphChoice) else "theme",
    )


@cache
def settings_model() -> type[BaseModel]:
    """The pydantic model of the file, imported at first use so that the first frame does not wait for it."""
    from pydantic import BaseModel, ConfigDict

    class SettingsFile(BaseModel):
        """A settings file."""

        model_config = ConfigDict(extra="forbid", strict=True)

        theme: str = ""
        glyphs: GlyphChoice = "theme"

    return SettingsFile


def settings_problems(path: Path) -> tuple[Problem, ...]:
    """The problems of a settings file; none if it does not exist."""
    if not os.path.lexists(path):
        return ()
    file = read_toml(path)
    if isinstance(file, Problem):
        return (file,)
    from pydantic import ValidationError

    model = settings_model()
    try:
        model.model_validate(file.data)
    except ValidationError as error:
        problems = []
        for detail in error.errors(include_url=False):
            key = str(detail["loc"][0])
            if detail["type"] == "extra_forbidden":
                keys = tuple(model.model_fields)
                message = f"no setting {key!r}; there are {', '.join(keys)}{did_you_mean(key, keys)}"
            else:
                message = f"{key}: {detail['msg']} (got {repr(detail['input'])[:60]})"
            problems.append(file.problem((key,), message))
        return tuple(problems)
    return ()


def with_theme(text: str, theme: str) -> str:
    """The text of a settings file with another theme, and everything else unchanged."""
    line = f'theme = "{theme}"'
    new_text, count = re.subn(r"(?m)^theme[ \t]*=.*$", lambda _match: line, text, count=1)
    return new_text if count else f"{line}\n{text}"


def keep_theme(path: Path, theme: str) -> None:
    """Save the user's theme in the settings file, or leave it as it was."""
    from fightcall_engine.archive.fsutil import write_atomically

    # Bytes that are not UTF-8 are kept; the problem is reported elsewhere.
    text = read_bytes(path).decode("utf-8-sig", errors="surrogateescape") if path.exists() else ""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = with_theme(text, theme).encode(errors="surrogateescape")
    write_atomically(path, data, keep_previous=False)


# Key bindings


class ActionKeys(NamedTuple):
    """What the key map needs to know of an action."""

    keys: tuple[str, ...]
    """Its default keys, by Textual's names or as single characters."""
    scope: str
    """Where they work: actions of one scope must not share a key."""
    systems: tuple[str, ...] = ()
    """The only rule systems that offer it; empty for actions of every fight."""


@cache
def _named_keys() -> frozenset[str]:
    from textual.keys import KEY_TO_UNICODE_NAME, Keys

    names = {key.value.rpartition("+")[2] for key in Keys if not key.value.startswith(("<", "ctrl-"))}
    ascii_names = {_character_name(chr(code)) for code in range(0x20, 0x7F)}
    return frozenset(name for name in names | ascii_names | set(KEY_TO_UNICODE_NAME) if len(name) > 1)


def _character_name(character: str) -> str:
    """Textual's name of the key for a character; letters and digits are their own names."""
    from textual.keys import KEY_NAME_REPLACEMENTS

    if character.isalnum():
        return character
    name = unicodedata.name(character, "").lower().replace("-", "_").replace(" ", "_")
    if not name:
        raise ValueError(f"{character!r} can't be bound; choose another character")
    return KEY_NAME_REPLACEMENTS.get(name, name)


def key_name(key: str) -> str:
    """A key by Textual's name: `?` is `question_mark`, `Ctrl+X` is `ctrl+x`, `esc` is `escape`.

    Raises:
        ValueError: There is no such key; the message says how to write it.
    """
    word = key if len(key) == 1 else key.strip()
    if len(word) == 1:
        if not word.isprintable():
            raise ValueError(f"{key!r} can't be typed; write tab, enter, escape, f1, ctrl+x or one character")
        return _character_name(word)
    # A plus sign is a key, and it also joins modifiers.
    parts = [*word[:-2].split("+"), "+"] if word.endswith("++") else word.split("+")
    modifiers = [part.strip().lower() for part in parts[:-1]]
    for modifier in modifiers:
        if modifier not in _MODIFIERS:
            raise ValueError(f"{modifier!r} in {key!r} is not one of {', '.join(_MODIFIERS)}")
    modifiers = sorted(set(modifiers), key=_MODIFIERS.index)
    if modifiers == ["shift"] and len(parts[-1]) == 1:
        # Terminals send a shifted character as another one: `A` for `shift+a`.
        upper = parts[-1].upper()
        if upper == parts[-1].lower() or len(upper) != 1:
            raise ValueError(f"{key!r} reaches the program as another character; write that one")
        return _character_name(upper)
    name = "+".join([*modifiers, _last_name(parts[-1], key, bool(modifiers))])
    return _SAME_BYTES.get(name, name)


def _last_name(last: str, key: str, has_modifier: bool) -> str:
    if len(last) == 1 and last.isprintable():
        lower_case = last.lower()
        return _character_name(lower_case if has_modifier and len(lower_case) == 1 else last)
    name = _ALIASES.get(last.strip().lower(), last.strip().lower())
    if name in _named_keys():
        return name
    near = did_you_mean(name, sorted(_named_keys()))
    raise ValueError(f"unknown key {key!r}{near or '; write one character, or a name such as f5 or ctrl+x'}")


def load_keymap(path: Path, action_keys: Mapping[str, ActionKeys]) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """Textual's keys of each rebound action as `key,key`, and everything wrong with the file if there is one."""
    if not os.path.lexists(path):
        return {}, ()
    file = read_toml(path)
    if isinstance(file, Problem):
        return {}, (file,)
    problems = [
        file.problem((name,), f"unknown name {name!r}; write bindings under [keys]")
        for name in file.data
        if name != "keys"
    ]
    table = file.data.get("keys", {})
    if not isinstance(table, dict):
        return {}, (*problems, file.problem(("keys",), "keys is not a table; write [keys] on its own line"))
    wanted_keys: dict[str, tuple[str, ...]] = {}
    for action, value in flatten(table).items():
        if action not in action_keys:
            message = f"no action {action!r}{did_you_mean(action, list(action_keys))}"
            problems.append(file.problem(("keys", action), message))
            continue
        keys, complaints = _keys_of(value)
        problems += [file.problem(("keys", action), f"{action}: {complaint}") for complaint in complaints]
        if not complaints:
            wanted_keys[action] = keys
    # Giving an action its default keys back may make another entry clash.
    while clashing := _clashes(wanted_keys, action_keys):
        for action, message in clashing.items():
            del wanted_keys[action]
            problems.append(file.problem(("keys", action), message))
    problems.sort(key=lambda problem: problem.line or 0)
    return {action: ",".join(keys) for action, keys in wanted_keys.items()}, tuple(problems)


def _keys_of(value: object) -> tuple[tuple[str, ...], list[str]]:
    words = value if isinstance(value, list) else [value]
    if not words or words == [""]:
        return (), ["would have no key; give it one, or delete the line to use the default"]
    keys: list[str] = []
    complaints: list[str] = []
    for word in words:
        if not isinstance(word, str):
            complaints.append(f'{word!r} is not a key; write keys in quotes, such as "{word}"')
            continue
        try:
            keys.append(key_name(word))
        except ValueError as error:
            parts = re.split(r"\s*,\s*", word.strip())
            quoted_parts = ", ".join(f'"{part}"' for part in parts)
            hint = f"{word!r} is more than one key; write them as [{quoted_parts}]"
            complaints.append(hint if len(parts) > 1 and all(parts) else str(error))
    return tuple(dict.fromkeys(keys)), complaints


def _clashes(bindings: Mapping[str, tuple[str, ...]], action_keys: Mapping[str, ActionKeys]) -> dict[str, str]:
    holders: dict[str, list[str]] = defaultdict(list)
    for action, default_keys in action_keys.items():
        for key in bindings.get(action) or tuple(map(key_name, default_keys.keys)):
            holders[key].append(action)
    clashes: dict[str, str] = {}
    for action, keys in bindings.items():
        for key in keys:
            item = action_keys[action]
            others = [each for each in holders[key] if each != action and _can_clash(item, action_keys[each])]
            if others and action not in clashes:
                clashes[action] = f"{action}: {key} is already the key of {', '.join(others)}; choose another"
    return clashes


def _can_clash(item: ActionKeys, other: ActionKeys) -> bool:
    if item.systems and other.systems and not set(item.systems) & set(other.systems):
        return False
    return item.scope == other.scope or EVERYWHERE in (item.scope, other.scope)


# The options of the installed systems


class OfferedKey(NamedTuple):
    """An option of fights, its default key, and the systems that offer it with that key."""

    action: str
    key: str
    systems: tuple[str, ...]


def option_keys() -> tuple[OfferedKey, ...]:
    """All options of the installed systems, once for each key."""
    keys: dict[tuple[str, str], OfferedKey] = {}
    for name in system_names():
        for action, key in find_system(name).option_keys.items():
            before = keys.get((action, key))
            keys[action, key] = OfferedKey(action, key, (*before.systems, name) if before else (name,))
    return tuple(keys.values())


HOME = "FIGHTCALL_HOME"
_NAME = "fightcall"

MOST_CONDITIONS = 40
"""The most conditions that are kept; the oldest are dropped."""
LONGEST_CONDITION = 40


@frozen
class Paths:
    """The user's folders: `data` of the library; `config` of settings, keys, themes, encounters and games."""

    data: Path
    config: Path

    @property
    def library(self) -> Path:
        """The folder of `Library.open`."""
        return self.data

    @property
    def encounters(self) -> Path:
        return self.config / "encounters"

    @property
    def systems(self) -> Path:
        """The folder of the user's own games, one TOML file each."""
        return self.config / "systems"

    @property
    def drafts(self) -> Path:
        return self.data / "drafts"

    @property
    def players_key(self) -> Path:
        """The secret from which addresses of the players' page are made."""
        return self.data / "players.key"

    @property
    def themes(self) -> Path:
        return self.config / "themes"

    @property
    def keys(self) -> Path:
        return self.config / "keys.toml"

    @property
    def settings(self) -> Path:
        return self.config / "settings.toml"

    @property
    def conditions(self) -> Path:
        """The GM's own conditions, one a line, the newest first."""
        return self.config / "conditions.txt"

    @property
    def setting_files(self) -> Path:
        """The folder of the user's files for settings of rule systems, with a subfolder for each system."""
        return self.config / "settings"


def find_paths(environ: Mapping[str, str] = os.environ) -> Paths:
    """The user's folders: those of the operating system, or ``FIGHTCALL_HOME``, which may begin with a known user."""
    home = environ.get(HOME, "")
    if home:
        try:
            root = Path(home).expanduser()
        except RuntimeError as error:
            raise BadInput(HOME, (f"{home}: this user has no home folder; give a path",)) from error
        return Paths(root / "data", root / "config")
    from platformdirs import user_config_path, user_data_path

    return Paths(
        user_data_path(_NAME, appauthor=False, roaming=False), user_config_path(_NAME, appauthor=False, roaming=True)
    )


# Problems, with their lines


class Problem(NamedTuple):
    """A problem in a file; its line counts from 1, and is None if it belongs to none."""

    path: Path
    line: int | None
    message: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{where}: {self.message}"


class TomlText(NamedTuple):
    """A parsed TOML file with its text."""

    path: Path
    text: str
    data: dict[str, object]

    def problem(self, keys: Sequence[str], message: str) -> Problem:
        """A problem at a key, given by its path."""
        return Problem(self.path, line_of(self.text, keys), message)


_TABLE = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")


def _plain(key: str) -> str:
    return re.sub(r"\s*\.\s*", ".", key).replace('"', "").replace("'", "")


def line_of(text: str, keys: Sequence[str]) -> int | None:
    """The line, from 1, of a key or table in a TOML text; else of the nearest table above it."""
    dotted_key = ".".join(keys)
    table = ""
    nearest: tuple[int, int] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _TABLE.match(line):
            name = table = _plain(header[1])
        elif match := _KEY.match(line):
            name = f"{table}.{_plain(match[1])}" if table else _plain(match[1])
        else:
            continue
        if name == dotted_key:
            return number
        if dotted_key.startswith(name + ".") and (nearest is None or len(name) > nearest[0]):
            nearest = (len(name), number)
    return nearest[1] if nearest else None


def parse_toml(text: str, path: Path) -> TomlText | Problem:
    """Parse a TOML text. Returns the tables, or the first syntax error."""
    try:
        return TomlText(path, text, files.parse_toml(text))
    except ValueError as error:
        match = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        if match is None:
            return Problem(path, len(text.splitlines()), f"not TOML: {error}")
        reason = str(error).replace(match[0], f"(column {match[2]})")
        return Problem(path, int(match[1]), f"not TOML: {reason}")


def read_toml(path: Path) -> TomlText | Problem:
    """Read a TOML file. Returns the tables, or the problem that prevents it."""
    try:
        text = read_text(path)
    except OSError as error:
        return Problem(path, None, f"can't be read: {error.strerror or error}")
    except UnicodeDecodeError as error:
        return Problem(path, None, f"not UTF-8 text (byte {error.start}); save it as UTF-8")
    return parse_toml(text, path)


def flatten(table: Mapping[str, object], above: str = "") -> dict[str, object]:
    """Nested tables as one table with dotted keys."""
    flat: dict[str, object] = {}
    for key, value in table.items():
        name = f"{above}.{key}" if above else key
        if isinstance(value, dict):
            flat |= flatten(value, name)
        else:
            flat[name] = value
    return flat


def did_you_mean(word: str, names: Sequence[str]) -> str:
    """The end of a message about an unknown word: the most similar known one, or nothing."""
    near = get_close_matches(word, names, n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


# Conditions in the GM's own words


def own_conditions(path: Path) -> tuple[str, ...]:
    """Read the conditions that were kept, the newest first; none if the file can't be read."""
    try:
        lines = read_text(path).splitlines() if path.exists() else []
    except (ValueError, OSError):
        return ()
    names = dict.fromkeys(line.strip() for line in lines)
    return tuple(name for name in names if _can_be_kept(name))[:MOST_CONDITIONS]


def keep_condition(path: Path, name: str) -> None:
    """Keep a condition as the newest one, or leave the file as it was."""
    from fightcall_engine.archive.fsutil import write_atomically

    before = own_conditions(path)
    if before[:1] == (name,) or not _can_be_kept(name):
        return
    names = tuple(dict.fromkeys((name, *before)))[:MOST_CONDITIONS]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, "".join(f"{each}\n" for each in names).encode(), keep_previous=False)


def _can_be_kept(name: str) -> bool:
    return 0 < len(name) <= LONGEST_CONDITION and name.isprintable() and name == name.strip()


def repaired_in_words(report: RepairReport) -> str:
    """The result of a repair in words."""
    parts = [f"{report.kept} lines kept"]
    if report.corrected:
        parts.append(f"{report.corrected} corrected")
    if report.lost:
        parts.append(f"{report.lost} lost, replaced by notes")
    if report.dropped:
        parts.append(f"{report.dropped} intact lines left out, because they depend on lost ones")
    return "; ".join(parts)
