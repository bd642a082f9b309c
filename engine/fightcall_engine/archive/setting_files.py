"""Settings that are long enough for a file of their own: a path may stand for the text in it.

A GM's own files lie in a folder of his, each for one setting of one system: ``segments/armoury.toml``. They hold where
an encounter says nothing of that setting.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from fightcall_engine.files.texts import read_text
from fightcall_engine.kit.registry import find_system, is_installed, system_names
from fightcall_engine.kit.settings import check_setting, setting_named
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Setting
from fightcall_engine.model.commands import Command, Configure
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Scalar
from fightcall_engine.model.values import copy_with


def is_told_by_file(setting: Setting, value: object) -> bool:
    """True where a value is the path of a file for this setting."""
    return bool(setting.file) and isinstance(value, str) and "\n" not in value and value.endswith(setting.file)


def value_from(setting: Setting, value: Scalar, folder: Path) -> Scalar:
    """A setting's value; the text of the file where it is a path, seen from a folder.

    Raises:
        BadInput: the file cannot be read.
    """
    if not is_told_by_file(setting, value):
        return value
    try:
        return read_text(folder / Path(str(value)).expanduser())
    except (OSError, UnicodeDecodeError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadInput("settings", (f"{setting.key}: {value} cannot be read: {why}",)) from error


def values_from(system: BaseSystem, values: Mapping[str, Scalar], folder: Path) -> Mapping[str, Scalar]:
    """Settings with the text of each file that one of them names.

    Raises:
        BadInput: a file cannot be read.
    """
    settings_by_key = {setting.key: setting for setting in system.settings}
    return {
        key: value_from(settings_by_key[key], value, folder) if key in settings_by_key else value
        for key, value in values.items()
    }


def with_file_read(system: BaseSystem, command: Command, folder: Path) -> Command:
    """A command that sets a setting to a path, with the text of the file instead; any other as it is.

    Raises:
        BadInput: the file cannot be read.
    """
    setting = setting_named(system, command.setting) if isinstance(command, Configure) else None
    if setting is None or not isinstance(command, Configure):
        return command
    return copy_with(command, value=value_from(setting, command.value, folder))


def own_files(system: BaseSystem, folder: Path | None) -> Mapping[str, Path]:
    """The GM's own files by the settings they are for: those that are there, in a folder of such files."""
    if folder is None:
        return {}
    paths = {
        setting.key: folder / system.id / f"{setting.key}{setting.file}" for setting in system.settings if setting.file
    }
    return {key: path for key, path in paths.items() if os.path.lexists(path)}


def own_settings(system: BaseSystem, folder: Path | None, but: Collection[str] = ()) -> Mapping[str, Scalar]:
    """What the GM's own files say, each of them read and checked.

    Args:
        system: whose settings.
        folder: of the files; None for nobody's.
        but: settings that are said elsewhere.

    Raises:
        BadInput: what is wrong with the first of them that will not do, with its path.
    """
    files = {key: path for key, path in own_files(system, folder).items() if key not in but}
    return {key: own_setting(system, key, path) for key, path in files.items()}


def own_setting(system: BaseSystem, key: str, path: Path) -> Scalar:
    """What one such file says.

    Raises:
        BadInput: what is wrong with it, under its path.
    """
    try:
        text = read_text(path)
        check_setting(system, key, text)
    except BadInput as bad:
        raise BadInput(str(path), tuple(problem.removeprefix(f"{key}: ") for problem in bad.problems)) from bad
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(str(path), (f"cannot be read: {error}",)) from error
    return text


def named_for(path: Path) -> tuple[BaseSystem, str] | None:
    """The system and the setting that a file is for by its name, as ``armoury.toml``; None for another file.

    Where several systems have such a setting, its folder says which is meant.
    """
    systems = sorted(map(find_system, system_names()), key=lambda system: system.id != path.parent.name)
    matches = (
        (system, setting.key)
        for system in systems
        for setting in system.settings
        if setting.file and path.name == f"{setting.key}{setting.file}"
    )
    return next(matches, None)


def strangers(folder: Path) -> Iterator[BadInput]:
    """What lies in the folder of the GM's own files and is for no setting."""
    for path in sorted(folder.glob("*/*")) if folder.is_dir() else ():
        system = path.parent.name
        if not is_installed(system):
            yield BadInput(str(path), (f"there is no system {system!r}; accepted: {', '.join(system_names())}",))
            continue
        names = tuple(f"{setting.key}{setting.file}" for setting in find_system(system).settings if setting.file)
        if path.name not in names:
            accepts = ", ".join(names) or f"nothing: {system} has no such settings"
            yield BadInput(str(path), (f"no setting has a file of this name; accepted: {accepts}",))
