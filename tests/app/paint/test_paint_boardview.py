"""From a fight to what its board shows."""

from dataclasses import replace

import pytest
from ford import FORD_PLACES, check_size, ford, nasty, texts
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.board import paint_board
from fightcall.paint.geometry import MEDIUM, OVERVIEW, board_size
from fightcall.paint.runs import UNICODE
from fightcall.paint.scenes import changed_places, contact_rows, ground_role, picture_of
from fightcall_engine.board.base import Hex, Terrain
from fightcall_engine.board.kinds import parse_place

FORD = ford()


def scene(state=FORD.state, **more):
    return picture_of(state, FORD.system, **more)


@pytest.mark.parametrize(
    ("terrain", "role"),
    [
        (Terrain("river"), "water"),
        (Terrain("Deep Water"), "water"),
        (Terrain("dead trees"), "tree"),
        (Terrain("thorn bushes"), "tree"),
        (Terrain("stone wall"), "wall"),
        (Terrain("Gleb", "~"), "water"),
        (Terrain("Gleb", "x", blocks=True), "wall"),
        (Terrain("Gleb", "x", cost=3), "rubble"),
        (Terrain("Gleb", "x"), "grass"),
    ],
)
def test_ground_by_name_then_glyph_then_effect(terrain, role):
    assert ground_role(terrain) == role


def test_everybody_on_the_board_has_a_token():
    tokens = scene(selected="brand").tokens
    assert {token.name for token in tokens.values()} == {one.name for one in FORD.state.combatants.values()}
    brand = tokens[FORD.state.combatants["brand"].at]
    assert (brand.label, brand.role, brand.facing, brand.selected) == ("B", "party-acting", "NE", True)
    assert tokens[FORD.state.combatants["ysolde"].at].role == "party"
    assert tokens[FORD.state.combatants["goblin-3"].at].hidden


def test_who_stands_hides_who_lies_on_the_same_hex():
    brand = replace(FORD.state.combatants["brand"], able=False, at=FORD.state.combatants["paul"].at)
    state = replace(FORD.state, combatants={**FORD.state.combatants, "brand": brand})
    assert scene(state).tokens[brand.at].name == "Paul"


def test_plans_are_passed_on():
    here, there = parse_place("C3"), parse_place("C4")
    plans = {"path": [(here, 1)], "warnings": [there], "cursor": here}
    drawn = scene(reach={here: 1, there: 2}, targets=["goblin-1"], **plans)
    assert drawn.costs == {here: "1", there: "2"}
    assert drawn.path == ((here, "1"),)
    assert drawn.warnings == {there, FORD.state.combatants["goblin-1"].at}
    assert drawn.cursor == here


def test_without_a_board_there_is_one_empty_hex_and_a_list_of_contacts():
    fight = ford(board=False)
    assert scene(fight.state).tokens == {}
    assert "No one is in contact" in "\n".join(texts(contact_rows(fight.state, fight.system, 40, 5).rows))
    fight.give("contact", who="brand", enemy="goblin-2")
    rows = contact_rows(fight.state, fight.system, 40, 5).rows
    assert any("Brand - 2 Goblin 2" in text for text in texts(rows))
    check_size(rows, 40, 5)


places = st.sampled_from(FORD_PLACES)
reaches = st.dictionaries(places, st.integers(0, 9), max_size=4) | st.just(dict.fromkeys(FORD.state.board.places(), 4))


@given(
    reaches,
    reaches,
    st.lists(places, max_size=3),
    st.none() | places,
    st.sampled_from(["", *FORD.state.combatants]),
    places,
)
def test_only_changed_hexes_look_different(old_reach, reach, fire, cursor, selected, at):
    before = scene(reach=old_reach)
    moved = replace(FORD.state.combatants["brand"], at=at)
    state = replace(FORD.state, combatants={**FORD.state.combatants, "brand": moved})
    after = scene(state, reach=reach, fire=fire, cursor=cursor, selected=selected)
    changed = changed_places(before, after)
    assert changed is not None
    width, height = board_size(MEDIUM, before.cols, before.rows)
    old, new = (paint_board(one, MEDIUM, 0, 0, width, height, UNICODE) for one in (before, after))
    touched = {y for place in changed for y in range(place[1] * MEDIUM.rows, place[1] * MEDIUM.rows + MEDIUM.tall)}
    assert {y for y in range(height) if old[y] != new[y]} <= touched


@pytest.mark.parametrize(("zoom", "share", "is_tinted"), [(MEDIUM, 2, True), (MEDIUM, 1, False), (OVERVIEW, 1, True)])
def test_a_reach_is_tinted_unless_it_is_most_of_the_map_and_its_costs_say_it(zoom, share, is_tinted):
    """Where nearly all is in reach a tint tells nothing apart, and the grounds beneath it look alike."""
    everywhere = list(FORD.state.board.places())
    drawn = scene(reach=dict.fromkeys(everywhere[: len(everywhere) // share], 12))
    rows = paint_board(drawn, zoom, 0, 0, *board_size(zoom, drawn.cols, drawn.rows), UNICODE)
    assert any("~reach" in run.style for row in rows for run in row) == is_tinted


def test_another_board_is_painted_anew():
    other = replace(FORD.state, board=replace(FORD.state.board, cols=5, terrain={}))
    placed = {who: replace(one, at=Hex(0, 0)) for who, one in other.combatants.items()}
    assert changed_places(scene(), scene(replace(other, combatants=placed))) is None


def test_nasty_names_are_painted():
    state = nasty().state
    check_size(paint_board(scene(state), MEDIUM, 0, 0, 70, 20, UNICODE), 70, 20)
