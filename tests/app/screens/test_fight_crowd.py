"""Many questions at once, answered by one key; and what may be said of a strike besides, with keys alone."""

from desk import at_desk

from fightcall_engine.play.fight import Fight

SWORD = {"name": "sword", "size": 4, "weight_class": "Med", "av": 40, "effects": ["edge", "point"]}


def brawl():
    """Ash, and three who would be driven back and hurt by anything; all chances are reckoned in a straight line."""
    fight = Fight.new("segments", settings={"resolution": "linear"}, seed="7")
    fight.give("join", name="Ash", id="ash", side="party", sheet={"weapons": [SWORD], "msta": 20, "str": 15})
    fight.give("join", name="Gob", count=3, side="foe", sheet={"weapons": [SWORD], "msta": 8, "pres": 6, "dodge": 5})
    fight.give("start")
    for place, who in enumerate(fight.state.combatants):
        fight.give("initiative", who=who, total=20 - place)
    return fight


async def test_one_key_takes_all_that_is_proposed_and_one_takes_it_back():
    """CS-560, CS-610: the checks after blows that have landed on a crowd."""
    fight = brawl()
    for number in (1, 2, 3):
        fight.give("land_blow", who=f"gob-{number}", pot=20)
    asked = [one.id for one in fight.state.prompts if one.blocking and one.default]
    assert len(asked) >= 3
    before = fight.state
    async with at_desk(fight) as play:
        count = fight.line.entry_count()
        await play.press("space")
        assert fight.line.entry_count() == count + len(asked), "each is an entry of its own"
        assert not {one.id for one in fight.state.prompts} & set(asked)
        await play.press("u")
        assert fight.state == before
        await play.press("U")
        fight.jump(fight.head.on)
        await play.settle()
        assert [one.id for one in fight.state.prompts if one.id in asked] == asked[-1:], "the list leads to each"


async def test_a_question_without_a_proposal_stays_open():
    """R-5: where no table gives a chance, the GM says it."""
    fight = brawl()
    fight.give("configure", setting="resolution", value="gm_percent")
    fight.give("land_blow", who="gob-1", pot=20)
    async with at_desk(fight) as play:
        said = await play.nothing("space")
        assert "answer" in said.lower()


async def test_a_modifier_by_keys_changes_the_roll():
    """CS-276: the common strike takes as few keys as ever; one more opens what else may be said."""
    fight = brawl()
    fight.give("declare", who="ash", target="gob-1")
    while fight.state.step.kind != "resolve":
        fight.give("advance")
    async with at_desk(fight) as play:
        await play.press("s")
        assert "* more" in play.text("exchange")
        await play.press("*", "o", "7", "enter")
        entry = await play.give("1", "enter")
        asked = next(one for one in entry.events if one.type == "CheckRequested")
        assert ("GM modifier", "+7", "CS-276") in asked.parts
