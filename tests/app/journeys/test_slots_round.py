"""A Full Round of Active Phase Encounters by keys alone: slots kept, a reaction paid from them, Upkeep."""

from counting import Journey
from stagehand import event, kinds, playing

from fightcall_engine.archive.encounters import load_encounter, start_fight


def bell_tower():
    """The bell tower, its Cycle locked."""
    fight = start_fight(load_encounter("the-bell-tower"), id="tower", seed="7")
    while not fight.state.round:
        fight.do(fight.next_call().command)
    return fight


async def test_a_round_with_a_reserve_a_reaction_and_upkeep(tmp_path):
    """Four active phases, an attack, a parry in another's phase, the last call, two questions of Upkeep: at most 25."""
    fight = bell_tower()
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        journey = Journey(play)
        await journey.press("1", "enter", "h")
        assert play.one("wrecker-1").pools["hp"].now == 1
        await journey.press("space", "enter")
        assert play.one("ilvane").pools["reserved"].now == 5
        await journey.press("'", "I", "2", "-", "enter")
        assert event(fight.head, "SlotsSpent").pool == "reserved"
        while play.state.step.phase != "upkeep":
            await journey.press("space")
        assert "HesitationLost" in kinds(fight.head)
        await journey.press("enter", "enter")
        assert play.state.round == 2
        assert play.one("brother-aum").pools["hp"].now == 15
        assert journey.keys <= 25
        assert len(journey.asked) == 4
