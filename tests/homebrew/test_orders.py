"""Who acts when: each order of a file; and conditions and triggers by their moments."""

import pytest

from fightcall_engine.files import use_games
from fightcall_engine.testkit.plays import Conversation

ORDER = """
id = "order"
title = "Orders"
[sheet]
hp = 5
speed = 0
[pools]
hp = { health = true }
[round]
order = { ORDER }
[turn]
action = 1
[[act]]
name = "hit"
cost = { action = 1 }
target = "enemy"
damage = 1
[[act]]
name = "bind"
cost = { action = 1 }
target = "enemy"
condition = "bound"
[[act]]
name = "focus"
target = "self"
condition = "focused"
[[condition]]
name = "joker"
until = "round"
[[condition]]
name = "focused"
[[condition]]
name = "bound"
held_by = "focused"
skips = true
MORE
"""
PEOPLE = (("Ash", "party"), ("Bo", "party"), ("Cat", "foe"), ("Dan", "foe"))


@pytest.fixture
def begun(tmp_path):
    """Begin a fight of two against two in a game with an order, and more tables at the end of its file."""

    def begin(order, more="", **rolls):
        (tmp_path / "order.toml").write_text(ORDER.replace("ORDER", order).replace("MORE", more), encoding="utf-8")
        use_games(tmp_path)
        talk = Conversation("order", seed="1")
        for name, side in PEOPLE:
            talk.do("join", name=name, side=side)
        return talk.do("start", rolls=rolls)

    return begin


def waiting(talk):
    """Whom play waits for."""
    fight = talk.session.fight
    return fight.system.waiting(fight.state)


def test_by_initiative_the_highest_first_ties_as_the_file_says(begun):
    talk = begun('by = "initiative", roll = "d6", ties = "speed"', initiative=[3, 6, 3, 1])
    assert talk.session.fight.state.order == ("bo", "ash", "cat", "dan")
    assert waiting(talk) == ("bo",)


def test_the_lowest_first_and_rolled_again_each_round(begun):
    talk = begun('by = "initiative", roll = "d6", lowest_first = true, each = "round"', initiative=[3, 6, 2, 1])
    assert talk.session.fight.state.order == ("dan", "cat", "ash", "bo")
    for _ in range(4):
        talk.do("advance")
    talk.do("advance", rolls={"initiative": [6, 5, 1, 2]})
    assert talk.session.fight.state.order == ("cat", "dan", "bo", "ash")


def test_rolled_once_the_order_stays(begun):
    talk = begun('by = "initiative", roll = "d6"', initiative=[3, 6, 2, 1])
    for _ in range(5):
        talk.do("advance")
    talk.expect_none("DiceRolled")
    assert talk.session.fight.state.round == 2


def test_sides_one_after_the_other_in_any_order(begun):
    talk = begun('by = "sides", first = "foe"')
    assert waiting(talk) == ("cat", "dan")
    talk.do("hit", who="dan", target="ash")
    assert waiting(talk) == ("cat",)
    talk.do("hit", who="cat", target="ash")
    assert waiting(talk) == ("ash", "bo")


def test_sides_may_alternate_one_by_one(begun):
    talk = begun('by = "sides", alternate = true')
    assert waiting(talk) == ("ash", "bo")
    talk.do("hit", who="bo", target="cat")
    assert waiting(talk) == ("cat", "dan")
    talk.do("hit", who="dan", target="bo")
    assert waiting(talk) == ("ash",), "Bo has gone"


def test_elective_the_one_who_has_acted_names_the_next(begun):
    talk = begun('by = "elective"')
    assert talk.question_kinds() == ["next"]
    talk.do("answer", choice="bo").do("hit", who="bo", target="cat")
    assert talk.question_kinds() == ["next"]
    talk.do("answer", choice="dan")
    assert waiting(talk) == ("dan",)
    talk.do("hit", who="dan", target="bo").do("answer", choice="ash").do("hit", who="ash", target="cat")
    assert waiting(talk) == ("cat",), "the last one needs no question"


def test_a_newcomer_called_as_one_who_has_gone_and_left_has_a_turn_of_their_own(begun):
    talk = begun('by = "elective"').do("answer", choice="bo").do("hit", who="bo", target="cat")
    talk.do("leave", who="bo").do("join", name="Bo", side="party").do("answer", choice="ash")
    talk.do("hit", who="ash", target="cat").do("answer", choice="bo")
    assert waiting(talk) == ("bo",)
    ids = [step.id for step in talk.session.fight.state.agenda.steps]
    assert len(ids) == len(set(ids)), ids


def test_whoever_leaves_is_named_no_more(begun):
    talk = begun('by = "elective"').do("answer", choice="bo").do("hit", who="bo", target="cat")
    talk.do("leave", who="dan")
    (prompt,) = talk.session.fight.state.prompts
    assert [choice.id for choice in prompt.choices] == ["ash", "cat"]
    assert prompt.default == "cat"
    talk.do("leave", who="cat")
    assert [prompt.default for prompt in talk.session.fight.state.prompts] == ["ash"]
    talk.do("leave", who="ash")
    assert talk.question_kinds() == []


def test_no_one_is_named_in_a_phase_that_changed_rules_no_longer_have(begun):
    talk = begun('by = "elective"').do("answer", choice="bo")
    text = talk.session.fight.state.rules_text.replace("[turn]", '[[phase]]\nname = "blows"\n[turn]')
    talk.do("changerules", text=text).do("hit", who="bo", target="cat")
    assert talk.question_kinds() == []
    talk.do("advance")
    assert talk.question_kinds() == ["next"], "the next round has the new phase"


def test_cards_are_dealt_each_round_and_a_joker_goes_first(begun):
    talk = begun('by = "cards", joker = "joker"', card=[10, 53, 52, 1])
    assert talk.session.fight.state.order == ("bo", "cat", "ash", "dan")
    assert "joker" in talk.effects("bo")
    assert [event["card"] for event in talk.events("CardDealt")] == [
        "four of diamonds", "joker", "ace of spades", "two of clubs",
    ]  # fmt: skip


def test_a_card_that_is_out_is_drawn_again(begun):
    talk = begun('by = "cards"', card=[10, 10, 11, 12, 13])
    cards = [talk.combatant(who)["initiative"] for who in ("ash", "bo", "cat", "dan")]
    assert cards == [10, 11, 12, 13]


def test_together_in_any_order(begun):
    talk = begun('by = "together"')
    assert waiting(talk) == ("ash", "bo", "cat", "dan")
    talk.do("hit", who="cat", target="bo")
    assert waiting(talk) == ("ash", "bo", "dan")


def test_declared_first_and_carried_out_by_the_roll(begun):
    talk = begun('by = "declared", roll = "d6"', initiative=[1, 2, 6, 5])
    for who, target in (("ash", "cat"), ("bo", "cat"), ("cat", "ash")):
        talk.do("hit", who=who, target=target).expect("Declared", who=who)
    assert talk.pool("ash", "hp") == 5
    talk.do("hit", who="dan", target="ash")
    assert [(event["who"], event["left"]) for event in talk.events("DamageApplied")] == [
        ("ash", 4), ("ash", 3), ("cat", 4), ("cat", 3),
    ]  # fmt: skip


def test_what_was_declared_lapses_with_the_reason_if_it_is_impossible(begun):
    talk = begun('by = "declared", roll = "d6"', initiative=[1, 2, 6, 5])
    talk.do("adjust", who="ash", what="hp", value=1)
    for who, target in (("ash", "cat"), ("bo", "cat"), ("cat", "ash")):
        talk.do("hit", who=who, target=target)
    talk.do("hit", who="dan", target="ash")
    talk.expect("Downed", who="ash").expect("Lapsed", who="dan", reason="Ash is down")


SHOUT = """
[[act]]
name = "shout"
target = "area"
area = 1
"""


def test_what_was_declared_at_a_place_is_forgotten_on_another_map(begun):
    talk = begun('by = "declared", roll = "d6"', SHOUT, initiative=[1, 2, 6, 5])
    everybody = {name.lower(): f"{name[0]}1" for name, _ in PEOPLE}
    talk.do("change_map", board={"kind": "square", "cols": 6, "rows": 6}, along=[*everybody], places=everybody)
    talk.do("shout", who="ash", at="B2").do("hit", who="bo", target="cat", force=True)
    assert waiting(talk) == ("cat", "dan")
    talk.do("change_map", board={"kind": "hex", "cols": 6, "rows": 6}, along=[*everybody], places=everybody)
    assert waiting(talk) == ("cat", "dan", "ash")


def test_one_may_wait_until_later_where_the_order_allows_it(begun):
    talk = begun('by = "initiative", roll = "d6", delay = true', initiative=[6, 5, 4, 3])
    talk.do("delay", who="ash", after="cat")
    assert waiting(talk) == ("bo",)
    talk.do("advance").do("advance")
    assert waiting(talk) == ("ash",)
    assert talk.pool("ash", "action") == 1
    assert "not the turn" in talk.refused("order", "delay", who="bo", after="dan")


def test_a_condition_ends_with_what_holds_it(begun):
    talk = begun('by = "initiative", roll = "d6"', initiative=[6, 5, 4, 3])
    talk.do("focus", who="ash").do("bind", who="ash", target="bo", force=True)
    talk.do("bind", who="ash", target="cat", force=True)
    assert "bound" in talk.effects("cat")
    talk.do("end_effect", who="ash", effect="focused").expect("EffectEnded", who="cat", name="bound")


DAZED = """
[[act]]
name = "daze"
target = "enemy"
condition = "dazed"
[[condition]]
name = "dazed"
skips = true
harm = 1
save = { roll = "d6", needs = 4, at = "AT" }
"""


@pytest.mark.parametrize(("at", "has_turn"), [("turn", True), ("turn end", False)])
def test_whoever_loses_a_turn_is_harmed_in_it_and_rolls_to_end_that(begun, at, has_turn):
    talk = begun('by = "initiative", roll = "d6"', DAZED.replace("AT", at), initiative=[6, 1, 4, 3])
    talk.do("daze", who="ash", target="cat").do("advance", rolls={"save": [1]}).expect("Saved", who="cat")
    assert waiting(talk) == ("dan",)
    assert talk.pool("cat", "hp") == 4
    talk.do("advance").do("advance").do("advance")
    talk.do("advance", rolls={"save": [4]}).expect("EffectEnded", who="cat", name="dazed", reason="saved")
    assert waiting(talk) == (("cat",) if has_turn else ("dan",))
    assert talk.pool("cat", "hp") == (4 if has_turn else 3)


@pytest.mark.parametrize(
    ("when", "to", "lines"),
    [
        ("round begins", "self", 4),
        ("turn begins", "self", 1),
        ("is harmed", "self", 1),
        ("is harmed", "enemy", 2),
        ("is harmed", "ally", 1),
        ("goes down", "anyone", 4),
        ("half are down", "self", 2),
    ],
)
def test_a_trigger_goes_off_at_its_moment_for_those_it_concerns(begun, when, to, lines):
    more = f'[[trigger]]\nwhen = "{when}"\nto = "{to}"\nline = "{{who}} sees {{target}}"'
    talk = begun('by = "initiative", roll = "d6"', more, initiative=[6, 5, 4, 3])
    if when in ("round begins", "turn begins"):
        assert len(talk.events("Told")) == lines
        return
    if when != "is harmed":
        talk.do("adjust", who="cat", what="hp", value=1)
    talk.do("hit", who="ash", target="cat")
    assert len(talk.events("Told")) == lines


def test_a_trigger_that_answers_itself_comes_to_an_end(begun):
    more = '[[trigger]]\nwhen = "is harmed"\nto = "self"\ndamage = 1'
    talk = begun('by = "initiative", roll = "d6"', more, initiative=[6, 5, 4, 3])
    reply = talk.say(do="hit", who="ash", target="cat")
    assert reply["ok"]
    assert talk.pool("cat", "hp") == 0


LOST = DAZED.replace("AT", "turn end").replace('target = "enemy"', 'target = "enemy"\ncost = { action = 1 }')


def test_one_of_a_side_who_can_take_no_turn_loses_the_last_of_its_side(begun):
    talk = begun('by = "sides", alternate = true', LOST)
    talk.do("daze", who="ash", target="cat")
    assert waiting(talk) == ("dan",)
    talk.do("hit", who="dan", target="ash")
    talk.do("hit", who="bo", target="dan", rolls={"save": [4]}).expect("EffectEnded", who="cat", reason="saved")
    assert talk.pool("cat", "hp") == 4


@pytest.mark.parametrize("command", [{"do": "hit", "target": "ash"}, {"do": "move", "to": "anywhere"}])
def test_who_begins_a_turn_of_its_side_and_is_felled_by_that_does_nothing_more(begun, command):
    """It was refused, so that nothing happened, however often it was tried."""
    burning = LOST.replace("skips = true", "").replace("harm = 1", "harm = 5")
    talk = begun('by = "sides", alternate = true', burning)
    talk.do("daze", who="ash", target="cat")
    reply = talk.say(who="cat", **command)
    assert reply["ok"], reply
    assert talk.pool("cat", "hp") == 0
    assert talk.pool("ash", "hp") == 5
    assert waiting(talk) == ("bo",), "the turn of one of the foes is over"


def test_a_side_of_which_no_one_can_act_is_harmed_and_rolls_its_saves(begun):
    talk = begun('by = "sides"', LOST)
    talk.do("daze", who="ash", target="cat")
    talk.do("daze", who="bo", target="dan", rolls={"save": [4, 1]}).expect("EffectEnded", who="cat", reason="saved")
    assert (talk.pool("cat", "hp"), talk.pool("dan", "hp")) == (4, 4)
    assert talk.effects("dan") == {"dazed": None}


def test_one_who_is_named_and_can_take_no_turn_loses_it_and_another_is_named(begun):
    talk = begun('by = "elective"', LOST).do("answer", choice="ash").do("daze", who="ash", target="cat")
    talk.do("answer", choice="cat", rolls={"save": [4]}).expect("EffectEnded", who="cat", reason="saved")
    assert talk.pool("cat", "hp") == 4
    talk.do("answer", choice="dan")
    assert waiting(talk) == ("dan",)


def test_an_active_combatant_set_by_hand_who_is_no_one_stops_no_fight(begun):
    """Found by machine: the turn of a side would be that of nobody in the fight."""
    talk = begun('by = "sides", alternate = true')
    talk.do("adjust", what="active", value="none")
    for _ in range(6):
        talk.do("advance")
    assert talk.state["round"] >= 2
