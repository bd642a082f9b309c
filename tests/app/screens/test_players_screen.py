"""The players' screen in a terminal: what it shows of a fight that another program plays, and what it does not."""

from functools import partial

import pytest
from driver import LARGE, SMALL, home, play, press, resize, running, settle

from fightcall.app import make_screen
from fightcall.paint.runs import row_text
from fightcall_engine.play.fight import Fight


def words(pane):
    return "\n".join(row_text(row) for row in pane.draw(*pane.inner).rows)


@pytest.mark.parametrize("encounter", ["ambush-at-the-ford", "fire-at-the-playhouse", "the-tiltyard"])
async def test_everybody_in_sight_is_there(tmp_path, encounter):
    paths = home(tmp_path)
    path = play(paths, encounter, advances=0)
    fight = Fight.watch(path)
    async with running(paths, SMALL, partial(make_screen, "players", path=path)) as pilot:
        screen = pilot.app.screen
        await press(pilot, "tab")
        small = words(screen.people)
        await press(pilot, "tab")
        await resize(pilot, LARGE)
        for combatant in fight.state.combatants.values():
            for people in (small, words(screen.people)):
                assert (combatant.name in people) is not combatant.hidden, combatant.name
        assert fight.state.name in words(screen.head)


async def test_it_follows_the_fight_and_tells_no_secret(tmp_path):
    paths = home(tmp_path)
    path = play(paths, advances=2)
    fight = Fight.open(path)
    async with running(paths, LARGE, partial(make_screen, "players", path=path)) as pilot:
        screen = pilot.app.screen
        fight.give("join", name="Nightshade", side="foe", sheet={"hp": 5}, hidden=True)
        fight.give("damage", who="brand", amount=3)
        screen.follow()
        await settle(pilot)
        assert "Brand takes 3" in words(screen.story)
        assert "hurt" in words(screen.people)
        assert not any("Nightshade" in words(pane) for pane in (screen.people, screen.story, screen.head))
        assert "3/" not in words(screen.people)
        fight.undo()
        screen.follow()
        await settle(pilot)
        assert "Brand takes 3" not in words(screen.story)
    fight.close()


async def test_a_journal_that_breaks_is_said_and_the_screen_stays_until_q_leaves(tmp_path):
    paths = home(tmp_path)
    path = play(paths, advances=2)
    async with running(paths, LARGE, partial(make_screen, "players", path=path)) as pilot:
        path.write_bytes(b"")
        pilot.app.screen.follow()
        await settle(pilot)
        assert "cut" in pilot.app.screen.foot.said.message
        await press(pilot, "z", "Z", "tab")
        assert "Brand" in words(pilot.app.screen.people)
        await press(pilot, "q")
        assert pilot.app.return_code == 0
