"""Taking a branch in the list of past moments."""

import pytest
from desk import at_desk
from stagehand import advance_to, ford


def branched(*, what_if):
    """A fight with Brand hurt by 1; a branch in which he takes 2 more, and the line in which he takes 3 more."""
    fight = advance_to(ford(), "missile")
    fight.give("damage", who="brand", amount=1)
    fight.give("damage", who="brand", amount=2)
    fight.undo()
    fight.give("damage", who="brand", amount=3)
    if what_if:
        fight.fork("daring")
        fight.give("damage", who="paul", amount=1)
    return fight


async def mark(play, words):
    """Open the list, and move the mark to the row with some words."""
    await play.press("H")
    for key in ["down"] * 5 + ["up"] * 20:
        view = play.screen.runner.flow.list_view()
        if words in view.rows[view.marked].what:
            return
        await play.press(key)
    raise AssertionError(f"no row says {words}")


@pytest.mark.parametrize("what_if", [False, True])
async def test_t_takes_the_marked_branch(what_if):
    """put right 43: not the one that is being played, and the message names it."""
    async with at_desk(branched(what_if=what_if)) as play:
        await mark(play, "Brand takes 2")
        await play.press("t")
        assert "Players now see the marked branch" in play.said
        assert play.one("brand").pools["hp"].now == 15 - 3
        assert play.fight.branch.is_real
        assert not play.fight.branch.is_trial


async def test_t_takes_the_line_that_players_see_or_the_what_if_by_its_row():
    """put right 43: in a what-if, each of the two by its own row."""
    fight = branched(what_if=True)
    trial = fight.branch.id
    async with at_desk(fight) as play:
        await mark(play, "players see it")
        await play.press("t")
        assert not fight.branch.is_trial
        assert fight.branch.id != trial
        assert play.one("paul").pools["hp"].now == 10
        await mark(play, "daring")
        await play.press("t")
        assert "Players now see daring" in play.said
        assert (fight.branch.id, fight.branch.is_real) == (trial, True)
        assert play.one("paul").pools["hp"].now == 9


async def test_t_takes_no_branch_where_none_is_marked():
    """put right 43: a moment from before the what-if is no mark for it; one of the what-if is."""
    fight = branched(what_if=True)
    async with at_desk(fight) as play:
        await mark(play, "Now: Meeting, Foe")
        await play.press("t")
        assert fight.branch.is_trial
        assert "No branch is marked" in play.said
        await play.press("escape", "H", "t")
        assert "Players now see daring" in play.said
        assert fight.branch.is_real
