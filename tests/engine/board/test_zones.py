"""Boards of named areas: what joins them, what is seen across them, and the names by which a GM calls them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.board.base import Hex, Terrain, find_path, reach
from fightcall_engine.board.kinds import any_board, board_from_json, resolve_place
from fightcall_engine.board.zones import Border, Zone, ZoneBoard, touching

INN = ZoneBoard(
    (
        Zone("Taproom", 0, 0, 4, 2),
        Zone("Gallery", 4, 0, 3, 2, Terrain("Gallery", cost=2, cover="light", height_ft=10)),
        Zone("Yard", 0, 2, 7, 1),
        Zone("Cellar", 9, 0, 2, 1, Terrain("Cellar", blocks_sight=True)),
        Zone("Well", 9, 4, 1, 1, Terrain("Well", blocks=True)),
    ),
    (
        Border("Taproom", "Gallery"),
        Border("Taproom", "Yard", blocks_sight=True),
        Border("Gallery", "Yard"),
        Border("Taproom", "Cellar"),
        Border("Yard", "Well"),
    ),
)
"""A taproom with a door to the yard, a gallery open to both, a cellar below, and a well that nobody enters."""


def test_borders_join_both_ways_in_the_order_of_the_board():
    assert INN.neighbours("Taproom") == ("Gallery", "Yard", "Cellar")
    assert INN.neighbours("Yard") == ("Taproom", "Gallery", "Well")
    assert INN.neighbours("Nowhere") == ()


def test_distance_is_in_borders():
    assert INN.distance("Cellar", "Cellar") == 0
    assert INN.distance("Cellar", "Taproom") == 1
    assert INN.distance("Cellar", "Well") == 3
    assert [INN.apart("Cellar", to) for to in ("Cellar", "Taproom", "Well")] == ["the same zone", "1 zone", "3 zones"]
    assert INN.line("Cellar", "Well") == ("Cellar", "Taproom", "Yard", "Well")


def test_where_no_way_leads_the_distance_is_more_than_the_board_has():
    split = ZoneBoard((Zone("Here", 0, 0), Zone("There", 5, 0)))
    assert split.distance("Here", "There") > len(split.zones)
    assert split.line("Here", "There") == ("Here", "There")
    assert split.apart("Here", "There") == "not connected"
    assert not split.sight("Here", "There").clear
    assert find_path(split, "Here", "There") is None


def test_ground_prices_a_way():
    assert INN.cost_of("Gallery") == 2
    assert INN.cost_of("Well") is None
    assert reach(INN, "Cellar", None) == {"Cellar": 0, "Taproom": 1, "Yard": 2, "Gallery": 3}
    assert reach(INN, "Cellar", 2) == {"Cellar": 0, "Taproom": 1, "Yard": 2}
    assert find_path(INN, "Cellar", "Gallery") == ("Taproom", "Gallery")


def test_only_the_gm_tells_who_is_in_contact_within_a_zone():
    assert INN.contact("Yard", "Yard") is None
    assert INN.contact("Yard", "Taproom") is False
    assert INN.holds_several
    assert INN.bearing("Yard", "Taproom") is None


def test_a_door_blocks_sight_and_a_way_round_does_not_help():
    seen = INN.sight("Taproom", "Yard")
    assert (seen.clear, seen.blocked_by) == (False, "Yard")
    assert INN.sight("Taproom", "Gallery").clear
    assert INN.sight("Yard", "Gallery").clear
    assert INN.sight("Yard", "Yard").clear


def test_sight_past_a_zone_that_blocks_it():
    row = tuple(
        Zone(name, at, 0, ground=Terrain(name, blocks_sight=name == "Smoke"))
        for at, name in enumerate(("A", "Smoke", "B"))
    )
    board = ZoneBoard(row, touching(row))
    assert (board.sight("A", "B").clear, board.sight("A", "B").blocked_by) == (False, "Smoke")
    assert board.sight("A", "Smoke").clear, "who stands in it is seen"
    around = ZoneBoard((*row, Zone("Arch", 0, 1, 3, 1)), (*touching(row), Border("A", "Arch"), Border("Arch", "B")))
    assert around.sight("A", "B").clear, "one of two equally short ways is clear"


@pytest.mark.parametrize(
    ("typed", "meant"), [("Taproom", "Taproom"), ("yard", "Yard"), (" g ", "Gallery"), ("C", "Cellar")]
)
def test_names_as_a_gm_types_them(typed, meant):
    assert INN.parse(typed) == meant


@pytest.mark.parametrize("typed", ["", "Attic", "F5"])
def test_a_name_that_is_none_is_answered_with_those_there_are(typed):
    with pytest.raises(ValueError, match="Taproom, Gallery, Yard, Cellar, Well"):
        INN.parse(typed)


def test_the_beginning_of_two_names_is_neither():
    board = ZoneBoard((Zone("North hall", 0, 0), Zone("North yard", 1, 0)))
    with pytest.raises(ValueError, match="'nor' could be North hall or North yard"):
        board.parse("nor")
    assert board.parse("north y") == "North yard"
    whole = ZoneBoard((Zone("North hall", 0, 0), Zone("North", 1, 0)))
    assert whole.parse("north") == "North", "a whole name is meant, whatever it begins"


@pytest.mark.parametrize(
    ("zones", "borders", "wrong"),
    [
        ((), (), "0 zones"),
        ((Zone("A", 0, 0), Zone("a", 1, 0)), (), "two zones are named 'a'"),
        ((Zone("A", 0, 0, 2, 2), Zone("B", 1, 1)), (), "overlap on the plan"),
        ((Zone("A", 0, 0),), (Border("A", "B"),), "leads to 'B'"),
        ((Zone("A", 0, 0),), (Border("A", "A"),), "to itself"),
        ((Zone("A", 0, 0), Zone("B", 1, 0)), (Border("A", "B"), Border("B", "A")), "joined twice"),
        (tuple(Zone(f"Z{at}", at, 0) for at in range(53)), (), "53 zones"),
    ],
)
def test_boards_that_cannot_be(zones, borders, wrong):
    with pytest.raises(ValueError, match=wrong):
        ZoneBoard(zones, borders)


@pytest.mark.parametrize(
    "bad", [{"name": ""}, {"name": "x" * 41}, {"name": " x"}, {"col": -1}, {"cols": 0}, {"rows": 201}]
)
def test_zones_that_cannot_be(bad):
    with pytest.raises(ValueError, match="zone"):
        Zone(**{"name": "Hall", "col": 0, "row": 0, **bad})


# As JSON


def test_to_json_and_back():
    assert ZoneBoard.from_json(INN.to_json()) == INN
    assert board_from_json(INN.to_json()) == INN
    assert board_from_json({"kind": "hex", "cols": 2, "rows": 3}).extent() == "A1 to B3"


def test_zones_without_borders_in_json_are_joined_where_they_touch():
    zones = [{"name": "A", "col": 0, "row": 0}, {"name": "B", "col": 1, "row": 0}, {"name": "C", "col": 2, "row": 1}]
    board = ZoneBoard.from_json({"kind": "zone", "zones": zones})
    assert board.neighbours("B") == ("A",), "a corner joins nothing"
    assert ZoneBoard.from_json({"kind": "zone", "zones": zones, "borders": []}).neighbours("B") == ()


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        ({"kind": "cube"}, "accepted: hex, square, zone"),
        ({}, "accepted: hex, square, zone"),
        ([], "accepted: hex, square, zone"),
        ({"kind": "zone"}, "lacks zones"),
        ({"kind": "zone", "zones": {}}, "must be a list"),
        ({"kind": "zone", "zones": [{"name": "A"}]}, "lacks col, row"),
        ({"kind": "zone", "zones": [{"name": "A", "col": 0, "row": 0, "cost": 2}]}, "does not know cost"),
        ({"kind": "zone", "zones": [{"name": "A", "col": 0, "row": 0}], "borders": [{"between": ["A"]}]}, "two zones"),
    ],
)
def test_json_that_is_no_board(data, wrong):
    with pytest.raises(ValueError, match=wrong):
        board_from_json(data)


def test_places_of_another_kind_of_board_are_refused():
    assert resolve_place(any_board(INN), "gal") == "Gallery"
    assert resolve_place(None, Hex(1, 2)) == Hex(1, 2)
    with pytest.raises(ValueError, match="a zone; the zones are Taproom, "):
        resolve_place(any_board(INN), Hex(1, 2))


# Laws


@st.composite
def boards(draw):
    """Zones in a row, joined at random, some behind doors, some that block sight."""
    count = draw(st.integers(1, 7))
    names = [f"Z{at}" for at in range(count)]
    zones = tuple(
        Zone(name, at, 0, ground=Terrain(name, cost=draw(st.integers(1, 3)), blocks_sight=draw(st.booleans())))
        for at, name in enumerate(names)
    )
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    joined = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return ZoneBoard(zones, tuple(Border(a, b, draw(st.booleans())) for a, b in joined))


@given(boards(), st.data())
def test_laws_of_every_board(board, data):
    a, b = (data.draw(st.sampled_from(board.places())) for _ in range(2))
    assert board.distance(a, b) == board.distance(b, a)
    assert board.sight(a, b).clear == board.sight(b, a).clear
    assert board.corridor(a, b) == board.corridor(b, a)[::-1]
    assert (b in board.neighbours(a)) == (a in board.neighbours(b))
    way = find_path(board, a, b)
    assert (way is None) == (board.distance(a, b) > len(board.zones))
    if way is not None:
        here = a
        for place in way:
            assert place in board.neighbours(here)
            here = place
        assert here == b
        assert sum(board.cost_of(place) for place in way) == reach(board, a, None)[b]
    assert ZoneBoard.from_json(board.to_json()) == board
    assert board.parse(board.name_of(a)) == a
