"""The plain d20 game: each rule of its file by an example, and the laws that hold for every system."""

from grammar import SHORT_FIGHTS

from fightcall_engine.kit.phrases import phrase
from fightcall_engine.testkit.machine import FightMachine
from fightcall_engine.testkit.plays import Conversation

MAP = ". . . . . . . .\n. . . # . . . .\n. . . . . . . .\n. . . . . . . .\n"
LEGEND = {"#": {"name": "barrels", "cost": 2, "cover": "half"}}
MAGE = {"hp": 14, "power": 3, "magic": 2, "agility": 0}
PEOPLE = (("Ash", "party", "B2"), ("Wick", "party", "A1"), ("Goblin", "foe", "C2"), ("Orc", "foe", "D2"))
BOARD = {"kind": "square", "map": MAP, "legend": LEGEND}


def begun(people=(), order=(15, 12, 9, 8), **opening):
    """Ash next to the Goblin, Wick the mage behind her, and an Orc beyond the barrels; Ash begins."""
    talk = Conversation("plain", seed="3", board=BOARD, **opening)
    sheets = {"Ash": {"range": 4, "magic": 0}, "Wick": MAGE, "Goblin": {}, "Orc": {"hp": 20}, **dict(people)}
    for name, side, at in (
        ("Ash", "party", "B2"),
        ("Wick", "party", "A1"),
        ("Goblin", "foe", "C2"),
        ("Orc", "foe", "D2"),
    ):
        talk.do("join", name=name, side=side, at=at, sheet=sheets[name])
    return talk.do("start", rolls={"initiative": list(order)})


def turn_of(talk, who):
    """Pass until it is somebody's turn."""
    for _ in range(5):
        if talk.state["step"] == f"turns.{who}":
            return talk
        talk.do("advance")
    raise AssertionError(f"never the turn of {who}")


# Order and turns


def test_the_highest_d20_and_agility_acts_first_and_ties_go_by_agility():
    talk = begun({"Orc": {"agility": 3}, "Wick": {**MAGE, "agility": 0}}, order=(10, 11, 2, 8))
    assert talk.state["order"] == ["orc", "ash", "wick", "goblin"], "all but the goblin have 11"
    assert talk.combatant("orc")["initiative"] == 11


def test_a_turn_holds_one_action_and_as_many_steps_as_the_speed():
    talk = begun()
    talk.do("dodge", who="ash")
    assert "needs 1 action" in talk.say(do="dash", who="ash")["refused"]["message"]
    turn_of(turn_of(talk, "orc"), "ash")
    assert (talk.pool("ash", "action"), talk.pool("ash", "steps")) == (1, 6)


def test_a_walk_can_be_split_around_the_action_and_rough_ground_costs_double():
    talk = begun()
    turn_of(talk, "wick").do("move", who="wick", to="B1").do("dodge", who="wick").do("move", who="wick", to="D1")
    assert talk.pool("wick", "steps") == 3
    talk.do("damage", who="goblin", amount=10).do("damage", who="orc", amount=20)
    turn_of(talk, "ash").do("place", who="orc", at="H4").do("move", who="ash", to="D2")
    assert talk.pool("ash", "steps") == 3, "one step, and two for the barrels"


def test_a_dash_gives_the_speed_once_more_even_before_the_first_step():
    talk = begun().do("dash", who="ash")
    assert talk.pool("ash", "steps") == 12


def test_whoever_delays_acts_later_in_the_round():
    talk = begun().do("delay", who="ash", after="goblin")
    turn_of(talk, "goblin").do("advance")
    assert str(talk.state["step"]).startswith("turns.ash")


def test_a_turn_that_ends_with_an_action_unused_is_told_as_such():
    begun().do("move", who="ash", to="B1").do("advance").expect("TurnEnded", who="ash", unused="1 action")


# Attacks


def test_a_strike_hits_with_the_defence_or_more_and_a_bar_of_chance_counts_20_and_1():
    talk = begun().do("strike", who="ash", target="goblin", rolls={"attack": [8], "damage": [5]})
    talk.expect("Attempted", total=12, needed=12, hit=True, chance=65.0).expect("DamageApplied", amount=7)
    talk = begun({"Goblin": {"defence": 30}}).do("strike", who="ash", target="goblin", rolls={"attack": [19]})
    talk.expect("Attempted", hit=False, chance=5.0)
    talk = begun({"Goblin": {"defence": 2}}).do("strike", who="ash", target="goblin", rolls={"attack": [1]})
    talk.expect("Attempted", hit=False, chance=95.0)


def test_a_20_hits_and_doubles_the_dice():
    talk = begun({"Goblin": {"defence": 30, "hp": 30}})
    talk.do("strike", who="ash", target="goblin", rolls={"attack": [20], "damage": [5, 6]})
    talk.expect("Attempted", hit=True, critical=True).expect("DamageApplied", amount=13)


def test_a_strike_reaches_one_place():
    assert "the reach is 1" in begun().refused("strike", "strike", who="ash", target="orc")


def test_cover_adds_to_the_defence_and_full_cover_cannot_be_shot_at():
    talk = begun().do("place", who="goblin", at="H4").do("shoot", who="ash", target="orc", rolls={"attack": [8]})
    talk.expect("Attempted", needed=14, hit=False)
    rows = talk.ask("explain", who="orc", what="shoot")
    assert [part["label"] for part in rows["parts"]] == ["defence", "half cover"]


def test_a_shot_next_to_an_enemy_or_beyond_the_range_has_disadvantage():
    talk = begun().do("shoot", who="ash", target="orc", rolls={"attack": [19, 3]})
    talk.expect("Attempted", total=7), "the goblin stands next to Ash"
    talk = begun().do("place", who="goblin", at="H1").do("shoot", who="ash", target="goblin", rolls={"attack": [19, 3]})
    talk.expect("Attempted", total=7), "six places, with a range of four"


def test_nobody_is_offered_what_their_sheet_lacks():
    talk = begun()
    offered = {option["action"] for option in talk.ask("options", who="wick")}
    assert "blast" in offered
    assert "shoot" not in offered
    offered = {option["action"] for option in talk.ask("options", who="ash")}
    assert "shoot" in offered
    assert not {"blast", "cure", "bolt", "stand", "break_free"} & offered
    assert "doesn't have this" in talk.say(do="bolt", who="ash", target="orc")["refused"]["message"]


def test_whoever_dodges_is_struck_at_with_disadvantage_until_their_turn():
    talk = turn_of(begun().do("dodge", who="ash"), "goblin")
    talk.do("strike", who="goblin", target="ash", rolls={"attack": [19, 2]}).expect("Attempted", total=6, hit=False)
    turn_of(talk, "ash")
    assert talk.effects("ash") == {}


def test_help_is_used_up_by_the_next_attack():
    talk = begun().do("place", who="wick", at="B1")
    talk = turn_of(talk, "wick").do("help", who="wick", target="ash")
    turn_of(talk, "ash").do("strike", who="ash", target="goblin", rolls={"attack": [2, 15], "damage": [1]})
    talk.expect("Attempted", total=19)
    assert talk.effects("ash") == {}


def test_advantage_and_disadvantage_cancel_out():
    talk = begun().do("add_effect", who="goblin", name="prone").do("add_effect", who="ash", name="poisoned")
    talk.do("strike", who="ash", target="goblin", rolls={"attack": [12], "damage": [1]}).expect("Attempted", total=16)


def test_the_gm_gives_advantage_and_adds_to_a_roll():
    talk = begun()
    talk.do(
        "perform",
        act="strike",
        who="ash",
        target="goblin",
        advantage=1,
        modifier=-2,
        rolls={"attack": [4, 15], "damage": [1]},
    )
    talk.expect("Attempted", total=17, chance=79.75)


def test_who_is_prone_has_disadvantage_and_is_struck_with_advantage_until_they_stand_up():
    talk = begun().do("add_effect", who="goblin", name="prone")
    talk.do("strike", who="ash", target="goblin", rolls={"attack": [2, 15], "damage": [1]}).expect(
        "Attempted", total=19
    )
    turn_of(talk, "goblin").do("strike", who="goblin", target="ash", rolls={"attack": [2, 15]})
    talk.expect("Attempted", total=6)
    talk.do("stand", who="goblin")
    assert (talk.effects("goblin"), talk.pool("goblin", "steps")) == ({}, 3)


def test_a_shove_is_a_contest_of_might():
    talk = begun().do("shove", who="ash", target="goblin", rolls={"attack": [10], "against": [10]})
    talk.expect("Attempted", hit=False), "a tie is the target's"
    talk = begun().do("shove", who="ash", target="goblin", rolls={"attack": [11], "against": [10]})
    assert talk.effects("goblin") == {"prone": None}
    turn_of(turn_of(talk, "orc"), "ash")
    assert "prone already" in talk.refused("shove", "shove", who="ash", target="goblin")


def test_who_is_grabbed_stays_until_free_or_the_grabber_falls():
    talk = begun().do("grab", who="ash", target="goblin", rolls={"attack": [15], "against": [10]})
    turn_of(talk, "goblin")
    assert "Goblin is grabbed" in talk.refused("grabbed", "move", who="goblin", to="C1")
    talk.do("break_free", who="goblin", rolls={"attack": [11]}).expect("EffectEnded", who="goblin", name="grabbed")
    talk = begun().do("grab", who="ash", target="goblin", rolls={"attack": [15], "against": [10]})
    talk.do("damage", who="ash", amount=10)
    assert talk.effects("goblin") == {}


def test_resistance_halves_and_vulnerability_doubles():
    talk = begun({"Goblin": {"hp": 30, "resists": "weapon"}})
    talk.do("strike", who="ash", target="goblin", rolls={"attack": [15], "damage": [5]}).expect(
        "DamageApplied", amount=3
    )
    talk = begun({"Goblin": {"hp": 30, "vulnerable": "weapon"}})
    talk.do("strike", who="ash", target="goblin", rolls={"attack": [15], "damage": [5]}).expect(
        "DamageApplied", amount=14
    )


# Spells


def test_a_bolt_costs_no_magic():
    talk = turn_of(begun(), "wick").do("bolt", who="wick", target="orc", rolls={"attack": [11], "damage": [6]})
    talk.expect("Attempted", total=14, needed=14).expect("DamageApplied", who="orc", amount=6)
    assert talk.pool("wick", "magic") == 2


def test_a_blast_is_rolled_once_and_halved_for_those_who_save():
    talk = turn_of(begun({"Orc": {"hp": 30}, "Goblin": {"hp": 30}}), "wick")
    talk.do("blast", who="wick", at="E2", rolls={"damage": [4, 4, 4, 3], "agility": [12, 11]})
    talk.expect("DamageApplied", who="orc", amount=15).expect("DamageApplied", who="goblin", amount=7)
    assert talk.pool("wick", "magic") == 1
    assert "away; the reach is 12" not in str(talk.reply)


def test_a_dodge_helps_against_a_blast():
    talk = begun({"Orc": {"hp": 30}}).do("add_effect", who="orc", name="dodging")
    turn_of(talk, "wick").do("blast", who="wick", at="F2", rolls={"damage": [4, 4, 4, 4], "agility": [2, 18]})
    talk.expect("Saved", who="orc", total=19, succeeds=True).expect("DamageApplied", who="orc", amount=8)


def test_what_an_area_would_hit_is_shown_before():
    talk = turn_of(begun(), "wick")
    preview = talk.ask("preview", do="blast", who="wick", at="E2")
    assert {"name": "hits", "text": "Goblin and Orc"}.items() <= next(
        row for row in preview["rows"] if row["name"] == "hits"
    ).items()
    blast = next(option for option in talk.ask("options", who="wick") if option["action"] == "blast")
    assert blast["inputs"][0]["choices"][0] == "D2", "the Orc's place: both are hit there, and no friend"


def test_who_fails_the_save_against_hold_can_do_nothing_and_is_hit_critically():
    talk = turn_of(begun(), "wick").do("hold", who="wick", target="goblin", rolls={"mind": [12]})
    assert talk.effects("goblin") == {"held": None}
    assert talk.effects("wick") == {"concentrating": None}
    turn_of(talk, "goblin")
    assert "Goblin is held" in talk.refused("held", "strike", who="goblin", target="ash")
    talk.do("advance", rolls={"mind": [5]})
    turn_of(talk, "ash").do("strike", who="ash", target="goblin", rolls={"attack": [9, 10], "damage": [2, 2]})
    talk.expect("Attempted", critical=True).expect("DamageApplied", amount=6)


def test_the_panel_shows_what_a_save_needs_and_its_chance():
    talk = turn_of(begun({"Goblin": {"mind": 1}}), "wick")
    rows = talk.ask("preview", do="hold", who="wick", target="goblin")["rows"]
    assert next(row["text"] for row in rows if row["name"] == "save") == "Goblin: mind, 13 or more with d20+1 (45 %)"


def test_the_held_save_again_at_the_end_of_each_turn():
    talk = turn_of(begun(), "wick").do("hold", who="wick", target="goblin", rolls={"mind": [2]})
    turn_of(talk, "goblin").do("advance", rolls={"mind": [13]}).expect("Saved", who="goblin", needed=13, succeeds=True)
    assert talk.effects("goblin") == {}


def test_harm_breaks_concentration_and_with_it_the_spell():
    talk = turn_of(begun({"Wick": {**MAGE, "hp": 40}}), "wick").do("bless", who="wick", target="ash")
    assert talk.effects("ash") == {"blessed": None}
    talk.do("damage", who="wick", amount=24, rolls={"concentration": [11]})
    talk.expect("Saved", needed=12, total=12, succeeds=True)
    talk.do("damage", who="wick", amount=3, rolls={"concentration": [8]}).expect("Saved", needed=10, succeeds=False)
    assert (talk.effects("ash"), talk.effects("wick")) == ({}, {})


def test_another_spell_to_concentrate_on_ends_the_first():
    talk = turn_of(begun(), "wick").do("bless", who="wick", target="ash")
    turn_of(talk.do("advance"), "wick").do("hold", who="wick", target="goblin", rolls={"mind": [2]})
    assert (talk.effects("ash"), talk.effects("goblin")) == ({}, {"held": None})


def test_the_blessed_add_2():
    talk = begun().do("add_effect", who="ash", name="blessed")
    talk.do("strike", who="ash", target="goblin", rolls={"attack": [6], "damage": [1]}).expect("Attempted", total=12)


def test_a_cure_gets_up_whoever_is_down():
    talk = begun().do("damage", who="ash", amount=10)
    talk = turn_of(talk, "wick").do("cure", who="wick", target="ash", rolls={"heal": [4]})
    assert talk.pool("ash", "hp") == 7
    assert talk.combatant("ash")["able"] is True
    option = next(each for each in talk.ask("options", who="wick") if each["action"] == "cure")
    assert "wick" in option["inputs"][0]["choices"]


# What happens by itself


def test_who_walks_out_of_reach_can_be_struck_once_a_round_and_walks_on():
    talk = begun({"Ash": {"hp": 30}}).do("move", who="ash", to="B4")
    assert talk.question_kinds() == ["trigger"]
    talk.do("answer", choice="yes", rolls={"attack": [15], "damage": [3]}).expect("DamageApplied", who="ash", amount=5)
    assert talk.pool("goblin", "reaction") == 0
    assert talk.ask("state")["combatants"]["ash"]["at"] != talk.combatant("goblin")["at"]
    talk.do("move", who="ash", to="B3").do("move", who="ash", to="B4")
    assert talk.question_kinds() == [], "the reaction is used"


def test_who_disengages_is_not_struck():
    talk = begun().do("disengage", who="ash").do("move", who="ash", to="B4")
    assert talk.question_kinds() == []


def test_who_has_0_hp_is_down_and_lets_go_of_their_spell():
    talk = turn_of(begun(), "wick").do("hold", who="wick", target="goblin", rolls={"mind": [2]})
    talk.do("damage", who="wick", amount=14)
    assert talk.combatant("wick")["able"] is False
    assert (talk.effects("goblin"), talk.effects("wick")) == ({}, {})


def test_the_burning_take_harm_and_can_put_it_out():
    talk = begun().do("add_effect", who="wick", name="burning").do("advance", rolls={"burning": [3]})
    assert talk.pool("wick", "hp") == 11
    talk.do("advance", rolls={"agility": [12]})
    assert talk.effects("wick") == {}


def test_the_stunned_lose_their_turn():
    talk = begun().do("add_effect", who="wick", name="stunned").do("advance")
    talk.expect("StepSkipped", reason="is stunned")


# In words


def test_the_log_is_in_the_words_of_a_table():
    fight = begun().session.fight
    before = fight.state
    entry = fight.give("strike", who="ash", target="goblin", rolls={"attack": [15], "damage": [3]})
    phrases = [phrase(fight.system, event, before) for event in entry.events]
    texts = [each.text for each in phrases if each is not None and each.tone != "dice"]
    assert texts == ["Ash strikes Goblin: 19 against 12, a hit", "Goblin takes 5 damage (5/10 HP)"]


def test_every_entry_has_its_rule_in_one_line():
    system = begun().session.fight.system
    rules, page = system.rules(), system.game.page
    for part in (*page.act, *page.condition, *page.trigger, page.walk, page.round, *page.pools.values()):
        assert part.rule
        assert len(rules.get(part.rule, part.rule)) <= 240


# Laws


class PlainMachine(FightMachine):
    """The plain game, and everything a GM can do to it."""

    SYSTEM = "plain"


PlainMachine.TestCase.settings = SHORT_FIGHTS
TestPlain = PlainMachine.TestCase
