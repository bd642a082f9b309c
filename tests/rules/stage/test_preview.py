"""A strike before it is made: contact or line, the number needed, the damage, and what stands against it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.board.base import Hex, Terrain
from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.kit.movement import BROKEN, Preview, Row

from .table import Play, big_board, table

BOW: Mapping[str, object] = {"strikes": [{"name": "bow", "kind": "missile", "needs": 12, "damage": "d6"}], "hp": 9}


def preview(play: Play, name: str, /, **data: object) -> tuple[Preview, dict[str, Row]]:
    """A command's preview, and its rows by name."""
    found = play.fight.preview(play.fight.codec.command(name, data))
    return found, {row.name: row for row in found.rows}


def test_a_shot_says_line_number_and_damage() -> None:
    """SB-35, SB-37: everything is there before the die."""
    play = table("ash", "orc", board=big_board(), sheets={"ash": BOW, "orc": {"hp": 5}}).start().to("missile")
    found, rows = preview(play, "shoot", who="ash", target="orc")
    assert (found.title, found.can_run) == ("Ash shoots at Orc with bow", True)
    assert list(rows) == ["line", "needs", "then"]
    assert rows["line"].detail == "clear"
    assert (rows["needs"].text, rows["needs"].dice, rows["needs"].purpose) == ("12 or less", "d20", "attack")
    assert (rows["then"].text, rows["then"].detail) == ("d6 damage", "Orc has 5 of 5")


@pytest.mark.parametrize(("cover", "words"), [("partial", "partial cover at C1"), ("open", "blocked at C1")])
def test_what_stands_between_gives_the_cover_that_the_target_has(cover: str, words: str) -> None:
    """SB-68: the panel does not call a line blocked along which one may shoot."""
    tree = Terrain("tree", "T", blocks_sight=True)
    board = HexBoard(6, 1, terrain={Hex(2, 0): "tree"}, legend={"tree": tree})
    places = {"ash": Hex(0, 0), "orc": Hex(4, 0)}
    play = table("ash", "orc", board=board, at=places, sheets={"ash": BOW, "orc": {"cover": cover}})
    _, rows = preview(play.start().to("missile"), "shoot", who="ash", target="orc")
    assert rows["line"].detail == words


def test_of_two_bows_the_panel_says_which() -> None:
    """SB-37: a weapon is only to be chosen where there is another of its kind."""
    sling = {"name": "sling", "kind": "missile", "needs": 9, "damage": "d4"}
    axe = {"name": "axe", "kind": "melee", "needs": 9, "damage": "d6"}
    for others, names in (((axe,), []), ((axe, sling), ["bow"])):
        sheet = {**BOW, "strikes": [*BOW["strikes"], *others]}  # type: ignore[misc]
        play = table("ash", "orc", board=big_board(), sheets={"ash": sheet, "orc": {"hp": 5}}).start().to("missile")
        found, _ = preview(play, "shoot", who="ash", target="orc")
        assert [row.text for row in found.rows if row.name == "with"] == names


def test_partial_cover_is_said_before_the_shot() -> None:
    """SB-69: what cover adds to the die stands beside the number needed."""
    play = table("ash", "orc", board=big_board(), sheets={"ash": BOW, "orc": {"cover": "partial"}})
    _, rows = preview(play.start().to("missile"), "shoot", who="ash", target="orc")
    assert rows["needs"].text == "12 or less, +1 partial cover to the die"
    _, rows = preview(play, "shoot", who="ash", target="orc", modifier=2)
    assert rows["needs"].text == "12 or less, +1 partial cover to the die, +2 to the die"


def test_cover_is_against_shots_alone() -> None:
    """SB-69: whoever stands behind something is struck at in melee as in the open."""
    sword = {"strikes": [{"name": "sword", "kind": "melee", "needs": 11, "damage": "d6"}], "hp": 9}
    play = table("ash", "orc", sheets={"ash": sword, "orc": {"cover": "partial"}})
    _, rows = preview(play.do("contact", who="ash", enemy="orc").start().to("melee"), "strike", who="ash", target="orc")
    assert rows["needs"].text == "11 or less"


@pytest.mark.parametrize(("reading", "cover", "shown"), [("low", "+1", "9 or less"), ("high", "-1", "11 or more")])
def test_the_number_needed_says_what_the_die_must_show(reading: str, cover: str, shown: str) -> None:
    """SB-35, SB-69, Q-S9: whichever way the die counts, cover hinders and the GM's modifier is added."""
    orc, settings = {"cover": "partial"}, {"strike_roll": reading}
    play = table("ash", "orc", board=big_board(), sheets={"ash": BOW, "orc": orc}, settings=settings)
    _, rows = preview(play.start().to("missile"), "shoot", who="ash", target="orc", modifier=2)
    sums = f"12 on the sheet, {cover} partial cover to the die, +2 to the die"
    assert rows["needs"].why == f"{sums}: the die shows {shown}"


def test_what_stands_against_a_strike_is_said_with_what_would_do() -> None:
    """SB-49: nobody strikes at a distance; who is in contact is offered instead."""
    play = table("ash", "orc", "gob").do("contact", who="ash", enemy="gob").start().to("melee")
    found, rows = preview(play, "melee", who="ash", target="orc", needs=11)
    assert not found.can_run
    assert (rows["contact"].status, rows["contact"].rule) == (BROKEN, "SB-49")
    assert [(remedy.field, remedy.value) for remedy in rows["contact"].remedies] == [("target", "gob")]
    found, _ = preview(play, "melee", who="ash", target="gob", needs=11)
    assert found.can_run


def test_where_the_number_is_missing_digits_are_that_number() -> None:
    """SB-35: the sheet lists no strike: hit and miss can be said, or what is needed."""
    play = table("ash", "orc").do("contact", who="ash", enemy="orc").start().to("melee")
    found, rows = preview(play, "melee", who="ash", target="orc")
    assert found.can_run
    assert (rows["outcome"].number, rows["outcome"].dice) == ("needs", "")
    assert list(rows) == ["contact", "outcome", "then"]
    assert rows["then"].text == "you type the damage"
