"""What the board shows: fields about the selected figure, and planned ways by Pulse (CS-230, CS-300, CS-683)."""

from __future__ import annotations

import pytest

from fightcall_engine.board.kinds import HexBoard, SquareBoard, any_board

from .table import SWORD, Play, table

ON = {"pulse_movement": True}
ENDS = {"B3": "1", "F3": "2", "J3": "3", "M3": "4", "N3": "5"}
SHIELD = {"name": "shield", "kind": "shield", "hand": "L", "av": 20}


def shown(play: Play, who: str = "") -> dict[str, tuple[str, str]]:
    board = play.state.board
    assert board is not None
    return {board.name_of(mark.at): (mark.text, mark.tone) for mark in play.fight.system.marks(play.state, who)}


def test_cs_683_eight_fields_about_the_selected_figure_on_squares() -> None:
    """CS-300 to CS-305: facing east with a sword in the right hand: the tone says what can be done there."""
    play = table(any_board(SquareBoard(9, 9)), ash={"at": "C3", "facing": 0, "weapons": [SWORD]}).begin()
    assert shown(play, "ash") == {
        "D3": ("F", "good"), "D4": ("RF", "good"), "C4": ("RS", "good"), "B4": ("RR", "warn"), "B3": ("R", "bad"),
        "B2": ("LR", "warn"), "C2": ("LS", "warn"), "D2": ("LF", "good"),
    }  # fmt: skip
    assert shown(play) == {}
    labels = {mark.text: mark.label for mark in play.fight.system.marks(play.state, "ash")}
    assert labels["RS"] == "Right Side: attack with sword; defend with sword or Dodge (CS-302)"
    assert labels["LR"].startswith("Left Rear Flank: no attack without a Turn; defend with Dodge, if aware")


def test_cs_683_six_fields_on_hexes_and_with_a_shield() -> None:
    play = table(any_board(HexBoard(9, 9)), ash={"at": "C3", "facing": 0, "weapons": [SWORD, SHIELD]}).begin()
    assert [text for text, _ in shown(play, "ash").values()] == ["F", "LF", "LR", "R", "RR", "RF"]
    assert [tone for _, tone in shown(play, "ash").values()] == ["good", "good", "warn", "bad", "warn", "good"]


def test_cs_308_a_closed_field_is_marked_as_such() -> None:
    play = table(any_board(SquareBoard(9, 9)), ash={"at": "C3", "facing": 0, "weapons": [SWORD]}).begin()
    play.do("adjust", who="ash", what="shut_fields.R", value=True)
    assert shown(play, "ash")["B3"] == ("R", "plain")


@pytest.mark.parametrize("given", [{"facing": 0}, {"at": "C3"}])
def test_no_fields_where_nobody_knows_them(given: dict[str, object]) -> None:
    board = any_board(SquareBoard(9, 9))
    assert shown(table(board, ash={"weapons": [SWORD], **given}).begin(), "ash") == {}


def test_cs_230_where_each_pulse_of_a_planned_way_will_end() -> None:
    """CS-234: 9 ft, then 18 ft a Pulse: squares 1, 5, 9, 12; as they are walked they are what comes true."""
    play = table(any_board(SquareBoard(30, 9)), ON, ash={"at": "A3"}, orc={"side": "foe", "at": "A9"}).begin()
    play.do("plan", who="ash", to="N3")
    assert {name: text for name, (text, _) in shown(play).items()} == ENDS
    play.to("pulse").do("advance").do("advance")
    assert play.state.board.name_of(play.one("ash").at) == "F3"  # type: ignore[union-attr, arg-type]
    assert shown(play) == {"J3": ("3", "plain"), "M3": ("4", "plain"), "N3": ("5", "plain")}


def test_ways_of_the_hidden_are_shown_only_to_who_selects_them() -> None:
    play = table(any_board(SquareBoard(30, 9)), ON, orc={"side": "foe", "at": "A9", "hidden": True}).begin()
    play.do("plan", who="orc", to="H9")
    assert shown(play) == {}
    assert shown(play, "orc")["B9"] == ("1", "info")
