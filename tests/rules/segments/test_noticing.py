"""Who comes from behind: warnings, and the turn of somebody overwhelmed (CS-063, CS-064, CS-304)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.kinds import HexBoard, SquareBoard, any_board
from fightcall_engine.model.errors import NeedsDice
from fightcall_engine.systems.segments.state import places as placing

from ..once import played_once
from .table import Play, table

FOE: Mapping[str, object] = {"side": "foe"}
SQUARES, HEXES = any_board(SquareBoard(20, 20)), any_board(HexBoard(20, 20))


@played_once
def beset(
    board: AnyBoard | None = None, v: Mapping[str, object] | None = None, settings: Mapping[str, object] | None = None,
    **foes: Mapping[str, object],
) -> Play:  # fmt: skip
    """V is overwhelmed by E, with a penalty of 15, while others come from elsewhere."""
    people = {"e": FOE, **{who: {**FOE, **given} for who, given in foes.items()}, "v": v or {}}
    play = table(board, settings, **people).do("start").do("spring", aggressors=["e"], targets=["v"], dv=20)
    play.do("surprise_roll", target="v", chance=0, roll=15, aggressor_chance=50, aggressor_roll=50)
    return play.begin()


def test_cs_063_the_overwhelmed_must_notice_even_who_they_are_warned_of_under_the_penalty():
    """CS-063."""
    play = beset(v={"skills": {"sentry": 40}}, f={})
    play.refused("CS-063", "warn", who="v")
    play.refused("CS-063", "warn", who="v", foe="v")
    play.do("warn", who="v", foe="f", dv=12)
    asked = play.got("CheckRequested", who="v", target="f", av=25, dv=12)
    assert ("surprised", "-15", "CS-062") in asked.parts
    prompt = play.prompt("check")
    assert (prompt.rule, prompt.blocking, prompt.amount) == ("CS-063", True, "chance")
    play.do("answer", amount=30, rolls={"check": [31]})
    assert play.one("v").record.warned is False


@pytest.mark.parametrize(("given", "warned"), [({"hit": True}, True), ({"hit": False}, False), ({"chance": 100}, True)])
def test_cs_063_the_check_may_come_with_the_warning(given, warned):
    """CS-063."""
    play = beset(f={"hidden": True}).do("warn", who="v", foe="f", **given)
    assert (play.one("v").record.warned, play.one("f").hidden) == (warned, not warned)
    assert play.asks() == []
    assert play.offers() == []


def test_cs_304_who_has_his_wits_needs_no_more_than_a_warning():
    """CS-304."""
    play = table(e=FOE, v={}).begin().do("warn", who="v", foe="e")
    assert play.one("v").record.warned is True
    assert play.names() == ["TraitsChanged"]


@pytest.mark.parametrize(
    ("board", "facing", "before", "behind"),
    [
        (SQUARES, 0, "L11", "J10"),
        (SQUARES, 0, "L11", "J11"),
        (SQUARES, 2, "K10", "L12"),
        (HEXES, 0, "L11", "J10"),
        (HEXES, 3, "J11", "L10"),
    ],
)
def test_cs_064_who_notices_turns_until_both_threats_lie_from_side_to_side(board, facing, before, behind):
    """CS-064."""
    play = beset(board, {"at": "K11", "facing": facing}, f={"at": behind})
    play.do("place", who="e", at=before)
    one = play.one("v")
    assert placing.field_of(play.state, one, play.one("e")) == "F"
    assert placing.field_of(play.state, one, play.one("f")) in ("RR", "R", "LR")
    play.do("warn", who="v", foe="f", hit=True).got("Turned", who="v")
    for foe in ("e", "f"):
        assert placing.field_of(play.state, play.one("v"), play.one(foe)) in ("F", "RF", "LF", "RS", "LS")


def test_cs_064_on_hexes_nobody_sees_before_and_straight_behind_him_and_turns_to_the_new_threat():
    """CS-064."""
    play = beset(HEXES, {"at": "K11", "facing": 0}, f={"at": "J11"})
    play.do("place", who="e", at="L11").do("warn", who="v", foe="f", hit=True)
    assert placing.field_of(play.state, play.one("v"), play.one("f")) in ("RS", "LS", "RF", "LF")


def test_cs_064_who_sees_both_already_need_not_turn():
    """CS-064."""
    play = beset(SQUARES, {"at": "K11", "facing": 0}, f={"at": "K10"})
    play.do("place", who="e", at="L11").do("warn", who="v", foe="f", hit=True)
    assert play.all("Turned") == []
    assert play.one("v").record.warned is True


def test_cs_063_the_warning_is_offered_to_the_overwhelmed():
    """CS-063."""
    play = beset(f={})
    option = play.option("v", "warn")
    assert (option.legal, option.rule, option.inputs[0].choices) == (True, "CS-304", ("e", "f"))
    play.do(option.command, who="v", foe="f", hit=True)
    assert not play.option("v", "warn").legal
    assert any("Need a warning" in line for line in play.fight.system.reminders(play.state))


def test_cs_063_nobody_is_warned_where_no_foe_is_left() -> None:
    """CS-063, CS-304: it is offered of those alone of whom the command takes it."""
    play = table(ash={}, orc={"side": "foe"}, imp={"side": "foe"}).begin()
    play.do("adjust", who="ash", what="surprise", value="overwhelmed")
    play.do("adjust", who="ash", what="surprise_until", value=9).do("leave", who="imp")
    warn = play.option("ash", "warn")
    assert (warn.legal, warn.inputs[0].choices) == (True, ("orc",))
    play.do("life", who="orc", life="dead")
    warn = play.option("ash", "warn")
    assert (warn.legal, warn.rule) == (False, "CS-063")


def test_cs_066_two_checks_of_one_man_are_two_throws_of_the_table() -> None:
    """Both are asked for by names of their own, however they are owed."""
    play = table(None, {"dice": "table", "resolution": "linear"}, ash={"pres": 5, "msta": 10}, orc={"side": "foe"})
    play.begin().do("blow", who="ash", pot=30)
    for _ in range(9):
        if not play.asks():
            break
        rolls: dict[str, list[int]] = {}
        owed = owed_for(play, rolls)
        while owed:
            assert not set(owed) & set(rolls), "asked for again under the same name"
            rolls |= {purpose: [1] for purpose in owed}
            owed = owed_for(play, rolls)
        play.do("advance", rolls=rolls)
    assert not play.asks()


def owed_for(play: Play, rolls: dict[str, list[int]]) -> list[str]:
    """The throws that going on still takes."""
    try:
        play.fight.decide(play.fight.codec.command("advance", {"rolls": rolls}))
    except NeedsDice as need:
        return [one.purpose for one in need.rolls]
    return []


def test_cs_264_whoever_strikes_hand_to_hand_out_of_hiding_is_seen():
    """CS-264, CS-265: who shoots from hiding may stay unseen; who strikes next to somebody does not (found by play)."""
    play = table(ash={}, orc={"side": "foe", "hidden": True}).begin(orc=9, ash=5).to("declare", "orc")
    play.do("declare", who="orc", action="strike", target="ash").to("resolve", "orc")
    assert play.one("orc").hidden
    play.do("resolve", who="orc", hit=False)
    assert play.got("Detected", who="orc").cause == "acts from hiding"
    assert not play.one("orc").hidden
