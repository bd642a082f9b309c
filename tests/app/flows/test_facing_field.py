"""Turning to face: a key of direction, a label, a click."""

import pytest
from flowcraft import ford, indoors

from fightcall.flows import toolbox
from fightcall.flows.base import STAY
from fightcall_engine.board.kinds import parse_place


def faced(reply):
    return reply.command, reply.data["who"], reply.data["facing"]


def test_an_arrow_turns_at_once():
    flow = toolbox.face(ford().state, "brand")
    assert faced(flow.press("left")) == ("Face", "brand", 3)
    assert faced(toolbox.face(ford().state, "brand").press("l")) == ("Face", "brand", 0)


def test_a_label_looks_at_somebody_and_a_click_at_a_place():
    state = ford().state
    assert faced(toolbox.face(state, "brand").press("1")) == ("Face", "brand", 0)
    assert faced(toolbox.face(state, "brand").point(parse_place("A6"))) == ("Face", "brand", 3)
    flow = toolbox.face(state, "brand")
    assert flow.press("9") is STAY
    assert "no combatant has the label 9" in flow.view().error


def test_without_a_board_there_is_nothing_to_face():
    with pytest.raises(ValueError, match="no directions"):
        toolbox.face(indoors().state, "ash")
