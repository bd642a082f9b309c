"""Foes on the fight screen: what the bar suggests, Enter fills in the panel, and one key lets them act."""

import pytest
from desk import at_desk
from stagehand import SMALL, WIDE, advance_to, ford, playing

from fightcall.flows.drafts import join_data, join_of
from fightcall.show import replay_page
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.base import Hex
from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Style
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.story import player_view

pytestmark = pytest.mark.slow
SPEAR = {"name": "spear", "kind": "melee", "needs": 11, "dice": "d20", "damage": "d6"}


def deeds(fight, start):
    """The types of the commands since an entry, and who gave them."""
    line = fight.line
    commands = [line.entry(at).command for at in range(start, line.entry_count())]
    return [(command["type"], command.get("who", "")) for command in commands]


# The suggestion


async def test_the_bar_suggests_an_act_and_enter_fills_in_its_panel(tmp_path):
    """At the table 1: pressing Enter once too often does nothing to the fight, it only opens the next panel."""
    async with playing(advance_to(ford(), "missile", "foe"), tmp_path) as play:
        for size in (WIDE, SMALL):
            await play.pilot.resize_terminal(*size)
            await play.drawn()
            assert "⏎ Goblin 1 shoots at Paul with javelin (40 %)" in play.said
            await play.nothing("enter")
            assert "Goblin 1 shoots at Paul with javelin" in play.text("exchange")
            assert ", and the next foe" in play.text("exchange")
            await play.nothing("escape")
        entry = await play.give("enter", "enter")
        assert entry.command["type"] == "Strike"
        assert (entry.command["who"], entry.command["target"]) == ("goblin-1", "paul")
        await play.nothing("enter")
        assert "Goblin 2" in play.text("exchange")


async def test_enter_plans_the_suggested_walk_which_can_still_be_changed():
    async with at_desk(advance_to(ford(), "move", "foe")) as play:
        assert "Goblin 1 moves to " in play.said
        place = play.said.partition("Goblin 1 moves to ")[2].partition(",")[0]
        await play.nothing("enter")
        assert f"go to {place}" in play.said
        entry = await play.give("enter")
        assert (entry.command["type"], entry.command["who"]) == ("Move", "goblin-1")
        assert play.state.board.name_of(play.one("goblin-1").at) == place
        await play.press("u", "enter", "backspace", "enter")
        assert play.state.board.name_of(play.one("goblin-1").at) != place


async def test_enter_is_the_suggestions_while_a_cue_says_something():
    fight = start_fight(load_encounter("a-first-turn"), id="first", seed="3")
    fight.give("start")
    async with at_desk(fight) as play:
        assert "The robbers are yours to play" in play.said
        assert "⏎ Robber 1 moves to" in play.said
        assert "noted" not in play.said
        await play.nothing("enter")
        assert "go to" in play.said


async def test_nothing_is_suggested_for_the_players_and_enter_never_acts_unseen():
    fight = advance_to(ford(), "meeting", "foe")
    async with at_desk(fight) as play:
        assert "w Goblin 1: pass: nothing better to do" in play.said
        await play.nothing("enter")
        assert "Done" in play.said
        advance_to(fight, "missile")
        await play.settle()
        assert "shoots at" not in play.said
        await play.nothing("enter")
        assert "No foe acts now" in await play.nothing(",")


# Let the foes act


async def test_one_key_lets_them_act_each_by_an_entry_of_its_own_and_any_key_stops_them():
    fight = advance_to(ford(), "missile", "foe")
    start = fight.line.entry_count()
    async with at_desk(fight) as play:
        play.send(",")
        play.send("x")
        await play.settle()
        assert 0 < len(deeds(fight, start)) < 4
        assert "The foes stop: stopped" in play.said
        await play.press(",")
        who = ["goblin-1", "goblin-2", "goblin-3", "archer"]
        assert deeds(fight, start) == [("Strike", each) for each in who]
        assert play.state.step.id == "move.party"
        after_all = play.state
        await play.press("u")
        assert deeds(fight, start) == [("Strike", each) for each in who[:3]]
        await play.press(",")
        assert play.state == after_all


async def test_they_stop_where_the_gm_is_needed():
    """At a die that the table rolls, at a cue, and when one of the party goes down."""
    fight = advance_to(ford(), "missile", "foe")
    begins, start = fight.head_number, fight.line.entry_count()
    async with at_desk(fight) as play:
        fight.give("configure", setting="dice", value="table")
        await play.press(",")
        assert deeds(fight, start + 1) == []
        assert "d20" in play.said + play.text("exchange")
        await play.press("escape")
        assert play.state.step.id == "missile.foe"

        fight.jump(begins)
        fight.give("cue", when={"acts": "goblin-2"}, then={"say": "The horn sounds"})
        await play.press(",")
        assert "✓ Goblin 2" in play.said
        assert play.said.count("The horn sounds") == 1
        assert deeds(fight, start + 1) == [("Strike", "goblin-1"), ("Strike", "goblin-2")]

        fight.jump(begins)
        for who in ("ysolde", "brand", "paul"):
            fight.give("adjust", who=who, what="hp", value=1)
        await play.press(",")
        (fallen,) = [each.name for each in play.state.combatants.values() if not each.able]
        assert f"The foes stop: {fallen} is down" in play.said


async def test_their_last_deed_is_told_with_what_it_leads_to():
    fight = start_fight(load_encounter("first-segment"), id="first", seed="4")
    fight.give("start")
    for who, face in (("pell", 9), ("berit", 2)):
        fight.give("rollinitiative", who=who, rolls={"initiative": [face]})
    async with at_desk(fight) as play:
        await play.press(",")
        assert "Pell declares: strike Berit with longsword" in play.said


async def test_in_slots_a_selected_foe_is_suggested_what_the_open_offer_lets_it_do():
    fight = start_fight(load_encounter("fire-at-the-playhouse"), id="fire", seed="3")
    fight.give("start")
    while not any(prompt.kind == "npc" for prompt in fight.state.prompts):
        prompt = fight.state.asked_first
        fight.give("advance") if prompt is None else fight.give("answer", prompt=prompt.id)
    async with at_desk(fight) as play:
        label = play.one("usher-1").label
        assert "Usher 1: cudgel at" not in play.said
        await play.press("'", label)
        assert "⏎ Usher 1: cudgel at" in play.said
        await play.nothing("enter")
        assert "Usher 1: cudgel at Leading man" in play.text("exchange")
        entry = await play.give("h", "enter")
        assert (entry.command["type"], entry.command["hit"]) == ("Npc", True)


# Keys


def goblins(count=8):
    """A Moment of goblins in front of three of the party."""
    tall, small = {"hp": 30, "strikes": [SPEAR]}, {"hp": 7, "strikes": [SPEAR]}
    party = [Join(name=name, side="party", at=Hex(at, 3), sheet=tall) for at, name in enumerate(("Ash", "Bo", "Cy"), 3)]
    foes = [
        Join(name=f"Goblin {at}", side="foe", squad="goblin", at=Hex(at, 6), sheet=small) for at in range(1, count + 1)
    ]
    return Fight.new("stage", seed="3", board=HexBoard(16, 10), joins=[*party, *foes])


def in_melee():
    """Eight goblins around three of the party, at the goblins' half of Melee."""
    fight = goblins()
    fight.give("start")
    places = {"cy": (9, 3), "bo": (6, 3), "ash": (3, 3)}
    beside = [(2, 3), (4, 3), (5, 3), (7, 3), (8, 3), (10, 3), (3, 2), (6, 2)]
    for who, at in (*places.items(), *((f"goblin-{at}", place) for at, place in enumerate(beside, 1))):
        fight.give("place", who=who, at=list(at))
    return advance_to(fight, "melee", "foe")


async def test_a_round_of_goblins_takes_three_keys_if_they_act_by_themselves():
    """However many they are: Missile passes by itself, all walk by one key, and all strike by one."""
    fight = advance_to(goblins(5), "move", "foe")
    start = fight.line.entry_count()
    async with at_desk(fight, (140, 40)) as play:
        await play.press(",")
        assert {who for kind, who in deeds(fight, start) if kind == "Move"} == {f"goblin-{at}" for at in range(1, 6)}
        await play.press(">")
        start = fight.line.entry_count()
        await play.press(",")
        struck = [who for kind, who in deeds(fight, start) if kind == "Strike"]
        assert len(struck) == len(set(struck)) > 3


async def test_eight_strikes_take_nine_keys_if_the_gm_looks_at_each():
    fight = in_melee()
    start = fight.line.entry_count()
    async with at_desk(fight, (140, 40)) as play:
        await play.press("enter", *"," * 8)
        assert deeds(fight, start) == [("Strike", f"goblin-{at}") for at in range(1, 9)]
        await play.press("u")
        assert len(deeds(fight, start)) == 7


# Saying how they fight


async def test_the_toolbox_says_how_a_whole_squad_fights_and_players_see_nothing_of_it():
    fight = advance_to(ford(), "missile", "foe")
    async with at_desk(fight) as play:
        await play.press("!", "f", "enter")
        assert "pack: attacks whom its friends attack" in play.words("feed")
        await play.give("p")
        assert {play.one(f"goblin-{at}").fights.word for at in (1, 2, 3)} == {"pack"}
        assert play.one("archer").fights.word == "bold"
        await play.press("u")
        assert play.one("goblin-1").fights.word == "bold"
        await play.press("!", "f", "enter", "r", play.one("archer").label)
        assert play.one("goblin-1").fights == Style("protects", "archer")

        fight.give("set_style", targets=["goblin-1"], word="coward")
        before = player_view(fight.state, fight.system)
        await play.settle()
        assert "⏎ Goblin 1" in play.said
        assert player_view(fight.state, fight.system) == before
        await play.press(",")
    for for_gm in (False, True):
        page = replay_page(fight, for_gm=for_gm)
        assert ("coward" in page) is for_gm
        assert "nearest" not in page
        assert "⏎" not in page


def test_the_form_of_the_set_up_reads_and_writes_how_somebody_fights():
    system = find_system("stage")
    join, _ = join_of({"name": "Orc", "fights": "protects Chief"}, system)
    assert join_data(join)["fights"] == "protects Chief"
    with pytest.raises(BadInput, match="fights: 'brave' isn't understood"):
        join_of({"name": "Orc", "fights": "brave"}, system)
