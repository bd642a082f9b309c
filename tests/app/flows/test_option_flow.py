"""What may be said besides the questions: one key opens it, Enter never needs it, and the numbers follow."""

import pytest
from flowcraft import EVERY_KEY, PATIENT, done, play, press
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows.base import CANCELLED, IGNORED, Become, Stay
from fightcall.flows.option_inputs import option_turn
from fightcall.table import Give, Table
from fightcall_engine.board.kinds import any_board
from fightcall_engine.board.squareboard import SquareBoard
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


def begun(table, action):
    """The flow of an option."""
    turn = option_turn(table, next(one for one in table.options() if one.action == action), table.selected)
    assert isinstance(turn, Become), turn
    return turn.flow


def test_enter_alone_strikes_as_it_always_did():
    given_ = play(begun(due(fight_of()), "strike"), "enter enter enter enter")
    assert set(given_.data) == {"weapon", "who", "target", "defence", "chance"}


def test_what_else_may_be_said_is_one_key_away_at_every_question():
    """CS-597, CS-563, CS-541, CS-539: shield, barrier, drop and charge."""
    flow = begun(due(fight_of()), "strike")
    for keys in ("", "enter", "enter", "enter"):
        press(flow, keys)
        assert "edge or point, shield in the way, feet to a barrier, POT" in flow.view().hint
        press(flow, "*")
        assert "shield in the way" in [label for _, label in flow.view().choices]
        assert flow.press("escape") == Stay()


def test_what_is_said_goes_into_the_command_and_is_shown():
    flow = press(begun(due(fight_of()), "strike"), "* s n * f 5 enter")
    assert "with shield in the way no, feet to a barrier 5" in flow.view().hint
    given_ = play(flow, "enter enter enter h enter")
    assert (given_.data["shield"], given_.data["barrier"]) == (False, 5)


def test_what_cannot_be_is_said_at_once_and_can_be_changed():
    """CS-597: a shield that nobody holds; not even the GM's word makes one."""
    flow = press(begun(due(fight_of()), "strike"), "* s y enter")
    assert "CS-597: Orc holds no shield" in flow.view().error
    assert "goes on" not in flow.view().error
    press(flow, "* s a enter")
    assert "defence" in flow.view().question


def test_a_modifier_changes_the_chance_that_is_proposed():
    """CS-276, R-5: AV 40 against DV 40 is 50 in a straight line; with 7 more it is 57."""
    table = due(fight_of())
    assert press(begun(table, "strike"), "enter enter").view().default == "50"
    assert press(begun(table, "strike"), "* m 7 enter enter enter").view().default == "57"


def test_a_chance_that_was_taken_before_is_asked_anew_once_its_numbers_change():
    flow = press(begun(due(fight_of()), "strike"), "enter enter enter")
    assert "hit or miss" in flow.view().question
    press(flow, "* m 7 enter")
    assert (flow.view().question.endswith("(AV 47 \N{MINUS SIGN} DV 40)"), flow.view().default) == (True, "57")
    assert play(flow, "enter m").data["chance"] == 57


def test_what_was_said_can_be_taken_back():
    flow = press(begun(due(fight_of()), "strike"), "* m 7 enter")
    assert flow.view().hint.startswith("with modifier 7")
    press(flow, "* m enter")
    assert flow.view().hint.startswith("* more: modifier")
    assert "modifier" not in play(flow, "enter enter enter m").data


def test_a_shot_may_be_told_its_distance_and_how_much_higher_the_target_is():
    """CS-281: 85 yd at a target 12 yd higher, with a bow of STR 13, is +31 (G-48)."""
    people = {"ash": {"side": "party", "weapons": [BOW]}, "orc": {"side": "foe", "dodge": 0, "hands": {}}}
    flow = press(begun(due(fight_of(people), action="shoot"), "strike"), "* d 2 5 5 enter enter")
    before = flow.view().choices
    press(flow, "* t 3 6 enter")
    assert flow.view().choices != before
    assert any("31" in label for _, label in flow.view().choices) or "31" in flow.view().default


# What stands against it is said at once


def far():
    """Ash and the orc side by side, the elk too far for any sword."""
    places = {"ash": "A1", "orc": "B1", "elk": "K1"}
    people = {who: {**sheet, "at": places[who]} for who, sheet in PEOPLE.items()}
    return due(fight_of(people, any_board(SquareBoard.from_json({"kind": "square", "cols": 12, "rows": 3}))))


def test_a_foe_out_of_reach_is_refused_as_soon_as_he_is_named():
    """CS-250, CS-318."""
    flow = press(begun(far(), "strike"), "2")
    assert "too far from Elk" in flow.view().error
    assert "overrules it" in flow.view().error
    assert play(flow, "1 enter enter m").data["target"] == "orc"


def test_the_gms_word_goes_on_all_the_same():
    table = far()
    flow = press(begun(table, "strike"), "2 !")
    assert "defence" in flow.view().question
    given_ = play(flow, "enter enter m")
    assert given_.force
    assert "Missed" in done(table, given_)


def test_going_back_takes_the_gms_word_back():
    flow = press(begun(far(), "strike"), "2 ! backspace 1 enter enter")
    assert not play(flow, "m").force


@pytest.mark.parametrize("action", ["strike", "abort"])
def test_an_option_without_more_to_say_shows_no_such_key(action):
    table = due(fight_of())
    option = next(one for one in table.options() if one.action == action)
    assert bool(option.details) == (action == "strike")


@PATIENT
@given(pressed=st.lists(st.sampled_from([*EVERY_KEY, *"**********"]), max_size=20))
def test_no_key_hurts_and_what_comes_of_it_can_be_read(pressed):
    flow = begun(_DUE, "strike")
    for key in pressed:
        turn = flow.press(key)
        if isinstance(turn, Give):
            assert _DUE.fight.codec.command(turn.command, turn.data)
            return
        if turn == CANCELLED:
            return
        assert isinstance(turn, Stay) or turn is IGNORED
        flow.view()
        flow.overlay()


_DUE = due(fight_of())
