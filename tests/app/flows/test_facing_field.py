"""Turning to face: a key of direction, a label, a click."""

import pytest
from flowcraft import ford, indoors

from fightcall.flows import quick_flows
from fightcall.flows.base import STAY
from fightcall_engine.board.hexes import parse_place


def faced(reply):
    return reply.command, reply.data["who"], reply.data["facing"]


def test_an_arrow_turns_at_once():
    flow = quick_flows.face(ford().state, "brand")
    assert faced(flow.press("left")) == ("Face", "brand", 3)
    assert faced(quick_flows.face(ford().state, "brand").press("l")) == ("Face", "brand", 0)


def test_a_label_looks_at_somebody_and_a_click_at_a_place():
    state = ford().state
    assert faced(quick_flows.face(state, "brand").press("1")) == ("Face", "brand", 0)
    assert faced(quick_flows.face(state, "brand").point(parse_place("A6"))) == ("Face", "brand", 3)
    flow = quick_flows.face(state, "brand")
    assert flow.press("9") is STAY
    assert "no combatant has the label 9" in flow.view().error


def test_without_a_board_there_is_nothing_to_face():
    with pytest.raises(ValueError, match="no directions"):
        quick_flows.face(indoors().state, "ash")
