"""Time that the GM skips, and copies of combatants, in all four systems."""

from __future__ import annotations

import pytest

from fightcall_engine.board.kinds import board_from_json
from fightcall_engine.kit.plugins import system_names
from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.fight import Fight
from fightcall_engine.testkit.perft import GROUNDS

from .test_returns import fight_of, go_on, sheet_of


def record_of(fight: Fight, who: str) -> dict[str, object]:
    return dict(fight.state.combatants[who].remembered)


def test_ap_44_marks_of_zones_end_in_skipped_time() -> None:
    """At the table 3, `! k 10 min`: a mark counts down by as many Full Rounds, and says that its time is over."""
    fight = Fight.new("slots", seed="7", board=board_from_json(GROUNDS["zone"].to_json()))
    fight.give("join", name="Ash", sheet={"hp": 9}, at="Hall")
    fight.give("start")
    length = fight.system.skipped_round_s(fight.state)
    fight.give("mark_zone", at="Hall", name="burning", price=1, rounds=3)
    fight.give("mark_zone", at="Yard", name="flooded", price=1)
    fight.give("skip_time", seconds=2 * length)
    assert [(mark.name, mark.left) for mark in fight.state.record.marks.values()] == [("burning", 1), ("flooded", None)]
    entry = fight.give("skip_time", seconds=600)
    assert [mark.name for mark in fight.state.record.marks.values()] == ["flooded"]
    assert "ZoneCleared" in [event.type for event in entry.events]


def test_ap_05_an_npc_finishes_its_work_in_skipped_time() -> None:
    """At the table 3: its outcome is asked, as at the end of its last round."""
    fight = fight_of("slots")
    fight.give("npc", who="orc", what="pick the lock", rounds=5)
    work = fight.state.combatants["orc"].record.work
    length = fight.system.skipped_round_s(fight.state)
    fight.give("skip_time", seconds=length)
    assert fight.state.combatants["orc"].record.work.paid == work.paid + 1
    entry = fight.give("skip_time", seconds=10 * length)
    assert fight.state.combatants["orc"].record.work is None
    assert "MultiRoundCompleted" in [event.type for event in entry.events]


def test_cs_625_who_lives_for_some_segments_dies_in_skipped_time() -> None:
    """At the table 3: deadlines that are counted in segments come nearer."""
    fight = fight_of("segments")
    fight.give("adjust", who="ash", what="life_until", value=fight.state.round + 30)
    fight.give("skip_time", seconds=50)
    assert record_of(fight, "ash")["life_until"] == fight.state.round + 25
    assert record_of(fight, "ash")["life"] == "up"
    fight.give("skip_time", seconds=600)
    assert record_of(fight, "ash")["life"] == "dead"
    assert not fight.state.combatants["ash"].able
    fight.undo()
    assert record_of(fight, "ash")["life"] == "up"


def test_cs_067_surprise_ends_in_skipped_time() -> None:
    """At the table 3: and it says so."""
    fight = fight_of("segments")
    last = fight.state.round + 3
    for what, value in (("surprise", "checked"), ("surprise_launch", 1), ("surprise_until", last)):
        fight.give("adjust", who="orc", what=what, value=value)
    fight.give("skip_time", seconds=20)
    assert (record_of(fight, "orc")["surprise"], record_of(fight, "orc")["surprise_until"]) == ("checked", last - 2)
    entry = fight.give("skip_time", seconds=60)
    assert record_of(fight, "orc")["surprise"] == "none"
    assert "SurpriseEnded" in [event.type for event in entry.events]


@pytest.mark.parametrize("system", ["turns", "slots"])
def test_st_08_effects_on_a_combatants_own_clock_end_in_skipped_time(system: str) -> None:
    """At the table 3: whatever clock counts them."""
    fight = fight_of(system)
    go_on(fight, 6)
    for clock in fight.system.clocks:
        more = {"clock": "bearer"} if clock == "own" else {}
        fight.give("add_effect", who="ash", name=f"by the {clock}", rounds=3, force=True, **more)
    assert len(fight.state.combatants["ash"].effects) == len(fight.system.clocks)
    fight.give("skip_time", seconds=600)
    assert fight.state.combatants["ash"].effects == ()


BODY = {
    "stage": {"posture": "prone"},
    "slots": {"vulnerable": True},
    "turns": {"no_free": True},
    "segments": {"wounds": 3, "posture": "kneeling", "right_hand": "torch"},
}
"""What a body has in the record, by system."""


@pytest.mark.parametrize("system", system_names())
def test_a_copy_has_the_body_of_its_original(system: str) -> None:
    """At the table 3, `! c`: wounds and posture, but not what the original has done or has in progress."""
    fight = fight_of(system)
    for what, value in BODY.get(system, {}).items():
        fight.give("adjust", who="orc", what=what, value=value, force=True)
    fight.give("copy", who="orc", count=2)
    for each in fight.state.roster:
        if each.name.startswith("Orc "):
            assert BODY.get(system, {}).items() <= dict(each.remembered).items()
            own, original = each.pools, fight.state.combatants["orc"].pools
            lasting = own.keys() - (fight.system.granted_pools if system not in BODY else ())
            assert {name: own[name] for name in lasting} == {name: original[name] for name in lasting}


def test_sb_25_business_stays_with_the_original() -> None:
    """At the table 3: a mirror image does not work on the door."""
    fight = fight_of("stage")
    for _ in range(40):
        option = next((each for each in fight.options("ash") if each.command == "Business" and each.legal), None)
        if option is not None:
            break
        go_on(fight, 1)
    fight.give("business", who="ash", name="pick the lock", needed=3)
    assert fight.state.combatants["ash"].record.open_works
    fight.give("copy", who="ash")
    (copy,) = (each for each in fight.state.roster if each.name.startswith("Ash "))
    assert copy.record.works == {}


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("system", system_names())
def test_play_goes_on_in_the_middle_of_things_on_another_map(system: str, ground: str) -> None:
    """At the table 3, `! n`: plans, held places and halts of the old board hold nobody on the new one."""
    fight = Fight.new(system, seed="7", board=GROUNDS["hex"])
    for name, side, at in (("Ash", 0, "A1"), ("Bo", 0, "B1"), ("Orc", 1, "F6")):
        fight.give("join", name=name, side=fight.system.sides[side], sheet=sheet_of(system), at=at)
    fight.give("start")
    go_on(fight, 9)
    for who, at in (("ash", "C3"), ("orc", "D3")):
        fight.give("place", who=who, at=at, force=True)
    go_on(fight, 5)
    board = GROUNDS[ground]
    places = [board.name_of(place) for place in list(board.places())[:3]]
    while any(prompt.blocking for prompt in fight.state.prompts):
        go_on(fight, 1)
    along = ("ash", "bo", "orc")
    fight.give("change_map", board=to_json(board), along=along, places=dict(zip(along, places, strict=True)))
    for combatant in fight.state.roster:
        told = str(combatant.remembered)
        assert all(name not in told for name in ("'C3'", "'D3'", "'F6'")), told
    begun = fight.state.round
    for _ in range(150):
        if fight.state.round > begun + 1 or fight.state.status == "closed":
            break
        go_on(fight, 1)
    assert fight.state.round > begun
