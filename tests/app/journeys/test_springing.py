"""A Surprise sprung by keys: who is meant is told by name, and changed by label."""

from desk import at_desk

from fightcall_engine.archive.encounters import load_encounter, start_fight


async def test_people_are_named_and_a_label_takes_one_out_or_in():
    """CS-040: all foes are proposed; nobody reads or types an id."""
    fight = start_fight(load_encounter("the-withy-ford"), id="ford", seed="7")
    fight.give("start")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("'", play.one("rafe").label, "z", "enter")
        assert "aggressors" in play.said
        assert not [one.id for one in play.state.combatants.values() if "-" in one.id and one.id in play.said]
        await play.press("enter")
        assert "targets" in play.said
        foes = [one for one in play.state.combatants.values() if play.state.are_foes("rafe", one.id)]
        assert f"⏎ {', '.join(one.name for one in foes)}" in play.said
        await play.press(foes[0].label)
        assert f"{foes[0].label} {foes[0].name}" in play.said
        assert f"⏎ {foes[1].name}" in play.said
        await play.press(*[one.label for one in foes[1:]], "enter")
        assert "choose someone" in play.said
        await play.press(foes[0].label, "enter")
        assert "⏎ 34" in play.said, "the awareness check before was as difficult as Rafe's Stealth makes it (CS-050)"
        command = (await play.give("enter")).command
        assert (command["type"], command["targets"], command["base"]) == ("Spring", [foes[0].id], 34)


async def test_only_what_a_kind_of_surprise_needs_is_asked():
    """CS-048, CS-051: a trap has a maker and no plotters; whom a chance meeting surprises is plain."""
    fight = start_fight(load_encounter("the-withy-ford"), id="ford", seed="7")
    fight.give("start")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("'", play.one("rafe").label, "z", "t")
        assert "targets" in play.said
        await play.press("enter")
        assert "AV of the trap maker's craft" in play.said
        command = (await play.give("2", "5", "enter")).command
        assert (command["kind"], command["craft"]) == ("trap", 25)
        assert not {"aggressors", "base"} & command.keys()
        await play.press("u", "z", "u")
        assert "DV of the earlier awareness check" in play.said
        command = (await play.give("enter")).command
        assert command == {"type": "Spring", "kind": "mutual"}
