"""Zones that burn or are flooded: what entering them costs, and what they do at Upkeep (AP-21, AP-43..45, Q-A21)."""

from __future__ import annotations

import pytest

from ..once import played_once
from ..talk import Talk
from .table import table

HALL, STAGE, YARD = "Hall", "Stage", "Yard"
BOARD = {
    "kind": "zone",
    "zones": [
        {"name": HALL, "col": 0, "row": 0},
        {"name": STAGE, "col": 1, "row": 0},
        {"name": YARD, "col": 2, "row": 0},
    ],
}


@played_once
def theatre(**settings: object) -> Talk:
    """Ivo (7 slots), Mara (5) and an NPC in the hall, in Ivo's Active Phase; Teo (4) comes last, in the yard."""
    talk = Talk("slots", settings, seed="7", board=BOARD)
    for who, agility, at in (("ivo", 2, HALL), ("mara", 0, HALL), ("teo", -1, YARD)):
        talk.do("add", id=who, name=who.title(), side="party", sheet={"agility": agility, "hp": 10}, at=at)
    talk.do("add", id="rat", name="Rat", side="foe", sheet={"hp": 3}, at=HALL).do("start")
    for who, result in (("ivo", 18), ("mara", 14), ("teo", 9)):
        talk.do("awareness", who=who, result=result)
    return talk.do("lock")


def hp(talk: Talk, *who: str) -> list[object]:
    return [talk.combatant(one)["hp"] for one in who]


def test_entering_a_marked_zone_costs_its_price_beside_the_way():
    """AP-21, Q-A21: two zones a slot; leaving costs nothing; four times in the Final Phase."""
    talk = theatre().do("mark_zone", at="stage", name="flooded", price=2, kind="none", amount=1)
    assert talk.events("ZoneMarked")[0]["zone"] == STAGE
    talk.do("move", who="ivo", to=STAGE)
    assert talk.events("SlotsSpent")[0]["amount"] == 3
    talk.do("move", who="ivo", to=YARD)
    assert talk.events("SlotsSpent")[0]["amount"] == 1
    talk.do("end_ap", who="ivo").do("end_ap", who="mara").refused("AP-23", "move", who="teo", to=STAGE)
    talk.do("move", who="teo", to=STAGE, ground=1)
    assert talk.events("SlotsSpent")[0]["amount"] == 4, "what the way asks by GM override is all it asks"


def test_whoever_stands_in_it_at_upkeep_is_harmed():
    """AP-43, AP-45: PCs and NPCs, those who came later too, and nobody who has left it."""
    talk = theatre().do("mark_zone", at=HALL, name="burning", kind="damage", amount=2)
    talk.do("move", who="ivo", to=STAGE).do("upkeep", force=True)
    assert hp(talk, "ivo", "mara", "teo", "rat") == [10, 8, 10, 1]
    assert {one["effect"] for one in talk.events("DamagePulsed")} == {"burning in Hall"}
    talk.do("upkeep", force=True)
    assert hp(talk, "mara", "rat") == [6, 0]


def test_it_heals_or_is_set_against_healing():
    """AP-45, Q-A17."""
    talk = theatre().do("damage", who="mara", amount=5).do("affect", who="mara", name="poison", kind="damage", amount=1)
    talk.do("mark_zone", at=HALL, name="spring", kind="heal", amount=3).do("upkeep", force=True)
    assert hp(talk, "mara") == [7]


def test_it_lasts_as_long_as_it_was_said_to():
    """AP-44: two Upkeeps, and it is over."""
    talk = theatre().do("mark_zone", at=HALL, name="burning", kind="damage", amount=1, rounds=2)
    for left, rounds in ((9, 1), (8, None), (8, None)):
        talk.do("upkeep", force=True)
        assert hp(talk, "mara") == [left]
        assert [one["rounds_left"] for one in talk.state["marks"]] == ([rounds] if rounds else [])


def test_the_question_of_upkeep_names_a_zone_only_while_it_is_marked():
    """AP-43: the one who stands in it alone, until it is put out."""
    talk = theatre()
    while "upkeep" not in talk.question_kinds():
        talk.do("advance")
    said = []
    for command in ("mark_zone", "clear_zone"):
        talk.do(command, at=YARD, name="burning", **({"kind": "damage", "amount": 2} if command == "mark_zone" else {}))
        said += [one["question"] for one in talk.ask("prompts") if one["kind"] == "upkeep"]
    assert ["burning in Yard on Teo: 2 damage" in question for question in said] == [True, False]


def test_the_checklist_of_upkeep_goes_through_it_and_it_can_be_waived():
    """AP-43, AP-45."""
    talk = theatre().do("mark_zone", at=HALL, name="burning", kind="damage", amount=2)
    while "upkeep" not in talk.question_kinds():
        talk.do("advance")
    talk.do("answer", prompt="upkeep", choice="none").do("answer", prompt="upkeep_effect", choice="waive", note="wet")
    talk.do("advance")
    assert hp(talk, "ivo", "mara", "rat") == [10, 8, 1], "the first on the list was waived"


def test_the_same_mark_again_changes_what_it_does():
    """AP-43: and another name is another mark."""
    talk = theatre().do("mark_zone", at=HALL, name="burning", price=1, kind="damage", amount=1)
    talk.do("mark_zone", at=HALL, name="Burning", price=3).do("mark_zone", at=HALL, name="smoke", price=1)
    found = [(one["name"], one["price"], one["kind"], one["amount"]) for one in talk.state["marks"]]
    assert found == [("Burning", 3, None, 0), ("smoke", 1, None, 0)]
    talk.do("clear_zone", at=HALL, name="SMOKE")
    assert [one["name"] for one in talk.state["marks"]] == ["Burning"]
    talk.refused("AP-43", "clear_zone", at=HALL, name="smoke")
    talk.do("clear_zone", at=HALL)
    assert talk.state["marks"] == []
    talk.do("mark_zone", at=YARD, name="flooded", price=1)
    assert [(one["zone"], one["name"]) for one in talk.state["marks"]] == [(YARD, "flooded")]


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        ({"name": " "}, "AP-43"),
        ({"name": "x", "price": -1}, "AP-21"),
        ({"name": "x", "kind": "odd"}, "AP-45"),
        ({"name": "x", "kind": "damage"}, "AP-45"),
        ({"name": "x", "rounds": 0}, "AP-44"),
        ({"name": "x", "at": None}, "place"),
    ],
)
def test_a_mark_must_make_sense(data, rule):
    """AP-43."""
    theatre().refused(rule, "mark_zone", **{"at": HALL, **data})


def test_without_a_board_there_is_no_zone():
    table().locked().refused("place", "mark_zone", at="Hall", name="burning")


def test_all_resolve_puts_the_fire_out():
    """AP-47."""
    talk = theatre().do("mark_zone", at=HALL, name="burning", price=1).do("threats_over").do("all_resolve")
    assert talk.state["marks"] == []


def test_the_screen_offers_shows_and_ends_it():
    """AP-43: among the rulings, on the board, on the card of whoever stands there."""
    from fightcall_engine.board.kinds import HexBoard

    play = table(board=HexBoard(cols=4, rows=4), at={"ivo": (1, 1)}).locked()
    offered = {one.action: one for one in play.fight.system.rulings(play.state, "ivo")}
    where = offered["mark-zone"].inputs[0]
    play.do("mark_zone", at=where.default, name="burning", price=2, kind="damage", amount=3, rounds=2)
    (mark,) = play.fight.system.marks(play.state, "ivo")
    told = f"{where.default}: burning: 2 slots to enter, 3 damage at Upkeep, 2 left"
    assert (mark.at, mark.label) == (play.one("ivo").at, told)
    assert "burning" in [badge.text for badge in play.fight.system.card(play.state, "ivo").badges]
    offered = {one.action: one for one in play.fight.system.rulings(play.state, "mara")}
    play.do("clear_zone", at=offered["clear-zone"].inputs[0].default)
    assert play.fight.system.marks(play.state, "ivo") == ()
