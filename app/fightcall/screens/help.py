"""Help: what the rules say now and every key, and the guide beside it. Opaque, scrolled, searched with a slash."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll

from fightcall.actions import Scope
from fightcall.guide import Page, page_for, read_pages
from fightcall.paint.layout import Drawing, scroll_marks, stack
from fightcall.paint.runs import Run, clean, fit
from fightcall.panes.base import DrawnPane
from fightcall.screens.base import BaseScreen
from fightcall.screens.help_rows import Line, guide_lines, help_lines, help_rows, search_lines

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState

KEYS = "Keys and rules now"
"""The name of the first page, the only one that is not from the guide."""


class HelpScreen(BaseScreen):
    """The keys of a screen, and the pages of the guide, beginning with the one on that screen.

    Args:
        scope: the screen's scope.
        fight: the (state, system) of its fight, if there is one.
        first: lines to show before everything else, such as an explanation.
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
        here = page_for(scope) if fight is None else page_for(scope, fight[1].id, fight[1].folder)
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
        """The contents, the page, and the foot."""
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
        """Show a page, from a heading on."""
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
        """The page before."""
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

    def action_up(self) -> None:
        """A line up."""
        self.scroll(-1)

    def action_down(self) -> None:
        """A line down."""
        self.scroll(1)

    def action_page_up(self) -> None:
        """A page up."""
        self.scroll(1 - self._height)

    def action_page_down(self) -> None:
        """A page down."""
        self.scroll(self._height - 1)

    @property
    def _height(self) -> int:
        return self.guide.size.height if self._place else self.text.inner[1]

    def action_first(self) -> None:
        """The beginning."""
        self.scroll(-max(self._length, self.guide.virtual_size.height))

    def action_last(self) -> None:
        """The end."""
        self.scroll(max(self._length, self.guide.virtual_size.height))

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
        """The key that opens help closes it."""
        self.host.leave_screen()

    def action_close(self) -> None:
        """Go back to the previous screen."""
        self.host.leave_screen()


def _anchor(heading: str) -> str:
    """The anchor of a heading in links, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
