"""Conditions by any clock from the fight screen, and what of them can be seen."""

from stagehand import event, playing

from fightcall_engine.archive.encounters import load_encounter, start_fight


def surrounded():
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="wood", seed="7")
    fight.give("openscene", mode="initiative")
    fight.give("initiative")
    return fight


async def test_a_makers_clock_takes_a_letter_and_a_label_more(tmp_path):
    fight = surrounded()
    people = list(fight.state.combatants.values())
    bearer, maker = people[-1], people[0]
    async with playing(fight, tmp_path) as play:
        await play.nothing("c", bearer.label, *"st3m")
        assert "stunned for 3 (start of the maker's turn)" in play.said
        await play.nothing("enter")
        assert "By whose clock: stunned" in play.said
        entry = await play.give(maker.label)
        effect = event(entry, "EffectBegan").effect
        assert (effect.name, effect.left, effect.clock, effect.ticks) == ("stunned", 3, maker.id, "turn_start")
        assert f"stunned 3@{maker.label}" in play.text("roster")
        assert f"{maker.name}'s turn)" in play.text("feed")


async def test_the_usual_clock_takes_no_key_more(tmp_path):
    fight = surrounded()
    bearer = list(fight.state.combatants.values())[-1]
    async with playing(fight, tmp_path) as play:
        entry = await play.give("c", bearer.label, *"st3", "enter")
        assert entry.command == {"type": "AddEffect", "who": bearer.id, "name": "stunned", "rounds": 3}
        entry = await play.give("c", bearer.label, *"bl2be", "enter")
        assert entry.command["clock"] == "bearer"
        assert event(entry, "EffectBegan").effect.ticks == "turn_end"
