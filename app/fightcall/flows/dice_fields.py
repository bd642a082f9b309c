"""Fields for the result of a roll: hit or miss, and faces of dice."""

from __future__ import annotations

from fightcall.flows.fields import LONGEST_NUMBER, Filled, Plain, is_digit
from fightcall.paint.prompt_bar import PromptView
from fightcall_engine.model.dice import counted_dice, parse


class OutcomeField(Plain):
    """Hit, miss, a typed roll, or Enter to have it rolled."""

    accepts = "h for hit, m for miss, or the die"
    is_typing = True

    def __init__(self, question: str, *, dice: str, purpose: str) -> None:
        self._question = question
        self._dice = dice
        self._purpose = purpose
        self._typed = ""
        self._error = ""
        # A single die can be typed as a number, since its face is its total, and counted dice as successes.
        self._typeable = len(dice_of(dice)) == 1 or counted_dice(dice) > 1

    def view(self) -> PromptView:
        """The question, with what can be typed."""
        hint = f"or the result of the {self._dice}" if self._typeable else ""
        return PromptView(
            question=self._question,
            choices=(("h", "hit"), ("m", "miss")),
            typed=self._typed,
            hint=hint,
            error=self._error or face_error(self._typed, self._dice),
            is_impossible=bool(face_error(self._typed, self._dice)),
            default=f"roll {self._dice}" if self._dice and not self._typed else "",
        )

    def press(self, key: str) -> Filled | bool:
        """Handle a key: h and m decide, digits type the die."""
        self._error = ""
        if key.lower() in ("h", "m") and not self._typed:
            hit = key.lower() == "h"
            return Filled(hit, skip_rest=not hit)
        if key == "backspace" and self._typed:
            self._typed = self._typed[:-1]
            return True
        if is_digit(key) and self._typeable:
            self._typed = with_digit(self._typed, key, self._dice)[:LONGEST_NUMBER]
            return True
        return self._enter() if key == "enter" else False

    def _enter(self) -> Filled | bool:
        if self._typed:
            try:
                faces = read_faces(self._typed, self._dice)
            except ValueError as error:
                self._error = str(error)
                return True
            return Filled({"rolls": {self._purpose: list(faces)}}, skip_rest=True)
        if self._dice:
            return Filled(None, skip_rest=True)
        self._error = "h for hit, m for miss"
        return True


class FacesField(Plain):
    """The faces of dice rolled at the table, in the order of the expression, separated by spaces."""

    accepts = "what the dice show, then Enter"
    is_typing = True

    def __init__(self, purpose: str, dice: str, question: str = "") -> None:
        self._purpose = purpose
        self._dice = dice
        self._question = question or f"{purpose}: {dice}"
        self._count = len(dice_of(dice))
        self.types_spaces = self._count > 1
        self._typed = ""
        self._error = ""

    def view(self) -> PromptView:
        """The dice to type."""
        hint = "the face" if self._count == 1 else f"{self._count} faces separated by spaces"
        hint += ", or the number of successes" if counted_dice(self._dice) > 1 else ""
        problem = face_error(self._typed, self._dice)
        return PromptView(
            question=self._question,
            typed=self._typed,
            hint=hint,
            error=self._error or problem,
            is_impossible=bool(problem),
        )

    def press(self, key: str) -> Filled | bool:
        """Handle a key: digits and spaces are typed, Enter ends."""
        self._error = ""
        if is_digit(key) or key == "space":
            most = LONGEST_NUMBER * self._count
            self._typed = with_digit(self._typed, " " if key == "space" else key, self._dice)[:most]
            return True
        if key == "backspace" and self._typed:
            self._typed = self._typed[:-1]
            return True
        if key != "enter":
            return False
        try:
            faces = read_faces(self._typed, self._dice)
        except ValueError as error:
            self._error = str(error)
            return True
        return Filled(list(faces))


def dice_of(expression: str) -> tuple[int, ...]:
    """The number of faces of each die in an expression, in order."""
    terms = parse(expression) if expression else ()
    return tuple(term.faces for term in terms if term.faces for _ in range(term.count))


def can_show(text: str, expression: str) -> bool:
    """Whether the typed text can be the faces of these dice."""
    try:
        return bool(read_faces(text, expression))
    except ValueError:
        return False


def face_error(text: str, expression: str) -> str:
    """Why the typed text cannot be the faces of these dice, whatever follows it; empty if it can."""
    if _successes(text, expression) is not None:
        return ""
    sizes, words = dice_of(expression), _words_of_faces(text, expression)
    can_be = len(words) <= len(sizes) and all(
        _shows(word, most) or (int(word) == 0 and len(word) < len(str(most)))
        for word, most in zip(words, sizes, strict=False)
    )
    return "" if can_be or not sizes else _face_complaint(text, expression)


def with_digit(text: str, digit: str, expression: str) -> str:
    """The typed text with a digit appended; only the digit if the die cannot show the text before it."""
    begins_anew = len(dice_of(expression)) == 1 and bool(face_error(text, expression))
    return digit if begins_anew else text + digit


def _words_of_faces(text: str, expression: str) -> list[str]:
    """The typed text by dice: split at spaces, or by digits if no die has more than 9 faces."""
    sizes, words = dice_of(expression), text.split()
    return list(words[0]) if len(words) == 1 < len(sizes) and max(sizes) < 10 else words


def _shows(word: str, most: int) -> bool:
    """Whether a word is a face of a die with so many faces."""
    return 1 <= int(word) <= most and len(word) <= len(str(most))


def _face_complaint(text: str, expression: str) -> str:
    accepts = "  ".join(f"1-{most}" for most in dice_of(expression))
    accepts += f", or 0-{counted_dice(expression)} successes" if counted_dice(expression) > 1 else ""
    complaint = f"{expression} can't show {text.strip()}" if text.strip() else f"type what the {expression} shows"
    return f"{complaint}; accepted: {accepts}"


def _successes(text: str, expression: str) -> int | None:
    """The number of successes that is typed in place of the faces of counted dice; None if it is none."""
    typed, most = text.strip(), counted_dice(expression)
    return int(typed) if most > 1 and typed.isdecimal() and int(typed) <= most else None


def read_faces(text: str, expression: str) -> tuple[int, ...]:
    """Read typed faces, separated by spaces; dice of up to 9 faces need none. Counted dice may be typed as successes.

    Raises:
        ValueError: these dice cannot show them; says what they can show.
    """
    sizes = dice_of(expression)
    words = _words_of_faces(text, expression)
    if len(words) == len(sizes) and all(map(_shows, words, sizes)):
        return tuple(int(word) for word in words)
    successes = _successes(text, expression)
    if successes is not None:
        return (successes,)
    raise ValueError(_face_complaint(text, expression))
