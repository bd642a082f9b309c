"""Settings that are long enough for a file of their own: a path may stand for the text in it."""

from pathlib import Path

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


def setting_named(system: System, key: str) -> Setting | None:
    """The setting of this name, None where the system has none."""
    return next((one for one in system.settings if one.key == key), None)


def first_line(text: str) -> str:
    """What is shown of a long text: its first line."""
    line, *more = text.splitlines() or [""]
    return f"{line} …" if more else line
