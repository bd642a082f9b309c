"""A duel played with keys alone: a miss is answered, two blades land in concert, pain wanes, a wound is taken back."""

from desk import at_desk
from stagehand import event

from fightcall_engine.archive.encounters import load_encounter, start_fight

ORDER = ("corso-vail", "isaut-de-warre", "sander-holt", "tibalt")


def floor():
    """The threshing floor after Initiative, Corso before Isaut, the two within reach of each other."""
    fight = start_fight(load_encounter("the-last-touch"), id="duel", seed="1602")
    fight.give("start")
    for place, who in enumerate(ORDER):
        fight.give("initiative", who=who, total=20 - place)
    return fight


async def test_a_duel_with_a_reprisal_a_blow_in_concert_a_stun_that_wanes_and_a_wound_taken_back():
    """CS-366, CS-481, CS-546, CS-602, CS-613, CS-616."""
    fight = floor()
    async with at_desk(fight) as play:
        await declare(play)
        await miss_and_be_answered(play)
        before = await strike_in_concert(play)
        await feel_it(play)
        await take_back(play, before)
        await feel_better(play)
        assert fight.line.seek(len(fight.line)) == fight.state
    recover(fight)


async def declare(play):
    """Corso declares a blow, Isaut both blades in concert; the seconds wait."""
    await play.give("s", "I", "enter")
    await play.give("space")
    entry = await play.give("a", "/", *"com", "enter", "C", "enter")
    assert event(entry, "Declared").shown == "strike Corso Vail with rapier and dagger, in concert"
    await play.give("space")
    await play.give("w")
    await play.give("w")
    while play.state.step.kind != "resolve":
        await play.press("space")


async def miss_and_be_answered(play):
    """Corso misses by the die of the table; Isaut takes the Reprisal; his buckler stops it, and he keeps his feet."""
    assert "Corso Vail resolves" in play.text("ribbon")
    entry = await play.give("s", "9", "0", "enter")
    assert event(entry, "Missed").target == "isaut-de-warre"
    assert event(entry, "ReprisalOffered").prompt.who == "isaut-de-warre"
    assert "A Reprisal" in play.said
    entry = await play.give("y", "enter")
    assert event(entry, "ReprisalTaken").who == "isaut-de-warre"
    assert event(entry, "ArmourApplied").out == 0
    await play.give("y")


async def strike_in_concert(play):
    """CS-366: both blades under one die, their POT as one blow; returns the fight as it was before."""
    while play.state.step.actor != "isaut-de-warre":
        await play.press("space")
    before = play.state
    await play.press("s")
    assert "AV 46" in play.text("exchange"), (
        "the rapier has struck once already: 34 of the dagger, 12 of the Combination"
    )
    entry = await play.give("2", "0", "enter")
    blow, armour = event(entry, "BlowLanded"), event(entry, "ArmourApplied")
    assert (blow.pot, blow.struck) == (34, "point"), "15 + 3 of the rapier, 15 + 1 of the dagger"
    assert (armour.pot_in, armour.out) == (34, 19)
    assert event(entry, "WoundsInflicted").n == 4, "19 through, a threshold of 31 / 8"
    assert event(entry, "KnockedBack").feet == 17
    assert "grievous" in play.text("feed")
    return before


def panel(play):
    """The words of the exchange panel, wherever its lines end."""
    return " ".join(play.text("exchange").replace("│", " ").split())


async def feel_it(play):
    """CS-562, CS-610 to CS-613: his feet, his senses, his heart, each a check with its number and its die."""
    assert "AGL 16 against DV 153" in panel(play)
    entry = await play.give("n")
    assert event(entry, "CheckResolved").kind == "AGL"
    assert "P-RES 16 against DV 6" in panel(play)
    await play.give("y")
    assert "HRT 14 against DV 6" in panel(play)
    entry = await play.give("9", "9", "enter")
    assert event(entry, "StunApplied").penalty == 6
    assert play.one("corso-vail").record.posture == "prone"


async def take_back(play, before):
    """Undo takes each step of the blow back, and the wound with it; redo gives all of it again."""
    wounded = play.state
    for _ in range(4):
        await play.press("u")
    assert play.state == before
    assert not play.one("corso-vail").record.wounds
    for _ in range(4):
        await play.press("U")
    assert play.state == wounded


async def feel_better(play):
    """CS-616: it halves at the end of every segment after the one of the blow, on the roster, too."""
    for penalty in (None, 3):
        assert rest(play.fight) == ([penalty] if penalty else [])
        await play.settle()
        assert f"stunned -{penalty or 6}" in play.text("roster")


def recover(fight):
    """CS-616: 6, 3, 2 (1.5), 1 (0.75), none."""
    assert [rest(fight), rest(fight)] == [[2], [1]]
    assert rest(fight)[-1] == "StunCleared"
    assert not fight.state.combatants["corso-vail"].effects


def rest(fight):
    """A segment in which nobody does anything: the penalties that a stun went down to, and its end."""
    number, told = fight.state.round, []
    while fight.state.round == number:
        for happened in fight.do(fight.next_call().command).events:
            if happened.type in ("StunDecayed", "StunCleared"):
                told.append(happened.penalty if happened.type == "StunDecayed" else happened.type)
    return told
