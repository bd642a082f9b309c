"""One key for all who are alike: what it costs in keys, what is shown, and when it is off again."""

from desk import at_desk
from stagehand import advance_to, event, ford, kinds

from fightcall_engine.archive.encounters import load_encounter, start_fight

GOBLINS = ("goblin-1", "goblin-2", "goblin-3")


def hp(fight):
    return [fight.state.combatants[who].pool("hp").now for who in GOBLINS]


async def test_harm_to_all_in_five_keys_and_one_to_take_it_back():
    """Said at any question; off after one command, with Escape, and where words are written."""
    fight = advance_to(ford(), "missile")
    whole = hp(fight)
    async with at_desk(fight) as play:
        await play.nothing("d", "&", "1")
        assert "Damage to Goblin 1 and 2 others of the squad: how many HP" in play.text("call")
        entry = await play.give("5", "enter")
        assert entry.command == {"type": "Damage", "who": "goblin-1", "amount": 5, "alike": True}
        assert hp(fight) == [now - 5 for now in whole]
        await play.give("d", "1", "1", "enter")
        assert hp(fight) == [whole[0] - 6, whole[1] - 5, whole[2] - 5], "it is off after one command"
        await play.press("u", "u")
        assert hp(fight) == whole
        await play.nothing("d", "1", "5")
        assert "& with 2 others of the squad" in play.text("call")
        await play.nothing("&")
        assert "and 2 others of the squad" in play.text("call")
        await play.nothing("&")
        assert "and 2 others of the squad" not in play.text("call")
        assert kinds(await play.give("enter")) == ["DamageApplied"]
        await play.press("u")
        await play.nothing("d", "&", "escape")
        assert kinds(await play.give("d", "2", "1", "enter")) == ["DamageApplied"]
        await play.press("u")
        assert event(await play.give("N", *"a&b", "enter"), "NoteAdded").text == "a&b"
        assert kinds(await play.give(":", *"damage 1 2 &", "enter")) == ["DamageApplied"] * 3


async def test_conditions_begin_and_end_on_all_alike_and_nobody_alike_is_said():
    fight = advance_to(ford(), "missile")
    async with at_desk(fight) as play:
        entry = await play.give("c", "&", "1", *"st3", "enter")
        assert kinds(entry) == ["EffectBegan"] * 3
        entry = await play.give("c", "1", *"-st", "&", "enter")
        assert kinds(entry) == ["EffectEnded"] * 3
        assert "No squad member is identical to Ysolde now" in await play.nothing("&")
        assert not play.screen.table.together
        fight.give("addeffect", who="goblin-1", name="stunned", rounds=2)
        await play.drawn()
        await play.nothing("d", "1")
        assert "No squad member is identical to Goblin 1 now" in await play.nothing("&")
        entry = await play.give("2", "enter")
        assert event(entry, "DamageApplied").amount == 2
        assert "alike" not in entry.command


async def test_the_selected_one_and_its_like_are_marked_and_act_together():
    """Whichever of them is wounded: each has a row of its own in the roster then."""
    fight = advance_to(ford(), "missile", "foe")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.nothing("'", "1", "&")
        assert "Goblin ×3" in play.text("call")
        entry = await play.give("w")
        assert entry.command["alike"] is True
        assert kinds(entry).count("Waived") == 3
        assert "×3" not in play.text("call")
        await play.press("u")
        fight.give("damage", who="goblin-2", amount=2)
        await play.press("'", "2", "&")
        assert "Goblin ×3" in play.said
        entry = await play.give("w")
        assert {one.who for one in entry.events if one.type == "Waived"} == {*GOBLINS}


async def test_the_key_for_all_is_a_sign_like_any_other_in_a_text():
    """What is said holds it, and the squad keeps silent; pressed before, all of them talk (found in play 24)."""
    fight = ford()
    fight.give("start")
    advance_to(fight, "meeting", "foe")
    async with at_desk(fight) as play:
        await play.press("'", "1", "t", *"gold", "&")
        assert "identical" not in play.said
        entry = await play.give(*"blood", "enter")
        assert (entry.command["note"], entry.command.get("alike")) == ("gold&blood", None)


async def test_of_a_squad_those_declare_who_are_due():
    """CS-010: who is not due is named before and keeps nobody from declaring (found in play 24)."""
    fight = start_fight(load_encounter("the-tiltyard"), id="yard", seed="7")
    async with at_desk(fight, size=(100, 30)) as play:
        await play.press("space", "space")
        assert fight.state.step.actor == "groom-2"
        await play.nothing("'", *fight.state.combatants["groom-2"].label, "&")
        assert "not Groom 1: not due now" in play.said
        entry = await play.give("w")
        assert (entry.command["type"], entry.command["who"]) == ("Wait", "groom-2")


async def test_who_differs_is_named_before_with_the_reason_whatever_it_is():
    """Found in play 24: who has acted, is down or under an effect no longer keeps the others of a squad from acting."""
    fight = advance_to(ford(), "missile", "foe")
    async with at_desk(fight, size=(140, 40)) as play:
        for command, fields, reason in (
            ("addeffect", {"name": "stunned", "rounds": 2}, "stunned"),
            ("adjust", {"what": "able", "value": False}, "down"),
            ("adjust", {"what": "sheet.height_ft", "value": 3}, "other height ft on the sheet"),
            ("adjust", {"what": "posture", "value": "prone"}, "posture prone"),
            ("adjust", {"what": "plain_view", "value": False}, "not plain view"),
        ):
            fight.give(command, who="goblin-2", **fields)
            await play.drawn()
            await play.nothing("'", "1", "&")
            assert f"not Goblin 2: {reason}" in play.said
            await play.press("escape")
            fight.undo()
        fight.give("adjust", who="goblin-2", what="able", value=False)
        fight.give("addeffect", who="goblin-3", name="stunned", rounds=2)
        await play.drawn()
        await play.nothing("'", "1", "&")
        assert "No squad member is identical to Goblin 1 now: Goblin 2: down; Goblin 3: stunned" in play.said
        fight.undo(2)
        fight.give("waive", who="goblin-3")
        await play.drawn()
        await play.nothing("'", "1", "&")
        assert "not Goblin 3: already acted" in play.said
        entry = await play.give("w")
        assert [one.who for one in entry.events if one.type == "Waived"] == ["goblin-1", "goblin-2"]


async def test_a_squad_walks_up_to_somebody_by_three_keys():
    """One way is planned; the others go as near as they get (SB-46)."""
    fight = advance_to(ford(), "move", "foe")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("'", "1", "&", "m")
        await play.give("enter")
        moved = [event for event in fight.head.events if event.type == "Moved"]
        assert [event.who for event in moved] == ["goblin-1", "goblin-2", "goblin-3"]
        assert len({event.path[-1] for event in moved}) == 3
