"""A declared attack that is due shows its panel by itself, and is in nobody's way."""

import pytest
from desk import at_desk
from segments_fights import both_attack, on_one_line
from stagehand import event, kinds

from fightcall_engine.play.fight import Fight


async def test_the_panel_is_there_when_the_attack_is_due_and_enter_makes_it():
    """What a cue says at that moment stands in the bar beside it."""
    async with at_desk(both_attack(), size=(80, 24)) as play:
        await play.press("space")
        assert play.state.step.actor == "berit"
        assert play.text("exchange").startswith("╭─ Berit strikes Pell")
        bar = " ".join(play.said.split())
        assert "A declared attack opens its panel" in bar
        assert "space ▸ roll d100" in bar
        entry = await play.give("enter")
        assert entry.command["type"] == "Resolve"
        assert "CheckResolved" in kinds(entry)


async def test_a_panel_that_was_left_does_not_open_again_for_the_same_attack():
    """Nor after what is noted or taken back meanwhile; its key opens it."""
    async with at_desk(both_attack(), size=(140, 40)) as play:
        await play.press("space", "escape")
        assert play.screen.runner.panel() is None
        await play.press("N", "h", "m", "enter")
        assert play.fight.head.command["type"] == "Note"
        assert play.screen.runner.panel() is None
        await play.press("u")
        assert play.screen.runner.panel() is None
        await play.press("s")
        assert "Berit strikes Pell" in play.text("exchange")
        await play.press("escape", "space", "space", "space")
        assert play.state.step.actor == "pell"
        assert "Pell strikes Berit" in play.text("exchange"), "that is another attack"


async def test_whoever_begins_something_else_is_not_kept_from_it():
    """A key that means nothing in the panel means what it means elsewhere, until something is said in the panel."""
    async with at_desk(both_attack(), size=(140, 40)) as play:
        await play.press("space", "N")
        assert play.screen.runner.panel() is None
        await play.press("s", "o", "enter")
        assert play.fight.head.command == {"type": "Note", "text": "so"}
        assert "Berit strikes Pell" in play.text("exchange")
        await play.press("!")
        assert "Ruling" in play.text("feed"), "nothing prevents it that could be let stand"
        await play.press("escape", "s", "4", "w")
        assert "w does nothing here" in play.text("exchange")
        await play.press("2", "enter")
        thrown = [event for event in play.fight.line.events() if event.type == "DiceRolled" and event.source == "table"]
        assert [event.faces for event in thrown] == [(42,)]


@pytest.mark.parametrize("key", ["z", "D", "§"])
async def test_a_key_that_does_nothing_now_leaves_the_panel_open(key):
    """An option that is not possible now, a heal while no one is hurt, and a key without a meaning."""
    async with at_desk(both_attack(), size=(80, 24)) as play:
        await play.press("space")
        await play.nothing(key)
        assert play.text("exchange").startswith("╭─ Berit strikes Pell")
        entry = await play.give("4", "2", "enter")
        assert list(entry.command["rolls"].values()) == [[42]]


async def test_the_panel_is_there_again_after_another_question_is_left():
    async with at_desk(both_attack(), size=(80, 24)) as play:
        await play.press("space")
        await play.nothing("c", "escape")
        assert play.text("exchange").startswith("╭─ Berit strikes Pell")


@pytest.mark.parametrize("keys", [(">", ">"), ("escape", "space", "space"), ("x",)])
async def test_an_attack_that_is_due_is_let_go_with_the_warning_press_alone(keys):
    """CS-092: one entry, that one key takes back; the key that aborts says already what is lost."""
    async with at_desk(both_attack(), size=(80, 24)) as play:
        await play.press("space")
        await play.give(*keys)
        assert play.one("berit").record.action.outcome in ("not carried out", "given up")
        await play.press("u")
        assert play.state.step.actor == "berit"
        assert play.text("exchange").startswith("╭─ Berit strikes Pell")


async def test_undo_with_the_panel_open_takes_back_what_led_there():
    """And going on shows it again; after its attack was taken back it is as it was before."""
    async with at_desk(both_attack(), size=(140, 40)) as play:
        await play.press("space", "u")
        assert play.state.step.kind == "declare"
        assert play.screen.runner.panel() is None
        await play.press("space", "h", "m")
        assert play.fight.head.command["type"] == "Resolve"
        while play.fight.head.command["type"] != "Advance":
            await play.press("u")
        assert "Berit strikes Pell" in play.text("exchange")


async def test_a_fight_that_is_opened_again_shows_what_is_due():
    fight = both_attack()
    fight.give("advance")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.drawn()
        assert "Berit strikes Pell" in play.text("exchange")


async def test_an_attack_that_cannot_be_made_says_so_and_keeps_nobody():
    """CS-250: the panel says what is against it; `space` goes on as if it were closed, and no question is hidden."""
    fight = both_attack()
    fight.give("place", who="pell", at="G3")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("space")
        assert "Pell can't reach Berit from here: move first" in play.said
        await play.press("space")
        assert "CS-250" in play.text("exchange")
        assert "loses the Action: strike Pell with longsword" in play.said
        await play.nothing("space")
        assert play.screen.runner.panel() is None
        assert "press again" in play.said
        entry = await play.give("space")
        assert event(entry, "Resolved").outcome == "not carried out"
        assert play.state.step.actor == "pell", "a remark holds nothing up"
        await play.press("enter")
        assert "overrides it" in play.text("exchange"), "Enter says why not"


async def test_of_another_target_no_defence_of_the_first_is_kept():
    """CS-414: nobody helps against themselves, though another rule stands against the attack."""
    fight = on_one_line()
    fight.give("place", who="oskar-the-axe", at="N4", facing=4)
    fight.give("place", who="groom-1", at="L4", facing=0)
    fight.give("declare", who="aldous-bray", action="strike", target="oskar-the-axe")
    while fight.state.step.kind != "resolve":
        fight.give("advance")
    fight.give("setlife", who="oskar-the-axe", life="unconscious")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.drawn()
        assert play.said.count("loses the Action") == 1
        await play.nothing("'", "1")
        panel = play.text("exchange")
        assert "Aldous Bray strikes Groom 1" in panel
        assert "CS-306" in panel
        assert "CS-414" not in panel


def strike_of_oskar_due():
    """Aldous's declared blow at Oskar is due, with both grooms in the far corner."""
    fight = on_one_line()
    fight.give("place", who="oskar-the-axe", at="N4", facing=4)
    fight.give("declare", who="aldous-bray", action="strike", target="oskar-the-axe")
    while fight.state.step.kind != "resolve":
        fight.give("advance")
    return fight


async def test_whoever_reaches_nobody_but_the_fallen_is_proposed_to_abort():
    """CS-111: nobody far off takes the place of the target that the GM has named."""
    fight = strike_of_oskar_due()
    fight.give("setlife", who="oskar-the-axe", life="unconscious")
    async with at_desk(fight, size=(80, 24)) as play:
        panel = play.text("exchange")
        assert "Aldous Bray strikes Oskar the Axe" in panel
        assert "Oskar the Axe is already down, and no one else is in reach" in panel
        assert "⏎ abort" in panel
        entry = await play.give("enter")
        assert event(entry, "ActionAborted").who == "aldous-bray"


async def test_in_place_of_the_fallen_somebody_in_reach_is_proposed():
    """CS-111: even if another foe is nearer."""
    fight = strike_of_oskar_due()
    fight.give("place", who="groom-1", at="N3", facing=4)
    fight.give("setlife", who="oskar-the-axe", life="unconscious")
    async with at_desk(fight, size=(80, 24)) as play:
        assert "Aldous Bray strikes Groom 1" in play.text("exchange")


async def test_a_row_of_what_stands_against_a_blow_has_only_keys_that_help():
    """CS-250: the key for whom, if there is somebody else; else only what else can be done."""
    fight = strike_of_oskar_due()
    fight.give("place", who="oskar-the-axe", at="R4")
    async with at_desk(fight, size=(80, 24)) as play:
        assert "✗ engagement, CS-250   x abort" in play.text("exchange")
    fight.give("place", who="groom-1", at="N3", facing=4)
    async with at_desk(fight, size=(80, 24)) as play:
        assert "✗ engagement, CS-250   ' another target   x abort" in play.text("exchange")
        await play.nothing("'", "1")
        assert "Aldous Bray strikes Groom 1" in play.text("exchange")


async def test_a_shot_at_close_quarters_names_no_distance_where_keys_stand():
    """CS-251: what can still be done is said in words; of a shot that is due, neither of it can be had."""
    fight = on_one_line()
    while fight.state.step.actor != "cade":
        fight.give("advance")
    fight.give("place", who="pell", at="C10", facing=4)
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("A", "'", "P")
        panel = play.text("exchange")
        assert "CS-251" in panel
        assert "accepted: 5 ft or more, strike" in " ".join(panel.replace("│", "").split())
    fight.give("place", who="pell", at="A1")
    fight.give("declare", who="cade", action="shoot", target="pell")
    while not (fight.state.step.kind == "resolve" and fight.state.step.actor == "cade"):
        fight.give("advance")
    fight.give("place", who="pell", at="C10", facing=4)
    async with at_desk(fight, size=(80, 24)) as play:
        panel = play.text("exchange")
        assert "CS-251" in panel
        assert "5 ft or more" not in panel
        assert "x abort" in panel


async def test_a_blow_without_a_value_asks_for_it_and_reckons_the_chance_from_it():
    """CS-259: somebody who joined in mid-fight strikes; digits are first the AV, then the die."""
    fight = Fight.new("segments", settings={"resolution": "linear"})
    fight.give("join", name="Ash", id="ash", side="party", sheet={"dodge": 12})
    fight.give("join", name="Wolf", id="wolf", side="foe")
    fight.give("start")
    for total, who in enumerate(("ash", "wolf")):
        fight.give("initiative", who=who, total=3 + total)
    while fight.state.step.kind != "declare":
        fight.give("advance")
    fight.give("declare", who="wolf", action="strike", target="ash")
    async with at_desk(fight, size=(100, 30)) as play:
        await play.press("space")
        assert play.state.step.actor == "ash"
        await play.press("space", "space")
        assert "no value entered: Brawling" in play.text("exchange")
        await play.press("3", "5", "enter")
        assert "AV 35" in play.text("exchange")
        entry = await play.give("2", "2", "enter")
        assert (entry.command["av"], entry.command["chance"]) == (35, 73)
        assert entry.command["rolls"] == {"check.wolf": [22]}
