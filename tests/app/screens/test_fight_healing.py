"""From the last blow to the last wound healed, with keys alone (CS-660 to CS-672)."""

from desk import at_desk
from stagehand import SMALL, event, kinds, playing

from fightcall.flows.table_flows import trails
from fightcall.screens.help import trail_lines
from fightcall_engine.play.fight import Fight

SHEET = {"pres": 15, "armour": [{"type": "doublemail"}]}
MEG = {"trades": [{"name": "Healer", "sl": 8}]}


def over_soon():
    """Ash has four wounds, the orc one and Bors ten and his life; Meg is a healer."""
    fight = Fight.new("segments", seed="3")
    for name, side, sheet in (("Ash", "party", SHEET), ("Meg", "party", MEG), ("Orc", "foe", {}), ("Bors", "foe", {})):
        fight.give("join", name=name, side=side, sheet=sheet)
    fight.give("start")
    for who, wounds in (("ash", 4), ("orc", 1), ("bors", 8)):
        fight.give("damage", who=who, amount=wounds)
    return fight


async def test_the_plan_of_healing_from_the_end_of_the_fight_to_the_healed():
    """CS-627, CS-661 to CS-669; half of it on a small screen."""
    fight = over_soon()
    async with at_desk(fight) as play:
        await close(play)
        await tend(play)
    async with at_desk(fight, SMALL) as play:
        await strain(play)
        await wait_for(play)


async def close(play):
    """The fight ends, and what is left to do stands where the board was."""
    entry = await play.give(*":close", "enter")
    assert kinds(entry).count("HealingScheduled") == 3
    assert "Day 0 after the fight" in play.text("after")
    assert "rest and a healer: nothing heals without" in play.text("after")
    assert "The fight is over" in play.text("ribbon")
    assert "To roll" not in play.text("ribbon")


async def tend(play):
    """Meg's level is proposed; the date of the fight turns days into dates."""
    await play.press("'", *play.one("ash").label)
    assert "healer's SL" in await play.nothing("p")
    entry = await play.give("enter", "enter", "enter")
    plan = event(entry, "HealingScheduled")
    assert (plan.who, plan.met, plan.healer_sl, plan.on_days) == ("ash", True, 8, (14, 21, 27, 32))
    entry = await play.give("X", *"2026-05-01", "enter")
    assert event(entry, "HealingScheduled").dates[0] == "2026-05-15"
    assert "2026-05-15" in play.text("after")


async def strain(play):
    """CS-667, CS-668: a strenuous act begins the time anew; with Grievous wounds the GM is asked for one more."""
    before = play.state
    entry = await play.give("x", "enter")
    assert event(entry, "HealingClockReset").who == "ash"
    assert "Add a wound?" in play.said
    entry = await play.give("enter")
    assert "DamageApplied" not in kinds(entry)
    await play.press("u", "u")
    assert play.state == before


async def wait_for(play):
    """Each time as many days as the next wound takes; the Mortally wounded without a healer are asked about."""
    entry = await play.give("t", "enter")
    assert (event(entry, "DaysPassed").value, event(entry, "WoundHealed").who) == (7, "orc")
    assert "very skilled healer" in play.said
    entry = await play.give("enter")
    assert event(entry, "Died").who == "bors"
    for left in (3, 2, 1, 0):
        entry = await play.give("t", "enter")
        assert event(entry, "WoundHealed").total == left
    assert event(entry, "WoundHealed").date == "2026-06-02"
    assert "no one has anything to heal" in play.text("after")


async def test_the_card_takes_the_place_of_the_board_and_follows_who_is_selected(tmp_path):
    """Any system's: pools, armour, what is worn; Escape brings the board back."""
    async with playing(over_soon(), tmp_path, SMALL) as play:
        await play.nothing("'", *play.one("ash").label)
        await play.nothing("I")
        await play.drawn()
        assert "Doublemail" in play.text("card")
        assert not play.pane("roster").display
        await play.nothing("'", *play.one("orc").label)
        assert "Orc" in play.text("card")
        await play.nothing("escape")
        await play.drawn()
        assert play.pane("board").display
        assert not play.pane("card").display


async def test_what_is_left_to_do_goes_when_the_end_is_taken_back(tmp_path):
    """CS-101: the contest runs again."""
    async with playing(over_soon(), tmp_path) as play:
        assert "How does the fight end" in await play.nothing("K")
        await play.press("escape")
        await play.give(*":close", "enter")
        assert "Day 0 after the fight" in play.text("after")
        assert play.pane("after").display
        assert not play.pane("board").display
        await play.nothing("K")
        await play.drawn()
        assert play.pane("board").display
        await play.nothing("K")
        await play.press("u")
        await play.drawn()
        assert play.pane("board").display
        assert not play.pane("after").display


async def test_why_tells_where_wounds_armour_and_days_come_from():
    """CS-571, CS-620, CS-663."""
    async with at_desk(over_soon()) as play:
        await play.press("'", *play.one("ash").label)
        await play.give(*":close", "enter")
        lines = trail_lines(play.fight.system, *trails(play.table), "", "")
        for words, rule in (("boxes", "CS-620"), ("a week", "CS-663")):
            assert rule in {line.left for line in lines if words in line.text}
