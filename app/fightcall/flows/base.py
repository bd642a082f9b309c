"""The interface of flows: a view, an overlay for the board, one reply to each key, and the keys that flows know."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cache
from typing import Protocol

from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give
from fightcall_engine.board.base import Location
from fightcall_engine.model.values import frozen

OVERRULE = "!"
"""The key that does the same as Enter, overruling the rules."""
MORE = "*"
"""The key for optional details."""
PERSON = "'"
"""The key before a label: what follows names a combatant."""
WHY = "?"
"""The key that explains the rule behind what is asked or marked."""
TYPES_A_SPACE = "types a space"
UNANSWERED = "nothing: this question needs an answer"
"""The words for the space bar at a question without a default."""
MOST_ACCEPTED = 6
"""The most alternatives that a refusal shows."""
ONWARD = ("tab", "right", "down")
BACKWARD = ("shift+tab", "left", "up")

CANONICAL: Mapping[str, str] = {
    "flow.accept": "enter",
    "flow.cancel": "escape",
    "flow.back": "backspace",
    "flow.next-choice": "tab",
    "flow.previous-choice": "shift+tab",
    "flow.rule": OVERRULE,
    "flow.more": MORE,
    "flow.east": "right",
    "flow.west": "left",
    "flow.north-west": "y",
    "flow.north-east": "u",
    "flow.south-west": "b",
    "flow.south-east": "n",
    "flow.up": "up",
    "flow.down": "down",
}
"""The key by which flows know each action that can be rebound."""
_RENAMED: Mapping[str, str] = {
    "slash": "/",
    "backslash": "\\",
    "at": "@",
    "minus": "-",
    "plus": "+",
    "underscore": "_",
}
"""Characters whose names in a key map differ from Unicode's."""


@frozen
class Overlay:
    """What a flow shows on the board and in the roster.

    Attributes:
        reach: the cost of each place in reach.
        path: the places of a planned path, in order, with the cost so far.
        warnings: places where something stops the walk.
        line: the places between two combatants, such as a line of fire.
        targets: the combatants that can be picked.
        chosen: the one of them that Enter picks.
        cursor: the place that the keys move, or that the question is about.
        is_followed: whether the board scrolls to the cursor; not for one that is only proposed.
        note: a few words for the board's frame.
    """

    reach: Mapping[Location, int] = field(default_factory=dict)
    path: tuple[tuple[Location, int], ...] = ()
    warnings: frozenset[Location] = frozenset()
    line: tuple[Location, ...] = ()
    targets: tuple[str, ...] = ()
    chosen: str = ""
    cursor: Location | None = None
    is_followed: bool = True
    note: str = ""


@frozen
class Stay:
    """The flow used the key and goes on."""


@frozen
class Ignored:
    """The flow has no use for the key; the screen may have one."""


@frozen
class Cancelled:
    """The flow ends without doing anything; `said` is the message afterwards, empty for none."""

    said: str = ""


@frozen
class Yield:
    """The flow ends without doing anything, and the key gets its usual meaning."""


@frozen
class Select:
    """The flow ends by selecting a combatant; with `to_act`, only for one act out of turn."""

    who: str
    to_act: bool = False


@frozen
class Become:
    """Another flow takes the place of this one."""

    flow: Flow


@frozen
class Detour:
    """The flow gives way to something that removes an obstacle, and begins again afterwards.

    Attributes:
        first: what is done first.
        again: begins the flow again; returns None if that is no longer possible.
    """

    first: Reply
    again: Callable[[], Reply | None]


@frozen
class Say:
    """The flow ends with a message."""

    text: str


@frozen
class Jump:
    """The flow ends by going to an entry."""

    number: int


@frozen
class Bookmark:
    """The flow ends by bookmarking the moment after an entry; with None, the present one."""

    name: str
    on: int | None = None


@frozen
class Find:
    """The flow ends by searching combatants, effects and lines of the log for a text."""

    text: str


@frozen
class SaveElsewhere:
    """The flow ends by saving the fight in another file; with an empty name, by leaving without saving."""

    name: str


@frozen
class Travel:
    """The flow ends by moving in the fight's history, or by changing its branches.

    Attributes:
        go: the function that does it; its result is ignored.
        said: the message afterwards; empty for none.
        following: makes the flow that comes next; None for none.
        back: what undo does right after it, instead of taking back the newest entry; None for nothing else.
    """

    go: Callable[[], object]
    said: str = ""
    following: Callable[[], Flow] | None = None
    back: Callable[[], object] | None = None


Request = Say | Jump | Bookmark | Find | SaveElsewhere
"""A reply that asks for something other than a command."""
Reply = Stay | Ignored | Cancelled | Yield | Give | Select | Become | Detour | Travel | Request
"""A flow's reply to a key."""

STAY, IGNORED, CANCELLED, YIELD = Stay(), Ignored(), Cancelled(), Yield()


class Flow(Protocol):
    """Something that the GM is in the middle of doing."""

    @property
    def is_typing(self) -> bool:
        """True while letters are typed as text, so that they must not be rebound."""

    @property
    def call_words(self) -> str:
        """What the space bar does, in words: it types a space, or does the same as Enter."""

    def view(self) -> PromptView:
        """What the call bar shows."""

    def overlay(self) -> Overlay:
        """What the board and the roster show."""

    def press(self, key: str) -> Reply:
        """Handle a key: a printable character as it is, others by name (``enter``, ``escape``, ``space``...)."""

    def point(self, place: Location) -> Reply:
        """Handle a click on a place of the board."""

    def pick(self, combatant_id: str) -> Reply:
        """Handle a click on a combatant."""

    def complain(self, what: str) -> None:
        """Show an error about the last answer until the next key."""


def accepted_words(accepts: Sequence[str]) -> str:
    """The alternatives of a refusal in the words of the screen, without names of fields or commands."""
    parts = (text.partition(": ") for text in accepts[:MOST_ACCEPTED])
    texts = (words if how.endswith(("true", "false")) else f"{words}{colon}{how}" for words, colon, how in parts)
    return ", ".join(text.replace("_", " ") for text in texts)


def table_die_words(dice: str) -> str:
    """The message that a roll must be typed first."""
    return f"type the {dice} that the table rolled"


def with_rule(message: str, rule: str) -> str:
    """A refusal as a sentence, with the title and id of its rule in brackets, if any."""
    words = f"{message[:1].upper()}{message[1:]}"
    return f"{words} ({rule})" if rule else words


# Keys, and the user's own keys for them


_ACUTE, _CEDILLA = "\u0301", "\u0327"


def rebound(keymap: Mapping[str, str]) -> dict[str, str]:
    """The user's rebound keys: pressed key -> the key that flows know."""
    clashes: dict[str, str] = {}
    for action, canonical_key in CANONICAL.items():
        for key in keymap.get(action, "").split(","):
            if key:
                clashes[_key_as_pressed(key)] = canonical_key
    return clashes


@cache
def _key_as_pressed(name: str) -> str:
    """A key as it arrives when pressed: a character as it is, any other key by its name."""
    if name in _RENAMED:
        return _RENAMED[name]
    try:
        character = unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return name
    return character if character.isprintable() and not character.isspace() else name


class KeysInForce(Protocol):
    """The keys in force, as far as flows need them; see `fightcall.actions.KeyNames`."""

    keymap: dict[str, str]

    def of(self, id: str) -> tuple[str, ...]:
        """The keys of an action, by Textual's names."""

    @property
    def of_fight(self) -> frozenset[str]:
        """The keys of all actions of the fight screen, by Textual's names."""

    def label(self, id: str) -> str:
        """The first key of an action as people write it; empty if it has none."""

    def means_nothing(self, key: str) -> str:
        """The message for a key without a meaning."""

    def option(self, action: str, key: str) -> str:
        """The key of a system's option; `key` is its default."""


def letter_under_marks(key: str) -> str:
    """The ASCII letter of a key with accents, such as ``a`` of ``\u00e1``; empty for any other key."""
    parts = unicodedata.normalize("NFD", key) if len(key) == 1 else ""
    is_marked = len(parts) > 1 and all(map(unicodedata.combining, parts[1:]))
    return parts[0] if is_marked and parts[0].isascii() and parts[0].isalpha() else ""


def letter_of_dead_quote(key: str) -> str:
    """The letter of a key that a keyboard with dead keys sends for ``'`` and a letter; empty for any other key."""
    letter = letter_under_marks(key)
    marks = unicodedata.normalize("NFD", key)[1:]
    return letter if marks == _ACUTE or (marks == _CEDILLA and letter in ("c", "C")) else ""


def press(flow: Flow, key: str, keymap: Mapping[str, str]) -> Reply:
    """Press a key in a flow, translating rebound keys, except letters while text is typed."""
    is_typed = len(key) == 1 and flow.is_typing
    return flow.press(key if is_typed else rebound(keymap).get(key, key))


def paste(flow: Flow, text: str) -> Reply:
    """Paste text into a flow as if typed: its first line, if the flow reads text."""
    reply: Reply = IGNORED
    for character in text.strip().partition("\n")[0].rstrip():
        key = "space" if character.isspace() else character
        if flow.is_typing and (key == "space" or key.isprintable()):
            reply = flow.press(key)
        if not isinstance(reply, Stay | Ignored):
            return reply
    return reply if isinstance(reply, Ignored) else STAY
