"""The end of a fight, in every system: one key ends it, a summary is seen, and nothing goes on afterwards."""

import pytest
from desk import at_desk
from stagehand import playing

from fightcall.screens.help import ScreenCommands
from fightcall_engine.archive.encounters import load_encounter, start_fight

ENCOUNTERS = (
    "ambush-at-the-ford",
    "surrounded-by-goblins",
    "fire-at-the-playhouse",
    "the-withy-ford",
    "the-rooftops",
    "the-toll-bridge",
    "the-loading-dock",
    "high-noon",
)
"""One of each system. The last four are of games in files, for which the screen has no cases of their own."""


def middle_of(name, steps=9):
    """An encounter some steps after its beginning, with whatever is asked then answered as proposed."""
    fight = start_fight(load_encounter(name), id="end", seed="7")
    fight.give("start")
    for _ in range(steps):
        asked = [prompt for prompt in fight.state.prompts if prompt.blocking]
        if asked:
            fight.give("answer", prompt=asked[0].id, choice=asked[0].default or asked[0].choices[0].id)
        else:
            fight.give("advance")
    while asked := [prompt for prompt in fight.state.prompts if prompt.blocking]:
        fight.give("answer", prompt=asked[0].id, choice=asked[0].default or asked[0].choices[0].id)
    return fight


@pytest.mark.parametrize("name", ENCOUNTERS[:5])
async def test_one_key_and_enter_end_the_fight_and_nobody_acts_afterwards(name):
    """Found in play 7, 22, 31: a summary, no word of who can still act; in segments wounds go on being tended."""
    fight = middle_of(name)
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("K")
        assert "How does the fight end" in play.said
        await play.press("enter")
        assert play.state.status == "closed"
        assert "The fight is over" in play.said
        after = play.text("after")
        assert "The fight is over" in after
        assert ("game time" in after) is (play.state.clock_s > 0)
        assert "K summary" in play.said
        assert all(combatant.name in after for combatant in play.state.combatants.values())
        shown = play.text("roster") + play.said
        for word in ("acting", "can still act", "runs on", "not yet acted", "hasn't acted"):
            assert word not in shown
        await play.nothing("space", ">", "space")
        if not fight.system.aftermath(play.state):
            # Days go by after a fight in segments, and t lets them.
            await play.nothing("t")
            said = await play.nothing("enter")
            assert "The fight is over; u reopens it" in said
            assert "nothing to do" not in said
            assert "The fight is over; u reopens it" in await play.nothing("m")
        await play.press("u")
        assert play.state.status == "running"


@pytest.mark.parametrize("name", ENCOUNTERS)
def test_nobody_acts_or_plans_in_a_fight_that_is_over(name):
    """Found in play 7."""
    fight = middle_of(name)
    if name == "the-withy-ford":
        fight.give("configure", setting="pulse_movement", value=True)
        fight.give("plan", who="raider-1", path=["Q4", "R4", "S4"], force=True)
    fight.give("close", reason="they fled")
    state, system = fight.state, fight.system
    assert state.step is None
    assert system.waiting(state) == ()
    assert system.declarations(state) == ()
    for who in state.combatants:
        # What burns goes on burning.
        assert [mark for mark in system.marks(state, who) if "burning" not in mark.label] == []
        assert all(option.command not in ("Talk", "Strike", "Move", "Declare") for option in fight.options(who))
        assert system.card(state, who).note in ("", str(state.combatants[who].sheet.get("note") or ""))


async def test_the_end_is_found_wherever_a_gm_looks_for_it(tmp_path):
    """Found in play 31: not among the rulings, the commands, nor in the palette."""
    fight = middle_of(ENCOUNTERS[0])
    async with at_desk(fight) as play:
        await play.nothing("!", "/", *"end")
        assert "⏎ end the fight" in play.said
        await play.nothing("escape", "escape", ":", *"clo")
        assert "End the fight" in play.text("feed")
    async with playing(fight, tmp_path) as play:
        hits = [hit.text async for hit in ScreenCommands(play.screen).search("end the fight")]
        assert hits == ["End  K"]


async def test_the_end_is_offered_first_when_a_side_is_beaten():
    fight = middle_of("ambush-at-the-ford")
    async with at_desk(fight, size=(80, 24)) as play:
        assert "end the fight" not in play.said
        for who in ("goblin-1", "goblin-2", "goblin-3", "archer"):
            fight.give("damage", who=who, amount=9)
            while asked := [prompt for prompt in fight.state.prompts if prompt.blocking]:
                fight.give("answer", prompt=asked[0].id, choice=asked[0].default or asked[0].choices[0].id)
        await play.press("escape")
        assert "K end the fight" in play.said
