"""Where a hidden combatant takes a number, players count otherwise than the GM: both are shown, and both are found."""

import pytest
from desk import at_desk
from stagehand import advance_to, ford, playing

from fightcall_engine.archive.encounters import load_encounter, start_fight

SQUADS = {"ambush-at-the-ford": "goblin", "surrounded-by-goblins": "goblin"}


def counted_otherwise():
    """The ford with Goblin 2 in hiding: players call Goblin 3 Goblin 2, and the Archer, 4, is 3."""
    fight = ford()
    fight.give("adjust", who="goblin-2", what="hidden", value=True)
    return advance_to(fight, "missile")


@pytest.mark.parametrize("size", [(80, 24), (140, 40), (200, 55)])
async def test_roster_card_and_bar_show_what_players_call_somebody(size, tmp_path):
    """At the table 4: only where it differs."""
    async with playing(counted_otherwise(), tmp_path, size=size) as play:
        assert "players: 1 2" in play.text("roster")
        assert "players: 3" in play.text("roster")
        assert "(players:" not in play.said
        await play.press("'", "3")
        assert "Goblin 3 (players: Goblin 2)" in play.said
        await play.press("I")
        await play.drawn()
        assert "players: Goblin 2" in play.text("card")


@pytest.mark.parametrize("encounter", SQUADS)
async def test_nothing_is_shown_twice_where_the_numbers_are_the_same(encounter):
    """At the table 4: without a hidden one there is one numbering, and no key for another."""
    fight = start_fight(load_encounter(encounter), id="same", seed="7")
    for combatant in fight.state.combatants.values():
        if combatant.hidden:
            fight.give("adjust", who=combatant.id, what="hidden", value=False)
    fight.give("start")
    async with at_desk(fight, size=(140, 40)) as play:
        assert "players:" not in play.text("roster")
        await play.press("'")
        assert "the players' labels" not in play.said


async def test_the_players_label_is_typed_after_a_second_quote():
    """At the table 4: `'2` is the GM's 2, who hides; `''2` the players'."""
    fight = counted_otherwise()
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("'", "2")
        assert play.screen.table.selected == "goblin-2"
        await play.press("'")
        assert "' takes the players' labels" in play.said
        await play.press("'", "2")
        assert play.screen.table.selected == "goblin-3"
        await play.press("'", "'", "'", "3")
        assert play.screen.table.selected == "goblin-3"
        await play.give("d", "'", "2", "4", "enter")
        assert [play.one(who).pools["hp"].now for who in ("goblin-2", "goblin-3")] == [7, 3]


async def test_find_goes_from_one_to_the_next_who_has_the_name():
    """At the table 4: the GM's Goblin 2 and the players'."""
    async with at_desk(counted_otherwise(), size=(140, 40)) as play:
        seen = []
        for _ in range(2):
            await play.press("/", *"goblin 2", "enter")
            seen.append(play.screen.table.selected)
        assert sorted(seen) == ["goblin-2", "goblin-3"]


def test_commands_know_the_players_names():
    """At the table 4: the GM's own come first; `players:` before a label or a name means theirs."""
    fight = counted_otherwise()

    def hp(who):
        return fight.state.combatants[who].pools["hp"].now

    fight.give("damage", who="2", amount=1)
    fight.give("damage", who="Goblin 2", amount=1)
    assert (hp("goblin-2"), hp("goblin-3")) == (5, 7)
    fight.give("damage", who="players:2", amount=1)
    fight.give("damage", who="players: Goblin 2", amount=1)
    assert (hp("goblin-2"), hp("goblin-3")) == (5, 5)
    assert hp("archer") == 6
    fight.give("damage", who="players:3", amount=1)
    assert hp("archer") == 5


async def test_the_command_line_takes_the_players_label():
    """At the table 4: typed without a blank."""
    async with at_desk(counted_otherwise(), size=(140, 40)) as play:
        await play.give(":", *"damage players:2 3", "enter")
        assert play.one("goblin-3").pools["hp"].now == 4
