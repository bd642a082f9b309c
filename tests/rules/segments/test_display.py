"""The tactical display: scales, Zones, speeds on all scales, shared markers (CS-242, CS-680 to CS-688, G-38, G-124)."""

from __future__ import annotations

import pytest

from fightcall_engine.board.kinds import SquareBoard
from fightcall_engine.systems.segments.state import queries as fg
from fightcall_engine.systems.segments.views import cards
from fightcall_engine.systems.segments.views import cards as showing

from ..once import played_once
from .table import Play, table


@played_once
def play(board: SquareBoard | None = None, **settings: object) -> Play:
    people: dict[str, dict[str, object]] = {
        "ash": {"height": 35 / 6, "move": {"full": 16, "leap": 8, "running_leap": 15}},
        "bo": {},
        "cy": {},
        "orc": {"side": "foe"},
    }
    for place, given in enumerate(people.values()):
        if board is not None:
            given["at"] = [place * 3, 3 if given.get("side") else 0]
    return table(board, settings, **people)


# Scales


def test_cs_680_cs_685_another_scale_needs_the_option_and_is_announced_and_remembered() -> None:
    """CS-680, CS-685."""
    at = play()
    at.refused("CS-680", "scale", scale="half")
    at.do("scale", scale="skirmishing")
    assert not at.last, "nothing changes"
    at.do("configure", setting="formal_scales", value=True).do("scale", scale="fifth")
    assert at.got("ScaleChanged", value="fifth", square_feet=25.0)
    assert showing.facts(at.state)["scale"] == "fifth"
    assert any("25 ft" in one for one in at.fight.system.reminders(at.state))
    at.refused("CS-680", "scale", scale="huge")


def test_cs_685_the_gm_may_change_it_without_the_option() -> None:
    """CS-685."""
    at = play().do("scale", scale="half", force=True)
    assert at.all("Overridden")
    assert fg.scale_of(at.state) == "half"
    at.undo()
    assert fg.scale_of(at.state) == "skirmishing"


@pytest.mark.parametrize(
    ("feet", "skirmishing", "half", "fifth"), [(400, 2000, 1000, 400), (1000, 5000, 2500, 1000), (100, 500, 250, 100)]
)
def test_g_124_cs_680_distances_on_all_scales(feet: int, skirmishing: int, half: int, fifth: int) -> None:
    """G-124, CS-680."""
    trail = play().fight.explain("ash", f"on_display {feet}")
    found = {part.label: part.value.partition(" = ")[0] for part in trail.parts}
    assert found == {"skirmishing": f"{skirmishing} mm", "half": f"{half} mm", "fifth": f"{fifth} mm"}


def test_cs_187_display_distances_are_told_in_both_ways() -> None:
    """CS-187."""
    assert "7.5 cm (7 cm + 5 mm)" in play().fight.explain("ash", "on_display 15").parts[0].value


def test_cs_680_the_scale_in_use_is_marked_among_the_others() -> None:
    """CS-680."""
    trail = play().fight.explain("ash", "scale")
    assert [part.label for part in trail.parts if part.rule == "CS-680" and part.label.endswith(", in use")] == [
        f"{trail.total}, in use"
    ]


def test_cs_681_the_grid_tells_its_squares() -> None:
    """CS-681."""
    assert any(part.rule == "CS-681" for part in play(grid=True).fight.explain("ash", "scale").parts)
    assert not any(part.rule == "CS-681" for part in play().fight.explain("ash", "scale").parts)


def test_g_124_cs_682_cs_683_cs_688_a_zone_is_as_wide_as_its_owner_is_tall() -> None:
    """G-124, CS-682, CS-683, CS-688."""
    at = play(formal_scales=True)
    trail = at.fight.explain("ash", "zone")
    assert trail.total == "29 mm across"
    assert {part.rule for part in trail.parts} == {"CS-682", "CS-187", "CS-683", "CS-688"}
    at.do("scale", scale="half")
    assert at.fight.explain("ash", "zone").total == "15 mm across"


# Speeds


@pytest.mark.parametrize(
    ("mph", "words"),
    [
        ("1", "2 ft a Pulse; 7 mm skirmishing, 4 mm half, 2 mm fifth; table 7-2: 7/3/2 mm"),
        ("7", "10 ft a Pulse; 51 mm skirmishing, 26 mm half, 10 mm fifth; table 7-2: 51/21/10 mm"),
        ("16", "24 ft a Pulse; 117 mm skirmishing, 59 mm half, 24 mm fifth; table 7-2: 117/47/24 mm"),
    ],
)
def test_g_38_cs_242_the_printed_table_with_its_irregular_rows(mph: str, words: str) -> None:
    """G-38, CS-242."""
    assert play().fight.explain("ash", f"pace {mph}").parts[0].value == words


def test_g_38_cs_242_what_print_has_otherwise_than_the_formula() -> None:
    """G-38, CS-242."""
    at = play()
    assert at.fight.explain("ash", "pace 4").parts[0].value.split("; ")[1].startswith("30 mm")
    assert at.fight.explain("ash", "pace 1/4").parts[0].value.startswith("0.4 ft")
    exact = play(pulse_distance="exact")
    assert exact.fight.explain("ash", "pace 4").parts[0].value.split("; ")[1].startswith("29 mm")
    at.fight.explain("ash", "pace 200")


@pytest.mark.parametrize("said", ["pace fast", "pace -1", "on_display x", "pace 1/0"])
def test_numbers_that_are_none_are_refused(said: str) -> None:
    from fightcall_engine.model.errors import Refused

    with pytest.raises(Refused):
        play().fight.explain("ash", said)


def test_cs_686_a_movement_card_has_speeds_and_leaps() -> None:
    """CS-686."""
    at = play()
    card = showing.fields(at.state, "ash")["display"]
    assert isinstance(card, dict)
    assert card["zone_mm"] == 29
    assert (card["leap"], card["running_leap"]) == (8.0, 15.0)
    assert card["pace"]["full"] == {
        "mph": 16.0,
        "feet": 24.0,
        "mm": {"skirmishing": 117, "half": 59, "fifth": 24},
        "table": [117, 47, 24],
    }
    labels = [part.label for part in at.fight.explain("ash", "pace").parts]
    assert labels == ["quarter, 4 mph", "half, 8 mph", "three-quarter, 12 mph", "full, 16 mph", "leap", "running leap"]


# Markers


def test_cs_684_a_party_shares_a_marker_until_somebody_is_more_than_25_mm_away() -> None:
    """CS-684."""
    at = play(SquareBoard(60, 4), formal_scales=True)
    assert at.fight.explain("ash", "marker").total == "its own", "at the usual scale everybody has his own"
    at.do("scale", scale="fifth")
    assert cards.markers(at.state) == (("ash", "bo", "cy"), ("orc",))
    at.do("place", who="cy", at=[8, 0])
    assert at.fight.explain("cy", "marker").parts[0].value == "Ash, Bo, Cy", "25 mm from Bo"
    at.do("place", who="cy", at=[9, 0])
    assert at.fight.explain("cy", "marker").total == "its own"


def test_who_is_next_is_told_while_somebody_acts_and_nobody_before_the_first_segment():
    """CS-010: of those who still have a step of the same kind."""
    at = table(ash={}, orc={"side": "foe"})
    assert not any(line.startswith("Next:") for line in at.fight.system.reminders(at.state))
    at.begin().to("declare", "ash")
    assert "Next: Orc" in at.fight.system.reminders(at.state)
    at.to("declare", "orc")
    assert not any(line.startswith("Next:") for line in at.fight.system.reminders(at.state))
