"""Drawing a question in the call bar: the question, its answers, and the typed text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import Drawing, Spot, apart, pad, shorten, stack, wrap
from fightcall.paint.runs import Row, Run, clean, cut, fit_ends, join, row_width
from fightcall.paint.runs import width as text_width
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.model.state import Prompt

ENTER = "enter"
"""The spot of the default."""
DIGITS = "digits"
"""The word for the keys that type a roll or a number."""
_MODIFIER = re.compile(r"[+-]\d+$")
_NUMBERS = {"chance": "the chance in %"}
"""What a number is, in words, where its name in the protocol says too little."""


@frozen
class PromptView:
    """A question as the bar shows it.

    Attributes:
        question: What is asked.
        choices: The key and the words of each answer.
        typed: The typed text; None if nothing can be typed.
        hint: What else can be done: `0-9 type the die`.
        rule: The rule behind the question.
        error: What was wrong with the last answer.
        reason: What is asked and why, if the GM wanted to know.
        default: What Enter gives.
        queue: How many more questions are waiting.
        remarks: A number or a word for each choice, shown in lists.
        stands_upright: Show the choices as a list, however few they are.
        is_impossible: The typed text cannot become an answer, whatever follows it.
    """

    question: str
    choices: tuple[tuple[str, str], ...] = ()
    typed: str | None = None
    hint: str = ""
    rule: str = ""
    error: str = ""
    default: str = ""
    queue: int = 0
    remarks: tuple[str, ...] = ()
    stands_upright: bool = False
    is_impossible: bool = False
    reason: str = ""

    @property
    def note(self) -> str:
        """What is said below the question."""
        return self.error or self.reason

    @property
    def enter_words(self) -> str:
        """What Enter does; empty if it only says what is missing."""
        if self.is_impossible:
            return ""
        return f"accept {self.typed}" if self.typed else self.default


def view_of(prompt: Prompt, queue: int = 0) -> PromptView:
    """The view of an open prompt."""
    choices = tuple((choice.key, choice.label) for choice in prompt.choices if choice.id != prompt.default)
    default = next((choice.label for choice in prompt.choices if choice.id == prompt.default), prompt.default)
    number = number_words(prompt)
    hint = f"{DIGITS}: {number}" if number else ""
    if not prompt.blocking:
        hint = f"{hint}   optional".strip()
    return PromptView(prompt.question, choices, None, hint, prompt.rule, "", default, queue)


def number_words(prompt: Prompt) -> str:
    """What digits type for a question: always its die if it has one, else the number that it names; may be empty."""
    return _MODIFIER.sub("", prompt.dice) or _NUMBERS.get(prompt.amount, prompt.amount)


def takes_dice(prompt: Prompt) -> bool:
    """Whether digits type a number that can also be given as dice."""
    return bool(prompt.amount) and not prompt.dice and prompt.amount not in _NUMBERS


def prompt_rows(view: PromptView, *, width: int, height: int, glyphs: Glyphs) -> Drawing:
    """The rows of a question. Spots are the keys of answers, and `enter` for the default.

    Args:
        view: The question being answered.
        width: Cells across.
        height: Rows down: one is enough for question and input, two also hold the answers, three errors and hints.
        glyphs: Marks to draw with.
    """
    entry = _input(view, width)
    answers, spots = _answers(view, width, glyphs)
    note_rows = _note_rows(view, width, glyphs)
    question_rows = _question(view, width, glyphs, entry, max(height - 1 - (len(note_rows) if view.note else 0), 1))
    if height == 1:
        return Drawing((*question_rows,))
    if view.note and (height == 2 or not spots):
        return Drawing(stack([*question_rows, *note_rows], width, height, "prompt"))
    if view.hint and (len(question_rows) + 1 >= height or (view.note and spots)):
        # No row is left for the hint, so it goes after the answers if there is room.
        if hint := _part_of(clean(view.hint), width - row_width(answers) - 2):
            answers = apart(answers, (Run(f" {hint} ", "prompt.hint"),), width, "prompt")
        note_rows = note_rows if view.note else []
    answer_spots = tuple(spot._replace(rows=range(len(question_rows), len(question_rows) + 1)) for spot in spots)
    return Drawing(stack([*question_rows, answers, *note_rows], width, height, "prompt"), answer_spots)


def _part_of(hint: str, cells: int) -> str:
    """A hint in at most `cells` cells, without its last parts if they do not fit; may be empty."""
    for between in ("   ", ", "):
        parts = hint.split(between)
        while len(parts) > 1 and text_width(between.join(parts)) > cells:
            parts.pop()
        hint = between.join(parts)
    return hint if text_width(hint) <= cells else ""


def offer_rows_wanted(view: PromptView, *, width: int, glyphs: Glyphs) -> int:
    """The height that shows an offer in full: a separate row for the answers if they do not fit by the question."""
    if _fits_one_row(view, width, glyphs):
        return 1
    return len(wrap(clean(view.question), width - 3)) + bool(_offer_pieces(view, glyphs))


def _fits_one_row(view: PromptView, width: int, glyphs: Glyphs) -> bool:
    answers = sum(row_width(piece) for _, piece in _offer_pieces(view, glyphs))
    return 4 + text_width(clean(view.question)) + answers <= width


def offer_rows(view: PromptView, *, width: int, height: int, glyphs: Glyphs) -> Drawing:
    """The rows of an open offer: the question, its default, and its other answers.

    Everything is in one row if it fits; else a long question takes up to `height` rows, the last one for the answers.
    """
    question, room = clean(view.question), width - 3
    lines = list(wrap(question, room))
    if height < 2 or _fits_one_row(view, width, glyphs):
        return _offer_row(view, question, width, glyphs)
    most = height - bool(_offer_pieces(view, glyphs))
    window = lines[:most]
    if len(window) < len(lines):
        window[-1] = shorten(" ".join(lines[most - 1 :]), room, glyphs)
    head = [Run(f" {glyphs.prompt} ", "prompt.mark"), Run("   ", "prompt")]
    question_rows = [
        pad((head[min(at, 1)], Run(line, "prompt.question")), width, "prompt") for at, line in enumerate(window)
    ]
    if most == height:
        return Drawing(tuple(question_rows))
    answers = _offer_row(view, "", width, glyphs)
    spots = tuple(
        Spot(range(len(question_rows), len(question_rows) + 1), spot.cells, spot.what) for spot in answers.spots
    )
    return Drawing((*question_rows, *answers.rows), spots)


def _offer_row(view: PromptView, question: str, width: int, glyphs: Glyphs) -> Drawing:
    pieces: list[tuple[str, Row]] = []
    most = cells_left = max(width - 4 - text_width(question), width // 3)
    for what, piece in _offer_pieces(view, glyphs):
        if row_width(piece) <= cells_left:
            pieces.append((what, piece))
            cells_left -= row_width(piece)
    room = width - 3 - (most - cells_left)
    short_question = shorten(question, room, glyphs) if question else ""
    mark = Run(f" {glyphs.prompt} ", "prompt.mark") if question else Run("", "prompt")
    row: Row = (mark, Run(short_question, "prompt.question"))
    spots: list[Spot] = []
    for what, piece in pieces:
        spots.append(Spot(range(1), range(row_width(row) + 3, row_width(row) + row_width(piece)), what))
        row = (*row, *piece)
    return Drawing((pad(row, width, "prompt"),), tuple(spots))


def _offer_pieces(view: PromptView, glyphs: Glyphs) -> list[tuple[str, Row]]:
    """The default and the other answers, each with its spot."""
    answers = [(ENTER, glyphs.enter, view.default)] if view.default else []
    return [
        (what, (Run(f"   {clean(key)} ", "prompt.choice.key"), Run(clean(label), "prompt.choice")))
        for what, key, label in (*answers, *((key, key, label) for key, label in _other_choices(view)))
    ]


def rows_wanted(view: PromptView, *, width: int, glyphs: Glyphs) -> int:
    """The height that shows a question in full; at least 1."""
    question_lines = len(wrap(view.question, _question_room(_input(view, width), width)))
    note_lines = len(_note_rows(view, width, glyphs)) if view.note else 0
    return question_lines + note_lines + (1 if not note_lines or _answer_pieces(view, glyphs) else 0)


def _question_room(input_row: Row, cells: int) -> int:
    return max(cells - 5 - row_width(input_row), 1)


def _question(view: PromptView, cells: int, glyphs: Glyphs, entry: Row, most: int) -> list[Row]:
    """Mark, question and input on the left, in at most `height` rows; rule and queue on the right if they fit."""
    rule = Run(f" {clean(view.rule)} " if view.rule else "", "prompt.rule")
    queue = Run(f" +{view.queue} more " if view.queue else "", "prompt.hint")
    room = _question_room(entry, cells)
    lines = list(wrap(view.question, room))
    if len(lines) > most:
        rest = " ".join(lines[most - 1 :])
        # The name comes first and the numbers last.
        lines[most - 1 :] = [fit_ends(rest, room, glyphs.ellipsis)]
    marks: list[Run] = [Run(f" {glyphs.prompt} ", "prompt.mark"), *[Run("   ", "prompt")] * (len(lines) - 1)]
    rows: list[Row] = [
        (mark, Run(" ", "prompt"), Run(line, "prompt.question"), Run(" ", "prompt"))
        for mark, line in zip(marks, lines, strict=True)
    ]
    rows[-1] = (*rows[-1], *entry)
    cells_left = cells - row_width(rows[-1])
    right: Row = next((row for row in ((rule, queue), (queue,), (rule,)) if row_width(row) <= cells_left), ())
    rows[-1] = apart(rows[-1], right, cells, "prompt")
    return [pad(row, cells, "prompt") for row in rows]


def _input(view: PromptView, cells: int) -> Row:
    """The typed text, or its end if it is too long, with the cursor after it."""
    if view.typed is None:
        return ()
    text = clean(view.typed)
    room = max(cells - text_width(clean(view.question)) - 8, 30)
    while text_width(text) > room:
        text = text[1:]
    return (Run(f" {text}", "prompt.input"), Run(" ", "prompt.cursor"), Run(" ", "prompt"))


def answers_width(view: PromptView, glyphs: Glyphs) -> int:
    """The width of all answers in a row."""
    return 4 + sum(row_width(piece) + 3 for _, piece in _answer_pieces(view, glyphs))


def _answer_pieces(view: PromptView, glyphs: Glyphs) -> list[tuple[str, Row]]:
    """The answers with their spots, the default first."""
    pieces: list[tuple[str, Row]] = []
    if view.default:
        default = Run(clean(view.default), "prompt.default")
        pieces.append((ENTER, (Run(f"{glyphs.enter} ", "prompt.choice.key"), default)))
    for key, label in _other_choices(view):
        key_run = (Run(f"{clean(key)} ", "prompt.choice.key"),) if key else ()
        pieces.append((key, (*key_run, Run(clean(label), "prompt.choice"))))
    return pieces


def _other_choices(view: PromptView) -> Iterator[tuple[str, str]]:
    """The answers without the default, which is shown separately."""
    return ((key, label) for key, label in view.choices if label != view.default)


def _answers(view: PromptView, cells: int, glyphs: Glyphs) -> tuple[Row, tuple[Spot, ...]]:
    row: Row = (Run("    ", "prompt"),)
    spots: list[Spot] = []
    for key, piece in _answer_pieces(view, glyphs):
        start, size = row_width(row), row_width(piece)
        if start + size > cells and spots:
            row = (*row, Run(cut(glyphs.ellipsis, max(cells - start, 0)), "prompt.hint"))
            break
        spots.append(Spot(range(1, 2), range(start, min(start + size, cells)), key))
        row = join((row, piece, (Run("   ", "prompt"),)))
    return row, tuple(spots)


def _note_rows(view: PromptView, cells: int, glyphs: Glyphs) -> list[Row]:
    """The error, else the reason, else the hint."""
    if view.note:
        mark, style = (glyphs.refused, "prompt.error") if view.error else (glyphs.bullet, "prompt.question")
        lines = wrap(view.note, cells - 4)
        return [(Run(f" {mark if at == 0 else ' '} ", style), Run(f" {line}", style)) for at, line in enumerate(lines)]
    return [(Run(f"    {line}", "prompt.hint"),) for line in wrap(view.hint, cells - 4)] if view.hint else []
