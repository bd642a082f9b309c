"""The user's own files for settings, and the armoury that may be one: by path, by place, checked, told in a schema."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from fightcall.settings import find_paths
from fightcall.shelf import Shelf
from fightcall.subcommands.console import begin
from fightcall_engine.model.errors import BadInput
from fightcall_engine.play.fight import Fight

OWN = """\
[[weapon]]
key = "glaive"
size = 7
grip = "2"

[[armour]]
key = "dragon_hide"
dr = 34
"""
BAD = '[[weapon]]\nkey = "glaive"\nsize = 70\n\n[[armour]]\nkey = "hide"\n'
CAVE = """\
name = "Cave"
system = "segments"
[[combatant]]
name = "Ash"
sheet = { weapons = [{ name = "glaive", av = 40 }] }
[[combatant]]
name = "Wyrm"
side = "foe"
sheet = { armour = [{ type = "dragon hide" }] }
"""
MINE = "settings/segments/armoury.toml"


@pytest.fixture
def cave(home):
    return home.write("encounters/cave.toml", CAVE)


def size_of_glaive(path):
    fight = Fight.watch(path)
    return fight.state.combatants["ash"].sheet["weapons"][0]["size"]


# The user's own


def test_a_file_in_its_place_holds_where_an_encounter_says_nothing_of_it(home, cave):
    mine = home.write(MINE, OWN)
    path = begin("cave", find_paths())
    mine.unlink()
    assert size_of_glaive(path) == 7
    assert Fight.watch(path).state.settings["armoury"] == OWN


def test_what_an_encounter_says_goes_before_it(home):
    home.write(MINE, OWN)
    home.write("encounters/small.toml", OWN.replace("size = 7", "size = 5"))
    home.write("encounters/cave.toml", CAVE.replace("[[", '[settings]\narmoury = "small.toml"\n[[', 1))
    home.write("encounters/none.toml", CAVE.replace("Cave", "None").replace("[[", '[settings]\narmoury = ""\n[[', 1))
    assert size_of_glaive(begin("cave", find_paths())) == 5
    with pytest.raises(BadInput, match="dragon hide"):
        begin("none", find_paths())


def test_a_file_that_will_not_do_is_named_and_nothing_begins(home, cave):
    mine = home.write(MINE, BAD)
    with pytest.raises(BadInput) as bad:
        begin("cave", find_paths())
    assert bad.value.where == str(mine)
    assert [problem.split(":")[0] for problem in bad.value.problems] == ["line 3", "line 5"]
    home.write("encounters/plain.toml", 'name = "Plain"\nsystem = "stage"\n')
    assert begin("plain", find_paths()).exists()


def test_an_encounter_that_is_changed_keeps_the_file_out_of_itself(home, cave):
    home.write(MINE, OWN)
    shelf = Shelf(find_paths())
    encounter = shelf.load(cave)
    assert (encounter.settings, encounter.user_settings) == ({}, {"armoury": OWN})
    assert size_of_glaive(shelf.begin(replace(encounter, name="Another cave"))) == 7


# check


def test_check_of_an_armoury_names_every_line(call, home):
    bad = home.write(MINE, BAD)
    code, _, err = call("check", str(bad))
    assert code == 1
    assert str(bad) in err
    assert "line 3: weapon.size: expected at most 60 (got 70)" in err
    assert "line 5: armour.dr is missing" in err


def test_check_of_everything_reads_the_users_own_files_once(call, home, cave):
    home.write(MINE, BAD)
    code, _, err = call("check")
    assert code == 1
    assert err.count("line 3: weapon.size") == 1
    mine = home.write(MINE, OWN)
    code, out, err = call("check")
    assert (code, err) == (0, "")
    assert f"{mine}: armoury of Combat Segments; no problems" in out


@pytest.mark.parametrize(
    ("name", "sound", "wrong", "said"),
    [
        ("keys.toml", '[keys]\n"fight.next" = "f8"\n', '[keys]\n"fight.nxt" = "f8"\n', "did you mean 'fight.next'"),
        ("settings.toml", 'theme = "mono"\n', "theme = 3\n", "theme"),
        (
            "themes/dusk.toml",
            'name = "dusk"\nbased_on = "lantern"\n',
            'name = "dusk"\nbased_on = "x"\n',
            "no usable theme 'x'",
        ),
    ],
)
def test_check_reads_keys_settings_and_themes_by_their_files(call, home, name, sound, wrong, said):
    path = home.write(name, sound)
    assert call("check", str(path)) == (0, f"{path}: no problems\n", "")
    path.write_text(wrong)
    code, out, err = call("check", str(path))
    assert (code, out) == (1, "")
    assert said in err
    path.unlink()
    assert "file not found" in call("check", str(path)).err


def test_check_knows_the_themes_that_the_settings_may_name(call, home):
    home.write("settings.toml", 'theme = "parchmnt"\n')
    code, out, err = call("check")
    assert (code, out) == (1, "")
    assert "no theme 'parchmnt'" in err
    assert "did you mean 'parchment'" in err


def test_check_says_what_lies_there_for_nothing(call, home):
    home.write("settings/segments/armory.toml", OWN)
    home.write("settings/segment/armoury.toml", OWN)
    home.write("settings/segments/chance_table.csv", "difference,chance\n0,50\n")
    code, out, err = call("check")
    assert code == 1
    assert "no setting has a file of this name; accepted: " in err
    assert "armoury.toml" in err
    assert "there is no system 'segment'" in err
    assert "chance_table of Combat Segments; no problems" in out


def test_check_of_an_encounter_names_the_file_it_gives(call, home):
    home.write("encounters/bad.toml", BAD)
    cave = home.write("encounters/cave.toml", CAVE.replace("[[", '[settings]\narmoury = "bad.toml"\n[[', 1))
    code, _, err = call("check", str(cave))
    assert code == 1
    assert "line 4: settings.armoury: bad.toml, line 3: weapon.size" in err
    assert "line 4: settings.armoury: bad.toml, line 5: armour.dr is missing" in err


# In a process


def test_the_example_that_is_printed_can_be_used_as_it_stands(call, home):
    readme = (Path(__file__).parents[3] / "app/fightcall/guide/armoury.md").read_text(encoding="utf-8")
    example = next(each for each in re.findall(r"```toml\n(.*?)```", readme, re.DOTALL) if "[[weapon]]" in each)
    mine = home.write(MINE, example)
    assert call("check", str(mine)) == (0, f"{mine}: armoury of Combat Segments; no problems\n", "")


def test_scripts_give_an_armoury_as_text_or_as_a_path(call, tmp_path):
    path = tmp_path / "arms.toml"
    path.write_text(OWN, encoding="utf-8")
    for given in (OWN, str(path)):
        lines = (
            {"do": "open", "system": "segments", "settings": {"armoury": given}},
            {"do": "add", "id": "ash", "name": "Ash", "side": "party", "sheet": {"weapons": [{"name": "glaive"}]}},
            {"do": "add", "id": "imp", "name": "Imp", "side": "foe", "sheet": {"armour": [{"type": "dragon_hid"}]}},
            {"do": "setting", "setting": "armoury", "value": BAD},
            {"do": "setting", "setting": "armoury", "value": str(path)},
            {"do": "setting", "setting": "armoury", "value": "nowhere.toml"},
        )
        stdin = "\n".join(json.dumps(line) for line in lines).encode()
        result = call("run", stdin=stdin)
        opened, ash, imp, bad, named, nowhere = (json.loads(line) for line in result.out.splitlines())
        assert opened["ok"]
        assert ash["events"][0]["combatant"]["sheet"]["weapons"][0]["size"] == 7
        assert "did you mean 'dragon_hide'?" in imp["error"]["problems"][0]
        assert [problem.split(":")[1].strip() for problem in bad["error"]["problems"]] == ["line 3", "line 5"]
        assert named["events"][0]["value"] == OWN
        assert "nowhere.toml can't be read" in nowhere["error"]["problems"][0]


@pytest.mark.slow
def test_the_schema_tells_of_the_file(call):
    schema = json.loads(call("schema", "segments").out)
    armoury = schema["files"]["segments/armoury.toml"]
    assert set(armoury["properties"]) == {"weapon", "shield", "armour", "arrow_head", "attack_type"}
    assert armoury["properties"]["armour"]["items"]["required"] == ["key", "dr"]
    assert "files" not in json.loads(call("schema", "stage").out)
