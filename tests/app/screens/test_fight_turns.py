"""Surrounded by goblins, from Initiative to the Short Rest after it, played with keys alone."""

from desk import at_desk
from stagehand import SMALL, event, kinds

from fightcall_engine.archive.encounters import load_encounter, start_fight


def goblins():
    """The seven-figure fight of the text, before its Initiative, with the encounter's own seed."""
    encounter = load_encounter("surrounded-by-goblins")
    return start_fight(encounter, id="goblins", seed=encounter.seed)


async def test_a_round_with_a_delay_a_fight_and_a_rest():
    fight = goblins()
    async with at_desk(fight) as play:
        await initiative(play)
        await a_turn(play)
        await delay_and_step_in(play)
        await costs_declined(play)
        await newcomer(play)
        await rest(play)
        assert fight.line.seek(len(fight.line)) == fight.state


async def test_of_several_who_delay_one_is_asked_for():
    fight = goblins()
    fight.give("start")
    while not fight.state.round:
        fight.give("advance")
    async with at_desk(fight) as play:
        assert "No combatant is holding or waiting" in await play.nothing("W")
        await play.press("w", "w", "t")
        assert "running" in await play.nothing("W", "enter")
        await play.press("escape", "E", "E")
        assert "step in" in await play.nothing("W")
        entry = await play.give("P")
        assert entry.command == {"type": "StepIn", "who": "pau"}


async def test_who_throws_the_attack_at_the_table_throws_the_damage_too():
    """Not only `h` asks for it: digits are the damage die, and Enter has the program throw it (found in play 26)."""
    fight = start_fight(load_encounter("first-round"), id="first", seed="7")
    for _ in range(2):
        fight.do(fight.next_call().command)
    async with at_desk(fight) as play:
        await play.press("s", "1", "5", "enter")
        assert "d8+2" in play.text("exchange")
        assert "space ▸ roll d8+2" in play.said
        entry = await play.give("4", "enter")
        assert event(entry, "DamageApplied").amount == 6
        await play.press("u")
        entry = await play.give("s", "1", "enter")
        assert "DamageApplied" not in kinds(entry), "a miss asks for none"


async def test_a_poison_gets_its_rounds_and_harm_and_a_question_in_the_way_is_answered_in_the_panel():
    """ST-23: label, name, rounds, a blank and the dice in one line (found in play 26).

    ST-24: what is to be paid at the start of the turn; the panel is there again after it.
    """
    fight = goblins()
    async with at_desk(fight, SMALL) as play:
        await play.press("c", play.one("roan").label, *"poison3", "space", *"d4")
        assert "poisoned for 3 Rounds, d4 damage each turn" in play.said
        entry = await play.give("enter")
        effect = event(entry, "EffectBegan").effect
        assert (effect.name, effect.left, effect.data.dice) == ("poisoned", 3, "d4")
        assert "-d4 HP each turn for 3" in play.text("feed")
        fight.undo()

        fight.give("start")
        while not any(prompt.rule == "ST-24" for prompt in fight.state.prompts):
            fight.do(fight.next_call().command)
        await play.settle()
        await play.nothing("escape", "s")
        panel = play.text("exchange")
        assert "answer first: Pay 1 of Pau's 9 mana for ward?" in panel
        assert "✗ ST-24   y pay   n no, it ends" in panel
        assert "take" not in panel
        entry = await play.give("y")
        assert entry.command["choice"] == "pay"
        panel = play.text("exchange")
        assert "Pau attacks" in panel
        assert "answer first" not in panel


def order(play):
    """The names in the roster's first group."""
    return [play.one(who).name for who in play.fight.system.groups(play.state)[0].members]


async def initiative(play):
    """Everybody rolls at one key, and the order is that of the text."""
    await play.give("space")
    assert "INITIATIVE" in play.text("ribbon")
    assert "3 to roll" in play.text("roster")
    await play.give("space")
    assert play.state.round == 1
    assert order(play) == [
        "Milli", "Pau", "Goblin Archer 1", "Goblin Warrior 1", "Goblin Archer 2", "Roan", "Goblin Warrior 2",
    ]  # fmt: skip
    assert "OFFER › Negative › Costs › Expiries › Positive › Acting" in play.text("ribbon")
    assert "A··· R●●●" in play.text("roster")


async def a_turn(play):
    """Milli takes the turn, strikes, errs and takes it back; an archer reacts; the turn is ended."""
    entry = await play.give("t")
    assert event(entry, "ActionDiceRecovered").left == 3
    assert "› ACTING ›" in play.text("ribbon")
    await play.give(":", *"place", "space", *"goblin-warrior-1", "space", *"at=F6", "enter")
    entry = await play.give("s", "'", "3", "m")
    assert event(entry, "StrikeResolved").hit is False
    assert "A●●○" in play.text("roster")
    await play.press("u")
    assert "A●●●" in play.text("roster"), "the first mistake taken back: the Action is there again"
    entry = await play.give("s", "'", "3", "h", "5", "enter")
    assert play.one("goblin-warrior-1").pools["hp"].now == 7
    await play.press("'", "1")
    entry = await play.give("R", *"ducks", "enter")
    assert event(entry, "ReactionTaken").who == "goblin-archer-1"
    assert "R●○" in play.text("roster")
    await play.press("'", "M")
    await play.nothing("E")
    await play.give("E")
    assert "A○××" in play.text("roster"), "what was not used is lost"


async def delay_and_step_in(play):
    """ST-17..20: Pau delays, is set apart, and is in before the last warrior by one key, whoever is selected."""
    assert play.state.step.actor == "pau"
    entry = await play.give("w")
    assert entry.command == {"type": "Delay", "who": "pau"}
    assert "DELAYING" in play.text("roster")
    assert "W  steps in" in play.text("roster")
    await play.press("W")
    assert play.state.step.actor == "pau", "the second mistake: too early"
    await play.press("u")
    for who in ("goblin-archer-1", "goblin-warrior-1", "goblin-archer-2", "roan"):
        assert play.state.step.actor == who
        await play.give("t")
        assert "until the next offer" in play.text("roster")
        await play.nothing("E")
        await play.give("E")
    assert play.screen.table.selected == "goblin-warrior-2"
    entry = await play.give("W")
    assert entry.command == {"type": "StepIn", "who": "pau"}
    assert order(play) == [
        "Milli", "Goblin Archer 1", "Goblin Warrior 1", "Goblin Archer 2", "Roan", "Pau", "Goblin Warrior 2",
    ]  # fmt: skip


async def costs_declined(play):
    """ST-24, ST-25: stepping in, Pau is asked for his ward's Mana; paid first, then taken back and declined."""
    assert "Pay 1 of Pau's 9 mana for ward" in play.said
    assert "COSTS" in play.text("ribbon")
    assert play.screen.table.selected == "pau", "whose turn it is, though no one can act before the answer"
    await play.give("enter")
    assert play.one("pau").pools["mana"].now == 8
    await play.press("u")
    assert "Pay 1 of Pau's 9 mana for ward" in play.said, "the third mistake: the question is put again"
    entry = await play.give("n")
    assert event(entry, "EffectEnded").who == "pau"
    assert play.one("pau").effects == ()
    await play.nothing("E")
    await play.give("E")
    await play.give("t")


async def newcomer(play):
    """Q-T12: the last turn of the round is over; in the next a goblin joins, rolls, and has its place in the order."""
    await play.nothing("E")
    await play.give("E")
    assert (play.state.round, play.state.step.actor) == (2, "milli")
    entry = await play.give("J", *"Straggler", "enter", "enter", "9", "enter", "enter")
    assert event(entry, "Joined").combatant.side == "foe"
    assert "Straggler joins late" in play.said
    await play.give("o")
    assert "straggler" in {step.actor for step in play.state.agenda.steps}
    assert "Straggler" in order(play)


async def rest(play):
    """ST-36..39: the Scene is closed, a Short Rest taken, Resolve spent for hit points."""
    await play.press(":", *"closescene", "enter")
    for _ in range(20):
        if play.state.step is None:
            break
        await play.press("enter")
    assert "Between Scenes" in play.text("ribbon")
    entry = await play.give("t", "enter")
    assert event(entry, "RestBegan").kind == "short"
    assert "SHORT REST 15 min" in play.text("ribbon")
    before = play.one("roan").pools
    await play.press("'", "R", "p", "1", "enter", "3", "enter")
    assert play.one("roan").pools["resolve"].now == before["resolve"].now - 1
    assert play.one("roan").pools["hp"].now == before["hp"].now + 3
    assert "RestCompleted" in kinds(await play.give("o"))
    assert "Between Scenes" in play.text("ribbon")
