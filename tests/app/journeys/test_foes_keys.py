"""Two rounds of a fight of each system by keys at 140x40, in which the party passes: the foes' keys are counted.

Once the foes act by themselves, once the GM opens each suggested panel.
"""

import pytest
from counting import Journey
from stagehand import playing

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.foes import foes_to_act

pytestmark = pytest.mark.slow
MOST_TURNS = 150


async def two_rounds(fight, home, *foe_keys):
    """Play two rounds; returns the keys that the foes took, and how many of their deeds those were."""
    async with playing(fight, home, (140, 40)) as play:
        foes, rest = Journey(play), Journey(play)
        deeds = 0
        for _ in range(MOST_TURNS):
            before, entries = play.state, fight.line.entry_count()
            if before.round > 2 or before.status != "running":
                break
            theirs = () if before.is_blocked() else foes_to_act(fight.system, before)
            if theirs:
                is_chosen = foe_keys == (",",) or play.screen.table.selected in theirs
                await foes.press(*(() if is_chosen else ("'", before.combatants[theirs[0]].label)), *foe_keys)
            made = [fight.line.entry(at).command for at in range(entries, fight.line.entry_count())]
            deeds += sum(before.combatants[str(each["who"])].side == "foe" for each in made if each.get("who"))
            if play.state is before:
                await rest.press("h" if "h hit" in play.said + play.text("exchange") else "space")
            if play.state is before:
                await rest.press("enter")
            if play.state is before:
                await rest.press("escape", "space", "space")
    return foes.keys, deeds


@pytest.mark.parametrize(
    ("encounter", "by_hand"),
    [
        ("ambush-at-the-ford", ("enter", "enter")),
        ("surrounded-by-goblins", ("enter", "enter")),
        ("the-last-tram", ("enter", "h", "enter")),
        ("first-segment", ("enter", "enter")),
    ],
)
async def test_foes_that_act_by_themselves_take_fewer_keys(tmp_path, encounter, by_hand):
    """Measured: 6 keys for 14 deeds in stage and 24 in turns; by hand two to three for each deed."""
    counts = {}
    for keys in ((",",), by_hand):
        fight = start_fight(load_encounter(encounter), id="keys", seed="7")
        fight.give("start")
        counts[keys] = await two_rounds(fight, tmp_path / keys[0], *keys)
    (alone, done), (single, also_done) = counts.values()
    assert done > 1
    assert also_done > 1
    assert alone / done < single / also_done
