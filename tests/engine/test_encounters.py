"""Encounter files: read, refused with all that is wrong, found, written, played."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.encounter_reading import read_encounter
from fightcall_engine.archive.encounter_writing import encounter_to_toml
from fightcall_engine.archive.encounters import find_encounters, load_encounter, shipped_encounters, start_fight
from fightcall_engine.board.base import Terrain
from fightcall_engine.board.kinds import HexBoard, from_offset
from fightcall_engine.homebrew.system import Homebrew
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput

DATA = Path(__file__).parent / "data"
BROKEN = (DATA / "broken.toml").read_text(encoding="utf-8")
SMALL = (DATA / "small.toml").read_text(encoding="utf-8")
SHIPPED = {one.path.stem: one.path for one in shipped_encounters()}


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(BadInput) as caught:
        read_encounter(text, "the file")
    assert caught.value.where == "the file"
    return caught.value.problems


# Reading


def test_every_key_is_read() -> None:
    mill = read_encounter(SMALL, "small")
    assert (mill.name, mill.system, mill.seed) == ("The Mill", "stage", "mill")
    assert mill.story == "Flour in the air.\nNobody light anything."
    assert mill.settings == {"moment_seconds": 30}
    board = mill.board
    assert board is not None
    assert (board.cols, board.rows, board.scale, board.unit) == (5, 3, 10.0, "yd")
    assert board.terrain_at(board.parse("C2")) == Terrain("water", "~", cost=3, height_ft=-2.0)
    tree = Terrain("tree", "♣", blocks=True, blocks_sight=True, cover="partial")
    assert board.terrain_at(board.parse("E1")) == tree
    assert board.cost_of(board.parse("B2")) == 1, "a symbol of combatants is open ground"
    wren = mill.joins[0]
    assert (wren.id, wren.label, wren.side, wren.hidden, wren.facing) == ("wren", "W", "party", True, 1)
    assert wren.at == board.parse("B2")
    places = {join.name: join.at and board.name_of(join.at) for join in mill.joins[1:]}
    assert places == {"Imp 1": "D2", "Imp 2": "D3", "Gargoyle 1": "E3", "Gargoyle 2": "A3", "Miller": None}
    assert mill.joins[-1].side == "party", "the first side, where none is given"


def test_places_and_directions_may_be_numbers() -> None:
    """As in the lines of `fightcall run`."""
    text = 'name = "The Mill"\nsystem = "stage"\n[board]\nmap = """\n. . .\n. . .\n"""\n'
    text += '[[combatant]]\nname = "Wren"\nat = [1, 0]\nfacing = 1\n'
    text += '[[combatant]]\nname = "Imp x2"\nside = "foe"\nat = [[0, 1], "C2"]\n'
    mill = read_encounter(text, "small")
    assert mill.board is not None
    assert [join.at and mill.board.name_of(join.at) for join in mill.joins] == ["B1", "A2", "C2"]
    assert mill.joins[0].facing == 1
    with pytest.raises(BadInput) as caught:
        read_encounter(text.replace("[1, 0]", "[9, 9]").replace("facing = 1", "facing = 6"), "small")
    assert len(caught.value.problems) == 2


def test_all_problems_at_once_each_with_its_line() -> None:
    found = problems(BROKEN)
    wanted = (
        ("line 1: ", "control character (U+0007)"),
        ("line 4: ", "colour: unknown", "accepted: name, system"),
        ("line 7: ", "did you mean 'partial_cover_mod'?"),
        ("line 8: ", "moment_seconds", "expected int"),
        ("line 15: ", "column 8: 'Q' means nothing; accepted: . ~ T a"),
        ("line 24: ", "'partyy'; did you mean 'party'?", "accepted: party, foe"),
        ("line 25: ", "facing", "accepted: E, NE, NW, W, SW, SE"),
        ("line 26: ", "agilty: unknown; did you mean 'agility'?"),
        ("line 26: ", "strikes.0.kind", "'melee'"),
        ("line 30: ", "label 'I' can't name 3 of Imp"),
        ("line 39: ", "strikes.1.kind"),
    )
    for parts in wanted:
        assert any(line.startswith(parts[0]) and all(part in line for part in parts[1:]) for line in found), parts
    assert len(found) == len(wanted)
    assert list(found) == sorted(found, key=lambda line: int(line.split()[1].rstrip(":")))


def one(extra: str, head: str = "") -> str:
    return f'name = "X"\nsystem = "stage"\n{head}\n[[combatant]]\nname = "Wren"\n{extra}\n'


BOARD = '[board]\nmap = """\n. . T\n . . .\n"""\n[board.legend]\nT = { name = "tree" }'
SPOTS = BOARD.replace("\n . .", "\n . g")


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("name = 1\nsystem = =", 2, "not readable as TOML"),
        ('name = "X"\nsystem = "stge"', 2, "did you mean 'stage'? accepted: "),
        ('system = "stage"', 1, "name is missing"),
        ('name = " "\nsystem = "stage"', 1, "is blank"),
        (f'name = "{"n" * 201}"\nsystem = "stage"', 1, "has 201 characters; the limit is 200"),
        ('name = "X"\nsystem = "stage"\n[settings]\nmoment_seconds = 1.5', 4, "expected int"),
        ('name = "X"\nsystem = "stage"\n[settings]\nhex_ft = nan', 4, "usable number"),
        ('name = "X"\nsystem = "stage"\n[board]\nmap = ". ."\nscale = 0', 5, "more than 0"),
        ('name = "X"\nsystem = "stage"\n[board]\nmap = """\n. .\n . . .\n"""', 6, "row of 3 hexes"),
        ('name = "X"\nsystem = "stage"\n[board]\nmap = ""', 4, "the map is empty"),
        ('name = "X"\nsystem = "stage"\n[board]\nmap = ". ."\n[board.legend]\n"ab" = { name = "sea" }', 6, "a symbol"),
        (one('at = "g"'), 6, "there is no [board]"),
        (one('at = "T"', BOARD), 8, "means both terrain and a place"),
        (one('count = 3\nat = "g"', SPOTS), 13, "no 'g' is left on the map for Wren"),
        (one('count = 3\nat = ["g", "A1"]', SPOTS), 13, "2 places for 3 of Wren"),
        (one('at = "Z9"', BOARD), 12, "at:"),
        (one('at = "A1"\n[[combatant]]\nname = "Imp"\nat = "A1"', BOARD), 15, "A1 is taken by Wren; Imp needs"),
        (one("count = 0"), 6, "at least 1"),
        (one("count = 201"), 6, "at most 200"),
        (one('[[combatant]]\nname = "Imp x900"'), 7, "1 to 200"),
        (one('[[combatant]]\nname = "Imp x199"\n[[combatant]]\nname = "Bat"'), 8, "more than 200 combatants"),
        (one('label = "AB"\n[[combatant]]\nname = "Imp"\nlabel = "a"'), 9, "'A' of Imp clashes with 'AB' of Wren"),
        (one('label = "?"'), 6, "1 to 3 letters or digits"),
        (one('id = "a"\n[[combatant]]\nname = "Imp"\nid = "a"'), 9, "id 'a' is taken"),
        (one("sheet = { hp = 1979-05-27 }"), 6, "dates and times"),
        (one("sheet = { height_ft = inf }"), 6, "usable number"),
        (one("[combatant.sheet]\nhp = -1"), 7, "hp"),
        (one('sheet = { strikes = [{ name = "bow", kind = "missile", damage = "lots" }] }'), 6, "dice expression"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, said: str) -> None:
    found = problems(text)
    assert any(said in problem and f"line {line}" in problem for problem in found), found


def test_a_name_with_a_number_can_be_kept_as_it_is() -> None:
    named = read_encounter(one('[[combatant]]\nname = "Unit x3"\ncount = 1'), "x").joins[1]
    assert (named.name, named.count) == ("Unit x3", 1)


def test_any_characters_will_do_in_a_name() -> None:
    name = "Ðrøgo 🐉 「竜」 'o\"Brien\\ [b]"
    read = read_encounter(one(f"[[combatant]]\nname = '''{name}'''"), "x")
    assert read.joins[1].name == name


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm() -> None:
    assert read_encounter("\ufeff" + SMALL.replace("\n", "\r\n"), "x") == read_encounter(SMALL, "x")


def test_a_bottomless_file_is_refused() -> None:
    assert problems("a = " + "[" * 100_000)


@given(st.text(alphabet='[]{}=",.\n# ax1"', max_size=60))
def test_no_text_brings_anything_but_a_refusal(text: str) -> None:
    with pytest.raises(BadInput):
        read_encounter(text, "x")


@given(st.data())
def test_a_spoilt_file_is_read_or_refused_line_by_line(data: st.DataObject) -> None:
    lines = SMALL.split("\n")
    place = data.draw(st.integers(0, len(lines) - 1))
    lines[place] = data.draw(st.sampled_from(["", "x = 1", "[board]", "name = 3", "at = 7", ". . . .", '"""', "}"]))
    try:
        read_encounter("\n".join(lines), "x")
    except BadInput as error:
        for problem in error.problems:
            if problem.startswith("line "):
                assert 1 <= int(problem[5:].partition(":")[0]) <= len(lines)


# Writing


NAMES = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=24).filter(str.strip)
GLYPHS = st.sampled_from([".", "~", "♣", "T", '"', "\\", "'", "#"])
SHEETS = st.fixed_dictionaries(
    {},
    optional={
        "agility": st.integers(1, 20),
        "hp": st.integers(0, 50),
        "height_ft": st.floats(0.5, 20),
        "note": st.text(st.characters(exclude_categories=("Cs",)), max_size=30),
        "plain_view": st.booleans(),
        "strikes": st.lists(
            st.fixed_dictionaries({"name": NAMES, "kind": st.sampled_from(["missile", "melee"])}), max_size=2
        ),
    },
)


@st.composite
def boards(draw: st.DrawFn) -> HexBoard:
    cols, rows = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    names = draw(st.lists(NAMES.filter(lambda name: name != "open"), max_size=4, unique=True))
    legend = {
        name: Terrain(
            name,
            draw(GLYPHS),
            cost=draw(st.integers(1, 9)),
            blocks=draw(st.booleans()),
            cover=draw(st.none() | NAMES),
            height_ft=draw(st.none() | st.integers(-20, 20)),
        )
        for name in names
    }
    places = [from_offset(col, row) for col in range(cols) for row in range(rows)]
    terrain = {place: draw(st.sampled_from(names)) for place in places if names and draw(st.booleans())}
    scale = draw(st.sampled_from([0.5, 1.5, 5.0, 10.0]))
    return HexBoard(cols, rows, scale, draw(st.sampled_from(["ft", "m"])), terrain, legend)


@st.composite
def encounters(draw: st.DrawFn) -> Encounter:
    board = draw(st.none() | boards())
    free = [] if board is None else list(board.places())
    joins = []
    for number in range(draw(st.integers(0, 5))):
        at = free.pop(draw(st.integers(0, len(free) - 1))) if free and draw(st.booleans()) else None
        base = draw(NAMES | st.sampled_from(["Imp 1", "Imp 2", "Imp 3", "Imp x2", "Imp ×3"]))
        joins.append(
            Join(
                name=base,
                id=draw(st.sampled_from(["", f"id-{number}"])),
                side=draw(st.sampled_from(["party", "foe"])),
                sheet=draw(SHEETS),
                at=at,
                facing=draw(st.none() | st.integers(0, 5)),
                hidden=draw(st.booleans()),
                label=draw(st.sampled_from(["", f"Q{number}"])),
                squad=draw(st.sampled_from(["", "imp", "imp-2"])),
            )
        )
    story = draw(st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.sampled_from('\n\t"\\'), max_size=40))
    settings = draw(st.fixed_dictionaries({}, optional={"moment_seconds": st.integers(1, 99), "hex_ft": st.just(2.5)}))
    minutes = draw(st.none() | st.integers(1, 1000))
    return Encounter(
        draw(NAMES), "stage", draw(st.none() | NAMES), story, settings, board, tuple(joins), minutes=minutes
    )


@given(encounters())
def test_what_is_written_reads_back_the_same(encounter: Encounter) -> None:
    assert read_encounter(encounter_to_toml(encounter), "x") == encounter


def test_like_ones_are_written_as_one() -> None:
    text = encounter_to_toml(read_encounter(SHIPPED["ambush-at-the-ford"].read_text(encoding="utf-8"), "x"))
    goblin = next(one for one in tomllib.loads(text)["combatant"] if one["name"] == "Goblin")
    assert (goblin["count"], len(goblin["at"])) == (3, 3)


def test_several_in_one_join_are_written_one_by_one() -> None:
    text = encounter_to_toml(Encounter("X", "stage", joins=(Join(name="Imp", side="foe", count=3),)))
    assert [join.name for join in read_encounter(text, "x").joins] == ["Imp 1", "Imp 2", "Imp 3"]


def test_what_toml_cannot_hold_is_refused() -> None:
    odd = Encounter("X", "stage", joins=(Join(name="Imp", sheet={"note": [None]}),))
    with pytest.raises(BadInput, match="can't be written"):
        encounter_to_toml(odd)


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_an_encounter_is_written_as_it_was_read(name: str) -> None:
    encounter = load_encounter(name)
    assert read_encounter(encounter_to_toml(encounter), "x") == encounter


# Finding


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    (tmp_path / "the_old-mill.toml").write_text(SMALL, encoding="utf-8")
    (tmp_path / "bad.toml").write_text("name = ", encoding="utf-8")
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    (tmp_path / "nameless.toml").write_text('story = "?"', encoding="utf-8")
    (tmp_path / "readme.txt").write_text("not an encounter", encoding="utf-8")
    return tmp_path


def test_listing_shows_the_good_and_says_what_is_wrong_with_the_others(shelf: Path) -> None:
    listed = {one.path.stem: one for one in find_encounters([shelf, shelf / "none", shelf])}
    assert set(listed) == {"the_old-mill", "bad", "latin", "nameless"}
    good = listed["the_old-mill"]
    assert (good.name, good.system, good.problem) == ("The Mill", "stage", None)
    assert good.story.startswith("Flour")
    assert "not readable as TOML" in str(listed["bad"].problem)
    assert "UTF-8" in str(listed["latin"].problem)
    assert listed["nameless"].problem == "has no name and no system"


@pytest.mark.parametrize("name", ["the old mill", "The Old-Mill", "THE_OLD_MILL", "the mill"])
def test_an_encounter_is_found_by_its_name(shelf: Path, name: str) -> None:
    assert load_encounter(name, [shelf]).name == "The Mill"


def test_of_several_files_called_alike_the_first_of_the_list_is_meant(tmp_path: Path) -> None:
    named = {"mill-race": "Mill race by night", "mill_race": "Mill race", "Mill Race": "Mill race at noon"}
    for stem, name in named.items():
        (tmp_path / f"{stem}.toml").write_text(SMALL.replace("The Mill", name), encoding="utf-8")
    assert load_encounter("mill race", [tmp_path]).name == "Mill race" == find_encounters([tmp_path])[0].name


def test_an_encounter_is_found_by_its_path(shelf: Path) -> None:
    assert load_encounter(str(shelf / "the_old-mill.toml")).name == "The Mill"
    assert load_encounter(shelf / "the_old-mill.toml").name == "The Mill"


def test_a_users_encounter_hides_a_shipped_one_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "the-watchtower.toml").write_text(SMALL, encoding="utf-8")
    assert load_encounter("the watchtower", [tmp_path]).name == "The Mill"


def test_an_unknown_name_brings_the_nearest() -> None:
    with pytest.raises(BadInput, match="did you mean the-watchtower"):
        load_encounter("the watchtowr")


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="can't be read"):
        load_encounter(tmp_path / "gone.toml")


def test_listing_loads_no_models() -> None:
    code = (
        "import sys; from fightcall_engine.archive.encounters import find_encounters; from pathlib import Path;"
        f"assert find_encounters([Path({str(DATA)!r})]); assert 'pydantic' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Playing


def test_the_shipped_encounters_are_those_we_know() -> None:
    assert {"ambush-at-the-ford", "the-watchtower", "tavern-parley"} <= set(SHIPPED)


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_a_shipped_encounter_can_be_struck_with_at_once(name: str) -> None:
    encounter = load_encounter(name)
    assert encounter.story
    fight = start_fight(encounter, id="x", seed="1")
    assert fight.state.name == encounter.name
    for one in fight.state.combatants.values():
        assert one.pool(find_system(encounter.system).health).now > 0
        if encounter.system != "stage" or name == "a-first-fight":
            continue
        strikes = one.sheet["strikes"]
        assert isinstance(strikes, list)
        assert {"missile", "melee"} <= {strike["kind"] for strike in strikes}
        assert all(strike["needs"] and strike["damage"] for strike in strikes)


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_covers_on_a_shipped_map_are_those_of_its_system(name: str) -> None:
    encounter = load_encounter(name)
    system = find_system(encounter.system)
    schema = system.sheet_schema()["properties"]
    assert isinstance(schema, dict)
    board = encounter.board
    grounds = {board.terrain_at(place) for place in board.places()} if board else set()
    known = set(schema.get("cover", {}).get("enum", ()))
    if isinstance(system, Homebrew):
        known |= {cover for act in system.game.page.act for cover in act.cover}
    assert {ground.cover for ground in grounds if ground.cover} <= known


def test_a_label_in_the_file_is_kept_from_those_before_it() -> None:
    encounter = read_encounter(one('[[combatant]]\nname = "Bat"\nlabel = "W"'), "x")
    labels = {one.name: one.label for one in start_fight(encounter, id="x").state.combatants.values()}
    assert labels["Bat"] == "W"
    assert labels["Wren"] != "W"


def test_the_seed_is_the_callers_then_the_files_then_a_new_one() -> None:
    mill = read_encounter(SMALL, "x")
    assert start_fight(mill, id="x", seed="9").state.seed == "9"
    assert start_fight(mill, id="x").state.seed == "mill"
    seedless = read_encounter(one(""), "x")
    assert start_fight(seedless, id="x").state.seed != start_fight(seedless, id="x").state.seed


def test_a_started_fight_is_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "mill.jsonl"
    fight = start_fight(read_encounter(SMALL, "x"), id="mill", name="Second try", path=path)
    fight.close()
    assert path.exists()
    assert fight.state.name == "Second try"
