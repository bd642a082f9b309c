"""Picking from a list: any action, a ruling, a moment to go back to. A letter takes its row, Enter the marked one."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fightcall.flows.ask_flow import force_command
from fightcall.flows.base import CANCELLED, IGNORED, OVERRULE, STAY, TYPES_A_SPACE, Overlay, Reply, Say
from fightcall.paint.prompt_bar import PromptView
from fightcall.paint.upright import ListRow, ListView, Tone
from fightcall_engine.board.base import Location
from fightcall_engine.model.values import frozen

PAGE = 10
"""How many rows a page key goes on."""
NEAR = 60
"""Rows on either side of the mark that may be seen; the text of others is not made."""
FIND, EXPLAIN = "/", "?"
LIST_KEYS = ((FIND, "finds"), (EXPLAIN, "why"))
"""The keys of every list, while nothing is typed."""
SECOND = string.ascii_lowercase + string.digits + string.ascii_uppercase


@frozen
class Item:
    """One entry of a list, and what picking it does.

    Attributes:
        what: what it is; made when it is looked at.
        pick: what comes of taking it.
        number: its price or number.
        key: the key that begins it elsewhere, which it keeps here.
        group: the heading that it stands under, and `section` the part of that.
        explain: why it is as it is, for `?`.
        depth: of a branch in the margin, from how many others it parts in turn; -1 for an entry of the line.
    """

    what: Callable[[], str]
    pick: Callable[[], Reply]
    number: str = ""
    rule: str = ""
    key: str = ""
    tone: Tone = "plain"
    group: str = ""
    section: str = ""
    explain: str = ""
    depth: int = -1

    def words(self) -> str:
        """All that a search looks at."""
        return " ".join((self.what(), self.number, self.rule, self.group, self.section, self.explain)).lower()


@frozen
class ListKey:
    """A key of one list beside those that all have: what it does with the marked entry, at its place.

    Attributes:
        words: what it does, in the list's last line; empty for one that is not shown there.
        label: what stands for it there, where that is not the key itself.
    """

    words: str
    do: Callable[[int], Reply]
    label: str = ""


@dataclass
class _Typing:
    """What has been typed: to narrow the list, or as the first letter of a code."""

    text: str = ""
    is_on: bool = False
    code: str = field(default="")


def letter_codes(
    wished_keys: Sequence[str], reserved_keys: str = "", *, shortest_last: bool = False
) -> tuple[str, ...]:
    """A code for each entry of a list, of one letter or two, so that none is the beginning of another.

    Args:
        wished_keys: the key that each entry would like to have, empty for any.
        reserved_keys: letters that mean something else.
        shortest_last: the last entries have the short ones, not the first.
    """
    key_of_place: dict[int, str] = {}
    for place, key in enumerate(wished_keys):
        if len(key) == 1 and key.isalnum() and key not in reserved_keys and key not in key_of_place.values():
            key_of_place[place] = key
    free = [
        letter
        for letter in string.ascii_lowercase
        if letter not in reserved_keys and letter not in key_of_place.values()
    ]
    rest = [place for place in range(len(wished_keys)) if place not in key_of_place]
    pairs = 0
    while pairs < len(free) and len(free) - pairs + pairs * len(SECOND) < len(rest):
        pairs += 1
    rest = rest[::-1] if shortest_last and pairs else rest
    codes = free[: len(free) - pairs]
    # "up" is what the arrow is called.
    codes += [code for second in SECOND for first in free[len(free) - pairs :] if (code := first + second) != "up"]
    by_index = key_of_place | dict(zip(rest, codes, strict=False))
    return tuple(by_index.get(place, "") for place in range(len(wished_keys)))


class ListFlow:
    """A list with a letter before each entry, which takes it; `/` finds, the arrows mark, Enter takes the marked one.

    `!` takes by the GM's word, `?` explains, Escape goes one step back. What is no letter of an entry begins to find.

    Args:
        question: what is picked.
        items: the entries.
        empty: what is said where there are none.
        start: the place that is marked at first.
        keys: keys of this list alone.
        rules: the rules in a line each, for `?`.
        shortest_last: the last entries have the shortest codes.
    """

    is_typing = True

    def __init__(
        self,
        question: str,
        items: Sequence[Item],
        *,
        empty: str = "nothing is here",
        start: int = 0,
        keys: Mapping[str, ListKey] | None = None,
        rules: Mapping[str, str] | None = None,
        shortest_last: bool = False,
    ) -> None:
        self._question = question
        self._items = tuple(items)
        self._empty = empty
        self._keys = dict(keys or {})
        self._rules = rules or {}
        self._codes = letter_codes([item.key for item in items], "".join(self._keys), shortest_last=shortest_last)
        self._found = list(range(len(self._items)))
        self._at = max(0, min(start, len(self._items) - 1))
        self._typing = _Typing()
        self._explains = False
        self._error = ""

    @property
    def marked(self) -> int:
        """The place of the marked entry among all of them, -1 for none."""
        return self._found[self._at] if self._found else -1

    # Showing

    @property
    def call_words(self) -> str:
        """What the space bar does."""
        return TYPES_A_SPACE if self._typing.is_on else self.view().default or "nothing: no entry is marked"

    def view(self) -> PromptView:
        """What Enter takes."""
        choice = self._items[self.marked].what() if self._found else ""
        if self._found and self._typing.is_on:
            hint = "letters find, arrows mark, Esc shows all"
        elif self._found:
            hint = f"a letter takes its row, {FIND} finds, {EXPLAIN} explains"
        else:
            hint = "nothing matches; Backspace widens" if self._items else self._empty
        typed_text = self._typing.code or (self._typing.text if self._typing.is_on else None)
        return PromptView(question=self._question, typed=typed_text, hint=hint, error=self._error, default=choice)

    def list_view(self) -> ListView:
        """The rows about the mark."""
        first = max(self._at - NEAR, 0)
        near = self._found[first : self._at + NEAR]
        search_text = self._typing.text if self._typing.is_on else None
        own = tuple((each.label or key, each.words) for key, each in self._keys.items() if each.words)
        return ListView(
            title=self._question,
            rows=tuple(self._row(place) for place in near),
            marked=self._at - first if near else -1,
            above=first,
            total=len(self._found),
            typed=search_text,
            keys=(("enter", "takes it"), *(() if self._typing.is_on else (*own, *LIST_KEYS)), ("Esc", "back")),
            note=self._note(),
            empty="nothing matches; Backspace widens" if self._items else self._empty,
        )

    def _row(self, place: int) -> ListRow:
        item = self._items[place]
        code = self._codes[place]
        return ListRow(item.what(), code, item.number, item.rule, item.tone, item.group, item.section, item.depth)

    def _note(self) -> str:
        """Why the key pressed last did nothing, or what `?` says of the marked entry."""
        if self._error:
            return self._error
        if not self._explains or not self._found:
            return ""
        item = self._items[self.marked]
        rule = f"{item.rule}: {self._rules.get(item.rule, 'no rule of this name is listed')}" if item.rule else ""
        return "; ".join(filter(None, (item.explain, rule))) or "nothing more is to be said of it"

    def overlay(self) -> Overlay:
        """Nothing on the board."""
        return Overlay()

    # Keys

    def press(self, key: str) -> Reply:
        """See the class."""
        self._error = ""
        explains, self._explains = self._explains, False
        if key == "escape":
            return self._leave()
        if key in ("enter", OVERRULE) or (key == "space" and not self._typing.is_on):
            reply = self._items[self.marked].pick() if self._found else STAY
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
        """One step back: out of the code, out of what is typed, out of the list."""
        if self._typing.is_on or self._typing.code:
            self._typing = _Typing()
            self._narrow()
            return STAY
        return CANCELLED

    def _step(self, key: str) -> bool:
        steps = {"down": 1, "tab": 1, "up": -1, "shift+tab": -1, "pagedown": PAGE, "pageup": -PAGE}
        last = max(0, len(self._found) - 1)
        if key in steps:
            self._at = max(0, min(self._at + steps[key], last))
        elif key in ("home", "end"):
            self._at = 0 if key == "home" else last
        else:
            return False
        self._typing.code = ""
        return True

    def _press_letter(self, key: str) -> Reply:
        """A key of this list, a letter of a code, or what begins to find."""
        code = self._typing.code + key
        if not self._typing.code and key in self._keys:
            reply = self._keys[key].do(self.marked) if self._found else STAY
            if not isinstance(reply, Say):
                return reply
            self._error = reply.text
            return STAY
        if code in self._codes:
            self._typing.code = ""
            self._at = self._found.index(self._codes.index(code))
            return self._items[self.marked].pick()
        match = next((place for place, code_of_item in enumerate(self._codes) if code_of_item.startswith(code)), None)
        if match is not None and len(key) == 1:
            self._typing.code, self._at = code, self._found.index(match)
            return STAY
        if self._typing.code:
            self._typing.code = ""
            self._error = f"no entry has the letters {code}"
            return STAY
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
        """Keep the entries that have all the words, and the mark where it was as long as that entry is among them.

        An entry that is what was typed, or begins with it, is marked before others that only have it.
        """
        before = self.marked
        text = self._typing.text.strip().lower()
        words = text.split()
        indices = range(len(self._items))
        self._found = [place for place in indices if not words or _has_all(self._items[place].words(), words)]
        names = {place: self._items[place].what().lower() for place in self._found} if text else {}
        same = [place for place, name in names.items() if name == text]
        beginning = [place for place, name in names.items() if name.startswith(text)]
        best = same or ([before] if before in beginning else beginning) or [before]
        self._at = self._found.index(best[0]) if best[0] in self._found else 0

    def point(self, place: Location) -> Reply:
        """A click on the board picks nothing."""
        return IGNORED

    def pick(self, combatant_id: str) -> Reply:
        """A click on a combatant picks nothing."""
        return IGNORED

    def complain(self, what: str) -> None:
        """Show why what was picked could not be done; something else can be picked."""
        self._error = what


def _has_all(text: str, words: Sequence[str]) -> bool:
    return all(word in text for word in words)
