"""Who goes first: sides, figures of a side, and the slow (SB-06, SB-11..13)."""

from __future__ import annotations

import pytest

from .table import PHASES, Play, table


def test_the_party_agrees_on_an_order() -> None:
    """SB-11: by ids, labels or commas; foes keep the GM's order."""
    play = table()
    play.do("rule", what="order", value="col, ash bram").got("RulingRecorded", rule="SB-11", choice="agreed")
    assert play.state.order == ("col", "ash", "bram", "orc", "gob")
    labels = " ".join(play.one(who).label for who in ("bram", "col", "ash"))
    play.do("rule", what="order", value=labels)
    assert play.state.order == ("bram", "col", "ash", "orc", "gob")
    play.do("rule", what="Order", value="Free")
    assert play.state.order == ("ash", "bram", "col", "orc", "gob")


def test_an_agreed_order_may_be_a_list() -> None:
    """SB-11; put right 19: of ids, labels or names, which may have blanks."""
    play = table().do("adjust", who="ash", what="name", value="Ash Reed")
    play.do("rule", what="order", value=["col", "Ash Reed", "bram"])
    assert play.state.order == ("col", "ash", "bram", "orc", "gob")
    play.do("rule", what="order", value="Bram, Ash Reed, Col")
    assert play.state.order == ("bram", "ash", "col", "orc", "gob")


@pytest.mark.parametrize("value", ["ash bram", "ash bram col ash", "ash bram orc", "ash bram col orc"])
def test_an_agreed_order_names_each_of_the_party_once(value: str) -> None:
    """SB-11"""
    said = table().refused("SB-11", "rule", what="order", value=value)
    assert said.accepts == ("ash bram col",)


@pytest.mark.parametrize(
    ("mode", "rolls", "order"),
    [
        ("margin", {"ash": [9], "bram": [4], "col": [8]}, ["bram", "ash", "col"]),
        ("margin", {"ash": [20], "bram": [1], "col": [2]}, ["col", "bram", "ash"]),
        ("margin", {"ash": [13], "bram": [10], "col": [12]}, ["ash", "col", "bram"]),
        ("high", {"ash": [9], "bram": [4], "col": [8]}, ["ash", "col", "bram"]),
        ("high", {"ash": [1], "bram": [20], "col": [3]}, ["bram", "col", "ash"]),
        ("high", {"ash": [5], "bram": [8], "col": [6]}, ["ash", "col", "bram"]),
    ],
)
def test_agility_settles_the_order(mode: str, rolls: dict[str, list[int]], order: list[str]) -> None:
    """SB-11, Q-S2: the margin under Agility, or d20 + Agility; ties by the higher Agility."""
    play = table(settings={"agility_order": mode})
    play.do("rule", what="order", value="agility", rolls=rolls)
    assert list(play.state.order) == [*order, "orc", "gob"]
    assert [one.total for one in play.all("DiceRolled")] == [face for [face] in rolls.values()]


def test_a_perfect_tie_leaves_the_order_as_it_was() -> None:
    """SB-11, Q-S2: same margin, same Agility: agreement, so nothing is changed between them."""
    play = table(sheets={"ash": {"agility": 12}})
    play.do("rule", what="order", value="col bram ash")
    play.do("rule", what="order", value="agility", rolls={"agility": [5, 5, 5]})
    assert play.state.order[:2] == ("ash", "col")


def test_figures_of_a_side_move_in_any_order_and_in_instalments() -> None:
    """SB-12: both sides; the agreed order binds nobody in Move."""
    play = table().do("rule", what="order", value="ash bram col").start().to("move")
    for who, hexes in (("col", 4), ("bram", 2), ("col", 4), ("ash", 1), ("col", 5)):
        play.do("move", who=who, hexes=hexes)
    assert [play.beats(who) for who in ("ash", "bram", "col")] == [13, 9, 0]
    play.to("move", "foe")
    for who in ("gob", "orc", "gob"):
        play.do("move", who=who, hexes=3)
    assert [play.beats(who) for who in ("orc", "gob")] == [11, 8]


@pytest.mark.parametrize("phase", ["meeting", "missile", "move", "magic", "management"])
def test_too_slow_and_the_foe_goes_first_in_this_phase(phase: str) -> None:
    """SB-13, Q-S11: the place is lost, not the act, and only for this phase."""
    play = table().start().to(phase)
    play.do("rule", what="slow", note="two minutes!").got("RulingRecorded", rule="SB-13", note="two minutes!")
    play.got("LeadFlipped", side="foe", scope=phase)
    assert play.half() == f"{phase}.foe"
    play.do("waive", side="foe")
    assert play.half() == f"{phase}.party"
    play.do("waive", side="party")
    if phase != "management":
        assert play.state.step is not None
        assert play.state.step.side == "party"
        assert play.state.phase != phase


def test_too_slow_for_the_rest_of_the_moment() -> None:
    """SB-13, Q-S11: the other scope; the next Moment is as usual."""
    play = table().start().to("missile").do("rule", what="slow", value="moment")
    play.got("LeadFlipped", side="foe", scope="moment")
    seen = []
    while play.state.step is not None:
        seen.append(play.half())
        play.do("advance")
    assert seen == [
        "missile.foe", "missile.party", "move.foe", "move.party", "melee.foe", "melee.party", "magic.foe",
        "magic.party", "management.foe", "management.party",
    ]  # fmt: skip
    play.do("advance")
    assert play.half() == "meeting.party"


def test_the_scope_of_the_penalty_has_a_setting() -> None:
    """SB-13: what `slow` means when the GM says no more."""
    play = table(settings={"slow_penalty": "moment"}).start().to("missile").do("rule", what="slow")
    play.got("LeadFlipped", scope="moment")
    assert "move.foe" in _halves_to_come(play)[2]


def _halves_to_come(play: Play) -> list[str]:
    agenda = play.state.agenda
    return [step.id for step in agenda.steps[agenda.cursor :] if step.kind == "half"]


def test_the_gm_may_relent() -> None:
    """SB-13: the threat alone is on record and changes nothing."""
    play = table().start().to("missile")
    agenda = play.state.agenda
    play.do("rule", what="slow", value="cancel").got("RulingRecorded", rule="SB-13")
    assert play.state.agenda == agenda


def test_nobody_left_to_go_first_instead() -> None:
    """SB-13: in the trailing half, or with no Moment running, there is no place to lose."""
    play = table()
    play.refused("SB-13", "rule", what="slow")
    play.start().to("missile", "foe").refused("SB-13", "rule", what="slow")
    play.to("move").refused("SB-13", "rule", what="slow", value="for ever")


def test_too_slow_while_the_foe_has_nothing_to_do() -> None:
    """SB-13: the foe's half passes by itself and the party goes on."""
    play = table("ash", "orc").start().to("move")
    play.do("adjust", who="orc", what="able", value=False)
    play.do("rule", what="slow").got("HalfSkipped", side="foe", reason="no one able to act")
    assert play.half() == "move.party"
    play.do("move", who="ash", hexes=3)


def test_the_slow_keep_what_they_have_already_done() -> None:
    """SB-13, SB-34: a figure that has shot has shot when its half goes on."""
    play = table("ash", "bram", "orc").start().to("missile")
    play.do("shoot", who="ash", target="orc", hit=False)
    play.do("rule", what="slow").do("waive", side="foe")
    play.refused("SB-34", "shoot", who="ash", target="orc", hit=True, damage=1)
    play.do("shoot", who="bram", target="orc", hit=False)
    assert play.half() == "move.party"


def test_the_slow_do_not_manage_twice() -> None:
    """SB-13, SB-26: business done before the half was put back counts when it goes on."""
    play = table("ash", "bram", "orc").start().to("management").do("business", who="ash", name="drink")
    play.do("rule", what="slow").do("waive", who="orc")
    assert play.half() == "management.party"
    assert play.fight.system.waiting(play.state) == ("bram",)
    play.refused("SB-26", "business", who="ash", name="sing")
    play.next_moment("management").do("business", who="ash", name="sing")


def test_undo_gives_the_lead_back() -> None:
    """SB-13: flipped, undone, the party leads as before."""
    play = table().start().to("missile")
    before = play.state
    play.do("rule", what="slow").undo()
    assert play.state == before


@pytest.mark.parametrize("phase", PHASES)
def test_the_party_leads_each_phase_by_default(phase: str) -> None:
    """SB-06"""
    play = table("ash", "orc").do("contact", who="ash", enemy="orc").start().to(phase)
    lead, trail = (step.side for step in play.state.agenda.steps if step.phase == phase and step.kind == "half")
    assert (lead, trail) == ("party", "foe")
