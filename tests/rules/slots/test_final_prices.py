"""Where the numbers of the Final Phase come from: every action costs four times as much (AP-23, Q-A2, Q-A29)."""

from __future__ import annotations

import pytest

from .table import ABILITIES, Play, table

LIFT = {"name": "lift", "cost": 1, "cost_final": 2, "combo": {"partners": 1, "partner_cost": 1}}


def final_phase(settings: dict[str, object] | None = None) -> Play:
    """Teo's Final Phase: he has 4, Ivo 7 and Mara 5 in reserve."""
    sheets = {"teo": {"abilities": [LIFT, ABILITIES["slow"]]}}
    return table(has={"ivo": ["breaks", "rf"]}, sheets=sheets, settings=settings).locked().to("teo")


@pytest.mark.parametrize(
    ("command", "prices"),
    [
        ({"do": "shared", "who": "ivo", "what": "lift the lid"}, [("ivo", 1, 4)]),
        ({"do": "move", "who": "ivo", "hexes": 2}, [("ivo", 1, 4)]),
        ({"do": "begin", "who": "teo", "ability": "slow", "result": 9}, [("teo", 2, 8)]),
        (
            {"do": "combo", "who": "teo", "partner": "ivo", "ability": "lift", "in_range": True},
            [("teo", 1, 2), ("ivo", 1, 4)],
        ),
    ],
)
def test_every_action_of_the_final_phase_says_what_is_taken_four_times(command, prices):
    """AP-23, Q-A29: all actions taken then are Final Phase Actions; a Final price of the sheet is told, too."""
    play = final_phase()
    play.do(str(command["do"]), **{name: value for name, value in command.items() if name != "do"})
    told = play.all("FinalActionTaken")
    assert [(event.who, event.base, event.price) for event in told] == prices  # type: ignore[attr-defined]


def test_what_belongs_to_another_action_is_no_action_of_the_final_phase():
    """AP-31: it costs nothing. Q-A14: an instalment is paid one for one."""
    play = final_phase().do("handle", who="ivo", what="open the box", shared=False)
    assert not play.all("FinalActionTaken")
    play.do("begin", who="teo", ability="slow", result=9).to_round(2).to("teo").do("continue", who="teo")
    assert not play.all("FinalActionTaken")


def test_the_panel_shows_an_interrupts_price_by_the_moment_it_breaks_into():
    """AP-29, AP-23: Mara's act spent her last slot, so Teo's Final Phase runs already."""
    play = table(has={"ivo": ["breaks"]}).locked().to("mara").do("act", who="mara", cost=5)
    assert play.see_fight()["final"]
    data = {"who": "ivo", "ability": "breaks", "target": "mara"}
    shown = {}
    for interrupt in (True, False):
        command = play.fight.codec.command("react", {**data, "interrupt": interrupt})
        shown[interrupt] = next(row.text for row in play.fight.preview(command).rows if row.name == "costs")
    assert shown == {True: "1 slot from reserve", False: "4 slots from reserve, 1 before the Final Phase"}
    play.do("react", **data, interrupt=True).got("SlotsSpent", who="ivo", amount=1)


def test_the_panel_of_a_combo_shows_what_each_pays():
    """AP-23, AP-33: before it is paid, with the price that is taken four times."""
    play = final_phase()
    data = {"who": "teo", "partner": "ivo", "ability": "lift", "in_range": True}
    found = play.fight.preview(play.fight.codec.command("combo", data))
    assert found.title == "Teo: lift"
    assert [(row.name, row.text, row.detail) for row in found.rows if "slot" in row.text] == [
        ("costs", "2 slots, 1 before the Final Phase", "Teo has 4"),
        ("Ivo pays", "4 slots from reserve, 1 before the Final Phase", "Ivo has 7"),
    ]
    assert play.fight.preview(play.fight.codec.command("combo", {**data, "partner": "nobody"})).title == "Teo: combo"


def test_a_combo_is_offered_at_what_each_would_pay():
    """Q-A2, AP-33: where only Reserved Slots are dear, the partner pays four times and the active PC does not."""
    play = final_phase({"final_scope": "reserved_only"})
    assert play.option("teo", "combo").cost == "1+4"
    play.do("combo", who="teo", partner="ivo", ability="lift", in_range=True)
    assert (play.slots("teo"), play.slots("ivo")) == ((3, 0), (0, 3))
