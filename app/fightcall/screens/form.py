"""What is filled in or picked on a screen of its own: forms, lists, and the command palette."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.fuzzy import Matcher
from textual.markup import escape
from textual.widget import Widget
from textual.widgets import Button, Input, Label, OptionList, Select, Static

from fightcall.actions import Scope, actions_of
from fightcall.flows.form import Field, Form, Path
from fightcall.flows.lists import Choice, LibraryItem, Picker, window_top
from fightcall.paint.prompt_bar import text_row
from fightcall.paint.runs import Drawing, Glyphs, Row, Run, Spot, clean, fit, pad, stack
from fightcall.panes.base import DrawnPane
from fightcall.screens.base import EDITING, Actions, BaseScreen, Host
from fightcall.shelf import Shelf

_EDITS = {
    key: binding.action for binding in Input.BINDINGS if isinstance(binding, Binding) for key in binding.key.split(",")
}
"""The actions of Textual's input by key."""

Take = Callable[[Form], Form | None]
"""Applies a filled form. Returns it with its errors, or None if it was applied."""

_HELP = 100
"""The most characters of a help text: a long one would push everything else off the list."""


class FormScreen(BaseScreen):
    """A form: a widget for each field. An error is shown below its field, and has to be corrected first.

    The screen handles the keys of texts, too, so that keys typed in quick succession stay in order.
    """

    SCOPE = "form"
    DEFAULT_CSS = """
    FormScreen #fields { height: 1fr; scrollbar-size-vertical: 1; border: round $border; border-title-color: $title; }
    FormScreen .group { color: $title; text-style: bold; margin: 1 1 0 1; }
    FormScreen FieldRow { height: auto; }
    FormScreen FieldRow Horizontal { height: 1; }
    FormScreen FieldRow Label { width: 24; padding: 0 1; color: $muted; }
    FormScreen FieldRow.-here Label { color: $foreground; }
    FormScreen FieldRow .wrong { width: 1fr; height: auto; margin-left: 24; color: $error; display: none; }
    FormScreen FieldRow.-wrong .wrong { display: block; }
    FormScreen Input, FormScreen Select, FormScreen Button { width: 1fr; background: $background; }
    """

    def __init__(self, title: str, form: Form, take: Take) -> None:
        super().__init__()
        self.form = form
        self._take = take
        self.fields = VerticalScroll(id="fields", can_focus=False)
        self.fields.border_title = Content(clean(title))

    def compose(self) -> ComposeResult:
        with self.fields:
            yield from self._rows()
        yield self.foot

    def _rows(self) -> Iterator[Widget]:
        group = ""
        for slot in self.form.fields:
            if slot.group not in ("", group):
                yield Static(Content(clean(slot.group)), classes="group")
            group = slot.group
            yield FieldRow(slot, self.form)

    def on_mount(self) -> None:
        """Go to the first error, or else the first field."""
        self._go_to(next(iter(self.form.errors), self.form.fields[0].path))

    @property
    def here(self) -> FieldRow:
        widgets = self.focused.ancestors_with_self if self.focused is not None else ()
        rows = (widget for widget in widgets if isinstance(widget, FieldRow))
        return next(rows, None) or self.query(FieldRow).first()

    def _go_to(self, path: Path) -> None:
        next(row for row in self.query(FieldRow) if row.slot.path == path).editor.focus()

    def on_descendant_focus(self) -> None:
        here = self.here
        for row in self.query(FieldRow):
            row.set_class(row is here, "-here")
        self.foot.repaint()

    def idle_text(self) -> str:
        """What the current field accepts, and its value if it is left empty."""
        slot = self.here.slot
        return "; ".join(filter(None, (slot.hint, f"{slot.default} if empty" if slot.default else "")))

    def key_pairs(self) -> list[tuple[str, str]]:
        """The keys of forms, with those for lists if the form has any."""
        pairs = super().key_pairs()
        place = self.form.list_at(self.here.slot.path)
        if place is not None:
            pairs.append((self.names.label("form.add"), f"add: {place.label}"))
            pairs.append((self.names.label("form.remove"), "remove one"))
        return pairs

    # Keys

    @property
    def passes_keys(self) -> bool:
        return isinstance(self.focused, OptionList)

    def take_key(self, key: str, character: str | None) -> bool:
        editor = self.focused
        if super().take_key(key, character):
            return True
        if isinstance(editor, FieldInput) and character is not None and character.isprintable():
            editor.insert_text_at_cursor(character)
            return True
        if isinstance(editor, Select) and key in EDITING and not self.here.slot.required:
            editor.clear()
            return True
        return False

    async def run_key(self, key: str) -> bool:
        """Run the action of a key: the screen's, or else the text's."""
        if await super().run_key(key):
            return True
        action = _EDITS.get(key) if isinstance(self.focused, FieldInput) else None
        return action is not None and await self.app.run_action(action, self.focused)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return not (action in ("value_next", "value_previous") and isinstance(self.focused, FieldInput))

    def action_accept(self) -> None:
        after = self._take(self._read())
        if after is None:
            self.host.leave_screen()
            return
        self.form = after
        for row in self.query(FieldRow):
            row.show_error(after.errors.get(row.slot.path, ""))
        self._go_to(next(iter(after.errors)))
        count = len(after.errors)
        self.say(f"{count} {'error' if count == 1 else 'errors'} to correct", "error")

    def _read(self) -> Form:
        texts = {row.slot.path: row.text for row in self.query(FieldRow) if row.text}
        return replace(self.form, texts=texts, errors={})

    def actions(self) -> Actions:
        return {
            "cancel": self.host.leave_screen,
            "next": self.focus_next,
            "previous": self.focus_previous,
            "value_previous": partial(self.here.cycle, -1),
        }

    async def action_value_next(self) -> None:
        """The next value of the field; on a list, add a table to it."""
        if isinstance(self.focused, Button):
            await self.action_add()
        else:
            self.here.cycle(1)

    async def action_add(self) -> None:
        await self._rebuild(*self._read().add_table(self.here.slot.path))

    on_button_pressed = action_add

    async def action_remove(self) -> None:
        path = self.here.slot.path
        form = self._read().remove_table(path)
        await self._rebuild(form, form.nearest(path))

    async def _rebuild(self, form: Form, path: Path) -> None:
        self.form = form
        await self.fields.remove_children()
        await self.fields.mount_all(self._rows())
        self._go_to(path)


class FieldRow(Vertical):
    """A field: its name, the widget that changes it, and its error."""

    def __init__(self, slot: Field, form: Form) -> None:
        super().__init__()
        self.slot = slot
        self.editor: Input | Select[str] | Button
        text, default = form.text(slot), clean(slot.default)
        if slot.kind == "tables":
            self.editor = Button(Content(f"{text} (right arrow adds one)"), compact=True)
        elif slot.kind == "choice":
            self.editor = Select(
                [(Content(clean(each)), each) for each in slot.choices],
                value=text if text in slot.choices else Select.NULL,
                prompt=f"{default} (default)" if default else "empty",
                allow_blank=not slot.required,
                compact=True,
            )
        else:
            self.editor = FieldInput(text, placeholder=default, compact=True, select_on_focus=False)
        self._error = Static(classes="wrong")
        self.show_error(form.errors.get(slot.path, ""))

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Label(clean(f"{self.slot.label}{' *' if self.slot.required else ''}"), markup=False)
            yield self.editor
        yield self._error

    @property
    def text(self) -> str:
        if isinstance(self.editor, Button):
            return ""
        return self.editor.value if isinstance(self.editor, Input) else self.editor.selection or ""

    def cycle(self, by: int) -> None:
        if isinstance(self.editor, Select):
            choices, text = self.slot.choices, self.text or self.slot.default
            start = choices.index(text) if text in choices else -1 if by > 0 else 0
            self.editor.value = choices[(start + by) % len(choices)]

    def show_error(self, error: str) -> None:
        """Show an error; with an empty one, none."""
        self._error.update(Content(clean(error)))
        self.set_class(bool(error), "-wrong")

    def on_input_changed(self) -> None:
        if self.has_class("-here"):
            self.remove_class("-wrong")

    on_select_changed = on_input_changed

    def on_click(self) -> None:
        self.editor.focus()


class FieldInput(Input):
    """A text of a form. Its screen handles the keys."""

    def on_key(self, event: events.Key) -> None:
        event.prevent_default()


class PickScreen(BaseScreen):
    """A list to pick from.

    Args:
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
        yield self.choices
        yield self.foot

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable only picking and leaving; other keys are typed."""
        return action in ("accept", "cancel", "help")

    def key_pairs(self) -> list[tuple[str, str]]:
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
        self.picker = picker
        self.paint()

    def take_key(self, key: str, character: str | None) -> bool:
        after = self.picker.press(key, character)
        if after is not None:
            self.show(after)
        return after is not None

    def on_paste(self, event: events.Paste) -> None:
        self.show(replace(self.picker, line=self.picker.line.insert(event.text), index=0))

    def action_accept(self) -> None:
        choice, misread = self.picker.picked, self.picker.misread(self.picker.line.text)
        if misread:
            self.say(misread, "error")
        elif choice is not None:
            self.host.leave_screen()
            self._picked(choice, self.picker.line.text)

    def action_cancel(self) -> None:
        self.host.leave_screen()


class Entry(NamedTuple):
    """An entry of the palette; those with `first` are shown before anything is typed."""

    text: str
    help: str
    do: Callable[[], object]
    first: bool = True


class ScreenCommands(Provider):
    """What can be done now. Texts contain user-given names, so none is read as markup."""

    _fights: tuple[LibraryItem, ...] = ()

    @property
    def host(self) -> Host:
        return cast("Host", self.app)

    async def startup(self) -> None:
        """Look for other fights to open, unless the screen itself offers them."""
        screen = self.screen
        if isinstance(screen, BaseScreen) and screen.SCOPE in ("fight", "replay"):
            running = screen.moment()
            here = running[0].id if running is not None else ""
            fights = Shelf(self.host.paths).read().fights
            self._fights = tuple(item for item in fights if item.id != here)

    def entries(self) -> Iterator[Entry]:
        """All entries, the screen's own first."""
        screen = self.screen
        if isinstance(screen, BaseScreen):
            for offer in screen.offers():
                yield Entry(clean(offer.text), fit(offer.help, _HELP).rstrip(), offer.do)
            yield from self._actions(screen, screen.SCOPE)
            yield from self._actions(screen, "everywhere")
        for item in self._fights:
            if item.path is not None:
                open_it = partial(self.host.open_screen, "opening", path=item.path)
                yield Entry(f"Open {clean(item.name)}", fit(", ".join(item.who), _HELP).rstrip(), open_it, False)
        for name, theme in self.host.all_themes().items():
            yield Entry(f"Theme: {name}", clean(theme.about), partial(self.host.show_theme, name), False)

    def _actions(self, screen: BaseScreen, scope: Scope) -> Iterator[Entry]:
        for action in actions_of(scope):
            if action.palette and (scope == "everywhere" or screen.offers_action(action)):
                key = self.host.keys.label(action.id)
                text = f"{action.text.capitalize()}  {key}" if key else action.text.capitalize()
                yield Entry(text, action.tooltip, partial(screen.call_later, screen.perform, action.target))

    async def discover(self) -> Hits:
        for entry in self.entries():
            if entry.first:
                yield DiscoveryHit(Content(entry.text), entry.do, entry.text, escape(entry.help))

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for entry in self.entries():
            whole = f"{entry.text} {entry.help}"
            score = max(matcher.match(entry.text), matcher.match(whole) / 2)
            if score > 0:
                yield Hit(score, _mark_matches(matcher, entry.text), entry.do, entry.text, escape(entry.help))


def _mark_matches(matcher: Matcher, text: str) -> Content:
    content = Content(text)
    _, offsets = matcher.fuzzy_search.match(matcher.query, text)
    for offset in offsets:
        content = content.stylize(matcher.match_style, offset, offset + 1)
    return content


def picker_rows(picker: Picker, cells: int, height: int, top: int, glyphs: Glyphs) -> tuple[Drawing, int]:
    """The list to pick from, below its filter, and the first choice shown."""
    head = (Run(" find ", "prompt.hint"), *text_row(picker.line, max(4, cells - 8)))
    matches = picker.matches()
    room = height - 2
    top = window_top(picker.index, top, room, len(matches))
    rows: list[Row] = [head, (Run(f" {fit(picker.hint, cells - 2)}", "list.note"),) if picker.hint else ()]
    spots: list[Spot] = []
    for y, choice in enumerate(matches[top : top + room]):
        here = choice == picker.picked
        style, note = ("list.selected", "list.selected") if here else ("list", "list.note")
        name = max(10, cells // 2)
        text = fit(choice.text, name, ellipsis=glyphs.ellipsis)
        remark = fit(choice.remark, max(0, cells - name - 3), ellipsis=glyphs.ellipsis)
        ends = Run(f"{glyphs.selected if here else ' '} ", style)
        rows.append(pad((ends, Run(text, style), Run(f" {remark}", note)), cells, style))
        spots.append(Spot(range(y + 2, y + 3), range(cells), str(top + y)))
    if not matches:
        rows.append((Run("  no match", "list.note"),))
    return Drawing(stack(rows, cells, height, "list"), tuple(spots)), top
