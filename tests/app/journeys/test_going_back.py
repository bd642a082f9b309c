"""Going back by keys alone, counted."""

import pytest
from counting import Journey
from desk import at_desk
from segments_fights import declaring, landed_in_concert
from stagehand import advance_to, ford

from fightcall.flows.history import history
from fightcall_engine.archive.encounters import load_encounter, start_fight

ENCOUNTERS = [
    "ambush-at-the-ford",
    "surrounded-by-goblins",
    "fire-at-the-playhouse",
    "the-tiltyard",
    "the-toll-bridge",
    "the-rooftops",
    "the-loading-dock",
    "high-noon",
]


def code_of(table, number):
    """The code that stands before an entry in the list; it is scrolled through."""
    flow = history(table)
    while True:
        shown = flow.list_view()
        found = next((row.key for row in shown.rows if row.number == f"#{number}"), "")
        if found or shown.above + shown.marked == 0:
            return found
        flow.press("pageup")


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 0.75, 1.0])
async def test_any_past_moment_is_at_most_four_keys_away(share):
    """The key of the list, the code before the moment, and Enter: of a fight of more than a hundred entries.

    At the table 2: the code alone marks the moment, and goes nowhere.
    """
    fight = advance_to(ford(), "missile")
    for number in range(110):
        fight.give("note", text=f"note {number}")
    async with at_desk(fight, size=(140, 40)) as play:
        wanted = fight.line.entry(round(share * (fight.line.entry_count() - 2))).number
        journey = Journey(play)
        await journey.press("H")
        here = fight.head_number
        await journey.press(*code_of(play.screen.table, wanted))
        assert fight.head_number == here
        await journey.press("enter")
        assert fight.head_number == wanted
        assert journey.keys <= 4
        assert play.screen.runner.flow is None


@pytest.mark.parametrize("encounter", ENCOUNTERS)
async def test_the_history_of_every_system_names_what_was_done(encounter):
    """No entry is called by its command, and none stands under another round than its own (found in play 11)."""
    fight = start_fight(load_encounter(encounter), id="told", seed="7")
    fight.give("start")
    for _ in range(8):
        asked = [prompt for prompt in fight.state.prompts if prompt.blocking]
        fight.give("answer", prompt=asked[0].id, choice=asked[0].default or asked[0].choices[0].id) if asked else (
            fight.give("advance")
        )
    async with at_desk(fight, size=(200, 55)) as play:
        await play.press("H")
        shown = play.text("feed")
        for raw in (" Advance", " skip", " go on", " entries parts at"):
            assert raw not in shown
        assert "the beginning" in shown
        assert f"#{fight.head_number}" in shown


async def test_after_undo_the_one_is_selected_whose_step_it_is():
    """Though nobody waits for him, since he has declared: his keys are those that help now."""
    fight = declaring()
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("s", "enter", "space")
        assert play.screen.table.selected == "cade"
        await play.press("u")
        assert play.screen.table.selected == play.state.step.actor == "berit"


@pytest.mark.parametrize("key", ["space", "enter"])
async def test_what_one_key_rolled_one_key_takes_back(key):
    """Two checks are rolled by one key, each an entry of its own: told together, taken back and done again together."""
    fight = landed_in_concert(start_fight(load_encounter("the-last-touch"), id="duel", seed="1602"))
    async with at_desk(fight, size=(140, 40)) as play:
        before, asked = fight.head_number, [prompt.id for prompt in play.state.prompts]
        await play.press(key)
        after, told = fight.head_number, play.said.splitlines()[1].partition("✓ ")[2].partition("   ")[0]
        assert after >= before + 2
        await play.press("u")
        assert (fight.head_number, [prompt.id for prompt in play.state.prompts]) == (before, asked)
        assert f"Undone: {told}" in play.said
        await play.press("U")
        assert fight.head_number == after
        assert f"Redone: {told}" in play.said
        await play.press("u")
        assert fight.head_number == before


async def test_what_going_on_to_the_next_phase_led_through_one_key_takes_back():
    """What passes by one key, such as both halves of Melee and Management, one key brings back."""
    fight = advance_to(ford(), "magic")
    async with at_desk(fight, size=(140, 40)) as play:
        before, count = fight.head_number, fight.line.entry_count()
        await play.press(">")
        assert play.state.phase != "magic"
        assert fight.line.entry_count() > count + 1
        await play.press("u")
        assert fight.head_number == before
        assert "Undone: " in play.said
