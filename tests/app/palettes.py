"""What tests ask of palettes, and of the styles that panes draw with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fightcall.paint.palette import (
    ATTRIBUTES,
    FILLS,
    GROUNDS,
    INKS,
    MARK_TINTS,
    STYLES,
    TINTS,
    Colour,
    Palette,
    is_exact,
)
from fightcall.paint.runs import Row

GRAPHIC = frozenset(
    {"frame", "scroll.track", "bar.hp.high", "bar.hp.mid", "bar.hp.low", "bar.pool", "track.free", "timeline.edge"}
)
"""Keys that draw lines and bars, not words; words next to them say the same."""


def unknown_keys(rows: Iterable[Row]) -> tuple[str, ...]:
    """The style keys in rows that no palette knows: for tests of what panes draw."""
    used_styles = {run.style for row in rows for run in row}
    return tuple(sorted(key for key in used_styles if not _is_known(key)))


def _is_known(key: str) -> bool:
    if "/" not in key:
        return key in STYLES
    colours, *attributes = key.split("+")
    ink, _, ground = colours.partition("/")
    known_ink = ink.removeprefix("ink.") in (*INKS, *GROUNDS) if ink.startswith("ink.") else _is_fill(ink)
    return known_ink and _is_fill(ground) and all(attribute in ATTRIBUTES for attribute in attributes)


def _is_fill(role: str) -> bool:
    base, *tints = role.split("~")
    name, _, shade = base.partition(".")
    return name in FILLS and shade in ("", "0", "1", "2") and all(tint in TINTS or tint in MARK_TINTS for tint in tints)


def has_colour(palette: Palette) -> bool:
    """Whether anything in the palette asks for a colour."""
    inks = [*palette.inks.values(), *(colour for colour, _ in palette.tints.values())]
    fills = [colour for shades in palette.fills.values() for colour in shades]
    styles = [colour for key in STYLES for colour in (palette.style(key).fg, palette.style(key).bg)]
    return any(colour is not None for colour in (*inks, *fills, *styles))


def text_contrasts(palette: Palette) -> Mapping[str, tuple[Colour, Colour]]:
    """Ink and ground of every style that carries words and whose colours are exactly known."""
    looks = {key: palette.style(key) for key in STYLES if key not in GRAPHIC}
    return {key: (look.fg, look.bg) for key, look in looks.items() if is_exact(look.fg) and is_exact(look.bg)}
