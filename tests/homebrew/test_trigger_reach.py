"""Whom triggers reach: places within reach only, and only those who are still there."""

import pytest

from fightcall_engine.board.kinds import board_from_json
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.history import Start
from game_texts import BRAWL

BLAST = """
[[act]]
name = "blast"
target = "area"
area = 0
reach = 1
damage = 1
offered = false

[[trigger]]
when = "turn begins"
to = "enemy"
does = "blast"
"""


@pytest.mark.parametrize(("place", "left"), [("B1", 4), ("E1", 5)])
def test_an_area_is_hit_by_a_trigger_only_within_reach(place, left):
    board = board_from_json({"kind": "square", "cols": 6, "rows": 2})
    fight = Fight(Start("f", "F", "brawl", "7", board=board, rules_text=BRAWL + BLAST))
    fight.give("join", name="Ash", side="party", sheet={"speed": 4}, at="A1")
    fight.give("join", name="Orc", side="foe", at=place)
    fight.give("start")
    assert fight.state.step.actor == "ash"
    assert fight.state.combatants["ash"].pools["hp"].now == left
    fight.give("advance")
    assert fight.state.step.actor == "orc"


SHOUT = """
[[act]]
name = "shout"
title = "shouts"
key = "x"

[[trigger]]
when = "is harmed"
to = "ally"
asks = "shout"
"""


@pytest.mark.parametrize(("leaver", "asked_next"), [("cleo", []), ("bea", ["cleo"]), ("ash", [])])
def test_who_leaves_while_another_is_asked_is_not_asked(leaver, asked_next):
    fight = Fight(Start("f", "F", "brawl", "1", rules_text=BRAWL + SHOUT))
    for name, side in (("Ash", "party"), ("Bea", "party"), ("Cleo", "party"), ("Orc", "foe")):
        fight.give("join", name=name, side=side)
    fight.give("start")
    while fight.state.step.actor != "orc":
        fight.give("advance")
    fight.give("perform", act="hit", who="orc", target="ash")
    assert [prompt.who for prompt in fight.state.prompts] == ["bea"]
    fight.give("leave", who=leaver)
    if leaver == "cleo":
        fight.give("answer", choice="no")
    assert [prompt.who for prompt in fight.state.prompts] == asked_next
