"""Runs and rows: styled text measured in terminal cells, and the glyphs to draw with.

A row is a tuple of runs; a run is text with one style key. Text that comes from outside goes through `clean` first:
after it, `width` is what the terminal will use, and nothing in it can move the cursor or turn the line.

Each glyph is one code point of one cell. Nothing here may need a variation selector: terminals disagree about the
width of those.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import date, datetime, tzinfo
from functools import lru_cache
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from fightcall_engine.model.values import frozen, replace

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Badge


Shape = Literal["hex", "plain"]

ELLIPSIS = "…"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
MARKS_PER_BASE = 4
"""Combining marks kept on one base character; more is decoration that spills over the neighbouring lines."""

Align = Literal["left", "right", "centre"]

# Wide since Unicode 16, newer than the character data of the oldest Python we run on.
_WIDE_LATELY = ((0x2630, 0x2637), (0x268A, 0x268F), (0x4DC0, 0x4DFF), (0x1D300, 0x1D376))
# Vowel and final letters that join the Hangul syllable before them, and the invisible fillers.
_JOINING_JAMO = ((0x1160, 0x11FF), (0xD7B0, 0xD7FF), (0x3164, 0x3164), (0xFFA0, 0xFFA0))
# Change the width of the character before them on some terminals only.
_SELECTORS = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0x1F3FB, 0x1F3FF), (0x180B, 0x180F))


_ARROWS: Mapping[str, str] = MappingProxyType(
    {"E": "→", "NE": "↗", "N": "↑", "NW": "↖", "W": "←", "SW": "↙", "S": "↓", "SE": "↘"}
)
_GROUND: Mapping[str, str] = MappingProxyType(
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
)
_DECLARED: Mapping[str, str] = MappingProxyType(
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
)


@frozen
class Glyphs:
    """One set of marks; by default that of Unicode.

    Attributes:
        name: What themes call the set.
        shape: `hex` draws hexagons from quadrant blocks in two colours; `plain` draws one mark per hex and
            needs neither colours nor block glyphs.
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

    name: str = "unicode"
    shape: Shape = "hex"
    done: str = "✓"
    now: str = "▸"
    todo: str = "○"
    then: str = "›"
    side: str = "●"
    other_side: str = "○"
    saved: str = "●"
    struck: str = "·"
    hidden: str = "◌"
    down: str = "×"
    selected: str = "▌"
    selected_end: str = "▐"
    cursor: str = "["
    cursor_end: str = "]"
    bar_full: str = "█"
    bar_empty: str = "░"
    bar_steps: tuple[str, ...] = ("▏", "▎", "▍", "▌", "▋", "▊", "▉")
    pool_full: str = "━"
    pool_empty: str = "┄"
    pip_ready: str = "●"
    pip_kept: str = "◆"
    pip_spent: str = "○"
    pip_lost: str = "×"
    pip_coming: str = "·"
    box_free: str = "·"
    work_done: str = "▰"
    work_left: str = "▱"
    scroll_thumb: str = "┃"
    scroll_track: str = "│"
    rule: str = "─"
    divider: str = "│"
    bullet: str = "·"
    bookmark: str = "⚑"
    branch: str = "├"
    prompt: str = "?"
    enter: str = "⏎"
    to: str = "→"
    times: str = "×"
    minus: str = "−"
    ellipsis: str = "…"
    warning: str = "!"
    refused: str = "✗"
    fire: str = "∙"
    centre: str = "·"
    tones: tuple[str, str, str, str, str] = ("·", "+", "x", "!", "*")
    moments: tuple[str, ...] = tuple("⓪①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳")
    walls: tuple[str, ...] = tuple("·│─└││┌├─┘─┴┐┤┬┼")
    gap: str = "·"
    door: str = "▮"
    way: str = "⇄"
    arrows: Mapping[str, str] = field(default_factory=lambda: _ARROWS, hash=False)
    ground: Mapping[str, str] = field(default_factory=lambda: _GROUND, hash=False)
    declared: Mapping[str, str] = field(default_factory=lambda: _DECLARED, hash=False)
    corners: str = "╭╮╰╯"


UNICODE = Glyphs()

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
    hidden="?",
    down="x",
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
    corners="++++",
    arrows=MappingProxyType({"E": ">", "NE": "'", "N": "^", "NW": "`", "W": "<", "SW": ",", "S": "v", "SE": "."}),
    ground=MappingProxyType(
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
    declared=MappingProxyType(
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
    """The glyph set a theme asks for, drawn in its board shape; a `KeyError` if there is none of that name."""
    return replace(GLYPH_SETS[name], shape=shape)


# Runs and rows


class Run(NamedTuple):
    """A stretch of cleaned text, with a style key of the palette, or `ink/ground[+attribute...]` on the board."""

    text: str
    style: str


Row = tuple[Run, ...]

_text_of = itemgetter(0)


def _is_within(code: int, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(low <= code <= high for low, high in ranges)


@lru_cache(maxsize=4096)
def char_width(char: str) -> int:
    """Cells one code point takes: 0, 1 or 2 (Unicode Annex 11; marks and format controls take none)."""
    code = ord(char)
    if 0x20 <= code < 0x7F:
        return 1
    category = unicodedata.category(char)
    if category in ("Mn", "Me", "Mc", "Cf", "Cc") or _is_within(code, _JOINING_JAMO):
        return 0
    if unicodedata.east_asian_width(char) in ("W", "F") or _is_within(code, _WIDE_LATELY):
        return 2
    return 1


@lru_cache(maxsize=8192)
def width(text: str) -> int:
    """Cells the text takes on a terminal."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(map(char_width, text))


@lru_cache(maxsize=4096)
def _cleaned_char(char: str) -> str:
    code = ord(char)
    category = unicodedata.category(char)
    if category in ("Zl", "Zp") or char in "\t\n\r\v\f\x85":
        return " "
    if category == "Cf" or _is_within(code, _SELECTORS) or _is_within(code, _JOINING_JAMO[2:]):
        return ""
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\N{SYMBOL FOR DELETE}"
    return REPLACEMENT if category in ("Cc", "Cs", "Cn") else char


@lru_cache(maxsize=4096)
def clean(text: str) -> str:
    """User text made safe to draw.

    Line breaks and tabs become spaces; other control characters (escape codes among them) their visible
    symbols; bidi overrides, zero-width characters and variation selectors go; lone surrogates and unassigned
    code points become the replacement character; combining marks stay with their base, at most
    `MARKS_PER_BASE` of them.
    """
    if text.isascii() and text.isprintable():
        return text
    characters: list[str] = []
    marks = MARKS_PER_BASE
    for char in "".join(map(_cleaned_char, text)):
        marks = marks + 1 if char_width(char) == 0 else 0
        if marks <= MARKS_PER_BASE:
            characters.append(char)
    return "".join(characters)


def clusters(text: str) -> Iterator[str]:
    """Each base character with the marks that sit on it."""
    start = 0
    for index in range(1, len(text)):
        if char_width(text[index]):
            yield text[start:index]
            start = index
    if text:
        yield text[start:]


def cut(text: str, cells: int) -> str:
    """The longest beginning of the text that takes at most `cells` cells, never half a character."""
    if width(text) <= cells:
        return text
    head_clusters: list[str] = []
    cells_left = cells
    for cluster in clusters(text):
        cells_left -= width(cluster)
        if cells_left < 0:
            break
        head_clusters.append(cluster)
    return "".join(head_clusters)


@lru_cache(maxsize=4096)
def fit(text: str, cells: int, align: Align = "left", ellipsis: str = ELLIPSIS) -> str:
    """Cleaned text in exactly `cells` cells: if too long as many whole words as fit and an ellipsis, else padded.

    A first word that has no room by itself is cut where it must be.
    """
    if cells <= 0:
        return ""
    text = clean(text)
    if width(text) > cells:
        text = _cut_words(text, cells, ellipsis)
    gap = cells - width(text)
    if align == "right":
        return " " * gap + text
    before = gap // 2 if align == "centre" else 0
    return " " * before + text + " " * (gap - before)


def _cut_words(text: str, cells: int, ellipsis: str) -> str:
    """The words of a text that have room beside an ellipsis, without the marks that part them from the next."""
    room = cells - width(ellipsis)
    words = text.split(" ")
    while len(words) > 1 and (width(" ".join(words)) > room - 1 or words[-1] in _PARTERS):
        words.pop()
    line = " ".join(words)
    if line and width(line) < room:
        line = line.rstrip(DANGLING)
        return f"{line} {ellipsis}" if ellipsis else line
    return cut(text, room) + ellipsis if room > 0 else cut(text, cells)


DANGLING = ",;- "
"""What no text ends with that goes no further."""
_PARTERS = frozenset({"", "·", "-", "+", "|", "/"})  # what stands between words and is none


def fit_ends(text: str, cells: int, ellipsis: str = ELLIPSIS) -> str:
    """Cleaned text in exactly `cells` cells; one that is too long keeps words of its beginning, and its last ones."""
    text = clean(text)
    if width(text) <= cells:
        return fit(text, cells, ellipsis=ellipsis)
    words = text.split(" ")
    count = next(count for count in range(len(words), -1, -1) if width(" ".join(words[:count])) <= cells // 3)
    head = " ".join(words[:count]).rstrip(DANGLING).split()
    texts = (" ".join([*head, ellipsis, *words[start:]]) for start in range(count + 1, len(words)))
    return fit(next((line for line in texts if width(line) <= cells), text), cells, ellipsis=ellipsis)


def shorten_name(name: str, cells: int) -> str:
    """A name in at most `cells` cells, by whole words only; empty where none of them has room."""
    return next((text for text in name_forms(name) if width(text) <= cells), "")


@lru_cache(maxsize=1024)
def name_forms(name: str) -> tuple[str, ...]:
    """A name and its shorter forms of whole words, the one that says most first.

    Of words before a number the last says most, as it does after an article: ``Goblin Archer 1`` is ``Archer 1``, then
    ``Archer``; ``The Gilt Mask`` is ``Gilt Mask``, then ``Mask``. Else the first do, but for a title: ``Hob the
    stagehand`` is ``Hob``, and ``Brother Osric`` is ``Osric``.
    """
    words = clean(name).split()
    number = words[-1:] if words and words[-1].isdecimal() else []
    stem = words[: len(words) - len(number)]
    leads = len(stem) > 1 and stem[0].lower() in _ARTICLES
    core = stem[leads:]
    has_title = len(core) > 1 and core[0] in _TITLES
    own = core[1:] if has_title else core
    last = [own[-1:]] if number or leads else []
    number_forms = [[*own[-1:], *number]] if number else []
    starts = [own[:count] for count in range(len(own), 0, -1)]
    candidates = [words, [*core, *number], [*own, *number], *number_forms, *last, *starts, own[-1:]]
    forms = (" ".join(part) for part in candidates if part and part[-1].lower() not in _JOINERS)
    return tuple(dict.fromkeys(forms))


_ARTICLES = frozenset({"the", "a", "an"})
_JOINERS = _ARTICLES | {"of", "de", "von", "and", "with", "at", "in", "on", "from", "&"}  # no name ends with them
_TITLES = frozenset(
    {
        "Abbot", "Aunt", "Baron", "Brother", "Captain", "Constable", "Corporal", "Count", "Countess", "Dame", "Doctor",
        "Dr", "Dr.", "Duke", "Earl", "Father", "Goodman", "Goodwife", "Grandmother", "Inspector", "King", "Lady",
        "Lieutenant", "Lord", "Madame", "Magister", "Master", "Miss", "Mistress", "Mother", "Mr", "Mr.", "Mrs", "Mrs.",
        "Ms", "Old", "Prince", "Princess", "Prior", "Professor", "Queen", "Saint", "Sergeant", "Sir", "Sister", "Uncle",
        "Widow", "Young",
    }
)  # fmt: skip
"""Words before a name that tell nobody from another of the same rank."""


def merge(runs: Iterable[Run]) -> Row:
    """The same text with neighbouring runs of one style made one, and empty runs dropped."""
    merged_runs: list[Run] = []
    before: str | None = None
    for run in runs:
        text, style = run
        if not text:
            continue
        if style == before:
            merged_runs[-1] = Run(merged_runs[-1][0] + text, style)
        else:
            merged_runs.append(run)
            before = style
    return tuple(merged_runs)


def join(rows: Iterable[Row]) -> Row:
    """Rows put side by side as one row."""
    return merge(run for row in rows for run in row)


def row_width(row: Row) -> int:
    """Cells the row takes."""
    return sum(map(width, map(_text_of, row)))


def row_text(row: Row) -> str:
    """The row's characters without their styles."""
    return "".join(map(_text_of, row))


def crop(row: Row, cells: int) -> Row:
    """The row cut to at most `cells` cells; half of a wide character becomes a space."""
    return window(row, 0, cells)


def window(row: Row, start: int, cells: int) -> Row:
    """The cells `start .. start + cells` of a row; of a wide character cut in two the inside is a space."""
    visible: list[Run] = []
    at = 0
    end = start + cells
    for run in row:
        size = width(run.text)
        if at >= start and at + size <= end:
            visible.append(run)
        elif at < end and at + size > start:
            visible.append(Run(_slice(run.text, start - at, end - at), run.style))
        at += size
        if at >= end:
            break
    return merge(visible)


def _slice(text: str, start: int, end: int) -> str:
    if len(text) == width(text) and text.isascii():
        return text[max(start, 0) : max(end, 0)]
    pieces: list[str] = []
    at = 0
    for cluster in clusters(text):
        size = width(cluster)
        inside = min(at + size, end) - max(at, start)
        if inside == size:
            pieces.append(cluster)
        elif inside > 0:
            pieces.append(" " * inside)
        at += size
    return "".join(pieces)


class Spot(NamedTuple):
    """Cells of rows of a drawing, both from 0, that can be clicked; `what` they are in the painter's terms."""

    rows: range
    cells: range
    what: str

    def move(self, down: int, right: int = 0) -> Spot:
        rows = range(self.rows.start + down, self.rows.stop + down)
        return Spot(rows, range(self.cells.start + right, self.cells.stop + right), self.what)


@frozen
class Drawing:
    """Rows, and the spots on them."""

    rows: tuple[Row, ...]
    spots: tuple[Spot, ...] = ()

    def at(self, x: int, y: int) -> str | None:
        """What the cell in column `x` of row `y` belongs to; None for nothing."""
        return next((spot.what for spot in self.spots if y in spot.rows and x in spot.cells), None)


def pad(row: Row, cells: int, style: str) -> Row:
    """The row in exactly `cells` cells: cut if it is too long, padded with `style` if it is too short."""
    size = row_width(row)
    if size == cells:
        return merge(row)
    if size > cells:
        return crop(row, cells)
    return merge((*row, Run(" " * (cells - size), style)))


def blank(cells: int, style: str) -> Row:
    """An empty row."""
    return (Run(" " * cells, style),) if cells > 0 else ()


def apart(left: Row, right: Row, cells: int, style: str) -> Row:
    """A row with text at both ends. If it does not fit, the left one is cut first, then the right one."""
    right = crop(right, cells)
    room = cells - row_width(right)
    if row_width(left) >= room:
        left = crop(left, max(room - 1, 0) if right else room)
    return merge((*left, Run(" " * (room - row_width(left)), style), *right))


def stack(rows: Iterable[Row], cells: int, height: int, style: str) -> tuple[Row, ...]:
    """Exactly `height` rows of `cells` cells: the first of the given rows, then empty ones."""
    shown_rows = [pad(row, cells, style) for row in list(rows)[:height]]
    return (*shown_rows, *(blank(cells, style) for _ in range(height - len(shown_rows))))


_TIE = "\N{NO-BREAK SPACE}"
_KEY = re.compile(r"(?<![^ ])([!?*>&]|(?<=   )[^ ]{1,3}) (?=[^ ])")
"""A key before its description: a mark, or a few letters after spaces."""


def wrap(text: str, cells: int, hang: int = 0) -> tuple[str, ...]:
    """Wrap text into lines of at most `cells` cells. Lines after the first are indented by `hang`.

    Only words longer than a line are broken, and a key is kept with the word after it. There is always at least one
    line.
    """
    cells, hang = max(cells, 1), max(min(hang, cells - 2), 0)
    text = clean(text)
    if text[:1].strip() and _TIE not in text and width(text) <= cells:
        return (text,)
    lines: list[str] = []
    line = ""
    for word in _KEY.sub(rf"\1{_TIE}", text).split(" "):
        word = word.replace(_TIE, " ")
        trial = f"{line} {word}" if line.strip() else line + word
        if width(trial) <= cells:
            line = trial
            continue
        if line.strip():
            lines.append(line)
            line = " " * hang + word
        else:
            line = trial
        while width(line) > cells:
            head = cut(line, cells)
            if not head.strip():
                # Not even one character of the word fits beside the indentation.
                line = line.lstrip() if line != line.lstrip() else ""
                continue
            lines.append(head)
            line = " " * hang + line[len(head) :]
    return (*lines, line) if line.strip() or not lines else tuple(lines)


def shorten(text: str, cells: int, glyphs: Glyphs) -> str:
    """A text in at most `cells` cells: in full, without its last clauses or sentences, or cut between words."""
    text = clean(text)
    if width(text) <= cells:
        return text
    for between, end in (("; ", ""), (". ", ".")):
        parts = text.split(between)
        while len(parts) > 1:
            parts.pop()
            if width(between.join(parts) + end) <= cells:
                return between.join(parts) + end
        text = parts[0] if between == "; " else text
    return break_off(text, cells, glyphs)


def break_off(text: str, cells: int, glyphs: Glyphs) -> str:
    """A text in at most `cells` cells: in full, or cut between words."""
    if width(text) <= cells:
        return text
    words = text.split(" ")
    while len(words) > 1 and width(" ".join(words)) + 2 > cells:
        words.pop()
    return f"{' '.join(words).rstrip(DANGLING)} {glyphs.ellipsis}"


def window_top(top: int, height: int, total: int, shown: range | None = None) -> int:
    """The first line of a window of `height` of `total` lines: `top`, as far as there are so many.

    A span that is to be `shown` is in view: its last line, but above all its first, and a heading above the very first.
    """
    if shown is not None and height > 0:
        top = min(max(top, shown.stop - height), 0 if shown.start == 1 else shown.start)
    return max(0, min(top, total - height))


def scroll_marks(top: int, visible: int, total: int, glyphs: Glyphs) -> tuple[Run, ...]:
    """A scroll bar with a cell for each of `visible` rows, of `total` with `top` above; empty if all fit."""
    if total <= visible or visible <= 0:
        return ()
    size = max(1, visible * visible // total)
    start = min(visible - size, round(top * (visible - size) / max(1, total - visible)))
    return tuple(
        Run(glyphs.scroll_thumb, "scroll.thumb")
        if start <= y < start + size
        else Run(glyphs.scroll_track, "scroll.track")
        for y in range(visible)
    )


def frame_drawing(drawing: Drawing, title: str, note: str, cells: int, glyphs: Glyphs) -> Drawing:
    """A drawing in a frame of `cells` cells across with a title above and a note below."""
    edge = Run(glyphs.divider, "frame")
    above = _edge(title, "frame.title", cells, glyphs, False)
    below = _edge(note, "frame.note", cells, glyphs, True)
    inside = tuple(_between(edge, row, cells - 2) for row in drawing.rows)
    return Drawing((above, *inside, below), tuple(spot.move(1, 1) for spot in drawing.spots))


@lru_cache(maxsize=1024)  # Most rows stay the same.
def _between(edge: Run, row: Row, cells: int) -> Row:
    return (edge, *pad(row, cells, "text"), edge)


def _edge(text: str, style: str, cells: int, glyphs: Glyphs, is_below: bool) -> Row:
    corners, room = glyphs.corners[2:] if is_below else glyphs.corners[:2], cells - 6
    text = clean(text)
    text = fit(text, room, ellipsis=glyphs.ellipsis) if width(text) > room > 0 else text
    if room <= 0 or not text:
        row: Row = (Run(corners[0] + glyphs.rule * (cells - 2) + corners[1], "frame"),)
        return pad(row, cells, "frame")
    near, far = Run(glyphs.rule, "frame"), Run(glyphs.rule * (cells - width(text) - 5), "frame")
    words = Run(f" {text} ", style)
    middle = (far, words, near) if is_below else (near, words, far)
    return pad((Run(corners[0], "frame"), *middle, Run(corners[1], "frame")), cells, "frame")


def side_role(system: BaseSystem, side: str) -> str:
    """The colour role of a side: `party`, `foe` or `other`."""
    if side in SIDE_ROLES:
        return side
    place = system.sides.index(side) if side in system.sides else len(SIDE_ROLES)
    return SIDE_ROLES[min(place, 2)]


SIDE_ROLES = ("party", "foe", "other")
"""The colour roles of sides, as themes name them."""


def label_box(label: str, role: str, glyphs: Glyphs, ends: str = "  ", acting: bool = False) -> Run:
    """A combatant's label in the colours of its token on the board."""
    token = f"{role}-acting" if acting else role
    style = f"ink.token/{token}.1+bold" if glyphs.shape == "hex" else f"{token}/plain+reverse"
    return Run(f"{ends[0]}{clean(label)}{ends[1]}", style)


def flag_run(flag: Badge) -> Run:
    """A warning in its conspicuous colours."""
    return Run(f" {clean(flag.text)} ", f"banner.{tone_of(flag)}")


def tone_of(badge: Badge) -> str:
    """The tone of a badge; plain for an unknown one."""
    return badge.tone if badge.tone in _TONES else "plain"


_TONES = frozenset({"plain", "good", "bad", "warn", "info"})


# Saved times (UTC) in local time


def time_text(moment: str, zone: tzinfo | None = None, *, today: date | None = None) -> str:
    """Return the local time of an ISO time, with its date unless that is today; any other text as it is."""
    try:
        time = datetime.fromisoformat(moment).astimezone(zone)
    except ValueError:
        return moment
    return time.strftime("%H:%M" if time.date() == (today or datetime.now(zone).date()) else "%Y-%m-%d %H:%M")


def when_text(moment: str, zone: tzinfo | None = None, *, to_the_second: bool = False) -> str:
    """Return an ISO time in local time, to the minute, or without the year to the second; any other text as it is."""
    form = "%m-%d %H:%M:%S" if to_the_second else "%Y-%m-%d %H:%M"
    try:
        return datetime.fromisoformat(moment).astimezone(zone).strftime(form)
    except ValueError:
        return moment
