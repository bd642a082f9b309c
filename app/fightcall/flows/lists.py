"""Lists: picking an action, a ruling or a moment, narrowing many rows by typing, and browsing the library.

A letter picks its row, Enter the marked one.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Literal

from fightcall.flows.base import CANCELLED, IGNORED, OVERRULE, STAY, TYPES_A_SPACE, Flow, Reply, Say
from fightcall.flows.questions import force_command
from fightcall.paint.prompt_bar import ListRow, ListView, PromptView, TextLine, Tone
from fightcall_engine.model.values import frozen, replace

STEPS = {"down": 1, "tab": 1, "up": -1, "shift+tab": -1, "pagedown": 10, "pageup": -10}
"""How many rows a key moves the mark."""
NEAR = 60
"""How many rows around the mark may be visible; the text of others is not made."""
SECOND = string.ascii_lowercase + string.digits + string.ascii_uppercase

Section = Literal["fights", "encounters", "trash"]
SECTIONS: tuple[Section, ...] = ("fights", "encounters", "trash")


FIND, EXPLAIN = "/", "?"
LIST_KEYS = ((FIND, "finds"), (EXPLAIN, "why"))
"""The keys of every list, while nothing is typed."""


@frozen
class Item:
    """An entry of a list.

    Attributes:
        what: its text, or a function that makes it when it is shown; `text` is either's.
        pick: makes the reply when it is picked.
        key: its key outside of the list, which it keeps here.
        group: its heading; `section` is the part of that.
        depth: for a branch, how many branches it is nested in; -1 for an entry of the line.
    """

    what: str | Callable[[], str]
    pick: Callable[[], Reply]
    number: str = ""
    rule: str = ""
    key: str = ""
    tone: Tone = "plain"
    group: str = ""
    section: str = ""
    explain: str = ""
    depth: int = -1

    @property
    def text(self) -> str:
        return self.what if isinstance(self.what, str) else self.what()

    def words(self) -> str:
        """The text that a search looks at."""
        return " ".join((self.text, self.number, self.rule, self.group, self.section, self.explain)).lower()


@frozen
class ListKey:
    """A further key of a list. Its last line shows the key, or the `label`, with the words, if there are any."""

    words: str
    do: Callable[[int], Reply]
    label: str = ""


@dataclass
class _Typing:
    """The typed text: a search, or the first letter of a code."""

    text: str = ""
    is_on: bool = False
    code: str = ""


def letter_codes(
    wished_keys: Sequence[str], reserved_keys: str = "", *, shortest_last: bool = False
) -> tuple[str, ...]:
    """Codes of one or two free letters, none the beginning of another, the shortest for the first or last entries."""
    key_of_place: dict[int, str] = {}
    for place, key in enumerate(wished_keys):
        if len(key) == 1 and key.isalnum() and key not in reserved_keys and key not in key_of_place.values():
            key_of_place[place] = key
    used_keys = {*reserved_keys, *key_of_place.values()}
    free = [letter for letter in string.ascii_lowercase if letter not in used_keys]
    rest = [place for place in range(len(wished_keys)) if place not in key_of_place]
    pairs = 0
    while pairs < len(free) and len(free) - pairs + pairs * len(SECOND) < len(rest):
        pairs += 1
    rest = rest[::-1] if shortest_last and pairs else rest
    codes = free[: len(free) - pairs]
    # "up" would be taken for the name of the arrow key.
    codes += [code for second in SECOND for first in free[len(free) - pairs :] if (code := first + second) != "up"]
    by_index = key_of_place | dict(zip(rest, codes, strict=False))
    return tuple(by_index.get(place, "") for place in range(len(wished_keys)))


@dataclass(eq=False)
class ListFlow(Flow):
    """A list in which each entry has a letter that picks it. `/` searches, arrows mark, Enter picks the marked entry.

    `!` picks with force, `?` explains, Escape goes one step back. Letters that belong to no entry begin a search.

    Args:
        shortest_last: give the shortest codes to the last entries.
        letters_mark: a letter only marks its entry, so that nothing happens before Enter.
        picks: what Enter does with the marked entry, and how the list says that of itself; an entry that is not an
            act by itself, such as one of the past, needs both.
    """

    is_typing = True

    question: str
    items: Sequence[Item]
    _: KW_ONLY
    empty: str = "the list is empty"
    start: int = 0
    keys: Mapping[str, ListKey] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    shortest_last: bool = False
    letters_mark: bool = False
    picks: tuple[str, str] = ("", "choose")

    def __post_init__(self) -> None:
        wished_keys = [item.key for item in self.items]
        self._codes = letter_codes(wished_keys, "".join(self.keys), shortest_last=self.shortest_last)
        self._found = list(range(len(self.items)))
        self._at = max(0, min(self.start, len(self.items) - 1))
        self._typing, self._explains = _Typing(), False

    @property
    def marked(self) -> int:
        """The index of the marked entry among all of them; -1 for none."""
        return self._found[self._at] if self._found else -1

    # Showing

    @property
    def call_words(self) -> str:
        return TYPES_A_SPACE if self._typing.is_on else self.view().default or "nothing: no entry is marked"

    def view(self) -> PromptView:
        choice = self.items[self.marked].text if self._found else ""
        choice = f"{self.picks[0]}: {choice}" if choice and self.picks[0] else choice
        if self._found and self._typing.is_on:
            hint = "letters find, arrows mark, Esc shows all"
        elif self._found:
            hint = f"a letter {'marks' if self.letters_mark else 'takes'} its row, {FIND} finds, {EXPLAIN} explains"
        else:
            hint = "nothing matches; Backspace shows more" if self.items else self.empty
        typed_text = self._typing.code or (self._typing.text if self._typing.is_on else None)
        return PromptView(question=self.question, typed=typed_text, hint=hint, error=self._error, default=choice)

    def list_view(self) -> ListView:
        first = max(self._at - NEAR, 0)
        near = self._found[first : self._at + NEAR]
        search_text = self._typing.text if self._typing.is_on else None
        own = tuple((each.label or key, each.words) for key, each in self.keys.items() if each.words)
        return ListView(
            title=self.question,
            rows=tuple(self._row(place) for place in near),
            marked=self._at - first if near else -1,
            above=first,
            total=len(self._found),
            typed=search_text,
            keys=(("enter", self.picks[1]), *(() if self._typing.is_on else (*own, *LIST_KEYS)), ("Esc", "back")),
            note=self._note(),
            empty="nothing matches; Backspace shows more" if self.items else self.empty,
        )

    def _row(self, place: int) -> ListRow:
        item = self.items[place]
        code = self._codes[place]
        return ListRow(item.text, code, item.number, item.rule, item.tone, item.group, item.section, item.depth)

    def _note(self) -> str:
        if self._error:
            return self._error
        if not self._explains or not self._found:
            return ""
        item = self.items[self.marked]
        rule = f"{item.rule}: {self.rules.get(item.rule, 'this rule is not listed')}" if item.rule else ""
        return "; ".join(filter(None, (item.explain, rule))) or "there is no explanation"

    # Keys

    def press(self, key: str) -> Reply:
        self._error = ""
        explains, self._explains = self._explains, False
        if key == "escape":
            return self._leave()
        if key in ("enter", OVERRULE) or (key == "space" and not self._typing.is_on):
            reply = self.items[self.marked].pick() if self._found else STAY
            return force_command(reply) if key == OVERRULE else reply
        if key == EXPLAIN and not self._typing.is_on:
            self._explains = not explains
            return STAY
        if self._step(key):
            return STAY
        if self._typing.is_on or key == FIND:
            return self._type(key)
        if key == "backspace":
            self._typing.code = ""
            return STAY
        return self._press_letter(key)

    def _leave(self) -> Reply:
        if self._typing.is_on or self._typing.code:
            self._typing = _Typing()
            self._narrow()
            return STAY
        return CANCELLED

    def _step(self, key: str) -> bool:
        last = max(0, len(self._found) - 1)
        if key in STEPS:
            self._at = max(0, min(self._at + STEPS[key], last))
        elif key in ("home", "end"):
            self._at = 0 if key == "home" else last
        else:
            return False
        self._typing.code = ""
        return True

    def _press_letter(self, key: str) -> Reply:
        """Handle a letter: a key of this list, part of a code, or the beginning of a search."""
        code = self._typing.code + key
        if not self._typing.code and key in self.keys:
            reply = self.keys[key].do(self.marked) if self._found else STAY
            return self.complain(reply.text) if isinstance(reply, Say) else reply
        if code in self._codes:
            self._typing.code = ""
            self._at = self._found.index(self._codes.index(code))
            return STAY if self.letters_mark else self.items[self.marked].pick()
        match = next((place for place, code_of_item in enumerate(self._codes) if code_of_item.startswith(code)), None)
        if match is not None and len(key) == 1:
            self._typing.code, self._at = code, self._found.index(match)
            return STAY
        if self._typing.code:
            self._typing.code = ""
            return self.complain(f"no entry has the letters {code}")
        return self._type(key)

    def _type(self, key: str) -> Reply:
        if key == FIND and not self._typing.is_on:
            self._typing.is_on = True
        elif key == "backspace":
            self._typing = _Typing(self._typing.text[:-1], is_on=bool(self._typing.text))
        elif key == "space" or (len(key) == 1 and key.isprintable()):
            self._typing = _Typing(self._typing.text + (" " if key == "space" else key), is_on=True)
        else:
            return IGNORED
        self._narrow()
        return STAY

    def _narrow(self) -> None:
        """Show the entries with all words. The mark stays, or goes to one that equals or begins with the text."""
        before = self.marked
        text = self._typing.text.strip().lower()
        words = text.split()
        texts = [item.words() if words else "" for item in self.items]
        self._found = [place for place, own_words in enumerate(texts) if all(word in own_words for word in words)]
        names = {place: self.items[place].text.lower() for place in self._found} if text else {}
        same = [place for place, name in names.items() if name == text]
        beginning = [place for place, name in names.items() if name.startswith(text)]
        best = same or ([before] if before in beginning else beginning) or [before]
        self._at = self._found.index(best[0]) if best[0] in self._found else 0


# A list that typing narrows


@frozen
class Choice:
    """One line of the list: what it is called, and a remark."""

    id: str
    text: str
    remark: str = ""


@frozen
class Picker:
    """A list with a filter and a cursor. `offer` has the choices for a text, `misread` what of it is not understood."""

    title: str
    choices: tuple[Choice, ...]
    line: TextLine = field(default_factory=TextLine)
    index: int = 0
    offer: Callable[[str], tuple[Choice, ...]] | None = None
    hint: str = ""
    misread: Callable[[str], str] = lambda text: ""

    def matches(self) -> tuple[Choice, ...]:
        """The choices that contain all the words, or that are offered for them."""
        if self.offer is not None:
            return self.offer(self.line.text)
        words = self.line.text.casefold().split()
        texts = [(choice, f"{choice.text} {choice.remark}".casefold()) for choice in self.choices]
        return tuple(choice for choice, text in texts if all(word in text for word in words))

    @property
    def picked(self) -> Choice | None:
        choices = self.matches()
        return choices[min(self.index, len(choices) - 1)] if choices else None

    def press(self, key: str, character: str | None) -> Picker | None:
        """The list after a key, None where it means nothing to it."""
        if key in STEPS:
            return replace(self, index=max(0, min(self.index + STEPS[key], len(self.matches()) - 1)))
        line = self.line.press(key, character)
        return None if line is None else replace(self, line=line, index=0)


# Browsing the library


@frozen
class LibraryItem:
    """One line of the library.

    Attributes:
        id: a fight's id, or the path of an encounter's file.
        is_encounter: an encounter, also in the trash; otherwise it is a fight.
        status: ``setup``, ``running``, ``ended`` or ``damaged``; of an encounter ``yours``, ``unsaved`` for a draft
            left when the program ended, or empty.
        round: how far it has come, in its system's words.
        updated: when it was last played, in ISO 8601.
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
    """The content of the library; `damage` says why the fights cannot be listed, and one key may cure that."""

    fights: tuple[LibraryItem, ...] = ()
    encounters: tuple[LibraryItem, ...] = ()
    trash: tuple[LibraryItem, ...] = ()
    damage: str = ""
    curable: bool = False
    problems: tuple[str, ...] = ()

    def of(self, section: Section) -> tuple[LibraryItem, ...]:
        return {"fights": self.fights, "encounters": self.encounters, "trash": self.trash}[section]


@frozen
class Browse:
    """The state of browsing: the section, the filter, and the cursor of each section."""

    contents: Contents = Contents()
    section: Section = "fights"
    filter: str = ""
    places: Mapping[Section, int] = field(default_factory=dict)

    def visible(self, section: Section | None = None) -> tuple[LibraryItem, ...]:
        """The items of a section that contain all words of the filter."""
        words = self.filter.casefold().split()
        items = self.contents.of(section or self.section)
        texts = (" ".join((each.name, each.system, each.status, each.round, *each.who)).casefold() for each in items)
        return tuple(item for item, text in zip(items, texts, strict=True) if all(word in text for word in words))

    @property
    def index(self) -> int:
        return max(0, min(self.places.get(self.section, 0), len(self.visible()) - 1))

    @property
    def item(self) -> LibraryItem | None:
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


def window_top(index: int, top: int, height: int, count: int) -> int:
    """The first line to show: the cursor is visible, and the window moves as little as possible."""
    if height <= 0:
        return 0
    top = min(max(top, index - height + 1), index)
    return max(0, min(top, count - height))
