"""A segment of three against four by keys alone: declarations, pulses, attacks with typed dice, what comes next."""

import pytest
from counting import Journey
from desk import at_desk
from segments_fights import on_one_line
from stagehand import kinds

from fightcall_engine.archive.encounters import load_encounter, start_fight

ATTACKS = {"aldous-bray": "s", "berit": "s", "cade": "A", "oskar-the-axe": "s"}
"""Who attacks, each with the key for it; the others wait."""
PARTY = ("aldous-bray", "berit", "cade")


def tiltyard(seed="143", **settings):
    """Three against four, two of the four close by, at Initiative."""
    fight = start_fight(load_encounter("the-tiltyard"), id="tiltyard", seed=seed)
    for key, value in settings.items():
        fight.give("configure", setting=key, value=value)
    fight.give("place", who="oskar-the-axe", at="C4")
    fight.give("place", who="pell", at="D5")
    fight.give("start")
    return fight


async def test_a_segment_with_typed_dice():
    """At most 35 keys and 10 questions, Initiative included; 88 and about 30 before there was a panel."""
    fight = tiltyard(dice="players")
    async with at_desk(fight, size=(140, 40)) as play:
        journey = Journey(play)
        await journey.press("space")
        for die in "998":
            await journey.press(die, "enter")
        await declare(journey)
        await resolve(journey, "4", "2")
        thrown = [event for event in fight.line.events() if event.type == "DiceRolled" and event.source == "table"]
        assert [(event.who, event.dice) for event in thrown if event.dice == "d10"] == [(who, "d10") for who in PARTY]
        assert {event.who for event in thrown if event.dice == "d100"} == set(PARTY)
        assert journey.keys <= 35
        assert len(journey.asked) <= 10


async def test_a_segment_with_the_programs_dice():
    """The same four attacks, all dice by the program, Initiative included: at most 22 keys."""
    fight = tiltyard()
    async with at_desk(fight, size=(140, 40)) as play:
        journey = Journey(play)
        await journey.press("space")
        await declare(journey)
        await resolve(journey)
        assert journey.keys <= 22
        assert len(journey.asked) <= 10


@pytest.mark.parametrize("steps", [0, 1])
async def test_who_has_sprung_a_surprise_costs_a_key_at_most(steps):
    """CS-052, CS-072: the Action is used; its Declaration passes with one key, its Resolution with none.

    Found in play 17.
    """
    fight = start_fight(load_encounter("the-withy-ford"), id="ford", seed="7")
    fight.give("start")
    for _ in range(steps):
        fight.give("advance")
    fight.give("spring", aggressors=["rafe"], targets=["alys"])
    while fight.state.prompts:
        prompt = fight.state.prompts[0]
        fight.give("answer", prompt=prompt.id, choice=prompt.default or "failed")
    async with at_desk(fight, size=(140, 40)) as play:
        pressed = 0
        while fight.state.round == 1:
            pressed += play.state.step.actor == "rafe"
            await play.press("space")
        assert pressed == 1


async def test_in_initiative_the_larger_step_leads_to_no_next_segment():
    """The passes of the segment are known only when Initiative has fallen: `>` names none, and ends in Declaration."""
    fight = start_fight(load_encounter("the-tiltyard"), id="tiltyard", seed="3")
    fight.give("start")
    async with at_desk(fight, size=(140, 40)) as play:
        assert "to Segment 2" not in play.said
        assert "> to the step after the roll" in play.said
        await play.press(">")
        assert play.state.round == 1
        assert play.state.step.kind == "declare"


async def test_typed_initiative_selects_the_next_who_needs_one():
    """CS-020: one after the other by `#` and the die; nobody else rolls meanwhile (found in play 28).

    Those who are named are counted whole, and Enter does what the question says (found in play 8 and 19).
    """
    fight = start_fight(load_encounter("the-tiltyard"), id="tiltyard", seed="3")
    fight.give("start")
    async with at_desk(fight, size=(140, 40)) as play:
        assert "Aldous Bray, Berit, Cade, Oskar the Axe, Pell and 2 more" in play.said
        for name, total in (("Aldous Bray", 10), ("Berit", 10), ("Cade", 10)):
            await play.press("#")
            assert f"{name}: Initiative: d10" in play.said
            assert play.said.count("⏎ roll d10") == 1
            await play.press("7", "enter")
            assert fight.head.events[-1].total == total
        assert len([entry for entry in fight.line.entries if entry.command["type"] == "Initiative"]) == 3
        assert play.screen.table.selected == "oskar-the-axe"


async def declare(journey):
    """Each attack is seen in the panel with its numbers as it is declared; `>` has everybody else wait."""
    play, left = journey.play, set(ATTACKS)
    while left:
        actor = play.state.step.actor
        if actor in left:
            await journey.press(ATTACKS[actor])
            assert "full action, resolves this segment" in play.text("exchange")
            await journey.press("enter")
            left.remove(actor)
        if left:
            await journey.press("space")
    await journey.press(">", "g", "space")
    assert play.state.step.kind == "resolve"


async def resolve(journey, *die):
    """The attacks as they are due, each in its open panel, those of the party with the die of the table."""
    play, fight, struck = journey.play, journey.play.fight, []
    while play.state.round == 1:
        actor = play.state.step.actor
        if play.state.prompts or actor not in play.screen.table.waiting_ids():
            await journey.press("enter" if play.state.prompts else "space")
            continue
        before = fight.line.entry_count()
        rows = play.text("exchange")
        assert "AV" in rows
        assert "DV" in rows
        await journey.press(*(die if actor in PARTY else ()), "enter")
        assert fight.line.entry_count() == before + 1, "one percentage is one question"
        assert "CheckResolved" in kinds(fight.head)
        struck.append(actor)
    assert set(struck) == set(ATTACKS)


async def test_pulses_in_which_nobody_moves_take_one_key_and_one_key_takes_them_back():
    """Found in play: eight times the same key, each to say that it is the next Pulse."""
    async with at_desk(on_one_line(), size=(100, 30)) as play:
        await play.press("m", "right", "right", "enter")
        while "no one acts until" not in play.said:
            await play.press("space")
        pulse = play.state.step
        assert pulse.kind == "pulse"
        assert "space ▸ no one acts until Late declarations" in play.said
        await play.press("space")
        assert play.state.step.kind == "waits"
        assert "✓ Now: Late declarations" in play.said
        await play.press("u")
        assert play.state.step == pulse
