"""Matching verbs in free text, in all their forms, as whole words."""

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
"""Irregular forms."""

_LEADING = frozenset(
    {
        "i", "he", "she", "it", "they", "we", "to", "just", "only", "quickly", "slowly", "tries", "try", "trying",
        "will", "would", "wants", "want", "begins", "begin", "starts", "start", "means", "a", "an", "the", "full", "is",
    }
)  # fmt: skip
"""Words that may come before the verb."""


def begins_with(text: str, phrases: Iterable[str], name: str = "") -> bool:
    """Whether a text begins with one of these phrases, after its subject: `name`, or a word such as ``he``.

    ``backs away slowly`` begins with ``back away``; ``fleece the fallen`` does not begin with ``flee``.
    """
    words = re.findall(r"[^\W\d_]+", text.lower())
    subject_words = set(re.findall(r"[^\W\d_]+", name.lower()))
    for place, word in enumerate(words):
        if any(_begins_with_phrase(words[place:], phrase.split()) for phrase in phrases):
            return True
        if word not in _LEADING and word not in subject_words:
            return False
    return False


def _begins_with_phrase(words: list[str], phrase: list[str]) -> bool:
    """Whether a text begins with a phrase, with filling words allowed in between."""
    words_left = list(phrase)
    for word in words:
        if words_left and word in _forms(words_left[0]):
            words_left.pop(0)
        elif word not in _LEADING or len(words_left) == len(phrase):
            break
    return not words_left


def _forms(verb: str) -> tuple[str, ...]:
    """The forms of a verb: base, third person, past and present participle."""
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        regular_forms = (f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing")
    elif verb.endswith("e"):
        regular_forms = (f"{verb}s", f"{verb}d", f"{verb[:-1]}ing")
    else:
        regular_forms = (f"{verb}s", f"{verb}ed", f"{verb}ing")
    return (verb, *regular_forms, *_FORMS.get(verb, ()))
