"""Keys that are safe to press twice (at the table, section 1), pressed at random and on purpose, in all systems."""

import random

import pytest
from counting import Journey
from desk import Desk, at_desk
from segments_fights import declaring
from stagehand import advance_to, ford

from fightcall.table import Table, are_opposed
from fightcall_engine.archive.encounters import load_encounter, start_fight

FIGHTS = ("ambush-at-the-ford", "surrounded-by-goblins", "the-last-tram", "the-tiltyard")
"""A fight of each system."""
OTHERS = (*"smtAwo1259hyn'dcBYPaG", "tab", "escape")
"""Keys that lead into all kinds of states."""
MOVES = ("down", "right", "backspace")
"""Keys within what is open."""


def happened(hands):
    """The first line of the bar."""
    return hands.runner.happened().text


def is_open(hands):
    """Whether a question, a panel or a list is open."""
    return hands.runner.flow is not None or hands.state.asked_first is not None


def attackers_in_sight(table):
    """Who can attack an enemy in sight in the running step, by their options alone."""
    state, board = table.state, table.state.board

    def sees(one, other):
        at, to = state.combatants[one].at, state.combatants[other].at
        return board is None or at is None or to is None or board.sight(at, to).clear

    def is_foe(one, other):
        foe = state.combatants[other]
        return foe.able and not foe.hidden and are_opposed(state, table.at_odds, one, other) and sees(one, other)

    return {
        one
        for one in table.system.waiting(state)
        for option in table.system.options(state, one)
        for field in option.inputs
        if option.legal and option.key and not option.is_unlikely and field.kind == "target"
        if any(field.kind == "outcome" for field in option.inputs)
        if any(is_foe(one, other) for other in field.choices)
    }


def check_enter(hands, was_open, is_suggested, before):
    """Enter with nothing open does nothing and says so, or opens the panel of what is suggested."""
    if was_open:
        return
    assert hands.table.state is before
    if hands.runner.flow is not None:
        assert is_suggested
        assert hands.runner.is_suggested
    else:
        assert happened(hands).startswith(("Done.", "The fight is over")), happened(hands)


def check_space(hands, line, call, was_armed, before):
    """The space bar does nothing where the bar says so, and what loses something waits for a second press."""
    if line.does.startswith("nothing") or (line.loses and not was_armed):
        assert hands.table.state is before, line
    elif hands.table.state is not before and call.command is not None:
        assert line.does


def check_go_on(hands, left, able, before_step, deferring):
    """Whoever could attack and is passed over has been named."""
    step = hands.table.state.step
    if step == before_step or before_step is None or before_step.kind in deferring:
        return
    for one in able:
        assert hands.fight.state.combatants[one].name in happened(hands) or one not in left, happened(hands)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", FIGHTS)
def test_nothing_happens_that_the_bar_did_not_announce(name, seed):
    """At the table proof 2: Enter, `space` and `>` at random, in all states that other keys lead into."""
    chance = random.Random(f"{name} {seed}")
    fight = start_fight(load_encounter(name), id="safe", seed=str(seed))
    hands = Desk(fight)
    for _ in range(130):
        state, was_open, step = fight.state, is_open(hands), fight.state.step
        is_suggested = hands.runner.suggestion() is not None
        others = OTHERS + MOVES * was_open
        key = chance.choice(("enter", "space", ">", "enter", chance.choice(others), chance.choice(others)))
        announced = None
        if key == "space" and not was_open:
            announced = hands.runner.call_line(), hands.table.call(), hands.runner.is_armed
        able = attackers_in_sight(hands.table) if key == ">" and not was_open else set()
        count = fight.line.entry_count()
        if key in MOVES:
            hands.runner.press(key, None)
        else:
            hands.send(key)
        if key == "enter":
            check_enter(hands, was_open, is_suggested, state)
            if fight.line.entry_count() > count and not is_open(hands):
                done = fight.state
                hands.send("enter")
                assert fight.state is done, "Enter after a finished act does nothing"
        elif announced is not None:
            check_space(hands, *announced, state)
        elif key == ">" and not was_open:
            check_go_on(hands, able, able, step, fight.system.deferring)
        if fight.state.status == "closed":
            break


@pytest.mark.parametrize("name", FIGHTS)
def test_going_on_passes_no_step_in_which_somebody_can_attack(name):
    """At the table 1.2: between the step it leaves and the one it stops in, nobody could have attacked."""
    fight = start_fight(load_encounter(name), id="on", seed="7")
    hands = Desk(fight)
    hands.send("space")
    for _ in range(40):
        if is_open(hands):
            hands.send("escape" if fight.state.asked_first is None else "enter")
            if fight.state.asked_first is not None and hands.runner.flow is not None:
                hands.send("y")
            continue
        before, step = fight.line.entry_count(), fight.state.step
        hands.send(">")
        for index in range(before + 1, fight.line.entry_count()):
            between = Table(fight)
            state = fight.line.seek(fight.line.span(index)[0])
            if state.step is None or (step is not None and state.step.actor == step.actor != ""):
                continue
            if state.step.kind in fight.system.deferring:
                continue
            assert not _attackers(between, state), state.step


def _attackers(table, state):
    class At:
        """The table as it was in a state."""

        system, fight = table.system, table.fight

    at = At()
    at.state = state
    return attackers_in_sight(at)


@pytest.mark.parametrize("keys", [("s", "5", "enter", "enter"), ("s", "enter")])
async def test_a_second_enter_after_a_shot_does_nothing(keys):
    """At the table 1.1: with the die typed, and with the program's."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press(*keys)
        assert play.screen.runner.panel() is None
        said = await play.nothing("enter", "enter")
        assert "Done. " in said
        assert "u undo" in said, "the shot can still be undone"
        assert play.screen.runner.panel() is None


async def test_the_likeliest_act_has_its_own_key_and_stands_first():
    """At the table 1.1."""
    async with at_desk(advance_to(ford(), "missile"), size=(80, 24)) as play:
        assert play.said.split("\n")[2].startswith("s shoot (longbow)")
        assert "⏎" not in play.said
        assert "Done. s: shoot (longbow)" in await play.nothing("enter")


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_going_on_stops_at_the_other_sides_half_and_names_who_was_passed(size):
    """At the table 1.2: from Missile to the goblins' javelins, from Move to the goblins' move."""
    async with at_desk(advance_to(ford(), "missile"), size=size) as play:
        for where in ("missile.foe", "move.party", "move.foe", "magic.party"):
            await play.press(">")
            assert play.state.step.id == where
            assert "passed over: " in play.said
        assert play.screen.table.selected == "paul", "who can act is selected"


async def test_going_on_passes_nobody_whose_step_began_by_itself():
    """At the table 1.2: the party's last shot begins the goblins' half, and one `>` too many passes nobody."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=(140, 40)) as play:
        for _ in range(3):
            await play.press("s", "m")
        assert play.state.step.id == "missile.foe"
        assert "> names who can act" in play.said
        said = await play.nothing(">")
        assert "Goblin 1, Goblin 2, Goblin 3 and Archer can act here; > once more passes over them" in said
        await play.press("u", "U")
        assert "can act here" in await play.nothing(">"), "what was undone and redone is named again"
        await play.press(">")
        assert play.state.step.id == "move.party"


async def test_one_key_delays_and_another_ends_the_turn_with_a_second_press():
    """At the table 1.3: `w` is no way to lose three Actions."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="goblins", seed="7")
    fight.give("start")
    fight.give("advance")
    async with at_desk(fight, size=(140, 40)) as play:
        assert "w delay" in play.said
        await play.give("t")
        await play.nothing("w")
        assert "E end the turn" in play.said
        said = await play.nothing("E")
        assert "end the turn: this loses 3 Actions" in said
        await play.nothing("enter")
        await play.nothing("E")
        entry = await play.give("E")
        assert entry.command["type"] == "EndTurn"


async def test_a_key_that_does_not_belong_to_a_panel_closes_it():
    """At the table 1.5: `>` in the panel does nothing else, and `m` after it walks nobody and misses nobody."""
    async with at_desk(advance_to(ford(), "missile"), size=(140, 40)) as play:
        await play.nothing("s", ">")
        assert play.screen.runner.panel() is None
        assert "> closed the panel" in play.said
        await play.nothing("m")
        await play.nothing("escape", "s", "5", ">")
        assert "> does nothing here" in play.text("exchange"), "a typed die is not lost"


def test_a_harmless_act_is_proposed_for_the_most_hurt_friend():
    """At the table 1.6: the doctor's first ability is for no villain."""
    fight = start_fight(load_encounter("the-last-tram"), id="tram", seed="7")
    table = Table(fight)
    while fight.state.phase != "active":
        fight.do(fight.next_call().command)
    assert table.hurt_friend("doctor-penhallow") == ""
    fight.give("damage", who="marsh", amount=2)
    fight.give("damage", who="odile-marchetti", amount=3)
    assert table.hurt_friend("doctor-penhallow") == "odile-marchetti"


def test_a_third_side_is_no_target_until_it_fights():
    """At the table 1.6."""
    fight = ford()
    fight.give("join", name="Merchant", side="foe", at="D7", sheet={"hp": 5})
    fight.give("changeside", who="merchant", side="traders")
    advance_to(fight, "missile")
    table = Table(fight)
    assert table.likely_target("ysolde") != "merchant"
    assert not are_opposed(table.state, table.at_odds, "ysolde", "merchant")
    fight.give("damage", who="ysolde", amount=1, by="merchant")
    assert are_opposed(table.state, table.at_odds, "ysolde", "merchant")
    assert not are_opposed(table.state, table.at_odds, "goblin-1", "merchant")


async def test_one_question_says_who_lays_an_ambush_and_on_whom():
    """At the table 1.10: whoever is selected, and nothing happens before it is answered."""
    async with at_desk(ford(), size=(140, 40)) as play:
        for label in ("Y", "1"):
            await play.press("'", label)
            assert "A ambush" in play.said
            await play.nothing("A")
            assert "party, on the foe" in play.said
            assert "foe, on the party" in play.said
            await play.nothing("escape")
        entry = await play.give("A", "f")
        assert entry.command == {"type": "Ambush", "by": "foe"}


async def test_a_question_for_a_chance_offers_the_straight_line_for_good():
    """At the table 1.11, M-01: `s` answers it, and no further chance is asked for."""
    fight = declaring()
    fight.give("configure", setting="resolution", value="gm_percent")
    fight.give("landblow", who="groom-1", pot=17, struck="edge")
    asked = next(prompt for prompt in fight.state.prompts if prompt.amount == "chance")
    async with at_desk(fight, size=(140, 40)) as play:
        assert "% linear from now on" in play.text("exchange") + play.said
        await play.press("s")
        assert play.state.settings["resolution"] == "linear"
        assert play.state.prompt(asked.id) is None
        again = play.state.prompts
        assert [(one.who, one.dice, one.default) for one in again] == [(asked.who, "d100", "roll")] * 2


@pytest.mark.parametrize(("name", "most"), list(zip(FIGHTS, (4, 4, 5, 6), strict=True)))
async def test_a_round_in_which_nobody_sees_an_enemy(name, most):
    """At the table proof 3: an idle round, in which nothing lasts, takes so many keys and one question at most."""
    fight = start_fight(load_encounter(name), id="idle", seed="7")
    for one in fight.state.combatants.values():
        if not one.hidden:
            fight.give("adjust", who=one.id, what="hidden", value=True)
        for effect in one.effects:
            fight.give("endeffect", who=one.id, name=effect.name)
    fight.give("start")
    while not fight.state.round:
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(140, 40)) as play:
        journey = Journey(play)
        while play.state.round == 1 and journey.keys < 20:
            await journey.press("enter" if play.state.is_blocked() else ">")
        assert play.state.round == 2
        assert journey.keys <= most
        assert len(journey.asked) <= 1


async def test_a_busy_moment():
    """At the table proof 3: three against four, everybody shoots, the players' dice typed, damage too: 30 keys."""
    fight = ford(dice="players")
    fight.give("start")
    async with at_desk(fight, size=(140, 40)) as play:
        journey = Journey(play)
        await journey.press(">")
        for _ in range(3):
            await journey.press("s", "5", "enter", "2", "enter")
        await journey.press("&", "s", "enter")
        if play.state.asked_first is not None:
            await journey.press("enter")
        await journey.press("s", "enter")
        shots = [entry for entry in fight.line.entries if entry.command["type"] == "Strike"]
        assert {entry.command["who"] for entry in shots} == {"ysolde", "brand", "paul", "goblin-1", "archer"}
        while play.state.round == 1 and journey.keys < 40:
            await journey.press("enter" if play.state.prompts else ">")
        assert play.state.round == 2
        assert journey.keys <= 30


async def test_a_busy_round():
    """At the table proof 3: three against four, everybody attacks in reach, the players' dice typed: 25 keys."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="goblins", seed="7")
    fight.give("configure", setting="dice", value="players")
    fight.give("start")
    for who, at in (("goblin-warrior-1", "F6"), ("goblin-warrior-2", "G5"), ("pau", "H5")):
        fight.give("place", who=who, at=at)
    for one in ("milli", "pau", "roan"):
        fight.give("initiative", who=one, die=10)
    while not fight.state.round:
        fight.do(fight.next_call().command)
    async with at_desk(fight, size=(140, 40)) as play:
        journey, acted = Journey(play), []
        while play.state.round == 1 and journey.keys < 60:
            actor = play.state.step.actor
            if play.state.prompts:
                await journey.press("enter")
                continue
            if actor in acted:
                await journey.press(">")
                continue
            await journey.press("s")
            while play.screen.runner.flow is not None and play.state.step.actor == actor:
                needs = "d20" in play.text("exchange") and "⏎" not in play.text("exchange")
                await journey.press(*(["2"] if needs else []), "enter")
            acted.append(actor)
        assert play.state.round == 2
        assert len(acted) == 7
        assert journey.keys <= 25
