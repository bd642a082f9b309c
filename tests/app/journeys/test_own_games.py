"""Games from files, played by keys: a round of four against four, with the players' dice typed."""

import pytest
from counting import Journey
from stagehand import playing

from fightcall_engine.archive.encounters import load_encounter, start_fight

NEAR = {
    "the-loading-dock": {"guard-1": "H2", "guard-2": "H5", "guard-3": "G5", "guard-4": "H6"},
    "high-noon": {},
}
MOST = 20
"""Keys of a round, besides numbers."""


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
@pytest.mark.parametrize("name", NEAR)
async def test_a_round_of_four_against_four(name, size, tmp_path):
    fight = start_fight(load_encounter(name), id="own", seed="7")
    fight.give("configure", setting="dice", value="players")
    for who, at in NEAR[name].items():
        fight.give("place", who=who, at=at)
    cards = {"card": [11, 12, 13, 14, 15, 16, 17, 18]} if name == "high-noon" else {}
    fight.give("start", rolls=cards)
    async with playing(fight, tmp_path, size=size) as play:
        journey, acted, digits = Journey(play), [], 0
        while play.state.round == 1 and journey.keys < 60:
            waiting = [who for who in fight.system.waiting(play.state) if who not in acted]
            if play.state.is_blocked():
                await journey.press("enter")
            elif not waiting:
                await journey.press(">")
            else:
                await journey.press("s")
                while play.screen.runner.flow is not None and journey.keys < 60:
                    needs = "___" in play.text("exchange")
                    if needs:
                        await journey.press("4")
                        digits += 1
                    await journey.press("enter")
                acted.append(fight.head.command.get("who"))
        shot = {entry.command["who"] for entry in fight.line.entries if entry.command.get("act") == "shoot"}
        print(name, size, journey.keys, digits, acted, shot)
        assert play.state.round == 2
        assert len(shot) == 8
        assert journey.keys - digits <= MOST
