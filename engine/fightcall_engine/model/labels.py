"""Ids and labels: the journal's name for a combatant, and the one or two characters that a GM types for one."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from string import ascii_uppercase, digits

from fightcall_engine.model.errors import Refused

_MARKS = ascii_uppercase + digits
_OPENERS = "YZ0"
"""Characters that only begin longer labels: the last one those of three characters, the others those of two."""
_SINGLES = "".join(letter for letter in ascii_uppercase if letter not in _OPENERS)
_NUMBERS = digits[1:]


def slug(name: str) -> str:
    """A short id from a name: lower-case ASCII letters, digits and hyphens.

    A name without letters gets a leading ``x``, so that an id never looks like another combatant's label.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    stem = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:23].strip("-")
    return stem if re.search("[a-z]", stem) else f"x{stem}"


def unique_id(name: str, used_ids: Collection[str]) -> str:
    """A slug that is not taken yet."""
    base = slug(name)
    if base not in used_ids:
        return base
    number = 2
    while f"{base}-{number}" in used_ids:
        number += 1
    return f"{base}-{number}"


def _candidates(name: str, used_labels: Collection[str], numbers_first: bool) -> Iterator[str]:
    """Labels to try, the shortest first: 33 of one character, 72 of two, 1296 of three.

    A GM may have used one of the opening characters as a label; then the one before it opens those of three.
    """
    if numbers_first:
        ending = re.search(r"[1-9]$", name)
        yield from ending.group() if ending else ""
        yield from _NUMBERS
    yield from (letter for letter in slug(name).upper() if letter in _SINGLES)
    yield from _SINGLES
    if not numbers_first:
        yield from _NUMBERS
    *pairs, triples = [opener for opener in _OPENERS if opener not in used_labels] or [""]
    for first in pairs:
        for second in _MARKS:
            yield first + second
    for second in _MARKS if triples else ():
        for third in _MARKS:
            yield triples + second + third


def free_label(name: str, used_labels: Collection[str], numbers_first: bool = False) -> str:
    """A label that is not taken: one character while there are any left, and never the beginning of another label.

    The first side takes letters from the name; others take digits first, so that ``d 2 7 Enter`` hurts goblin 2.

    Raises:
        Refused: all labels are taken.
    """
    used = set(used_labels)
    prefixes = {label[:length] for label in used for length in range(1, len(label) + 1)}
    for candidate in _candidates(name, used, numbers_first):
        if candidate not in prefixes and used.isdisjoint(candidate[:length] for length in range(1, len(candidate))):
            return candidate
    raise Refused("label", "there are more combatants than labels", ("remove a combatant first",), final=True)


def without_number(name: str) -> str:
    """A name without the number at its end: ``Goblin`` for ``Goblin 3``. A name of digits alone stays."""
    return name.rstrip("0123456789 ") or name
