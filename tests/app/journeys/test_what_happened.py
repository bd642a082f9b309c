"""The first line of the bar says what an act came to, whole, whatever the GM overruled for it."""

import pytest
from desk import at_desk, in_first_round
from segments_fights import both_attack, declaring, on_one_line
from segments_fights import crossing as crossing_paths
from stagehand import advance_to, ford, playing

from fightcall.paint.happening import join_interactions, sentence
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.views import Interaction


def surrounded(actor=""):
    """The goblins about Milli, before the first turn, or as somebody's turn is offered."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="goblins", seed="7")
    fight.give("start")
    while actor and fight.state.step.actor != actor:
        fight.give("advance")
    return fight


async def test_an_act_that_the_gm_lets_stand_says_what_came_of_it():
    fight = surrounded("milli")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("s", "1", "4", "!")
        assert play.text("exchange").count("longsword reaches 1") == 1, "it is no complaint of the damage"
        await play.press("5", "enter")
        assert "14 ≥ 11" in play.said
        assert "hit)" not in play.said, "that it hit is said once"
        assert "hit for 7 (5/12 HP)" in play.said


async def test_cover_on_the_way_is_told_as_a_deed():
    fight = advance_to(ford(), "move")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("'", "B", "m", "right", "right", "right", "enter")
        assert "Brand moves 3 hexes to F6: takes partial cover" in play.said


async def test_going_on_to_the_next_moment_says_where_that_leads():
    fight = advance_to(ford(), "management", "party")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press(">", "space")
        assert play.state.round == 2
        assert "✓ Now: Meeting, Party" in play.said


async def test_a_walk_of_turns_is_told_once_with_its_unit():
    fight = surrounded("milli")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("m", "enter")
        assert "✓ Milli moves 3 hexes to J6" in play.said
        assert play.said.count("move 3") == 0


async def test_a_hit_by_word_says_its_harm_at_80_columns():
    """Found in play 3."""
    fight = surrounded("milli")
    fight.give("place", who="milli", at="J6")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("s", "h", "5", "enter")
        assert "✓ Milli attacks Goblin Warrior 2 with longsword: hit for 5 (" in play.said
        assert "(7/12 HP)" in play.said, "in one row"


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (100, 30), (140, 40)])
async def test_what_was_let_go_done_and_taken_back_is_said_at_every_size(size):
    """Found in play 3."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=size) as play:
        await play.press("w")
        assert "Ysolde passes" in play.said
        await play.press("d", "1", "2", "enter")
        assert "Goblin 1 takes 2 damage (5/7 HP)" in play.said
        await play.press("u")
        assert "Undone: Goblin 1 takes 2" in play.said
        await play.press("'", "B", "a")
        await play.press("escape", "'", "P", "s", "m")
        assert "Paul shoots" in play.said


async def test_an_act_of_slots_and_the_end_of_a_phase_are_said_at_80_columns():
    """Found in play 3."""
    fight = in_first_round("the-bell-tower")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("1", "h", "4", "enter")
        assert "✓ Ilvane: Thrust at Wrecker 1; hit for 4 (3/7 HP)" in play.said
        await play.press("w")
        assert "✓ Ilvane keeps 5 in reserve" in play.said
        await play.press("u")
        assert "Undone: Ilvane keeps 5 in reserve" in play.said


async def test_of_many_initiatives_the_order_is_told():
    """Found in play 8."""
    fight = surrounded()
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("space")
        assert "✓ Order: Milli, Goblin Warrior 2 and 5 more  " in play.said, "and not what one of them rolled"


@pytest.mark.parametrize(
    ("encounter", "told"),
    [
        ("first-round", "✓ Initiative: 24 Milli, 21 Goblin 1, 11 Roan, 4 Goblin 2"),
        ("the-bell-tower", "✓ Awareness: 23 Ilvane, 21 Aum, 17 Sabet, 7 Tamsin"),
        ("first-segment", "✓ Initiative: 8 Berit, 1 Pell"),
    ],
)
async def test_of_a_few_all_who_rolled_are_told_with_their_numbers(encounter, told):
    """In one line, though each answered a question of their own."""
    fight = start_fight(load_encounter(encounter), id="few", seed="7")
    fight.give("start")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("space")
        assert told in play.said, play.said


async def test_a_remark_that_was_read_is_said_to_be_noted():
    """All of it, as far as there is room."""
    fight = start_fight(load_encounter("first-round"), id="noted", seed="7")
    fight.give("start")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("space")
        remark = fight.state.prompts[-1].question
        await play.give("enter")
        said = " ".join(play.said.replace("u undo", "").split())
        assert f"✓ Noted: {remark}" in said, play.said


async def test_what_several_lose_is_said_with_the_key_that_loses_it():
    """AP-27: each of them, in the last line before, and in the first line then."""
    fight = start_fight(load_encounter("the-bell-tower"), id="bells", seed="7")
    while not fight.next_call().loses.startswith("Slots lost"):
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(100, 30)) as play:
        lost = "Slots lost: 7 by Ilvane, 6 by Sabet, 4 by "
        assert f"({lost}" in play.said, play.said
        await play.press("space", "space")
        assert f"✓ {lost}Brother Aum" in play.said, play.said


async def test_all_who_join_are_named(tmp_path):
    """Found in play 30."""
    fight = advance_to(ford(), "missile")
    async with playing(fight, tmp_path, size=(80, 24)) as play:
        await play.press("J", *"goblin", "space", *"x2", "enter", "enter")
        assert "✓ Goblin 4 and Goblin 5 join (foe)" in play.said


async def test_those_of_shipped_encounters_join_by_the_beginning_of_their_name(tmp_path):
    """They are read where nobody of the fight is meant, and bring their whole sheet."""
    fight = advance_to(ford(), "missile")
    async with playing(fight, tmp_path, size=(80, 24)) as play:
        await play.nothing("J")
        assert "Rusk" not in play.text("feed")
        await play.nothing(*"rusk")
        assert "Captain Rusk" in play.text("feed")
        await play.press("tab", "enter", "enter")
        assert play.one("captain-rusk").sheet["strikes"]


async def test_a_key_before_its_time_says_where_it_belongs():
    """Before the first round, in somebody else's turn, and in Initiative alike."""
    fight = ford()
    async with at_desk(fight, size=(80, 24)) as play:
        assert "move: only in Move; the fight hasn't started (order of the" in await play.nothing("m")
    fight = surrounded()
    async with at_desk(fight, size=(80, 24)) as play:
        assert "strike (longsword): only in Acting; this is Initiative" in await play.nothing("s")
        await play.press("space", "space", "'", "P")
        assert play.state.step.actor == "milli"
        assert "strike (staff): only in Pau's turn; this is Milli's turn" in await play.nothing("s")


async def test_nobody_strikes_in_the_place_of_who_is_selected():
    """At an offer `s` takes the turn and strikes for whose turn it is; for anybody else it says whose it is."""
    fight = surrounded()
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("space", "'", "P")
        assert play.state.step.phase == "offer"
        assert play.state.step.actor != "pau"
        await play.nothing("s")
        assert "this is" in play.said
        assert play.screen.runner.panel() is None


async def test_who_lists_no_magic_may_cast_and_is_not_proposed_to():
    """At the table 1.5, SB-52: casting stands in the list alone, as the sheet has other strikes (found in play 17)."""
    fight = advance_to(ford(), "magic")
    async with at_desk(fight, size=(80, 24)) as play:
        assert play.screen.table.selected == "paul", "who lists magic is selected"
        await play.press("'", "Y")
        assert play.said.split("\n")[2].startswith("w pass")
        assert "cast" not in play.said
        await play.nothing("s")
        assert play.screen.runner.panel() is None
        await play.nothing("a", "/", *"cast", "enter")
        assert "Ysolde casts" in play.text("exchange")


async def test_reminders_are_whole_and_say_whose_they_are():
    fight = surrounded("milli")
    fight.give("advance")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("'", "P")
        assert "Milli has 3 of 3 Actions left" in play.said
        await play.press("'", "M", "s")
        assert not any(row.endswith(("Roan", ",")) for row in play.said.split("\n"))


async def test_what_an_answer_brought_is_said_and_not_the_question():
    """AP-45: whom the fire harms, and what is left."""
    fight = in_first_round("first-cycle")
    fight.give("affect", who="ilvane", name="poison", kind="damage", amount=2, rounds=3)
    async with at_desk(fight, size=(80, 24)) as play:
        while not [prompt for prompt in fight.state.prompts if "poison" in prompt.question]:
            fight.do(fight.next_call().command)
        await play.drawn()
        await play.give("enter")
        assert "Ilvane takes 2 damage from poison" in play.said


async def test_who_goes_down_by_the_gms_word_is_said_at_80_columns():
    fight = surrounded("milli")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.give("d", "1", *"20", "enter")
        assert "Goblin Archer 1 is down" in play.said, play.said


def test_who_falls_by_a_blow_that_was_asked_about_is_named_once():
    """AP-16, AP-45."""
    fight = start_fight(load_encounter("the-last-tram"), id="tram", seed="7")
    fight.give("start")
    for who, result in zip(("odile-marchetti", "marsh", "doctor-penhallow"), (20, 15, 10), strict=True):
        fight.give("awareness", who=who, result=result)
    fight.give("lock")
    fight.give("adjust", who="the-conductor", what="hp", value=7)
    fight.give("act", who="odile-marchetti", ability="Crowbar", target="the-conductor")
    before, entry = fight.state, fight.give("answer", prompt="outcome", amount=7)
    assert sentence(fight.system, before, entry.events).text == "The conductor is down: takes 7 damage (0/26 HP)"


async def test_what_befalls_two_is_told_of_each():
    """AP-26: what one loses is no consequence of what the other does."""
    fight = in_first_round("the-last-tram")
    async with at_desk(fight, size=(140, 40)) as play:
        while fight.state.phase != "upkeep":
            call = fight.next_call()
            if call.loses:
                await play.press("space")
            await play.press("space")
        said = play.said
    told = next(line for line in said.split("\n") if "Slots lost" in line)
    assert told.startswith("✓ Slots lost: ")
    assert "," in told


def crossing():
    """Three of the party walk up to two foes, in Pulses: Cade comes upon both of them before Berit and Aldous do."""
    fight = start_fight(load_encounter("the-tiltyard"), id="yard", seed="1415")
    fight.give("start")
    fight.give("advance")
    targets = {"aldous-bray": "groom-1", "cade": "groom-1", "berit": "oskar-the-axe"}
    while fight.state.step.kind == "declare":
        actor = fight.state.step.actor
        if actor in targets:
            fight.give("declare", who=actor, action="strike", target=targets[actor])
        fight.give("advance")
    assert fight.state.step.kind == "pulse"
    return fight


async def test_a_pulse_says_where_everybody_has_come_to():
    """CS-235: not only the first who walked, nor the number of the Pulse that begins."""
    async with at_desk(crossing(), size=(80, 24)) as play:
        await play.give("space")
        assert "✓ Aldous Bray to C4, Cade to C6 and Berit to E5" in play.said


async def test_running_the_pulses_says_who_met_whom_and_who_was_held_up():
    """CS-233, CS-236: what somebody else does after who moves on is not said of them."""
    async with at_desk(crossing(), size=(140, 40)) as play:
        await play.give("g")
        said = " ".join(play.said.replace("u undo", "").split())
        assert "Aldous Bray to M2, Cade to P7 and Berit to Q3; Berit comes upon Oskar the Axe" in said
        assert "Berit comes within Oskar the Axe's reach" in play.said
        await play.give("g", "g")
        assert "✓ Aldous Bray to Q5; Aldous Bray comes upon Oskar the Axe and Groom 1" in play.said
        await play.give("g", "g")
        assert "✓ Cade to Q7; Cade comes upon Groom 1" in play.said


async def test_how_an_attack_came_out_is_whole_at_80_columns():
    """Its sums stand in the log and in the panel: how the die fell, and whether it missed, has the room."""
    fight = both_attack()
    fight.give("advance")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.give("9", "9", "enter")
        assert "✓ Berit attacks Pell (99 > 65 %, miss); AV 50 against DV 35" in play.said
        await play.press("u")
        await play.give("1", "2", "enter")
        assert "✓ Berit attacks Pell (12 ≤ 65 %, hit): " in play.said
        assert "takes 5 wounds" in play.text("exchange")


async def test_what_a_blow_did_is_said_rather_than_how_it_was_reckoned():
    """CS-620: the wounds and what else befalls the target; force and armour stand in the log."""
    fight = both_attack()
    fight.give("advance")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.give("1", "2", "enter")
        said = play.said.split("\n")[1]
        assert "(12 ≤ 65 %, hit): Pell takes 5 wounds, 5 in all, grievous; is knocked back" in said
        assert "POT" not in said
        assert "AV" not in said


@pytest.mark.parametrize("key", ["y", "s"])
async def test_a_reprisal_says_its_die_and_what_it_did(key):
    """CS-482: as of any other attack, and not that a check of that name succeeds."""
    fight = both_attack(seed="3")
    fight.give("advance")
    fight.give("resolve", who="berit", hit=False)
    async with at_desk(fight, size=(140, 40)) as play:
        await play.give(key, "enter")
        said = play.said.split("\n")[1]
        assert "Pell takes a Reprisal on Berit (" in said
        assert "reprisal" not in said


async def test_an_answer_to_a_long_question_stands_alone():
    """CS-622: the question was read, and its answer is not cut off at its end."""
    fight = both_attack(seed="7")
    fight.give("advance")
    fight.give("resolve", who="berit", hit=True)
    while fight.state.step.actor == "berit":
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(80, 24)) as play:
        assert "Rally for this Action?" in play.said
        await play.give("enter")
        assert "✓ Pell: fight on with half " in play.said


async def test_a_digit_where_nothing_is_rolled_yet_says_when_it_is():
    """CS-094: in a panel that only declares, the die of the attack is not due."""
    async with at_desk(declaring(), size=(80, 24)) as play:
        await play.press("s")
        await play.nothing("5")
        assert "no roll yet: full action, resolves this segment" in play.text("exchange")


async def test_whoever_cannot_be_struck_is_aimed_at_and_the_panel_says_why():
    """CS-318: by the question whom, as by a label: the reason and the key that helps stand in the panel."""
    fight = on_one_line()
    fight.give("place", who="groom-1", at="O4", facing=4)
    async with at_desk(fight, size=(100, 30)) as play:
        while play.state.step.actor != "groom-1":
            await play.press("space")
        await play.press("s", "'", "A")
        assert "Groom 1 strikes Aldous Bray" in play.text("exchange")
        assert "CS-318" in play.text("exchange")


async def test_confirming_says_what_is_confirmed():
    """CS-084."""
    async with at_desk(declaring(), size=(80, 24)) as play:
        await play.press("s", "enter")
        await play.give("y")
        assert "✓ Berit confirms: strike Groom 1 with spear" in play.said
        await play.press("u")
        assert "Undone: Berit confirms: strike Groom 1 with spear" in play.said


async def test_what_is_only_asked_before_play_goes_on_stands_once():
    """CS-539: `space` says that a warning comes, which is not told as if it had happened."""
    async with at_desk(on_one_line(pulse_movement=False), size=(100, 30)) as play:
        await play.press("C")
        assert "Aldous Bray charges Oskar the Axe with longsword" in play.text("exchange")
        await play.press("enter")
        assert "space ▸ warning: Aldous Bray charges but hasn't run" in play.said
        await play.give("space")
        assert play.said.count("hasn't run") == 1
        assert "✓ See the warning below" in play.said
        await play.press("u")
        assert "· Undone: question: Aldous Bray charges but hasn't run" in play.said


async def test_a_question_that_is_open_as_the_fight_is_opened_stands_once():
    fight = start_fight(load_encounter("the-rooftops"), id="roofs", seed="7")
    fight.give("start")
    assert [prompt.kind for prompt in fight.state.prompts] == ["next"]
    async with at_desk(fight, size=(80, 24)) as play:
        assert play.said.count(fight.state.prompts[0].question) == 1
        assert "✓ See the question below" in play.said


def test_what_several_meet_in_a_pulse_is_one_sentence():
    """CS-236."""

    def say(*deeds):
        return join_interactions([Interaction(who, does, whom).phrase("warn", "CS-236") for who, does, whom in deeds])

    comes, held = ("comes upon", "come upon"), ("is held up by", "are held up by")
    assert say(("Ash", comes, "Orc 1"), ("Ash", comes, "Orc 2")) == ["Ash comes upon Orc 1 and Orc 2"]
    assert say(("Orc 1", comes, "Ash"), ("Orc 2", comes, "Ash"), ("Ash", held, "Orc"), ("Ash", held, "Orc")) == [
        "Orc 1 and Orc 2 come upon Ash",
        "Ash is held up by Orc",
    ]
    assert say(("Orc 1", held, "Orc"), ("Orc 2", held, "Orc")) == ["Orc 1 and Orc 2 are held up by Orc"]


async def test_who_joins_without_a_place_can_be_put_on_the_board(tmp_path):
    """Found in play: whoever joined nowhere was in the roster, and empty how to place them."""
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="ford", seed="3")
    fight.give("start")
    async with playing(fight, tmp_path, size=(80, 24)) as play:
        await play.press("J", *"Wolf", "enter")
        await play.press("enter", "enter", "enter")
        assert "✓ Wolf joins (foe), not on the board yet (! p places them)" in play.said
        play.app.screen.runner.select("wolf")
        await play.press("!", "p", "enter", "enter")
        assert "✓ Wolf moved to" in play.said


def test_that_two_have_met_is_told_once():
    """CS-236: found in play: in contact with Corso Vail; comes upon Corso Vail."""
    touch, comes = ("in contact with", "in contact with"), ("comes upon", "come upon")
    met = [
        Interaction("Ash", touch, "Orc 1", is_meeting=True),
        Interaction("Ash", comes, "Orc 1", is_meeting=True),
        Interaction("Ash", comes, "Orc 2", is_meeting=True),
        Interaction("Ash", ("is held up by", "are held up by"), "Orc 1"),
    ]
    assert join_interactions([each.phrase("warn") for each in met]) == [
        "Ash in contact with Orc 1",
        "Ash comes upon Orc 2",
        "Ash is held up by Orc 1",
    ]


async def test_who_plan_their_ways_are_all_told_and_no_pulse_in_which_nobody_walks():
    """CS-230, CS-232: of a run of Pulses in which nobody goes, the bar says where it has led."""
    fight = crossing()
    while fight.state.step.kind == "pulse":
        fight.undo()
    fight.give("declare", who="oskar-the-axe", action="defend")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.give("space")
        assert play.state.step.kind == "pulse"
        said = play.said.split("\n")[1]
        for name in ("Aldous Bray", "Cade", "Berit"):
            assert f"{name} plans" in said
        assert "Pulse 1" not in said
    fight = on_one_line()
    while fight.state.step.kind == "declare":
        fight.give("advance")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.give("g")
        assert "✓ Now: Late declarations" in play.said


async def test_an_action_that_is_kept_is_named():
    """CS-237: and abort is nothing that Enter proposes (CS-143)."""
    async with at_desk(crossing_paths(dice="table"), size=(80, 24)) as play:
        await play.press("y", "8", "7", "enter")
        await play.give("enter")
        assert "✓ Aldous Bray keeps: strike Oskar the Axe with longsword" in play.said
    fight = both_attack()
    fight.give("place", who="pell", at="G3")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("space", "space", "escape")
        assert play.state.step.actor == "berit"
        assert "⏎ x" not in play.said
        await play.press("enter")
        assert "⏎" not in play.said, "the remark is noted, and nothing else proposed"
        await play.nothing("enter")


async def test_who_has_arrived_does_not_move_on():
    """CS-440: what was answered is told instead."""
    fight = on_one_line(pulse_movement=False)
    while fight.state.step.actor != "oskar-the-axe":
        fight.give("advance")
    fight.give("declare", who="oskar-the-axe", action="defend")
    fight.give("move", who="oskar-the-axe", to="N4")
    async with at_desk(fight, size=(80, 24)) as play:
        assert "Strike?" in play.said
        await play.give("enter")
        assert "moves on" not in play.said
        assert "✓ Aldous Bray does not strike Oskar" in play.said


async def test_what_is_said_of_several_alike_is_said_once():
    fight = start_fight(load_encounter("the-sunken-lane"), id="lane", seed="7")
    async with at_desk(fight, size=(100, 30)) as play:
        await play.press("space", "'", "C", "z", *["enter"] * 5, "y", *"nnnn", "space")
        assert "Hobb, Maud, Brother Osric and Tib: overwhelmed, 1 segment" in play.said
    async with at_desk(in_first_round("first-segment")) as play:
        await play.press(">", ">")
        assert "✓ Berit and Pell wait" in play.said


async def test_what_was_taken_back_is_said_in_plain_words():
    """CS-084, CS-090: whose Declaration was gone on to, and what was asked; not what stands there now."""
    fight = declaring()
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("s", "enter", "space")
        assert "✓ Now: Cade declares" in play.said
        await play.press("u")
        assert "· Undone: start of Cade's Declaration" in play.said
        await play.press("U")
        assert "✓ Redone: start of Cade's Declaration" in play.said


async def test_who_goes_down_is_said_at_80_columns():
    """SB-96: what the dice of the damage showed stands in the log."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("d", "2", *"d1+6", "enter")
        assert "✓ Goblin 2 takes 7 damage (0/7 HP); Goblin 2 is down" in play.said


async def test_who_falls_by_what_one_key_rolled_is_said_at_80_columns():
    """CS-611: Enter rolls all the checks of a hit, and the step that follows begins at once."""
    async with at_desk(declaring(), size=(80, 24)) as play:
        while play.state.step.actor != "cade":
            await play.press("space")
        await play.press("A", "'", "1", "enter")
        while play.state.step.kind == "declare":
            await play.press("space")
        await play.press("g")
        while play.state.step.kind == "waits":
            await play.press("space")
        await play.press("2", "3", "enter", "enter")
        assert not play.one("groom-1").able
        assert "falls unconscious" in play.said, play.said


async def test_what_is_secret_is_marked_so_whichever_way_it_is_said():
    """CS-087: declared, confirmed and taken back alike; nobody reads it out by mistake (found in play 15)."""
    fight = start_fight(load_encounter("the-tiltyard"), id="yard", seed="3")
    async with at_desk(fight, size=(120, 36)) as play:
        await play.press("space", "space", "S", *"palms", "enter", "enter")
        assert "palms (secret" in play.said
        await play.press("y")
        assert "confirms: palms (secret)" in play.said
        await play.press("u")
        assert "Undone: Berit confirms: palms (secret)" in play.said


async def test_of_several_who_roll_the_same_all_are_named():
    """Two with one number and one sum were taken for one."""
    fight = start_fight(load_encounter("the-bell-tower"), id="tower", seed="4")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("space", "space")
        assert "✓ Awareness: 12 Brother Aum, 9 Ilvane, 9 Sabet, 9 Tamsin Roe" in play.said


async def test_an_act_that_ends_the_round_says_so():
    """Where nothing more is asked, the next round begins with the last act of this one."""
    async with at_desk(both_attack(), size=(140, 40)) as play:
        while play.state.round == 1:
            before = play.said
            await play.press("m" if "h hit" in play.text("exchange") else "space")
        assert "✓ Berit takes no Reprisal; now Segment 2" in play.said
        assert "now Segment" not in before


async def test_the_fallen_are_in_no_order_that_is_told_and_wait_for_nothing():
    """They keep their place for the case that they come back."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="goblins", seed="7")
    fight.give("damage", who="roan", amount=99)
    fight.give("start")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("space")
        order = play.said.split("\n")[1]
        assert order.startswith("✓ Order: ")
        assert " and 4 more " in order, "of seven one is down"


@pytest.mark.parametrize(
    ("encounter", "ruling", "words"),
    [
        ("ambush-at-the-ford", {"what": "morale", "value": "holds"}, "Morale of the foe: holds"),
        ("the-tiltyard", {"what": "contest", "value": "combat"}, "This is combat now"),
        ("the-tiltyard", {"what": "warned", "who": "aldous-bray", "value": True}, "Aldous Bray is warned"),
        ("surrounded-by-goblins", {"what": "free", "who": "milli", "value": False}, "Milli's Free Actions: forbidden"),
    ],
)
def test_what_the_gm_rules_is_said_once_and_in_words(encounter, ruling, words):
    fight = start_fight(load_encounter(encounter), id="f", seed="7")
    fight.give("start")
    while fight.state.round == 0:
        asked = [prompt for prompt in fight.state.prompts if prompt.blocking]
        if asked:
            fight.give("answer", prompt=asked[0].id, choice=asked[0].default or asked[0].choices[0].id)
        else:
            fight.give("advance")
    before = fight.state
    fight.give("rule", **ruling)
    assert sentence(fight.system, before, fight.head.events).text == words


async def test_what_a_volley_does_is_told_of_who_shot():
    """The damage of the first of several shots is answered when all have been told: it is not the last one's."""
    fight = ford(seed="9")
    advance_to(fight, "missile", "foe")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("&", "s", "5", "enter", "1", "5", "enter", "enter", "enter")
        log = " ".join(play.text("feed").replace("│", " ").split())
        assert "Brand takes 1 damage from Goblin 1 (13/15 HP)" in log
        assert log.index("Goblin 3 shoots") < log.index("hit for 1 (14/15 HP)") < log.index("from Goblin 1")


async def test_after_the_foes_have_acted_the_bar_says_whom_they_harmed_and_what_is_left():
    fight = surrounded("milli")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("s", ">", ">")
        before, start = play.state, fight.line.entry_count()
        await play.press(",")
        lost = {
            each.name: before.combatants[each.id].pools["hp"].now - each.pools["hp"].now for each in play.state.roster
        }
        harmed = [f"{name} takes {amount} damage" for name, amount in lost.items() if amount > 0]
        assert fight.line.entry_count() - start > 3
        assert len(harmed) > 1
        assert all(words in play.said for words in harmed)


def test_what_came_of_an_act_begins_with_whom_it_harmed():
    """A walk into contact before it harms nobody: once it was said that the target is in contact with itself."""
    fight = surrounded("milli")
    fight.give("take", who="milli")
    before, start = fight.state, fight.line.entry_count()
    fight.give("move", who="milli", to="J6")
    fight.give("strike", who="milli", target="goblin-warrior-2", weapon="longsword", rolls={"attack": [17]}, hit=True)
    events = [event for at in range(start, fight.line.entry_count()) for event in fight.line.entry(at).events]
    told = sentence(fight.system, before, events)
    assert "in contact with Goblin Warrior 2" in told.text
    assert told.harm.startswith("Goblin Warrior 2 is hit for ")
