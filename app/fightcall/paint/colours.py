"""Colour arithmetic on plain strings: mixing, shading and contrast.

A colour is `#rrggbb`, one of the terminal's sixteen by name (`ansi_red`, `ansi_bright_black`, ...),
`ansi_default`, or None where nothing is said about colour. Only the first kind can be calculated with.
"""

from __future__ import annotations

import re
from functools import lru_cache

Colour = str | None

ANSI_NAMES = frozenset(
    f"ansi_{bright}{name}"
    for bright in ("", "bright_")
    for name in ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
) | {"ansi_default"}

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z")
_WHITE, _BLACK = "#ffffff", "#000000"


def parse_colour(text: str) -> Colour:
    """A colour as themes write it: `#rgb`, `#rrggbb`, `ansi_<name>`, or `none`.

    Raises:
        ValueError: It is none of these; the message says what would be.
    """
    word = text.strip().lower()
    if word == "none":
        return None
    if word in ANSI_NAMES:
        return word
    if not _HEX.match(word):
        raise ValueError(f"{text!r} is not a colour; write #rrggbb, #rgb, ansi_red (or one of its 15 fellows) or none")
    return word if len(word) == 7 else "#" + "".join(digit * 2 for digit in word[1:])


def is_exact(colour: Colour) -> bool:
    """Whether the colour is a known red, green and blue, not one the terminal chooses."""
    return colour is not None and colour.startswith("#")


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(ground: Colour, other: Colour, share: float) -> Colour:
    """The ground with a share (0-1) of another colour stirred in, in sRGB.

    Colours the terminal chooses cannot be mixed: the other one then wins from a quarter upwards.
    """
    if ground is None or other is None or not (is_exact(ground) and is_exact(other)):
        return other if share >= 0.25 else ground
    channels = (round(a + (b - a) * share) for a, b in zip(_channels(ground), _channels(other), strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in channels)


@lru_cache(maxsize=1024)
def luminance(colour: str) -> float:
    """Relative luminance 0-1 of an exact colour (WCAG 2.1)."""
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(name: str, other: str) -> float:
    """Contrast ratio 1-21 of two exact colours (WCAG 2.1)."""
    darker, lighter = sorted((luminance(name), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def three_shades(base: Colour) -> tuple[Colour, Colour, Colour]:
    """Three shades of one colour, far enough apart to show a grid and near enough to stay calm."""
    return mix(base, _BLACK, 0.14), base, mix(base, _WHITE, 0.07)


def legible(ink: Colour, grounds: tuple[Colour, ...], least: float) -> Colour:
    """The ink where it stands out from all the grounds by at least `least`, else one that does.

    A replacement keeps as much of the ink's hue as leaves it half as clear again as asked, for an ink dragged
    just over the limit still reads as mud. Returns the ink as it is where the terminal chooses one of the
    colours.
    """
    exact = [ground for ground in grounds if ground is not None and is_exact(ground)]
    if ink is None or not is_exact(ink) or not exact:
        return ink
    if min(contrast(ink, ground) for ground in exact) >= least:
        return ink
    pole = max((_WHITE, _BLACK), key=lambda end: min(contrast(end, ground) for ground in exact))
    for step in range(1, 20):
        candidate = mix(ink, pole, step / 20)
        if candidate is not None and min(contrast(candidate, ground) for ground in exact) >= least * 1.5:
            return candidate
    return pole
