"""Changing the rules of a running fight: from now on, or from the beginning as a second thought."""

import json

import pytest

from fightcall_engine.archive.chronicle import chronicle, to_markdown
from fightcall_engine.files import read_games_again, use_games
from fightcall_engine.headless import Session
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.commands import ChangeRules
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Pool
from fightcall_engine.play.amendments import Edit
from fightcall_engine.play.chart import Reel
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.lanes import Lanes
from fightcall_engine.play.story import player_view, public_events
from game_texts import BRAWL, BROKEN, HARD, write_game


@pytest.fixture(autouse=True)
def games(tmp_path):
    folder = tmp_path / "systems"
    write_game(folder, BRAWL)
    use_games(folder)
    assert find_system("brawl").title == "Brawl"
    yield folder
    use_games(None)


def begin(path=None, sheet=None):
    fight = Fight.new("brawl", seed="7", path=path)
    fight.give("join", name="Ash", side="party", sheet={"speed": 4})
    fight.give("join", name="Orc", side="foe", sheet={"hp": 9, **(sheet or {})})
    fight.give("start")
    return fight


def hp(fight, who="orc"):
    return fight.state.combatants[who].pools["hp"]


def as_json(fight):
    return json.dumps([to_json(fight.line.seek(at)) for at in range(len(fight.line) + 1)])


def test_play_goes_on_under_the_new_rules_and_back_under_the_old_ones_by_undo():
    fight = begin()
    fight.give("hit", who="ash", target="orc")
    assert hp(fight).now == 7
    fight.give("changerules", text=HARD)
    assert fight.system.title == "Hard Brawl"
    assert hp(fight).now == 7, "harm stays"
    fight.give("hit", who="orc", target="ash")
    assert hp(fight, "ash").now == 1
    fight.undo(2)
    assert fight.system.title == "Brawl"
    fight.redo()
    assert fight.system.title == "Hard Brawl"


def test_reopening_and_watching_give_the_same_states_and_the_same_rules(tmp_path, games):
    path = tmp_path / "fight.jsonl"
    fight = begin(path)
    watcher = Fight.watch(path)
    fight.give("hit", who="ash", target="orc")
    fight.fork("what if")
    fight.give("changerules", text=HARD)
    fight.give("hit", who="orc", target="ash")
    fight.take()
    fight.close()
    (games / "brawl.toml").unlink()
    watcher.poll()
    again = Fight.open(path)
    assert as_json(again) == as_json(fight) == as_json(watcher)
    assert again.state == fight.state
    assert watcher.system.title == "Hard Brawl"
    again.give("advance")
    assert again.system.title == "Hard Brawl"
    again.close()


@pytest.mark.parametrize(
    ("text", "error", "problem"),
    [
        (BROKEN, BadInput, "TOML"),
        (BRAWL.replace('id = "brawl"', 'id = "other"'), Refused, "these are the rules of Brawl"),
        (BRAWL, Refused, "has these rules already"),
        ("x" * 300_000, BadInput, "at most"),
        ("\x00", BadInput, "TOML"),
        ("", BadInput, "title"),
    ],
)
def test_a_wrong_text_is_refused_and_nothing_changes(text, error, problem):
    fight = begin()
    before, count = fight.state, fight.line.entry_count()
    with pytest.raises(error, match=problem):
        fight.give("changerules", text=text)
    assert fight.state == before
    assert fight.line.entry_count() == count


def test_a_system_in_python_has_no_rules_to_change():
    fight = Fight.new("stage")
    with pytest.raises(Refused, match="aren't in a file"):
        fight.give("changerules", text=BRAWL)


WITH_LUCK = BRAWL.replace("hp = 5", "hp = 5\nluck = 3").replace("health = true }", "health = true }\nluck = {}")
"""The brawl with a pool more."""


def test_a_pool_that_is_new_is_full_and_one_that_is_gone_is_dropped_with_a_message():
    fight = begin()
    fight.give("hit", who="ash", target="orc")
    fight.give("changerules", text=WITH_LUCK)
    assert fight.state.combatants["ash"].pools["luck"] == Pool(3, 3)
    assert hp(fight).now == 7
    entry = fight.give("changerules", text=HARD)
    assert set(fight.state.combatants["ash"].pools) == {"hp", "action"}
    assert "luck" not in fight.state.combatants["ash"].sheet
    assert "dropped: luck" in " ".join(getattr(event, "text", "") for event in entry.events)


def test_what_a_sheet_has_by_default_is_as_the_new_rules_have_it():
    fight = begin()
    fight.give("join", name="Cub", side="foe")
    fight.give("changerules", text=BRAWL.replace("hp = 5\nspeed = 2", "hp = 6\nspeed = 1\nwits = 3"))
    sheets = {key: combatant.sheet for key, combatant in fight.state.combatants.items()}
    assert [sheets["cub"][name] for name in ("hp", "speed", "wits")] == [6, 1, 3]
    assert [sheets["orc"][name] for name in ("hp", "speed", "wits")] == [9, 1, 3]
    assert sheets["ash"]["speed"] == 4
    assert (hp(fight, "cub").now, hp(fight, "cub").max) == (6, 6)


def test_those_who_have_left_come_back_under_the_new_rules():
    fight = begin()
    fight.give("leave", who="orc")
    fight.give("changerules", text=WITH_LUCK)
    fight.give("join", id="orc", name="Orc", side="foe")
    assert fight.state.combatants["orc"].pools["luck"].now == 3


def test_another_start_of_a_pool_keeps_the_harm():
    fight = begin()
    fight.give("join", name="Cub", side="foe")
    fight.give("hit", who="ash", target="cub")
    assert hp(fight, "cub").now == 3
    fight.give("changerules", text=BRAWL.replace("{ health = true }", '{ health = true, from = "hp + 2" }'))
    assert (hp(fight, "cub").now, hp(fight, "cub").max) == (5, 7)


def test_cues_that_propose_what_the_rules_no_longer_know_are_dropped():
    fight = begin()
    propose = {"propose": {"do": "hit", "who": "ash", "target": "orc"}}
    fight.give("setcue", id="strike", when={"round": 3}, then=propose)
    fight.give("setcue", id="end", when={"round": 3}, then={"say": "The watch comes"})
    fight.give("changerules", text=BRAWL.replace('name = "hit"', 'name = "kick"'))
    assert [cue.id for cue in fight.state.cues] == ["end"]
    fight.give("advance")


def test_an_open_question_of_a_cue_whose_act_is_gone_is_closed():
    fight = begin()
    propose = {"propose": {"do": "hit", "who": "ash", "target": "orc"}}
    fight.give("setcue", when={"at_most": 8, "who": "orc"}, then=propose)
    fight.give("damage", who="orc", amount=1)
    assert fight.state.prompts
    fight.give("changerules", text=BRAWL.replace('name = "hit"', 'name = "kick"'))
    assert not fight.state.prompts
    fight.give("advance")


def test_as_a_second_thought_it_shows_first_what_comes_out_differently():
    fight = begin()
    fight.give("hit", who="ash", target="orc")
    first = fight.line.entry(0).number
    amendment = fight.amend([Edit(first, before=(ChangeRules(text=HARD),))])
    assert [each.fate for each in amendment.replayed] == ["added", "same", "same", "same", "differs"]
    assert [(each.name, each.what, each.then, each.now) for each in amendment.differences] == [
        ("Orc", "hp", "7/9", "5/9")
    ]
    assert fight.system.title == "Brawl"
    fight.adopt(amendment)
    assert fight.system.title == "Hard Brawl"
    assert hp(fight).now == 5
    (old,) = [branch for branch in fight.branches() if branch.name]
    assert fight.state_of(old).rules_text == BRAWL


def test_a_second_thought_lists_the_acts_that_the_new_rules_refuse():
    fight = begin()
    fight.give("hit", who="ash", target="orc")
    kick = BRAWL.replace('name = "hit"', 'name = "kick"')
    amendment = fight.amend([Edit(fight.line.entry(0).number, before=(ChangeRules(text=kick),))])
    assert [each.entry for each in amendment.refused] == [fight.head_number]
    assert amendment.now.combatants["orc"].pools["hp"].now == 9


def test_players_are_told_nothing_of_it():
    fight = begin()
    before, view = fight.state, json.dumps(player_view(fight.state, fight.system))
    entry = fight.give("changerules", text=HARD)
    assert public_events(entry.events, before) == ()
    assert json.dumps(player_view(fight.state, fight.system)) == view


def test_a_script_reads_the_file_again_or_another_one(games, tmp_path):
    session = Session()
    session.answer({"do": "open", "system": "brawl"})
    write_game(games, HARD)
    assert session.answer({"do": "changerules"})["ok"]
    assert session.fight.system.title == "Hard Brawl"
    other = write_game(tmp_path, BRAWL.replace('"Brawl"', '"Third"'), "third")
    assert session.answer({"do": "changerules", "text": str(other)})["ok"]
    assert session.fight.system.title == "Third"
    write_game(games, BROKEN)
    assert "TOML" in json.dumps(session.answer({"do": "changerules"}))
    assert session.fight.system.title == "Third"


STRIKES_ON = (
    BRAWL.replace("action = 1\n\n", "action = 1\nreaction = 1\n\n")
    + """
[[trigger]]
when = "is harmed"
to = "enemy"
asks = "hit"
cost = { reaction = 1 }
"""
)
"""The brawl in which one is asked to strike once more at an enemy who is harmed."""


@pytest.fixture
def asked(games, tmp_path):
    """A saved fight with an open question of its rules."""
    write_game(games, STRIKES_ON)
    read_games_again()
    fight = begin(tmp_path / "fight.jsonl")
    fight.give("hit", who="ash", target="orc")
    assert [prompt.who for prompt in fight.state.prompts] == ["ash"]
    yield fight
    fight.close()


def test_an_open_question_of_the_old_rules_is_closed_with_a_message(asked):
    entry = asked.give("changerules", text=BRAWL)
    assert not asked.state.prompts
    assert "give the act again" in json.dumps(to_json(entry.events))
    asked.give("advance")
    asked.undo(2)
    asked.give("answer", choice="yes")
    assert hp(asked).now == 5


def test_an_open_question_is_answered_after_the_file_has_changed_and_the_program_ended(asked, games):
    asked.close()
    write_game(games, HARD)
    read_games_again()
    again = Fight.open(asked.path)
    again.give("answer", choice="yes")
    assert hp(again).now == 5
    again.close()


def test_every_moment_is_told_under_the_rules_of_its_time():
    fight = begin()
    fight.give("changerules", text=WITH_LUCK)
    fight.give("hit", who="ash", target="orc")
    fight.give("changerules", text=HARD)
    fight.give("hit", who="orc", target="ash")
    figures = [shot.frame.figures for shot in Reel(fight, for_gm=True).shots]
    pools = [set(each[0].pools) for each in figures if each]
    assert pools[0] == pools[-1] == {"hp", "action"}
    assert {"hp", "action", "luck"} in pools
    assert Reel(fight).shots[-1].frame.figures
    told = to_markdown(chronicle(fight))
    assert "Hard Brawl" in told
    assert "dropped: luck" in told
    for for_gm in (True, False):
        assert Lanes(fight, for_gm=for_gm).chart().lanes
