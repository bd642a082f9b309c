"""Lists are narrowed by typing; Enter takes the top, the arrows choose."""

from flowcraft import EVERY_KEY, NASTY, play, press
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows.base import CANCELLED, IGNORED, STAY, Become, Bookmark, Say, Stay
from fightcall.flows.lists import Item, ListFlow, ListKey, letter_codes
from fightcall.table import Give


def items(*texts, **rest):
    return [
        Item(lambda text=text: text, lambda text=text: Say(text), rule=f"SB-{number}", **rest)
        for number, text in enumerate(texts)
    ]


def words(flow):
    """The rows near the mark, the marked one first."""
    shown = flow.list_view()
    rows = [f"{row.what}  {row.rule}" for row in shown.rows]
    return rows[shown.marked :] if rows else [""]


def codes(flow):
    return [row.key for row in flow.list_view().rows]


def test_enter_takes_the_top_and_the_arrows_choose():
    flow = ListFlow("Which", items("move", "sneak", "vault"))
    assert words(flow) == ["move  SB-0", "sneak  SB-1", "vault  SB-2"]
    assert play(flow, "enter") == Say("move")
    assert play(flow, "down down enter") == Say("vault")
    assert play(flow, "down up up up enter") == Say("move")
    assert play(flow, "end enter") == Say("vault")
    assert play(flow, "home tab enter") == Say("sneak")
    assert play(flow, "shift+tab pagedown enter") == Say("vault")


def test_typing_narrows_by_every_word_in_any_order_and_by_the_remark():
    flow = ListFlow("Which", items("Drop prone", "Rise from prone", "Vault"))
    press(flow, "/ p r o n e space r i s e")
    assert words(flow) == ["Rise from prone  SB-1"]
    assert play(flow, "enter") == Say("Rise from prone")
    assert words(press(ListFlow("Which", items("a", "b")), "/ s b - 1")) == ["b  SB-1"]


def test_backspace_widens_again_and_the_top_is_chosen_anew():
    flow = press(ListFlow("Which", items("ab", "b")), "/ a b")
    assert words(flow) == ["ab  SB-0"]
    press(flow, "backspace backspace backspace")
    assert words(flow)[0] == "ab  SB-0"


def test_where_nothing_matches_enter_does_nothing():
    flow = press(ListFlow("Which", items("a")), "x enter")
    assert "nothing matches" in flow.view().hint
    assert flow.press("down") is STAY
    assert play(flow, "backspace enter") == Say("a")


def test_an_empty_list_says_so():
    flow = ListFlow("Which", (), empty="nothing to do now")
    assert flow.view().hint == "nothing to do now"
    assert flow.press("enter") is STAY
    assert flow.press("!") is STAY
    assert flow.press("escape") is CANCELLED


def test_the_gms_word_takes_a_command_by_force():
    flow = ListFlow("Which", [Item(lambda: "ambush", lambda: Give("Ambush", {"by": "foe"}))])
    assert flow.press("!") == Give("Ambush", {"by": "foe"}, force=True)
    assert ListFlow("Which", items("a")).press("!") == Say("a")


def test_what_was_refused_is_said_until_the_next_key():
    flow = ListFlow("Which", items("a"))
    flow.complain("The foe has talked (setting an ambush, SB-21)")
    assert flow.view().error.endswith("SB-21)")
    press(flow, "down")
    assert not flow.view().error


def test_a_letter_takes_its_row_and_letters_stay_while_the_list_is_narrowed():
    flow = ListFlow("Which", items("move", "sneak", "vault"))
    assert codes(flow) == ["a", "b", "c"]
    assert flow.press("c") == Say("vault")
    flow = press(ListFlow("Which", items("move", "sneak", "vault")), "/ s n escape")
    assert codes(flow) == ["a", "b", "c"]
    assert words(flow)[0] == "sneak  SB-1", "the mark stays where it was"
    assert codes(press(ListFlow("Which", items("move", "sneak")), "/ s n")) == ["b"]


def test_an_entry_keeps_the_key_that_begins_it_elsewhere():
    flow = ListFlow("Which", [*items("move", key="m"), *items("sneak", key="b"), *items("wait")])
    assert codes(flow) == ["m", "b", "a"]
    assert flow.press("b") == Say("sneak")


def test_what_is_no_letter_of_an_entry_begins_to_find():
    flow = press(ListFlow("Which", items("move", "Vault")), "V a")
    assert words(flow) == ["Vault  SB-1"]
    assert flow.press("escape") is STAY, "one step back"
    assert flow.press("escape") is CANCELLED


def test_a_long_list_has_codes_of_two_letters_that_mark_at_the_first():
    flow = ListFlow("Which", items(*(str(number) for number in range(400))))
    found = letter_codes([""] * 400)
    assert len(set(found)) == 400
    assert all(1 <= len(code) <= 2 for code in found)
    assert not any(long.startswith(short) for long in found for short in found if len(short) < len(long))
    assert flow.press(found[300][0]) is STAY
    assert flow.press(found[300][1]) == Say("300")
    assert letter_codes([""] * 400, shortest_last=True)[-1] == "a"
    press(flow, "end")
    assert words(flow) == ["399  SB-399"]
    assert (flow.list_view().above + flow.list_view().marked + 1, flow.list_view().total) == (400, 400)


def test_the_marked_entry_is_explained_by_its_rule():
    flow = ListFlow("Which", items("a", explain="because"), rules={"SB-0": "Who leads."})
    assert flow.press("?") is STAY
    assert flow.list_view().note == "because; SB-0: Who leads."
    press(flow, "?")
    assert not flow.list_view().note


def test_a_list_has_keys_of_its_own_for_the_marked_entry():
    flow = ListFlow("Which", items("a", "b"), keys={"n": ListKey("names it", lambda place: Bookmark(str(place)))})
    assert play(flow, "down n") == Bookmark("1")
    assert "n" not in codes(ListFlow("Which", items(*"abcdefghijklmnop"), keys={"n": ListKey("x", lambda at: STAY)}))


def test_a_list_can_lead_to_another_flow():
    inner = ListFlow("Inner", items("x"))
    assert ListFlow("Outer", [Item(lambda: "in", lambda: Become(inner))]).press("enter") == Become(inner)


@given(texts=st.lists(st.text(max_size=5), max_size=6), pressed=st.lists(st.sampled_from(EVERY_KEY), max_size=12))
def test_whatever_is_pressed_only_what_is_shown_is_picked(texts, pressed):
    flow = ListFlow("Which", items(*texts))
    for key in pressed:
        marked, by_code = words(flow)[0], {row.key: row.what for row in flow.list_view().rows}
        reply = flow.press(key)
        if isinstance(reply, Say):
            taken = marked if key in ("enter", "space", "!") else by_code[key]
            assert taken.startswith(reply.text)
        elif reply is not CANCELLED:
            assert isinstance(reply, Stay) or reply is IGNORED
            assert reply is STAY or key in NASTY or len(key) > 1
