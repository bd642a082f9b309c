"""An attack before it is made: distance, price, the number needed, the damage, and what stands against it (ST-28)."""

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.movement import BROKEN

from .table import table


def acting():
    """The goblins about the party, with the first of the order in the acting step of its turn."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="goblins", seed="3")
    fight.give("start")
    while fight.state.phase != "acting":
        if fight.state.phase == "offer":
            fight.give("take", who=fight.state.step.actor)
        else:
            fight.give("advance")
    return fight, fight.state.step.actor


def preview(fight, **data):
    found = fight.preview(fight.codec.command("strike", data))
    return found, {row.name: row for row in found.rows}


def test_an_attack_in_five_rows():
    """ST-28, ST-29."""
    fight, who = acting()
    weapon = fight.state.combatants[who].sheet["strikes"][0]
    target = next(other for other in fight.state.combatants if fight.state.are_foes(who, other))
    found, rows = preview(fight, who=who, target=target, weapon=weapon["name"])
    assert found.can_run
    assert [name for name in rows if name != "with"] == ["line", "costs", "needs", "then"]
    assert rows["needs"].text == f"{weapon['needs']} or more"
    assert rows["needs"].dice == "d20"
    assert rows["then"].text == f"{weapon['damage']} damage"
    _, rows = preview(fight, who=who, target=target, weapon=weapon["name"], modifier=-2)
    assert rows["needs"].text == f"{weapon['needs']} or more, -2 to the die"
    assert rows["needs"].why.startswith(f"{weapon['needs']} on the sheet, -2 to the die")
    _, rows = preview(fight, who=who, target=target, weapon=weapon["name"], needs=9)
    assert rows["needs"].why == "9 set by the GM"


def test_out_of_turn_the_rule_is_named():
    """ST-13: it is somebody else's turn."""
    fight, who = acting()
    other = next(other for other in fight.state.combatants if other != who)
    found, _ = preview(fight, who=other, target=who)
    assert "ST-13" in [row.rule for row in found.rows if row.status == BROKEN]
    assert not found.can_run


@pytest.mark.parametrize(("weapons", "named"), [(["axe"], False), (["axe", "bow"], True)])
def test_a_row_names_the_weapon_where_there_is_a_choice(weapons, named):
    """ST-28: of several on the sheet."""
    strikes = [{"name": name, "needs": 9, "damage": "d6"} for name in weapons]
    play = table("lea", "a1", sheets={"lea": {"strikes": strikes}}).do("start")
    _, rows = preview(play.fight, who="lea", target="a1", weapon="axe")
    assert ("with" in rows) is named
    assert not named or rows["with"].text == "axe"
