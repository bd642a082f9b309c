"""What an attack still asks is in its panel whenever the fight is opened, and wherever undo leads to."""

from desk import at_desk
from segments_fights import both_attack, crossing

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.fight import Fight


def yard(path=None):
    """Two in a yard, the attack of each declared; it is the Resolution of Berit."""
    fight = both_attack(path)
    fight.give("advance")
    return fight


async def test_a_program_that_was_killed_comes_back_with_the_panel_of_what_is_asked(tmp_path):
    """The hit has two checks: the rows of the hit are there, the first check is marked, and Enter makes both."""
    path = tmp_path / "yard.jsonl"
    fight = yard(path)
    async with at_desk(fight, size=(100, 30)) as play:
        await play.press("0", "1", "enter")
        left, panel = play.state, play.text("exchange")
        assert "▌check" in panel
    fight.close()
    again = Fight.open(path)
    async with at_desk(again, size=(100, 30)) as play:
        await play.drawn()
        assert play.state == left
        assert play.text("exchange") == panel
        assert panel.startswith("╭─ Berit strikes Pell with longsword")
        assert "takes 5 wounds" in panel
        await play.press("enter")
        assert not play.state.is_blocked()
    again.close()


async def test_undo_leads_back_into_the_panel_of_an_attack_that_was_over():
    """Also from the next attack, which had a panel of its own."""
    async with at_desk(yard(), size=(100, 30)) as play:
        await play.press("0", "1", "enter")
        asked, panel = play.state, play.text("exchange")
        while "Pell strikes Berit" not in play.text("exchange"):
            await play.press("enter")
        while play.fight.head.command["type"] != "Resolve":
            await play.press("u")
        assert play.state == asked
        assert play.text("exchange") == panel


async def test_a_reprisal_that_was_taken_has_its_own_panel_again():
    """CS-492: it is the same panel turned round, under the name of whoever strikes back."""
    fight = yard()
    fight.give("resolve", who="berit", hit=False)
    fight.give("reprise", who="pell", hit=True)
    assert fight.state.is_blocked()
    async with at_desk(fight, size=(100, 30)) as play:
        await play.drawn()
        panel = play.text("exchange")
        assert panel.startswith("╭─ Pell takes a Reprisal on Berit")
        assert "▌check" in panel


async def test_a_strike_on_the_way_has_its_panel_again():
    """CS-236: it was an answer, and stands under what it brought about."""
    fight = crossing()
    fight.give("configure", setting="dice", value="table")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("y", "1", "enter")
        assert fight.head.command["type"] == "Answer"
        assert fight.state.is_blocked()
    fight.give("configure", setting="dice", value="engine")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.drawn()
        assert play.text("exchange").startswith("╭─ Oskar the Axe strikes at Aldous Bray")
        await play.press("enter")
        assert not play.state.is_blocked()
        assert play.screen.runner.panel() is None


async def test_a_question_that_follows_no_attack_stands_in_the_bar():
    fight = start_fight(load_encounter("the-last-tram"), id="tram", seed="7")
    fight.give("start")
    assert fight.state.is_blocked()
    async with at_desk(fight, size=(80, 24)) as play:
        await play.drawn()
        assert play.screen.runner.panel() is None
        assert "'s Awareness" in play.said
