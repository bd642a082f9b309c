"""Foes whose ways meet, Opportunity Actions in time and reach, parting shots, going on (CS-106..109, CS-430..449)."""

from __future__ import annotations

import pytest

from fightcall_engine.board.base import Square, Terrain
from fightcall_engine.board.kinds import SquareBoard, any_board
from fightcall_engine.systems.segments import SYSTEM
from fightcall_engine.systems.segments.state.events import PulseMoved

from ..once import played_once
from .table import SWORD, Play, table, uses_of

ON = {"pulse_movement": True}


def field(cols: int = 40) -> object:
    return any_board(SquareBoard(cols, 12))


def man(full: float = 12, **more: object) -> dict[str, object]:
    return {"move": {"full": full}, "weapons": [SWORD], **more}


@played_once
def passing(inits: tuple[int, int] = (12, 9), settings: object = ON, **orc: object) -> Play:
    """Ash runs along row 3 past an orc that stands beside it, on H4."""
    given = {"at": "H4", "facing": 2, **orc}
    play = table(field(), settings, ash=man(at="B3", facing=0), orc=man(side="foe", **given))  # type: ignore[arg-type]
    return play.begin(ash=inits[0], orc=inits[1])


@played_once
def crossing(**orc: object) -> Play:
    """The same, run until they cross."""
    play = passing(**orc)
    return play.do("plan", who="ash", to="T3").to("pulse").do("run_pulses")


# Coming upon each other


def test_cs_236_crossing_ways_stop_the_run_and_are_offered_to_whichever_side_may() -> None:
    """CS-236, CS-437: the first square that touches the foe, and not one more."""
    play = crossing()
    assert play.one("ash").at == Square(6, 2)
    crossed = play.got("PathsCrossed")
    assert (crossed.who, crossed.other) == ("ash", "orc")  # type: ignore[attr-defined]
    offered = {prompt.who: prompt.resume.kind for prompt in play.state.prompts}
    assert offered == {"orc": "strike", "ash": "move_by"}
    assert play.state.remembered["interrupted"] == "ash"
    assert not any(prompt.blocking for prompt in play.state.prompts)


def test_cs_148_whoever_holds_only_a_bow_is_offered_a_blow_with_bare_hands() -> None:
    """CS-148, CS-442: an arm or a foot reaches whoever passes; the question for its chance says what strikes, too."""
    bow = {"name": "longbow", "kind": "missile", "family": "bow", "grip": "2"}
    play = crossing(weapons=[bow, {"name": "dagger", "av": 28}], hands={"R": "longbow", "L": "longbow"})
    offer = next(prompt for prompt in play.state.prompts if prompt.who == "orc")
    assert offer.question == "Ash comes within Orc's reach. Strike with bare hands?"
    play.do("answer", prompt=offer.id, choice="strike")
    (asked,) = (prompt for prompt in play.state.prompts if prompt.blocking)
    assert asked.question.startswith("Orc against Ash with bare hands (parry sword): AV ? against DV 40")


@pytest.mark.parametrize("way", ["advance", "run_pulses"])
def test_cs_440_offers_lapse_when_play_moves_on_and_the_mover_finishes_his_pulse(way: str) -> None:
    play = crossing()
    used = play.see("ash")["move_used"]
    assert used == 9 + 16
    play.do(way, **({"pulses": 1} if way == "run_pulses" else {}))
    assert play.names().index("MovementResumed") < play.names().index("PulseMoved")
    assert play.see("ash")["move_used"] == 27
    assert play.see("ash")["pulse_streak"] == 2
    assert not play.state.prompts


def test_cs_236_each_pair_once_until_they_part() -> None:
    play = crossing().do("run_pulses")
    assert [one.type for one in play.heard].count("PathsCrossed") == 1
    assert play.one("ash").at == Square(19, 2)
    play.to("initiative").begin(ash=12, orc=9).do("plan", who="ash", to="B3").to("pulse").do("run_pulses")
    assert play.got("PathsCrossed")


def test_cs_236_nobody_who_may_act_nobody_is_stopped() -> None:
    """The crossing is told all the same: the orc is down to talking, the runner would not strike who he aims at."""
    play = passing()
    play.do("declare", who="ash", target="orc").do("plan", who="ash", to="T3").do("advance")
    play.do("declare", who="orc", action="task", text="pick the lock", qa=8, skill=10)
    play.to("pulse").do("run_pulses")
    assert [one.other for one in play.all("PathsCrossed")] == ["orc"]  # type: ignore[attr-defined]
    assert not play.all("OpportunityOffered")
    assert play.one("ash").at == Square(19, 2)


def test_cs_682_tall_foes_meet_from_farther_off() -> None:
    """Zones are as wide as their bearers are tall: a giant of 18 ft and a man of 6 meet at 12 ft."""
    play = passing(height=18, at="M5")
    play.do("plan", who="ash", to="T3").to("pulse").do("run_pulses")
    assert play.one("ash").at == Square(11, 2)


def test_cs_445_a_move_by_is_for_who_passes_one_that_stands() -> None:
    """CS-445: both on the move, it is a plain blow for either."""
    play = passing(at="P4").do("plan", who="ash", to="T3")
    play.do("plan", who="orc", to="B4").to("pulse").do("run_pulses")
    assert {prompt.resume.kind for prompt in play.state.prompts} == {"strike"}
    assert len(play.state.prompts) == 2


def test_cs_111_nobody_is_offered_a_blow_at_who_has_gone_down() -> None:
    """CS-111, CS-236: the first of two who stand by his way fells the runner; the other is asked no more."""
    orc = man(side="foe", at="H4", facing=2)
    cast = {"ash": man(at="B3", facing=0), "orc": orc, "imp": {**orc, "at": "H2", "facing": 6}}
    play = table(field(), ON, **cast).begin(ash=12, orc=9, imp=8)  # type: ignore[arg-type]
    play.do("plan", who="ash", to="T3").to("pulse").do("run_pulses")
    assert {"orc", "imp"} <= {prompt.who for prompt in play.state.prompts}
    play.do("opportunity", who="orc", target="ash", hit=True, harm=1).do("life", who="ash", life="unconscious")
    assert play.offers() == []


def test_cs_236_let_pass_closes_ones_own_offer_only() -> None:
    play = crossing()
    play.do("let_pass", who="orc")
    assert [prompt.who for prompt in play.state.prompts] == ["ash"]
    assert "MovementResumed" not in play.names()
    play.do("let_pass", who="ash")
    assert "MovementResumed" in play.names()
    play.refused("CS-236", "let_pass", who="orc")


def test_g_125_two_who_run_at_each_other_without_a_board() -> None:
    """CS-234, CS-236: steps 1 to 5: 120 ft apart, 12 and 16 mph, they meet in Pulse 4; B waits, A goes first."""
    play = table(settings=ON, a=man(12), b=man(16, side="foe")).begin(a=12, b=9)
    play.do("declare", who="a", text="close and strike B", target="b", action="strike").do("confirm", who="a")
    play.to("declare", "b").do("wait", who="b").to("pulse")
    total = 0.0
    for _ in range(3):
        for who in ("a", "b"):
            play.do("move", who=who, speed="full")
            total += play.got("PulseMoved").feet  # type: ignore[attr-defined]
        play.do("advance")
    assert total == 105
    play.do("move", who="a", feet=15, meets="b")
    assert play.got("PathsCrossed", who="a", other="b")
    assert [prompt.who for prompt in play.state.prompts] == ["b"]
    play.do("opportunity", who="b", target="a", kind="common_strike", hit=False)
    assert play.got("OpportunityTaken", who="b", target="a")
    assert play.got("MovementInterrupted", who="a", by="b")
    assert play.names()[-2:] == ["MovementResumed", "FactChanged"]
    assert not play.state.contacts
    play.do("declare", who="b", target="a")
    assert play.got("DeclarationInserted")


# Time


@played_once
def at_init(kind: str, actor: str) -> Play:
    """Three on Initiative 12, 9 and 8, without a board, at somebody's turn to declare."""
    play = table(settings=ON, high=man(), mid=man(side="foe"), low=man()).begin(high=12, mid=9, low=8)
    for who in ("high", "mid", "low"):
        play.to("declare", who) if kind == "declare" and who == actor else None
        if kind == "declare" and who == actor:
            return play
        play.to("declare", who).do("declare", who=who, text="shout").do("confirm", who=who)
    return play.to(kind)


def test_g_85_from_ones_own_initiative_on_and_before_resolution() -> None:
    """G-85, CS-433, CS-435, A-49: 9 at the cursor of 12 too early; at 8 it is time; in Resolution too late."""
    trip = {"who": "mid", "kind": "trip", "hit": True}
    assert "9" in at_init("declare", "high").refused("CS-433", "opportunity", target="high", **trip).message
    assert at_init("declare", "low").do("opportunity", target="high", **trip).got("OpportunityTaken", kind="trip")
    at_init("resolve", "").refused("CS-433", "opportunity", target="high", **trip)


def test_cs_433_a_49_in_movement_everybodys_initiative_has_come() -> None:
    play = table(settings=ON, ash=man(), orc=man(side="foe")).begin(ash=12, orc=9).do("plan", who="ash", feet=50)
    play.to("pulse").do("advance").do("opportunity", who="orc", target="ash", hit=False)
    assert play.got("MovementInterrupted", who="ash")


def test_cs_432_nobody_moves_nobody_passes() -> None:
    """Against a foe that stands it is declared in Declaration."""
    play = table(settings=ON, ash=man(), orc=man(side="foe")).begin(ash=12, orc=9).to("pulse")
    play.refused("CS-432", "opportunity", who="orc", target="ash")
    play = table(ash=man(), orc=man(side="foe")).begin(ash=12, orc=9)
    assert play.do("opportunity", who="ash", target="orc", hit=False).got("OpportunityTaken")


def test_cs_434_who_lies_in_wait_moves_first_and_then_waits() -> None:
    """CS-434, CS-162, CS-164, CS-182: moving on while waiting, and acting when the foe comes by."""
    play = passing(inits=(9, 12), at="H6")
    play.do("wait", who="orc").do("plan", who="orc", to="H4").do("plan", who="ash", to="T3")
    play.to("pulse").do("run_pulses")
    assert "orc" in [prompt.who for prompt in play.state.prompts]
    play.do("opportunity", who="orc", target="ash", hit=True, harm=0)
    assert play.one("orc").record.waiting is True


@pytest.mark.parametrize("kind", ["strike", "body_check", "tackle"])
def test_cs_622_who_rallies_for_an_opportunity_action_has_his_full_str_for_that_alone(kind: str) -> None:
    """CS-622: 14, and half of it again for the Action that was declared."""
    play = crossing(wounds=5, str=14).do("rally", who="orc", hit=True)
    play.do("opportunity", who="orc", target="ash", kind=kind, hit=True, force=True)
    assert play.see("orc")["str_now"] == 7


@pytest.mark.parametrize(("right", "left", "best"), [(40, 50, "dagger"), (50, 40, "sword"), (40, None, "sword")])
def test_cs_439_what_strikes_best_of_what_is_in_hand_strikes(right: int, left: int | None, best: str) -> None:
    """CS-439: where no weapon is named; of what somebody has no skill with nothing is known."""
    dagger = {"name": "dagger", "size": 1, "hand": "L", **({} if left is None else {"av": left})}
    armed = man(weapons=[{**SWORD, "av": right, "hand": "R"}, dagger])
    play = table(ash=armed, orc=man(side="foe")).begin(ash=12, orc=9)
    play.do("opportunity", who="ash", target="orc", hit=False, distance=2)
    assert list(uses_of(play, "ash")) == [f"{best}/{'L' if best == 'dagger' else 'R'}"]


def test_cs_441_only_opportunity_actions_come_out_of_order() -> None:
    """CS-441, CS-094."""
    crossing().refused("CS-094", "resolve", who="orc", target="ash", hit=True)


# Reach


@pytest.mark.parametrize(("feet", "reach"), [(3.5, "taken"), (4, "taken"), (6.5, "asked"), (8, "refused")])
def test_g_81_cs_442_a_weapons_length_or_a_step_and_an_arm(feet: float, reach: str) -> None:
    play = table(ash=man(), orc=man(side="foe")).begin(ash=12, orc=9)
    if reach == "refused":
        play.refused("CS-442", "opportunity", who="ash", target="orc", hit=False, distance=feet)
        return
    play.do("opportunity", who="ash", target="orc", hit=False, distance=feet)
    assert bool(play.all("OpportunityTaken")) is (reach == "taken")
    if reach == "asked":
        play.do("answer", prompt="reach", choice="yes")
        assert play.got("OpportunityTaken", who="ash", target="orc", kind="strike")


def test_cs_442_each_weapon_reaches_as_far_as_itself() -> None:
    """CS-442: of two in hand the one that reaches is proposed, the other strikes nobody from there; nor does a bow."""
    dagger = {"name": "dagger", "size": 1, "av": 50}
    bow = {"name": "bow", "kind": "missile", "family": "bow", "av": 40, "size": 6, "hand": "2"}
    given = {"who": "ash", "target": "orc", "hit": False}
    spear = {**SWORD, "name": "spear", "size": 8, "av": 20, "hand": "L"}
    play = table(ash=man(weapons=[dagger, spear]), orc=man(side="foe")).begin(ash=12, orc=9)
    assert play.copy().do("opportunity", **given, distance=8).got("CheckRequested", av=20)
    assert play.copy().do("opportunity", **given, distance=3).got("CheckRequested", av=50)
    no = play.refused("CS-442", "opportunity", **given, distance=8, weapon="dagger")
    assert no.accepts == ("within 1 ft", "within a Step of 3 ft and an arm")
    play = table(ash=man(weapons=[bow]), orc=man(side="foe")).begin(ash=12, orc=9)
    assert play.do("opportunity", **given, distance=4).offers() == ["reach"]


@pytest.mark.parametrize("kind", ["strike", "overbear"])
def test_cs_442_dice_that_are_thrown_count_once_the_gm_says_he_reaches(kind: str) -> None:
    """CS-442, CS-457: the die comes with the opportunity, reach and chance only afterwards."""
    play = table(ash=man(), orc=man(side="foe")).begin(ash=12, orc=9)
    rolls = {"check.ash": [30], "defence.orc": [60]}
    play.do("opportunity", who="ash", target="orc", kind=kind, distance=6.5, rolls=rolls)
    play.do("answer", prompt=play.prompt("reach").id, choice="yes")
    play.do("answer", prompt=play.prompt("check").id, amount=45)
    assert play.got("CheckResolved", who="ash", chance=45, roll=30)


def test_cs_442_on_the_board_who_touches_reaches_and_who_is_far_does_not() -> None:
    play = passing(inits=(12, 9), settings=None)
    play.refused("CS-442", "opportunity", who="ash", target="orc", hit=False)
    play.do("place", who="ash", at="G3").do("opportunity", who="ash", target="orc", hit=False)
    assert play.got("OpportunityTaken")


def test_cs_430_hands_at_work_on_something_else_strike_nobody() -> None:
    """CS-146; formally fighting another is no hindrance."""
    play = table(settings=ON, ash=man(), bea=man(), orc=man(side="foe")).begin(ash=12, bea=11, orc=9)
    play.do("declare", who="ash", action="task", text="pick the lock", qa=8, skill=3).do("advance")
    play.do("declare", who="bea", target="orc").do("confirm", who="bea")
    play.do("plan", who="orc", feet=50).to("pulse").do("advance")
    play.refused("CS-146", "opportunity", who="ash", target="orc", hit=False)
    play.do("opportunity", who="bea", target="orc", hit=False)


@pytest.mark.parametrize(
    ("data", "rule"),
    [({"target": "bea"}, "CS-430"), ({"target": "ash"}, "CS-430"), ({"target": "orc", "kind": "spit"}, "CS-430")],
)
def test_cs_430_on_foes_and_of_a_kind_there_is(data: dict[str, object], rule: str) -> None:
    play = table(ash=man(), bea=man(), orc=man(side="foe")).begin()
    assert play.refused(rule, "opportunity", who="ash", **data).accepts


def test_cs_431_contact_is_for_that_one_act() -> None:
    """CS-431."""
    play = table(settings=ON, ash=man(), orc=man(side="foe")).begin(ash=12, orc=9).to("pulse")
    play.do("move", who="ash", feet=9, meets="orc").do("opportunity", who="orc", target="ash", hit=False)
    assert not play.state.in_contact("ash", "orc")


def test_cs_438_without_pulses_who_is_near_enough_is_brought_to_the_point_at_once() -> None:
    """CS-438: and pays for the way; nobody is brought farther than a segment's movement."""
    play = passing(inits=(9, 12), settings=None, at="H9")
    play.do("wait", who="orc").do("move", who="ash", to="K3")
    play.do("opportunity", who="orc", target="ash", hit=False)
    assert play.state.board.contact(play.one("orc").at, play.one("ash").at)  # type: ignore[union-attr]
    assert play.see("orc")["move_used"] == play.got("SegmentMoved").feet > 0  # type: ignore[attr-defined]
    slow = passing(inits=(9, 12), settings=None, at="AN12", move={"full": 2})
    slow.do("wait", who="orc").do("move", who="ash", to="K3")
    slow.refused("CS-442", "opportunity", who="orc", target="ash", hit=False)


def test_cs_438_the_way_through_mud_counts_as_it_is_paid_for() -> None:
    """CS-438: five squares of mud are 50 ft, too far for a Full Movement of 3 mph in a segment."""
    mud = {Square(column, row): "mud" for column in range(40) for row in range(3, 9)}
    board = any_board(SquareBoard(40, 12, legend={"mud": Terrain("mud", '"', cost=2)}, terrain=mud))

    def waiting(full: float) -> Play:
        orc = man(side="foe", at="H9", facing=2, move={"full": full})
        play = table(board, None, ash=man(at="B3", facing=0), orc=orc).begin(ash=9, orc=12)
        return play.do("wait", who="orc").do("move", who="ash", to="K3")

    waiting(3).refused("CS-442", "opportunity", who="orc", target="ash", hit=False)
    quick = waiting(4).do("opportunity", who="orc", target="ash", hit=False)
    assert quick.see("orc")["move_used"] == 58.284, "put right 27: two of its squares lie across a corner"


def test_cs_436_from_ambush_the_place_is_taken_before_the_foes_initiative() -> None:
    play = passing(inits=(12, 9), settings=None, at="H8", hidden=True)
    play.do("move", who="ash", to="G3").do("advance")
    play.do("move", who="orc", to="H4", force=True)
    play.refused("CS-436", "opportunity", who="orc", target="ash", hit=False)
    still = passing(inits=(12, 9), settings=None, at="H4", hidden=True)
    still.do("move", who="ash", to="G3").do("advance")
    assert still.do("opportunity", who="orc", target="ash", hit=False).got("OpportunityTaken")


@pytest.mark.parametrize(("step", "ready"), [("", True), ("U5", False)])
def test_cs_436_who_takes_one_small_step_has_taken_a_new_place(step: str, ready: bool) -> None:
    """CS-436: on squares of a foot; the orc steps after Ash's Initiative."""
    board = any_board(SquareBoard(40, 12, scale=1))
    orc = man(side="foe", at="V5", facing=2, hidden=True)
    play = table(board, None, ash=man(at="B3", facing=0), orc=orc).begin(ash=12, orc=9)
    play.do("move", who="ash", to="T3").do("advance")
    if ready:
        assert play.do("opportunity", who="orc", target="ash", hit=False).got("OpportunityTaken")
        return
    play.do("move", who="orc", to=step, force=True)
    assert play.see("orc")["move_used"] == 1
    play.refused("CS-436", "opportunity", who="orc", target="ash", hit=False)


def test_cs_436_from_hiding_the_offer_has_the_surprise_in_it() -> None:
    """CS-436, CS-040: sprung first, and the act itself is offered again; who strikes shows himself.

    CS-430; put right 25: the one who runs past is offered no blow at a foe it does not know of.
    """
    play = crossing(hidden=True)
    assert [prompt.who for prompt in play.state.prompts if prompt.kind == "opportunity"] == ["orc"]
    play.do("answer", prompt="opportunity", choice="spring")
    assert play.got("SurpriseTriggered", aggressors=("orc",), targets=("ash",))
    assert not play.one("orc").hidden
    assert [prompt.who for prompt in play.state.prompts if prompt.kind == "opportunity"] == ["orc"]
    plain = crossing(hidden=True).do("opportunity", who="orc", target="ash", hit=False)
    assert plain.got("Detected", who="orc")


def test_cs_446_a_line_between_two_or_with_an_anchor_is_settled_as_surprise() -> None:
    """CS-446, CS-447: a prepared trip or clothesline."""
    play = crossing().do("let_pass", who="ash")
    play.refused("CS-446", "opportunity", who="orc", target="ash", kind="strike", helper="anchor")
    play.refused("CS-446", "opportunity", who="orc", target="ash", kind="trip", helper="ash")
    play.do("opportunity", who="orc", target="ash", kind="clothesline", helper="anchor")
    assert play.got("OpportunityTaken", who="orc", target="ash")
    assert play.got("SurpriseTriggered", aggressors=("orc",), targets=("ash",))


@pytest.mark.parametrize("kind", ["trip", "clothesline"])
@pytest.mark.parametrize(("victim", "falls"), [(99, True), (1, False)])
def test_cs_446_who_is_surprised_runs_onto_the_line(kind: str, victim: int, falls: bool) -> None:
    """CS-444, CS-446, CS-447: hit by his own speed, 12 mph, and brought down by the GM's word; the others go on."""
    play = crossing().do("let_pass", who="ash")
    play.do("opportunity", who="orc", target="ash", kind=kind, helper="anchor")
    assert not [prompt for prompt in play.state.prompts if prompt.kind == "opportunity" and prompt.who == "orc"]
    play.do("surprise_roll", target="ash", chance=50, roll=victim, aggressor_chance=60, aggressor_roll=20)
    assert bool(play.all("BlowLanded")) is falls
    if falls:
        blow = play.got("BlowLanded", who="ash", attacker="orc")
        assert (blow.pot, list(blow.parts)) == (12, [("target's speed in mph", "+12", "CS-444")])  # type: ignore[attr-defined]
        play.do("answer", prompt=play.prompt("pres").id, choice="none")
        play.do("answer", prompt=play.prompt("fall").id, choice="falls")
        assert play.one("ash").record.posture == "prone"


# What comes of it


def test_cs_443_a_simple_check_of_av_against_what_the_foe_can_offer() -> None:
    """CS-439, CS-443, CS-449: settled at once; a miss gives nothing back (A-32)."""
    play = crossing().do("let_pass", who="ash")
    play.do("opportunity", who="orc", target="ash", defence="parry sword", chance=30, rolls={"check": [31]})
    asked = play.got("CheckRequested", who="orc")
    assert (asked.av, asked.dv) == (40, 40)  # type: ignore[attr-defined]
    assert play.got("Missed", attacker="orc")
    assert "ReprisalOffered" not in play.names()
    assert play.names().index("Missed") < play.names().index("MovementResumed")


def test_cs_440_movement_waits_for_a_percentage_that_is_missing() -> None:
    play = crossing().do("let_pass", who="ash").do("opportunity", who="orc", target="ash")
    assert play.asks() == ["check"]
    assert "MovementResumed" not in play.names()
    play.do("answer", prompt="check", amount=30, rolls={"check": [31]})
    assert "MovementResumed" in play.names()


@played_once
def struck() -> Play:
    """The orc takes the opportunity; Ash has declared to sing."""
    play = passing()
    play.do("declare", who="ash", text="sing").do("plan", who="ash", to="T3").to("pulse").do("run_pulses")
    return play.do("let_pass", who="ash").do("opportunity", who="orc", target="ash", hit=False)


def test_cs_237_the_declared_action_is_kept_unless_somebody_says_otherwise() -> None:
    play = struck()
    assert [prompt.who for prompt in play.state.prompts if prompt.kind == "after_opportunity"] == ["ash"]
    play.do("advance")
    assert play.see("ash")["declared"]["state"] == "committed"  # type: ignore[index]
    assert play.see("ash")["move_used"] == 27


@pytest.mark.parametrize(("choice", "again"), [("abort", False), ("change", True)])
def test_cs_237_or_is_given_up_or_changed(choice: str, again: bool) -> None:
    play = struck().do("answer", prompt="after_opportunity", choice=choice)
    assert play.see("ash")["declared"] is None or play.see("ash")["declared"]["state"] == "aborted"  # type: ignore[index]
    if again:
        play.do("declare", who="ash", target="orc").got("DeclarationInserted")
    else:
        play.refused("CS-010", "declare", who="ash", target="orc")


def test_cs_111_who_is_down_is_asked_nothing_about_what_he_would_do() -> None:
    """CS-111: his declared Action is off, and with it the question of CS-237."""
    play = struck().do("set_life", who="ash", life="unconscious")
    assert not [prompt for prompt in play.state.prompts if prompt.who == "ash"]
    assert play.see("ash")["declared"]["state"] == "aborted"  # type: ignore[index]


def test_cs_560_who_is_knocked_out_of_reach_is_offered_no_blow_any_more() -> None:
    """CS-442: what was offered was offered of where they stood."""
    play = crossing(armour=[{"type": "Plate", "dr": 60}])
    assert [prompt.who for prompt in play.state.prompts] == ["orc", "ash"]
    play.do("opportunity", who="ash", target="orc", hit=True, pot=45)
    assert play.got("KnockedBack").moved >= 20  # type: ignore[attr-defined]
    assert not [prompt for prompt in play.state.prompts if prompt.kind == "opportunity"]


def test_cs_440_of_who_is_down_nobody_says_that_he_moves_on() -> None:
    play = crossing().do("set_life", who="ash", life="unconscious")
    resumed = play.got("MovementResumed")
    assert SYSTEM.phrase(resumed, play.state).text == ""  # type: ignore[union-attr]


def test_g_86_who_stopped_a_runner_declares_the_engagement_in_the_next_segment() -> None:
    """G-86, CS-448."""
    play = struck().do("answer", prompt="after_opportunity", choice="stop")
    assert play.one("ash").record.plan == ()
    play.do("run_pulses").to("initiative").begin(ash=12, orc=9).to("declare", "orc")
    prompt = play.prompt("engage")
    assert (prompt.who, prompt.rule) == ("orc", "CS-448")
    play.do("answer", prompt="engage", choice="declare")
    assert play.see("orc")["declared"]["targets"] == ["ash"]  # type: ignore[index]


def test_cs_448_who_declares_is_not_asked_about_the_engagement_any_more() -> None:
    play = struck().do("answer", prompt="after_opportunity", choice="stop")
    play.do("run_pulses").to("initiative").begin(ash=12, orc=9).to("declare", "orc")
    assert play.prompt("engage").who == "orc"
    play.do("declare", who="orc", target="ash")
    assert not [prompt for prompt in play.state.prompts if prompt.kind == "engage"]


@pytest.mark.parametrize("how", ["resume", "hold"])
def test_cs_448_a_runner_may_be_stopped_by_command_too(how: str) -> None:
    play = struck()
    play.do("resume", who="ash", on=False) if how == "resume" else play.do("hold", who="ash")
    play.do("advance")
    assert play.see("ash")["move_used"] == 25
    assert play.one("orc").record.engage == "ash"


def test_cs_440_who_falls_goes_no_farther() -> None:
    """As far as what came of it lets him."""
    play = crossing()
    play.do("posture", who="ash", posture="prone").do("opportunity", who="orc", target="ash", hit=False)
    play.do("let_pass", who="ash").do("advance")
    assert play.see("ash")["move_used"] == 25
    play = crossing().do("set_life", who="ash", life="unconscious").do("advance")
    assert play.see("ash")["move_used"] == 25


def test_cs_440_resume_goes_on_at_once() -> None:
    play = crossing().do("resume", who="ash")
    assert play.see("ash")["move_used"] == 27
    assert not play.state.prompts
    play.refused("CS-440", "resume", who="orc")


def test_undo_goes_back_across_an_interruption() -> None:
    play = passing().do("plan", who="ash", to="T3").to("pulse")
    start = play.state
    play.do("run_pulses").do("opportunity", who="orc", target="ash", hit=False).do("advance").do("run_pulses")
    while play.state.serial != start.serial or play.state != start:
        play.undo()
    assert play.one("ash").at == Square(1, 2)
    assert play.see("ash")["move_used"] == 0


# Without Pulses


@played_once
def inline(orc_init: int) -> Play:
    play = passing(inits=(10, orc_init), settings=None)
    if orc_init > 10:
        play.do("wait", who="orc")
    return play.do("move", who="ash", to="T3")


def test_cs_437_inline_a_foe_whose_initiative_has_come_may_break_into_the_way() -> None:
    play = inline(12)
    assert play.one("ash").at == Square(6, 2)
    assert [prompt.who for prompt in play.state.prompts] == ["orc"]
    play.do("opportunity", who="orc", target="ash", hit=False)
    assert "MovementResumed" in play.names()
    play.do("advance")
    assert play.one("ash").at == Square(19, 2)
    assert sum(one.feet for one in play.heard if one.type == "SegmentMoved") == 90  # type: ignore[attr-defined]


def test_cs_433_inline_a_foe_still_to_come_is_passed() -> None:
    play = inline(8)
    assert play.one("ash").at == Square(19, 2)
    assert play.all("PathsCrossed")
    assert not play.state.prompts


def test_inline_who_was_stopped_may_stay() -> None:
    play = inline(12).do("resume", who="ash", on=False)
    play.do("advance")
    assert play.one("ash").at == Square(6, 2)


# Breaking off


@played_once
def melee(settings: object = None, **more: object) -> Play:
    """Ash and an orc in melee, and the orc's friend beside it; another one far away."""
    play = table(
        field(), settings,  # type: ignore[arg-type]
        ash=man(at="B3", facing=0), orc=man(side="foe", at="C3", facing=4), gob=man(side="foe", at="C4", facing=4),
        far=man(side="foe", at="T9"), **more,
    )  # fmt: skip
    return play.begin(orc=20, gob=19, far=18, ash=10)


def declared(play: Play) -> Play:
    for who in ("orc", "gob", "far"):
        play.to("declare", who).do("wait", who=who)
    return play.to("declare", "ash")


def test_cs_107_who_turns_and_runs_gives_the_foe_and_his_friends_a_parting_shot() -> None:
    """CS-106, CS-107, CS-109."""
    play = declared(melee()).do("break_off", who="ash")
    offered = {prompt.who: prompt.resume.kind for prompt in play.state.prompts if prompt.kind == "opportunity"}
    assert offered == {"orc": "parting", "gob": "parting"}
    assert play.prompt("pursuit").rule == "CS-109"
    play.do("answer", prompt=play.prompt("opportunity").id, choice="strike")
    assert play.got("OpportunityTaken", kind="parting", target="ash")


@pytest.mark.parametrize("how", ["obstacle", "overturn"])
def test_cs_108_something_between_takes_the_parting_shot_away(how: str) -> None:
    play = declared(melee()).do("break_off", who="ash", how=how)
    assert play.got("BrokeOff", how=how)
    assert not play.state.prompts
    play.do("move", who="ash", to="B10")
    assert not play.state.prompts


@pytest.mark.parametrize("settings", [None, ON])
def test_cs_107_running_from_a_melee_is_breaking_off_without_saying_so(settings: object) -> None:
    """Before he is gone: he stands where he stood."""
    play = declared(melee(settings))
    if settings:
        play.do("plan", who="ash", to="B12").to("pulse").do("run_pulses")
    else:
        play.do("move", who="ash", to="B12")
    assert play.got("BrokeOff", who="ash", how="run")
    assert {prompt.who for prompt in play.state.prompts} == {"orc", "gob"}
    # The first Pulse leads him one square along the foes' front: there he has not left them yet.
    here = Square(1, 3) if settings else Square(1, 2)
    assert play.one("ash").at == here
    play.do("advance")
    assert play.one("ash").at != here


def test_cs_189_a_step_in_melee_is_footwork() -> None:
    """CS-189: no breaking off, and he goes on facing his foe."""
    play = declared(melee()).do("move", who="ash", path=["A3"])
    assert not play.all("BrokeOff")
    assert not play.state.prompts
    assert play.one("ash").facing == 0


def test_cs_107_the_foe_may_go_after_him_instead() -> None:
    play = declared(melee(ON)).do("plan", who="ash", to="B12").to("pulse").do("run_pulses")
    hunter = play.prompt("opportunity").who
    play.do("answer", prompt=play.prompt("opportunity").id, choice="follow").do("run_pulses", pulses=3)
    assert play.see(hunter)["move_used"] == 27


def test_cs_253_at_range_there_is_nothing_to_break_off() -> None:
    play = table(field(), ash=man(at="B3"), orc=man(side="foe", at="T9")).begin()
    assert play.refused("CS-253", "break_off", who="ash").accepts == ("move with path",)
    play.do("move", who="ash", to="B12")
    assert not play.state.prompts


def test_cs_106_one_way_or_another_and_once() -> None:
    play = declared(melee())
    play.refused("CS-106", "break_off", who="ash", how="vanish")
    play.do("break_off", who="ash").refused("CS-106", "break_off", who="ash")


def test_cs_106_without_a_board_contact_ends() -> None:
    play = table(ash=man(), orc=man(side="foe")).begin(orc=12, ash=9).do("contact", who="orc", enemy="ash")
    play.do("wait", who="orc").do("break_off", who="ash")
    assert not play.state.contacts
    assert [prompt.who for prompt in play.state.prompts if prompt.kind == "opportunity"] == ["orc"]


def test_who_strikes_on_his_own_way_stops_for_it_and_breaks_into_nobodys() -> None:
    """CS-236, CS-437: the mover takes the opportunity himself."""
    play = crossing().do("opportunity", who="ash", target="orc", hit=False)
    said = [SYSTEM.phrase(one, play.state) for one in play.all("MovementInterrupted")]
    assert [one.text.strip() for one in said if one is not None] == ["Ash stops there"]


def test_who_is_held_up_is_said_so_without_feet_or_speed() -> None:
    """CS-233: a Pulse in which somebody does not come on."""
    play = crossing().do("advance").do("advance")
    held = PulseMoved(who="ash", hexes=0, feet=0.0, mph=12.0, pulse=3, blocked="orc")
    said = SYSTEM.phrase(held, play.state)
    assert said is not None
    assert said.text.strip() == "Ash is held up by Orc"


# The occasion lasts a moment


@pytest.mark.parametrize("how", ["let_pass", "answer", "going on"])
def test_cs_431_an_opportunity_that_was_declined_is_gone(how: str) -> None:
    """CS-431, L2549; put right 35: by word, by answer or by going on; it is neither offered nor taken any more."""
    play = crossing().do("let_pass", who="ash")
    if how == "let_pass":
        play.do("let_pass", who="orc")
    elif how == "answer":
        play.do("answer", prompt="opportunity", choice="pass")
    else:
        play.do("run_pulses", pulses=1)
    assert "opportunity" not in [option.action for option in play.fight.options("orc")]
    assert "missed the chance" in play.refused("CS-431", "opportunity", who="orc", target="ash", hit=False).message
    assert play.do("opportunity", who="orc", target="ash", hit=False, force=True).got("OpportunityTaken")


def test_cs_430_an_opportunity_is_a_single_act() -> None:
    """CS-430, L2545; put right 35: whoever has struck in passing does not strike again and again."""
    play = crossing().do("let_pass", who="ash").do("opportunity", who="orc", target="ash", hit=False)
    play.refused("CS-431", "opportunity", who="orc", target="ash", hit=False)


def test_cs_236_paths_that_meet_again_bring_a_new_opportunity() -> None:
    """CS-236, CS-431; put right 35: in the next segment they meet anew, and it is offered."""
    play = crossing().do("run_pulses").to("initiative").begin(ash=12, orc=9)
    play.do("plan", who="ash", to="B3").to("pulse").do("run_pulses")
    assert play.all("OpportunityOffered")
    assert play.do("opportunity", who="orc", target="ash", hit=False).got("OpportunityTaken")
