"""A fight being set up: every change gives a draft that can be played, or says why it cannot be had."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows import drafts
from fightcall.flows.drafts import Desk
from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.base import Square, Terrain
from fightcall_engine.board.kinds import HexBoard, parse_place
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput

STAGE = find_system("stage")
EMPTY = Encounter("A fight", "stage")
SIDES = STAGE.sides
WALLED = HexBoard(4, 3, terrain={parse_place("B2"): "wall"}, legend={"wall": Terrain("wall", "#", blocks=True)})


def names(draft):
    return [join.name for join in draft.joins]


def test_several_are_numbered_and_numbers_go_on():
    draft = drafts.add(EMPTY, Join(name="Goblin", side="foe", label="G"), 3)
    assert names(draft) == ["Goblin 1", "Goblin 2", "Goblin 3"]
    assert [join.label for join in draft.joins] == ["", "", ""]
    assert {join.squad for join in draft.joins} == {"goblin"}
    more = drafts.copy(draft, 2)
    assert names(more)[3] == "Goblin 4"
    assert more.joins[3].squad == "goblin"
    assert names(drafts.copy(drafts.add(EMPTY, Join(name="Ash", label="A")), 0)) == ["Ash", "Ash 2"]
    twins = drafts.copy(drafts.add(EMPTY, Join(name="Ash", id="ash")), 0).joins
    assert [(one.id, one.squad) for one in twins] == [("ash", "ash"), ("", "ash")]
    assert names(drafts.remove(more, 1)) == ["Goblin 1", "Goblin 3", "Goblin 4"]


def test_a_fight_has_room_for_so_many():
    full = drafts.add(drafts.add(EMPTY, Join(name="Rat"), 100), Join(name="Owl", side="foe"), 100)
    for change in (lambda: drafts.add(full, Join(name="Rat")), lambda: drafts.copy(full, 0)):
        with pytest.raises(BadInput):
            change()
    assert len(full.joins) == drafts.MOST


def test_sides_are_gone_through():
    draft = drafts.add(EMPTY, Join(name="Ash"))
    once = drafts.next_side(draft, 0, SIDES)
    assert once.joins[0].side == "foe"
    assert drafts.next_side(once, 0, SIDES).joins[0].side == "party"


def test_a_place_must_be_free_open_and_on_the_board():
    draft = drafts.add(replace(EMPTY, board=WALLED), Join(name="Rat"), 2)
    put = drafts.place(draft, 0, parse_place("A1"))
    for place, reason in (("A1", "taken by Rat 1"), ("B2", "wall"), ("J9", "off the board")):
        with pytest.raises(BadInput, match=reason):
            drafts.place(put, 1, parse_place(place))
    assert drafts.place(put, 0, parse_place("A1")) == put
    assert drafts.list_unplaced(put) == (1,)
    assert drafts.list_unplaced(drafts.place(put, 0, None)) == (0, 1)
    with pytest.raises(BadInput):
        drafts.place(drafts.add(EMPTY, Join(name="Rat")), 0, parse_place("A1"))


@pytest.mark.slow
@given(st.integers(0, 20), st.integers(0, 20), st.sampled_from([*drafts.SIZES, (3, 3), (1, 1)]))
def test_everybody_who_fits_is_placed_on_open_ground_facing_the_others(ours, theirs, size):
    board = drafts.resize_board(None, *size)
    draft = replace(EMPTY, board=board)
    for count, side in ((ours, "party"), (theirs, "foe")):
        if count:
            draft = drafts.add(draft, Join(name=side, side=side), count)
    placed = drafts.auto_place(draft, SIDES)
    taken = [join.at for join in placed.joins if join.at is not None]
    assert len(set(taken)) == len(taken) == min(ours + theirs, size[0] * size[1])
    assert all(join.facing == (0 if join.side == "party" else 3) for join in placed.joins if join.at)
    assert drafts.auto_place(placed, SIDES) == placed
    assert start_fight(placed, id="x").state.status == "setup"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("16x12", "16 x 12, 5 ft"),
        ("16 x 12, 2 m", "16 x 12, 2 m"),
        (" 8 × 9 1.5yd", "8 x 9, 1.5 yd"),
        ("16 x 12 hexes", "16 x 12, 5 ft"),
        ("16x12 squares", "16 x 12 squares, 5 ft"),
        ("16 x 12 squares, 2 m", "16 x 12 squares, 2 m"),
        ("none", "none"),
    ],
)
def test_a_board_is_typed_as_it_is_shown(typed, shown):
    board = drafts.read_board(typed, None)
    assert drafts.board_text(board) == shown
    assert drafts.read_board(shown, None) == board


NO_BOARDS = ("big", "0x5", "16", "9999x2", "3x3, 0 ft", "3x3, 5 ft, 2", "Hall,", "Hall, 7", "Hall, Hall")


@pytest.mark.parametrize("typed", NO_BOARDS)
def test_another_text_is_no_board(typed):
    with pytest.raises(BadInput, match="accepted: none, 16 x 12"):
        drafts.read_board(typed, None)


def test_the_ground_stays_and_who_would_stand_beside_it_stands_nowhere():
    draft = replace(
        EMPTY, board=WALLED, joins=(Join(name="Ash", at=parse_place("D3")), Join(name="Rat", at=parse_place("A1")))
    )
    smaller = drafts.with_board(draft, drafts.resize_board(draft.board, 3, 3))
    assert smaller.board.terrain_at(parse_place("B2")).name == "wall"
    assert [join.at for join in smaller.joins] == [None, parse_place("A1")]
    assert drafts.with_board(smaller, None).joins[1].at is None
    assert drafts.resize_board(WALLED, 1, 1).terrain == {}


def test_hexes_become_squares_with_everything_where_it_was():
    joins = (
        Join(name="Ash", at=parse_place("C3"), facing=3),
        Join(name="Rat", at=parse_place("A1"), facing=1),
        Join(name="Cat"),
    )
    draft = replace(EMPTY, board=WALLED, joins=joins)
    squares = drafts.with_board(draft, drafts.cycled_cells(draft.board, 1))
    board = squares.board
    assert (board.kind, drafts.cells_text(board), drafts.board_text(board).split(",")[0]) == (
        "square", "squares", f"{WALLED.cols} x {WALLED.rows} squares",
    )  # fmt: skip
    named = [(board.name_of(join.at) if join.at else "", join.facing) for join in squares.joins]
    assert named == [("C3", 4), ("A1", 1), ("", None)]
    assert all(type(join.at) in (Square, type(None)) for join in squares.joins)
    assert {board.name_of(at): name for at, name in board.terrain.items()} == {
        WALLED.name_of(at): name for at, name in WALLED.terrain.items()
    }
    turned = replace(squares, joins=(replace(squares.joins[0], facing=2), *squares.joins[1:]))
    back = drafts.with_board(turned, drafts.cycled_cells(board, -1))
    assert back.board == WALLED
    assert [join.at for join in back.joins] == [join.at for join in joins]
    assert [join.facing for join in back.joins] == [None, 1, None], "nobody faces north on hexes"
    assert drafts.cycled_cells(None, 1) is None
    assert drafts.cells_text(None) == ""


def test_zones_become_a_map_on_which_nobody_stands():
    zones = drafts.read_board("Hall, Yard", None)
    draft = replace(EMPTY, board=zones, joins=(Join(name="Ash", at="Hall"),))
    assert drafts.with_board(draft, WALLED).joins[0].at is None
    assert drafts.with_board(draft, drafts.read_board("Hall, Attic", None)).joins[0].at == "Hall"
    there = replace(EMPTY, board=WALLED, joins=(Join(name="Ash", at=parse_place("A1"), facing=0),))
    assert drafts.with_board(there, zones).joins == (Join(name="Ash"),)


def test_everybody_is_placed_on_squares_facing_the_others():
    draft = replace(EMPTY, board=drafts.resize_board(None, 9, 9, kind="square"))
    for side in SIDES[:2]:
        draft = drafts.add(draft, Join(name=side, side=side), 3)
    placed = drafts.auto_place(draft, SIDES)
    assert [draft.board.directions[join.facing] for join in placed.joins] == ["E"] * 3 + ["W"] * 3
    assert all(draft.board.contains(join.at) for join in placed.joins)
    assert drafts.join_schema(STAGE, draft.board)["properties"]["facing"]["enum"] == ["", *draft.board.directions]


def test_sizes_of_boards_go_round_and_back():
    board, seen = None, []
    for _ in range(5):
        board = drafts.cycled_board(board, 1)
        seen.append(drafts.board_text(board))
    assert seen[-1] == "none"
    assert len(set(seen)) == 5
    assert drafts.cycled_board(None, -1) == drafts.resize_board(None, *drafts.SIZES[-1])
    assert drafts.cycled_board(WALLED, 1).cols == drafts.SIZES[0][0]
    assert drafts.cycled_board(WALLED, -1) is None


def test_settings_are_kept_only_where_they_differ():
    for setting in STAGE.settings:
        value = drafts.setting_value(EMPTY, setting)
        changed = drafts.next_value(setting, value, 1)
        draft = drafts.with_setting(EMPTY, STAGE, setting.key, changed)
        assert draft.settings == ({setting.key: changed} if changed != value else {})
        start_fight(draft, id="x")
        assert drafts.with_setting(draft, STAGE, setting.key, value).settings == {}
        assert drafts.parse_value(setting, str(changed)) == changed


def test_a_setting_refuses_what_will_not_do():
    by_key = {setting.key: setting for setting in STAGE.settings}
    for key, typed in (("moment_seconds", "soon"), ("strike_roll", "middle"), ("hex_ft", "x")):
        with pytest.raises(BadInput):
            drafts.parse_value(by_key[key], typed)
    assert drafts.next_value(by_key["strike_beat_cost"], 0, -1) == 0
    with pytest.raises(BadInput):
        drafts.with_setting(EMPTY, STAGE, "no_such", 1)


@given(st.lists(st.sampled_from(["add", "copy", "remove", "side", "undo", "redo"]), max_size=30))
def test_every_change_can_be_taken_back_and_done_again(moves):
    desk = Desk(EMPTY)
    trail = [EMPTY]
    for move in moves:
        draft = desk.draft
        if move == "add":
            desk = desk.change(drafts.add(draft, Join(name="Rat")))
        elif move in ("copy", "remove", "side") and draft.joins:
            turned = drafts.next_side(draft, 0, SIDES) if move == "side" else None
            desk = desk.change(turned or (drafts.copy if move == "copy" else drafts.remove)(draft, 0))
        elif move in ("undo", "redo"):
            desk = desk.undo() if move == "undo" else desk.redo()
        trail = [*desk.before, desk.draft]
    for expected in reversed(trail[:-1]):
        desk = desk.undo()
        assert desk.draft == expected
    assert desk.undo() == desk
    for expected in trail[1:]:
        desk = desk.redo()
        assert desk.draft == expected


def test_a_shipped_encounter_is_a_draft_that_plays():
    draft = load_encounter("ambush-at-the-ford")
    fight = start_fight(drafts.copy(draft, 0), id="x")
    assert len(fight.state.combatants) == len(draft.joins) + 1


def test_what_another_board_would_lose_is_told():
    hall = drafts.read_board("Hall, Yard", None)
    smaller = drafts.resize_board(WALLED, 3, 1)
    assert drafts.given_up(hall, None) == drafts.given_up(hall, WALLED) == "the floor plan"
    assert drafts.given_up(WALLED, smaller) == drafts.given_up(WALLED, None) == "the ground drawn on 1 hex"
    same = drafts.resize_board(WALLED, 9, 9)
    squares = drafts.cycled_cells(WALLED, 1)
    bare = drafts.resize_board(None, 4, 4)
    assert {drafts.given_up(*two) for two in ((WALLED, same), (WALLED, squares), (bare, None), (None, hall))} == {""}
