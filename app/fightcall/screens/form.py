"""What is filled in or picked on a screen of its own: forms, lists, and the command palette."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from textual import events
from textual.app import ComposeResult
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.fuzzy import Matcher
from textual.markup import escape

from fightcall.actions import Scope, actions_of
from fightcall.flows.form import Form
from fightcall.flows.library_list import Item, window_top
from fightcall.flows.picker import Choice, Picker
from fightcall.flows.schema_fields import Field
from fightcall.flows.text_line import TextLine, text_row
from fightcall.paint.layout import Drawing, Spot, pad, scroll_marks, stack, wrap
from fightcall.paint.runs import Glyphs, Row, Run, clean, fit, width
from fightcall.panes.base import DrawnPane
from fightcall.screens.base import BaseScreen
from fightcall.shelf import Shelf

if TYPE_CHECKING:
    from fightcall.screens.base import Host

Take = Callable[[Form], Form | None]
"""Applies a filled form. Returns it with its errors, or None if it was applied."""

_HELP = 100
"""The most characters of a help text: a long one would push everything else off the list."""

if TYPE_CHECKING:
    pass


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


class Entry(NamedTuple):
    """An entry of the palette; those with `first` are shown before anything is typed."""

    text: str
    help: str
    do: Callable[[], object]
    first: bool = True


class ScreenCommands(Provider):
    """What can be done now. Texts contain user-given names, so none is read as markup."""

    _fights: tuple[Item, ...] = ()

    @property
    def host(self) -> Host:
        """The app, as far as screens know it."""
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
                target = f"app.{action.name}" if scope == "everywhere" else action.name
                key = self.host.keys.label(action.id)
                text = f"{action.text.capitalize()}  {key}" if key else action.text.capitalize()
                yield Entry(text, action.tooltip, partial(self._run, screen, target))

    def _run(self, screen: BaseScreen, action: str) -> None:
        screen.call_later(self.app.run_action, action, screen)

    async def discover(self) -> Hits:
        """Yield what is shown before anything is typed."""
        for entry in self.entries():
            if entry.first:
                yield DiscoveryHit(Content(entry.text), entry.do, entry.text, escape(entry.help))

    async def search(self, query: str) -> Hits:
        """Yield the entries that match the typed letters."""
        matcher = self.matcher(query)
        for entry in self.entries():
            whole = f"{entry.text} {entry.help}"
            score = max(matcher.match(entry.text), matcher.match(whole) / 2)
            if score > 0:
                yield Hit(score, _mark_matches(matcher, entry.text), entry.do, entry.text, escape(entry.help))


def _mark_matches(matcher: Matcher, text: str) -> Content:
    """The text with the matching letters highlighted."""
    content = Content(text)
    _, offsets = matcher.fuzzy_search.match(matcher.query, text)
    for offset in offsets:
        content = content.stylize(matcher.match_style, offset, offset + 1)
    return content


def form_rows(form: Form, cells: int, height: int, top: int, glyphs: Glyphs) -> tuple[Drawing, int]:
    """The fields of a form with their texts, and the first row shown."""
    rows: list[Row] = []
    spots: list[tuple[int, int]] = []
    at, group = 0, ""
    label = min(22, max((width(field.label) for field in form.fields), default=8) + 4, cells // 3)
    for index, field in enumerate(form.fields):
        if field.group != group:
            group = field.group
            if group:
                rows += [(), (Run(f" {clean(group)}", "help.heading"),)]
        here = index == form.cursor
        if here:
            at = len(rows)
        spots.append((len(rows), index))
        rows.append(_field_row(form, field, here, label, cells - 1, glyphs))
        error = form.errors.get(field.path)
        if error:
            rows += [(Run(" " * (label + 2) + line, "bad"),) for line in wrap(error, cells - label - 4)]
    if form.cursor == 0:
        at = 0
    top = window_top(at, top, height, len(rows))
    window_spots = tuple(
        Spot(range(y - top, y - top + 1), range(cells), str(index)) for y, index in spots if top <= y < top + height
    )
    bar = scroll_marks(top, height, len(rows), glyphs)
    window = stack(rows[top : top + height], cells - 1, height, "text")
    window_rows = tuple((*row, bar[y]) for y, row in enumerate(window)) if bar else stack(window, cells, height, "text")
    return Drawing(window_rows, window_spots), top


def _field_row(form: Form, field: Field, here: bool, label: int, cells: int, glyphs: Glyphs) -> Row:
    mark = Run(f"{glyphs.selected if here else ' '} ", "list.selected" if here else "text")
    head = Run(fit(f"{field.label}{' *' if field.required else ''}", label - 2), "strong" if here else "dim")
    line = form.lines.get(field.path, TextLine())
    room = max(4, cells - label - 3)
    if field.kind == "tables":
        count = Run(f"  {form.text(field)}", "prompt.input" if here else "text")
        return mark, head, count, Run("  right arrow adds one" if here else "", "dim")
    if field.choices:
        value = form.value_text(field) or "empty"
        style = "prompt.input" if here else "text" if line.text else "dim"
        return mark, head, Run(f"< {clean(value)} >" if here else f"  {clean(value)}", style)
    if here:
        hint = (
            field.hint
            if not field.default
            else f"{field.hint}; {field.default} if empty"
            if field.hint
            else field.default
        )
        entry_cells = max(6, min(room, max(width(line.text) + 2, room - width(hint) - 3)))
        entry_row = text_row(line, entry_cells)
        gap = " " * max(0, entry_cells - sum(width(run.text) for run in entry_row))
        return mark, head, Run("  ", "text"), *entry_row, Run(gap, "prompt.input"), Run(f" {clean(hint)}", "dim")
    return (
        mark,
        head,
        Run(f"  {clean(line.text)}" if line.text else f"  {clean(field.default)}", "text" if line.text else "dim"),
    )


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
