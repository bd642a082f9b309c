"""Texts and numbers as other programs write them: notes in HTML, hit points with their dice, true minus signs."""

from __future__ import annotations

import html
import re
import unicodedata

from fightcall_engine.files.parts import LONGEST_NAME
from fightcall_engine.model.values import frozen

LONGEST_NOTE = 2000
"""The greatest length of a sheet's note, in characters."""
CUT_MARK = " … (cut)"
"""The end of a note that was too long."""
_LONGEST_SOURCE = 100_000
_BLOCKS = "p|div|br|hr|li|ul|ol|dl|dt|dd|h[1-6]|table|tr|section|article|aside|header|footer|blockquote|pre|figure"
_BLOCK_TAG = re.compile(rf"</?(?:{_BLOCKS})(?:\s[^<>]{{0,2000}})?/?>", re.IGNORECASE)
_CELL_END = re.compile(r"</t[dh]\s*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][a-z0-9-]*(?:\s[^<>]{0,2000})?/?>|<!--.{0,300}?-->", re.IGNORECASE | re.DOTALL)
_INNER = r"(?:[^\[\]]|\[[^\[\]]{0,500}\]){0,2000}?"
_LABEL = r"(?:\{(?P<label>[^{}]{0,500})\})?"
_LINK = re.compile(rf"[@&](?P<kind>[A-Za-z]+)\[(?P<target>{_INNER})\]{_LABEL}")
_INLINE_ROLL = re.compile(rf"\[\[\s*(?:/[a-z]+\s+)?(?P<dice>{_INNER})\s*\]\]{_LABEL}", re.IGNORECASE)
_DIGITS = r"[+-]? ?(?:\d{1,3}(?:[,.'’ ]\d{3})+|\d{1,9}(?:[.,]0+)?)"
_DICE = r"\d{0,3}[dDwW]\d[^()\[\]]{0,60}"
_COUNTED = re.compile(
    rf"(?P<now>{_DIGITS})"
    rf"(?: ?(?:/|\bof\b) ?(?P<most>{_DIGITS}))?"
    r"(?: ?(?:hp|hit points?))?"
    rf"(?: ?(?:\((?:{_DICE}|[^\d()]*)\)|\[(?:{_DICE}|[^\d\[\]]*)\]))?",
    re.IGNORECASE,
)
_AVERAGE_LAST = re.compile(rf"{_DICE} ?[(\[](?P<now>{_DIGITS})[)\]]")
_MINUS = dict.fromkeys(map(ord, "−–‒﹣－"), "-")


@frozen
class Amount:
    """A number from a cell, and the maximum behind a stroke (``7/15``); None without one."""

    now: int
    most: int | None = None


def plain_line(text: object, longest: int = LONGEST_NAME) -> str:
    """Return a text on one line without control characters, cut to `longest` characters."""
    letters = (" " if unicodedata.category(letter) in ("Cc", "Zl", "Zp") else letter for letter in str(text))
    return " ".join("".join(letters).split())[:longest].strip()


def plain_note(text: object) -> str:
    """Return a text without HTML tags and control characters, one line for each paragraph.

    A text of more than `LONGEST_NOTE` characters is cut and ends with `CUT_MARK`. A value that is no text is empty.
    """
    if not isinstance(text, str):
        return ""
    source = text[:_LONGEST_SOURCE]
    if _BLOCK_TAG.search(source):
        source = re.sub(r"(?: ?\n)+ ?", "\n", _BLOCK_TAG.sub("\n", " ".join(source.split())))
    bare = html.unescape(_TAG.sub("", _CELL_END.sub(" ", source)))
    lines = (plain_line(line, len(line)) for line in bare.splitlines())
    note = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    if len(note) <= LONGEST_NOTE and len(text) <= _LONGEST_SOURCE:
        return note
    return note[: LONGEST_NOTE - len(CUT_MARK)].rstrip() + CUT_MARK


def without_links(text: object) -> object:
    """Replace the links and inline rolls of Foundry by what they show: a link's name, a roll's dice.

    ``@UUID[Actor.x]{the Mill}`` becomes ``the Mill`` and ``[[/r 2d6[fire]]]`` becomes ``2d6 fire``.
    """
    if not isinstance(text, str):
        return text
    return _LINK.sub(_link_text, _INLINE_ROLL.sub(_roll_text, text[: _LONGEST_SOURCE + 1]))


def _link_text(link: re.Match[str]) -> str:
    if link["label"]:
        return link["label"]
    target = link["target"]
    if "|" in target or ":" in target or "[" in target:
        return _without_flavour(target.replace("type:", "").replace("|", " ").replace(":", " "))
    return target.rpartition(".")[2]


def _roll_text(roll: re.Match[str]) -> str:
    dice = _without_flavour(roll["dice"].partition("#")[0])
    label = (roll["label"] or "").strip()
    return label if dice in label else f"{label} ({dice})" if label else dice


def _without_flavour(dice: str) -> str:
    """Write the kinds of damage behind their dice without brackets."""
    return " ".join(re.sub(r"\[([^\[\]]*)\]", r" \1", dice).split())


def int_or_none(value: object) -> int | None:
    """Return a whole number, also from a text or a float with an integral value; None for any other value."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e9 else None
    if isinstance(value, int):
        return value
    text = value.strip().translate(_MINUS) if isinstance(value, str) else ""
    return int(text) if re.fullmatch(r"[+-]?\d{1,9}", text, re.ASCII) else None


def amount_or_none(value: object) -> Amount | None:
    """Return a number with what people write beside it; None for any other value.

    ``7 (2d6)`` and ``2d6 (7)`` are 7, ``15/20`` is 15 of 20, ``1,059`` and ``7.0`` are whole numbers.
    """
    number = int_or_none(value)
    if number is not None or not isinstance(value, str):
        return None if number is None else Amount(number)
    text = plain_line(value, 120).translate(_MINUS)
    match = _COUNTED.fullmatch(text)
    if match is not None:
        return Amount(_whole(match["now"]), _whole(match["most"]) if match["most"] else None)
    average = _AVERAGE_LAST.fullmatch(text)
    return Amount(_whole(average["now"])) if average is not None else None


def _whole(digits: str) -> int:
    return int(re.sub(r"[,.'’ ]", "", re.sub(r"[.,]0{1,2}$", "", digits)))
