"""The command palette: the actions of the present room, what it offers beside them, and the themes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.fuzzy import Matcher
from textual.markup import escape

from fightcall.actions import Scope, actions_of
from fightcall.app import FightCallApp
from fightcall.flows.browsing import Item
from fightcall.paint.runs import clean, fit
from fightcall.screens.room import Room
from fightcall.shelf import Shelf

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState

_HELP = 100
"""Letters of help at most: a story would push everything else off the list."""


class Entry(NamedTuple):
    """One thing the palette can do; `first` ones are shown before anything is typed."""

    text: str
    help: str
    do: Callable[[], object]
    first: bool = True


class RoomCommands(Provider):
    """What can be done now. Texts hold names that people gave, so none of them is read as markup."""

    _fights: tuple[Item, ...] = ()

    @property
    def host(self) -> FightCallApp:
        """The app, by its own type."""
        return cast(FightCallApp, self.app)

    async def startup(self) -> None:
        """Look for other fights to open, where one is not among them already."""
        room = self.screen
        if isinstance(room, Room) and room.SCOPE in ("fight", "replay"):
            running = cast("tuple[FightState, BaseSystem] | None", room.help_state())
            here = running[0].id if running is not None else ""
            fights = Shelf(self.host.paths).read().fights
            self._fights = tuple(item for item in fights if item.id != here)

    def entries(self) -> Iterator[Entry]:
        """Everything, the room's own first."""
        room = self.screen
        if isinstance(room, Room):
            for offer in room.offers():
                yield Entry(clean(offer.text), fit(offer.help, _HELP).rstrip(), offer.do)
            yield from self._actions(room, room.SCOPE)
            yield from self._actions(room, "everywhere")
        for item in self._fights:
            if item.path is not None:
                open_it = partial(self.host.open_fight, item.path)
                yield Entry(f"Open {clean(item.name)}", fit(", ".join(item.who), _HELP).rstrip(), open_it, False)
        for name, theme in self.host.all_themes().items():
            yield Entry(f"Theme: {name}", clean(theme.about), partial(self.host.show_theme, name), False)

    def _actions(self, room: Room, scope: Scope) -> Iterator[Entry]:
        for action in actions_of(scope):
            if action.palette and (scope == "everywhere" or room.offers_action(action)):
                target = f"app.{action.name}" if scope == "everywhere" else action.name
                key = self.host.keys.shown(action.id)
                text = f"{action.text.capitalize()}  {key}" if key else action.text.capitalize()
                yield Entry(text, action.tooltip, partial(self._run, room, target))

    def _run(self, room: Room, action: str) -> None:
        room.call_later(self.app.run_action, action, room)

    async def discover(self) -> Hits:
        """What is shown before anything is typed."""
        for entry in self.entries():
            if entry.first:
                yield DiscoveryHit(Content(entry.text), entry.do, entry.text, escape(entry.help))

    async def search(self, query: str) -> Hits:
        """What fits the letters typed so far."""
        matcher = self.matcher(query)
        for entry in self.entries():
            whole = f"{entry.text} {entry.help}"
            score = max(matcher.match(entry.text), matcher.match(whole) / 2)
            if score > 0:
                yield Hit(score, _marked(matcher, entry.text), entry.do, entry.text, escape(entry.help))


def _marked(matcher: Matcher, text: str) -> Content:
    """The text with the letters that fit picked out."""
    content = Content(text)
    _, offsets = matcher.fuzzy_search.match(matcher.query, text)
    for offset in offsets:
        content = content.stylize(matcher.match_style, offset, offset + 1)
    return content
