"""`FightCallApp`: themes, keys, screens, and error handling.

Whatever the first frame does not need is imported after it: pydantic, TinyDB, file locks, and other screens.
"""

from __future__ import annotations

import gc
import os
import sys
import traceback
from asyncio import TimerHandle, get_running_loop
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import App
from textual.command import Provider
from textual.message import Message
from textual.screen import Screen

from fightcall.actions import KeyNames, known_keys, taken_keys
from fightcall.paint.runs import clean, glyphs_for
from fightcall.panes.base import RowsPane, StyleBook
from fightcall.screens.base import BaseScreen, Host, ScreenName
from fightcall.settings import (
    OfferedKey,
    Paths,
    find_paths,
    keep_theme,
    load_keymap,
    option_keys,
    read_settings,
    settings_problems,
)
from fightcall.themes import (
    DEFAULT_THEME,
    FightTheme,
    ThemeError,
    find_shipped_themes,
    load_shipped,
    load_themes,
    textual_theme,
)
from fightcall_engine.files import read_bytes
from fightcall_engine.kit.plugins import plugin_names
from fightcall_engine.model.values import replace

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

    from fightcall_engine.play.fight import Fight

    def _is_host(app: FightCallApp) -> Host:
        """Let mypy check that the app is a `Host`, since screens cast it to one."""
        return app


AFTER_FRAME_S = 0.03
"""Seconds from a frame to what its pause is used for: the terminal has it by then, and the next key is seldom there."""
_MOST_FAULTS = 20  # then the program ends: something fails over and over

SCREENS: Mapping[ScreenName, tuple[str, str]] = {
    "library": ("fightcall.screens.library", "LibraryScreen"),
    "opening": ("fightcall.screens.base", "OpeningScreen"),
    "fight": ("fightcall.screens.fight", "FightScreen"),
    "replay": ("fightcall.screens.replay", "ReplayScreen"),
    "players": ("fightcall.screens.replay", "PlayersScreen"),
    "sharing": ("fightcall.screens.replay", "SharingScreen"),
    "setup": ("fightcall.screens.setup", "SetupScreen"),
    "form": ("fightcall.screens.help", "FormScreen"),
    "pick": ("fightcall.screens.help", "PickScreen"),
    "placing": ("fightcall.screens.maps", "PlacingScreen"),
    "painting": ("fightcall.screens.maps", "PaintingScreen"),
    "help": ("fightcall.screens.help", "HelpScreen"),
    "notice": ("fightcall.screens.base", "NoticeScreen"),
}
"""The module and the class of each screen by its name; the module is imported when the screen is first opened."""


def make_screen(name: ScreenName, **kwargs: object) -> Screen[None]:
    """Make a screen by its name, with the arguments of its class. The app must be running."""
    module, kind = SCREENS[name]
    screen: Screen[None] = getattr(import_module(module), kind)(**kwargs)
    return screen


def _palette() -> type[Provider]:
    from fightcall.screens.help import ScreenCommands

    return ScreenCommands


class FightCallApp(App[None], inherit_bindings=False):
    """Fight Call on the screen.

    Args:
        first: makes the first screen; by default the library.
        theme: the name of a theme, which takes precedence over the user's setting.
        glyphs: the name of a set of glyphs, which takes precedence over the user's setting and over the terminal.
    """

    TITLE = "Fight Call"
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_palette}
    PAUSE_GC_ON_SCROLL = True
    NOTIFICATION_TIMEOUT = 4
    CSS = """
    Toast { background: $panel; color: $foreground; }
    ToastRack { dock: top; align: right top; margin: 1 0 0 0; }
    CommandPalette { background: $background; }
    SearchIcon { display: none; }
    CommandList:ansi > .option-list--option-highlighted { text-style: bold underline; }
    """

    def __init__(
        self,
        first: Callable[[], Screen[None]] | None = None,
        *,
        paths: Paths | None = None,
        theme: str = "",
        glyphs: str = "",
    ) -> None:
        self._glyphs = glyphs
        self._pause: TimerHandle | None = None
        super().__init__()
        self.paths = paths or find_paths()
        self.settings = read_settings(self.paths.settings)
        self.keys = KeyNames()
        self.faults: list[Exception] = []
        self.problems: list[str] = []
        self.played: Fight | None = None
        self._first = first
        self._reporting = False
        self._is_leaving = False
        """Whether it has been said that leaving loses a fight."""
        self._themes: dict[str, FightTheme] | None = None
        self.book = StyleBook(self._apply_glyphs(self._first_theme(theme)))
        self.register_theme(textual_theme(self.book.theme))
        self.theme = self.book.theme.name

    def get_default_screen(self) -> Screen[None]:
        return make_screen("library") if self._first is None else self._first()

    def on_mount(self) -> None:
        self._load_keys()
        self.call_after_refresh(self._look_around)

    # Themes

    def _first_theme(self, name_by_command: str) -> FightTheme:
        """The theme for the first frame: without colours if none are wanted, and ours if the user's is broken."""
        name = "mono" if self.no_color else name_by_command or self.settings.theme or DEFAULT_THEME
        try:
            return load_shipped(name)
        except ThemeError as unknown:
            theme = self.all_themes().get(name)
            if theme is None:
                self.problems += [str(problem) for problem in unknown.problems]
            return theme or load_shipped()

    def _apply_glyphs(self, theme: FightTheme) -> FightTheme:
        glyphs_name = self._glyphs or self.settings.glyphs
        encoding = (getattr(sys.stdout, "encoding", "") or "utf-8").lower().replace("-", "")
        if glyphs_name == "theme" and encoding not in ("utf8", "utf16", "utf32", "cp65001"):
            glyphs_name = "ascii"
        return theme if glyphs_name == "theme" else replace(theme, glyphs=glyphs_for(glyphs_name, theme.glyphs.shape))

    def all_themes(self) -> Mapping[str, FightTheme]:
        if self._themes is None:
            self._themes, problems = load_themes([find_shipped_themes(), self.paths.themes])
            self.problems += map(str, problems)
        return self._themes

    def show_theme(self, name: str, *, keep: bool = True) -> None:
        theme = self.all_themes()[name]
        self.book = StyleBook(self._apply_glyphs(theme))
        self.register_theme(textual_theme(theme))
        with self.batch_update():
            self.theme = name
            for screen in self.screen_stack:
                for pane in screen.query(RowsPane):
                    pane.dress(self.book)
        if keep:
            try:
                keep_theme(self.paths.settings, name)
            except OSError as error:
                self.notify(f"{name} for this run; saving it failed ({error})", severity="warning")

    def action_theme_next(self) -> None:
        names = sorted(self.all_themes())
        here = self.book.theme.name
        name = names[(names.index(here) + 1) % len(names)] if here in names else names[0]
        self.show_theme(name)
        self.notify(f"Theme: {name}")

    # Keys

    def _load_keys(self) -> None:
        if not os.path.lexists(self.paths.keys):
            self.keys = KeyNames(plain=self.book.glyphs.name == "ascii")
            return
        options: tuple[OfferedKey, ...] = ()
        with suppress(OSError):
            if b"option" in read_bytes(self.paths.keys):
                options = option_keys()
        keymap, problems = load_keymap(self.paths.keys, known_keys(options))
        self.problems += map(str, problems)
        self.keys = KeyNames(keymap, plain=self.book.glyphs.name == "ascii")

    # Problems in the user's files

    def _look_around(self) -> None:
        self.problems += map(str, settings_problems(self.paths.settings))
        if self.paths.themes.is_dir():
            self.all_themes()
        if self.problems:
            count = len(self.problems)
            head = f"{count} problem{'s' if count != 1 else ''} in your files. The rest of them is in use."
            self.open_screen("notice", title="Your files", paragraphs=(head, *self.problems))
        if keys := taken_keys(self.keys, plugin_names()):
            self.open_screen("notice", title="Keys of rule systems", paragraphs=keys)

    def rest_memory(self) -> None:
        """Exclude present objects from garbage collection, which makes its pauses short.

        Right after the start there is hardly any garbage, and collecting it would delay the first keys.
        """
        if gc.isenabled():
            gc.collect()
        gc.freeze()
        # Young garbage is collected when no key waits, so hardly ever by this; all that lives would cost a key 40 ms.
        gc.set_threshold(100_000, 5, 1_000)
        gc.enable()

    def post_display_hook(self) -> None:
        """When a frame has been sent, wait for a pause to use."""
        self.end_pause()
        self._pause = get_running_loop().call_later(AFTER_FRAME_S, self._use_pause)

    def end_pause(self) -> None:
        """Leave the rest of what a pause is used for: a key has come."""
        if self._pause is not None:
            self._pause.cancel()

    def _use_pause(self, pieces: Iterator[None] | None = None) -> None:
        """Collect young garbage, which would cost a key a millisecond or two, and then let the screen look ahead."""
        if pieces is None:
            if gc.isenabled():
                gc.collect(1)
            screen = self.screen_stack[-1] if self.screen_stack else None
            pieces = screen.foresee() if isinstance(screen, BaseScreen) else iter(())
        # A fault that lies ahead is reported by the key that leads to it.
        with suppress(Exception):
            for _ in pieces:
                # Between two pieces, a key can come in.
                self._pause = get_running_loop().call_later(0.001, self._use_pause, pieces)
                break

    # Screens

    def open_screen(self, name: ScreenName, **kwargs: object) -> None:
        self.push_screen(make_screen(name, **kwargs))

    def replace_screen(self, name: ScreenName, **kwargs: object) -> None:
        if len(self.screen_stack) > 1:
            self.switch_screen(make_screen(name, **kwargs))
            return
        # Textual can't switch from the first screen of a mode, so the new one begins a mode.
        mode = f"after {id(self.screen)}"
        self.add_mode(mode, partial(make_screen, name, **kwargs))
        self.switch_mode(mode)

    def leave_screen(self) -> None:
        """Go back to the previous screen; from the first one, leave the program."""
        if len(self.screen_stack) <= 1:
            self.exit()
        else:
            self.pop_screen()

    async def action_quit(self) -> None:
        """Leave the program; with a fight that is not saved, only at the second press."""
        reasons = (screen.unsaved for screen in self.screen_stack if isinstance(screen, BaseScreen))
        unsaved = next(filter(None, reasons), "")
        if unsaved and not self._is_leaving:
            self._is_leaving = True
            self.notify(f"The fight is not saved: {unsaved}. Press the same key again to quit and lose it.")
            return
        self.exit()

    def action_help(self) -> None:
        if isinstance(self.screen, BaseScreen):
            self.screen.action_help()

    def action_palette(self) -> None:
        self.action_command_palette()

    # Errors

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a short message, cleaned and never read as markup, because it may contain user-given names."""
        super().notify(clean(message), title=title, severity=severity, timeout=timeout, markup=False)

    def report(self, fault: Exception) -> None:
        """Report an unexpected fault, with what to do. Everything acknowledged is on disk."""
        self.faults.append(fault)
        self._reporting = True
        log = self._write_down(fault)
        where = f"The details are in {log}." if log else "Writing the details to a file failed."
        self.open_screen(
            "notice",
            title="Unexpected error",
            paragraphs=(
                "Everything you saw before this is saved. Press any key to continue. If something looks wrong, "
                "leave the fight and open it again.",
                f"{type(fault).__name__}: {fault}",
                where,
            ),
        )
        self._reporting = False

    def _write_down(self, fault: Exception) -> Path | None:
        path = self.paths.data / "faults.log"
        text = "".join(traceback.format_exception(fault))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(f"{datetime.now(UTC).isoformat(timespec='seconds')}\n{text}\n")
        except OSError:
            return None
        return path

    def _handle_exception(self, error: Exception) -> None:
        """The error boundary for everything that is not caught elsewhere: timers, callbacks, panes.

        Textual would end the program here. That is only right before the first screen exists, or if reporting itself
        fails. Repeated faults end the program, too, but with a message.
        """
        if self._reporting or not (self.is_running and self.screen_stack):
            super()._handle_exception(error)
        elif len(self.faults) >= _MOST_FAULTS:
            self._write_down(error)
            self.exit(return_code=1, message=Text(f"{type(error).__name__}: {error}"))
        else:
            self.report(error)

    async def _on_message(self, message: Message) -> None:
        if not self.is_running or not self.screen_stack:
            await super()._on_message(message)
            return
        try:
            await super()._on_message(message)
        except Exception as fault:
            self.report(fault)


def run(first: ScreenName, *, theme: str, mouse: bool, **kwargs: object) -> int:
    """Run the program, beginning with a screen; see `make_screen`. Returns the exit code."""
    app = FightCallApp(partial(make_screen, first, **kwargs), theme=theme)
    app.run(mouse=mouse)
    if app.return_code:
        print("fightcall stopped. Your fight is saved; open it again to continue", file=sys.stderr)
    return app.return_code or 0
