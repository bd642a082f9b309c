"""Browsing the library: sections, the filter and the cursor. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Literal

from fightcall_engine.model.values import frozen

Section = Literal["fights", "encounters", "trash"]
SECTIONS: tuple[Section, ...] = ("fights", "encounters", "trash")


@frozen
class Item:
    """One line of the library.

    Attributes:
        id: a fight's id, or the path of an encounter's file.
        is_encounter: an encounter, also in the trash; otherwise it is a fight.
        status: ``setup``, ``running``, ``ended`` or ``damaged``; of an encounter ``yours``, ``unsaved`` for a draft
            left when the program ended, or empty.
        round: how far it has come, in its system's words.
        updated: when it was last played, in ISO 8601.
        who: the names of the combatants.
        branches: how many other branches a fight has.
        problem: what is wrong with it; empty for nothing.
        minutes: how long an encounter takes at a table; None if nobody has said.
    """

    section: Section
    id: str
    name: str
    system: str = ""
    status: str = ""
    round: str = ""
    clock_s: int = 0
    updated: str = ""
    who: tuple[str, ...] = ()
    entries: int = 0
    branches: int = 0
    path: Path | None = None
    problem: str = ""
    story: str = ""
    is_encounter: bool = False
    minutes: int | None = None

    @property
    def played_elsewhere(self) -> str:
        """The remark that a fight which has not begun was played in branches; empty for any other."""
        if self.status != "setup" or not self.branches:
            return ""
        return f"not started here; {self.branches} branch{'es' if self.branches > 1 else ''} played"


@frozen
class Contents:
    """The content of the library.

    Attributes:
        damage: why the fights cannot be listed; empty if they can.
        curable: the damage can be repaired with one key.
        problems: what else is wrong, one line each.
    """

    fights: tuple[Item, ...] = ()
    encounters: tuple[Item, ...] = ()
    trash: tuple[Item, ...] = ()
    damage: str = ""
    curable: bool = False
    problems: tuple[str, ...] = ()

    def of(self, section: Section) -> tuple[Item, ...]:
        """The items of one section."""
        return {"fights": self.fights, "encounters": self.encounters, "trash": self.trash}[section]


@frozen
class Browse:
    """The state of browsing: the section, the filter, and the cursor of each section.

    The cursor is stored as an item, so that it stays on it when the list changes.
    """

    contents: Contents = Contents()
    section: Section = "fights"
    filter: str = ""
    places: Mapping[Section, int] = field(default_factory=dict)

    def visible(self, section: Section | None = None) -> tuple[Item, ...]:
        """The items of a section that contain all words of the filter."""
        words = self.filter.casefold().split()
        items = self.contents.of(section or self.section)
        return tuple(item for item in items if all(word in _text(item) for word in words))

    @property
    def index(self) -> int:
        """The index of the cursor's line."""
        return max(0, min(self.places.get(self.section, 0), len(self.visible()) - 1))

    @property
    def item(self) -> Item | None:
        """The item under the cursor."""
        items = self.visible()
        return items[self.index] if items else None

    def at(self, index: int) -> Browse:
        """With the cursor on a line, or on the nearest existing one."""
        index = max(0, min(index, len(self.visible()) - 1))
        return replace(self, places={**self.places, self.section: index})

    def on(self, id: str) -> Browse:
        """With the cursor on an item of the present section, if it is shown."""
        place = next((index for index, item in enumerate(self.visible()) if item.id == id), None)
        return self if place is None else self.at(place)

    def move(self, by: int) -> Browse:
        """With the cursor moved down by `by` lines."""
        return self.at(self.index + by)

    def turn(self, by: int) -> Browse:
        """In the next section, or the one before."""
        return replace(self, section=SECTIONS[(SECTIONS.index(self.section) + by) % len(SECTIONS)])

    def with_filter(self, text: str) -> Browse:
        """With another filter; the cursor stays on its item if that is still shown."""
        return self._keep_cursor(replace(self, filter=text))

    def with_contents(self, contents: Contents) -> Browse:
        """With other contents; the cursor stays on its item, else on its line."""
        return self._keep_cursor(replace(self, contents=contents))

    def _keep_cursor(self, after: Browse) -> Browse:
        here = self.item
        return after if here is None else after.on(here.id)


def _text(item: Item) -> str:
    return " ".join((item.name, item.system, item.status, item.round, *item.who)).casefold()


def window_top(index: int, top: int, height: int, count: int) -> int:
    """The first line to show: the cursor is visible, and the window moves as little as possible."""
    if height <= 0:
        return 0
    top = min(max(top, index - height + 1), index)
    return max(0, min(top, count - height))
