"""The first line of the call bar at 80 columns says whom an act harmed and what is left of them: at the table 4.3."""

import re

import pytest

from fightcall.paint.call_bar import CallLine, CallView, call_rows
from fightcall.paint.happening import happened_in
from fightcall.paint.runs import UNICODE, row_text
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.model.events import DamageApplied
from fightcall_engine.testkit.random_player import RandomPlayer

HARM = re.compile(r"takes|hit for|is down|wounds|collapses|unconscious|dies")
LEFT = re.compile(r"\d+/\d+ |is down|in all|collapses|unconscious|dies")
ENCOUNTERS = ("ambush-at-the-ford", "surrounded-by-goblins", "fire-at-the-playhouse", "the-bell-tower", "the-tiltyard")


def said(change, system, rows):
    """What the call bar says of a change on a screen of 80 columns, with so many rows for the bar."""
    view = CallView(happened=happened_in(change, system, "u", "U"), line=CallLine())
    drawn = call_rows(view, change.after, system, "", width=80, height=rows, glyphs=UNICODE).rows
    return " ".join(row_text(row).strip() for row in drawn[1:3])


@pytest.mark.slow
@pytest.mark.parametrize("rows", [3, 5])
@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_harm_and_what_is_left_are_never_cut(encounter, rows):
    """At the table 4.3: results such as "throwing knife at Sister Amaranth ..." were cut before their harm."""
    lines = []
    for seed in range(3):
        player = RandomPlayer(encounter, seed)
        system = player.fight.system

        def hear(change, system=system):
            # What befalls somebody as time goes on is told with the step.
            is_act = change.kind == "do" and "target" in change.entry.command
            if is_act and any(isinstance(event, DamageApplied) for event in change.entry.events):
                lines.append(said(change, system, rows))

        player.fight.subscribe(hear)
        player.play(150)
    assert [line for line in lines if not (HARM.search(line) and LEFT.search(line))] == []


@pytest.mark.parametrize("rows", [3, 5])
def test_long_names_do_not_hide_the_harm(rows):
    """At the table 4.3: with one row for the result, the act makes room for what it did."""
    fight = start_fight(load_encounter("fire-at-the-playhouse"), id="fire", seed="7")
    fight.give("start")
    for who, result in (("perdita-lark", 23), ("hob-the-stagehand", 21), ("sister-amaranth", 17)):
        fight.give("awareness", who=who, result=result)
    fight.give("lock")
    lines = []
    fight.subscribe(lambda change: lines.append(said(change, fight.system, rows)))
    blow = {"what": "a throwing knife from the catwalk", "target": "sister-amaranth", "hit": True, "damage": 3}
    fight.give("npc", who="the-gilt-mask", force=True, **blow)
    assert "hit for 3 (6/9 HP)" in lines[-1]
    if rows == 3:
        assert lines[-1].startswith("✓ Sister Amaranth is hit for 3 (6/9 HP)")
