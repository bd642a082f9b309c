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


async def test_what_an_npc_does_is_one_panel_that_asks_only_for_the_word(tmp_path):
    """AP-05: by its name, without the question who acts next; having acted, they make way for whose phase it is."""
    fight = bell_tower()
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        await play.press("w", "4")
        assert play.screen.table.selected == "chief-wrecker"
        await play.nothing("1")
        panel = play.text("exchange")
        assert panel.startswith("╭─ Chief wrecker: cutlass at Brother Aum")
        assert "the table says whether it hits" in panel
        assert "Does an NPC act now?" not in panel
        assert "hit or miss?" not in panel
        assert "⏎" not in panel
        assert "space ▸ nothing: h hit, m miss" in play.said
        assert "does it" not in play.said
        await play.nothing("enter")
        assert "✗ h hit, m miss" in play.text("exchange")
        await play.give("h", "4", "enter")
        assert "✓ Chief wrecker: cutlass at Brother Aum; hit for 4: 12 of 16 left" in play.said
        assert play.screen.table.selected == "brother-aum"


async def test_whom_the_gm_selects_stays_selected_after_an_act_out_of_turn(tmp_path):
    """AP-20: who pays from reserve may do so more than once."""
    fight = bell_tower()
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        await play.press("w", "enter", "'", "I", "2", "-", "enter")
        assert event(fight.head, "SlotsSpent").pool == "reserved"
        assert play.screen.table.selected == "ilvane"


async def test_a_roll_stands_once_in_its_panel(tmp_path):
    """AP-16: the die that fell; the sum beside the sentence says the same."""
    fight = bell_tower()
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        await play.press("1", "1", "7", "enter")
        panel = play.text("exchange")
        assert "d20+5 roll: 17 = 22" in panel
        assert panel.count("22") == 1
        assert "rolled 22" in play.text("feed")
        await play.press("h")
        assert "rolled 22" in play.text("feed")
        assert "hit for" in play.text("feed")


async def test_what_enter_cannot_do_is_not_said_to_be_done(tmp_path):
    """Enter says why not."""
    fight = bell_tower()
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        await play.press("w", "enter")
        await play.nothing("3")
        assert "space ▸ why not" in play.said
        assert "does it" not in play.said
