"""A screen for filling in a form. Errors are shown at their fields, and must be corrected first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from textual import events
from textual.app import ComposeResult

from fightcall.flows.form import Form
from fightcall.paint.layout import Drawing
from fightcall.panes.base import DrawnPane
from fightcall.screens.base import BaseScreen
from fightcall.screens.setup_rows import form_rows

Take = Callable[[Form], Form | None]
"""Applies a filled form. Returns it with its errors, or None if it was applied."""


class FormScreen(BaseScreen):
    """A form.

    Args:
        title: the title.
        form: the form.
        take: applies it.
    """

    SCOPE = "form"

    def __init__(self, title: str, form: Form, take: Take) -> None:
        super().__init__()
        self.form = form
        self._take = take
        self._top = 0
        self.fields = DrawnPane(
            self.host.book, self._draw, clicked=self._clicked, wheel=self._wheel, title=title, frame=True, id="fields"
        )

    def compose(self) -> ComposeResult:
        """The fields and the foot."""
        yield self.fields
        yield self.foot

    def _draw(self, cells: int, height: int) -> Drawing:
        drawing, self._top = form_rows(self.form, cells, height, self._top, self.fields.glyphs)
        return drawing

    def _clicked(self, what: str, twice: bool) -> None:
        self.show(replace(self.form, cursor=int(what)))

    def _wheel(self, rows: int) -> None:
        self.show(self.form.move(1 if rows > 0 else -1))

    def show(self, form: Form) -> None:
        """Show the form after a change."""
        self.form = form
        self.paint()

    def key_pairs(self) -> list[tuple[str, str]]:
        """The keys of forms, with those for lists if the form has any."""
        pairs = super().key_pairs()
        place = self.form.list_here()
        if place is not None:
            pairs.append((self.names.label("form.add"), f"add: {place.label}"))
            pairs.append((self.names.label("form.remove"), "remove one"))
        return pairs

    def take_key(self, key: str, character: str | None) -> bool:
        """Handle a key for the current field."""
        if super().take_key(key, character):
            return True
        after = self.form.press(key, character)
        if after is not None:
            self.show(after)
        return after is not None

    def on_paste(self, event: events.Paste) -> None:
        """Paste text into the current field."""
        self.show(self.form.insert(event.text))

    def action_accept(self) -> None:
        """Apply the form, or show its errors."""
        after = self._take(self.form)
        if after is None:
            self.host.leave_screen()
            return
        self.show(after)
        count = len(after.errors)
        self.say(f"{count} {'error' if count == 1 else 'errors'} to correct", "error")

    def action_cancel(self) -> None:
        """Cancel; nothing has changed."""
        self.host.leave_screen()

    def action_next(self) -> None:
        """The next field."""
        self.show(self.form.move(1))

    def action_previous(self) -> None:
        """The field before."""
        self.show(self.form.move(-1))

    def action_value_next(self) -> None:
        """The next value of the field."""
        self.show(self.form.cycle(1))

    def action_value_previous(self) -> None:
        """The previous value of the field."""
        self.show(self.form.cycle(-1))

    def action_add(self) -> None:
        """Add a table to the list."""
        self.show(self.form.add_table())

    def action_remove(self) -> None:
        """Remove the current table."""
        self.show(self.form.remove_table())
