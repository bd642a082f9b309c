"""What is said in free words, read by the meaning of its words: a verb in any of its forms, never a part of one."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FORMS: dict[str, tuple[str, ...]] = {
    "flee": ("flees", "fled", "fleeing"),
    "withdraw": ("withdraws", "withdrew", "withdrawing"),
    "seek": ("seeks", "sought", "seeking"),
    "get": ("gets", "got", "getting"),
    "run": ("runs", "ran", "running"),
    "defence": ("defense",),
}
"""Forms that do not follow from the word itself."""

_LEADING = frozenset(
    {
        "i", "he", "she", "it", "they", "we", "to", "just", "only", "quickly", "slowly", "tries", "try", "trying",
        "will", "would", "wants", "want", "begins", "begin", "starts", "start", "means", "a", "an", "the", "full", "is",
    }
)  # fmt: skip
"""Words before the verb that change nothing of what is done."""


def begins_with(text: str, phrases: Iterable[str], name: str = "") -> bool:
    """True for a text that says one of these first; who does it may stand before, by `name` or as ``he``.

    ``backs away slowly`` begins with ``back away``, ``fleece the fallen`` does not with ``flee``.
    """
    words = re.findall(r"[^\W\d_]+", text.lower())
    own = set(re.findall(r"[^\W\d_]+", name.lower()))
    for place, word in enumerate(words):
        if any(_says(words[place:], phrase.split()) for phrase in phrases):
            return True
        if word not in _LEADING and word not in own:
            return False
    return False


def _says(words: list[str], phrase: list[str]) -> bool:
    """True where a text goes through a phrase word for word; a filling word may stand between them."""
    words_left = list(phrase)
    for word in words:
        if words_left and word in _forms(words_left[0]):
            words_left.pop(0)
        elif word not in _LEADING or len(words_left) == len(phrase):
            break
    return not words_left


def _forms(verb: str) -> tuple[str, ...]:
    """A word in its forms: as it stands, of the third person, past and going on."""
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        own = (f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing")
    elif verb.endswith("e"):
        own = (f"{verb}s", f"{verb}d", f"{verb[:-1]}ing")
    else:
        own = (f"{verb}s", f"{verb}ed", f"{verb}ing")
    return (verb, *own, *_FORMS.get(verb, ()))
