"""A rule system that came as a package of its own, played with keys alone."""

from stagehand import event, playing

from fightcall_engine.archive.encounters import load_encounter, start_fight


async def test_a_round_of_the_example_system(duel, tmp_path):
    fight = start_fight(load_encounter("at-dawn"), id="dawn", seed="3")
    async with playing(fight, tmp_path) as play:
        await play.give("space")
        first = play.state.step.actor
        assert play.state.phase == "guard"
        await play.give("'", play.one(first).label.lower(), "g")
        assert play.one(first).record.guarded
        await play.press("u")
        assert not play.one(first).record.guarded
        while play.state.phase == "guard":
            await play.press("w")
        entry = await play.give("s", "enter")
        assert event(entry, "Attacked").who == first
