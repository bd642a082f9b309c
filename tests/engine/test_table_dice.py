"""Dice that the table throws: what a command still owes, all at once, and what it was given and did not need."""

import pytest
from test_headless import Talk


@pytest.fixture
def talk():
    talk = Talk()
    talk.done(do="open", system="stage", seed="7", settings={"dice": "table"})
    talk.done(do="add", id="ash", name="Ash", side="party", sheet={"hp": 9})
    talk.done(do="add", name="Orc", side="foe", count=3, sheet={"hp": 5})
    talk.done(do="start")
    talk.done(do="next_half", until="missile")
    return talk


SHOT = {"do": "shoot", "who": "ash", "target": "orc-1"}


def purposes(reply):
    return [roll["purpose"] for roll in reply["needs"]]


def test_all_that_a_command_certainly_needs_is_asked_for_at_once(talk):
    """A blow that hits for sure needs its damage; of one that may miss, nobody knows yet."""
    assert purposes(talk(**SHOT, hit=True, damage="2d6")) == ["damage"]
    assert purposes(talk(**SHOT, needs=20, damage="2d6")) == ["attack", "damage"]
    assert purposes(talk(**SHOT, needs=11, damage="2d6")) == ["attack"]
    assert purposes(talk(**SHOT, needs=20, damage="2d6", rolls={"attack": 5})) == ["damage"]
    assert talk.done(**SHOT, needs=20, damage="2d6", rolls={"attack": 5, "damage": [1, 2]})


def test_what_it_asks_for_is_all_it_takes(talk):
    """Given all the throws it asks for, a command that owed several is done."""
    reply = talk(do="damage", who="orc-1", amount="d6", alike=True)
    assert purposes(reply) == ["damage.orc-1", "damage.orc-2", "damage.orc-3"]
    rolls = {roll["purpose"]: [2] for roll in reply["needs"]}
    assert "unused" not in talk.done(do="damage", who="orc-1", amount="d6", alike=True, rolls=rolls)


def test_asking_changes_nothing(talk):
    before = talk.ask("state")
    talk(**SHOT, needs=20, damage="2d6")
    assert talk.ask("state") == before


def test_dice_that_were_not_needed_are_told_and_not_refused(talk):
    reply = talk.done(**SHOT, needs=1, damage="2d6", rolls={"attack": [2], "damage": [3, 4]})
    assert reply["unused"] == [{"purpose": "damage", "faces": [3, 4], "expected": ["attack"]}]
    assert not any(event["type"] == "DamageApplied" for event in reply["events"])


def test_a_slip_in_a_purpose_stays_visible(talk):
    assert purposes(talk(**SHOT, needs=20, rolls={"atack": [2]})) == ["attack"]
    talk.done(do="configure", setting="dice", value="engine")
    reply = talk.done(**SHOT, needs=20, rolls={"atack": [2]})
    assert reply["unused"] == [{"purpose": "atack", "faces": [2], "expected": ["attack"]}]


def test_faces_that_the_dice_cannot_show_are_still_refused(talk):
    assert talk(**SHOT, needs=20, rolls={"attack": [21]})["refused"]["rule"] == "dice"


def test_players_type_their_dice_and_the_program_rolls_for_the_rest(talk):
    """What the foe throws falls by itself; of a command with throws of both, only the players' are asked for."""
    talk.done(do="configure", setting="dice", value="players")
    assert talk(**SHOT, needs=20, damage="2d6")["needs"] == [
        {"purpose": "attack", "dice": "d20", "who": "ash"},
        {"purpose": "damage", "dice": "2d6", "who": "ash"},
    ]
    shot = talk.done(do="shoot", who="orc-1", target="ash", needs=20, damage="2d6", force=True)
    assert {event["source"] for event in shot["events"] if event["type"] == "DiceRolled"} == {"seed"}


@pytest.mark.parametrize("system", ["turns", "segments"])
def test_initiative_of_both_sides_owes_the_players_dice_only(system):
    """CS-020, ST-12: going on asks for the players' Initiative at once, and rolls the foe's beside it."""
    talk = Talk()
    talk.done(do="open", system=system, seed="7", settings={"dice": "players"})
    sheet = {} if system == "turns" else {"awa": 10, "hrt": 10}
    for name, side in (("Ash", "party"), ("Bea", "party"), ("Orc", "foe")):
        talk.done(do="add", name=name, side=side, sheet=sheet)
    talk.done(do="start")
    while not (owed := talk(do="advance")).get("needs"):
        assert owed["ok"]
    assert sorted(purposes(owed)) == ["initiative.ash", "initiative.bea"]
    rolled = talk.done(do="advance", rolls={"initiative.ash": 4, "initiative.bea": 9})
    thrown = {event["who"]: event["source"] for event in rolled["events"] if event["type"] == "DiceRolled"}
    assert thrown == {"ash": "table", "bea": "table", "orc": "seed"}


MACE = {"hp": 9, "strikes": [{"name": "mace", "needs": 4, "damage": "2d8+3", "reach": 1}]}


def in_melee(**settings):
    """Ash with a mace of 2d8+3 in contact with an orc, in Scenes, Rounds, Turns."""
    talk = Talk()
    talk.done(do="open", system="turns", seed="7", settings=settings)
    talk.done(do="add", id="ash", name="Ash", side="party", sheet=MACE)
    talk.done(do="add", id="orc", name="Orc", side="foe", sheet={"hp": 40})
    talk.done(do="open_scene", name="Hall")
    talk.done(do="answer", choice="free")
    return talk


BLOW = {"do": "strike", "who": "ash", "target": "orc", "weapon": "mace"}


@pytest.mark.parametrize("total", [4, 20])
def test_a_typed_total_that_the_dice_cannot_give_is_refused_with_what_they_can(total):
    talk = in_melee()
    no = talk(**BLOW, hit=True, damage=total)["refused"]
    assert (no["message"], no["accepts"]) == (f"2d8+3 can't give {total}", ["5 to 19"])
    assert talk.ask("state")["combatants"]["orc"]["pools"]["hp"]["now"] == 40
    talk.done(**BLOW, hit=True, damage=total, force=True)
    assert talk.ask("state")["combatants"]["orc"]["pools"]["hp"]["now"] == 40 - total, "the GM may say so all the same"


def test_a_total_that_the_dice_can_give_is_taken():
    talk = in_melee()
    talk.done(**BLOW, hit=True, damage=19)
    assert talk.ask("state")["combatants"]["orc"]["pools"]["hp"]["now"] == 21


def test_one_number_for_several_dice_is_refused_in_rolls():
    no = in_melee()(**BLOW, rolls={"attack": [20], "damage": [4]})["refused"]
    assert no["message"] == "2d8+3 can't show 4 (damage): type 2 faces, 5 to 19 in all"


def test_a_cue_proposes_no_total_that_the_dice_cannot_give():
    talk = in_melee()
    blow = {**BLOW, "hit": True, "damage": 4}
    talk.done(do="set_cue", name="ambush", when={"at_most": 39, "who": "orc"}, then={"propose": blow})
    talk.done(do="damage", who="orc", amount=1)
    (prompt,) = talk.ask("prompts")
    no = talk(do="answer", prompt=prompt["id"], choice=prompt["choices"][0]["id"])["refused"]
    assert no["message"] == "2d8+3 can't give 4"


def test_an_answer_gives_no_total_that_the_dice_of_the_question_cannot_give():
    """Own games, section 3: the same for every question with dice, whatever the system."""
    talk = Talk()
    talk.done(do="open", system="slots", seed="7", settings={"dice": "table"})
    talk.done(do="add", id="ivo", name="Ivo", side="party", sheet={"awareness": 3})
    talk.done(do="start")
    (prompt,) = talk.ask("prompts")
    no = talk(do="answer", prompt=prompt["id"], amount=24)["refused"]
    assert (no["message"], no["accepts"]) == ("d20+3 can't give 24", ["4 to 23"])
    talk.done(do="answer", prompt=prompt["id"], amount=23)
