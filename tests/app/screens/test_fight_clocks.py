"""Conditions by any clock from the fight screen, and what of them can be seen."""

from desk import at_desk
from stagehand import event

from fightcall_engine.archive.encounters import load_encounter, start_fight


def surrounded():
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="wood", seed="7")
    fight.give("openscene", mode="initiative")
    fight.give("initiative")
    return fight


async def test_a_condition_lasts_by_the_usual_clock_the_makers_or_anothers():
    """The usual one takes no key more, that of who acts a letter, another's a capital and a label."""
    fight = surrounded()
    people = list(fight.state.combatants.values())
    acting = fight.state.combatants[fight.state.step.actor]
    bearer = next(one for one in people if one.side != acting.side)
    maker = next(one for one in people[::-1] if one not in (acting, bearer))
    async with at_desk(fight) as play:
        entry = await play.give("c", bearer.label, *"st3", "enter")
        assert entry.command == {"type": "AddEffect", "who": bearer.id, "name": "stunned", "rounds": 3}
        entry = await play.give("c", bearer.label, *"bl2be", "enter")
        assert entry.command["clock"] == "bearer"
        assert event(entry, "EffectBegan").effect.ticks == "turn_end"
        await play.press("u", "u")

        await play.nothing("c", bearer.label, *"st3m")
        assert f"m {acting.name}  M another" in play.said
        assert f"stunned for 3 (start of {acting.name}'s turn)" in play.said
        entry = await play.give("enter")
        effect = event(entry, "EffectBegan").effect
        assert (effect.name, effect.left, effect.clock, effect.ticks) == ("stunned", 3, acting.id, "turn_start")
        assert f"stunned 3@{acting.label}" in play.text("roster")
        assert f"{acting.name}'s turn)" in play.text("feed")
        await play.press("u")

        await play.nothing("c", bearer.label, *"st3Me")
        assert "stunned for 3 by another's clock" in play.said
        await play.nothing("enter")
        assert "Counted by whose turns: stunned" in play.said
        effect = event(await play.give(maker.label), "EffectBegan").effect
        assert (effect.clock, effect.ticks) == (maker.id, "turn_end")

        # Who acts and bears it is asked whose the maker's clock is.
        await play.nothing("c", acting.label, *"st3m", "enter")
        assert "Counted by whose turns: stunned" in play.said
