"""Screens that open over another: help, forms, lists to pick from, and the command palette."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.markup import escape
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList, Select, Static

from fightcall.actions import OPTION, SCOPES, KeyNames, Scope, actions_of
from fightcall.flows.lists import Choice, LibraryItem, Picker, window_top
from fightcall.flows.text_fields import Form, FormLine, Path
from fightcall.guide import Page, page_for, read_pages
from fightcall.paint.prompt_bar import text_row
from fightcall.paint.runs import Drawing, Glyphs, Row, Run, Spot, clean, fit, pad, scroll_marks, stack, width, wrap
from fightcall.panes.base import DrawnPane
from fightcall.screens.base import EDITING, Actions, BaseScreen, Host, Offer
from fightcall.shelf import Shelf
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Option, Trail
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import replace

KEYS = "Keys and rules now"
"""The name of the first page, the only one that is not from the guide."""

_MOST_KEYS = 24  # cells


class HelpScreen(BaseScreen):
    """The keys of a screen, and the pages of the guide, beginning with the one on that screen."""

    SCOPE = "help"
    DEFAULT_CSS = """
    HelpScreen #contents { width: 36; }
    HelpScreen.-narrow #contents { display: none; }
    HelpScreen #guide { width: 1fr; height: 1fr; scrollbar-size-vertical: 1; }
    HelpScreen #guide MarkdownHeader { color: $foreground; text-style: bold; content-align: left middle; }
    HelpScreen #guide Markdown { background: $background; padding: 0 2; max-width: 110; }
    HelpScreen #guide MarkdownTableContent { grid-columns: auto 1fr; }
    HelpScreen #guide .code_inline { text-style: bold; }
    HelpScreen.-narrow #guide Markdown, HelpScreen.-narrow #guide MarkdownFence > Label { padding: 0 1; }
    """

    def __init__(
        self, scope: Scope, fight: tuple[FightState, BaseSystem] | None = None, first: Sequence[Line] = ()
    ) -> None:
        super().__init__()
        self._lines = help_lines(scope, self.names, fight, first)
        here = page_for(scope, fight[1] if fight is not None else None)
        self._pages: tuple[Page, ...] = (here, *(page for page in read_pages() if page.name != here.name))
        self._place = 0
        """The number of the page shown, from 1; 0 for the keys."""
        self._words = ""
        self._top = 0
        self._length = 0
        self._searched: list[Line] = []
        """The text of the keys and of every page, made at the first search."""
        self.contents = DrawnPane(self.host.book, self._draw_contents, title="Contents", frame=True, id="contents")
        self.text = DrawnPane(self.host.book, self._draw, wheel=self.scroll, title="Help", frame=True, id="text")
        self.guide = VerticalScroll(id="guide")
        self.guide.display = False

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield self.contents
            yield self.text
            yield self.guide
        yield self.foot

    # Pages

    def _draw_contents(self, cells: int, height: int) -> Drawing:
        titles = (KEYS, *(page.title for page in self._pages))
        rows = [
            (Run("▌" if place == self._place else " ", "title"), Run(fit(f" {clean(title)}", cells - 1), "help.text"))
            for place, title in enumerate(titles)
        ]
        return Drawing(stack(rows, cells, height, "text"))

    async def _open(self, place: int, heading: str = "") -> None:
        self._place = place % (len(self._pages) + 1)
        page = self._pages[self._place - 1] if self._place else None
        self.text.display, self.guide.display = page is None, page is not None
        if page is not None:
            # Looking up a key does not have to wait for the Markdown reader.
            from textual.widgets import Markdown

            await self.guide.remove_children()
            text = Markdown(page.text, open_links=False)
            await self.guide.mount(text)
            self.guide.scroll_home(animate=False)
            if heading:
                # The anchors are those that GitHub makes.
                anchor = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
                self.call_after_refresh(text.goto_anchor, anchor)
        self.contents.repaint()
        self.text.repaint()
        self.foot.repaint()

    def idle_text(self) -> str:
        """The page's name, if there is no room for the contents."""
        title = self._pages[self._place - 1].title if self._place else KEYS
        return f"{title} · {self._place + 1} of {len(self._pages) + 1}"

    async def action_next_page(self) -> None:
        await self._open(self._place + 1)

    async def action_previous_page(self) -> None:
        await self._open(self._place - 1)

    # The keys

    def _draw(self, cells: int, height: int) -> Drawing:
        rows = help_rows(search_lines(self._searched, self._words) if self._words else self._lines, cells - 1)
        self._length = len(rows)
        self._top = max(0, min(self._top, len(rows) - height))
        window = stack(rows[self._top : self._top + height], cells - 1, height, "text")
        bar = scroll_marks(self._top, height, len(rows), self.text.glyphs)
        return Drawing(tuple((*row, bar[y]) for y, row in enumerate(window)) if bar else window)

    def scroll(self, by: int) -> None:
        if self._place:
            self.guide.scroll_relative(y=by, animate=False)
            return
        self._top += by
        self.text.repaint()

    def actions(self) -> Actions:
        return {
            "up": partial(self.scroll, -1),
            "down": partial(self.scroll, 1),
            "page_up": lambda: self.scroll(1 - self._height),
            "page_down": lambda: self.scroll(self._height - 1),
            "first": lambda: self.scroll(-max(self._length, self.guide.virtual_size.height)),
            "last": lambda: self.scroll(max(self._length, self.guide.virtual_size.height)),
            "close": self.host.leave_screen,
        }

    @property
    def _height(self) -> int:
        return self.guide.size.height if self._place else self.text.inner[1]

    # Searching

    async def action_search(self) -> None:
        await self._open(0)
        self._searched = self._searched or [*self._lines, *guide_lines(self._pages)]
        self.enter(
            "search",
            self._open_first,
            text=self._words,
            hint="a key, an action, a rule or words of the guide",
            changed=self._search,
            cancelled=lambda: self._search(""),
        )

    def _search(self, words: str) -> None:
        self._words, self._top = words, 0
        self.text.set_frame(title=f"Help: {words}" if words else "Help")
        self.text.repaint()

    def _open_first(self, words: str) -> None:
        if not words or search_lines(self._lines, words):
            return
        for place, page in enumerate(self._pages, 1):
            headings = [line.text for line in search_lines(guide_lines((page,)), words) if line.kind == "heading"]
            if headings:
                self._search("")
                self.run_worker(self._open(place, headings[0].rpartition(": ")[2]))
                return

    def action_help(self) -> None:
        self.host.leave_screen()


class Line(NamedTuple):
    """One line of help: a ``title``, ``heading``, ``key``, ``rule`` or ``text``."""

    kind: str
    left: str
    """The keys, or a rule's id."""
    text: str
    more: str = ""
    """The action's id in the key map."""


def key_lines(scope: Scope, names: KeyNames) -> list[Line]:
    """The keys of one scope by group."""
    lines: list[Line] = []
    for group, actions in groupby(actions_of(scope), key=lambda action: action.group):
        lines.append(Line("heading", "", group))
        lines += [Line("key", "  ".join(names.labels(each.id)), each.tooltip, each.id) for each in actions]
    return lines


def rule_lines(state: FightState, system: BaseSystem) -> list[Line]:
    """The rules of the running phase, the most useful first, and the present reminders."""
    rules = system.rules()
    words = system.words(state.settings)
    heading = f"{system.title}: {words.phases.get(state.phase, state.phase) or f'before the first {words.round}'}"
    lines = [Line("heading", "", heading)]
    lines += [Line("rule", rule, rules.get(rule, "")) for rule in system.phase_rules(state.phase)]
    reminders = system.reminders(state)
    if reminders:
        lines.append(Line("heading", "", "Reminders"))
        lines += [Line("text", "", reminder) for reminder in reminders]
    return lines


def trail_lines(system: BaseSystem, name: str, trails: Sequence[Trail], refused_rule: str, message: str) -> list[Line]:
    """The reason of the last refusal, and the explanations of a combatant's numbers, part by part."""
    lines: list[Line] = []
    if refused_rule:
        lines += [Line("heading", "", "Why not"), Line("text", "", message)]
        lines += [Line("rule", rule, text) for rule, text in system.rules().items() if rule == refused_rule]
    lines += [Line("heading", "", f"{name}: how the numbers are calculated")] if trails else []
    for trail in trails:
        lines.append(Line("key", trail.subject.replace("_", " "), trail.total))
        lines += [
            Line("rule", part.rule, f"  {': '.join(filter(None, (part.label, part.value)))}") for part in trail.parts
        ]
    return lines


def option_lines(state: FightState, system: BaseSystem, names: KeyNames) -> list[Line]:
    """The keys of the options that anybody has in the running phase."""
    by_action: dict[str, Option] = {}
    for combatant_id in state.combatants:
        for option in system.options(state, combatant_id):
            known = by_action.get(option.action)
            if known is None or (option.legal and not known.legal):
                by_action[option.action] = option
    lines: list[Line] = []
    for option in by_action.values():
        key = names.option(option.action, option.key)
        if key:
            cost = f" ({option.cost})" if option.cost else ""
            rule = f"  {option.rule}" if option.rule else ""
            lines.append(Line("key", key, f"{option.label}{cost}{rule}", OPTION + option.action))
    return [Line("heading", "", "What you can do now"), *lines] if lines else []


def help_lines(
    scope: Scope, names: KeyNames, fight: tuple[FightState, BaseSystem] | None, why: Sequence[Line] = ()
) -> list[Line]:
    """All lines of the first page: keys, rules of the running phase, all rules. It begins with `why`, if given."""
    here = rule_lines(*fight) if fight is not None else []
    lines = [*why, *here] if why else []
    if fight is not None and scope == "fight":
        lines += option_lines(*fight, names)
    lines.append(Line("title", "", SCOPES[scope]))
    lines += key_lines(scope, names)
    beside: dict[Scope, tuple[Scope, ...]] = {"fight": ("flow",), "setup": ("form",)}
    for other in (*beside.get(scope, ()), "everywhere"):
        lines += key_lines(other, names)
    if fight is not None:
        lines += [*([] if why else here), Line("heading", "", f"{fight[1].title}: all rules")]
        lines += [Line("rule", rule, text) for rule, text in fight[1].rules().items()]
    return lines


def guide_lines(pages: Iterable[Page]) -> list[Line]:
    """The paragraphs of pages of the guide, under their headings."""
    lines: list[Line] = []
    for page in pages:
        for heading, parts in groupby(page.parts(), key=itemgetter(0)):
            lines.append(Line("heading", "", f"{page.title}: {heading}"))
            lines += [Line("text", "", text) for _, text in parts]
    return lines


def search_lines(lines: Sequence[Line], words: str) -> list[Line]:
    """The lines that contain all words, under their headings."""
    search_words = words.casefold().split()
    matches: list[Line] = []
    heading: Line | None = None
    for line in lines:
        if line.kind in ("heading", "title"):
            heading = line
            continue
        text = " ".join((line.left, line.text, line.more)).casefold()
        if all(word in text for word in search_words):
            if heading is not None:
                matches.append(heading)
                heading = None
            matches.append(line)
    return matches


def help_rows(lines: Sequence[Line], cells: int) -> tuple[Row, ...]:
    """The lines as rows, wrapped."""
    rows: list[Row] = []
    left = min(_MOST_KEYS, cells // 3, max((width(line.left) for line in lines), default=0) + 1)
    for line in lines:
        if line.kind in ("heading", "title"):
            style = "title" if line.kind == "title" else "help.heading"
            rows += [(), (Run(f" {clean(line.text)}", style),)]
            continue
        room = max(8, cells - left - 3)
        mark = {"key": "help.key", "rule": "explain.rule"}.get(line.kind, "help.text")
        for number, text in enumerate(wrap(line.text, room)):
            head = fit(line.left, left) if number == 0 else " " * left
            rows.append((Run("  ", "text"), Run(head, mark), Run(f" {text}", "help.text")))
    return tuple(rows)


_EDITS = {
    key: binding.action for binding in Input.BINDINGS if isinstance(binding, Binding) for key in binding.key.split(",")
}

Take = Callable[[Form], Form | None]
"""Applies a filled form. Returns it with its errors, or None if it was applied."""

_HELP = 100  # a longer text would push everything else off the list


class FormScreen(BaseScreen):
    """A form: a widget for each field. An error is shown below its field, and has to be corrected first.

    The screen handles the keys of texts, too, so that keys typed in quick succession stay in order.
    """

    SCOPE = "form"
    DEFAULT_CSS = """
    FormScreen #fields { height: 1fr; scrollbar-size-vertical: 1; border: round $border; border-title-color: $title; }
    FormScreen .group { color: $title; text-style: bold; margin: 1 1 0 1; }
    FormScreen FieldRow { height: auto; color: $muted; }
    FormScreen FieldRow:focus-within { color: $foreground; }
    FormScreen FieldRow > Widget { margin-left: 24; }
    FormScreen FieldRow .wrong { width: 1fr; height: auto; color: $error; display: none; }
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

    def _rows(self, start: int = 0) -> Iterator[Widget]:
        group = self.form.fields[start - 1].group if start else ""
        for slot in self.form.fields[start:]:
            if slot.group not in ("", group):
                yield Static(Content(clean(slot.group)), classes="group")
            group = slot.group
            yield FieldRow(slot, self.form)

    def on_mount(self) -> None:
        self._go_to(next(iter(self.form.errors), self.form.fields[0].path))

    @property
    def here(self) -> FieldRow:
        widgets = self.focused.ancestors_with_self if self.focused is not None else ()
        rows = (widget for widget in widgets if isinstance(widget, FieldRow))
        return next(rows, None) or self.query(FieldRow).first()

    def _go_to(self, path: Path) -> None:
        next(row for row in self.query(FieldRow) if row.slot.path == path).editor.focus()

    def on_descendant_focus(self) -> None:
        self.foot.repaint()

    def idle_text(self) -> str:
        slot = self.here.slot
        return "; ".join(filter(None, (slot.hint, f"{slot.default} if empty" if slot.default else "")))

    def key_pairs(self) -> list[tuple[str, str]]:
        pairs = super().key_pairs()
        place = self.form.list_at(self.here.slot.path)
        if place is None:
            return pairs
        add, remove = (self.names.label(f"form.{name}") for name in ("add", "remove"))
        return [*pairs, (add, f"add: {place.group}"), (remove, "remove one")]

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
        """Show a form with other tables. Rows before the first list stay: to make them takes longer than a key may."""
        self.form = form
        start = next((index for index, slot in enumerate(form.fields) if slot.kind == "tables"), len(form.fields))
        above, widgets = [*self.query(FieldRow)][:start], self.fields.children
        for row in above:
            row.show_error("")
        await self.fields.remove_children(widgets[widgets.index(above[-1]) + 1 if above else 0 :])
        await self.fields.mount_all(self._rows(start))
        self._go_to(path)


class FieldRow(Vertical):
    """A field: its name, the widget that changes it, and its error."""

    def __init__(self, slot: FormLine, form: Form) -> None:
        super().__init__()
        self.slot = slot
        self._first_error = form.errors.get(slot.path, "")
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
        self._error: Static | None = None

    def compose(self) -> ComposeResult:
        yield self.editor

    def on_mount(self) -> None:
        self.show_error(self._first_error)

    def render(self) -> Content:
        """The name, to the left of the widgets."""
        return Content(f" {fit(f'{self.slot.label} *' if self.slot.required else self.slot.label, 22)}")

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
        self.set_class(bool(error), "-wrong")
        if error and self._error is None:
            self._error = Static(classes="wrong")
            self.mount(self._error)
        if self._error is not None:
            self._error.update(Content(clean(error)))

    def on_input_changed(self) -> None:
        if self.has_focus_within:
            self.remove_class("-wrong")

    on_select_changed = on_input_changed

    def on_click(self) -> None:
        self.editor.focus()


class FieldInput(Input):
    """A text of a form. Its screen handles the keys."""

    def on_key(self, event: events.Key) -> None:
        event.prevent_default()


class PickScreen(BaseScreen):
    """A list to pick from. `picked` gets the picked choice and the typed text, after the screen is left."""

    SCOPE = "form"

    def __init__(self, picker: Picker, picked: Callable[[Choice, str], None]) -> None:
        super().__init__()
        self.picker = picker
        self._picked = picked
        self._top = 0
        book, title = self.host.book, picker.title
        self.pane = DrawnPane(
            book, self._draw, clicked=self._clicked, wheel=self._wheel, title=title, frame=True, id="choices"
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable only picking and leaving; other keys are typed."""
        return action in ("accept", "cancel", "help")

    def key_pairs(self) -> list[tuple[str, str]]:
        label = self.names.label
        typing = "to narrow" if self.picker.offer is None else "a name and numbers"
        return [(label("form.accept"), "choose"), (label("form.cancel"), "cancel"), ("type", typing)]

    def _draw(self, cells: int, height: int) -> Drawing:
        drawing, self._top = picker_rows(self.picker, cells, height, self._top, self.pane.glyphs)
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

    def actions(self) -> Actions:
        return {**super().actions(), "cancel": self.host.leave_screen}


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

    def entries(self) -> Iterator[Offer]:
        screen = self.screen
        if isinstance(screen, BaseScreen):
            for offer in screen.offers():
                yield Offer(clean(offer.text), fit(offer.help, _HELP).rstrip(), offer.do)
            yield from self._actions(screen, screen.SCOPE)
            yield from self._actions(screen, "everywhere")
        for item in self._fights:
            if item.path is not None:
                open_it = partial(self.host.open_screen, "opening", path=item.path)
                yield Offer(f"Open {clean(item.name)}", fit(", ".join(item.who), _HELP).rstrip(), open_it, False)
        for name, theme in self.host.all_themes().items():
            yield Offer(f"Theme: {name}", clean(theme.about), partial(self.host.show_theme, name), False)

    def _actions(self, screen: BaseScreen, scope: Scope) -> Iterator[Offer]:
        for action in actions_of(scope):
            if action.palette and (scope == "everywhere" or screen.offers_action(action)):
                key = self.host.keys.label(action.id)
                text = f"{action.text.capitalize()}  {key}" if key else action.text.capitalize()
                yield Offer(text, action.tooltip, partial(screen.call_later, screen.perform, action.target))

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
                content = Content(entry.text)
                for offset in matcher.fuzzy_search.match(matcher.query, entry.text)[1]:
                    content = content.stylize(matcher.match_style, offset, offset + 1)
                yield Hit(score, content, entry.do, entry.text, escape(entry.help))


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
