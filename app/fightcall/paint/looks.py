"""How one place looks: the colour role it is filled with and the lines of text inside it.

The two shapes differ only here. `hex` fills places with colour and shades neighbours differently, so that the grid
is seen without lines; `plain` fills nothing and says everything with marks and attributes.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from fightcall.paint.geometry import Coords, Slot, Zoom, shade_of, stencil
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.palette import GROUNDS, TONES
from fightcall.paint.runs import Row, Run, fit, merge, shorten_name, width
from fightcall.paint.scenes import BoardScene, GroundCell, Sign, Token

PLAIN = "plain"
VOID = "void"


class Look(NamedTuple):
    """One place ready to paint.

    Attributes:
        fill: Colour role of the place.
        lines: For each text row of the zoom the runs that fill it exactly, or None for an empty one.
    """

    fill: str
    lines: tuple[Row | None, ...]


class Looks(dict[Coords, Look]):
    """The looks of a scene's places, each worked out when first asked for."""

    def __init__(self, scene: BoardScene, zoom: Zoom, glyphs: Glyphs) -> None:
        super().__init__()
        self.scene = scene
        self.glyphs = glyphs
        self.zoom = zoom
        self.slots = stencil(zoom).slots
        self.path = dict(scene.path)
        self._is_written = _every_other(scene)
        # The middle one of three text rows is the place's own; of fewer the first, never the shorter.
        self.main = 1 if len(self.slots) == 3 else 0
        self.plain = glyphs.shape == PLAIN
        self._empty: tuple[Row | None, ...] = (None,) * len(self.slots)
        self._void = Look(PLAIN if self.plain else VOID, self._empty)
        self._kept: dict[tuple[GroundCell, int], Look] = {}

    def move_on(self, scene: BoardScene, changed_places: Collection[Coords]) -> frozenset[Coords]:
        """Look at another scene that differs in these places only; all other looks are kept.

        Returns:
            The places that may look different: of a path also those whose costs make way for others.
        """
        self.scene = scene
        self.path = dict(scene.path)
        self._is_written = _every_other(scene)
        stale = frozenset((*changed_places, *self._is_written))
        for at in stale:
            self.pop(at, None)
        return stale

    def __missing__(self, at: Coords) -> Look:
        token = self.scene.tokens.get(at)
        if token is not None:
            look = self._token(at, token)
        elif not self.scene.holds(at):
            look = self._void
        else:
            look = self._ground(at)
        self[at] = look
        return look

    # Ground

    def _ground(self, at: Coords) -> Look:
        scene = self.scene
        cell = scene.ground.get(at, _FLOOR)
        if not (
            at in scene.costs
            or at in self.path
            or at in scene.warnings
            or at in scene.fire
            or at in scene.marks
            or at == scene.cursor
        ):
            return self._ground_look(cell, shade_of(self.zoom, at))
        kind = cell.role if cell.role in GROUNDS else "floor"
        fill = PLAIN if self.plain else f"{kind}.{shade_of(self.zoom, at)}{self._tints(at)}"
        text, ink = self._words(at)
        # What is said about the place goes into its middle, what is left of it and its ground below.
        own_ink = f"ink.{kind}"
        words = (
            (text, ink),
            (self._mark_text(at), self._mark_ink(at)),
            (self._line_mark(at), own_ink),
            (self._mark(cell, kind), own_ink),
        )
        inks = [(word, ink) for word, ink in words if word]
        word, ink = inks[0] if inks else ("", own_ink)
        lines = list(self._empty)
        lines[self.main] = self._frame_text(word, ink, at, self.slots[self.main], fill)
        below = self.main + 1
        if len(inks) > 1 and below < len(self.slots):
            word, ink = inks[1]
            lines[below] = self._centre_text(word, self.slots[below], f"{ink}/{fill}", fill)
        return Look(fill, tuple(lines))

    def _ground_look(self, cell: GroundCell, shade: int) -> Look:
        """A place with nothing on it but its ground: most places, of a few kinds, so these looks are kept."""
        look = self._kept.get((cell, shade))
        if look is None:
            kind = cell.role if cell.role in GROUNDS else "floor"
            mark = self._mark(cell, kind) or (self.glyphs.centre if self.plain else "")
            fill = PLAIN if self.plain else f"{kind}.{shade}"
            lines = list(self._empty)
            if mark:
                lines[self.main] = self._centre_text(mark, self.slots[self.main], f"ink.{kind}/{fill}", fill)
            look = self._kept[cell, shade] = Look(fill, tuple(lines))
        return look

    def _mark(self, cell: GroundCell, kind: str) -> str:
        return cell.glyph or self.glyphs.ground.get(kind, "")

    def _line_mark(self, at: Coords) -> str:
        """The mark of the line of fire."""
        return self.glyphs.fire if at in self.scene.fire else ""

    def _mark_text(self, at: Coords) -> str:
        """What is written there for the selected combatant, where it does not run into its neighbours.

        Else the tint of the place must say it, or without colours a mark for its tone.
        """
        sign = self.scene.marks.get(at)
        if sign is None:
            return ""
        text = self._sign_text(sign)
        size, cells = width(text), self.slots[self.main].cells
        if size == 1 or 0 < size < cells:
            return text
        return self.glyphs.tones[TONES.index(sign.tone) if sign.tone in TONES else 0] if self.plain else ""

    def _sign_text(self, sign: Sign) -> str:
        """The letters of a mark: moments have numbers of their own look, and where a combatant faces is an arrow."""
        if sign.arrow:
            return self.glyphs.arrows.get(sign.arrow, "")
        if not sign.moment:
            return sign.text
        has_glyph = sign.text.isdecimal() and int(sign.text) < len(self.glyphs.moments)
        return self.glyphs.moments[int(sign.text)] if has_glyph else f":{sign.text}"

    def _mark_ink(self, at: Coords) -> str:
        """The ink of a mark: a moment has the colour of whose it is."""
        sign = self.scene.marks.get(at)
        return f"{sign.role}+bold" if sign is not None and sign.moment and sign.role else "ink.cost"

    def _is_in_danger(self, at: Coords) -> bool:
        """Whether something may happen to the combatant there."""
        sign = self.scene.marks.get(at)
        return at in self.scene.warnings or (sign is not None and sign.text == self.glyphs.warning)

    def _words(self, at: Coords) -> tuple[str, str]:
        """The words in an empty place and their ink: cost on the path or within reach, and a warning."""
        warning = self.glyphs.warning if at in self.scene.warnings else ""
        # In cells so narrow the costs of one place would run into those of the next: the tint alone shows the reach.
        reach, cells = self.scene.costs.get(at, ""), self.slots[self.main].cells
        if cells <= NARROW and width(reach) >= cells:
            reach = ""
        cost = self.path.get(at) or reach
        if at in self.path and width(cost) >= self.zoom.width:
            # Of numbers that would touch, every other one is written, and the last one always.
            cost = cost if width(cost) <= cells and self._is_written[at] else ""
        # A cost cut short can be looked up on the next place or the prompt; a warning cut off cannot.
        text = warning if warning and width(cost) + 1 > self.slots[self.main].cells else cost + warning
        if at in self.path:
            strong = "+bold+underline" if self.plain else "+bold"
            return text, ("ink.warn" if warning else "ink.path") + strong
        return text, "ink.warn+bold" if warning else "ink.cost"

    def _tints(self, at: Coords) -> str:
        scene, tints = self.scene, ""
        sign = scene.marks.get(at)
        if sign is not None:
            tints = f"~mark.{sign.tone if sign.tone in TONES else TONES[0]}"
        if at in scene.warnings:
            tints += "~warn"
        elif at in self.path:
            tints += "~path"
        elif at in scene.fire:
            tints += "~fire-line"
        elif at in scene.costs and (scene.is_reach_tinted or not self._words(at)[0]):
            tints += "~reach"
        return tints + "~cursor" if at == scene.cursor else tints

    def _frame_text(self, text: str, ink: str, at: Coords, slot: Slot, fill: str) -> Row:
        """Text in the middle of a slot, in brackets where the cursor is."""
        ink, _, attributes = ink.partition("+")
        if at != self.scene.cursor:
            style = f"{ink}/{fill}{'+' + attributes if attributes else ''}"
            return self._centre_text(text, slot, style, fill)
        if slot.cells < 4 or width(text) > slot.cells - 2:
            return (Run(self._fit(text or self.glyphs.centre, slot.cells), f"{ink}/{fill}+reverse"),)
        inner = self._fit(text, slot.cells - 2)
        return (Run(f"{self.glyphs.cursor}{inner}{self.glyphs.cursor_end}", f"ink.cursor/{fill}+bold"),)

    def _fit(self, text: str, cells: int) -> str:
        return fit(text, cells, "centre", self.glyphs.ellipsis)

    def _centre_text(self, text: str, slot: Slot, style: str, fill: str) -> Row:
        """Text in the middle of a slot; only underlining and reversal need runs of their own around it."""
        if "+underline" not in style and "+reverse" not in style:
            return (Run(self._fit(text, slot.cells), style),)
        text = self._fit(text, min(width(text), slot.cells))
        before = (slot.cells - width(text)) // 2
        after = slot.cells - width(text) - before
        around = f"{fill}/{fill}"
        return merge((Run(" " * before, around), Run(text, style), Run(" " * after, around)))

    # Tokens

    def _token(self, at: Coords, token: Token) -> Look:
        states = ("~down" if token.down else "") + ("~hidden" if token.hidden else "")
        cursor = "~cursor" if at == self.scene.cursor else ""
        role = f"{token.role}.{shade_of(self.zoom, at)}{states}{cursor}"
        texts = self._token_texts(at, token)
        if self.plain:
            return Look(PLAIN, self._plain_token(at, token, texts))
        # Too small for marks at both ends: a selected token is underlined.
        small = self.slots[0].cells < _ROOM_FOR_ENDS
        style = f"ink.token/{role}+bold" + ("+underline" if token.selected and small else "")
        lines: list[Row | None] = [
            (Run(self._fit(text, slot.cells), style),) if text else None
            for text, slot in zip(texts, self.slots, strict=True)
        ]
        if at == self.scene.cursor:
            _add_ends(lines, self.slots, self.glyphs.cursor, self.glyphs.cursor_end, style)
        elif token.selected and not small:
            _add_ends(lines, self.slots, self.glyphs.selected, self.glyphs.selected_end, style)
        return Look(role, tuple(lines))

    def _token_texts(self, at: Coords, token: Token) -> tuple[str, ...]:
        """The text rows of a token: the label always, the name, marks and facing as there is room."""
        glyphs = self.glyphs
        arrow = glyphs.arrows.get(token.facing, "")
        marks = (glyphs.down if token.down else "") + (glyphs.hidden if token.hidden else "")
        danger = glyphs.warning if self._is_in_danger(at) else ""
        marks += danger
        room = self.slots[0].cells - 2
        if len(self.slots) == 1:
            both = f"{token.label}{danger}"
            return (both if width(both) <= self.slots[0].cells else token.label,)
        if len(self.slots) == 3:
            return shorten_name(token.name, room), f"{token.label} {marks}".rstrip(), arrow
        if self.slots[0].cells < _ROOM_FOR_NAMES:
            if self.plain:
                return token.label, arrow + marks
            return f"{token.label}{' ' if width(token.label) < 3 else ''}{arrow}".rstrip(), marks
        return shorten_name(token.name, room), " ".join(word for word in (token.label, marks, arrow) if word)

    def _plain_token(self, at: Coords, token: Token, texts: tuple[str, ...]) -> tuple[Row | None, ...]:
        """A token without a filled place: reversed, its first line in the brackets of its side."""
        style = f"{token.role}/{PLAIN}"
        if token.acting:
            style += "+bold"
        # Under the cursor a token is the one that is not reversed.
        style += "+bold+underline" if at == self.scene.cursor else "+reverse"
        if token.selected:
            style += "+underline"
        ends = BRACKETS[token.side]
        rows = [self._box_text(texts[0], self.slots[0], style, ends)]
        rows += [self._box_text(text, slot, style, "") for text, slot in zip(texts[1:], self.slots[1:], strict=True)]
        return tuple(rows)

    def _box_text(self, text: str, slot: Slot, style: str, ends: str) -> Row | None:
        """A token's text on a plain board, between the given ends where there is room for them."""
        if not text:
            return None
        if ends and slot.cells >= 4:
            text = ends[0] + self._fit(text, min(width(text), slot.cells - 2)) + ends[1]
        return self._centre_text(text, slot, style, PLAIN)


def _every_other(scene: BoardScene) -> dict[Coords, bool]:
    """For each place of the path whether its number is written where there is no room for all; the last one is."""
    count = len(scene.path)
    return {at: (count - 1 - place) % 2 == 0 for place, (at, _) in enumerate(scene.path)}


def _add_ends(lines: list[Row | None], slots: tuple[Slot, ...], start: str, end: str, style: str) -> None:
    """Marks at both ends of the first line that has room for them."""
    for index, slot in enumerate(slots):
        line = lines[index]
        text = line[0].text if line else " " * slot.cells
        if slot.cells > 1 and text[0] == " " == text[-1]:
            lines[index] = (Run(f"{start}{text[1:-1]}{end}", style),)
            return


NARROW = 2
"""Cells of a place that a number would fill from edge to edge."""

_FLOOR = GroundCell("floor")
_ROOM_FOR_ENDS, _ROOM_FOR_NAMES = 6, 8
BRACKETS = {"party": "[]", "foe": "{}", "other": "()"}
