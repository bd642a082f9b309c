"""The fights that lead through a round by cues alone: what they say, and that they notice what was done instead."""

import pytest
from counting import Journey
from desk import at_desk

from fightcall_engine.archive.encounters import load_encounter, start_fight

LED = {
    "a-first-fight": (
        *("space", ">", "s", "5", "enter", "enter", ">", "'", "B", "m", "enter"),
        *(">", ">", "s", "9", "enter", "enter", ">", ">", "enter"),
    ),
    "first-round": ("space", "space", "s", "1", "4", "enter", "enter", ">", ">", "s", "h", "enter", ">"),
    "first-cycle": (*("space",) * 4, "1", "enter", "h", "space", "space", ">", ">", "enter", "enter", "enter"),
    "first-segment": ("space", "space", "s", "enter", "space", "w", "space", "enter", "enter", "enter", ">", ">"),
}
"""The keys that the lines of each name, in their order, with the program's dice where none is typed."""
ELSE = {
    "a-first-fight": ("held", ("space", ">", ">")),
    "first-round": ("idle", ("space", "space", ">", ">", ">", ">")),
    "first-segment": ("idle", ("space", "space", ">", ">", ">", ">")),
}
"""The line that says something else was done, and keys that do so."""


def first(encounter):
    """A fight led by cues, before it begins."""
    loaded = load_encounter(encounter)
    return start_fight(loaded, id="first", seed=loaded.seed)


def fired(fight):
    """The cues that have come true, in their order."""
    return [event.cue for event in fight.line.events() if event.type == "CueFired"]


def test_each_system_has_one():
    assert {load_encounter(name).system for name in LED} == {"stage", "turns", "slots", "segments"}


@pytest.mark.parametrize("encounter", LED)
async def test_it_leads_through_a_round_and_lets_go(encounter):
    """Each line is on the screen when it is said; in the second round the last one says goodbye."""
    fight = first(encounter)
    async with at_desk(fight, size=(120, 36)) as play:
        journey = Journey(play)
        said = []
        for key in LED[encounter]:
            await journey.press(key)
            for cue in fired(fight)[len(said) :]:
                said.append(cue)
                asked = next(prompt for prompt in play.state.prompts if prompt.kind == "cue")
                assert asked.is_remark
        assert said[0] == load_encounter(encounter).cues[0].id
        assert said[-1] == "free", said
        assert play.state.round == 2
        assert len(said) >= 4


@pytest.mark.parametrize("encounter", ELSE)
async def test_it_notices_what_was_done_instead(encounter):
    fight, (wanted, keys) = first(encounter), ELSE[encounter]
    async with at_desk(fight, size=(120, 36)) as play:
        for key in keys:
            await play.press(key)
        assert wanted in fired(fight), (fired(fight), play.said)


async def test_a_line_stands_in_nobodys_way():
    """What a cue says is noted by whatever is done next; the newest is shown, whole, at 80 columns too."""
    fight = first("a-first-fight")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("space")
        bar = " ".join(play.text("call").replace("│", " ").split())
        assert "This is Meeting, and no one talks: > continues to Missile." in bar
        await play.press(">")
        assert play.state.phase == "missile"
        await play.press("s", "m", "enter")
        assert "shot" in fired(fight)


async def test_whoever_declares_first_is_told_how_and_the_other_is_told_to_do_the_same():
    """No line speaks of what has not been done yet, and no two say goodbye together."""
    loaded = load_encounter("first-segment")
    for seed in "456789":
        fight = start_fight(loaded, id="first", seed=seed)
        async with at_desk(fight, size=(80, 24)) as play:
            await play.press("space", "space")
            first = play.state.step.actor
            assert fired(fight)[-1] == ("declare" if first == "berit" else "pell-first")
            await play.press("w", "space")
            assert fired(fight)[-1] == ("pell" if first == "berit" else "declare")
            while play.state.round < 2:
                await play.press(">")
            assert set(fired(fight)) & {"idle", "free"} == {"idle"}
