"""``fightcall import``: who is taken over from a table and from other programs' files, and what is said of the rest."""

import json

import pytest

from fightcall.settings import find_paths
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter, start_fight
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
    assert "not imported: column 'Hair'" in result.out
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
    assert "already exists; choose another one with --name" in again.err
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
    assert "without combatants" in take("z.csv", "name,hp\n").err
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
        assert f"not imported: {said}" in result.out
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
    assert "not imported: column 'Team'" in result.out
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
    assert [join.name for join in encounter(home, "toll-bridge").joins] == ["Grum", "Ogre 2", "Ela"]
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
        assert name in result.out.partition("not imported: ")[2], name
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
        ("Ogre 2", 59, None, False),
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
    assert [join.name for join in encounter(home, "blocks").joins] == ["Ogre 1", "Ogre 2"]


def test_an_actor_of_foundry(take, home):
    hero = {"name": "Ela", "type": "character", "data": {"attributes": {"hp": {"value": 9, "max": 9}}}, "token": {}}
    result = take("actors.json", [ACTOR, hero], "--system", "slots")
    assert result.code == 0
    for name in ("items", "abilities", "ac", "cr"):
        assert name in result.out.partition("not imported: ")[2]
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
    assert "--templates saves them" in result.err
    assert home.everything() == {}


# What people report of other programs (issue 38)


def sides(home, stem):
    return [(join.name, join.side) for join in encounter(home, stem).joins]


@pytest.mark.parametrize("system", ["stage", "slots", "turns", "segments"])
def test_words_for_a_side_are_understood(take, home, system):
    """put right 37: enemy, hostile, monster and NPC are foes; PC, player and ally are of the party."""
    foes = ("Enemy", "hostile", "MONSTER", "npc", "foes", "Enemies")
    friends = ("PC", "player", "Ally", "friendly", "Player Character", "party")
    rows = "".join(f"N{number},{word},9\n" for number, word in enumerate((*foes, *friends)))
    result = take("x.csv", f"Name,Side,HP\n{rows}", "--system", system)
    assert result.code == 0
    assert "accepted" not in result.out.replace("accepted: columns", "")
    assert [side for _, side in sides(home, "x")] == ["foe"] * len(foes) + ["party"] * len(friends)


def test_a_table_without_sides_is_of_foes_and_says_so(take, home):
    """put right 37: a monster list is never the party; ``--side`` says otherwise."""
    result = take("x.csv", "Name,HP\nGoblin,7\nOgre,59\n")
    assert sides(home, "x") == [("Goblin", "foe"), ("Ogre", "foe")]
    assert "side foe: Goblin, Ogre" in result.out
    assert "no side: Goblin, Ogre; added to the side foe" in result.out
    assert "--side party" in result.out
    assert take("y.csv", "Name,Side,HP\nAsh,,14\nOgre,Enemy,59\n", "--side", "PCs").code == 0
    assert sides(home, "y") == [("Ash", "party"), ("Ogre", "foe")]
    wrong = take("z.csv", "Name\nAsh\n", "--side", "reds")
    assert wrong.code == 1
    assert "there is no 'reds'; accepted: party, foe" in wrong.err


def test_an_unknown_word_makes_nobody_a_friend(take, home):
    """put right 37: it is refused by its line, and the combatant is said to be on the other side."""
    result = take("x.csv", "Name,Side\nAsh,party\nThing,blorb\n")
    assert "not imported: line 3, Thing: side: 'blorb'; accepted: party, foe" in result.out
    assert "no side: Thing; added to the side foe" in result.out
    assert sides(home, "x") == [("Ash", "party"), ("Thing", "foe")]


@pytest.mark.parametrize("head", ["Monster", "creature", "Creatures"])
def test_other_headings_of_names_and_counts(take, home, head):
    """put right 37: monster, creature and quantity head columns, too."""
    assert take("x.csv", f"{head},Quantity,Max HP,Side\nGoblin,2,7,foe\n").code == 0
    assert [told(join) for join in encounter(home, "x").joins] == [("Goblin 1", "foe", 7), ("Goblin 2", "foe", 7)]


NUMBERS = {
    "7 (2d6)": 7,
    "2d6 (7)": 7,
    "7 [2d6+1]": 7,
    "15/15": 15,
    "15 / 15 hp": 15,
    "1,059": 1059,
    "1,059 (18d20 + 870)": 1059,
    "1 059": 1059,
    "1'059": 1059,
    "7.0": 7,
    "+9": 9,
}


@pytest.mark.parametrize("system", ["stage", "slots", "turns"])
def test_numbers_as_people_write_them(take, home, system):
    """put right 37: hit points with dice, a maximum or separated thousands."""
    rows = "".join(f'"N{number}",foe,"{cell}"\n' for number, cell in enumerate(NUMBERS))
    result = take("x.csv", f"Name,Side,HP\n{rows}", "--system", system)
    assert "not taken" not in result.out
    assert [join.sheet["hp"] for join in encounter(home, "x").joins] == list(NUMBERS.values())


@pytest.mark.parametrize(
    ("system", "sheet"),
    [
        ("turns", {"hp": 15, "hp_now": 7, "speed": -1}),
        ("slots", {"hp": 7, "hp_max": 15, "awareness": -1}),
        ("stage", {"hp": 7}),
    ],
)
@pytest.mark.parametrize(
    "table", ["name,hp,initiative\nOrc,7/15,\u22121\n", "Name,Current HP,Max HP,Init\nOrc,7,15,\u20131\n"]
)
def test_a_maximum_and_a_true_minus_sign(take, home, system, sheet, table):
    """put right 37: ``7/15`` is 7 of 15; a sheet without a maximum says that it has none."""
    result = take("x.csv", table, "--system", system)
    assert encounter(home, "x").joins[0].sheet == sheet
    assert ("the maximum of 15" in result.out) is (system == "stage")


def test_cells_beyond_the_headings_are_nothing_if_empty(take, home):
    """put right 37: a trailing separator and an empty heading are nothing; a value under one is listed."""
    for name, table in (
        ("a", "Name,HP\nGoblin,7,\nOrc,15,,,\n"),
        ("b", "Name,HP,\nGoblin,7,\nOrc,15\n"),
        ("c", "Name;;HP;\nGoblin;;7;\nOrc;;15;\n"),
    ):
        result = take(f"{name}.csv", table)
        assert result.code == 0, result.err
        assert "not taken" not in result.out
        assert [join.sheet["hp"] for join in encounter(home, name).joins] == [7, 15]
    assert "not imported: column '1 (no heading)'" in take("d.csv", ",Name\n0,Goblin\n").out
    assert "line 2: has 3 cells, the first line 2" in take("e.csv", "Name,HP\nGoblin,7,x\n").err


def test_a_doubled_heading_is_said_to_be_double(take, home):
    """put right 37: the first one counts; a heading that is the name of a column before one that stands for it."""
    result = take("x.csv", "Monster,Name,HP,hp,Hit Points\nhumanoid,Goblin,7,8,9\n")
    assert "column 'hp', which is there twice" in result.out
    assert "column 'Hit Points', as 'HP' is the same" in result.out
    assert "column 'Monster', as 'Name' is the same" in result.out
    assert [told(join) for join in encounter(home, "x").joins] == [("Goblin", "foe", 7)]


def test_a_count_makes_a_squad(take, home):
    """put right 37: as ``Goblin x3`` in a file does, so that ``&`` finds those alike."""
    assert take("x.csv", "name,side,count,hp\nAsh,party,,14\nGoblin,foe,3,7\nGoblin,foe,2,7\n").code == 0
    goblins = encounter(home, "x").joins[1:]
    assert [join.name for join in goblins] == [f"Goblin {number}" for number in range(1, 6)]
    squads = [join.squad for join in goblins]
    assert squads[0]
    assert squads == [squads[0]] * 3 + [squads[3]] * 2
    assert squads[3] not in ("", squads[0])


def test_two_of_one_name_are_numbered_from_one(take, home):
    """put right 37: Goblin 1 and Goblin 2, with labels 1 and 2, also behind an Orc."""
    assert take("x.csv", "name,side\nOrc,foe\nGoblin,foe\ngoblin,foe\nAsh,party\n").code == 0
    fight = start_fight(encounter(home, "x"), id="x", seed="1")
    assert [(each.name, each.label) for each in fight.state.combatants.values()] == [
        ("Orc", "3"),
        ("Goblin 1", "1"),
        ("goblin 2", "2"),
        ("Ash", "A"),
    ]


def fighter(number, now, **more):
    block = {"Name": "Goblin", "HP": {"Value": 7}, "Abilities": {"Dex": 14}}
    return {"StatBlock": block, "CurrentHP": now, "Alias": "", "IndexLabel": number, "Hidden": False, **more}


def test_a_fight_saved_in_the_middle_keeps_its_numbers(take, home):
    """put right 38: the numbers on the table stay, and below zero is 0 of the maximum."""
    saved = {"Name": "Bridge", "Combatants": [fighter(*each) for each in ((1, 7), (3, 3), (4, 0), (5, -2))]}
    result = take("x.json", {"SavedEncounters.a": saved}, "--system", "turns")
    assert "hp" not in result.out
    joins = encounter(home, "bridge").joins
    assert [(join.name, join.sheet["hp"], join.sheet.get("hp_now")) for join in joins] == [
        ("Goblin 1", 7, None),
        ("Goblin 3", 7, 3),
        ("Goblin 4", 7, 0),
        ("Goblin 5", 7, 0),
    ]
    fight = start_fight(encounter(home, "bridge"), id="x", seed="1")
    assert [each.label for each in fight.state.combatants.values()] == ["1", "3", "4", "5"]
    last = {"Name": "Last", "Combatants": [fighter(3, 7), fighter(3, 7, Alias="Grik"), {**fighter(2, 7, Alias="")}]}
    assert take("y.json", last).code == 0
    assert [join.name for join in encounter(home, "last").joins] == ["Goblin 3", "Grik", "Goblin 2"]


def actor(**more):
    return {"name": "Ulla", "type": "npc", "system": {"attributes": {}}, "prototypeToken": {"disposition": -1}, **more}


def foundry(take, home, attributes, *, details=None, system="turns"):
    """The result of importing an actor, and its sheet."""
    result = take("x.json", actor(system={"attributes": attributes, "details": details or {}}), "--system", system)
    assert result.code == 0, result.err
    return result, encounter(home, "x").joins[0].sheet


def test_temporary_hit_points_of_foundry_are_listed(take, home):
    """put right 38: temporary and maximum hit points that are not taken are named."""
    result, sheet = foundry(take, home, {"hp": {"value": 9, "max": 9, "temp": 6, "tempmax": 2}})
    assert sheet == {"hp": 9}
    assert "hp.temp, hp.tempmax" in result.out


@pytest.mark.parametrize(
    ("init", "speed"),
    [({"value": 4, "total": 4}, 4), ({"value": 3}, 3), ({"total": 5, "bonus": 2}, 5), ({"value": 1, "bonus": "2"}, 3)],
)
def test_initiative_of_foundry(take, home, init, speed):
    """put right 38: ``init.value`` and ``init.total``."""
    assert foundry(take, home, {"hp": {"value": 9, "max": 9}, "init": init})[1] == {"hp": 9, "speed": speed}


@pytest.mark.parametrize(
    ("system", "sheet"), [("turns", {"hp": 20, "hp_now": 0}), ("slots", {"hp": 0, "hp_max": 20}), ("stage", {"hp": 0})]
)
def test_below_zero_is_none_of_its_maximum(take, home, system, sheet):
    """put right 38: -4 of 20 is 0 of 20."""
    result, imported = foundry(take, home, {"hp": {"value": -4, "max": 20}}, system=system)
    assert imported == sheet
    assert ("the maximum of 20" in result.out) is (system == "stage")


NOTES = {
    "<p>Her <strong>lamp</strong> is <em>out</em>; see @UUID[Compendium.a.b.Item.c]{the Mill}.</p><p>She waits.</p>": (
        "Her lamp is out; see the Mill.\nShe waits."
    ),
    "<p>Her\n <a href='x'>lamp</a>\n</p>\n<ul>\n<li><span>oil</span></li>\n</ul>": "Her lamp\noil",
    "<p>Deals [[/r 2d6]], [[2d6[fire]]] or [[/roll 1d4 + 2 # cold]]{cold}.</p>": (
        "Deals 2d6, 2d6 fire or cold (1d4 + 2)."
    ),
    "<p>@Check[type:fortitude|dc:20] @Actor[x]{Rosk} @Compendium[a.b.Fireball] &Reference[prone]</p>": (
        "fortitude dc 20 Rosk Fireball prone"
    ),
    "a < b and c > d &eacute;": "a < b and c > d \u00e9",
}


@pytest.mark.parametrize("source", NOTES)
def test_a_paragraph_of_a_note_is_one_line(take, home, source):
    """put right 38: inline tags break no line, links are their names, inline rolls their dice."""
    note = foundry(take, home, {"hp": {"value": 9, "max": 9}}, details={"biography": {"value": source}})[1]["note"]
    assert note == NOTES[source]


@pytest.mark.parametrize("system", ["stage", "slots", "turns", "segments"])
def test_a_note_that_is_cut_says_so(take, home, system):
    """put right 38: at its end, and in the report."""
    long_note = {"biography": {"value": "<p>" + "word " * 1000 + "</p>"}}
    result, sheet = foundry(take, home, {}, details=long_note, system=system)
    assert sheet["note"].endswith("… (cut)")
    assert len(sheet["note"]) <= 2000
    assert "not imported: Ulla: the end of its note, which is longer than 2000 characters" in result.out


def test_an_actor_of_another_game_comes_by_name_and_side(take, home):
    """put right 38: and what was not taken is listed."""
    stats = {"characteristics": {"i": {"initial": 30}}, "status": {"wounds": {"value": 5, "max": 8}}}
    actors = [
        actor(name="Rat", system=stats),
        actor(name="Ela", type="character", system=stats, prototypeToken={}),
        {"name": "Old", "type": "creature", "data": stats, "items": []},
        {"name": "Mace", "type": "weapon", "system": {"damage": 3}},
    ]
    result = take("x.json", actors)
    assert result.code == 0, result.err
    assert sides(home, "x") == [("Rat", "foe"), ("Ela", "party"), ("Old", "foe")]
    assert "not imported: characteristics, status, weapon" in result.out


@pytest.mark.parametrize("name", ["x.db", "x.json", "x.jsonl"])
def test_an_actor_in_each_line(take, home, name):
    """put right 38: as older packs keep them, where a later line replaces or deletes an earlier one."""
    lines = [
        actor(name="Rat", _id="a", system={"attributes": {"hp": {"value": 5, "max": 8}}}),
        actor(name="Bat", _id="b"),
        actor(name="Cat", _id="c"),
        {"$$deleted": True, "_id": "b"},
        actor(name="Rat", _id="a", system={"attributes": {"hp": {"value": 3, "max": 8}}}),
    ]
    result = take(name, "\n\n".join(map(json.dumps, lines)) + "\n", "--system", "turns")
    assert result.code == 0, result.err
    assert [told(join) for join in encounter(home, "x").joins] == [("Cat", "foe", None), ("Rat", "foe", 8)]
    broken = take("y.db", json.dumps(lines[0]) + "\n{\n")
    assert "line 2: not readable as JSON" in broken.err


def test_a_template_stands_for_all_of_a_name(take, home):
    """put right 38: one template without a number, however many there were."""
    assert take("x.csv", "name,side,count\nGoblin,foe,3\nGoblin,foe,\n", "--templates").code == 0
    assert [template.name for template in Shelf(find_paths()).library.templates("stage")] == ["Goblin"]


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
    "blanks": "name,note\nAsh,<p>" + " " * 200_000 + "\n",
    "links in links": '{"name":"x","hp":3,"system":{"hp":{},"details":{"biography":"' + "@a[[[/r <p " * 20_000 + '"}}}',
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
