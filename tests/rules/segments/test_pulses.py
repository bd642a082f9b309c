"""Ten Pulses of movement: plans, speeds, order, the way over the board (CS-180 to CS-186, CS-230 to CS-242)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.board.base import Square
from fightcall_engine.board.kinds import SquareBoard, any_board
from fightcall_engine.systems.segments.rules.ranges import printed_rows, segment_feet
from fightcall_engine.systems.segments.state import paths
from fightcall_engine.systems.segments.state.records import fighter_of
from fightcall_engine.systems.segments.views import cards as showing

from ..once import played_once
from .table import SWORD, Play, table

ON = {"pulse_movement": True}


def squares(rough: str = "") -> object:
    """A field of squares, 5 ft each; `rough` is ground that costs double."""
    data: dict[str, object] = {"kind": "square", "cols": 40, "rows": 12}
    if rough:
        data |= {"legend": {"mud": {"cost": 2}}, "cells": {"mud": rough.split()}}
    return any_board(SquareBoard.from_json(data))


def runner(full: float = 12, **more: object) -> dict[str, object]:
    return {"move": {"full": full}, "weapons": [SWORD], **more}


@played_once
def no_board(full: float = 20, **settings: object) -> Play:
    """Ash alone, without a board, in the first Pulse."""
    play = table(settings={**ON, **settings}, ash=runner(full), orc=runner(side="foe"))
    return play.begin().to("pulse")


def feet(play: Play, who: str = "ash") -> list[float]:
    """Feet of each Pulse in which somebody has moved so far."""
    return [one.feet for one in play.heard if one.type == "PulseMoved" and one.who == who]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("mph", "most"), [(0.5, 10), (1, 20)])
def test_cs_230_whoever_crawls_goes_no_faster_than_was_said(mph: float, most: int) -> None:
    """CS-230, table 7-2: 1 mph is 2 ft a Pulse."""
    play = table(squares(), ON, ash=runner(at="B3"), orc=runner(side="foe", at="AA9")).begin()
    play.do("plan", who="ash", to="J3", speed=mph).to("pulse").do("run_pulses")
    assert 0 < sum(feet(play)) <= most


# Order of play


def test_g_24_all_declare_then_ten_pulses_then_resolution() -> None:
    """G-24, CS-008, CS-230, CS-240: nobody moves in Declaration; ten Pulses tick; then Actions are settled."""
    play = table(squares(), ON, ash=runner(at="B3"), orc=runner(side="foe", at="AA9")).begin()
    play.do("declare", who="ash", text="sing").do("plan", who="ash", to="J3")
    play.to("pulse")
    assert not [one for one in play.heard if one.type in ("SegmentMoved", "PulseMoved")]
    play.to("resolve", "ash")
    ticks = [one.value for one in play.heard if one.type == "PulseTicked"]  # type: ignore[attr-defined]
    assert ticks == list(range(1, 11))
    assert play.one("ash").at == Square(9, 2)
    kinds = [one.type for one in play.heard]
    assert kinds.index("PulseMoved") > max(i for i, one in enumerate(kinds) if one in ("Declared", "Waited"))


def test_cs_232_every_pulse_runs_through_the_roster() -> None:
    """CS-232, CS-027: sides do not alternate."""
    play = table(squares(), ON, ash=runner(at="B3"), bea=runner(at="B6"), orc=runner(side="foe", at="B9"))
    play.begin(ash=5, bea=9, orc=7)
    for who, row in (("ash", 3), ("bea", 6), ("orc", 9)):
        play.do("plan", who=who, to=f"X{row}")
    play.to("pulse").do("run_pulses", pulses=2)
    assert [one.who for one in play.all("PulseMoved")] == ["bea", "orc", "ash"] * 2  # type: ignore[attr-defined]


def test_cs_232_faster_combatants_move_first_as_they_declare() -> None:
    """Section 4.2: one order for Declaration, Pulses and Resolution of a pass, here by tiers (CS-028)."""
    play = table(squares(), ON, ash=runner(at="B3"), bea=runner(at="B6", roa=2)).begin(ash=15, bea=3)
    play.do("plan", who="ash", to="H3").do("plan", who="bea", to="H6").to("pulse").do("advance")
    assert [one.who for one in play.all("PulseMoved")] == ["bea", "ash"]  # type: ignore[attr-defined]


def test_cs_232_by_hand_too_once_each_and_in_order() -> None:
    play = table(settings=ON, ash=runner(), bea=runner(), orc=runner(side="foe")).begin().to("pulse")
    play.do("move", who="bea", feet=5)
    assert "Bea comes after Ash and has already moved" in str(play.refused("CS-232", "move", who="ash", feet=5))
    play.refused("CS-232", "move", who="bea", feet=5)
    play.do("move", who="orc", feet=5)
    play.do("advance").do("move", who="ash", feet=5)
    play.do("plan", who="bea", feet=60)
    assert "bea" in play.refused("CS-232", "move", who="orc", feet=5).accepts
    play.do("move", who="orc", feet=5, force=True)


# Speeds


def test_g_36_who_stops_gathers_speed_anew() -> None:
    """G-36, CS-234, CS-235, A-24: at 20 mph 15 ft in the first Pulse of a movement, 29 ft after it."""
    play = no_board(20)
    for hold in (False, False, False, True, False, False):
        if not hold:
            play.do("move", who="ash", speed="full")
        play.do("advance")
    assert feet(play) == [15, 29, 29, 15, 29]
    capped = [one.capped for one in play.heard if one.type == "PulseMoved"]  # type: ignore[attr-defined]
    assert capped == [True, False, False, True, False]


def test_g_36_on_the_board_a_dropped_plan_ends_the_movement() -> None:
    """CS-233: hold in one Pulse, go on in the next."""
    play = table(squares(), ON, ash=runner(20, at="A3")).begin().do("plan", who="ash", to="AM3").to("pulse")
    play.do("run_pulses", pulses=3).do("hold", who="ash").do("run_pulses", pulses=1)
    play.do("plan", who="ash", to="AM3").do("run_pulses", pulses=2)
    assert feet(play) == [15, 29, 29, 15, 29]


def test_g_37_speed_lives_on_over_the_end_of_the_segment() -> None:
    """G-37, CS-181, A-24: no cap in Pulse 1 of segment 2 for who moved in Pulse 10 of segment 1."""
    play = no_board(20).do("plan", who="ash", feet=1000)
    play.do("run_pulses")
    assert feet(play) == [15] + [29] * 9
    play.begin() if play.state.phase == "initiative" else play.to("initiative").begin()
    play.to("pulse").do("advance")
    assert feet(play)[10:] == [29]
    assert play.see("ash")["pulse_streak"] == 11


def test_cs_234_half_speed_and_less_is_never_capped() -> None:
    play = no_board(12).do("move", who="ash", speed="half")
    moved = play.got("PulseMoved")
    assert (moved.feet, moved.mph, moved.capped) == (9, 6, False)  # type: ignore[attr-defined]
    play = no_board(12).do("move", who="ash", speed=3)
    assert (play.got("PulseMoved").feet, play.see("ash")["rate_label"]) == (4, "quarter")  # type: ignore[attr-defined]


def test_cs_231_who_creeps_moves_in_every_pulse_to_the_last() -> None:
    """CS-231, CS-234: at 0.25 mph 0.4 ft a Pulse, though less than a foot is left of the segment."""
    play = no_board(0.25).do("plan", who="ash", feet=10).do("run_pulses")
    assert feet(play) == [0.2] + [0.4] * 9


def test_cs_234_asking_for_more_feet_than_the_first_pulse_allows_is_capped_with_a_note() -> None:
    play = no_board(12).do("move", who="ash", feet=18, speed=12)
    moved = play.got("PulseMoved")
    assert (moved.feet, moved.mph, moved.capped) == (9, 6, True)  # type: ignore[attr-defined]
    play.do("advance").refused("CS-231", "move", who="ash", feet=30, speed=12)


@pytest.mark.parametrize(("mph", "feet_a_pulse"), [(1, 2), (7, 10), (16, 24), (4, 6), (0.25, 0.4)])
def test_g_38_cs_231_cs_242_feet_of_a_pulse_as_printed(mph: float, feet_a_pulse: float) -> None:
    """G-38, CS-231, CS-242."""
    play = no_board(40).do("move", who="ash", speed=mph)
    assert play.got("PulseMoved").feet == feet_a_pulse  # type: ignore[attr-defined]


def test_a_42_exact_distances_straight_from_the_speed() -> None:
    play = no_board(16, pulse_distance="exact").do("plan", who="ash", feet=500).do("advance").do("advance")
    assert feet(play) == [pytest.approx(8 * 22 / 15, abs=0.001), pytest.approx(16 * 22 / 15, abs=0.001)]


@pytest.mark.parametrize("given", [-1, 21, "gallop"])
def test_cs_183_only_own_speeds(given: object) -> None:
    assert no_board(20).refused("CS-183", "move", who="ash", speed=given).accepts


@pytest.mark.parametrize(("rate", "mph"), [("quarter", 3), ("half", 6), ("three_quarter", 9), ("full", 12), (7.5, 7.5)])
def test_cs_183_cs_184_rates_and_what_goes_on_record(rate: object, mph: float) -> None:
    play = no_board(12).do("plan", who="ash", feet=200, speed=rate).do("advance").do("advance")
    seen = play.see("ash")
    assert seen["speed_now"] == mph
    assert seen["rate_label"] == {7.5: "three_quarter"}.get(mph, rate)  # type: ignore[call-overload]


def test_cs_186_without_pulses_ten_seconds_with_them_ten_times_the_table() -> None:
    assert segment_feet(16) == 235
    assert table(ash=runner(16)).begin().see("ash")["feet_left"] == 235
    assert table(settings=ON, ash=runner(16)).begin().see("ash")["feet_left"] == 240


# On the board


def test_cs_235_feet_that_do_not_reach_the_next_square_are_carried_over() -> None:
    """18 ft a Pulse are three squares and 3 ft, then four squares and 1 ft."""
    play = table(squares(), ON, ash=runner(12, at="A3")).begin().do("plan", who="ash", to="AM3").to("pulse")
    play.do("run_pulses", pulses=3)
    moved = [one for one in play.heard if one.type == "PulseMoved"]
    assert [len(one.path) for one in moved] == [1, 4, 4]  # type: ignore[attr-defined]
    assert feet(play) == [9, 18, 18]
    assert play.one("ash").facing == 0


def test_cs_180_rough_ground_takes_more_feet_and_the_way_turns_where_it_likes() -> None:
    play = table(squares("C3 D3 E3 C4 D4 E4"), ON, ash=runner(12, at="B3", facing=4)).begin()
    play.do("plan", who="ash", path=["C3", "D4", "D5", "C6"]).to("pulse")
    # Put right 27: two of its squares lie across a corner, one of them in the rough.
    assert next(one.feet for one in play.heard if one.type == "WayPlanned") == 36.213  # type: ignore[attr-defined]
    play.do("run_pulses", pulses=1)
    assert play.one("ash").at == Square(1, 2)
    play.do("run_pulses", pulses=1)
    assert (play.one("ash").at, play.one("ash").facing) == (Square(3, 3), 7)
    play.do("run_pulses", pulses=1)
    assert (play.one("ash").at, play.one("ash").facing) == (Square(2, 5), 5)
    assert play.see("ash")["move_used"] == 36.213


def test_who_sets_out_behind_a_comrade_gets_past_him() -> None:
    """CS-234, CS-236: the first, slow Pulse ends beside a comrade; the feet are in hand for the place behind him."""
    play = table(squares(), ON, ash=runner(at="B3"), bea=runner(at="C3"), orc=runner(side="foe", at="AA9")).begin()
    play.do("plan", who="ash", path=[[c, 2] for c in range(2, 13)])
    play.to("pulse").do("run_pulses", pulses=1)
    assert (play.one("ash").at, feet(play)) == (Square(1, 2), [9.0])
    play.do("run_pulses", pulses=1)
    assert (play.one("ash").at, sum(feet(play))) == (Square(6, 2), 27.0)
    play.do("run_pulses")
    assert play.one("ash").at == Square(12, 2)


def test_cs_233_who_is_held_up_is_asked_about_once_and_goes_round_or_stays() -> None:
    """CS-233: the Pulses stop at the question, not after ten of them; either answer ends it."""
    cast = {"ash": runner(at="B3"), "orc": runner(side="foe", at="D3")}
    for choice, moves in (("other_way", True), ("stay", False)):
        play = table(squares(), ON, **cast).begin()
        play.do("declare", who="ash", text="sing").to("declare", "orc").do("declare", who="orc", text="sing")
        play.do("plan", who="ash", path=["C3", "D3", "E3", "F3"]).to("pulse")
        while not play.asks():
            play.do("run_pulses")
        prompt = play.prompt("held_up")
        assert prompt.question == "Orc stands in Ash's way. Go round?"
        assert [each.id for each in prompt.choices] == ["other_way", "stay"]
        assert "Held up: Ash by Orc" in showing.reminders_of(play.state)
        assert play.one("ash").at == Square(2, 2)
        play.do("answer", prompt=prompt.id, choice=choice).to("resolve")
        assert play.one("ash").at == (Square(5, 2) if moves else Square(2, 2))
        kinds = [each.prompt.kind for each in play.heard if each.type == "RulingAsked"]  # type: ignore[attr-defined]
        assert kinds.count("held_up") == 1


def test_cs_233_a_way_that_leads_up_to_somebody_ends_before_them_without_a_question() -> None:
    """Found in play 27."""
    for side in ("foe", "party"):
        play = table(squares(), ON, ash=runner(at="B3"), orc=runner(side=side, at="E3")).begin()
        play.do("declare", who="ash", text="sing").do("plan", who="ash", to="E3").to("resolve", "ash")
        assert play.one("ash").at == Square(3, 2)
        assert not fighter_of(play.one("ash")).plan
        asked = [each.prompt.kind for each in play.heard if each.type == "RulingAsked"]  # type: ignore[attr-defined]
        assert "held_up" not in asked


def test_cs_233_who_is_followed_is_reached_though_they_move() -> None:
    """CS-233: a plan may change in any Pulse; one that follows somebody does so by itself, until they are reached."""
    play = table(squares(), ON, ash=runner(12, at="B3"), bea=runner(4, at="M3"), orc=runner(side="foe", at="AA9"))
    play.begin().do("plan", who="bea", to="M12").do("plan", who="ash", follow="bea").to("pulse")
    while fighter_of(play.one("ash")).following:
        play.do("run_pulses", pulses=1)
    ash, bea = play.one("ash"), play.one("bea")
    assert play.state.board is not None
    assert ash.at is not None
    assert bea.at is not None
    assert bea.at != Square(12, 2)
    assert play.state.board.distance(ash.at, bea.at) <= 2, "bea moves after ash in the Pulse that brings them together"
    assert not fighter_of(ash).plan


def test_cs_233_nobody_follows_whom_they_stand_beside() -> None:
    play = table(squares(), ON, ash=runner(at="B3"), bea=runner(at="C3")).begin()
    play.refused("CS-230", "plan", who="ash", follow="bea")
    play.refused("who", "plan", who="ash", follow="nobody")


@played_once
def attackers(kind: str = "strike", **more: object) -> Play:
    """Ash declares an attack on an orc at the other end of the field, and nobody else does anything."""
    play = table(squares(), ON, ash=runner(12, at="B3"), orc=runner(side="foe", at="H3")).begin()
    return play.do("declare", who="ash", action=kind, target="orc", **more)


@pytest.mark.parametrize("kind", ["strike", "charge"])
def test_cs_230_who_declared_an_attack_on_somebody_out_of_reach_goes_for_them(kind: str) -> None:
    """CS-230, CS-233: without a way of their own; by a way that follows the foe."""
    play = attackers(kind).to("pulse")
    assert fighter_of(play.one("ash")).following == "orc"
    assert fighter_of(play.one("orc")).following == ""
    play.to("resolve", "ash")
    ash, orc = play.one("ash"), play.one("orc")
    assert play.state.board is not None
    assert ash.at is not None
    assert orc.at is not None
    assert play.state.board.distance(ash.at, orc.at) == 1


def test_cs_233_a_way_of_ones_own_is_kept_and_one_to_the_foe_may_be_dropped() -> None:
    play = attackers().do("plan", who="ash", to="B9").to("pulse")
    assert fighter_of(play.one("ash")).following == ""
    play = attackers().to("pulse").do("hold", who="ash").to("resolve", "ash")
    assert play.one("ash").at == Square(1, 2)


def test_cs_230_nobody_goes_for_a_foe_who_is_near_enough_or_is_shot_at() -> None:
    near = table(squares(), ON, ash=runner(at="B3"), orc=runner(side="foe", at="C3")).begin()
    near.do("declare", who="ash", action="strike", target="orc").to("pulse")
    assert not fighter_of(near.one("ash")).plan
    bow = {"name": "bow", "kind": "missile", "av": 40}
    archer = table(squares(), ON, ash=runner(at="B3", weapons=[bow]), orc=runner(side="foe", at="H3")).begin()
    archer.do("declare", who="ash", action="shoot", target="orc", force=True).to("pulse")
    assert not fighter_of(archer.one("ash")).plan


def test_nobody_stops_where_a_comrade_stands_or_passes_a_foe() -> None:
    play = table(
        squares(), ON, ash=runner(12, at="A3"), bea=runner(at="C3"), orc=runner(side="foe", at="H3")
    ).begin()  # fmt: skip
    play.do("plan", who="ash", path=["B3", "C3", "D3", "E3", "F3", "G3", "H3", "I3"]).to("pulse")
    play.do("run_pulses", pulses=1)
    assert play.one("ash").at == Square(1, 2)
    play.do("run_pulses")
    while play.state.step is not None and play.state.step.kind == "pulse":
        play.do("run_pulses")
        if play.asks():
            play.do("answer", prompt="held_up", choice="stay")
    assert play.one("ash").at == Square(6, 2)
    assert any(one.type == "PulseMoved" and one.blocked == "orc" for one in play.heard)  # type: ignore[attr-defined]


def test_cs_104_a_turn_concludes_the_way_to_the_foe_that_is_meant() -> None:
    """CS-104, CS-306: Turns cost no distance; who only passes looks along his way."""
    play = table(squares(), ON, ash=runner(12, at="B3", facing=0), orc=runner(side="foe", at="F5")).begin()
    play.do("declare", who="ash", target="orc").do("plan", who="ash", to="F4").to("pulse").do("run_pulses")
    play.do("run_pulses", pulses=1)
    assert (play.one("ash").at, play.one("ash").facing) == (Square(5, 3), 6)
    play = table(squares(), ON, ash=runner(12, at="B3", facing=0), orc=runner(side="foe", at="F5")).begin()
    play.do("plan", who="ash", path=["C3", "D4", "E4", "F4"]).to("pulse")
    for _ in range(4):
        play.do("run_pulses", pulses=1)
    assert (play.one("ash").at, play.one("ash").facing) == (Square(5, 3), 0)


def test_a_wall_is_planned_through_by_the_gms_word_only() -> None:
    data = {"kind": "square", "cols": 9, "rows": 3, "legend": {"wall": {"blocks": True}}, "cells": {"wall": ["C2"]}}
    board = any_board(SquareBoard.from_json(data))
    play = table(board, ON, ash=runner(at="B2")).begin()
    play.refused("path", "plan", who="ash", path=["C2", "D2"])
    play.refused("path", "plan", who="ash", path=["E2"])
    play.do("declare", who="ash", text="sing").do("plan", who="ash", path=["C2", "D2"], force=True).to("resolve")
    assert play.one("ash").at == Square(3, 1)


def test_cs_144_smaller_acts_shorten_the_way_in_pulses_too() -> None:
    """G-29: three quarters of ten Pulses are left beside a quarter-action."""
    play = table(squares(), ON, ash=runner(12, at="A3")).begin()
    play.do("declare", who="ash", action="act", components=["climb=1"]).do("plan", who="ash", to="AN3")
    play.to("resolve", "ash")
    assert sum(feet(play)) == 135 == play.see("ash")["move_used"]


def test_cs_241_a_25_what_is_left_is_spent_inline_in_later_passes() -> None:
    """CS-241, CS-097, CS-188: the passes share the segment's movement, and the tracker is the record of it."""
    play = table(squares(), ON, ash=runner(12, at="A3", roa=2)).begin()
    play.do("declare", who="ash", text="sing").do("plan", who="ash", to="M3").to("pulse")
    play.to("declare", "ash")
    assert play.state.remembered["pass_number"] == 2
    assert play.see("ash")["feet_left"] == 120
    play.do("declare", who="ash", text="dance").do("move", who="ash", to="W3")
    assert play.got("SegmentMoved").left == 70  # type: ignore[attr-defined]
    play.refused("CS-097", "move", who="ash", to="AM3")


def test_cs_103_cs_146_legs_at_work_do_not_walk() -> None:
    """CS-103: otherwise full movement goes on during a long Action."""
    play = table(squares(), ON, ash=runner(at="B3"), bea=runner(at="B6")).begin()
    play.do("declare", who="ash", text="climb the wall", parts=["legs"], qa=12).do("advance")
    play.do("declare", who="bea", text="sing", qa=12).do("plan", who="bea", to="Z6")
    play.refused("CS-146", "plan", who="ash", to="Z3")
    play.to("pulse").do("run_pulses", pulses=9)
    assert play.see("bea")["move_used"] == 120
    assert play.see("ash")["move_used"] == 0


def test_cs_104_who_lies_rises_first_and_rising_takes_no_feet() -> None:
    """A-22: a rise may open a move."""
    play = table(squares(), ON, ash=runner(at="B3", posture="prone")).begin()
    play.refused("CS-104", "plan", who="ash", to="H3")
    play.do("posture", who="ash", posture="standing").do("plan", who="ash", to="H3").to("pulse").do("advance")
    assert feet(play) == [9]


def test_cs_180_a_plan_may_change_at_any_time_of_declaration_and_movement() -> None:
    play = table(squares(), ON, ash=runner(at="B3"), bea=runner(at="B9")).begin(ash=9, bea=12)
    play.do("declare", who="bea", text="sing")
    play.do("plan", who="ash", to="H3").do("plan", who="ash", to="B9", speed="half")
    assert play.one("ash").record.plan_speed == 6.0
    play.to("pulse").do("advance").do("plan", who="ash", to="Z3").do("advance")
    assert play.one("ash").at == Square(5, 3)
    play.to("resolve").refused("CS-230", "plan", who="ash", to="B3")


def test_without_the_option_there_is_nothing_to_plan() -> None:
    play = table(squares(), ash=runner(at="B3")).begin()
    assert play.refused("CS-230", "plan", who="ash", to="H3").accepts == ("move with path",)
    play.refused("CS-230", "run_pulses")


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        ({"who": "ash", "feet": 0}, "CS-230"),
        ({"who": "ash", "feet": -5}, "CS-230"),
        ({"who": "ash", "feet": 10, "speed": 0}, "CS-183"),
        ({"who": "ash", "path": ["B3"]}, None),
        ({"who": "nobody", "feet": 5}, "who"),
    ],
)
def test_plans_that_will_not_do_are_refused(data: dict[str, object], rule: str | None) -> None:
    play = table(settings=ON, ash=runner()).begin()
    if rule is None:
        play.do("note", text="places need a board")
        play.refused("CS-230", "plan", who="ash", path=[[1, 2]])
    else:
        play.refused(rule, "plan", **data)


def test_cs_230_pulses_run_in_movement_only() -> None:
    play = table(settings=ON, ash=runner()).begin()
    play.refused("CS-230", "run_pulses")
    play.to("pulse").refused("CS-230", "run_pulses", pulses=0)


def test_who_is_put_elsewhere_by_the_gms_hand_has_no_way_any_more() -> None:
    """CS-111, CS-181: the way led from where he was; from there he plans another."""
    play = table(squares(), ON, ash=runner(12, at="B3")).begin().do("plan", who="ash", to="Z3").to("pulse")
    play.do("run_pulses", pulses=2).do("place", who="ash", at="F9").do("run_pulses", pulses=1)
    assert not play.all("PulseMoved")
    play.do("plan", who="ash", to="Z3").do("run_pulses", pulses=1)
    assert play.got("PulseMoved", who="ash")


ODD = [
    ("plan_feet", -4.0), ("plan_feet", 1e15),
    ("plan_speed", -3.0), ("plan_speed", 1e15), ("carry", 1e15), ("carry", -7.5), ("rest", 88.0), ("rest", -1.0),
    ("ran", 2), ("ran", -5), ("streak", -9), ("streak", 10_000), ("speed", -40.0), ("moved", -1e6), ("moved", 1e15),
    ("broke", "bones"), ("halted_by", "nobody"),
    ("engage", "nobody"),
]  # fmt: skip


@played_once
def running() -> Play:
    """Ash runs past the orc; the second Pulse runs."""
    play = table(squares(), ON, ash=runner(12, at="B3", facing=0), orc=runner(side="foe", at="J4")).begin()
    return play.do("plan", who="ash", to="Z3").to("pulse").do("advance")


@pytest.mark.parametrize(("what", "value"), ODD)
def test_whatever_the_gm_types_pulses_run(what: str, value: object) -> None:
    """Odd values are the GM's; they hinder nobody, in the next Pulses and in the next segment."""
    play = running().do("adjust", who="ash", what=what, value=value)
    for number in range(25):
        if number % 3 == 0:
            assert play.fight.options("ash")
            play.fight.system.marks(play.state, "ash")
        play.do("advance")
    assert play.state.round > 1


@pytest.mark.parametrize(("fact", "value"), [("interrupted", "nobody"), ("pulse", -3)])
def test_whatever_the_gm_types_of_the_fight_pulses_run(fact: str, value: object) -> None:
    play = table(squares(), ON, ash=runner(12, at="B3", facing=0), orc=runner(side="foe", at="H4")).begin()
    play.do("plan", who="ash", to="Z3").to("pulse").do("run_pulses")
    play.do("adjust", what=fact, value=value)
    for _ in range(20):
        play.do("advance")


# Laws


def test_stepping_pulses_is_running_them_and_undo_gives_everything_back() -> None:
    def made() -> Play:
        play = table(
            squares("F3 F4 F5"), ON,
            ash=runner(12, at="A3"), bea=runner(9, at="A6"), orc=runner(16, side="foe", at="AD9"),
        ).begin()  # fmt: skip
        for who, place in (("ash", "Z3"), ("bea", "Z6"), ("orc", "C9")):
            play.do("plan", who=who, to=place)
        return play.to("pulse")

    stepped, run = made(), made()
    start = stepped.state
    for _ in range(10):
        stepped.do("advance")
    run.do("run_pulses")
    assert stepped.state == run.state
    for _ in range(10):
        stepped.undo()
    assert stepped.state == start
    assert run.undo().state == start


@pytest.mark.parametrize("speed", [0.25, 1, 2.5, 6, 11, 12, 30, 77])
@pytest.mark.parametrize("distance", ["printed", "exact"])
def test_cs_097_feet_of_a_segment_never_exceed_its_allowance(speed: float, distance: str) -> None:
    play = table(squares(), {**ON, "pulse_distance": distance}, ash=runner(speed, at="A3")).begin()
    play.do("declare", who="ash", text="sing").do("plan", who="ash", to="AN12").to("resolve")
    allowed = paths.feet_allowed(play.state, play.one("ash"))
    assert play.see("ash")["move_used"] <= allowed  # type: ignore[operator]
    assert play.see("ash")["move_used"] == pytest.approx(sum(feet(play)), abs=0.02)


way = st.lists(st.integers(0, 7), min_size=1, max_size=25)


@given(
    spots=st.lists(st.tuples(st.integers(0, 13), st.integers(0, 9)), min_size=2, max_size=5, unique=True),
    plans=st.lists(way, min_size=5, max_size=5),
    speeds=st.lists(st.sampled_from([1, 4, 7.5, 12, 20, 33]), min_size=5, max_size=5),
    exact=st.booleans(),
)
def test_pulses_whatever_is_planned(
    spots: list[tuple[int, int]], plans: list[list[int]], speeds: list[float], exact: bool
) -> None:
    """CS-097, CS-232: never more than a segment's feet; stepped or run alike; no two on a square; undone as done."""
    mud = {"legend": {"mud": {"cost": 2}}, "cells": {"mud": ["C3", "D4", "H6"]}}
    board = SquareBoard.from_json({"kind": "square", "cols": 14, "rows": 10, **mud})
    chosen = {**ON, "pulse_distance": "exact" if exact else "printed"}
    cast = {
        f"f{index}": runner(speeds[index], at=list(spot), side="foe" if index % 2 else "party")
        for index, spot in enumerate(spots)
    }
    made = table(any_board(board), chosen, **cast).begin().to("pulse")
    for index, spot in enumerate(spots):
        here, path = Square(*spot), []
        for direction in plans[index]:
            there = board.step(here, direction)
            if board.contains(there):
                path, here = [*path, list(there)], there
        if path:
            made.do("plan", who=f"f{index}", path=path)
    start, stepped = made.state, 0
    while made.state.step is not None and made.state.step.kind == "pulse":
        made.do("advance")
        stepped += 1
        places = [one.at for one in made.state.combatants.values()]
        assert len(set(places)) == len(places)
    after = made.state
    moved = {who: sum(feet(made, who)) for who in cast}
    for who in cast:
        assert moved[who] <= paths.feet_allowed(start, start.combatants[who]) + 0.001
    for _ in range(stepped):
        made.undo()
    assert made.state == start
    while made.state.step is not None and made.state.step.kind == "pulse":
        made.do("advance" if made.asks() else "run_pulses")
    assert made.state == after


def test_the_whole_printed_table_is_what_a_second_pulse_carries() -> None:
    """CS-242: every row of table 7-2, irregular ones too."""
    play = no_board(149).do("move", who="ash", feet=1).do("advance")
    for mph, row in list(printed_rows().items())[::7]:
        if mph <= 149:
            play.do("move", who="ash", speed=float(mph))
            assert play.got("PulseMoved").feet == pytest.approx(float(row.feet))  # type: ignore[attr-defined]
            play.undo()


# Split Pulses


def pulses_by_pass(play: Play) -> list[tuple[str, str]]:
    """The kinds of the segment's steps, Pulses by their number."""
    steps = play.state.agenda.steps
    return [(step.kind, step.id.rpartition(".")[2]) for step in steps if step.kind in ("pulse", "waits")]


def test_a_25_the_gm_may_split_the_pulses_among_the_passes() -> None:
    """CS-241: six before the first Resolution, four before the second; the way goes on where it stopped."""
    settings = {**ON, "pulse_scope": "gm_split"}
    play = table(squares(), settings, ash=runner(12, at="A3", roa=2), orc=runner(side="foe", at="A9")).begin()
    play.do("rule", what="split", value="6 4").do("declare", who="ash", text="sing").do("plan", who="ash", to="AN3")
    ticks = [number for kind, number in pulses_by_pass(play) if kind == "pulse"]
    assert ticks == [str(number) for number in range(1, 11)]
    play.to("resolve", "ash")
    assert play.see("ash")["move_used"] == 9 + 5 * 18
    play.to("declare", "ash").do("declare", who="ash", text="dance").to("resolve", "ash")
    assert play.see("ash")["move_used"] == 9 + 9 * 18
    assert play.see("ash")["pulse_streak"] == 10


def test_a_25_with_one_pass_all_the_split_runs_in_it() -> None:
    play = table(squares(), {**ON, "pulse_scope": "gm_split"}, ash=runner(at="A3")).begin()
    play.do("rule", what="split", value="6 4")
    assert [number for kind, number in pulses_by_pass(play) if kind == "pulse"] == [str(n) for n in range(1, 11)]


@pytest.mark.parametrize("value", ["", "6 5", "six", "-1 11"])
def test_cs_241_a_split_is_of_ten_pulses(value: str) -> None:
    play = table(squares(), {**ON, "pulse_scope": "gm_split"}, ash=runner(at="A3", roa=2)).begin()
    assert play.refused("CS-241", "rule", what="split", value=value).accepts
    play.to("initiative").begin()
    assert len([1 for kind, _ in pulses_by_pass(play) if kind == "pulse"]) == 10


def test_cs_241_only_where_the_fight_reads_it_so() -> None:
    table(squares(), ON, ash=runner(at="A3")).begin().refused("CS-241", "rule", what="split", value="5 5")


def test_a_01_counting_down_everybody_declares_before_the_pulses_and_resolves_tier_by_tier() -> None:
    """Section 4.2: the last word of those who wait comes after Pulse 10, and in the first tier."""
    settings = {**ON, "multi_action_order": "countdown"}
    play = table(squares(), settings, ash=runner(at="A3", roa=2), bea=runner(at="A6")).begin(ash=5, bea=9)
    kinds = [step.kind for step in play.state.agenda.steps]
    assert kinds[:3] == ["initiative", "declare", "declare"]
    assert kinds[3:] == [*["pulse"] * 10, "waits", "resolve", "declare", "waits", "resolve", "resolve", "close"]
    for who in ("bea", "ash"):
        play.to("declare", who).do("declare", who=who, text="sing")
    play.to("resolve", "ash")
    assert play.state.remembered["pass_number"] == 2
    play.do("resolve", who="ash").to("resolve", "bea").do("resolve", who="bea")
    assert play.got("Resolved", who="bea")


@pytest.mark.parametrize(("half", "first", "rate"), [(None, 15.0, "half"), (11, 16.0, "half"), (7.5, 11.0, "half")])
def test_cs_234_the_half_rate_of_the_sheet_is_the_first_pulses_most(half: object, first: float, rate: str) -> None:
    """CS-183, CS-184, CS-234: where the rates are no exact shares of full speed."""
    play = table(None, ON, ash={"move": {"full": 20, "half": half}}).begin()
    play.do("plan", who="ash", feet=100).to("pulse").do("run_pulses", pulses=1)
    assert (feet(play), play.see("ash")["rate_label"]) == ([first], rate)
    play.do("run_pulses", pulses=1)
    assert (feet(play)[-1], play.see("ash")["rate_label"]) == (29.0, "full")


# From one segment to the next


@played_once
def running_on() -> Play:
    """Ash runs by a way that is too long for one segment; the next has begun."""
    play = table(squares(), ON, ash=runner(4, at="A1"), orc=runner(side="foe", at="A9")).begin()
    play.to("declare", "ash").do("declare", who="ash", text="run").do("plan", who="ash", to="AA1")
    while play.state.round == 1:
        play.do("advance")
    return play.begin().to("declare", "ash")


def test_cs_181_who_still_runs_by_an_earlier_way_is_plain_to_see() -> None:
    """CS-181: on the roster, on the board of declarations, among what to think of, and first among the options."""
    play = running_on()
    system = play.fight.system
    assert [badge.text for badge in system.card(play.state, "ash").badges] == ["runs on to AA1"]
    said = next(one for one in system.declarations(play.state) if one.who == "ash")
    assert (said.words, said.status) == ("runs on to AA1", "busy")
    assert "Still moving from last segment: Ash runs on to AA1" in system.reminders(play.state)
    first = play.fight.options("ash")[0]
    assert (first.action, first.label, first.key, first.legal) == ("hold", "stand still (runs on to AA1)", "k", True)


def test_cs_181_one_key_stops_him_and_a_new_way_is_his_own() -> None:
    """CS-181, CS-233."""
    play = running_on().do("hold", who="ash")
    assert play.fight.system.card(play.state, "ash").badges == ()
    play.undo().do("plan", who="ash", to="AA1")
    assert play.fight.system.card(play.state, "ash").badges == ()
    play.undo().do("declare", who="ash", text="shout")
    said = next(one for one in play.fight.system.declarations(play.state) if one.who == "ash")
    assert said.words == "shout; runs on to AA1"


# Cues on the way


@pytest.mark.parametrize("step", ["advance", "pulses"])
def test_a_cue_on_the_way_asks_at_the_end_of_its_pulse_and_says_on_which_place_it_was(step: str) -> None:
    """CS-232: a Pulse is walked as a whole, so a hold is asked about after it; no further Pulse runs before that."""
    play = table(squares(), ON, ash=runner(at="B3"), orc=runner(side="foe", at="AA9")).begin()
    play.do("declare", who="ash", text="sing").do("plan", who="ash", to="Z3")
    play.to("pulse")
    shot = {"do": "damage", "who": "whoever", "amount": 1}
    play.do("cue", when={"enters": [[5, 2]]}, then={"hold": shot, "text": "The door"}, id="door")
    for _ in range(12):
        if any(prompt.kind == "cue" for prompt in play.state.prompts):
            break
        play.do(step)
    (asked,) = [prompt for prompt in play.state.prompts if prompt.kind == "cue"]
    pulse = [event.type for event in play.heard].count("PulseMoved")
    last = [event for event in play.heard if event.type == "PulseMoved"][-1]
    assert Square(5, 2) in last.path  # type: ignore[attr-defined]
    assert asked.question == ("The door" if last.path[-1] == Square(5, 2) else "The door (Ash at F3)")  # type: ignore[attr-defined]
    play.do("answer")
    assert [event.type for event in play.heard].count("PulseMoved") >= pulse
    assert any(event.type == "DamageApplied" for event in play.heard)
