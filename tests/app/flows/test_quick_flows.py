"""The short ways take few keys and end in commands that the engine accepts."""

import pytest
from flowcraft import EVERY_KEY, done, ford, indoors, keys, play, press
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows import toolbox
from fightcall.flows.base import CANCELLED, IGNORED, Bookmark, Find, Select, Stay
from fightcall.flows.newcomers import newcomer, templates_of
from fightcall.table import Give
from fightcall_engine.model.state import Pool
from fightcall_engine.play.fight import Fight

NASTY_NAMES = ("[red]Ox[/red]", "龍", "", "  ", "]", "a=b", '"x"', "x3")


def hp(table, who):
    return table.state.combatants[who].pools["hp"].now


# In as few keys as promised; the key that begins it is counted too


def test_seven_damage_to_goblin_2_is_four_keys():
    table = ford()
    text = "2 7 enter"
    events = done(table, play(toolbox.damage(table.state, "goblin-1"), text))
    assert events["DamageApplied"].amount == 7
    assert not table.state.combatants["goblin-2"].able
    assert 1 + len(keys(text)) == 4


def test_a_condition_for_three_rounds_is_five_keys():
    table = ford()
    text = "2 s 3 enter"
    effect = done(table, play(toolbox.condition(table.state, ""), text))["EffectBegan"].effect
    assert (effect.name, effect.left) == ("stunned", 3)
    assert 1 + len(keys(text)) == 5


def test_selecting_is_two_keys():
    assert play(toolbox.select(ford().state, "ysolde"), "2") == Select("goblin-2")
    assert play(toolbox.select(ford().state, "ysolde"), "enter") == Select("ysolde")
    assert toolbox.select(ford().state, "").pick("brand") == Select("brand")


# Damage and healing


def test_damage_is_a_number_or_dice_and_falls_on_the_proposed_one_by_enter():
    table = ford()
    events = done(table, play(toolbox.damage(table.state, "goblin-3"), "enter 2 d 4 enter"))
    assert (events["DamageApplied"].who, events["DiceRolled"].dice) == ("goblin-3", "2d4")


def test_where_nobody_is_hurt_there_is_nobody_to_heal():
    assert toolbox.heal(ford().state, "brand") is None


def test_healing_brings_back_what_was_lost():
    table = ford()
    done(table, Give("Damage", {"who": "brand", "amount": 5}))
    done(table, play(toolbox.heal(table.state, "brand"), "b 2 enter"))
    assert hp(table, "brand") == 12


def test_the_most_hurt_of_ones_own_side_is_proposed_for_healing_and_nobody_unhurt_is_healed():
    table = ford()
    for who, amount in (("ysolde", 1), ("paul", 2), ("goblin-1", 5)):
        done(table, Give("Damage", {"who": who, "amount": amount}))
    flow = toolbox.heal(table.state, "brand")
    assert flow.view().default == "Paul"
    assert press(flow, "b").view().error == "Brand is not hurt"
    assert play(flow, "y 1 enter").data == {"who": "ysolde", "amount": 1}


def test_the_wrong_label_is_corrected_by_backspace():
    table = ford()
    flow = press(toolbox.damage(table.state, ""), "2 7")
    assert "Goblin 2" in flow.view().question
    assert play(flow, "backspace backspace 3 7 enter").data == {"who": "goblin-3", "amount": 7}


def test_with_no_amount_nothing_happens():
    flow = press(toolbox.damage(ford().state, "brand"), "enter enter")
    assert "how much" in flow.view().error


# Conditions


def test_what_is_already_on_somebody_is_offered_first():
    table = ford()
    done(table, Give("AddEffect", {"who": "brand", "name": "slowed"}))
    assert play(toolbox.condition(table.state, "paul"), "p s enter").data == {"who": "paul", "name": "slowed"}


def test_a_condition_made_up_before_is_offered_after_those_that_are_known():
    table = ford()
    done(table, Give("AddEffect", {"who": "brand", "name": "soaked"}))
    assert play(toolbox.condition(table.state, "paul"), "p s enter").data["name"] == "stunned"
    assert play(toolbox.condition(table.state, "paul"), "p s o enter").data["name"] == "soaked"


def test_a_minus_ends_a_condition():
    table = ford()
    done(table, Give("AddEffect", {"who": "brand", "name": "soaked"}))
    ended = done(table, play(toolbox.condition(table.state, "brand"), "enter - enter"))["EffectEnded"]
    assert ended.name == "soaked"


def test_of_two_that_are_called_the_same_the_one_that_is_meant_ends():
    table = ford()
    for rounds in (1, 5):
        done(table, Give("AddEffect", {"who": "brand", "name": "burning", "rounds": rounds}))
    done(table, play(toolbox.condition(table.state, "brand"), "enter - b enter"))
    assert len(table.state.combatants["brand"].effects) == 1


# Changing anything


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("b h p enter 9 enter", lambda one: one.pools["hp"] == Pool(9, 15)),
        ("b m o s t space h p enter 2 0 enter", lambda one: one.pools["hp"].max == 20),
        ("b b e a t s enter 3 enter", lambda one: one.pools["beats"].now == 3),
        ("b n a m e enter 7 enter", lambda one: one.name == "7"),
        ("b h i d enter enter", lambda one: one.hidden),
        ("b a b enter n", lambda one: not one.able),
        ("b s i d e enter f", lambda one: one.side == "foe"),
        ("b p o s enter p r o n e enter", lambda one: one.remembered["posture"] == "prone"),
        ("b s t r i k tab enter n o n e enter", lambda one: one.remembered["strike"] == "none"),
    ],
)
def test_anything_can_be_changed(text, seen):
    table = ford()
    done(table, play(toolbox.adjust(table.state, "ysolde"), text))
    assert seen(table.state.combatants["brand"])


def test_what_cannot_be_changed_is_said_before_it_is_tried():
    flow = press(toolbox.adjust(ford().state, ""), "b x y z enter")
    assert "'xyz' is not known; accepted: beats, HP, most beats, most HP" in flow.view().error
    press(flow, "backspace backspace backspace h p enter x")
    assert "does nothing" in flow.view().error
    assert play(flow, "4 enter").data == {"who": "brand", "what": "hp", "value": 4}


# By the GM's hand


def test_contact_is_made_and_left_where_no_board_shows_it():
    table = indoors("move")
    assert done(table, play(toolbox.contact(table.state, "ash"), "2"))["ContactMade"].enemy == "goblin-2"
    assert done(table, play(toolbox.contact(table.state, "ash"), "enter"))["ContactLeft"].enemy == "goblin-2"


def test_notes_bookmarks_and_finding():
    table = ford()
    done(table, play(toolbox.note(), "L o o k space o u t ! enter"))
    assert table.fight.head.command["text"] == "Look out!"
    assert play(toolbox.bookmark(), "h e r e enter") == Bookmark("here")
    assert play(toolbox.find(), "g o b enter") == Find("gob")


FLOWS = {
    "damage": lambda table: toolbox.damage(table.state, "brand"),
    "condition": lambda table: toolbox.condition(table.state, "brand"),
    "adjust": lambda table: toolbox.adjust(table.state, "brand"),
    "newcomer": lambda table: newcomer(
        table.system.sides, table.state, templates=templates_of(table.state.combatants.values()), health="hp"
    ),
    "note": lambda table: toolbox.note(),
}
_FORD = ford()


@pytest.mark.parametrize("name", sorted(FLOWS))
@given(pressed=st.lists(st.sampled_from([*EVERY_KEY, "enter", "enter", "b", "7"]), max_size=15))
def test_no_key_hurts_and_what_comes_of_it_can_be_read(name, pressed):
    flow = FLOWS[name](_FORD)
    for key in pressed:
        reply = flow.press(key)
        flow.view()
        flow.overlay()
        if isinstance(reply, Give):
            assert _FORD.fight.codec.command(reply.command, reply.data)
            return
        if reply is CANCELLED:
            return
        assert isinstance(reply, Stay) or reply is IGNORED


@pytest.mark.parametrize(("system", "unit"), [("stage", "HP"), ("turns", "HP"), ("segments", "wounds")])
def test_harm_is_asked_for_in_what_it_is_counted_in(system, unit):
    fight = Fight.new(system)
    fight.give("join", name="Ash", id="ash", side="party")
    flow = press(toolbox.damage(fight.state, "ash"), "enter")
    assert flow.view().question == f"Damage to Ash: how many {unit}"
