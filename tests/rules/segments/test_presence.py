"""Demoralising attacks (CS-510 to CS-520)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.play.story import player_view
from fightcall_engine.systems.segments.views import cards as showing

from ..once import played_once
from .hits import BLADE, due, duel, hit
from .table import SWORD, Play, table


@played_once
def facing(**settings: object) -> Play:
    """Ash with a sharp tongue, and a goblin with three fellows standing and one down."""
    foe = {"side": "foe", "weapons": [SWORD]}
    play = table(
        None, settings, ash={"skills": {"intimidate": 20}, "weapons": [SWORD]},
        orc={**foe, "skills": {"presence": 9}, "mod": {"hrt": 3}}, gob=foe, hob=foe, kob=foe, lob=foe,
    ).begin(ash=40)  # fmt: skip
    return play.do("set_life", who="lob", life="unconscious")


def said(play: Play, **given: object) -> Play:
    words = {"who": "ash", "target": "orc", "line": "Is that all?", "through": 6, "av": 25, "dv": 18}
    return play.do("demoralise", **{**words, **given})


def test_g_118_presence_against_resistance_and_what_comes_of_either() -> None:
    """G-118, CS-513, CS-515, CS-517, CS-519: AV 31 against 29."""
    play = said(facing(), hit=True)
    asked = play.got("CheckRequested", kind="presence")
    assert (asked.av, asked.dv) == (31, 29)  # type: ignore[attr-defined]
    assert play.got("Demoralised", who="orc", outcome="broken")
    play.do("answer", prompt=play.prompt("fear").id, choice="yes")
    assert play.got("CheckRequested", kind="HRT", who="orc").dv == 6  # type: ignore[attr-defined]
    play.do("answer", prompt=play.prompt("check").id, choice="failed")
    assert play.one("orc").record.morale == "broken down"
    assert said(facing(), hit=False).got("Demoralised", outcome="doubt", loss=17)


def test_cs_519_doubt_lowers_the_defence_against_that_attacker_in_the_next_segment() -> None:
    """CS-519."""
    play = said(facing(), hit=False).to("initiative").begin(ash=40)
    play.do("opportunity", who="ash", target="orc", defence="parry sword", hit=False)
    assert play.got("CheckRequested", kind="opportunity").dv == 40 - 17  # type: ignore[attr-defined]
    assert said(play, hit=True).got("CheckRequested", kind="presence").dv == 29 - 17  # type: ignore[attr-defined]


def test_cs_519_a_doubt_lasts_its_segment_whatever_is_said_in_it() -> None:
    """CS-519: words that fail again leave a doubt for the segment after, and take nothing from this one's."""
    play = said(facing(), hit=False).to("initiative").begin(ash=40)
    said(play, hit=False, dv=30)
    for segment in (2, 3):
        assert play.state.round == segment
        play.do("opportunity", who="ash", target="orc", defence="parry sword", hit=False)
        dv = play.got("CheckRequested", kind="opportunity").dv  # type: ignore[attr-defined]
        assert dv == 40 - 17
        play.to("initiative").begin(ash=40)
    play.do("opportunity", who="ash", target="orc", defence="parry sword", hit=False)
    assert play.got("CheckRequested", kind="opportunity").dv == 40  # type: ignore[attr-defined]


def test_cs_613_who_is_in_pain_daunts_less() -> None:
    """CS-613, CS-513: pain takes from a Presence AV as from any other, 20 + 6 - 4; the GM's AV stands."""
    play = facing().do("stun", who="ash", penalty=4)
    assert said(play.copy(), av=None, hit=True).got("CheckRequested", kind="presence").av == 22  # type: ignore[attr-defined]
    assert said(play, hit=True).got("CheckRequested", kind="presence").av == 31  # type: ignore[attr-defined]


def test_cs_519_words_of_somebody_without_the_skill_leave_no_doubt_behind() -> None:
    """CS-519: the doubt is the speaker's level less the HRT modifier; an AV by hand brings no level."""
    play = table(None, {}, ash={"weapons": [SWORD]}, orc={"side": "foe", "weapons": [SWORD]}).begin(ash=40)
    assert said(play, hit=False).got("Demoralised", outcome="doubt", loss=0)


@pytest.mark.parametrize(
    ("dv", "hit", "outcome", "offered"),
    [(40, True, "shaken", 0), (40, False, "unmoved", 1), (20, True, "continues", 0), (20, False, "continues", 0)],
)
def test_cs_516_to_cs_520_the_other_outcomes(dv: int, hit: bool, outcome: str, offered: int) -> None:
    """CS-516, CS-518, CS-520, A-35, A-60: the unmoved may disengage instead of striking back."""
    play = said(facing(), dv=dv, hit=hit)
    assert play.got("Demoralised", outcome=outcome)
    assert play.offers().count("reprisal") == offered
    assert not offered or play.prompt("reprisal").question.startswith("Orc is unmoved by Ash. A Reprisal")


@pytest.mark.parametrize(("through", "rule"), [(0, "CS-511"), (-1, "CS-511"), (10_000, "CS-511")])
def test_g_120_a_blow_that_armour_stops_carries_nothing(through: int, rule: str) -> None:
    """G-120, CS-511: whatever it knocked back."""
    facing().refused(rule, "demoralise", who="ash", target="orc", line="Ha!", through=through, hit=True)


def test_cs_510_a_skill_and_fitting_words_are_needed() -> None:
    """CS-510."""
    play = facing()
    play.refused("CS-510", "demoralise", who="ash", target="orc", line=" ", through=6)
    play.refused("CS-510", "demoralise", who="gob", target="ash", line="Ha!", through=6)


def test_cs_514_in_a_reprisal_what_got_through_is_progressive() -> None:
    """CS-514."""
    assert said(facing(), reprisal=True, hit=True).got("CheckRequested", kind="presence").av == 25 + 21  # type: ignore[attr-defined]


@pytest.mark.parametrize(("floor", "dv"), [("none", 15 + 0 - 1), ("zero", 15)])
def test_a_35_more_fallen_than_standing(floor: str, dv: int) -> None:
    """A-35, CS-515."""
    foe = {"side": "foe"}
    play = table(None, {"fallen_modifier_floor": floor}, ash={}, orc=foe, gob=foe).begin()
    play.do("set_life", who="gob", life="unconscious")
    assert said(play, dv=15, hit=True).got("CheckRequested", kind="presence").dv == dv  # type: ignore[attr-defined]


# Declared with the blow

TALKER: Mapping[str, object] = {"skills": {"intimidate": 20}}
WORDS = "Is that all?"


@played_once
def daunting(orc: Mapping[str, object] | None = None, line: str = WORDS, **given: object) -> Play:
    """Ash's due attack, with words declared, lands on an orc with three friends up and one down."""
    friends = {name: {"side": "foe"} for name in ("gob", "hob", "kob", "lob")}
    foe = {"skills": {"presence": 9}, "mod": {"hrt": 3}, **(orc or {})}
    play = duel(ash=TALKER, orc=foe, **friends).do("set_life", who="lob", life="unconscious")
    return hit(due(play, line=line), **{"pot": 6, **given})


def told(play: Play, choice: str = "yes", **more: object) -> Play:
    return play.do("answer", prompt=play.prompt("noteworthy").id, choice=choice, **more)


def test_words_ride_on_the_blow_and_the_check_follows_by_itself() -> None:
    """CS-510, CS-511, CS-513, G-118: what got through adds to Presence; the GM finds it noteworthy."""
    play = daunting()
    assert play.prompt("noteworthy").default == "yes"
    told(play, "", amount=18)
    asked = play.got("CheckRequested", kind="presence")
    assert (asked.av, asked.dv) == (26, 29)  # type: ignore[attr-defined]
    assert [part[:2] for part in asked.parts][:2] == [("Presence", "+20"), ("POT through", "+6")]  # type: ignore[attr-defined]
    play.do("answer", prompt=play.prompt("check").id, choice="made").got("Demoralised", who="orc", outcome="shaken")
    assert play.one("orc").record.morale == "shaken"


def test_words_are_heard_when_they_are_declared() -> None:
    """CS-510, CS-083: they are part of what is said; of a secret Action nobody hears them."""
    play = duel(ash=TALKER).to("declare", "ash")
    play.do("declare", who="ash", action="strike", target="orc", line=f"  {WORDS} ")
    assert play.got("Declared").shown == f'strike Orc with sword, saying "{WORDS}"'  # type: ignore[attr-defined]
    assert play.see("ash")["declared"]["line"] == WORDS  # type: ignore[index]
    play.do("declare", who="ash", action="strike", target="orc", line=WORDS, secret=True, public="steps up")
    assert WORDS not in repr(player_view(play.state, play.fight.system))


def test_cs_510_who_has_no_presence_skill_says_nothing_that_counts() -> None:
    """CS-510: refused with a declaration, an Opportunity Action and a Reprisal; only attacks carry words."""
    play = duel()
    said = {"who": "ash", "target": "orc", "line": WORDS}
    play.refused("CS-510", "opportunity", **said)
    play.to("declare", "ash").refused("CS-510", "declare", action="strike", **said)
    play.do("declare", action="strike", force=True, **said)
    loud = duel(ash=TALKER).to("declare", "ash")
    loud.refused("CS-510", "declare", who="ash", action="defend", line=WORDS)


def test_cs_512_with_a_miss_the_words_are_lost() -> None:
    """CS-512."""
    play = due(duel(ash=TALKER), line=WORDS).do("resolve", who="ash", hit=False)
    assert play.got("PresenceLost", target="orc", rule="CS-512", line=WORDS)
    assert "noteworthy" not in play.asks()


def test_g_120_a_blow_that_armour_stops_loses_the_words_whatever_it_drove_back() -> None:
    """G-120, CS-511."""
    play = daunting({"armour": [{"type": "plate", "dr": 30}], "msta": 10}, pot=13)
    assert play.got("KnockedBack")
    assert play.got("PresenceLost", rule="CS-511", reason="the blow did not get through")


def test_cs_511_neither_blow_nor_words_were_worth_noticing() -> None:
    """CS-511: the GM's word."""
    assert told(daunting(), "no").got("PresenceLost", rule="CS-511")


@pytest.mark.parametrize("who", ["ash", "orc"])
def test_cs_511_who_is_down_says_and_hears_nothing(who: str) -> None:
    """CS-511, CS-111: whatever was still to be judged."""
    play = daunting().do("set_life", who=who, life="unconscious")
    assert play.got("PresenceLost", reason=f"{who.title()} is down")
    assert "noteworthy" not in play.asks()


def test_wounds_told_by_hand_carry_words_too() -> None:
    """CS-511, CS-513: the GM says how much POT got through, or it is the least that must."""
    said = daunting().prompt("noteworthy").question, daunting(harm=2, pot=None).prompt("noteworthy").question
    assert said[0].startswith(f'Ash to Orc, DV 24: "{WORDS}" 6 got through.')
    assert said[1].startswith(f'Ash to Orc, DV 24: "{WORDS}" hits.')
    assert told(daunting(harm=2, pot=None), "", amount=7).got("CheckRequested", kind="presence", av=27)
    assert told(daunting(harm=2, pot=None)).got("CheckRequested", kind="presence", av=21)
    assert daunting(harm=0, pot=None).got("PresenceLost", rule="CS-511")


def test_cs_514_words_in_a_reprisal_are_progressive() -> None:
    """CS-514."""
    play = duel(orc={"skills": {"intimidate": 20}, "pres": 99}, ash={"pres": 99})
    due(play).do("resolve", who="ash", hit=False)
    play.do("reprise", who="orc", hit=True, pot=6, line="My turn.")
    assert told(play).got("CheckRequested", kind="presence", av=20 + 21)


def test_words_in_an_opportunity_action() -> None:
    """CS-510, CS-513: out of turn too, with what got through."""
    play = duel(ash=TALKER).to("declare", "ash")
    play.do("opportunity", who="ash", target="orc", hit=True, pot=6, defence="none", line=WORDS)
    assert told(play).got("CheckRequested", kind="presence", av=26)


def test_words_ride_on_the_first_of_two_attacks() -> None:
    """CS-510, CS-341: and are lost if that one misses."""
    knife = {"name": "knife", "size": 4, "av": 30, "hand": "L"}
    play = duel(ash={**TALKER, "weapons": [BLADE, knife]})
    due(play, line=WORDS, second="knife").do("resolve", who="ash", hit=False)
    assert play.got("PresenceLost")
    play.do("resolve", who="ash", weapon="knife", hit=True, pot=6, defence="none")
    assert "noteworthy" not in play.asks()


# What comes of it


def broken(play: Play) -> Play:
    return said(play, hit=True)


def test_cs_517_who_surrenders_gives_up_and_attacks_nobody() -> None:
    """CS-517: his Action is off; a strike of his is refused, until the GM rules otherwise."""
    play = facing().to("declare", "orc")
    play.do("declare", who="orc", action="strike", target="ash")
    assert broken(play).got("ActionAborted", who="orc")
    play.do("answer", prompt=play.prompt("fear").id, choice="no")
    play.refused("CS-517", "declare", who="orc", action="strike", target="ash")
    assert not play.option("orc", "declare-strike").legal
    for state in play.refused("CS-516", "rule", what="nerve", who="orc", value="merry").accepts:
        play.do("rule", what="nerve", who="orc", value=state)
        assert play.one("orc").record.morale == ("" if state == "steady" else state)  # type: ignore[attr-defined]
    play.do("rule", what="nerve", who="orc", value="steady")
    play.do("declare", who="orc", action="strike", target="ash")


def badges(play: Play, who: str) -> list[tuple[str, str]]:
    return [(one.text, one.seen) for one in showing.badges_of(play.state, play.one(who))]


def test_morale_is_shown_and_what_follows_is_called_to_mind() -> None:
    """CS-516, CS-519: badges, reminders on the turn, and what players see of it: doubt without its number."""
    play = said(facing(), dv=40, hit=True)
    assert ("shaken", "shaken") in badges(play, "orc")
    play.to("declare", "orc")
    assert any("looks for a chance" in line for line in play.fight.system.reminders(play.state))
    assert play.option("orc", "declare-act").inputs[0].default == "back away"
    play = said(facing(), hit=False)
    assert ("doubts Ash: DV -17 in Segment 2", "doubts Ash") in badges(play, "orc")
    seen = player_view(play.state, play.fight.system)["combatants"]
    assert next(one for one in seen if one["id"] == "orc")["effects"] == ["doubts Ash"]  # type: ignore[union-attr, index, call-overload]
    assert not [text for text, _ in badges(play.do("leave", who="ash"), "orc") if "doubts" in text]
    play.undo().to("initiative").begin(ash=40).to("declare", "ash")
    assert any("DVs -17" in line for line in play.fight.system.reminders(play.state))
    play.to("initiative")
    assert not [text for text, _ in badges(play, "orc") if "doubts" in text]


def test_cs_519_doubt_before_two_foes_at_once() -> None:
    """CS-519: each counts against the one who caused it."""
    talker = {"skills": {"intimidate": 20}, "weapons": [SWORD]}
    foe = {"side": "foe", "weapons": [SWORD], "mod": {"hrt": 3}}
    play = table(ash=talker, bo={**talker, "skills": {"intimidate": 10}}, orc=foe).begin()
    for who in ("ash", "bo"):
        play.do("demoralise", who=who, target="orc", line="Ha!", through=6, av=90, dv=18, hit=False)
    play.to("initiative").begin()
    for who, dv in (("ash", 40 - 17), ("bo", 40 - 7)):
        play.to("declare", who)
        play.do("opportunity", who=who, target="orc", defence="parry sword", hit=False)
        parts = play.got("CheckRequested", kind="opportunity").parts  # type: ignore[attr-defined]
        assert ("doubt", f"{dv - 40}", "CS-519") in parts


def test_the_chance_that_is_proposed_knows_of_doubt() -> None:
    """CS-519, R-5: the defence is offered with what it is worth against this attacker."""
    play = duel(ash=TALKER, orc={"skills": {"presence": 9}})
    play.do("demoralise", who="ash", target="orc", line="Ha!", through=6, av=90, dv=18, hit=False)
    play.to("initiative").begin()
    due(play)
    shown = {one.name: one for one in play.option("ash", "strike").inputs}
    assert shown["defence"].default == "parry sword 20"
    assert shown["chance"].default == "70"
