"""The timeline shows rounds and phases, and where we are."""

from ford import check_golden, check_size, ford, texts
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.ribbon import TimelineModel, cell_of, position_of, timeline_rows
from fightcall.paint.runs import ASCII, UNICODE

FORD = ford()
SEGMENTS = TimelineModel(FORD.system).segments(FORD.line)
TOTAL = len(FORD.line)


def drawn(position=60, width=100, height=2, marks=(20,), glyphs=UNICODE, segments=SEGMENTS, total=TOTAL):
    return timeline_rows(
        segments, position=position, total=total, marks=marks, width=width, height=height, glyphs=glyphs
    )


def test_golden():
    check_golden("timeline", drawn().rows)


@given(
    st.integers(0, TOTAL), st.integers(1, 160), st.integers(1, 3), st.lists(st.integers(0, TOTAL), max_size=4),
    st.booleans(),
)  # fmt: skip
def test_rows_have_their_width(position, width, height, marks, ascii):
    check_size(drawn(position, width, height, marks, ASCII if ascii else UNICODE).rows, width, height)


def test_rounds_and_phases_have_names_and_the_running_one_is_lit():
    drawing = drawn(width=150)
    names = texts(drawing.rows)[0]
    assert names.index("Moment 1") < names.index("Missile") < names.index("Moment 2")
    assert "timeline.now" in {run.style for run in drawing.rows[0]}


def test_the_cursor_and_bookmarks_are_on_the_track():
    drawing = drawn(position=0, marks=(TOTAL,))
    track = texts(drawing.rows)[1]
    assert track[0] == "●"
    assert track[-1] == "⚑"
    assert texts(drawn(position=TOTAL, marks=()).rows)[1][-1] == "●"


@given(st.integers(2, 300), st.integers(0, 5000))
def test_both_ends_of_the_track_can_be_reached(width, total):
    assert position_of(0, width, total) == 0
    assert position_of(width - 1, width, total) == total
    assert 0 <= cell_of(total // 2, width, total) < width


@given(st.integers(0, 100), st.integers(101, 300))
def test_a_position_is_in_the_cell_a_click_on_which_means_it(position, width):
    assert position_of(cell_of(position, width, 100), width, 100) == position


def test_more_stretches_than_cells_are_not_drawn():
    assert "Moment" not in texts(drawn(width=4).rows)[0]
    assert set(texts(drawn(width=4, marks=(), position=0).rows)[1]) <= set("●─")


def test_an_empty_fight_is_drawn():
    check_size(drawn(0, 20, 2, (), segments=[], total=0).rows, 20, 2)


def test_the_model_follows_undo_and_new_play():
    fight = ford()
    model = TimelineModel(fight.system)
    assert model.segments(fight.line) == SEGMENTS
    for _ in range(4):
        fight.undo()
    fight.give("note", text="another way")
    fight.give("advance")
    assert model.segments(fight.line) == TimelineModel(fight.system).segments(fight.line)
