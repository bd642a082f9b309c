"""A screen for picking from a long list, which typing filters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from textual import events
from textual.app import ComposeResult

from fightcall.flows.picker import Choice, Picker
from fightcall.paint.layout import Drawing
from fightcall.panes.base import DrawnPane
from fightcall.screens.base import BaseScreen
from fightcall.screens.setup_rows import picker_rows


class PickScreen(BaseScreen):
    """A list to pick from.

    Args:
        picker: the list.
        picked: called with the picked choice and the typed text, after the screen is left.
    """

    SCOPE = "form"

    def __init__(self, picker: Picker, picked: Callable[[Choice, str], None]) -> None:
        super().__init__()
        self.picker = picker
        self._picked = picked
        self._top = 0
        self.choices = DrawnPane(
            self.host.book,
            self._draw,
            clicked=self._clicked,
            wheel=self._wheel,
            title=picker.title,
            frame=True,
            id="choices",
        )

    def compose(self) -> ComposeResult:
        """The list and the foot."""
        yield self.choices
        yield self.foot

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable only picking and leaving; other keys are typed."""
        return action in ("accept", "cancel", "help")

    def key_pairs(self) -> list[tuple[str, str]]:
        """The keys for picking, leaving and filtering."""
        label = self.names.label
        typing = "to narrow" if self.picker.offer is None else "a name and numbers"
        return [(label("form.accept"), "choose"), (label("form.cancel"), "cancel"), ("type", typing)]

    def _draw(self, cells: int, height: int) -> Drawing:
        drawing, self._top = picker_rows(self.picker, cells, height, self._top, self.choices.glyphs)
        return drawing

    def _clicked(self, what: str, twice: bool) -> None:
        self.show(replace(self.picker, index=int(what)))
        if twice:
            self.action_accept()

    def _wheel(self, rows: int) -> None:
        self.take_key("down" if rows > 0 else "up", None)

    def show(self, picker: Picker) -> None:
        """Show the list after a change."""
        self.picker = picker
        self.paint()

    def take_key(self, key: str, character: str | None) -> bool:
        """Handle a key that is typed, or moves the cursor."""
        after = self.picker.press(key, character)
        if after is not None:
            self.show(after)
        return after is not None

    def on_paste(self, event: events.Paste) -> None:
        """Paste text into the filter."""
        self.show(replace(self.picker, line=self.picker.line.insert(event.text), index=0))

    def action_accept(self) -> None:
        """Pick the choice under the cursor."""
        choice, misread = self.picker.picked, self.picker.misread(self.picker.line.text)
        if misread:
            self.say(misread, "error")
        elif choice is not None:
            self.host.leave_screen()
            self._picked(choice, self.picker.line.text)

    def action_cancel(self) -> None:
        """Leave without picking."""
        self.host.leave_screen()
