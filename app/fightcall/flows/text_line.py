"""A line of text being typed: letters in, cursor about, words out. Pure."""

from __future__ import annotations

from fightcall.paint.runs import Row, Run, clean, width
from fightcall_engine.model.values import frozen

LONGEST = 4000


@frozen
class TextLine:
    """Text with a cursor in it.

    Attributes:
        text: what has been typed; one line.
        cursor: how many of its characters are before the cursor.
    """

    text: str = ""
    cursor: int = 0

    @classmethod
    def of(cls, text: str) -> TextLine:
        """A text with the cursor at its end."""
        return cls(text, len(text))

    def insert(self, text: str) -> TextLine:
        """Type or paste: what breaks or hides in a line becomes visible or a blank."""
        text = clean(text)[: max(0, LONGEST - len(self.text))]
        return TextLine(self.text[: self.cursor] + text + self.text[self.cursor :], self.cursor + len(text))

    def press(self, key: str, character: str | None) -> TextLine | None:
        """The line after a key, None where the key is none for typing.

        Args:
            key: its name.
            character: what it types, None where it types nothing.
        """
        new_line = self._move(key)
        if new_line is not None:
            return new_line
        if character is not None and character.isprintable() and "ctrl+" not in key:
            return self.insert(character)
        return None

    def _move(self, key: str) -> TextLine | None:
        text, at = self.text, self.cursor
        match key:
            case "left":
                return TextLine(text, max(0, at - 1))
            case "right":
                return TextLine(text, min(len(text), at + 1))
            case "home" | "ctrl+a":
                return TextLine(text, 0)
            case "end" | "ctrl+e":
                return TextLine.of(text)
            case "backspace":
                return TextLine(text[: max(0, at - 1)] + text[at:], max(0, at - 1))
            case "delete":
                return TextLine(text[:at] + text[at + 1 :], at)
            case "ctrl+u":
                return TextLine(text[at:], 0)
            case "ctrl+w":
                start = len(text[:at].rstrip().rpartition(" ")[0])
                start += 1 if start else 0
                return TextLine(text[:start] + text[at:], start)
        return None


def text_row(line: TextLine, cells: int, style: str = "prompt.input", cursor: str = "prompt.cursor") -> Row:
    """The line in at most `cells` cells with its cursor, scrolled so that the cursor is seen."""
    if cells <= 0:
        return ()
    # What was not typed here, but comes from a file, may hold anything.
    text, before = clean(line.text), clean(line.text[: line.cursor])
    # Cleaned whole: a mark at the beginning of a part would be taken for one without a letter to stand on.
    after = text[len(before) :]
    under = after[:1] or " "
    room = cells - max(width(under), 1)
    while width(before) > room:
        before = before[1:]
    rest = after[1:]
    while width(before) + width(under) + width(rest) > cells:
        rest = rest[:-1]
    return (Run(before, style), Run(under, cursor), Run(rest, style))
