"""Cues through the protocol: set, listed, fired, answered, dropped, held on a way; and what can never come true."""

from __future__ import annotations

import json

import pytest

from fightcall_engine.archive.encounter_reading import read_encounter
from fightcall_engine.archive.encounter_writing import encounter_to_toml
from fightcall_engine.archive.encounters import start_fight
from fightcall_engine.headless import Session
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Down
from fightcall_engine.play.codec import state_from_json
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.story import player_view, public_events
from protocol_schema import check_reply

BOARD = {
    "kind": "square",
    "map": ". . . . . . . .\n. . . . d . . .\n. . . . . . . .",
    "legend": {"d": {"name": "door", "cost": 1}},
}
SHEETS = {"stage": {"agility": 13, "hp": 9}, "slots": {"hp": 9}, "turns": {"hp": 9}, "segments": {}}


class Talk:
    """A session in Python values: every reply is as the schema says."""

    def __init__(self, system, **opening):
        self.session, self.system = Session(), system
        self(do="open", system=system, seed="7", **opening)

    def __call__(self, **request):
        reply = json.loads(json.dumps(self.session.answer(request), allow_nan=False))
        check_reply(self.system, reply)
        return reply

    def done(self, **request):
        reply = self(**request)
        assert reply["ok"], reply
        return reply

    @property
    def state(self):
        return self.session.fight.state

    def types(self, **request):
        return [event["type"] for event in self.done(**request)["events"]]

    def fired(self, **request):
        return [event["cue"] for event in self.done(**request)["events"] if event["type"] == "CueFired"]


def fighting(system="stage", board=BOARD):
    talk = Talk(system, board=board)
    for name, side, at in (("Ash", "party", [0, 1]), ("Bo", "party", [0, 0]), ("Orc", "foe", [7, 1])):
        talk.done(do="join", name=name, side=side, at=at, sheet=SHEETS[system])
    return talk


def to_act(talk):
    """Go on, questions answered as proposed, until somebody of the party may move. Returns who."""
    fight = talk.session.fight
    talk.done(do="start")
    for _ in range(60):
        asked = next((prompt for prompt in fight.state.prompts if prompt.blocking), None)
        if asked is not None:
            more = {"amount": 12} if not asked.default and not asked.choices else {}
            talk.done(do="answer", prompt=asked.id, choice=asked.default, **more)
            continue
        for who in ("ash", "bo"):
            if any(option.command == "Move" and option.legal for option in fight.options(who)):
                return who
        talk.done(do="advance")
    raise AssertionError("nobody ever moves")


def test_a_line_stands_until_it_is_noted():
    talk = fighting()
    talk.done(do="cue", id="second", when={"round": 2}, then={"say": "The bell rings"})
    to_act(talk)
    while talk.state.round == 1:
        told = talk.done(do="advance")["events"]
    assert [event["text"] for event in told if event["type"] == "CueFired"] == ["The bell rings"]
    (line,) = talk.state.prompts
    assert (line.question, line.default, line.blocking) == ("The bell rings", "noted", False)
    assert line.is_remark
    assert "pass" in talk.session.fight.next_call().words, "a line waits for nobody"
    assert talk.types(do="answer") == ["RulingRecorded"]
    assert talk.state.prompts == ()
    assert talk.done(ask="cues")["cues"] == []


def test_a_line_that_nobody_notes_goes_with_the_next_step():
    talk = fighting()
    talk.done(do="cue", when={"down": "orc"}, then={"say": "They scatter"})
    to_act(talk)
    assert talk.types(do="damage", who="orc", amount=20).count("CueFired") == 1
    assert "RulingRecorded" in talk.types(do="advance")
    assert talk.state.prompts == ()


def test_a_line_that_nobody_notes_goes_with_a_step_that_ends_by_itself():
    talk = fighting()
    talk.done(do="cue", when={"down": "orc"}, then={"say": "They scatter"})
    to_act(talk)
    talk.done(do="damage", who="orc", amount=20)
    assert talk.types(do="waive", who="ash") == ["Waived"]
    assert len(talk.state.prompts) == 1, "the step still runs"
    told = talk.types(do="waive", who="bo")
    assert "StepEnded" in told or "HalfEnded" in told
    assert told[-1] == "RulingRecorded"
    assert talk.state.prompts == ()


def test_a_line_that_comes_with_the_end_of_a_step_is_seen():
    talk = fighting()
    talk.done(do="cue", when={"down": "bo"}, then={"say": "The rest waver"})
    to_act(talk)
    talk.done(do="waive", who="ash")
    step = talk.state.step
    talk.done(do="damage", who="bo", amount=20)
    assert talk.state.step != step
    assert [line.question for line in talk.state.prompts] == ["The rest waver"]


def test_a_question_has_the_answers_of_its_author_and_the_first_is_proposed():
    talk = fighting()
    talk.done(
        do="cue", when={"share": 0.5, "who": "Orc"}, then={"ask": "What does he do?", "answers": ["runs", "begs"]}
    )
    to_act(talk)
    talk.done(do="damage", who="orc", amount=5)
    (asked,) = talk.state.prompts
    assert [(choice.id, choice.key) for choice in asked.choices] == [("runs", "r"), ("begs", "b")]
    assert asked.blocking
    assert talk.done(do="answer", choice="begs")["events"][0]["choice"] == "begs"


def test_each_time_is_each_time_and_once_is_once():
    talk = fighting()
    talk.done(do="cue", id="once", when={"at_most": 3, "who": "party"}, then={"say": "Somebody is low"})
    talk.done(do="cue", id="each", when={"at_most": 3, "who": "party"}, then={"say": "Low"}, each_time=True)
    to_act(talk)
    assert talk.fired(do="damage", who="ash", amount=6) == ["once", "each"]
    assert talk.fired(do="damage", who="ash", amount=1) == []
    assert talk.fired(do="damage", who="bo", amount=7) == ["each"]
    talk.done(do="heal", who="ash", amount=4)
    assert talk.fired(do="damage", who="ash", amount=4) == ["each"]


def test_what_is_proposed_happens_if_the_gm_takes_it():
    talk = fighting()
    talk.done(
        do="cue", when={"down": "orc"}, then={"propose": {"do": "join", "like": "orc", "name": "Troll", "at": [7, 2]}}
    )
    to_act(talk)
    talk.done(do="damage", who="orc", amount=20)
    assert talk.state.prompts[0].question == "Troll: join"
    assert talk.types(do="advance") == ["RulingRecorded", "Joined"]
    assert talk.state.combatants["troll"].side == "foe"
    talk.done(do="undo")
    assert "troll" not in talk.state.combatants
    assert talk.types(do="answer", choice="no") == ["RulingRecorded"]
    assert "troll" not in talk.state.combatants


def test_a_proposal_that_the_rules_refuse_changes_nothing():
    talk = fighting()
    talk.done(do="cue", when={"down": "orc"}, then={"propose": {"do": "place", "who": "bo", "at": [0, 1]}})
    to_act(talk)
    talk.done(do="damage", who="orc", amount=20)
    before = talk.state
    assert talk(do="advance")["refused"]["message"] == "A2 is occupied by Ash"
    assert talk.state is before
    talk.done(do="answer", force=True)
    assert to_json(talk.state.combatants["bo"].at) == [0, 1]


HELD = {"hold": {"do": "damage", "who": "ash", "amount": 2}, "text": "Ysolde shoots"}
WAY = [[1, 1], [2, 1], [3, 1], [4, 1], [5, 1]]


@pytest.mark.parametrize("system", ["stage", "slots", "turns"])
def test_a_hold_stops_a_walk_on_the_very_place_and_the_rest_costs_what_it_would(system):
    plain, held = fighting(system), fighting(system)
    who = to_act(plain)
    assert to_act(held) == who
    held.done(do="cue", id="shot", when={"enters": "door", "who": "party"}, then=HELD)
    for talk in (plain, held):
        talk.done(do="move", who=who, path=WAY)
    walker = held.state.combatants[who]
    assert to_json(walker.at) == [4, 1]
    assert [prompt.question for prompt in held.state.prompts] == [
        "Ysolde shoots",
        f"Continue {walker.name}'s move to F2?",
    ]
    hurt = held.done(do="answer")["events"]
    assert [event["amount"] for event in hurt if event["type"] == "DamageApplied"] == [2]
    assert to_json(held.state.combatants[who].at) == [4, 1]
    held.done(do="answer")
    there, here = (talk.state.combatants[who] for talk in (plain, held))
    assert here.at == there.at
    spent = {name: pool for name, pool in there.pools.items() if name != "hp"}
    assert {name: pool for name, pool in here.pools.items() if name != "hp"} == spent


@pytest.mark.parametrize("system", ["stage", "slots", "turns"])
def test_whoever_falls_on_the_way_goes_no_further(system):
    talk = fighting(system)
    who = to_act(talk)
    talk.done(do="cue", when={"enters": "door"}, then={"hold": {"do": "damage", "who": who, "amount": 20}})
    talk.done(do="move", who=who, path=WAY)
    talk.done(do="answer")
    talk.done(do="adjust", who=who, what="able", value=False)
    for _ in range(9):
        if talk.state.prompts:
            talk.done(do="advance")
    assert to_json(talk.state.combatants[who].at) == [4, 1]


def test_a_line_on_the_way_says_where_and_lets_them_walk():
    talk = fighting()
    talk.done(do="cue", when={"leaves": "door"}, then={"say": "It creaks"}, each_time=True)
    talk.done(do="cue", when={"enters": [[2, 1], [3, 1]]}, then={"say": "A string"})
    to_act(talk)
    told = talk.done(do="move", who="ash", path=WAY)["events"]
    fired = [(event["text"], event["at"]) for event in told if event["type"] == "CueFired"]
    assert fired == [("A string", [2, 1]), ("It creaks", None)]
    assert [prompt.question for prompt in talk.state.prompts] == ["A string (Ash at C2)", "It creaks"]
    assert to_json(talk.state.combatants["ash"].at) == [5, 1]


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ({"round": 3}, "target: no one triggers this cue"),
        ({"phase": "move"}, "target: no one triggers this cue"),
        ({"clock_s": 90}, "target: no one triggers this cue"),
        ({"any": [{"round": 3}, {"clock_s": 90}]}, "target: no one triggers this cue"),
        ({"at_most": 3, "who": "orc"}, "target: only orc triggers this cue"),
    ],
)
@pytest.mark.parametrize("kind", ["hold", "propose"])
def test_whoever_is_refused_where_nobody_can_be_meant(kind, when, said):
    """Put right 9: it is refused when the cue is set, not when the question is answered."""
    talk = fighting()
    strike = {"do": "strike", "who": "orc", "target": "whoever"}
    reply = talk(do="cue", when=when, then={kind: strike})
    assert said in reply["refused"]["message"]
    assert talk.types(do="cue", when=when, then={kind: strike}, force=True) == ["Overridden", "CueSet"]
    talk.done(do="cue", when={"all": [when, {"acts": "ash"}]}, then={kind: strike})


@pytest.mark.parametrize("words", [{"do": "answer"}, {"do": "answer", "choice": "y"}, {"do": "advance"}])
def test_the_preview_of_an_answer_is_that_of_what_it_accepts(words):
    """Put right 9: a proposal that would be refused cannot run; declining it can."""
    talk = fighting()
    talk.done(do="cue", when={"down": "orc"}, then={"propose": {"do": "place", "who": "bo", "at": [0, 1]}})
    to_act(talk)
    talk.done(do="damage", who="orc", amount=20)
    preview = talk.done(ask="preview", **words)["preview"]
    assert (preview["can_run"], preview["rows"][0]["text"]) == (False, "A2 is occupied by Ash")
    assert talk(**words)["refused"]["message"] == "A2 is occupied by Ash"
    assert talk.done(ask="preview", do="answer", force=True)["preview"]["can_run"]
    assert talk.done(ask="preview", do="answer", choice="no")["preview"]["can_run"]
    talk.done(do="place", who="ash", at=[1, 1])
    assert talk.done(ask="preview", **words)["preview"]["can_run"]
    talk.done(**words)


SHOT = {"do": "strike", "who": "orc", "target": "ash", "kind": "missile", "hit": True, "damage": 3}


def test_a_hold_acts_out_of_turn():
    """SB-45 belongs to Missile: a held shot is possible all the same, and the journal says who allowed it."""
    talk = fighting()
    talk.done(do="cue", when={"enters": "door"}, then={"hold": SHOT})
    to_act(talk)
    talk.done(do="move", who="ash", path=WAY)
    types = talk.types(do="answer")
    assert "Overridden" in types
    assert talk.state.combatants["ash"].pools["hp"].now < 9


@pytest.mark.parametrize("system", ["stage", "turns"])
def test_an_impossible_hold_does_not_stop_a_walk(system):
    """SB-34, ST-30; put right 1: a dead archer holds nobody up, and the log says why the cue lapsed."""
    talk = fighting(system)
    who = to_act(talk)
    talk.done(do="cue", when={"enters": "door"}, then={"hold": SHOT, "text": "Orc shoots"})
    talk.done(do="damage", who="orc", amount=20)
    events = talk.done(do="move", who=who, path=WAY)["events"]
    assert to_json(talk.state.combatants[who].at) == WAY[-1]
    assert [event["note"] for event in events if event["type"] == "RulingRecorded"] == ["Orc can't act"]
    assert not talk.state.prompts


def test_a_walk_stops_where_a_later_hold_is_possible():
    """SB-49; put right 1: the first hold on the way is impossible, the second one is not."""
    talk = fighting()
    talk.done(do="cue", when={"enters": [[2, 1]]}, then={"hold": {**SHOT, "kind": "melee"}, "text": "Orc strikes"})
    talk.done(do="cue", when={"enters": "door"}, then={"hold": SHOT, "text": "Orc shoots"})
    to_act(talk)
    talk.done(do="move", who="ash", path=WAY)
    assert to_json(talk.state.combatants["ash"].at) == [4, 1]
    assert [prompt.question for prompt in talk.state.prompts] == ["Orc shoots", "Continue Ash's move to F2?"]


def test_conditions_join():
    talk = fighting()
    both = {"all": [{"down": "party", "count": 1}, {"none": [{"down": "foe"}]}]}
    either = {"any": [{"acts": "bo"}, {"effect_ends": "Bless", "who": "ash"}]}
    talk.done(do="cue", id="both", when=both, then={"say": "Losing"})
    talk.done(do="cue", id="either", when=either, then={"say": "Now"}, each_time=True)
    to_act(talk)
    talk.done(do="effect", who="ash", name="bless")
    assert talk.fired(do="end_effect", who="ash", effect="bless") == ["either"]
    talk.done(do="damage", who="orc", amount=20)
    assert talk.fired(do="damage", who="ash", amount=20) == []
    assert talk.fired(do="heal", who="orc", amount=5) == ["both"]


def test_a_cue_waits_for_another():
    """What follows one cue, and what is said where it has not come true."""
    talk = fighting()
    talk.done(do="cue", id="hurt", when={"at_most": 5, "who": "ash"}, then={"say": "Hurt"})
    talk.done(do="cue", id="later", when={"all": [{"after": "hurt"}, {"down": "orc"}]}, then={"say": "At last"})
    instead = {"all": [{"down": "orc"}, {"none": [{"after": "hurt"}]}]}
    talk.done(do="cue", id="instead", when=instead, then={"say": "Unhurt"})
    to_act(talk)
    assert talk.fired(do="damage", who="orc", amount=20) == ["instead"]
    talk.done(do="heal", who="orc", amount=20)
    assert talk.fired(do="damage", who="ash", amount=5) == ["hurt"]
    assert talk.fired(do="damage", who="orc", amount=20) == ["later"]


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ({"after": "tea"}, "no pending cue is named 'tea'; accepted: none yet"),
        ({"round": 0}, "round 0 has already begun"),
        ({"clock_s": 0}, "second 0 has already passed"),
        ({"phase": "tea"}, "there is no phase 'tea'"),
        ({"enters": "lava"}, "no place or terrain named 'lava'"),
        ({"leaves": []}, "none of its places is on the board"),
        ({"within": 5, "who": "ash", "of": "ash"}, "a combatant can't approach itself"),
        ({"within": -5, "of": "ash"}, "within -5"),
        ({"sees": "nobody"}, "sees: no one is named 'nobody'"),
        ({"down": "goblins"}, "down: no one is named 'goblins'"),
        ({"down": "foe", "count": 2}, "2 of 1; accepted: 1 to 1"),
        ({"share": 1.5}, "a share of 1.5"),
        ({"at_most": 9, "who": "ash"}, "ash never has more than 9"),
        ({"at_most": -1}, "at most -1"),
        ({"at_most": 1, "pool": "luck"}, "has no 'luck'"),
        ({"effect_ends": " "}, "an effect without a name"),
        ({"none": [{"round": 0}]}, "round 0 has already begun"),
        ({"none": [{"acts": "ash"}]}, "momentary conditions can't be combined this way"),
        ({"none": [{"down": "goblins"}]}, "it lists something that can never happen"),
        ({"all": [{"round": 3}, {"acts": "zed"}]}, "acts: no one is named 'zed'"),
        ({"any": [{"round": 0}, {"round": 3}]}, "round 0 has already begun"),
    ],
)
def test_what_can_never_come_true_is_refused_and_can_be_insisted_on(when, said):
    talk = fighting()
    reply = talk(do="cue", when=when, then={"say": "x"})
    assert said in reply["refused"]["message"]
    assert reply["refused"]["rule"] == "cue"
    assert talk.types(do="cue", when=when, then={"say": "x"}, force=True) == ["Overridden", "CueSet"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"when": {"rond": 3}}, "has rond; expected one of round, phase"),
        ({"when": {"round": 3, "down": "ash"}}, "round and down together"),
        ({"when": {"round": "three"}}, "round: "),
        ({"when": {"all": []}}, "all: expected a list of conditions"),
        ({"when": {"any": [{"round": 1}], "who": "ash"}}, "who: can't be combined with any"),
        ({"when": {"enters": [[90, 90]]}}, "none of its places is on the board"),
        ({"then": {"shout": "x"}}, "has shout; expected one of say, ask, propose, hold"),
        ({"then": {"ask": "x", "answers": ["yes"]}}, "at least two"),
        ({"then": {"propose": {"name": "Orc"}}}, "expected a command"),
        ({"then": {"propose": {"do": "dance"}}}, "no command 'dance'"),
        ({"then": {"propose": {"do": "damage", "who": "ash"}}}, "amount: missing"),
        ({"then": {"propose": {"do": "damage", "who": "zed", "amount": 1}}}, "who: no one is named 'zed'"),
        ({"then": {"propose": {"do": "join", "like": "zed"}}}, "like: no one is named 'zed'"),
    ],
)
def test_what_cannot_be_read_is_said_with_what_can(fields, said):
    reply = fighting()(do="cue", **{"when": {"round": 3}, "then": {"say": "x"}, **fields})
    assert not reply["ok"]
    assert said in json.dumps(reply, ensure_ascii=False)


def test_cues_are_listed_replaced_and_dropped():
    talk = fighting()
    talk.done(do="cue", id="a", when={"round": 2}, then={"say": "x"})
    talk.done(do="cue", when={"round": 3}, then={"say": "y"})
    talk.done(do="cue", id="a", when={"round": 4}, then={"say": "z"})
    assert [(cue["id"], cue["when"]) for cue in talk.done(ask="cues")["cues"]] == [
        ("moment-3", {"round": 3}),
        ("a", {"round": 4}),
    ]
    assert talk(do="uncue", cue="b")["refused"]["accepts"] == ["moment-3", "a"]
    assert talk.types(do="uncue", cue="Moment 3") == ["CueDropped"]
    talk.done(do="undo")
    assert len(talk.state.cues) == 2
    talk.done(do="redo")
    assert [cue.id for cue in talk.state.cues] == ["a"]


def test_a_cue_may_be_about_somebody_whom_another_brings():
    talk = fighting()
    assert not talk(do="cue", when={"down": "troll"}, then={"say": "x"})["ok"]
    talk.done(do="cue", when={"round": 1}, then={"propose": {"do": "join", "like": "orc", "name": "Troll"}})
    talk.done(do="cue", when={"down": "troll"}, then={"say": "The bridge is free"})
    talk.done(do="start")
    talk.done(do="answer")
    assert talk.fired(do="damage", who="troll", amount=20) == ["troll-down"]


def test_nothing_fires_before_the_fight_nor_after_it():
    talk = fighting()
    talk.done(do="cue", when={"enters": "door"}, then={"say": "x"}, each_time=True)
    assert talk.fired(do="place", who="ash", at=[4, 1]) == []
    to_act(talk)
    talk.done(do="place", who="ash", at=[3, 1])
    assert talk.fired(do="place", who="ash", at=[4, 1]) == ["anybody-enters-door"]
    talk.done(do="close")
    assert talk.state.prompts == ()


def test_a_journal_keeps_cues_and_all_that_comes_of_them(tmp_path):
    path = tmp_path / "fight.jsonl"
    talk = Talk("stage", board=BOARD, journal=str(path))
    for name, side, at in (("Ash", "party", [0, 1]), ("Bo", "party", [0, 0]), ("Orc", "foe", [7, 1])):
        talk.done(do="join", name=name, side=side, at=at, sheet=SHEETS["stage"])
    talk.done(do="cue", when={"enters": [[4, 1]], "who": "party"}, then=HELD)
    to_act(talk)
    talk.done(do="move", who="ash", path=WAY)
    talk.done(do="answer")
    state = talk.state
    talk.session.fight.close()
    again = Fight.open(path)
    assert again.state == state
    assert state_from_json(to_json(state)) == state
    again.close()


def test_players_hear_nothing_of_cues():
    talk = fighting()
    fight = talk.session.fight
    before = fight.state
    talk.done(do="cue", when={"down": "orc"}, then={"ask": "Do they run?"})
    assert public_events(fight.head.events, before) == ()
    to_act(talk)
    before = fight.state
    talk.done(do="damage", who="orc", amount=20)
    told = [form["type"] for form in public_events(fight.head.events, before)]
    assert told == ["DamageApplied", "Downed"]
    assert "they run" not in json.dumps(player_view(fight.state, fight.system))


FILE = """
name = "The Mill"
system = "stage"
[board]
map = '''
a . ~ . g
. . ~ . g
'''
legend."~" = { name = "water", cost = 2 }
[[combatant]]
name = "Ysolde"
at = "a"
[[combatant]]
name = "Goblin x2"
side = "foe"
at = "g"
sheet = { hp = 7 }
"""

CUES = """
[[cue]]
name = "They run"
when = { down = "goblin", count = 2 }
then = { ask = "Do they run?", answers = ["they do", "they stay"] }

[[cue]]
when = { all = [{ enters = "water", who = "party" }, { none = [{ down = "goblin-1" }] }] }
then = { say = "The current pulls at you" }
each_time = true

[[cue]]
when = { round = 3 }
then = { propose = { do = "join", like = "goblin-1", name = "Late goblin", count = 2 }, text = "Two more come" }

[[cue]]
when = { down = "late-goblin" }
then = { say = "It is over" }
"""


def test_an_encounter_file_has_cues_and_its_fight_begins_with_them(tmp_path):
    encounter = read_encounter(FILE + CUES, "mill.toml")
    assert read_encounter(encounter_to_toml(encounter), "again.toml") == encounter
    path = tmp_path / "fight.jsonl"
    fight = start_fight(encounter, id="mill", seed="1", path=path)
    assert [cue.id for cue in fight.state.cues] == [
        "they-run", "party-enters-water-and", "moment-3", "late-goblin-down",
    ]  # fmt: skip
    assert fight.state.cues[0].when == Down(down="goblin", count=2)
    state = fight.state
    fight.close()
    again = Fight.open(path)
    assert again.state == state
    again.close()


@pytest.mark.parametrize(
    ("cue", "line", "said"),
    [
        ("when = { round = 2 }", 18, "cue.then: expected an object with one of say, ask, propose, hold"),
        ('then = { say = "x" }', 18, "cue.when: expected an object with one of round, "),
        ('then = { say = "x" }\nwhen = { rounds = 2 }', 20, "has rounds; expected one of round, "),
        ('when = { round = 2 }\nthen = { propose = { do = "dance" } }', 20, "no command 'dance'"),
        ('when = { round = 2 }\nthen = { propose = { do = "join", like = "Og" } }', 20, "no one is named 'Og'"),
        ('when = { round = 2 }\nthen = { say = "x" }\nonce = true', 21, "cue.once: unknown"),
    ],
)
def test_what_is_wrong_with_a_cue_is_said_with_its_line(cue, line, said):
    with pytest.raises(BadInput) as wrong:
        read_encounter(f"{FILE}[[cue]]\n{cue}\n", "mill.toml")
    (problem,) = wrong.value.problems
    assert problem.startswith(f"line {line}: ")
    assert said in problem


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ('{ down = "goblins" }', "no one is named 'goblins'"),
        ("{ round = 0 }", "round 0 has already begun"),
        ("{ share = 2 }", "a share of 2"),
        ('{ enters = "lava" }', "no place or terrain named 'lava'"),
        ('{ enters = ["Z99"] }', "none of its places is on the board"),
        ('{ down = "goblin", count = 3 }', "3 of 2"),
    ],
)
def test_a_cue_that_can_never_come_true_is_a_doubt_that_keeps_nobody_from_playing(when, said):
    """Somebody who is taken out of an encounter while it is edited leaves a file that can be read."""
    encounter = read_encounter(f'{FILE}[[cue]]\nwhen = {when}\nthen = {{ say = "x" }}\n', "mill.toml")
    (doubt,) = encounter.warnings
    assert doubt.startswith("line 18: ")
    assert said in doubt
    assert len(start_fight(encounter, id="mill", seed="1").state.cues) == 1
