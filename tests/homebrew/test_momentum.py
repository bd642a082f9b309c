"""The game of momentum: each rule of its file by an example, and the laws that hold for every system."""

from grammar import SHORT_FIGHTS

from fightcall_engine.testkit.machine import FightMachine
from fightcall_engine.testkit.plays import Conversation

MAP = ". . . . . . . .\n. . . # . . . .\n. . . . . . . .\n. . . . . . . .\n"
BOARD = {"kind": "square", "map": MAP, "legend": {"#": {"name": "chimney", "cost": 2, "cover": "heavy"}}}
PEOPLE = (
    ("Ash", "party", "B2"),
    ("Bo", "party", "A1"),
    ("Rat", "foe", "C2"),
    ("Ox", "foe", "D2"),
    ("Cur", "foe", "H4"),
)


def begun(people=(), first="ash"):
    """Ash next to the Rat, Bo the archer behind her, the Ox in heavy cover; Ash begins."""
    talk = Conversation("momentum", seed="3", board=BOARD)
    sheets = {"Bo": {"range": 10}, **dict(people)}
    for name, side, at in PEOPLE:
        talk.do("join", name=name, side=side, at=at, sheet=sheets.get(name, {}))
    return talk.do("start").do("answer", choice=first)


def momentum(talk):
    """What the party has."""
    return talk.ask("state")["side_pools"]["party"]["momentum"]["now"]


def then(talk, who):
    """End the running turn, and let somebody be next."""
    return talk.do("advance").do("answer", choice=who)


# Who goes next


def test_the_gm_names_one_of_the_party_to_begin():
    talk = Conversation("momentum", seed="3")
    for name, side, _ in PEOPLE:
        talk.do("join", name=name, side=side)
    prompt = talk.do("start").ask("prompts")[0]
    assert prompt["question"] == "Who begins Round 1?"
    assert [choice["id"] for choice in prompt["choices"]] == ["ash", "bo"]


def test_who_has_acted_names_the_next_of_those_who_have_not():
    talk = begun().do("advance")
    prompt = talk.ask("prompts")[0]
    assert prompt["question"] == "Who goes next?"
    assert prompt["default"] == "rat", "by default somebody of the other side"
    assert [choice["id"] for choice in prompt["choices"]] == ["bo", "rat", "ox", "cur"]
    then(talk.do("answer", choice="bo"), "rat")
    assert talk.state["step"].startswith("turns.rat")


def test_the_last_is_not_asked_about_and_the_next_round_begins_with_the_party():
    talk = begun()
    for who in ("bo", "rat", "ox"):
        then(talk, who)
    talk.do("advance")
    assert talk.state["step"].startswith("turns.cur")
    talk.do("advance").do("advance")
    assert talk.ask("prompts")[0]["question"] == "Who begins Round 2?"


def test_those_who_are_down_cannot_be_named():
    talk = begun().do("damage", who="rat", amount=12).do("advance")
    assert [choice["id"] for choice in talk.ask("prompts")[0]["choices"]] == ["bo", "ox", "cur"]


# Attacks


def test_a_strike_needs_the_defence_and_5_more_gain_momentum():
    talk = begun().do("strike", who="ash", target="rat", rolls={"attack": [5, 5], "damage": [2]})
    talk.expect("Attempted", total=13, needed=13, hit=True, critical=False).expect("DamageApplied", amount=3)
    assert momentum(talk) == 1
    talk = begun().do("strike", who="ash", target="rat", rolls={"attack": [8, 7], "damage": [2]})
    talk.expect("Attempted", total=18, critical=True)
    assert momentum(talk) == 2


def test_a_foe_gains_the_party_nothing():
    talk = then(begun(), "rat").do("strike", who="rat", target="ash", rolls={"attack": [10, 10], "damage": [2]})
    talk.expect("Attempted", critical=True)
    assert momentum(talk) == 1


def test_guard_makes_it_harder_until_the_next_turn():
    talk = then(begun().do("guard", who="ash"), "rat")
    talk.do("strike", who="rat", target="ash", rolls={"attack": [6, 6]}).expect("Attempted", needed=16, hit=False)
    needs = talk.ask("explain", who="ash", what="strike")
    assert {"label": "on guard", "value": "3", "rule": "on_guard"}.items() <= needs["parts"][1].items()


def test_nobody_shoots_next_to_an_enemy_and_cover_counts():
    talk = begun({"Ash": {"range": 10}})
    assert "too close" in talk.refused("shoot", "shoot", who="ash", target="ox")
    then(talk, "bo").do("shoot", who="bo", target="ox", rolls={"attack": [7, 6]})
    talk.expect("Attempted", needed=17, total=16, hit=False)


def test_who_is_outwitted_is_exposed_until_the_end_of_the_outwitters_next_turn():
    talk = begun().do("outwit", who="ash", target="rat", rolls={"attack": [9, 9], "against": [5, 5]})
    assert momentum(talk) == 2
    then(talk, "bo").do("shoot", who="bo", target="rat", rolls={"attack": [4, 3], "damage": [1]})
    talk.expect("Attempted", needed=10, hit=True)
    for who in ("rat", "ox"):
        then(talk, who)
    talk.do("advance").do("advance").do("advance")
    assert "exposed" in talk.effects("rat")
    talk.do("answer", choice="ash").do("advance")
    assert "exposed" not in talk.effects("rat")


# Momentum


def test_a_blow_all_out_costs_momentum_and_does_d6_more():
    talk = begun().do("all_out", who="ash", target="rat", rolls={"attack": [5, 5], "damage": [2, 4]})
    talk.expect("DamageApplied", amount=7)
    assert momentum(talk) == 0


def test_foes_have_no_momentum_to_spend():
    talk = then(begun(), "rat")
    offered = {option["action"]: option for option in talk.ask("options", who="rat")}
    assert not {"surge", "rally", "all_out", "slip_away"} & offered.keys()


def test_a_surge_is_one_more_action_once_a_round():
    talk = begun().do("outwit", who="ash", target="rat", rolls={"attack": [9, 9], "against": [5, 5]})
    talk.do("surge", who="ash")
    assert (momentum(talk), talk.pool("ash", "action")) == (0, 1)
    talk.do("strike", who="ash", target="rat", rolls={"attack": [9, 9], "damage": [2]})
    assert "needs 2 momentum; Ash has 1" in talk.refused("surge", "surge", who="ash")
    talk.do("outwit", who="ash", target="ox", rolls={"attack": [9, 9], "against": [5, 5]}, force=True)
    assert "has done this 1 time in this round" in talk.refused("surge", "surge", who="ash")


def test_a_rally_gives_grit_back():
    talk = begun().do("damage", who="bo", amount=9).do("rally", who="ash", target="bo", rolls={"heal": [4]})
    assert talk.pool("bo", "grit") == 9
    assert momentum(talk) == 0


# What happens by itself


def test_who_leaves_the_reach_of_an_enemy_is_struck_and_stopped_by_a_hit():
    talk = begun().do("move", who="ash", to="A3")
    assert talk.question_kinds() == ["trigger"]
    here = talk.combatant("ash")["at"]
    talk.do("answer", choice="yes", rolls={"attack": [9, 9], "damage": [2]})
    assert talk.combatant("ash")["at"] == here
    assert talk.pool("rat", "guard") == 0


def test_a_miss_lets_them_go_on():
    talk = begun().do("move", who="ash", to="A3").do("answer", choice="yes", rolls={"attack": [1, 1]})
    talk.expect("Walked", who="ash")


def test_who_slips_away_is_not_struck_and_moves_once_more():
    talk = begun().do("slip_away", who="ash").do("move", who="ash", to="A3").do("move", who="ash", to="A4")
    assert talk.question_kinds() == []
    assert momentum(talk) == 0


def test_half_of_a_side_down_shakes_the_rest():
    talk = begun().do("damage", who="rat", amount=12)
    assert talk.effects("ox") == {}
    talk.do("damage", who="cur", amount=12).expect("Told", text="Ox is shaken: half of their side is down.")
    assert talk.effects("ox") == {"shaken": 1}
    assert talk.ask("explain", who="ox", what="skill")["total"] == "1"
    details = talk.session.fight.system.details(talk.session.fight.state, "ox")
    assert [(line.name, line.text) for line in details[0].details] == [
        ("skill", "1 (3 on the sheet)"),
        ("aim", "1 (3 on the sheet)"),
    ]


def test_every_entry_has_its_rule_in_one_line():
    system = begun().session.fight.system
    rules, page = system.rules(), system.game.page
    parts = (*page.act, *page.condition, *page.trigger, page.walk, page.round, *page.pools.values())
    for part in (*parts, *page.shared.values()):
        assert part.rule
        assert len(rules.get(part.rule, part.rule)) <= 240


class MomentumMachine(FightMachine):
    """The game of momentum, and everything a GM can do to it."""

    SYSTEM = "momentum"


MomentumMachine.TestCase.settings = SHORT_FIGHTS
TestMomentum = MomentumMachine.TestCase
