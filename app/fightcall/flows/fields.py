"""The fields that flows are made of: each reads one value, key by key. Here: whom, which, and what the dice show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, Protocol

from fightcall.flows.base import BACKWARD, ONWARD, Overlay
from fightcall.paint.prompt_bar import PromptView
from fightcall_engine.board.base import Location
from fightcall_engine.model.dice import parse
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.model.values import frozen

LONGEST_NUMBER = 9
"""Digits: more would be a book on the keyboard."""
NOBODY_KEY = "-"


Space = Literal["nothing", "types a space", "enter"]
"""What the space bar is to a field: nothing, a character that is typed, or the same as Enter."""


@frozen
class Filled:
    """A field is done.

    Attributes:
        value: what was read. None leaves the command's field out; a mapping holds several of its fields by name.
        skip_rest: nothing more needs to be asked.
    """

    value: Json = None
    skip_rest: bool = False


class Field(Protocol):
    """Reads one value. `press` answers Filled when done, True when the key was used, False when it was not.

    A field that is done stays as it is, so that one can come back to it.
    """

    @property
    def is_typing(self) -> bool:
        """True where letters are typed as they are."""

    @property
    def reads_text(self) -> bool:
        """True where any sign is part of what is written, the key for a whole squad too."""

    @property
    def space(self) -> Space:
        """What the space bar does."""

    def view(self) -> PromptView:
        """What the call bar shows."""

    def overlay(self) -> Overlay:
        """What the board shows."""

    def press(self, key: str) -> Filled | bool:
        """Take one key."""

    def point(self, place: Location) -> Filled | bool:
        """Take a click on the board."""

    def pick(self, combatant_id: str) -> Filled | bool:
        """Take a click on a combatant."""


class Plain:
    """What most fields have in common: they read no words, show nothing on the board, and a click means nothing."""

    is_typing: ClassVar[bool] = False
    reads_text: ClassVar[bool] = False
    space: Space = "nothing"

    def overlay(self) -> Overlay:
        """Nothing to show on the board."""
        return Overlay()

    def point(self, place: Location) -> Filled | bool:
        """A click means nothing here."""
        return False

    def pick(self, combatant_id: str) -> Filled | bool:
        """A click means nothing here."""
        return False


def is_digit(key: str) -> bool:
    """True for the ten digits, and not for what else Unicode calls one."""
    return len(key) == 1 and key in "0123456789"


def is_letter(key: str) -> bool:
    """True for what a label may be made of."""
    return len(key) == 1 and key.isascii() and key.isalnum()


def cycle_index(at: int, key: str, count: int) -> int:
    """The next place in a ring of `count` after a key that goes on or back."""
    return (at + (1 if key in ONWARD else -1)) % count


class TargetField(Plain):
    """Pick a combatant by label, with tab or the arrows, by a click, or by Enter where one is highlighted.

    Somebody who is not among the candidates can be picked too, by saying so twice: the engine then names the rule
    that stands against it, and the GM may overrule it.

    Args:
        start: who is highlighted at first.
        optional: nobody is an answer too.
        shooter: from whom the line to the highlighted one is drawn.
        takes_anybody: once is enough: whoever asks says what stands against it.
    """

    def __init__(
        self,
        state: FightState,
        question: str,
        choices: Sequence[str],
        *,
        start: str = "",
        optional: bool = False,
        shooter: str = "",
        takes_anybody: bool = False,
    ) -> None:
        self._state = state
        self._question = question
        self._takes_anybody = takes_anybody
        candidates = tuple(choices) or tuple(
            combatant_id for combatant_id in state.combatants if combatant_id != shooter
        )
        self._candidates = (*(("",) if optional else ()), *candidates)
        self._typed = ""
        self._error = ""
        self._insisted = ""
        self._optional = optional
        self._shooter = shooter
        self._at = self._candidates.index(start) if start in self._candidates else 0
        self._has_stepped = False

    @property
    def chosen(self) -> str:
        """Who is highlighted, empty for nobody."""
        return self._candidates[self._at] if self._candidates else ""

    def view(self) -> PromptView:
        """The question, with the labels that would answer it."""
        people = self._state.combatants
        pairs = [
            (people[combatant_id].label, people[combatant_id].name) for combatant_id in self._candidates if combatant_id
        ]
        if self._optional:
            pairs.append((NOBODY_KEY, "nobody"))
        default_name = people[self.chosen].name if self.chosen else ("nobody" if self._optional else "")
        return PromptView(
            question=self._question,
            choices=tuple(pairs),
            typed=self._typed,
            error=self._error,
            default=default_name,
            remarks=tuple(self._remark(combatant_id) for combatant_id in self._candidates if combatant_id),
        )

    def _remark(self, combatant_id: str) -> str:
        """How far off a candidate is."""
        people, board = self._state.combatants, self._state.board
        at = people[combatant_id].at
        origin = people[self._shooter].at if self._shooter in people else None
        if board is None or at is None or origin is None or combatant_id == self._shooter:
            return ""
        return board.apart(origin, at)

    def overlay(self) -> Overlay:
        """The candidates, the one that Enter takes, the line to them, how far it is, and what blocks it."""
        people = self._state.combatants
        at = people[self.chosen].at if self.chosen else None
        origin = people[self._shooter].at if self._shooter in people and self._shooter != self.chosen else None
        board = self._state.board
        targets = tuple(combatant_id for combatant_id in self._candidates if combatant_id)
        # Where it may be anybody, a mark on everybody would say nothing.
        targets = () if len(targets) == len(people) else targets
        if board is None or origin is None or at is None:
            return Overlay(targets=targets, chosen=self.chosen, cursor=at, is_followed=self._has_stepped)
        shut = board.sight(origin, at).blocked_by
        note = board.apart(origin, at) + (f", sight blocked at {board.name_of(shut)}" if shut is not None else "")
        line = board.line(origin, at) if origin != at else ()
        return Overlay(
            targets=targets, chosen=self.chosen, cursor=at, is_followed=self._has_stepped, line=line, note=note
        )

    def press(self, key: str) -> Filled | bool:
        """A label picks at once; arrows and tab step through the candidates."""
        if key in (*ONWARD, *BACKWARD) and self._candidates:
            self._at, self._typed, self._error = cycle_index(self._at, key, len(self._candidates)), "", ""
            self._has_stepped = True
            return True
        if key == "backspace" and self._typed:
            self._typed, self._error = self._typed[:-1], ""
            return True
        if key == NOBODY_KEY and self._optional:
            return Filled(None)
        if key == "enter":
            return self._enter()
        # A click in the call bar sends a label whole.
        if len(key) > 1 and key in self._labels():
            return self.pick(self._labels()[key])
        return self._label(self._typed + key.upper()) if is_letter(key) else False

    def _enter(self) -> Filled | bool:
        if self.chosen or self._optional:
            return Filled(self.chosen or None)
        self._error = "there is no combatant to choose"
        return True

    def _labels(self) -> Mapping[str, str]:
        return {combatant.label: combatant.id for combatant in self._state.combatants.values()}

    def _label(self, text: str) -> Filled | bool:
        labels = self._labels()
        if text in labels:
            self._typed = ""
            return self.pick(labels[text])
        if any(label.startswith(text) for label in labels):
            self._typed, self._error = text, ""
            return True
        accepts = " ".join(
            self._state.combatants[combatant_id].label for combatant_id in self._candidates if combatant_id
        )
        self._typed, self._error = "", f"no combatant has the label {text}; here: {accepts}"
        return True

    def pick(self, combatant_id: str) -> Filled | bool:
        """A click on a candidate picks it; on somebody else it must be repeated."""
        if combatant_id not in self._state.combatants:
            return False
        if self._takes_anybody or combatant_id in self._candidates or combatant_id == self._insisted:
            self._at = self._candidates.index(combatant_id) if combatant_id in self._candidates else self._at
            return Filled(combatant_id)
        self._insisted = combatant_id
        name = self._state.combatants[combatant_id].name
        self._error = f"{name} is not a legal target; press again to choose {name} by ruling"
        return True


class PeopleField(TargetField):
    """Several combatants: those who are proposed; a label or a click takes one of them out, or another in.

    Args:
        choices: the ids of those who can be among them.
        proposed: the ids of those who are unless somebody else is said.
        optional: nobody is an answer too.
    """

    def __init__(
        self,
        state: FightState,
        question: str,
        choices: Sequence[str],
        *,
        proposed: Sequence[str] = (),
        optional: bool = False,
    ) -> None:
        super().__init__(state, question, choices, optional=optional)
        self._choices, self._people = tuple(choices), frozenset(proposed)

    def _ids(self) -> tuple[str, ...]:
        return tuple(combatant_id for combatant_id in self._choices if combatant_id in self._people)

    def view(self) -> PromptView:
        """The question, who is meant, and the labels that change it."""
        people_by_id = {combatant_id: self._state.combatants[combatant_id] for combatant_id in self._choices}
        pairs = [
            (combatant.label, f"without {combatant.name}" if combatant_id in self._people else combatant.name)
            for combatant_id, combatant in people_by_id.items()
        ]
        if self._optional:
            pairs.append((NOBODY_KEY, "nobody"))
        people = ", ".join(people_by_id[combatant_id].name for combatant_id in self._ids())
        return PromptView(
            question=self._question,
            choices=tuple(pairs),
            typed=self._typed,
            error=self._error,
            default=people or ("nobody" if self._optional else ""),
        )

    def overlay(self) -> Overlay:
        """Who is meant."""
        return Overlay(targets=self._ids())

    def press(self, key: str) -> Filled | bool:
        """A label takes somebody out or in; Enter is done."""
        self._error = ""
        return False if key in (*ONWARD, *BACKWARD) else super().press(key)

    def _enter(self) -> Filled | bool:
        if self._people or self._optional:
            return Filled(" ".join(self._ids()) or None)
        labels = " ".join(self._state.combatants[combatant_id].label for combatant_id in self._choices)
        self._error = f"somebody must be meant; here: {labels}"
        return True

    def pick(self, combatant_id: str) -> Filled | bool:
        """A click takes somebody out or in."""
        if combatant_id not in self._choices:
            self._error = f"{self._state.combatants[combatant_id].name} cannot be among them"
            return True
        self._people ^= {combatant_id}
        return True


class ChoiceField(Plain):
    """One of a few words, each by its letter, or with the arrows and Enter.

    Args:
        choices: what can be answered; as (value, words) where they differ.
        default: the value that Enter takes.
    """

    def __init__(self, question: str, choices: Sequence[str | tuple[Json, str]], *, default: Json = None) -> None:
        self._question = question
        pairs = [item if isinstance(item, tuple) else (plain_value(item), item) for item in choices]
        self._values = tuple(value for value, _ in pairs)
        self._words = tuple(words for _, words in pairs)
        self._keys = letters_for(self._words)
        start = plain_value(default) if isinstance(default, str) else default
        self._at = self._values.index(start) if start in self._values else 0
        self._error = ""

    def view(self) -> PromptView:
        """The question with a letter for each answer."""
        pairs = tuple(zip(self._keys, self._words, strict=True))
        default = self._words[self._at] if self._words else ""
        return PromptView(question=self._question, choices=pairs, default=default, error=self._error)

    def press(self, key: str) -> Filled | bool:
        """A letter answers at once."""
        self._error = ""
        if not self._values:
            self._error = "there is nothing to choose from"
            return key == "enter"
        if key and key.lower() in self._keys:
            self._at = self._keys.index(key.lower())
            return Filled(self._values[self._at])
        if key in (*ONWARD, *BACKWARD):
            self._at = cycle_index(self._at, key, len(self._values))
            return True
        return Filled(self._values[self._at]) if key == "enter" else False


def plain_value(text: str) -> Json:
    """Words that stand for truth values become them."""
    return {"true": True, "false": False}.get(text, text)


MEANINGS = {"y": "yes", "n": "no", "h": "hit", "m": "miss"}
"""Letters that mean the same everywhere, and so stand for no other word."""


def letters_for(choices: Sequence[str]) -> tuple[str, ...]:
    """A key for each of some words: its first letter that is still free, else a digit, else none."""
    used_letters: list[str] = []
    for choice in choices:
        word = choice.lower()
        free = (name for name in word if MEANINGS.get(name, word) == word)
        own = (name for name in free if is_letter(name) and name not in used_letters)
        spare = (name for name in "123456789" if name not in used_letters)
        used_letters.append(next(own, next(spare, "")))
    return tuple(used_letters)


class OutcomeField(Plain):
    """Hit, miss, a die typed from the table, or Enter to have it thrown."""

    is_typing = True
    space = "enter"

    def __init__(self, question: str, *, dice: str, purpose: str) -> None:
        self._question = question
        self._dice = dice
        self._purpose = purpose
        self._typed = ""
        self._error = ""
        # Only one die has a face that is its total, so only one die can be typed as a number.
        self._typeable = len(dice_of(dice)) == 1

    def view(self) -> PromptView:
        """The question with what may be typed."""
        hint = f"or the face of the {self._dice} as rolled at the table" if self._typeable else ""
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
        """The letters h and m decide; digits are the die."""
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
        self._error = "h for a hit, m for a miss"
        return True


class FacesField(Plain):
    """The faces of dice thrown at the table, in the order of the expression, with blanks between them."""

    is_typing = True

    def __init__(self, purpose: str, dice: str, question: str = "") -> None:
        self._purpose = purpose
        self._dice = dice
        self._question = question or f"{purpose}: {dice}"
        self._count = len(dice_of(dice))
        self.space = "types a space" if self._count > 1 else "enter"
        self._typed = ""
        self._error = ""

    def view(self) -> PromptView:
        """Which dice are owed."""
        hint = "the face" if self._count == 1 else f"{self._count} faces with blanks between"
        problem = face_error(self._typed, self._dice)
        return PromptView(
            question=self._question,
            typed=self._typed,
            hint=hint,
            error=self._error or problem,
            is_impossible=bool(problem),
        )

    def press(self, key: str) -> Filled | bool:
        """Digits and blanks are typed; Enter is done."""
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
    """How many faces each die of an expression has, in its order."""
    terms = parse(expression) if expression else ()
    return tuple(term.faces for term in terms if term.faces for _ in range(term.count))


def can_show(text: str, expression: str) -> bool:
    """Whether what was typed can be the faces of these dice."""
    try:
        return bool(read_faces(text, expression))
    except ValueError:
        return False


def face_error(text: str, expression: str) -> str:
    """Why what was typed cannot be the faces of these dice, whatever is typed after it; empty while it can."""
    sizes, words = dice_of(expression), _words_of_faces(text, expression)
    can_be = len(words) <= len(sizes) and all(
        _shows(word, most) or (int(word) == 0 and len(word) < len(str(most)))
        for word, most in zip(words, sizes, strict=False)
    )
    return "" if can_be or not sizes else _face_complaint(text, expression)


def with_digit(text: str, digit: str, expression: str) -> str:
    """What was typed and a digit after it; the digit alone where the one die cannot show what was typed."""
    begins_anew = len(dice_of(expression)) == 1 and bool(face_error(text, expression))
    return digit if begins_anew else text + digit


def _words_of_faces(text: str, expression: str) -> list[str]:
    """What was typed, die by die: with blanks between, or each digit alone where no die has two."""
    sizes, words = dice_of(expression), text.split()
    return list(words[0]) if len(words) == 1 < len(sizes) and max(sizes) < 10 else words


def _shows(word: str, most: int) -> bool:
    """True for a face of a die of so many, with as many digits as its highest at the most."""
    return 1 <= int(word) <= most and len(word) <= len(str(most))


def _face_complaint(text: str, expression: str) -> str:
    accepts = "  ".join(f"1-{most}" for most in dice_of(expression))
    complaint = f"{expression} cannot show {text.strip()}" if text.strip() else f"type what the {expression} shows"
    return f"{complaint}; accepted: {accepts}"


def read_faces(text: str, expression: str) -> tuple[int, ...]:
    """Faces as typed, with blanks between; dice of one digit need none.

    Raises:
        ValueError: these dice cannot show them; says what they can.
    """
    sizes = dice_of(expression)
    words = _words_of_faces(text, expression)
    if len(words) == len(sizes) and all(map(_shows, words, sizes)):
        return tuple(int(word) for word in words)
    raise ValueError(_face_complaint(text, expression))
