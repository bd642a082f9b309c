"""The user's own games on the command line: listed, checked, played, begun, completed."""

import shutil
from importlib import invalidate_caches

import pytest

from fightcall.actions import KeyNames, taken_keys_of_game
from fightcall.flows.base import MEANINGS
from fightcall.settings import find_paths
from fightcall.shelf import Shelf
from fightcall.subcommands.console import begin
from fightcall_engine.files import use_games
from fightcall_engine.kit.plugins import find_system, forget_systems
from fightcall_engine.model.errors import BadInput
from fightcall_engine.play.fight import Fight
from game_texts import BRAWL, BROKEN, HARD, PUB, write_game


@pytest.fixture
def brawl(home):
    use_games(home.config / "systems")
    yield write_game(home.config / "systems", BRAWL)
    use_games(None)


@pytest.fixture
def broken(home, brawl):
    return write_game(home.config / "systems", BROKEN.replace('"brawl"', '"broken"'), "broken")


def test_list_names_own_games_and_which_of_them_are_broken(call, brawl, broken):
    result = call("list")
    told = f"Your own games, in {brawl.parent}:"
    lines = [line.split() for line in result.out.partition(told)[2].splitlines() if line]
    assert lines == [["brawl", "Brawl"], ["broken", "broken.toml", "damaged"]]
    assert f"{broken}: broken.toml has mistakes: " in result.err
    assert result.code == 1


def test_list_names_the_folder_of_games_where_there_are_none(call, home):
    assert f"Your own games: none yet. Their folder is {home.config / 'systems'}" in call("list").out


def test_check_reads_a_game_by_its_file_or_by_its_name(call, brawl, broken):
    for name in ("brawl", str(brawl)):
        assert call("check", name).out == f"{brawl}: the rules of Brawl; no problems\n"
    for name in ("broken", str(broken)):
        result = call("check", name)
        assert (result.code, result.out) == (1, "")
        assert str(broken) in result.err
        assert "TOML" in result.err


@pytest.mark.parametrize("folder", ["systems", "downloads"])
def test_check_reads_a_game_that_lies_elsewhere(call, home, tmp_path, folder):
    path = write_game(tmp_path / folder, BRAWL)
    assert call("check", str(path)).out == f"{path}: the rules of Brawl; no problems\n"
    path.write_text(BRAWL.replace("damage", "damge"), encoding="utf-8")
    result = call("check", str(path))
    assert result.code == 1
    assert "did you mean 'damage'" in result.err


def test_check_of_everything_reads_own_games(call, home, brawl):
    assert f"{brawl}: the rules of Brawl; no problems" in call("check").out
    brawl.write_text(BROKEN, encoding="utf-8")
    result = call("check")
    assert result.code == 1
    assert str(brawl) in result.err


def test_an_encounter_of_an_own_game_is_written_checked_and_begun(call, home, brawl):
    assert call("new", "The Pub", "--system", "brawl").code == 0
    written = home.config / "encounters" / "the-pub.toml"
    assert 'system = "brawl"' in written.read_text(encoding="utf-8")
    assert "hp = 5" in written.read_text(encoding="utf-8")
    assert call("check", "the-pub").code == 0
    fight = Fight.open(begin("the-pub", find_paths()))
    assert fight.state.rules_text == BRAWL
    fight.close()


def test_new_under_a_broken_game_names_its_mistakes(call, broken):
    result = call("new", "The Pub", "--system", "broken")
    assert result.code == 1
    assert str(broken) in result.err


def test_combatants_are_imported_into_an_own_game(call, home, brawl, tmp_path):
    table = tmp_path / "orcs.csv"
    table.write_text("name,side,hp\nOrc,foe,9\n", encoding="utf-8")
    assert call("import", str(table), "--system", "brawl").code == 0
    assert "hp = 9" in (home.config / "encounters" / "orcs.toml").read_text(encoding="utf-8")


def test_completion_keys_and_schema_know_own_games(call, brawl, broken):
    script = call("completion", "bash").out
    assert "brawl" in script
    assert "broken" not in script
    assert "brawl" in call("keys").out
    assert '"Act"' in call("schema", "brawl").out


def test_a_fight_stays_in_the_library_when_its_file_is_gone(call, home, brawl):
    home.write("encounters/pub.toml", PUB)
    call("list")
    begin("pub", find_paths())
    brawl.unlink()
    assert call("check").code == 1, "its encounter is without a game now"
    (fight,) = Shelf(find_paths()).read().fights
    assert (fight.problem, fight.status) == ("", "setup")
    assert call("check", fight.id).code == 0
    assert "Ash" in call("export", fight.id, "--to", "md", "--gm").out


def test_a_fight_whose_system_is_not_installed_is_not_damaged(call, home, duel):
    begin("at-dawn", find_paths())
    shutil.rmtree(duel)
    invalidate_caches()
    forget_systems()
    assert "no system" in call("list").out
    (fight,) = Shelf(find_paths()).read().fights
    assert (fight.status, fight.problem) == ("no system", "the system 'duel' is not installed")
    fight.path.write_bytes(fight.path.read_bytes().replace(b'"duel"', b'"dual"', 1))
    (fight,) = Shelf(find_paths()).read().fights
    assert fight.status == "damaged"


def test_a_shelf_begins_with_the_file_as_it_is_then(call, home, brawl):
    home.write("encounters/pub.toml", PUB)
    call("list")
    shelf = Shelf(find_paths())
    encounter = shelf.load(home.config / "encounters" / "pub.toml")
    brawl.write_text(BROKEN, encoding="utf-8")
    for start in (shelf.begin, shelf.try_out):
        with pytest.raises(BadInput, match="TOML"):
            start(encounter)
    assert find_system("brawl").title == "Brawl", "what is being set up stays as it was"
    brawl.write_text(BRAWL.replace('"Brawl"', '"Other"'), encoding="utf-8")
    assert Fight.watch(shelf.begin(encounter)).system.title == "Other"


def test_a_key_that_the_screen_uses_itself_is_reported(call, home, brawl):
    brawl.write_text(BRAWL.replace('key = "s"', 'key = "u"'), encoding="utf-8")
    problem = "brawl: hit has the key u, as fight.undo has; choose another key for it"
    result = call("check", "brawl")
    assert result.code == 1
    assert problem in result.err
    assert problem in call("keys").err
    home.write("keys.toml", '[keys]\n"option.hit" = "f9"\n')
    assert call("check", "brawl").code == 0


@pytest.mark.parametrize(
    ("key", "user"), [("y", "the answer 'yes'"), ("n", "the answer 'no'"), ("h", "the answer 'hit'"), ("m", "move")]
)
def test_a_key_that_answers_questions_or_walks_is_reported(call, home, brawl, key, user):
    brawl.write_text(BRAWL.replace('key = "s"', f'key = "{key}"'), encoding="utf-8")
    problem = f"brawl: hit has the key {key}, as {user} has; choose another key for it"
    result = call("check", "brawl")
    assert (result.code, problem in result.err) == (1, True)
    assert problem in call("keys").err


def test_a_key_that_also_delays_is_reported(call, home, brawl):
    text = BRAWL.replace('key = "s"', 'key = "z"')
    brawl.write_text(text, encoding="utf-8")
    assert call("check", "brawl").code == 0, "nobody delays in it"
    brawl.write_text(text.replace('roll = "speed"', 'roll = "speed", delay = true'), encoding="utf-8")
    result = call("check", "brawl")
    assert (result.code, "brawl: hit has the key z, as delay has" in result.err) == (1, True)


@pytest.mark.parametrize("name", ["plain", "momentum", "cards", "squads"])
def test_shipped_games_have_no_such_keys(name):
    assert taken_keys_of_game(KeyNames(), find_system(name), MEANINGS) == ()


def test_the_keys_of_a_file_elsewhere_are_checked_too(call, tmp_path):
    path = tmp_path / "brawl.toml"
    path.write_text(BRAWL.replace('key = "s"', 'key = "y"'), encoding="utf-8")
    result = call("check", str(path))
    assert result.code == 1
    assert "brawl: hit has the key y" in result.err


SECRET = "the barkeep is the murderer"


@pytest.mark.parametrize("form", ["md", "html", "json", "replay", "svg"])
def test_players_read_nothing_of_the_file_in_any_export(call, home, brawl, tmp_path, form):
    brawl.write_text(f"# {SECRET}\n{BRAWL}", encoding="utf-8")
    home.write("encounters/pub.toml", PUB)
    path = begin("pub", find_paths())
    fight = Fight.open(path)
    fight.give("start")
    fight.give("changerules", text=f"# {SECRET} indeed\n{HARD}")
    fight.give("changemap", board={"kind": "square", "cols": 4, "rows": 4}, along=["ash"], places={"ash": "A1"})
    fight.close()
    assert SECRET in path.read_text(encoding="utf-8")
    target = tmp_path / f"out.{form}"
    result = call("export", str(path), "--to", form, "-o", str(target))
    assert result.code == 0, result.err
    assert SECRET not in target.read_text(encoding="utf-8")
    assert "changed the rules" not in target.read_text(encoding="utf-8")


def test_an_own_game_is_forecast(call, home, brawl):
    home.write("encounters/pub.toml", PUB)
    result = call("forecast", "pub", "--fights", "4", "--processes", "1")
    assert result.code == 0, result.err
    assert "Party" in result.out


def test_a_new_fight_is_set_up_by_the_name_of_its_game(call, brawl, broken):
    assert "TOML" in call("play", "--system", "broken").err
    assert "terminal" in call("play", "--system", "brawl").err
    for words in ((), ("pub", "--system", "brawl")):
        assert "use --system to set up a new fight" in call("play", *words).err
