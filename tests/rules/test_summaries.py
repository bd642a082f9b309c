"""What is told after a fight, counted anew from the raw events, in every shipped encounter played at random."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

import pytest

from fightcall_engine.archive.chronicle import chronicle, players_chronicle, to_html, to_json, to_markdown
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.model.dice import chance_of
from fightcall_engine.model.events import DamageApplied, Event, Overridden, PoolAdjusted, Refilled, RulingRecorded
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import FightState
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.lanes import Summary, summary_of, summary_sections

from .shipped import FEW, FILES
from .test_random_play import Player


def replayed(fight: Fight) -> list[tuple[Event, FightState, FightState]]:
    """Every event with the states around it."""
    found, state = [], fight.line.seek(0)
    for event in fight.line.events():
        before, state = state, evolve(state, event)
        found.append((event, before, state))
    return found


def sides_of(fight: Fight) -> dict[str, str]:
    """The side of everybody who was ever there, as it was last."""
    sides = {one.id: one.side for one in fight.line.seek(0).combatants.values()}
    for _, _, after in replayed(fight):
        sides.update({one.id: one.side for one in after.combatants.values()})
    return sides


@pytest.mark.slow
@pytest.mark.parametrize("encounter", [*FEW, *FILES])
def test_every_number_is_the_one_that_the_events_come_to(encounter: str) -> None:
    """Harm by side, hits, chances, what was left unused, rulings."""
    player = Player(encounter, 4)
    player.play(200, is_checked=False)
    fight = player.fight
    summary, events, sides = summary_of(fight, for_gm=True), replayed(fight), sides_of(fight)

    taken, dealt = Counter[str](), Counter[str]()
    for event, before, _ in events:
        if isinstance(event, DamageApplied):
            taken[sides[event.who]] += event.amount
            if event.by in before.combatants and event.by != event.who:
                dealt[sides[event.by]] += event.amount
    for parts in (summary.phases, summary.rounds):
        assert sum((Counter(part.taken) for part in parts), Counter()) == +taken
        assert sum((Counter(part.dealt) for part in parts), Counter()) == +dealt

    # A rest after the last round is no part of it.
    by_round = Counter[str]()
    for event, before, _ in events:
        if isinstance(event, DamageApplied):
            by_round[fight.system.round_title(before)] += event.amount
    assert +Counter({part.part: sum(part.taken.values()) for part in summary.rounds}) == +by_round

    for tally in summary.tallies:
        tried = [event for event, _, _ in events if hasattr(event, "hit") and getattr(event, "who", "") == tally.id]
        assert (tally.attempts, tally.hits) == (len(tried), sum(bool(event.hit) for event in tried))
        assert tally.weighed <= tally.attempts
        assert tally.got <= tally.weighed
        assert 0 <= tally.expected <= tally.weighed
        assert dict(tally.unused) == dict(+unused(tally.id, events))

    for event, _, _ in events:  # What has a die and a number needed has a chance, or follows from a check that has one.
        if getattr(event, "needs", None) is not None and getattr(event, "total", None) is not None:
            assert event.chance is not None
            assert (event.chance > 0) or not event.hit
            assert (event.chance < 100) or event.hit

    assert summary.changed == sum(isinstance(event, PoolAdjusted) for event, _, _ in events)
    assert sum(summary.overruled.values()) == sum(isinstance(event, Overridden) for event, _, _ in events)
    ruled = [event for event, _, _ in events if isinstance(event, RulingRecorded)]
    assert sum(summary.ruled.values()) == sum(not event.prompt for event in ruled)
    assert summary.answers == sum(bool(event.prompt) and not event.default_taken for event in ruled)


LOST = {"BeatsRefilled", "HesitationLost", "ActionDiceRecovered", "ReactionsRecovered"}
"""What says that all that was left of a pool is of no use any more; in segments Actions lapse one by one."""


def unused(who: str, events: list[tuple[Event, FightState, FightState]]) -> Counter[str]:
    """What somebody who could act had left, told from the pools before and after."""
    found = Counter[str]()
    for event, before, after in events:
        if getattr(event, "who", "") != who or not before.combatants.get(who) or not before.combatants[who].able:
            continue
        # Nobody can have used before the first round what is filled for it.
        if event.type in LOST and not (isinstance(event, Refilled) and before.round <= 1):
            found[event.pool] += before.combatants[who].pool(event.pool).now
        elif event.type == "SlotUsed" and event.purpose == "not used":
            found["slots"] += before.combatants[who].pool("slots").now - after.combatants[who].pool("slots").now
    return found


def test_what_is_filled_for_the_first_round_has_not_gone_unused() -> None:
    """SB-30: beats that were there before anybody could move."""
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="3")
    fight.give("start")
    assert not any(tally.unused for tally in summary_of(fight, for_gm=True).tallies)
    while fight.state.round < 2:
        fight.do(fight.next_call().command)
    assert {tally.unused["beats"] for tally in summary_of(fight, for_gm=True).tallies} == {11, 14}


@pytest.mark.slow
def test_each_system_says_what_goes_unused() -> None:
    """Beats (SB-30), slots (AP-27), Action Dice (ST-07), Actions of a segment (CS-007)."""
    pools = {}
    for encounter in FEW[1:5]:
        fight = start_fight(load_encounter(encounter), id="fight", seed="3")
        fight.give("start")
        for _ in range(150):
            asked = next((prompt for prompt in fight.state.prompts if prompt.blocking), None)
            if asked is not None:
                fight.give("answer", prompt=asked.id, choice=asked.default or asked.choices[0].id)
            elif fight.state.status == "running":
                fight.give("advance")
        left = {pool for tally in summary_of(fight, for_gm=True).tallies for pool in tally.unused}
        pools.setdefault(fight.state.system, set()).update(left)
    assert {"beats"} <= pools["stage"]
    assert {"actions", "reactions"} <= pools["turns"]
    assert pools["slots"] & {"slots", "reserved"}
    assert {"slots"} <= pools["segments"]


def strike(fight: Fight, **data: object) -> None:
    while fight.state.phase != "missile" or fight.state.step is None or fight.state.step.side != "party":
        fight.give("advance")
    fight.give("strike", who="paul", target="goblin-1", kind="missile", **data)


@pytest.mark.parametrize(("needs", "die", "chance", "got"), [(12, 5, 60.0, 1), (3, 17, 15.0, 0), (25, 20, 100.0, 1)])
def test_an_attack_is_held_against_its_chance(needs: int, die: int, chance: float, got: int) -> None:
    """SB-35: 12 or less on a d20 is three in five."""
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="1")
    fight.give("start")
    strike(fight, needs=needs, damage=1, rolls={"attack": [die]})
    tally = next(tally for tally in summary_of(fight, for_gm=True).tallies if tally.id == "paul")
    assert (tally.weighed, tally.expected, tally.got) == (1, chance / 100, got)


def test_an_attack_without_a_chance_is_left_out_and_counted() -> None:
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="1")
    fight.give("start")
    strike(fight, hit=True, damage=1)
    summary = summary_of(fight, for_gm=True)
    tally = next(tally for tally in summary.tallies if tally.id == "paul")
    assert (tally.attempts, tally.hits, tally.weighed) == (1, 1, 0)
    assert "hit 1 of 1, chances unknown" in said(fight, summary)


def said(fight: Fight, summary: Summary) -> str:
    sections = summary_sections(summary, fight.system.words(fight.state.settings))
    return "\n".join(f"{each.name}: {each.text}" for section in sections for each in section.details)


@pytest.mark.parametrize(
    ("dice", "target", "at_least", "percent"),
    [("d20", 12, False, 60.0), ("d20+2", 12, True, 55.0), ("2d6", 7, True, 58.33), ("2d20kh1", 11, True, 75.0),
     ("d6-d6", 0, True, 58.33), ("7", 7, True, 100.0), ("9d100", 1, True, None)],
)  # fmt: skip
def test_chances_are_counted(dice: str, target: int, at_least: bool, percent: float | None) -> None:
    assert chance_of(dice, target, at_least=at_least) == percent


def test_waits_are_the_times_of_the_journal_without_breaks() -> None:
    """Brand acts at 0:00, 0:40 and after a break, Paul at 0:10 and 1:40."""
    moments = (datetime(2026, 1, 1, 20) + timedelta(seconds=seconds) for seconds in (0, 0, 10, 40, 100, 2000))
    start = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="1").start
    fight = Fight(start, clock=lambda: next(moments).isoformat())
    fight.give("start")
    for who in ("brand", "paul", "brand", "paul", "brand"):
        fight.give("waive", who=who, force=True)
    summary = summary_of(fight)
    waits = {tally.id: (tally.longest_s, tally.waits, tally.waited_s) for tally in summary.tallies if tally.waits}
    assert waits == {"brand": (60, 2, 100), "paul": (90, 1, 90)}
    assert summary.breaks == 1
    assert "Paul: longest 1:30, average 1:30" in said(fight, summary)


def test_players_are_told_no_chance_nothing_left_and_no_ruling() -> None:
    player = Player("ambush-at-the-ford", 7)
    player.play(120, is_checked=False)
    fight = player.fight
    while fight.state.status == "closed":
        fight.undo()
    fight.give("join", name="Lurker", side="foe", sheet={"hp": 5}, hidden=True)
    lurker = next(one.id for one in fight.state.combatants.values() if one.name == "Lurker")
    fight.give("damage", who=lurker, amount=3)
    summary = summary_of(fight)
    assert not any(tally.weighed or tally.unused for tally in summary.tallies)
    assert (summary.overruled, summary.ruled, summary.answers, summary.changed) == ({}, {}, 0, 0)
    assert "Lurker" not in repr(summary)
    assert all(not part.dealt for part in (*summary.phases, *summary.rounds))
    for write in (to_markdown, to_html, to_json):
        assert "Lurker" not in write(players_chronicle(fight))
        assert "Lurker" in write(chronicle(fight))


def test_the_chronicle_tells_what_decided_it() -> None:
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="fight", seed="1")
    fight.give("start")
    strike(fight, needs=12, damage=4, rolls={"attack": [5]})
    assert "- **Moment 1**: Party dealt 4; Foe took 4" in to_markdown(chronicle(fight))
    assert "- **Paul**: hit 1 of 1 (0.6 expected)" in to_markdown(chronicle(fight))
    assert '<th scope="row">Moment 1</th><td>Foe took 4</td>' in to_html(players_chronicle(fight))
    assert "expected" not in to_html(players_chronicle(fight)).split("</style>")[1]
