"""``fightcall import``: who is taken over from a table and from other programs' files, and what is said of the rest."""

import json

import pytest

from fightcall.paths import find_paths
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter
from fightcall_engine.archive.imported_combatants import int_or_none, plain_note

TABLE = """\
Name;Side;Count;HP;Agility;Notes;Hair
Ash;party;;14;13;;red
Goblin;foe;3;7;;wet to the knees;
"""
OGRE = {
    "Id": "ogre",
    "Name": "Ogre",
    "Path": "",
    "Link": "https://example.org",
    "SearchHint": "ogre giant",
    "FilterDimensions": {"Level": "2", "Source": "", "Type": "Giant"},
    "LastUpdateMs": 0,
    "Version": "3.25.0",
    "Source": "",
    "Type": "giant",
    "HP": {"Value": 59, "Notes": "(7d10+21)"},
    "AC": {"Value": 11, "Notes": "(hide armor)"},
    "InitiativeModifier": 1,
    "Abilities": {"Str": 19, "Dex": 8, "Con": 16, "Int": 5, "Wis": 7, "Cha": 7},
    "Speed": ["40 ft."],
    "Saves": [],
    "Actions": [{"Name": "Greatclub", "Content": "hits"}],
    "Description": "Wants a toll.",
    "Player": "",
}
ELA = {**OGRE, "Id": "ela", "Name": "Ela", "Player": "player", "HP": {"Value": 20, "Notes": ""}, "Description": ""}
SAVED = {
    "Id": "bridge",
    "Name": "Toll bridge",
    "ActiveCombatantId": None,
    "Combatants": [
        {
            "Id": "1",
            "StatBlock": OGRE,
            "CurrentHP": 40,
            "TemporaryHP": 5,
            "Initiative": 12,
            "Alias": "Grum",
            "Hidden": True,
        },
        {"Id": "2", "StatBlock": OGRE, "CurrentHP": 59, "Alias": "", "IndexLabel": 2, "Hidden": False, "Tags": []},
        {"Id": "3", "StatBlock": ELA, "PersistentCharacterId": "ela", "CurrentHP": 11, "Alias": "", "Hidden": False},
    ],
}
EXPORT = {
    "Creatures": ["ogre"],
    "Creatures.ogre": OGRE,
    "PersistentCharacters.ela": {"Id": "ela", "Name": "Ela", "CurrentHP": 12, "StatBlock": ELA, "Notes": "owes money"},
    "SavedEncounters.bridge": SAVED,
    "Spells.light": {"Name": "Light"},
}
ACTOR = {
    "name": "Pit fiend",
    "type": "npc",
    "img": "fiend.webp",
    "system": {
        "abilities": {"dex": {"value": 14, "proficient": 1}},
        "attributes": {"hp": {"value": 300, "max": 337}, "init": {"bonus": "2"}, "ac": {"flat": 21}},
        "details": {"biography": {"value": "<h1>Fiend</h1><p>Keeps &amp; breaks oaths.</p>"}, "cr": 20},
    },
    "items": [{"name": "Mace"}],
    "effects": [],
    "prototypeToken": {"disposition": -1},
    "flags": {},
}


@pytest.fixture
def take(call, home, tmp_path):
    """Import a file of some content; the result, and who is in the encounter of a name."""

    def run(name, content, *options):
        path = tmp_path / name
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        return call("import", str(path), *options)

    return run


def encounter(home, stem):
    return load_encounter(home.config / "encounters" / f"{stem}.toml")


def told(join):
    return join.name, join.side, join.sheet.get("hp")


def test_a_table_becomes_an_encounter(take, home, call):
    result = take("at the ford.csv", TABLE)
    assert result.code == 0
    assert "at-the-ford.toml: 4 combatants" in result.out
    assert "not taken: column 'Hair'" in result.out
    ford = encounter(home, "at-the-ford")
    assert ford.system == "stage"
    assert [told(join) for join in ford.joins] == [
        ("Ash", "party", 14),
        ("Goblin 1", "foe", 7),
        ("Goblin 2", "foe", 7),
        ("Goblin 3", "foe", 7),
    ]
    assert ford.joins[0].sheet["agility"] == 13
    assert ford.joins[1].sheet["note"] == "wet to the knees"
    assert "at-the-ford" in call("list").out
    again = take("at the ford.csv", TABLE)
    assert again.code == 1
    assert "is there already; give another one by --name" in again.err
    assert take("at the ford.csv", TABLE, "--name", "Second ford").code == 0
    assert encounter(home, "second-ford").name == "Second ford"


@pytest.mark.parametrize(("system", "sheet"), [("turns", {"hp": 9, "speed": 4}), ("slots", {"hp": 9, "awareness": 4})])
def test_initiative_goes_where_the_system_has_it(take, home, system, sheet):
    assert take("x.csv", "name,hp,initiative\nAsh,9,4\n", "--system", system).code == 0
    assert encounter(home, "x").joins[0].sheet == sheet


def test_what_is_wrong_in_a_table_is_said_with_its_line(take, home):
    result = take("x.csv", "name,count,label\n,2,\nAsh,many,\nBea,1,toolong,more\n")
    assert result.code == 1
    for said in ("line 2: has no name", "line 3: count: 'many'", "line 4: has 4 cells", "line 4: label: 'TOOLONG'"):
        assert said in result.err
    assert "no column is called name; accepted: name, side" in take("y.csv", "nom,hp\nAsh,3\n").err
    assert "nobody in it" in take("z.csv", "name,hp\n").err
    assert home.everything() == {}


def test_how_many_may_stand_behind_the_name(take, home):
    assert take("x.csv", "name,side\nGoblin x3,foe\n").code == 0
    assert [join.name for join in encounter(home, "x").joins] == ["Goblin 1", "Goblin 2", "Goblin 3"]
    assert "count: 'Goblin x0'" in take("y.csv", "name,side\nGoblin x0,foe\n").err


def test_a_number_that_the_sheet_refuses_is_left_out_and_named(take, home):
    result = take("x.csv", "name,side,hp,agility,cover\nAsh,nowhere,12,99,open\nBea,party,x,,\n")
    assert result.code == 0
    for said in (
        "line 2, Ash: side: 'nowhere'; accepted: party, foe",
        "line 2, Ash: agility: should be less than or equal to 20 (got 99)",
        "line 3, Bea: hp: should be a valid integer",
    ):
        assert f"not taken: {said}" in result.out
    assert [join.sheet for join in encounter(home, "x").joins] == [{"hp": 12, "cover": "open"}, {}]


SPREADSHEETS = {
    "a mark, semicolons, any case": "\ufeffNAME;Side;Hit Points\r\nAsh;Party;14\r\nB\u00e4r;FOE;7\r\n".encode(),
    "a line that says what parts the columns": "sep=;\nName;Side;HP\nAsh;party;14\nB\u00e4r;foe;7\n".encode(),
    "tabs in UTF-16": "Name\tSide\tHP\r\nAsh\tparty\t14\r\nB\u00e4r\tfoe\t7\r\n".encode("utf-16"),
    "line ends of old, empty lines and quotes": '\r"name","side","hp"\r\r"Ash","party","14"\rB\u00e4r,foe,7'.encode(),
}


@pytest.mark.parametrize("content", SPREADSHEETS.values(), ids=SPREADSHEETS)
def test_a_table_as_spreadsheets_save_it(call, home, tmp_path, content):
    (tmp_path / "x.csv").write_bytes(content)
    result = call("import", str(tmp_path / "x.csv"))
    assert "not taken" not in result.out
    assert [told(join) for join in encounter(home, "x").joins] == [("Ash", "party", 14), ("B\u00e4r", "foe", 7)]


def test_columns_that_are_unknown_are_listed_beside_those_that_are_not(take, home):
    result = take("x.csv", "Name,Team,Qty,Init,Notes\nAsh,reds,2,3,late\n", "--system", "turns")
    assert "not taken: column 'Team'" in result.out
    assert "accepted: columns name, side, count" in result.out
    assert [(join.name, join.sheet) for join in encounter(home, "x").joins] == [
        ("Ash 1", {"speed": 3, "note": "late"}),
        ("Ash 2", {"speed": 3, "note": "late"}),
    ]


def test_a_line_is_counted_as_an_editor_does(take):
    """A cell may have several lines."""
    said = take("x.csv", 'name,note,count\nAsh,"one\ntwo",1\nBea,,many\n').err
    assert "line 4: count: 'many'; accepted: 1 to 200" in said
    assert "line 2: not readable as a table" in take("y.csv", 'name\n"Ash\n').err


def test_several_files_make_one_encounter(call, home, tmp_path):
    """Foundry writes a file for each actor; an encounter that a file names stays one of its own."""
    files = {"fiend.json": json.dumps(ACTOR), "party.csv": "name,hp\nAsh,9\n", "bridge.json": json.dumps(SAVED)}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    result = call("import", *(str(tmp_path / name) for name in files), "--name", "At the bridge")
    assert result.code == 0
    assert [join.name for join in encounter(home, "at-the-bridge").joins] == ["Pit fiend", "Ash"]
    assert [join.name for join in encounter(home, "toll-bridge").joins] == ["Grum", "Ogre", "Ela"]
    (tmp_path / "bridge.json").write_text("{}", encoding="utf-8")
    again = call("import", *(str(tmp_path / name) for name in files), "--name", "Another")
    assert again.code == 1
    assert "bridge.json" in again.err
    assert not (home.config / "encounters" / "another.toml").exists()


def test_an_export_of_improved_initiative(take, home):
    """Stat blocks and characters become one encounter, each saved encounter another one."""
    result = take("improved.json", EXPORT, "--system", "turns")
    assert result.code == 0
    for name in ("AC", "Speed", "Actions", "Abilities", "TemporaryHP", "Initiative", "Spells: Light"):
        assert name in result.out.partition("not taken: ")[2], name
    assert "SearchHint" not in result.out, "what the tracker finds it by is no loss"
    loose = encounter(home, "improved")
    assert [(*told(join), join.sheet.get("hp_now"), join.sheet["speed"]) for join in loose.joins] == [
        ("Ogre", loose.joins[0].side, 59, None, 0),
        ("Ela", loose.joins[1].side, 20, 12, 0),
    ]
    assert loose.joins[0].side != loose.joins[1].side
    assert [join.sheet.get("note") for join in loose.joins] == ["Wants a toll.", "owes money"]
    bridge = encounter(home, "toll-bridge")
    assert [(join.name, join.sheet["hp"], join.sheet.get("hp_now"), join.hidden) for join in bridge.joins] == [
        ("Grum", 59, 40, True),
        ("Ogre", 59, None, False),
        ("Ela", 20, 11, False),
    ]


def test_an_older_export_holds_json_in_texts(take, home):
    old = {
        "ImprovedInitiative.Creatures": '["ogre"]',
        "ImprovedInitiative.Creatures.ogre": json.dumps(OGRE),
        "ImprovedInitiative.Settings": "{}",
        "ImprovedInitiative.Creatures.bad": "{",
    }
    assert take("old.json", old).code == 0
    assert [told(join) for join in encounter(home, "old").joins] == [("Ogre", "foe", 59)]
    assert take("block.json", OGRE).code == 0
    assert take("blocks.json", [OGRE, OGRE]).code == 0
    assert [join.name for join in encounter(home, "blocks").joins] == ["Ogre", "Ogre 1"]


def test_an_actor_of_foundry(take, home):
    hero = {"name": "Ela", "type": "character", "data": {"attributes": {"hp": {"value": 9, "max": 9}}}, "token": {}}
    result = take("actors.json", [ACTOR, hero], "--system", "slots")
    assert result.code == 0
    for name in ("items", "abilities", "ac", "cr"):
        assert name in result.out.partition("not taken: ")[2]
    fiend, ela = encounter(home, "actors").joins
    assert (fiend.name, fiend.sheet["hp"], fiend.sheet["hp_max"], fiend.sheet["awareness"]) == (
        "Pit fiend",
        300,
        337,
        4,
    )
    assert fiend.sheet["note"] == "Fiend\nKeeps & breaks oaths."
    assert (ela.side, ela.sheet) == ("party", {"hp": 9})
    assert fiend.side != ela.side


def test_actors_of_other_systems_of_foundry(take, home):
    """Perception where initiative is rolled by it, and hit points that lie elsewhere."""
    second = {
        "name": "Rosk",
        "type": "npc",
        "system": {
            "attributes": {"hp": {"value": 70, "max": 75}, "initiative": {"statistic": "perception"}},
            "perception": {"mod": 15},
            "details": {"publicNotes": "<p>Draws on skin.</p>", "level": {"value": 5}},
        },
        "items": [],
    }
    older = {"name": "Ghast", "type": "monster", "system": {"hp": {"value": 4, "max": 4, "hd": "1d8"}}}
    result = take("actors.json", [second, older], "--system", "slots")
    assert result.code == 0
    assert "perception" not in result.out
    rosk, ghast = encounter(home, "actors").joins
    assert rosk.sheet == {"hp": 70, "hp_max": 75, "awareness": 15, "note": "Draws on skin."}
    assert ghast.sheet == {"hp": 4}


def test_an_encounter_that_was_saved_years_ago(take, home):
    old = {"Name": "Ambush", "Creatures": [{"Statblock": OGRE, "CurrentHP": 12, "MaxHP": 59, "Alias": "Old Grum"}]}
    assert take("old.json", {"ImprovedInitiative.SavedEncounters.ambush": json.dumps(old)}).code == 0
    (grum,) = encounter(home, "ambush").joins
    assert told(grum)[:2] == ("Old Grum", "foe")


def test_templates_are_kept_in_the_library(take, home):
    result = take("improved.json", EXPORT, "--templates")
    assert result.code == 0
    assert "3 templates" in result.out
    templates = {template.name: template for template in Shelf(find_paths()).library.templates("stage")}
    assert set(templates) == {"Ogre", "Ela", "Grum"}
    assert templates["Ogre"].notes == "Wants a toll."
    assert not (home.config / "encounters").exists()


def test_more_than_an_encounter_holds_are_templates(take, home):
    many = [{**OGRE, "Name": f"Ogre {number}"} for number in range(201)]
    result = take("many.json", many)
    assert result.code == 1
    assert "--templates keeps them" in result.err
    assert home.everything() == {}


HOSTILE = {
    "nothing": "",
    "no JSON": "{",
    "deep": "[" * 200_000,
    "deep objects": '{"a":' * 100_000,
    "a number without end": '{"Name":"x","HP":{"Value":' + "9" * 100_000 + "}}",
    "not what it seems": '{"Name":"x","HP":{"Value":{"a":[]}},"Abilities":3,"Actions":{"x":1},"Player":[1]}',
    "combatants that are none": '{"Combatants":[1,null,{"StatBlock":7},{"StatBlock":{"Name":"\\u0000","HP":{}}}]}',
    "an actor that is none": '[{"name":"x","system":{"attributes":7}},{"name":"y","system":{"attributes":{"hp":[1]}}}]',
    "another program's": '{"hello":"world"}',
    "a very long cell": "name,hp\n" + "x" * 500_000 + ",3\n",
    "an open quote": 'name,hp\n"Ash,3\n' + "x\n" * 1000,
    "lines without end": "name,hp\n" + "Ash,3\n" * 100_000,
    "columns without end": "name," * 100_000 + "\nAsh\n",
    "control characters": "name,note\n\x1b[31mAsh\x07,\x00\x1b]0;x\x07\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("ending", ["csv", "json"])
def test_a_hostile_file_is_refused_or_harmless(take, home, text, ending):
    result = take(f"x.{ending}", text)
    assert result.code in (0, 1)
    assert "Traceback" not in result.err
    assert result.err if result.code else result.out
    assert "\x1b" not in result.out + result.err
    assert max(len(line) for line in (result.out + result.err).splitlines()) < 10_000


def test_a_file_too_large_or_none_is_refused(call, home, tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(30_000_000)
    assert "is larger than" in call("import", str(path)).err
    assert "No such file" in call("import", str(tmp_path / "none.csv")).err
    assert call("import", str(tmp_path)).code == 1
    assert call("import", str(path), "--system", "chess").code == 1
    (tmp_path / "latin.csv").write_bytes(b"name\n\xe9\n")
    assert "line 2: is not UTF-8 text; save it as UTF-8" in call("import", str(tmp_path / "latin.csv")).err


def test_numbers_and_notes_are_read_as_what_they_are():
    assert [int_or_none(value) for value in (7, "7", " -2 ", 7.0, 7.5, "x", None, True, "9" * 30)] == [
        *(7, 7, -2, 7),
        *(None, None, None, None, None),
    ]
    assert plain_note("<p>One</p><p>Two<br>three</p>\x07") == "One\nTwo\nthree"
    assert plain_note(7) == ""
    assert len(plain_note("x" * 5000)) == 2000
