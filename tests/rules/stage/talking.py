"""Stage Moments by JSON lines: the cast of the rules, and short ways to the moments that examples begin at."""

from __future__ import annotations

from collections.abc import Mapping

from ..once import played_once
from ..talk import Talk

CAST: Mapping[str, Mapping[str, object]] = {
    "ash": {"agility": 13, "hp": 10},
    "bram": {"agility": 10, "dar": 3, "armor_beat_loss": 3, "hp": 10},
    "col": {"agility": 12, "dar": 2, "armor_beat_loss": 1, "skullduggery": 15, "hp": 10},
    "orc": {"hp": 6},
    "gob": {"hp": 4},
}
FOES = ("orc", "gob")


@played_once
def table(
    *who: str,
    settings: Mapping[str, object] | None = None,
    sheets: Mapping[str, Mapping[str, object]] | None = None,
    at: Mapping[str, list[int]] | None = None,
) -> Talk:
    """These at the table, before the first Moment; `at` puts them on a board."""
    board = {"board": {"kind": "hex", "cols": 20, "rows": 15}} if at else {}
    talk = Talk("stage", settings, seed="7", **board)
    for name in who or tuple(CAST):
        side = "foe" if name in FOES else "party"
        place = {"at": at[name]} if at and name in at else {}
        sheet = {**CAST[name], **(sheets or {}).get(name, {})}
        talk.do("add", id=name, name=name.title(), side=side, sheet=sheet, **place)
    return talk


def begun(talk: Talk, phase: str = "meeting", side: str = "party") -> Talk:
    """Into Moment 1, or on to a half of the running one."""
    if talk.state["round"] == 0:
        talk.do("start")
    return on_to(talk, phase, side)


def on_to(talk: Talk, phase: str, side: str = "party") -> Talk:
    """The GM closes halves until this one runs."""
    for _ in range(60):
        if (talk.state["phase"], talk.state["side"]) == (phase, side):
            return talk
        talk.do("advance")
    raise AssertionError(talk.state)


def next_moment(talk: Talk) -> Talk:
    """To the Meeting of the next Moment, taking all defaults."""
    number = talk.state["moment"]
    for _ in range(60):
        if talk.state["moment"] != number:
            return talk
        talk.do("advance")
    raise AssertionError(talk.state)


def hidden(talk: Talk, who: str) -> Talk:
    """The GM says that nobody knows of them, and nobody sees them."""
    talk.do("rule", what="hidden", who=who, value=True)
    return talk.do("rule", what="plain_view", who=who, value=False)


def beats(talk: Talk, who: str) -> object:
    return talk.combatant(who)["beats"]
