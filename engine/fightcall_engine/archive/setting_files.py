"""Settings that are long enough for a file of their own: a path may stand for the text in it.

A GM's own files lie in a folder of his, each for one setting of one system: ``segments/armoury.toml``. They hold where
an encounter says nothing of that setting.
"""

from collections.abc import Collection, Mapping
from pathlib import Path

from fightcall_engine.basics import check_setting
from fightcall_engine.errors import BadInput
from fightcall_engine.state import Scalar
from fightcall_engine.system import Setting, System


def told_by_file(setting: Setting, value: object) -> bool:
    """True where a value is the path of a file for this setting."""
    return bool(setting.file) and isinstance(value, str) and "\n" not in value and value.endswith(setting.file)


def value_from(setting: Setting, value: Scalar, folder: Path) -> Scalar:
    """A setting's value; the text of the file where it is a path, seen from a folder.

    Raises:
        BadInput: the file cannot be read.
    """
    if not told_by_file(setting, value):
        return value
    path = folder / Path(str(value)).expanduser()
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput("settings", (f"{setting.key}: {path} cannot be read: {error}",)) from error


def values_from(system: System, given: Mapping[str, Scalar], folder: Path) -> Mapping[str, Scalar]:
    """Settings with the text of each file that one of them names.

    Raises:
        BadInput: a file cannot be read.
    """
    known = {setting.key: setting for setting in system.settings}
    return {key: value_from(known[key], value, folder) if key in known else value for key, value in given.items()}


def setting_named(system: System, key: str) -> Setting | None:
    """The setting of this name, None where the system has none."""
    return next((one for one in system.settings if one.key == key), None)


def own_files(system: System, folder: Path | None) -> Mapping[str, Path]:
    """The GM's own files by the settings they are for: those that are there, in a folder of such files."""
    if folder is None:
        return {}
    named = {one.key: folder / system.id / f"{one.key}{one.file}" for one in system.settings if one.file}
    return {key: path for key, path in named.items() if path.is_file()}


def own_settings(system: System, folder: Path | None, but: Collection[str] = ()) -> Mapping[str, Scalar]:
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


def own_setting(system: System, key: str, path: Path) -> Scalar:
    """What one such file says.

    Raises:
        BadInput: what is wrong with it, under its path.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        check_setting(system, key, text)
    except BadInput as bad:
        raise BadInput(str(path), tuple(problem.removeprefix(f"{key}: ") for problem in bad.problems)) from bad
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(str(path), (f"cannot be read: {error}",)) from error
    return text


def first_line(text: str) -> str:
    """What is shown of a long text: its first line."""
    line, *more = text.splitlines() or [""]
    return f"{line} …" if more else line
