"""A walk that is refused stays on the board, with the reason and the key that helps."""

from desk import at_desk
from segments_fights import declaring
from stagehand import advance_to, event, ford

INTO_THE_PAVILION = ("m", "up", "right", "up", "up", "up", "enter")
"""The last step but one is said to lead where nobody can go, and taken all the same."""


async def test_a_way_that_is_refused_can_be_mended_by_a_step_back():
    async with at_desk(declaring(), size=(80, 24)) as play:
        said = await play.nothing(*INTO_THE_PAVILION[:-1])
        assert "no one can enter D2: ! overrides it" in said, "before Enter is refused"
        said = await play.nothing(INTO_THE_PAVILION[-1])
        assert "D2 can't be entered" in said
        assert "! overrides it" in said
        assert play.screen.runner.overlay().path
        await play.press("backspace")
        entry = await play.give("enter")
        assert event(entry, "WayPlanned").feet == 15


async def test_a_way_that_is_refused_goes_by_the_gms_word():
    async with at_desk(declaring(), size=(80, 24)) as play:
        await play.nothing(*INTO_THE_PAVILION)
        entry = await play.give("!")
        assert entry.command["force"]
        assert event(entry, "WayPlanned").feet > 15


async def test_escape_drops_a_way_that_was_refused():
    """Nothing of it is left: `!` rules on something else then."""
    async with at_desk(declaring(), size=(80, 24)) as play:
        said = await play.nothing(*INTO_THE_PAVILION, "escape")
        assert "can't be entered" not in said
        assert play.screen.runner.flow is None
        assert not play.screen.runner.overlay().path
        await play.nothing("!")
        assert "Ruling" in play.text("feed")


async def test_a_way_that_is_too_dear_stays_on_the_board_in_stage():
    """At the table 1.7: the price is said as it grows; Enter walks as far as it goes, `!` all of it."""
    async with at_desk(advance_to(ford(), "move"), size=(80, 24)) as play:
        await play.press("m", *["left"] * 9, *["up", "right"] * 7)
        assert "needs 15 beats; you have 14: ! overrides it" in play.said
        assert "⏎ as far as it goes: " in play.said
        entry = await play.give("enter")
        assert (entry.command["type"], "force" in entry.command) == ("Move", False)
        assert play.one("ysolde").pools["beats"].now == 0
        await play.press("u")
        await play.press("m", *["left"] * 9, *["up", "right"] * 7)
        entry = await play.give("!")
        assert entry.command["force"] is True
