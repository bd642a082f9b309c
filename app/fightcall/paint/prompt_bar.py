"""Drawing questions and lists, typed lines, and the foot: the two lowest rows of most screens.

A list has a key before each row, columns for text, number and rule, and a marked row. Lists are used for actions,
rulings and moments, and for answers that do not fit into the call bar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from fightcall.paint.combatants import SHORT_FORMS
from fightcall.paint.runs import (
    Drawing,
    Glyphs,
    Row,
    Run,
    Spot,
    apart,
    break_off,
    clean,
    cut,
    fit,
    fit_ends,
    join,
    pad,
    row_width,
    scroll_marks,
    shorten,
    shorten_name,
    stack,
    width,
    wrap,
)
from fightcall.paint.runs import width as text_width
from fightcall_engine.kit.phrases import question_alone
from fightcall_engine.model.dice import bare_dice
from fightcall_engine.model.state import Prompt
from fightcall_engine.model.values import frozen

ENTER = "enter"
"""The spot of the default."""
DIGITS = "digits"
"""The word for the keys that type a roll or a number."""
_NUMBERS = {"chance": "the chance in %"}

Tone = Literal["plain", "quiet", "named", "aside"]
"""An ordinary row; one that is unavailable or less important; a bookmark; text in the margin."""

_STYLES: dict[Tone, str] = {"plain": "text", "quiet": "dim", "named": "feed.bookmark", "aside": "info"}
ROOMY = 42
"""The width from which sections and rules have columns of their own."""
KEY_ROWS = 3
"""The most rows for the keys of a list."""
LONGEST_SECTION = 14
"""The most cells for the names of sections."""


@frozen
class PromptView:
    """A question as the bar shows it.

    Attributes:
        typed: The typed text; None if nothing can be typed.
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
    return bare_dice(prompt.dice) or _NUMBERS.get(prompt.amount, prompt.amount)


def takes_dice(prompt: Prompt) -> bool:
    """Whether digits type a number that can also be given as dice."""
    return bool(prompt.amount) and not prompt.dice and prompt.amount not in _NUMBERS


def prompt_rows(view: PromptView, *, width: int, height: int, glyphs: Glyphs) -> Drawing:
    """The rows of a question. Spots are the keys of answers, and `enter` for the default.

    One row is enough for question and input, two also hold the answers, three errors and hints.
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
    answer_spots = tuple(spot.move(len(question_rows) - 1) for spot in spots)
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
    return Drawing((*question_rows, *answers.rows), tuple(spot.move(len(question_rows)) for spot in answers.spots))


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
    if view.typed is None:
        return ()
    text = clean(view.typed)
    room = max(cells - text_width(clean(view.question)) - 8, 30)
    while text_width(text) > room:
        text = text[1:]
    return (Run(f" {text}", "prompt.input"), Run(" ", "prompt.cursor"), Run(" ", "prompt"))


def _answer_pieces(view: PromptView, glyphs: Glyphs) -> list[tuple[str, Row]]:
    pieces: list[tuple[str, Row]] = []
    if view.default:
        default = Run(clean(view.default), "prompt.default")
        pieces.append((ENTER, (Run(f"{glyphs.enter} ", "prompt.choice.key"), default)))
    for key, label in _other_choices(view):
        key_run = (Run(f"{clean(key)} ", "prompt.choice.key"),) if key else ()
        pieces.append((key, (*key_run, Run(clean(label), "prompt.choice"))))
    return pieces


def _other_choices(view: PromptView) -> Iterator[tuple[str, str]]:
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
    if view.note:
        mark, style = (glyphs.refused, "prompt.error") if view.error else (glyphs.bullet, "prompt.question")
        lines = wrap(view.note, cells - 4)
        return [(Run(f" {mark if at == 0 else ' '} ", style), Run(f" {line}", style)) for at, line in enumerate(lines)]
    return [(Run(f"    {line}", "prompt.hint"),) for line in wrap(view.hint, cells - 4)] if view.hint else []


# Lists


@frozen
class ListRow:
    """A row of a list, with its group (a heading) and its section of it, drawn where they change.

    Without a key, only mark and Enter pick it. A branch is drawn in a tree, nested in `depth` others; -1 for no branch.
    """

    what: str
    key: str = ""
    number: str = ""
    rule: str = ""
    tone: Tone = "plain"
    group: str = ""
    section: str = ""
    depth: int = -1


@frozen
class ListView:
    """A list, or the rows of it that may be visible: so many come `above` them, of a `total`, 0 if `rows` has all.

    The index of the marked row is -1 for none. Nothing can be typed into a search or a line to complete that is None.
    """

    title: str
    rows: tuple[ListRow, ...]
    marked: int = -1
    above: int = 0
    total: int = 0
    typed: str | None = None
    keys: tuple[tuple[str, str], ...] = ()
    note: str = ""
    empty: str = ""

    @property
    def place(self) -> str:
        total = max(self.total, len(self.rows))
        return f"{self.above + self.marked + 1} of {total}" if self.marked >= 0 else ""


def upright_answers(view: PromptView, *, width: int, glyphs: Glyphs) -> ListView | None:
    """The answers to a question as a list; None if they fit beside it, `width` being what the call bar has for them."""
    answers_width = 4 + sum(row_width(piece) + 3 for _, piece in _answer_pieces(view, glyphs))
    if not view.choices or (not view.stands_upright and answers_width <= width):
        return None
    remarks = (*view.remarks, *[""] * len(view.choices))
    rows = tuple(ListRow(label, key, remark) for (key, label), remark in zip(view.choices, remarks, strict=False))
    marked_row = next((at for at, row in enumerate(rows) if row.what == view.default), -1)
    entry = view.typed if view.stands_upright else None
    return ListView(question_alone(view.question), rows, marked_row, typed=entry)


def list_rows(view: ListView, *, width: int, height: int, glyphs: Glyphs) -> Drawing:
    """The list in `width` by `height` cells, with the marked row near the middle. Spots are the keys of rows."""
    if width < 8 or height < 1:
        return Drawing((pad((), width, "text"),) * height)
    head = _typed_rows(view, width, glyphs)
    most = max(height // 3, 1)
    notes = wrap(view.note, width - 2)[:most] if view.note else ()
    lines: list[Row] = [()]
    for key, words in view.keys:
        key_text = glyphs.enter if key == "enter" else key
        piece: Row = (Run(f" {clean(key_text)} ", "keybar.key"), Run(f"{clean(words)} ", "keybar.text"))
        if row_width(lines[-1]) + row_width(piece) <= width:
            lines[-1] = (*lines[-1], *piece)
        elif len(lines) < min(KEY_ROWS, most):
            lines.append(piece)
    foot = [pad((Run(f" {line}", "info"),), width, "text") for line in notes]
    foot += [pad(line, width, "keybar") for line in lines if line]
    head, foot = head[:height], foot[: max(height - len(head) - 1, 0)]
    room = height - len(head) - len(foot)
    body, spots = _body(view, width, room, glyphs)
    return Drawing((*head, *body, *foot), tuple(spot.move(len(head)) for spot in spots))


# The rows


def _body(view: ListView, cells: int, room: int, glyphs: Glyphs) -> tuple[tuple[Row, ...], list[Spot]]:
    if not view.rows:
        note = ((Run(f" {line}", "dim"),) for line in wrap(view.empty, cells - 2))
        return stack(note, cells, room, "text"), []
    inner, at = cells - 1, max(view.marked, 0)
    is_long = len(view.rows) > room or view.total > len(view.rows)
    lines = [] if is_long else _lines_about(view, at, room, inner, glyphs)
    if is_long or len(lines) > room:
        # A space separates the text from the scroll bar.
        lines = _lines_about(view, at, room, inner - 1, glyphs)
    middle = next(index for index, (place, _) in enumerate(lines) if place == at)
    start = max(0, min(middle - room // 2, len(lines) - room))
    window = lines[start : start + room]
    visible = len({place for place, _ in window if place >= 0})
    total = max(view.total, len(view.rows))
    top = view.above + next((place for place, _ in window if place >= 0), 0)
    marks = scroll_marks(top * room // max(visible, 1), room, max(total * room // max(visible, 1), room), glyphs)
    rows: list[Row] = []
    spots: list[Spot] = []
    for y, (place, line) in enumerate(window):
        edge = marks[y] if marks else Run(" ", "text")
        rows.append((*pad(line, inner, "text"), edge))
        if place >= 0 and view.rows[place].key:
            spots.append(Spot(range(y, y + 1), range(cells), view.rows[place].key))
    return stack(rows, cells, room, "text"), spots


def _lines_about(view: ListView, at: int, room: int, cells: int, glyphs: Glyphs) -> list[tuple[int, Row]]:
    columns = _Columns.of(view, cells)
    first, last = max(at - room, 0), min(at + room + 1, len(view.rows))
    return [
        line for place in range(first, last) for line in _row_lines(view, place, place == first, columns, cells, glyphs)
    ]


@frozen
class _Columns:
    """The width of each column; 0 for one that is not needed."""

    section: int
    key: int
    rule: int
    has_tree: bool = False

    @classmethod
    def of(cls, view: ListView, cells: int) -> _Columns:
        def widest(texts: Iterable[str], most: int) -> int:
            return min(max(map(width, texts), default=0), most)

        roomy = cells >= ROOMY
        section = widest((_section_words(row.section) for row in view.rows), LONGEST_SECTION) if roomy else 0
        key = widest((clean(row.key) for row in view.rows), 3)
        rule = widest((clean(row.rule) for row in view.rows), 9) if roomy else 0
        has_tree = any(row.depth >= 0 for row in view.rows)
        return cls(section + 1 if section else 0, key, rule, has_tree)


def tree_margin(depth: int, glyphs: Glyphs) -> str:
    """The margin of a row in a tree: the main line for a negative depth, else a branch nested so deep."""
    if depth < 0:
        return f"{glyphs.divider} "
    return f"{glyphs.divider} " * depth + f"{glyphs.branch}{glyphs.rule} "


def _row_lines(
    view: ListView, place: int, is_first: bool, columns: _Columns, cells: int, glyphs: Glyphs
) -> list[tuple[int, Row]]:
    row, before = view.rows[place], view.rows[place - 1] if place and not is_first else None
    lines: list[tuple[int, Row]] = []
    # Sections without a column are in the heading.
    titles = [(each.group, "" if columns.section else each.section) if each else () for each in (row, before)]
    heading, last = (" · ".join(filter(None, map(clean, title))) for title in titles)
    if heading and heading != last:
        lines += [(-1, (Run(f" {text}", "heading"),)) for text in wrap(heading, cells - 2)]
    is_marked = place == view.marked
    opens = before is None or (before.group, before.section) != (row.group, row.section)
    section = fit(_section_words(row.section) if opens else "", columns.section, ellipsis=glyphs.ellipsis)
    lead: Row = (
        Run(f" {section}" if columns.section else "", "dim"),
        Run(f"{glyphs.selected if is_marked else ' '}", "roster.mark"),
        Run(f"{clean(row.key):<{columns.key}} ", "heading"),
        *((Run(tree_margin(row.depth, glyphs), "dim"),) if columns.has_tree else ()),
    )
    number = clean(row.number)
    style = "title" if is_marked else _STYLES[row.tone]
    # A row without number and rule can use their columns for its text.
    right: list[Run] = [Run(f" {number}", "options.cost")] if number else []
    right += [Run(f" {clean(row.rule):<{columns.rule}}", "dim")] if columns.rule and (row.rule or number) else []
    below = ""
    if width(number) > cells // 2 and width(clean(row.what)) > cells - row_width(lead) - row_width(tuple(right)) - 1:
        # A remark beside a name, such as what a command does, goes below it if both do not fit in a line.
        below, right = number, right[1:]
    room = max(cells - row_width(lead) - row_width(tuple(right)) - 1, 8)
    # Number and rule are only beside the first line, so later lines can use the full width.
    first, *rest = wrap(row.what, room)
    more = wrap(" ".join(rest), max(cells - row_width(lead) - 2, 8)) if rest else ()
    lines.append((place, apart((*lead, Run(first, style)), tuple(right), cells, "text")))
    indent = Run(" " * (row_width(lead) + 2), "text")
    lines += [(place, (indent, Run(text, style))) for text in more]
    lines += [(place, (indent, Run(text, "options.cost"))) for text in wrap(below, cells - width(indent.text)) if below]
    return lines


def _section_words(section: str) -> str:
    text = clean(section)
    if width(text) <= LONGEST_SECTION:
        return text
    first, *others = text.split(" · ")[-1].split(" + ")
    more = f" +{len(others)}" if others else ""
    return shorten_name(SHORT_FORMS.get(first, first), LONGEST_SECTION - width(more)) + more


# Above and below them


def _typed_rows(view: ListView, cells: int, glyphs: Glyphs) -> list[Row]:
    if view.typed is None:
        return []
    lines = wrap(view.typed, cells - 5)
    # Keep a trailing space of the typed text.
    lines = (*lines[:-1], lines[-1] + " " * (view.typed.endswith(" ") and not lines[-1].endswith(" ")))
    rows: list[Row] = [
        (Run(f" {glyphs.prompt} " if at == 0 else "   ", "prompt.mark"), Run(line, "prompt.input"))
        for at, line in enumerate(lines)
    ]
    rows[-1] = (*rows[-1], Run(" ", "prompt.cursor"))
    return [pad(row, cells, "text") for row in rows]


LONGEST = 4000

MessageTone = Literal["info", "warn", "error"]
_TONES = {"info": "info", "warn": "warn", "error": "bad"}
FOOT_HEIGHT = 2


@frozen
class TextLine:
    """Text with a cursor after so many of its characters."""

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
        """The line after a key, which may type a character; None if the key is none for typing."""
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
            case _ if character is not None and character.isprintable() and "ctrl+" not in key:
                return self.insert(character)
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


# The two lowest rows of a screen


@frozen
class Answer:
    """An answer to a question. If it `is_proposed`, Enter gives it, too; only for answers that lose nothing."""

    key: str
    label: str
    do: Callable[[], None]
    is_proposed: bool = False


@frozen
class Question:
    """A question of the screen. Escape always answers it by doing nothing, and so does n where y is an answer.

    Its `error` says why the last key was no answer.
    """

    text: str
    answers: tuple[Answer, ...]
    error: str = ""


@frozen
class Entry:
    """A line being typed. `done` gets the text at Enter and returns what is wrong with it; `changed` every change."""

    prompt: str
    line: TextLine
    done: Callable[[str], str | None]
    changed: Callable[[str], None] | None = None
    cancelled: Callable[[], None] | None = None
    hint: str = ""
    error: str = ""


@frozen
class Foot:
    """What the two lowest rows of a screen can show."""

    message: str = ""
    tone: MessageTone = "info"
    question: Question | None = None
    entry: Entry | None = None


def key_row(keys: Iterable[tuple[str, str]], cells: int, style: str = "keybar") -> Row:
    """As many (key, text) pairs as fit, the most useful first."""
    row: list[Run] = [Run(" ", style)]
    cells_used = 1
    for key, text in keys:
        piece = (Run(clean(key), "keybar.key"), Run(f" {clean(text)}", "keybar.text"), Run("  ", style))
        size = row_width(piece)
        if cells_used + size - 1 > cells:
            break
        row += piece
        cells_used += size
    return pad(tuple(row), cells, style)


def foot_rows(foot: Foot, keys: Iterable[tuple[str, str]], cells: int, glyphs: Glyphs) -> tuple[Row, ...]:
    """The message above the keys, or the question above its answers, or the line being typed above its note."""
    if foot.entry is not None:
        return _entry_rows(foot.entry, cells, glyphs)
    if foot.question is not None:
        question = foot.question
        question_runs = (*_mark(glyphs), Run(clean(question.text), "prompt.question"))
        pairs = [(f"enter/{each.key}" if each.is_proposed else each.key, each.label) for each in question.answers]
        error: Row = (Run(f" {clean(question.error)} ", "prompt.error"),) if question.error else ()
        answers = key_row((*pairs, ("esc", "cancel")), cells - row_width(error))
        return pad(question_runs, cells, "prompt"), pad((*answers, *error), cells, "keybar")
    words = break_off(clean(foot.message), cells - 1, glyphs)
    message = (Run(f" {words}", _TONES[foot.tone]),) if foot.message else ()
    return pad(message, cells, "text"), key_row(keys, cells)


def _mark(glyphs: Glyphs) -> tuple[Run, Run]:
    return Run(f" {glyphs.prompt} ", "prompt.mark"), Run(" ", "prompt")


def _entry_rows(entry: Entry, cells: int, glyphs: Glyphs) -> tuple[Row, Row]:
    head = (*_mark(glyphs), Run(f"{clean(entry.prompt)} ", "prompt.question"))
    room = max(8, cells - row_width(head) - 1)
    above = pad((*head, *text_row(entry.line, room)), cells, "prompt")
    keys = key_row((("enter", "done"), ("esc", "cancel")), min(cells, 28))
    note = entry.error or entry.hint
    style = "prompt.error" if entry.error else "prompt.hint"
    note_run = Run(f"{clean(note)} ", style)
    if width(note) + 1 > cells - row_width(keys):
        return above, pad((note_run,), cells, "keybar")
    return above, apart(keys, (note_run,), cells, "keybar")
