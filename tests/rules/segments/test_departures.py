"""Who leaves, goes down or is put elsewhere is gone from what others mean, hold and are asked (CS-111, A-61)."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.base import Square
from fightcall_engine.board.kinds import SquareBoard, any_board
from fightcall_engine.systems.segments.state.records import FullDefence

from ..once import played_once
from .table import SWORD, Play, table

AXE = {**SWORD, "name": "axe", "hand": "L"}


@played_once
def yard(*, pulses: bool = False, far: int = 1, **more: Mapping[str, object]) -> Play:
    """Ash with a sword and an axe before an orc, with an imp beside him; Ash is to declare."""
    people: dict[str, Mapping[str, object]] = {
        "ash": {"weapons": [SWORD, AXE], "at": Square(2, 2), "facing": 0},
        "orc": {"side": "foe", "weapons": [SWORD], "dodge": 13, "at": Square(2 + far, 2), "facing": 4},
        "imp": {"side": "foe", "weapons": [SWORD], "dodge": 13, "at": Square(2 + far, 3), "facing": 4},
    }
    board = any_board(SquareBoard(40, 6, scale=5))
    cast = {who: {**people.get(who, {}), **more.get(who, {})} for who in (*people, *more)}
    return table(board, {"pulse_movement": pulses}, **cast).begin().to("declare", "ash")


def names_of(play: Play, who: str) -> list[str]:
    """Where somebody is still named: in what is remembered, in facts, in questions; words that were said are left."""
    said = ("past", "action.text", "action.outcome", "action.public")
    kept = [
        (f"{one.id}.{name}", value)
        for one in play.state.combatants.values()
        for name, value in one.values.items()
        if name not in said
    ]
    kept += [(name, value) for name, value in play.state.remembered.items()]
    kept += [(each.kind, each.resume) for each in play.state.prompts]
    return [name for name, value in kept if re.search(rf"\b{who}\b", str(value))]


def test_the_target_of_a_charge_leaves_before_the_pulses() -> None:
    """CS-539: in the shipped tiltyard, on the way to where he stood, as it was found in play."""
    fight = start_fight(load_encounter("the-tiltyard"), id="t", seed="7")
    play = Play(fight).do("start").to("declare", "aldous-bray")
    play.do("declare", who="aldous-bray", action="charge", target="oskar-the-axe").do("leave", who="oskar-the-axe")
    assert play.one("aldous-bray").record.action.targets == ()
    play.to("resolve", "aldous-bray")
    assert play.refused("CS-342", "resolve", who="aldous-bray").accepts
    play.do("advance")
    assert "it has no target" in play.prompt("unsettled").question
    assert play.do("advance").got("Resolved").outcome == "not carried out"  # type: ignore[attr-defined]


@pytest.mark.parametrize("who", ["orc", "imp"])
def test_who_leaves_has_no_step_to_come(who: str) -> None:
    """CS-111: neither to declare nor to resolve; the others keep theirs, and the one that runs goes on."""
    play = yard()
    before = [step.actor for step in play.state.agenda.steps]
    running = play.state.step
    play.do("leave", who=who)
    assert [step.actor for step in play.state.agenda.steps] == [each for each in before if each != who]
    assert play.state.step == running
    play.do("declare", who="ash", text="look about").to("resolve", "ash")


def test_who_leaves_is_the_target_of_nothing_and_the_attacker_is_asked() -> None:
    """CS-111: as of who goes down."""
    play = yard().do("declare", who="ash", target="orc").do("confirm", who="ash").do("leave", who="orc")
    asked = play.prompt("lost_target")
    assert "has left" in asked.question
    assert names_of(play, "orc") == []
    play.to("resolve", "ash").do("resolve", who="ash", target="imp", defence="none", hit=True)
    assert play.got("Hit", target="imp")


def test_of_two_targets_one_leaves() -> None:
    """CS-342: the other is struck at by both weapons."""
    play = yard().do("declare", who="ash", target="orc", weapon="sword", second="axe", other="imp")
    play.do("leave", who="orc")
    assert play.one("ash").record.action.targets == ("imp",)
    assert play.offers() == []
    play.to("resolve", "ash").do("resolve", who="ash", defence="none", hit=False)
    assert play.got("Missed", target="imp")


def test_who_leaves_is_named_by_no_action_of_an_earlier_segment() -> None:
    """CS-102: a resolved Action is over in the next segment, but its words stay until another one is declared."""
    play = yard().do("declare", who="ash", target="orc").to("resolve", "ash")
    play.do("resolve", who="ash", defence="none", hit=False).to("declare", "ash")
    assert "ash.action.targets" in names_of(play, "orc")
    assert names_of(play.do("leave", who="orc"), "orc") == []


@pytest.mark.parametrize("gone", ["ash", "orc"])
def test_a_reprisal_lapses_with_either(gone: str) -> None:
    """CS-481."""
    play = yard().do("declare", who="ash", target="orc").to("resolve", "ash")
    play.do("resolve", who="ash", defence="none", hit=False)
    assert play.offers() == ["reprisal"]
    play.do("leave", who=gone)
    assert play.offers() == []
    assert names_of(play, gone) == []


def test_a_reprisal_lapses_where_the_gm_puts_the_foe_elsewhere() -> None:
    """CS-481, CS-442: and not where he still is in reach."""
    for place, offered in ((Square(30, 2), []), (Square(3, 1), ["reprisal"])):
        play = yard().do("declare", who="ash", target="orc").to("resolve", "ash")
        play.do("resolve", who="ash", defence="none", hit=False).do("place", who="ash", at=place)
        assert play.offers() == offered


def test_a_full_defence_against_who_leaves_is_against_nobody() -> None:
    """CS-166."""
    play = yard().do("declare", who="ash", action="defend", against="orc").do("confirm", who="ash")
    assert play.one("ash").record.full_defence == FullDefence("orc")
    play.do("leave", who="orc")
    assert names_of(play, "orc") == []
    assert play.see("ash")["declared"]["state"] == "committed"  # type: ignore[index]


def test_what_was_said_of_how_he_stands_is_forgotten() -> None:
    """CS-300."""
    play = yard().do("approach", who="ash", foe="orc", field="RS")
    play.do("leave", who="orc")
    assert names_of(play, "orc") == []


def test_who_helps_stands_alone_again_and_so_does_who_was_helped() -> None:
    """CS-136: whichever of the two leaves."""
    for gone, left in (("bo", "ash"), ("ash", "bo")):
        play = yard(bo={"at": Square(2, 1), "side": "party"})
        play.do("declare", who="ash", components=["don_plate_limb"], helper="bo").do("confirm", who="ash")
        play.do("leave", who=gone)
        assert names_of(play, gone) == []
        assert play.see(left)["declared"]["state"] == "aborted"  # type: ignore[index]


def test_a_struggle_goes_on_without_him() -> None:
    """CS-203, CS-206: for who leaves and for who is put elsewhere."""
    for name, more in (("leave", {}), ("place", {"at": Square(20, 5)})):
        play = yard().do("handle", who="ash", what="take", thing="idol")
        play.do("handle", who="orc", what="take", thing="idol", force=True)
        assert "orc" in str(play.state.remembered["struggles"])
        play.do(name, who="orc", **more)
        assert "orc" not in str(play.state.remembered["struggles"])
        assert "orc" not in str(play.state.remembered["things"])


def test_a_planned_way_is_gone_with_who_is_put_elsewhere() -> None:
    """CS-181, CS-539: and the run with it."""
    play = yard(pulses=True, far=9).do("declare", who="ash", action="charge", target="orc")
    play.do("plan", who="ash", to=Square(10, 2)).to("pulse").do("pulses", pulses=3)
    assert play.one("ash").record.streak
    play.do("place", who="ash", at=Square(30, 5))
    told = play.one("ash").record
    assert (told.plan, told.streak, told.sprint) == ((), 0, 0)


def test_offers_of_who_came_past_lapse_when_he_is_put_elsewhere() -> None:
    """CS-236, CS-442: movement goes on without them."""
    play = yard(pulses=True, far=9).do("declare", who="ash", action="move")
    play.do("plan", who="ash", to=Square(12, 2)).to("pulse").do("pulses")
    assert "opportunity" in play.offers()
    play.do("place", who="ash", at=Square(30, 5))
    assert "opportunity" not in play.offers()
    play.to("initiative")


def test_a_stray_shot_flies_on_past_who_leaves() -> None:
    """CS-525, CS-527: the one who is asked about, and one behind him."""
    bow = {"name": "bow", "kind": "missile", "family": "bow", "av": 40, "size": 5, "hand": "2"}
    for gone, asked in (("imp", "bo"), ("bo", "imp")):
        play = yard(
            far=5, ash={"weapons": [bow]}, imp={"at": Square(9, 2)},
            bo={"side": "foe", "at": Square(11, 2), "dodge": 9},
        )  # fmt: skip
        play.do("declare", who="ash", action="shoot", target="orc").to("resolve", "ash")
        play.do("resolve", who="ash", hit=False, defence="aware")
        assert play.prompt("check").resume.target == "imp"
        play.do("leave", who=gone)
        assert play.prompt("check").resume.target == asked
        assert names_of(play, gone) == []


def test_first_to_declare_and_at_the_same_instant_are_those_who_are_here() -> None:
    """CS-026, CS-072."""
    play = yard().do("rule", what="first", who="orc")
    assert play.state.remembered["first"] == "orc"
    play.do("leave", who="orc")
    assert names_of(play, "orc") == []


def test_the_victims_of_a_plot_are_asked_on_when_one_of_the_plotters_leaves() -> None:
    """CS-055: and nobody is, when the last of them has left."""
    play = yard().do("spring", aggressors=["orc", "imp"], targets=["ash"], base=20, dv=30)
    play.do("answer", prompt="check", choice="made")
    assert play.prompt("check").who == "ash"
    play.do("leave", who="imp")
    assert (play.prompt("check").who, play.prompt("check").resume.plot.plotters) == ("ash", ("orc",))
    play.do("leave", who="orc")
    assert play.asks() == []


def test_a_ruse_goes_on_for_the_others_when_who_has_fallen_for_it_leaves() -> None:
    """CS-044: the next is asked as before, and is surprised where he falls for it too."""
    play = yard().do("spring", aggressors=["ash"], targets=["orc", "imp"], kind="ruse", base=15)
    play.do("answer", prompt="ruse", choice="fooled").do("leave", who="orc")
    assert play.prompt("ruse").who == "imp"
    assert names_of(play, "orc") == []
    play.do("answer", prompt="ruse", choice="fooled")
    assert play.prompt("check").resume.plot.victims == ("imp",)


def test_a_ruse_goes_on_for_the_others_when_who_is_asked_leaves() -> None:
    """CS-044: the next is asked, and those are surprised who have fallen for it."""
    play = yard().do("spring", aggressors=["ash"], targets=["orc", "imp"], kind="ruse", base=15).do("leave", who="orc")
    assert (play.prompt("ruse").who, play.prompt("ruse").resume.plot.victims) == ("imp", ("imp",))
    last = yard().do("spring", aggressors=["ash"], targets=["orc", "imp"], kind="ruse", base=15)
    last.do("answer", prompt="ruse", choice="fooled").do("leave", who="imp")
    assert last.prompt("check").resume.plot.victims == ("orc",)


def test_the_next_of_the_plotters_rolls_when_who_was_to_leaves() -> None:
    """CS-041: the Surprise of the others is theirs all the same."""
    play = yard(bo={"at": Square(1, 2)}).do("spring", aggressors=["ash", "bo"], targets=["orc"], base=15)
    assert play.prompt("check").who == "ash"
    play.do("leave", who="ash")
    assert (play.prompt("check").who, play.prompt("check").resume.plot.plotters) == ("bo", ("bo",))


def test_a_surprise_is_settled_when_the_only_one_on_guard_leaves() -> None:
    """CS-041, CS-054: for the others it is what it was."""
    play = yard().do("spring", aggressors=["ash"], targets=["orc", "imp"], wary=["orc"], base=15).do("leave", who="orc")
    plot = play.prompt("check").resume.plot
    assert (plot.victims, plot.wary) == (("imp",), ())
