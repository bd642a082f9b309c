"""Body against body: Body Checks, tackles and overbearing, trips and shoves, move-bys (CS-445 to CS-470)."""

from __future__ import annotations

import pytest

from fightcall_engine.board.base import Square, Terrain
from fightcall_engine.board.kinds import SquareBoard, any_board

from ..once import played_once
from .table import SWORD, Play, table

SHIELD = {"name": "shield", "size": 3, "kind": "shield", "av": 30}
LAYERS = [{"type": "jack", "family": "padded", "dr": 0}, {"type": "coat", "family": "mail", "dr": 0}]
BIG = {
    "sta": 18, "str": 16, "mod": {"agl": 1, "str": 2}, "agl": 14, "weapons": [SHIELD], "armour": LAYERS,
}  # fmt: skip
SMALL = {"side": "foe", "sta": 14, "str": 13, "mod": {"agl": 0, "str": 1}, "dodge": 20, "pres": 60}


@played_once
def meeting(settings: object = None, big: object = None, small: object = None, **cast: object) -> Play:
    """Ash, large and on the run, and a small orc that stands; no board."""
    play = table(
        None, settings, ash={**BIG, **(big or {})}, orc={**SMALL, **(small or {})}, **cast,  # type: ignore[arg-type, dict-item]
    )  # fmt: skip
    return play.begin(ash=12, orc=9)


def check(play: Play, **given: object) -> Play:
    """A Body Check out of turn, at 10 mph by the GM's word."""
    return play.do("opportunity", **{"who": "ash", "target": "orc", "kind": "body_check", "charge": 10, **given})


def sums(play: Play, kind: str) -> tuple[int | None, int | None]:
    found = play.got("CheckRequested", kind=kind)
    return found.av, found.dv  # type: ignore[attr-defined]


WON = {"chance": 60, "dv_chance": 40, "rolls": {"check": [20], "defence": [90]}}
NEITHER = {"chance": 60, "dv_chance": 40, "rolls": {"check": [61], "defence": [41]}}


# The Contested Roll


@pytest.mark.parametrize(("defence", "dv"), [("stand", 15), ("dodge", 24), ("evade", 24), ("", 24)])
def test_g_82_both_sums_of_a_body_check(defence: str, dv: int) -> None:
    """G-82, CS-455, CS-456: AV 37 against 15 to stand or 24 to Dodge; the better one where nobody says."""
    play = check(meeting(), defence=defence, **WON)
    assert sums(play, "body_check") == (37, dv)
    labels = [part[0] for part in play.got("CheckRequested", kind="body_check").parts]  # type: ignore[attr-defined]
    assert {"Size of the shield", "2 layers of armour, Progressive", "speed in mph"} <= set(labels)


def test_cs_167_a_full_defence_forgets_earlier_dodges_when_bodies_meet_too() -> None:
    """CS-167, CS-456: another has made him Dodge; against the one whom he defends against it is whole: 20 + 4."""
    axe = {"name": "axe", "size": 3, "av": 30}
    play = table(None, None, orc=SMALL, bo={"weapons": [axe]}, ash=BIG).begin(orc=30, bo=20, ash=10)
    play.to("declare", "orc").do("declare", who="orc", action="defend", against="ash").to("declare", "ash")
    play.do("opportunity", who="bo", target="orc", defence="dodge", hit=False)
    assert sums(check(play, defence="dodge", **WON), "body_check") == (37, 24)


def test_g_82_who_fails_to_stand_is_thrown_and_hurt_and_must_keep_his_feet() -> None:
    """G-82, CS-457, CS-463, CS-465: 14 ft, POT 17, AGL against 38."""
    play = check(meeting(), defence="stand", **WON)
    assert play.got("BodiesMet", outcome="thrown", feet=14)
    landed = play.got("BlowLanded", who="orc")
    assert (landed.pot, landed.struck) == (17, "blunt")  # type: ignore[attr-defined]
    thrown = play.got("KnockedBack", who="orc")
    assert (thrown.feet, thrown.moved) == (14, 14)  # type: ignore[attr-defined]
    asked = play.got("CheckRequested", kind="AGL")
    assert (asked.who, asked.av, asked.dv) == ("orc", 13, 38)  # type: ignore[attr-defined]
    play.do("answer", prompt=play.prompt("check").id, choice="failed")
    assert play.got("Fell", who="orc")


def test_cs_463_levels_as_acrobat_and_dancer_help_to_keep_the_feet() -> None:
    """CS-463."""
    play = check(meeting(small={"skills": {"acrobat": 6, "dancer": 3}}), defence="stand", **WON)
    assert sums(play, "AGL") == (22, 38)


@pytest.mark.parametrize(("big", "small", "who"), [((16, 15), (15, 15), ["ash", "orc"]), ((16, 15), (13, 15), ["orc"])])
def test_g_129_within_one_point_both_keep_their_feet_else_the_lesser(
    big: tuple[int, int], small: tuple[int, int], who: list[str]
) -> None:
    """G-129, CS-464, A-34."""
    play = meeting(big={"str": big[0], "sta": big[1]}, small={"str": small[0], "sta": small[1]})
    check(play, defence="stand", **WON)
    asked = {one.who for one in play.all("CheckRequested") if one.kind == "AGL"}  # type: ignore[attr-defined]
    assert sorted(asked) == who


def test_g_130_both_fail_both_stop_close_and_nobody_is_hurt() -> None:
    """G-130, CS-460."""
    play = check(meeting(), defence="stand", **NEITHER)
    assert play.got("BodiesMet", outcome="halted", feet=0)
    assert not {"BlowLanded", "KnockedBack", "Fell"} & set(play.names())
    assert play.one("ash").record.adjacent["orc"].mode == "close"
    assert play.one("orc").record.adjacent["ash"].mode == "close"


def test_g_130_who_stands_by_the_larger_margin_throws_the_attacker_back() -> None:
    """G-130, CS-459, A-34: 5 mph and STA 14 against 18 are 9 ft."""
    play = meeting(big={"sta": 14}, small={"sta": 18})
    check(play, defence="stand", charge=5, chance=40, dv_chance=60, rolls={"check": [35], "defence": [40]})
    assert play.got("BodiesMet", outcome="rebound", feet=9)
    assert play.got("KnockedBack", who="ash").feet == 9  # type: ignore[attr-defined]
    assert "BlowLanded" not in play.names()


@pytest.mark.parametrize(("tie", "outcome"), [("defender", "rebound"), ("attacker", "thrown")])
def test_a_17_equal_margins_go_as_the_reading_says(tie: str, outcome: str) -> None:
    """A-17, A-34."""
    play = meeting({"contested_tie": tie})
    check(play, defence="stand", chance=50, dv_chance=50, rolls={"check": [30], "defence": [30]})
    assert play.got("BodiesMet", outcome=outcome)


def test_cs_461_who_meets_nobody_must_keep_his_own_feet() -> None:
    """CS-461, M-24: AGL against the own speed."""
    play = check(meeting(), defence="dodge", chance=60, dv_chance=40, rolls={"check": [61], "defence": [1]})
    assert play.got("BodiesMet", outcome="dodged", feet=0)
    asked = play.got("CheckRequested", kind="AGL")
    assert (asked.who, asked.av, asked.dv) == ("ash", 14, 10)  # type: ignore[attr-defined]
    play.do("answer", prompt=play.prompt("check").id, choice="failed")
    assert play.got("Fell", who="ash")


def test_cs_462_the_target_may_answer_and_the_attacker_cannot_dodge() -> None:
    """CS-462, CS-422: whatever the reading of chains (A-32)."""
    play = check(meeting(small={"weapons": [SWORD]}), defence="stand", hit=False)
    assert play.prompt("reprisal").who == "orc"
    play.refused("CS-422", "reprise", who="orc", chance=50, defence="dodge")


def test_cs_458_the_speeds_of_two_who_move_count_together_for_the_distance() -> None:
    """CS-458."""
    play = table(
        None, {"pulse_movement": True}, ash={**BIG, "move": {"full": 10}}, orc={**SMALL, "move": {"full": 6}}
    ).begin(ash=12, orc=9)  # type: ignore[arg-type]
    play.do("plan", who="ash", feet=60).do("advance").do("plan", who="orc", feet=40).to("pulse")
    play.do("run_pulses", pulses=2)
    play.do("opportunity", who="ash", target="orc", kind="body_check", defence="stand", **WON)
    assert sums(play, "body_check")[0] == 37
    assert play.got("BodiesMet", outcome="thrown", feet=10 + 6 + 4)
    assert play.got("BlowLanded").pot == 17  # type: ignore[attr-defined]


def test_cs_455_percentages_that_are_missing_are_asked_one_after_the_other() -> None:
    play = check(meeting(), defence="stand")
    assert play.prompt("check").who == "ash"
    play.do("answer", prompt="check", amount=60, rolls={"check": [20]})
    assert play.prompt("check").who == "orc"
    play.do("answer", prompt="check", amount=40, rolls={"defence": [90]})
    assert play.got("BodiesMet", outcome="thrown")


def test_cs_455_declared_as_an_action_it_is_settled_in_turn() -> None:
    play = meeting()
    play.do("declare", who="ash", action="strike", target="orc", attack="body check").to("resolve", "ash")
    play.do("resolve", who="ash", charge=10, defence="stand", **WON)
    assert play.got("BodiesMet", outcome="thrown")
    assert play.got("Resolved", who="ash")


def test_cs_456_there_are_two_answers() -> None:
    play = meeting(small={"dodge": None})
    assert play.refused(
        "CS-456", "opportunity", who="ash", target="orc", kind="body_check", defence="parry sword", hit=True
    ).accepts == ("stand", "dodge")
    play.refused("CS-456", "opportunity", who="ash", target="orc", kind="body_check", defence="dodge", hit=True)


@pytest.mark.parametrize(("choice", "outcome"), [("bounces", "rebound"), ("roll", "thrown")])
def test_cs_466_against_a_wall_the_gm_speaks_first(choice: str, outcome: str) -> None:
    """CS-466: the obvious answer is to roll."""
    play = check(meeting(small={"sta": 60, "str": 30}), defence="stand", chance=60, dv_chance=40)
    prompt = play.prompt("mismatch")
    assert (prompt.rule, prompt.default) == ("CS-466", "roll")
    rolls = {"check": [20], "defence": [90]} if choice == "roll" else {}
    play.do("answer", prompt=prompt.id, choice=choice, rolls=rolls)
    assert play.got("BodiesMet", outcome=outcome)


def test_cs_457_on_the_board_the_thrown_one_lands_where_the_way_leads() -> None:
    """CS-457: straight back, unless the GM places him elsewhere; what stops him adds to the POT."""
    board = any_board(SquareBoard(20, 5))
    play = table(board, ash={**BIG, "at": "C3", "facing": 0}, orc={**SMALL, "at": "D3", "facing": 4})
    check(play.begin(ash=12, orc=9), defence="stand", barrier=10, **WON)
    thrown = play.got("KnockedBack", who="orc")
    assert (thrown.moved, thrown.barrier) == (10, 4)  # type: ignore[attr-defined]
    assert play.one("orc").at == Square(5, 2)


# Tackles


MAN = {"sta": 18, "str": 13, "mod": {"agl": 1, "str": 2}}
"""A body of 21."""
OTHER = {"sta": 16, "str": 13, "mod": {"agl": 1, "str": 2}}
"""One of 19."""
PREY = {"side": "foe", "sta": 16, "str": 13, "mod": {"agl": 1, "str": 1}}
"""One of 18."""


@played_once
def chase(mine: int, theirs: int, attack: str = "tackle") -> Play:
    """Ash and Bea run after an orc through ten Pulses, and Ash's tackle is due."""
    play = table(
        None, {"pulse_movement": True},
        ash={**MAN, "move": {"full": mine}}, bea={**OTHER, "move": {"full": mine}},
        orc={**PREY, "move": {"full": theirs}},
    ).begin(ash=12, bea=11, orc=9)  # type: ignore[arg-type]  # fmt: skip
    play.do("declare", who="ash", action="strike", target="orc", attack=attack)
    for who in ("ash", "bea", "orc"):
        play.to("declare", who).do("plan", who=who, feet=300, force=True)
    return play.to("resolve", "ash")


@pytest.mark.parametrize(
    ("mine", "theirs", "people", "wanted"),
    [(15, 10, "", (26, 18)), (10, 15, "", (21, 23)), (15, 10, "bea", (50, 18)), (12, 12, "", (21, 18))],
)
def test_g_84_body_against_body_with_what_one_is_faster(
    mine: int, theirs: int, people: str, wanted: tuple[int, int]
) -> None:
    """G-84, CS-467 to CS-469: alone, outrun, together."""
    play = chase(mine, theirs)
    play.do("resolve", who="ash", people=people, **WON)
    assert sums(play, "tackle") == wanted
    assert play.got("Fell", who="orc")


@pytest.mark.parametrize(
    ("attack", "said"),
    [("body_check", "strike Orc: Body Check"), ("", "strike Orc with sword"), ("trip", "strike Orc with sword: Trip"),
     ("common_strike", "strike Orc with sword")],
)  # fmt: skip
def test_cs_349_the_declaration_names_its_type(attack: str, said: str) -> None:
    """CS-349, CS-082."""
    play = table(None, None, ash={**MAN, "weapons": [SWORD]}, orc=PREY).begin(ash=12, orc=9)
    play.do("declare", who="ash", action="strike", target="orc", attack=attack)
    assert play.got("Declared").shown == said  # type: ignore[attr-defined]


def test_cs_468_both_sums_of_a_tackle_have_their_parts() -> None:
    """CS-468, CS-469: whose they are where several tackle."""
    play = table(None, None, ash=MAN, bea=OTHER, orc=PREY).begin(ash=12, bea=11, orc=9)
    play.do("opportunity", who="ash", target="orc", kind="overbear", people="bea", **WON)
    told = play.got("CheckRequested", kind="overbear").parts  # type: ignore[attr-defined]
    labels = [label for label, _, _ in told]
    assert [label for label in labels if label.endswith("modified STA")] == [
        "Ash: modified STA", "Bea: modified STA", "Orc: modified STA",
    ]  # fmt: skip
    assert {rule for _, _, rule in told} == {"CS-468"}


def test_g_84_who_stood_still_tackles_from_a_height_only() -> None:
    """G-84, CS-467, CS-702."""
    play = table(None, None, ash=MAN, orc=PREY).begin(ash=12, orc=9)
    play.refused("CS-467", "opportunity", who="ash", target="orc", kind="tackle", hit=True)
    play.do("opportunity", who="ash", target="orc", kind="tackle", hit=True, drop=8)
    assert play.got("Fell", who="orc")


def test_cs_702_who_has_leapt_up_somewhere_tackles_without_a_run() -> None:
    """CS-467, CS-702: 4 ft up on a table, by the GM's word; down again he must run."""
    play = table(None, None, ash=MAN, orc=PREY).begin(ash=12, orc=9).do("rule", what="height", who="ash", value=4)
    assert play.see("ash")["elev"] == 4
    rulings = play.fight.system.rulings(play.state, "ash")
    offered = next(one for one in rulings if one.action == "rule-height")
    assert offered.inputs[0].default == "4"
    play.do("opportunity", who="ash", target="orc", kind="tackle", hit=True)
    assert play.got("Fell", who="orc")
    play.undo().do("rule", what="height", who="ash", value=0)
    play.refused("CS-467", "opportunity", who="ash", target="orc", kind="tackle", hit=True)
    for wrong in (-1, "high", True):
        assert play.refused("CS-702", "rule", what="height", who="ash", value=wrong).accepts


@pytest.mark.parametrize("ground", [4, None])
def test_cs_702_the_ground_counts_for_the_height_of_a_tackle(ground: int | None) -> None:
    """CS-467, CS-702: from a table that the board shows, as by the GM's word; from the floor he must run."""
    table_top = Terrain("table", glyph="t", height_ft=ground)
    board = any_board(SquareBoard(5, 5, legend={"table": table_top}, terrain={Square(1, 2): "table"}))
    play = table(board, None, ash={**MAN, "at": (1, 2)}, orc={**PREY, "at": (2, 2)}).begin(ash=12, orc=9)
    tackle = {"who": "ash", "target": "orc", "kind": "tackle", "hit": True}
    if ground is None:
        play.refused("CS-467", "opportunity", **tackle)
    else:
        assert play.do("opportunity", **tackle).got("Fell", who="orc")


def test_cs_467_without_pulses_a_segment_at_full_rate_will_do() -> None:
    """CS-467, CS-468: declared, and settled in Resolution."""
    play = table(None, None, ash={**MAN, "move": {"full": 12}}, orc=PREY).begin(ash=12, orc=9)
    play.do("declare", who="ash", action="strike", target="orc", attack="tackle")
    play.do("move", who="ash", feet=176).to("resolve", "ash")
    play.do("resolve", who="ash", **NEITHER)
    assert "Fell" not in play.names()
    assert play.got("Missed", attacker="ash")
    assert play.got("Resolved", who="ash", outcome="missed Orc"), "it was the Action that was declared"


@pytest.mark.parametrize(("feet", "reached"), [(0, True), (12, True), (18.5, False)])
def test_cs_467_a_leap_may_end_the_run(feet: float, reached: bool) -> None:
    """CS-467, CS-468: who is within a running Leap of 12 ft is taken hold of; else no farther than any other act."""
    runner = {**MAN, "move": {"full": 12, "leap": 6, "running_leap": 12}}
    play = table(None, None, ash=runner, orc=PREY).begin(ash=12, orc=9)
    play.do("move", who="ash", feet=176)
    given = {"who": "ash", "target": "orc", "kind": "tackle", "hit": True, "distance": feet}
    if not reached:
        play.refused("CS-442", "opportunity", **given)
        return
    play.do("opportunity", **given)
    assert play.got("Fell", who="orc")
    assert all("close" in str(play.one(who).record.adjacent) for who in ("ash", "orc"))


def test_cs_470_overbearing_is_a_tackle_of_who_stands() -> None:
    """CS-468, CS-470, L2621-2623: no run is needed; whoever comes running has his speed all the same."""
    play = table(None, None, ash={**MAN, "move": {"full": 12}}, orc=PREY).begin(ash=12, orc=9)
    play.do("opportunity", who="ash", target="orc", kind="overbear", **WON)
    assert sums(play, "overbear") == (21, 18)
    play.undo().do("move", who="ash", feet=176)
    for kind in ("overbear", "tackle"):
        play.do("opportunity", who="ash", target="orc", kind=kind, **WON)
        assert sums(play, kind) == (21 + 12, 18)
        play.undo()
    chase(15, 10, "overbear").refused("CS-470", "resolve", who="ash", hit=True)


def test_cs_469_only_comrades_tackle_together() -> None:
    play = chase(15, 10)
    play.refused("CS-469", "resolve", who="ash", people="orc", hit=True)


# Trips, shoves, move-bys


@pytest.mark.parametrize(("kind", "answer", "falls"), [("trip", "falls", 1), ("shove", "stays", 0)])
def test_cs_447_a_hit_brings_down_by_the_gms_word(kind: str, answer: str, falls: int) -> None:
    """CS-447: STR and STA of both are shown."""
    play = table(None, None, ash=MAN, orc=PREY).begin(ash=12, orc=9)
    play.do("opportunity", who="ash", target="orc", kind=kind, hit=True)
    prompt = play.prompt("fall")
    assert prompt.default == "falls"
    assert "31 against 29" in prompt.question
    play.do("answer", prompt=prompt.id, choice=answer)
    assert len(play.all("Fell")) == falls


def test_cs_238_brawling_takes_nothing_from_wrestling() -> None:
    """CS-238, CS-315: bare hands are used with several skills, each of which is counted by itself."""
    ash = {"skills": {"brawling": 20, "wrestling": 18}, "special_attacks": ["wrestle"]}
    play = table(None, {"special_attacks": True}, ash=ash, imp={"side": "foe"}, orc={"side": "foe"}).begin(ash=30)
    play.do("declare", who="ash", weapon="bare hands", attack="wrestle", target="orc")
    play.do("opportunity", who="ash", target="imp", weapon="bare hands", attack="brawl", defence="none", hit=False)
    assert play.got("CheckRequested").av == 20  # type: ignore[attr-defined]
    play.to("resolve", "ash").do("resolve", who="ash", defence="none", hit=False)
    assert play.all("CheckRequested")[0].av == 18  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("skills", "kind", "av"),
    [
        ({"brawling": 22, "wrestling": 30}, "trip", 30),
        ({"brawling": 22, "grappling": 17}, "trip", 22),
        ({"grappling": 17}, "shove", 17),
        ({"wrestling": 19}, "clothesline", 19),
        ({"brawling": 22, "wrestling": 30}, "strike", 22),
        ({"wrestling": 30}, "strike", None),
    ],
)
def test_cs_447_by_limb_brawling_wrestling_or_grappling_serves(
    skills: dict[str, int], kind: str, av: int | None
) -> None:
    """CS-447: the best of them for a trip, a shove and a clothesline; a blow with the fist is Brawling (CS-148)."""
    play = table(None, None, ash={**MAN, "skills": skills}, orc=PREY).begin(ash=12, orc=9)
    play.do("opportunity", who="ash", target="orc", kind=kind, weapon="bare hands", chance=50, rolls={"check": [99]})
    assert sums(play, "opportunity")[0] == av
    assert play.got("UseCounted", who="ash").worth == (av or 0)  # type: ignore[attr-defined]


def test_cs_447_a_limb_against_twice_the_size_may_be_hopeless_a_trip_is_not() -> None:
    """CS-447."""
    huge = {**PREY, "sta": 60, "str": 30}
    play = table(None, None, ash=MAN, orc=huge).begin(ash=12, orc=9)
    play.do("opportunity", who="ash", target="orc", kind="clothesline", chance=90)
    play.do("answer", prompt=play.prompt("mismatch").id, choice="bounces")
    assert play.got("Missed", attacker="ash")
    again = table(None, None, ash=MAN, orc=huge).begin(ash=12, orc=9)
    again.do("opportunity", who="ash", target="orc", kind="trip", chance=90, rolls={"check": [1]})
    assert again.got("Hit", attacker="ash")


def test_cs_445_a_move_by_is_for_who_passes_a_foe_that_stands() -> None:
    """CS-445."""
    board = any_board(SquareBoard(40, 12))
    play = table(
        board, {"pulse_movement": True}, ash={"at": "B3", "facing": 0, "weapons": [SWORD], "move": {"full": 12}},
        orc={"side": "foe", "at": "H4", "facing": 2, "weapons": [SWORD], "move": {"full": 12}},
    ).begin(ash=12, orc=9)  # fmt: skip
    play.do("plan", who="ash", to="T3").to("pulse").do("run_pulses")
    play.refused("CS-445", "opportunity", who="orc", target="ash", kind="move_by", hit=False)
    assert play.do("opportunity", who="ash", target="orc", kind="move_by", hit=False).got("Missed")


def test_cs_444_who_is_tripped_on_the_run_is_hurt_by_his_own_speed() -> None:
    """CS-444, CS-348: a tenth of (18 + 13) / 2, and 12 mph."""
    play = table(None, None, ash=MAN, orc=PREY).begin(orc=12, ash=9).to("declare", "orc")
    play.do("move", who="orc", feet=100, speed=12, meets="ash").do("advance")
    play.do("opportunity", who="ash", target="orc", kind="trip", hit=True)
    assert [value for _, value, _ in play.got("BlowLanded").parts if value != "+0"] == ["+2", "+12"]  # type: ignore[attr-defined]


def test_cs_447_who_collapses_is_not_asked_whether_he_falls() -> None:
    """CS-447, CS-624: of the tenth wound he goes down anyway."""
    play = table(None, None, ash=MAN, orc=PREY).begin(ash=12, orc=9)
    play.do("opportunity", who="ash", target="orc", kind="clothesline", hit=True, pot=60)
    assert play.got("Collapsed", who="orc")
    assert play.asks() == ["check"]


# Dice that were thrown before a question


def test_cs_466_dice_that_were_thrown_count_after_the_gms_word() -> None:
    """CS-466, M-01: the faces are kept with the question, and are nobody's if he bounces off."""
    giant = {"sta": 60, "str": 30}
    play = check(meeting(small=giant), defence="stand", **WON)
    assert play.prompt("mismatch").rule == "CS-466"
    play.do("answer", prompt="mismatch", choice="roll")
    assert [one.roll for one in play.all("CheckResolved")] == [20, 90]  # type: ignore[attr-defined]
    bounced = check(meeting(small=giant), defence="stand", **WON).do("answer", prompt="mismatch", choice="bounces")
    assert bounced.got("BodiesMet", outcome="rebound")


def test_m_02_dice_of_both_count_although_no_chance_was_known() -> None:
    """M-01, M-02, CS-455."""
    play = check(meeting(), defence="stand", rolls={"check": [20], "defence": [90]})
    play.do("answer", prompt="check", amount=60).do("answer", prompt="check", amount=40)
    assert [(one.who, one.roll) for one in play.heard if one.type == "CheckResolved"] == [("ash", 20), ("orc", 90)]  # type: ignore[attr-defined]
    assert play.got("BodiesMet", outcome="thrown")


def test_cs_442_a_die_that_was_thrown_counts_when_the_gm_says_that_he_reaches() -> None:
    """CS-442."""
    play = table(None, None, ash=MAN, orc=PREY).begin(ash=12, orc=9)
    play.do("opportunity", who="ash", target="orc", distance=5, chance=50, rolls={"check": [50]})
    play.do("answer", prompt="reach", choice="yes")
    assert play.got("CheckResolved", roll=50, ok=True)
