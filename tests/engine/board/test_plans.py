"""Floor plans as text: read, drawn again, and what is said of those that cannot be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.board.base import OPEN, Terrain
from fightcall_engine.board.maps import MapError, Passage, draw_plan, read_plan
from fightcall_engine.board.zones import Border, Zone, ZoneBoard, touching

INN = """
TTTTGG
TTTTGG  C
YYYYYY
"""
ZONES = {
    "T": ("Taproom", OPEN),
    "G": ("Gallery", Terrain("Gallery", cost=2)),
    "Y": ("Yard", OPEN),
    "C": ("Cellar", OPEN),
}


def test_zones_that_touch_are_joined():
    board = read_plan(INN, ZONES, scale=20, unit="m")
    assert board.places() == ("Taproom", "Gallery", "Yard", "Cellar")
    assert board.zone("Gallery") == Zone("Gallery", 4, 0, 2, 2, Terrain("Gallery", cost=2))
    assert board.zone("Yard") == Zone("Yard", 0, 2, 6, 1)
    assert {frozenset(border) for border in board.borders} == {
        frozenset(pair) for pair in (("Taproom", "Gallery"), ("Taproom", "Yard"), ("Gallery", "Yard"))
    }
    assert (board.scale, board.unit) == (20, "m")


def test_walls_doors_and_ways_that_the_plan_does_not_show():
    passages = (
        Passage("Yard", "Taproom", blocks_sight=True),
        Passage("Gallery", "Yard", joined=False),
        Passage("Cellar", "Taproom"),
    )
    board = read_plan(INN, ZONES, passages)
    assert board.neighbours("Yard") == ("Taproom",)
    assert board.neighbours("Cellar") == ("Taproom",)
    assert not board.sight("Yard", "Taproom").clear
    assert board.sight("Cellar", "Taproom").clear


@pytest.mark.parametrize("margin", [0, 7])
def test_a_margin_is_no_part_of_the_plan(margin):
    moved = "\n".join(" " * margin + line for line in INN.split("\n"))
    assert read_plan(moved, ZONES) == read_plan(INN, ZONES)


@pytest.mark.parametrize(
    ("drawn", "place", "wrong"),
    [
        ("", (1, 1), "the plan is empty"),
        ("TTTT\nT TT\n", (2, 2), "Taproom isn't a filled rectangle: 'T' is missing here"),
        ("TTGG\nTTYY\n  C\nX", (4, 1), "'X' isn't a zone; accepted: T G Y C"),
        ("TTGG\nTTYY", (0, 0), "not on the plan: Cellar .C."),
        ("TGYC" + "C" * 200, (1, 1), "too large"),
    ],
)
def test_plans_that_cannot_be(drawn, place, wrong):
    with pytest.raises(MapError, match=wrong) as bad:
        read_plan(drawn, ZONES)
    assert place in {(problem.line, problem.column) for problem in bad.value.problems}


def test_two_words_on_one_passage():
    with pytest.raises(ValueError, match="joined twice"):
        read_plan(INN, ZONES, (Passage("Yard", "Taproom"), Passage("Taproom", "Yard", joined=False)))
    with pytest.raises(ValueError, match="leads to 'Attic'"):
        read_plan(INN, ZONES, (Passage("Yard", "Attic"),))


@st.composite
def plans(draw):
    """Zones side by side and below each other on a grid, joined as it comes."""
    across, down = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    wide, high = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    zones = []
    for row in range(down):
        for col in range(across):
            name = f"{draw(st.sampled_from(['Hall', 'hut', 'Øde', '7th']))} {row}{col}"
            ground = Terrain(name, cost=draw(st.integers(1, 3)), cover=draw(st.none() | st.just("light")))
            zones.append(Zone(name, col * wide, row * high, wide, high, ground))
    named = [zone.name for zone in zones]
    pairs = [(a, b) for place, a in enumerate(named) for b in named[place + 1 :]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=8)) if pairs else []
    borders = [Border(a, b, draw(st.booleans())) for a, b in chosen]
    open_ones = [one for one in touching(zones) if frozenset(one) not in {frozenset(pair) for pair in chosen}]
    kept = [one for one in open_ones if draw(st.booleans())]
    return ZoneBoard(tuple(zones), tuple(borders + kept))


@given(plans())
def test_a_plan_drawn_is_read_back(board):
    drawn, symbols, passages = draw_plan(board)
    named = {symbol: (zone.name, zone.ground) for symbol, zone in symbols.items()}
    read = read_plan(drawn, named, passages, scale=board.scale, unit=board.unit)
    assert read.zones == board.zones
    joined = {(frozenset(border), border.blocks_sight) for border in board.borders}
    assert {(frozenset(border), border.blocks_sight) for border in read.borders} == joined
