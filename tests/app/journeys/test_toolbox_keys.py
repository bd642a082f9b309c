"""The GM's toolbox by keys: each row takes at most six besides names and numbers, and is told, shown and undone."""

import pytest
from counting import Journey
from desk import at_desk
from stagehand import advance_to, ford, playing

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.lanes import summary_of
from fightcall_engine.play.story import player_view

SIZE = (140, 40)
MOST = 6
"""Keys besides names and numbers."""


class Tools(Journey):
    """Hands on the toolbox: words and numbers that are typed are not counted."""

    async def type(self, text):
        """Type a name, a label, a place or a number."""
        for letter in text:
            await self.play.press("space" if letter == " " else letter)


def label(play, who):
    return play.one(who).label


def seen(play):
    """What players see of everybody, by their id."""
    return {one["id"]: one for one in player_view(play.state, play.fight.system)["combatants"]}


async def log(play):
    """The words of the log."""
    await play.drawn()
    return play.words("feed")


async def test_somebody_is_put_elsewhere_by_the_name_of_the_place():
    async with at_desk(advance_to(ford(), "move"), size=SIZE) as play:
        tools = Tools(play)
        await tools.press("!", "p")
        await tools.type(label(play, "goblin-1"))
        await tools.type("c3")
        await tools.press("enter")
        board = play.state.board
        assert board.name_of(play.one("goblin-1").at) == "C3"
        assert tools.keys <= MOST
        assert "Goblin 1 moved to C3" in await log(play)
        assert seen(play)["goblin-1"]["at"] == list(board.parse("C3"))
        before = play.one("goblin-1").at
        await play.press("u")
        assert play.one("goblin-1").at != before


async def test_somebody_is_put_off_the_board():
    async with at_desk(advance_to(ford(), "move"), size=SIZE) as play:
        await play.press("!", "p", label(play, "goblin-1"), "-")
        assert play.one("goblin-1").at is None


async def test_two_swap_places():
    async with at_desk(advance_to(ford(), "move"), size=SIZE) as play:
        before = {who: play.one(who).at for who in ("paul", "goblin-2")}
        tools = Tools(play)
        await tools.press("!", "x")
        await tools.type(label(play, "paul"))
        await tools.type(label(play, "goblin-2"))
        assert tools.keys <= MOST
        assert play.one("paul").at == before["goblin-2"]
        assert play.one("goblin-2").at == before["paul"]
        assert seen(play)["paul"]["at"] == list(before["goblin-2"])
        assert "The GM swaps Paul and Goblin 2" in play.words("feed")
        assert play.words("feed").count("by the GM") == 0


async def test_a_charm_for_three_rounds():
    async with at_desk(advance_to(ford(), "move"), size=SIZE) as play:
        tools = Tools(play)
        await tools.press("!", "s")
        await tools.type(label(play, "goblin-1"))
        await tools.type("party for 3")
        await tools.press("enter")
        assert tools.keys <= MOST
        assert play.one("goblin-1").side == "party"
        assert "Goblin 1 changes sides: party" in await log(play)
        assert seen(play)["goblin-1"]["side"] == "party"
        await play.press("!", "k")
        await Tools(play).type("3 min")
        await play.press("enter")
        assert play.one("goblin-1").side == "foe"


async def test_a_third_party_comes():
    async with at_desk(advance_to(ford(), "move"), size=SIZE) as play:
        tools = Tools(play)
        await tools.press("!", "s")
        await tools.type(label(play, "goblin-1"))
        await tools.type("city watch")
        await tools.press("enter")
        assert play.one("goblin-1").side == "city watch"
        assert "CITY WATCH" in play.text("roster")
        assert tools.keys <= MOST


async def test_somebody_leaves():
    async with at_desk(advance_to(ford(), "move"), size=SIZE) as play:
        tools = Tools(play)
        await tools.press("!", "l")
        await tools.type(label(play, "goblin-3"))
        assert "goblin-3" not in play.state.combatants
        assert tools.keys <= MOST
        assert "Goblin 3 leaves" in await log(play)
        assert "goblin-3" not in seen(play)


async def test_who_may_come_back_is_listed_with_the_wounds_left():
    """At the table 3: segments counts wounds upward, and someone unhurt was listed with 10/10 wounds."""
    fight = start_fight(load_encounter("the-withy-ford"), id="ford", seed="7")
    fight.give("start")
    fight.give("damage", who="benet", amount=3, pool=fight.system.health)
    async with at_desk(fight, size=SIZE) as play:
        await play.press("!", "l")
        await play.press(label(play, "benet"))
        await play.press("escape", "!", "b")
        assert "Benet (7 of 10 wounds left)" in play.said


@pytest.mark.parametrize("at", ["c3", ""])
async def test_somebody_comes_back_as_they_were(tmp_path, at):
    """At the table 3: who fled and comes back has the same wounds, effects and spent beats."""
    path = tmp_path / "ford.jsonl"
    async with playing(advance_to(ford(path), "move"), tmp_path, size=SIZE) as play:
        who = "paul"
        play.fight.give("damage", who=who, amount=3)
        play.fight.give("effect", who=who, name="cursed", rounds=3)
        play.fight.give("adjust", who=who, what="beats", value=1)
        before = play.one(who)
        await play.press("!", "l")
        await Tools(play).type(label(play, who))
        assert who not in play.state.combatants
        tools = Tools(play)
        await tools.press("!", "b", "p")
        await tools.type(at)
        await tools.press("enter")
        assert tools.keys <= MOST
        after = play.one(who)
        where = play.state.board.parse(at) if at else before.at
        assert (after.pools, after.effects, after.at) == (before.pools, before.effects, where)
        assert "Paul comes back" in await log(play)
        assert seen(play)[who]["at"] == list(where)
        live = play.state
        play.check()
        assert Fight.watch(path).state == live
        await play.press("u")
        assert who not in play.state.combatants


async def test_a_wolf_for_three_rounds(tmp_path):
    async with playing(advance_to(ford(), "move"), tmp_path, size=SIZE) as play:
        tools = Tools(play)
        await tools.press("J")
        await tools.type("Wolf party 5 for 3")
        await tools.press("enter")
        await tools.type("c3")
        await tools.press("enter")
        wolf = play.one("wolf")
        assert (wolf.side, wolf.pools["hp"].now) == ("party", 5)
        assert play.state.board.name_of(wolf.at) == "C3"
        assert tools.keys <= MOST
        await play.press("!", "k")
        await Tools(play).type("5 min")
        await play.press("enter")
        assert "wolf" not in play.state.combatants
        assert "Wolf leaves" in await log(play)


async def test_a_slime_splits():
    async with at_desk(advance_to(ford(), "move"), size=SIZE) as play:
        before = play.one("goblin-1").pools["hp"].now
        tools = Tools(play)
        await tools.press("!", "c")
        await tools.type(label(play, "goblin-1"))
        await tools.type("split 3 as Half")
        await tools.press("enter")
        twin = play.one("half")
        assert (twin.name, twin.pools["hp"].now) == ("Half", 3)
        assert play.state.board.distance(twin.at, play.one("goblin-1").at) == 1
        assert play.one("goblin-1").pools["hp"].now == before - 3
        assert twin.side == "foe"
        assert tools.keys <= MOST


async def test_a_thrown_table_hits_three_and_one_saves():
    async with at_desk(advance_to(ford(), "move"), size=SIZE) as play:
        tools = Tools(play)
        await tools.press("!", "d")
        for who in ("paul", "goblin-1", "goblin-2"):
            await tools.type(label(play, who))
        await tools.press("enter")
        await tools.type(f"4 by {label(play, 'goblin-3')}")
        await tools.press("enter")
        await tools.type(label(play, "paul"))
        await tools.press("enter")
        hurt = {event.who: event for event in play.fight.head.events if event.type == "DamageApplied"}
        assert {who: (event.amount, event.by) for who, event in hurt.items()} == {
            "paul": (2, "goblin-3"),
            "goblin-1": (4, "goblin-3"),
            "goblin-2": (4, "goblin-3"),
        }
        assert tools.keys <= MOST
        assert "Paul takes 2 damage from" in " ".join((await log(play)).split())
        assert summary_of(play.fight, for_gm=True).phases[-1].dealt == {"foe": 10}


async def test_damage_says_who_caused_it():
    """At the table 3: `d`, label, `7 by O`: the log and the summary credit the thrower."""
    async with at_desk(advance_to(ford(), "move"), size=SIZE) as play:
        tools = Tools(play)
        await tools.press("d")
        await tools.type(label(play, "paul"))
        await tools.type(f"3 by {label(play, 'goblin-3').lower()}")
        await tools.press("enter")
        (hurt,) = (event for event in play.fight.head.events if event.type == "DamageApplied")
        assert (hurt.who, hurt.amount, hurt.by) == ("paul", 3, "goblin-3")
        assert tools.keys <= MOST
        assert "Paul takes 3 damage from Goblin 3" in " ".join((await log(play)).replace("│", " ").split())
        assert summary_of(play.fight, for_gm=True).phases[-1].dealt == {"foe": 3}
        await play.press("d", label(play, "paul"), *"3 by x", "enter")
        assert "no one is named 'x'" in play.said
        await play.press("escape")


async def test_the_roof_falls_on_everyone_around_a_place():
    async with at_desk(advance_to(ford(), "move"), size=SIZE) as play:
        board, at = play.state.board, play.one("goblin-1").at
        there = [one.id for one in play.state.roster if one.at is not None and board.distance(at, one.at) <= 2]
        tools = Tools(play)
        await tools.press("!", "a")
        await tools.type(board.name_of(at).lower())
        await tools.press("enter")
        await tools.type("2")
        await tools.press("enter")
        await tools.type("1")
        await tools.press("enter", "enter")
        assert {event.who for event in play.fight.head.events if event.type == "DamageApplied"} == set(there)
        assert tools.keys <= MOST + 1, "the last Enter says that nobody saves"


async def test_the_bridge_burns_and_is_put_out():
    async with at_desk(advance_to(ford(), "move"), size=SIZE) as play:
        board = play.state.board
        tools = Tools(play)
        await tools.press("!", "t")
        await tools.type("fire")
        await tools.press("enter")
        await tools.type("c3")
        await tools.press(".")
        await tools.type("d3")
        await tools.press(".", "enter")
        painted = play.state.board
        assert [painted.terrain_at(painted.parse(name)).name for name in ("C3", "D3")] == ["fire", "fire"]
        assert painted.terrain_at(painted.parse("C3")).harm == "d6"
        assert tools.keys <= MOST
        assert "C3, D3: fire" in await log(play)
        await play.press("!", "t")
        await Tools(play).type("as before")
        await play.press("enter")
        await Tools(play).type("c3")
        await play.press(".")
        await Tools(play).type("d3")
        await play.press(".", "enter")
        assert play.state.board == board


async def test_on_a_floor_plan_the_tools_propose_what_is_possible(tmp_path):
    """At the table 3, found by keys: a zone joined to itself, a roof over two rooms, unmarked fire."""
    fight = start_fight(load_encounter("the-drowned-vault"), id="vault", seed="7")
    fight.give("start")
    async with playing(fight, tmp_path, size=SIZE) as play:
        first, *_ = board = list(fight.state.board.places())
        people = {each.id for each in fight.state.combatants.values() if each.at == first and not each.hidden}
        await play.press("'", label(play, next(iter(people))), "!", "o", "enter")
        assert f"⏎ {first}" not in play.said
        await play.press("enter", "o")
        assert fight.head.command["other"] in board[1:]
        await play.press("!", "a", "enter", "enter", *"1", "enter", "enter")
        hurt = {event.who for event in fight.head.events if event.type == "DamageApplied"}
        assert hurt == people
        await play.press("!", "t", *"fire", "space", *"harm", "space", *"d6", "enter", "enter")
        await play.drawn()
        assert "fire: d6 damage to enter" in play.words("board")


async def test_ten_minutes_pass():
    async with at_desk(advance_to(ford(), "move"), size=SIZE) as play:
        before = play.state.clock_s
        tools = Tools(play)
        await tools.press("!", "k", "enter")
        assert play.state.clock_s == before + 600
        assert tools.keys <= MOST


async def test_they_flee_into_the_next_room(tmp_path):
    """The same fight, one log, one file: killed and opened again it is the same."""
    path = tmp_path / "ford.jsonl"
    async with playing(advance_to(ford(path), "move"), tmp_path, size=SIZE) as play:
        await play.press("d", label(play, "paul"), "1", "enter")
        hurt = play.one("paul").pools
        tools = Tools(play)
        await tools.press("!", "n", "/")
        await tools.type("watchtower")
        await tools.press("enter", "enter")
        assert "✓ The fight moves to " in play.said
        tower = load_encounter("the-watchtower")
        assert play.state.board == tower.board
        assert play.one("paul").pools == hurt
        assert "goblin-1" not in play.state.combatants
        assert {one.side for one in play.state.roster} == {"party", "foe"}
        assert all(one.at is not None for one in play.state.roster)
        assert tools.keys <= MOST
        assert "The fight moves to" in await log(play)
        live = play.state
        play.check()
        assert Fight.watch(path).state == live
        await play.press("u")
        assert "goblin-1" in play.state.combatants
        play.check()


@pytest.mark.parametrize("encounter", ["ambush-at-the-ford", "fire-at-the-playhouse", "first-round", "first-segment"])
async def test_the_letters_of_the_toolbox_never_change(encounter):
    fight = start_fight(load_encounter(encounter), id="tools", seed="3")
    async with at_desk(fight, size=SIZE) as play:
        for _ in range(6):
            await play.press("escape", "!")
            rows = [row for row in play.screen.runner.flow.list_view().rows if row.group == "Toolbox"]
            letters = {row.what: row.key for row in rows}
            placed = {"Swap places": "x", "Paint terrain": "t", "Place anywhere": "p"}
            on_board = placed if play.state.board is not None else {}
            letters_now = {"Skip time": "k", "Copy": "c", "Bring back": "b", "Next map": "n", **on_board}
            assert letters_now.items() <= letters.items()
            await play.press("escape", "space")


async def test_a_tool_that_needs_a_board_keeps_its_letter_without_one():
    fight = start_fight(load_encounter("tavern-parley"), id="tools", seed="3")
    async with at_desk(fight, size=SIZE) as play:
        await play.nothing("!", "a")
        assert "Damage an area: not without a board" in play.said
        await play.nothing("p")
        assert "Place anywhere: not without a board" in play.said
        await play.nothing("o")
        assert "Open or shut a passage: not without zones" in play.said


async def test_damage_to_several_is_in_the_unit_of_the_game_and_names_someone_in_the_fight():
    fight = start_fight(load_encounter("first-segment"), id="tools", seed="3")
    async with at_desk(fight, size=SIZE) as play:
        await play.nothing("!", "d", "1", "enter")
        assert "how many wounds" in play.said
        assert "then by B for who caused it" in play.said
        assert "must not be empty" not in play.said


async def test_bring_back_keeps_its_letter_while_no_one_has_left():
    """At the table 3: `! b` never means another ruling; `?` explains a tool."""
    async with at_desk(advance_to(ford(), "move"), size=SIZE) as play:
        head = play.fight.head.number
        await play.press("!", "b")
        assert "No one has left the fight" in play.said
        assert play.fight.head.number == head
        await play.press("escape", "!", "?")
        assert play.screen.runner.flow.list_view().note == "Put a combatant on any place, or off the board"
