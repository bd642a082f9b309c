"""Games from files, played by keys: rounds of four against four, and whole encounters with typed dice."""

import re

import pytest
from counting import Journey
from desk import at_desk

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.model.dice import parse

SIZES = (80, 24), (140, 40)
ATTACKS = {"iris": "b", "wick": "v", "cora": "v", "slinger": "b", "edda": "b", "crossbow": "b"}
"""The keys of those who don't attack with s."""
NEAR = {"the-loading-dock": {"guard-1": "H2", "guard-2": "H5", "guard-3": "G5", "guard-4": "H6"}, "high-noon": {}}
MOST = 20
"""Keys of a round, besides numbers."""


async def answer(play, journey):
    """Type the die that the open panel wants, if any, and go on; returns the number of digits."""
    wants_die = "___" in play.text("exchange")
    await journey.press(*(["4"] if wants_die else []), "enter")
    return int(wants_die)


@pytest.mark.parametrize(("name", "size"), list(zip(NEAR, SIZES, strict=True)))
async def test_a_round_of_four_against_four(name, size):
    fight = start_fight(load_encounter(name), id="own", seed="7")
    fight.give("configure", setting="dice", value="players")
    for who, at in NEAR[name].items():
        fight.give("place", who=who, at=at)
    cards = {"card": [11, 12, 13, 14, 15, 16, 17, 18]} if name == "high-noon" else {}
    fight.give("start", rolls=cards)
    async with at_desk(fight, size=size) as play:
        journey, digits = Journey(play), 0
        while not play.state.clock_s and journey.keys < 60:
            waiting = fight.system.waiting(play.state)
            if play.screen.runner.flow is not None:
                digits += await answer(play, journey)
                continue
            if play.state.is_blocked():
                await journey.press("enter")
            elif not waiting:
                await journey.press(">")
            elif play.one(waiting[0]).side == "foe":
                await journey.press(",")
            elif play.one(waiting[0]).pool("action" if name == "high-noon" else "points").now == 0:
                await journey.press(">")
            else:
                await journey.press("s")
        shot = {entry.command["who"] for entry in fight.line.entries if entry.command.get("act") in ("shoot", "fight")}
        assert play.state.clock_s, "the round is over"
        assert journey.keys - digits <= MOST
        assert shot >= {each.id for each in play.state.combatants.values() if each.side == "party" and each.able}
        assert any(play.one(who).side == "foe" for who in shot)


@pytest.mark.parametrize(
    ("name", "size"), list(zip(["the-toll-bridge", "the-rooftops", *NEAR], 2 * SIZES, strict=True))
)
async def test_an_encounter_to_its_end_with_typed_dice(name, size):
    """Everyone attacks the nearest, after going there if they must; the foes have bad luck."""
    fight = start_fight(load_encounter(name), id="own", seed="7")
    fight.give("start")
    fight.give("configure", setting="dice", value="table")
    begun = fight.line.entry_count()
    async with at_desk(fight, size=size) as play:
        seen = "", "", play.state
        for _ in range(200):
            if not any(each.able for each in play.state.combatants.values() if each.side == "foe"):
                break
            before, seen = seen, (play.said, play.text("exchange"), play.state)
            if seen == before:
                # There is no way to the nearest.
                await play.press("escape", ">")
            else:
                await play_on(play, seen[0])
        people = play.state.combatants.values()
        assert {each.side for each in people if each.able} == {"party"}
        assert all(not each.able for each in people if each.side == "foe")
        rolled = [event for entry in fight.line.entries[begun:] for event in entry.events if event.type == "DiceRolled"]
        assert len(rolled) > 8
        assert {event.source for event in rolled} == {"table"}
        hits = [event for event in fight.line.events() if event.type == "Attempted" and event.hit]
        assert len(hits) >= 4
        assert all(event.chance is not None for event in hits)
        assert "K end the fight" in play.said, "before all other keys"
        await play.press("K", "enter")
        assert play.state.status == "closed"


async def play_on(play, said):
    """Press the next key: that of a throw, of the open panel, or of the attack of whoever acts."""
    asked = next((prompt for prompt in play.state.prompts if prompt.blocking), None)
    step = play.state.step
    actor = asked.default if asked is not None else (step and step.actor) or play.screen.table.selected
    acting = play.state.combatants.get(actor)
    if wanted := re.search(r"nothing: type the (\S+)", said):
        is_lucky = acting is None or acting.side == "party"
        await play.press(*faces_of(wanted[1], is_lucky=is_lucky), "enter")
    elif asked is not None and asked.kind == "trigger":
        await play.press("y")
    elif play.screen.runner.flow is not None and asked is None:
        await play.press("enter")
    elif acting is None or (step is None and asked is None):
        await play.press(">")
    elif asked is None and acting.pool("action").now < 1 and acting.pool("points").now < 2:
        await play.press("w" if acting.pool("points").now else ">")
    else:
        is_empty = acting.pool("ammo").max and not acting.pool("ammo").now
        await play.press("v" if is_empty else ATTACKS.get(actor, "s"))


def faces_of(dice, *, is_lucky):
    """The keys of high faces that are no critical hits, or of the lowest."""
    faces = [
        str(term.faces - (term.faces > 8)) if is_lucky else "1" for term in parse(dice) for _ in range(term.count)
        if term.faces
    ]  # fmt: skip
    return ["space" if face == " " else face for face in " ".join(faces)]


FIRST = {
    "the-toll-bridge": {"initiative": [1, 20, 2, 3, 4, 5, 6, 7]},
    "high-noon": {"card": [18, 11, 12, 13, 14, 15, 16, 17]},
}
PANELS = {
    "the-toll-bridge": (
        ("b",), "needs  12 or more with d20+5 (70 %)", "d8+3 damage", "defence 12; shoot:", "shot damage d8+3; shoot:",
    ),
    "the-rooftops": (
        ("e", "b"), "needs  13 or more with 2d10+5 (79 %)", "d8+1 damage", "defence 13; shoot:", "d8+1; shoot:",
    ),
    "the-loading-dock": (
        ("s",), "needs  11 or more with d20+5 (75 %)", "2d4 damage", "base 11; shoot: 2 points and a shot",
        "damage 2d4, less target's armour 0; shoot:",
    ),
    "high-noon": (
        ("s",), "needs  6 or more with d8 (38 %)", "2d6 damage, less 4", "base 4, far away 2; shoot:",
        "damage 2d6, less target's toughness 4; shoot:",
    ),
}  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PANELS)
async def test_the_panel_shows_chance_sum_and_consequence_and_explains_them_from_the_file(name, size):
    keys, needs, harm, why_needs, why_harm = PANELS[name]
    fight = start_fight(load_encounter(name), id="own", seed="7")
    fight.give("configure", setting="dice", value="table")
    for who, at in NEAR.get(name, {}).items():
        fight.give("place", who=who, at=at)
    fight.give("start", rolls=FIRST.get(name, {}))
    async with at_desk(fight, size=size) as play:
        await play.press(*keys)
        assert needs in play.text("exchange")
        assert f"then   {harm}" in play.text("exchange")
        await play.press("?")
        assert why_needs in play.words("exchange")
        panel = play.screen.runner.panel()
        await play.press(*faces_of(panel.rows[panel.marked].dice, is_lucky=True), "enter", "?")
        assert why_harm in play.words("exchange")
