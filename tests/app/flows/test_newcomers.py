"""Somebody joins: by name, or like a template with its whole sheet; each of several is placed."""

import pytest
from flowcraft import done, ford, play, press

from fightcall.flows.base import Stay
from fightcall.flows.newcomers import health_field, newcomer, templates_of
from fightcall_engine.archive.library import CombatantTemplate
from fightcall_engine.board.kinds import parse_place
from fightcall_engine.kit.plugins import find_system

NASTY_NAMES = ("[red]Ox[/red]", "龍", "", "  ", "]", "a=b", '"x"', "x3")


def hp(table, who):
    return table.state.combatants[who].pools["hp"].now


def test_several_join_at_once_with_their_hit_points():
    table = ford()
    flow = newcomer(table.system.sides, health="hp")
    given_ = play(flow, "O r c space x 3 enter f 7 enter")
    assert given_.data == {"name": "Orc", "side": "foe", "count": 3, "sheet": {"hp": 7}}
    assert "Joined" in done(table, given_)
    assert hp(table, "orc-3") == 7


def test_the_side_that_was_joined_last_is_proposed_again():
    table = ford()
    assert table.likely_side() == ""
    done(table, play(newcomer(table.system.sides, health="hp"), "O r c enter enter enter"))
    assert table.state.combatants["orc"].side == "foe"
    done(table, play(newcomer(table.system.sides, side=table.likely_side(), health="hp"), "E l f enter p enter"))
    given_ = play(newcomer(table.system.sides, side=table.likely_side(), health="hp"), "I m p enter enter enter")
    assert given_.data["side"] == "party"


def test_a_newcomer_can_be_placed_on_the_board():
    table = ford()
    flow = press(newcomer(table.system.sides, table.state, health="hp"), "O r c enter enter enter")
    flow.point(parse_place("H2"))
    done(table, play(flow, "enter"))
    assert table.state.combatants["orc"].at == parse_place("H2")
    given_ = play(newcomer(table.system.sides, table.state, health="hp"), "E l f enter p enter enter")
    assert "at" not in given_.data
    assert done(table, given_)


def test_of_several_each_is_placed_and_enter_takes_what_is_proposed_for_all_who_are_left():
    """Found in play 30."""
    table = ford()
    flow = press(newcomer(table.system.sides, table.state, health="hp"), "W o l f space x 3 enter f 5 enter")
    flow.point(parse_place("H2"))
    press(flow, "enter")
    assert flow.view().question == "Where does the next Wolf go"
    assert len(flow.view().default.split(", ")) == 2
    done(table, play(flow, "enter"))
    wolves = [table.state.combatants[f"wolf-{number}"] for number in (1, 2, 3)]
    assert wolves[0].at == parse_place("H2")
    assert len({wolf.at for wolf in wolves}) == 3
    assert all(wolf.pools["hp"].now == 5 for wolf in wolves)
    board = table.state.board
    assert all(board.distance(wolves[0].at, wolf.at) <= 1 for wolf in wolves)


def test_side_and_hit_points_may_stand_behind_the_name_as_in_set_up():
    """One line, the same as `a` of the set-up reads it; a name may still end in a number (found in play 30)."""
    table = ford()
    done(
        table,
        play(
            newcomer(table.system.sides, table.state, health="hp"), "W o l f space x 2 space f o e space 5 enter enter"
        ),
    )
    assert [table.state.combatants[f"wolf-{number}"].pools["hp"].now for number in (1, 2)] == [5, 5]
    assert {table.state.combatants[f"wolf-{number}"].side for number in (1, 2)} == {"foe"}
    flow = newcomer(table.system.sides, table.state, health="hp")
    assert play(flow, "P i t space 7 enter p 3 enter enter").data["name"] == "Pit 7"


def test_a_word_after_the_count_that_is_no_side_and_no_number_is_refused():
    table = ford()
    flow = newcomer(table.system.sides, table.state, health="hp")
    assert press(flow, "I m p space x 3 space f o space 5 space x y z enter").view().error == (
        "Not understood: fo, xyz; accepted after the count: a side (party, foe), numbers"
    )


def test_of_several_any_one_can_be_placed_elsewhere():
    table = ford()
    flow = press(newcomer(table.system.sides, table.state, health="hp"), "W o l f space x 3 enter f 5 enter")
    for place in ("H2", "A12", "L1"):
        flow.point(parse_place(place))
        reply = flow.press("enter")
    done(table, reply)
    assert [table.state.combatants[f"wolf-{number}"].at for number in (1, 2, 3)] == [
        parse_place(place) for place in ("H2", "A12", "L1")
    ]


def templates(table, *kept):
    return templates_of((*table.fight.start.combatants, *table.state.combatants.values()), kept)


def test_a_template_of_the_encounter_brings_its_whole_sheet_and_joins_its_squad():
    """Found in play 30: hit points, strikes and all, and no question that the template answers."""
    table = ford()
    known = templates(table)
    assert [each.name for each in known] == ["Ysolde", "Brand", "Paul", "Goblin", "Archer"]
    flow = press(newcomer(table.system.sides, table.state, templates=known, health="hp"), "g o tab enter")
    flow.point(parse_place("L2"))
    done(table, play(flow, "enter"))
    fresh, goblin = table.state.combatants["goblin-4"], table.state.combatants["goblin-1"]
    assert (fresh.name, fresh.at, fresh.side) == ("Goblin 4", parse_place("L2"), "foe")
    assert (fresh.sheet, fresh.pools, fresh.squad) == (goblin.sheet, goblin.pools, goblin.squad)


def test_two_of_a_template_are_two_more_with_numbers_of_their_own():
    table = ford()
    flow = newcomer(table.system.sides, table.state, templates=templates(table), health="hp")
    press(flow, "g o b l i n space x 2 enter")
    flow.point(parse_place("L2"))
    given_ = play(flow, "enter enter")
    done(table, given_)
    names = [combatant.name for combatant in table.state.combatants.values() if combatant.name.startswith("Goblin")]
    assert names == [f"Goblin {number}" for number in range(1, 6)]
    assert all(combatant.at is not None for combatant in table.state.combatants.values())


def test_a_template_of_the_library_is_known_by_its_name_and_keeps_its_side():
    strikes = [{"name": "bite", "kind": "melee", "needs": 11, "damage": "d6"}]
    sheet = {"hp": 9, "strikes": strikes}
    card = CombatantTemplate(name="Wolf", system="stage", side="foe", sheet=sheet, fights="pack")
    table = ford()
    flow = newcomer(table.system.sides, table.state, templates=templates(table, card), health="hp")
    view = press(flow, "w o").view()
    assert (view.choices, view.remarks) == ((("", "Wolf: bite"),), ("hp 9",))
    done(table, play(flow, "tab enter enter"))
    wolf = table.state.combatants["wolf"]
    assert (wolf.side, wolf.pools["hp"].now, wolf.at) == ("foe", 9, None)
    assert wolf.fights.word == "pack"
    assert wolf.sheet["strikes"][0]["damage"] == "d6"
    flow = newcomer(table.system.sides, table.state, templates=templates(table, card), health="hp")
    again = play(flow, "w o l f enter enter")
    assert again.data["name"] == "Wolf 2"


@pytest.mark.parametrize("name", NASTY_NAMES)
def test_names_are_only_ever_text(name):
    table = ford()
    flow = newcomer(table.system.sides, health="hp")
    for character in name:
        press(flow, "space" if character == " " else character)
    reply = flow.press("enter")
    assert isinstance(reply, Stay)
    if name.strip():
        given_ = play(flow, "f enter")
        assert given_.data["name"] == name.strip()
        assert done(table, given_)
    else:
        assert flow.view().error


@pytest.mark.parametrize(("system", "field"), [("stage", "hp"), ("slots", "hp"), ("turns", "hp"), ("segments", "")])
def test_which_field_of_a_sheet_is_the_health_of_who_joins(system, field):
    """Wounds of `segments` are not counted down from a number on the sheet."""
    assert health_field(find_system(system)) == field


def test_nobody_is_asked_for_health_where_sheets_have_none():
    given_ = play(newcomer(("party", "foe")), "I m p enter f")
    assert given_.data == {"name": "Imp", "side": "foe"}


def test_the_number_behind_a_side_is_what_the_system_calls_health():
    given_ = play(newcomer(("party", "foe"), health="lives"), "I m p space f o e space 2 enter")
    assert given_.data == {"name": "Imp", "side": "foe", "sheet": {"lives": 2}}
    flow = press(newcomer(("party", "foe"), health="lives"), "I m p enter f")
    assert flow.view().question == "How many lives"
