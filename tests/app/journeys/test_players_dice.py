"""A table where the players' dice are typed and the GM's figures are rolled (`dice=players`), in each system."""

import re

import pytest
from desk import at_desk
from segments_fights import both_attack, crossing
from stagehand import advance_to, event, ford

from fightcall_engine import Fight
from fightcall_engine.archive.encounters import load_encounter, start_fight


def started(encounter, seed="7"):
    """An encounter where the players' dice are typed, begun."""
    fight = start_fight(load_encounter(encounter), id="table", seed=seed)
    fight.give("configure", setting="dice", value="players")
    fight.give("start")
    return fight


def cycle(*order):
    """The bell tower as the first of the Cycle acts, in this order or as rolled."""
    fight = start_fight(load_encounter("the-bell-tower"), id="table", seed="7")
    fight.give("start")
    for prompt in fight.state.prompts:
        amount = {"amount": 20 - order.index(prompt.who)} if order else {}
        fight.give("answer", prompt=prompt.id, **amount)
    while not fight.state.round:
        fight.do(fight.next_call().command)
    fight.give("configure", setting="dice", value="players")
    return fight


def thrown(entry):
    """Whose dice fell with an entry, and where: typed at the table, or by the program."""
    return {(each.who, each.source) for each in entry.events if each.type == "DiceRolled"}


def head_of(play):
    """Who is named in the upper edge of the call bar."""
    return re.search(r"[─-]+ +\S+  (.+?) [─-]", play.text("call").splitlines()[0]).group(1)


async def type_initiative(play, dice):
    """Each digit is the die of whoever is selected; nobody else's falls with it."""
    for combatant_id, faces in dice.items():
        assert play.screen.table.selected == combatant_id
        entry = await play.give(*faces, "enter")
        assert thrown(entry) == {(combatant_id, "table")}
        assert entry.command["who"] == combatant_id


async def test_nothing_is_promised_before_a_die_is_typed():
    async with at_desk(started("surrounded-by-goblins"), size=(80, 24)) as play:
        await play.press("#")
        assert "space ▸ nothing: this question needs an answer" in play.said
        await play.press("7")
        assert "space ▸ accept 7" in play.said


@pytest.mark.parametrize(("encounter", "die"), [("surrounded-by-goblins", "d20"), ("the-sunken-lane", "d10")])
@pytest.mark.parametrize("dice", ["players", "engine"])
async def test_a_face_that_initiatives_die_has_not_is_refused_as_it_is_typed(encounter, die, dice):
    """The next digit begins anew."""
    fight = started(encounter)
    fight.give("configure", setting="dice", value=dice)
    async with at_desk(fight, size=(80, 24)) as play:
        first = play.screen.table.selected
        await play.nothing("#", "9", "9")
        assert f"{die} can't show 99; accepted: 1-{die[1:]}" in play.said
        assert "space ▸ nothing" in play.said
        assert "confirm" not in play.said
        await play.nothing("enter", "space")
        assert f"{die} can't show 99" in play.said
        entry = await play.give("7", "enter")
        assert thrown(entry) == {(first, "table")}


async def test_an_answer_that_hits_says_the_harm_and_a_die_of_the_table_what_is_missing():
    async with at_desk(cycle("sabet", "ilvane", "tamsin-roe", "brother-aum"), size=(80, 24)) as play:
        await play.press("1", "1", "2", "enter", "5", "enter")
        assert "✓ Wrecker 1 takes 5 damage (2/7 HP)" in play.said
        await play.press("2", "enter", " ")
        assert "✗  type what the d20 shows; accepted: 1-20" in play.said


async def refuse_enter(play, dice):
    """Enter at a die of the table makes nothing, and opens nothing else for it."""
    flow = play.screen.runner.flow
    await play.nothing("enter")
    assert play.screen.runner.flow is flow
    assert f"type the {dice} that the table rolled" in play.text("exchange")
    assert f"space ▸ nothing: type the {dice}" in play.said
    assert "confirm" not in play.said


async def test_a_segment_has_each_die_of_the_players_asked_once():
    """CS-020: digits in Initiative, the die of the strike, and that of each check that follows it."""
    fight = start_fight(load_encounter("first-segment"), id="table", seed="7")
    fight.give("configure", setting="dice", value="players")
    fight.give("start")
    async with at_desk(fight, size=(100, 30)) as play:
        await type_initiative(play, {"berit": "9"})
        entry = await play.give("space")
        assert thrown(entry) == {("pell", "seed")}
        await play.press("s", "enter", "space", "s", "enter", "space")
        assert play.text("exchange").startswith("╭─ Berit strikes Pell")
        await refuse_enter(play, "d100")
        entry = await play.give("9", "9", "enter")
        assert thrown(entry) == {("berit", "table")}
        while "Pell strikes Berit" not in play.text("exchange"):
            entry = await play.give("enter")
            assert ("pell", "table") not in thrown(entry)
        entry = await play.give("h")
        assert [prompt.who for prompt in play.state.prompts if prompt.dice] == ["berit", "berit"]
        assert "⏎" not in play.text("exchange").split("▌check")[1].split("\n")[1]
        await refuse_enter(play, "d100")
        entry = await play.give("0", "2", "enter")
        assert thrown(entry) == {("berit", "table")}
        while play.state.is_blocked():
            await refuse_enter(play, "d100")
            entry = await play.give("0", "2", "enter")
            assert thrown(entry) == {("berit", "table")}


async def test_with_several_checks_enter_ends_at_that_of_a_player():
    """Those of the GM's figures are thrown; the next is put in the panel, with its die to be typed."""
    fight = start_fight(load_encounter("first-segment"), id="table", seed="7")
    fight.give("start")
    fight.give("advance")
    for who in ("pell", "berit"):
        fight.give("landblow", who=who, pot=17, struck="edge")
    fight.give("configure", setting="dice", value="players")
    assert [prompt.who for prompt in fight.state.prompts if prompt.dice] == ["pell", "berit", "berit"]
    async with at_desk(fight, size=(100, 30)) as play:
        await play.press("enter")
        assert [prompt.who for prompt in fight.state.prompts if prompt.dice] == ["berit", "berit"]
        await refuse_enter(play, "d100")


async def test_a_round_of_turns_has_each_die_of_the_players_asked_once():
    """Initiative by digits, the die of the attack and that of its damage, all in one panel."""
    async with at_desk(started("first-round"), size=(80, 24)) as play:
        await type_initiative(play, {"milli": "15", "roan": "12"})
        entry = await play.give("space")
        assert thrown(entry) == {("goblin-1", "seed"), ("goblin-2", "seed")}
        await play.press("s")
        await refuse_enter(play, "d20")
        await play.nothing("1", "9", "enter")
        await refuse_enter(play, "d8")
        damage = [row for row in play.text("exchange").split("\n") if "damage" in row]
        assert len(damage) == 1, "one row says it and takes the die"
        assert "d8+2 damage" in damage[0]
        assert "___ d8 " in damage[0]
        entry = await play.give("4", "enter")
        assert entry.command["rolls"] == {"attack": [19], "damage": [4]}


async def test_a_cycle_of_slots_has_each_die_of_the_players_asked_once():
    """At the table 1.4: digits are the die of Awareness, as of every roll; the bonus of the sheet is added."""
    async with at_desk(started("fire-at-the-playhouse"), size=(80, 24)) as play:
        for result in (15, 12, 14):
            bonus = play.one(play.state.asked_first.who).sheet.get("awareness") or 0
            die = str(result - bonus)
            assert "digits: the d20 rolled at the table" in play.said
            entry = await play.give(*die, "enter")
            rolled = event(entry, "AwarenessRolled")
            assert (rolled.die, rolled.modifier, rolled.value) == (int(die), bonus, result)
            assert event(entry, "DiceRolled").source == "table"
        await play.press("enter", "enter", "1")
        await refuse_enter(play, "d20")
        entry = await play.give("1", "8", "enter")
        assert thrown(entry) == {("perdita-lark", "table")}


async def test_a_moment_of_stage_has_each_die_of_the_players_asked_once():
    fight = started("a-first-fight")
    async with at_desk(advance_to(fight, "missile"), size=(80, 24)) as play:
        await play.press("s")
        await refuse_enter(play, "d20")
        entry = await play.give("1", "8", "enter")
        assert thrown(entry) == {("ysolde", "table")}


async def test_a_players_reprisal_is_typed_with_its_chance_in_sight():
    """CS-482: the answer to the offer opens the panel of the blow, from the die to the checks of whom it hits."""
    fight = both_attack(seed="3")
    fight.give("configure", setting="dice", value="players")
    while (fight.state.step.kind, fight.state.step.actor) != ("resolve", "pell"):
        fight.give("advance", force=True)
    fight.give("resolve", who="pell", hit=False)
    async with at_desk(fight, size=(100, 30)) as play:
        await play.nothing("y")
        panel = play.text("exchange")
        assert "Berit takes a Reprisal on Pell" in panel
        assert "___ d100" in next(row for row in panel.split("\n") if "chance" in row and " % " in row)
        await refuse_enter(play, "d100")
        entry = await play.give("1", "2", "enter")
        assert thrown(entry) == {("berit", "table")}
        assert "Berit takes a Reprisal on Pell (12 ≤ " in play.said
        while play.state.is_blocked():
            entry = await play.give("enter")
            assert thrown(entry) == {("pell", "seed")}
        assert play.one("pell").record.wounds == 5


async def test_a_players_blow_out_of_turn_is_typed_with_its_chance_in_sight():
    """CS-439: and Esc leads back to the offer."""
    fight = crossing(dice="table")
    async with at_desk(fight, size=(100, 30)) as play:
        await play.nothing("y")
        assert "Oskar the Axe takes an Opportunity Action on Aldous Bray" in play.text("exchange")
        assert "44 %" in play.text("exchange")
        await play.nothing("escape")
        assert "Strike?" in play.said
        await play.give("y", "8", "7", "enter")
        assert "strikes at Aldous Bray (87 > 44 %, miss)" in play.said


async def test_the_damage_of_a_hit_by_word_is_a_row_of_the_panel():
    """AP-30: as the act is given, and as its outcome is answered; Escape leads back to the panel."""
    fight = cycle()
    async with at_desk(fight, size=(100, 30)) as play:
        await play.nothing("1", "h", "enter")
        panel = play.text("exchange")
        damage = [row for row in panel.split("\n") if "damage" in row]
        assert len(damage) == 1
        assert "▌then" in damage[0]
        assert "___ d6 " in damage[0]
        assert "outcome  hit" in panel
        assert "space ▸ nothing: type the d6 " in play.said
        await play.nothing("9", "enter")
        assert "d6 can't show 9; accepted: 1-6" in play.text("exchange")
        await play.nothing("escape")
        assert "▌then" in play.text("exchange")
        await play.press("enter")
        entry = await play.give("4", "enter")
        assert entry.command["rolls"] == {"damage": [4]}
        await play.press("u")
        await play.give("1", "1", "5", "enter")
        assert "▌outcome  Did it hit?" in play.text("exchange")
        await play.nothing("h")
        panel = play.text("exchange")
        assert "outcome  hit (d6+1)" in panel
        assert "▌damage   with d6+1" in panel
        await play.nothing("escape")
        assert "▌outcome  Did it hit?" in play.text("exchange")
        await play.nothing("h")
        entry = await play.give("4", "enter")
        assert (entry.command["choice"], entry.command["rolls"]) == ("hit", {"damage": [4]})


async def test_a_die_of_the_bar_says_whose_it_is():
    """AP-34: the roll that is sealed as work begins."""
    fight = cycle("sabet", "ilvane", "brother-aum", "tamsin-roe")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.nothing("2", "3", "enter")
        assert "? Sabet, sealed: your d20 " in " ".join(play.said.split())
        assert "space ▸ nothing: type the d20 " in play.said


async def test_the_bar_is_headed_by_whose_die_is_asked_for():
    """Not by who is next, to whom the half has come meanwhile."""
    fight = advance_to(ford(dice="players"), "missile")
    async with at_desk(fight, size=(100, 30)) as play:
        await play.press("s", "5", "enter")
        assert "How much damage?" in play.text("exchange")
        assert head_of(play) == "Ysolde"
        await refuse_enter(play, "d6")
        await play.nothing("escape", "enter")
        assert "type the d6 that the table rolled" in play.text("exchange"), "no second question for it"
        await play.press("4", "enter")
        assert head_of(play) == "Brand"


async def test_each_who_types_initiative_heads_the_bar_in_turn():
    """CS-020."""
    fight = Fight.new("segments", settings={"dice": "players"})
    for name in ("Ash", "Bea"):
        fight.give("join", name=name, side="party")
    fight.give("start")
    async with at_desk(fight, size=(100, 30)) as play:
        for name in ("Ash", "Bea"):
            if name == "Ash":
                await play.press("space")
            assert f"{name}, initiative" in play.said
            assert head_of(play) == name
            await play.press("7", "enter")
