"""Glyph sets: every mark the screens draw, once in Unicode and once in pure ASCII.

Each glyph is one code point of one cell. Nothing here may need a variation selector: terminals disagree about
the width of those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Literal

from fightcall_engine.model.values import frozen

Shape = Literal["hex", "plain"]


def _frozen(pairs: Mapping[str, str]) -> Mapping[str, str]:
    return MappingProxyType(dict(pairs))


@frozen
class Glyphs:
    """One set of marks.

    Attributes:
        name: What themes call the set.
        shape: `hex` draws hexagons from quadrant blocks in two colours; `plain` draws one mark per hex and
            needs
            neither colours nor block glyphs.
        pool_full: What is left in the bar of a pool that is not health, of another look than `bar_full`.
        pool_empty: What is spent of it.
        arrows: The mark of each direction by its name, all of them different (in ASCII a high mark points up, a low
            one down).
        ground: The mark of each kind of ground; kinds without one are left bare.
        tones: What stands for a mark of each tone (plain, good, bad, warn, info) that has no room, where there is no
            colour to say it.
        moments: The numbers of moments to come from 0 on, of a look that no label has; written with a colon where there
            are none.
        walls: The walls of a floor plan by where they lead on: north 1, east 2, south 4, west 8, added up.
        gap: Where one can pass a wall of a floor plan.
        door: The same, where nobody sees through.
        way: A way between areas that do not lie side by side.
        declared: The mark of each status of a declaration, all of them different.
    """

    name: str
    shape: Shape
    done: str
    now: str
    todo: str
    then: str
    side: str
    other_side: str
    saved: str
    struck: str
    ready: str
    hidden: str
    down: str
    cover: str
    selected: str
    selected_end: str
    cursor: str
    cursor_end: str
    bar_full: str
    bar_empty: str
    bar_steps: tuple[str, ...]
    pool_full: str
    pool_empty: str
    pip_ready: str
    pip_kept: str
    pip_spent: str
    pip_lost: str
    pip_coming: str
    box_free: str
    work_done: str
    work_left: str
    scroll_thumb: str
    scroll_track: str
    rule: str
    divider: str
    bullet: str
    bookmark: str
    branch: str
    prompt: str
    enter: str
    to: str
    at_most: str
    times: str
    minus: str
    ellipsis: str
    warning: str
    refused: str
    fire: str
    centre: str
    tones: tuple[str, str, str, str, str]
    moments: tuple[str, ...]
    walls: tuple[str, ...]
    gap: str
    door: str
    way: str
    arrows: Mapping[str, str] = field(hash=False)
    ground: Mapping[str, str] = field(hash=False)
    declared: Mapping[str, str] = field(hash=False)


UNICODE = Glyphs(
    name="unicode",
    shape="hex",
    done="✓",
    now="▸",
    todo="○",
    then="›",
    side="●",
    other_side="○",
    saved="●",
    struck="·",
    ready="⚔",
    hidden="◌",
    down="×",
    cover="◗",
    selected="▌",
    selected_end="▐",
    cursor="[",
    cursor_end="]",
    bar_full="█",
    bar_empty="░",
    bar_steps=("▏", "▎", "▍", "▌", "▋", "▊", "▉"),
    pool_full="━",
    pool_empty="┄",
    pip_ready="●",
    pip_kept="◆",
    pip_spent="○",
    pip_lost="×",
    pip_coming="·",
    box_free="·",
    work_done="▰",
    work_left="▱",
    scroll_thumb="┃",
    scroll_track="│",
    rule="─",
    divider="│",
    bullet="·",
    bookmark="⚑",
    branch="├",
    prompt="?",
    enter="⏎",
    to="→",
    at_most="≤",
    times="×",
    minus="−",
    ellipsis="…",
    warning="!",
    refused="✗",
    fire="∙",
    centre="·",
    tones=("·", "+", "x", "!", "*"),
    moments=tuple("⓪①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"),
    walls=tuple("·│─└││┌├─┘─┴┐┤┬┼"),
    gap="·",
    door="▮",
    way="⇄",
    arrows=_frozen({"E": "→", "NE": "↗", "N": "↑", "NW": "↖", "W": "←", "SW": "↙", "S": "↓", "SE": "↘"}),
    ground=_frozen(
        {
            "water": "~",
            "tree": "♣",
            "rock": "▲",
            "wall": "#",
            "sand": "∴",
            "mud": "≈",
            "fire": "✱",
            "road": "=",
            "rubble": "%",
        }
    ),
    declared=_frozen(
        {
            "": "○",
            "draft": "·",
            "declared": "▸",
            "waits": "◆",
            "busy": "»",
            "done": "✓",
            "failed": "✗",
            "aborted": "−",
            "lost": "×",
            "cannot": "∅",
        }
    ),
)

ASCII = Glyphs(
    name="ascii",
    shape="plain",
    done="x",
    now=">",
    todo="o",
    then=">",
    side="*",
    other_side="o",
    saved="*",
    struck=".",
    ready="!",
    hidden="?",
    down="x",
    cover=")",
    selected=">",
    selected_end="<",
    cursor="[",
    cursor_end="]",
    bar_full="#",
    bar_empty="-",
    bar_steps=(),
    pool_full="=",
    pool_empty=".",
    pip_ready="*",
    pip_kept="+",
    pip_spent="o",
    pip_lost="x",
    pip_coming=".",
    box_free=".",
    work_done="=",
    work_left="-",
    scroll_thumb="#",
    scroll_track="|",
    rule="-",
    divider="|",
    bullet="-",
    bookmark="*",
    branch="+",
    prompt="?",
    enter="<",
    to=">",
    at_most="<",
    times="x",
    minus="-",
    ellipsis="~",
    warning="!",
    refused="x",
    fire="*",
    centre=".",
    tones=(".", "+", "x", "!", "*"),
    moments=(),
    walls=tuple("+|-+||++-+-+++++"),
    gap=".",
    door="/",
    way="=",
    arrows=_frozen({"E": ">", "NE": "'", "N": "^", "NW": "`", "W": "<", "SW": ",", "S": "v", "SE": "."}),
    ground=_frozen(
        {
            "water": "~",
            "tree": "&",
            "rock": "^",
            "wall": "#",
            "sand": ",",
            "mud": '"',
            "fire": "*",
            "road": "=",
            "rubble": "%",
        }
    ),
    declared=_frozen(
        {
            "": "o",
            "draft": ".",
            "declared": ">",
            "waits": "+",
            "busy": "=",
            "done": "x",
            "failed": "!",
            "aborted": "-",
            "lost": "~",
            "cannot": "#",
        }
    ),
)

GLYPH_SETS: Mapping[str, Glyphs] = MappingProxyType({"unicode": UNICODE, "ascii": ASCII})


def glyphs_for(name: str, shape: Shape) -> Glyphs:
    """The glyph set a theme asks for, drawn in its board shape.

    Raises:
        KeyError: There is no set of that name.
    """
    return replace(GLYPH_SETS[name], shape=shape)
