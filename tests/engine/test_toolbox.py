"""The GM's toolbox: swaps, sides, summons, copies, shared damage, painted ground, skipped time and the next map."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.board.base import Square, Terrain
from fightcall_engine.board.kinds import HexBoard, SquareBoard
from fightcall_engine.board.zones import Border, Zone, ZoneBoard
from fightcall_engine.headless import Session
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import BoardChanged, DamageApplied, DiceRolled, GroundHurt, LeftFight
from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.chart import Reel
from fightcall_engine.play.codec import state_from_json
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.lanes import summary_of
from fightcall_engine.play.story import player_view, public_events

SYSTEMS = ("stage", "slots", "turns", "segments")
HEALTH = {"stage": "hp", "slots": "hp", "turns": "hp", "segments": "endurance"}
SHEETS = {"stage": {"hp": 10}, "slots": {"hp": 10}, "turns": {"hp": 10}, "segments": {"str": 1.0, "agl": 10}}
HEXES = HexBoard(8, 6, terrain={}, legend={"mud": Terrain("mud", "~", cost=2)})
SQUARES = SquareBoard(8, 6)
ZONES = ZoneBoard(
    (Zone("Hall", 0, 0), Zone("Loft", 1, 0), Zone("Yard", 2, 0)), (Border("Hall", "Loft"), Border("Loft", "Yard"))
)
BOARDS = {"hex": HEXES, "square": SQUARES, "zone": ZONES}
PLACES = {"hex": ("B2", "D2", "G5"), "square": ("B2", "D2", "G5"), "zone": ("Hall", "Loft", "Yard")}
EVERYWHERE = pytest.mark.parametrize("kind", BOARDS)
EVERY_SYSTEM = pytest.mark.parametrize("system", SYSTEMS)


def fight_of(system="stage", kind="hex", **more):
    """Ash and Brand of the party, and an orc, on a board of this kind."""
    fight = Fight.new(system, seed="7", board=BOARDS[kind], **more)
    for name, side, at in zip(("Ash", "Brand", "Orc"), ("party", "party", "foe"), PLACES[kind], strict=True):
        fight.give("join", name=name, side=side, at=at, sheet=SHEETS[system])
    return fight


def begun(system="stage", kind="hex", **more):
    fight = fight_of(system, kind, **more)
    fight.give("start")
    return fight


def told(fight):
    """What the log says of the last entry."""
    before = fight.line.seek(fight.line.span(fight.line.entry_count() - 1)[0])
    return [phrase.text for _, phrase, _ in _phrases(fight, before)]


def _phrases(fight, before):
    from fightcall_engine.kit.phrases import phrase
    from fightcall_engine.model.fold import evolve

    for event in fight.head.events:
        said = phrase(fight.system, event, before)
        if said is not None:
            yield event, said, before
        before = evolve(before, event)


def same_but_for_serial(state, other):
    """Whether two states differ in nothing but the numbers given to effects and prompts."""
    return replace(state, serial=0) == replace(other, serial=0)


# Swap


@EVERYWHERE
@EVERY_SYSTEM
def test_two_trade_places_and_twice_is_nothing(system, kind):
    fight = begun(system, kind)
    before = fight.state
    fight.give("swap", who="ash", target="orc")
    assert fight.state.combatants["ash"].at == before.combatants["orc"].at
    assert fight.state.combatants["orc"].at == before.combatants["ash"].at
    assert list(filter(None, told(fight)))[:1] == ["The GM swaps Ash and Orc"]
    fight.give("swap", who="orc", target="ash")
    assert same_but_for_serial(fight.state, before)


def test_nobody_trades_places_with_itself():
    fight = fight_of()
    with pytest.raises(Refused, match="itself"):
        fight.give("swap", who="ash", target="ash")


# Sides


@EVERY_SYSTEM
def test_a_side_of_any_name_and_back(system):
    fight = begun(system)
    before = fight.state
    fight.give("change_side", who="brand", side="City Watch")
    assert fight.state.combatants["brand"].side == "city watch"
    assert fight.state.are_foes("brand", "ash")
    assert fight.state.are_foes("brand", "orc")
    fight.give("change_side", who="brand", side="party")
    assert same_but_for_serial(fight.state, before)


@EVERY_SYSTEM
def test_everybody_of_a_third_side_stands_in_the_roster_and_gets_to_act(system):
    """A third party: it has a half, a band or a turn like everybody else."""
    fight = fight_of(system)
    fight.give("change_side", who="brand", side="watch")
    fight.give("start")
    assert "brand" in {one for group in fight.system.groups(fight.state) for one in group.members}
    for _ in range(80):
        if "brand" in fight.system.waiting(fight.state) or any(
            option.legal and option.action not in ("note",) for option in fight.options("brand")
        ):
            return
        blocking = next((one for one in fight.state.prompts if one.blocking), None)
        if blocking is None:
            fight.give("advance")
        else:
            choice = blocking.default or (blocking.choices[0].id if blocking.choices else "")
            fight.give("answer", prompt=blocking.id, choice=choice, **({} if choice else {"amount": 5}))
    raise AssertionError("Brand never gets to act")


def test_a_charm_ends_by_itself_and_undo_takes_it_back():
    fight = begun("stage")
    fight.give("change_side", who="orc", side="party", rounds=1)
    assert fight.state.combatants["orc"].side == "party"
    charmed = fight.state
    while fight.state.round == 1:
        fight.give("advance")
    assert fight.state.combatants["orc"].side == "foe"
    assert fight.state.combatants["orc"].effects == ()
    fight.jump(charmed and fight.head_number)
    while fight.state.combatants["orc"].side == "foe":
        fight.undo()
    assert fight.state.combatants["orc"].side == "party"


def test_a_charm_that_is_ended_by_hand_gives_the_side_back():
    fight = begun("turns")
    fight.give("change_side", who="orc", side="party", rounds=3)
    (effect,) = fight.state.combatants["orc"].effects
    fight.give("end_effect", who="orc", effect=effect.id)
    assert fight.state.combatants["orc"].side == "foe"


@pytest.mark.parametrize("side", ["", "  ", "x" * 41, "a\nb"])
def test_what_is_no_name_of_a_side_is_refused(side):
    fight = fight_of()
    with pytest.raises(Refused, match="can't be a side"):
        fight.give("change_side", who="orc", side=side)


# Summons


@EVERY_SYSTEM
def test_a_wolf_for_two_rounds_leaves_when_the_time_is_skipped(system):
    fight = begun(system)
    fight.give("join", name="Wolf", side="party", sheet=SHEETS[system], rounds=2)
    assert "wolf" in fight.state.combatants
    fight.give("skip_time", seconds=600)
    assert "wolf" not in fight.state.combatants
    assert any(isinstance(event, LeftFight) and event.who == "wolf" for event in fight.head.events)
    fight.undo()
    assert "wolf" in fight.state.combatants


def test_who_leaves_when_the_time_is_up_loses_its_work_in_the_log_too():
    """AP-36: a system's own handling of a departure is used (put right 16)."""
    fight = begun("slots")
    fight.give("join", name="Helper", side="party", sheet={"hp": 5}, rounds=1)
    fight.give("begin", who="helper", ability="dig", needed=9, pay=1, force=True)
    entry = fight.give("skip_time", seconds=600)
    types = [event.type for event in entry.events]
    assert types[-2:] == ["MultiRoundLost", "LeftFight"]


# Copies


@EVERYWHERE
@EVERY_SYSTEM
def test_a_copy_has_the_sheet_the_side_and_the_effects(system, kind):
    fight = begun(system, kind)
    fight.give("add_effect", who="orc", name="on fire", rounds=3)
    fight.give("copy", who="orc", count=2)
    copies = [one for one in fight.state.roster if one.name.startswith("Orc ")]
    orc = fight.state.combatants["orc"]
    assert len(copies) == 2
    for copy in copies:
        assert (copy.side, copy.sheet, copy.pools) == (orc.side, orc.sheet, orc.pools)
        assert [effect.name for effect in copy.effects] == ["on fire"]
    assert len({effect.id for one in (orc, *copies) for effect in one.effects}) == 3


@pytest.mark.parametrize(
    ("system", "effect"),
    [
        ("slots", {"name": "knitting", "kind": "heal", "amount": 1}),
        ("turns", {"name": "knitting", "polarity": "positive"}),
    ],
)
def test_a_copy_has_no_effect_of_its_sheet_twice_nor_one_that_is_over(system, effect):
    """Found by keys: the copy of The Last Tram's conductor healed at twice its speed."""
    fight = fight_of(system)
    sheet = {**fight.state.combatants["orc"].sheet, "effects": [effect]}
    fight.give("join", name="Ogre", side="foe", sheet=sheet)
    fight.give("start")
    while not fight.state.round:
        fight.do(fight.next_call().command)
    fight.give("copy", who="ogre")
    assert fight.state.combatants["ogre-2"].name == "Ogre 2"
    assert [each.name for each in fight.state.combatants["ogre-2"].effects] == ["knitting"]
    fight.give("endeffect", who="ogre", effect="knitting")
    fight.give("copy", who="ogre")
    assert fight.state.combatants["ogre-3"].effects == ()


def test_a_copy_of_who_acts_has_no_slots_yet():
    """AP-12 with at the table 3: slots are granted when its own Active Phase begins."""
    fight = fight_of("slots")
    fight.give("start")
    for _ in range(40):
        acting = [one for one in fight.state.combatants.values() if one.pool("slots").now]
        if acting:
            break
        fight.do(fight.next_call().command)
    original = acting[0]
    fight.give("copy", who=original.id)
    copy = fight.state.combatants[f"{original.id}-2"]
    assert (copy.pool("slots").now, copy.pool("slots").max) == (0, original.pool("slots").max)
    assert fight.state.combatants[original.id].pool("slots") == original.pool("slots")


def test_a_slime_splits_and_loses_what_its_half_gets():
    fight = begun("stage")
    fight.give("copy", who="orc", pools={"hp": 4}, split=True)
    assert fight.state.combatants["orc"].pools["hp"].now == 6
    assert fight.state.combatants["orc-2"].pools["hp"].now == 4
    original, half = fight.state.combatants["orc"], fight.state.combatants["orc-2"]
    assert fight.state.board.distance(original.at, half.at) == 1, "it stands next to the original"
    with pytest.raises(Refused, match="Orc has 6"):
        fight.give("copy", who="orc", pools={"hp": 7}, split=True)
    with pytest.raises(Refused, match="no pool 'luck'"):
        fight.give("copy", who="orc", pools={"luck": 7})


def test_mirror_images_vanish_after_their_rounds():
    fight = begun("stage")
    fight.give("copy", who="ash", count=3, pools={"hp": 1}, rounds=1)
    assert sum(one.side == "party" for one in fight.state.roster) == 5
    while fight.state.round == 1:
        fight.give("advance")
    assert sum(one.side == "party" for one in fight.state.roster) == 2


# Damage to several


@EVERY_SYSTEM
def test_one_roll_hurts_several_and_half_those_who_save(system):
    fight = begun(system)
    entry = fight.give(
        "area_damage", targets=["ash", "brand"], halved=["brand"], amount="2d6", by="orc", rolls={"damage": [3, 4]}
    )
    rolls = [event for event in entry.events if isinstance(event, DiceRolled)]
    hurt = {event.who: event for event in entry.events if isinstance(event, DamageApplied)}
    assert len(rolls) == 1
    assert {who: (event.amount, event.by, event.half) for who, event in hurt.items()} == {
        "ash": (7, "orc", False),
        "brand": (3, "orc", True),
    }
    assert [line for line in told(fight) if "half" in line], "at the table 3: the log says who took half"
    assert summary_of(fight, for_gm=True).phases[-1].dealt == {"foe": 10}


@EVERYWHERE
def test_everybody_in_an_area_is_hurt(kind):
    fight = begun("turns", kind)
    first, second, _ = PLACES[kind]
    entry = fight.give("area_damage", area=[first, second], amount=4)
    assert {event.who for event in entry.events if isinstance(event, DamageApplied)} == {"ash", "brand"}
    fight.give("paint", places=[first], terrain="ice")
    entry = fight.give("area_damage", terrain="ice", amount=1)
    assert {event.who for event in entry.events if isinstance(event, DamageApplied)} == {"ash"}
    with pytest.raises(Refused, match="no one is there"):
        fight.give("area_damage", terrain="lava", amount=1)
    with pytest.raises(Refused, match="name at least one target"):
        fight.give("area_damage", amount=1)
    with pytest.raises(Refused, match="Orc isn't a target"):
        fight.give("area_damage", targets=["ash"], halved=["orc"], amount=1)


# Ground


@EVERYWHERE
@EVERY_SYSTEM
def test_the_bridge_burns_and_stands_again(system, kind):
    fight = begun(system, kind)
    first, *_ = PLACES[kind]
    before = fight.state
    fight.give("paint", places=[first], terrain="fire", cost=2, blocks_sight=True, harm="d4")
    ground = fight.state.board.terrain_at(fight.state.combatants["ash"].at)
    assert (ground.name, ground.cost, ground.blocks_sight, ground.harm) == ("fire", 2, True, "d4")
    assert fight.state.plan == before.board
    restored = state_from_json(json.loads(json.dumps(to_json(fight.state))))
    assert restored == fight.state
    fight.give("paint", places=[first])
    assert fight.state.board.terrain_at(fight.state.combatants["ash"].at) == before.board.terrain_at(
        before.combatants["ash"].at
    )


def test_fire_burns_who_walks_into_it_and_who_stands_in_it():
    fight = begun("turns", "square")
    fight.give("paint", places=["C2"], terrain="fire", harm="2", harm_at="enter")
    fight.give("paint", places=["D2"], terrain="acid", harm="d4", harm_at="round")
    fight.give("move", who="ash", path=["C2"], force=True)
    assert [(event.who, event.ground) for event in fight.head.events if isinstance(event, GroundHurt)] == [
        ("ash", "fire")
    ]
    assert [event.amount for event in fight.head.events if isinstance(event, DamageApplied)] == [2]
    stage = begun("stage", "square")
    stage.give("paint", places=["D2"], terrain="acid", harm="3", harm_at="round")
    while stage.state.round == 1:
        stage.give("advance")
    assert stage.state.combatants["brand"].pools["hp"].now == 7
    assert stage.state.combatants["ash"].pools["hp"].now == 10


def test_a_wall_stops_and_a_door_opens():
    fight = begun("stage", "hex")
    fight.give("paint", places=["C2"], terrain="wall", blocks=True, blocks_sight=True)
    assert fight.state.board.cost_of(fight.state.board.parse("C2")) is None
    fight.give("paint", places=["C2"], terrain="open")
    assert fight.state.board.cost_of(fight.state.board.parse("C2")) == 1
    zones = begun("stage", "zone")
    zones.give("set_passage", zone="hall", other="loft", kind="door")
    assert not zones.state.board.sight("Hall", "Loft").clear
    zones.give("set_passage", zone="hall", other="loft", kind="none")
    assert zones.state.board.neighbours("Hall") == ()
    with pytest.raises(Refused, match="already connected"):
        zones.give("set_passage", zone="hall", other="loft", kind="none")
    with pytest.raises(BadInput, match="isn't a zone"):
        zones.give("set_passage", zone="hall", other="attic")
    with pytest.raises(Refused, match="no zones"):
        fight.give("set_passage", zone="B2", other="C2")


def test_what_cannot_be_painted_is_refused():
    fight = begun("stage", "hex")
    for wrong, words in (
        ({"places": ["Z99"], "terrain": "mud"}, "is not on the map"),
        ({"places": [], "terrain": "mud"}, "name at least one place"),
        ({"places": ["C2"], "terrain": "open"}, "nothing would change"),
        ({"places": ["C2"], "terrain": "open", "cost": 2}, "can't be changed"),
        ({"places": ["C2"], "terrain": "bog", "harm": "lots"}, "dice expression"),
    ):
        with pytest.raises((Refused, BadInput), match=words):
            fight.give("paint", **wrong)
    bare = Fight.new("stage", seed="1")
    bare.give("join", name="Ash")
    with pytest.raises(Refused, match="no board"):
        bare.give("paint", places=["C2"], terrain="mud")


# Time


@EVERY_SYSTEM
def test_ten_minutes_pass(system):
    fight = begun(system)
    fight.give("add_effect", who="ash", name="blessed", rounds=3)
    fight.give("add_effect", who="brand", name="cursed")
    before = fight.state.clock_s
    fight.give("skip_time", seconds=600)
    assert fight.state.clock_s == before + 600
    assert fight.state.combatants["ash"].effects == ()
    assert [effect.name for effect in fight.state.combatants["brand"].effects] == ["cursed"]
    assert told(fight)[:2] == ["10 minutes later", "Ash: blessed ends (time is up)"]
    assert "10 minutes later" in [line.text for shot in Reel(fight).shots for line in shot.lines]
    fight.undo()
    assert [effect.left for effect in fight.state.combatants["ash"].effects] == [3]


def test_the_next_map_warns_of_an_open_question_and_drops_it_if_the_gm_insists():
    """At the table 3: the GM decides that the fight moves on; nothing is lost unsaid."""
    fight = begun("slots")
    while fight.state.asked_first is None or not fight.state.asked_first.blocking:
        fight.give("advance")
    asked = fight.state.asked_first
    along = [each.id for each in fight.state.roster]
    with pytest.raises(Refused, match="moving to another map drops an open question"):
        fight.give("change_map", board=to_json(SQUARES), along=along)
    fight.give("change_map", board=to_json(SQUARES), along=along, force=True)
    assert fight.state.prompt(asked.id) is None


def test_a_short_time_takes_a_part_of_a_duration_and_cues_hear_of_it():
    fight = begun("segments")
    fight.give("add_effect", who="ash", name="blessed", rounds=5)
    fight.give("cue", when={"clock_s": 20}, then={"say": "The guard arrives."})
    fight.give("skip_time", seconds=25)
    assert [effect.left for effect in fight.state.combatants["ash"].effects] == [3]
    assert "The guard arrives." in [prompt.question for prompt in fight.state.prompts]
    for seconds in (0, -5, 10**9):
        with pytest.raises(Refused, match="seconds"):
            fight.give("skip_time", seconds=seconds)
    with pytest.raises(Refused, match="hasn't started"):
        fight_of("segments").give("skip_time", seconds=60)


# The next map


@EVERYWHERE
@EVERY_SYSTEM
def test_the_fight_goes_on_elsewhere_and_is_read_again(system, kind, tmp_path):
    """On a board of every kind, from one of every kind, in one file."""
    fight = fight_of(system, kind, path=tmp_path / "fight.jsonl")
    fight.give("damage", who="ash", amount=2)
    fight.give("cue", when={"enters": PLACES[kind][2]}, then={"say": "The trap snaps."})
    left = fight.state
    for there in BOARDS:
        first, second, third = PLACES[there]
        fight.give(
            "change_map",
            board=to_json(BOARDS[there]),
            name="the next room",
            along=["ash", "brand"],
            places={"ash": first, "brand": second},
            joins=[{"name": f"Guard {there}", "side": "foe", "at": third, "sheet": SHEETS[system]}],
        )
        assert fight.state.board == BOARDS[there]
        assert set(fight.state.combatants) == {"ash", "brand", f"guard-{there}"}
        assert fight.state.board.name_of(fight.state.combatants["ash"].at) == first
        assert fight.state.combatants["ash"].pools == left.combatants["ash"].pools
        assert fight.state.cues == ()
        fight.give("note", text="They catch their breath.")
    live, events = fight.state, [entry.events for entry in fight.line.entries]
    fight.close()
    again = Fight.open(tmp_path / "fight.jsonl")
    assert again.state == live
    assert [entry.events for entry in again.line.entries] == events
    while again.state.combatants.keys() != left.combatants.keys():
        again.undo()
    assert again.state.board == BOARDS[kind]
    again.close()


def test_there_and_back_changes_only_who_stayed():
    fight = begun("stage", "hex")
    before = fight.state
    everybody = ["ash", "brand", "orc"]
    fight.give("change_map", board=to_json(SQUARES), along=everybody)
    places = dict(zip(everybody, PLACES["hex"], strict=True))
    fight.give("change_map", board=to_json(HEXES), along=everybody, places=places)
    assert same_but_for_serial(fight.state, before)


def test_who_comes_back_on_another_map_has_no_place_there():
    """At the table 3: `! b` after `! n`: a place of the old map means nothing on the new one."""
    fight = begun("stage", "zone")
    fight.give("change_map", board=to_json(SQUARES), along=["ash"], places={"ash": "A1"})
    assert [each.combatant.at for each in fight.state.departed.values()] == [None, None]
    assert state_from_json(json.loads(json.dumps(to_json(fight.state)))) == fight.state
    fight.give("join", name="Brand", id="brand", at="B2")
    assert fight.state.board.name_of(fight.state.combatants["brand"].at) == "B2"
    fight.undo(2)
    assert fight.state.combatants["brand"].at == "Loft"


def test_who_may_change_the_map():
    fight = begun("stage", "hex")
    with pytest.raises(Refused, match="name at least one combatant to bring along"):
        fight.give("change_map", board=to_json(SQUARES))
    with pytest.raises(BadInput, match="board"):
        fight.give("change_map", board={"kind": "cube"}, along=["ash"])
    with pytest.raises(BadInput, match="places"):
        fight.give("change_map", board=to_json(ZONES), along=["ash"], places={"ash": "Attic"})


# The protocol, and what players see


def test_players_hear_of_the_new_map_and_not_of_hidden_ones():
    fight = begun("stage", "hex")
    fight.give("join", name="Spy", side="foe", hidden=True, at="F5")
    quiet = []
    for name, fields in (
        ("change_side", {"who": "spy", "side": "watch"}),
        ("swap", {"who": "spy", "target": "spy-2"}),
        ("copy", {"who": "spy"}),
        ("area_damage", {"targets": ["spy"], "amount": 1}),
    ):
        if name == "swap":
            fight.give("join", name="Spy 2", id="spy-2", side="foe", hidden=True, at="G4")
        before, shown = fight.state, player_view(fight.state, fight.system)
        entry = fight.give(name, **fields)
        quiet += public_events(entry.events, before)
        assert player_view(fight.state, fight.system) == shown
    assert quiet == []
    before = fight.state
    entry = fight.give("change_map", board=to_json(SQUARES), name="the crypt", along=["ash"], places={"ash": "A1"})
    (board,) = [event for event in public_events(entry.events, before) if event["type"] == "BoardChanged"]
    assert board["text"] == "The fight moves to the crypt"
    assert board["board"]["kind"] == "square"
    assert "Spy" not in json.dumps(public_events(entry.events, before))


def test_the_protocol_knows_the_toolbox():
    session = Session()
    assert session.answer({"do": "open", "system": "turns", "seed": "3", "board": to_json(HEXES)})["ok"]
    for request in (
        {"do": "add", "name": "Ash", "at": "B2", "sheet": {"hp": 9}},
        {"do": "add", "name": "Orc", "side": "foe", "at": "D2"},
        {"do": "swap", "who": "ash", "target": "orc"},
        {"do": "change_side", "who": "Orc", "side": "watch"},
        {"do": "paint", "places": ["C3"], "terrain": "mud"},
        {"do": "copy", "who": "orc"},
        {"do": "start"},
        {"do": "skip", "seconds": 120},
        {"do": "map", "along": ["Ash"]},
    ):
        reply = session.answer(request)
        assert reply["ok"], reply
    changed = [event["type"] for event in reply["events"]]
    assert BoardChanged.type in changed
    state = session.answer({"ask": "state"})["state"]
    assert set(state["combatants"]) == {"ash"}


@given(
    st.lists(
        st.sampled_from(("swap", "side", "back", "paint", "unpaint", "copy", "skip", "hurt", "map", "undo", "redo")),
        max_size=12,
    )
)
def test_anything_of_the_toolbox_in_any_order_can_be_folded_undone_and_read(steps):
    fight = begun("turns", "square")
    for step in steps:
        try:
            match step:
                case "swap":
                    fight.give("swap", who="ash", target="brand")
                case "side":
                    fight.give("change_side", who="brand", side="watch", rounds=1)
                case "back":
                    fight.give("change_side", who="brand", side="party")
                case "paint":
                    fight.give("paint", places=["C3", "D4"], terrain="fire", harm="d4", harm_at="round")
                case "unpaint":
                    fight.give("paint", places=["C3"])
                case "copy":
                    fight.give("copy", who="brand", rounds=2)
                case "skip":
                    fight.give("skip_time", seconds=60)
                case "hurt":
                    fight.give("area_damage", area=["B2", "C3"], amount="d4")
                case "map":
                    fight.give("change_map", board=to_json(HEXES), along=["ash", "brand"], places={"ash": "C3"})
                case "undo":
                    fight.undo()
                case "redo":
                    fight.redo()
        except (Refused, BadInput):
            continue
        assert state_from_json(json.loads(json.dumps(to_json(fight.state)))) == fight.state
        count = fight.line.entry_count()
        assert fight.line.seek(fight.line.span(count - 1)[1] if count else 0) == fight.state
    square = fight.state.board.cell is Square
    assert all(one.at is None or isinstance(one.at, Square) is square for one in fight.state.roster)
