"""How a terminal writes: colours and attributes, read from its sequences, and changed in few bytes. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

_SHOWN_WITHOUT_TEXT = frozenset({"4", "7", "9", "21", "53"})
"""Underlines, reverse, strike, overline: with these, a blank is seen in the ink's colour too."""
_OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "7": "27", "9": "29", "21": "24", "53": "55"}
"""What ends an attribute and leaves the colours as they are."""


class Pen(NamedTuple):
    """How the terminal writes: attributes that are on, ink and ground, each as its part of a sequence."""

    attributes: tuple[str, ...] = ()
    ink: str = ""
    ground: str = ""

    @property
    def hides_ink(self) -> bool:
        """True where of a blank only the ground is seen."""
        return _SHOWN_WITHOUT_TEXT.isdisjoint(self.attributes)


PLAIN = Pen()


@lru_cache(maxsize=4096)
def read_pen(codes: str) -> Pen:
    """What a sequence such as `1;38;2;10;20;30;44` sets, starting from nothing; an empty one sets nothing."""
    attributes: list[str] = []
    ink = ground = ""
    parts = codes.split(";") if codes else []
    at = 0
    while at < len(parts):
        code = parts[at]
        size = {"2": 5, "5": 3}.get(parts[at + 1], 1) if code in ("38", "48") and at + 1 < len(parts) else 1
        colour = ";".join(parts[at : at + size])
        at += size
        number = int(code or 0)
        if number in (*range(30, 40), *range(90, 98)):
            ink = "" if number == 39 else colour
        elif number in (*range(40, 50), *range(100, 108)):
            ground = "" if number == 49 else colour
        else:
            attributes.append(code)
    return Pen(tuple(attributes), ink, ground)


@lru_cache(maxsize=16384)
def change_pen(before: Pen, after: Pen) -> str:
    """The sequence from one pen to another."""
    if before == after:
        return ""
    removed = [name for name in before.attributes if name not in after.attributes]
    if not all(name in _OFF for name in removed):
        return _reset(after)
    codes = [*dict.fromkeys(_OFF[name] for name in removed)]
    # What takes bold away takes dim away, too.
    lines = [name for name in before.attributes if _OFF.get(name) not in codes]
    codes += [name for name in after.attributes if name not in lines]
    if before.ink != after.ink:
        codes.append(after.ink or "39")
    if before.ground != after.ground:
        codes.append(after.ground or "49")
    change = f"\x1b[{';'.join(codes)}m"
    return min(change, _reset(after), key=len)


def _reset(after: Pen) -> str:
    codes = [*after.attributes, *filter(None, (after.ink, after.ground))]
    return f"\x1b[{';'.join(['0', *codes])}m" if codes else "\x1b[0m"
