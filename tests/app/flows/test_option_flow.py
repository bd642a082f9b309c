"""What may be said of an act besides: one key opens it, Enter never needs it, and the numbers follow."""

from functools import cache

import pytest
from flowcraft import EVERY_KEY, done, play, press
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows.base import CANCELLED, IGNORED, YIELD, Become, Stay
from fightcall.flows.option_inputs import option_turn
from fightcall.table import Give, Table
from fightcall_engine.board.kinds import SquareBoard, any_board
from fightcall_engine.play.fight import Fight

SWORD = {"name": "sword", "size": 4, "weight_class": "Med", "av": 40, "effects": ["edge", "point"]}
SHIELD = {"name": "shield", "kind": "shield", "hand": "L", "size": 3, "av": 20}
BOW = {"name": "bow", "kind": "missile", "family": "bow", "hand": "2", "av": 40, "str_rating": 13}
PEOPLE = {
    "ash": {"side": "party", "weapons": [SWORD, SHIELD], "msta": 20},
    "orc": {"side": "foe", "weapons": [SWORD], "dodge": 12, "msta": 60, "pres": 99},
    "elk": {"side": "foe", "weapons": [SWORD], "dodge": 30, "msta": 60, "pres": 99},
}


def fight_of(people=PEOPLE, board=None, **settings):
    """A fight after Initiative: the first of the people declares; all chances are reckoned in a straight line."""
    fight = Fight.new("segments", settings={"resolution": "linear", **settings}, seed="7", board=board)
    for who, sheet in people.items():
        fight.give("join", name=who.title(), id=who, side=sheet["side"], sheet=_sheet(sheet), **_placed(sheet))
    fight.give("start")
    for place, who in enumerate(people):
        fight.give("initiative", who=who, total=20 - place)
    return Table(fight)


def _sheet(one):
    return {name: value for name, value in one.items() if name not in ("side", "at")}


def _placed(one):
    return {"at": one["at"]} if "at" in one else {}


def due(table, **declared):
    """The first one's attack on the orc is due."""
    who = next(iter(table.state.combatants))
    done(table, Give("Declare", {"who": who, "target": "orc", **declared}))
    while table.state.step.kind != "resolve":
        done(table, Give("Advance", {}))
    table.selected = who
    return table


@cache
def duel_due():
    """A strike of the first one on the orc, which nobody goes on with."""
    return due(fight_of())


def begun(table, action):
    """The flow of an option."""
    reply = option_turn(table, next(one for one in table.options() if one.action == action), table.selected)
    assert isinstance(reply, Become), reply
    return reply.flow


def rows(flow):
    """The panel's rows by name."""
    return {row.name: row for row in flow.panel().rows}


def test_enter_alone_strikes_with_all_that_is_proposed():
    given_ = play(begun(due(fight_of()), "strike"), "enter")
    assert set(given_.data) == {"weapon", "who", "target", "defence", "chance"}


def test_the_chance_and_its_die_are_one_question():
    """One percentage is one prompt: digits are the die, never the chance, while it is known (found in play 18)."""
    table = due(fight_of())
    flow = begun(table, "strike")
    given_ = play(flow, "4 2 enter")
    assert given_.data["chance"] == 50
    assert [*given_.data["rolls"].values()] == [[42]]
    assert done(table, given_)


def test_a_reprisal_is_the_same_panel_turned_round():
    """CS-481, CS-482: who was missed strikes back, with reach, sums, chance and die as for any attack."""
    table = due(fight_of())
    done(table, play(begun(table, "strike"), "9 5 enter"))
    table.selected = "orc"
    flow = begun(table, "reprise")
    assert flow.panel().title == "Orc takes a Reprisal on Ash with sword"
    assert rows(flow)["chance"].dice == "d100"
    assert any(name.startswith("DV") for name in rows(flow))
    given_ = play(flow, "2 0 enter")
    assert "ReprisalTaken" in done(table, given_)


def test_what_else_may_be_said_is_one_key_away():
    """CS-597, CS-563, CS-541, CS-539: shield, barrier, drop and charge."""
    flow = press(begun(due(fight_of()), "strike"), "*")
    assert {"edge or point", "shield in the way", "feet to a barrier"} <= {label for _, label in flow.view().choices}
    assert flow.press("escape") == Stay()


def test_what_is_said_goes_into_the_command():
    given_ = play(press(begun(due(fight_of()), "strike"), "* s n * f 5 enter"), "h")
    assert (given_.data["shield"], given_.data["barrier"]) == (False, 5)


def test_what_cannot_be_is_said_at_once_and_can_be_changed():
    """CS-597: a shield that nobody holds; not even GM override makes one."""
    flow = press(begun(due(fight_of()), "strike"), "* s y")
    assert rows(flow)["against"].text == "Orc holds no shield"
    press(flow, "* s a")
    assert "against" not in rows(flow)


def test_a_modifier_changes_the_chance_that_is_proposed():
    """CS-276, R-5: AV 40 against DV 40 is 50 in a straight line; with 7 more it is 57."""
    flow = begun(due(fight_of()), "strike")
    assert rows(flow)["chance"].text == "50 %"
    press(flow, "* o 7 enter")
    assert rows(flow)["chance"].text == "57 %"
    assert play(flow, "m").data["chance"] == 57


def test_what_was_said_can_be_taken_back():
    flow = press(begun(due(fight_of()), "strike"), "* o 7 enter * o enter")
    assert rows(flow)["chance"].text == "50 %"
    assert "modifier" not in play(flow, "m").data


def test_a_shot_may_be_told_its_distance_and_how_much_higher_the_target_is():
    """CS-281: 85 yd at a target 12 yd higher, with a bow of STR 13, is +31 (G-48)."""
    people = {"ash": {"side": "party", "weapons": [BOW]}, "orc": {"side": "foe", "dodge": 0, "hands": {}}}
    flow = press(begun(due(fight_of(people), action="shoot"), "strike"), "* d 2 5 5 enter")
    before = rows(flow)["defence"].text
    press(flow, "* t 3 6 enter")
    assert rows(flow)["defence"].text != before
    assert "31" in rows(flow)["defence"].text


# What stands against it is said at once


def far():
    """Ash and the orc side by side, the elk too far for any sword."""
    places = {"ash": "A1", "orc": "B1", "elk": "K1"}
    people = {who: {**sheet, "at": places[who]} for who, sheet in PEOPLE.items()}
    return due(fight_of(people, any_board(SquareBoard.from_json({"kind": "square", "cols": 12, "rows": 3}))))


def test_a_foe_out_of_reach_is_named_as_such_as_soon_as_he_is_aimed_at():
    """CS-250, CS-318."""
    flow = press(begun(far(), "strike"), "' 2 enter")
    assert "too far from Elk" in flow.panel().complaint
    assert "overrides it" in flow.panel().complaint
    assert play(flow, "' 1 m").data["target"] == "orc"


def test_the_gms_word_goes_on_all_the_same():
    table = far()
    given_ = play(press(begun(table, "strike"), "' 2 !"), "enter")
    assert given_.force
    assert "Overridden" in done(table, given_)


@pytest.mark.parametrize("action", ["strike", "abort"])
def test_an_option_without_more_to_say_shows_no_such_key(action):
    table = due(fight_of())
    option = next(one for one in table.options() if one.action == action)
    assert bool(option.details) == (action == "strike")


@given(pressed=st.lists(st.sampled_from([*EVERY_KEY, *"**********"]), max_size=20))
def test_no_key_hurts_and_what_comes_of_it_can_be_read(pressed):
    flow = begun(duel_due(), "strike")
    for key in pressed:
        reply = flow.press(key)
        if isinstance(reply, Give):
            assert duel_due().fight.codec.command(reply.command, reply.data)
            return
        if reply in (CANCELLED, YIELD):
            return
        assert isinstance(reply, Stay) or reply is IGNORED
        flow.view()
        flow.overlay()
