"""Exporting replays and pictures, and what ``show`` refuses."""

import json

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.kinds import SquareBoard
from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.fight import Fight

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def ford(home):
    """A fight on a board, in its first Moment."""
    home.fights.mkdir(parents=True)
    path = home.fights / "ford.jsonl"
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="ford", seed="1", path=path)
    fight.give("start")
    fight.give("join", name="Nightshade", side="foe", sheet={"hp": 5}, hidden=True, at="F7")
    fight.give("note", text="the bridge is mined")
    fight.mark("the trap")
    fight.close()
    return path


@pytest.mark.parametrize("form", ["replay", "svg", "md", "html", "json"])
def test_players_get_a_copy_without_secrets_unless_the_gm_asks(call, ford, form):
    players = call("export", "ford", "--to", form)
    assert (players.code, players.err) == (0, "")
    assert not [word for word in ("Nightshade", "mined", "the trap") if word in players.out]
    gm = call("export", "ford", "--to", form, "--gm")
    assert len(gm.out) > len(players.out)


def test_a_picture_of_a_moment(call, ford, tmp_path):
    now, before = (call("export", "ford", "--to", "svg", *at).out for at in ((), ("--at", "r0")))
    assert now.startswith("<svg ")
    assert "Moment 1" in now
    assert "Moment 1" not in before
    target = tmp_path / "ford.png"
    assert call("export", "ford", "--to", "png", "-o", str(target), "--at", "r1-meeting") == (0, "", "")
    assert target.read_bytes().startswith(PNG)


def test_a_moment_of_the_players_has_their_number_whatever_is_done_in_secret(call, home):
    """Put right 3: `--at` takes the numbers of `--to json`, which have no gaps where something is secret."""
    pictures = []
    home.fights.mkdir(parents=True)
    for name, secrets in (("bare", 0), ("full", 3)):
        path = home.fights / f"{name}.jsonl"
        fight = Fight.new("stage", name="Ford", board=SquareBoard(6, 6), seed="1", path=path)
        fight.give("join", name="Brand", at="A1")
        fight.give("join", name="Orc", side="foe", at="F6")
        for _ in range(secrets):
            fight.give("note", text="the bridge is mined")
        fight.give("start")
        for at in ("B2", "C3"):
            fight.give("place", who="brand", at=at)
        fight.close()
        told = [
            line for part in json.loads(call("export", name, "--to", "json").out)["rounds"]
            for phase in part["phases"] for line in phase["lines"]
        ]  # fmt: skip
        entry = next(line["entry"] for line in told if "Brand" in line["text"])
        assert call("export", name, "--to", "svg", "--at", str(told[-1]["entry"] + 1)).code
        pictures.append((entry, call("export", name, "--to", "svg", "--at", str(entry)).out))
        assert pictures[-1][1] != call("export", name, "--to", "svg").out
    assert pictures[0] == pictures[1]


def test_a_picture_has_the_map_of_its_moment(call, ford):
    """At the table 3: another map, or none, later in the same fight."""
    before = call("export", "ford", "--to", "svg").out
    fight = Fight.open(ford)
    fight.give("change_map", board=to_json(SquareBoard(3, 3)), along=["brand"], places={"brand": "A1"})
    fight.give("change_map", along=["brand"])
    fight.close()
    assert call("export", "ford", "--to", "svg", "--at", "r1").out == before
    assert "no board" in call("export", "ford", "--to", "svg").err
    for form in ("json", "md", "html", "replay"):
        told = call("export", "ford", "--to", form)
        assert (told.code, told.err) == (0, "")
        assert "The fight moves to another map" in told.out, form


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--to", "svg", "--at", "r9"), "no moment 'r9'"),
        (("--to", "md", "--at", "r1"), "--at works only with a picture"),
    ],
)
def test_a_moment_that_is_not_there_is_refused(call, ford, words, said):
    code, out, err = call("export", "ford", *words)
    assert (code, out) == (1, "")
    assert said in err


def test_a_fight_without_a_board_has_no_picture(call, home):
    home.fight("plain")
    assert "no board" in call("export", "plain", "--to", "svg").err
    assert call("export", "plain", "--to", "replay").code == 0


def test_a_replay_never_takes_the_place_of_a_journal(call, ford):
    before = ford.read_bytes()
    assert call("export", "ford", "--to", "replay", "-o", str(ford)).code == 1
    assert ford.read_bytes() == before


def test_where_to_listen_is_for_browsers(call, ford):
    for options in (("--lan",), ("--port", "9000")):
        code, _, err = call("show", "ford", *options)
        assert code == 1
        assert "--web" in err


def test_what_is_missing_is_named_with_the_way_to_get_it(call, ford, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    code, _, err = call("show", "ford", "--web")
    assert code == 1
    assert "fightcall[web]" in err
