"""Effects by any clock: the round's, the bearer's, the maker's, at their start or end; and when an owner is gone."""

from collections.abc import Mapping

import pytest

from fightcall_engine import Fight
from fightcall_engine.kit import phrases
from fightcall_engine.model.errors import Refused


def opened(system: str) -> Fight:
    fight = Fight.new(system, seed="7")
    for name, side in (("Ash", "party"), ("Bo", "party"), ("Orc", "foe")):
        fight.give("join", name=name, side=side, sheet={"hp": 9})
    return fight


def left(fight: Fight, who: str = "orc") -> list[int | None]:
    return [one.left for one in fight.state.combatants[who].effects]


def told(fight: Fight) -> str:
    assert fight.head is not None
    spoken = (phrases.phrase(fight.system, event, fight.state) for event in fight.head.events)
    return "\n".join(phrase.text for phrase in spoken if phrase)


def turns() -> Fight:
    """Ash, Bo, Orc, in this order, before the first turn of the first round."""
    fight = opened("turns")
    fight.give("openscene", mode="initiative")
    fight.give("initiative", rolls={"ash": [18], "bo": [12], "orc": [3]})
    assert fight.state.order == ("ash", "bo", "orc")
    return fight


def take_turn(fight: Fight) -> None:
    for command in ("take", "endturn"):
        assert fight.state.step is not None
        fight.give(command, who=fight.state.step.actor)


CLOCKS: Mapping[tuple[str, str], tuple[int | None, ...]] = {
    # What is left at the start; after Ash's take, end; Bo's take, end; Orc's take, end (and round 2 begins).
    ("round", "end"): (2, 2, 2, 2, 2, 2, 1),
    ("round", "start"): (2, 2, 2, 2, 2, 2, 1),
    ("bearer", "start"): (2, 2, 2, 2, 2, 1, 1),
    ("bearer", "end"): (2, 2, 2, 2, 2, 2, 1),
    ("maker", "start"): (2, 1, 1, 1, 1, 1, 1),
    ("maker", "end"): (2, 2, 1, 1, 1, 1, 1),
}


@pytest.mark.parametrize(("clock", "ticks"), sorted(CLOCKS))
def test_turns_counts_by_every_clock(clock: str, ticks: str) -> None:
    fight = turns()
    fight.give("effect", who="orc", name="stunned", rounds=2, clock=clock, ticks=ticks, by="ash")
    seen = left(fight)
    for _ in range(3):
        for command in ("take", "endturn"):
            assert fight.state.step is not None
            fight.give(command, who=fight.state.step.actor)
            seen += left(fight)
    assert tuple(seen) == CLOCKS[clock, ticks]
    whole = fight.state
    fight.undo(6)
    assert left(fight) == [2]
    for _ in range(6):
        fight.redo()
    assert fight.state == whole


def test_turns_counts_the_usual_way_where_nothing_is_said() -> None:
    fight = turns()
    fight.give("effect", who="orc", name="slow", rounds=2)
    effect = fight.state.combatants["orc"].effects[0]
    assert (effect.ticks, effect.clock) == ("round_end", "round")
    fight.give("effect", who="orc", name="blinded", rounds=2, clock="bearer")
    effect = fight.state.combatants["orc"].effects[1]
    assert (effect.ticks, effect.clock) == ("turn_start", "orc")
    assert "blinded for 2 (start of Orc's turn)" in told(fight)


def test_an_effect_of_a_maker_who_leaves_counts_at_the_rounds_end() -> None:
    """Put right 8: as it does when the maker is down."""
    fight = turns()
    fight.give("effect", who="orc", name="stunned", rounds=2, clock="maker", by="ash")
    fight.give("leave", who="ash")
    effect = fight.state.combatants["orc"].effects[0]
    assert (effect.ticks, effect.clock, effect.left) == ("round_end", "round", 2)
    assert "Orc: stunned now counts down at the end of the Round (the combatant who caused it has left)" in told(fight)
    take_turn(fight)
    take_turn(fight)
    assert left(fight) == [1]
    fight.undo(5)
    assert fight.state.combatants["orc"].effects[0].clock == "ash"


def round_of_the_end(fight: Fight) -> int:
    """The round in which the effects on the orc end."""
    for _ in range(40):
        if not left(fight):
            return fight.state.round
        fight.give("advance")
    raise AssertionError("it never ends")


@pytest.mark.parametrize("system", ["turns", "slots"])
@pytest.mark.parametrize("ticks", ["start", "end"])
@pytest.mark.parametrize("advances", range(4))
def test_an_effect_lasts_as_long_without_its_maker(system: str, ticks: str, advances: int) -> None:
    """Put right 8: until Ash's next turn but one, wherever in the round Ash leaves or falls."""
    ends = []
    for parting in ({"do": "leave"}, {"do": "adjust", "what": "able", "value": False}):
        fight = turns() if system == "turns" else slots()
        fight.give("effect", who="orc", name="stunned", rounds=2, clock="maker", by="ash", ticks=ticks)
        for _ in range(advances):
            fight.give("advance")
        name = str(parting["do"])
        fight.give(name, who="ash", **{key: value for key, value in parting.items() if key != "do"})
        ends.append(round_of_the_end(fight))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("clock", ["bearer", "maker"])
def test_turns_counts_at_the_rounds_end_while_an_owner_is_down(clock: str) -> None:
    fight = turns()
    fight.give("effect", who="orc", name="stunned", rounds=2, clock=clock, by="ash")
    owner, others = ("orc", 2) if clock == "bearer" else ("ash", 2)
    fight.give("adjust", who=owner, what="able", value=False)
    for _ in range(others):
        take_turn(fight)
    assert left(fight) == [1]
    assert f"Orc: stunned, 1 left ({owner.capitalize()} is down)" in told(fight)
    for _ in range(others):
        take_turn(fight)
    assert left(fight) == []


def slots() -> Fight:
    """Ash before Bo; Orc is an NPC; Ash's Active Phase of the first round runs."""
    fight = opened("slots")
    fight.give("beginencounter")
    for who, result in (("ash", 18), ("bo", 9)):
        fight.give("awareness", who=who, result=result)
    fight.give("lock")
    while not fight.state.round:
        fight.give("advance")
    return fight


def test_slots_counts_at_upkeep_or_by_active_phases() -> None:
    fight = slots()
    for name, clock, ticks, by in (
        ("a", "", "", ""), ("b", "maker", "end", "ash"), ("c", "maker", "start", "bo"), ("d", "maker", "start", "ash"),
    ):  # fmt: skip
        fight.give("effect", who="orc", name=name, rounds=5, clock=clock, ticks=ticks, by=by)
    before = fight.state
    fight.give("advance")
    assert left(fight) == [5, 4, 4, 5], "Ash's Active Phase ends, Bo's begins"
    count = 1
    while fight.state.round == 1:
        fight.give("advance")
        count += 1
    assert left(fight) == [4, 4, 4, 4], "Upkeep, and Ash's next begins"
    fight.undo(count)
    assert fight.state == before


def test_slots_falls_back_to_upkeep_and_says_so() -> None:
    fight = slots()
    fight.give("effect", who="orc", name="held", rounds=5, clock="maker", by="bo")
    fight.give("leave", who="bo")
    assert "held now counts down at the Upkeep" in told(fight), "an NPC has no Active Phases"


def test_slots_has_no_clock_for_who_has_no_active_phases_unless_the_gm_insists() -> None:
    fight = slots()
    with pytest.raises(Refused, match="Orc has no clock of their own") as no:
        fight.give("effect", who="orc", name="held", rounds=2, clock="bearer")
    assert not no.value.final
    fight.give("effect", who="orc", name="held", rounds=2, clock="bearer", force=True)
    while fight.state.round == 1:
        fight.give("advance")
    assert left(fight) == [1]


def test_stage_has_the_rounds_end_and_says_so() -> None:
    fight = opened("stage")
    fight.give("effect", who="orc", name="slow", rounds=2, clock="round", ticks="end")
    assert fight.state.combatants["orc"].effects[0].ticks == "round_end"
    for wrong in ({"clock": "bearer"}, {"clock": "maker", "by": "ash"}, {"ticks": "start"}, {"clock": "sand"}):
        with pytest.raises(Refused) as no:
            fight.give("effect", who="orc", name="slow", rounds=2, **wrong)
        assert no.value.accepts == ("round (end)",)
    fight.give("start")
    while not any(one.kind == "continue" for one in fight.state.prompts):
        fight.give("advance")
    assert left(fight) == [1]


@pytest.mark.parametrize(
    ("wrong", "accepts"),
    [
        ({"clock": "own"}, ("round (end, start)", "bearer (start, end)", "maker (start, end)")),
        ({"clock": "maker"}, ("ash", "bo", "orc")),
        ({"clock": "maker", "by": "zed"}, ("ash", "bo", "orc")),
        ({"clock": "bearer", "ticks": "middle"}, ("round (end, start)", "bearer (start, end)", "maker (start, end)")),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(wrong: dict[str, str], accepts: tuple[str, ...]) -> None:
    fight = turns()
    before = fight.state
    with pytest.raises(Refused) as no:
        fight.give("effect", who="orc", name="stunned", rounds=2, **wrong)
    assert no.value.accepts == accepts
    assert fight.state == before
