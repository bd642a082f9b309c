"""A line being typed: what goes in is there, what is taken out is gone, and it never leaves its line."""

from hypothesis import example, given
from hypothesis import strategies as st

from fightcall.paint.prompt_bar import LONGEST, TextLine, text_row
from fightcall.paint.runs import clean, row_text, row_width, width

LINES = st.builds(
    lambda text, share: TextLine(clean(text), int(len(clean(text)) * share)), st.text(max_size=40), st.floats(0, 1)
)
KEYS = ("left", "right", "home", "end", "backspace", "delete", "ctrl+a", "ctrl+e", "ctrl+u", "ctrl+w")


def press(line, *keys):
    for key in keys:
        line = line.press(key, key if len(key) == 1 else None)
    return line


def test_letters_go_in_where_the_cursor_is():
    line = press(TextLine(), *"halo", "left", "l", "end", "!")
    assert (line.text, line.cursor) == ("hallo!", 6)
    assert press(line, "home", "delete", "J").text == "Jallo!"
    assert press(line, "backspace", "backspace").text == "hall"


def test_words_and_lines_can_be_taken_back_at_once():
    line = TextLine.of("one two  three")
    assert press(line, "ctrl+w").text == "one two  "
    assert press(line, "ctrl+w", "ctrl+w").text == "one "
    assert press(line, "ctrl+w", "ctrl+w", "ctrl+w") == TextLine()
    assert press(line, "left", "ctrl+u") == TextLine("e", 0)


def test_keys_that_type_nothing_are_left_to_others():
    assert TextLine.of("x").press("f1", None) is None
    assert TextLine.of("x").press("enter", "\r") is None
    assert TextLine.of("x").press("ctrl+p", "p") is None
    assert TextLine().press("space", " ") == TextLine.of(" ")


@given(LINES, st.sampled_from(KEYS))
def test_the_cursor_stays_in_the_text(line, key):
    after = line.press(key, None)
    assert after is not None
    assert 0 <= after.cursor <= len(after.text) <= len(line.text)


@given(LINES, st.text(max_size=30))
def test_what_is_pasted_becomes_part_of_the_line(line, text):
    after = line.insert(text)
    assert after.text == line.text[: line.cursor] + clean(text) + line.text[line.cursor :]
    assert "\n" not in after.text
    assert after.cursor == line.cursor + len(clean(text))


def test_a_line_has_an_end():
    assert len(TextLine.of("x" * 10).insert("y" * 2 * LONGEST).text) == LONGEST


@example(TextLine("0\ua980", 1), 2)
@example(TextLine("0\ua980", 0), 2)
@given(LINES, st.integers(2, 30))
def test_it_is_drawn_in_its_room_with_the_cursor_in_sight(line, cells):
    row = text_row(line, cells)
    assert row_width(row) <= max(cells, 2)
    cursor = next(run for run in row if run.style == "prompt.cursor")
    assert cursor.text == (line.text[line.cursor : line.cursor + 1] or " ")
    if width(line.text) < cells:
        assert row_text(row).rstrip() == line.text.rstrip()
