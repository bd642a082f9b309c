"""What an option offers becomes a command, in as few keys as promised, and every answer can be taken back."""

from dataclasses import replace

import pytest
from flowcraft import EVERY_KEY, done, ford, indoors, keys, play, press, put, to
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows.base import IGNORED, STAY, Become, Cancelled, ChoiceField, Stay
from fightcall.flows.option_inputs import field_for, option_turn
from fightcall.flows.people_fields import TargetField
from fightcall.flows.questions import AskFlow
from fightcall.flows.text_fields import NumberField, TextField
from fightcall.table import Give
from fightcall_engine.board.kinds import parse_place
from fightcall_engine.kit.views import Input


def option(table, action):
    return next(one for one in table.options() if one.action == action)


def begun(table, action):
    """The flow of an option."""
    reply = option_turn(table, option(table, action), table.selected)
    assert isinstance(reply, Become), reply
    return reply.flow


def chosen(table, who):
    table.selected = who
    return table


# In as few keys as promised; the key that begins it is counted too


@pytest.mark.parametrize("text", ["enter", "d enter", "' 3 enter", "tab enter", "up right enter"])
def test_a_strike_with_a_listed_weapon_is_its_key_a_label_and_enter(text):
    table = chosen(ford("missile"), "ysolde")
    given_ = play(begun(table, "shoot"), text)
    events = done(table, given_)
    assert events["StrikeDeclared"].note == "longbow"
    assert events["DiceRolled"].source == "seed"
    assert len(keys(text)) + 1 <= 4


def test_digits_are_the_die_and_a_label_comes_after_its_own_key():
    table = ford("move")
    put(table, "ysolde", "D10")
    put(table, "goblin-2", "E10")
    chosen(to(table, "melee"), "ysolde")
    assert len(option(table, "strike").inputs[0].choices) == 1
    said = {"kind": "melee", "weapon": "short sword", "who": "ysolde", "target": "goblin-2"}
    assert play(begun(table, "strike"), "' 2 enter").data == said
    given_ = play(begun(table, "strike"), "2 enter")
    assert given_.data == {**said, "rolls": {"attack": [2]}}
    assert done(table, given_)["DiceRolled"].source == "table"


def test_what_the_table_threw_is_typed_instead():
    table = chosen(ford("missile"), "ysolde")
    events = done(table, play(begun(table, "shoot"), "1 2 enter"))
    assert (events["StrikeResolved"].die, events["DiceRolled"].source) == (12, "table")


def test_a_hit_with_its_damage_and_a_miss_are_the_gms_word():
    table = chosen(ford("missile"), "ysolde")
    events = done(table, play(begun(table, "shoot"), "h 4 enter"))
    assert (events["DamageApplied"].who, events["DamageApplied"].amount) == ("goblin-2", 4)
    table.undo()
    events = done(table, play(begun(table, "shoot"), "m"))
    assert events["StrikeResolved"].hit is False
    table.undo()
    events = done(table, play(begun(table, "shoot"), "h enter"))
    assert events["DiceRolled"].dice == "d6", "Enter throws the weapon's damage"


def test_a_walk_is_its_key_the_steps_and_enter():
    table = chosen(ford("move"), "paul")
    events = done(table, play(begun(table, "move"), "right right enter"))
    assert events["BeatsSpent"].amount == 2


def test_a_walk_without_a_board_is_a_number():
    table = chosen(indoors("move"), "ash")
    assert done(table, play(begun(table, "move"), "3 space 2 enter"))["ContactMade"].enemy == "goblin-2"


def test_what_needs_nothing_is_done_at_once():
    table = chosen(ford("move"), "ysolde")
    reply = option_turn(table, option(table, "waive"), "ysolde")
    assert done(table, reply)["Waived"].who == "ysolde"
    reply = option_turn(table, option(table, "prone"), "brand")
    assert reply == Give("DropProne", {"who": "brand"})


def test_an_obstacle_is_a_direction_on_a_board_and_nothing_without_one():
    table = chosen(ford("move"), "ysolde")
    assert done(table, play(begun(table, "vault"), "l enter"))["Vaulted"].path == (parse_place("D7"),)
    table = chosen(indoors("move"), "ash")
    assert option_turn(table, option(table, "vault"), "ash") == Give("Vault", {"who": "ash"})


def test_a_stunt_lands_as_far_off_as_the_cursor_is_led():
    table = chosen(ford("move"), "ysolde")
    events = done(table, play(begun(table, "stunt"), "s w i n g enter 3 enter l l l enter"))
    assert (events["Stunted"].hexes, events["BeatsSpent"].amount) == (3, 3)


SCRIPTS = {
    ("meeting", "talk"): "enter",
    ("meeting", "stall"): "p l e a s e enter",
    ("meeting", "ambush"): "enter",
    ("missile", "shoot"): "enter",
    ("missile", "cover"): "p",
    ("move", "move"): "right enter",
    ("move", "vault"): "right enter",
    ("move", "clamber"): "right enter",
    ("move", "prone"): "",
    ("move", "climb"): "enter",
    ("move", "cover"): "p",
    ("move", "stunt"): "s w i n g enter 3 enter enter",
    ("magic", "cast"): "enter",
    ("management", "business"): "l o c k enter 2 enter",
}


@pytest.mark.parametrize(("phase", "action"), sorted(SCRIPTS))
def test_every_kind_of_input_ends_in_a_command_that_is_accepted(phase, action):
    table = chosen(ford(phase), "paul")
    reply = option_turn(table, option(table, action), "paul")
    given_ = play(reply.flow, SCRIPTS[phase, action]) if isinstance(reply, Become) else reply
    assert done(table, given_)


def test_every_option_of_a_whole_moment_begins_something():
    table = ford()
    seen = set()
    for _ in range(40):
        for who in table.state.combatants:
            chosen(table, who)
            for one in table.options():
                reply = option_turn(table, one, who)
                assert isinstance(reply, Become | Give)
                if isinstance(reply, Become):
                    reply.flow.view()
                    reply.flow.overlay()
                seen.add(one.action)
        done(table, Give("Advance", {}))
    assert {"shoot", "cast", "move", "sneak", "talk", "business", "waive"} <= seen


def test_a_spell_may_have_no_target_but_the_likely_one_is_proposed():
    table = chosen(ford("magic"), "paul")
    assert play(begun(table, "cast"), "- h enter").data.get("target") is None
    assert str(play(begun(table, "cast"), "enter").data["target"]).startswith("goblin")


def test_the_last_target_is_proposed_again():
    table = chosen(ford("missile"), "ysolde")
    near = table.likely_target("ysolde")
    far = next(one for one in option(table, "shoot").inputs[0].choices if one != near)
    done(table, play(begun(table, "shoot"), f"' {table.state.combatants[far].label} m"))
    chosen(to(to(table, "missile", "foe"), "missile"), "ysolde")
    assert play(begun(table, "shoot"), "enter").data["target"] == far


# Against the rules


def melee():
    """Brand stands by goblin 1, so that there is a Melee; Ysolde, who is selected, stands by nobody."""
    table = ford("move")
    put(table, "brand", "D10")
    put(table, "goblin-1", "E10")
    return chosen(to(table, "melee"), "ysolde")


def test_what_stands_against_a_strike_is_said_before_it_is_given_and_can_be_overruled():
    table = melee()
    flow = begun(table, "strike")
    row = next(row for row in flow.panel().rows if row.status == "broken")
    assert row.rule == "melee strikes, SB-49"
    press(flow, "enter")
    error = flow.panel().complaint
    assert error.startswith("Ysolde isn't in contact with")
    assert "(melee strikes, SB-49)" in error
    given_ = play(press(flow, "!"), "enter")
    assert given_.force
    assert "Overridden" in done(table, given_)


def test_after_a_refusal_the_last_question_stands_again_with_the_reason():
    table = chosen(ford("move"), "ysolde")
    done(table, Give("Adjust", {"who": "ysolde", "what": "beats", "value": 1}))
    flow = begun(table, "move")
    press(flow, "right right")
    outcome = table.give(replace(flow.press("!"), force=False))
    assert not outcome.done
    flow.complain(outcome.message)
    assert "needs 2 beats; you have 1" in flow.view().error
    assert done(table, play(flow, "backspace enter"))["BeatsSpent"].amount == 1


# Taking back


def test_backspace_takes_back_what_was_said():
    table = chosen(ford("missile"), "ysolde")
    flow = press(begun(table, "shoot"), "h 4")
    assert flow.panel().typed
    press(flow, "backspace backspace")
    assert {row.name for row in flow.panel().rows} == {"line", "needs", "then"}
    assert play(flow, "' 3 enter").data == {
        "kind": "missile", "weapon": "longbow", "who": "ysolde", "target": "goblin-3",
    }  # fmt: skip


def test_the_panel_says_who_does_what_to_whom():
    table = chosen(ford("missile"), "ysolde")
    flow = press(begun(table, "shoot"), "' 3")
    assert flow.view().question == flow.panel().title == "Ysolde shoots at Goblin 3 with longbow"


def test_escape_takes_back_what_is_typed_and_then_leaves():
    for before, escapes in (("", 1), ("1", 2), ("h", 1), ("h 4", 2), ("'", 2), ("*", 2)):
        table = chosen(ford("missile"), "ysolde")
        flow = press(begun(table, "shoot"), before)
        for _ in range(escapes - 1):
            assert flow.press("escape") is STAY
        assert flow.press("escape") == Cancelled()
        assert table.fight.head.command["type"] != "Strike"


def test_a_letter_that_means_nothing_closes_an_empty_panel_and_starts_nothing_else():
    """At the table 1.5: the screen would do something else with it; with a die typed, the panel stays."""
    table = chosen(ford("missile"), "ysolde")
    for key in ("u", "q", ".", ":", ">"):
        reply = begun(table, "shoot").press(key)
        assert isinstance(reply, Cancelled)
        assert f"{key} closed the panel" in reply.said
    flow = press(begun(table, "shoot"), "5")
    for key in ("s", "u", "q", ".", ":", ">"):
        assert flow.press(key) is STAY, "the screen would do something else with it"
        assert "does nothing here" in flow.panel().complaint
    for key in ("ctrl+z", "f1", "shift+left"):
        assert flow.press(key) is IGNORED
    walking = begun(chosen(ford("move"), "ysolde"), "move")
    assert walking.press("+") is IGNORED, "the board is drawn larger while one walks"
    assert walking.press("s") is STAY


def test_the_key_for_why_says_the_sum_and_the_rule_of_the_marked_row():
    table = chosen(ford("missile"), "ysolde")
    flow = press(begun(table, "shoot"), "?")
    assert flow.panel().reason.startswith("12 on the sheet; SB-35: A miss uses up the strike")


def test_a_modifier_is_one_key_away_and_stands_beside_the_number_needed():
    table = chosen(ford("missile"), "ysolde")
    flow = press(begun(table, "shoot"), "* 2 enter")
    assert "12 or less, +2 to the die" in {row.text for row in flow.panel().rows}
    given_ = play(flow, "1 0 enter")
    assert done(table, given_)["StrikeResolved"].total == 12


def test_a_flow_that_asks_nothing_is_refused():
    with pytest.raises(ValueError, match="one field or more"):
        AskFlow([], lambda answers: STAY)


def test_a_field_can_depend_on_the_answers_before_it():
    flow = AskFlow(
        [ChoiceField("which", ("open", "full")), lambda answers: TextField(f"why {answers[0]}")],
        lambda answers: Give("Note", {"text": f"{answers}"}),
    )
    press(flow, "f")
    assert flow.view().question == "why full"
    press(flow, "backspace o")
    assert flow.view().question == "why open"
    assert flow.is_typing
    assert play(flow, "x enter") == Give("Note", {"text": "['open', 'x']"})


def test_a_click_answers_like_a_key():
    state = ford().state
    asks = [TargetField(state, "whom", ("brand",)), NumberField("n")]
    flow = AskFlow(asks, lambda answers: Give("X", {"a": answers}))
    assert flow.pick("brand") is STAY
    assert flow.pick("brand") is IGNORED
    assert flow.point(parse_place("A1")) is IGNORED
    assert play(flow, "7 enter").data == {"a": ["brand", 7]}


@given(pressed=st.lists(st.sampled_from(EVERY_KEY), max_size=15))
def test_no_key_hurts_and_what_comes_of_it_is_always_a_command_of_the_option(pressed):
    flow = begun(_SHOT, "shoot")
    for key in pressed:
        reply = flow.press(key)
        if isinstance(reply, Give):
            assert reply.command == "Strike"
            assert _SHOT.fight.codec.command(reply.command, reply.data)
            return
        if isinstance(reply, Cancelled):
            assert key == "escape" or reply.said
            return
        assert isinstance(reply, Stay) or reply is IGNORED
        flow.view()
        flow.overlay()


_SHOT = chosen(ford("missile"), "ysolde")


def test_a_choice_is_shown_in_words_and_given_as_the_engine_names_it():
    table = ford("move")
    wanted = Input("speed", "choice", "speed", choices=("full", "three_quarter"), default="full")
    field = field_for(table.state, table.fight.system, "ysolde", wanted, "Plan")
    assert [words for _, words in field.view().choices] == ["full", "three quarter"]
    assert field.press("t").value == "three_quarter"
