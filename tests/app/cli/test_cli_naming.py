"""Which fight is meant."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall.settings import find_paths
from fightcall.subcommands.console import Unusable, find_fight, is_encounter, match_names, nearest

# The first text that Hypothesis draws in a fresh checkout builds its table of characters, for a second or more.


@pytest.fixture
def three(home):
    made = [
        home.fight("ford-aaaa", "Ambush at the Ford"),
        home.fight("tower-bbbb", "The Tower"),
        home.fight("x", "Ford"),
    ]
    for age, path in enumerate(made):
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    return made


def test_by_id_even_where_the_library_is_damaged(three, home):
    home.library.write_text("rubbish", encoding="utf-8")
    assert find_fight("tower-bbbb", find_paths()) == three[1]


def test_by_a_part_of_the_name_or_the_whole_of_it(three):
    assert find_fight("tower", find_paths()) == three[1]
    assert find_fight("AMBUSH", find_paths()) == three[0]
    # Two have the word in them, and one of these is called exactly so.
    assert find_fight("ford", find_paths()) == three[2]


def test_the_last_one_is_the_one_written_last(three):
    assert find_fight("last", find_paths()) == three[0]
    os.utime(three[1])
    assert find_fight("last", find_paths()) == three[1]


def test_by_its_path(three, tmp_path):
    elsewhere = tmp_path / "copy.jsonl"
    elsewhere.write_bytes(three[0].read_bytes())
    assert find_fight(str(elsewhere), find_paths()) == elsewhere
    with pytest.raises(Unusable, match="file not found"):
        find_fight(str(tmp_path / "gone.jsonl"), find_paths())


def test_several_are_listed(three):
    with pytest.raises(Unusable, match="matches 2 fights") as several:
        find_fight("the ", find_paths())
    for listed in ("ford-aaaa  (Ambush at the Ford)", "tower-bbbb  (The Tower)"):
        assert listed in str(several.value)


def test_an_unknown_one_is_answered_with_those_that_look_like_it(three):
    with pytest.raises(Unusable, match=r"(?s)no fight 'towr'; did you mean:.*tower-bbbb"):
        find_fight("towr", find_paths())
    with pytest.raises(Unusable, match="fightcall list"):
        find_fight("zzzzzz", find_paths())


def test_without_any_fight_the_way_to_one_is_named(home):
    with pytest.raises(Unusable, match="fightcall play a-first-fight"):
        find_fight("last", find_paths())


def test_a_renamed_fight_is_found_by_its_new_name(three):
    from fightcall.shelf import Shelf

    Shelf(find_paths()).library.rename("x", "Bridge")
    assert find_fight("bridge", find_paths()) == three[2]


def test_encounters_are_known_by_file_and_by_name(home):
    home.write("encounters/my-own.toml", 'name = "Cellar of Rats"\nsystem = "stage"\n')
    for name in ("ambush-at-the-ford", "Ambush at the Ford", "my own", "cellar of rats", "some/where", "a.toml"):
        assert is_encounter(name, find_paths()), name
    for name in ("ford", "cellar", "last", ""):
        assert not is_encounter(name, find_paths()), name


_names = st.dictionaries(st.from_regex(r"[a-z]{1,8}-[0-9]{2}", fullmatch=True), st.text(max_size=12), max_size=6)


@given(_names, st.text(max_size=6))
def test_what_matches_is_there_and_the_exact_name_wins(names, wanted):
    found = match_names(wanted, names)
    assert set(found) <= set(names)
    same = [one for one, name in names.items() if name.casefold().strip() == wanted.casefold().strip()]
    assert not same or found == same
    assert set(nearest(wanted, names)) <= set(names)


@given(_names)
def test_every_fight_is_found_by_its_own_name(names):
    for one, name in names.items():
        if name.strip():
            assert one in match_names(name, names)
