"""Put right 2: a combatant who joins with no health left is down, in every system, and has no turn."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.archive.encounter_reading import read_encounter
from fightcall_engine.archive.encounters import start_fight

from .talk import Talk

SHEETS: Mapping[str, tuple[Mapping[str, object], Mapping[str, object]]] = {
    "stage": ({"hp": 0, "agility": 9}, {"hp": 9, "agility": 9}),
    "slots": ({"kind": "pc", "hp": 0, "hp_max": 9}, {"kind": "pc", "hp": 9}),
    "turns": ({"hp": 9, "hp_now": 0, "speed": 30, "actions": 3}, {"hp": 9, "speed": 1, "actions": 3}),
    "segments": ({"wounds": 10}, {}),
}
"""By system: the sheet of somebody who is down, and of somebody who is not."""


@pytest.mark.parametrize("system", SHEETS)
def test_nobody_waits_for_a_combatant_who_joins_with_nothing_left(system: str) -> None:
    """SB-37, AP-45, ST-13, CS-624; put right 2: players see them down, and no step of a round is theirs."""
    talk = Talk(system, seed="1")
    fallen, standing = SHEETS[system]
    talk.do("join", name="Fallen", side="foe", sheet=fallen).do("join", name="Ash", side="party", sheet=standing)
    assert not talk.combatant("fallen")["able"]
    talk.do("start")
    fight = talk.session.fight
    assert fight is not None
    actors = set()
    for _ in range(40):
        actors |= set(fight.system.waiting(fight.state))
        prompt = fight.state.asked_first
        given = {} if prompt is None or prompt.default or not prompt.amount else {"amount": 3}
        talk.do("answer", prompt=prompt.id, **given) if prompt is not None else talk.do("advance")
    assert actors == {"ash"}


def test_a_combatant_with_some_health_left_stands() -> None:
    """ST-13; put right 2: it is not the wound but the empty pool that puts somebody down."""
    talk = Talk("turns", seed="1").do("join", name="Hurt", side="foe", sheet={"hp": 9, "hp_now": 1})
    talk.do("join", name="Unknown", side="foe")
    assert talk.combatant("hurt")["able"]
    assert talk.combatant("unknown")["able"]


@pytest.mark.parametrize("system", ["slots", "turns"])
def test_healing_gets_up_a_combatant_who_joined_down(system: str) -> None:
    """AP-45, ST-13; put right 2: from then on everything is as after a fall in the fight."""
    talk = Talk(system, seed="1").do("join", name="Fallen", side="foe", sheet=SHEETS[system][0])
    talk.do("heal", who="fallen", amount=3).expect("Restored", who="fallen")
    assert talk.combatant("fallen")["able"]


def test_an_encounter_begins_with_those_who_are_down() -> None:
    """ST-13; put right 2: `hp_now = 0` in a file, for one or for a squad."""
    text = """
        name = "After the fall"
        system = "turns"
        [[combatant]]
        name = "Goblin"
        side = "foe"
        count = 2
        [combatant.sheet]
        hp = 7
        hp_now = 0
        [[combatant]]
        name = "Ash"
        side = "party"
    """
    fight = start_fight(read_encounter(text, "test"), id="fall")
    assert [each.name for each in fight.state.combatants.values() if not each.able] == ["Goblin 1", "Goblin 2"]


def test_segments_tells_that_the_tenth_wound_has_felled_somebody() -> None:
    """CS-624, L2996; put right 2: ten wounds on the sheet are a collapse, nine are not."""
    talk = Talk("segments", seed="1").do("join", name="Fallen", side="foe", sheet={"wounds": 10})
    talk.do("join", name="Hurt", side="foe", sheet={"wounds": 9})
    talk.expect_combatant("fallen", able=False, life="collapsed").expect_combatant("hurt", able=True, life="up")
