"""The stencil against the geometry it stands for."""

from collections import Counter
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.geometry import (
    OVERVIEW,
    QUADRANTS,
    SQUARE_ZOOMS,
    ZOOMS,
    board_size,
    cell_to_place,
    place_centre,
    place_origin,
    spans_of_places,
    stencil,
)

HEX_ZOOMS = ZOOMS[1:]
WHOLE_CELLS = (OVERVIEW, *SQUARE_ZOOMS)
zooms = st.sampled_from((*ZOOMS, *SQUARE_ZOOMS))
places = st.tuples(st.integers(-40, 40), st.integers(-40, 40))
cells = st.tuples(st.integers(-200, 200), st.integers(-200, 200))


def quadrant_owners(zoom, x, y):
    """The hexes of a cell's quadrants as painted: upper left, upper right, lower left, lower right."""
    pattern = stencil(zoom)
    across, down = x // pattern.width, y // pattern.height
    cell = pattern.cells[y % pattern.height][x % pattern.width]
    bits = QUADRANTS.index(cell.glyph)
    return [
        (across - zoom.shift * down + q, (1 + zoom.shift) * down + r)
        for q, r in (cell.ink if bits >> index & 1 else cell.ground for index in range(4))
    ]


def squared_distance(zoom, point, coords):
    q, r = coords
    across = (point[0] - (q + r / 2 + 0.5) * zoom.width) / zoom.width
    down = (point[1] - r * zoom.rows - zoom.centre / 4) / zoom.rows
    return across**2 + 0.75 * down**2


def test_every_quadrant_belongs_to_the_nearest_hex():
    for zoom in HEX_ZOOMS:
        for x, y in product(range(zoom.width), range(2 * zoom.rows)):
            for index, owner in enumerate(quadrant_owners(zoom, x, y)):
                point = (x + 0.25 + 0.5 * (index % 2), y + 0.25 + 0.5 * (index // 2))
                own = squared_distance(zoom, point, owner)
                around = [(owner[0] + dq, owner[1] + dr) for dq in range(-2, 3) for dr in range(-2, 3)]
                assert own <= min(squared_distance(zoom, point, coords) for coords in around) + 1e-9, zoom


def test_hexes_are_equal_and_symmetric():
    for zoom in HEX_ZOOMS:
        x0, y0 = place_origin(zoom, 1, 2)
        box = product(range(x0 - 1, x0 + zoom.width + 1), range(y0 - 1, y0 + zoom.tall + 1))
        own = {
            (2 * x + index % 2, 2 * y + index // 2)
            for x, y in box
            for index, owner in enumerate(quadrant_owners(zoom, x, y))
            if owner == (1, 2)
        }
        assert len(own) == 4 * zoom.width * zoom.rows, zoom
        assert {(2 * (2 * x0 + zoom.width) - 1 - x, y) for x, y in own} == own, "left is not right mirrored"
        top, bottom = min(y for _, y in own), max(y for _, y in own)
        assert {(x, top + bottom - y) for x, y in own} == own, "the top is not the bottom mirrored"


def test_pieces_are_the_cells_of_their_row():
    for zoom in [*ZOOMS, *SQUARE_ZOOMS]:
        pattern = stencil(zoom)
        for y, pieces in enumerate(pattern.pieces):
            x = pattern.start[y]
            for piece in pieces:
                for glyph in " " * piece.clear + piece.edge:
                    owners = quadrant_owners(zoom, x, y)
                    bits = QUADRANTS.index(glyph)
                    assert owners == [piece.ink if bits >> index & 1 else piece.ground for index in range(4)], zoom
                    x += 1
                if piece.slot >= 0:
                    assert piece.clear == pattern.slots[piece.slot].cells, zoom
            assert x == pattern.start[y] + pattern.width, zoom


def test_text_slots_lie_wholly_in_their_hex():
    for zoom in [*ZOOMS, *SQUARE_ZOOMS]:
        for (q, r), slot in product([(0, 0), (3, 1), (-2, 5)], stencil(zoom).slots):
            x0, y0 = place_origin(zoom, q, r)
            for x in range(x0 + slot.x, x0 + slot.x + slot.cells):
                if zoom in WHOLE_CELLS:
                    assert cell_to_place(zoom, x, y0 + slot.y) == (q, r), zoom
                else:
                    assert set(quadrant_owners(zoom, x, y0 + slot.y)) == {(q, r)}, zoom
            assert 2 * slot.x + slot.cells == zoom.width, "text is not in the middle"


@given(zooms, places)
def test_a_click_on_the_centre_finds_the_hex(zoom, place):
    assert cell_to_place(zoom, *place_centre(zoom, *place)) == place


@given(zooms, cells)
def test_a_click_finds_a_hex_that_is_painted_there(zoom, cell):
    x, y = cell
    q, r = cell_to_place(zoom, x, y)
    left, right = spans_of_places(zoom, [(q, r)])[y]
    assert left <= x < right
    if zoom not in WHOLE_CELLS:
        owners = Counter(quadrant_owners(zoom, x, y))
        assert owners[q, r] == max(owners.values())


@given(st.sampled_from(HEX_ZOOMS), places)
def test_rows_of_a_hex_are_those_that_show_some_of_it(zoom, place):
    x0, y0 = place_origin(zoom, *place)
    showing = [
        y
        for y in range(y0 - 2, y0 + zoom.tall + 2)
        if any(place in quadrant_owners(zoom, x, y) for x in range(x0, x0 + zoom.width))
    ]
    assert spans_of_places(zoom, [place]) == dict.fromkeys(showing, (x0, x0 + zoom.width))


@given(zooms, st.integers(1, 12), st.integers(1, 12))
def test_the_board_holds_all_of_its_hexes(zoom, cols, rows):
    width, height = board_size(zoom, cols, rows)
    boxes = [place_origin(zoom, col - zoom.shift * (r // 2), r) for col, r in product(range(cols), range(rows))]
    assert max(x + zoom.width for x, _ in boxes) == width
    assert max(y + zoom.tall for _, y in boxes) == height
    assert min(boxes) == (0, 0)
