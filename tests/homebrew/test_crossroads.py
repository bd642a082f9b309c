"""A game of 60 lines: attack, dodge, two conditions, an opportunity attack; and the laws that hold for every system."""

from pathlib import Path

from grammar import SHORT_FIGHTS

from fightcall_engine.kit.phrases import phrase
from fightcall_engine.play.fight import Fight
from fightcall_engine.testkit.machine import FightMachine
from fightcall_engine.testkit.perft import perft
from fightcall_engine.testkit.plays import Conversation

TEXT = (Path(__file__).parent / "crossroads.toml").read_text(encoding="utf-8")
PEOPLE = (("Ash", "party", "B2"), ("Bo", "party", "A1"), ("Goblin", "foe", "C2"), ("Orc", "foe", "C3"))
MAP = ". . . . . .\n . . . . . .\n. . . . . .\n"


def begun(**rolls):
    talk = Conversation("crossroads", seed="3", board={"map": MAP})
    for name, side, at in PEOPLE:
        talk.do("join", name=name, side=side, at=at)
    return talk.do("start", rolls=rolls or {"initiative": [15, 10, 9, 8]})


def test_the_file_has_at_most_sixty_lines():
    assert len(TEXT.splitlines()) <= 60


def test_a_strike_needs_the_defence_of_the_target_and_its_harm_is_that_of_the_sheet():
    talk = begun().do("strike", who="ash", target="goblin", rolls={"attack": [10], "damage": [5]})
    talk.expect("Attempted", total=12, needed=12, hit=True, chance=55.0).expect("DamageApplied", amount=5, left=5)
    assert talk.pool("ash", "action") == 0


def test_a_strike_misses_where_the_target_dodges():
    talk = begun().do("dodge", who="ash").do("advance").do("advance")
    talk.do("strike", who="goblin", target="ash", rolls={"attack": [13]})
    talk.expect("Attempted", needed=16, hit=False)


def test_a_critical_hit_throws_twice_the_dice_and_gains_momentum_for_the_side():
    talk = begun().do("strike", who="ash", target="goblin", rolls={"attack": [20], "damage": [3, 4]})
    talk.expect("DamageApplied", amount=7).expect("SidePoolChanged", side="party", left=1)


def test_what_has_been_spent_is_refused_with_its_price():
    talk = begun().do("strike", who="ash", target="goblin", rolls={"attack": [2]})
    refused = talk.say(do="strike", who="ash", target="goblin")["refused"]
    assert refused["message"] == "needs 1 action; Ash has 0"


def test_whoever_walks_out_of_reach_is_struck_at_if_the_enemy_will():
    talk = begun()
    before = talk.combatant("ash")["at"]
    talk.do("move", who="ash", to="E1")
    assert talk.question_kinds() == ["trigger"]
    talk.do("answer", choice="yes", rolls={"attack": [19], "damage": [4]}).expect("DamageApplied", who="ash", amount=4)
    assert talk.combatant("ash")["at"] == before, "a hit ends the walk where it was"


def test_an_enemy_without_a_reaction_left_strikes_at_none_who_walk():
    talk = begun().do("move", who="ash", to="E1").do("answer", choice="no").do("answer", choice="no")
    assert talk.question_kinds() == []


def test_a_walk_past_a_friend_goes_on_after_the_question_where_the_friend_stands():
    talk = Conversation("crossroads", seed="3", board={"map": MAP})
    for name, side, at in (("Ash", "party", "A1"), ("Bo", "party", "B1"), ("Goblin", "foe", "A2")):
        talk.do("join", name=name, side=side, at=at)
    talk.do("start", rolls={"initiative": [15, 10, 9]})
    talk.do("move", who="ash", path=["B1", "C1", "D1"])
    assert talk.question_kinds() == ["trigger"]
    talk.do("answer", choice="no")
    state = talk.session.fight.state
    assert state.board.name_of(state.combatants["ash"].at) == "D1"


def test_whoever_is_stunned_has_no_turn():
    talk = begun().do("add_effect", who="bo", name="stunned").do("advance")
    talk.expect("StepSkipped", reason="is stunned")


def test_lines_in_the_log_are_in_the_words_of_the_file():
    talk = begun()
    fight = talk.session.fight
    before = fight.state
    entry = fight.give("strike", who="ash", target="goblin", rolls={"attack": [3]})
    texts = [phrase(fight.system, event, before).text for event in entry.events if event.type == "Attempted"]
    assert texts == ["Ash strikes Goblin: 5 against 12, a miss"]


def test_whatever_is_offered_can_be_done():
    fight = begun().session.fight
    assert isinstance(fight, Fight)
    assert perft(fight, 3).refused == []


class CrossroadsMachine(FightMachine):
    """A fight at the crossroads, and everything a GM can do to it."""

    SYSTEM = "crossroads"


CrossroadsMachine.TestCase.settings = SHORT_FIGHTS
TestCrossroads = CrossroadsMachine.TestCase
