"""What the next key may need is worked out in a pause: that changes nothing but the time that the key takes."""

import asyncio

import pytest
from desk import at_desk, in_first_round
from stagehand import playing

from fightcall import table
from fightcall.flows import runner
from fightcall.table import Table
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

DRIVE = {
    "first-segment": "s enter y space space > u U w u d enter 2 enter . u c enter s t 3 enter u m l enter u > > space",
    "first-cycle": "1 enter enter u m l enter u U D enter 2 enter d enter 2 enter . u space > u > space enter",
    "first-round": "s enter enter enter u U m l enter space space s enter enter h 3 enter u * h enter F > space",
    "ambush-at-the-ford": "space space space m l l enter u U space . > u w space d enter 2 enter . u > > space",
}
"""Keys with which a GM walks, strikes, harms, heals, repeats, takes back and goes on, by encounter."""


@pytest.mark.parametrize("encounter", DRIVE)
async def test_what_is_worked_out_ahead_changes_nothing(encounter):
    ahead, plain = in_first_round(encounter), in_first_round(encounter)
    async with at_desk(ahead) as looking, at_desk(plain) as playing_on:
        for key in DRIVE[encounter].split():
            before = ahead.line.entry_count(), looking.text("call"), looking.table.selected
            pieces = sum(1 for _ in looking.runner.foresee(lambda *ahead: None))
            assert pieces or looking.runner.flow is not None or looking.state.prompts
            assert (ahead.line.entry_count(), looking.text("call"), looking.table.selected) == before
            for play in (looking, playing_on):
                await play.press(key)
            assert [each.events for each in ahead.line.entries] == [each.events for each in plain.line.entries], key
            for pane in ("ribbon", "call", "exchange", "feed", "roster"):
                assert looking.text(pane) == playing_on.text(pane), (key, pane)
    assert ahead.head_number > 8


@pytest.mark.parametrize("encounter", DRIVE)
async def test_a_screen_that_was_drawn_ahead_is_the_same(encounter, tmp_path):
    async def screens(looks_ahead):
        seen = []
        async with playing(in_first_round(encounter), tmp_path / str(looks_ahead)) as play:
            for key in DRIVE[encounter].split():
                for _ in play.screen.foresee() if looks_ahead else ():
                    pass
                await play.press(key)
                seen.append((key, [(pane.id, pane.rows) for pane in play.panes()]))
        return seen

    for ahead, plain in zip(await screens(True), await screens(False), strict=True):
        assert ahead == plain


def test_whoever_comes_to_blows_was_not_foreseen_at_peace():
    """A question to a third side stops play from the blow on by which it is at odds with another."""
    found = []
    for looks_ahead in (True, False):
        fight = in_first_round("first-cycle")
        ours, *_, foe = fight.state.combatants
        for each in [each.id for each in fight.state.combatants.values() if each.side == fight.system.sides[1]]:
            fight.give("changeside", who=each, side="traders")
        while "NPC" not in getattr(fight.state.asked_first, "question", ""):
            fight.do(fight.next_call().command)
        at_table = Table(fight)
        assert not at_table.is_asking
        blow = fight.codec.command("damage", {"who": foe, "amount": 1, "by": ours})
        if looks_ahead:
            list(at_table.look_at(fight.decide(blow)[1][-1], at_table.selected))
        fight.do(blow)
        found.append((at_table.is_asking, at_table.onward()))
    assert found[0] == found[1]
    assert found[0][0]


async def test_where_going_on_stops_has_been_drawn_ahead(monkeypatch):
    for module in (table, runner):
        monkeypatch.setattr(module, "MOST_STEPS", 3)
    joins = [Join(name=f"Guard {number}", side="foe") for number in range(1, 9)]
    fight = Fight.new("segments", seed="7", joins=joins)
    fight.give("start")
    async with at_desk(fight) as desk:
        while desk.state.phase != "declare":
            await desk.press("space")
        drawn = []
        for _ in range(2):
            before = fight.line.entry_count()
            for _ in desk.runner.foresee(lambda *ahead: drawn.append(ahead)):
                pass
            await desk.press(">")
            assert fight.line.entry_count() == before + 3, "it is not over before"
            assert "3 steps; > continues" in desk.said
            assert any(state is fight.state and who == desk.table.selected for state, _, who, _ in drawn)


async def test_a_key_ends_what_is_worked_out_in_a_pause(tmp_path, monkeypatch):
    fight, pieces = in_first_round("first-round"), []
    async with playing(fight, tmp_path) as play:

        def endless():
            number = len(pieces)
            pieces.append(0)
            while True:
                pieces[number] += 1
                yield

        monkeypatch.setattr(play.screen, "foresee", endless)
        await play.press("tab")
        async with asyncio.timeout(10):
            while not pieces or pieces[-1] < 3:
                await asyncio.sleep(0)
        await play.press("tab")
        first = pieces[0]
        async with asyncio.timeout(10):
            while len(pieces) < 2 or pieces[-1] < 3:
                await asyncio.sleep(0)
        assert pieces[0] == first, "the next frame has a pause of its own"


async def test_a_fault_that_lies_ahead_is_no_fault_yet(tmp_path, monkeypatch):
    fight, begun = in_first_round("first-round"), []
    async with playing(fight, tmp_path) as play:

        def failing():
            begun.append(1)
            raise ValueError("the rules of the next step are broken")
            yield

        monkeypatch.setattr(play.screen, "foresee", failing)
        await play.press("tab")
        async with asyncio.timeout(10):
            while not begun:
                await asyncio.sleep(0)
        await play.press("tab")
        assert not play.screen.app.faults
