"""The toolbox in the past: second thoughts, branches and cues where the map changes in the middle."""

import json

import pytest
from test_toolbox import BOARDS, EVERY_SYSTEM, HEXES, PLACES, SHEETS, SQUARES, ZONES, begun, fight_of

from fightcall_engine.archive.encounter import fields_of_next_map
from fightcall_engine.archive.encounters import load_encounter, shipped_encounters, start_fight
from fightcall_engine.headless import Session
from fightcall_engine.model.commands import CORE_COMMANDS, Damage, Paint
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.amendments import Edit
from fightcall_engine.play.chart import Reel
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.story import player_view, public_events

TOOLS = ("Swap", "ChangeSide", "SetStyle", "Copy", "AreaDamage", "Paint", "SetPassage", "SkipTime", "ChangeMap")


def moved_on(system="stage", path=None):
    """A wounded Ash, who walks on with Brand from hexes to squares, and is hurt and put somewhere there."""
    fight = fight_of(system, "hex", path=path)
    if system != "slots":
        # There the questions of the beginning come first.
        fight.give("start")
    hurt = fight.give("damage", who="ash", amount=2)
    places = {"ash": "A1", "brand": "B1"}
    moved = fight.give("change_map", board=to_json(SQUARES), name="the crypt", along=["ash", "brand"], places=places)
    there = fight.give("place", who="ash", at="G6")
    fight.give("damage", who="ash", amount=1)
    return fight, hurt, moved, there


def fates(amendment):
    return [each.fate for each in amendment.replayed]


# Second thoughts


@EVERY_SYSTEM
def test_a_change_before_the_new_map_is_carried_over_to_it(system):
    """At the table 3: the map changes again in the replay, and everybody stands where they stood."""
    fight, hurt, _, _ = moved_on(system)
    before = fight.state.combatants["ash"]
    amendment = fight.amend([Edit(hurt.number, is_struck=True)])
    assert amendment.refused == ()
    fight.adopt(amendment)
    ash = fight.state.combatants["ash"]
    assert (fight.state.board, ash.at) == (SQUARES, before.at)
    assert ash.remembered != before.remembered or ash.pools != before.pools


def test_what_needs_the_new_map_is_refused_without_it():
    """At the table 3: G6 of the crypt is on the old board, too; a place that isn't there is refused with the reason."""
    fight, _, moved, _ = moved_on()
    fight.give("change_map", board=to_json(ZONES), along=["ash"], places={"ash": "Yard"})
    last = fight.give("place", who="ash", at="Loft")
    second = fight.line.entries[-2]
    amendment = fight.amend([Edit(second.number, is_struck=True)])
    (refused,) = amendment.refused
    assert refused.entry == last.number
    assert refused.why
    fight.adopt(amendment)
    assert fight.state.board == SQUARES
    fight.undo()
    amendment = fight.amend([Edit(moved.number, is_struck=True)])
    assert "brand" in amendment.now.combatants
    assert amendment.now.board == HEXES


def test_a_wall_that_is_painted_in_afterwards_stops_the_walk():
    """At the table 3: second thoughts about a wall in the middle."""
    fight = begun("stage", "square")
    while not any(option.command == "Move" and option.legal for option in fight.options("ash")):
        fight.give("advance")
    entry = fight.give("move", who="ash", to="E2")
    fight.give("note", text="there")
    wall = Paint(places=tuple(SQUARES.parse(f"C{row}") for row in range(1, 7)), terrain="wall", blocks=True)
    amendment = fight.amend([Edit(entry.number, before=(wall,))])
    assert fates(amendment)[:2] == ["added", "refused"]
    fight.adopt(amendment)
    assert fight.state.board.terrain_at(SQUARES.parse("C2")).name == "wall"
    assert fight.state.board.name_of(fight.state.combatants["ash"].at) == "B2"
    again = fight.amend([Edit(fight.line.entries[-2].number, is_struck=True)])
    assert again.now.board == SQUARES
    assert again.now.plan is None


def test_a_painted_harm_hurts_in_the_replay_too():
    """At the table 3: what is put in before a painted fire is told after it."""
    fight = begun("turns", "square")
    painted = fight.give("paint", places=["C2"], terrain="fire", harm="2")
    fight.give("move", who="ash", path=["C2"], force=True)
    hp = fight.state.combatants["ash"].pools["hp"].now
    amendment = fight.amend([Edit(painted.number, before=(Damage(who="ash", amount=1),))])
    assert amendment.now.combatants["ash"].pools["hp"].now == hp - 1
    amendment = fight.amend([Edit(painted.number, is_struck=True)])
    assert amendment.now.combatants["ash"].pools["hp"].now == hp + 2


# Branches


@EVERY_SYSTEM
def test_branches_on_different_maps_are_read_again(system, tmp_path):
    """At the table 3: one line goes on in the crypt, the other one paints at home; each is there after reading."""
    path = tmp_path / "fight.jsonl"
    fight, hurt, _, _ = moved_on(system, path)
    crypt = fight.head_number
    states = {crypt: fight.state}
    fight.jump(hurt.number)
    fight.give("paint", places=["C3"], terrain="mud")
    fight.give("place", who="ash", at="C3")
    states[fight.head_number] = fight.state
    fight.close()
    again = Fight.open(path)
    for number, state in states.items():
        again.jump(number)
        assert again.state == state
    again.close()


# Cues


@pytest.mark.parametrize(
    ("do", "fields", "check"),
    [
        ("paint", {"places": ["C3"], "terrain": "fire", "harm": "d6"}, lambda s: s.board.ground_called("fire")),
        ("swap", {"who": "ash", "target": "orc"}, lambda s: s.board.name_of(s.combatants["ash"].at) == "G5"),
        ("change_side", {"who": "orc", "side": "watch"}, lambda s: s.combatants["orc"].side == "watch"),
        ("set_style", {"targets": ["orc"], "word": "coward"}, lambda s: s.combatants["orc"].fights.word == "coward"),
        ("copy", {"who": "orc", "count": 2}, lambda s: len(s.combatants) == 5),
        ("area_damage", {"targets": ["ash", "orc"], "amount": 1}, lambda s: s.combatants["orc"].pools["hp"].now == 9),
        ("skip_time", {"seconds": 600}, lambda s: s.clock_s >= 600),
        ("change_map", {"board": to_json(SQUARES), "along": ["ash"], "name": "x"}, lambda s: s.board == SQUARES),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_cue_proposes_any_tool(do, fields, check):
    """At the table 3: also by cue; what it proposes is done by the answer, and taken back by undo."""
    fight = begun("stage", "hex")
    fight.give("cue", when={"down": "brand"}, then={"propose": {"do": do, **fields}})
    fight.give("adjust", who="brand", what="able", value=False)
    before = fight.state
    (prompt,) = (prompt for prompt in fight.state.prompts if prompt.kind == "cue")
    fight.give("answer", prompt=prompt.id, choice=prompt.choices[0].id)
    assert check(fight.state)
    fight.undo()
    assert fight.state == before


def test_a_cue_about_people_who_are_not_there_is_refused_for_every_tool():
    """At the table 3: a misspelt name is said when the cue is set, not when it fires."""
    fight = begun("stage", "hex")
    for do, fields in (
        ("area_damage", {"targets": ["ash", "nobody"], "amount": 1}),
        ("change_map", {"along": ["nobody"]}),
        ("swap", {"who": "ash", "target": "nobody"}),
    ):
        with pytest.raises(Refused, match="no one is named 'nobody'"):
            fight.give("cue", when={"round": 3}, then={"propose": {"do": do, **fields}})


def test_cues_about_places_stay_behind_and_others_come_along():
    """At the table 3: reinforcements at F7 of the old map do not come on the new one."""
    fight = begun("stage", "hex")
    fight.give("cue", name="trap", when={"enters": "C3"}, then={"say": "The trap snaps."})
    fight.give("cue", name="boat", when={"round": 5}, then={"propose": {"do": "join", "name": "Boatman", "at": "B3"}})
    fight.give("cue", name="walk", when={"round": 5}, then={"propose": {"do": "move", "who": "ash", "path": ["C3"]}})
    mud = {"do": "paint", "places": ["C3"], "terrain": "mud"}
    fight.give("cue", name="fire", when={"round": 5}, then={"propose": mud})
    fight.give("cue", name="bell", when={"round": 5}, then={"say": "The bell rings."})
    fight.give("cue", name="late", when={"round": 6}, then={"propose": {"do": "join", "name": "Latecomer"}})
    fight.give("change_map", board=to_json(SQUARES), along=["ash"])
    assert [cue.name for cue in fight.state.cues] == ["bell", "late"]
    fight.undo()
    assert len(fight.state.cues) == 6


# Other encounters


def test_every_shipped_encounter_can_be_moved_to_from_every_other():
    """At the table 3: `! n`: its map, its people, its cues."""
    found = [load_encounter(each.path.stem) for each in shipped_encounters()]
    for encounter in found:
        for other in found:
            if other.system != encounter.system or other is encounter:
                continue
            fight = start_fight(encounter, id="fight", seed="1")
            party = [each.id for each in fight.state.roster if each.side == fight.system.sides[0]]
            fight.give("change_map", **fields_of_next_map(other, fight.state, party))
            assert fight.state.board == other.board
            newcomers = sum(join.count for join in other.joins if join.side not in ("", fight.system.sides[0]))
            assert len(fight.state.combatants) == len(party) + newcomers


def test_a_fight_that_has_moved_to_another_map_of_squares_is_read_again_as_it_was(tmp_path):
    """The board in the journal has squares of its own, and knows no neighbours yet."""
    fight = start_fight(load_encounter("the-tiltyard"), id="moved", seed="1", path=tmp_path / "moved.jsonl")
    fight.give("start")
    fight.give("change_map", board=load_encounter("first-segment").board.to_json(), along=[*fight.state.combatants])
    fight.give("paint", places=["A1", "B2"], terrain="mud", cost=2)
    fight.close()
    assert Fight.open(tmp_path / "moved.jsonl").state == fight.state


# The protocol


def test_the_schema_describes_every_tool():
    """At the table 3: schema and run know the toolbox."""
    session = Session()
    session.answer({"do": "open", "system": "turns", "seed": "3", "board": to_json(HEXES)})
    schema = json.dumps(session.answer({"ask": "schema"}))
    assert {kind.__name__ for kind in CORE_COMMANDS}.issuperset(TOOLS)
    for name in TOOLS:
        assert f'"{name}"' in schema, name


@pytest.mark.parametrize("kind", BOARDS)
def test_there_and_back_twice_is_the_same_by_the_protocol(kind):
    """At the table 3: a map and back changes nothing but the log; so does undo, line by line."""
    fight = begun("turns", kind)
    everybody = ["ash", "brand", "orc"]
    states = [fight.state]
    for there in BOARDS:
        places = dict(zip(everybody, PLACES[there], strict=True))
        fight.give("map", board=to_json(BOARDS[there]), along=everybody, places=places)
        states.append(fight.state)
    places = dict(zip(everybody, PLACES[kind], strict=True))
    fight.give("map", board=to_json(BOARDS[kind]), along=everybody, places=places)
    assert fight.state.board == states[0].board
    assert fight.state.combatants == states[0].combatants
    for state in reversed(states):
        fight.undo()
        assert fight.state == state


def test_what_a_map_command_cannot_do_is_refused_whole():
    """At the table 3: a refusal changes nothing."""
    fight = begun("stage", "hex")
    before = fight.state
    for wrong in (
        {"joins": [{"name": "Ash"}]},
        {"joins": [{"nobody": 1}]},
        {"cues": [{"when": 1}]},
        {"places": {"ash": "Z99"}},
    ):
        with pytest.raises((Refused, BadInput)):
            fight.give("change_map", board=to_json(SQUARES), along=["ash"], **wrong)
        assert fight.state is before


# Secrets

OF_A_SPY = {
    "leaving": [("leave", {"who": "spy"})],
    "coming back": [("leave", {"who": "spy"}), ("join", {"id": "spy", "name": "Spy", "hidden": True})],
    "a side for a round": [("change_side", {"who": "spy", "side": "watch", "rounds": 1})],
    "a copy": [("copy", {"who": "spy", "count": 2, "rounds": 3})],
    "a split": [("copy", {"who": "spy", "pools": {}, "split": True})],
    "harm": [("area_damage", {"targets": ["spy"], "amount": 1, "by": "orc"})],
    "a place": [("place", {"who": "spy", "at": None})],
    "a swap and back": [("swap", {"who": "spy", "target": "mole"}), ("swap", {"who": "mole", "target": "spy"})],
    "a condition": [("add_effect", {"who": "spy", "name": "poisoned", "rounds": 2})],
}


@EVERY_SYSTEM
@pytest.mark.parametrize("steps", OF_A_SPY.values(), ids=OF_A_SPY)
def test_what_becomes_of_the_hidden_is_told_to_nobody(system, steps):
    """At the table proof, property tests: a hidden combatant's changes send players nothing."""
    fight = fight_of(system, "square")
    for name, at in (("Spy", "F5"), ("Mole", "H1")):
        fight.give("join", name=name, side="foe", hidden=True, at=at, sheet=SHEETS[system])
    if system != "slots":
        fight.give("start")
    shown = len(Reel(fight).shots)
    for name, fields in steps:
        before, view = fight.state, player_view(fight.state, fight.system)
        entry = fight.give(name, **fields)
        assert public_events(entry.events, before) == ()
        assert player_view(fight.state, fight.system) == view
    assert len(Reel(fight).shots) == shown
