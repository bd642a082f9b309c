"""Setting cues by keys alone, counted, and what comes of them in the call bar."""

import pytest
from counting import Journey
from desk import at_desk
from stagehand import advance_to, ford

from fightcall.flows.table_flows import cue_templates
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.model import state

MOST_KEYS = 6


def shore(phase):
    """The ambush at the ford in a phase, without the cues of its own."""
    fight = advance_to(ford(), phase)
    for cue in fight.state.cues:
        fight.give("uncue", cue=cue.id)
    return fight


def label_of(fight, name):
    return next(each.label.lower() for each in fight.state.combatants.values() if each.name == name)


@pytest.mark.parametrize(
    ("keys", "when", "said"),
    [
        (("r", "3", "enter", "enter"), state.RoundReached(round=3), "Moment 3"),
        (("d", "b", "enter"), state.Down(down="brand"), "Brand is down"),
        (("h", "b", "enter"), state.ShareAtMost(share=0.5, who="brand", pool="hp"), "Brand is at half"),
    ],
)
async def test_a_line_from_a_template_is_at_most_six_keys(keys, when, said):
    fight = shore("missile")
    async with at_desk(fight, size=(140, 40)) as play:
        journey = Journey(play)
        await journey.press("@", *keys)
        (cue,) = fight.state.cues
        assert (cue.when, cue.then) == (when, state.Say(say=said))
        assert journey.keys <= MOST_KEYS
        await play.press("u")
        assert fight.state.cues == ()


async def test_reinforcements_are_at_most_six_keys_and_come_when_the_gm_takes_them():
    fight = shore("missile")
    async with at_desk(fight, size=(140, 40)) as play:
        journey = Journey(play)
        await journey.press("@", "j", "enter", label_of(fight, "Goblin 1"), "2", "enter")
        assert journey.keys <= MOST_KEYS
        assert fight.state.cues[0].when == state.RoundReached(round=2)
        before = set(fight.state.combatants)
        for _ in range(60):
            if any(prompt.kind == "cue" for prompt in fight.state.prompts):
                break
            await play.press("space")
        assert "Reinforcements: Goblin 1 × 2" in play.text("call")
        await play.press("enter")
        assert len(set(fight.state.combatants) - before) == 2


@pytest.mark.parametrize(("key", "typed"), [("enter", ""), ("y", "20"), ("space", "20")])
async def test_an_archer_who_waits_shoots_at_whoever_comes_at_the_very_place(key, typed):
    """Put right 1: set with six keys; the walker stops, and the shot has its panel, with the die of the table or not.

    SB-35; after it, Enter lets him go on.
    """
    fight = shore("move")
    fight.give("place", who="archer", at="M1")
    async with at_desk(fight, size=(140, 40)) as play:
        journey = Journey(play)
        play.screen.table.selected = "archer"
        await journey.press("@", "s", "enter", "enter", "enter")
        assert journey.keys <= MOST_KEYS
        (cue,) = fight.state.cues
        assert cue.then.hold == {"do": "strike", "who": "archer", "target": "whoever", "weapon": "horn bow"}
        fight.give("place", who="archer", at="P4")
        fight.give("place", who="brand", at="K1")
        fight.give("move", who="brand", path=["L1", "M1", "N1"])
        board = fight.state.board
        assert board.name_of(fight.state.combatants["brand"].at) == "M1"
        await play.settle()
        assert "Archer shoots" in play.text("call")
        await play.press(key)
        assert "Archer shoots at Brand with horn bow" in play.text("exchange")
        assert fight.state.prompts, "the panel rolls nothing by itself"
        await play.press(*typed, "enter")
        (roll,) = (event for event in fight.head.events if event.type == "DiceRolled" and event.purpose == "attack")
        assert (roll.source == "table", roll.faces == (20,)) == (bool(typed), bool(typed))
        assert any(event.type == "StrikeResolved" for event in fight.head.events)
        await play.press("enter")
        assert board.name_of(fight.state.combatants["brand"].at) == "N1"


@pytest.mark.parametrize("is_struck", [False, True])
async def test_what_a_held_hit_asks_is_asked_in_its_panel(is_struck):
    """Put right 1: not in the panel of an attack that has triggered the cue, nor in the bar alone."""
    fight = shore("missile")
    strikes = [{"name": "sling", "kind": "missile", "needs": 12}]
    fight.give("join", name="Slinger", side="foe", at="P8", sheet={"hp": 5, "strikes": strikes})
    hold = {"do": "strike", "who": "slinger", "target": "brand"}
    fight.give("cue", when={"at_most": 12, "who": "brand"}, then={"hold": hold, "text": "Slinger acts"})
    async with at_desk(fight, size=(140, 40)) as play:
        if is_struck:
            fight.give("strike", who="ysolde", target="brand", hit=True, damage=5, force=True)
        else:
            fight.give("damage", who="brand", amount=5)
        await play.press("y", "2", "enter")
        assert [prompt.kind for prompt in fight.state.prompts] == ["damage"]
        panel = play.text("exchange")
        assert panel.startswith("╭─ Slinger shoots at Brand")
        assert "How much damage?" in panel
        await play.press("3", "enter")
        assert play.screen.runner.panel() is None
        assert next(event.amount for event in fight.head.events if event.type == "DamageApplied") == 3


async def test_what_a_cue_says_stands_in_the_call_bar_until_play_goes_on():
    fight = shore("missile")
    fight.give("cue", when={"share": 0.5, "who": "brand"}, then={"say": "He is pale"})
    async with at_desk(fight, size=(140, 40)) as play:
        fight.give("damage", who="brand", amount=9)
        await play.settle()
        assert "He is pale" in play.text("call")
        assert "He is pale" in play.text("feed")
        step = fight.state.step
        await play.press("space")
        assert fight.state.prompts == ()
        assert fight.state.step != step


async def test_a_cue_that_waits_is_dropped_from_the_list():
    fight = shore("missile")
    fight.give("cue", name="Dusk", when={"round": 3}, then={"say": "It gets dark"})
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("@")
        assert "Moment 3: It gets dark" in play.text("feed")
        assert "Waiting" in play.text("feed")
        flow = play.screen.runner.flow
        code = next(row.key for row in flow.list_view().rows if row.what.startswith("Moment 3"))
        await play.press(*code, "d")
        assert fight.state.cues == ()


@pytest.mark.parametrize("encounter", ["tavern-parley", "the-bell-tower", "the-candle-auction", "the-tiltyard"])
async def test_every_template_can_be_filled_in_every_system(encounter):
    """Enter alone takes what is proposed; what needs a board is offered only on one."""
    fight = start_fight(load_encounter(encounter), id="cues", seed="7")
    fight.give("start")
    async with at_desk(fight, size=(140, 40)) as play:
        for template in cue_templates():
            if template.needs_board and fight.state.board is None:
                continue
            while any(prompt.blocking for prompt in fight.state.prompts):
                fight.give("advance")
            before = len(fight.state.cues)
            await play.press("escape", "@", template.key)
            for _ in range(5):
                if len(fight.state.cues) == before:
                    await play.press("enter")
            assert len(fight.state.cues) == before + 1, (template.name, play.text("call"))
