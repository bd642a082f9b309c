"""A segment of three against four by keys alone: declarations, pulses, attacks with typed dice, what follows."""

from counting import Journey
from stagehand import kinds, playing

from fightcall_engine.archive.encounters import load_encounter, start_fight


def tiltyard(seed="3"):
    """Three against four, two of the four close by; everybody's Initiative is known, and Declaration begins."""
    fight = start_fight(load_encounter("the-tiltyard"), id="tiltyard", seed=seed)
    fight.give("start")
    for place, who in enumerate(fight.state.order):
        fight.give("initiative", who=who, total=20 - place)
    fight.give("place", who="oskar-the-axe", at="C4")
    fight.give("place", who="pell", at="D5")
    while fight.state.step.kind != "declare":
        fight.give("advance")
    return fight


async def test_a_segment_with_typed_dice(tmp_path):
    """At most 45 keys and 10 questions; 88 and about 30 before there was a panel."""
    fight = tiltyard()
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        journey = Journey(play)
        await declare(journey)
        await journey.press("g", "space")
        assert play.state.step.kind == "resolve"
        await attack(journey, "4", "2")
        assert "Oskar the Axe stays up" in play.text("exchange"), "what follows is in the same panel"
        await journey.press("enter")
        await attack(journey, "9", "0")
        assert "A Reprisal" in play.said
        await journey.press("space")
        await attack(journey, "2", "0")
        await attack(journey, "3", "3")
        await journey.press("enter")
        assert play.state.round == 2
        assert journey.keys <= 45
        assert len(journey.asked) <= 10


async def test_a_segment_with_the_programs_dice(tmp_path):
    """The same four attacks, all dice by the program; `>` has everybody else wait: at most 25 keys."""
    fight = tiltyard()
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        journey = Journey(play)
        await declare_attacks(journey)
        await journey.press(">", "g")
        while play.state.round == 1:
            assert journey.keys < 60
            due = play.screen.table.waiting_ids() and not play.state.prompts and play.state.step.kind == "resolve"
            await journey.press(*(("s", "enter") if due else ("space",)))
        resolved = [entry.command["who"] for entry in fight.line.entries if entry.command["type"] == "Resolve"]
        assert resolved == ["aldous-bray", "berit", "cade", "oskar-the-axe"]
        assert journey.keys <= 25
        assert len(journey.asked) <= 10


async def test_in_initiative_the_larger_step_leads_to_no_next_segment(tmp_path):
    """The passes of the segment are known only when Initiative has fallen: `>` names none, and ends in Declaration."""
    fight = start_fight(load_encounter("the-tiltyard"), id="tiltyard", seed="3")
    fight.give("start")
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        assert "to Segment 2" not in play.said
        assert "> to what follows" in play.said
        await play.press(">")
        assert play.state.round == 1
        assert play.state.step.kind == "declare"


async def test_typed_initiative_selects_the_next_who_needs_one(tmp_path):
    """CS-020: one after the other by `i` and the die; nobody else rolls meanwhile (found in play 28)."""
    fight = start_fight(load_encounter("the-tiltyard"), id="tiltyard", seed="3")
    fight.give("start")
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        assert "Aldous Bray, Berit, Cade, Oskar the Axe, Pell and 2 more" in play.said
        for name, total in (("Aldous Bray", 10), ("Berit", 10), ("Cade", 10)):
            await play.press("#")
            assert f"{name}: Initiative: d10" in play.said
            assert "Enter to roll d10" in play.said
            await play.press("7", "enter")
            assert fight.head.events[-1].total == total
        assert len([entry for entry in fight.line.entries if entry.command["type"] == "Initiative"]) == 3
        assert play.screen.table.selected == "oskar-the-axe"


async def declare(journey):
    """The four attacks; the other three wait."""
    await declare_attacks(journey)
    await journey.press("space", "w", "w", "w")


async def declare_attacks(journey):
    """Two strikes, a shot and a strike, each seen in the panel with its numbers."""
    for number, key in enumerate(("s", "s", "A", "s")):
        await journey.press(*(("space", key) if number else (key,)))
        assert "declared, 4 quarters, due now" in journey.play.text("exchange")
        await journey.press("enter")


async def attack(journey, *die):
    """The attack that is due, with the die of the table; one percentage is one question."""
    before = journey.play.fight.line.entry_count()
    await journey.press("s")
    rows = journey.play.text("exchange")
    assert "AV" in rows
    assert "DV" in rows
    await journey.press(*die, "enter")
    assert journey.play.fight.line.entry_count() == before + 1
    assert "CheckResolved" in kinds(journey.play.fight.head)
