"""A pulsed Combat Segment played with keys alone: ways cross, somebody strikes out of turn, a miss is answered."""

from desk import at_desk
from segments_fights import ORDER, on_one_line
from stagehand import event, kinds


async def test_a_pulsed_segment_with_an_opportunity_a_reprisal_and_a_way_back():
    """CS-230, CS-236, CS-439, CS-481."""
    fight = on_one_line()
    async with at_desk(fight) as play:
        await declare(play)
        declared = play.state
        await cross(play)
        await strike_and_be_answered(play)
        await back_to(play, declared)
        assert fight.line.seek(len(fight.line)) == fight.state


async def declare(play):
    """Aldous declares and plans a way; everybody else waits. The declaration board shows it."""
    assert "ALDOUS BRAY" in play.text("ribbon")
    entry = await play.give("s", "O", "enter")
    assert event(entry, "Declared").shown == "strike Oskar the Axe with longsword"
    entry = await play.give("m", *["right"] * 4, "enter")
    assert event(entry, "WayPlanned").feet == 20
    await play.press("l")
    assert "strike Oskar the Axe" in play.text("roster")
    await play.press("l")
    await play.give("space")
    assert "Oskar the Axe declares" in play.text("ribbon")
    for _ in ORDER[1:]:
        entry = await play.give("w")
    assert event(entry, "PulseTicked").value == 1
    assert "PULSE 1 of 10" in play.text("ribbon")
    assert "WAITING" in play.text("roster")


async def cross(play):
    """Nobody is at full speed in the first Pulse; in the second the ways cross, and play stops for who may strike."""
    entry = await play.give("space")
    moved = event(entry, "PulseMoved")
    assert (moved.who, moved.capped, moved.feet) == ("aldous-bray", True, 8)
    assert "Movement · Pulse 1" in play.text("feed")
    entry = await play.give("space")
    assert "Movement · Pulse 2" in play.text("feed")
    assert event(entry, "PathsCrossed").other == "oskar-the-axe"
    assert event(entry, "OpportunityOffered").prompt.who == "oskar-the-axe"
    assert "Pulse 3" not in play.text("feed"), "the rest of the second waits"
    assert "Strike?" in play.said
    entry = await play.give("y", "enter")
    assert event(entry, "OpportunityTaken").who == "oskar-the-axe"
    assert "CheckResolved" in kinds(entry)
    while play.state.step.kind == "pulse":
        await play.press("space")
    assert play.state.board.name_of(play.one("aldous-bray").at) == "Q4"


async def strike_and_be_answered(play):
    """A miss by the die of the table; Oskar takes the Reprisal. The two mistakes on the way are taken back."""
    while play.state.step.kind != "resolve":
        await play.press("space")
    assert "Aldous Bray resolves" in play.text("ribbon")
    entry = await play.give("s", "9", "9", "enter")
    assert event(entry, "Missed").target == "oskar-the-axe"
    await play.press("u", "u", "U", "U")
    assert play.fight.head == entry, "taken back twice and done again"
    assert "A Reprisal" in play.said
    entry = await play.give("y", "enter")
    assert event(entry, "ReprisalTaken").who == "oskar-the-axe"


async def back_to(play, declared):
    """Undo goes back across all Pulses and gives everything back."""
    await play.press("u", "u")
    while play.state != declared:
        play.fight.undo()
    await play.settle()
    assert "PULSE 1 of 10" in play.text("ribbon")
