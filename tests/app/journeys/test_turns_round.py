"""A round of Scenes, Rounds, Turns by keys alone: three against four, dice by the program."""

from counting import Journey
from stagehand import playing

from fightcall_engine.archive.encounters import load_encounter, start_fight


def goblins(**settings):
    """Three against four, before the first round."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="goblins", seed="7")
    for key, value in settings.items():
        fight.give("configure", setting=key, value=value)
    fight.give("start")
    return fight


async def test_a_round_of_three_against_four(tmp_path):
    """Initiative, four attacks, a turn let go, one question: at most 20 keys, each act begun by its own key."""
    fight = goblins()
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        journey = Journey(play)
        await journey.press("space")
        assert play.state.round == 1
        while play.state.round == 1 and journey.keys < 40:
            await turn(journey)
        struck = [entry for entry in fight.line.entries if entry.command["type"] == "Strike"]
        assert len(struck) == 4
        assert play.state.round == 2
        assert len(journey.asked) == 1
        assert journey.keys <= 20


async def turn(journey):
    """Milli walks up to her foe and strikes, Roan throws his axe, the archers shoot; the rest let it pass."""
    play = journey.play
    actor = play.state.step.actor
    if actor in ("milli", "goblin-archer-1", "goblin-archer-2", "roan"):
        await journey.press("s")
        assert play.pane("exchange").is_open, "the key of the act takes the turn, too"
        if actor == "milli":
            assert "reaches 1" in play.text("exchange"), "the longsword is too short"
            await journey.press("enter", "enter")
        await journey.press("enter", ">")
    else:
        await journey.press(">")
    if play.state.prompts:
        await journey.press("enter", ">")
    assert play.state.step.actor != actor


async def test_enter_walks_up_to_a_foe_whom_no_weapon_reaches_and_strikes_one_in_reach(tmp_path):
    fight = goblins()
    fight.give("advance")
    while fight.state.step.actor != "milli":
        fight.give("advance")
    fight.give("take", who="milli")
    async with playing(fight, tmp_path, size=(80, 24)) as play:
        await play.press("enter")
        assert "⏎ go up to Goblin Warrior" in play.said
        await play.press("enter", "enter")
        assert "Milli attacks Goblin Warrior" in play.text("exchange")
        assert "✗" not in play.text("exchange")


async def test_the_second_weapon_has_a_key_of_its_own(tmp_path):
    """`s` is the weapon that reaches, `2` the next (found in play 25)."""
    fight = goblins()
    fight.give("advance")
    while fight.state.step.actor != "goblin-archer-1":
        fight.give("advance")
    fight.give("take", who="goblin-archer-1")
    async with playing(fight, tmp_path, size=(80, 24)) as play:
        assert "2 strike (knife)" in play.said
        await play.press("2")
        assert "with knife" in play.text("exchange")


async def test_a_turn_that_is_let_go_is_one_key(tmp_path):
    """Found in play 17."""
    fight = goblins()
    fight.give("advance")
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        before = play.state.step.actor
        await play.press(">")
        assert play.state.step.actor != before


async def test_a_key_of_the_turn_begins_nothing_where_something_is_asked_first(tmp_path):
    """Pau has to say whether the ward is paid for before anything can be done (ST-24) (found in play 22)."""
    fight = goblins()
    fight.give("advance")
    while fight.state.step.actor != "pau":
        fight.give("advance")
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        said = await play.nothing("s")
        assert "asks: Pau: pay 1 of 9 mana for ward" in said


async def test_typed_initiative_goes_from_one_to_the_next(tmp_path):
    """Players type their dice, one prompt each, and the program rolls for the foe (found in play 28)."""
    fight = goblins(dice="players")
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        await play.press("space")
        for name, die in (("Milli", "1 2"), ("Pau", "7"), ("Roan", "9")):
            assert f"{name}, initiative: d20 as rolled" in play.said
            assert not [event for event in fight.head.events if event.type == "DiceRolled"]
            await play.press(*die.split(), "enter")
        assert play.state.round == 1
        thrown = {event.who: event.source for event in fight.head.events if event.type == "DiceRolled"}
        assert {who for who, source in thrown.items() if source == "table"} == {"milli", "pau", "roan"}
        assert len(thrown) == 7
