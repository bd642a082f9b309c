"""Conditions by key: those that the system knows, those of the fallen, and one's own from the last time."""

import pytest
from desk import at_desk
from stagehand import advance_to, ford, playing

from fightcall.settings import LONGEST_CONDITION, MOST_CONDITIONS, keep_condition, own_conditions
from fightcall_engine.archive.encounters import load_encounter, start_fight

SIZE = (140, 40)


def fight_of(encounter):
    fight = start_fight(load_encounter(encounter), id="fight", seed="3")
    fight.give("start")
    return fight


async def put(play, who, *typed):
    await play.press("escape", "c", *play.one(who).label.lower(), *typed, "enter")


async def test_who_is_down_is_offered_what_befalls_the_fallen_first():
    """At the table 3: at 0 hit points: dying, stabilised, dead; `s` is stunned for everybody else."""
    fight = advance_to(ford(), "move")
    fight.give("damage", who="paul", amount=99)
    async with at_desk(fight, size=SIZE) as play:
        for typed, name in (("dy", "dying"), ("s", "stabilised"), ("dea", "dead")):
            await put(play, "paul", *typed)
            assert play.one("paul").effects[-1].name == name
        await put(play, "brand", "s")
        assert [each.name for each in play.one("brand").effects] == ["stunned"]


@pytest.mark.parametrize(
    ("encounter", "who", "typed", "field", "value"),
    [
        ("ambush-at-the-ford", "brand", "pro", "posture", "prone"),
        ("fire-at-the-playhouse", "", "vu", "vulnerable", True),
        ("fire-at-the-playhouse", "", "dea", "dead", True),
        ("the-tiltyard", "", "unc", "life", "unconscious"),
        ("the-tiltyard", "", "dea", "life", "dead"),
    ],
)
async def test_a_condition_that_the_rules_know_is_set_by_the_rules(encounter, who, typed, field, value):
    """At the table 3: what the system knows is no label, and undo takes it back."""
    fight = fight_of(encounter)
    who = who or fight.state.order[0]
    before = fight.state.combatants[who].remembered[field]
    async with at_desk(fight, size=SIZE) as play:
        while any(prompt.blocking for prompt in play.state.prompts):
            prompt = next(prompt for prompt in play.state.prompts if prompt.blocking)
            choice = {"choice": prompt.default or prompt.choices[0].id} if prompt.choices else {"amount": 5}
            fight.give("answer", prompt=prompt.id, **choice)
        await play.settle()
        await put(play, who, *typed)
        assert play.one(who).remembered[field] == value != before
        assert play.one(who).effects == ()
        if value in (True, "dead", "unconscious") and field != "vulnerable":
            assert not play.one(who).able
        await play.press("u")
        assert play.one(who).remembered[field] == before


async def test_ones_own_condition_is_offered_in_the_next_fight(tmp_path):
    """At the table 3: a label of one's own is kept for the next time, in the user's folder."""
    async with playing(advance_to(ford(), "move"), tmp_path, size=SIZE) as play:
        await put(play, "brand", *"xanthic", "3")
        assert play.one("brand").effects[-1].name == "xanthic"
        await put(play, "brand", *"stunned")
        kept = play.app.paths.conditions
        assert own_conditions(kept) == ("xanthic",)
        play.check()
    async with playing(advance_to(ford(), "move"), tmp_path, size=SIZE) as play:
        await put(play, "paul", "x", "2")
        (effect,) = play.one("paul").effects
        assert (effect.name, effect.left) == ("xanthic", 2)


def test_kept_conditions_are_few_and_harmless(tmp_path):
    """At the table 3: the newest first; a file that is damaged or missing offers nothing."""
    path = tmp_path / "new" / "conditions.txt"
    assert own_conditions(path) == ()
    for number in range(MOST_CONDITIONS + 5):
        keep_condition(path, f"state {number}")
    keep_condition(path, "state 10")
    names = own_conditions(path)
    assert (len(names), names[:2]) == (MOST_CONDITIONS, ("state 10", f"state {MOST_CONDITIONS + 4}"))
    for wrong in ("x" * (LONGEST_CONDITION + 1), "a\nb", ""):
        keep_condition(path, wrong)
        assert own_conditions(path) == names
    path.write_bytes(b"\xff\xfe\x00")
    assert own_conditions(path) == ()
