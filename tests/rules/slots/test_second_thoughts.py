"""Amendments of Active Phase Encounters: the new line gets no further than the old one."""

from __future__ import annotations

import pytest

from fightcall_engine.model.commands import Advance
from fightcall_engine.play.amendments import Amendment, Edit, change_command

from .table import Play, table


def acts(play: Play, who: str, *costs: int) -> Play:
    """They act at these costs."""
    for cost in costs:
        play.do("act", who=who, cost=cost)
    return play


def with_cost(play: Play, first: int, cost: int, *, forced: bool = False) -> Amendment:
    """The fight with another cost of its act at an index of the line."""
    fight = play.fight
    number = fight.line.entry(first).number
    changed = change_command(fight.codec, fight.line, number, {"cost": cost})
    return fight.amend([Edit(number, instead=changed, is_forced=forced)])


def begun(amendment: Amendment) -> set[str]:
    """The kinds of events that begin a round or a part of it."""
    kinds = {event.type for each in amendment.replayed for event in each.events}
    return kinds & {"FullRoundBegan", "HesitationBegan", "UpkeepBegan", "FinalPhaseBegan"}


def test_an_act_that_is_too_dear_now_ends_no_round_to_be_paid() -> None:
    """AP-26; put right 5: Ivo has 7 slots; the second act runs through no Upkeep to get new ones."""
    play = table("ivo").locked()
    first = play.fight.line.entry_count()
    acts(play, "ivo", 4, 2)
    amendment = with_cost(play, first, 6)
    assert [(each.fate, each.why) for each in amendment.replayed] == [
        ("changed", ""),
        ("refused", "costs 2; Ivo has 1 left"),
    ]
    assert (amendment.now.round, begun(amendment)) == (1, set())


@pytest.mark.parametrize(("cost", "fates"), [(5, ["changed", "refused"]), (7, ["refused", "differs"])])
def test_an_act_that_would_end_a_round_that_had_not_ended_is_refused(cost: int, fates: list[str]) -> None:
    """AP-18, AP-26; put right 5: whether a later act spends the last slot now, or the one that is changed."""
    play = table("ivo").locked()
    first = play.fight.line.entry_count()
    acts(play, "ivo", 4, 2)
    amendment = with_cost(play, first, cost)
    assert [each.fate for each in amendment.replayed] == fates
    (refused,) = amendment.refused
    assert (refused.rule, refused.why) == (
        "amend",
        "this would play on into Full Round 1 · Upkeep, which hadn't been reached",
    )
    assert (amendment.now.round, begun(amendment)) == (1, set())
    play.fight.adopt(amendment)
    assert (play.state.round, play.state.phase) == (1, "active")


def test_the_gm_may_force_an_act_that_ends_the_round() -> None:
    """Put right 5: what is refused names the way out."""
    play = table("ivo").locked()
    first = play.fight.line.entry_count()
    acts(play, "ivo", 4)
    assert with_cost(play, first, 7).refused[0].accepts == ('"force":true',)
    forced = with_cost(play, first, 7, forced=True)
    assert (forced.refused, begun(forced)) == ((), {"HesitationBegan", "UpkeepBegan"})


def test_an_ending_that_comes_by_itself_now_does_not_end_the_next_phase_too() -> None:
    """AP-18; put right 5: Ivo's last slot ends his phase; his own ending is refused, and does not close the round."""
    play = table("ivo", "mara").locked()
    first = play.fight.line.entry_count()
    acts(play, "ivo", 4, 2).do("end_ap", who="ivo")
    acts(play, "mara", 1)
    amendment = with_cost(play, first, 5)
    assert [each.fate for each in amendment.replayed] == ["changed", "differs", "refused", "same"]
    assert (amendment.now.round, begun(amendment)) == (1, {"FinalPhaseBegan"})
    assert [(each.who, each.what, each.now) for each in amendment.differences] == [("ivo", "reserved", "0/7")]


def test_a_phase_that_had_ended_is_ended_again() -> None:
    """AP-16; put right 5: a step that was passed is passed by itself, such as that of Ivo, who has slots left now."""
    play = table("ivo", "mara").locked()
    first = play.fight.line.entry_count()
    acts(play, "ivo", 4, 3)
    acts(play, "mara", 1).do("advance").do("advance")
    amendment = with_cost(play, first, 3)
    assert [each.fate for each in amendment.replayed] == ["changed", "differs", "added", "same", "differs", "same"]
    assert (amendment.now.round, amendment.now.step) == (2, play.state.step)


def test_a_step_that_the_gm_puts_in_goes_no_further_than_play_had_come() -> None:
    """Put right 5: one step before the first act is one step too many, and the later ones are left out."""
    play = table("ivo", "mara").locked()
    first = play.fight.line.entry_count()
    acts(play, "ivo", 4).do("advance")
    number = play.fight.line.entry(first).number
    one = play.fight.amend([Edit(number, before=(Advance(),))])
    assert [each.fate for each in one.replayed] == ["added", "refused", "left out"]
    three = play.fight.amend([Edit(number, before=(Advance(), Advance(), Advance()))])
    assert [each.fate for each in three.replayed] == ["added", "added", "refused", "refused", "left out"]
    assert (one.now.step, three.now.step) == (play.state.step, play.state.step)
    assert [prompt.kind for prompt in three.now.prompts] == ["last_call"]
