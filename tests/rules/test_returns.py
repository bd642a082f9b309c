"""Who leaves and comes back is the same one, in all four systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from fightcall_engine.kit.plugins import find_system, system_names
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant
from fightcall_engine.play.fight import Fight


def sheet_of(system: str, number: int = 9) -> dict[str, int]:
    return {"agl" if system == "segments" else find_system(system).health: number}


def fight_of(system: str) -> Fight:
    """Ash and Bo against an orc, in the first round."""
    fight = Fight.new(system, seed="7")
    fight.give("join", name="Ash", sheet=sheet_of(system))
    fight.give("join", name="Bo", sheet=sheet_of(system))
    fight.give("join", name="Orc", side=fight.system.sides[1], sheet=sheet_of(system))
    fight.give("start")
    go_on(fight, 4)
    return fight


def go_on(fight: Fight, steps: int) -> None:
    for _ in range(steps):
        prompt = next((each for each in fight.state.prompts if each.blocking and not each.default), None)
        if prompt is None:
            fight.give("advance")
        else:
            fight.give("answer", prompt=prompt.id, choice=prompt.choices[0].id)


def ash(fight: Fight) -> Combatant:
    return fight.state.combatants["ash"]


@pytest.mark.parametrize("system", system_names())
@pytest.mark.parametrize("meanwhile", [0, 12])
def test_who_comes_back_is_the_same_one(system: str, meanwhile: int, tmp_path: Path) -> None:
    """Put right 7: with wounds and effects, whatever was played meanwhile; and so when the journal is read again."""
    left = fight_of(system)
    left.give("damage", who="ash", amount=3)
    left.give("effect", who="ash", name="cursed")
    left.give("adjust", who="ash", what="able", value=False)
    before, health = ash(left), left.system.health
    left.give("leave", who="ash")
    go_on(left, meanwhile)
    ways: tuple[dict[str, object], ...] = ({}, {"sheet": sheet_of(system)}, {"id": "ash"}, {"side": "party"})
    for given in ways:
        fight = left.copy()
        fight.give("join", **{"name": "Ash", **given})
        back = ash(fight)
        assert (back.id, back.label, back.sheet, back.able) == (before.id, before.label, before.sheet, False), given
        assert back.pools[health] == before.pools[health], given
        assert [each.name for each in back.effects] == ["cursed"], given
        assert (fight.state.gone, dict(fight.state.departed)) == ((), {}), given
        whole = fight.state
        fight.undo()
        assert ("ash" in fight.state.combatants, fight.state.gone) == (False, ("ash",)), given
        fight.redo()
        assert fight.state == whole, given
        go_on(fight, 8)
    fight.save_as(tmp_path / "one.jsonl")
    whole = fight.state
    fight.close()
    assert Fight.watch(tmp_path / "one.jsonl").state == whole


@pytest.mark.parametrize("system", system_names())
@pytest.mark.parametrize(
    "given",
    [{"anew": True}, {"name": "Asher"}, {"sheet": 4}, {"count": 2}, {"side": "foe"}, {"id": "ash-the-other"}],
    ids=str,
)
def test_a_newcomer_of_the_same_name_is_somebody_else(system: str, given: dict[str, object]) -> None:
    """Put right 7: with another sheet, side or id, or where the GM says so."""
    fight = fight_of(system)
    fight.give("damage", who="ash", amount=3)
    fight.give("leave", who="ash")
    sheet = sheet_of(system, 4 if "sheet" in given else 9)
    fight.give("join", **{"name": "Ash", **given, "sheet": sheet})
    assert "ash" not in fight.state.combatants
    assert set(fight.state.departed) == {"ash"}
    newcomers = [each for each in fight.state.combatants.values() if each.name.startswith("Ash")]
    assert newcomers
    assert all(each.pools[fight.system.health].now == each.pools[fight.system.health].max for each in newcomers)


@pytest.mark.parametrize("system", system_names())
def test_nobody_else_gets_the_id_of_one_who_may_come_back(system: str) -> None:
    """Put right 7: what the journal tells of an id is told of one person."""
    fight = fight_of(system)
    fight.give("leave", who="ash")
    with pytest.raises(Refused, match="has left"):
        fight.give("join", name="Oak", id="ash")
    fight.give("join", name="Ash", sheet=sheet_of(system), anew=True)
    assert fight.state.combatants["ash-2"].name == "Ash"
    fight.give("join", name="Ash", id="ash", force=True)
    assert {"ash", "ash-2"} <= set(fight.state.combatants)


def test_sb_34_and_beats_that_were_spent_are_spent_in_the_same_moment() -> None:
    """SB-34; put right 7: and in the next Moment all beats are there."""
    fight = fight_of("stage")
    most = ash(fight).pools["beats"].max
    fight.give("adjust", who="ash", what="beats", value=2)
    fight.give("leave", who="ash")
    fight.give("join", name="Ash")
    assert ash(fight).pools["beats"].now == 2
    fight.give("leave", who="ash")
    moment = fight.state.round
    while fight.state.round == moment:
        go_on(fight, 1)
    fight.give("join", name="Ash")
    assert ash(fight).pools["beats"].now == most


def test_st_18_nobody_has_a_second_turn_in_a_round_by_leaving() -> None:
    """ST-18; put right 7: whoever has had the turn, and comes back in the same round, has none."""
    fight = Fight.new("turns", seed="7")
    for name in ("Ash", "Bo"):
        fight.give("join", name=name, sheet=sheet_of("turns"))
    fight.give("openscene", mode="initiative")
    fight.give("initiative", rolls={"ash": [18], "bo": [3]})
    fight.give("take", who="ash")
    fight.give("leave", who="ash")
    fight.give("join", name="Ash")
    fight.give("answer", prompt="arrival", amount=19)
    first = fight.state.round
    offered = []
    while fight.state.round == first:
        offered += [fight.state.step.actor] if fight.state.step is not None else []
        go_on(fight, 1)
    assert "ash" not in offered
    assert "ash" in fight.state.combatants


def test_cs_098_actions_that_were_used_are_used_in_the_same_segment() -> None:
    """CS-098; put right 7: and wounds, what is in hand and armour are kept."""
    fight = fight_of("segments")
    fight.give("adjust", who="ash", what="slots", value=0)
    fight.give("adjust", who="ash", what="wounds", value=4)
    fight.give("leave", who="ash")
    fight.give("join", name="Ash")
    assert ash(fight).pools["slots"].now == 0
    assert ash(fight).remembered["wounds"] == 4


def test_ap_27_slots_are_gone_when_the_round_has_ended_for_the_others() -> None:
    """AP-27; put right 7: one who left with slots and comes back in the Upkeep of that round has none."""
    fight = Fight.new("slots", seed="7")
    for name in ("Ash", "Bo"):
        fight.give("join", name=name, sheet=sheet_of("slots"))
    fight.give("start")
    while not any(ash(fight).pool(name).now for name in ("slots", "reserved")):
        go_on(fight, 1)
    fight.give("leave", who="ash")
    while fight.state.phase != "upkeep":
        go_on(fight, 1)
    fight.give("join", name="Ash")
    assert [ash(fight).pool(name).now for name in ("slots", "reserved")] == [0, 0]
