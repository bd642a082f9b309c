"""Help: what the rules say now and every key, and the guide beside it. Opaque, scrolled, searched with a slash."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll

from fightcall.actions import OPTION, SCOPES, KeyNames, Scope, actions_of
from fightcall.guide import Page, page_for, read_pages
from fightcall.paint.runs import Drawing, Row, Run, clean, fit, scroll_marks, stack, width, wrap
from fightcall.panes.base import DrawnPane
from fightcall.screens.base import Actions, BaseScreen
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Option, Trail
from fightcall_engine.model.state import FightState

KEYS = "Keys and rules now"
"""The name of the first page, the only one that is not from the guide."""

_MOST_KEYS = 24
"""The most cells for keys."""


class HelpScreen(BaseScreen):
    """The keys of a screen, and the pages of the guide, beginning with the one on that screen.

    Args:
        fight: the (state, system) of its fight, if there is one.
    """

    SCOPE = "help"
    DEFAULT_CSS = """
    HelpScreen #contents { width: 36; }
    HelpScreen.-narrow #contents { display: none; }
    HelpScreen #guide { width: 1fr; height: 1fr; scrollbar-size-vertical: 1; }
    HelpScreen #guide MarkdownHeader { color: $foreground; text-style: bold; content-align: left middle; }
    HelpScreen #guide Markdown { background: $background; padding: 0 2; max-width: 110; }
    HelpScreen #guide MarkdownTableContent { grid-columns: auto 1fr; }
    HelpScreen #guide .code_inline { text-style: bold; }
    HelpScreen.-narrow #guide Markdown { padding: 0 1; }
    HelpScreen.-narrow #guide MarkdownFence > Label { padding: 0 1; }
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
        return Drawing(stack(rows[:height], cells, height, "text"))

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
                self.call_after_refresh(text.goto_anchor, _anchor(heading))
        self.contents.repaint()
        self.text.repaint()
        self.foot.repaint()

    def idle_text(self) -> str:
        """The page's name, if there is no room for the contents."""
        title = self._pages[self._place - 1].title if self._place else KEYS
        return f"{title} · {self._place + 1} of {len(self._pages) + 1}"

    async def action_next_page(self) -> None:
        """The next page; after the last, the keys again."""
        await self._open(self._place + 1)

    async def action_previous_page(self) -> None:
        await self._open(self._place - 1)

    # The keys

    def _draw(self, cells: int, height: int) -> Drawing:
        lines = self._lines
        if self._words:
            lines = search_lines(self._searched, self._words)
        rows = help_rows(lines, cells - 1)
        self._length = len(rows)
        self._top = max(0, min(self._top, len(rows) - height))
        window = stack(rows[self._top : self._top + height], cells - 1, height, "text")
        bar = scroll_marks(self._top, height, len(rows), self.text.glyphs)
        return Drawing(tuple((*row, bar[y]) for y, row in enumerate(window)) if bar else window)

    def scroll(self, by: int) -> None:
        """Scroll down by `rows`."""
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
        """Filter keys and guide by words while typing; Enter opens the page."""
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
        """If only the guide contains the words, open the first page with them, at their heading."""
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


def _anchor(heading: str) -> str:
    """The anchor of a heading in links, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


class Line(NamedTuple):
    """One line of help.

    Attributes:
        kind: ``heading``, ``key``, ``rule`` or ``text``.
        left: the keys, or a rule's id.
        text: what they do, or what it says.
        more: the action's id in the key map.
    """

    kind: str
    left: str
    text: str
    more: str = ""


def key_lines(scope: Scope, names: KeyNames) -> list[Line]:
    """The keys of one scope by group."""
    lines: list[Line] = []
    group = ""
    for action in actions_of(scope):
        if action.group != group:
            group = action.group
            lines.append(Line("heading", "", group))
        keys = "  ".join(names.labels(action.id))
        lines.append(Line("key", keys, action.tooltip, action.id))
    return lines


def rule_lines(state: FightState, system: BaseSystem) -> list[Line]:
    """The rules of the running phase, the most useful first, and the present reminders."""
    rules = system.rules()
    phase = system.words(state.settings).phases.get(state.phase, state.phase)
    heading = f"{system.title}: {phase}" if phase else f"{system.title}: before the first {_round(state, system)}"
    lines = [Line("heading", "", heading)]
    lines += [Line("rule", rule, rules.get(rule, "")) for rule in system.phase_rules(state.phase)]
    reminders = system.reminders(state)
    if reminders:
        lines.append(Line("heading", "", "Reminders"))
        lines += [Line("text", "", reminder) for reminder in reminders]
    return lines


def _round(state: FightState, system: BaseSystem) -> str:
    return system.words(state.settings).round


def all_rule_lines(system: BaseSystem) -> list[Line]:
    """Every rule of a system."""
    return [
        Line("heading", "", f"{system.title}: all rules"),
        *(Line("rule", rule, text) for rule, text in system.rules().items()),
    ]


def trail_lines(system: BaseSystem, name: str, trails: Iterable[Trail], refused_rule: str, message: str) -> list[Line]:
    """The reason of the last refusal, and the explanations of a combatant's numbers, part by part."""
    lines: list[Line] = []
    if refused_rule:
        lines += [Line("heading", "", "Why not"), Line("text", "", message)]
        lines += (
            [Line("rule", refused_rule, system.rules().get(refused_rule, ""))] if refused_rule in system.rules() else []
        )
    trail_list = tuple(trails)
    if trail_list:
        lines.append(Line("heading", "", f"{name}: how the numbers are calculated"))
    for trail in trail_list:
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
    """All lines of the first page: the keys, the rules of the running phase, then all rules.

    Args:
        why: explanations to show first, followed by the rules of the running phase.
    """
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
        lines += [*([] if why else here), *all_rule_lines(fight[1])]
    return lines


def guide_lines(pages: Iterable[Page]) -> list[Line]:
    """The paragraphs of pages of the guide, under their headings."""
    lines: list[Line] = []
    for page in pages:
        under = ""
        for heading, text in page.parts():
            if heading != under:
                under = heading
                lines.append(Line("heading", "", f"{page.title}: {heading}"))
            lines.append(Line("text", "", text))
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


def help_rows(lines: Iterable[Line], cells: int) -> tuple[Row, ...]:
    """The lines as rows, wrapped."""
    lines = tuple(lines)
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
