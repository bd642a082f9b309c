"""Colours, and the palette: what each style key looks like under a theme.

Screens name styles (`roster.name.selected`), themes name colours (`$primary`), and this module joins them. A key
without a colour of its own takes the one of the key above it (`roster.name.selected`, `roster.name`, `roster`,
`text`). Styles of the board combine colour roles: `ink.token/party.1+bold` is the token ink on the second shade of the
party's colour, `grass.0~reach` is grass with the reach tint over it.

A colour is `#rrggbb`, one of the terminal's sixteen by name (`ansi_red`, `ansi_bright_black`, ...), `ansi_default`, or
None for no colour. Only `#rrggbb` can be mixed and shaded.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import field
from functools import lru_cache
from types import MappingProxyType

from fightcall_engine.model.values import frozen, replace

Colour = str | None

ANSI_NAMES = frozenset(
    f"ansi_{bright}{name}"
    for bright in ("", "bright_")
    for name in ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
) | {"ansi_default"}

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z")

ATTRIBUTES = ("bold", "dim", "italic", "underline", "reverse", "strike")

ROLES = (
    *("primary", "secondary", "accent", "success", "warning", "error"),
    *("foreground", "background", "surface", "panel", "title", "muted", "faint"),
    *("party", "foe", "other", "track"),
)
"""The colours a theme has to give; styles refer to them as `$primary`."""

GROUNDS = ("grass", "water", "rock", "tree", "wall", "floor", "sand", "road", "mud", "fire", "rubble", "ice")
TOKENS = ("party", "foe", "other", "party-acting", "foe-acting", "other-acting")
FILLS = (*GROUNDS, *TOKENS, "void", "plain")
"""What a place can be filled with."""

INKS = ("token", "cost", "path", "warn", "cursor", "ground")
"""What is written in places; the marks of the ground are the ground's own colour moved towards `ground`."""

TINTS = ("reach", "path", "warn", "cursor", "fire-line", "down", "hidden")
"""What is laid over a place's fill."""

TONES = ("plain", "good", "bad", "warn", "info")
"""What is written on places for the selected combatant can be; each lays a tint of its own, `mark.<tone>`."""

MARK_TINTS: Mapping[str, str] = MappingProxyType(
    {
        "mark.plain": "foreground",
        "mark.good": "success",
        "mark.bad": "error",
        "mark.warn": "warning",
        "mark.info": "secondary",
    }
)
"""Tints that a theme need not give, each with the colour that it otherwise is a share of."""

STYLES: Mapping[str, str] = MappingProxyType(
    {
        # Everywhere
        "text": "$foreground on $background",
        "dim": "$muted",
        "strong": "bold",
        "title": "$title bold",
        "heading": "$primary bold",
        "good": "$success",
        "bad": "$error",
        "warn": "$warning",
        "info": "$secondary",
        "match": "$background on $warning",
        "selection": "$foreground on $panel bold",
        "frame": "$faint",
        "frame.title": "$muted",
        "frame.note": "$primary",
        "scroll.track": "$track",
        "scroll.thumb": "$muted",
        "tab": "$muted on $surface",
        "tab.active": "$background on $primary bold",
        "tab.count": "$warning on $surface",
        # The line above everything: program, fight, clock, saved mark
        "header": "$foreground on $surface",
        "header.app": "$primary bold",
        "header.name": "$title bold",
        "header.system": "$muted",
        "header.clock": "$foreground",
        "header.saved": "$success",
        "header.unsaved": "$warning bold",
        "header.failed": "$background on $error bold",
        # Agenda
        "ribbon": "$foreground on $background",
        "ribbon.done": "$muted",
        "ribbon.now": "$background on $primary bold",
        "ribbon.todo": "$foreground",
        "ribbon.cut": "$muted strike",
        "ribbon.then": "$muted",
        "ribbon.side-party": "$party bold",
        "ribbon.side-foe": "$foe bold",
        "ribbon.side-other": "$other bold",
        "ribbon.free": "$foreground",
        "ribbon.part": "$title bold",
        # Combatants
        "roster": "$foreground on $background",
        "roster.group": "$title bold",
        "roster.group.party": "$party bold",
        "roster.group.foe": "$foe bold",
        "roster.group.other": "$other bold",
        "roster.group.note": "$primary bold",
        "roster.mark": "$primary",
        "roster.label": "$muted",
        "roster.label.party": "$party bold",
        "roster.label.foe": "$foe bold",
        "roster.label.other": "$other bold",
        "roster.name": "$foreground",
        "roster.name.selected": "$title on $panel bold",
        "roster.name.acting": "$primary bold",
        "roster.name.down": "$muted strike",
        "roster.name.hidden": "$muted italic",
        "roster.declared": "$secondary",
        "roster.next": "$muted",
        "bar.hp.high": "$success on $track",
        "bar.hp.mid": "$warning on $track",
        "bar.hp.low": "$error on $track",
        "bar.pool": "$secondary on $track",
        "bar.progress": "$accent bold",
        "track": "$background on $error bold",
        "track.1": "$background on $success",
        "track.2": "$background on $warning",
        "track.3": "$background on $error",
        "track.free": "$muted on $track",
        "pip.ready": "$secondary bold",
        "pip.kept": "$accent bold",
        "pip.spent": "$muted",
        "pip.lost": "$error",
        "pip.coming": "$muted",
        "pool": "$foreground",
        "pool.spent": "$muted",
        "pool.over": "$error bold",
        "badge.plain": "$foreground on $panel",
        "badge.good": "$background on $success",
        "badge.bad": "$background on $error",
        "badge.warn": "$background on $warning",
        "badge.info": "$background on $secondary",
        # What holds for everybody now
        "banner": "$background on $primary bold",
        "banner.plain": "$foreground on $panel bold",
        "banner.good": "$background on $success bold",
        "banner.bad": "$background on $error bold",
        "banner.warn": "$background on $warning bold",
        "banner.info": "$background on $secondary bold",
        # Log
        "feed": "$foreground on $background",
        "feed.heading": "$muted bold",
        "feed.text": "$foreground",
        "feed.dim": "$muted",
        "feed.name": "$title bold",
        "feed.dice": "$secondary",
        "feed.rule": "$accent italic",
        "feed.ruling": "$warning bold",
        "feed.hit": "$error",
        "feed.miss": "$muted",
        "feed.heal": "$success",
        "feed.undone": "$muted strike",
        "feed.secret": "$accent italic",
        "feed.bookmark": "$primary bold",
        "feed.cursor": "$title on $panel",
        # Questions
        "prompt": "$foreground on $surface",
        "prompt.mark": "$background on $primary bold",
        "prompt.question": "$primary bold",
        "prompt.choice": "$foreground",
        "prompt.choice.key": "$primary bold",
        "prompt.default": "$title bold underline",
        "prompt.input": "$title on $panel",
        "prompt.cursor": "$background on $title",
        "prompt.error": "$error bold",
        "prompt.rule": "$accent italic",
        "prompt.hint": "$muted",
        # What can be done now
        "options": "$foreground on $background",
        "options.name": "$primary bold",
        "options.key": "$background on $secondary bold",
        "options.label": "$foreground",
        "options.cost": "$muted",
        "options.lasting": "$accent",
        "options.why": "$muted italic",
        "options.selected": "$title on $panel bold",
        "keybar": "$muted on $surface",
        "keybar.key": "$primary bold",
        "keybar.text": "$foreground",
        # Command line
        "command": "$foreground on $surface",
        "command.prompt": "$primary bold",
        "command.suggestion": "$muted",
        "command.selected": "$background on $primary bold",
        "command.error": "$error bold",
        # Time
        "timeline": "$muted on $background",
        "timeline.done": "$secondary",
        "timeline.now": "$background on $primary bold",
        "timeline.todo": "$muted",
        "timeline.round": "$title bold",
        "timeline.phase": "$foreground",
        "timeline.cursor": "$background on $title bold",
        "timeline.mark": "$accent bold",
        "timeline.ahead": "$muted italic",
        "timeline.edge": "$faint",
        "timeline.secret": "$accent italic",
        "lane": "$muted on $background",
        "lane.now": "$foreground on $panel",
        "lane.acts": "$foreground",
        "lane.moves": "$foreground",
        "lane.hit": "$success bold",
        "lane.miss": "$muted",
        "lane.hurt": "$error bold",
        "lane.heals": "$success",
        "lane.down": "$error bold",
        "lane.rises": "$success",
        "lane.declares": "$secondary",
        "lane.waits": "$muted",
        "lane.joins": "$foreground",
        "lane.leaves": "$muted",
        "lane.ruled": "$warning bold",
        "lane.secret": "$accent italic",
        "lane.effect": "$accent",
        "lane.name": "$foreground italic",
        # Library, help and reasons
        "list": "$foreground on $background",
        "list.selected": "$title on $panel bold",
        "list.note": "$muted",
        "help.heading": "$primary bold",
        "help.key": "$secondary bold",
        "help.text": "$foreground",
        "explain.number": "$title bold",
        "explain.source": "$foreground",
        "explain.rule": "$accent italic",
        "notice.info": "$foreground on $panel",
        "notice.warn": "$background on $warning bold",
        "notice.error": "$background on $error bold",
    }
)
"""Every style key the screens may use, with its look in roles; a theme may say otherwise."""


_WHITE, _BLACK = "#ffffff", "#000000"


def parse_colour(text: str) -> Colour:
    """A colour as themes write it: `#rgb`, `#rrggbb`, `ansi_<name>`, or `none`; a `ValueError` says what would be."""
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

    A replacement keeps as much of the ink's hue as leaves it half as clear again as asked, for an ink dragged just over
    the limit still reads as mud. Where the terminal chooses one of the colours, the ink stays as it is.
    """
    exact = [ground for ground in grounds if ground is not None and is_exact(ground)]
    if ink is None or not is_exact(ink) or not exact:
        return ink
    if min(contrast(ink, ground) for ground in exact) >= least:
        return ink
    pole = max((_WHITE, _BLACK), key=lambda end: min(contrast(end, ground) for ground in exact))
    mixed = filter(None, (mix(ink, pole, step / 20) for step in range(1, 20)))
    return next((each for each in mixed if min(contrast(each, ground) for ground in exact) >= least * 1.5), pole)


# The palette


@frozen
class Style:
    """How text looks; a colour of None is the terminal's own."""

    fg: Colour = None
    bg: Colour = None
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    reverse: bool = False
    strike: bool = False


def _style(fg: Colour, bg: Colour, attributes: Collection[str]) -> Style:
    return Style(fg, bg, *(attribute in attributes for attribute in ATTRIBUTES))


def parse_style(text: str, roles: Mapping[str, Colour]) -> Style:
    """A style as themes write it: `[attribute...] [colour] [on colour]`, colours literal or as `$role`.

    A `ValueError` says which word is neither an attribute nor a colour nor a role, or one colour too many.
    """
    colours: dict[str, Colour] = {}
    attributes: set[str] = set()
    side = "fg"
    for word in text.split():
        if word in ATTRIBUTES:
            attributes.add(word)
        elif word == "on":
            side = "bg"
        elif side in colours:
            raise ValueError(f"{word!r} is one colour too many in {text!r}; write <attributes> <ink> on <ground>")
        elif not word.startswith("$"):
            colours[side] = parse_colour(word)
        elif word[1:] in roles:
            colours[side] = roles[word[1:]]
        else:
            raise ValueError(f"there is no colour {word}; there are {', '.join('$' + role for role in roles)}")
    if side == "bg" and "bg" not in colours:
        raise ValueError(f"a colour is missing after 'on' in {text!r}")
    return _style(colours.get("fg"), colours.get("bg"), attributes)


@frozen
class Palette:
    """All styles of one theme.

    Attributes:
        styles: Style by key, as the theme has it: colours not yet taken from the keys above.
        fills: Three neighbouring shades by fill.
        inks: Colour by ink.
        tints: Colour and share (0-1) by tint.
        least: Contrast that everything written on the board must have against the place under it.
    """

    styles: Mapping[str, Style]
    fills: Mapping[str, tuple[Colour, Colour, Colour]]
    inks: Mapping[str, Colour]
    tints: Mapping[str, tuple[Colour, float]]
    least: float = 3.0
    _known: dict[str, Style] = field(default_factory=dict, compare=False, repr=False)

    def style(self, key: str) -> Style:
        """The look of a style key, complete; an unknown key looks like the nearest key above it."""
        style = self._known.get(key)
        if style is None:
            style = self._board_style(key) if "/" in key else self._screen_style(key)
            self._known[key] = style
        return style

    def _screen_style(self, key: str) -> Style:
        style = Style()
        first = True
        while True:
            inherited = self.styles.get(key)
            if inherited is not None:
                base = inherited if first else style
                style = replace(base, fg=style.fg or inherited.fg, bg=style.bg or inherited.bg)
                first = False
            if key == "text" or (style.fg and style.bg):
                return style
            key = key.rpartition(".")[0] or "text"

    def _board_style(self, key: str) -> Style:
        colours, *attributes = key.split("+")
        ink, _, ground = colours.partition("/")
        bg = self.fill(ground)
        fg = self._ink(ink.removeprefix("ink."), bg) if ink.startswith("ink.") else self.fill(ink)
        return _style(fg, bg, attributes)

    def _ink(self, name: str, ground: Colour) -> Colour:
        if name in self.inks:
            return legible(self.inks[name], (ground,), self.least)
        towards = self.inks["ground"]
        colour = self.fill(name)
        return legible(colour if towards is None else mix(colour, towards, 0.4), (ground,), self.least)

    def fill(self, role: str) -> Colour:
        """The colour of a place: `<fill>[.<shade 0-2>][~<tint>...]`; an unknown fill is void."""
        base, *tints = role.split("~")
        name, _, shade = base.partition(".")
        colour = self.fills.get(name, self.fills["void"])[int(shade) if shade else 1]
        for tint in tints:
            other, share = self.tints[tint]
            colour = mix(colour, other, share)
        return colour
