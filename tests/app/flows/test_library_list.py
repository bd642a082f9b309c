"""Going through the library's lists: the cursor is always on something, and stays on it while things change."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows.lists import Browse, Contents, LibraryItem, window_top

NAMES = ("Ford", "Bridge", "Tower", "Tavern at the ford")
FIGHTS = tuple(LibraryItem("fights", name.lower(), name, who=("Ysolde",) if name == "Bridge" else ()) for name in NAMES)
CONTENTS = Contents(fights=FIGHTS, encounters=(LibraryItem("encounters", "x", "Ambush"),))


def test_words_narrow_the_list_by_name_and_by_who_fights():
    browse = Browse(CONTENTS)
    assert [item.name for item in browse.with_filter("ford").visible()] == ["Ford", "Tavern at the ford"]
    assert [item.name for item in browse.with_filter("FORD tav").visible()] == ["Tavern at the ford"]
    assert [item.name for item in browse.with_filter("ysol").visible()] == ["Bridge"]
    assert browse.with_filter("nothing").item is None


def test_the_cursor_stays_on_its_item_when_the_list_changes():
    browse = Browse(CONTENTS).at(2)
    assert browse.item == FIGHTS[2]
    assert browse.with_filter("t").item == FIGHTS[2]
    fresh = replace(CONTENTS, fights=(LibraryItem("fights", "new", "New"), *FIGHTS))
    assert browse.with_contents(fresh).item == FIGHTS[2]
    gone = replace(CONTENTS, fights=FIGHTS[:2])
    assert browse.with_contents(gone).item == FIGHTS[1]


def test_each_section_remembers_its_line():
    browse = Browse(CONTENTS).at(3).turn(1)
    assert browse.item == CONTENTS.encounters[0]
    assert browse.turn(-1).item == FIGHTS[3]
    assert browse.turn(1).item is None
    assert browse.turn(1).turn(1) == browse.turn(-1)


@given(st.lists(st.integers(-9, 9)), st.text(alphabet="fordt ", max_size=4))
def test_the_cursor_is_on_something_wherever_it_goes(moves, words):
    browse = Browse(CONTENTS)
    for by in moves:
        browse = browse.move(by)
    browse = browse.with_filter(words)
    assert (browse.item is None) == (not browse.visible())
    assert browse.item is None or browse.item in browse.visible()


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 20), st.integers(1, 60))
def test_the_window_shows_the_cursor_and_never_more_than_there_is(index, top, height, count):
    index = min(index, count - 1)
    after = window_top(index, top, height, count)
    assert after <= index < after + height
    assert 0 <= after <= max(0, count - height)
    assert window_top(index, after, height, count) == after
