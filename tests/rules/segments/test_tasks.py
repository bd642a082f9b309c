"""What Actions take: table 4-1, goals broken down, helpers, pairs, parts in use, distance (CS-120..149, 390..393)."""

from __future__ import annotations

from typing import cast

import pytest

from fightcall_engine.systems.segments.rules.formulas import components

from ..once import played_once
from .table import Play, table


@played_once
def play(sheet: dict[str, object] | None = None, **settings: object) -> Play:
    return table(settings=settings, ash=sheet or {}, bo={}, orc={"side": "foe"}).begin()


def declare(at: Play, *parts: str, who: str = "ash", **more: object) -> Play:
    return at.do("declare", who=who, components=list(parts), **more)


def declared(at: Play, who: str = "ash") -> dict[str, object]:
    return cast(dict[str, object], at.see(who)["declared"])


def qa(at: Play) -> object:
    return declared(at)["qa_need"]


def pass_by(at: Play, segments: int = 1) -> Play:
    """Step on, each default taken, until so many segments have ended; every new one with an Initiative."""
    wanted = at.state.round + segments
    while at.state.round < wanted:
        at.do("advance") if at.state.phase != "initiative" else at.begin()
    return at.begin()


# Lengths


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("tie_knot",), 4),
        (("dismount",), 1),
        (("don_coat",), 12),
        (("don_boot:2", "don_hat"), 9),
        (("draw_missile", "nock_draw"), 4),
        (("doff_coat",), 6),
        (("doff_hat",), 1),
        (("doff_robe",), 4),
        (("doff_boot:2",), 4),
        (("rummage:3",), 16),
        (("rummage:0",), 4),
        (("climb the wall=6",), 6),
        (("don", "coat"), 12),
        (("don", "boot:2", "Don", "hat"), 9),
        (("Drop", "or", "Grab", "climb", "the", "wall=6", "turn_half"), 9),
        (("doff", "coat"), 6),
        (("saddle_own_own", "mount_own"), 42),
        (("turn_half",), 2),
    ],
    ids=["CS-130", "CS-130 1/4", "CS-130 long", "CS-125 CS-130 counted", "CS-125", "G-30 CS-134", "G-30 CS-134 hat",
         "G-30 CS-134 robe", "CS-134 counted", "CS-138", "CS-138 A-27", "CS-131", "CS-130 blank",
         "CS-125 blanks", "CS-131 blanks", "CS-134 blank", "CS-125 saddled", "CS-130 turn"],
)  # fmt: skip
def test_cs_125_cs_130_cs_134_g_30_a_goal_takes_what_its_parts_take(parts: tuple[str, ...], expected: int) -> None:
    """CS-125, CS-130, CS-134, G-30."""
    assert qa(declare(play(), *parts)) == expected


def test_cs_130_every_line_of_the_table_can_be_picked_with_its_time() -> None:
    """CS-130."""
    for key, line in components().items():
        if line.qa is not None and not line.helper:
            assert qa(declare(play(), key)) == line.qa, key


def test_cs_128_an_ordinary_action_is_one_slot() -> None:
    """CS-128."""
    at = play().do("declare", who="ash", text="shout an order")
    assert (qa(at), declared(at)["due"]) == (4, "now")


@pytest.mark.parametrize(
    ("given", "expected"),
    [({"qa": 7}, 7), ({"segments": 3}, 12), ({"seconds": 25}, 12), ({"seconds": 60}, 24), ({"seconds": 1}, 4)],
    ids=["CS-132 qa", "CS-141 segments", "CS-142 25 s", "CS-142 a minute", "CS-142 1 s"],
)
def test_cs_132_cs_141_cs_142_times_are_typed_in_other_units_too(given: dict[str, object], expected: int) -> None:
    """CS-132, CS-141, CS-142."""
    at = play().do("declare", who="ash", text="a long spell", **given)
    assert qa(at) == expected
    play().refused("CS-132", "declare", who="ash", text="a spell", **dict.fromkeys(given, 0))


def test_cs_129_g_28_double_time_halves_the_difficulty() -> None:
    """CS-129, G-28."""
    at = play().do("declare", who="ash", text="pick the lock", dv=27, qa=4, double_time=True)
    assert qa(at) == 8
    assert at.one("ash").record.action.dv == 14


def test_cs_129_a_difficulty_that_is_said_only_as_it_is_rolled_is_halved_too() -> None:
    """CS-129: in the Resolution as in the declaration."""
    at = play().do("declare", who="ash", text="pick the lock", double_time=True)
    at = pass_by(at).to("resolve", "ash").do("resolve", who="ash", av=20, dv=27)
    assert at.got("CheckRequested").dv == 14


@pytest.mark.parametrize(
    ("deed", "dvs"),
    [
        ({"what": "leap", "feet": 13}, [7]),
        ({"what": "find", "others": 3}, [3]),
        ({"what": "throw", "other": "bo", "feet": 45, "pounds": 1, "size": 1}, [2, 3]),
    ],
)
def test_cs_129_what_is_done_with_objects_in_twice_the_time_is_half_as_difficult(
    deed: dict[str, object], dvs: list[int]
) -> None:
    """CS-129, L256: any skill or ability; who catches what is thrown has no more time than ever."""
    at = play().do("declare", who="ash", action="object", double_time=True)
    at = pass_by(at).to("resolve", "ash").do("handle", who="ash", thing="key", **deed)
    assert at.got("CheckRequested", who="ash").dv == dvs[0]
    at.do("answer", choice="made")
    assert [check.dv for check in at.all("CheckRequested")] == dvs[1:]


def test_cs_129_double_the_time_is_two_actions_of_one_segment_for_the_quick() -> None:
    """CS-129, CS-133: due in the second pass; given up in the first, the second is free for something else (CS-143)."""
    at = play({"roa": 2}).do("declare", who="ash", text="pick the lock", dv=27, double_time=True)
    assert declared(at)["due"] == "pass 2"
    at.do("confirm", who="ash").do("abort", who="ash")
    at.until(lambda: at.state.step is not None and at.state.step.id == "declare.2.ash")
    at.do("declare", who="ash", text="shout").got("Declared", who="ash", due="now")


def test_cs_131_the_gm_adds_an_act_to_the_table() -> None:
    """CS-131."""
    at = play()
    at.refused("CS-130", "declare", who="ash", components=["climb_wall"])
    at.do("rule", what="task", value="Climb wall=6")
    assert qa(declare(at, "climb_wall:2")) == 12
    at.do("rule", what="task", value="climb wall=0")
    at.refused("CS-130", "declare", who="ash", components=["climb_wall"])
    for wrong in ("climb", "don_hat=2", "=3", "climb=x"):
        at.refused("CS-131", "rule", what="task", value=wrong)


@pytest.mark.parametrize("wrong", ["fly", "don_boot:0", "don_boot:x", "rummage:-1", "climb=0", "climb=x", "doff_knot"])
def test_cs_130_what_is_in_no_table_is_refused_with_what_would_do(wrong: str) -> None:
    """CS-130."""
    at = play()
    no = at.refused(
        "CS-138" if wrong.startswith("rummage") else "CS-131" if "=" in wrong else "CS-130",
        "declare", who="ash", components=[wrong],
    )  # fmt: skip
    assert no.accepts


def test_cs_138_how_many_objects_are_in_the_way_is_asked_for() -> None:
    """CS-138."""
    at = declare(play(), "rummage")
    assert at.asks() == ["piece"]
    at.do("answer", amount=2)
    assert qa(at) == 12
    assert "2 objects in it" in str(declared(at)["text"])
    other = declare(play(), "rummage").do("answer", choice="cancel")
    assert declared_nothing(other)


def declared_nothing(at: Play) -> bool:
    return at.see("ash")["declared"] is None


# Bows and knots


BOW = {"name": "longbow", "kind": "missile", "family": "bow", "str_rating": 18, "hand": "2"}


def test_cs_139_g_33_a_bow_too_strong_takes_a_str_check_and_a_whole_action_each_try() -> None:
    """CS-139, G-33."""
    at = declare(play({"str": 14, "weapons": [BOW]}), "string_bow")
    assert qa(at) == 4
    assert at.one("ash").record.action.dv == 10
    assert at.one("ash").record.action.rolled is True
    assert qa(declare(play({"str": 18, "weapons": [BOW]}), "string_bow")) == 2
    assert qa(declare(play({"str": 12}), "string_bow:13")) == 4


def test_cs_139_the_progressive_scale_is_the_fights_own() -> None:
    """CS-139."""
    at = declare(play({"str": 14, "weapons": [BOW]}, progressive="linear"), "string_bow")
    assert at.one("ash").record.action.dv == 4


@pytest.mark.parametrize(
    ("own", "tier", "segments"),
    [({"str": 20, "mod": {"crd": 1}}, "18/35", 1), ({"str": 15}, "24", 2), ({"str": 25, "mod": {"crd": 3}}, "20/0", 1)],
    ids=["G-32 first", "G-32 second", "G-32 third A-26"],
)
def test_cs_140_g_32_untying_a_knot(own: dict[str, object], tier: str, segments: int) -> None:
    """CS-140, G-32."""
    assert qa(declare(play(own), f"untie_knot:{tier}")) == segments * 4


def test_cs_140_who_tied_it_is_named_or_asked_for() -> None:
    """CS-140."""
    sailor = {"str": 18, "trades": [{"name": "Mariner", "sl": 35}]}
    at = table(ash={"str": 15}, bo=sailor).begin()
    assert qa(declare(at, "untie_knot", target="bo")) == 16
    other = declare(play({"str": 15}), "untie_knot")
    assert other.prompt("piece").rule == "CS-140"
    for nobody in ("tight", "1000", "18/1000", "18/x"):
        other.refused("CS-140", "answer", amount=nobody)
    other.do("answer", amount="24")
    assert qa(other) == 8


# Helpers


def test_cs_137_plate_is_put_on_by_another_person() -> None:
    """CS-137."""
    at = play()
    at.refused("CS-137", "declare", who="ash", components=["don_plate_limb"])
    at.refused("CS-136", "declare", who="ash", components=["don_plate_limb"], helper="ash")
    declare(at, "don_plate_limb", helper="bo").do("confirm", who="ash")
    assert qa(at) == 32
    assert declared(at, "bo")["text"] == "help Ash: Don plate armour on one limb"
    assert at.see("ash")["committed"] == ["body"]
    assert set(cast(list[str], at.see("bo")["committed"])) == {"R", "L", "legs"}


def test_cs_137_g_34_four_limbs_take_32_segments() -> None:
    """CS-137, G-34."""
    at = declare(play(), "don_plate_limb:4", helper="bo")
    assert qa(at) == 128
    assert declared(at)["due"] == "CS 32"


def test_cs_136_helper_and_wearer_are_bound_until_it_is_done_or_given_up() -> None:
    """CS-136."""
    at = play().do("rule", what="sleeves", who="ash", value=False)
    declare(at, "don_sleeve", helper="bo").do("confirm", who="ash")
    at.do("abort", who="bo")
    assert declared(at)["state"] == "aborted"
    assert at.see("ash")["committed"] == at.see("bo")["committed"] == []


def test_cs_136_with_the_work_the_help_is_done() -> None:
    """CS-136."""
    at = declare(play(), "don_sleeve", helper="bo")
    pass_by(at, 2)
    assert at.state.round == 3
    done = [one.outcome for one in at.heard if one.type == "Resolved"]  # type: ignore[attr-defined]
    assert done == ["done", "done"]
    assert at.one("bo").record.helps == ""


@pytest.mark.parametrize(
    ("wearer", "helper", "part", "due"),
    [
        ("1", "1/2", "don_sleeve", 4),
        ("1", "1/2", "don_plate_limb", 16),
        ("1", "2", "don_plate_limb", 4),
        ("2", "1", "don_plate_limb", 8),
        ("1/2", "3/2", "don_plate_limb", 6),
    ],
)
def test_cs_136_cs_137_the_actions_are_those_of_whoever_helps(wearer: str, helper: str, part: str, due: int) -> None:
    """CS-136, CS-137, L275: what another must do takes 8 Actions of the other's; the wearer stands until it is done."""
    at = table(ash={"roa": wearer}, bo={"roa": helper}, orc={"side": "foe"}).begin().to("declare", "ash")
    declare(at, part, helper="bo").do("confirm", who="ash")
    pass_by(at, due - 1)
    assert [declared(at, who)["state"] for who in ("ash", "bo")] == ["committed", "committed"]
    pass_by(at)
    assert at.see("ash")["committed"] == at.see("bo")["committed"] == []
    assert at.one("bo").record.helps == ""


def test_cs_136_a_helper_who_has_acted_already_begins_in_the_next_segment() -> None:
    """CS-136, CS-095: two Actions of one who has one in each segment, declared in the second pass of the quick."""
    at = table(ash={"roa": 2}, bo={}, orc={"side": "foe"}).begin().to("declare", "bo")
    at.do("declare", who="bo", text="sing")
    at.until(lambda: at.state.step is not None and at.state.step.id == "declare.2.ash")
    declare(at, "don_sleeve", helper="bo").do("confirm", who="ash")
    assert [declared(at, who)["due"] for who in ("ash", "bo")] == ["CS 3 pass 2", "CS 3"]


def test_cs_136_a_helper_at_work_already_helps_nobody_else() -> None:
    """CS-136."""
    at = play().do("declare", who="ash", components=["don_sleeve"], helper="bo").do("advance")
    at.to("declare", "orc")
    no = at.refused("CS-146", "declare", who="orc", components=["don_sleeve"], helper="bo")
    assert "help Ash" in no.message


def test_cs_136_alone_it_takes_both_hands() -> None:
    """CS-136."""
    at = declare(play(), "don_sleeve").do("confirm", who="ash")
    assert at.see("ash")["committed"] == ["R", "L"]


def test_cs_135_sleeves_that_are_tied_on_go_with_the_coat() -> None:
    """CS-135."""
    at = play().do("rule", what="sleeves", who="ash", value=True)
    no = at.refused("CS-135", "declare", who="ash", components=["don_sleeve"])
    assert "don_coat" in no.accepts


# Long work


def test_cs_133_cs_149_g_127_a_crossbow_takes_four_actions() -> None:
    """CS-133, CS-149, G-127."""
    at = declare(play(), "windlass=12", "draw_missile", "nock_draw", action="shoot", target="orc")
    assert (qa(at), declared(at)["due"]) == (16, "CS 4")
    for done in (4, 8, 12):
        pass_by(at)
        assert declared(at)["qa_done"] == done
    assert at.to("resolve", "ash").state.round == 4


def test_cs_149_g_127_a_faster_one_is_done_a_segment_earlier() -> None:
    """CS-149, G-127."""
    at = declare(play({"roa": "3/2"}), "windlass=12", "draw_missile", "nock_draw", action="shoot", target="orc")
    assert declared(at)["due"] == "CS 3"
    at.to("resolve", "ash")
    assert (at.state.round, at.see("ash")["slots"]) == (3, 1)


def test_cs_143_g_127_abort_loses_the_progress_and_frees_the_hands() -> None:
    """CS-143, G-127."""
    at = declare(play(), "windlass=12", "draw_missile", "nock_draw", action="shoot", target="orc")
    pass_by(at).do("abort", who="ash")
    assert at.got("ActionAborted")
    assert at.see("ash")["committed"] == []
    at.to("declare", "ash").do("declare", who="ash", text="run")
    assert declared(at)["qa_done"] == 0


def test_cs_102_g_08_half_an_action_is_done_in_each_segment() -> None:
    """CS-102, G-08."""
    at = play({"roa": "1/2"}).to("declare", "ash").do("declare", who="ash", text="turn the crank", action="task")
    pass_by(at)
    progressed = [one for one in at.heard if one.type == "ActionProgressed"]
    assert (progressed[0].done, progressed[0].need) == (2, 4)  # type: ignore[attr-defined]
    assert not [one for one in at.heard if one.type == "Resolved"]
    pass_by(at)
    assert [one.who for one in at.heard if one.type == "Resolved"] == ["ash"]  # type: ignore[attr-defined]


def test_cs_133_at_initiative_the_gm_is_told_what_is_due_in_this_segment_and_no_sooner() -> None:
    """CS-102, CS-133: a third of an Action in each, so that it is the third segment."""
    at = play({"roa": "1/3"}).to("declare", "ash").do("declare", who="ash", text="turn the crank", action="task")
    told = {}
    for _ in range(2):
        at.to("initiative")
        told[at.state.round] = [line for line in at.fight.system.reminders(at.state) if line.startswith("Due")]
        at.begin()
    assert told == {2: [], 3: ["Due in this segment: Ash: turn the crank"]}


@pytest.mark.parametrize(
    ("roa", "given", "due"),
    [
        ("3/2", {"segments": 1}, "now"),
        ("3/2", {"segments": 3}, "CS 3"),
        ("3/2", {"seconds": 15}, "CS 2 pass 2"),
        ("3/4", {"segments": 1}, "CS 2"),  # no Action is owed in the first
        ("3/4", {"segments": 3}, "CS 3"),
        ("2/3", {"seconds": 95}, "CS 11"),  # ten segments, and no Action falls in the tenth
        ("2", {"segments": 2}, "CS 2 pass 2"),
        ("5/2", {"components": ["untie_knot:31"]}, "CS 3 pass 2"),
    ],
)
def test_cs_142_segments_are_as_long_for_everybody(roa: str, given: dict[str, object], due: str) -> None:
    """CS-132, CS-142, CS-007: what is told in segments or seconds ends with the last Action that falls in them."""
    at = play({"roa": roa}).to("declare", "ash").do("declare", who="ash", text="chant", **given)
    assert declared(at)["due"] == due


def test_cs_127_what_needs_dice_waits_for_its_resolution() -> None:
    """CS-127."""
    at = play().do("declare", who="ash", text="pick the lock", dv=20, skill=30, segments=2)
    pass_by(at)
    assert at.to("resolve", "ash").state.round == 2
    assert declared(at)["state"] == "committed"


def test_cs_126_what_the_other_hand_does_runs_along_with_a_strike() -> None:
    """CS-126."""
    at = play({"weapons": [{"name": "sword"}]})
    declare(at, "drop_or_grab", target="orc", action="strike").do("confirm", who="ash")
    assert qa(at) == 4
    assert at.see("ash")["committed"] == ["R", "L"]


def test_cs_120_hands_and_legs_are_parts_of_their_own() -> None:
    """CS-120."""
    at = declare(play(), "rummage:0", parts=["L"]).do("confirm", who="ash")
    assert at.see("ash")["committed"] == ["L"]
    play().refused("CS-120", "declare", who="ash", components=["tie_knot"], parts=["tail"])


@pytest.mark.parametrize("text", ["run to the door", "leap the gap", "turn about"])
def test_cs_121_movement_alone_is_an_action(text: str) -> None:
    """CS-121."""
    at = play({"move": {"full": 12}}).do("declare", who="ash", text=text, action="move").do("confirm", who="ash")
    assert at.see("ash")["committed"] == ["legs"]
    at.refused("CS-097", "move", who="ash", feet=177)
    at.do("move", who="ash", feet=176)


@pytest.mark.parametrize(
    "given",
    [
        {"components": ["drop_or_grab"], "target": "orc", "action": "strike"},
        {"components": ["turn_quarter", "drop_or_grab"]},
        {"components": ["draw", "move"]},
    ],
    ids=["with an attack", "with one another", "with movement"],
)
def test_cs_122_small_acts_mix_with_movement_and_attacks(given: dict[str, object]) -> None:
    """CS-122."""
    at = play({"move": {"full": 12}}).do("declare", who="ash", **given)
    assert qa(at) in (2, 4)
    at.do("move", who="ash", feet=176)


def test_cs_122_a_rise_opens_a_move_and_a_drop_closes_it() -> None:
    """CS-122, CS-104."""
    at = play({"posture": "prone", "move": {"full": 12}}).do("declare", who="ash", action="move")
    at.do("posture", who="ash", posture="standing").do("move", who="ash", feet=176)
    at.do("posture", who="ash", posture="prone")
    assert at.see("ash")["posture"] == "prone"


# Distance


@pytest.mark.parametrize(
    ("parts", "feet"),
    [((), 176), (("a=1",), 132), (("a=2",), 88), (("a=1", "b=2"), 44), (("a=2", "b=2"), 0), (("a=3", "b=2"), 176)],
    ids=["G-29", "G-29 CS-144", "G-29", "G-29 A-23", "A-23 nothing left", "CS-103 a longer task"],
)
def test_cs_144_g_29_smaller_acts_take_their_share_of_the_distance(parts: tuple[str, ...], feet: float) -> None:
    """CS-144, G-29."""
    at = declare(play({"move": {"full": 12}}), *parts, action="task")
    assert at.see("ash")["feet_left"] == feet


@pytest.mark.parametrize(("reading", "feet"), [("free", 176), ("table_fraction", 88)])
def test_cs_104_cs_105_a_22_what_is_done_in_passing(reading: str, feet: float) -> None:
    """CS-104, CS-105, A-22."""
    at = declare(play({"move": {"full": 12}}, partial_moves_cost=reading), "turn_quarter", "drop_or_grab")
    assert at.see("ash")["feet_left"] == feet


@pytest.mark.parametrize(
    ("reading", "first", "second", "left"),
    [
        ("free", "torch_flame", "shout=4", 92),
        ("free", "torch_flame", "draw_missile", 4),
        ("free", "turn_quarter", "shout=4", 136),
        ("table_fraction", "turn_quarter", "shout=4", 92),
    ],
)
def test_cs_097_cs_144_what_smaller_acts_take_of_the_distance_is_gone_for_the_whole_segment(
    reading: str, first: str, second: str, left: float
) -> None:
    """CS-097, CS-144, L194, L305: of 176 ft a quarter goes with the first Action, and comes back with no later one."""
    at = declare(play({"roa": 2}, partial_moves_cost=reading), first).do("move", who="ash", feet=40)
    at.until(lambda: at.state.step is not None and at.state.step.id == "declare.2.ash")
    assert declare(at, second).see("ash")["feet_left"] == left
    at = pass_by(at)
    assert at.see("ash")["feet_left"] == 176


@pytest.mark.parametrize(("reading", "feet"), [("free", 176), ("table_fraction", 132)])
@pytest.mark.parametrize("kind", ["strike", "charge", "hurl"])
def test_cs_105_cs_123_a_weapon_is_drawn_into_an_attack_at_full_speed(kind: str, reading: str, feet: float) -> None:
    """CS-105, CS-123, L210: drawing a weapon takes nothing of the distance."""
    at = play({"weapons": [{"name": "dirk", "hurlable": True}], "hands": {}}, partial_moves_cost=reading)
    declare(at, "draw", action=kind, target="orc", weapon="dirk", force=True)
    assert at.see("ash")["feet_left"] == feet


@pytest.mark.parametrize(
    ("moved", "component", "most"), [(176, "torch_flame", 132), (133, "torch_flame", 132), (89, "draw_missile", 88)]
)
def test_cs_144_whoever_has_moved_first_does_beside_it_no_more_than_whoever_moves_after_it(
    moved: float, component: str, most: float
) -> None:
    """CS-144, L305: a quarter of an Action leaves three quarters of the distance, whichever comes first."""
    at = play().do("wait", who="ash").do("move", who="ash", feet=most)
    late = at.copy().do("move", who="ash", feet=moved - most)
    assert f"the limit is {most} ft" in late.refused("CS-144", "declare", who="ash", components=[component]).message
    late.do("declare", who="ash", components=[component], force=True).got("Overridden", rule="CS-144")
    declare(at, component).got("DeclarationInserted", who="ash")


# Pairs


def test_cs_390_g_72_listed_pairs_are_one_action_in_their_order_and_some_the_other_way_round() -> None:
    """CS-390, G-72."""
    for pair in (("turn", "fire"), ("fire", "turn"), ("draw", "turn"), ("turn", "draw"), ("move", "strike")):
        at = declare(play({"weapons": [BOW]}), *pair, target="orc")
        assert qa(at) == 4, pair
        assert "Declared" in at.names()


def test_cs_390_an_attack_in_a_pair_is_that_attack() -> None:
    """CS-390."""
    at = declare(play({"weapons": [BOW]}), "turn", "fire", target="orc")
    assert declared(at)["action"] == "shoot"
    assert declared(declare(play(), "grab", "strike", target="orc"))["action"] == "strike"
    assert declared(declare(play(), "drop", "crawl"))["action"] == "move"
    assert declared(declare(play(), "drop", "draw"))["action"] == "task"


def test_cs_392_g_72_an_unlisted_pair_is_the_gms_to_allow_once_or_from_now_on() -> None:
    """CS-392, G-72."""
    at = declare(play(), "strike", "move", target="orc")
    assert at.asks() == ["pair"]
    at.do("advance")
    assert declared_nothing(at), "no unless the GM says so"
    declare(at, "strike", "move", target="orc").do("answer", choice="once")
    assert declared(at)["action"] == "strike"
    declare(at, "strike", "move", target="orc").do("answer", choice="keep")
    declare(at, "strike", "move", target="orc")
    assert at.got("Declared")
    assert at.state.remembered["pairs"] == (("strike", "move"),)


def test_cs_392_the_gm_may_insist_or_save_a_pair_unasked() -> None:
    """CS-392."""
    at = declare(play(), "strike", "move", target="orc", force=True)
    assert at.got("Overridden", rule="CS-392")
    other = play().do("rule", what="pair", value="strike/move")
    assert "Declared" in declare(other, "strike", "move", target="orc").names()
    other.refused("CS-392", "rule", what="pair", value="sing/dance")


@pytest.mark.parametrize(("before", "after"), [("prone", "kneeling"), ("kneeling", "standing")])
def test_cs_391_g_72_a_rise_with_a_strike_is_half_a_rise(before: str, after: str) -> None:
    """CS-391, G-72."""
    at = play().do("adjust", who="ash", what="posture", value=before)
    declare(at, "rise", "strike", target="orc").do("confirm", who="ash")
    assert at.see("ash")["posture"] == after


def test_cs_391_who_stands_does_not_rise() -> None:
    """CS-391."""
    play().refused("CS-391", "declare", who="ash", components=["rise", "strike"], target="orc")


def test_cs_393_an_act_beside_movement_takes_a_quarter_or_a_half_as_the_gm_says() -> None:
    """CS-393."""
    at = declare(play({"move": {"full": 12}}), "move", "strike", target="orc")
    assert at.see("ash")["feet_left"] == 132
    assert at.offers() == ["share"]
    at.do("answer", choice="half")
    assert at.see("ash")["feet_left"] == 88
    said = declare(play({"move": {"full": 12}}), "move", "strike=2", target="orc")
    assert said.see("ash")["feet_left"] == 88
    turning = declare(play({"move": {"full": 12}}), "move", "turn")
    assert turning.see("ash")["feet_left"] == 176
    assert not turning.offers()


# Sums


def test_cs_125_the_parts_of_a_length_are_told() -> None:
    """CS-125."""
    at = declare(play({"str": 15}), "don_boot:2", "untie_knot:24")
    parts = {part.label: (part.value, part.rule) for part in at.fight.explain("ash", "due").parts}
    assert parts["Don a boot or shoe x2"] == ("8 quarters", "CS-130")
    assert parts["Untie a knot, tied by STR 24"] == ("8 quarters", "CS-140")
    assert parts["quarter-actions needed"][0] == "16"


@pytest.mark.parametrize(
    ("components", "action", "parts", "parries"),
    [
        (("block", "turn"), "defend", [], True),
        (("turn", "parry"), "defend", [], True),
        (("dodge", "drop"), "defend", [], True),
        (("move", "turn"), "move", ["legs"], True),
        (("turn_half",), "move", ["legs"], True),
        (("draw", "turn"), "task", [], True),  # to draw goes with a Parry or Block above all (CS-123)
        (("grab", "turn"), "task", ["R", "L"], False),
        (("tie_knot",), "task", ["R", "L"], False),
    ],
)
def test_cs_390_a_pair_binds_no_more_than_its_acts(
    components: tuple[str, ...], action: str, parts: list[str], parries: bool
) -> None:
    """CS-120, CS-121, CS-123, CS-147, CS-166, CS-390: a Block or Parry with a Turn is a full defence."""
    sword = {"name": "sword", "av": 30}
    at = table(None, None, orc={"side": "foe", "weapons": [sword]}, ash={"weapons": [sword]}).begin()
    at.do("declare", who="orc", target="ash").to("declare", "ash")
    at.do("declare", who="ash", components=list(components), target="orc").to("resolve", "orc")
    assert (at.see("ash")["declared"]["action"], at.see("ash")["committed"]) == (action, parts)  # type: ignore[index]
    assert at.see("ash")["full_defence"] == ("orc" if action == "defend" else "")
    if parries:
        assert at.do("resolve", who="orc", defence="parry sword", hit=False).got("Missed")
    else:
        at.refused("CS-147", "resolve", who="orc", defence="parry sword", hit=False)


def test_cs_390_who_rises_to_move_is_up() -> None:
    """CS-390, CS-391, L2433; put right 36: Rise/Move is no half rise, and the move does both."""
    at = play({"posture": "prone"}).do("declare", who="ash", components=["rise", "move"])
    at.do("move", who="ash", feet=20)
    assert (at.see("ash")["posture"], at.see("ash")["move_used"]) == ("standing", 20)
    at = play({"posture": "prone"}).do("declare", who="ash", components=["rise", "move"])
    assert at.do("confirm", who="ash").do("move", who="ash", feet=20).see("ash")["posture"] == "standing"
    play({"posture": "prone"}).do("declare", who="ash", action="move").refused("CS-104", "move", who="ash", feet=20)


def test_cs_144_the_feet_that_are_left_are_told_act_by_act() -> None:
    """CS-144, CS-186, A-22, A-23."""
    at = declare(play({"move": {"full": 13}}), "torch_flame", "turn_quarter", "draw_missile")
    told = at.fight.explain("ash", "feet")
    assert told.total == "48 ft"
    assert [part.value for part in told.parts] == ["13 mph", "191 ft", "-1/4", "free", "-1/2", "48 ft", "-0 ft"]
    at.do("configure", setting="partial_moves_cost", value="table_fraction")
    told = at.fight.explain("ash", "feet")
    assert [part.value for part in told.parts][2:] == ["-1/4", "-1/4", "-1/2", "0 ft", "-0 ft"]


@pytest.mark.parametrize(("piece", "rule"), [("rummage", "CS-138"), ("untie_knot", "CS-140")])
def test_the_preview_of_a_task_says_what_will_be_asked(piece: str, rule: str) -> None:
    """CS-138, CS-140; put right 9: a piece that needs a number is a question in the preview, not a fault."""
    at = play()
    command = at.fight.codec.command("declare", {"who": "ash", "action": "task", "components": [piece]})
    preview = at.fight.preview(command)
    assert (preview.can_run, [row.rule for row in preview.rows]) == (True, [rule])
    at.fight.do(command)
    assert [prompt.rule for prompt in at.state.prompts] == [rule]
