"""The forms in which a line may name people, places, directions and boards: the same ones everywhere."""

import pytest
from test_headless import Talk

MAP = """
 a . ~ .
  . b ~ T
"""
LEGEND = {"~": {"name": "water", "cost": 2}, "T": {"name": "tree", "blocks": True}}


@pytest.fixture
def talk():
    return Talk()


@pytest.fixture
def two(talk):
    talk.done(do="open", system="stage", seed="7")
    talk.done(do="add", name="Ash Born", side="party", sheet={"hp": 9})
    talk.done(do="add", name="Orc", side="foe", count=2, sheet={"hp": 5})
    talk.done(do="start")
    return talk


# People


@pytest.mark.parametrize("name", ["ash-born", "Ash Born", "ash born", "ASH BORN", "A", "a"])
def test_people_go_by_id_label_or_name(two, name):
    assert two.done(do="damage", who=name, amount=1)["events"][0]["who"] == "ash-born"
    assert two.ask("explain", who=name, what="beats")
    assert two.ask("options", who=name) == two.ask("options", who="ash-born")
    assert two.ask("rulings", who=name) == two.ask("rulings", who="ash-born")
    assert two.ask("contacts", who=name) == {"ash-born": []}


def test_a_target_goes_by_its_name_and_is_kept_by_its_id(two):
    two.done(do="next_half", until="missile")
    two.done(do="shoot", who="Ash Born", target="Orc 2", hit=False)
    command = two.ask("history")[-1]["command"]
    assert (command["who"], command["target"]) == ("ash-born", "orc-2")


def test_enemies_too_and_whoever_else_a_command_names(two):
    two.done(do="contact", who="Ash Born", enemy="Orc 1")
    assert two.ask("contacts", who="orc-1") == {"orc-1": ["ash-born"]}
    assert two.done(do="damage", who="orc 1", amount=1, by="Ash Born")["events"][0]["by"] == "ash-born"


def test_a_name_that_two_share_is_refused_with_their_ids(two):
    two.done(do="adjust", who="orc-2", what="name", value="Orc 1", force=True)
    refused = two(do="damage", who="Orc 1", amount=1)["refused"]
    assert (refused["rule"], refused["message"]) == ("who", "2 are named 'Orc 1'")
    assert refused["accepts"] == ["orc-1", "orc-2"]
    assert two.done(do="damage", who="orc-2", amount=1)


def test_several_go_by_their_names(talk):
    talk.done(do="open", system="segments", seed="1")
    for name, side in (("Ann Lee", "party"), ("Bob", "foe")):
        talk.done(do="add", name=name, side=side)
    talk.done(do="start")
    talk.done(do="spring", aggressors=["Ann Lee"], targets=["Bob"])
    assert talk.ask("history")[-1]["command"]["aggressors"] == ["ann-lee"]


def test_an_answer_goes_by_what_it_is_called(talk):
    talk.done(do="open", system="stage", encounter="ambush-at-the-ford", seed="7")
    talk.done(do="start")
    talk.done(do="next_half", until="missile")
    talk.done(do="shoot", who="Ysolde", target="Goblin 1", hit=True)
    (prompt,) = talk.ask("prompts")
    label = next(choice["label"] for choice in prompt["choices"])
    assert talk.done(do="answer", prompt=prompt["id"], choice=label.upper())["ok"]


# Places and directions


def test_a_board_is_drawn_as_in_an_encounter_file(talk):
    talk.done(do="open", board={"map": MAP, "legend": LEGEND})
    board = talk.session.fight.state.board
    assert (board.cols, board.rows) == (4, 2)
    assert board.name_of(next(iter(board.terrain))) == "C1"
    talk.done(do="add", name="Ash", at="a")
    talk.done(do="add", name="Orc", side="foe", at="b")
    assert talk.ask("state")["combatants"]["orc"]["at"] == [1, 1]
    assert not talk(do="add", name="Third", at="b")["ok"]


def test_zones_are_drawn_as_in_an_encounter_file(talk):
    zones = {"H": {"name": "Hall"}, "Y": {"name": "Yard", "cost": 2}}
    talk.done(do="open", board={"kind": "zone", "map": "HH\nYY", "zones": zones})
    for name, at in (("Ash", "H"), ("Bo", "hall"), ("Cy", "Yard")):
        talk.done(do="add", name=name, at=at)
    people = talk.ask("state")["combatants"].values()
    assert [person["at"] for person in people] == ["Hall", "Hall", "Yard"]


def test_a_faulty_drawing_is_told_whole(talk):
    reply = talk(do="open", board={"map": "a ?\n. . .", "legend": {"T": {"cost": 2}}, "colour": "red"})
    told = " ".join(reply["error"]["problems"])
    assert reply["error"]["where"] == "board"
    assert "colour: unknown" in told
    assert "legend.T.name is missing" in told


def test_cells_take_names_and_numbers(talk):
    board = {"kind": "hex", "cols": 4, "rows": 4, "legend": {"mud": {"cost": 2}}}
    terrains = []
    for cells in (["A1", "B2"], [[0, 0], "b2"], [[0, 0], [1, 1]]):
        talk.done(do="open", board={**board, "cells": {"mud": cells}})
        terrains.append(talk.session.fight.state.board.terrain)
    assert terrains == [terrains[0]] * 3


def test_ground_may_be_named_as_in_an_encounter_file(talk):
    """By its symbol, with the name beside it, or by the name alone; the board is the same but for the glyph."""
    board = {"kind": "hex", "cols": 4, "rows": 4}
    talk.done(do="open", board={**board, "legend": {"~": {"name": "mud", "cost": 2}}, "cells": {"~": ["A1"]}})
    drawn = talk.session.fight.state.board
    talk.done(do="open", board={**board, "legend": {"mud": {"cost": 2, "glyph": "~"}}, "cells": {"mud": ["A1"]}})
    assert talk.session.fight.state.board == drawn
    assert drawn.terrain_at(drawn.parse("A1")).name == "mud"


@pytest.mark.parametrize("at", [["A1", "C2"], [[0, 0], [2, 1]], ["a", "C2"]])
def test_several_join_at_a_list_of_places(talk, at):
    """As in an encounter file; each at its own, none at one that is taken."""
    talk.done(do="open", board={"map": "a . ~ .\n. b ~ T", "legend": LEGEND})
    talk.done(do="add", name="Orc", side="foe", count=2, at=at)
    people = talk.ask("state")["combatants"]
    assert (people["orc-1"]["at"], people["orc-2"]["at"]) == ([0, 0], [2, 1])
    assert talk(do="add", name="Imp", side="foe", count=2, at=["B2", "A1"])["refused"]["rule"] == "place"
    assert talk(do="add", name="Imp", side="foe", count=2, at=["B2", "B2"])["refused"]["rule"] == "place"
    assert talk(do="add", name="Imp", side="foe", count=3, at=["B2", "D1"])["refused"]["accepts"][0] == "3 places"
    talk.done(do="add", name="Imp", side="foe", count=2, at=["b", "D1"])
    talk.done(do="undo")
    assert "imp-1" not in talk.ask("state")["combatants"]


def test_several_join_in_zones(talk):
    talk.done(do="open", board={"kind": "zone", "map": "HY", "zones": {"H": {"name": "Hall"}, "Y": {"name": "Yard"}}})
    talk.done(do="add", name="Rat", side="foe", count=3, at=["H", "Yard", "H"])
    assert [person["at"] for person in talk.ask("state")["combatants"].values()] == ["Hall", "Yard", "Hall"]


@pytest.mark.parametrize("facing", [1, "NE", "ne", "1"])
def test_directions_go_by_name_or_number(talk, facing):
    talk.done(do="open", board={"map": MAP, "legend": LEGEND})
    talk.done(do="add", name="Ash", at="a", facing=facing)
    talk.done(do="add", name="Orc", side="foe", at="b")
    talk.done(do="face", who="orc", facing=facing)
    talk.done(do="place", who="orc", at="D1", facing=facing)
    people = talk.ask("state")["combatants"]
    assert (people["ash"]["facing"], people["orc"]["facing"]) == (1, 1)


def test_a_direction_that_is_none_is_refused_with_those_there_are(talk):
    talk.done(do="open", board={"map": MAP, "legend": LEGEND})
    talk.done(do="add", name="Ash", at="a")
    for facing in ("S", "up"):
        (problem,) = talk(do="face", who="ash", facing=facing)["error"]["problems"]
        assert "accepted: E, NE, NW, W, SW, SE" in problem


# Outcomes and options


@pytest.mark.parametrize(("said", "hit"), [("hit", True), ("miss", False), (True, True), ("roll", None), (None, None)])
def test_an_outcome_goes_by_a_word(two, said, hit):
    two.done(do="next_half", until="missile")
    two.done(do="shoot", who="ash-born", target="orc-1", hit=said, needs=12)
    assert two.ask("history")[-1]["command"].get("hit") is hit


def test_a_command_of_nobody_may_name_whose_option_it_was(two):
    assert two.done(do="advance", who="Ash Born")
    assert "who: unknown" in two(do="advance", who="nobody at all")["error"]["problems"][0]


def test_options_of_everybody_who_can_act(two):
    told = two.ask("options")
    assert set(told) == {"ash-born"} | {who for who in told if any(option["legal"] for option in told[who])}
    assert told["ash-born"] == two.ask("options", who="ash-born")
    two.done(do="adjust", who="ash-born", what="able", value=False)
    assert "ash-born" not in two.ask("options")
