"""An act before it is paid: price, distance, roll, and what a hit does (AP-16, AP-21, AP-30)."""

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.movement import BROKEN

PARTY = (("ilvane", 23), ("brother-aum", 21), ("sabet", 17), ("tamsin-roe", 7))


def locked():
    """The bell tower, with everybody's Awareness given and the order locked."""
    fight = start_fight(load_encounter("the-bell-tower"), id="lock", seed="3")
    fight.give("start")
    for who, result in PARTY:
        fight.give("awareness", who=who, result=result)
    fight.give("lock")
    return fight


def preview(fight, name, **data):
    found = fight.preview(fight.codec.command(name, data))
    return found, {row.name: row for row in found.rows}


def test_an_act_says_price_and_damage():
    """AP-16: of how many slots."""
    found, rows = preview(locked(), "act", who="ilvane", ability="Thrust", target="chief-wrecker")
    assert found.title == "Ilvane: Thrust at Chief wrecker"
    assert (rows["costs"].text, rows["costs"].detail) == ("2 slots", "Ilvane has 7")
    assert rows["then"].field == "damage"
    assert rows["roll"].dice


def test_what_cannot_be_paid_is_said_with_its_rule():
    """AP-16: not in somebody else's Active Phase."""
    found, _ = preview(locked(), "act", who="sabet", ability="Ward of glass")
    assert not found.can_run
    assert [row for row in found.rows if row.status == BROKEN]


def test_of_an_npcs_attack_the_table_says_whether_it_hits():
    """AP-05, AP-30: of what can harm somebody, and only until it is said."""
    fight = locked()
    abilities = [{"name": "bite", "cost": 1, "damage": 2}, {"name": "squeak", "cost": 1}]
    fight.give("join", name="Rat", id="rat", side="foe", sheet={"kind": "npc", "abilities": abilities})
    _, rows = preview(fight, "npc", who="rat", what="bite", target="ilvane")
    assert rows["outcome"].text == "Did it hit?"
    _, rows = preview(fight, "npc", who="rat", what="bite", target="ilvane", hit=False)
    assert rows["outcome"].text == "miss"
    _, rows = preview(fight, "npc", who="rat", what="squeak", target="ilvane")
    assert "outcome" not in rows
