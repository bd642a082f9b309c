"""More worked examples of Stage Moments: time, order, ambush, Meeting, beats and prices, in every reading."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ..talk import Talk
from .talking import beats, begun, hidden, next_moment, on_to, table

PHASES = ["meeting", "missile", "move", "melee", "magic", "management"]


def halves(talk: Talk) -> list[tuple[object, object, object]]:
    """Every half of the first Moment: phase, side, and whether it was skipped."""
    events = talk.ask("events")
    return [
        (one["phase"], one["side"], one["type"] == "HalfSkipped")
        for one in events  # type: ignore[attr-defined]
        if one["type"] in ("HalfBegan", "HalfSkipped") and one["stamp"]["round"] == 1
    ]


# Space and time


@pytest.mark.parametrize(("settings", "feet"), [({}, 15), ({"hex_ft": 2.5}, 7.5), ({"hex_ft": 10}, 30)])
def test_feet_follow_the_scale(settings: Mapping[str, object], feet: float) -> None:
    """SB-02: three hexes."""
    talk = begun(table(settings=settings), "move").do("move", who="ash", hexes=3)
    talk.expect("Moved", who="ash", hexes=3, feet=feet).expect("BeatsSpent", amount=3)


def test_contact_is_the_gms_word_without_a_map() -> None:
    """SB-03: it holds for both, and ends for both."""
    talk = begun(table()).do("contact", who="orc", enemy="ash")
    talk.expect_combatant("ash", contacts=["orc"]).expect_combatant("orc", contacts=["ash"]).expect_combatant(
        "bram", contacts=[]
    )
    talk.do("contact", who="ash", enemy="orc", on=False).expect_combatant("orc", contacts=[])


def test_contact_on_a_map_is_distance_one() -> None:
    """SB-03: two hexes off is none, allies are none."""
    talk = begun(table("ash", "bram", "orc", "gob", at={"ash": [5, 5], "bram": [5, 6], "orc": [6, 5], "gob": [7, 5]}))
    talk.expect_combatant("ash", contacts=["orc"]).expect_combatant("gob", contacts=[])


def test_the_length_of_a_moment_is_the_gms() -> None:
    """SB-04."""
    talk = begun(table(settings={"moment_seconds": 90}))
    assert next_moment(next_moment(talk)).state["clock_s"] == 180


def test_six_phases_of_two_halves() -> None:
    """SB-05, SB-06: twelve, begun or skipped, the lead side first."""
    found = halves(next_moment(begun(table())))
    assert [(phase, side) for phase, side, _ in found] == [(one, who) for one in PHASES for who in ("party", "foe")]


def test_a_phase_is_not_left_before_both_had_their_half() -> None:
    """SB-06, SB-08: waived by both, it closes by itself."""
    talk = begun(table()).do("waive", side="party")
    talk.refused("SB-08", "next_phase")
    assert talk.state["half"] == "trail"
    talk.do("waive", side="foe")
    assert (talk.state["phase"], talk.state["half"]) == ("missile", "lead")


@pytest.mark.parametrize("labels", ["set1", "set2"])
@pytest.mark.parametrize("until", ["administration", "Management"])
def test_both_names_of_the_last_phase_are_understood(labels: str, until: str) -> None:
    """SB-10, Q-S1."""
    talk = begun(table(settings={"phase_labels": labels})).do("next_half", until=until)
    assert talk.state["phase"] == "management"


# Order


@pytest.mark.parametrize(("mode", "order"), [("margin", ["bram", "ash", "col"]), ("high", ["ash", "col", "bram"])])
def test_order_by_agility(mode: str, order: list[str]) -> None:
    """SB-11, Q-S2: 9, 4, 8 rolled; margins 4, 6, 4, or sums 22, 14, 20."""
    talk = begun(table(settings={"agility_order": mode}))
    talk.do("rule", what="order", value="agility", rolls={"agility": [9, 4, 8]})
    assert talk.state["order"][:3] == order  # type: ignore[index]


def test_an_agreed_order_and_none() -> None:
    """SB-11."""
    talk = begun(table()).do("rule", what="order", value="col, ash, bram")
    assert talk.state["order"][:3] == ["col", "ash", "bram"]  # type: ignore[index]
    talk.do("rule", what="order", value="free")
    assert talk.state["party_order"] == "free"


def test_slow_for_the_rest_of_the_moment() -> None:
    """SB-13, Q-S11; the next Moment is led by the party."""
    talk = begun(table(), "move").do("rule", what="slow", value="moment")
    assert (talk.state["phase"], talk.state["side"], talk.state["half"]) == ("move", "foe", "lead")
    on_to(talk, "management", "foe")
    assert talk.state["half"] == "lead"
    next_moment(talk)
    assert (talk.state["side"], talk.state["lead_side"]) == ("party", "party")


def test_slow_and_let_off() -> None:
    """SB-13: the GM may cancel."""
    talk = begun(table(), "move")
    talk.do("rule", what="slow", value="cancel").expect_none("LeadFlipped")
    assert talk.state["side"] == "party"


# Ambush


@pytest.mark.parametrize(("die", "foiled"), [(11, True), (12, False)])
def test_perception_decides_about_a_foes_ambush(die: int, foiled: bool) -> None:
    """SB-15..17: at most the number."""
    talk = table().do("ambush", by="foe")
    talk.do("perception", who="ash", needs=11, rolls={"perception": [die]})
    talk.expect("AmbushFoiled" if foiled else "AmbushSprung").do("start")
    assert talk.state["side"] == ("party" if foiled else "foe")


def test_the_perception_on_the_sheet_is_the_number() -> None:
    """SB-15."""
    talk = table(sheets={"bram": {"perception": 9}}).do("ambush", by="foe")
    talk.do("perception", who="bram", rolls={"perception": [10]}).expect("AmbushSprung")


def test_a_free_moment_has_six_halves_skipped() -> None:
    """SB-18, SB-19."""
    talk = table().do("ambush", by="foe").do("perception", passed=False).do("start")
    talk.refused("SB-18", "talk", who="ash")
    assert [one for one in halves(next_moment(talk)) if one[1] == "party"] == [(one, "party", True) for one in PHASES]
    assert (talk.state["side"], talk.state["lead_side"]) == ("party", "party")


def test_an_ambush_that_only_gives_the_first_place() -> None:
    """Q-S6, `ambush_free_moment = false`."""
    talk = table(settings={"ambush_free_moment": False}).do("ambush", by="foe").do("perception", passed=False)
    talk.do("start").expect_none("HalfSkipped", side="party")
    assert talk.state["side"] == "foe"
    on_to(talk, "missile", "party").do("shoot", who="ash", target="orc", hit=False)


@pytest.mark.parametrize(("choice", "skipped"), [("no", True), ("failed", True), ("foiled", False), ("", True)])
def test_foes_may_be_given_a_check(choice: str, skipped: bool) -> None:
    """SB-15, SB-18: none where the GM says nothing."""
    talk = table().do("ambush", by="party").do("answer", prompt="foe_check", choice=choice).do("start")
    begun(talk, "missile")
    talk.do("waive", side="party")
    assert (talk.state["phase"] == "missile") is not skipped


def test_who_has_talked_does_not_surprise() -> None:
    """SB-21: each side for itself, and only in this Meeting."""
    talk = begun(table()).do("talk", who="ash")
    talk.refused("SB-21", "surprise", by="party")
    on_to(talk, "meeting", "foe").do("ambush", by="foe").do("answer", prompt="perception", choice="foiled")
    next_moment(talk).do("ambush", by="party").expect("AmbushSprung")


def test_an_ambush_after_talk_is_the_gms_word() -> None:
    """SB-21, GM override."""
    talk = begun(table()).do("talk", who="ash").do("ambush", by="party", force=True)
    talk.expect("Overridden", rule="SB-21").expect("AmbushSprung")


def test_an_ambush_in_meeting_skips_what_has_not_run() -> None:
    """Q-S30: the party springs it in its own half; all six foe halves are gone."""
    talk = begun(table()).do("ambush", by="party")
    found = halves(next_moment(talk))
    assert [one[2] for one in found if one[1] == "foe"] == [True] * 6
    assert (talk.state["moment"], talk.state["side"]) == (2, "party")


def test_there_is_no_ambush_once_meeting_is_over() -> None:
    """SB-21."""
    begun(table(), "missile").refused("SB-21", "ambush", by="party")


def test_an_ambusher_has_one_strike_all_the_same() -> None:
    """SB-20, Q-S5."""
    talk = begun(table().do("ambush", by="party"), "missile").do("shoot", who="ash", target="orc", hit=False)
    on_to(talk, "magic")
    talk.refused("SB-34", "cast", who="ash", target="orc", hit=True)
    talk.do("cast", who="bram", target="orc", hit=True, damage=1)
    on_to(talk, "management").refused("SB-36", "business", who="bram", name="loot")
    talk.do("business", who="col", name="loot").expect("BusinessCompleted", who="col")


# Meeting


def test_talk_belongs_to_meeting() -> None:
    """SB-39."""
    talk = begun(table(), "meeting", "foe").do("talk", who="orc").expect("TalkAttempted", who="orc")
    begun(talk, "missile").refused("SB-39", "talk", who="ash")


@pytest.mark.parametrize("granted", ["granted", "denied"])
def test_an_offer_is_no_talks_yet(granted: str) -> None:
    """SB-41: the GM says whether there are talks; they end with the Meeting."""
    talk = begun(table()).do("talk", who="ash", note="a truce?")
    assert talk.state["talk"] == "attempted"
    talk.do("answer", prompt="talks", choice=granted)
    assert talk.state["talk"] == granted
    assert next_moment(talk).state["talk"] == "none"


def test_creeping_is_for_the_undetected_of_the_party() -> None:
    """SB-42, Q-S28: foes by the GM's word."""
    talk = begun(table())
    talk.refused("SB-42", "creep", who="col", hexes=1)
    hidden(hidden(talk, "col"), "orc")
    talk.refused("SB-42", "creep", who="col", hexes=7)
    on_to(talk, "meeting", "foe").refused("SB-42", "creep", who="orc", hexes=1)
    talk.do("creep", who="orc", hexes=1, force=True).expect("Overridden", rule="SB-42")


@pytest.mark.parametrize(("mode", "left"), [("pays_from_pool", 7), ("free", 13)])
def test_what_creeping_costs(mode: str, left: int) -> None:
    """Q-S7: three hexes, in both readings; unnoticed at 13 + 2 = 15."""
    talk = hidden(begun(table(settings={"meeting_sneak": mode})), "col")
    talk.do("creep", who="col", hexes=3, rolls={"sneak": [13]})
    talk.expect_combatant("col", detected=False, beats=left)
    assert talk.state["phase"] == "meeting"


def test_a_creeper_is_not_rolled_for_unless_the_gm_wants_it() -> None:
    """SB-42, SB-58."""
    talk = hidden(begun(table()), "col").do("creep", who="col", hexes=1)
    talk.do("answer", prompt="sneak", choice="no").expect_combatant("col", detected=False)
    assert talk.state["phase"] == "meeting"


def test_a_creeper_who_is_noticed_ends_the_meeting_for_both() -> None:
    """SB-43: at 14 + 2 = 16 against 15."""
    talk = hidden(begun(table()), "col").do("creep", who="col", hexes=1, rolls={"sneak": [14]})
    talk.expect("Detected", who="col").expect("PhaseEnded", phase="meeting", cause="detection")
    assert (talk.state["phase"], talk.state["side"]) == ("missile", "party")
    talk.do("undo").expect_combatant("col", detected=False, beats=13)
    assert talk.state["phase"] == "meeting"


def test_fast_talk_stalls_as_long_as_the_gm_says() -> None:
    """SB-44."""
    talk = begun(table()).do("talk", who="bram", fast_talk=True)
    talk.do("answer", prompt="stall", note="two hexes for everybody").expect("StallUsed", who="bram")


# Beats and prices


@pytest.mark.parametrize(("mode", "bram", "col"), [("entered", 11, 13), ("dar", 11, 12)])
def test_what_armour_takes_off(mode: str, bram: int, col: int) -> None:
    """SB-29, Q-S3."""
    talk = begun(table(settings={"armor_beats": mode}))
    talk.expect_combatant("bram", total_beats=bram, beats=bram).expect_combatant("col", total_beats=col, beats=col)


def test_a_base_of_another_number() -> None:
    """SB-28, SB-32, Q-S4."""
    talk = begun(table(sheets={"orc": {"base_beats": 20, "armor_beat_loss": 2}, "gob": {"base_beats": 0}}))
    talk.expect_combatant("orc", total_beats=18, beats=18).expect_combatant("gob", total_beats=0, beats=0)


def test_beats_are_spent_to_the_last_one() -> None:
    """SB-46, SB-71, SB-72: 6 sneaked and 2 walked are 14."""
    talk = hidden(begun(table(), "move"), "ash").do("sneak", who="ash", hexes=6).do("move", who="ash", hexes=2)
    assert beats(talk, "ash") == 0
    talk.refused("SB-46", "move", who="ash", hexes=1)
    assert beats(next_moment(talk), "ash") == 14


@pytest.mark.parametrize(("feet", "price"), [(1, 1), (10, 1), (10.5, 2), (140, 14)])
def test_ten_feet_of_rope_or_a_part_of_them(feet: float, price: int) -> None:
    """SB-77."""
    begun(table(), "move").do("climb", who="ash", feet=feet).expect("Climbed", who="ash", price=price)


def test_a_rope_too_long_or_none_at_all() -> None:
    """SB-77."""
    talk = begun(table(), "move")
    talk.refused("SB-77", "climb", who="ash", feet=141)
    assert talk.say(do="climb", who="ash", feet=0)["ok"] is False
    assert talk.say(do="climb", who="ash", feet=-10)["ok"] is False


@pytest.mark.parametrize(("who", "mode", "price"), [("col", "down", 6), ("bram", "down", 5), ("ash", "down", 7)])
def test_half_of_an_odd_total_rounded_down(who: str, mode: str, price: int) -> None:
    """SB-75, Q-S16."""
    talk = begun(table(settings={"prone_round": mode}), "move").do("drop_prone", who=who)
    talk.expect("DroppedProne", who=who, price=price).expect_combatant(who, posture="prone")


def test_dropping_prone_costs_half_of_the_total_not_of_the_rest() -> None:
    """SB-75: 6 left of 14 are too few."""
    talk = begun(table(), "move").do("move", who="ash", hexes=8)
    talk.refused("SB-75", "drop_prone", who="ash")


def test_who_lies_does_not_lie_down_and_who_stands_does_not_rise() -> None:
    """SB-75, SB-76; hexes are not walked lying (Q-S26) without the GM's word."""
    talk = begun(table(), "move")
    talk.refused("SB-76", "rise", who="ash")
    talk.do("drop_prone", who="ash").refused("SB-75", "drop_prone", who="ash")
    assert talk.say(do="move", who="ash", hexes=1)["ok"] is False
    talk.do("move", who="ash", hexes=1, force=True)
    assert beats(talk, "ash") == 6


@pytest.mark.parametrize("needs_full", [True, False])
def test_rising_with_a_part_of_the_beats(needs_full: bool) -> None:
    """SB-76, Q-S17."""
    talk = begun(table(settings={"rise_needs_full": needs_full}), "move").do("drop_prone", who="ash")
    if needs_full:
        talk.refused("SB-76", "rise", who="ash")
        next_moment(talk)
        begun(talk, "move").do("rise", who="ash").expect("Rose", who="ash", price=14)
    else:
        talk.do("rise", who="ash").expect("Rose", who="ash", price=7)
    talk.expect_combatant("ash", posture="standing", beats=0)


def test_without_beats_nothing_is_free() -> None:
    """Q-S24."""
    talk = begun(table(sheets={"ash": {"armor_beat_loss": 14, "posture": "prone"}, "bram": {"base_beats": 3}}), "move")
    for what in ({"do": "rise", "who": "ash"}, {"do": "climb", "who": "ash", "feet": 5}, {"do": "rise", "who": "bram"}):
        assert talk.say(**what)["ok"] is False
    assert talk.say(do="drop_prone", who="bram")["ok"] is False


@pytest.mark.parametrize(
    ("act", "height", "taken"),
    [("vault", 3, True), ("vault", 3.1, False), ("clamber", 8, True), ("clamber", 8.1, False)],
)
def test_how_high_an_obstacle_may_be(act: str, height: float, taken: bool) -> None:
    """SB-73, SB-74: half the height of 6 ft; the reach of 8 ft."""
    talk = begun(table(sheets={"ash": {"height_ft": 6, "reach_ft": 8}}), "move")
    assert talk.say(do=act, who="ash", height_ft=height)["ok"] is taken


def test_an_obstacle_includes_the_hex() -> None:
    """SB-73, SB-74: no beat for the hex on top."""
    talk = begun(table(), "move").do("vault", who="ash").expect("Vaulted", who="ash", hexes=1, price=4)
    talk.do("clamber", who="ash").expect("Clambered", who="ash", hexes=1, price=6)
    assert beats(talk, "ash") == 4


def test_a_stunt_has_its_price_and_keeps_it() -> None:
    """SB-78: saved by its name."""
    talk = begun(table(), "move").do("stunt", who="ash", name="chandelier", beats=5)
    talk.do("stunt", who="bram", name="chandelier")
    assert (beats(talk, "ash"), beats(talk, "bram")) == (9, 6)


def test_beats_belong_to_move() -> None:
    """SB-31: nothing of the list in another phase."""
    talk = begun(table(), "missile")
    for what in ("vault", "clamber", "drop_prone"):
        talk.refused("SB-31", what, who="ash")
    talk.refused("SB-31", "climb", who="ash", feet=10)
