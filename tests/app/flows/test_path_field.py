"""Walking: keys, clicks and labels make a way whose price is the one that the engine charges."""

import pytest
from flowcraft import EVERY_KEY, done, ford, indoors, keys, put, to
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows.base import Filled
from fightcall.flows.path_fields import DIRECTIONS, HexesField, PathField, towards
from fightcall.flows.people_fields import PlaceField
from fightcall.table import Give, Table
from fightcall_engine.board.base import Hex, Square, Terrain, find_path
from fightcall_engine.board.kinds import HexBoard, SquareBoard, parse_place, to_offset
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

STEPS = st.lists(st.sampled_from([*DIRECTIONS]), max_size=20)
WIDE, SQUARES = HexBoard(20, 20), SquareBoard(20, 20)
PLACES = st.builds(Hex, st.integers(-8, 18), st.integers(-3, 14))


def walker(table=None, who="ysolde", mode="walk"):
    table = table or ford("move")
    return table, PathField(table.state, table.system, who, mode, "Where")


def walk(field, text):
    """Press keys that do not end the walk; the names of the places entered."""
    for key in keys(text):
        assert not isinstance(field.press(key), Filled)
    return field


def charged(table, path, command="Move", who="ysolde", **also):
    """What the engine takes for a way."""
    return done(table, Give(command, {"who": who, "path": path, **also}))["BeatsSpent"].amount


# Directions


@given(start=st.builds(Hex, st.integers(-9, 9), st.integers(-9, 9)), count=st.integers(1, 6))
def test_up_and_down_zigzag_straight(start, count):
    for key, way in (("up", -1), ("down", 1)):
        here = start
        for _ in range(2 * count):
            here = towards(WIDE, here, key)
        col, row = to_offset(start)
        assert to_offset(here) == (col, row + 2 * count * way)


@given(start=st.builds(Hex, st.integers(-9, 9), st.integers(-9, 9)))
def test_every_key_of_direction_is_one_step_and_has_its_opposite(start):
    for there, back in (("l", "h"), ("u", "b"), ("y", "n"), ("up", "down"), ("right", "left"), ("pageup", "end")):
        assert HexBoard.distance(start, towards(WIDE, start, there)) == 1
        assert towards(WIDE, towards(WIDE, start, there), back) == start
    assert {towards(WIDE, start, key) for key in "hlyubn"} == {
        HexBoard.step(start, direction) for direction in range(6)
    }
    assert towards(WIDE, start, "x") is None
    assert towards(None, start, "l") is None


@given(start=st.builds(Square, st.integers(-9, 9), st.integers(-9, 9)))
def test_on_squares_every_key_of_direction_leads_straight_and_has_its_opposite(start):
    for there, back in (*zip("hyku", "lnjb", strict=True), ("up", "down"), ("home", "pagedown"), ("right", "left")):
        assert towards(SQUARES, towards(SQUARES, start, there), back) == start
    assert [towards(SQUARES, start, key) for key in "lukyhbjn"] == [
        SquareBoard.step(start, direction) for direction in range(8)
    ]


# The way and its price


@given(steps=STEPS, mode=st.sampled_from(("walk", "quiet")))
def test_the_price_shown_is_the_price_charged(steps, mode):
    table, field = walker(mode=mode)
    for key in steps:
        field.press(key)
    insists = field.spent > field._ways.budget
    if insists:
        field.press("!")
    answer = field.press("enter")
    if not field.path:
        assert not isinstance(answer, Filled)
        return
    assert field.overlay().path[-1] == (field.path[-1], field.spent)
    done(table, Give("Adjust", {"who": "ysolde", "what": "plain_view", "value": False}))
    given_ = Give("Move" if mode == "walk" else "Sneak", {"who": "ysolde", "path": answer.value})
    outcome = table.give(given_)
    if outcome.done:
        spent = next(one for one in outcome.entry.events if one.type == "BeatsSpent")
        assert spent.amount == field.spent
        assert table.state.combatants["ysolde"].at == field.path[-1]
    else:
        assert field.view().error, f"the engine refuses what the field took without a word: {outcome.message}"
        assert outcome.rule in {"SB-01", "SB-46", "SB-72"}
        assert table.give(given_, force=True).done


@given(clicks=st.lists(PLACES, max_size=4))
def test_a_click_plans_the_cheapest_way_and_the_engine_agrees(clicks):
    table, field = walker()
    for place in clicks:
        field.point(place)
    if not field.path or field.view().error:
        return
    goal = field.path[-1]
    moved = done(table, Give("Move", {"who": "ysolde", "to": list(goal)}))
    assert moved["BeatsSpent"].amount == field.spent


def test_reach_never_offers_a_taken_hex_and_costs_what_the_way_there_costs():
    table, field = walker()
    shown = field.overlay().reach
    taken = {one.at for one in table.state.combatants.values()}
    assert shown
    assert not taken & set(shown)
    for place, cost in shown.items():
        field.point(place)
        assert (field.here, field.spent) == (place, cost)
    assert max(shown.values()) <= table.state.combatants["ysolde"].pools["beats"].now


def test_the_fallen_are_no_obstacle():
    table = ford("move")
    at = put(table, "goblin-1", "D7")
    done(table, Give("Adjust", {"who": "goblin-1", "what": "able", "value": False}))
    _, field = walker(table)
    assert at in field.overlay().reach
    assert walk(field, "l").path == (at,)


# Mending it


def test_a_step_back_and_backspace_shorten_the_way():
    _, field = walker()
    walk(field, "l l u")
    assert len(field.path) == 3
    assert len(walk(field, "b").path) == 2, "the step back"
    assert len(walk(field, "backspace").path) == 1
    assert walk(field, "h").path == (), "back to the start"
    assert field.press("backspace") is False, "nothing is left to undo here"


def test_enter_with_no_way_goes_nowhere():
    _, field = walker()
    assert field.press("enter") is True
    assert field.view().error


def test_the_board_ends_at_its_edge():
    table = ford("move")
    put(table, "ysolde", "A1")
    _, field = walker(table)
    for key in ("h", "y", "u", "left", "up"):
        walk(field, key)
        assert field.view().error == "the board ends here"
        assert field.path == ()
    walk(field, "y y")
    assert field.path == (), "insisting makes no board"


# Contact


def beside_a_goblin():
    """Ysolde two hexes west of a goblin: the first step east enters its zone."""
    table = ford("move")
    put(table, "ysolde", "C10")
    put(table, "goblin-1", "E10")
    return table


def test_contact_stops_and_only_a_step_back_helps():
    table = beside_a_goblin()
    _, field = walker(table)
    walk(field, "l")
    assert field.overlay().warnings == {parse_place("D10")}
    assert "contact stops here" in field.view().hint
    for key in ("u", "n", "l", "up", "l", "l"):
        walk(field, key)
        assert len(field.path) == 1, "nothing lengthens a way that contact has stopped"
        assert "Backspace" in field.view().error
    assert walk(field, "h").path == ()
    walk(field, "u")
    assert field.view().error == ""
    assert charged(table, [list(place) for place in field.path]) == field.spent


def test_leaving_contact_is_free_but_entering_another_zone_is_not():
    table = beside_a_goblin()
    put(table, "ysolde", "D10")
    _, field = walker(table)
    walk(field, "h h")
    assert len(field.path) == 2
    assert not field.overlay().warnings


def test_who_is_hidden_stops_nobody_in_advance():
    table = beside_a_goblin()
    done(table, Give("Adjust", {"who": "goblin-1", "what": "hidden", "value": True}))
    _, field = walker(table)
    assert len(walk(field, "l n l").path) == 3


# What stands against it


def test_more_than_there_is_can_be_walked_by_the_gms_word():
    table = ford("move")
    done(table, Give("Adjust", {"who": "ysolde", "what": "beats", "value": 1}))
    _, field = walker(table)
    walk(field, "l h l u")
    assert "needs 2 beats; you have 1" in field.view().error
    field.press("!")
    way = field.press("enter").value
    assert table.give(Give("Move", {"who": "ysolde", "path": way})).rule == "SB-46"
    assert table.overrule().done


def test_of_a_path_that_is_too_long_enter_walks_as_far_as_it_goes():
    """At the table 1.7: it is offered under Enter, with where it ends and what it costs."""
    table = ford("move")
    done(table, Give("Adjust", {"who": "ysolde", "what": "beats", "value": 2}))
    _, field = walker(table)
    walk(field, "l l l")
    assert field.view().default == "as far as it goes: E7, 2 beats, 0 left"
    way = field.press("enter").value
    assert done(table, Give("Move", {"who": "ysolde", "path": way}))["BeatsSpent"].amount == 2
    assert table.state.board.name_of(table.state.combatants["ysolde"].at) == "E7"


def test_without_any_movement_nothing_is_offered():
    table = ford("move")
    done(table, Give("Adjust", {"who": "ysolde", "what": "beats", "value": 0}))
    _, field = walker(table)
    walk(field, "l l")
    assert field.view().default == ""
    assert field.press("enter") is True
    assert "overrides it" in field.view().error


def test_a_friend_can_be_passed_but_a_stop_there_is_said():
    table = ford("move")
    put(table, "brand", "D7")
    _, field = walker(table)
    walk(field, "l")
    assert "Brand stands there" in field.view().error
    walk(field, "l")
    assert not field.view().error
    assert charged(table, field.press("enter").value) == field.spent


def test_an_enemys_hex_is_entered_only_by_insisting():
    table = beside_a_goblin()
    put(table, "ysolde", "D10")
    _, field = walker(table)
    walk(field, "l")
    assert field.path == ()
    assert "Goblin 1 stands there; repeat the step to draw it anyway" in field.view().error
    assert len(walk(field, "l").path) == 1
    walk(field, "backspace u l")
    assert len(field.path) == 1, "insisting is the same step twice, with nothing between"


def test_a_wall_is_entered_only_by_insisting_and_the_price_is_still_the_engines():
    board = HexBoard(4, 3, terrain={Hex(1, 0): "wall"}, legend={"wall": Terrain("wall", "#", blocks=True)})
    joins = (
        Join(name="Ysolde", side="party", sheet={}, at=Hex(0, 0)),
        Join(name="Orc", side="foe", sheet={}, at=Hex(2, 2)),
    )
    table = to(Table(Fight.new("stage", board=board, joins=joins)), "move")
    _, field = walker(table)
    walk(field, "l")
    assert field.path == ()
    assert "wall: no one can go there" in field.view().error
    walk(field, "l")
    assert field.path == (Hex(1, 0),)
    assert field.overlay().warnings == {Hex(1, 0)}
    assert field.view().error == "no one can enter B1: ! overrides it"
    way = field.press("enter").value
    assert table.give(Give("Move", {"who": "ysolde", "path": way})).rule == "SB-78"
    outcome = table.overrule()
    spent = next(one for one in outcome.entry.events if one.type == "BeatsSpent")
    assert spent.amount == field.spent
    walk(field, "backspace")
    field.point(Hex(1, 0))
    assert "there is no path to B1" in field.view().error


# Clicks and labels


def test_a_second_click_on_the_end_goes():
    table, field = walker()
    there = parse_place("E7")
    assert field.point(there) is True
    straight = find_path(table.state.board, parse_place("C7"), there)
    assert field.path == straight
    assert field.point(there) == Filled([list(place) for place in straight])


def test_a_click_on_where_one_stands_takes_the_way_back_and_off_the_board_is_nowhere():
    _, field = walker()
    walk(field, "l l")
    field.point(parse_place("C7"))
    assert field.path == ()
    field.point(Hex(-5, -5))
    assert "no path" in field.view().error


def test_a_label_walks_up_to_somebody():
    table, field = walker()
    walk(field, "2")
    goblin = table.state.combatants["goblin-2"].at
    assert table.state.board.distance(field.here, goblin) == 1
    assert "contact stops here" in field.view().hint
    assert table.state.board.distance(walk(field, "P").here, table.state.combatants["paul"].at) == 1
    assert walk(field, "' 9").view().error.startswith("no combatant has the label 9; here: ")
    mover = table.state.combatants[table.selected]
    assert walk(field, mover.label).view().error.startswith(f"{mover.label} is {mover.name}, who moves; here: ")


def test_the_name_of_a_place_leads_there():
    """A letter and digits right after it; the letter may be a direction key."""
    table, field = walker()
    start = table.state.combatants[table.selected].at
    board = table.state.board
    near = next(place for place in board.neighbours(start) if table.state.standing_at(place) is None)
    name = board.name_of(near)
    walk(field, " ".join(name.lower()))
    assert field.path == (near,)
    walk(field, " ".join(f"l{board.name_of(start)}"))
    assert field.path == ()


def test_a_click_on_an_enemy_walks_up_and_a_second_one_goes():
    table, field = walker()
    at = table.state.combatants["goblin-1"].at
    assert field.pick("goblin-1") is True
    way = field.path
    assert field.point(at) == Filled([list(place) for place in way])
    _, field = walker()
    field.point(at)
    assert field.path == way
    walk(field, "backspace")
    assert field.pick("goblin-1") is True, "after a change the first click plans again"


def test_who_is_next_to_one_already_needs_no_way():
    table = beside_a_goblin()
    put(table, "ysolde", "D10")
    _, field = walker(table)
    field.pick("goblin-1")
    assert "already next to this place" in field.view().error
    field.pick("ysolde")
    assert "already here" in field.view().error


def test_where_ways_are_planned_a_label_names_who_is_followed():
    """Found in play 27."""
    _, field = walker(mode="follow")
    walk(field, "2")
    way = [list(place) for place in field.path]
    assert field.press("enter") == Filled({"path": way, "follow": "goblin-2"})
    walk(field, "backspace")
    assert isinstance(field.press("enter").value, list), "a way that is changed by hand follows nobody"


def test_who_is_walled_in_by_others_cannot_be_walked_up_to():
    table = ford("move")
    put(table, "goblin-1", "A1")
    put(table, "brand", "B1")
    put(table, "paul", "A2")
    _, field = walker(table)
    field.pick("goblin-1")
    assert field.path == ()
    assert "no path to Goblin 1" in field.view().error


@given(pressed=st.lists(st.sampled_from(EVERY_KEY), max_size=15))
def test_no_key_hurts_a_walk(pressed):
    _, field = walker(_MOVE)
    for key in pressed:
        field.press(key)
        field.view()
        field.overlay()
        assert all(_MOVE.state.board.contains(place) for place in field.path)
        assert field.spent >= len(field.path)


_MOVE = ford("move")


def test_a_walk_without_a_board_is_no_walk():
    table = indoors("move")
    with pytest.raises(ValueError, match="type the number of steps"):
        PathField(table.state, table.system, "ash", "walk", "Where")


# One place


def place(table=None, **also):
    table = table or ford("move")
    return PlaceField(table.state, table.state.combatants["ysolde"].at, "Where", **also)


def test_a_place_beside_one_is_a_direction_and_enter():
    field = place(near=True)
    field.press("l")
    field.press("u")
    assert field.press("enter") == Filled(list(towards(WIDE, parse_place("C7"), "u"))), "the last direction counts"


def test_no_direction_is_no_place():
    field = place(near=True)
    assert field.press("enter") is True
    assert field.view().error == "which way? Arrows or h j k l, y u b n"
    field.press("l")
    assert field.press("backspace") is True
    assert field.overlay().cursor == parse_place("C7")
    assert field.press("backspace") is False


def test_a_click_far_away_is_not_beside_one():
    field = place(near=True)
    field.point(parse_place("H2"))
    assert field.view().error == "H2 is not next to C7"
    field.point(parse_place("D7"))
    assert field.point(parse_place("D7")) == Filled(list(parse_place("D7")))


def test_a_place_anywhere_is_walked_to_or_clicked():
    field = place()
    for key in "lll":
        field.press(key)
    assert field.press("enter") == Filled(list(parse_place("F7")))
    field.point(parse_place("A1"))
    field.press("h")
    assert field.view().error == "the board ends here"
    assert field.pick("brand") is True
    assert field.overlay().cursor == parse_place("C6")
    assert place(optional=True).press("enter") == Filled(None)


# A number of hexes


def hexes(who="ash"):
    table = indoors("move")
    return table, HexesField(table.state, table.system, who, "walk", "How far")


def fill(field, text):
    answer = True
    for key in keys(text):
        assert not isinstance(answer, Filled)
        answer = field.press(key)
    return answer


def test_hexes_are_counted_and_the_price_is_shown():
    table, field = hexes()
    answer = fill(field, "3 enter")
    assert answer == Filled({"hexes": 3, "meets": ""})
    assert field.view().hint == "3 beats, 11 left"
    assert done(table, Give("Move", {"who": "ash", **answer.value}))["BeatsSpent"].amount == 3


def test_labels_that_are_digits_come_after_a_blank():
    table, field = hexes()
    answer = fill(field, "3 space 2 enter")
    assert answer == Filled({"hexes": 3, "meets": "goblin-2"})
    events = done(table, Give("Move", {"who": "ash", **answer.value}))
    assert events["ContactMade"].enemy == "goblin-2"


def test_tab_and_a_click_name_the_enemy_too():
    _, field = hexes()
    assert fill(field, "1 2 tab enter").value == {"hexes": 12, "meets": "goblin-1"}
    assert fill(field, "shift+tab enter").value == {"hexes": 12, "meets": ""}
    field.pick("goblin-3")
    assert fill(field, "enter").value["meets"] == "goblin-3"
    field.pick("oona")
    assert "not an enemy" in field.view().error


def test_letters_of_the_party_name_them_for_the_foe_without_a_blank():
    table = indoors("move", "foe")
    field = HexesField(table.state, table.system, "goblin-1", "walk", "How far")
    assert fill(field, "2 a enter").value == {"hexes": 2, "meets": "ash"}


def test_a_slip_is_taken_back_letter_by_letter():
    _, field = hexes()
    fill(field, "3 space 9")
    assert "no enemy has the label 9; here: 1 2 3" in field.view().error
    assert fill(field, "2 backspace 3 backspace space 1 enter").value == {"hexes": 3, "meets": "goblin-1"}
    for _ in range(2):
        assert field.press("backspace") is True
    assert field.press("backspace") is False


def test_no_hexes_is_no_walk_and_too_many_are_said():
    _, field = hexes()
    assert fill(field, "enter") is True
    assert "1 or more" in field.view().error
    fill(field, "0 enter")
    assert "1 or more" in field.view().error
    fill(field, "backspace 2 0")
    assert "needs 20 beats; you have 14" in field.view().hint
    assert isinstance(fill(field, "enter"), Filled), "the engine refuses, and the GM may overrule"


@given(pressed=st.lists(st.sampled_from(EVERY_KEY), max_size=12))
def test_no_key_hurts_a_count(pressed):
    field = HexesField(_HALL.state, _HALL.system, "ash", "walk", "How far")
    for key in pressed:
        answer = field.press(key)
        field.view()
        field.overlay()
        if isinstance(answer, Filled):
            assert answer.value["hexes"] >= 1
            assert answer.value["meets"] in ("", "goblin-1", "goblin-2", "goblin-3")


_HALL = indoors("move")


# What Enter proposes


def towards_goblin(place):
    """Ysolde's way with a goblin proposed, who stands somewhere."""
    table = ford("move")
    goblin = next(other for other in table.state.combatants.values() if other.name == "Goblin 1")
    put(table, "ysolde", "C3")
    put(table, goblin.id, place)
    return PathField(table.state, table.system, "ysolde", "walk", "Where", goblin.id)


def test_enter_alone_goes_up_to_who_is_proposed():
    field = towards_goblin("E3")
    assert field.view().default.startswith("go up to Goblin 1: ")
    way = field.press("enter")
    assert isinstance(way, Filled)
    assert way.value == [list(place) for place in field.path]
    assert HexBoard.distance(field.path[-1], parse_place("E3")) == 1


def test_a_way_of_ones_own_comes_before_what_is_proposed():
    field = walk(towards_goblin("E3"), "h")
    assert field.press("enter") == Filled([list(parse_place("B3"))])


def test_somebody_too_far_is_gone_towards_as_far_as_it_goes():
    """At the table 1.7."""
    field = towards_goblin("P9")
    assert field.view().default == "go towards Goblin 1, as far as it goes"
    way = field.press("enter").value
    assert way
    assert field.spent > field._ways.budget


def test_nobody_is_proposed_who_is_next_to_here():
    field = towards_goblin("D3")
    assert field.view().default == ""
    assert field.press("enter") is True
    assert field.view().error == "no path yet: draw it with the arrows, or type the label of someone to approach"
