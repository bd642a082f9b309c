"""The command palette: the actions of the present screen, its own entries, and the themes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.fuzzy import Matcher
from textual.markup import escape

from fightcall.actions import Scope, actions_of
from fightcall.flows.library_list import Item
from fightcall.paint.runs import clean, fit
from fightcall.screens.base import BaseScreen
from fightcall.shelf import Shelf

if TYPE_CHECKING:
    from fightcall.screens.host import Host

_HELP = 100
"""The most characters of a help text: a long one would push everything else off the list."""


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
