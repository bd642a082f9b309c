"""A small terminal: what is written to it, cell by cell, as a terminal would show it."""

import re

from fightcall.paint.geometry import QUADRANTS
from fightcall.paint.runs import char_width

PART = re.compile(r"\x1b\[(\d*)(?:;(\d+))?([HCX])|\x1b\[([\d;]*)m|\x1b\[[^a-zA-Z]*[a-zA-Z]|\x1b\].*?\x07|(.)", re.S)
ENDS = {"22": {"1", "2"}, "23": {"3"}, "24": {"4", "21"}, "27": {"7"}, "29": {"9"}, "55": {"53"}}
SHOWN_ON_BLANKS = {"4", "7", "9", "21", "53"}
SPOILT = "half of what was there"


class Emulator:
    """A terminal without edges.

    Attributes:
        cells: what is seen at each row and column that was written to: a character with its marks, and its look.
    """

    def __init__(self):
        self.cells = {}
        self._at = (1, 1)
        self._ink = self._ground = ""
        self._attributes = set()

    @property
    def is_plain(self):
        """Whether the pen has been put away."""
        return not (self._ink or self._ground or self._attributes)

    def write(self, data):
        """Take in text and sequences; those that are about no cell change nothing."""
        for first, second, what, codes, character in PART.findall(data):
            row, column = self._at
            if what == "H":
                self._at = (int(first or 1), int(second or 1))
            elif what == "C":
                self._at = (row, column + int(first or 1))
            elif what == "X":
                for x in range(column, column + int(first)):
                    self._put(row, x, " ")
            elif character == "\n":
                self._at = (row + 1, 1)
            elif character and character != "\x07":
                self._type(row, column, character)
            elif codes:
                self._set_pen(codes)

    def _type(self, row, column, character):
        size = char_width(character)
        if not size:
            # A mark sits on what was typed before it.
            before = column - 1 if self.cells.get((row, column - 1), ("",))[0] else column - 2
            text, look = self.cells[row, before]
            self.cells[row, before] = (text + character, look)
            return
        self._put(row, column, character)
        if size == 2:
            self._put(row, column + 1, "")
            self.cells[row, column] = (character, self._look(character))
        self._at = (row, column + size)

    def _put(self, row, column, text):
        """Put a character in a cell; of a wide one that it covers in part nothing is left."""
        old = self.cells.get((row, column), (" ", ""))[0]
        if not old and text:
            self.cells[row, column - 1] = (SPOILT, "")
        if old and self.cells.get((row, column + 1), (" ", ""))[0] == "":
            self.cells[row, column + 1] = (SPOILT, "")
        self.cells[row, column] = (text, self._look(text))

    def _look(self, text):
        """What of the pen is seen: the ink of a blank is not, unless something is drawn with it."""
        if text == " " and not self._attributes & SHOWN_ON_BLANKS:
            return self._ground
        return self._ground, self._ink, frozenset(self._attributes)

    def _set_pen(self, codes):
        parts = codes.split(";")
        while parts:
            code = parts.pop(0)
            if code in ("38", "48"):
                size = 4 if parts[0] == "2" else 2
                colour, parts = ";".join([code, *parts[:size]]), parts[size:]
                self._colour(int(code) - 8, colour)
            elif code == "0":
                self._ink = self._ground = ""
                self._attributes = set()
            elif code in ENDS:
                self._attributes -= ENDS[code]
            elif int(code) >= 30 and code != "53":
                self._colour(int(code), "" if code in ("39", "49") else code)
            else:
                self._attributes.add(code)

    def _colour(self, number, colour):
        if number // 10 in (3, 9):
            self._ink = colour
        else:
            self._ground = colour


def colours_of(cell):
    """What is seen of a cell: of a block glyph the colour of each quarter, whichever of them is the ink."""
    text, look = cell
    if not isinstance(look, tuple) or look[2] or len(text) != 1 or text not in QUADRANTS:
        return cell
    ground, ink = (colour[2:] if colour.startswith(("38;", "48;")) else colour for colour in look[:2])
    bits = QUADRANTS.index(text)
    return [ink if bits >> quarter & 1 else ground for quarter in range(4)]
