"""Fights on zones, in every system: who is where, what a way costs, whom one meets, and what the protocol says."""

import json
from io import StringIO

import pytest

from fightcall_engine.archive.encounter_reading import read_encounter
from fightcall_engine.archive.encounter_writing import encounter_to_toml
from fightcall_engine.archive.encounters import start_fight
from fightcall_engine.board.base import Terrain
from fightcall_engine.board.zones import Border, Zone, ZoneBoard
from fightcall_engine.headless import answer_lines
from fightcall_engine.kit import phrases
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.codec import state_from_json
from fightcall_engine.play.fight import Fight

BOARD = ZoneBoard(
    (
        Zone("Hall", 0, 0, 3, 2),
        Zone("Gallery", 3, 0, 2, 2, Terrain("Gallery", cost=4, cover="partial")),
        Zone("Yard", 0, 2, 5, 1),
        Zone("Moat", 0, 3, 5, 1, Terrain("Moat", blocks=True)),
    ),
    (Border("Hall", "Gallery"), Border("Hall", "Yard"), Border("Yard", "Moat")),
)
SHEETS = {"stage": {"agility": 13}, "slots": {}, "turns": {}}


def fight_of(system, *people, **settings):
    """A fight on the board; a person is (name, side, place)."""
    fight = Fight.new(system, seed="7", board=BOARD, settings=settings)
    for name, side, at in people:
        sheet = SHEETS[system] if side == "party" else {}
        fight.give("join", name=name, side=side, at=at, sheet=sheet)
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


def test_of_a_squad_that_walks_together_whoever_is_held_stops_where_the_cue_says():
    """On the place and not at the end of the way; of one that comes true once, the first alone is held."""
    for each_time, ends in ((True, ["Hall", "Hall"]), (False, ["Hall", "Gallery"])):
        fight = fight_of("stage", ("Ash", "party", "yard"))
        fight.give("join", name="Orc", side="foe", at="Yard", count=2, squad="orcs", sheet={"agility": 18})
        hold = {"hold": {"do": "damage", "who": "ash", "amount": 1}}
        fight.give("cue", when={"enters": "Hall", "who": "foe"}, then=hold, each_time=each_time)
        to_act(fight, "orc-1")
        fight.give("move", who="orc-1", to="gallery", alike=True)
        assert [fight.state.combatants[who].at for who in ("orc-1", "orc-2")] == ends
        goes_on = [prompt.question for prompt in fight.state.prompts if "Continue" in prompt.question]
        assert goes_on == [f"Continue Orc {number}'s move to Gallery?" for number in range(1, ends.count("Hall") + 1)]
        while fight.state.prompts:
            fight.give("answer", prompt=fight.state.prompts[0].id)
        assert {fight.state.combatants[who].at for who in ("orc-1", "orc-2")} == {"Gallery"}


@pytest.mark.parametrize("system", ["stage", "slots", "turns"])
def test_several_share_a_zone_and_walk_by_name(system):
    fight = fight_of(system, ("Ash", "party", "hall"), ("Bo", "party", "Hall"), ("Orc", "foe", "yard"))
    assert [one.at for one in fight.state.combatants.values()] == ["Hall", "Hall", "Yard"]
    assert fight.state.standing_in("Hall") == ("ash", "bo")
    to_act(fight, "ash")
    entry = fight.give("move", who="ash", to="ya")
    moved = next(one for one in entry.events if one.type == "Moved")
    assert (moved.path, moved.hexes, moved.feet) == (("Yard",), 1, 30.0)
    assert fight.state.combatants["ash"].at == "Yard"
    assert not fight.state.in_contact("ash", "orc"), "a zone is large"
    assert state_from_json(json.loads(json.dumps(to_json(fight.state)))) == fight.state
    assert fold_all(fight.start.state(), fight.line.events()) == fight.state
    fight.undo()
    assert fight.state.combatants["ash"].at == "Hall"


@pytest.mark.parametrize("system", ["stage", "slots", "turns"])
@pytest.mark.parametrize(
    ("given", "error", "wrong"),
    [
        ({"path": ["Gallery", "Yard"]}, Refused, "Yard is not next to Gallery"),
        ({"to": "Attic"}, BadInput, "the zones are Hall, Gallery, Yard, Moat"),
        ({"path": [[1, 2]]}, BadInput, "the zones are Hall, Gallery, Yard, Moat"),
        ({"to": "Hall"}, Refused, "already at Hall"),
        ({"path": ["Yard", "Moat"]}, Refused, "Moat can't be entered"),
        ({"to": "Yard", "ground": -1}, Refused, "-1 is below zero"),
        ({}, Refused, "needs a path"),
    ],
)
def test_ways_that_cannot_be_walked(system, given, error, wrong):
    fight = to_act(fight_of(system, ("Ash", "party", "Hall"), ("Orc", "foe", "Yard")), "ash")
    before = fight.state
    with pytest.raises(error, match=wrong):
        fight.give("move", who="ash", **given)
    assert fight.state == before


def test_the_ground_prices_a_way_and_the_gm_may_price_it_otherwise():
    """SB-46 times the zone's price; Q-A21: two places a slot."""
    stage = to_act(fight_of("stage", ("Ash", "party", "Hall"), ("Orc", "foe", "Yard")), "ash")
    stage.give("move", who="ash", to="Gallery")
    assert stage.state.combatants["ash"].pools["beats"].now == 14 - 4
    assert stage.state.combatants["ash"].remembered["cover"] == "partial", "the ground gives it"
    stage.undo()
    stage.give("move", who="ash", to="Gallery", ground=2)
    assert stage.state.combatants["ash"].pools["beats"].now == 14 - 2
    slots = to_act(fight_of("slots", ("Ash", "party", "Hall"), ("Bo", "party", "Hall"), ("Orc", "foe", "Yard")), "ash")
    before = slots.state.combatants["ash"].pools["slots"].now
    slots.give("move", who="ash", to="Gallery")
    assert slots.state.combatants["ash"].pools["slots"].now == before - 2
    slots.undo()
    slots.give("move", who="ash", to="Gallery", ground=0)
    assert slots.state.combatants["ash"].pools["slots"].now == before
    turns = fight_of("turns", ("Ash", "party", "Hall"), ("Orc", "foe", "Yard"), scene_mode="initiative")
    to_act(turns, "ash")
    turns.give("move", who="ash", to="Gallery")
    assert turns.state.combatants["ash"].pools["actions"].now == 2
    turns.undo()
    turns.give("move", who="ash", to="Gallery", ground=3)
    assert turns.state.combatants["ash"].pools["actions"].now == 0


@pytest.mark.parametrize("system", ["stage", "slots", "turns"])
def test_contact_within_a_zone_is_declared_and_ends_with_leaving(system):
    """SB-03, SB-47, SB-48: where the board cannot tell, the GM does."""
    fight = to_act(fight_of(system, ("Ash", "party", "Hall"), ("Orc", "foe", "Hall"), ("Troll", "foe", "Yard")), "ash")
    fight.give("contact", who="ash", enemy="orc")
    assert fight.state.contacts_of("ash") == ("orc",)
    with pytest.raises(Refused, match="the board decides"):
        fight.give("contact", who="ash", enemy="troll")
    with pytest.raises(Refused, match="Orc is at Hall"):
        fight.give("move", who="ash", to="Yard", meets="orc")
    entry = fight.give("move", who="ash", to="Yard", meets="troll")
    told = [(one.type, one.enemy) for one in entry.events if one.type.startswith("Contact")]
    assert told == [("ContactLeft", "orc"), ("ContactMade", "troll")]
    assert fight.state.contacts_of("ash") == ("troll",)
    fight.give("place", who="ash", at="Gallery")
    assert fight.state.contacts_of("ash") == ()
    fight.undo()
    fight.undo()
    assert fight.state.contacts_of("ash") == ("orc",)


@pytest.mark.parametrize("system", ["stage", "slots", "turns"])
@pytest.mark.parametrize(("command", "data"), [("move", {"to": "Yard"}), ("place", {"at": "Yard"})])
def test_the_fallen_in_a_zone_are_left_behind(system, command, data):
    """SB-03: up again, they are in contact with nobody who has gone and come back."""
    fight = to_act(fight_of(system, ("Ash", "party", "Hall"), ("Orc", "foe", "Hall"), ("Troll", "foe", "Yard")), "ash")
    fight.give("contact", who="ash", enemy="orc")
    fight.give("adjust", who="orc", what="able", value=False)
    fight.give(command, who="ash", **data)
    fight.give("adjust", who="orc", what="able", value=True)
    fight.give("place", who="ash", at="Hall")
    assert fight.state.contacts_of("ash") == ()


def test_contact_stops_a_stage_figure_in_a_zone_too():
    """SB-47."""
    fight = to_act(fight_of("stage", ("Ash", "party", "Hall"), ("Orc", "foe", "Yard")), "ash")
    fight.give("move", who="ash", to="Yard", meets="orc")
    with pytest.raises(Refused, match="stopped by contact with Orc") as refused:
        fight.give("move", who="ash", to="Hall")
    assert refused.value.rule == "SB-47"


def test_places_by_hand():
    fight = fight_of("turns", ("Ash", "party", "Hall"), ("Orc", "foe", None))
    fight.give("place", who="orc", at="hall")
    assert fight.state.combatants["orc"].at == "Hall"
    with pytest.raises(BadInput, match="the zones are"):
        fight.give("place", who="orc", at="C3")
    with pytest.raises(BadInput, match="'A1' isn't a zone; the zones are"):
        fight.give("join", name="Imp", at="A1")


@pytest.mark.parametrize("system", ["stage", "slots", "turns"])
def test_the_feed_and_the_options_speak_of_zones(system):
    fight = to_act(fight_of(system, ("Ash", "party", "Gallery"), ("Orc", "foe", "Moat")), "ash")
    before = fight.state
    entry = fight.give("move", who="ash", to="Yard", force=True)
    moved = next(one for one in entry.events if one.type == "Moved")
    assert phrases.phrase(fight.system, moved, before).text == "Ash moves to Yard through Hall"
    assert "hex" not in " ".join(f"{one.cost} {one.why}" for who in ("ash", "orc") for one in fight.options(who))


# On disk, in files and in the protocol

TOML = """\
name = "The Inn"
system = "turns"

[board]
kind = "zone"
map = '''
HHHGG
HHHGG
YYYYY
'''

[board.zones]
H = { name = "Hall" }
G = { name = "Gallery", cost = 4, cover = "partial" }
Y = { name = "Yard" }

[[board.border]]
between = ["Hall", "Yard"]
blocks_sight = true

[[board.border]]
between = ["Gallery", "Yard"]
joined = false

[[combatant]]
name = "Lea"
side = "party"
at = "H"

[[combatant]]
name = "Goblin x3"
side = "foe"
at = "Yard"
"""


def test_an_encounter_on_zones(tmp_path):
    encounter = read_encounter(TOML, "inn.toml")
    path = tmp_path / "inn.jsonl"
    fight = start_fight(encounter, id="inn", seed="1", path=path)
    assert [one.at for one in fight.state.combatants.values()] == ["Hall", "Yard", "Yard", "Yard"]
    assert fight.state.board.neighbours("Yard") == ("Hall",)
    fight.give("place", who="goblin-1", at="gallery")
    fight.close()
    again = Fight.open(path)
    assert again.state.combatants["goblin-1"].at == "Gallery"
    assert again.state.board == encounter.board
    again.close()
    assert read_encounter(encounter_to_toml(encounter), "again") == encounter


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ('at = "H"', 'at = "Attic"', "line 28: at: 'Attic' isn't a zone; the zones are Hall, Gallery, Yard"),
        ("HHHGG\nHHHGG", "HHHGG\nHH GG", "line 8: map, column 3: Hall isn't a filled rectangle"),
        ("YYYYY", "YYXYY", "'X' isn't a zone; accepted: H G Y"),
        ('between = ["Hall", "Yard"]', 'between = ["Hall"]', "line 17"),
        ('between = ["Hall", "Yard"]', 'between = ["Hall", "Yurd"]', "leads to 'Yurd'"),
        ("cost = 4", "cost = 0", "board.zones.G.cost"),
        ('kind = "zone"', 'kind = "zones"', "kind"),
        ("joined = false", "closed = true", "closed"),
    ],
)
def test_what_is_wrong_with_a_plan_is_named_with_its_line(old, new, wrong):
    assert old in TOML
    with pytest.raises(BadInput) as bad:
        read_encounter(TOML.replace(old, new), "inn.toml")
    assert wrong in str(bad.value), str(bad.value)


def test_the_protocol_speaks_of_zones_by_name():
    script = [
        {"do": "open", "system": "turns", "seed": "7", "board": BOARD.to_json()},
        {"do": "add", "id": "ash", "name": "Ash", "side": "party", "at": "Hall"},
        {"do": "add", "id": "orc", "name": "Orc", "side": "foe", "at": "yard"},
        {"do": "add", "id": "imp", "name": "Imp", "side": "foe", "at": "Nowhere"},
        {"ask": "state"},
    ]
    answers = [json.loads(line) for line in answer_lines(StringIO("\n".join(map(json.dumps, script))))]
    assert [one["ok"] for one in answers] == [True, True, True, False, True]
    assert "the zones are Hall, Gallery, Yard, Moat" in json.dumps(answers[3])
    places = {who: one["at"] for who, one in answers[4]["state"]["combatants"].items()}
    assert places == {"ash": "Hall", "orc": "Yard"}
