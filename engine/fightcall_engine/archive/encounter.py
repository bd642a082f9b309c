"""An encounter, a fight that has not begun: its fields, files of its settings, and its map as a fight's next one."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from pathlib import Path

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.files import SUFFIX, GameFile, read_game_file, read_text
from fightcall_engine.kit.plugins import find_system, game_of, is_installed, read_game_again, system_names, system_of
from fightcall_engine.kit.records import check_setting, setting_named
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Setting
from fightcall_engine.model.commands import ChangeRules, Command, Configure, Join, SetCue
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.fold import without_number
from fightcall_engine.model.json_data import command_json, to_json
from fightcall_engine.model.state import FightState, Json, Scalar
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.play.newcomers import free_names

COUNT_SUFFIX = re.compile(r"(?P<name>.*\S)\s+[x×](?P<count>\d{1,4})", re.IGNORECASE | re.DOTALL)
"""A name with a count suffix: ``Goblin x3`` stands for three combatants."""


@frozen
class Encounter:
    """A fight that has not begun: everything that `start_fight` needs.

    Attributes:
        seed: the seed of the dice; None to draw a new one for each fight.
        story: an introduction for the GM; may have several lines.
        minutes: how long the fight takes at a table; None if nobody has said.
        settings: the system's settings that the file sets.
        joins: the combatants, one each, in the order of the roster.
        user_settings: settings from the user's setting files that the encounter does not set; not saved in its file.
        cues: reminders for the GM, each with its condition.
        warnings: problems that do not prevent playing, with line numbers: cues that can never fire.
    """

    name: str
    system: str
    seed: str | None = None
    story: str = ""
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    board: AnyBoard | None = None
    joins: tuple[Join, ...] = ()
    user_settings: Mapping[str, Scalar] = field(default_factory=dict)
    cues: tuple[SetCue, ...] = ()
    minutes: int | None = None
    warnings: tuple[str, ...] = field(default=(), compare=False)


def fields_of_next_map(encounter: Encounter, state: FightState, along: Collection[str]) -> Mapping[str, Json]:
    """The fields of the command by which a fight goes on with an encounter's map, people and cues.

    Those who come along take its player characters' places. Raises Refused: it is an encounter of another system.
    """
    if encounter.system != state.system:
        message = f"{encounter.name} is an encounter of {encounter.system}"
        raise Refused("map", message, (f"one of {state.system}",), final=True)
    players = system_of(state).sides[0]
    board, others = encounter.board, [join for join in encounter.joins if join.side not in ("", players)]
    starts = [join.at for join in encounter.joins if join.side in ("", players) and join.at is not None]
    coming = [each.id for each in state.roster if each.id in along]
    places = dict(zip(coming, _start_places(board, starts, others), strict=False)) if board is not None else {}
    return {
        "name": encounter.name,
        "board": to_json(board) if board is not None else {},
        "along": coming,
        "places": {combatant_id: board.name_of(at) for combatant_id, at in places.items()} if board is not None else {},
        "joins": list(_newcomers(others, state, coming, board)),
        "cues": [_fields(cue) for cue in encounter.cues],
    }


def _start_places(board: AnyBoard, starts: list[Location], others: list[Join]) -> Iterator[Location]:
    """The places for those who come along: the start places, then free ones nearest to the first of them."""
    yield from starts
    if board.holds_several:
        while starts:
            yield starts[0]
        return
    taken = {*starts, *(join.at for join in others)}
    free = [place for place in board.places() if place not in taken and board.cost_of(place) is not None]
    yield from sorted(free, key=lambda place: board.distance(starts[0], place)) if starts else free


def _newcomers(
    joins: list[Join], state: FightState, along: Collection[str], board: AnyBoard | None
) -> Iterator[Mapping[str, Json]]:
    """The encounter's people, with other names and no ids where those are taken."""
    names = {state.combatants[combatant_id].name for combatant_id in along}
    for join in joins:
        fields = {key: value for key, value in _fields(join).items() if key not in ("id", "label")}
        if join.name in names:
            stem = without_number(join.name)
            fields["name"] = next(name for name in free_names(state, stem) if name not in names)
        names.add(str(fields["name"]))
        if board is not None and join.at is not None:
            fields["at"] = board.name_of(join.at)
        yield fields


def _fields(command: object) -> Mapping[str, Json]:
    return {key: value for key, value in command_json(command).items() if key != "type"}  # type: ignore[arg-type]


# Settings whose value can be the path of a file, and stands for its text
#
# The user's folder of setting files has one file per setting of a system, such as ``segments/armoury.toml``. Their text
# is the value of settings that an encounter does not set.


def is_setting_path(setting: Setting, value: object) -> bool:
    """Whether a value is the path of a file for this setting."""
    return bool(setting.file) and isinstance(value, str) and "\n" not in value and value.endswith(setting.file)


def value_from(setting: Setting, value: Scalar, folder: Path) -> Scalar:
    """A setting's value; of a path relative to `folder`, the file's text. Raises BadInput: it cannot be read."""
    if not is_setting_path(setting, value):
        return value
    try:
        return read_text(folder / Path(str(value)).expanduser())
    except (OSError, UnicodeDecodeError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadInput("settings", (f"{setting.key}: {value} can't be read: {why}",)) from error


def values_from(system: BaseSystem, values: Mapping[str, Scalar], folder: Path) -> Mapping[str, Scalar]:
    """Settings with each path of a file replaced by its text. Raises BadInput: a file cannot be read."""
    settings_by_key = {setting.key: setting for setting in system.settings}
    return {
        key: value_from(settings_by_key[key], value, folder) if key in settings_by_key else value
        for key, value in values.items()
    }


def replace_path_by_text(system: BaseSystem, command: Command, folder: Path) -> Command:
    """The command with the path of a setting's or a game's file replaced by its text; no text means the game's file.

    Raises BadInput: the file cannot be read, or there is no such game.
    """
    if isinstance(command, ChangeRules):
        return replace(command, text=_rules_from(system, command.text, folder))
    setting = setting_named(system, command.setting) if isinstance(command, Configure) else None
    if setting is None or not isinstance(command, Configure):
        return command
    return replace(command, value=value_from(setting, command.value, folder))


def _rules_from(system: BaseSystem, text: str, folder: Path) -> str:
    """The rules that a text stands for: a path, or nothing for the installed game as its file is now."""
    if not text:
        read_game_again(system.id)
        game = game_of(system.id)
        if game is None:
            raise BadInput("rules", (f"there is no file {system.id}{SUFFIX} among your games",))
        return game.rules_text
    if "\n" in text or not text.endswith(SUFFIX):
        return text
    game = read_game_file(GameFile(system.id, folder / Path(text).expanduser(), folder, is_own=True))
    if game.problems:
        raise BadInput(text, game.problems)
    return game.rules_text


def setting_file_paths(system: BaseSystem, folder: Path | None) -> Mapping[str, Path]:
    """The existing files in the user's folder of setting files, by the key of the setting."""
    if folder is None:
        return {}
    paths = {
        setting.key: folder / system.id / f"{setting.key}{setting.file}" for setting in system.settings if setting.file
    }
    return {key: path for key, path in paths.items() if os.path.lexists(path)}


def read_setting_files(system: BaseSystem, folder: Path | None, but: Collection[str] = ()) -> Mapping[str, Scalar]:
    """Read the user's setting files of a system and check them, `but` for those that are set elsewhere.

    Raises BadInput: a file is unreadable or invalid; only the first is reported, under its path.
    """
    files = {key: path for key, path in setting_file_paths(system, folder).items() if key not in but}
    return {key: read_setting_file(system, key, path) for key, path in files.items()}


def read_setting_file(system: BaseSystem, key: str, path: Path) -> Scalar:
    """Read a setting file and check it. Raises BadInput: it is unreadable or invalid, reported under its path."""
    try:
        text = read_text(path)
        check_setting(system, key, text)
    except BadInput as bad:
        raise BadInput(str(path), tuple(problem.removeprefix(f"{key}: ") for problem in bad.problems)) from bad
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(str(path), (f"can't be read: {error}",)) from error
    return text


def setting_of_file(path: Path) -> tuple[BaseSystem, str] | None:
    """The system and the setting to which a file belongs by its name, such as ``armoury.toml``; None for other files.

    If several systems have a setting of that name, the name of the file's folder decides.
    """
    systems = sorted(map(find_system, system_names()), key=lambda system: system.id != path.parent.name)
    matches = (
        (system, setting.key)
        for system in systems
        for setting in system.settings
        if setting.file and path.name == f"{setting.key}{setting.file}"
    )
    return next(matches, None)


def misnamed_files(folder: Path) -> Iterator[BadInput]:
    """An error for each file in the user's folder of setting files that belongs to no setting."""
    for path in sorted(folder.glob("[!.]*/[!.]*")) if folder.is_dir() else ():
        system = path.parent.name
        if not is_installed(system):
            yield BadInput(str(path), (f"there is no system {system!r}; accepted: {', '.join(system_names())}",))
            continue
        names = tuple(f"{setting.key}{setting.file}" for setting in find_system(system).settings if setting.file)
        if path.name not in names:
            accepts = ", ".join(names) or f"nothing: {system} has no such settings"
            yield BadInput(str(path), (f"no setting has a file of this name; accepted: {accepts}",))
