"""Fights on squares, in every system: ways, contact, directions, the two kinds of pairs, JSON, files, the protocol."""

import json
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.archive.encounter_reading import read_encounter
from fightcall_engine.archive.encounter_writing import encounter_to_toml
from fightcall_engine.archive.encounters import start_fight
from fightcall_engine.board.base import Hex, Square, Terrain
from fightcall_engine.board.kinds import HexBoard, SquareBoard, resolve_place
from fightcall_engine.board.zones import Zone, ZoneBoard
from fightcall_engine.headless import answer_lines
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.commands import Join, Place
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import Moved, NoteAdded, Placed, Turned
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.codec import Codec, state_from_json
from fightcall_engine.play.fight import Fight

SYSTEMS = ["stage", "slots", "turns"]
BOARD = SquareBoard(
    9,
    7,
    terrain={Square(4, 2): "wall", Square(4, 3): "wall", Square(4, 4): "mud"},
    legend={"wall": Terrain("wall", "#", blocks=True), "mud": Terrain("mud", "~", cost=2)},
)
SHEETS = {"stage": {"agility": 13}, "slots": {}, "turns": {}}
ASH, ORC = ("Ash", "party", "B3"), ("Orc", "foe", "H3")


def fight_of(system, *people, **more):
    """A fight on the board; a person is (name, side, place)."""
    fight = Fight.new(system, seed="7", board=BOARD, **more)
    for name, side, at in people:
        fight.give("join", name=name, side=side, at=at, sheet=SHEETS[system] if side == "party" else {})
    return fight


def to_act(fight, who):
    """Go on, questions answered as proposed, until somebody may move."""
    fight.give("start") if fight.state.status == "setup" else None
    for _ in range(60):
        blocking = next((one for one in fight.state.prompts if one.blocking), None)
        if blocking is not None:
            answer = {"amount": 10} if not blocking.default and not blocking.choices else {}
            choice = blocking.default or (blocking.choices[0].id if blocking.choices else "")
            fight.give("answer", prompt=blocking.id, choice=choice, **answer)
            continue
        if any(one.command == "Move" and one.legal for one in fight.options(who)):
            return fight
        fight.give("advance")
    raise AssertionError(f"{who} never moves; at {fight.state.step}")


def squares_only(value):
    """True where no pair of numbers in a value is a hex."""
    return "Hex(" not in repr(value)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("given", "facing"),
    [({"path": [[2, 2], [3, 3]]}, "SE"), ({"path": ["C3", "d4"]}, "SE"), ({"to": "D4"}, "E"), ({"to": [3, 3]}, "E")],
)
def test_a_way_may_be_diagonal_and_is_named_by_numbers_or_by_name(system, given, facing):
    fight = to_act(fight_of(system, ASH, ORC), "ash")
    moved = next(one for one in fight.give("move", who="ash", **given).events if one.type == "Moved")
    assert (moved.hexes, moved.feet) == (2, 10.0)
    assert [type(place) for place in moved.path] == [Square, Square]
    assert moved.path[-1] == Square(3, 3)
    assert BOARD.directions[moved.facing] == facing
    assert squares_only(fight.state)
    assert fold_all(fight.start.state(), fight.line.events()) == fight.state
    fight.undo()
    assert fight.state.combatants["ash"].at == Square(1, 2)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("given", "error", "wrong"),
    [
        ({"path": [[3, 2]]}, Refused, "D3 is not next to B3"),
        ({"path": ["J9"]}, BadInput, "J9 is not on the map, which has A1 to I7"),
        ({"to": [9, 0]}, Refused, "J1 is off the board"),
        ({"to": "Hall"}, BadInput, "isn't a place"),
        ({"to": "E3"}, Refused, "E3"),
        ({"to": "H3"}, Refused, "H3"),
        ({"path": [["a", 2]]}, BadInput, "path.0.0: "),
    ],
)
def test_ways_that_cannot_be_walked(system, given, error, wrong):
    fight = to_act(fight_of(system, ASH, ORC), "ash")
    before = fight.state
    with pytest.raises(error, match=wrong):
        fight.give("move", who="ash", **given)
    assert fight.state is before


@pytest.mark.parametrize("system", SYSTEMS)
def test_contact_is_made_corner_to_corner(system):
    fight = to_act(fight_of(system, ("Ash", "party", "B3"), ("Orc", "foe", "D5")), "ash")
    assert not fight.state.in_contact("ash", "orc")
    entry = fight.give("move", who="ash", to="C4")
    assert [one.enemy for one in entry.events if one.type == "ContactMade"] == ["orc"]
    assert fight.state.contacts_of("orc") == ("ash",)
    assert fight.state.board.apart(*(one.at for one in fight.state.combatants.values())) == "1 square"


@pytest.mark.parametrize(
    ("board", "names"),
    [
        (BOARD, ("E", "NE", "N", "NW", "W", "SW", "S", "SE")),
        (HexBoard(4, 4), ("E", "NE", "NW", "W", "SW", "SE")),
        (None, ("E", "NE", "N", "NW", "W", "SW", "S", "SE")),
        (ZoneBoard((Zone("Hall", 0, 0),)), ()),
    ],
)
def test_one_faces_the_directions_that_the_board_has(board, names):
    fight = Fight.new("turns", board=board)
    fight.give("join", name="Ash")
    for facing in range(len(names)):
        assert fight.give("face", who="ash", facing=facing).events == (Turned(who="ash", facing=facing),)
    places = [] if board is None else [("place", {"who": "ash", "at": board.name_of(next(iter(board.places())))})]
    for name, more in (("face", {"who": "ash"}), ("join", {"name": "Bo"}), *places):
        for facing in (-1, len(names)):
            with pytest.raises(Refused, match=f"there is no facing {facing} on this board") as refused:
                fight.give(name, facing=facing, **more)
            wanted = tuple(f"{number} ({one})" for number, one in enumerate(names)) or ("leave the facing out",)
            assert refused.value.accepts == wanted


def test_the_board_says_whether_a_pair_is_a_hex_or_a_square():
    assert type(resolve_place(BOARD, Hex(1, 2))) is Square
    assert type(resolve_place(HexBoard(4, 4), Square(1, 2))) is Hex
    assert resolve_place(None, Square(1, 2)) == Square(1, 2)
    fight = fight_of("turns")
    fight.do(Join(name="Ash", at=Hex(3, 4)))
    fight.do(Place(who="ash", at=Hex(8, 6)))
    assert fight.state.board.name_of(fight.state.combatants["ash"].at) == "I7"
    assert squares_only((fight.line.events(), fight.state))
    made = Fight.new("turns", board=BOARD, joins=[Join(name="Bo", at=Hex(0, 1))])
    assert squares_only(made.state)


@given(st.integers(0, 8), st.integers(0, 6))
def test_events_and_states_come_back_as_squares(col, row):
    codec = Codec(find_system("turns"))
    here, there = Square(col, row), Square(row, col)
    for one in (
        Placed(who="ash", before=here, at=there, facing=7),
        Placed(who="ash", before=None, at=None),
        Moved(who="ash", hexes=2, feet=10.0, path=(here, there)),
        NoteAdded(text="F5"),
    ):
        again = codec.event(json.loads(json.dumps(to_json(one))), BOARD)
        assert (again, repr(again)) == (one, repr(one))


def test_a_state_comes_back_from_json_and_from_its_journal(tmp_path):
    path = tmp_path / "fight.jsonl"
    with_one = Join(name="Cat", at=Square(0, 0))
    fight = fight_of("turns", ASH, ORC, path=path, joins=(with_one,))
    to_act(fight, "ash").give("move", who="ash", path=[[2, 3], [3, 3]])
    state = fight.state
    again = state_from_json(json.loads(json.dumps(to_json(state))))
    assert again == state
    assert squares_only(again)
    assert to_json(state.combatants["ash"].at) == [3, 3]
    fight.close()
    twin = Fight.open(path)
    assert twin.state == state
    assert squares_only((twin.state, twin.line.events(), twin.line.seek(0)))
    assert type(twin.line.seek(0).combatants["cat"].at) is Square
    twin.close()


def test_the_protocol_speaks_of_columns_and_rows():
    lines = [
        {"do": "open", "system": "turns", "board": {"kind": "square", "cols": 20, "rows": 15, "scale": 5}},
        {"do": "add", "name": "Ash", "at": [3, 4]},
        {"do": "add", "name": "Orc", "side": "foe", "at": "F6"},
        {"do": "place", "who": "ash", "at": "E5", "facing": 7},
        {"ask": "state"},
        {"ask": "contacts", "who": "ash"},
        {"do": "place", "who": "ash", "at": [20, 0]},
        {"do": "add", "name": "Bo", "at": "Z99"},
        {"do": "open", "system": "turns", "board": {"kind": "square", "cols": 0, "rows": 15}},
    ]
    found = [json.loads(answer) for answer in answer_lines(StringIO("\n".join(map(json.dumps, lines))))]
    assert [one["ok"] for one in found] == [True] * 6 + [False] * 3
    assert found[1]["events"][0]["combatant"]["at"] == [3, 4]
    ash, orc = found[4]["state"]["combatants"].values()
    assert (ash["at"], ash["facing"], orc["at"]) == ([4, 4], 7, [5, 5])
    assert found[5]["contacts"] == {"ash": ["orc"]}
    assert found[6]["refused"]["message"] == "U1 is off the board"
    assert "Z99 is not on the map, which has A1 to T15" in str(found[7])
    assert "cols must be a whole number from 1 to 500" in str(found[8])


ENCOUNTER = """name = "Yard"
system = "turns"
[board]
kind = "square"
scale = 5
map = '''
. a . #
. # ~ .
o . . .
'''
[board.legend]
"#" = { name = "wall", blocks = true }
"~" = { name = "mud", cost = 2 }
[[combatant]]
name = "Ash"
at = "a"
facing = "S"
[[combatant]]
name = "Orc"
side = "foe"
at = "o"
facing = "n"
[[combatant]]
name = "Cat"
at = "D3"
"""


def test_an_encounter_is_drawn_on_squares():
    encounter = read_encounter(ENCOUNTER, "yard.toml")
    fight = start_fight(encounter, id="yard")
    board = fight.state.board
    assert (board.kind, board.cols, board.rows, board.scale) == ("square", 4, 3, 5.0)
    assert board.terrain == {Square(3, 0): "wall", Square(1, 1): "wall", Square(2, 1): "mud"}
    spots = [(board.name_of(one.at), one.facing) for one in fight.state.combatants.values()]
    assert spots == [("B1", 6), ("A3", 2), ("D3", None)]
    assert squares_only(fight.state)
    text = encounter_to_toml(encounter)
    assert all(part in text for part in ('kind = "square"', "\n. . . #\n. # ~ .\n", 'facing = "N"'))
    assert read_encounter(text, "again.toml") == encounter


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ('facing = "S"', 'facing = "X"', "line 17: combatant.facing: 'X': unknown; accepted: E, NE, N"),
        ('kind = "square"', 'kind = "hex"', "line 17: facing: there is no direction 'S' on this board; accepted: E, "),
        ('kind = "square"', 'kind = "cube"', "line 4: board.kind: 'cube': unknown; accepted: hex, square"),
        ("o . . .", "o . .", "line 9: map, column 6: row of 3 squares; the other rows have 4"),
        ('at = "D3"', 'at = "E3"', "E3 is not on the map, which has A1 to D3"),
    ],
)
def test_a_faulty_square_board_in_a_file_is_refused_line_by_line(old, new, wrong):
    assert old in ENCOUNTER
    with pytest.raises(BadInput) as bad:
        read_encounter(ENCOUNTER.replace(old, new), "yard.toml")
    assert any(wrong in problem for problem in bad.value.problems), bad.value.problems


def test_nobody_faces_anywhere_in_a_zone():
    text = """name = "Inn"
system = "turns"
[board]
kind = "zone"
map = "H"
[board.zones]
H = { name = "Hall" }
[[combatant]]
name = "Ash"
at = "H"
facing = "E"
"""
    with pytest.raises(BadInput, match="line 11: facing: there is no direction 'E' on this board; leave it out"):
        read_encounter(text, "inn.toml")
