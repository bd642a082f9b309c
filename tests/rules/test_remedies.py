"""What a refusal says would be accepted: the cases that were wrong once, by system. The machines try all others."""

from __future__ import annotations

import pytest

from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import Refused
from fightcall_engine.play.fight import Fight
from fightcall_engine.testkit.perft import find_refused_remedies


def begun(system: str, *steps: tuple[str, dict[str, object]], **sheet: object) -> Fight:
    """Ash and an orc, after these commands."""
    joins = [Join(name="Ash", sheet=sheet), Join(name="Orc", side="foe", sheet=sheet)]
    fight = Fight.new(system, seed="7", joins=joins)
    for name, data in steps:
        fight.give(name, **data)
    return fight


def refused(fight: Fight, name: str, **data: object) -> tuple[str, ...]:
    """What a refusal offers, after each of it has been tried."""
    command = fight.codec.command(name, data)
    with pytest.raises(Refused) as caught:
        fight.do(command)
    assert find_refused_remedies(fight, command, caught.value) == []
    return caught.value.accepts


def in_melee() -> Fight:
    return begun("stage", ("start", {}), ("next_phase", {"until": "melee", "force": True}))


def test_a_phase_is_named_as_one() -> None:
    """SB-31, SB-45: ``move`` is a command, which is as much refused then."""
    fight = in_melee()
    assert refused(fight, "move", who="ash", hexes=1) == ("the Move phase",)
    assert refused(fight, "shoot", who="ash", target="orc", hit=True) == ("the Missile phase",)
    assert refused(fight, "next_half", until="lunch") == ("magic", "management")


def test_what_belongs_to_the_others_half_is_not_offered_to_the_prone() -> None:
    """SB-75, SB-76: in their own half they rise, in the other's nothing helps."""
    fight = begun("stage", ("start", {}), ("next_phase", {"until": "move", "force": True}))
    fight.give("drop_prone", who="ash")
    fight.give("adjust", who="ash", what="beats", value=14)
    assert refused(fight, "drop_prone", who="ash") == ("rise",)
    fight.give("next_half")
    assert "rise" not in refused(fight, "drop_prone", who="ash")


def test_a_question_for_a_price_takes_a_number() -> None:
    """SB-78: it listed nothing but the way out."""
    fight = begun("stage", ("start", {}), ("next_phase", {"until": "move", "force": True}))
    fight.give("stunt", who="ash", name="swing")
    assert refused(fight, "answer", prompt="price", choice="banana") == ("cancel", "a number (beats)")


def test_an_order_is_offered_whole() -> None:
    """SB-11, ST-13: its names one by one are no order."""
    stage = begun("stage", ("join", {"name": "Bo"}))
    assert refused(stage, "rule", what="order", value="ash") == ("ash bo",)
    fight = begun("turns", ("open_scene", {}), ("set_mode", {"mode": "initiative"}), actions=3)
    assert refused(fight, "rule", what="order", value="ash") == ("ash orc",)


def test_a_command_is_offered_with_what_it_must_be_told() -> None:
    """ST-35, ST-37: a rest has a kind."""
    fight = begun("turns", actions=3)
    assert refused(fight, "activity", who="ash", what="loot") == ("rest short", "rest full")
    assert refused(fight, "rest", kind="nap") == ("short", "full")


def test_nobody_is_offered_a_turn_while_one_of_theirs_runs_or_is_to_come() -> None:
    """ST-13: neither by the list of rulings nor by a refusal of it."""
    fight = begun("turns", ("open_scene", {}), ("set_mode", {"mode": "initiative"}), actions=3)
    fight.give("initiative", who="ash", die=20)
    fight.give("initiative", who="orc", die=1)
    for steps in ((), ("take",)):
        for name in steps:
            fight.give(name, who="ash")
        turns = [option for option in fight.system.rulings(fight.state, "ash") if option.action == "rule-turn"]
        assert [option.legal for option in turns] == [False]
        assert refused(fight, "rule", what="turn", who="ash") == (("end_turn",) if steps else ("take",))


def test_what_mends_one_fault_of_two_is_still_offered() -> None:
    """SB-65: nobody is called so, and it is the wrong phase besides."""
    assert refused(in_melee(), "shoot", who="nobody", target="orc", hit=True) == ("ash", "orc")


def test_of_people_only_those_are_offered_who_can() -> None:
    """SB-06: in the party's half an orc is no help."""
    assert refused(in_melee(), "waive", who="nobody") == ("ash",)


def test_where_several_are_wanted_nobody_is_offered_alone() -> None:
    """CS-026, CS-040."""
    fight = begun("segments", ("start", {}))
    assert refused(fight, "settle_tie", ids=(), by="orc", force=True) == ("two or more who are tied",)
    assert refused(fight, "spring", aggressors=(), targets=("ash",)) == ("aggressors: those who spring it",)


def test_a_command_that_somebody_does_is_not_offered_where_nobody_is_there() -> None:
    """CS-525: no shot flies on, and there is no Action to resolve either."""
    assert refused(Fight.new("segments", seed="7"), "stray") == ()
