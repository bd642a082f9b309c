"""What is asked: the question, its answers, and what has been typed."""

import pytest
from ford import NASTY, check_golden, check_size, ford, texts
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.prompt_bar import ENTER, PromptView, prompt_rows, rows_wanted, view_of
from fightcall.paint.runs import ASCII, UNICODE

SNEAK = PromptView(
    "Goblin 3 sneaking ends its move: roll d20 ≤ agility 12 − armour 2",
    (("p", "passed"), ("f", "failed")),
    "1",
    "0-9 type the die",
    "SB-59",
    "",
    "roll",
    2,
)
words = st.sampled_from(NASTY) | st.text(max_size=30)


def prompt(view=SNEAK, width=80, height=3, **more):
    return prompt_rows(view, width=width, height=height, glyphs=UNICODE, **more)


@pytest.mark.parametrize(("width", "height"), [(80, 2), (64, 3), (120, 3)])
def test_golden(width, height):
    check_golden(f"prompt-{width}x{height}", prompt(width=width, height=height).rows)


@given(
    st.builds(
        PromptView, words, st.lists(st.tuples(st.sampled_from(["", "y", "n"]), words), max_size=5).map(tuple),
        st.none() | words, words, words, words, words, st.integers(0, 9),
    ),
    st.integers(1, 120), st.integers(1, 4),
)  # fmt: skip
def test_rows_have_their_width_whatever_is_asked(view, width, height):
    rows = prompt_rows(view, width=width, height=height, glyphs=ASCII).rows
    check_size(rows, width, height)


def test_question_answers_input_rule_and_queue():
    rows = texts(prompt(width=120).rows)
    assert rows[0].startswith(" ?  Goblin 3 sneaking")
    assert "  1 " in rows[0]
    assert rows[0].rstrip().endswith("SB-59  +2 more")
    assert "⏎ roll   p passed   f failed" in rows[1]
    assert "0-9 type the die" in rows[2]


def test_a_long_question_takes_two_rows_before_it_is_cut():
    rows = texts(prompt(width=60).rows)
    assert "armour 2" in rows[1]
    assert "⏎ roll" in rows[2]
    assert "0-9 type the die" in rows[2]
    assert prompt(width=60).at(rows[2].index("failed"), 2) == "f"


def test_the_rows_wanted_show_all_of_a_question_an_error_and_the_answers():
    question = "Sander has not settled: strike Corso. As things stand: he is too far away for melee. Let it go?"
    for error in ("", "Sander is too far from Corso for melee (engagement, CS-250), accepted: another target, abort"):
        view = PromptView(question, default="let it go", error=error)
        wanted = rows_wanted(view, width=40, glyphs=UNICODE)
        shown = " ".join("".join(texts(prompt(view, width=40, height=wanted).rows)).split())
        for word in (*question.split(), "⏎ let it go", *error.split()):
            assert word in shown
    assert rows_wanted(PromptView("Well?", error="no"), width=40, glyphs=UNICODE) == 2


def test_answers_come_before_the_hint_where_both_have_no_room():
    view = PromptView("Well?", (("y", "yes, and gladly"), ("n", "no, not ever")), hint="or whatever you like, really")
    assert texts(prompt(view, width=44, height=2).rows)[1].startswith("    y yes, and gladly   n no, not ever")


def test_an_error_takes_the_place_of_the_hint_in_red():
    view = PromptView("How much?", typed="99", hint="a number", error="99 is more than 12")
    for height in (2, 3):
        drawing = prompt(view, height=height)
        assert "✗  99 is more than 12" in texts(drawing.rows)[1]
        assert "prompt.error" in {run.style for run in drawing.rows[1]}
        assert "a number" not in "\n".join(texts(drawing.rows))


def test_a_click_gives_an_answer():
    drawing = prompt()
    row = texts(drawing.rows)[1]
    assert drawing.at(row.index("passed"), 1) == "p"
    assert drawing.at(row.index("roll"), 1) == ENTER
    assert drawing.at(79, 1) is None


def test_an_open_question_shows_its_default_first():
    fight = ford()
    while not fight.state.prompts:
        fight.give("advance")
    asked = fight.state.prompts[0]
    view = view_of(asked, 1)
    assert view.default == next(choice.label for choice in asked.choices if choice.id == asked.default)
    assert len(view.choices) == len(asked.choices) - 1
    assert (view.queue, view.rule) == (1, asked.rule)
