"""The user's own keys stand for those that flows know, except for letters while one types; pasting types."""

import pytest
from flowcraft import ford

from fightcall.flows import toolbox
from fightcall.flows.base import CANCELLED, CANONICAL, IGNORED, STAY, paste, press, rebound
from fightcall.flows.command_line import CommandLineFlow
from fightcall.flows.lists import ListFlow
from fightcall.flows.path_fields import PathField
from fightcall.flows.questions import AskFlow
from fightcall.table import Give


def walking():
    table = ford("move")
    field = PathField(table.state, table.system, "ysolde", "walk", "Where")
    return field, AskFlow([field], lambda answers: Give("Move", {"who": "ysolde", "path": answers[0]}))


def test_own_keys_stand_for_those_that_flows_know():
    assert rebound({"flow.east": "d", "flow.cancel": "f9,ctrl+g"}) == {"d": "right", "f9": "escape", "ctrl+g": "escape"}
    assert rebound({"fight.undo": "x"}) == {}
    assert rebound({}) == {}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("question_mark", "?"),
        ("slash", "/"),
        ("minus", "-"),
        ("at", "@"),
        ("full_stop", "."),
        ("exclamation_mark", "!"),
        ("space", "space"),
        ("enter", "enter"),
        ("delete", "delete"),
        ("a", "a"),
        ("A", "A"),
    ],
)
def test_a_key_map_names_keys_and_flows_get_characters(name, key):
    assert rebound({"flow.rule": name}) == {key: "!"}


def test_a_letter_of_ones_own_is_a_direction_while_walking_and_a_letter_while_typing():
    keymap = {"flow.east": "d", "flow.cancel": "x", "flow.accept": "f2"}
    field, flow = walking()
    assert press(flow, "d", keymap) is STAY
    assert len(field.path) == 1
    assert press(flow, "x", keymap) is CANCELLED
    note = toolbox.note()
    assert press(note, "d", keymap) is STAY
    assert press(note, "x", keymap) is STAY
    assert press(note, "f2", keymap) == Give("Note", {"text": "dx"})


def test_every_key_that_can_be_rebound_is_one_that_flows_know():
    field, _ = walking()
    for action, known in CANONICAL.items():
        if action.removeprefix("flow.") in ("east", "west", "north-west", "north-east", "south-west", "south-east"):
            assert field.press(known) is True
            field.press("backspace")


def test_what_is_pasted_is_typed_up_to_the_end_of_its_first_line():
    state = ford().state
    table = ford()
    flow = CommandLineFlow(state, table.fight.codec)
    assert paste(flow, "  damage 2 7\t\nnext\n") is STAY
    assert flow.text == "damage 2 7"
    note = toolbox.note()
    assert paste(note, "a\x1b[31m b") is STAY
    assert note.press("enter") == Give("Note", {"text": "a[31m b"})
    assert paste(ListFlow("Which", ()), "") is IGNORED


def test_pasting_where_nothing_is_typed_does_nothing():
    _, flow = walking()
    assert paste(flow, "lll") is IGNORED
    amount = toolbox.damage(ford().state, "brand")
    amount.press("2")
    assert paste(amount, "12") is STAY
    assert amount.press("enter").data == {"who": "goblin-2", "amount": 12}
