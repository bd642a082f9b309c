"""The interface of flows and of their fields, the keys that flows know, and the fields for a word or a roll.

A flow has a view, an overlay for the board, and one reply to each key. A field reads one value key by key.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cache
from typing import ClassVar, Protocol

from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give
from fightcall_engine.board.base import Location
from fightcall_engine.model.dice import bare_dice, bounds, counted_dice, parse
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.model.values import frozen, replace

OVERRULE = "!"
"""The key that does the same as Enter, overruling the rules."""
MORE = "*"
"""The key for optional details."""
PERSON = "'"
"""The key before a label: what follows names a combatant."""
WHY = "?"
"""The key that explains the rule behind what is asked or marked."""
TYPES_A_SPACE = "types a space"
UNANSWERED = "nothing: this question needs an answer"
"""The words for the space bar at a question without a default."""
MOST_ACCEPTED = 6
"""The most alternatives that a refusal shows."""
ONWARD = ("tab", "right", "down")
BACKWARD = ("shift+tab", "left", "up")

CANONICAL: Mapping[str, str] = {
    "flow.accept": "enter",
    "flow.cancel": "escape",
    "flow.back": "backspace",
    "flow.next-choice": "tab",
    "flow.previous-choice": "shift+tab",
    "flow.rule": OVERRULE,
    "flow.more": MORE,
    "flow.east": "right",
    "flow.west": "left",
    "flow.north-west": "y",
    "flow.north-east": "u",
    "flow.south-west": "b",
    "flow.south-east": "n",
    "flow.up": "up",
    "flow.down": "down",
}
"""The key by which flows know each action that can be rebound."""
_RENAMED: Mapping[str, str] = {"slash": "/", "backslash": "\\", "at": "@", "minus": "-", "plus": "+", "underscore": "_"}
"""Characters whose names in a key map differ from Unicode's."""

LONGEST_NUMBER = 9
"""The most digits of a typed number."""


@frozen
class Overlay:
    """What a flow shows on the board and in the roster.

    Attributes:
        reach: the cost of each place in reach.
        path: the places of a planned path, in order, with the cost so far.
        warnings: places where something stops the walk.
        chosen: the one of them that Enter picks.
        cursor: the place that the keys move, or that the question is about.
        is_followed: whether the board scrolls to the cursor; not for one that is only proposed.
    """

    reach: Mapping[Location, int] = field(default_factory=dict)
    path: tuple[tuple[Location, int], ...] = ()
    warnings: frozenset[Location] = frozenset()
    line: tuple[Location, ...] = ()
    targets: tuple[str, ...] = ()
    chosen: str = ""
    cursor: Location | None = None
    is_followed: bool = True
    note: str = ""


@frozen
class Stay:
    """The flow used the key and goes on."""


@frozen
class Ignored:
    """The flow has no use for the key; the screen may have one."""


@frozen
class Cancelled:
    """The flow ends without doing anything; `said` is the message afterwards, empty for none."""

    said: str = ""


@frozen
class Yield:
    """The flow ends without doing anything, and the key gets its usual meaning."""


@frozen
class Select:
    """The flow ends by selecting a combatant; with `to_act`, only for one act out of turn."""

    who: str
    to_act: bool = False


@frozen
class Become:
    """Another flow takes the place of this one."""

    flow: Flow


@frozen
class Detour:
    """Gives way to something that removes an obstacle. `again` begins the flow again; None if that is not possible."""

    first: Reply
    again: Callable[[], Reply | None]


@frozen
class Say:
    """The flow ends with a message."""

    text: str


@frozen
class Jump:
    """The flow ends by going to an entry."""

    number: int


@frozen
class Bookmark:
    """The flow ends by bookmarking the moment after an entry; with None, the present one."""

    name: str
    on: int | None = None


@frozen
class Find:
    """The flow ends by searching combatants, effects and lines of the log for a text."""

    text: str


@frozen
class SaveElsewhere:
    """The flow ends by saving the fight in another file; with an empty name, by leaving without saving."""

    name: str


@frozen
class Travel:
    """The flow ends by moving in the fight's history, or by changing its branches.

    Attributes:
        go: the function that does it; its result is ignored.
        back: what undo does right after it, instead of taking back the newest entry; None for nothing else.
    """

    go: Callable[[], object]
    said: str = ""
    following: Callable[[], Flow] | None = None
    back: Callable[[], object] | None = None


Request = Say | Jump | Bookmark | Find | SaveElsewhere
"""A reply that asks for something other than a command."""
Reply = Stay | Ignored | Cancelled | Yield | Give | Select | Become | Detour | Travel | Request
"""A flow's reply to a key."""

STAY, IGNORED, CANCELLED, YIELD = Stay(), Ignored(), Cancelled(), Yield()


class Flow(Protocol):
    """Something that the GM is in the middle of doing. By default, clicks mean nothing to it."""

    _error: str = ""

    @property
    def is_typing(self) -> bool:
        """True while letters are typed as text, so that they must not be rebound."""

    @property
    def call_words(self) -> str:
        """What the space bar does, in words: it types a space, or does the same as Enter."""

    def view(self) -> PromptView:
        """What the call bar shows."""

    def overlay(self) -> Overlay:
        """What the board and the roster show."""
        return Overlay()

    def press(self, key: str) -> Reply:
        """Handle a key: a printable character as it is, others by name (``enter``, ``escape``, ``space``...)."""

    def point(self, place: Location) -> Reply:
        """Handle a click on a place of the board."""
        return IGNORED

    def pick(self, combatant_id: str) -> Reply:
        """Handle a click on a combatant."""
        return IGNORED

    def complain(self, what: str) -> Reply:
        """Show an error about the last answer until the next key. The reply is to stay."""
        self._error = what
        return STAY


def accepted_words(accepts: Sequence[str]) -> str:
    """The alternatives of a refusal in the words of the screen, without names of fields or commands."""
    parts = (text.partition(": ") for text in accepts[:MOST_ACCEPTED])
    texts = (words if how.endswith(("true", "false")) else f"{words}{colon}{how}" for words, colon, how in parts)
    return ", ".join(text.replace("_", " ") for text in texts)


def table_die_words(dice: str) -> str:
    """The message that a roll must be typed first."""
    return f"type the {bare_dice(dice)} that the table rolled"


def with_rule(message: str, rule: str) -> str:
    """A refusal as a sentence, with the title and id of its rule in brackets, if any."""
    words = f"{message[:1].upper()}{message[1:]}"
    return f"{words} ({rule})" if rule else words


# Keys, and the user's own keys for them


_ACUTE, _CEDILLA = "\u0301", "\u0327"


def rebound(keymap: Mapping[str, str]) -> dict[str, str]:
    """The user's rebound keys: pressed key -> the key that flows know."""
    clashes: dict[str, str] = {}
    for action, canonical_key in CANONICAL.items():
        for key in keymap.get(action, "").split(","):
            if key:
                clashes[_key_as_pressed(key)] = canonical_key
    return clashes


@cache
def _key_as_pressed(name: str) -> str:
    if name in _RENAMED:
        return _RENAMED[name]
    try:
        character = unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return name
    return character if character.isprintable() and not character.isspace() else name


class KeyNames(Protocol):
    """The keys in force, as far as flows need them, by Textual's names; see `fightcall.actions.KeyNames`."""

    keymap: dict[str, str]

    def of(self, id: str) -> tuple[str, ...]:
        """The keys of an action."""

    @property
    def of_fight(self) -> frozenset[str]:
        """The keys of all actions of the fight screen."""

    def label(self, id: str) -> str:
        """The first key of an action as people write it; empty if it has none."""

    def means_nothing(self, key: str) -> str:
        """The message for a key without a meaning."""

    def option(self, action: str, key: str) -> str:
        """The key of a system's option; `key` is its default."""


def letter_under_marks(key: str) -> str:
    """The ASCII letter of a key with accents, such as ``a`` of ``\u00e1``; empty for any other key."""
    parts = unicodedata.normalize("NFD", key) if len(key) == 1 else ""
    is_marked = len(parts) > 1 and all(map(unicodedata.combining, parts[1:]))
    return parts[0] if is_marked and parts[0].isascii() and parts[0].isalpha() else ""


def letter_of_dead_quote(key: str) -> str:
    """The letter of a key that a keyboard with dead keys sends for ``'`` and a letter; empty for any other key."""
    letter = letter_under_marks(key)
    marks = unicodedata.normalize("NFD", key)[1:]
    return letter if marks == _ACUTE or (marks == _CEDILLA and letter in ("c", "C")) else ""


def press(flow: Flow, key: str, keymap: Mapping[str, str]) -> Reply:
    """Press a key in a flow, translating rebound keys, except letters while text is typed."""
    is_typed = len(key) == 1 and flow.is_typing
    return flow.press(key if is_typed else rebound(keymap).get(key, key))


def paste(flow: Flow, text: str) -> Reply:
    """Paste text into a flow as if typed: its first line, if the flow reads text."""
    reply: Reply = IGNORED
    for character in text.strip().partition("\n")[0].rstrip():
        key = "space" if character.isspace() else character
        if flow.is_typing and (key == "space" or key.isprintable()):
            reply = flow.press(key)
        if not isinstance(reply, Stay | Ignored):
            return reply
    return reply if isinstance(reply, Ignored) else STAY


# Fields, which read one value key by key


@frozen
class Filled:
    """The `value` of a field that is done: None leaves it out, a mapping sets several. `skip_rest`: ask no more."""

    value: Json = None
    skip_rest: bool = False


class Field(Protocol):
    """Reads one value; `press` returns Filled when done, else whether it used the key. It keeps its state."""

    is_typing: ClassVar[bool] = False
    """True if letters are typed as text."""
    reads_text: ClassVar[bool] = False
    """True if any character is text, even the key for a whole squad."""
    types_spaces: bool = False
    """True if the space bar types a space; otherwise it is the same as Enter."""
    is_way: ClassVar[bool] = False
    """True for a path to walk, of which `!` walks more than there is movement for."""
    _error: str = ""

    @property
    def accepts(self) -> str:
        """What it accepts, in words, for `?`."""

    def view(self) -> PromptView:
        """What the call bar shows."""

    def overlay(self) -> Overlay:
        """What the board shows."""
        return Overlay()

    def press(self, key: str) -> Filled | bool:
        """Handle a key."""

    def point(self, place: Location) -> Filled | bool:
        """Handle a click on the board."""
        return False

    def pick(self, combatant_id: str) -> Filled | bool:
        """Handle a click on a combatant."""
        return False

    def complain(self, what: str) -> bool:
        """Show an error until the next key; the key was used."""
        self._error = what
        return True


@dataclass(eq=False)
class AtPlace(Field):
    """A field for places, at which a combatant stands for their own."""

    state: FightState

    def pick(self, combatant_id: str) -> Filled | bool:
        at = self.state.combatants[combatant_id].at
        return self.point(at) if at is not None else False


def is_digit(key: str) -> bool:
    """True for the ASCII digits, and no others."""
    return len(key) == 1 and key in "0123456789"


def is_letter(key: str) -> bool:
    """True for characters of labels."""
    return len(key) == 1 and key.isascii() and key.isalnum()


def cycle_index(at: int, key: str, count: int) -> int:
    """The next index in a ring of `count` after a key that goes on or back."""
    return (at + (1 if key in ONWARD else -1)) % count


def next_in(ring: Sequence[str], here: str, key: str) -> str:
    """The next word of a ring after a key that goes on or back; where `here` is none of them, the first or the last."""
    step = 1 if key in ONWARD else -1
    return ring[(ring.index(here) + step if here in ring else min(step, 0)) % len(ring)]


class ChoiceField(Field):
    """One of a few words, or pairs of a value and words: by its letter, or with the arrows and Enter."""

    accepts = "the letter before an answer, or the arrows and Enter"

    def __init__(self, question: str, choices: Sequence[str | tuple[Json, str]], *, default: Json = None) -> None:
        self._question = question
        pairs = [item if isinstance(item, tuple) else (plain_value(item), item) for item in choices]
        self._values = tuple(value for value, _ in pairs)
        self._words = tuple(words for _, words in pairs)
        self._keys = letters_for(self._words)
        start = plain_value(default) if isinstance(default, str) else default
        self._at = self._values.index(start) if start in self._values else 0

    def view(self) -> PromptView:
        pairs = tuple(zip(self._keys, self._words, strict=True))
        default = self._words[self._at] if self._words else ""
        return PromptView(question=self._question, choices=pairs, default=default, error=self._error)

    def press(self, key: str) -> Filled | bool:
        self._error = ""
        if not self._values:
            return self.complain("there is nothing to choose") and key == "enter"
        if key and key.lower() in self._keys:
            self._at = self._keys.index(key.lower())
            return Filled(self._values[self._at])
        if key in (*ONWARD, *BACKWARD):
            self._at = cycle_index(self._at, key, len(self._values))
            return True
        return Filled(self._values[self._at]) if key == "enter" else False


def plain_value(text: str) -> Json:
    """The value of a word: a boolean for yes and no, else the word."""
    return {"true": True, "false": False}.get(text, text)


MEANINGS = {"y": "yes", "n": "no", "h": "hit", "m": "miss"}
"""Letters that mean the same everywhere, and so are not used for other words."""


def letters_for(choices: Sequence[str]) -> tuple[str, ...]:
    """A key for each word: its first letter that is still free, else a digit, else none."""
    used_letters: list[str] = []
    for choice in choices:
        word = choice.lower()
        free = (name for name in word if MEANINGS.get(name, word) == word)
        own = (name for name in free if is_letter(name) and name not in used_letters)
        spare = (name for name in "123456789" if name not in used_letters)
        used_letters.append(next(own, next(spare, "")))
    return tuple(used_letters)


# Results of rolls, and whatever else is typed


@dataclass(eq=False)
class TypedField(Field):
    """A value that is typed key by key, if `dice` can show it. Enter ends if it can be read."""

    is_typing = True

    question: str
    _: KW_ONLY
    dice: str = ""
    default: str = ""
    optional: bool = False

    _typed: str = field(default="", init=False)

    def view(self) -> PromptView:
        problem = face_error(self._typed, self.dice)
        return PromptView(
            question=self.question,
            typed=self._typed,
            error=self._error or problem,
            default=self.default,
            is_impossible=bool(problem),
        )

    def press(self, key: str) -> Filled | bool:
        self._error = ""
        typed = self._typed[:-1] if key == "backspace" and self._typed else self._typed_with(key)
        if typed is not None:
            self._typed = typed
            return True
        if key != "enter":
            return False
        try:
            return self._read()
        except ValueError as error:
            return self.complain(str(error))

    def _typed_with(self, key: str) -> str | None:
        """The text after a key; None if the key does not continue it."""
        raise NotImplementedError

    def _read(self) -> Filled:
        """The value on Enter; raises ValueError if the text is none."""
        raise NotImplementedError


@dataclass(eq=False)
class OutcomeField(TypedField):
    """Hit, miss, a typed roll, or Enter to have it rolled."""

    accepts = "h for hit, m for miss, or the die"

    purpose: str = ""

    def __post_init__(self) -> None:
        # A single die can be typed as a number, since its face is its total, and counted dice as successes.
        self._typeable = len(dice_of(self.dice)) == 1 or counted_dice(self.dice) > 1

    def view(self) -> PromptView:
        return replace(
            super().view(),
            choices=(("h", "hit"), ("m", "miss")),
            hint=f"or the result of the {bare_dice(self.dice)}" if self._typeable else "",
            default=f"roll {self.dice}" if self.dice and not self._typed else "",
        )

    def press(self, key: str) -> Filled | bool:
        if key.lower() in ("h", "m") and not self._typed:
            return Filled(key.lower() == "h", skip_rest=key.lower() == "m")
        return super().press(key)

    def _typed_with(self, key: str) -> str | None:
        is_typed = is_digit(key) and self._typeable
        return with_digit(self._typed, key, self.dice)[:LONGEST_NUMBER] if is_typed else None

    def _read(self) -> Filled:
        if self._typed:
            return Filled({"rolls": {self.purpose: list(read_faces(self._typed, self.dice))}}, skip_rest=True)
        if not self.dice:
            raise ValueError("h for hit, m for miss")
        return Filled(None, skip_rest=True)


class FacesField(TypedField):
    """The faces of dice rolled at the table, in the order of the expression, separated by spaces."""

    accepts = "what the dice show, then Enter"

    def __init__(self, purpose: str, dice: str, question: str = "") -> None:
        super().__init__(question or f"{purpose}: {dice}", dice=dice)
        self._count = len(dice_of(dice))
        self.types_spaces = self._count > 1

    def view(self) -> PromptView:
        hint = "the face" if self._count == 1 else f"{self._count} faces separated by spaces"
        hint += ", or the number of successes" if counted_dice(self.dice) > 1 else ""
        return replace(super().view(), hint=hint)

    def _typed_with(self, key: str) -> str | None:
        if not is_digit(key) and key != "space":
            return None
        return with_digit(self._typed, " " if key == "space" else key, self.dice)[: LONGEST_NUMBER * self._count]

    def _read(self) -> Filled:
        return Filled(list(read_faces(self._typed, self.dice)))


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


def total_error(text: str, expression: str) -> str:
    """Why a typed total, whatever follows it, is too much for these dice; empty if it is not."""
    if not (text.isdecimal() and dice_of(expression)) or int(text) <= bounds(expression)[1]:
        return ""
    least, most = bounds(expression)
    return f"{expression} can't give {text}; accepted: {least} to {most}"


def with_digit(text: str, digit: str, expression: str) -> str:
    """The typed text with a digit appended; only the digit if the die cannot show the text before it."""
    begins_anew = len(dice_of(expression)) == 1 and bool(face_error(text, expression))
    return digit if begins_anew else text + digit


def _words_of_faces(text: str, expression: str) -> list[str]:
    """The typed text by dice: split at spaces, or by digits if no die has more than 9 faces."""
    sizes, words = dice_of(expression), text.split()
    return list(words[0]) if len(words) == 1 < len(sizes) and max(sizes) < 10 else words


def _shows(word: str, most: int) -> bool:
    return 1 <= int(word) <= most and len(word) <= len(str(most))


def _face_complaint(text: str, expression: str) -> str:
    accepts = "  ".join(f"1-{most}" for most in dice_of(expression))
    accepts += f", or 0-{counted_dice(expression)} successes" if counted_dice(expression) > 1 else ""
    dice, typed = bare_dice(expression), text.strip()
    complaint = f"{dice} can't show {typed}" if typed else f"type what the {dice} shows"
    return f"{complaint}; accepted: {accepts}"


def _successes(text: str, expression: str) -> int | None:
    """The number of successes that is typed in place of the faces of counted dice; None if it is none."""
    typed, most = text.strip(), counted_dice(expression)
    return int(typed) if most > 1 and typed.isdecimal() and int(typed) <= most else None


def read_faces(text: str, expression: str) -> tuple[int, ...]:
    """Read typed faces, parted by spaces if need be, or counted dice as successes; a ValueError says what can show."""
    sizes = dice_of(expression)
    words = _words_of_faces(text, expression)
    if len(words) == len(sizes) and all(map(_shows, words, sizes)):
        return tuple(int(word) for word in words)
    successes = _successes(text, expression)
    if successes is not None:
        return (successes,)
    raise ValueError(_face_complaint(text, expression))
