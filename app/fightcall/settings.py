"""The user's settings in `settings.toml`: read quickly for the first frame, and checked in full after it.

theme = "parchment"
glyphs = "ascii"
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast, get_args

from fightcall.user_files import Problem, did_you_mean, read_toml
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from pydantic import BaseModel

GlyphChoice = Literal["theme", "unicode", "ascii"]


@frozen
class Settings:
    """The user's settings.

    Attributes:
        theme: the name of a theme; empty for the default.
        glyphs: the glyph set, or ``theme`` for that of the theme.
    """

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
    """Save the user's theme in the settings file.

    Raises:
        OSError: it cannot be written; the file is as it was.
    """
    from fightcall_engine.archive.fsutil import write_atomically
    from fightcall_engine.files.texts import read_bytes

    # Bytes that are not UTF-8 are kept; the problem is reported elsewhere.
    text = read_bytes(path).decode("utf-8-sig", errors="surrogateescape") if path.exists() else ""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = with_theme(text, theme).encode(errors="surrogateescape")
    write_atomically(path, data, keep_previous=False)
