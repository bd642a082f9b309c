"""Corners where two rules of Stage Moments meet."""

from __future__ import annotations

import pytest

from fightcall_engine.board.base import Hex, Terrain
from fightcall_engine.board.zones import Zone, ZoneBoard, touching
from fightcall_engine.kit import phrases
from fightcall_engine.play.fight import Fight
from fightcall_engine.systems.stage import views

from .table import CAST, Play, big_board, east, table, told


def creeping(*who: str) -> Play:
    """The first Meeting, in which nobody knows of Col."""
    return table(*who, hidden=["col"], out_of_sight=["col"]).start()


def halves_passed(play: Play) -> list[tuple[str, str, str]]:
    """The halves that passed by themselves in all that was heard: phase, side and why."""
    heard = map(told, play.heard)
    return [(each.phase, each.side, each.reason) for each in heard if each.type == "HalfSkipped"]


# Business


def test_long_business_is_not_bought_with_the_beats_of_move() -> None:
    """SB-23, SB-25: three phases of Management are three Moments, whatever beats are paid in Move."""
    play = table("ash", "bram", "orc").start().to("move")
    refusal = play.refused("SB-25", "business", who="ash", name="drawbridge", needed=3, beats=1)
    assert refusal.accepts == ("the Management phase",)
    assert play.beats("ash") == 14
    play.to("management").do("business", who="ash", name="drawbridge", needed=3, beats=1)
    play.next_moment("missile").do("shoot", who="ash", target="orc", hit=False)
    play.to("move").refused("SB-25", "business", who="ash", beats=1)
    play.refused("SB-25", "business", who="bram", name="Drawbridge", beats=1)
    play.do("business", who="ash", name="drawbridge", beats=1, force=True).got("BusinessProgressed", done=2, needed=3)


# Creeping, sneaking and being noticed


def test_a_creeper_whom_the_gm_calls_noticed_ends_meeting() -> None:
    """SB-43, SB-61: without a roll, too; there is nothing left to roll for."""
    play = creeping("ash", "col", "orc").do("creep", who="col", hexes=1)
    play.do("rule", what="hidden", who="col", value=False).got("PhaseEnded", phase="meeting", cause="detection")
    assert (play.half(), play.asks()) == ("missile.party", [])
    assert play.undo().half() == "meeting.party"
    assert play.asks() == ["sneak"]


@pytest.mark.parametrize("half", ["party", "foe"])
def test_a_creeper_who_was_unnoticed_at_first_ends_meeting_when_noticed_later_in_it(half: str) -> None:
    """SB-43: whoever moves undetected in Meeting and is detected in it ends it, however long after the creep."""
    play = creeping("ash", "col", "orc").do("creep", who="col", hexes=1, rolls={"sneak": [2]}).to("meeting", half)
    play.do("rule", what="hidden", who="col", value=False).got("PhaseEnded", phase="meeting", cause="detection")
    assert play.half() == "missile.party"


def test_who_has_not_crept_in_this_meeting_does_not_end_it_when_noticed() -> None:
    """SB-43: the one who crept in the last Meeting, and stays where it is in this one."""
    play = creeping("ash", "col", "orc").do("creep", who="col", hexes=1, rolls={"sneak": [2]}).next_moment()
    play.do("rule", what="hidden", who="col", value=False).never("PhaseEnded")
    assert play.half() == "meeting.party"


def test_who_is_noticed_in_move_has_nothing_left_to_roll_for() -> None:
    """SB-58, SB-61: before the end of Move, and when the roll is asked for."""
    play = table("ash", "bram", "orc", out_of_sight=["ash"]).start().to("move").do("sneak", who="ash", hexes=2)
    later = play.copy().to("move", "foe").do("advance")
    assert later.asks() == ["sneak"]
    assert later.do("rule", what="hidden", who="ash", value=False).half() == "melee.party"
    play.do("rule", what="hidden", who="ash", value=False).to("move", "foe").do("advance").never("SneakRollsBegan")
    assert play.half() == "melee.party"


def test_no_ambush_between_a_creep_and_its_test() -> None:
    """SB-21, SB-43: a failed roll would have ended Meeting; a good one leaves the ambush, for creeping is no talk."""
    play = creeping("ash", "col", "orc").do("creep", who="col", hexes=2)
    for side in ("party", "foe"):
        play.refused("SB-43", "ambush", by=side)
    noticed = play.copy().do("answer", prompt="sneak", rolls={"sneak": [14]})
    noticed.refused("SB-21", "ambush", by="party")
    play.do("answer", prompt="sneak", rolls={"sneak": [13]}).do("ambush", by="party")
    play.got("AmbushSprung", side="party", free_moment=1)
    assert play.beats("col") == 9


def test_meeting_waits_for_nobody_who_cannot_creep() -> None:
    """SB-06, SB-42: seen, lying or stopped, whoever has spoken or crept has had their opportunity."""
    stopped = creeping("col", "orc").do("creep", who="col", hexes=1, meets="orc", rolls={"sneak": [1]})
    assert stopped.half() == "meeting.foe"
    for change in ({"what": "plain_view", "value": True}, {"what": "posture", "value": "prone"}):
        play = creeping("col", "orc").do("adjust", who="col", **change).do("talk", who="col")
        assert play.do("answer", prompt="talks", choice="denied").half() == "meeting.foe"


# Where a number comes from


def test_rising_is_priced_as_it_is_paid() -> None:
    """SB-76, Q-S17: where all that are left are enough, the offer and its reason say how many those are."""
    play = table("ash", "bram", "orc", settings={"rise_needs_full": False}, sheets={"ash": {"posture": "prone"}})
    play.start().to("move").do("business", who="ash", name="draw", beats=4)
    assert play.option("ash", "rise").cost == "10"
    assert [part.value for part in play.fight.explain("ash", "prone").parts if part.rule == "SB-76"] == ["10"]
    play.do("rise", who="ash").got("Rose", price=10)


def test_the_sneak_roll_names_the_number_that_counts() -> None:
    """SB-63, Q-S15: the better of the two is Agility here, by the setting."""
    play = table("col", "orc", settings={"skullduggery_mode": "best"}, sheets={"col": {"skullduggery": 8}})
    play.do("rule", what="plain_view", who="col", value=False).start().to("move").do("sneak", who="col", hexes=6)
    play.to("move", "foe").do("advance")
    assert "12 or less (Agility)" in play.prompt("sneak").question


def test_who_leads_is_told_with_the_rule_that_made_it_so() -> None:
    """SB-06, SB-13: the slow party is behind in this phase, and leads again in the next."""
    play = table("ash", "orc").start().do("rule", what="slow")
    lead = play.fight.explain("ash", "order").parts[0]
    assert (lead.value, lead.rule) == ("foe", "SB-13")
    lead = play.to("missile").fight.explain("ash", "order").parts[0]
    assert (lead.value, lead.rule) == ("party", "SB-06")


def test_the_ambushers_are_said_to_lead() -> None:
    """SB-14, SB-16: before the Moment, when it begins, and why; foiled, the party leads."""
    play = table("ash", "orc").do("ambush", by="foe")
    foiled = play.copy().do("perception", passed=True)
    assert [group.note for group in views.groups(foiled.state)] == ["leads", ""]
    play.do("perception", passed=False)
    assert [group.note for group in views.groups(play.state)] == ["", "leads"]
    before = play.state
    play.start()
    (lead,) = (each for each in play.last if each.type == "LeadSet")
    assert phrases.phrase(play.fight.system, lead, before).rule == "SB-14"


def test_missile_reminds_of_whoever_may_not_shoot() -> None:
    """SB-66: in full cover by the GM's word in this Moment, too."""
    play = table("ash", "bram", "orc").start().do("set_cover", who="ash", cover="full").to("missile")
    assert "Can't shoot (full cover): Ash" in views.reminders(play.state)
    play.refused("SB-66", "shoot", who="ash", target="orc", hit=True, damage=1)


# Spells


@pytest.mark.parametrize("target", ["ash", "bram"])
def test_a_spell_may_be_for_oneself_or_for_the_fallen(target: str) -> None:
    """SB-34, SB-52, Q-S12: a harmless one is the Moment's strike all the same; arrows and blows are for others."""
    play = table("ash", "bram", "orc").do("adjust", who="bram", what="able", value=False).start().to("missile")
    play.refused("SB-34" if target == "ash" else "SB-37", "shoot", who="ash", target=target, hit=True, damage=1)
    play.to("magic").do("cast", who="ash", target=target, note="mend", hit=True, damage=0)
    assert play.see("ash")["strike"] == "magic"


def test_the_fallen_are_no_proposal_for_a_spell() -> None:
    """SB-37, SB-52"""
    play = table("ash", "orc", "gob").do("adjust", who="orc", what="able", value=False).start().to("magic")
    assert play.option("ash", "cast").inputs[0].choices == ("gob",)


# In zones, each of which has room for several


ZONES = (
    Zone("Hall", 0, 0, 2, 2),
    Zone("Yard", 2, 0, 2, 2, ground=Terrain("Yard", cover="partial")),
    Zone("Tower", 4, 0, 2, 2, ground=Terrain("Tower", cover="full")),
)


def in_zones(*, at: str = "Hall", orc: str = "Hall") -> Play:
    """The first Moment in three zones in a row, the party in the one, Orc in the other."""
    play = Play(Fight.new("stage", board=ZoneBoard(ZONES, touching(ZONES))))
    for who, place in (("ash", at), ("bram", at), ("orc", orc)):
        side, sheet = CAST[who]
        play.do("join", name=who.title(), id=who, side=side, at=place, sheet=sheet)
    return play.start()


@pytest.mark.parametrize(
    ("command", "data", "price"),
    [("vault", {}, 4), ("clamber", {}, 6), ("stunt", {"name": "swing", "hexes": 1, "beats": 3}, 3)],
)
def test_a_hex_within_a_zone_leaves_contact_and_keeps_the_ground(
    command: str, data: dict[str, object], price: int
) -> None:
    """SB-03, SB-48, SB-68, SB-73: a hex and not a zone: its feet, no stop; whom one meets there the GM says."""
    play = in_zones(at="Yard", orc="Yard").do("contact", who="ash", enemy="orc").to("move")
    left = play.copy().do(command, who="ash", **data)
    left.never("MovementHalted")
    assert (left.last[0].hexes, left.last[0].feet) == (1, 5.0)  # type: ignore[attr-defined]
    assert (left.beats("ash"), left.see("ash")["contacts"], left.see("ash")["cover"]) == (14 - price, [], "partial")
    left.do("move", who="ash", path=["Hall"])
    play.do(command, who="ash", meets="orc", **data).got("MovementHalted", enemy="orc", unwalked=0)
    play.never("ContactMade")
    play.refused("SB-47", "move", who="ash", path=["Hall"])


def test_the_fallen_in_a_zone_are_left_behind() -> None:
    """SB-03, SB-37, SB-48: healed, he is in contact with nobody who has gone and come back; nor is who never fell."""
    play = in_zones().do("contact", who="ash", enemy="orc").to("move")
    standing = play.copy().do("move", who="ash", path=["Yard", "Hall"])
    assert standing.see("ash")["contacts"] == []
    play.do("adjust", who="orc", what="able", value=False).do("move", who="ash", path=["Yard"])
    play.do("adjust", who="orc", what="able", value=True).do("move", who="ash", path=["Hall"])
    assert play.see("ash")["contacts"] == []


def test_cover_of_zones_over_three_moments() -> None:
    """SB-65, SB-66, SB-67, SB-69: through the hedge into the tower, a Moment without a shot, and back to the hedge."""
    play = in_zones().to("move").do("move", who="bram", path=["Yard", "Tower"]).next_moment("missile")
    play.refused("SB-67", "shoot", who="bram", target="orc", hit=True, damage=1)
    play.to("missile", "foe").refused("SB-65", "shoot", who="orc", target="bram", hit=True, damage=1)
    play.to("move").do("move", who="bram", path=["Yard"]).next_moment("missile")
    play.do("shoot", who="bram", target="orc", hit=False).to("missile", "foe")
    play.do("shoot", who="orc", target="bram", needs=10, rolls={"attack": [10]}).got(
        "StrikeResolved", total=11, hit=False
    )


# Order, undo and ambush


def test_who_leads_by_the_slow_penalty_walks_up_and_is_walked_away_from() -> None:
    """SB-13, SB-47, SB-48, SB-49: the stop is the walker's; the other leaves with all beats, and nobody strikes."""
    play = table("ash", "orc", board=big_board(), at={"ash": Hex(20, 2), "orc": Hex(17, 2)}).start().to("move")
    play.do("rule", what="slow").do("move", who="orc", path=east(Hex(17, 2), 3)[:2])
    play.got("MovementHalted", who="orc", unwalked=0)
    play.to("move").do("move", who="ash", path=east(Hex(20, 2), 14)).got("ContactLeft", enemy="orc")
    assert (play.beats("ash"), play.beats("orc"), play.asks()) == (0, 12, [])
    play.to("magic")
    assert ("melee", "party", "no one can use it") in halves_passed(play)


def test_a_step_away_from_the_one_and_along_the_other_is_the_last() -> None:
    """SB-47, SB-48, Q-S8c: away from both he goes on; beside the second he stops."""
    for gob, hexes in ((Hex(19, 6), 2), (Hex(20, 6), 1)):
        places = {"ash": Hex(20, 5), "orc": Hex(19, 5), "gob": gob}
        play = table("ash", "bram", "orc", "gob", board=big_board(), at=places).start().to("move")
        play.do("move", who="ash", path=east(Hex(20, 5), 2)).got("Moved", hexes=hexes)
        play.got("ContactLeft", enemy="orc")
        assert play.see("ash")["contacts"] == ([] if hexes == 2 else ["gob"])


def test_an_ambush_frees_nobody_from_full_cover_or_from_noise() -> None:
    """SB-18, SB-58, SB-61, SB-67: no shot in the Moment begun in full cover; noticed, Col is answered in the next."""
    sheets = {"ash": {"cover": "full"}}
    play = table("ash", "col", "orc", hidden=["col"], out_of_sight=["col"], sheets=sheets).do("ambush", by="party")
    play.start().to("missile").refused("SB-67", "shoot", who="ash", target="orc", hit=True, damage=1)
    play.to("move").do("sneak", who="col", hexes=1).do("set_cover", who="ash", cover="open").do("advance")
    play.do("answer", prompt="sneak", rolls={"sneak": [14]}).got("Detected", who="col")
    play.end_moment()
    assert [side for _, side, why in halves_passed(play) if why == "ambushed"] == ["foe"] * 6
    play.do("advance").to("missile").do("shoot", who="ash", target="orc", hit=False).to("missile", "foe")


def test_a_slow_meeting_in_which_the_foes_ambush_fails_and_the_partys_does_not() -> None:
    """SB-13, SB-17, SB-21, SB-18: foiled, the party's own half comes after all, and with it an ambush of its own."""
    play = table("ash", "orc").start().do("rule", what="slow").do("ambush", by="foe")
    failed = play.copy().do("perception", passed=False).end_moment()
    assert [side for _, side, why in halves_passed(failed) if why == "ambushed"] == ["party"] * 5
    failed.do("advance").got("LeadSet", value="party")
    play.do("perception", passed=True).do("waive", side="foe")
    assert play.half() == "meeting.party"
    play.do("ambush", by="party").end_moment()
    assert [side for _, side, why in halves_passed(play) if why == "ambushed"] == ["foe"] * 5


def test_a_slow_meeting_that_a_creeper_ends() -> None:
    """SB-13, SB-43: the penalty was for that phase; Missile opens with the party."""
    play = creeping("ash", "col", "orc").do("rule", what="slow").do("waive", side="foe")
    play.do("creep", who="col", hexes=1, rolls={"sneak": [14]})
    play.got("PhaseEnded", cause="detection")
    assert play.half() == "missile.party"


def test_long_business_rests_in_a_moment_without_an_answer() -> None:
    """SB-18, SB-25, Q-S13: one of three done, ambushed, then the second."""
    play = table("ash", "orc").start().to("management").do("business", who="ash", name="crank", needed=3)
    play.end_moment().do("ambush", by="foe").do("perception", passed=False).do("advance").end_moment()
    play.do("advance").to("management").do("business", who="ash").got("BusinessProgressed", done=2, needed=3)


def test_who_changes_sides_has_no_second_strike() -> None:
    """SB-34, SB-36: it is the figure's Moment, whoever it fights for."""
    play = table("ash", "orc", "gob").start().to("missile", "foe").do("shoot", who="orc", target="ash", hit=False)
    play.to("magic").do("adjust", who="orc", what="side", value="party")
    play.refused("SB-34", "cast", who="orc", note="light")
    play.to("management").refused("SB-36", "business", who="orc", name="drink")


def test_undo_back_over_the_end_of_a_moment() -> None:
    """SB-30, SB-67, SB-76: beats, posture and the cover a Moment was begun in are those of the Moment gone back to."""
    play = table("ash", "bram", "orc", sheets={"ash": {"posture": "prone"}}).start().to("move")
    play.do("business", who="ash", name="draw", beats=1)
    entries = play.fight.line.entry_count()
    play.do("set_cover", who="bram", cover="full").next_moment("missile")
    play.refused("SB-67", "shoot", who="bram", target="orc", hit=False)
    play.to("move").do("rise", who="ash")
    assert play.beats("ash") == 0
    play.undo(play.fight.line.entry_count() - entries)
    assert (play.state.round, play.beats("ash"), play.see("ash")["posture"]) == (1, 13, "prone")
    play.refused("SB-76", "rise", who="ash")
    play.next_moment("missile").do("shoot", who="bram", target="orc", hit=False)


def test_undo_back_into_a_free_moment() -> None:
    """SB-18, SB-19: whoever may talk in the next Moment could not act in this one, and cannot again."""
    play = table("ash", "orc").do("ambush", by="foe").do("perception", passed=False).start().end_moment()
    play.do("advance").do("talk", who="ash").undo(3)
    assert (play.state.round, play.half()) == (1, "management.foe")
    play.refused("SB-18", "business", who="ash", name="run")


def test_slow_in_melee_the_foe_strikes_first_and_not_never() -> None:
    """SB-08, SB-13, SB-50: who has struck has struck; the foe's half comes now, with those who touch somebody."""
    play = table("ash", "bram", "orc", "gob").start()
    for who, enemy in (("ash", "orc"), ("bram", "gob")):
        play.do("contact", who=who, enemy=enemy)
    play.to("melee").do("strike", who="ash", target="orc", hit=False).do("rule", what="slow")
    assert play.half() == "melee.foe"
    play.do("strike", who="orc", target="ash", hit=False).do("strike", who="gob", target="bram", hit=False)
    assert play.half() == "melee.party"
    play.do("strike", who="bram", target="gob", hit=True, damage=1)
    assert play.asks() == ["continue"]


def test_the_morale_of_one_side_is_no_answer_for_the_losses_of_the_other() -> None:
    """SB-38: ruled on for the party, it is still offered of the foe, who lost somebody; ruled on for them, not."""
    for side, offered in (("party", ["foe"]), ("foe", [])):
        play = table("ash", "bram", "orc", "gob", sheets={"gob": {"hp": 1}}).start().to("missile")
        play.do("shoot", who="ash", target="gob", hit=True, damage=1).do("rule", what="morale", who=side, value="holds")
        play.do("waive", side="party")
        assert [prompt.side for prompt in play.state.prompts if prompt.kind == "morale"] == offered
