"""Lists are narrowed by typing; Enter takes the top, the arrows choose."""

from flowcraft import EVERY_KEY, NASTY, PATIENT, play, press
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows.base import CANCELLED, IGNORED, STAY, Become, Call, Stay
from fightcall.flows.list_flow import SHOWN, Item, ListFlow
from fightcall.table import Give


def items(*texts):
    return [Item(text, f"SB-{number}", lambda text=text: Call("say", text)) for number, text in enumerate(texts)]


def words(flow):
    """The items that are shown, the chosen one first."""
    view = flow.view()
    return [view.default, *(text for _, text in view.choices)]


def test_enter_takes_the_top_and_the_arrows_choose():
    flow = ListFlow("Which", items("move", "sneak", "vault"))
    assert words(flow) == ["move  SB-0", "sneak  SB-1", "vault  SB-2"]
    assert play(flow, "enter") == Call("say", "move")
    assert play(flow, "down down enter") == Call("say", "vault")
    assert play(flow, "down up up up enter") == Call("say", "move")
    assert play(flow, "end enter") == Call("say", "vault")
    assert play(flow, "home tab enter") == Call("say", "sneak")
    assert play(flow, "shift+tab pagedown enter") == Call("say", "vault")


def test_typing_narrows_by_every_word_in_any_order_and_by_the_remark():
    flow = ListFlow("Which", items("Drop prone", "Rise from prone", "Vault"))
    press(flow, "p r o n e space r i s e")
    assert words(flow) == ["Rise from prone  SB-1"]
    assert play(flow, "enter") == Call("say", "Rise from prone")
    assert words(press(ListFlow("Which", items("a", "b")), "s b - 1")) == ["b  SB-1"]


def test_backspace_widens_again_and_the_top_is_chosen_anew():
    flow = press(ListFlow("Which", items("ab", "b")), "down a")
    assert words(flow) == ["ab  SB-0"]
    press(flow, "backspace backspace backspace")
    assert words(flow)[0] == "ab  SB-0"


def test_where_nothing_matches_enter_does_nothing():
    flow = press(ListFlow("Which", items("a")), "x enter")
    assert "nothing matches" in flow.view().hint
    assert flow.press("down") is STAY
    assert play(flow, "backspace enter") == Call("say", "a")


def test_an_empty_list_says_so():
    flow = ListFlow("Which", (), empty="nothing can be done now")
    assert flow.view().hint == "nothing can be done now"
    assert flow.press("enter") is STAY
    assert flow.press("!") is STAY
    assert flow.press("escape") is CANCELLED


def test_the_gms_word_takes_a_command_by_force():
    flow = ListFlow("Which", [Item("ambush", "", lambda: Give("Ambush", {"by": "foe"}))])
    assert flow.press("!") == Give("Ambush", {"by": "foe"}, force=True)
    assert ListFlow("Which", items("a")).press("!") == Call("say", "a")


def test_what_was_refused_is_said_until_the_next_key():
    flow = ListFlow("Which", items("a"))
    flow.complain("SB-21: the foe has talked")
    assert flow.view().error.startswith("SB-21")
    press(flow, "a")
    assert not flow.view().error


def test_only_a_screenful_is_shown_from_the_chosen_one_on():
    flow = ListFlow("Which", items(*(str(number) for number in range(400))))
    assert len(words(flow)) == SHOWN
    press(flow, "end")
    assert words(flow) == ["399  SB-399"]
    assert "400 of 400" in flow.view().hint


def test_a_list_can_lead_to_another_flow():
    inner = ListFlow("Inner", items("x"))
    assert ListFlow("Outer", [Item("in", "", lambda: Become(inner))]).press("enter") == Become(inner)


@PATIENT
@given(texts=st.lists(st.text(max_size=5), max_size=6), pressed=st.lists(st.sampled_from(EVERY_KEY), max_size=12))
def test_whatever_is_pressed_only_what_is_shown_is_picked(texts, pressed):
    flow = ListFlow("Which", items(*texts))
    for key in pressed:
        shown = words(flow)[0]
        turn = flow.press(key)
        if isinstance(turn, Call):
            assert key in ("enter", "!")
            assert shown.startswith(turn.value)
        elif turn is not CANCELLED:
            assert isinstance(turn, Stay) or turn is IGNORED
            assert turn is STAY or key in NASTY or len(key) > 1
