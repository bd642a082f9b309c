"""Games in files: where they are found, what is said of broken ones, and that a fight keeps the rules it began with."""

import json
import shutil

import pytest

from fightcall_engine.archive.encounters import load_encounter, shipped_encounters, start_fight
from fightcall_engine.archive.journal import keeps_rules, read_journal
from fightcall_engine.files import LARGEST_GAME, read_games_again, use_games
from fightcall_engine.headless import Session
from fightcall_engine.kit.plugins import find_system, game_files, is_installed, read_game_again, system_names, system_of
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.codec import state_from_json
from fightcall_engine.play.fight import Fight, playing_problem
from game_texts import BRAWL, BROKEN, HARD, PUB, write_game


@pytest.fixture
def games(tmp_path):
    """The user's folder of games, with `brawl` in it."""
    folder = tmp_path / "systems"
    write_game(folder, BRAWL)
    use_games(folder)
    assert find_system("brawl").title == "Brawl"
    yield folder
    use_games(None)


def begin(path=None):
    fight = Fight.new("brawl", seed="7", path=path)
    fight.give("join", name="Ash", side="party", sheet={"speed": 4})
    fight.give("join", name="Orc", side="foe", sheet={"hp": 7})
    fight.give("start")
    return fight


def harm_of_a_hit(fight):
    before = fight.state.combatants["orc"].pools["hp"].now
    fight.give("hit", who="ash", target="orc")
    return before - fight.state.combatants["orc"].pools["hp"].now


# Finding them


def test_a_game_is_found_by_the_name_of_its_file(games):
    assert "brawl" in system_names()
    assert is_installed("brawl")
    assert find_system("brawl").title == "Brawl"
    use_games(None)
    assert not is_installed("brawl")


def test_a_file_that_has_changed_is_read_again_when_the_program_asks(games):
    write_game(games, HARD)
    assert find_system("brawl").title == "Brawl"
    read_games_again()
    assert find_system("brawl").title == "Hard Brawl"


def test_one_game_is_read_again_only_if_it_has_no_mistakes(games):
    write_game(games, BROKEN)
    with pytest.raises(BadInput):
        read_game_again("brawl")
    assert find_system("brawl").title == "Brawl"
    write_game(games, HARD)
    read_game_again("brawl")
    assert find_system("brawl").title == "Hard Brawl"
    (games / "brawl.toml").unlink()
    with pytest.raises(BadInput, match="can't be read"):
        read_game_again("brawl")


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("bad", BROKEN.encode(), "TOML"),
        ("bad", b"\xff\xfe", "UTF-8"),
        ("bad", b" " * (LARGEST_GAME + 1), "larger"),
        ("bad", BRAWL.encode(), "line 1: id: 'brawl' isn't the name of the file"),
        ("stage", BRAWL.replace('"brawl"', '"stage"').encode(), "there is a system 'stage' already"),
    ],
)
def test_a_broken_game_says_what_is_wrong_and_disturbs_no_other(games, name, content, problem):
    path = games / f"{name}.toml"
    path.write_bytes(content)
    read_games_again()
    assert any(problem in each for each in game_files()[name].problems)
    assert problem.split()[0] in game_files()[name].summary
    assert find_system("brawl").title == "Brawl"
    assert find_system("stage").title == "Stage Moments"
    if name == "bad":
        assert name not in system_names()
        with pytest.raises(BadInput) as bad:
            find_system(name)
        assert bad.value.where == str(path)


def test_a_folder_in_place_of_a_file_is_a_broken_game(games):
    (games / "odd.toml").mkdir()
    read_games_again()
    assert game_files()["odd"].problems
    assert is_installed("brawl")


def test_an_own_file_goes_before_a_shipped_one_of_its_name_and_has_its_encounters(games):
    name = next(name for name, game in game_files().items() if not game.is_own)
    shipped = find_system(name)
    mine = game_files()[name].rules_text.replace(f'title = "{shipped.title}"', 'title = "House rules"')
    write_game(games, mine, name)
    read_games_again()
    assert find_system(name).title == "House rules"
    encounter = next(file for file in shipped_encounters() if file.system == name)
    assert start_fight(load_encounter(encounter.path), id="f").state.rules_text == mine


def test_an_encounter_of_a_broken_game_names_its_mistake(games, tmp_path):
    pub = tmp_path / "pub.toml"
    pub.write_text(PUB, encoding="utf-8")
    assert load_encounter(pub).system == "brawl"
    write_game(games, BROKEN)
    read_games_again()
    with pytest.raises(BadInput, match=r"line 2: system: brawl\.toml has mistakes: .*TOML"):
        load_encounter(pub)


def test_a_script_that_opens_a_fight_reads_the_game_as_it_is_then(games):
    session = Session()
    for text, harm in ((BRAWL, 2), (HARD, 4)):
        write_game(games, text)
        session.answer({"do": "open", "system": "brawl"})
        assert session.fight is not None
        session.answer({"do": "join", "name": "Ash", "side": "party", "sheet": {"speed": 4}})
        session.answer({"do": "join", "name": "Orc", "side": "foe"})
        session.answer({"do": "start"})
        assert harm_of_a_hit(session.fight) == harm


# A fight keeps its rules


def test_a_journal_keeps_the_text_once_in_its_header(games, tmp_path):
    path = tmp_path / "fight.jsonl"
    fight = begin(path)
    harm_of_a_hit(fight)
    fight.close()
    assert keeps_rules(path)
    assert read_journal(path).header["rules"] == BRAWL
    assert path.read_text().count("[turn]") == 1
    state = fight.state
    assert state_from_json(json.loads(json.dumps(to_json(state)))) == state


def test_a_system_in_python_keeps_no_text(tmp_path):
    path = tmp_path / "fight.jsonl"
    Fight.new("stage", path=path).close()
    assert not keeps_rules(path)
    assert "rules" not in read_journal(path).header
    assert not keeps_rules(tmp_path / "none.jsonl")


@pytest.mark.parametrize("after", [HARD, BROKEN, None])
def test_a_fight_reopens_and_goes_on_under_its_own_rules_whatever_has_become_of_the_file(games, tmp_path, after):
    path = tmp_path / "fight.jsonl"
    fight = begin(path)
    harm_of_a_hit(fight)
    fight.close()
    before = [json.dumps(to_json(fight.line.seek(position))) for position in range(len(fight.line) + 1)]
    if after is None:
        shutil.rmtree(games)
    else:
        write_game(games, after)
    read_games_again()
    assert playing_problem(read_journal(path)) == ""
    for again in (Fight.watch(path), Fight.open(path)):
        assert [json.dumps(to_json(again.line.seek(position))) for position in range(len(again.line) + 1)] == before
        assert again.system.title == "Brawl"
        if not again.is_watching:
            again.give("hit", who="orc", target="ash")
            assert again.state.combatants["ash"].pools["hp"].now == 3
        again.close()


def test_two_versions_of_a_file_are_played_side_by_side(games):
    soft = begin()
    write_game(games, HARD)
    read_games_again()
    hard = begin()
    assert (harm_of_a_hit(soft), harm_of_a_hit(hard)) == (2, 4)
    assert (system_of(soft.state).title, system_of(hard.state).title) == ("Brawl", "Hard Brawl")


def test_a_journal_whose_rules_cannot_be_read_says_why(games, tmp_path):
    path = tmp_path / "fight.jsonl"
    begin(path).close()
    fight = Fight.watch(path)
    header = {**read_journal(path).header, "rules": BROKEN}
    with pytest.raises(BadInput, match="TOML"):
        type(fight.start).from_header(header)
