"""The paths of the user's files.

Nothing is created here. ``FIGHTCALL_HOME`` puts everything under one folder, such as on a memory stick or in a test.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.values import frozen

HOME = "FIGHTCALL_HOME"
_NAME = "fightcall"


@frozen
class Paths:
    """The user's folders.

    Attributes:
        data: the folder of the library.
        config: the folder of settings, keys, themes and encounters.
    """

    data: Path
    config: Path

    @property
    def library(self) -> Path:
        """The folder of `Library.open`."""
        return self.data

    @property
    def encounters(self) -> Path:
        """The folder of the user's encounter files."""
        return self.config / "encounters"

    @property
    def drafts(self) -> Path:
        """The folder of unsaved drafts."""
        return self.data / "drafts"

    @property
    def players_key(self) -> Path:
        """The secret from which addresses of the players' page are made."""
        return self.data / "players.key"

    @property
    def themes(self) -> Path:
        """The folder of the user's themes."""
        return self.config / "themes"

    @property
    def keys(self) -> Path:
        """The user's key map."""
        return self.config / "keys.toml"

    @property
    def settings(self) -> Path:
        """The user's settings."""
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
    """The user's folders: those of the operating system, or ``FIGHTCALL_HOME``.

    Raises:
        BadInput: ``FIGHTCALL_HOME`` begins with an unknown user.
    """
    home = environ.get(HOME, "")
    if home:
        try:
            root = Path(home).expanduser()
        except RuntimeError as error:
            raise BadInput(HOME, (f"{home}: this user has no home folder; give a path",)) from error
        return Paths(root / "data", root / "config")
    from platformdirs import user_config_path, user_data_path

    return Paths(
        user_data_path(_NAME, appauthor=False, roaming=False),
        user_config_path(_NAME, appauthor=False, roaming=True),
    )
