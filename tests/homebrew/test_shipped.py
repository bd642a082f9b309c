"""The games that ship: the laws of every system hold for each of their encounters."""

import re
from itertools import cycle

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import NeedsDice
from fightcall_engine.play.fight import Fight
from fightcall_engine.testkit.perft import GROUNDS, perft
from fightcall_engine.testkit.random_player import RandomPlayer

ENCOUNTERS = (
    "the-toll-bridge",
    "a-first-turn",
    "the-rooftops",
    "who-goes-next",
    "the-loading-dock",
    "first-squads",
    "high-noon",
    "first-hand",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("encounter", "ground"),
    [*((encounter, "") for encounter in ENCOUNTERS), *zip(ENCOUNTERS[::2], cycle(GROUNDS), strict=False)],
)
def test_the_laws_hold_in_random_play(encounter, ground):
    """Each encounter as it is; and the first of each game on another ground, so that each kind has its turn."""
    player = RandomPlayer(encounter, 1, ground)
    player.play(120)
    assert "Perform" in player.accepted


@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_what_is_offered_can_be_done(encounter):
    fight = start_fight(load_encounter(encounter), id="fight", seed="1")
    fight.give("start")
    assert perft(fight, 1).refused == []


@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_no_act_is_offered_before_the_first_turn_and_after_the_fight(encounter):
    fight = start_fight(load_encounter(encounter), id="fight", seed="1")
    assert not any(fight.system.options(fight.state, who) for who in fight.state.order)
    fight.give("start")
    is_asked_who_begins = fight.state.step is None
    assert is_asked_who_begins != any(fight.system.options(fight.state, who) for who in fight.state.order)
    fight.give("close")
    assert not any(fight.system.options(fight.state, who) for who in fight.state.order)


@pytest.mark.parametrize(
    ("encounter", "act", "given", "rows"),
    [
        (
            "the-toll-bridge", "grab", {"who": "robber-1", "target": "iris"},
            {"needs": "more than Iris's d20+3 with d20+1 (38 %)", "then": "Iris is grabbed"},
        ),
        ("the-toll-bridge", "dash", {"who": "robber-1"}, {"then": "Robber 1 gets 6 steps"}),
        (
            "the-rooftops", "outwit", {"who": "vesna", "target": "watchman-2"},
            {"needs": "more than Watchman 2's 2d10+2 with 2d10+3 (53 %)", "then": "Vesna gets 1 momentum"},
        ),
        ("the-rooftops", "rally", {"who": "vesna", "target": "vesna"}, {"then": "d6+2 back"}),
        (
            "the-loading-dock", "grenade", {"who": "ines", "at": "H4"},
            {"save": "each: dive for cover, 12 or more with d20 + nerve", "then": "2d6 damage to each"},
        ),
        (
            "high-noon", "shoot", {"who": "jesse", "target": "rider-1"},
            {"needs": "6 or more with d6 (17 %)", "then": "2d6 damage, less 4"},
        ),
    ],
)  # fmt: skip
def test_the_panel_shows_the_chance_and_what_follows(encounter, act, given, rows):
    fight = start_fight(load_encounter(encounter), id="fight", seed="1")
    fight.give("start")
    shown = fight.preview(fight.codec.command(act, given)).rows
    for name, text in rows.items():
        assert text in [row.text for row in shown if row.name == name]


@pytest.mark.parametrize(
    ("points", "text", "can_walk"),
    [
        (4, "Guard 1 is 10 away; the reach is 8; keep 2 points for it", True),
        (3, "Guard 1 is 10 away; the reach is 8; a walk leaves too few points", False),
    ],
)
def test_a_walk_before_an_act_has_to_leave_its_price(points, text, can_walk):
    fight = start_fight(load_encounter("the-loading-dock"), id="fight", seed="1")
    fight.give("start")
    fight.give("place", who="ines", at="A8")
    fight.give("place", who="guard-1", at="K8")
    fight.give("adjust", who="ines", what="points", value=points)
    shown = fight.preview(fight.codec.command("shoot", {"who": "ines", "target": "guard-1"})).rows
    (row,) = (row for row in shown if "reach" in row.detail)
    assert row.detail == text
    assert any(remedy.action == "move" for remedy in row.remedies) == can_walk


@pytest.mark.parametrize(("encounter", "price"), [("high-noon", "1 move"), ("the-loading-dock", "1/square")])
def test_a_walk_has_the_price_that_its_file_says(encounter, price):
    fight = start_fight(load_encounter(encounter), id="fight", seed="1")
    fight.give("start")
    (who, *_) = fight.system.waiting(fight.state)
    assert next(option.cost for option in fight.options(who) if option.action == "move") == price


@pytest.mark.parametrize("name", ["plain", "momentum", "squads", "cards"])
def test_its_page_lists_every_act_and_condition(name):
    system = find_system(name)
    page = system.guide()
    for act in (each for each in system.game.page.act if each.offered):
        assert f"| {system.game.label_of(act.name)} |" in page
    for condition in system.game.page.condition:
        assert f"| {system.game.label_of(condition.name, condition.title)} |" in page


def test_the_guided_fights_name_the_keys_of_the_acts_they_speak_of():
    named = 0
    for encounter in map(load_encounter, ENCOUNTERS):
        acts = find_system(encounter.system).game.page.act
        for text in (cue.then.get("say", "") for cue in encounter.cues):
            for key, verb in re.findall(r"(?<!\S)(\S) (\w{3,}s)\b", text):
                keys = {act.key for act in acts if f" {verb[:4]}" in f" {act.name} {act.title}"}
                assert not keys or key in keys, text
                named += bool(keys)
    assert named >= 10


def test_no_die_is_asked_for_while_another_of_its_name_may_come_before():
    """Who is struck may save before the striker does at the end of the turn; each has the die thrown for them."""
    sheet = {"grit": 5, "fighting": "d6", "damage": "d6", "nerve": "d6", "reach": 1}
    joins = [Join(name=name, side=side, sheet=sheet) for name, side in (("Ash", "party"), ("Rider", "foe"))]
    fight = Fight.new("cards", seed="1", joins=joins)
    fight.give("start")
    while fight.state.step is None or fight.state.step.actor != "rider":
        fight.give("advance")
    fight.give("add_effect", who="rider", name="shaken")
    fight.give("contact", who="rider", enemy="ash")
    fight.give("configure", setting="dice", value="table")
    blow = {"act": "fight", "who": "rider", "target": "ash", "hit": True, "alike": True}
    with pytest.raises(NeedsDice) as first:
        fight.give("perform", **blow)
    assert [roll.purpose for roll in first.value.rolls] == ["damage.rider"]
    with pytest.raises(NeedsDice) as then:
        fight.give("perform", **blow, rolls={"damage.rider": [4]})
    faces = {"ash": [1], "rider": [6]}
    fight.give(
        "perform", **blow, rolls={"damage.rider": [4], **{each.purpose: faces[each.who] for each in then.value.rolls}}
    )
    saves = [(event.who, *event.faces) for event in fight.head.events if event.type == "DiceRolled"][1:]
    assert saves == [("ash", 1), ("rider", 6)]
