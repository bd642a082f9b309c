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


async def answer(play, journey):
    """Type the die that the open panel wants, if any, and go on; returns the number of digits."""
    wants_die = "___" in play.text("exchange")
    await journey.press(*(["4"] if wants_die else []), "enter")
    return int(wants_die)


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
        journey, digits = Journey(play), 0
        while not play.state.clock_s and journey.keys < 60:
            waiting = fight.system.waiting(play.state)
            if play.screen.runner.flow is not None:
                digits += await answer(play, journey)
                continue
            if play.state.is_blocked():
                await journey.press("enter")
            elif not waiting:
                await journey.press(">")
            elif play.one(waiting[0]).side == "foe":
                await journey.press(",")
            elif play.one(waiting[0]).pool("action" if name == "high-noon" else "points").now == 0:
                await journey.press(">")
            else:
                await journey.press("s")
        shot = {entry.command["who"] for entry in fight.line.entries if entry.command.get("act") in ("shoot", "fight")}
        assert play.state.clock_s, "the round is over"
        assert journey.keys - digits <= MOST
        assert shot >= {each.id for each in play.state.combatants.values() if each.side == "party" and each.able}
        assert any(play.one(who).side == "foe" for who in shot)
