"""Corners where two rules of Stage Moments meet."""

from __future__ import annotations

from .table import Play, table


def creeping(*who: str) -> Play:
    """The first Meeting, in which nobody knows of Col."""
    return table(*who, hidden=["col"], out_of_sight=["col"]).start()


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
