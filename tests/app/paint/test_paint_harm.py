"""The first line of the call bar at 80 columns says whom an act harmed and what is left of them: at the table 4.3."""

import re
from dataclasses import replace

import pytest

from fightcall.paint.call_bar import CallLine, CallView, call_rows
from fightcall.paint.happening import happened_in
from fightcall.paint.runs import UNICODE, row_text
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.model.commands import Advance, Answer
from fightcall_engine.model.events import DamageApplied
from fightcall_engine.play.foes import acting_ids, answer_for, suggest
from fightcall_engine.systems.slots.entries import Act, Npc

HARM = re.compile(r"takes|hit for|is down|wounds|collapses|unconscious|dies")
LEFT = re.compile(r"\d+/\d+ |is down|in all|collapses|unconscious|dies")
NAMED_TWICE = re.compile(r"✓ (.+) \1 ")
ENCOUNTERS = {
    "ambush-at-the-ford": 40,
    "surrounded-by-goblins": 60,
    "fire-at-the-playhouse": 40,
    "the-bell-tower": 40,
    "the-tiltyard": 60,
}
"""Those of each system, with the commands after which at least three have been harmed."""


def said(change, system, rows):
    """What the call bar says of a change on a screen of 80 columns, with so many rows for the bar."""
    view = CallView(happened=happened_in(change, system, "u", "U"), line=CallLine())
    drawn = call_rows(view, change.after, system, "", width=80, height=rows, glyphs=UNICODE).rows
    return " ".join(row_text(row).strip() for row in drawn[1:3])


def next_command(fight):
    """What goes on: both sides act as is suggested, and hit where that is the GM's to say."""
    asked = fight.state.asked_first
    if asked is not None and asked.blocking:
        obvious = answer_for(fight.system, fight.state, asked)
        return obvious or Answer(prompt=asked.id, choice=next((choice.id for choice in asked.choices), ""), amount=3)
    ideas = (suggest(fight.system, fight.state, who, in_words=False) for who in acting_ids(fight.system, fight.state))
    idea = next(filter(None, ideas), None)
    if idea is None:
        return Advance(force=True)
    is_judged = isinstance(idea.command, Act | Npc) and idea.target
    return replace(idea.command, hit=True, damage=3) if is_judged else idea.command


@pytest.mark.slow
@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_harm_and_what_is_left_are_never_cut(encounter):
    """At the table 4.3: results such as "throwing knife at Sister Amaranth ..." were cut before their harm."""
    fight, lines = start_fight(load_encounter(encounter), id="harm", seed="3"), []

    def hear(change):
        # What befalls somebody as time goes on is told with the step.
        is_act = change.kind == "do" and "target" in change.entry.command
        if is_act and any(isinstance(event, DamageApplied) for event in change.entry.events):
            lines.extend(said(change, fight.system, rows) for rows in (3, 5))

    fight.subscribe(hear)
    fight.give("start")
    for _ in range(ENCOUNTERS[encounter]):
        fight.do(next_command(fight))
    assert len(lines) >= 6
    assert [line for line in lines if not (HARM.search(line) and LEFT.search(line))] == []
    assert [line for line in lines if NAMED_TWICE.search(line)] == []


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
