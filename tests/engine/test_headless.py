"""The headless protocol: every question and every way to get it wrong, a line at a time."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine import Fight
from fightcall_engine.archive.journal import read_journal
from fightcall_engine.headless import Session, answer_lines
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.commands import Join
from fightcall_engine.model.json_data import to_json
from protocol_schema import check_reply

BOARD = {"kind": "hex", "cols": 20, "rows": 15}
ASKS = (
    "state", "options", "rulings", "explain", "preview", "prompts", "cues", "history", "events", "marks", "branches",
    "branch", "compare", "forecast", "suggest", "amend", "view", "rules", "contacts", "settings", "schema", "help",
)  # fmt: skip
MORE = {
    "explain": {"what": "beats"},
    "forecast": {"fights": 2},
    "preview": {"do": "talk"},
    "amend": {"edits": [{"entry": 2, "change": {"name": "Og"}}]},
}
"""What some questions need besides."""


class Talk:
    """A session spoken to in Python values, by way of its text."""

    def __init__(self):
        self.session = Session()

    def __call__(self, **request):
        reply = json.loads(json.dumps(self.session.answer_line(json.dumps(request)), allow_nan=False))
        check_reply(self.session.fight.system.id if self.session.fight else "stage", reply)
        return reply

    def done(self, **request):
        reply = self(**request)
        assert reply["ok"], reply
        return reply

    def ask(self, what, /, **rest):
        reply = self.done(ask=what, **rest)
        assert set(reply) == {"ok", "n", what}
        return reply[what]


@pytest.fixture
def talk():
    talk = Talk()
    yield talk
    if talk.session.fight is not None:
        talk.session.fight.close()


@pytest.fixture
def fighting(talk):
    talk.done(do="open", system="stage", seed="7", board=BOARD)
    talk.done(do="add", id="ash", name="Ash", side="party", sheet={"agility": 13, "hp": 9}, at=[3, 4])
    talk.done(do="add", id="orc", name="Orc", side="foe", sheet={"hp": 5}, at="H5")
    talk.done(do="start")
    return talk


def test_the_conversation_of_the_design(fighting):
    fighting.done(do="next_half", until="missile")
    reply = fighting.done(do="strike", who="ash", target="orc", kind="missile", needs=12, rolls={"attack": [11]})
    assert reply["n"] == 5
    assert [one["type"] for one in reply["events"]] == ["StrikeDeclared", "DiceRolled", "StrikeResolved", "RulingAsked"]
    assert [(one["id"], one["kind"]) for one in reply["prompts"]] == [("p1", "damage")]
    harmed = next(one for one in fighting.done(do="answer", amount=3)["events"] if one["type"] == "DamageApplied")
    assert (harmed["amount"], harmed["left"]) == (3, 2)
    fighting.done(do="nexthalf", until="move")
    refused = fighting(do="move", who="ash", path=[[9, 9]])
    assert refused["refused"]["rule"] == "path"
    assert refused["refused"]["accepts"]
    moved = fighting.done(do="move", who="ash", path=[[3, 5], [2, 6]])["events"]
    assert [one["amount"] for one in moved if one["type"] == "BeatsSpent"] == [2]
    assert fighting.ask("explain", who="ash", what="beats")["total"] == "12/14"


def test_a_state_has_what_every_system_has(fighting):
    state = fighting.ask("state")
    for key in ("round", "phase", "pulse", "step", "side", "clock_s", "order", "prompts", "combatants"):
        assert key in state
    assert (state["round"], state["phase"], state["side"], state["step"]) == (1, "meeting", "party", "meeting.party")
    ash = state["combatants"]["ash"]
    assert ash["pools"] == {"beats": {"now": 14, "max": 14}, "hp": {"now": 9, "max": 9}}
    assert (ash["at"], ash["facing"], ash["effects"]) == ([3, 4], None, [])
    assert ash["flags"] == ["plain_view"]
    fighting.done(do="adjust", who="ash", what="able", value=False)
    fighting.done(do="rule", what="hidden", who="orc", value=True)
    state = fighting.ask("state")["combatants"]
    assert "down" in state["ash"]["flags"]
    assert "hidden" in state["orc"]["flags"]


@pytest.mark.parametrize("what", ASKS)
def test_everything_may_be_asked_and_asking_changes_nothing(fighting, what):
    fighting.done(do="talk", who="ash")
    before = fighting.session.fight.state
    told = fighting.ask(what, who="ash", **MORE.get(what, {}))
    assert told or what in ("cues", "marks", "branches", "compare")
    assert fighting.session.fight.state is before


def test_nothing_else_may_be_asked(fighting):
    assert sorted(fighting(ask="weather")["refused"]["accepts"]) == sorted(ASKS)
    assert fighting(ask="options", who="zed")["refused"]["accepts"] == ["ash", "orc"]
    assert "beats" in fighting(ask="explain", who="ash", what="luck")["refused"]["accepts"]


@pytest.mark.parametrize(
    "line",
    [{"ask": "preview", "command": {"type": "strike"}}, {"ask": "preview"}, {"do": {"type": "strike"}}, {"do": ""}],
)
def test_a_line_without_the_name_of_a_command_is_shown_how_one_is_given(fighting, line):
    assert 'expected "do" with a command\'s name' in fighting(**line)["error"]["problems"][0]


def test_a_preview_says_what_a_line_would_meet_and_does_nothing(fighting):
    line = {"do": "strike", "who": "ash", "target": "orc", "needs": 12}
    before = fighting.session.fight.state
    refused = fighting(**line)["refused"]
    preview = fighting.ask("preview", **line)
    assert (preview["actor_id"], preview["target_id"], preview["can_run"]) == ("ash", "orc", False)
    assert refused["rule"] in [row["rule"] for row in preview["rows"] if row["status"] == "broken"]
    assert fighting.ask("preview", **line, force=True)["can_run"]
    assert fighting(ask="preview", do="dance")["refused"]["rule"] == "command"
    assert fighting.session.fight.state is before


def test_a_bookmark_is_a_place_to_jump_to(fighting):
    """Put right 22: by its name, in any case, the newest of several."""
    for amount in (1, 2):
        fighting.done(do="mark", name="Before the blow")
        fighting.done(do="damage", who="orc", amount=amount)
    newest = fighting.ask("marks")[-1]["on"]
    assert fighting.done(do="jump", to="before the blow")["n"] == newest
    assert fighting(do="jump", to="after it")["refused"]["accepts"] == ["Before the blow"]
    assert fighting.session.fight.head_number == newest


def test_answers_are_those_of_the_engine(fighting):
    fighting.done(do="mark", name="here")
    fighting.done(do="damage", who="orc", amount=1)
    fighting.done(do="undo")
    fight = fighting.session.fight
    assert [one["action"] for one in fighting.ask("options", who="ash")] == [one.action for one in fight.options("ash")]
    assert fighting.ask("rulings", who="ash") == to_json(fight.system.rulings(fight.state, "ash"))
    assert fighting.ask("marks") == [{"name": "here", "on": 3}]
    (branch,) = fighting.ask("branches")
    assert (branch["parted"], branch["tip"], branch["length"]) == (3, 5, 1)
    assert [one["command"]["type"] for one in fighting.ask("history")] == ["Join", "Join", "Start"]
    assert [one["stamp"]["seq"] for one in fighting.ask("events")] == list(range(1, len(fight.line) + 1))
    assert fighting.ask("contacts") == {"ash": [], "orc": []}
    assert fighting.ask("contacts", who="ash") == {"ash": []}
    assert fighting.ask("rules")["SB-46"] == fight.system.rules()["SB-46"]
    assert set(fighting.ask("rules", phase="move")) == set(fight.system.phase_rules("move"))
    assert [one["key"] for one in fighting.ask("settings")] == [one.key for one in fight.system.settings]


def test_events_carry_the_time_they_happened_at(fighting):
    told = fighting.ask("events")
    began = next(one for one in told if one["type"] == "HalfBegan")
    assert began["stamp"] == {"seq": 10, "round": 1, "phase": "meeting", "side": "party", "clock_s": 0}
    assert told[0]["stamp"]["round"] == 0
    again = fighting.done(do="advance")["events"]
    assert again[0]["stamp"]["seq"] == len(told) + 1
    assert fighting.ask("events") == [*told, *again]


def test_any_moment_may_be_asked_about(fighting):
    length = len(fighting.session.fight.line)
    assert fighting.ask("state", at=0)["combatants"] == {}
    assert fighting.ask("state", at=length) == fighting.ask("state")
    assert fighting.ask("view", at=1)["order"] == ["ash"]
    assert fighting(ask="state", at=length + 1)["refused"]["accepts"] == [f"0 to {length}"]
    for bad in ("2", 1.5, True, None):
        assert "whole number" in fighting(ask="state", at=bad)["error"]["problems"][0]


def test_back_and_forth(fighting):
    fighting.done(do="damage", who="orc", amount=1)
    fighting.done(do="damage", who="orc", amount=2)
    undone = fighting.done(do="undo", steps=2)
    assert (undone["n"], undone["events"]) == (3, [])
    redone = fighting.done(do="redo")
    assert [one["type"] for one in redone["events"]] == ["DamageApplied"]
    assert redone["n"] == 4
    assert fighting.done(do="jump", to=5)["n"] == 5
    assert fighting(do="jump", to=99)["refused"]["rule"] == "entry"
    assert fighting(do="redo")["refused"]["rule"] == "redo"
    fighting.done(do="jump", to=0)
    assert [fighting.done(do="present")["n"] for _ in range(2)] == [5, 5]
    assert fighting(do="undo", steps=99)["refused"]["rule"] == "undo"
    assert fighting(do="undo", steps="all")["error"]["where"] == "request"


def test_what_is_expected_guards_against_an_old_picture(fighting):
    assert fighting.done(do="note", text="x", expect=3)["n"] == 4
    stale = fighting(do="note", text="y", expect=3)
    assert (stale["refused"]["rule"], stale["refused"]["accepts"]) == ("expect", ["4"])
    assert fighting(do="undo", expect=3)["refused"]["rule"] == "expect"
    assert fighting.ask("history")[-1]["n"] == 4


def test_a_ruling_overrides_and_is_recorded(fighting):
    assert fighting(do="move", who="orc", path=["I5"])["refused"]["rule"].startswith("SB-")
    forced = fighting.done(do="move", who="orc", path=["I5"], force=True)
    assert forced["events"][0]["type"] == "Overridden"


def test_the_table_is_told_which_dice_it_owes(talk):
    talk.done(do="open", settings={"dice": "table"})
    talk.done(do="join", name="Ash", sheet={"hp": 5})
    reply = talk(do="damage", who="ash", amount="2d6")
    assert reply == {"ok": False, "needs": [{"purpose": "damage", "dice": "2d6", "who": "ash"}]}
    assert talk.done(do="damage", who="ash", amount="2d6", rolls={"damage": [1, 1]})["n"] == 2


@pytest.mark.parametrize("mark", [7, "req-7", None, [1], {"a": 1}])
def test_the_mark_of_a_request_comes_back(fighting, mark):
    for request in (
        {"ask": "state"},
        {"do": "advance"},
        {"do": "undo"},
        {"do": "strike"},
        {"do": "dance"},
        {"ask": "weather"},
        {},
    ):
        assert fighting(**request, id=mark)["id"] == mark
    assert "id" not in fighting(ask="state")


def test_the_id_of_a_join_is_the_combatants(fighting):
    reply = fighting.done(do="join", id="bo", name="Bo")
    assert "id" not in reply
    assert reply["events"][0]["who"] == "bo"


# Opening


def test_a_system_with_scenes_opens_them_in_the_fight_that_is_open(talk):
    """``open_scene`` opens a fight only where the open one has no Scenes of its own."""
    talk.done(do="OpenScene", system="turns", name="The inn")
    talk.done(do="add", name="Lea", id="lea", side="party")
    brought = talk.done(do="open_scene", name="A brawl", mode="initiative")["events"]
    assert "SceneBegan" in [one["type"] for one in brought]
    state = talk.ask("state")
    assert (state["name"], state["scene"]["name"]) == ("The inn", "A brawl")
    assert list(state["combatants"]) == ["lea"]


def test_a_system_may_say_more_of_an_effect(talk):
    talk.done(do="open", system="turns")
    talk.done(do="add", name="Lea", id="lea", side="party", sheet={"hp": 9, "mana": 3})
    talk.done(do="affect", who="lea", name="ward", polarity="positive", amount=2, upkeep=1, rounds=3)
    (ward,) = talk.ask("state")["combatants"]["lea"]["effects"]
    assert (ward["name"], ward["left"], ward["magnitude"]) == ("ward", 3, 2)
    assert (ward["polarity"], ward["change"]) == ("positive", {"pool": "hp", "amount": 2})
    assert (ward["upkeep"], ward["payer"], ward["anchor"]) == ({"resource": "mana", "amount": 1}, "lea", "lea")


def test_without_a_fight_it_says_how_to_open_one(talk):
    for request in ({"do": "advance"}, {"ask": "state"}, {"do": "undo"}):
        reply = talk(**request)
        assert reply["refused"]["rule"] == "open"
        assert talk.done(**json.loads(reply["refused"]["accepts"][0]))["n"] == 0
        talk.session.fight = None


def test_a_board_settings_and_a_seed(talk):
    talk.done(do="open", system="stage", name="Bridge", seed=7, settings={"hex_ft": 10}, board=BOARD, id=4)
    fight = talk.session.fight
    assert (fight.state.name, fight.state.seed, fight.state.settings["hex_ft"]) == ("Bridge", "7", 10)
    assert fight.state.board.to_json()["cols"] == 20


def test_an_encounter_and_a_journal(talk, tmp_path):
    shipped = sorted(find_system("stage").encounters().glob("*.toml"))[0]
    path = tmp_path / "one.jsonl"
    talk.done(do="open", encounter=str(shipped), seed="7", journal=str(path))
    assert talk.ask("state")["combatants"]
    talk.done(do="start")
    assert len(read_journal(path).records) == 1
    other = tmp_path / "two.jsonl"
    talk.done(do="open", journal=str(other))
    talk.done(do="open", resume=str(path))
    assert talk.ask("state")["round"] == 1
    talk.done(do="advance")
    assert len(read_journal(path).records) == 2
    talk.done(do="open", resume=str(path))
    assert len(talk.ask("history")) == 2


def test_a_fight_that_another_program_plays_can_be_looked_at(talk, tmp_path):
    """What players may see of it follows what is played; it takes no command."""
    path = tmp_path / "one.jsonl"
    screen = Fight.new("stage", joins=[Join(name="Ash"), Join(name="Spy", hidden=True)], path=path)
    assert not talk(do="open", resume=str(path))["ok"]
    assert talk.done(do="open", watch=str(path))["n"] == 0
    assert talk.ask("view")["round"] == 0
    screen.give("start")
    view = talk.ask("view")
    assert view["round"] == 1
    assert [combatant["id"] for combatant in view["combatants"]] == ["ash"]
    for command in ({"do": "advance"}, {"do": "undo"}, {"do": "mark", "name": "here"}):
        assert talk(**command)["refused"]["rule"] == "watching"
    screen.undo()
    assert talk.ask("view")["round"] == 0
    screen.give("advance")
    screen.close()
    assert talk.ask("state")["round"] == 1
    assert not talk(do="open", watch=str(tmp_path / "none.jsonl"))["ok"]
    assert talk.ask("state")["round"] == 1


BAD_OPENINGS = [
    ({"system": "chess"}, "unknown system"),
    ({"settings": {"weather": 1}}, "weather"),
    ({"settings": [1]}, "expected an object"),
    ({"board": {"kind": "round"}}, "board"),
    ({"board": {"kind": "hex", "cols": 0, "rows": 3}}, "cols"),
    ({"colour": "red"}, "colour: unknown"),
    ({"encounter": "/nowhere/at-all.toml"}, "at-all"),
    ({"resume": "/nowhere/at-all.jsonl"}, "at-all"),
]


@pytest.mark.parametrize(
    ("opening", "told"), BAD_OPENINGS, ids=lambda value: json.dumps(value) if type(value) is dict else ""
)
def test_an_opening_that_fails_leaves_the_open_fight_open(talk, tmp_path, opening, told):
    path = tmp_path / "one.jsonl"
    talk.done(do="open", journal=str(path))
    reply = talk(do="open", **opening)
    assert not reply["ok"]
    assert told in json.dumps(reply)
    talk.done(do="join", name="Ash")
    assert len(read_journal(path).records) == 1


def test_a_journal_is_not_written_over(talk, tmp_path):
    path = tmp_path / "one.jsonl"
    talk.done(do="open", journal=str(path))
    assert str(path)[:40] in talk(do="open", journal=str(path))["error"]["problems"][0]
    talk.done(do="join", name="Ash")


def test_a_damaged_journal_is_refused_with_its_line(talk, tmp_path):
    path = tmp_path / "one.jsonl"
    talk.done(do="open", journal=str(path))
    talk.done(do="join", name="Ash")
    talk.done(do="join", name="Bo")
    talk.session.fight.close()
    path.write_bytes(path.read_bytes().replace(b"Ash", b"Asp"))
    assert "line 2" in talk(do="open", resume=str(path))["error"]["problems"][0]


# What is no request


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"ask":"state","at":NaN}', "NaN"),
        ('{"do":"adjust","what":"clock_s","value":-Infinity}', "-Infinity isn't a number"),
        ("[]", "expected an object"),
        ("7", "expected an object"),
        ("{}", '\\"do\\" or \\"ask\\"'),
        ('{"do":"adjust","what":"clock_s","value":1e999}', "out of range"),
        ('{"do":"note","text":7}', "text"),
        ('{"do":7}', "with a command's name"),
        ('{"ask":{"a":1}}', "unknown question"),
    ],
)
def test_what_is_no_request_is_told_what_would_be(fighting, line, told):
    reply = fighting.session.answer_line(line)
    assert not reply["ok"]
    assert told in json.dumps(reply)


@pytest.mark.parametrize(
    "line",
    [
        '{"do":"open","journal":"a\\u0000b"}',
        '{"do":"open","resume":"a\\u0000b"}',
        '{"do":"join","name":"x","sheet":' + '{"a":' * 700 + "1" + "}" * 700 + "}",
        '{"id":' + "[" * 990 + "]" * 990 + ',"ask":"marks"}',
    ],
    ids=lambda line: line[:30],
)
def test_a_mistake_of_the_program_fails_one_request_and_changes_nothing(line):
    asked = '{"ask":"state"}'
    _, before, answer, after = answer_lines(['{"do":"open"}', asked, line, asked])
    assert "error" in answer or '"ok":true' in answer
    assert after == before


@pytest.mark.parametrize("error", [KeyError("gone"), RecursionError("deep"), MemoryError(), AssertionError("x" * 9999)])
def test_what_nobody_foresaw_is_told_in_short(fighting, monkeypatch, error):
    def failing(*_args, **_more):
        raise error

    before = fighting.ask("state")
    with monkeypatch.context() as broken:
        broken.setattr("fightcall_engine.play.fight.decide", failing)
        told = fighting(do="advance")["error"]
    assert (told["where"], type(error).__name__ in told["problems"][0]) == ("program", True)
    assert len(told["problems"][0]) < 300
    assert fighting.ask("state") == before
    fighting.done(do="advance")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
WORDS = st.sampled_from(
    ("do", "ask", "id", "who", "at", "to", "path", "steps", "expect", "force", "value", "what", "rolls")
)
NAMES = st.sampled_from((*ASKS, "join", "move", "undo", "redo", "jump", "mark", "rule", "answer", "adjust", "strike"))


@given(st.lists(st.dictionaries(WORDS, JSON | NAMES | st.sampled_from(("ash", "orc")), max_size=5), max_size=6))
def test_whatever_is_said_there_is_one_answer_in_json(requests):
    lines = ['{"do":"open"}', '{"do":"join","name":"Ash","id":"ash"}', *(json.dumps(one) for one in requests)]
    answers = [json.loads(answer) for answer in answer_lines(lines)]
    assert len(answers) == len(lines)
    for reply in answers:
        assert reply["ok"] is True or {"refused", "needs", "error"} & set(reply)


def test_a_run_skips_blank_lines_and_remarks_and_lets_go_of_the_journal(tmp_path):
    path = tmp_path / "one.jsonl"
    lines = [
        "",
        "  \n",
        "# a remark",
        json.dumps({"do": "open", "journal": str(path)}),
        ' {"do":"join","name":"Zoë"}\n',
    ]
    answers = list(answer_lines(lines))
    assert [json.loads(answer)["ok"] for answer in answers] == [True, True]
    assert all("\n" not in answer for answer in answers)
    again = Fight.open(path)
    assert again.state.combatants["zoe"].name == "Zoë"
    again.close()


@pytest.mark.parametrize("system", ["stage", "slots", "turns", "segments"])
def test_the_settings_of_every_system_can_be_asked_for(system):
    lines = [f'{{"do":"open","system":"{system}","seed":"1"}}', '{"ask":"settings"}']
    opened, asked = (json.loads(one) for one in answer_lines(lines))
    assert opened["ok"]
    assert asked["ok"]
    assert [one["key"] for one in asked["settings"]] == [one.key for one in find_system(system).settings]


def test_what_is_said_beside_an_encounter_counts_or_is_refused(talk):
    talk.done(do="open", encounter="first-segment", name="Dawn", settings={"dice": "table"}, system="segments")
    state = talk.session.fight.state
    assert (state.name, state.settings["dice"]) == ("Dawn", "table")
    for key, value in (("system", "stage"), ("board", BOARD)):
        assert f"{key}: the encounter has its own" in str(talk(do="open", encounter="first-segment", **{key: value}))
    assert talk.session.fight.state.name == "Dawn", "nothing has changed"


def test_harm_to_a_pool_that_nobody_has_is_refused_like_healing(fighting):
    for what in ("damage", "heal"):
        refused = fighting(do=what, who="ash", amount=1, pool="arm")["refused"]
        assert (refused["rule"], refused["accepts"]) == ("pool", ["beats", "hp"])


def test_healing_nothing_is_refused(fighting):
    """SB-37; put right 13: 0 as a number or as text; dice that come to 0 are the table's luck."""
    for amount in (0, "0"):
        assert fighting(do="heal", who="ash", amount=amount)["refused"]["rule"] == "amount"
    fighting.done(do="heal", who="ash", amount="d4-4", rolls={"heal": [2]})


def test_a_forecast_is_asked_for_and_changes_nothing(fighting):
    """Foes, section 2: how often each side wins from here; the same request gives the same numbers."""
    before = fighting.ask("state")
    told = fighting.ask("forecast", fights=6, rounds=2, seed="3")
    assert told == fighting.ask("forecast", fights=6, rounds=2, seed=3)
    assert told["fights"] == 6
    assert sum(side["wins"] for side in told["sides"]) + sum(told["undecided"].values()) == 6
    assert all(0 <= side["percent"] <= 100 and side["error"] > 0 for side in told["sides"])
    assert told["faults"] == {}
    assert fighting.ask("state") == before
    assert fighting(ask="forecast", fights=0)["refused"]["accepts"] == ["1 to 1000 of each"]


def test_a_suggestion_can_be_given_as_it_is(fighting):
    """Foes, section 1: each who can act is named; who has nothing obvious to do gets null."""
    before = fighting.ask("state")
    ideas = fighting.ask("suggest")
    assert fighting.ask("state") == before
    for who, idea in ideas.items():
        assert idea == fighting.ask("suggest", who=who)
    idea = next(idea for idea in ideas.values() if idea)
    command = dict(idea["command"])
    fighting.done(do=command.pop("type"), **{key: value for key, value in command.items() if value is not None})
    assert fighting(ask="suggest", who="nobody")["refused"]
