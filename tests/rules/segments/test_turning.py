"""A declared Turn brings a foe into view, on a board and without one (CS-104, CS-306, CS-342)."""

import pytest

from fightcall_engine.board.kinds import SquareBoard, any_board

from ..once import played_once
from .table import SWORD, Play, table

ARMED = {"weapons": [SWORD], "dodge": 20}
LEFT = {"weapons": [{**SWORD, "hand": "L"}], "hands": {"L": "sword"}}


@played_once
def behind(field: str, turn: str, sheet: dict[str, object], **settings: object) -> Play:
    """Ash has a foe in a field, declares a strike at him with a Turn, and it is the orc's turn to declare."""
    play = table(None, settings, ash={**ARMED, **sheet}, orc={"side": "foe", **ARMED}, imp={"side": "foe", **ARMED})
    play.begin(ash=12, orc=9, imp=1).do("approach", who="ash", foe="orc", field=field)
    play.do("approach", who="ash", foe="imp", field="F")
    components = [turn] if turn else []
    return play.do("declare", who="ash", action="strike", target="orc", components=components, force=not turn).to(
        "declare", "orc"
    )


@pytest.mark.parametrize(
    ("field", "turn", "sheet", "orc", "imp"),
    [
        ("R", "turn_half", {}, "F", "R"),
        ("R", "turn_quarter", {}, "RS", "LS"),  # to the hand that strikes
        ("R", "turn_quarter", LEFT, "LS", "RS"),
        ("RR", "turn_quarter", {}, "RF", "LS"),
        ("LR", "turn_quarter", {}, "LF", "RS"),
        ("LS", "turn_quarter", {}, "F", "RS"),
        ("RF", "turn_half", {}, "RF", "F"),  # in full view already: the Turn is for something else
        ("R", "", {}, "R", "F"),
    ],
)
def test_cs_306_all_fields_turn_with_him(field: str, turn: str, sheet: dict[str, object], orc: str, imp: str) -> None:
    """CS-306: a quarter or half a circle, and no farther than is needed."""
    play = behind(field, turn, sheet)
    told = {foe: pair.field for foe, pair in play.one("ash").record.adjacent.items()}
    assert told == {"orc": orc, "imp": imp}


def test_cs_306_one_turn_is_made_once() -> None:
    """CS-306: a quarter brings a foe from behind to the side, and in the Resolution no farther."""
    play = behind("R", "turn_quarter", {}).to("resolve", "ash").do("resolve", who="ash", defence="none", hit=False)
    assert play.one("ash").record.adjacent["orc"].field == "RS"


@pytest.mark.parametrize(("turn", "refused"), [("turn_half", False), ("turn_quarter", False), ("", True)])
def test_cs_306_who_has_turned_parries_the_foe_who_was_behind_him(turn: str, refused: bool) -> None:
    """CS-301, CS-302, CS-305, CS-306: before the Turn nothing but a Dodge, and that only for who is warned."""
    play = behind("R", turn, {}).do("declare", who="orc", action="strike", target="ash").to("resolve", "ash")
    if turn:
        play.do("resolve", who="ash", defence="none", hit=False)
    play.to("resolve", "orc")
    if refused:
        play.refused("CS-305", "resolve", who="orc", defence="parry sword", hit=False)
    else:
        assert play.do("resolve", who="orc", defence="parry sword", hit=False).got("CheckRequested").dv == 40  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("facing", "turn", "after"),
    [(0, "turn_half", 0), (4, "turn_quarter", 2), (4, "turn_half", 0), (3, "turn_quarter", 1), (6, "turn_quarter", 0)],
)
def test_cs_306_on_squares_he_faces_another_way(facing: int, turn: str, after: int) -> None:
    """CS-306: the orc stands to the east, facing 0; from behind he comes to the side of the sword."""
    board = any_board(SquareBoard(9, 9))
    play = table(board, None, ash={**ARMED, "at": "D4", "facing": facing}, orc={"side": "foe", **ARMED, "at": "E4"})
    play.begin().do("declare", who="ash", action="strike", target="orc", components=[turn]).do("confirm", who="ash")
    assert play.one("ash").facing == after


def test_cs_306_a_full_defence_with_a_turn_is_against_who_is_seen_then() -> None:
    """CS-166, CS-306: the foe it is meant for comes into view."""
    play = table(None, None, ash=ARMED, orc={"side": "foe", **ARMED}).begin()
    play.do("approach", who="ash", foe="orc", field="RR")
    play.do("declare", who="ash", action="defend", against="orc", components=["turn_quarter"]).to("declare", "orc")
    assert play.one("ash").record.adjacent["orc"].field == "RF"
