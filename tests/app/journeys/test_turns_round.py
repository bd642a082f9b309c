"""A round of Scenes, Rounds, Turns by keys alone: three against four, dice by the program."""

import pytest
from counting import Journey
from desk import at_desk
from stagehand import playing

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight


def goblins(**settings):
    """Three against four, before the first round."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="goblins", seed="7")
    for key, value in settings.items():
        fight.give("configure", setting=key, value=value)
    fight.give("start")
    return fight


async def test_a_free_action_and_a_reaction_without_words_read_alike():
    fight = goblins()
    async with at_desk(fight) as play:
        await play.press("space")
        await play.give("X", "enter")
        assert f"{play.one(fight.head.command['who']).name} takes a Free Action" in play.said
        await play.press("u")
        await play.give("X", *"ducks", "enter")
        assert "takes a Free Action: ducks" in play.said


async def test_spending_without_anything_to_spend_is_only_refused():
    fight = Fight.new("turns", seed="7")
    fight.give("join", name="Pau", side="party", sheet={"hp": 9})
    fight.give("start")
    fight.give("advance")
    async with at_desk(fight) as play:
        assert "Pau has nothing to spend" in await play.nothing("b")
        assert play.screen.runner.flow is None


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
        assert play.pane("exchange").rows_over_board, "the key of the act takes the turn, too"
        if actor == "milli":
            assert "reaches 1" in play.text("exchange"), "the longsword is too short"
            await journey.press("enter", "enter")
        await journey.press("enter", ">")
    else:
        await journey.press(">")
    if play.state.prompts:
        await journey.press("enter", ">")
    assert play.state.step.actor != actor


async def test_the_likeliest_act_walks_up_to_a_foe_whom_no_weapon_reaches_and_enter_does_nothing_more():
    """At the table 1.1: the act has its own key; Enter with nothing open only names it."""
    fight = goblins()
    fight.give("advance")
    while fight.state.step.actor != "milli":
        fight.give("advance")
    fight.give("take", who="milli")
    async with at_desk(fight, size=(80, 24)) as play:
        assert "Done. m: move" in await play.nothing("enter")
        await play.press("m")
        assert "⏎ go up to Goblin Warrior" in play.said
        await play.give("enter")
        assert "Done. s: strike (longsword)" in await play.nothing("enter", "enter")
        await play.press("s")
        assert "Milli attacks Goblin Warrior" in play.text("exchange")
        assert "✗" not in play.text("exchange")


async def test_the_second_weapon_has_a_key_of_its_own():
    """`s` is the weapon that reaches, `2` the next (found in play 25)."""
    fight = goblins()
    fight.give("advance")
    while fight.state.step.actor != "goblin-archer-1":
        fight.give("advance")
    fight.give("take", who="goblin-archer-1")
    async with at_desk(fight, size=(80, 24)) as play:
        assert "2 strike (knife)" in play.said
        await play.press("2")
        assert "with knife" in play.text("exchange")


async def test_a_turn_that_is_let_go_is_one_key():
    """Found in play 17."""
    fight = goblins()
    fight.give("advance")
    async with at_desk(fight, size=(140, 40)) as play:
        before = play.state.step.actor
        assert f"> past {play.one(before).name}  " in play.said, "the bar says whose turn is skipped"
        await play.press(">")
        assert play.state.step.actor != before


async def test_a_key_of_the_turn_begins_nothing_where_something_is_asked_first():
    """Pau has to say whether the ward is paid for before anything can be done (ST-24) (found in play 22)."""
    fight = goblins()
    fight.give("advance")
    while fight.state.step.actor != "pau":
        fight.give("advance")
    async with at_desk(fight, size=(140, 40)) as play:
        said = await play.nothing("s")
        assert "Pay 1 of Pau's 9 mana for ward?" in said


async def test_typed_initiative_goes_from_one_to_the_next():
    """Players type their dice, one prompt each, and the program rolls for the foe (found in play 28)."""
    fight = goblins(dice="players")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("space")
        for name, die in (("Milli", "1 2"), ("Pau", "7"), ("Roan", "9")):
            assert f"{name}, initiative: your d20" in play.said
            assert not [event for event in fight.head.events if event.type == "DiceRolled"]
            await play.press(*die.split(), "enter")
        assert play.state.round == 1
        thrown = {event.who: event.source for event in fight.head.events if event.type == "DiceRolled"}
        assert {who for who, source in thrown.items() if source == "table"} == {"milli", "pau", "roan"}
        assert len(thrown) == 7


def goblins_to(actor):
    """Three against four, at somebody's offer in the first round; those before it let their turns go by."""
    fight = goblins()
    fight.give("advance")
    while fight.state.step.actor != actor:
        fight.do(fight.next_call().command)
    return fight


def delaying(*names):
    """At the offer after those of these who delayed, where they are asked whether to step in."""
    fight = goblins()
    fight.give("advance")
    while not any(prompt.kind == "step_in" for prompt in fight.state.prompts):
        if fight.state.phase == "offer" and fight.state.step.actor in names:
            fight.give("delay", who=fight.state.step.actor)
        else:
            fight.do(fight.next_call().command)
    return fight


async def test_whether_the_one_who_delays_steps_in_is_yes_or_no():
    """ST-18."""
    async with at_desk(delaying("milli"), size=(140, 40)) as play:
        offered = play.state.step.actor
        entry = await play.give("n")
        assert entry.command["choice"] == "nobody"
        assert "No one steps in" in play.said
        await play.press("u")
        await play.give("y")
        assert play.state.step.actor == "milli"
        assert play.state.order.index("milli") + 1 == play.state.order.index(offered)


async def test_of_several_who_delay_each_has_a_label_and_no_is_nobody():
    """ST-18, Q-T9."""
    fight = delaying("milli", "goblin-warrior-2")
    fight.give("advance")
    while len(fight.state.prompts) != 1 or len(fight.state.prompts[0].choices) != 3:
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(140, 40)) as play:
        entry = await play.give("n")
        assert entry.command["choice"] == "nobody"
        await play.press("u", "4")
        assert play.state.step.actor == "goblin-warrior-2"


async def test_a_turn_that_is_taken_says_that_nobody_steps_in():
    """ST-18: an offer does not lapse unsaid."""
    async with at_desk(delaying("milli"), size=(140, 40)) as play:
        await play.give("t")
        assert "No one steps in" in play.said


async def test_stepping_in_and_the_new_order_stand_under_one_heading():
    """ST-19: the order is not told under the turn before."""
    async with at_desk(delaying("milli"), size=(140, 40)) as play:
        await play.give("y")
        log = play.text("feed")
        told = log[log.index("Milli steps in") : log.index("New order")]
        assert "──" not in told
        assert "New order" not in play.said, "the ribbon shows it"


async def test_the_weapon_stays_the_same_after_a_walk_up_to_its_target():
    """The axe reaches then, and comes before the thrown one: the panel is still about the axe that was begun with."""
    fight = goblins_to("roan")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("2")
        assert "with axe" in play.text("exchange")
        await play.press("o", "enter")
        assert "with axe" in play.text("exchange")


async def test_an_act_in_words_is_done_without_asking_whom():
    """ST-28: whom, and that it takes two Actions, are said where it matters."""
    fight = goblins_to("roan")
    fight.give("take", who="roan")
    async with at_desk(fight, size=(140, 40)) as play:
        entry = await play.give("o", *"digs", "enter")
        assert (entry.command["what"], "target" in entry.command) == ("digs", False)
        entry = await play.give("o", "*", "a", "2", "enter", "*", "w", "P", *"heals", "enter")
        assert (entry.command["actions"], entry.command["target"]) == (2, "pau")
        assert "Roan: heals on Pau, 2 Actions" in play.said


async def test_a_reaction_in_ones_own_turn_is_refused_as_such_and_the_gm_lets_it_stand():
    """ST-30: `!` is GM override also before there is a text."""
    fight = goblins_to("roan")
    fight.give("take", who="roan")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("R")
        assert "It is already Roan's turn (Reactions, ST-30)   ! overrides it" in play.said
        await play.press("!")
        assert "GM override" in play.said
        entry = await play.give(*"ducks!", "enter")
        assert (entry.command["type"], entry.command["what"], entry.command["force"]) == ("React", "ducks!", True)


async def test_going_over_to_initiative_and_who_was_left_out_are_said_shortly():
    """ST-10, ST-11."""
    fight = start_fight(load_encounter("the-drowned-vault"), id="vault", seed="3")
    fight.give("open_scene", mode="free")
    fight.give("act", who="wren")
    async with at_desk(fight, size=(140, 40)) as play:
        assert "q leave" in play.said, "what space does leaves room for the keys"
        await play.give("#")
        assert "✓ Initiative: everyone rolls d20 + Speed" in play.said


async def test_free_order_tells_what_was_done_once():
    """ST-09: a walk says where it leads, a blow whom it is aimed at, a cue that is done what it does."""
    fight = start_fight(load_encounter("the-drowned-vault"), id="vault", seed="3")
    fight.give("open_scene", mode="free")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("m", "c", "enter")
        assert "✓ Captain Orsolo moves to Cistern" in play.said
        await play.press("enter")
        assert "✓ Captain Orsolo: cold, -1 HP each turn" in play.said
        await play.press("'", "W", "s", "!", "enter")
        assert "✓ Wren attacks" in play.said


async def test_the_key_that_leaves_keeps_its_word_before_why_has_any():
    fight = start_fight(load_encounter("the-drowned-vault"), id="vault", seed="3")
    async with at_desk(fight, size=(80, 24)) as play:
        assert "f1 keys  q leave" in play.said


async def test_closing_a_scene_asks_yes_or_no_and_tells_that_it_is_closed():
    """ST-02, ST-10."""
    fight = start_fight(load_encounter("the-drowned-vault"), id="vault", seed="3")
    fight.give("open_scene", mode="free")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("v")
        assert "⏎ yes, continue the Scene   n no, close it" in play.said
        await play.press("n", "enter")
        assert "✓ The Scene ends: The Drowned Vault" in play.said


async def test_how_long_a_condition_lasts_has_a_unit():
    """Rounds where the round counts it, turns where its bearer's turn does."""
    async with at_desk(goblins_to("roan"), size=(140, 40)) as play:
        await play.press("c", "M", *"stunned3", "enter")
        assert "✓ Milli: stunned for 3 Rounds" in play.said
        await play.press("c", "M", *"poison1", "space", "2", "enter")
        assert "✓ Milli: poisoned, -2 HP each turn for 1 turn " in play.said


async def test_going_to_another_moment_says_to_which():
    async with at_desk(goblins_to("roan"), size=(140, 40)) as play:
        await play.press("H", "up", "up", "enter")
        assert "· Went to Round 1 · " in play.said


async def test_in_free_order_a_turn_in_words_is_likeliest_and_a_blow_costs_nothing():
    """ST-09: nobody counts Actions there, and nobody is attacked as a matter of course."""
    fight = start_fight(load_encounter("the-candle-auction"), id="auction", seed="3")
    fight.give("open_scene", mode="free")
    fight.give("act", who="brass")
    async with at_desk(fight, size=(80, 24)) as play:
        assert play.said.split("\n")[2].startswith("o act")
        assert "space ▸ Continue the Scene?" in play.said
        assert "q leave" in play.said
        await play.press("s")
        assert "costs" not in play.text("exchange")


async def test_a_number_that_the_sheet_lacks_is_taken_by_enter_and_space_as_they_say():
    """ST-28: Mother Ansel has no weapon; what her blow needs is typed."""
    fight = start_fight(load_encounter("the-candle-auction"), id="auction", seed="3")
    fight.give("open_scene", mode="free")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("'", "A", "s", "I")
        assert "space ▸ nothing" in play.said
        await play.press("1", "2")
        assert "space ▸ accept 12" in play.said
        assert "⏎ accept 12" in play.text("exchange")
        await play.press("space")
        assert "12 or more" in play.text("exchange")


async def test_who_comes_late_has_not_acted_and_is_told_when_it_will():
    """Q-T12: rolling as one comes late is no turn."""
    fight = goblins()
    fight.do(fight.next_call().command)
    fight.give("advance")
    fight.give("advance")
    fight.give("join", name="Wolf", side="foe", sheet={"actions": 2, "hp": 6})
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("2", "0", "enter")
        assert "first turn in round 2" in play.said
        line = next(line for line in play.text("roster").splitlines() if "Wolf" in line)
        assert "✓" not in line


async def test_what_is_spent_is_named_where_it_is_asked_how_much():
    """ST-42."""
    fight = start_fight(load_encounter("the-drowned-vault"), id="vault", seed="7")
    while fight.state.phase != "free":
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("b", "f")
        assert "spend: how much focus" in play.said


def own_fight():
    """A fight of one's own, in which nothing says how its Scenes run."""
    joins = [
        Join(name="Ash", side="party", sheet={"hp": 10, "speed": 2}),
        Join(name="Imp", side="foe", sheet={"hp": 5}),
    ]
    return Fight.new("turns", id="own", seed="3", joins=joins)


async def test_space_alone_comes_to_the_first_round():
    """Put right 23: it asked for ever how the Scene goes on."""
    fight = own_fight()
    async with at_desk(fight, size=(100, 30)) as play:
        presses = 0
        while not fight.state.round:
            await play.press("space")
            presses += 1
            assert presses <= 8, play.said


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_a_question_on_the_mode_that_is_left_is_answered_by_the_same_key(tmp_path, size):
    """Put right 23: ``#`` rolls Initiative in the question and after Escape, and ``i`` means the story alone."""
    for leave in ((), ("escape",)):
        fight = own_fight()
        async with playing(fight, tmp_path / str(len(leave)), size=size) as play:
            await play.press("space", "space", "space")
            assert "⏎ roll Initiative" in play.said
            await play.press(*leave)
            assert "i roll Initiative" not in play.said
            await play.press("#")
            assert fight.state.phase == "roll"


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_space_names_the_actions_that_the_end_of_a_turn_loses(size):
    """ST-04, at the table 1.3: one press ends the turn, so the bar says before what goes unused."""
    fight = goblins()
    while fight.state.step is None or fight.state.step.phase != "acting":
        fight.do(fight.next_call().command)
    name = fight.state.combatants[fight.state.step.actor].name
    async with at_desk(fight, size=size) as play:
        for unused in ("3 Actions", "2 Actions", "1 Action"):
            assert f"space ▸ {name} ends the turn, {unused} unused" in " ".join(play.said.split())
            fight.give("act", who=fight.state.step.actor, what="looks around")
            await play.drawn()
