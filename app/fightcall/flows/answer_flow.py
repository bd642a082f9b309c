"""Answering an open prompt: Enter takes the default, a letter picks, digits type a roll or an amount."""

from __future__ import annotations

from collections.abc import Sequence

from fightcall.flows.base import (
    BACKWARD,
    CANCELLED,
    IGNORED,
    ONWARD,
    STAY,
    TYPES_A_SPACE,
    UNANSWERED,
    Overlay,
    Reply,
    Select,
    table_die_words,
)
from fightcall.flows.dice_fields import dice_of, face_error, read_faces, with_digit
from fightcall.flows.fields import MEANINGS, cycle_index, is_digit
from fightcall.flows.text_fields import is_amount_key, line_text, read_amount, typed_into
from fightcall.flows.text_line import TextLine
from fightcall.paint.prompt_bar import DIGITS, PromptView, number_words, takes_dice
from fightcall.table import Give
from fightcall_engine.board.base import Location
from fightcall_engine.model.state import Choice, Json, Prompt


class AnswerFlow:
    """A flow that answers one prompt. Other keys are left to the screen, so that undo and help still work.

    The letter of a choice takes precedence over the same letter in dice: type ``1d6`` if ``d`` is an answer.

    Args:
        prompt: the question.
        at: the place of the combatant it is about.
        queue: how many more questions are open.
        owed_die: the dice that the table must type for the default answer; empty for none.
    """

    def __init__(self, prompt: Prompt, at: Location | None = None, queue: int = 0, *, owed_die: str = "") -> None:
        self.prompt = prompt
        self._owed_die = owed_die
        self._at = at
        self._queue = queue
        self._keys = answer_keys(prompt.choices, digits=not (prompt.dice or prompt.amount))
        ids = [choice.id for choice in prompt.choices]
        self._chosen = ids.index(prompt.default) if prompt.default in ids else -1
        self._typed = ""
        self._line = TextLine()
        self._error = ""

    @property
    def is_typing(self) -> bool:
        """True if the answer is free text: there are no choices, and no number is asked for."""
        return not self.prompt.choices and not self.prompt.amount

    @property
    def is_as_proposed(self) -> bool:
        """True while nothing was typed, and the default is marked."""
        choice_id = self.prompt.choices[self._chosen].id if self._chosen >= 0 else self.prompt.default
        return not self._typed and not self._line.text and choice_id == self.prompt.default

    @property
    def takes_proposal(self) -> bool:
        """True if Enter gives the default."""
        return self.is_as_proposed and not self._owed_die

    @property
    def waits_for_die(self) -> bool:
        """True while the default needs a roll of the table that was not typed."""
        return bool(self._owed_die) and self.is_as_proposed

    @property
    def call_words(self) -> str:
        """What the space bar does, in words."""
        if self.is_typing:
            return TYPES_A_SPACE
        return "a space, before the next die" if self.parts_dice else self.view().enter_words or UNANSWERED

    def view(self) -> PromptView:
        """The question as the call bar shows it."""
        prompt = self.prompt
        hint = ", or ".join(filter(None, ("any words" if self.is_typing else "", self._thrown_words())))
        return PromptView(
            question=prompt.question,
            choices=self._other_choices(),
            typed=line_text(self._line) if self.is_typing else self._typed,
            hint=hint,
            rule=prompt.rule,
            error=self._error or face_error(self._typed, self._dice),
            is_impossible=bool(face_error(self._typed, self._dice)),
            default="" if self._typed or self.waits_for_die else self._default_label(),
            queue=self._queue,
        )

    def _other_choices(self) -> tuple[tuple[str, str], ...]:
        """The keys and words of the answers, without the one that Enter gives, which is shown separately."""
        pairs = tuple(zip(self._keys, (choice.label for choice in self.prompt.choices), strict=True))
        return pairs if self._typed else tuple(pair for at, pair in enumerate(pairs) if at != self._chosen)

    def _thrown_words(self) -> str:
        words = number_words(self.prompt)
        if self.prompt.dice:
            return f"{DIGITS}: the {words} rolled at the table"
        return f"{DIGITS}: {words}{', or dice' if takes_dice(self.prompt) else ''}" if words else ""

    def _default_label(self) -> str:
        return self.prompt.choices[self._chosen].label if self._chosen >= 0 else self.prompt.default

    def overlay(self) -> Overlay:
        """The place of the combatant it is about."""
        return Overlay(cursor=self._at)

    def press(self, key: str) -> Reply:
        """Answer, type, or leave the key to the screen; see `Flow.press`."""
        self._error = ""
        if key == "escape":
            return CANCELLED
        if key == "enter":
            return self._enter()
        return self._write(key) if self.is_typing else self._choose(key)

    def _write(self, key: str) -> Reply:
        if key == "backspace" and not self._line.text:
            return STAY
        line = typed_into(self._line, key)
        if line is None:
            return IGNORED
        self._line = line
        return STAY

    def _choose(self, key: str) -> Reply:
        if key == "backspace" and self._typed:
            self._typed = self._typed[:-1]
            return STAY
        if key in self._keys and key and not self._typed:
            return self._take(self.prompt.choices[self._keys.index(key)])
        if self._types(key):
            self._typed = with_digit(self._typed, " " if key == "space" else key.lower(), self._dice)
            return STAY
        if key in (*ONWARD, *BACKWARD) and self.prompt.choices:
            first = self._chosen if self._chosen >= 0 or key in ONWARD else 0
            self._chosen = cycle_index(first, key, len(self.prompt.choices))
            return STAY
        if self._typed and key == "space":
            return self._enter()
        if self._typed and len(key) == 1:
            self._error = f"{key} does nothing here; Enter accepts {self._typed}"
            return STAY
        if key in MEANINGS:
            # Elsewhere this letter may begin an act, which a key pressed too late must not do.
            self._error = f"{MEANINGS[key]} isn't an answer here"
            return STAY
        return IGNORED

    @property
    def _dice(self) -> str:
        """The dice whose faces can be typed; empty if only another number can be."""
        return self.prompt.dice

    @property
    def parts_dice(self) -> bool:
        """True if spaces separate the typed faces of several dice."""
        return self._types("space")

    def _types(self, key: str) -> bool:
        if takes_dice(self.prompt):
            return is_amount_key(key, self._typed)
        if not self.prompt.dice:
            return bool(self.prompt.amount) and is_digit(key)
        return is_digit(key) or (key == "space" and bool(self._typed) and len(dice_of(self.prompt.dice)) > 1)

    def _enter(self) -> Reply:
        if self.is_typing:
            return self._enter_words()
        try:
            return self._enter_typed() if self._typed else self._enter_chosen()
        except ValueError as error:
            self._error = str(error)
            return STAY

    def _enter_chosen(self) -> Reply:
        if self.waits_for_die:
            raise ValueError(table_die_words(self._owed_die))
        if self._chosen < 0 and not self.prompt.default:
            raise ValueError("this question needs an answer")
        if self._chosen < 0:
            return self._give(choice=self.prompt.default)
        return self._take(self.prompt.choices[self._chosen])

    def _take(self, choice: Choice) -> Reply:
        """Answer with a choice. If the choice is an act of a combatant, select that one instead."""
        return Select(choice.who, to_act=True) if choice.who else self._give(choice=choice.id)

    def _enter_typed(self) -> Reply:
        if not self.prompt.dice:
            return self._give(amount=read_amount(self._typed))
        faces = read_faces(self._typed, self.prompt.dice)
        if self._chosen < 0 and len(self.prompt.choices) != 1:
            raise ValueError("choose an answer with Tab, besides the die")
        choice_id = self.prompt.choices[max(self._chosen, 0)].id
        return self._give(choice=choice_id, rolls={self.prompt.purpose: list(faces)})

    def _enter_words(self) -> Reply:
        text = self._line.text.strip()
        if not text and not self.prompt.default:
            self._error = "this question needs an answer"
            return STAY
        return self._give(choice=text or self.prompt.default)

    def _give(self, **data: Json) -> Give:
        return Give("Answer", {"prompt": self.prompt.id, **data})

    def point(self, place: Location) -> Reply:
        """A click on the board answers nothing."""
        return IGNORED

    def pick(self, combatant_id: str) -> Reply:
        """A click on a combatant answers nothing."""
        return IGNORED

    def complain(self, what: str) -> None:
        """Show what was wrong with the answer."""
        self._error = what


def answer_keys(choices: Sequence[Choice], *, digits: bool) -> tuple[str, ...]:
    """The key of each choice: its own, else a digit if digits are not an answer themselves."""
    spare = (str(number) for number in range(1, 10))
    return tuple(choice.key or (next(spare, "") if digits else "") for choice in choices)
