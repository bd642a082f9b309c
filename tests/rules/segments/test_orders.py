"""Orders that can come to nothing are refused as they are given, and none is lost unasked (CS-092, CS-250..340)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress

import pytest

from fightcall_engine.board.base import Square, Terrain
from fightcall_engine.board.kinds import SquareBoard, any_board
from fightcall_engine.model.errors import Refused

from ..once import played_once
from .table import DAGGER, POLEARM, SWORD, Play, table

BOW: Mapping[str, object] = {"name": "bow", "kind": "missile", "family": "bow", "av": 40, "size": 5, "hand": "2"}
CROSSBOW = {"name": "arbalest", "kind": "missile", "family": "crossbow-light", "av": 40, "size": 3, "hand": "2"}
STRIKE = {"who": "ash", "action": "strike", "target": "orc"}


@played_once
def field(
    ash: Mapping[str, object],
    orc: Mapping[str, object] | None = None,
    *,
    far: int = 1,
    walls: tuple[Square, ...] = (),
    cols: int = 60,
    **settings: object,
) -> Play:
    """Ash, facing east, is to declare; an orc who looks at him stands so many squares of 5 ft before him."""
    wall = Terrain("wall", glyph="#", blocks=True, blocks_sight=True)
    board = SquareBoard(cols, 5, legend={"wall": wall}, terrain=dict.fromkeys(walls, "wall"), scale=5)
    foe = {"side": "foe", "weapons": [SWORD], "dodge": 13, "at": Square(1 + far, 2), "facing": 4, **(orc or {})}
    play = table(any_board(board), settings, ash={"at": Square(1, 2), "facing": 0, **ash}, orc=foe)
    return play.begin().to("declare", "ash")


# Too far (CS-250)


@pytest.mark.parametrize(
    ("far", "speed", "refused"),
    # 12 mph are 176 ft; between the Zones lie 6 ft less than between the two; a sword lunges over less than 5 ft.
    [(2, 12, False), (36, 12, False), (37, 12, False), (38, 12, True), (10, 3, False), (11, 3, True)],
)
def test_cs_250_who_cannot_come_near_in_this_segment_is_told_so(far: int, speed: int, refused: bool) -> None:
    """CS-090, CS-186, CS-250: 176 ft at 12 mph are 35 squares, 44 ft at 3 mph are 8."""
    play = field({"weapons": [SWORD], "move": {"full": speed}}, far=far)
    if not refused:
        assert play.do("declare", **STRIKE).got("Declared")
        return
    no = play.refused("CS-250", "declare", **STRIKE)
    assert no.accepts == ("move", "wait")
    assert "ft between their Zones" in no.message
    assert "declare-strike" in {each.action for each in play.fight.options("ash") if not each.legal}


@pytest.mark.parametrize(("far", "offered"), [(9, True), (10, False)])
def test_cs_250_no_strike_is_offered_where_the_walk_ends_five_feet_short(far: int, offered: bool) -> None:
    """CS-250: 44 ft at 3 mph are 8 squares; of the 10 ft that are left, 5 ft lie between the Zones."""
    play = field({"weapons": [SWORD], "move": {"full": 3}, "height": 5}, {"height": 5}, far=far)
    strike = play.option("ash", "declare-strike")
    assert (strike.legal, strike.rule) == (offered, "CS-082" if offered else "CS-250")
    if offered:
        assert play.do("declare", **STRIKE).got("Declared")
    else:
        assert "5 ft between their Zones" in play.refused("CS-250", "declare", **STRIKE).message


def test_cs_250_what_he_carries_to_throw_or_shoot_is_named() -> None:
    spear = {**SWORD, "name": "spear", "hurlable": True, "hurl_av": 30}
    play = field({"weapons": [spear]}, far=50)
    assert play.refused("CS-250", "declare", **STRIKE).accepts == ("move", "wait", "hurl")


def test_cs_250_a_wall_without_a_gate_keeps_him_off() -> None:
    """CS-250: near as the crow flies, and no way there."""
    play = field({"weapons": [SWORD]}, far=5, walls=tuple(Square(4, row) for row in range(5)))
    play.refused("CS-250", "declare", **STRIKE)


def test_cs_250_what_he_has_moved_already_is_gone() -> None:
    """CS-097: 176 ft less 150."""
    play = field({"weapons": [SWORD]}, far=40)
    play.do("move", who="ash", to=Square(1, 0)).do("move", who="ash", to=Square(29, 0))
    play.refused("CS-250", "declare", **STRIKE)


def test_cs_250_by_force_it_stands_and_its_resolution_asks_no_more() -> None:
    """CS-250: the GM knows that the foe comes."""
    play = field({"weapons": [SWORD], "move": {"full": 3}}, far=12).do("declare", **STRIKE, force=True)
    assert play.got("Overridden", rule="CS-250")
    assert play.one("ash").record.action.overruled == ("CS-250",)
    play.to("resolve", "ash")
    assert play.option("ash", "strike").legal
    assert play.do("resolve", who="ash", defence="none", hit=True).got("Hit")


def test_cs_250_when_movement_is_over_nothing_is_said_to_be_left_of_it() -> None:
    """CS-090, CS-250: no more can be moved in Resolution; feet are said as a tape shows them."""
    play = field({"weapons": [SWORD]}, far=4, orc={"at": Square(5, 4)}).do("declare", **STRIKE).to("resolve", "ash")
    no = play.refused("CS-250", "resolve", who="ash", defence="none", hit=True)
    assert re.search(r": \d+(\.\d)? ft between their Zones$", no.message)


def test_the_gms_word_counts_for_the_order_as_it_was_given() -> None:
    """CS-250: not for another target."""
    play = table(
        any_board(SquareBoard(60, 5, scale=5)), None,
        ash={"weapons": [SWORD], "at": Square(1, 2), "move": {"full": 3}},
        orc={"side": "foe", "weapons": [SWORD], "at": Square(20, 2)},
        imp={"side": "foe", "weapons": [SWORD], "at": Square(25, 2)},
    ).begin().to("declare", "ash")  # fmt: skip
    play.do("declare", **STRIKE, force=True).to("resolve", "ash")
    play.refused("CS-250", "resolve", who="ash", target="imp", hit=True)
    play.do("resolve", who="ash", target="orc", defence="none", hit=False)


def test_an_attack_that_is_due_later_is_not_judged_yet() -> None:
    """CS-149: who acts every other segment has twenty seconds to come near."""
    play = field({"weapons": [SWORD], "roa": "1/2", "move": {"full": 3}}, far=15)
    assert play.do("declare", **STRIKE).got("Declared").due == "CS 2"  # type: ignore[attr-defined]


# Out of reach (CS-318), and past the weapon (CS-320)


@pytest.mark.parametrize(("size", "refused"), [(5, False), (6, True), (7, True)])
def test_cs_318_a_longer_weapon_is_said_before_it_is_too_late(size: int, refused: bool) -> None:
    """CS-318, CS-320: two feet longer than the sword of Size 4."""
    play = field({"weapons": [SWORD], "dodge": 40}, {"weapons": [{**POLEARM, "size": size}]})
    if not refused:
        assert play.do("declare", **STRIKE).got("Declared")
        return
    assert play.refused("CS-318", "declare", **STRIKE).accepts[0] == "inside: true"
    inside = play.option("ash", "declare-inside")
    assert (inside.legal, inside.inputs[0].choices) == (True, ("orc",))
    play.do("declare", **STRIKE, inside=True).to("resolve", "ash")
    assert "past the weapon" in str(play.one("ash").record.action.text)
    assert play.refused("CS-318", "resolve", who="ash", hit=True).accepts[0] == "get_inside with foe"
    play.do("get_inside", who="ash", foe="orc", hit=True).do("resolve", who="ash", defence="none", hit=True)
    assert play.got("Hit")


def test_cs_318_not_from_a_field_that_the_weapon_does_not_cover() -> None:
    """CS-324: from behind anybody comes near."""
    play = field({"weapons": [DAGGER]}, {"weapons": [POLEARM], "facing": 0})
    assert play.do("declare", **STRIKE).got("Declared")


def test_cs_318_nor_at_the_weapon_itself() -> None:
    """CS-321."""
    play = field({"weapons": [DAGGER]}, {"weapons": [POLEARM]})
    assert play.do("declare", **STRIKE, attack="seize").got("Declared")


def test_cs_319_only_a_blow_steps_inside() -> None:
    play = field({"weapons": [BOW]}, {"weapons": [POLEARM]}, far=9)
    play.refused("CS-319", "declare", who="ash", action="shoot", target="orc", inside=True)


# No line, too near, too far for what flies (CS-251, CS-273)


def test_cs_251_no_line_is_said_when_the_shot_is_ordered() -> None:
    play = field({"weapons": [BOW]}, far=9, walls=(Square(5, 2),))
    given = {"who": "ash", "action": "shoot", "target": "orc"}
    assert play.refused("CS-251", "declare", **given).accepts == ("move", "another target")
    play.do("move", who="ash", to=Square(1, 0))
    assert play.do("declare", **given).got("Declared")


def test_cs_251_nor_is_anybody_shot_at_who_stands_too_near() -> None:
    play = field({"weapons": [BOW]}, far=2)
    no = play.refused("CS-251", "declare", who="ash", action="shoot", target="orc")
    assert no.accepts == ("5 ft or more",)


def test_cs_251_who_has_closed_in_before_the_shot_is_shot_at_no_more() -> None:
    """CS-086, CS-251: whoever saw the archer declare and comes close in time prevents it; no room is 0 ft of it."""
    play = table(any_board(SquareBoard(20, 5)), ash={"weapons": [BOW], "at": "B3"}, orc={"side": "foe", "at": "M3"})
    play.begin().do("declare", who="ash", action="shoot", target="orc").to("declare", "orc")
    play.do("declare", who="orc", target="ash").do("move", who="orc", to="C3").to("resolve", "ash")
    assert "only 0 ft between" in play.refused("CS-251", "resolve", who="ash", chance=50, rolls={"check": [1]}).message


def test_cs_251_bare_hands_do_not_shoot() -> None:
    play = field({"weapons": [SWORD]}, far=9)
    no = play.refused("CS-251", "declare", who="ash", action="shoot", target="orc")
    assert no.accepts == ("hurl", "strike")


@pytest.mark.parametrize(("far", "refused"), [(120, False), (155, False), (156, True)])
def test_cs_273_beyond_a_crossbows_greatest_range(far: int, refused: bool) -> None:
    """CS-273: 200 yd are 600 ft, and 176 ft can be walked first."""
    loaded = {"weapons": [CROSSBOW]}
    play = field(loaded, far=far, cols=200).do("rule", what="crossbow", who="ash", value="loaded")
    given = {"who": "ash", "action": "shoot", "target": "orc"}
    if refused:
        play.refused("CS-273", "declare", **given)
    else:
        assert play.do("declare", **given).got("Declared")


# A field that the hand does not reach (CS-302, CS-306)


@pytest.mark.parametrize(
    ("facing", "turn", "rule"),
    [(4, "", "CS-306"), (4, "turn_half", ""), (6, "", "CS-302"), (6, "turn_quarter", ""), (2, "", ""), (1, "", "")],
)
def test_cs_306_who_stands_behind_is_struck_at_after_a_turn(facing: int, turn: str, rule: str) -> None:
    """CS-301, CS-302, CS-306: the orc stands to the east; Ash has his sword in the right hand."""
    play, given = field({"weapons": [SWORD], "facing": facing}), {**STRIKE, "components": [turn] if turn else []}
    if rule:
        assert "components: turn_half" in play.refused(rule, "declare", **given).accepts
    else:
        assert play.do("declare", **given).got("Declared")


@pytest.mark.parametrize(("facing", "others"), [(6, ["weapon: axe"]), (4, [])])
def test_cs_302_what_the_other_hand_holds_is_named_where_it_reaches(facing: int, others: list[str]) -> None:
    """CS-302, CS-306: at the side it does, behind it does not."""
    axe = {**SWORD, "name": "axe", "hand": "L"}
    armed = {"weapons": [SWORD, axe], "hands": {"R": "sword", "L": "axe"}, "facing": facing}
    play = field(armed)
    accepts = play.refused("CS-302" if others else "CS-306", "declare", **STRIKE).accepts
    assert [entry for entry in accepts if entry.startswith("weapon")] == others
    if others:
        assert play.do("declare", **STRIKE, weapon="axe").got("Declared")


def test_cs_306_who_has_to_walk_up_to_him_faces_him_then() -> None:
    assert field({"weapons": [SWORD], "facing": 4}, far=9).do("declare", **STRIKE).got("Declared")


# In hand (CS-340), standing (CS-111)


def test_cs_340_a_second_weapon_put_by_is_refused_too() -> None:
    axe = {**SWORD, "name": "axe", "hand": "L"}
    play = field({"weapons": [SWORD, axe], "hands": {"R": "sword"}})
    play.refused("CS-340", "declare", **STRIKE, weapon="sword", second="axe")
    assert play.do("declare", **STRIKE, weapon="sword", second="axe", components=["draw"]).got("Declared")


def test_cs_123_a_weapon_is_drawn_for_a_charge_or_a_parry() -> None:
    """CS-123: neither takes longer by it, nor asks anything."""
    sheathed = {"weapons": [SWORD, {**DAGGER, "hand": "L"}], "hands": {"L": "dagger"}}
    for given in ({"action": "charge"}, {"action": "charge", "components": ["draw", "charge"]}):
        play = field(sheathed, far=6)
        play.do("declare", **{"who": "ash", "target": "orc", "weapon": "sword", "components": ["draw"], **given})
        assert play.asks() == []
        assert play.see("ash")["declared"]["qa_need"] == 4  # type: ignore[index]


def test_cs_111_only_the_dead_are_no_target() -> None:
    """CS-111, A-15; put right 34: whoever is down can be struck."""
    play = field({"weapons": [SWORD]}).do("life", who="orc", life="dead")
    play.refused("CS-111", "declare", **STRIKE)
    play = field({"weapons": [SWORD]}).do("life", who="orc", life="unconscious").do("declare", **STRIKE)
    assert play.got("Declared")


def test_what_is_offered_is_only_whom_the_order_can_reach() -> None:
    """CS-250, CS-318: of three foes one can be struck at, one after a step inside."""
    play = table(
        any_board(SquareBoard(60, 5, scale=5)), None,
        ash={"weapons": [SWORD], "at": Square(1, 2), "facing": 0},
        near={"side": "foe", "weapons": [SWORD], "at": Square(2, 2), "facing": 4},
        pike={"side": "foe", "weapons": [POLEARM], "at": Square(2, 3), "facing": 4},
        far={"side": "foe", "weapons": [SWORD], "at": Square(50, 2), "facing": 4},
    ).begin().to("declare", "ash")  # fmt: skip
    assert play.option("ash", "declare-strike").inputs[0].choices == ("near",)
    assert play.option("ash", "declare-inside").inputs[0].choices == ("pike",)


# Nothing is lost unasked (CS-092)


def test_cs_092_going_on_asks_before_an_attack_is_lost() -> None:
    """CS-092: first the question, then by its default the loss."""
    play = field({"weapons": [SWORD]}).do("declare", **STRIKE).to("resolve", "ash").do("advance")
    asked = play.prompt("unsettled")
    assert ([each.id for each in asked.choices], asked.default, asked.who) == (["go", "settle"], "go", "ash")
    assert not play.all("Resolved")
    assert play.do("advance").got("Resolved").outcome == "not carried out"  # type: ignore[attr-defined]


def test_cs_092_answered_it_is_carried_out_as_declared() -> None:
    play = field({"weapons": [SWORD]}, resolution="linear").do("declare", **STRIKE).to("resolve", "ash").do("advance")
    assert play.do("answer", prompt="unsettled", choice="settle").got("CheckResolved")
    assert play.got("Resolved")
    assert play.offers() != ["unsettled"]


def test_cs_092_the_question_says_what_stands_against_it() -> None:
    """CS-092, CS-250: the orc has gone."""
    play = field({"weapons": [SWORD]}).do("declare", **STRIKE).to("resolve", "ash")
    play.do("place", who="orc", at=Square(40, 2)).do("advance")
    asked = play.prompt("unsettled")
    assert "CS-250" in asked.question
    assert [each.id for each in asked.choices] == ["go"]
    play.do("resolve", who="ash", defence="none", hit=True, force=True)
    assert play.offers() == []


def test_cs_092_a_check_is_not_lost_unasked_either() -> None:
    play = table(ash={}, orc={"side": "foe"}).begin().do("declare", who="ash", text="pick the lock", dv=20, skill=30)
    play.to("resolve", "ash").do("advance")
    assert play.offers() == ["unsettled"]
    assert play.do("abort", who="ash").got("ActionAborted")
    assert play.offers() == []


# A charge without its run (CS-539)

CHARGE = {"who": "ash", "action": "charge", "target": "orc"}


def test_cs_539_a_charge_without_its_run_is_said_before_it_comes_to_nothing() -> None:
    """CS-539: once, with what would help; then it stands."""
    play = field({"weapons": [SWORD]}, far=10).do("declare", **CHARGE).do("advance")
    asked = play.prompt("no_way")
    assert (asked.who, asked.rule) == ("ash", "CS-539")
    assert "move first" in asked.question
    play.do("advance")
    assert play.asks() == []
    assert play.state.step.actor != "ash"


def test_cs_539_in_pulses_a_charge_runs_at_its_target_unasked() -> None:
    """CS-230, CS-539: as whoever strikes walks up."""
    play = field({"weapons": [SWORD]}, far=10, pulse_movement=True).do("declare", **CHARGE).do("advance")
    assert play.asks() == []
    play.to("pulse")
    assert [event.who for event in play.fight.line.events() if event.type == "WayPlanned"] == ["ash"]


@pytest.mark.parametrize("pulses", [True, False])
def test_cs_090_a_strike_from_afar_is_said_before_it_comes_to_nothing(pulses: bool) -> None:
    """CS-090: in Pulses whoever strikes walks up; without them that is the movement after one's declaration."""
    play = field({"weapons": [SWORD]}, far=10, pulse_movement=pulses)
    play.do("declare", who="ash", target="orc").do("advance")
    if pulses:
        assert play.asks() == []
        return
    asked = play.prompt("no_way")
    assert (asked.who, asked.rule) == ("ash", "CS-090")
    assert asked.question == "Ash can't reach Orc from here: move first, or the attack fails"
    play.do("move", who="ash", to=Square(9, 2))
    assert play.asks() == []
    play.do("advance")
    assert play.asks() == []
    assert play.state.step.actor != "ash"


def test_cs_539_who_has_run_is_asked_nothing() -> None:
    """CS-539: before it was said, or after."""
    for late in (False, True):
        play = field({"weapons": [SWORD]}, far=10).do("declare", **CHARGE)
        if late:
            assert play.do("advance").prompt("no_way")
        play.do("move", who="ash", to=Square(9, 2))
        assert play.asks() == []
        play.do("advance")
        assert play.asks() == []
        assert play.state.step.actor != "ash"


def test_cs_539_let_it_stand_goes_on_as_advance_does() -> None:
    """CS-539: an answer, and no second question."""
    play = field({"weapons": [SWORD]}, far=10).do("declare", **CHARGE).do("advance")
    play.do("answer", prompt="no_way", choice="go")
    assert play.asks() == []
    assert play.state.step.actor != "ash"


def test_cs_539_who_stands_beside_his_foe_is_asked_nothing() -> None:
    """CS-250: near enough to strike."""
    play = field({"weapons": [SWORD]}, far=1).do("declare", **CHARGE).do("advance")
    assert play.asks() == []


@pytest.mark.parametrize(("in_left", "drawn"), [("", "glaive"), ("buckler", "sword")])
def test_cs_123_the_weapon_that_is_drawn_fits_the_free_hands(in_left: str, drawn: str) -> None:
    """CS-123: a two-handed one wants both."""
    glaive = {**SWORD, "name": "glaive", "two_handed": True}
    buckler = {"name": "buckler", "kind": "shield", "hand": "L"}
    play = field({"weapons": [glaive, SWORD, buckler], "hands": {"R": "", "L": in_left}})
    assert play.option("ash", "declare-strike").label == f"draw and strike ({drawn})"


@pytest.mark.parametrize(("hands", "components"), [({}, "draw"), ({"R": "bow", "L": "bow"}, "drop_or_grab draw")])
def test_cs_123_what_is_in_the_way_is_dropped_in_the_same_action(hands: dict[str, str], components: str) -> None:
    """CS-123, table 4-1: to drop something takes a quarter-action of its own."""
    bow = {"name": "bow", "kind": "missile", "hand": "2", "family": "bow", "av": 40}
    play = field({"weapons": [bow, DAGGER], "hands": {"R": "", "L": "", **hands}})
    assert play.option("ash", "declare-strike").fixed["components"] == components


def test_cs_318_what_reaches_no_foe_is_not_offered_against_a_friend_either():
    """CS-318, CS-342: bare hands do not get past the orc's sword; they would past Bo's dagger."""
    play = table(ash={}, bo={"weapons": [DAGGER]}, orc={"side": "foe", "weapons": [SWORD]}).begin().to("declare", "ash")
    option = play.option("ash", "declare-charge")
    assert (option.legal, option.rule) == (False, "CS-318")
    assert next(each for each in option.inputs if each.name == "target").choices == ("orc",)


# The nearest reason


@pytest.mark.parametrize(
    ("rule", "command", "given"),
    [
        ("weapon", "declare", {"action": "strike", "target": "ash", "weapon": "lance"}),
        ("who", "declare", {"action": "strike", "target": "nobody"}),
        ("CS-340", "declare", {"action": "strike", "target": "orc"}),
        ("CS-111", "declare", {"action": "strike", "target": "ash"}),
        ("CS-111", "move", {"feet": 5}),
        ("CS-094", "resolve", {}),
        ("CS-094", "get_inside", {"foe": "ash"}),
        ("CS-200", "handle", {"what": "pick_up", "thing": "rope"}),
        ("CS-104", "posture", {"posture": "prone"}),
        ("CS-253", "break_off", {}),
        ("CS-084", "confirm", {}),
    ],
)
def test_cs_010_a_refusal_names_the_nearest_reason(rule: str, command: str, given: dict[str, object]) -> None:
    """CS-010, CS-091; put right 36: what is wrong with the order itself, and not whose turn it is."""
    play = table(ash={"weapons": [SWORD]}, orc={"side": "foe", "weapons": [SWORD]}).begin(ash=12, orc=9)
    if rule == "CS-111":
        play.do("life", who="orc", life="unconscious")
    if rule == "CS-104":
        play.do("adjust", who="orc", what="turn_qa", value=4)
    play.refused(rule, command, who="orc", **given)


def test_cs_414_a_friend_who_could_step_in_is_named() -> None:
    """CS-414; put right 36: where a defence is refused, and in the help of the command."""
    play = table(
        ash={"weapons": [SWORD]}, orc={"side": "foe", "weapons": [SWORD]}, imp={"side": "foe", "weapons": [DAGGER]}
    ).begin(ash=12, orc=9, imp=8)
    play.do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    assert "Imp: parry" in play.refused("CS-410", "resolve", who="ash", chance=50, defence="parry axe").accepts
    play.do("resolve", who="ash", chance=50, defence="Imp: parry", rolls={"check": [99]})
    assert play.got("UseCounted", who="imp")


def test_cs_250_a_strike_is_offered_at_those_whom_it_may_be_declared_at() -> None:
    """CS-250, CS-265, CS-306, CS-308, CS-318: beside and far, behind walls, kept off, hidden, too far away."""
    board, wall = SquareBoard(40, 12, 5), Terrain("wall", "#", blocks=True)
    around = ("H1", "I1", "J1", "H2", "J2", "H3", "I3", "J3")
    board = board.with_ground({board.parse(place): wall for place in around})
    places = {"beside": "C3", "behind": "A3", "corner": "C4", "near": "E6", "far": "M5", "too_far": "AN12"}
    places |= {"walled": "I2", "spear": "F8", "hidden": "G9"}
    foes = {name: {"side": "foe", "at": at, "weapons": [SWORD]} for name, at in places.items()}
    foes["spear"]["weapons"], foes["hidden"]["hidden"] = [POLEARM], True
    ash = {"at": "B3", "facing": 0, "weapons": [SWORD], "move": {"full": 6}}
    play = table(any_board(board), ash=ash, **foes)
    play.begin(ash=30)
    chosen = play.option("ash", "declare-strike").inputs[0].choices
    allowed = set()
    for name in foes:
        with suppress(Refused):
            play.fight.decide(play.fight.codec.command("declare", {"who": "ash", "target": name}))
            allowed.add(name)
    assert set(chosen) == allowed
    assert {"beside", "corner", "near", "far"} <= allowed
    assert not {"walled", "too_far", "spear", "hidden"} & allowed
