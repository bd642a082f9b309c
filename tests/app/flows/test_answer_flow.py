"""Open questions: Enter takes the default, a letter picks, digits are the die or the amount, words are words."""

import pytest
from flowcraft import EVERY_KEY, done, ford, keys, play, press, put, to
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows.base import CANCELLED, IGNORED, STAY, Select
from fightcall.flows.option_inputs import AnswerFlow, answer_keys
from fightcall.flows.table_flows import answer
from fightcall.table import Give
from fightcall_engine.kit.decision import choices
from fightcall_engine.model.state import Choice, Prompt


def prompt(*words, default="", **also):
    return Prompt("p1", "kind", "What?", "SB-1", choices(*words), default, **also)


def asked(table, kind):
    """The flow for the open question of a kind."""
    return answer(table, next(one.id for one in table.state.prompts if one.kind == kind))


def sneaking():
    """Paul has sneaked, and the roll is asked for."""
    table = ford("move")
    done(table, Give("Rule", {"what": "plain_view", "value": False, "who": "paul"}))
    done(table, Give("Sneak", {"who": "paul", "to": "D4"}))
    for _ in range(10):
        if table.state.prompts:
            return table
        done(table, Give("Advance", {}))
    raise AssertionError("no sneak roll was asked for")


def striking():
    """Brand has hit a goblin, and the damage is asked for."""
    table = ford("move")
    put(table, "brand", "D10")
    put(table, "goblin-1", "E10")
    to(table, "melee")
    done(table, Give("Strike", {"who": "brand", "target": "goblin-1", "hit": True, "weapon": ""}))
    return table


# On a real fight


def test_enter_takes_the_default():
    table = sneaking()
    assert done(table, play(asked(table, "sneak"), "enter"))["SneakChecked"]


def test_the_die_of_the_table_is_typed():
    table = sneaking()
    assert done(table, play(asked(table, "sneak"), "1 7 enter"))["SneakChecked"].die == 17


def test_a_letter_answers_at_once():
    table = sneaking()
    events = done(table, play(asked(table, "sneak"), "n"))
    assert events["RulingRecorded"].choice == "no"
    assert "SneakChecked" not in events


def test_tab_chooses_and_a_die_goes_with_the_choice():
    flow = AnswerFlow(prompt("yes", "half", "no", default="yes", dice="d20", purpose="sneak"))
    assert flow.view().default == "yes"
    press(flow, "tab")
    assert flow.view().default == "half"
    assert play(flow, "1 2 enter").data == {"prompt": "p1", "choice": "half", "rolls": {"sneak": [12]}}


def test_the_damage_is_a_number_dice_or_none():
    for text, amount in (("4 enter", 4), ("d 6 enter", None), ("2 backspace 3 enter", 3)):
        table = striking()
        events = done(table, play(asked(table, "damage"), text))
        assert events["DamageApplied"].who == "goblin-1"
        assert amount in (None, events["DamageApplied"].amount)
    table = striking()
    assert "DamageApplied" not in done(table, play(asked(table, "damage"), "n"))


# On prompts of all kinds


def test_a_die_that_cannot_be_is_refused_and_mended():
    flow = AnswerFlow(prompt("yes", "no", default="yes", dice="d20+3", purpose="sneak"))
    press(flow, "2 3 enter")
    assert flow.view().error == "d20 can't show 23; accepted: 1-20"
    assert play(flow, "backspace enter").data["rolls"] == {"sneak": [2]}
    press(flow, "3 enter")
    assert play(flow, "1 2 enter").data["rolls"] == {"sneak": [12]}, "a digit begins it anew"


def test_several_dice_are_typed_with_blanks():
    flow = AnswerFlow(prompt("yes", default="yes", dice="2d6", purpose="morale"))
    assert play(flow, "3 space 4 enter").data["rolls"] == {"morale": [3, 4]}


def test_a_die_needs_a_choice_where_there_is_no_default():
    flow = AnswerFlow(prompt("yes", "no", dice="d20", purpose="x"))
    press(flow, "5 enter")
    assert "choose an answer" in flow.view().error
    assert play(flow, "tab enter").data == {"prompt": "p1", "choice": "yes", "rolls": {"x": [5]}}


def test_without_a_default_enter_is_no_answer():
    flow = AnswerFlow(prompt("hit", "miss"))
    press(flow, "enter")
    assert flow.view().error == "this question needs an answer"
    assert play(flow, "m").data["choice"] == "miss"
    assert play(AnswerFlow(prompt("hit", "miss")), "up enter").data["choice"] == "miss"
    assert play(AnswerFlow(prompt("hit", "miss")), "down enter").data["choice"] == "hit"


def test_a_default_that_is_no_choice_is_still_the_default():
    assert play(AnswerFlow(prompt("hit", default="later")), "enter").data["choice"] == "later"


def test_an_answers_letter_goes_before_the_same_letter_in_dice():
    flow = AnswerFlow(prompt("deny", default="deny", amount="damage"))
    assert play(flow, "d").data["choice"] == "deny"
    flow = AnswerFlow(prompt("deny", default="deny", amount="damage"))
    assert play(flow, "1 d 6 enter").data["amount"] == "1d6"


def test_an_answer_that_somebody_acts_selects_them_and_gives_nothing():
    offer = Prompt("p1", "kind", "Who acts?", "", (Choice("no", "nobody", "-"), Choice("w", "Wolf", "w", "wolf")), "no")
    assert play(AnswerFlow(offer), "w") == Select("wolf", to_act=True)
    assert play(AnswerFlow(offer), "tab enter") == Select("wolf", to_act=True)
    assert play(AnswerFlow(offer), "enter").data["choice"] == "no"


def test_a_wrong_amount_is_said_and_not_given():
    flow = AnswerFlow(prompt("none", default="none", amount="damage"))
    press(flow, "2 d enter")
    assert "accepted" in flow.view().error
    assert play(flow, "6 enter").data["amount"] == "2d6"


def test_once_something_is_typed_letters_are_slips_and_not_commands():
    flow = AnswerFlow(prompt("none", default="none", amount="damage"))
    press(flow, "7 n")
    assert "does nothing here; Enter accepts 7" in flow.view().error
    press(flow, "u")
    assert play(flow, "enter").data["amount"] == 7


def test_space_takes_what_is_typed_and_parts_what_two_dice_show():
    flow = AnswerFlow(prompt("none", default="none", amount="damage"))
    assert play(press(flow, "7"), "space").data["amount"] == 7
    flow = AnswerFlow(prompt("none", default="none", dice="2d6"))
    assert "space" not in flow.call_words
    assert "space" in press(flow, "3").call_words
    assert play(flow, "space 4 enter").data["rolls"]


def test_keys_that_answer_nothing_are_left_to_the_screen():
    flow = AnswerFlow(prompt("hit", "miss"))
    for key in ("u", "space", "?", "!", "1", "ctrl+z", "backspace", ""):
        assert flow.press(key) is IGNORED
    assert flow.press("escape") is CANCELLED


def test_words_are_typed_where_any_words_will_do():
    flow = AnswerFlow(prompt())
    assert flow.is_typing
    assert play(flow, "y e s space u ! left backspace backspace enter").data["choice"] == "yes!"
    flow = AnswerFlow(prompt())
    press(flow, "space enter")
    assert flow.view().error
    assert flow.press("ctrl+z") is IGNORED
    assert flow.press("backspace") is STAY
    assert play(AnswerFlow(prompt(default="free")), "enter").data["choice"] == "free"


def test_an_amount_can_be_asked_for_without_choices():
    assert play(AnswerFlow(prompt(amount="beats")), "4 enter").data["amount"] == 4
    assert play(AnswerFlow(prompt(amount="beats")), "2 d 6 + 1 enter").data["amount"] == "2d6+1"


def test_an_amount_without_choices_takes_no_letters_and_says_what_it_takes():
    flow = AnswerFlow(prompt(amount="beats"))
    assert not flow.is_typing
    for key in ("s", "tab", "u"):
        assert flow.press(key) is IGNORED, "left to the screen"
    assert flow.press("enter") is STAY
    assert flow.view().error == "this question needs an answer"
    assert flow.view().hint == "digits: beats, or dice"
    press(flow, "4 s")
    assert (flow.view().typed, "does nothing here" in flow.view().error) == ("4", True)
    assert play(flow, "enter").data == {"prompt": "p1", "amount": 4}


def test_choices_without_a_letter_get_a_digit_where_digits_mean_nothing_else():
    pair = (Choice("a", "a", ""), Choice("b", "b", "b"), Choice("c", "c", ""))
    assert answer_keys(pair, digits=True) == ("1", "b", "2")
    assert answer_keys(pair, digits=False) == ("", "b", "")
    flow = AnswerFlow(Prompt("p1", "k", "?", "", pair))
    assert flow.press("2") == Give("Answer", {"prompt": "p1", "choice": "c"})


def test_what_the_bar_shows():
    flow = AnswerFlow(prompt("yes", "no", default="yes", dice="d20", purpose="sneak"), queue=2)
    view = flow.view()
    assert (view.default, view.rule, view.queue, dict(view.choices)) == ("yes", "SB-1", 2, {"n": "no"})
    assert "d20" in view.hint
    press(flow, "1")
    assert flow.view().default == "", "Enter takes the die now"
    flow.complain("no")
    assert flow.view().error == "no"


WORDS = st.lists(st.sampled_from(("yes", "no", "hold", "deny", "keep", "漢")), max_size=4, unique=True)


@given(
    words=WORDS,
    dice=st.sampled_from(("", "d20", "2d6")),
    amount=st.sampled_from(("", "damage")),
    pressed=st.lists(st.sampled_from(EVERY_KEY), max_size=12),
)
def test_whatever_is_pressed_an_answer_is_one_that_was_asked_for(words, dice, amount, pressed):
    asked_ = prompt(*words, default=words[0] if words else "", dice=dice, purpose="p", amount=amount)
    flow = AnswerFlow(asked_)
    for key in pressed:
        reply = flow.press(key)
        flow.view()
        if isinstance(reply, Give):
            data = reply.data
            assert reply.command == "Answer"
            assert not words or data.get("choice", words[0]) in words
            assert ("rolls" in data) <= bool(dice)
            assert ("amount" in data) <= bool(amount)
            return
        if reply is CANCELLED:
            return


@pytest.mark.parametrize("text", ["enter", "y", "tab enter", "1 enter"])
def test_an_answer_takes_few_keys(text):
    flow = AnswerFlow(prompt("yes", "no", default="yes", dice="d20", purpose="sneak"))
    assert play(flow, text).data["prompt"] == "p1"
    assert len(keys(text)) <= 2
