"""The keys that flows know, and the user's own keys for them."""

from __future__ import annotations

from collections.abc import Mapping

CANONICAL: Mapping[str, str] = {
    "flow.accept": "enter",
    "flow.cancel": "escape",
    "flow.back": "backspace",
    "flow.next-choice": "tab",
    "flow.previous-choice": "shift+tab",
    "flow.rule": "!",
    "flow.east": "right",
    "flow.west": "left",
    "flow.north-west": "y",
    "flow.north-east": "u",
    "flow.south-west": "b",
    "flow.south-east": "n",
    "flow.up": "up",
    "flow.down": "down",
}
"""The key by which a flow knows each thing that can be rebound."""


def rebound(keymap: Mapping[str, str]) -> dict[str, str]:
    """The user's keys that stand for others: pressed key -> the key that flows know."""
    found: dict[str, str] = {}
    for action, known in CANONICAL.items():
        for key in keymap.get(action, "").split(","):
            if key:
                found[key] = known
    return found
