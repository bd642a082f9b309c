"""Combinations, a second weapon, two acts as one, and work that another must do: all of it declared by keys."""

from dataclasses import asdict

from flowcraft import done, play, press
from test_option_flow import SWORD, begun, due, fight_of

DAGGER = {"name": "dagger", "size": 1, "av": 30, "hand": "L", "effects": ["point"]}
SHIELD = {"name": "shield", "kind": "shield", "hand": "L", "size": 3, "av": 20}
PAIR = {"name": "two blades", "kind": "att+att", "sl": 12, "first": "sword", "second": "dagger"}
WARD = {"name": "sword and shield", "kind": "att+def", "sl": 9, "first": "sword", "second": "shield"}
WARRIOR = {"name": "Warrior", "sl": 9, "flags": ["warrior"]}


def armed(left, *combos):
    """Ash with a sword and something in the left hand, between an orc and a friend."""
    return fight_of(
        {
            "ash": {"side": "party", "weapons": [SWORD, left], "combos": list(combos), "trades": [WARRIOR]},
            "orc": {"side": "foe", "weapons": [SWORD], "dodge": 12, "msta": 60, "pres": 99},
            "elk": {"side": "foe", "weapons": [{**SWORD, "size": 2}], "dodge": 12, "msta": 60, "pres": 99},
            "eve": {"side": "party", "weapons": [SWORD]},
        }
    )


def declared(table):
    return asdict(table.state.combatants["ash"].record.action)


def test_a_combination_is_declared_in_concert_or_separate():
    """CS-364, CS-365."""
    for mode in ("concert", "separate"):
        table = armed(DAGGER, PAIR)
        flow = begun(table, "declare-combination")
        while next(row.text for row in flow.panel().rows if row.name == "mode") != mode:
            press(
                flow,
                "down" if flow.panel().marked < 0 or flow.panel().rows[flow.panel().marked].name != "mode" else "d",
            )
        done(table, play(flow, "enter"))
        said = declared(table)
        assert (said["kind"], said["weapon"], said["second"], said["mode"]) == ("combination", "sword", "dagger", mode)


def test_an_attack_with_defence_is_the_mode_of_sword_and_shield():
    """CS-369."""
    table = armed(SHIELD, WARD)
    done(table, play(begun(table, "declare-combination"), "enter"))
    assert declared(table)["mode"] == "mixed"
    assert declared(table)["weapon"] == "sword"


def test_one_that_was_not_learned_is_shown_with_the_reason():
    """CS-362."""
    option = next(one for one in armed(DAGGER).options() if one.action == "declare-combination")
    assert (option.legal, option.rule) == (False, "CS-362")


def test_without_it_each_hand_strikes_once_also_at_another_foe():
    """CS-341, CS-342, CS-363."""
    table = armed(DAGGER)
    done(table, play(begun(table, "declare-strike"), "* s enter * e 2 enter"))
    said = declared(table)
    assert (said["kind"], said["second"], said["targets"]) == ("strike", "dagger", ("orc", "elk"))


def test_two_acts_are_declared_as_one():
    """CS-390, CS-342: a Turn before the strike."""
    table = armed(DAGGER)
    flow = press(begun(table, "declare-strike"), "*")
    press(flow, next(key for key, word in flow.view().choices if word == "two acts as one"))
    letter = next(key for key, word in (*flow.view().choices,) if word == "turn strike")
    done(table, play(press(flow, letter), "enter"))
    assert "turn" in str(declared(table)["components"][0])


def test_the_mode_that_nobody_stated_is_asked_for_before_the_dice():
    """CS-365."""
    table = due(armed(DAGGER, PAIR), action="combination", weapon="sword", second="dagger")
    flow = begun(table, "strike")
    assert "mode" in {row.name for row in flow.panel().rows}
    assert play(flow, "m").data["mode"] == "concert"


def test_work_that_another_must_do_asks_who_helps():
    """CS-137."""
    table = armed(DAGGER)
    flow = press(begun(table, "declare-task"), " ".join("don_plate_limb"))
    press(flow, "enter")
    assert "who helps" in flow.view().question
    done(table, play(flow, "enter"))
    assert declared(table)["helper"] == "eve", "a friend is proposed first"


def test_other_work_asks_for_nobody():
    """CS-130."""
    table = armed(DAGGER)
    given_ = play(begun(table, "declare-task"), " ".join("don_boot") + " enter")
    assert "helper" not in given_.data
    assert done(table, given_)["Declared"].qa_need == 4


def test_a_task_that_nobody_knows_is_refused_at_once_with_how_to_say_it():
    """CS-130, CS-131."""
    flow = press(begun(armed(DAGGER), "declare-task"), "c l i m b enter")
    assert "'climb' is not in table 4-1 (CS-130); accepted: climb=6" in flow.view().error
    assert done(armed(DAGGER), play(flow, "= 6 enter"))["Declared"].qa_need == 6


def test_what_makes_it_longer_and_easier_can_be_said_besides():
    """CS-129: twice as long, half as difficult."""
    table = armed(DAGGER)
    done(table, play(begun(table, "declare-act"), "* d 3 0 enter * t y p i c k enter"))
    assert (declared(table)["dv"], declared(table)["need"]) == (15, 8)


def test_another_weapon_is_one_key_away_and_what_it_needs_is_said():
    """CS-340: what is not in hand is named as such before the strike is declared."""
    table = fight_of(
        {
            "ash": {"side": "party", "weapons": [SWORD, SHIELD, DAGGER], "hands": {"R": "sword", "L": "shield"}},
            "orc": {"side": "foe", "weapons": [SWORD], "dodge": 12},
        }
    )
    flow = begun(table, "declare-strike")
    rows = {row.name: row for row in flow.panel().rows}
    assert rows["with"].text == "sword"
    press(flow, "down")
    while flow.panel().rows[flow.panel().marked].name != "with":
        press(flow, "down")
    for _ in range(2):
        press(flow, "d")
    rows = {row.name: row for row in flow.panel().rows}
    assert rows["with"].text == "dagger"
    assert rows["hands"].rule == "one attack per item, CS-340"
