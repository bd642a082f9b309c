"""The keys that flows know, and the user's own keys for them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Protocol

from fightcall.flows.base import IGNORED, MORE, OVERRULE, STAY, Flow, Ignored, Reply, Stay

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

_ACUTE, _CEDILLA = "\u0301", "\u0327"
_RENAMED: Mapping[str, str] = {
    "slash": "/",
    "backslash": "\\",
    "at": "@",
    "minus": "-",
    "plus": "+",
    "underscore": "_",
}
"""Characters whose names in a key map differ from Unicode's."""


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
