"""Zones by letter, arrow and click: where to, at what price, and whom one meets there."""

import pytest
from flowcraft import play, press

from fightcall.flows.base import Become, Filled, Stay
from fightcall.flows.command_line import CommandLineFlow
from fightcall.flows.newcomers import newcomer
from fightcall.flows.option_inputs import option_turn
from fightcall.flows.path_fields import ZoneField, ZonePathField, beside
from fightcall.flows.people_fields import TargetField, place_field
from fightcall.flows.questions import AskFlow
from fightcall.flows.toolbox import contact
from fightcall.paint.scenes import MEETS, zone_keys
from fightcall.table import Give, Table
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.zones import Border, Zone, ZoneBoard
from fightcall_engine.play.fight import Fight


def vault():
    """The drowned vault under Initiative, at Wren's table: the Hall of scales joins gate room, cistern and drain."""
    fight = start_fight(load_encounter("the-drowned-vault"), id="vault", seed="7")
    fight.give("configure", setting="scene_mode", value="initiative")
    fight.give("advance")
    for _ in range(60):
        asked = next((one for one in fight.state.prompts if one.blocking), None)
        if asked is not None:
            fight.give("answer", prompt=asked.id, choice=asked.default or asked.choices[0].id)
        elif any(one.action == "move" and one.legal for one in fight.options("wren")):
            break
        else:
            fight.give("advance")
    fight.give("place", who="warden-1", at="Hall of scales")
    table = Table(fight)
    table.selected = "wren"
    return table


def moving(table):
    option = next(one for one in table.options() if one.action == "move")
    reply = option_turn(table, option, table.selected)
    assert isinstance(reply, Become)
    return reply.flow


def test_letters_are_those_of_the_names():
    assert dict(zone_keys(("Hall", "Hut", "Yard"))) == {"Hall": "h", "Hut": "u", "Yard": "y"}
    assert dict(zone_keys(("x", "Øde", "xx"))) == {"x": "a", "Øde": "d", "xx": "b"}
    many = zone_keys(tuple(f"Z{at}" for at in range(40)))
    assert sorted(filter(None, many.values())) == [one for one in "abcdefghijklmnopqrstuvwyz" if one != MEETS]


WAYS = {"g": "Gate room", "up": "Gate room", "down": "Drain", "right": "Cistern", "s": "Strongroom", "tab": "Gate room"}


@pytest.mark.parametrize(("key", "at"), WAYS.items())
def test_one_key_and_enter_to_any_zone(key, at):
    table = vault()
    given = play(moving(table), f"{key} enter")
    assert isinstance(given, Give)
    assert table.give(given).done
    assert table.state.combatants["wren"].at == at


def test_the_price_is_shown_and_may_be_the_gms():
    table = vault()
    flow = moving(table)
    assert ("s", "Strongroom 2") in flow.view().choices
    press(flow, "s")
    assert flow.view().hint.startswith("2 steps")
    assert [place for place, _ in flow.overlay().path] == ["Gate room", "Strongroom"]
    press(flow, "3")
    given = play(flow, "enter")
    assert given.data == {"who": "wren", "path": ["Gate room", "Strongroom"], "ground": 3}
    before = table.state.combatants["wren"].pools["actions"].now
    assert table.give(given).done
    assert table.state.combatants["wren"].pools["actions"].now == before - 3


def test_whom_one_meets_is_named_by_label():
    table = vault()
    flow = moving(table)
    press(flow, "g")
    label = table.state.combatants["warden-2"].label
    assert label in flow.view().hint
    given = play(flow, f"x {label} enter")
    assert given.data == {"who": "wren", "path": ["Gate room"], "meets": "warden-2"}
    assert table.give(given).done
    assert table.state.contacts_of("wren") == ("warden-2",)


def test_a_zone_is_named_by_the_first_letters_of_its_name():
    """At the table 1.8: a letter picks by itself, and those after it spell a name."""
    zones = (Zone("Gallery", 0, 0, 2, 2), Zone("Gate House", 2, 0, 2, 2), Zone("Hall", 2, 2, 2, 2))
    state = Fight.new("slots", seed="1", board=ZoneBoard(zones, ())).state
    field = ZoneField(state, "Hall", "where")
    for letter in "gateh":
        field.press(letter)
    assert field.press("enter") == Filled("Gate House")


def test_slips_are_said_and_taken_back():
    table = vault()
    flow = moving(table)
    assert isinstance(flow.press("enter"), Stay)
    assert "where to" in flow.view().error
    press(flow, "g")
    press(flow, "x")
    press(flow, "q")
    assert "no enemy Q" in flow.view().error
    for key in ("backspace", "4", "backspace", "backspace"):
        press(flow, key)
    assert flow.overlay().path == ()
    press(flow, "left")
    assert "there is no zone" in flow.view().error


def test_clicks():
    table = vault()
    flow = moving(table)
    flow.point("Gate room")
    flow.pick("warden-2")
    given = flow.pick("warden-2")
    assert isinstance(given, Give)
    assert given.data["meets"] == "warden-2"


def test_somebody_is_put_into_a_zone_by_hand():
    state = vault().state
    for keys, zone in (("d enter", "Drain"), ("enter", "Hall of scales")):
        field = place_field(state, state.combatants["wren"].at, "Wren stands at")
        flow = AskFlow([field], lambda answers: Give("Place", {"who": "wren", "at": answers[0]}))
        assert play(flow, keys).data == {"who": "wren", "at": zone}


def test_newcomers_may_stand_in_the_first_zone_or_nowhere():
    table = vault()
    named = newcomer(table.system.sides, table.state, health="hp")
    given = play(named, "I m p space x 2 enter enter enter g enter")
    assert given.data == {"name": "Imp", "count": 2, "side": table.system.sides[1], "at": "Gate room"}
    assert table.give(given).done
    assert [table.state.combatants[who].at for who in ("imp-1", "imp-2")] == ["Gate room", "Gate room"]
    assert "at" not in play(newcomer(table.system.sides, table.state, health="hp"), "O x enter enter enter enter").data


def test_only_a_neighbour_will_do_where_one_is_asked_for():
    table = vault()
    field = place_field(table.state, "Drain", "over into", near=True)
    assert isinstance(field, ZoneField)
    assert field.press("enter") is True
    assert "which zone" in field.view().error
    field.press("g")
    assert "not next to Drain" in field.view().error
    field.press("tab")
    assert field.press("enter").value in table.state.board.neighbours("Drain")


def test_arrows_go_by_the_floor_plan():
    zones = (Zone("A", 0, 0, 2, 2), Zone("B", 2, 0, 2, 2), Zone("C", 2, 2, 2, 2), Zone("D", 9, 0))
    board = ZoneBoard(zones, (Border("A", "B"), Border("B", "C"), Border("B", "D")))
    assert beside(board, "A", "right") == "B"
    assert beside(board, "B", "left") == "A"
    assert beside(board, "B", "down") == "C"
    assert beside(board, "B", "right") == "D"
    assert beside(board, "B", "up") is None
    assert beside(board, "A", "down") is None


def test_who_is_in_no_zone_walks_no_way():
    table = vault()
    table.give(Give("Place", {"who": "wren", "at": None}))
    with pytest.raises(ValueError, match="not in a zone"):
        ZonePathField(table.state, table.system, "wren", "", "where")


def test_enter_alone_goes_to_the_zone_of_who_is_proposed():
    """Nowhere, where they stand in the same one."""
    table = vault()
    foe = next(foe for foe in table.state.combatants if table.state.are_foes("wren", foe))
    for zone, is_elsewhere in (("Strongroom", True), ("Hall of scales", False)):
        table.give(Give("Place", {"who": "wren", "at": "Hall of scales"}))
        table.give(Give("Place", {"who": foe, "at": zone}))
        field = ZonePathField(table.state, table.system, "wren", "", "where", foe)
        assert field.view().default == (f"go to {zone}" if is_elsewhere else "")
        way = field.press("enter")
        assert (isinstance(way, Filled) and way.value["path"][-1] == zone) is is_elsewhere


def test_contact_is_offered_with_foes_of_the_same_zone_only():
    table = vault()
    at = {combatant.id: combatant.at for combatant in table.state.combatants.values()}
    for combatant_id, foe in (("wren", foe) for foe in at if table.state.are_foes("wren", foe)):
        table.give(Give("Place", {"who": combatant_id, "at": at[foe]}))
        offered = contact(table.state, combatant_id).view().choices
        labels = {key for key, _ in offered} - {""}
        here = {each.label for each in table.state.combatants.values() if each.at == at[foe]}
        assert labels
        assert labels <= here


def typed(table, text):
    flow = CommandLineFlow(table.state, table.fight.codec)
    for character in text:
        flow.press("space" if character == " " else character)
    return flow


def test_the_command_line_completes_names_of_zones():
    table = vault()
    hall = typed(table, "place wren at=ha")
    assert [word for _, word in hall.view().choices] == ['at="Hall of scales"']
    assert play(press(hall, "tab"), "enter").data == {"who": "wren", "at": "Hall of scales"}
    assert play(typed(table, "move wren to=gat"), "tab enter").data == {"who": "wren", "to": "Gate room"}
    clicked = typed(table, "place wren")
    clicked.point("Gate room")
    assert play(clicked, "enter").data == {"who": "wren", "at": "Gate room"}


def test_how_far_a_target_is_and_what_is_in_the_way():
    table = vault()
    table.give(Give("Place", {"who": "warden-1", "at": "Strongroom"}))
    table.give(Give("Place", {"who": "warden-2", "at": "Hall of scales"}))

    def note(target):
        return TargetField(table.state, "Whom", (target,), shooter="wren").overlay().note

    assert note("warden-2") == "the same zone"
    assert note("warden-1") == "2 zones"
    table.give(Give("Place", {"who": "wren", "at": "Gate room"}))
    assert note("warden-1") == "1 zone, sight blocked at Strongroom"
