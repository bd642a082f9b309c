"""A Full Round of Active Phase Encounters by keys alone: slots kept, a reaction paid from them, Upkeep."""

import pytest
from counting import Journey
from desk import at_desk, in_first_round
from stagehand import event, kinds

from fightcall_engine.archive.encounters import load_encounter, start_fight


def bell_tower():
    """The bell tower, its Cycle locked."""
    return in_first_round("the-bell-tower")


async def test_a_round_with_a_reserve_a_reaction_and_upkeep():
    """Four active phases, an attack, a parry in another's phase, the last call, two questions of Upkeep: at most 25."""
    fight = bell_tower()
    async with at_desk(fight, size=(140, 40)) as play:
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
        assert len(journey.asked) == 3


async def test_what_an_npc_does_is_one_panel_that_asks_only_for_the_word():
    """AP-05: by its name, without the question who acts next; having acted, they make way for whose phase it is."""
    fight = bell_tower()
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("w", "4")
        assert play.screen.table.selected == "chief-wrecker"
        await play.nothing("1")
        panel = play.text("exchange")
        assert panel.startswith("╭─ Chief wrecker: cutlass at Brother Aum")
        assert panel.count("Did it hit?") == 1
        assert "Does an NPC act now?" not in panel
        assert "⏎" not in panel
        assert "space ▸ nothing: h hit, m miss" in play.said
        assert "confirm" not in play.said
        await play.nothing("enter")
        assert "✗ h hit, m miss" in play.text("exchange")
        await play.give("h", "4", "enter")
        assert "✓ Chief wrecker: cutlass at Brother Aum; hit for 4 (12/16 HP)" in play.said
        assert play.screen.table.selected == "brother-aum"


async def test_whom_the_gm_selects_stays_selected_after_an_act_out_of_turn():
    """AP-20: who pays from reserve may do so more than once."""
    fight = bell_tower()
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("w", "enter", "'", "I", "2", "-", "enter")
        assert event(fight.head, "SlotsSpent").pool == "reserved"
        assert play.screen.table.selected == "ilvane"


async def test_a_roll_stands_once_in_its_panel():
    """AP-16: the die that fell; the sum beside the sentence says the same."""
    fight = bell_tower()
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("1", "1", "7", "enter")
        panel = play.text("exchange")
        assert "d20+5 roll: 17 +5 = 22" in panel
        assert panel.count("22") == 1
        assert "rolled 22" in play.text("feed")
        await play.press("h")
        assert "rolled 22" in play.text("feed")
        assert "hit for" in play.text("feed")


async def test_what_enter_cannot_do_is_not_said_to_be_done():
    """Enter says why not."""
    fight = bell_tower()
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("w", "enter")
        await play.nothing("3")
        assert "space ▸ show why" in play.said
        assert "confirm" not in play.said


async def test_a_ruling_that_would_help_has_its_key_in_the_panel():
    """AP-30: a finisher wants a Vulnerable target; the ruling leads back to the panel."""
    fight = bell_tower()
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("w", "enter")
        await play.nothing("3")
        panel = play.text("exchange")
        assert "another target" not in panel, "nobody else is Vulnerable either"
        key = panel.split(" ruling: vulnerable")[0].split()[-1]
        await play.nothing(key)
        assert "Wrecker 1 Vulnerable" in play.said
        await play.give("y")
        assert "Brother Aum: Stagger at Wrecker 1" in play.text("exchange")
        assert "✗" not in play.text("exchange")


async def test_going_on_that_is_taken_back_is_told_as_what_was_done():
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="ford", seed="7")
    fight.give("start")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("space", "u")
        assert "Undone: start of Meeting, Foe" in play.said


async def test_what_is_typed_in_a_list_is_marked_before_what_only_has_it():
    """And the bar says what the letters do then."""
    fight = start_fight(load_encounter("first-round"), id="turns", seed="7")
    fight.give("start")
    async with at_desk(fight, size=(100, 30)) as play:
        await play.nothing("!")
        assert "a letter takes its row" in play.said
        await play.nothing("/", *"dice")
        assert "⏎ dice\n" in play.said
        assert "letters find, arrows mark, Esc shows all" in play.said
        await play.nothing("enter")
        await play.give("p")
        assert "✓ Dice: players roll their own and you type them; the program rolls the rest" in play.said


async def test_a_question_names_whom_it_is_about_once():
    """AP-45: a ruling whose words name the figure already."""
    fight = bell_tower()
    async with at_desk(fight, size=(140, 40)) as play:
        await play.nothing("!", "/", *"over time", "enter")
        assert "? damage over time on Ilvane: called" in " ".join(play.said.split())


async def test_the_damage_of_an_npc_says_that_it_hit():
    """AP-05: what nobody rolls for hits where its damage is typed."""
    fight = bell_tower()
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("w", "4", "1", "5", "enter")
        assert "✓ Chief wrecker: cutlass at Brother Aum; hit for 5 (11/16 HP)" in play.said


async def test_every_npc_that_may_act_has_a_key():
    """AP-05: where the letter of a label begins an act, the label stands behind the key for people."""
    fight = start_fight(load_encounter("fire-at-the-playhouse"), id="fire", seed="7")
    while not any(prompt.kind == "npc" for prompt in fight.state.prompts):
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(100, 30)) as play:
        assert "⏎ nobody   '4 The Gilt Mask   '1 Usher 1" in play.said
        await play.press("'", "4", "1")
        assert play.text("exchange").startswith("╭─ The Gilt Mask: throwing knife")


async def test_what_closes_a_round_says_what_is_lost_and_wants_another_press():
    """AP-05, AP-27: with all in one band, too; Enter is no way round it."""
    fight = start_fight(load_encounter("the-last-tram"), id="tram", seed="7")
    fight.give("start")
    for who in ("odile-marchetti", "marsh", "doctor-penhallow"):
        fight.give("awareness", who=who, result=9)
    while not fight.state.prompts or not fight.state.round:
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(140, 40)) as play:
        assert "Still to act: The conductor" in play.said
        await play.nothing("enter")
        assert "space ▸ press again: close (Slots lost: 6 by Odile Marchetti" in play.said
        await play.press("enter")
        assert play.state.step.phase == "upkeep"
        await play.press("u", "s", "enter")
        lost = "6 by Odile Marchetti, 4 by Marsh, 3 by Doctor Penhallow"
        assert f"space twice ▸ Slots lost: {lost}" in play.said


async def test_a_number_that_is_refused_can_be_changed_where_it_was_typed():
    """Found in play: the question was gone, and had to be begun anew."""
    fight = start_fight(load_encounter("the-last-tram"), id="tram", seed="7")
    async with at_desk(fight, size=(100, 30)) as play:
        await play.press("space", "space", "space", "space")
        said = await play.nothing("2", "4", "enter")
        assert "✗  Needs 4 slots; Doctor Penhallow has 3 (actions of several rounds, AP-34)" in said
        entry = await play.give("backspace", "3", "enter")
        assert entry.command["type"] == "Begin"


def first_cycle():
    fight = start_fight(load_encounter("first-cycle"), id="first", seed="5")
    while fight.state.phase != "active":
        fight.do(fight.next_call().command)
    return fight


async def test_a_reserve_that_is_lost_with_the_final_phase_is_said_before_and_after():
    """AP-25, AP-27: at 80 columns, too; many losers are counted."""
    fight = first_cycle()
    for _ in range(2):
        fight.give("act", who="ilvane", ability="Thrust", target="wrecker-1", hit=False, rolls={"roll": 9})
    while fight.state.phase != "final" or fight.state.questions:
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(80, 24)) as play:
        assert "w end the phase: lose 5, Ilvane 3" in play.said
        await play.nothing("space")
        assert "space ▸ press again: Slots lost: 5 by Sabet, 3 by Ilvane" in play.said
        await play.press("space")
        assert "✓ Slots lost: 5 by Sabet, 3 by Ilvane" in play.said
        await play.press("u")
        play._size = (66, 24)
        await play.nothing("space")
        assert "space ▸ press again: Slots lost: 8 by 2 combatants" in play.said


@pytest.mark.parametrize("key", ["enter", "space"])
async def test_an_upkeep_in_which_nothing_is_due_is_told_by_what_follows(key):
    fight = first_cycle()
    while fight.state.phase != "upkeep":
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press(key)
        assert "✓ Ilvane gains 7 slots = 5 +2 Agility; now Full Round 2" in play.said


async def test_a_combo_nobody_has_slots_for_asks_only_for_able_pcs():
    """AP-32: the GM can overrule it."""
    async with at_desk(first_cycle(), size=(80, 24)) as play:
        await play.press("t")
        assert "with whom\nS Sabet\n" in play.said, play.said


async def test_an_act_that_harms_no_one_asks_for_no_outcome():
    """AP-16: what its roll comes to is the GM's word; reserved slots are named as such."""
    async with at_desk(first_cycle(), size=(80, 24)) as play:
        await play.press("2", "1")
        assert "Did it hit?" not in play.text("exchange")
        assert "the GM judges it" in play.text("exchange")
        await play.press("5", "enter", "w")
        assert not play.state.prompt("outcome")
    assert "Ilvane has 6 reserved slots: Parry 4" in play.fight.system.reminders(play.state)
