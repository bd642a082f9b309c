"""The bell tower, from Awareness to the Slow Burn, played with keys alone."""

import re

from desk import at_desk
from stagehand import event, kinds

from fightcall_engine.archive.encounters import load_encounter, start_fight

PARTY = ("ilvane", "brother-aum", "sabet", "tamsin-roe")


async def test_three_full_rounds():
    fight = start_fight(load_encounter("the-bell-tower"), id="tower", seed="7")
    async with at_desk(fight) as play:
        await preparing(play)
        await active_phases(play)
        await final_phase(play)
        await upkeep(play)
        await second_round(play)
        await slow_burn(play)
        assert fight.line.seek(len(fight.line)) == fight.state


def bands(play):
    """Who stands in each band of the roster."""
    return [group.members for group in play.fight.system.groups(play.state) if group.title.startswith("Band")]


async def preparing(play):
    """Awareness at a key each; a Stay that is taken back; an effect meant only for now; the lock."""
    await play.give("space")
    for _ in PARTY:
        assert event(await play.give("enter"), "AwarenessRolled")
    assert bands(play) == [(who,) for who in PARTY]
    await play.give("i")
    await play.give("t")
    assert bands(play)[-1] == ("ilvane",)
    await play.press("u", "u")
    assert bands(play) == [(who,) for who in PARTY], "the first mistake taken back"
    await play.give("enter")
    await play.give("1")
    entry = await play.give("enter")
    assert {"CycleLocked", "FullRoundBegan", "SlotsGained"} <= set(kinds(entry))
    assert re.search(r"BAND 4 · 7 +HP +Final", play.text("roster"))
    assert "●●●●●●●" in play.text("roster")


async def active_phases(play):
    """An ability at its Active price, what is left kept, an act in another's phase, a work begun over rounds."""
    entry = await play.give("1", "'", "4", "h", "7", "enter")
    assert event(entry, "SlotsSpent").amount == 2
    assert play.one("chief-wrecker").pools["hp"].now == 8
    await play.press("u")
    assert play.one("chief-wrecker").pools["hp"].now == 15, "the second mistake taken back"
    assert play.one("ilvane").pools["slots"].now == 7
    await play.give("1", "'", "4", "h", "4", "enter")
    entry = await play.give("w")
    assert event(entry, "SlotsReserved").amount == 5
    assert "◆◆◆◆◆○○" in play.text("roster")
    await play.press("'", "I")
    entry = await play.give("2", "-", "enter")
    assert event(entry, "SlotsSpent").pool == "reserved"
    assert "◆◆◆◆○○○" in play.text("roster")
    await play.press("'", "A")
    await play.give("w")
    entry = await play.give("2", "enter")
    assert event(entry, "MultiRoundPaid").paid == 6
    assert "Ward of glass ▰▰▰▱▱ 6/8" in play.text("roster")


async def final_phase(play):
    """Everything costs four times as much, and says so; what is left over is lost, and so are the reserves."""
    assert play.state.phase == "final"
    assert play.text("ribbon").count("FINAL x4") == 1
    assert "FINAL: TAMSIN ROE" in play.text("ribbon")
    assert "BAND 4 · 7  FINAL x4" in play.text("roster")
    entry = await play.give("1", "'", "4", "h", "3", "enter")
    assert event(entry, "SlotsSpent").amount == 4
    assert "●●○○○○" in play.text("roster")
    await play.press("'", "1")
    entry = await play.give("2", "-", "enter")
    assert event(entry, "NpcActed").who == "wrecker-1"
    assert "cuts a rope" in play.text("roster")
    assert "3 not yet acted" in play.text("roster")
    await play.press("'", "T")
    await play.give("w")
    assert "Last call for reserves" in play.said
    await play.give("enter")
    assert "Does an NPC act now?" in play.said
    await play.nothing("enter")
    assert "press again: nobody (Slots lost: 4 by Ilvane" in play.said
    entry = await play.give("enter")
    assert sum(one.amount for one in entry.events if one.type == "HesitationLost") == 8
    assert "○○○××××" in play.text("roster")
    assert "○○○○××" in play.text("roster")


async def upkeep(play):
    """Outside matters first; then one key an item, applied or waived with a reason."""
    assert "old wound on Brother Aum: 1 damage. Does anything else resolve" in play.said
    await play.give("e")
    await play.give(*"the tide rises", "enter")
    await play.press("escape")
    await play.give("c", "T", *"dazed1", "enter")
    await play.press("r", "-")
    assert "Upkeep 1 of 2: old wound on Brother Aum: 1 damage?" in play.said
    await play.give("n")
    assert "Why skip old wound on Brother Aum?" in play.said
    await play.give(*"bound up", "enter")
    assert "dazed on Tamsin Roe" in play.said
    await play.give("enter")
    assert play.one("brother-aum").pools["hp"].now == 16
    assert play.state.round == 2
    await play.press("u")
    assert "dazed on Tamsin Roe" in play.said, "the third mistake: back in Upkeep, the item asks again"
    await play.give("enter")


async def second_round(play):
    """The work of the last round is finished in its next Active Phase, and its sealed roll opened."""
    await play.give("w")
    await play.give("w")
    assert play.said.index("b continue Ward of glass 6/8") < play.said.index("1 Needle of frost")
    entry = await play.give("b", "enter")
    assert event(entry, "MultiRoundCompleted").who == "sabet"
    assert "Ward of glass ▰" not in play.text("roster")
    while play.state.phase != "upkeep":
        await play.press("space")
    assert play.state.round == 2


async def slow_burn(play):
    """The threats are over: a problem of twenty slots, volunteered for together."""
    await play.give("o")
    await play.give("s")
    await play.give("2", "0", "enter")
    while play.state.phase != "slow_burn":
        await play.press("enter")
    assert "SLOW BURN" in play.text("ribbon")
    assert "0/20" in play.text("ribbon")
    await play.press("'", "I")
    entry = await play.give("v", "7", "enter")
    assert event(entry, "SlotsVolunteered").amount == 7
    assert "7/20" in play.text("ribbon")
    assert "Slow Burn" in play.text("feed")


async def test_another_price_and_a_poison_are_given_by_keys():
    """AP-21: `*` works at an act of this system too, and the panel's sums follow (found in play 21).

    AP-45; put right 15: a poison gets rounds, and its harm at each Upkeep: a number or dice.
    """
    fight = start_fight(load_encounter("the-bell-tower"), id="tower", seed="7")
    while not fight.state.round:
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("1", "*", "a", "3", "enter")
        entry = await play.give("enter")
        assert entry.command["cost"] == 3
        assert event(entry, "SlotsSpent").amount == 3
        await play.nothing("c", "1", *"poison3", "space", *"d4")
        entry = await play.give("enter")
        effect = event(entry, "EffectBegan").effect
        assert (effect.name, effect.left, effect.data.dice) == ("poisoned", 3, "d4")


async def test_between_bands_who_has_not_acted_is_led_to_and_the_last_act_interrupted():
    """The one picked is selected and acts like anybody, with a target and damage (found in play 16).

    AP-29: an act that spent the last slot can be interrupted, though the next band has begun; whom, and whether it
    works, is asked.
    """
    fight = start_fight(load_encounter("the-bell-tower"), id="tower", seed="7")
    fight.give("start")
    for who, result in zip(PARTY, (23, 21, 17, 7), strict=True):
        fight.give("awareness", who=who, result=result)
    fight.give("lock")
    fight.give("endap", who="ilvane")
    wrecker, between = fight.state.combatants["wrecker-1"], fight.head_number
    async with at_desk(fight) as play:
        assert "Does an NPC act now?" in play.said
        await play.nothing("r", wrecker.label.lower())
        assert play.screen.table.selected == "wrecker-1"
        aimed_at = fight.state.combatants["brother-aum"]
        entry = await play.give("s", *"kicks", "enter", aimed_at.label)
        assert event(entry, "NpcActed").target == "brother-aum"
        assert "Does an NPC act now? Still to act: Wrecker 2" in play.said, "of the others the GM is still reminded"

        fight.jump(between)
        fight.give("act", who="brother-aum", ability="a long speech", cost=4)
        fight.give("adjust", who="brother-aum", what="side", value="foe")
        await play.settle()
        assert play.one("sabet").record.ap == "active"
        await play.press("'", "I")
        entry = await play.give("x", aimed_at.label, "h")
        assert event(entry, "ActionInterrupted").what == "a long speech"
        assert event(entry, "SlotsSpent").amount == 1
        assert "interrupts" in play.text("feed")


async def test_a_way_names_its_ground_and_its_slots():
    """AP-19: slots are not steps; the last line of a way says both (found in play 9)."""
    fight = start_fight(load_encounter("the-bell-tower"), id="tower", seed="7")
    fight.give("start")
    while fight.state.phase not in ("active", "band") and not fight.system.waiting(fight.state):
        fight.give("advance")
    async with at_desk(fight) as play:
        await play.press("m", "right", "right")
        assert re.search(r"\d (hex(es)?|steps?) for \d slots?, \d+ (hexes|steps) left", play.said)


async def test_the_program_rolls_what_an_npc_does_once_the_table_says_that_it_hits():
    """Found by play: the damage had to be rolled and typed by hand, though the sheet has its dice."""
    fight = start_fight(load_encounter("fire-at-the-playhouse"), id="fire", seed="11")
    fight.give("start")
    while not fight.state.step.actor:
        fight.give("advance")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("'", "4", "1", "h")
        assert "space ▸ roll d4+2" in play.said
        entry = await play.give("enter")
        assert event(entry, "DiceRolled").dice == "d4+2"
